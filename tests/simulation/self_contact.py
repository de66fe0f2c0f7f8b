# SPDX-License-Identifier: LGPL-2.1-or-later
"""The prongs of a fork hit each other: contact of a body with itself."""

import itertools
import os

from ricochet_run import RunTest, main, parameters, write_gmsh

# Edge length of the cells, which are also the thickness of the prongs.
H = 0.25

# Per length of the prongs.
SPEED = 60


def write_fork(path):
    """Two prongs, one cell thick, on a handle; the slot is one cell wide."""
    number, nodes, cells = {}, [], []

    def node(*index):
        if index not in number:
            number[index] = len(number) + 1
            nodes.append([H * i for i in index])
        return number[index]

    for i, j, k in itertools.product((0, 1, 2), (0, 1), range(6)):
        if i != 1 or k == 0:
            cells.append([node(i + di, j + dj, k + dk) for dk in (0, 1)
                          for di, dj in ((0, 0), (1, 0), (1, 1), (0, 1))])
    write_gmsh(path, nodes, 5, cells)


class Fork(RunTest):

    def run_fork(self, self_contact, ranks=1):
        write_fork(os.path.join(self.folder, "fork.msh"))
        # The prongs shear a little against each other: no node meets a node.
        text = parameters({
            "Dimension": 3, "End time": 0.012,
            "Bodies": {"fork": {
                "Mesh": {"Mesh file": "fork.msh"},
                "Initial velocity":
                    "if(x<0.375, 1, -1)*%g*max(z-0.25, 0) ;" % SPEED +
                    "if(x<0.375, 7, -7)*max(z-0.25, 0) ; 3",
                "Material": {"Density": 0.7085, "Young's modulus": 2.1e5,
                             "Poisson's ratio": 0.3}}},
            "Contact": {"Self-contact": str(self_contact).lower(),
                        "Friction coefficient": 0.2},
            "Output": {"Number of ParaView files": 40,
                       "Number of pictures": 0}})
        return self.run_file(self.write("fork.prm", text), files=True,
                             ranks=ranks)

    def test_prongs_hit_each_other(self):
        one = self.run_fork(True)
        for kind in ("node_face", "edge_edge"):
            self.assertGreater(sum(one.column(kind)), 0)
        self.assertEqual(self.faults(one, ["--self"]), [])
        rows = one.table()
        momentum = one.table("bodies.csv")[0]["mass"] * SPEED
        for row in rows:
            for key in ("px", "py", "pz"):
                self.assertAlmostEqual(row[key], rows[0][key],
                                       delta=1e-12 * momentum)
            self.assertLess(row["l_error"], 1e-12 * momentum * H)
        energy = rows[0]["kinetic_energy"]
        for row in rows:
            self.assertLess(row["shadow_energy"], 1.01 * energy)
            self.assertLess(row["kinetic_energy"] + row["internal_energy"],
                            1.04 * energy)
        for ranks in (2, 3):
            with self.subTest(ranks=ranks):
                self.assert_same_motion(one, self.run_fork(True, ranks))

    def test_checker_sees_prongs_that_pass_through(self):
        self.assertNotEqual(self.faults(self.run_fork(False), ["--self"]), [])


if __name__ == "__main__":
    main()
