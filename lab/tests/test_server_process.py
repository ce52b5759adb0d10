"""A server is started, watched and ended; all that can go wrong with one is said."""

import os
import random
import signal
import socket
import subprocess
import sys
import time
from multiprocessing.connection import wait
from pathlib import Path

import pytest

from weir_lab.kernel import processes
from weir_lab.servers.server_process import DidNotStart, ServerProcess, free_port

PROGRAM = """
import http.server, os, sys, threading
class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_GET(self):
        self.send_response(200); self.send_header("Content-Length", "5"); self.end_headers(); self.wfile.write(b"hello")
    def log_message(self, *args): pass
server = http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
{beside}
server.serve_forever()
"""
SERVER = PROGRAM.replace("{beside}", "")
# A child that works, and knows of no signal but the default.
FORKING_SERVER = PROGRAM.replace("{beside}", "if os.fork() == 0:\n    while True: sum(range(1000))")


def server(scratch: Path, *command: str, cores: tuple[int, ...] = ()) -> ServerProcess:
    port = free_port()
    return ServerProcess([sys.executable, *command, str(port)], port, "/any", scratch, cores)


def test_no_port_is_found_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """By two labs either, which search at the same time."""
    monkeypatch.setattr(random, "sample", lambda among, _: list(among))
    search = "import random; random.sample = lambda among, _: list(among)\n"
    search += "from weir_lab.servers.server_process import free_port; print(free_port(), flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", search], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout
        found = [int(other.stdout.readline()), free_port(), free_port()]
        other.communicate(b"\n")
    assert len(set(found)) == 3


def test_answers_once_it_is_entered_and_shows_its_head(tmp_path: Path) -> None:
    with server(tmp_path, "-c", FORKING_SERVER) as running:
        assert running.body_bytes == 5
        assert running.response_head.startswith("HTTP/1.1 200 OK\n")
        assert "Content-Length: 5\n" in running.response_head


def test_counts_all_of_its_processes(tmp_path: Path) -> None:
    with server(tmp_path, "-c", FORKING_SERVER) as running:
        pids = processes.family(running.pid)
        assert len(pids) == 2
        before, until = running.cpu(), time.monotonic() + 60
        while (running.cpu() - before).seconds < 0.1:  # the child's work, for the server itself has none
            assert time.monotonic() < until
        assert running.resident_bytes() > 1_000_000
        assert running.context_switches() > 0


def test_leaves_no_process_and_no_port_behind(tmp_path: Path) -> None:
    with server(tmp_path, "-c", FORKING_SERVER) as running:
        pids = processes.family(running.pid)
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            until = time.monotonic() + 60
            while time.monotonic() < until:  # a child of the server is reaped by init, in its own time
                os.kill(pid, 0)
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", running.port), 1)


def test_counts_connections_that_are_open(tmp_path: Path) -> None:
    with server(tmp_path, "-c", FORKING_SERVER) as running:
        assert running.established() == 0
        clients, until = [], time.monotonic() + 60
        for count in range(1, 8):
            clients.append(socket.create_connection(("127.0.0.1", running.port), 60))
            while running.established() < count:  # until the server has accepted it
                assert time.monotonic() < until
            assert running.established() == count
        for client in clients:
            client.close()


def test_runs_where_it_is_told(tmp_path: Path) -> None:
    core = min(os.sched_getaffinity(0))
    with server(tmp_path, "-c", FORKING_SERVER, cores=(core,)) as running:
        assert all(os.sched_getaffinity(pid) == {core} for pid in processes.family(running.pid))


def test_ends_with_the_lab_even_if_that_is_killed(tmp_path: Path) -> None:
    lab = (
        "import sys, pathlib; from weir_lab.servers.server_process import ServerProcess\n"
        "command, port, scratch = sys.argv[1], int(sys.argv[2]), pathlib.Path(sys.argv[3])\n"
        "with ServerProcess([sys.executable, '-c', command, str(port)], port, '/any', scratch) as server:\n"
        "    print(server.pid, flush=True); sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", lab, SERVER, str(free_port()), str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout
        ends = os.pidfd_open(int(process.stdout.readline()))
        process.kill()
    assert wait([ends], 60) == [ends]
    os.close(ends)


def test_says_why_it_did_not_start(tmp_path: Path) -> None:
    with (
        pytest.raises(DidNotStart, match="ended with 3: no such thing"),
        server(tmp_path, "-c", "import sys; print('no such thing'); sys.exit(3)"),
    ):
        pass


def test_one_that_dies_is_seen(tmp_path: Path) -> None:
    with server(tmp_path, "-c", FORKING_SERVER) as running:
        os.kill(running.pid, signal.SIGKILL)
        until = time.monotonic() + 60
        while not running.has_ended():
            assert time.monotonic() < until
