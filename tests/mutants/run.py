# SPDX-License-Identifier: Apache-2.0
"""Mutation score of the C sources. A seeded sample of the mutants of each list (lists.txt) is judged by tests of the
usual suite (judges.txt); every mutant must fail one of them.

run.py SOURCE BUILD LIBDIR [--list NAME]... [--count N] [--seed S] [--retry] [--update] [--work FOLDER]

Without --count, --seed, --judge and --plain it repeats the samples whose scores are stored (c-scores.txt). What it has found is kept in
its folder, from which an interrupted run goes on. Status 1: the score of a list is below the stored one."""
import argparse
import fcntl
import functools
import json
import re
import signal
import sys
import time
from pathlib import Path

import bench
import mutate

HERE = Path(__file__).resolve().parent
SAMPLE = {"count": 150, "seed": 1}
SURVIVES = ("survives", "unreached")
LEAST = 95  # percent, of a list whose score is not stored
ROW = re.compile(r"(\S+) --count (\d+) --seed (\d+)((?: --judge \S+| --without \S+| --plain)*)"
                 r" = killed (\d+) of (\d+), equivalent (\d+), survive (\d+)")


def rows_of(name):
    """The lines of a table here, as words, without comments."""
    for line in (HERE / name).read_text().splitlines():
        if line and not line.startswith("#"):
            yield line.split()


def file_lists():
    return {words[0]: ["harness/" + word for word in words[1:]] for words in rows_of("lists.txt")}


def equivalents():
    """{(file, function, was, is)}: the mutants that a reviewer proved equal to the original. {(file, function)}: functions
    whose survivors all are, since they do nothing that can be seen; their mutants are judged nevertheless."""
    known = set()
    for record in (HERE / "equivalent.txt").read_text().split("\n\n"):
        lines = [line for line in record.splitlines() if line and not line.startswith("#")]
        if lines:
            fields = {line.split(" ", 1)[0]: line.split(" ", 1)[1] for line in lines}
            whole = "-" not in fields
            known.add((fields["file"], fields["function"]) + (() if whole else (fields["-"], fields["+"])))
    return known


def stored_scores():
    """{list: numbers of its row}"""
    rows = {}
    for words in rows_of("c-scores.txt"):
        found = ROW.fullmatch(" ".join(words))
        if not found:
            raise SystemExit(f"c-scores.txt: no score: {' '.join(words)}")
        names = ("count", "seed", "killed", "counted", "equivalent", "survive")
        rows[found[1]] = dict(zip(names, map(int, found.group(2, 3, 5, 6, 7, 8))), how=found[4])
    return rows


def as_stored(options, rows):
    """The options with which these scores were made, if the command names none of its own."""
    if not rows:
        return
    words = rows[0]["how"].split()
    options.plain = "--plain" in words
    options.judge = [word for flag, word in zip(words, words[1:]) if flag == "--judge"]
    options.without = [word for flag, word in zip(words, words[1:]) if flag == "--without"]


def percent(row):
    judged = row["counted"] - row["equivalent"]
    return 100 * row["killed"] / judged if judged else 100


class Case:
    """One mutant of one file."""

    def __init__(self, file, text, mutant):
        self.file, self.mutant, self.original = file, mutant, text
        self.was, self.new = mutate.lines_of(text, mutant)
        self.place = f"{file}:{mutant.line}"

    @functools.cached_property
    def code(self):
        return mutate.applied(self.original, self.mutant)

    @functools.cached_property
    def key(self):
        return bench.digest(self.file, self.code)

    def record(self):
        return (self.file, self.mutant.function, self.was, self.new)


def chosen(source, files, count, seed):
    """`count` mutants, as many of each file as its share of all, at least two. A function of the seed and of what the
    mutants say, not of their places: a change of one function leaves the sample of the others as it is, and a larger
    sample holds the smaller one."""
    everything = {}
    for file in files:
        text = (source / file).read_text()
        cases = [Case(file, text, mutant) for mutant in mutate.mutants(text)]
        everything[file] = sorted(cases, key=lambda c: (bench.digest(seed, *c.record()), c.mutant.start))
    total = sum(len(cases) for cases in everything.values())
    return [case for cases in everything.values() for case in cases[:max(2, round(count * len(cases) / total))]]


class Order:
    """Which judge is asked first: who kills the most mutants of the file in a second."""

    def __init__(self):
        self.tried, self.killed = {}, {}

    def note(self, file, judge, killed):
        self.tried[file, judge] = self.tried.get((file, judge), 0) + 1
        self.killed[file, judge] = self.killed.get((file, judge), 0) + killed

    def worth(self, file, judge, seconds):
        at = (file, judge)
        return (1 + self.killed.get(at, 0)) / (3 + self.tried.get(at, 0)) / (0.05 + seconds)


def judged(stand, case, order, passed, differs):
    """'broken', 'same', 'unreached', 'survives', or the judge that fails. `passed`: {judge: its program} of those that
    passed a mutant before, which are not asked again. `differs`: its object is known to differ, or need not be compared."""
    if case.key in stand.broken:
        return "broken"
    able = stand.able(case)
    able.sort(key=lambda j: -order.worth(case.file, " ".join(j), stand.seconds[" ".join(j)]))
    same, spent = False if differs else None, 0.0
    for judge in able:
        name = " ".join(judge)
        if passed.get(name) == stand.own(judge):
            continue
        if same is None and spent + stand.seconds[name] > 1.5:
            same = stand.same(case)
            if same:
                return "same"
        kills, seconds = stand.kills(judge, case)
        spent += seconds
        order.note(case.file, name, kills)
        if kills:
            return name
        passed[name] = stand.own(judge)
    if same is None and stand.same(case):
        return "same"
    return "survives" if able else "unreached"


def load(path):
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def judge_all(stand, cases, log, options):
    """{key: verdict} of the cases; what is new goes to the log."""
    order, done, passed, differ = Order(), {}, {}, set()
    for row in load(log):
        kills = row["verdict"] not in SURVIVES
        if row["state"] == stand.state or (options.retry and kills):
            done[row["key"]] = row["verdict"]
        if kills:
            order.note(row["file"], row["verdict"], 1)
        elif options.retry:
            passed.setdefault(row["key"], {}).update(row["passed"])
            differ |= {row["key"]} if row["differs"] else set()
    with log.open("a") as out:
        for i, case in enumerate(cases):
            if case.key in done:
                continue
            started = time.monotonic()
            before, differs = passed.setdefault(case.key, {}), case.key in differ
            verdict = done[case.key] = judged(stand, case, order, before, differs or options.plain)
            row = {"state": stand.state, "key": case.key, "file": case.file, "verdict": verdict,
                   "seconds": round(time.monotonic() - started, 2)}
            if verdict in SURVIVES:
                row |= {"passed": before, "differs": differs or not options.plain}
            out.write(json.dumps(row) + "\n")
            out.flush()
            print(f"{i + 1}/{len(cases)} {case.place} {case.mutant.operator}: {verdict} ({row['seconds']} s)", flush=True)
            if verdict in SURVIVES:
                print(f"    in {case.mutant.function}\n    - {case.was}\n    + {case.new}", flush=True)
    return done


def summary(cases, done, known):
    """The counts of one list, and its survivors. What does not compile or leaves the object as it is does not count."""
    row = {"killed": 0, "counted": 0, "equivalent": 0, "survive": 0}
    survivors = []
    for case in cases:
        verdict = done.get(case.key, "survives")  # what is known to be equivalent is not judged
        if verdict in ("broken", "same"):
            continue
        row["counted"] += 1
        if verdict not in SURVIVES:
            row["killed"] += 1
        elif case.record() in known or case.record()[:2] in known:
            row["equivalent"] += 1
        else:
            row["survive"] += 1
            survivors.append(case)
    return row, survivors


def report(samples, done, known, stored):
    """Prints the scores. Returns the rows, and whether one is too low."""
    rows, low = {}, False
    for name, (sample, cases) in samples.items():
        row, survivors = summary(cases, done, known)
        rows[name] = dict(sample, **row)
        for case in survivors:
            print(f"survives: {case.place}, {case.mutant.function}(): {done[case.key]}\n  - {case.was}\n  + {case.new}")
        print(f"{text_of(name, rows[name])} ({percent(row):.1f} %)")
        least = percent(stored[name]) if name in stored else LEAST
        if percent(row) < least:
            low = True
            print(f"FAIL: {name} has {percent(row):.1f} %, expected at least {least:.1f} %")
    return rows, low


def text_of(name, row):
    return (f"{name} --count {row['count']} --seed {row['seed']}{row['how']} = killed {row['killed']} of {row['counted']}, "
            f"equivalent {row['equivalent']}, survive {row['survive']}")


def store(rows):
    head = ("# Mutation scores of C sources: the arguments of run.py, and how many mutants fail a judge. Those that do not\n"
            "# compile or leave the object file as it is are not counted. Written by run.py --update.")
    (HERE / "c-scores.txt").write_text("\n".join([head, "", *(text_of(n, r) for n, r in rows.items())]) + "\n")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path)
    parser.add_argument("build", type=Path)
    parser.add_argument("libdir")
    parser.add_argument("--list", action="append", help="only this list of lists.txt; can be repeated")
    parser.add_argument("--count", type=int, help=f"mutants of a list (default: as stored, else {SAMPLE['count']})")
    parser.add_argument("--seed", type=int, help=f"of the sample (default: as stored, else {SAMPLE['seed']})")
    parser.add_argument("--retry", action="store_true",
                        help="believe what was killed before judges changed, and judge only survivors again")
    parser.add_argument("--judge", action="append", help="only judges whose row holds this word; can be repeated")
    parser.add_argument("--without", action="append", help="no judges whose row holds this word; can be repeated")
    parser.add_argument("--plain", action="store_true", help="for a quick look: no sanitizers, and survivors may be the same object")
    parser.add_argument("--update", action="store_true", help="store the scores")
    parser.add_argument("--work", type=Path, help="the folder (default: BUILD/tests/mutants/work)")
    return parser.parse_args()


def main():
    options = arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended from outside; start again to go on"))
    if options.judge or options.without or options.plain or options.count or options.seed:
        return score(options)
    groups = {}  # lists whose scores are stored, by their judges
    for name, row in stored_scores().items():
        if not options.list or name in options.list:
            groups.setdefault(row["how"], []).append(name)
    lists = list(groups.values())
    new = [name for name in options.list or [] if not any(name in names for names in lists)]
    lists += [new] if new or not lists else []
    return max(score(argparse.Namespace(**dict(vars(options), list=names or None))) for names in lists)


def score(options):
    """Judges the samples of some lists, which have the same judges. The status."""
    source, build = options.source.resolve(), options.build.resolve()
    work = (options.work or build / "tests/mutants/work").resolve()
    stored, known, samples = stored_scores(), equivalents(), {}
    named = options.judge or options.without or options.plain or options.count or options.seed
    if not named:
        as_stored(options, [row for name, row in stored.items() if not options.list or name in options.list])
    how = "".join(f" --{flag} {word}" for flag in ("judge", "without") for word in getattr(options, flag) or [])
    how += " --plain" * options.plain
    for name, files in file_lists().items():
        if name in options.list if options.list else name in stored or named or not stored:
            sample = {k: getattr(options, k) or stored.get(name, SAMPLE)[k] for k in SAMPLE}
            samples[name] = dict(sample, how=how), chosen(source, files, sample["count"], sample["seed"])
    cases = [case for _, drawn in samples.values() for case in drawn]
    work.mkdir(parents=True, exist_ok=True)
    lock = (work / "lock").open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise SystemExit(f"another process works in {work}; name another folder with --work") from None
    judges = [judge for judge in rows_of("judges.txt")
              if (not options.judge or any(word in " ".join(judge) for word in options.judge))
              and not any(word in " ".join(judge) for word in options.without or [])]
    done = {}
    for name in ["plain"] if options.plain else ["plain", "sanitized"]:
        stand = bench.Bench(source, build, options.libdir, work / name, judges, name == "sanitized")
        left = [case for case in cases if done.get(case.key, "unreached") in SURVIVES and case.record() not in known]
        if not left:
            break
        stand.prepare(left)
        print(f"{name}: {len(left)} mutants, {len(judges)} judges of {sum(stand.seconds.values()):.1f} s", flush=True)
        done |= judge_all(stand, left, work / name / "log.jsonl", options)
    rows, low = report(samples, done, known, stored)
    if options.update:
        store({name: rows.get(name, stored.get(name)) for name in file_lists() if name in rows or name in stored})
    return 1 if low and not options.update else 0


if __name__ == "__main__":
    sys.exit(main())
