"""Medians and spread of the runs that count, and whether two results differ by more than their noise."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from weir_lab.result import Cell, Result, Run


@dataclass(frozen=True)
class Measure:
    name: str
    title: str
    unit: str
    of: Callable[[Run], float | None]
    less_is_better: bool = True


def _of_latency(name: str) -> Callable[[Run], float | None]:
    return lambda run: getattr(run.load.latency, name) if run.load and not run.limited else None


def _of_server(name: str) -> Callable[[Run], float | None]:
    return lambda run: getattr(run.server, name) if run.server else None


def _of_counter(name: str) -> Callable[[Run], float | None]:
    return lambda run: run.server.counters.get(name) if run.server else None


def _switches_per_request(run: Run) -> float | None:
    if not run.server or not run.load or not run.load.requests or run.server.context_switches is None:
        return None
    return run.server.context_switches / run.load.requests


MEASURES = {
    one.name: one
    for one in (
        Measure("cpu", "server CPU per request", "s", lambda run: run.cpu_per_request),
        Measure(
            "rate",
            "requests per second",
            "/s",
            lambda run: run.load.rate if run.load and not run.limited else None,
            less_is_better=False,
        ),
        Measure("p50", "latency, median", "s", _of_latency("p50")),
        Measure("p99", "latency, 99th percentile", "s", _of_latency("p99")),
        Measure("p999", "latency, 99.9th percentile", "s", _of_latency("p999")),
        Measure("memory", "resident memory", "B", _of_server("resident_bytes")),
        Measure("switches", "context switches per request", "", _switches_per_request),
        Measure("calls", "system calls per request", "", _of_server("system_calls")),
        Measure("instructions", "instructions per request", "", _of_counter("instructions")),
        Measure("cycles", "cycles per request", "", _of_counter("cycles")),
        Measure("cache-misses", "cache misses per request", "", _of_counter("cache-misses")),
    )
}


COUNTED = ("calls", "instructions", "cycles", "cache-misses")  # in traced runs


@dataclass(frozen=True)
class Summary:
    """Of the runs of one cell that count."""

    median: float
    low: float
    high: float
    count: int

    @property
    def spread(self) -> float:
        """Half the distance between the extremes, relative to the median."""
        return (self.high - self.low) / 2 / self.median if self.median else 0.0


def values(result: Result, cell: Cell, measure: Measure) -> list[float]:
    found = (
        measure.of(run)
        for run in result.runs
        if run.cell == cell and not run.refused and run.traced == (measure.name in COUNTED)
    )
    return [value for value in found if value is not None]


def summarise(found: Sequence[float]) -> Summary | None:
    return Summary(statistics.median(found), min(found), max(found), len(found)) if found else None


# --- two results --------------------------------------------------------------------------------------------

# Two results of the same program on the same machine differ by so much, however small their spread: caches, memory
# layout, other machines on the same host.
BETWEEN_RESULTS = 0.05

# Student's t, two-sided 95 %, by degrees of freedom; past the table, the normal distribution's.
T95 = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131)


@dataclass(frozen=True)
class Comparison:
    """B compared with A for one cell and measure. `ratio` is B / A, between `low` and `high` with 95 % confidence."""

    cell: Cell
    measure: Measure
    a: Summary
    b: Summary
    ratio: float
    low: float
    high: float

    @property
    def verdict(self) -> str:
        """About B: faster, slower or can't tell."""
        if self.low <= 1 <= self.high:
            return "can't tell"
        return "faster" if (self.ratio < 1) == self.measure.less_is_better else "slower"


def compare_values(
    cell: Cell, measure: Measure, a: Sequence[float], b: Sequence[float], drift: float = 0.0
) -> Comparison | None:
    """Welch's interval for the ratio (the difference of the logarithms), widened by the usual difference of two
    results: BETWEEN_RESULTS, or the `drift` of the floor between them if that is more. With one run each there is no
    spread, and no verdict."""
    of_a, of_b = summarise(a), summarise(b)
    if not of_a or not of_b or min(len(a), len(b)) < 2 or min(*a, *b) <= 0:
        return None
    logs_a, logs_b = [math.log(value) for value in a], [math.log(value) for value in b]
    error_a, error_b = statistics.variance(logs_a) / len(a), statistics.variance(logs_b) / len(b)
    middle = statistics.fmean(logs_b) - statistics.fmean(logs_a)
    half = _t95(error_a, len(a), error_b, len(b)) * math.sqrt(error_a + error_b) + max(
        math.log1p(BETWEEN_RESULTS), drift
    )
    return Comparison(cell, measure, of_a, of_b, math.exp(middle), math.exp(middle - half), math.exp(middle + half))


def _t95(error_a: float, count_a: int, error_b: float, count_b: int) -> float:
    """By Welch and Satterthwaite's degrees of freedom."""
    both = error_a + error_b
    if both == 0:
        return 0.0
    degrees = both**2 / (error_a**2 / (count_a - 1) + error_b**2 / (count_b - 1))
    return T95[int(degrees) - 1] if 1 <= degrees <= len(T95) else 1.96


def compare(a: Result, b: Result, measures: Sequence[str] = ("cpu", "rate", "p99")) -> list[Comparison]:
    """Every cell that both have."""
    cells = list(dict.fromkeys(run.cell for run in a.runs))
    found: list[Comparison] = []
    for name in measures:
        measure = MEASURES[name]
        drift = _drift_of_floor(a, b, cells, measure)
        compared = (
            compare_values(cell, measure, values(a, cell, measure), values(b, cell, measure), drift) for cell in cells
        )
        found += [one for one in compared if one]
    return found


def _drift_of_floor(a: Result, b: Result, cells: Sequence[Cell], measure: Measure) -> float:
    """The floor is the same program in both results, so that a change of it comes from the machine. The logarithm of
    the median ratio."""
    floors = [cell for cell in cells if cell.target.startswith("floor/")]
    pairs = [(summarise(values(a, cell, measure)), summarise(values(b, cell, measure))) for cell in floors]
    drifts = [
        abs(math.log(of_b.median / of_a.median))
        for of_a, of_b in pairs
        if of_a and of_b and of_a.median > 0 and of_b.median > 0
    ]
    return statistics.median(drifts) if drifts else 0.0
