# SPDX-License-Identifier: LGPL-2.1-or-later
"""Rigid bodies in all outputs, on any number of ranks and after a restart."""

import glob
import math
import os
import shutil
import signal
import subprocess
import time
import xml.etree.ElementTree

from ricochet_run import PROGRAM, SOURCE, RunTest, array, main, number, parameters

GRAVITY = 9.81
STEP = 1e-3


def box(half, place, turn=(0, 0, 0), **entries):
    corner = ", ".join("%g" % h for h in half)
    return dict({
        "Rigid": "true",
        "Rigid body": {"Surface": "box", "box": {
            "Lower corner": "-" + corner.replace(", ", ", -"),
            "Upper corner": corner}},
        "Mesh": {"Rotation": "%g, %g, %g" % turn,
                 "Translation": "%g, %g, %g" % place},
        "Material": {"Density": 1000},
        "Body force": "0; 0; -%g" % GRAVITY}, **entries)


# Three boxes fall on a plate of finite mass, which lies on a floor, and on each
# other.
SCENE = {
    "Dimension": 3,
    "End time": 0.3,
    "Time stepping": {"Time step": STEP},
    "Bodies": {
        "plate": box((0.3, 0.3, 0.02), (0, 0, 0.03)),
        "low": box((0.05, 0.05, 0.05), (0, 0, 0.13), (0.3, 0.2, 0)),
        "long": box((0.12, 0.03, 0.03), (0.01, 0.02, 0.25), (0, 0.1, 0.4),
                    **{"Initial velocity": "0.2; 0; -1"}),
        "high": box((0.04, 0.05, 0.03), (-0.08, 0, 0.4), (0.7, 0, 0),
                    **{"Rigid body": {
                        "Surface": "box", "box": {
                            "Lower corner": "-0.04, -0.05, -0.03",
                            "Upper corner": "0.04, 0.05, 0.03"}}})},
    "Obstacles": {"floor": {"Type": "half-space", "half-space": {
        "Normal": "0, 0, 1", "Point": "0, 0, 0"}}},
    "Contact": {"Restitution": 0, "Friction coefficient": 0.3},
    "Output": {
        "Number of ParaView files": 5,
        "Number of pictures": 0,
        "Probes": {"corner": {"Body": "low",
                              "Position": "0.01, 0.02, 0.13"}}}}
BODIES = list(SCENE["Bodies"])
MOTIONS = "run: motions of rigid bodies"

# A rigid ball on a block that deforms and is held below.
MIXED = {
    "Dimension": 3,
    "End time": 0.02,
    "Time stepping": {"Time step": 1e-4},
    "Bodies": {
        "block": {
            "Mesh": {"Grid generator": "subdivided_hyper_rectangle",
                     "Grid generator arguments":
                     "4, 4, 2 : -0.1, -0.1, -0.1 : 0.1, 0.1, 0 : true"},
            "Material": {"Density": 1000, "Young's modulus": 1e6,
                         "Poisson's ratio": 0.3},
            "Prescribed motion": {"foot": {"Boundary ids": 4}}},
        "ball": {
            "Rigid": "true",
            "Rigid body": {"Surface": "sphere",
                           "sphere": {"Radius": 0.05}},
            "Mesh": {"Translation": "0.01, 0.02, 0.0505"},
            "Initial velocity": "0.5; 0; -1",
            "Spin": "0, 3, 0",
            "Material": {"Density": 500}}},
    "Contact": {"Restitution": 0, "Friction coefficient": 0.3},
    "Output": {"Number of ParaView files": 4, "Number of pictures": 0}}


def column(row, names):
    return [row[name] for name in names]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
            a[0] * b[1] - a[1] * b[0]]


def rotate(vector, x):
    """Rodrigues' formula."""
    angle = math.sqrt(sum(r * r for r in vector))
    if angle == 0:
        return list(x)
    axis = [r / angle for r in vector]
    once = cross(axis, x)
    twice = cross(axis, once)
    return [a + math.sin(angle) * b + (1 - math.cos(angle)) * c
            for a, b, c in zip(x, once, twice)]


def surface(path):
    """Points and fields of a file of a surface: by name, by point."""
    piece = xml.etree.ElementTree.parse(path).find(".//Piece")
    points = array(piece.find("Points/DataArray"), "d")
    n = len(points) // 3
    fields = {"points": [points[3 * i:3 * i + 3] for i in range(n)]}
    for data in piece.find("PointData"):
        values = array(data, "f")
        size = len(values) // n
        fields[data.get("Name")] = [
            values[size * i:size * i + size] if size > 1 else values[i]
            for i in range(n)]
    return fields


def vertices(fields, body):
    """Numbers of the different points of a body: facets have their own."""
    known = {}
    for i, point in enumerate(fields["points"]):
        if fields["body"][i] == body:
            known.setdefault(tuple(point), i)
    return list(known.values())


class RigidOutput(RunTest):

    def scene(self, scene=SCENE, **output):
        return self.write("scene.prm", parameters(
            dict(scene, Output=dict(scene["Output"], **output))))

    def rows_of(self, result, body, name="bodies.csv"):
        return [row for row in result.table(name) if row["body"] == body]

    def killed(self, file, n_bytes):
        """The directory of a run that was killed when its table had so many
        bytes."""
        directory = os.path.join(self.folder, "killed")
        history = os.path.join(directory, "history.csv")
        process = subprocess.Popen([PROGRAM, "--output", directory, file],
                                   cwd=self.folder, stdout=subprocess.DEVNULL)
        while process.poll() is None and not (
                os.path.exists(history) and os.path.getsize(history) > n_bytes):
            time.sleep(0.001)
        process.kill()
        self.assertEqual(process.wait(timeout=60), -signal.SIGKILL)
        return directory

    def assert_same_tables(self, one, other, names, bound=0):
        for name in names:
            rows, others = one.table(name), other.table(name)
            self.assertEqual(len(rows), len(others), name)
            for row, same in zip(rows, others):
                for key, value in row.items():
                    if key == "wall_time" or value == same[key]:
                        continue
                    self.assertLessEqual(abs(value - same[key]), bound,
                                         (name, row["step"], key))

    def test_ranks(self):
        file = self.scene()
        one = self.run_file(file)
        self.assertGreater(sum(one.column("passes")), 100)
        for n in (2, 3):
            with self.subTest(ranks=n):
                other = self.run_file(file, ranks=n)
                self.assertEqual(one.state()[MOTIONS], other.state()[MOTIONS])
                self.assert_same_tables(one, other,
                                        ("bodies.csv", "contact_forces.csv",
                                         "probes.csv", "obstacles.csv"))

    def test_restart_on_any_number_of_ranks(self):
        file = self.scene(**{"Steps between history rows": 3,
                             "Minutes between checkpoints": 1e-9})
        straight = self.run_file(file, files=True)
        killed = self.killed(
            file, os.path.getsize(straight.path("history.csv")) // 2)
        for n in (1, 2, 3):
            with self.subTest(ranks=n):
                copy = os.path.join(self.folder, "copy-%d" % n)
                shutil.copytree(killed, copy)
                other = self.run_file(file, output=copy, files=True, ranks=n,
                                      options=["--restart"])
                self.assertEqual(straight.state()[MOTIONS],
                                 other.state()[MOTIONS])
                self.assert_same_tables(straight, other,
                                        ("bodies.csv", "contact_forces.csv",
                                         "probes.csv", "obstacles.csv"))
                for name in ("contact-00005.vtu", "solution-00005.vtu"):
                    self.assertEqual(surface_bits(straight.path(name)),
                                     surface_bits(other.path(name)), name)

    def test_forces_are_what_changes_the_motion(self):
        # Momentum and angular momentum about the centre of each body.
        result = self.run_file(self.scene())
        forces = result.table("contact_forces.csv")
        end = result.column("time")[-1]
        for body in BODIES:
            rows = self.rows_of(result, body)
            mass = rows[0]["mass"]
            mine = [row for row in forces if row["body"] == body]
            self.assertGreater(len(mine), 10)
            scale = mass * GRAVITY * end
            for d, axis in enumerate("xyz"):
                change = mass * (rows[-1]["v" + axis] - rows[0]["v" + axis])
                weight = mass * GRAVITY * end if axis == "z" else 0
                self.assertAlmostEqual(
                    STEP * sum(row["f" + axis] for row in mine),
                    change + weight, delta=1e-11 * scale)
                change = rows[-1]["l" + axis] - rows[0]["l" + axis]
                moments = [STEP * row["m" + axis] for row in mine]
                self.assertAlmostEqual(sum(moments), change, delta=1e-12 *
                                       sum(map(abs, moments)))
        # Actio and reactio; the normals push, and friction is in its cone.
        pairs = {(row["step"], row["body"], row["partner"]): row
                 for row in forces}
        for (step, body, partner), row in pairs.items():
            other = pairs[step, partner, body]
            size = math.hypot(*column(row, ("fx", "fy", "fz")))
            for axis in "xyz":
                self.assertAlmostEqual(row["f" + axis], -other["f" + axis],
                                       delta=1e-12 * size)
            self.assertEqual(row["area"], other["area"])
            self.assertGreater(row["area"], 0)
            self.assertGreaterEqual(row["normal"], 0)
            self.assertLessEqual(row["tangential"],
                                 0.3 * row["normal"] + 1e-9 * size)

    def test_forces_on_bodies_that_deform(self):
        # In all responses; steps have one length.
        for name, settings, body in (
                ("dcr/five-cubes", ["End time=0.006", "Contact/Friction "
                                    "coefficient=0.3"], None),
                ("barycentric/multi-body", [
                    "Time stepping/Time step=2e-7", "End time=1e-4",
                    "Contact/Friction coefficient=0.3"], None),
                ("nonsmooth/two-cubes-edge", [
                    "End time=0.4", "Output/Steps between history rows=1"],
                 None),
                ("energy-momentum/friction-blocks", ["End time=1"], "block")):
            with self.subTest(file=name):
                result = self.run_file(
                    os.path.join(SOURCE, "prm", name + ".prm"), settings)
                forces = result.table("contact_forces.csv")
                steps = result.column("dt")[1:]
                self.assertLess(max(steps) - min(steps), 1e-9 * steps[0])
                bodies = {row["body"] for row in forces}
                self.assertTrue(bodies)
                for b in {body} if body else bodies:
                    self.check_momentum(self.rows_of(result, b), [
                        row for row in forces if row["body"] == b], steps[0])

    def check_momentum(self, rows, forces, step):
        scale = step * sum(row["normal"] for row in forces)
        self.assertGreater(scale, 0)
        for axis in "xyz":
            change = rows[0]["mass"] * (rows[-1]["v" + axis] -
                                        rows[0]["v" + axis])
            self.assertAlmostEqual(
                step * sum(row["f" + axis] for row in forces), change,
                delta=1e-9 * scale)

    def test_forces_between_rows_of_many_steps(self):
        # Forces and moments are means, but centres are taken to move on
        # straight lines between rows. They change their speed by 1 m/s at the
        # most, so they are off by a quarter of that times ten steps.
        every = self.run_file(self.scene())
        few = self.run_file(self.scene(), ["Output/Steps between history "
                                           "rows=10"])
        sums = {}
        for result, dt in ((every, STEP), (few, 10 * STEP)):
            for row in result.table("contact_forces.csv"):
                total = sums.setdefault((row["body"], row["partner"]),
                                        {every: [0] * 6, few: [0] * 6})
                for i, key in enumerate(("fx", "fy", "fz", "mx", "my", "mz")):
                    total[result][i] += dt * row[key]
        for (body, partner), total in sums.items():
            scale = max(map(abs, total[every][:3]))
            for i, (a, b) in enumerate(zip(total[every], total[few])):
                self.assertAlmostEqual(
                    a, b, delta=(1e-12 if i < 3 else 2.5 * STEP) * scale,
                    msg=(body, partner, i))

    def test_contact_surface(self):
        # The vertices of a body have what it got.
        for scene, bodies in ((SCENE, range(4)), (MIXED, (1,))):
            result = self.run_file(self.scene(scene), files=True)
            names = list(scene["Bodies"])
            dt = scene["Time stepping"]["Time step"]
            forces = result.table("contact_forces.csv")
            self.assertTrue(forces)
            files = sorted(glob.glob(result.path("contact-*.vtu")))
            times = [float(entry.get("timestep")) for entry in
                     xml.etree.ElementTree.parse(
                         result.path("contact.pvd")).iter("DataSet")]
            for body in bodies:
                pressed = 0
                for k in range(1, len(files)):
                    fields = surface(files[k])
                    points = vertices(fields, body)
                    rows = [row for row in forces
                            if row["body"] == names[body] and
                            times[k - 1] + dt / 2 < row["time"] <
                            times[k] + dt / 2]
                    scale = dt * sum(row["normal"] for row in rows)
                    for d, axis in enumerate("xyz"):
                        self.assertAlmostEqual(
                            sum(fields["contact_impulse"][i][d]
                                for i in points),
                            dt * sum(row["f" + axis] for row in rows),
                            delta=1e-6 * scale)
                    touched = [i for i in points
                               if not math.isnan(fields["gap"][i])]
                    for i in points:
                        self.assertEqual(fields["normal_pressure"][i] != 0,
                                         fields["status"][i] != 0)
                    pressed += len(touched)
                    if rows:
                        self.assertTrue(touched)
                self.assertGreater(pressed, 0)

    def test_solution(self):
        for scene, first, part in ((SCENE, 0, ""), (MIXED, 1, "-1")):
            result = self.run_file(self.scene(scene), files=True)
            entries = list(xml.etree.ElementTree.parse(
                result.path("solution.pvd")).iter("DataSet"))
            files = sorted(glob.glob(result.path(
                "solution-[0-9][0-9][0-9][0-9][0-9]%s.vtu" % part)))
            times = sorted({float(entry.get("timestep"))
                            for entry in entries})
            self.assertEqual(len(files), len(times))
            self.assertEqual(len(entries), len(times) * (2 if part else 1))
            for name in files:
                self.assertIn(os.path.basename(name),
                              [entry.get("file") for entry in entries])
            for body in range(first, len(scene["Bodies"])):
                rows = self.rows_of(result, list(scene["Bodies"])[body])
                start = column(rows[0], ("cx", "cy", "cz"))
                for path, moment in zip(files, times):
                    row = min(rows, key=lambda r: abs(r["time"] - moment))
                    self.check_solution(surface(path), body, start, row)

    def check_solution(self, fields, body, start, row):
        centre = column(row, ("cx", "cy", "cz"))
        velocity = column(row, ("vx", "vy", "vz"))
        omega = column(row, ("wx", "wy", "wz"))
        turn = column(row, ("rx", "ry", "rz"))
        points = vertices(fields, body)
        self.assertGreaterEqual(len(points), 8)
        for i in points:
            x = fields["points"][i]
            X = [a - b for a, b in zip(x, fields["displacement"][i])]
            arm = rotate(turn, [a - b for a, b in zip(X, start)])
            spin = cross(omega, arm)
            for d in range(3):
                # Fields are in single precision.
                self.assertAlmostEqual(x[d], centre[d] + arm[d], delta=1e-6)
                self.assertAlmostEqual(fields["velocity"][i][d],
                                       velocity[d] + spin[d], delta=1e-5)

    def test_probe(self):
        result = self.run_file(self.scene())
        position = [0.01, 0.02, 0.13]
        for probe, row in zip(result.table("probes.csv"),
                              self.rows_of(result, "low")):
            arm = rotate(column(row, ("rx", "ry", "rz")),
                         [a - b for a, b in zip(position, (0, 0, 0.13))])
            spin = cross(column(row, ("wx", "wy", "wz")), arm)
            for d, axis in enumerate("xyz"):
                x = row["c" + axis] + arm[d]
                self.assertAlmostEqual(probe[axis], x, delta=1e-14)
                self.assertAlmostEqual(probe["u" + axis], x - position[d],
                                       delta=1e-14)
                self.assertAlmostEqual(probe["v" + axis],
                                       row["v" + axis] + spin[d], delta=1e-13)

    def test_probe_outside(self):
        result = self.run_file(self.scene(Probes={"corner": {
            "Body": "low", "Position": "1, 0, 0"}}), expect=1)
        self.assertIn("Probe 'corner': 'Position' is outside of the rigid body "
                      "'low'", result.err)

    def test_rotation_in_the_plane(self):
        # A square without gravity turns by itself: the angle about z.
        result = self.run_file(self.write("spin.prm", parameters({
            "Dimension": 2,
            "End time": 1,
            "Time stepping": {"Time step": 0.01},
            "Bodies": {"square": {
                "Rigid": "true",
                "Rigid body": {"Surface": "box", "box": {
                    "Lower corner": "-1, -1", "Upper corner": "1, 1"}},
                "Spin": 2,
                "Material": {"Density": 1}}},
            "Contact": {}})))
        rows = result.table("bodies.csv")
        for row in rows:
            self.assertAlmostEqual(row["rz"], 2 * row["time"], delta=1e-12)
            self.assertAlmostEqual(row["wz"], 2, delta=1e-13)
            self.assertEqual(column(row, ("rx", "ry", "wx", "wy")), [0] * 4)
        self.assertEqual(number("nan") == 0, False)

    def test_bodies_that_deform_have_no_rotation(self):
        result = self.run_file(self.scene(MIXED))
        for row in self.rows_of(result, "block"):
            self.assertTrue(all(map(math.isnan, column(
                row, ("rx", "ry", "rz", "wx", "wy", "wz")))))

    def test_without_bodies_that_deform(self):
        # Sizes and numbers make sense.
        result = self.run_file(self.scene(), options=["--validate"])
        self.assertIn("bodies 4, cells 0", result.out)
        mass = 1000 * 8 * (0.3 * 0.3 * 0.02 + 0.05 ** 3 + 0.12 * 0.03 ** 2 +
                           0.04 * 0.05 * 0.03)
        self.assertIn("Mass %g," % mass, result.out)
        self.assertIn("stable time step unlimited", result.out)
        result = self.run_file(self.scene())
        with open(result.path("summary.txt")) as file:
            summary = file.read()
        for text in (result.out, summary):
            for word in ("nan", "inf", "e+308"):
                self.assertNotIn(word, text.replace("information", ""))


def surface_bits(path):
    """The arrays of a file of a surface, as text."""
    return [data.text for data in
            xml.etree.ElementTree.parse(path).iter("DataArray")]


if __name__ == "__main__":
    main()
