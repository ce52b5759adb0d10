"""The kernel's list of a server's sockets, and its counts of a namespace."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Iterator

import pytest
from reading import exactly

from weir_lab.counting import traffic
from weir_lab.kernel import processes, sockets
from weir_lab.network import namespaces


@contextlib.contextmanager
def connected(
    count: int, family: int = socket.AF_INET
) -> Iterator[tuple[int, list[tuple[socket.socket, socket.socket]]]]:
    """The port of a server, and both ends of its connections."""
    address = "127.0.0.1" if family == socket.AF_INET else "::1"
    with contextlib.ExitStack() as ends, socket.create_server((address, 0), family=family, backlog=64) as listener:
        pairs = []
        for _ in range(count):
            client = ends.enter_context(socket.create_connection(listener.getsockname()[:2], 5))
            pairs.append((client, ends.enter_context(listener.accept()[0])))
        yield listener.getsockname()[1], pairs


@pytest.mark.parametrize("family", [socket.AF_INET, socket.AF_INET6])
def test_each_connection_is_listed_with_its_bytes(family: int) -> None:
    with connected(3, family) as (port, pairs):
        client, served = pairs[1]
        served.sendall(b"x" * 1000)
        assert exactly(client, 1000) == b"x" * 1000
        client.sendall(b"thanks")
        assert exactly(served, 6) == b"thanks"
        assert sockets.inodes(port) == {os.fstat(pair[1].fileno()).st_ino for pair in pairs}
        assert sorted(sockets.bytes_acked(port).values()) == [0, 0, 1000]
        assert sockets.accepted(port) == set(sockets.bytes_acked(port)) and processes.established(port) == 3


def test_a_connection_that_waits_to_be_accepted_does_not_count() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener, socket.create_connection(listener.getsockname(), 5):
        port = listener.getsockname()[1]
        assert not sockets.inodes(port)
        assert processes.established(port) == 0 and not sockets.accepted(port)


def test_counts_as_proc_does() -> None:
    with connected(40) as (port, _):
        assert processes.established(port) == processes._established_in_proc(port) == 40


def test_without_sock_diag_proc_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: int) -> set[bytes]:
        raise OSError("no such family")

    monkeypatch.setattr(sockets, "accepted", refuse)
    with connected(2) as (port, _):
        assert processes.established(port) == 2


@pytest.mark.live
def test_a_namespace_counts_its_own_connections_only() -> None:
    with namespaces.private() as network:
        if not network.is_private:
            pytest.skip(network.words())
        before = traffic.counts()
        with connected(5) as (_, pairs):
            pairs[0][1].sendall(b"x" * 5000)
            assert len(exactly(pairs[0][0], 5000)) == 5000
            meanwhile = traffic.counts() - before
    assert meanwhile.accepts == 5 and meanwhile.bytes_out > 5000
