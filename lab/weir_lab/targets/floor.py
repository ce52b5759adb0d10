"""The floors: lab/floor, which answers without parsing the request. Everything else is compared with them."""

import ctypes
import os
from typing import Literal

from weir_lab.core import built
from weir_lab.core.scenario import Scenario
from weir_lab.core.target import CannotServe, ServerSetup
from weir_lab.targets.peer import needs_no_handler

BUILD = "cmake -S lab/floor -B build/lab/floor && cmake --build build/lab/floor"
SYS_IO_URING_SETUP = 425  # on every architecture


Kind = Literal["epoll", "io-uring", "close", "sendfile"]
HOW: dict[Kind, str] = {
    "epoll": "on epoll",
    "io-uring": "on io_uring",
    "close": "one connection at a time, each when its request is there (TCP_DEFER_ACCEPT)",
    "sendfile": "on epoll, by sendfile(2) from a file in memory",
}


class Floor:
    """A floor for each kind of work: which one takes the least depends on it."""

    def __init__(self, kind: Kind) -> None:
        self.name = f"floor/{kind}"
        self.summary = (
            f"no server: counts the ends of requests and sends as many copies of an answer, {HOW[kind]}; "
            "the head has weir's fields, with the date of its start"
        )
        self._kind = kind
        self._program = f"floor/floor-{'epoll' if kind == 'sendfile' else kind}"

    def needs(self) -> tuple[str, ...]:
        return ("floor",)

    def missing(self) -> str | None:
        needs = " (with liburing-dev)" if self._kind == "io-uring" else ""
        if because := built.not_built(built.native(self._program), BUILD + needs):
            return because
        return _why_no_rings() if self._kind == "io-uring" else None

    def version(self) -> str:
        return "of this lab"

    def workers(self, wanted: int) -> int:
        return wanted

    def not_asked(self, scenario: Scenario) -> tuple[str, ...]:
        """It reads no request: every one has the same answer, whose content is no file's."""
        return ("head", "404", "content")

    def command(self, scenario: Scenario, setup: ServerSetup) -> list[str]:
        needs_no_handler(self.name, scenario)
        if scenario.slow_readers:
            raise CannotServe(f"{self.name} gives every path the same answer: there is no large file to be read slowly")
        if self._kind == "close" and scenario.keep_alive:
            raise CannotServe(f"{self.name} serves one connection at a time: it is the floor of connections that close")
        sendfile = ["--sendfile", "1"] if self._kind == "sendfile" else []
        sizes = ["--port", str(setup.port), "--bytes", str(scenario.body_bytes), "--workers", str(setup.workers)]
        return [str(built.native(self._program)), *sendfile, *sizes]


def _why_no_rings() -> str | None:
    parameters = ctypes.create_string_buffer(120)  # struct io_uring_params
    libc = ctypes.CDLL(None, use_errno=True)
    ring = libc.syscall(SYS_IO_URING_SETUP, 1, parameters)
    if ring < 0:
        return f"io_uring cannot be used here: {os.strerror(ctypes.get_errno())} (see sysctl kernel.io_uring_disabled)"
    os.close(ring)
    return None
