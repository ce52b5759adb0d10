"""Formats figures for people."""

from __future__ import annotations

from collections.abc import Sequence

from weir_lab.scenario import SCENARIOS, Scenario
from weir_lab.statistics import Measure, Summary

MISSING = "–"


def significant(value: float, digits: int = 3) -> str:
    """Three digits, and never an exponent: 0.0123, 4.56, 1,234."""
    if value == 0:
        return "0"
    magnitude = len(str(int(abs(value)))) if abs(value) >= 1 else 1
    if abs(value) < 1:
        return f"{value:.{digits}g}" if abs(value) >= 1e-4 else f"{value:.6f}".rstrip("0")
    return f"{value:,.{max(digits - magnitude, 0)}f}"


def seconds(value: float) -> str:
    for limit, factor, unit in ((1e-3, 1e6, "µs"), (1.0, 1e3, "ms")):
        if value < limit:
            return f"{significant(value * factor)} {unit}"
    return f"{significant(value)} s"


def size(value: float) -> str:
    for limit, factor, unit in ((1e3, 1, "B"), (1e6, 1e3, "KB"), (1e9, 1e6, "MB")):
        if value < limit:
            return f"{significant(value / factor)} {unit}"
    return f"{significant(value / 1e9)} GB"


def figure(value: float | None, unit: str) -> str:
    """`unit` is that of statistics.Measure."""
    if value is None:
        return MISSING
    if unit == "s":
        return seconds(value)
    if unit in ("B", "B/s"):
        return size(value) + unit[1:]
    if unit == "/s":
        return f"{value:,.0f}/s" if value >= 100 else f"{significant(value)}/s"
    return significant(value)


def of(summary: Summary | None, measure: Measure) -> str:
    return figure(summary.median, measure.unit) if summary else MISSING


def spread(summary: Summary) -> str:
    """Blank for one run, which has no spread."""
    return f"±{summary.spread:.1%}" if summary.count > 1 else "one run"


def ratio(value: float) -> str:
    return f"{value:.2f}" if value < 9.95 else significant(value)


def interval(low: float, high: float) -> str:
    return f"{ratio(low)} to {ratio(high)}"


def names(of_targets: Sequence[str]) -> str:
    """a, b and c."""
    if len(of_targets) < 2:
        return "".join(of_targets)
    return f"{', '.join(of_targets[:-1])} and {of_targets[-1]}"


def count(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def scenario(name: str, known: dict[str, Scenario] = SCENARIOS) -> str:
    """What the work was. If the lab does not know the scenario, its name."""
    return known[name].summary if name in known else name


def connections(number: int) -> str:
    return count(number, "connection")
