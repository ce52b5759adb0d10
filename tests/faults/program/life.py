"""One life of `weir serve` under the supervisor: its start, its processes, what it said, its end."""

import contextlib
import os
import random
import re
import select
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

import calls
from client import PATIENCE_SECONDS, Client, Wrong, client_context

# What a process says that has done what it must not. A worker that is killed is left out: GCC 12's AddressSanitizer does not
# hold the locks of its allocator across fork(2), so that a forked process may wait for one for ever, until it is killed.
REPORTS = re.compile(r"Sanitizer|runtime error:|terminate called|Assertion|died of SIG(?!KILL)|stack smashing|free\(\):|corrupted")
SANITIZERS = {
    # An allocation that fails does so by our library: what the sanitizer is asked for, it gives.
    "ASAN_OPTIONS": "verify_asan_link_order=0:detect_leaks=1:quarantine_size_mb=4:malloc_context_size=12:handle_abort=1",
    "UBSAN_OPTIONS": "print_stacktrace=1",
}


def sanitizers_with(leaks):
    """`leaks`: a file that names those that are known, by functions on the stack of the allocation. Only the slow unwinder sees
    through libraries without frame pointers."""
    if not leaks:
        return SANITIZERS
    return SANITIZERS | {"ASAN_OPTIONS": SANITIZERS["ASAN_OPTIONS"] + ":fast_unwind_on_malloc=0:malloc_context_size=40",
                         "LSAN_OPTIONS": f"suppressions={leaks}:print_suppressions=0"}


def free_port():
    """Below the ports that the kernel gives to clients: one of them could take it before the server does."""
    first = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text(encoding="ascii").split()[0])
    while True:
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", random.randrange(max(1024, first - 4000), first)))
            return probe.getsockname()[1]


def until(condition, what, seconds=PATIENCE_SECONDS):
    """Waits for what comes soon; its first true value."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        if time.monotonic() > end:
            raise Wrong(f"no {what} in {seconds} s")
        os.sched_yield()
    return value


def descendants(pid):
    """A process and those that it forked, at the moment that each is looked at."""
    yield pid
    try:
        threads = os.listdir(f"/proc/{pid}/task")
    except (FileNotFoundError, ProcessLookupError):
        return
    for thread in threads:
        try:
            found = Path(f"/proc/{pid}/task/{thread}/children").read_text(encoding="ascii").split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        for child in found:
            yield from descendants(int(child))


def descriptors_of(pid):
    try:
        return len(os.listdir(f"/proc/{pid}/fd"))
    except (FileNotFoundError, ProcessLookupError):
        return 0


class Life:
    """A fault that is given strikes while it starts. `tls`: it serves HTTPS, and has to make its certificate. `leaks`: those that
    are known, see sanitizers_with()."""

    def __init__(self, tools, site, folder, engine, fault=None, *, tls=False, leaks=None):
        self.folder, self.engine, self.tls, self.port = folder, engine, tls, free_port()
        shutil.rmtree(state := folder / "state", ignore_errors=True)
        self.log = folder / "access.log"
        self.log.unlink(missing_ok=True)
        self.orders = calls.Orders(folder / "orders")
        if fault:
            self.orders.arm(fault)
        self.said = folder / "said"
        self.read_to = 0
        command = [tools.supervisor, self.orders.path, ",".join(map(str, calls.spared_numbers())), tools.allocations,
                   tools.weir, "serve", site, "--bind", f"127.0.0.1:{self.port}", "--engine", engine, "--access-log", self.log,
                   *tools.options, *(["--tls"] if tls else [])]
        with open(self.said, "wb") as said:
            self.process = subprocess.Popen(list(map(str, command)), env=os.environ | sanitizers_with(leaks) | {"XDG_STATE_HOME": str(state)},
                                            stdin=subprocess.DEVNULL, stdout=said, stderr=said)
        self.ended = os.pidfd_open(self.process.pid)

    def connect(self, version=None, protocols=(), **options):
        return Client(self.port, tls=client_context(version, protocols) if self.tls else None, **options)

    @property
    def pid(self):
        return self.orders.get("server")

    def has_ended(self, seconds=0.0):
        return bool(select.select([self.ended], [], [], seconds)[0])

    def begins(self):
        """True as soon as it listens, False where it ends instead."""
        end = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < end:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return True
            if self.has_ended(0.005):
                return False
        raise Wrong(f"it neither listens nor ends in {PATIENCE_SECONDS} s")

    def processes(self):
        return list(descendants(self.pid))

    def workers(self):
        return set(self.processes()) - {self.pid}

    def descriptors(self):
        return sum(map(descriptors_of, self.processes()))

    def memory_mib(self):
        found = 0
        for pid in self.processes():
            try:
                status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
            except (FileNotFoundError, ProcessLookupError):
                continue
            found += sum(map(int, re.findall(r"^RssAnon:\s+(\d+)", status, re.MULTILINE)))
        return found // 1024

    def signal(self, number):
        os.kill(self.pid, number)

    def end(self):
        """Waits for the end of all of its processes; the exit status of the first."""
        if not self.has_ended(PATIENCE_SECONDS):
            raise Wrong(f"it did not end in {PATIENCE_SECONDS} s")
        return os.waitstatus_to_exitcode(self.orders.get("exited"))

    def text(self):
        return self.said.read_text(encoding="utf-8", errors="replace")

    def look_for_reports(self):
        """What it has said since the last time must not be a crash."""
        text = self.text()[self.read_to:]
        if match := REPORTS.search(text):
            at = max(0, text.rfind("\n", 0, match.start()))
            raise Wrong("it reports: " + text[at:at + 4000].strip())
        self.read_to += len(text)

    def kill(self):
        if self.process.poll() is None:
            for pid in self.processes() if self.pid else []:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            self.process.kill()
        self.process.wait()
        os.close(self.ended)
        self.orders.close()
