"""A connection for each request, and one connection for many: what connecting costs the server."""

from __future__ import annotations

from weir_lab.course.teach.bench import Bench, Variant
from weir_lab.course.teach.claims import Claim
from weir_lab.course.teach.lesson import Lesson
from weir_lab.course.teach.outcome import Outcome

CLOSED, KEPT = "a connection for each request", "kept connections"


def measure(bench: Bench) -> Outcome:
    return bench.costs({KEPT: Variant("epoll-edge"), CLOSED: Variant("epoll-edge", keep_alive=False)})


LESSON = Lesson(
    title="What does a new connection cost?",
    question="The same server (`epoll-edge`, 1 KB, 50 clients) answers on kept connections, and then with a new "
    "connection for each request. The answer is the same. How much CPU does the server need for a request that brings "
    "its own connection?",
    ask="Microseconds of server CPU for a request with its own connection",
    predicted=CLOSED,
    factor=1e-6,
    measure=measure,
    claims=(
        Claim(
            CLOSED,
            "more",
            KEPT,
            "the kernel opens and closes a connection (three segments to open it, up to four to close it), and the "
            "program accepts it, watches it and closes it",
        ),
    ),
    theory="No choice of an architecture saves as much as keeping the connection does. The kernel does nearly all of "
    "this work, so it is the same for every server. On a real network each new connection also waits for a round "
    "trip, and with TLS for one or two more.",
    exercise="Use `strace -f -c` to count the system calls of one request, kept and closed.",
    chapter="4. Connections are dear",
)
