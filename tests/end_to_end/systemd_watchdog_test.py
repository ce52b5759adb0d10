"""The watchdog of systemd hears from weir while its loops turn (sd_watchdog_enabled(3))."""

import os
import signal
import threading
import unittest

from served import ENGINES, PATIENCE_SECONDS, fetch
from service_manager import Managed

PERIOD = 1  # seconds, of the watchdog
ALIVE = "WATCHDOG=1"
# The other engines have the loop of per-core, or threads that may wait and are not asked.
LOOPS = {"per-core", "io-uring", "asio"}


class Watched(Managed):
    def variables(self, period=PERIOD):
        return {"NOTIFY_SOCKET": self.heard.place, "WATCHDOG_USEC": str(period * 1_000_000)}

    def test_it_hears_from_each_engine(self):
        for self.engine in ENGINES:
            with self.subTest(engine=self.engine):
                server = self.start("serve", self.top, "--port", "0", "--engine", self.engine, **self.variables())
                self.heard.wait_for("READY=1")
                self.heard.wait_for(ALIVE)
                server.signal(signal.SIGTERM)
                self.heard.wait_for("STOPPING=1")
                self.assertEqual(server.wait(), 0)

    def test_a_loop_that_hangs_says_nothing(self):
        for self.engine in sorted(LOOPS & set(ENGINES)):
            with self.subTest(engine=self.engine):
                server = self.start("target", "--port", "0", "--engine", self.engine, "--sleep", f"{4 * PERIOD}s", **self.variables())
                port = int(self.heard.wait_for("READY=1")["STATUS"].rpartition(":")[2])
                self.heard.wait_for(ALIVE)
                client = threading.Thread(target=fetch, args=(port, "/"))
                client.start()
                self.heard.wait_for_silence(2 * PERIOD)
                client.join(PATIENCE_SECONDS)
                self.heard.wait_for(ALIVE)  # the loop turns again
                server.stop()

    def test_a_handler_of_a_pool_hangs_alone(self):
        server = self.start("target", "--port", "0", "--engine", "reactor", "--sleep", f"{3 * PERIOD}s", **self.variables())
        port = int(self.heard.wait_for("READY=1")["STATUS"].rpartition(":")[2])
        client = threading.Thread(target=fetch, args=(port, "/"))
        client.start()
        for _ in range(4):
            self.heard.wait_for(ALIVE)
        client.join(PATIENCE_SECONDS)
        server.stop()

    def test_a_supervisor_passes_on_the_signs_of_its_generation(self):
        server = self.start("serve", self.top, "--port", "0", "--control", f"unix:{self.top}/control", **self.variables())
        status = self.heard.wait_for("READY=1")["STATUS"]
        generation = int(status.partition("pid ")[2].partition(")")[0])
        for _ in range(2):
            self.heard.wait_for(ALIVE)
        os.kill(generation, signal.SIGSTOP)
        self.heard.wait_for_silence(2 * PERIOD)
        os.kill(generation, signal.SIGKILL)  # now no generation serves, and the supervisor waits for the next one
        self.heard.wait_for(ALIVE)
        server.signal(signal.SIGTERM)
        self.assertEqual(server.wait(), 0)

    def test_a_watchdog_of_another_process_hears_nothing(self):
        server = self.start("serve", self.top, "--port", "0", WATCHDOG_PID="1", **self.variables())
        self.heard.wait_for("READY=1")
        self.heard.wait_for_silence(2 * PERIOD)
        server.signal(signal.SIGTERM)
        self.assertEqual(server.wait(), 0)


if __name__ == "__main__":
    unittest.main()
