"""Messages to the kernel and its answers (netlink(7)). The socket belongs to the network namespace of the calling
thread."""

import os
import socket
import struct
from collections.abc import Iterator

REQUEST, ACKNOWLEDGE, DUMP, EXCLUSIVE, CREATE = 0x1, 0x4, 0x300, 0x200, 0x400  # flags of a message
HEADER = struct.Struct("=IHHII")  # length, type, flags, sequence, port
ERROR, DONE = 2, 3  # types of a message
PART_MAX = 1 << 18  # bytes that the kernel gives at once


def ask(protocol: int, kind: int, flags: int, payload: bytes) -> Iterator[bytes]:
    """Sends one request, and yields each part of the answer, which has whole messages. Raises OSError if the kernel
    refuses."""
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, protocol) as kernel:
        kernel.send(HEADER.pack(HEADER.size + len(payload), kind, flags | REQUEST, 1, 0) + payload)
        while True:
            part = kernel.recv(PART_MAX)
            _, what, *_ = HEADER.unpack_from(part)
            if what == ERROR:
                (error,) = struct.unpack_from("=i", part, HEADER.size)
                if error:
                    raise OSError(-error, os.strerror(-error))
                return  # an acknowledgement
            if what == DONE:
                return
            yield part


def messages(protocol: int, kind: int, payload: bytes) -> Iterator[bytes]:
    """Asks for a list. Yields the content of each message."""
    for part in ask(protocol, kind, DUMP, payload):
        at = 0
        while at < len(part):
            length, what, *_ = HEADER.unpack_from(part, at)
            if what == DONE:
                return
            yield part[at + HEADER.size : at + length]
            at += padded(length)


def tell(protocol: int, kind: int, flags: int, payload: bytes) -> None:
    """Sends one request, and waits until the kernel has carried it out."""
    for _ in ask(protocol, kind, flags | ACKNOWLEDGE, payload):
        pass


def attribute(kind: int, content: bytes) -> bytes:
    return struct.pack("=HH", 4 + len(content), kind) + content + bytes(padded(len(content)) - len(content))


def content(attributes: bytes, kind: int) -> bytes:
    """Of the attribute of that kind; empty if it is not there."""
    at = 0
    while at < len(attributes):
        length, found = struct.unpack_from("=HH", attributes, at)
        if found == kind:
            return attributes[at + 4 : at + length]
        at += padded(max(length, 4))
    return b""


def padded(length: int) -> int:
    """Messages and attributes begin at multiples of four bytes."""
    return (length + 3) & ~3
