"""The server whose work is looked into: one worker that answers 1 KB from memory."""

from __future__ import annotations

from weir_lab.core import built
from weir_lab.targets.weir import Weir


def command(engine: str, port: int) -> list[str]:
    has_workers = Weir(engine).workers(2) == 2
    workers = ["--workers", "1"] if has_workers else []
    own = ["--bind", "127.0.0.1", "--port", str(port), "--quiet"]
    return [str(built.weir()), "target", "--bytes", "1024", "--engine", engine, *workers, *own]
