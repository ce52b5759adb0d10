"""Servers that do not compress, compress something else or let everybody in are refused; those that do it are not."""

from __future__ import annotations

import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import pytest
from lying import HERE, BadTarget, Lab, reasons, site
from targets_run import running

from weir_lab.clients.expected import Expected
from weir_lab.clients.sampler import Sampler, Sampling
from weir_lab.clients.transport import Transport
from weir_lab.clients.wire import Wire
from weir_lab.core import serving
from weir_lab.core.findings import Sampled
from weir_lab.core.scenario import SCENARIOS, Scenario
from weir_lab.core.target import ServerSetup, Target
from weir_lab.running import runner
from weir_lab.targets.caddy import Caddy
from weir_lab.targets.nginx import Nginx
from weir_lab.targets.weir import Weir
from weir_lab.verify.validator import Untrue, ask_again, validate

COMPRESSED = ("compressed-first", "compressed-later", "precompressed")
SAMPLED = "sampled answers were wrong: "
DEADLINE_SECONDS = 120


@dataclass
class BadServing(BadTarget):
    """bad_serving_server.py with the lie that its name says."""

    def command(self, scenario: Scenario, setup: ServerSetup) -> list[str]:
        file = str(setup.site / scenario.file)
        authorization = serving.authorization(serving.PASSWORD) if scenario.password else ""
        program = str(HERE / "bad_serving_server.py")
        return [sys.executable, program, self.name, str(setup.port), file, authorization]


@pytest.mark.parametrize(
    ("how", "scenario", "question", "words"),
    [
        ("plain", "compressed-first", "get", "does not compress: Content-Encoding is missing, not gzip"),
        ("plain", "precompressed", "get", "does not compress: Content-Encoding is missing, not gzip"),
        ("stored", "compressed-later", "get", "hardly compresses: it sends 16,"),
        ("other bytes", "compressed-first", "get", "the content is not the right one (SHA-256 4fe7b59af6de, not"),
        ("no gzip", "compressed-first", "get", "the server sends no gzip: Error -3"),
        ("cut", "compressed-first", "get", "the gzip of the server ends too early, after 16,"),
        ("longer", "compressed-first", "get", "4 bytes follow the gzip of the server"),
        ("more content", "compressed-first", "get", "sends more than 16,384 bytes, compressed"),
        ("always compressed", "compressed-first", "uncompressed", "bytes, not 16384"),
        ("chunk longer than announced", "compressed-first", "get", "a chunk is longer than it announces"),
        ("no size of a chunk", "compressed-first", "get", "no size of a chunk came, but b'many'"),
        ("no password", "password", "password", "without a password, the server answers with status 200, not 401"),
        ("any password", "password", "password", "with a wrong password, the server answers with status 200, not 401"),
        ("no challenge", "password", "password", "does not ask for a password (WWW-Authenticate: Basic)"),
    ],
)
def test_from_the_start(how: str, scenario: str, question: str, words: str, lab: Lab) -> None:
    reason = lab.before(BadServing(how), scenario)
    assert reason.startswith(f"asked by the validator ({question}): ") and words in reason


@pytest.mark.parametrize(
    ("how", "scenario"), [*(("right", one) for one in (*COMPRESSED, "password")), ("chunks", "compressed-first")]
)
def test_a_right_server_answers_every_question(how: str, scenario: str, tmp_path: Path) -> None:
    asked, scratch = SCENARIOS[scenario], tmp_path / "scratch"
    scratch.mkdir()
    with running(BadServing(how), asked, site(tmp_path), scratch) as server:
        transport = Transport.of(asked, scratch)
        found, expected = validate(server.port, asked, Expected.of(asked, tmp_path), (), transport)
        ask_again(server.port, asked, expected, transport)
    assert found.asked[-1] == ("password" if asked.password else "uncompressed") and found.not_asked == []
    assert asked.password or (found.wire_bytes and found.body_bytes < found.wire_bytes < asked.body_bytes / 2)


@pytest.mark.parametrize("how", ["later plain", "later other bytes"])
def test_the_labs_own_requests_see_it(how: str, tmp_path: Path) -> None:
    words = {"later plain": "the server does not compress", "later other bytes": "the content is not the right one"}
    assert [one for one in sampled(how, tmp_path).wrong if words[how] in one]


def sampled(how: str, folder: Path) -> Sampled:
    """Until a wrong answer was found."""
    asked, files, scratch = SCENARIOS["compressed-first"], site(folder), folder / "scratch"
    scratch.mkdir()
    with running(BadServing(how), asked, files, scratch) as server:
        transport = Transport.of(asked, scratch)
        _, expected = validate(server.port, asked, Expected.of(asked, files), (), transport)
        with Sampler(Sampling(server.port, expected, True, 5000.0, transport=transport)) as sampler:
            until = time.monotonic() + DEADLINE_SECONDS
            while not sampler.has_found():
                assert time.monotonic() < until
                threading.Event().wait(0.005)
        return sampler.found()


def test_who_forgets_to_ask_is_found_out_after_the_run(tmp_path: Path) -> None:
    asked, files, scratch = SCENARIOS["password"], site(tmp_path), tmp_path / "scratch"
    scratch.mkdir()
    with running(BadServing("forgets the password"), asked, files, scratch) as server:
        _, expected = validate(server.port, asked, Expected.of(asked, files), ())
        ask_again(server.port, asked, expected)
        with Wire(server.port, DEADLINE_SECONDS) as wire:
            for _ in range(600):
                wire.send(expected.request(server.port))
                expected.check(wire.answer())
        with pytest.raises(Untrue, match=r"after the run \(password\): without a password, .* status 200, not 401"):
            ask_again(server.port, asked, expected)


@pytest.mark.live
def test_a_run_with_later_lies_does_not_count(lab: Lab) -> None:
    lab.seconds, lab.connections = 2.0, 2  # the server is a slow one
    run = lab.target(BadServing("later plain"), "compressed-first")
    assert any(SAMPLED in reason and "does not compress" in reason for reason in run.refused), run.refused
    assert any("bytes came, but" in reason for reason in run.refused), run.refused
    run = lab.target(BadServing("forgets the password"), "password")
    assert any("after the run (password)" in reason for reason in run.refused), run.refused


@pytest.mark.live
@pytest.mark.parametrize("scenario", [*COMPRESSED, "password"])
@pytest.mark.parametrize("target", [Weir("per-core"), Nginx(1), Caddy()], ids=lambda one: one.name)
def test_who_is_honest_is_not_refused(target: Target, scenario: str, lab: Lab) -> None:
    if missing := target.missing():
        pytest.skip(missing)
    lab.connections = 10
    run = lab.honest(target, scenario)
    assert run.trust and run.trust.sampled and run.trust.sampled.answers > 0 and run.trust.sampled.wrong == {}
    left_out = ["head"] if target.name == "caddy" and scenario.startswith("compressed") else []
    assert run.trust.validated and run.trust.validated.not_asked == left_out
    assert run.window and run.window.counted_by == "bytes" and reasons(run) == []


def test_each_text_has_a_size_and_can_be_compressed(tmp_path: Path) -> None:
    runner.write_files(tmp_path, [SCENARIOS[name] for name in COMPRESSED])
    assert sorted(one.name for one in tmp_path.iterdir()) == [
        "compressed.txt",
        "precompressed.txt",
        "precompressed.txt.gz",
    ]
    content = (tmp_path / "compressed.txt").read_bytes()
    assert content == serving.text(16 * 1024) and content.isascii()
    assert 0.25 < len(serving.compressed(content, serving.LEVEL)) / len(content) < 0.4
