"""Compares two results, in the terminal and as a page."""

from collections import Counter
from collections.abc import Sequence
from html import escape
from pathlib import Path

from rich.console import Group, RenderableType
from rich.text import Text

from weir_lab.core.result import Cell, Result
from weir_lab.report import tables
from weir_lab.report.figures import short
from weir_lab.report.page import Section, write_page
from weir_lab.report.screen import plain_table
from weir_lab.statistics import words
from weir_lab.statistics.measures import BETWEEN_RESULTS, Comparison, compare

VERDICTS = ("faster", "slower", "can't tell")
SIGNS = {"faster": "▲ faster", "slower": "▼ slower", "can't tell": "· can't tell"}
STYLES = {"faster": "bold green", "slower": "bold red", "can't tell": "dim"}
HEAD = ("work", "target", "measure", "A", "B", "B / A", "95 % range", "B is")


def compare_table(a: Result, b: Result) -> Group:
    """For rich's console: the counts, the rows, and what could not be compared."""
    found = compare(a, b)
    table = plain_table()
    for number, name in enumerate(HEAD):
        table.add_column(name, justify="right" if 3 <= number <= 6 else "left", overflow="fold")
    for one in _in_order(found):
        table.add_row(*_row(one), Text(SIGNS[one.verdict], style=STYLES[one.verdict]))
    notes = [Text(one) for one in _notes(a, b, found)]
    parts: list[RenderableType] = [Text(counts(found), style="bold")]
    parts += [Text(), table] if found else []
    return Group(*parts, *([Text(), *notes] if notes else []))


def write_comparison(a: Result, b: Result, path: Path) -> None:
    found = compare(a, b)
    rows = [_html_row(one) for one in _in_order(found)]
    notes = "".join(f"<p>{escape(one)}</p>" for one in _notes(a, b, found))
    table = tables.table("Every row that both results have", HEAD, rows, 3) if rows else ""
    lead = f"A: {a.title}, {a.started}. B: {b.title}, {b.started}."
    said = (
        f'<p class="counts">{escape(counts(found))}</p><p>There is a verdict if the 95 % range of B / A does not '
        "contain 1. The range "
        f"is Welch's for the rounds' spread, widened by {BETWEEN_RESULTS:.0%}, or by the move of the floor between "
        "the two if that "
        f"is more.</p>"
    )
    sections = [Section("Verdicts", said + table), Section("Notes", notes or "<p>Both results have the same rows.</p>")]
    write_page("A beside B", lead, sections, path)


def counts(found: Sequence[Comparison]) -> str:
    if not found:
        return "nothing to compare: the results share no row with two runs that count in each"
    times = Counter(one.verdict for one in found)
    return f"B beside A, {words.count(len(found), 'row')}: " + ", ".join(
        f"{times[verdict]} {verdict}" for verdict in VERDICTS
    )


def _in_order(found: Sequence[Comparison]) -> list[Comparison]:
    """Puts what has changed first."""
    return sorted(found, key=lambda one: (one.verdict == "can't tell", one.cell, one.measure.name))


def _row(one: Comparison) -> tuple[str, ...]:
    return (
        _work(one.cell),
        short(one.cell.target),
        one.measure.title,
        f"{words.of(one.a, one.measure)} {words.spread(one.a)}",
        f"{words.of(one.b, one.measure)} {words.spread(one.b)}",
        words.ratio(one.ratio),
        words.interval(one.low, one.high),
    )


def _html_row(one: Comparison) -> str:
    kind = one.verdict.replace("'", "").replace(" ", "-")
    return tables.row(*_row(one), SIGNS[one.verdict], numbers=range(3, 8), name_at=1, kind=kind)


def _work(cell: Cell) -> str:
    return f"{cell.scenario}, {words.connections(cell.connections)}, {cell.generator}{words.setting(cell)}"


def _notes(a: Result, b: Result, found: Sequence[Comparison]) -> list[str]:
    """What a reader must know before they trust a row."""
    in_a, in_b = ({run.cell for run in one.runs} for one in (a, b))
    compared = {one.cell for one in found}
    notes = []
    if a.machine.processor != b.machine.processor or a.machine.kernel != b.machine.kernel:
        notes.append(
            f"The machines differ ({a.machine.processor}, Linux {a.machine.kernel}; {b.machine.processor}, Linux "
            f"{b.machine.kernel}), so no ratio says anything about a server."
        )
    if a.placement != b.placement:
        notes.append(f"The placement differs: {a.placement or 'not said'}; {b.placement or 'not said'}.")
    if missing := (in_a & in_b) - compared:
        notes.append(
            f"{words.count(len(missing), 'cell')} can't be compared, because they lack two runs that count in both: "
            f"{_named(missing)}."
        )
    for name, only in (("A", in_a - in_b), ("B", in_b - in_a)):
        if only:
            notes.append(f"Only {name} has {words.count(len(only), 'cell')}: {_named(only)}.")
    return notes


def _named(cells: set[Cell]) -> str:
    first = [f"{short(cell.target)} ({cell.scenario}, {cell.connections:,})" for cell in sorted(cells)[:5]]
    return ", ".join(first) + (f", and {len(cells) - 5} more" if len(cells) > 5 else "")
