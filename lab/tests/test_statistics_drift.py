"""A machine that drifts is found out by the targets that never change."""

from __future__ import annotations

import random

import pytest
import results

from weir_lab.core.result import Result
from weir_lab.statistics import drift

AGAIN = "weir/per-core (again)"
TARGETS = ("floor/epoll", "weir/per-core", AGAIN, "nginx-1")


def measured(rounds: int, grows: float, seed: int = 0, targets: tuple[str, ...] = TARGETS) -> Result:
    """Each round costs `grows` more than the one before, and 1 % is noise."""
    source, result = random.Random(seed), results.empty()
    for number in range(rounds):
        for target in targets:
            cost = 5e-6 * (1 + grows) ** number * source.uniform(0.99, 1.01)
            result.runs.append(results.run(results.cell(target), number, cost, 0.0))
    return result


def test_a_machine_that_stays_as_it_is_has_no_drift() -> None:
    found = [drift.of(measured(7, 0.0, seed)) for seed in range(40)]
    assert all(one and abs(one.change) < 0.02 for one in found)
    assert sum(one is not None and one.is_told for one in found) <= 5
    assert not any(one and one.is_too_much for one in found)


def test_a_machine_that_becomes_slower_is_found_out() -> None:
    found = drift.of(measured(7, 0.03))
    assert found and found.is_told and found.is_too_much
    assert 0.15 < found.change < 0.25 and found.rounds == 7


def test_the_rounds_farthest_from_the_middle_are_refused() -> None:
    result = measured(9, -0.03)
    count = drift.refuse(result)
    refused = {run.round for run in result.runs if run.refused}
    assert count == 4 * len(refused) and {0, 8} <= refused and not refused & {3, 4, 5}
    first = result.runs[0].refused[0]
    assert first.startswith("the machine drifted: requests cost the floor and the control 2")
    assert "less at the end of the experiment than at its beginning" in first and "more than in the middle" in first


def test_a_small_trend_is_told_and_refuses_nothing() -> None:
    result = measured(9, 0.008)
    found = drift.of(result)
    assert found and found.is_told and not found.is_too_much
    assert drift.refuse(result) == 0


def test_targets_that_are_compared_are_no_reference() -> None:
    assert drift.of(measured(9, 0.05, targets=("weir/per-core", "nginx-1"))) is None


def test_few_rounds_show_no_trend() -> None:
    assert drift.of(measured(2, 0.2)) is None
    three = drift.of(measured(3, 0.2))
    assert three and three.chance == pytest.approx(2 / 6) and not three.is_told


def test_a_disturbed_round_is_one_observation_however_many_targets_it_has() -> None:
    """What disturbs a round disturbs all of its cells, so they are no proof of a trend."""
    told = 0
    for seed in range(100):
        source, result = random.Random(seed), results.empty()
        for number in range(5):
            of_round = source.uniform(0.8, 1.2)
            for connections in (1, 10, 100, 1000):
                for target in TARGETS:
                    of = results.cell(target, connections=connections)
                    result.runs.append(results.run(of, number, 5e-6 * of_round, 0.001))
        found = drift.of(result)
        told += found is not None and found.is_told
    assert told <= 8


@pytest.mark.parametrize(("rounds", "chance"), [(3, 2 / 6), (4, 2 / 24), (5, 2 / 120), (7, 2 / 5040)])
def test_the_chance_of_a_steady_rise_is_that_of_one_order_of_all(rounds: int, chance: float) -> None:
    found = drift.of(measured(rounds, 0.1))
    assert found and found.chance == pytest.approx(chance)


def test_the_drift_that_was_found_stays_the_same_when_its_rounds_are_refused() -> None:
    result = measured(9, 0.03)
    before = drift.of(result)
    assert drift.refuse(result) > 0 and drift.of(result) == before and drift.refuse(result) == 0
