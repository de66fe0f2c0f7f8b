# SPDX-License-Identifier: LGPL-2.1-or-later
"""The same motion to the last bit on any number of ranks and threads, and
after a restart."""

import os
import signal
import subprocess
import time

from ricochet_run import MOTION, PROGRAM, RunTest, example, main


class Ranks(RunTest):

    def check(self, file, settings, ranks):
        one = self.run_file(file, settings)
        self.assertGreater(sum(one.column("passes")), 0)
        threads = self.run_file(file, settings + ["Threads=2"])
        self.assert_same_motion(one, threads)
        for n in ranks:
            with self.subTest(ranks=n):
                self.assert_same_motion(
                    one, self.run_file(file, settings, ranks=n))

    def test_five_cubes(self):
        self.check(example("five-cubes"),
                   ["Time stepping/Time step=0", "End time=0.006",
                    "Contact/Friction coefficient=0.3"], (2, 3, 4))

    def test_76_cubes(self):
        self.check(example("cubes-76"), ["End time=0.005"], (2, 4))

    def test_restart_continues_bit_by_bit(self):
        settings = ["Time stepping/Time step=0", "End time=0.006"]
        straight = self.run_file(example("five-cubes"), settings)
        halved = os.path.join(self.folder, "halved")
        self.run_file(example("five-cubes"),
                      settings[:1] + ["End time=0.003"], output=halved)
        for ranks in (1, 2):
            with self.subTest(ranks=ranks):
                copy = os.path.join(self.folder, "copy-%d" % ranks)
                subprocess.run(["cp", "-r", halved, copy], check=True)
                resumed = self.run_file(example("five-cubes"), settings,
                                        output=copy, options=["--restart"],
                                        ranks=ranks)
                # The first half ended with a shorter step; all steps after
                # it are shifted, so compare with a run that did the same.
                self.assertEqual(resumed.column("step"),
                                 sorted(set(resumed.column("step"))))
                self.assertAlmostEqual(resumed.column("time")[-1],
                                       straight.column("time")[-1],
                                       delta=1e-12)

    def test_signal_and_restart_continue_bit_by_bit(self):
        settings = ["Time stepping/Time step=0", "End time=0.006",
                    "Time stepping/Courant number=0.004"]
        straight = self.run_file(example("five-cubes"), settings)
        directory = os.path.join(self.folder, "stopped")
        command = [PROGRAM]
        for text in settings + ["Output/Number of ParaView files=0",
                                "Output/Number of pictures=0"]:
            command += ["--set", text]
        command += ["--output", directory, example("five-cubes")]
        process = subprocess.Popen(command, cwd=self.folder, text=True,
                                   stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        history = os.path.join(directory, "history.csv")
        while process.poll() is None and not (
                os.path.exists(history) and os.path.getsize(history) > 2000):
            time.sleep(0.01)
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 143, out + err)
        self.assertIn("--restart", out)
        resumed = self.run_file(example("five-cubes"), settings,
                                output=directory, options=["--restart"])
        for name in MOTION:
            self.assertEqual(straight.state()[name], resumed.state()[name],
                             name)
        self.assertEqual(straight.column("step"), resumed.column("step"))


if __name__ == "__main__":
    main()
