# SPDX-License-Identifier: LGPL-2.1-or-later
"""Small random scenes: a few bodies of all shapes fly into each other, slowly
or by several cells per step, with steps up to the stable one.

As a program, write scenes into a folder: random_scenes.py FOLDER SEED...
"""

import math
import os
import random
import sys

from ricochet_run import parameters, vector, write_gmsh

DENSITY, YOUNG, POISSON = 1000.0, 1e9, 0.3
WAVE_SPEED = math.sqrt(YOUNG * (1 - POISSON) / (1 + POISSON) /
                       (1 - 2 * POISSON) / DENSITY)
N_STEPS = 40

SPIKE_FILE = "spike.msh"


def write_spike(folder, layers=4, length=1.5, radius=0.2):
    """Tetrahedra in layers from a triangle to a tip, as a Gmsh 2.2 file."""
    nodes, cells = [], []
    for k in range(layers):
        for i in range(3):
            angle = 2 * math.pi * i / 3
            r = radius * (1 - k / layers)
            nodes.append((r * math.cos(angle), r * math.sin(angle),
                          length * (k / layers - 0.5)))
    nodes.append((0, 0, length / 2))
    for k in range(layers - 1):
        a, b, c, d, e, f = range(3 * k + 1, 3 * k + 7)
        cells += [(a, b, c, f), (a, b, f, e), (a, e, f, d)]
    cells.append((3 * layers - 2, 3 * layers - 1, 3 * layers,
                  3 * layers + 1))
    write_gmsh(os.path.join(folder, SPIKE_FILE), nodes, 4, cells)


# Mesh entries, radius of a ball around the body, size of the smallest cells.
SHAPES = {
    "cube": ({"Grid generator": "subdivided_hyper_cube",
              "Grid generator arguments": "3 : -0.5 : 0.5 : false"},
             0.87, 1 / 3),
    "tetrahedra": ({"Grid generator": "subdivided_hyper_cube",
                    "Grid generator arguments": "1 : -0.4 : 0.4 : false",
                    "Simplices": "true"},
                   0.7, 0.3),
    "tetrahedron": ({"Grid generator": "simplex",
                     "Grid generator arguments":
                         "-0.5, -0.5, -0.3 ; 0.7, 0, -0.3 ; 0, 0.7, -0.3 ; "
                         "0, 0, 0.8"},
                    0.85, 0.3),
    "sphere": ({"Grid generator": "hyper_ball",
                "Grid generator arguments": "0, 0, 0 : 0.5 : false",
                "Refinements": "1"},
               0.5, 0.1),
    "plate": ({"Grid generator": "subdivided_hyper_rectangle",
               "Grid generator arguments":
                   "6, 6, 1 : -0.75, -0.75, -0.05 : 0.75, 0.75, 0.05 : false"},
              1.07, 0.1),
    "spike": ({"Mesh file": SPIKE_FILE}, 0.78, 0.1),
}


def random_direction(generator):
    while True:
        v = [generator.uniform(-1, 1) for _ in range(3)]
        length = math.hypot(*v)
        if 0.1 < length < 1:
            return [x / length for x in v]


def place(generator, radii):
    """Centres of balls that do not overlap, as close as chance wants."""
    centres, spread = [], 0.5
    for i, radius in enumerate(radii):
        while True:
            centre = [generator.uniform(-spread, spread) for _ in range(3)]
            if all(math.dist(centre, other) > radius + radii[j]
                   for j, other in enumerate(centres)):
                break
            spread *= 1.02
        centres.append(centre)
    return centres


def scene(seed, times=None):
    """The text of a parameter file. A spike's mesh is to be beside it. With
    nonsmooth contact in implicit steps if these are to be so many times as long
    as the explicit ones."""
    generator = random.Random(seed)
    kinds = [generator.choice(sorted(SHAPES))
             for _ in range(generator.randint(2, 6))]
    centres = place(generator, [SHAPES[kind][1] for kind in kinds])
    middle = [sum(c[d] for c in centres) / len(centres) for d in range(3)]
    smallest = min(SHAPES[kind][2] for kind in kinds)
    courant = generator.choice((0.1, 0.25, 0.5, 0.9))
    step = courant * smallest / WAVE_SPEED
    # In cells per step. Few bodies survive more than a cell per step, so most
    # are to be slower.
    fastest = smallest / step * 5 * 10**(
        generator.uniform(-0.7, 0) if seed % 4 == 0 else
        generator.uniform(-2.5, -1))

    bodies = {}
    for i, (kind, centre) in enumerate(zip(kinds, centres)):
        # To the middle, more or less.
        aim = [middle[d] + generator.uniform(-0.3, 0.3) - centre[d]
               for d in range(3)]
        speed = fastest * generator.uniform(0.2, 1) / math.hypot(*aim)
        angle = generator.uniform(0, math.pi)
        bodies["%s %d" % (kind, i)] = {
            "Mesh": dict(SHAPES[kind][0],
                         Rotation=vector(angle * x for x in
                                         random_direction(generator)),
                         Translation=vector(centre)),
            "Initial velocity": vector((speed * x for x in aim), "; "),
            "Material": {"Density": DENSITY, "Young's modulus": YOUNG,
                         "Poisson's ratio": POISSON}}
    # Until the slow ones have met as well, in steps or by the way.
    way = 2 * max(math.dist(c, middle) for c in centres)
    end = max(N_STEPS * step, min(way / fastest, 10 * N_STEPS * step))
    stepping = {"Courant number": courant}
    contact = {"Restitution": generator.choice((0, 1)),
               "Friction coefficient": generator.choice((0, 0.5))}
    if times is not None:
        stepping = {"Integrator": "implicit Newmark",
                    "Time step": "%.17g" % (times * step)}
        contact = {"Response": "nonsmooth"}
    return parameters({
        "Dimension": 3,
        "End time": "%.17g" % end,
        "Time stepping": stepping,
        "Bodies": bodies,
        "Contact": contact,
        # How energy behaves at such speeds is not the matter here.
        "Output": {"Energy growth limit": 1e6,
                   "Number of ParaView files": 40, "Number of pictures": 0}})


if __name__ == "__main__":
    write_spike(sys.argv[1])
    for number in sys.argv[2:]:
        with open(os.path.join(sys.argv[1], "scene-%s.prm" % number),
                  "w") as output:
            output.write(scene(int(number)) + "\n")
