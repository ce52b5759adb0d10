"""The summary for a terminal: 80 columns, and every target and state in it."""

from __future__ import annotations

import results
from typer.testing import CliRunner

from weir_lab import report
from weir_lab.cli import main


def test_no_line_is_longer_than_80_columns() -> None:
    for result in (results.full(), results.at_rates(), results.empty()):
        said = report.text(result)
        assert said and max(map(len, said.splitlines())) <= 80


def test_each_target_has_its_figure_its_number_of_runs_and_its_ratio() -> None:
    lines = report.text(results.full(rounds=5)).splitlines()
    nginx = next(line for line in lines if "nginx-1" in line).split()
    assert nginx[1:3] == ["8.80", "µs"] or nginx[2] == "µs"
    assert "n=5" in nginx and any(one.startswith("1.7") for one in nginx)


def test_refused_limited_and_short_targets_are_named() -> None:
    result = results.at_rates()
    result.runs.append(results.not_begun(results.cell("h2o"), "h2o is not installed: apt-get install h2o"))
    result.runs += [results.run(results.cell("caddy"), number) for number in range(2)]
    said = report.text(result)
    assert "reached 30,000/s of 40,000/s" in said
    assert "h2o: refused: h2o is not installed" in said


def test_report_prints_it(tmp_path) -> None:  # type: ignore[no-untyped-def]
    results.at_rates().save(tmp_path / "result.json")
    done = CliRunner().invoke(main.app, ["report", "--text", str(tmp_path)])
    assert done.exit_code == 0 and "per-core" in done.output
    assert not (tmp_path / "report.html").exists()
