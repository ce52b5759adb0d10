"""What a seed published, and how the lab measures the same."""

from dataclasses import dataclass, field
from typing import Literal

Tool = Literal["ab", "wrk", "rps"]


@dataclass(frozen=True)
class Published:
    """The figures in the seed's own text. None: the text does not say."""

    rate: float | None  # requests per second
    mean_seconds: float | None = None  # latency, as its generator reports it
    errors: dict[str, int] = field(default_factory=dict)
    memory_bytes: int | None = None
    words: str = ""  # if there is only a picture, or more than the figures


@dataclass(frozen=True, kw_only=True)
class Row:
    what: str  # the seed's name for its architecture
    command: str = ""  # as published
    published: Published
    target: str  # "weir/blocking", "nginx-4": ours of the same architecture
    server: tuple[str, ...]  # more options of `weir target`; () for the demonstration site
    tool: Tool = "wrk"
    arguments: tuple[str, ...]  # the same as in `command`, without the URL
    quick: tuple[str, ...]  # the same for a short run
    scenario: str  # in the result: the same for rows of the same work
    connections: int
    body_bytes: int | None  # of each answer
    keep_alive: bool = True
    workers: int = 1
    why: str = ""  # explains the difference in this row


@dataclass(frozen=True)
class Seed:
    name: str
    title: str
    machine: str  # the one that the seed measured on
    rows: tuple[Row, ...]
    why: str  # explains the difference in all rows
    seen_beside: str = ""  # a figure that has no row here: memory, a promise
