"""A loop whose handler blocks, a loop with a pool, and a loop whose handler answers later."""

from __future__ import annotations

from weir_lab.course.teach.bench import Bench, Variant
from weir_lab.course.teach.claims import Claim
from weir_lab.course.teach.lesson import Lesson
from weir_lab.course.teach.outcome import Outcome

BLOCKED, POOL, LATER = "epoll-edge, sleep", "reactor with 16 threads, sleep", "epoll-edge, timer"


def measure(bench: Bench) -> Outcome:
    return bench.rates(
        {
            BLOCKED: Variant("epoll-edge", ("--sleep", "1ms")),
            POOL: Variant("reactor", ("--workers", "16", "--sleep", "1ms")),
            LATER: Variant("epoll-edge", ("--timer", "1ms")),
        }
    )


LESSON = Lesson(
    title="What if the handler of a loop waits?",
    question="A loop serves 10,000 silent clients with one thread. Now each handler sleeps for 1 ms, on the thread of "
    "the loop. 50 clients ask at once. How many requests a second does the loop answer? Then the handler moves to a "
    "pool of 16 threads (`reactor`). At last it doesn't sleep, but asks a timer to answer later.",
    ask="Requests per second of `epoll-edge` with a handler that sleeps for 1 ms",
    predicted=BLOCKED,
    factor=1.0,
    measure=measure,
    claims=(
        Claim(POOL, "more", BLOCKED, "sixteen handlers sleep at once, and the loop goes on"),
        Claim(
            LATER,
            "more",
            POOL,
            "no thread waits, so all fifty requests are under way at once, and not only sixteen",
        ),
    ),
    theory="A loop must never wait anywhere but in epoll_wait. One handler that blocks stops all of its clients: the "
    "loop is then as good as `blocking`. There are two ways out. A pool has a limit, the number of its threads. A "
    "handler that answers later has none, but its code is harder to write: what it waits for must call it back.",
    exercise="Find the number of pool threads at which `reactor` reaches the rate of the timer here.",
    chapter="5. A loop must not wait",
)
