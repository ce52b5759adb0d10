"""The command weir-lab: its arguments, what it says to wrong ones, and what each command needs before it runs."""

import subprocess
import sys
from pathlib import Path

import pytest

from weir_lab import built, cli, experiment, needs
from weir_lab.generators import GENERATORS
from weir_lab.targets.peer import DebianProgram


def of(folder: Path, target: str, generator: str = "wrk") -> experiment.Experiment:
    file = folder / "mine.toml"
    file.write_text(f'title = "Mine"\n[[matrix]]\ntargets = ["{target}"]\nscenarios = ["keep-alive"]\nconnections = [1]\n'
                    f'generators = ["{generator}"]\n', encoding="utf-8")
    return experiment.read(str(file))


@pytest.mark.parametrize("name", ["nginx-1", "nginx-4+copy", "hyper+gather", "may", "floor/epoll", "weir/per-core", "weir/per-core+log"])
def test_a_target_is_known(name: str, tmp_path: Path) -> None:
    needs.check_names(of(tmp_path, name))


@pytest.mark.parametrize("name", ["nginx", "floor/", "nginx-1+log", "may+copy"])
def test_an_unknown_target_is_answered_with_the_names(name: str, tmp_path: Path) -> None:
    with pytest.raises(experiment.BadExperiment, match=rf"there is no target '{name}'; there are .*nginx-1".replace("+", r"\+")):
        needs.check_names(of(tmp_path, name))


def test_an_unknown_generator_is_answered_with_the_names(tmp_path: Path) -> None:
    with pytest.raises(experiment.BadExperiment, match="there is no generator 'siege'; there are .*wrk"):
        needs.check_names(of(tmp_path, "nginx-1", "siege"))


@pytest.mark.parametrize(("arguments", "wanted"), [
    (["list"], []), (["doctor"], []), (["compare", "a", "b"], []), (["report", "a"], []), (["tables"], []), (["crowd"], ["weir"]),
    (["run", "--help"], []),
    (["run", "--quick", "--out", "peers"], ["floor", "hyper", "weir"]),
    (["run", "default"], ["floor", "hyper", "weir", "rps"]), (["replay", "seed2"], ["weir"]), (["replay", "seed1"], ["weir", "rps", "locust"]),
])
def test_a_command_needs_what_it_uses_and_no_more(arguments: list[str], wanted: list[str], capsys: pytest.CaptureFixture[str],
                                                  monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DebianProgram, "missing", lambda self: None)
    monkeypatch.setattr(GENERATORS["wrk"], "missing", lambda: None)
    assert cli.run(["needs", *arguments]) == 0
    assert sorted(capsys.readouterr().out.split()) == sorted(wanted)


def test_a_missing_package_is_needed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(DebianProgram, "missing", lambda self: "it is not there")
    assert "nginx-light" in needs.of_experiment("quick")
    of(tmp_path, "haproxy", "oha")
    assert needs.of_experiment(str(tmp_path / "mine.toml")) == ["haproxy", "oha"]


def test_each_part_of_the_lab_is_provided() -> None:
    """`weir-lab needs` and tools/lab.sh have the same names."""
    provides = (built.REPOSITORY / "tools" / "lab.sh").read_text(encoding="utf-8").partition("\nprovide() {")[2].partition("\n}")[0]
    named = {name for line in provides.splitlines() if ")" in line and ";;" in line for name in line.partition(")")[0].replace("|", " ").split()}
    assert named == set(needs.PARTS)


@pytest.mark.parametrize(("arguments", "status", "words"), [
    (["run", "nothing"], 1, "there is no experiment 'nothing'; there are default"),
    (["replay", "seed9"], 1, "there is no replay 'seed9'; there are seed0"),
    (["compare", "nothing", "nothing"], 1, "nothing"),
    (["doctor", "--connections", "none"], 2, "a number from 1 is wanted, not 'none'"),
    (["crwd"], 2, "invalid choice: 'crwd'"),
    ([], 2, "COMMAND"),
])
def test_wrong_use_is_answered_in_a_line(arguments: list[str], status: int, words: str) -> None:
    done = subprocess.run([sys.executable, "-m", "weir_lab", *arguments], capture_output=True, text=True, timeout=30)
    assert (done.returncode, words in done.stderr, "Traceback" in done.stderr) == (status, True, False), done.stderr


def test_listing_and_checking_want_the_standard_library_alone() -> None:
    """They are the first commands that somebody tries: nothing is installed for them."""
    for command in ("list", "doctor"):
        done = subprocess.run([sys.executable, "-S", "-m", "weir_lab", command], capture_output=True, text=True, timeout=60,
                              cwd=built.REPOSITORY / "lab")
        assert done.stdout and done.returncode in (0, 1) and "Traceback" not in done.stderr, done.stderr
