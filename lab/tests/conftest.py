"""Fixtures of several tests."""

from pathlib import Path

import pytest
from lying import Lab

from weir_lab.generators import program
from weir_lab.targets.peer import DebianProgram

# How long the lab waits for a server of ours. On a busy machine the usual limits would be verdicts.
LIMITS = (
    "add.trial.ANSWER_SECONDS",
    "clients.http_client.CONNECT_SECONDS",
    "clients.sampler.WAIT_SECONDS",
    "many_connections.connections.ANSWER_SECONDS",
    "servers.other_server.WAIT_SECONDS",
    "servers.server_process.ANSWER_SECONDS",
    "servers.server_process.START_SECONDS",
    "servers.server_process.STOP_SECONDS",
    "kernel.cgroups.REMOVE_SECONDS",
    "user_targets.members.INSPECT_SECONDS",
    "user_targets.members.STOP_SECONDS",
    "verify.validator.CLOSE_SECONDS",
    "verify.validator.WAIT_SECONDS",
    "verify.witness.WAIT_SECONDS",
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
