"""One connection over HTTP/2, by a library that has nothing in common with weir: h2. It raises an error for whatever a
server must not send. Requests and answers look as those of HTTP/1.1 do, so that all else of the lab need not know."""

import functools
from collections import deque
from dataclasses import dataclass, field

import h2.config
import h2.connection
import h2.events
import h2.exceptions
import h2.settings

from weir_lab.clients.wire import CLOSED, RECEIVE_BYTES, Answer, Wire, Wrong
from weir_lab.core import tls

WINDOW = 2**30 - 1  # as h2load has it: a client that never stops the server
FRAME_HEAD_BYTES, TYPE_AT, SETTINGS = 9, 3, 4  # RFC 9113, 4.1 and 6.5
CONFIGURATION = h2.config.H2Configuration(client_side=True, header_encoding="utf-8")


@dataclass
class Stream:
    fields: list[tuple[str, str]] = field(default_factory=list)
    content: list[bytes] = field(default_factory=list)
    is_over: bool = False
    reset: str = ""  # why it has no answer


class Http2Wire(Wire):
    def __init__(self, port: int, seconds: float, client: tls.Client | None = None) -> None:
        super().__init__(port, seconds, client)
        self._streams: dict[int, Stream] = {}
        self._asked: deque[int] = deque()  # streams whose answer nobody has taken, in the order of the requests
        self._scheme = "https" if client else "http"
        self._began = b""  # the first bytes
        self._speech = h2.connection.H2Connection(CONFIGURATION)
        self._speech.local_settings = h2.settings.Settings(
            client=True,
            initial_values={
                h2.settings.SettingCodes.ENABLE_PUSH: 0,
                h2.settings.SettingCodes.INITIAL_WINDOW_SIZE: WINDOW,
            },
        )
        self._speech.initiate_connection()
        self._speech.increment_flow_control_window(WINDOW - 65_535)

    def send(self, request: bytes) -> None:
        """One request or several, as HTTP/1.1 writes them."""
        for fields, content in _requests(request):
            stream = self._speech.get_next_available_stream_id()
            scheme = (":scheme", self._scheme)
            self._speech.send_headers(stream, [*fields[:1], scheme, *fields[1:]], end_stream=not content)
            if content:
                self._speech.send_data(stream, content, end_stream=True)
            self._streams[stream] = Stream()
            self._asked.append(stream)
        self._flush()

    def answer(self, is_head: bool = False) -> Answer:
        """To the first request that has none yet."""
        one = self._streams[self._asked[0]]
        while not one.is_over and not one.reset:
            self._receive()
        del self._streams[self._asked.popleft()]
        if one.reset:
            raise Wrong(one.reset)
        self.answers += 1
        status = next((value for name, value in one.fields if name == ":status"), "0")
        fields = tuple((name, value) for name, value in one.fields if not name.startswith(":"))
        return Answer("HTTP/2", int(status), "", fields, 0, b"".join(one.content))

    def rest(self) -> int:
        """What came on streams that nobody has taken the answer of."""
        return sum(len(part) for stream in self._streams.values() for part in stream.content)

    def _receive(self) -> None:
        try:
            received = self._socket.recv(RECEIVE_BYTES)
        except TimeoutError:
            raise TimeoutError("the server sent nothing more in an answer") from None
        except ConnectionResetError:
            received = b""
        if not received:
            raise Wrong(CLOSED)
        self._check_begin(received)
        try:
            for event in self._speech.receive_data(received):
                self._take(event)
        except h2.exceptions.ProtocolError as error:
            raise Wrong(f"what the server sent is no HTTP/2: {error or type(error).__name__}") from None
        self._flush()

    def _check_begin(self, received: bytes) -> None:
        """The library would wait for the rest of a frame, however long it seems to be."""
        self._began += received[: FRAME_HEAD_BYTES - len(self._began)]
        if len(self._began) > TYPE_AT and self._began[TYPE_AT] != SETTINGS:
            raise Wrong(f"what the server sent is no HTTP/2: it began with {self._began!r}")

    def _take(self, event: h2.events.Event) -> None:
        if isinstance(event, h2.events.ConnectionTerminated):
            raise Wrong(f"the server said GOAWAY (error {int(event.error_code or 0)})")
        stream = self._streams.get(getattr(event, "stream_id", None) or 0)
        if stream is None:
            return
        if isinstance(event, h2.events.ResponseReceived):
            stream.fields = [(str(name), str(value)) for name, value in event.headers or ()]
        elif isinstance(event, h2.events.DataReceived):
            stream.content.append(bytes(event.data or b""))
            self._speech.acknowledge_received_data(event.flow_controlled_length or 0, event.stream_id or 0)
        elif isinstance(event, h2.events.StreamEnded):
            stream.is_over = True
        elif isinstance(event, h2.events.StreamReset):
            stream.reset = f"the server reset the stream (error {int(event.error_code or 0)})"

    def _flush(self) -> None:
        if said := self._speech.data_to_send():
            super().send(said)


@functools.lru_cache(maxsize=16)
def _requests(text: bytes) -> tuple[tuple[list[tuple[str, str]], bytes], ...]:
    """Names of HTTP/2 in place of the request line and Host. Hundreds of requests are the same."""
    found = []
    while text:
        head, _, text = text.partition(b"\r\n\r\n")
        line, *lines = head.decode().split("\r\n")
        method, path, _ = line.split(" ")
        fields = {name.lower(): value.strip() for name, _, value in (one.partition(":") for one in lines)}
        length = int(fields.get("content-length", "0"))
        content, text = text[:length], text[length:]
        host = fields.pop("host")
        found.append(([(":method", method), (":authority", host), (":path", path), *fields.items()], content))
    return tuple(found)
