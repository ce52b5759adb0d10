"""Whether a row has enough rounds: the interval of each target's ratio to the first target is as narrow as asked."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from weir_lab.core.result import Cell, Run
from weir_lab.core.scenario import SCENARIOS
from weir_lab.core.target import is_control
from weir_lab.statistics.measures import MEASURES, by_round, pairs_of
from weir_lab.statistics.pairs import Pairs

Counted = Mapping[Cell, Sequence[Run]]


def counted(runs: Iterable[Run]) -> dict[Cell, list[Run]]:
    """By cell, without traced runs. Refused ones are included: their round was made."""
    found: dict[Cell, list[Run]] = defaultdict(list)
    for run in runs:
        if not run.traced:
            found[run.cell].append(run)
    return found


def rounds_of(by_cell: Counted, row: Sequence[Cell]) -> tuple[int, int]:
    """How many rounds were begun, and how many are complete. A cell that can't begin is in none."""
    numbers = [max(run.round for run in by_cell[cell]) + 1 for cell in row if cell in by_cell and _began(by_cell[cell])]
    return max(numbers, default=0), min(numbers, default=0)


def is_reached(by_cell: Counted, row: Sequence[Cell], width: float) -> bool:
    """True if nothing could make it narrower: the row has one target that counts, or none."""
    measure = MEASURES[deciding(row[0])]
    compared = [cell for cell in row if not is_control(cell.target)]
    values = {cell: by_round((run for run in by_cell.get(cell, ()) if not run.refused), measure) for cell in compared}
    known = {cell: rounds for cell, rounds in values.items() if rounds}
    pairs = Pairs(known, pairs_of(len(known)))
    ratios = [pairs.ratio(cell, next(iter(known))) for cell in list(known)[1:]]
    return all(one is not None and one.high / one.middle - 1 <= width for one in ratios)


def deciding(cell: Cell) -> str:
    """The measure that decides: CPU if the server does the work, the rate if its handler waits or computes, and the
    tail in an open loop at a part of the capacity, where each target has a rate of its own."""
    if cell.rate is not None:
        return "cpu"
    known = SCENARIOS.get(cell.scenario)
    if known and known.part_of_capacity is not None:
        return "p99"
    return "rate" if known is None or known.handler != "none" else "cpu"


def _began(runs: Sequence[Run]) -> bool:
    return any(run.server is not None or run.load is not None for run in runs)
