"""Scales, labels and figures: what a plot must not get wrong."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace

import pytest
import results

from weir_lab.core import families
from weir_lab.drawing import axis, bars, lines, svg
from weir_lab.report import choice, plots, ratios
from weir_lab.report.figures import Figures, Group
from weir_lab.statistics import words
from weir_lab.targets import weir


@pytest.mark.parametrize(
    ("value", "unit", "said"),
    [
        (5.6e-6, "s", "5.60 µs"),
        (0.00123, "s", "1.23 ms"),
        (12.3, "s", "12.3 s"),
        (0.0, "s", "0 µs"),
        (178_123.4, "/s", "178,123/s"),
        (12.34, "/s", "12.3/s"),
        (32_000_000, "B", "32.0 MB"),
        (3_000, "B", "3.00 KB"),
        (1.5e9, "B/s", "1.50 GB/s"),
        (2.01, "", "2.01"),
        (0.0111, "", "0.0111"),
        (None, "s", "–"),
    ],
)
def test_figures_are_readable(value: float | None, unit: str, said: str) -> None:
    assert words.figure(value, unit) == said


def test_names_are_listed_as_people_do() -> None:
    assert [words.names(list("abc"[:count])) for count in range(4)] == ["", "a", "a and b", "a, b and c"]


@pytest.mark.parametrize("highest", [0.0, 3.0, 7.2e-6, 0.9, 178_000.0, 1e9])
def test_a_linear_scale_begins_at_zero_and_holds_all(highest: float) -> None:
    found = axis.linear("", [highest], str)
    assert found.low == 0 and found.high >= highest and 2 <= len(found.ticks) <= 7
    assert found.place(found.low, 10, 20) == 10 and found.place(found.high, 10, 20) == pytest.approx(20)


@pytest.mark.parametrize("values", [[1.0], [1.0, 1.0], [0.9e-6, 4.0], [2_000_000.0, 32_000_000.0]])
def test_a_logarithmic_scale_holds_all(values: list[float]) -> None:
    found = axis.logarithmic("", values, str)
    assert found.low <= min(values) <= max(values) <= found.high and len(found.ticks) >= 2
    assert all(10 <= found.place(value, 10, 20) <= 20 for value in values)


def test_one_count_of_connections_has_a_place() -> None:
    assert 0 < axis.connections([100]).place(100, 0, 1) < 1


def test_labels_that_would_lie_on_each_other_are_moved_apart_in_order() -> None:
    for wanted in ([10.0, 10.0, 10.0], [50.0, 52.0, 300.0], [0.0, 400.0, 401.0, 402.0], []):
        found = lines.spread_out(wanted, 15, 0, 400)
        assert all(b - a >= 15 - 1e-9 for a, b in itertools.pairwise(found))
        assert all(-1e-9 <= one <= 400 + 1e-9 for one in found)


def test_labels_that_have_room_stay() -> None:
    assert lines.spread_out([20.0, 60.0, 100.0], 15, 0, 400) == [20, 60, 100]


def test_lines_differ_by_more_than_colour() -> None:
    figures = Figures(results.full())
    drawn = plots.by_concurrency(figures, Group("keep-alive", "wrk", 1), "cpu")
    assert len({svg.mark(0, 0, shape, "weir") for shape in svg.MARKS}) == len(svg.MARKS) >= 12
    assert all(f"line {family}" in drawn for family in ("floor", "peer", "threads", "loop", "cores", "rings"))
    for name in ("floor/epoll", "io-uring", "hyper"):
        assert f">{name}</text>" in drawn


def test_a_plot_with_many_lines_says_which_it_shows() -> None:
    figures = Figures(results.full())
    drawn = plots.by_concurrency(figures, Group("keep-alive", "wrk", 1), "cpu")
    assert "All 11 are below" in drawn
    shown = {
        target for target in results.COSTS if re.search(f">{target.removeprefix('weir/')}(, to [\\d,]+)?</text>", drawn)
    }
    assert len(shown) == choice.LINES_MAX
    own = sorted((target for target in results.COSTS if target.startswith("weir/")), key=results.COSTS.__getitem__)
    assert shown > {own[0], own[-1]} | {target for target in results.COSTS if not target.startswith("weir/")}
    assert plots.small_ones(figures, Group("keep-alive", "wrk", 1), "cpu").count("<li>") == 11


def test_a_line_that_ends_early_says_where_and_has_no_leader() -> None:
    x = axis.connections([1, 100, 1000])
    y = axis.linear("", [10.0], str)
    early, whole = (
        lines.Series(name, "loop", "disc", tuple(lines.Point(at, 5.0, 5.0, 5.0) for at in counts))
        for name, counts in (("early", (1, 100)), ("whole", (1, 100, 1000)))
    )
    drawn = lines.plot([early, whole], x, y, "", 600, "wide")
    assert ">early, to 100</text>" in drawn and ">whole</text>" in drawn
    assert drawn.count('class="leader"') == 1


@pytest.mark.parametrize(("bound", "up"), [("at least", True), ("at most", False)])
def test_a_bound_has_an_arrow_to_what_it_leaves_possible(bound: str, up: bool) -> None:
    point = lines.Point(1.0, 5.0, 5.0, 5.0, bound)
    x, y = axis.linear("", [2.0], str), axis.linear("", [10.0], str)
    drawn = lines.plot([lines.Series("a", "loop", "disc", (point,))], x, y, "", 600, "wide")
    arrow = next(one for one in re.findall(r'd="M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)" class="whisker', drawn))
    assert (float(arrow[3]) < float(arrow[1])) == up
    plain = lines.plot([lines.Series("a", "loop", "disc", (replace(point, bound=""),))], x, y, "", 600, "wide")
    assert "whisker" not in plain


@pytest.mark.parametrize(
    ("target", "family"),
    [
        ("weir/per-core", "cores"),
        ("weir/per-core+log", "cores"),
        ("weir/per-core (again)", "cores"),
        ("weir/blocking", "threads"),
        ("weir/reactor", "help"),
        ("weir/io-uring", "rings"),
        ("weir/asio-wait", "weir"),
        ("weir/of-tomorrow", "weir"),
        ("nginx-1", "peer"),
        ("floor/close", "floor"),
    ],
)
def test_engines_have_families(target: str, family: str) -> None:
    assert svg.family(target) == family and family in svg.FAMILIES


def test_every_engine_of_this_weir_has_a_family() -> None:
    engines = [engine.name for engine in weir.engines()]
    assert all(engine in families.ENGINES for engine in engines)


def test_ratios_that_lie_close_are_drawn_once_more_and_larger() -> None:
    drawn = ratios.to_floor(Figures(results.full(rounds=5)), Group("keep-alive", "wrk", 1))
    assert "Those within 10% of the least, larger: io-uring, per-core, epoll-level" in drawn
    assert "thread-per-connection" in drawn.partition("larger")[0] and "thread-per" not in drawn.partition("larger")[2]


def test_a_value_beside_a_bar_stands_past_every_line() -> None:
    bars_of = [bars.Bar("a", "loop", 5.0, 1.0, 40.0, "5.00 us"), bars.Bar("b", "peer", 2.0, 2.0, 2.0, "2.00 us")]
    drawn = bars.plot(bars_of, axis.linear("", [7.5], str), "", 600, "wide")
    values = [float(x) for x in re.findall(r'<text x="([\d.]+)"[^>]*class="value"', drawn)]
    ends = [float(x) for path in re.findall(r'd="([^"]+)"', drawn) for x in re.findall(r"[ML]([\d.]+)", path)]
    assert len(values) == 2 and min(values) > max(ends)


def test_points_are_on_a_scale_of_their_own_size() -> None:
    found = axis.between("", [5.0, 5.5], str)
    assert 4.8 <= found.low <= 5.0 and 5.5 <= found.high <= 5.7 and len(found.ticks) >= 4
    assert found.place(99.0, 10, 20) == 20  # what lies beyond is at the edge
    assert axis.between("", [3.0], str).low < axis.between("", [3.0], str).high


def test_bars_stand_where_nearly_all_were_measured_and_nearest_to_a_hundred() -> None:
    result = results.full()
    result.runs += [results.run(results.cell("weir/blocking", connections=1), number) for number in range(3)]
    assert plots.typical(Figures(result), Group("keep-alive", "wrk", 1)) == 100


def test_the_floor_is_the_better_of_two() -> None:
    figures = Figures(results.full())
    floor = figures.floor(results.cell(), "cpu")
    assert floor and floor.target == "floor/io-uring"
    assert "The floor here is floor/io-uring" in ratios.to_floor(figures, Group("keep-alive", "wrk", 1))


def test_without_a_floor_nothing_is_measured_against_it() -> None:
    assert ratios.to_floor(Figures(results.full()), Group("file-100k", "wrk", 1)) == ""
