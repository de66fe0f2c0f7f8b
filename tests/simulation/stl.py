# SPDX-License-Identifier: LGPL-2.1-or-later
"""STL files as people have them: a cube of 27 kg falls on the unit cube."""

import math
import struct

from ricochet_run import RunTest, main, parameters

NAN = float("nan")


def box(low, high):
    """Twelve triangles that face outward."""
    result = []
    for d in range(3):
        for side in range(2):
            s, t = 1 << (d + 1) % 3, 1 << (d + 2) % 3
            if side == 0:
                s, t = t, s
            base = side << d
            for face in ((base, base + s, base + s + t),
                         (base, base + s + t, base + t)):
                result.append([tuple((high if v >> k & 1 else low)[k]
                                     for k in range(3)) for v in face])
    return result


def shifted(triangles, shift):
    return [[tuple(a + b for a, b in zip(x, shift)) for x in triangle]
            for triangle in triangles]


def reversed_(triangles):
    return [triangle[::-1] for triangle in triangles]


CUBE = box((0, 0, 0), (1, 1, 1))
WITHOUT_TOP = [t for t in CUBE if any(x[2] == 0 for x in t)]


def text(triangles, name="cube"):
    lines = ["solid " + name]
    for triangle in triangles:
        lines += ["  facet normal 0 0 0", "    outer loop"]
        lines += ["      vertex %r %r %r" % x for x in triangle]
        lines += ["    endloop", "  endfacet"]
    return "\n".join(lines + ["endsolid " + name, ""]).encode()


def binary(triangles, header=b"", announced=None):
    data = header.ljust(80, b"\0")
    data += struct.pack("<I", len(triangles) if announced is None
                        else announced)
    for triangle in triangles:
        data += struct.pack("<12fH", 0, 0, 0, *sum(map(tuple, triangle), ()),
                            0)
    return data


class Stl(RunTest):

    def run_stl(self, content, expect=0, settings=(), ranks=1, options=(),
                height=1.05, **entries):
        with open(self.folder + "/m.stl", "wb") as file:
            file.write(content)
        corners = "0.35, 0.3, %g : 0.65, 0.6, %g" % (height, height + 0.3)
        scene = parameters({
            "Dimension": 3, "End time": 0.5,
            "Bodies": {"cube": {
                "Initial velocity": "0; 0; -1",
                "Mesh": {"Grid generator": "subdivided_hyper_rectangle",
                         "Grid generator arguments":
                         "2, 2, 2 : %s : false" % corners},
                "Material": {"Density": 1000, "Young's modulus": 1e6,
                             "Poisson's ratio": 0.3}}},
            "Obstacles": {"block": {"Type": "stl", "stl": {
                "Mesh file": "m.stl", **entries}}}})
        return self.run_file(self.write("scene.prm", scene), settings,
                             expect=expect, ranks=ranks, options=options)

    def bounces(self, content, **kwargs):
        """As off the same block without a file."""
        result = self.run_stl(content, **kwargs)
        impulse = result.table("obstacles.csv")[-1]["jz"]
        self.assertAlmostEqual(impulse, self.impulse(), delta=1e-6)
        self.assertGreater(result.table("bodies.csv")[-1]["vz"], 0)
        return result

    def impulse(self):
        result = self.run_stl(text(CUBE), settings=[
            "Obstacles/block/Type=box",
            "Obstacles/block/box/Lower corner=0, 0, 0",
            "Obstacles/block/box/Upper corner=1, 1, 1"])
        return result.table("obstacles.csv")[-1]["jz"]

    def refused(self, content, *words, **kwargs):
        result = self.run_stl(content, expect=1, **kwargs)
        self.assertEqual(result.err.count("Error: "), 1, result.err)
        self.assertEqual(len(result.err.strip().split("\n")), 1, result.err)
        for word in ("scene.prm, line ", "Obstacle 'block'", "m.stl") + words:
            self.assertIn(word, result.err)

    def test_files_that_are_good(self):
        good = text(CUBE)
        for content in (
                good, good.upper(), good.replace(b"\n", b"\r\n"),
                text(CUBE, "a vertex of a facet endsolid"), text(CUBE, ""),
                text(CUBE[:5]) + text(CUBE[5:]), binary(CUBE),
                binary(CUBE, b"solid cube\nfacet normal")):
            with self.subTest(content[:80]):
                self.assertNotIn("Warning", self.bounces(content).out)

    def test_files_to_be_mended(self):
        line = [[(0, 0, 0), (0.3, 0, 0), (1, 0, 0)], [(1, 1, 1)] * 3]
        turned = [t[::-1] if k in (1, 7) else t for k, t in enumerate(CUBE)]
        for content, word in (
                (binary(CUBE) + b"\0", "in bytes: 1"),
                (binary(CUBE) + b"x" * 99, "in bytes: 99"),
                (text(CUBE + line), "2 triangles without area"),
                (binary(CUBE + CUBE[:3]), "3 triangles that the file has twice"),
                (text(turned), "turned 2 triangles")):
            with self.subTest(word):
                result = self.bounces(content)
                self.assertEqual(result.out.count("Warning: "), 1)
                self.assertIn("Warning: Obstacle 'block'", result.out)
                self.assertIn(word, result.out)

    def test_files_that_are_none(self):
        good = text(CUBE)
        nan = [[(NAN, 0, 0), *CUBE[0][1:]]] + CUBE[1:]
        for content, words in (
                (good.replace(b"vertex 0 0 0", b"vertex 1.0-5 0 0", 1),
                 ("m.stl, line ", "'1.0-5'")),
                (good.replace(b"vertex 0 0 0", b"vertex 0 1,5 0", 1),
                 ("m.stl, line ", "'1,5'")),
                (good.replace(b"vertex 0 0 0", b"vertex 0 0 1e999", 1),
                 ("m.stl, line ", "'1e999'")),
                (binary(nan), ("not finite",)),
                (text(nan), ("'nan'",)),
                (binary(CUBE)[:84 + 7 * 50],
                 ("announces 12 triangles", "room for 7")),
                (binary(CUBE, b"solid x")[:84 + 7 * 50],
                 ("announces 12 triangles", "room for 7")),
                (good[:400], ("m.stl, line ", "ends")),
                (binary([]), ("no triangles",)),
                (text([]), ("no triangles",)),
                (binary([[(1, 1, 1)] * 3]), ("no triangle has an area",)),
                (b"\x1f\x8b" + bytes(range(256)), ("announces",)),
                (b"", ("empty",))):
            with self.subTest(words):
                self.refused(content, *words)

    def test_orientation(self):
        inward = binary(reversed_(CUBE))
        self.refused(inward, "faces inward", "volume of -1", "Reverse = true")
        self.assertNotIn("Warning",
                         self.bounces(inward, Reverse="true").out)
        # A container around the cube, from files of both orientations.
        room = box((0, 0, 1), (1, 1, 2))
        settings = ["End time=2"]
        for content, entries in (
                (text(reversed_(room)), {"Cavity": "true"}),
                (text(room), {"Reverse": "true", "Cavity": "true"}),
                (text(room), {"Reverse": "true"})):
            with self.subTest(**entries):
                result = self.run_stl(content, settings=settings, **entries)
                self.assertEqual(result.out.count("Warning"),
                                 0 if "Cavity" in entries else 1)
                for row in result.table("bodies.csv"):
                    self.assertGreater(row["cz"], 1)
                    self.assertLess(row["cz"], 2)
        self.refused(text(room), "faces outward", "Cavity = true",
                     Cavity="true")
        self.refused(text(reversed_(room)), "faces outward", Cavity="true",
                     Reverse="true")
        aside = shifted(CUBE, (3, 0, 0))
        for entries in ({}, {"Reverse": "true"}, {"Cavity": "true"}):
            self.refused(text(CUBE + reversed_(aside)), "other than the rest",
                         **entries)

    def test_shells(self):
        hole = box((0.25, 0.25, 0.25), (0.75, 0.75, 0.75))
        for triangles, warns in (
                (CUBE + reversed_(hole), False), (CUBE + hole, True),
                (CUBE + shifted(CUBE, (1, 1, 0)), False),
                (CUBE + shifted(CUBE, (-1, 0, -1)), False),
                (CUBE + shifted(CUBE, (1, 1, 1)), False)):
            for write in (text, binary):
                result = self.bounces(write(triangles))
                self.assertEqual("Warning" in result.out, warns)
        wall = [[(0, 0, 0), (1, 0, 0), (1, 1, 1)],
                [(0, 0, 0), (1, 1, 1), (0, 1, 1)]]
        self.refused(text(CUBE + wall), "3 triangles meet at the edge from")

    def test_open_sheets_hold_on_both_sides(self):
        """A box without a lid: from inside and from below, for long."""
        for triangles in (WITHOUT_TOP, reversed_(WITHOUT_TOP)):
            for height, z, sign in ((1.05, 0.001, 1), (-0.4, -0.2, -1)):
                with self.subTest(height=height):
                    result = self.run_stl(
                        text(triangles), height=height, settings=[
                            "End time=2.5", "Bodies/cube/Initial velocity="
                            "0.1; 0.07; %d" % -sign,
                            "Time stepping/Courant number=0.1",
                            "Output/Check intersections=true"])
                    self.assertIn("is open: 4 edges with one triangle",
                                  result.out)
                    rows = result.table("bodies.csv")
                    for row in rows:
                        self.assertGreater(sign * row["cz"], 0)
                    self.assertGreater(sign * rows[-1]["vz"], 0.5)
                    total = result.column("total_energy")
                    self.assertLess(max(total) / total[0], 1.05)

    def test_ranks_and_validation_agree(self):
        content = text(WITHOUT_TOP)
        one = self.run_stl(content)
        two = self.run_stl(content, ranks=2)
        self.assert_near(one, two, 1e-12)
        self.assertEqual(two.out.count("Warning: Obstacle 'block'"), 1)
        result = self.run_stl(content, options=["--validate"])
        self.assertIn("Warning: Obstacle 'block'", result.out)

    def test_ball_of_many_triangles(self):
        """From an icosahedron, closed only if equal vertices are one."""
        g = (1 + math.sqrt(5)) / 2
        points = [p for a in (-1, 1) for b in (-g, g)
                  for p in ((0, a, b), (a, b, 0), (b, 0, a))]
        triangles = []
        for i, a in enumerate(points):
            for j, b in enumerate(points[:i]):
                for c in points[:j]:
                    if all(abs(math.dist(x, y) - 2) < 1e-9
                           for x, y in ((a, b), (b, c), (c, a))):
                        volume = (a[0] * (b[1] * c[2] - b[2] * c[1]) +
                                  a[1] * (b[2] * c[0] - b[0] * c[2]) +
                                  a[2] * (b[0] * c[1] - b[1] * c[0]))
                        triangles.append([a, b, c] if volume > 0
                                         else [a, c, b])
        self.assertEqual(len(triangles), 20)
        for _ in range(3):
            finer = []
            for a, b, c in triangles:
                ab, bc, ca = (tuple((x + y) / 2 for x, y in zip(p, q))
                              for p, q in ((a, b), (b, c), (c, a)))
                finer += [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
            triangles = [[tuple(v / math.hypot(*x) for v in x) for x in t]
                         for t in finer]
        scaled = {"Scale": "0.5", "settings": [
            "Obstacles/block/Motion/Translation=0.5; 0.45; 0.5"]}
        for content in (text(triangles), binary(triangles)):
            result = self.run_stl(content, **scaled)
            self.assertNotIn("Warning", result.out)
            self.assertLess(result.table("obstacles.csv")[-1]["jz"], -30)
        self.refused(binary(reversed_(triangles)), "inward", **scaled)


if __name__ == "__main__":
    main()
