"""The answers of a run's steady part, by the kernel's count and by the generator's, and whether the two agree."""

from weir_lab.core.load import Load
from weir_lab.core.result import Window
from weir_lab.counting import interrupts
from weir_lab.counting.steady import Steady

COUNTS_TOLERANCE = 0.03  # between the kernel's count and the generator's
NOT_STEADY = "there was no steady part to count: connections were open too late, or the generator ended too early"
NO_ANSWERS = "the server sent nothing after the middle of the run"
STEAL_MAX = 0.02  # of the time of all cores


def counted(steady: Steady, load: Load, answer_bytes: float, cores: int, shares_cores: bool) -> Window | None:
    """`answer_bytes`: of one answer, with its head; 0: not known. None if nothing was answered."""
    answers, way = _answers(steady, load, answer_bytes)
    if answers <= 0 or steady.seconds <= 0:
        return None
    found = steady.end.interrupts - steady.begin.interrupts
    apart = interrupts.are_booked_apart()
    return Window(
        begin_seconds=steady.begin.at - steady.first_connection_at,
        seconds=steady.seconds,
        # The kernel receives for the server on the server's cores. If the generator runs there too, nobody knows for
        # whom it received.
        cpu_seconds=steady.end.cpu_seconds
        - steady.begin.cpu_seconds
        + (found.soft if apart and not shares_cores else 0),
        clock=steady.clock,
        answers=answers + steady.end.sampled_unseen - steady.begin.sampled_unseen,
        counted_by=way,
        softirq_seconds=found.soft,
        softirq_apart=apart,
        stolen=found.stolen / steady.seconds / cores,
    )


def reasons(window: Window, steady: Steady, load: Load, answer_bytes: float, at_once: int) -> list[str]:
    """Why the run does not count. `at_once`: answers that may be under way."""
    found = []
    if window.stolen > STEAL_MAX:
        found.append(f"the host took {window.stolen:.1%} of the cores' time for something else (steal)")
    if window.counted_by == "bytes" and steady.bytes_sent_late == 0:
        found.append(NO_ANSWERS)
    if window.counted_by != "rate" and (words := _disagreement(window, steady, load, answer_bytes, at_once)):
        found.append(words)
    return found


def _answers(steady: Steady, load: Load, answer_bytes: float) -> tuple[float, str]:
    if steady.end.sent and answer_bytes > 0:
        return steady.bytes_sent / answer_bytes, "bytes"
    if steady.begin.accepts is not None and steady.end.accepts is not None and not steady.end.sent:
        return steady.end.accepts - steady.begin.accepts, "accepts"
    return load.rate * steady.seconds, "rate"


def _disagreement(window: Window, steady: Steady, load: Load, answer_bytes: float, at_once: int) -> str:
    """By the end of the steady part the kernel has counted nearly all answers of the run. Those of the rest, until the
    generator ended by the lab's clock, are expected at the same rate, and may be none or twice as many."""
    until_end = _until_end(window, steady, answer_bytes)
    rest = (steady.over_at - steady.end.at) * window.answers / window.seconds
    expected = until_end + rest
    if abs(load.requests - expected) <= COUNTS_TOLERANCE * expected + rest + at_once:
        return ""
    what = "bytes" if window.counted_by == "bytes" else "connections"
    return (
        f"the generator counted {load.requests:,} answers, but by the kernel's count of {what} there were about "
        f"{expected:,.0f}"
    )


def _until_end(window: Window, steady: Steady, answer_bytes: float) -> float:
    """The generator's."""
    own = steady.end.sampled - steady.end.sampled_unseen
    if window.counted_by == "bytes":
        return sum(steady.end.sent.values()) / answer_bytes - own
    assert steady.end.accepts is not None
    return steady.end.accepts - steady.accepts_before - own
