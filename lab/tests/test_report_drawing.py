"""Scales, labels and figures: what a plot must not get wrong."""

from __future__ import annotations

import itertools

import pytest
import results

from weir_lab.report import axis, lines, plots, svg, words
from weir_lab.report.figures import Figures, Group


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
    assert "line floor" in drawn and "line peer" in drawn and "line weir" in drawn
    for name in ("floor/epoll", "io-uring", "hyper"):
        assert f">{name}</text>" in drawn


def test_a_plot_with_many_lines_says_which_it_shows() -> None:
    figures = Figures(results.full())
    drawn = plots.by_concurrency(figures, Group("keep-alive", "wrk", 1), "cpu")
    assert "All 11 are below" in drawn
    shown = {target for target in results.COSTS if f">{target.removeprefix('weir/')}</text>" in drawn}
    assert len(shown) == plots.LINES_MAX
    own = sorted((target for target in results.COSTS if target.startswith("weir/")), key=results.COSTS.__getitem__)
    assert shown > {own[0], own[-1]} | {target for target in results.COSTS if not target.startswith("weir/")}
    assert plots.small_ones(figures, Group("keep-alive", "wrk", 1), "cpu").count("<li>") == 11


def test_bars_stand_where_nearly_all_were_measured_and_nearest_to_a_hundred() -> None:
    result = results.full()
    result.runs += [results.run(results.cell("weir/blocking", connections=1), number) for number in range(3)]
    assert plots.typical(Figures(result), Group("keep-alive", "wrk", 1)) == 100


def test_the_floor_is_the_better_of_two() -> None:
    figures = Figures(results.full())
    floor = figures.floor(results.cell(), "cpu")
    assert floor and floor.target == "floor/io-uring"
    assert "A server at 100 % would need no CPU" in plots.percent_of_floor(figures, Group("keep-alive", "wrk", 1))


def test_without_a_floor_nothing_is_measured_against_it() -> None:
    assert plots.percent_of_floor(Figures(results.full()), Group("file-100k", "wrk", 1)) == ""
