"""The rates of an open loop that follow from what a closed loop reached."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from weir_lab.core.result import Cell, Result, Run
from weir_lab.experiments.experiment import Experiment


def fix(experiment: Experiment, result: Result) -> None:
    """A capacity is known as soon as one run of it counts, and stays what it was then: all rounds have the same
    rates."""
    for cell in experiment.capacity_cells():
        if cell.key not in result.capacities and (reached := _closed(result.runs, cell)):
            result.capacities[cell.key] = reached[0]


def capacity_of(result: Result, cell: Cell) -> float | None:
    """The rate that the same generator reached on the same target in closed loop, or a lower one that an open loop fell
    short of. If the generator is slower than the server, this is its own capacity."""
    closed = replace(cell, scenario="keep-alive")
    reached = _closed(result.runs, closed)
    came_short = [
        one.load.rate
        for one in result.runs
        if one.load
        and one.is_short_of_rate
        and len(one.refused) == 1
        and replace(one.cell, scenario="keep-alive") == closed
    ]
    return min([max(reached), *came_short]) if reached else None


def _closed(runs: Sequence[Run], cell: Cell) -> list[float]:
    return [one.load.rate for one in runs if one.load and not one.refused and not one.traced and one.cell == cell]
