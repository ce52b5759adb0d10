"""What stands beside the seeds' figures: on the screen, on a page, and in a document's table."""

from __future__ import annotations

import io
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import results
from replays import made_up

from weir_lab import replay
from weir_lab.cli import commands, documents
from weir_lab.replay import SEEDS, page, published, table
from weir_lab.report.screen import console
from weir_lab.statistics import words


@pytest.fixture
def printed() -> io.StringIO:
    return io.StringIO()


def test_what_is_published_replaces_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "FOLDER", tmp_path)
    (tmp_path / "seed0").mkdir()
    (tmp_path / "seed0" / "output.log").write_text("of last year", encoding="utf-8")
    folder = replay.new_published_folder("seed0")
    assert folder == tmp_path / "seed0" and list(folder.iterdir()) == []


def test_a_quick_replay_is_not_published() -> None:
    with pytest.raises(commands.Failed, match="quick"):
        commands.play_again("seed0", True, True, Path())


def test_a_document_has_a_table_of_what_was_published(
    tmp_path: Path, printed: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table, "FOLDER", tmp_path)
    block = '<!-- weir-lab: replay\nseed = "seed4"\n-->\n<!-- weir-lab: end -->\n'
    assert "./run lab replay seed4 --publish" in documents.renewed(block)
    monkeypatch.setattr(replay, "play", made_up)
    replay.run("seed4", replay.new_published_folder("seed4"), False, console(printed))
    made = documents.renewed(block)
    assert made.count("\n| ") == 1 + len(SEEDS["seed4"].rows)
    assert "8,987 connect errors" in made and "**would be refused here**" in made and "(seed4/result.json)" in made


def test_its_page_is_made_again(tmp_path: Path) -> None:
    for name in ("result.json", "runs.ndjson"):
        shutil.copy(table.folder_of("seed0") / name, tmp_path)
    assert commands.write_report(tmp_path, None, ()) == 0
    page = (tmp_path / "replay.html").read_text(encoding="utf-8")
    assert "Theirs and ours" in page and "not run yet" not in page and not (tmp_path / "report.html").exists()


def test_memory_stands_beside_theirs_where_they_told_it() -> None:
    row = SEEDS["seed3"].rows[0]
    run = made_up(row, False)
    assert run.load and run.server
    run = replace(run, server=replace(run.server, resident_bytes=8_000_000))
    assert "16.0 MB of memory" in published.said(row.published) and "8.00 MB of memory" in published.ours(row, run)
    assert published.ratio(row, run).endswith("; memory 0.50")
    of_another = SEEDS["seed2"].rows[0]
    assert "memory" not in published.ours(of_another, made_up(of_another, False))


def test_seed_1s_task_has_a_row() -> None:
    rows = [row for row in SEEDS["seed1"].rows if row.published.rate == 100_000]
    assert [row.body_bytes for row in rows] == [None, 1024] and {row.target for row in rows} == {"weir/epoll-edge"}
    run = made_up(rows[1], False)
    assert run.load
    assert published.ratio(rows[1], run) == words.ratio(run.load.rate / 100_000)


def test_a_ratio_is_given_only_of_what_counts_on_both_sides() -> None:
    counts, refused_there = SEEDS["seed0"].rows[0], SEEDS["seed4"].rows[0]
    run = made_up(counts, False)
    assert run.load
    assert (
        published.ratio(counts, run) == f"{run.load.rate / 612.79:,.0f}"
        or float(published.ratio(counts, run).replace(",", "")) > 1
    )
    assert published.ratio(counts, replace(run, refused=["3 read errors"])) == "–"
    assert published.ratio(refused_there, made_up(refused_there, False)) == "–"
    assert published.ratio(counts, None) == "–"


def test_refused_rows_show_their_reasons_and_their_errors(printed: io.StringIO) -> None:
    seed, result = SEEDS["seed4"], results.empty()
    run = made_up(seed.rows[0], False)
    assert run.load
    result.runs = [replace(run, load=replace(run.load, errors={"connect": 5}), refused=["5 connect errors"])]
    page.show(seed, result, console(printed))
    said = printed.getvalue()
    assert (
        "5 connect errors" in said and "refused" in said and "not run yet" in said and "would be refused here" in said
    )


@pytest.mark.parametrize("name", SEEDS)
def test_what_is_shown_fits_into_80_columns(name: str, printed: io.StringIO) -> None:
    seed, result = SEEDS[name], results.empty()
    result.runs = [replace(made_up(row, False), refused=["5 connect errors, " * 20]) for row in seed.rows]
    page.show(seed, result, console(printed))
    said = printed.getvalue()
    assert max(map(len, said.splitlines())) <= 80
    assert all(said.count(f"\n  {fact}") == len(seed.rows) for fact in ("theirs  ", "ours  ", "ours / theirs  "))
