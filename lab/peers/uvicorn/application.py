"""An ASGI application that answers the files of $SITE from memory, with weir's header fields. uvicorn runs it.

It never looks for paths on the disk, which is in its favour."""

import email.utils
import os
from pathlib import Path
from typing import Any


def _fields(content: bytes, changed: os.stat_result) -> list[tuple[bytes, bytes]]:
    return [
        (b"last-modified", email.utils.formatdate(changed.st_mtime, usegmt=True).encode()),
        (b"accept-ranges", b"bytes"),
        (b"etag", b'"%x-%x"' % (len(content), changed.st_mtime_ns)),
        (b"content-type", b"application/octet-stream"),
        (b"x-content-type-options", b"nosniff"),
        (b"content-length", b"%d" % len(content)),
    ]


FILES = {
    f"/{path.name}": (content := path.read_bytes(), _fields(content, path.stat()))
    for path in Path(os.environ["SITE"]).iterdir()
    if path.is_file()
}


async def application(scope: Any, receive: Any, send: Any) -> None:
    content, fields = FILES.get(scope["path"], (b"", None))
    status, fields = (200, fields) if fields else (404, [(b"content-length", b"0")])
    await send({"type": "http.response.start", "status": status, "headers": fields})
    await send({"type": "http.response.body", "body": content})
