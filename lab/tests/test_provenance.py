"""A result names the weir that was measured: its commit, whether that is all of it, and the hash of its binary."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
import results

from weir_lab.cli import commands
from weir_lab.core import built
from weir_lab.core.result import Build, Result
from weir_lab.experiments import experiment
from weir_lab.report import page
from weir_lab.running import provenance, runner

# A source, and a binary that ninja builds of it.
NINJA = "rule copy\n  command = cp $in $out && chmod +x $out\nbuild weir: copy ../../weir.sh\n"
SCRIPT = "#!/bin/sh\necho 'weir 1.2.3'\n"


def git(folder: Path, *arguments: str) -> str:
    identity = {
        "GIT_AUTHOR_NAME": "a",
        "GIT_AUTHOR_EMAIL": "a@b.c",
        "GIT_COMMITTER_NAME": "a",
        "GIT_COMMITTER_EMAIL": "a@b.c",
    }
    return subprocess.run(
        ["git", "-C", str(folder), *arguments], env=os.environ | identity, capture_output=True, text=True, check=True
    ).stdout.strip()


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small weir, committed and built."""
    release = tmp_path / "build" / "release"
    release.mkdir(parents=True)
    (tmp_path / "docs").mkdir()
    for path, text in (
        ("weir.sh", SCRIPT),
        (".gitignore", "/build/\n"),
        ("README.md", "weir\n"),
        ("docs/lab.md", "lab\n"),
        ("build/release/build.ninja", NINJA),
    ):
        (tmp_path / path).write_text(text, encoding="utf-8")
    build(tmp_path)
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "-m", "one")
    monkeypatch.setattr(built, "REPOSITORY", tmp_path)
    monkeypatch.setenv("WEIR_BINARY", str(release / "weir"))
    return tmp_path


def build(folder: Path) -> None:
    subprocess.run(["ninja", "-C", str(folder / "build" / "release")], check=True, capture_output=True)


def test_a_committed_weir_is_named_by_its_commit_and_its_hash(repository: Path) -> None:
    found = provenance.of_weir()
    assert found == Build(
        "weir 1.2.3", git(repository, "rev-parse", "HEAD"), False, hashlib.sha256(SCRIPT.encode()).hexdigest()
    )
    assert found and found.words() == f"weir 1.2.3, commit {found.commit[:12]}, binary {found.sha256[:12]}"


def test_words_in_documents_change_no_weir(repository: Path) -> None:
    (repository / "README.md").write_text("more\n", encoding="utf-8")
    (repository / "docs" / "lab.md").write_text("more\n", encoding="utf-8")
    assert not provenance.is_dirty()


def test_changed_sources_are_marked(repository: Path) -> None:
    (repository / "weir.sh").write_text(SCRIPT + "# changed\n", encoding="utf-8")
    build(repository)
    found = provenance.of_weir()
    assert found and found.dirty and "with changes that are not committed" in found.words()


def test_a_new_source_is_marked(repository: Path) -> None:
    (repository / "new.cpp").write_text("int x;\n", encoding="utf-8")
    assert provenance.is_dirty()


def test_a_binary_that_is_older_than_its_sources_is_marked(repository: Path) -> None:
    (repository / "weir.sh").write_text(SCRIPT + "# committed, and not built\n", encoding="utf-8")
    git(repository, "commit", "--quiet", "-am", "two")
    assert provenance.is_dirty()
    build(repository)
    assert not provenance.is_dirty()


def test_a_binary_from_elsewhere_is_marked(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = repository / "other"
    other.write_text(SCRIPT, encoding="utf-8")
    other.chmod(0o755)
    git(repository, "add", ".")
    git(repository, "commit", "--quiet", "-m", "two")
    monkeypatch.setenv("WEIR_BINARY", str(other))
    assert provenance.is_dirty()


def test_where_nothing_is_built_nothing_is_named(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEIR_BINARY", str(repository / "nothing"))
    assert provenance.of_weir() is None


# --- in results -----------------------------------------------------------------------------------------------

NOW = Build("weir 1.2.3", "a" * 40, False, "b" * 64)


def of(target: str) -> experiment.Experiment:
    matrix = {"targets": [target], "scenarios": ["keep-alive"], "connections": [1]}
    return experiment.parse("x", {"title": "t", "matrix": [matrix]}, "text")


def test_a_result_of_weir_names_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(provenance, "of_weir", lambda: NOW)
    result = runner.start(of("weir/per-core"))
    result.save(tmp_path / "result.json")
    said = json.loads((tmp_path / "result.json").read_text(encoding="utf-8"))["weir"]
    assert said == {"version": "weir 1.2.3", "commit": "a" * 40, "dirty": False, "sha256": "b" * 64}
    assert Result.load(tmp_path / "result.json").weir == NOW
    assert runner.start(of("may")).weir is None


def test_a_run_is_not_continued_with_another_weir(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(provenance, "of_weir", lambda: NOW)
    one = of("weir/per-core")
    path = tmp_path / "one" / "result.json"
    runner.start(one).save(path)
    assert commands.find_interrupted(tmp_path, one)[0] == path
    monkeypatch.setattr(provenance, "of_weir", lambda: replace(NOW, sha256="c" * 64))
    assert commands.find_interrupted(tmp_path, one) == (None, None)


def test_the_page_names_it(tmp_path: Path) -> None:
    for weir, words in (
        (NOW, "weir 1.2.3, commit aaaaaaaaaaaa, binary bbbbbbbbbbbb"),
        (None, "neither its commit nor its binary"),
    ):
        page.write(replace(results.full(2), weir=weir), tmp_path / "report.html")
        assert words in (tmp_path / "report.html").read_text(encoding="utf-8").replace("&#x27;", "'")
