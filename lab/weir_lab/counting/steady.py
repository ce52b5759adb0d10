"""Watches a run while the generator is at work: looks at connections and memory in its middle, and counts over its
steady part. That begins when the kernel says that all connections are open, and ends shortly before the generator."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from weir_lab.counting import interrupts, traffic
from weir_lab.counting.interrupts import Interrupts
from weir_lab.kernel import sockets
from weir_lab.kernel.clocks import Clock

MIDDLE = 0.6  # of the run, when the lab looks at connections and memory; connections that open later are too late
END = 0.95  # of the run, when the steady part ends
POLL_SECONDS = 0.01


class Server(Protocol):
    """As a ServerProcess."""

    port: int
    of_the_lab: Callable[[], int]  # open connections of the lab's own requests
    sampled: Callable[[], tuple[int, int]]  # answers to the lab itself; those on connections that were closed since

    @property
    def pid(self) -> int: ...

    def established(self) -> int:
        """Without the connections of the lab's own requests."""

    def resident_bytes(self) -> int: ...


@dataclass(frozen=True)
class Subject:
    """What is watched. Times count from when the watch begins."""

    server: Server
    connections: int
    keep_alive: bool
    clock: Clock
    cores: Sequence[int]
    start_up_seconds: float  # of the generator
    seconds: float  # that the generator takes after that
    network_is_private: bool = False  # then its counts are those of this run
    other_port: int = 0  # of the other server, if this one is a proxy


@dataclass(frozen=True)
class Moment:
    """What had been counted then."""

    at: float
    cpu_seconds: float
    interrupts: Interrupts
    sent: dict[bytes, int]  # bytes that the server's connections have sent; empty under Connection: close
    accepts: int | None  # by the server; None if others accept in the same network
    sampled: int = 0  # answers to the lab itself
    sampled_unseen: int = 0  # of them, those that are in none of the kernel's counts
    sent_to_proxy: dict[bytes, int] = field(default_factory=dict)  # by the other server


@dataclass(frozen=True)
class Steady:
    """Between two moments."""

    begin: Moment
    end: Moment
    first_connection_at: float
    accepts_before: int  # when the watch began
    over_at: float  # when the generator had ended
    clock: str
    sent_by_middle: dict[bytes, int] = field(default_factory=dict)  # as in a Moment

    @property
    def seconds(self) -> float:
        return self.end.at - self.begin.at

    @property
    def bytes_sent(self) -> int:
        """On connections that were opened during the watch."""
        return self._sent_since(self.begin.sent)

    @property
    def bytes_sent_to_proxy(self) -> int:
        return sockets.acked_since(self.begin.sent_to_proxy, self.end.sent_to_proxy)

    @property
    def opened_again(self) -> int:
        """Connections of clients that came after all were open."""
        return len(self.end.sent.keys() - self.begin.sent.keys())

    @property
    def bytes_sent_late(self) -> int:
        """Of them, those after the middle of the run."""
        return self._sent_since(self.sent_by_middle)

    def _sent_since(self, before: dict[bytes, int]) -> int:
        return sockets.acked_since(before, self.end.sent)


class Time:
    """The machine's own. A test has another, which goes on with the answers that came."""

    def __init__(self) -> None:
        self._over = threading.Event()

    def now(self) -> float:
        return time.monotonic()

    def is_over_at(self, at: float) -> bool:
        """Waits until then, or until end()."""
        return self._over.wait(max(0.0, at - time.monotonic()))

    def end(self) -> None:
        self._over.set()


class Watch:
    """From entering to leaving. Leaving ends it at once."""

    def __init__(self, subject: Subject, time: Time | None = None) -> None:
        self._subject, self._time = subject, time or Time()
        self._thread = threading.Thread(target=self._run, name="watch", daemon=True)
        self._ends: tuple[Moment, Moment, float, int] | None = None
        self._sent_by_middle: dict[bytes, int] = {}
        self.established: int | None = None
        self.resident_bytes: int | None = None
        self.steady: Steady | None = None  # None: the connections opened too late, or the generator ended too early

    def __enter__(self) -> Watch:
        # The lab's own connections: those that stay beside the traffic.
        self._before = self._sent()
        self._accepts_before = self._accepts() or 0
        self._began = self._time.now()
        self._thread.start()
        return self

    def __exit__(self, *raised: object) -> None:
        over_at = self._time.now()
        self._time.end()
        self._thread.join()
        if self._ends:
            self.steady = Steady(*self._ends, over_at, self._subject.clock.name, self._sent_by_middle)

    # --- in the thread, which is in the network namespace of the one that started it ---

    def _run(self) -> None:
        subject = self._subject
        middle = self._began + subject.start_up_seconds + subject.seconds * MIDDLE
        first = self._wait_until_open(middle)
        begin = self._moment() if first is not None else None
        if not self._time.is_over_at(middle):
            self._look()
            self._sent_by_middle = self._sent_to_clients()
        over = self._time.is_over_at(self._began + subject.start_up_seconds + subject.seconds * END)
        if begin is None or first is None or over:
            return
        end = self._moment()
        if not self._time.is_over_at(self._began):
            self._ends = begin, end, first, self._accepts_before

    def _wait_until_open(self, until: float) -> float | None:
        """Returns when the first connection was there; None if not all were in time."""
        first = None
        while (now := self._time.now()) < until and not self._time.is_over_at(now + POLL_SECONDS):
            opened = self._opened()
            if first is None and opened > 0:
                first = self._time.now()
            if opened >= self._subject.connections:
                return first
        return None

    def _opened(self) -> int:
        """How many of its connections the generator has opened. Under Connection: close, how many there have been."""
        accepts = self._accepts()
        came = None if accepts is None else accepts - self._accepts_before
        if not self._subject.keep_alive and came is not None:
            return came
        if came is not None and came < self._subject.connections:
            return came  # not all yet, and nothing to count
        found = self._accepted()
        # Without a count of accepts, a connection that is seen stands for all.
        return found if self._subject.keep_alive or found <= 0 else self._subject.connections

    def _accepted(self) -> int:
        """Without those that were there before: the lab's own, and some of the warm-up that are being closed."""
        server = self._subject.server
        try:
            return len(sockets.accepted(server.port) - self._before.keys()) - server.of_the_lab()
        except OSError:  # this kernel has no sock_diag(7)
            return server.established()

    def _moment(self) -> Moment:
        """The list of sockets takes a while, so the clocks count in its middle."""
        clock = self._subject.clock
        at, cpu = self._time.now(), clock.seconds()
        sent = self._sent_to_clients()
        accepts, (sampled, closed) = self._accepts(), self._subject.server.sampled()
        found = interrupts.of_cores(self._subject.cores)
        unseen = closed if self._subject.keep_alive else 0
        at, cpu = (at + self._time.now()) / 2, (cpu + clock.seconds()) / 2
        return Moment(at, cpu, found, sent, accepts, sampled, unseen, self._sent_by_other())

    def _look(self) -> None:
        server = self._subject.server
        self.established = server.established()
        if self.established < self._subject.connections:  # the kernel gives its list in pieces, and may skip some
            self.established = max(self.established, server.established())
        self.resident_bytes = server.resident_bytes()

    def _accepts(self) -> int | None:
        return traffic.counts().accepts if self._subject.network_is_private else None

    def _sent_to_clients(self) -> dict[bytes, int]:
        """Not to the lab itself. Nothing under Connection: close, where a socket is gone with its answer."""
        if not self._subject.keep_alive:
            return {}
        return {key: size for key, size in self._sent().items() if key not in self._before}

    def _sent_by_other(self) -> dict[bytes, int]:
        return self._sent_from(self._subject.other_port) if self._subject.other_port else {}

    def _sent(self) -> dict[bytes, int]:
        return self._sent_from(self._subject.server.port)

    @staticmethod
    def _sent_from(port: int) -> dict[bytes, int]:
        try:
            return sockets.bytes_acked(port)
        except OSError:  # this kernel has no sock_diag(7)
            return {}
