# SPDX-License-Identifier: LGPL-2.1-or-later
"""A hundred rigid bodies of five shapes fly about in a closed box: what walls
take is what bodies lose, energy never rises, nothing meets by the exact checker
in tests/exact, and ranks change no bit.

With RICOCHET_LONG_TESTS=1 in the environment, over 10000 steps.
"""

import glob
import math
import os

from ricochet_run import (CHECK_INTERSECTIONS, LONG, RunTest, main, parameters,
                          vector)

ROOM = (5.2, 4.2, 5.2)

# In the checkpoint.
MOTIONS = "run: motions of rigid bodies"

SHAPES = {
    "ball": ("sphere", {"Radius": 0.3, "Refinements": 1}),
    "box": ("box", {"Lower corner": "-0.3, -0.25, -0.2",
                    "Upper corner": "0.3, 0.25, 0.2"}),
    "rod": ("box", {"Lower corner": "-0.4, -0.1, -0.1",
                    "Upper corner": "0.4, 0.1, 0.1"}),
    "can": ("cylinder", {"Radius": 0.25, "Length": 0.5, "Sides": 12}),
    "plate": ("box", {"Lower corner": "-0.35, -0.35, -0.06",
                      "Upper corner": "0.35, 0.35, 0.06"}),
}


def bodies():
    result = {}
    for layer, (name, (shape, entries)) in enumerate(SHAPES.items()):
        result[name] = {
            "Rigid": "true",
            "Rigid body": {"Surface": shape, shape: entries},
            "Mesh": {"Translation": f"0.6, 0.6, {0.6 + layer}"},
            "Repeat": "5, 4, 1", "Repeat spacing": "1, 1, 1",
            "Random rotation": 180, "Random seed": layer + 1,
            "Initial velocity": f"3*sin(17*x+{layer}); 3*cos(13*y+5*x); "
                                "3*sin(11*z+7*x+3*y)",
            "Spin": f"1, 2, {layer}",
            "Material": {"Density": 1000}}
    return result


def walls():
    result = {}
    for d, axis in enumerate("xyz"):
        for side, sign in ("low", 1), ("high", -1):
            point, normal = [0.0] * 3, [0.0] * 3
            point[d] = 0.0 if sign > 0 else ROOM[d]
            normal[d] = sign
            result[f"{side} {axis}"] = {
                "Type": "half-space",
                "half-space": {"Point": vector(point),
                               "Normal": vector(normal)}}
    return result


def scene(e, mu):
    return parameters({
        "Dimension": 3,
        "End time": 2 if LONG else 0.2,
        "Time stepping": {"Time step": 2e-4 if LONG else 4e-4},
        "Bodies": bodies(), "Obstacles": walls(),
        "Contact": {"Restitution": e, "Friction coefficient": mu},
        "Output": {"Steps between history rows": 10 if LONG else 2,
                   "Number of ParaView files": 200 if LONG else 20,
                   "Number of pictures": 0}})


class RigidScenes(RunTest):

    def test_box(self):
        for e in 0, 0.5, 1:
            for mu in 0, 0.3:
                with self.subTest(e=e, mu=mu):
                    result = self.run_file(
                        self.write("scene.prm", scene(e, mu)), files=True)
                    rows = result.table()
                    hits = sum(row["node_face"] + row["edge_edge"]
                               for row in rows)
                    self.assertGreater(hits, 20)
                    self.check_momenta(result, rows)
                    self.check_energy(rows, e == 1 and mu == 0)
                    self.check_walls(result)
                    if CHECK_INTERSECTIONS:
                        self.assertEqual(self.faults(result), [])

    def check_momenta(self, result, rows):
        """Both, with what walls took; relative to the sums over m |v| and
        m |x - c| |v| at the start."""
        start = [row for row in result.table("bodies.csv")
                 if row["step"] == 0]
        middle = [size / 2 for size in ROOM]
        momentum = moment = 0
        for row in start:
            size = row["mass"] * math.hypot(row["vx"], row["vy"], row["vz"])
            momentum += size
            moment += size * math.dist(middle,
                                       (row["cx"], row["cy"], row["cz"]))
        taken = {}
        for row in result.table("obstacles.csv"):
            sums = taken.setdefault(row["step"], [0] * 6)
            for i, key in enumerate(("jx", "jy", "jz", "lx", "ly", "lz")):
                sums[i] += row[key]
        for row in rows:
            sums = taken[row["step"]]
            for i, key in enumerate(("px", "py", "pz")):
                self.assertLess(abs(row[key] + sums[i] - rows[0][key]),
                                1e-12 * momentum)
            for i, key in enumerate(("lx", "ly", "lz"), 3):
                self.assertLess(abs(row[key] + sums[i] - rows[0][key]),
                                1e-12 * moment)
            self.assertLess(row["l_error"], 1e-12 * moment)

    def check_energy(self, rows, is_kept):
        start = rows[0]["kinetic_energy"]
        for before, after in zip(rows, rows[1:]):
            self.assertLess(after["kinetic_energy"],
                            before["kinetic_energy"] + 1e-12 * start)
            self.assertLess(abs(after["total_energy"] - start), 1e-12 * start)
        end = rows[-1]["kinetic_energy"]
        if is_kept:
            self.assertLess(abs(end - start), 1e-12 * start)
        else:
            self.assertLess(end, 0.99 * start)

    def check_walls(self, result):
        n_surfaces = 0
        for surface in result.surfaces():
            n_surfaces += 1
            for points in surface.values():
                for point in points:
                    for x, size in zip(point, ROOM):
                        # As much as the checker lets them be round-off.
                        self.assertGreater(x, -1e-13 * size)
                        self.assertLess(x, (1 + 1e-13) * size)
        self.assertEqual(n_surfaces, len(glob.glob(
            os.path.join(result.directory, "contact-*.vtu"))))
        self.assertGreater(n_surfaces, 20)

    def test_ranks(self):
        for e, mu in (0.5, 0.3), (0, 0.3):
            path = self.write("scene.prm", scene(e, mu))
            one = self.run_file(path)
            for ranks in 2, 3:
                with self.subTest(e=e, mu=mu, ranks=ranks):
                    other = self.run_file(path, ranks=ranks)
                    self.assertEqual(one.state()[MOTIONS], other.state()[MOTIONS])
                    for name in "bodies.csv", "obstacles.csv":
                        self.assertEqual(one.table(name), other.table(name))


if __name__ == "__main__":
    main()
