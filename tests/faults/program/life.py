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
from client import PATIENCE_SECONDS, Client, Wrong, client_context  # it adds the folder of processes
from processes import links_of, processes, text_of, threads_of

# What a process says that has done what it must not.
REPORTS = re.compile(r"Sanitizer|runtime error:|terminate called|Assertion|died of SIG(?!KILL)|stack smashing|free\(\):|corrupted")
REPORTED = "it reports: "
WORKERS = 2  # of the engines that have some
# A fault of OpenSSL 3.0, which weir can't mend: its table of names is used, although there was no memory for its lock.
CRASH_OF_OPENSSL = re.compile(r"Sanitizer:DEADLYSIGNAL\n=+\n.*AddressSanitizer: SEGV on unknown address 0x0+18 .*\n(?:==.*\n)*"
                              r" +#0 .*pthread_rwlock.*\n +#1 .*pthread_rwlock_rdlock .*\n +#2 .* CRYPTO_THREAD_read_lock .*libcrypto")
# cmark-gfm ends the process when there is no memory for its list of extensions, which weir makes while it starts.
END_BY_CMARK = re.compile(r"Sanitizer:DEADLYSIGNAL\n=+\n.*AddressSanitizer: ABRT .*\n(?: +#\d+ .*\n){3,12} +#\d+ .*"
                          r" cmark_gfm_core_extensions_ensure_registered ")
# A generation is a new program: AddressSanitizer asks for the limit of its stack, and ends the process if it can't.
END_BY_SANITIZER = re.compile(r'Sanitizer (?:get|set)rlimit\(\) failed|Sanitizer: CHECK failed: sanitizer_linux_libcdep\.cpp:\d+ "\(\(getrlimit')
EXCUSED = (CRASH_OF_OPENSSL, END_BY_CMARK, END_BY_SANITIZER)
SANITIZERS = {
    # An allocation that fails does so by our library: what the sanitizer is asked for, it gives.
    "ASAN_OPTIONS": "verify_asan_link_order=0:detect_leaks=1:quarantine_size_mb=4:malloc_context_size=30:handle_abort=1",
    "LSAN_OPTIONS": f"suppressions={Path(__file__).with_name('leaks_of_openssl.txt')}:print_suppressions=0",
    "UBSAN_OPTIONS": "print_stacktrace=1",
}


def sanitizers(slowly):
    """Libraries of others have no frame pointers: only the slow way back through the stack tells whose a leak is."""
    return SANITIZERS | ({"ASAN_OPTIONS": SANITIZERS["ASAN_OPTIONS"] + ":fast_unwind_on_malloc=0"} if slowly else {})


def free_port():
    """A port, and the socket whose name keeps other lives off it. The port is below those that the kernel gives to clients: one of
    them could take it before the server does."""
    first = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text(encoding="ascii").split()[0])
    while True:
        port = random.randrange(max(1024, first - 4000), first)
        kept = socket.socket(socket.AF_UNIX)
        with socket.socket() as probe, contextlib.suppress(OSError):
            kept.bind(f"\0weir-faults-{port}")  # unix(7): it is free again when the socket is closed
            probe.bind(("127.0.0.1", port))
            return port, kept
        kept.close()


def until(condition, what, seconds=PATIENCE_SECONDS):
    """Waits for what comes soon; its first true value."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        if time.monotonic() > end:
            raise Wrong(f"no {what} in {seconds} s")
        os.sched_yield()
    return value


def parent_of(pid):
    status = text_of(Path(f"/proc/{pid}/status"))
    return int(re.search(r"^PPid:\t(\d+)", status, re.MULTILINE)[1]) if status else 0


def kill_and_wait(pid):
    """As long as it ends, it may still make a file in the folder that is to be removed."""
    with contextlib.suppress(ProcessLookupError):
        ended = os.pidfd_open(pid)
        try:
            signal.pidfd_send_signal(ended, signal.SIGKILL)
            select.select([ended], [], [], PATIENCE_SECONDS)
        finally:
            os.close(ended)


class Life:
    """With the options of a script. A fault that is given strikes while it starts."""

    def __init__(self, tools, site, folder, engine, fault=None, *, script, slowly=False):
        self.folder, self.engine, self.tls, self.weir = folder, engine, script.tls, tools.weir
        self.port, self.kept = free_port()
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
                   *tools.options, *script.options(folder)]
        with open(self.said, "wb") as said:
            self.process = subprocess.Popen(list(map(str, command)), env=os.environ | sanitizers(slowly) | {"XDG_STATE_HOME": str(state)}, stdin=subprocess.DEVNULL,
                                            stdout=said, stderr=said)
        self.ended = os.pidfd_open(self.process.pid)

    def connect(self, version=None, protocols=(), **options):
        return Client(self.port, tls=client_context(version, protocols) if self.tls else None, **options)

    def was_struck(self):
        """By a fault that is still armed: what is waited for may never come."""
        return self.orders.get("key") != 0 and self.orders.get("hits") > 0

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
        return list(processes(self.pid))

    def children(self):
        """Of the first process alone."""
        return [pid for pid in self.processes() if parent_of(pid) == self.pid]

    def workers(self):
        return set(self.processes()) - {self.pid}

    def settled_workers(self):
        """Those of prefork, once no replacement is under way: a fault may have delayed it."""
        if self.engine != "prefork":
            return self.workers()
        return until(lambda: found if len(found := self.workers()) == WORKERS else None, f"moment with {WORKERS} workers")

    def are_replaced(self, workers):
        return len(self.workers() - workers) >= len(workers) and not self.workers() & workers

    def descriptors(self):
        return sum(len(list(links_of(pid))) for pid in self.processes())

    def memory_mib(self):
        found = 0
        for pid in self.processes():
            status = text_of(Path(f"/proc/{pid}/status"))
            found += sum(map(int, re.findall(r"^RssAnon:\s+(\d+)", status, re.MULTILINE)))
        return found // 1024

    def signal(self, number):
        os.kill(self.pid, number)

    def end(self):
        """Waits for the end of all of its processes; the exit status of the first."""
        if not self.has_ended(PATIENCE_SECONDS):
            raise Wrong(f"it did not end in {PATIENCE_SECONDS} s\n{self.threads()}\n{self.rings()}\n{self.text()}")
        return os.waitstatus_to_exitcode(self.orders.get("exited"))

    def threads(self):
        """The function of the kernel in which each of its threads waits, and the system call (proc(5))."""
        found = (task for pid in self.processes() for task in threads_of(pid))
        return "\n".join(f"thread {task.name}: {text_of(task / 'wchan')}: {text_of(task / 'syscall').strip()}" for task in found)

    def rings(self):
        """The queues of each io_uring, and the operations that it still has."""
        found = []
        for pid in self.processes():
            for file in Path(f"/proc/{pid}/fdinfo").iterdir():
                if "SqHead:" in (text := text_of(file)):
                    found.append(f"ring {file.name} of {pid}:\n{text}")
        return "\n".join(found)

    def text(self):
        return self.said.read_text(encoding="utf-8", errors="replace")

    def look_for_reports(self):
        """What it has said since the last time must not be a crash."""
        text = self.text()[self.read_to:]
        if (match := REPORTS.search(text)) and not any(each.match(text, match.start()) for each in EXCUSED):
            at = max(0, text.rfind("\n", 0, match.start()))
            raise Wrong(REPORTED + text[at:at + 4000].strip())
        self.read_to += len(text)

    def ended_by_others(self):
        """A library of others, or the sanitizer, ended it."""
        return any(each.search(self.text()) for each in EXCUSED)

    def kill(self):
        if self.process.poll() is None:
            for pid in self.processes() if self.pid else []:
                kill_and_wait(pid)
            self.process.kill()
        self.process.wait()
        os.close(self.ended)
        self.kept.close()
        self.orders.close()
