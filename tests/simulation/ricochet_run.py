# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs the program for the tests and reads what it wrote.

Set RICOCHET_LONG_TESTS=1 in the environment to run the long versions of the
tests that have one.
"""

import base64
import csv
import glob
import math
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import urllib.parse
import xml.etree.ElementTree
import zlib

PROGRAM = os.environ["RICOCHET_PROGRAM"]
SOURCE = os.environ["RICOCHET_SOURCE_DIR"]
MPIEXEC = os.environ.get("RICOCHET_MPIEXEC", "mpirun")
CHECK_INTERSECTIONS = os.environ.get("RICOCHET_CHECK_INTERSECTIONS")
# Stops with an error when bodies intersect at the end of any step; None if
# there is no checker.
CHECKED_PROGRAM = os.environ.get("RICOCHET_CHECKED_PROGRAM")
# The vectors of a state that make it up.
MOTION = ("positions 0", "velocities 0", "accelerations 0")
# In what h5dump prints: name, size and place.
DATASET = re.compile(r'DATASET "([^"]*)".*?CONTIGUOUS\s+SIZE (\d+)\s+'
                     r'OFFSET (\w+)', re.DOTALL)
LONG = "RICOCHET_LONG_TESTS" in os.environ


def example(name):
    """The path of a parameter file that comes with the program."""
    return os.path.join(SOURCE, "prm", "dcr", name + ".prm")


def vector(values, separator=", "):
    """Numbers as parameter files want them; ';' between functions."""
    return separator.join("%.17g" % value for value in values)


def parameters(entries):
    """The text of a parameter file; dictionaries in it are its sections."""
    lines = []
    for key, value in entries.items():
        if isinstance(value, dict):
            lines += ["subsection " + key, parameters(value), "end"]
        else:
            lines.append("set %s = %s" % (key, value))
    return "\n".join(lines)


def write_gmsh(path, nodes, kind, cells, groups=None):
    """A Gmsh 2.2 file; kind is 2 for triangles, 3 for quadrilaterals, 4 for
    tetrahedra and 5 for hexahedra. Groups are names of the cells, if any."""
    names = sorted(set(groups or []))
    numbers = [names.index(name) + 1 for name in groups or []]
    with open(path, "w") as file:
        file.write("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n")
        if names:
            file.write("$PhysicalNames\n%d\n" % len(names))
            for i, name in enumerate(names, 1):
                file.write('%d %d "%s"\n' % (2 if kind < 4 else 3, i, name))
            file.write("$EndPhysicalNames\n")
        file.write("$Nodes\n%d\n" % len(nodes))
        for i, position in enumerate(nodes, 1):
            file.write("%d %.17g %.17g %.17g\n" % (i, *position))
        file.write("$EndNodes\n$Elements\n%d\n" % len(cells))
        for i, cell in enumerate(cells, 1):
            group = numbers[i - 1] if names else 0
            file.write("%d %d 2 %d %d %s\n" % (
                i, kind, group, group, " ".join(map(str, cell))))
        file.write("$EndElements\n")


class Result:
    """Exit code, messages and files of one run."""

    def __init__(self, process, directory):
        self.code = process.returncode
        self.out = process.stdout
        self.err = process.stderr
        self.directory = directory

    def path(self, *names):
        return os.path.join(self.directory, *names)

    def table(self, name="history.csv"):
        """The rows of a table as dictionaries; numbers where possible."""
        with open(self.path(name), newline="") as file:
            return [
                {key: number(value) for key, value in row.items()}
                for row in csv.DictReader(file)
            ]

    def column(self, key, name="history.csv"):
        return [row[key] for row in self.table(name)]

    def surfaces(self):
        """For each output, the points of the facets of each body."""
        for file in sorted(glob.glob(self.path("contact-*.vtu"))):
            piece = xml.etree.ElementTree.parse(file).find(".//Piece")
            points = array(piece.find("Points/DataArray"), "d")
            bodies = array(piece.find("PointData/DataArray[@Name='body']"),
                           "f")
            surface = {}
            for i, body in enumerate(bodies):
                surface.setdefault(int(body), []).append(
                    points[3 * i:3 * i + 3])
            yield surface

    def state(self):
        """Names and bytes of the vectors in the checkpoint."""
        path = self.path("checkpoint", "state.h5")
        # Where the datasets are in the file: only so their bits are exact.
        listing = subprocess.run(["h5dump", "--header", "--properties", path],
                                 capture_output=True, text=True, check=True)
        with open(path, "rb") as file:
            data = file.read()
        vectors = {}
        for name, size, offset in DATASET.findall(listing.stdout):
            # An empty one is nowhere.
            begin = int(offset) if int(size) > 0 else 0
            vectors[urllib.parse.unquote(name)] = (
                data[begin:begin + int(size)])
        return vectors


def array(element, code):
    """The numbers in a compressed array of one block in a .vtu file."""
    data = zlib.decompress(base64.b64decode(element.text.split()[0][24:]))
    return struct.unpack("=%d%s" % (len(data) // struct.calcsize(code), code),
                         data)


def numbers(data):
    """The numbers in a vector of a checkpoint."""
    return struct.unpack("=%dd" % (len(data) // 8), data)


def number(text):
    try:
        return float(text)
    except ValueError:
        return text


class RunTest(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="ricochet-test-")
        self.n_runs = 0

    def tearDown(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def run_file(self, file, settings=(), ranks=1, options=(), output=None,
                 expect=0, files=False, program=PROGRAM):
        """Run a parameter file; without ParaView files and pictures unless
        files is set. Fails the test when the exit code is another one."""
        self.n_runs += 1
        directory = output or os.path.join(self.folder,
                                           "run-%d" % self.n_runs)
        command = [program]
        if ranks > 1:
            command = MPIEXEC.split() + ["-np", str(ranks), program]
        defaults = [] if files else ["Output/Number of ParaView files=0",
                                     "Output/Number of pictures=0"]
        for text in defaults + list(settings):
            command += ["--set", text]
        command += ["--output", directory] + list(options) + [file]
        process = subprocess.run(command, capture_output=True, text=True,
                                 cwd=self.folder,
                                 timeout=7200 if LONG else 900)
        if expect is not None:
            self.assertEqual(process.returncode, expect,
                             process.stdout + process.stderr)
        return Result(process, directory)

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w") as file:
            file.write(text)
        return path

    def assert_near(self, one, other, bound,
                    of=("positions", "velocities")):
        """The same motion, but for a relative bound."""
        for name, values in one.state().items():
            if name.split()[0] in of:
                a, b = numbers(values), numbers(other.state()[name])
                scale = max(map(abs, a))
                self.assertGreater(scale, 0)
                self.assertLessEqual(
                    max(abs(x - y) for x, y in zip(a, b)), bound * scale)

    def faults(self, result, options=()):
        """What the exact checker finds in the contact surfaces of a run."""
        process = subprocess.run(
            [CHECK_INTERSECTIONS, *options, result.directory],
            capture_output=True, text=True, timeout=900)
        self.assertIn(process.returncode, (0, 1), process.stderr)
        lines = process.stdout.splitlines()
        self.assertEqual(process.returncode, int(len(lines) > 1))
        return lines[:-1]

    def assert_same_motion(self, one, other):
        for name in MOTION:
            self.assertEqual(one.state()[name], other.state()[name], name)
        for a, b in zip(one.table(), other.table()):
            self.assertEqual(a["step"], b["step"])
            for key in ("kinetic_energy", "internal_energy", "contact_work",
                        "friction", "restitution", "total_energy"):
                self.assertAlmostEqual(a[key], b[key],
                                       delta=1e-12 * abs(a["total_energy"]))
            for key in ("node_face", "edge_edge", "passes", "time", "dt"):
                self.assertEqual(a[key], b[key])

    def assert_momentum(self, result, bound=1e-12):
        """Linear momentum and the unexplained angular momentum stay at
        round-off, relative to the sums over m |v| and m |x - c| |v|, here
        bounded from below through the energies of the bodies."""
        rows = result.table()
        bodies = [row for row in result.table("bodies.csv")
                  if row["step"] == 0]
        scale = sum(row["mass"] * math.hypot(row["vx"], row["vy"], row["vz"])
                    for row in bodies)
        total = sum(row["mass"] for row in bodies)
        centre = [sum(row["mass"] * row[c] for row in bodies) / total
                  for c in ("cx", "cy", "cz")]
        l_scale = sum(row["mass"] *
                      math.hypot(row["vx"], row["vy"], row["vz"]) *
                      math.dist([row["cx"], row["cy"], row["cz"]], centre)
                      for row in bodies)
        for key in ("px", "py", "pz"):
            self.assertLessEqual(
                max(abs(row[key] - rows[0][key]) for row in rows),
                bound * scale)
        self.assertLessEqual(max(row["l_error"] for row in rows),
                             bound * l_scale)
        return l_scale


def energies(rows):
    """Kinetic + internal energy relative to the start, minus one."""
    start = rows[0]["kinetic_energy"] + rows[0]["internal_energy"]
    return [(row["kinetic_energy"] + row["internal_energy"]) / start - 1.0
            for row in rows]


def main():
    unittest.main(verbosity=2, argv=sys.argv)
