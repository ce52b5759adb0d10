"""Requests that other servers answer: weir serve --proxy."""

import http.server
import json
import os
import socket
import socketserver
import threading
import unittest
from http.client import HTTPConnection
from pathlib import Path

from served import PATIENCE_SECONDS, InAFolder, exchange, for_each_engine, run

import http2  # served.py adds its folder

LARGE = 5_000_000


class Handler(http.server.BaseHTTPRequestHandler):
    """Says what it got. /events: an event, and another one once the test lets it go."""

    protocol_version = "HTTP/1.1"

    def answer(self, content, status=200, **fields):
        self.send_response(status)
        for name, value in {"Content-Length": str(len(content)), **fields}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def do_GET(self):
        if self.path == "/api/events":
            return self.events()
        self.answer(json.dumps({"path": self.path, "method": self.command, "name": self.server.name,
                                "fields": dict(self.headers.items())}).encode())
        return None

    do_HEAD = do_DELETE = do_OPTIONS = do_GET

    def do_POST(self):
        self.answer(self.rfile.read(int(self.headers["Content-Length"])), X_Got=self.headers["Content-Length"])

    def events(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for event in (b"data: 1\n\n", b"data: 2\n\n"):
            self.wfile.write(b"%x\r\n%s\r\n" % (len(event), event))
            self.wfile.flush()
            self.server.goes_on.wait(PATIENCE_SECONDS)
        self.wfile.write(b"0\r\n\r\n")

    def log_message(self, *_):
        pass


class Http2(http2.Connection):
    lines = ()

    def _take_section(self, answer):
        self.lines = list(http2.Section(self._section).fields())
        super()._take_section(answer)


class Unix(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True


class WithServers(InAFolder):
    def setUp(self):
        super().setUp()
        self.site = self.top / "site"
        self.site.mkdir()
        (self.site / "index.html").write_text("the site", encoding="ascii")

    def started(self, server, name):
        server.name = name
        server.goes_on = threading.Event()
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.addCleanup(server.goes_on.set)
        return server

    def server(self, name="one"):
        return self.started(http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler), name)

    @staticmethod
    def url(server, path=""):
        return f"http://127.0.0.1:{server.server_address[1]}{path}"

    def ask(self, server, method, target, content=None, **fields):
        return self.fetch(server, target, method, content, **fields)

    def got(self, server, target, **fields):
        response, body = self.ask(server, "GET", target, **fields)
        self.assertEqual(response.status, 200, body)
        return json.loads(body)


class Memory(WithServers):
    CLIENTS, REQUESTS = 16, 60

    def requests(self, server, count):
        def ask():
            connection = HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE_SECONDS)
            for _ in range(count):
                connection.request("GET", "/")
                connection.getresponse().read()
            connection.close()

        clients = [threading.Thread(target=ask) for _ in range(self.CLIENTS)]
        for client in clients:
            client.start()
        for client in clients:
            client.join()

    def test_is_not_taken_again_for_each_answer(self):
        """Without mallopt(3), there were twelve page faults for each."""
        behind = self.start("target", "--port", "0", "--bytes", "65536").wait_for_banner()
        server = self.serve(self.site, "--proxy", f"/: http://127.0.0.1:{behind.port}")
        self.requests(server, 20)
        before = page_faults(server.process.pid)
        self.requests(server, self.REQUESTS)
        self.assertLess((page_faults(server.process.pid) - before) / (self.CLIENTS * self.REQUESTS), 4)


def page_faults(pid):
    """The minor ones, of proc_pid_stat(5)."""
    return int(Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[7])


@for_each_engine
class UnderAnyEngine(WithServers):
    def test_requests_below_a_path_go_to_another_server(self):
        behind = self.server()
        server = self.serve(self.site, "--proxy", f"/api: {self.url(behind)}")
        self.assertEqual(self.ask(server, "GET", "/")[1], b"the site")
        self.assertEqual(self.ask(server, "GET", "/apis")[0].status, 404)
        for target in ("/api", "/api/", "/api/a?b=c"):
            self.assertEqual(self.got(server, target)["path"], target)
        response, body = self.ask(server, "POST", "/api/echo", b"x" * LARGE)
        self.assertEqual((response.status, response.headers["X-Got"], len(body)), (200, str(LARGE), LARGE))
        self.assertEqual(self.ask(server, "HEAD", "/api")[1], b"")

    def test_a_unix_socket(self):
        path = self.top / "socket"
        self.started(Unix(str(path), Handler), "unix")
        server = self.serve(self.site, "--proxy", f"/api: unix:{path}")
        self.assertEqual(self.got(server, "/api")["name"], "unix")

    def test_a_server_that_must_prove_who_it_is(self):
        (self.top / "behind/api").mkdir(parents=True)
        (self.top / "behind/api/secret").write_text("over TLS", encoding="ascii")
        behind = self.serve(self.top / "behind", "--tls=local", XDG_STATE_HOME=str(self.top / "state"))
        route = f"/api: https://localhost:{behind.port}"
        server = self.serve(self.site, "--proxy", route, SSL_CERT_FILE=str(self.top / "state/weir/local-ca.crt"))
        self.assertEqual(self.ask(server, "GET", "/api/secret")[1], b"over TLS")
        response, body = self.ask(self.serve(self.site, "--proxy", route), "GET", "/api/secret")
        self.assertEqual(response.status, 502)
        self.assertIn(b"a certificate that is not trusted here", body)

    def test_events_pass_as_they_come(self):
        behind = self.server()
        server = self.serve(self.site, "--proxy", f"/api: {self.url(behind)}")
        connection = self.connect(server)
        connection.request("GET", "/api/events")
        response = connection.getresponse()
        self.assertEqual(response.read(9), b"data: 1\n\n")
        behind.goes_on.set()
        self.assertEqual(response.read(), b"data: 2\n\n")
        connection.close()


class Forwards(WithServers):
    def test_the_path_of_the_url_takes_the_place_of_the_route(self):
        behind = self.server()
        server = self.serve(self.site, "--proxy", f"/api: {self.url(behind, '/')}", "--proxy", f"/api/v1: {self.url(behind, '/one')}")
        self.assertEqual(self.got(server, "/api/users")["path"], "/users")
        self.assertEqual(self.got(server, "/api/v1/users")["path"], "/one/users")

    def test_the_server_learns_who_asks(self):
        behind = self.server()
        server = self.serve(self.site, "--proxy", f"/: {self.url(behind)}", "--trust", "127.0.0.1")
        fields = self.got(server, "/", Host="www.example.org", X_Forwarded_For="192.0.2.7")["fields"]
        self.assertEqual(fields["Host"], "www.example.org")
        self.assertEqual(fields["X-Forwarded-For"], "192.0.2.7")
        self.assertEqual(fields["X-Forwarded-Host"], "www.example.org")
        self.assertEqual(fields["X-Forwarded-Proto"], "http")
        self.assertEqual(fields["Via"], "1.1 weir")

    def test_host_may_be_that_of_the_server(self):
        behind = self.server()
        server = self.serve(self.site, "--proxy", f"/: {self.url(behind)}", "--proxy-host", "server")
        self.assertEqual(self.got(server, "/", Host="www.example.org")["fields"]["Host"], self.url(behind)[7:])

    def unused_port(self):
        unused = socket.socket()
        self.addCleanup(unused.close)  # until then, no other program gets the port
        unused.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        unused.bind(("127.0.0.1", 0))
        return unused.getsockname()[1]

    def test_a_server_that_is_not_there_and_one_that_comes(self):
        port = self.unused_port()
        server = self.serve(self.site, "--proxy", f"/api: http://127.0.0.1:{port}")
        response, body = self.ask(server, "GET", "/api")
        self.assertEqual(response.status, 502)
        self.assertIn(b"cannot be reached", body)
        server.wait_for_line(rf"a server behind this one did not answer \(http://127.0.0.1:{port} cannot be reached\): ")
        self.started(http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler), "late")
        self.assertEqual(self.got(server, "/api")["name"], "late")

    def test_a_server_that_comes_back_while_all_had_failed(self):
        """Each request tries all of them before it fails, however often it was the other one's turn."""
        for turn in range(2):
            ports = [self.unused_port(), self.unused_port()]
            server = self.serve(self.site, "--proxy", "/api: " + " ".join(f"http://127.0.0.1:{port}" for port in ports))
            self.assertEqual([self.ask(server, "GET", "/api")[0].status for _ in range(2)], [502, 502])
            self.started(http.server.ThreadingHTTPServer(("127.0.0.1", ports[turn]), Handler), "late")
            self.assertEqual([self.got(server, "/api")["name"] for _ in range(5)], ["late"] * 5)

    def test_several_servers_share_the_requests(self):
        """On one connection: there, a request begins when the one before is no longer under way."""
        one, other = self.server("one"), self.server("other")
        server = self.serve(self.site, "--proxy", f"/api: {self.url(one)} {self.url(other)}")
        connection = self.connect(server)
        names = [json.loads(exchange(connection, "/api")[1])["name"] for _ in range(10)]
        self.assertEqual((names.count("one"), names.count("other")), (5, 5))

    def closing(self, asks, response=b""):
        """A server that accepts connections, and closes each at once, or after a request."""
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)

        def close():
            while True:
                try:
                    peer, _ = listener.accept()
                except OSError:
                    return
                with peer:
                    if asks:
                        peer.recv(1 << 16)
                        peer.sendall(response)

        threading.Thread(target=close, daemon=True).start()
        return f"http://127.0.0.1:{listener.getsockname()[1]}"

    def test_another_server_stands_in_for_one_that_closes(self):
        """Two of them can't make the last server pause."""
        behind = self.server("healthy")
        for asks in (False, True):
            server = self.serve(self.site, "--proxy", f"/api: {self.closing(asks)} {self.closing(asks)} {self.url(behind)}")
            self.assertEqual([self.got(server, "/api")["name"] for _ in range(9)], ["healthy"] * 9)

    def test_a_request_that_may_have_done_something_is_not_repeated(self):
        """The server that closed gets no further one."""
        behind = self.server("healthy")
        server = self.serve(self.site, "--proxy", f"/api: {self.closing(True)} {self.url(behind)}")
        statuses = [self.ask(server, "POST", "/api", b"x")[0].status for _ in range(9)]
        self.assertEqual(sorted(statuses), [200] * 8 + [502])

    def test_a_server_that_closes_and_has_no_other(self):
        server = self.serve(self.site, "--proxy", f"/api: {self.closing(True)}")
        for _ in range(2):
            response, body = self.ask(server, "GET", "/api")
            self.assertEqual(response.status, 502)
            self.assertIn(b"closed the connection", body)

    def test_no_request_waits_for_a_connection_for_ever(self):
        """A request that has not ended holds the only one. Content waits as well, and fills what weir keeps of it."""
        with socket.create_server(("127.0.0.1", 0)) as silent:
            silent.settimeout(PATIENCE_SECONDS)
            server = self.serve(self.site, "--proxy", f"/: http://127.0.0.1:{silent.getsockname()[1]}", "--proxy-connections", "1",
                                "--proxy-timeout", "200ms", "--workers", "1")
            with socket.create_connection(("127.0.0.1", server.port), PATIENCE_SECONDS) as holder:
                holder.sendall(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n1")
                peer, _ = silent.accept()
                with peer:
                    for ask in (b"GET / HTTP/1.1\r\nHost: a\r\n\r\n", b"PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 9000000\r\n\r\n" + bytes(1_000_000)):
                        with socket.create_connection(("127.0.0.1", server.port), PATIENCE_SECONDS) as client:
                            client.sendall(ask)
                            self.assertIn(b" 503 ", client.recv(1 << 16)[:13])

    def test_white_space_in_front_of_a_colon_does_not_pass(self):
        behind = self.closing(True, b"HTTP/1.1 200 OK\r\nX-A : a\r\nContent-Length\t: 2\r\n\r\nok")
        response, body = self.ask(self.serve(self.site, "--proxy", f"/: {behind}"), "GET", "/")
        self.assertEqual((response.status, body), (200, b"ok"))
        self.assertEqual(response.headers["X-A"], "a")

    def test_heads_of_responses_have_limits(self):
        for lines, options, status in (
                (b"X-A: %s\r\n" % (b"a" * 30_000), (), 204),
                (b"X-A: %s\r\n" % (b"a" * 40_000), (), 502),
                (b"X-A: %s\r\n" % (b"a" * 40_000), ("--max-head", "64K"), 204),
                (b"X-A: %s\r\n" % (b"a" * 30_000), ("--max-head", "1K"), 204),
                (b"X-A: a\r\n" * 100, (), 204),
                (b"X-A: a\r\n" * 101, (), 502)):
            behind = self.closing(True, b"HTTP/1.1 204 No Content\r\n" + lines + b"\r\n")
            server = self.serve(self.site, "--proxy", f"/: {behind}", *options)
            with socket.create_connection(("127.0.0.1", server.port), PATIENCE_SECONDS) as client:
                client.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                self.assertIn(b" %d " % status, client.recv(1 << 16)[:13])

    def test_a_server_that_is_too_slow(self):
        with socket.create_server(("127.0.0.1", 0)) as silent:
            server = self.serve(self.site, "--proxy", f"/api: http://127.0.0.1:{silent.getsockname()[1]}", "--proxy-timeout", "200ms")
            self.assertEqual(self.ask(server, "GET", "/api")[0].status, 504)

    def test_nothing_that_could_be_read_in_two_ways_is_forwarded(self):
        """What weir passes on is recorded, and read again by a strict reader."""
        seen = []
        with socket.create_server(("127.0.0.1", 0)) as recorder:
            def record():
                while True:
                    try:
                        peer, _ = recorder.accept()
                    except OSError:
                        return
                    with peer:
                        seen.append(peer.recv(1 << 16))
                        peer.sendall(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
            threading.Thread(target=record, daemon=True).start()
            server = self.serve(self.site, "--proxy", f"/: http://127.0.0.1:{recorder.getsockname()[1]}")
            for request in (
                    b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                    b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
                    b"GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n",
                    b"GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding : chunked\r\n\r\n",
                    b"GET / HTTP/1.1\nHost: a\n\n",
                    b"GET / HTTP/1.1\r\nHost: a\r\nX: b\rTransfer-Encoding: chunked\r\n\r\n",
                    b"GET /a b HTTP/1.1\r\nHost: a\r\n\r\n",
                    b"GET /../a HTTP/1.1\r\nHost: a\r\n\r\n",
                    b"GET /a%2f..%2fb HTTP/1.1\r\nHost: a\r\n\r\n"):
                with socket.create_connection(("127.0.0.1", server.port), PATIENCE_SECONDS) as client:
                    client.sendall(request)
                    self.assertIn(client.recv(1 << 16)[9:12], (b"400", b"501"), request)
            self.assertEqual(seen, [])
            for request in (
                    b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close, X-Secret\r\nX-Secret: 1\r\nTE: trailers\r\n\r\n",
                    b"POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n0\r\nT: 1\r\n\r\n"):
                with socket.create_connection(("127.0.0.1", server.port), PATIENCE_SECONDS) as client:
                    client.sendall(request)
                    self.assertIn(b" 204 ", client.recv(1 << 16)[:13])
        self.assertEqual(len(seen), 2)
        for head in (each.split(b"\r\n\r\n")[0].lower() for each in seen):
            self.assertEqual(head.count(b"content-length") + head.count(b"transfer-encoding"), int(head.startswith(b"post")))
            for gone in (b"x-secret", b"\r\nte:", b"\r\nconnection:", b"x=y"):
                self.assertNotIn(gone, head)

    def test_no_spelling_of_a_path_evades_its_server(self):
        behind = self.server()
        (self.site / "api").mkdir()
        (self.site / "api/x").write_text("the file", encoding="ascii")
        (self.site / "x").write_text("another file", encoding="ascii")
        server = self.serve(self.site, "--proxy", f"/api: {self.url(behind)}", "--deny", "/api/admin: 127.0.0.1")
        for target, got in (
                ("/api/x", "/api/x"), ("/%61pi/x", "/%61pi/x"), ("//api/x", "/api/x"), ("///api//x%20y", "/api/x%20y"),
                ("/api/a%20b//c;d?e", "/api/a%20b//c;d?e")):
            self.assertEqual(self.got(server, target)["path"], got)
        for target in ("/./api/x", "/files/../api/x", "/api/./x", "/api/..;/x", "/api/a%5c..%5cadmin", "/api\\..\\x/%zz", "/api/%zz"):
            self.assertIn(self.ask(server, "GET", target)[0].status, (400, 403), target)
        self.assertEqual(self.ask(server, "GET", "/api/../x")[1], b"another file")
        for target in ("/api/admin", "//api//admin/x", "/%61pi/%61dmin", "/api/x%2f..%2fadmin", "/api/admin%2fx", "/api/ADMIN"):
            self.assertEqual(self.ask(server, "GET", target)[0].status, 403, target)

    def test_no_reading_of_a_path_by_its_server_evades_a_rule(self):
        """A server may take an encoded slash for a separator, and drop parameters."""
        behind = self.server()
        server = self.serve(self.site, "--proxy", f"/api: {self.url(behind)}", "--deny", "127.0.0.0/8", "--allow", "/api: 127.0.0.0/24",
                            "--deny", "/api/admin: 127.0.0.1", "--rate", "/api/slow: 1/h burst 1")
        for target in ("/api/a%2Fb", "/api/a;b/c", "/api/administrators;x"):
            self.assertEqual(self.got(server, target)["path"], target)
        for target in ("/api/admin;x", "/api/admin%3Bx/y", "/api/admin;x%2fy", "/api/admin%2Fx", "/api;/admin"):
            self.assertEqual(self.ask(server, "GET", target)[0].status, 403, target)
        self.assertEqual([self.ask(server, "GET", target)[0].status for target in ("/api/slow", "/api/slow;x", "/api/slow%2fx")], [200, 429, 429])

    def test_max_forwards_is_counted(self):
        behind = self.server()
        server = self.serve(self.site, "--proxy", f"/api: {self.url(behind)}")
        response, _ = self.ask(server, "OPTIONS", "/api/x", Max_Forwards="0")
        self.assertEqual((response.status, response.headers["Allow"]), (204, "GET, HEAD, OPTIONS"))
        self.assertEqual(self.ask(server, "TRACE", "/api/x", Max_Forwards="0")[0].status, 405)
        response, body = self.ask(server, "OPTIONS", "/api/x", Max_Forwards="3")
        self.assertEqual((response.status, json.loads(body)["fields"]["Max-Forwards"]), (200, "2"))

    def answer_to_upgrade(self, response, fields):
        """What a server that answers `response` got, and the client's answer, in raw bytes."""
        with socket.create_server(("127.0.0.1", 0)) as behind:
            server = self.serve(self.site, "--proxy", f"/: http://127.0.0.1:{behind.getsockname()[1]}")
            with socket.create_connection(("127.0.0.1", server.port), PATIENCE_SECONDS) as client:
                client.sendall(b"GET /x HTTP/1.1\r\nHost: a\r\n" + fields + b"\r\n")
                behind.settimeout(PATIENCE_SECONDS)
                peer, _ = behind.accept()
                with peer:
                    peer.settimeout(PATIENCE_SECONDS)
                    got = peer.recv(1 << 16)
                    peer.sendall(response)
                    return got.lower(), client.recv(1 << 16)

    def test_connections_change_to_websocket_alone(self):
        h2c = b"Connection: Upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n"
        websocket = b"Connection: Upgrade\r\nUpgrade: WebSocket\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
        to_h2c = b"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"
        got, answer = self.answer_to_upgrade(to_h2c, h2c)
        for gone in (b"upgrade", b"\r\nconnection:", b"h2c", b"http2-settings"):
            self.assertNotIn(gone, got)
        self.assertIn(b" 502 ", answer[:13])
        got, answer = self.answer_to_upgrade(to_h2c, websocket)
        self.assertIn(b"\r\nupgrade: websocket\r\n", got)
        self.assertIn(b" 502 ", answer[:13])
        _, answer = self.answer_to_upgrade(to_h2c.replace(b"h2c", b"websocket"), websocket)
        self.assertIn(b" 101 ", answer[:13])

    def lines_of_date(self, response):
        """What clients of HTTP/1.1 and of HTTP/2 get of a server that answers `response`."""
        with socket.create_server(("127.0.0.1", 0)) as behind:
            behind.settimeout(PATIENCE_SECONDS)
            server = self.serve(self.site, "--proxy", f"/: http://127.0.0.1:{behind.getsockname()[1]}", "--h2c", "--header", "/**: X-Frame-Options: DENY")
            stream = Http2()
            stream.request("/")
            for ask in (b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", stream.take()):
                with socket.create_connection(("127.0.0.1", server.port), PATIENCE_SECONDS) as client:
                    client.sendall(ask)
                    peer, _ = behind.accept()
                    with peer:
                        peer.settimeout(PATIENCE_SECONDS)
                        peer.recv(1 << 16)
                        peer.sendall(response)
                        if ask.startswith(b"GET"):
                            head = b"".join(iter(lambda of=client: of.recv(1 << 16), b"")).split(b"\r\n\r\n")[0].decode()
                            yield [line[6:] for line in head.split("\r\n") if line.lower().startswith("date: ")]
                            continue
                        while not stream.lines:
                            stream.receive(client.recv(1 << 16))
                        yield [value for name, value in stream.lines if name == "date"]

    def test_the_date_is_that_of_the_server(self):
        date = "Sun, 06 Nov 1994 08:49:37 GMT"
        response = "HTTP/1.1 200 OK\r\nX-Frame-Options: x\r\n%sContent-Length: 2\r\nConnection: close\r\n\r\nok"
        for lines in (f"date: {date}\r\n", f"Date: {date}\r\nDate: Sun, 06 Nov 1994 08:49:38 GMT\r\n"):
            for dates in self.lines_of_date((response % lines).encode()):
                self.assertEqual(dates, [date])
        for lines in ("", "Date: yesterday\r\n", "Date: Sun, 06 Nov 1904 08:49:37 GMT\r\n"):
            for dates in self.lines_of_date((response % lines).encode()):
                self.assertEqual(len(dates), 1)
                self.assertNotIn(dates[0], lines)

    def test_what_an_engine_means_for_servers_is_told_once(self):
        behind = self.url(self.server())
        config = self.top / "weir.toml"
        config.write_text(f'[[site]]\nhost = "a.example"\nroot = "site"\nproxy = "/: {behind}"\n'
                          f'[[site]]\nhost = "b.example"\nroot = "site"\nproxy = "/: {behind}"\n', encoding="ascii")
        for engine, told in (("blocking", 1), ("per-core", 0)):
            server = self.start("serve", "--config", config, "--port", "0", "--engine", engine).wait_for_banner()
            self.assertEqual(sum("a slow server of --proxy keeps all others waiting" in line for line in server.lines), told, engine)

    def test_wrong_options_are_refused(self):
        for options, what in (
                (["--proxy", "api: http://a"], "a path begins with a slash"),
                (["--proxy", "/api: 127.0.0.1:3000"], "write http://host:port, https://host:port or unix:/path"),
                (["--proxy", "/api: http://a:1 http://b:1/x"], "different paths"),
                (["--proxy", "/a/../b: http://a"], "a path has no dot segments"),
                (["--proxy", "/a//b: http://a"], "a path has no dot segments"),
                (["--proxy", "/api: http://a", "--proxy", "/%61pi: http://b"], "two --proxy have the path /%61pi"),
                (["--proxy-host", "server"], "needs --proxy")):
            status, _, err = run("serve", str(self.site), "--port", "0", *options)
            self.assertEqual(status, 2, err)
            self.assertIn(what, err)
        config = self.top / "weir.toml"
        config.write_text('proxy = ["/api: http://a", "/api: http://b"]\n', encoding="ascii")
        status, _, err = run("check-config", str(config))
        self.assertEqual((status, err.count("two --proxy have the path /api; ")), (2, 1), err)


if __name__ == "__main__":
    os.environ.setdefault("PYTHONUNBUFFERED", "1")
    unittest.main()
