"""Starts, watches and stops a server under test."""

from __future__ import annotations

import contextlib
import http.client
import os
import random
import signal
import socket
import ssl
import subprocess
import time
import urllib.request
from collections import deque
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path

from weir_lab.clients.expected import Expected
from weir_lab.clients.transport import Transport
from weir_lab.clients.wire import Wrong
from weir_lab.core.tls import WrongTls
from weir_lab.kernel import processes
from weir_lab.kernel.clocks import Clock
from weir_lab.kernel.launching import dying_with_the_lab, on_cores
from weir_lab.servers.starting import Start

START_SECONDS = 10.0
ANSWER_SECONDS = 10.0  # of one answer, while it starts
STOP_SECONDS = 5.0


class DidNotStart(Exception):
    """The message has what the server printed."""


_taken: deque[socket.socket] = deque(maxlen=64)  # the newest ports; those of before are free for others again


def free_port() -> int:
    """A port below the range from which the kernel takes client ports: a client might take a port in that range at any
    moment. Two labs, or tests of the lab, never find the same one: each keeps an abstract socket (unix(7)) with its
    number for a while."""
    first_of_clients = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text(encoding="ascii").split()[0])
    candidates = range(max(1024, first_of_clients - 2000), first_of_clients)
    for port in random.sample(candidates, len(candidates)):
        with socket.socket() as one, contextlib.suppress(OSError):
            one.bind(("127.0.0.1", port))
            taken = socket.socket(socket.AF_UNIX)
            taken.bind(f"\0weir-lab-port-{port}")
            _taken.append(taken)
            return port
    raise DidNotStart("no port below those of clients is free")


class ServerProcess:
    """On entering, starts the command and waits until it answers. On leaving, ends its whole process group."""

    def __init__(
        self,
        command: list[str],
        port: int,
        path: str,
        scratch: Path,
        cores: tuple[int, ...] = (),
        keep_alive: bool = True,
        start: Start | None = None,
    ) -> None:
        self.command, self.port, self.path, self.cores, self._keep_alive = command, port, path, cores, keep_alive
        self._start = start or Start()
        self._log = scratch / "server.log"
        self.of_the_lab: Callable[[], int] = lambda: 0  # connections that are neither the generator's nor background
        self.sampled: Callable[[], tuple[int, int]] = lambda: (0, 0)  # answers to the lab; on connections closed since
        self.response_head = ""
        self.body_bytes = 0

    def __enter__(self) -> ServerProcess:
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                self._start.members.around(dying_with_the_lab(on_cores(self.command, self.cores))),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        try:
            self._wait_until_it_answers()
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(self, *raised: object) -> None:
        self._end()

    @property
    def pid(self) -> int:
        """Of the first of its processes."""
        return next(iter(self.tops()), self._process.pid)

    def tops(self) -> list[int]:
        """Processes whose families are the whole server. Usually one."""
        return self._start.members.tops(self._process.pid)

    @property
    def transport(self) -> Transport:
        """How clients speak with it."""
        return self._start.transport

    def has_ended(self) -> bool:
        return self._process.poll() is not None and not any(
            Path(f"/proc/{pid}").exists() for pid in self.tops() if pid != self._process.pid
        )

    def status(self) -> int | None:
        """The exit status of the process that was started; None: it runs."""
        return self._process.poll()

    def said(self) -> str:
        return self._log.read_text(encoding="utf-8", errors="replace")[-2000:]

    def said_first(self) -> str:
        """When it started."""
        return self._log.read_text(encoding="utf-8", errors="replace")[:2000]

    def cpu(self) -> processes.Cpu:
        return self._start.members.cpu(self._process.pid)

    def clock(self) -> AbstractContextManager[Clock]:
        """Its CPU time, for as long as the context lasts."""
        return self._start.members.clock(self._process.pid)

    def resident_bytes(self) -> int:
        return sum(map(processes.resident_bytes, self.tops()))

    def context_switches(self) -> int:
        return sum(map(processes.context_switches, self.tops()))

    def established(self) -> int:
        """Without those of the lab's own requests."""
        return processes.established(self.port) - self.of_the_lab()

    def client_ports_waiting(self) -> int:
        return processes.client_ports_waiting(self.port)

    def _wait_until_it_answers(self) -> None:
        until = time.monotonic() + START_SECONDS
        while True:
            if self.has_ended():
                raise DidNotStart(f"ended with {self._process.returncode}: {self.said().strip()}")
            try:
                self._check_ready()
                return self._ask() if self.transport.is_plain else self._ask_in_its_way()
            except (OSError, http.client.HTTPException) as error:
                if time.monotonic() > until:
                    raise DidNotStart(
                        f"gave no answer in {START_SECONDS:.0f} s ({error}): {self.said().strip()}"
                    ) from None
            time.sleep(0.01)

    def _check_ready(self) -> None:
        """Raises OSError until then."""
        ready = self._start.ready
        if ready.startswith("/"):
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{ready}", timeout=ANSWER_SECONDS):
                self._start = replace(self._start, ready="")  # once is enough
        elif ready and ready not in self._log.read_text(encoding="utf-8", errors="replace"):
            raise OSError(f"it did not print '{ready}'")

    def _ask(self) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=ANSWER_SECONDS)
        try:
            # The same request as the generator's: its answer says Connection: close as well, and the lab counts its
            # bytes.
            connection.request(
                self._start.method, self.path, body=b"x" * self._start.request_bytes or None, headers=self._headers()
            )
            response = connection.getresponse()
            # It has answered. The lab looks at the content before it measures.
            with contextlib.suppress(TimeoutError, http.client.IncompleteRead):
                self.body_bytes = len(response.read())
            fields = "".join(f"{name}: {value}\n" for name, value in response.getheaders())
            self.response_head = f"HTTP/1.1 {response.status} {response.reason}\n{fields}"
        finally:
            connection.close()

    def _headers(self) -> dict[str, str]:
        found = dict(field.split(": ", 1) for field in self._start.fields)
        return found if self._keep_alive else found | {"Connection": "close"}

    def _ask_in_its_way(self) -> None:
        """Over TLS or HTTP/2. A wrong answer is one, and so is a wrong handshake: the validator will say what is
        wrong."""
        request = Expected(self.path, 0, fields=self._start.fields).request(self.port, close=not self._keep_alive)
        with contextlib.suppress(Wrong, WrongTls, ssl.SSLError), self.transport.wire(self.port, ANSWER_SECONDS) as wire:
            wire.send(request)
            answer = wire.answer()
            self.body_bytes, self.response_head = len(answer.body), answer.text()

    def _end(self) -> None:
        """SIGTERM to the server, then SIGKILL to the whole group, because the leader of the group may have left
        children behind."""
        if not self.has_ended():
            self._process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(STOP_SECONDS)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._start.members.end()
