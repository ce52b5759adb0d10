"""Starts the weir command for a test, waits for its banner, and stops it whatever happens.

A test derives from EndToEnd; `self.serve(...)` gives a running Server that the test's end stops. What a server printed is
shown when the test fails.
"""

import ctypes
import json
import os
import queue
import re
import shutil
import signal
import ssl
import subprocess
import sys
import threading
import time
import unittest
from contextlib import suppress
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

sys.path.append(str(Path(__file__).parents[1] / "support"))
from processes import GONE, links_of, processes, text_of, threads_of  # noqa: E402, F401 (tests import them from here)

SOURCE = Path(os.environ.get("WEIR_SOURCE_DIR", Path(__file__).parents[2]))
SITE = SOURCE / "www"
SKIPPED = 77  # ctest's SKIP_RETURN_CODE, see WeirTests.cmake
# What the tests wait for comes within milliseconds, on a loaded machine within seconds; this is how long a broken server keeps them.
PATIENCE_SECONDS = 60

BANNER_URL = re.compile(r"https?://(\[[0-9a-f:]+\]|[\w.]+):(\d+)/")
PR_SET_PDEATHSIG = 1
libc = ctypes.CDLL(None, use_errno=True)


def binary():
    path = os.environ.get("WEIR_BINARY")
    if not path:
        raise RuntimeError("WEIR_BINARY names no weir command; ctest sets it")
    return path


def is_missing(*programs):
    """Why a test with other people's programs is skipped, or ''. A newer one may judge otherwise, so only `WEIR_LIVE=1` tries them."""
    if not os.environ.get("WEIR_LIVE"):
        return f"{programs[0]} is tried where WEIR_LIVE is set: WEIR_LIVE=1 ./run test"
    missing = [program for program in programs if not shutil.which(program)]
    return f"{', '.join(missing)} not found in PATH" if missing else ""


def die_with_parent():
    """A test that is itself killed (by ctest's time limit) takes its servers along."""
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def environment(**added):
    """The caller's, without the WEIR_* variables that would change what a server does."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("WEIR_")}
    return kept | {"LC_ALL": "C.UTF-8"} | added


def spawn(arguments, cwd=None, prefix=(), pass_fds=(), **added):
    """`prefix`: a command that becomes weir. `pass_fds`: descriptors that stay open."""
    return subprocess.Popen([*prefix, binary(), *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, cwd=cwd, env=environment(**added), pass_fds=pass_fds, preexec_fn=die_with_parent)


def run(*arguments, **added):
    """The command run to its end: (exit status, stdout, stderr)."""
    done = subprocess.run([binary(), *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          env=environment(**added), timeout=PATIENCE_SECONDS, check=False)
    return done.returncode, done.stdout, done.stderr


def available_engines():
    """All that this machine can run, as `weir engines --json` describes them."""
    return [engine for engine in json.loads(run("engines", "--json")[1]) if engine["available"]]


ENGINES = tuple(engine["name"] for engine in available_engines())


def wait_until(condition):
    """Looks again and again, for what nothing announces."""
    until = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        if time.monotonic() > until:
            raise AssertionError(f"what was waited for did not come in {PATIENCE_SECONDS} s")
        os.sched_yield()  # the processor may be what the server waits for


def state_of(pid):
    """R, S, T, Z and so on, of proc_pid_stat(5)."""
    return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]


def is_running(pid):
    """Not so of one that has ended and that nobody has looked for."""
    with suppress(*GONE):
        return state_of(pid) != "Z"
    return False


class TcpSocket(NamedTuple):
    """Of proc_net(5): ends as "0100007F:1F90", addresses and ports in hexadecimal."""

    own: str
    peer: str
    state: str
    inode: str

    def port(self):
        return int(self.own.partition(":")[2], 16)

    def link(self):
        """As /proc/PID/fd has it."""
        return f"socket:[{self.inode}]"


# States.
ESTABLISHED, CLOSE_WAIT, LISTEN = "01", "08", "0A"


def tcp_sockets():
    """All of this machine, those of IPv6 aside."""
    rows = [line.split() for line in Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]]
    return [TcpSocket(row[1], row[2], row[3], row[9]) for row in rows]


class Server:
    """A running `weir serve`. Its output is read all the time, so that it can never block on a full pipe."""

    def __init__(self, *arguments, **added):
        self.arguments = arguments
        self.lines = []
        self._news = queue.Queue()
        self.process = spawn(arguments, **added)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in self.process.stdout:
            words = line.decode(errors="replace").rstrip("\n")
            self.lines.append(words)
            self._news.put(words)
        self._news.put(None)

    def wait_for_line(self, pattern):
        """The match of the first line not seen yet in which the pattern is found."""
        until = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                line = self._news.get(timeout=max(0, until - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"no line with {pattern!r} came in {PATIENCE_SECONDS} s") from None
            if line is None:
                raise AssertionError(f"the server ended without a line with {pattern!r}")
            if match := re.search(pattern, line):
                return match

    def wait_for_banner(self):
        match = self.wait_for_line(BANNER_URL)
        self.host, self.port = match[1], int(match[2])
        self.url = match[0]
        return self

    def signal(self, number):
        self.process.send_signal(number)

    def wait(self):
        """The exit status; every line has been read when it comes."""
        status = self.process.wait(PATIENCE_SECONDS)
        self._reader.join(PATIENCE_SECONDS)
        return status

    def stop(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self._reader.join(PATIENCE_SECONDS)
        self.process.stdout.close()

    def memory_kib(self, name):
        """VmRSS or VmHWM, as /proc/pid/status counts them (proc(5)), of all processes of the server."""
        found = [kib for pid in processes(self.process.pid) for kib in status_kib(pid, name)]
        assert found, f"no process of the server has a {name}"
        return sum(found)


def status_kib(pid, name):
    """None of a process that is ending: it has no memory any more, or is not there at all."""
    status = text_of(Path(f"/proc/{pid}/status"))
    return [int(kib) for kib in re.findall(rf"^{name}:\s+(\d+) kB$", status, re.MULTILINE)]


class Clients:
    """The threads of a load: they run while its block does, and to their own ends. `threads` is the subclass's."""

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *raised):
        for thread in self.threads:
            thread.join()

    def goes_on(self):
        return any(thread.is_alive() for thread in self.threads)


# A server that ends, or one that others wait for, waits so long for the next request on an idle connection.
GRACE_SECONDS = 0.1


def in_time(before, send, receive):
    """What `receive` returns. Nothing where the connection ended because no request came: this client itself, on a busy machine, has
    stood still since `before`."""
    sent = None
    try:
        send()
        sent = time.monotonic()
        return receive()
    except (ConnectionError, ssl.SSLEOFError):  # RemoteDisconnected is a ConnectionError
        if (sent or time.monotonic()) - before < GRACE_SECONDS:
            raise
        return None


class KeptConnection:
    """A client that stays with its connection, and retries nothing."""

    def __init__(self, connection):
        """`connection`: of http.client, not connected yet."""
        self.connection = connection
        connection.auto_open = 0  # or http.client would hide a connection that was cut
        self.asked = None

    def ask(self, target):
        """(response, body), or nothing where the connection ended because no request came."""
        is_first, now = self.asked is None, time.monotonic()
        before, self.asked = now if is_first else self.asked, now

        def send():
            if is_first:
                self.connection.connect()
            self.connection.request("GET", target)

        response = in_time(before, send, self.connection.getresponse)
        return (response, response.read()) if response else None


class EndToEnd(unittest.TestCase):
    engine = "per-core"

    def run(self, result=None):
        self.servers = []
        result = result or self.defaultTestResult()
        before = len(result.failures) + len(result.errors)
        super().run(result)
        if len(result.failures) + len(result.errors) > before:
            for server in self.servers:
                print(f"--- {self.id()}: weir {' '.join(map(str, server.arguments))} said:", *server.lines, sep="\n  ", file=sys.stderr)
        return result

    def start(self, *arguments, **added):
        """Any weir command left running; the test's end stops it."""
        server = Server(*arguments, **added)
        self.servers.append(server)
        self.addCleanup(server.stop)
        return server

    def serve(self, root=SITE, *options, **added):
        return self.start("serve", root, "--port", "0", "--engine", self.engine, *options, **added).wait_for_banner()

    def connect(self, server):
        connection = HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE_SECONDS)
        self.addCleanup(connection.close)
        return connection

    def fetch(self, server, target, method="GET", content=None, **headers):
        """One request on a connection of its own: (response, body). Header names are written with underscores."""
        return fetch(server.port, target, method, content, **headers)


class InAFolder(EndToEnd):
    """Has a folder of its own for each test."""

    def setUp(self):
        folder = TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.top = Path(folder.name).resolve()


def fetch(port, target, method="GET", content=None, **headers):
    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS)
    try:
        return exchange(connection, target, method, content, **headers)
    finally:
        connection.close()


def exchange(connection, target, method="GET", content=None, **headers):
    connection.request(method, target, content, headers={name.replace("_", "-"): value for name, value in headers.items()})
    response = connection.getresponse()
    return response, response.read()


def for_each_engine(case):
    """In place of the decorated class the module gets one for each engine, called Name_engine."""
    module = vars(sys.modules[case.__module__])
    for engine in ENGINES:
        name = f"{case.__name__}_{engine.replace('-', '_')}"
        module[name] = type(name, (case,), {"engine": engine, "__module__": case.__module__, "__qualname__": name})
