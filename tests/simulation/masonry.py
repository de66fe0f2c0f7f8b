# SPDX-License-Identifier: LGPL-2.1-or-later
"""What stands by friction alone: an arch of stones and a house of cards."""

import math

from ricochet_run import RunTest, main, parameters, vector


def stone(points, modulus):
    """A body of one quadrilateral, its corners as deal.II numbers them."""
    return {"Body force": "0; -9.81",
            "Mesh": {"Grid generator": "general_cell",
                     "Grid generator arguments":
                         " ; ".join(vector(p) for p in points) + " : false"},
            "Material": {"Density": 1000, "Young's modulus": modulus,
                         "Poisson's ratio": 0.2}}


def scene(bodies, end):
    return parameters({
        "Dimension": 2, "End time": end, "Bodies": bodies,
        "Obstacles": {"floor": {"Type": "half-space",
                                "half-space": {"Normal": "0, 1"}}},
        "Contact": {"Restitution": 0, "Friction coefficient": 0.5},
        "Output": {"Steps between history rows": 500}})


def arch(n=25, inner=0.85, outer=1.15, gap=1e-6):
    """Wedges on half a circle."""
    bodies = {}
    for i in range(n):
        ends = (math.pi * i / n + gap / 2, math.pi * (i + 1) / n - gap / 2)
        bodies["stone %d" % i] = stone(
            [(r * math.cos(a), r * math.sin(a) + gap)
             for a in ends for r in (inner, outer)], 1e7)
    return bodies


def house(levels=3, length=1.0, thickness=0.04, angle=72, gap=1e-5, end=0.05):
    """Cards that lean on each other, with floors between. Their upper ends are
    cut upright: corners that lean on corners would go one way or the other by
    round-off."""
    bodies, y = {}, gap
    sine = math.sin(math.radians(angle))
    width, lean = thickness / sine, length * math.cos(math.radians(angle))
    span = 2 * lean + 2 * width + gap
    for level in range(levels):
        n, top = levels - level, y + length * sine
        for i in range(n):
            x = (level / 2 + i) * span
            bodies["left %d %d" % (level, i)] = stone(
                [(x, y), (x + width, y), (x + lean + width, top),
                 (x + lean + width, top - end)], 1e8)
            x += lean + width + gap
            bodies["right %d %d" % (level, i)] = stone(
                [(x + lean, y), (x + lean + width, y), (x, top - end),
                 (x, top)], 1e8)
        y = top + gap
        if n > 1:
            first = level / 2 * span + lean - 0.1
            last = first + (n - 1) * span + 2 * width + 0.2
            bodies["floor %d" % level] = stone(
                [(first, y), (last, y), (first, y + thickness),
                 (last, y + thickness)], 1e8)
            y += thickness + gap
    return bodies


class Masonry(RunTest):

    def check(self, bodies, end, settling):
        """It stands: nothing moves further than that, most of it when it
        settles at the start."""
        result = self.run_file(self.write("scene.prm", scene(bodies, end)))
        rows = result.table("bodies.csv")
        for name in bodies:
            path = [(row["time"], row["cx"], row["cy"]) for row in rows
                    if row["body"] == name]
            start, last = path[0][1:], path[-1][1:]
            self.assertLess(math.dist(start, last), settling, name)
        shadow = result.column("shadow_energy")
        work = max(map(abs, result.column("external_work")))
        self.assertLess(max(shadow) - shadow[0], 0.02 * work)

    def test_arch(self):
        self.check(arch(), 20, 0.012)

    def test_house_of_cards(self):
        self.check(house(), 5, 0.002)


if __name__ == "__main__":
    main()
