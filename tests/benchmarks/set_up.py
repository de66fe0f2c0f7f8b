#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What it takes to set up a block of hexahedra: seconds per million cells until
the first step, and bytes per cell at the peak, summed over the ranks.

    tests/benchmarks/set_up.py build/release/ricochet 25x25x20 50x50x40 ...

Blocks are cut by the forest where their numbers of cells can be halved; odd
ones, as 51x51x41, are not. --ranks gives the number of ranks, --refinements
cuts the cells further.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

SCENE = """set End time = 1e-9
set Output directory = {folder}/output
subsection Output
  set Number of ParaView files       = 0
  set Number of pictures             = 0
  set Minutes between checkpoints    = 0
end
subsection Bodies
  subsection block
    subsection Mesh
      set Grid generator           = subdivided_hyper_rectangle
      set Grid generator arguments = {cells} : 0, 0, 0 : 1, 1, 1 : true
      set Refinements              = {refinements}
    end
    subsection Material
      set Density         = 1000
      set Young's modulus = 1e6
      set Poisson's ratio = 0.3
    end
  end
end
"""

# Runs a program, and tells what it needed at most.
MEASURE = ("import resource, subprocess, sys;"
           "code = subprocess.run(sys.argv[1:]).returncode;"
           "print('\\npeak', resource.getrusage("
           "resource.RUSAGE_CHILDREN).ru_maxrss, flush=True);"
           "sys.exit(code)")


def run(options, counts):
    """Number of cells, seconds until the first step, and bytes."""
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "block.prm")
        with open(name, "w") as file:
            file.write(SCENE.format(folder=folder,
                                    cells=", ".join(counts.split("x")),
                                    refinements=options.refinements))
        command = [sys.executable, "-c", MEASURE, options.program, name]
        if options.ranks > 1:
            command = ["mpiexec", "--oversubscribe", "-np",
                       str(options.ranks)] + command
        text = subprocess.run(command, check=True, text=True,
                              stdout=subprocess.PIPE).stdout
    value = {name: float(re.search(name + r" +([0-9.e+-]+)", text).group(1))
             for name in ("reading", "set-up", "elements")}
    peak = sum(map(int, re.findall(r"peak (\d+)", text)))
    return (value["elements"], value["reading"] + value["set-up"],
            1024. * peak)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("cells", nargs="+")
    parser.add_argument("--ranks", type=int, default=1)
    parser.add_argument("--refinements", type=int, default=0)
    options = parser.parse_args()
    # What every run takes, however small it is.
    base = run(options, "1x1x1")
    print("      cells   seconds  s per million  bytes per cell")
    for counts in options.cells:
        n, seconds, size = run(options, counts)
        print(f"{n:11.0f} {seconds:9.2f} {1e6 * (seconds - base[1]) / n:14.1f}"
              f" {(size - base[2]) / n:15.0f}")


if __name__ == "__main__":
    main()
