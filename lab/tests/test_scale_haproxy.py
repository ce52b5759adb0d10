"""lab/scale/haproxy.cfg: two weir servers share the clients, and one goes on alone when the other is gone."""

from __future__ import annotations

import contextlib
import http.client
import os
import shutil
import signal
import socket
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from running import DEADLINE_SECONDS, Weir, running, weir

pytestmark = pytest.mark.live

CONFIGURATION = Path(__file__).parents[1] / "scale" / "haproxy.cfg"
DESCRIPTOR = "fd@{}"
CLIENTS = [
    f"127.0.0.{number}" for number in range(1, 42)
]  # all of them are this machine, and in turns they would get other servers each time


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
        environment = os.environ | {
            "SITE_ADDRESS": DESCRIPTOR.format(listener.fileno()),
            "WEIR_ONE": one.address,
            "WEIR_TWO": two.address,
        }
        with running([haproxy(), "-db", "-f", str(CONFIGURATION)], (listener.fileno(),), environment):
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"


@pytest.fixture(name="pair")
def two_servers(tmp_path: Path) -> Iterator[tuple[Weir, Weir]]:
    """The same file on both, but for the name of the server in it."""
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "index.html").write_text(name, encoding="utf-8")
    with weir(tmp_path / "one") as one, weir(tmp_path / "two") as two:
        yield one, two


def ask(url: str, client: str, fields: dict[str, str] | None = None) -> tuple[int, str, str]:
    """Status, content, entity tag."""
    connection = http.client.HTTPConnection(
        url.removeprefix("http://"), timeout=DEADLINE_SECONDS, source_address=(client, 0)
    )
    with contextlib.closing(connection):
        connection.request("GET", "/", headers=fields or {})
        answer = connection.getresponse()
        return answer.status, answer.read().decode(), answer.headers["ETag"]


def everybody_asks(url: str) -> Counter[str]:
    """What they got, and nobody got an error."""
    answers = [ask(url, client) for client in CLIENTS]
    assert {status for status, _, _ in answers} == {200}
    return Counter(text for _, text, _ in answers)


def test_clients_are_shared_out(pair: tuple[Weir, Weir]) -> None:
    with behind_haproxy(*pair) as url:
        shares = everybody_asks(url)
        assert set(shares) == {"one", "two"} and min(shares.values()) >= len(CLIENTS) / 4


def test_a_cache_stays_of_use(pair: tuple[Weir, Weir]) -> None:
    """The two servers have different tags for the same file."""
    with behind_haproxy(*pair) as url:
        tags = {client: ask(url, client)[2] for client in CLIENTS}
        assert len(set(tags.values())) == 2
        assert {ask(url, client, {"If-None-Match": tag})[0] for client, tag in tags.items()} == {304}


def test_clients_of_a_killed_server_are_answered_by_the_other(pair: tuple[Weir, Weir]) -> None:
    with behind_haproxy(*pair) as url:
        assert set(everybody_asks(url)) == {"one", "two"}
        pair[0].process.send_signal(signal.SIGKILL)
        pair[0].process.wait()
        assert set(everybody_asks(url)) == {"two"}


def test_a_server_that_is_stopped_leaves_without_an_error(pair: tuple[Weir, Weir]) -> None:
    with behind_haproxy(*pair) as url:
        assert set(everybody_asks(url)) == {"one", "two"}
        pair[1].process.terminate()
        everybody_asks(url)
        pair[1].process.wait()
        assert set(everybody_asks(url)) == {"one"}
