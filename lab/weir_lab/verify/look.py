"""One look at something in the middle of a run, from a thread of its own on the generator's cores."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence


class Look:
    """Looks after that many seconds from entering, unless it is left before."""

    def __init__(self, at: Callable[[], list[str]], after_seconds: float, cores: Sequence[int]) -> None:
        self._at, self._after_seconds, self._cores = at, after_seconds, cores
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, name="look", daemon=True)
        self.found: list[str] = []

    def __enter__(self) -> Look:
        self._thread.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._over.set()
        self._thread.join()

    def _look(self) -> None:
        if self._over.wait(self._after_seconds):
            return
        if self._cores:
            os.sched_setaffinity(0, self._cores)  # of this thread alone
        self.found = self._at()
