"""weir with each of its engines: `weir serve` for files, `weir target` for handlers that take time."""

from __future__ import annotations

import functools
import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

from weir_lab import built
from weir_lab.scenario import Scenario
from weir_lab.targets.target import ServerSetup


@dataclass(frozen=True)
class Engine:
    """A row of `weir engines --json`."""

    name: str
    waits: str
    handlers_run: str
    has_workers: bool
    unavailable_because: str = ""


def engines() -> tuple[Engine, ...]:
    """Empty if weir is not built."""
    program = built.weir()
    return _engines_of(program, program.stat().st_mtime_ns) if program.is_file() else ()


@functools.cache
def _engines_of(program: Path, changed: int) -> tuple[Engine, ...]:
    """Asks again when the program has been built again."""
    said = subprocess.run(
        [str(program), "engines", "--json"], capture_output=True, text=True, check=True, timeout=10
    ).stdout
    known = Engine.__dataclass_fields__
    return tuple(Engine(**{key: value for key, value in one.items() if key in known}) for one in json.loads(said))


WITH_LOG = "+log"  # suffix of an engine: peers write no access log, so weir's cost of it is compared with weir


def version_of(program: Path) -> str:
    said = subprocess.run([str(program), "--version"], capture_output=True, text=True, check=True, timeout=10).stdout
    return said.splitlines()[0]


class Weir:
    def __init__(self, name: str) -> None:
        self.name = f"weir/{name}"
        self._engine = name.removesuffix(WITH_LOG)
        self._logs = name.endswith(WITH_LOG)
        known = self._find()
        self.summary = f"weir: {known.waits}; handlers {known.handlers_run}" if known else "weir"
        if self._logs:
            self.summary += "; with an access log"

    def needs(self) -> tuple[str, ...]:
        return ("weir",)

    def missing(self) -> str | None:
        if because := built.not_built(built.weir(), "./run build"):
            return because
        engine = self._find()
        if engine is None:
            return f"this weir has no engine '{self._engine}'; ./run build makes one of these sources"
        if engine.unavailable_because:
            return f"{self._engine} cannot run here: {engine.unavailable_because}"
        return None

    def version(self) -> str:
        return version_of(built.weir())

    def workers(self, wanted: int) -> int:
        engine = self._find()
        return wanted if engine and engine.has_workers else 1

    def command(self, scenario: Scenario, setup: ServerSetup) -> list[str]:
        engine = self._find()
        workers = ["--workers", str(setup.workers)] if engine and engine.has_workers else []
        log = ["--access-log", str(setup.scratch / "access.log")] if self._logs else []
        return [
            str(built.weir()),
            *self._served(scenario, setup),
            "--engine",
            self._engine,
            *workers,
            *log,
            "--bind",
            "127.0.0.1",
            "--port",
            str(setup.port),
            "--quiet",
        ]

    def _served(self, scenario: Scenario, setup: ServerSetup) -> list[str]:
        if scenario.handler == "none":
            return ["serve", str(setup.site)]
        return [
            "target",
            "--bytes",
            str(scenario.body_bytes),
            f"--{scenario.handler}",
            f"{round(scenario.handler_seconds * 1e6)}us",
        ]

    def _find(self) -> Engine | None:
        return next((engine for engine in engines() if engine.name == self._engine), None)
