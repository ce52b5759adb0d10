"""A server of TLS and HTTP/2 that lies: `bad_secure_server.py HOW PORT FILE CERTIFICATE KEY`, or without the last two
for HTTP/2 with prior knowledge. It has a thread for each connection. Later lies begin after the first answers or
connections, so that the lab's questions before the run are answered right."""

from __future__ import annotations

import itertools
import socket
import ssl
import sys
import threading
from pathlib import Path

import h2.config
import h2.connection
import h2.events
import h2.exceptions

FIRST_ANSWERS, FIRST_CONNECTIONS = 1000, 20
HOW, PORT, FILE = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])
PEM = sys.argv[4:6]
BODY = FILE.read_bytes()
answers = itertools.count()


def context(tickets: bool) -> ssl.SSLContext:
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.load_cert_chain(*PEM)
    made.num_tickets = 2 if tickets else 0
    if HOW == "tls 1.2":
        made.maximum_version = ssl.TLSVersion.TLSv1_2
    if HOW == "chooses http/1.1":
        made.set_alpn_protocols(["http/1.1"])
    elif HOW != "chooses nothing":
        made.set_alpn_protocols(["h2", "http/1.1"])
    return made


def body(path: str) -> bytes | None:
    """None: there is no such file."""
    if path != f"/{FILE.name}":
        return None
    is_later = next(answers) >= FIRST_ANSWERS
    return bytes(len(BODY)) if HOW == "zeros" or (HOW == "later zeros" and is_later) else BODY


def serve_http1(connection: socket.socket) -> None:
    received = b""
    while more := connection.recv(65536):
        *heads, received = (received + more).split(b"\r\n\r\n")
        for head in heads:
            method, path, _ = head.decode().split("\r\n")[0].split(" ")
            found, closes = body(path), b"connection: close" in head.lower()
            status = "404 Not Found" if found is None else "200 OK"
            end = "Connection: close\r\n" if closes else ""
            content = found or b""
            said = f"HTTP/1.1 {status}\r\n{end}Content-Length: {len(content)}\r\n\r\n".encode()
            connection.sendall(said + (b"" if method == "HEAD" else content))
            if closes:
                return


def serve_http1_to_anything(connection: socket.socket) -> None:
    while connection.recv(65536):
        connection.sendall(f"HTTP/1.1 200 OK\r\nContent-Length: {len(BODY)}\r\n\r\n".encode() + BODY)


def serve_http2(connection: socket.socket) -> None:
    speech = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False, header_encoding="utf-8"))
    speech.initiate_connection()
    connection.sendall(speech.data_to_send())
    while more := connection.recv(65536):
        for event in speech.receive_data(more):
            if isinstance(event, h2.events.RequestReceived):
                asked = {str(name): str(value) for name, value in event.headers or ()}
                found, stream = body(asked[":path"]), event.stream_id or 0
                content = found or b""
                status = "404" if found is None else "200"
                speech.send_headers(stream, [(":status", status), ("content-length", str(len(content)))])
                speech.send_data(stream, b"" if asked[":method"] == "HEAD" else content, end_stream=True)
        connection.sendall(speech.data_to_send())


def serve(number: int, connection: socket.socket) -> None:
    with_tickets = HOW != "never resumes" and not (HOW == "later never resumes" and number > FIRST_CONNECTIONS)
    try:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if PEM:
            connection = (WITH if with_tickets else WITHOUT).wrap_socket(connection, server_side=True)
        is_http2 = not PEM or (isinstance(connection, ssl.SSLSocket) and connection.selected_alpn_protocol() == "h2")
        if HOW == "http/1.1 in h2":
            serve_http1_to_anything(connection)
        (serve_http2 if is_http2 else serve_http1)(connection)
        if isinstance(connection, ssl.SSLSocket):
            connection = connection.unwrap()
    except (OSError, ValueError, h2.exceptions.ProtocolError):
        pass  # the client has gone, or says what it must not
    finally:
        connection.close()


if PEM:
    WITH, WITHOUT = context(True), context(False)
with socket.create_server(("127.0.0.1", PORT), backlog=4096) as listener:
    for number in itertools.count():
        threading.Thread(target=serve, args=(number, listener.accept()[0]), daemon=True).start()
