# SPDX-License-Identifier: LGPL-2.1-or-later
"""Energy at the defaults: elastic impacts keep it, resting contact and slow
squeezes book hardly any, and what is lost is what the law of impacts takes.

As a program with the environment of the tests and the argument "table", print
what README.md shows.
"""

import math
import random
import sys

from ricochet_run import LONG, RunTest, main, parameters, vector

RUBBER = {"Density": 1000, "Young's modulus": 1e7, "Poisson's ratio": 0.3}
FAST = {"Number of ParaView files": 0, "Number of pictures": 0}


def walls(low, high):
    """Half-spaces around a room."""
    result = {}
    for d in range(3):
        for sign, at in ((1, low), (-1, high)):
            normal, point = [0, 0, 0], [0, 0, 0]
            normal[d], point[d] = sign, at
            result["wall %d%+d" % (d, sign)] = {
                "Type": "half-space",
                "half-space": {"Normal": vector(normal),
                               "Point": vector(point)}}
    return result


def spheres_in_a_box(end):
    """Some six impacts in a unit of time."""
    def ball(centre, velocity):
        return {"Initial velocity": vector(velocity, "; "),
                "Mesh": {"Grid generator": "hyper_ball",
                         "Grid generator arguments":
                             "%s : 0.15 : false" % vector(centre),
                         "Refinements": 1},
                "Material": RUBBER}
    return parameters({
        "Dimension": 3, "End time": end,
        "Bodies": {"a": ball((0.3, 0.35, 0.3), (1, 0.37, -0.61)),
                   "b": ball((0.7, 0.6, 0.65), (-0.8, 0.2, 0.47))},
        "Obstacles": walls(0, 1), "Contact": {"Restitution": 1},
        "Output": FAST})


def rod(cells, speed, e):
    """A rod that flies against a wall and back."""
    return parameters({
        "Dimension": 3, "End time": 4e-3,
        "Bodies": {"rod": {
            "Initial velocity": "0; 0; %g" % -speed,
            "Mesh": {"Grid generator": "subdivided_hyper_rectangle",
                     "Grid generator arguments":
                         "1, 1, %d : 0, 0, %.17g : 0.2, 0.2, %.17g : true" % (
                             cells, 1e-4 * speed, 1 + 1e-4 * speed)},
            "Material": {"Law": "small-strain linear", "Density": 7800,
                         "Young's modulus": 2e11, "Poisson's ratio": 0}}},
        "Obstacles": {"wall": {"Type": "half-space"}},
        "Contact": {"Restitution": e}, "Output": FAST})


def squeeze(response):
    """A cube between two walls, of which one comes down slowly."""
    return parameters({
        "Dimension": 3, "End time": 0.5,
        "Bodies": {"cube": {
            "Mesh": {"Grid generator": "subdivided_hyper_cube",
                     "Grid generator arguments": "3 : 0 : 0.1 : false"},
            "Material": dict(RUBBER, **{"Young's modulus": 1e6})}},
        "Obstacles": {
            "floor": {"Type": "half-space"},
            "press": {"Type": "half-space",
                      "half-space": {"Normal": "0, 0, -1",
                                     "Point": "0, 0, 0.1"},
                      "Motion": {"Translation": "0; 0; -0.04*t"}}},
        "Contact": {"Restitution": 0, "Response": response},
        "Output": FAST})


FLOORS = ("half-space", "matching", "crossing")


def resting(size, material, floor, g=9.81):
    """A block, released without stress, on a floor that hardly gives way: a
    half-space, or cells that match its own or not."""
    density, stiffness = material
    wave = math.sqrt(stiffness / density)

    def body(arguments, factor):
        return {"Mesh": {"Grid generator": "subdivided_hyper_rectangle",
                         "Grid generator arguments":
                             arguments + " : %s" % (
                                 "true" if factor > 1 else "false")},
                "Material": {"Density": factor * density,
                             "Young's modulus": factor * stiffness,
                             "Poisson's ratio": 0.3}}

    block = body("2, 2, 2 : 0, 0, 0 : %s" % vector(3 * [size]), 1)
    block["Body force"] = "0; 0; %g" % -g
    model = {
        "Dimension": 3,
        # 10000 steps, or fewer
        "End time": "%.17g" % ((1600 if LONG else 150) * size / wave),
        "Bodies": {"block": block},
        # Without friction, it slides off a floor that is not quite flat.
        "Contact": {"Restitution": 0, "Friction coefficient": 0.3},
        "Output": FAST}
    if floor == "half-space":
        model["Obstacles"] = {"floor": {"Type": "half-space"}}
    else:
        cells, edge = (4, 0.5) if floor == "matching" else (3, 0.41)
        slab = body("%d, %d, 1 : %s : %s" % (
            cells, cells, vector((-edge * size, -edge * size, -0.5 * size)),
            vector(((1 + edge) * size, (1 + edge) * size, 0))), 100)
        slab["Prescribed motion"] = {"held": {"Boundary ids": 4}}
        model["Bodies"]["floor"] = slab
    return parameters(model)


def drop(seed, e, response):
    """One to five cubes of 1 to 4^3 cells fall on a floor."""
    generator = random.Random(seed)
    bodies, z = {}, 0.
    for i in range(generator.randint(1, 5)):
        half = generator.uniform(0.05, 0.1)
        z += 2 * half
        bodies["cube %d" % i] = {
            "Body force": "0; 0; -9.81",
            "Mesh": {"Grid generator": "subdivided_hyper_cube",
                     "Grid generator arguments": "%d : %g : %g : false" % (
                         generator.randint(1, 4), -half, half),
                     "Rotation": vector(generator.uniform(-1, 1)
                                        for _ in range(3)),
                     "Translation": vector((generator.uniform(-0.05, 0.05),
                                            generator.uniform(-0.05, 0.05),
                                            z))},
            "Material": dict(RUBBER, **{"Young's modulus": 1e6})}
        z += 2 * half
    contact = {"Response": response, "Friction coefficient":
               0 if response == "nonsmooth" else generator.choice((0, 0.4))}
    if response != "nonsmooth":
        contact["Restitution"] = e
    return parameters({
        "Dimension": 3, "End time": 0.6, "Bodies": bodies,
        "Obstacles": {"floor": {"Type": "half-space"}},
        "Contact": contact, "Output": FAST})


def mechanical(rows):
    return [row["kinetic_energy"] + row["internal_energy"] for row in rows]


class Energy(RunTest):

    def rows(self, text, settings=()):
        result = self.run_file(self.write("scene.prm", text), settings)
        return result.table()

    def test_elastic_impacts(self):
        """70 impacts of spheres that vibrate more and more; with
        RICOCHET_LONG_TESTS=1, 200."""
        for response in ("dcr", "barycentric") if LONG else ("dcr",):
            with self.subTest(response=response):
                rows = self.rows(spheres_in_a_box(35 if LONG else 12),
                                 ["Contact/Response=" + response,
                                  "Output/Steps between history rows=10"])
                energy = mechanical(rows)
                for e in energy:
                    self.assertAlmostEqual(e, energy[0], delta=0.01 * e)
                shadow = [row["shadow_energy"] for row in rows]
                for e in shadow:
                    self.assertAlmostEqual(e, shadow[0], delta=1e-3 * e)
                self.assertLess(abs(rows[-1]["restitution"]),
                                1e-6 * energy[0])

    def test_rods(self):
        """The speed after the impact over that before does not depend on it,
        from 1e-9 to 0.1 of that of waves."""
        for cells in (1, 5, 20):
            relative = []
            for speed in (5e-6, 5e-4, 5e-2, 5, 500):
                with self.subTest(cells=cells, speed=speed):
                    result = self.run_file(
                        self.write("rod.prm", rod(cells, speed, 1)))
                    energy = mechanical(result.table())
                    shadow = result.column("shadow_energy")
                    self.assertLess(max(shadow) - energy[0],
                                    1e-3 * energy[0])
                    relative.append(result.table("bodies.csv")[-1]["vz"] /
                                    speed)
            for value in relative:
                self.assertAlmostEqual(value, relative[0],
                                       delta=0.02 * abs(relative[0]))

    def test_squeeze(self):
        """Restitution books no more than the work, and the balance closes."""
        for response in ("dcr", "barycentric"):
            with self.subTest(response=response):
                last = self.rows(squeeze(response))[-1]
                work = last["external_work"]
                self.assertGreater(work, 0)
                self.assertLess(abs(last["restitution"]) +
                                abs(last["contact_work"]), 2 * work)
                self.assertAlmostEqual(last["total_energy"], 0,
                                       delta=0.01 * work)

    def check_rest(self, material, size, floor):
        """Neither energy nor mean force is more than the weight explains, and
        the vibration does not grow."""
        result = self.run_file(
            self.write("rest.prm", resting(size, material, floor)),
            ["Output/Steps between history rows=20"])
        density, stiffness = material
        weight = density * size**3 * 9.81
        settlement = density * 9.81 * size**2 / (2 * stiffness)
        rows = result.table()
        energy = mechanical(rows)
        self.assertLess(max(energy), 1.5 * weight * settlement)
        half = len(energy) // 2
        self.assertLess(max(energy[half:]), 1.02 * max(energy[:half]))
        if floor == "half-space":
            impulse = -result.table("obstacles.csv")[-1]["jz"]
        else:
            speed = [row["vz"] for row in result.table("bodies.csv")
                     if row["body"] == "block"][-1]
            impulse = weight * (rows[-1]["time"] + speed / 9.81)
        # The rest of the impulse is that of the vibration.
        mean = impulse / rows[-1]["time"]
        vibration = 0.5 * weight * size / math.sqrt(
            stiffness / density) / rows[-1]["time"]
        self.assertAlmostEqual(mean, weight, delta=1e-3 * weight + vibration)

    def test_rest(self):
        """Blocks of steel, rubber and foam of 1 mm to 10 m; with
        RICOCHET_LONG_TESTS=1, over 10000 steps."""
        materials = {"steel": (7800, 2e11), "rubber": (1100, 2e6),
                     "foam": (50, 1e5)}
        for name, material in materials.items():
            for size in (1e-3, 0.1, 10):
                # Where the weight alone crushes it there is no rest.
                if material[0] * 9.81 * size > 0.05 * material[1]:
                    continue
                for floor in FLOORS:
                    with self.subTest(name, size=size, floor=floor):
                        self.check_rest(material, size, floor)

    def test_drops(self):
        """No run is unstable, and the energy that is conserved stays; with
        RICOCHET_LONG_TESTS=1, 200 scenes."""
        for seed in range(200 if LONG else 12):
            response = ("dcr", "barycentric", "nonsmooth")[seed % 3]
            with self.subTest(seed=seed, response=response):
                rows = self.rows(drop(seed, seed // 3 % 2, response))
                shadow = [row["shadow_energy"] for row in rows[1:]]
                work = max(abs(row["external_work"]) for row in rows)
                self.assertLess(max(shadow) - min(shadow), 0.02 * work)


if __name__ == "__main__":
    main()
