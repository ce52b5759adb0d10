"""HTTP/2 as a client has it (RFC 9113), without I/O: requests become bytes, and bytes become answers. Of HPACK it knows what weir
sends: no field is in the dynamic table, and no string is compressed."""

import struct
from dataclasses import dataclass, field

DATA, HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = 0, 1, 3, 4, 6, 7, 8, 9
END_STREAM = ACK = 1
END_HEADERS = 4
INITIAL_WINDOW_SIZE = 4
CANCEL = 8
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
WINDOW = 1 << 20
LAST_STREAM = (1 << 31) - 1  # RFC 9113 5.1.1

# RFC 7541 appendix A; the first has the index 1.
STATIC = [tuple(row.split("=")) for row in (
    ":authority= :method=GET :method=POST :path=/ :path=/index.html :scheme=http :scheme=https :status=200 :status=204 :status=206 "
    ":status=304 :status=400 :status=404 :status=500 accept-charset= accept-encoding=gzip,deflate accept-language= accept-ranges= "
    "accept= access-control-allow-origin= age= allow= authorization= cache-control= content-disposition= content-encoding= "
    "content-language= content-length= content-location= content-range= content-type= cookie= date= etag= expect= expires= from= "
    "host= if-match= if-modified-since= if-none-match= if-range= if-unmodified-since= last-modified= link= location= max-forwards= "
    "proxy-authenticate= proxy-authorization= range= referer= refresh= retry-after= server= set-cookie= strict-transport-security= "
    "transfer-encoding= user-agent= vary= via= www-authenticate=").split()]


class ProtocolError(Exception):
    """What a server must not send."""


@dataclass
class Answer:
    status: int = 0
    fields: dict = field(default_factory=dict)
    body: bytearray = field(default_factory=bytearray)
    is_whole: bool = False
    reset: int | None = None  # the error code of RST_STREAM

    @property
    def is_over(self):
        return self.is_whole or self.reset is not None


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def integer(prefix, bits, number):
    """RFC 7541 5.1"""
    most = (1 << bits) - 1
    if number < most:
        return bytes([prefix | number])
    encoded, number = bytes([prefix | most]), number - most
    while number >= 128:
        encoded, number = encoded + bytes([number % 128 | 128]), number // 128
    return encoded + bytes([number])


def section(fields):
    """Each field as a literal that is not indexed."""
    return b"".join(b"\0" + b"".join(integer(0, 7, len(part)) + part for part in (name.encode(), value.encode()))
                    for name, value in fields)


class Section:
    """Reads a section of fields."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def integer(self, bits):
        most = (1 << bits) - 1
        number, self.at = self.data[self.at] & most, self.at + 1
        shift = 0
        while number >= most:
            byte, self.at = self.data[self.at], self.at + 1
            number, shift = number + ((byte & 127) << shift), shift + 7
            if byte < 128:
                break
        return number

    def string(self):
        if self.data[self.at] & 128:
            raise ProtocolError("a string is compressed")
        size = self.integer(7)
        self.at += size
        return self.data[self.at - size:self.at].decode("latin-1")

    def fields(self):
        while self.at < len(self.data):
            first = self.data[self.at]
            if first & 128:
                yield self.row(self.integer(7))
            elif first & 64:
                raise ProtocolError("a field is put into the dynamic table")
            elif first & 32:
                self.integer(5)
            else:
                index = self.integer(4)
                name = self.row(index)[0] if index else self.string()
                yield name, self.string()

    @staticmethod
    def row(index):
        if not 0 < index <= len(STATIC):
            raise ProtocolError(f"there is no field {index}")
        return STATIC[index - 1]


class Connection:
    """`out` grows by what is to be sent."""

    def __init__(self):
        self.out = PREFACE + frame(SETTINGS, 0, 0, struct.pack(">HI", INITIAL_WINDOW_SIZE, WINDOW))
        self.out += frame(WINDOW_UPDATE, 0, 0, struct.pack(">I", WINDOW))
        self.answers = {}  # by stream
        self.goaway = None  # the error code
        self.last_stream = LAST_STREAM  # that the server takes, as GOAWAY says
        self._received = b""
        self._section = None
        self._next = 1

    def take(self):
        out, self.out = self.out, b""
        return out

    def request(self, target, method="GET", *fields, content=None):
        """The stream. `content` is at most a frame."""
        stream, self._next = self._next, self._next + 2
        head = section([(":method", method), (":scheme", "https"), (":authority", "localhost"), (":path", target), *fields])
        self.out += frame(HEADERS, END_HEADERS | (END_STREAM if content is None else 0), stream, head)
        if content is not None:
            self.out += frame(DATA, END_STREAM, stream, content)
        self.answers[stream] = Answer()
        return stream

    def cancel(self, stream):
        self.out += frame(RST_STREAM, 0, stream, struct.pack(">I", CANCEL))

    def receive(self, data):
        self._received += data
        while len(self._received) >= 9:
            size = int.from_bytes(self._received[:3], "big")
            if len(self._received) < 9 + size:
                return
            kind, flags, stream = struct.unpack(">BBI", self._received[3:9])
            payload, self._received = self._received[9:9 + size], self._received[9 + size:]
            self._take(kind, flags, stream, payload)

    def _take(self, kind, flags, stream, payload):
        if self._section is not None and kind != CONTINUATION:
            raise ProtocolError("a section is not whole")
        if kind in (DATA, HEADERS, RST_STREAM) and stream not in self.answers:
            raise ProtocolError(f"a frame of stream {stream}, which nobody opened")
        if kind in (HEADERS, CONTINUATION):
            self._section = (self._section or b"") + payload
            if kind == HEADERS and flags & END_STREAM:
                self.answers[stream].is_whole = True
            if flags & END_HEADERS:
                self._take_section(self.answers[stream])
        elif kind == DATA:
            self._take_content(stream, flags, payload)
        elif kind == RST_STREAM:
            self.answers[stream].reset = struct.unpack(">I", payload)[0]
        elif kind in (SETTINGS, PING) and not flags & ACK:
            self.out += frame(kind, ACK, 0, payload if kind == PING else b"")
        elif kind == GOAWAY:
            self.last_stream, self.goaway = struct.unpack(">II", payload[:8])

    def _take_section(self, answer):
        fields, self._section = dict(Section(self._section).fields()), None
        status = int(fields.pop(":status", 0))
        if status >= 200:
            answer.status = status
        answer.fields |= fields

    def _take_content(self, stream, flags, payload):
        answer = self.answers[stream]
        if not answer.status or answer.is_whole:
            raise ProtocolError("content that is not behind the fields of an answer")
        answer.body += payload
        answer.is_whole = bool(flags & END_STREAM)
        if payload:
            opened = struct.pack(">I", len(payload))
            self.out += frame(WINDOW_UPDATE, 0, 0, opened)
            if not answer.is_whole:
                self.out += frame(WINDOW_UPDATE, 0, stream, opened)
