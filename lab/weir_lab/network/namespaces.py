"""A network namespace for each run (network_namespaces(7)). Its ports are fresh, and its counts are those of this run
alone.

A namespace belongs to a thread. Every socket that the thread opens, every thread and every process that it starts
while it is inside belongs to it too. So the lab enters, starts the server and the generator, and leaves.

Root may do that at once, except in most containers. Anyone else needs a user namespace, which the kernel gives only to
a process that has one thread: prepare() enters it early."""

import contextlib
import ctypes
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from weir_lab.network import devices

NEW_NETWORK, NEW_USER = 0x40000000, 0x10000000  # flags of unshare(2)
OWN = "/proc/thread-self/ns/net"
# The kernel gives its own defaults to a new namespace. The lab takes what the machine was set to.
KEPT_SETTINGS = ("net/core/somaxconn", "net/ipv4/ip_local_port_range", "net/ipv4/tcp_max_syn_backlog")

_libc = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True)
class Network:
    """Where the server and the generator of a run speak with each other."""

    shared_because: str = ""  # why it is the machine's own; empty: it is a namespace of its own
    about: str = ""  # what lies between them; empty: loopback
    clients: int | None = None  # the namespace of the generator, if it has another one

    @property
    def is_private(self) -> bool:
        return not self.shared_because

    def words(self) -> str:
        if not self.is_private:
            return f"shared with all other programs: {self.shared_because}"
        return self.about or "a network namespace of its own"

    def at_clients(self) -> contextlib.AbstractContextManager[None]:
        """The calling thread is where the generator runs until it leaves."""
        return contextlib.nullcontext() if self.clients is None else inside(self.clients)


SHARED = Network("the lab did not ask for a namespace")


def prepare() -> None:
    """Gives this process a user namespace of its own, if it can make network namespaces in no other way. Does nothing
    if the kernel does not allow it. Programs that the lab starts have no more rights on this machine than before."""
    if _may_separate():
        return
    user, group = os.geteuid(), os.getegid()
    # The lab can't come back to the machine's namespace. It comes back from each run to a second one of its own.
    kept = settings()
    if _libc.unshare(NEW_USER | NEW_NETWORK) != 0:
        return
    Path("/proc/self/setgroups").write_text("deny", encoding="ascii")
    Path("/proc/self/uid_map").write_text(f"{user} {user} 1", encoding="ascii")
    Path("/proc/self/gid_map").write_text(f"{group} {group} 1", encoding="ascii")
    _begin(kept)


@contextlib.contextmanager
def private() -> Iterator[Network]:
    """The calling thread is in a new network namespace, with a loopback of its own, until it leaves. If the kernel does
    not allow that, it stays where it is, and the Network says why."""
    kept = settings()
    home = os.open(OWN, os.O_RDONLY | os.O_CLOEXEC)
    try:
        try:
            separate()
        except OSError as error:
            yield Network(f"a namespace is not allowed here ({error.strerror})")
            return
        try:
            _begin(kept)
            yield Network()
        finally:
            enter(home)
    finally:
        os.close(home)


def separate() -> None:
    """The calling thread goes to a new namespace. Raises OSError if that is not allowed."""
    _checked(_libc.unshare(NEW_NETWORK))


@contextlib.contextmanager
def inside(namespace: int) -> Iterator[None]:
    """The calling thread is in the namespace of that descriptor until it leaves."""
    here = os.open(OWN, os.O_RDONLY | os.O_CLOEXEC)
    try:
        enter(namespace)
        yield
    finally:
        enter(here)
        os.close(here)


def enter(namespace: int) -> None:
    """The calling thread goes to the namespace of that descriptor."""
    _checked(_libc.setns(namespace, NEW_NETWORK))


def _may_separate() -> bool:
    with private() as network:
        return network.is_private


def _begin(kept: dict[str, str]) -> None:
    devices.up(devices.LOOPBACK)
    keep(kept)


def settings() -> dict[str, str]:
    """That a new namespace should have too."""
    return {name: _setting(name) for name in KEPT_SETTINGS}


def keep(kept: dict[str, str]) -> None:
    """In a new namespace only."""
    for name, value in kept.items():
        _set(name, value)


def _setting(name: str) -> str:
    try:
        return Path("/proc/sys", name).read_text(encoding="ascii")
    except OSError:
        return ""


def _set(name: str, value: str) -> None:
    """The kernel keeps some settings from users who are not root."""
    if value and value != _setting(name):
        with contextlib.suppress(OSError):
            Path("/proc/sys", name).write_text(value, encoding="ascii")


def _checked(status: int) -> None:
    if status != 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
