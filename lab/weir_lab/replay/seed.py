"""What a seed published, and how the same is measured here."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Tool = Literal["ab", "wrk", "rps"]


@dataclass(frozen=True)
class Published:
    """As it stands in the seed's own text. None: it doesn't say."""

    rate: float | None  # requests per second
    mean_seconds: float | None = None  # latency, as its generator has it
    errors: dict[str, int] = field(default_factory=dict)
    words: str = ""  # where there is a picture only, or something beside the figures


@dataclass(frozen=True)
class Row:
    what: str  # the seed's name for its architecture
    command: str  # as it published it
    published: Published
    target: str  # "weir/blocking", "nginx-4": which of ours is meant
    server: tuple[str, ...]  # of `weir target`, beside engine, address and port; () for the demonstration site
    tool: Tool
    arguments: tuple[str, ...]  # the same as in `command`, without the URL
    quick: tuple[str, ...]  # and for a short look
    scenario: str  # in the result: rows of the same kind of work have the same
    connections: int
    body_bytes: int | None  # of each answer
    keep_alive: bool
    workers: int = 1
    why: str = ""  # what explains the difference in this row


@dataclass(frozen=True)
class Seed:
    name: str
    title: str
    machine: str  # that the seed measured on
    rows: tuple[Row, ...]
    why: str  # what holds for all of its rows
    seen_beside: str = ""  # a figure that is no row: memory, a promise
