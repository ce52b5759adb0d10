"""A crowd is opened over several processes and addresses, every one of it is answered, and whoever is lost is missed."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from multiprocessing.connection import wait
from pathlib import Path

import pytest
import running
import wrong_servers

from weir_lab import built, company_members, crowd, crowd_machine, crowd_members, machine, processes
from weir_lab.crowd_clients import Ask, ClientEnded, Clients, Open
from weir_lab.crowd_machine import Plan
from weir_lab.crowd_members import Part, Place
from weir_lab.crowd_result import Step
from weir_lab.scenario import Scenario
from weir_lab.targets.target import Ground

CROWD = [sys.executable, "-m", "weir_lab", "crowd"]
PATH = "/1024.bin"


class Nobody:
    """Looks at no progress."""

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

    def command(self, scenario: Scenario, ground: Ground) -> list[str]:
        return [
            sys.executable,
            str(Path(__file__).with_name("bad_server.py")),
            "drop",
            str(ground.port),
            str(ground.site / PATH[1:]),
        ]


@pytest.fixture
def weir_is_built() -> None:
    if because := built.not_built(built.weir(), "./run build"):
        pytest.skip(because)


def place_of(url: str, content: bytes = wrong_servers.BODY) -> Place:
    return Place("127.0.0.2", int(url.rstrip("/").rpartition(":")[2]), PATH, content)


def lab_crowd(*options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*CROWD, *options], capture_output=True, text=True, timeout=60, env={**os.environ, **environment}, check=False
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
    found = crowd.run(Plan(300, "prefork", 3, 3, 100), tmp_path / "crowd.json", Nobody())

    assert not found.problems() and found.finished
    assert [step.connections for step in found.steps] == [0, 30, 75, 150, 300]
    assert (
        [step.established for step in found.steps]
        == [step.established_after for step in found.steps]
        == [0, 30, 75, 150, 300]
    )
    assert [step.answers.count if step.answers else 0 for step in found.steps] == [0, 30, 75, 150, 300]
    assert all(step.probe and step.probe.count == crowd_machine.PROBES for step in found.steps)

    asked = Counter(line.split()[0] for line in log.read_text(encoding="utf-8").splitlines())
    rounds = 10 + 25 + 50 + 100  # and one each on opening
    assert [asked[f"127.0.0.{number}"] for number in (2, 3, 4)] == [100 + rounds] * 3


def test_leaves_a_result_and_a_table(weir_is_built: None, tmp_path: Path) -> None:
    done = lab_crowd("--connections", "40", "--workers", "2", "--out", str(tmp_path))
    assert done.returncode == 0, done.stderr
    result = json.loads(next(tmp_path.glob("*/crowd.json")).read_text(encoding="utf-8"))
    assert result["finished"] and result["workers"] == 2 and "--engine" in result["server_command"]
    last = result["steps"][-1]
    assert last["connections"] == last["answers"]["count"] == 40
    assert last["server_bytes"] > 1e6 and last["kernel_bytes"] > 1e6
    assert "answers" in done.stdout and "crowd.json" in words(done.stderr).replace(" ", "")


def test_a_server_that_sends_them_away_is_reported(weir_is_built: None, tmp_path: Path) -> None:
    """The second request of each is answered well, and the connection closed: those who don't look again don't know."""
    done = lab_crowd("--connections", "300", "--out", str(tmp_path), WEIR_MAX_REQUESTS="2")
    assert done.returncode == 1
    assert "with 30 connections: 0 connections were left at the end of 30" in words(done.stderr)
    assert not json.loads(next(tmp_path.glob("*/crowd.json")).read_text(encoding="utf-8"))["finished"]


def test_a_server_that_drops_one_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crowd, "Weir", BadWeir)
    monkeypatch.setattr(crowd_machine, "PROBES", 2)
    found = crowd.run(Plan(300, "prefork", 1, 2, 100), tmp_path / "crowd.json", Nobody())
    assert found.steps[-1].connections == 150 and not found.finished
    assert found.steps[-1].errors == {"read": 1}
    assert any("with 150 connections: 1 connections lost, read" in words for words in found.problems())


def test_an_interrupt_leaves_nobody_behind(weir_is_built: None, tmp_path: Path) -> None:
    machine.raise_descriptor_limit()
    with running.running([*CROWD, "--connections", "8000", "--out", str(tmp_path)]) as lab:
        running.wait_for(lab, "^800 connections, each")
        pids = processes.family(lab.pid)
        assert len(pids) > 3  # server, workers, clients
        lab.send_signal(signal.SIGINT)
        said, _ = lab.communicate(timeout=running.PATIENCE_SECONDS)
    assert lab.returncode == 130 and "interrupted" in said and "Traceback" not in said
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            until = time.monotonic() + 10
            while time.monotonic() < until:  # a worker of the server is reaped by init, in its own time
                os.kill(pid, 0)


# --- a part of it ---


@pytest.mark.parametrize(
    ("how", "kind"),
    [
        ("500", "status"),
        ("302", "status"),
        ("short", "body"),
        ("other length", "body"),
        ("reset", "read"),
        ("silent", "timeout"),
        ("refused", "connect"),
    ],
)
def test_what_is_wrong_with_an_answer_is_told_apart(how: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(company_members, "CONNECT_SECONDS", 0.2)
    with wrong_servers.server(how) as url:
        part = Part(place_of(url))
        report = part.open(3)
        part.close()
        assert report.errors == {kind: 1} and report.example


def test_an_answer_of_other_content_is_wrong() -> None:
    with wrong_servers.server("right") as url:
        part = Part(place_of(url, b"y" * 1024))
        assert part.open(1).errors == {"body": 1}
        part.close()
        assert crowd_members.probe(place_of(url, b"y" * 1024), 5).errors == {"body": 1}
        assert crowd_members.probe(place_of(url), 5).errors == {}


def test_those_that_were_closed_meanwhile_are_lost(weir_is_built: None, tmp_path: Path) -> None:
    (tmp_path / PATH[1:]).write_bytes(wrong_servers.BODY)
    with running.weir(tmp_path, "--max-requests", "2") as weir:
        part = Part(place_of(weir.url))
        opened, asked, again = part.open(100), part.ask(10), part.ask(10)
        part.close()
    assert not opened.errors and len(asked.seconds) == 100
    assert asked.errors + again.errors == {"read": 100} and not again.seconds


def test_one_that_is_not_answered_in_time_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """A listener that never accepts: the kernel does, up to its backlog."""
    monkeypatch.setattr(crowd_members, "ANSWER_SECONDS", 0.2)
    monkeypatch.setattr(company_members.Silent, "begin", lambda self: self.connection.setblocking(False))
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        part = Part(Place("127.0.0.2", deaf.getsockname()[1], PATH, wrong_servers.BODY))
        assert not part.open(5).errors
        report = part.ask(2)
        part.close()
    assert report.errors == {"timeout": 5} and len(part) == 0


# --- processes ---


def test_clients_share_the_work(weir_is_built: None, tmp_path: Path) -> None:
    (tmp_path / PATH[1:]).write_bytes(wrong_servers.BODY)
    with running.weir(tmp_path) as weir, Clients(2, place_of(weir.url).port, PATH, wrong_servers.BODY) as clients:
        said: list[int] = []
        assert not clients.tell([Open(70), Open(30)], said.append).errors
        assert sum(said) == 100
        assert processes.established(place_of(weir.url).port) == 100
        assert len(clients.tell([Ask(10), Ask(10)], said.append).seconds) == 100


def test_a_client_that_dies_is_noticed() -> None:
    with wrong_servers.server("right") as url, Clients(2, place_of(url).port, PATH, wrong_servers.BODY) as clients:
        clients.tell([Open(1), Open(1)], lambda count: None)
        clients._processes[1].kill()
        with pytest.raises(ClientEnded, match="ended with -9"):
            clients.tell([Ask(1), Ask(1)], lambda count: None)


def test_clients_end_with_the_lab() -> None:
    lab = (
        "from weir_lab.crowd_clients import Clients; import sys; clients = Clients(1, 1, '/', b'').__enter__();"
        "print(clients._processes[0].pid, flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", lab], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        client = os.pidfd_open(int(process.stdout.readline()))
        process.kill()
    assert wait([client], running.PATIENCE_SECONDS) == [client]
    os.close(client)


def test_a_machine_without_room_is_refused_in_words(weir_is_built: None, tmp_path: Path) -> None:
    done = lab_crowd("--connections", "500000000", "--out", str(tmp_path))
    assert done.returncode == 1
    said = words(done.stderr)
    assert "no room for that" in said and "memory: " in said and "sysctl -w fs.file-max=" in said
    assert not list(tmp_path.iterdir())
