"""Instructions per request in the program itself, by callgrind (valgrind). It counts what the machine's counters may
not, and the same number twice. The kernel's part, which is most of a request, is not in it."""

import re
import shutil
import tempfile
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path

from weir_lab.course.why.recording import looked_into
from weir_lab.servers.server_process import DidNotStart, ServerProcess, free_port

FEW, MANY = 200, 1200  # requests: the difference of two runs has neither start nor end
WORDS_MAX = 160  # of what valgrind printed
MISSING = "valgrind is not installed: apt-get install valgrind"


@dataclass(frozen=True)
class Instructions:
    per_request: float | None = None
    failure: str = ""


def count(engine: str) -> Instructions:
    """Of one kept connection to one worker."""
    if not shutil.which("valgrind"):
        return Instructions(failure=MISSING)
    try:
        few, many = _total(engine, FEW), _total(engine, MANY)
    except (DidNotStart, OSError, ValueError) as error:
        return Instructions(failure=" ".join(str(error).split())[:WORDS_MAX])
    return Instructions((many - few) / (MANY - FEW))


def _total(engine: str, requests: int) -> int:
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="weir-lab-") as scratch:
        valgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={scratch}/out.%p", "-q"]
        # The sandbox would keep valgrind from what it needs.
        with ServerProcess([*valgrind, *looked_into(engine, port), "--no-sandbox"], port, "/", Path(scratch)):
            connection = HTTPConnection("127.0.0.1", port, timeout=30)
            for _ in range(requests):
                connection.request("GET", "/")
                connection.getresponse().read()
            connection.close()
        return sum(total(path.read_text(encoding="utf-8")) for path in Path(scratch).glob("out.*"))


def total(output: str) -> int:
    """Of all functions. Raises ValueError if callgrind did not end its file."""
    found = re.search(r"^(?:summary|totals): (\d+)", output, re.MULTILINE)
    if not found:
        raise ValueError("callgrind wrote no total")
    return int(found[1])
