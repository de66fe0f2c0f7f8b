# SPDX-License-Identifier: LGPL-2.1-or-later
"""Write the meshes of the examples: make_meshes.py FOLDER. Metres."""

import itertools
import os
import sys


def write(path, kind, nodes, cells):
    """A Gmsh 2.2 file; kind is 2 for triangles and 3 for quadrilaterals."""
    with open(path, "w") as file:
        file.write("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n%d\n" %
                   len(nodes))
        for i, position in enumerate(nodes, 1):
            file.write("%d %.17g %.17g 0\n" % (i, *position))
        file.write("$EndNodes\n$Elements\n%d\n" % len(cells))
        for i, cell in enumerate(cells, 1):
            file.write("%d %d 2 0 0 %s\n" % (i, kind,
                                             " ".join(map(str, cell))))
        file.write("$EndElements\n")


def square(folder, n):
    """A unit square around the origin of n x n x 2 triangles, its boxes cut
    from lower left to upper right."""
    def number(i, j):
        return j * (n + 1) + i + 1

    cells = []
    for j in range(n):
        for i in range(n):
            a, b = number(i, j), number(i + 1, j)
            d, c = number(i, j + 1), number(i + 1, j + 1)
            cells += [(a, b, c), (a, c, d)]
    write(os.path.join(folder, f"square-{n}.msh"), 2,
          [(i / n - 0.5, j / n - 0.5)
           for j in range(n + 1) for i in range(n + 1)], cells)


def table(folder):
    """The sides of a table, 10 x 8 inside, 0.5 thick, with teeth of 1 x 0.25
    all around, in boxes of 0.25."""
    n, thickness, tooth = (44, 36), 2, 4
    numbers, cells = {}, []
    for i, j in itertools.product(*map(range, n)):
        # Boxes between this one and the outside, in both directions.
        depth = [min(k, m - 1 - k) for k, m in zip((i, j), n)]
        along = (j if depth[0] < depth[1] else i) - thickness
        if min(depth) < thickness or (min(depth) == thickness and
                                      along // tooth % 2 == 0):
            cells.append([numbers.setdefault(corner, len(numbers) + 1)
                          for corner in ((i, j), (i + 1, j),
                                         (i + 1, j + 1), (i, j + 1))])
    write(os.path.join(folder, "table.msh"), 3,
          [(i / 4 - 6.5, j / 4 - 4.5) for i, j in numbers], cells)


if __name__ == "__main__":
    for n_boxes in (4, 8):
        square(sys.argv[1], n_boxes)
    table(sys.argv[1])
