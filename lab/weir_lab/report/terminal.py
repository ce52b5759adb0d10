"""The summary for a terminal of 80 columns: the change between two builds, if there are two; for each kind of work the
targets from the best, with their ratio to the floor; and what the lab says of itself."""

import textwrap
from collections.abc import Iterator

from weir_lab.core.result import Cell, Result, Row
from weir_lab.report import change, rated, summary
from weir_lab.report.figures import Figures, Group, deciding, short
from weir_lab.report.plots import groups_to_draw, typical
from weir_lab.statistics import words
from weir_lab.statistics.measures import MEASURES

WIDTH = 80


def text(result: Result) -> str:
    figures = Figures(result)
    return "\n".join((*change.lines(figures), *_lines(figures)))


def _lines(figures: Figures) -> Iterator[str]:
    for group in (*groups_to_draw(figures), *rated.groups(figures)):
        rows: dict[Row, list[Cell]] = {}
        for cell in figures.in_group(group):
            if group.is_rated or cell.connections == typical(figures, group):
                rows.setdefault(cell.row, []).append(cell)
        for _, cells in sorted(rows.items(), key=lambda row: row[0].rate or 0.0):
            yield from _row(figures, group, cells)
            yield ""
    for said in (summary.lab_error(figures), summary.drifted(figures)):
        yield from textwrap.wrap(said, WIDTH)


def _row(figures: Figures, group: Group, cells: list[Cell]) -> Iterator[str]:
    measure = MEASURES[deciding(cells[0])]
    asked = f", {words.rate(cells[0].rate)}" if cells[0].rate else ""
    load = f"{words.connections(cells[0].connections)}{words.workers(group.workers)}{asked}"
    title = f"{group.scenario}, {load}: {measure.title}"
    yield from textwrap.wrap(title, WIDTH)
    known = [(one, cell) for cell in cells if (one := figures.summary(cell, measure.name))]
    known.sort(key=lambda one: one[0].middle, reverse=not measure.less_is_better)
    for one, cell in known:
        found = figures.to_floor(cell, measure.name)
        ratio = words.times(found).replace(" to ", "-") if found else ""
        state = rated.short_of(figures, cell)
        figure = f"{words.of(one, measure)} {words.spread(one)}" if not one.bound else words.of(one, measure)
        yield f"  {short(cell.target):<28.28} {figure:>22} {f'n={one.count}':>5} {ratio:>19}".rstrip()
        if state:
            yield f"    {state}"
    for cell in cells:
        if figures.runs(cell) and not figures.counted(cell):
            said = f"{short(cell.target)}: refused: {'; '.join(figures.runs(cell)[0].refused)}"
            yield from textwrap.wrap(said, WIDTH, initial_indent="  ", subsequent_indent="    ")
