#!/usr/bin/env python3
"""The programs of examples/, built against the installed package by a fresh user's steps, and tried."""

import http.client
import http.server
import json
import os
import pwd
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
import unittest
from pathlib import Path

from installed import CMAKE, FOR_CMAKE, PATIENCE_SECONDS, SOURCE, Installed, clean_environment, run

EXAMPLES = SOURCE / "examples"
WARNINGS = "-Wall -Wextra -Werror"


def wait_until(condition):
    """Looks again and again, for what nothing announces."""
    until = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        if time.monotonic() > until:
            raise AssertionError(f"what was waited for did not come in {PATIENCE_SECONDS} s")


class Examples(Installed):
    """What the tests of the examples share. Each class builds some of them, its `targets`."""

    targets = ()

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        # With the shared library: what it does not export is found missing here.
        cls.built = cls.configure("all", EXAMPLES, cls.targets, "-DBUILD_SHARED_LIBS=ON")

    @classmethod
    def configure(cls, name, source, targets, *options):
        directory = cls.place / name
        run(CMAKE, "-S", source, "-B", directory, *FOR_CMAKE, f"-DCMAKE_PREFIX_PATH={cls.prefix}", f"-DCMAKE_CXX_FLAGS={WARNINGS}",
            *options)
        known = run(CMAKE, "--build", directory, "--target", "help").replace(":", " ").split()
        there = [target for target in targets if target in known]  # others need what is not installed
        run(CMAKE, "--build", directory, "--parallel", "2", "--target", *there)
        return directory

    def program(self, name, folder=None):
        program = self.built / (folder or name) / name
        if not program.exists():
            self.skipTest(f"what {name} needs is not installed")
        return program

    def start(self, program, *arguments):
        """A running program; `port` is where it listens. It says its address in its first line."""
        process = subprocess.Popen([str(part) for part in (program, *arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   text=True, env=clean_environment())
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        process.port = int(re.fullmatch(r"http://127\.0\.0\.1:(\d+)/?\n", process.stdout.readline())[1])
        return process

    def connect(self, process):
        connection = http.client.HTTPConnection("127.0.0.1", process.port, timeout=PATIENCE_SECONDS)
        self.addCleanup(connection.close)
        return connection

    def ask(self, process, target, method="GET", body=None, headers=()):
        """Status, fields, content."""
        connection = self.connect(process)
        connection.request(method, target, body, dict(headers))
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer.status, answer.headers, content


class Services(Examples):
    targets = ("hello", "chat", "rest", "rest_test", "sqlite", "sqlite_test", "json", "json_test",
               "sessions", "sessions_test", "notes", "notes_test")

    def test_each_folder_is_built(self):
        listed = (EXAMPLES / "CMakeLists.txt").read_text()
        for folder in (path.name for path in EXAMPLES.iterdir() if path.is_dir()):
            self.assertRegex(listed, rf"[ (]{folder}[ )]")

    def test_each_program_is_built(self):
        programs = {name for file in EXAMPLES.rglob("CMakeLists.txt") for name in re.findall(r"add_executable\((\w+)", file.read_text())}
        self.assertEqual(programs, {target for part in Examples.__subclasses__() for target in part.targets})

    def test_a_folder_is_a_project_of_its_own(self):
        self.assertTrue((self.configure("alone", EXAMPLES / "hello", ["hello"]) / "hello").is_file())

    def test_services_pass_their_own_tests(self):
        for name in ("rest", "sqlite", "json", "sessions", "notes"):
            with self.subTest(name):
                run(self.program(f"{name}_test", name))

    def test_notes_count_their_requests(self):
        process = self.start(self.program("notes"), "127.0.0.1:0", self.place / "notes.db", self.place / "notes")
        self.assertIn(b"<form id=login", self.ask(process, "/")[2])
        self.assertEqual(self.ask(process, "/api/notes")[0], 401)
        wait_until(lambda: b'route="GET /api/notes",status="401"} 1\n' in self.ask(process, "/metrics")[2])

    def test_sessions_outlive_the_server(self):
        program = self.program("sessions")
        fields = {"Content-Type": "application/x-www-form-urlencoded"}
        process = self.start(program, "127.0.0.1:0", self.place / "sessions.db")
        status, answer, _ = self.ask(process, "/login", "POST", b"user=ann&password=correct+horse", fields)
        cookie = {"Cookie": answer["Set-Cookie"].split(";")[0]}
        self.assertEqual(status, 303)
        self.assertIn(b"You are ann. Visits: 1<", self.ask(process, "/", headers=cookie)[2])
        process.kill()
        process.wait()
        process = self.start(program, "127.0.0.1:0", self.place / "sessions.db")
        self.assertIn(b"You are ann. Visits: 2<", self.ask(process, "/", headers=cookie)[2])
        self.assertEqual(self.ask(process, "/logout", "POST", b"", {**cookie, "Origin": "https://evil.example"})[0], 403)
        self.assertEqual(self.ask(process, "/logout", "POST", b"", cookie)[0], 303)
        self.assertIn(b"/login", self.ask(process, "/", headers=cookie)[2])


class Content(Examples):
    targets = ("upload", "download", "events", "proxy", "fetch")

    def test_upload(self):
        folder = self.place / "uploads"
        folder.mkdir()
        process = self.start(self.program("upload"), "127.0.0.1:0", folder)
        content = bytes(range(256)) * 20_000
        self.assertEqual(self.ask(process, "/files/a.bin", "PUT", content)[::2], (201, f"{len(content)} bytes\n".encode()))
        self.assertEqual((folder / "a.bin").read_bytes(), content)
        form = (b'--x\r\nContent-Disposition: form-data; name="file"; filename="b.txt"\r\n\r\nhello\r\n--x--\r\n')
        fields = {"Content-Type": "multipart/form-data; boundary=x"}
        self.assertEqual(self.ask(process, "/form", "POST", form, fields)[::2], (201, b"5 bytes\n"))
        self.assertEqual((folder / "b.txt").read_bytes(), b"hello")
        self.assertEqual(self.ask(process, "/files/.hidden", "PUT", b"x")[0], 400)

    def test_an_upload_that_ends_early_leaves_nothing(self):
        folder = self.place / "unfinished"
        folder.mkdir()
        process = self.start(self.program("upload"), "127.0.0.1:0", folder)
        with socket.create_connection(("127.0.0.1", process.port), PATIENCE_SECONDS) as peer:
            peer.sendall(b"PUT /files/a HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf")
            wait_until(lambda: (folder / "a.part").exists())
        wait_until(lambda: not any(folder.iterdir()))

    def test_download(self):
        program = self.program("download")
        process = self.start(program, "127.0.0.1:0")
        status, fields, content = self.ask(process, "/program")
        self.assertEqual((status, content), (200, program.read_bytes()))
        part = {"Range": "bytes=100-", "If-Range": fields["ETag"]} if fields["ETag"] else {"Range": "bytes=100-"}
        status, fields, rest = self.ask(process, "/program", headers=part)
        self.assertEqual((status, rest), (206, content[100:]))
        part = {"Range": "bytes=1999999990-1999999999"}
        status, fields, content = self.ask(process, "/lines.txt", headers=part)
        self.assertEqual((status, content), (206, b"000099999999\n"[-10:]))
        self.assertEqual(fields["Content-Range"], "bytes 1999999990-1999999999/2000000000")

    # --- events ---------------------------------------------------------------------------------------------------

    def listen(self, process, target, **fields):
        connection = self.connect(process)
        connection.request("GET", target, headers=fields)
        answer = connection.getresponse()
        self.assertEqual(answer.getheader("Content-Type"), "text/event-stream")
        return answer

    def next_event(self, answer):
        lines = {}
        while line := answer.readline().decode().rstrip("\n"):
            name, _, value = line.partition(": ")
            lines[name] = value
        return lines

    def test_events(self):
        process = self.start(self.program("events"), "127.0.0.1:0")
        self.assertIn(b"EventSource", self.ask(process, "/")[2])
        clock = self.listen(process, "/clock", **{"Last-Event-ID": "41"})
        self.assertEqual([self.next_event(clock)["data"] for _ in range(2)], ["42", "43"])
        listeners = [self.listen(process, "/news") for _ in range(3)]
        listeners[0].close()
        fields = {"Content-Type": "application/x-www-form-urlencoded"}
        self.assertEqual(self.ask(process, "/news", "POST", b"text=it+rains", fields)[0], 204)
        for listener in listeners[1:]:
            self.assertEqual(self.next_event(listener)["data"], "it rains")

    # --- the proxy ------------------------------------------------------------------------------------------------

    def test_proxy(self):
        large = b"0123456789abcdef" * 500_000

        class Upstream(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.send_header("Content-Type", "text/x-test")
                self.send_header("X-From", self.headers["X-Forwarded-For"])
                self.end_headers()
                self.wfile.write(large)

            def do_POST(self):
                content = self.rfile.read(int(self.headers["Content-Length"]))
                self.send_response(201)
                self.end_headers()
                self.wfile.write(content[::-1])

            def log_message(self, *_):
                pass

        upstream = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Upstream)
        threading.Thread(target=upstream.serve_forever, daemon=True).start()
        try:
            process = self.start(self.program("proxy"), "127.0.0.1:0", "127.0.0.1", upstream.server_port)
            status, fields, content = self.ask(process, "/any?thing")
            self.assertEqual((status, fields["Content-Type"], fields["X-From"]), (200, "text/x-test", "127.0.0.1"))
            self.assertEqual(content, large)
            self.assertEqual(self.ask(process, "/", "POST", large)[::2], (201, large[::-1]))
        finally:
            upstream.shutdown()
            upstream.server_close()
        self.assertEqual(self.ask(process, "/any")[0], 502)

    def test_the_proxy_outlives_a_silent_upstream(self):
        with socket.create_server(("127.0.0.1", 0), backlog=100) as silent:  # the kernel takes the connections
            process = self.start(self.program("proxy"), "127.0.0.1:0", "127.0.0.1", silent.getsockname()[1], "1")
            waiting = [self.connect(process) for _ in range(70)]  # more than the threads of the proxy
            for connection in waiting:
                connection.request("GET", "/")
            for connection in waiting:
                self.assertEqual(connection.getresponse().status, 504)

    # --- the fetch ------------------------------------------------------------------------------------------------

    def test_fetch(self):
        process = self.start(self.program("events"), "127.0.0.1:0")
        url = f"http://127.0.0.1:{process.port}"
        self.assertEqual(run(self.program("fetch"), url + "/").encode(), self.ask(process, "/")[2])
        for wrong in (url + "/none", "no-url"):
            with self.assertRaisesRegex(AssertionError, "ended with 1"):
                run(self.program("fetch"), wrong)


class Loops(Examples):
    targets = ("with_poll", "with_asio", "with_glib")

    def over_loops(self, check):
        for name in ("with_poll", "with_asio", "with_glib"):
            with self.subTest(name):
                check(self.start(self.program(name, "own-loop"), "0"))

    def test_own_loops_keep_connections(self):
        def check(process):
            connection = self.connect(process)
            for target, content in (("/hello/Ada", b"Hello, Ada!\n"), ("/nap/50", b"awake\n"), ("/hello/Bob", b"Hello, Bob!\n")):
                connection.request("GET", target)
                answer = connection.getresponse()
                self.assertEqual((answer.status, answer.read(), answer.will_close), (200, content, False))
            connection.request("POST", "/length", b"x" * 3_000_000)
            self.assertEqual(connection.getresponse().read(), b"3000000\n")

        self.over_loops(check)

    def test_own_loops_wait_for_a_peer_that_does_not_read(self):
        count = 2_000_000  # 15 MB, more than sockets keep
        expected = "".join(f"{i}\n" for i in range(count)).encode()

        def check(process):
            slow = self.connect(process)
            slow.request("GET", f"/numbers/{count}")
            answer = slow.getresponse()  # its head
            for _ in range(3):  # others are served meanwhile
                self.assertEqual(self.ask(process, "/hello/Ada")[2], b"Hello, Ada!\n")
            self.assertEqual(answer.read(), expected)
            peak = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{process.pid}/status").read_text())
            self.assertLess(int(peak[1]), 12_000)

        self.over_loops(check)

    def test_own_loops_notice_that_a_peer_leaves(self):
        def check(process):
            def sockets():
                return sum(each.is_socket() for each in Path(f"/proc/{process.pid}/fd").iterdir())

            with socket.create_connection(("127.0.0.1", process.port), PATIENCE_SECONDS) as peer:
                peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")  # a reset
                peer.sendall(b"GET /nap/1000000 HTTP/1.1\r\nHost: a\r\n\r\n")
                self.assertEqual(self.ask(process, "/hello/Ada")[0], 200)
                self.assertGreater(sockets(), 1)
            wait_until(lambda: sockets() == 1)  # the listener

        self.over_loops(check)

    def test_own_loops_finish_what_is_under_way(self):
        def check(process):
            idle, busy = self.connect(process), self.connect(process)
            idle.connect()
            busy.request("GET", "/nap/500")
            self.assertEqual(self.ask(process, "/hello/Ada")[0], 200)  # so it has been read
            process.send_signal(signal.SIGTERM)
            self.assertEqual(busy.getresponse().read(), b"awake\n")
            self.assertEqual(process.wait(PATIENCE_SECONDS), 0)

        self.over_loops(check)


class Databases(Examples):
    targets = ("postgresql",)

    def start_database(self):
        """A PostgreSQL of the test's own, on a unix socket; what connects to it. Its programs refuse root."""
        programs = max(Path("/usr/lib/postgresql").glob("*/bin"), default=None)
        if not os.environ.get("WEIR_LIVE") or programs is None:
            self.skipTest("PostgreSQL is tried where WEIR_LIVE is set and it is installed: WEIR_LIVE=1 ./run test install")
        place = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, place)
        user = {}
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            os.chown(place, nobody.pw_uid, nobody.pw_gid)
            user = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        data = place / "data"
        subprocess.run([programs / "initdb", "--no-sync", "--username=weir", "--auth=trust", "--pgdata", data], cwd=place, check=True,
                       stdout=subprocess.DEVNULL, **user)
        server = subprocess.Popen([programs / "postgres", "-D", data, "-k", place, "-c", "listen_addresses="], cwd=place,
                                  stderr=subprocess.DEVNULL, **user)
        self.addCleanup(server.wait)
        self.addCleanup(server.send_signal, signal.SIGINT)  # without waiting for its clients
        where = f"host={place} user=weir dbname=postgres"
        wait_until(lambda: self.psql(where, "select 1") == "1")
        return where

    @staticmethod
    def psql(where, sql):
        return subprocess.run(["psql", "-XAtc", sql, where], capture_output=True, text=True, check=False).stdout.strip()

    def test_coroutines_wait_for_postgresql(self):
        program = self.program("postgresql")
        where = self.start_database()
        process = self.start(program, "127.0.0.1:0", where)
        self.assertEqual(self.ask(process, "/table", "POST")[0], 204)
        text = "O'Brien; drop table notes -- " + "x" * 200_000
        status, fields, _ = self.ask(process, "/notes", "POST", text)
        self.assertEqual((status, fields["Location"]), (201, "/notes/1"))
        self.assertEqual(json.loads(self.ask(process, "/notes/1")[2]), {"id": 1, "text": text})
        self.assertEqual([self.ask(process, f"/notes/{note}")[0] for note in ("2", "one")], [404, 400])

        statements = "select count(*) from pg_stat_activity where query like '%pg_sleep(1)%' and state = 'active' and pid <> pg_backend_pid()"
        peers = [self.connect(process) for _ in range(4)]
        for peer in peers:
            peer.request("GET", "/slow")
        wait_until(lambda: self.psql(where, statements) == "4")  # at once, and the loop serves others
        self.assertEqual([peer.getresponse().read() for peer in peers], [b"slept\n"] * 4)

        for _ in range(8):  # twice as many as there are connections
            peer = self.connect(process)
            peer.request("GET", "/slow")
            wait_until(lambda: self.psql(where, statements) != "0")
            peer.close()
        self.assertEqual(self.ask(process, "/notes/1")[0], 200)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(PATIENCE_SECONDS), 0)


if __name__ == "__main__":
    unittest.main()
