# SPDX-License-Identifier: LGPL-2.1-or-later
"""The response "nonsmooth" in whole runs: the examples that come with it, and
the four squares against an independent computation of the same problem.

Surfaces are checked for intersections at every step. With RICOCHET_LONG_TESTS=1
in the environment, the examples run to their ends.
"""

import math
import os
import re

from ricochet_run import (CHECKED_PROGRAM, LONG, PROGRAM, SOURCE, RunTest,
                          energies, main)

# Until when the short version runs: some steps after the first contacts.
SHORT = {
    "eight-cubes": 2.5e-4,
    "four-squares": 3e-4,
    "four-squares-symmetric": 3e-4,
    "packed-squares": 2e-4,
    "pool": 1.3e-3,
    "two-cubes-edge": 0.6,
    "two-cubes-vertex": 1.4,
}
SQUARES = ("upper", "middle", "lower", "left")


def example(name):
    return os.path.join(SOURCE, "prm", "nonsmooth", name + ".prm")


def summary_number(result, name):
    """What the summary says after a name."""
    match = re.search(r"^ +%s +(\S+)" % re.escape(name), result.out, re.M)
    return float(match.group(1))


class CheckedTest(RunTest):
    """Runs in which nothing may intersect at the end of any step."""

    def run_checked(self, file, settings):
        result = self.run_file(file, settings,
                               program=CHECKED_PROGRAM or PROGRAM)
        if CHECKED_PROGRAM:
            self.assertEqual(
                summary_number(result, "surfaces without intersection"),
                summary_number(result, "steps"))
        return result


class Examples(CheckedTest):

    def check(self, name):
        settings = ["Output/Steps between history rows=1"]
        if not LONG:
            settings.append("End time=%g" % SHORT[name])
        result = self.run_checked(example(name), settings)
        self.assertGreater(sum(result.column("passes")), 1)
        if name != "two-cubes-vertex":  # one of them is held
            self.assert_momentum(result)
        self.assertEqual(summary_number(result, "of these not solved"), 0)

    def test_examples(self):
        files = os.listdir(os.path.dirname(example("")))
        self.assertEqual(sorted(name[:-4] for name in files
                                if name.endswith(".prm")), sorted(SHORT))
        for name in SHORT:
            with self.subTest(name):
                self.check(name)

    def test_energy_restoration_of_cubes(self):
        result = self.run_checked(example("eight-cubes"), [
            "Contact/nonsmooth/Energy restoration=true",
            *([] if LONG else ["End time=%g" % SHORT["eight-cubes"]])])
        self.assertGreater(sum(result.column("passes")), 1)
        self.assertLessEqual(max(map(abs, energies(result.table()))), 1e-3)

    def test_ranks(self):
        for name, step in (("four-squares", 1e-6), ("eight-cubes", 2e-7)):
            with self.subTest(name):
                settings = ("End time=%g" % SHORT[name],
                            "Time stepping/Time step=%g" % step,
                            "Output/Steps between history rows=1")
                one = self.run_file(example(name), settings)
                self.assertGreater(sum(one.column("passes")), 1)
                for ranks in (2, 3):
                    self.assert_same_motion(one, self.run_file(
                        example(name), settings, ranks=ranks))


class FourSquares(CheckedTest):
    """Numbers of an independent implementation: linear triangles, the
    closest branch first, vertices inside others taken out."""
    E0 = 0.5 * 1000 * 3000**2
    J0 = -1.4 * 1000 * 3000

    # Mean velocities of all squares with n = 4 and steps of 1e-6.
    VELOCITIES = {
        1.8e-4: ((268.005, -1814.519), (-268.005, -1185.481), (0, 0), (0, 0)),
        6.0e-4: ((520.375, 92.260), (-8.532, -1573.840),
                 (-138.107, -1523.911), (-373.736, 5.491))}
    # Largest |J - J0| / |J0| of a run to 1.48e-3, by the length of the steps.
    ANGULAR_ERRORS = {2e-6: 7.7e-4, 1e-6: 3.84e-4, 5e-7: 1.92e-4}

    def run_squares(self, n, end, *settings):
        meshes = ["Bodies/%s/Mesh/Mesh file=%s" % (
            name, os.path.join(SOURCE, "prm", "nonsmooth", "meshes",
                               "square-%d.msh" % n)) for name in SQUARES]
        result = self.run_checked(
            example("four-squares"), ("End time=%g" % end, *meshes, *settings))
        row = result.table()[0]
        self.assertAlmostEqual(row["kinetic_energy"], self.E0,
                               delta=1e-12 * self.E0)
        self.assertAlmostEqual(row["lz"], self.J0, delta=-1e-12 * self.J0)
        self.assert_momentum(result)
        # What contact forces do to the angular momentum of a step,
        # dt/2 sum x_n x F, explains its change.
        self.assertLessEqual(max(result.column("l_error")), -1e-13 * self.J0)
        return result

    def largest_angular_error(self, result):
        return max(abs(l / self.J0 - 1) for l in result.column("lz"))

    def test_velocities_and_angular_momentum(self):
        for step, expected in self.ANGULAR_ERRORS.items():
            with self.subTest(step=step):
                result = self.run_squares(
                    4, 1.48e-3, "Time stepping/Time step=%g" % step)
                error = self.largest_angular_error(result)
                self.assertAlmostEqual(error, expected, delta=0.03 * expected)
                if step == 1e-6:
                    self.check_velocities(result)

    def check_velocities(self, result):
        self.assertAlmostEqual(
            next(row["time"] for row in result.table() if row["passes"] > 0),
            6e-5, delta=1.5e-6)
        for time, velocities in self.VELOCITIES.items():
            rows = {row["body"]: row for row in result.table("bodies.csv")
                    if abs(row["time"] - time) < 1e-9}
            bound = 0.01 * max(math.hypot(*v) for v in velocities)
            for name, (vx, vy) in zip(SQUARES, velocities):
                self.assertLess(math.hypot(rows[name]["vx"] - vx,
                                           rows[name]["vy"] - vy), bound,
                                (time, name))

    def test_exact_angular_momentum(self):
        result = self.run_squares(
            4, 1.48e-3, "Contact/nonsmooth/Exact angular momentum=true")
        self.assertGreater(sum(result.column("passes")), 100)
        self.assertLess(self.largest_angular_error(result), 1e-12)

    def test_energy(self):
        result = self.run_squares(8, 1e-3)
        change = energies(result.table())
        self.assertAlmostEqual(change[-1], -0.014, delta=0.005)
        self.assertLessEqual(
            max(b - a for a, b in zip(change, change[1:])), 2e-4)

    def test_energy_restoration(self):
        """Short steps, since the energy of explicit integration itself varies
        with the square of the step."""
        result = self.run_squares(
            8, 1e-3, "Time stepping/Time step=2.5e-7",
            "Contact/nonsmooth/Energy restoration=true")
        self.assertGreater(sum(result.column("passes")), 100)
        self.assertLessEqual(max(map(abs, energies(result.table()))), 1e-3)


class FlushPlates(CheckedTest):
    """Two plates whose meshes do not match, pressed together flush: thousands
    of gaps in one group, far more than nodes."""
    CELLS = {"lower": 24, "upper": 23}

    def write_scene(self):
        bodies = []
        for name, n in self.CELLS.items():
            corners = ("0, 0, %g : 1, 1, 0" % (-4 / 24) if name == "lower" else
                       "0.013, 0.017, 4e-6 : 0.973, 0.977, %g" % (4 / 24))
            bodies.append("""
  subsection %s
    subsection Mesh
      set Grid generator = subdivided_hyper_rectangle
      set Grid generator arguments = %d, %d, 4 : %s : true
    end
    subsection Material
      set Density = 1000
      set Young's modulus = 1e6
      set Poisson's ratio = 0.3
    end
    set Initial velocity = %s
  end""" % (name, n, n, corners,
            "1; 0.3; -0.1" if name == "upper" else "0; 0; 0"))
        return self.write("plates.prm", """set Dimension = 3
set End time = 2e-3
subsection Time stepping
  set Time step = 3.333e-4
end
subsection Bodies%s
end
subsection Contact
  set Response = nonsmooth
end
subsection Output
  set Number of ParaView files = 0
  set Number of pictures = 0
  set Steps between history rows = 1
end
""" % "".join(bodies))

    def test_thousands_of_gaps(self):
        scene = self.write_scene()
        one = self.run_checked(scene, [])
        self.assertGreater(max(map(sum, zip(one.column("node_face"),
                                            one.column("edge_edge")))), 3000)
        self.assertEqual(summary_number(one, "of these not solved"), 0)
        self.assertEqual(summary_number(one, "steps that did not settle"), 0)
        self.assert_momentum(one)
        self.assertLess(max(energies(one.table())), 1e-3)
        self.assert_same_motion(one, self.run_file(scene, ranks=2))


class BadInput(RunTest):

    def check(self, setting, *words):
        result = self.run_file(example("four-squares"), (setting,),
                               options=("--validate",), expect=1)
        self.assertEqual(len(result.err.strip().splitlines()), 1, result.err)
        for word in ("nonsmooth", *words):
            self.assertIn(word, result.err)

    def test_energy_restoration_with_a_consistent_mass_is_refused(self):
        for more in ((), ("Mass/Contact=lumped",)):
            result = self.run_file(
                example("four-squares"),
                ("End time=1e-4", "Mass/Matrix=consistent",
                 "Contact/nonsmooth/Energy restoration=true", *more), expect=1)
            self.assertEqual(len(result.err.strip().splitlines()), 1,
                             result.err)
            for word in ("Energy restoration", "lumped"):
                self.assertIn(word, result.err)

    def test_friction_and_restitution_are_refused(self):
        self.check("Contact/Friction coefficient=0.3", "no friction",
                   "Friction coefficient", "barycentric")
        self.check("Contact/Friction of pairs=upper:middle 0.3", "no friction",
                   "Friction of pairs")
        self.check("Contact/Restitution=0.5", "projection", "Restitution")
        self.check("Contact/Restitution of pairs=upper:middle 0.5",
                   "projection", "Restitution of pairs")


if __name__ == "__main__":
    main()
