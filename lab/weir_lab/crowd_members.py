"""A part of a crowd: the connections that one process opens, keeps, and asks on when it is told to. What goes wrong with one is counted
by its kind, and that connection is lost."""

from __future__ import annotations

import selectors
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from weir_lab.company_members import Silent, WrongAnswer, connect

OPENING_MAX = (
    64  # at once, by each process: all of them together fit into a backlog (crowd_machine.py holds it to that)
)
ANSWER_SECONDS = 10.0  # in which nothing comes from anybody: those that are under way are lost
SAY_EACH = 500  # answers between two words on how far it is


@dataclass(frozen=True)
class Place:
    """Where a part comes from, and what it asks for."""

    source: str  # an address of its own: ports are a client address's
    port: int
    path: str
    content: bytes  # of every answer


@dataclass
class Report:
    """On one order."""

    seconds: list[float] = field(default_factory=list)  # from each request to the end of its answer
    errors: Counter[str] = field(default_factory=Counter)  # connections lost, by kind: one of those of Load.errors
    example: str = ""  # the first error's words

    def add(self, other: Report) -> None:
        self.seconds += other.seconds
        self.errors += other.errors
        self.example = self.example or other.example

    @contextmanager
    def counting(self, doing: str) -> Iterator[None]:
        """`doing`: connect, read or write, the kind where the error has none of its own."""
        try:
            yield
        except BlockingIOError:
            pass  # nothing has come yet
        except (OSError, ValueError) as error:
            self.lose(_kind(error, doing), str(error))

    def lose(self, kind: str, words: str) -> None:
        self.errors[kind] += 1
        self.example = self.example or words


def _kind(error: Exception, doing: str) -> str:
    if isinstance(error, WrongAnswer):
        return error.kind
    return "timeout" if isinstance(error, TimeoutError) else doing


def probe(place: Place, count: int) -> Report:
    """New connections, one after the other: connect, ask, have the answer, close. What somebody sees who comes now. Ends at the first error."""
    report = Report()
    for _ in range(count):
        began = time.perf_counter()
        with report.counting("connect"), connect(place.port, place.source) as connection, report.counting("read"):
            one = Silent(connection, place.path, place.content)
            one.ask()
            one.begin()
            report.seconds.append(time.perf_counter() - began)
        if report.errors:
            break
    return report


class Part:
    """`say`: so many more are open, or answered."""

    def __init__(self, place: Place, say: Callable[[int], None] = lambda count: None) -> None:
        self._place, self._say = place, say
        self._members: set[Silent] = set()  # without those that were lost
        self._selector = selectors.DefaultSelector()
        self._report = Report()

    def __len__(self) -> int:
        return len(self._members)

    def close(self) -> None:
        for one in list(self._members):
            self._forget(one)
        self._selector.close()

    # --- opening ---

    def open(self, count: int) -> Report:
        """So many more; each has had an answer, and so been accepted. Ends at the first error: with a silent server each takes its time."""
        self._report = Report()
        for done in range(0, count, OPENING_MAX):
            if not self._open_some(min(OPENING_MAX, count - done)):
                break
        return self._report

    def _open_some(self, count: int) -> bool:
        """All are there and have asked before the first answer is read."""
        some: list[Silent] = []
        for _ in range(count):
            with self._report.counting("connect"):
                some.append(self._connect())
            if self._report.errors or not self._try(some[-1], "write", some[-1].ask):
                return False
        if not all(self._try(one, "read", one.begin) for one in some):
            return False
        self._say(count)
        return True

    def _connect(self) -> Silent:
        one = Silent(connect(self._place.port, self._place.source), self._place.path, self._place.content)
        self._members.add(one)
        self._selector.register(one.connection, selectors.EVENT_READ, one)
        return one

    # --- asking ---

    def ask(self, at_once: int) -> Report:
        """One request on each connection, so many under way at a time."""
        self._report = Report()
        yet_to_ask = iter(list(self._members))
        under_way: dict[Silent, float] = {}  # and since when
        while True:
            while len(under_way) < at_once and (one := next(yet_to_ask, None)):
                self._send(one, under_way)
            if not under_way:
                return self._report
            self._receive(under_way)

    def _send(self, one: Silent, under_way: dict[Silent, float]) -> None:
        if one in self._members:
            under_way[one] = time.perf_counter()
            if not self._try(one, "write", one.ask):
                del under_way[one]

    def _receive(self, under_way: dict[Silent, float]) -> None:
        """Waits until something happens. What happens to those that have not asked is that they are closed."""
        ready = self._selector.select(ANSWER_SECONDS)
        if not ready:
            for one in under_way:
                self._lose(one, "timeout", "no answer came")
            under_way.clear()
        for key, _ in ready:
            one = key.data
            before = one.answers.count
            if not self._try(one, "read", one.turn):
                under_way.pop(one, None)
            elif one.answers.count > before:
                self._note_answer(one, under_way.pop(one, None))

    def _note_answer(self, one: Silent, began: float | None) -> None:
        if began is None:
            return self._lose(one, "body", "the server answered without a request")
        self._report.seconds.append(time.perf_counter() - began)
        if len(self._report.seconds) % SAY_EACH == 0:
            self._say(SAY_EACH)

    # --- losing ---

    def _try(self, one: Silent, doing: str, act: Callable[[], None]) -> bool:
        """False where the connection was lost."""
        lost_before = self._report.errors.total()
        with self._report.counting(doing):
            act()
        if self._report.errors.total() == lost_before:
            return True
        self._forget(one)
        return False

    def _lose(self, one: Silent, kind: str, words: str) -> None:
        self._report.lose(kind, words)
        self._forget(one)

    def _forget(self, one: Silent) -> None:
        self._members.discard(one)
        self._selector.unregister(one.connection)
        one.connection.close()
