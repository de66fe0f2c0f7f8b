# SPDX-License-Identifier: LGPL-2.1-or-later
"""The options of the program are its own."""

import os
from unittest import mock

from ricochet_run import RunTest, example, main


class CommandLine(RunTest):

    def test_no_library_looks_at_the_options(self):
        # PETSc, where deal.II has it, tells what it made no use of; newer
        # versions do so without being asked.
        with mock.patch.dict(os.environ, PETSC_OPTIONS="-options_left"):
            run = self.run_file(example("five-cubes"), ["End time=1e-4"])
        self.assertNotIn("--", run.out + run.err)


if __name__ == "__main__":
    main()
