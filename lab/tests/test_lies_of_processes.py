"""Work that is done by another process than the lab looks at, and another server than it asked for."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from lying import HERE, BadTarget, Lab, site

from weir_lab.core import built
from weir_lab.core.scenario import Scenario
from weir_lab.core.target import ServerSetup
from weir_lab.kernel import owners, processes
from weir_lab.targets.weir import Weir
from weir_lab.verify import outsiders

START_SECONDS = 60


@contextlib.contextmanager
def helper(path: Path, *more: str) -> Iterator[int]:
    """A process that is no child of the lab. Its id."""
    command = [sys.executable, str(HERE / "helper_process.py"), str(path), *more]
    subprocess.run(command, check=True, start_new_session=True)
    (pid,) = [one for one in owners.all_processes() if str(path).encode() in _command(one)]
    try:
        yield pid
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _command(pid: int) -> bytes:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


@pytest.mark.live
def test_a_helper_behind_a_unix_socket_is_named(lab: Lab, tmp_path: Path) -> None:
    path = tmp_path / "helper"
    with helper(path) as pid:
        run = lab.server("has a helper", more=(str(path),))
    assert run.load and run.load.requests > 0
    words = (f"process {pid} (", "helper_process.py", "no child of the server, but connected with it by a unix socket")
    assert any(all(one in reason for one in words) for reason in run.refused), run.refused


@pytest.mark.live
def test_connections_that_are_given_away_are_found(lab: Lab, tmp_path: Path) -> None:
    path = tmp_path / "helper"
    with helper(path, str(site(tmp_path) / "1024.bin")) as pid:
        run = lab.server("gives connections away", more=(str(path),))
    assert run.load and run.load.requests > 0
    words = f"sockets of the server's port belong to process {pid} ("
    assert any(words in reason and "no child of the server" in reason for reason in run.refused), run.refused


def test_a_port_that_no_child_of_the_server_holds_is_not_measured(lab: Lab) -> None:
    reason = lab.before(BadTarget("is no child"))
    assert "sockets of the server's port belong to process" in reason and "bad_server.py" in reason


class OtherWeir(Weir):
    """per-core, started in another way than asked for."""

    def __init__(self, replaced: str, by: str, more: tuple[str, ...] = ()) -> None:
        super().__init__("per-core")
        self._replaced, self._by, self._more = replaced, by, more

    def command(self, scenario: Scenario, setup: ServerSetup) -> list[str]:
        said = super().command(scenario, setup)
        return [self._by if one == self._replaced else one for one in said] + list(self._more)


@pytest.mark.parametrize(
    ("target", "words"),
    [
        (("per-core", "reactor"), "the engine reactor runs, not per-core"),
        (("per-core", "per-core", ("--workers", "3")), "3 workers run, not 1"),
        (("per-core", "per-core", ("--quiet",)), "the server names no engine; per-core was asked for"),
    ],
)
def test_another_engine_than_asked_for_is_not_measured(target: tuple[str, str], words: str, lab: Lab) -> None:
    other = OtherWeir(*target)
    if missing := other.missing():
        pytest.skip(missing)
    reason = lab.before(other)
    assert reason == f"another server than asked for: {words}"


def test_another_program_than_asked_for_is_not_measured(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    other = OtherWeir("", "")
    if missing := other.missing():
        pytest.skip(missing)
    program = lab.folder / "weir"
    program.write_text(f'#!/bin/sh\nexec {built.weir()} "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("WEIR_BINARY", str(program))
    reason = lab.before(other)
    assert reason.startswith("another server than asked for: ") and reason.endswith(f" runs, not {program}")


@pytest.mark.parametrize(
    ("engine", "waits", "words"),
    [
        ("per-core", "each for the completions of its ring", "no ring of io_uring"),
        ("poll", "one thread, in epoll", "no epoll instance"),
    ],
)
def test_an_engine_that_only_says_its_name_is_seen_by_what_it_waits_with(
    engine: str, waits: str, words: str, lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = Weir(engine)
    if missing := target.missing():
        pytest.skip(missing)
    asked = replace(target.asked(1), waits=waits)
    monkeypatch.setattr(target, "asked", lambda workers: asked)
    reason = lab.before(target)
    assert words in reason


def test_the_labs_own_children_are_no_outsiders() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", "print(flush=True)\nwhile True: pass"], stdout=subprocess.PIPE
    ) as busy:
        assert busy.stdout
        busy.stdout.readline()
        before, until = outsiders.cpu_by_process(), time.monotonic() + START_SECONDS
        while processes.cpu(busy.pid).seconds < before[busy.pid].cpu_seconds + 0.1:
            assert time.monotonic() < until
        found = outsiders.workers(before, [busy.pid]) + outsiders.workers(before, [os.getpid()])
        busy.kill()
    assert not {busy.pid, os.getpid()} & {one.pid for one in found}
