# SPDX-License-Identifier: LGPL-2.1-or-later
"""The response "nonsmooth" with implicit steps in whole runs: the examples that
come with it, and the four squares against an independent computation of the same
problem.

Surfaces are checked for intersections at forty times of each run.
"""

import os

from nonsmooth import SQUARES, example, summary_number
from ricochet_run import (CHECK_INTERSECTIONS, LONG, SOURCE, RunTest, energies,
                          main)

IMPLICIT = "Time stepping/Integrator=implicit Newmark"
FOLDER = os.path.join(SOURCE, "prm", "nonsmooth-implicit")

# Until when the short version of an example runs.
SHORT = {
    "eight-cubes": 2.5e-4,
    "four-squares": 6e-4,
    "packed-squares": 4e-4,
    "press": 0.3,
    "stack": 0.2,
    "two-cubes-edge": 0.6,
}
FREE = ("eight-cubes", "four-squares", "packed-squares", "two-cubes-edge")


class CheckedTest(RunTest):
    """Runs in which nothing may intersect at the times of output."""

    def run_checked(self, file, settings):
        result = self.run_file(file, [
            "Output/Number of ParaView files=%d" % (400 if LONG else 40),
            "Output/Number of pictures=0", *settings], files=True)
        if CHECK_INTERSECTIONS:
            self.assertEqual(self.faults(result), [])
        return result


class Examples(CheckedTest):

    def check(self, name):
        result = self.run_checked(
            os.path.join(FOLDER, name + ".prm"),
            () if LONG else ("End time=%g" % SHORT[name],))
        self.assertGreater(sum(result.column("passes")), 1)
        self.assertEqual(summary_number(result, "cuts of a step"), 0)
        if name in FREE:
            rows = result.table()
            scale = sum(row["mass"] * (row["vx"]**2 + row["vy"]**2 +
                                       row["vz"]**2)**0.5
                        for row in result.table("bodies.csv")
                        if row["step"] == 0)
            for key in ("px", "py", "pz"):
                self.assertLessEqual(
                    max(abs(row[key] - rows[0][key]) for row in rows),
                    1e-12 * scale)
            # Also where the method itself does not keep it.
            stored = [row["kinetic_energy"] + row["internal_energy"]
                      for row in rows]
            self.assertLessEqual(max(stored), 1.001 * stored[0])

    def test_examples(self):
        self.assertEqual(sorted(name[:-4] for name in os.listdir(FOLDER)),
                         sorted(SHORT))
        for name in SHORT:
            with self.subTest(name):
                self.check(name)


class FourSquares(CheckedTest):
    """80 steps of 5e-6, with triangles of a quarter of an edge. The numbers are
    those of a computation apart from this program, of the same elements, with
    dense matrices, crossings of segments at the ends of iterations and no
    clearance."""
    ENERGY = 0.958121
    ANGULAR_MOMENTUM = -4195666.67
    START = 0.5 * 1000 * 3000**2
    MOST_ITERATIONS = 10

    def run_squares(self, *settings):
        meshes = ["Bodies/%s/Mesh/Mesh file=%s" % (
            name, os.path.join(SOURCE, "prm", "nonsmooth", "meshes",
                               "square-4.msh")) for name in SQUARES]
        return self.run_checked(example("four-squares"), (
            IMPLICIT, "End time=4e-4", "Time stepping/Time step=5e-6", *meshes,
            *settings))

    def test_independent_computation(self):
        result = self.run_squares("Contact/Clearance=1e-6")
        rows = result.table()
        self.assertEqual(len(rows), 81)
        last = rows[-1]
        self.assertAlmostEqual(
            (last["kinetic_energy"] + last["internal_energy"]) / self.START,
            self.ENERGY, delta=2e-4)
        self.assertAlmostEqual(last["lz"], self.ANGULAR_MOMENTUM,
                               delta=-1e-4 * self.ANGULAR_MOMENTUM)
        for key, start in (("px", 0), ("py", -3e6)):
            self.assertLess(max(abs(row[key] - start) for row in rows),
                            1e-12 * 3e6)
        self.assertLessEqual(max(result.column("newton")),
                             self.MOST_ITERATIONS)
        self.assertEqual(summary_number(result, "cuts of a step"), 0)
        self.assertEqual(summary_number(result, "of these not solved"), 0)

    def test_energy_with_the_usual_clearance(self):
        result = self.run_squares()
        self.assertLessEqual(max(energies(result.table())), 1e-3)
        self.assertAlmostEqual(energies(result.table())[-1], self.ENERGY - 1,
                               delta=2e-3)


if __name__ == "__main__":
    main()
