"""A peer can be set up in several ways, and none of them is the best for all work. Here each way has a name, and each kind of work the way
that costs the peer the least CPU. The experiment `peer-settings` measures the ways as targets of their own (`nginx-1+copy`); a test holds
the choices to its committed result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from weir_lab.scenario import SCENARIOS, Scenario

# Kinds of work, each named after its plainest scenario: all other scenarios are of one of these kinds.
KINDS = ("keep-alive", "close", "pipelined", "file-100k", "file-1m", "file-10m")
SEPARATOR = "+"  # between a target's name and a way's


def kind_of(scenario: Scenario) -> str:
    if scenario.pipeline > 1:
        return "pipelined"
    if not scenario.keep_alive:
        return "close"
    by_size = ("keep-alive", "file-100k", "file-1m", "file-10m")
    # Sizes differ by a factor of ten and more: the nearest is the one that is less than three times as small.
    return next((kind for kind in by_size if scenario.body_bytes <= 3 * SCENARIOS[kind].body_bytes), by_size[-1])


@dataclass(frozen=True)
class Ways:
    settings: Mapping[str, Mapping[str, str]]  # of each way: what its configuration says, by placeholder
    best: Mapping[str, str]  # the way for each kind of work

    def name(self, scenario: Scenario, asked: str) -> str:
        """The way that was asked for, or else the best for this work."""
        return asked or self.best[kind_of(scenario)]

    def words(self, asked: str = "") -> str:
        """For a target's summary."""
        if asked:
            return f"set up in the way `{asked}`"
        kinds: dict[str, list[str]] = {}
        for kind in KINDS:
            kinds.setdefault(self.best[kind], []).append(kind)
        if len(kinds) == 1:
            return f"set up in the way `{next(iter(kinds))}`"
        return "set up for each kind of work: " + "; ".join(
            f"`{way}` for {', '.join(found)}" for way, found in kinds.items()
        )
