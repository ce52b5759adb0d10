"""Compressed answers and passwords: what clients send for them, and the files that servers need."""

import base64
import gzip
import random
from pathlib import Path

CODING = "gzip"  # the only one that all targets have
LEVEL = 6  # the default of zlib and gzip(1), and the one that all targets are told to use
ACCEPTS = f"Accept-Encoding: {CODING}"

USER, PASSWORD = "lab", "a password of the lab"
# bcrypt with a cost of 5, as `htpasswd -B` makes it: the cheapest hash that people use. That favours servers that
# compute it for each request.
HASH = "$2y$05$PLArxjISqEfyZWThjcj2K.YwsVlDB01ofhTXvnf/Za21oRXfqEMMW"

VOCABULARY = 600
LETTERS = "eeeetttaaooiinnsshhrrdlucm"
LINE_WORDS = 12


def authorization(password: str) -> str:
    """A field of a request (RFC 7617)."""
    return f"Authorization: Basic {base64.b64encode(f'{USER}:{password}'.encode()).decode()}"


def users(folder: Path) -> Path:
    """Where write_users() leaves the file."""
    return folder / "users"


def write_users(folder: Path) -> None:
    """An htpasswd file."""
    users(folder).write_text(f"{USER}:{HASH}\n", encoding="ascii")


def text(size: int) -> bytes:
    """Words, some more frequent than others, as in prose: gzip makes about a third of them. The same in every run."""
    chance = random.Random(size)
    words = ["".join(chance.choices(LETTERS, k=chance.randint(2, 9))) for _ in range(VOCABULARY)]
    chosen = chance.choices(words, [1 / rank for rank in range(1, VOCABULARY + 1)], k=size // 2)
    lines = (" ".join(chosen[at : at + LINE_WORDS]) for at in range(0, len(chosen), LINE_WORDS))
    return "\n".join(lines).encode()[:size]


def compressed(content: bytes, level: int) -> bytes:
    return gzip.compress(content, level, mtime=0)
