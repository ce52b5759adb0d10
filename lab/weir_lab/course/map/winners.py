"""Who wins one kind of work at one number of connections, by how much, and what can't be told.

The best of many is partly the luckiest. So all pairs of a field are compared with intervals that hold together
(statistics/pairs.py): whoever is picked has won one of these pairs.

Requests per second decide. If the generator was the limit for an engine, its rate is a lower bound: such an engine can
win, and it can't be told to lose. If it was the limit for all that are in front, server CPU per request decides among
them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from weir_lab.core.result import Run
from weir_lab.statistics.measures import WITHIN_RESULT, Ratio, pairs_of, summarise
from weir_lab.statistics.pairs import Pairs

ROUNDS_MIN = 2


@dataclass(frozen=True)
class Verdict:
    """`winners`: the best, and those that can't be told from it. `ahead_of` is the best of the others, by `lead` (1.5:
    the winner has one and a half times its rate, or two thirds of its CPU)."""

    winners: tuple[str, ...]
    decided_by: str  # "rate" or "CPU"
    ahead_of: str = ""
    lead: Ratio | None = None

    @property
    def is_told(self) -> bool:
        return len(self.winners) == 1


def verdict(runs: Mapping[str, Sequence[Run]], error: float = WITHIN_RESULT) -> Verdict | None:
    """Of the runs that count, by engine. `error` is the lab's own. None if fewer than two engines have enough
    rounds."""
    enough = {name: of for name, of in runs.items() if len({run.round for run in of}) >= ROUNDS_MIN}
    if len(enough) < 2:
        return None
    first = _among(enough, _rate, error, more_is_better=True)
    if first.is_told or not all(_is_limited(enough[name]) for name in first.winners):
        return first
    second = _among({name: enough[name] for name in first.winners}, _cost, error, more_is_better=False)
    return second if second.ahead_of else Verdict(second.winners, first.decided_by, first.ahead_of, first.lead)


def _rate(run: Run) -> float:
    return run.load.rate if run.load else 0.0


def _cost(run: Run) -> float:
    return run.cpu_per_request or 0.0


def _is_limited(runs: Sequence[Run]) -> bool:
    return any(run.limited for run in runs)


def _among(
    runs: Mapping[str, Sequence[Run]], of: Callable[[Run], float], error: float, more_is_better: bool
) -> Verdict:
    rounds = {name: {run.round: value for run in one if (value := of(run)) > 0} for name, one in runs.items()}
    pairs = Pairs(rounds, pairs_of(len(rounds)))
    sign = 1 if more_is_better else -1
    best = max(rounds, key=lambda name: sign * middle(list(rounds[name].values())))
    tied, behind = [best], {}
    for name in rounds.keys() - {best}:
        lead = pairs.ratio(best, name, error) if more_is_better else pairs.ratio(name, best, error)
        may_be_more = more_is_better and _is_limited(runs[name])
        if lead is None or lead.low <= 1 or may_be_more:
            tied.append(name)
        else:
            behind[name] = lead
    tied[1:] = sorted(tied[1:], key=list(rounds).index)
    next_one = min(behind, key=lambda name: behind[name].middle) if behind else ""
    return Verdict(tuple(tied), "rate" if more_is_better else "CPU", next_one, behind.get(next_one))


def middle(values: Sequence[float]) -> float:
    """Zero without a value."""
    found = summarise(values)
    return found.middle if found else 0.0
