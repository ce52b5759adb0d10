"""What is done to the server and to its files while it is asked."""

import asyncio
import contextlib
import os
from dataclasses import dataclass, field
from pathlib import Path

from journal import Logged
from server import FORKS, links_of, processes, wait_until

REPLACE_EVERY_SECONDS = 0.1
ROTATE_EVERY_SECONDS = 1.5
FULL_SECONDS = 2.0


@dataclass
class Log:
    """The access log and its rotated files, taken and deleted once no process has them open."""

    folder: Path
    logged: Logged = field(default_factory=Logged)
    rotations: int = 0

    @property
    def path(self):
        return self.folder / "access.log"

    def rotate(self, soaked):
        if not self.path.exists():
            return
        self.rotations += 1
        os.rename(self.path, self.folder / f"access.{self.rotations}")
        soaked.reopen_log()

    def take_closed(self, pid):
        held = {link for process in processes(pid) for link in links_of(process)}
        for rotated in self.folder.glob("access.[0-9]*"):
            if str(rotated) not in held:
                self.take(rotated)

    def take_all(self):
        for file in self.folder.glob("access.*"):
            self.take(file)

    def take(self, file):
        self.logged.take(file.read_text(encoding="latin-1"))
        file.unlink()


async def every(load, seconds, action):
    while load.goes_on():
        await load.pause(min(seconds, max(0.01, load.seconds_left())))
        if load.goes_on():
            action()


async def change_files(load):
    turn = iter(range(1 << 30))
    await every(load, REPLACE_EVERY_SECONDS, lambda: load.folder.replace_next(next(turn)))


async def rotate_log(load, soaked, log):
    def rotate():
        log.take_closed(soaked.pid)
        log.rotate(soaked)

    await every(load, ROTATE_EVERY_SECONDS, rotate)


async def fill_disk(load, log):
    """No log line can be written for a while."""
    await load.pause(load.seconds_left() / 3)
    ballast = log.folder / "ballast"
    with open(ballast, "wb", buffering=0) as file:
        for size in (1 << 20, 1 << 12, 1):
            with contextlib.suppress(OSError):
                while file.write(b"\0" * size) == size:
                    pass
    await load.pause(FULL_SECONDS)
    ballast.unlink()


async def reload(load, soaked):
    await load.pause(load.seconds_left() / 2)
    soaked.reload()


async def kill_worker(load, soaked):
    await load.pause(load.seconds_left() * 2 / 3)
    if soaked.engine in FORKS and (when := soaked.kill_worker()):
        load.kills.append(when)


async def all_of_them(load, soaked, log, *, disk_fills):
    trials = [change_files(load), reload(load, soaked), kill_worker(load, soaked)]
    trials.append(fill_disk(load, log) if disk_fills else rotate_log(load, soaked, log))
    await asyncio.gather(*trials)


def wait_for_log(log):
    wait_until(log.path.exists)
