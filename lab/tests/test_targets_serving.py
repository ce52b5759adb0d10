"""Every target that is here starts, answers rightly, and leaves nothing behind."""

import os
import signal
import time
from dataclasses import replace
from pathlib import Path

import pytest
from asking import Asking, request
from targets_run import running, wanted

from weir_lab.clients import echo
from weir_lab.clients.expected import Expected
from weir_lab.core.scenario import SCENARIOS, Scenario
from weir_lab.core.target import CannotServe, ServerSetup, Target
from weir_lab.kernel import processes
from weir_lab.targets import find, names
from weir_lab.verify.validator import QUESTIONS, Exempt, of_scenario, validate

STOP_SECONDS = 60.0
FILES = ("keep-alive", "file-100k")
WAIT_FOR_CLIENTS = ("h2o",)  # to leave, before they end; in the lab, all have left
KEEP_EVERY_CONNECTION = ("may",)  # whatever the client asks for, and say nothing of it
HANDLERS = ("sleep", "spin", "timer")
OF_OTHER_WORK = {"resumption", "size", "uncompressed", "password", "other name", *echo.QUESTIONS}
# What weir has where it is not built: the tests are there, and say that they are skipped.
NAMES = names() if any(name.startswith("weir/") for name in names()) else ["weir/per-core", *names()]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    for name in FILES:
        (folder / SCENARIOS[name].path[1:]).write_bytes(os.urandom(SCENARIOS[name].body_bytes))
    return folder


@pytest.fixture(
    params=[
        name if name.startswith(("floor/", "weir/")) else pytest.param(name, marks=pytest.mark.live) for name in NAMES
    ]
)
def target(request: pytest.FixtureRequest) -> Target:
    return wanted(find(request.param))


def is_right(target: Target, body: bytes, scenario: Scenario, site: Path) -> bool:
    if target.name.startswith("floor/"):
        return len(body) == scenario.body_bytes
    return body == (site / scenario.path[1:]).read_bytes()


@pytest.mark.parametrize("scenario", [SCENARIOS[name] for name in FILES], ids=FILES)
def test_answers_every_question_of_the_lab(target: Target, scenario: Scenario, site: Path, tmp_path: Path) -> None:
    with running(target, scenario, site, tmp_path) as server:
        not_asked = target.not_asked(scenario) if isinstance(target, Exempt) else ()
        expected = Expected.of(scenario, site, is_file="content" not in not_asked)
        pipelined = replace(scenario, pipeline=16)
        found, _ = validate(server.port, pipelined, expected, not_asked)
        assert {*found.asked, *not_asked} >= {*of_scenario(pipelined)} == {*QUESTIONS} - OF_OTHER_WORK
        if target.name in KEEP_EVERY_CONNECTION:
            return
        with Asking(server.port) as client:
            client.send(request(scenario.path, "Connection: close"))
            fields, body = client.answer()
            assert is_right(target, body, scenario, site)
            assert fields["connection"].lower() == "close"


def test_serves_the_oldest_generator(target: Target, site: Path, tmp_path: Path) -> None:
    """ab speaks HTTP/1.0, and wants to be told that a connection is kept."""
    if target.name in KEEP_EVERY_CONNECTION:
        pytest.skip("it does not tell ab that it keeps the connection")
    scenario = SCENARIOS["keep-alive"]
    with running(target, scenario, site, tmp_path) as server:
        with Asking(server.port) as client:
            for _ in range(2):
                client.send(request(scenario.path, "Connection: Keep-Alive", version="1.0"))
                fields, body = client.answer()
                assert is_right(target, body, scenario, site)
                assert fields["connection"].lower() == "keep-alive"
        with Asking(server.port) as client:
            client.send(request(scenario.path, version="1.0"))
            assert is_right(target, client.answer()[1], scenario, site) and client.is_closed()


def test_heads_are_as_alike_as_can_be(target: Target, site: Path, tmp_path: Path) -> None:
    weirs = {
        "date",
        "last-modified",
        "accept-ranges",
        "etag",
        "content-type",
        "x-content-type-options",
        "content-length",
    }
    said = {
        "nginx-1": {"server", "connection"},
        "nginx-4": {"server", "connection"},
        "h2o": {"connection"},
        "may": {"server"},
    }
    scenario = SCENARIOS["keep-alive"]
    with running(target, scenario, site, tmp_path) as server, Asking(server.port) as client:
        client.send(request(scenario.path))
        fields, _ = client.answer()
        assert fields.keys() - {":status"} == weirs | said.get(target.name, set())
        assert all(field.capitalize() in target.summary for field in said.get(target.name, set()))


@pytest.mark.parametrize("workers", [1, 2])
def test_ends_at_sigterm_and_leaves_nothing(target: Target, site: Path, tmp_path: Path, workers: int) -> None:
    with running(target, SCENARIOS["keep-alive"], site, tmp_path, workers) as server, Asking(server.port) as silent:
        silent.send(request(SCENARIOS["keep-alive"].path))
        silent.answer()
        if target.name in WAIT_FOR_CLIENTS:
            silent.leave()
        family = processes.family(server.pid)
        os.kill(server.pid, signal.SIGTERM)
        until = time.monotonic() + STOP_SECONDS
        while not server.has_ended() or any(Path(f"/proc/{pid}").exists() for pid in family) or listens(server.port):
            assert time.monotonic() < until, f"after {STOP_SECONDS} s, {family} or port {server.port} are still there"
            time.sleep(0.005)


def listens(port: int) -> bool:
    """io_uring gives sockets up a moment after the process has gone."""
    try:
        Asking(port).leave()
        return True
    except OSError:
        return False


@pytest.mark.parametrize("handler", HANDLERS)
def test_handlers_take_their_time(handler: str, target: Target, site: Path, tmp_path: Path) -> None:
    if not target.name.startswith("weir/"):
        setup = ServerSetup(1, site, tmp_path, 1, (), 100)
        with pytest.raises(CannotServe, match="has no handler that takes 1 ms"):
            target.command(SCENARIOS[handler], setup)
        return
    scenario = replace(SCENARIOS[handler], handler_seconds=0.02)
    with running(target, scenario, site, tmp_path) as server, Asking(server.port) as client:
        began = time.monotonic()
        client.send(request(scenario.path))
        assert len(client.answer()[1]) == scenario.body_bytes
        assert time.monotonic() - began >= scenario.handler_seconds
