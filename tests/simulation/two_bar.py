# SPDX-License-Identifier: LGPL-2.1-or-later
"""Longitudinal impact of two bars against a 1D solution from an independent
implementation (two_bar.csv) and the exact one."""

import csv
import os
import unittest

from ricochet_run import RunTest, example, main

HERE = os.path.dirname(os.path.abspath(__file__))


def probes(result):
    tips = {"left tip": {}, "right tip": {}}
    for row in result.table("probes.csv"):
        tips[row["probe"]][round(row["time"], 6)] = row
    return tips


class TwoBar(RunTest):

    def check_reference(self, name):
        result = self.run_file(example(name), ["End time=30"])
        tips = probes(result)
        history = {round(row["time"], 6): row for row in result.table()}
        n_compared = 0
        with open(os.path.join(HERE, "two_bar.csv"), newline="") as file:
            for row in csv.DictReader(file):
                time = round(float(row["t"]), 6)
                left, right = (tips["left tip"][time],
                               tips["right tip"][time])
                self.assertAlmostEqual(left["ux"], float(row["uL_tip"]),
                                       delta=1e-7)
                self.assertAlmostEqual(right["ux"], float(row["uR_tip"]),
                                       delta=1e-7)
                energy = (history[time]["kinetic_energy"] +
                          history[time]["internal_energy"])
                self.assertAlmostEqual(energy, float(row["total_energy"]),
                                       delta=1e-7)
                n_compared += 1
        self.assertEqual(n_compared, 601)

    def test_reference_3d(self):
        self.check_reference("two-bar")

    def test_reference_2d(self):
        self.check_reference("two-bar-2d")

    def test_exact_solution_with_small_steps(self):
        result = self.run_file(example("two-bar"), [
            "End time=30", "Time stepping/Time step=0.01"])
        tips = probes(result)
        for time, row in tips["left tip"].items():
            if time <= 20:
                self.assertLessEqual(abs(row["ux"]), 0.01)
        self.assertAlmostEqual(tips["left tip"][30.0]["ux"], -1.0, delta=0.02)
        contacts = [row["time"] for row in result.table() if row["passes"] > 0]
        self.assertGreaterEqual(contacts[-1], 19.9)
        self.assertLessEqual(contacts[-1], 20.3)


if __name__ == "__main__":
    main()
