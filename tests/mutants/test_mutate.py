# SPDX-License-Identifier: Apache-2.0
"""The mutator finds exactly the mutants that are due in a small file, all mutants in one program are those of the single
files, and a score counts what it must. Prints TAP."""
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

import mutate
import run
import schema

SAMPLE = r'''
#define TWICE(x) ((x) * 2) /* not here: a + b */
static const char text[] = "a < b";
struct pair { int a, b; };
static int f(int a, int *b)
{
    int c = a * (int)*b;
    for (;;) {
        if (a <= 1 && !c)
            break;
        *b += call(a, c); // c = 0;
    }
    return c;
}
'''

# A program with all kinds of statements; it prints what it computes.
PROGRAM = r'''
#include <stdio.h>
struct pair { int a, b; };
static int sum(const int *list, int n)
{
    int s = 0;
    if (n > 2)
        for (int i = 0; i < n; i++)
            s += list[i & 3] * 2;
    else
        s = -1;
    return s;
}
static int kind(int x)
{
    switch (x) {
    case 0:
        return 5;
    case 1: {
        const struct pair p = (struct pair){x + 1, 7};
        x = p.a * p.b;
        break;
    }
    default:
        if (x > 5)
            goto out;
        else if (x == 3 || x == 4)
            x = x - 2;
    }
    do
        x++;
    while (x < 3);
out:
    return x;
}
static void print(int a, int b)
{
    if (b > 100) {
        puts("never");
        return;
    }
    printf("%d %d\\n", a, b);
}
int main(void)
{
    const int list[4] = {1, 2, 3};
    for (int x = 0; x < 8; x++)
        print(kind(x), sum(list, x % 4));
    return 0;
}
'''

# operator, line, what it becomes
DUE = [
    ("arithmetic", 7, "int c = a + (int)*b;"),
    ("condition", 9, "if (!(a <= 1 && !c))"),
    ("relation", 9, "if (a < 1 && !c)"),
    ("relation", 9, "if (a > 1 && !c)"),
    ("constant", 9, "if (a <= 2 && !c)"),
    ("constant", 9, "if (a <= 0 && !c)"),
    ("logic", 9, "if (a <= 1 || !c)"),
    ("condition", 9, "if (a <= 1 && c)"),
    ("jump", 10, ";"),
    ("statement", 11, "; // c = 0;"),
    ("assignment", 11, "*b -= call(a, c); // c = 0;"),
    ("arguments", 11, "*b += call(c, a); // c = 0;"),
]
done = 0
failed = False


def check(sentence, seen, expected):
    global done, failed
    done += 1
    right = seen == expected
    failed |= not right
    print(f"{'' if right else 'not '}ok {done} - {sentence}")
    if not right:
        print(f"#   got      {seen}\n#   expected {expected}")


def output(folder, text):
    """What a program prints in a moment, at most a page; None if it cannot be compiled."""
    (folder / "p.c").write_text(text)
    compiled = subprocess.run(["cc", "-w", "-O0", "-o", folder / "p", folder / "p.c"], capture_output=True, check=False)
    return None if compiled.returncode else printed(folder / "p")


def printed(program, **environment):
    ended = subprocess.run(f"ulimit -t 1; {program} | head -n 20", shell=True, capture_output=True,
                           env=dict(os.environ, **environment), check=False)
    return ended.stdout


def all_in_one(folder):
    """(mutants that differ from their single programs, what is reached)"""
    found = [m for m in mutate.mutants(PROGRAM)[::4]
             if m.function != "main" and output(folder, mutate.applied(PROGRAM, m)) is not None]
    text, points = schema.combined(PROGRAM, found, 1)
    (folder / "all.c").write_text(text)
    (folder / "selector.c").write_text(schema.SELECTOR.replace("SIZE", str(len(found) + 1)))
    subprocess.run(["cc", "-w", "-O0", "-o", folder / "all", folder / "all.c", folder / "selector.c"], check=True)
    one = folder / "all"
    wrong = [m for k, m in enumerate(found, 1)
             if printed(one, MUTANT_CHOSEN=str(k)) != output(folder, mutate.applied(PROGRAM, m))]
    (folder / "reached").write_bytes(bytes(len(found) + 1))
    wrong += [] if printed(one, MUTANT_REACHED=str(folder / "reached")) == output(folder, PROGRAM) else ["the original"]
    reached = (folder / "reached").read_bytes()
    return wrong, {m.line for m, point in zip(found, points) if not reached[point]}


def case(was, new):
    record = ("harness/a.c", "f", was, new)
    return SimpleNamespace(key=was + new, record=lambda: record)


def main():
    found = mutate.mutants(SAMPLE)
    seen = [(m.operator, m.line, mutate.lines_of(SAMPLE, m)[1]) for m in found]
    check("a small file has exactly these mutants", sorted(seen), sorted(DUE))
    check("all are in its function", {m.function for m in found}, {"f"})
    check("each differs from the original", [m for m in found if mutate.applied(SAMPLE, m) == SAMPLE], [])

    cases = [case("a", str(i)) for i in range(6)]
    verdicts = ["broken", "same", "tests/unit/unit_a", "tests/unit/unit_b", "survives", "survives"]
    judged = {c.key: verdict for c, verdict in zip(cases, verdicts)}
    row, survivors = run.summary(cases, judged, {cases[4].record()})
    check("what does not compile or change the object does not count", row,
          {"killed": 2, "counted": 4, "equivalent": 1, "survive": 1})
    check("what is known to be equivalent is no survivor", (survivors, round(run.percent(row))), ([cases[5]], 67))

    with tempfile.TemporaryDirectory() as folder:
        wrong, unreached = all_in_one(Path(folder))
    check("in one program, each mutant does what it does alone", wrong, [])
    never = PROGRAM[:PROGRAM.index("puts")].count("\n") + 1
    check("what is never executed is not reached", bool(unreached) and unreached <= {never, never + 1}, True)

    source = run.HERE.parent.parent
    files = [file for named in run.file_lists().values() for file in named]
    check("every file of the lists is there", [f for f in files if not (source / f).is_file()], [])
    first, again = ([c.key for c in run.chosen(source, files, 60, 1)] for _ in range(2))
    check("a seed gives the same mutants again", first, again)
    check("every file has a share", {c.file for c in run.chosen(source, files, 60, 1)}, set(files))
    other = {c.key for c in run.chosen(source, files, 60, 2)}
    check("another seed gives others", len(other - set(first)) > 40, True)
    check("a larger sample holds a smaller one", set(first) - {c.key for c in run.chosen(source, files, 200, 1)}, set())
    print(f"1..{done}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
