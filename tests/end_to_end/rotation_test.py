"""A log that was renamed is opened again at once, also by the process of a connection that is kept."""

import signal
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory

from served import EndToEnd, for_each_engine, wait_until

KEEPS_NO_CONNECTION = ("prefork", "blocking")  # beyond a reload, or while another client waits


class WithLog(EndToEnd):
    def setUp(self):
        holder = TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        (self.folder / "site").mkdir()
        (self.folder / "site" / "a.txt").write_text("a", encoding="ascii")
        self.log = self.folder / "log"
        self.server = self.serve(self.folder / "site", "--access-log", self.log)

    def ask(self, connection, query):
        connection.request("GET", f"/a.txt?{query}")
        self.assertEqual(connection.getresponse().read(), b"a")

    def has(self, name, query):
        wait_until(lambda: f"?{query} " in (self.folder / name).read_text(encoding="ascii"))

    def rotate(self, number, name):
        self.log.rename(self.folder / name)
        self.server.signal(number)
        wait_until(self.log.exists)  # without a request

    def check(self, number):
        kept = self.connect(self.server)
        self.ask(kept, "before")
        self.rotate(number, "log.1")
        if self.engine not in KEEPS_NO_CONNECTION:
            self.ask(kept, "kept")
            self.has("log", "kept")
        wait_until(self.goes_to_the_new_file)
        self.has("log.1", "before")

    def goes_to_the_new_file(self):
        """Not the first time with prefork: a worker that is not replaced yet may serve it."""
        self.assertEqual(self.fetch(self.server, "/a.txt?new")[1], b"a")
        return "?new " in self.log.read_text(encoding="ascii")


@for_each_engine
class Rotation(WithLog):
    def test_goes_on_in_the_new_file(self):
        self.check(signal.SIGUSR1)


class OfEachConnection(WithLog):
    engine = "fork-per-connection"

    def test_on_sighup(self):
        self.check(signal.SIGHUP)

    def test_a_log_that_cannot_be_opened_again_is_told(self):
        self.log.unlink()
        self.log.mkdir()
        self.server.signal(signal.SIGUSR1)
        self.ask(self.connect(self.server), "lost")
        self.server.wait_for_line("a line of a log was dropped")


if __name__ == "__main__":
    unittest.main()
