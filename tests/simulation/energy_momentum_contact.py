# SPDX-License-Identifier: LGPL-2.1-or-later
"""Contact of every kind with the response "energy-momentum": energy changes by
friction and supports alone, and momenta by nothing."""

import math

from energy_momentum import EnergyMomentumTest, last_of
from ricochet_run import main, parameters, vector

SOFT = {"Law": "Saint Venant-Kirchhoff", "Density": 1, "Young's modulus": 100,
        "Poisson's ratio": 0.3}


def square(centre, velocity, n=4, side=1, **entries):
    """In two dimensions, of n x n cells."""
    lower = [x - side / 2 for x in centre]
    upper = [x + side / 2 for x in centre]
    return {"Mesh": {"Grid generator": "subdivided_hyper_rectangle",
                     "Grid generator arguments": "%d, %d : %s : %s : true" % (
                         n, n, vector(lower), vector(upper)),
                     **entries.pop("Mesh", {})},
            "Initial velocity": vector(velocity, "; "),
            "Material": SOFT, **entries}


class EnergyMomentumContact(EnergyMomentumTest):

    def run_scene(self, bodies, end, contact=None, step=0.01, dim=2,
                  settings=(), ranks=1, **entries):
        text = parameters({
            "Dimension": dim, "End time": end, "Bodies": bodies,
            "Time stepping": {"Integrator": "energy-momentum",
                              "Time step": step},
            "Contact": {"Response": "energy-momentum",
                        "Friction coefficient": 0.3, **(contact or {})},
            **entries})
        return self.run_file(self.write("scene.prm", text), settings,
                             ranks=ranks)

    def test_three_bodies_and_three_ranks(self):
        bodies = {"left": square((0, 0), (2, 0.1)),
                  "middle": square((1.1, 0.2), (0, 0), n=3),
                  "right": square((2.2, -0.1), (-1, 0), n=5)}
        for ranks in (1, 3):
            self.assert_conserved(self.run_scene(bodies, 1, ranks=ranks))

    def test_symmetric_contact(self):
        bodies = {"left": square((0, 0), (2, 0.1)),
                  "right": square((1.1, 0.2), (0, 0), n=3)}
        self.assert_conserved(self.run_scene(bodies, 0.5, {
            "energy-momentum": {"Master-slave": "symmetric"}}))

    def test_consistent_mass(self):
        bodies = {"left": square((0, 0), (2, 0.1)),
                  "right": square((1.1, 0.2), (0, 0), n=3)}
        self.assert_conserved(self.run_scene(
            bodies, 0.5, settings=["Mass/Matrix=consistent"]))

    def test_simplices_against_quadrilaterals(self):
        bodies = {"left": square((0, 0), (2, 0.1),
                                 Mesh={"Simplices": "true"}),
                  "right": square((1.1, 0.2), (0, 0), n=3)}
        for ranks in (1, 2):
            self.assert_conserved(self.run_scene(bodies, 0.5, ranks=ranks))

    def test_hanging_nodes(self):
        fine = {"Local refinement": "if(y > 0.1, 1, 0)"}
        bodies = {"left": square((0, 0), (2, 0.1), Mesh=fine),
                  "right": square((1.1, 0.2), (0, 0), n=3, Mesh=fine)}
        for table in ("left:right", "right:left"):
            for ranks in (1, 2):
                self.assert_conserved(self.run_scene(bodies, 0.5, {
                    "energy-momentum": {"Master-slave": table}}, ranks=ranks))

    def test_self_contact(self):
        """A thin ring collapses until its insides meet."""
        rubber = {**SOFT, "Law": "neo-Hookean", "Young's modulus": 400}
        ring = {"Mesh": {"Grid generator": "concentric_hyper_shells",
                         "Grid generator arguments":
                             "0, 0 : 0.95 : 1 : 1 : 0 : 60 : false"},
                "Initial velocity": "0.3*y; 0.5*x - 5*y", "Material": rubber}
        self.assert_conserved(self.run_scene(
            {"ring": ring}, 0.6, {"Self-contact": "true"}))

    def test_supports_that_are_touched(self):
        """The balance of angular momentum knows what supports and contact do
        to the same nodes; the energy, that supports do not move."""
        plate = {"Mesh": {
            "Grid generator": "subdivided_hyper_rectangle",
            "Grid generator arguments": "6, 1 : -3, -0.4 : 3, 0 : true"},
                 "Material": SOFT,
                 "Prescribed motion": {"held": {"Boundary ids": "0, 1, 3"}}}
        bodies = {"plate": plate, "square": square((0.1, 0.6), (1, -2))}
        result = self.run_scene(bodies, 0.6)
        self.assert_energy(result)
        self.assertLessEqual(max(result.column("l_error")), 1e-10)

    def test_supports_that_push(self):
        """External work is all that the energy changes by."""
        plate = {"Mesh": {
            "Grid generator": "subdivided_hyper_rectangle",
            "Grid generator arguments": "6, 1 : -3, -0.4 : 3, 0 : true"},
                 "Material": SOFT,
                 "Prescribed motion": {"pushed": {
                     "Boundary ids": "2",
                     "Function": "0; 0.1*sin(4*t)"}}}
        result = self.run_scene({"plate": plate,
                                 "square": square((0.1, 0.6), (1, -1))}, 0.6)
        self.assertGreater(abs(result.table()[-1]["external_work"]), 1e-3)
        self.assert_energy(result)
        self.assertLessEqual(max(result.column("l_error")), 1e-10)

    def test_sliding_over_many_facets(self):
        """Pressed on a plate of 40 facets and thrown along it; no facet is
        left out and none holds twice. At the front the vertices of the plate,
        which the corner of the square ploughs through, meet two facets."""
        stiff = {**SOFT, "Young's modulus": 1e4}
        plate = {"Mesh": {
            "Grid generator": "subdivided_hyper_rectangle",
            "Grid generator arguments": "40, 2 : -1, -0.4 : 7, 0 : true"},
                 "Material": stiff,
                 "Prescribed motion": {"held": {"Boundary ids": "2"}}}
        bodies = {"plate": plate,
                  "square": square((0, 0.51), (6, -0.5), Material=stiff,
                                   **{"Body force": "0; -5"})}
        for table, n_facets in (("automatic", 10), ("plate:square", 20)):
            with self.subTest(table=table):
                self.check_sliding(n_facets * 0.2, self.run_scene(bodies, 0.9, {
                    "Friction coefficient": 0.1,
                    "energy-momentum": {"Master-slave": table}}))

    def check_sliding(self, distance, result):
        # But for what contacts without a root of their own gained: written
        # down as contact work.
        total = result.column("total_energy")
        self.assertLessEqual(max(abs(e - total[0]) for e in total),
                             1e-10 * total[0])
        self.assertLessEqual(max(map(abs, result.column("contact_work"))),
                             1e-3 * total[0])
        self.assertLessEqual(max(result.column("l_error")), 1e-10)
        rows = [row for row in result.table("bodies.csv")
                if row["body"] == "square"]
        self.assertGreater(rows[-1]["cx"], distance)
        self.assertGreater(min(row["cy"] for row in rows), 0.45)

    def test_corner_to_corner(self):
        """Exactly, and nearly: neither passes through the other."""
        turned = {"Rotation": "%.17g" % (math.pi / 4)}
        for shift in (0, 1e-9, 0.02):
            bodies = {name: square((0, 0), (speed, 0), n=2, Mesh=dict(
                turned, Translation=vector((x, y))))
                      for name, speed, x, y in (("left", 1, 0, 0),
                                                ("right", -1, 1.5, shift))}
            result = self.run_scene(bodies, 0.6)
            self.assert_conserved(result)
            self.assertLess(last_of(result, "left")["vx"], 0.5)

    def test_thin_body(self):
        """Half as thick as the square moves in four steps."""
        strip = {"Mesh": {
            "Grid generator": "subdivided_hyper_rectangle",
            "Grid generator arguments": "1, 8 : 0.55, -1 : 0.6, 1 : true"},
                 "Material": SOFT}
        bodies = {"square": square((0, 0), (2.5, 0)), "strip": strip}
        result = self.run_scene(bodies, 0.8)
        self.assert_conserved(result)
        self.assertGreater(last_of(result, "strip")["cx"],
                           last_of(result, "square")["cx"] + 0.4)

    def test_obstacle(self):
        """A ball bounces off a plane: what it takes is what the ball loses."""
        ball = {"Mesh": {"Grid generator": "hyper_ball",
                         "Grid generator arguments": "0, 0, 0 : 1 : false",
                         "Refinements": 1, "Translation": "0, 0, 1.02"},
                "Initial velocity": "1; 0; -2", "Material": SOFT}
        plane = {"Type": "half-space", "half-space": {"Normal": "0, 0, 1"}}
        mesh = {"Type": "mesh", "mesh": {
            "Grid generator": "subdivided_hyper_rectangle",
            "Grid generator arguments":
                "7, 5, 1 : -2, -2, -0.5 : 4, 2, 0 : false"}}
        for mu, floor in ((0, plane), (0.3, plane), (0.3, mesh)):
            result = self.run_scene(
                {"ball": ball}, 1.2, {"Friction coefficient": mu}, dim=3,
                step=0.02, Obstacles={"floor": floor})
            self.assert_energy(result)
            self.assert_no_gain(result)
            rows, end = result.table(), result.table("obstacles.csv")[-1]
            self.assertEqual(rows[-1]["node_face"], 0)
            for p, j in (("px", "jx"), ("py", "jy"), ("pz", "jz")):
                self.assertAlmostEqual(rows[-1][p] - rows[0][p], -end[j],
                                       delta=1e-10 * abs(rows[0]["pz"]))
            self.assertGreater(rows[-1]["pz"], 0)
            # Friction acts below the surface of a plane, by the overlap.
            self.assertLessEqual(max(result.column("l_error")),
                                 1e-12 * abs(rows[0]["pz"]))
            self.assertAlmostEqual(rows[-1]["ly"] - rows[0]["ly"], -end["ly"],
                                   delta=0.01 * abs(end["ly"]))


if __name__ == "__main__":
    main()
