#!/usr/bin/env python3
"""Counts the instructions of a request on the hot path (callgrind), and holds them to the committed figures.

usage: instructions.py <hot_path> [--commit]

The figures are those of one compiler, C++ library, C library, instruction set and valgrind: elsewhere what was counted is shown, and
nothing is judged. The kind of processor does not count: valgrind's CPUID is its own, so the C library chooses the same functions on
each (memcpy has several). `--commit` writes what was counted into figures.json: for a change that costs more and is worth it, or one
that made it less."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
FIGURES = HERE / "figures.json"
WORK = {"head": "a browser's head is read",
        "answer": "from its bytes to an answer of 1 KB",
        "compressed": "the same for one that was compressed before",
        "streams": "the same over HTTP/2, for one of 32 at a time, its own making included",
        "routed_10": "the same through a router of ten routes, to one with a parameter",
        "routed_1000": "the same with a thousand routes",
        "server": "from socket to socket, the asking client's included",
        "counted": "the same, counted for metrics",
        "pipelined": "the same for one of sixteen short requests, sent in one piece",
        "echo": "a WebSocket message of 64 bytes from socket to socket and back, the client's included",
        "handshake": "a whole handshake of TLS 1.3, the server's side alone",
        "resumed": "the same for a session that is resumed",
        "secure": "a request and its answer of 1 KB over TLS 1.3, the same"}
COUNTS = (160, 1_600)  # of requests, in whole rounds of 32
HANDSHAKES = (4, 20)
OF_THE_SERVER = {"handshake", "resumed", "secure"}
GROWTH_MAX = 1.03
SKIPPED = 77  # ctest's SKIP_RETURN_CODE


def count_instructions(program: str, work: str, requests: int) -> int:
    """What a program does before its first request may depend on where its stack begins, and so on the length of its environment,
    its name and its arguments. They are the same for each count."""
    valgrind = [shutil.which("valgrind") or "valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    if work in OF_THE_SERVER:
        valgrind.append("--toggle-collect=weir::instructions::counted*")
    command = [*valgrind, f"./{Path(program).name}", work, f"{requests:06}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(program).parent, env={})
    counted = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or not counted:
        sys.exit(f"{' '.join(command)}\nended with {done.returncode}:\n{done.stderr}")
    return int(counted[1])


def work_of(program: str) -> list[str]:
    """All but what the build has left out."""
    return [work for work in WORK if subprocess.run([program, work, "1"], capture_output=True, check=False).returncode != SKIPPED]


def of_a_request(program: str, work: str) -> int:
    counts = HANDSHAKES if work in {"handshake", "resumed"} else COUNTS
    few, many = (count_instructions(program, work, requests) for requests in counts)
    return round((many - few) / (counts[1] - counts[0]))


def measured_with(program: str) -> str:
    """What the counts depend on, beside the source."""
    built = subprocess.run([program, "what"], capture_output=True, text=True, check=True).stdout.strip()
    tool = subprocess.run(["valgrind", "--version"], capture_output=True, text=True, check=True).stdout.strip()
    return f"{built}, {tool}"


def judge(counted: dict[str, int], committed: dict[str, int]) -> list[str]:
    """What has grown beyond what noise or chance explains; instructions have little of either."""
    return [f"{work}: {count} instructions, where {committed[work]} were committed ({count / committed[work] - 1:+.1%})"
            for work, count in counted.items() if work in committed and count > committed[work] * GROWTH_MAX]


def show(counted: dict[str, int], committed: dict[str, int]) -> None:
    for work, count in counted.items():
        before = f"{count / committed[work] - 1:+.1%} to the committed {committed[work]:,}" if work in committed else "nothing committed"
        print(f"{count:>8,} instructions: {WORK[work]} ({before})")


def main(program: str, *options: str) -> int:
    if not shutil.which("valgrind"):
        print("valgrind is not installed")
        return SKIPPED
    what = measured_with(program)
    figures = json.loads(FIGURES.read_text(encoding="utf-8"))
    committed = figures.get(what, {})
    counted = {work: of_a_request(program, work) for work in work_of(program)}
    print(f"{what}{'' if committed else ', for which nothing is committed'}:")
    show(counted, committed)
    if "--commit" in options:
        FIGURES.write_text(json.dumps(figures | {what: counted}, indent=4) + "\n", encoding="utf-8")
        return 0
    grown = judge(counted, committed)
    for line in grown:
        print(line)
    if grown:
        print(f"a request may cost {GROWTH_MAX - 1:.0%} more. What is worth more: {Path(__file__).name} {program} --commit")
    return 1 if grown else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
