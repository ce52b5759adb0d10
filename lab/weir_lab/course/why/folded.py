"""Stacks of perf-script(1), folded: how many samples had each stack, from the outermost call to the innermost."""

import re
from collections import Counter

Stack = tuple[str, ...]
FRAME = re.compile(r"^\s+(?P<address>[0-9a-f]+) (?P<name>.+)$")
KERNEL = "_[k]"  # suffix of a kernel's function, as in other tools' folded stacks
KERNEL_FROM = 0xFFFF_0000_0000_0000
START = ("_start", "__libc_start_main", "__libc_start_call_main", "start_thread", "clone3", "__clone3")


def fold(script: str) -> Counter[Stack]:
    """Of `perf script -F comm,tid,ip,sym`: a line for the thread, a line for each frame from the innermost, a blank
    line."""
    found: Counter[Stack] = Counter()
    frames: list[str] = []
    for line in [*script.splitlines(), ""]:
        if frame := FRAME.match(line):
            frames.append(_name(int(frame["address"], 16), frame["name"]))
        elif frames:
            found[_stack(frames)] += 1
            frames = []
    return found


def _name(address: int, name: str) -> str:
    plain = name.partition("@@")[0].strip()
    return plain + KERNEL if address >= KERNEL_FROM else plain


def _stack(frames: list[str]) -> Stack:
    """Without what every program does before its first function."""
    return tuple(one for one in reversed(frames) if one not in START) or ("[start]",)


def write(stacks: Counter[Stack]) -> str:
    """A line for each stack: a;b;c 12."""
    return "".join(f"{';'.join(stack)} {count}\n" for stack, count in sorted(stacks.items()))


def read(text: str) -> Counter[Stack]:
    found: Counter[Stack] = Counter()
    for line in text.splitlines():
        stack, _, count = line.rpartition(" ")
        found[tuple(stack.split(";"))] += int(count)
    return found
