"""Fixtures of several tests."""

from pathlib import Path

import pytest
from lying import Lab

from weir_lab.generators import program
from weir_lab.targets.peer import DebianProgram

# How long the lab waits for a server of ours. On a busy machine the usual limits would be verdicts.
LIMITS = (
    "http_client.CONNECT_SECONDS",
    "many_connections.connections.ANSWER_SECONDS",
    "own.group.REMOVE_SECONDS",
    "own.members.INSPECT_SECONDS",
    "own.members.STOP_SECONDS",
    "other_server.WAIT_SECONDS",
    "own.trial.ANSWER_SECONDS",
    "server_process.ANSWER_SECONDS",
    "server_process.START_SECONDS",
    "server_process.STOP_SECONDS",
    "trust.sampler.WAIT_SECONDS",
    "trust.validator.CLOSE_SECONDS",
    "trust.validator.WAIT_SECONDS",
    "trust.witness.WAIT_SECONDS",
)


@pytest.fixture(autouse=True)
def the_same_everywhere(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A test that is not live finds no generator and no server of other people, and is in no hurry."""
    if "live" in request.keywords:
        return
    monkeypatch.setattr(program, "find", lambda name, built=None: None)
    monkeypatch.setattr(DebianProgram, "path", lambda self: self.program)
    for name in LIMITS:
        monkeypatch.setattr(f"weir_lab.{name}", 60.0)


@pytest.fixture
def lab(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Lab:
    return Lab(monkeypatch, tmp_path)
