"""Ratios to the floor: a mark and its interval for each target, on a linear scale; and once more, larger, those that
lie close together."""

from collections.abc import Sequence
from dataclasses import dataclass

from weir_lab.core.target import is_control, is_floor
from weir_lab.drawing import axis, svg
from weir_lab.drawing.axis import Axis
from weir_lab.drawing.lines import CHARACTER, NARROW, WIDE
from weir_lab.report import plots
from weir_lab.report.figures import ALL, Figures, Group, Ratio
from weir_lab.statistics import words

ROW = 25.0
NEAR = 1.10  # times the least: as close as this, the whole scale would show no difference
LARGER = 2.0  # times: a second drawing that is not so much larger shows nothing new
FAR = 3.0  # a larger ratio stands at the edge of the scale, with its value
WHISKER_MAX = 1.12  # beyond all marks, a whisker ends at the edge


@dataclass(frozen=True)
class Dot:
    name: str
    family: str
    shape: str
    ratio: Ratio


def to_floor(figures: Figures, group: Group) -> str:
    """Empty without a floor, or if nothing can be compared with it."""
    connections = plots.typical(figures, group)
    cells = [
        cell
        for cell in figures.in_group(group)
        if cell.connections == connections and not is_floor(cell.target) and not is_control(cell.target)
    ]
    floor = figures.floor(cells[0], "cpu") if cells else None
    lowest = figures.summary(floor, "cpu") if floor else None
    if not floor or not lowest:
        return ""
    found = [
        Dot(plots.label(cell, cells), svg.family(cell.target), plots.shape(figures, cell.target), one)
        for cell in cells
        if (one := figures.ratio(cell, floor, "cpu"))
    ]
    if not found:
        return ""
    found.sort(key=lambda dot: dot.ratio.middle)
    where = f"{words.connections(connections)}{plots.loaded(group)}"
    caption = (
        f"{where}. The floor here is {floor.target}, with {words.of(lowest, ALL['cpu'])} of CPU a request. "
        f"{FLOOR} Whiskers are 95 % intervals that hold together.{plots.rounds(figures, cells, 'cpu')}"
    )
    return plots.figure(f"Times the floor: {words.scenario(group.scenario)}", caption, _drawings(found, where))


FLOOR = (
    "A floor answers without parsing the request. It is no limit: a server can need less if it makes fewer calls for "
    "the same work."
)


def _drawings(found: Sequence[Dot], where: str) -> str:
    said = ", ".join(f"{dot.name} {words.times(dot.ratio)}" for dot in found)
    scale = _scale(found)
    whole = both_widths(found, scale, f"Times the floor, {where}: {said}.")
    near = [dot for dot in found if dot.ratio.middle <= found[0].ratio.middle * NEAR]
    larger = _scale(near)
    whole_whiskers = [dot for dot in near if larger.low <= dot.ratio.low and dot.ratio.high <= larger.high]
    is_larger = scale.high - scale.low >= LARGER * (larger.high - larger.low)
    if len(near) < 2 or 2 * len(whole_whiskers) < len(near) or not is_larger:
        return whole
    names = ", ".join(dot.name for dot in near)
    return whole + both_widths(near, larger, f"Those within {NEAR - 1:.0%} of the least, larger: {names}.")


def _scale(dots: Sequence[Dot]) -> Axis:
    """With the floor itself, if it is near."""
    middles = [min(dot.ratio.middle, FAR) for dot in dots]
    if min(middles) / NEAR <= 1 <= max(middles) * NEAR:
        middles.append(1.0)
    low, high = min(middles) / WHISKER_MAX, max(middles) * WHISKER_MAX
    ends = [min(max(value, low), high) for dot in dots for value in (dot.ratio.low, dot.ratio.high)]
    return axis.between("times the floor", [*middles, *ends], lambda value: f"{value:.2f}")


def both_widths(dots: Sequence[Dot], scale: Axis, alternative: str) -> str:
    return plot(dots, scale, alternative, WIDE, "wide") + plot(dots, scale, alternative, NARROW, "narrow")


def plot(dots: Sequence[Dot], scale: Axis, alternative: str, width: float, kind: str) -> str:
    """The values have a column of their own. A narrow drawing leaves out their intervals, which the whiskers show."""
    said = [words.times(dot.ratio) if kind == "wide" else words.ratio(dot.ratio.middle) for dot in dots]
    left, top = 16 + max(len(dot.name) for dot in dots) * CHARACTER, 26.0
    right, bottom = width - 18 - max(map(len, said)) * CHARACTER, top + ROW * len(dots)
    parts = [svg.text(2, 14, scale.title, "title")]
    end = float("-inf")
    for value, name in scale.ticks:
        x = scale.place(value, left, right)
        parts.append(svg.line(x, top, x, bottom, "grid"))
        if x - end > len(name) * CHARACTER + 4:
            parts.append(svg.text(x, bottom + 17, name, "tick", "middle"))
            end = x
    if scale.low <= 1 <= scale.high:
        x = scale.place(1.0, left, right)
        parts.append(svg.line(x, top - 4, x, bottom + 4, "line floor"))
    for number, (dot, words_of) in enumerate(zip(dots, said, strict=True)):
        parts += _dot(dot, words_of, scale, left, right, top + ROW * (number + 0.5))
    return svg.drawing(width, bottom + 26, parts, alternative, kind)


def _dot(dot: Dot, said: str, scale: Axis, left: float, right: float, y: float) -> list[str]:
    x, low, high = (scale.place(value, left, right) for value in (dot.ratio.middle, dot.ratio.low, dot.ratio.high))
    parts = [svg.text(left - 10, y + 4.5, dot.name, f"label {dot.family}", "end")]
    if dot.ratio.middle > scale.high:
        parts.append(svg.polyline([(right - 6, y - 5), (right, y), (right - 6, y + 5)], f"whisker {dot.family}"))
    else:
        parts.append(svg.line(low, y, high, y, f"whisker {dot.family}"))
        parts += [
            svg.line(x_end, y - 4, x_end, y + 4, f"whisker {dot.family}")
            for x_end, value in ((low, dot.ratio.low), (high, dot.ratio.high))
            if scale.low <= value <= scale.high
        ]
        parts.append(svg.mark(x, y, dot.shape, dot.family))
    return [*parts, svg.text(right + 14, y + 4.5, said, "value")]
