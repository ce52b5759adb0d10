"""Proxies that answer by themselves, or something else, are refused; those that pass requests on are not."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from lying import HERE, BadTarget, Lab, reasons
from test_counting_windows import moment

from weir_lab.clients.expected import Expected
from weir_lab.clients.wire import Answer
from weir_lab.core import built
from weir_lab.core.result import Window
from weir_lab.core.scenario import SCENARIOS, Scenario
from weir_lab.core.target import CannotServe, ServerSetup
from weir_lab.counting.steady import Steady
from weir_lab.servers import other_server
from weir_lab.servers.other_server import OtherServer
from weir_lab.servers.server_process import ServerProcess, free_port
from weir_lab.targets import find
from weir_lab.verify.validator import validate

SMALL = SCENARIOS["proxy-small"]
WINDOW = Window(0.1, 1.0, 0.5, "process", 1000.0, "bytes", 0.0, False, 0.0, passed_on=1000.0)
STEADY = Steady(
    moment(1.0, sent={b"a": 0, b"b": 0}, sent_to_proxy={b"x": 500, b"y": 0}),
    moment(2.0, sent={b"a": 9, b"b": 9}, sent_to_proxy={b"y": 700, b"z": 200}),
    0.9,
    0,
    2.1,
    "process",
)


@dataclass
class BadProxy(BadTarget):
    """bad_proxy_server.py with the lie that its name says."""

    def command(self, scenario: Scenario, setup: ServerSetup) -> list[str]:
        return [sys.executable, str(HERE / "bad_proxy_server.py"), self.name, str(setup.port), str(setup.other_port)]


@pytest.fixture
def is_built() -> None:
    """The other server is weir."""
    if because := built.not_built(built.weir(), "./run build"):
        pytest.skip(because)


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("another byte", "asked by the validator (get): the content is not the right one"),
        ("shorter", "asked by the validator (get): the server answers 99 bytes, not 100"),
        ("closes", "asked by the validator (keep-alive): request 31 of 100 on one connection: "),
        ("keeps answers", "the proxy gave 20 answers, but only 0 came from the other server"),
    ],
)
def test_from_the_start(how: str, words: str, lab: Lab, is_built: None) -> None:
    assert lab.before(BadProxy(how), "proxy-small").startswith(words)


@contextmanager
def proxying(how: str, scenario: Scenario, folder: Path) -> Iterator[tuple[ServerProcess, OtherServer]]:
    with other_server.behind(scenario, folder, ()) as other:
        assert other
        setup = ServerSetup(free_port(), folder, folder, 1, (), 100, other.process.port)
        with ServerProcess(BadProxy(how).command(scenario, setup), setup.port, scenario.path, folder) as server:
            yield server, other


@pytest.mark.parametrize("name", ["proxy-small", "proxy-64k"])
def test_a_right_proxy_answers_every_question(name: str, tmp_path: Path, is_built: None) -> None:
    scenario = SCENARIOS[name]
    with proxying("right", scenario, tmp_path) as (server, other):
        expected = Expected.of(scenario, tmp_path).learned(other.answer)
        found, _ = validate(server.port, scenario, expected, ())
        assert found.asked == ["get", "keep-alive", "new connections", "close", "head"]
        assert found.body_bytes == scenario.body_bytes == len(other.answer.body)
        assert other.misses(server.port, expected.request(server.port)) == ""


def test_work_without_a_proxy_has_no_other_server(tmp_path: Path) -> None:
    with other_server.behind(SCENARIOS["keep-alive"], tmp_path, ()) as other:
        assert other is None


def test_an_other_server_that_is_not_built_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEIR_BINARY", str(tmp_path / "nothing"))
    with (
        pytest.raises(CannotServe, match=r"the other server: .* is not built"),
        other_server.behind(SMALL, tmp_path, ()),
    ):
        pass


def test_the_answers_of_the_other_server_are_counted_on_the_connections_that_are_there() -> None:
    assert (STEADY.bytes_sent_to_proxy, STEADY.opened_again) == (900, 0)
    assert other_server.reasons(WINDOW, STEADY, 50) == []
    other = OtherServer(ServerProcess([], 1, "/", Path()), Answer("", 200, "", (), 50, b"x" * 100))
    assert other.answers(STEADY) == 6.0
    assert other.answers(replace(STEADY, end=moment(2.0))) is None  # the kernel counts nothing
    assert other.answers(replace(STEADY, end=replace(STEADY.end, sent_to_proxy={}))) == 0.0


def test_who_answers_by_itself_later_is_found_out() -> None:
    assert other_server.reasons(replace(WINDOW, passed_on=901.0), STEADY, 50) == []
    assert other_server.reasons(replace(WINDOW, passed_on=899.0), STEADY, 50) == [
        "the proxy gave 1,000 answers, but only 899 came from the other server"
    ]
    assert other_server.reasons(replace(WINDOW, passed_on=None), STEADY, 50) == []  # not counted


def test_who_closes_later_is_found_out() -> None:
    again = replace(STEADY, end=replace(STEADY.end, sent={bytes([key]): 1 for key in range(50)}))
    assert other_server.reasons(WINDOW, again, 50) == ["50 connections of clients were closed and opened again"]


@pytest.mark.live
@pytest.mark.parametrize("how", ["keeps answers"])
def test_a_lie_after_the_first_question_does_not_count(
    how: str, lab: Lab, monkeypatch: pytest.MonkeyPatch, is_built: None
) -> None:
    """Not even if it is not seen before."""
    monkeypatch.setattr(OtherServer, "misses", lambda self, port, request: "")
    run = lab.target(BadProxy(how), "proxy-small")
    assert any("but only" in reason and "came from the other server" in reason for reason in run.refused), run.refused


@pytest.mark.live
@pytest.mark.parametrize("scenario", ["proxy-small", "proxy-64k"])
@pytest.mark.parametrize("name", ["weir/per-core", "nginx-1", "haproxy", "caddy"])
def test_who_is_honest_is_not_refused(name: str, scenario: str, lab: Lab, is_built: None) -> None:
    target = find(name)
    if missing := target.missing():
        pytest.skip(missing)
    run = lab.honest(target, scenario)
    assert run.trust and run.trust.validated and run.trust.validated.not_asked == []
    assert run.trust.sampled and run.trust.sampled.answers > 0 and run.trust.sampled.wrong == {}
    assert run.window and run.window.counted_by == "bytes" and (run.window.passed_on or 0) > 0
    assert run.other_server_cpu_seconds and reasons(run) == []
