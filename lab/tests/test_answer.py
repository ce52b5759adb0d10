"""The answer of `./run lab`: the engine for each load, its distance from the floor, and the limit; and the picture of
winners that README.md and the demonstration site have."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import pytest
import results
from typer.testing import CliRunner

from weir_lab.cli import commands, documents, main
from weir_lab.core.result import Result, Run
from weir_lab.course.map import answer, limits, picture
from weir_lab.experiments import experiment
from weir_lab.report.figures import Figures
from weir_lab.report.screen import console
from weir_lab.running import runner

GENERATOR = "the load generator was the limit"
WORKS = (
    ("keep-alive", 100, ("floor/epoll", "weir/per-core", "weir/reactor", "weir/thread-per-connection")),
    ("keep-alive", 1000, ("weir/per-core", "weir/reactor")),
    ("sleep", 100, ("weir/per-core", "weir/thread-per-connection")),
)


def asked() -> Result:
    result = results.empty()
    result.experiment = experiment.read("choose").text
    result.machine = replace(result.machine, limits={"descriptors": 20_000, "backlog": 128})
    for scenario, connections, targets in WORKS:
        for target in targets:
            of = results.cell(target, scenario, connections)
            result.runs += [results.run(of, number, results.cost_of(of), 0.002) for number in range(3)]
    return result


def changed(result: Result, scenario: str, **members: object) -> Result:
    result.runs = [
        replace(run, **members) if run.cell.scenario == scenario else run  # type: ignore[arg-type]
        for run in result.runs
    ]
    return result


def printed(result: Result) -> str:
    screen = io.StringIO()
    console(screen).print(answer.picture(result))
    return screen.getvalue()


def flat(text: str) -> str:
    return " ".join(text.split())


# --- the answer -------------------------------------------------------------------------------------------------


def test_it_names_the_engine_its_lead_and_its_distance_from_the_floor() -> None:
    said = flat(printed(asked()))
    assert "1 KB from memory, connections kept; 100 connections" in said
    assert "Take per-core: 1.70 (" in said and "times the rate of thread-per-connection." in said
    assert "It needs 1.08 times the CPU (" in said and "of floor/epoll, which doesn't parse." in said


def test_where_the_generator_was_the_limit_cpu_decides_and_the_answer_says_so() -> None:
    said = flat(printed(changed(asked(), "keep-alive", limited=GENERATOR)))
    assert "less CPU is better" in said and "thread-per-connection needs 1.70" in said
    assert "The limit: the load generator; the server can do more." in said
    assert "The load generator was the limit of 2 of 3 kinds of work" in said


@pytest.mark.parametrize(
    ("scenario", "cpu_seconds", "words"),
    [
        ("keep-alive", 1.9, "the CPU; the server used all of 1 core"),
        ("keep-alive", 1.0, "neither the CPU (50% was used) nor the load generator"),
        ("sleep", 0.1, "the handler; about 1 of 100 requests are in it at a time"),
    ],
)
def test_the_limit_of_a_load(scenario: str, cpu_seconds: float, words: str) -> None:
    def used(run: Run) -> Run:
        assert run.server and run.load
        return replace(run, server=replace(run.server, user_seconds=cpu_seconds, system_seconds=0.0))

    result = asked()
    result.runs = [used(run) for run in result.runs]
    cell = next(run.cell for run in result.runs if run.cell.scenario == scenario)
    assert answer.limit_of(Figures(result), cell) == words


def test_a_load_without_runs_that_count_says_why() -> None:
    said = flat(printed(changed(asked(), "sleep", refused=["the machine was disturbed: other programs used 90%"])))
    assert "Too few runs count to name an engine: the machine was disturbed: other programs used 90%." in said


def test_the_limits_of_the_machine_have_their_fixes() -> None:
    said = dict(limits.of(Figures(asked()), [False]))
    assert said["CPU"].startswith("2 cores. On one, per-core answers 178,")
    assert said["generator"] == "It was the limit of no kind of work."
    assert "20,000 for a process: one of weir holds 18,718 connections" in said["descriptors"]
    assert "sysctl -w net.core.somaxconn=4096" in said["backlog"]
    assert "A connection takes 3.00 KB of per-core" in said["memory"]


def test_no_line_is_longer_than_80_columns() -> None:
    assert max(len(line.rstrip()) for line in printed(asked()).splitlines()) <= 80


def test_the_report_begins_with_it_and_text_prints_it(tmp_path: Path) -> None:
    asked().save(tmp_path / "result.json")
    assert commands.write_report(tmp_path, None, []) == 0
    html = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert html.index('id="which-engine-for-your-load"') < html.index('id="your-limits"') < html.index('id="summary"')
    done = CliRunner().invoke(main.app, ["report", "--text", str(tmp_path)])
    assert "Take per-core" in done.output and "Your limits" in done.output


def test_other_experiments_have_no_answer() -> None:
    assert answer.sections(results.full()) == []


def test_the_experiment_takes_two_minutes_and_needs_no_peer() -> None:
    found = experiment.read("choose")
    assert runner.length(found)[1] <= 120
    assert {cell.target.partition("/")[0] for cell in found.cells()} == {"floor", "weir"}


# --- the picture ------------------------------------------------------------------------------------------------


def test_the_committed_picture_is_as_its_result_says() -> None:
    assert picture.FILE.read_text(encoding="utf-8") == documents.picture(), "./run lab tables"


def test_a_field_says_how_far_an_engine_is_behind_the_best() -> None:
    result = asked()
    result.runs += [results.run(results.cell("weir/select"), 0, 6e-6)]
    result.runs += [results.not_begun(results.cell("weir/blocking"), "1 connections of 100 were open")]
    figures = Figures(result)

    def field(engine: str, scenario: str = "keep-alive") -> str:
        return picture.said(figures, results.cell(f"weir/{engine}", scenario))[0]

    found = [field(one) for one in ("per-core", "reactor", "select", "blocking", "asio")]
    assert found == ["best", "2.1", "?", "–", ""]
    assert (field("per-core", "sleep"), field("thread-per-connection", "sleep")) == ("best", "1.7")


def test_a_row_of_the_picture_has_engines_enough() -> None:
    result = results.full()
    engines = ("per-core", "epoll-level", "coroutines", "io-uring", "reactor", "thread-per-connection")
    rows = picture.rows_of(Figures(result))
    assert ("keep-alive", 100) in {(row.scenario, row.connections) for row in rows}
    assert not {"latency-50", "file-100k"} & {row.scenario for row in rows}
    drawn = picture.drawn(result)
    assert all(f">{name}</text>" in drawn for name in engines) and 'role="img" aria-label="Which architecture' in drawn
