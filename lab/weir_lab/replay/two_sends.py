"""A responder that sends head and body apart, with Nagle's algorithm or without: what seed 3 met.

With it (RFC 9293, 3.7.4) the body waits until the head is acknowledged, and the client's kernel puts that off by 40 ms, for it hopes
to send the acknowledgement along with data of its own. `python -m weir_lab.replay.two_sends PORT nagle|nodelay`
"""

from __future__ import annotations

import selectors
import socket
import sys

BODY = bytes(129)
HEAD = f"HTTP/1.1 200 OK\r\nContent-Length: {len(BODY)}\r\n\r\n".encode()


def serve(port: int, nodelay: bool) -> None:
    waiting = selectors.DefaultSelector()
    with socket.create_server(("127.0.0.1", port), backlog=128) as listener:
        waiting.register(listener, selectors.EVENT_READ)
        while True:
            for key, _ in waiting.select():
                if key.fileobj is listener:
                    connection, _ = listener.accept()
                    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, nodelay)
                    waiting.register(connection, selectors.EVENT_READ)
                else:
                    assert isinstance(key.fileobj, socket.socket)
                    _answer(key.fileobj, waiting)


def _answer(connection: socket.socket, waiting: selectors.BaseSelector) -> None:
    """Whatever has come is one request: clients that send the next one before the answer are not for this."""
    try:
        if connection.recv(4096):
            connection.sendall(HEAD)
            connection.sendall(BODY)
            return
    except ConnectionError:
        pass
    waiting.unregister(connection)
    connection.close()


if __name__ == "__main__":
    serve(int(sys.argv[1]), sys.argv[2] == "nodelay")
