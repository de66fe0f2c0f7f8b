# SPDX-License-Identifier: LGPL-2.1-or-later
"""The response "nonsmooth" with implicit steps in whole runs: the examples that
come with it, the four squares against an independent computation of the same
problem, all kinds of bodies and options, and random scenes.

Surfaces are checked for intersections at forty times of each run.
"""

import math
import os
import re

import random_scenes
from nonsmooth import SQUARES, example, summary_number
from ricochet_run import (CHECK_INTERSECTIONS, LONG, SOURCE, RunTest, energies,
                          main, parameters)

IMPLICIT = "Time stepping/Integrator=implicit Newmark"
FOLDER = os.path.join(SOURCE, "prm", "nonsmooth-implicit")

# Until when the short version of an example runs.
SHORT = {
    "eight-cubes": 2.5e-4,
    "four-squares": 6e-4,
    "packed-squares": 4e-4,
    "pool": 1.6e-3,
    "press": 0.3,
    "stack": 0.2,
    "two-cubes-edge": 0.6,
}
# Of the random scenes.
SHORT_SEEDS = (1, 2, 3, 5, 7, 11, 13, 14, 15, 18, 19)
FREE = ("eight-cubes", "four-squares", "packed-squares", "pool",
        "two-cubes-edge")


# Why steps are cut, as the summary calls it.
REASONS = ("no end without intersections", "gaps that did not open",
           "a cell would be inverted", "equations did not settle",
           "linear system not solved")


def reasons_of_cuts(result):
    """How often steps were cut, by reason."""
    return {name: int(summary_number(result, name)) for name in REASONS
            if re.search("^ +" + name + " ", result.out, re.M)}


class CheckedTest(RunTest):
    """Runs in which nothing may intersect at the times of output."""

    def run_checked(self, file, settings):
        result = self.run_file(file, [
            "Output/Number of ParaView files=%d" % (400 if LONG else 40),
            "Output/Number of pictures=0", *settings], files=True)
        if CHECK_INTERSECTIONS:
            self.assertEqual(self.faults(result), [])
        return result

    def assert_linear_momentum(self, result):
        rows = result.table()
        scale = sum(row["mass"] * math.hypot(row["vx"], row["vy"], row["vz"])
                    for row in result.table("bodies.csv")
                    if row["step"] == 0)
        for key in ("px", "py", "pz"):
            self.assertLessEqual(
                max(abs(row[key] - rows[0][key]) for row in rows),
                1e-12 * scale)


class Examples(CheckedTest):

    def check(self, name):
        result = self.run_checked(
            os.path.join(FOLDER, name + ".prm"),
            () if LONG else ("End time=%g" % SHORT[name],))
        self.assertGreater(sum(result.column("passes")), 1)
        self.assertEqual(summary_number(result, "cuts of a step"), 0)
        if name == "stack" and LONG:
            self.check_rest(result)
        if name in FREE:
            self.assert_linear_momentum(result)
            rows = result.table()
            # Also where the method itself does not keep it.
            stored = [row["kinetic_energy"] + row["internal_energy"]
                      for row in rows]
            self.assertLessEqual(max(stored), 1.001 * stored[0])

    def check_rest(self, result):
        """Heights of the blocks of the stack in the last 1000 steps, next to
        those of a column under its weight."""
        modulus, weight, height = 1e8, 1e4, 5
        rows = [row for row in result.table("bodies.csv")
                if row["step"] > 1000]
        for k, name in enumerate(sorted({row["body"] for row in rows})):
            heights = [row["cy"] for row in rows if row["body"] == name]
            y = 0.25 + 0.5 * k
            exact = y - weight / modulus * y * (height - y / 2)
            self.assertLess(max(abs(value - exact) for value in heights), 1e-3)
            self.assertLess(max(heights) - min(heights), 1e-6)

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


def block(cells, lower, upper, **entries):
    return {"Mesh": {"Grid generator": "subdivided_hyper_rectangle",
                     "Grid generator arguments":
                         "%s : %s : %s : true" % (cells, lower, upper),
                     **entries.pop("Mesh", {})},
            "Material": {"Law": "neo-Hookean", "Density": 1000,
                         "Young's modulus": 1e6, "Poisson's ratio": 0.3},
            **entries}


def impact(lower=None, upper=None, **entries):
    """A turned block is thrown on another one, in steps of some ten times the
    longest stable one."""
    upper = dict(upper or {})
    upper["Mesh"] = {"Translation": "0.2, 0.75", "Rotation": 0.3,
                     **upper.get("Mesh", {})}
    return parameters({
        "Dimension": 2, "End time": 0.6,
        "Time stepping": {"Integrator": "implicit Newmark",
                          "Time step": 0.02},
        "Bodies": {"lower": block("8, 4", "-1, -1", "1, 0", **(lower or {})),
                   "upper": block("4, 4", "-0.5, -0.5", "0.5, 0.5",
                                  **{"Initial velocity": "0.5; -2"},
                                  **upper)},
        "Contact": {"Response": "nonsmooth"}, **entries})


class Kinds(CheckedTest):
    """All that explicit nonsmooth contact takes."""
    START = 0.5 * 1000 * (0.5**2 + 2**2)

    def check(self, text, *settings, is_free=True, gain=1e-3):
        result = self.run_checked(self.write("impact.prm", text), settings)
        self.assertGreater(sum(result.column("passes")), 5)
        self.assertEqual(summary_number(result, "cuts of a step"), 0)
        rows = result.table()
        if is_free:
            self.assert_linear_momentum(result)
            self.assertLessEqual(max(energies(rows)), gain)
            self.assertGreater(min(energies(rows)), -0.1)
        else: # all energy is explained, but for what the method itself loses
            scale = max(row["kinetic_energy"] + row["internal_energy"]
                        for row in rows)
            self.assertLess(max(abs(row["total_energy"] - self.START)
                                for row in rows), 0.03 * scale)
        return result

    def test_hanging_nodes(self):
        self.check(impact({"Mesh": {"Local refinement": "if(x > 0, 1, 0)"}},
                          {"Mesh": {"Local refinement":
                                    "if(y < 0.6, 1, 0)"}}))

    def test_degree_2(self):
        self.check(impact(), "Bodies/Element degree=2")

    def test_consistent_mass(self):
        self.check(impact(), "Mass/Matrix=consistent")

    def test_prescribed_motion(self):
        self.check(impact({"Prescribed motion": {"held": {
            "Boundary ids": 2, "Function": "0.1*sin(3*t); 0.1*t"}}}),
            is_free=False)

    def test_moving_obstacle(self):
        self.check(impact(Obstacles={"table": {
            "Type": "box", "box": {"Lower corner": "-1, -1.4",
                                   "Upper corner": "1, -1.05"},
            "Motion": {"Translation": "0.2*t; 0.3*sin(4*t)"}}}),
            is_free=False)

    def test_energy_restoration(self):
        loss = -energies(self.check(impact()).table())[-1]
        # What is left is the error of Newmark's method.
        rows = self.check(impact(),
                          "Contact/nonsmooth/Energy restoration=true",
                          gain=3e-3).table()
        self.assertLess(abs(energies(rows)[-1]), 0.3 * loss)

    def test_cuts_have_reasons(self):
        result = self.run_checked(
            self.write("impact.prm", impact()),
            ("Time stepping/Equations/Most Newton iterations=3",
             "End time=0.3"))
        cuts = sum(result.column("cuts"))
        self.assertGreater(cuts, 2)
        self.assertEqual(summary_number(result, "cuts of a step"), cuts)
        self.assertEqual(reasons_of_cuts(result),
                         {"equations did not settle": cuts})

    def test_exact_angular_momentum(self):
        """Newmark's method itself does not keep it, but to second order."""
        def change(*settings):
            l = self.check(impact(), "Time stepping/Time step=0.01",
                           *settings).column("lz")
            return abs(l[-1] - l[0])
        self.assertLess(
            change("Contact/nonsmooth/Exact angular momentum=true"),
            0.1 * change())


class Ringing(CheckedTest):
    """A block pressed against a floor by its weight."""

    def run_block(self, *settings):
        text = parameters({
            "Dimension": 2, "End time": 1,
            "Time stepping": {"Integrator": "implicit Newmark",
                              "Time step": 2e-3},
            "Bodies": {"block": {
                "Mesh": {"Grid generator": "subdivided_hyper_rectangle",
                         "Grid generator arguments":
                             "4, 2 : 0, 0 : 1, 0.5 : false",
                         "Translation": "0, 0.002"},
                "Body force": "0; -10",
                "Material": {"Law": "Kelvin-Voigt", "Density": 1000,
                             "Young's modulus": 1e7, "Poisson's ratio": 0,
                             "Damping time": 2e-2}}},
            "Obstacles": {"floor": {"Type": "half-space", "half-space": {
                "Point": "0, 0", "Normal": "0, 1"}}},
            "Contact": {"Response": "nonsmooth"}})
        return self.run_checked(self.write("block.prm", text), settings)

    def test_rest(self):
        rest = self.run_block("Contact/nonsmooth/Stop ringing=true").table()
        rings = self.run_block().table()
        self.assertGreater(rings[-1]["kinetic_energy"], 1e-4)
        self.assertLess(rest[-1]["kinetic_energy"], 1e-12)
        # What is lost is said.
        self.assertLess(abs(rest[-1]["total_energy"] -
                            rest[0]["total_energy"]), 3e-3)


    def test_refused(self):
        for other, word in (("Mass/Matrix=consistent", "lumped"),
                            ("Contact/nonsmooth/Energy restoration=true",
                             "Energy restoration")):
            result = self.run_file(
                self.write("impact.prm", impact()),
                ("Contact/nonsmooth/Stop ringing=true", other), expect=1)
            self.assertEqual(result.err.count("Error: "), 1, result.err)
            for part in ("Stop ringing", word):
                self.assertIn(part, result.err)


class Ranks(CheckedTest):
    """Round-off differs; contact lets it grow, but not that fast."""

    def check(self, name, end):
        settings = ("End time=%g" % end,)
        one = self.run_file(os.path.join(FOLDER, name + ".prm"), settings)
        n_contacts = sum(passes > 0 for passes in one.column("passes"))
        self.assertGreaterEqual(n_contacts, 5)
        self.assertLessEqual(n_contacts, 10)
        for ranks in (2, 3):
            with self.subTest(ranks=ranks):
                other = self.run_file(os.path.join(FOLDER, name + ".prm"),
                                      settings, ranks=ranks)
                self.assert_near(one, other, 1e-9)
                for key in ("node_face", "edge_edge", "passes"):
                    self.assertEqual(one.column(key), other.column(key))

    def test_packed_squares(self):
        self.check("packed-squares", 1e-4)

    def test_eight_cubes(self):
        self.check("eight-cubes", 2.3e-4)


class ManyGaps(CheckedTest):
    """Plates that are pressed on each other, with hundreds of gaps: one step by
    the path without columns of the flexibility and by that with them. Later
    ones begin with other gaps of those that are nearly the same."""

    def run_plates(self, *settings):
        def plate(cells, lower, upper, **entries):
            return {"Mesh": {"Grid generator": "subdivided_hyper_rectangle",
                             "Grid generator arguments":
                                 "%s : %s : %s : true" % (cells, lower,
                                                          upper)},
                    "Material": {"Density": 1000, "Young's modulus": 1e6,
                                 "Poisson's ratio": 0.3}, **entries}
        text = parameters({
            "Dimension": 3, "End time": 0.003,
            "Time stepping": {"Integrator": "implicit Newmark",
                              "Time step": 0.003},
            "Bodies": {
                "lower": plate("8, 8, 1", "0, 0, -0.1", "1, 1, 0", **{
                    "Prescribed motion": {"held": {"Boundary ids": 4}}}),
                "upper": plate("6, 6, 1", "0.013, 0.017, 2e-6",
                               "0.973, 0.977, 0.1", **{
                    "Initial velocity": "0.1; 0.03; -0.1",
                    "Body force": "0; 0; -25"})},
            "Contact": {"Response": "nonsmooth", "Self-contact": "false"}})
        return self.run_checked(self.write("plates.prm", text), settings)

    def test_agrees(self):
        columns = self.run_plates()
        saddle = self.run_plates("Contact/nonsmooth/Most gaps by columns=100")
        self.assertGreater(summary_number(saddle, "large systems of gaps"), 3)
        self.assertEqual(summary_number(saddle, "of these by columns"), 0)
        self.assertGreater(max(columns.column("passes")), 0)
        self.assert_near(columns, saddle, 1e-9, ("positions",))


class RandomScenes(CheckedTest):
    """Steps ten times as long as the explicit ones, and no intersection."""
    TIMES = 10

    def check_scene(self, seed):
        """Steps, cuts, and whether the run got to its end: few do not, but
        until then nothing may be wrong."""
        result = self.run_file(
            self.write("scene-%d.prm" % seed,
                       random_scenes.scene(seed, self.TIMES)),
            ["Output/Number of ParaView files=40",
             "Output/Number of pictures=0"], files=True, expect=None)
        if CHECK_INTERSECTIONS:
            self.assertEqual(self.faults(result)[:5], [])
        if result.code != 0:
            self.assertEqual(result.code, 1, result.err)
            self.assertEqual(result.err.count("Error: "), 1, result.err)
            self.assertIn("were not solved, down to", result.err)
        self.assert_linear_momentum(result)
        rows = result.table()
        cuts = sum(result.column("cuts"))
        reasons = reasons_of_cuts(result) if result.code == 0 else {}
        if result.code == 0:
            self.assertEqual(sum(reasons.values()), cuts)
        print("scene %d: %d steps, %d with contact, %d cuts, energy at most "
              "%+.2g %s" % (seed, len(rows) - 1,
                         sum(row["passes"] > 0 for row in rows), cuts,
                         max(energies(rows)), reasons or ""), flush=True)
        if not LONG:
            self.assertLessEqual(max(energies(rows)), 1e-3)
        return len(rows) - 1, cuts, result.code == 0

    def test_random_scenes(self):
        random_scenes.write_spike(self.folder)
        n_steps = n_cuts = n_finished = 0
        # Of each four, the first is faster than sound.
        seeds = [seed for seed in (range(200) if LONG else SHORT_SEEDS)
                 if seed % 4 != 0]
        for seed in seeds:
            with self.subTest(seed=seed):
                steps, cuts, is_finished = self.check_scene(seed)
                if is_finished:
                    n_steps += steps
                    n_cuts += cuts
                    n_finished += 1
        self.assertLess(n_cuts, (0.02 if LONG else 0.01) * n_steps)
        self.assertGreaterEqual(n_finished, (0.97 if LONG else 1) *
                                len(seeds))


if __name__ == "__main__":
    main()
