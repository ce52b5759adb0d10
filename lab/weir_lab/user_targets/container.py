"""Runs a server of one's own in a container, by docker or podman."""

from __future__ import annotations

import resource
import shutil
from collections.abc import Mapping, Sequence

from weir_lab.core.target import ServerSetup

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
