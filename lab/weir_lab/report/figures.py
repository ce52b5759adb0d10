"""The figures of a result: computed once for every part of the page."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from weir_lab.core.result import Cell, Result, Row, Run
from weir_lab.core.scenario import SCENARIOS
from weir_lab.core.target import AGAIN, is_control, is_floor
from weir_lab.statistics import drift
from weir_lab.statistics.drift import Drift
from weir_lab.statistics.measures import (
    COUNTED,
    MEASURES,
    WITHIN_RESULT,
    Measure,
    Ratio,
    Summary,
    by_round,
    latency,
    of_runs,
    paired,
    pairs_of,
)
from weir_lab.statistics.pairs import Pairs
from weir_lab.statistics.width import deciding

__all__ = ["ALL", "GIVEN", "Figures", "Group", "Ratio", "deciding", "is_weir", "short"]


def _bytes_per_second(run: Run) -> float | None:
    if not run.load or run.load.bytes_received is None or run.load.seconds <= 0:
        return None
    return run.load.bytes_received / run.load.seconds


def _per_request(name: str) -> Measure:
    def of(run: Run) -> float | None:
        return getattr(run.server, name) / run.load.requests if run.server and run.load and run.load.requests else None

    return Measure(name, f"server CPU per request, {name.removesuffix('_seconds')}", "s", of)


ALL = MEASURES | {
    one.name: one
    for one in (
        latency("mean", "latency, mean"),
        latency("p90", "latency, 90th percentile"),
        latency("max", "latency, largest"),
        _per_request("user_seconds"),
        _per_request("system_seconds"),
        Measure("bytes", "bytes received per second", "B/s", _bytes_per_second, less_is_better=False, bounded=True),
        Measure("asked", "requests per second asked for", "/s", lambda run: run.asked_rate),
        Measure(
            "established",
            "connections that the kernel held",
            "",
            lambda run: run.server.established if run.server else None,
        ),
    )
}

GIVEN = ("asked", "established", *COUNTED)  # by the experiment or the program: they have no interval


@dataclass(frozen=True)
class Group:
    """The content of one plot: cells that differ only in target and connections, or, at fixed rates, in target and
    rate."""

    scenario: str
    generator: str
    workers: int
    connections: int | None = None  # at fixed rates only

    @staticmethod
    def of(cell: Cell) -> Group:
        connections = None if cell.rate is None else cell.connections
        return Group(cell.scenario, cell.generator, cell.workers, connections)

    @property
    def is_rated(self) -> bool:
        return self.connections is not None

    @property
    def is_open_loop(self) -> bool:
        """At a part of the capacity, where each target has a rate of its own."""
        known = SCENARIOS.get(self.scenario)
        return known is not None and known.part_of_capacity is not None


class Figures:
    def __init__(self, result: Result) -> None:
        self.result = result
        self._runs: dict[Cell, list[Run]] = defaultdict(list)
        for run in result.runs:
            self._runs[run.cell].append(run)
        self._summaries: dict[tuple[Cell, str], Summary | None] = {}
        self._rows: dict[tuple[Row, str], Pairs[Cell]] = {}
        self._errors: dict[tuple[Row, str], float] = {}

    @property
    def cells(self) -> list[Cell]:
        return list(self._runs)

    @cached_property
    def groups(self) -> list[Group]:
        return list(dict.fromkeys(map(Group.of, self.cells)))

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
            self._summaries[key] = of_runs(self.counted(cell, traced=measure in COUNTED), ALL[measure])
        return self._summaries[key]

    def in_group(self, group: Group) -> list[Cell]:
        return [cell for cell in self.cells if Group.of(cell) == group]

    def beside(self, cell: Cell) -> list[Cell]:
        """All cells with the same work, including this one."""
        return [one for one in self.cells if one.row == cell.row]

    def floor(self, cell: Cell, measure: str) -> Cell | None:
        """The better floor with the same work."""
        return self.best((one for one in self.beside(cell) if is_floor(one.target)), measure)

    def to_floor(self, cell: Cell, measure: str) -> Ratio | None:
        """None for the floor itself."""
        floor = self.floor(cell, measure)
        return self.ratio(cell, floor, measure) if floor and floor != cell else None

    def best(self, cells: Iterable[Cell], measure: str) -> Cell | None:
        """None if the generator was the limit of all of them."""
        sign = 1 if ALL[measure].less_is_better else -1
        known = ((self.summary(cell, measure), cell) for cell in cells)
        middles = [(sign * found.middle, cell) for found, cell in known if found and not found.bound]
        return min(middles)[1] if middles else None

    def ratio(self, cell: Cell, to: Cell, measure: str) -> Ratio | None:
        """All intervals of a row hold together, because whoever reads it picks the pair that is worth a sentence."""
        return self._pairs(cell, measure).ratio(cell, to, self.own_error(cell, measure))

    def planned_ratio(self, cell: Cell, to: Cell, measure: str, comparisons: int) -> Ratio | None:
        """Of a pair that was chosen before the measurement. So many intervals hold together."""
        every = {one: self._by_round(one, measure) for one in self.beside(cell)}
        return Pairs(every, comparisons).ratio(cell, to, self.own_error(cell, measure))

    def _pairs(self, cell: Cell, measure: str) -> Pairs[Cell]:
        key = cell.row, measure
        if key not in self._rows:
            every = {one: self._by_round(one, measure) for one in self.beside(cell)}
            compared = sum(bool(rounds) and not is_control(one.target) for one, rounds in every.items())
            self._rows[key] = Pairs(every, pairs_of(compared))
        return self._rows[key]

    def _by_round(self, cell: Cell, measure: str) -> dict[int, float]:
        return by_round(self.counted(cell), ALL[measure])

    # --- what the lab itself gets wrong ---

    def control(self, cell: Cell, measure: str) -> Ratio | None:
        """The same target twice in this row: the second time divided by the first. Its interval is of the rounds
        alone."""
        again = next((one for one in self.beside(cell) if is_control(one.target)), None)
        first = again and next(
            (one for one in self.beside(cell) if one.target == again.target.removesuffix(AGAIN)), None
        )
        return paired(self._by_round(again, measure), self._by_round(first, measure)) if again and first else None

    def own_error(self, cell: Cell, measure: str) -> float:
        """How far the control of this row is from 1. A row without one takes the largest of the others."""
        key = cell.row, measure
        if key not in self._errors:
            own = self.control(cell, measure)
            found = [own] if own else [self.control(one, measure) for one in self._controls]
            self._errors[key] = max(
                [WITHIN_RESULT, *(math.expm1(abs(math.log(one.middle))) for one in found if one is not None)]
            )
        return self._errors[key]

    @cached_property
    def _controls(self) -> list[Cell]:
        return [cell for cell in self.cells if is_control(cell.target)]

    def controls(self) -> list[tuple[Cell, Ratio]]:
        """Of every row that has one, by the measure that decides there."""
        found = ((cell, self.control(cell, deciding(cell))) for cell in self._controls)
        return [(cell, one) for cell, one in found if one]

    @cached_property
    def drift(self) -> Drift | None:
        return drift.of(self.result)


def is_weir(target: str) -> bool:
    """The command, or a program on the library."""
    return target.startswith(("weir/", "program/"))


def short(target: str) -> str:
    """An engine without the prefix `weir/`."""
    return target.removeprefix("weir/")
