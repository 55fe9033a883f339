# SPDX-License-Identifier: Apache-2.0
"""Mutants of C source: small changes of one place each that a compiler accepts and a test must notice.

Knows the tokens of C and where functions, statements and conditions begin and end. Must not know compilers, tests or
this project. Comments, strings, the preprocessor and declarations are left alone."""
import re
from collections import namedtuple

# A change of text[start:end]; `line` counts from 1, `function` is the one around it.
Mutant = namedtuple("Mutant", "operator function line start end text")
Token = namedtuple("Token", "kind text start end")

SKIPPED = re.compile(r"(?P<space>\s+|/\*.*?\*/|//[^\n]*)|(?P<directive>^[ \t]*\#(?:\\\n|[^\n])*)", re.S | re.M)
TOKEN = re.compile(
    r"(?P<string>\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*')"
    r"|(?P<number>0[xX][0-9a-fA-F]+[uUlL]*|\d+\.\d*(?:[eE][-+]?\d+)?f?|\d+[eE][-+]?\d+|\d+[uUlL]*)"
    r"|(?P<word>[A-Za-z_]\w*)"
    r"|(?P<sign><<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[-+*/%&|^<>=!~?:;,.(){}\[\]])",
    re.S,
)

RELATIONS = {
    "<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"], "==": ["!="], "!=": ["=="],
}
ARITHMETIC = {
    "+": "-", "-": "+", "*": "+", "/": "*", "%": "/", "<<": ">>", ">>": "<<", "&": "|", "|": "&", "^": "|",
}
ASSIGNMENTS = {
    "+=": "-=", "-=": "+=", "|=": "&=", "&=": "|=", "^=": "|=", "*=": "+=", "/=": "*=", "<<=": ">>=", ">>=": "<<=",
    "++": "--", "--": "++",
}
TYPES = {
    "const", "static", "struct", "enum", "union", "unsigned", "signed", "int", "char", "long", "short", "bool", "void",
    "float", "double", "volatile", "inline", "extern", "typedef", "size_t",
}
NOT_OPERANDS = {"return", "case", "else", "do", "sizeof", "goto"}
JUMPS = {"break", "continue", "return"}


def tokens(text):
    """Those of the program proper."""
    at, found = 0, []
    while at < len(text):
        skipped = SKIPPED.match(text, at)
        if skipped and skipped.end() > at:
            at = skipped.end()
            continue
        match = TOKEN.match(text, at)
        if not match:
            raise ValueError(f"no token of C at offset {at}: {text[at:at + 20]!r}")
        found.append(Token(match.lastgroup, match.group(), match.start(), match.end()))
        at = match.end()
    return found


def partners(found):
    """The index of the closing token for each that opens, and the reverse."""
    pairs, open_ = {}, []
    for i, token in enumerate(found):
        if token.text in ("(", "[", "{"):
            open_.append(i)
        elif token.text in (")", "]", "}"):
            pairs[i] = open_.pop()
            pairs[pairs[i]] = i
    return pairs


def functions(found, pairs):
    """(name, index of its first brace, index of its last one)"""
    i = 0
    while i < len(found):
        if found[i].text == "{":
            if i and found[i - 1].text == ")":
                yield found[pairs[i - 1] - 1].text, i, pairs[i]
            i = pairs[i]
        i += 1


def is_type(found, first, last):
    """Is what a pair of parentheses holds the name of a type, as in a cast?"""
    words = [t.text for t in found[first:last]]
    return bool(words) and words[-1] != "." and all(re.fullmatch(r"[A-Za-z_]\w*|\*", w) for w in words) and (
        words[0] in TYPES or words[0].endswith("_t") or words[-1] == "*")


def is_operand(found, pairs, i):
    """Can an operand end with token i, so that a sign behind it is binary?"""
    token = found[i]
    if token.text == ")":
        return not is_type(found, pairs[i] + 1, i)
    return token.text == "]" or token.kind in ("number", "string") or (
        token.kind == "word" and token.text not in NOT_OPERANDS)


def is_declaration(found, i):
    first, second = found[i], found[i + 1]
    if first.text in TYPES or first.text.endswith("_t"):
        return True
    return first.kind == "word" and second.kind == "word"


def begins_statement(found, pairs, i):
    before = found[i - 1].text
    if before in (";", "{", "}", "else"):
        return True
    return before == ")" and found[pairs[i - 1] - 1].text in ("if", "for", "while")


class Body:
    """The mutants of one function."""

    def __init__(self, text, found, pairs, name, first, last):
        self.text, self.found, self.pairs, self.name, self.first, self.last = text, found, pairs, name, first, last
        self.mutants = []

    def add(self, operator, first, last, text):
        start, end = self.found[first].start, self.found[last].end
        line = self.text.count("\n", 0, start) + 1
        self.mutants.append(Mutant(operator, self.name, line, start, end, text))

    def source(self, first, last):
        return self.text[self.found[first].start:self.found[last].end]

    def all(self):
        depth = 0
        for i in range(self.first + 1, self.last):
            self.signs(i)
            self.values(i)
            self.conditions(i)
            depth += {"(": 1, ")": -1}.get(self.found[i].text, 0)
            if depth == 0:  # not between the semicolons of a loop
                self.statements(i)
            self.arguments(i)
        return self.mutants

    def signs(self, i):
        sign = self.found[i].text
        if self.found[i].kind != "sign":
            return
        for other in RELATIONS.get(sign, []):
            self.add("relation", i, i, other)
        if sign in ARITHMETIC and is_operand(self.found, self.pairs, i - 1) and not self.declares(i):
            self.add("arithmetic", i, i, ARITHMETIC[sign])
        if sign in ASSIGNMENTS:
            self.add("assignment", i, i, ASSIGNMENTS[sign])
        if sign in ("&&", "||"):
            self.add("logic", i, i, "||" if sign == "&&" else "&&")
        if sign == "!":
            self.add("condition", i, i, "")

    def declares(self, i):
        """The * of a pointer in a declaration."""
        return self.found[i].text == "*" and (
            self.found[i - 2].text in ("struct", "enum", "const", "static") or self.found[i - 1].text in TYPES)

    def values(self, i):
        token = self.found[i]
        if token.kind == "number" and re.fullmatch(r"\d+[uUlL]*|0[xX][0-9a-fA-F]+[uUlL]*", token.text):
            digits = token.text.rstrip("uUlL")
            value, suffix = int(digits, 0), token.text[len(digits):]
            self.add("constant", i, i, f"{value + 1}{suffix}")
            if value > 0:
                self.add("constant", i, i, f"{value - 1}{suffix}")
        if token.text in ("true", "false"):
            self.add("constant", i, i, "false" if token.text == "true" else "true")

    def conditions(self, i):
        if self.found[i].text in ("if", "while"):
            first, last = i + 1, self.pairs[i + 1]
            self.add("condition", first, last, f"(!{self.source(first, last)})")

    def statements(self, i):
        found = self.found
        if not begins_statement(found, self.pairs, i) or is_declaration(found, i):
            return
        end = i
        while found[end].text != ";":
            if found[end].text in ("{", "}"):
                return
            end = self.pairs[end] + 1 if found[end].text in ("(", "[") else end + 1
        word = found[i].text
        if word in JUMPS:
            guarded = found[i - 1].text == ")" or (found[end + 1].text == "}" and end + 1 != self.last)
            if guarded:
                self.add("jump", i, end, ";")
        elif word not in ("if", "for", "while", "do", "switch", "case", "default", "goto", "else") and word != ";":
            self.add("statement", i, end, ";")

    def arguments(self, i):
        found, pairs = self.found, self.pairs
        if found[i].text != "(" or found[i - 1].kind != "word" or found[i - 1].text in (
                "if", "for", "while", "switch", "return", "sizeof", "calloc"):  # calloc multiplies its two
            return
        starts, at = [i + 1], i + 1
        while at < pairs[i]:
            if found[at].text in ("(", "[", "{"):
                at = pairs[at]
            elif found[at].text == ",":
                starts.append(at + 1)
            at += 1
        starts.append(pairs[i] + 1)
        for k in range(len(starts) - 2):
            a, b = (starts[k], starts[k + 1] - 2), (starts[k + 1], starts[k + 2] - 2)
            one, two = self.source(*a), self.source(*b)
            if one != two and found[a[0]].kind != "string" and found[b[0]].kind != "string":
                between = self.text[found[a[1]].end:found[b[0]].start]
                self.add("arguments", a[0], b[1], two + between + one)


def mutants(text):
    """All of a file, in the order of its text."""
    found = tokens(text)
    pairs = partners(found)
    result = []
    for name, first, last in functions(found, pairs):
        result += Body(text, found, pairs, name, first, last).all()
    return result


def applied(text, mutant):
    return text[:mutant.start] + mutant.text + text[mutant.end:]


def lines_of(text, mutant):
    """What it was and what it is: the whole lines, with single spaces."""
    first = text.rfind("\n", 0, mutant.start) + 1
    last = text.find("\n", mutant.end)
    was = text[first:last]
    new = text[first:mutant.start] + mutant.text + text[mutant.end:last]
    return " ".join(was.split()), " ".join(new.split())
