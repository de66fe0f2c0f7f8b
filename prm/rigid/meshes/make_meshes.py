# SPDX-License-Identifier: LGPL-2.1-or-later
"""Write the tool of stl-tool.prm: make_meshes.py FOLDER. Millimetres."""

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


if __name__ == "__main__":
    punch(sys.argv[1])
