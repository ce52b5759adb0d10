"""How many connections clients had under way at once."""

from __future__ import annotations

import contextlib
import socket
import threading

import pytest

from weir_lab.counting import clients
from weir_lab.kernel import netlink


def test_sockets_of_clients_are_counted_and_the_servers_are_not() -> None:
    with contextlib.ExitStack() as ends, socket.create_server(("127.0.0.1", 0), backlog=64) as listener:
        port = listener.getsockname()[1]
        opened = [ends.enter_context(socket.create_connection(("127.0.0.1", port), 5)) for _ in range(5)]
        accepted = [ends.enter_context(listener.accept()[0]) for _ in range(2)]
        assert clients.count(port) == 5, "those that wait to be accepted count as well"
        accepted[0].close()
        opened[0].recv(1)
        assert clients.count(port) == 5, "one that is closing counts"
        opened[0].close()
        opened[1].setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        opened[1].close()
        assert clients.count(port) == 3


def test_a_client_that_still_connects_counts() -> None:
    """A listener that accepts nobody, with the shortest queue: what it has no place for stays in SYN_SENT."""
    with contextlib.ExitStack() as ends, socket.create_server(("127.0.0.1", 0), backlog=0) as listener:
        port = listener.getsockname()[1]
        for _ in range(6):
            one = ends.enter_context(socket.socket())
            one.setblocking(False)
            one.connect_ex(("127.0.0.1", port))
        assert clients.count(port) == 6


def test_the_most_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    found, seen = iter([3, 8, 2]), threading.Event()

    def count(_: int) -> int:
        number = next(found, None)
        if number is None:
            seen.set()
        return number or 0

    monkeypatch.setattr(clients, "count", count)
    monkeypatch.setattr(clients, "LOOK_SECONDS", 0.001)
    with clients.most_at_once(1) as most:
        assert seen.wait(20)
    assert most.at_once == 8


def test_where_the_kernel_lists_none_or_nobody_asks_nothing_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = threading.Event()

    def refuse(*_: object) -> None:
        asked.set()
        raise OSError

    monkeypatch.setattr(netlink, "ask", refuse)
    monkeypatch.setattr(clients, "LOOK_SECONDS", 0.001)
    with clients.most_at_once(1) as most:
        assert asked.wait(20)
    assert most.at_once is None
    asked.clear()
    with clients.most_at_once(1, wanted=False) as most:
        pass
    assert most.at_once is None and not asked.is_set()
