"""http-server-primitives: three architectures with a handler that sleeps for 1 ms, measured by ab."""

from weir_lab.replay.seed import Published, Row, Seed

# Requests per second, and "Time per request" in milliseconds (the first of the two), at 1, 10, 100 and 500 at once.
PUBLISHED = {
    ("1. Blocking socket, single thread", "weir/blocking"): {
        1: (612.79, 1.632),
        10: (717.77, 13.932),
        100: (727.85, 137.391),
        500: (723.90, 690.705),
    },
    ("2. Blocking socket, thread-per-connection", "weir/thread-per-connection"): {
        1: (601.68, 1.662),
        10: (4414.40, 2.265),
        100: (18641.55, 5.364),
        500: (12107.30, 41.297),
    },
    ("3. Non-blocking socket, thread-per-connection", "weir/select-threads"): {
        1: (599.18, 1.669),
        10: (4908.36, 2.037),
        100: (9059.35, 11.038),
        500: (11811.54, 42.331),
    },
}

WHY = {
    "weir/blocking": "One thread that sleeps for 1 ms a request can't pass 1,000/s on any machine; what is missing to "
    "that is the timer's slack, the connection and the turn of the scheduler, which Linux and macOS do differently.",
    "weir/thread-per-connection": "Sleeping threads cost no core, so the rate grows with them until starting a thread "
    "for each request takes all cores: there are two here, shared with ab, and were four there.",
    "weir/select-threads": "As with a thread for each connection, and select() before it, so one system call more.",
}


def _row(what: str, target: str, connections: int, published: tuple[float, float]) -> Row:
    rate, milliseconds = published
    return Row(
        what=what,
        command=f"ab -n 10000 -c {connections} http://127.0.0.1:8080/",
        published=Published(rate, milliseconds / 1e3),
        target=target,
        server=("--sleep", "1ms", "--bytes", "1024", "--close"),
        tool="ab",
        arguments=("-n", "10000", "-c", str(connections)),
        quick=("-n", str(max(1000, 2 * connections)), "-c", str(connections)),
        scenario="a handler that sleeps for 1 ms, 1 KB, then close",
        connections=connections,
        body_bytes=1024,
        keep_alive=False,
        why=WHY[target],
    )


SEED = Seed(
    name="seed0",
    title="Replay of seed 0: HTTP Server Primitives",
    machine="macOS 10.12.6, 2.2 GHz Intel Core i7 (4 cores), 16 GB; client and server on it",
    rows=tuple(
        _row(what, target, connections, published)
        for (what, target), by_connections in PUBLISHED.items()
        for connections, published in by_connections.items()
    ),
    why="Another machine, another system: theirs is macOS with four cores. ab speaks HTTP/1.0 and opens a connection "
    "for each request, so that connecting is most of the work once nobody waits for the sleep. With 500 at once theirs "
    "may have met macOS' backlog of 128, which its text names among its issues; here the backlog follows the system's "
    "limit.",
)
