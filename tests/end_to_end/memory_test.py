"""A crowd whose unfinished heads are more than the memory that there is: its connections end, and nothing else does."""

import contextlib
import resource
import selectors
import socket
import sys
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory

from served import (CLOSE_WAIT, ESTABLISHED, EndToEnd, available_engines, for_each_engine, processes, status_kib, tcp_sockets,
                    wait_until)

CROWD = int(sys.argv.pop()) if len(sys.argv) > 1 and sys.argv[-1].isdigit() else 1500
# Its heads are three times what a server with a budget of 8 MB may have, so that no noise decides.
LARGE_CROWD = max(CROWD, 4500)
# What a process may have of addresses, beyond what it has at first: much less than the heads of the crowd.
ROOM_BYTES = 16 << 20
# The C library keeps up to 40 MB of the stacks of threads that have ended.
STACKS_BYTES = 48 << 20
# A client that stays has a worker to itself.
ONE_AT_A_TIME = ("blocking", "thread-pool")
# Each client that speaks has a thread, which has its stack.
THREADS = ("thread-per-connection", "select-threads")
HAVE_WORKERS = {engine["name"] for engine in available_engines() if engine["has_workers"]}
FILE = b"x" * 4000
LINE = b"X-Padding: " + b"x" * 1000 + b"\r\n"
HEAD = b"GET / HTTP/1.1\r\nHost: weir.test\r\n" + LINE * 27


def connections(port):
    """How many the server at this port has, or has yet to accept, and has not ended."""
    return sum(each.port() == port and each.state in (ESTABLISHED, CLOSE_WAIT) for each in tcp_sockets())


class Crowd:
    """Clients that each send an unfinished head, and whatever they are told, stay."""

    def __init__(self, port, size):
        self.sockets = []
        self.count = 0
        self.selector = selectors.DefaultSelector()
        for _ in range(size):
            client = socket.socket()
            client.setblocking(False)
            client.connect_ex(("127.0.0.1", port))
            self.sockets.append(client)
            self.selector.register(client, selectors.EVENT_WRITE, [HEAD])
        self.send(0.5)

    def send(self, pause=0):
        """Until no client can send for so long. Those that the server has no room for may never be able to, others later: a server
        that is slow has a full queue, and the kernel connects the next ones after a second or more."""
        while self.selector.get_map() and (ready := self.selector.select(pause)):
            for key, _ in ready:
                self._send(key)

    def _send(self, key):
        try:
            key.data[0] = key.data[0][key.fileobj.send(key.data[0]) :]
        except BlockingIOError:
            return
        except OSError:
            key.data[0] = b""
        if not key.data[0]:
            self.selector.unregister(key.fileobj)

    def told(self):
        """How many were told 503, so far."""
        self.send()
        for client in self.sockets:
            with contextlib.suppress(OSError):
                self.count += client.recv(4096).startswith(b"HTTP/1.1 503 ")
        return self.count

    def leave(self):
        self.selector.close()
        for client in self.sockets:
            client.close()


class Memory(EndToEnd):
    def setUp(self):
        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        self.need_descriptors(CROWD)
        folder = TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        for name in ("index.html", "a.txt"):
            (Path(folder.name) / name).write_bytes(FILE)

    def need_descriptors(self, clients):
        most = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        if most < clients + 100:
            self.skipTest(f"there are descriptors for {most} clients alone")

    def limit_memory(self, server):
        """Of one that serves: all its threads are there."""
        for pid in processes(server.process.pid):
            if not (size := status_kib(pid, "VmSize")):  # a process that is ending
                continue
            most = size[0] * 1024 + ROOM_BYTES
            most += STACKS_BYTES if self.engine in THREADS else 0
            with contextlib.suppress(ProcessLookupError):
                resource.prlimit(pid, resource.RLIMIT_AS, (most, most))

    def test_a_crowd_has_so_much_and_others_are_served(self):
        if self.engine in ONE_AT_A_TIME or self.engine == "fork-per-connection":
            self.skipTest("a client of the crowd has a thread, or a process with a budget of its own")
        self.need_descriptors(LARGE_CROWD)
        server = self.serve(self.folder, "--memory", "8M")
        before = server.memory_kib("VmRSS")
        crowd = Crowd(server.port, LARGE_CROWD)
        self.addCleanup(crowd.leave)
        wait_until(lambda: self.one_is_served(server))
        wait_until(lambda: crowd.told() > LARGE_CROWD / 4)
        if self.engine not in THREADS:
            # A session of asio has a buffer of its own, which no budget counts (engines/asio.cpp).
            sessions = LARGE_CROWD * 10 if self.engine == "asio" else 0
            self.assertLess(server.memory_kib("VmRSS"), before + (24 << 10) + sessions)

    def test_names_of_a_large_folder_count(self):
        small, large = (Path(self.folder) / name for name in ("small", "large"))
        for folder, count in ((small, 10), (large, 20_000)):
            folder.mkdir()
            first = folder / "0"
            first.touch()
            for number in range(1, count):  # 4 MB of names in the large one
                (folder / f"{number:0200}").hardlink_to(first)
        server = self.serve(self.folder, "--memory", "1M", "--listing")
        response, body = self.fetch(server, "/large/")
        self.assertEqual((response.status, body), (503, b""))
        self.assertEqual(self.fetch(server, "/small/")[0].status, 200)
        roomy = self.serve(self.folder, "--memory", "64M", "--listing")
        self.assertEqual(self.fetch(roomy, "/large/")[0].status, 200)

    def test_what_a_crowd_had_is_given_back(self):
        if self.engine in ONE_AT_A_TIME + THREADS or self.engine == "fork-per-connection":
            self.skipTest("what a crowd has are threads, or processes, which end")
        server = self.serve(self.folder, *self.two_workers(), "--head-timeout", "1h")
        before = self.memory_of_all(server)
        crowd = Crowd(server.port, CROWD)
        self.addCleanup(crowd.leave)
        wait_until(lambda: crowd.send() or server.memory_kib("VmRSS") > before + (20 << 10))
        crowd.leave()
        wait_until(lambda: server.memory_kib("VmRSS") < before + (16 << 10))

    def two_workers(self):
        return ("--workers", "2") if self.engine in HAVE_WORKERS else ()

    def arenas(self):
        """A thread that handles requests, and has allocated nothing before addresses were short, would get none of its own later
        (mallopt(3), M_ARENA_MAX), and answer 503."""
        return {"MALLOC_ARENA_MAX": "1"} if self.engine == "reactor" else {}

    def memory_of_all(self, server):
        """Workers that are processes may come after the first that serves."""
        self.assertTrue(self.one_is_served(server))
        if self.engine == "prefork":
            wait_until(lambda: len(list(processes(server.process.pid))) == 3)
        return server.memory_kib("VmRSS")

    def one_is_served(self, server):
        try:
            return self.fetch(server, "/a.txt")[1] == FILE
        except OSError:
            return False

    def test_a_crowd_ends_no_server(self):
        # What is short in this test is the addresses. Each thread that allocates has some of its own.
        server = self.serve(self.folder, *self.two_workers(), **self.arenas())
        self.assertTrue(self.one_is_served(server))
        self.limit_memory(server)
        before = server.memory_kib("VmRSS")
        crowd = Crowd(server.port, CROWD)
        self.addCleanup(crowd.leave)
        during = server.memory_kib("VmRSS")
        self.assertIsNone(server.process.poll(), "the server ended")
        crowd.leave()
        # What those who have left had sent is still read, and takes memory until their end is.
        wait_until(lambda: connections(server.port) == 0)
        wait_until(lambda: self.one_is_served(server))
        for _ in range(100):
            response, body = self.fetch(server, "/a.txt")
            self.assertEqual((response.status, body), (200, FILE))
        self.assertIsNone(server.process.poll(), "the server ended")
        print(f"{self.engine}: {before} KiB, {during} KiB with the crowd, {server.memory_kib('VmRSS')} KiB after it", file=sys.stderr)


for_each_engine(Memory)
del Memory

if __name__ == "__main__":
    unittest.main()
