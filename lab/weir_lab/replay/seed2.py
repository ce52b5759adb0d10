"""concurrent-webserver: a thread pool and an epoll loop with ten thousand connections, measured by wrk."""

from weir_lab.replay.seed import Published, Row, Seed

COMMAND = "wrk -t8 -c10000 -d20s http://localhost:10000"
# 148.82 MB for 92,501 answers, and 1.07 GB for 680,832: 1,687 bytes each, with its head. Our head has 104 bytes.
BODY_BYTES = 1583

NO_FIGURE = Published(None, words="no figure: named as the improvement that was not built")
# A worker stays with its connection, so the queue must have a place for each of the others. Nothing is said of theirs.
POOL_OPTIONS = ("--queue", "10000")
POOL_WORKERS = 64  # weir's default; theirs is not said

POOL = Published(4601.36, 0.07896, {"read": 270, "timeout": 1170}, words="92,501 answers in all")
EPOLL = Published(33886.30, 0.07194, {"timeout": 1677}, words="680,832 answers in all")


def _row(
    what: str, target: str, published: Published, why: str, workers: int = 1, options: tuple[str, ...] = ()
) -> Row:
    return Row(
        what=what,
        command=COMMAND if published.rate else "",
        published=published,
        target=target,
        server=("--bytes", str(BODY_BYTES), *options),
        arguments=("-t8", "-c10000", "-d20s"),
        quick=("-t8", "-c10000", "-d3s"),
        scenario="1.6 KB, connections kept",
        connections=10_000,
        body_bytes=BODY_BYTES,
        workers=workers,
        why=why,
    )


SEED = Seed(
    name="seed2",
    title="Replay of seed 2: Concurrent Webserver in C++",
    machine="not said",
    rows=(
        _row(
            "Threadpool",
            "weir/thread-pool",
            POOL,
            "A pool's worker stays with its connection, and the others wait in the queue: for more than two seconds, "
            "which wrk counts as timeouts. Ours gives a connection back after a fifth of a second while others wait, "
            "so a client may find its connection closed. Both rows show their errors, and neither would count.",
            workers=POOL_WORKERS,
            options=POOL_OPTIONS,
        ),
        _row(
            "Epoll (blocking sockets, as measured there)",
            "weir/epoll-blocking",
            EPOLL,
            "Theirs left 1,677 answers out for more than two seconds.",
        ),
        _row(
            "Epoll with non-blocking sockets (named as the improvement)",
            "weir/epoll-level",
            NO_FIGURE,
            "It was not measured there.",
        ),
        _row("Reactor (described, not built)", "weir/reactor", NO_FIGURE, "It was not built there.", workers=8),
    ),
    why="Their machine isn't said. Both of their rows have over a thousand timeouts (answers later than two seconds), "
    "so neither would count here: some connections were served at the others' expense.",
)
