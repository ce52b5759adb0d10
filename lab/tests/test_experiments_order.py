"""In which order cells are measured: targets of a row are neighbours, and nothing else can be foreseen."""

from itertools import groupby

from weir_lab.core.result import Machine, Result
from weir_lab.experiments import experiment, order
from weir_lab.experiments.experiment import Experiment
from weir_lab.running import runner


def two_by_two(**more: object) -> Experiment:
    matrix = {"targets": ["a", "b", "c"], "scenarios": ["latency-50", "keep-alive", "close"], "connections": [10]}
    return experiment.parse("x", {"title": "t", "rounds": 6, "matrix": [matrix], **more})


def empty(one: Experiment, seed: int = 7) -> Result:
    return Result(one.title, one.text, "", Machine("", [0], 1, "", "", ""), seed=seed)


def test_rounds_are_interleaved_and_targets_of_a_row_are_neighbours() -> None:
    one = two_by_two()
    planned = order.left(one, empty(one))
    assert [run.round for run in planned] == [number for number in range(6) for _ in range(9)]
    rows = [key for key, _ in groupby((run.round, run.cell.row) for run in planned)]
    assert len(rows) == len(set(rows)) == 18


def test_the_order_of_targets_and_of_rows_is_random() -> None:
    one = two_by_two()
    planned = order.left(one, empty(one))
    of_targets = {
        "".join(run.cell.target for run in planned if run.round == number and run.cell.scenario == "close")
        for number in range(6)
    }
    assert len(of_targets) > 2 and all(sorted(targets) == ["a", "b", "c"] for targets in of_targets)
    first = [next(run.cell.scenario for run in planned if run.round == number) for number in range(6)]
    assert set(first) == {"keep-alive", "close"}


def test_what_takes_a_part_of_the_capacity_comes_last_in_its_round() -> None:
    one = two_by_two()
    planned = order.left(one, empty(one))
    for number in range(6):
        scenarios = [run.cell.scenario for run in planned if run.round == number]
        assert scenarios[-3:] == ["latency-50"] * 3 and "latency-50" not in scenarios[:-3]


def test_the_seed_decides() -> None:
    one = two_by_two()
    assert order.left(one, empty(one, 1)) == order.left(one, empty(one, 1)) != order.left(one, empty(one, 2))


def test_some_work_has_more_rounds_than_the_rest() -> None:
    few = {"targets": ["a", "b"], "scenarios": ["close"], "connections": [10]}
    more = few | {"connections": [100], "rounds": 3, "seconds": 6.0}
    one = experiment.parse("x", {"title": "t", "rounds": 1, "seconds": 2.0, "matrix": [few, more]})
    planned = order.left(one, empty(one))
    rounds = {
        connections: sorted({run.round for run in planned if run.cell.connections == connections})
        for connections in (10, 100)
    }
    assert rounds == {10: [0], 100: [0, 1, 2]} and len(planned) == 8
    assert runner.length(one) == (2 * 2.0 + 6 * 6.0 + 8 * (1.0 + runner.AROUND_SECONDS),) * 2


def test_the_length_is_that_of_the_fewest_and_of_the_most_rounds() -> None:
    matrix = {"targets": ["a", "b"], "scenarios": ["close"], "connections": [10], "width": 0.05, "rounds_max": 5}
    one = experiment.parse("x", {"title": "t", "rounds": 2, "seconds": 1.0, "matrix": [matrix]})
    assert runner.length(one) == (4 * 2.5, 10 * 2.5)


def test_a_rate_that_is_not_known_yet_is_in_the_length() -> None:
    matrix = {"targets": ["a", "b"], "scenarios": ["close"], "connections": [10], "rates": [0.1, 0.5], "rates_of": "a"}
    one = experiment.parse("x", {"title": "t", "rounds": 2, "seconds": 1.0, "matrix": [matrix]})
    assert runner.length(one) == (10 * 2.5,) * 2 and len(order.left(one, empty(one))) == 2
