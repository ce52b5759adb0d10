"""What is measured next, and in which order. All of it follows from the experiment, the seed and the runs that are
done, so that an interrupted experiment goes on as if nothing had happened."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from weir_lab.core.result import Cell, Result, Row, Run
from weir_lab.core.scenario import SCENARIOS
from weir_lab.experiments.experiment import Experiment
from weir_lab.statistics import width


@dataclass(frozen=True)
class Planned:
    cell: Cell
    round: int
    traced: bool = False


def left(experiment: Experiment, result: Result) -> list[Planned]:
    """The runs that are known to be missing: first the rounds that each row has in any case, then one more round of
    each row that is not known well enough, and the traced runs last."""
    cells = experiment.cells(result.capacities)
    done = {Planned(one.cell, one.round, one.traced) for one in result.runs}
    rounds = _rounds(experiment, result, cells)
    planned = [
        Planned(cell, number)
        for number in range(max(rounds.values(), default=0))
        for cell in in_random_order([one for one in cells if number < rounds[one.row]], result.seed or 0, number)
    ]
    needed = {cell for cell in experiment.capacity_cells() if cell.key not in result.capacities}
    missing = sorted((one for one in planned if one not in done), key=lambda one: one.cell not in needed)
    if missing or not experiment.system_calls:
        return missing
    return [one for one in (Planned(cell, 0, traced=True) for cell in cells) if one not in done]


def at_most(experiment: Experiment) -> list[Planned]:
    """All runs that there may be: each row with as many rounds as it may have."""
    cells = experiment.possible_cells()
    runs = [Planned(cell, number) for cell in cells for number in range(experiment.rounds_max_of(cell))]
    return runs + ([Planned(cell, 0, traced=True) for cell in cells] if experiment.system_calls else [])


def at_least(experiment: Experiment) -> list[Planned]:
    return [one for one in at_most(experiment) if one.traced or one.round < experiment.rounds_of(one.cell)]


def _rounds(experiment: Experiment, result: Result, cells: Sequence[Cell]) -> dict[Row, int]:
    """How many rounds each row should have by now. A row grows as a whole, because its targets are compared round by
    round."""
    rows: dict[Row, list[Cell]] = {}
    for cell in cells:
        rows.setdefault(cell.row, []).append(cell)
    by_cell = width.counted(result.runs)
    found = {}
    for row, members in rows.items():
        rounds = max(experiment.rounds_of(cell) for cell in members)
        most = max(experiment.rounds_max_of(cell) for cell in members)
        begun, done = width.rounds_of(by_cell, members)
        wanted = [one for cell in members if (one := experiment.width_of(cell)) is not None]
        if rounds <= done == begun < most and wanted and not width.is_reached(by_cell, members, min(wanted)):
            begun += 1
        found[row] = max(rounds, begun)
    return found


def in_random_order(cells: Sequence[Cell], seed: int, round: int) -> Iterator[Cell]:
    """The rows of a round, and the targets of each row, in an order that nothing else of the machine can follow. The
    targets of a row stay neighbours. Work at a part of a capacity comes after the runs that find it."""
    source = random.Random(f"{seed} {round}")
    rows: dict[Row, list[Cell]] = {}
    for cell in cells:
        rows.setdefault(cell.row, []).append(cell)
    order = list(rows.values())
    source.shuffle(order)
    order.sort(key=lambda row: SCENARIOS[row[0].scenario].part_of_capacity is not None)
    for row in order:
        source.shuffle(row)
        yield from row


# --- the rates of an open loop that follow from what a closed loop reached ---


def fix_rates(experiment: Experiment, result: Result) -> None:
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
