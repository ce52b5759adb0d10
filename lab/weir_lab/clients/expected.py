"""What is right: the request that the generator sends, and the answer that it should get."""

from __future__ import annotations

import datetime
import email.utils
import functools
import hashlib
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from weir_lab.clients.wire import Answer, Wrong
from weir_lab.core import programs
from weir_lab.core.scenario import Scenario
from weir_lab.core.serving import ACCEPTS, CODING, compressed, text

MISSING_PATH = "/there-is-no-such-file.bin"
SHOWN_BYTES_MAX = 100  # of a content that is shown as it is


@dataclass(frozen=True)
class Expected:
    path: str
    body_bytes: int
    content: bytes | None = None  # None: not known; then it is at least the same in all answers
    method: str = "GET"
    request_body: bytes = b""
    status: int = 200
    asks_in: str = "1.1"  # the version of HTTP: the answer's head depends on it
    fields: tuple[str, ...] = ()  # more of each request
    compressed_max: int | None = None  # the content is compressed, to that many bytes at most; None: it is not
    program: programs.Kind = "no"  # whose content it is

    @staticmethod
    def of(scenario: Scenario, site: Path, is_file: bool = True, asks_in: str = "1.1") -> Expected:
        """The content is the file's, if the target serves files, or the program's."""
        if scenario.program != "no":
            return _of_program(scenario, asks_in)
        file = site / scenario.file
        known = is_file and scenario.handler == "none" and scenario.method == "GET" and file.is_file()
        content = file.read_bytes() if known else None
        return Expected(
            scenario.path,
            scenario.body_bytes,
            content,
            scenario.method,
            b"x" * scenario.request_bytes,
            asks_in=asks_in,
            fields=scenario.fields,
            compressed_max=most_bytes(content or text(scenario.body_bytes)) if scenario.is_compressed else None,
        )

    def request(self, port: int, close: bool = False) -> bytes:
        """As the generators send it: nothing in it tells the lab from a generator."""
        is_old = self.asks_in == "1.0"
        kept = "Connection: Keep-Alive" if is_old else ""
        closed = "" if is_old else "Connection: close"
        fields = [one for one in (*self.fields, closed if close else kept, _length(self.request_body)) if one]
        return _request(self.method, self.path, port, self.asks_in, fields) + self.request_body

    def head_request(self, port: int) -> bytes:
        return _request("HEAD", self.path, port, fields=self.fields)

    def missing_request(self, port: int) -> bytes:
        return _request("GET", MISSING_PATH, port, fields=self.fields)

    def learned(self, answer: Answer) -> Expected:
        """From now on, all answers must have the content of this one. An echo has that of its message."""
        if self.program == "echo":
            return self
        return replace(self, content=self._content_of(answer))

    def uncompressed(self) -> Expected:
        """For a client that accepts no"""
        return replace(self, fields=tuple(one for one in self.fields if one != ACCEPTS), compressed_max=None)

    def of_name(self, name: str) -> Expected:
        """For another name in the path of a program's route."""
        return replace(self, path=programs.path(self.program, name), content=programs.content(self.program, name))

    def with_password(self, *fields: str) -> Expected:
        """With these fields in place of the right password, which the server must refuse."""
        return replace(self, fields=fields, status=401)

    def check(self, answer: Answer) -> None:
        """Raises Wrong, with what is wrong first."""
        self.check_head(answer)
        content = self._content_of(answer)
        if len(content) != self.body_bytes:
            raise Wrong(f"the server answers {len(content)} bytes, not {self.body_bytes}")
        if self.content is not None and content != self.content:
            raise Wrong(f"the content is not the right one ({_shown(content)}, not {_shown(self.content, False)})")

    def _content_of(self, answer: Answer) -> bytes:
        if self.compressed_max is None:
            return answer.body
        return decoded(answer, self.body_bytes, self.compressed_max)

    @property
    def _versions(self) -> set[str]:
        """A server of HTTP/1.1 says so even if it was asked in 1.0."""
        return {"HTTP/2"} if self.asks_in == "2" else {"HTTP/1.1", f"HTTP/{self.asks_in}"}

    def check_head(self, answer: Answer) -> None:
        """Version, status, date, and the media type of a program."""
        if answer.version not in self._versions:
            raise Wrong(f"the server answers in {answer.version}, not {max(self._versions)}")
        if answer.status != self.status:
            raise Wrong(f"the server answers with status {answer.status}, not {self.status}")
        if (date := answer.field("date")) is not None and (words := _wrong_date(date)):
            raise Wrong(words)
        right = programs.MEDIA_TYPES.get(self.program, "")
        if not (answer.field("content-type") or "").startswith(right):
            raise Wrong(f"Content-Type is {answer.field('content-type')}, not {right}")


def _of_program(scenario: Scenario, asks_in: str) -> Expected:
    """The wire itself compares an echo with its message."""
    content = None if scenario.is_echo else programs.content(scenario.program)
    status = 101 if scenario.is_echo else 200
    return Expected(
        scenario.path, scenario.body_bytes, content, status=status, asks_in=asks_in, program=scenario.program
    )


def _shown(content: bytes, with_name: bool = True) -> str:
    """Large content as its hash."""
    if len(content) <= SHOWN_BYTES_MAX and content.isascii():
        return repr(content)
    return f"{'SHA-256 ' * with_name}{hashlib.sha256(content).hexdigest()[:12]}"


def _length(body: bytes) -> str:
    return f"Content-Length: {len(body)}" if body else ""


def _request(method: str, path: str, port: int, version: str = "1.1", fields: Sequence[str] = ()) -> bytes:
    return "\r\n".join((f"{method} {path} HTTP/{version}", f"Host: 127.0.0.1:{port}", *fields, "", "")).encode()


@functools.lru_cache(maxsize=8)
def _wrong_date(date: str) -> str:
    """Hundreds of answers have the same one."""
    try:
        found = email.utils.parsedate_to_datetime(date)
    except ValueError:
        return f"Date is no date: {date[:40]!r}"
    if found.tzinfo is None or abs(datetime.datetime.now(datetime.UTC) - found) > datetime.timedelta(days=1):
        return f"Date is not today's: {date[:40]!r}"
    return ""


# --- the content of an answer that a server has compressed ---


GZIP_WINDOW = 16 + zlib.MAX_WBITS  # zlib.h: inflateInit2()
WORST_LEVEL = 1


def decoded(answer: Answer, size: int, most: int) -> bytes:
    """`size`: of the content. `most`: of what may be sent. Raises Wrong."""
    if (said := answer.field("content-encoding")) != CODING:
        raise Wrong(f"the server does not compress: Content-Encoding is {said or 'missing'}, not {CODING}")
    if len(answer.body) > most:
        raise Wrong(f"the server hardly compresses: it sends {len(answer.body):,} bytes, and {most:,} are enough")
    unpacking = zlib.decompressobj(GZIP_WINDOW)
    try:
        content = unpacking.decompress(answer.body, size + 1)  # no more of it, however long it may be
    except zlib.error as error:
        raise Wrong(f"the server sends no {CODING}: {error}") from None
    if len(content) > size:
        raise Wrong(f"the server sends more than {size:,} bytes, compressed")
    if not unpacking.eof:
        raise Wrong(f"the {CODING} of the server ends too early, after {len(content):,} bytes of content")
    if unpacking.unused_data:
        raise Wrong(f"{len(unpacking.unused_data):,} bytes follow the {CODING} of the server")
    return content


def most_bytes(content: bytes) -> int:
    """What any server that compresses needs: as many as the fastest level of zlib makes."""
    return len(compressed(content, WORST_LEVEL))
