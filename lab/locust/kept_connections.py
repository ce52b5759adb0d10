"""Lets Locust keep more than a thousand connections: imported by each locustfile here.

Locust's pool of connections asks select(2) whether a connection may be used again. select cannot take a descriptor
above 1,023. The pool takes each of those for closed, and opens a new connection for every request. poll(2) takes all
descriptors."""

from __future__ import annotations

import socket
from select import POLLIN

from gevent.monkey import get_original
from geventhttpclient.connectionpool import ConnectionPool

poll = get_original("select", "poll")  # Locust replaces it by gevent's, which must wait for gevent's loop


def is_still_connected(_pool: ConnectionPool, sock: socket.socket | None) -> bool:
    """Whether a connection of the pool may be used again. On an idle connection nothing can be read, not even its
    end."""
    if sock is None or sock.fileno() < 0:
        return False
    looked_at = poll()
    looked_at.register(sock.fileno(), POLLIN)
    return not looked_at.poll(0)


ConnectionPool._is_socket_alive = is_still_connected  # type: ignore[method-assign,assignment]
