"""Every figure of a result: mean, interval and number of runs; and the refused runs with their reasons."""

import re
from collections import defaultdict
from collections.abc import Container, Sequence
from html import escape

from weir_lab.core.result import Cell, Run
from weir_lab.core.scenario import SCENARIOS
from weir_lab.core.target import is_floor
from weir_lab.report import rated
from weir_lab.report.figures import ALL, GIVEN, Figures, Group, short
from weir_lab.statistics import words
from weir_lab.statistics.measures import Summary

COLUMNS = (
    ("cpu", "CPU / request"),
    ("user_seconds", "user"),
    ("system_seconds", "system"),
    ("rate", "requests / s"),
    ("asked", "asked / s"),
    ("mean", "mean"),
    ("p50", "p50"),
    ("p90", "p90"),
    ("p99", "p99"),
    ("p999", "p99.9"),
    ("max", "max"),
    ("memory", "memory"),
    ("idle", "memory / idle connection"),
    ("calls", "system calls / request"),
    ("instructions", "instructions / request"),
    ("cycles", "cycles / request"),
    ("cache-misses", "cache misses / request"),
    ("switches", "switches / request"),
    ("bytes", "bytes / s"),
    ("established", "connections held"),
)

NUMBER = ' class="number"'


def table(caption: str, head: Sequence[str], rows: Sequence[str], numbers_from: int = 1, kind: str = "whole") -> str:
    """It scrolls by itself, and on a phone each row is a block whose cells name their columns. `rows` are HTML."""
    cells = "".join(
        f'<th scope="col"{NUMBER if at >= numbers_from else ""}>{escape(name)}</th>' for at, name in enumerate(head)
    )
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(caption)}"><table class="{kind}">'
        f"<caption>{escape(caption)}</caption>"
        f"<thead><tr>{cells}</tr></thead>"
        f"<tbody>{''.join(_named(row, head) for row in rows)}</tbody></table></div>"
    )


class Html(str):
    """Is not escaped in a cell."""


def row(*cells: str, numbers: Container[int] = (), name_at: int = 0, kind: str = "") -> str:
    """`numbers`: the places of cells with numbers. `name_at`: that of the cell which names the row."""
    parts = []
    for at, said in enumerate(cells):
        shown = said if isinstance(said, Html) else escape(said)
        tag = ' scope="row"' if at == name_at else NUMBER if at in numbers else ""
        parts.append(f"<th{tag}>{shown}</th>" if at == name_at else f"<td{tag}>{shown}</td>")
    of_kind = f' class="{kind}"' if kind else ""
    return f"<tr{of_kind}>{''.join(parts)}</tr>"


def _named(row: str, head: Sequence[str]) -> str:
    """Each cell of the row with the name of its column, which a phone shows beside it."""
    names = iter(head)
    return re.sub(r"<td\b(?! colspan)|<th\b", lambda found: _with_name(found[0], next(names, "")), row)


def _with_name(tag: str, name: str) -> str:
    return f'{tag} data-column="{escape(name)}"' if tag == "<td" and name else tag


def of_group(figures: Figures, group: Group) -> str:
    """Leaves out columns without figures."""
    cells = sorted(figures.in_group(group), key=lambda cell: (cell.connections, cell.rate or 0.0))
    columns = [(name, title) for name, title in COLUMNS if any(figures.summary(cell, name) for cell in cells)]
    head = [
        "target",
        "rate" if group.is_rated else "connections",
        "runs",
        *(["× floor"] if any(figures.to_floor(cell, "cpu") for cell in cells) else []),
        *(title for _, title in columns),
        *(["memory / connection"] if slopes(figures, cells) else []),
    ]
    each = slopes(figures, cells)
    rows = [_row(figures, cell, [name for name, _ in columns], "× floor" in head, each) for cell in cells]
    kept = f"; {words.connections(group.connections)}, at fixed rates" if group.connections else ""
    title = f"{words.scenario(group.scenario)}{kept}{words.workers(group.workers)}; generator {group.generator}"
    return table(title, head, rows)


def _row(figures: Figures, cell: Cell, columns: list[str], with_floor: bool, slopes: dict[str, float]) -> str:
    counted, every = len(figures.counted(cell)), len(figures.runs(cell))
    parts = [
        f'<th scope="row">{escape(short(cell.target))}</th>',
        _number(words.rate(cell.rate), rated.short_of(figures, cell))
        if cell.rate
        else _number(f"{cell.connections:,}"),
        _number(f"{counted} of {every}" if counted < every else str(counted)),
    ]
    width = len(columns) + with_floor + bool(slopes)
    if counted == 0:
        reasons = (
            "; ".join(dict.fromkeys(reason for run in figures.runs(cell) for reason in run.refused)) or "only traced"
        )
        return f'<tr class="none">{"".join(parts)}<td colspan="{width}">refused: {escape(reasons)}</td></tr>'
    if with_floor:
        ratio = figures.to_floor(cell, "cpu")
        parts.append(
            _number(words.ratio(ratio.middle), words.interval(ratio.low, ratio.high))
            if ratio
            else _number(words.MISSING)
        )
    parts += [_cell(figures.summary(cell, name), name) for name in columns]
    if slopes:
        parts.append(_number(words.size(slopes[cell.target]) if cell.target in slopes else words.MISSING))
    kind = ' class="floor"' if is_floor(cell.target) else ""
    return f"<tr{kind}>{''.join(parts)}</tr>"


def _cell(found: Summary | None, measure: str) -> str:
    if not found or found.bound == "limited":
        return _number(words.of(found, ALL[measure]), "by the generator" if found else "")
    scatters = found.count > 1 and measure not in GIVEN
    return _number(words.of(found, ALL[measure]), words.spread(found) if scatters else "")


def _number(value: str, below: str = "") -> str:
    return f'<td class="number">{escape(value)}{f"<small>{escape(below)}</small>" if below else ""}</td>'


def slopes(figures: Figures, cells: Sequence[Cell]) -> dict[str, float]:
    """Resident memory for each further connection, between the fewest and the most. Needs a thousand more: with fewer,
    noise dominates."""
    found = {}
    for target in dict.fromkeys(cell.target for cell in cells):
        points = sorted(
            (cell.connections, one.middle)
            for cell in cells
            if cell.target == target and cell.rate is None and (one := figures.summary(cell, "memory"))
        )
        if len(points) > 1 and points[-1][0] - points[0][0] >= 900:
            found[target] = max((points[-1][1] - points[0][1]) / (points[-1][0] - points[0][0]), 0.0)
    return found


def cross_check(figures: Figures) -> str:
    """The same target loaded by two generators, which should agree about its cost."""
    alike: dict[tuple[str, int, str, int], list[Cell]] = defaultdict(list)
    for cell in figures.cells:
        if not _is_open(cell):
            alike[cell.target, cell.connections, cell.scenario, cell.workers].append(cell)
    rows = [_of_generators(figures, cells) for cells in alike.values() if len(cells) > 1]
    if not rows:
        return ""
    return table(
        "The same work by several generators: server CPU per request, and requests per second",
        ["target", "work", "connections", "generator: CPU per request, rate"],
        rows,
        numbers_from=2,
    )


def _of_generators(figures: Figures, cells: Sequence[Cell]) -> str:
    def said(cell: Cell) -> str:
        if not figures.counted(cell):
            return f"{cell.generator}: refused"
        cpu, rate = (words.of(figures.summary(cell, name), ALL[name]) for name in ("cpu", "rate"))
        return f"{cell.generator}: {cpu}, {rate}"

    first = cells[0]
    generators = Html("<br>".join(escape(said(cell)) for cell in cells))
    work = words.scenario(first.scenario)
    return row(short(first.target), work, f"{first.connections:,}", generators, numbers=(2, 3))


def refused(figures: Figures) -> str:
    """Puts the same reasons of the same cell together."""
    alike: dict[tuple[Cell, tuple[str, ...]], list[Run]] = defaultdict(list)
    for run in figures.refused():
        alike[run.cell, tuple(run.refused)].append(run)
    for run in figures.limited():
        alike[run.cell, (f"its rate and latency are bounds: {run.limited}",)].append(run)
    if not alike:
        return "<p>No run was refused.</p>"
    rows = [_refusal(cell, reasons, runs) for (cell, reasons), runs in alike.items()]
    return table(
        "Refused runs, which no figure includes; and runs whose rate and latency are bounds",
        ["target", "work", "connections", "generator", "rounds", "rate", "reason"],
        rows,
        numbers_from=99,
    )


def _refusal(cell: Cell, reasons: tuple[str, ...], runs: list[Run]) -> str:
    rates = [run.load.rate for run in runs if run.load]
    rate = words.figure(sum(rates) / len(rates), "/s") if rates else words.MISSING
    rounds = ", ".join("traced" if run.traced else str(run.round + 1) for run in runs)
    work, connections = cell.scenario + words.setting(cell), f"{cell.connections:,}"
    return row(short(cell.target), work, connections, cell.generator, rounds, rate, "; ".join(reasons))


def _is_open(cell: Cell) -> bool:
    known = SCENARIOS.get(cell.scenario)
    if cell.rate is not None:
        return True
    return known is not None and known.part_of_capacity is not None
