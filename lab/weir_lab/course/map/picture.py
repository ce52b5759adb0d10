"""A committed result as one picture, for README.md and the demonstration site: a row for each kind of work, a column
for each engine, and in each field how far the engine is behind the best. `./run lab tables` writes it."""

import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

from weir_lab.core import built, families
from weir_lab.core.result import Cell, Result, Row
from weir_lab.core.target import is_control
from weir_lab.course.map.winners import ROUNDS_MIN
from weir_lab.drawing import svg
from weir_lab.report.figures import Figures, deciding, short
from weir_lab.report.standalone import sheet
from weir_lab.statistics import words

FILE = built.REPOSITORY / "www" / "images" / "which-wins.svg"
RESULT = "2026-11-21"  # a folder of docs/results
ENGINES_MIN = 5  # a row with fewer compares too little
WORK, COUNT, COLUMN, LINE = 212.0, 52.0, 37.0, 21.0
WORK_LETTERS = 36
NAMES, LEGEND = 150.0, 92.0  # heights above the fields, and below them
FAINTEST = 0.12

NOTE = (
    "A field says how many times the CPU of the best engine this one needs for a request; with a handler, how many "
    "times its rate the best has. ≈: the lab can't tell it from the best. ?: too few of its runs count. –: all of them "
    "were refused."
)


def drawn(result: Result) -> str:
    figures = Figures(result)
    rows = rows_of(figures)
    engines = [name for name in families.ENGINES if any(_cell(row, name) in figures.cells for row in rows)]
    width, height = WORK + COUNT + COLUMN * len(engines), NAMES + LINE * len(rows)
    parts = [*_names(engines), *_works(rows, width)]
    for number, row in enumerate(rows):
        for place, name in enumerate(engines):
            field = said(figures, _cell(row, name))
            parts += _field(field, name, WORK + COUNT + COLUMN * place, NAMES + LINE * number)
    parts += _legend(height + LINE)
    return sheet(width, height + LEGEND, parts, _in_words(figures, rows))


def rows_of(figures: Figures) -> list[Row]:
    """In the order of the result's work: closed loop, one worker, and engines enough."""
    counts = Counter(
        cell.row for cell in figures.cells if cell.target.startswith("weir/") and not is_control(cell.target)
    )
    rows = [row for row, count in counts.items() if count >= ENGINES_MIN and _is_plain(row)]
    works = list(dict.fromkeys(row.scenario for row in rows))
    return sorted(rows, key=lambda row: (works.index(row.scenario), row.connections))


def said(figures: Figures, cell: Cell) -> tuple[str, float]:
    """The words of a field, and its part of the best: 1 is as good."""
    if not figures.counted(cell):
        return ("–" if figures.runs(cell) else ""), 0.0
    measure = deciding(cell)
    best = _best(figures, cell.row)
    if cell == best:
        return "best", 1.0
    ratio = figures.ratio(cell, best, measure) if best else None
    if ratio is None:
        return "?", 0.0
    if not ratio.is_told:
        return "≈", 1.0
    times = ratio.middle if measure == "cpu" else 1 / ratio.middle
    return (f"{times:.1f}" if times < 10 else f"{times:.0f}"), 1 / max(times, 1.0)


def _is_plain(row: Row) -> bool:
    return row.generator == "wrk" and row.workers == 1 and row.rate is None


def _cell(row: Row, engine: str) -> Cell:
    return Cell(row.scenario, row.connections, row.generator, f"weir/{engine}", row.workers)


def _best(figures: Figures, row: Row) -> Cell | None:
    cells = [cell for cell in (_cell(row, name) for name in families.ENGINES) if cell in figures.cells]
    enough = [cell for cell in cells if len(figures.counted(cell)) >= ROUNDS_MIN]
    return figures.best(enough, deciding(cells[0])) if enough else None


def _names(engines: Sequence[str]) -> Iterator[str]:
    for place, name in enumerate(engines):
        x = WORK + COUNT + COLUMN * (place + 0.5) + 4
        yield svg.upwards(x, NAMES - 8, name, f"label {svg.family(f'weir/{name}')}")


def _works(rows: Sequence[Row], width: float) -> Iterator[str]:
    y = NAMES
    yield svg.text(0, y - 8, "work", "title")
    yield svg.text(WORK + COUNT - 8, y - 8, "connections", "title", "end")
    for work, of in groupby(rows, lambda row: row.scenario):
        counts = [row.connections for row in of]
        yield svg.line(0, y - 0.5, width, y - 0.5, "grid")
        for number, line in enumerate(textwrap.wrap(words.scenario(work), WORK_LETTERS)):
            yield svg.text(0, y + 15 + 15 * number, line)
        for number, count in enumerate(counts):
            yield svg.text(WORK + COUNT - 8, y + 15 + LINE * number, f"{count:,}", "tick", "end")
        y += LINE * len(counts)


def _field(field: tuple[str, float], name: str, x: float, y: float) -> Iterator[str]:
    shown, part = field
    if part:
        opacity = max(part, FAINTEST)
        yield svg.rectangle(x + 1, y + 1, COLUMN - 2, LINE - 2, f"bar {svg.family(f'weir/{name}')}", opacity)
    if shown:
        yield svg.text(x + COLUMN / 2, y + 15, shown, "on" if part > 0.6 else "tick", "middle")


def _legend(y: float) -> Iterator[str]:
    for number, (name, title) in enumerate(families.TITLES.items()):
        x, down = 300.0 * (number % 3), LINE * (number // 3)
        yield svg.rectangle(x, y + down, 13, 13, f"bar {name}")
        yield svg.text(x + 20, y + down + 11, title)
    for number, line in enumerate(textwrap.wrap(NOTE, 150)):
        yield svg.text(0, y + 54 + 16 * number, line, "tick")


def _in_words(figures: Figures, rows: Sequence[Row]) -> str:
    """For readers who do not see it: the best of each row, and those that can't be told from it."""
    found = []
    for row in rows:
        best = _best(figures, row)
        if best:
            ties = [name for name in families.ENGINES if said(figures, _cell(row, name))[0] == "≈"]
            tied = f", with {words.names(ties)} not told from it" if ties else ""
            where = f"{words.scenario(row.scenario)}, {words.connections(row.connections)}"
            found.append(f"{where}: {short(best.target)}{tied}")
    return f"Which architecture wins where. {'; '.join(found)}."
