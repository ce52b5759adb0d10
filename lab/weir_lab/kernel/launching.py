"""Prefixes for commands that change the process before the program starts (util-linux: setpriv(1), taskset(1)). Both
replace themselves by the program, so that the process id stays the same.

A preexec_fn of subprocess would do the same in the forked child. But that child runs Python while locks of the lab's
other threads may be held forever."""

from collections.abc import Sequence


def dying_with_the_lab(command: Sequence[str]) -> list[str]:
    """The kernel sends SIGTERM to the program if the lab ends, even if the lab is killed."""
    return ["setpriv", "--pdeathsig", "TERM", *command]


def on_cores(command: Sequence[str], cores: Sequence[int]) -> list[str]:
    """The program and its children run only there; without cores, anywhere."""
    return ["taskset", "--cpu-list", ",".join(map(str, cores)), *command] if cores else list(command)
