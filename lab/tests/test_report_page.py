"""The page says what the figures carry, and nothing else; whatever a result lacks, there is a page."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
import results

from weir_lab import report
from weir_lab.load import Latency
from weir_lab.report import page, summary
from weir_lab.report.figures import Figures
from weir_lab.result import Result, Run


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


def with_runs(*runs: Run) -> Result:
    result = results.empty()
    result.runs = list(runs)
    return result


def text_of(html: str) -> str:
    return unescape(re.sub(r"<[^>]+>", " ", html))


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
        "Percent of the floor: 1 KB, a connection for each request",
    ):
        assert words in html


def test_refused_runs_are_shown_and_never_averaged_in(tmp_path: Path) -> None:
    cell = results.cell()
    good = [results.run(cell, number, 5e-6, noise=0) for number in range(3)]
    bad = results.run(cell, 3, 50e-6, noise=0, refused=["8,987 connect errors"])
    figures = Figures(with_runs(*good, bad))
    found = figures.summary(cell, "cpu")
    assert found and found.median == pytest.approx(5e-6) and found.count == 3
    html = written(with_runs(*good, bad), tmp_path)
    assert "8,987 connect errors" in html and "3 of 4" in html and "1 run was refused" in html


def test_traced_runs_count_for_system_calls_alone() -> None:
    cell = results.cell()
    figures = Figures(with_runs(results.run(cell), results.traced(cell)))
    cpu, calls = figures.summary(cell, "cpu"), figures.summary(cell, "calls")
    assert cpu and cpu.count == 1
    assert calls and (calls.median, calls.count) == (2.01, 1)


def test_where_the_generator_set_the_pace_cost_counts_and_rate_does_not(tmp_path: Path) -> None:
    cell = results.cell()
    limited = [replace(results.run(cell, number), limited="the generator was at its own limit") for number in range(3)]
    figures = Figures(with_runs(*limited))
    assert figures.summary(cell, "cpu") and not figures.summary(cell, "rate") and not figures.summary(cell, "p99")
    words = text_of(written(with_runs(*limited), tmp_path))
    assert "In 3 runs the generator set the pace" in words and "the generator was at its own limit" in words
    assert "Requests per second:" not in words


def test_plots_stand_alone_with_their_colours(tmp_path: Path) -> None:
    found = report.write_plots(results.full(), tmp_path / "plots")
    assert [path.stem for path in found] == [
        "cpu-by-connections",
        "rate-by-connections",
        "percent-of-floor",
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
        with_runs(results.not_begun(results.cell("h2o"), "h2o is not installed: apt-get install h2o")), tmp_path
    )
    assert "No run counts, so the report makes no claim" in html and "nothing to draw" in html
    assert "h2o is not installed" in html


def test_an_empty_result_has_a_page(tmp_path: Path) -> None:
    words = text_of(written(results.empty(), tmp_path))
    assert "0 runs" in words and "No run was refused" in words and "No command was run" in words


def test_an_interrupted_result_says_so(tmp_path: Path) -> None:
    result = results.full(rounds=2)
    result.finished = None
    assert "The experiment was interrupted" in written(result, tmp_path)


def test_one_target_only_is_no_contest(tmp_path: Path) -> None:
    html = written(with_runs(*(results.run(results.cell(), number) for number in range(3))), tmp_path)
    assert "per-core needs 5." in html and "least" not in text_of(html) and "best peer" in html


def test_peers_alone_are_compared_with_each_other(tmp_path: Path) -> None:
    runs = [
        results.run(results.cell(target), number, cost)
        for target, cost in (("nginx-1", 9e-6), ("hyper", 6e-6))
        for number in range(3)
    ]
    assert "hyper needs the least server CPU" in written(with_runs(*runs), tmp_path)


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
    html = written(with_runs(bare, other), tmp_path)
    assert '<td class="number">–</td>' in html


def test_what_no_target_names_is_escaped(tmp_path: Path) -> None:
    result = with_runs(results.not_begun(results.cell("<script>alert(1)</script>"), "<b>no</b>"))
    result.title = "<i>title</i>"
    html = written(result, tmp_path)
    assert "<script>alert" not in html and "<b>no" not in html and "<i>title" not in html


def test_other_sections_stand_behind_the_summary(tmp_path: Path) -> None:
    report.write(results.empty(), tmp_path / "page.html", [report.Section("Theirs and ours", "<p>words</p>")])
    html = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert html.index("<p>words</p>") < html.index("Tables</h2>")
    assert "#theirs-and-ours" in html


def sentences(runs: list[Run]) -> str:
    return text_of(summary.html(Figures(with_runs(*runs))))


def three(target: str, cost: float, noise: float = 0.003) -> list[Run]:
    return [results.run(results.cell(target), number, cost, noise) for number in range(3)]


def test_a_clear_difference_is_said_with_its_range() -> None:
    said = sentences(
        three("weir/per-core", 5e-6)
        + three("weir/reactor", 12e-6)
        + three("nginx-1", 10e-6)
        + three("floor/epoll", 4.5e-6)
    )
    assert "per-core needs the least server CPU" in said and "reactor can't be told" not in said
    assert re.search(r"nginx-1 with [\d.]+ µs, needs (1\.9|2\.0)\d times as much \(1\.\d\d to 2\.\d\d\)", said)
    assert re.search(r"That is 1\.1\d times the floor's", said)


def test_a_difference_within_the_noise_is_not_claimed() -> None:
    said = sentences(
        three("weir/per-core", 5e-6, 0.1) + three("weir/epoll-level", 5.1e-6, 0.1) + three("nginx-1", 5.2e-6, 0.1)
    )
    assert "can't be told apart from it" in said and "times as much" not in said


def test_a_peer_that_is_better_is_called_so() -> None:
    said = sentences(three("weir/per-core", 8e-6) + three("hyper", 5e-6))
    assert "the peer is better" in said


def test_a_long_summary_is_folded_and_whole(tmp_path: Path) -> None:
    html = written(results.full(), tmp_path)
    assert "The other 3 in sentences" in html
    assert html.count("<li>A handler that blocks") + html.count("<li>Open loop") == 5


def test_with_one_round_nothing_is_compared() -> None:
    runs = [
        results.run(results.cell(target), 0, cost)
        for target, cost in (("weir/per-core", 5e-6), ("weir/reactor", 12e-6), ("nginx-1", 10e-6))
    ]
    said = sentences(runs)
    assert "Too few runs count to compare reactor with it" in said and "too few runs count to say by how much" in said
    assert "times as much" not in said and "More rounds make them narrower" in said


def test_a_unknown_kind_of_work_is_shown_by_its_name(tmp_path: Path) -> None:
    cell = replace(results.cell(), scenario="a handler that sings")
    html = written(with_runs(results.run(cell), results.run(cell, 1)), tmp_path)
    assert "A handler that sings, 100 connections: per-core answers" in html


def test_ids_are_made_from_titles() -> None:
    assert page.Section("CPU and throughput", "").id == "cpu-and-throughput"
