"""The content of an answer that a server has compressed."""

from __future__ import annotations

import zlib

from weir_lab.clients.wire import Answer, Wrong
from weir_lab.core.serving import CODING, compressed

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
