"""A locustfile: many users stay connected, and each asks for the first page every ten seconds.

Ten thousand users then make ten thousand connections and a thousand requests a second, which one Locust process can do.
If they asked as soon as they are answered, they would only measure Locust."""

from __future__ import annotations

import socket
from select import POLLIN

from gevent.monkey import get_original
from geventhttpclient.connectionpool import ConnectionPool

from locust import FastHttpUser, constant_pacing, task

EVERY_SECONDS = 10.0
poll = get_original("select", "poll")  # Locust replaces it by gevent's, which must wait for gevent's loop


def is_still_connected(_pool: ConnectionPool, sock: socket.socket | None) -> bool:
    """Whether a connection of the pool may be used again. On an idle connection nothing can be read, not even its end.
    The pool's own test is select(2), which cannot take a descriptor above 1,023. It takes each of those for closed, and
    opens a new connection for every request."""
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
