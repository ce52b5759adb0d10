"""weir with each of its engines: `weir serve` for files, `weir target` for handlers that take time."""

import functools
import hashlib
import json
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from weir_lab.core import built
from weir_lab.core.scenario import Scenario
from weir_lab.core.serving import CODING, LEVEL
from weir_lab.core.target import OTHER, CannotServe, ServerSetup
from weir_lab.targets.engine import Asked


@dataclass(frozen=True)
class Engine:
    """A row of `weir engines --json`."""

    name: str
    waits: str
    handlers_run: str
    has_workers: bool
    unavailable_because: str = ""


def engines(program: Path | None = None) -> tuple[Engine, ...]:
    """Empty if weir is not built."""
    program = program or built.weir()
    return _engines_of(program, program.stat().st_mtime_ns) if program.is_file() else ()


@functools.cache
def _engines_of(program: Path, changed: int) -> tuple[Engine, ...]:
    """Asks again when the program has been built again."""
    said = subprocess.run(
        [str(program), "engines", "--json"], capture_output=True, text=True, check=True, timeout=10
    ).stdout
    known = Engine.__dataclass_fields__
    return tuple(Engine(**{key: value for key, value in one.items() if key in known}) for one in json.loads(said))


# Engines whose threads are few, and serve a connection until it ends.
ONE_CONNECTION_EACH = ("blocking", "thread-pool")
WITH_LOG = "+log"  # suffix of an engine: peers write no access log, so weir's cost of it is compared with weir
THREADS = re.compile(r"\+(\d+)$")  # suffix of a pool: so many threads, on the cores that the cell's workers have


def engine_of(name: str) -> str:
    """Without suffixes."""
    return THREADS.sub("", name.removesuffix(WITH_LOG))


def version_of(program: Path) -> str:
    said = subprocess.run([str(program), "--version"], capture_output=True, text=True, check=True, timeout=10).stdout
    return said.splitlines()[0]


def answering(engine: str, port: int, *options: str) -> list[str]:
    """The command that answers every path by a handler."""
    return [str(built.weir()), "target", "--engine", engine, *options, "--bind", "127.0.0.1", "--port", str(port)]


class Weir:
    _kind = "weir"
    _how_to_build = "./run build"

    def __init__(self, name: str) -> None:
        self.name = f"{self._kind}/{name}"
        self._engine = engine_of(name)
        threads = THREADS.search(name.removesuffix(WITH_LOG))
        self._threads = int(threads[1]) if threads else None
        self._logs = name.endswith(WITH_LOG)
        known = self._find()
        self.summary = f"weir: {known.waits}; handlers {known.handlers_run}" if known else "weir"
        if self._threads:
            self.summary += f"; {self._threads} threads"
        if self._logs:
            self.summary += "; with an access log"

    @property
    def _program(self) -> Path:
        return built.weir()

    def needs(self) -> tuple[str, ...]:
        return ("weir",)

    def missing(self) -> str | None:
        if because := built.not_built(self._program, self._how_to_build):
            return because
        engine = self._find()
        if engine is None:
            return f"this weir has no engine '{self._engine}'; ./run build makes one of these sources"
        if engine.unavailable_because:
            return f"{self._engine} cannot run here: {engine.unavailable_because}"
        return None

    def version(self) -> str:
        return version_of(self._program)

    def workers(self, wanted: int) -> int:
        engine = self._find()
        return wanted if engine and engine.has_workers else 1

    def not_asked(self, scenario: Scenario) -> tuple[str, ...]:
        """`weir target` has the same answer for every path. Some engines give each connection a thread of few: as long
        as the generator keeps its connections, those of the lab wait."""
        of_handler = ("404", "content") if self._is_handler(scenario) else ()
        return (*of_handler, *(("samples",) if scenario.keep_alive and self._engine in ONE_CONNECTION_EACH else ()))

    def asked(self, workers: int) -> Asked:
        engine = self._find()
        assert engine
        return Asked(
            self._program, engine.name, engine.waits, (self._threads or workers) if engine.has_workers else None
        )

    def command(self, scenario: Scenario, setup: ServerSetup) -> list[str]:
        """Raises CannotServe."""
        if scenario.program != "no":
            raise CannotServe(f"{self.name} serves files: program/{self._engine} is a program on the library")
        engine = self._find()
        workers = ["--workers", str(self._threads or setup.workers)] if engine and engine.has_workers else []
        log = ["--access-log", str(setup.scratch / "access.log")] if self._logs else []
        engine_options = ["--engine", self._engine, *workers, *log]
        adds = [*self._speaks(scenario, setup), *_adds(scenario, setup)]
        listens = ["--bind", "127.0.0.1", "--port", str(setup.port)]
        return [str(self._program), *self._served(scenario, setup), *engine_options, *adds, *listens]

    def _speaks(self, scenario: Scenario, setup: ServerSetup) -> list[str]:
        """Over TLS it offers HTTP/2 by itself."""
        if (scenario.tls or scenario.http2) and self._is_handler(scenario):
            raise CannotServe(f"{self.name} has handlers over plain HTTP/1.1 alone: weir target has no TLS")
        files = setup.certificate
        if scenario.tls:
            return ["--tls-cert", str(files.chain), "--tls-key", str(files.key)]
        return ["--h2c"] if scenario.http2 else []

    def _served(self, scenario: Scenario, setup: ServerSetup) -> list[str]:
        """A handler answers every method, and `weir serve` only those of files."""
        if not self._is_handler(scenario):
            passes = ["--proxy", f"/: http://127.0.0.1:{setup.other_port}"] if scenario.proxied else []
            return ["serve", str(setup.site), *passes]
        takes = [f"--{scenario.handler}", f"{round(scenario.handler_seconds * 1e6)}us"]
        return ["target", "--bytes", str(scenario.body_bytes), *(takes if scenario.handler != "none" else [])]

    @staticmethod
    def _is_handler(scenario: Scenario) -> bool:
        return scenario.handler != "none" or scenario.method != "GET"

    def _find(self) -> Engine | None:
        return next((engine for engine in engines(self._program) if engine.name == self._engine), None)


def _adds(scenario: Scenario, setup: ServerSetup) -> list[str]:
    """What is beside the file is sent without an option."""
    added = ["--auth", str(setup.users)] if scenario.password else []
    if scenario.compressed in {"anew", "kept"}:
        added += [f"--compress={CODING}", "--compress-level", str(LEVEL)]
    return [*added, "--compress-cache", "0"] if scenario.compressed == "anew" else added


def no_other() -> str | None:
    """Why there is no other build to measure beside this one. None: there is one."""
    program = built.other_weir()
    if program is None:
        return (
            "WEIR_LAB_OTHER is not set: build another commit in a folder of its own, and name its program, as in "
            "WEIR_LAB_OTHER=/home/me/before/build/release/weir"
        )
    if not program.is_file():
        return f"WEIR_LAB_OTHER is {program}, and there is no such file"
    if not _is_weir(program, program.stat().st_mtime_ns):
        return f"WEIR_LAB_OTHER is {program}, which is no weir: its --version does not say so"
    return None


@functools.cache
def _is_weir(program: Path, changed: int) -> bool:
    """Asks again when the program has been built again."""
    try:
        return version_of(program).startswith("weir ")
    except (OSError, subprocess.SubprocessError, ValueError, IndexError):
        return False


class OtherWeir(Weir):
    """An engine of another build, $WEIR_LAB_OTHER: a change is measured against what was there before, interleaved."""

    _kind = f"{OTHER}weir"

    @property
    def _program(self) -> Path:
        return built.other_weir() or Path()

    def missing(self) -> str | None:
        return no_other() or super().missing()

    def _find(self) -> Engine | None:
        return None if no_other() else super()._find()

    def version(self) -> str:
        digest = hashlib.sha256(self._program.read_bytes()).hexdigest()
        return f"{version_of(self._program)}, binary {digest[:12]}"
