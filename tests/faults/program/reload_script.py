"""The steps of a server with a supervisor: reloads, in which a generation takes over from another one."""

import contextlib
import os
import signal
import subprocess
import time

from client import Cut, Wrong
from life import until
from script import Script

SUPERVISED = ("per-core", "prefork")  # a supervisor is the same for all engines; this one starts processes of its own
SERVES = ") serves, "  # in the status: "generation 2 (pid 71) serves, weir 0.5.0", but also "no generation serves"
SOON_SECONDS = 1.1  # after a death so soon, the next generation starts later and later, up to 5 s (RestartLimits)
FIELD = 'header = ["/**: X-Generation: {}"]\n'


class ReloadScript(Script):
    life = ("reload_start", "reload_stop")
    libraries = ("toml++",)
    # A generation starts in each step: most of its calls are those of a start.
    allocations_max, calls_max = 100, 12

    @staticmethod
    def options(folder):
        ReloadScript.write(folder, "first")
        return ["--config", ReloadScript.file(folder), "--control", ReloadScript.control(folder), "--ready-timeout", "20s"]

    @staticmethod
    def file(folder):
        return folder / "weir.toml"

    @staticmethod
    def control(folder):
        return f"unix:{folder}/control"

    @staticmethod
    def write(folder, value):
        ReloadScript.file(folder).write_text(FIELD.format(value), encoding="ascii")

    def tell(self, command):
        """What `weir COMMAND` says, and whether it did what was asked."""
        done = subprocess.run([self.life.weir, command, "--control", self.control(self.life.folder)], capture_output=True, text=True,
                              check=False)
        if done.returncode not in (0, 1) or not (done.stdout or done.stderr):
            raise Wrong(f"weir {command} ended with {done.returncode}: {done.stdout}{done.stderr}")
        return done.returncode == 0, (done.stdout or done.stderr).strip()

    def waits(self):
        """A worker serves before its supervisor has heard of it. One that dies then is the end of a first start."""
        until(lambda: SERVES in self.tell("status")[1], "generation that serves")
        self.begun = time.monotonic()

    def generation(self):
        with self.connect() as peer:
            return peer.ask("/small.txt", fields="Connection: close\r\n", body=self.site.small).fields.get("x-generation")

    def step_death(self):
        """The generation dies, and is started again. It has fewer descriptors than one that takes over: so this step is the first."""
        children = self.life.children()
        self.write(self.life.folder, before := self.generation())
        self.life.has_ended(max(0.0, self.begun + SOON_SECONDS - time.monotonic()))
        for child in children:
            with contextlib.suppress(ProcessLookupError):  # one of an earlier generation ends by itself
                os.kill(child, signal.SIGKILL)
        until(lambda: self.serves_anew(children, before), "generation after one that died")
        self.begun = time.monotonic()

    def serves_anew(self, dead, value):
        """Workers of a dead generation answer for a moment, too."""
        try:
            return self.generation() == value and bool(self.life.children()) and not set(dead) & set(self.life.children())
        except Cut:
            return False

    def step_takeover(self):
        value = str(next(self.numbers))
        before = self.generation()
        children = self.life.children()
        self.write(self.life.folder, value)
        is_done, said = self.tell("reload")
        if is_done:
            # The old generation accepts until it has ended: it would answer in the next step.
            until(lambda: not set(children) & set(self.life.children()), "end of the old generation")
            self.begun = time.monotonic()
            if self.generation() != value:
                raise Wrong(f"the new generation does not serve after: {said}")
            return
        if self.life.was_struck():
            self.keeps(before, value, said)
        raise Cut(said)

    def keeps(self, before, value, said):
        """The old generation goes on; or it died by the fault, and the next one reads the file."""
        if self.generation() not in (before, value):
            raise Wrong(f"neither the old generation nor the next one serves after: {said}")

    def step_wrong_file(self):
        before = self.generation()
        self.write(self.life.folder, '"]\nprot = 7\n#')
        is_done, said = self.tell("reload")
        if is_done:
            raise Wrong("a wrong file was followed")
        if self.generation() != before:
            raise Cut(f"another generation serves after: {said}")

    def step_status(self):
        is_done, said = self.tell("status")
        if not is_done:
            raise Cut(said)
        if SERVES not in said:
            raise Wrong(f"its status: {said}")

    @classmethod
    def names(cls, engine):
        return cls.own_names() if engine in SUPERVISED else []
