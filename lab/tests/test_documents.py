"""Every figure of the documents is one that a committed result supports."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import results
from typer.testing import CliRunner

from weir_lab.cli import documents, main
from weir_lab.core.result import Result, Run
from weir_lab.many_connections import result as many_connections
from weir_lab.many_connections.result import ManyConnections, Step

# A decimal number, a percentage, or a number with a unit. Counts of connections and sizes of files are names of work.
FIGURE = re.compile(r"\d+\.\d+|\d+ ?%|\d ?(us|µs|ms)\b|\d/s\b")
PAGE = documents.RESULTS / "README.md"


# --- those of this repository -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", documents.DOCUMENTS, ids=lambda path: str(path.relative_to(documents.RESULTS.parents[1]))
)
def test_tables_are_as_their_results_say(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert documents.BLOCK.search(text), "it has no table"
    assert documents.renewed(text) == text, "./run lab tables"


def test_the_page_of_results_states_no_figure_of_its_own() -> None:
    text = re.sub(r"\]\([^)]*\)|`[^`]*`", "", documents.prose(PAGE.read_text(encoding="utf-8")))
    text = text.replace("95 % confidence", "").replace("at least 2 %", "")  # the interval's own definition
    assert not [line for line in text.splitlines() if FIGURE.search(line)]


def test_what_the_page_links_to_is_there() -> None:
    for link in re.findall(r"\]\(([^)#]+)", PAGE.read_text(encoding="utf-8")):
        assert (PAGE.parent / link).exists(), link


# --- how they are made ------------------------------------------------------------------------------------------

COLUMN = 'columns = [{title = "kept"}]\n'
ROWS_AND_H2O = 'rows = {"weir/per-core" = "`per-core`", nginx-1 = "nginx", h2o = "h2o"}\n'
ROWS = 'rows = {"weir/per-core" = "`per-core`", nginx-1 = "nginx"}\n'


@pytest.fixture
def committed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Result:
    """A result in a folder of its own, which a test may change before it asks for a table."""
    result = results.empty()
    result.runs = [
        results.run(results.cell(target), number, results.COSTS[target] * 1e-6, 0.0)
        for target in ("weir/per-core", "nginx-1")
        for number in range(3)
    ]
    monkeypatch.setattr(documents, "RESULTS", tmp_path)
    return result


def table(result: Result, asked: str, kind: str = "figures") -> list[str]:
    result.save(documents.RESULTS / "one" / "result.json")
    documents.figures_of.cache_clear()
    made = documents.renewed(
        f'before\n<!-- weir-lab: {kind}\nresult = "one"\n{asked}-->\nstale\n<!-- weir-lab: end -->\nafter\n'
    )
    assert made.startswith("before\n") and made.endswith("<!-- weir-lab: end -->\nafter\n") and "stale" not in made
    return made.partition("-->\n")[2].partition("\n<!-- weir-lab: end")[0].split("\n")


def changed(runs: Sequence[Run], target: str, **members: object) -> list[Run]:
    return [replace(run, **members) if run.cell.target == target else run for run in runs]  # type: ignore[arg-type]


def test_a_table_has_means_their_intervals_and_the_number_of_their_runs(committed: Result) -> None:
    committed.runs += [
        results.run(results.cell("h2o"), number, cost, 0.0) for number, cost in enumerate((8e-6, 10e-6, 12.5e-6))
    ]
    assert table(committed, COLUMN + ROWS_AND_H2O) == [
        "| | kept (n = 3) |",
        "|---|---|",
        "| `per-core` | 5.60 ±0 % |",
        "| nginx | 8.80 ±0 % |",
        "| h2o | 10.0 ±74 % |",  # exp(4.303 x ln(1.25) / sqrt(3))
    ]


def test_a_refused_run_is_in_no_figure(committed: Result) -> None:
    committed.runs.append(results.run(results.cell(), 3, 99e-6, refused=["1 read errors"]))
    assert table(committed, COLUMN + ROWS)[2] == "| `per-core` | 5.60 ±0 % |"
    committed.runs = changed(committed.runs, "weir/per-core", refused=["1 read errors"])
    assert table(committed, COLUMN + ROWS)[2] == "| `per-core` | refused |"


def test_a_limited_run_is_a_bound_of_the_rate_and_in_no_latency(committed: Result) -> None:
    committed.runs = changed(committed.runs, "weir/per-core", limited="the load generator was the limit")
    said = {
        measure: table(committed, f'columns = [{{title = "x", measure = "{measure}"}}]\n' + ROWS)
        for measure in ("p999", "rate", "cpu")
    }
    assert said["p999"][2] == "| `per-core` | limited by the generator |" and "limited" not in said["p999"][3]
    assert said["rate"][2] == "| `per-core` | at least 178,571/s, limited by the generator |"
    assert said["cpu"][2] == "| `per-core` | 5.60 ±0 % |"


def test_a_column_may_be_at_a_fixed_rate(committed: Result) -> None:
    """A part of the capacity: nobody knows the rate before the experiment."""
    committed.capacities = {"keep-alive|100|rps|floor/epoll|1": 10_000.0}
    committed.runs = [
        results.run(replace(results.cell(generator="rps"), rate=rate), number, 5e-6, 0.0)
        for rate in (1000.0, 5100.0)
        for number in range(2)
    ]
    asked = 'columns = [{{title = "at {{rate}}", generator = "rps", part = {}}}]\n'
    assert table(committed, asked.format(0.5) + ROWS)[0] == "| | at 5,100/s (n = 2) |"
    assert table(committed, asked.format(0.1) + ROWS)[2] == "| `per-core` | 5.00 ±0 % |"
    with pytest.raises(ValueError, match="no fixed rate"):
        table(committed, 'columns = [{title = "x", part = 0.5}]\n' + ROWS)


def test_one_run_is_no_figure(committed: Result) -> None:
    committed.runs = committed.runs[2:]
    assert table(committed, COLUMN + ROWS) == [
        "| | kept (n = 3) |",
        "|---|---|",
        "| `per-core` | does not count |",
        "| nginx | 8.80 ±0 % |",
    ]


def test_what_was_not_measured_is_blank(committed: Result) -> None:
    assert table(committed, COLUMN + 'rows = {h2o = "h2o"}\n') == ["| | kept (n = 0) |", "|---|---|", "| h2o | |"]


def test_many_connections_have_a_row_for_each_step(committed: Result) -> None:
    step = Step(0, 0.0, 0, 0, 2_000_000, 0, None, None, 0.0, None, None)
    ManyConnections("now", committed.machine, "weir 1", 9, "prefork", 1, 1, 1, 1, [], [step]).save(
        documents.RESULTS / "one" / many_connections.FILE_NAME
    )
    assert table(committed, "", "many-connections")[2] == "| 0 | 0.0 s | 2.0 MB | | | | |"


def test_a_ratio_has_its_interval(committed: Result) -> None:
    made = table(committed, 'of = "weir/per-core"\n' + COLUMN + ROWS, "ratios")
    assert made[3] == "| nginx | 0.64 (0.62 to 0.65) |"  # rounds that all agree: 2 % to each side


def test_circumstances_name_the_machine_and_the_commit(committed: Result) -> None:
    said = "\n".join(table(committed, "", "circumstances"))
    assert (
        "this result does not name its commit" in said
        and "AMD EPYC 7B13, 2 cores" in said
        and "Runs: 6, of which 0 were refused" in said
    )


def test_circumstances_state_the_labs_own_error(committed: Result) -> None:
    again = results.cell("weir/per-core (again)")
    committed.runs += [results.run(again, number, 5.88e-6, 0.0) for number in range(3)]
    said = " ".join("\n".join(table(committed, "", "circumstances")).split())
    assert "per-core (again), keep-alive, 100 connections: 1.05 (1.05 to 1.05, n = 3)" in said


def test_the_way_that_is_taken_is_bold(committed: Result) -> None:
    committed.runs = [
        results.run(results.cell(f"nginx-1+{way}", scenario), number, 5e-6, 0.0)
        for number in range(2)
        for way in ("copy", "sendfile")
        for scenario in ("keep-alive", "pipelined")
    ]
    rows = {row.split(" | ")[0]: row for row in table(committed, "", "ways")}
    taken = {
        way: [
            name
            for name, said in zip(
                ("keep-alive", "close", "pipelined"), rows[f"| nginx-1, `{way}`"].split("|")[2:5], strict=True
            )
            if "**" in said
        ]
        for way in ("copy", "sendfile")
    }
    best = documents.WAYS_OF["nginx-1"].best
    assert taken == {
        way: [kind for kind in ("keep-alive", "pipelined") if best[kind] == way] for way in ("copy", "sendfile")
    }


@pytest.mark.parametrize(
    ("kind", "asked", "words"),
    [
        ("figurs", "", "there is no table 'figurs'; there are figures"),
        ("figures", ROWS, "lacks 'columns'"),
        ("figures", 'columns = [{title = "x", conections = 1}]\n' + ROWS, "a column is wrong"),
        ("figures", "rows", "="),
    ],
)
def test_what_is_wrong_with_a_block_is_said(kind: str, asked: str, words: str, committed: Result) -> None:
    with pytest.raises(ValueError, match=words):
        table(committed, asked, kind)


def test_the_command_renews_and_checks(committed: Result) -> None:
    committed.save(documents.RESULTS / "one" / "result.json")
    documents.figures_of.cache_clear()
    page = documents.RESULTS / "page.md"
    stale = f'<!-- weir-lab: figures\nresult = "one"\n{COLUMN}{ROWS}-->\n<!-- weir-lab: end -->\n'
    page.write_text(stale, encoding="utf-8")
    asked = CliRunner().invoke(main.app, ["tables", "--check", str(page)])
    assert (
        asked.exit_code == 1
        and "./run lab tables renews it" in asked.output
        and page.read_text(encoding="utf-8") == stale
    )
    assert CliRunner().invoke(
        main.app, ["tables", str(page)]
    ).exit_code == 0 and "| nginx | 8.80 ±0 % |" in page.read_text(encoding="utf-8")
    assert CliRunner().invoke(main.app, ["tables", "--check", str(page)]).exit_code == 0
