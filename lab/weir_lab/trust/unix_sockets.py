"""Which unix sockets are connected with which: the kernel says it by netlink only (linux/unix_diag.h)."""

from __future__ import annotations

import socket
import struct

NETLINK_SOCK_DIAG = 4
SOCK_DIAG_BY_FAMILY = 20
NLM_F_REQUEST_DUMP = 0x1 | 0x300
NLMSG_ERROR, NLMSG_DONE = 2, 3
ALL_STATES = 0xFFFFFFFF
SHOW_PEER = 4
ATTRIBUTE_PEER = 2
HEADER = struct.Struct("=IHHII")
REQUEST = struct.Struct("=BBHIIIII")
MESSAGE = struct.Struct("=BBBBIII")
ATTRIBUTE = struct.Struct("=HH")
RECEIVE_BYTES = 1 << 16


def peers() -> dict[int, int]:
    """Inode of each connected unix socket, and that of its peer. Empty if this kernel doesn't say it."""
    found: dict[int, int] = {}
    try:
        with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, NETLINK_SOCK_DIAG) as link:
            request = REQUEST.pack(socket.AF_UNIX, 0, 0, ALL_STATES, 0, SHOW_PEER, 0, 0)
            link.send(HEADER.pack(HEADER.size + len(request), SOCK_DIAG_BY_FAMILY, NLM_F_REQUEST_DUMP, 1, 0) + request)
            while _take(link.recv(RECEIVE_BYTES), found):
                pass
    except OSError:
        return {}
    return found


def _take(data: bytes, found: dict[int, int]) -> bool:
    """Adds what one datagram says. False at the end."""
    while len(data) >= HEADER.size:
        length, kind, *_ = HEADER.unpack_from(data)
        if kind in {NLMSG_DONE, NLMSG_ERROR}:
            return False
        _, _, _, _, inode, _, _ = MESSAGE.unpack_from(data, HEADER.size)
        if (peer := _peer(data[HEADER.size + MESSAGE.size : length])) is not None:
            found[inode] = peer
        data = data[_aligned(length) :]
    return True


def _peer(attributes: bytes) -> int | None:
    while len(attributes) >= ATTRIBUTE.size:
        length, kind = ATTRIBUTE.unpack_from(attributes)
        if kind == ATTRIBUTE_PEER:
            return int(struct.unpack_from("=I", attributes, ATTRIBUTE.size)[0])
        attributes = attributes[_aligned(max(length, ATTRIBUTE.size)) :]
    return None


def _aligned(length: int) -> int:
    return (length + 3) & ~3
