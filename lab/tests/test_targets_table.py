"""Targets are found by name; those that can't run here say what would help."""

import re
import resource
from dataclasses import replace
from pathlib import Path

import pytest

from weir_lab.core.scenario import SCENARIOS
from weir_lab.core.target import AGAIN, CannotServe, ServerSetup
from weir_lab.targets import UnknownTarget, find, names
from weir_lab.targets.peer import DebianProgram

TWO_ENGINES = """#!/bin/sh
case "$1" in
--version) echo 'weir 1.2.3'; echo 'and more' ;;
engines) echo '[{"name": "one", "waits": "w", "handlers_run": "h", "good_at": "g",
    "has_workers": false, "available": true},
  {"name": "many", "waits": "w", "handlers_run": "h", "has_workers": true, "available": false,
   "unavailable_because": "it is forbidden"}]' ;;
esac
"""


def build_weir(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> Path:
    program = folder / "weir"
    program.write_text(script, encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("WEIR_BINARY", str(program))
    return program


def setup(folder: Path, workers: int = 1) -> ServerSetup:
    return ServerSetup(1234, folder / "site", folder, workers, (), 100)


def test_each_name_finds_itself() -> None:
    assert [find(name).name for name in names()] == names()


def test_the_control_is_the_same_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build_weir(tmp_path, monkeypatch, TWO_ENGINES)
    first, again = (find(f"weir/one{name}").command(SCENARIOS["keep-alive"], setup(tmp_path)) for name in ("", AGAIN))
    assert first == again and find(f"nginx-1+copy{AGAIN}").name == "nginx-1+copy"


def test_an_unknown_name_is_answered_with_the_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build_weir(tmp_path, monkeypatch, TWO_ENGINES)
    with pytest.raises(
        UnknownTarget, match=r"no target 'ngnix-1'; there are weir/one, weir/many, floor/epoll, .*nginx-1"
    ):
        find("ngnix-1")
    with pytest.raises(UnknownTarget, match="no target 'weir/three'"):
        find("weir/three")


def test_any_engine_is_missing_before_weir_is_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEIR_BINARY", str(tmp_path / "nothing"))
    missing = find("weir/any").missing()
    assert missing is not None and "is not built" in missing and "./run build" in missing


def test_an_engine_may_have_an_access_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build_weir(tmp_path, monkeypatch, TWO_ENGINES)
    command = find("weir/many+log").command(SCENARIOS["keep-alive"], setup(tmp_path))
    assert command[command.index("--engine") + 1] == "many"
    assert command[command.index("--access-log") + 1] == str(tmp_path / "access.log")
    assert "--access-log" not in find("weir/many").command(SCENARIOS["keep-alive"], setup(tmp_path))
    with pytest.raises(UnknownTarget):
        find("nginx-1+log")


def test_engines_say_why_they_cannot_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build_weir(tmp_path, monkeypatch, TWO_ENGINES)
    assert find("weir/one").missing() is None
    assert find("weir/many").missing() == "many cannot run here: it is forbidden"
    assert find("weir/one").version() == "weir 1.2.3"


def test_another_build_is_a_target_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "this").mkdir()
    (tmp_path / "other").mkdir()
    program = build_weir(tmp_path / "this", monkeypatch, TWO_ENGINES)
    other = build_weir(tmp_path / "other", monkeypatch, TWO_ENGINES)
    monkeypatch.setenv("WEIR_BINARY", str(program))
    monkeypatch.setenv("WEIR_LAB_OTHER", str(other))
    target = find("other-weir/one")
    assert target.name == "other-weir/one"
    assert target.command(SCENARIOS["keep-alive"], setup(tmp_path))[0] == str(other)
    assert find("weir/one").command(SCENARIOS["keep-alive"], setup(tmp_path))[0] == str(program)
    assert re.fullmatch(r"weir 1\.2\.3, binary [0-9a-f]{12}", target.version())


def test_engines_without_workers_get_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build_weir(tmp_path, monkeypatch, TWO_ENGINES)
    one, many = find("weir/one"), find("weir/many")
    assert (one.workers(3), many.workers(3)) == (1, 3)
    assert "--workers" not in one.command(SCENARIOS["keep-alive"], setup(tmp_path, 1))
    command = many.command(SCENARIOS["keep-alive"], setup(tmp_path, 3))
    assert command[command.index("--workers") + 1] == "3"


def test_handlers_are_weir_targets_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = build_weir(tmp_path, monkeypatch, TWO_ENGINES)
    command = find("weir/one").command(SCENARIOS["timer"], setup(tmp_path))
    assert command[:6] == [str(program), "target", "--bytes", "1024", "--timer", "1000us"]


def test_weir_serves_tls_and_http2(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build_weir(tmp_path, monkeypatch, TWO_ENGINES)
    files = ["--tls-cert", str(tmp_path / "certificate.pem"), "--tls-key", str(tmp_path / "key.pem")]
    for scenario in ("https", "h2"):
        command = find("weir/one").command(SCENARIOS[scenario], setup(tmp_path))
        assert command[(at := command.index("--tls-cert")) : at + 4] == files and "--h2c" not in command
    command = find("weir/one").command(SCENARIOS["h2c"], setup(tmp_path))
    assert "--h2c" in command and "--tls-cert" not in command
    with pytest.raises(CannotServe, match="weir target has no TLS"):
        find("weir/one").command(replace(SCENARIOS["sleep"], tls=True), setup(tmp_path))


@pytest.mark.parametrize("scenario", ["https", "h2c"])
@pytest.mark.parametrize("name", ["floor/epoll", "lighttpd", "haproxy", "hyper", "may", "caddy-go", "axum"])
def test_who_speaks_plain_http_alone_says_so(name: str, scenario: str, tmp_path: Path) -> None:
    with pytest.raises(CannotServe, match=r"speaks plain HTTP/1\.1 alone here"):
        find(name).command(SCENARIOS[scenario], setup(tmp_path))


def test_h2o_is_not_asked_to_resume_every_session(tmp_path: Path) -> None:
    with pytest.raises(CannotServe, match="gives no new ticket with a resumed session"):
        find("h2o").command(SCENARIOS["https-resumed"], setup(tmp_path))


@pytest.mark.parametrize("scenario", ["compressed-first", "precompressed", "password"])
@pytest.mark.parametrize("name", ["floor/epoll", "lighttpd", "haproxy", "hyper", "may", "caddy-go", "axum", "h2o"])
def test_who_is_not_set_up_to_compress_or_to_ask_says_so(name: str, scenario: str, tmp_path: Path) -> None:
    with pytest.raises(CannotServe, match="is set up here neither to compress nor to ask for passwords"):
        find(name).command(SCENARIOS[scenario], setup(tmp_path))


@pytest.mark.parametrize(
    ("scenario", "of_weir", "of_nginx", "of_caddy"),
    [
        (
            "compressed-first",
            "--compress=gzip --compress-level 6 --compress-cache 0 --bind",
            "gzip on; gzip_comp_level 6; gzip_types text/plain;",
            "encode {\n\t\tgzip 6\n\t}",
        ),
        (
            "compressed-later",
            "--compress=gzip --compress-level 6 --bind",
            "gzip on; gzip_comp_level 6; gzip_types text/plain;",
            "encode {\n\t\tgzip 6\n\t}",
        ),
        ("precompressed", "--engine one --bind", "gzip_static on;", "file_server {\n\t\tprecompressed gzip\n\t}"),
        (
            "password",
            "--auth {folder}/users --bind",
            "auth_basic lab; auth_basic_user_file {folder}/users;",
            "basicauth {\n\t\tlab $2y$05$",
        ),
    ],
)
def test_three_have_the_same_work(
    scenario: str, of_weir: str, of_nginx: str, of_caddy: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build_weir(tmp_path, monkeypatch, TWO_ENGINES)
    folder = str(tmp_path)
    assert of_weir.replace("{folder}", folder) in " ".join(
        find("weir/one").command(SCENARIOS[scenario], setup(tmp_path))
    )
    nginx, caddy = (find(name).command(SCENARIOS[scenario], setup(tmp_path))[-1] for name in ("nginx-1", "caddy"))
    configured = Path(nginx).read_text(encoding="utf-8")
    assert of_nginx.replace("{folder}", folder) in configured and "multi_accept on;" in configured
    assert of_caddy in Path(caddy).read_text(encoding="utf-8")


def test_may_is_not_asked_for_a_connections_end(tmp_path: Path) -> None:
    with pytest.raises(CannotServe, match="closes no connection"):
        find("may").command(SCENARIOS["close"], setup(tmp_path))


@pytest.mark.parametrize("name", ["floor/epoll", "floor/io-uring", "haproxy", "may"])
def test_who_has_no_large_file_says_so(name: str, tmp_path: Path) -> None:
    with pytest.raises(CannotServe, match="large file"):
        find(name).command(SCENARIOS["slow-readers"], setup(tmp_path))


def test_a_native_part_that_is_not_built_says_how(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEIR_LAB_BUILD", str(tmp_path))
    for name, command in (
        ("floor/epoll", "cmake --build build/lab/floor"),
        ("floor/io-uring", "liburing-dev"),
        ("hyper", "cargo build"),
        ("may", "cargo build"),
    ):
        assert command in (find(name).missing() or "")


def test_a_package_that_is_not_installed_is_named() -> None:
    assert DebianProgram("no-such-program", "its-package", "-v").missing() == (
        "no-such-program is not installed: apt-get install its-package"
    )


def test_lighttpd_says_what_it_lacks_for_all_connections(tmp_path: Path) -> None:
    _, allowed = resource.getrlimit(resource.RLIMIT_NOFILE)
    too_many = replace(setup(tmp_path), connections=allowed // 2 + 1)
    with pytest.raises(CannotServe, match=rf"two descriptors for each of .* connections; {allowed:,} are allowed"):
        find("lighttpd").command(SCENARIOS["keep-alive"], too_many)


def test_nginx_has_the_workers_of_its_name() -> None:
    assert (find("nginx-1").workers(2), find("nginx-4").workers(2)) == (1, 4)
