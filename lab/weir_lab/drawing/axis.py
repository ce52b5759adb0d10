"""Scales and their ticks."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from weir_lab.statistics import words


@dataclass(frozen=True)
class Axis:
    title: str  # with its unit
    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]
    logarithmic: bool = False

    def place(self, value: float, start: float, end: float) -> float:
        """Maps a value to a place between two edges of the drawing. What lies beyond them is at the edge."""
        value = min(max(value, self.low), self.high)
        if self.logarithmic:
            part = math.log(value / self.low) / math.log(self.high / self.low) if self.high > self.low else 0.5
        else:
            part = (value - self.low) / (self.high - self.low) if self.high > self.low else 0.5
        return start + part * (end - start)


def linear(title: str, values: Sequence[float], say: Callable[[float], str], steps: int = 5) -> Axis:
    """The scale begins at zero, because the reader compares lengths."""
    high = max(values, default=0.0) or 1.0
    step = _round_step(high / steps)
    count = math.ceil(high / step - 1e-9)
    return Axis(title, 0, count * step, tuple((number * step, say(number * step)) for number in range(count + 1)))


def between(title: str, values: Sequence[float], say: Callable[[float], str], steps: int = 5) -> Axis:
    """For points, whose distances the reader compares: the scale begins and ends with the values."""
    low, high = min(values), max(values)
    step = _round_step((high - low or abs(high) or 1.0) / steps)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    last = max(last, first + 1)
    ticks = tuple((number * step, say(number * step)) for number in range(first, last + 1))
    return Axis(title, first * step, last * step, ticks)


def logarithmic(title: str, values: Sequence[float], say: Callable[[float], str]) -> Axis:
    low, high = min(values), max(values)
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    steps = (1, 2, 5) if last - first <= 3 else (1,)
    every = [digit * 10.0**power for power in range(first, last + 1) for digit in steps]
    low = max((one for one in every if one <= low * 1.0001), default=low)
    high = min((one for one in every if one >= high * 0.9999), default=high)
    high = high if high > low else low * 10
    return Axis(
        title, low, high, tuple((one, say(one)) for one in every if low <= one <= high * 1.0001), logarithmic=True
    )


def connections(numbers: Sequence[int]) -> Axis:
    """A tick at each count that was measured, and no others."""
    counts = sorted(set(numbers))
    return Axis(
        "connections at once (logarithmic)",
        counts[0] * 0.9,
        counts[-1] * 1.1,
        tuple((one, f"{one:,}") for one in counts),
        logarithmic=True,
    )


# 90 %, 99 % and 99.9 % have the same distance: each step is ten times as rare. The maximum stands after them.
PERCENTILES = (
    ("p50", 0.301, "50 %"),
    ("p90", 1.0, "90 %"),
    ("p99", 2.0, "99 %"),
    ("p999", 3.0, "99.9 %"),
    ("max", 3.7, "max"),
)


def percentiles() -> Axis:
    return Axis(
        "part of the requests that took at most so long",
        0.15,
        3.85,
        tuple((place, name) for _, place, name in PERCENTILES),
    )


def plain(unit: str) -> Callable[[float], str]:
    """Ticks are round numbers without zeros after the point. The title of the axis names the unit."""

    def say(value: float) -> str:
        number, space, rest = words.figure(value, unit).removesuffix("/s").partition(" ")
        return (number.rstrip("0").rstrip(".") if "." in number else number) + space + rest

    return say


def _round_step(least: float) -> float:
    power = 10.0 ** math.floor(math.log10(least))
    return next(digit * power for digit in (1, 2, 2.5, 5, 10) if digit * power >= least * 0.9999)
