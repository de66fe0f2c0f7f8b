# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs the program for the tests and reads what it wrote."""

import csv
import math
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.environ["RICOCHET_PROGRAM"]
SOURCE = os.environ["RICOCHET_SOURCE_DIR"]
MPIEXEC = os.environ.get("RICOCHET_MPIEXEC", "mpirun")


def example(name):
    """The path of a parameter file that comes with the program."""
    return os.path.join(SOURCE, "prm", "dcr", name + ".prm")


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

    def state(self):
        """Names and bytes of the vectors in the checkpoint."""
        with open(self.path("checkpoint", "state"), "rb") as file:
            data = file.read()
        position = data.index(b"\n") + 1 + 4 + 4 + 8 + 4

        def take(size):
            nonlocal position
            position += size
            return data[position - size:position]

        def integer():
            return struct.unpack("=Q", take(8))[0]

        take(16)  # step, time
        for _ in range(integer()):
            take(integer())
            take(8)
        vectors = {}
        for _ in range(integer()):
            name = take(integer()).decode()
            vectors[name] = take(8 * integer())
        return vectors


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
                 expect=0, files=False):
        """Run a parameter file; without ParaView files and pictures unless
        files is set. Fails the test when the exit code is another one."""
        self.n_runs += 1
        directory = output or os.path.join(self.folder,
                                           "run-%d" % self.n_runs)
        command = [PROGRAM]
        if ranks > 1:
            command = MPIEXEC.split() + ["-np", str(ranks), PROGRAM]
        defaults = [] if files else ["Output/Number of ParaView files=0",
                                     "Output/Number of pictures=0"]
        for text in defaults + list(settings):
            command += ["--set", text]
        command += ["--output", directory] + list(options) + [file]
        process = subprocess.run(command, capture_output=True, text=True,
                                 cwd=self.folder, timeout=900)
        if expect is not None:
            self.assertEqual(process.returncode, expect,
                             process.stdout + process.stderr)
        return Result(process, directory)

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w") as file:
            file.write(text)
        return path

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
