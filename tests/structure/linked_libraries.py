#!/usr/bin/env python3
"""The library needs libc and libstdc++, and nothing else: read off the built libweir.so.

usage: linked_libraries.py <readelf> <libweir.so>"""

import re
import subprocess
import sys

WANTED = {"libc.so.6", "libstdc++.so.6"}
# What the compiler's driver brings along by itself.
TOLERATED = re.compile(r"libm\.so\.6|libgcc_s\.so\.1|ld-linux[-\w]*\.so\.\d")


def needed(readelf: str, library: str) -> set[str]:
    output = subprocess.run([readelf, "-dW", library], check=True, capture_output=True, text=True).stdout
    return set(re.findall(r"\(NEEDED\).*\[(.+)\]", output))


def main(readelf: str, library: str) -> int:
    found = needed(readelf, library)
    foreign = sorted(name for name in found - WANTED if not TOLERATED.fullmatch(name))
    for name in foreign:
        print(f"the library needs {name}")
    for name in sorted(WANTED - found):
        print(f"the library does not need {name}: was anything linked into it?")
    return 1 if foreign or WANTED - found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
