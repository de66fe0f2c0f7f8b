# SPDX-License-Identifier: LGPL-2.1-or-later
"""Write the meshes of the examples: make_meshes.py FOLDER. Metres."""

import os
import sys


def square(folder, n):
    """A unit square around the origin of n x n x 2 triangles, its boxes cut
    from lower left to upper right, as a Gmsh 2.2 file."""
    def number(i, j):
        return j * (n + 1) + i + 1

    with open(os.path.join(folder, f"square-{n}.msh"), "w") as file:
        file.write("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n%d\n" %
                   (n + 1)**2)
        for j in range(n + 1):
            for i in range(n + 1):
                file.write("%d %.17g %.17g 0\n" %
                           (number(i, j), i / n - 0.5, j / n - 0.5))
        file.write("$EndNodes\n$Elements\n%d\n" % (2 * n * n))
        element = 0
        for j in range(n):
            for i in range(n):
                a, b = number(i, j), number(i + 1, j)
                d, c = number(i, j + 1), number(i + 1, j + 1)
                for cell in ((a, b, c), (a, c, d)):
                    element += 1
                    file.write("%d 2 2 0 0 %d %d %d\n" % (element, *cell))
        file.write("$EndElements\n")


if __name__ == "__main__":
    for n_boxes in (4, 8):
        square(sys.argv[1], n_boxes)
