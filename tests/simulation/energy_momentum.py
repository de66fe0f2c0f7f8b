# SPDX-License-Identifier: LGPL-2.1-or-later
"""The integrator and the contact response "energy-momentum" in whole runs: the
examples that come with them. Kinetic and internal energy change by friction
and supports alone, momenta by nothing.

With RICOCHET_LONG_TESTS=1 in the environment, the golf ball leaves the club.
"""

import math
import os
import shutil

from ricochet_run import LONG, SOURCE, RunTest, main

# Without update, as all methods were before (Love and Laursen, 2003).
NO_UPDATE = "Contact/energy-momentum/Velocity update=false"
FRICTIONLESS = "Contact/Friction coefficient=0"


def example(name):
    return os.path.join(SOURCE, "prm", "energy-momentum", name + ".prm")


def energy(row):
    return row["kinetic_energy"] + row["internal_energy"]


def touching(result):
    """The rows with contact."""
    return [row for row in result.table() if row["node_face"] > 0]


def last_of(result, body):
    return [row for row in result.table("bodies.csv")
            if row["body"] == body][-1]


class EnergyMomentumTest(RunTest):

    def energy_error(self, result):
        """The largest change of what may not change, relative to the first
        energy: kinetic and internal energy plus losses minus work of
        supports and obstacles."""
        rows = result.table()
        return max(abs(energy(row) + row["dissipated_energy"] -
                       row["external_work"] - energy(rows[0]))
                   for row in rows) / energy(rows[0])

    def assert_energy(self, result):
        self.assertGreater(len(touching(result)), 0)
        self.assertLessEqual(self.energy_error(result), 1e-10)

    def assert_conserved(self, result):
        """Of bodies that nothing holds, no smaller than 1 and at about that
        distance or more."""
        self.assert_energy(result)
        rows = result.table()
        scale = math.sqrt(2 * energy(rows[0]) * sum(
            row["mass"] for row in result.table("bodies.csv")
            if row["step"] == 0))
        for keys, bound in ((("px", "py", "pz"), 1e-12),
                            (("lx", "ly", "lz"), 1e-10)):
            for key in keys:
                self.assertLessEqual(
                    max(abs(row[key] - rows[0][key]) for row in rows),
                    bound * scale)
        self.assertLessEqual(max(result.column("l_error")), 1e-10 * scale)

    def assert_no_gain(self, result):
        """Energy only falls."""
        rows = result.table()
        self.assertLessEqual(
            max(energy(b) - energy(a) for a, b in zip(rows, rows[1:])),
            1e-10 * energy(rows[0]))


class Rings(EnergyMomentumTest):
    """Two rings with the numbers of an independent implementation, bilinear
    elements with 2 x 2 points, lumped mass, steps of 0.02. What contact does
    with single light nodes later on depends on round-off; spins and
    velocities are those after the rings have parted."""

    # Elements around and through, and friction coefficient: first contact,
    # friction relative to the first energy, spins, velocity of the first ring.
    REFERENCE = {
        (40, 2, 0): (0.70, 0, (3.44375, 3.21412), (-1.16831, -2.49027)),
        (40, 2, 0.5): (0.70, 0.04042, (12.51898, 12.69795),
                       (-1.18694, -1.49699)),
        (78, 3, 0): (0.68, 0, (4.64095, 4.61306), (-0.89599, -2.85591)),
        (78, 3, 0.5): (0.68, 0.04240, (16.22982, 16.23318),
                       (-1.01697, -1.82743))}
    ENERGY = {40: 14.792443, 78: 14.837392}
    # Of 40 x 2 elements without velocity update: by how much the energy has
    # fallen at the end, and how much of it friction took.
    WITHOUT_UPDATE = {0: (1.830e-2, 0), 0.5: (9.247e-2, 0.05917)}

    def run_rings(self, around, through, mu, *settings, name="ring-impact",
                  **kwargs):
        mesh = "%s : 9.7 : 10 : %d : 0 : %d : false"
        return self.run_file(example(name), [
            "Contact/Friction coefficient=%g" % mu,
            *("Bodies/%s/Mesh/Grid generator arguments=" % ring +
              mesh % (centre, through, around)
              for ring, centre in (("ring 1", "0, 0"), ("ring 2", "10, -20"))),
            *settings], **kwargs)

    def test_against_reference(self):
        for (around, through, mu), expected in self.REFERENCE.items():
            with self.subTest(around=around, mu=mu):
                result = self.run_rings(around, through, mu)
                start, end = result.table()[0], result.table()[-1]
                self.assertAlmostEqual(energy(start), self.ENERGY[around],
                                       delta=1e-6)
                self.assert_conserved(result)
                self.assert_no_gain(result)
                time, friction, spins, velocity = expected
                self.assertAlmostEqual(touching(result)[0]["time"], time,
                                       delta=1e-9)
                self.assertAlmostEqual(end["friction"] / energy(start),
                                       friction, delta=3e-3)
                for ring, spin, sign in (("ring 1", spins[0], 1),
                                         ("ring 2", spins[1], -1)):
                    row = last_of(result, ring)
                    self.assertAlmostEqual(row["lz"], spin, delta=0.05 * spin)
                    speed = math.hypot(*velocity)
                    self.assertAlmostEqual(sign * row["vx"], velocity[0],
                                           delta=0.05 * speed)
                    self.assertAlmostEqual(
                        row["vy"], -2 + sign * (2 + velocity[1]),
                        delta=0.05 * speed)

    def test_without_velocity_update(self):
        for mu, (fall, friction) in self.WITHOUT_UPDATE.items():
            with self.subTest(mu=mu):
                result = self.run_rings(40, 2, mu, NO_UPDATE)
                self.assert_momentum(result, 1e-10)
                rows = result.table()
                self.assertAlmostEqual(1 - energy(rows[-1]) / energy(rows[0]),
                                       fall, delta=0.05 * fall)
                self.assertAlmostEqual(
                    rows[-1]["friction"] / energy(rows[0]), friction,
                    delta=3e-3)

    def test_newmark(self):
        """Loses energy and creates some; with friction, which only takes."""
        result = self.run_file(example("ring-impact-newmark"))
        rows = result.table()
        changes = [(energy(b) - energy(a)) / energy(rows[0])
                   for a, b in zip(rows, rows[1:])]
        self.assertGreater(max(changes), 1e-3)
        self.assertLess(min(changes), -1e-3)
        self.assertGreater(self.energy_error(result), 0.01)

    def test_degree_2(self):
        for mu in (0, 0.5):
            result = self.run_file(example("ring-impact-degree-2"),
                                   ["Contact/Friction coefficient=%g" % mu])
            self.assert_conserved(result)
            self.assert_no_gain(result)
            self.assertAlmostEqual(touching(result)[0]["time"], 0.7,
                                   delta=0.021)

    def test_ranks(self):
        """The same motion until rings first part, then as exact."""
        results = {ranks: self.run_rings(40, 2, 0.5, "End time=1.6",
                                         ranks=ranks)
                   for ranks in (1, 2, 3, 4)}
        rows = results[1].table()
        inside = [row["node_face"] > 0 for row in rows]
        parted = inside.index(False, inside.index(True))
        for ranks, result in results.items():
            with self.subTest(ranks=ranks):
                self.assert_conserved(result)
                for a, b in zip(rows[:parted], result.table()):
                    for key in ("kinetic_energy", "internal_energy",
                                "friction", "total_energy"):
                        self.assertAlmostEqual(a[key], b[key],
                                               delta=1e-9 * energy(rows[0]))
                    for key in ("px", "py", "lz"):
                        self.assertAlmostEqual(a[key], b[key], delta=1e-9 * 8)
                    for key in ("step", "time", "node_face"):
                        self.assertEqual(a[key], b[key])

    def test_restart_in_contact(self):
        straight = self.run_rings(40, 2, 0.5, "End time=1")
        contacts = touching(straight)
        stop = "End time=%.17g" % contacts[len(contacts) // 2]["time"]
        halved = os.path.join(self.folder, "halved")
        self.run_rings(40, 2, 0.5, stop, output=halved)
        for ranks in (1, 2):
            copy = os.path.join(self.folder, "copy-%d" % ranks)
            shutil.copytree(halved, copy)
            resumed = self.run_rings(40, 2, 0.5, "End time=1", output=copy,
                                     options=["--restart"], ranks=ranks)
            self.assert_energy(resumed)
            self.assert_near(straight, resumed, 1e-9)


class Blocks(EnergyMomentumTest):
    """A block that slides on another one, which is held below."""

    def onset_of_tumbling(self, result):
        """The step in which the upper block reaches half of its largest
        spin."""
        rows = [row for row in result.table("bodies.csv")
                if row["body"] == "block"]
        half = max(abs(row["lx"]) for row in rows) / 2
        i = next(i for i, row in enumerate(rows) if abs(row["lx"]) >= half)
        return rows[i - 1]["time"], rows[i]["time"]

    def check(self, mu, onset):
        result = self.run_file(example("friction-blocks"),
                               ["Contact/Friction coefficient=%g" % mu])
        self.assert_energy(result)
        self.assert_no_gain(result)
        self.assertLessEqual(
            max(result.column("l_error")), 1e-10 * 100 * math.hypot(1.5, 1))
        for time, expected in zip(self.onset_of_tumbling(result), onset):
            self.assertAlmostEqual(time, expected, delta=1e-9)
        rows = result.table()
        return rows[-1]["friction"] / energy(rows[0])

    def test_stick(self):
        self.assertLessEqual(self.check(0.8, (0.2, 0.3)), 1e-10)

    def test_slip(self):
        friction = self.check(0.2, (0.6, 0.7))
        self.assertGreater(friction, 0.01)
        # What friction could take from the block at most.
        self.assertLess(friction, 0.2 * 2 * 1 * 1.5 / 1.625)

    def test_newmark(self):
        for mu in (0.8, 0.2):
            with self.subTest(mu=mu):
                result = self.run_file(
                    example("friction-blocks-newmark"),
                    ["Contact/Friction coefficient=%g" % mu])
                rows = result.table()
                changes = [(energy(b) - energy(a)) / energy(rows[0])
                           for a, b in zip(rows, rows[1:])]
                self.assertLess(min(changes), -1e-3)
                self.assertGreater(max(changes), 1e-4)
                self.assertGreater(self.energy_error(result), 0.01)


class GolfBall(EnergyMomentumTest):

    SHORT = ["End time=0.06", "Bodies/ball/Mesh/Refinements=1"]

    def test_backspin(self):
        spins = {}
        for mu in (0, 0.5):
            result = self.run_file(
                example("golf-ball"), ["Contact/Friction coefficient=%g" % mu,
                                       *([] if LONG else self.SHORT)])
            self.assert_conserved(result)
            self.assert_no_gain(result)
            spins[mu] = last_of(result, "ball")["ly"]
            rows = result.table()
            if LONG and mu > 0:
                self.assertAlmostEqual(
                    rows[-1]["friction"] / energy(rows[0]), 0.01, delta=3e-3)
        self.assertLess(spins[0.5], min(0, spins[0]))
        if LONG:
            self.assertLess(abs(spins[0]), -0.05 * spins[0.5])


class BadInput(EnergyMomentumTest):

    def refused(self, words, settings, name="ring-impact"):
        result = self.run_file(example(name), ["End time=0.02", *settings],
                               expect=1)
        self.assertEqual(len(result.err.strip().splitlines()), 1, result.err)
        for word in words:
            self.assertIn(word, result.err)

    def test_integrator_and_response_of_different_kinds(self):
        self.refused(["Response", "Integrator", "forces"],
                     ["Time stepping/Integrator=explicit Newmark",
                      "Time stepping/Time step=0"])
        for integrator in ("energy-momentum", "implicit Newmark"):
            for response in ("dcr", "barycentric", "nonsmooth"):
                if (integrator, response) == ("implicit Newmark", "nonsmooth"):
                    continue  # the one that also keeps gaps open
                self.refused(["Response", "Integrator", "corrects steps"],
                             ["Time stepping/Integrator=" + integrator,
                              "Contact/Response=" + response, FRICTIONLESS])

    def test_friction_with_a_response_that_has_none(self):
        self.refused(["nonsmooth", "no friction", "Friction coefficient"],
                     ["Time stepping/Integrator=explicit Newmark",
                      "Time stepping/Time step=0",
                      "Contact/Response=nonsmooth"])

    def test_restitution(self):
        self.refused(["energy-momentum", "Restitution", "Velocity update"],
                     ["Contact/Restitution=0.5"])

    def test_linear_solver(self):
        solver = ["Time stepping/Equations/Linear solver=conjugate gradients"]
        self.refused(["conjugate gradients", "symmetric", "GMRES"], solver)
        self.refused(["Linear solver"], [solver[0].replace("conjugate",
                                                           "quick")])

    def test_steps(self):
        self.refused(["Time step", "above 0"], ["Time stepping/Time step=0"])
        self.refused(["Largest time step", "0.01", "0.02"],
                     ["Time stepping/Largest time step=0.01"])
        self.refused(["Largest time step", "implicit"],
                     ["Time stepping/Integrator=explicit Newmark",
                      "Time stepping/Time step=0",
                      "Time stepping/Largest time step=0.01",
                      "Contact/Response=dcr"])

    def test_master_slave_table(self):
        for table in ("ring 1", "ring 1:ring 3", "ring 1:ring 2:ring 1"):
            self.refused(["Master-slave"],
                         ["Contact/energy-momentum/Master-slave=" + table])


if __name__ == "__main__":
    main()
