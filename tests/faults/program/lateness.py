"""Whether the machine kept this process from running: then timeouts of the server may have ended, which is no fault of the server."""

import threading
import time

LOOK_SECONDS = 0.1
LATE_SECONDS = 1  # half of the server's timeouts


class Lateness:
    """A thread that should wake up ten times a second."""

    def __init__(self):
        self.never = threading.Event()
        self.last = float("-inf")  # time at which it woke up late
        threading.Thread(target=self._look, daemon=True).start()

    def _look(self):
        looked = time.monotonic()
        while True:
            self.never.wait(LOOK_SECONDS)
            now = time.monotonic()
            if now - looked > LATE_SECONDS:
                self.last = now
            looked = now

    def was_since(self, when):
        """What keeps this thread from running may have kept it from noticing, too."""
        self.never.wait(2 * LOOK_SECONDS)
        return self.last > when
