"""A locustfile: many users who stay connected and ask for the first page every ten seconds each.

So ten thousand of them are ten thousand connections and a thousand requests a second, which one Locust process can hold: users who ask
as soon as they are answered would only measure Locust.
"""

from __future__ import annotations

import socket
from select import POLLIN

from gevent.monkey import get_original
from geventhttpclient.connectionpool import ConnectionPool

from locust import FastHttpUser, constant_pacing, task

EVERY_SECONDS = 10.0
poll = get_original("select", "poll")  # Locust has put gevent's in its place, which needs a turn of gevent's loop


def is_still_connected(_pool: ConnectionPool, sock: socket.socket | None) -> bool:
    """Whether a connection of the pool may be used again: one that is idle has nothing to read, not even an end.

    The pool's own test is select(2), which knows no descriptor past 1,023: each of those passes for dead, and is opened anew for every
    request.
    """
    if sock is None or sock.fileno() < 0:
        return False
    looked_at = poll()
    looked_at.register(sock.fileno(), POLLIN)
    return not looked_at.poll(0)


ConnectionPool._is_socket_alive = is_still_connected  # type: ignore[method-assign,assignment]


class PageUser(FastHttpUser):
    wait_time = constant_pacing(EVERY_SECONDS)

    @task
    def first_page(self) -> None:
        self.client.get("/index.html")
