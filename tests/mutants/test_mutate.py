# SPDX-License-Identifier: Apache-2.0
"""The mutator finds exactly the mutants that are due in a small file, and a score counts what it must. Prints TAP."""
import sys
from types import SimpleNamespace

import mutate
import run

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
    row, score, survivors = run.summary("some", cases, judged, {cases[4].record()})
    check("what does not compile or change the object does not count", row, "some 4 2 1 66.7")
    check("what is known to be equivalent is no survivor", (survivors, round(score)), ([cases[5]], 67))

    source = run.HERE.parent.parent
    files = [file for named in run.file_lists().values() for file in named]
    check("every file of the lists is there", [f for f in files if not (source / f).is_file()], [])
    first, again = (run.chosen(source, files, 60, 1) for _ in range(2))
    check("a seed gives the same mutants again", [c.key for c in first], [c.key for c in again])
    check("every file has a share", {c.file for c in first}, set(files))
    other = {c.key for c in run.chosen(source, files, 60, 2)}
    check("another seed gives others", len(other - {c.key for c in first}) > 40, True)
    print(f"1..{done}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
