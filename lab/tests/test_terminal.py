"""What is printed: words as they are; on a terminal a bar that shows the progress, and elsewhere plain lines."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
import results

from weir_lab.many_connections.planning import Plan
from weir_lab.many_connections.progress import StepProgress
from weir_lab.many_connections.result import Step
from weir_lab.report.screen import console, plain_table
from weir_lab.running.progress import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def wide_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "150")
    monkeypatch.setenv("TERM", "xterm")
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)


def progress_on(stream: io.StringIO) -> str:
    with Progress(console(stream)) as progress:
        progress.begins(3, 9, results.cell("h2o"), 1, results.cell("hyper", "close"), 130.0)
        progress.ended(results.run(results.cell("h2o"), 1, refused=["1 [read] errors"]))
    return stream.getvalue()


def test_words_are_shown_as_they_are() -> None:
    stream = io.StringIO()
    console(stream).print("[red]a[/] :smile: " + "word " * 50)
    assert stream.getvalue() == "[red]a[/] :smile: " + "word " * 50 + "\n"


def test_a_table_outside_of_a_terminal_has_a_line_for_each_row() -> None:
    stream = io.StringIO()
    table = plain_table("name", "about")
    table.add_row("[a]", "word " * 50)
    console(stream).print(table)
    assert [line.split()[0] for line in stream.getvalue().splitlines()] == ["name", "[a]"]


def test_a_table_on_a_terminal_is_as_wide_as_that() -> None:
    stream = Terminal()
    table = plain_table("name", "about")
    table.add_row("a", "word " * 50)
    console(stream).print(table)
    assert len(stream.getvalue().splitlines()) == 3


def test_progress_on_a_terminal_names_the_run_the_next_one_and_the_time_remaining() -> None:
    said = progress_on(Terminal())
    assert (
        "round 2: h2o, keep-alive, 100 connections, wrk; next: hyper, close" in said
        and "2/9" in said
        and "2 min remaining" in said
    )
    assert "h2o, keep-alive, 100 connections, wrk: refused: 1 [read] errors" in said


def test_a_narrow_terminal_still_shows_the_time_remaining(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    said = progress_on(Terminal())
    assert "2/9" in said and "2 min remaining" in said and "round 2: h2o" in said and "hyper" not in said


def test_progress_elsewhere_is_a_line_for_each_run() -> None:
    assert progress_on(io.StringIO()) == "2  h2o, keep-alive, 100 connections, wrk: refused: 1 [read] errors\n"


def test_a_limited_run_shows_its_state_and_what_the_server_reached_at_least() -> None:
    stream = io.StringIO()
    limited = replace(results.run(results.cell("h2o"), noise=0.0), limited="the load generator was the limit")
    with Progress(console(stream)) as progress:
        progress.ended(limited)
    assert (
        ": limited: at least 178,571/s, 5.60 us of server CPU per request; the load generator was" in stream.getvalue()
    )


def steps_on(stream: io.StringIO) -> str:
    with StepProgress(console(stream), Plan(1000, "prefork", 2, 1, 100)) as progress:
        progress.begins("opening", 1000)
        progress.advances(250)
        progress.ended(Step(0, 0.0, 0, 0, 2_000_000, 0, None, None, 0.0, None, None))
    return stream.getvalue()


def test_a_steps_on_a_terminal_shows_how_far_the_step_is() -> None:
    said = steps_on(Terminal())
    assert "opening" in said and "250/1000" in said and "no connections yet: the server has 2.0 MB" in said


def test_many_connections_elsewhere_print_a_line_for_each_step() -> None:
    assert steps_on(io.StringIO()) == (
        "prefork, 2 workers; 1 clients, each with its own address\nno connections yet: the server has 2.0 MB\n"
    )


def test_a_rate_that_was_not_reached_is_said() -> None:
    printed = io.StringIO()
    short = next(
        run for run in results.at_rates().runs if run.cell.target == "nginx-1" and run.cell.rate == results.RATES[-1]
    )
    with Progress(console(printed)) as progress:
        progress.ended(short)
    assert "nginx-1, keep-alive, 100 connections, rps at 40,000/s: short of its rate: 30,000/s" in printed.getvalue()
