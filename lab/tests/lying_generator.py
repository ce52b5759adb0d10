"""A generator that lies: `lying_generator.py HOW WRK ARGUMENT...` runs wrk, and prints what it said, changed."""

import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

MARK = "weir-lab "


def twice(said: dict[str, Any]) -> dict[str, Any]:
    return said | {"requests": said["requests"] * 2, "bytes": said["bytes"] * 2}


LIES: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "half of the time": lambda said: said | {"seconds": said["seconds"] / 2},
    "twice the time": lambda said: said | {"seconds": said["seconds"] / 2.5},
    "counts twice": twice,
    "counts half": lambda said: said | {"requests": said["requests"] // 2, "bytes": said["bytes"] // 2},
    "few connections": lambda said: said,
}


def main(how: str, command: list[str]) -> None:
    if how == "few connections":
        command[command.index("-c") + 1] = "5"
    if how == "twice the time":
        command[command.index("-d") + 1] = "3s"
    printed = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    for line in printed.splitlines():
        if line.startswith(MARK):
            print(MARK + json.dumps(LIES[how](json.loads(line.removeprefix(MARK)))))


main(sys.argv[1], sys.argv[2:])
