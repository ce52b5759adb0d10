"""The map of winners: who wins which field, by how much, and what can't be told."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import results

from weir_lab.cli import commands
from weir_lab.core.load import Load
from weir_lab.core.result import Cell, Result, Run, ServerUse
from weir_lab.core.scenario import SCENARIOS
from weir_lab.core.target import ServerSetup
from weir_lab.course import map as winners_map
from weir_lab.course.map import page
from weir_lab.course.map.winners import Verdict, verdict
from weir_lab.experiments import experiment
from weir_lab.running import runner
from weir_lab.targets import find as find_target

SECONDS = 2.0


def made_up(
    engine: str,
    rates: Sequence[float],
    scenario: str = "sleep",
    connections: int = 100,
    cost: float = 10e-6,
    limited: str = "",
    refused: Sequence[str] = (),
) -> list[Run]:
    empty = Run(Cell(scenario, connections, "wrk", f"weir/{engine}", 1), 0, "", None, None)
    return [
        replace(
            empty,
            round=number,
            load=Load(int(rate * SECONDS), SECONDS),
            server=ServerUse(cost * rate * SECONDS, 0.0),
            limited=limited,
            refused=list(refused),
        )
        for number, rate in enumerate(rates)
    ]


def near(rate: float, seed: int = 0) -> list[float]:
    noise = random.Random(seed)
    return [rate * noise.uniform(0.99, 1.01) for _ in range(6)]


def judged(**engines: list[Run]) -> Verdict:
    found = verdict(engines)
    assert found
    return found


# --- who wins ---------------------------------------------------------------------------------------------------


def test_the_highest_rate_wins_by_its_lead_over_the_next() -> None:
    found = judged(a=made_up("a", near(3000)), b=made_up("b", near(1000, 1)), c=made_up("c", near(500, 2)))
    assert (found.winners, found.ahead_of, found.decided_by) == (("a",), "b", "rate") and found.is_told
    assert found.lead and found.lead.low > 2.5 and found.lead.middle == pytest.approx(3, rel=0.05)


def test_those_that_cannot_be_told_apart_stand_together() -> None:
    found = judged(a=made_up("a", near(3000)), b=made_up("b", near(3000, 1)), c=made_up("c", near(500, 2)))
    assert set(found.winners) == {"a", "b"} and found.ahead_of == "c" and not found.is_told


def test_a_winner_among_equals_is_rarely_named() -> None:
    named = 0
    for seed in range(200):
        noise = random.Random(seed)
        engines = {f"e{n}": made_up("e", [noise.gauss(1000, 50) for _ in range(8)]) for n in range(6)}
        found = verdict(engines)
        named += bool(found and found.is_told)
    assert named <= 2


def test_a_generator_that_set_the_pace_makes_a_rate_a_lower_bound() -> None:
    limited = made_up("a", near(3000), limited="the load generator was the limit")
    found = judged(a=limited, b=made_up("b", near(1000, 1)))
    assert found.winners == ("a",) and found.decided_by == "rate"
    found = judged(
        a=made_up("a", near(3000)), b=made_up("b", near(1000, 1), limited="the load generator was the limit")
    )
    assert set(found.winners) == {"a", "b"}, "b may have a higher rate than the generator could ask for"


def test_where_the_generator_set_the_pace_of_all_the_least_cpu_wins() -> None:
    why = "the load generator was the limit"
    found = judged(
        a=made_up("a", near(90_000), cost=5e-6, limited=why),
        b=made_up("b", near(90_000, 1), cost=10e-6, limited=why),
        c=made_up("c", near(1000, 2)),
    )
    assert (found.winners, found.decided_by, found.ahead_of) == (("a",), "CPU", "b")
    assert found.lead and found.lead.middle == pytest.approx(2, rel=0.05)


def test_too_few_rounds_or_engines_are_no_verdict() -> None:
    assert verdict({"a": made_up("a", [1000]), "b": made_up("b", [2000])}) is None
    assert verdict({"a": made_up("a", near(1000))}) is None


# --- the section of the report ----------------------------------------------------------------------------------


def whole() -> Result:
    result = results.empty()
    for scenario in ("keep-alive", "spin", "sleep"):
        for connections in (1, 100):
            result.runs += made_up("epoll-edge", near(900), scenario, connections)
            result.runs += made_up("thread-per-connection", near(40_000, 1), scenario, connections)
    refused = made_up("blocking", near(900), "sleep", 100, refused=["1 connections of 100 were open"])
    result.runs += refused
    return result


def test_the_map_has_a_field_for_each_work_and_count() -> None:
    (section,) = winners_map.sections(whole())
    assert section.title == "Which architecture wins where"
    table = section.html.partition("<details>")[0]
    assert table.count('<td class="won threads"><b>') == 6
    assert table.count("<b>thread-per-connection</b>") == 6 and "times the rate of epoll-edge" in table
    assert "no handler" in table and "the handler sleeps for 1.00 ms" in table
    assert "refused: 1 connections of 100 were open" in section.html


def test_fields_that_lack_are_said() -> None:
    result = whole()
    result.runs = [one for one in result.runs if (one.cell.scenario, one.cell.connections) != ("spin", 1)]
    result.runs = [
        one
        for one in result.runs
        if (one.cell.scenario, one.cell.connections, one.cell.target) != ("spin", 100, "weir/epoll-edge")
    ]
    table = winners_map.sections(result)[0].html.partition("<details>")[0]
    assert "not measured" in table and "too few runs count" in table


def test_other_results_have_no_map() -> None:
    assert winners_map.sections(results.empty()) == []
    result = whole()
    result.runs = [one for one in result.runs if one.cell.scenario != "spin"]
    assert winners_map.sections(result) == []


def test_the_report_has_it(tmp_path: Path) -> None:
    whole().save(tmp_path / "result.json")
    assert commands.write_report(tmp_path, None, []) == 0
    assert re.search(r'id="which-architecture-wins-where"', (tmp_path / "report.html").read_text(encoding="utf-8"))


# --- the experiment ---------------------------------------------------------------------------------------------


def test_the_experiment_sweeps_handlers_and_connections_within_its_stated_hour() -> None:
    found = experiment.read("map")
    cells = found.cells()
    handlers = {(SCENARIOS[cell.scenario].handler, SCENARIOS[cell.scenario].handler_seconds) for cell in cells}
    assert handlers >= {(kind, time) for kind in ("spin", "sleep", "timer") for time in (1e-4, 1e-3, 1e-2)}
    assert {cell.connections for cell in cells} == {1, 10, 100, 1000, 10_000}
    assert max(runner.length(found)) < 75 * 60
    assert page.work_in_words("timer-10") == "the handler answers after 10.0 ms"


def test_a_pool_has_its_threads_on_the_cores_of_one_worker(tmp_path: Path) -> None:
    if missing := find_target("weir/reactor").missing():
        pytest.skip(missing)
    target = find_target("weir/reactor+64")
    assert target.workers(1) == 1 and "64 threads" in target.summary
    command = target.command(SCENARIOS["sleep"], ServerSetup(1, tmp_path, tmp_path, 1, (0,), 10))
    assert command[command.index("--workers") + 1] == "64" and command[command.index("--engine") + 1] == "reactor"
