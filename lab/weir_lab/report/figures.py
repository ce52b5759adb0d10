"""The figures of a result: computed once for every part of the page."""

from __future__ import annotations

import math
import statistics
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from weir_lab.result import Cell, Result, Run
from weir_lab.scenario import SCENARIOS
from weir_lab.statistics import COUNTED, MEASURES, T95, Measure, Summary, summarise

# Rounds of one result run on the same machine, and each starts a new server. Still, two or three of them may agree by
# chance, so the lab never claims a smaller difference.
WITHIN_RESULT = 0.02


def _latency(name: str) -> Measure:
    return Measure(
        name,
        f"latency, {name}",
        "s",
        lambda run: getattr(run.load.latency, name) if run.load and not run.limited else None,
    )


def _bytes_per_second(run: Run) -> float | None:
    if not run.load or run.limited or run.load.bytes_received is None or run.load.seconds <= 0:
        return None
    return run.load.bytes_received / run.load.seconds


def _per_request(name: str) -> Measure:
    def of(run: Run) -> float | None:
        return getattr(run.server, name) / run.load.requests if run.server and run.load and run.load.requests else None

    return Measure(name, f"server CPU per request, {name.removesuffix('_seconds')}", "s", of)


ALL = MEASURES | {
    one.name: one
    for one in (
        _latency("mean"),
        _latency("p90"),
        _latency("max"),
        _per_request("user_seconds"),
        _per_request("system_seconds"),
        Measure("bytes", "bytes received per second", "B/s", _bytes_per_second, less_is_better=False),
        Measure("asked", "requests per second asked for", "/s", lambda run: run.asked_rate),
        Measure(
            "established",
            "connections that the kernel held",
            "",
            lambda run: run.server.established if run.server else None,
        ),
    )
}


@dataclass(frozen=True)
class Group:
    """Cells that differ only in target and connections: the content of one plot."""

    scenario: str
    generator: str
    workers: int


@dataclass(frozen=True)
class Ratio:
    """One cell divided by another of the same result, with 95 % confidence."""

    middle: float
    low: float
    high: float

    @property
    def is_told(self) -> bool:
        return not self.low <= 1 <= self.high


class Figures:
    def __init__(self, result: Result) -> None:
        self.result = result
        self._runs: dict[Cell, list[Run]] = defaultdict(list)
        for run in result.runs:
            self._runs[run.cell].append(run)
        self._summaries: dict[tuple[Cell, str], Summary | None] = {}

    @property
    def cells(self) -> list[Cell]:
        return list(self._runs)

    @cached_property
    def groups(self) -> list[Group]:
        return list(dict.fromkeys(Group(cell.scenario, cell.generator, cell.workers) for cell in self.cells))

    def runs(self, cell: Cell, traced: bool = False) -> list[Run]:
        return [run for run in self._runs.get(cell, []) if run.traced == traced]

    def counted(self, cell: Cell, traced: bool = False) -> list[Run]:
        return [run for run in self.runs(cell, traced) if not run.refused]

    def refused(self) -> list[Run]:
        return [run for run in self.result.runs if run.refused]

    def limited(self) -> list[Run]:
        return [run for run in self.result.runs if run.limited and not run.refused]

    def summary(self, cell: Cell, measure: str) -> Summary | None:
        key = cell, measure
        if key not in self._summaries:
            found = (ALL[measure].of(run) for run in self.counted(cell, traced=measure in COUNTED))
            self._summaries[key] = summarise([value for value in found if value is not None])
        return self._summaries[key]

    def in_group(self, group: Group) -> list[Cell]:
        return [cell for cell in self.cells if Group(cell.scenario, cell.generator, cell.workers) == group]

    def beside(self, cell: Cell) -> list[Cell]:
        """All cells with the same work, including this one."""
        return [
            one
            for one in self.in_group(Group(cell.scenario, cell.generator, cell.workers))
            if one.connections == cell.connections
        ]

    def floor(self, cell: Cell, measure: str) -> Cell | None:
        """The better floor with the same work."""
        return self.best((one for one in self.beside(cell) if is_floor(one.target)), measure)

    def best(self, cells: Iterable[Cell], measure: str) -> Cell | None:
        sign = 1 if ALL[measure].less_is_better else -1
        medians = [(sign * found.median, cell) for cell in cells if (found := self.summary(cell, measure))]
        return min(medians)[1] if medians else None

    def ratio(self, cell: Cell, to: Cell, measure: str) -> Ratio | None:
        """Compares round by round, because what the machine did in a round affected both. None if they have fewer than
        two rounds in common."""
        of_cell, of_other = self._by_round(cell, measure), self._by_round(to, measure)
        logs = [math.log(of_cell[number] / of_other[number]) for number in of_cell.keys() & of_other.keys()]
        if len(logs) < 2:
            return None
        t = T95[min(len(logs) - 1, len(T95)) - 1]
        half = t * statistics.stdev(logs) / math.sqrt(len(logs)) + math.log1p(WITHIN_RESULT)
        middle = statistics.fmean(logs)
        return Ratio(math.exp(middle), math.exp(middle - half), math.exp(middle + half))

    def _by_round(self, cell: Cell, measure: str) -> dict[int, float]:
        found = ((run.round, ALL[measure].of(run)) for run in self.counted(cell))
        return {number: value for number, value in found if value is not None and value > 0}


def is_floor(target: str) -> bool:
    return target.startswith("floor/")


def is_weir(target: str) -> bool:
    return target.startswith("weir/")


def short(target: str) -> str:
    """An engine without the prefix `weir/`."""
    return target.removeprefix("weir/")


def leading_measure(scenario: str) -> str:
    """The measure that decides: CPU if the server does the work, the rate if its handler waits or computes, and the
    tail in an open loop, where the rate is given."""
    known = SCENARIOS.get(scenario)
    if known and known.part_of_capacity is not None:
        return "p99"
    return "rate" if known is None or known.handler != "none" else "cpu"
