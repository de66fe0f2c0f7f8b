# SPDX-License-Identifier: LGPL-2.1-or-later
"""Mesh files as other programs write them, and broken ones: the right mass and
the right faces, or one sentence that says what is wrong."""

import math
import os
import re
import shutil

from ricochet_run import RunTest, main

CASES = os.path.join(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))), "data", "input")

# Two unit cubes on each other, density 1, all moving with velocity 1 but for
# nodes that are held: mass, cells, contact facets, kinetic energy.
TWO_CUBES = (2., 2, 20, 1.)
BOTTOM_HELD = (2., 2, 20, 0.75)

RIGHT = {
    "abaqus-D-exponent": TWO_CUBES,
    "abaqus-D-exponent-silent": (1.875, 2, 20, 0.9375),
    "abaqus-comment": TWO_CUBES,
    "abaqus-element-order-wrong-face": (2., 2, 24, 0.75),
    "abaqus-element-output": TWO_CUBES,
    "abaqus-element-twice": TWO_CUBES,
    "abaqus-elset-of-elsets-hang": TWO_CUBES,
    "abaqus-ends-in-elset-hang": TWO_CUBES,
    "abaqus-interior-surface": TWO_CUBES,
    "abaqus-nine-digits": (6.75e-9, 2, 20, 3.375e-9),
    "abaqus-shell-besides": TWO_CUBES,
    "abaqus-spring-besides": TWO_CUBES,
    "abaqus-surface-element-number-crash": BOTTOM_HELD,
    "abaqus-surface-interaction-crash": TWO_CUBES,
    "abaqus-surface-of-elset-crash": TWO_CUBES,
    "abaqus-surface-of-nodes-crash": TWO_CUBES,
    "abaqus-two-parts": (2., 2, 24, 1.),
    "body-of-two-parts": (2., 2, 24, 1.),
    "msh-comments-first": TWO_CUBES,
    "msh-interior-curve-group-2d": (2., 2, 6, 1.),
    "msh-interior-surface-group": BOTTOM_HELD,
    "msh-parametric-coordinates-crash": (1., 101, 84, 0.5),
    "msh-two-volumes-no-groups": TWO_CUBES,
    "msh22-element-in-two-groups": TWO_CUBES,
    "msh41-negative-group": (1., 1, 12, 0.25),
    "msh41-surface-in-two-groups": (1., 1, 12, 0.25),
    "unv-D-exponent": TWO_CUBES,
    "unv-named-group": TWO_CUBES,
    "vtk-binary": TWO_CUBES,
    "vtk-faces-first": TWO_CUBES}

# What the sentence has to name.
WRONG = {
    "abaqus-named-surfaces": ["no boundary id 0", "BOTTOM"],
    "exodus-offered": ["m.e", "'e'", "no mesh format", "inp"],
    "msh-face-unknown-node-crash": ["m.msh", "99"],
    "msh-truncated-in-names-hang": ["ends inside $PhysicalNames"],
    "msh41-truncated-in-elements-crash": ["ends inside $Elements"],
    "ucd-face-unknown-node-crash": ["m.ucd", "line 16", "cell 3", "99"],
    "unv-node-group-taken-for-faces": ["no boundary id 7"],
    "unv-unknown-node": ["m.unv", "line 14", "element 1", "99"],
    "vtk-count-gigabytes": ["m.vtk", "line 5", "4000000000"]}

# Words of the note that goes with a mesh.
NOTES = {
    "abaqus-element-twice": ["1 elements", "element 3", "element 1"],
    "abaqus-interior-surface": ["SS7", "inside"],
    "abaqus-spring-besides": ["SPRINGA"],
    "body-of-two-parts": ["2 separate pieces", "4 pairs", "Weld tolerance"],
    "msh-interior-curve-group-2d": ["group 9", "inside"],
    "msh-interior-surface-group": ["group 26", "inside"],
    "msh22-element-in-two-groups": ["2 elements", "more than once"]}


class MeshFiles(RunTest):

    def validate(self, case, settings=(), ranks=1, expect=0):
        folder = os.path.join(self.folder, case)
        if not os.path.exists(folder):
            shutil.copytree(os.path.join(CASES, case), folder)
        return self.run_file(os.path.join(folder, "case.prm"), settings,
                             options=["--validate"], ranks=ranks,
                             expect=expect)

    def check(self, result, mass, cells, facets, energy):
        found = re.search(r"cells (\d+), .*contact facets (\d+)", result.out)
        self.assertEqual((int(found[1]), int(found[2])), (cells, facets))
        found = re.search(r"Mass (\S+), kinetic energy ([^ ,]+)", result.out)
        self.assertAlmostEqual(float(found[1]) / mass, 1., delta=1e-5)
        self.assertAlmostEqual(float(found[2]) / energy, 1., delta=1e-5)

    def refuse(self, result, parts):
        for part in parts:
            self.assertIn(part, result.err)
        self.assertEqual(result.err.count("Error:"), 1)
        self.assertNotIn("Stacktrace", result.err)
        self.assertNotIn("violated condition", result.err)

    def test_right_meshes(self):
        for case, values in RIGHT.items():
            with self.subTest(case=case):
                result = self.validate(case)
                self.check(result, *values)
                notes = [line for line in result.out.split("\n")
                         if line.startswith("Note: ")]
                for word in NOTES.get(case, ()):
                    self.assertIn(word, "\n".join(notes))

    def test_wrong_meshes(self):
        for case, parts in WRONG.items():
            with self.subTest(case=case):
                self.refuse(self.validate(case, expect=1), parts)

    def test_every_case_is_tried(self):
        self.assertEqual(sorted(os.listdir(CASES)), sorted([*RIGHT, *WRONG]))

    def test_ranks_agree(self):
        for case in ("abaqus-two-parts", "msh-interior-surface-group",
                     "unv-named-group", "vtk-binary"):
            for ranks in (2, 3):
                with self.subTest(case=case, ranks=ranks):
                    self.check(self.validate(case, ranks=ranks), *RIGHT[case])
        self.refuse(self.validate("unv-unknown-node", ranks=2, expect=1),
                    WRONG["unv-unknown-node"])

    def test_groups_by_name(self):
        held = "Bodies/body/Prescribed motion/held/Boundary ids="
        for case, name in (("abaqus-named-surfaces", "BOTTOM"),
                           ("abaqus-surface-element-number-crash", "SS7")):
            with self.subTest(case=case):
                self.check(self.validate(case, [held + name]), *BOTTOM_HELD)
        self.refuse(self.validate("abaqus-named-surfaces", [held + "TOP"],
                                  expect=1),
                    ["no boundary id TOP", "BOTTOM"])

    def test_held_face_stays(self):
        folder = os.path.join(self.folder, "wrong-face")
        shutil.copytree(os.path.join(CASES, "abaqus-element-order-wrong-face"),
                        folder)
        result = self.run_file(os.path.join(folder, "case.prm"))
        rows = result.table("probes.csv")
        last = {row["probe"]: row for row in rows}
        self.assertEqual(last["held"]["ux"], 0.)
        self.assertAlmostEqual(last["free"]["ux"], 0.1, places=12)

    def test_welded_pieces_hang_together(self):
        result = self.validate("body-of-two-parts",
                               ["Bodies/body/Mesh/Weld tolerance=1e-6"])
        self.check(result, *TWO_CUBES)
        self.assertIn("in 1 piece", result.out)
        self.assertNotIn("separate pieces", result.out)

    def test_summary_lists_groups(self):
        out = self.validate("msh41-surface-in-two-groups").out
        for part in ("1 hexahedra in 1 piece, 8 vertices, volume 1, "
                     "box from (0, 0, 0) to (1, 1, 1)",
                     "edges from 1 to 1", "with a shape of 1",
                     "boundary 6: 1 face, area 1",
                     "boundary 7: 1 face, area 1",
                     "boundary 0: 5 faces, area 5"):
            self.assertIn(part, out)


    def ring(self, n):
        """A quarter of a ring between the radii 1 and 2, of n quadrilaterals
        with 8 nodes in each direction, as a deck. All nodes are on circles."""
        number, nodes, cells = {}, [], []
        for i in range(2 * n + 1):
            for j in range(2 * n + 1):
                if i % 2 == 0 or j % 2 == 0:
                    number[i, j] = len(nodes) + 1
                    radius = 1. + i / (2. * n)
                    angle = j * math.pi / (4. * n)
                    nodes.append("%d, %.17g, %.17g, 0" % (
                        number[i, j], radius * math.cos(angle),
                        radius * math.sin(angle)))
        around = ((0, 0), (2, 0), (2, 2), (0, 2),
                  (1, 0), (2, 1), (1, 2), (0, 1))
        for i in range(0, 2 * n, 2):
            for j in range(0, 2 * n, 2):
                cells.append(", ".join(map(str, [len(cells) + 1] + [
                    number[i + a, j + b] for a, b in around])))
        return self.write("ring.inp", "*NODE\n%s\n*ELEMENT, TYPE=CPE8R\n%s\n"
                          % ("\n".join(nodes), "\n".join(cells)))

    def test_quadratic_cells(self):
        """Curved cells have the area of parabolas, and move the same on any
        number of ranks."""
        self.ring(4)
        text = """
set Dimension = 2
set End time = 0.01
subsection Bodies
  set Element degree = %d
  subsection ring
    set Initial velocity = -y; x
    subsection Mesh
      set Mesh file = ring.inp
      %s
    end
    subsection Material
      set Density = 1
      set Young's modulus = 1
      set Poisson's ratio = 0.3
    end
  end
end
"""
        # Four arcs, each a parabola through three of its points: a triangle
        # and two thirds of chord times height.
        angle = math.pi / 8.
        area = 4. * (2.**2 - 1.**2) * (
            math.sin(angle) / 2. +
            4. / 3. * math.sin(angle / 2.) * (1. - math.cos(angle / 2.)))
        self.assertAlmostEqual(area, 0.75 * math.pi, delta=2e-4)

        def mass(result):
            return float(re.search(r"Mass ([^ ,]+)", result.out)[1])

        file = self.write("curved.prm", text % (2, ""))
        curved = self.run_file(file, options=["--validate"])
        self.assertAlmostEqual(mass(curved), area, delta=1e-5)
        linear = self.write("linear.prm", text % (
            1, "set Order of mesh file = linear"))
        self.assertAlmostEqual(
            mass(self.run_file(linear, options=["--validate"])),
            6. * math.sin(angle), delta=1e-5)
        self.refuse(self.run_file(self.write("refused.prm", text % (1, "")),
                                  expect=1),
                    ["'ring'", "Element degree = 2",
                     "Order of mesh file = linear"])
        self.refuse(self.run_file(self.write(
            "refined.prm", text % (2, "set Refinements = 1")), expect=1),
            ["Refinements", "Order of mesh file"])

        one = self.run_file(file)
        # It spins about the origin with the polar moment of inertia of the
        # ring, pi / 8 (2^4 - 1).
        self.assertAlmostEqual(one.column("kinetic_energy")[0],
                               0.5 * math.pi / 8. * 15., delta=2e-3)
        for ranks in (2, 3):
            other = self.run_file(file, ranks=ranks)
            for name, values in one.state().items():
                if name.split()[0] in ("positions", "velocities"):
                    self.assertEqual(values, other.state()[name], name)

    def test_one_file_gives_several_bodies(self):
        """The example with two parts: bodies by name, a surface by name."""
        file = os.path.join(os.path.dirname(os.path.dirname(CASES)), "..",
                            "prm", "dcr", "named-groups.prm")
        out = self.run_file(file, options=["--validate"]).out
        self.assertIn("bodies 2, cells 155", out)
        self.assertIn("boundary RIM: 64 faces, area 0.016", out)


if __name__ == "__main__":
    main()
