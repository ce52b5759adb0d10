"""Each sentence of the summary says what its figures carry, and no more."""

from __future__ import annotations

import re

import results

from weir_lab.core.result import Run
from weir_lab.report import plots, ratios, summary
from weir_lab.report.figures import Figures


def sentences(runs: list[Run]) -> str:
    return results.text_of(summary.html(Figures(results.with_runs(*runs))))


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
    assert re.search(r"That is 1\.1\d times what floor/epoll needs \([\d.]+ to [\d.]+\), which doesn't parse", said)


def test_a_floor_that_is_above_its_server_is_explained() -> None:
    said = sentences(three("weir/per-core", 5e-6) + three("floor/epoll", 8e-6))
    assert "0.6" in said and "the floor doesn't parse, but makes more calls for this work" in said


def test_what_cannot_be_told_apart_has_no_winner() -> None:
    said = sentences(three("weir/per-core", 5e-6) + three("weir/epoll-level", 5.05e-6) + three("weir/reactor", 12e-6))
    assert "no winner. epoll-level can't be told apart from per-core, which needs 5." in said
    assert "the least" not in said and "no winner: per-core and epoll-level" in said


def again(cost: float, rounds: int = 3, scenario: str = "keep-alive") -> list[Run]:
    name = "weir/per-core (again)"
    return [results.run(results.cell(name, scenario), number, cost, 0.0) for number in range(rounds)]


def test_the_controls_difference_is_published_and_widens_every_range() -> None:
    runs = three("weir/per-core", 5e-6, 0.0) + three("nginx-1", 5.6e-6, 0.0)
    assert "The lab's own error is not known here" in sentences(runs) and "needs 1.12 times" in sentences(runs)
    said = sentences(runs + again(5.75e-6))
    assert "per-core (again), keep-alive, 100 connections: 1.15 (1.15 to 1.15, n = 3)" in said
    assert "nginx-1 with 5.60 µs, can't be told apart" in said  # 12 % is less than the lab's own error


def test_the_control_is_no_competitor() -> None:
    runs = three("weir/per-core", 5e-6) + three("weir/reactor", 12e-6) + again(5e-6)
    said = sentences(runs)
    assert "per-core needs the least server CPU of the architectures" in said and "(again) can't be told" not in said
    figures = Figures(results.with_runs(*runs))
    assert "(again)" not in ratios.to_floor(figures, figures.groups[0]) + plots.by_concurrency(
        figures, figures.groups[0], "cpu"
    )


def test_a_drift_is_published() -> None:
    runs = [
        results.run(results.cell(target), number, 5e-6 * 1.03**number, 0.0)
        for number in range(7)
        for target in ("floor/epoll", "weir/per-core", "weir/per-core (again)")
    ]
    assert re.search(
        r"requests cost the floor and the control 2\d\.\d% more \(Sen's slope of 7 rounds\)", sentences(runs)
    )


def test_the_best_of_many_that_are_alike_wins_nothing() -> None:
    engines = [f"weir/{letter}" for letter in "abcdefghijkl"]
    said = [
        sentences(
            [results.run(results.cell(name), number, 5e-6, 0.03, seed=seed) for name in engines for number in range(3)]
        )
        for seed in range(20)
    ]
    assert sum("no winner." in one for one in said) >= 18


def test_a_difference_within_the_noise_is_not_claimed() -> None:
    said = sentences(
        three("weir/per-core", 5e-6, 0.1) + three("weir/epoll-level", 5.1e-6, 0.1) + three("nginx-1", 5.2e-6, 0.1)
    )
    assert "can't be told apart from it" in said and "times as much" not in said


def test_a_peer_that_is_better_is_called_so() -> None:
    said = sentences(three("weir/per-core", 8e-6) + three("hyper", 5e-6))
    assert "the peer is better" in said


def test_with_one_round_nothing_is_compared() -> None:
    runs = [
        results.run(results.cell(target), 0, cost)
        for target, cost in (("weir/per-core", 5e-6), ("weir/reactor", 12e-6), ("nginx-1", 10e-6))
    ]
    said = sentences(runs)
    assert "Too few runs count to compare reactor with it" in said and "too few runs count to say by how much" in said
    assert "times as much" not in said and "More rounds make them narrower" in said
