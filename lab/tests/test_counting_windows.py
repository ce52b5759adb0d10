"""The steady part of a run: when it begins and ends, and whose counts must agree about it."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from reading import exactly
from wrong_servers import BODY, server

from weir_lab.core.load import Load
from weir_lab.core.result import Cell, Run, Window
from weir_lab.counting import interrupts, steady, windows
from weir_lab.counting.interrupts import Interrupts
from weir_lab.counting.steady import Moment, Steady, Subject, Time, Watch
from weir_lab.kernel import clocks, processes
from weir_lab.network import namespaces
from weir_lab.running import measurement
from weir_lab.running.measurement import Order, measure
from weir_lab.targets import find as find_target

REQUEST = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
HEAD_BYTES = len(b"HTTP/1.1 200 OK\r\nContent-Length: 1024\r\nConnection: keep-alive\r\n\r\n")
ANSWER_BYTES = HEAD_BYTES + len(BODY)


@pytest.fixture(autouse=True)
def booked_to_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interrupts, "are_booked_apart", lambda: False)


# --- watching ---


class OwnServer:
    """In a thread of the test."""

    def __init__(self, port: int) -> None:
        self.port, self.pid = port, os.getpid()
        self.of_the_lab: Callable[[], int] = lambda: 0
        self.sampled: Callable[[], tuple[int, int]] = lambda: (0, 0)

    def established(self) -> int:
        return processes.established(self.port)

    def resident_bytes(self) -> int:
        return processes.resident_bytes(self.pid)


def subject(port: int, connections: int, seconds: float, keep_alive: bool = True, private: bool = False) -> Subject:
    clock = clocks.Clock("process", lambda: clocks.of_process(os.getpid()))
    return Subject(OwnServer(port), connections, keep_alive, clock, [0], 0.0, seconds, private)


class AnswerTime(Time):
    """Goes on by a hundredth of a second with each answer, but not past the time that the watch waits for: a busy
    machine changes nothing."""

    def __init__(self) -> None:
        super().__init__()
        self._answers, self._awaited, self._changed = 0, 0.0, threading.Condition()

    def now(self) -> float:
        with self._changed:
            return self._answers / 100

    def answered(self) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._over.is_set() or self._answers / 100 < self._awaited)
            self._answers += 1
            self._changed.notify_all()

    def is_over_at(self, at: float) -> bool:
        with self._changed:
            self._awaited = at
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._over.is_set() or self._answers / 100 >= at)
            return self._over.is_set()

    def waits_no_more(self) -> None:
        """The watch has ended."""
        with self._changed:
            self._awaited = float("inf")
            self._changed.notify_all()

    def end(self) -> None:
        with self._changed:
            self._over.set()
            self._changed.notify_all()


@contextmanager
def asking(port: int, connections: int, time: AnswerTime, answers: int = 200) -> Iterator[None]:
    """Opens them, and asks on each of them in turn until so many answers have come."""
    with ExitStack() as ends:
        sockets = [ends.enter_context(socket.create_connection(("127.0.0.1", port), 60)) for _ in range(connections)]

        def ask() -> None:
            for number in range(answers):
                one = sockets[number % connections]
                one.sendall(REQUEST)
                assert len(exactly(one, ANSWER_BYTES)) == ANSWER_BYTES
                time.answered()

        thread = threading.Thread(target=ask)
        thread.start()
        yield
        time.waits_no_more()
        thread.join()


def port_of(url: str) -> int:
    return int(url.rstrip("/").rpartition(":")[2])


def test_the_steady_part_has_the_answers_that_the_server_sent() -> None:
    time = AnswerTime()
    with server("right") as url, socket.create_connection(("127.0.0.1", port_of(url))) as beside:
        beside.sendall(REQUEST)  # an idle client of the lab's own: what it received does not count
        assert len(exactly(beside, ANSWER_BYTES)) == ANSWER_BYTES
        with Watch(subject(port_of(url), 3, 2.0), time) as watch, asking(port_of(url), 3, time):
            watch._thread.join()
    found = watch.steady
    assert found and watch.established == 4 and watch.resident_bytes
    assert found.clock == "process" and found.end.cpu_seconds > found.begin.cpu_seconds
    assert found.begin.at < 2.0 * steady.MIDDLE and 2.0 * steady.END <= found.end.at <= 2.0
    until_end = sum(found.end.sent.values()) / ANSWER_BYTES
    unacknowledged = 3  # the last answer on each connection may be
    assert 100 * 2.0 * steady.END - unacknowledged <= until_end <= 200
    assert 0 < found.bytes_sent / ANSWER_BYTES <= until_end


def test_connections_that_are_not_all_there_make_no_steady_part() -> None:
    time = AnswerTime()
    with server("right") as url, Watch(subject(port_of(url), 3, 2.0), time) as watch, asking(port_of(url), 2, time):
        watch._thread.join()
    assert watch.steady is None and watch.established == 2


def test_connections_of_the_warm_up_that_still_close_do_not_count() -> None:
    time = AnswerTime()
    with server("right") as url, ExitStack() as warm_up:
        port = port_of(url)
        old = [warm_up.enter_context(socket.create_connection(("127.0.0.1", port))) for _ in range(3)]
        while processes.established(port) < 3:
            pass
        with Watch(subject(port, 2, 2.0), time) as watch:
            for one in old:
                one.close()
            with asking(port, 2, time):
                watch._thread.join()
    assert watch.steady and watch.established == 2


def test_a_generator_that_ends_early_makes_no_steady_part() -> None:
    time = AnswerTime()
    with (
        server("right") as url,
        Watch(subject(port_of(url), 2, 2.0), time) as watch,
        asking(port_of(url), 2, time, 100),
    ):
        pass
    assert watch.steady is None and not watch._thread.is_alive()


@pytest.mark.live
def test_under_close_each_connection_is_an_answer() -> None:
    with namespaces.private() as network:
        if not network.is_private:
            pytest.skip(network.words())
        with server("right") as url, Watch(subject(port_of(url), 2, 2.0, keep_alive=False, private=True)) as watch:
            made = 0
            while watch._thread.is_alive():
                with socket.create_connection(("127.0.0.1", port_of(url))) as one:
                    one.sendall(REQUEST)
                    one.recv(1)
                    made += 1
    found = watch.steady
    assert found and found.begin.accepts is not None and found.end.accepts is not None
    assert found.begin.accepts - found.accepts_before >= 2
    assert 0 < found.end.accepts - found.begin.accepts < made


# --- counting ---


def moment(at: float, **changes: object) -> Moment:
    return replace(Moment(at, at * 0.5, Interrupts(at * 0.1, 0.0), {}, None), **changes)  # type: ignore[arg-type]


def by_bytes(begin: int = 1000, end: int = 9500) -> Steady:
    """10,000 answers of 100 bytes in ten seconds."""
    return Steady(
        moment(11.0, sent={b"a": begin * 50, b"b": begin * 50}),
        moment(19.5, sent={b"a": end * 50, b"b": end * 50}),
        10.0,
        0,
        20.0,
        "process",
    )


def by_accepts() -> Steady:
    return Steady(moment(11.0, accepts=1500), moment(19.5, accepts=10_000), 10.0, 500, 20.0, "cgroup")


def judged(found: Steady, load: Load) -> tuple[Window, list[str]]:
    window = windows.counted(found, load, 100, 1, False)
    assert window
    return window, windows.reasons(window, found, load, 100, 10)


def test_answers_are_counted_by_bytes() -> None:
    window, reasons = judged(by_bytes(), Load(10_000, 10.0))
    assert (window.answers, window.counted_by, window.seconds, window.begin_seconds) == (8500, "bytes", 8.5, 1.0)
    assert window.cpu_per_request == pytest.approx(8.5 * 0.5 / 8500)
    assert window.softirq_seconds == pytest.approx(0.85) and reasons == []


def test_answers_are_counted_by_accepts() -> None:
    window, reasons = judged(by_accepts(), Load(10_000, 10.0))
    assert (window.answers, window.counted_by, window.clock, reasons) == (8500, "accepts", "cgroup", [])


def test_without_a_count_of_the_kernel_the_rate_is_taken() -> None:
    window, reasons = judged(Steady(moment(11.0), moment(19.5), 10.0, 0, 20.0, "process"), Load(10_000, 10.0))
    assert (window.answers, window.counted_by, reasons) == (8500, "rate", [])


def test_a_server_that_sends_nothing_after_the_middle_does_not_count() -> None:
    found = by_bytes()
    _, reasons = judged(replace(found, sent_by_middle=found.end.sent), Load(10_000, 10.0))
    assert reasons == [windows.NO_ANSWERS]


@pytest.mark.parametrize(("found", "answers"), [(by_bytes(), 8500 + 400), (by_accepts(), 8500)])
def test_answers_to_the_lab_itself_cost_the_server_too(found: Steady, answers: int) -> None:
    """Of those on kept connections the kernel counts the bytes, and all that were accepted. None is the generator's."""
    unseen = found.end.accepts is None
    found = replace(
        found,
        begin=replace(found.begin, sampled=1000, sampled_unseen=100 * unseen),
        end=replace(found.end, sampled=6000, sampled_unseen=500 * unseen),
    )
    window, reasons = judged(found, Load(10_000 - 6000 + 500 * unseen, 10.0))
    assert (window.answers, reasons) == (answers, [])
    assert judged(found, Load(10_000, 10.0))[1] != []


@pytest.mark.parametrize("found", [by_bytes(), by_accepts()])
@pytest.mark.parametrize("requests", [5_000, 9_000, 11_200, 20_000])
def test_a_generator_that_counts_otherwise_is_refused(found: Steady, requests: int) -> None:
    _, reasons = judged(found, Load(requests, 10.0))
    assert any("the generator counted" in reason for reason in reasons), reasons


@pytest.mark.parametrize("requests", [9_400, 10_600])
def test_what_happened_after_the_steady_part_may_differ(requests: int) -> None:
    assert judged(by_bytes(), Load(requests, 10.0))[1] == []


def test_connections_that_were_replaced_are_seen() -> None:
    """The bytes of a connection that is gone are gone too."""
    _, reasons = judged(by_bytes(begin=500, end=600), Load(10_000, 10.0))
    assert any("the kernel's count of bytes" in reason for reason in reasons)


def test_steal_is_refused() -> None:
    found = by_bytes()
    found = replace(found, end=replace(found.end, interrupts=Interrupts(1.0, 0.03 * found.seconds)))
    window, reasons = judged(found, Load(10_000, 10.0))
    assert window.stolen == pytest.approx(0.03) and any("steal" in reason for reason in reasons)


def test_interrupts_that_are_nobodys_are_the_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    """On cores of its own. On shared ones nobody knows whose they are."""
    monkeypatch.setattr(interrupts, "are_booked_apart", lambda: True)
    own = windows.counted(by_bytes(), Load(10_000, 10.0), 100, 1, shares_cores=False)
    shared = windows.counted(by_bytes(), Load(10_000, 10.0), 100, 1, shares_cores=True)
    assert own and shared and own.softirq_apart
    assert own.cpu_seconds - shared.cpu_seconds == pytest.approx(own.softirq_seconds)


def test_nothing_answered_is_no_window() -> None:
    assert windows.counted(by_bytes(500, 500), Load(0, 10.0), 100, 1, False) is None


# --- a whole run ---


def run_weir(tmp_path: Path, scenario: str = "keep-alive") -> Run:
    if missing := find_target("weir/per-core").missing():
        pytest.skip(missing)
    (tmp_path / "1024.bin").write_bytes(b"x" * 1024)
    return measure(Order(Cell(scenario, 20, "wrk", "weir/per-core", 1), 0, 3.0, 0.0, tmp_path))


@pytest.mark.live
@pytest.mark.parametrize(("scenario", "counted_by"), [("keep-alive", "bytes"), ("close", "accepts")])
def test_a_run_has_its_window(scenario: str, counted_by: str, tmp_path: Path) -> None:
    found = run_weir(tmp_path, scenario)
    assert found.load and found.server and found.window, found.refused
    if counted_by == "accepts" and "its own" not in found.network:
        counted_by = "rate"
    assert found.window.counted_by == counted_by
    assert 0 < found.window.answers < found.answers
    assert found.cpu_per_request == found.window.cpu_seconds / found.window.answers
    assert not any("the generator counted" in reason for reason in found.refused), found.refused


@pytest.mark.live
def test_a_generator_that_claims_more_than_there_was_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    real = measurement._read

    def doubled(*arguments: object) -> tuple[Load | None, str]:
        load, words = real(*arguments)  # type: ignore[arg-type]
        assert load and load.bytes_received
        return replace(load, requests=load.requests * 2, bytes_received=load.bytes_received * 2), words

    monkeypatch.setattr(measurement, "_read", doubled)
    found = run_weir(tmp_path)
    assert any("by the kernel's count of bytes" in reason for reason in found.refused), found.refused
