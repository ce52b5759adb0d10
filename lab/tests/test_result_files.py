"""The files of a result: what is in which, older ones, and those that are committed."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import results

from weir_lab.cli.documents import DOCUMENTS, RESULTS
from weir_lab.core import built, stored
from weir_lab.core.findings import Sampled, Trust, Validated, Worker
from weir_lab.core.result import Result, Run
from weir_lab.report import circumstances
from weir_lab.report.figures import Figures

COMMITTED = sorted(path.parent for path in RESULTS.rglob("result.json"))
BYTES_MAX = 1_000_000  # of one experiment


def with_raw() -> Run:
    trust = Trust(Validated(["get"]), Sampled(7), outsiders=[Worker(1, "x", 0.5)], engine="per-core")
    return replace(results.run(results.cell()), generator_output="printed\n", trust=trust).with_state()


def saved(result: Result, folder: Path) -> Path:
    result.save(folder / "result.json")
    return folder / "result.json"


def test_a_result_is_read_as_it_was_written(tmp_path: Path) -> None:
    result = results.full()
    result.runs += [with_raw(), results.traced(results.cell("h2o")), results.not_begun(results.cell("caddy"), "no")]
    read = Result.load(saved(result, tmp_path))
    assert read.runs == [run.with_state() for run in result.runs]
    assert replace(read, runs=[]) == replace(result.with_summary(), runs=[])


def test_a_run_is_a_line_and_what_was_printed_is_apart(tmp_path: Path) -> None:
    saved(results.with_runs(with_raw(), results.run(results.cell("h2o"))), tmp_path)
    runs, raw = (stored.read_lines(tmp_path / name) for name in ("runs.ndjson", "raw.ndjson"))
    assert [run["cell"]["target"] for run in runs] == ["weir/per-core", "h2o"] and len(raw) == 2
    assert "refused" not in runs[0] and runs[0]["load"]["bytes_received"], "what has its default value is left out"
    assert runs[0]["trust"] == {"sampled": {"answers": 7}, "engine": "per-core"}
    assert set(raw[0]) == {"response_head", "server_command", "generator_command", "generator_output", "trust"}
    assert set(raw[0]["trust"]) == {"validated", "outsiders"} and not set(raw[0]) - {"trust"} & set(runs[0])
    assert "runs" not in json.loads((tmp_path / "result.json").read_text(encoding="utf-8"))


def test_without_what_was_printed_all_else_is_there(tmp_path: Path) -> None:
    result = results.with_runs(with_raw(), results.run(results.cell("h2o")))
    path = saved(result, tmp_path)
    (tmp_path / "raw.ndjson").unlink()
    read = Result.load(path)
    assert [run.cpu_per_request for run in read.runs] == [run.cpu_per_request for run in result.runs]
    for part in (circumstances.heads, circumstances.commands):
        assert part(Figures(read)) == part(Figures(result)) and "<pre>" in part(Figures(read))


def test_an_interrupt_between_the_files_loses_nothing(tmp_path: Path) -> None:
    """raw.ndjson is written last but one: it may lack the newest line."""
    path = saved(results.with_runs(with_raw(), results.run(results.cell("h2o"))), tmp_path)
    raw = tmp_path / "raw.ndjson"
    raw.write_text(raw.read_text(encoding="utf-8").splitlines(keepends=True)[0], encoding="utf-8")
    assert [run.generator_output for run in Result.load(path).runs] == ["printed\n", ""]


def test_a_result_of_an_older_lab_is_read(tmp_path: Path) -> None:
    """Its result.json has the runs."""
    result = results.with_runs(with_raw())
    data = dataclasses.asdict(result) | {"schema": 1}
    del data["heads"], data["commands"]
    stored.write_json(data, tmp_path / "result.json")
    assert Result.load(tmp_path / "result.json") == result


@pytest.mark.parametrize(
    ("changed", "words"),
    [({"schema": 3}, "schema 3, and this lab reads schemas 1 and 2"), ({}, "its runs are missing")],
)
def test_what_is_no_result_is_said(changed: dict[str, int], words: str, tmp_path: Path) -> None:
    path = saved(results.full(1), tmp_path)
    (tmp_path / "runs.ndjson").unlink()
    stored.write_json(json.loads(path.read_text(encoding="utf-8")) | changed, path)
    with pytest.raises(ValueError, match=words):
        Result.load(path)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"round": "the first"}, r"runs\.0\.round: Input should be a valid integer"),
        ({"more": 1}, r"runs\.0\.more: Unexpected keyword argument"),
        ({"cell": {"scenario": "close"}}, r"runs\.0\.cell\.connections: Field required"),
    ],
)
def test_a_member_that_is_wrong_is_named(changed: dict[str, Any], words: str, tmp_path: Path) -> None:
    path = saved(results.full(1), tmp_path)
    first, *others = stored.read_lines(path.with_name("runs.ndjson"))
    stored.write_lines([first | changed, *others], path.with_name("runs.ndjson"))
    with pytest.raises(ValueError, match=words):
        Result.load(path)


def test_a_result_does_not_say_where_the_repository_lies(tmp_path: Path) -> None:
    run = replace(results.run(results.cell()), server_command=[f"{built.REPOSITORY}/build/release/weir", "serve"])
    saved(results.with_runs(run), tmp_path)
    for file in tmp_path.iterdir():
        assert str(built.REPOSITORY) not in file.read_text(encoding="utf-8"), file.name


# --- those that are committed ---


@pytest.mark.parametrize("folder", COMMITTED, ids=lambda folder: folder.name)
def test_what_is_committed_can_be_read(folder: Path) -> None:
    """Those too that are older than a member."""
    result = Result.load(folder / "result.json")
    assert result.runs and result.heads and result.commands.servers
    assert {run.cell.target for run in result.runs} | {run.cell.generator for run in result.runs} <= set(
        result.versions
    )


@pytest.mark.parametrize("folder", COMMITTED, ids=lambda folder: folder.name)
def test_what_is_committed_is_light_and_named(folder: Path) -> None:
    files = [folder / "result.json", folder / "runs.ndjson", *folder.glob("many-connections.json")]
    assert sum(file.stat().st_size for file in files) <= BYTES_MAX
    named = f'result = "{folder.name}"', f'seed = "{folder.name}"'
    assert any(name in path.read_text(encoding="utf-8") for path in DOCUMENTS for name in named)


def test_of_each_experiment_the_newest_is_committed() -> None:
    experiments = [Result.load(folder / "result.json").title for folder in COMMITTED]
    assert len(experiments) == len(set(experiments)) and COMMITTED
