"""The connections of a client process, and the processes: what is lost is counted by kind, and no process outlives the
lab."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from multiprocessing.connection import wait
from pathlib import Path

import pytest
import running
import wrong_servers

from weir_lab.clients import background as clients
from weir_lab.clients import http_client
from weir_lab.core import built
from weir_lab.kernel import processes
from weir_lab.many_connections import connections
from weir_lab.many_connections.connections import ConnectionSet, Endpoint
from weir_lab.many_connections.processes import Ask, ClientEnded, ClientProcesses, Open

PATH = "/1024.bin"


@pytest.fixture
def weir_is_built() -> None:
    if because := built.not_built(built.weir(), "./run build"):
        pytest.skip(because)


def endpoint_of(url: str, content: bytes = wrong_servers.BODY) -> Endpoint:
    return Endpoint("127.0.0.2", int(url.rstrip("/").rpartition(":")[2]), PATH, content)


# --- connections ---


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
    if how == "silent":
        monkeypatch.setattr(http_client, "CONNECT_SECONDS", 0.2)
    with wrong_servers.server(how) as url:
        connection_set = ConnectionSet(endpoint_of(url))
        report = connection_set.open(3)
        connection_set.close()
        assert report.errors == {kind: 1} and report.example


def test_an_answer_of_other_content_is_wrong() -> None:
    with wrong_servers.server("right") as url:
        connection_set = ConnectionSet(endpoint_of(url, b"y" * 1024))
        assert connection_set.open(1).errors == {"body": 1}
        connection_set.close()
        assert connections.probe(endpoint_of(url, b"y" * 1024), 5).errors == {"body": 1}
        assert connections.probe(endpoint_of(url), 5).errors == {}


def test_those_that_were_closed_meanwhile_are_lost(weir_is_built: None, tmp_path: Path) -> None:
    (tmp_path / PATH[1:]).write_bytes(wrong_servers.BODY)
    with running.weir(tmp_path, "--max-requests", "2") as weir:
        connection_set = ConnectionSet(endpoint_of(weir.url))
        opened, asked, again = connection_set.open(100), connection_set.ask(10), connection_set.ask(10)
        connection_set.close()
    assert not opened.errors and len(asked.seconds) == 100
    assert asked.errors + again.errors == {"read": 100} and not again.seconds


def test_one_that_is_not_answered_in_time_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """A listener that never accepts: the kernel does, up to its backlog."""
    monkeypatch.setattr(connections, "ANSWER_SECONDS", 0.2)
    monkeypatch.setattr(clients.IdleClient, "begin", lambda self: self.connection.setblocking(False))
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        connection_set = ConnectionSet(Endpoint("127.0.0.2", deaf.getsockname()[1], PATH, wrong_servers.BODY))
        assert not connection_set.open(5).errors
        report = connection_set.ask(2)
        connection_set.close()
    assert report.errors == {"timeout": 5} and len(connection_set) == 0


# --- processes ---


def test_clients_share_the_work(weir_is_built: None, tmp_path: Path) -> None:
    (tmp_path / PATH[1:]).write_bytes(wrong_servers.BODY)
    with (
        running.weir(tmp_path) as weir,
        ClientProcesses(2, endpoint_of(weir.url).port, PATH, wrong_servers.BODY) as clients,
    ):
        said: list[int] = []
        assert not clients.tell([Open(70), Open(30)], said.append).errors
        assert sum(said) == 100
        assert processes.established(endpoint_of(weir.url).port) == 100
        assert len(clients.tell([Ask(10), Ask(10)], said.append).seconds) == 100


def test_a_client_that_dies_is_noticed() -> None:
    with (
        wrong_servers.server("right") as url,
        ClientProcesses(2, endpoint_of(url).port, PATH, wrong_servers.BODY) as clients,
    ):
        clients.tell([Open(1), Open(1)], lambda count: None)
        clients._processes[1].kill()
        with pytest.raises(ClientEnded, match="ended with -9"):
            clients.tell([Ask(1), Ask(1)], lambda count: None)


def test_clients_end_with_the_lab() -> None:
    lab = (
        "from weir_lab.many_connections.processes import ClientProcesses; import sys; clients = ClientProcesses(1, 1, "
        "'/', b'').__enter__();"
        "print(clients._processes[0].pid, flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", lab], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        client = os.pidfd_open(int(process.stdout.readline()))
        process.kill()
    assert wait([client], running.DEADLINE_SECONDS) == [client]
    os.close(client)
