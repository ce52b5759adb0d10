"""Which unix sockets are connected with which. Only netlink says it (linux/unix_diag.h)."""

import contextlib
import socket
import struct

from weir_lab.kernel import netlink
from weir_lab.kernel.sockets import NETLINK_SOCK_DIAG, SOCK_DIAG_BY_FAMILY

ALL_STATES = 0xFFFFFFFF
SHOW_PEER = 4
ATTRIBUTE_PEER = 2
REQUEST = struct.Struct("=BBHIIIII")
MESSAGE = struct.Struct("=BBBBIII")


def peers() -> dict[int, int]:
    """The inode of each connected unix socket of this network namespace, and that of its peer, which may be in another.
    Empty if this kernel doesn't say it."""
    found: dict[int, int] = {}
    request = REQUEST.pack(socket.AF_UNIX, 0, 0, ALL_STATES, 0, SHOW_PEER, 0, 0)
    with contextlib.suppress(OSError):
        for message in netlink.messages(NETLINK_SOCK_DIAG, SOCK_DIAG_BY_FAMILY, request):
            if peer := netlink.content(message[MESSAGE.size :], ATTRIBUTE_PEER):
                found[MESSAGE.unpack_from(message)[4]] = int(struct.unpack("=I", peer)[0])
    return found
