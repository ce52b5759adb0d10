"""Why two engines differ: which are neighbours, what perf recorded, how it is drawn, and the page of a pair."""

from __future__ import annotations

import io
import re
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path

import pytest
import results

from weir_lab.cli import commands, needs
from weir_lab.core.result import Result
from weir_lab.core.target import is_control
from weir_lab.course import why
from weir_lab.course.why import callgrind, flame, folded, page, pairs, recording
from weir_lab.course.why.callgrind import Instructions
from weir_lab.course.why.folded import Stack
from weir_lab.course.why.pairs import Pair
from weir_lab.course.why.recording import Recording
from weir_lab.generators import GENERATORS
from weir_lab.report.screen import console
from weir_lab.running import runner
from weir_lab.targets import find as find_target

# As perf script printed it; the addresses of the kernel are high.
SCRIPT = """\
weir 24451
\tffffffff8200d98f tcp_sendmsg_locked
\tffffffff821ecc51 do_syscall_64
\t          10aba4 __send
\t          116e80 weir::engines::transmit
\t           ed1fc weir::engines::(anonymous namespace)::EpollEdge::drive
\t           fe208 weir::engines::run_loop
\t           2cf81 main
\t           27249 __libc_start_call_main
\t           27304 __libc_start_main@@GLIBC_2.34
\t           2e9d0 _start

weir 24451
\t          15b56a weir::http::HeadParser::read_avx2
\t           fe208 weir::engines::run_loop
\t           2cf81 main

weir 24451
\t          15b56a weir::http::HeadParser::read_avx2
\t           fe208 weir::engines::run_loop
\t           2cf81 main
"""
EDGES = Pair("epoll-level", "epoll-edge")


# --- pairs ------------------------------------------------------------------------------------------------------


def test_neighbours_are_those_of_the_story_and_have_sources() -> None:
    found = why.neighbours()
    assert EDGES in found and Pair("blocking", "fork-per-connection") in found and len(found) >= 15
    assert all(path.is_file() for pair in found for path in pair.sources)


def test_an_experiment_measures_each_engine_once_and_counts_calls() -> None:
    experiment = why.experiment_of(why.neighbours())
    every = [cell.target for cell in experiment.cells() if cell.connections == 100]
    targets = [one for one in every if not is_control(one)]
    assert len(every) == len(targets) + 1 and len(targets) == len(set(targets)) >= 17 and experiment.system_calls
    assert {cell.connections for cell in experiment.cells()} == {1, 100}


def test_an_unknown_engine_is_named() -> None:
    with pytest.raises(commands.Failed, match="there is no engine 'epoll'"):
        commands.why_they_differ("epoll", "poll", False, Path())


def test_what_it_needs() -> None:
    assert "strace" in needs.of_why(False) and "valgrind" not in needs.of_why(False)
    assert "valgrind" in needs.of_why(True)


# --- stacks and their drawing -----------------------------------------------------------------------------------


def test_stacks_are_folded_from_the_outermost_call() -> None:
    stacks = folded.fold(SCRIPT)
    assert stacks[("main", "weir::engines::run_loop", "weir::http::HeadParser::read_avx2")] == 2
    sent = next(stack for stack in stacks if len(stack) > 3)
    assert sent[0] == "main" and sent[-1] == "tcp_sendmsg_locked_[k]" and sent[-3] == "__send"
    assert folded.read(folded.write(stacks)) == stacks


def test_a_box_is_as_wide_as_its_part_and_lies_on_its_caller() -> None:
    drawn = flame.svg(folded.fold(SCRIPT), "three samples")
    boxes = {}
    for group in ET.fromstring(drawn):
        rect = next(one for one in group if one.tag == "rect")
        boxes[group[0].text.partition(":  ")[0].rsplit(": ", 1)[0]] = rect.attrib  # type: ignore[union-attr]
    main, parser, sender = boxes["main"], boxes["weir::http::HeadParser::read_avx2"], boxes["tcp_sendmsg_locked"]
    assert float(main["width"]) == pytest.approx(flame.WIDTH)
    assert float(parser["width"]) == pytest.approx(flame.WIDTH * 2 / 3, abs=0.2)
    assert float(parser["y"]) < float(boxes["weir::engines::run_loop"]["y"]) < float(main["y"])
    assert (sender["class"], parser["class"], main["class"]) == ("kernel", "weir", "library")


def test_narrow_boxes_are_left_out_and_nothing_is_no_drawing() -> None:
    stacks: Counter[Stack] = Counter({("main", "often"): 10_000, ("main", "once"): 1})
    assert "often" in flame.svg(stacks, "") and "once" not in flame.svg(stacks, "")
    assert flame.svg(Counter(), "nothing") == ""


def test_names_are_short_in_boxes_and_whole_in_titles() -> None:
    long = "std::move_only_function<void ()>::_S_invoke<weir::engines::loop_of<int>(weir::engines::Host&)>"
    assert flame.short(long) == "move_only_function::_S_invoke"
    assert flame.short("weir::engines::(anonymous namespace)::EpollEdge::drive") == "EpollEdge::drive"
    assert "loop_of&lt;int&gt;" in flame.svg(Counter({(long,): 1}), "")


def test_the_functions_with_most_samples_are_named() -> None:
    name, part = flame.widest(folded.fold(SCRIPT))[0]
    assert name == "weir::http::HeadParser::read_avx2"
    assert part == pytest.approx(2 / 3)


# --- the page ---------------------------------------------------------------------------------------------------


def made_up(times: tuple[float, float] = (5e-6, 4e-6)) -> Result:
    result = results.empty()
    for engine, cost in zip((EDGES.a, EDGES.b), times, strict=True):
        for connections in why.CONNECTIONS:
            of = page.cell_of(engine, connections)
            result.runs += [results.run(of, number, cost) for number in range(5)] + [results.traced(of)]
    return result


def written(result: Result, folder: Path, instructions: dict[str, Instructions] | None = None) -> str:
    recordings = {EDGES.a: Recording(folded.fold(SCRIPT)), EDGES.b: Recording(failure="no perf")}
    path = why.write_pages([EDGES], result, recordings, instructions or {}, folder)
    assert path.name == "epoll-level--epoll-edge.html"
    return path.read_text(encoding="utf-8")


def test_a_pair_has_figures_flames_and_the_difference(tmp_path: Path) -> None:
    html = written(made_up(), tmp_path)
    assert re.search(r"epoll-edge / epoll-level.*?0\.\d\d \(", html, re.DOTALL)
    assert html.count('class="flame"') == 1 and "There is no flame graph: no perf." in html
    assert "diff src/engines/epoll_level.cpp src/engines/epoll_edge.cpp" in html
    assert '<span class="come">' in html and '<span class="gone">' in html
    assert "100 connections" in html and "system calls" in html


def test_what_cannot_be_told_or_counted_is_said(tmp_path: Path) -> None:
    html = written(made_up((5e-6, 5e-6)), tmp_path)
    assert "can't be told" in html.replace("&#x27;", "'")
    assert "Instructions, cycles and cache misses are not here" in html and "callgrind" not in html


def test_refused_runs_say_why(tmp_path: Path) -> None:
    result = made_up()
    result.runs = [one for one in result.runs if one.cell.target != "weir/epoll-edge" or one.traced]
    result.runs += [results.run(page.cell_of(EDGES.b, 100), 0, refused=["3 read errors"])]
    assert "epoll-edge has no figures at 100 connections: 3 read errors." in written(result, tmp_path)


def test_instructions_of_callgrind_are_added(tmp_path: Path) -> None:
    counted = {EDGES.a: Instructions(2366.9), EDGES.b: Instructions(failure="valgrind is not installed")}
    html = written(made_up(), tmp_path, counted)
    assert "by callgrind: epoll-level 2,367; epoll-edge none (valgrind is not installed)" in html


def test_callgrinds_total_is_read() -> None:
    assert callgrind.total("events: Ir\nfn=(1) main\n1 5\n\ntotals: 12345\n") == 12345
    with pytest.raises(ValueError, match="no total"):
        callgrind.total("events: Ir\n")


def test_several_pairs_have_a_list(tmp_path: Path) -> None:
    both = [EDGES, Pair("epoll-edge", "coroutines")]
    index = why.write_pages(both, made_up(), {}, {}, tmp_path)
    links = re.findall(r'href="([\w-]+--[\w-]+\.html)"', index.read_text(encoding="utf-8"))
    assert links == [one.page_name for one in both] and all((tmp_path / link).is_file() for link in links)


class Quiet:
    def begins(self, *_: object) -> None: ...

    def ended(self, *_: object) -> None: ...


def test_a_run_leaves_its_pages_and_its_stacks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def measured(_experiment: object, result: Result, path: Path, _observer: object) -> None:
        result.runs = made_up().runs
        result.save(path)

    monkeypatch.setattr(runner, "run", measured)
    monkeypatch.setattr(recording, "record", lambda *_: Recording(folded.fold(SCRIPT)))
    said = io.StringIO()
    assert why.run([EDGES], False, tmp_path, Quiet(), console(said)).is_file()
    assert folded.read((tmp_path / "epoll-edge.folded").read_text(encoding="utf-8")) == folded.fold(SCRIPT)
    assert (tmp_path / "result.json").is_file() and (tmp_path / "report.html").is_file()


def test_without_perf_there_is_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert "apt-get install linux-perf" in recording.record("epoll-edge", 10).failure
    assert "apt-get install valgrind" in callgrind.count("epoll-edge").failure


def test_names_of_sources() -> None:
    assert pairs.source_of("io-uring").name == "io_uring.cpp" and pairs.source_of("io-uring").is_file()


@pytest.mark.live
def test_a_recording_of_weir_has_its_functions() -> None:
    if missing := find_target("weir/epoll-edge").missing() or GENERATORS["wrk"].missing():
        pytest.skip(missing)
    found = recording.record("epoll-edge", 10, 1.0)
    if found.failure:
        pytest.skip(found.failure)
    assert any("weir::" in name for stack in found.stacks for name in stack)
