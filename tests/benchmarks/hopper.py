# SPDX-License-Identifier: LGPL-2.1-or-later
"""Compare rigid grains in a hopper with those of the Bullet library.

Usage: hopper.py RICOCHET BENCHMARK_HOPPER_BULLET [options]

Both run the 200 grains of prm/rigid/hopper.prm on one core with equal steps
from the same places, with random turns each of its own. Bullet's balls and
cylinders are round; here they have facets.

For each part of the time, the table has nanoseconds per grain and step, here
scaled from wall to processor time, and up to then what is left over: the
deepest penetration in m, here by the planes of facets, which vertices may have
slid off (with --checker CHECK_INTERSECTIONS, whether anything intersects is
said at the end); the largest gain of energy in a step relative to the
work of gravity down to the floor, and the momentum that gravity and the
impulses of contact do not explain, relative to the weight times one step, for
Bullet in one step.
"""

import argparse
import csv
import os
import pathlib
import re
import subprocess
import tempfile

GRAVITY, FALL = 9.81, 0.2
N_PARTS = 10
SCENE = pathlib.Path(__file__).parents[2] / "prm" / "rigid" / "hopper.prm"


def table(path):
    with open(path) as file:
        return list(csv.DictReader(file))


def run_ricochet(folder, options):
    output = folder / "output"
    settings = {"Time stepping/Time step": options.step,
                "End time": options.end,
                "Output/Steps between history rows": 1,
                "Output/Number of ParaView files":
                    N_PARTS if options.checker else 0,
                "Output/Number of pictures": 0,
                "Output/Minutes between checkpoints": 0}
    command = [str(options.ricochet.resolve()), str(SCENE), "--output",
               str(output)]
    for entry, value in settings.items():
        command += ["--set", f"{entry}={value}"]
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL,
        env=dict(os.environ, OMP_NUM_THREADS="1", DEAL_II_NUM_THREADS="1"))
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit(f"{options.ricochet} failed.")
    return output, usage.ru_utime + usage.ru_stime


def report_ricochet(output, processor_time, options):
    rows = table(output / "history.csv")
    grains = [row for row in table(output / "bodies.csv")
              if int(row["step"]) == 0]
    mass = sum(float(row["mass"]) for row in grains)
    taken = {}
    for row in table(output / "obstacles.csv"):
        sums = taken.setdefault(row["step"], [0.0] * 3)
        for d, key in enumerate(("jx", "jy", "jz")):
            sums[d] += float(row[key])
    share = processor_time / float(rows[-1]["wall_time"])
    n_steps = len(rows) - 1
    depth = gain = unexplained = 0.0
    last = 0
    for n in range(1, n_steps + 1):
        row = rows[n]
        if row["min_gap"] != "nan":
            depth = max(depth, -float(row["min_gap"]))
        gain = max(gain, (float(row["total_energy"]) -
                          float(rows[n - 1]["total_energy"])) /
                   (mass * GRAVITY * FALL))
        change = [float(row["p" + axis]) - float(rows[0]["p" + axis]) +
                  taken[row["step"]][d] for d, axis in enumerate("xyz")]
        change[2] += mass * GRAVITY * float(row["time"])
        unexplained = max(unexplained, sum(x * x for x in change)**0.5 /
                          (mass * GRAVITY * options.step))
        if n * N_PARTS // n_steps > (n - 1) * N_PARTS // n_steps:
            seconds = share * (float(row["wall_time"]) -
                               float(rows[last]["wall_time"]))
            print(f"Ricochet {float(row['time']):.3f} s: "
                  f"{1e9 * seconds / (n - last) / len(grains):9.0f} ns, "
                  f"penetration {depth:.2g}, gain {gain:.2g}, "
                  f"momentum {unexplained:.2g}")
            last = n
    return grains


def report_bullet(folder, grains, options):
    files = []
    for kind in "balls", "cubes", "cylinders":
        files.append(str(folder / kind))
        with open(files[-1], "w") as file:
            for row in grains:
                if row["body"].startswith(kind):
                    print(row["cx"], row["cy"], row["cz"], file=file)
    process = subprocess.run(
        [str(options.bullet.resolve()), str(options.step), str(options.end),
         *files], check=True, capture_output=True, text=True)
    for line in process.stdout.splitlines():
        time, ns, depth, gain, unexplained = map(float, line.split())
        print(f"Bullet   {time:.3f} s: {ns:9.0f} ns, penetration {depth:.2g}, "
              f"gain {gain:.2g}, momentum {unexplained:.2g}")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("ricochet", type=pathlib.Path)
    parser.add_argument("bullet", type=pathlib.Path)
    parser.add_argument("--checker", type=pathlib.Path)
    parser.add_argument("--step", type=float, default=2e-4)
    parser.add_argument("--end", type=float, default=0.8)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        output, processor_time = run_ricochet(folder, options)
        grains = report_ricochet(output, processor_time, options)
        if options.checker:
            process = subprocess.run(
                [str(options.checker.resolve()), str(output)],
                capture_output=True, text=True)
            # Of two obstacles some do.
            faults = [line for line in process.stdout.splitlines()[:-1]
                      if any(int(body) < len(grains) for body in
                             re.findall(r" body (\d+)", line))]
            print(f"{len(faults)} intersections of grains by the checker")
        report_bullet(folder, grains, options)


main()
