# SPDX-License-Identifier: LGPL-2.1-or-later
"""Rigid bodies in implicit steps, in whole runs: energy and both momenta change
by supports, body forces and obstacles alone. The examples of Puso and Zywicz
(1998), and others."""

import math
import os

from ricochet_run import SOURCE, RunTest, main, parameters, vector


def example(name):
    return os.path.join(SOURCE, "prm", "rigid", name + ".prm")


def box(size, centre, velocity, spin=0, **entries):
    """In two dimensions, about the origin of its own coordinates."""
    return {"Rigid": "true",
            "Rigid body": {"Surface": "box", "box": {
                "Lower corner": vector([-x / 2 for x in size]),
                "Upper corner": vector([x / 2 for x in size])},
                **entries.pop("Rigid body", {})},
            "Mesh": {"Translation": vector(centre)},
            "Initial velocity": vector(velocity, "; "), "Spin": spin,
            "Material": {"Density": 1}, **entries}


def changes(result, columns):
    """The largest change of a vector from its first value."""
    rows = result.table()
    return max(math.dist([row[c] for c in columns],
                         [rows[0][c] for c in columns]) for row in rows)


class RigidImplicit(RunTest):

    def run_scene(self, bodies, end, contact=None, step=0.01, settings=(),
                  ranks=1, output=None, options=(), **entries):
        text = parameters({
            "Dimension": 2, "End time": end, "Bodies": bodies,
            "Time stepping": {"Integrator": "energy-momentum",
                              "Time step": step},
            "Contact": {"Response": "rigid", **(contact or {})}, **entries})
        return self.run_file(self.write("scene.prm", text), settings,
                             ranks=ranks, output=output, options=options)

    def assert_total_energy(self, result, bound):
        rows = result.table()
        for row in rows:
            self.assertLessEqual(
                abs(row["total_energy"] / rows[0]["total_energy"] - 1), bound)

    def test_ball_in_shell(self):
        result = self.run_file(example("ball-in-shell"))
        rows = result.table()
        self.assert_total_energy(result, 4e-13)
        self.assertLessEqual(changes(result, ["lx"]), 2e-14 * 0.548)
        self.assertAlmostEqual(rows[0]["lx"], -0.548, delta=1e-15)
        dip = max(1 - row["kinetic_energy"] / 0.137 for row in rows)
        self.assertAlmostEqual(dip, 9.140e-7, delta=5e-11)
        ends = {row["body"]: row for row in result.table("bodies.csv")}
        for body, place in (("ball", (0, 8.240674, 6.001689)),
                            ("shell", (0, 0.648796, 8.524276))):
            end = [ends[body][c] for c in ("cx", "cy", "cz")]
            self.assertLessEqual(math.dist(end, place), 1e-6)

    def test_rod_in_cube(self):
        result = self.run_file(example("rod-in-cube"), ["End time=0.4"])
        rows = result.table()
        self.assertAlmostEqual(rows[0]["kinetic_energy"], 9.235333e-3,
                               delta=1e-9)
        for row in rows:
            self.assertLessEqual(
                abs(row["kinetic_energy"] / rows[0]["kinetic_energy"] - 1),
                1e-12)
        self.assertLessEqual(changes(result, ["px", "py", "pz"]),
                             1e-15 * 7e-6 * 50)
        self.assertLessEqual(changes(result, ["lx", "ly", "lz"]),
                             1e-11 * 2.356667e-5)
        impacts = [row["time"] for row in rows if row["node_face"] > 0]
        first = (0.01095, 0.27353, 0.29448, 0.32036, 0.34657, 0.37224)
        for time, expected in zip(impacts, first, strict=True):
            self.assertAlmostEqual(time, expected, delta=1.01e-5)
        # No penetration.
        for row in rows:
            self.assertFalse(row["min_gap"] < 0)

    def boxes(self):
        """Three in a row, none of them aligned."""
        return {"left": box((1, 1), (0, 0), (2, 0.1), spin=0.4),
                "middle": box((0.8, 1.2), (1.2, 0.15), (0, 0), spin=-0.3),
                "right": box((1, 0.7), (2.5, -0.1), (-1, 0))}

    def assert_conserved(self, result, bound=1e-12):
        self.assertGreater(
            sum(row["node_face"] for row in result.table()), 0)
        self.assert_total_energy(result, bound)
        self.assertLessEqual(changes(result, ["px", "py"]), bound)
        self.assertLessEqual(changes(result, ["lz"]), bound)

    def test_boxes_with_multipliers(self):
        result = self.run_scene(self.boxes(), 2)
        self.assert_conserved(result)
        rows = result.table()
        for row in rows:
            self.assertLessEqual(
                abs(row["kinetic_energy"] / rows[0]["kinetic_energy"] - 1),
                1e-12)

    def test_boxes_with_a_penalty(self):
        result = self.run_scene(self.boxes(), 2, self.METHODS[1])
        self.assert_conserved(result)
        self.assertGreater(max(-row["contact_work"]
                               for row in result.table()), 1e-3)

    METHODS = ({}, {"rigid": {"Method": "penalty", "Stiffness": 1e3}})

    def test_forces_are_what_changes_the_motion(self):
        """Momentum, and angular momentum about the centre, of each body in each
        step, by the table of forces."""
        for contact in self.METHODS:
            with self.subTest(contact):
                result = self.run_scene(self.boxes(), 2, contact)
                forces = result.table("contact_forces.csv")
                self.assertGreater(len(forces), 0)
                received = {}
                for row in forces:
                    self.assertGreater(row["normal"], 0)
                    sums = received.setdefault((row["body"], row["step"]),
                                               [0] * 3)
                    for i, key in enumerate(("fx", "fy", "mz")):
                        sums[i] += row[key]
                rows = result.table("bodies.csv")
                for before, after in zip(rows, rows[len(self.boxes()):]):
                    self.assertEqual(before["body"], after["body"])
                    force = received.pop((after["body"], after["step"]),
                                         [0] * 3)
                    for f, change in zip(force, (
                            after["mass"] * (after["vx"] - before["vx"]),
                            after["mass"] * (after["vy"] - before["vy"]),
                            after["lz"] - before["lz"])):
                        self.assertAlmostEqual(0.01 * f, change, delta=1e-12)
                self.assertEqual(received, {})

    def test_restart_in_contact(self):
        """While bodies overlap or go apart again; to the last bit."""
        for contact in self.METHODS:
            straight = self.run_scene(self.boxes(), 2, contact)
            touching = [row["time"] for row in straight.table()
                        if row["node_face"] > 0]
            for time in touching[0], touching[len(touching) // 2]:
                with self.subTest(contact, time=time):
                    halved = self.run_scene(self.boxes(), "%.17g" % time,
                                            contact)
                    resumed = self.run_scene(
                        self.boxes(), 2, contact, output=halved.directory,
                        options=["--restart"])
                    for name in "bodies.csv", "contact_forces.csv":
                        self.assertEqual(straight.table(name),
                                         resumed.table(name))
                    for one, other in zip(straight.table(), resumed.table(),
                                          strict=True):
                        del one["wall_time"], other["wall_time"]
                        self.assertEqual(str(one), str(other)) # with nan

    def test_ranks_give_the_same(self):
        """To the last digit."""
        tables = []
        for ranks in (1, 3):
            result = self.run_scene(self.boxes(), 1, ranks=ranks)
            tables.append([{c: row[c] for c in row if c not in
                            ("wall_time", "l_error")}
                           for row in result.table("bodies.csv")])
        self.assertEqual(*tables)

    def test_a_fall_on_a_floor(self):
        """Gravity does work, the floor takes momentum but no energy, and the
        box comes up as high as it was."""
        bodies = {"box": box((1, 1), (0, 1), (0.1, 0), **{
            "Body force": "0; -10"})}
        for contact in ({}, {"rigid": {"Method": "penalty",
                                       "Stiffness": 1e5}}):
            result = self.run_scene(
                bodies, 0.64, contact, step=1e-3,
                Obstacles={"floor": {
                    "Type": "half-space",
                    "half-space": {"Normal": "0, 1"}}})
            # Of the energy at the start, a thousandth of that of the fall.
            self.assert_total_energy(result, 1e-10)
            heights = [row["cy"] for row in result.table("bodies.csv")]
            time = math.sqrt(2 * 0.5 / 10)
            self.assertAlmostEqual(min(heights), 0.5, delta=0.02)
            end = result.table("bodies.csv")[-1]
            # Up to what a step and the overlap are.
            self.assertAlmostEqual(
                end["cy"], 1 - 5 * (0.64 - 2 * time) ** 2, delta=0.03)
            self.assertLessEqual(max(row["l_error"]
                                     for row in result.table()), 1e-12)

    def test_a_box_between_held_ones(self):
        """Held bodies do work on it."""
        bodies = {"box": box((1, 1), (0, 0), (3, 0)),
                  "wall": box((1, 3), (2, 0), (0, 0), **{"Rigid body": {
                      "Held": "x, y, rotation", "Held velocity": "-1; 0"}})}
        result = self.run_scene(bodies, 0.5)
        row = result.table()[-1]
        self.assertAlmostEqual(result.table("bodies.csv")[-2]["vx"], -5,
                               delta=1e-12)
        self.assert_total_energy(result, 1e-12)
        self.assertAlmostEqual(row["external_work"], 0.5 * (25 - 9),
                               delta=1e-12)

    def test_bad_input(self):
        soft = {"Mesh": {
            "Grid generator": "hyper_cube",
            "Grid generator arguments": "4 : 5 : true"},
                "Material": {"Density": 1, "Young's modulus": 1,
                             "Poisson's ratio": 0}}
        for words, contact, bodies in (
                ("friction", {"Friction coefficient": 0.3}, {}),
                ("Stiffness", {"rigid": {"Method": "penalty"}}, {}),
                ("radius", {"rigid": {"Spheres": "left"}}, {}),
                ("deforms", {}, {"soft": soft})):
            with self.subTest(words):
                text = parameters({
                    "Dimension": 2, "End time": 1,
                    "Bodies": {**self.boxes(), **bodies},
                    "Time stepping": {"Integrator": "energy-momentum",
                                      "Time step": 0.01},
                    "Contact": {"Response": "rigid", **contact}})
                result = self.run_file(self.write("bad.prm", text), expect=1)
                self.assertIn(words, result.err)


if __name__ == "__main__":
    main()
