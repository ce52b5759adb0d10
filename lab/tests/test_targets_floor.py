"""The floors count the ends of requests wherever reads cut them; that is all they have to be right about."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from asking import Asking, request

from weir_lab.core.scenario import SCENARIOS
from weir_lab.core.target import CannotServe, ServerSetup
from weir_lab.servers.server_process import ServerProcess, free_port
from weir_lab.targets import find

TWO = request("/a") + request("/b")


@pytest.fixture(params=["floor/epoll", "floor/io-uring", "floor/sendfile"])
def name(request: pytest.FixtureRequest) -> str:
    if missing := find(request.param).missing():
        pytest.skip(missing)
    return str(request.param)


def floor(name: str, scratch: Path, body_bytes: int = 1024, workers: int = 1) -> ServerProcess:
    setup = ServerSetup(free_port(), scratch, scratch, workers, (), 100)
    scenario = replace(SCENARIOS["keep-alive"], body_bytes=body_bytes)
    return ServerProcess(find(name).command(scenario, setup), setup.port, "/any", scratch)


@pytest.fixture
def client(name: str, tmp_path: Path) -> Iterator[Asking]:
    with floor(name, tmp_path) as running, Asking(running.port) as asking:
        yield asking


def test_heads_are_counted_wherever_they_are_cut(client: Asking) -> None:
    for cut in range(1, len(TWO)):
        client.send(TWO[:cut])
        if cut >= len(TWO) // 2:
            client.answer()  # so that the rest comes in a read of its own
        client.send(TWO[cut:])
        for _ in range(1 if cut >= len(TWO) // 2 else 2):
            client.answer()


def test_heads_are_counted_byte_by_byte(client: Asking) -> None:
    for _ in range(2):
        for byte in TWO:
            client.send(byte)
        client.answer()
        client.answer()


def test_more_requests_than_there_are_copies_of_the_answer(client: Asking) -> None:
    client.send(1000 * request("/any"))
    assert all(len(client.answer()[1]) == 1024 for _ in range(1000))


def test_all_is_answered_to_who_says_no_more(client: Asking) -> None:
    client.send(16 * request("/any"))
    client.say_no_more()
    assert all(client.answer() for _ in range(16))
    assert client.is_closed()


def test_closes_after_the_last_answer_that_was_asked_for(client: Asking) -> None:
    client.send(3 * request("/any") + request("/any", "Connection: close"))
    assert all(client.answer() for _ in range(4))
    assert client.is_closed()


def test_large_answers_wait_for_who_reads_slowly(name: str, tmp_path: Path) -> None:
    with (
        floor(name, tmp_path, body_bytes=20_000_000) as running,
        Asking(running.port) as waiting,
        Asking(running.port) as other,
    ):
        waiting.send(2 * request("/any"))
        other.send(request("/any"))
        assert len(other.answer()[1]) == 20_000_000
        assert [len(waiting.answer()[1]) for _ in range(2)] == [20_000_000] * 2


def test_connections_come_and_go_on_two_workers(name: str, tmp_path: Path) -> None:
    with floor(name, tmp_path, workers=2) as running:
        for _ in range(200):
            with Asking(running.port) as one:
                one.send(request("/any", "Connection: close"))
                one.answer()
                assert one.is_closed()
        many = [Asking(running.port) for _ in range(200)]
        for one in many:
            one.send(request("/any"))
        assert all(one.answer() for one in many)
        for one in many:
            one.leave()


def one_after_the_other(scratch: Path) -> ServerProcess:
    setup = ServerSetup(free_port(), scratch, scratch, 1, (), 100)
    return ServerProcess(
        find("floor/close").command(SCENARIOS["close"], setup), setup.port, "/any", scratch, keep_alive=False
    )


def test_the_floor_of_connections_that_close_serves_one_after_the_other(tmp_path: Path) -> None:
    if missing := find("floor/close").missing():
        pytest.skip(missing)
    with one_after_the_other(tmp_path) as running:
        waiting = [Asking(running.port) for _ in range(5)]  # the kernel holds them back, as they say nothing
        for _ in range(200):
            with Asking(running.port) as one:
                one.send(request("/any", "Connection: close"))
                assert len(one.answer()[1]) == 1024
                assert one.is_closed()
        for one in waiting:
            one.send(2 * request("/any") + request("/any", "Connection: close"))
            assert all(one.answer() for _ in range(3))
            assert one.is_closed()


def test_the_floor_of_connections_that_close_takes_no_others() -> None:
    setup = ServerSetup(1, Path(), Path(), 1, (), 100)
    with pytest.raises(CannotServe, match="one connection at a time"):
        find("floor/close").command(SCENARIOS["keep-alive"], setup)


def test_each_floor_of_files_sends_them_whole(tmp_path: Path) -> None:
    for size in (100_000, 3_000_000):
        with floor("floor/sendfile", tmp_path, body_bytes=size) as running, Asking(running.port) as asking:
            asking.send(3 * request("/any"))
            assert [len(asking.answer()[1]) for _ in range(3)] == [size] * 3


def test_wrong_use_is_told(name: str) -> None:
    command = find(name).command(SCENARIOS["keep-alive"], ServerSetup(1, Path(), Path(), 1, (), 1))
    for arguments in (
        [],
        ["--port", "0"],
        ["--port", "x"],
        ["--port", "1", "--workers"],
        ["--port", "1", "--bytes", "0"],
        ["--port", "1", "--sendfile", "x"],
        ["--prt", "1"],
    ):
        done = subprocess.run([command[0], *arguments], capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 2 and done.stderr.startswith("usage: ")
