"""What programs on libraries answer, byte for byte: a text and an object of JSON, each with the name in the path, and
the echo of a message."""

import json
from typing import Literal

Kind = Literal["no", "text", "json", "echo"]

NAME, OTHER_NAME = "reader", "writer"  # as long as each other, so that both answers are
MESSAGE_BYTES = 64
ECHO_PATH = "/echo"
FOLDERS = {"text": "/hello/", "json": "/json/"}
MEDIA_TYPES = {"text": "text/plain", "json": "application/json"}


def path(kind: Kind, name: str = NAME) -> str:
    return ECHO_PATH if kind == "echo" else FOLDERS[kind] + name


def content(kind: Kind, name: str = NAME) -> bytes:
    """Not of an echo. The members of the object are in the order of the alphabet, which all libraries can write."""
    if kind == "text":
        return f"Hello, {name}!\n".encode()
    members = {"active": True, "id": 42, "name": name, "score": 12.5, "tags": ["http", "json"]}
    return json.dumps(members, separators=(",", ":")).encode()


def body_bytes(kind: Kind) -> int:
    return MESSAGE_BYTES if kind == "echo" else len(content(kind))
