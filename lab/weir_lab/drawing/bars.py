"""Bars from zero, one for each target, with its interval."""

from collections.abc import Sequence
from dataclasses import dataclass

from weir_lab.drawing import svg
from weir_lab.drawing.axis import Axis
from weir_lab.drawing.lines import CHARACTER, NARROW, WIDE

ROW = 25.0


@dataclass(frozen=True)
class Bar:
    name: str
    family: str
    value: float
    low: float
    high: float
    said: str  # the value in words, in a column of its own beside the bars


def both_widths(bars: Sequence[Bar], axis: Axis, alternative: str) -> str:
    return plot(bars, axis, alternative, WIDE, "wide") + plot(bars, axis, alternative, NARROW, "narrow")


def plot(bars: Sequence[Bar], axis: Axis, alternative: str, width: float, kind: str) -> str:
    longest = max(len(one.name) for one in bars)
    left, top = 12 + longest * CHARACTER, 26.0
    right = width - 14 - max(len(one.said) for one in bars) * CHARACTER
    bottom = top + ROW * len(bars)
    parts = [svg.text(2, 14, axis.title, "title")]
    for value, name in axis.ticks:
        if width > 500 or value in (0, axis.high):
            x = axis.place(value, left, right)
            parts += [svg.line(x, top, x, bottom, "grid"), svg.text(x, bottom + 17, name, "tick", "middle")]
    for number, one in enumerate(bars):
        parts += _bar(one, axis, left, right, top + ROW * number)
    return svg.drawing(width, bottom + 26, parts, alternative, kind)


def _bar(one: Bar, axis: Axis, left: float, right: float, top: float) -> list[str]:
    middle = top + ROW / 2
    end, low, high = (axis.place(value, left, right) for value in (one.value, one.low, one.high))
    parts = [
        svg.text(left - 8, middle + 4.5, one.name, f"label {one.family}", "end"),
        svg.rectangle(left, middle - 8, end - left, 16, f"bar {one.family}"),
    ]
    if high - low > 2:
        parts += [
            svg.line(low, middle, high, middle, "extremes"),
            svg.line(low, middle - 4, low, middle + 4, "extremes"),
            svg.line(high, middle - 4, high, middle + 4, "extremes"),
        ]
    return [*parts, svg.text(right + 10, middle + 4.5, one.said, "value")]
