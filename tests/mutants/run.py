# SPDX-License-Identifier: Apache-2.0
"""Mutation score of the C sources: each mutant is compiled with sanitizers, linked into the programs that judge it, and
must fail one of them. The build is only read: everything is written into a folder of its own (--work), from which an
interrupted run goes on.

run.py SOURCE BUILD LIBDIR [--list NAME]... [--count N] [--seed S] [--slice K/N] [--quick] [--retry] [--update]

Status 1: the score of a list is below the stored one (c-scores.txt), or with --quick below 50 %."""
import argparse
import hashlib
import json
import math
import os
import random
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import mutate

HERE = Path(__file__).resolve().parent
SANITIZE = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
WAITED = 30  # a judge may take so many times its limit of processor time: the machine may be busy, or the judge asleep


def processor_time():
    """Of the children that have ended, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def words_of(name):
    """The lines of a table here, as words, without comments."""
    for line in (HERE / name).read_text().splitlines():
        if line and not line.startswith("#"):
            yield line.split()


def file_lists():
    return {words[0]: ["harness/" + word for word in words[1:]] for words in words_of("lists.txt")}


def equivalents():
    """{(file, function, was, is)}: the mutants that a reviewer proved equal to the original."""
    known = set()
    for record in (HERE / "equivalent.txt").read_text().split("\n\n"):
        lines = [line for line in record.splitlines() if line and not line.startswith("#")]
        if lines:
            fields = {line.split(" ", 1)[0]: line.split(" ", 1)[1] for line in lines}
            known.add((fields["file"], fields["function"], fields["-"], fields["+"]))
    return known


class Case:
    """One mutant of one file."""

    def __init__(self, source, file, text, mutant):
        self.file, self.mutant = file, mutant
        self.was, self.new = mutate.lines_of(text, mutant)
        self.place = f"{file}:{mutant.line}"
        self.code = mutate.applied(text, mutant)
        self.key = hashlib.sha256(f"{file}\n{self.code}".encode()).hexdigest()[:16]
        self.original = source / file

    def record(self):
        return (self.file, self.mutant.function, self.was, self.new)


def chosen(source, files, count, seed):
    """`count` mutants, as many of each file as its share of all, in an order that is a function of the seed."""
    everything = {file: mutate.mutants((source / file).read_text()) for file in files}
    total = sum(len(m) for m in everything.values())
    cases = []
    for file, found in everything.items():
        share = min(len(found), max(2, round(count * len(found) / total)))
        draw = random.Random(f"{seed} {file}")
        text = (source / file).read_text()
        cases += [Case(source, file, text, mutant) for mutant in draw.sample(found, share)]
    random.Random(seed).shuffle(cases)
    return cases


class Bench:
    """The private copy of the build: compiles, links and runs."""

    def __init__(self, source, build, libdir, work):
        self.source, self.build, self.libdir, self.work = source, build, libdir, work
        self.commands = json.loads((build / "compile_commands.json").read_text())
        self.links = {}
        self.judges = [words[1:] for words in words_of("judges.txt")]
        self.of_list = {" ".join(words[1:]): words[0] for words in words_of("judges.txt")}
        self.lists = {file: name for name, files in file_lists().items() for file in files}
        self.seconds = {}
        self.program = work / "tree" / "bin" / "ecube"
        self.environment = dict(
            os.environ,
            ECUBE_CACHE=str(work / "cache"),
            ECUBE_DATA=str(source),
            TEST_SHARED_CACHE=str(work / "cache"),
            TEST_SOURCE_ROOT=str(source),
            TEST_KEPT_CACHE=str(work / "kept"),
            TMPDIR=str(work / "tmp"),
            LD_LIBRARY_PATH=str(build / "model/systemc"),
            ASAN_OPTIONS="allocator_may_return_null=1:detect_leaks=1",
            MALLOC_PERTURB_="165",
        )

    def prepare(self):
        """Once for a folder: its tree, the cache of shapes, and the library with sanitizers."""
        work = self.work
        for folder in ("kept", "tmp", "library", "tree/bin", "tree/share", f"tree/{self.libdir}/ecube",
                       "tree/harness/program", "tree/model/systemc"):
            (work / folder).mkdir(parents=True, exist_ok=True)
        if not (work / "cache").exists():
            subprocess.run(["cp", "-al", self.build / "tile-cache", work / "cache"], check=True)
        module = self.build / "model/systemc/systemc-backend.so"
        for at, target in (("tree/share/ecube", self.source), (f"tree/{self.libdir}/ecube/systemc-backend.so", module),
                           ("tree/model/systemc/systemc-backend.so", module), ("tree/harness/program/ecube", self.program)):
            if not (work / at).is_symlink():
                (work / at).symlink_to(target)
        self.library()

    def library(self):
        """The sanitized objects of the library; those that are up to date stay."""
        objects = []
        for entry in self.commands:
            if not entry["output"].startswith("harness/libecube.a.p/"):
                continue
            path = self.work / "library" / Path(entry["output"]).name
            original = (self.build / entry["file"]).resolve()
            # The build's own object is newer when a header has changed.
            if not path.exists() or path.stat().st_mtime < (self.build / entry["output"]).stat().st_mtime:
                if self.compile(entry, original, path, SANITIZE + ["-O1"]):
                    raise SystemExit(f"{original} cannot be compiled")
            objects.append(path)
        archive = self.work / "libecube.a"
        archive.unlink(missing_ok=True)
        subprocess.run(["ar", "crsT", archive, *objects], check=True)

    def compile(self, entry, original, result, options, code=None):
        """0 if it compiles. The text is `code`, else that of the file."""
        words = shlex.split(entry["command"])
        words = words[words.index("cc") if "cc" in words else 0:words.index("-MD")]
        if code is not None:
            copy = self.work / "changed" / original.name
            copy.parent.mkdir(exist_ok=True)
            copy.write_text(code)
        words += ["-iquote", str(original.parent), "-w", "-Werror=incompatible-pointer-types", "-Werror=int-conversion",
                  "-Werror=implicit-function-declaration", *options, "-o", str(result), "-c",
                  str(copy if code is not None else original)]
        return subprocess.run(words, cwd=self.build, stderr=subprocess.DEVNULL).returncode

    def entry(self, file):
        return next(e for e in self.commands if e["output"].startswith("harness/libecube.a.p/")
                    and (self.build / e["file"]).resolve() == self.source / file)

    def link(self, target, extra, result):
        if target not in self.links:
            told = subprocess.run(["ninja", "-t", "commands", target], cwd=self.build, capture_output=True, text=True,
                                  check=True)
            self.links[target] = shlex.split(told.stdout.splitlines()[-1])
        words = [str(self.work / "libecube.a") if w == "harness/libecube.a" else w for w in self.links[target]]
        at = words.index("-o")
        words[at + 1:at + 2] = [str(result), *map(str, extra)]
        return subprocess.run(words + SANITIZE, cwd=self.build, stderr=subprocess.DEVNULL).returncode

    def run(self, judge, extra, limit):
        """The status of one judge with the objects `extra` in place of those of the library; None: too slow."""
        name, *arguments = judge
        for word, path in (("PROGRAM", self.program), ("SOURCE", self.source), ("BUILD", self.work / "tree"),
                           ("LIBDIR", self.libdir)):
            name = name.replace(word, str(path))
            arguments = [a.replace(word, str(path)) for a in arguments]
        own = name.startswith("tests/")
        binary = self.work / "judge" if own else self.program
        if own or not self.linked:
            if self.link(name if own else "harness/program/ecube", extra, binary):
                raise SystemExit(f"{name} cannot be linked")  # a full disk kills no mutant
            self.linked = not own or self.linked
        words = [str(binary), *arguments] if own or name == "ecube" else ["bash", name, *arguments]
        before = processor_time()

        def confine():
            resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 28, 1 << 28))
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))

        with open(self.work / "out", "wb") as out:
            child = subprocess.Popen(words, cwd=self.work / "tmp", env=self.environment, stdin=subprocess.DEVNULL,
                                     stdout=out, stderr=subprocess.STDOUT, start_new_session=True, preexec_fn=confine)
        try:
            status = child.wait(WAITED * limit)
        except subprocess.TimeoutExpired:
            status = None
        try:
            os.killpg(child.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        child.wait()
        self.spent = processor_time() - before
        if status == -signal.SIGKILL:  # the limit of processor time sends SIGXCPU
            raise SystemExit(f"'{' '.join(judge)}' was killed from outside; start again to go on")
        if status == 0 and b"\nnot ok" in (self.work / "out").read_bytes():
            status = 1
        return status

    def baseline(self, quick):
        """Every judge must pass the sound program; its time is the measure of those that hang."""
        self.linked = False
        if quick:
            self.judges = [j for j in self.judges if j[0].startswith("tests/unit/")]
        told = self.work / "baseline.json"
        newest = max(p.stat().st_mtime for p in (self.work / "library").iterdir())
        known = json.loads(told.read_text()) if told.exists() and told.stat().st_mtime > newest else {}
        self.seconds.update(known)
        for judge in self.judges:
            name = " ".join(judge)
            if name in known:
                continue
            status = self.run(judge, [], 600)
            if status != 0:
                print((self.work / "out").read_text(errors="replace")[-2000:])
                raise SystemExit(f"without a mutant, '{name}' ends with {status}")
            self.seconds[name] = self.spent
            told.write_text(json.dumps(self.seconds))

    def ordered(self, file, kills):
        """Those that judge mutants of the file: first the cheap ones and those that killed some before."""
        def cost(judge):
            return self.seconds[" ".join(judge)] / (1 + kills.get(" ".join(judge), 0))

        own = ("*", self.lists[file])
        return sorted((judge for judge in self.judges if self.of_list[" ".join(judge)] in own), key=cost)

    def judged(self, case, kills):
        """'broken', 'same', the judge that fails, or 'survives'."""
        entry, mutant = self.entry(case.file), self.work / "mutant.o"
        if self.compile(entry, case.original, mutant, SANITIZE + ["-O1"], case.code):
            return "broken"
        same = None
        self.linked = False
        for judge in self.ordered(case.file, kills):
            name = " ".join(judge)
            if same is None and self.seconds[name] > 0.3:
                same = self.same(entry, case)
                if same:
                    return "same"
            status = self.run(judge, [mutant], math.ceil(5 * self.seconds[name]) + 1)
            if status != 0:
                return name
            shutil.rmtree(self.work / "tmp", ignore_errors=True)
            (self.work / "tmp").mkdir(exist_ok=True)
        return "same" if same is None and self.same(entry, case) else "survives"

    def same(self, entry, case):
        """Does the compiler make the same object of it?"""
        results = []
        for name, code in (("sound.o", case.original.read_text()), ("changed.o", case.code)):
            self.compile(entry, case.original, self.work / name, ["-O2", "-g0"], code)
            results.append((self.work / name).read_bytes())
        return results[0] == results[1]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path)
    parser.add_argument("build", type=Path)
    parser.add_argument("libdir")
    parser.add_argument("--list", action="append", help="only this list of lists.txt; can be repeated")
    parser.add_argument("--count", type=int, default=400, help="mutants of all lists (default: 400)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--slice", default="0/1", help="K/N: every N-th mutant from the K-th on")
    parser.add_argument("--quick", action="store_true", help="unit tests judge alone")
    parser.add_argument("--retry", action="store_true", help="judge those again that survived")
    parser.add_argument("--update", action="store_true", help="store the scores")
    parser.add_argument("--work", type=Path, help="the folder (default: BUILD/tests/mutants/work)")
    return parser.parse_args()


def load(path):
    if not path.exists():
        return {}
    return {row["key"]: row for row in map(json.loads, path.read_text().splitlines())}


def judge_all(bench, cases, log, retry):
    """{key: verdict} of the cases; what is new goes to the log."""
    old = load(log)
    done = {key: row["verdict"] for key, row in old.items() if not (retry and row["verdict"] == "survives")}
    kills = {}
    for row in old.values():
        by = kills.setdefault(row["file"], {})
        by[row["verdict"]] = by.get(row["verdict"], 0) + 1
    with log.open("a") as out:
        for i, case in enumerate(cases):
            if case.key in done:
                continue
            by = kills.setdefault(case.file, {})
            started = time.monotonic()
            verdict = bench.judged(case, by)
            by[verdict] = by.get(verdict, 0) + 1
            done[case.key] = verdict
            row = {"key": case.key, "file": case.file, "verdict": verdict, "seconds": round(time.monotonic() - started, 2)}
            out.write(json.dumps(row) + "\n")
            out.flush()
            print(f"{i + 1}/{len(cases)} {case.place} {case.mutant.operator}: {verdict} ({row['seconds']} s)", flush=True)
            if verdict == "survives":
                print(f"    in {case.mutant.function}\n    - {case.was}\n    + {case.new}", flush=True)
    return done


def summary(name, cases, done, known):
    """The counts of one list, and its survivors."""
    count = {"mutants": 0, "killed": 0, "equivalent": 0}
    survivors = []
    for case in cases:
        verdict = done[case.key]
        if verdict in ("broken", "same"):
            continue
        count["mutants"] += 1
        if verdict != "survives":
            count["killed"] += 1
        elif case.record() in known:
            count["equivalent"] += 1
        else:
            survivors.append(case)
    judged = count["mutants"] - count["equivalent"]
    score = 100 * count["killed"] / judged if judged else 100
    return f"{name} {count['mutants']} {count['killed']} {count['equivalent']} {score:.1f}", score, survivors


def main():
    options = arguments()
    source, build = options.source.resolve(), options.build.resolve()
    work = (options.work or build / "tests/mutants/work").resolve()
    bench = Bench(source, build, options.libdir, work)
    lists = {name: files for name, files in file_lists().items() if not options.list or name in options.list}
    every = [file for files in file_lists().values() for file in files]
    first, step = map(int, options.slice.split("/"))
    cases = [c for c in chosen(source, every, options.count, options.seed)
             if any(c.file in files for files in lists.values())][first::step]
    bench.prepare()
    bench.baseline(options.quick)
    print(f"{len(cases)} mutants, {len(bench.judges)} judges of {sum(bench.seconds.values()):.1f} s", flush=True)
    done = judge_all(bench, cases, work / ("quick.jsonl" if options.quick else "log.jsonl"), options.retry)
    return report(options, lists, cases, done)


def report(options, lists, cases, done):
    stored = {words[0]: float(words[4]) for words in words_of("c-scores.txt")}
    known, rows, failed = equivalents(), [], False
    for name, files in lists.items():
        row, score, survivors = summary(name, [c for c in cases if c.file in files], done, known)
        rows.append(row)
        print(row)
        for case in survivors:
            print(f"survives: {case.place}, {case.mutant.function}()\n  - {case.was}\n  + {case.new}")
        least = 50 if options.quick else stored.get(name, 95)
        if score < least and not options.update:
            failed = True
            print(f"FAIL: {name} has {score:.1f} %, expected at least {least:.1f} %")
    if options.update:
        head = "# Written by run.py --update: list, mutants that count, killed, equivalent, score in percent."
        (HERE / "c-scores.txt").write_text("\n".join([head, *rows]) + "\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
