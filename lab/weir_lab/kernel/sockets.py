"""The TCP sockets of a server, as the kernel lists them (sock_diag(7)). It is faster than /proc/net/tcp, which prints
every socket of the machine, and it knows how many bytes each has sent."""

from __future__ import annotations

import socket
import struct
from collections.abc import Iterator
from typing import NamedTuple

from weir_lab.kernel import netlink

NETLINK_SOCK_DIAG = 4
SOCK_DIAG_BY_FAMILY = 20
TCP_INFO = 2  # an attribute of the answer (linux/inet_diag.h)
ESTABLISHED, TIME_WAIT, CLOSE_WAIT, ALL = 1, 6, 8, 0  # states (linux/tcp_states.h)
ALL_STATES = 0xFFF
FAMILIES = (socket.AF_INET, socket.AF_INET6)
# Family, protocol, extensions, padding, states; ports (in network order) and addresses to look for; device, cookie.
REQUEST = struct.Struct("=BBBBIHH16s16sI8s")
NO_COOKIE = b"\xff" * 8
# Family, state, timer, retransmissions; ports, addresses; device, cookie, expiry, queues, user, inode.
ANSWER = struct.Struct("=xBxx2s2s16s16s28xI")
INODE_AT = ANSWER.size - 4

NO_INODE = bytes(4)
ATTRIBUTE = struct.Struct("=HH")
# tcp_info, from tcpi_total_retrans to tcpi_segs_in (linux/tcp.h).
INFORMATION = struct.Struct("=I16xQQII")
INFORMATION_BEGIN = 100


class TcpSocket(NamedTuple):
    """One connection of the server. A connection that waits to be accepted has no inode."""

    state: int
    inode: int
    peer: tuple[str, int]
    retransmitted: int = 0  # segments
    bytes_acked: int = 0  # sent by the server, and received by its peer
    bytes_received: int = 0
    segments_out: int = 0
    segments_in: int = 0


def of_server(port: int, state: int = ESTABLISHED) -> list[TcpSocket]:
    """The sockets at that port, in that state, of the calling thread's network namespace. Raises OSError if the kernel
    does not list them."""
    found = {}  # the kernel gives its list in pieces, and may repeat a socket while others come and go
    for family in FAMILIES:
        for part, at, end in _messages(family, port, state, TCP_INFO):
            is_in, _, their_port, _, address, inode = ANSWER.unpack_from(part, at)
            begin = _information(part, at + ANSWER.size, end)
            counts = INFORMATION.unpack_from(part, begin) if begin else ()
            peer = (_address(family, address), int.from_bytes(their_port, "big"))
            found[peer] = TcpSocket(is_in, inode, peer, *counts)
    return list(found.values())


def accepted(port: int) -> set[bytes]:
    """The connections that the server has accepted and not closed. Each stands for its ports and addresses."""
    found = set()
    for family in FAMILIES:
        for part, at, _ in _messages(family, port, ESTABLISHED, 0):
            if part[at + INODE_AT : at + ANSWER.size] != NO_INODE:
                found.add(part[at + 4 : at + 40])
    return found


def bytes_acked(port: int) -> dict[bytes, int]:
    """What each established connection of the server has sent and its peer has received. The keys are those of
    accepted(). Faster than of_server()."""
    found = {}
    for family in FAMILIES:
        for part, at, end in _messages(family, port, ESTABLISHED, TCP_INFO):
            if begin := _information(part, at + ANSWER.size, end):
                found[part[at + 4 : at + 40]] = INFORMATION.unpack_from(part, begin)[1]
    return found


def acked_since(before: dict[bytes, int], now: dict[bytes, int]) -> int:
    """By the connections that are there now, between two answers of bytes_acked()."""
    return sum(now.values()) - sum(before.get(key, 0) for key in now)


def of_clients(port: int, states: int) -> set[bytes]:
    """The sockets whose peer is that port, in any of these states (a bit for each). Each stands for its ports and
    addresses."""
    found = set()
    for family in FAMILIES:
        for part, at, _ in _listed(family, states, 0, remote=port):
            found.add(part[at + 4 : at + 40])
    return found


def _messages(family: int, port: int, state: int, extension: int) -> Iterator[tuple[bytes, int, int]]:
    return _listed(family, 1 << state if state else ALL_STATES, extension, local=port)


def _listed(
    family: int, states: int, extension: int, local: int = 0, remote: int = 0
) -> Iterator[tuple[bytes, int, int]]:
    """Yields a buffer of the kernel's, and where a struct inet_diag_msg begins in it and where its attributes end."""
    request = REQUEST.pack(
        family,
        socket.IPPROTO_TCP,
        1 << (extension - 1) if extension else 0,
        0,
        states,
        socket.htons(local),
        socket.htons(remote),
        bytes(16),
        bytes(16),
        0,
        NO_COOKIE,
    )
    return netlink.messages(NETLINK_SOCK_DIAG, SOCK_DIAG_BY_FAMILY, request)


def _information(part: bytes, at: int, end: int) -> int:
    """Where tcp_info's counts begin; 0 without them: a socket in TIME_WAIT has none."""
    while at < end:
        length, kind = ATTRIBUTE.unpack_from(part, at)
        if kind == TCP_INFO:
            return at + 4 + INFORMATION_BEGIN if length >= 4 + INFORMATION_BEGIN + INFORMATION.size else 0
        at += netlink.padded(length)
    return 0


def _address(family: int, address: bytes) -> str:
    if family == socket.AF_INET:
        return socket.inet_ntop(family, address[:4])
    return socket.inet_ntop(family, address).removeprefix("::ffff:")
