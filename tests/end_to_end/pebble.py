"""Pebble, a CA for tests that speaks ACME, with a DNS server that knows one address for every name."""

import json
import shutil
import socket
import socketserver
import ssl
import subprocess
import threading
import urllib.error
import urllib.request
from pathlib import Path

from authority import Authority
from served import die_with_parent, wait_until

A = b"\x00\x01"
LOOPBACK = bytes([127, 0, 0, 1])


def free_ports(count):
    holders = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [holder.getsockname()[1] for holder in holders]
    for holder in holders:
        holder.close()
    return ports


def held_ports(case, count):
    """Ports for the servers of a test. Until its end, the system gives them to no other program."""
    holders = [socket.socket() for _ in range(count)]
    for holder in holders:
        case.addCleanup(holder.close)
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # servers have it, too, and may listen here
        holder.bind(("127.0.0.1", 0))
    return [holder.getsockname()[1] for holder in holders]


class Names:
    """Answers each question for an IPv4 address with 127.0.0.1, and every other one with nothing (RFC 1035). Pebble asks
    by UDP or by TCP, depending on its version."""

    def __init__(self):
        self.servers = self.on_one_port()
        self.port = self.servers[0].server_address[1]
        for server in self.servers:
            server.daemon_threads = True
            threading.Thread(target=server.serve_forever, daemon=True).start()

    @staticmethod
    def on_one_port():
        while True:
            tcp = socketserver.ThreadingTCPServer(("127.0.0.1", 0), QuestionByTcp)
            try:
                return tcp, socketserver.ThreadingUDPServer(tcp.server_address, QuestionByUdp)
            except OSError:  # another program has the UDP port
                tcp.server_close()

    def close(self):
        for server in self.servers:
            server.shutdown()
            server.server_close()


def answer_to(question):
    end = question.index(b"\0", 12) + 5
    knows = question[end - 4:end - 2] == A
    head = question[:2] + b"\x81\x80\0\1" + (b"\0\1" if knows else b"\0\0") + b"\0\0\0\0"
    return head + question[12:end] + (b"\xc0\x0c" + A + b"\0\1\0\0\0\1\0\4" + LOOPBACK if knows else b"")


class QuestionByTcp(socketserver.StreamRequestHandler):
    def handle(self):
        while size := int.from_bytes(self.rfile.read(2), "big"):
            answer = answer_to(self.rfile.read(size))
            self.wfile.write(len(answer).to_bytes(2, "big") + answer)


class QuestionByUdp(socketserver.DatagramRequestHandler):
    def handle(self):
        self.wfile.write(answer_to(self.rfile.read()))


class Pebble:
    """`http_port`, `https_port`: where it looks for what it has asked for. `environment`: for clients, so that they trust its own
    HTTPS. Of its faults, it rejects some percents of the nonces, and is slow to validate."""

    def __init__(self, folder, http_port, https_port=None, rejected_nonces=0, is_slow=False):
        self.folder = Path(folder)
        self.https_port = https_port
        self.faults = {"PEBBLE_WFE_NONCEREJECT": str(rejected_nonces)} | ({} if is_slow else {"PEBBLE_VA_NOSLEEP": "1"})
        self.names = Names()
        authority = self.authority = Authority(self.folder, "Pebble")
        self.environment = {"LEGO_CA_CERTIFICATES": str(authority.certificate), "REQUESTS_CA_BUNDLE": str(authority.certificate)}
        self.context = authority.client()
        certificate = authority.issue("pebble", "localhost", "127.0.0.1")
        self.begin(http_port, *certificate)
        while not self.has_begun():  # another program has taken one of the ports
            self.begin(http_port, *certificate)

    def begin(self, http_port, chain, key):
        port, self.management, tls_port = free_ports(3)
        self.directory = f"https://localhost:{port}/dir"
        config = self.folder / "pebble.json"
        config.write_text(json.dumps({"pebble": {
            "listenAddress": f"127.0.0.1:{port}", "managementListenAddress": f"127.0.0.1:{self.management}",
            "certificate": str(chain), "privateKey": str(key), "httpPort": http_port, "tlsPort": self.https_port or tls_port,
            "ocspResponderURL": "", "externalAccountBindingRequired": False}}), encoding="ascii")
        with open(self.folder / "pebble.log", "wb") as said:
            self.process = subprocess.Popen([shutil.which("pebble"), "-config", config, "-dnsserver", f"127.0.0.1:{self.names.port}"],
                                            env=self.faults, stdout=said,
                                            stderr=said, preexec_fn=die_with_parent)

    def has_begun(self):
        """False where Pebble could not listen; any other end of it is a fault."""
        wait_until(lambda: self.answers() or self.process.poll() is not None)
        if self.process.poll() is None:
            return True
        said = (self.folder / "pebble.log").read_text(errors="replace")
        assert "address already in use" in said, said
        return False

    def get(self, url):
        with urllib.request.urlopen(url, context=self.context) as answer:
            return answer.read().decode()

    def answers(self):
        try:
            return self.get(self.directory)
        except urllib.error.URLError:
            return False

    def client(self):
        """What Python's clients need to trust what it has issued."""
        return ssl.create_default_context(cadata=self.get(f"https://localhost:{self.management}/roots/0"))

    def close(self):
        self.process.kill()
        self.process.wait()
        self.names.close()
