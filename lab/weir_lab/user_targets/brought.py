"""What an experiment's file brings. The names are known until another file is read."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from weir_lab import targets
from weir_lab.core.scenario import SCENARIOS, Scenario
from weir_lab.user_targets import scenario as own_scenario
from weir_lab.user_targets import target as own_target
from weir_lab.user_targets.table import WrongTable, tables
from weir_lab.user_targets.target import OwnTarget

_brought_scenarios: set[str] = set()


@dataclass(frozen=True)
class Brought:
    targets: list[OwnTarget] = field(default_factory=list)
    scenarios: list[Scenario] = field(default_factory=list)


def read(file: str, data: dict[str, object], folder: Path) -> Brought:
    """Raises WrongTable."""
    found = Brought(
        [own_target.parse(name, table, folder) for name, table in tables(file, "target", data.get("target", []))],
        [own_scenario.parse(name, table) for name, table in tables(file, "scenario", data.get("scenario", []))],
    )
    _reject_taken(
        file, "target", (one.name for one in found.targets), [one.name for one in (*targets.OTHERS, *targets.TO_BUILD)]
    )
    _reject_taken(file, "scenario", (one.name for one in found.scenarios), SCENARIOS.keys() - _brought_scenarios)
    _reject_two_sizes(file, found.scenarios)
    return found


def bring(brought: Brought) -> None:
    """Makes them known in place of those of the file before."""
    targets.BROUGHT.clear()
    targets.BROUGHT.update({one.name: one for one in brought.targets})
    for name in _brought_scenarios:
        del SCENARIOS[name]
    SCENARIOS.update({one.name: one for one in brought.scenarios})
    _brought_scenarios.clear()
    _brought_scenarios.update(one.name for one in brought.scenarios)


def _reject_taken(file: str, kind: str, names: Iterable[str], taken: Iterable[str]) -> None:
    for name in names:
        if name in taken:
            raise WrongTable(f"{file}: {kind} '{name}': name is that of a {kind} of the lab; allowed is any other")


def _reject_two_sizes(file: str, scenarios: list[Scenario]) -> None:
    """A file of the site has one size."""
    sizes = {one.file: one for one in reversed(SCENARIOS.values()) if one.name not in _brought_scenarios}
    for one in scenarios:
        other = sizes.setdefault(one.file, one)
        if other.body_bytes != one.body_bytes:
            raise WrongTable(
                f"{file}: scenario '{one.name}': path {one.path} has {one.body_bytes} bytes, and {other.body_bytes} in "
                f"'{other.name}'; allowed is one size for each path"
            )
