#!/usr/bin/env python3
"""How much of the engines' source is copied, how long each engine is, and in how many lines two pairs of them differ.

    python3 tools/engine_figures.py                      the source as it is
    python3 tools/engine_figures.py --at REV             the source as it was at a revision
    python3 tools/engine_figures.py --before REV         both, side by side
    python3 tools/engine_figures.py --copies             each copied member function, and the engines that have it

An engine is a file whose name is that of the function run_NAME(Host&) that it defines: NAME.cpp, anywhere below
src/engines/. What an engine shares with others lies in other files and is not counted.

Lines of member functions are the lines from a member function's first line to its last brace, except for comments and
blank lines. Constructors and destructors do not count: they name what the class has. A member function is an exact copy
if a member function of another engine has the same lines, indentation aside. Each copy after the first counts. At
397223a this reading finds 567 copied lines of 1,781, which is 32 %. With constructors and destructors it would be 569
of 1,856, which is 31 %. `drive`, with the switch over the steps, is copied on purpose: the second row leaves it out.

Two engines differ in the lines of code that `diff` shows when comments, blank lines, includes and the engines' own
names (of their classes and of their run_ functions) are left out; a line that has changed counts once. The raw figures
count the lines of the whole files, those removed and those added."""

import argparse
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path, PurePosixPath

from cpp_source import Tree, declarations, without_comments

ROOT = Path(__file__).resolve().parent.parent
SIBLINGS = [("epoll_level", "epoll_edge"), ("blocking", "thread_per_connection")]


# --- reading ------------------------------------------------------------------------------------------------------


def engines_at(revision: str | None) -> Tree:
    """The text of each engine by its name, in the working tree or at a revision."""
    if revision is None:
        texts = {str(path): path.read_text(encoding="utf-8") for path in (ROOT / "src/engines").rglob("*.cpp")}
    else:
        listed = git("ls-tree", "-r", "--name-only", revision, "src/engines").split()
        texts = {path: git("show", f"{revision}:{path}") for path in listed if path.endswith(".cpp")}
    return {name: text for path, text in texts.items() if defines_engine(name := PurePosixPath(path).stem, text)}


def git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def defines_engine(name: str, text: str) -> bool:
    return re.search(rf"^std::error_code run_{name}\(Host&( \w+)?\)", text, re.MULTILINE) is not None


def member_functions(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The name and the lines of each member function that the text defines."""
    stripped = without_comments(text)
    for each in declarations(text):
        if each.kind == "function" and each.has_body and each.owner and each.name.lstrip("~") != each.owner:
            yield each.name, code_lines(stripped[each.begin : each.end])


def code_lines(text: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in without_comments(text).splitlines() if line.strip())


# --- counting -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Copies:
    total: int
    copied: int

    @property
    def percent(self) -> float:
        return 100 * self.copied / self.total if self.total else 0.0


def copies(engines: Tree, wanted: Callable[[str], bool] = lambda name: True) -> Copies:
    """The lines of member functions, and how many of them stand in an engine that is not the first to have them."""
    total, copied, holders = 0, 0, dict[tuple[str, ...], str]()
    for engine in sorted(engines):
        for name, lines in member_functions(engines[engine]):
            if wanted(name):
                total += len(lines)
                copied += len(lines) if holders.setdefault(lines, engine) != engine else 0
    return Copies(total, copied)


def copied_functions(engines: Tree) -> list[str]:
    """Each member function that several engines have: its lines, its name, the engines. The longest first."""
    holders: dict[tuple[str, ...], dict[str, str]] = {}
    for engine in sorted(engines):
        for name, lines in member_functions(engines[engine]):
            holders.setdefault(lines, {})[engine] = name
    copied = sorted(((lines, have) for lines, have in holders.items() if len(have) > 1),
                    key=lambda each: -len(each[0]) * (len(each[1]) - 1))
    return [f"{len(lines):3} lines  {next(iter(have.values()))}: {', '.join(have)}" for lines, have in copied]


def length(text: str) -> int:
    """The lines below the comment that explains the architecture."""
    lines = text.splitlines()
    return len(lines) - len(list(takewhile(lambda line: line.startswith("//"), lines)))


def comparable(engine: str, text: str) -> tuple[str, ...]:
    """The lines of code, with the same words in place of each engine's own names."""
    own = [each.name for each in declarations(text) if each.kind == "type" and not each.owner]
    for number, name in enumerate(own):
        text = re.sub(rf"\b{name}\b", f"Class{number}", text)
    text = re.sub(rf"\brun_{engine}\b", "run_engine", text)
    return tuple(line for line in code_lines(text) if not line.startswith("#"))


def hunks(before: tuple[str, ...], after: tuple[str, ...]) -> list[tuple[int, int]]:
    """(lines removed, lines added) of each place where the two differ, by a longest common subsequence."""
    rows, columns = len(before), len(after)
    common = [[0] * (columns + 1) for _ in range(rows + 1)]
    for i in range(rows - 1, -1, -1):
        for j in range(columns - 1, -1, -1):
            same = before[i] == after[j]
            common[i][j] = common[i + 1][j + 1] + 1 if same else max(common[i + 1][j], common[i][j + 1])
    found, i, j, start = [], 0, 0, (0, 0)
    while i < rows or j < columns:
        if i < rows and j < columns and before[i] == after[j]:
            found.append((i - start[0], j - start[1]))
            i, j = i + 1, j + 1
            start = (i, j)
        elif j == columns or (i < rows and common[i + 1][j] >= common[i][j + 1]):
            i += 1
        else:
            j += 1
    found.append((i - start[0], j - start[1]))
    return [hunk for hunk in found if hunk != (0, 0)]


def difference(one: str, other: str, engines: Tree) -> str:
    if one not in engines or other not in engines:
        return "-"
    found = hunks(comparable(one, engines[one]), comparable(other, engines[other]))
    raw = hunks(tuple(engines[one].splitlines()), tuple(engines[other].splitlines()))
    return f"{sum(map(max, found))} ({in_words(found)}; raw {in_words(raw)})"


def in_words(found: list[tuple[int, int]]) -> str:
    return f"-{sum(removed for removed, _ in found)} +{sum(added for _, added in found)}"


# --- printing -----------------------------------------------------------------------------------------------------


def figures(engines: Tree) -> dict[str, str]:
    """Each figure in words, by what it is about."""
    rows = {}
    for about, wanted in [("all", lambda name: True), ("without drive", lambda name: name != "drive")]:
        found = copies(engines, wanted)
        rows[f"copied lines of member functions, {about}"] = f"{found.copied} of {found.total} ({found.percent:.1f} %)"
    for one, other in SIBLINGS:
        rows[f"{one} and {other} differ in lines"] = difference(one, other, engines)
    lengths = {name: length(text) for name, text in engines.items()}
    rows |= {f"lines of {name}": str(lines) for name, lines in sorted(lengths.items())}
    return rows | {f"lines of all {len(lengths)} engines": str(sum(lengths.values()))}


def table(columns: dict[str, dict[str, str]]) -> str:
    """One row for each figure, one column for each tree."""
    names = list(Counter(name for rows in columns.values() for name in rows))
    cells = [["", *columns]] + [[name, *(rows.get(name, "-") for rows in columns.values())] for name in names]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--at", metavar="REV", help="count the source of this git revision")
    parser.add_argument("--before", metavar="REV", help="show the figures of this git revision beside the others")
    parser.add_argument("--copies", action="store_true", help="list the copied member functions")
    options = parser.parse_args()
    if options.copies:
        print("\n".join(copied_functions(engines_at(options.at))))
        return 0
    revisions = [*([options.before] if options.before else []), options.at]
    print(table({revision or "now": figures(engines_at(revision)) for revision in revisions}))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except subprocess.CalledProcessError as error:
        sys.exit(error.stderr)
