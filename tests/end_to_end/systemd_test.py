"""systemd's protocols, played by the test: readiness, reload, stop, watchdog (sd_notify(3)), and sockets
(sd_listen_fds(3))."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import unittest
from pathlib import Path

from served import ENGINES, PATIENCE_SECONDS, SOURCE, Server, binary, fetch, processes
from supervised import Supervised, ask

# What systemd does before it runs a service: sockets from 3 on, and the process's own number.
STARTER = """
import os, sys
for at in range(int(os.environ["LISTEN_FDS"])):
    os.set_inheritable(3 + at, True)
os.environ["LISTEN_PID"] = str(os.getpid())
os.execv(sys.argv[1], sys.argv[1:])
"""


class Manager:
    """The socket of NOTIFY_SOCKET."""

    def __init__(self, folder):
        self.path = f"{folder}/notify"
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(self.path)
        self.socket.settimeout(PATIENCE_SECONDS)

    def next(self):
        lines = self.socket.recv(4096).decode().splitlines()
        return dict(line.split("=", 1) for line in lines)

    def wait_for(self, name):
        while name not in (message := self.next()):
            pass
        return message


class Notify(Supervised):
    def setUp(self):
        super().setUp()
        self.manager = Manager(self.folder)
        self.addCleanup(self.manager.socket.close)

    def serve_notifying(self, *options, **added):
        return self.serve_supervised(*options, NOTIFY_SOCKET=self.manager.path, **added)

    def test_a_life(self):
        server = self.serve_notifying()
        ready = self.manager.next()
        self.assertEqual(ready["READY"], "1")
        self.assertRegex(ready["STATUS"], r"^generation 1 \(pid \d+\) serves$")
        self.reload()
        reloading = self.manager.next()
        self.assertEqual(reloading["RELOADING"], "1")
        # On the clock of the system, in microseconds.
        self.assertLess(abs(time.monotonic() - int(reloading["MONOTONIC_USEC"]) / 1e6), 60)
        self.assertEqual(self.manager.next()["READY"], "1")
        server.signal(signal.SIGTERM)
        self.assertEqual(self.manager.next()["STOPPING"], "1")
        self.assertEqual(server.wait(), 0)

    def test_a_reload_that_fails_ends_too(self):
        root = self.folder / "root"
        root.symlink_to(self.site)
        server = self.serve(root, NOTIFY_SOCKET=self.manager.path)
        self.manager.wait_for("READY")
        root.unlink()
        server.signal(signal.SIGHUP)
        self.manager.wait_for("RELOADING")
        self.assertIn("reload failed", self.manager.wait_for("READY")["STATUS"])

    def test_a_server_that_does_not_start_is_not_ready(self):
        server = self.start("serve", self.folder / "missing", NOTIFY_SOCKET=self.manager.path)
        self.assertEqual(server.wait(), 1)
        self.manager.socket.setblocking(False)
        self.assertRaises(BlockingIOError, self.manager.socket.recv, 1)

    def test_an_abstract_socket(self):
        name = f"@weir-test-{os.getpid()}"
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.bind("\0" + name[1:])
            manager.settimeout(PATIENCE_SECONDS)
            self.serve(self.site, NOTIFY_SOCKET=name)
            self.assertIn(b"READY=1", manager.recv(4096))

    def test_the_watchdog_is_fed_while_the_server_answers(self):
        for self.engine in [engine for engine in ("per-core", "prefork", "thread-pool", "io-uring") if engine in ENGINES]:
            with self.subTest(engine=self.engine):
                server = self.serve_notifying(WATCHDOG_USEC="400000")
                try:
                    for _ in range(3):
                        self.manager.wait_for("WATCHDOG")
                    self.expect_silence()
                finally:
                    server.stop()

    def expect_silence(self):
        """Its loops do not turn any more, and nothing ends."""
        served = list(processes(self.servers[-1].process.pid))[1:]
        for pid in served:
            os.kill(pid, signal.SIGSTOP)
        self.manager.socket.settimeout(2)
        try:
            fed = 0
            while fed < 5:  # what was on its way
                fed += "WATCHDOG" in self.manager.next()
            self.fail("a server that does not answer feeds the watchdog")
        except TimeoutError:
            pass
        finally:
            self.manager.socket.settimeout(PATIENCE_SECONDS)
            for pid in served:
                os.kill(pid, signal.SIGCONT)


class Activation(Supervised):
    def listen(self, address=("127.0.0.1", 0)):
        listener = socket.create_server(address) if isinstance(address, tuple) else socket.socket(socket.AF_UNIX)
        if not isinstance(address, tuple):
            listener.bind(address)
            listener.listen()
        self.addCleanup(listener.close)
        return listener

    def activate(self, listeners, *options, **added):
        """weir with these sockets from descriptor 3 on."""
        def place():
            kept = [os.dup2(listener.fileno(), 100 + at) for at, listener in enumerate(listeners)]
            for at, fd in enumerate(kept):
                os.dup2(fd, 3 + at, inheritable=True)
                os.close(fd)

        environment = {name: value for name, value in os.environ.items() if not name.startswith("WEIR_")}
        environment |= {"LC_ALL": "C.UTF-8", "LISTEN_FDS": str(len(listeners))} | added
        # Sockets beyond 3 would be closed by Popen: the starter is run without that.
        server = Server.__new__(Server)
        server.arguments, server.lines = options, []
        import queue
        import threading
        server._news = queue.Queue()
        server.process = subprocess.Popen(
            [sys.executable, "-c", STARTER, binary(), "serve", str(self.site), *map(str, options)], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment, preexec_fn=place, close_fds=False)
        server._reader = threading.Thread(target=server._read, daemon=True)
        server._reader.start()
        self.servers.append(server)
        self.addCleanup(server.stop)
        server.wait_for_line("Ctrl-C stops it")
        return server

    def test_a_socket_is_served_in_place_of_the_default(self):
        for supervised in (False, True):
            with self.subTest(supervised=supervised):
                listener = self.listen()
                options = ("--control", self.control) if supervised else ()
                server = self.activate([listener], "--engine", "per-core", *options)
                port = listener.getsockname()[1]
                self.assertIn(f"http://127.0.0.1:{port}/", "\n".join(server.lines))
                self.assertEqual(fetch(port, "/")[0].status, 200)
                if supervised:
                    self.reload()
                    self.reload()
                    self.wait_for_one_generation()
                    self.assertEqual(fetch(port, "/")[0].status, 200)
                self.end(server)

    def test_every_engine_takes_it(self):
        for engine in ENGINES:
            with self.subTest(engine=engine):
                listener = self.listen()
                server = self.activate([listener], "--engine", engine)
                for _ in range(4):
                    self.assertEqual(fetch(listener.getsockname()[1], "/")[0].status, 200)
                self.end(server)

    def test_several_with_a_unix_socket_which_stays(self):
        path = str(self.folder / "http")
        listeners = [self.listen(), self.listen(path)]
        server = self.activate(listeners)
        self.assertEqual(fetch(listeners[0].getsockname()[1], "/")[0].status, 200)
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(path)
            ask(client)
        self.end(server)
        self.assertTrue(Path(path).exists())

    def test_bind_adds_to_them(self):
        listener = self.listen()
        server = self.activate([listener], "--bind", f"unix:{self.folder}/more")
        self.assertEqual(fetch(listener.getsockname()[1], "/")[0].status, 200)
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(f"{self.folder}/more")
            ask(client)
        self.end(server)

    def test_what_is_no_listener_is_left_out(self):
        listener = self.listen()
        datagram = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.addCleanup(datagram.close)
        server = self.activate([datagram, listener])
        self.assertIn("descriptor 3 from systemd is no stream socket", "\n".join(server.lines))
        self.assertEqual(fetch(listener.getsockname()[1], "/")[0].status, 200)

    def test_connections_that_wait_are_served(self):
        listener = self.listen()
        with socket.create_connection(listener.getsockname(), PATIENCE_SECONDS) as early:
            early.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            self.activate([listener])
            self.assertTrue(early.recv(100).startswith(b"HTTP/1.1 200 "))


class Units(unittest.TestCase):
    @unittest.skipUnless(shutil.which("systemd-analyze"), "needs systemd-analyze")
    def test_units_are_valid(self):
        import tempfile
        with tempfile.TemporaryDirectory() as folder:
            for source in (SOURCE / "packaging").glob("weir*.in"):
                if source.suffixes[-2] not in (".service", ".socket"):
                    continue
                text = source.read_text(encoding="utf-8").replace("@CMAKE_INSTALL_PREFIX@/bin/weir", binary())
                (Path(folder) / source.stem).write_text(text, encoding="utf-8")
            names = ["weir.service", "weir.socket", "weir@site.service"]
            (Path(folder) / "weir@site.service").write_text((Path(folder) / "weir@.service").read_text(encoding="utf-8"),
                                                            encoding="utf-8")
            for name in names:
                done = subprocess.run(["systemd-analyze", "verify", "--man=no", f"{folder}/{name}"], capture_output=True,
                                      text=True, check=False, env=os.environ | {"SYSTEMD_UNIT_PATH": f"{folder}:"})
                found = [line for line in done.stderr.splitlines() if "weir" in line]
                self.assertEqual((name, found), (name, []))
            for name in ("weir.service", "weir@site.service"):
                done = subprocess.run(["systemd-analyze", "security", "--offline=true", f"{folder}/{name}"], capture_output=True,
                                      text=True, check=False)
                level = re.search(r"Overall exposure level for \S+: ([0-9.]+)", done.stdout)
                self.assertLess(float(level[1]), 2.0, name)


if __name__ == "__main__":
    unittest.main()
