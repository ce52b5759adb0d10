"""Finds the programs of the generators, says how to install them, and helps to read what they print."""

import json
import math
import shutil
import subprocess
from pathlib import Path
from typing import Any

# Debian's cargo is too old; cargo-web is a newer one, which Debian builds its browsers with. With rustup, neither is
# needed.
CARGO_ADVICE = "apt-get install cargo-web"


def find(name: str, built: Path | None = None) -> str | None:
    """The program that was built for the lab, or the first one in the PATH."""
    if built is not None and built.is_file():
        return str(built)
    return shutil.which(name)


def path_of(name: str, built: Path | None = None) -> str:
    """For a command. If the program is missing, its name stands in the error message."""
    return find(name, built) or name


def missing_package(name: str, package: str) -> str | None:
    return None if find(name) else f"{name} is not installed: apt-get install {package}"


def missing_crate(name: str, built: Path, build: str) -> str | None:
    if find(name, built):
        return None
    cargo = "" if shutil.which("cargo") else f"{CARGO_ADVICE} && "
    return f"{name} is not built: {cargo}{build}"


def json_line(name: str, output: str) -> Any:
    """The line of JSON that a program of the lab prints."""
    line = next((line for line in output.splitlines() if line.startswith("{")), None)
    if line is None:
        raise ValueError(f"{name} printed no JSON")
    return json.loads(line)


def first_line(*command: str) -> str:
    """The first line that the program prints. The exit status does not matter: some programs fail when asked for their
    version."""
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    return next((line.strip() for line in done.stdout.splitlines() if line.strip()), "")


def nonzero(errors: dict[str, int]) -> dict[str, int]:
    """Load.errors has no entry for a kind that did not occur."""
    return {kind: count for kind, count in errors.items() if count > 0}


def whole_seconds(seconds: float) -> int:
    """For programs that take whole seconds only: rounds up."""
    return max(1, math.ceil(seconds))
