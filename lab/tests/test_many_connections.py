"""The whole measurement: every connection is opened and answered at each step, and a lost one is reported."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
import running

from weir_lab.core import built
from weir_lab.core.scenario import Scenario
from weir_lab.core.target import ServerSetup
from weir_lab.kernel import processes
from weir_lab.many_connections import measurement, planning
from weir_lab.many_connections.planning import Plan
from weir_lab.many_connections.result import Step
from weir_lab.running import machine

COMMAND = [sys.executable, "-m", "weir_lab", "many-connections"]
PATH = "/1024.bin"


class Silent:
    """Shows no progress."""

    def begins(self, words: str, of: int) -> None:
        pass

    def advances(self, count: int) -> None:
        pass

    def ended(self, step: Step) -> None:
        pass


class BadWeir:
    """In place of weir: bad_server.py aborts the 99th connection when it asks."""

    def __init__(self, engine: str) -> None:
        pass

    def version(self) -> str:
        return "1"

    def command(self, scenario: Scenario, setup: ServerSetup) -> list[str]:
        return [
            sys.executable,
            str(Path(__file__).with_name("bad_server.py")),
            "drop",
            str(setup.port),
            str(setup.site / PATH[1:]),
        ]


@pytest.fixture
def weir_is_built() -> None:
    if because := built.not_built(built.weir(), "./run build"):
        pytest.skip(because)


def many_connections(*options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *options],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, **environment},
        check=False,
    )


def words(printed: str) -> str:
    """Wherever it was folded."""
    return " ".join(printed.split())


# --- the whole ---


def test_every_connection_of_every_address_is_asked_at_each_step(
    weir_is_built: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "access.log"
    monkeypatch.setenv("WEIR_ACCESS_LOG", str(log))
    found = measurement.run(Plan(300, "prefork", 3, 3, 100), tmp_path / "many-connections.json", Silent())

    assert not found.problems() and found.finished
    assert [step.connections for step in found.steps] == [0, 30, 75, 150, 300]
    assert (
        [step.established for step in found.steps]
        == [step.established_after for step in found.steps]
        == [0, 30, 75, 150, 300]
    )
    assert [step.answers.count if step.answers else 0 for step in found.steps] == [0, 30, 75, 150, 300]
    assert all(step.probe and step.probe.count == planning.PROBES for step in found.steps)

    asked = Counter(line.split()[0] for line in log.read_text(encoding="utf-8").splitlines())
    rounds = 10 + 25 + 50 + 100  # and one each on opening
    assert [asked[f"127.0.0.{number}"] for number in (2, 3, 4)] == [100 + rounds] * 3


def test_leaves_a_result_and_a_table(weir_is_built: None, tmp_path: Path) -> None:
    done = many_connections("--connections", "40", "--workers", "2", "--out", str(tmp_path))
    assert done.returncode == 0, done.stderr
    result = json.loads(next(tmp_path.glob("*/many-connections.json")).read_text(encoding="utf-8"))
    assert result["finished"] and result["workers"] == 2 and "--engine" in result["server_command"]
    last = result["steps"][-1]
    assert last["connections"] == last["answers"]["count"] == 40
    assert last["server_bytes"] > 1e6 and last["kernel_bytes"] > 1e6
    assert "answers" in done.stdout and "many-connections.json" in words(done.stderr).replace(" ", "")


def test_a_server_that_sends_them_away_is_reported(weir_is_built: None, tmp_path: Path) -> None:
    """The second request of each is answered well, and the connection closed: those who don't look again don't know."""
    done = many_connections("--connections", "300", "--out", str(tmp_path), WEIR_MAX_REQUESTS="2")
    assert done.returncode == 1
    assert "with 30 connections: 0 connections were left at the end of 30" in words(done.stderr)
    assert not json.loads(next(tmp_path.glob("*/many-connections.json")).read_text(encoding="utf-8"))["finished"]


def test_a_server_that_drops_one_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measurement, "Weir", BadWeir)
    monkeypatch.setattr(planning, "PROBES", 2)
    found = measurement.run(Plan(300, "prefork", 1, 2, 100), tmp_path / "many-connections.json", Silent())
    assert found.steps[-1].connections == 150 and not found.finished
    assert found.steps[-1].errors == {"read": 1}
    assert any("with 150 connections: 1 connections lost, read" in words for words in found.problems())


def test_an_interrupt_leaves_nobody_behind(weir_is_built: None, tmp_path: Path) -> None:
    machine.raise_descriptor_limit()
    with running.running([*COMMAND, "--connections", "8000", "--out", str(tmp_path)]) as lab:
        running.wait_for(lab, "^800 connections, each")
        pids = processes.family(lab.pid)
        assert len(pids) > 3  # server, workers, clients
        lab.send_signal(signal.SIGINT)
        said, _ = lab.communicate(timeout=running.DEADLINE_SECONDS)
    assert lab.returncode == 130 and "interrupted" in said and "Traceback" not in said
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            until = time.monotonic() + 60
            while time.monotonic() < until:  # a worker of the server is reaped by init, in its own time
                os.kill(pid, 0)


def test_a_machine_without_room_is_refused_in_words(weir_is_built: None, tmp_path: Path) -> None:
    done = many_connections("--connections", "500000000", "--out", str(tmp_path))
    assert done.returncode == 1
    said = words(done.stderr)
    assert "no room for that" in said and "memory: " in said and "sysctl -w fs.file-max=" in said
    assert not list(tmp_path.iterdir())
