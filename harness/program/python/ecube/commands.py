# SPDX-License-Identifier: Apache-2.0
"""The commands of the program as functions.

Keyword arguments are options of the command line: `wave_nodes="all"` is --wave-nodes=all, True an option without value. A
list repeats an option; a dict gives KEY=VALUE: `router={"vcs": 4, "va": "dynamic"}`, `vary={"vcs": [2, 4]}`.

Wrong input, a missing tool and an interrupt raise Error. A bad verdict raises VerdictError, which carries the result;
with check=False the function returns that result instead. With progress=True the program shows its progress and its
messages on standard error.
"""
import json
import os
import tempfile
from pathlib import Path
from typing import Any, Generator, List, Optional, TypeVar, Union

from .program import Process, VerdictError, arguments, call
from .results import Audit, Plan, Point, Record, Regression, Run, Sweep, TileCheck
from .trace import Trace

Workload = Union[str, Trace]
Result = TypeVar("Result", bound=Record)


def _judge(result: Result, status: int, command: List[str], check: bool, why: str = "") -> Result:
    if status == 0 or not check:
        return result
    verdict = getattr(result, "verdict", "fail")
    error = VerdictError(f"{verdict}: {why or ' '.join(command)}", status, command)
    error.result = result
    raise error


class _Workload:
    """The words of a workload; a trace is a file as long as the `with` block."""

    def __init__(self, workload: Workload):
        self._workload = workload
        self._folder: Optional["tempfile.TemporaryDirectory[str]"] = None

    def __enter__(self) -> str:
        if isinstance(self._workload, str):
            return self._workload
        self._folder = tempfile.TemporaryDirectory(prefix="ecube-")
        file = Path(self._folder.name) / "trace.csv"
        self._workload.save(file)
        return f"trace:file={file}"

    def __exit__(self, *_: Any) -> None:
        if self._folder:
            self._folder.cleanup()


def run(topology: str, workload: Workload, *, check: bool = True, progress: bool = False, **options: Any) -> Run:
    """Simulate one workload: `run("cube:6", "shift:q=5,m=64", router="vcs=2")`."""
    with _Workload(workload) as words:
        found, status, command = call(["run", topology, words], options, progress)
    result = Run(found[0])
    why = "; ".join(f"{bad.name}: {bad.detail}" for bad in result.failures())
    return _judge(result, status, command, check, why)


def audit(topology: str, workload: Workload, *, check: bool = True, progress: bool = False, **options: Any) -> Audit:
    """Count loads and look for deadlocks without a simulation."""
    with _Workload(workload) as words:
        found, status, command = call(["audit", topology, words], options, progress)
    return _judge(Audit(found[0]), status, command, check)


def plan(topology: str, workload: str, *, check: bool = True, progress: bool = False, **options: Any) -> Plan:
    """Rank all algorithms for a permutation."""
    found, status, command = call(["plan", topology, workload], options, progress)
    return _judge(Plan(found[0]), status, command, check)


def sweep(topology: str, workload: str, *, check: bool = True, progress: bool = False, **options: Any) -> Sweep:
    """Measure curves of latency and accepted load: `sweep("torus:8x8", "uniform:m=8", vary={"vcs": [2, 4]})`."""
    found, status, command = call(["sweep", topology, workload], options, progress)
    return _judge(Sweep(found[0]), status, command, check)


def sweep_points(topology: str, workload: str, *, check: bool = True, progress: bool = False,
                 **options: Any) -> Generator[Point, None, Sweep]:
    """The points of a sweep, each as soon as it is measured, in that order: `variant` names the curve.

    What `sweep` returns is the value of the generator (`result = yield from sweep_points(...)`). Closing the generator
    ends the sweep.
    """
    ours, theirs = os.pipe()
    with os.fdopen(ours, encoding="utf-8") as lines:
        words = ["sweep", topology, workload, "--format=json", f"--follow=/dev/fd/{theirs}", *arguments(options)]
        try:
            process = Process(words, progress, [theirs])
        finally:
            os.close(theirs)
        with process:
            for line in lines:
                yield Point(json.loads(line))
            status = process.finish()
            result = Sweep(process.records(status)[0])
    return _judge(result, status, process.command, check)


def regress(baseline: Optional[str] = None, *, check: bool = True, progress: bool = False, **options: Any) -> Regression:
    """Run a baseline and compare with its results; without a name, the one that comes with ecube."""
    found, status, command = call(["regress", *([baseline] if baseline else [])], options, progress)
    result = Regression(found[0])
    changed = [f"line {row.line}: {row.run}: {row.change}" for row in result.rows if row.change not in ("same", None)]
    return _judge(result, status, command, check, "; ".join(changed[:3]))


def tile_check(*topologies: str, check: bool = True, progress: bool = False, **options: Any) -> TileCheck:
    """Try a router against the contract: `tile_check("mesh:4x4", rtl="my.sv", top="my_router")`."""
    found, status, command = call(["tile", "check", *topologies], options, progress)
    result = TileCheck({"modes": found})
    breach = result.breach()
    return _judge(result, status, command, check, f"{breach.topology} {breach.router}: {breach.reason}" if breach else "")
