# SPDX-License-Identifier: LGPL-2.1-or-later
"""Write the tool of stl-tool.prm, in millimetres, and the tadpole of
rigid-head.prm, in metres: make_meshes.py FOLDER."""

import math
import os
import sys


def punch(folder):
    """A rod with the axis z and a round end below, at the origin, as an STL
    file of text."""
    radius = 5.
    height = 20.
    n_around, n_down = 24, 6

    def ring(r, z):
        angles = [2 * math.pi * i / n_around for i in range(n_around)]
        return [(r * math.cos(a), r * math.sin(a), z) for a in angles]

    tilts = [math.pi / 2 * i / n_down for i in range(1, n_down + 1)]
    rings = [ring(radius * math.sin(t), radius * (1 - math.cos(t)))
             for t in tilts] + [ring(radius, height)]
    triangles = []
    for i in range(n_around):
        j = (i + 1) % n_around
        triangles.append(((0, 0, 0), rings[0][j], rings[0][i]))
        triangles.append(((0, 0, height), rings[-1][i], rings[-1][j]))
        for low, high in zip(rings, rings[1:]):
            triangles.append((low[i], low[j], high[j]))
            triangles.append((low[i], high[j], high[i]))
    with open(os.path.join(folder, "punch.stl"), "w") as file:
        file.write("solid punch\n")
        for triangle in triangles:
            file.write("facet normal 0 0 0\nouter loop\n")
            for vertex in triangle:
                # Without negative zeros, which differ from other zeros.
                file.write("vertex %.9g %.9g %.9g\n" % tuple(
                    round(x, 12) + 0. for x in vertex))
            file.write("endloop\nendfacet\n")
        file.write("endsolid punch\n")


def tadpole(folder):
    """A ball of hexahedra at the origin, the group "head", with a tail along x
    on it, the group "tail", as a Gmsh file."""
    radius, n = 0.02, 4  # cells across the head
    n_across = 2  # of these the tail has
    length, n_along, end = 0.12, 24, 0.4

    def on_ball(x, y, z):
        """A cube of size 2 as a ball of radius 1."""
        return [radius * a * math.sqrt(
            1 - b * b / 2 - c * c / 2 + b * b * c * c / 3)
            for a, b, c in ((x, y, z), (y, z, x), (z, x, y))]

    numbers, nodes, cells = {}, [], []

    def node(i, j, k):
        """In cells of the head from its corner; the tail is at i > n."""
        if (i, j, k) not in numbers:
            x, y, z = (2 * a / n - 1 for a in (min(i, n), j, k))
            place = on_ball(x, y, z)
            if i > n:
                along = (i - n) / n_along
                thin = 1 - (1 - end) * along
                # The first layer fits to the ball, the last one is plane.
                base, tip = place[0], radius + length
                place = [base + along * (tip - base), place[1] * thin,
                         place[2] * thin]
            numbers[i, j, k] = len(nodes) + 1
            nodes.append(place)
        return numbers[i, j, k]

    def cell(i, j, k, group):
        corners = [node(i + a, j + b, k + c)
                   for c in (0, 1) for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))]
        cells.append((group, corners))

    for k in range(n):
        for j in range(n):
            for i in range(n):
                cell(i, j, k, 1)
    first = (n - n_across) // 2
    for i in range(n, n + n_along):
        for k in range(first, first + n_across):
            for j in range(first, first + n_across):
                cell(i, j, k, 2)
    with open(os.path.join(folder, "tadpole.msh"), "w") as file:
        file.write("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
                   '$PhysicalNames\n2\n3 1 "head"\n3 2 "tail"\n'
                   "$EndPhysicalNames\n$Nodes\n%d\n" % len(nodes))
        for i, place in enumerate(nodes, 1):
            file.write("%d %.9g %.9g %.9g\n" % (i, *(
                round(x, 12) + 0. for x in place)))
        file.write("$EndNodes\n$Elements\n%d\n" % len(cells))
        for i, (group, corners) in enumerate(cells, 1):
            file.write("%d 5 2 %d %d %s\n" % (
                i, group, group, " ".join(map(str, corners))))
        file.write("$EndElements\n")


if __name__ == "__main__":
    punch(sys.argv[1])
    tadpole(sys.argv[1])
