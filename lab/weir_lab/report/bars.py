"""Bars from zero, one for each target, with the extremes of its rounds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from weir_lab.report import svg
from weir_lab.report.axis import Axis
from weir_lab.report.lines import CHARACTER, NARROW, WIDE

ROW = 25.0


@dataclass(frozen=True)
class Bar:
    name: str
    family: str
    value: float
    low: float
    high: float


def both_widths(
    bars: Sequence[Bar], axis: Axis, say: Callable[[float], str], alternative: str, line_at: float | None = None
) -> str:
    return plot(bars, axis, say, alternative, WIDE, "wide", line_at) + plot(
        bars, axis, say, alternative, NARROW, "narrow", line_at
    )


def plot(
    bars: Sequence[Bar],
    axis: Axis,
    say: Callable[[float], str],
    alternative: str,
    width: float,
    kind: str,
    line_at: float | None,
) -> str:
    longest = max(len(one.name) for one in bars)
    left, top = 12 + longest * CHARACTER, 26.0
    right = width - 14 - max(len(say(one.value)) for one in bars) * CHARACTER
    bottom = top + ROW * len(bars)
    parts = [svg.text(2, 14, axis.title, "title")]
    for value, name in axis.ticks:
        if width > 500 or value in (0, axis.high):
            x = axis.place(value, left, right)
            parts += [svg.line(x, top, x, bottom, "grid"), svg.text(x, bottom + 17, name, "tick", "middle")]
    for number, one in enumerate(bars):
        parts += _bar(one, axis, say, left, right, top + ROW * number)
    if line_at is not None:
        x = axis.place(line_at, left, right)
        parts.append(svg.line(x, top - 4, x, bottom + 4, "line floor"))
    return svg.drawing(width, bottom + 26, parts, alternative, kind)


def _bar(one: Bar, axis: Axis, say: Callable[[float], str], left: float, right: float, top: float) -> list[str]:
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
    return [*parts, svg.text(max(end, high) + 6, middle + 4.5, say(one.value), "value")]
