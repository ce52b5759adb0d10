"""What differs is called so, and noise isn't."""

import math
import random
from dataclasses import replace

import pytest

from weir_lab.core.load import Latency, Load
from weir_lab.core.result import Cell, Run, ServerUse
from weir_lab.statistics import student
from weir_lab.statistics.measures import MEASURES, by_round, compare_values, of_runs, paired, summarise

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


def test_a_summary_is_a_mean_with_its_interval() -> None:
    found = summarise([1.0, 2.0, 4.0])
    assert found and found.middle == pytest.approx(2.0) and found.count == 3
    assert found.high / found.middle == pytest.approx(found.middle / found.low)
    assert math.log(found.high / 2) == pytest.approx(4.3027 * math.log(2) / math.sqrt(3), rel=1e-3)
    one = summarise([3.0])
    assert one and (one.low, one.middle, one.high) == pytest.approx((3.0, 3.0, 3.0))
    assert summarise([]) is None


def test_what_can_be_zero_has_a_mean_too() -> None:
    found = summarise([0.0, 2.0])
    assert found and found.middle == 1.0 and found.low < 0 < found.high


@pytest.mark.parametrize(
    ("probability", "degrees", "t"),
    [(0.975, 1, 12.706), (0.975, 4, 2.776), (0.975, 30, 2.042), (0.9995, 4, 8.610), (0.95, 2, 2.920)],
)
def test_students_distribution_is_that_of_the_tables(probability: float, degrees: int, t: float) -> None:
    assert student.quantile(probability, degrees) == pytest.approx(t, abs=5e-4)


def test_two_figures_divided_are_the_ratio() -> None:
    of, to = dict(enumerate(noisy(8.0, 0.1, 5, 1))), dict(enumerate(noisy(5.0, 0.1, 5, 2)))
    ratio, above, below = paired(of, to), summarise(list(of.values())), summarise(list(to.values()))
    assert ratio and above and below and ratio.middle == pytest.approx(above.middle / below.middle)
    assert ratio.count == 5 and ratio.turned.middle == pytest.approx(below.middle / above.middle)


def test_one_round_in_common_is_no_comparison() -> None:
    assert paired({0: 1.0, 1: 2.0}, {1: 1.0, 2: 2.0}) is None


RUN = Run(CELL, 0, "", Load(1000, 1.0, latency=Latency(p99=0.002)), ServerUse(0.1, 0.2))


def test_a_limited_run_is_a_bound_and_its_cost_is_not() -> None:
    closed, opened = replace(RUN, limited="the limit"), replace(RUN, limited="the limit", asked_rate=1e3)
    assert [RATE.bound(one) for one in (RUN, closed, opened)] == ["", "at least", "at least"]
    assert [MEASURES["p99"].bound(one) for one in (RUN, closed, opened)] == ["", "limited", "at most"]
    assert CPU.bound(closed) == "" and by_round([closed], RATE) == {}
    some = of_runs([RUN, closed], RATE)  # the runs that the generator limited least are not picked
    assert some and (some.count, some.bound) == (2, "at least")
    assert some.middle == pytest.approx(1000)


def test_a_rate_that_was_not_reached_has_a_latency_that_grows() -> None:
    short = replace(RUN, asked_rate=2000.0)
    assert MEASURES["p99"].bound(short) == "at least" and RATE.bound(short) == ""
