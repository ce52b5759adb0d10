"""What the connections need from the machine, and what the result says about its figures."""

from __future__ import annotations

import os
import socket

import pytest

from weir_lab.clients import http_client
from weir_lab.many_connections import planning, result
from weir_lab.many_connections.planning import CannotHold, Plan
from weir_lab.many_connections.result import Step, Times
from weir_lab.running import machine


@pytest.fixture
def small_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planning, "descriptors_max", lambda: 20_000)
    monkeypatch.setattr(machine, "client_ports", lambda: 28_232)
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {0, 1})


def test_a_hundred_thousand_take_several_processes_on_each_side(small_processes: None) -> None:
    plan = planning.plan(100_000, "prefork", None, 100)
    assert (plan.workers, plan.clients) == (6, 8)
    assert [sum(plan.share(client, count) for client in range(8)) for count in (10_000, 100_000)] == [10_000, 100_000]
    assert max(plan.share(client, 100_000) for client in range(8)) < 28_232 / 2
    assert planning.plan(10, "prefork", None, 100).workers == 2  # one for each core


def test_few_ports_take_more_clients(small_processes: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "client_ports", lambda: 6_000)
    assert planning.plan(100_000, "prefork", None, 100).clients == 35


@pytest.mark.parametrize(
    ("engine", "workers", "words"),
    [
        ("prefork", 5, "100,000 connections need 6 workers with 20,000 descriptors each, but 5 were asked for"),
        (
            "per-core",
            None,
            "per-core is one process, and 20,000 descriptors are enough for 18,518 connections; prefork has several",
        ),
    ],
)
def test_what_cannot_hold_them_is_refused(engine: str, workers: int | None, words: str, small_processes: None) -> None:
    with pytest.raises(CannotHold, match=words):
        planning.plan(100_000, engine, workers, 100)


def test_the_descriptors_that_are_advised_are_enough(small_processes: None, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CannotHold) as refused:
        planning.plan(100_000, "per-core", None, 100)
    advised = int(str(refused.value).rpartition(" ")[2])
    monkeypatch.setattr(planning, "descriptors_max", lambda: advised)
    assert planning.plan(100_000, "per-core", None, 100).connections == 100_000


def test_what_the_machine_lacks_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = {
        "/proc/sys/net/core/somaxconn": "100",
        "/proc/sys/net/ipv4/tcp_mem": "100 1500 3000",
        "/proc/sys/fs/file-nr": "500 0 3000",
        "/proc/sys/net/netfilter/nf_conntrack_max": "1000",
        "/proc/sys/net/netfilter/nf_conntrack_count": "10",
        "/proc/meminfo": "MemAvailable: 20000 kB",
    }
    monkeypatch.setattr(planning, "read", lambda path: limits.get(path, ""))

    def off(kernel: str, connections: int, workers: int) -> set[str]:
        monkeypatch.setattr("platform.release", lambda: kernel)
        return {
            check.name for check in planning.checks(Plan(connections, "prefork", workers, 2, 100)) if not check.fine
        }

    assert off("6.1.0", 500, 2) == set()
    assert off("6.1.0", 500, 1) == {"backlog"}
    assert off("6.1.0", 800, 2) == {"files"}
    assert off("5.15.0", 800, 2) == {"files", "TCP memory"}
    assert off("6.1.0", 1500, 2) == {"files", "conntrack", "memory"}


def test_the_kernels_memory_for_sockets_is_seen() -> None:
    machine.raise_descriptor_limit()
    before = planning.kernel_bytes()
    with socket.create_server(("127.0.0.1", 0), backlog=4096) as listener:
        clients = [http_client.connect(listener.getsockname()[1], "127.0.0.9") for _ in range(3000)]
        assert clients[0].getsockname()[0] == "127.0.0.9"
        assert planning.kernel_bytes() - before > len(clients) * 2000
        for one in clients:
            one.close()


# --- figures ---


def test_times() -> None:
    assert Times.of([]) is None
    assert Times.of([float(number) for number in range(100, 0, -1)]) == Times(100, 51.0, 100.0, 100.0)


def step(connections: int, each: float, kernel_each: float) -> Step:
    times = Times(connections, 0.1, 0.1, 0.1)
    return Step(connections, 1.0, connections, connections, 0, 0, each, kernel_each, 1.0, times, times)


def test_flat_is_what_is_alike_at_each_step() -> None:
    flat, grows = result.flatness([step(10, -900.0, 99_000.0), step(1000, 200.0, 4000.0), step(10_000, 190.0, 6000.0)])
    assert flat == "user memory of a connection is flat: its steps differ by 5%"
    assert grows == "kernel memory of a connection is NOT flat: its steps differ by 33%"


def test_a_step_that_lacks_an_answer_has_a_problem() -> None:
    whole = step(10, 200.0, 4000.0)
    assert not whole.problems()
    fewer = Step(11, 1.0, 11, 10, 0, 0, 1.0, 1.0, 1.0, Times(10, 0.1, 0.1, 0.1), None)
    assert fewer.problems() == ["10 answers came on 11 connections", "10 connections were left at the end of 11"]
