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


def two_masses(e):
    """Two equal masses with a spring fall with speed 1 on a wall that turns the
    first mass around, with the factor e. Returns the speed of the centre and
    the part of the energy when it is over. Small steps, since the mass may
    bounce without end."""
    x = y = 0.0
    u = v = -1.0
    step, stiffness = 5e-5, 0.5  # their distance has the frequency 1
    for _ in range(round(10 / step)):
        force = stiffness * (y - x)
        u += step * force
        v -= step * force
        x += step * u
        y += step * v
        if x <= 0 and u < 0:
            x, u = 0.0, -e * u
    return ((u + v) / 2,
            (u * u + v * v + stiffness * (x - y)**2) / 2)


def cell(position, velocity):
    """One hexahedron of 0.2 m, without lateral contraction."""
    return {"Mesh": {"Grid generator": "hyper_cube",
                     "Grid generator arguments": "-0.1 : 0.1 : false",
                     "Translation": vector(position)},
            "Initial velocity": "0; 0; %.17g" % velocity,
            "Material": {"Density": 240, "Young's modulus": 1e9,
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


def scene(bodies, end, courant, contact):
    return parameters({
        "Dimension": 3, "End time": end,
        "Time stepping": {"Courant number": courant},
        "Bodies": bodies, "Contact": contact})


class SingleCell(RunTest):
    FLOOR = wall((-0.3, -0.3, -0.1), (0.3, 0.3, 0))

    def leaves(self, bodies, e, name, courant=0.005):
        """The last rows of a body in bodies.csv and of the history."""
        # Far closer to the floor than the shortening of the cell.
        text = scene(bodies, 0.001, courant, {
            "Restitution": e, "Clearance": 1e-7, "Detection distance": 1e-8,
            "Largest clearance": 1e-6})
        result = self.run_file(self.write("cell.prm", text))
        body = [row for row in result.table("bodies.csv")
                if row["body"] == name]
        return body[-1], result.table()

    def test_on_a_wall(self):
        for e in (0, 0.3, 0.5, 0.8, 0.95, 1):
            speed, energy = two_masses(e)
            row, _ = self.leaves(
                {"cell": cell((0.03, 0.01, 0.1001), -SPEED),
                 "floor": self.FLOOR}, e, "cell")
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
        """In the middle of two equal bodies there is a wall."""
        for e in (0, 0.5, 1):
            with self.subTest(e=e):
                speed, _ = two_masses(e)
                row, _ = self.leaves(
                    {"cell": cell((0, 0, 0.1001), -SPEED),
                     "other": cell((0, 0, -0.1001), 0)}, e, "cell")
                self.assertAlmostEqual(row["vz"] / SPEED, (speed - 1) / 2,
                                       delta=0.005)

    def test_flat_on_flat(self):
        """Whatever lies above what: nothing pushes a cell to the side. Here two
        of its nodes are above the line along which the floor is cut into
        triangles."""
        for courant in (0.02, 0.013, 0.005):
            with self.subTest(courant=courant):
                row, _ = self.leaves({"cell": cell((0, 0, 0.1001), -SPEED),
                                      "floor": self.FLOOR}, 1, "cell",
                                     courant)
                for key in ("vx", "vy", "lx", "ly", "lz"):
                    self.assertAlmostEqual(row[key], 0, delta=1e-9 * SPEED)


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
        return scene(bodies, 18.0 if LONG else 1.4, courant,
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
