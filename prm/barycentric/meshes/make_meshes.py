# SPDX-License-Identifier: LGPL-2.1-or-later
"""Write the mesh of drop-test.prm: make_meshes.py FOLDER. Metres."""

import itertools
import os
import sys


def hollow_box(folder):
    """A closed box around its centre, one hexahedron through its walls, as a
    Gmsh 2.2 file."""
    n = (12, 8, 4)
    size = (0.3, 0.2, 0.1)
    wall = 0.008
    # Inner planes are evenly spaced between the walls.
    planes = [[-s / 2] +
              [-s / 2 + wall + (s - 2 * wall) * i / (m - 2)
               for i in range(m - 1)] + [s / 2]
              for m, s in zip(n, size)]
    cells = [c for c in itertools.product(*map(range, n))
             if any(i in (0, m - 1) for i, m in zip(c, n))]
    corners = ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0),
               (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1))
    numbers = {}
    lines = []
    for i, cell in enumerate(cells, 1):
        nodes = [numbers.setdefault(
            tuple(a + b for a, b in zip(cell, corner)), len(numbers) + 1)
            for corner in corners]
        lines.append("%d 5 2 0 0 %s\n" % (i, " ".join(map(str, nodes))))
    with open(os.path.join(folder, "hollow-box.msh"), "w") as file:
        file.write("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n%d\n" %
                   len(numbers))
        for index, number in numbers.items():
            file.write("%d %.9g %.9g %.9g\n" % (
                number, *(p[i] for p, i in zip(planes, index))))
        file.write("$EndNodes\n$Elements\n%d\n" % len(cells))
        file.writelines(lines)
        file.write("$EndElements\n")


if __name__ == "__main__":
    hollow_box(sys.argv[1])
