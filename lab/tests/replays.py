"""Rows of replays as if they had been played."""

from __future__ import annotations

from dataclasses import replace

import results

from weir_lab.core.result import Run
from weir_lab.replay.player import cell_of
from weir_lab.replay.seed import Row


def made_up(row: Row, quick: bool) -> Run:
    arguments = row.quick if quick else row.arguments
    return replace(
        results.run(cell_of(row), cost=20e-6),
        generator_command=[row.tool, *arguments, "http://127.0.0.1:1/"],
        generator_output=f"This is {row.tool}\nFailed requests:        0\nRequests per second:    612.79 [#/sec] "
        "(mean)\n",
    )
