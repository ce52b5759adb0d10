"""Servers that are wrong on purpose are measured, and each is refused for the right reason."""

import sys
from pathlib import Path

import pytest

from weir_lab import machine, measurement
from weir_lab.measurement import Order, measure
from weir_lab.result import Cell, Run
from weir_lab.scenario import Scenario
from weir_lab.targets.target import ServerSetup


class BadTarget:
    summary = "wrong on purpose"

    def __init__(self, how: str) -> None:
        self.name = self.how = how

    def missing(self) -> str | None:
        return None

    def version(self) -> str:
        return "1"

    def workers(self, wanted: int) -> int:
        return wanted

    def command(self, scenario: Scenario, setup: ServerSetup) -> list[str]:
        return [sys.executable, str(Path(__file__).with_name("bad_server.py")), self.how, str(setup.port)]


def run(how: str, connections: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, seconds: float = 1.0) -> Run:
    monkeypatch.setattr(measurement, "find_target", BadTarget)
    (tmp_path / "1024.bin").write_bytes(b"x" * 1024)
    return measure(Order(Cell("keep-alive", connections, "wrk", how, 1), 0, seconds, 0.0, tmp_path))


@pytest.mark.parametrize(("how", "words"), [("500", "status errors"), ("short", "bytes came"), ("drop", "read errors")])
def test_is_refused_for_what_it_did(how: str, words: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    found = run(how, 200, monkeypatch, tmp_path)
    assert found.load and found.load.requests > 0
    assert any(words in reason for reason in found.refused), found.refused


def test_a_thousand_connections_of_ten_thousand_are_not_ten_thousand(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    machine.raise_descriptor_limit()
    found = run("thousand", 10_000, monkeypatch, tmp_path, seconds=3.0)
    assert any("connections of 10,000 were open" in reason or "connect errors" in reason for reason in found.refused), (
        found.refused
    )


def test_one_that_is_right_is_not_refused_for_any_of_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    found = run("right", 50, monkeypatch, tmp_path)
    wrong = ("errors", "bytes came", "were open", "Little")
    assert found.load and not any(words in reason for reason in found.refused for words in wrong), found.refused


def test_a_server_that_answers_something_else_is_not_measured(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(measurement, "find_target", BadTarget)
    found = measure(Order(Cell("file-100k", 10, "wrk", "right", 1), 0, 1.0, 0.0, tmp_path))
    assert found.load is None and found.refused == ["the server answers 1024 bytes, not 102400"]
