"""The page says what the figures carry, and nothing else; whatever a result lacks, there is a page."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
import results

from weir_lab import report
from weir_lab.core.load import Latency
from weir_lab.core.result import Result
from weir_lab.report import page, summary
from weir_lab.report.figures import Figures


class Outline(HTMLParser):
    """Every element's attributes, and whether what was opened was closed."""

    VOID = frozenset({"meta", "link", "br", "path", "rect", "circle"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attributes)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attributes)))

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID:
            assert self.open.pop() == tag

    def of(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


def written(result: Result, folder: Path) -> str:
    report.write(result, folder / "report.html")
    return (folder / "report.html").read_text(encoding="utf-8")


def test_one_file_that_needs_nothing_beside_it(tmp_path: Path) -> None:
    html = written(results.full(), tmp_path)
    assert len(html.encode()) < 2_000_000
    outline = Outline(html)
    assert outline.open == []
    asked = [attributes[name] for _, attributes in outline.elements for name in ("src", "href") if name in attributes]
    assert all((one or "").startswith(("#", "data:,")) for one in asked)
    assert "url(" not in html and "@import" not in html


def test_every_plot_says_what_it_shows(tmp_path: Path) -> None:
    plots = Outline(written(results.full(), tmp_path)).of("svg")
    assert len(plots) > 20
    assert all(one.get("role") == "img" and len(one.get("aria-label") or "") > 20 for one in plots)


def test_every_plot_says_how_many_runs_are_behind_it(tmp_path: Path) -> None:
    for result in (results.full(), results.at_rates()):
        html = written(result, tmp_path)
        captions = [text for text in html.split("<figcaption>")[1:] if "every target:" not in text[:120]]
        for caption in captions:
            shared = html.partition(">Equal load</h2>")[2].partition("</p>")[0]  # of all plots of a section
            assert re.search(r" n = \d", caption.partition("</figcaption>")[0] + shared), caption[:200]


def test_plots_and_links_are_in_their_sections(tmp_path: Path) -> None:
    html = written(results.full(), tmp_path)
    outline = Outline(html)
    ids = [attributes["id"] for _, attributes in outline.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert {one["href"] for one in outline.of("a")} == {f"#{one}" for one in ids}
    for words in (
        "Server CPU per request: 1 KB from memory",
        "Requests per second, every target",
        "Latency: open loop at 90 %",
        "Memory by connections",
        "Times the floor: 1 KB, a connection for each request",
    ):
        assert words in html


def test_refused_runs_are_shown_and_never_averaged_in(tmp_path: Path) -> None:
    cell = results.cell()
    good = [results.run(cell, number, 5e-6, noise=0) for number in range(3)]
    bad = results.run(cell, 3, 50e-6, noise=0, refused=["8,987 connect errors"])
    figures = Figures(results.with_runs(*good, bad))
    found = figures.summary(cell, "cpu")
    assert found and found.middle == pytest.approx(5e-6) and found.count == 3
    html = written(results.with_runs(*good, bad), tmp_path)
    assert "8,987 connect errors" in html and "3 of 4" in html and "1 run was refused" in html


def test_traced_runs_count_for_system_calls_alone() -> None:
    cell = results.cell()
    figures = Figures(results.with_runs(results.run(cell), results.traced(cell)))
    cpu, calls = figures.summary(cell, "cpu"), figures.summary(cell, "calls")
    assert cpu and cpu.count == 1
    assert calls and (calls.middle, calls.count) == (2.01, 1)


def test_where_the_generator_set_the_pace_cost_counts_and_rate_does_not(tmp_path: Path) -> None:
    cell = results.cell()
    limited = [replace(results.run(cell, number), limited="the load generator was the limit") for number in range(3)]
    figures = Figures(results.with_runs(*limited))
    bounds = [one.bound for name in ("cpu", "rate", "p99") if (one := figures.summary(cell, name))]
    assert bounds == ["", "at least", "limited"]
    words = results.text_of(written(results.with_runs(*limited), tmp_path))
    assert "In 3 runs the load generator was the limit" in words and "the load generator was the limit" in words
    assert "An arrow: at least so many, limited by the generator." in words and "at least 1" in words
    assert figures.best([cell], "rate") is None  # nothing can be claimed about it


def test_plots_stand_alone_with_their_colours(tmp_path: Path) -> None:
    found = report.write_plots(results.full(), tmp_path / "plots")
    assert [path.stem for path in found] == [
        "cpu-by-connections",
        "rate-by-connections",
        "times-the-floor",
        "memory-by-connections",
        "latency",
    ]
    for path in found:
        picture = path.read_text(encoding="utf-8")
        assert ElementTree.fromstring(picture).get("aria-label")
        used, defined = set(re.findall(r"var\((--\w+)\)", picture)), set(re.findall(r"(--\w+):", picture))
        assert used and used <= defined and "light-dark" not in picture
    assert report.write_plots(results.empty(), tmp_path / "none") == []


def test_where_no_run_counts_nothing_is_said_of_it(tmp_path: Path) -> None:
    html = written(
        results.with_runs(results.not_begun(results.cell("h2o"), "h2o is not installed: apt-get install h2o")), tmp_path
    )
    assert "No run counts, so the report makes no claim" in html and "nothing to draw" in html
    assert "h2o is not installed" in html


def test_an_empty_result_has_a_page(tmp_path: Path) -> None:
    words = results.text_of(written(results.empty(), tmp_path))
    assert "0 runs" in words and "No run was refused" in words and "No command was run" in words


# --- the same rates for all ---------------------------------------------------------------------------------------


def test_cost_and_latency_are_drawn_over_the_rate(tmp_path: Path) -> None:
    html = written(results.at_rates(), tmp_path)
    assert html.index(">Equal load</h2>") < html.index(">Tables</h2>")
    for title in ("Times the floor", "Server CPU per request", "Latency, median", "Latency, 99.9th percentile"):
        assert f"<h4>{title} by rate</h4>" in html
    outline = Outline(html)
    plots_of_rate = [
        one["aria-label"] or "" for one in outline.of("svg") if " by rate. " in (one.get("aria-label") or "")
    ]
    assert len(plots_of_rate) >= 5
    assert all("nginx-1: " in one and "at 40,000/s" in one for one in plots_of_rate if "Times" not in one)


def test_a_rate_that_was_not_reached_is_a_state_that_is_drawn_and_said(tmp_path: Path) -> None:
    words = results.text_of(written(results.at_rates(), tmp_path))
    assert "A cross: the rate was not reached (nginx-1 reached 30,000/s of 40,000/s)" in words
    assert "at least" in words  # its latency grows for as long as the run lasts
    assert "Every run counts." in words


def test_a_limited_generator_is_a_state_too(tmp_path: Path) -> None:
    result = results.at_rates()
    result.runs = [
        replace(run, limited="the load generator was the limit") if run.cell.rate == 40_000 else run
        for run in result.runs
    ]
    words = results.text_of(written(result, tmp_path))
    assert "An arrow down: the load generator was the limit (40,000/s)" in words
    assert "nginx-1 reached 30,000/s of 40,000/s, limited by the generator" in words and "at most" in words


def test_at_equal_load_the_lowest_and_the_highest_rate_have_a_sentence() -> None:
    said = results.text_of(summary.html(Figures(results.at_rates())))
    assert "100 connections, at 1,000/s: per-core" in said and "100 connections, at 40,000/s: per-core" in said
    assert "at 10,000/s" not in said


def test_an_interrupted_result_says_so(tmp_path: Path) -> None:
    result = results.full(rounds=2)
    result.finished = None
    assert "The experiment was interrupted" in written(result, tmp_path)


def test_one_target_only_is_no_contest(tmp_path: Path) -> None:
    html = written(results.with_runs(*(results.run(results.cell(), number) for number in range(3))), tmp_path)
    assert "per-core needs 5." in html and "the least" not in results.text_of(html) and "best peer" in html


def test_peers_alone_are_compared_with_each_other(tmp_path: Path) -> None:
    runs = [
        results.run(results.cell(target), number, cost)
        for target, cost in (("nginx-1", 9e-6), ("hyper", 6e-6))
        for number in range(3)
    ]
    assert "hyper needs the least server CPU" in written(results.with_runs(*runs), tmp_path)


def test_what_the_generator_does_not_say_is_a_dash(tmp_path: Path) -> None:
    run = results.run(results.cell())
    assert run.load and run.server
    bare = replace(
        run,
        load=replace(run.load, latency=Latency(), bytes_received=None, connections=None),
        server=replace(run.server, resident_bytes=None, context_switches=None, established=None),
        response_head="",
    )
    other = results.run(results.cell("nginx-1"))
    html = written(results.with_runs(bare, other), tmp_path)
    assert ">–</td>" in html


def test_an_idle_connection_has_a_column_where_there_were_any(tmp_path: Path) -> None:
    run = results.run(results.cell(scenario="idle-tls", generator="h2load"))
    assert run.server
    idle = replace(run, server=replace(run.server, idle_bytes=15_100.0))
    html = written(results.with_runs(idle), tmp_path)
    assert "memory / idle connection" in html and "15.1 KB" in html
    assert "memory / idle connection" not in written(results.with_runs(run), tmp_path)


def test_what_no_target_names_is_escaped(tmp_path: Path) -> None:
    result = results.with_runs(results.not_begun(results.cell("<script>alert(1)</script>"), "<b>no</b>"))
    result.title = "<i>title</i>"
    html = written(result, tmp_path)
    assert "<script>alert" not in html and "<b>no" not in html and "<i>title" not in html


def test_other_sections_stand_behind_the_summary(tmp_path: Path) -> None:
    report.write(results.empty(), tmp_path / "page.html", [report.Section("Theirs and ours", "<p>words</p>")])
    html = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert html.index("<p>words</p>") < html.index("Tables</h2>")
    assert "#theirs-and-ours" in html


def test_a_long_summary_is_folded_and_whole(tmp_path: Path) -> None:
    html = written(results.full(), tmp_path)
    assert "The other 3 in sentences" in html
    assert html.count("<li>A handler that blocks") + html.count("<li>Open loop") == 5


def test_a_unknown_kind_of_work_is_shown_by_its_name(tmp_path: Path) -> None:
    cell = replace(results.cell(), scenario="a handler that sings")
    html = written(results.with_runs(results.run(cell), results.run(cell, 1)), tmp_path)
    assert "A handler that sings, 100 connections: per-core answers" in html


def test_ids_are_made_from_titles() -> None:
    assert page.Section("CPU and throughput", "").id == "cpu-and-throughput"
