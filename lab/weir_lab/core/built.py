"""Finds the programs that are built from this repository."""

import os
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]


def without_root(text: str) -> str:
    """Results name this repository's files relative to its root."""
    return text.replace(f"{REPOSITORY}/", "")


def weir() -> Path:
    return Path(os.environ.get("WEIR_BINARY", REPOSITORY / "build" / "release" / "weir"))


def other_weir() -> Path | None:
    """Another build of weir, to compare this one with. None: the variable names none."""
    named = os.environ.get("WEIR_LAB_OTHER")
    return Path(named) if named else None


def native(name: str) -> Path:
    """A program of the lab itself: "floor/floor-epoll", "hyper/release/hyper-peer"."""
    return Path(os.environ.get("WEIR_LAB_BUILD", REPOSITORY / "build" / "lab")) / name


def not_built(program: Path, command: str) -> str | None:
    """The message of missing(), or None if the program exists."""
    return None if os.access(program, os.X_OK) else f"{program} is not built; to build it, in {REPOSITORY}: {command}"
