"""Formats figures for people."""

from collections.abc import Sequence

from weir_lab.core.result import Cell
from weir_lab.core.scenario import SCENARIOS, Scenario
from weir_lab.statistics.measures import Measure, Ratio, Summary

MISSING = "–"


def significant(value: float, digits: int = 3) -> str:
    """Three digits, and never an exponent: 0.0123, 4.56, 1,234."""
    if value == 0:
        return "0"
    value = float(f"{value:.{digits}g}") if abs(value) < 10 ** (digits - 1) else value  # 9.999 is 10.0
    magnitude = len(str(int(abs(value)))) if abs(value) >= 1 else 1
    if abs(value) < 1:
        return f"{value:#.{digits}g}" if abs(value) >= 1e-4 else f"{value:.6f}".rstrip("0")
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
    """A bound says so. What is not even a bound is no figure."""
    if not summary or summary.bound == "limited":
        return summary.bound if summary else MISSING
    value = figure(summary.middle, measure.unit)
    return f"{summary.bound} {value}" if summary.bound else value


def spread(summary: Summary) -> str:
    """How far the interval reaches. A bound has none, and neither has one run."""
    if summary.bound:
        return "a bound"
    return f"±{percent(summary.spread)}" if summary.count > 1 else "one run"


def percent(part: float, decimals: int = 1) -> str:
    """Two digits. More than all of it is no precision at all."""
    if part > 1:
        return "over 100%"
    return f"{part:.{decimals}%}" if part < 0.0995 else f"{part:.0%}"


def ratio(value: float) -> str:
    """Almost 1 is not 1: an interval that ends there would seem to contain it, or not to."""
    if f"{value:.2f}" == "1.00" and abs(value - 1) >= 0.0005:
        return f"{value:.3f}"
    return f"{value:.2f}" if value < 9.95 else significant(value)


def interval(low: float, high: float) -> str:
    return f"{ratio(low)} to {ratio(high)}"


def times(found: Ratio) -> str:
    """1.23 (1.20 to 1.26)."""
    return f"{ratio(found.middle)} ({interval(found.low, found.high)})"


def workers(number: int) -> str:
    """After other words; nothing for the usual one."""
    return f", {number} workers" if number > 1 else ""


def setting(cell: Cell) -> str:
    """After other words: more workers than one, and a rate."""
    return workers(cell.workers) + (f" at {rate(cell.rate)}" if cell.rate else "")


def names(of_targets: Sequence[str]) -> str:
    """a, b and c."""
    if len(of_targets) < 2:
        return "".join(of_targets)
    return f"{', '.join(of_targets[:-1])} and {of_targets[-1]}"


def count(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def rate(value: float) -> str:
    return f"{value:,.0f}/s"


def minutes(seconds: tuple[float, float]) -> str:
    """From the shortest to the longest."""
    least, most = (round(one / 60) for one in seconds)
    return count(most, "minute") if least == most else f"{least} to {count(most, 'minute')}"


def scenario(name: str, known: dict[str, Scenario] = SCENARIOS) -> str:
    """What the work was. If the lab does not know the scenario, its name."""
    return known[name].summary if name in known else name


def connections(number: int) -> str:
    return count(number, "connection")
