# SPDX-License-Identifier: Apache-2.0
"""Finds and starts the program. Knows arguments, exit statuses and pipes; must not know what a result means."""
import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Dict, List, Mapping, Sequence

INTERRUPTED = 130
_decoder = json.JSONDecoder()


class Error(Exception):
    """ecube refused its input, lacks a tool, or was interrupted.

    `status` is the exit status (docs/OUTPUT.md), `command` the argument list.
    """

    def __init__(self, message: str, status: int, command: Sequence[str]):
        super().__init__(message)
        self.status = status
        self.command = list(command)


class VerdictError(Error):
    """ecube finished, and the verdict is bad: a failed check, a deadlock, no steady state, a changed row, ...

    `result` is what the function returns with check=False.
    """

    result: Any = None


def program() -> str:
    """The program: $ECUBE, or `ecube` beside this package, or on PATH."""
    named = os.environ.get("ECUBE")
    if named:
        return named
    here = Path(__file__).resolve().parent
    for beside in (here / "bin" / "ecube", here.parents[3] / "build" / "harness" / "program" / "ecube"):
        if os.access(beside, os.X_OK):
            return str(beside)
    found = shutil.which("ecube")
    if not found:
        raise Error("no program 'ecube' on PATH: install it, or set ECUBE to its path", 5, ["ecube"])
    return found


def _values(value: Any) -> List[str]:
    """The words of an option: one for each time that it is given."""
    if isinstance(value, Mapping):
        return [f"{key}={_joined(part)}" for key, part in value.items()]
    if isinstance(value, (list, tuple)):
        return [str(part) for part in value]
    return [str(value)]


def _joined(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


# Options whose values make one word; those of all others are repeated.
_ONE_WORD = {"router", "rates", "rtl"}


def arguments(options: Mapping[str, Any]) -> List[str]:
    """Options of the command line: `wave_nodes="all"` is --wave-nodes=all.

    True is an option without value; False and None leave it out. A list repeats the option (`parameter=[...]`), a dict
    gives KEY=VALUE for each entry. Those of `router` make one word, `vary={"vcs": [2, 4]}` is --vary=vcs=2,4.
    """
    words = []
    for name, value in options.items():
        option = "--" + name.rstrip("_").replace("_", "-")
        if value is True:
            words.append(option)
        elif value is not None and value is not False:
            values = _values(value)
            values = [",".join(values)] if name in _ONE_WORD else values
            words += [f"{option}={one}" for one in values]
    return words


class Process:
    """The program with its output in temporary files, so that no pipe can fill up. Ends with the `with` block."""

    def __init__(self, words: Sequence[str], progress: bool, pass_fds: Sequence[int] = ()):
        self.command = [program(), *words]
        self._out = tempfile.TemporaryFile()
        self._err = None if progress else tempfile.TemporaryFile()
        try:
            self._process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=self._out, stderr=self._err,
                                             pass_fds=tuple(pass_fds))
        except OSError as error:
            self._close()
            raise Error(f"cannot start '{self.command[0]}': {error.strerror}", 5, self.command) from error

    def __enter__(self) -> "Process":
        return self

    def __exit__(self, *_: Any) -> None:
        if self._process.poll() is None:  # an exception: the program removes what is incomplete
            self._process.terminate()
            self._process.wait()
        self._close()

    def _close(self) -> None:
        for file in (self._out, self._err):
            if file:
                file.close()

    def finish(self) -> int:
        """Wait for the end; the exit status."""
        return self._process.wait()

    def records(self, status: int) -> List[Dict[str, Any]]:
        """The JSON objects of the output. Error: there is no whole result."""
        self._out.seek(0)
        text = self._out.read().decode("utf-8", "replace").strip()
        found, at = [], 0
        while at < len(text) and status not in (2, 5, INTERRUPTED) and status >= 0:
            try:
                record, at = _decoder.raw_decode(text, at)
            except json.JSONDecodeError:
                break
            found.append(record)
            at += len(text[at:]) - len(text[at:].lstrip())
        if not found or at < len(text):
            raise self.error(status)
        return found

    def message(self) -> str:
        """The last message; with progress=True the user has seen it."""
        if not self._err:
            return "see the message on standard error"
        self._err.seek(0)
        lines = self._err.read().decode("utf-8", "replace").splitlines()
        messages = [line[len("ecube: "):] for line in lines if line.startswith("ecube: ")]
        return messages[-1] if messages else (lines[-1] if lines else "no message")

    def error(self, status: int) -> Error:
        if status < 0:
            return Error(f"ecube was killed by signal {-status}", status, self.command)
        return Error(self.message(), status, self.command)


def call(words: Sequence[str], options: Mapping[str, Any], progress: bool) -> "tuple[List[Dict[str, Any]], int, List[str]]":
    """Run a command with --format json: its objects, its exit status, and its argument list."""
    with Process([*words, "--format=json", *arguments(options)], progress) as process:
        status = process.finish()
        return process.records(status), status, process.command
