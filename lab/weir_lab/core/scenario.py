"""The kinds of work that the lab compares servers by."""

import random
from dataclasses import dataclass
from typing import Literal

from weir_lab.core import programs
from weir_lab.core.networks import Clients, Kind
from weir_lab.core.serving import ACCEPTS, LEVEL, PASSWORD, authorization, compressed, text
from weir_lab.core.tls import CIPHER, VERSION

KIB = 1024
MIB = 1024 * KIB


@dataclass(frozen=True)
class Scenario:
    name: str
    summary: str  # for the reader of the report
    body_bytes: int = KIB
    keep_alive: bool = True
    pipeline: int = 1  # requests at a time on each connection; over HTTP/2, each has a stream of its own
    tls: bool = False  # 1.3, with a certificate of the lab's (ECDSA P-256)
    http2: bool = False  # without TLS, the client knows that the server speaks it
    resumed: bool = False  # each connection resumes the session of an earlier one, by a ticket
    # A handler that takes time: `weir target` has handlers, a file server has none.
    handler: Literal["none", "sleep", "spin", "timer"] = "none"
    handler_seconds: float = 0.0
    # Background connections, opened before the traffic begins:
    idle_connections: int = 0
    slow_readers: int = 0  # ask for the 10 MB file, and read a little of it now and then
    slow_senders: int = 0  # send a request byte by byte
    # Clients accept gzip, and the file is a text. "anew": each answer is compressed for itself. "kept": servers that
    # can keep what they have compressed. "beside": a compressed file is beside the file.
    compressed: Literal["no", "anew", "kept", "beside"] = "no"
    password: bool = False  # clients send a name and a password (Basic), and servers ask for them
    program: programs.Kind = "no"  # a program on a library answers, by a route of its own
    proxied: bool = False  # the target passes each request on to the lab's other server (other_server.py)
    network: Kind = "loopback"
    clients: tuple[Clients, ...] = ()  # how far away they are; empty: on this machine
    # An open loop at this part of the rate that the target reached in closed loop in the same round.
    part_of_capacity: float | None = None
    # Of a [[scenario]] in an experiment's file:
    method: str = "GET"
    request_bytes: int = 0  # of content
    asks_for: str = ""  # the path, if it is not the usual one
    own_connections: tuple[int, ...] = ()  # instead of those of the matrix
    own_rates: tuple[float, ...] = ()

    @property
    def path(self) -> str:
        return self.asks_for or f"/{self.body_bytes}.bin"

    @property
    def is_echo(self) -> bool:
        """Messages over WebSocket, in place of requests."""
        return self.program == "echo"

    @property
    def is_compressed(self) -> bool:
        return self.compressed != "no"

    @property
    def fields(self) -> tuple[str, ...]:
        """More fields of each request."""
        accepts = (ACCEPTS,) if self.is_compressed else ()
        return (*accepts, authorization(PASSWORD)) if self.password else accepts

    @property
    def negotiated(self) -> str:
        """What client and server should speak, as generators say it."""
        if not self.tls:
            return "h2c" if self.http2 else "http/1.1"
        return f"{VERSION} {CIPHER} {'h2' if self.http2 else 'http/1.1'}"

    @property
    def file(self) -> str:
        """Where a server of files finds the answer, relative to the site."""
        return self.path[1:] + ("index.html" if self.path.endswith("/") else "")

    def files(self) -> dict[str, bytes]:
        """What a server of files needs, by the place below the site. The same in every run. Content that need not be
        compressed can't be."""
        if self.program != "no" or self.proxied:
            return {}
        if not self.is_compressed:
            return {self.file: random.Random(self.body_bytes).randbytes(self.body_bytes)}
        content = text(self.body_bytes)
        beside = {f"{self.file}.gz": compressed(content, LEVEL)} if self.compressed == "beside" else {}
        return {self.file: content} | beside


def _of_program(kind: programs.Kind, summary: str) -> Scenario:
    return Scenario(f"program-{kind}", summary, programs.body_bytes(kind), program=kind, asks_for=programs.path(kind))


MOBILE = (Clients(0.7, 0.010), Clients(0.3, 0.060, loss=0.01, bytes_per_second=500_000))

SCENARIOS = {
    scenario.name: scenario
    for scenario in (
        Scenario("keep-alive", "1 KB from memory, connections kept"),
        Scenario("close", "1 KB, a connection for each request", keep_alive=False),
        Scenario("pipelined", "1 KB, sixteen requests at a time on each connection", pipeline=16),
        Scenario("file-100k", "a file of 100 KB", body_bytes=100 * KIB),
        Scenario("file-1m", "a file of 1 MB", body_bytes=MIB),
        Scenario("file-10m", "a file of 10 MB", body_bytes=10 * MIB),
        Scenario("sleep", "a handler that blocks its thread for 1 ms", handler="sleep", handler_seconds=0.001),
        Scenario("spin", "a handler that computes for 1 ms", handler="spin", handler_seconds=0.001),
        Scenario(
            "timer", "a handler that answers after 1 ms, without a thread", handler="timer", handler_seconds=0.001
        ),
        Scenario("idle-1000", "1 KB, with 1,000 more connections that are silent", idle_connections=1000),
        Scenario("idle-10000", "1 KB, with 10,000 more connections that are silent", idle_connections=10_000),
        Scenario("slow-readers", "1 KB, with 50 more clients that take a large file slowly", slow_readers=50),
        Scenario("slow-senders", "1 KB, with 50 more clients that send a request byte by byte", slow_senders=50),
        Scenario("keep-alive-mtu-1500", "1 KB, over a loopback with an MTU of 1,500", network="mtu-1500"),
        Scenario("keep-alive-veth", "1 KB, between two network namespaces, joined by veth", network="veth"),
        Scenario("keep-alive-20ms", "1 KB, for clients 20 ms away", clients=(Clients(1.0, 0.020),)),
        Scenario("mobile", "1 KB, for clients 10 ms away, and 30 % mobile-like ones: 60 ms, 1 % loss", clients=MOBILE),
        Scenario("https", "1 KB over TLS, connections kept", tls=True),
        Scenario("https-handshake", "1 KB over TLS, a full handshake for each request", keep_alive=False, tls=True),
        Scenario(
            "https-resumed",
            "1 KB over TLS, a resumed handshake for each request",
            keep_alive=False,
            tls=True,
            resumed=True,
        ),
        Scenario("https-file-10m", "a file of 10 MB over TLS", body_bytes=10 * MIB, tls=True),
        Scenario(
            "idle-tls", "1 KB over TLS, with 10,000 more connections that are silent", idle_connections=10_000, tls=True
        ),
        Scenario("h2", "1 KB over HTTP/2 and TLS, 32 streams on each connection", pipeline=32, tls=True, http2=True),
        Scenario("h2c", "1 KB over HTTP/2 without TLS, 32 streams on each connection", pipeline=32, http2=True),
        Scenario(
            "compressed-first",
            "a text of 16 KB, compressed for each request",
            body_bytes=16 * KIB,
            compressed="anew",
            asks_for="/compressed.txt",
        ),
        Scenario(
            "compressed-later",
            "a text of 16 KB, compressed before by servers that keep what they have compressed",
            body_bytes=16 * KIB,
            compressed="kept",
            asks_for="/compressed.txt",
        ),
        Scenario(
            "precompressed",
            "a text of 16 KB, with a compressed file beside it",
            body_bytes=16 * KIB,
            compressed="beside",
            asks_for="/precompressed.txt",
        ),
        Scenario("password", "1 KB, for clients with a password", password=True),
        Scenario("proxy-small", "100 bytes of another server, passed on by a proxy", body_bytes=100, proxied=True),
        Scenario("proxy-64k", "64 KB of another server, passed on by a proxy", body_bytes=64 * KIB, proxied=True),
        Scenario(
            "proxy-idle",
            "100 bytes of another server, passed on by a proxy, with 10,000 more connections that are silent",
            body_bytes=100,
            idle_connections=10_000,
            proxied=True,
        ),
        _of_program("text", "a text with a name of the path, by a program on a library"),
        _of_program("json", "an object that a program on a library writes as JSON for each request"),
        _of_program("echo", "messages of 64 bytes over WebSocket, which a program on a library sends back"),
        Scenario("latency-50", "open loop at 50 % of what the generator reached in closed loop", part_of_capacity=0.5),
        Scenario("latency-70", "open loop at 70 % of what the generator reached in closed loop", part_of_capacity=0.7),
        Scenario("latency-90", "open loop at 90 % of what the generator reached in closed loop", part_of_capacity=0.9),
    )
}
