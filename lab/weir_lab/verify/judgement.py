"""Why a run does not count, by what the lab found out itself. validity.py has the rules for what the generator says."""

from collections.abc import Iterator

from weir_lab.core.findings import Sampled, Trust
from weir_lab.core.load import Load
from weir_lab.verify import comparisons
from weir_lab.verify.comparisons import Claim

LINKED_MAX = 0.03  # of one core, by a process that is connected with the server
ANSWERS_FOR_SAMPLES = 20  # of each connection of the generator: then the lab's requests must have got some as well


def reasons(trust: Trust, claim: Claim) -> Iterator[str]:
    for one in trust.strangers:
        yield f"sockets of the server's port belong to process {one}, which is no child of the server"
    yield from _linked(trust, claim.load)
    if trust.sampled:
        yield from _samples(trust.sampled, claim)
    if trust.counted:
        yield from comparisons.reasons(claim, trust.counted, trust.sampled or Sampled())


def _linked(trust: Trust, load: Load) -> Iterator[str]:
    for one in trust.outsiders:
        if one.link and load.seconds > 0 and one.cpu_seconds > LINKED_MAX * load.seconds:
            yield (
                f"process {one.pid} ({one.name}) worked too, {one.cpu_seconds / load.seconds:.0%} of one core: "
                f"it is no child of the server, but connected with it by {one.link}"
            )


def _samples(sampled: Sampled, claim: Claim) -> Iterator[str]:
    wrong = sum(sampled.wrong.values())
    if wrong:
        kinds = "; ".join(f"{words} ({count:,})" for words, count in sampled.wrong.items())
        yield f"{wrong / sampled.answers:.1%} of {sampled.answers:,} sampled answers were wrong: {kinds}"
    elif not sampled.answers and not sampled.why_not and claim.load.requests > ANSWERS_FOR_SAMPLES * claim.connections:
        yield "the lab got no answer to its own requests, while the generator got all of its"


def culprit(trust: Trust) -> str:
    """For a disturbed run: who it was."""
    if not trust.outsiders:
        return ""
    most = max(trust.outsiders, key=lambda one: one.cpu_seconds)
    return f", most of it process {most.pid} ({most.name})"
