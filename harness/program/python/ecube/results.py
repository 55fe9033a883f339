# SPDX-License-Identifier: Apache-2.0
"""Results: objects whose attributes are the keys of ecube's JSON, which docs/output/ defines.

The classes declare the keys that are used most, with their types; all others are attributes as well. Cycles begin at 1;
rates and loads are in flits per node and cycle, latencies in cycles. What does not apply, or was not measured, is None.
"""
import importlib
from typing import Any, Dict, Iterator, List, Optional, get_args, get_type_hints


class Record:
    """One JSON object."""

    def __init__(self, data: Dict[str, Any]):
        self._data = data
        for key, value in data.items():
            setattr(self, key, _convert(value, get_type_hints(type(self)).get(key)))

    def __getattr__(self, name: str) -> Any:  # only for what is not there
        raise AttributeError(f"this {type(self).__name__} has no '{name}'; its keys: {', '.join(self.__dict__.get('_data', ()))}")

    def __repr__(self) -> str:
        plain = {key: value for key, value in self._data.items() if not isinstance(value, (dict, list))}
        return f"{type(self).__name__}({', '.join(f'{key}={value!r}' for key, value in plain.items() if value is not None)})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and self._data == other._data

    __hash__ = None  # type: ignore[assignment]

    def to_dict(self) -> Dict[str, Any]:
        """The JSON object itself."""
        return self._data

    def table(self) -> List[Dict[str, Any]]:
        """The rows of to_pandas(): without lists, and with a column OBJECT_KEY for each key of an object, as in CSV."""
        return [_flat(self._data)]

    def to_pandas(self) -> Any:
        """A pandas.DataFrame of table()."""
        pandas = importlib.import_module("pandas")
        return pandas.DataFrame(self.table())


def _flat(data: Dict[str, Any]) -> Dict[str, Any]:
    row: Dict[str, Any] = {}
    for key, value in data.items():
        if isinstance(value, dict):
            row.update({f"{key}_{inner}": part for inner, part in _flat(value).items()})
        elif not isinstance(value, list):
            row[key] = value
    return row


def _convert(value: Any, hint: Any) -> Any:
    """Objects become records, of the class that `hint` names (also inside Optional and List)."""
    classes = [kind for kind in _leaves(hint) if isinstance(kind, type) and issubclass(kind, Record)]
    if isinstance(value, dict):
        return (classes[0] if classes else Record)(value)
    if isinstance(value, list):
        return [_convert(part, hint) for part in value]
    return value


def _leaves(hint: Any) -> Iterator[Any]:
    if not get_args(hint):
        yield hint
    for part in get_args(hint):
        yield from _leaves(part)


class Latency(Record):
    """Cycles from the creation of a message to the arrival of a packet's tail."""

    mean: float
    p50: int
    p95: int
    p99: int
    max: int


class Check(Record):
    """What a run checked: `verdict` is pass, fail or none (not checked)."""

    name: str
    verdict: str
    detail: str


class Run(Record):
    """A run of one workload (docs/output/run.md)."""

    topology: str
    nodes: int
    workload: str
    router: str
    verdict: str
    checks: List[Check]
    cycles: Optional[int]
    predicted_cycles: Optional[int]
    words: int
    packets: int
    contended_cycles: Optional[int]
    max_link_load: Optional[int]
    latency: Optional[Latency]
    accepted: Optional[float]
    offered: Optional[float]
    steady: Optional[str]
    outcome: str
    digest: str
    deadlock_possible: str
    command: str
    links: List[Record]

    def failures(self) -> List[Check]:
        """The checks that failed."""
        return [check for check in self.checks if check.verdict == "fail"]


class Point(Record):
    """A point of a curve: the mean latency at an offered rate (docs/output/sweep.md)."""

    rate: float
    load: Optional[float]
    state: str
    accepted: Optional[float]
    accepted_half_width: Optional[float]
    latency: Optional[float]
    latency_half_width: Optional[float]
    p50: Optional[float]
    p99: Optional[float]
    command: str


class Curve(Record):
    """A curve of latency and accepted load, with its saturation."""

    variant: str
    parameters: Record
    bound: Optional[float]
    zero_load: Optional[float]
    backlog_low: Optional[float]
    backlog_high: Optional[float]
    latency_low: Optional[float]
    latency_high: Optional[float]
    deadlock_possible: str
    points: List[Point]

    def table(self) -> List[Dict[str, Any]]:
        head = _flat(self._data)
        return [{**head, **_flat(point)} for point in self._data["points"]]


class Sweep(Record):
    """All curves of a sweep."""

    verdict: str
    command: str
    curves: List[Curve]

    def table(self) -> List[Dict[str, Any]]:
        return [row for curve in self.curves for row in curve.table()]


class Audit(Record):
    """What holds without a simulation: loads, congestion, deadlock freedom (docs/output/audit.md)."""

    verdict: str
    congestion_free: Optional[bool]
    deadlock_free: bool
    max_link_load: Optional[int]
    max_hops: Optional[int]
    predicted_cycles: Optional[int]
    bound_rate: Optional[float]
    witness: Optional[Record]
    waiting_cycle: Optional[List[Record]]


class Plan(Record):
    """All algorithms for a permutation, the fastest first (docs/output/plan.md)."""

    verdict: str
    workload: str
    rows: List[Record]

    def table(self) -> List[Dict[str, Any]]:
        return [_flat(row) for row in self._data["rows"]]


class RegressionRow(Record):
    """A row of a baseline, and what changed."""

    line: int
    run: str
    change: Optional[str]
    verdict: str
    cycles: Optional[int]
    cycles_was: Optional[int]
    ratio: Optional[float]


class Regression(Record):
    """What changed against a baseline (docs/output/regress.md)."""

    baseline: str
    verdict: str
    runs: int
    done: int
    same: int
    failing: int
    rows: List[RegressionRow]

    def table(self) -> List[Dict[str, Any]]:
        return [_flat(row) for row in self._data["rows"]]


class TileMode(Record):
    """A mode in which a router was tried: it `serves`, `lacks` it, `breaks` the contract, or was `not-tried`."""

    topology: str
    router: str
    verdict: str
    reason: Optional[str]
    scenario: Optional[str]
    command: str


class TileCheck(Record):
    """A router against the contract (docs/output/tile.md): one mode for each line of the output."""

    modes: List[TileMode]

    def breach(self) -> Optional[TileMode]:
        """The mode in which the router breaks the contract."""
        return next((mode for mode in self.modes if mode.verdict == "breaks"), None)

    def table(self) -> List[Dict[str, Any]]:
        return [_flat(mode) for mode in self._data["modes"]]
