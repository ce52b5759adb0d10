"""Workers that are processes: one that dies is replaced, a reload replaces them all, and nobody outlives the supervisor."""

import os
import signal
import socket
import tempfile
import threading
import time
import unittest
from http.client import HTTPConnection
from pathlib import Path

from lifecycle_test import SIZE, Download
from served import PATIENCE_SECONDS, EndToEnd, KeptConnection, in_time, links_of, state_of, tcp_sockets, text_of

WORKERS = 2


def until(condition, what):
    """Waits for what comes soon; its first true value."""
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        if value := condition():
            return value
        os.sched_yield()
    raise AssertionError(f"in {PATIENCE_SECONDS} s there was no {what}")


def is_alive(pid):
    """Not so of one that has ended and that nobody has waited for."""
    try:
        return state_of(pid) != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def server_end(connection):
    """As /proc/pid/fd has it: the socket that has our client's two addresses, the other way round."""
    ends = tuple(f"0100007F:{end[1]:04X}" for end in (connection.sock.getpeername(), connection.sock.getsockname()))
    for each in tcp_sockets():
        if (each.own, each.peer) == ends:
            return each.link()
    raise AssertionError("the server has no such connection")


class Load:
    """Clients that ask as fast as they can and retry nothing, each on a thread. Leaving waits for them, and fails if one failed."""

    def __init__(self, *clients):
        self.enough = threading.Event()
        self.errors = []
        self.count = 0
        self.threads = [threading.Thread(target=self._run, args=(client,)) for client in clients]

    def _run(self, client):
        try:
            while not self.enough.is_set():
                client()
                self.count += 1
        except Exception as error:  # pylint: disable=broad-exception-caught
            self.errors.append(repr(error))

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *raised):
        self.enough.set()
        for thread in self.threads:
            thread.join()
        if raised[0] is None:
            assert not self.errors, self.errors
            assert self.count > 0


class Prefork(EndToEnd):
    engine = "prefork"

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        with open(Path(folder.name) / "large.bin", "wb") as file:
            file.truncate(SIZE)
        (Path(folder.name) / "small.txt").write_text("small", encoding="ascii")
        self.folder = folder.name
        self.start_server("10m")

    def start_server(self, stop_timeout, *more):
        self.server = self.serve(self.folder, "--workers", WORKERS, "--stop-timeout", stop_timeout, *more)
        self.wait_for_workers_without(set())

    def workers(self):
        pid = self.server.process.pid
        children = text_of(Path(f"/proc/{pid}/task/{pid}/children"))
        return {child for child in map(int, children.split()) if is_alive(child)}

    def wait_for_workers_without(self, gone):
        def others():
            found = self.workers()
            return found if len(found) == WORKERS and not found & gone else None

        return until(others, "other worker")

    def ask(self, connection):
        connection.request("GET", "/small.txt")
        response = connection.getresponse()
        self.assertEqual((response.status, response.read()), (200, b"small"))
        return response

    def keeping_client(self):
        """Stays with its connection for as long as answers don't say that it ends."""
        kept = None

        def run():
            nonlocal kept
            kept = kept or KeptConnection(self.connect(self.server))
            answer = kept.ask("/small.txt")
            if answer:
                self.assertEqual((answer[0].status, answer[1]), (200, b"small"))
            if not answer or answer[0].will_close:
                kept.connection.close()
                kept = None

        return run

    def closing_client(self):
        def run():
            connection, before = HTTPConnection("127.0.0.1", self.server.port, timeout=PATIENCE_SECONDS), time.monotonic()
            response = in_time(before, lambda: connection.request("GET", "/small.txt", headers={"Connection": "close"}), connection.getresponse)
            if response:
                self.assertEqual(response.read(), b"small")
            connection.close()

        return run

    def connections_by_worker(self):
        """Kept connections, some of each worker's."""
        found = {pid: [] for pid in self.workers()}
        while not all(found.values()):
            connection = self.connect(self.server)
            connection.auto_open = 0
            connection.connect()
            self.ask(connection)
            end = server_end(connection)
            next(owned for pid, owned in found.items() if end in links_of(pid)).append(connection)
        return found

    def test_a_worker_that_is_killed_is_replaced_and_the_others_go_on(self):
        connections = self.connections_by_worker()
        killed, survivor = connections
        with Load(*(lambda each=each: self.ask(each) for each in connections[survivor])):
            os.kill(killed, signal.SIGKILL)
            self.wait_for_workers_without({killed})
            for _ in range(20):
                self.fetch(self.server, "/small.txt")
        with self.assertRaises(OSError):
            self.ask(connections[killed][0])
        self.server.wait_for_line(rf"worker \d \(pid {killed}\) died of SIGKILL")

    def test_a_reload_replaces_all_workers_and_nobody_notices(self):
        with Load(*(self.keeping_client() for _ in range(8)), *(self.closing_client() for _ in range(4))):
            for _ in range(10):
                before = self.workers()
                self.server.signal(signal.SIGHUP)
                self.wait_for_workers_without(before)

    def test_a_worker_keeps_nothing_of_its_siblings(self):
        self.fetch(self.server, "/small.txt")
        before = self.workers()
        self.server.signal(signal.SIGHUP)
        self.wait_for_workers_without(before)
        for pid in self.workers():
            self.assertEqual([link for link in links_of(pid) if "pidfd" in link], [])

    def test_a_reload_finishes_what_is_under_way(self):
        download = Download(self.server)
        self.addCleanup(download.close)
        before = self.workers()
        self.server.signal(signal.SIGHUP)
        until(lambda: len(self.workers() - before) == WORKERS, "new worker")
        until(lambda: len(self.workers() & before) == 1, "end of the worker that has nothing to finish")
        self.assertEqual(download.finish(), SIZE)
        download.close()
        self.wait_for_workers_without(before)

    def test_a_worker_that_keeps_dying_is_reported_and_waited_for(self):
        """One that this test kills late, because the machine is busy, counts as one that served: so kill until it is reported."""
        stays, *_ = self.workers()
        for _ in range(100):
            dies = until(lambda: self.workers() - {stays}, "new worker").pop()
            os.kill(dies, signal.SIGKILL)
            if self.server.wait_for_line(rf"\(pid {dies}\) died of SIGKILL .*").group().endswith("the 3rd time in a row; next try in 400 ms"):
                break
        else:
            self.fail("the 3rd death in a row was not reported")
        self.wait_for_workers_without({dies})

    def test_a_worker_that_is_terminated_finishes_and_is_replaced(self):
        download = Download(self.server)
        self.addCleanup(download.close)
        before = self.workers()
        for pid in before:
            os.kill(pid, signal.SIGTERM)
        until(lambda: len(self.workers() - before) == WORKERS, "new worker")
        self.assertEqual(download.finish(), SIZE)
        self.assertEqual(self.fetch(self.server, "/small.txt")[1], b"small")

    def test_without_a_supervisor_workers_finish_and_end(self):
        download = Download(self.server)
        self.addCleanup(download.close)
        workers = self.workers()
        self.server.process.kill()
        self.server.process.wait()
        self.assertEqual(download.finish(), SIZE)
        download.close()
        until(lambda: not any(map(is_alive, workers)), "end of the workers")
        with self.assertRaises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", self.server.port), PATIENCE_SECONDS)

    def test_what_a_terminal_sends_to_all_is_the_supervisors_to_obey(self):
        download = Download(self.server)
        self.addCleanup(download.close)
        for pid in (*self.workers(), self.server.process.pid):
            os.kill(pid, signal.SIGINT)
        self.assertEqual(download.finish(), SIZE)
        self.assertEqual(self.server.wait(), 0)
        self.assertNotIn("died", "".join(self.server.lines))

    def test_a_worker_that_is_stopped_is_replaced_and_all_are_served(self):
        self.start_server("10m", "--worker-timeout", "10s")  # no other one stands still so long
        stopped = min(self.workers())
        os.kill(stopped, signal.SIGSTOP)
        for _ in range(40):
            self.fetch(self.server, "/small.txt")
        self.server.wait_for_line(rf"worker \d \(pid {stopped}\) has not answered for 10 s")
        self.assertFalse(is_alive(stopped))
        self.wait_for_workers_without({stopped})

    def test_a_worker_that_does_not_end_is_killed(self):
        workers = self.workers()
        for pid in workers:
            os.kill(pid, signal.SIGSTOP)
        self.server.signal(signal.SIGTERM)
        self.server.signal(signal.SIGINT)
        self.assertEqual(self.server.wait(), 0)
        self.assertFalse(any(map(is_alive, workers)))

    def test_a_worker_that_does_not_make_way_is_killed(self):
        self.start_server("100ms")
        before = self.workers()
        os.kill(min(before), signal.SIGSTOP)
        self.server.signal(signal.SIGHUP)
        self.wait_for_workers_without(before)
        self.server.wait_for_line(rf"pid {min(before)}\) died of SIGKILL before finishing its requests")


if __name__ == "__main__":
    unittest.main()
