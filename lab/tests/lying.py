"""Measures a server or a generator that lies, as the lab measures any."""

from __future__ import annotations

import random
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from weir_lab.core.load import LoadPlan
from weir_lab.core.result import Cell, Run
from weir_lab.core.scenario import KIB, SCENARIOS, Scenario
from weir_lab.core.target import ServerSetup, Target
from weir_lab.generators import GENERATORS
from weir_lab.generators.wrk import Wrk
from weir_lab.running import measurement, runner
from weir_lab.running.measurement import Order, measure

HERE = Path(__file__).parent


@dataclass
class BadTarget:
    """bad_server.py with the lie that its name says."""

    name: str
    more: tuple[str, ...] = ()
    summary: str = "wrong on purpose"

    def needs(self) -> tuple[str, ...]:
        return ()

    def missing(self) -> str | None:
        return None

    def version(self) -> str:
        return "1"

    def workers(self, wanted: int) -> int:
        return wanted

    def command(self, scenario: Scenario, setup: ServerSetup) -> list[str]:
        file = setup.site / scenario.path[1:]
        return [sys.executable, str(HERE / "bad_server.py"), self.name, str(setup.port), str(file), *self.more]


class NeverRun(Wrk):
    """For servers that must be found out before a generator begins."""

    name = "never run"

    def missing(self) -> str | None:
        return None

    def command(self, plan: LoadPlan) -> list[str]:
        raise AssertionError("the generator must not begin")


class LyingWrk(Wrk):
    """lying_generator.py with the lie that its name says."""

    def __init__(self, how: str) -> None:
        self.name = how

    def command(self, plan: LoadPlan) -> list[str]:
        return [sys.executable, str(HERE / "lying_generator.py"), self.name, *super().command(plan)]


def site(folder: Path) -> Path:
    for size in (KIB, 100 * KIB):
        (folder / f"{size}.bin").write_bytes(random.Random(size).randbytes(size))
    runner.write_files(folder, [SCENARIOS[name] for name in ("compressed-first", "precompressed")])
    return folder


@dataclass
class Lab:
    """measure() with targets and generators of the test."""

    monkeypatch: pytest.MonkeyPatch
    folder: Path
    seconds: float = 1.0
    connections: int = 20

    def server(self, how: str, scenario: str = "keep-alive", more: tuple[str, ...] = ()) -> Run:
        self.monkeypatch.setattr(measurement, "find_target", lambda name: BadTarget(name, more))
        return self.measure(how, scenario)

    def target(self, target: Target, scenario: str = "keep-alive", generator: str = "wrk") -> Run:
        self.monkeypatch.setattr(measurement, "find_target", lambda name: target)
        return self.measure(target.name, scenario, generator)

    def before(self, target: Target, scenario: str = "keep-alive") -> str:
        """Why a server is not measured that is found out before. No generator begins."""
        self.monkeypatch.setitem(GENERATORS, NeverRun.name, NeverRun())
        run = self.target(target, scenario, NeverRun.name)
        (reason,) = run.refused
        assert run.load is None
        return reason

    def honest(self, target: Target, scenario: str = "keep-alive", generator: str = "wrk") -> Run:
        """Asserts that it counts."""
        run = self.target(target, scenario, generator)
        assert run.load and run.load.requests > 0 and reasons(run) == []
        return run

    def generator(self, how: str, scenario: str = "keep-alive") -> Run:
        self.monkeypatch.setattr(measurement, "find_target", BadTarget)
        self.monkeypatch.setitem(GENERATORS, how, LyingWrk(how))
        return self.measure("right", scenario, how)

    def measure(self, target: str, scenario: str = "keep-alive", generator: str = "wrk", workers: int = 1) -> Run:
        cell = Cell(scenario, self.connections, generator, target, workers)
        return measure(Order(cell, 0, self.seconds, 0.0, site(self.folder)))


def reasons(run: Run) -> list[str]:
    """Without those that only a busy machine brings about."""
    return [one for one in run.refused if "the machine was disturbed" not in one and "(steal)" not in one]
