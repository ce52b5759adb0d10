"""Peers that the lab builds when an experiment names them: programs on libraries of others, in lab/peers.

Each serves the files of a folder from memory, or has the routes of a program, and gets its best set-up for that work:
one thread or event loop for each worker."""

import re
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from weir_lab.core import built
from weir_lab.core.scenario import Scenario
from weir_lab.core.target import CannotServe, ServerSetup
from weir_lab.targets.peer import CratePeer, needs_no_handler

PEERS = built.REPOSITORY / "lab" / "peers"


@dataclass
class BuiltPeer:
    name: str
    summary: str
    program: str  # below build/lab
    arguments: str  # to serve files; empty: it serves none
    version: Callable[[], str]
    environment: Mapping[str, str] = field(default_factory=dict)
    leaves_out: tuple[str, ...] = ()  # questions of the validator that it can't answer by design
    routes: str = ""  # the arguments with which it has the routes of a program; empty: it has none

    def needs(self) -> tuple[str, ...]:
        return (self.name,)

    def missing(self) -> str | None:
        how = f"./run lab run EXPERIMENT builds it if the experiment names {self.name}"
        return built.not_built(built.native(self.program), how)

    def workers(self, wanted: int) -> int:
        return wanted

    def not_asked(self, scenario: Scenario) -> tuple[str, ...]:
        return self.leaves_out

    def command(self, scenario: Scenario, setup: ServerSetup) -> list[str]:
        arguments = self._arguments(scenario)
        if scenario.pipeline > 1 and "pipelining" in self.leaves_out:
            raise CannotServe(f"{self.name} does not see a request that came together with the one before")
        values = {
            "port": setup.port,
            "site": setup.site,
            "workers": setup.workers,
            "connections": setup.connections + 100,
        }
        environment = [f"{name}={value.format(**values)}" for name, value in self.environment.items()]
        words = [word.format(**values) for word in arguments.split()]
        return [*(["env", *environment] if environment else []), str(built.native(self.program)), *words]

    def _arguments(self, scenario: Scenario) -> str:
        """Raises CannotServe."""
        if scenario.program != "no" and self.routes:
            return self.routes
        needs_no_handler(self.name, scenario)
        if not self.arguments:
            raise CannotServe(f"{self.name} serves no files: it has the routes of a program")
        return self.arguments


def of_crate(name: str, *packages: str) -> Callable[[], str]:
    return CratePeer(name, packages).version


def of_module(name: str, module: str) -> Callable[[], str]:
    """The version in its go.mod."""

    def version() -> str:
        text = (PEERS / name / "go.mod").read_text(encoding="utf-8")
        found = re.search(rf"\b{re.escape(module)} v(\S+)", text)
        return f"{name} {found[1] if found else 'unknown'}"

    return version


def of_package(name: str, package: str) -> Callable[[], str]:
    """The version of a Debian package."""

    def version() -> str:
        command = ["dpkg-query", "-W", "-f=${Version}", package]
        try:
            said = subprocess.run(command, capture_output=True, text=True, check=True, timeout=10).stdout
        except (OSError, subprocess.CalledProcessError):
            return f"{name}, version unknown"
        return f"{name} {said}"

    return version


GO = {"GOMAXPROCS": "{workers}", "GOGC": "400"}
MEMORY = "all files from memory, never checked for changes, which favours it"

PEERS_TO_BUILD: tuple[BuiltPeer, ...] = (
    BuiltPeer(
        "axum",
        f"a program on axum, a runtime for each worker; {MEMORY}, and no deadlines; or routes with JSON by serde_json. "
        "Head: weir's fields",
        "axum/release/axum-peer",
        "{port} {site} {workers}",
        of_crate("axum", "axum", "hyper", "tokio"),
        routes="program {port} {workers}",
    ),
    BuiltPeer(
        "cpp-httplib",
        f"a program on cpp-httplib, a thread for each connection; {MEMORY}. Head: weir's fields, and Keep-Alive",
        "cpp/httplib-peer",
        "{port} {site} {workers} {connections}",
        of_package("cpp-httplib", "libcpp-httplib-dev"),
        leaves_out=("pipelining",),
    ),
)
