"""Several hosts on one machine: network namespaces, joined by virtual cables (ip-netns(8), veth(4)).

Each load host has a cable of its own to the server's host. Nothing of it is seen outside: the machine's own namespace
gets neither an address nor a route, and the addresses are those for documentation (RFC 5737). tests/deploy/ uses this
file, too."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from unittest import SkipTest

SERVER_ADDRESS = "192.0.2.1"


@dataclass(frozen=True)
class Host:
    name: str
    address: str

    @property
    def within(self) -> tuple[str, ...]:
        """Before a command that is to run there."""
        return ("ip", "netns", "exec", self.name)


@contextlib.contextmanager
def hosts(load_hosts: int) -> Iterator[tuple[Host, list[Host]]]:
    """The server's, and those for the load."""
    if os.geteuid() != 0:
        raise SkipTest("network namespaces need root")
    with contextlib.ExitStack() as ends:
        server = Host(_new(ends, "server"), SERVER_ADDRESS)
        yield server, [_join(ends, server, number) for number in range(load_hosts)]


def _new(ends: contextlib.ExitStack, what: str) -> str:
    name = f"weir-lab-{os.getpid()}-{what}"
    made = subprocess.run(["ip", "netns", "add", name], capture_output=True, text=True, check=False)
    if made.returncode != 0:
        raise SkipTest(f"no network namespaces here: {made.stderr.strip()}")
    ends.callback(subprocess.run, ["ip", "netns", "delete", name], check=True)
    _ip(name, "link set lo up")
    return name


def _join(ends: contextlib.ExitStack, server: Host, number: int) -> Host:
    """A cable with two addresses of four; the load host finds the server's first address through it, whichever cable
    that is on."""
    here, there = f"192.0.2.{number * 4 + 1}", f"192.0.2.{number * 4 + 2}"
    host = Host(_new(ends, f"load-{number}"), there)
    _ip(server.name, f"link add load-{number} type veth peer name server netns {host.name}")
    _ip(server.name, f"address add {here}/30 dev load-{number}")
    _ip(server.name, f"link set load-{number} up")
    _ip(host.name, f"address add {there}/30 dev server")
    _ip(host.name, "link set server up")
    _ip(host.name, f"route add default via {here}")
    return host


def _ip(namespace: str, what: str) -> None:
    subprocess.run(["ip", "-n", namespace, *what.split()], check=True)
