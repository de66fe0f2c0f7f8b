# SPDX-License-Identifier: LGPL-2.1-or-later
"""Compare implicit steps with those of CalculiX: seconds, iterations, result.

Usage: calculix.py RICOCHET CELLS_PER_EDGE [options]

A cube with edges of 1 of a compressible neo-Hookean solid (density 1000,
Young's modulus 1e6, Poisson's ratio 0.3) stands on a fixed base and sinks from
rest under a body force of 10 downward: eight-node hexahedra with eight
points, the trapezoidal rule with equal steps, and Newton's method down to
--tolerance, for CalculiX the largest residual relative to the mean force, here
their norms relative to those of all forces. All programs run one after the
other on one core. CalculiX's `ccx` must be in PATH.

CalculiX solves with its direct solver, SPOOLES, and with its conjugate
gradients, preconditioned by an incomplete Cholesky factorization or by the
diagonal. Its neo-Hookean law has the same moduli at small strains, but another
volumetric part, and its mass is consistent where here it is lumped; so the
vertical displacements of the tip, a corner of the top, agree to 1.3 % with 5
cells along an edge, and better with more.

The seconds per step are those of all steps, from the first iteration of
CalculiX, or here from the state at the start with the structure of the matrix
still to be built; the CPU seconds are those of the whole run. A run is given up
after --limit seconds.
"""

import argparse
import csv
import os
import pathlib
import subprocess
import tempfile
import threading
import time

DENSITY, MODULUS, RATIO, ACCELERATION = 1000.0, 1e6, 0.3, 10.0

PRM = """\
# A block that sinks under a body force.
set Dimension = 3
set End time = {end}
set Output directory = {output}
subsection Time stepping
  set Integrator = {integrator}
  set Time step = {step}
  subsection Equations
    set Newton tolerance = {tolerance}
    set Largest direct system = 1000
  end
end
subsection Bodies
  subsection block
    subsection Mesh
      set Grid generator = subdivided_hyper_cube
      set Grid generator arguments = {n} : 0 : 1 : true
    end
    set Body force = 0; 0; {minus_acceleration}
    subsection Prescribed motion
      subsection base
        set Boundary ids = 4
      end
    end
    subsection Material
      set Law = neo-Hookean
      set Density = {density}
      set Young's modulus = {modulus}
      set Poisson's ratio = {ratio}
    end
  end
end
subsection Output
  set Number of ParaView files = 0
  set Number of pictures = 0
  set Minutes between checkpoints = 0
  subsection Probes
    subsection tip
      set Body = block
      set Position = 1, 1, 1
    end
  end
end
"""

INP = """\
*MATERIAL, NAME=rubber
*HYPERELASTIC, NEO HOOKE
{c10:.16g}, {d1:.16g}
*DENSITY
{density}
*SOLID SECTION, ELSET=block, MATERIAL=rubber
*BOUNDARY
base, 1, 3
*STEP, NLGEOM, INC=1000
*DYNAMIC, DIRECT, ALPHA=0.{solver}
{step}, {end}
*CONTROLS, PARAMETERS=FIELD
{tolerance}, 1., , , {tolerance}
*DLOAD
block, GRAV, {acceleration}, 0., 0., -1.
*NODE PRINT, NSET=tip
U
*END STEP
"""

# Of CalculiX, by the names of --solvers.
SOLVERS = {
    "direct": "",
    "cholesky": ", SOLVER=ITERATIVE CHOLESKY",
    "diagonal": ", SOLVER=ITERATIVE SCALING",
}


def write_inp(path, n, solver, options):
    """The model as CalculiX reads it."""

    def node(i, j, k):
        return 1 + i + (n + 1) * (j + (n + 1) * k)

    corners = ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0),
               (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1))
    with open(path, "w") as out:
        out.write("*NODE, NSET=all\n")
        for k in range(n + 1):
            for j in range(n + 1):
                for i in range(n + 1):
                    out.write(f"{node(i, j, k)}, {i / n:.16g}, {j / n:.16g}, "
                              f"{k / n:.16g}\n")
        out.write("*ELEMENT, TYPE=C3D8, ELSET=block\n")
        for k in range(n):
            for j in range(n):
                for i in range(n):
                    nodes = (node(i + a, j + b, k + c) for a, b, c in corners)
                    out.write(f"{1 + i + n * (j + n * k)}, "
                              f"{', '.join(map(str, nodes))}\n")
        out.write("*NSET, NSET=base, GENERATE\n"
                  f"1, {node(n, n, 0)}, 1\n"
                  "*NSET, NSET=tip\n"
                  f"{node(n, n, n)}\n")
        mu = MODULUS / (2 * (1 + RATIO))
        bulk = MODULUS / (3 * (1 - 2 * RATIO))
        out.write(INP.format(c10=mu / 2, d1=2 / bulk, density=DENSITY,
                             solver=SOLVERS[solver], step=options.step,
                             end=options.step * options.steps,
                             tolerance=options.tolerance,
                             acceleration=ACCELERATION))


class Failure(Exception):
    """Why a program gave no result."""


def run(command, folder, options):
    """Run on one core; lines with their times, CPU seconds, memory in GB."""
    environment = dict(os.environ, OMP_NUM_THREADS="1",
                       OPENBLAS_NUM_THREADS="1", GFORTRAN_UNBUFFERED_ALL="1")
    process = subprocess.Popen(
        ["taskset", "-c", str(options.core), "stdbuf", "-oL", *command],
        cwd=folder, env=environment, text=True, errors="replace",
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    timer = threading.Timer(options.limit, process.kill)
    timer.start()
    lines = [(time.monotonic(), line) for line in process.stdout]
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    in_time = timer.is_alive()
    timer.cancel()
    if not in_time:
        raise Failure(f"not done in {options.limit} s")
    if process.returncode != 0:
        last = lines[-1][1].strip() if lines else ""
        raise Failure(f"failed with status {process.returncode}: {last}")
    return lines, (usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024**2)


def run_calculix(folder, n, solver, options):
    """Seconds and iterations per step, displacement of the tip, CPU, memory."""
    write_inp(folder / "block.inp", n, solver, options)
    lines, used = run(["ccx", "-i", "block"], folder, options)
    starts = [t for t, line in lines if line.startswith(" iteration ")]
    ends = [t for t, line in lines if line.strip() == "convergence"]
    if len(ends) != options.steps:
        raise Failure("did not converge")
    tip = float((folder / "block.dat").read_text().split()[-1])
    return ((ends[-1] - starts[0]) / options.steps,
            len(starts) / options.steps, None, tip, *used)


def run_ricochet(folder, n, integrator, options):
    """The same, and linear iterations per iteration of Newton's method."""
    (folder / "block.prm").write_text(PRM.format(
        n=n, integrator=integrator, output=folder / "output",
        step=options.step, end=options.step * options.steps,
        tolerance=options.tolerance, minus_acceleration=-ACCELERATION,
        density=DENSITY, modulus=MODULUS, ratio=RATIO))
    _, used = run([str(options.ricochet.resolve()), "block.prm"], folder,
                    options)
    with open(folder / "output" / "history.csv") as table:
        rows = list(csv.DictReader(table))
    with open(folder / "output" / "probes.csv") as table:
        tip = float(list(csv.DictReader(table))[-1]["uz"])
    n_newton, n_linear = (sum(int(row[name]) for row in rows)
                          for name in ("newton", "linear"))
    wall_time = float(rows[-1]["wall_time"]) - float(rows[0]["wall_time"])
    return (wall_time / options.steps, n_newton / options.steps,
            n_linear / n_newton, tip, *used)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__.split("\n")[0],
        formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("ricochet", type=pathlib.Path, help="the program")
    parser.add_argument("cells", type=int, nargs="+", help="along an edge")
    parser.add_argument("--solvers", nargs="*", choices=SOLVERS,
                        default=list(SOLVERS), help="of CalculiX")
    parser.add_argument("--integrators", nargs="*",
                        default=["implicit Newmark", "energy-momentum"])
    parser.add_argument("--step", type=float, default=0.01)
    parser.add_argument("--steps", type=int, default=3)
    parser.add_argument("--tolerance", type=float, default=1e-6)
    parser.add_argument("--core", type=int, default=0)
    parser.add_argument("--limit", type=float, default=1800, help="seconds")
    options = parser.parse_args()

    print("cells    program                     s/step  Newton/step  "
          "linear/Newton  tip           CPU s  GB", flush=True)
    runs = [("Ricochet, " + name, run_ricochet, name)
            for name in options.integrators]
    runs += [("CalculiX, " + name, run_calculix, name)
             for name in options.solvers]
    for n in options.cells:
        for title, function, choice in runs:
            with tempfile.TemporaryDirectory() as folder:
                try:
                    seconds, newton, linear, tip, cpu, memory = function(
                        pathlib.Path(folder), n, choice, options)
                except Failure as failure:
                    print(f"{n:>3}^3    {title:<26}  {failure}", flush=True)
                    continue
            linear = "" if linear is None else f"{linear:.2f}"
            print(f"{n:>3}^3    {title:<26}  {seconds:6.2f}  {newton:11.2f}  "
                  f"{linear:>13}  {tip:.5e}  {cpu:5.0f}  {memory:.2f}",
                  flush=True)


if __name__ == "__main__":
    main()
