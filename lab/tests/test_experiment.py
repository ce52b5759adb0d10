"""Experiments are read whole; what is wrong with one is said in a line that helps."""

from pathlib import Path

import pytest

from weir_lab import experiment
from weir_lab.experiment import BadExperiment

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
        ({"titel": "t"}, "'titel' means nothing here; there are matrix, rounds"),
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
        match="no experiment 'nothing'; there are change, default, full, map, peer-settings, peers, quick",
    ):
        experiment.read("nothing")
