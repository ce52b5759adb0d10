"""What is below the requests: plain TCP or TLS, and which HTTP; or WebSocket, whose messages are the requests."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from weir_lab.clients.http2_wire import Http2Wire
from weir_lab.clients.websocket_wire import WebSocketWire
from weir_lab.clients.wire import Wire
from weir_lab.core import tls
from weir_lab.core.scenario import Scenario


@dataclass(frozen=True)
class Transport:
    client: tls.Client | None = None  # None: no TLS
    http2: bool = False
    takes_chunks: bool = False  # else every answer has a Content-Length
    echo_path: str = ""  # where messages are sent back; empty: requests are answered
    message_bytes: int = 0

    @staticmethod
    def of(scenario: Scenario, scratch: Path) -> Transport:
        """With the certificate that is in that folder, if the scenario has one."""
        protocol = "h2" if scenario.http2 else "http/1.1"
        if scenario.is_echo:
            return Transport(echo_path=scenario.path, message_bytes=scenario.body_bytes)
        certificate = tls.Certificate.of(scratch)
        client = tls.Client(certificate, protocol, scenario.resumed) if scenario.tls else None
        return Transport(client, scenario.http2, scenario.is_compressed)

    @property
    def is_plain(self) -> bool:
        return self.client is None and not self.http2 and not self.echo_path

    @property
    def negotiated(self) -> str:
        """In words, of the newest connection. Empty: there was nothing to negotiate."""
        return self.client.negotiated if self.client else ""

    def wire(self, port: int, seconds: float) -> Wire:
        """Raises OSError, and Wrong if there is no WebSocket where one should be."""
        if self.echo_path:
            return WebSocketWire(port, seconds, self.echo_path, self.message_bytes)
        if self.http2:
            return Http2Wire(port, seconds, self.client)
        return Wire(port, seconds, self.client, self.takes_chunks)


PLAIN = Transport()
