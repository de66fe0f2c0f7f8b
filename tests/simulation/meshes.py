# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs with hanging nodes and simplices: conservation, independence of the
number of ranks, restart, and bodies that do not touch."""

import os
import re
import shutil

from ricochet_run import RunTest, main


BODY = """
  subsection %(name)s
    subsection Mesh
      set Grid generator = subdivided_hyper_rectangle
      set Grid generator arguments = %(box)s : true
      %(mesh)s
    end
    %(motion)s
    subsection Material
      set Law = neo-Hookean
      set Density = 0.7085
      set Young's modulus = 2.1e5
      set Poisson's ratio = 0.3
    end
  end
"""


def parameters(bodies, end_time, contact=""):
    """A parameter file; bodies are name, box, entries of the mesh, motion."""
    text = "set Dimension = 3\nset End time = %g\n" % end_time
    text += "subsection Time stepping\n  set Courant number = 0.4\nend\n"
    text += "subsection Bodies\n"
    for name, box, mesh, motion in bodies:
        text += BODY % {"name": name, "box": box, "mesh": mesh,
                        "motion": motion}
    return text + "end\nsubsection Contact\n%s\nend\n" % contact


IMPACT = parameters(
    [("floor", "4, 4, 1 : -1, -1, -0.5 : 1, 1, 0",
      "set Local refinement = (x+0.3*y>0.1) + (x*x+y*y<0.4)", ""),
     ("block", "2, 2, 2 : -0.3, -0.3, -0.3 : 0.3, 0.3, 0.3",
      "set Local refinement = (z<0.4)*(x<0.1)\n"
      "      set Rotation = 0.3, 0.2, 0.1\n"
      "      set Translation = 0.05, 0.02, 0.43",
      "set Initial velocity = 5; 2; -40\n    set Spin = 20, -10, 15")],
    0.006, "  set Friction coefficient = 0.2")


class Meshes(RunTest):

    def test_impact_with_hanging_nodes(self):
        file = self.write("impact.prm", IMPACT)
        one = self.run_file(file, ["Output/Check intersections=true",
                                   "Output/Number of ParaView files=2"],
                            files=True)
        self.assertIn("intersecting facet pairs", one.out)
        lines = [line.split() for line in one.out.split("\n")
                 if "intersecting facet pairs" in line]
        self.assertEqual([line[-1] for line in lines], ["0"])
        self.assertGreater(sum(one.column("node_face")), 20)
        self.assertGreater(sum(one.column("edge_edge")), 0)
        self.assert_momentum(one)
        self.assertTrue(os.path.exists(one.path("contact-00002.vtu")))
        for ranks in (2, 3, 5):
            with self.subTest(ranks=ranks):
                self.assert_same_motion(one, self.run_file(file, ranks=ranks))

    def test_restart_with_hanging_nodes(self):
        file = self.write("impact.prm", IMPACT)
        fixed = ["Time stepping/Time step=1e-5"]
        straight = self.run_file(file, fixed)
        halved = self.run_file(file, fixed + ["End time=0.003"])
        for ranks in (1, 2):
            with self.subTest(ranks=ranks):
                copy = os.path.join(self.folder, "copy-%d" % ranks)
                shutil.copytree(halved.directory, copy)
                resumed = self.run_file(file, fixed, output=copy,
                                        options=["--restart"], ranks=ranks)
                self.assert_same_motion(straight, resumed)

    def test_impact_of_quadratic_elements(self):
        file = self.write("impact.prm", re.sub(
            "set Local refinement.*", "", IMPACT))
        settings = ["Bodies/Element degree=2", "End time=0.003"]
        one = self.run_file(file, settings + [
            "Output/Check intersections=true",
            "Output/Number of ParaView files=1"], files=True)
        lines = [line.split() for line in one.out.split("\n")
                 if "intersecting facet pairs" in line]
        self.assertEqual([line[-1] for line in lines], ["0"])
        self.assertGreater(sum(one.column("node_face")), 20)
        self.assert_momentum(one)
        for ranks in (2, 3):
            with self.subTest(ranks=ranks):
                other = self.run_file(file, settings, ranks=ranks)
                for name, values in one.state().items():
                    if name.split()[0] in ("positions", "velocities"):
                        self.assertEqual(values, other.state()[name], name)

    def test_simplices_that_do_not_touch_stay_at_rest(self):
        file = self.write("simplices.prm", parameters(
            [("base", "4, 4, 2 : -2, -2, -1 : 2, 2, 0",
              "set Simplices = true", ""),
             ("block", "2, 2, 2 : -0.5, -0.5, 0.001 : 0.5, 0.5, 1.001",
              "set Simplices = true", "")], 0.002))
        for ranks in (1, 2, 5):
            with self.subTest(ranks=ranks):
                result = self.run_file(file, ranks=ranks)
                for key in ("node_face", "edge_edge", "kinetic_energy",
                            "internal_energy"):
                    self.assertEqual(set(result.column(key)), {0.})

    def test_simplices_of_a_base_do_not_get_hanging_nodes(self):
        file = self.write("simplices.prm", parameters(
            [("base", "1, 1, 1 : 0, 0, 0 : 1, 1, 1",
              "set Simplices = true\n      set Local refinement = 1", "")],
            1.))
        result = self.run_file(file, expect=1)
        self.assertIn("Local refinement", result.err)


if __name__ == "__main__":
    main()
