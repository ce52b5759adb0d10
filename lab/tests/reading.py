"""Reads from a socket that has a timeout: with one, MSG_WAITALL does not wait for all."""

from __future__ import annotations

import socket


def exactly(one: socket.socket, count: int) -> bytes:
    """Fewer bytes if the other side closed."""
    received = bytearray()
    while len(received) < count and (data := one.recv(count - len(received))):
        received += data
    return bytes(received)
