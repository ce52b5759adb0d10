"""Looks at whole answers during a run: the lab's own requests, a few hundred a second, in one thread on the generator's
cores. They are the same requests as the generator's, so a server can't tell them apart. Each answer is checked as the
validator checks it: version, status, length, and the whole content.

How many: if 1 % of the answers are wrong, 500 answers miss all of the wrong ones with a chance of 0.99^500 = 0.7 %. A
run of one second at 500 a second so finds them with 99 %, and three seconds with all but certainty. A request costs the
lab about 80 us and the server what any request costs it: the lab counts it among the answers of the server.

Where an answer takes long or is large there are fewer: the sampler takes at most 2 % of what one connection could, and
32 MB a second, but asks twice a second at least."""

from __future__ import annotations

import os
import threading
import time
from collections import Counter
from dataclasses import dataclass
from types import TracebackType

from weir_lab.scenario import MIB
from weir_lab.trust.expected import Expected
from weir_lab.trust.findings import Sampled
from weir_lab.trust.wire import Wire, Wrong

ANSWERS_PER_SECOND = 500.0
ANSWERS_PER_SECOND_MIN = 2.0
SHARE = 0.02  # of the time of a server that answers one request after the other
BYTES_PER_SECOND = 32 * MIB
NEW_CONNECTION_EACH = 5  # requests: a server may treat its first connection, or an old one, in another way
BEGINS_AFTER_SECONDS = 0.05  # the generator's connections come first
WAIT_SECONDS = 1.0  # for a part of an answer: a late one is not wrong
KINDS_MAX = 5  # of wrong answers that are told apart
CONNECTIONS = 2  # at once, at most


@dataclass(frozen=True)
class Sampling:
    """What to ask for, and how often."""

    port: int
    expected: Expected
    keep_alive: bool
    per_second: float
    cores: tuple[int, ...] = ()
    start_up_seconds: float = 0.0  # of the generator


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
        self._kept: Wire | None = None
        self._asking: Wire | None = None
        self._wrong: Counter[str] = Counter()
        self._right = self._new = self._unfinished = self._connections = 0
        self._cpu_seconds = 0.0

    def __enter__(self) -> Sampler:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        if asking := self._asking:
            asking.cut()
        self._thread.join()

    def kept_connections(self) -> int:
        """That it holds open now."""
        return 1 if self._kept else 0

    def found(self) -> Sampled:
        """After leaving."""
        return Sampled(
            self._right + self._wrong.total(),
            dict(self._wrong),
            self._new,
            self._unfinished,
            self._connections,
            self._cpu_seconds,
        )

    # --- in the thread ---

    def _serve(self) -> None:
        if self._sampling.cores:
            os.sched_setaffinity(0, self._sampling.cores)  # of this thread alone
        interval = 1 / self._sampling.per_second
        due = time.monotonic() + self._sampling.start_up_seconds + BEGINS_AFTER_SECONDS
        number = 0
        while not self._stop.wait(max(0.0, due - time.monotonic())):
            self._sample(number)
            number += 1
            due = max(due + interval, time.monotonic())  # what it is late with, it leaves out
        if self._kept:
            self._kept.leave()
        self._cpu_seconds = time.thread_time()

    def _sample(self, number: int) -> None:
        try:
            if self._sampling.keep_alive and number % NEW_CONNECTION_EACH:
                self._on_kept()
            else:
                self._on_new()
        except TimeoutError:
            self._unfinished += 1
            self._drop_kept()
        except (Wrong, OSError) as error:
            self._drop_kept()
            if self._stop.is_set():
                self._unfinished += 1
            else:
                self._count(error)

    def _on_kept(self) -> None:
        if self._kept is None:
            self._kept = self._connect()
        self._ask(self._kept)

    def _on_new(self) -> None:
        with self._connect() as wire:
            self._ask(wire)
            if not self._sampling.keep_alive and not wire.ends():
                raise Wrong("the server keeps a connection that it was asked to close")
        self._new += 1

    def _connect(self) -> Wire:
        self._connections += 1
        return Wire(self._sampling.port, WAIT_SECONDS)

    def _ask(self, wire: Wire) -> None:
        self._asking = wire
        wire.send(self._request)
        try:
            self._sampling.expected.check(wire.answer())
        except Wrong as error:
            after = f" after {wire.answers:,} answers on the connection" if "closed in place" in str(error) else ""
            raise Wrong(f"{error}{after}") from None
        if wire.rest():
            raise Wrong("the server sent more bytes than it announced")
        self._right += 1

    def _drop_kept(self) -> None:
        if self._kept:
            self._kept.leave()
            self._kept = None

    def _count(self, error: Exception) -> None:
        words = str(error) or type(error).__name__
        self._wrong[words if words in self._wrong or len(self._wrong) < KINDS_MAX else "other wrong answers"] += 1
