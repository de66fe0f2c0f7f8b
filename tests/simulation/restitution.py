# SPDX-License-Identifier: LGPL-2.1-or-later
"""What a coefficient of restitution does to bodies, and what many elastic
impacts do to the energy.

The coefficient acts at the nodes in contact, not on bodies: the rest of a body
flies on, and waves carry this to the nodes, which are hit again. So a body
rebounds with another speed than its nodes, however stiff it is. With one
hexahedron and no lateral contraction, the body is two masses and a spring,
whose motion is known.

With RICOCHET_LONG_TESTS=1 in the environment, the spheres hit each other and
the walls 200 times instead of 20.
"""

import math

from ricochet_run import LONG, RunTest, energies, main, parameters, vector

SPEED = math.sqrt(2 * 9.81 * 2)  # after falling from 2 m
SIZE, DENSITY, YOUNG = 0.2, 240, 1e9  # of a cell
FREQUENCY = 2 / SIZE * math.sqrt(YOUNG / DENSITY)


def row_of_cells(speeds, gaps, e, held=False):
    """Cells in a row, each of which is two masses 1 with a spring so that it
    oscillates with the frequency 1, fly into each other, and masses that meet
    exchange impulses with the restitution e. The first cell may be held. Returns the speed of
    each cell when the time 10 + the sum of the gaps is over, and its energy,
    where a cell that flies with speed 1 has 1. Small steps, since masses may
    bounce without end."""
    step, stiffness = 5e-5, 0.5
    inverse = [1.0] * (2 * len(speeds))
    if held:
        inverse[:2] = [0.0, 0.0]
    x = [0.0]  # without the lengths of cells
    for gap in gaps:
        x += [x[-1], x[-1] + gap]
    x.append(x[-1])
    v = [float(speed) for speed in speeds for _ in range(2)]
    for _ in range(round((10 + sum(gaps)) / step)):
        for i in range(0, len(x), 2):
            force = stiffness * (x[i + 1] - x[i])
            v[i] += step * inverse[i] * force
            v[i + 1] -= step * inverse[i + 1] * force
        for i in range(len(x)):
            x[i] += step * v[i]
        for i in range(1, len(x) - 1, 2):
            mobility = inverse[i] + inverse[i + 1]
            overlap, approach = x[i] - x[i + 1], v[i] - v[i + 1]
            if overlap >= 0 and approach > 0:
                impulse = (1 + e) * approach / mobility
                v[i] -= inverse[i] * impulse
                v[i + 1] += inverse[i + 1] * impulse
                x[i] -= inverse[i] * overlap / mobility
                x[i + 1] += inverse[i + 1] * overlap / mobility
    return [((v[i] + v[i + 1]) / 2,
             (v[i]**2 + v[i + 1]**2 + stiffness * (x[i + 1] - x[i])**2) / 2)
            for i in range(0, len(x), 2)]


def cell(position, velocity):
    """One hexahedron, without lateral contraction."""
    return {"Mesh": {"Grid generator": "hyper_cube",
                     "Grid generator arguments": "%g : %g : false" % (
                         -SIZE / 2, SIZE / 2),
                     "Translation": vector(position)},
            "Initial velocity": "0; 0; %.17g" % velocity,
            "Material": {"Density": DENSITY, "Young's modulus": YOUNG,
                         "Poisson's ratio": 0}}


def wall(lower, upper):
    """A box whose nodes are all held."""
    return {"Mesh": {"Grid generator": "hyper_rectangle",
                     "Grid generator arguments": "%s : %s : true" % (
                         vector(lower), vector(upper))},
            "Material": {"Density": 1000, "Young's modulus": 1e6,
                         "Poisson's ratio": 0},
            "Prescribed motion": {"held": {
                "Boundary ids": "0, 1, 2, 3, 4, 5"}}}


def scene(bodies, end, courant, contact, output=None):
    return parameters({
        "Dimension": 3, "End time": end,
        "Time stepping": {"Courant number": courant},
        "Bodies": bodies, "Contact": contact, "Output": output or {}})


class SingleCell(RunTest):
    FLOOR = wall((-0.3, -0.3, -0.1), (0.3, 0.3, 0))

    def leaves(self, bodies, e, courant=0.005, probes=None):
        """The run, and the last rows of the bodies in bodies.csv by name."""
        text = scene(bodies, 0.001, courant, {
            "Restitution": e}, {"Probes": probes or {}})
        result = self.run_file(self.write("cell.prm", text))
        # The last row of each body replaces those before it.
        return result, {row["body"]: row for row in result.table("bodies.csv")}

    def check_row(self, gaps, e):
        """Cells in a row above each other, of which the first one falls."""
        bodies, z = {"cell 0": cell((0, 0, 0), -SPEED)}, 0.0
        for i, gap in enumerate(gaps, 1):
            z -= SIZE + gap
            bodies["cell %d" % i] = cell((0, 0, z), 0)
        probes = {name: {"Body": name, "Position": "%g, %g, %.17g" % (
                             SIZE / 2, SIZE / 2, z)}
                  for name, z in (("cell 0", -SIZE / 2),
                                  ("cell 1", -SIZE / 2 - gaps[0]))}
        result, last = self.leaves(bodies, e, probes=probes)
        expected = row_of_cells(
            [1] + [0] * len(gaps),
            [0] + [gap * FREQUENCY / SPEED for gap in gaps[1:]], e)
        for i, (speed, _) in enumerate(expected):
            self.assertAlmostEqual(-last["cell %d" % i]["vz"] / SPEED, speed,
                                   delta=0.005)
        self.assert_momentum(result)
        return result, [-last["cell %d" % i]["vz"] / SPEED
                        for i in range(len(expected))]

    def test_on_a_wall(self):
        for e in (0, 0.3, 0.5, 0.8, 0.95, 1):
            _, (speed, energy) = row_of_cells((0, -1), (0,), e, held=True)
            _, last = self.leaves(
                {"cell": cell((0.03, 0.01, 0.1001), -SPEED),
                 "floor": self.FLOOR}, e)
            row = last["cell"]
            part = ((row["kinetic_energy"] + row["internal_energy"]) /
                    (0.5 * row["mass"] * SPEED**2))
            print("e = %g: the body rebounds with %.4f of its speed, with "
                  "%.4f of its energy, %.4f of it vibration" % (
                      e, row["vz"] / SPEED, part,
                      1 - (row["vz"] / SPEED)**2 / part), flush=True)
            with self.subTest(e=e):
                self.assertAlmostEqual(row["vz"] / SPEED, speed, delta=0.005)
                self.assertAlmostEqual(part, energy, delta=0.005)

    def test_on_each_other(self):
        """With e = 1, equal cells exchange their speeds. With e = 0, the faces
        that meet go on together until half an oscillation is over, when the
        ends of both cells have exchanged their speeds relative to the faces.
        """
        for e, speeds in ((0, (0.25, 0.75)), (0.5, None), (1, (0, 1))):
            with self.subTest(e=e):
                result, found = self.check_row((1e-4,), e)
                for speed, expected in zip(found, speeds or found):
                    self.assertAlmostEqual(speed, expected, delta=0.005)
                # Without restitution the approach ends in the second step.
                first = next(row["step"] for row in result.table()
                             if row["passes"] > 0) + (1 if e == 0 else 0)
                faces = {row["probe"]: -row["vz"] / SPEED
                         for row in result.table("probes.csv")
                         if row["step"] == first}
                self.assertAlmostEqual(faces["cell 0"], (1 - e) / 2,
                                       delta=0.005)
                self.assertAlmostEqual(faces["cell 1"], (1 + e) / 2,
                                       delta=0.005)

    def test_three_in_a_row(self):
        """With e = 1, the last one takes all of the speed if each impact is
        over before the next one. If they touch, it does not."""
        apart = 6 * SPEED / FREQUENCY
        _, speeds = self.check_row((1e-4, apart), 1)
        for speed, expected in zip(speeds, (0, 0, 1)):
            self.assertAlmostEqual(speed, expected, delta=0.005)
        for e in (0, 0.5, 1):
            for gap in (1e-6, apart):
                with self.subTest(e=e, gap=gap):
                    self.check_row((1e-4, gap), e)

    def test_flat_on_flat(self):
        """Whatever lies above what: nothing pushes a cell to the side. Here two
        of its nodes are above the line along which the floor is cut into
        triangles."""
        for courant in (0.02, 0.013, 0.005):
            with self.subTest(courant=courant):
                _, last = self.leaves({"cell": cell((0, 0, 0.1001), -SPEED),
                                       "floor": self.FLOOR}, 1, courant)
                for key in ("vx", "vy", "lx", "ly", "lz"):
                    self.assertAlmostEqual(last["cell"][key], 0,
                                           delta=1e-9 * SPEED)

    def test_rest(self):
        """No bounce is higher than where the cell fell from. Without full
        restitution it comes to rest, and for the rest of a second it moves by
        less than the shortening of a cell by its own weight, and not more and
        more."""
        height, gravity, young = 1e-3, 9.81, 1e7  # few steps in a second
        shortening = 2 * gravity / (FREQUENCY**2 * young / YOUNG)
        bodies = {"cell": cell((0, 0, SIZE / 2 + height), 0),
                  "floor": self.FLOOR}
        bodies["cell"]["Body force"] = "0; 0; %g" % -gravity
        bodies["cell"]["Material"]["Young's modulus"] = young
        for e in (0, 0.5, 1):
            with self.subTest(e=e):
                text = scene(bodies, 1.0, 0.1, {"Restitution": e})
                result = self.run_file(self.write("rest.prm", text))
                heights = [(row["time"], row["cz"] - SIZE / 2)
                           for row in result.table("bodies.csv")
                           if row["body"] == "cell"]

                def highest(begin, end):
                    return max(z for t, z in heights if begin <= t <= end)

                print("e = %g: up to %.3g m in a second, %.3g m at its end" %
                      (e, highest(0, 1), highest(0.9, 1)), flush=True)
                self.assertLessEqual(highest(0, 1), 1.005 * height)
                self.assertGreater(min(z for _, z in heights), -2e-4)
                if e < 1:
                    self.assertLess(highest(0.1, 1), shortening)
                    # It settles below where it starts.
                    self.assertLess(highest(0.6, 1),
                                    max(0, 1.2 * highest(0.1, 0.5)))


class TwoSpheresInABox(RunTest):
    """Each impact costs little energy, less with smaller steps, and none is
    gained."""
    N_IMPACTS = 200 if LONG else 20
    # An impact ends when nothing touched for this long.
    PAUSE = 2e-3

    def scene(self, courant):
        bodies = {}
        for name, centre, velocity in (
                ("first", (-0.12, -0.1, 0.02), "2; 1.3; 0.7"),
                ("second", (0.11, 0.09, -0.05), "-1.1; -2.3; 1.9")):
            bodies[name] = {
                "Mesh": {"Grid generator": "hyper_ball",
                         "Grid generator arguments": "0, 0, 0 : 0.1 : false",
                         "Refinements": 1, "Translation": vector(centre)},
                "Initial velocity": velocity,
                "Material": {"Density": 1000, "Young's modulus": 1e7,
                             "Poisson's ratio": 0.3}}
        for d in range(3):
            for side in (-1, 1):
                lower, upper = [-0.24] * 3, [0.24] * 3
                lower[d], upper[d] = sorted((0.25 * side, 0.3 * side))
                bodies["wall %d %d" % (d, side)] = wall(lower, upper)
        # Walls do not move, so that pairs of walls cost nothing.
        return scene(bodies, 20.0 if LONG else 1.4, courant,
                     {"Restitution": 1})

    def loss(self, courant):
        """Mean loss per impact, as a part of the energy at the start."""
        result = self.run_file(self.write("box.prm", self.scene(courant)))
        rows = result.table()
        energy = energies(rows)
        last, impacts = -1.0, []
        for i, row in enumerate(rows):
            if row["passes"] > 0:
                if row["time"] > last + self.PAUSE:
                    impacts.append(i)
                last = row["time"]
        self.assertGreater(len(impacts), self.N_IMPACTS)
        self.assertLessEqual(max(energy), 0.005)
        loss = -energy[impacts[self.N_IMPACTS] - 1] / self.N_IMPACTS
        print("Courant number %g: %d impacts lost %.3g of the energy each, "
              "largest gain %.3g" % (courant, self.N_IMPACTS, loss,
                                     max(energy)), flush=True)
        return loss

    def test_energy(self):
        coarse, fine = self.loss(0.1), self.loss(0.05)
        self.assertLess(abs(fine), abs(coarse))


if __name__ == "__main__":
    main()
