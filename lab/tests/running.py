"""Programs that a test runs beside itself, and weir among them."""

from __future__ import annotations

import contextlib
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from weir_lab.core import built

DEADLINE_SECONDS = 60
REPOSITORY = Path(__file__).parents[2]
SITE = REPOSITORY / "www"
LOCUST = [sys.executable, "-m", "locust", "-f", str(REPOSITORY / "lab" / "locust" / "locustfile.py")]


@contextlib.contextmanager
def running(
    command: list[str], pass_fds: tuple[int, ...] = (), environment: dict[str, str] | None = None
) -> Iterator[subprocess.Popen[str]]:
    """Its standard error is read with its standard output. It is ended on the way out, if it hasn't by itself."""
    # A shell starts what runs in the background with SIGINT ignored, and so is whatever that starts.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        pass_fds=pass_fds,
        env=environment,
    ) as process:
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.communicate(timeout=DEADLINE_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()


def wait_for(process: subprocess.Popen[str], pattern: str) -> re.Match[str]:
    """Reads what it prints until that is there."""
    assert process.stdout
    printed = ""
    for line in process.stdout:
        printed += line
        if found := re.search(pattern, line):
            return found
    raise AssertionError(f"it ended without {pattern!r}, and with {printed}")


@dataclass(frozen=True)
class Weir:
    process: subprocess.Popen[str]
    url: str

    @property
    def address(self) -> str:
        return self.url.removeprefix("http://")


@contextlib.contextmanager
def weir(site: Path, *options: str, within: tuple[str, ...] = (), bind: str = "127.0.0.1") -> Iterator[Weir]:
    """On a port of its own. `within`: the command that runs it somewhere else."""
    program = built.weir()
    if because := built.not_built(program, "./run build"):
        pytest.skip(because)
    with running([*within, str(program), "serve", str(site), "--port", "0", "--bind", bind, *options]) as process:
        yield Weir(process, wait_for(process, r"^  (http://[\d.]+:\d+)/$")[1])
