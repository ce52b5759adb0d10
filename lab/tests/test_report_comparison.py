"""Two results beside each other: counts, verdicts, and what could not be compared."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import results

from weir_lab import report
from weir_lab.core.result import Result
from weir_lab.report.screen import console


def shown(a: Result, b: Result) -> str:
    printed = io.StringIO()
    console(printed).print(report.compare_table(a, b))
    return printed.getvalue()


def page(a: Result, b: Result, folder: Path) -> str:
    report.write_comparison(a, b, folder / "compare.html")
    return (folder / "compare.html").read_text(encoding="utf-8")


def small(seed: int = 0, slower: float = 1.0) -> Result:
    result = results.empty()
    result.runs = [
        results.run(results.cell(target), number, results.COSTS[target] * 1e-6 * slower, seed=seed)
        for target in ("weir/per-core", "nginx-1")
        for number in range(3)
    ]
    return result


def test_a_slowdown_is_called_slower_and_counted_at_the_top() -> None:
    said = shown(small(), small(seed=1, slower=1.3))
    assert said.startswith("B beside A, 6 rows: 0 faster, 6 slower, 0 can't tell")
    assert said.count("▼ slower") == 6 and "1.30" in said


def test_the_same_twice_cannot_be_told_apart(tmp_path: Path) -> None:
    said = shown(small(), small(seed=1))
    assert "0 faster, 0 slower, 6 can't tell" in said
    assert page(small(), small(seed=1), tmp_path).count("· can&#x27;t tell") == 6


def test_what_has_changed_comes_first() -> None:
    b = small(seed=1)
    b.runs = [
        replace(run, server=replace(run.server, user_seconds=run.server.user_seconds * 6))
        if run.server and run.cell.target == "nginx-1"
        else run
        for run in b.runs
    ]
    verdicts = [line.split()[-1] for line in shown(small(), b).splitlines() if "keep-alive" in line]
    assert verdicts == ["slower"] + ["tell"] * 5


def test_refused_runs_are_compared_with_nothing(tmp_path: Path) -> None:
    b = small(seed=1, slower=1.3)
    b.runs = [replace(run, refused=["3 read errors"]) for run in b.runs]
    said = shown(small(), b)
    assert "nothing to compare" in said and "2 cells can't be compared, because they lack two runs" in said
    assert "nothing to compare" in page(small(), b, tmp_path)


def test_what_only_one_has_is_said() -> None:
    b = small(seed=1)
    b.runs = [run for run in b.runs if run.cell.target != "nginx-1"] + [results.run(results.cell("hyper"))]
    said = shown(small(), b)
    assert "Only A has 1 cell: nginx-1" in said and "Only B has 1 cell: hyper" in said


def test_another_machine_is_said_before_anything_is_believed(tmp_path: Path) -> None:
    b = small(seed=1)
    b.machine = replace(b.machine, processor="another")
    b.placement = "server and generator share cores 0, 1"
    assert "The machines differ" in shown(small(), b) and "The placement differs" in shown(small(), b)
    assert "The machines differ" in page(small(), b, tmp_path)


def test_empty_results_are_no_error() -> None:
    assert "nothing to compare" in shown(results.empty(), results.empty())


def test_rows_at_fixed_rates_are_told_apart_by_their_rate() -> None:
    said = shown(results.at_rates(), results.at_rates())
    for rate in ("1,000/s", "10,000/s", "40,000/s"):
        assert f"keep-alive, 100 connections, rps at {rate}" in said
