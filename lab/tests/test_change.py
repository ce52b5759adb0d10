"""Two builds of weir beside each other: what is measured, what is said about it, and what is refused."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import results

from weir_lab import report
from weir_lab.cli import commands, needs
from weir_lab.core.result import Run
from weir_lab.experiments import experiment
from weir_lab.report import change, page
from weir_lab.report.figures import Figures
from weir_lab.running import runner
from weir_lab.targets import find

SCRIPT = "#!/bin/sh\ncase $1 in --version) echo 'weir 1.2.3' ;; engines) echo '[]' ;; esac\n"


def program(path: Path, script: str = SCRIPT) -> Path:
    path.write_text(script, encoding="utf-8")
    path.chmod(0o755)
    return path


def of_both(cost: float, scenario: str = "keep-alive", noise: float = 0.003, rounds: int = 5) -> list[Run]:
    """The other build needs 5 µs."""
    return [
        results.run(results.cell(target, scenario), number, each, noise)
        for number in range(rounds)
        for target, each in (("weir/per-core", cost), ("other-weir/per-core", 5e-6))
    ]


def verdicts(*runs: Run) -> list[str]:
    return [one.verdict for one in change.changes(Figures(results.with_runs(*runs)))]


def test_it_measures_each_load_with_both_builds() -> None:
    rows: dict[tuple[str, int], set[str]] = {}
    for cell in experiment.read("change").cells():
        rows.setdefault((cell.scenario, cell.connections), set()).add(cell.target)
    assert rows.keys() == {("keep-alive", 100), ("close", 100), ("pipelined", 100), ("keep-alive", 10_000), ("h2c", 10)}
    both = {f"{build}/{engine}" for build in ("weir", "other-weir") for engine in ("per-core", "io-uring")}
    assert all(both <= targets for targets in rows.values())


@pytest.mark.parametrize(
    ("cost", "noise", "verdict"),
    [
        (5.6e-6, 0.003, "slower"),
        (4.4e-6, 0.003, "faster"),
        (5.05e-6, 0.003, "no difference seen"),  # less than the lab's own error
        (5.6e-6, 0.3, "no difference seen"),  # lost in the noise
    ],
)
def test_a_build_is_slower_or_faster_only_beyond_the_error(cost: float, noise: float, verdict: str) -> None:
    assert verdicts(*of_both(cost, noise=noise)) == [verdict]


def test_more_requests_in_a_second_are_faster() -> None:
    """Where handlers take the time, the rate decides."""
    assert verdicts(*of_both(4e-6, "sleep")) == ["faster"]


def test_too_few_rounds_have_no_verdict() -> None:
    assert verdicts(*of_both(9e-6, rounds=1)) == ["not compared"]


def test_one_build_alone_changes_nothing(tmp_path: Path) -> None:
    assert not verdicts(*of_both(9e-6)[::2]) and not verdicts(*of_both(9e-6)[1::2])
    page.write(results.full(2), tmp_path / "report.html")
    assert "The change" not in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_the_summary_begins_with_the_verdicts(tmp_path: Path) -> None:
    result = results.with_runs(*of_both(5.6e-6), *of_both(30e-6, "close"))
    first = report.text(result).splitlines()[:5]
    assert first[0] == "close, 100 connections: this build beside the other one"
    assert first[1].split()[0] == "per-core" and first[1].endswith(" slower")
    assert first[3] == "keep-alive, 100 connections: this build beside the other one"
    assert max(map(len, report.text(result).splitlines())) <= 80
    page.write(result, tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<caption>This build beside the other one</caption>" in text and text.count(">slower<") == 2


@pytest.mark.parametrize(
    ("script", "words"),
    [
        (None, "and there is no such file"),
        ("#!/bin/sh\necho 'nginx version: nginx/1.22.1'\n", "is no weir"),
        ("#!/bin/sh\nexit 1\n", "is no weir"),
        ("#!/bin/sh\n", "is no weir"),
        ("no program at all", "is no weir"),
    ],
)
def test_what_is_no_weir_is_refused(
    script: str | None, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = program(tmp_path / "other", script) if script else tmp_path / "other"
    monkeypatch.setenv("WEIR_LAB_OTHER", str(path))
    with pytest.raises(experiment.BadExperiment, match=f"WEIR_LAB_OTHER is {path}, .*{words}"):
        needs.check_names(experiment.read("change"))
    assert words in (find("other-weir/per-core").missing() or "")


def test_another_weir_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEIR_LAB_OTHER", str(program(tmp_path / "other")))
    needs.check_names(experiment.read("change"))


@pytest.mark.parametrize("arguments", [["run", "change"], ["needs", "run", "change"]])
def test_without_another_build_the_command_says_what_to_do(arguments: list[str], tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "weir_lab", *arguments, "--out", str(tmp_path)],
        env={name: value for name, value in os.environ.items() if name != "WEIR_LAB_OTHER"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 1 and "change compares two builds of weir: WEIR_LAB_OTHER is not set" in done.stderr
    assert "Traceback" not in done.stderr and not [*tmp_path.iterdir()]


def test_a_run_is_not_continued_with_another_other_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = SCRIPT.replace("[]", '[{"name": "one", "waits": "", "handlers_run": "", "has_workers": false}]')
    monkeypatch.setenv("WEIR_LAB_OTHER", str(program(tmp_path / "other", script)))
    matrix = {"targets": ["other-weir/one"], "scenarios": ["keep-alive"], "connections": [1]}
    one = experiment.parse("x", {"title": "t", "matrix": [matrix]}, "text")
    path = tmp_path / "one" / "result.json"
    runner.start(one).save(path)
    assert commands.find_interrupted(tmp_path, one)[0] == path
    program(tmp_path / "other", f"{script}# built again\n")
    assert commands.find_interrupted(tmp_path, one) == (None, None)
