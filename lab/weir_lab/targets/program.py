"""Programs on libraries, with the routes of the scenarios `program-text`, `program-json` and `program-echo`: one on
weir::web with each engine, and those of others that serve no files. axum, which does both, is in built_peer.py."""

import hashlib
import re
import subprocess
import tomllib
from pathlib import Path

from weir_lab.core import built
from weir_lab.core.scenario import Scenario
from weir_lab.core.target import CannotServe, ServerSetup
from weir_lab.targets.built_peer import GO, PEERS, BuiltPeer
from weir_lab.targets.engine import Asked
from weir_lab.targets.weir import ONE_CONNECTION_EACH, Engine, Weir, engines, version_of

WEIR_PROGRAM = "weir-program/weir-program"
UWEBSOCKETS_SOURCES = "uwebsockets/sources"  # tools/lab.sh puts them there
MARK = re.compile(r'writeHeader\("uWebSockets", "(\d+)"\)')  # the version that it would name in each answer


class Program(Weir):
    """lab/peers/weir: the program of this tree, and the engines that its command lists."""

    _kind = "program"
    _how_to_build = "./run lab run EXPERIMENT builds it if the experiment names program/ENGINE"

    def __init__(self, name: str) -> None:
        super().__init__(name)
        engine = self._find()
        self.summary = "a program on weir::web" + (f": {engine.waits}" if engine else "") + "; JSON by nlohmann/json"

    @property
    def _program(self) -> Path:
        return built.native(WEIR_PROGRAM)

    def needs(self) -> tuple[str, ...]:
        return ("weir", "weir-program")

    def version(self) -> str:
        digest = hashlib.sha256(self._program.read_bytes()).hexdigest()
        return f"{version_of(built.weir())}, binary {digest[:12]}"

    def not_asked(self, scenario: Scenario) -> tuple[str, ...]:
        """Some engines give each connection a thread of few: the lab's own connections would wait."""
        return ("samples",) if self._engine in ONE_CONNECTION_EACH else ()

    def command(self, scenario: Scenario, setup: ServerSetup) -> list[str]:
        if scenario.program == "no":
            raise CannotServe(f"{self.name} serves no files: it has the routes of a program")
        if self._logs or self._threads:
            raise CannotServe(f"{self.name}: a program has neither a log nor a number of threads here")
        return [str(self._program), str(setup.port), self._engine, str(setup.workers)]

    def asked(self, workers: int) -> Asked:
        engine = self._find()
        assert engine
        return Asked(self._program, engine.name, engine.waits, workers if engine.has_workers else None)

    def _find(self) -> Engine | None:
        """By the command: the program has the same engines."""
        return next((one for one in engines() if one.name == self._engine), None)


def _version_of_uwebsockets() -> str:
    """Its crate's, and what its sources say."""
    lock = tomllib.loads((PEERS / "uwebsockets" / "Cargo.lock").read_text(encoding="utf-8"))["package"]
    crate = next(one for one in lock if one["name"] == "libuwebsockets-sys")
    source = built.native(UWEBSOCKETS_SOURCES) / "src" / "HttpResponse.h"
    found = MARK.search(source.read_text(encoding="utf-8")) if source.is_file() else None
    return f"uWebSockets {found[1] if found else 'of unknown version'}, {crate['name']} {crate['version']}"


def _version_of_go() -> str:
    """Of the Go that built it, whose net/http it is, and of its module for WebSocket."""
    program = str(built.native("go-http/go-http-peer"))
    try:
        said = subprocess.run(["go", "version", program], capture_output=True, text=True, check=True, timeout=10).stdout
    except (OSError, subprocess.CalledProcessError):
        said = "unknown"
    text = (PEERS / "go-http" / "go.mod").read_text(encoding="utf-8")
    module = re.search(r"gorilla/websocket v(\S+)", text)
    return f"Go {said.split()[-1].removeprefix('go')}, gorilla/websocket {module[1] if module else 'unknown'}"


PROGRAMS: tuple[BuiltPeer, ...] = (
    BuiltPeer(
        "uwebsockets",
        "a program on uWebSockets, an App for each worker, without TLS and zlib; it has no JSON, so the object is put "
        "together as a text. Head: weir's fields",
        "uwebsockets/uwebsockets-peer",
        "",
        _version_of_uwebsockets,
        routes="{port} {workers}",
    ),
    BuiltPeer(
        "go-http",
        "a program on Go's net/http and gorilla/websocket, GOMAXPROCS as workers, GOGC 400; JSON by encoding/json. "
        "Head: weir's fields",
        "go-http/go-http-peer",
        "",
        _version_of_go,
        GO,
        routes="{port}",
    ),
)
