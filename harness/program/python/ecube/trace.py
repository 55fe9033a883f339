# SPDX-License-Identifier: Apache-2.0
"""Traces: messages that wait for others, as in an application (docs/WORKLOADS.md)."""
import csv
from pathlib import Path
from typing import Iterable, List, Optional, Union


class Trace:
    """Build a trace message by message; pass it to `run` or `audit` in place of a workload.

        trace = Trace()
        request = trace.send(0, 7, words=4)
        trace.send(7, 0, words=16, after=request, delay=20)
        ecube.run("cube:3", trace)
    """

    def __init__(self) -> None:
        self._rows: List[List[object]] = []

    def __len__(self) -> int:
        return len(self._rows)

    def send(self, source: int, destination: int, words: int = 1, *, cycle: int = 1,
             after: Union[int, Iterable[int]] = (), delay: int = 0, behind: Optional[int] = None) -> int:
        """Add a message of `words` words; its number, for `after` and `behind` of others.

        It does not start before `cycle` (from 1 on). `after`: these messages must have been delivered, and then `delay`
        cycles have passed. `behind`: the last word of this message of the same source must have been sent.
        """
        waits = self._known(after, behind)
        number = len(self._rows) + 1
        self._rows.append([cycle, source, destination, words, number, waits, delay, "" if behind is None else behind])
        return number

    def work(self, node: int, cycles: int, *, after: Union[int, Iterable[int]] = (), behind: Optional[int] = None) -> int:
        """Add work of a node, which sends nothing: its number, for `after` of messages and work of the same node."""
        return self.send(node, node, 0, after=after, delay=cycles, behind=behind)

    def wait(self, number: int, after: Union[int, Iterable[int]]) -> None:
        """Let message `number` wait for others, which may be later ones, and not for those that it waited for."""
        self._rows[number - 1][5] = self._known(after, number)

    def _known(self, after: Union[int, Iterable[int]], other: Optional[int]) -> str:
        waits = [after] if isinstance(after, int) else list(dict.fromkeys(after))
        for number in [*waits, *([] if other is None else [other])]:
            if not 1 <= number <= len(self._rows):
                raise ValueError(f"there is no message {number}: expected a number that send() returned")
        return " ".join(map(str, waits))

    def save(self, path: Union[str, Path]) -> None:
        """Write the file that `trace:file=PATH` reads."""
        with open(path, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["cycle", "source", "destination", "words", "id", "after", "delay", "behind"])
            writer.writerows(self._rows)
