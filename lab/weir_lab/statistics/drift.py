"""Whether the machine drifted while an experiment ran. The floors and the control are the same programs all the time,
so a trend of their cost over the run is the machine's.

Each two rounds are compared by the cells of these targets that both have. The trend is Sen's slope: the median of all
slopes between two rounds. Kendall's test says whether it can be chance: it counts in how many pairs the later round
costs more. A round is one observation, however many cells it has, because what disturbs a round disturbs all of them.
If the trend can't be chance, and the whole run makes more of it than DRIFT_MAX to each side, the rounds farthest from
the middle are refused."""

import math
import statistics
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations

from weir_lab.core.result import Cell, Result, Row, Run
from weir_lab.core.target import AGAIN, is_control, is_floor

DRIFT_MAX = 0.05  # of the cost, from the middle of the run to its beginning or end
CHANCE = 0.05
ROUNDS_MIN = 3  # fewer have no trend; with four or fewer, any order is likely enough
REASON = "the machine drifted"


@dataclass(frozen=True)
class Drift:
    change: float  # of the cost from the first run to the last: 0.02 is 2 % more
    chance: float  # the probability of such a trend, or a clearer one, without a drift
    rounds: int

    @property
    def is_told(self) -> bool:
        return self.chance < CHANCE

    @property
    def is_too_much(self) -> bool:
        return self.is_told and abs(math.log1p(self.change)) > 2 * math.log1p(DRIFT_MAX)


def of(result: Result) -> Drift | None:
    """Of all runs that count, or would if there were no drift. None: no reference target has rounds enough."""
    found = _references(result)
    places = {number: _place(result, number) for number in found}
    steps = [
        (number, later, step)
        for number, later in combinations(sorted(found), 2)
        if (step := _step(found[number], found[later])) is not None
    ]
    rounds = len({number for number, later, _ in steps for number in (number, later)})
    if rounds < ROUNDS_MIN:
        return None
    slope = statistics.median(step / (places[later] - places[number]) for number, later, step in steps)
    score = sum((step > 0) - (step < 0) for _, _, step in steps)
    return Drift(math.expm1(slope * (len(result.runs) - 1)), _chance(score, rounds), rounds)


def refuse(result: Result) -> int:
    """Refuses all runs of the rounds that are too far from the middle of the trend, and says how many these are."""
    found = of(result)
    if not found or not found.is_too_much:
        return 0
    slope, middle = math.log1p(found.change) / (len(result.runs) - 1), (len(result.runs) - 1) / 2
    places: dict[tuple[Row, int], list[int]] = defaultdict(list)
    for place, run in enumerate(result.runs):
        places[run.cell.row, run.round].append(place)
    off = {key: math.expm1(slope * (statistics.fmean(of_round) - middle)) for key, of_round in places.items()}
    refused = 0
    for place, run in enumerate(result.runs):
        change = off[run.cell.row, run.round]
        if abs(change) > DRIFT_MAX and not run.refused and not run.traced:
            result.runs[place] = replace(run, refused=[_reason(found, change)])
            refused += 1
    return refused


def _reason(found: Drift, change: float) -> str:
    return (
        f"{REASON}: requests cost the floor and the control {abs(found.change):.0%} "
        f"{'more' if found.change > 0 else 'less'} at the end of the experiment than at its beginning, and in this "
        f"round {abs(change):.0%} {'more' if change > 0 else 'less'} than in the middle"
    )


def _references(result: Result) -> dict[int, dict[Cell, float]]:
    """For each round, the logarithms of what the floors and the control cost in it."""
    controls = {run.cell.target for run in result.runs if is_control(run.cell.target)}
    references = controls | {target.removesuffix(AGAIN) for target in controls}
    found: dict[int, dict[Cell, float]] = defaultdict(dict)
    for run in result.runs:
        if (is_floor(run.cell.target) or run.cell.target in references) and (cost := _cost(run)):
            found[run.round][run.cell] = math.log(cost)
    return found


def _cost(run: Run) -> float | None:
    counts = all(reason.startswith(REASON) for reason in run.refused) and not run.traced
    return run.cpu_per_request if counts else None


def _place(result: Result, round: int) -> float:
    """Of a round in the experiment."""
    return statistics.fmean(place for place, run in enumerate(result.runs) if run.round == round and not run.traced)


def _step(one: Mapping[Cell, float], later: Mapping[Cell, float]) -> float | None:
    """From one round to a later one, over the cells that both have."""
    both = one.keys() & later.keys()
    return statistics.fmean(later[cell] - one[cell] for cell in both) if both else None


def _chance(score: int, rounds: int) -> float:
    """Of an order of the rounds that has this score, or one farther from 0. Counts the orders by their inversions."""
    orders = [1]
    for number in range(2, rounds + 1):
        orders = [
            sum(orders[max(0, inversions - number + 1) : inversions + 1])
            for inversions in range(len(orders) + number - 1)
        ]
    pairs = rounds * (rounds - 1) // 2
    as_clear = sum(count for inversions, count in enumerate(orders) if abs(pairs - 2 * inversions) >= abs(score))
    return as_clear / math.factorial(rounds)
