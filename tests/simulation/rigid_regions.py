# SPDX-License-Identifier: LGPL-2.1-or-later
"""Rigid regions of bodies that deform: a rigid head on a soft tail."""

import itertools
import math
import os
import random
import subprocess

from ricochet_run import (SOURCE, RunTest, main, parameters, vector,
                          write_gmsh)

EXAMPLE = os.path.join(SOURCE, "prm", "rigid", "rigid-head.prm")
RESPONSES = {"dcr": {"Response": "dcr"},
             "barycentric": {"Response": "barycentric"},
             "nonsmooth": {"Response": "nonsmooth"}}


def bar(path, n, lower, upper, group, shuffled=False):
    """A file with a bar of n[d] cells in each direction; @p group gives the
    name of the group of a cell with a centre. With other numbers if shuffled.
    """
    dim = len(n)
    axes = [[lower[d] + (upper[d] - lower[d]) * i / n[d]
             for i in range(n[d] + 1)] for d in range(dim)]

    def places(sizes):
        return [i[::-1]
                for i in itertools.product(*map(range, reversed(sizes)))]

    points = places([m + 1 for m in n])
    cells = places(n)
    if shuffled:
        random.Random(1).shuffle(points)
        random.Random(2).shuffle(cells)
    number = {point: k for k, point in enumerate(points, 1)}
    around = [(0, 0), (1, 0), (1, 1), (0, 1)]
    corners = around if dim == 2 else [
        corner + (z,) for z in (0, 1) for corner in around]
    write_gmsh(
        path,
        [[axes[d][i[d]] for d in range(dim)] + [0.] * (3 - dim)
         for i in points],
        3 if dim == 2 else 5,
        [[number[tuple(a + b for a, b in zip(cell, corner))]
          for corner in corners] for cell in cells],
        [group([(axes[d][i] + axes[d][i + 1]) / 2
                for d, i in enumerate(cell)]) for cell in cells])


def head_below(x):
    return lambda centre: "head" if centre[0] < x else "tail"


def moment(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
            a[0] * b[1] - a[1] * b[0]]


class RigidRegions(RunTest):

    def mesh(self, name, *arguments, **others):
        path = os.path.join(self.folder, name)
        bar(path, *arguments, **others)
        return path

    def body(self, mesh, density=0, young=10, nu=0.3, entries=None, **of_mesh):
        return {"Mesh": {"Mesh file": mesh, "Rigid material ids": "head",
                         **of_mesh},
                "Density of rigid cells": density,
                "Material": {"Law": "neo-Hookean", "Density": 1,
                             "Young's modulus": young,
                             "Poisson's ratio": nu},
                **(entries or {})}

    def run_bodies(self, bodies, end, dim=3, contact=None, settings=(),
                   ranks=1, expect=0, **entries):
        text = parameters({"Dimension": dim, "End time": end,
                           "Bodies": bodies, "Contact": contact or {},
                           **entries})
        return self.run_file(self.write("scene.prm", text), settings,
                             ranks=ranks, expect=expect)

    def tumbling(self, dim, **others):
        """A free body that turns and is stretched."""
        n, size = ((8, 3), (4, 1.5)) if dim == 2 else ((8, 3, 3),
                                                       (4, 1.5, 1.5))
        mesh = self.mesh("fish-%d.msh" % dim, n, (0,) * dim, size,
                         head_below(1), **others)
        zeros = "; 0" * (dim - 1)
        return self.body(mesh, density=3, entries={
            "Initial velocity": "0.3*x" + zeros,
            "Spin": 0.5 if dim == 2 else "0.3, 0.1, 0.5"})

    def test_momenta_and_energy(self):
        """Momenta of a free body stay at round-off, and its energy as that of
        other bodies: the shadow energy to higher order of the step."""
        for dim in 2, 3:
            drifts = []
            for courant in 0.5, 0.25:
                result = self.run_bodies(
                    {"fish": self.tumbling(dim)}, 20, dim,
                    settings=["Time stepping/Courant number=%g" % courant])
                rows = result.table()
                self.assertGreater(len(rows), 300)
                for keys in ("px", "py", "pz"), ("lx", "ly", "lz"):
                    scale = math.hypot(*(rows[0][key] for key in keys))
                    for key in keys:
                        self.assertLessEqual(
                            max(abs(row[key] - rows[0][key])
                                for row in rows), 2e-12 * scale)
                drifts.append(max(
                    abs(row["shadow_energy"] / rows[0]["shadow_energy"] - 1)
                    for row in rows))
                internal = max(row["internal_energy"] for row in rows)
                self.assertGreater(internal, 0.01 * rows[0]["shadow_energy"])
            self.assertLess(drifts[0], 2e-3)
            self.assertLess(drifts[1], 0.35 * drifts[0])

    def test_masses(self):
        """The head has the mass of its cells and of what hangs on it of the
        cells next to it; both parts are the whole."""
        result = self.run_bodies({"fish": self.tumbling(3)}, 0.01)
        start = {row["body"]: row for row in result.table("bodies.csv")
                 if row["step"] == 0}
        area, length = 1.5 * 1.5, 0.5
        head, layer = 3 * area, area * length / 2
        rigid = start["fish.rigid"]
        self.assertAlmostEqual(rigid["mass"], head + layer, delta=1e-13)
        self.assertAlmostEqual(rigid["cx"],
                               (0.5 * head + layer) / (head + layer),
                               delta=1e-13)
        self.assertAlmostEqual(rigid["cy"], 0.75, delta=1e-13)
        self.assertAlmostEqual(start["fish"]["mass"],
                               3 * area - layer, delta=1e-13)
        # A box, and a plate of points: a quarter of each cell's at its
        # corners, so that the rule is that of trapezoids.
        squares = [1.5**2 / 12 * (1 + 2 / 3**2)] * 2
        reduced = head * layer / (head + layer) * 0.5**2
        moments = [head * 1.5**2 / 6 + layer * sum(squares),
                   head * (1 + 1.5**2) / 12 + layer * squares[0] + reduced]
        spin = [0.3, 0.1, 0.5]
        for key, w, inertia in zip(("lx", "ly", "lz"), spin,
                                   moments + moments[1:]):
            self.assertAlmostEqual(rigid[key], inertia * w, delta=1e-13)

    def test_bar_with_an_end_mass(self):
        """Two cells that only stretch are springs between the masses at their
        ends, of which the first is that of the head as well. In one of its
        modes such a chain moves as k sin(n theta) after n steps of the method,
        with sin(theta/2) = omega dt/2 exactly."""
        young, density, end_mass = 4., 3., 3.5  # head and half a cell
        a, b, c, k = end_mass, 1., 0.5, young
        # l^2 a b c - l k (a b + 2 a c + b c) + k^2 (a + b + c) = 0
        half = k * (a * b + 2 * a * c + b * c) / (2 * a * b * c)
        root = math.sqrt(half**2 - k**2 * (a + b + c) / (a * b * c))
        mesh = self.mesh("bar.msh", (3, 1), (0, 0), (3, 1), head_below(1))
        for square in half - root, half + root:
            mode = [1., 1 - a * square / k]
            mode.append(mode[1] * k / (k - c * square))
            size = 1e-7
            speeds = [size * value for value in mode]
            body = self.body(mesh, density, young, nu=0, entries={
                "Initial velocity": "if(x<1.1, %.17g, if(x<2.1, %.17g, %.17g))"
                                    "; 0" % tuple(speeds)})
            result = self.run_bodies(
                {"bar": body}, 40, 2,
                settings=["Time stepping/Time step=0.1"],
                **{"Output": {"Probes": {"end": {
                    "Body": "bar", "Position": "3, 0.5"}}}})
            theta = 2 * math.asin(0.05 * math.sqrt(square))
            # Half a step of the first velocity by no force.
            factor = 0.1 * speeds[2] / math.sin(theta)
            rows = result.table("probes.csv")
            self.assertEqual(len(rows), 401)
            for n, row in enumerate(rows):
                self.assertAlmostEqual(row["ux"],
                                       factor * math.sin(n * theta),
                                       delta=1e-5 * abs(factor))

    def test_turned_and_renumbered(self):
        """The motion is the same in another place, and with other numbers of
        nodes and cells."""
        end, keys = 10, (("cx", "cy", "cz"), ("vx", "vy", "vz"),
                         ("lx", "ly", "lz"))
        body = self.tumbling(3)
        body["Initial velocity"] = "0; 0; 0.1"
        steps = ["Time stepping/Time step=0.02"]
        one = self.run_bodies({"fish": body}, end, settings=steps)
        shuffled = self.tumbling(3, shuffled=True)
        shuffled["Initial velocity"] = body["Initial velocity"]
        # A third of a turn: x becomes y.
        axis = 2 * math.pi / 3 / math.sqrt(3)
        turned = self.tumbling(3)
        turned["Mesh"].update({"Rotation": vector([axis] * 3),
                               "Translation": "1, 2, 3"})
        turned["Initial velocity"] = "0.1; 0; 0"
        turned["Spin"] = "0.5, 0.3, 0.1"
        for other, turn, shift in ((shuffled, 0, (0, 0, 0)),
                                   (turned, 1, (1, 2, 3))):
            result = self.run_bodies({"fish": other}, end, settings=steps)
            for a, b in zip(one.table("bodies.csv"),
                            result.table("bodies.csv")):
                self.assertEqual(a["body"], b["body"])
                for names in keys:
                    for d, name in enumerate(names):
                        there = names[(d + turn) % 3]
                        moved = shift[(d + turn) % 3] if name[0] == "c" else 0
                        self.assertAlmostEqual(a[name], b[there] - moved,
                                               delta=1e-9)

    def test_impact_of_the_head(self):
        """A head that hits a pin centrally and without loss turns around, and
        the tail does not know it yet: the pin gets twice the momentum of the
        head with what hangs on it."""
        mesh = self.mesh("fish.msh", (4, 2), (0, -1), (4, 1), head_below(1))
        for response in "dcr", "barycentric", "nonsmooth":
            with self.subTest(response):
                body = self.body(mesh, 3, nu=0, entries={
                    "Initial velocity": "-1; 0"})
                body["Mesh"]["Translation"] = "1e-3, 0"
                result = self.run_bodies(
                    {"fish": body}, 1.1e-3, 2, RESPONSES[response],
                    ["Time stepping/Time step=1e-4"],
                    Obstacles={"pin": {"Type": "sphere", "sphere": {
                        "Centre": "-0.2, 0", "Radius": "0.2"}}})
                rows = {row["body"]: row
                        for row in result.table("bodies.csv")}
                self.assertAlmostEqual(rows["fish.rigid"]["vx"], 1,
                                       delta=0.01)
                self.assertAlmostEqual(rows["fish"]["vx"], -1, delta=0.01)
                impulse = result.table("obstacles.csv")[-1]["jx"]
                self.assertAlmostEqual(abs(impulse), 2 * (6 + 1), delta=1e-9)

    def scene(self, dim, friction=0):
        """Two bodies fly into each other: the head of one hits the other one
        where its head begins, so that facets have nodes of both kinds."""
        n, size = ((6, 2), (3, 1)) if dim == 2 else ((6, 2, 2), (3, 1, 1))
        mesh = self.mesh("fish-%d.msh" % dim, n, (0,) * dim, size,
                         head_below(1))
        rest = "; 0" * (dim - 2)
        bodies = {"one": self.body(mesh, 3, young=1000, entries={
                      "Initial velocity": "0; 1" + rest,
                      "Spin": 0.4 if dim == 2 else "0.2, 0.1, 0.4"}),
                  "other": self.body(mesh, 2, young=1000, entries={
                      "Initial velocity": "0; -1" + rest})}
        turn = [0.1 - math.pi / 2] if dim == 2 else [0.1, 0.05,
                                                     0.1 - math.pi / 2]
        bodies["one"]["Mesh"].update({
            "Rotation": vector(turn),
            "Translation": vector([0.7, -0.2, 0.03][:dim])})
        return bodies

    def test_contact(self):
        """With facets of both kinds of nodes contact conserves what it
        conserves with others, and lets nothing pass."""
        for dim in 2, 3:
            for name, response in RESPONSES.items():
                with self.subTest(dim=dim, response=name):
                    result = self.run_bodies(
                        self.scene(dim), 1, dim, response,
                        ["Output/Check intersections=true",
                         "Time stepping/Courant number=0.25"])
                    rows = result.table()
                    self.assertGreater(sum(row["node_face"] + row["edge_edge"]
                                           for row in rows), 0)
                    self.assertIn(
                        ["0"], [line.split()[-1:]
                                for line in result.out.split("\n")
                                if "intersecting facet pairs" in line])
                    self.assert_momentum(result)
                    start = rows[0]["kinetic_energy"]
                    for row in rows:
                        self.assertLess(
                            abs(row["shadow_energy"] / start - 1), 1e-3)
                        if name != "nonsmooth":
                            self.assertLess(abs(row["contact_work"]),
                                            1e-12 * start)

    def test_touching_itself(self):
        """The tail of a body that is bent touches its head."""
        mesh = self.mesh(
            "hook.msh", (10, 5), (0, 0), (10, 5),
            lambda c: "head" if c[1] < 1 and c[0] < 6 else
            "tail" if c[0] < 1 or c[1] > 4 or c[0] > 8 else "air")
        body = self.body(mesh, 1, young=100, nu=0, entries={
            "Initial velocity": "if(x>7, -1, 0); 0"})
        body["Mesh"]["Material ids"] = "head, tail"
        for name, response in RESPONSES.items():
            with self.subTest(name):
                result = self.run_bodies(
                    {"hook": body}, 6, 2, {**response, "Self-contact": "true"})
                rows = result.table()
                self.assertGreater(sum(row["node_face"] for row in rows), 0)
                self.assert_momentum(result, bound=1e-10)

    def test_starting_overlaps(self):
        """What is inside of a body at the start is found in both of its parts,
        although neither is closed."""
        mesh = self.mesh("fish.msh", (8, 4), (0, 0), (8, 4), head_below(4))
        for x, partner in ((1, "fish.rigid"), (6, "fish")):
            ball = {"Rigid": "true", "Rigid body": {
                "Surface": "box", "Mass": 1, "box": {
                    "Lower corner": "%g, 1.8" % x,
                    "Upper corner": "%g, 2.2" % (x + 0.4)}}}
            result = self.run_bodies({"fish": self.body(mesh), "ball": ball},
                                     0.1, 2, expect=1)
            self.assertIn("'%s'" % partner, result.err)
            self.assertIn("'ball'", result.err)
            self.assertIn("overlap at the start", result.err)
        far = {**ball, "Rigid body": {**ball["Rigid body"], "box": {
            "Lower corner": "1, 5", "Upper corner": "1.4, 5.4"}}}
        self.run_bodies({"fish": self.body(mesh), "ball": far}, 0.1, 2)

    def test_ranks_and_restart(self):
        """To the last bit the same, also with a law that has a memory."""
        bodies, steps = self.scene(3), ["Time stepping/Time step=0.004"]
        bodies["one"]["Material"].update({"Law": "Kelvin-Voigt",
                                          "Damping time": 1e-4})
        one = self.run_bodies(bodies, 0.8, settings=steps)
        self.assertGreater(sum(one.column("passes")), 0)
        for ranks in 2, 3:
            other = self.run_bodies(bodies, 0.8, settings=steps, ranks=ranks)
            self.assert_same_motion(one, other)
        halved = self.run_bodies(bodies, 0.4, settings=steps)
        scene = os.path.join(self.folder, "scene.prm")
        resumed = self.run_file(scene, steps + ["End time=0.8"],
                                output=halved.directory,
                                options=["--restart"])
        self.assertEqual(
            [row["cz"] for row in one.table("bodies.csv")[-4:]],
            [row["cz"] for row in resumed.table("bodies.csv")[-4:]])
        self.assert_same_motion(one, resumed)

    def test_kinds_of_cells(self):
        """Hanging nodes next to a region, simplices, and nodes between
        vertices on it."""
        for of_mesh, settings in (
                ({"Local refinement": "if(x<2, 1, 0)"}, []),
                ({"Local refinement": "if(x>1, 1, 0)"}, []),
                ({"Simplices": "true"}, []),
                ({}, ["Bodies/Element degree=2"])):
            body = self.tumbling(2)
            body["Mesh"].update(of_mesh)
            rows = self.run_bodies({"fish": body}, 5, 2,
                                   settings=settings).table()
            for row in rows:
                self.assertAlmostEqual(row["lz"], rows[0]["lz"], delta=1e-12)
                self.assertLess(abs(row["total_energy"] /
                                    rows[0]["total_energy"] - 1), 0.03)

    def test_example(self):
        """The floor is all that changes the momenta."""
        result = self.run_file(EXAMPLE, ["End time=0.02"])
        rows, floor = result.table(), result.table("obstacles.csv")
        self.assertGreater(floor[-1]["jz"]**2, 1)
        scale = abs(rows[0]["pz"])
        for row, taken in zip(rows, floor):
            self.assertEqual(row["step"], taken["step"])
            for d in "xyz":
                self.assertAlmostEqual(row["p" + d] + taken["j" + d],
                                       rows[0]["p" + d], delta=1e-12 * scale)
            self.assertLess(row["l_error"], 1e-13 * scale)

    def refused(self, group, words, entries=None, settings=(), **of_mesh):
        mesh = self.mesh("bad.msh", (4, 4), (0, 0), (4, 4), group)
        result = self.run_bodies(
            {"fish": self.body(mesh, entries=entries, **of_mesh)}, 1, 2,
            settings=settings, expect=1)
        self.assertEqual(result.err.count("Error: "), 1, result.err)
        for word in words + ["fish"]:
            self.assertIn(word, result.err)

    def test_bad_regions(self):
        self.refused(lambda c: "head" if (c[0] < 2) == (c[1] < 2) else "tail",
                     ["touch each other", "(2 2)"])
        self.refused(lambda c: "head", ["all of its cells", "'Rigid = true'"])
        self.refused(head_below(1), ["'Rigid material ids' names fin",
                                     "head"], **{"Rigid material ids": "fin"})
        self.refused(head_below(1), ["names no cell"],
                     **{"Material ids": "tail"})
        self.refused(lambda c: "head" if c[0] < 1 else
                     "tail" if c[0] > 2 else "air", ["no face in common"],
                     **{"Material ids": "head, tail"})
        self.refused(lambda c: "tail" if c[0] > 2 and c[1] > 2 else
                     "head" if c[0] < 2 and c[1] < 2 else
                     "tail" if c[0] > 1 and c[1] < 1 else "air",
                     ["without a face in common", "(2 2)"],
                     **{"Material ids": "head, tail"})

    def test_what_does_not_go_with_them(self):
        self.refused(head_below(1), ["rigid as a whole"],
                     entries={"Rigid": "true"})
        self.refused(head_below(1), ["lumped mass"],
                     settings=["Mass/Matrix=consistent"])
        self.refused(head_below(1), ["'pull'", "away from the region"],
                     entries={"Prescribed motion": {"pull": {
                         "Boundary ids": "0"}}})
        for integrator in "energy-momentum", "implicit Newmark":
            mesh = self.mesh("good.msh", (4, 4), (0, 0), (4, 4),
                             head_below(1))
            result = self.run_bodies(
                {"fish": self.body(mesh)}, 1, 2, expect=1,
                contact={"Response": "energy-momentum"},
                settings=["Time stepping/Integrator=" + integrator,
                          "Time stepping/Time step=0.1"])
            self.assertEqual(result.err.count("Error: "), 1)
            self.assertIn("'Rigid material ids'", result.err)


main()
