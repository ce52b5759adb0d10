"""Network devices of a namespace (netdevice(7), rtnetlink(7), veth(4)): only ever in a namespace of a run's own."""

import fcntl
import socket
import struct
from pathlib import Path

from weir_lab.kernel.netlink import CREATE, EXCLUSIVE, attribute, tell

LOOPBACK = "lo"
SIOCSIFFLAGS, SIOCSIFMTU = 0x8914, 0x8922
IS_UP, IS_RUNNING = 0x1, 0x40
ROUTE = 0  # the protocol of netlink
NEW_LINK, NEW_ADDRESS, NEW_ROUTE = 16, 20, 24
LINK = struct.Struct("=BxHiII")  # family, type, index, flags, change
ADDRESS = struct.Struct("=BBBBI")  # family, bits of the prefix, flags, scope, index
WAY = struct.Struct("=BBBBBBBBI")  # family, bits of destination and source, service, table, origin, scope, kind, flags
NAME, LINK_INFO, NAMESPACE = 3, 18, 28  # attributes of a link
KIND, DATA, PEER = 1, 2, 1
IS_LOCAL, DESTINATION, DEVICE = 2, 1, 4  # attributes of an address, and of a route
MAIN_TABLE, BY_ADMINISTRATOR, ON_LINK, UNICAST = 254, 4, 253, 1


def up(device: str) -> None:
    _set(SIOCSIFFLAGS, struct.pack("16sH14x", device.encode(), IS_UP | IS_RUNNING))


def set_mtu(device: str, octets: int) -> None:
    _set(SIOCSIFMTU, struct.pack("16si12x", device.encode(), octets))


def add_cable(device: str, other_namespace: int) -> None:
    """Two devices of that name, joined: one here, and one in the other namespace."""
    name = attribute(NAME, device.encode() + b"\0")
    peer = attribute(PEER, LINK.pack(0, 0, 0, 0, 0) + name + attribute(NAMESPACE, struct.pack("=i", other_namespace)))
    information = attribute(LINK_INFO, attribute(KIND, b"veth\0") + attribute(DATA, peer))
    tell(ROUTE, NEW_LINK, CREATE | EXCLUSIVE, LINK.pack(socket.AF_UNSPEC, 0, 0, 0, 0) + name + information)


def add_address(device: str, address: str, prefix_bits: int) -> None:
    octets = attribute(IS_LOCAL, socket.inet_aton(address))
    head = ADDRESS.pack(socket.AF_INET, prefix_bits, 0, 0, socket.if_nametoindex(device))
    tell(ROUTE, NEW_ADDRESS, CREATE | EXCLUSIVE, head + octets)


def add_route(address: str, device: str) -> None:
    """That one address is reached through the device."""
    destination = attribute(DESTINATION, socket.inet_aton(address))
    through = attribute(DEVICE, struct.pack("=I", socket.if_nametoindex(device)))
    head = WAY.pack(socket.AF_INET, 32, 0, 0, MAIN_TABLE, BY_ADMINISTRATOR, ON_LINK, UNICAST, 0)
    tell(ROUTE, NEW_ROUTE, CREATE | EXCLUSIVE, head + destination + through)


def let_loopback_addresses_pass(device: str) -> None:
    """The kernel drops packets for 127.0.0.1 that come from a device, unless it is told that they are meant."""
    Path(f"/proc/sys/net/ipv4/conf/{device}/route_localnet").write_text("1", encoding="ascii")


def _set(what: int, request: bytes) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, what, request)
