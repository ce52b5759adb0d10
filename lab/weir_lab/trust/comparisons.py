"""What the generator says, beside counts that are not its own: those of the kernel, and the lab's clock."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from weir_lab.load import Load
from weir_lab.trust.findings import Counted, Sampled

CLOCK_TOLERANCE = 0.1  # below the time that the generator was given
LATE_PART, LATE_SECONDS = 0.5, 2.0  # above its own seconds: to start, to open connections, and to end
ACCEPTS_TOLERANCE = 0.02
ACCEPTS_BESIDES = 4  # wrk tries the address once before it begins
RATE_TOLERANCE = 0.2  # between the whole run and its steady part
SECONDS_FOR_RATE = 0.3  # a steady part that is shorter says nothing


@dataclass(frozen=True)
class Claim:
    """What must agree with the counts."""

    load: Load
    connections: int  # that the generator was asked for
    keep_alive: bool
    answer_bytes: int  # head and content
    asked_seconds: float | None  # None: it was asked for a number of requests
    start_up_seconds: float = 0.0


def reasons(claim: Claim, counted: Counted, sampled: Sampled) -> Iterator[str]:
    for words in (
        _clock(claim, counted),
        _accepts(claim, counted, sampled),
        _octets(claim, counted),
        _rate(claim, counted, sampled),
    ):
        if words:
            yield words


def _clock(claim: Claim, counted: Counted) -> str:
    said, asked, wall = claim.load.seconds, claim.asked_seconds, counted.wall_seconds
    if asked is not None and said < (asked - claim.start_up_seconds) * (1 - CLOCK_TOLERANCE):
        return f"the generator says that it took {said:.2f} s, but it was given {asked:g} s"
    if wall is None:
        return ""
    if said > wall:
        return f"the generator says that it took {said:.2f} s, but it ran for {wall:.2f} s by the lab's clock"
    if wall > said * (1 + LATE_PART) + claim.start_up_seconds + LATE_SECONDS:
        return f"the generator ran for {wall:.2f} s by the lab's clock, but says that it took {said:.2f} s"
    return ""


def _accepts(claim: Claim, counted: Counted, sampled: Sampled) -> str:
    """wrk connects again without a word if a server closes."""
    if counted.accepts is None:
        return ""
    accepts = max(0, counted.accepts - sampled.connections)
    asked, what = (claim.connections, "asked for") if claim.keep_alive else (claim.load.requests, "needed")
    if accepts > (asked + claim.connections * (not claim.keep_alive)) * (1 + ACCEPTS_TOLERANCE) + ACCEPTS_BESIDES:
        return f"the server accepted {accepts:,} connections, and {asked:,} were {what}: it closes some"
    if not claim.keep_alive and accepts < asked * (1 - ACCEPTS_TOLERANCE):
        return f"{asked:,} answers are said to have come on a connection each, but the server accepted {accepts:,}"
    return ""


def _octets(claim: Claim, counted: Counted) -> str:
    """Everything that went through the network of the run is more than what the answers are made of."""
    answers = claim.load.requests * claim.answer_bytes
    if counted.octets is None or answers <= counted.octets:
        return ""
    return (
        f"{claim.load.requests:,} answers have {answers:,} bytes, but by the kernel's count only {counted.octets:,} "
        "were sent"
    )


def _rate(claim: Claim, counted: Counted, sampled: Sampled) -> str:
    if counted.sent_bytes is None or not counted.sent_seconds or counted.sent_seconds < SECONDS_FOR_RATE:
        return ""
    if claim.load.seconds <= 0 or claim.answer_bytes <= 0:
        return ""
    said = (claim.load.requests + sampled.answers) / claim.load.seconds
    sent = counted.sent_bytes / counted.sent_seconds / claim.answer_bytes
    if abs(said - sent) <= RATE_TOLERANCE * max(said, sent) + claim.connections / counted.sent_seconds:
        return ""
    return f"the generator says {said:,.0f} answers/s, but by the kernel's count the server sent {sent:,.0f}/s"
