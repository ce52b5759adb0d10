"""Peers that are built when they are asked for: those that are here serve rightly, and end when they are told to."""

from __future__ import annotations

import os
import re
import signal
import time
import tomllib
from pathlib import Path

import pytest
from targets_run import running, wanted

from weir_lab.clients.expected import Expected
from weir_lab.core.scenario import SCENARIOS, Scenario
from weir_lab.core.target import CannotServe, ServerSetup, Target
from weir_lab.kernel import processes
from weir_lab.targets import find, names_to_build
from weir_lab.targets.built_peer import PEERS
from weir_lab.targets.program import PROGRAMS
from weir_lab.verify.validator import Exempt, validate

pytestmark = pytest.mark.live

STOP_SECONDS = 20.0
WORK = ("keep-alive", "file-100k", "pipelined")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    for name in WORK:
        (folder / SCENARIOS[name].file).write_bytes(os.urandom(SCENARIOS[name].body_bytes))
    return folder


def work_of(target: Target) -> Scenario:
    """Some serve no files."""
    return SCENARIOS["program-text" if target in PROGRAMS else "keep-alive"]


@pytest.fixture(params=names_to_build())
def target(request: pytest.FixtureRequest) -> Target:
    return wanted(find(request.param))


@pytest.mark.parametrize("work", WORK)
def test_every_answer_is_right(target: Target, work: str, site: Path, tmp_path: Path) -> None:
    """As the validator asks before each run: kept, closed, pipelined, HEAD, 404, and the content of the file."""
    scenario = SCENARIOS[work]
    left_out = target.not_asked(scenario) if isinstance(target, Exempt) else ()
    with running(target, scenario, site, tmp_path) as server:
        found, _ = validate(server.port, scenario, Expected.of(scenario, site), left_out)
    assert {"get", "keep-alive", "new connections"} <= {*found.asked}


@pytest.mark.parametrize("workers", [1, 2])
def test_ends_at_sigterm_and_leaves_nothing(target: Target, workers: int, site: Path, tmp_path: Path) -> None:
    with running(target, work_of(target), site, tmp_path, workers) as server:
        family = processes.family(server.pid)
        os.kill(server.pid, signal.SIGTERM)
        until = time.monotonic() + STOP_SECONDS
        while not server.has_ended() or any(Path(f"/proc/{pid}").exists() for pid in family):
            assert time.monotonic() < until, f"after {STOP_SECONDS} s, some of {family} are still there"
            time.sleep(0.01)


def test_its_version_is_named(target: Target) -> None:
    assert re.search(r"\d+\.\d+", target.version())


@pytest.mark.parametrize("name", names_to_build())
def test_none_has_handlers_or_other_methods(name: str, site: Path, tmp_path: Path) -> None:
    with pytest.raises(CannotServe, match="has no handler"):
        find(name).command(SCENARIOS["sleep"], ServerSetup(1, site, tmp_path, 1, (), 1))


def test_what_is_not_built_says_how(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEIR_LAB_BUILD", str(tmp_path))
    for name in names_to_build():
        assert f"builds it if the experiment names {name}" in (find(name).missing() or "")


def test_all_versions_are_pinned() -> None:
    for crate in ("axum", "uwebsockets"):
        packages = tomllib.loads((PEERS / crate / "Cargo.lock").read_text(encoding="utf-8"))["package"]
        sources = {one["source"] for one in packages if "source" in one}
        assert sources == {"registry+https://github.com/rust-lang/crates.io-index"}
    for module in ("caddy", "go-http"):
        assert (PEERS / module / "go.sum").stat().st_size > 0
