"""--drain-delay: the server goes on for a time after it was told to stop, and loses nobody then."""

import signal
import socket
import threading
import time
import unittest

from served import ENGINES, PATIENCE_SECONDS, wait_until
from supervised import Supervised, ask, ask_on_a_connection_each

DELAY_SECONDS = 1
DRAINED = ("per-core", "prefork", "thread-pool", "io-uring", "asio")


class Drain(Supervised):
    def test_connections_are_served_until_the_delay_is_over(self):
        for self.engine in [engine for engine in DRAINED if engine in ENGINES]:
            for supervised in (False, True):
                with self.subTest(engine=self.engine, supervised=supervised):
                    self.expect_delay(("--control", self.control) if supervised else ())

    def expect_delay(self, options):
        server = self.serve(self.site, "--drain-delay", f"{DELAY_SECONDS}s", *options)
        ask_on_a_connection_each(server.port, 1)
        begun = time.monotonic()
        server.signal(signal.SIGTERM)
        answered = 0
        while time.monotonic() < begun + DELAY_SECONDS / 2:
            answered += ask_on_a_connection_each(server.port, 1)
        self.assertGreater(answered, 0)
        self.assertEqual(server.wait(), 0)
        self.assertGreaterEqual(time.monotonic() - begun, DELAY_SECONDS)

    def test_a_kept_connection_is_told(self):
        server = self.serve(self.site, "--drain-delay", "500ms")
        with socket.create_connection(("127.0.0.1", server.port), PATIENCE_SECONDS) as kept:
            self.assertFalse(ask(kept)[0])
            server.signal(signal.SIGTERM)
            while not ask(kept)[0]:
                pass
            self.assertEqual(kept.recv(1), b"")
        self.assertEqual(server.wait(), 0)

    def test_a_second_signal_ends_it_at_once(self):
        for options in ((), ("--control", self.control)):
            with self.subTest(options=options):
                server = self.serve(self.site, "--drain-delay", "1h", *options)
                ask_on_a_connection_each(server.port, 1)
                killed = threading.Timer(PATIENCE_SECONDS, server.process.kill)
                killed.start()
                server.signal(signal.SIGTERM)
                ask_on_a_connection_each(server.port, 1)
                server.signal(signal.SIGTERM)
                self.assertEqual(server.wait(), 0)
                killed.cancel()

    def test_a_reload_does_not_wait(self):
        server = self.serve_supervised("--drain-delay", "1h")
        first = self.serving()
        self.assertNotEqual(self.reload(), first)
        self.wait_for_one_generation()
        self.end_at_once(server)

    def end_at_once(self, server):
        """Two signals, which the kernel would make one if they came together."""
        server.signal(signal.SIGTERM)
        wait_until(lambda: "the server stops" in self.tell("status")[1])
        server.signal(signal.SIGTERM)
        self.assertEqual(server.wait(), 0)


if __name__ == "__main__":
    unittest.main()
