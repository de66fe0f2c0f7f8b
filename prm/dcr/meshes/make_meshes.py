# SPDX-License-Identifier: LGPL-2.1-or-later
"""Write the meshes of mesh-file.prm: make_meshes.py FOLDER. Metres."""

import itertools
import math
import os
import sys


def lattice(nx, ny, nz):
    """The number of a point in a lattice of nx x ny x nz boxes."""
    return lambda i, j, k: (k * (ny + 1) + j) * (nx + 1) + i


def points(nx, ny, nz):
    return [(i / nx, j / ny, k / nz) for k in range(nz + 1)
            for j in range(ny + 1) for i in range(nx + 1)]


def boxes(nx, ny, nz):
    return itertools.product(range(nx), range(ny), range(nz))


def pellet(folder):
    """A cylinder with a domed nose of tetrahedra, as a Gmsh 2.2 file."""
    n, layers, radius, length, dome = 6, 8, 0.005, 0.012, 0.006
    number = lattice(n, n, layers)
    lines = []
    for a, b, c in points(n, n, layers):
        u, v = 2 * a - 1, 2 * b - 1
        x = radius * u * math.sqrt(1 - v * v / 2)
        y = radius * v * math.sqrt(1 - u * u / 2)
        nose = dome - math.sqrt(dome**2 - x * x - y * y)
        lines.append((x, y, c * length + (1 - c) * nose))
    cells = []
    for i, j, k in boxes(n, n, layers):
        for order in itertools.permutations(range(3)):
            corner = [i, j, k]
            cell = [number(*corner)]
            for d in order:
                corner[d] += 1
                cell.append(number(*corner))
            # Odd orders turn the tetrahedron inside out.
            if order not in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
                cell[0], cell[1] = cell[1], cell[0]
            cells.append(cell)
    with open(os.path.join(folder, "pellet.msh"), "w") as file:
        file.write("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n%d\n" %
                   len(lines))
        for i, point in enumerate(lines, 1):
            file.write("%d %.9g %.9g %.9g\n" % (i, *point))
        file.write("$EndNodes\n$Elements\n%d\n" % len(cells))
        for i, cell in enumerate(cells, 1):
            file.write("%d 4 2 0 0 %d %d %d %d\n" %
                       (i, *(node + 1 for node in cell)))
        file.write("$EndElements\n")


def anvil(folder):
    """A block of hexahedra as an Abaqus file; its bottom is the surface 1."""
    nx, ny, nz = 12, 12, 4
    size = (0.04, 0.04, 0.01)
    number = lattice(nx, ny, nz)
    bottom = []
    with open(os.path.join(folder, "anvil.inp"), "w") as file:
        file.write("*HEADING\nanvil\n**\n*NODE\n")
        for i, (a, b, c) in enumerate(points(nx, ny, nz), 1):
            file.write("%d, %.9g, %.9g, %.9g\n" %
                       (i, (a - 0.5) * size[0], (b - 0.5) * size[1],
                        (c - 1) * size[2]))
        file.write("*ELEMENT, TYPE=C3D8R, ELSET=EB1\n")
        for e, (i, j, k) in enumerate(boxes(nx, ny, nz), 1):
            nodes = [number(i + di, j + dj, k + dk) + 1 for dk in (0, 1)
                     for di, dj in ((0, 0), (1, 0), (1, 1), (0, 1))]
            file.write("%d, %s\n" % (e, ", ".join(map(str, nodes))))
            if k == 0:
                bottom.append(e)
        file.write("*ELSET, ELSET=SS1_S1\n")
        for start in range(0, len(bottom), 16):
            file.write(", ".join(map(str, bottom[start:start + 16])) + "\n")
        file.write("*SURFACE, NAME=SS1\nSS1_S1, S1\n*END STEP\n")


if __name__ == "__main__":
    pellet(sys.argv[1])
    anvil(sys.argv[1])
