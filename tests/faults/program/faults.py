"""Which faults there are, and what must hold when one strikes."""

import signal
import zlib
from dataclasses import dataclass

import calls
from client import PATIENCE_SECONDS, Cut, Wrong
from folder_script import FolderScript
from life import Life, until
from reload_script import ReloadScript
from script import Script
from secure_script import SecureScript
from webdav_script import WebDavScript

# What is the same for all engines is failed under this one.
FIRST_ENGINE = "per-core"
SCRIPTS = {"plain": Script, "tls": SecureScript, "folder": FolderScript, "reload": ReloadScript, "webdav": WebDavScript}
STARTS = {script.life[0]: script for script in SCRIPTS.values()}
STOPS = {script.life[1]: script for script in SCRIPTS.values()}
LIVES = STARTS | STOPS  # steps that need a life each
SCRIPT_OF = LIVES | {step: script for script in SCRIPTS.values() for step in script.own_names()}
LIFE_MAX = 400  # of a kind in one of LIVES: each of these faults takes a start and a stop
OTHERS_LIFE_MAX = 12  # as others_max of a script
ALLOCATIONS_MAX_ONCE = 15  # where a script fails a part of them
QUIET_CALLS_MAX = 60
LEAK = "LeakSanitizer: detected memory leaks"
# Each worker of prefork opens a file when it is first asked for it.
CACHED_BY_WORKERS = 16


@dataclass(frozen=True)
class Fault:
    engine: str
    step: str  # of the script, or one of LIVES
    key: int
    error: int
    nth: int

    def __str__(self):
        return f"{self.engine}: {self.step}: {calls.name_of(self.key)} #{self.nth} {calls.ERROR_NAMES[self.error]}"

    def command(self):
        return (f"./run faults --engine {self.engine} --step {self.step} --call {calls.name_of(self.key)} "
                f"--errno {calls.ERROR_NAMES[self.error]} --nth {self.nth}")


@dataclass
class Plan:
    """What was asked for; None is all of it."""

    steps: list | None = None
    calls: list | None = None
    errnos: list | None = None
    nth: int | None = None
    scripts: tuple = tuple(SCRIPTS.values())
    left_out: tuple = ()  # steps
    once: bool = False  # each call of a step once, with its first errno; but all allocations of a running server, once

    def faults(self, engine, step, counts):
        """`counts`: how often each call is made in the step."""
        for key, count in counts.items():
            name = calls.name_of(key)
            if (self.calls and name not in self.calls) or (name == "allocation" and step in SCRIPT_OF[step].no_allocations):
                continue
            for nth in self.numbers(engine, name, step, count):
                for error in self.errors(engine, name, step, nth):
                    yield Fault(engine, step, key, error, nth)

    def fails_once(self, engine, name, step):
        return self.once and not (name == "allocation" and engine == FIRST_ENGINE and step not in LIVES)

    def numbers(self, engine, name, step, count):
        """Of the calls that fail: all of them, or as many as the script allows, evenly spread."""
        if self.nth or self.fails_once(engine, name, step):
            return [self.nth or 1]
        stride = self.stride(engine, name, step, count)
        return range(1 + turn(engine, step) % stride, count + 1, stride)

    def errors(self, engine, name, step, nth):
        """Under engines other than the first, a call that is not an engine's own fails with one of its errnos, in turn."""
        wanted = [code for code in calls.FAILS.get(name, []) if not self.errnos or calls.ERROR_NAMES[code] in self.errnos]
        if not wanted or self.fails_once(engine, name, step):
            return wanted[:1]
        if self.errnos or engine == FIRST_ENGINE or name in calls.OF_ENGINES:
            return wanted
        return [wanted[(turn(engine, step) + nth) % len(wanted)]]

    def stride(self, engine, name, step, count):
        script = SCRIPT_OF[step]
        limits = [script.allocations_max if name == "allocation" else script.calls_max, LIFE_MAX if step in LIVES else None]
        if engine != FIRST_ENGINE and name not in calls.OF_ENGINES:
            limits.append(OTHERS_LIFE_MAX if step in LIVES else script.others_max)
        if self.once and name == "allocation" and script.allocations_max:
            limits.append(ALLOCATIONS_MAX_ONCE)
        return -(-count // min(limit or count for limit in limits))

    def has(self, step):
        return step not in self.left_out and (not self.steps or step in self.steps)


def turn(engine, step):
    """Where an engine begins in what takes turns: another place for each, and the same one in each run."""
    return zlib.crc32(f"{engine} {step}".encode())


class Running:
    """The faults in a running server, one after the other in the same life. A life that has failed is replaced."""

    def __init__(self, bench, engine, script):
        self.bench, self.engine, self.kind = bench, engine, script
        self.life, self.slowly = None, False

    def begin(self):
        self.end()
        self.life = self.bench.begin(self.engine, self.kind, self.slowly)
        script = self.kind(self.life, self.bench.site)
        script.waits()
        self.steps = script.steps()
        for _ in range(2):  # all that is made once and kept is there then
            for name, step in self.steps.items():
                try:
                    step()
                except Cut as cut:
                    raise Wrong(f"{name}: {cut}\n{self.life.text()}") from None
        self.descriptors = self.life.descriptors() + (CACHED_BY_WORKERS if self.engine == "prefork" else 0)
        self.memory = self.life.memory_mib()

    def end(self):
        if self.life:
            self.life.kill()
            self.life = None

    def other(self):
        """Another client, of whom the step knows nothing."""
        serves(self.bench, self.life)

    def counted(self, step):
        """What a step and what follows it call, at most."""
        most = {}
        for _ in range(2):
            before = self.life.orders.counts()
            self.steps[step]()
            self.other()
            after = self.life.orders.counts()
            for key in after:
                most[key] = max(most.get(key, 0), after[key] - before.get(key, 0))
        return {key: count for key, count in most.items() if count}

    def strike(self, fault):
        """True where the fault was reached. Raises Wrong for what must not be."""
        life = self.life
        life.orders.arm(fault)
        tolerated = None
        try:
            self.steps[fault.step]()
        except Cut as cut:
            tolerated = cut
        struck = life.orders.get("hits") > 0
        if tolerated and not struck:
            raise Wrong(f"without a fault: {tolerated}")
        try:
            self.other()
        except Cut as cut:
            if struck:
                life.look_for_reports()
                raise Wrong(f"the other client: {cut}") from None
        life.orders.clear()
        self.holds(fault)
        return life.orders.get("hits") > 0

    def holds(self, fault):
        """Afterwards all is as before."""
        try:
            self.steps[fault.step]()
            self.other()
        except Cut as cut:
            raise Wrong(f"afterwards: {cut}") from None
        finally:
            self.life.look_for_reports()
        until(lambda: self.life.descriptors() <= self.descriptors,
              f"return from {self.life.descriptors()} to {self.descriptors} descriptors")

    def stops(self):
        stops(self.life)

    def rests(self):
        """Nothing spins."""
        until(self.is_quiet, f"100 ms with {QUIET_CALLS_MAX} calls at most, in which nobody asks")

    def is_quiet(self):
        """What the last step left behind may take its time to end."""
        before = self.life.orders.total()
        self.life.has_ended(0.1)
        return self.life.orders.total() - before <= QUIET_CALLS_MAX


def begin_and_stop(bench, engine, fault):
    """The faults that need a life each: those of its start and of its end. True where it was reached. If there is a leak, another
    life tells whose it is, slowly."""
    try:
        return begin_and_stop_once(bench, engine, fault, slowly=False)
    except Wrong as wrong:
        if LEAK not in str(wrong) or not LIVES[fault.step].unwinds_slowly:
            raise
    return begin_and_stop_once(bench, engine, fault, slowly=True)


def begin_and_stop_once(bench, engine, fault, slowly):
    at_start = fault.step in STARTS
    life = Life(bench.tools, bench.site.root, bench.folder, engine, fault if at_start else None, script=LIVES[fault.step], slowly=slowly)
    try:
        if not life.begins():
            if life.orders.get("hits") == 0:
                raise Wrong("it does not start: " + life.text())
            refused(life)
            return True
        if at_start:
            serves_after_start(bench, life)
        else:
            serves(bench, life)
            life.orders.arm(fault)
        stops(life)
        return life.orders.get("hits") > 0
    finally:
        life.kill()


def serves(bench, life):
    with life.connect() as peer:
        peer.ask("/small.txt", body=bench.site.small)


def serves_after_start(bench, life):
    """What was still to start may have been struck: the first client may lose its connection by that."""
    try:
        serves(bench, life)
    except Cut as cut:
        if life.orders.get("hits") == 0:
            raise Wrong(f"without a fault: {cut}") from None
        if life.has_ended(0.2):
            return  # it began to listen, and had to give up: end() says how
    life.orders.clear()
    if not life.has_ended():
        try:
            serves(bench, life)
        except Cut as cut:
            if not life.has_ended(PATIENCE_SECONDS):
                raise Wrong(f"afterwards: {cut}") from None


def refused(life):
    """It ended by itself: with a sentence, and the status for that."""
    status = life.end()
    life.read_to = 0
    life.look_for_reports()
    says_why = "weir" in life.text() or life.ended_by_others()
    if status != 1 or not says_why:
        raise Wrong(f"exit status {status}: {life.text() or 'not a word'}")


def stops(life):
    if life.has_ended():
        refused(life)
        return
    life.signal(signal.SIGTERM)
    status = life.end()
    life.look_for_reports()
    if status not in (0, 1) or (status == 1 and not life.orders.get("hits")):
        raise Wrong(f"exit status {status} at the stop: {life.text()}")


def life_counts(bench, engine, script):
    """What the start and the end call: two dictionaries."""
    life = Life(bench.tools, bench.site.root, bench.folder, engine, script=script)
    try:
        if not life.begins():
            raise Wrong("it does not start: " + life.text())
        serves(bench, life)
        start = life.orders.counts()
        earlier = life.orders.counts_before_listening()
        stops(life)
        end = life.orders.counts()
        return earlier, start, {key: end[key] - start.get(key, 0) for key in end if end[key] > start.get(key, 0)}
    finally:
        life.kill()


def numbered_from(faults, earlier):
    """Without those that come before the first listen(2): what does is the same for all engines."""
    return (fault for fault in faults if fault.nth > earlier.get(fault.key, 0))
