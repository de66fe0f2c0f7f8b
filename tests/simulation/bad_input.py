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

    def refused(self, file, words, settings=(), ranks=1, **kwargs):
        result = self.run_file(file, settings, expect=None, ranks=ranks,
                               **kwargs)
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

    def test_element_degree(self):
        for degree in ("0", "3", "1.5"):
            self.refused(self.cube(), ["Element degree", degree],
                         ["Bodies/Element degree=" + degree])
        for mesh, words in (
                ("set Simplices = true", ["simplices", "hexahedra"]),
                ("set Local refinement = x", ["hanging nodes", "Refinements"])):
            file = self.cube(mesh=GOOD["mesh"] + "\n      " + mesh)
            for ranks in (1, 2):
                self.refused(file, ["cube", "Element degree = 1"] + words,
                             ["Bodies/Element degree=2"], ranks=ranks)

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
        """Everything shrinks to a point, which no step however short avoids:
        first shorter ones are tried."""
        for ranks in (1, 2):
            with self.subTest(ranks=ranks):
                result = self.refused(
                    self.cube(velocity="-4000*x; 0; 0", end="0.1", extra=
                              "subsection Output\n"
                              "  set Energy growth limit = 1e12\nend\n"
                              "subsection Time stepping\n"
                              "  set Courant number = 0.25\nend\n"),
                    ["cube", "crushed", "too soft or too fast",
                     "Least stable step"], ranks=ranks)
                rows = result.table()
                self.assertGreater(len(rows), 1)
                self.assertEqual(rows[-1]["step"], len(rows) - 1)
                self.assertGreater(max(row["cuts"] for row in rows), 0)
                energy = [row["kinetic_energy"] + row["internal_energy"]
                          for row in rows]
                self.assertLess(max(energy), 1.02 * energy[0])

    def test_cell_without_resistance(self):
        """A linear law lets cells turn inside out at no cost."""
        self.refused(
            self.cube(velocity="-4000*x; 0; 0", end="0.1", extra=
                      "subsection Output\n  set Energy growth limit = 1e12\n"
                      "end\n"),
            ["cube", "invert", "down to a length of"],
            settings=["Bodies/cube/Material/Law=small-strain linear"])

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

    def test_input_would_be_overwritten(self):
        first = self.run_file(self.cube())
        result = self.refused(first.path("parameters.prm"),
                              ["parameters.prm", "overwrite"],
                              ["Output/Overwrite=true"],
                              output=first.directory)
        self.assertGreater(len(result.table()), 1)

    def test_restart_with_another_model(self):
        first = self.run_file(self.cube())
        for ranks, changes, words in (
                (1, {"density": "20"}, ["Density", "'20'", "'10'"]),
                (2, {"mesh": GOOD["mesh"].replace("= 2 :", "= 1 :")},
                 ["Grid generator arguments"])):
            self.refused(self.cube(end="0.002", **changes), words, ranks=ranks,
                         output=first.directory, options=["--restart"])
        more = self.run_file(self.cube(end="0.002"), output=first.directory,
                             options=["--restart"])
        self.assertEqual(more.column("time")[-1], 0.002)

    def test_step_that_is_no_step(self):
        self.refused(self.cube(step="1e-300"), ["Time step", "stands still"])

    def test_negative_number_of_cells(self):
        self.refused(self.cube(mesh=GOOD["mesh"].replace("= 2 :", "= -2 :")),
                     ["cube", "subdivided_hyper_cube", "'-2'"])

    def test_function_that_is_none(self):
        result = self.refused(self.cube(velocity="1 +; 0; 0"),
                              ["cube", "Initial velocity", "1 +"])
        self.assertEqual(len(result.err.strip().split("\n")), 1)

    def test_commas_in_functions(self):
        for velocity, words in (
                ("1,5; 0; 0", ["Write 1.5 for 1,5"]),
                ("0; 0; -(0,25)", ["Write 0.25"]), ("x,y; 0; 0", ["min("]),
                ("1,5", ["Write 1.5"]), ("sin(1)+2,; 0; 0", ["comma"]),
                ("min(1, (2,5)); 0; 0", ["Write 2.5"])):
            self.refused(self.cube(velocity=velocity),
                         ["cube.prm, line", "'Bodies/cube/Initial velocity'",
                          velocity] + words)
        result = self.run_file(self.cube(velocity="min(1.5, 2); pow(2, 0.5);"
                                         "if(x > -9, atan2 (0, 1), 7)"),
                               options=["--validate"])
        self.assertIn("kinetic energy 21.25", result.out)

    def test_numbers_that_are_none(self):
        """In entries of all kinds; the message has the place."""
        for entry, values in (
                ("End time", ("1,5", "1e400", "1e-400", "1D3", "nan", "-inf",
                              "0x10", "1 2", "1e", "--1", "1.0-5", "")),
                ("Threads", ("1e5", "99999999999999999999", "1.5", "")),
                ("Bodies/cube/Random shift", ("1,5", "1e-400", "1;2;3")),
                ("Bodies/cube/Material/Density", ("1e-400", "1,5", "nan",
                                                  "1e400", "-1")),
                ("Bodies/cube/Body force", ("1e400; 0; 0", "0; 1e-400; 0",
                                            "1D3; 0; 0", "nan; 0; 0", "",
                                            "1/0; 0; 0", "0; 0; x=1")),
                ("Contact/Friction of pairs", ("cube:cube 1,5", "cube:cube 1e",
                                               "cube:cube 1e400"))):
            for value in values:
                with self.subTest(entry=entry, value=value):
                    section, _, name = entry.rpartition("/")
                    lines = ["subsection " + s
                             for s in section.split("/") if s]
                    lines += ["set %s = %s" % (name, value)]
                    lines += ["end"] * (len(lines) - 1)
                    file = self.cube(extra="\n".join(lines))
                    with open(file) as text:
                        end = text.read().count("\n") - len(lines) + 1
                    result = self.refused(
                        file,
                        ["cube.prm, line %d" % (end + len(lines) // 2),
                         "'" + entry + "'"], options=["--validate"])
                    self.assertEqual(len(result.err.strip().split("\n")), 1)
                    self.assertNotIn("violated condition", result.err)

    def test_body_without_a_name(self):
        self.refused(self.cube(extra="subsection Bodies\n  subsection\n"
                                     "  end\nend\n"),
                     ["cube.prm, line 2", "no name"])

    def test_bodies_with_one_name_are_told(self):
        result = self.run_file(self.write("twice.prm", (CUBE % GOOD).replace(
            "  end\nend\n\n", "  end\n  subsection cube\n  end\nend\n")))
        self.assertIn("'Bodies/cube' was already there", result.out)

    def test_byte_order_mark(self):
        file = self.write("mark.prm", "\ufeff" + CUBE % GOOD)
        self.refused(file, ["mark.prm, line 1", "byte order mark"])

    def test_included_directory(self):
        self.refused(self.cube(extra="include " + self.folder),
                     ["cube.prm, line 2", self.folder])

    def two_cubes(self, distance, angle=0):
        return self.cube(extra=(
            "subsection Bodies\n  subsection cube\n    set Repeat = 2, 1, 1\n"
            "    set Repeat spacing = %g, 0, 0\n    set Random rotation = %g\n"
            "  end\nend\n" % (distance, angle)))

    def test_intersections_are_counted(self):
        file = self.two_cubes(0.7, 5)
        self.refused(file, ["'cube[0,0,0]' and 'cube[1,0,0]'", "overlap"])
        for policy in ("ignore", "refuse, cube:cube ignore",
                       "refuse, cube[1,0,0]:cube[0,0,0] ignore"):
            result = self.run_file(file, [
                "Output/Check intersections=true",
                "Contact/Starting overlaps=" + policy])
            line = next(line for line in result.out.split("\n")
                        if "intersecting facet pairs" in line)
            self.assertGreater(float(line.split()[-1]), 0)

    def rigid(self, entries, mass="set Mass = 1", rest=""):
        """A rigid box, with entries of its section 'Rigid body' and of the
        body."""
        return self.write("rigid.prm", """
set Dimension = 3
set End time = 1
subsection Bodies
  subsection stone
    set Rigid = true
    subsection Rigid body
      set Surface = box
      %s
      %s
    end
    %s
  end
end
""" % (mass, entries, rest))

    def test_rigid_bodies_that_cannot_be(self):
        place = "Body 'stone'"
        for entries, words in (
                ("set Mass = 0", ["'Mass' = 0", "not larger than 0"]),
                ("set Mass = -2", ["'Mass' = -2", "not larger than 0"]),
                ("set Inertia = 1, 1, 3", ["'Inertia' = 1, 1, 3", "sum"]),
                ("set Inertia = 1, 1, -1", ["Inertia", "positive"]),
                ("set Held = x, y, spin", ["'spin'", "rotation"]),
                ("set Held velocity = t; 0; 0", ["Held velocity", "'Held'"]),
                ("set Surface = cone", ["Surface", "cone", "cylinder"])):
            for ranks in (1, 2):
                self.refused(self.rigid(entries), words +
                             ([place] if "cone" not in entries else []),
                             ranks=ranks)

    def test_rigid_body_without_density(self):
        self.refused(self.rigid("", mass=""),
                     ["Body 'stone'", "Density", "missing", "'Mass'"])

    def test_rigid_body_with_prescribed_motion(self):
        self.refused(self.rigid("", rest="""
    subsection Prescribed motion
      subsection fixed
        set Boundary ids = 4
      end
    end"""), ["Body 'stone' is rigid", "Prescribed motion", "'fixed'",
              "'Held'"])

    def test_rigid_body_with_a_mesh_besides(self):
        self.refused(self.rigid("", rest="""
    subsection Mesh
      set Grid generator = hyper_cube
    end"""), ["Body 'stone'", "two surfaces", "hyper_cube", "box"])

    def test_rigid_body_from_a_wrong_stl_file(self):
        for facets, words in (
                (TETRAHEDRON[:3], ["not closed", "3 edges", "such as that from"]),
                ([f[::-1] for f in TETRAHEDRON], ["inward", "Reverse"])):
            with open(os.path.join(self.folder, "t.stl"), "w") as file:
                file.write("solid t\n")
                for facet in facets:
                    file.write("facet normal 0 0 0\nouter loop\n")
                    for v in facet:
                        file.write("vertex %d %d %d\n" % CORNERS[v])
                    file.write("endloop\nendfacet\n")
                file.write("endsolid\n")
            stl = ("set Surface = surface mesh\n      subsection surface mesh\n"
                   "        set Mesh file = t.stl\n      end")
            for ranks in (1, 2):
                self.refused(self.rigid(stl), ["Body 'stone'", "t.stl"] + words,
                             ranks=ranks)

    def test_rigid_bodies_alone_need_a_time_step(self):
        self.refused(self.rigid(""), ["all bodies are rigid", "'Time step'"])

    def test_rigid_bodies_are_summarized(self):
        result = self.run_file(self.rigid("set Surface = sphere"),
                               ["Time stepping/Time step=0.1"],
                               options=["--validate"])
        self.assertIn("rigid, 320 facets, mass 1,", result.out)
        self.assertIn("moments of inertia 0.4, 0.4, 0.4", result.out)

    def test_unknown_option(self):
        self.refused(self.cube(), ["--nonsense"], options=["--nonsense"])

    def test_overrides_are_checked(self):
        self.refused(example("five-cubes"), ["Contact/Restitution", "2"],
                     ["Contact/Restitution=2"])


CORNERS = ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))
TETRAHEDRON = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]

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
