# SPDX-License-Identifier: LGPL-2.1-or-later
"""Impacts of rigid bodies, next to the laws of their mechanics."""

import math
import os

from ricochet_run import SOURCE, RunTest, main, parameters

GRAVITY = 9.81


def ball(radius=0.1, centre="0, 0, 0", velocity="0; 0; 0", force="0; 0; 0"):
    return {"Rigid": "true", "Initial velocity": velocity,
            "Body force": force,
            "Rigid body": {"Surface": "sphere", "Mass": "1",
                           "sphere": {"Radius": str(radius),
                                      "Centre": centre}}}


def model(bodies, step, end, contact, obstacles=None):
    return {"Dimension": "3", "End time": str(end),
            "Time stepping": {"Time step": str(step)}, "Bodies": bodies,
            "Obstacles": obstacles or {}, "Contact": contact}


FLOOR = {"floor": {"Type": "half-space"}}

BOX = {"Lower corner": "-0.43, -0.37, -0.3", "Upper corner": "0.53, 0.41, 0"}


def box_floor(density="1", **entries):
    return {"floor": {"Rigid": "true", "Material": {"Density": density},
                      "Rigid body": {"Surface": "box", "box": BOX,
                                     **entries}}}


# Bodies and obstacles.
FLOORS = {
    "plane": ({}, FLOOR),
    "box": ({}, {"floor": {"Type": "box", "box": BOX}}),
    "held box": (box_floor(Held="x, y, z, rotation"), {}),
    "heavy box": (box_floor(density="1e9"), {}),
    "held mesh": ({"floor": {
        "Mesh": {"Grid generator": "subdivided_hyper_rectangle",
                 "Grid generator arguments":
                     "5, 4, 2 : -0.43, -0.37, -0.3 : 0.53, 0.41, 0 : true"},
        "Material": {"Density": "1000", "Young's modulus": "1e6",
                     "Poisson's ratio": "0.3"},
        "Prescribed motion": {"held": {
            "Boundary ids": "0, 1, 2, 3, 4, 5"}}}}, {})}


class Rigid(RunTest):

    def run_model(self, *arguments, **others):
        return self.run_file(
            self.write("run.prm", parameters(model(*arguments, **others))))

    def body(self, result, name):
        return [row for row in result.table("bodies.csv")
                if row["body"] == name]

    def test_rebound(self):
        """A ball that falls from 2 m comes up to e^2 of that, whatever the
        step."""
        time = math.sqrt(2 * 2 / GRAVITY)
        for response in "dcr", "barycentric":
            for e in 0, 0.3, 0.5, 0.8, 0.95, 1:
                for step in 1e-3, 1e-4:
                    with self.subTest(response=response, e=e, step=step):
                        result = self.run_model(
                            {"ball": ball(centre="0, 0, 2.1",
                                          force=f"0; 0; {-GRAVITY}")},
                            step, time * (1 + 2 * e) + 0.01,
                            {"Response": response, "Restitution": str(e)},
                            FLOOR)
                        rows = self.body(result, "ball")
                        impact = next(
                            k for k in range(1, len(rows))
                            if rows[k]["vz"] > rows[k - 1]["vz"] + 0.1)
                        height = max(row["cz"] - 0.1 for row in rows[impact:])
                        self.assertLess(abs(height / 2 - e**2), 1e-4)

    def test_row(self):
        """Of equal balls in a row the first goes on with none of its speed or
        half of it, and the last leaves with what there is to pass on."""
        for e in 0, 0.5, 1:
            for n in 2, 3:
                with self.subTest(e=e, n=n):
                    bodies = {f"ball {k}": ball(
                        centre=f"{0.201 * k}, 0, 0",
                        velocity=f"{1 if k == 0 else 0}; 0; 0")
                        for k in range(n)}
                    result = self.run_model(bodies, 1e-3, 0.01, {
                        "Restitution": str(e)})
                    speeds = [self.body(result, f"ball {k}")[-1]["vx"]
                              for k in range(n)]
                    # After the first impact, and the next one of three.
                    expected = [(1 - e) / 2, (1 + e) / 2]
                    if n == 3:
                        expected = [expected[0], (1 - e) / 2 * expected[1],
                                    (1 + e) / 2 * expected[1]]
                    if n == 2 or e == 1:
                        for speed, wanted in zip(speeds, expected):
                            self.assertLess(abs(speed - wanted), 1e-12)
                    self.assertLess(abs(sum(speeds) - 1), 1e-12)

    def test_cradle(self):
        """The last ball of Newton's cradle leaves with the speed of the
        first."""
        result = self.run_file(
            os.path.join(SOURCE, "prm", "rigid", "newton-cradle.prm"))
        speeds = sorted(abs(row["vx"])
                        for row in result.table("bodies.csv")[-5:])
        self.assertLess(abs(speeds[-1] - 1), 1e-10)
        self.assertLess(speeds[-2], 1e-10)

    def test_oblique(self):
        """Balls that hit a floor of any kind at a slant roll on if friction
        can do that, else slide on with what Coulomb's law leaves."""
        for floor, (bodies, obstacles) in FLOORS.items():
            for response in "dcr", "barycentric":
                for e in 0., 0.5:
                    with self.subTest(floor=floor, response=response, e=e):
                        # Fast and slow, after some four steps each.
                        balls = {down: ball(
                            centre=f"{x}, 0.01, {0.1 + 4.1e-4 * down}",
                            velocity=f"2; 0; {-down}")
                            for down, x in ((3., -0.2), (0.5, 0.2))}
                        result = self.run_model(
                            {**{f"ball {down}": ball
                                for down, ball in balls.items()}, **bodies},
                            1e-4, 1e-3,
                            {"Response": response, "Restitution": str(e),
                             "Friction coefficient": "0.3"}, obstacles)
                        for down in balls:
                            self.check_oblique(
                                self.body(result, f"ball {down}")[-1], down, e,
                                # It goes out of the way a little; and arms
                                # are shorter by 1e-9.
                                1e-7 if floor == "heavy box" else 2e-9)

    def check_oblique(self, after, down, e, bound):
        slowed = min(0.3 * (1 + e) * down, 2 * 2 / 7)
        self.assertLess(abs(after["vx"] - (2 - slowed)), bound)
        self.assertLess(abs(after["vy"]), bound)
        self.assertLess(abs(after["vz"] - e * down), bound)
        self.assertLess(abs(after["wy"] / (slowed / 0.04) - 1), bound)


main()
