"""The answer of `./run lab`: the engine for each kind of work, its distance from the floor, and the limit."""

import statistics
import textwrap
from collections.abc import Sequence
from html import escape

from rich.bar import Bar
from rich.console import Group, RenderableType
from rich.text import Text

from weir_lab.core.result import Cell, Result
from weir_lab.core.scenario import SCENARIOS
from weir_lab.core.target import is_control, is_floor
from weir_lab.course.map import limits
from weir_lab.course.map.page import Field, fields_of, lead_in_words
from weir_lab.course.map.winners import Verdict
from weir_lab.experiments import experiment as experiments
from weir_lab.report import Section, plots
from weir_lab.report.figures import ALL, Figures, is_weir, short
from weir_lab.report.screen import plain_table
from weir_lab.report.terminal import WIDTH
from weir_lab.statistics import words
from weir_lab.statistics.measures import Measure
from weir_lab.verify.validity import SERVER_AT_WORK

NAME_WIDTH, BAR_WIDTH = 24, 26
TITLE, LIMITS = "Which engine for your load", "Your limits"


def sections(result: Result) -> list[Section]:
    """For the beginning of the report. Empty if the experiment does not ask for an answer."""
    if not experiments.answers(result.experiment):
        return []
    figures = Figures(result)
    plates = "".join(_plate(figures, one) for one in _fields(result))
    found = "".join(
        f"<div><dt>{name}</dt><dd>{escape(said)}</dd></div>" for name, said in limits.of(figures, _limited(figures))
    )
    return [
        Section(TITLE, f'<div class="pairs">{plates}</div>' if plates else "<p>Too few runs count.</p>"),
        Section(LIMITS, f'<dl class="facts">{found}</dl>'),
    ]


def picture(result: Result) -> Group:
    """For rich's console, 80 columns wide."""
    figures = Figures(result)
    parts: list[RenderableType] = []
    for one in _fields(result):
        bars = [_bars(figures, one)] if one.verdict else []
        parts += [Text(heading(one), style="bold"), *bars, *_wrapped(told(figures, one)), Text()]
    parts.append(Text(LIMITS, style="bold"))
    for name, said in limits.of(figures, _limited(figures)):
        parts += _wrapped(said, f"  {name:<12}", " " * 14)
    return Group(*parts)


def heading(field: Field) -> str:
    return f"{words.scenario(field.work)}; {words.connections(field.connections)}"


def told(figures: Figures, field: Field) -> str:
    """The engine to take, its lead, its distance from the floor, and the limit."""
    found, best = field.verdict, _best(figures, field)
    if found is None or best is None:
        why = "; ".join(dict.fromkeys(field.refused.values()))
        return f"Too few runs count to name an engine{f': {why}' if why else ''}."
    said = [_choice(found)]
    floor = figures.floor(best, "cpu")
    if floor and (ratio := figures.ratio(best, floor, "cpu")):
        times = f"{words.ratio(ratio.middle)} times the CPU ({words.interval(ratio.low, ratio.high)})"
        said.append(f"It needs {times} of {floor.target}, which doesn't parse.")
    return " ".join([*said, f"The limit: {limit_of(figures, best)}."])


def limit_of(figures: Figures, cell: Cell) -> str:
    """What kept the server from more requests."""
    runs = [(run.server, run.load) for run in figures.counted(cell) if run.server and run.load and run.load.seconds > 0]
    if any(run.limited for run in figures.counted(cell)):
        return "the load generator; the server can do more"
    busy = statistics.fmean(server.cpu_seconds / load.seconds / cell.workers for server, load in runs)
    if busy >= SERVER_AT_WORK:
        return f"the CPU; the server used all of {words.count(cell.workers, 'core')}"
    if seconds := SCENARIOS[cell.scenario].handler_seconds:
        inside = statistics.fmean(load.rate for _, load in runs) * seconds
        return f"the handler; about {max(inside, 1):,.0f} of {cell.connections:,} requests are in it at a time"
    return f"neither the CPU ({busy:.0%} was used) nor the load generator"


def _fields(result: Result) -> list[Field]:
    experiments.recall(result.experiment)
    found = fields_of(result, lambda cell: is_weir(cell.target) and not is_control(cell.target) and cell.rate is None)
    works = list(SCENARIOS)
    return sorted(found, key=lambda one: (works.index(one.work), one.connections))


def _limited(figures: Figures) -> list[bool]:
    """Of each kind of work, whether the load generator was the limit of the best."""
    best = (_best(figures, one) for one in _fields(figures.result))
    return [any(run.limited for run in figures.counted(cell)) for cell in best if cell]


def _best(figures: Figures, field: Field) -> Cell | None:
    if field.verdict is None:
        return None
    name = field.verdict.winners[0]
    return next(
        cell
        for cell in figures.cells
        if (cell.scenario, cell.connections, short(cell.target)) == (field.work, field.connections, name)
    )


def _choice(found: Verdict) -> str:
    best, *ties = found.winners
    tied = f", or {words.names(ties)}, which can't be told apart from it" if ties else ""
    return f"Take {best}{tied}{f': {lead_in_words(found)}' if found.lead else ''}."


def _rows(figures: Figures, field: Field) -> tuple[Measure, list[Cell]]:
    """What decides, and the cells with a figure of it, from the best to the worst."""
    best = _best(figures, field)
    measure = ALL["cpu" if field.verdict is None or field.verdict.decided_by == "CPU" else "rate"]
    found = [
        (known.middle, cell)
        for cell in (figures.beside(best) if best else [])
        if not is_control(cell.target) and (known := figures.summary(cell, measure.name))
    ]
    return measure, [cell for _, cell in sorted(found, reverse=not measure.less_is_better)]


def _bars(figures: Figures, field: Field) -> RenderableType:
    measure, cells = _rows(figures, field)
    found = [(cell, one) for cell in cells if (one := figures.summary(cell, measure.name))]
    widest = max((one.middle for _, one in found), default=1.0)
    table = plain_table("", _title(measure), "")
    table.columns[0].width, table.columns[1].width = NAME_WIDTH, BAR_WIDTH
    for cell, one in found:
        colour = "magenta" if is_floor(cell.target) else "cyan"
        bar = Bar(widest, 0, one.middle, width=BAR_WIDTH, color=colour)
        table.add_row(f"  {short(cell.target)}", bar, words.of(one, measure))
    return table


def _title(measure: Measure) -> str:
    return "less CPU is better" if measure.less_is_better else "a higher rate is better"


def _plate(figures: Figures, field: Field) -> str:
    measure, cells = _rows(figures, field)
    drawing = plots.bars_of(figures, cells, measure) if cells else ""
    return plots.figure(heading(field), told(figures, field), drawing)


def _wrapped(said: str, first: str = "  ", others: str = "  ") -> Sequence[RenderableType]:
    return [Text(line) for line in textwrap.wrap(said, WIDTH, initial_indent=first, subsequent_indent=others)]
