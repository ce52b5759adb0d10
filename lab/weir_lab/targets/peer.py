"""What peers have in common: a package, a configuration from a template, and no handlers."""

import os
import shutil
import string
import subprocess
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from weir_lab.core import built
from weir_lab.core.scenario import Scenario
from weir_lab.core.target import CannotServe, ServerSetup

# For everything but connections: listeners, open files, logs, pipes.
OTHER_DESCRIPTORS = 500
# weir's default, and longer than a run: no server closes idle connections meanwhile.
KEEP_ALIVE_SECONDS = 75
HEAD_BYTES = 2 * 1024


@dataclass(frozen=True)
class DebianProgram:
    program: str
    package: str
    version_argument: str

    def path(self) -> str:
        """Searches the sbin folders as well, which the PATH of ordinary users lacks."""
        search = os.pathsep.join((os.environ.get("PATH", os.defpath), "/usr/local/sbin", "/usr/sbin"))
        return shutil.which(self.program, path=search) or self.program

    def needs(self) -> tuple[str, ...]:
        return (self.package,) if self.missing() else ()

    def missing(self) -> str | None:
        if Path(self.path()).is_absolute():
            return None
        return f"{self.program} is not installed: apt-get install {self.package}"

    def version(self) -> str:
        """The first line that it prints, on either output."""
        done = subprocess.run(
            [self.path(), self.version_argument],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=True,
            timeout=10,
        )
        return done.stdout.splitlines()[0].removeprefix("nginx version: ")


@dataclass(frozen=True)
class CratePeer:
    """A program of ours on a library of others: lab/peers/NAME, with the version of that library."""

    name: str
    packages: tuple[str, ...]
    place: str = ""  # below build/lab, if it is not its name: it is built once more, with other features

    def needs(self) -> tuple[str, ...]:
        return (self.place or self.name,)

    def path(self) -> Path:
        return built.native(f"{self.place or self.name}/release/{self.name}-peer")

    def missing(self) -> str | None:
        if self.place:
            how = f"./run lab run EXPERIMENT builds it if the experiment names {self.place}"
            return built.not_built(self.path(), how)
        return built.not_built(
            self.path(),
            f"CARGO_TARGET_DIR=build/lab/{self.name} cargo build --release --locked --manifest-path "
            f"lab/peers/{self.name}/Cargo.toml",
        )

    def version(self) -> str:
        lock = built.REPOSITORY / "lab" / "peers" / self.name / "Cargo.lock"
        locked = tomllib.loads(lock.read_text(encoding="utf-8"))["package"]
        return ", ".join(f"{one['name']} {one['version']}" for one in locked if one["name"] in self.packages)


class Program(Protocol):
    """Of a peer."""

    def path(self) -> str | Path: ...

    def needs(self) -> tuple[str, ...]: ...

    def missing(self) -> str | None: ...

    def version(self) -> str: ...


class Peer:
    """A target that has what its program has."""

    program: Program

    def needs(self) -> tuple[str, ...]:
        return self.program.needs()

    def missing(self) -> str | None:
        return self.program.missing()

    def version(self) -> str:
        return self.program.version()

    def workers(self, wanted: int) -> int:
        return wanted


def needs_no_program(name: str, scenario: Scenario) -> None:
    if scenario.program != "no":
        raise CannotServe(f"{name} has no routes of a program")


def needs_no_handler(
    name: str, scenario: Scenario, speaks_all: bool = False, is_set_up_to_serve: bool = False, is_proxy: bool = False
) -> None:
    """`speaks_all`: TLS and HTTP/2 too. `is_set_up_to_serve`: it compresses, and asks for passwords. `is_proxy`: it
    passes requests on."""
    needs_no_program(name, scenario)
    if scenario.proxied and not is_proxy:
        raise CannotServe(f"{name} is set up here as no proxy")
    if (scenario.is_compressed or scenario.password) and not is_set_up_to_serve:
        raise CannotServe(f"{name} is set up here neither to compress nor to ask for passwords")
    if (scenario.tls or scenario.http2) and not speaks_all:
        raise CannotServe(f"{name} speaks plain HTTP/1.1 alone here")
    if scenario.method != "GET":
        raise CannotServe(f"{name} serves files, and answers no {scenario.method}")
    if scenario.handler != "none":
        raise CannotServe(f"{name} has no handler that takes {scenario.handler_seconds * 1000:g} ms")


def connections_max(setup: ServerSetup) -> int:
    """A few more than there will be: some servers also count connections that are closing."""
    return setup.connections + 100


def configure(file: Path, template: str, **values: object) -> Path:
    file.write_text(substituted(template, **values), encoding="utf-8")
    return file


def buffer_bytes(scenario: Scenario, least: int) -> int:
    """Of one buffer that holds the whole answer, its head, and some spare room."""
    return max(least, scenario.body_bytes + HEAD_BYTES)


def substituted(template: str, **values: object) -> str:
    return string.Template(template).substitute(values)
