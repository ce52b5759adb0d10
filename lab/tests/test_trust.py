"""What is compared, with plain numbers; and how much the sampler asks for."""

from __future__ import annotations

import os
import threading
import time
from dataclasses import replace

import pytest
from wrong_servers import BODY, server

from weir_lab.clients.expected import Expected
from weir_lab.clients.sampler import Sampler, Sampling, per_second
from weir_lab.clients.wire import Wire
from weir_lab.core.findings import Counted, Sampled, Trust, Worker
from weir_lab.core.load import Load
from weir_lab.core.scenario import MIB
from weir_lab.verify import comparisons, judgement
from weir_lab.verify.comparisons import Claim

CLAIM = Claim(Load(10_000, 2.0), connections=100, keep_alive=True, answer_bytes=1250, asked_seconds=2.0)
COUNTED = Counted(wall_seconds=2.1, accepts=121, octets=14_000_000)
SAMPLED = Sampled(answers=100, new_connections=19, connections=20)
DEADLINE_SECONDS = 60
CLOSING = replace(CLAIM, keep_alive=False)


def said(**changes: float) -> Claim:
    return replace(CLAIM, load=replace(CLAIM.load, **changes))  # type: ignore[arg-type]


def test_what_agrees_is_not_refused() -> None:
    assert list(comparisons.reasons(CLAIM, COUNTED, SAMPLED)) == []
    assert list(comparisons.reasons(CLOSING, replace(COUNTED, accepts=10_121), SAMPLED)) == []
    assert list(comparisons.reasons(CLAIM, Counted(), Sampled())) == []


@pytest.mark.parametrize(
    ("claim", "counted", "words"),
    [
        (said(seconds=1.0), COUNTED, "says that it took 1.00 s, but it was given 2 s"),
        (said(seconds=2.2), COUNTED, "says that it took 2.20 s, but it ran for 2.10 s by the lab's clock"),
        (CLAIM, replace(COUNTED, wall_seconds=4.0), "ran for 4.00 s by the lab's clock, but says that it took 2.00 s"),
        (CLAIM, replace(COUNTED, accepts=131), "accepted 111 connections, and 100 were asked for"),
        (CLOSING, replace(COUNTED, accepts=9_000), "10,000 answers are said to have come on a connection each"),
        (CLOSING, replace(COUNTED, accepts=10_400), "10,000 answers are said to have come on a connection each"),
        (said(requests=12_000), COUNTED, "have 15,000,000 bytes, but by the kernel's count only 14,000,000 were sent"),
    ],
)
def test_what_does_not_agree_is_refused(claim: Claim, counted: Counted, words: str) -> None:
    (reason,) = comparisons.reasons(claim, counted, SAMPLED)
    assert words in reason


def test_a_generator_that_starts_slowly_is_given_that_time() -> None:
    slow = replace(said(seconds=1.0), start_up_seconds=1.0)
    assert list(comparisons.reasons(slow, replace(COUNTED, wall_seconds=2.5), SAMPLED)) == []


@pytest.mark.parametrize(
    ("trust", "words"),
    [
        (Trust(sampled=Sampled(200, {"zeros": 3, "empty": 1})), "2.0% of 200 sampled answers were wrong: zeros (3); e"),
        (Trust(sampled=Sampled(0)), "the lab got no answer to its own requests"),
        (Trust(strangers=["7 (x)"]), "belong to process 7 (x), which is no child of the server"),
        (Trust(outsiders=[Worker(7, "x", 0.5, "a pipe")]), "process 7 (x) worked too, 25% of one core"),
    ],
)
def test_what_the_lab_found_is_said(trust: Trust, words: str) -> None:
    (reason,) = judgement.reasons(trust, CLAIM)
    assert words in reason


def test_an_outsider_counts_only_if_it_worked_for_the_server() -> None:
    for one in (Worker(7, "x", 0.5), Worker(7, "x", 0.02, "a pipe")):
        assert list(judgement.reasons(Trust(outsiders=[one]), CLAIM)) == []
    assert judgement.culprit(Trust(outsiders=[Worker(7, "x", 0.5)])) == ", most of it process 7 (x)"


def test_so_many_answers_are_looked_at() -> None:
    assert per_second(1024, 30e-6) == 500
    assert per_second(1024, 0.001) == pytest.approx(20)
    assert per_second(MIB, 0.0004) == pytest.approx(32)
    assert per_second(100 * MIB, 0.05) == 2


def sampling(url: str, **changes: object) -> Sampling:
    port = int(url.rstrip("/").rpartition(":")[2])
    return replace(Sampling(port, Expected("/", len(BODY), BODY), True, 500.0), **changes)  # type: ignore[arg-type]


def wait_for_answers(one: Sampler, answers: int) -> None:
    until = time.monotonic() + DEADLINE_SECONDS
    while one.given()[0] < answers:
        assert time.monotonic() < until
        threading.Event().wait(0.01)


def sampled(how: str, answers: int, **changes: object) -> Sampled:
    with server(how) as url:
        with Sampler(sampling(url, **changes)) as one:
            wait_for_answers(one, answers)
        return one.found()


@pytest.mark.parametrize("keep_alive", [True, False])
def test_right_answers_are_right(keep_alive: bool) -> None:
    found = sampled("right", 40, keep_alive=keep_alive, cores=(min(os.sched_getaffinity(0)),))
    assert found.wrong == {} and found.answers >= 40
    assert found.new_connections == found.answers if not keep_alive else 0 < found.new_connections < found.answers
    assert found.cpu_seconds > 0


@pytest.mark.parametrize("yields", [True, False])
def test_an_open_loop_does_not_wait_for_the_sampler(yields: bool) -> None:
    with server("right") as url, Sampler(sampling(url, yields=yields)) as one:
        wait_for_answers(one, 1)
        thread = next(thread for thread in threading.enumerate() if thread.name == "sampler")
        assert thread.native_id
        assert (os.sched_getscheduler(thread.native_id) == os.SCHED_IDLE) == yields


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("500", "the server answers with status 500, not 200"),
        ("302", "the server answers with status 302, not 200"),
        ("other length", "the server answers 5 bytes, not 1024"),
        ("short", "the server closed in the content (5 of 1,024 bytes came)"),
        ("reset", "the server closed in place of an answer"),
    ],
)
def test_wrong_answers_are_counted_by_what_is_wrong(how: str, words: str) -> None:
    found = sampled(how, 10)
    assert found.wrong == {words: found.answers} and found.answers >= 10


def test_whoever_does_not_answer_is_not_wrong() -> None:
    with (
        server("silent") as url,
        Sampler(sampling(url)) as one,
        Wire(sampling(url).port, 0.2) as wire,
        pytest.raises(TimeoutError),
    ):
        wire.send(b"GET / HTTP/1.1\r\n\r\n")
        wire.answer()
    found = one.found()
    assert found.answers == 0 and found.wrong == {} and 0 < found.unfinished <= found.connections


def test_nobody_there_is_wrong() -> None:
    found = sampled("refused", 5)
    assert list(found.wrong) == ["[Errno 111] Connection refused"]


def test_a_request_is_the_generators() -> None:
    new, old = Expected("/a", 5), Expected("/a", 5, asks_in="1.0")
    assert new.request(80) == b"GET /a HTTP/1.1\r\nHost: 127.0.0.1:80\r\n\r\n"
    assert new.request(80, close=True).endswith(b"\r\nConnection: close\r\n\r\n")
    assert old.request(80) == b"GET /a HTTP/1.0\r\nHost: 127.0.0.1:80\r\nConnection: Keep-Alive\r\n\r\n"
    assert old.request(80, close=True) == b"GET /a HTTP/1.0\r\nHost: 127.0.0.1:80\r\n\r\n"
    posting = Expected("/a", 5, method="POST", request_body=b"xyz")
    assert posting.request(80).endswith(b"\r\nContent-Length: 3\r\n\r\nxyz") and posting.request(80).startswith(
        b"POST "
    )
