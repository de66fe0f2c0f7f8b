# SPDX-License-Identifier: LGPL-2.1-or-later
"""A ball that would fly through half a plate, a plate, or three plates in one
step is caught, on its side: by a plate of one cell's thickness.

The plate is so heavy that it hardly moves. The speed of waves goes with the
speed of the ball, so that the steps are stable.
"""

from ricochet_run import LONG, RunTest, main, parameters, vector

RADIUS, THICKNESS = 0.1, 0.0002
N_STEPS = 80

# For each speed: sidewards velocity relative to it, restitution, friction,
# whether the plate's rim is held, and where over the cells the ball meets.
SETTINGS = {
    100: (0.0, 1, 0.0, True, (0.0, 0.0)),
    300: (0.5, 0, 0.5, False, (0.01, 0.0)),
    1000: (0.2, 1, 0.5, False, (0.013, 0.007)),
}


def material(density, wave_speed, poisson):
    young = (density * wave_speed**2 * (1 + poisson) * (1 - 2 * poisson) /
             (1 - poisson))
    return {"Density": density, "Young's modulus": "%.17g" % young,
            "Poisson's ratio": poisson}


def scene(speed, thicknesses, start):
    """The ball starts at some distance, in parts of its way in a step."""
    sideward, restitution, friction, held, middle = SETTINGS[speed]
    step = thicknesses * THICKNESS / speed
    height = RADIUS + (1 + start) * thicknesses * THICKNESS
    return parameters({
        "Dimension": 3,
        "End time": "%.17g" % ((N_STEPS - 0.5) * step),
        "Time stepping": {"Time step": "%.17g" % step},
        "Bodies": {
            "ball": {
                "Mesh": {"Grid generator": "hyper_ball",
                         "Grid generator arguments":
                             "0, 0, 0 : %g : false" % RADIUS,
                         "Refinements": 1,
                         "Rotation": "0.1, 0.2, 0.3",
                         "Translation": vector(middle + (height,))},
                "Initial velocity": "%g; 0; %g" % (sideward * speed, -speed),
                "Material": material(1000, 7 * speed, 0.3)},
            "plate": {
                "Mesh": {"Grid generator": "subdivided_hyper_rectangle",
                         "Grid generator arguments":
                             "12, 12, 1 : -0.24, -0.24, %g : 0.24, 0.24, 0 "
                             ": true" % -THICKNESS},
                "Material": material(1e9, speed / 8, 0.3),
                **({"Prescribed motion": {"rim": {
                    "Boundary ids": "0, 1, 2, 3"}}} if held else {})}},
        "Contact": {"Restitution": restitution,
                    "Friction coefficient": friction},
        "Output": {"Number of ParaView files": N_STEPS,
                   "Number of pictures": 0}})


class ThinWall(RunTest):

    def check(self, speed, thicknesses, start):
        file = self.write("wall.prm", scene(speed, thicknesses, start))
        result = self.run_file(file, files=True)
        rows = result.table()
        faults = self.faults(result)
        self.assertEqual(faults[:3], [], "%d faults" % len(faults))
        self.assertGreater(sum(row["passes"] for row in rows), 0)
        self.assertEqual(len({row["dt"] for row in rows[1:-2]}), 1)
        for surface in result.surfaces():
            ball, plate = surface[0], surface[1]
            middle = (sum(z for _, _, z in plate) / len(plate))
            self.assertGreater(min(z for _, _, z in ball), middle)
        ball = [row for row in result.table("bodies.csv")
                if row["body"] == "ball"]
        # It was much longer on its way than to the plate.
        self.assertGreater(min(row["cz"] for row in ball), 0.2 * RADIUS)
        self.assertGreater(ball[-1]["vz"], ball[0]["vz"])
        print("%d m/s, %g thicknesses: %d steps with contact, up to %d "
              "passes, leaves with %.2f of its speed" % (
                  speed, thicknesses, sum(row["passes"] > 0 for row in rows),
                  max(row["passes"] for row in rows),
                  ball[-1]["vz"] / speed), flush=True)


def make_test(speed, thicknesses):
    def test(self):
        for start in ((0.1, 0.3, 0.5, 0.7, 0.9) if LONG else (0.3,)):
            with self.subTest(start=start):
                self.check(speed, thicknesses, start)
    return test


for SPEED in SETTINGS:
    for THICKNESSES in (0.5, 1, 3):
        setattr(ThinWall, "test_%d_metres_per_second_%d_halves" %
                (SPEED, round(2 * THICKNESSES)),
                make_test(SPEED, THICKNESSES))


if __name__ == "__main__":
    main()
