"""The processes that hold a crowd, each a part of it: descriptors are a process's, and ports a client address's. Here are both ends of
the pipe between them and the lab. They end with the lab, however that ends: their pipe is closed then."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from ipaddress import IPv4Address
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from types import TracebackType

from weir_lab import machine
from weir_lab.crowd_members import Part, Place, Report

FIRST_SOURCE = IPv4Address("127.0.0.2")
MAIN = "import sys; from weir_lab import crowd_clients; crowd_clients.hold(int(sys.argv[1]))"


class ClientEnded(Exception):
    """One of the processes is gone, and its connections with it."""


@dataclass(frozen=True)
class Open:
    count: int  # so many more


@dataclass(frozen=True)
class Ask:
    at_once: int


Order = Open | Ask


class Clients:
    """Started on entering. On leaving they are killed: the kernel resets what they have open (SO_LINGER), and no port waits."""

    def __init__(self, count: int, port: int, path: str, content: bytes) -> None:
        self._places = [Place(str(FIRST_SOURCE + number), port, path, content) for number in range(count)]
        self._processes: list[subprocess.Popen[bytes]] = []
        self._pipes: list[Connection] = []

    def __enter__(self) -> Clients:
        try:
            for place in self._places:
                self._start(place)
            return self
        except BaseException:
            self._end()
            raise

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def tell(self, orders: Sequence[Order], say: Callable[[int], None]) -> Report:
        """An order for each; returns when all have been carried out."""
        together = Report()
        for number, order in enumerate(orders):
            with self._there(number):
                self._pipes[number].send(order)
        busy = list(self._pipes)
        while busy:
            for pipe in wait(busy):
                assert isinstance(pipe, Connection)
                with self._there(self._pipes.index(pipe)):
                    said: Report | int = pipe.recv()
                if isinstance(said, Report):
                    together.add(said)
                    busy.remove(pipe)
                else:
                    say(said)
        return together

    @contextmanager
    def _there(self, number: int) -> Iterator[None]:
        try:
            yield
        except (EOFError, ConnectionError):
            raise ClientEnded(f"a process that holds connections ended with {self._processes[number].wait()}") from None

    def _start(self, place: Place) -> None:
        """In a session of its own: Ctrl-C is for the lab to hear."""
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
        ours.send(place)

    def _end(self) -> None:
        for process in self._processes:
            process.kill()
        for process in self._processes:
            process.wait()
        for pipe in self._pipes:
            pipe.close()


def hold(descriptor: int) -> None:
    """In a process of its own: does what it is told, until nobody is there to tell."""
    machine.raise_descriptor_limit()
    with Connection(descriptor) as lab:
        try:
            place: Place = lab.recv()
            part = Part(place, lab.send)
            while True:
                order: Order = lab.recv()
                lab.send(part.open(order.count) if isinstance(order, Open) else part.ask(order.at_once))
        except (EOFError, ConnectionError):
            return
