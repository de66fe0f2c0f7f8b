# SPDX-License-Identifier: LGPL-2.1-or-later
"""A block slides without friction over floors of several meshes, with and
without gravity. What it should do is known: go on straight, since a flat floor
is flat whatever its cells are."""

from ricochet_run import LONG, RunTest, main, parameters

SPEED = 8
MATERIAL = {"Density": 1000, "Young's modulus": 1e9, "Poisson's ratio": 0.3}

FLOORS = {
    "conforming": {},
    "refined": {"Local refinement": "(x>0.12)*(x<0.5)*(1+(y>0.05))"},
    "simplices": {"Simplices": "true"},
}


def scene(floor, gravity):
    """A block that touches the floor; none of its nodes is above one of the
    floor's. All numbers of its motion without gravity are of few bits, so that
    it is exact: round-off would push it up or down."""
    block = {
        "Initial velocity": "%g; 0; 0" % SPEED,
        "Mesh": {
            "Grid generator": "subdivided_hyper_rectangle",
            "Grid generator arguments":
                "3, 3, 2 : -0.125, -0.09375, 0 : 0.0625, 0.09375, 0.125 : false"},
        "Material": MATERIAL}
    if gravity:
        block["Body force"] = "0; 0; %g" % -gravity
    return parameters({
        "Dimension": 3, "End time": 0.125 if LONG else 0.03125,
        "Time stepping": {"Time step": 2**-16},
        "Bodies": {
            "floor": {
                "Mesh": {
                    "Grid generator": "subdivided_hyper_rectangle",
                    "Grid generator arguments":
                        "12, 4, 1 : -0.2, -0.2, -0.1 : 1, 0.2, 0 : true",
                    **floor},
                "Material": MATERIAL,
                "Prescribed motion": {
                    "held": {"Boundary ids": "0, 1, 2, 3, 4, 5"}}},
            "block": block},
        "Contact": {"Restitution": 0}})


class Sliding(RunTest):

    def slide(self, floor, gravity):
        name = "slide-%s.prm" % floor
        result = self.run_file(self.write(name, scene(FLOORS[floor], gravity)))
        return result, [row for row in result.table("bodies.csv")
                        if row["body"] == "block"]

    def test_without_weight(self):
        """At no distance nothing pushes, so nothing may happen at all."""
        for floor in FLOORS:
            with self.subTest(floor=floor):
                result, rows = self.slide(floor, 0)
                self.assertGreater(rows[-1]["cx"], rows[0]["cx"] + 0.2)
                for key in ("node_face", "edge_edge", "passes"):
                    self.assertEqual(set(result.column(key)), {0.})
                for row in rows:
                    self.assertAlmostEqual(row["vx"], SPEED,
                                           delta=1e-12 * SPEED)
                    for key in ("vy", "vz"):
                        self.assertAlmostEqual(row[key], 0,
                                               delta=1e-12 * SPEED)

    def test_with_weight(self):
        for floor in FLOORS:
            with self.subTest(floor=floor):
                result, rows = self.slide(floor, 9.81)
                self.assertGreater(sum(result.column("node_face")), 1000)
                path = rows[-1]["cx"] - rows[0]["cx"]
                for row in rows:
                    self.assertLess(abs(row["vz"]), 1e-3 * SPEED)
                    self.assertAlmostEqual(row["vx"], SPEED,
                                           delta=1e-6 * SPEED)
                    self.assertAlmostEqual(row["cy"], rows[0]["cy"],
                                           delta=1e-6 * path)
                total = result.column("total_energy")
                for energy in total:
                    self.assertAlmostEqual(energy, total[0],
                                           delta=1e-6 * total[0])


if __name__ == "__main__":
    main()
