"""Rounds are interleaved, an interrupt loses one run at most, and what can't begin is not tried again."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from weir_lab.core.load import Load
from weir_lab.core.result import Cell, Machine, Result, Run, ServerUse
from weir_lab.experiments import experiment
from weir_lab.experiments.experiment import Experiment
from weir_lab.running import runner
from weir_lab.running.measurement import Order


def two_by_two(**more: object) -> Experiment:
    matrix = {"targets": ["a", "b", "c"], "scenarios": ["latency-50", "keep-alive"], "connections": [10]}
    return experiment.parse("x", {"title": "t", "rounds": 2, "matrix": [matrix], **more})


class Laboratory:
    """In place of measure(): says what was asked for, and fails on request."""

    def __init__(self) -> None:
        self.orders: list[Order] = []
        self.interrupt_at = -1
        self.missing: set[str] = set()
        self.wrong: set[str] = set()
        self.open_loop_max = 1000
        self.cost: Callable[[Order], float] = lambda order: 1.0

    def measure(self, order: Order) -> Run:
        if len(self.orders) == self.interrupt_at:
            self.interrupt_at = -1
            raise KeyboardInterrupt
        self.orders.append(order)
        if order.cell.target in self.missing:
            return Run(order.cell, order.round, "", None, None, refused=["not installed"], traced=order.traced)
        refused = ["3 read errors"] if order.cell.target in self.wrong else []
        answered = 1000
        if order.rate is not None and order.rate > self.open_loop_max:
            answered = self.open_loop_max
            refused.append("came short")
        return Run(
            order.cell,
            order.round,
            "",
            Load(answered, 1.0),
            ServerUse(0.1, 0.2 * self.cost(order)),
            asked_rate=order.rate,
            refused=refused,
            traced=order.traced,
        )

    def begins(self, order: int, of: int, cell: Cell, round: int, next: Cell | None, seconds_left: float) -> None:
        assert 1 <= order <= of and seconds_left > 0

    def ended(self, run: Run) -> None:
        pass


@pytest.fixture
def lab(monkeypatch: pytest.MonkeyPatch) -> Laboratory:
    laboratory = Laboratory()
    monkeypatch.setattr(runner, "measure", laboratory.measure)
    return laboratory


def empty(one: Experiment) -> Result:
    return Result(one.title, one.text, "", Machine("", [0], 1, "", "", ""))


def test_open_loop_is_asked_for_a_part_of_what_closed_loop_reached(lab: Laboratory, tmp_path: Path) -> None:
    one = two_by_two()
    runner.run(one, empty(one), tmp_path / "result.json", lab)
    assert {order.rate for order in lab.orders if order.cell.scenario == "latency-50"} == {500.0}


def test_what_open_loop_could_not_do_is_not_asked_for_again(lab: Laboratory, tmp_path: Path) -> None:
    lab.open_loop_max = 400
    one = two_by_two()
    runner.run(one, empty(one), tmp_path / "result.json", lab)
    assert [order.rate for order in lab.orders if order.cell.scenario == "latency-50"] == [500.0] * 3 + [200.0] * 3


def test_without_a_capacity_that_counts_there_is_no_open_loop(lab: Laboratory, tmp_path: Path) -> None:
    lab.wrong = {"b"}
    one, result = two_by_two(), empty(two_by_two())
    runner.run(one, result, tmp_path / "result.json", lab)
    refused = [run for run in result.runs if run.cell.scenario == "latency-50" and run.cell.target == "b"]
    assert refused and all("its capacity is not known" in run.refused[0] for run in refused)


def test_an_interrupt_keeps_what_is_done_and_the_next_run_goes_on(lab: Laboratory, tmp_path: Path) -> None:
    one, path = two_by_two(), tmp_path / "result.json"
    lab.interrupt_at = 5
    with pytest.raises(KeyboardInterrupt):
        runner.run(one, empty(one), path, lab)
    kept = Result.load(path)
    assert (len(kept.runs), kept.finished) == (5, None)
    runner.run(one, kept, path, lab)
    assert Result.load(path).finished
    measured = [(order.cell, order.round) for order in lab.orders]
    assert len(measured) == 12 and len(set(measured)) == 12  # each once


def test_what_is_missing_is_said_once(lab: Laboratory, tmp_path: Path) -> None:
    lab.missing = {"c"}
    one, result = two_by_two(), empty(two_by_two())
    runner.run(one, result, tmp_path / "result.json", lab)
    assert sum(order.cell.target == "c" for order in lab.orders) == 1
    of_c = [run for run in result.runs if run.cell.target == "c" and run.cell.scenario == "keep-alive"]
    assert [run.refused for run in of_c] == [["not installed"]]


def test_system_calls_are_counted_in_runs_of_their_own(lab: Laboratory, tmp_path: Path) -> None:
    one = two_by_two(system_calls=True)
    runner.run(one, empty(one), tmp_path / "result.json", lab)
    assert [order.traced for order in lab.orders] == [False] * 12 + [True] * 6


# --- the same rates for all ---------------------------------------------------------------------------------------


def at_rates(**more: object) -> Experiment:
    matrix = {"targets": ["floor/a", "b"], "scenarios": ["keep-alive"], "connections": [10], "generators": ["rps"]}
    return experiment.parse("x", {"title": "t", "rounds": 2, "matrix": [matrix | more]})


def test_rates_are_the_same_for_all_targets(lab: Laboratory, tmp_path: Path) -> None:
    one, result = at_rates(rates=[200, 800]), empty(at_rates())
    runner.run(one, result, tmp_path / "result.json", lab)
    asked = {(order.cell.target, order.rate) for order in lab.orders}
    assert asked == {(target, rate) for target in ("floor/a", "b") for rate in (200.0, 800.0)}
    assert all(run.cell.rate == run.asked_rate for run in result.runs) and len(result.runs) == 8


def test_rates_may_be_parts_of_what_one_target_reached(lab: Laboratory, tmp_path: Path) -> None:
    one, result = at_rates(rates=[0.123, 0.9], rates_of="floor/a"), empty(at_rates())
    runner.run(one, result, tmp_path / "result.json", lab)
    assert lab.orders[0].rate is None and lab.orders[0].cell.target == "floor/a"  # the capacity comes first
    assert {order.rate for order in lab.orders} == {None, 120.0, 900.0}
    assert sum(order.rate is not None for order in lab.orders) == 8
    assert Result.load(tmp_path / "result.json").capacities == {"keep-alive|10|rps|floor/a|1": 1000.0}


def test_without_a_capacity_there_are_no_parts_of_it(lab: Laboratory, tmp_path: Path) -> None:
    lab.wrong = {"floor/a"}
    one, result = at_rates(rates=[0.5], rates_of="floor/a"), empty(at_rates())
    runner.run(one, result, tmp_path / "result.json", lab)
    assert result.finished and [run.refused for run in result.runs] == [["3 read errors"]] * 2


# --- as many rounds as it takes -----------------------------------------------------------------------------------


def until(width: float, **more: object) -> Experiment:
    matrix = {"targets": ["floor/a", "b"], "scenarios": ["close"], "connections": [10], "width": width}
    return experiment.parse("x", {"title": "t", "rounds": 2, "matrix": [matrix | more]})


def scattering(order: Order) -> float:
    return 1 + 0.04 * (order.round % 2) * (order.cell.target == "b")


def test_rounds_go_on_until_the_ratio_is_known(lab: Laboratory, tmp_path: Path) -> None:
    lab.cost = scattering
    one, result = until(0.06), empty(until(0.06))
    runner.run(one, result, tmp_path / "result.json", lab)
    rounds = max(run.round for run in result.runs) + 1
    assert 2 < rounds < one.rounds_max_of(one.cells()[0]) == 6
    assert len(result.runs) == 2 * rounds


def test_rounds_end_at_their_maximum(lab: Laboratory, tmp_path: Path) -> None:
    lab.cost = scattering
    one, result = until(0.001, rounds_max=5), empty(until(0.001, rounds_max=5))
    runner.run(one, result, tmp_path / "result.json", lab)
    assert len(result.runs) == 10


def test_what_is_known_at_once_needs_no_more_rounds(lab: Laboratory, tmp_path: Path) -> None:
    one, result = until(0.03), empty(until(0.03))
    runner.run(one, result, tmp_path / "result.json", lab)
    assert len(result.runs) == 4


def test_further_rounds_are_resumed_too(lab: Laboratory, tmp_path: Path) -> None:
    lab.cost, lab.interrupt_at = scattering, 5
    one, path = until(0.06), tmp_path / "result.json"
    with pytest.raises(KeyboardInterrupt):
        runner.run(one, empty(one), path, lab)
    runner.run(one, Result.load(path), path, lab)
    whole = empty(one)
    runner.run(one, whole, tmp_path / "whole.json", lab)
    assert [(run.cell, run.round) for run in Result.load(path).runs] == [(run.cell, run.round) for run in whole.runs]


def test_rounds_that_drifted_are_refused_at_the_end(lab: Laboratory, tmp_path: Path) -> None:
    lab.cost = lambda order: 1.05**order.round
    one = until(0.03, rounds=9)
    result = empty(one)
    runner.run(one, result, tmp_path / "result.json", lab)
    refused = {run.round for run in Result.load(tmp_path / "result.json").runs if run.refused}
    assert {0, 8} <= refused and not refused & {3, 4, 5}
    assert all("the machine drifted" in run.refused[0] for run in result.runs if run.refused)


def test_the_order_can_be_repeated(lab: Laboratory, tmp_path: Path) -> None:
    one, orders = two_by_two(), []
    for seed in (1, 1, 2):
        lab.orders.clear()
        runner.run(one, replace(empty(one), seed=seed), tmp_path / f"{seed}.json", lab)
        orders.append([(order.cell, order.round) for order in lab.orders])
    assert orders[0] == orders[1] != orders[2] and sorted(orders[0]) == sorted(orders[2])
