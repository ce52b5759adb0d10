"""Servers of --proxy by name, whose addresses change while weir serves."""

import http.server
import os
import re
import threading
import unittest
from contextlib import suppress

from served import InAFolder, for_each_engine, processes, wait_until


class Handler(http.server.BaseHTTPRequestHandler):
    """Says the address at which it was asked."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        content = self.server.server_address[0].encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


class Upstream(http.server.ThreadingHTTPServer):
    """One that takes its connections with it when it ends, as a container does."""

    def __init__(self, address):
        super().__init__(address, Handler)
        self.peers = []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def process_request(self, request, client_address):
        self.peers.append(request)
        super().process_request(request, client_address)

    def end(self):
        self.shutdown()
        self.server_close()
        for peer in self.peers:
            with suppress(OSError):
                peer.shutdown(2)


class WithNames(InAFolder):
    def setUp(self):
        super().setUp()
        self.site = self.top / "site"
        self.site.mkdir()
        self.names = self.top / "names"
        self.point_to()

    def point_to(self, *addresses):
        new = self.top / "new"
        new.write_text("".join(f"app.test {each}\n" for each in addresses), encoding="ascii")
        new.replace(self.names)

    def upstream(self, host, port=0):
        upstream = Upstream((host, port))
        self.addCleanup(upstream.end)
        return upstream

    def through(self, port, *options):
        return self.serve(self.site, "--proxy", f"/: http://app.test:{port}", *options,
                          LD_PRELOAD=os.environ["CHANGING_NAMES"], NAMES=str(self.names))

    def wait_for(self, server, address):
        """weir looks names up once a second at most: some answers may be a 502 meanwhile."""
        def is_there():
            response, body = self.fetch(server, "/")
            self.assertIn(response.status, (200, 502))
            return (response.status, body) == (200, address)
        wait_until(is_there)


@for_each_engine
class Moves(WithNames):
    def test_the_next_requests_go_to_the_new_address(self):
        first = self.upstream("127.0.0.1")
        port = first.server_address[1]
        self.point_to("127.0.0.1")
        server = self.through(port)
        self.assertEqual(self.fetch(server, "/")[1], b"127.0.0.1")
        second = self.upstream("127.0.0.2", port)
        self.point_to("127.0.0.2")
        first.end()
        self.wait_for(server, b"127.0.0.2")
        self.point_to("127.0.0.3")
        self.upstream("127.0.0.3", port)
        second.end()
        self.wait_for(server, b"127.0.0.3")


class Names(WithNames):
    def test_without_an_address_weir_serves_and_says_so(self):
        first = self.upstream("127.0.0.1")
        server = self.through(first.server_address[1])
        said = "the name of a server behind this one could not be looked up"
        why = "the name app.test has no address: Name or service not known"
        wait_until(lambda: any(said in line for line in server.lines))
        line = next(line for line in server.lines if said in line)
        self.assertIn(f"http://app.test:{first.server_address[1]}: {why}", line)
        self.assertEqual(self.fetch(server, "/")[0].status, 502)
        self.point_to("127.0.0.1")
        self.wait_for(server, b"127.0.0.1")

    def test_last_addresses_stay_when_the_name_has_none(self):
        first = self.upstream("127.0.0.1")
        port = first.server_address[1]
        self.point_to("127.0.0.1")
        server = self.through(port)
        self.assertEqual(self.fetch(server, "/")[1], b"127.0.0.1")
        self.point_to()
        first.end()

        def is_told():
            self.assertEqual(self.fetch(server, "/")[0].status, 502)
            return any("could not be looked up" in line for line in server.lines)
        wait_until(is_told)
        self.upstream("127.0.0.1", port)
        self.wait_for(server, b"127.0.0.1")

    def test_without_the_sandbox_no_process_is_needed(self):
        first = self.upstream("127.0.0.1")
        server = self.through(first.server_address[1], "--no-sandbox")
        self.assertEqual(list(processes(server.process.pid)), [server.process.pid])
        self.point_to("127.0.0.1")
        self.wait_for(server, b"127.0.0.1")

    def test_process_that_looks_names_up_is_replaced(self):
        first = self.upstream("127.0.0.1")
        server = self.through(first.server_address[1])
        wait_until(lambda: "weir-names" in self.processes_of(server))  # it takes its name when it begins
        os.kill(self.processes_of(server)["weir-names"], 9)
        server.wait_for_line("the process that looks names up died of SIGKILL")
        self.point_to("127.0.0.1")
        self.wait_for(server, b"127.0.0.1")

    def test_addresses_need_no_process(self):
        server = self.serve(self.site, "--proxy", "/: http://127.0.0.1:1 http://localhost:1")
        self.assertEqual(list(processes(server.process.pid)), [server.process.pid])

    @staticmethod
    def processes_of(server):
        found = {}
        for pid in processes(server.process.pid):
            with suppress(OSError), open(f"/proc/{pid}/stat", encoding="ascii") as file:
                found[re.search(r"\((.*)\)", file.read())[1]] = pid
        return found


if __name__ == "__main__":
    unittest.main()
