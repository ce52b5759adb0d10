"""A peer can be set up in several ways, and none is the best for all work. Here each way has a name, and each kind of
work has the way that costs the peer the least CPU. The experiment `peer-settings` measures each way as a target
(`nginx-1+copy`), and a test checks the choices against its committed result."""

from collections.abc import Mapping
from dataclasses import dataclass

from weir_lab.core.scenario import SCENARIOS, Scenario

# Each kind of work has the name of its plainest scenario. Every other scenario is of one of these kinds.
KINDS = ("keep-alive", "close", "pipelined", "file-100k", "file-1m", "file-10m")
SEPARATOR = "+"  # between the names of the target and of the way


def kind_of(scenario: Scenario) -> str:
    if scenario.pipeline > 1 and not scenario.http2:
        return "pipelined"
    if not scenario.keep_alive:
        return "close"
    if scenario.is_compressed or scenario.proxied:
        return "keep-alive"  # what is sent is small, or is no file
    by_size = ("keep-alive", "file-100k", "file-1m", "file-10m")
    # The sizes differ by factors of ten: a size belongs to the first kind that is not three times smaller.
    return next((kind for kind in by_size if scenario.body_bytes <= 3 * SCENARIOS[kind].body_bytes), by_size[-1])


@dataclass(frozen=True)
class Ways:
    settings: Mapping[str, Mapping[str, str]]  # of each way: the values of the placeholders in its configuration
    best: Mapping[str, str]  # the way for each kind of work

    def name(self, scenario: Scenario, asked: str) -> str:
        """The way that was asked for, or else the best one for this work."""
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
