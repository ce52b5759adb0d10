"""The same server twice: how far two measurements of one thing lie apart."""

from __future__ import annotations

from weir_lab.course.teach.bench import Bench, Variant
from weir_lab.course.teach.claims import Claim
from weir_lab.course.teach.lesson import Lesson
from weir_lab.course.teach.outcome import Outcome, Series

ROUNDS = 5
A, B, APART = "server A", "server B", "largest difference of a round"


def measure(bench: Bench) -> Outcome:
    """The third series is in percent."""
    found = bench.rates({A: Variant("epoll-edge"), B: Variant("epoll-edge")}, ROUNDS)
    pairs = list(zip(found.of(A).values, found.of(B).values, strict=True))
    apart = [100 * (max(pair) / min(pair) - 1) if min(pair) > 0 else 0.0 for pair in pairs]
    return Outcome([*found.series, Series(APART, "%", [max(apart)])], found.others)


LESSON = Lesson(
    title="Can you believe your own figures?",
    question=f"Server A and server B are measured in turn, {ROUNDS} times each. They are the same program with the "
    "same options. In the round in which their rates differ most, by how many percent do they differ?",
    ask="Percent between A and B in the worst round",
    predicted=APART,
    factor=1.0,
    measure=measure,
    claims=(Claim(A, "alike", B, "they are one program"),),
    theory="A single run of each would have made one of them the winner. So a comparison needs several rounds in "
    'turn, an interval instead of a figure, and the honest answer "can\'t be told". Even so, an interval of 95 % '
    "misses the truth once in twenty times. Whoever compares eighteen engines with each other makes 153 comparisons, "
    "and seven or eight of them mislead.",
    exercise="Write an engine of your own, and say whether it is faster than `epoll-edge`.",
    chapter="6. Write the next engine",
)
