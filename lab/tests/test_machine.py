"""The machine is described as it is, and what is off is said with what mends it."""

import socket
from pathlib import Path

import pytest

from weir_lab.kernel import processes
from weir_lab.running import machine


def checks(connections: int) -> dict[str, bool]:
    return {one.name: one.fine for one in machine.describe(connections).checks}


def test_is_described() -> None:
    found = machine.describe(100)
    assert found.cores and found.memory_bytes > 1 << 28 and found.kernel and found.processor and found.system
    assert {one.name for one in found.checks} == {
        "descriptors",
        "backlog",
        "ports",
        "network",
        "counters",
        "soft interrupts",
        "cores",
        "governor",
        "inotify",
        "other load",
        "steal",
    }
    assert all(one.advice for one in found.checks)


def test_too_many_connections_are_seen_beforehand() -> None:
    found = checks(10_000_000)
    assert not found["descriptors"] and not found["ports"]


def test_a_port_that_was_closed_first_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        client = socket.create_connection(server.getsockname())
        accepted, _ = server.accept()
        ours = client.getsockname()[1]
        client.close()  # first: TIME_WAIT is the client's
        accepted.close()
    # The last acknowledgement is on its way within this machine, and may be counted a moment later.
    while processes.ports_waiting(range(ours, ours + 1)) != 1:
        pass
    assert processes.ports_waiting(range(ours + 1, ours + 1)) == 0


def test_what_others_do_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = iter((100.0, 101.5))
    monkeypatch.setattr(processes, "machine_cpu_seconds", lambda: next(seconds))
    monkeypatch.setattr(machine, "IDLE_SECONDS", 0.001)
    assert checks(100)["other load"] is False


def test_reads_what_the_kernel_says() -> None:
    first, last = map(int, Path("/proc/sys/net/ipv4/ip_local_port_range").read_text(encoding="ascii").split())
    assert machine.client_ports() == last - first + 1
