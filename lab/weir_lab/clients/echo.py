"""Questions to a server that sends messages back: that it speaks WebSocket beyond what the generator needs of it."""

import os
from collections.abc import Callable

from weir_lab.clients.websocket_wire import CLOSE, PING, PONG, WebSocketWire
from weir_lab.clients.wire import Wire, Wrong

LENGTHS = (0, 1, 125, 126, 1000, 65_535, 65_536)  # a length has one, two or eight bytes
NORMAL = (1000).to_bytes(2, "big")  # RFC 6455, 7.4.1


def _lengths(wire: Wire) -> None:
    assert isinstance(wire, WebSocketWire)
    for length in LENGTHS:
        try:
            wire.send_message(os.urandom(length))
            wire.answer()
        except (Wrong, OSError) as error:
            raise Wrong(f"a message of {length:,} bytes: {error}") from None


def _ping(wire: Wire) -> None:
    assert isinstance(wire, WebSocketWire)
    content = os.urandom(8)
    wire.send_frame(PING, content)
    kind, answer, _ = wire.receive_frame()
    if (kind, answer) != (PONG, content):
        raise Wrong(f"a frame of the kind {kind} with {answer!r} came in place of a pong with {content!r}")


def _goodbye(wire: Wire) -> None:
    """The server sends the close back, and ends the connection (RFC 6455, 7.1.1)."""
    assert isinstance(wire, WebSocketWire)
    wire.send_frame(CLOSE, NORMAL)
    kind, answer, _ = wire.receive_frame()
    if kind != CLOSE or answer[:2] != NORMAL:
        raise Wrong(f"a frame of the kind {kind} with {answer!r} came in place of a close with {NORMAL!r}")
    if not wire.ends():
        raise Wrong("the server keeps a connection whose WebSocket is closed")


QUESTIONS: dict[str, Callable[[Wire], None]] = {"lengths": _lengths, "ping": _ping, "goodbye": _goodbye}
