#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How often the interval of a default window has the true mean latency: docs/MEASUREMENT.md.

    coverage.py PROGRAM SEED POINTS

Random networks, patterns, lengths and rates up to the bound, five seeds each. A long run has the true mean."""
import json
import random
import subprocess
import sys

NETWORKS = [("ring:2", ""), ("ring:4", "vcs=2"), ("ring:8", "vcs=2"), ("mesh:3x3", "vcs=2"), ("mesh:4x4", ""),
            ("mesh:4x4", ""), ("mesh:8x8", ""), ("torus:4x4", "vcs=2"), ("cube:3", ""), ("cube:3", ""), ("cube:4", ""),
            ("cube:6", "")]
PATTERNS = ["uniform", "uniform", "transpose", "bitcomp", "bitrev", "neighbor", "tornado", "hotspot"]
LENGTHS = ["1", "2", "4", "8", "16", "1..8", "1+8"]
program, seed, points = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
draw = random.Random(seed)


def ecube(*words):
    """The record of a run or an audit; None: it was refused."""
    done = subprocess.run([program, *words, "--format", "json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return json.loads(done.stdout) if done.stdout else None


def point():
    """Words of a random run, and its rate as a part of the bound."""
    topology, router = draw.choice(NETWORKS)
    pattern = draw.choice(PATTERNS)
    workload = f"{pattern}:m={draw.choice(LENGTHS)}"
    if pattern == "hotspot":
        workload += f",share={draw.choice([0.05, 0.1, 0.3])}"
    options = ["--router", router] if router else []
    audit = ecube("audit", topology, f"{workload},rate=0.001", *options)
    if not audit or not audit["bound_rate"]:
        return None
    load = draw.random()
    rate = f"{load * audit['bound_rate']:.4g}"
    return [topology, f"{workload},rate={rate}", *options], load


count = {"runs": 0, "steady": 0, "known": 0, "contain": 0}
while points > 0:
    chosen = point()
    runs = [ecube("run", *chosen[0], "--seed", str(k)) for k in range(1, 6)] if chosen else [None]
    if not runs[0]:
        continue
    points -= 1
    steady = [run for run in runs if run["steady"] == "yes"]
    count["runs"] += len(runs)
    count["steady"] += len(steady)
    if not steady:
        continue
    cycles = (100000 if steady[0]["nodes"] == 64 else 300000) * (2 if chosen[1] > 0.7 else 1)
    true = ecube("run", *chosen[0], "--seed", "1000", "--warmup", "20000", "--cycles", str(cycles))
    for run in steady:
        half = run["latency_half"]
        count["known"] += half is not None
        off = abs(run["latency"]["mean"] - true["latency"]["mean"])
        count["contain"] += half is not None and off <= half
        if half is not None and off > half:
            print(run["command"], run["latency"]["mean"], half, "true", true["latency"]["mean"])
print(count)
