"""A winner that was picked from many is judged as one that was picked from many."""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Sequence

import pytest

from weir_lab.statistics import student
from weir_lab.statistics.measures import pairs_of
from weir_lab.statistics.pairs import Pairs

Row = dict[int, dict[int, float]]


def alike(seed: int, rounds: int, noise: Sequence[float], targets: int = 17) -> Row:
    """Targets that need the same. What the machine does in a round affects all of them."""
    source = random.Random(seed)
    of_round = [source.gauss(0, 0.05) for _ in range(rounds)]
    return {
        target: {
            number: math.exp(of_round[number] + source.gauss(0, noise[target % len(noise)])) for number in range(rounds)
        }
        for target in range(targets)
    }


def best_is_told(row: Row, comparisons: int) -> bool:
    pairs, best = Pairs(row, comparisons), min(row, key=lambda target: math.prod(row[target].values()))
    ratios = [pairs.ratio(target, best, error=0.0) for target in row if target != best]
    return any(one and one.is_told for one in ratios)


@pytest.mark.parametrize("noise", [(0.02,), (0.01, 0.02, 0.03, 0.04)], ids=["equal", "different"])
@pytest.mark.parametrize("rounds", [3, 7])
def test_the_best_of_seventeen_that_are_alike_is_no_winner(rounds: int, noise: Sequence[float]) -> None:
    rows = [alike(seed, rounds, noise) for seed in range(60)]
    assert pairs_of(17) == 136
    assert sum(best_is_told(row, 136) for row in rows) <= 6
    assert sum(best_is_told(row, 1) for row in rows) > 30  # what the correction is for


def width(row: Row) -> float:
    pairs = Pairs(row, 136)
    ratios = [pairs.ratio(target, 0, error=0.0) for target in row if target]
    return statistics.median(one.high / one.middle - 1 for one in ratios if one)


def test_three_rounds_of_many_targets_are_worth_something() -> None:
    """Each pair by itself has two degrees of freedom, and its interval would reach beyond 50 %."""
    row = alike(1, 3, (0.02,))
    assert width(row) < 0.12
    alone = [Pairs({0: row[0], target: row[target]}, 136).ratio(target, 0, error=0.0) for target in row if target]
    assert statistics.median(one.high / one.middle - 1 for one in alone if one) > 0.5


def test_a_noisy_target_is_known_less_well_than_the_others() -> None:
    row = alike(3, 9, (0.01, 0.01, 0.01, 0.01, 0.15), targets=10)
    pairs = Pairs(row, 45)
    quiet, noisy = pairs.ratio(1, 0), pairs.ratio(4, 0)
    assert quiet and noisy and noisy.high / noisy.middle > 1.1 > quiet.high / quiet.middle


def test_a_pair_alone_is_judged_by_its_own_rounds() -> None:
    of, to = {0: 1.0, 1: 1.1, 2: 1.2}, {0: 1.0, 1: 1.0, 2: 1.0}
    found = Pairs({"of": of, "to": to}, 1).ratio("of", "to", error=0.0)
    logs = [math.log(value) for value in of.values()]
    half = student.quantile(0.975, 2) * statistics.stdev(logs) / math.sqrt(3)
    assert found and found.middle == pytest.approx(math.exp(statistics.fmean(logs)))
    assert found.high / found.middle == pytest.approx(math.exp(half)) and found.count == 3


def test_the_labs_own_error_widens_every_interval() -> None:
    pairs = Pairs({"of": {0: 1.04, 1: 1.04}, "to": {0: 1.0, 1: 1.0}}, 1)
    without, widened = pairs.ratio("of", "to"), pairs.ratio("of", "to", error=0.05)
    assert without and without.is_told and without.low == pytest.approx(1.04 / 1.02, rel=1e-3)
    assert widened and not widened.is_told


def test_what_was_not_measured_has_no_ratio() -> None:
    pairs = Pairs({"a": {0: 1.0, 1: 2.0}, "b": {1: 1.0, 2: 2.0}, "c": {}}, 3)
    assert pairs.ratio("a", "b") is pairs.ratio("a", "c") is pairs.ratio("a", "d") is None


def test_the_derivatives_of_the_gamma_function_are_those_of_the_tables() -> None:
    assert student.digamma(1.0) == pytest.approx(-0.5772156649, abs=1e-9)
    assert student.trigamma(1.0) == pytest.approx(math.pi**2 / 6, abs=1e-9)
    assert student.trigamma_inverse(student.trigamma(3.3)) == pytest.approx(3.3, rel=1e-9)
