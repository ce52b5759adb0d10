"""An RSGI application that answers the files of $SITE from memory, with weir's header fields. granian runs it.

It never looks for paths on the disk, which is in its favour."""

import email.utils
import os
from pathlib import Path
from typing import Any


def _fields(content: bytes, changed: os.stat_result) -> list[tuple[str, str]]:
    return [
        ("last-modified", email.utils.formatdate(changed.st_mtime, usegmt=True)),
        ("accept-ranges", "bytes"),
        ("etag", f'"{len(content):x}-{changed.st_mtime_ns:x}"'),
        ("content-type", "application/octet-stream"),
        ("x-content-type-options", "nosniff"),
        ("date", email.utils.formatdate(usegmt=True)),  # that of the start: granian adds none
    ]


FILES = {
    f"/{path.name}": (content := path.read_bytes(), _fields(content, path.stat()))
    for path in Path(os.environ["SITE"]).iterdir()
    if path.is_file()
}


async def application(scope: Any, protocol: Any) -> None:
    found = FILES.get(scope.path)
    if found:
        protocol.response_bytes(200, found[1], found[0])
    else:
        protocol.response_empty(404, [])
