"""A client that compares every byte, and tells a connection that was cut or refused (which a fault may cause) from a wrong answer
(which nothing may)."""

import re
import socket
import ssl
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "support"))

import http2  # noqa: E402

PATIENCE_SECONDS = 60  # a machine may be busy; what hangs, hangs longer
REFUSALS = (500, 503, 507)


class Wrong(Exception):
    """What must never come: a wrong byte, a wrong status, no answer and no end."""


class Cut(Exception):
    """The connection ended before the answer did, or a refusal came in place of the answer."""


class Answer:
    def __init__(self, status, fields, body):
        self.status, self.fields, self.body = status, fields, body


def parse_head(head):
    lines = head.decode("latin-1").split("\r\n")
    match = re.fullmatch(r"HTTP/1\.1 (\d{3}) .*", lines[0])
    if not match:
        raise Wrong(f"this is no status line: {lines[0]!r}")
    return int(match[1]), {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}


# What OpenSSL says of an end without close_notify. An alert is an answer that the server gave.
ENDS = (ssl.SSLEOFError, ssl.SSLZeroReturnError)


def client_context(version=None, protocols=()):
    """It trusts every certificate: that is another test's."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    if version:
        context.minimum_version = context.maximum_version = version
    if protocols:
        context.set_alpn_protocols(protocols)
    return context


class Client:
    """`tls`: what client_context() returns; `session`: of an earlier connection."""

    def __init__(self, port, receive_buffer=None, tls=None, session=None):
        self.received = b""
        self.was_heard = False  # before that, a server whose handshake has failed may say so with the wrong keys
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(PATIENCE_SECONDS)
        self._attempt(lambda: self.socket.connect(("127.0.0.1", port)))
        if tls:
            self.socket = self._attempt(lambda: tls.wrap_socket(self.socket, session=session))

    def __enter__(self):
        return self

    def __exit__(self, *raised):
        self.close()

    def close(self):
        self.socket.close()

    def reset(self):
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        self.close()

    def _attempt(self, call):
        try:
            return call()
        except TimeoutError:
            raise Wrong(f"neither an answer nor an end in {PATIENCE_SECONDS} s") from None
        except OSError as error:
            self.close()
            is_end = not isinstance(error, ssl.SSLError) or isinstance(error, ENDS) or "ALERT" in (error.reason or "")
            if self.was_heard and not is_end:
                raise Wrong(f"this is no TLS: {error}") from None
            raise Cut(str(error)) from None

    def send(self, data):
        self._attempt(lambda: self.socket.sendall(data))

    def half_close(self):
        self._attempt(lambda: self.socket.shutdown(socket.SHUT_WR))

    def receive(self):
        """What comes next; nothing at the end."""
        data = self._attempt(lambda: self.socket.recv(1 << 18))
        self.was_heard = True
        return data

    def _receive(self):
        data = self.receive()
        self.received += data
        return bool(data)

    def ends(self):
        """Reads to the end; it comes without a further byte."""
        try:
            while self._receive():
                pass
        except Cut:
            pass
        if self.received:
            raise Wrong(f"{len(self.received)} bytes after the last answer")

    def answer_begins(self):
        """Waits for the first bytes of an answer."""
        if not self._receive():
            raise Cut("it was closed")

    def _until(self, end):
        while (at := self.received.find(end)) < 0:
            if not self._receive():
                raise Cut("it was closed" + (" within a head" if self.received else ""))
        found, self.received = self.received[:at], self.received[at + len(end):]
        return found

    def _body(self, size, expected):
        """So many bytes; as many as came are compared before a cut is told."""
        while len(self.received) < size:
            try:
                more = self._receive()
            except Cut:
                more = False
            if not more:
                if expected is not None and not expected.startswith(self.received):
                    raise Wrong(f"a wrong byte among the first {len(self.received)} of a body that was cut")
                raise Cut(f"after {len(self.received)} of {size} bytes")
        body, self.received = self.received[:size], self.received[size:]
        return body

    def _chunks(self):
        body = b""
        while size := int(self._until(b"\r\n"), 16):
            body += self._body(size, None)
            self._until(b"\r\n")
        self._until(b"\r\n")
        return body

    def answer(self, status=200, body=None, method="GET"):
        """The next answer, which must be as given; None: any."""
        code, fields = parse_head(self._until(b"\r\n\r\n"))
        expected = body if code == status else None
        if method == "HEAD" or code in (204, 304):
            content = b""
        elif fields.get("transfer-encoding") == "chunked":
            content = self._chunks()
        else:
            content = self._body(int(fields["content-length"]), expected)
        if code in REFUSALS and code != status:
            raise Cut(f"refused with {code}")
        if status is not None and code != status:
            raise Wrong(f"{code} in place of {status}")
        if expected is not None and content != expected:
            raise Wrong(f"a wrong body of {len(content)} bytes in place of {len(expected)}")
        return Answer(code, fields, content)

    def ask(self, target, method="GET", fields="", **expected):
        self.send(request(target, method, fields))
        return self.answer(method=method, **expected)


class Http2:
    """Requests side by side, on a client's connection."""

    def __init__(self, client):
        self.client, self.connection = client, http2.Connection()

    def ask(self, target, *fields, method="GET", content=None):
        """The stream; answer() has the answer."""
        return self.connection.request(target, method, *fields, content=content)

    def cancel(self, stream):
        self.connection.cancel(stream)
        self._send()

    def _send(self):
        self.client.send(self.connection.take())

    def answer_begins(self, stream):
        self._receive_until(lambda answer: answer.body or answer.is_over, stream)

    def _receive_until(self, condition, stream):
        self._send()
        answer = self.connection.answers[stream]
        while not condition(answer):
            if not (data := self.client.receive()):
                raise Cut("it was closed before an answer was whole")
            try:
                self.connection.receive(data)
            except (http2.ProtocolError, IndexError) as error:
                raise Wrong(f"this is no HTTP/2: {error}") from None
            self._send()
        return answer

    def answer(self, stream, status=200, body=None):
        try:
            answer = self._receive_until(lambda answer: answer.is_over, stream)
        finally:
            self._compare(self.connection.answers[stream], status, body)
        if answer.reset is not None or answer.status in REFUSALS:
            raise Cut(f"stream {stream} ended with {answer.status}, reset {answer.reset}")
        if answer.status != status:
            raise Wrong(f"{answer.status} in place of {status}")
        if body is not None and answer.body != body:
            raise Wrong(f"a wrong body of {len(answer.body)} bytes in place of {len(body)}")
        return answer

    @staticmethod
    def _compare(answer, status, body):
        """What came before a cut, too."""
        if body is not None and answer.status == status and not body.startswith(bytes(answer.body)):
            raise Wrong("a wrong byte in a body")


def request(target, method="GET", fields=""):
    return f"{method} {target} HTTP/1.1\r\nHost: weir.test\r\n{fields}\r\n".encode()
