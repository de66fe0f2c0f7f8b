# SPDX-License-Identifier: LGPL-2.1-or-later
"""All ranks use the same instruction set, and the run tells which."""

import os
import re
import subprocess
import unittest
from unittest import mock

from ricochet_run import MOTION, MPIEXEC, PROGRAM, Result, RunTest, example, \
    main

SETTINGS = ["Time stepping/Time step=0", "End time=0.004"]
# Runs a command in which only the first rank is to use the set that comes first;
# the variables are those of Open MPI and of MPICH.
ON_FIRST_RANK = """
RICOCHET_SIMD=$1; shift
[ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" = 0 ] || RICOCHET_SIMD=
export RICOCHET_SIMD
exec "$@"
"""


def using(name):
    """Runs inside of this context use the instruction set of that name."""
    return mock.patch.dict(os.environ, RICOCHET_SIMD=name)


def version():
    return subprocess.run([PROGRAM, "--version"], capture_output=True,
                          text=True, timeout=60)


def widest():
    with using(""):
        return re.search("^instruction set (.*)$", version().stdout,
                         re.MULTILINE).group(1)


class InstructionSets(RunTest):

    def run_mixed(self, name):
        """On two ranks, of which the first has only that set."""
        directory = os.path.join(self.folder, "mixed")
        command = [PROGRAM]
        for text in SETTINGS + ["Output/Number of ParaView files=0",
                                "Output/Number of pictures=0"]:
            command += ["--set", text]
        command += ["--output", directory, example("five-cubes")]
        return Result(
            subprocess.run(
                MPIEXEC.split() +
                ["-np", "2", "sh", "-c", ON_FIRST_RANK, "sh", name] + command,
                capture_output=True, text=True, timeout=300), directory)

    def assert_set(self, result, name):
        with open(result.path("summary.txt")) as file:
            self.assertRegex(file.read(), r"instruction set +%s\n" % name)

    @unittest.skipIf(widest() == "baseline", "There is but one set here.")
    def test_unequal_ranks_agree_on_the_narrowest(self):
        with using("baseline"):
            narrow = self.run_file(example("five-cubes"), SETTINGS)
        with using(""):
            wide = self.run_file(example("five-cubes"), SETTINGS)
        self.assert_set(narrow, "baseline")
        self.assert_set(wide, widest())
        self.assertNotEqual(*([run.state()[name] for name in MOTION]
                              for run in (narrow, wide)))

        mixed = self.run_mixed("baseline")
        self.assertEqual(mixed.code, 0, mixed.out + mixed.err)
        self.assert_set(mixed, "baseline")
        self.assert_same_motion(narrow, mixed)

    def test_a_wrong_wish_of_one_rank_ends_all(self):
        run = self.run_mixed("mmx")
        self.assertEqual(run.code, 1)
        self.assertEqual(run.err.count("Error: "), 1, run.err)
        self.assertIn("'mmx'", run.err)

    @unittest.skipIf(widest() == "baseline", "There is but one set here.")
    def test_a_restart_with_another_set_warns(self):
        directory = os.path.join(self.folder, "run")

        def run_until(time, name, options=("--restart",)):
            with using(name):
                return self.run_file(example("five-cubes"),
                                     SETTINGS[:1] + ["End time=%g" % time],
                                     options=options, output=directory).out

        run_until(0.001, "baseline", options=())
        self.assertNotIn("Warning", run_until(0.002, "baseline"))
        other = run_until(0.003, widest())
        self.assertEqual(other.count("Warning"), 1, other)
        self.assertIn("RICOCHET_SIMD=baseline", other)
        self.assertNotIn("Warning", run_until(0.004, widest()))

    def test_the_version_tells_the_set(self):
        with using("baseline"):
            self.assertIn("\ninstruction set baseline\n", version().stdout)
        with using("mmx"):
            refused = version()
        self.assertEqual(refused.returncode, 1)
        self.assertIn("'mmx'", refused.stderr)


if __name__ == "__main__":
    main()
