"""The client processes. There are several because a process has too few descriptors, and a client address too few
ports. Each process holds a share of the connections, and takes orders from the lab through a pipe. If the lab ends, the
pipe closes and the processes end as well."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from ipaddress import IPv4Address
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait

from weir_lab.many_connections.connections import ConnectionSet, Endpoint, Report
from weir_lab.running import machine

FIRST_SOURCE = IPv4Address("127.0.0.2")
MAIN = "import sys; from weir_lab.many_connections import processes; processes.hold(int(sys.argv[1]))"


class ClientEnded(Exception):
    """A client process has ended, and its connections with it."""


@dataclass(frozen=True)
class Open:
    count: int  # connections to open in addition


@dataclass(frozen=True)
class Ask:
    at_once: int


Order = Open | Ask


class ClientProcesses:
    """Starts them on entering, and kills them on leaving: the kernel then resets their connections (SO_LINGER), and no
    port stays in TIME_WAIT."""

    def __init__(self, count: int, port: int, path: str, content: bytes) -> None:
        self._endpoints = [Endpoint(str(FIRST_SOURCE + number), port, path, content) for number in range(count)]
        self._processes: list[subprocess.Popen[bytes]] = []
        self._pipes: list[Connection] = []

    def __enter__(self) -> ClientProcesses:
        try:
            for endpoint in self._endpoints:
                self._start(endpoint)
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(self, *raised: object) -> None:
        self._end()

    def tell(self, orders: Sequence[Order], advance: Callable[[int], None]) -> Report:
        """Gives each process one order, and waits for all of them. Calls `advance` with the number of connections done
        since."""
        together = Report()
        for number, order in enumerate(orders):
            with self._checked(number):
                self._pipes[number].send(order)
        busy = list(self._pipes)
        while busy:
            for pipe in wait(busy):
                assert isinstance(pipe, Connection)
                with self._checked(self._pipes.index(pipe)):
                    received: Report | int = pipe.recv()
                if isinstance(received, Report):
                    together.add(received)
                    busy.remove(pipe)
                else:
                    advance(received)
        return together

    @contextmanager
    def _checked(self, number: int) -> Iterator[None]:
        try:
            yield
        except (EOFError, ConnectionError):
            status = self._processes[number].wait()
            raise ClientEnded(f"a process that holds connections ended with {status}") from None

    def _start(self, endpoint: Endpoint) -> None:
        """In a session of its own: a Ctrl-C goes to the lab only."""
        ours, theirs = Pipe()
        self._pipes.append(ours)
        with theirs:
            self._processes.append(
                subprocess.Popen(
                    [sys.executable, "-c", MAIN, str(theirs.fileno())],
                    stdin=subprocess.DEVNULL,
                    pass_fds=(theirs.fileno(),),
                    start_new_session=True,
                )
            )
        ours.send(endpoint)

    def _end(self) -> None:
        for process in self._processes:
            process.kill()
        for process in self._processes:
            process.wait()
        for pipe in self._pipes:
            pipe.close()


def hold(descriptor: int) -> None:
    """The main function of a client process: carries out orders until the lab closes the pipe."""
    machine.raise_descriptor_limit()
    with Connection(descriptor) as lab:
        try:
            endpoint: Endpoint = lab.recv()
            connections = ConnectionSet(endpoint, lab.send)
            while True:
                order: Order = lab.recv()
                lab.send(connections.open(order.count) if isinstance(order, Open) else connections.ask(order.at_once))
        except (EOFError, ConnectionError):
            return
