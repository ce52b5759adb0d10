"""Servers of TLS and HTTP/2 that lie, from the start or later, and a generator that does: each is refused."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from lying import HERE, Lab

from weir_lab.core.load import LoadPlan
from weir_lab.core.scenario import Scenario
from weir_lab.core.target import ServerSetup, Target
from weir_lab.core.tls import Certificate
from weir_lab.generators import GENERATORS
from weir_lab.generators.handshakes import Handshakes
from weir_lab.targets.h2o import H2o
from weir_lab.targets.nginx import Nginx
from weir_lab.targets.weir import Weir

SAMPLED = "sampled answers were wrong: "


@dataclass
class BadSecure:
    """bad_secure_server.py with the lie that its name says."""

    name: str
    summary: str = "wrong on purpose"

    def needs(self) -> tuple[str, ...]:
        return ()

    def missing(self) -> str | None:
        return None

    def version(self) -> str:
        return "1"

    def workers(self, wanted: int) -> int:
        return wanted

    def command(self, scenario: Scenario, setup: ServerSetup) -> list[str]:
        file, pem = setup.site / scenario.path[1:], setup.certificate
        if self.name == "other certificate":
            (setup.scratch / "other").mkdir()
            pem = Certificate.make(setup.scratch / "other")
        files = [str(pem.chain), str(pem.key)] if scenario.tls else []
        return [sys.executable, str(HERE / "bad_secure_server.py"), self.name, str(setup.port), str(file), *files]


def generator_of(scenario: str) -> str:
    """Skips the test where it is not here."""
    name = "handshakes" if scenario in {"https-handshake", "https-resumed"} else "h2load"
    if missing := GENERATORS[name].missing():
        pytest.skip(missing)
    return name


@pytest.mark.parametrize(
    ("how", "scenario", "question", "words"),
    [
        ("tls 1.2", "https", "get", "the server speaks TLSv1.2, not TLSv1.3"),
        ("other certificate", "https", "get", "certificate verify failed"),
        ("zeros", "https", "get", "the content is not the right one (SHA-256 5f70bf18a086, not"),
        ("zeros", "h2", "get", "the content is not the right one (SHA-256 5f70bf18a086, not"),
        ("zeros", "h2c", "get", "the content is not the right one (SHA-256 5f70bf18a086, not"),
        ("chooses nothing", "h2", "get", "the server chose no protocol by ALPN, not h2"),
        ("chooses http/1.1", "h2", "get", "the server chose no protocol by ALPN, not h2"),
        ("http/1.1 in h2", "h2", "get", "what the server sent is no HTTP/2"),
        ("http/1.1 in h2", "h2c", "get", "what the server sent is no HTTP/2"),
        ("never resumes", "https-resumed", "get", "the server did not resume the session"),
    ],
)
def test_from_the_start(how: str, scenario: str, question: str, words: str, lab: Lab) -> None:
    reason = lab.before(BadSecure(how), scenario)
    assert reason.startswith(f"asked by the validator ({question}): ") and words in reason


@pytest.mark.live
@pytest.mark.parametrize("scenario", ["https", "h2", "h2c"])
def test_later_content_is_looked_at(scenario: str, lab: Lab) -> None:
    lab.seconds, lab.connections = 2.0, 2  # the server is a slow one
    run = lab.target(BadSecure("later zeros"), scenario, generator_of(scenario))
    assert any(SAMPLED in reason and "the content is not the right one" in reason for reason in run.refused), (
        run.refused
    )


@pytest.mark.live
def test_whether_sessions_were_resumed_is_counted(lab: Lab) -> None:
    lab.connections = 4
    run = lab.target(BadSecure("later never resumes"), "https-resumed", generator_of("https-resumed"))
    assert any("handshakes were resumed" in reason and reason.startswith("only ") for reason in run.refused), (
        run.refused
    )


class Resuming(Handshakes):
    """Offers a ticket, whatever it was asked for."""

    name = "resuming"

    def command(self, plan: LoadPlan) -> list[str]:
        command = super().command(plan)
        command[command.index("--resume") + 1] = "yes"
        return command


@pytest.mark.live
def test_a_full_handshake_is_no_resumed_one(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    generator_of("https-handshake")
    monkeypatch.setitem(GENERATORS, "resuming", Resuming())
    lab.connections = 4
    run = lab.target(BadSecure("right"), "https-handshake", "resuming")
    assert any("handshakes were resumed, and none should be" in reason for reason in run.refused), run.refused


@pytest.mark.live
@pytest.mark.parametrize("scenario", ["https", "https-handshake", "https-resumed", "h2", "h2c"])
@pytest.mark.parametrize("target", [Weir("per-core"), Nginx(1), H2o()], ids=lambda one: one.name)
def test_who_is_honest_is_not_refused(target: Target, scenario: str, lab: Lab) -> None:
    generator = generator_of(scenario)
    if missing := target.missing():
        pytest.skip(missing)
    if target.name == "h2o" and scenario == "https-resumed":
        (reason,) = lab.target(target, scenario, generator).refused
        assert "gives no new ticket with a resumed session" in reason
        return
    run = lab.honest(target, scenario, generator)
    assert run.trust and run.trust.sampled and run.trust.sampled.answers > 0 and run.trust.sampled.wrong == {}
    assert run.trust.validated and run.trust.validated.not_asked == []
    assert run.trust.validated.negotiated.startswith("TLSv1.3 TLS_") or scenario == "h2c"
    assert run.window and run.window.counted_by == ("accepts" if "-" in scenario else "bytes")


@pytest.mark.live
def test_an_idle_connection_has_a_size(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    generator_of("https")
    if missing := Nginx(1).missing():
        pytest.skip(missing)
    few = Scenario("few", "", tls=True, idle_connections=600)
    monkeypatch.setattr("weir_lab.running.measurement.SCENARIOS", {"few": few})
    lab.connections = 4
    run = lab.honest(Nginx(1), "few", "h2load")
    assert run.server and run.server.idle_bytes and 1_000 < run.server.idle_bytes < 100_000
    assert run.server.established in (604, 605)  # one of the lab's own may open or close meanwhile


def test_the_certificate_is_ecdsa_and_of_no_authority(tmp_path: Path) -> None:
    made = Certificate.make(tmp_path)
    assert made == Certificate.of(tmp_path) and "PRIVATE KEY" in made.key.read_text(encoding="ascii")
