"""Where the programs of the generators are, and how to install them."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

# Debian's own cargo is too old; cargo-web is the newer one that it keeps for browsers. Whoever has rustup needs neither.
CARGO_ADVICE = "apt-get install cargo-web"


def find(name: str, built: Path | None = None) -> str | None:
    """The one that was built for the lab, or whichever the PATH has."""
    if built is not None and built.is_file():
        return str(built)
    return shutil.which(name)


def path_of(name: str, built: Path | None = None) -> str:
    """For a command: where it's missing, the name itself says what is lacking."""
    return find(name, built) or name


def missing_package(name: str, package: str) -> str | None:
    return None if find(name) else f"{name} is not installed: apt-get install {package}"


def missing_crate(name: str, built: Path, build: str) -> str | None:
    if find(name, built):
        return None
    cargo = "" if shutil.which("cargo") else f"{CARGO_ADVICE} && "
    return f"{name} is not built: {cargo}{build}"


def first_line(*command: str) -> str:
    """Of what it prints; programs end as they like when they are asked for their version."""
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    return next((line.strip() for line in done.stdout.splitlines() if line.strip()), "")
