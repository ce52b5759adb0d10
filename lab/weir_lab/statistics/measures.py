"""The one statistic of the lab: the geometric mean of the runs that count, with Student's interval at 95 %. Two targets
of a result are compared round by round, and two results by the spread of their rounds.

The ratio of two geometric means is the geometric mean of the ratios. So two figures of a table, divided, are the ratio
that the lab states, and a sum of logarithms is all that is ever averaged."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from weir_lab.core.result import Cell, Result, Run
from weir_lab.core.target import is_floor
from weir_lab.statistics import student

CONFIDENCE = 0.95
# Rounds of one result run on the same machine, and each starts a new server. Still, two or three of them may agree by
# chance, so the lab never claims a smaller difference.
WITHIN_RESULT = 0.02


@dataclass(frozen=True)
class Measure:
    name: str
    title: str
    unit: str
    of: Callable[[Run], float | None]
    less_is_better: bool = True
    bounded: bool = False  # a rate or a latency: if the generator was the limit, it is not the server's

    def bound(self, run: Run) -> str:
        """What a run proves about the server: the value itself ("") or a bound of it."""
        if not self.bounded:
            return ""
        if not self.less_is_better:
            return "at least" if run.limited else ""
        if run.limited:  # in open loop, delays of the generator are in its latency
            return "limited" if run.asked_rate is None else "at most"
        return "at least" if run.is_short_of_rate else ""  # its queue grows for as long as the run lasts


def latency(name: str, title: str) -> Measure:
    return Measure(name, title, "s", lambda run: getattr(run.load.latency, name) if run.load else None, bounded=True)


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
            lambda run: run.load.rate if run.load else None,
            less_is_better=False,
            bounded=True,
        ),
        latency("p50", "latency, median"),
        latency("p99", "latency, 99th percentile"),
        latency("p999", "latency, 99.9th percentile"),
        Measure("memory", "resident memory", "B", _of_server("resident_bytes")),
        Measure("idle", "memory of an idle connection", "B", _of_server("idle_bytes")),
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
    """Of the runs of one cell that count: their geometric mean and its interval. One run has no interval."""

    middle: float
    low: float
    high: float
    count: int
    bound: str = ""  # "at least" or "at most": the generator was the limit; "limited": not even a bound

    @property
    def spread(self) -> float:
        """How far the interval reaches up, relative to the middle."""
        return self.high / self.middle - 1 if self.middle else 0.0


def summarise(found: Sequence[float], bound: str = "") -> Summary | None:
    """A measure that can be zero has an arithmetic mean."""
    if not found:
        return None
    if min(found) <= 0:
        middle, half = statistics.fmean(found), _half(found)
        return Summary(middle, middle - half, middle + half, len(found), bound)
    logs = [math.log(value) for value in found]
    middle, half = statistics.fmean(logs), _half(logs)
    return Summary(math.exp(middle), math.exp(middle - half), math.exp(middle + half), len(found), bound)


def _half(found: Sequence[float]) -> float:
    if len(found) < 2:
        return 0.0
    t = student.quantile((1 + CONFIDENCE) / 2, len(found) - 1)
    return t * statistics.stdev(found) / math.sqrt(len(found))


def of_runs(runs: Iterable[Run], measure: Measure) -> Summary | None:
    """If the generator was the limit of any run, the whole is a bound: otherwise the runs that it limited least would
    be picked."""
    found = [(value, measure.bound(run)) for run in runs if (value := measure.of(run)) is not None]
    bounds = [bound for _, bound in found if bound]
    return summarise([value for value, _ in found], bounds[0] if bounds else "")


def values(result: Result, cell: Cell, measure: Measure) -> list[float]:
    """Those that are the server's own."""
    counted = (
        run
        for run in result.runs
        if run.cell == cell and not run.refused and run.traced == (measure.name in COUNTED) and not measure.bound(run)
    )
    return [value for run in counted if (value := measure.of(run)) is not None]


# --- targets of one result ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Ratio:
    """One cell divided by another of the same result."""

    middle: float
    low: float
    high: float
    count: int = 0  # rounds

    @property
    def is_told(self) -> bool:
        return not self.low <= 1 <= self.high

    @property
    def turned(self) -> Ratio:
        return Ratio(1 / self.middle, 1 / self.high, 1 / self.low, self.count)


def by_round(runs: Iterable[Run], measure: Measure) -> dict[int, float]:
    """Those that can be compared: the server's own, and above zero."""
    found = ((run.round, measure.of(run)) for run in runs if not measure.bound(run))
    return {number: value for number, value in found if value is not None and value > 0}


def paired(of: Mapping[int, float], to: Mapping[int, float]) -> Ratio | None:
    """Two targets that nobody picked, compared round by round, because what the machine did in a round affected both.
    None if they have fewer than two rounds in common. For a row of targets see pairs.py."""
    logs = [math.log(of[number] / to[number]) for number in sorted(of.keys() & to.keys())]
    if len(logs) < 2:
        return None
    middle, half = statistics.fmean(logs), _half(logs)
    return Ratio(math.exp(middle), math.exp(middle - half), math.exp(middle + half), len(logs))


def pairs_of(targets: int) -> int:
    return max(targets * (targets - 1) // 2, 1)


# --- two results --------------------------------------------------------------------------------------------

# Two results of the same program on the same machine differ by so much, however small their spread: caches, memory
# layout, other machines on the same host.
BETWEEN_RESULTS = 0.05


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
    return student.quantile((1 + CONFIDENCE) / 2, degrees)


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
    the ratio in the middle of them."""
    floors = [cell for cell in cells if is_floor(cell.target)]
    pairs = [(summarise(values(a, cell, measure)), summarise(values(b, cell, measure))) for cell in floors]
    drifts = [
        abs(math.log(of_b.middle / of_a.middle))
        for of_a, of_b in pairs
        if of_a and of_b and of_a.middle > 0 and of_b.middle > 0
    ]
    return statistics.median(drifts) if drifts else 0.0
