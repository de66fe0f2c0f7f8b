# SPDX-License-Identifier: LGPL-2.1-or-later
"""Every mistake gives one message with the place and the remedy, exit code 1,
and leaves what was written readable."""

import os
import subprocess

from ricochet_run import RunTest, example, main

CUBE = """
set Dimension = 3
set End time = %(end)s
subsection Time stepping
  set Time step = %(step)s
end
subsection Bodies
  subsection cube
    subsection Mesh
      %(mesh)s
    end
    set Initial velocity = %(velocity)s
    subsection Material
      set Density = %(density)s
      set Young's modulus = 1e6
      set Poisson's ratio = %(nu)s
    end
  end
end
%(extra)s
"""

GOOD = {
    "end": "0.001", "step": "0", "density": "10", "nu": "0.3", "extra": "",
    "velocity": "0; 0; 0",
    "mesh": "set Grid generator = subdivided_hyper_cube\n"
            "set Grid generator arguments = 2 : 0 : 1 : false"}


class BadInput(RunTest):

    def cube(self, **changes):
        return self.write("cube.prm", CUBE % dict(GOOD, **changes))

    def refused(self, file, words, ranks=1, **kwargs):
        result = self.run_file(file, expect=None, ranks=ranks, **kwargs)
        self.assertEqual(result.code, 1, result.out + result.err)
        self.assertEqual(result.err.count("Error: "), 1, result.err)
        for word in words:
            self.assertIn(word, result.err)
        return result

    def test_no_contact_just_runs(self):
        result = self.run_file(self.cube())
        self.assertEqual(sum(result.column("passes")), 0)

    def test_unknown_entry(self):
        file = self.cube(extra="subsection Contact\n  set Restitutoin = 1\n"
                               "end\n")
        for ranks in (1, 2):
            self.refused(file, ["cube.prm, line 2", "Contact", "Restitutoin",
                                "'Restitution'"], ranks=ranks)

    def test_unknown_grid_generator(self):
        self.refused(self.cube(mesh="set Grid generator = hyper_cub"),
                     ["cube", "hyper_cub", "hyper_cube"])

    def test_missing_mesh_file(self):
        self.refused(self.cube(mesh="set Mesh file = nothing.msh"),
                     ["cube", "nothing.msh"])

    def test_missing_parameter_file(self):
        self.refused("nothing.prm", ["nothing.prm"])

    def test_negative_density(self):
        self.refused(self.cube(density="-1"), ["Density", "-1"])

    def test_incompressible(self):
        self.refused(self.cube(nu="0.5"), ["Poisson's ratio", "0.5"])

    def test_wrong_dimension_of_mesh(self):
        self.write("square.msh", SQUARE)
        self.refused(self.cube(mesh="set Mesh file = square.msh"),
                     ["square.msh", "3"])

    def test_step_over_the_stable_one(self):
        self.refused(self.cube(step="0.1"), ["Time step", "0.1", "stable"])

    def test_growing_energy(self):
        result = self.refused(
            self.cube(velocity="-100*x; 0; 0", end="0.1", extra=
                      "subsection Output\n  set Energy growth limit = 1e-9\n"
                      "end\n"),
            ["energy", "Energy growth limit"])
        self.assertGreater(len(result.table()), 1)

    def test_inverted_cell(self):
        for ranks in (1, 2):
            with self.subTest(ranks=ranks):
                result = self.refused(
                    self.cube(velocity="-4000*x; 0; 0", end="0.1", extra=
                              "subsection Output\n"
                              "  set Energy growth limit = 1e12\nend\n"),
                    ["cube", "invert"], ranks=ranks)
                rows = result.table()
                self.assertGreater(len(rows), 1)
                self.assertEqual(rows[-1]["step"], len(rows) - 1)

    def test_used_output_directory(self):
        first = self.run_file(self.cube())
        self.refused(self.cube(), [first.directory, "overwrite"],
                     output=first.directory)
        self.run_file(self.cube(), ["Output/Overwrite=true"],
                      output=first.directory)

    def test_output_directory_not_writable(self):
        blocked = self.write("file", "")
        self.refused(self.cube(), ["file"],
                     output=os.path.join(blocked, "output"))

    def test_disk_full(self):
        # A small disk of its own; needs the right to mount one.
        disk = os.path.join(self.folder, "disk")
        os.mkdir(disk)
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k",
                                  "tmpfs", disk], capture_output=True)
        if mounted.returncode != 0:
            # The same without a disk: a table that leads to a full device.
            directory = os.path.join(disk, "output")
            os.mkdir(directory)
            os.symlink("/dev/full", os.path.join(directory, "bodies.csv"))
            self.refused(self.cube(end="0.1"), ["bodies.csv"],
                         output=directory)
            return
        try:
            result = self.refused(
                self.cube(velocity="-10*x; 0; 0", end="1"), [disk, "space"],
                output=os.path.join(disk, "output"))
            rows = result.table()
            self.assertGreater(len(rows), 10)
        finally:
            subprocess.run(["umount", disk], check=True)

    def test_unknown_option(self):
        self.refused(self.cube(), ["--nonsense"], options=["--nonsense"])

    def test_overrides_are_checked(self):
        self.refused(example("five-cubes"), ["Contact/Restitution", "2"],
                     settings=["Contact/Restitution=2"])


SQUARE = """$MeshFormat
2.2 0 8
$EndMeshFormat
$Nodes
4
1 0 0 0
2 1 0 0
3 1 1 0
4 0 1 0
$EndNodes
$Elements
1
1 3 2 0 0 1 2 3 4
$EndElements
"""


if __name__ == "__main__":
    main()
