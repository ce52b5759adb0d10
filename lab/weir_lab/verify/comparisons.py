"""What the generator says, beside counts that are not its own: those of the kernel, and the lab's clock."""

from collections.abc import Iterator
from dataclasses import dataclass

from weir_lab.core.findings import Counted, Sampled
from weir_lab.core.load import Load

CLOCK_TOLERANCE = 0.1  # below the time that the generator was given
LATE_PART, LATE_SECONDS = 0.25, 0.6  # above its own seconds: to start and to end
OPENED_PER_SECOND = 5000  # connections, before its clock starts
ACCEPTS_TOLERANCE = 0.01
ACCEPTS_BESIDES = 2  # wrk tries the address once before it begins


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
    for words in (_clock(claim, counted), _accepts(claim, counted, sampled), _octets(claim, counted)):
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
    around = claim.start_up_seconds + LATE_SECONDS + claim.connections / OPENED_PER_SECOND
    if wall > said * (1 + LATE_PART) + around:
        return f"the generator ran for {wall:.2f} s by the lab's clock, but says that it took {said:.2f} s"
    return ""


def _accepts(claim: Claim, counted: Counted, sampled: Sampled) -> str:
    """When a server closes, wrk reconnects and does not report it."""
    if counted.accepts is None:
        return ""
    accepts = max(0, counted.accepts - sampled.connections)
    most_under_way = claim.connections + ACCEPTS_BESIDES
    if claim.keep_alive:
        if accepts <= claim.connections * (1 + ACCEPTS_TOLERANCE) + ACCEPTS_BESIDES:
            return ""
        return (
            f"the server accepted {accepts:,} connections, and {claim.connections:,} were asked for: some were closed "
            "and opened again"
        )
    requests = claim.load.requests  # each on a connection of its own; some may be under way at the end
    if requests <= accepts * (1 + ACCEPTS_TOLERANCE) and accepts <= requests * (1 + ACCEPTS_TOLERANCE) + most_under_way:
        return ""
    return f"{requests:,} answers are said to have come on a connection each, but the server accepted {accepts:,}"


def _octets(claim: Claim, counted: Counted) -> str:
    """Everything that went through the network of the run is more than what the answers are made of."""
    answers = claim.load.requests * claim.answer_bytes
    if counted.octets is None or answers <= counted.octets:
        return ""
    return (
        f"{claim.load.requests:,} answers have {answers:,} bytes, but by the kernel's count only {counted.octets:,} "
        "were sent"
    )
