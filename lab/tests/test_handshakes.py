"""The lab's own client of handshakes: what it prints, and what it sees. Where it is not built, those tests are
skipped."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from weir_lab.clients.http_client import connect
from weir_lab.core.load import Latency, Load, LoadPlan
from weir_lab.core.tls import Certificate
from weir_lab.generators.handshakes import Handshakes
from weir_lab.servers.server_process import free_port

pytestmark = pytest.mark.live

HERE = Path(__file__).parent
LINE = (
    '{"requests": 12, "seconds": 0.5, "body_bytes": 12288, "resumed": 8, "latency_seconds": {"mean": 0.002, '
    '"p50": 0.002, "p90": 0.003, "p99": 0.004, "p999": 0.004, "max": 0.005}, "errors": {"status": 2}}'
)
NOTHING = (
    '{"requests": 0, "seconds": 0.5, "body_bytes": 0, "resumed": 0, "latency_seconds": null, "errors": {"connect": 3}}'
)


def plan(port: int, folder: Path, **changes: object) -> LoadPlan:
    url = f"https://127.0.0.1:{port}/1024.bin"
    members: dict[str, object] = {
        "url": url,
        "connections": 3,
        "seconds": 0.5,
        "keep_alive": False,
        "body_bytes": 1024,
        "certificate": Certificate.of(folder),
    }
    return LoadPlan(**(members | changes))  # type: ignore[arg-type]


def test_its_line_is_read(tmp_path: Path) -> None:
    load = Handshakes().parse(LINE, plan(1, tmp_path))
    assert load == Load(
        12,
        0.5,
        12288,
        True,
        Latency(0.002, 0.002, 0.003, 0.004, 0.004, 0.005),
        {"status": 2},
        negotiated="TLSv1.3 TLS_AES_128_GCM_SHA256 http/1.1",
        resumed=8,
    )
    nothing = Handshakes().parse(NOTHING, plan(1, tmp_path))
    assert (nothing.requests, nothing.latency, nothing.errors) == (0, Latency(), {"connect": 3})


@contextlib.contextmanager
def serving(how: str, folder: Path) -> Iterator[int]:
    """A server of 1 KB, with a certificate that is made in the folder."""
    pem, port, file = Certificate.make(folder), free_port(), folder / "1024.bin"
    file.write_bytes(bytes(range(256)) * 4)
    command = [sys.executable, str(HERE / "bad_secure_server.py"), how, str(port), str(file)]
    with subprocess.Popen([*command, str(pem.chain), str(pem.key)]) as server:
        try:
            while server.poll() is None:  # until it listens
                with contextlib.suppress(OSError):
                    connect(port).close()
                    break
            yield port
        finally:
            server.terminate()


def ask(port: int, folder: Path, **changes: object) -> Load:
    generator, asked = Handshakes(), plan(port, folder, **changes)
    if missing := generator.missing():
        pytest.skip(missing)
    done = subprocess.run(generator.command(asked), stdout=subprocess.PIPE, text=True, check=True, timeout=30)
    return generator.parse(done.stdout, asked)


def test_each_handshake_is_full(tmp_path: Path) -> None:
    with serving("right", tmp_path) as port:
        load = ask(port, tmp_path)
    assert load.requests > 10 and load.errors == {} and load.resumed == 0
    assert load.bytes_received == 1024 * load.requests


def test_each_handshake_after_the_first_is_resumed(tmp_path: Path) -> None:
    with serving("right", tmp_path) as port:
        load = ask(port, tmp_path, resumes=True)
    assert load.requests > 10 and load.errors == {} and load.resumed == load.requests - 3


@pytest.mark.parametrize(
    ("how", "changes", "kind"),
    [
        ("right", {"body_bytes": 1000}, "body"),
        ("right", {"url": "https://127.0.0.1:{port}/none"}, "status"),
        ("tls 1.2", {}, "connect"),
    ],
)
def test_what_is_wrong_has_its_kind(how: str, changes: dict[str, str], kind: str, tmp_path: Path) -> None:
    with serving(how, tmp_path) as port:
        filled = {name: value.format(port=port) if isinstance(value, str) else value for name, value in changes.items()}
        load = ask(port, tmp_path, **filled)
    assert load.requests == 0 and list(load.errors) == [kind]


def test_another_certificate_is_not_trusted(tmp_path: Path) -> None:
    with serving("right", tmp_path) as port:
        Certificate.make(tmp_path)  # in place of the server's
        load = ask(port, tmp_path)
    assert load.requests == 0 and list(load.errors) == ["connect"]
