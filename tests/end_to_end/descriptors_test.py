"""Connections and open files share the limit on descriptors: nothing idle costs anybody a 503."""

import resource
import socket
import tempfile
import unittest
from pathlib import Path

import served
from served import EndToEnd, for_each_engine

ADVICE = "the limit on open files is {}; raise it with ulimit -n 1024 (as root), or LimitNOFILE=1024 in the unit"
LARGE = 140_000  # served from an open file


def with_limit(limit):
    """In the process that becomes the server."""
    def prepare():
        served.die_with_parent()
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    return prepare


def spawn_with_limit(limit):
    def spawn(arguments, **added):
        return served.subprocess.Popen(
            [served.binary(), *map(str, arguments)], stdin=served.subprocess.DEVNULL, stdout=served.subprocess.PIPE,
            stderr=served.subprocess.STDOUT, env=served.environment(**added), preexec_fn=with_limit(limit))
    return spawn


class LargeFiles(EndToEnd):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        for number in range(300):
            with open(self.folder / f"{number}.bin", "wb") as file:
                file.truncate(LARGE)
        (self.folder / "small.txt").write_text("small", encoding="ascii")

    def serve_with(self, limit):
        """Two workers: each takes some descriptors of its own."""
        ordinary, served.spawn = served.spawn, spawn_with_limit(limit)
        self.addCleanup(setattr, served, "spawn", ordinary)
        has_workers = any(each["name"] == self.engine and each["has_workers"] for each in served.available_engines())
        return self.serve(self.folder, *(["--workers", "2"] if has_workers else []))

    def get(self, connection, target):
        connection.request("GET", target)
        response = connection.getresponse()
        return response.status, len(response.read())


@for_each_engine
class Descriptors(LargeFiles):
    def test_more_files_than_descriptors(self):
        for limit in (64, 100, 256):
            with self.subTest(limit=limit):
                connection = self.connect(self.serve_with(limit))
                for number in range(300):
                    self.assertEqual(self.get(connection, f"/{number}.bin"), (200, LARGE), f"{number}.bin")

    def test_idle_clients_give_way_to_others(self):
        """More clients than descriptors, each idle after one request: all are served, and so is an uncached file."""
        limit = 64
        server = self.serve_with(limit)
        idle = []
        one_by_one = self.engine in ("blocking", "thread-pool")  # a client gives way after a quarter of a second
        for _ in range(8 if one_by_one else 2 * limit):
            one = socket.create_connection(("127.0.0.1", server.port), served.PATIENCE_SECONDS)
            self.addCleanup(one.close)
            one.sendall(b"GET /small.txt HTTP/1.1\r\nHost: weir.test\r\n\r\n")
            idle.append(one)
        for one in idle:
            self.assertIn(b"200 OK", one.recv(4096))
        self.assertEqual(self.get(self.connect(server), "/1.bin"), (200, LARGE))


class WarmCache(LargeFiles):
    def test_uncached_files_on_an_old_connection(self):
        server = self.serve_with(512)
        old = self.connect(server)
        for number in range(250):
            self.get(old, f"/{number}.bin")
        idle = [self.connect(server) for _ in range(460)]
        for connection in idle:
            self.assertEqual(self.get(connection, "/small.txt"), (200, 5))
        for number in range(250, 300):
            self.assertEqual(self.get(old, f"/{number}.bin"), (200, LARGE))


class TooFew(EndToEnd):
    def start_in_vain(self, limit, *options):
        """What the server says. It says it once, and never that it serves."""
        done = served.subprocess.run(
            [served.binary(), "serve", "--port", "0", *options], capture_output=True, text=True, env=served.environment(),
            timeout=served.PATIENCE_SECONDS, check=False, preexec_fn=with_limit(limit))
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        return done.stderr

    def test_it_says_what_to_do_and_not_that_it_serves(self):
        for engine in served.ENGINES:
            for limit in (17, 18, 19):
                with self.subTest(engine=engine, limit=limit):
                    told = self.start_in_vain(limit, "--engine", engine)
                    self.assertIn(f"the engine {engine} cannot start: {ADVICE.format(limit)}: ", told)
                    self.assertIn("Too many open files", told)
        for limit, workers in ((20, "2"), (64, "20")):
            told = self.start_in_vain(limit, "--engine", "per-core", "--workers", workers)
            self.assertIn(f"the engine per-core cannot start: {ADVICE.format(limit)}", told)

    def test_it_never_says_that_it_serves_before_it_does(self):
        """Whatever is missing first."""
        for limit in range(6, 22):
            with self.subTest(limit=limit):
                told = self.start_in_vain(limit, "--engine", "per-core", "--workers", "2")
                self.assertIn(ADVICE.format(limit), told)
                self.assertIn("Too many open files", told)


if __name__ == "__main__":
    unittest.main()
