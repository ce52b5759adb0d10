#!/usr/bin/env python3
"""`soak.py MINUTES [ENGINE...]`: every engine in turn is asked for small and large files, for stretches, wrongly, by slow
peers and by peers that leave, while files change, logs rotate, disks fill and workers die. Each body is compared, each line
of the log is accounted for; memory, descriptors and threads must stay flat. Half of the time goes by TLS and HTTP/2. Leaves
build/soak/report.md."""

import argparse
import asyncio
import random
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import http2_peers
import peers
import trials
from folder import Folder
from journal import Journal, account
from server import ENGINES, HAS_TLS, NEXT_REQUEST_SECONDS, SERVE_ONE_AT_A_TIME, SOURCE, Soaked

ROUND_SECONDS = 15
ROUNDS_MIN = 4
LOST_BEFORE_KILL_SECONDS = 1.5  # lines wait in a worker's memory for 200 ms, longer while a disk is full
IN_NAMESPACE = "--in-namespace"

MANY = [(peers.keeper, 12), (peers.mistaken, 2), (peers.downloader, 4), (peers.ranger, 3), (peers.pipeliner, 3),
        (peers.leaver, 4), (peers.slow_writer, 2), (peers.slow_reader, 2)]
# In each fourth round besides: the server bears one of these for as long as it keeps a connection, and the round waits.
MANY_SILENT = [(peers.silent, 2)]
ONE_AT_A_TIME = [(peers.keeper, 2), (peers.mistaken, 1), (peers.downloader, 1), (peers.ranger, 1), (peers.pipeliner, 1),
                 (peers.leaver, 1), (peers.slow_writer, 1), (peers.slow_reader, 1)]
# With TLS, these besides.
MANY_HTTP2 = [(http2_peers.keeper, 3), (http2_peers.downloader, 2), (http2_peers.canceler, 2)]
ONE_HTTP2 = [(http2_peers.keeper, 1), (http2_peers.downloader, 1), (http2_peers.canceler, 1)]


@dataclass
class Result:
    engine: str
    tls: bool
    journal: Journal
    logged: object
    uses: list = field(default_factory=list)
    faults: list = field(default_factory=list)
    seconds: float = 0

    @property
    def name(self):
        return f"{self.engine}, TLS" if self.tls else self.engine


def soak(engine, seconds, rounds_min, *, tls, mounted, say):
    """One engine, for so long."""
    with tempfile.TemporaryDirectory(prefix="soak-") as place:
        folder, log = Folder(Path(place) / "root"), trials.Log(Path(place) / "log")
        folder.root.mkdir()
        log.folder.mkdir()
        if mounted:
            subprocess.run(["mount", "-t", "tmpfs", "-o", "size=48m", "soak", log.folder], check=True)
        try:
            folder.fill()
            return soak_served(Result(engine, tls, Journal(), log.logged), seconds, rounds_min, folder, log, mounted=mounted, say=say)
        finally:
            if mounted:
                subprocess.run(["umount", "-l", log.folder], check=False)


def soak_served(result, seconds, rounds_min, folder, log, *, mounted, say):
    begun = time.monotonic()
    soaked = Soaked(result.engine, folder.root, log.path, state=log.folder.parent / "state" if result.tls else None)
    kills = []
    rounds = max(rounds_min, round(seconds / ROUND_SECONDS))
    try:
        soaked.note_start()
        for number in range(rounds):
            until = time.monotonic() + seconds / rounds
            silent = MANY_SILENT if number % ROUNDS_MIN == 0 else []
            asyncio.run(one_round(soaked, folder, log, result, until, kills, silent, mounted and number % 3 == 1))
            result.uses.append(soaked.quiet())
            say(f"{result.name}: round {number + 1} of {rounds}: {result.journal.asked} requests, "
                f"{result.uses[-1].kib >> 10} MiB, {len(result.journal.faults)} faults")
        result.faults += faults_of_stop(soaked.stop(), soaked.server.lines)
    except AssertionError as failed:
        result.faults.append(f"{failed}; it uses {soaked.use()}")
    finally:
        soaked.server.stop()
    log.take_all()
    judge(result, kills, soaked.server.lines)
    result.seconds = time.monotonic() - begun
    return result


async def one_round(soaked, folder, log, result, until, kills, silent, disk_fills):
    late = NEXT_REQUEST_SECONDS.get(soaked.engine, peers.SHORTEST_TIMEOUT_SECONDS) * peers.LATE
    load = peers.Load(soaked.server.host, soaked.server.port, folder, result.journal, until, random.Random(), late, kills,
                      tls=result.tls)
    serves_one = soaked.engine in SERVE_ONE_AT_A_TIME
    counts = ONE_AT_A_TIME if serves_one else MANY + silent
    if result.tls:
        counts = counts + (ONE_HTTP2 if serves_one else MANY_HTTP2)
    await asyncio.gather(peers.run(load, counts), trials.all_of_them(load, soaked, log, disk_fills=disk_fills))


def faults_of_stop(status, lines):
    """Nothing is under way. A loop that a busy machine does not run may leave it open what there is to finish."""
    waited = [line for line in lines if line.startswith("finishing ") and "the requests in progress" not in line]
    return [f"the stop ended with status {status}, and said: {waited}"] if status != 0 or waited else []


def judge(result, kills, lines):
    lost_may_be = result.journal.answered_around(kills, LOST_BEFORE_KILL_SECONDS, 0.5)
    result.faults += result.journal.faults + account(result.journal, result.logged, lost_may_be, cut_may_be=len(kills))
    result.faults += flatness(result.uses)
    result.faults += [f"it said: {line}" for line in lines if "Sanitizer" in line or "terminate called" in line]
    if result.journal.bytes_compared == 0:
        result.faults.append("nothing was compared")


def flatness(uses):
    """The first round warms up. What comes after must not grow."""
    if len(uses) < ROUNDS_MIN:
        return []
    base, last = uses[1], uses[-1]
    faults = []
    if last.kib > base.kib * 1.15 + 2048:
        faults.append(f"memory grew from {base.kib} KiB to {last.kib} KiB")
    if last.descriptors > base.descriptors:
        faults.append(f"descriptors grew from {base.descriptors} to {last.descriptors}")
    if last.threads > base.threads:
        faults.append(f"threads grew from {base.threads} to {last.threads}")
    return faults


def report(results, disk):
    lines = ["# Soak", "", f"{sum(r.seconds for r in results) / 60:.0f} minutes; the disk that fills: {disk}.", "",
             "| engine | s | requests | answers | MiB compared | log lines | dropped, told | MiB | descriptors | threads | faults |",
             "|---|---|---|---|---|---|---|---|---|---|---|"]
    lines += [row(result) for result in results]
    lines += ["", "What the peers met:", ""]
    lines += [f"- {r.name}: " + ", ".join(f"{count} {what}" for what, count in r.journal.outcomes.most_common()) for r in results]
    lines += ["", *(f"- **{r.name}**: {fault}" for r in results for fault in r.faults[:20])]
    return "\n".join(lines) + "\n"


def row(result):
    def first_last(name, divisor=1):
        values = [getattr(use, name) // divisor for use in result.uses]
        return f"{values[1]} to {values[-1]}" if len(values) > 1 else "?"

    log_lines = sum(result.logged.seen.values()) + result.logged.without_id
    return (f"| {result.name} | {result.seconds:.0f} | {result.journal.asked} | {len(result.journal.answered)} | "
            f"{result.journal.bytes_compared >> 20} | {log_lines} | {result.logged.dropped} | {first_last('kib', 1024)} | "
            f"{first_last('descriptors')} | {first_last('threads')} | {len(result.faults)} |")


def may_mount():
    """In a mount namespace of its own, a file system can be made that is full when it is to be."""
    tried = subprocess.run([*UNSHARE, "mount", "-t", "tmpfs", "soak", "/mnt"], capture_output=True, check=False)
    return tried.returncode == 0


UNSHARE = ["unshare", "--map-root-user", "--mount", "--propagation", "private"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("minutes", type=float, help="of load, in all")
    parser.add_argument("engines", nargs="*", metavar="ENGINE", help="default: all that this machine can run")
    parser.add_argument("--report", type=Path, default=SOURCE / "build/soak/report.md")
    parser.add_argument("--only", choices=("plain", "tls"), help="without TLS alone, or with it")
    parser.add_argument("--rounds", type=int, default=ROUNDS_MIN, metavar="N",
                        help=f"of each engine, at least (default: {ROUNDS_MIN}); fewer than {ROUNDS_MIN} do not show what grows")
    parser.add_argument(IN_NAMESPACE, action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    unknown = set(given.engines) - set(ENGINES)
    if unknown:
        parser.error(f"no such engine here: {', '.join(sorted(unknown))}; there are {', '.join(ENGINES)}")
    if not given.in_namespace and shutil.which("unshare") and may_mount():
        return subprocess.run([*UNSHARE, sys.executable, *sys.argv, IN_NAMESPACE], check=False).returncode

    engines = given.engines or ENGINES
    given.report.parent.mkdir(parents=True, exist_ok=True)
    results = []
    kinds = {"plain": [False], "tls": [True]}.get(given.only, [False, True] if HAS_TLS else [False])
    soaks = [(engine, tls) for engine in engines for tls in kinds]
    for engine, tls in soaks:
        results.append(soak(engine, given.minutes * 60 / len(soaks), given.rounds, tls=tls, mounted=given.in_namespace, say=say))
        for fault in results[-1].faults:
            say(f"{results[-1].name}: {fault}")
        given.report.write_text(report(results, "a tmpfs" if given.in_namespace else "left out, as mounting is not allowed here"))
    faults = sum(len(result.faults) for result in results)
    say(f"soak: {len(engines)} engines, {faults} faults; {given.report} has the figures")
    return 1 if faults else 0


def say(words):
    print(words, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
