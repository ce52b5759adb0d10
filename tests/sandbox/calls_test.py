"""What the whole command does in its sandbox, on every engine: no call is refused, and the sandbox's table has exactly
the calls that are made. The first argument is the program record_calls."""

import os
import select
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "end_to_end"))
import served  # noqa: E402 (it lies in another folder)
from served import ENGINES, EndToEnd, exchange, for_each_engine, wait_until  # noqa: E402

RECORDER = Path(sys.argv.pop(1)).absolute()
FORKING = ("prefork", "fork-per-connection")
LARGE = 300_000


def table():
    """{number: (name, needs, whether arguments are checked)}, for the needs of each."""
    text = subprocess.run([RECORDER, "--table"], capture_output=True, text=True, check=True).stdout
    return [(int(number), name, needs, bool(checked)) for number, name, needs, *checked in map(str.split, text.splitlines())]


TABLE = table()
HAS_TLS = "openssl" in served.run("--version")[1]
seen = set()  # by all engines


def allowed_for(engine, *more):
    needs = {"every_engine", "seldom", *more} | ({"processes"} if engine in FORKING else set())
    needs |= {"rings"} if engine == "io-uring" else set()
    return {number for number, _, need, _ in TABLE if need in needs}


def name(number):
    return next((name for known, name, *_ in TABLE if known == number), f"call {number}")


def has_sandbox():
    """False in builds with a sanitizer, and where the kernel has no filters or forbids to trace."""
    server = served.Server("serve", served.SITE, "-p", "0", "-v")
    try:
        return "system calls (seccomp)" in server.wait_for_line("sandbox: .*")[0]
    finally:
        server.stop()


def ask(server, requests):
    """Everything that comes for these bytes, until the server closes."""
    with socket.create_connection(("127.0.0.1", server.port), served.PATIENCE_SECONDS) as peer:
        peer.sendall(requests)
        answer = b""
        while got := peer.recv(1 << 16):
            answer += got
        return answer


class Recorded(EndToEnd):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.root = self.folder / "site"
        (self.root / "folder").mkdir(parents=True)
        (self.root / "index.html").write_text("page", encoding="ascii")
        (self.root / "unknown").write_text("text", encoding="ascii")
        (self.root / "large.bin").write_bytes(b"x" * LARGE)
        (self.root / "folder" / "README").write_text("read me", encoding="ascii")
        os.symlink("index.html", self.root / "link.html")
        self.log = self.folder / "log" / "access.log"
        self.log.parent.mkdir()
        self.report = self.folder / "report"
        self.wrap()

    def wrap(self):
        """WEIR_BINARY becomes a command that records itself, for the servers of this test."""
        command, wrapped = self.folder / "weir", served.binary()
        command.write_text(f'#!/bin/sh\nexec "{RECORDER}" "{self.report}" "{wrapped}" "$@"\n', encoding="utf-8")
        command.chmod(0o700)
        os.environ["WEIR_BINARY"] = str(command)
        self.addCleanup(os.environ.__setitem__, "WEIR_BINARY", wrapped)

    def check(self, server, *needs):
        """Ends the server, and compares what it did with the table. `needs`: those of its options."""
        server.signal(signal.SIGTERM)
        self.assertEqual(server.wait(), 0)
        lines = [line.split() for line in self.report.read_text(encoding="ascii").splitlines()]
        unknown = {int(line[0]) for line in lines if line[1:] == ["unknown"]}  # libc then makes another
        numbers = {int(line[0]) for line in lines} - unknown
        self.assertTrue(numbers)
        self.assertEqual({name(number) for number in numbers - allowed_for(self.engine, *needs)}, set(), "not in the table")
        self.assertEqual({name(int(line[0])) for line in lines if line[1:] == ["refused"]}, set(), "refused")
        seen.update(numbers)


@for_each_engine
class Life(Recorded):
    def test_of_files(self):
        server = self.serve(self.root, "--listing", "--access-log", self.log)
        for target in ("/", "/unknown", "/large.bin", "/large.bin", "/folder/", "/link.html", "/none"):
            self.assertEqual(self.fetch(server, target)[0].status, 404 if target == "/none" else 200)
        self.assertEqual(self.fetch(server, "/large.bin", Range="bytes=0-9,20-30")[0].status, 206)
        self.assertEqual(self.fetch(server, "/", "POST")[0].status, 405)
        self.pipeline(server)
        self.change_a_file(server)
        self.rotate(server)
        self.check(server)

    def pipeline(self, server):
        request = b"GET / HTTP/1.1\r\nHost: weir\r\n\r\n"
        last = b"GET /large.bin HTTP/1.1\r\nHost: weir\r\nConnection: close\r\n\r\n"
        self.assertGreater(len(ask(server, request * 16 + last)), LARGE)
        self.assertIn(b" 400 ", ask(server, b"no request\r\n\r\n"))

    def change_a_file(self, server):
        (self.root / "index.html").write_text("another page", encoding="ascii")
        wait_until(lambda: self.fetch(server, "/")[1] == b"another page")
        (self.root / "folder").rename(self.root / "renamed")
        wait_until(lambda: self.fetch(server, "/folder/")[0].status == 404)

    def rotate(self, server):
        for number in (signal.SIGUSR1, signal.SIGHUP):
            self.log.rename(self.log.with_suffix(f".{number}"))
            server.signal(number)
            wait_until(lambda: self.fetch(server, "/")[0].status == 200 and self.log.exists())

    @unittest.skipUnless(HAS_TLS, "this build has no OpenSSL")
    def test_of_tls(self):
        server = self.serve(self.root, "--tls", XDG_STATE_HOME=str(self.folder / "state"))
        certificate = self.folder / "state/weir/weir.crt"
        for file, size in (("index.html", 4), ("large.bin", LARGE)):
            done = subprocess.run(["curl", "-sS", "--cacert", certificate, f"https://localhost:{server.port}/{file}"],
                                  capture_output=True, check=True)
            self.assertEqual(len(done.stdout), size)
        server.signal(signal.SIGHUP)
        server.wait_for_line("certificates were read again")
        certificate.write_bytes(certificate.read_bytes())
        server.wait_for_line("certificates were read again")
        self.check(server)

    @unittest.skipUnless(" gzip" in served.run("--version")[1], "this build has no zlib")
    def test_of_compression(self):
        for name, size in (("small.html", 3_000), ("long.css", 300_000), ("longer.json", 3_000_000)):
            (self.root / name).write_text("all that is written " * (size // 20), encoding="ascii")
        server = self.serve(self.root, "--compress")
        for coding in ("gzip", "gzip", "br", "zstd"):
            for name in ("small.html", "long.css", "longer.json"):
                response, _ = self.fetch(server, f"/{name}", Accept_Encoding=f"{coding}, gzip")
                self.assertIsNotNone(response.headers["Content-Encoding"])
        self.check(server)

    def test_of_uploads(self):
        server = self.serve(self.root, "--upload=/folder", "--upload-overwrite", "--upload-quota", "1G")
        for status in (201, 204):
            connection = self.connect(server)
            connection.request("PUT", "/folder/large.bin", b"x" * LARGE)
            self.assertEqual(connection.getresponse().status, status)
            connection.close()
        self.assertEqual((self.root / "folder" / "large.bin").stat().st_size, LARGE)
        self.check(server, "uploads")

    @unittest.skipUnless(" expat" in served.run("--version")[1], "this build has no Expat")
    def test_of_folders(self):
        server = self.serve(self.root, "--upload=/folder", "--webdav")
        (self.root / "folder" / "large.bin").write_bytes(b"x" * LARGE)
        properties = b"<propertyupdate xmlns='DAV:'><%s><prop><x/></prop></%s></propertyupdate>"
        for method, target, content, headers, status in (
                ("MKCOL", "/folder/a", None, {}, 201),
                ("PUT", "/folder/a/b", b"1", {}, 201),
                ("PROPPATCH", "/folder/a/b", properties % (b"set", b"set"), {}, 207),
                ("PUT", "/folder/a/b", b"2", {}, 204),
                ("PROPPATCH", "/folder/a/b", properties % (b"remove", b"remove"), {}, 207),
                ("PROPFIND", "/folder/a/", None, {"Depth": "1"}, 207),
                ("COPY", "/folder/large.bin", None, {"Destination": "/folder/a/copy"}, 201),
                ("COPY", "/folder/a/", None, {"Destination": "/folder/c/"}, 201),
                ("MOVE", "/folder/c/copy", None, {"Destination": "/folder/a/copy"}, 204),
                ("LOCK", "/folder/a/", b"<lockinfo xmlns='DAV:'><lockscope><shared/></lockscope><locktype><write/></locktype></lockinfo>", {}, 200),
                ("DELETE", "/folder/c/", None, {}, 204)):
            connection = self.connect(server)
            connection.request(method, target, content, headers)
            self.assertEqual(connection.getresponse().status, status, method)
            connection.close()
        self.assertEqual((self.root / "folder" / "a" / "copy").stat().st_size, LARGE)
        self.check(server, "uploads", "folders")

    def test_of_other_servers(self):
        with socket.create_server(("127.0.0.1", 0)) as behind:
            def answer():
                peer, _ = behind.accept()
                with peer:
                    peer.recv(1 << 16)
                    peer.sendall(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello")
            threading.Thread(target=answer, daemon=True).start()
            server = self.serve(self.root, "--proxy", f"/behind: http://127.0.0.1:{behind.getsockname()[1]}")
            self.assertEqual(self.fetch(server, "/behind")[1], b"hello")
        self.check(server, "servers")

    def test_of_a_unix_socket(self):
        path = self.folder / "log" / "socket"
        server = self.start("serve", self.root, "-e", self.engine, "-b", f"unix:{path}")
        server.wait_for_line("engine ")
        with socket.socket(socket.AF_UNIX) as peer:
            peer.settimeout(served.PATIENCE_SECONDS)
            peer.connect(str(path))
            peer.sendall(b"GET / HTTP/1.0\r\n\r\n")
            self.assertIn(b" 200 ", peer.recv(1 << 16))
        self.assertTrue(stat.S_ISSOCK(path.stat().st_mode))
        self.check(server)
        self.assertFalse(path.exists())

    def test_of_handlers_that_wait(self):
        for option in ("--sleep", "--timer", "--spin"):
            server = self.start("target", "-p", "0", "-e", self.engine, option, "1ms").wait_for_banner()
            connection = self.connect(server)
            for _ in range(2):
                self.assertEqual(exchange(connection, "/")[0].status, 200)
            connection.close()
            self.check(server)


class Options(Recorded):
    def test_of_workers_with_a_core(self):
        server = self.serve(self.root, "--pin", "--busy-poll", "50us", "-v")
        self.assertEqual(self.fetch(server, "/")[0].status, 200)
        self.check(server)


    def test_of_a_peer_that_takes_nothing(self):
        with open(self.root / "huge.bin", "wb") as file:
            file.truncate(64 << 20)
        server = self.serve(self.root, "--transmit-timeout", "100ms")
        with socket.socket() as peer:
            peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16384)
            peer.settimeout(served.PATIENCE_SECONDS)
            peer.connect(("127.0.0.1", server.port))
            peer.sendall(b"GET /huge.bin HTTP/1.1\r\nHost: weir\r\n\r\n")
            end = select.poll()
            end.register(peer, 0)  # POLLERR and POLLHUP alone
            self.assertTrue(end.poll(served.PATIENCE_SECONDS * 1000), "the server did not reset the connection")
        self.check(server)


class Processes(Recorded):
    """Calls of engines with processes that a server makes when something is wrong."""

    engine = "prefork"

    def test_of_a_worker_that_dies(self):
        server = self.serve(self.root)
        wait_until(lambda: len(list(served.processes(server.process.pid))) > 1)
        os.kill(list(served.processes(server.process.pid))[1], signal.SIGKILL)
        server.wait_for_line("died of SIGKILL")
        wait_until(lambda: self.fetch(server, "/")[0].status == 200)
        self.check(server)

    def test_of_a_worker_that_does_not_end(self):
        server = self.start("target", "-p", "0", "-e", self.engine, "--sleep", "10m", "--stop-timeout", "1ms").wait_for_banner()
        connection = self.connect(server)
        connection.request("GET", "/")
        wait_until(lambda: self.has_begun(server))
        self.check(server)

    def has_begun(self, server):
        """True once a worker sleeps in the handler."""
        syscalls = (Path(f"/proc/{pid}/syscall") for pid in served.processes(server.process.pid))
        sleeping = next(number for number, name, *_ in TABLE if name.startswith("clock_nano"))
        return any(path.read_text(encoding="ascii").split()[0] == str(sleeping) for path in syscalls)


class Table(unittest.TestCase):
    """Runs last, by its name: then all engines have run."""

    def test_has_no_call_that_nobody_makes(self):
        if not {"io-uring", "asio", "prefork"} <= set(ENGINES):
            self.skipTest("some engines cannot run here, and their calls are not seen")
        unseen = {name for number, name, needs, _ in TABLE if needs != "seldom" and number not in seen}
        self.assertEqual(unseen, set())


def load_tests(loader, tests, pattern):
    """All in one, in the order of the names."""
    classes = sorted((each for each in vars(sys.modules[__name__]).values()
                      if isinstance(each, type) and issubclass(each, unittest.TestCase)), key=lambda each: each.__name__)
    return unittest.TestSuite(loader.loadTestsFromTestCase(each) for each in classes)


if __name__ == "__main__":
    if not has_sandbox():
        print("this build, or this machine, has no filter of system calls")
        sys.exit(77)
    unittest.main()
