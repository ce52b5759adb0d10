"""Clients that are far away: the kernel's netem delays their packets (tc-netem(8)); where it has none, or where clients
differ, the lab's own proxy (lab/delay) delays what they send.

The proxy knows when each piece is due. If it passes on many of them late, it is the limit, and the run is refused."""

import contextlib
import json
import socket
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from weir_lab.core import built
from weir_lab.core.networks import Clients
from weir_lab.kernel import clocks
from weir_lab.kernel.launching import dying_with_the_lab, on_cores
from weir_lab.network import devices, links
from weir_lab.network.devices import LOOPBACK
from weir_lab.network.links import CABLE, CannotLay
from weir_lab.network.namespaces import Network

BUILD = "cmake -S lab/floor -B build/lab/floor && cmake --build build/lab/floor"
BACKLOG = 4096
LATE_MAX = 0.02  # of what the proxy passed on
PACKETS_MAX = 1_000_000  # that netem keeps


@dataclass
class Distance:
    """Between the generator and the server."""

    port: int  # the generator connects there, on 127.0.0.1
    network: Network  # and runs at its clients' side
    by: str = ""  # in words; empty: there is none
    pid: int | None = None  # of the proxy
    passed_on: int = 0  # pieces of data, by the proxy until its end
    late: int = 0

    def cpu_seconds(self) -> float:
        """Of the proxy, so far."""
        return clocks.of_process(self.pid) if self.pid else 0.0

    def reasons(self) -> list[str]:
        """Why the run does not count. Once it is over."""
        if self.late <= LATE_MAX * self.passed_on:
            return []
        return [f"the delay proxy was the limit: {self.late / self.passed_on:.0%} of the data came late"]


@contextlib.contextmanager
def between(clients: Sequence[Clients], port: int, network: Network, cores: Sequence[int]) -> Iterator[Distance]:
    """Raises CannotLay."""
    if not clients:
        yield Distance(port, network)
    elif _netem(clients, network):
        yield Distance(port, network, "netem: " + clients[0].words())
    elif network.clients is not None:
        raise CannotLay("clients that differ can't be far away through a cable: the network must be loopback")
    else:
        with _behind(network) as beyond, _proxy(clients, port, beyond, cores) as distance:
            yield distance


def missing() -> str | None:
    """Why the proxy can't run here."""
    return built.not_built(built.native("floor/delay/delay-proxy"), BUILD)


def _netem(clients: Sequence[Clients], network: Network) -> bool:
    """Delays both ways by half of it, if the kernel can, and all clients are alike. Only in a namespace of the run's
    own: it delays whatever passes."""
    if len(clients) > 1 or clients[0].bytes_per_second or not network.is_private:
        return False
    if network.clients is None:
        return _delayed(LOOPBACK, clients[0])
    with network.at_clients():
        is_there = _delayed(CABLE, clients[0])
    return is_there and _delayed(CABLE, clients[0])


def _delayed(device: str, clients: Clients) -> bool:
    half = f"{clients.round_trip_seconds / 2 * 1e6:.0f}us"
    loss = ["loss", f"{clients.loss:.4%}"] if clients.loss else []
    command = ["tc", "qdisc", "add", "dev", device, "root", "netem", "limit", str(PACKETS_MAX), "delay", half, *loss]
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


@contextlib.contextmanager
def _behind(network: Network) -> Iterator[Network]:
    """The generator has a loopback of its own, so that the connections to the proxy are not among those that the kernel
    counts for the server."""
    if not network.is_private:
        yield network
        return
    with links.second_namespace() as clients:
        beyond = replace(network, clients=clients)
        with beyond.at_clients():
            devices.up(LOOPBACK)
        yield beyond


@contextlib.contextmanager
def _proxy(clients: Sequence[Clients], port: int, network: Network, cores: Sequence[int]) -> Iterator[Distance]:
    if because := missing():
        raise CannotLay(because)
    kinds = [
        argument
        for one in clients
        for argument in (
            "--clients",
            f"{one.share:g}:{one.round_trip_seconds * 1e6:.0f}:{one.loss:g}:{one.bytes_per_second}",
        )
    ]
    with network.at_clients():
        listener = socket.create_server(("127.0.0.1", 0), backlog=BACKLOG)
    with listener:
        listener.setblocking(False)
        program = [str(built.native("floor/delay/delay-proxy")), "--listener", str(listener.fileno())]
        proxy = subprocess.Popen(
            dying_with_the_lab(on_cores([*program, "--to", str(port), *kinds], cores)),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
            pass_fds=(listener.fileno(),),
        )
        words = "the lab's delay proxy: " + "; ".join(one.words() for one in clients)
        distance = Distance(listener.getsockname()[1], network, words, proxy.pid)
    with proxy:
        try:
            assert proxy.stdout
            if proxy.stdout.readline() != "ready\n":
                raise CannotLay("the delay proxy did not start")
            yield distance
        finally:
            proxy.terminate()
            said, _ = proxy.communicate()
    if not said:
        raise CannotLay(f"the delay proxy ended with {proxy.returncode}")
    found = json.loads(said)
    distance.passed_on, distance.late = found["chunks"], found["late"]
