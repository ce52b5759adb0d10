"""http-server-versions: a pool, and epoll loops with blocking and with non-blocking sockets, measured by wrk."""

from weir_lab.replay.seed import Published, Row, Seed
from weir_lab.replay.seed2 import POOL_OPTIONS, POOL_WORKERS

# 294.17 MB for 7,711,554 answers: 40 bytes each, with its head: two bytes of content, and no Date.
BODY_BYTES = 2
FEW_CONNECTIONS = "so about 1,013 connections were measured, not 10,000"

CONNECTIONS = {8: ("-c", "10000"), 16: ("-c10000",)}  # as each is written there


def _row(
    what: str,
    target: str,
    threads: int,
    published: Published,
    why: str,
    command: str,
    workers: int = 8,
    options: tuple[str, ...] = (),
) -> Row:
    return Row(
        what=what,
        command=command,
        published=published,
        target=target,
        server=("--bytes", str(BODY_BYTES), *options),
        arguments=(f"-t{threads}", *CONNECTIONS[threads], "-d20s"),
        quick=(f"-t{threads}", *CONNECTIONS[threads], "-d3s"),
        scenario="2 bytes, connections kept",
        connections=10_000,
        body_bytes=BODY_BYTES,
        workers=workers,
        why=why,
    )


FEW = (
    "Theirs is the rate of about 1,013 connections: a client's limit of 1,024 descriptors, less those that it needs "
    "itself. Ours has them all, or is refused."
)

SEED = Seed(
    name="seed4",
    title="Replay of seed 4: HTTP server versions",
    machine="not said; client and server on two hosts for version 1.1, and likely for the others",
    rows=(
        _row(
            "2.2.0: N workers, epoll, non-blocking",
            "weir/epoll-workers",
            8,
            Published(383928.67, 2.17e-3, {"connect": 8987}, words=FEW_CONNECTIONS),
            FEW,
            "./wrk -t8 -c 10000 -d20s http://host:14396",
        ),
        _row(
            "2.1.0: N workers, epoll",
            "weir/epoll-blocking",
            8,
            Published(220632.74, 31.02e-6, {"connect": 8987}, words=FEW_CONNECTIONS),
            FEW + " Their mean of 31 µs makes 7 requests under way at a time (Little's law), on 1,013 connections.",
            "./wrk -t8 -c 10000 -d20s http://host:14396",
        ),
        _row(
            "1.1: a pool of N workers, a task for each request",
            "weir/thread-pool",
            16,
            Published(20699.89, 142.03e-6, {"connect": 19, "read": 15}),
            "Their mean of 142 µs makes 3 requests under way at a time, on 10,000 connections: most of them waited for "
            "a worker. So it is here: a worker stays with its connection, until it gives it back to those that wait.",
            "./wrk -t16 -c10000 -d20s http://host:14396",
            workers=POOL_WORKERS,
            options=POOL_OPTIONS,
        ),
        _row(
            "1.1, with connections that wait in a loop instead",
            "weir/reactor",
            16,
            Published(None, words="no figure: the same pool behind an event loop"),
            "It was not built there.",
            "",
        ),
    ),
    why="Their answers have 40 bytes, head and all: no Date, which RFC 9110 (6.6.1) asks of a server with a clock. "
    "Ours has 101 of head, Date and Content-Type among them. Their machine and the number of its cores aren't said.",
)
