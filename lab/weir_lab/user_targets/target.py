"""[[target]]: a server of one's own, in an experiment's file."""

import os
import re
import resource
import shlex
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from typing_extensions import TypedDict

from weir_lab.core.scenario import Scenario
from weir_lab.core.target import CannotServe, ServerSetup
from weir_lab.kernel.cgroups import Group, NoGroup
from weir_lab.user_targets.members import Family, InContainer, InGroup, Members
from weir_lab.user_targets.table import Command, Table, Text, Texts

Cpu = Literal["process", "cgroup"]
Where = Literal["own", "machine"]


class TargetTable(TypedDict, total=False):
    name: Text
    command: Command
    ready: Text
    path: Text
    cpu: Cpu
    container: Text
    environment: Texts
    directory: Text
    network: Where
    version: Text


PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")
PLACEHOLDERS = {
    "port": "the port that the lab chose",
    "site": "the folder with the files that scenarios ask for",
    "scratch": "an empty folder for this run",
    "workers": "the number of workers",
    "cores": "the cores that it may use, as in 0,1",
    "connections": "the most connections that there will be",
    "bytes": "the size of each answer",
    "certificate": "the certificate that the lab made, for scenarios over TLS",
    "key": "its key",
    "other_port": "the port at 127.0.0.1 of the server that a proxy asks",
    "users": "an htpasswd file with the password that clients send",
    "handler": "sleep, spin or timer",
    "handler_ms": "the time that a handler takes",
}


@dataclass
class OwnTarget:
    name: str
    summary: str
    words: tuple[str, ...]  # of the command, with placeholders
    ready: str = ""
    path: str = ""
    cpu: Cpu = "process"
    container: str = ""
    environment: dict[str, str] = field(default_factory=dict)
    directory: Path = Path()
    stated_version: str = ""
    network: Where = "own"

    def needs(self) -> tuple[str, ...]:
        return ()

    def missing(self) -> str | None:
        if self.container and not container_program():
            words = " nor ".join(CONTAINER_PROGRAMS)
            return f"the target '{self.name}' runs in a container, and neither {words} is installed"
        if self.container:
            return None
        if not self.directory.is_dir():
            return f"the target '{self.name}' runs in the folder {self.directory}, which does not exist"
        program = self.words[0]
        found = shutil.which(str(self.directory.resolve() / program) if "/" in program else program)
        return None if found else f"the target '{self.name}' is started by '{program}', which is no program here"

    def version(self) -> str:
        return self.stated_version or "version not stated"

    def workers(self, wanted: int) -> int:
        return wanted

    def scenario(self, scenario: Scenario) -> Scenario:
        """With the path that this server has for it."""
        return Scenario(**(vars(scenario) | {"asks_for": self.path})) if self.path else scenario

    def not_asked(self, scenario: Scenario) -> tuple[str, ...]:
        """What the validator leaves out (verify/validator.py): a server without the site's files may give every path
        the same answer."""
        is_file = "site" in self.placeholders() and not self.path and scenario.method == "GET"
        files = () if is_file else ("content", "404", "head")
        return files if scenario.keep_alive else (*files, "keep-alive")

    def command(self, scenario: Scenario, setup: ServerSetup) -> list[str]:
        if scenario.handler != "none" and "handler_ms" not in self.placeholders():
            raise CannotServe(
                f"the command of {self.name} does not mention {{handler_ms}}, the time that a handler takes"
            )
        if scenario.tls and "certificate" not in self.placeholders():
            raise CannotServe(f"the command of {self.name} does not mention {{certificate}}, which TLS needs")
        if scenario.password and "users" not in self.placeholders():
            raise CannotServe(f"the command of {self.name} does not mention {{users}}, the file of passwords")
        if scenario.proxied and "other_port" not in self.placeholders():
            raise CannotServe(f"the command of {self.name} does not mention {{other_port}}, which a proxy needs")
        values = _values(scenario, setup)
        words = [_filled(word, values) for word in self.words]
        environment = {name: _filled(value, values) for name, value in self.environment.items()}
        if self.container:
            return container_command(self.container, words, environment, setup)
        if "/" in words[0]:
            words[0] = str(self.directory.resolve() / words[0])
        return [
            "env",
            f"--chdir={self.directory.resolve()}",
            *(f"{name}={value}" for name, value in environment.items()),
            *words,
        ]

    def members(self, port: int) -> Members:
        """Raises CannotServe."""
        if self.container:
            return InContainer(container_program(), container_name(port))
        if self.cpu == "process":
            return Family()
        try:
            return InGroup(Group.make())
        except NoGroup as error:
            raise CannotServe(str(error)) from None

    def placeholders(self) -> set[str]:
        return {found for text in (*self.words, *self.environment.values()) for found in PLACEHOLDER.findall(text)}


def parse(name: str, table: Table, folder: Path) -> OwnTarget:
    """`folder` is that of the file: `directory` is relative to it."""
    found = replace(table, data={"command": None} | table.data).read(TargetTable)
    words, container, path = _words(table, found), found.get("container", ""), found.get("path", "")
    if path and not path.startswith("/"):
        raise table.wrong(f'path is that of a URL, as in path = "/hello"; it is {path!r}')
    # A container engine starts its containers outside of the run's own network.
    for member, refused, allowed in (("cpu", "process", "cgroup"), ("network", "own", "machine")):
        if "container" in found and found.get(member) == refused:
            raise table.wrong(f'{member} is "{refused}"; allowed with container is {member} = "{allowed}", or nothing')
    cpu = "cgroup" if "container" in found else found.get("cpu", "process")
    place = f"in the container {container}" if container else f"CPU counted by {cpu}"
    target = OwnTarget(
        name=name,
        summary=f"a server that this experiment brings, {place}: {shlex.join(words)}",
        words=words,
        ready=found.get("ready", ""),
        path=path,
        cpu=cpu,
        container=container,
        environment=found.get("environment", {}),
        directory=folder / found.get("directory", "."),
        stated_version=found.get("version", ""),
        network="machine" if "container" in found else found.get("network", "own"),
    )
    _check_placeholders(table, target)
    return target


def _check_placeholders(table: Table, target: OwnTarget) -> None:
    used = target.placeholders()
    allowed = ", ".join(f"{{{one}}}" for one in PLACEHOLDERS)
    for unknown in sorted(used - PLACEHOLDERS.keys()):
        raise table.wrong(f"{{{unknown}}} in command or environment stands for nothing; there are {allowed}")
    if "port" not in used:
        raise table.wrong(
            "command lacks {port}, which stands for the port that the lab chose; environment may have it too"
        )


def _words(table: Table, found: TargetTable) -> tuple[str, ...]:
    command = found["command"]
    try:
        words = shlex.split(command) if isinstance(command, str) else command
    except ValueError as error:
        raise table.wrong(f"command: {error}") from None
    if not words and not found.get("container"):
        raise table.wrong('command is empty; allowed is a program with its arguments, as in "server --port {port}"')
    return tuple(words)


def _values(scenario: Scenario, setup: ServerSetup) -> dict[str, str]:
    cores = setup.cores or tuple(sorted(os.sched_getaffinity(0)))
    return {
        "port": str(setup.port),
        "site": str(setup.site),
        "scratch": str(setup.scratch),
        "workers": str(setup.workers),
        "cores": ",".join(map(str, cores)),
        "connections": str(setup.connections),
        "bytes": str(scenario.body_bytes),
        "certificate": str(setup.certificate.chain),
        "key": str(setup.certificate.key),
        "other_port": str(setup.other_port),
        "users": str(setup.users),
        "handler": scenario.handler,
        "handler_ms": f"{scenario.handler_seconds * 1e3:g}",
    }


def _filled(text: str, values: dict[str, str]) -> str:
    return PLACEHOLDER.sub(lambda found: values[found[1]], text)


# --- in a container, by docker or podman ---


CONTAINER_PROGRAMS = ("docker", "podman")


def container_program() -> str:
    """Empty if there is none."""
    return next((found for name in CONTAINER_PROGRAMS if (found := shutil.which(name))), "")


def container_name(port: int) -> str:
    return f"weir-lab-{port}"


def container_command(
    image: str, words: Sequence[str], environment: Mapping[str, str], setup: ServerSetup
) -> list[str]:
    """It shares the network of the host, because a bridge would cost each packet more than the server does."""
    _, descriptors = resource.getrlimit(resource.RLIMIT_NOFILE)
    cores = [f"--cpuset-cpus={','.join(map(str, setup.cores))}"] if setup.cores else []
    return [
        container_program(),
        "run",
        "--rm",
        f"--name={container_name(setup.port)}",
        "--network=host",
        *cores,
        f"--ulimit=nofile={descriptors}:{descriptors}",  # each connection needs one
        f"--volume={setup.site}:{setup.site}:ro",
        f"--volume={setup.scratch}:{setup.scratch}",
        *(f"--env={name}={value}" for name, value in environment.items()),
        image,
        *words,
    ]
