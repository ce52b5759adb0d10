"""Limits of the system (threads, processes, memory, sizes of files, inotify): each is named, or leads to less service and one line."""

import ctypes
import os
import resource
import shutil
import signal
import socket
import subprocess
import threading
import unittest
from contextlib import ExitStack
from http.client import HTTPResponse
from pathlib import Path
from tempfile import TemporaryDirectory

import served
from served import ENGINES, PATIENCE_SECONDS, Clients, EndToEnd, binary, environment, wait_until

OWN_USER = 60_000 + os.getpid() % 4_000  # nobody else's processes and watches count
TASKS = r"the limit on threads and processes is {}; raise it with ulimit -u, LimitNPROC= or TasksMax= in the unit, or --pids-limit of a container"
MEMORY = r"the limit on memory is \d+ MB; raise it with ulimit -v and ulimit -d, or LimitAS= and LimitDATA= in the unit"
CLIENTS = 24
OWN_MOUNTS = ("unshare", "--mount", "--")
# The command where each user can run it: the folder in which it was built may be of one user alone.
FOLDER = TemporaryDirectory()
unittest.addModuleCleanup(FOLDER.cleanup)
Path(FOLDER.name).chmod(0o755)
WEIR = shutil.copy(binary(), FOLDER.name)


def under(limits, user=None):
    """In the process that becomes the server. Root is above the limit on processes."""
    def prepare():
        served.die_with_parent()
        for kind, value in limits.items():
            resource.setrlimit(kind, (value, value))
        if user is not None:
            os.setgroups([])
            os.setgid(user)
            os.setuid(user)
    return prepare


def may_run_as(user):
    if os.geteuid() != 0:
        return False
    try:
        return subprocess.run([WEIR, "--version"], capture_output=True, check=False, preexec_fn=under({}, user)).returncode == 0
    except (OSError, subprocess.SubprocessError):
        return False


def has_own_groups():
    """Whether a process can have a /sys/fs/cgroup of its own."""
    tools = all(shutil.which(tool) for tool in ("unshare", "setpriv", "prlimit"))
    return tools and subprocess.run([*OWN_MOUNTS, "mount", "-t", "tmpfs", "none", "/sys/fs/cgroup"], capture_output=True, check=False).returncode == 0


class Asking(Clients):
    """So many clients at once, each with two requests on its connection."""

    def __init__(self, port, count=CLIENTS):
        self.statuses = []
        together = threading.Barrier(count)
        self.threads = [threading.Thread(target=self.ask, args=(port, together)) for _ in range(count)]

    def ask(self, port, together):
        with socket.create_connection(("127.0.0.1", port), PATIENCE_SECONDS) as connection:
            together.wait(PATIENCE_SECONDS)
            for _ in range(2):
                connection.sendall(b"GET /small.txt HTTP/1.1\r\nHost: weir.test\r\n\r\n")
                response = HTTPResponse(connection)
                response.begin()
                response.read()
                self.statuses.append(response.status)


class Limited(EndToEnd):
    def setUp(self):
        folder = TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.site = Path(folder.name)
        self.site.chmod(0o755)
        (self.site / "small.txt").write_text("small", encoding="ascii")

    def spawn_under(self, limits, user=None):
        prepare = under(limits, user)
        def spawn(arguments, **added):
            return subprocess.Popen([WEIR, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                    stderr=subprocess.STDOUT, env=environment(**added), preexec_fn=prepare)
        ordinary, served.spawn = served.spawn, spawn
        self.addCleanup(setattr, served, "spawn", ordinary)

    def processes_of(self, user, count):
        """So many processes of that user, until close()."""
        others = ExitStack()
        self.addCleanup(others.close)
        for _ in range(count):
            process = subprocess.Popen(["sleep", "infinity"], preexec_fn=under({}, user))
            others.callback(process.wait)
            others.callback(process.kill)
        return others

    def start_or_refusal(self, engine, limits, user=None, *options):
        """What it says, if it does not start: once, and never that it serves. None if it serves."""
        self.spawn_under(limits, user)
        server = self.start("serve", self.site, "--port", "0", "--engine", engine, *options)
        try:
            server.wait_for_banner()
        except AssertionError:
            self.assertEqual((server.wait(), len(server.lines)), (1, 1), server.lines)
            return server.lines[0]
        self.assertEqual(self.fetch(server, "/small.txt")[1], b"small")
        server.stop()
        return None

    def test_memory_at_the_start(self):
        refused = 0
        for engine in ENGINES:
            with self.subTest(engine=engine):
                said = self.start_or_refusal(engine, {resource.RLIMIT_AS: 24 << 20})
                refused += said is not None
                if said is not None:
                    self.assertRegex(said, MEMORY)
        self.assertGreaterEqual(refused, len(ENGINES) // 2)

    def test_locked_memory_at_the_start(self):
        """Kernels that count the memory of io_uring against this limit refuse it; others start."""
        said = self.start_or_refusal("io-uring", {resource.RLIMIT_MEMLOCK: 0}, OWN_USER if may_run_as(OWN_USER) else None)
        if said is not None and "forbidden" not in said:
            self.assertIn(": not enough memory for io_uring, or the limit on locked memory is too low: raise it with ulimit -l 8192", said)
            self.assertNotIn("MemoryMax", said)

    @unittest.skipUnless(may_run_as(OWN_USER), "only root can become a user of its own, who must be able to run weir")
    def test_threads_at_the_start(self):
        for tasks, engines in ((1, ["per-core"]), (2, ["per-core"]), (3, ENGINES)):
            for engine in engines:
                with self.subTest(engine=engine, tasks=tasks):
                    said = self.start_or_refusal(engine, {resource.RLIMIT_NPROC: tasks}, OWN_USER)
                    self.assertRegex(said or "", TASKS.format(tasks))
        self.assertRegex(self.start_or_refusal("thread-pool", {resource.RLIMIT_NPROC: 20}, OWN_USER) or "",
                         "^weir serve: the engine thread-pool cannot start with 64 workers: " + TASKS.format(20))

    @unittest.skipUnless(may_run_as(OWN_USER) and has_own_groups(), "no group of a container can be made up here")
    def test_the_limit_of_a_container(self):
        """cgroups(7): pids.max is the lower one, and the only one that a container sets."""
        groups = "mount -t tmpfs none /sys/fs/cgroup && echo 7 >/sys/fs/cgroup/pids.max"
        weir = f"'{WEIR}' serve '{self.site}' --port 0 --engine thread-pool"
        done = subprocess.run([*OWN_MOUNTS, "sh", "-c", f"{groups} && exec setpriv --reuid {OWN_USER} --clear-groups prlimit --nproc=20 {weir}"],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, env=environment(), timeout=PATIENCE_SECONDS, check=False)
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (1, "", 1))
        self.assertRegex(done.stderr, "^weir serve: the engine thread-pool cannot start with 64 workers: " + TASKS.format(7))

    @unittest.skipUnless(may_run_as(OWN_USER), "only root can become a user of its own, who must be able to run weir")
    def test_threads_while_it_serves(self):
        for engine in ("thread-per-connection", "fork-per-connection", "select-threads"):
            with self.subTest(engine=engine):
                self.engine = engine
                self.spawn_under({resource.RLIMIT_NPROC: 8}, OWN_USER)
                server = self.serve(self.site)
                others = self.processes_of(OWN_USER, 8)  # none is left for the server, however slow its clients are
                with Asking(server.port) as asking:
                    server.wait_for_line("no thread or process could be started(, [0-9]+ times)?: " + TASKS.format(8))
                    others.close()
                self.assertEqual(asking.statuses, [200] * 2 * CLIENTS)
                self.assertEqual(self.fetch(server, "/small.txt")[1], b"small")
                server.signal(signal.SIGTERM)
                self.assertEqual(server.wait(), 0)  # it and its children count, too

    def test_the_size_of_the_log(self):
        for engine in ("per-core", "prefork", "fork-per-connection"):  # one for each way in which a log is written
            with self.subTest(engine=engine), TemporaryDirectory() as logs:
                self.engine = engine
                self.spawn_under({resource.RLIMIT_FSIZE: 1_000})
                server = self.serve(self.site, "--access-log", f"{logs}/log")
                for _ in range(20):
                    self.assertEqual(self.fetch(server, "/small.txt")[1], b"small")
                server.wait_for_line("the limit on the size of a file is 1.0 KB; raise it with ulimit -f|a line of a log was dropped")
                self.assertFalse([line for line in server.lines if " died " in line])

    @unittest.skipUnless(may_run_as(OWN_USER), "only root can become a user of its own, who must be able to run weir")
    def test_inotify(self):
        descriptors = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        if int(Path("/proc/sys/fs/inotify/max_user_instances").read_text(encoding="ascii")) >= descriptors:
            self.skipTest("a process can't take all instances")
        taken, told = os.pipe()
        holder = os.fork()
        if holder == 0:  # takes all instances that a user may have (inotify(7))
            try:
                under({resource.RLIMIT_NOFILE: descriptors}, OWN_USER)()
                while ctypes.CDLL(None).inotify_init1(0) >= 0:
                    pass
                os.write(told, b"all")
                signal.pause()
            finally:
                os._exit(0)
        os.close(told)
        self.addCleanup(os.close, taken)
        self.addCleanup(os.waitpid, holder, 0)
        self.addCleanup(os.kill, holder, signal.SIGKILL)
        self.assertEqual(os.read(taken, 3), b"all")
        self.spawn_under({}, OWN_USER)
        server = self.serve(self.site)
        wait_until(lambda: any("a folder could not be watched for changes" in line for line in server.lines))  # maybe before the banner
        self.assertTrue(any("or fs.inotify.max_user_instances (sysctl)" in line for line in server.lines))
        self.assertEqual(self.fetch(server, "/small.txt")[1], b"small")
        (self.site / "small.txt").write_text("new", encoding="ascii")
        self.assertEqual(self.fetch(server, "/small.txt")[1], b"new")


if __name__ == "__main__":
    unittest.main()
