"""Small changes to C++ that a test should notice."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from cpp_source import code_alone, line_of


@dataclass(frozen=True)
class Mutant:
    path: str
    line: int
    column: int
    start: int  # in the file
    end: int
    was: str
    becomes: str

    def applied_to(self, text: str) -> str:
        assert text[self.start : self.end] == self.was
        return text[: self.start] + self.becomes + text[self.end :]

    def __str__(self) -> str:
        becomes = self.becomes.strip() or "(nothing)"
        return f"{self.path}:{self.line}:{self.column}: '{self.was.strip()}' becomes '{becomes}'"


def _swap(first: str, second: str) -> list[tuple[str, str]]:
    return [(first, second), (second, first)]


def _operator(sign: str) -> str:
    """Between blanks, as the format has it: never a template's bracket, a reference or a pointer."""
    return rf"(?<= ){re.escape(sign)}(?= )"


# A statement becomes {}, for compilers warn of a lone semicolon behind an if.
_PATTERNS: list[tuple[re.Pattern[str], str]] = [
    *((re.compile(_operator(a)), b) for a, b in [*_swap("==", "!="), *_swap("<", "<="), *_swap(">", ">="), *_swap("&&", "||")]),
    *((re.compile(_operator(a)), b) for a, b in [*_swap("+", "-"), *_swap("+=", "-="), ("|=", "="), ("&", "|"), ("*", "/")]),
    *((re.compile(rf"\b{a}\b"), b) for a, b in [*_swap("true", "false"), *_swap("std::min", "std::max")]),
    (re.compile(r"(?<=[( ])!(?=[a-z(])"), ""),
    (re.compile(r"\+\+(?=\w)"), "--"),
    (re.compile(r"--(?=\w)"), "++"),
    (re.compile(r"(?<=[ (,])\d+(?=[;,) ])"), "+1"),
    (re.compile(r"\b(?:break|continue);"), "{}"),
    # A call, an assignment, or a return without a value, that is a line of its own.
    (re.compile(r"(?<=\n)[ ]+(?!return\b|using\b|const\b|auto\b|static\b|delete\b|throw\b|goto\b|co_)"
                r"(?:\w|::|\.|->|\*(?=\w)|\[\w+\])+(?:\([^;{}]*\)| [-+|&]?= [^;{}]*);(?=\n)"), "{}"),
    (re.compile(r"(?<=\n)[ ]+return;(?=\n)"), "{}"),
    (re.compile(r"\bif \((?!constexpr)[^;{}()]*(?:\([^;{}()]*\)[^;{}()]*)*\)(?= )"), "if (false)"),
]
_NEVER = re.compile(r"static_assert|\bassert\(|^\s*#|\btemplate\b|\boperator\b|NOLINT|= default|= delete|\)[\w ]*= 0;")


def mutants(path: str, text: str) -> Iterator[Mutant]:
    """All that the patterns find in code: not in comments, literals, declarations of templates, assertions."""
    code = code_alone(text)
    lines = text.split("\n")
    for pattern, becomes in _PATTERNS:
        for match in pattern.finditer(code):
            line = line_of(text, match.start())
            was = text[match.start() : match.end()]
            if _NEVER.search(lines[line - 1]) or was != code[match.start() : match.end()]:
                continue
            column = match.start() - text.rfind("\n", 0, match.start())
            yield Mutant(path, line, column, match.start(), match.end(), was, str(int(was) + 1) if becomes == "+1" else becomes)
