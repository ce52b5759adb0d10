"""All pairs of a row, compared round by round. With three to nine rounds the variance of one pair is hardly known, and
its interval would be absurdly wide. So each variance is moderated, as in Smyth's "Linear models and empirical Bayes
methods" (2004): it is a weighted mean of the pair's own and of what is usual in the row. The weight follows from the
figures: the more the pairs agree about their variance, the more a pair relies on the others. A pair without others
relies on itself.

All intervals of a row hold together with 95 % confidence (Bonferroni's correction for all pairs): whoever picks the
best target after the measurement has picked one of these pairs."""

import math
import statistics
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Generic, TypeVar

from weir_lab.statistics import student
from weir_lab.statistics.measures import CONFIDENCE, WITHIN_RESULT, Ratio

Key = TypeVar("Key")
Rounds = Mapping[int, float]

VARIANCE_MIN = 1e-10  # of logarithms: rounds that agree to a part in 100,000 do so by chance
DEGREES_MAX = 1e4


@dataclass(frozen=True)
class Usual:
    """The variance that is usual in a row, and how many degrees of freedom the row's agreement about it is worth."""

    variance: float
    degrees: float


class Pairs(Generic[Key]):
    """`rounds`: of each target its value in each round. `comparisons`: as many intervals hold together."""

    def __init__(self, rounds: Mapping[Key, Rounds], comparisons: int) -> None:
        self._rounds = rounds
        self._tail = (1 - CONFIDENCE) / 2 / comparisons
        logs = [_logs(a, b) for a, b in combinations(rounds.values(), 2)]
        self._usual = _usual([one for one in logs if len(one) > 1], len(rounds))

    def ratio(self, of: Key, to: Key, error: float = WITHIN_RESULT) -> Ratio | None:
        """None if they have fewer than two rounds in common. `error`: the lab's own, which widens the interval."""
        logs = _logs(self._rounds.get(of, {}), self._rounds.get(to, {}))
        if len(logs) < 2:
            return None
        own, usual = len(logs) - 1, self._usual
        degrees = own + usual.degrees
        variance = (own * _variance(logs) + usual.degrees * usual.variance) / degrees
        t = student.quantile(1 - self._tail, degrees)
        middle, half = statistics.fmean(logs), t * math.sqrt(variance / len(logs)) + math.log1p(error)
        return Ratio(math.exp(middle), math.exp(middle - half), math.exp(middle + half), len(logs))


def _logs(of: Rounds, to: Rounds) -> list[float]:
    return [math.log(of[number] / to[number]) for number in sorted(of.keys() & to.keys())]


def _variance(logs: list[float]) -> float:
    return max(statistics.variance(logs), VARIANCE_MIN)


def _usual(pairs: list[list[float]], targets: int) -> Usual:
    """By the mean and the variance of the logarithms of the pairs' variances. The row can't be worth more than the
    degrees of freedom that it has."""
    if len(pairs) < 2:
        return Usual(0.0, 0.0)
    halves = [(len(one) - 1) / 2 for one in pairs]
    centred = [
        math.log(_variance(one)) - student.digamma(half) + math.log(half)
        for one, half in zip(pairs, halves, strict=True)
    ]
    beyond = statistics.variance(centred) - statistics.fmean(map(student.trigamma, halves))
    half = student.trigamma_inverse(beyond) if beyond > 0 else DEGREES_MAX
    most = 2 * statistics.fmean(halves) * (targets - 2)
    variance = math.exp(statistics.fmean(centred) + student.digamma(half) - math.log(half))
    return Usual(variance, min(2 * half, most))
