# SPDX-License-Identifier: LGPL-2.1-or-later
"""Measure steps in which much touches.

Usage: touching.py RICOCHET [OTHER_RICOCHET] [options]

Two scenes: plates, a block of N x N cells pressed on and sliding over another
one, of which about 4 N^2 facets face each other; and a pile, N^3 cubes of 4^3
cells thrown about in a box. For each run the table has milliseconds per step of
forces, search and response, and the last two per facet that faces another one
in nanoseconds (of the pile: per facet). With two programs both run in turns,
and the last lines have the ratios of the medians.
"""

import argparse
import pathlib
import re
import statistics
import subprocess
import tempfile

PARTS = {"forces": "forces(?: and integration)?|integration",
         "search": "search", "response": "response"}
MATERIAL = """
    subsection Material
      set Density = %g
      set Young's modulus = %g
      set Poisson's ratio = 0.3
    end"""
OUTPUT = """
subsection Output
  set Number of ParaView files = 0
  set Number of pictures = 0
  set Steps between history rows = 1000000
  set Minutes between checkpoints = 0
end
"""


def box(n, thickness, corners):
    return f"""
    subsection Mesh
      set Grid generator = subdivided_hyper_rectangle
      set Grid generator arguments = {n}, {n}, {thickness} : {corners} : true
    end""" + MATERIAL % (1000, 1e6)


def law(options, restitution, friction):
    """For responses that have a choice."""
    if options.response == "nonsmooth":
        return ""
    return f"""
  set Restitution = {restitution}
  set Friction coefficient = {friction}"""


def plates(n, n_steps, options):
    """The parameter file, and how many facets face others."""
    upper, layers = round(0.97 * n), 4
    step, height = 0.8e-2 / n, layers / n
    return f"""
set Dimension = 3
set End time = {n_steps * step:.12g}
subsection Time stepping
  set Time step = {step:.12g}
end
subsection Bodies
  subsection lower{box(n, layers, f"0, 0, {-height} : 1, 1, 0")}
    subsection Prescribed motion
      subsection held
        set Boundary ids = 4
      end
    end
  end
  subsection upper
    set Initial velocity = 1; 0.3; -0.1
    set Body force = 0; 0; {-2 / height}{box(upper, layers,
        f"0.013, 0.017, {1e-4 / n} : 0.973, 0.977, {height}")}
  end
end
subsection Contact
  set Response = {options.response}{law(options, 0, 0.3)}
  set Self-contact = {str(options.self_contact).lower()}
end""" + OUTPUT, 2 * n**2 + 2 * upper**2


def pile(n, n_steps, options):
    spacing, step = 1.06, 1e-4
    low, high = -spacing / 2, (n - 1) * spacing + spacing / 2
    velocity = "; ".join(
        f"30*sin({12.9 + p}*rint(x/{spacing})+{78.2 - 3 * p}*rint(y/{spacing})"
        f"+{37.7 + 5 * p}*rint(z/{spacing})+{p})" for p in (1, 2, 3))
    walls = ""
    for axis in range(3):
        for place, sign in ((low, 1), (high, -1)):
            point, normal = [0] * 3, [0] * 3
            point[axis], normal[axis] = place, sign
            walls += f"""
  subsection wall {axis}{sign}
    set Type = half-space
    subsection half-space
      set Point = {point[0]}, {point[1]}, {point[2]}
      set Normal = {normal[0]}, {normal[1]}, {normal[2]}
    end
  end"""
    return f"""
set Dimension = 3
set End time = {n_steps * step}
subsection Time stepping
  set Time step = {step}
end
subsection Bodies
  subsection cube
    set Initial velocity = {velocity}
    set Repeat = {n}, {n}, {n}
    set Repeat spacing = {spacing}, {spacing}, {spacing}
    set Random rotation = 1
    subsection Mesh
      set Grid generator = subdivided_hyper_cube
      set Grid generator arguments = 4 : -0.5 : 0.5 : false
    end{MATERIAL % (0.7085, 2.1e5)}
  end
end
subsection Obstacles{walls}
end
subsection Contact
  set Response = {options.response}{law(options, 0.8, 0.2)}
end""" + OUTPUT, 192 * n**3


SCENES = {"plates": plates, "pile": pile}


def run(program, scene, options):
    """Milliseconds per step of each part."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "scene.prm"
        path.write_text(scene)
        result = subprocess.run(
            [str(program.resolve()), str(path), "--output",
             str(path.parent / "output"), "--set",
             f"Threads={options.threads}"], capture_output=True, text=True)
    if result.returncode != 0:
        raise SystemExit(result.stderr)
    return {part: 1e3 / options.steps *
            sum(map(float, re.findall(f"^ +(?:{text}) +([0-9.e+-]+)",
                                      result.stdout, re.MULTILINE)))
            for part, text in PARTS.items()}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="+", type=pathlib.Path)
    parser.add_argument("--scene", choices=SCENES, default="plates")
    parser.add_argument("--sizes", nargs="+", type=int, default=[100])
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--response", default="dcr")
    parser.add_argument("--self-contact", action="store_true")
    options = parser.parse_args()

    print(f"{'':24}" + "".join(f"{part:>10}" for part in PARTS) +
          f"{'ms per step':>13}{'contact, ns per facet':>23}")
    for size in options.sizes:
        scene, n_facets = SCENES[options.scene](size, options.steps, options)
        medians = []
        times = [[] for _ in options.programs]
        for _ in range(options.repeat):
            for k, program in enumerate(options.programs):
                times[k].append(run(program, scene, options))
        for k, program in enumerate(options.programs):
            median = {part: statistics.median(t[part] for t in times[k])
                      for part in PARTS}
            medians.append(median)
            contact = median["search"] + median["response"]
            print(f"{options.scene} {size}, program {k + 1}".ljust(24) +
                  "".join(f"{value:10.2f}" for value in median.values()) +
                  f"{sum(median.values()):13.1f}{1e6 * contact / n_facets:23.0f}")
        if len(medians) == 2:
            ratios = [medians[0][part] / medians[1][part] for part in PARTS]
            total = sum(medians[0].values()) / sum(medians[1].values())
            print("first by second".ljust(24) +
                  "".join(f"{ratio:10.2f}" for ratio in ratios) +
                  f"{total:13.2f}")


if __name__ == "__main__":
    main()
