"""The command weir-lab: its arguments, what it says to wrong ones, and what each command needs before it runs."""

import re
import subprocess
import sys
from importlib.metadata import packages_distributions, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from typer.main import get_command

from weir_lab.cli import main, needs
from weir_lab.core import built
from weir_lab.experiments import experiment
from weir_lab.generators import GENERATORS
from weir_lab.targets.peer import DebianProgram

LAB = built.REPOSITORY / "lab"


def of(folder: Path, target: str, generator: str = "wrk") -> experiment.Experiment:
    file = folder / "mine.toml"
    file.write_text(
        f'title = "Mine"\n[[matrix]]\ntargets = ["{target}"]\nscenarios = ["keep-alive"]\nconnections = [1]\n'
        f'generators = ["{generator}"]\n',
        encoding="utf-8",
    )
    return experiment.read(str(file))


@pytest.mark.parametrize(
    "name", ["nginx-1", "nginx-4+copy", "hyper+gather", "may", "floor/epoll", "weir/per-core", "weir/per-core+log"]
)
def test_a_target_is_known(name: str, tmp_path: Path) -> None:
    needs.check_names(of(tmp_path, name))


@pytest.mark.parametrize("name", ["nginx", "floor/", "nginx-1+log", "may+copy"])
def test_an_unknown_target_is_answered_with_the_names(name: str, tmp_path: Path) -> None:
    with pytest.raises(
        experiment.BadExperiment, match=rf"there is no target '{name}'; there are .*nginx-1".replace("+", r"\+")
    ):
        needs.check_names(of(tmp_path, name))


def test_an_unknown_generator_is_answered_with_the_names(tmp_path: Path) -> None:
    with pytest.raises(experiment.BadExperiment, match=r"there is no generator 'siege'; there are .*wrk"):
        needs.check_names(of(tmp_path, "nginx-1", "siege"))


def test_what_only_a_rate_needs_is_needed_too(tmp_path: Path) -> None:
    """The rates are not known before the experiment, but the targets are."""
    path = tmp_path / "mine.toml"
    rated = 'scenarios = ["close"]\nconnections = [1]\nrates = [0.5]\nrates_of = "floor/epoll"\n'
    for target in ("weir/per-core", "ngnix"):
        path.write_text(f'title = "t"\n[[matrix]]\ntargets = ["{target}"]\n{rated}', encoding="utf-8")
        if target == "ngnix":
            with pytest.raises(experiment.BadExperiment, match="there is no target 'ngnix'"):
                needs.of_experiment(str(path))
        else:
            assert "weir" in needs.of_experiment(str(path))


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (["list"], []),
        (["doctor"], []),
        (["compare", "a", "b"], []),
        (["report", "a"], []),
        (["tables"], []),
        (["many-connections"], ["weir"]),
        (["run", "--help"], []),
        (["run", "--quick", "--out", "peers"], ["floor", "hyper", "weir"]),
        (["run", "secure-engines", "--quick"], ["weir"]),
        (["run", "serving"], ["weir"]),
        (["run", "proxy"], ["weir"]),
        (["run", "programs"], ["weir", "weir-program", "axum", "uwebsockets", "go-http", "echoes"]),
        (["run", "default"], ["floor", "hyper", "weir", "rps"]),
        (["replay", "seed2"], ["weir"]),
        (["replay", "seed1"], ["weir", "rps", "locust"]),
    ],
)
def test_a_command_needs_what_it_uses_and_no_more(
    arguments: list[str], wanted: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(DebianProgram, "missing", lambda self: None)
    for generator in ("wrk", "h2load"):
        monkeypatch.setattr(GENERATORS[generator], "missing", lambda: None)
    with pytest.raises(SystemExit) as ended:
        main.start(["needs", *arguments])
    assert not ended.value.code
    assert sorted(capsys.readouterr().out.split()) == sorted(wanted)


def test_a_missing_package_is_needed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(DebianProgram, "missing", lambda self: "it is not there")
    assert "nginx-light" in needs.of_experiment("quick")
    of(tmp_path, "haproxy", "oha")
    assert needs.of_experiment(str(tmp_path / "mine.toml")) == ["haproxy", "oha"]


def test_each_part_of_the_lab_is_provided() -> None:
    """`weir-lab needs` and tools/lab.sh have the same names."""
    provides = (
        (built.REPOSITORY / "tools" / "lab.sh")
        .read_text(encoding="utf-8")
        .partition("\nprovide() {")[2]
        .partition("\n}")[0]
    )
    named = {
        name
        for line in provides.splitlines()
        if ")" in line and ";;" in line
        for name in line.partition(")")[0].replace("|", " ").split()
    }
    assert named == set(needs.PARTS)


def test_the_script_knows_every_command() -> None:
    """In `./run lab`, any other word is taken for an experiment."""
    script = (built.REPOSITORY / "run").read_text(encoding="utf-8").partition("\nrun_lab() {")[2].partition("\n}")[0]
    known = {word for line in re.findall(r"^ +([a-z].*)\) ;;$", script, re.MULTILINE) for word in line.split(" | ")}
    assert known == {*get_command(main.app).commands, *main.HELP}  # type: ignore[attr-defined]
    with_needs = re.search(r"\^\(([a-z|-]+)\)\$", script)
    assert with_needs and {*with_needs[1].split("|")} == {*main.WITH_NEEDS}


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["run", "nothing"], 1, "there is no experiment 'nothing'; there are change, choose, default"),
        (["replay", "seed9"], 1, "there is no replay 'seed9'; there are seed0"),
        (["compare", "nothing", "nothing"], 1, "nothing"),
        (["doctor", "--connections", "none"], 2, "Input should be a valid integer"),
        (["doctor", "--connections", "0"], 2, "greater than or equal to"),
        (["crwd"], 2, "No such command 'crwd'"),
    ],
)
def test_wrong_use_is_answered_in_a_line(arguments: list[str], status: int, words: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "weir_lab", *arguments], capture_output=True, text=True, timeout=300, check=False
    )
    assert (done.returncode, words in done.stderr, "Traceback" in done.stderr) == (status, True, False), done.stderr


def pinned() -> list[str]:
    lines = (LAB / "requirements.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if not line.startswith("#")]


def name(requirement: str) -> str:
    return requirement.partition("==")[0].lower().replace("_", "-")


def test_listing_and_checking_use_the_small_set_of_packages_alone() -> None:
    """They are the first commands that somebody tries: Locust and the tests' tools are not installed for them."""
    small = {name(line) for line in pinned()}
    providers = packages_distributions()
    program = (
        "import runpy, sys\nsys.argv = ['weir-lab', sys.argv[1]]\n"
        "try: runpy.run_module('weir_lab', run_name='__main__')\n"
        "finally: print(*{one.partition('.')[0] for one in sys.modules}, file=sys.stderr)"
    )
    for command in ("list", "doctor"):
        done = subprocess.run(
            [sys.executable, "-c", program, command], capture_output=True, text=True, timeout=300, cwd=LAB, check=False
        )
        assert done.stdout and done.returncode in (0, 1) and "Traceback" not in done.stderr, done.stderr
        used = {name(provider) for module in done.stderr.split() for provider in providers.get(module, [])}
        assert "rich" in used and used <= small | {"weir-lab", "setuptools"}, (
            used - small
        )  # venv itself brings setuptools


def test_the_pinned_packages_are_complete() -> None:
    """What the small set depends on is in it, in versions of its own."""
    small = {name(line) for line in pinned()}
    assert {"typer", "rich"} <= small and all("==" in line for line in pinned())
    for one in small:
        for wanted in map(Requirement, requires(one) or []):
            if wanted.marker is None or wanted.marker.evaluate({"extra": ""}):
                assert name(wanted.name) in small, f"{one} wants {wanted}"


def test_output_into_a_pipe_has_whole_lines_and_no_colour() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "weir_lab", "list"], capture_output=True, text=True, timeout=300, cwd=LAB, check=False
    )
    [line] = [line for line in done.stdout.splitlines() if line.startswith("target") and "nginx-1+WAY" in line]
    assert "set up in one way for all work: sendfile, " in line and len(line) > 80 and "\x1b" not in done.stdout
