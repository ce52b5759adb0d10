"""The server under soak: how it is started, what it uses, and what is done to it."""

import contextlib
import os
import re
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path

sys.path += [str(Path(__file__).parents[1] / folder) for folder in ("end_to_end", "support")]

from served import ENGINES, LISTEN, SOURCE, Server, available_engines, links_of, processes, run, tcp_sockets, text_of, wait_until  # noqa: E402, F401

HAVE_WORKERS = {engine["name"] for engine in available_engines() if engine["has_workers"]}
# Of a head and of what a peer does not read. On a loaded machine, a peer that does its best may take two seconds.
TIMEOUT_SECONDS = int(os.environ.get("SOAK_TIMEOUT", "4"))
SERVE_ONE_AT_A_TIME = ("blocking", "epoll-blocking")
# How long the next request may take on a connection that is to end (Timeouts::last_request): while others wait for its
# thread, or when its process is replaced.
NEXT_REQUEST_SECONDS = dict.fromkeys(("blocking", "epoll-blocking", "thread-pool", "prefork"), 0.1)
FORKS = ("prefork", "fork-per-connection")
HAS_TLS = "openssl" in run("--version")[1]


@dataclass
class Use:
    """Of all processes of the server."""

    kib: int
    descriptors: int
    threads: int
    connections: int


def inodes_of_connections():
    return {each.link() for each in tcp_sockets() if each.state != LISTEN}


def use_of(pid):
    connected = inodes_of_connections()
    kib = descriptors = threads = connections = 0
    for process in processes(pid):
        if not (status := text_of(Path(f"/proc/{process}/status"))):
            continue
        links = list(links_of(process))
        kib += sum(map(int, re.findall(r"^VmRSS:\s+(\d+)", status, re.MULTILINE)))  # a process that has ended has none
        threads += int(re.search(r"^Threads:\s+(\d+)", status, re.MULTILINE)[1])
        descriptors += sum(not is_of_cache(link) for link in links)
        connections += sum(link in connected for link in links)
    return Use(kib, descriptors, threads, connections)


def is_of_cache(link):
    """A file of the folder: the cache may hold some, within its own limit."""
    return "/root/" in link


class Soaked:
    """A running server, with timeouts that a soak can wait for. `state`: where it keeps its certificate, with TLS."""

    def __init__(self, engine, root, log, workers=4, state=None):
        self.engine, self.workers = engine, workers
        number = ("--workers", workers) if engine in HAVE_WORKERS else ()
        self.server = Server(
            "serve", root, "--port", "0", "--engine", engine, *number, "--access-log", log, "--access-log-format", "json",
            "--head-timeout", f"{TIMEOUT_SECONDS}s", "--transmit-timeout", f"{TIMEOUT_SECONDS}s", "--keep-alive-timeout", "20s",
            *(("--tls",) if state else ()), XDG_STATE_HOME=str(state),
        ).wait_for_banner()
        self.pid = self.server.process.pid

    def quiet(self):
        """Waits until no connection is left, and no process that only ends one."""
        wait_until(lambda: self.use().connections == 0 and self.count_processes() <= self.processes_at_start)
        return self.use()

    def count_processes(self):
        return len(list(processes(self.pid)))

    def use(self):
        return use_of(self.pid)

    def note_start(self):
        self.processes_at_start = 1 + self.workers if self.engine == "prefork" else 1

    def reload(self):
        self.server.signal(signal.SIGHUP)

    def reopen_log(self):
        self.server.signal(signal.SIGUSR1)

    def kill_worker(self):
        """SIGKILL for one process that the server forked; None where there is none."""
        for process in processes(self.pid):
            with contextlib.suppress(ProcessLookupError):  # one of a connection may have ended meanwhile
                if process != self.pid:
                    os.kill(process, signal.SIGKILL)
                    return time.monotonic()
        return None

    def stop(self):
        """Its exit status."""
        self.server.signal(signal.SIGTERM)
        return self.server.wait()
