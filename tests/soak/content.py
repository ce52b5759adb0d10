"""Content that says what it is: each line of 64 bytes names its file, its version and its place, so that any stretch of it
can be checked without knowing when it was written."""

import re

LINE = 64
_LINE = re.compile(rb"(?P<name>[a-z0-9.-]{1,20}) +v(?P<version>\d{8}) at (?P<offset>\d{12})(?P<end> -+\n)")


def line(name, version, number):
    start = f"{name:<20} v{version:08d} at {number * LINE:012d} ".encode()
    return start + b"-" * (LINE - len(start) - 1) + b"\n"


def content(name, version, size):
    """`size` is a multiple of LINE."""
    return b"".join(line(name, version, number) for number in range(size // LINE))


def versions_in(stretch, name, offset):
    """The versions that whole lines of the stretch have, which begins at `offset`. ValueError where a byte is wrong."""
    found = set()
    skipped = -offset % LINE
    for position in range(skipped, len(stretch) - LINE + 1, LINE):
        whole = stretch[position : position + LINE]
        match = _LINE.fullmatch(whole)
        if not match or match["name"].decode() != name or int(match["offset"]) != offset + position:
            raise ValueError(f"{name}: at {offset + position} stands {whole!r}")
        if whole != line(name, int(match["version"]), (offset + position) // LINE):
            raise ValueError(f"{name}: at {offset + position} stands {whole!r}")
        found.add(int(match["version"]))
    return found
