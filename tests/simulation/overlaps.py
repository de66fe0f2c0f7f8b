# SPDX-License-Identifier: LGPL-2.1-or-later
"""Bodies that overlap or touch at the start: found, refused, ignored until
they have come apart, or moved apart; and left alone when they only touch."""

import array
import os

from ricochet_run import RunTest, main

HEAD = """
set Dimension = %(dim)d
set End time = %(end)s
subsection Time stepping
  set Time step = %(step)s
end
subsection Contact
  set Starting overlaps = %(policy)s
end
subsection Output
  set Check intersections = true
end
subsection Bodies
"""

BODY = """
  subsection %(name)s
    subsection Mesh
      set Grid generator = %(mesh)s
      set Grid generator arguments = %(arguments)s
      set Refinements = %(refinements)d
      set Translation = %(at)s
    end
    set Initial velocity = %(velocity)s
    subsection Material
      set Density = %(density)g
      set Young's modulus = 1e4
      set Poisson's ratio = 0.3
    end
  end
"""


def vector(values):
    return ", ".join("%.17g" % value for value in values)


def cube(name, at, velocity=None, n=2, density=1000):
    return BODY % {
        "name": name, "mesh": "subdivided_hyper_cube",
        "arguments": "%d : 0 : 1 : false" % n, "refinements": 0,
        "at": vector(at), "density": density,
        "velocity": vector(velocity or [0] * len(at)).replace(",", ";")}


def ball(name, at, velocity=None):
    return BODY % {
        "name": name, "mesh": "hyper_ball",
        "arguments": vector([0] * len(at)) + " : 1 : false", "refinements": 1,
        "at": vector(at), "density": 1000,
        "velocity": vector(velocity or [0] * len(at)).replace(",", ";")}


class Overlaps(RunTest):

    def scene(self, *bodies, dim=3, policy="refuse", end=0.01, step=0.001):
        return self.write("scene.prm", HEAD % {
            "dim": dim, "policy": policy, "end": end, "step": step}
            + "".join(bodies) + "end\n")

    def intersections(self, result):
        line = next(line for line in result.out.split("\n")
                    if "intersecting facet pairs" in line)
        return float(line.split()[-1])

    def assert_same_motion(self, one, other):
        for name in ("positions 0", "velocities 0"):
            self.assertEqual(one.state()[name], other.state()[name], name)

    def vectors(self, result, name):
        data = array.array("d")
        data.frombytes(result.state()[name + " 0"])
        return data

    # Refused.

    def test_overlaps_are_refused(self):
        for dim, at in ((2, (0.9, 0.13)), (3, (0.9, 0.13, 0.2)),
                        (2, (0.9, 0)), (3, (0.9, 0, 0))):
            file = self.scene(cube("left", [0] * dim), cube("right", at),
                              cube("far", [5] * dim), dim=dim)
            for ranks, options in ((1, []), (2, []), (1, ["--validate"])):
                with self.subTest(at=at, ranks=ranks, options=options):
                    result = self.run_file(file, ranks=ranks, options=options,
                                           expect=1)
                    self.assertEqual(result.err.count("Error: "), 1)
                    for word in ("'left' and 'right'", "by up to 0.1 at (",
                                 "'Contact/Starting overlaps'"):
                        self.assertIn(word, result.err)
                    self.assertNotIn("far", result.err)
                    if options:
                        continue
                    rows = result.table("overlaps.csv")
                    self.assertIn(" %d places" % len(rows), result.err)
                    self.assertAlmostEqual(max(row["depth"] for row in rows),
                                           0.1, delta=1e-12)
                    for row in rows:
                        self.assertEqual((row["body_a"], row["body_b"]),
                                         ("left", "right"))
                        self.assertTrue(0.9 - 1e-12 < row["x"] < 1 + 1e-12)

    def test_policies_are_checked(self):
        for policy, words in (
                ("forget", ["'forget'", "'refuse'"]),
                ("left:right ignore, refuse", ["'refuse'"]),
                ("refuse, left:wall ignore", ["'wall'", "left, right"]),
                ("refuse, left ignore", ["'left'", "pair"]),
                ("refuse, left:right", ["'left:right'", "'project'"])):
            result = self.run_file(
                self.scene(cube("left", (0, 0)), cube("right", (2, 0)), dim=2,
                           policy=policy), expect=1)
            for word in words + ["Contact/Starting overlaps"]:
                self.assertIn(word, result.err)

    def test_pairs_that_may_not_touch_do_not_overlap(self):
        file = self.scene(cube("a", (0, 0)), cube("b", (0.9, 0.1)),
                          cube("c", (3, 0)), dim=2)
        self.run_file(file, ["Contact/Pairs=a:c, b:c"])

    # Ignored.

    def ignored_scene(self, end=0.5):
        # The first two come apart without seeing each other; the right one
        # then hits the third.
        return self.scene(
            cube("left", (0, 0, 0), (-1, 0, 0)),
            cube("right", (0.8, 0.05, 0.1), (1, 0, 0)),
            cube("third", (2.1, 0.02, 0.07), (0, 0, 0)),
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

    def test_apart_once_they_are_in_contact(self):
        # Apart at 0.1, and then thrown back by a heavy wall.
        bodies = [cube("wall", (0, 0), n=1, density=1e6),
                  cube("ball", (1.5, 0.03), (-1, 0)),
                  cube("other", (2.4, 0.07), (0, 0))]
        result = self.run_file(
            self.scene(*bodies, dim=2, end=3, step=0,
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

    def test_ignored_bodies_on_ranks_and_after_a_restart(self):
        straight = self.run_file(self.ignored_scene())
        ranks = self.run_file(self.ignored_scene(), ranks=2)
        self.assert_same_motion(straight, ranks)
        for end in (0.05, 0.2):  # before and after they are apart
            with self.subTest(end=end):
                half = self.run_file(self.ignored_scene(end=end))
                self.assertEqual("ignored overlaps" in half.state(),
                                 end == 0.05)
                again = self.run_file(self.ignored_scene(),
                                      output=half.directory,
                                      options=["--restart"])
                self.assert_same_motion(straight, again)

    # Moved apart.

    def check_projection(self, *bodies, dim=3, n=10):
        """Returns the result of a run of a few steps."""
        one = self.scene(*bodies, dim=dim, policy="project", end=1e-3 * n)
        result = self.run_file(one)
        self.assertEqual(self.intersections(result), 0)
        self.assert_momentum(result)
        other = self.run_file(one, ranks=2)
        self.assert_same_motion(result, other)
        # No velocity has changed, and the centre of mass has stayed.
        free = self.run_file(self.scene(*bodies, dim=dim, policy="ignore",
                                        end=1e-3 * n))
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
        return result

    def test_projected_cubes(self):
        for dim in (2, 3):
            for shift in (0.1, 0):
                with self.subTest(dim=dim, shift=shift):
                    self.check_projection(
                        cube("left", [0] * dim, [0.2, -0.1, 0.3][:dim]),
                        cube("right", [0.9] + [shift] * (dim - 1)), dim=dim)

    def test_projected_balls_and_a_cube(self):
        self.check_projection(ball("left", (0, 0, 0), (0.1, 0, 0)),
                              ball("right", (1.9, 0.05, 0.03), (0, 0.2, 0)),
                              cube("below", (0.3, -0.6, -1.95)))

    def test_projected_press_fit(self):
        shell = BODY % {
            "name": "ring", "mesh": "hyper_shell",
            "arguments": "0, 0 : 1 : 2 : 12 : false", "refinements": 1,
            "at": "0, 0", "density": 1000, "velocity": "0; 0"}
        self.check_projection(shell, ball("pin", (0.02, 0), (0.1, 0.1)).replace(
            ": 1 :", ": 1.03 :"), dim=2)

    def test_what_cannot_be_moved_apart_is_refused(self):
        result = self.run_file(
            self.scene(cube("left", (0, 0, 0)), cube("right", (0, 0, 0)),
                       policy="project"), expect=1)
        self.assertEqual(result.err.count("Error: "), 1)
        for word in ("left", "right", "apart"):
            self.assertIn(word, result.err)

    # Touching.

    def check_rest(self, *bodies, dim):
        file = self.scene(*bodies, dim=dim, end=0.1)
        start = None
        for ranks in (1, 2):
            with self.subTest(ranks=ranks):
                result = self.run_file(file, ranks=ranks)
                rows = result.table()
                self.assertEqual(len(rows), 101)
                self.assertNotIn("overlap", result.out)
                self.assertFalse(
                    os.path.exists(result.path("overlaps.csv")))
                for key in ("passes", "node_face", "edge_edge",
                            "kinetic_energy", "internal_energy"):
                    self.assertEqual(set(row[key] for row in rows), {0})
                self.assertEqual(set(self.vectors(result, "velocities")), {0})
                positions = self.vectors(result, "positions")
                start = start or positions
                self.assertEqual(start, positions)

    def test_touching_at_rest_stays_at_rest(self):
        for dim in (2, 3):
            for name, at in (
                    ("aligned", [1] + [0] * (dim - 1)),
                    ("shifted", [1] + [0.3] * (dim - 1)),
                    ("edge", [1, 1] + [0.3] * (dim - 2)),
                    ("corner", [1] * dim)):
                with self.subTest(dim=dim, name=name):
                    self.check_rest(cube("left", [0] * dim),
                                    cube("right", at, n=3), dim=dim)

    def test_equal_balls_touch_in_a_vertex(self):
        for dim in (2, 3):
            # The ball's mesh has vertices on the diagonals.
            d = 2 / dim ** 0.5
            with self.subTest(dim=dim):
                self.check_rest(ball("left", [0] * dim),
                                ball("right", [d] * dim), dim=dim)


if __name__ == "__main__":
    main()
