"""A replay from its first row to its page, with servers and generators that are made up where it is not about them."""

from __future__ import annotations

import io
import socket
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
import results
from replays import made_up

from weir_lab import replay
from weir_lab.core.result import Result, Run
from weir_lab.generators import GENERATORS
from weir_lab.replay import SEEDS, player, users
from weir_lab.replay.player import cell_of
from weir_lab.replay.seed import Row
from weir_lab.replay.users import Sample
from weir_lab.report.screen import console
from weir_lab.servers.server_process import ServerProcess, free_port
from weir_lab.targets import find as find_target
from weir_lab.verify import validity


@pytest.fixture
def printed() -> io.StringIO:
    return io.StringIO()


@pytest.mark.parametrize("name", replay.names())
def test_each_leaves_a_result_and_a_page(
    name: str, tmp_path: Path, printed: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replay, "play", made_up)
    monkeypatch.setattr(
        users, "play", lambda target, wanted, workers: (results.not_begun(results.cell(target), "no Locust"), SAMPLES)
    )
    replay.run(name, tmp_path, True, console(printed))
    result = Result.load(tmp_path / "result.json")
    assert len(result.runs) == len(SEEDS[name].rows) + (3 if name == "seed1" else 0) and result.finished
    html = (tmp_path / "replay.html").read_text(encoding="utf-8")
    assert "Theirs and ours" in html and html.count("<li><h4>") == len(SEEDS[name].rows)
    assert ("Users over time" in html) == (name == "seed1")
    assert SEEDS[name].title in printed.getvalue()


def test_the_checks_of_the_machine_come_first(
    tmp_path: Path, printed: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replay, "play", made_up)
    replay.run("seed3", tmp_path, True, console(printed))
    said = printed.getvalue()
    assert 0 < said.index("in TIME_WAIT") < said.index("1 of 6: ") and "may wait to be accepted" in said


def test_every_connection_of_a_pool_has_a_place() -> None:
    """A worker stays with its connection, so the others must find room in the queue."""
    pools = [row for seed in SEEDS.values() for row in seed.rows if row.target == "weir/thread-pool"]
    assert len(pools) == 2
    for row in pools:
        assert row.workers + int(row.server[row.server.index("--queue") + 1]) >= row.connections


def test_bytes_are_judged_as_exactly_as_they_were_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    """wrk rounds to three digits: "2.21MB" for 10,000 answers of 232 bytes."""
    server = SimpleNamespace(response_head="", client_ports_waiting=lambda: 0, has_ended=lambda: False)
    for row, tolerance in ((SEEDS["seed3"].rows[0], 0.005), (SEEDS["seed0"].rows[0], validity.BYTES_TOLERANCE)):
        around = player._circumstances(row, server)  # type: ignore[arg-type]
        assert around.bytes_tolerance == tolerance
        run = made_up(row, False)
        assert run.load
        off = replace(
            run, load=replace(run.load, bytes_received=int(run.load.requests * (row.body_bytes or 0) * 0.997))
        )
        short = [reason for reason in validity.reasons(off, replace(around, head_bytes=0)) if "bytes came" in reason]
        assert bool(short) == (row.tool == "ab")


def test_cells_of_a_replay_are_one_to_a_row() -> None:
    for seed in SEEDS.values():
        assert len({cell_of(row) for row in seed.rows}) == len(seed.rows)


def test_seed_0_appends_the_whole_output_and_shows_the_selection(
    tmp_path: Path, printed: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replay, "play", made_up)
    (tmp_path / "output.log").write_text("what was there\n", encoding="utf-8")
    replay.run("seed0", tmp_path, True, console(printed))
    log = (tmp_path / "output.log").read_text(encoding="utf-8")
    assert log.startswith("what was there\n") and log.count("This is ab") == 12 and log.count("command:  ab -n") == 12
    assert "Requests per second:    612.79" in printed.getvalue() and "This is ab" not in printed.getvalue()


def test_what_is_done_is_kept_when_it_is_interrupted(
    tmp_path: Path, printed: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(row: Row, quick: bool) -> Run:
        if row == SEEDS["seed4"].rows[2]:
            raise KeyboardInterrupt
        return made_up(row, quick)

    monkeypatch.setattr(replay, "play", interrupted)
    with pytest.raises(KeyboardInterrupt):
        replay.run("seed4", tmp_path, True, console(printed))
    result = Result.load(tmp_path / "result.json")
    assert len(result.runs) == 2 and result.finished is None
    assert (tmp_path / "replay.html").read_text(encoding="utf-8").count("not run yet") == 2


def test_the_command_is_the_seeds_with_another_port() -> None:
    commands = [player.generator_command(seed.rows[0], False, 1234) for seed in SEEDS.values()]
    assert [command[1:] for command in commands] == [
        ["-n", "10000", "-c", "1", "http://127.0.0.1:1234/"],
        ["1", "500000", "http://127.0.0.1:1234/index.html"],
        ["-t8", "-c10000", "-d20s", "http://127.0.0.1:1234/"],
        ["-t2", "-c10000", "-d5s", "http://127.0.0.1:1234/"],
        ["-t8", "-c", "10000", "-d20s", "http://127.0.0.1:1234/"],
    ]


@pytest.mark.parametrize(
    ("seed", "number"),
    [(seed.name, number) for seed in SEEDS.values() for number, row in enumerate(seed.rows) if row.command],
)
def test_the_command_as_published_has_the_same_arguments(seed: str, number: int) -> None:
    row = SEEDS[seed].rows[number]
    without_header = [argument for argument in row.arguments if argument not in ("-H", "Connection: close")]
    assert " ".join(without_header) in row.command


def test_seed_0s_handler_sleeps_and_closes(tmp_path: Path) -> None:
    command = player.server_command(SEEDS["seed0"].rows[0], 1234, tmp_path)
    assert command[1:] == [
        "target",
        "--engine",
        "blocking",
        "--sleep",
        "1ms",
        "--bytes",
        "1024",
        "--close",
        "--bind",
        "127.0.0.1",
        "--port",
        "1234",
        "--quiet",
    ]


def test_a_server_that_is_not_there_is_a_refusal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("WEIR_BINARY", str(tmp_path / "no-weir"))
    run = player.play(SEEDS["seed0"].rows[0], True)
    assert run.load is None and "is not built" in run.refused[0]


@pytest.mark.live
def test_a_row_is_played_with_the_real_programs() -> None:
    row = replace(SEEDS["seed0"].rows[1], quick=("-n", "100", "-c", "10"))
    if missing := (find_target(row.target).missing() or GENERATORS["ab"].missing()):
        pytest.skip(missing)
    run = player.play(row, True)
    assert [reason for reason in run.refused if "disturbed" not in reason] == []
    assert run.load and (run.load.requests, run.load.errors) == (100, {})
    assert "Requests per second" in run.generator_output and "Connection: close" in run.response_head


@pytest.mark.parametrize("kind", ["nagle", "nodelay"])
def test_the_responder_that_sends_twice_answers_whole(kind: str, tmp_path: Path) -> None:
    port = free_port()
    with ServerProcess(
        [sys.executable, "-m", "weir_lab.replay.two_sends", str(port), kind], port, "/", tmp_path
    ) as server:
        assert server.body_bytes == 129
        with socket.create_connection(("127.0.0.1", port), 10) as client:
            for _ in range(3):
                client.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                answer = b""
                while len(answer) < len(b"HTTP/1.1 200 OK\r\nContent-Length: 129\r\n\r\n") + 129:
                    answer += client.recv(4096)
        assert not server.has_ended()


# --- ten thousand users -------------------------------------------------------------------------------------

SAMPLES = [Sample(second, min(second * 250, 1000), 100.0, 0.02, 0.1, second * 100, 0) for second in range(31)]

HISTORY = """\
Timestamp,User Count,Type,Name,Requests/s,Failures/s,50%,66%,99%,100%,Total Request Count,Total Failure Count
1763700000,0,,Aggregated,0.000000,0.000000,N/A,N/A,N/A,N/A,0,0
1763700001,250,GET,/index.html,25.0,0.0,40,1,90,1,10,0
1763700001,250,,Aggregated,25.0,0.5,40,1,90,1,250,5
"""


def test_locusts_history_is_read(tmp_path: Path) -> None:
    (tmp_path / "history.csv").write_text(HISTORY, encoding="utf-8")
    first, second = users.history(tmp_path / "history.csv")
    assert first == Sample(0, 0, 0.0, None, None, 0, 0)
    assert second == Sample(1, 250, 25.0, 0.04, 0.09, 250, 5)
    assert users.history(tmp_path / "none.csv") == []


def test_the_steady_part_is_whole_turns_of_all_users() -> None:
    load = users.steady(
        SAMPLES, 1000
    )  # all there from the 4th second, settled from the 14th; one whole turn until the 24th
    assert load and (load.seconds, load.requests, load.errors) == (10, 1000, {})


def test_failures_of_users_count_whenever_they_were() -> None:
    load = users.steady([replace(one, failures=3) for one in SAMPLES], 1000)
    assert load and load.errors == {"status": 3}


def test_users_who_were_never_all_there_are_no_load() -> None:
    assert users.steady(SAMPLES[:4], 1000) is None
    assert users.steady(SAMPLES[:20], 1000) is None
    assert users.steady(SAMPLES[:26], 1000) is None  # a whole turn, but its end is when users go
    assert users.steady([], 1000) is None


@pytest.mark.live
def test_the_locustfile_can_be_read_by_locust() -> None:
    done = subprocess.run(
        [*users.PROGRAM, "-f", str(users.LOCUSTFILE), "--list"], capture_output=True, text=True, timeout=30, check=True
    )
    assert "PageUser" in done.stdout + done.stderr
    assert f"EVERY_SECONDS = {users.EVERY_SECONDS}" in users.LOCUSTFILE.read_text(encoding="utf-8")
