"""What differs is called so, and noise isn't."""

import math
import random

import pytest

from weir_lab.result import Cell
from weir_lab.statistics import MEASURES, compare_values, summarise

CELL = Cell("keep-alive", 100, "wrk", "weir/per-core", 1)
CPU, RATE = MEASURES["cpu"], MEASURES["rate"]


def noisy(median: float, spread: float, count: int, seed: int) -> list[float]:
    random_source = random.Random(seed)
    return [median * math.exp(random_source.gauss(0, spread)) for _ in range(count)]


def test_a_slowdown_of_thirty_percent_is_slower() -> None:
    for seed in range(20):
        found = compare_values(CELL, CPU, noisy(6e-6, 0.02, 3, seed), noisy(7.8e-6, 0.02, 3, seed + 100))
        assert found and found.verdict == "slower"
        assert found.low < 1.3 < found.high


def test_less_of_what_more_is_better_is_slower() -> None:
    a, b = noisy(100_000, 0.02, 5, 1), noisy(70_000, 0.02, 5, 2)
    assert [one.verdict for one in (compare_values(CELL, RATE, a, b), compare_values(CELL, RATE, b, a)) if one] == [
        "slower",
        "faster",
    ]


def test_the_same_thing_twice_cannot_be_told_apart() -> None:
    verdicts = [
        found.verdict
        for seed in range(200)
        if (found := compare_values(CELL, CPU, noisy(6e-6, 0.03, 3, seed), noisy(6e-6, 0.03, 3, seed + 999)))
    ]
    assert len(verdicts) == 200
    assert sum(verdict != "can't tell" for verdict in verdicts) <= 4


def test_runs_that_scatter_say_nothing() -> None:
    found = compare_values(CELL, CPU, [5e-6, 9e-6, 7e-6], [8e-6, 12e-6, 9e-6])
    assert found and found.verdict == "can't tell"


def test_what_the_floor_moved_by_is_not_the_servers() -> None:
    a, b = [6e-6, 6.01e-6, 6.02e-6], [6.6e-6, 6.61e-6, 6.62e-6]
    without, with_drift = compare_values(CELL, CPU, a, b), compare_values(CELL, CPU, a, b, drift=math.log(1.12))
    assert without and without.verdict == "slower"
    assert with_drift and with_drift.verdict == "can't tell"


def test_one_run_each_is_no_comparison() -> None:
    assert compare_values(CELL, CPU, [1.0], [2.0]) is None
    assert compare_values(CELL, CPU, [], []) is None


def test_a_summary_is_of_the_middle_and_the_extremes() -> None:
    found = summarise([3.0, 1.0, 2.0, 10.0])
    assert found and (found.median, found.low, found.high, found.count) == (2.5, 1.0, 10.0, 4)
    assert found.spread == pytest.approx(1.8)
    assert summarise([]) is None
