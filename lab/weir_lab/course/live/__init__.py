"""Two weirs side by side, with one load against both: a page that shows the live page of each, for a lecture. It needs
weir alone."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import tempfile
import textwrap
import webbrowser
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from weir_lab.course.live.clients import at_once
from weir_lab.course.live.page import Page
from weir_lab.course.live.stages import HANDLER_MS, STAGES, Stage
from weir_lab.running import machine
from weir_lab.servers.server_process import ServerProcess, free_port
from weir_lab.targets.weir import answering

ENGINES = ("blocking", "per-core")
STAGE_SECONDS = 20.0
COLUMNS = 78

Print = Callable[[str], None]


@dataclass(frozen=True)
class Lecture:
    engines: tuple[str, str] = ENGINES
    seconds: float | None = None  # of all stages together; None: they follow each other until Ctrl-C
    port: int = 0  # of the page; 0: any free one
    opens: bool = False  # in the browser


def _show(line: str) -> None:
    """At once, also into a pipe."""
    print(line, flush=True)


def run(lecture: Lecture, show: Print = _show) -> None:
    machine.raise_descriptor_limit()
    with contextlib.ExitStack() as stack:
        servers = {name: stack.enter_context(_serving(engine)) for name, engine in _named(lecture.engines).items()}
        page = stack.enter_context(Page({name: admin for name, (_, admin) in servers.items()}, lecture.port))
        show(f"{' beside '.join(lecture.engines)}: {page.url}")
        show("Open this page in a browser, as wide as it can be. Ctrl-C ends the lecture.")
        if lecture.opens:
            webbrowser.open(page.url)
        asyncio.run(_play(lecture, tuple(port for port, _ in servers.values()), page, show))


def _named(engines: tuple[str, str]) -> dict[str, str]:
    """One engine may be shown twice."""
    return {f"{number}. {engine}": engine for number, engine in enumerate(engines, 1)}


@contextlib.contextmanager
def _serving(engine: str) -> Iterator[tuple[int, str]]:
    """Its port, and its live page."""
    port, admin = free_port(), f"127.0.0.1:{free_port()}"
    command = answering(engine, port, "--sleep", f"{HANDLER_MS}ms", "--admin", admin, "--quiet")
    with tempfile.TemporaryDirectory(prefix="weir-lab-") as scratch, ServerProcess(command, port, "/", Path(scratch)):
        yield port, f"http://{admin}/"


async def _play(lecture: Lecture, ports: tuple[int, ...], page: Page, show: Print) -> None:
    seconds = STAGE_SECONDS if lecture.seconds is None else lecture.seconds / len(STAGES)
    stages = enumerate(STAGES, 1)
    for number, stage in stages if lecture.seconds is not None else itertools.cycle(stages):
        _tell(number, stage, page, show)
        async with at_once(stage.clients, ports):
            await asyncio.sleep(seconds)


def _tell(number: int, stage: Stage, page: Page, show: Print) -> None:
    title = f"{number} of {len(STAGES)}: {stage.title}"
    page.say(title, stage.about)
    for line in ("", title, *textwrap.wrap(stage.about, COLUMNS)):
        show(line)
