"""Whether the machine drifted while an experiment ran. The floors and the control are the same programs all the time,
so a trend of their cost over the run is the machine's.

The trend is Sen's slope: the median of all slopes between two runs of the same cell. Kendall's test over the same pairs
says whether it can be chance. If it can't, and the whole run makes more of it than DRIFT_MAX, the rounds farthest from
the middle of the trend are refused."""

from __future__ import annotations

import math
import statistics
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from weir_lab.result import Result, Run
from weir_lab.statistics import AGAIN, is_control, is_floor

DRIFT_MAX = 0.05  # of the cost, from the middle of the run to its beginning or end
CHANCE = 0.05
RUNS_MIN = 8  # of reference targets: fewer show no trend


@dataclass(frozen=True)
class Drift:
    change: float  # of the cost from the first run to the last: 0.02 is 2 % more
    chance: float  # the probability of such a trend, or a clearer one, without a drift
    runs: int

    @property
    def is_told(self) -> bool:
        return self.chance < CHANCE

    @property
    def is_too_much(self) -> bool:
        return self.is_told and abs(math.log1p(self.change)) > 2 * math.log1p(DRIFT_MAX)


Point = tuple[int, float]  # the place of a run in the experiment, and the logarithm of its cost


def of(result: Result) -> Drift | None:
    """None: no reference target ran often enough."""
    series = _series(result)
    runs = sum(map(len, series))
    slopes = [(b[1] - a[1]) / (b[0] - a[0]) for one in series for a, b in combinations(one, 2)]
    if runs < RUNS_MIN or not slopes:
        return None
    return Drift(math.expm1(statistics.median(slopes) * (len(result.runs) - 1)), _chance(series), runs)


def refuse(result: Result) -> int:
    """Refuses all runs of the rounds that are too far from the middle of the trend, and says how many these are."""
    found = of(result)
    if not found or not found.is_too_much:
        return 0
    slope, middle = math.log1p(found.change) / (len(result.runs) - 1), (len(result.runs) - 1) / 2
    places: dict[object, list[int]] = defaultdict(list)
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
        f"the machine drifted: requests cost the floor and the control {abs(found.change):.0%} "
        f"{'more' if found.change > 0 else 'less'} at the end of the experiment than at its beginning, and in this "
        f"round {abs(change):.0%} {'more' if change > 0 else 'less'} than in the middle"
    )


def _series(result: Result) -> list[list[Point]]:
    """Of each cell of a floor or of the control: its runs that count, in the order of time."""
    controls = {run.cell.target for run in result.runs if is_control(run.cell.target)}
    references = controls | {target.removesuffix(AGAIN) for target in controls}
    found: dict[object, list[Point]] = defaultdict(list)
    for place, run in enumerate(result.runs):
        if (is_floor(run.cell.target) or run.cell.target in references) and (cost := _cost(run)):
            found[run.cell].append((place, math.log(cost)))
    return list(found.values())


def _cost(run: Run) -> float | None:
    return None if run.refused or run.traced else run.cpu_per_request


def _chance(series: Sequence[Sequence[Point]]) -> float:
    """Kendall's test: in how many pairs of each cell the later run costs more, minus in how many it costs less."""
    score, variance = 0, 0.0
    for one in series:
        score += sum((b[1] > a[1]) - (b[1] < a[1]) for a, b in combinations(one, 2))
        variance += len(one) * (len(one) - 1) * (2 * len(one) + 5) / 18
    if variance == 0:
        return 1.0
    z = max(abs(score) - 1, 0) / math.sqrt(variance)
    return math.erfc(z / math.sqrt(2))
