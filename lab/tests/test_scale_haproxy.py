"""lab/scale/haproxy.cfg: two weir servers share the requests, and one goes on alone when the other is gone."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import urllib.request
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from running import PATIENCE_SECONDS, Weir, running, weir

CONFIGURATION = Path(__file__).parents[1] / "scale" / "haproxy.cfg"
DESCRIPTOR = "fd@{}"


def haproxy() -> str:
    found = shutil.which("haproxy", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if not found:
        pytest.skip("haproxy is not installed: apt-get install haproxy")
    return found


@contextlib.contextmanager
def behind_haproxy(one: Weir, two: Weir) -> Iterator[str]:
    """haproxy gets a listener that is open already: nobody has to wait until it is there."""
    with socket.create_server(("127.0.0.1", 0), backlog=128) as listener:
        listener.setblocking(False)  # haproxy takes it as it is, and would wait in accept() for ever
        environment = os.environ | {"SITE_ADDRESS": DESCRIPTOR.format(listener.fileno()), "WEIR_ONE": one.address, "WEIR_TWO": two.address}
        with running([haproxy(), "-db", "-f", str(CONFIGURATION)], (listener.fileno(),), environment):
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"


@pytest.fixture(name="pair")
def two_servers(tmp_path: Path) -> Iterator[tuple[Weir, Weir]]:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "index.html").write_text(name, encoding="utf-8")
    with weir(tmp_path / "one") as one, weir(tmp_path / "two") as two:
        yield one, two


def ask(url: str) -> str:
    with urllib.request.urlopen(url, timeout=PATIENCE_SECONDS) as answer:
        return str(answer.read().decode())


def test_requests_are_shared_out(pair: tuple[Weir, Weir]) -> None:
    with behind_haproxy(*pair) as url:
        assert Counter(ask(url) for _ in range(40)) == {"one": 20, "two": 20}


def test_what_a_killed_server_would_have_got_the_other_answers(pair: tuple[Weir, Weir]) -> None:
    with behind_haproxy(*pair) as url:
        assert {ask(url) for _ in range(10)} == {"one", "two"}
        pair[0].process.send_signal(signal.SIGKILL)
        pair[0].process.wait()
        assert {ask(url) for _ in range(40)} == {"two"}


def test_a_server_that_is_stopped_leaves_without_an_error(pair: tuple[Weir, Weir]) -> None:
    with behind_haproxy(*pair) as url:
        assert {ask(url) for _ in range(10)} == {"one", "two"}
        pair[1].process.terminate()
        answers = Counter(ask(url) for _ in range(40))
        assert sum(answers.values()) == 40
        pair[1].process.wait()
        assert {ask(url) for _ in range(10)} == {"one"}
