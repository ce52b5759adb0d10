"""Does the work of a server that is not its parent: `helper_process.py SOCKET` computes for each byte that comes.
`helper_process.py SOCKET FILE` is given the server's connections, and answers each request with the file."""

import os
import socket
import sys
import threading
from pathlib import Path


def compute(server: socket.socket) -> None:
    while server.recv(1):
        sum(range(50_000))
        server.send(b"!")


def answer_all(server: socket.socket, body: bytes) -> None:
    while (given := socket.recv_fds(server, 1, 1))[0]:
        threading.Thread(target=answer, args=(socket.socket(fileno=given[1][0]), body), daemon=True).start()


def answer(connection: socket.socket, body: bytes) -> None:
    connection.setblocking(True)
    while connection.recv(4096):
        connection.sendall(f"HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)


with socket.socket(socket.AF_UNIX) as listener:
    listener.bind(sys.argv[1])
    listener.listen()
    if os.fork() != 0:  # the parent ends, so that nobody is the parent of the one that works
        os._exit(0)
    of_server, _ = listener.accept()
    if len(sys.argv) > 2:
        answer_all(of_server, Path(sys.argv[2]).read_bytes())
    else:
        compute(of_server)
