"""What is printed: aligned tables, and on a terminal one line of progress that the next line replaces."""

from __future__ import annotations

import io

import pytest
import results

from weir_lab import terminal
from weir_lab.progress import Progress
from weir_lab.terminal import ERASE, Screen


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def hundred_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")


def test_columns_are_aligned() -> None:
    assert terminal.table(("name", "n"), [("a", "1"), ("longer", "1,000")], right=(1,)) == ["name        n", "a           1", "longer  1,000"]


def test_a_cell_may_have_several_lines() -> None:
    assert terminal.table(("", ""), [("a\nb", "c"), ("d", "e\nf")]) == ["a  c", "b", "d  e", "   f"]


def test_the_last_column_is_wrapped_on_a_terminal_and_nowhere_else() -> None:
    rows = [("name", "word " * 30)]
    narrow = terminal.table(("", ""), rows, width=60)
    assert len(narrow) == 3 and max(map(len, narrow)) <= 60 and narrow[1].startswith(" " * 6 + "word")
    assert len(terminal.table(("", ""), rows)) == 1


def test_a_status_is_replaced_by_what_follows() -> None:
    stream = Terminal()
    screen = Screen(stream)
    screen.status("one")
    screen.status("two " * 40)
    screen.line("done", "red")
    assert stream.getvalue() == f"{ERASE}one{ERASE}{('two ' * 40)[:99]}{ERASE}\x1b[31mdone\x1b[0m\n"


def test_elsewhere_there_is_neither_status_nor_colour() -> None:
    stream = io.StringIO()
    screen = Screen(stream)
    screen.status("one")
    screen.line("done", "red")
    assert stream.getvalue() == "done\n"


def test_progress_names_the_run_the_next_one_and_the_time_remaining() -> None:
    stream = Terminal()
    with Progress(Screen(stream)) as progress:
        progress.begins(3, 9, results.cell("h2o"), 1, results.cell("hyper", "close"), 130.0)
        progress.ended(results.run(results.cell("h2o"), 1, refused=["1 read errors"]))
    assert "3/9, 2 min remaining: round 2, h2o, keep-alive, 100 connections, wrk; next: hyper," in stream.getvalue()
    assert "h2o, keep-alive, 100 connections, wrk: refused: 1 read errors" in stream.getvalue()
