"""Two engines side by side: the page, the clients of each stage, and the command."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import socket
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Callable

import pytest
from typer.testing import CliRunner

from weir_lab.cli import commands, main, needs
from weir_lab.core import built
from weir_lab.course import live
from weir_lab.course.live import clients
from weir_lab.course.live.page import CannotShow, Page
from weir_lab.course.live.stages import STAGES
from weir_lab.servers.server_process import DidNotStart

ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


@contextlib.asynccontextmanager
async def server(serve: Callable[[asyncio.StreamReader, asyncio.StreamWriter], object]) -> AsyncIterator[int]:
    async def one(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(EOFError, OSError):
            await serve(reader, writer)  # type: ignore[misc]
        writer.close()

    listening = await asyncio.start_server(one, "127.0.0.1", 0)
    try:
        yield listening.sockets[0].getsockname()[1]
    finally:
        listening.close()


async def came_from(client: clients.Client, count: int, answers: bool = True, keeps: bool = True) -> list[bytes]:
    """The first requests of a client, each with the number of its connection before it."""
    came: asyncio.Queue[bytes] = asyncio.Queue()
    connections = 0

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal connections
        connections += 1
        number = connections
        while True:
            came.put_nowait(b"%d " % number + await reader.readuntil(clients.HALF))
            if answers:
                await reader.readexactly(2)
                writer.write(ANSWER)
            if not keeps:
                return

    async with server(serve) as port, clients.at_once({client: 1}, (port,)):
        return [await came.get() for _ in range(count)]


@pytest.mark.parametrize("client", [clients.asking, clients.busy])
def test_a_client_asks_again_on_its_connection(client: clients.Client) -> None:
    came = asyncio.run(came_from(client, 3))
    assert came == [b"1 " + clients.HALF] * 3


@pytest.mark.parametrize(("client", "answers"), [(clients.idle, True), (clients.slow, False), (clients.busy, True)])
def test_a_connection_that_the_server_closes_is_opened_again(client: clients.Client, answers: bool) -> None:
    came = asyncio.run(came_from(client, 2, answers, keeps=False))
    assert came == [b"1 " + clients.HALF, b"2 " + clients.HALF]


def test_a_client_outlives_answers_that_are_none() -> None:
    async def play() -> int:
        connections: asyncio.Queue[int] = asyncio.Queue()

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n")
            connections.put_nowait(1)

        async with server(serve) as port, clients.at_once({clients.asking: 1}, (port,)):
            return sum([await connections.get() for _ in range(2)])

    assert asyncio.run(play()) == 2


def get(url: str) -> tuple[str, str]:
    """The content, and its policy."""
    with urllib.request.urlopen(url, timeout=60) as answer:
        return answer.read().decode(), answer.headers["Content-Security-Policy"]


def test_the_page_has_both_live_pages_and_the_stage() -> None:
    frames = {"1. blocking": "http://127.0.0.1:9001/", "2. per-core": "http://127.0.0.1:9002/"}
    with Page(frames) as page:
        page.say("1 of 4: Few", "Look there.")
        text, policy = get(page.url)
        assert re.findall(r'<iframe src="([^"]+)" title="([^"]+)"', text) == [(b, a) for a, b in frames.items()]
        assert "frame-src http://127.0.0.1:9001/ http://127.0.0.1:9002/" in policy
        assert json.loads(get(page.url + "stage")[0]) == {"title": "1 of 4: Few", "about": "Look there."}
        assert "fetch" in get(page.url + "page.js")[0]
        with pytest.raises(urllib.error.HTTPError, match="404"):
            get(page.url + "other")
    with pytest.raises(urllib.error.URLError):
        get(page.url)


def test_every_stage_has_clients_and_says_where_to_look() -> None:
    assert all(stage.clients and "Look at" in stage.about for stage in STAGES)


@pytest.mark.parametrize("engines", [("blocking", "per-core"), ("select", "select")])
def test_a_lecture_shows_the_pages_of_two_servers(engines: tuple[str, str]) -> None:
    if missing := built.not_built(built.weir(), "./run build"):
        pytest.skip(missing)
    printed: list[str] = []
    shown: list[str] = []

    def show(line: str) -> None:
        printed.append(line)
        if line.startswith("4 of 4"):
            url = next(re.finditer(r"http://\S+", printed[0]))[0]
            frames = re.findall(r'<iframe src="([^"]+)"', get(url)[0])
            shown.extend(json.loads(get(f"{frame}status")[0])["engine"] for frame in frames)
            assert json.loads(get(url + "stage")[0])["title"] == line

    live.run(live.Lecture(engines, seconds=0.4), show)
    assert shown == [*engines]
    assert [line for line in printed if re.match(r"\d of 4: ", line)] == [
        f"{number} of 4: {stage.title}" for number, stage in enumerate(STAGES, 1)
    ]
    assert max(map(len, printed)) <= 80


def test_the_command_names_what_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(commands.Failed, match="--engines takes two names"):
        commands.teach_live("blocking", None, 0, False)
    with pytest.raises(commands.Failed, match="go with --live"):
        CliRunner().invoke(main.app, ["teach", "--seconds", "3"], catch_exceptions=False)

    def cannot(lecture: live.Lecture) -> None:
        raise DidNotStart("no port is free")

    monkeypatch.setattr(live, "run", cannot)
    monkeypatch.setattr("weir_lab.cli.commands.Weir.missing", lambda self: None)
    with pytest.raises(commands.Failed, match="no port is free"):
        commands.teach_live("blocking,per-core", 1.0, 0, False)


def test_a_port_that_is_taken_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(CannotShow, match=f"port {port}: Address already in use"):
            Page({}, port)


def test_ctrl_c_ends_it_cleanly(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted(lecture: live.Lecture) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(live, "run", interrupted)
    monkeypatch.setattr("weir_lab.cli.commands.Weir.missing", lambda self: None)
    assert commands.teach_live("blocking,per-core", None, 0, False) == 0
    assert "The lecture has ended." in capsys.readouterr().out


def test_it_needs_weir_alone() -> None:
    assert needs.of_teach(is_live=True) == ["weir"]
    assert CliRunner().invoke(main.app, ["teach", "--live"], obj=True).stdout == "weir\n"
