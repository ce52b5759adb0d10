"""hyper: lab/peers/hyper, a small program on hyper 1 and tokio."""

from __future__ import annotations

from weir_lab.scenario import Scenario
from weir_lab.targets.peer import CratePeer, needs_no_handler
from weir_lab.targets.target import ServerSetup
from weir_lab.targets.ways import SEPARATOR, Ways

PROGRAM = CratePeer("hyper", ("hyper", "tokio"))

WAYS = Ways(
    settings={
        # Copies head and content into one buffer, together with other pipelined answers. For large files it would need
        # a copy for each connection.
        "gather": {"gather": "yes"},
        "vectored": {"gather": "no"},
    },
    best={
        "keep-alive": "gather",
        "close": "gather",
        "pipelined": "gather",
        "file-100k": "vectored",
        "file-1m": "vectored",
        "file-10m": "vectored",
    },
)


class Hyper:
    def __init__(self, way: str = "") -> None:
        self.name = "hyper" + (SEPARATOR + way if way else "")
        self.summary = (
            "a program on hyper 1 and tokio, a runtime for each worker; all files from memory, never checked for "
            f"changes, and no deadlines: both favour it; {WAYS.words(way)}. Head: weir's fields"
        )
        self._way = way

    def needs(self) -> tuple[str, ...]:
        return ("hyper",)

    def missing(self) -> str | None:
        return PROGRAM.missing()

    def version(self) -> str:
        return PROGRAM.version()

    def workers(self, wanted: int) -> int:
        return wanted

    def command(self, scenario: Scenario, setup: ServerSetup) -> list[str]:
        needs_no_handler(self.name, scenario)
        # Otherwise each slow reader would hold a copy of the large file.
        way = "vectored" if scenario.slow_readers and not self._way else WAYS.name(scenario, self._way)
        return [
            str(PROGRAM.path()),
            "--port",
            str(setup.port),
            "--root",
            str(setup.site),
            "--workers",
            str(setup.workers),
            "--gather",
            WAYS.settings[way]["gather"],
        ]
