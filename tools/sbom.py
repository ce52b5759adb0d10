#!/usr/bin/env python3
"""Writes an SBOM (software bill of materials) of the packages in a folder, as SPDX 2.3 in JSON, to standard output.

usage: sbom.py BUILD DIST VERSION

BUILD is the folder of the preset `package`. The linker has written there which files it linked into the two commands,
and Ninja knows which headers were compiled. dpkg names the package and the version of each file. A link to a shared
library is DYNAMIC_LINK, one to an archive STATIC_LINK. A package of which only headers were compiled is a
BUILD_DEPENDENCY_OF weir; code of such a header may be in the commands. SOURCE_DATE_EPOCH is the time of the document,
so that two builds of the same source have the same SBOM."""

import hashlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

WEIR = "SPDXRef-weir"
COMMANDS = ("weir", "weir_static")
UNKNOWN = {"downloadLocation": "NOASSERTION", "licenseConcluded": "NOASSERTION", "copyrightText": "NOASSERTION"}


class Debian(NamedTuple):
    name: str
    version: str
    source: str
    architecture: str


def output_of(*command: object) -> str:
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True).stdout


def prerequisites(rules: str) -> set[str]:
    """The files that a makefile's rules depend on, as the linker writes them."""
    found: set[str] = set()
    for rule in rules.replace("\\\n", " ").splitlines():
        found.update(rule.partition(":")[2].split())
    return found


def compiled_headers(build: Path) -> set[str]:
    """The headers outside of the tree, of each object that Ninja has built."""
    return {line.strip() for line in output_of("ninja", "-C", build, "-t", "deps").splitlines() if line.startswith("    /")}


def real_paths(files: Iterable[str], tree: Path) -> set[str]:
    return {real for file in files if file.startswith("/") and not (real := os.path.realpath(file)).startswith(f"{tree}/")}


def is_text(file: str) -> bool:
    """A script of the linker that names the library, such as libc.so, is none itself."""
    with Path(file).open("rb") as opened:
        return opened.read(2) == b"/*"


def owners(files: set[str]) -> dict[str, str]:
    """The Debian package of each file. dpkg may know a file of /usr/lib by its name before the merge of /usr: /lib."""
    asked = sorted(files | {file.removeprefix("/usr") for file in files if file.startswith("/usr/lib")})
    if not asked:
        return {}
    done = subprocess.run(["dpkg-query", "--search", *asked], capture_output=True, text=True, check=False)
    found = {}
    for line in done.stdout.splitlines():
        package, _, file = line.partition(": ")
        if not package.startswith("diversion "):
            found[file if file in files else f"/usr{file}"] = package.split(",")[0]
    return found


def described(packages: Iterable[str]) -> dict[str, Debian]:
    form = "${Package}\t${Version}\t${source:Package}\t${Architecture}\n"
    found = {}
    for package in sorted(packages):
        found[package] = Debian(*output_of("dpkg-query", "--show", f"--showformat={form}", package).strip().split("\t"))
    return found


def reference(name: str) -> str:
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)


def package_entry(debian: Debian) -> dict:
    locator = f"pkg:deb/debian/{debian.name}@{debian.version.replace(':', '%3A').replace('+', '%2B')}?arch={debian.architecture}"
    return {"SPDXID": reference(f"debian-{debian.name}"), "name": debian.name, "versionInfo": debian.version,
            "sourceInfo": f"Debian's source package {debian.source}", "filesAnalyzed": False, "licenseDeclared": "NOASSERTION", **UNKNOWN,
            "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": locator}]}


def artifact_entry(path: Path, version: str) -> dict:
    return {"SPDXID": reference(path.name), "name": path.name, "packageFileName": path.name, "versionInfo": version,
            "filesAnalyzed": False, **UNKNOWN, "licenseDeclared": "MIT",
            "checksums": [{"algorithm": "SHA256", "checksumValue": hashlib.sha256(path.read_bytes()).hexdigest()}]}


def relationship(element: str, kind: str, other: str) -> dict:
    return {"spdxElementId": element, "relationshipType": kind, "relatedSpdxElement": other}


def uses(linked: dict[str, str], headers: dict[str, str]) -> set[tuple[str, str]]:
    """(package, kind of relationship) for each package of a linked file, or else of a compiled header."""
    links = {(package, "DYNAMIC_LINK" if ".so" in Path(file).name else "STATIC_LINK") for file, package in linked.items()}
    known = {package for package, _ in links}
    return links | {(package, "BUILD_DEPENDENCY_OF") for package in headers.values() if package not in known}


def document(version: str, artifacts: list[Path], packages: dict[str, Debian], used: set[tuple[str, str]]) -> dict:
    weir = {"SPDXID": WEIR, "name": "weir", "versionInfo": version, "filesAnalyzed": False, **UNKNOWN, "licenseDeclared": "MIT"}
    relationships = [relationship("SPDXRef-DOCUMENT", "DESCRIBES", WEIR)]
    relationships += [relationship(reference(path.name), "GENERATED_FROM", WEIR) for path in artifacts]
    for package, kind in sorted(used):
        other = reference(f"debian-{packages[package].name}")
        ends = (other, WEIR) if kind.endswith("_OF") else (WEIR, other)
        relationships.append(relationship(ends[0], kind, ends[1]))
    when = datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), UTC)
    entries = [weir, *(artifact_entry(path, version) for path in artifacts), *(package_entry(each) for each in packages.values())]
    digest = hashlib.sha256(json.dumps([entries, relationships]).encode()).hexdigest()
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"weir-{version}",
            "documentNamespace": f"https://weir.example/spdx/weir-{version}-{digest}",
            "creationInfo": {"created": when.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: tools/sbom.py of weir"]},
            "packages": entries, "relationships": relationships}


def main() -> None:
    build, dist, version = Path(sys.argv[1]).resolve(), Path(sys.argv[2]), sys.argv[3]
    tree = build.parent.parent
    inputs = set().union(*(prerequisites((build / f"{name}.linked").read_text()) for name in COMMANDS))
    linked = owners({file for file in real_paths(inputs, tree) if not is_text(file)})
    headers = owners(real_paths(compiled_headers(build), tree))
    used = uses(linked, headers)
    packages = described({package for package, _ in used})
    json.dump(document(version, sorted(dist.iterdir()), packages, used), sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
