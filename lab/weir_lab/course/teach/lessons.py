"""The six experiments, in the order in which they are told."""

import contextlib
import socket
import time
from collections.abc import Callable, Sequence
from functools import partial

from weir_lab.course.teach.bench import Bench, Variant
from weir_lab.course.teach.claims import Claim
from weir_lab.course.teach.lesson import Lesson
from weir_lab.course.teach.outcome import Outcome, Series
from weir_lab.servers.server_process import ServerProcess

DEADLINE_SECONDS = 20.0
HALF = b"GET / HTTP/1.1\r\nHost: localhost\r\n"  # the empty line that ends a head is missing


def _figures(bench: Bench, engines: Sequence[str], of: Callable[[ServerProcess], float], unit: str) -> Outcome:
    def once(engine: str) -> float:
        with bench.serving(Variant(engine)) as server:
            return of(server)

    return bench.figures({engine: partial(once, engine) for engine in engines}, unit)


# --- Five clients send half a request. How long does another client wait?

SLOW_CLIENTS = 5
WHOLE = HALF + b"Connection: close\r\n\r\n"


def _slow_client(bench: Bench) -> Outcome:
    return _figures(bench, ("blocking", "thread-per-connection", "epoll-edge"), wait_beside_slow_clients, "s")


def wait_beside_slow_clients(server: ServerProcess) -> float:
    """From connecting to the end of the answer. At most DEADLINE_SECONDS."""
    with contextlib.ExitStack() as slow:
        for _ in range(SLOW_CLIENTS):
            client = slow.enter_context(socket.create_connection(("127.0.0.1", server.port), DEADLINE_SECONDS))
            client.sendall(HALF)
        began = time.monotonic()
        with socket.create_connection(("127.0.0.1", server.port), DEADLINE_SECONDS) as client:
            client.sendall(WHOLE)
            with contextlib.suppress(TimeoutError):
                while client.recv(4096):
                    pass
        return time.monotonic() - began


SLOW_CLIENT = Lesson(
    title="Why does one slow client stop everybody?",
    question="Five clients connect and send half a request each: the line that ends it never comes. Then another "
    "client sends a whole request. The engine `blocking` has one thread, which serves one connection at a time. How "
    "long does the other client wait for its answer?",
    ask="Milliseconds that it waits under `blocking`",
    predicted="blocking",
    factor=1e-3,
    measure=_slow_client,
    claims=(
        Claim(
            "blocking",
            "more",
            "thread-per-connection",
            "its one thread waits for each slow client in turn, and a thread of its own waits for each otherwise",
        ),
        Claim(
            "epoll-edge",
            "alike",
            "thread-per-connection",
            "a loop asks the kernel which sockets are ready, and a client that sends nothing is not",
        ),
    ),
    theory="A plain server of this kind waits for ever: recv() returns when bytes come, and not before. weir's "
    "`blocking` gives a silent client up after 0.4 s if others wait, so five of them take about two seconds. That "
    "limits the damage and does not remove it: five hundred slow clients take two hundred seconds.",
    exercise="Which other engines of weir would make this client wait, and for what kind of slow client?",
    chapter="1. One slow client",
)


# --- A handler that sleeps for 1 ms: what one thread can answer, and what many can.

SLEEP = ("--sleep", "1ms")


def _sleeping(bench: Bench) -> Outcome:
    return bench.rates(
        {
            "blocking, 1 client": Variant("blocking", SLEEP, connections=1),
            "blocking, 50 clients": Variant("blocking", SLEEP),
            "thread-per-connection, 1 client": Variant("thread-per-connection", SLEEP, connections=1),
            "thread-per-connection, 50 clients": Variant("thread-per-connection", SLEEP),
        }
    )


SLEEPING = Lesson(
    title="How many requests can one thread answer while it sleeps?",
    question="Each request takes a handler 1 ms, in which it only waits, as for a database. One thread answers all "
    "requests (`blocking`), and then each connection has a thread of its own. How many requests a second does one "
    "thread answer if 50 clients ask at once?",
    ask="Requests per second of `blocking` with 50 clients",
    predicted="blocking, 50 clients",
    factor=1.0,
    measure=_sleeping,
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


# --- What a connection that says nothing costs: memory of the server.

SILENT = 500


def _idle(bench: Bench) -> Outcome:
    return _figures(bench, ("thread-per-connection", "epoll-edge"), bytes_each, "B")


def bytes_each(server: ServerProcess) -> float:
    """Each connection has been answered once, and says nothing more. At least a byte, so that ratios exist."""
    before = server.resident_bytes()
    with contextlib.ExitStack() as idle:
        for _ in range(SILENT):
            client = idle.enter_context(socket.create_connection(("127.0.0.1", server.port), DEADLINE_SECONDS))
            client.sendall(HALF + b"\r\n")
            client.recv(4096)
        return max((server.resident_bytes() - before) / SILENT, 1.0)


IDLE = Lesson(
    title="What does a silent connection cost?",
    question=f"{SILENT} clients connect, get one answer each, and then say nothing, as browsers do between two "
    "clicks. With a thread for each connection, each silent client keeps a thread. A loop keeps a small object. How "
    "much memory of the server does one silent connection of `thread-per-connection` take?",
    ask="Kilobytes for one connection of `thread-per-connection`",
    predicted="thread-per-connection",
    factor=1e3,
    measure=_idle,
    claims=(
        Claim(
            "thread-per-connection",
            "more",
            "epoll-edge",
            "a thread has a stack and buffers, and a loop keeps only what it must remember of a connection",
        ),
    ),
    theory="This is the memory of the program. A thread's stack has 256 KB of addresses, but only the pages that were "
    "touched take memory. The kernel uses more for each: a stack of 16 KB for a thread, and some kilobytes for a "
    "socket. Memory comes in pages of 4 KB, so for a few hundred small objects the figure is rough.",
    exercise="How many silent connections fit into 1 GB under each of the two? What else is limited?",
    chapter="3. Silence costs memory",
)


# --- A connection for each request, and one connection for many: what connecting costs the server.

CLOSED, KEPT = "a connection for each request", "kept connections"


def _keep_alive(bench: Bench) -> Outcome:
    return bench.costs({KEPT: Variant("epoll-edge"), CLOSED: Variant("epoll-edge", keep_alive=False)})


KEEP_ALIVE = Lesson(
    title="What does a new connection cost?",
    question="The same server (`epoll-edge`, 1 KB, 50 clients) answers on kept connections, and then with a new "
    "connection for each request. The answer is the same. How much CPU does the server need for a request that brings "
    "its own connection?",
    ask="Microseconds of server CPU for a request with its own connection",
    predicted=CLOSED,
    factor=1e-6,
    measure=_keep_alive,
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


# --- A loop whose handler blocks, a loop with a pool, and a loop whose handler answers later.

BLOCKED, POOL, LATER = "epoll-edge, sleep", "reactor with 16 threads, sleep", "epoll-edge, timer"


def _blocked_loop(bench: Bench) -> Outcome:
    return bench.rates(
        {
            BLOCKED: Variant("epoll-edge", ("--sleep", "1ms")),
            POOL: Variant("reactor", ("--workers", "16", "--sleep", "1ms")),
            LATER: Variant("epoll-edge", ("--timer", "1ms")),
        }
    )


BLOCKED_LOOP = Lesson(
    title="What if the handler of a loop waits?",
    question="A loop serves 10,000 silent clients with one thread. Now each handler sleeps for 1 ms, on the thread of "
    "the loop. 50 clients ask at once. How many requests a second does the loop answer? Then the handler moves to a "
    "pool of 16 threads (`reactor`). At last it doesn't sleep, but asks a timer to answer later.",
    ask="Requests per second of `epoll-edge` with a handler that sleeps for 1 ms",
    predicted=BLOCKED,
    factor=1.0,
    measure=_blocked_loop,
    claims=(
        Claim(POOL, "more", BLOCKED, "sixteen handlers sleep at once, and the loop goes on"),
        Claim(
            LATER, "more", POOL, "no thread waits, so all fifty requests are under way at once, and not only sixteen"
        ),
    ),
    theory="A loop must never wait anywhere but in epoll_wait. One handler that blocks stops all of its clients: the "
    "loop is then as good as `blocking`. There are two ways out. A pool has a limit, the number of its threads. A "
    "handler that answers later has none, but its code is harder to write: what it waits for must call it back.",
    exercise="Find the number of pool threads at which `reactor` reaches the rate of the timer here.",
    chapter="5. A loop must not wait",
)


# --- The same server twice: how far two measurements of one thing lie apart.

ROUNDS = 5
A, B, APART = "server A", "server B", "largest difference of a round"


def _twice(bench: Bench) -> Outcome:
    """The third series is in percent."""
    found = bench.rates({A: Variant("epoll-edge"), B: Variant("epoll-edge")}, ROUNDS)
    pairs = list(zip(found.of(A).values, found.of(B).values, strict=True))
    apart = [100 * (max(pair) / min(pair) - 1) if min(pair) > 0 else 0.0 for pair in pairs]
    return Outcome([*found.series, Series(APART, "%", [max(apart)])], found.others)


TWICE = Lesson(
    title="Can you believe your own figures?",
    question=f"Server A and server B are measured in turn, {ROUNDS} times each. They are the same program with the "
    "same options. In the round in which their rates differ most, by how many percent do they differ?",
    ask="Percent between A and B in the worst round",
    predicted=APART,
    factor=1.0,
    measure=_twice,
    claims=(Claim(A, "alike", B, "they are one program"),),
    theory="A single run of each would have made one of them the winner. So a comparison needs several rounds in "
    'turn, an interval instead of a figure, and the honest answer "can\'t be told". Even so, an interval of 95 % '
    "misses the truth once in twenty times. Whoever compares eighteen engines with each other makes 153 comparisons, "
    "and seven or eight of them mislead.",
    exercise="Write an engine of your own, and say whether it is faster than `epoll-edge`.",
    chapter="6. Write the next engine",
)


LESSONS: tuple[Lesson, ...] = (SLOW_CLIENT, SLEEPING, IDLE, KEEP_ALIVE, BLOCKED_LOOP, TWICE)
