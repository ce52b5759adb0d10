"""What a generator is asked for, and what it says afterwards: one schema for all of them."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class LoadPlan:
    """One run of a generator. Closed loop (as fast as answers come) unless `rate` is given."""

    url: str
    connections: int
    seconds: float | None  # for how long; None where `requests` says how many
    requests: int | None = None
    keep_alive: bool = True
    pipeline: int = 1  # requests that travel together
    rate: float | None = None  # requests per second over all connections: open loop, latency from the intended start
    threads: int = 1
    timeout_seconds: float = 10.0  # after which an answer counts as lost
    body_bytes: int | None = None  # of each answer, where that is known: others are errors
    cores: tuple[int, ...] = ()  # where the generator may run; empty: anywhere


@dataclass(frozen=True)
class Latency:
    """Seconds. None: the generator doesn't say."""

    mean: float | None = None
    p50: float | None = None
    p90: float | None = None
    p99: float | None = None
    p999: float | None = None
    max: float | None = None


@dataclass(frozen=True)
class Load:
    """What came of it, as the generator counts."""

    requests: int  # answered in whole, with the status that was expected
    seconds: float
    bytes_received: int | None = None  # heads included where `bytes_are_bodies` is false
    bytes_are_bodies: bool = False
    latency: Latency = field(default_factory=Latency)
    # What went wrong, by kind: connect, read, write, timeout, status, body. No entry: none of that kind.
    errors: dict[str, int] = field(default_factory=dict)
    connections: int | None = None  # really opened at once; None: the generator doesn't say

    @property
    def rate(self) -> float:
        return self.requests / self.seconds if self.seconds > 0 else 0.0
