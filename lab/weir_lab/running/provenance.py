"""Identifies the weir that a result was measured with: the commit of its sources, and the hash of its binary."""

import hashlib
import subprocess

from weir_lab.core import built
from weir_lab.core.result import Build
from weir_lab.targets.weir import version_of

# These affect neither the binary nor the measurement.
OF_NO_CONSEQUENCE = (":!docs", ":!www", ":!*.md")


def of_weir() -> Build | None:
    """None if weir is not built."""
    program = built.weir()
    if not program.is_file():
        return None
    return Build(
        version_of(program), _git("rev-parse", "HEAD"), is_dirty(), hashlib.sha256(program.read_bytes()).hexdigest()
    )


def is_dirty() -> bool:
    """Whether the sources differ from the commit, or the binary was not built from them."""
    return _git("status", "--porcelain", "--", ".", *OF_NO_CONSEQUENCE) != "" or not _is_up_to_date()


def _is_up_to_date() -> bool:
    """The sources of a binary outside of build/release are unknown."""
    folder = built.REPOSITORY / "build" / "release"
    if built.weir().resolve() != (folder / "weir").resolve():
        return False
    return "no work to do" in _said("ninja", "-C", str(folder), "-n", "weir")


def _git(*arguments: str) -> str:
    """Empty outside of a repository, or without git."""
    return _said("git", "-C", str(built.REPOSITORY), *arguments)


def _said(*command: str) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return ""
