"""Experiments are read whole; what is wrong with one is said in a line that helps."""

from dataclasses import replace
from pathlib import Path

import pytest

from weir_lab.core import families
from weir_lab.core.target import AGAIN, is_control
from weir_lab.experiments import experiment
from weir_lab.experiments.experiment import BadExperiment

MATRIX: dict[str, object] = {"targets": ["a", "b"], "scenarios": ["close"], "connections": [1, 10]}
GOOD: dict[str, object] = {"title": "t", "matrix": [MATRIX]}


def test_ours_can_be_read() -> None:
    assert {"quick", "default", "full"} <= set(experiment.names())
    for name in experiment.names():
        one = experiment.read(name)
        assert one.title and one.text and one.cells()


def test_everything_is_measured_with_everything_and_targets_are_neighbours() -> None:
    cells = experiment.parse("x", GOOD).cells()
    assert [(cell.connections, cell.target) for cell in cells] == [(1, "a"), (1, "b"), (10, "a"), (10, "b")]
    assert {(cell.scenario, cell.generator, cell.workers) for cell in cells} == {("close", "wrk", 1)}


def test_every_engine_of_weir_has_one_word() -> None:
    (matrix,) = experiment.parse("x", {"title": "X", "matrix": [MATRIX | {"targets": ["a", "weir/*"]}]}).matrix
    assert matrix.targets[0] == "a" and matrix.targets[1:] == [f"weir/{name}" for name in families.ENGINES]


def test_any_can_be_shortened() -> None:
    """And is another experiment: its runs do not continue those of the whole one."""
    for one in map(experiment.read, experiment.names()):
        short = one.shortened()
        assert {short.rounds_max_of(cell) for cell in short.possible_cells()} == {2}
        assert {short.seconds_of(cell) for cell in short.possible_cells()} == {1.0}
        assert short.possible_cells() == one.possible_cells() and short.text != one.text
        assert short.title == f"{one.title} (a quick look)"


def test_passwords_and_compression_have_five_rounds_at_least() -> None:
    one = experiment.read("serving")
    assert all(one.rounds_of(cell) >= 5 for cell in one.cells())
    assert {cell.scenario for cell in one.cells()} == {
        "compressed-first",
        "compressed-later",
        "precompressed",
        "password",
    }


def test_what_two_matrices_have_is_measured_once() -> None:
    assert len(experiment.parse("x", GOOD | {"matrix": [MATRIX, MATRIX]}).cells()) == 4


def test_a_matrix_may_have_rounds_and_seconds_of_its_own() -> None:
    one = experiment.parse(
        "x", GOOD | {"matrix": [MATRIX | {"rounds": 7, "seconds": 6.0}, MATRIX | {"connections": [10, 100]}]}
    )
    lengths = {cell.connections: (one.rounds_of(cell), one.seconds_of(cell)) for cell in one.cells()}
    assert lengths == {1: (7, 6.0), 10: (7, 6.0), 100: (one.rounds, one.seconds)}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"titel": "t"}, "'titel' means nothing here; there are answers, matrix, rounds"),
        ({"matrix": []}, "at least one"),
        ({"rounds": 0}, "must be positive"),
        (
            {"matrix": [{"targets": ["a"], "scenarios": ["clse"], "connections": [1]}]},
            "no scenario 'clse'; there are keep-alive",
        ),
        ({"matrix": [{"targets": "a", "scenarios": ["close"], "connections": [1]}]}, "targets is a list"),
        ({"matrix": [{"targets": ["a"], "scenarios": ["close"], "connections": [0]}]}, "whole numbers from 1"),
        ({"matrix": [MATRIX | {"seconds": 0}]}, "must be positive"),
        ({"matrix": [MATRIX | {"rounds": [5]}]}, "rounds is a number"),
        ({"width": 0}, "must be positive"),
        ({"matrix": [MATRIX | {"rates": [0]}]}, "rates are numbers above 0"),
        ({"matrix": [MATRIX | {"rates": 5}]}, "rates is a list"),
        ({"matrix": [MATRIX | {"rates_of": "a"}]}, "there are no rates"),
        ({"matrix": [MATRIX | {"rates_of": ["a"]}]}, "rates_of is a name"),
        ({"matrix": [MATRIX | {"rates": [5], "scenarios": ["latency-50"]}]}, "a rate of its own takes no rates"),
        ({"matrix": [{"targets": ["a"], "scenarios": ["close"]}]}, "lacks connections"),
        (
            {"matrix": [{"targets": ["a"], "scenarios": ["close"], "connections": [1], "engine": ["x"]}]},
            "'engine' means nothing here",
        ),
    ],
)
def test_what_is_wrong_is_said(change: dict[str, object], words: str) -> None:
    with pytest.raises(BadExperiment, match=words):
        experiment.parse("x", GOOD | change)


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        'title = "mine"\n[[matrix]]\ntargets = ["a"]\nscenarios = ["close"]\nconnections = [1]\n', encoding="utf-8"
    )
    assert experiment.read(str(path)).name == "mine"
    path.write_text("title =", encoding="utf-8")
    with pytest.raises(BadExperiment, match=r"mine\.toml"):
        experiment.read(str(path))
    with pytest.raises(
        BadExperiment,
        match="no experiment 'nothing'; there are change, choose, default, full, map, peer-settings, peers, programs, ",
    ):
        experiment.read("nothing")


def test_each_of_ours_has_a_control() -> None:
    """The same target a second time, in a row with the first."""
    for name in experiment.names():
        cells = experiment.read(name).possible_cells()
        controls = [cell for cell in cells if is_control(cell.target)]
        assert controls, name
        for cell in controls:
            assert replace(cell, target=cell.target.removesuffix(AGAIN)) in cells


def test_rows_of_ours_at_fixed_rates_reach_from_idle_to_saturation() -> None:
    for name in ("default", "peers", "full"):
        rates = {cell.rate for cell in experiment.read(name).possible_cells() if cell.rate}
        assert min(rates) <= 0.05 and 0.95 in rates and len(rates) >= 4


def test_parts_of_a_capacity_become_rates_when_it_is_known() -> None:
    one = experiment.parse("x", GOOD | {"matrix": [MATRIX | {"rates": [0.123, 0.5], "rates_of": "c"}]})
    assert [cell.target for cell in one.cells()] == ["c", "c"] and one.cells() == one.capacity_cells()
    known = one.cells({one.cells()[0].key: 1000.0})
    assert {cell.rate for cell in known if cell.connections == 1} == {None, 120.0, 500.0}
    assert {cell.rate for cell in known if cell.connections == 10} == {None}


def test_a_cell_with_a_rate_has_the_lengths_of_its_matrix() -> None:
    one = experiment.parse(
        "x", GOOD | {"matrix": [MATRIX | {"rates": [0.5], "rates_of": "c", "rounds": 7, "width": 0.1, "seconds": 9.0}]}
    )
    cell = one.cells({one.cells()[0].key: 1234.0})[1]
    assert (cell.rate, one.rounds_of(cell), one.rounds_max_of(cell), one.seconds_of(cell)) == (620.0, 7, 21, 9.0)
