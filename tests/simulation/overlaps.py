# SPDX-License-Identifier: LGPL-2.1-or-later
"""Bodies that overlap or touch at the start: found, refused, ignored until
they have come apart, or moved apart; and left alone when they only touch."""

import os

from ricochet_run import RunTest, main, numbers, parameters, vector


def body(mesh, at, velocity=None, density=1000):
    velocity = velocity or [0] * len(at)
    return {"Mesh": dict(mesh, Translation=vector(at)),
            "Initial velocity": vector(velocity, "; "),
            "Material": {"Density": density, "Young's modulus": 1e4,
                         "Poisson's ratio": 0.3}}


def cube(at, velocity=None, n=2, density=1000, **mesh):
    return body(dict(mesh, **{
        "Grid generator": "subdivided_hyper_cube",
        "Grid generator arguments": "%d : 0 : 1 : false" % n}),
        at, velocity, density)


def ball(at, velocity=None, radius=1, **mesh):
    return body(dict({
        "Grid generator": "hyper_ball",
        "Grid generator arguments": "%s : %g : false" % (
            vector([0] * len(at)), radius), "Refinements": 1}, **mesh),
        at, velocity)


class Overlaps(RunTest):

    def scene(self, bodies, dim=3, policy="refuse", end=0.01, step=0.001):
        return self.write("scene.prm", parameters({
            "Dimension": dim, "End time": end,
            "Time stepping": {"Time step": step},
            "Contact": {"Starting overlaps": policy},
            "Output": {"Check intersections": "true"}, "Bodies": bodies}))

    def intersections(self, result):
        line = next(line for line in result.out.split("\n")
                    if "intersecting facet pairs" in line)
        return float(line.split()[-1])

    def assert_same_motion(self, one, other):
        for name in ("positions 0", "velocities 0"):
            self.assertEqual(one.state()[name], other.state()[name], name)

    # Refused.

    def check_refused(self, at, ranks=1, options=()):
        dim = len(at)
        result = self.run_file(
            self.scene({"left": cube([0] * dim), "right": cube(at),
                        "far": cube([5] * dim)}, dim=dim),
            ranks=ranks, options=options, expect=1)
        self.assertEqual(result.err.count("Error: "), 1)
        for word in ("'left' and 'right'", "by up to 0.1 at (",
                     "'Contact/Starting overlaps'"):
            self.assertIn(word, result.err)
        self.assertNotIn("far", result.err)
        return result

    def test_overlaps_are_refused(self):
        for at, ranks in (((0.9, 0.13), 1), ((0.9, 0), 1),
                          ((0.9, 0.13, 0.2), 1), ((0.9, 0, 0), 2)):
            with self.subTest(at=at, ranks=ranks):
                result = self.check_refused(at, ranks)
                rows = result.table("overlaps.csv")
                self.assertIn(" %d places" % len(rows), result.err)
                self.assertAlmostEqual(max(row["depth"] for row in rows), 0.1,
                                       delta=1e-12)
                for row in rows:
                    self.assertEqual((row["body_a"], row["body_b"]),
                                     ("left", "right"))
                    self.assertTrue(0.9 - 1e-12 < row["x"] < 1 + 1e-12)

    def test_validation_refuses_overlaps(self):
        self.check_refused((0.9, 0.13), options=["--validate"])

    def test_validation_counts_overlaps(self):
        for x, n in ((0.9, 1), (1, 0)):
            result = self.run_file(
                self.scene({"left": cube((0, 0)), "right": cube((x, 0.1))},
                           dim=2, policy="ignore"), options=["--validate"])
            self.assertIn("overlapping pairs of bodies %d\n" % n, result.out)

    def test_policies_are_checked(self):
        for policy, words in (
                ("forget", ["'forget'", "'refuse'"]),
                ("left:right ignore, refuse", ["'refuse'"]),
                ("refuse, left:wall ignore", ["'wall'", "left, right"]),
                ("refuse, left ignore", ["'left'", "pair"]),
                ("refuse, left:right", ["'left:right'", "'project'"])):
            result = self.run_file(
                self.scene({"left": cube((0, 0)), "right": cube((2, 0))},
                           dim=2, policy=policy), expect=1)
            for word in words + ["Contact/Starting overlaps"]:
                self.assertIn(word, result.err)

    def test_pairs_that_may_not_touch_do_not_overlap(self):
        file = self.scene({"a": cube((0, 0)), "b": cube((0.9, 0.1)),
                           "c": cube((3, 0))}, dim=2)
        self.run_file(file, ["Contact/Pairs=a:c, b:c"])

    # Ignored.

    def ignored_scene(self, end=0.5):
        # The first two come apart without seeing each other; the right one
        # then hits the third.
        return self.scene(
            {"left": cube((0, 0, 0), (-1, 0, 0)),
             "right": cube((0.8, 0.05, 0.1), (1, 0, 0)),
             "third": cube((2.1, 0.02, 0.07))},
            policy="refuse, left:right ignore", end=end, step=0.002)

    def test_ignored_bodies_pass_until_they_are_apart(self):
        result = self.run_file(self.ignored_scene())
        self.assertIn("'left' and 'right'", result.out)
        self.assertTrue(os.path.exists(result.path("overlaps.csv")))
        rows = result.table()
        # The gap to the third is 0.3.
        free = [row for row in rows if row["time"] < 0.298]
        self.assertEqual(sum(row["passes"] for row in free), 0)
        for row in free:
            self.assertAlmostEqual(row["kinetic_energy"], 1000, delta=1e-9)
        self.assertGreater(sum(row["passes"] for row in rows), 0)
        self.assert_momentum(result)
        last = {row["body"]: row for row in result.table("bodies.csv")}
        self.assertAlmostEqual(last["left"]["vx"], -1, delta=1e-12)
        self.assertGreater(last["third"]["vx"], 0.4)

        # On ranks, and after restarts before and after they are apart.
        self.assert_same_motion(result, self.run_file(self.ignored_scene(),
                                                      ranks=2))
        for end in (0.05, 0.2):
            with self.subTest(end=end):
                half = self.run_file(self.ignored_scene(end=end))
                ignored = half.state()["run: ignored overlaps"]
                self.assertEqual(len(ignored) > 0, end == 0.05)
                again = self.run_file(self.ignored_scene(),
                                      output=half.directory,
                                      options=["--restart"])
                self.assert_same_motion(result, again)

    def test_apart_once_they_are_in_contact(self):
        # Apart at 0.1, and then thrown back by a heavy wall.
        bodies = {"wall": cube((0, 0), n=1, density=1e6),
                  "ball": cube((1.5, 0.03), (-1, 0)),
                  "other": cube((2.4, 0.07))}
        result = self.run_file(
            self.scene(bodies, dim=2, end=3, step=0,
                       policy="refuse, ball:other ignore"))
        rows = result.table("bodies.csv")
        gaps = {}
        for row in rows:
            gaps.setdefault(row["step"], {})[row["body"]] = row["cx"]
        apart = False
        for step in sorted(gaps):
            gap = gaps[step]["other"] - gaps[step]["ball"]
            apart = apart or gap > 1.05
            if apart:
                self.assertGreater(gap, 0.8)
        self.assertTrue(apart)
        last = [row for row in rows if row["body"] == "other"][-1]
        self.assertGreater(last["vx"], 0.1)
        self.assert_momentum(result)

    # Moved apart.

    def check_projection(self, bodies, dim=3, n=10):
        project = self.scene(bodies, dim, policy="project", end=1e-3 * n)
        result = self.run_file(project)
        self.assertEqual(self.intersections(result), 0)
        self.assert_momentum(result)
        if dim == 3:
            on_ranks = self.run_file(project, ranks=2)
            self.assert_same_motion(result, on_ranks)
        # No velocity has changed, and the centre of mass has stayed.
        free = self.run_file(self.scene(bodies, dim, policy="ignore",
                                        end=1e-3))
        for axis in ("cx", "cy", "cz"):
            centres = []
            for run in (result, free):
                rows = [row for row in run.table("bodies.csv")
                        if row["step"] == 0]
                centres.append(sum(row["mass"] * row[axis] for row in rows)
                               / sum(row["mass"] for row in rows))
            self.assertAlmostEqual(centres[0], centres[1], delta=1e-13)
        start, free_start = result.table()[0], free.table()[0]
        for key in ("kinetic_energy", "px", "py", "pz"):
            self.assertEqual(start[key], free_start[key])
        self.assertGreater(start["internal_energy"], 0)
        self.assertEqual(free_start["internal_energy"], 0)

    def test_projected_cubes(self):
        for dim in (2, 3):
            with self.subTest(dim=dim):
                far = [5] * dim
                self.check_projection(
                    {"left": cube([0] * dim, [0.2, -0.1, 0.3][:dim]),
                     "right": cube([0.9] + [0.1] * (dim - 1)),
                     "aligned left": cube(far),
                     "aligned right": cube([5.9] + far[1:])}, dim)

    def test_projected_bodies_with_hanging_nodes(self):
        self.check_projection(
            {"left": cube((0, 0, 0), (0.2, -0.1, 0.3),
                          **{"Local refinement": "(y+0.3*z<0.6)"}),
             "right": cube((0.93, 0.1, 0.05))})

    def test_projected_balls_and_a_cube(self):
        self.check_projection({"left": ball((0, 0, 0), (0.1, 0, 0)),
                               "right": ball((1.9, 0.05, 0.03), (0, 0.2, 0)),
                               "below": cube((0.3, -0.6, -1.95))})

    def test_projected_press_fit(self):
        shell = {"Grid generator": "hyper_shell", "Refinements": 1,
                 "Grid generator arguments": "0, 0 : 1 : 2 : 12 : false"}
        self.check_projection(
            {"ring": body(shell, (0, 0)),
             "pin": ball((0.02, 0), (0.1, 0.1), radius=1.03)}, dim=2)

    def test_what_cannot_be_moved_apart_is_refused(self):
        result = self.run_file(
            self.scene({"left": cube((0, 0, 0)), "right": cube((0, 0, 0))},
                       policy="project"), expect=1)
        self.assertEqual(result.err.count("Error: "), 1)
        for word in ("left", "right", "apart"):
            self.assertIn(word, result.err)

    # Touching.

    def touching_pairs(self, dim):
        """For each pair its name and two bodies, the first at the origin."""
        def pair(name, at, **mesh):
            return name, cube, {}, lambda p: cube(p, n=3, **mesh), at
        irregular = {"Local refinement": "2.4*abs(sin(17*x+31*y" +
                     ("+45*z" if dim == 3 else "") + "))-1"}
        yield pair("aligned", [1] + [0] * (dim - 1))
        yield pair("shifted", [1] + [0.3] * (dim - 1))
        yield pair("edge", [1, 1] + [0.3] * (dim - 2))
        yield pair("corner", [1] * dim)
        yield pair("irregular", [1] + [0.25] * (dim - 1), **irregular)
        # The ball's mesh has vertices on the diagonals and axes.
        yield "balls", ball, {}, ball, [2 / dim ** 0.5] * dim
        yield ("ball on floor", ball, {"Refinements": 3},
               lambda p: cube(p, n=4, **irregular),
               [-0.5] * (dim - 1) + [-2])

    def test_touching_at_rest_stays_at_rest(self):
        for dim in (2, 3):
            bodies = {}
            for i, (name, first, mesh, second, at) in enumerate(
                    self.touching_pairs(dim)):
                # Far from each other, at coordinates without rounding.
                origin = [8 * i] + [0] * (dim - 1)
                bodies[name + " a"] = first(origin, **mesh)
                bodies[name + " b"] = second(
                    [p + q for p, q in zip(origin, at)])
            file = self.scene(bodies, dim=dim, end=0.05)
            start = None
            for ranks in (1, 2):
                with self.subTest(dim=dim, ranks=ranks):
                    result = self.run_file(file, ranks=ranks)
                    rows = result.table()
                    self.assertEqual(len(rows), 51)
                    self.assertNotIn("overlap", result.out)
                    self.assertFalse(
                        os.path.exists(result.path("overlaps.csv")))
                    for key in ("passes", "node_face", "edge_edge",
                                "kinetic_energy", "internal_energy"):
                        self.assertEqual(set(row[key] for row in rows), {0})
                    state = result.state()
                    self.assertEqual(set(numbers(state["velocities 0"])), {0})
                    positions = state["positions 0"]
                    start = start or positions
                    self.assertEqual(start, positions)


if __name__ == "__main__":
    main()
