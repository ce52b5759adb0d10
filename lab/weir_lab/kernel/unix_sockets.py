"""Which unix sockets are connected with which. Only netlink says it (linux/unix_diag.h)."""

from __future__ import annotations

import socket
import struct

from weir_lab.kernel import netlink
from weir_lab.kernel.sockets import NETLINK_SOCK_DIAG, SOCK_DIAG_BY_FAMILY

ALL_STATES = 0xFFFFFFFF
SHOW_PEER = 4
ATTRIBUTE_PEER = 2
REQUEST = struct.Struct("=BBHIIIII")
MESSAGE = struct.Struct("=BBBBIII")
ATTRIBUTE = struct.Struct("=HH")


def peers() -> dict[int, int]:
    """The inode of each connected unix socket of this network namespace, and that of its peer, which may be in another.
    Empty if this kernel doesn't say it."""
    found: dict[int, int] = {}
    request = REQUEST.pack(socket.AF_UNIX, 0, 0, ALL_STATES, 0, SHOW_PEER, 0, 0)
    try:
        for part, at, end in netlink.messages(NETLINK_SOCK_DIAG, SOCK_DIAG_BY_FAMILY, request):
            inode = MESSAGE.unpack_from(part, at)[4]
            if (peer := _peer(part[at + MESSAGE.size : end])) is not None:
                found[inode] = peer
    except OSError:
        return {}
    return found


def _peer(attributes: bytes) -> int | None:
    at = 0
    while at < len(attributes):
        length, kind = ATTRIBUTE.unpack_from(attributes, at)
        if kind == ATTRIBUTE_PEER:
            return int(struct.unpack_from("=I", attributes, at + ATTRIBUTE.size)[0])
        at += netlink.padded(max(length, ATTRIBUTE.size))
    return None
