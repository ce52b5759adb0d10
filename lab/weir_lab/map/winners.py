"""Who wins one kind of work at one number of connections, by how much, and what can't be told.

The winner is picked on one half of the rounds, and judged on the other. Whoever picks the best of many by chance alone
would find that the chance does not repeat itself.

Requests per second decide. If the generator set the pace of an engine, its rate is a lower bound: such an engine can
win, and it can't be told to lose. If it set the pace of all that are in front, server CPU per request decides among
them."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from weir_lab.report.figures import Ratio
from weir_lab.result import Run
from weir_lab.teach.outcome import ratio

ROUNDS_MIN = 4  # two to pick from, two to judge by


@dataclass(frozen=True)
class Verdict:
    """`winners`: the one that was picked, and those that can't be told from it. `ahead_of` is the best of the others,
    by `lead` (1.5: the winner has one and a half times its rate, or two thirds of its CPU)."""

    winners: tuple[str, ...]
    decided_by: str  # "rate" or "CPU"
    ahead_of: str = ""
    lead: Ratio | None = None

    @property
    def is_told(self) -> bool:
        return len(self.winners) == 1


def verdict(runs: Mapping[str, Sequence[Run]]) -> Verdict | None:
    """Of the runs that count, by engine. None if fewer than two engines have enough rounds."""
    enough = {name: of for name, of in runs.items() if len({run.round for run in of}) >= ROUNDS_MIN}
    if len(enough) < 2:
        return None
    first = _among(enough, _rate, more_is_better=True)
    if len(first.winners) == 1 or not all(_is_limited(enough[name]) for name in first.winners):
        return first
    second = _among({name: enough[name] for name in first.winners}, _cost, more_is_better=False)
    behind = second if second.ahead_of else first
    return Verdict(second.winners, "CPU", behind.ahead_of, behind.lead)


def _rate(run: Run) -> float:
    return run.load.rate if run.load else 0.0


def _cost(run: Run) -> float:
    return run.cpu_per_request or 0.0


def _is_limited(runs: Sequence[Run]) -> bool:
    return any(run.limited for run in runs)


def _among(runs: Mapping[str, Sequence[Run]], of: Callable[[Run], float], more_is_better: bool) -> Verdict:
    sign = 1 if more_is_better else -1
    picking, judging = ({name: _half(one, of, half) for name, one in runs.items()} for half in (0, 1))
    best = max(runs, key=lambda name: sign * statistics.median(picking[name].values()))
    tied, behind = [best], {}
    for name in runs:
        if name == best:
            continue
        lead = _lead(judging[best], judging[name], sign)
        may_be_more = more_is_better and _is_limited(runs[name])
        if lead is None or lead.low <= 1 or may_be_more:
            tied.append(name)
        else:
            behind[name] = lead
    next_one = min(behind, key=lambda name: behind[name].middle) if behind else ""
    return Verdict(tuple(tied), "rate" if more_is_better else "CPU", next_one, behind.get(next_one))


def _half(runs: Sequence[Run], of: Callable[[Run], float], half: int) -> dict[int, float]:
    """Every other round, in the order in which they were made."""
    rounds = sorted({run.round for run in runs})
    return {run.round: of(run) for run in runs if rounds.index(run.round) % 2 == half}


def _lead(of: Mapping[int, float], to: Mapping[int, float], sign: int) -> Ratio | None:
    common = sorted(of.keys() & to.keys())
    a, b = [of[one] for one in common], [to[one] for one in common]
    return ratio(a, b) if sign > 0 else ratio(b, a)
