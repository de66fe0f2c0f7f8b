# SPDX-License-Identifier: LGPL-2.1-or-later
"""Small scenes that are hard for contact codes: bodies that do not touch at
all, edges and corners that meet, and nodes against several bodies."""

import itertools
import math
import os

from ricochet_run import RunTest, main, parameters, vector, write_gmsh

AT_REST = {"Density": 1000, "Young's modulus": 1e9, "Poisson's ratio": 0.3}
BAR = {"Density": 0.7085, "Young's modulus": 2.1e5, "Poisson's ratio": 0.3}


def scene(bodies, end, contact=None, courant=0.5):
    return parameters({
        "Dimension": 3, "End time": "%.17g" % end,
        "Time stepping": {"Courant number": courant},
        "Bodies": bodies, "Contact": contact or {},
        "Output": {"Number of ParaView files": 20, "Number of pictures": 0}})


def grid(name, arguments, **entries):
    return dict({"Grid generator": name,
                 "Grid generator arguments": arguments}, **entries)


class NothingTouches(RunTest):
    """There is no contact, and not the least motion."""

    def check(self, meshes, contact=None, ranks=(1, 2, 5), end=0.001):
        bodies = {name: {"Mesh": mesh, "Material": AT_REST}
                  for name, mesh in meshes.items()}
        file = self.write("scene.prm", scene(bodies, end, contact))
        for n in ranks:
            with self.subTest(ranks=n):
                result = self.run_file(file, ranks=n)
                self.assertEqual(sum(result.column("passes")), 0)
                self.assertEqual(max(result.column("kinetic_energy")), 0.0)

    def test_sphere_above_cube(self):
        for degrees, ranks in ((10, (1,)), (20, (1, 2, 5)), (45, (1,))):
            with self.subTest(degrees=degrees):
                self.check({
                    "cube": grid("subdivided_hyper_cube",
                                 "25 : -5 : 5 : false"),
                    "sphere": grid("hyper_ball", "0, 0, 0 : 1 : false",
                                   Refinements=1,
                                   Rotation=vector((0, math.radians(degrees),
                                                    0)),
                                   Translation="0, 0, 6.0001")}, ranks=ranks)

    def test_tetrahedra(self):
        self.check({
            "base": grid("subdivided_hyper_rectangle",
                         "4, 4, 2 : 0, 0, 0 : 4, 4, 2 : false",
                         Simplices="true"),
            "block": grid("subdivided_hyper_cube", "2 : 0 : 1 : false",
                          Simplices="true", Translation="1.3, 1.4, 2.001")})

    def test_square_tube(self):
        write_square_tube(os.path.join(self.folder, "tube.msh"))
        self.check({"tube": {"Mesh file": "tube.msh"}},
                   {"Self-contact": "true"}, end=0.0002)

    def test_re_entrant_corner(self):
        self.check({"angle": grid("hyper_L", "0 : 1 : false", Refinements=2)},
                   {"Self-contact": "true"})


def write_square_tube(path, side=0.2, wall=0.01, n=18, layers=10):
    """A tube along z with one hexahedron through its wall, for Gmsh."""
    ticks = ([0.0] + [wall + i * (side - 2 * wall) / n for i in range(n + 1)] +
             [side])
    number, nodes, cells = {}, [], []

    def node(*index):
        if index not in number:
            number[index] = len(number) + 1
            nodes.append((ticks[index[0]], ticks[index[1]],
                          index[2] * side / layers))
        return number[index]

    for i, j, k in itertools.product(range(n + 2), range(n + 2),
                                     range(layers)):
        if i in (0, n + 1) or j in (0, n + 1):
            cells.append([node(i + di, j + dj, k + dk) for dk in (0, 1)
                          for di, dj in ((0, 0), (1, 0), (1, 1), (0, 1))])
    write_gmsh(path, nodes, 5, cells)


def corner_down():
    """A rotation that turns the corner (-,-,-) of a box straight down."""
    # About the axis that is normal to (1, 1, 1) and to z.
    angle = math.acos(1 / math.sqrt(3))
    return (angle / math.sqrt(2), -angle / math.sqrt(2), 0)


class CrossedBars(RunTest):
    """Two bars of length 1 meet at 42 with their edges or corners. Edges in the
    middle of their bars: no node lies there."""
    HALF = 0.05 * math.sqrt(2)  # from the axis of a bar to its edge
    TURN = math.pi / 4
    GAP = 0.002

    @staticmethod
    def bar(axis, rotation, translation, velocity):
        n = ["2"] * 3
        half = [0.05] * 3
        n[axis], half[axis] = "21", 0.5
        arguments = (", ".join(n), vector(-h for h in half), vector(half))
        return {"Mesh": grid("subdivided_hyper_rectangle",
                             "%s : %s : %s : false" % arguments,
                             Rotation=vector(rotation),
                             Translation=vector(translation)),
                "Initial velocity": "0; 0; %g" % velocity, "Material": BAR}

    def pair(self, lower, upper):
        """The bars push each other back; where one pair meets at a time, their
        order does not matter. Returns the row of the first step with contact.
        """
        results = []
        for names in (("lower", "upper"), ("upper", "lower")):
            bars = {"lower": lower, "upper": upper}
            text = scene({name: bars[name] for name in names}, 0.0015,
                         {"Restitution": 1}, courant=0.25)
            result = self.run_file(self.write("bars.prm", text), files=True)
            self.assertEqual(self.faults(result), [])
            self.assert_momentum(result)
            for row in result.table("bodies.csv")[-2:]:
                start = 21 if row["body"] == "lower" else -21
                self.assertLess(row["vz"] / start, 0.95)
            results.append(result.table())
        first = next(row for row in results[0] if row["passes"] > 0)
        if first["node_face"] + first["edge_edge"] == 1:
            start = results[0][0]["kinetic_energy"]
            self.assertEqual(len(results[0]), len(results[1]))
            for a, b in zip(*results):
                for key in ("kinetic_energy", "internal_energy"):
                    self.assertAlmostEqual(a[key], b[key], delta=1e-10 * start,
                                           msg="step %d" % a["step"])
        return first

    def test_at_right_angles(self):
        first = self.pair(
            self.bar(0, (self.TURN, 0, 0), (0, 0, 0), 21),
            self.bar(1, (0, self.TURN, 0), (0, 0, 2 * self.HALF + self.GAP),
                     -21))
        self.assertEqual(first["node_face"], 0)
        self.assertEqual(first["edge_edge"], 1)

    def test_nearly_parallel(self):
        # The lower bar is turned about its axis, and by the small angle.
        # About x by the turn, then about z: as one rotation vector.
        small = 1e-6
        half = [math.cos(self.TURN / 2), math.sin(self.TURN / 2)]
        c, s = math.cos(small / 2), math.sin(small / 2)
        q = (c * half[0], c * half[1], s * half[1], s * half[0])
        length = math.hypot(*q[1:])
        angle = 2 * math.atan2(length, q[0])
        self.pair(
            self.bar(0, (self.TURN, 0, 0), (0, 0, 0), 21),
            self.bar(0, [angle * x / length for x in q[1:]],
                     (0, 0, 2 * self.HALF + self.GAP), -21))

    def test_vertex_on_vertex(self):
        # Corners in line with the velocities; the bars are mirror images.
        axis = corner_down()
        x, y, z = rotate(axis, (0.5, 0.05, 0.05))
        self.pair(self.bar(0, axis, (-x, -y, -z), 21),
                  self.bar(0, axis, (x, y, z + self.GAP), -21))


def rotate(axis, v):
    """The vector v turned by a rotation vector, by Rodrigues' formula."""
    angle = math.hypot(*axis)
    k = [x / angle for x in axis]
    cross = [k[1] * v[2] - k[2] * v[1], k[2] * v[0] - k[0] * v[2],
             k[0] * v[1] - k[1] * v[0]]
    along = sum(a * b for a, b in zip(k, v))
    return [v[d] * math.cos(angle) + cross[d] * math.sin(angle) +
            k[d] * along * (1 - math.cos(angle)) for d in range(3)]


class ManyPairsAtOneNode(RunTest):
    """Two blocks side by side fall on a slab, with a wedge at their corner.
    The nodes of the slab below the blocks' common edge meet both. However the
    pairs are given, they act once."""

    SPEED = 10.0
    ONCE = "slab:left, slab:right, slab:wedge, left:right, left:wedge, "\
           "right:wedge"
    PAIRS = {
        "one set": "all",
        "pairs": ONCE,
        "roles swapped": ", ".join(
            ":".join(reversed(pair.strip().split(":")))
            for pair in ONCE.split(",")),
        "named twice": ONCE + ", right:slab, left:slab, wedge:slab"}

    def bodies(self):
        fall = "0; 0; %g" % -self.SPEED
        block = ("2, 4, 2 : 0, 0, 0 : 0.5, 1, 0.5 : false")
        gap = 0.0005
        material = dict(BAR, **{"Poisson's ratio": 0})
        meshes = {
            "slab": grid("subdivided_hyper_rectangle",
                         "8, 6, 2 : -1, -0.5, -0.5 : 1, 1, 0 : false"),
            "left": grid("subdivided_hyper_rectangle", block,
                         Translation=vector((-0.5 - 1e-3, 0, gap))),
            "right": grid("subdivided_hyper_rectangle", block,
                          Translation=vector((0, 0, gap))),
            # In front of both blocks, its vertical edge at their common line.
            "wedge": grid("general_cell", "-0.2, -0.4, 0 ; 0.2, -0.4, 0 ; "
                          "-0.05, -0.01, 0 ; 0.05, -0.01, 0 ; "
                          "-0.2, -0.4, 0.3 ; 0.2, -0.4, 0.3 ; "
                          "-0.05, -0.01, 0.3 ; 0.05, -0.01, 0.3 : false",
                          Refinements=1, Translation=vector((0, 0, gap)))}
        bodies = {name: {"Mesh": mesh, "Material": material,
                         "Initial velocity": fall}
                  for name, mesh in meshes.items()}
        bodies["slab"]["Initial velocity"] = "0; 0; 0"
        bodies["wedge"]["Initial velocity"] = "0; 4; %g" % -self.SPEED
        return bodies

    def test_definitions(self):
        results = {}
        for restitution in (0, 1):
            for name, pairs in self.PAIRS.items():
                file = self.write("scene.prm", scene(
                    self.bodies(), 0.0015,
                    {"Restitution": restitution, "Pairs": pairs,
                     "Friction coefficient": 0.3}, courant=0.1))
                result = self.run_file(file, files=True)
                self.assertEqual(self.faults(result), [])
                self.assert_momentum(result)
                results[name] = result
            reference = results["one set"].table()
            self.check_impulse(results["one set"], restitution)
            for name in self.PAIRS:
                with self.subTest(name, restitution=restitution):
                    rows = results[name].table()
                    self.assertEqual(len(rows), len(reference))
                    for a, b in zip(reference, rows):
                        for key in ("kinetic_energy", "internal_energy", "pz",
                                    "friction", "restitution"):
                            self.assertAlmostEqual(
                                a[key], b[key],
                                delta=1e-10 * reference[0]["kinetic_energy"])

    def check_impulse(self, result, restitution):
        """In the first step with contact, without restitution in the first two,
        the lowest nodes of a block meet nodes of the slab as heavy as they:
        they get half of (1 + e) times their momentum, not twice as much."""
        rows = [row for row in result.table("bodies.csv")
                if row["body"] == "right"]
        before = next(i for i, row in enumerate(rows)
                      if row["vz"] > -self.SPEED * (1 - 1e-12)) - 1
        gained = (rows[before + (1 if restitution else 2)]["vz"] -
                  rows[before]["vz"])
        # A quarter of the mass is at the bottom.
        expected = 0.25 * 0.5 * (1 + restitution) * self.SPEED
        self.assertGreater(gained, 0.7 * expected)
        self.assertLess(gained, 1.3 * expected)


if __name__ == "__main__":
    main()
