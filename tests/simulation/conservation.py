# SPDX-License-Identifier: LGPL-2.1-or-later
"""Momentum, energy, passes and intersections in whole runs of the examples.

The bars on energy, angular momentum and passes are two to three times what an
independent implementation of the same method attains on the same meshes.
"""

import math

from ricochet_run import RunTest, energies, example, main


def by_courant(number):
    return ["Time stepping/Time step=0",
            "Time stepping/Courant number=%g" % number]


def drift(rows, keys):
    """Largest distance of a vector from its start."""
    start = [rows[0][key] for key in keys]
    return max(math.dist([row[key] for key in keys], start) for row in rows)


def relative_change(rows, key):
    start = rows[0]["kinetic_energy"] + rows[0]["internal_energy"]
    return max(abs(row[key] - rows[0][key]) for row in rows) / start


class Conservation(RunTest):

    def run_checked(self, name, settings=(), intersections=True):
        """A run whose momenta are at round-off and whose passes are few."""
        result = self.run_file(example(name), [
            "Output/Check intersections=%s" % str(intersections).lower()
        ] + list(settings))
        if intersections:
            lines = [line.split() for line in result.out.split("\n")
                     if "intersecting facet pairs" in line]
            self.assertEqual([line[-1] for line in lines], ["0"])
        rows = result.table()
        passes = [row["passes"] for row in rows if row["passes"] > 0]
        self.assertGreater(len(passes), 0)
        self.assertLessEqual(max(passes), 10)
        self.assertGreaterEqual(sum(n <= 3 for n in passes),
                                0.99 * len(passes))
        scale = self.assert_momentum(result)
        return rows, scale

    def check_small_steps(self, name):
        rows, scale = self.run_checked(name)
        self.assertLessEqual(drift(rows, ("lx", "ly", "lz")), 4e-4 * scale)
        energy = energies(rows)
        self.assertLessEqual(max(energy), 1e-3)
        self.assertGreaterEqual(energy[-1], -0.015)
        self.assertLessEqual(energy[-1], 1e-3)

    def test_five_cubes(self):
        self.check_small_steps("five-cubes")

    def test_five_cubes_aligned(self):
        self.check_small_steps("five-cubes-aligned")

    def test_five_cubes_balance_at_larger_steps(self):
        for courant, total, shadow in ((0.25, 0.03, 2e-3), (0.1, 6e-3, 3e-4)):
            with self.subTest(courant=courant):
                rows, _ = self.run_checked("five-cubes", by_courant(courant))
                self.assertLessEqual(relative_change(rows, "total_energy"),
                                     total)
                self.assertLessEqual(
                    relative_change(rows[1:], "shadow_energy"), shadow)
                energy = energies(rows)
                self.assertLessEqual(max(energy), 0.03)
                self.assertGreaterEqual(energy[-1], -0.05)
                self.assertLessEqual(energy[-1], 0.03)

    def test_roll_back_keeps_angular_momentum(self):
        rows, scale = self.run_checked("five-cubes", by_courant(0.25) + [
            "Contact/Restitution=0",
            "Contact/dcr/Position correction=roll back"])
        self.assertLessEqual(drift(rows, ("lx", "ly", "lz")), 2e-4 * scale)

    def test_crossed_bars(self):
        rows, _ = self.run_checked("crossed-bars")
        first = next(row for row in rows if row["passes"] > 0)
        self.assertEqual(first["node_face"], 0)
        self.assertGreater(first["edge_edge"], 0)
        energy = energies(rows)
        self.assertLessEqual(max(energy), 0.01)
        self.assertGreaterEqual(energy[-1], -0.05)

    def test_76_cubes(self):
        self.run_checked("cubes-76")

    def test_friction_between_shells(self):
        """More friction dissipates more, until contacts stick instead."""
        losses = {}
        for friction in (0, 0.25, 0.5, 1):
            rows, _ = self.run_checked("sphere-sphere", [
                "Contact/Friction coefficient=%g" % friction],
                intersections=False)
            losses[friction] = -energies(rows)[-1]
        self.assertGreater(losses[0.25], 5 * losses[0])
        self.assertLess(losses[0.5], losses[0.25])
        self.assertLess(losses[1], losses[0.25])


if __name__ == "__main__":
    main()
