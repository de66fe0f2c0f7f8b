# SPDX-License-Identifier: LGPL-2.1-or-later
"""Rigid bodies at rest on each other stay where they are."""

import math

from ricochet_run import RunTest, main, parameters

GRAVITY = 9.81


def block(lower, upper, density=1000, repeat=None, force=None):
    dim = len(lower)
    weight = force or [0] * (dim - 1) + [-GRAVITY]
    text = ", ".join
    result = {
        "Rigid": "true", "Body force": "; ".join(map(str, weight)),
        "Rigid body": {"Surface": "box", "box": {
            "Lower corner": text(map(str, lower)),
            "Upper corner": text(map(str, upper))}},
        "Material": {"Density": str(density)}}
    if repeat:
        result["Repeat"] = text(str(n) for n, _ in repeat)
        result["Repeat spacing"] = text(str(way) for _, way in repeat)
    return result


def floor(dim):
    normal = ", ".join(["0"] * (dim - 1) + ["1"])
    return {"floor": {"Type": "half-space", "half-space": {"Normal": normal}}}


def tower(n, spacing=1., force=None, density=1000):
    return block([-.5, -.5, 0], [.5, .5, 1], density,
                 [(1, 1), (1, 1), (n, spacing)], force)


class RigidStack(RunTest):

    def run_at_rest(self, bodies, n_steps, step=1e-3, contact=None, **more):
        """Run, and look at what must be so whatever lies on what."""
        dim = more.get("dim", 3)
        model = {
            "Dimension": str(dim), "End time": str(n_steps * step),
            "Time stepping": {"Time step": str(step)}, "Bodies": bodies,
            "Obstacles": floor(dim),
            "Contact": {"Restitution": "0", "Friction coefficient": "0.3",
                        **(contact or {})},
            "Output": {"Steps between history rows": str(n_steps // 20)}}
        result = self.run_file(self.write("run.prm", parameters(model)))
        self.assertEqual(sum(result.column("cuts")), 0)
        self.assertEqual(sum(result.column("rigid")), 0)
        for row in result.table("contact_forces.csv"):
            self.assertLessEqual(row["tangential"], 0.3 * row["normal"] *
                                 (1 + 1e-9))
        return result

    def places(self, result, time):
        rows = result.table("bodies.csv")
        first = next(row["time"] for row in rows if row["time"] >= time)
        return {row["body"]: [row["c" + axis] for axis in "xyz"]
                + [row["r" + axis] for axis in "xyz"]
                for row in rows if row["time"] == first}

    def drift(self, result, begin):
        """The largest change of a coordinate or an angle from there to the
        end."""
        end = result.column("time")[-1]
        old, new = self.places(result, begin), self.places(result, end)
        return max(abs(b - a) for body in old
                   for a, b in zip(old[body], new[body]))

    def weight_on_floor(self, result, mass):
        last = result.column("step")[-1]
        taken = sum(row["fz"] for row in result.table("contact_forces.csv")
                    if row["body"] == "floor" and row["step"] == last)
        self.assertLess(abs(taken / (-mass * GRAVITY) - 1), 1e-6)

    def test_ten_boxes(self):
        result = self.run_at_rest({"box": tower(10)}, 10000)
        self.assertLess(self.drift(result, 0), 1e-6)
        self.assertLess(self.drift(result, 1.), 1e-8)
        self.weight_on_floor(result, 10 * 1000)
        # Each step is settled by one pass, which the next detection accepts.
        self.assertLess(max(result.column("passes")[2:]), 2)

    def test_steps(self):
        """Whatever the step, and with a law of restitution: nothing bounces."""
        for step, e in (1e-4, 0), (1e-2, 0), (1e-3, 0.5):
            with self.subTest(step=step, e=e):
                result = self.run_at_rest({"box": tower(10)}, 300, step,
                                          {"Restitution": str(e)})
                # Bodies lie as high as acceleration moves them in a step.
                self.assertLess(self.drift(result, 0),
                                max(1e-8, GRAVITY * step**2))
                self.assertLess(self.drift(result, 30 * step), 1e-8)

    def test_barycentric(self):
        result = self.run_at_rest({"box": tower(5)}, 300,
                                  contact={"Response": "barycentric"})
        self.assertLess(self.drift(result, 0), 1e-6)

    def test_masses(self):
        """A body a hundred times as heavy on light ones, and the reverse."""
        for below, above in (1e3, 1e5), (1e5, 1e3):
            with self.subTest(below=below, above=above):
                top = block([-.5, -.5, 4], [.5, .5, 5], above)
                result = self.run_at_rest(
                    {"boxes": tower(4, density=below), "top": top}, 300)
                self.assertLess(self.drift(result, 0), 1e-6)

    def test_slope(self):
        """Bodies stick on a slope less steep than friction, and slide on a
        steeper one with what is left."""
        for degrees in 5, 10:
            with self.subTest(degrees=degrees):
                angle = math.radians(degrees)
                pull = [GRAVITY * math.sin(angle), 0,
                        -GRAVITY * math.cos(angle)]
                result = self.run_at_rest({"box": tower(2, force=pull)}, 300)
                self.assertLess(self.drift(result, 0), 1e-6)
        angle = math.radians(30)
        pull = [GRAVITY * math.sin(angle), 0, -GRAVITY * math.cos(angle)]
        slab = block([-1, -1, 0], [1, 1, .2], force=pull)
        end = 0.3
        result = self.run_at_rest({"box": slab}, 300)
        held = 0.3 * math.cos(angle) * GRAVITY
        way = (math.sin(angle) * GRAVITY - held) * end**2 / 2
        # Contact answers half a step of gravity in the next step only.
        late = held * end * 1e-3 / 2
        self.assertLess(abs(self.drift(result, 0) - way - late), 1e-3 * way)

    def test_wall(self):
        """Bricks with their joints over the middle of those below, flush on
        all sides; the highest ones at the ends are held by those on them."""
        layers = {
            "even": block([0, 0, 0], [1, .5, .5],
                          repeat=[(4, 1.001), (1, 1), (3, 1)]),
            "odd": block([.5, 0, .5], [1.5, .5, 1],
                         repeat=[(3, 1.001), (1, 1), (3, 1)])}
        result = self.run_at_rest(layers, 500)
        self.assertLess(self.drift(result, 0), 1e-6)

    def test_flush_neighbors(self):
        """Columns that touch each other with their sides."""
        result = self.run_at_rest(
            {"box": block([0, 0, 0], [1, 1, 1],
                          repeat=[(3, 1), (2, 1), (3, 1)])}, 300)
        self.assertLess(self.drift(result, 0), 1e-6)

    def test_fall(self):
        """A stack with gaps closes and comes to rest."""
        for e in 0, 0.3:
            with self.subTest(e=e):
                result = self.run_at_rest({"box": tower(5, 1.01)}, 1000,
                                          contact={"Restitution": str(e)})
                heights = [row[2] for row in
                           self.places(result, 1.).values()]
                for k, height in enumerate(sorted(heights)):
                    self.assertLess(abs(height - (k + 0.5)), 1e-5)
                self.assertLess(self.drift(result, 0.7), 1e-8)

    def test_plane(self):
        result = self.run_at_rest(
            {"box": block([-.5, 0], [.5, 1], repeat=[(1, 1), (10, 1)])},
            1000, dim=2)
        self.assertLess(self.drift(result, 0), 1e-6)

    def test_restart(self):
        """What rests is known to a restart: the same bits."""
        model = {
            "Dimension": "3", "End time": "0.02",
            "Time stepping": {"Time step": "1e-3"},
            "Bodies": {"box": tower(5)}, "Obstacles": floor(3),
            "Contact": {"Restitution": "0", "Friction coefficient": "0.3"}}
        file = self.write("run.prm", parameters(model))
        whole = self.run_file(file)
        half = self.run_file(file, ["End time=0.01"])
        again = self.run_file(file, output=half.directory, ranks=2,
                              options=["--restart"])
        self.assertEqual(whole.table("bodies.csv"), again.table("bodies.csv"))


if __name__ == "__main__":
    main()
