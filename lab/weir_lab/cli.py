"""The command weir-lab: its commands and their arguments."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

from weir_lab import commands, crowd_machine
from weir_lab.terminal import Screen

ABOUT = "Measures every architecture of weir, and its peers, on this machine. Refuses figures that can't be true."


def parser() -> argparse.ArgumentParser:
    whole = argparse.ArgumentParser(prog="./run lab", description=ABOUT)
    add = whole.add_subparsers(dest="command", required=True, metavar="COMMAND", title="commands")
    _run(add)
    _crowd(add)
    _replay(add)
    _results(add)
    _command(add, "list", commands.list_all,
             "List experiments, scenarios, targets, generators and replays; and how to install what is missing.")
    one = _command(add, "doctor", commands.doctor, "Check whether this machine is fit to measure on. Each problem comes with its fix.")
    one.add_argument("--connections", type=_positive, default=10_000, metavar="N",
                     help="connections that an experiment opens at once (default: 10000)")
    return whole


_Add: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def _run(add: _Add) -> None:
    one = _command(add, "run", commands.run, "Run an experiment. Leaves result.json and report.html. Ctrl-C keeps all finished runs; the "
                                             "same command continues.")
    one.add_argument("experiment", nargs="?", default="default", metavar="EXPERIMENT",
                     help="a name from `./run lab list`, or a file.toml of your own (default: default)")
    one.add_argument("--quick", action="store_true", help="run the experiment `quick`, which takes two minutes")
    one.add_argument("--fresh", action="store_true", help="start anew, even if an interrupted run could be continued")
    _out(one)


def _crowd(add: _Add) -> None:
    one = _command(add, "crowd", commands.crowd,
                   "Open very many connections to one weir, in steps. Measures the memory that each takes, and checks that every one is "
                   "answered. Leaves crowd.json.")
    one.add_argument("--connections", type=_positive, default=100_000, metavar="N", help="number of connections (default: 100000)")
    one.add_argument("--engine", default=crowd_machine.SEVERAL_PROCESSES, metavar="NAME",
                     help="engine of weir (default: prefork, whose processes have descriptors of their own)")
    one.add_argument("--workers", type=_positive, metavar="N", help="number of workers (default: as many as the connections need)")
    one.add_argument("--at-once", type=_positive, default=100, metavar="N", help="requests under way at a time (default: 100)")
    _out(one)


def _replay(add: _Add) -> None:
    one = _command(add, "replay", commands.play_again, "Repeat the published measurement of an earlier project, and show both figures.")
    one.add_argument("seed", metavar="SEED", help="seed0 to seed4")
    one.add_argument("--quick", action="store_true", help="make each run shorter than the original")
    _out(one)


def _results(add: _Add) -> None:
    one = _command(add, "compare", commands.compare, "Compare two results, row by row: is B faster, slower, or can't the lab tell?")
    one.add_argument("a", type=Path, metavar="A", help="result.json or its folder: the earlier result")
    one.add_argument("b", type=Path, metavar="B", help="result.json or its folder: the later result")
    one.add_argument("--html", type=Path, metavar="FILE", help="also write the comparison as a page")
    one = _command(add, "report", commands.write_report, "Write report.html again, beside its result.json.")
    one.add_argument("result", type=Path, metavar="RESULT", help="result.json or its folder")
    one.add_argument("--plots", type=Path, metavar="FOLDER", help="also write the main plots as SVG files into this folder")
    one.add_argument("--without", action="append", default=[], metavar="TARGET", help="leave this target out of these plots (repeatable)")
    one = _command(add, "tables", commands.write_tables, "Renew the tables of documents from the results that they name.")
    one.add_argument("documents", nargs="*", type=Path, metavar="FILE", help="Markdown files (default: the documents of this repository)")
    one.add_argument("--check", action="store_true", help="change nothing; exit with 1 if a table differs from its result")


def _command(add: _Add, name: str, act: Callable[[argparse.Namespace], int], about: str) -> argparse.ArgumentParser:
    made = add.add_parser(name, help=about, description=about)
    made.set_defaults(act=act)
    return made


def _out(one: argparse.ArgumentParser) -> None:
    one.add_argument("-o", "--out", type=Path, default=Path("results"), metavar="FOLDER", help="folder for results (default: results)")


def _positive(words: str) -> int:
    number = int(words) if words.isdecimal() else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"a number from 1 is wanted, not '{words}'")
    return number


def run(arguments: Sequence[str]) -> int:
    """`needs` before a command lists what that command needs, for tools/lab.sh."""
    asks_for_needs = arguments[:1] == ["needs"]
    if asks_for_needs and {"-h", "--help"} & set(arguments):
        return 0
    asked = parser().parse_args(arguments[1:] if asks_for_needs else arguments)
    try:
        if asks_for_needs:
            commands.list_needs(asked)
            return 0
        return int(asked.act(asked))
    except commands.Failed as error:
        Screen().line(f"weir-lab: {error}", "red")
        return 1


def main() -> None:
    try:
        status = run(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:  # as in `weir-lab list | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 0
    sys.exit(status)
