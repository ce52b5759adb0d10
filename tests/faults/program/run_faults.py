#!/usr/bin/env python3
"""Makes every call of `weir serve` fail, one after the other, under every engine. See docs/testing.md.

run_faults.py BUILD [--quick] [--engine NAME...] [--script plain|tls|folder|reload|webdav] [--step NAME...] [--but-step NAME...]
              [--call NAME...] [--errno NAME...] [--nth N] [--jobs N]
BUILD is the folder in which weir was built, with its tests. The report is BUILD/faults.md, unless --report names another file."""

import argparse
import json
import multiprocessing
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import calls
from client import Cut, Wrong
from faults import FIRST_ENGINE, LEAK, SCRIPTS, STARTS, Plan, Running, begin_and_stop, life_counts, numbered_from
from lateness import Lateness
from life import REPORTED, WORKERS, Life
from script import Site

QUICK_ENGINES = ("per-core", "prefork", "thread-pool", "io-uring")
# What these scripts reach lies above the engines: each of these engines stands for all that wait, fork or use threads as it does.
ENGINES = {"tls": (*QUICK_ENGINES, "fork-per-connection"), "folder": QUICK_ENGINES, "reload": QUICK_ENGINES, "webdav": QUICK_ENGINES}
OPTIONS = ("--cache-size", "512K", "--head-timeout", "2s", "--transmit-timeout", "2s", "--stop-timeout", "15s")
LATE_MAX = 5  # times that one fault strikes again
MEMORY_MIB = 64  # that sanitizers and fragments may hold, once all is as before


@dataclass
class Tools:
    weir: Path
    supervisor: Path
    allocations: Path
    options: list


class Bench:
    """What the lives of one engine have in common."""

    def __init__(self, tools, engine, folder):
        self.engine = engine
        workers = ["--workers", str(WORKERS)] if engine["has_workers"] else []
        self.tools = Tools(*tools, [*OPTIONS, *workers])
        (folder / "site").mkdir()
        self.folder, self.site = folder, Site(folder / "site")

    def begin(self, engine, script, slowly):
        life = Life(self.tools, self.site.root, self.folder, engine, script=script, slowly=slowly)
        if not life.begins():
            raise Wrong("it does not start: " + life.text())
        return life


class Engine:
    """All faults under one engine."""

    def __init__(self, bench, plan):
        self.bench, self.plan = bench, plan
        self.name, self.lateness = bench.engine["name"], Lateness()
        self.done, self.seen, self.wrong = Counter(), Counter(), []

    def note(self, fault, what):
        self.wrong.append((str(fault), what, fault.command() if hasattr(fault, "command") else ""))
        print(f"  {fault}\n    {what.splitlines()[0]}", file=sys.stderr, flush=True)

    def attempt(self, fault, strike, repair, tries=LATE_MAX):
        """A fault that strikes while the machine gives this process no time says nothing: it strikes again."""
        began = time.monotonic()
        try:
            self.done["reached" if strike(fault) else "not reached"] += 1
            return
        except (Wrong, Cut) as wrong:
            said = str(wrong)
        again = tries > 0 and not said.startswith(REPORTED) and self.lateness.was_since(began)
        if not again:
            self.done["reached"] += 1
            self.note(fault, said)
        repair()
        if again:
            self.attempt(fault, strike, repair, tries - 1)

    def look(self, counts):
        for key in counts:
            if (name := calls.name_of(key)) not in calls.FAILS and name not in calls.SPARED:
                self.seen[name] += 1

    def run(self):
        began = time.monotonic()
        try:
            for script in self.plan.scripts:
                self.lives(script)
                running = Running(self.bench, self.name, script)
                for step in self.steps(script):
                    self.running(running, step)
        except (Wrong, Cut, OSError) as wrong:
            self.note(f"{self.name}: without a fault", str(wrong))
        for name in self.seen:
            self.note(f"{self.name}: {name}", "a call without a line in errnos.txt: add its errnos")
        return {"engine": self.name, "seconds": time.monotonic() - began, "wrong": self.wrong, **self.done}

    def steps(self, script):
        return [name for name in script.names(self.name) if self.plan.has(name)]

    def lives(self, script):
        wanted = [step for step in script.life if self.plan.has(step)]
        if not wanted:
            return
        earlier, start, stop = life_counts(self.bench, self.name, script)
        self.look(start | stop)
        counts = dict(zip(script.life, (start, stop), strict=True))
        for step in wanted:
            faults = self.plan.faults(self.name, step, counts[step])
            if step in STARTS and self.name != FIRST_ENGINE and not self.plan.nth:
                faults = numbered_from(faults, earlier)
            self.count_off(step, faults, lambda fault: begin_and_stop(self.bench, self.name, fault))

    def count_off(self, step, faults, strike, repair=lambda: None):
        before, began = self.done.total(), time.monotonic()
        for fault in faults:
            self.attempt(fault, strike, repair)
        print(f"{self.name}: {step}: {self.done.total() - before} faults in {time.monotonic() - began:.0f} s", file=sys.stderr,
              flush=True)

    def running(self, running, step):
        """If there is a leak, the faults are made again, slowly: then the leak is judged."""
        before = self.done.copy()
        wrong = self.running_once(running, step, slowly=False)
        if LEAK in wrong and running.kind.unwinds_slowly:
            self.done = before
            wrong = self.running_once(running, step, slowly=True)
        if wrong:
            self.note(f"{self.name}: {step}: after its faults", wrong)

    def running_once(self, running, step, slowly):
        """What is wrong after all of its faults; empty if nothing is."""
        running.slowly = slowly
        running.begin()
        try:
            counts = running.counted(step)
            self.look(running.life.orders.counts())
            self.count_off(step, self.plan.faults(self.name, step, counts), running.strike, running.begin)
            running.rests()
            if (memory := running.life.memory_mib()) > running.memory + MEMORY_MIB:
                return f"{memory} MiB of memory in place of {running.memory}"
            running.stops()
        except (Wrong, Cut) as wrong:
            return str(wrong)
        finally:
            running.end()
        return ""


def tools_in(build):
    built = build / "tests" / "faults" / "program"
    return build / "weir", built / "fault_supervisor", built / "libweir_failing_allocations.so"


def run_engine(tools, engine, plan):
    with tempfile.TemporaryDirectory(prefix="weir-faults-") as folder:
        return Engine(Bench(tools, engine, Path(folder)), plan).run()


def report(results, seconds):
    lines = ["# Faults", "", f"{sum(result.get('reached', 0) for result in results)} faults struck under {len(results)} engines "
             f"in {seconds / 60:.1f} minutes; {sum(len(result['wrong']) for result in results)} went wrong.", "",
             "| engine | struck | not reached | went wrong | seconds |", "|---|---:|---:|---:|---:|"]
    for result in results:
        lines.append(f"| {result['engine']} | {result.get('reached', 0)} | {result.get('not reached', 0)} | {len(result['wrong'])} "
                     f"| {result['seconds']:.0f} |")
    for result in results:
        for fault, what, command in result["wrong"]:
            lines += ["", f"## {fault}", "", *([f"    {command}", ""] if command else []), "```", what, "```"]
    return "\n".join(lines) + "\n"


def read_arguments():
    parser = argparse.ArgumentParser(prog="./run faults", description="Makes every call of `weir serve` fail in turn.")
    parser.add_argument("build", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--quick", action="store_true", help="four engines, and each call of a step once: two minutes at most")
    parser.add_argument("--engine", nargs="+", metavar="NAME", help="these engines alone (default: all; with a --script other than plain, one of each kind)")
    parser.add_argument("--script", choices=SCRIPTS, help="the steps of this script alone")
    parser.add_argument("--step", nargs="+", metavar="NAME", help="these steps of the scripts alone; start and stop, tls_start and tls_stop, and so on are two more of each")
    parser.add_argument("--but-step", nargs="+", metavar="NAME", default=[], help="all steps but these")
    parser.add_argument("--call", nargs="+", metavar="NAME", help="these calls alone, as errnos.txt names them")
    parser.add_argument("--errno", nargs="+", metavar="NAME", help="these errnos alone")
    parser.add_argument("--nth", type=int, metavar="N", help="the call of this number in each step alone")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N", help="engines at once")
    parser.add_argument("--report", type=Path, metavar="FILE", help=argparse.SUPPRESS)
    return parser.parse_args()


def main():
    asked = read_arguments()
    tools = tools_in(asked.build)
    listed = subprocess.run([tools[0], "engines", "--json"], capture_output=True, check=True, text=True).stdout
    wanted = asked.engine or (QUICK_ENGINES if asked.quick else ENGINES.get(asked.script))
    engines = [engine for engine in json.loads(listed) if engine["available"] and (not wanted or engine["name"] in wanted)]
    if not engines:
        sys.exit("no engine of that name runs here")
    engines.sort(key=lambda engine: engine["name"] != FIRST_ENGINE)  # it has the most to do
    scripts = SCRIPTS.values() if not asked.script else [SCRIPTS[asked.script]]
    version = subprocess.run([tools[0], "--version"], capture_output=True, check=True, text=True).stdout
    scripts = [script for script in scripts if all(library in version for library in script.libraries)]
    if not scripts:
        sys.exit(f"this weir was built without what the script {asked.script} needs")
    plan = Plan(asked.step, asked.call, asked.errno, asked.nth, tuple(scripts), tuple(asked.but_step),
                asked.quick)
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="weir-faults-") as folder, multiprocessing.Pool(min(asked.jobs, len(engines))) as pool:
        tools = [shutil.copy2(tool, folder) for tool in tools]  # whatever is built meanwhile
        running = [pool.apply_async(run_engine, (tools, engine, plan), error_callback=print) for engine in engines]
        results = [one.get() for one in running]
    text = report(results, time.monotonic() - began)
    (asked.report or asked.build / "faults.md").write_text(text, encoding="utf-8")
    print(text)
    sys.exit(any(result["wrong"] for result in results))


if __name__ == "__main__":
    main()
