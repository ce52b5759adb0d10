"""Servers that are right until they are measured, and lie then: the lab's own requests find them out. The tests go on
until they have, so the machine may be as slow as it likes."""

from __future__ import annotations

import socket
import threading
import time
from pathlib import Path

import pytest
from lying import BadTarget, site
from targets_run import running

from weir_lab.clients.expected import Expected
from weir_lab.clients.sampler import CONNECTIONS_MAX, Sampler, Sampling
from weir_lab.core.findings import Sampled, Trust
from weir_lab.core.load import Load
from weir_lab.core.scenario import SCENARIOS
from weir_lab.verify import judgement
from weir_lab.verify.comparisons import Claim
from weir_lab.verify.validator import validate

ANSWERS = 1000  # of a right server: more than a lying one answers right at first
DEADLINE_SECONDS = 120
PER_SECOND = 5000.0


def sampled(how: str, scenario: str, folder: Path) -> Sampled:
    """Until a wrong answer was found, or so many right ones."""
    asked, files, scratch = SCENARIOS[scenario], site(folder), folder / "scratch"
    scratch.mkdir()
    with running(BadTarget(how), asked, files, scratch) as server:
        _, expected = validate(server.port, asked, Expected.of(asked, files), ())
        with Sampler(Sampling(server.port, expected, asked.keep_alive, PER_SECOND)) as sampler:
            until = time.monotonic() + DEADLINE_SECONDS
            while not sampler.has_found() and sampler.given()[0] < (ANSWERS if how == "right" else 1e9):
                assert time.monotonic() < until
                threading.Event().wait(0.005)
        return sampler.found()


class Connected:
    """A connection to a server that never answers."""

    def __init__(self) -> None:
        self.near, self.far = socket.socketpair()
        self.answers = 1

    def fileno(self) -> int:
        return self.near.fileno()

    def send(self, request: bytes) -> None:
        self.near.sendall(request)

    def leave(self) -> None:
        self.near.close()
        self.far.close()


def test_kept_connections_leave_a_place_for_a_new_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A server that was slow for a moment may have as many kept ones as there may be."""
    sampler = Sampler(Sampling(1, Expected.of(SCENARIOS["keep-alive"], site(tmp_path)), True, PER_SECOND))
    new = Connected()
    monkeypatch.setattr(sampler, "_connect", lambda: new)
    monkeypatch.setattr(sampler, "_idle", [Connected() for _ in range(CONNECTIONS_MAX)])
    sampler._ask(is_new=True)
    assert new.far.recv(4) == b"GET " and sampler.kept_connections() == CONNECTIONS_MAX - 1
    sampler._end()


def reasons(found: Sampled) -> list[str]:
    return list(judgement.reasons(Trust(sampled=found), Claim(Load(10_000, 1.0), 20, True, 1250, 1.0)))


@pytest.mark.parametrize(
    ("how", "scenario", "words"),
    [
        ("later 302", "keep-alive", "the server answers with status 302, not 200"),
        ("later 302", "close", "the server answers with status 302, not 200"),
        ("later zeros", "keep-alive", "the content is not the right one"),
        ("later ten short", "keep-alive", "the server answers 1014 bytes, not 1024"),
        ("later same sum", "keep-alive", "the server answers 1027 bytes, not 1024"),
        ("zeros on new connections", "keep-alive", "the content is not the right one"),
        ("500", "keep-alive", "the server answers with status 500, not 200"),
        ("short", "keep-alive", "the server answers 100 bytes, not 1024"),
        ("1 % zeros", "keep-alive", "the content is not the right one"),
    ],
)
def test_it_is_found_out(how: str, scenario: str, words: str, tmp_path: Path) -> None:
    (reason,) = reasons(sampled(how, scenario, tmp_path))
    assert "sampled answers were wrong: " in reason and words in reason


@pytest.mark.parametrize("scenario", ["keep-alive", "close"])
def test_a_right_server_is_not_refused(scenario: str, tmp_path: Path) -> None:
    found = sampled("right", scenario, tmp_path)
    assert found.answers >= ANSWERS and reasons(found) == []
