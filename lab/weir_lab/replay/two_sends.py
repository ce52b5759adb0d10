"""A responder that sends head and body separately, with Nagle's algorithm or without it. Seed 3 did that.

With the algorithm (RFC 9293, 3.7.4) the body waits until the head is acknowledged. The client's kernel delays that by
40 ms, in the hope of sending the acknowledgement together with data. `python -m weir_lab.replay.two_sends PORT
nagle|nodelay`"""

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
    """Takes whatever has come for one request: clients with pipelining do not work here."""
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
