# SPDX-License-Identifier: LGPL-2.1-or-later
"""Nothing depends on units, on the frame, or on the order of bodies."""

import math
import random
import re

from ricochet_run import RunTest, example, main


def text_of(name):
    with open(example(name)) as file:
        return file.read()


def rotation_matrix(vector):
    angle = math.hypot(*vector)
    if angle == 0:
        return [[float(i == j) for j in range(3)] for i in range(3)]
    x, y, z = (component / angle for component in vector)
    k = [[0, -z, y], [z, 0, -x], [-y, x, 0]]
    kk = multiply(k, k)
    return [[(i == j) + math.sin(angle) * k[i][j] +
             (1 - math.cos(angle)) * kk[i][j] for j in range(3)]
            for i in range(3)]


def multiply(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)]
            for i in range(3)]


def apply(a, v):
    return [sum(a[i][k] * v[k] for k in range(3)) for i in range(3)]


def rotation_vector(m):
    axis = [m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]]
    sine = math.hypot(*axis) / 2
    angle = math.atan2(sine, (m[0][0] + m[1][1] + m[2][2] - 1) / 2)
    return [component / (2 * sine) * angle for component in axis]


SCALARS = ("kinetic_energy", "internal_energy", "total_energy")


class Invariance(RunTest):
    SETTINGS = ["Time stepping/Time step=0", "Time stepping/Courant number=0.1",
                "End time=0.006"]

    def assert_same_scalars(self, one, other, factor=1.0, bound=1e-9,
                            until=None):
        rows, others = one.table(), other.table()
        if until is not None:
            rows, others = rows[:until], others[:until]
        self.assertEqual(len(rows), len(others))
        scale = rows[0]["total_energy"]
        for a, b in zip(rows, others):
            for key in SCALARS:
                self.assertAlmostEqual(a[key] * factor, b[key],
                                       delta=bound * scale * factor)

    def steps_until_collision(self, result, n):
        count = 0
        for i, row in enumerate(result.table()):
            count += row["node_face"] + row["edge_edge"]
            if count >= n:
                return i
        return len(result.table())

    def test_units(self):
        """Millimetre, tonne, second instead of metre, kilogram, second."""
        text = text_of("five-cubes")
        scaled = text.replace("4 : -0.5 : 0.5", "4 : -500 : 500")
        scaled = re.sub(r"(set Translation =)(.*)",
                        lambda m: m[1] + ", ".join(
                            " %.17g" % (1e3 * float(v))
                            for v in m[2].split(",")), scaled)
        scaled = re.sub(r"(set Initial velocity =)(.*)",
                        lambda m: m[1] + "; ".join(
                            " %.17g" % (1e3 * float(v))
                            for v in m[2].split(";")), scaled)
        scaled = scaled.replace("Density = 0.7085", "Density = 0.7085e-12")
        scaled = scaled.replace("modulus = 2.1e5", "modulus = 2.1e-1")
        one = self.run_file(example("five-cubes"), ["End time=0.006"])
        other = self.run_file(self.write("mm.prm", scaled),
                              ["End time=0.006"])
        self.assertGreater(sum(one.column("passes")), 10)
        self.assert_same_scalars(one, other, factor=1e3)

    def test_rotated_frame(self):
        generator = random.Random(1)
        turn = rotation_matrix([generator.uniform(-2, 2) for _ in range(3)])

        def vector(separator, values):
            return separator.join(" %.17g" % v for v in values)

        lines, rotation = [], None
        for line in text_of("five-cubes").split("\n"):
            key, _, value = line.partition("=")
            if "set Rotation" in key:
                own = rotation_matrix([float(v) for v in value.split(",")])
                line = key + "=" + vector(
                    ",", rotation_vector(multiply(turn, own)))
            elif "set Translation" in key:
                line = key + "=" + vector(
                    ",", apply(turn, [float(v) for v in value.split(",")]))
            elif "set Initial velocity" in key:
                line = key + "=" + vector(
                    ";", apply(turn, [float(v) for v in value.split(";")]))
            lines.append(line)
        one = self.run_file(example("five-cubes"), self.SETTINGS)
        other = self.run_file(self.write("turned.prm", "\n".join(lines)),
                              self.SETTINGS)
        until = self.steps_until_collision(one, 10)
        self.assertGreater(until, 10)
        self.assert_same_scalars(one, other, bound=1e-8, until=until)

    def test_order_of_bodies(self):
        text = text_of("five-cubes")
        head, bodies = text.split("subsection Bodies\n")
        bodies, tail = bodies.split("\nsubsection Contact")
        parts = bodies.rsplit("end", 1)[0].split("  subsection ")
        parts = ["  subsection " + part for part in parts
                 if part.strip()]
        # Inner sections start with more spaces; join them to their body.
        bodies = []
        for part in parts:
            if re.match(r"  subsection (cube|single)", part):
                bodies.append(part)
            else:
                bodies[-1] += part
        self.assertEqual(len(bodies), 5)
        shuffled = (head + "subsection Bodies\n" +
                    "\n".join(reversed(bodies)) + "\nend\nsubsection Contact" +
                    tail)
        one = self.run_file(example("five-cubes"), self.SETTINGS)
        other = self.run_file(self.write("shuffled.prm", shuffled),
                              self.SETTINGS)
        until = self.steps_until_collision(one, 10)
        self.assert_same_scalars(one, other, bound=1e-8, until=until)


if __name__ == "__main__":
    main()
