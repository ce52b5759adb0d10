"""What connections with TLS cost: many that are idle, and a file of 1 GB.

usage: tls_memory_test.py [IDLE]: so many idle connections, 1,000 if nothing else is said"""

import resource
import socket
import ssl
import sys
import unittest
from http.client import HTTPSConnection
from pathlib import Path
from tempfile import TemporaryDirectory

from authority import Authority
from large_file_test import GROWTH_KIB_MAX, MARKS, SIZE, LargeFile, sparse_file
from served import PATIENCE_SECONDS, EndToEnd

del LargeFile  # its tests are not these

IDLE = int(sys.argv.pop()) if len(sys.argv) > 1 and sys.argv[-1].isdigit() else 1000
IDLE_BYTES_MAX = 15 * 1024


class TlsMemory(EndToEnd):
    def setUp(self):
        holder = TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        self.authority = Authority(self.folder)
        self.chain, self.key = self.authority.issue("localhost", "localhost")
        self.site = self.folder / "site"
        self.site.mkdir()
        (self.site / "index.html").write_text("hello", encoding="ascii")

    def serve_tls(self):
        return self.serve(self.site, "--tls-cert", self.chain, "--tls-key", self.key, "--workers", 1)

    def connect_tls(self, server, context):
        plain = socket.create_connection(("127.0.0.1", server.port), PATIENCE_SECONDS)
        connection = context.wrap_socket(plain, server_hostname="localhost")
        self.addCleanup(connection.close)
        for _ in range(3):
            connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            answer = b""
            while not answer.endswith(b"hello"):
                answer += connection.recv(4096)
        return connection

    def test_idle_connections(self):
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        context = self.authority.client()
        for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
            context.maximum_version = version
            server = self.serve_tls()
            warm = [self.connect_tls(server, context) for _ in range(20)]
            before = server.memory_kib("VmRSS")
            crowd = [self.connect_tls(server, context) for _ in range(IDLE)]
            each = (server.memory_kib("VmRSS") - before) * 1024 / IDLE
            print(f"an idle connection of {version.name}: {each:.0f} bytes")
            self.assertLess(each, IDLE_BYTES_MAX)
            for connection in warm + crowd:
                connection.close()

    def test_a_file_of_1_gb_streams_with_flat_memory(self):
        sparse_file(self.site / "large.bin")
        server = self.serve_tls()
        context = self.authority.client()
        self.connect_tls(server, context)
        before = server.memory_kib("VmHWM")
        connection = HTTPSConnection("localhost", server.port, timeout=PATIENCE_SECONDS, context=context)
        self.addCleanup(connection.close)
        connection.request("GET", "/large.bin")
        response, buffer, count = connection.getresponse(), bytearray(1 << 20), 0
        while got := response.readinto(buffer):
            for offset, words in MARKS.items():
                if count <= offset and offset + len(words) <= count + got:
                    self.assertEqual(buffer[offset - count:offset - count + len(words)], words)
            count += got
        self.assertEqual(count, SIZE)
        self.assertLess(server.memory_kib("VmHWM") - before, GROWTH_KIB_MAX)


if __name__ == "__main__":
    unittest.main()
