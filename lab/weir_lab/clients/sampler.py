"""Looks at whole answers during a run: the lab's own requests, a few hundred a second, in one thread on the generator's
cores. They are the same requests as the generator's, so a server can't tell them apart. Each answer is checked as the
validator checks it: version, status, length, and the whole content.

How many: if 1 % of the answers are wrong, 500 answers miss all of the wrong ones with a chance of 0.99^500 = 0.7 %. So
a run of one second at 500 a second finds them with 99 %, and one of three seconds all but certainly. A request costs
the lab about 100 us, and the server what any request costs it: the lab counts it among the answers of the server.

Where an answer takes long or is large there are fewer: the sampler takes at most 2 % of what one connection could, and
32 MB a second, but asks twice a second at least.

An open loop measures latency, and leaves its cores idle now and then. There the sampler works only while nobody else
wants to (SCHED_IDLE), so that no request waits for it. A closed loop leaves no idle time: there it takes its share."""

from __future__ import annotations

import os
import selectors
import threading
import time
from collections import Counter
from dataclasses import dataclass

from weir_lab.clients.expected import Expected
from weir_lab.clients.transport import PLAIN, Transport
from weir_lab.clients.wire import CLOSED, Wire, Wrong
from weir_lab.core.findings import Sampled
from weir_lab.core.scenario import MIB

ANSWERS_PER_SECOND = 500.0
ANSWERS_PER_SECOND_MIN = 2.0
SHARE = 0.02  # of the time of a server that answers one request after the other
BYTES_PER_SECOND = 32 * MIB
NEW_CONNECTION_EACH = 5  # requests: a server may treat its first connection, or an old one, in another way
BEGINS_AFTER_SECONDS = 0.05  # the generator's connections come first
WAIT_SECONDS = 1.0  # for the rest of an answer whose first byte has come, and for a close
KINDS_MAX = 5  # of wrong answers that are told apart
CONNECTIONS_MAX = 16  # at once: as many requests are under way where an answer has to wait for those to the generator


@dataclass(frozen=True)
class Sampling:
    """What to ask for, and how often."""

    port: int
    expected: Expected
    keep_alive: bool
    per_second: float
    cores: tuple[int, ...] = ()
    start_up_seconds: float = 0.0  # of the generator
    yields: bool = False  # to everybody else
    transport: Transport = PLAIN


def per_second(body_bytes: int, answer_seconds: float | None) -> float:
    of_time = SHARE / answer_seconds if answer_seconds else ANSWERS_PER_SECOND
    return max(ANSWERS_PER_SECOND_MIN, min(ANSWERS_PER_SECOND, of_time, BYTES_PER_SECOND / max(1, body_bytes)))


class Sampler:
    """Samples from entering to leaving."""

    def __init__(self, sampling: Sampling) -> None:
        self._sampling = sampling
        self._request = sampling.expected.request(sampling.port, close=not sampling.keep_alive)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._serve, name="sampler", daemon=True)
        self._selector = selectors.DefaultSelector()  # connections that wait for an answer
        self._waiting: dict[Wire, bool] = {}  # and whether they are kept afterwards
        self._idle: list[Wire] = []  # kept connections without a request
        self._wrong: Counter[str] = Counter()
        self._right = self._new = self._unfinished = self._connections = 0
        self._cpu_seconds = 0.0

    def __enter__(self) -> Sampler:
        self._thread.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._stop.set()
        for wire in list(self._waiting):
            wire.cut()
        self._thread.join()

    def kept_connections(self) -> int:
        """That the server has accepted and that are open now. Any thread may ask."""
        kept = [*self._idle, *(wire for wire, is_kept in list(self._waiting.items()) if is_kept)]
        return sum(wire.answers > 0 for wire in kept)

    def given(self) -> tuple[int, int]:
        """The answers so far, and those on connections that were closed after them. Any thread may ask."""
        return self._right + self._wrong.total(), self._new

    def has_found(self) -> bool:
        """A wrong answer. Any thread may ask."""
        return bool(self._wrong)

    def found(self) -> Sampled:
        """After leaving."""
        return Sampled(
            self.given()[0], dict(self._wrong), self._new, self._unfinished, self._connections, self._cpu_seconds
        )

    # --- in the thread ---

    def _serve(self) -> None:
        if self._sampling.cores:  # of this thread alone, as all scheduling is
            os.sched_setaffinity(0, self._sampling.cores)
        if self._sampling.yields:
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
        interval = 1 / self._sampling.per_second
        due = time.monotonic() + self._sampling.start_up_seconds + BEGINS_AFTER_SECONDS
        number = 0
        while not self._stop.is_set():
            self._receive(max(0.0, due - time.monotonic()))
            if time.monotonic() >= due and not self._stop.is_set():
                self._ask(is_new=number % NEW_CONNECTION_EACH == 0)
                number += 1
                due = max(due + interval, time.monotonic())  # what it is late with, it leaves out
        self._end()

    def _ask(self, is_new: bool) -> None:
        if len(self._waiting) + len(self._idle) >= CONNECTIONS_MAX:
            if not self._idle:
                return
            if is_new:
                self._idle.pop().leave()  # kept ones alone would leave no place for a new one, ever
        is_kept = self._sampling.keep_alive and not is_new
        wire = self._idle.pop() if is_kept and self._idle else self._connect()
        if wire is None:
            return
        try:
            wire.send(self._request)
        except (Wrong, OSError) as error:
            self._count(error, wire.answers)
            wire.leave()
            return
        self._waiting[wire] = is_kept
        self._selector.register(wire, selectors.EVENT_READ, wire)

    def _connect(self) -> Wire | None:
        self._connections += 1
        try:
            return self._sampling.transport.wire(self._sampling.port, WAIT_SECONDS)
        except TimeoutError:
            self._unfinished += 1
        except (Wrong, OSError) as error:
            self._count(error)
        return None

    def _receive(self, seconds: float) -> None:
        for key, _ in self._selector.select(seconds):
            wire: Wire = key.data
            self._selector.unregister(wire)
            is_kept = self._waiting.pop(wire)
            if self._is_right(wire, is_kept) and is_kept:
                self._idle.append(wire)
            else:
                wire.leave()

    def _is_right(self, wire: Wire, is_kept: bool) -> bool:
        try:
            self._sampling.expected.check(wire.answer())
            if wire.rest():
                raise Wrong("the server sent more bytes than it announced")
            if not self._sampling.keep_alive and not wire.ends():
                raise Wrong("the server keeps a connection that it was asked to close")
        except TimeoutError:
            self._unfinished += 1
            return False
        except (Wrong, OSError) as error:
            self._count(error, wire.answers)
            return False
        self._right += 1
        self._new += not is_kept
        return True

    def _count(self, error: Exception, answers: int = 0) -> None:
        if self._stop.is_set():
            self._unfinished += 1  # the lab itself has cut it
            return
        words = str(error) or type(error).__name__
        if words == CLOSED and answers:
            words = "the server closed a connection that it should keep"
        self._wrong[words if words in self._wrong or len(self._wrong) < KINDS_MAX else "other wrong answers"] += 1

    def _end(self) -> None:
        self._unfinished += len(self._waiting)
        for wire in (*self._waiting, *self._idle):
            wire.leave()
        self._selector.close()
        self._cpu_seconds = time.thread_time()
