"""A responder that sends head and body apart, with Nagle's algorithm or without: what seed 3 met.

With it (RFC 9293, 3.7.4) the body waits until the head is acknowledged, and the client's kernel puts that off by 40 ms, for it hopes
to send the acknowledgement along with data of its own. `python -m weir_lab.replay.two_sends PORT nagle|nodelay`
"""

from __future__ import annotations

import socket
import sys
import threading

BODY = bytes(129)
HEAD = f"HTTP/1.1 200 OK\r\nContent-Length: {len(BODY)}\r\n\r\n".encode()


def serve(port: int, nodelay: bool) -> None:
    with socket.create_server(("127.0.0.1", port), backlog=128) as listener:
        while True:
            connection, _ = listener.accept()
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, nodelay)
            threading.Thread(target=_answer, args=(connection,), daemon=True).start()


def _answer(connection: socket.socket) -> None:
    """Whatever ends with an empty line is a request here."""
    with connection:
        received = b""
        while data := connection.recv(4096):
            received += data
            while b"\r\n\r\n" in received:
                _, _, received = received.partition(b"\r\n\r\n")
                connection.sendall(HEAD)
                connection.sendall(BODY)


if __name__ == "__main__":
    serve(int(sys.argv[1]), sys.argv[2] == "nodelay")
