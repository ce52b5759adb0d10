"""The lab's packages have one direction: a module imports from its own package and from those below it."""

from __future__ import annotations

import ast
import graphlib
from collections import Counter
from collections.abc import Iterator, Mapping

import pytest

import weir_lab
from weir_lab.core.built import REPOSITORY

# From the lowest to the highest. None imports from one that stands later.
ORDER = (
    "weir_lab.core",
    "weir_lab.kernel",
    "weir_lab.network",
    "weir_lab.counting",
    "weir_lab.clients",
    "weir_lab.generators",
    "weir_lab.targets",
    "weir_lab.user_targets",
    "weir_lab.servers",
    "weir_lab.verify",
    "weir_lab.statistics",
    "weir_lab.experiments",
    "weir_lab.running",
    "weir_lab.drawing",
    "weir_lab.report",
    "weir_lab.many_connections",
    "weir_lab.replay",
    "weir_lab.add",
    "weir_lab.course",
    "weir_lab.course.live",
    "weir_lab.course.map",
    "weir_lab.course.teach",
    "weir_lab.course.why",
    "weir_lab.cli",
    "weir_lab",
)
IDEAS_MAX = 15  # modules of a package, as tools/house.py has it for the folders of src/
LAB = REPOSITORY / "lab"

Modules = Mapping[str, str]  # the source of each, by its name; a package ends with ".__init__"


def modules() -> Modules:
    return {
        ".".join(path.relative_to(LAB).with_suffix("").parts): path.read_text(encoding="utf-8")
        for path in (LAB / weir_lab.__name__).rglob("*.py")
    }


def package(module: str) -> str:
    return module.rpartition(".")[0]


def imports(module: str, known: Modules) -> set[str]:
    """The modules of the lab that this one imports, at its top or anywhere else."""
    nodes = list(ast.walk(ast.parse(known[module])))
    named = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    for node in nodes:
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} has a relative import"
            named |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {found for name in named if name.split(".")[0] == weir_lab.__name__ for found in _modules_of(name, known)}


def _modules_of(name: str, known: Modules) -> Iterator[str]:
    """A name is a module, a package, or of one of these."""
    may_be = (name, f"{name}.__init__", package(name), f"{package(name)}.__init__")
    yield from [one for one in may_be if one in known][:1]


def wrong(known: Modules) -> list[str]:
    """What breaks the order, a sentence each."""
    ranks = {name: rank for rank, name in enumerate(ORDER)}
    found = [f"{name} has no place in ORDER" for name in sorted({package(one) for one in known} - ranks.keys())]
    for module in sorted(known):
        below = {package(one) for one in imports(module, known)} - {package(module)}
        found += [
            f"{module} imports from {one}, which is above it"
            for one in sorted(below)
            if ranks.get(one, -1) > ranks.get(package(module), len(ORDER))
        ]
    return found


def test_each_package_imports_from_those_below_it() -> None:
    assert not wrong(modules())


def test_no_modules_are_in_a_circle() -> None:
    known = modules()
    list(graphlib.TopologicalSorter({one: imports(one, known) for one in known}).static_order())


def test_every_name_of_the_order_is_a_package() -> None:
    assert {*ORDER} == {package(one) for one in modules()}


def test_a_package_has_few_modules() -> None:
    counts = Counter(package(one) for one in modules() if not one.endswith(".__init__"))
    assert {name: count for name, count in counts.items() if count > IDEAS_MAX} == {}


@pytest.mark.parametrize(
    "line",
    [
        "from weir_lab.cli import main",
        "import weir_lab.cli.main",
        "from weir_lab.cli.main import app",
        "def late():\n    from weir_lab.cli.main import app",
    ],
)
def test_a_lower_package_that_imports_from_a_higher_one_is_found(line: str) -> None:
    known = {"weir_lab.core.load": line, "weir_lab.cli.main": "app = 1", "weir_lab.cli.__init__": ""}
    assert wrong(known) == ["weir_lab.core.load imports from weir_lab.cli, which is above it"]


def test_a_package_without_a_place_is_found() -> None:
    assert wrong({"weir_lab.more.load": ""}) == ["weir_lab.more has no place in ORDER"]


def test_a_circle_of_modules_is_found() -> None:
    known = {"weir_lab.core.a": "from weir_lab.core import b", "weir_lab.core.b": "from weir_lab.core.a import one"}
    with pytest.raises(graphlib.CycleError):
        list(graphlib.TopologicalSorter({one: imports(one, known) for one in known}).static_order())
