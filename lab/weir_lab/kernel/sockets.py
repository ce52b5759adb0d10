"""The TCP sockets of a server, as the kernel lists them (sock_diag(7)). It is faster than /proc/net/tcp, which prints
every socket of the machine, and it knows how many bytes each has sent."""

import socket
import struct
import sys
from collections.abc import Iterator

from weir_lab.kernel import netlink

NETLINK_SOCK_DIAG = 4
SOCK_DIAG_BY_FAMILY = 20
TCP_INFO = 2  # an attribute of the answer (linux/inet_diag.h)
ESTABLISHED = 1 << 1  # the bit of a state (linux/tcp_states.h)
FAMILIES = (socket.AF_INET, socket.AF_INET6)
# Family, protocol, extensions, padding, states; ports (in network order) and addresses to look for; device, cookie.
REQUEST = struct.Struct("=BBBBIHH16s16sI8s")
NO_COOKIE = b"\xff" * 8
MESSAGE_BYTES = 72  # struct inet_diag_msg, which ends with the inode; attributes follow
NAME, INODE = slice(4, 40), slice(68, 72)  # ports and addresses, and the inode
BYTES_ACKED_AT = 120  # in struct tcp_info (linux/tcp.h)


def inodes(port: int) -> set[int]:
    """Of the connections that the server has accepted, in the calling thread's network namespace. Raises OSError if the
    kernel does not list them, as do all others here."""
    found = (int.from_bytes(one[INODE], sys.byteorder) for one, _ in _listed(ESTABLISHED, local=port))
    return {inode for inode in found if inode}  # one that waits to be accepted has none


def accepted(port: int) -> set[bytes]:
    """The connections that the server has accepted and not closed. Each stands for its ports and addresses. The kernel
    gives its list in pieces, and may repeat a socket while others come and go."""
    return {one[NAME] for one, _ in _listed(ESTABLISHED, local=port) if one[INODE] != bytes(4)}


def bytes_acked(port: int) -> dict[bytes, int]:
    """What each established connection of the server has sent and its peer has received. The keys are those of
    accepted()."""
    found = {}
    for one, attributes in _listed(ESTABLISHED, TCP_INFO, local=port):
        information = netlink.content(attributes, TCP_INFO)
        if len(information) >= BYTES_ACKED_AT + 8:
            found[one[NAME]] = int(struct.unpack_from("=Q", information, BYTES_ACKED_AT)[0])
    return found


def acked_since(before: dict[bytes, int], now: dict[bytes, int]) -> int:
    """By the connections that are there now, between two answers of bytes_acked()."""
    return sum(now.values()) - sum(before.get(key, 0) for key in now)


def of_clients(port: int, states: int) -> set[bytes]:
    """The sockets whose peer is that port, in any of these states (a bit for each). Each stands for its ports and
    addresses."""
    return {one[NAME] for one, _ in _listed(states, remote=port)}


def _listed(states: int, extension: int = 0, local: int = 0, remote: int = 0) -> Iterator[tuple[bytes, bytes]]:
    """Yields a struct inet_diag_msg of each socket, and its attributes."""
    extensions = 1 << (extension - 1) if extension else 0
    ports = socket.htons(local), socket.htons(remote)
    for family in FAMILIES:
        request = REQUEST.pack(
            family, socket.IPPROTO_TCP, extensions, 0, states, *ports, bytes(16), bytes(16), 0, NO_COOKIE
        )
        for message in netlink.messages(NETLINK_SOCK_DIAG, SOCK_DIAG_BY_FAMILY, request):
            yield message[:MESSAGE_BYTES], message[MESSAGE_BYTES:]
