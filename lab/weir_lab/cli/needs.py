"""What a command needs before it can run: parts of the lab to build, and packages. tools/lab.sh provides exactly
these."""

import shutil
from collections.abc import Iterable

from weir_lab import replay
from weir_lab.core.scenario import SCENARIOS
from weir_lab.core.target import is_other
from weir_lab.experiments import experiment as experiments
from weir_lab.generators import GENERATORS
from weir_lab.targets import UnknownTarget, names_to_build
from weir_lab.targets import find as find_target
from weir_lab.targets.weir import no_other

# tools/lab.sh has a function or a crate for each but the first. Any other need is the name of a Debian package.
PARTS = (
    "weir",
    "floor",
    "rps",
    "hyper",
    "may",
    "oha",
    "locust",
    "handshakes",
    "echoes",
    "weir-program",
    *names_to_build(),
)
OF_ADDING = GENERATORS["wrk"].needs()


def of_experiment(name: str) -> list[str]:
    """Raises BadExperiment."""
    experiment = experiments.read(name)
    check_names(experiment)
    cells = experiment.possible_cells()
    found = _of({cell.target for cell in cells}, {cell.generator for cell in cells})
    found += ["strace"] if experiment.system_calls else []
    is_secure = any(SCENARIOS[cell.scenario].tls for cell in cells)
    found += ["openssl"] if is_secure and not shutil.which("openssl") else []  # makes the certificate
    found += ["weir"] if any(SCENARIOS[cell.scenario].proxied for cell in cells) else []  # the other server
    found += ["floor"] if any(SCENARIOS[cell.scenario].clients for cell in cells) else []  # with the delay proxy
    return list(dict.fromkeys(found))


def of_replay(name: str) -> list[str]:
    """Always includes weir, the server of most rows. Empty for an unknown name."""
    if name not in replay.SEEDS:
        return []
    rows = replay.SEEDS[name].rows
    more = ["locust"] if name == "seed1" else []
    targets = {row.target for row in rows if not row.target.startswith("two-sends")}
    return list(dict.fromkeys(["weir", *_of(targets, {row.tool for row in rows}), *more]))


def of_teach(is_live: bool = False) -> list[str]:
    """No Rust: a class has an hour. The load of the live pages is the lab's own."""
    return ["weir", *([] if is_live else GENERATORS["wrk"].needs())]


def of_why(with_callgrind: bool) -> list[str]:
    perf = [] if shutil.which("perf") else ["linux-perf"]
    return ["weir", *GENERATORS["wrk"].needs(), "strace", *perf, *(["valgrind"] if with_callgrind else [])]


def _of(targets: Iterable[str], generators: Iterable[str]) -> list[str]:
    of_targets = (need for name in sorted(targets) for need in find_target(name).needs())
    of_generators = (need for name in sorted(generators) for need in GENERATORS[name].needs())
    return list(dict.fromkeys((*of_targets, *of_generators)))


def check_names(experiment: experiments.Experiment) -> None:
    """And whether there is another build, if the experiment compares this one with it."""
    for cell in experiment.possible_cells():
        try:
            find_target(cell.target)
        except UnknownTarget as error:
            raise experiments.BadExperiment(f"{experiment.name}: {error}") from None
        if cell.generator not in GENERATORS:
            raise experiments.BadExperiment(
                f"{experiment.name}: there is no generator '{cell.generator}'; there are {', '.join(GENERATORS)}"
            )
        if is_other(cell.target) and (why := no_other()):
            raise experiments.BadExperiment(f"{experiment.name} compares two builds of weir: {why}")
