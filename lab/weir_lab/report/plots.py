"""Chooses the plots of a result, and writes the alternative text of each."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from weir_lab.report import axis, bars, lines, svg, words
from weir_lab.report.axis import Axis
from weir_lab.report.figures import ALL, Figures, Group, is_floor, short
from weir_lab.report.lines import Point, Series
from weir_lab.result import Cell
from weir_lab.scenario import SCENARIOS
from weir_lab.statistics import Measure

LINES_MAX = 10  # in one plot; the small plots have all
LOGARITHMIC_FROM = 8.0  # largest by smallest: above that, a scale from zero would show one line only
TYPICAL_CONNECTIONS = 100
NEARLY_MOST = 0.75  # of the targets: some architectures hold only one connection


def figure(title: str, caption: str, drawing: str) -> str:
    words_above = f"<h4>{escape(title)}</h4><p>{escape(caption)}</p>"
    return f'<figure class="plate"><figcaption>{words_above}</figcaption>{drawing}</figure>'


def by_concurrency(figures: Figures, group: Group, measure: str) -> str:
    """Lines over connections, or bars if only one count was measured."""
    cells = [cell for cell in figures.in_group(group) if figures.summary(cell, measure)]
    if not cells:
        return ""
    kind, title = ALL[measure], f"{_heading(ALL[measure])}: {words.scenario(group.scenario)}"
    if len({cell.connections for cell in cells}) == 1:
        return figure(
            title,
            f"{words.connections(cells[0].connections)}{_loaded(group)}. Bars are medians, whiskers the extremes of "
            "the rounds.",
            _bars(figures, cells, kind),
        )
    every = _series(figures, cells, measure)
    chosen = _chosen(every, measure)
    axes = _connections_axis(cells), _values_axis(kind, chosen)
    caption = f"Medians{_loaded(group)}; whiskers are the extremes of the rounds. {_logarithmic(axes[1])}"
    if len(chosen) < len(every):
        caption += (
            " Shown: the floors, and some targets of weir and of the peers, from the best to the worst at "
            f"{TYPICAL_CONNECTIONS} connections. All {len(every)} are below."
        )
    return figure(title, caption, lines.both_widths(chosen, *axes, _said(figures, cells, kind)))


def small_ones(figures: Figures, group: Group, measure: str) -> str:
    """Each target among all others. None if one plot has room for all of them."""
    cells = [cell for cell in figures.in_group(group) if figures.summary(cell, measure)]
    every = _series(figures, cells, measure)
    if len(every) <= LINES_MAX or len({cell.connections for cell in cells}) == 1:
        return ""
    kind = ALL[measure]
    x, y = _connections_axis(cells), _values_axis(kind, every)
    panels = "".join(
        f"<li><h5>{escape(one.name)}</h5>{lines.small(one, every, x, y, f'{one.name}: {_values(one, kind)}')}</li>"
        for one in every
    )
    caption = (
        f"Each drawing shows one target by connections, before all others. The floors are dashed. {_logarithmic(y)}"
    )
    title = f"{_heading(kind)}, every target: {words.scenario(group.scenario)}"
    return figure(title, caption, f'<ul class="panels">{panels}</ul>')


def latency_curves(figures: Figures, group: Group) -> str:
    """Of an open loop only: there latency counts from when a request was due."""
    cells = [cell for cell in figures.in_group(group) if figures.summary(cell, "p99")]
    every = []
    for number, cell in enumerate(cells):
        found = [(place, figures.summary(cell, name)) for name, place, _ in axis.PERCENTILES]
        points = tuple(Point(place, one.median, one.low, one.high) for place, one in found if one and one.low > 0)
        if points:
            every.append(
                Series(_label(cell, cells), svg.family(cell.target), svg.MARKS[number % len(svg.MARKS)], points)
            )
    if not every:
        return ""
    y = axis.logarithmic(
        "latency from when the request was due (logarithmic)",
        [value for one in every for point in one.points for value in (point.low, point.high)],
        axis.plain("s"),
    )
    asked = ((cell, figures.summary(cell, "asked")) for cell in cells)
    rates = "; ".join(f"{short(cell.target)} at {words.of(rate, ALL['asked'])}" for cell, rate in asked if rate)
    said = "; ".join(
        f"{one.name} {', '.join(f'{_percentile(point.x)} {words.seconds(point.y)}' for point in one.points)}"
        for one in every
    )
    return figure(
        f"Latency: {words.scenario(group.scenario)}",
        f"Each at its own rate: {rates}.",
        lines.both_widths(every, axis.percentiles(), y, f"Latency by percentile. {said}."),
    )


def memory(figures: Figures, group: Group) -> str:
    cells = [cell for cell in figures.in_group(group) if figures.summary(cell, "memory")]
    if len({cell.connections for cell in cells}) < 2:
        return ""
    every = _series(figures, cells, "memory")
    y = axis.logarithmic("resident memory (logarithmic)", _extremes(every), axis.plain("B"))
    return figure(
        "Memory by connections",
        "All of a server's processes together, in the middle of a run; what they share counts once.",
        lines.both_widths(every, _connections_axis(cells), y, _said(figures, cells, ALL["memory"])),
    )


def percent_of_floor(figures: Figures, group: Group) -> str:
    """The part of the CPU time that any server needs for the kernel."""
    connections = typical(figures, group)
    cells = [cell for cell in figures.in_group(group) if cell.connections == connections and not is_floor(cell.target)]
    floor = figures.floor(cells[0], "cpu") if cells else None
    lowest = figures.summary(floor, "cpu") if floor else None
    if not floor or not lowest:
        return ""
    found = [
        bars.Bar(
            _label(cell, cells),
            svg.family(cell.target),
            *(100 * lowest.median / value for value in (one.median, one.high, one.low)),
        )
        for cell in cells
        if (one := figures.summary(cell, "cpu"))
    ]
    found.sort(key=lambda bar: -bar.value)
    if not found:
        return ""
    scale = axis.linear("percent of the floor", [100.0, *(bar.high for bar in found)], lambda value: f"{value:.0f} %")
    said = f"Percent of the floor, {words.connections(connections)}: " + ", ".join(
        f"{bar.name} {bar.value:.0f} %" for bar in found
    )
    return figure(
        f"Percent of the floor: {words.scenario(group.scenario)}",
        f"{words.connections(connections)}{_loaded(group)}. The floor ({floor.target}, {words.of(lowest, ALL['cpu'])} "
        "of CPU a request) answers without parsing. A server at 100 % would need no CPU for its own work.",
        bars.both_widths(found, scale, lambda value: f"{value:.0f} %", said + ".", line_at=100.0),
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


def _series(figures: Figures, cells: Sequence[Cell], measure: str) -> list[Series]:
    """One line for each target. Its mark depends on the target's place in the whole result, so that it is the same in
    every plot."""
    every = list(dict.fromkeys(cell.target for cell in figures.cells))
    found = []
    for target in dict.fromkeys(cell.target for cell in cells):
        own = sorted((cell for cell in cells if cell.target == target), key=lambda cell: cell.connections)
        summaries = [(cell.connections, figures.summary(cell, measure)) for cell in own]
        points = tuple(Point(connections, one.median, one.low, one.high) for connections, one in summaries if one)
        found.append(Series(short(target), svg.family(target), svg.MARKS[every.index(target) % len(svg.MARKS)], points))
    return found


def _chosen(every: list[Series], measure: str) -> list[Series]:
    """The floors, and some of our targets and of the peers, from the best to the worst."""
    if len(every) <= LINES_MAX:
        return every
    sign = 1 if ALL[measure].less_is_better else -1

    def order(one: Series) -> float:
        return sign * min(one.points, key=lambda point: abs(point.x - TYPICAL_CONNECTIONS)).y

    longest = max(len(one.points) for one in every)
    lines_of = {
        family: sorted((one for one in every if one.family == family and 2 * len(one.points) > longest), key=order)
        for family in ("floor", "weir", "peer")
    }
    chosen = lines_of.pop("floor")
    peers = _spread(lines_of["peer"], (LINES_MAX - len(chosen)) // 2)
    own = _spread(lines_of["weir"], LINES_MAX - len(chosen) - len(peers))
    return [one for one in every if one in chosen + own + peers]


def _spread(ranked: list[Series], count: int) -> list[Series]:
    """The first, the last, and others at even distances."""
    if len(ranked) <= count or count < 2:
        return ranked[:count]
    return [ranked[round(place * (len(ranked) - 1) / (count - 1))] for place in range(count)]


def _bars(figures: Figures, cells: Sequence[Cell], measure: Measure) -> str:
    found = [
        bars.Bar(_label(cell, cells), svg.family(cell.target), one.median, one.low, one.high)
        for cell in cells
        if (one := figures.summary(cell, measure.name))
    ]
    found.sort(key=lambda bar: bar.value, reverse=not measure.less_is_better)
    scale = axis.linear(_with_unit(measure), [bar.high for bar in found], axis.plain(measure.unit))
    return bars.both_widths(
        found, scale, lambda value: words.figure(value, measure.unit), _said(figures, cells, measure)
    )


def _said(figures: Figures, cells: Sequence[Cell], measure: Measure) -> str:
    """The plot in words: each count of connections, from the best to the worst."""
    parts = []
    for connections in sorted({cell.connections for cell in cells}):
        found = [
            (one.median, cell)
            for cell in cells
            if cell.connections == connections and (one := figures.summary(cell, measure.name))
        ]
        found.sort(reverse=not measure.less_is_better)
        parts.append(
            f"{words.connections(connections)}: "
            + ", ".join(f"{short(cell.target)} {words.figure(value, measure.unit)}" for value, cell in found)
        )
    return f"{_heading(measure)}. {'; '.join(parts)}."


def _values(one: Series, measure: Measure) -> str:
    return ", ".join(
        f"{words.figure(point.y, measure.unit)} at {words.connections(int(point.x))}" for point in one.points
    )


def _values_axis(measure: Measure, series: Sequence[Series]) -> Axis:
    values = _extremes(series)
    if min(values) > 0 and max(values) / min(values) >= LOGARITHMIC_FROM:
        return axis.logarithmic(f"{_with_unit(measure)} (logarithmic)", values, axis.plain(measure.unit))
    return axis.linear(_with_unit(measure), values, axis.plain(measure.unit))


def _extremes(series: Sequence[Series]) -> list[float]:
    return [value for one in series for point in one.points for value in (point.low, point.high) if value > 0] or [1.0]


def _connections_axis(cells: Sequence[Cell]) -> Axis:
    return axis.connections([cell.connections for cell in cells])


def _heading(measure: Measure) -> str:
    return measure.title[0].upper() + measure.title[1:]


def _with_unit(measure: Measure) -> str:
    return f"{measure.title}, seconds" if measure.unit == "s" and measure.name != "cpu" else measure.title


def _logarithmic(of: Axis) -> str:
    return "Both scales are logarithmic." if of.logarithmic else "The connections' scale is logarithmic."


def _percentile(place: float) -> str:
    return next(name for _, at, name in axis.PERCENTILES if at == place)


def _loaded(group: Group) -> str:
    workers = f", {group.workers} workers" if group.workers > 1 else ""
    return f"{workers}, load from {group.generator}"


def _label(cell: Cell, cells: Sequence[Cell]) -> str:
    """With its connections, if the same target appears more than once."""
    several = sum(one.target == cell.target for one in cells) > 1
    return f"{short(cell.target)} x{cell.connections:,}" if several else short(cell.target)


def groups_to_draw(figures: Figures) -> list[Group]:
    """In the scenarios' order. A generator that only checks another one has its own table."""

    def size(group: Group) -> int:
        return len(figures.in_group(group))

    order = {name: number for number, name in enumerate(SCENARIOS)}
    kept = [
        group
        for group in figures.groups
        if size(group)
        == max(size(one) for one in figures.groups if (one.scenario, one.workers) == (group.scenario, group.workers))
        and any(figures.counted(cell) for cell in figures.in_group(group))
    ]
    first = {(group.scenario, group.workers): group for group in reversed(kept)}
    return sorted(first.values(), key=lambda group: (group.workers, order.get(group.scenario, len(order))))


def is_open_loop(group: Group) -> bool:
    known = SCENARIOS.get(group.scenario)
    return known is not None and known.part_of_capacity is not None
