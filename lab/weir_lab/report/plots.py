"""Chooses the plots of a result, and writes the alternative text of each."""

from collections.abc import Sequence
from html import escape

from weir_lab.core.result import Cell
from weir_lab.core.scenario import SCENARIOS
from weir_lab.core.target import is_control
from weir_lab.drawing import axis, bars, lines, svg
from weir_lab.drawing.axis import Axis
from weir_lab.drawing.lines import Point, Series
from weir_lab.report.choice import LINES_MAX, TYPICAL_CONNECTIONS, chosen
from weir_lab.report.figures import ALL, Figures, Group, short
from weir_lab.statistics import words
from weir_lab.statistics.measures import Measure, Summary

WHISKER_MAX = 1.5  # how far beyond all values a scale may go for a whisker
LOGARITHMIC_FROM = 8.0  # largest by smallest: above that, a scale from zero would show one line only
READING = "Marks are means of the rounds, whiskers their 95 % intervals."
NEARLY_MOST = 0.75  # of the targets: some architectures hold only one connection


def figure(title: str, caption: str, drawing: str) -> str:
    words_above = f"<h4>{escape(title)}</h4><p>{escape(caption)}</p>"
    return f'<figure class="plate"><figcaption>{words_above}</figcaption>{drawing}</figure>'


def by_concurrency(figures: Figures, group: Group, measure: str) -> str:
    """Lines over connections, or bars if only one count was measured."""
    cells = drawable(figures, group, measure)
    if not cells:
        return ""
    kind, title = ALL[measure], f"{heading(ALL[measure])}: {words.scenario(group.scenario)}"
    if len({cell.connections for cell in cells}) == 1:
        return figure(
            title,
            f"{words.connections(cells[0].connections)}{loaded(group)}. {READING}{rounds(figures, cells, measure)}"
            f"{_bounds(figures, cells, measure)}",
            bars_of(figures, cells, kind),
        )
    every = series(figures, cells, measure)
    shown = chosen(every, measure)
    axes = connections_axis(cells), values_axis(kind, shown)
    load = f"Load from {group.generator}{words.workers(group.workers)}."
    said = f"{READING}{rounds(figures, cells, measure)}{_bounds(figures, cells, measure)}"
    caption = f"{load} {said} {_logarithmic(axes[1])}"
    if len(shown) < len(every):
        caption += (
            " Shown: the floors, and some targets of weir and of the peers, from the best to the worst at "
            f"{TYPICAL_CONNECTIONS} connections. All {len(every)} are below."
        )
    return figure(title, caption, lines.both_widths(shown, *axes, _said(figures, cells, kind)))


def drawable(figures: Figures, group: Group, measure: str) -> list[Cell]:
    """Without the control, which would be its target's line once more, and without what is not even a bound."""
    known = ((cell, figures.summary(cell, measure)) for cell in figures.in_group(group) if not is_control(cell.target))
    return [cell for cell, one in known if one and one.bound != "limited"]


def rounds(figures: Figures, cells: Sequence[Cell], measure: str) -> str:
    """The numbers of runs behind the figures."""
    counts = sorted({one.count for cell in cells if (one := figures.summary(cell, measure))})
    if not counts:
        return ""
    return f" n = {counts[0]}" + (f" to {counts[-1]}." if len(counts) > 1 else ".")


def _bounds(figures: Figures, cells: Sequence[Cell], measure: str) -> str:
    if not any(one.bound for cell in cells if (one := figures.summary(cell, measure))):
        return ""
    return " An arrow: at least so many, limited by the generator."


def small_ones(figures: Figures, group: Group, measure: str) -> str:
    """Each target among all others. None if one plot has room for all of them."""
    cells = drawable(figures, group, measure)
    every = series(figures, cells, measure)
    if len(every) <= LINES_MAX or len({cell.connections for cell in cells}) == 1:
        return ""
    kind = ALL[measure]
    x, y = connections_axis(cells), values_axis(kind, every)
    panels = "".join(
        f"<li><h5>{escape(one.name)}</h5>{lines.small(one, every, x, y, f'{one.name}: {_values(one, kind)}')}</li>"
        for one in every
    )
    caption = (
        f"Each drawing shows one target by connections, before all others. The floors are dashed. {_logarithmic(y)}"
    )
    title = f"{heading(kind)}, every target: {words.scenario(group.scenario)}"
    return figure(title, caption, f'<ul class="panels">{panels}</ul>')


def latency_curves(figures: Figures, group: Group) -> str:
    """Of an open loop only: there latency counts from when a request was due."""
    cells = drawable(figures, group, "p99")
    every = []
    for cell in cells:
        found = [(place, figures.summary(cell, name)) for name, place, _ in axis.PERCENTILES]
        points = tuple(point(place, one) for place, one in found if one and one.low > 0)
        if points:
            every.append(Series(label(cell, cells), svg.family(cell.target), shape(figures, cell.target), points))
    if not every:
        return ""
    y = axis.logarithmic("latency from when the request was due (logarithmic)", extremes(every), axis.plain("s"))
    asked = ((cell, figures.summary(cell, "asked")) for cell in cells)
    rates = "; ".join(f"{short(cell.target)} at {words.of(rate, ALL['asked'])}" for cell, rate in asked if rate)
    said = "; ".join(
        f"{one.name} {', '.join(f'{_percentile(point.x)} {words.seconds(point.y)}' for point in one.points)}"
        for one in every
    )
    return figure(
        f"Latency: {words.scenario(group.scenario)}",
        f"Each at its own rate: {rates}.{rounds(figures, cells, 'p99')}{_bounds_of_latency(every)}",
        lines.both_widths(every, axis.percentiles(), y, f"Latency by percentile. {said}."),
    )


def _bounds_of_latency(every: Sequence[Series]) -> str:
    bounded = any(point.bound for one in every for point in one.points)
    return (
        " An arrow: at most so long. The load generator was the limit, and its delays are included." if bounded else ""
    )


def memory(figures: Figures, group: Group) -> str:
    cells = drawable(figures, group, "memory")
    if len({cell.connections for cell in cells}) < 2:
        return ""
    every = series(figures, cells, "memory")
    y = axis.logarithmic("resident memory (logarithmic)", extremes(every), axis.plain("B"))
    return figure(
        "Memory by connections",
        "All of a server's processes together, in the middle of a run; what they share counts once."
        f"{rounds(figures, cells, 'memory')}",
        lines.both_widths(every, connections_axis(cells), y, _said(figures, cells, ALL["memory"])),
    )


def typical(figures: Figures, group: Group) -> int:
    """The count of connections nearest to a hundred, among those at which the most targets were measured, or nearly the
    most."""
    cells = figures.in_group(group)
    counts = [cell.connections for cell in cells if figures.counted(cell)] or [cell.connections for cell in cells]
    most = max(map(counts.count, counts))
    return min(
        (one for one in set(counts) if counts.count(one) >= NEARLY_MOST * most),
        key=lambda one: abs(one - TYPICAL_CONNECTIONS),
    )


def shape(figures: Figures, target: str) -> str:
    """Depends on the target's place in the whole result, so that it is the same in every plot."""
    every = list(dict.fromkeys(cell.target for cell in figures.cells))
    return svg.MARKS[every.index(target) % len(svg.MARKS)]


def series(figures: Figures, cells: Sequence[Cell], measure: str) -> list[Series]:
    """One line for each target."""
    found = []
    for target in dict.fromkeys(cell.target for cell in cells):
        own = sorted((cell for cell in cells if cell.target == target), key=lambda cell: cell.connections)
        summaries = [(cell.connections, figures.summary(cell, measure)) for cell in own]
        points = tuple(point(connections, one) for connections, one in summaries if one)
        found.append(Series(short(target), svg.family(target), shape(figures, target), points))
    return found


def point(x: float, one: Summary) -> Point:
    return Point(x, one.middle, one.low, one.high, one.bound)


def bars_of(figures: Figures, cells: Sequence[Cell], measure: Measure) -> str:
    """From the best to the worst."""
    found = [
        bars.Bar(label(cell, cells), svg.family(cell.target), one.middle, one.low, one.high, words.of(one, measure))
        for cell in cells
        if (one := figures.summary(cell, measure.name))
    ]
    found.sort(key=lambda bar: bar.value, reverse=not measure.less_is_better)
    highest = max(bar.value for bar in found)
    scale = axis.linear(
        _with_unit(measure), [min(bar.high, WHISKER_MAX * highest) for bar in found], axis.plain(measure.unit)
    )
    return bars.both_widths(found, scale, _said(figures, cells, measure))


def _said(figures: Figures, cells: Sequence[Cell], measure: Measure) -> str:
    """The plot in words: each count of connections, from the best to the worst."""
    parts = []
    for connections in sorted({cell.connections for cell in cells}):
        found = [
            (one.middle, cell, one)
            for cell in cells
            if cell.connections == connections and (one := figures.summary(cell, measure.name))
        ]
        found.sort(key=lambda one: one[:2], reverse=not measure.less_is_better)
        parts.append(
            f"{words.connections(connections)}: "
            + ", ".join(f"{short(cell.target)} {words.of(one, measure)}" for _, cell, one in found)
        )
    return f"{heading(measure)}. {'; '.join(parts)}."


def _values(one: Series, measure: Measure) -> str:
    return ", ".join(
        f"{words.figure(point.y, measure.unit)} at {words.connections(int(point.x))}" for point in one.points
    )


def values_axis(measure: Measure, series: Sequence[Series]) -> Axis:
    values = extremes(series)
    if max(values) / min(values) >= LOGARITHMIC_FROM:
        return axis.logarithmic(f"{_with_unit(measure)} (logarithmic)", values, axis.plain(measure.unit))
    return axis.between(_with_unit(measure), values, axis.plain(measure.unit))


def extremes(series: Sequence[Series]) -> list[float]:
    """Whiskers of two or three rounds can be longer than anything that was measured: they end at the edge."""
    middles = [point.y for one in series for point in one.points if point.y > 0] or [1.0]
    low, high = min(middles) / WHISKER_MAX, max(middles) * WHISKER_MAX
    ends = (value for one in series for point in one.points for value in (point.low, point.high) if value > 0)
    return [min(max(value, low), high) for value in ends] + middles


def connections_axis(cells: Sequence[Cell]) -> Axis:
    return axis.connections([cell.connections for cell in cells])


def heading(measure: Measure) -> str:
    return measure.title[0].upper() + measure.title[1:]


def _with_unit(measure: Measure) -> str:
    return f"{measure.title}, seconds" if measure.unit == "s" and measure.name != "cpu" else measure.title


def _logarithmic(of: Axis) -> str:
    return "Both scales are logarithmic." if of.logarithmic else "The connections' scale is logarithmic."


def _percentile(place: float) -> str:
    return next(name for _, at, name in axis.PERCENTILES if at == place)


def loaded(group: Group) -> str:
    return f"{words.workers(group.workers)}, load from {group.generator}"


def label(cell: Cell, cells: Sequence[Cell]) -> str:
    """With its connections, if the same target appears more than once."""
    several = sum(one.target == cell.target for one in cells) > 1
    return f"{short(cell.target)} x{cell.connections:,}" if several else short(cell.target)


def groups_to_draw(figures: Figures) -> list[Group]:
    """In the scenarios' order, without fixed rates, which have plots of their own. A generator that only checks another
    one has its own table."""

    def size(group: Group) -> int:
        return len(figures.in_group(group))

    closed = [group for group in figures.groups if not group.is_rated]
    order = {name: number for number, name in enumerate(SCENARIOS)}
    kept = [
        group
        for group in figures.groups
        if not group.is_rated
        and size(group)
        == max(size(one) for one in closed if (one.scenario, one.workers) == (group.scenario, group.workers))
        and any(figures.counted(cell) for cell in figures.in_group(group))
    ]
    first = {(group.scenario, group.workers): group for group in reversed(kept)}
    return sorted(first.values(), key=lambda group: (group.workers, order.get(group.scenario, len(order))))
