"""may_minihttp: lab/peers/may, a small program on stackful coroutines."""

from __future__ import annotations

import tomllib

from weir_lab import built
from weir_lab.scenario import Scenario
from weir_lab.targets.peer import needs_no_handler
from weir_lab.targets.target import CannotServe, Ground

CRATE = built.REPOSITORY / "lab" / "peers" / "may"
BUILD = "CARGO_TARGET_DIR=build/lab/may cargo build --release --locked --manifest-path lab/peers/may/Cargo.toml"
BODY_BYTES_MAX = 16 * 1024  # all of an answer is copied into one buffer


class May:
    name = "may"
    summary = ("a program on may_minihttp, a coroutine for each connection; all files from memory, no deadlines, no limits: all favour "
               "it; keeps each connection, whatever the client asks for. Head: weir's fields, and Server")

    def missing(self) -> str | None:
        return built.not_built(built.native("may/release/may-peer"), BUILD)

    def version(self) -> str:
        locked = tomllib.loads((CRATE / "Cargo.lock").read_text(encoding="utf-8"))["package"]
        return ", ".join(f"{one['name']} {one['version']}" for one in locked if one["name"] in ("may", "may_minihttp"))

    def workers(self, wanted: int) -> int:
        return wanted

    def command(self, scenario: Scenario, ground: Ground) -> list[str]:
        needs_no_handler(self.name, scenario)
        if not scenario.keep_alive:
            raise CannotServe("may closes no connection where the client asks for it")
        if scenario.body_bytes > BODY_BYTES_MAX or scenario.slow_readers:
            raise CannotServe("may copies each answer into one buffer, and so is asked for no large file")
        return [str(built.native("may/release/may-peer")), str(ground.port), str(ground.site), str(ground.workers)]
