#!/usr/bin/env python3
"""Writes the tables of the engines, in the source, the documents and the site, from src/engines/engines.toml.

    python3 tools/engine_rows.py             writes it
    python3 tools/engine_rows.py --check     says which files are not as they would be written, and how to mend them

A file has generated parts between two markers: a line with `engines: begin NAME` and a line with `engines: end`. PARTS
has a function for each name."""

import json
import re
import sys
import tomllib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
ROWS = Path("src/engines/engines.toml")
FILES = ("src/engines/engines.cpp", "src/engines/entry_points.h", "src/engines/CMakeLists.txt", "README.md",
         "docs/engines.md", "docs/which-engine.md", "www/architectures.html")
PART = re.compile(r"(^[^\n]*engines: begin (\w+)[^\n]*\n)(.*?)(^[^\n]*engines: end)", re.MULTILINE | re.DOTALL)
DRAWING = re.compile(r"!\[[^\]]*\]\(\.\./www/images/engines/([\w-]+)\.svg\)")
COLUMNS_MAX = 100  # of C++


class Wrong(Exception):
    """Says which row is wrong, and how."""


@dataclass(frozen=True)
class Family:
    """How its engines wait. Pages explain the families in the order of the file."""

    title: str
    about: str
    colour: tuple[str, str]  # of the lab's plots, light and dark


@dataclass(frozen=True)
class Costs:
    """As docs/engines.md explains them."""

    idle: str  # memory of a connection
    calls: str  # of a request, with one connection
    of_100: str  # calls of a request, with 100 connections
    of_one_request: str  # calls of a connection that has one request
    switches: str  # between threads, of a request, with 100 connections


@dataclass(frozen=True)
class Engine:
    name: str
    family: str
    summary: str
    waits: str
    handlers_run: str
    shared: str
    good_at: str
    bad_at: str
    costs: Costs
    drawing: str  # what its drawing shows, for readers who can't see it
    has: tuple[str, ...] = ()  # the members has_... of struct Engine
    forks: str = ""  # a value of enum Process
    frees_port_within_s: int = 0
    may_be_unavailable: bool = False  # it has a function NAME_unavailable()
    is_optional: bool = False  # the build may leave it out

    @property
    def function(self) -> str:
        return self.name.replace("-", "_")


@dataclass(frozen=True)
class Rows:
    families: dict[str, Family]
    engines: list[Engine]


def read(root: Path = ROOT) -> Rows:
    """The engines of a family stand together, in the order of the file."""
    data = tomllib.loads((root / ROWS).read_text(encoding="utf-8"))
    families = {name: Family(**row) for name, row in data["family"].items()}
    order = list(families)
    engines = sorted(map(engine, data["engine"].items()), key=lambda one: order.index(one.family))
    return Rows(families, engines)


def engine(item: tuple[str, dict[str, Any]]) -> Engine:
    name, row = item
    try:
        return Engine(name, **row | {"costs": Costs(**row["costs"])})
    except (KeyError, TypeError) as error:
        raise Wrong(f"{ROWS}: [engine.{name}]: {error}") from None


# --- C++ ------------------------------------------------------------------------------------------------------------


def table(rows: Rows) -> Iterable[str]:
    """The rows of engines.cpp, as clang-format lays them out."""
    for one in rows.engines:
        yield "    Engine{"
        for name, value in members(one):
            line = f"        .{name} = {value},"
            yield line if len(line) <= COLUMNS_MAX else f"        .{name} =\n            {value},"
        yield "    },"


def members(one: Engine) -> Iterable[tuple[str, str]]:
    for name in ("name", "waits", "handlers_run", "good_at", "bad_at"):
        yield name, json.dumps(getattr(one, name), ensure_ascii=False)
    for name in one.has:
        yield f"has_{name}", "true"
    if one.forks:
        yield "forks", f"Process::{one.forks}"
    if one.frees_port_within_s:
        yield "frees_port_within", f"std::chrono::seconds{{{one.frees_port_within_s}}}"
    yield "run", f"run_{one.function}"
    if one.may_be_unavailable:
        yield "unavailable", f"{one.function}_unavailable"


def entry_points(rows: Rows) -> Iterable[str]:
    for one in rows.engines:
        yield f"std::error_code run_{one.function}(Host& host);"
        if one.may_be_unavailable:
            yield f"std::string_view {one.function}_unavailable();"


def sources(rows: Rows) -> Iterable[str]:
    return (f"        {one.function}.cpp" for one in rows.engines if not one.is_optional)


# --- Markdown -------------------------------------------------------------------------------------------------------


def markdown(head: Iterable[str], lines: Iterable[Iterable[str]]) -> Iterable[str]:
    head = list(head)
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    yield from (f"| {' | '.join(cells)} |" for cells in lines)


def waits(rows: Rows) -> Iterable[str]:
    return markdown(["engine", "what waits", "where handlers run"],
                    ([f"`{one.name}`", one.waits, one.handlers_run] for one in rows.engines))


def overview(rows: Rows) -> Iterable[str]:
    return markdown(["engine", "what waits", "where handlers run", "good at"],
                    ([f"[`{one.name}`](#{one.name})", one.waits, one.handlers_run, one.good_at] for one in rows.engines))


def choice(rows: Rows) -> Iterable[str]:
    return markdown(["engine", "good at", "bad at"],
                    ([f"[`{one.name}`](engines.md#{one.name})", one.good_at, one.bad_at] for one in rows.engines))


def costs(rows: Rows) -> Iterable[str]:
    head = ["engine", "idle connection", "calls a request, 1 connection", "100 connections", "a connection of one request",
            "switches a request, 100 connections"]
    return markdown(head, ([f"`{one.name}`", *vars(one.costs).values()] for one in rows.engines))


# --- HTML -----------------------------------------------------------------------------------------------------------


def site(rows: Rows) -> Iterable[str]:
    numbers = {one.name: number for number, one in enumerate(rows.engines, 1)}
    for key, family in rows.families.items():
        yield f"""\
    <section class="page section" aria-labelledby="family-{key}">
      <h2 id="family-{key}">{in_html(family.title)}</h2>
      <p>{in_html(family.about)}</p>
      <div class="architectures">"""
        yield from (article(one, numbers[one.name]) for one in rows.engines if one.family == key)
        yield "      </div>\n    </section>"


def article(one: Engine, number: int) -> str:
    facts = {"waits": one.waits, "handlers": one.handlers_run, "shared": one.shared, "good at": one.good_at, "bad at": one.bad_at}
    listed = "\n".join(f"            <dt>{name}</dt><dd>{in_html(fact)}</dd>" for name, fact in facts.items())
    return f"""\
        <article class="architecture" id="{one.name}">
          <header><span class="order">{number}</span><h3>{one.name}</h3></header>
          <img src="images/engines/{one.name}.svg" width="480" height="310" loading="lazy"
               alt="{in_html(one.drawing)}">
          <p>{in_html(one.summary)}</p>
          <dl class="facts">
{listed}
          </dl>
        </article>"""


def in_html(text: str) -> str:
    return escape(text.replace("'", "’"))


# --- writing --------------------------------------------------------------------------------------------------------


PARTS: dict[str, Callable[[Rows], Iterable[str]]] = {
    "table": table, "entry_points": entry_points, "sources": sources, "waits": waits, "overview": overview,
    "choice": choice, "costs": costs, "site": site,
}


def rewritten(text: str, rows: Rows) -> str:
    """With the parts between its markers, and what its pictures show, as the rows have them."""
    drawings = {one.name: one.drawing for one in rows.engines}
    text = PART.sub(lambda found: found[1] + "".join(f"{line}\n" for line in PARTS[found[2]](rows)) + found[4], text)
    return DRAWING.sub(lambda found: f"![{drawings[found[1]]}]{found[0].partition(']')[2]}", text)


def outdated(root: Path = ROOT) -> dict[Path, str]:
    """Each file that is not as the rows have it, and what it should be."""
    rows = read(root)
    texts = {root / name: (root / name).read_text(encoding="utf-8") for name in FILES}
    return {path: new for path, text in texts.items() if (new := rewritten(text, rows)) != text}


def write(root: Path = ROOT) -> None:
    for path, text in outdated(root).items():
        path.write_text(text, encoding="utf-8")


def main(arguments: list[str]) -> int:
    if arguments not in ([], ["--check"]):
        print(__doc__)
        return 2
    try:
        if not arguments:
            write()
            return 0
        found = [str(path.relative_to(ROOT)) for path in outdated()]
    except Wrong as error:
        print(error, file=sys.stderr)
        return 2
    if found:
        print(f"not as {ROWS} has it: {', '.join(found)}; to write it: python3 tools/engine_rows.py")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
