#!/usr/bin/env python3
"""Checks that a release may be made, and prints the next steps. `./run release` runs it before and after ./run package.

usage: release.py [--made]

Before: each place that names a version names the same one, the changelog has nothing that is unreleased, the tree is
that of a commit, and the version has no tag yet. With --made: the command of build/package is of this version, and
dist/ is whole. A problem is one line, and the exit status is 1."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD_FILE = "CMakeLists.txt"
# The first match of each is the version.
PLACES = {
    BUILD_FILE: r"^project\(weir VERSION ([\d.]+)",
    "CHANGELOG.md": r"^## \[(\d[\d.]*)\] - \d{4}-\d\d-\d\d$",
    "packaging/debian/changelog": r"^weir \(([\d.]+)-\d+\) ",
    "packaging/vcpkg/weir/vcpkg.json": r'"version-semver": "([\d.]+)"',
    "packaging/rpm/weir.spec": r"^Version: +([\d.]+)$",
    "packaging/alpine/APKBUILD": r"^pkgver=([\d.]+)$",
    "packaging/arch/PKGBUILD": r"^pkgver=([\d.]+)$",
    "packaging/homebrew/weir.rb": r'^  version "([\d.]+)"$',
    "flake.nix": r'^ +version = "([\d.]+)";$',
}
# Each match is the version, beside the one above.
MENTIONS = {
    "packaging/rpm/weir.spec": r"weir-(\d[\d.]*)\.tar\.gz",
    "packaging/homebrew/weir.rb": r"weir-(\d[\d.]*)\.tar\.gz",
}
INTERFACE = r"libweir(\d+(?:\.\d+)?)"  # the package of the shared library, in docs/install.md


def versions(root: Path) -> dict[str, list[str]]:
    """The versions that each place names; none is a fault, too."""
    found = {}
    for name, pattern in PLACES.items():
        text = (root / name).read_text(encoding="utf-8")
        found[name] = re.findall(pattern, text, re.MULTILINE)[:1] + re.findall(MENTIONS.get(name, r"(?!)"), text)
    return found


def interface(version: str) -> str:
    """The number of the binary interface: WEIR_INTERFACE of cmake/WeirOptions.cmake."""
    major, minor, *_ = version.split(".")
    return f"{major}.{minor}" if major == "0" else major


def disagreements(root: Path) -> list[str]:
    found = versions(root)
    if not found[BUILD_FILE]:
        return [f"{BUILD_FILE} names no version"]
    version = found[BUILD_FILE][0]
    wrong = [f"{name} names {' and '.join(named) or 'no version'}, but {BUILD_FILE} names {version}"
             for name, named in found.items() if set(named) != {version}]
    named = set(re.findall(INTERFACE, (root / "docs" / "install.md").read_text(encoding="utf-8")))
    if named != {interface(version)}:
        wrong.append(f"docs/install.md names libweir{' and libweir'.join(sorted(named))}, but the package is libweir{interface(version)}")
    return wrong


def unreleased(root: Path) -> list[str]:
    text = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    section = re.search(r"(?ms)^## \[Unreleased\]\n(.*?)(?=^## \[|\Z)", text)
    if section and section[1].strip():
        return ["CHANGELOG.md has entries below [Unreleased]: move them below the version, with its date"]
    return []


def git(root: Path, *words: str) -> str:
    return subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=True).stdout


def uncommitted(root: Path, version: str) -> list[str]:
    wrong = []
    if git(root, "status", "--porcelain"):
        wrong.append("some files differ from the last commit: commit them, or remove them (git status names them)")
    if git(root, "tag", "--list", f"v{version}"):
        wrong.append(f"the tag v{version} exists: a release needs a new version in {BUILD_FILE} and the other places")
    return wrong


def problems(root: Path) -> list[str]:
    version = versions(root)[BUILD_FILE][:1]
    return disagreements(root) + unreleased(root) + (uncommitted(root, version[0]) if version else [])


def made(root: Path) -> list[str]:
    """Compares the results of ./run package with the version."""
    version = versions(root)[BUILD_FILE][0]
    wrong = []
    for name in ("weir", "weir_static"):
        command = root / "build" / "package" / name
        first = subprocess.run([command, "--version"], capture_output=True, text=True, check=True).stdout.partition("\n")[0]
        if first != f"weir {version}":
            wrong.append(f"{command} is '{first}', and no weir {version}")
    names = {path.name for path in (root / "dist").iterdir()} - {"SHA256SUMS"}
    listed = set(re.findall(r"(?m)^[0-9a-f]{64}  (\S+)$", (root / "dist" / "SHA256SUMS").read_text(encoding="utf-8")))
    if names != listed:
        wrong.append(f"dist/SHA256SUMS and dist/ differ in these files: {', '.join(sorted(names ^ listed))}")
    return wrong


def next_steps(version: str) -> str:
    return f"""weir {version} is in dist/. Nothing was tagged or sent. The next steps are:

  ./run thorough                                        if it has not passed for this source
  git tag --sign v{version} --message 'weir {version}'
  git push origin v{version}
  gpg --armor --detach-sign dist/SHA256SUMS
  and publish the files of dist/ with the section of CHANGELOG.md"""


def main() -> int:
    is_made = sys.argv[1:] == ["--made"]
    wrong = made(ROOT) if is_made else problems(ROOT)
    for problem in wrong:
        print(f"./run release: {problem}", file=sys.stderr)
    if is_made and not wrong:
        print(next_steps(versions(ROOT)[BUILD_FILE][0]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
