"""The main figure: cost and latency of all targets at the same fixed rates, from idle up to saturation."""

from collections.abc import Callable, Sequence
from html import escape

from weir_lab.core.result import Cell
from weir_lab.core.target import is_control, is_floor
from weir_lab.drawing import axis, lines, svg
from weir_lab.drawing.axis import Axis
from weir_lab.drawing.lines import Point, Series
from weir_lab.report import plots
from weir_lab.report.figures import ALL, Figures, Group, short
from weir_lab.statistics import words
from weir_lab.statistics.measures import Measure

MEASURES = ("cpu", "p50", "p99", "p999")


def groups(figures: Figures) -> list[Group]:
    return [group for group in figures.groups if group.is_rated and any(map(figures.counted, figures.in_group(group)))]


def section(figures: Figures, group: Group) -> str:
    """A paragraph that holds for all of the plots, and the plots."""
    plates = to_floor(figures, group) + "".join(curve(figures, group, ALL[name]) for name in MEASURES)
    cells = figures.in_group(group)
    said = (
        f"{_capital(words.scenario(group.scenario))}, {words.connections(group.connections or 0)}"
        f"{plots.loaded(group)}, in open loop: at each rate every target gets the same requests at the same moments. "
        f"{plots.READING}{plots.rounds(figures, cells, 'cpu')}{_states(figures, cells)}{_bounds(figures, cells)}"
    )
    return f'<p>{escape(said)}</p><div class="pairs">{plates}</div>' if plates else ""


def curve(figures: Figures, group: Group, measure: Measure) -> str:
    cells = [cell for cell in figures.in_group(group) if not is_control(cell.target)]
    series = _series(cells, lambda cell: _point(figures, cell, measure), figures)
    if not series:
        return ""
    if measure.name == "cpu":
        y = plots.values_axis(measure, series)
        about = "At a low rate each request wakes the server by itself, so it costs more."
    else:
        y = axis.logarithmic("from when a request was due (logarithmic)", plots.extremes(series), axis.plain("s"))
        about = "Timed from the moment when each request was due."
    title = f"{plots.heading(measure)} by rate"
    return plots.figure(title, about, lines.both_widths(series, _rates(cells), y, _said(series, measure)))


RATIO_MAX = 1.5  # a line above it would make all others one line


def to_floor(figures: Figures, group: Group) -> str:
    """The same cost as ratios, whose differences can be seen. Empty without a floor."""
    cells = [cell for cell in figures.in_group(group) if not is_control(cell.target) and not is_floor(cell.target)]
    every = _series(cells, lambda cell: _ratio(figures, cell), figures)
    series = [one for one in every if max(point.y for point in one.points) <= RATIO_MAX]
    if not series:
        return ""
    left_out = words.names([one.name for one in every if one not in series])
    about = (
        f"Round by round, beside the better floor. {f'Above {RATIO_MAX} somewhere: {left_out}.' if left_out else ''}"
    )
    ends = [
        min(max(end, 1 / RATIO_MAX), RATIO_MAX)
        for one in series
        for point in one.points
        for end in (point.low, point.high)
    ]
    y = axis.between("server CPU per request, times the floor", [1.0, *ends], lambda value: f"{value:.2f}")
    said = _said(series, None)
    return plots.figure("Times the floor by rate", about, lines.both_widths(series, _rates(cells), y, said))


def _ratio(figures: Figures, cell: Cell) -> Point | None:
    one = figures.to_floor(cell, "cpu")
    bound = "short" if short_of(figures, cell) else ""
    return Point(cell.rate or 0.0, one.middle, one.low, one.high, bound) if one else None


def _capital(said: str) -> str:
    return said[0].upper() + said[1:]


def _series(cells: Sequence[Cell], point: Callable[[Cell], Point | None], figures: Figures) -> list[Series]:
    found = []
    for target in dict.fromkeys(cell.target for cell in cells):
        own = sorted((cell for cell in cells if cell.target == target), key=lambda cell: cell.rate or 0.0)
        points = tuple(one for cell in own if (one := point(cell)))
        if points:
            found.append(Series(short(target), svg.family(target), plots.shape(figures, target), points))
    return found


def _point(figures: Figures, cell: Cell, measure: Measure) -> Point | None:
    one = figures.summary(cell, measure.name)
    if not one or one.middle <= 0 or one.bound == "limited":
        return None
    bound = "short" if short_of(figures, cell) else one.bound
    return Point(cell.rate or 0.0, one.middle, one.low, one.high, bound)


def short_of(figures: Figures, cell: Cell) -> str:
    """The state of a target that did not reach the rate, in words."""
    runs = [run for run in figures.counted(cell) if run.load and run.is_short_of_rate]
    reached = figures.summary(cell, "rate")
    if cell.rate is None or not runs or not reached:
        return ""
    limited = ", limited by the generator" if any(run.limited for run in runs) else ""
    return f"reached {words.rate(reached.middle)} of {words.rate(cell.rate)}{limited}"


def _states(figures: Figures, cells: Sequence[Cell]) -> str:
    states = [f"{short(cell.target)} {state}" for cell in cells if (state := short_of(figures, cell))]
    if states:
        return f" A cross: the rate was not reached ({'; '.join(states)})."
    return ""


def _rates(cells: Sequence[Cell]) -> Axis:
    rates = sorted({cell.rate or 0.0 for cell in cells})
    margin = (rates[-1] - rates[0] or rates[0]) * 0.03
    return Axis(
        "requests per second, the same for all",
        rates[0] - margin,
        rates[-1] + margin,
        tuple((rate, f"{rate:,.0f}") for rate in rates),
    )


def _bounds(figures: Figures, cells: Sequence[Cell]) -> str:
    limited = sorted({cell.rate for cell in cells if cell.rate and any(run.limited for run in figures.counted(cell))})
    if not limited:
        return ""
    rates = words.names([words.rate(rate) for rate in limited])
    return (
        f" An arrow down: the load generator was the limit ({rates}), and the latency is at most so long, because "
        "its delays are included."
    )


def _said(series: Sequence[Series], measure: Measure | None) -> str:
    def value(point: Point) -> str:
        return words.figure(point.y, measure.unit) if measure else words.ratio(point.y)

    parts = [
        f"{one.name}: " + ", ".join(f"{value(point)} at {words.rate(point.x)}" for point in one.points)
        for one in series
    ]
    return f"{plots.heading(measure) if measure else 'Times the floor'} by rate. {'; '.join(parts)}."
