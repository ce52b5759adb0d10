"""How the result was measured: the machine, the versions, the exact commands, and the heads that each target sent."""

import re
from collections.abc import Iterable, Sequence
from html import escape

from weir_lab.core.result import Result
from weir_lab.report.figures import Figures
from weir_lab.report.tables import Html, row, table


def machine(result: Result) -> str:
    of = result.machine
    rows = [
        ("processor", of.processor),
        ("cores", ", ".join(map(str, of.cores)) + (f" (virtual: {of.virtual})" if of.virtual else "")),
        ("memory", f"{of.memory_bytes / 2**30:.0f} GiB"),
        ("kernel", of.kernel),
        ("system", of.system),
        ("placement", result.placement or "not said"),
        ("begun", result.started),
        ("ended", result.finished or "interrupted"),
    ]
    facts = "".join(f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in rows)
    return f'<dl class="facts">{facts}</dl>{_checks(result)}'


def _checks(result: Result) -> str:
    off = [check for check in result.machine.checks if not check.fine]
    if not off:
        return (
            "<p>All checks of the machine were fine.</p>"
            if result.machine.checks
            else "<p>The machine was not checked.</p>"
        )
    rows = [row(check.name, check.found, Html(f"<code>{escape(check.advice)}</code>")) for check in off]
    return table("Problems of the machine at the beginning, and their fixes", ["check", "found", "fix"], rows, 99)


def versions(result: Result) -> str:
    rows = [row(name, version, result.about.get(name, "")) for name, version in result.versions.items()]
    if not rows:
        return "<p>No versions were noted.</p>"
    build = result.weir.words() if result.weir else "not noted, neither its commit nor its binary's hash"
    return f"<p>The weir that was measured: {escape(build)}.</p>" + table(
        "Versions, and how each target is set up", ["what", "version", "about"], rows, 99
    )


def heads(figures: Figures) -> str:
    """The head of each target, and whether they are similar: the bytes of a head are work as well."""
    found = figures.result.with_summary().heads
    if not found:
        return "<p>No target answered.</p>"
    alike: dict[str, list[str]] = {}
    for target, head in found.items():
        alike.setdefault(
            re.sub(r"(?im)^(date|etag|last-modified):.*$", lambda match: f"{match[1]}: …", head.strip()), []
        ).append(target)
    sizes = [len(head) + head.count("\n") + 2 for head in found.values()]
    blocks = "".join(
        f"<div><h4>{escape(', '.join(targets))}</h4><pre>{escape(head)}</pre></div>" for head, targets in alike.items()
    )
    said = (
        "Peers are configured to send the fields that weir sends, as far as their configuration lets them. The heads "
        f"have {_sizes(sizes)} bytes; {_fields(found.values())}"
    )
    return f'<p>{escape(said)}</p><div class="heads">{blocks}</div>'


def _sizes(sizes: list[int]) -> str:
    return f"{min(sizes)} to {max(sizes)}" if min(sizes) < max(sizes) else str(sizes[0])


def _fields(found: Iterable[str]) -> str:
    each = [{line.partition(":")[0].lower() for line in head.splitlines()[1:] if ":" in line} for head in found]
    common, some = set.intersection(*each), set.union(*each)
    words = f"all have {', '.join(sorted(common)) or 'no field in common'}"
    return words + (f"; not all have {', '.join(sorted(some - common))}." if some - common else ".")


def commands(figures: Figures) -> str:
    """Each command once, as it was run first."""
    found = figures.result.with_summary().commands
    if not found.servers and not found.generators:
        return "<p>No command was run.</p>"
    return _listing("Servers", found.servers) + _listing("Generators", found.generators)


def _listing(of: str, commands: Sequence[str]) -> str:
    said = f"<summary>{of}: {len(commands)} commands</summary>"
    return f"<details>{said}<pre>{escape(chr(10).join(commands))}</pre></details>"


def experiment(result: Result) -> str:
    return (
        f"<details><summary>The experiment's own text</summary><pre>{escape(result.experiment.strip() or 'none')}"
        "</pre></details>"
    )
