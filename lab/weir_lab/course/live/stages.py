"""The stages of the load, in the order in which they are told. What they say is true of all engines."""

from dataclasses import dataclass

from weir_lab.course.live.clients import Client, asking, busy, idle, slow

HANDLER_MS = 2  # each request sleeps so long, as if it asked a database


@dataclass(frozen=True)
class Stage:
    title: str
    about: str  # the clients of this stage, and where to look
    clients: dict[Client, int]


STAGES = (
    Stage(
        "Few clients",
        "Two clients ask about ten times a second each. Look at the requests per second: does each of the two get its "
        "answers? An engine that serves one connection at a time leaves the other one in the kernel, although it has "
        "hardly anything to do.",
        {asking: 2},
    ),
    Stage(
        "Many idle clients",
        "200 more clients have had an answer and keep their connections, silent. Look at the connections: how many are "
        "open, and how many wait in the kernel? Does anybody still answer the two clients that ask?",
        {asking: 2, idle: 200},
    ),
    Stage(
        "Slow clients",
        "20 clients send half of a request: the line that ends it never comes. Look at the requests per second of the "
        "two clients that ask. Which of the drawings has a thread that waits for one client, while others wait for it?",
        {asking: 2, slow: 20},
    ),
    Stage(
        "Many busy clients",
        f"64 clients ask again as soon as they have an answer, and each request sleeps for {HANDLER_MS} ms. Look at "
        "the requests under way: how many go on at the same time? And at the delay of the loops: a handler that sleeps "
        "on a loop keeps it from all other clients.",
        {busy: 64},
    ),
)
