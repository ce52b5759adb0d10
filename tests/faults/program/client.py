"""A client that compares every byte, and tells a connection that was cut or refused (which a fault may cause) from a wrong answer
(which nothing may)."""

import re
import socket

PATIENCE_SECONDS = 30  # a machine may be busy; what hangs, hangs longer
REFUSALS = (500, 503)


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


class Client:
    def __init__(self, port, receive_buffer=None):
        self.received = b""
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(PATIENCE_SECONDS)
        self._attempt(lambda: self.socket.connect(("127.0.0.1", port)))

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
            raise Cut(str(error)) from None

    def send(self, data):
        self._attempt(lambda: self.socket.sendall(data))

    def half_close(self):
        self._attempt(lambda: self.socket.shutdown(socket.SHUT_WR))

    def _receive(self):
        data = self._attempt(lambda: self.socket.recv(1 << 18))
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
        """The next answer, which must be as given; body None: any."""
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
        if code != status:
            raise Wrong(f"{code} in place of {status}")
        if expected is not None and content != expected:
            raise Wrong(f"a wrong body of {len(content)} bytes in place of {len(expected)}")
        return Answer(code, fields, content)

    def ask(self, target, method="GET", fields="", **expected):
        self.send(request(target, method, fields))
        return self.answer(method=method, **expected)


def request(target, method="GET", fields=""):
    return f"{method} {target} HTTP/1.1\r\nHost: weir.test\r\n{fields}\r\n".encode()
