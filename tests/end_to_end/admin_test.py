"""What --admin answers, with every engine: the sums are exact, whoever comes and goes; it holds nobody up."""

import json
import os
import re
import resource
import signal
import socket
import subprocess
import tempfile
import unittest
from http.client import HTTPConnection
from pathlib import Path

import openmetrics
from served import ENGINES, PATIENCE_SECONDS, SOURCE, EndToEnd, exchange, fetch, for_each_engine, processes, run, wait_until

HTTP_1_1 = "http/1.1"


class Admin(EndToEnd):
    def folder(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        return Path(folder.name)

    def watch(self, *options, root=None):
        """A server with a file of 5 bytes and one of 300,000, and an admin."""
        root = root or self.folder()
        (root / "small.txt").write_text("small", encoding="ascii")
        (root / "large.bin").write_bytes(b"x" * 300_000)
        server = self.serve(root, "--admin", "127.0.0.1:0", *options)
        server.admin = int(server.wait_for_line(r"admin: http://127\.0\.0\.1:(\d+)/")[1])
        return server

    def ask(self, server, path, **headers):
        return fetch(server.admin, path, **headers)

    def metrics(self, server):
        response, body = self.ask(server, "/metrics")
        self.assertEqual(response.headers["Content-Type"], "application/openmetrics-text; version=1.0.0; charset=utf-8")
        return openmetrics.parse(body.decode())

    def await_value(self, server, expected, sample, **labels):
        """An answer reaches its client before the server has counted it."""
        wait_until(lambda: openmetrics.value_of(self.metrics(server), sample, **labels) >= expected)
        self.assertEqual(openmetrics.value_of(self.metrics(server), sample, **labels), expected)


@for_each_engine
class Sums(Admin):
    def test_are_exact(self):
        server = self.watch()
        connection = self.connect(server)
        for target in ["/small.txt"] * 20 + ["/missing"] * 3 + ["/large.bin"] * 2:
            exchange(connection, target)
        connection.close()
        for _ in range(5):  # each on a connection of its own
            fetch(server.port, "/small.txt")
        self.await_value(server, 27, "weir_http_requests_total", protocol=HTTP_1_1, status="2xx")
        self.await_value(server, 3, "weir_http_requests_total", protocol=HTTP_1_1, status="4xx")
        self.await_value(server, 6, "weir_connections_accepted_total", address="plain")
        self.await_value(server, 25 * 5 + 2 * 300_000, "weir_http_response_content_bytes_sum", status="2xx")
        self.await_value(server, 27, "weir_http_request_duration_seconds_count", status="2xx")
        self.await_value(server, 30, "weir_http_answers_total")
        self.await_value(server, 0, "weir_handlers_running")
        wait_until(lambda: openmetrics.value_of(self.metrics(server), "weir_connections_open") == 0)

    def test_are_there_in_the_sandbox(self):
        server = self.watch("-v")
        fetch(server.port, "/small.txt")
        families = self.metrics(server)
        for name in ("process_cpu_seconds_total", "process_resident_memory_bytes", "process_open_fds", "process_max_fds"):
            self.assertGreater(openmetrics.value_of(families, name), 0, name)
        self.assertEqual(openmetrics.value_of(families, "weir_info", engine=self.engine), 1)


@for_each_engine
class Probes(Admin):
    def test_follow_the_server(self):
        server = self.watch("--stop-timeout", "60s")
        self.assertEqual(self.ask(server, "/livez")[0].status, 200)
        self.assertEqual(self.ask(server, "/readyz")[0].status, 200)
        status = json.loads(self.ask(server, "/status")[1])
        self.assertEqual((status["engine"], status["state"]), (self.engine, "serving"))
        self.assertEqual(status["addresses"], [f"127.0.0.1:{server.port}"])
        unfinished = self.unfinished_download(server)
        server.signal(signal.SIGTERM)
        wait_until(lambda: self.ask(server, "/readyz")[0].status == 503)
        self.assertEqual(self.ask(server, "/livez")[0].status, 200)
        self.assertEqual(json.loads(self.ask(server, "/status")[1])["state"], "draining")
        unfinished.close()
        self.assertEqual(server.wait(), 0)

    def unfinished_download(self, server):
        """A client that reads the first byte of an answer that no socket takes whole."""
        connection = socket.socket()
        self.addCleanup(connection.close)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.settimeout(PATIENCE_SECONDS)
        connection.connect(("127.0.0.1", server.port))
        connection.sendall(b"GET /large.bin HTTP/1.1\r\nHost: a\r\n\r\n" * 40)
        connection.recv(1)
        return connection

    def test_clients_do_not_hold_the_stop(self):
        server = self.watch()
        for first in (b"", b"GET /metrics HTT", b"GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 50):
            client = socket.create_connection(("127.0.0.1", server.admin), timeout=PATIENCE_SECONDS)
            self.addCleanup(client.close)
            client.sendall(first)
        self.assertEqual(self.ask(server, "/readyz")[0].status, 200)
        server.signal(signal.SIGTERM)
        self.assertEqual(server.wait(), 0)

    def test_answer_while_all_connections_are_taken(self):
        server = self.watch("--max-connections", "2")
        clients = [self.connect(server) for _ in range(2)]
        for client in clients:
            exchange(client, "/small.txt")
        self.assertEqual(self.ask(server, "/readyz")[0].status, 200)


class OneEngine(Admin):
    def test_unix_socket_is_removed(self):
        folder = self.folder()
        path = folder / "admin"
        (folder / "small.txt").write_text("small", encoding="ascii")
        for engine in ENGINES:
            with self.subTest(engine=engine):
                server = self.start("serve", folder, "--port", "0", "--engine", engine, "--admin", f"unix:{path}").wait_for_banner()
                answer = subprocess.run(["curl", "-sS", "--unix-socket", path, "http://localhost/readyz"], capture_output=True,
                                        text=True, check=True, timeout=PATIENCE_SECONDS)
                self.assertEqual(answer.stdout, "ready\n")
                server.signal(signal.SIGTERM)
                self.assertEqual(server.wait(), 0)
                self.assertFalse(path.exists())

    def test_answers_while_no_descriptor_is_left(self):
        self.engine = "epoll-edge"
        server = self.watch()
        process = server.process.pid
        fetch(server.port, "/small.txt")  # it runs
        highest = max(int(path.name) for path in Path(f"/proc/{process}/fd").iterdir())
        resource.prlimit(process, resource.RLIMIT_NOFILE, (highest + 1, highest + 1))
        used = len(self.descriptors(process))
        waiting = [socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE_SECONDS)
                   for _ in range(used, highest + 2)]
        wait_until(lambda: len(self.descriptors(process)) == highest + 1)
        for _ in range(20):
            self.assertEqual(self.ask(server, "/livez")[0].status, 200)
        for each in waiting:
            each.close()

    def test_counts_what_workers_of_prefork_did_that_were_killed(self):
        self.engine = "prefork"
        server = self.watch("--workers", "1")
        for _ in range(4):
            fetch(server.port, "/small.txt")
        self.await_value(server, 4, "weir_http_requests_total", status="2xx")
        worker = int(Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children").read_text(encoding="ascii"))
        os.kill(worker, signal.SIGKILL)
        server.wait_for_line("worker 1.* died")
        fetch(server.port, "/small.txt")
        self.await_value(server, 5, "weir_http_requests_total", status="2xx")
        self.await_value(server, 1, "weir_troubles_total", kind="workers")

    @unittest.skipUnless("openssl" in run("--version")[1], "this build has no OpenSSL")
    def test_counts_handshakes_and_http2(self):
        state = self.folder()
        root = self.folder()
        (root / "small.txt").write_text("small", encoding="ascii")
        server = self.serve(root, "--admin", "127.0.0.1:0", "--tls", XDG_STATE_HOME=str(state))
        server.admin = int(server.wait_for_line(r"admin: http://127\.0\.0\.1:(\d+)/")[1])
        for version in ("--http2", "--http1.1", "--http2"):
            subprocess.run(["curl", "-sS", version, "-o", os.devnull, "--cacert", state / "weir/weir.crt",
                            f"https://localhost:{server.port}/small.txt"], check=True, timeout=PATIENCE_SECONDS)
        self.await_value(server, 2, "weir_tls_handshakes_total", protocol="h2")
        self.await_value(server, 1, "weir_tls_handshakes_total", protocol=HTTP_1_1)
        self.await_value(server, 2, "weir_http_requests_total", protocol="h2", status="2xx")
        self.await_value(server, 1, "weir_http_requests_total", protocol=HTTP_1_1, status="2xx")
        self.await_value(server, 3, "weir_connections_accepted_total", address="tls")

    def test_workers_do_not_have_what_is_the_admins(self):
        self.engine = "prefork"
        server = self.watch()
        supervisor, *workers = processes(server.process.pid)
        table = Path("/proc/net/tcp").read_text(encoding="ascii")
        inode = re.search(rf" 0100007F:{server.admin:04X} 00000000:0000 0A (?:\S+ +){{5}}(\d+) ", table)[1]
        self.assertIn(f"socket:[{inode}]", self.descriptors(supervisor))
        for worker in workers:
            wait_until(lambda worker=worker: f"socket:[{inode}]" not in self.descriptors(worker))

    def descriptors(self, process):
        return [os.readlink(path) for path in Path(f"/proc/{process}/fd").iterdir()]

    def test_addresses_of_others_need_another_option(self):
        for address in ("0.0.0.0:0", "[::]:0", "192.0.2.1:9000"):
            status, _, stderr = run("serve", SOURCE / "www", "--port", "0", "--admin", address)
            self.assertEqual(status, 2)
            self.assertIn("--admin: other machines can reach", stderr)
        server = self.start("serve", SOURCE / "www", "--port", "0", "--admin", "0.0.0.0:0", "--admin-anywhere")
        server.wait_for_line(r"admin: http://0\.0\.0\.0:\d+/")

    def test_a_taken_address_is_named(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            status, _, stderr = run("serve", SOURCE / "www", "--port", "0", "--admin", f"127.0.0.1:{port}")
        self.assertEqual(status, 1)
        self.assertIn(f"cannot listen on 127.0.0.1:{port}", stderr)

    def test_head_has_no_content(self):
        server = self.watch()
        connection = HTTPConnection("127.0.0.1", server.admin, timeout=PATIENCE_SECONDS)
        self.addCleanup(connection.close)
        response, body = exchange(connection, "/status", "HEAD")
        self.assertEqual((response.status, body), (200, b""))
        self.assertEqual(exchange(connection, "/metrics")[0].status, 200)


if __name__ == "__main__":
    unittest.main()
