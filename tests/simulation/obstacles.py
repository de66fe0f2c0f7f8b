# SPDX-License-Identifier: LGPL-2.1-or-later
"""Obstacles and the forces on supports: what they take is what bodies lose, a
plane is as good as a mesh, and moving obstacles do work.

With RICOCHET_LONG_TESTS=1 in the environment, the rebound of the ball is
reported for all coefficients of restitution, and the spinning ball has the
cells of the example.
"""

import math
import os
import subprocess

from ricochet_run import LONG, SOURCE, RunTest, main, parameters, vector

RUBBER = {"Density": 1000, "Young's modulus": 1e6, "Poisson's ratio": 0.3}
# The energy is as exact as the steps are short.
SMALL_STEPS = ["Time stepping/Courant number=0.02"]
PLANE = {"Type": "half-space", "half-space": {"Point": "0, 0, 0"}}
BOX = {"Type": "box", "box": {"Lower corner": "-1, -1, -0.5",
                              "Upper corner": "1, 1, 0"}}
MESH = {"Type": "mesh", "mesh": {
    "Grid generator": "subdivided_hyper_rectangle",
    "Grid generator arguments": "7, 5, 1 : -1, -1, -0.5 : 1, 1, 0 : false"}}


def block(translation, velocity="0; 0; 0", **entries):
    """A cube with sides of 0.2 m and 8 kg."""
    return {"Mesh": {"Grid generator": "subdivided_hyper_cube",
                     "Grid generator arguments": "2 : -0.1 : 0.1 : true",
                     "Rotation": "0.3, 0.2, 0.1",
                     "Translation": vector(translation)},
            "Initial velocity": velocity, "Material": RUBBER, **entries}


def scene(bodies, obstacles, end, contact=None, **entries):
    return parameters({"Dimension": 3, "End time": end, "Bodies": bodies,
                       "Obstacles": obstacles, "Contact": contact or {},
                       **entries})


def momentum(row):
    return [row["mass"] * row[key] for key in ("vx", "vy", "vz")]


class Obstacles(RunTest):

    def run_scene(self, *args, settings=(), **kwargs):
        return self.run_file(self.write("scene.prm", scene(*args, **kwargs)),
                             settings)

    def drop(self, floor, **kwargs):
        return self.run_scene(
            {"block": block((0.02, 0.03, 0.17), "3; 1; -5")}, {"floor": floor},
            0.02, {"Restitution": 0.5, "Friction coefficient": 0.2}, **kwargs)

    def test_plane_box_and_mesh_are_the_same_floor(self):
        runs = {name: self.drop(floor) for name, floor in (
            ("plane", PLANE), ("box", BOX), ("mesh", MESH))}
        for name in ("box", "mesh"):
            with self.subTest(floor=name):
                self.assert_near(runs["plane"], runs[name], 1e-6)
        self.assertGreater(sum(runs["plane"].column("node_face")), 20)

    def test_impulse_is_the_change_of_momentum(self):
        for name, floor in (("plane", PLANE), ("box", BOX)):
            with self.subTest(floor=name):
                result = self.drop(floor, settings=SMALL_STEPS)
                rows = result.table("obstacles.csv")
                history = result.table()
                self.assertEqual(len(rows), len(history))
                scale = 8 * math.sqrt(35)
                first = history[0]
                sums = [0, 0, 0]
                for row, last, now in zip(rows, [first] + history, history):
                    for i, (p, j, f) in enumerate((("px", "jx", "fx"),
                                                   ("py", "jy", "fy"),
                                                   ("pz", "jz", "fz"))):
                        self.assertLessEqual(
                            abs(now[p] - first[p] + row[j]), 1e-12 * scale)
                        sums[i] += row[f] * (now["time"] - last["time"])
                        # Where the step changes, an impulse belongs to two
                        # intervals.
                        self.assertLessEqual(abs(sums[i] - row[j]),
                                             1e-4 * scale)
                self.assertLess(rows[-1]["jz"], -30)
                self.assertLessEqual(max(result.column("l_error")),
                                     1e-12 * scale)
                # At rest it takes no work.
                self.assertEqual(set(result.column("work", "obstacles.csv")),
                                 {0.})
                self.assertLess(abs(history[-1]["total_energy"] /
                                    first["total_energy"] - 1), 2e-4)

    def test_obstacles_are_masters(self):
        """A single obstacle is hit by vertices only: both responses agree."""
        runs = [self.drop(PLANE, settings=["Contact/Response=" + name])
                for name in ("dcr", "barycentric")]
        self.assert_near(*runs, 1e-9)

    def test_nothing_is_below_the_floor(self):
        text = scene({"block": block((0, 0, 0.17), "0; 0; -20")},
                     {"floor": PLANE}, 0.02, {"Restitution": 0},
                     Output={"Number of ParaView files": 20})
        result = self.run_file(self.write("scene.prm", text), files=True)
        lowest = min(point[2] for surface in result.surfaces()
                     for point in surface[0])
        self.assertGreaterEqual(lowest, 0)
        self.assertLess(lowest, 1e-4)
        for n in range(21):
            self.assertTrue(os.path.exists(
                result.path("obstacles-%05d.vtu" % n)))

    def test_piston(self):
        """A wall that comes with a constant speed and turns a block around:
        momentum and work of the wall are those of the block."""
        wall = {"Type": "half-space",
                "half-space": {"Point": "-0.2, 0, 0", "Normal": "1, 0, 0"},
                "Motion": {"Translation": "5*t; 0; 0"}}
        result = self.run_scene({"block": block((0, 0, 0))}, {"wall": wall},
                                0.08, settings=SMALL_STEPS)
        rows = result.table("obstacles.csv")
        history = result.table()
        bodies = result.table("bodies.csv")
        for row, now, body in zip(rows, history, bodies):
            self.assertLessEqual(abs(now["px"] + row["jx"]), 1e-12 * 80)
            # Force times way.
            self.assertAlmostEqual(row["work"], 5 * row["jx"], delta=1e-10)
            self.assertAlmostEqual(now["external_work"], -row["work"],
                                   delta=1e-10)
        self.assertGreater(bodies[-1]["vx"], 5)
        energy = history[-1]["kinetic_energy"]
        self.assertLess(max(abs(row["total_energy"]) for row in history),
                        2e-4 * energy)

    def test_rotating_obstacle(self):
        """A box that turns below a block takes it along by friction."""
        table = {"Type": "box",
                 "box": {"Lower corner": "-1, -1, -0.5",
                         "Upper corner": "1, 1, 0"},
                 "Motion": {"Rotation": "0; 0; 2*t"}}
        cube = {"Mesh": {"Grid generator": "subdivided_hyper_cube",
                         "Grid generator arguments": "2 : -0.1 : 0.1 : true",
                         "Translation": "0, 0, 0.1001"},
                "Body force": "0; 0; -9.81", "Material": RUBBER}
        result = self.run_scene(
            {"block": cube}, {"table": table}, 0.3,
            {"Restitution": 0, "Friction coefficient": 1})
        last = result.table("bodies.csv")[-1]
        # The moment of inertia of the block with lumped masses is larger than
        # that of a cube, m a^2 / 6.
        self.assertGreater(last["lz"], 0.9 * 8 * 0.04 / 6 * 2)
        for key in ("vx", "vy"):
            self.assertLess(abs(last[key]), 1e-2)

    def test_ranks_and_restart(self):
        text = scene(
            {"block": block((0.02, 0.03, 0.17), "3; 1; -5"),
             "second": block((0.1, 0.05, 0.5), "0; 0; -9")},
            {"floor": PLANE,
             "ball": {"Type": "sphere",
                      "sphere": {"Radius": 0.3, "Centre": "0.45, 0, 0.1"}},
             "box": {"Type": "box", "box": {"Lower corner": "-0.5, -1, -1",
                                            "Upper corner": "-0.2, 1, 1"}}},
            0.03, {"Restitution": 0.5, "Friction coefficient": 0.2})
        file = self.write("scene.prm", text)
        one = self.run_file(file)
        impulses = {row["obstacle"]: row["jz"]
                    for row in one.table("obstacles.csv")}
        self.assertLess(impulses["floor"], -10)
        self.assertNotEqual(impulses["ball"], 0)
        for ranks in (2, 3):
            self.assert_same_motion(one, self.run_file(file, ranks=ranks))
        self.assert_same_motion(one, self.run_file(file, ["Threads=2"]))

        # Stopped in contact: both halves have the steps of one run with a
        # fixed step.
        step = ["Time stepping/Time step=2e-5"]
        one = self.run_file(file, step)
        touching = [row["time"] for row in one.table()
                    if row["node_face"] > 0 and row["time"] > 0.01]
        end = "End time=%.17g" % touching[len(touching) // 2]
        halved = os.path.join(self.folder, "halved")
        self.run_file(file, step + [end], output=halved)
        for ranks in (1, 2):
            copy = os.path.join(self.folder, "copy-%d" % ranks)
            subprocess.run(["cp", "-r", halved, copy], check=True)
            resumed = self.run_file(file, step, output=copy,
                                    options=["--restart"], ranks=ranks)
            self.assert_near(one, resumed, 1e-9)
            for a, b in zip(one.table("obstacles.csv")[-3:],
                            resumed.table("obstacles.csv")[-3:]):
                for key in ("jx", "jy", "jz", "lx", "work"):
                    self.assertAlmostEqual(a[key], b[key], delta=1e-7)


class Ball(RunTest):
    """A ball with a radius of 0.1 m on a plane.

    Coefficients act at the nodes in contact, not on the body: waves in it give
    their energy back, so that it rebounds with nearly all of its speed whatever
    e is, and turns more than if it rolled. What holds for any ball is the
    balance of the angular momentum about the line on the floor below its
    centre: friction acts in that line.
    """

    def bounce(self, velocity, contact, end=0.003):
        ball = {"Mesh": {"Grid generator": "hyper_ball",
                         "Grid generator arguments": "0, 0, 0 : 0.1 : false",
                         "Refinements": 2, "Translation": "0, 0, 0.1001"},
                "Initial velocity": velocity,
                "Material": {"Density": 240, "Young's modulus": 1e9,
                             "Poisson's ratio": 0.3}}
        text = scene({"ball": ball}, {"floor": PLANE}, end, contact,
                     **{"Time stepping": {"Courant number": 0.1}})
        result = self.run_file(self.write("ball.prm", text))
        self.assertEqual(result.column("passes")[-1], 0)
        return (result.table("bodies.csv")[-1],
                result.table("obstacles.csv")[-1], result.table())

    def test_oblique(self):
        body, load, _ = self.bounce(
            "2; 0; -4.95", {"Restitution": 0, "Friction coefficient": 0.3})
        mass = body["mass"]
        self.assertAlmostEqual(mass * (body["vx"] - 2), -load["jx"],
                               delta=1e-11)
        self.assertLessEqual(load["jx"], 0.3 * -load["jz"])
        # What friction takes from the motion turns the ball; normal forces act
        # only nearly below the centre, on the vertices there.
        self.assertAlmostEqual(
            (mass * body["vx"] * 0.1 + body["ly"]) / (mass * 2 * 0.1), 1,
            delta=0.03)
        print("Oblique impact: v_x %.4f, spin times radius %.3f" % (
            body["vx"], body["ly"] / (0.4 * mass * 0.1)), flush=True)

    def test_rebound(self):
        speed = math.sqrt(2 * 9.81 * 2)
        for e in (0, 0.3, 0.5, 0.8, 0.95, 1) if LONG else (0, 1):
            body, _, rows = self.bounce("0; 0; %.17g" % -speed,
                                        {"Restitution": e})
            # Moving nodes back to the floor returns most of what they lose.
            lost = ((rows[-1]["restitution"] - rows[-1]["contact_work"]) /
                    rows[0]["kinetic_energy"])
            print("e = %g: the ball rebounds to %.4f of its height (e^2 = "
                  "%.4f); its nodes lost %.4f of the energy" % (
                      e, (body["vz"] / speed)**2, e * e, lost), flush=True)
            self.assertGreater(body["vz"], 0.9 * speed)
            self.assertLessEqual(body["vz"], 1.001 * speed)
            self.assertLess(lost, 0.15)
            if e == 1:
                self.assertLess(abs(rows[-1]["restitution"]),
                                1e-12 * rows[0]["kinetic_energy"])


class SpinningBall(RunTest):
    """A ball that loses its vibrations sticks: it leaves rolling, and the
    angular momentum about the line of contact then gives v_x = 5/7 of the
    initial 2 m/s, and the spin that goes with it. Meshed balls have up to 3.5 %
    more inertia, which takes 1 % of v_x."""

    FILE = os.path.join(SOURCE, "prm", "obstacles", "spinning-ball.prm")
    # Of 1 kg, too.
    COARSE = [] if LONG else ["Bodies/ball/Mesh/Refinements=1",
                              "Bodies/ball/Material/Density=311.5"]

    def inertia(self):
        """That of the mesh about its centre, from a turn with 1/s."""
        result = self.run_file(self.FILE, self.COARSE + [
            "End time=1e-9",
            "Bodies/ball/Initial velocity=z - 0.1001; 0; -x"])
        return result.table("bodies.csv")[0]["ly"]

    def test_sticks_and_rolls(self):
        inertia = self.inertia()
        for response in ("dcr", "barycentric"):
            with self.subTest(response=response):
                result = self.run_file(
                    self.FILE, self.COARSE + ["Contact/Response=" + response])
                self.assertGreater(sum(result.column("passes")), 1000)
                self.assertEqual(result.column("passes")[-1], 0)
                ball = result.table("bodies.csv")[-1]
                load = result.table("obstacles.csv")[-1]
                self.assertAlmostEqual(ball["mass"], 1, delta=1e-4)
                spin = ball["ly"] / inertia
                print("%s: v_x %.4f, spin %.3f" % (response, ball["vx"], spin),
                      flush=True)
                self.assertAlmostEqual(ball["vx"], 10 / 7, delta=0.02 * 10 / 7)
                self.assertAlmostEqual(spin, 100 / 7, delta=0.02 * 100 / 7)
                # Rolls, also but for the inertia of the mesh.
                self.assertAlmostEqual(0.1 * spin / ball["vx"], 1, delta=0.02)
                # About the line on the floor below the centre.
                self.assertAlmostEqual(
                    (ball["mass"] * ball["vx"] * 0.1 + ball["ly"]) /
                    (ball["mass"] * 2 * 0.1), 1, delta=0.005)
                # It hardly rebounds, and friction was below its limit.
                self.assertGreater(ball["vz"], 0)
                self.assertLess(ball["vz"], 0.02 * 4.95)
                self.assertLess(load["jx"], 0.3 * -load["jz"])
                # Vibrations went into heat.
                rows = result.table()
                energy = rows[0]["total_energy"]
                self.assertGreater(rows[-1]["viscous"], 0.8 * energy)
                self.assertAlmostEqual(rows[-1]["total_energy"] / energy, 1,
                                       delta=0.01)


class Reactions(RunTest):

    def bar(self, **entries):
        return {"Mesh": {
            "Grid generator": "subdivided_hyper_rectangle",
            "Grid generator arguments":
                "1, 1, 10 : 0, 0, 0 : 0.1, 0.1, 1 : true"},
            "Material": {"Density": 1000, "Young's modulus": 1e7,
                         "Poisson's ratio": 0},
            "Prescribed motion": {"top": {"Boundary ids": "5"}}, **entries}

    def test_weight_of_a_hanging_bar(self):
        """Released without stress it swings with the period 4 L / c about its
        static state, and pulls with twice its weight at most."""
        weight = 10 * 9.81
        period = 4 / math.sqrt(1e7 / 1000)
        text = parameters({
            "Dimension": 3, "End time": period,
            "Bodies": {"bar": self.bar(**{"Body force": "0; 0; -9.81"})}})
        result = self.run_file(self.write("bar.prm", text))
        rows = result.table("reactions.csv")
        self.assertEqual({row["boundary_id"] for row in rows}, {5})
        history = result.table()
        self.assertEqual(len(rows), len(history))
        impulse = 0
        for last, now, row in zip(history, history[1:], rows[1:]):
            impulse += row["fz"] * (now["time"] - last["time"])
            self.assertAlmostEqual(
                impulse - weight * now["time"], now["pz"],
                delta=1e-12 * weight * period * len(rows))
        self.assertAlmostEqual(impulse / period, weight, delta=0.01 * weight)
        middle = [row["fz"] for row in rows
                  if 0.45 * period < row["time"] < 0.55 * period]
        self.assertAlmostEqual(sum(middle) / len(middle), 2 * weight,
                               delta=0.15 * weight)

    def test_fixed_bar_under_impact(self):
        """All momentum that the block loses goes through the bar to the
        support, with contact far away and on the support itself."""
        for height, name in ((1, "free end"), (0.05, "on the support")):
            with self.subTest(name):
                bar = self.bar()
                bar["Mesh"]["Grid generator arguments"] = (
                    "1, 1, 1 : 0, 0, 0 : 0.1, 0.1, %g : true" % height)
                bar["Prescribed motion"] = {"held": {
                    "Boundary ids": "4" if height == 1 else "4, 5"}}
                text = parameters({
                    "Dimension": 3, "End time": 0.01,
                    "Bodies": {"bar": bar, "block": block(
                        (0.05, 0.05, height + 0.17), "0.5; 0; -4")}})
                result = self.run_file(self.write("bar.prm", text))
                self.assertGreater(sum(result.column("passes")), 0)
                history = result.table()
                sums = {}
                rows = result.table("reactions.csv")
                n = 1 if height == 1 else 2
                self.assertEqual(len(rows), n * len(history))
                for i, now in enumerate(history[1:], 1):
                    dt = now["time"] - history[i - 1]["time"]
                    for row in rows[n * i:n * i + n]:
                        for f, p in (("fx", "px"), ("fy", "py"),
                                     ("fz", "pz")):
                            sums[p] = sums.get(p, 0) + row[f] * dt
                    for p, value in sums.items():
                        self.assertAlmostEqual(value, now[p] - history[0][p],
                                               delta=1e-12 * 8 * 4)


class BadInput(RunTest):

    def refused(self, obstacles, words, contact=None):
        text = scene({"block": block((0, 0, 0.3))}, obstacles, 0.001, contact)
        result = self.run_file(self.write("bad.prm", text), expect=1)
        self.assertEqual(result.err.count("Error: "), 1, result.err)
        for word in words:
            self.assertIn(word, result.err)

    def test_shapes_and_motions(self):
        self.refused({"floor": {"Type": "plane"}}, ["Type", "plane"])
        self.refused({"ball": {"Type": "sphere", "sphere": {"Radius": 0}}},
                     ["Obstacle 'ball'", "Radius"])
        self.refused({"ball": {"Type": "sphere", "sphere": {"Radius": -1}}},
                     ["Obstacle 'ball'", "Radius"])
        self.refused({"box": {"Type": "mesh"}}, ["Obstacle 'box'", "mesh"])
        self.refused({"block": PLANE}, ["'block'", "name"])
        for motion in ("0; 0; sqrt(-1)", "0; 0", "0; 0; 1/(t-0)*0"):
            self.refused({"floor": dict(PLANE,
                                        Motion={"Translation": motion})},
                         ["Obstacle 'floor'", "Motion/Translation"])
        # Not finite later.
        self.refused({"floor": dict(
            PLANE, Motion={"Translation": "0; 0; sqrt(1e-4-t)-1"})},
            ["Obstacle 'floor'", "Motion/Translation", "not finite"])

    def test_overlaps(self):
        inside = {"Type": "sphere",
                  "sphere": {"Radius": 0.1, "Centre": "0, 0, 0.15"}}
        for obstacle in (
                {"Type": "half-space", "half-space": {"Point": "0, 0, 0.25"}},
                {"Type": "box", "box": {"Lower corner": "-1, -1, -1",
                                        "Upper corner": "1, 1, 0.25"}},
                inside):
            self.refused({"thing": obstacle},
                         ["'block' and 'thing' overlap at the start",
                          "Starting overlaps"])
        text = scene({"block": block((0, 0, 0.3))}, {"thing": inside}, 0.001,
                     {"Starting overlaps": "refuse, block:thing ignore"})
        result = self.run_file(self.write("bad.prm", text))
        self.assertEqual(sum(result.column("passes")), 0)

    def test_pairs(self):
        for pairs, n in (("block:floor", 1), ("block:block", 0)):
            text = scene({"block": block((0, 0, 0.17), "0; 0; -5")},
                         {"floor": PLANE}, 0.01, {"Pairs": pairs})
            result = self.run_file(self.write("pairs.prm", text))
            self.assertEqual(sum(result.column("passes")) > 0, n == 1)
        self.refused({"floor": PLANE}, ["Pairs", "wall"],
                     {"Pairs": "block:wall"})


if __name__ == "__main__":
    main()
