"""Which ports of clients are used up: those of clients that closed first."""

from __future__ import annotations

import socket

from weir_lab.kernel import processes


def connect_and_close(listener: socket.socket, client_first: bool) -> None:
    client = socket.create_connection(listener.getsockname(), 5)
    served, _ = listener.accept()
    first, second = (client, served) if client_first else (served, client)
    first.close()
    assert second.recv(1) == b""  # the end has come: who closed first now waits for the other
    second.close()


def test_who_closes_first_keeps_the_port() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        for _ in range(3):
            connect_and_close(listener, client_first=False)
        assert processes.client_ports_waiting(port) == 0
        for _ in range(2):
            connect_and_close(listener, client_first=True)
        # The last acknowledgement is on its way within this machine, and may be counted a moment later.
        while processes.client_ports_waiting(port) < 2:
            pass
        assert processes.client_ports_waiting(port) == 2
