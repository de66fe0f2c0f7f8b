# SPDX-License-Identifier: LGPL-2.1-or-later
"""Compare a deformable run with a rigid tool and with the same obstacle.

Usage: rigid_tool.py RICOCHET [CELLS_PER_EDGE] [STEPS] [REPETITIONS]

A cube with edges of 1, held below, is pressed from above with a hundredth of
its wave speed and friction, by a ball with a radius of 0.4 and by a box of 0.6
x 0.6: an obstacle, a rigid body whose motion is given, and a free one. Prints
the processor seconds of the whole runs, the median of the repetitions.
"""

import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

DENSITY, MODULUS, RATIO = 1000.0, 1e6, 0.3
WAVE_SPEED = (MODULUS * (1 - RATIO) / (1 + RATIO) / (1 - 2 * RATIO) /
              DENSITY)**0.5
SPEED = 0.01 * WAVE_SPEED

PRM = """\
set Dimension = 3
set End time = {end}
subsection Time stepping
  set Time step = {step}
end
subsection Bodies
  subsection block
    subsection Mesh
      set Grid generator = subdivided_hyper_cube
      set Grid generator arguments = {n} : 0 : 1 : true
    end
    subsection Prescribed motion
      subsection base
        set Boundary ids = 4
      end
    end
    subsection Material
      set Density = {density}
      set Young's modulus = {modulus}
      set Poisson's ratio = {ratio}
    end
  end
{body}
end
{obstacle}
subsection Contact
  set Friction coefficient = 0.3
end
subsection Output
  set Number of ParaView files = 0
  set Number of pictures = 0
  set Minutes between checkpoints = 0
end
"""

BODY = """\
  subsection tool
    set Rigid = true
    set Initial velocity = 0; 0; -{speed}
    subsection Rigid body
      set Surface = {shape}
      set Mass = 1000
{held}
{entries}
    end
  end
"""
HELD = """\
      set Held = x, y, z, rotation
      set Held velocity = 0; 0; -{speed}
"""
OBSTACLE = """\
subsection Obstacles
  subsection tool
    set Type = {shape}
{entries}
    subsection Motion
      set Translation = 0; 0; -{speed} * t
    end
  end
end
"""
ENTRIES = {
    "sphere": "subsection sphere\nset Radius = 0.4\n"
              "set Centre = 0.5, 0.5, 1.4001\n{refinements}end",
    "box": "subsection box\nset Lower corner = 0.2, 0.2, 1.0001\n"
           "set Upper corner = 0.8, 0.8, 1.3\nend",
}


def scene(shape, tool, n, steps):
    step = 0.4 / n / WAVE_SPEED
    entries = ENTRIES[shape].format(
        refinements="" if tool == "obstacle" else "set Refinements = 4\n")
    held = HELD.format(speed=SPEED) if tool == "held" else ""
    return PRM.format(
        n=n, step=step, end=steps * step, density=DENSITY, modulus=MODULUS,
        ratio=RATIO,
        body="" if tool == "obstacle" else BODY.format(
            speed=SPEED, shape=shape, held=held, entries=entries),
        obstacle="" if tool != "obstacle" else OBSTACLE.format(
            speed=SPEED, shape=shape, entries=entries))


def seconds(program, text):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "scene.prm").write_text(text)
        process = subprocess.Popen(
            [program, "scene.prm", "--output", "output"], cwd=folder,
            stdout=subprocess.DEVNULL,
            env=dict(os.environ, OMP_NUM_THREADS="1"))
        _, status, usage = os.wait4(process.pid, 0)
        if status != 0:
            raise SystemExit(f"{program} failed.")
        return usage.ru_utime + usage.ru_stime


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    n, steps, repetitions = (int(x) for x in sys.argv[2:] + [40, 200, 5][
        len(sys.argv) - 2:])
    for shape in ENTRIES:
        times = {tool: [] for tool in ("obstacle", "held", "free")}
        for _ in range(repetitions):
            for tool, values in times.items():
                values.append(seconds(program, scene(shape, tool, n, steps)))
        reference = statistics.median(times["obstacle"])
        for tool, values in times.items():
            median = statistics.median(values)
            print(f"{shape:6s} {tool:8s} {median:7.2f} s, "
                  f"{median / reference - 1:+.1%}")


main()
