# SPDX-License-Identifier: Apache-2.0
"""All mutants of a C file in one text: the variable `mutant_chosen` says which of them acts, so that a file is compiled
once for all of its mutants. The number 0 stands for the original, which also notes what it reaches: a judge that does
not reach the statement of a mutant cannot kill it.

Must not know compilers, tests or this project."""
import bisect

import re

import mutate

# Copies of a body that are always inlined, in copies of bodies, would make a text that no compiler finishes.
INLINED = re.compile(r"__attribute__\(\(always_inline\)\)")
HEAD = "extern unsigned mutant_chosen; extern unsigned char *mutant_reached;\n"

# The object that defines both variables: they come from the environment.
SELECTOR = r"""
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

unsigned mutant_chosen;
static unsigned char ignored[SIZE];
unsigned char *mutant_reached = ignored;

__attribute__((constructor)) static void choose(void)
{
    const char *number = getenv("MUTANT_CHOSEN"), *file = getenv("MUTANT_REACHED");
    mutant_chosen = number ? (unsigned)atoi(number) : 0;
    const int fd = file ? open(file, O_RDWR | O_CLOEXEC) : -1;
    void *shared = fd >= 0 ? mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;
    if (shared != MAP_FAILED)
        mutant_reached = shared;
    if (fd >= 0)
        close(fd);
}
"""


class Function:
    """Where statements begin in one function."""

    def __init__(self, found, pairs, first, last):
        self.found, self.pairs, self.first, self.last = found, pairs, first, last

    def is_block(self, i):
        """Does the brace i begin a block, not a list of values?"""
        before = self.found[i - 1].text
        if i == self.first or before in (";", "{", "}", "else", "do", ":"):
            return True
        return before == ")" and self.found[self.pairs[i - 1] - 1].text in ("if", "for", "while", "switch")

    def statement(self, i):
        """The index where the innermost statement around token i begins."""
        openers = [o for o in range(self.first, i) if self.found[o].text in ("(", "[", "{") and self.pairs[o] >= i]
        at = i
        for o in openers:
            if self.found[o].text != "{" or not self.is_block(o):
                at = o
                break
        while not mutate.begins_statement(self.found, self.pairs, at):
            at = self.pairs[at - 1] if self.found[at - 1].text in (")", "]", "}") else at - 1
        return at

    def reach(self, i):
        """(index of the token in front of which a note can be made, is it a statement of its own?)"""
        at = self.statement(i)
        while self.found[at].text in ("case", "default"):
            at += 1
            while self.found[at - 1].text != ":":
                at += 1
        if at > i or self.ends_do(at):
            return self.first + 1, True
        word = self.found[at].text
        plain = word in mutate.JUMPS or word in ("goto", "if", "for", "while", "do", "switch")
        return at, not plain and mutate.is_declaration(self.found, at)

    def ends_do(self, at):
        """Can it be the condition of do while?"""
        return self.found[at].text == "while" and self.found[self.pairs[at + 1] + 1].text == ";"


def combined(text, mutants, first):
    """(text, points): mutant k of the list has the number first + k, and point points[k]; points count from `first`, too."""
    found = mutate.tokens(text)
    pairs = mutate.partners(found)
    starts = [t.start for t in found]
    bodies = [(found[a].end, found[b].start, Function(found, pairs, a, b)) for _, a, b in mutate.functions(found, pairs)]
    notes, points = {}, []
    mine = {}
    for k, mutant in enumerate(mutants):
        body = next(n for n, (start, end, _) in enumerate(bodies) if start <= mutant.start < end)
        mine.setdefault(body, []).append(k)
        place = bodies[body][2].reach(bisect.bisect_left(starts, mutant.start))
        points.append(notes.setdefault(place, first + len(notes)))
    where = sorted((found[i].start, f"mutant_reached[{p}] = 1; " if own else f"if (mutant_reached[{p}] = 1, 0) ; else ")
                   for (i, own), p in notes.items())
    result, at = [HEAD, '# 1 "original"\n'], 0
    for n, (start, end, _) in enumerate(bodies):
        if n not in mine:
            continue
        line = text.count("\n", 0, start) + 1
        result += [text[at:start], "\nswitch (mutant_chosen) {\n"]
        for k in mine[n]:
            changed = mutants[k]
            body = text[start:changed.start] + changed.text + text[changed.end:end]
            result.append(f'case {first + k}: {{{labels(text[start:end])}\n# {line} "mutant {k}"\n{body}}} break;\n')
        result.append(f'default: {{{labels(text[start:end])}\n# {line} "original"\n')
        at = start
        for place, note in where:
            if start <= place < end:
                result += [text[at:place], note]
                at = place
        result.append(text[at:end] + "}}\n# " + f'{text.count(chr(10), 0, end) + 1} "original"\n')
        at = end
    return INLINED.sub("", "".join(result + [text[at:]])), points


def labels(body):
    """Those that goto names belong to a block, so that copies of the body may have the same ones."""
    found = mutate.tokens(body)
    names = sorted({found[i + 1].text for i, token in enumerate(found) if token.text == "goto"})
    return f" __label__ {', '.join(names)};" if names else ""
