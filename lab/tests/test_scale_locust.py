"""lab/locust/locustfile.py in all the ways of docs/scale.md: from its page, without it, on several cores, from several
hosts."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from namespaces import hosts
from running import DEADLINE_SECONDS, LOCUST, REPOSITORY, SITE, Weir, running, wait_for, weir

from weir_lab.servers.server_process import free_port

pytestmark = pytest.mark.live

WITHOUT_PAGE = [
    "--headless",
    "--only-summary",
    "--users",
    "20",
    "--spawn-rate",
    "20",
    "--run-time",
    "6s",
    "--json",
    "--exit-code-on-error",
    "0",
    "--loglevel",
    "ERROR",
]


@pytest.fixture(name="log")
def access_log(tmp_path: Path) -> Path:
    return tmp_path / "access.log"


@pytest.fixture(name="server")
def demonstration_site(log: Path) -> Iterator[Weir]:
    with weir(SITE, "--access-log", str(log)) as server:
        yield server


def run(*options: str) -> list[dict[str, Any]]:
    return statistics(printed_by([*LOCUST, *WITHOUT_PAGE, *options]))


def printed_by(command: list[str]) -> str:
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=2 * DEADLINE_SECONDS, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def statistics(printed: str) -> list[dict[str, Any]]:
    """Under --processes each worker prints an empty list of its own, before or after the master's."""
    lists: list[list[dict[str, Any]]] = []
    while printed := printed.strip():
        found, end = json.JSONDecoder().raw_decode(printed)
        lists.append(found)
        printed = printed[end:]
    return max(lists, key=len)


def total(rows: list[dict[str, Any]], what: str) -> int:
    return sum(int(row[what]) for row in rows)


def test_users_browse_without_a_failure(server: Weir, log: Path) -> None:
    rows = run("--host", server.url)
    assert total(rows, "num_requests") > 100 and total(rows, "num_failures") == 0
    assert {"/", "/css/*", "/images/*"} <= {row["name"] for row in rows}
    lines = log.read_text(encoding="utf-8")
    assert '"GET / HTTP/1.1" 200' in lines
    assert re.search(r'"GET /css/\S+ HTTP/1.1" 304', lines), "nothing was asked for again"


def test_parts_and_dead_links_are_judged_as_such(tmp_path: Path) -> None:
    """On a site that has neither the picture nor the pages, nearly everything is a failure; a 404 for the dead link is
    none."""
    with weir(tmp_path, "--no-listing") as server:
        rows = {row["name"]: row for row in run("--host", server.url)}
    assert rows["/"]["num_failures"] == rows["/"]["num_requests"] > 0
    for row in rows.values():
        assert row["num_failures"] == (0 if "404" in row["name"] else row["num_requests"]), row["name"]


def test_its_page_starts_the_users(server: Weir) -> None:
    port = str(free_port())
    with running([*LOCUST, "--host", server.url, "--web-host", "127.0.0.1", "--web-port", port]) as locust:
        page = f"http://127.0.0.1:{port}"
        assert "<title>Locust" in first_answer(page)
        begin = urllib.parse.urlencode({"user_count": 10, "spawn_rate": 10, "host": server.url}).encode()
        with urllib.request.urlopen(f"{page}/swarm", begin, DEADLINE_SECONDS) as answer:
            assert json.load(answer)["success"]
        wait_for(locust, "All users spawned")


def first_answer(page: str) -> str:
    """Locust says that it starts its page before it listens."""
    end = time.monotonic() + DEADLINE_SECONDS
    while True:
        try:
            with urllib.request.urlopen(page, timeout=DEADLINE_SECONDS) as answer:
                return str(answer.read().decode())
        except urllib.error.URLError:
            assert time.monotonic() < end, "the page did not come"
            time.sleep(0.05)


def test_a_process_for_each_core(server: Weir) -> None:
    port = str(free_port())
    rows = run(
        "--host",
        server.url,
        "--processes",
        "2",
        "--master-bind-host",
        "127.0.0.1",
        "--master-bind-port",
        port,
        "--master-port",
        port,
    )
    assert total(rows, "num_requests") > 100 and total(rows, "num_failures") == 0


def test_workers_on_other_hosts_share_the_users(log: Path) -> None:
    with (
        hosts(2) as (server_host, load_hosts),
        weir(SITE, "--access-log", str(log), within=server_host.within, bind=server_host.address) as server,
    ):
        workers = [
            running([*host.within, *LOCUST, "--worker", "--master-host", server_host.address]) for host in load_hosts
        ]
        master = [*LOCUST, *WITHOUT_PAGE, "--master", "--expect-workers", "2", "--host", server.url]
        with workers[0], workers[1]:
            rows = statistics(printed_by([*server_host.within, *master]))
    assert total(rows, "num_requests") > 100 and total(rows, "num_failures") == 0
    seen = {line.split()[0] for line in log.read_text(encoding="utf-8").splitlines()}
    assert seen == {host.address for host in load_hosts}


MANY = """
import os, resource, socket, sys
_, most = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 2048), most))
kept = [os.open("/dev/null", os.O_RDONLY) for _ in range(1100)]
sys.path.insert(0, sys.argv[1])
__import__(sys.argv[2])
from geventhttpclient.connectionpool import ConnectionPool
ours, theirs = socket.socketpair()
assert ours.fileno() > 1023
print(ConnectionPool._is_socket_alive(None, ours))
theirs.close()
print(ConnectionPool._is_socket_alive(None, ours))
"""


@pytest.mark.parametrize("locustfile", ["locustfile", "one_page", "ten_thousand"])
def test_a_thousand_users_keep_their_connections(locustfile: str) -> None:
    """Their descriptors are above 1,023, and select(2), which Locust's pool asks, cannot take those."""
    done = subprocess.run(
        [sys.executable, "-c", MANY, str(REPOSITORY / "lab" / "locust"), locustfile],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=2 * DEADLINE_SECONDS,
        check=False,
    )
    assert done.stdout.split() == ["True", "False"], done.stderr
