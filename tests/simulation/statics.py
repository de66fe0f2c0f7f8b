# SPDX-License-Identifier: LGPL-2.1-or-later
"""Initial equilibria against beam theory and Lame's thick rings (S. P. Timoshenko
and J. N. Goodier: Theory of Elasticity, McGraw-Hill 1951) and Hertz's contacts
(K. L. Johnson: Contact Mechanics, Cambridge University Press 1985), what comes
after them, and bodies that have none."""

import glob
import math
import os
import re
import xml.etree.ElementTree

from ricochet_run import SOURCE, RunTest, array, main, parameters, vector

PRESS_FIT = os.path.join(SOURCE, "prm", "energy-momentum", "press-fit.prm")
RUBBER = {"Law": "neo-Hookean", "Density": 1000, "Young's modulus": 1e7,
          "Poisson's ratio": 0.3}


def bricks(cells, lower, upper, **entries):
    return dict({"Grid generator": "subdivided_hyper_rectangle",
                 "Grid generator arguments":
                     "%s : %s : %s : true" % (vector(cells), vector(lower),
                                              vector(upper))}, **entries)


def model(dim, bodies, end=1e-9, stepping=None, **entries):
    return parameters({
        "Dimension": dim, "End time": end, "Bodies": bodies,
        "Time stepping": {"Initial equilibrium": "true", **(stepping or {})},
        **entries})


def symmetry(boundary, component):
    return {"Boundary ids": boundary, "Components": component}


def linear(modulus, ratio):
    """The shear modulus, and 2 (lambda + mu)."""
    mu = modulus / (2 * (1 + ratio))
    return mu, 2 * mu / (1 - 2 * ratio)


class Statics(RunTest):

    def run_text(self, text, *args, **kwargs):
        return self.run_file(self.write("model.prm", text), *args, **kwargs)

    def contact_pressures(self, result, body):
        """Places and pressures of the vertices of a body in the last step."""
        piece = xml.etree.ElementTree.parse(sorted(glob.glob(
            result.path("contact-*.vtu")))[-1]).find(".//Piece")
        points = array(piece.find("Points/DataArray"), "d")
        bodies, pressures = (
            array(piece.find("PointData/DataArray[@Name='%s']" % name), "f")
            for name in ("body", "normal_pressure"))
        return {points[3 * i:3 * i + 3]: p
                for i, (b, p) in enumerate(zip(bodies, pressures))
                if b == body}

    def test_cantilever(self):
        length, height, modulus, ratio, weight = 1, 0.02, 1e9, 0.3, 0.1
        shear, _ = linear(modulus, ratio)
        for dim in (2, 3):
            with self.subTest(dim=dim):
                sides = [height] * (dim - 1)
                beam = {
                    "Mesh": bricks([40] + [2] * (dim - 1), [0] * dim,
                                   [length] + sides),
                    "Body force": "0; %g" % (-weight / 1000) +
                                  ("; 0" if dim == 3 else ""),
                    "Material": {"Law": "neo-Hookean", "Density": 1000,
                                 "Young's modulus": modulus,
                                 "Poisson's ratio": ratio},
                    "Prescribed motion": {"wall": {"Boundary ids": 0}}}
                tip = vector([length] + [side / 2 for side in sides])
                result = self.run_text(model(
                    dim, {"Element degree": 2, "beam": beam},
                    Output={"Probes": {"tip": {"Position": tip}}}))
                # Timoshenko's beam, per area of the section.
                stiffness = modulus / (1 - ratio**2 if dim == 2 else 1)
                factor = (5 / 6 if dim == 2 else
                          10 * (1 + ratio) / (12 + 11 * ratio))
                expected = weight * length**2 * (
                    length**2 * 12 / (8 * stiffness * height**2) +
                    1 / (2 * factor * shear))
                moved = -result.column("uy", "probes.csv")[0]
                self.assertAlmostEqual(moved / expected, 1, delta=0.005)

    def test_thick_ring(self):
        inner, outer, modulus, ratio, u = 0.1, 0.2, 2e11, 0.3, 1e-6
        mu, k = linear(modulus, ratio)
        # u = A r + B/r without traction outside.
        B = u / (2 * mu / k * inner / outer**2 + 1 / inner)
        A = 2 * mu * B / (k * outer**2)
        pressure = 2 * mu * B / inner**2 - k * A
        for degree in (1, 2):
            with self.subTest(degree=degree):
                ring = {
                    "Mesh": {"Grid generator": "quarter_hyper_shell",
                             "Grid generator arguments":
                                 "0, 0 : %g : %g : 2 : true" % (inner, outer),
                             "Refinements": 5 - degree},
                    "Material": {"Law": "small-strain linear",
                                 "Density": 7800, "Young's modulus": modulus,
                                 "Poisson's ratio": ratio},
                    "Prescribed motion": {
                        "symmetry about x": symmetry(3, "y"),
                        "symmetry about y": symmetry(2, "x"),
                        "bore": {"Boundary ids": 0, "Function":
                                 "; ".join("%g*%s/sqrt(x^2 + y^2)" % (u, c)
                                           for c in "xy")}}}
                result = self.run_text(model(
                    2, {"Element degree": degree, "ring": ring},
                    Output={"Probes": {"rim": {
                        "Position": vector((outer, 0))}}}))
                moved = result.column("ux", "probes.csv")[0]
                self.assertAlmostEqual(
                    moved / (A * outer + B / outer), 1, delta=0.005)
                forces = [row for row in result.table("reactions.csv")
                          if row["step"] == 1 and row["boundary_id"] == 0]
                for key in ("fx", "fy"):
                    self.assertAlmostEqual(
                        forces[0][key] / (pressure * inner), 1, delta=0.005)


    def hertz(self, dim, radius, width, lift, cells, level):
        """Press a rigid ball (in 2D a cylinder) of radius 1 into the middle of
        a block whose base is lifted, a symmetric part of it, with cells that
        become finer toward the contact. Compare with Hertz for the force that
        is found."""
        modulus, ratio = 2e11, 0.3
        stiffness = modulus / (1 - ratio**2)
        normal = "xyz"[dim - 1]
        distance = "sqrt(%s)" % " + ".join(c + "^2" for c in "xyz"[:dim])
        supports = {"symmetry about " + c: symmetry(2 * i, c)
                    for i, c in enumerate("xyz"[:dim - 1])}
        supports["base"] = {
            "Boundary ids": 2 * dim - 2,
            "Function": "0; " * (dim - 1) + "%g" % lift}
        block = {"Mesh": bricks([cells] * dim, [0] * (dim - 1) + [-width],
                                [width] * (dim - 1) + [0],
                                **{"Local refinement":
                                   "%d - 2*log2(max(1, %s/%g))" %
                                   (level, distance, 1.25 * radius)}),
                 "Contact boundary ids": 2 * dim - 1,
                 "Material": {"Law": "small-strain linear", "Density": 7800,
                              "Young's modulus": modulus,
                              "Poisson's ratio": ratio},
                 "Prescribed motion": supports}
        # By this obstacle, vertices are in contact, not facets.
        ball = {"Type": "function", "function": {"Signed distance":
                "sqrt(%s + (%s - 1)^2) - 1" % (
                    " + ".join(c + "^2" for c in "xyz"[:dim - 1]), normal)}}
        result = self.run_text(
            model(dim, {"block": block}, end=1e-7,
                  stepping={"Integrator": "energy-momentum",
                            "Time step": 1e-7},
                  Obstacles={"ball": ball},
                  Contact={"Response": "energy-momentum"}),
            ["Output/Number of ParaView files=1"], files=True)
        parts = 2**(dim - 1)
        force = parts * result.column("f" + normal, "reactions.csv")[-1]
        if dim == 2:
            a = math.sqrt(4 * force / (math.pi * stiffness))
            peak = 2 * force / (math.pi * a)
        else:
            a = (3 * force / (4 * stiffness))**(1 / 3)
            peak = 3 * force / (2 * math.pi * a**2)
        pressures = sorted(
            (math.hypot(*point[:dim - 1]), p) for point, p in
            self.contact_pressures(result, 0).items())
        # The squared pressure falls linearly with the squared distance: so it
        # is known between vertices as well, at the centre and at the rim.
        inside = [(r**2, p**2) for r, p in pressures if p > 0 and r < 0.9 * a]
        self.assertGreater(len(inside), 10)
        r_mean, p_mean = (sum(column) / len(inside)
                          for column in zip(*inside))
        slope = (sum((r - r_mean) * (p - p_mean) for r, p in inside) /
                 sum((r - r_mean)**2 for r, _ in inside))
        self.assertAlmostEqual(math.sqrt(r_mean - p_mean / slope) / a, 1,
                               delta=0.03)
        self.assertAlmostEqual(math.sqrt(p_mean - slope * r_mean) / peak, 1,
                               delta=0.03)
        self.assertAlmostEqual(math.sqrt(max(p for _, p in inside)) / peak, 1,
                               delta=0.03)
        last = max(r for r, p in pressures if p > 0)
        size = width / cells / 2**level
        self.assertAlmostEqual(last, a, delta=size + 0.03 * a)
        rows = result.table()
        self.assertLessEqual(rows[-1]["kinetic_energy"],
                             1e-20 * rows[-1]["internal_energy"])

    def test_hertz_cylinder(self):
        self.hertz(2, 0.02, 0.5, 8.2e-4, 8, 7)

    def test_hertz_sphere(self):
        self.hertz(3, 0.05, 0.5, 2.75e-3, 4, 4)

    def press_fit(self, settings=(), **kwargs):
        return self.run_file(PRESS_FIT, ["End time=2e-5", *settings], **kwargs)

    def test_press_fit(self):
        bore, fit, rim, modulus, ratio, u = 0.04, 0.05, 0.07, 2.1e11, 0.3, 4e-5
        mu, k = linear(modulus, ratio)
        # u = A r + B/r in both: of the hub for a unit pressure; of the bush for
        # one, and for its bore.
        hub_B = 1 / (2 * mu / fit**2 - 2 * mu / rim**2)
        hub_A = 2 * mu * hub_B / (k * rim**2)
        divisor = k + 2 * mu * bore**2 / fit**2
        lever = fit - bore**2 / fit
        pressure = ((bore * u / fit +
                     2 * mu * bore * u / fit**2 * lever / divisor) /
                    (hub_A * fit + hub_B / fit + lever / divisor))
        result = self.press_fit(["Output/Number of ParaView files=1"],
                                files=True)
        found = list(self.contact_pressures(result, 1).values())
        self.assertEqual(len(found), 33)
        self.assertAlmostEqual(sum(found) / len(found) / pressure, 1,
                               delta=0.005)
        # Each vertex of the hub is pressed by a facet, whose normal is askew
        # by half the angle between two.
        for p in found:
            self.assertAlmostEqual(p / pressure, 1,
                                   delta=math.pi / 2 / 32 / 2 * math.pi / 2)
        moved = result.column("ux", "probes.csv")[0]
        self.assertAlmostEqual(
            moved / (pressure * (hub_A * rim + hub_B / rim)), 1, delta=0.01)
        rows = result.table()
        self.assertEqual(len(rows), 21)
        for row in rows:
            self.assertLessEqual(row["kinetic_energy"],
                                 1e-20 * row["internal_energy"])


    def test_press_fit_on_ranks_and_after_a_restart(self):
        # Until the bush has let go of the hub, from when it still presses.
        settings = ["End time=1.1e-4"]
        one = self.press_fit(settings)
        self.assert_near(one, self.press_fit(settings, ranks=2), 1e-9)
        half = os.path.join(self.folder, "half")
        self.press_fit(["End time=1.01e-4"], output=half)
        self.assert_near(one, self.press_fit(settings, output=half,
                                             options=["--restart"]), 1e-9)
        rows = one.table()
        energy = rows[0]["total_energy"]
        for row in rows:
            self.assertAlmostEqual(row["total_energy"] / energy, 1,
                                   delta=1e-8)
        self.assertGreater(rows[-1]["kinetic_energy"], 0.01 * energy)
        # What the penalties had stored.
        self.assertGreater(rows[-1]["contact_work"], 0)
        self.assertLess(rows[-1]["contact_work"], 1e-3 * energy)

    def test_gravity(self):
        # Before explicit steps, which would let it vibrate otherwise.
        block = {"Mesh": bricks((4, 6), (0, 0), (0.4, 0.6)),
                 "Body force": "0; -9.81", "Material": RUBBER,
                 "Prescribed motion": {"ground": {"Boundary ids": 2}}}
        text = model(2, {"block": block}, end=0.05)
        rows = self.run_text(text).table()
        self.assertGreater(len(rows), 50)
        for row in rows:
            self.assertLessEqual(row["kinetic_energy"],
                                 1e-20 * row["internal_energy"])
            self.assertAlmostEqual(row["internal_energy"],
                                   rows[0]["internal_energy"],
                                   delta=1e-10 * rows[0]["internal_energy"])
        vibrating = self.run_text(
            text, ["Time stepping/Initial equilibrium=false"]).table()
        self.assertGreater(max(row["kinetic_energy"] for row in vibrating),
                           0.1 * rows[0]["internal_energy"])

    def test_bodies_lie_on_each_other(self):
        # No support holds them up.
        def block(low, high):
            return {"Mesh": bricks((3, 3), (0, low), (0.6, high)),
                    "Body force": "0; -9.81", "Material": RUBBER,
                    "Prescribed motion": {"symmetry": symmetry(0, "x")}}
        text = model(2, {"lower": block(0, 0.6), "upper": block(0.6, 1)},
                     end=0.05, stepping={"Integrator": "energy-momentum",
                                         "Time step": 0.005},
                     Obstacles={"floor": {"Type": "half-space"}},
                     Contact={"Response": "energy-momentum"})
        for ranks in (1, 2):
            with self.subTest(ranks=ranks):
                result = self.run_text(text, ranks=ranks)
                weight = 9.81 * 1000 * 0.6 * 1
                self.assertAlmostEqual(result.column(
                    "fy", "obstacles.csv")[-1] / -weight, 1, delta=1e-8)
                for row in result.table():
                    self.assertLessEqual(row["kinetic_energy"],
                                         1e-16 * row["internal_energy"])

    def test_free_motions_are_named(self):
        held = {"Mesh": bricks((2, 2), (0, 0), (1, 1)), "Material": RUBBER,
                "Prescribed motion": {"wall": {"Boundary ids": 0}}}
        free = {"Mesh": bricks((2, 2), (2, 0), (3, 1)), "Material": RUBBER}
        guided = {**free, "Prescribed motion": {
            "rail": symmetry(2, "y")}}
        solid = {"Mesh": bricks((2, 2, 2), (0, 0, 0), (1, 1, 1)),
                 "Material": RUBBER}
        standing = {**solid, "Prescribed motion": {"floor": symmetry(4, "z")}}
        for dim, body, motions in (
                (2, free, "translation along x, translation along y, "
                          "rotation"),
                (2, guided, "translation along x"),
                (3, solid, "translation along x, translation along y, "
                           "translation along z, rotation about x, "
                           "rotation about y, rotation about z"),
                (3, standing, "translation along x, translation along y, "
                              "rotation about z")):
            with self.subTest(dim=dim, motions=motions):
                bodies = {"loose": body}
                if dim == 2:
                    bodies = {"held": held, **bodies}
                result = self.run_text(model(dim, bodies), expect=1)
                self.assertIn("nothing holds body 'loose' in these rigid "
                              "motions: " + motions + ". Give it",
                              result.err)

    def test_bodies_without_any_contact_are_named(self):
        free = {"Mesh": bricks((2, 2), (0, 1), (1, 2)),
                "Body force": "9.81; 0", "Material": RUBBER}
        result = self.run_text(
            model(2, {"loose": free}, Obstacles={"floor": {
                "Type": "half-space"}},
                stepping={"Integrator": "energy-momentum", "Time step": 0.01},
                Contact={"Response": "energy-momentum"}), expect=1)
        self.assertIn("'loose'", result.err)
        self.assertIn("Contact does not hold it either", result.err)

    def test_loads_that_are_too_large(self):
        # Saint Venant-Kirchhoff's law bears M/sqrt(27) when a column is
        # pressed whose width is given, with the modulus M of this. All nodes
        # but those at the bottom weigh upon the lowest cell.
        n, modulus, height = 10, 1e7, 1
        bears = modulus / math.sqrt(27)
        column = {"Mesh": bricks((1, n), (0, 0), (0.1, height)),
                  "Body force": "0; %.17g" % (-2 * bears / 1000 / height),
                  "Material": {"Law": "Saint Venant-Kirchhoff",
                               "Density": 1000, "Young's modulus": modulus,
                               "Poisson's ratio": 0},
                  "Prescribed motion": {"left": symmetry(0, "x"),
                                        "right": symmetry(1, "x"),
                                        "ground": {"Boundary ids": 2}}}
        result = self.run_text(model(2, {"column": column}), expect=1)
        found = re.search("none was found beyond ([0-9.]+) % of the loads",
                          result.err)
        self.assertTrue(found, result.err)
        self.assertAlmostEqual(float(found[1]) / 100, 0.5 / (1 - 0.5 / n),
                               delta=0.002)
        self.assertIn("body 'column'", result.err)
        self.assertIn("reduce body forces", result.err)


if __name__ == "__main__":
    main()
