"""weir target: the answer of each path, and the effects of --sleep, --spin, --timer and --close."""

import json
import os
import re
import resource
import selectors
import socket
import subprocess
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path

PATIENCE_SECONDS = 60
WEIR = os.environ["WEIR_BINARY"]
CLEAN = {name: value for name, value in os.environ.items() if not name.startswith("WEIR_")}


class TargetTest(unittest.TestCase):
    def start(self, *arguments):
        process = subprocess.Popen([WEIR, "target", "-p", "0", *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   text=True, env=CLEAN)
        self.addCleanup(self.end, process)
        self.banner = [process.stdout.readline(), process.stdout.readline()]
        self.address = ("127.0.0.1", int(re.search(r"http://127\.0\.0\.1:(\d+)/", self.banner[1])[1]))
        return process

    @staticmethod
    def end(process):
        process.kill()
        process.communicate()

    def connection(self):
        connection = HTTPConnection(*self.address, timeout=PATIENCE_SECONDS)
        self.addCleanup(connection.close)
        return connection

    def ask(self, connection, target="/", method="GET", body=None):
        connection.request(method, target, body)
        response = connection.getresponse()
        return response, response.read()


class Paths(TargetTest):
    def setUp(self):
        self.start("-e", "epoll-edge", "--bytes", "100")

    def test_any_answers_as_many_bytes_as_are_wanted(self):
        connection = self.connection()
        answers = [self.ask(connection, target) for target in ("/", "/a/b?c", "/")]
        self.assertEqual({(response.status, body) for response, body in answers}, {(200, answers[0][1])})
        self.assertEqual(len(answers[0][1]), 100)

    def test_plaintext_and_json(self):
        connection = self.connection()
        response, body = self.ask(connection, "/plaintext")
        self.assertEqual((response.headers["Content-Type"], body), ("text/plain", b"Hello, World!"))
        response, body = self.ask(connection, "/json")
        self.assertEqual((response.headers["Content-Type"], json.loads(body)), ("application/json", {"message": "Hello, World!"}))

    def test_echo_answers_what_was_sent(self):
        connection = self.connection()
        content = bytes(range(256)) * 100
        self.assertEqual(self.ask(connection, "/echo", "POST", content)[1], content)
        self.assertEqual(self.ask(connection, "/echo", "POST", iter([content, b"end"]))[1], content + b"end")
        self.assertEqual(self.ask(connection, "/echo")[1], b"")

    def test_stream_is_chunked_or_sized(self):
        connection = self.connection()
        response, body = self.ask(connection, "/stream?bytes=1000000")
        self.assertEqual((response.headers["Transfer-Encoding"], len(body)), ("chunked", 1_000_000))
        response, body = self.ask(connection, "/stream?bytes=1000000&sized")
        self.assertEqual((response.headers["Content-Length"], len(body)), ("1000000", 1_000_000))
        self.assertEqual(len(self.ask(connection, "/stream")[1]), 100)
        self.assertEqual(self.ask(connection, "/stream?bytes=x")[0].status, 400)

    def test_banner_says_what_is_served(self):
        self.assertIn("serves 100 bytes at any path\n", self.banner[0])
        self.start("--spin", "100us", "--close")
        self.assertIn("serves 1024 bytes at any path, after computing for 100 us, closing each connection\n", self.banner[0])


class Close(TargetTest):
    def test_ends_the_connection_after_each_answer(self):
        self.start("-e", "epoll-edge", "--close", "--bytes", "10")
        with socket.create_connection(self.address, PATIENCE_SECONDS) as client:
            client.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            answer = b""
            while received := client.recv(4096):
                answer += received
        head, body = answer.split(b"\r\n\r\n")
        self.assertIn(b"\r\nConnection: close", head)
        self.assertEqual(len(body), 10)


class Time(TargetTest):
    def rate(self, clients, requests_each):
        """Returns the requests per second of `clients` concurrent clients, with a connection for each request."""
        def ask_all(_):
            for _ in range(requests_each):
                self.assertEqual(self.ask(self.connection())[0].status, 200)
        begin = time.monotonic()
        with ThreadPoolExecutor(clients) as pool:
            list(pool.map(ask_all, range(clients)))
        return clients * requests_each / (time.monotonic() - begin)

    def test_that_a_thread_sleeps_is_taken_from_everybody_whom_it_serves(self):
        self.start("-e", "blocking", "--sleep", "20ms", "--close")
        self.assertLessEqual(self.rate(clients=8, requests_each=5), 50)

    def test_that_one_of_many_threads_sleeps_is_not(self):
        self.start("-e", "thread-per-connection", "--sleep", "500ms", "--close")
        # One thread would take 50 s at least.
        self.assertGreater(self.rate(clients=100, requests_each=1), 2)

    def test_that_is_computed_is_cpu_time(self):
        process = self.start("-e", "epoll-edge", "--spin", "20ms")
        connection = self.connection()
        for _ in range(10):
            self.ask(connection)
        self.assertGreaterEqual(self.cpu_seconds(process), 0.19)

    @staticmethod
    def cpu_seconds(process):
        user, system = Path(f"/proc/{process.pid}/stat").read_text("ascii").rsplit(")", 1)[1].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def test_that_a_timer_takes_is_nobodys(self):
        count, wait_seconds = 1_000, 1
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        if hard < count + 100:
            self.skipTest(f"this process may open {hard} files")
        soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))

        process = self.start("-e", "epoll-edge", "--timer", f"{wait_seconds}s", "--bytes", "10")
        begin = time.monotonic()
        selector = selectors.DefaultSelector()
        self.addCleanup(selector.close)
        for _ in range(count):
            client = socket.create_connection(self.address, PATIENCE_SECONDS)
            self.addCleanup(client.close)
            client.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            selector.register(client, selectors.EVENT_READ)
        answered = 0
        while answered < count:
            ready = selector.select(PATIENCE_SECONDS)
            self.assertTrue(ready, f"{answered} of {count} are answered")
            for key, _ in ready:
                self.assertTrue(key.fileobj.recv(4096).startswith(b"HTTP/1.1 200 "))
                selector.unregister(key.fileobj)
                answered += 1
        elapsed = time.monotonic() - begin
        self.assertGreaterEqual(elapsed, wait_seconds)
        self.assertLess(elapsed, count * wait_seconds)  # as long as one thread would take, which slept
        # The loop, signals, timer, reports of trouble and a sanitizer have a thread each; waiting requests have none.
        self.assertLessEqual(len(os.listdir(f"/proc/{process.pid}/task")), 5)


class Stop(TargetTest):
    def test_ends_where_answers_are_still_owed(self):
        process = self.start("-e", "epoll-edge", "--timer", "1h", "--stop-timeout", "0")
        with socket.create_connection(self.address, PATIENCE_SECONDS) as client:
            client.sendall(b"POST /echo HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n")
            self.assertTrue(client.recv(100).startswith(b"HTTP/1.1 100 "))
            client.sendall(b"x")
            process.terminate()
            self.assertEqual(process.wait(PATIENCE_SECONDS), 0)


if __name__ == "__main__":
    unittest.main()
