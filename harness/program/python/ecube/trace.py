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
        waits = [after] if isinstance(after, int) else list(after)
        for number in [*waits, *([] if behind is None else [behind])]:
            if not 1 <= number <= len(self._rows):
                raise ValueError(f"there is no message {number}: expected a number that send() returned")
        number = len(self._rows) + 1
        self._rows.append([cycle, source, destination, words, number, " ".join(map(str, waits)), delay,
                           "" if behind is None else behind])
        return number

    def save(self, path: Union[str, Path]) -> None:
        """Write the file that `trace:file=PATH` reads."""
        with open(path, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["cycle", "source", "destination", "words", "id", "after", "delay", "behind"])
            writer.writerows(self._rows)
