"""A proxy that lies: `bad_proxy_server.py HOW PORT OTHER_PORT`. It has a thread, and a connection to the other server,
for each client."""

import contextlib
import socket
import sys
import threading

HOW, PORT, OTHER_PORT = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
CLOSES_AFTER = 30  # requests
kept: dict[bytes, bytes] = {}  # answers, by method


def answer(other: socket.socket, head: bytes) -> bytes:
    """Of the other server."""
    other.sendall(head + b"\r\n\r\n")
    said = b""
    while b"\r\n\r\n" not in said:
        said += other.recv(65536)
    length = next(line for line in said.lower().split(b"\r\n") if line.startswith(b"content-length: "))
    wanted = said.index(b"\r\n\r\n") + 4 + (0 if head.startswith(b"HEAD") else int(length.split()[1]))
    while len(said) < wanted:
        said += other.recv(65536)
    return said


def reply(other: socket.socket, head: bytes) -> bytes:
    method = head.split()[0]
    if HOW == "keeps answers" and method in kept:
        return kept[method]
    said = kept[method] = answer(other, head.replace(b"Connection: close", b"X: y"))
    if HOW == "another byte" and method == b"GET":
        return said[:-1] + bytes([said[-1] ^ 1])
    if HOW == "shorter" and method == b"GET":
        return said.replace(b"Content-Length: 100\r\n", b"Content-Length: 99\r\n")[:-1]
    return said


def serve(connection: socket.socket) -> None:
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    received, answers = b"", 0
    with connection, socket.create_connection(("127.0.0.1", OTHER_PORT)) as other:
        while more := connection.recv(65536):
            *heads, received = (received + more).split(b"\r\n\r\n")
            for head in heads:
                connection.sendall(reply(other, head))
                answers += 1
                if b"connection: close" in head.lower() or (HOW == "closes" and answers == CLOSES_AFTER):
                    return


def quietly(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):  # the client has gone
        serve(connection)


with socket.create_server(("127.0.0.1", PORT), backlog=4096) as listener:
    while True:
        threading.Thread(target=quietly, args=(listener.accept()[0],), daemon=True).start()
