# SPDX-License-Identifier: Apache-2.0
"""GOAL schedules, the text format of LogGOPSim and ATLAHS, as traces (docs/PYTHON.md).

    python3 -m ecube.goal FILE.goal TRACE.csv --bytes 8 --calc 10

writes a trace that `ecube run TOPOLOGY trace:file=TRACE.csv` plays. The grammar is that of LogGOPSim's txt2bin.
"""
import argparse
import re
import sys
from collections import defaultdict, deque
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import DefaultDict, Deque, Dict, List, NoReturn, Optional, Tuple, Union

from .trace import Trace

_OPERATION = re.compile(
    r"(?:(?P<label>[a-zA-Z]\w*)\s*:\s*)?"
    r"(?:(?P<kind>send|recv)\s+(?P<size>\d+)\s*b\s+(?P<way>to|from)\s+(?P<peer>-?\d+)(?:\s+tag\s+(?P<tag>-?\d+))?"
    r"|calc\s+(?P<calc>\d+))(?:\s+cpu\s+\d+)?(?:\s+nic\s+(?P<nic>\d+))?", re.ASCII)
_NEED = re.compile(r"([a-zA-Z]\w*)\s+(i?requires)\s+([a-zA-Z]\w*)", re.ASCII)
_FORMS = "'send Nb to RANK tag T', 'recv Nb from RANK tag T' or 'calc N', or 'LABEL requires LABEL' or 'LABEL irequires LABEL'"


class _Operation:
    def __init__(self, kind: str, line: int, rank: int, size: int, peer: int, tag: int):
        self.kind, self.line, self.rank, self.size, self.peer, self.tag = kind, line, rank, size, peer, tag
        self.ends: List["_Operation"] = []  # that it requires
        self.starts: List["_Operation"] = []  # that it irequires
        self.send: Optional["_Operation"] = None  # of a recv
        self.number = self.start = self.sent = 0  # rows of the trace: itself, its start, the end of its sending; 0: none


class _Reader:
    def __init__(self, path: Union[str, Path], word: int, cycle: int):
        self.path, self.word, self.cycle, self.line = path, word, cycle, 0
        self.ranks, self.rank = 0, -1
        self.begun: Dict[int, int] = {}  # line of each rank
        self.operations: List[_Operation] = []
        self.labels: Dict[str, _Operation] = {}  # of this rank

    def fail(self, what: str, line: int = 0) -> NoReturn:
        raise ValueError(f"{self.path}:{line or self.line}: {what}")

    def read(self) -> None:
        text = Path(self.path).read_text(encoding="utf-8", errors="replace")
        text = re.sub(r"/\*.*?\*/", lambda comment: "\n" * comment.group().count("\n") or " ", text, flags=re.DOTALL)
        for self.line, row in enumerate(text.split("\n"), 1):
            parts = [part.strip() for part in re.split(r"([{}]|^\s*num_ranks\s+\d+)", row.split("//")[0]) if part.strip()]
            while parts:
                self.statement(parts)
        if self.rank >= 0:
            self.fail(f"rank {self.rank} has no end: expected '}}'", self.begun[self.rank])
        if not self.operations:
            self.fail("no operations: expected num_ranks N, then for each rank 'rank R {', operations, '}'", 1)

    def statement(self, parts: List[str]) -> None:
        """Take a statement from the parts of a line."""
        part = parts.pop(0)
        if self.rank >= 0 and part == "}":
            self.rank = -1
        elif self.rank >= 0:
            if parts:
                self.fail(f"'{parts[0]}' behind '{part}': expected one operation a line")
            self.operation(part)
        elif (count := re.fullmatch(r"num_ranks\s+0*([1-9]\d*)", part)) and not self.ranks:
            self.ranks = int(count[1])
        elif (rank := re.fullmatch(r"rank\s+(\d+)", part)) and self.ranks and parts and parts.pop(0) == "{":
            self.rank, self.labels = self.inside(int(rank[1]), "rank"), {}
            if self.begun.setdefault(self.rank, self.line) != self.line:
                self.fail(f"rank {self.rank} is in line {self.begun[self.rank]}, too: expected each rank once")
        else:
            self.fail(f"'{part}': expected {'rank R {' if self.ranks else 'num_ranks N, with N > 0,'} here")

    def inside(self, rank: int, what: str) -> int:
        if rank >= self.ranks:
            self.fail(f"{what} {rank}: expected 0 to {self.ranks - 1}, as num_ranks is {self.ranks}")
        return rank

    def operation(self, text: str) -> None:
        found = _OPERATION.fullmatch(text)
        if not found or found["way"] != {"send": "to", "recv": "from"}.get(found["kind"]):
            self.need(text)
            return
        if "-" in (found["peer"] or "") + (found["tag"] or ""):
            self.fail(f"'{text}': a trace cannot receive from any source or with any tag (-1): name them")
        if int(found["nic"] or 0):
            self.fail(f"nic {found['nic']}: a node of a trace has one network interface: expected nic 0")
        peer = self.inside(int(found["peer"]), "peer") if found["peer"] else self.rank
        x = _Operation(found["kind"] or "calc", self.line, self.rank, 0, peer, int(found["tag"] or 0))
        x.size = self.scale(x.kind, int(found["size"] or found["calc"]))
        self.operations.append(x)
        if found["label"] and self.labels.setdefault(found["label"], x) is not x:
            self.fail(f"label {found['label']} is in line {self.labels[found['label']].line}, too: expected another one")

    def scale(self, kind: str, size: int) -> int:
        """Cycles of work, words of a message."""
        option, unit, least, most = ("calc", self.cycle, 0, 2**32 - 1) if kind == "calc" else ("bytes", self.word, 1, 2**24)
        scaled = max(-(-size // unit), least)
        if scaled > most:
            self.fail(f"{kind} {size}: expected at most {most} times {unit}: use a larger unit, {option}")
        return scaled

    def need(self, text: str) -> None:
        found = _NEED.fullmatch(text)
        if not found:
            self.fail(f"'{text}': expected an operation, {_FORMS}")
        for label in found[1], found[3]:
            if label not in self.labels:
                self.fail(f"rank {self.rank} has no label {label} above this line")
        x, y = self.labels[found[1]], self.labels[found[3]]
        (x.ends if found[2] == "requires" else x.starts).append(y)

    def match(self) -> None:
        """Recv number k of a source, destination and tag gets the message of send number k."""
        queues: DefaultDict[Tuple[int, int, int], Deque[_Operation]] = defaultdict(deque)
        for x in self.operations:
            if x.kind == "send":
                queues[x.rank, x.peer, x.tag].append(x)
        for x in self.operations:
            if x.kind == "recv":
                queue = queues[x.peer, x.rank, x.tag]
                if not queue:
                    self.fail(f"recv from {x.peer}, tag {x.tag}: no send of that rank matches it", x.line)
                x.send = queue.popleft()
                if x.send.size != x.size:
                    self.fail(f"recv of {x.size} words from {x.peer}: its send in line {x.send.line} has {x.send.size}", x.line)
        for x in (x for queue in queues.values() for x in queue):
            self.fail(f"send to {x.peer}, tag {x.tag}: no recv of that rank matches it", x.line)

    def check_circles(self) -> None:
        """Every operation has a start, 0, and an end, 1."""
        graph: Dict[Tuple[int, int], List[Tuple[int, int]]] = {}
        for x in self.operations:
            graph[x.line, 0] = [(y.line, 1) for y in x.ends] + [(y.line, 0) for y in x.starts]
            graph[x.line, 1] = [(x.line, 0)] + ([(x.send.line, 1)] if x.send else [])
        try:
            TopologicalSorter(graph).prepare()
        except CycleError as error:
            lines = list(dict.fromkeys(line for line, _ in error.args[1]))
            self.fail(f"operations wait for each other: those of the lines {', '.join(map(str, lines))}", lines[0])

    def trace(self) -> Trace:
        """Work without a length stands for a recv that waits for more than its message, for starts and for ends of sends."""
        trace = Trace()
        for x in self.operations:
            if x.kind == "send":
                x.number = trace.send(x.rank, x.peer, x.size)
            elif x.kind == "calc" or x.ends or x.starts:
                x.number = trace.work(x.rank, x.size if x.kind == "calc" else 0)
        for x in self.operations:
            for y in x.starts:
                y.start = y.start or (trace.work(y.rank, 0) if y.ends or y.starts else 0)
            for y in x.ends:
                y.sent = y.sent or (trace.work(y.rank, 0, behind=y.number) if y.kind == "send" else 0)
        for x in self.operations:
            after = [y.start for y in x.starts if y.start]
            after += [y.sent or y.number or (y.send.number if y.send else 0) for y in x.ends]
            if x.start:
                trace.wait(x.start, after)
            if x.number:
                trace.wait(x.number, after + ([x.send.number] if x.send else []))
        return trace


def read_goal(path: Union[str, Path], *, bytes: int = 1, calc: int = 1) -> Trace:
    """The schedule in a file as a trace; rank r is node r. ValueError: the file is wrong, with its line.

    A word has `bytes` bytes, and a cycle is `calc` units of calc. Both are rounded up; a message has at least one word.
    """
    if bytes < 1 or calc < 1:
        raise ValueError(f"bytes={bytes}, calc={calc}: expected whole numbers from 1 on")
    reader = _Reader(path, bytes, calc)
    reader.read()
    reader.match()
    reader.check_circles()
    return reader.trace()


def _main() -> int:
    parser = argparse.ArgumentParser(prog="python3 -m ecube.goal", description="Write a GOAL schedule as a trace of ecube.")
    parser.add_argument("file", help="the schedule")
    parser.add_argument("trace", help="the trace to write, for trace:file=TRACE")
    parser.add_argument("--bytes", type=int, default=1, help="bytes of a word (default 1)")
    parser.add_argument("--calc", type=int, default=1, help="units of calc in a cycle (default 1)")
    options = parser.parse_args()
    try:
        read_goal(options.file, bytes=options.bytes, calc=options.calc).save(options.trace)
    except (OSError, ValueError) as error:
        print(f"ecube.goal: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(_main())
