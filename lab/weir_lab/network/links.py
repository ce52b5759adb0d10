"""What lies between the generator and the server: loopback as it is, with an MTU as in the internet, or a cable between
two network namespaces.

Servers listen on 127.0.0.1 in every case. Over the cable that address is the server's: the generator's namespace has no
loopback of its own, and a route to 127.0.0.1 through the cable."""

import contextlib
import os
from collections.abc import Iterator
from dataclasses import replace

from weir_lab.core.networks import Kind
from weir_lab.network import devices, namespaces
from weir_lab.network.namespaces import Network

MTU = 1500
CABLE = "weir-lab"
SERVER_ADDRESS, CLIENT_ADDRESS, PREFIX_BITS = "192.0.2.1", "192.0.2.2", 30  # for documentation (RFC 5737)
SERVERS_LOOPBACK = "127.0.0.1"


class CannotLay(Exception):
    """This machine does not let the lab make such a network. The message says why, with the fix."""


@contextlib.contextmanager
def laid(kind: Kind, network: Network) -> Iterator[Network]:
    """Changes the run's own network namespace, in which the calling thread is. Raises CannotLay."""
    if kind == "loopback":
        yield network
        return
    if not network.is_private:
        raise CannotLay(f"the network {kind} wants a namespace of its own, and it is {network.words()}")
    if kind == "mtu-1500":
        devices.set_mtu(devices.LOOPBACK, MTU)
        yield replace(network, about=f"loopback with an MTU of {MTU:,}")
        return
    with second_namespace() as clients:
        _join(clients)
        yield replace(network, about="two network namespaces, joined by veth", clients=clients)


def _join(clients: int) -> None:
    try:
        devices.add_cable(CABLE, clients)
        _connect(SERVER_ADDRESS)
        with namespaces.inside(clients):
            _connect(CLIENT_ADDRESS)
            devices.add_route(SERVERS_LOOPBACK, CABLE)
    except OSError as error:  # a kernel without veth, or a container that may not change settings
        raise CannotLay(f"two namespaces can't be joined by veth here: {error}") from None


def _connect(address: str) -> None:
    devices.add_address(CABLE, address, PREFIX_BITS)
    devices.let_loopback_addresses_pass(CABLE)
    devices.up(CABLE)


@contextlib.contextmanager
def second_namespace() -> Iterator[int]:
    """Its loopback is down. It is gone when the last process in it has ended."""
    here = os.open(namespaces.OWN, os.O_RDONLY | os.O_CLOEXEC)
    try:
        settings = namespaces.settings()
        namespaces.separate()
        try:
            namespaces.keep(settings)
            found = os.open(namespaces.OWN, os.O_RDONLY | os.O_CLOEXEC)
        finally:
            namespaces.enter(here)
    finally:
        os.close(here)
    try:
        yield found
    finally:
        os.close(found)
