# SPDX-License-Identifier: LGPL-2.1-or-later
"""What watches a run: all outputs go on after a restart as if nothing had
happened, and names of observers that there are not are told."""

import glob
import os
import re
import signal
import subprocess
import time

from ricochet_run import PROGRAM, RunTest, main, parameters

MATERIAL = {"Density": 1000, "Young's modulus": 1e6, "Poisson's ratio": 0.3}


def block(lower, upper, **entries):
    return dict({"Mesh": {
        "Grid generator": "subdivided_hyper_rectangle",
        "Grid generator arguments": "4, 4 : %s : %s : true" % (lower, upper)},
                 "Material": MATERIAL}, **entries)


# A block falls on a held one and then slides off to the floor.
SCENE = {
    "Dimension": 2,
    "End time": 0.4,
    "Bodies": {
        "falling": block("0, 0.21", "0.2, 0.41", **{
            "Initial velocity": "1; -1", "Body force": "0; -9.81"}),
        "held": block("0, 0", "0.2, 0.2", **{
            "Prescribed motion": {"foot": {"Boundary ids": 2}}})},
    "Obstacles": {"floor": {"Type": "half-space", "half-space": {
        "Normal": "0, 1", "Point": "0, -0.05"}}},
    "Contact": {"Restitution": 0, "Friction coefficient": 0.2},
    "Output": {
        "Steps between history rows": 3,
        "Number of ParaView files": 9,
        "Number of pictures": 2,
        "Check intersections": "true",
        "Minutes between checkpoints": 1e-9,
        "Probes": {"corner": {"Body": "falling", "Position": "0.2, 0.21"}}}}


def without_time(path):
    """A file without what tells when it was written, and how long that took."""
    with open(path, "rb") as file:
        text = file.read().decode("latin-1")
    if path.endswith("history.csv"):
        rows = [row.split(",") for row in text.splitlines()]
        column = rows[0].index("wall_time")
        return [row[:column] + row[column + 1:] for row in rows]
    if path.endswith("summary.txt"):
        lines = text[:text.index("\nTime\n")].splitlines()
        return [line for line in lines if "rebuilds" not in line]
    return re.sub("<!--.*?-->", "", text, flags=re.DOTALL)


class Observers(RunTest):

    def files(self, directory):
        return sorted(os.path.relpath(name, directory)
                      for pattern in ("*.csv", "*.txt", "*.pvd", "*.vtu",
                                      "plots/*.csv", "plots/*.png")
                      for name in glob.glob(os.path.join(directory, pattern)))

    def assert_same_files(self, one, other):
        names = self.files(one.directory)
        self.assertEqual(names, self.files(other.directory))
        for name in ("history.csv", "bodies.csv", "obstacles.csv",
                     "reactions.csv", "probes.csv", "summary.txt",
                     "contact-00009.vtu", "obstacles-00009.vtu",
                     "solution-00009.vtu", "plots/outlines.csv"):
            self.assertIn(name, names)
        for name in names:
            if not name.endswith(".png"):
                self.assertEqual(without_time(one.path(name)),
                                 without_time(other.path(name)), name)

    def kill(self, file, directory, n_bytes):
        """Run until history.csv has so many bytes, and kill without notice."""
        history = os.path.join(directory, "history.csv")
        process = subprocess.Popen([PROGRAM, "--output", directory, file],
                                   cwd=self.folder, stdout=subprocess.DEVNULL)
        while process.poll() is None and not (
                os.path.exists(history) and os.path.getsize(history) > n_bytes):
            time.sleep(0.001)
        process.kill()
        self.assertEqual(process.wait(timeout=60), -signal.SIGKILL)

    def test_all_outputs_go_on_after_kills(self):
        file = self.write("scene.prm", parameters(SCENE))
        straight = self.run_file(file, files=True)
        self.assertGreater(sum(straight.column("node_face")), 0)
        self.assertLess(straight.column("jy", "obstacles.csv")[-1], 0)
        size = os.path.getsize(straight.path("history.csv"))
        directory = os.path.join(self.folder, "killed")
        self.kill(file, directory, size // 2)
        resumed = self.run_file(file, files=True, output=directory,
                                options=["--restart"])
        self.assert_same_files(straight, resumed)

    def test_restart_with_other_outputs(self):
        # What was not there before starts then: of nine files those after
        # half of the time.
        file = self.write("scene.prm", parameters(SCENE))
        none = ["Output/Number of ParaView files=0",
                "Output/Number of pictures=0"]
        first = self.run_file(file, none + ["End time=0.2"], files=True)
        self.assertEqual(glob.glob(first.path("*.vtu")), [])
        self.run_file(file, none[1:], files=True, output=first.directory,
                      options=["--restart"])
        self.assertEqual(len(glob.glob(first.path("contact-*.vtu"))), 5)

    def test_restart_with_a_later_end(self):
        # At 0, 0.05, ... 0.2, then at 0.3 and 0.4.
        file = self.write("scene.prm", parameters(SCENE))
        four = ["Output/Number of ParaView files=4",
                "Output/Number of pictures=0"]
        first = self.run_file(file, four + ["End time=0.2"], files=True)
        self.run_file(file, four, files=True, output=first.directory,
                      options=["--restart"])
        self.assertEqual(len(glob.glob(first.path("contact-*.vtu"))), 7)
        self.assertEqual(len(glob.glob(first.path("solution-*.vtu"))), 7)

    def test_times_add_up(self):
        file = self.write("scene.prm", parameters(SCENE))
        begin = time.monotonic()
        result = self.run_file(file, ["End time=0.05"], files=True)
        wall_time = time.monotonic() - begin
        with open(result.path("summary.txt")) as summary:
            text = summary.read()
        times = dict((name.strip(), float(value)) for name, value in re.findall(
            r"^  ([a-z][a-z -]+?|  [a-z][a-z -]+?) {2,}(\S+)",
            text[text.index("\nTime\n"):], flags=re.MULTILINE))
        total = times.pop("seconds")
        del times["steps per second"], times["ns per element per step"]
        self.assertEqual(len(times), 11)
        self.assertGreater(times["forces"], 0)
        self.assertAlmostEqual(sum(times.values()), total,
                               delta=1e-5 * total)
        self.assertGreater(times["pictures"], 0)
        self.assertLess(abs(times["everything else"]), 0.05 * total)
        # What is left is the end of the process.
        self.assertLess(total, wall_time + 0.05)
        self.assertGreater(total, 0.7 * wall_time - 0.5)

    def test_observers_that_there_are_not(self):
        file = self.write("scene.prm", parameters(SCENE))
        for name, words in (("fastest", ["fastest", "no observer"]),
                            ("history", ["history", "every run"])):
            result = self.run_file(file, ["Output/Observers=" + name],
                                   expect=1)
            for word in words + ["--set", "Output/Observers"]:
                self.assertIn(word, result.err)


if __name__ == "__main__":
    main()
