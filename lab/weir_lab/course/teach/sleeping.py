"""A handler that sleeps for 1 ms: what one thread can answer, and what many can."""

from __future__ import annotations

from weir_lab.course.teach.bench import Bench, Variant
from weir_lab.course.teach.claims import Claim
from weir_lab.course.teach.lesson import Lesson
from weir_lab.course.teach.outcome import Outcome

SLEEP = ("--sleep", "1ms")


def measure(bench: Bench) -> Outcome:
    return bench.rates(
        {
            "blocking, 1 client": Variant("blocking", SLEEP, connections=1),
            "blocking, 50 clients": Variant("blocking", SLEEP),
            "thread-per-connection, 1 client": Variant("thread-per-connection", SLEEP, connections=1),
            "thread-per-connection, 50 clients": Variant("thread-per-connection", SLEEP),
        }
    )


LESSON = Lesson(
    title="How many requests can one thread answer while it sleeps?",
    question="Each request takes a handler 1 ms, in which it only waits, as for a database. One thread answers all "
    "requests (`blocking`), and then each connection has a thread of its own. How many requests a second does one "
    "thread answer if 50 clients ask at once?",
    ask="Requests per second of `blocking` with 50 clients",
    predicted="blocking, 50 clients",
    factor=1.0,
    measure=measure,
    claims=(
        Claim(
            "blocking, 50 clients",
            "alike",
            "blocking, 1 client",
            "one thread sleeps for one request at a time, however many clients wait",
        ),
        Claim(
            "thread-per-connection, 50 clients",
            "more",
            "blocking, 50 clients",
            "fifty threads sleep at once, and a thread that sleeps needs no core",
        ),
    ),
    theory="Little's law: requests under way = requests per second x time of each. One thread has one under way, so "
    "1 ms each makes 1,000 a second at most. A sleep of 1 ms lasts a little longer, and the request itself takes "
    "some microseconds. Fifty threads have fifty under way: at most 50,000 a second, as long as the cores can do the "
    "rest of the work.",
    exercise="How many threads does a server need for 2,000 requests a second if each waits 30 ms for a database?",
    chapter="2. Waiting is not working",
)
