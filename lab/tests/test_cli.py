"""The command weir-lab looks at the names of an experiment before it starts anything."""

from pathlib import Path

import pytest

from weir_lab import experiment
from weir_lab.cli import check_names


def of(folder: Path, target: str, generator: str = "wrk") -> experiment.Experiment:
    file = folder / "mine.toml"
    file.write_text(f'title = "Mine"\n[[matrix]]\ntargets = ["{target}"]\nscenarios = ["keep-alive"]\nconnections = [1]\n'
                    f'generators = ["{generator}"]\n', encoding="utf-8")
    return experiment.read(str(file))


@pytest.mark.parametrize("name", ["nginx-1", "may", "floor/epoll", "weir/per-core", "weir/per-core+log"])
def test_a_target_is_known(name: str, tmp_path: Path) -> None:
    check_names(of(tmp_path, name))


@pytest.mark.parametrize("name", ["nginx", "floor/", "nginx-1+log"])
def test_a_target_that_is_not_is_named_with_those_that_are(name: str, tmp_path: Path) -> None:
    with pytest.raises(experiment.BadExperiment, match=rf"there is no target '{name}'; there are .*nginx-1".replace("+", r"\+")):
        check_names(of(tmp_path, name))


def test_a_generator_that_is_not_is_named_with_those_that_are(tmp_path: Path) -> None:
    with pytest.raises(experiment.BadExperiment, match="there is no generator 'siege'; there are .*wrk"):
        check_names(of(tmp_path, "nginx-1", "siege"))
