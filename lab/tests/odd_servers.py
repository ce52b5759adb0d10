"""Servers as people bring them: `odd_servers.py HOW PORT`. Each is wrong in one way."""

import itertools
import os
import socket
import sys
import threading
from pathlib import Path

HOW, PORT = sys.argv[1], int(sys.argv[2])
numbers = itertools.count()


def answer(closes: bool) -> bytes:
    status, length, body, end = "200 OK", 5, b"hello", "Connection: close\r\n" if closes else ""
    if HOW == "404":
        status = "404 Not Found"
    elif HOW == "long":
        body += b", world"
    elif HOW == "varies":
        body = b"x" * (5 + next(numbers) % 2)
        length = len(body)
    elif HOW == "chunks":
        return b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
    return f"HTTP/1.1 {status}\r\nContent-Length: {length}\r\n{end}\r\n".encode() + body


def serve(connection: socket.socket) -> None:
    with connection:
        received = b""
        while more := connection.recv(4096):
            received += more
            while b"\r\n\r\n" in received:
                head, _, received = received.partition(b"\r\n\r\n")
                if HOW == "silent":
                    continue
                closes = HOW == "closes" or b"connection: close" in head.lower()
                connection.sendall(answer(closes))
                if closes:
                    return


if HOW == "daemon":
    if os.fork():
        threading.Event().wait()  # as a program that starts a daemon, and stays
    os.setsid()
    if os.fork():
        os._exit(0)
if HOW == "elsewhere":
    PORT = 0  # one that the kernel chooses
with socket.create_server(("127.0.0.2" if HOW == "address" else "127.0.0.1", PORT), backlog=100) as listener:
    Path("listens").touch()
    while True:
        threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
