"""Peers that the lab builds or installs when an experiment names them: programs on libraries of others, in lab/peers.

Each serves the files of a folder, all but static-web-server from memory, or has the routes of a program, and gets its
best set-up for that work: one thread, process or event loop for each worker."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from weir_lab.core import built
from weir_lab.core.scenario import Scenario
from weir_lab.core.target import CannotServe, ServerSetup
from weir_lab.targets.peer import CratePeer, needs_no_handler

PEERS = built.REPOSITORY / "lab" / "peers"
STATIC_WEB_SERVER_VERSION = "2.42.0"  # as in tools/lab.sh


@dataclass
class BuiltPeer:
    name: str
    summary: str
    program: str  # below build/lab, or in the PATH
    arguments: str  # to serve files; empty: it serves none
    version: Callable[[], str]
    environment: Mapping[str, str] = field(default_factory=dict)
    leaves_out: tuple[str, ...] = ()  # questions of the validator that it can't answer by design
    routes: str = ""  # the arguments with which it has the routes of a program; empty: it has none

    def needs(self) -> tuple[str, ...]:
        return (self.name,)

    def missing(self) -> str | None:
        if "/" not in self.program and shutil.which(self.program):
            return None
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
            "scratch": setup.scratch,
            "workers": setup.workers,
            "connections": setup.connections + 100,
            "peers": PEERS,
        }
        program = str(built.native(self.program)) if "/" in self.program else self.program
        environment = [f"{name}={value.format(**values)}" for name, value in self.environment.items()]
        words = [word.format(**values) for word in arguments.split()]
        return [*(["env", *environment] if environment else []), program, *words]

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


def of_requirements(name: str) -> Callable[[], str]:
    """The versions in its requirements.txt, its own first."""

    def version() -> str:
        text = (PEERS / name / "requirements.txt").read_text(encoding="utf-8")
        found = [" ".join(one) for one in re.findall(r"^(\w+)==(\S+)", text, re.MULTILINE)]
        return ", ".join(sorted(found, key=lambda one: (not one.startswith(name), one)))

    return version


def of_program(*command: str) -> Callable[[], str]:
    def version() -> str:
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=10).stdout.strip()

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
CPP = "{port} {site} {workers} {connections}"

PEERS_TO_BUILD: tuple[BuiltPeer, ...] = (
    BuiltPeer(
        "actix",
        f"a program on actix-web, a thread with a runtime for each worker; {MEMORY}. Head: weir's fields",
        "actix/release/actix-peer",
        "{port} {site} {workers}",
        of_crate("actix", "actix-web", "actix-http"),
    ),
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
        "static-web-server",
        "static-web-server, a thread for each core that it may use; files from the disk; no compression, no added "
        "fields, no log. Head: weir's fields, without ETag",
        "static-web-server/bin/static-web-server",
        "--host 127.0.0.1 --port {port} --root {site} --threads-multiplier 1 --log-level error "
        "--security-headers false --cache-control-headers false",
        lambda: f"static-web-server {STATIC_WEB_SERVER_VERSION}",
    ),
    BuiltPeer(
        "fasthttp",
        f"a program on fasthttp, GOMAXPROCS as workers, GOGC 400; {MEMORY}. Head: weir's fields",
        "fasthttp/fasthttp-peer",
        "{port} {site}",
        of_module("fasthttp", "github.com/valyala/fasthttp"),
        GO,
    ),
    BuiltPeer(
        "node-http",
        f"a program on Node's http, a process for each worker; {MEMORY}. Head: weir's fields, Connection, Keep-Alive",
        "node",
        "{peers}/node/server.js {port} {site} {workers}",
        of_program("node", "--version"),
    ),
    BuiltPeer(
        "uvicorn",
        f"an ASGI application on uvicorn with uvloop and httptools, a process for each worker; {MEMORY}. Head: weir's "
        "fields",
        "uvicorn/bin/uvicorn",
        "--app-dir {peers}/uvicorn --host 127.0.0.1 --port {port} --workers {workers} --loop uvloop --http httptools "
        "--no-access-log --log-level warning --no-server-header --timeout-keep-alive 75 --backlog 4096 "
        "application:application",
        of_requirements("uvicorn"),
        {"SITE": "{site}"},
    ),
    BuiltPeer(
        "granian",
        f"an RSGI application on granian with uvloop, a process for each worker; {MEMORY}. Head: weir's fields, with "
        "the date of its start",
        "granian/bin/granian",
        "--working-dir {peers}/granian --host 127.0.0.1 --port {port} --workers {workers} --interface rsgi --http 1 "
        "--loop uvloop --runtime-mode st --no-access-log --log-level error --backlog 4096 --workers-kill-timeout 1 "
        "application:application",
        of_requirements("granian"),
        {"SITE": "{site}"},
    ),
    BuiltPeer(
        "cpp-httplib",
        f"a program on cpp-httplib, a thread for each connection; {MEMORY}. Head: weir's fields, and Keep-Alive",
        "cpp/httplib-peer",
        CPP,
        of_package("cpp-httplib", "libcpp-httplib-dev"),
        leaves_out=("pipelining",),
    ),
    BuiltPeer(
        "libmicrohttpd",
        f"a program on libmicrohttpd, a loop on epoll for each worker; {MEMORY}. Head: weir's fields",
        "cpp/microhttpd-peer",
        CPP,
        of_package("libmicrohttpd", "libmicrohttpd-dev"),
    ),
    BuiltPeer(
        "beast",
        f"a program on Boost.Beast, a loop and a listening socket for each worker; {MEMORY}. Head: weir's fields",
        "cpp/beast-peer",
        CPP,
        of_package("Boost", "libboost-dev"),
    ),
)
