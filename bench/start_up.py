#!/usr/bin/env python3
"""From the start of the command to the end of its first answer: the median and the spread of forty times.

usage: start_up.py <weir>"""

import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TIMES = 40
REQUEST = b"GET /1k.txt HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
CONTENT_BYTES = 1024


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


def connect(port: int, server: subprocess.Popen[bytes]) -> socket.socket:
    """As soon as it listens; nothing tells of that but a connection that is made."""
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port))
        except ConnectionRefusedError:
            if server.poll() is not None:
                sys.exit(f"weir ended with {server.returncode}")
            os.sched_yield()


def ask(connection: socket.socket) -> bytes:
    connection.sendall(REQUEST)
    return b"".join(iter(lambda: connection.recv(65_536), b""))


def start_and_ask(command: list[str], port: int) -> float:
    """In seconds."""
    began = time.perf_counter()
    with subprocess.Popen([*command, "--port", str(port)]) as server:
        with connect(port, server) as connection:
            answer = ask(connection)
        took = time.perf_counter() - began
        server.terminate()
    if not answer.startswith(b"HTTP/1.1 200 OK\r\n") or not answer.endswith(b"x" * CONTENT_BYTES):
        sys.exit(f"not the answer that was to come: {answer[:80]!r}")
    return took


def main(weir: str) -> None:
    with tempfile.TemporaryDirectory() as site:
        (Path(site) / "1k.txt").write_bytes(b"x" * CONTENT_BYTES)
        command = [weir, "serve", site, "--quiet"]
        took = [start_and_ask(command, free_port()) * 1e3 for _ in range(TIMES)]
    print(f"start to first answer: median {statistics.median(took):.2f} ms ({min(took):.2f} to {max(took):.2f}), {TIMES} times")


if __name__ == "__main__":
    main(sys.argv[1])
