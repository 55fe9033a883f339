# SPDX-License-Identifier: Apache-2.0
"""The Python package against the program's own JSON, and the notebook cell by cell. Prints TAP.

    test_python.py PROGRAM PACKAGE-FOLDER NOTEBOOK VERSION
"""
import contextlib
import csv
import io
import json
import os
import signal
import subprocess
import sys
import tempfile
import typing

program, package, notebook, version = (os.path.abspath(word) if os.path.exists(word) else word for word in sys.argv[1:5])
sys.path.insert(0, package)
os.environ["ECUBE"] = program
folder = tempfile.TemporaryDirectory(prefix="ecube-python.")  # removed at the end
os.chdir(folder.name)
import ecube  # noqa: E402

HOST = {"seconds", "router_cycles_per_second", "peak_rss_bytes", "cpu_seconds", "command"}
count = 0


def check(sentence, good, seen=""):
    global count
    count += 1
    print(f"{'ok' if good else 'not ok'} {count} - {sentence}")
    if not good:
        print(f"#   {seen!r}"[:2000])
        check.failed = True


check.failed = False


def raised(sentence, kind, status, text, function, *words, **options):
    """An exception of exactly this class, with this status and text."""
    try:
        function(*words, **options)
        check(sentence, False, "no exception")
    except ecube.Error as error:
        check(sentence, type(error) is kind and error.status == status and text in str(error), (error.status, str(error)))
        return error
    return None


def cli(*words):
    out = subprocess.run([program, *words, "--format=json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return [json.loads(line) for line in out.stdout.splitlines()] if words[0] == "tile" else json.loads(out.stdout)


def plain(record):
    return {key: value for key, value in record.items() if key not in HOST}


def fits(value, hint):
    """A value has the type of its annotation."""
    if typing.get_origin(hint) is typing.Union:
        return any(fits(value, one) for one in typing.get_args(hint))
    if typing.get_origin(hint) is list:
        return isinstance(value, list) and all(fits(part, typing.get_args(hint)[0]) for part in value)
    return isinstance(value, (int, float) if hint is float else hint) and not (hint is int and isinstance(value, bool))


def annotated(record):
    """Every declared key is there, with its type, in all records below."""
    wrong = [f"{type(record).__name__}.{name}" for name, hint in typing.get_type_hints(type(record)).items()
             if not fits(getattr(record, name, Ellipsis), hint)]
    for value in vars(record).values():
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, ecube.Record):
                wrong += annotated(part)
    return wrong


# The same as the command line, and as declared.
SWEEP = ("mesh:4x4", "uniform:m=4")
RATES = {"rates": [0.1, 0.3], "vary": {"vcs": [1, 2]}, "cycles": 5000}
SWEEP_WORDS = ("--rates=0.1,0.3", "--vary=vcs=1,2", "--cycles=5000")
sweep = ecube.sweep(*SWEEP, **RATES)
results = [
    (ecube.run("cube:3", "shift:q=5,m=64", router={"depth": 4}), cli("run", "cube:3", "shift:q=5,m=64", "--router=depth=4")),
    (ecube.run("mesh:4x4", "uniform:rate=0.1,m=4", cycles=5000), cli("run", "mesh:4x4", "uniform:rate=0.1,m=4", "--cycles=5000")),
    (ecube.audit("cube:6", "bitrev"), cli("audit", "cube:6", "bitrev")),
    (ecube.plan("cube:3", "shift:q=5"), cli("plan", "cube:3", "shift:q=5")),
    (sweep, cli("sweep", *SWEEP, *SWEEP_WORDS)),
]
with open("rows.txt", "w", encoding="utf-8") as file:
    file.write("cube:3 shift:q=1,m=16\n")
subprocess.run([program, "regress", "rows.txt", "--update", "--quiet"], check=True, stdout=subprocess.DEVNULL)
results.append((ecube.regress("rows.txt"), cli("regress", "rows.txt")))
modes = ecube.tile_check("mesh:2", only=True)
results.append((modes.modes[0], cli("tile", "check", "mesh:2", "--only")[0]))
for result, expected in results:
    name = type(result).__name__
    data = result.to_dict()
    if name == "Regression":
        for row in data["rows"] + expected["rows"]:
            row.pop("seconds")
    check(f"{name}: the JSON of the command line", plain(data) == plain(expected), data)
    check(f"{name}: every declared key, with its type", annotated(result) == [], annotated(result))
check("TileCheck: serves", modes.breach() is None and [mode.verdict for mode in modes.modes] == ["serves"], modes)

# Tables.
rows = [row for text in [subprocess.run([program, "sweep", *SWEEP, *SWEEP_WORDS, "--format=csv"], stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, check=True, text=True).stdout]
        for row in csv.DictReader(io.StringIO(text))]
table = sweep.table()
check("a table has the rows of the CSV", len(table) == len(rows) == 4, len(table))
check("and its values", all(float(row["rate"]) == mine["rate"] and row["parameters_router_vcs"] == str(mine["parameters_router_vcs"])
                            for row, mine in zip(rows, table)), table[0])
check("a run is one row without lists", len(results[0][0].table()) == 1 and "links" not in results[0][0].table()[0])

# Points while the sweep goes on.
points = ecube.sweep_points(*SWEEP, **RATES)
seen = []
while True:
    try:
        seen.append(next(points))
    except StopIteration as end:
        whole = end.value
        break
key = lambda point: (point["variant"], point["rate"])  # noqa: E731
check("sweep_points yields every point once",
      sorted(map(key, (point.to_dict() for point in seen))) == sorted((curve.variant, point.rate) for curve in sweep.curves
                                                                      for point in curve.points), seen)
check("with the values of the sweep", all(point.latency in [other.latency for curve in sweep.curves for other in curve.points]
                                          for point in seen), seen)
check("and returns the sweep", plain(whole.to_dict()) | {"curves": 0} == plain(sweep.to_dict()) | {"curves": 0} and
      whole.table() == sweep.table())
points = ecube.sweep_points("mesh:8x8", "uniform:m=8", precision="0.1%", cycles=100000, rates="0.1:0.3:0.01", jobs=1)
children = f"/proc/self/task/{os.getpid()}/children"
next(points)
alive = open(children, encoding="utf-8").read().split()
points.close()
check("closing the generator ends the sweep", alive and not open(children, encoding="utf-8").read().split(), alive)

# Traces.
trace = ecube.Trace()
first = trace.send(0, 7, 16)
second = trace.send(0, 5, words=16, behind=first)
third = trace.send(7, 0, words=4, after=first, delay=10)
trace.send(4, 1, cycle=3, after=[second, third])
with open("hand.csv", "w", encoding="utf-8") as file:
    file.write("id,source,destination,words,cycle,after,delay,behind\n1,0,7,16,1,,,\n2,0,5,16,1,,,1\n3,7,0,4,1,1,10,\n"
               "4,4,1,1,3,2 3,0,\n")
by_hand = cli("run", "cube:3", "trace:file=hand.csv")
check("a trace plays as one written by hand", ecube.run("cube:3", trace).digest == by_hand["digest"] and len(trace) == 4, by_hand)
try:
    trace.send(0, 1, after=5)
    check("a message that does not exist is refused", False)
except ValueError as error:
    check("a message that does not exist is refused", "no message 5" in str(error), error)

# GOAL schedules.
import random  # noqa: E402

from ecube.goal import read_goal  # noqa: E402


def draw_schedule(draw):
    """Ranks of a ring, each a list of operations (kind, peer, bytes or calc, [(requires or irequires, earlier one)]); every
    message has a length of its own, and each recv is behind its send in the list of all."""
    ranks, size = [[] for _ in range(4)], 3
    for _ in range(14):
        rank, peer, size = draw.randrange(4), draw.randrange(1, 4), size + 5
        chosen = [(rank, "send", (rank + peer) % 4, size)]
        chosen.append(((rank + peer) % 4, "recv", rank, size))
        if draw.random() < .5:
            chosen.insert(draw.randrange(3), (draw.choice([rank, chosen[-1][0]]), "calc", None, draw.randrange(60)))
        for at, *rest in chosen:
            earlier = draw.sample(range(len(ranks[at])), min(len(ranks[at]), draw.choice([0, 1, 1, 2])))
            ranks[at].append((*rest, [(draw.choice(["requires", "requires", "irequires"]), k) for k in earlier]))
    return ranks


def write_schedule(ranks):
    text = "num_ranks 4 // of\n/* a\nring */\n"
    for rank, operations in enumerate(ranks):
        text += f"rank {rank} {{\n"
        for k, (kind, peer, size, needs) in enumerate(operations):
            way = {"send": "to", "recv": "from"}.get(kind)
            text += f"l{k}: {kind} {size}" + (f"b {way} {peer} tag {size % 3} cpu 0 nic 0\n" if way else " cpu 1\n")
            text += "".join(f"l{k} {how} l{other}\n" for how, other in needs)
        text += "}\n"
    with open("schedule.goal", "w", encoding="utf-8") as file:
        file.write(text)


def follow(ranks, packets):
    """Was each message ready when the rules of GOAL say, from the deliveries of the others? How many of them were checked to
    the cycle: the end of a send that waited in the network is not known, nor what comes after it."""
    good, exact = True, 0
    for rank, operations in enumerate(ranks):
        known = []  # start, end, to the cycle
        for kind, peer, size, needs in operations:
            start = max([1] + [known[j][1] + 1 if how == "requires" else known[j][0] for how, j in needs])
            sure, end = all(known[j][2] for _, j in needs), start - 1 + size
            if kind != "calc":
                row = packets[(rank, peer) if kind == "send" else (peer, rank), -(-size // 5)]
                end = max(start - 1, row["delivered"])
            if kind == "send":
                good = good and (row["created"] == start if sure else row["created"] >= start)
                exact, end = exact + sure, row["injected"] + row["words"] - 1
                sure = sure and row["network_latency"] == row["words"] + row["hops"] + 1
            known.append((start, end, sure))
    return good, exact


played, exact = 0, 0
for seed in range(12):
    ranks = draw_schedule(random.Random(seed))
    write_schedule(ranks)
    trace = read_goal("schedule.goal", bytes=5)
    digest = ecube.run("ring:4", trace, packets_csv="goal.csv").digest
    with open("goal.csv", encoding="utf-8") as file:
        rows = [{key: int(value or 0) for key, value in row.items()} for row in csv.DictReader(file)]
    packets = {((row["src"], row["dst"]), row["words"]): row for row in rows}
    sent = {((rank, x[1]), -(-x[2] // 5)) for rank, operations in enumerate(ranks) for x in operations if x[0] == "send"}
    good, times = follow(ranks, packets)
    played, exact = played + (good and set(packets) == sent and len(rows) == len(sent) and
                                       ecube.run("ring:4", trace, threads=2).digest == digest), exact + times
check("a GOAL schedule keeps bytes and order, to the cycle", played == 12 and exact > 100, (played, exact))


def wrong_schedule(text, words):
    with open("wrong.goal", "w", encoding="utf-8") as file:
        file.write(text.replace(";", "\n"))
    try:
        read_goal("wrong.goal")
        return "accepted"
    except ValueError as error:
        return "" if str(error).startswith("wrong.goal:" + words) else str(error)


for text, words in [
        ("", "1: no operations"),
        ("rank 0 {;}", "1: 'rank 0': expected num_ranks"),
        ("num_ranks 0", "1: 'num_ranks 0'"),
        ("num_ranks 2;rank 2 {;}", "2: rank 2: expected 0 to 1"),
        ("num_ranks 2;rank 0 {;};rank 0 {;}", "4: rank 0 is in line 2"),
        ("num_ranks 2;rank 0 {;calc 1", "2: rank 0 has no end"),
        ("num_ranks 2;rank 0 {;calc 1 }", "3: '}' behind"),
        ("num_ranks 2;rank 0 {;send 8 to 1;}", "3: 'send 8 to 1': expected"),
        ("num_ranks 2;rank 0 {;send 8b from 1;}", "3: 'send 8b from 1'"),
        ("num_ranks 2;rank 0 {;send 8b to 2;}", "3: peer 2: expected 0 to 1"),
        ("num_ranks 2;rank 0 {;recv 8b from -1;}", "3: 'recv 8b from -1': a trace cannot"),
        ("num_ranks 2;rank 0 {;recv 8b from 1 tag -1;}", "3: 'recv 8b from 1 tag -1'"),
        ("num_ranks 2;rank 0 {;send 8b to 1 nic 1;}", "3: nic 1"),
        ("num_ranks 2;rank 0 {;send 16777217b to 1;}", "3: send 16777217: expected at most 16777216 times 1: use a larger"),
        ("num_ranks 2;rank 0 {;a: calc 1;a: calc 1;}", "4: label a is in line 3"),
        ("num_ranks 2;rank 0 {;a: calc 1;a requires b;}", "4: rank 0 has no label b"),
        ("num_ranks 2;rank 0 {;send 8b to 1;}", "3: send to 1, tag 0: no recv"),
        ("num_ranks 2;rank 0 {;recv 8b from 1 tag 3;}", "3: recv from 1, tag 3: no send"),
        ("num_ranks 2;rank 0 {;send 8b to 1;};rank 1 {;recv 9b from 0;}", "6: recv of 9 words from 0: its send in line 3 has 8"),
        ("num_ranks 2;rank 0 {;a: recv 8b from 1;b: send 8b to 1;b requires a;};rank 1 {;a: recv 8b from 0;b: send 8b to 0;"
         "b requires a;}", "3: operations wait for each other: those of the lines 3, 4, 8, 9")]:
    got = wrong_schedule(text, words)
    check(f"a wrong schedule is refused: {words}", not got, got)

# Errors.
raised("wrong input", ecube.Error, 2, "workload shift: q=9", ecube.run, "cube:3", "shift:q=9")
raised("a wrong option", ecube.Error, 2, "--nonsense", ecube.run, "cube:3", "neighbor", nonsense=1)
deadlock = {"router": {"vcs": 2, "dateline": "off"}, "no_failure_wave": True}
error = raised("a deadlock", ecube.VerdictError, 4, "deadlock", ecube.run, "ring:8", "uniform:rate=0.3,m=16", **deadlock)
check("has its result", error is not None and error.result.verdict == "deadlock" and error.result.waiting, error)
check("check=False returns it", ecube.run("ring:8", "uniform:rate=0.3,m=16", check=False, **deadlock).verdict == "deadlock")
os.environ["ECUBE"] = "/nonexistent/ecube"
raised("a missing program", ecube.Error, 5, "cannot start '/nonexistent/ecube'", ecube.run, "cube:3", "neighbor")
del os.environ["ECUBE"]
check("the program beside the package is found", os.path.basename(ecube.program()) == "ecube", ecube.program())
os.environ["ECUBE"] = program
try:
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.alarm(1)
    ecube.run("mesh:8x8", "uniform:rate=0.6,m=8", cycles=10**9)
    check("Ctrl-C ends the program", False)
except KeyboardInterrupt:
    check("Ctrl-C ends the program", not open(children, encoding="utf-8").read().split())
check("the version is that of the program", ecube.__version__ == version, ecube.__version__)

# The notebook.
scope = {}
for cell in json.load(open(notebook, encoding="utf-8"))["cells"]:
    if cell["cell_type"] == "code":
        code = "".join(cell["source"])
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(code, cell["id"], "exec"), scope)  # noqa: S102
            check(f"the notebook, {cell['id']}", True)
        except Exception as error:  # noqa: BLE001
            check(f"the notebook, {cell['id']}", False, error)
check("the notebook has written its pictures", os.path.getsize("curve.svg") > 1000 and os.path.getsize("transpose.html") > 10000)
print(f"1..{count}")
sys.exit(check.failed)
