"""Just enough of HTTP/1.1's client side to ask, and to read an answer whole."""

import asyncio
from dataclasses import dataclass


class Cut(Exception):
    """The connection ended before the answer did."""


@dataclass
class Answer:
    status: int
    fields: dict
    body: bytes

    @property
    def closes(self):
        return self.fields.get("connection", "").lower() == "close"

    @property
    def offset(self):
        """Where a 206 begins."""
        return int(self.fields["content-range"].split()[1].split("-")[0]) if self.status == 206 else 0


def request(method, target, *fields):
    lines = [f"{method} {target} HTTP/1.1", "Host: soak", *fields, "", ""]
    return "\r\n".join(lines).encode()


async def read_answer(reader, method="GET"):
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        status, fields = parse_head(head)
        if method == "HEAD" or status in (204, 304):
            return Answer(status, fields, b"")
        if fields.get("transfer-encoding") == "chunked":
            return Answer(status, fields, await read_chunks(reader))
        return Answer(status, fields, await reader.readexactly(int(fields["content-length"])))
    except (asyncio.IncompleteReadError, ConnectionError) as cut:
        raise Cut(str(cut)) from None


def parse_head(head):
    first, *lines = head.split("\r\n")[:-2]
    fields = dict(line.split(": ", 1) for line in lines)
    return int(first.split()[1]), {name.lower(): value for name, value in fields.items()}


async def read_chunks(reader):
    body = b""
    while size := int((await reader.readuntil(b"\r\n")).split(b";")[0], 16):
        body += await reader.readexactly(size)
        await reader.readexactly(2)
    await reader.readuntil(b"\r\n")
    return body
