"""simple-web-server: epoll in four processes, kept and closed connections, measured by wrk."""

from weir_lab.replay.seed import Published, Row, Seed

# 213.45 MB for 964,738 answers: 232 bytes each, with its head. Our head has 103 bytes.
BODY_BYTES = 129
MEMORY_BYTES = 16_000_000  # "it uses 16MB of memory": at which load, and counted how, it doesn't say
CLOSE = ("-H", "Connection: close")


def _row(keep_alive: bool, connections: int, rate: float, mean_seconds: float, why: str) -> Row:
    close = () if keep_alive else CLOSE
    said = f"wrk -t2 -c{connections} -d5s http://127.0.0.1:9999"
    return Row(
        what=f"epoll in 4 processes, Connection: {'keep-alive' if keep_alive else 'close'}",
        command=said,
        published=Published(rate, mean_seconds, memory_bytes=MEMORY_BYTES),
        target="weir/prefork",
        server=("--bytes", str(BODY_BYTES)),
        arguments=("-t2", f"-c{connections}", "-d5s", *close),
        quick=("-t2", f"-c{connections}", "-d2s", *close),
        scenario=f"129 bytes, connections {'kept' if keep_alive else 'closed'}",
        connections=connections,
        body_bytes=BODY_BYTES,
        keep_alive=keep_alive,
        workers=4,
        why=why,
    )


def _two_sends(kind: str, published: Published, why: str) -> Row:
    return Row(
        what=f"head and body sent apart, {'without TCP_NODELAY' if kind == 'nagle' else 'with it'}",
        published=published,
        target=f"two-sends/{kind}",
        server=("two-sends",),
        arguments=("-t2", "-c10", "-d5s"),
        quick=("-t2", "-c10", "-d2s"),
        scenario="129 bytes, head and body sent apart",
        connections=10,
        body_bytes=BODY_BYTES,
        why=why,
    )


SEED = Seed(
    name="seed3",
    title="Replay of seed 3: simple-web-server",
    machine="Linux 5.0, Ryzen 2700X at 3.7 GHz (8 cores), 16 GB; 4 processes",
    rows=(
        _row(
            True,
            10_000,
            189056.92,
            0.02454,
            "Ten thousand sockets no longer fit a core's caches: both are slower than at a hundred.",
        ),
        _row(
            True,
            100,
            265087.32,
            315.72e-6,
            "The kernel's part of a request, some 5 µs, is what cores are divided by: theirs had eight, and six of "
            "them free of wrk.",
        ),
        _row(
            False,
            100,
            67645.70,
            508.16e-6,
            "Opening and closing cost more than the answer, and all of it is the kernel's.",
        ),
        _row(False, 10_000, 55922.15, 0.03223, "As above; and each closed connection stays in TIME_WAIT for a minute."),
        _two_sends(
            "nagle",
            Published(200, words="about, as its text says; for how many connections, it doesn't"),
            "The body waits for the head's acknowledgement, which the client puts off by 40 ms: 25 requests a second "
            "on each connection, whatever the machine.",
        ),
        _two_sends(
            "nodelay",
            Published(None, words="about 200,000/s, by its text, with its own server"),
            "A small responder in Python, to show what the switch does; its rate is no server's.",
        ),
    ),
    why="Eight cores there, of which wrk had two and the server four; here server and client share all. The options "
    "that made its connections close aren't in its text; wrk's header asks for it here. Nagle's algorithm held its "
    "kept connections to about 200 requests/s until TCP_NODELAY was set; weir sets it, and sends head and body in one "
    "call besides, so that there is nothing for Nagle to hold back. Its 16 MB of memory are one figure for all "
    "rows; ours is the Pss of all processes in the middle of the run, in which shared pages count once.",
)
