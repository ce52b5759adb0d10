"""Rounds are interleaved, an interrupt loses one run at most, and what can't begin is not tried again."""

from pathlib import Path

import pytest

from weir_lab import experiment, runner
from weir_lab.experiment import Experiment
from weir_lab.load import Load
from weir_lab.measurement import Order
from weir_lab.result import Cell, Machine, Result, Run, ServerUse


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
            ServerUse(0.1, 0.2),
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


def test_rounds_are_interleaved_and_begin_with_another_target_each() -> None:
    order = [(one.round, one.cell.scenario, one.cell.target) for one in runner.plan(two_by_two())]
    assert order[:3] == [
        (0, "keep-alive", "a"),
        (0, "keep-alive", "b"),
        (0, "keep-alive", "c"),
    ]  # capacity comes before latency
    assert order[3][1] == "latency-50"
    assert order[6:9] == [(1, "keep-alive", "b"), (1, "keep-alive", "c"), (1, "keep-alive", "a")]
    assert len(order) == 12


def test_some_work_has_more_rounds_than_the_rest() -> None:
    few = {"targets": ["a", "b"], "scenarios": ["close"], "connections": [10]}
    more = few | {"connections": [100], "rounds": 3, "seconds": 6.0}
    one = experiment.parse("x", {"title": "t", "rounds": 1, "seconds": 2.0, "matrix": [few, more]})
    planned = runner.plan(one)
    assert [(run.round, run.cell.connections, run.cell.target) for run in planned] == [
        (0, 10, "a"),
        (0, 10, "b"),
        (0, 100, "a"),
        (0, 100, "b"),
        (1, 100, "b"),
        (1, 100, "a"),
        (2, 100, "a"),
        (2, 100, "b"),
    ]
    assert runner.seconds_of(one, planned) == 2 * 2.0 + 6 * 6.0 + 8 * (1.0 + runner.AROUND_SECONDS)


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
    assert [run.refused for run in result.runs if run.cell == lab.orders[2].cell] == [["not installed"]]


def test_system_calls_are_counted_in_runs_of_their_own(lab: Laboratory, tmp_path: Path) -> None:
    one = two_by_two(system_calls=True)
    runner.run(one, empty(one), tmp_path / "result.json", lab)
    assert [order.traced for order in lab.orders] == [False] * 12 + [True] * 6
