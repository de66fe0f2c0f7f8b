# SPDX-License-Identifier: LGPL-2.1-or-later
"""Rigid bodies with the response "energy-momentum", against each other and
against bodies that deform: energy changes by friction and supports alone, and
momenta by nothing."""

import math
import os

from energy_momentum_contact import square
from rigid_implicit import box, changes
from ricochet_run import SOURCE, RunTest, main, parameters

EXAMPLE = os.path.join(SOURCE, "prm", "rigid", "rigid-flexible.prm")


class RigidFlexible(RunTest):

    def run_scene(self, bodies, end, contact=None, step=0.01, settings=(),
                  ranks=1, expect=0, **entries):
        text = parameters({
            "Dimension": 2, "End time": end, "Bodies": bodies,
            "Time stepping": {"Integrator": "energy-momentum",
                              "Time step": step},
            "Contact": {"Response": "energy-momentum",
                        "Friction coefficient": 0.3, **(contact or {})},
            **entries})
        return self.run_file(self.write("scene.prm", text), settings,
                             ranks=ranks, expect=expect)

    def assert_energy(self, result, bound=1e-11):
        """Losses and what supports, obstacles and body forces do close the
        balance, and nobody else does any work."""
        rows = result.table()
        self.assertGreater(sum(row["node_face"] for row in rows), 0)
        energies = [row["kinetic_energy"] + row["internal_energy"] +
                    row["dissipated_energy"] - row["external_work"]
                    for row in rows]
        largest = max(row["kinetic_energy"] for row in rows)
        for energy in energies:
            self.assertLessEqual(abs(energy - energies[0]), bound * largest)
        self.assertLessEqual(max(row["l_error"] for row in rows), bound)
        # Newton's method gets along without all of the derivatives.
        self.assertLessEqual(max(row["newton"] for row in rows), 25)

    def assert_conserved(self, result):
        self.assert_energy(result)
        self.assertLessEqual(changes(result, ["px", "py", "pz"]), 1e-12)
        self.assertLessEqual(changes(result, ["lx", "ly", "lz"]), 1e-12)

    def bodies(self, spin=2):
        return {"soft": square((0, 0), (2, 0.1)),
                "rigid": box((1, 1), (1.1, 0.25), (-1, 0), spin=spin)}

    def test_example(self):
        result = self.run_file(EXAMPLE, ["End time=0.2"])
        self.assert_conserved(result)
        self.assertGreater(result.table()[-1]["friction"], 0.01)

    def test_both_roles(self):
        for table in ("soft:rigid", "rigid:soft", "symmetric"):
            with self.subTest(table):
                self.assert_conserved(self.run_scene(self.bodies(), 0.5, {
                    "energy-momentum": {"Master-slave": table}}))

    def test_large_turns(self):
        """A third of a radian in a step."""
        self.assert_conserved(
            self.run_scene(self.bodies(spin=-4), 1, step=0.08))

    def test_ranks(self):
        ends = []
        for ranks in (1, 3):
            result = self.run_scene(self.bodies(), 0.5, ranks=ranks)
            self.assert_conserved(result)
            ends.append(result.table("bodies.csv")[-1])
        for key in ("cx", "cy", "vx", "vy", "lz"):
            self.assertAlmostEqual(ends[0][key], ends[1][key], delta=1e-9)

    def test_consistent_mass(self):
        self.assert_conserved(self.run_scene(
            self.bodies(), 0.5, settings=["Mass/Matrix=consistent"]))

    def test_iterative_solver(self):
        self.assert_conserved(self.run_scene(
            self.bodies(), 0.3,
            settings=["Time stepping/Equations/Linear solver=GMRES"]))

    def test_equal_rigid_bodies_exchange_their_velocities(self):
        for mass in (1, 3):
            bodies = {"left": box((1, 1), (0, 0), (2, 0)),
                      "right": box((1, 0.9), (1.103, 0), (0, 0), **{
                          "Rigid body": {"Mass": mass, "Inertia": 1}})}
            result = self.run_scene(bodies, 0.5,
                                    {"Friction coefficient": 0})
            self.assert_conserved(result)
            left, right = result.table("bodies.csv")[-2:]
            self.assertAlmostEqual(left["vx"], 2 * (1 - mass) / (1 + mass),
                                   delta=1e-10)
            self.assertAlmostEqual(right["vx"], 4 / (1 + mass), delta=1e-10)

    def test_a_tool_whose_motion_is_given(self):
        """It pushes a body and turns; what it takes is the work of supports."""
        tool = box((1, 1), (1.05, 0.25), (0, 0), **{"Rigid body": {
            "Held": "x, y, rotation", "Held velocity": "-1; 0.2*t",
            "Held angular velocity": "0.5"}})
        result = self.run_scene(
            {"soft": square((0, 0), (0, 0.1)), "tool": tool}, 0.6)
        self.assert_energy(result)
        self.assertGreater(abs(result.table()[-1]["external_work"]), 0.5)
        # Components that are not held are free.
        tool = box((1, 1), (1.05, 0.25), (0, 0), **{"Rigid body": {
            "Held": "y", "Held velocity": "0; 0.3"}})
        self.assert_energy(self.run_scene(
            {"soft": square((0, 0), (1, 0.1)), "tool": tool}, 0.6))

    def test_a_floor_and_gravity(self):
        bodies = {"soft": square((0, 1.55), (0, 0)),
                  "rigid": box((1.2, 1), (0.1, 0.52), (0, 0))}
        for body in bodies.values():
            body["Body force"] = "0; -10"
        result = self.run_scene(bodies, 0.6, Obstacles={"floor": {
            "Type": "half-space", "half-space": {"Normal": "0, 1"}}})
        self.assert_energy(result, 1e-11)
        for row in result.table("bodies.csv"):
            self.assertGreater(row["cy"], 0.45)

    def test_what_does_not_go_together(self):
        for words, settings in (
                ("not made for rigid bodies",
                 ["Time stepping/Integrator=implicit Newmark"]),
                ("Initial equilibrium", [
                    "Time stepping/Initial equilibrium=true"])):
            with self.subTest(words):
                result = self.run_scene(self.bodies(), 0.1, settings=settings,
                                        expect=1)
                self.assertIn(words, result.err)


if __name__ == "__main__":
    main()
