"""http1: an edge-triggered loop with the demonstration site, measured by the Rust client with 1 to 16 threads, and by
ten thousand users of Locust."""

from weir_lab.replay.seed import Published, Row, Seed

THREADS = (1, 2, 4, 8, 16)
PICTURE = Published(None, words="a picture only (rps_chart); the text's aim is at least 100,000/s")
TARGETS = (
    ("epoll, edge-triggered, one thread", "weir/epoll-edge", 1),
    ("nginx, worker_processes = 1", "nginx-1", 1),
    ("nginx, worker_processes = 4", "nginx-4", 4),
)


def _row(what: str, target: str, workers: int, threads: int) -> Row:
    command = (
        f"cargo run --release {threads} 500000 http://127.0.0.1:8000"
        if workers == 1 and target.startswith("weir")
        else ""
    )
    published = PICTURE if command else Published(None, words="a picture only, of ten thousand users")
    return Row(
        what=what,
        command=command,
        published=published,
        target=target,
        server=(),
        tool="rps",
        arguments=(str(threads), "500000"),
        quick=(str(threads), "20000"),
        scenario="the demonstration site's first page",
        connections=threads,
        body_bytes=None,
        workers=workers,
    )


def _task(what: str, scenario: str, server: tuple[str, ...], body_bytes: int | None) -> Row:
    return Row(
        what=f"at least 100,000 requests a second: {what}",
        published=Published(100_000, words="the task that it set itself"),
        target="weir/epoll-edge",
        server=server,
        arguments=("-t1", "-c100", "-d10s"),
        quick=("-t1", "-c100", "-d3s"),
        scenario=scenario,
        connections=100,
        body_bytes=body_bytes,
        why="The Rust client takes more CPU for a request than the server does, so on the cores of one machine it "
        "measures itself. wrk takes about as much as the server: one core for each of the two.",
    )


TASK = (
    _task("the first page", "the demonstration site's first page, asked by wrk", (), None),
    _task("1 KB", "1 KB, asked by wrk", ("--bytes", "1024"), 1024),
)

SEED = Seed(
    name="seed1",
    title="Replay of seed 1: http1",
    machine="rate: Intel Core i5-10210U (4 cores), client and server on it; ten thousand users: i7-6500U as the "
    "server, Apple M1 as the client, a cable between",
    rows=tuple(_row(what, target, workers, threads) for what, target, workers in TARGETS for threads in THREADS) + TASK,
    why="Their figures are published as pictures, so there is no number to set beside ours, except the task "
    "itself. Their machine has four "
    "cores for client and server. A thread of the client has one request under way at a time: with few threads it is "
    "the time there and back that is measured. The page isn't theirs: it is this project's first page, the same for "
    "all three servers.",
    seen_beside="10,000 connections at once, as the task it set itself: the users of Locust are so many",
)
