"""--admin: a process beside the server that answers what the server does. --drain-delay: it serves on while it is not ready."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import unittest
from pathlib import Path

from admin_pages import KEPT_UNDER, AdminTest, ask, name_of, processes_of_pages, requests, samples, wait_for_the_next
from served import ENGINES, PATIENCE_SECONDS, fetch, for_each_engine, processes, run, wait_until
from versions import Versions

# Of the password "secret".
HASH = "$2b$05$CCCCCCCCCCCCCCCCCCCCC.pIKrLVkBX9/OvQMSygY1pWEVn72t6na"
WITHOUT_DELAYS = ("blocking", "fork-per-connection", "thread-per-connection", "thread-pool", "epoll-blocking")


@for_each_engine
class Admin(AdminTest):
    def test_requests_and_connections_are_counted(self):
        server = self.serve(self.site, "--admin", f"unix:{self.admin}")
        for _ in range(3):
            self.fetch(server, "/")
        self.fetch(server, "/missing")
        wait_until(lambda: (found := self.figures()) and requests(found, 404) == 1 and requests(found, 200) == 3)  # by several workers
        found = self.figures()
        self.assertGreaterEqual(found["weir_connections_opened_total", frozenset()], 4)
        self.assertGreater(found["process_resident_memory_bytes", frozenset()], 0)
        self.assertEqual(found["weir_state", frozenset({("state", "serving")})], 1)
        info = next(dict(labels) for name, labels in found if name == "weir_build_info")
        self.assertEqual(info["engine"], self.engine)
        status = json.loads(self.get("/status")[1])
        self.assertEqual((status["engine"], status["requests"], status["state"]), (self.engine, 4, "serving"))

    def test_requests_under_way_are_counted(self):
        with (self.site / "long").open("wb") as file:
            file.truncate(1 << 30)
        server = self.serve(self.site, "--admin", f"unix:{self.admin}", "--transmit-timeout", "1h")
        self.assertEqual(self.figure("http_server_active_requests"), 0)
        with socket.create_connection(("127.0.0.1", server.port), PATIENCE_SECONDS) as reader:
            reader.sendall(b"GET /long HTTP/1.1\r\nHost: localhost\r\n\r\n")
            reader.recv(1)
            wait_until(lambda: self.figure("http_server_active_requests") == 1)
            self.assertEqual(json.loads(self.get("/status")[1])["requests_active"], 1)
        wait_until(lambda: self.figure("http_server_active_requests") == 0)

    def test_it_is_unready_before_it_stops(self):
        server = self.serve(self.site, "--admin", f"unix:{self.admin}", "--drain-delay", "1h")
        wait_until(lambda: self.get("/readyz")[:2] == (200, "serving\n"))
        server.signal(signal.SIGTERM)
        wait_until(lambda: self.get("/readyz")[:2] == (503, "leaving\n"))
        self.assertEqual(self.get("/livez")[0], 200)
        self.assertEqual(self.fetch(server, "/")[0].status, 200)
        server.signal(signal.SIGTERM)
        self.assertEqual(server.wait(), 0)
        wait_until(lambda: not Path(self.admin).exists())


class Queues(AdminTest):
    def test_connections_wait_for_a_worker(self):
        self.engine = "thread-pool"
        silent = self.enterContext(socket.create_server(("127.0.0.1", 0)))
        proxied = ("--proxy", f"/api: http://127.0.0.1:{silent.getsockname()[1]}", "--proxy-timeout", "1h")
        server = self.serve(self.site, "--admin", f"unix:{self.admin}", "--workers", "1", "--queue", "4", *proxied)
        figures = [self.figure(f"weir_{name}") for name in ("queue_places", "queue_length", "workers", "workers_busy")]
        self.assertEqual(figures, [4, 0, 1, 0])
        self.open_connection(server).sendall(b"GET /api HTTP/1.1\r\nHost: localhost\r\n\r\n")
        wait_until(lambda: self.figure("http_server_active_requests") == 1)
        self.assertEqual(self.figure("weir_workers_busy"), 1)
        for length in (1, 2):
            self.open_connection(server)
            wait_until(lambda length=length: self.figure("weir_queue_length") == length)
        self.assertEqual(self.figure("weir_queue_entered_total"), 3)
        status = json.loads(self.get("/status")[1])
        self.assertEqual((status["queue_length"], status["workers_busy"], status["requests_active"]), (2, 1, 1))

    def open_connection(self, server):
        return self.enterContext(socket.create_connection(("127.0.0.1", server.port), PATIENCE_SECONDS))

    def test_requests_go_through_the_queue(self):
        self.engine = "reactor"
        server = self.serve(self.site, "--admin", f"unix:{self.admin}", "--workers", "2", "--queue", "4")
        for _ in range(3):
            self.fetch(server, "/")
        wait_until(lambda: self.figure("weir_workers_busy") == 0)
        figures = [self.figure(f"weir_{name}") for name in ("queue_entered_total", "queue_length", "queue_places", "workers")]
        self.assertEqual(figures, [3, 0, 4, 2])

    def test_they_go_on_after_a_reload(self):
        self.engine = "reactor"
        server = self.serve_supervised("--admin", f"unix:{self.admin}")
        self.fetch(server, "/")
        self.reload_to_the_next(server)
        self.fetch(server, "/")
        wait_until(lambda: self.figure("weir_queue_entered_total") == 2)

    def test_an_engine_without_a_queue_has_none(self):
        self.engine = "per-core"
        self.serve(self.site, "--admin", f"unix:{self.admin}")
        self.assertNotIn("weir_queue_length", {name for name, _ in self.figures()})


class Processes(AdminTest):
    def kill_all(self, server):
        for pid in [pid for pid in processes(server.process.pid) if name_of(pid) == "weir"]:
            if pid != server.process.pid:
                os.kill(pid, signal.SIGKILL)

    def test_workers_are_counted(self):
        self.engine = "prefork"
        server = self.serve(self.site, "--admin", f"unix:{self.admin}", "--workers", "2")
        wait_until(lambda: self.figure("weir_processes") == 2)
        self.assertEqual(json.loads(self.get("/status")[1])["processes"], 2)
        reader = self.enterContext(socket.create_connection(("127.0.0.1", server.port), PATIENCE_SECONDS))
        with (self.site / "long").open("wb") as file:
            file.truncate(1 << 30)
        reader.sendall(b"GET /long HTTP/1.1\r\nHost: localhost\r\n\r\n")
        wait_until(lambda: self.figure("http_server_active_requests") == 1)
        self.assertEqual(self.figure("weir_connections"), 1)
        self.kill_all(server)
        server.wait_for_line("worker 2 .* died of SIGKILL")
        wait_until(lambda: self.figure("weir_connections") == 0)
        wait_until(lambda: self.figure("weir_processes") == 2)
        wait_until(lambda: self.figure("http_server_active_requests") == 0)

    def test_those_of_connections_are_counted(self):
        self.engine = "fork-per-connection"
        server = self.serve(self.site, "--admin", f"unix:{self.admin}")
        self.assertEqual(self.figure("weir_processes"), 0)
        for count in (1, 2):
            self.enterContext(socket.create_connection(("127.0.0.1", server.port), PATIENCE_SECONDS))
            wait_until(lambda count=count: self.figure("weir_connections") == self.figure("weir_processes") == count)
        self.kill_all(server)
        wait_until(lambda: self.figure("weir_connections") == self.figure("weir_processes") == 0)

    def test_other_engines_have_none(self):
        self.engine = "thread-pool"
        self.serve(self.site, "--admin", f"unix:{self.admin}")
        self.assertNotIn("weir_processes", {name for name, _ in self.figures()})


class Delays(AdminTest):
    def test_loops_are_asked(self):
        for self.engine in sorted(set(ENGINES) - set(WITHOUT_DELAYS)):
            with self.subTest(self.engine):
                server = self.serve(self.site, "--admin", f"unix:{self.admin}")
                self.wait_for_delays(2)
                self.assertGreaterEqual(json.loads(self.get("/status")[1])["loop_delays"], 2)
                self.end(server)

    def test_engines_without_a_loop_have_none(self):
        for self.engine in WITHOUT_DELAYS:
            with self.subTest(self.engine):
                server = self.serve(self.site, "--admin", f"unix:{self.admin}")
                self.assertNotIn("weir_loop_delay_seconds_count", {name for name, _ in self.figures()})
                self.end(server)


class Pages(AdminTest):
    def test_the_delay_ends(self):
        server = self.serve(self.site, "--drain-delay", "1ms")
        server.signal(signal.SIGTERM)
        self.assertEqual(server.wait(), 0)

    def test_the_scraper_chooses_the_format(self):
        self.serve(self.site, "--admin", f"unix:{self.admin}")
        status, text, response = self.get("/metrics", Accept="application/openmetrics-text; version=1.0.0")
        self.assertTrue(response.headers["Content-Type"].startswith("application/openmetrics-text"))
        self.assertTrue(text.endswith("# EOF\n"))
        _, text, response = self.get("/metrics")
        self.assertTrue(response.headers["Content-Type"].startswith("text/plain; version=0.0.4"))

    @unittest.skipUnless(shutil.which("promtool"), "promtool is not installed")
    def test_promtool_finds_no_fault(self):
        server = self.serve(self.site, "--admin", f"unix:{self.admin}")
        self.fetch(server, "/")
        done = subprocess.run(["promtool", "check", "metrics"], input=self.get("/metrics")[1], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""))

    def test_alerts_and_dashboard_name_what_is_counted(self):
        known = set()
        for self.engine in KEPT_UNDER:
            server = self.serve(self.site, "--admin", f"unix:{self.admin}")
            self.fetch(server, "/")
            wait_until(lambda: requests(self.figures(), 200) == 1)
            if self.engine not in WITHOUT_DELAYS:
                self.wait_for_delays(1)
            known |= {name for sample in self.figures() for name in (sample[0], *(label for label, _ in sample[1]))}
            self.end(server)
        for file in ("alerts.yml", "dashboard.json"):
            text = (Path(os.environ["WEIR_SOURCE_DIR"]) / "monitoring" / file).read_text(encoding="ascii")
            used = set(re.findall(r"\b(?:http|weir|process|network)_[a-z_]+", text))
            self.assertGreater(len(used), 4)
            self.assertEqual(used - known, set())

    def test_the_server_itself_has_no_such_pages(self):
        server = self.serve(self.site, "--admin", "127.0.0.1:0")
        self.assertEqual(self.fetch(server, "/metrics")[0].status, 404)

    def test_a_name_that_leads_to_this_machine_gets_nothing(self):
        """A page of another site may have such a name (DNS rebinding)."""
        server = self.start("serve", self.site, "--port", "0", "--admin", "127.0.0.1:0")
        port = int(server.wait_for_line(r"metrics and probes at http://127.0.0.1:(\d+)/")[1])
        for path in ("/config", "/metrics", "/status", "/"):
            with self.subTest(path=path):
                self.assertEqual(fetch(port, path, Host=f"evil.com:{port}")[0].status, 421)
                self.assertEqual(fetch(port, path, Host=f"localhost:{port}")[0].status, 200)
        self.serve(self.site, "--admin", f"unix:{self.admin}")
        self.assertEqual(self.get("/livez", Host="any.name")[0], 200)

    def test_an_address_that_is_taken_is_named(self):
        server = self.serve(self.site)
        status, _, errors = run("serve", self.site, "--port", "0", "--admin", f"127.0.0.1:{server.port}")
        self.assertEqual(status, 1)
        self.assertIn(f"--admin: cannot listen on 127.0.0.1:{server.port}", errors)

    def test_it_ends_with_a_server_that_is_killed(self):
        server = self.serve(self.site, "--admin", f"unix:{self.admin}")
        self.assertEqual(self.get("/livez")[0], 200)
        server.process.kill()
        server.wait()  # until the last process has closed its output
        with self.assertRaises(OSError):
            self.get("/livez")

    def test_its_idle_connections_give_way_and_are_no_trouble_of_the_site(self):
        server = self.serve(self.site, "--admin", f"unix:{self.admin}")
        for _ in range(100):  # more than the process takes at once
            idle = self.enterContext(socket.socket(socket.AF_UNIX))
            idle.connect(self.admin)
        wait_until(lambda: self.get("/readyz")[:2] == (200, "serving\n"))
        self.assertEqual(self.figures()["weir_troubles_total", frozenset({("kind", "connections")})], 0)
        self.end(server)
        self.assertNotIn("--max-connections", "".join(server.lines))

    def test_after_a_reload_the_new_generation_has_them(self):
        server = self.serve_supervised("--admin", f"unix:{self.admin}")
        self.fetch(server, "/")
        wait_until(lambda: requests(self.figures(), 200) == 1)
        self.reload_to_the_next(server)
        self.assertEqual(requests(self.figures(), 200), 1)
        self.fetch(server, "/")
        wait_until(lambda: requests(self.figures(), 200) == 2)
        self.assertEqual(json.loads(self.get("/status")[1])["state"], "serving")



class Generations(AdminTest):
    """Counters go on from one generation to the next."""

    def serve_generations(self, *options):
        return self.serve_supervised("--admin", f"unix:{self.admin}", *options)

    def connections(self):
        found = self.figures()
        return tuple(found[f"weir_connections{name}", frozenset()] for name in ("", "_opened_total"))

    def test_each_engine_counts_on(self):
        for self.engine in (*KEPT_UNDER, "fork-per-connection", "io-uring"):
            with self.subTest(self.engine):
                server = self.serve_generations()
                for generation in (1, 2, 3):
                    self.fetch(server, "/")
                    wait_until(lambda count=generation: requests(self.figures(), 200) == count)
                    wait_until(lambda count=generation: self.connections() == (0, count))
                    self.reload_to_the_next(server)
                self.end(server)

    def test_open_connections_are_those_of_all_generations(self):
        with (self.site / "long").open("wb") as file:
            file.truncate(1 << 30)
        server = self.serve_generations("--stop-timeout", "1h", "--transmit-timeout", "1h", "--head-timeout", "1h")
        first = self.serving()
        with socket.create_connection(("127.0.0.1", server.port), PATIENCE_SECONDS) as reader:
            reader.sendall(b"GET /long HTTP/1.1\r\nHost: localhost\r\n\r\n")
            reader.recv(1)
            wait_until(lambda: self.connections() == (1, 1))
            self.reload_to_the_next(server)
            self.assertEqual(self.connections(), (1, 1))
            with socket.create_connection(("127.0.0.1", server.port), PATIENCE_SECONDS):
                wait_until(lambda: self.connections() == (2, 2))
                os.kill(first, signal.SIGKILL)
                wait_until(lambda: self.connections() == (1, 2))
        wait_until(lambda: self.connections() == (0, 2))
        self.reload_to_the_next(server)
        self.assertEqual(self.connections(), (0, 2))

    def test_another_layout_begins_anew(self):
        server = self.serve_generations()
        self.fetch(server, "/")
        wait_until(lambda: requests(self.figures(), 200) == 1)
        self.serving()
        [counts] = [fd for fd in Path(f"/proc/{server.process.pid}/fd").iterdir() if "memfd:counts" in str(fd.resolve())]
        with counts.open("r+b") as file:
            file.write(b"another!")
        self.reload_to_the_next(server)
        server.wait_for_line("the counts of --admin begin anew: this version does not count as the one before")
        self.assertEqual(requests(self.figures(), 200), 0)


class Configuration(AdminTest):
    def test_it_is_that_of_print_config_and_neither_has_hashes(self):
        options = ("--admin", f"unix:{self.admin}", "--auth-user", f"ada:{HASH}", "--index", "start.html")
        server = self.serve(self.site, *options)
        printed = run("serve", self.site, "--port", "0", "--engine", self.engine, *options, "--print-config")[1]
        self.assertNotIn(HASH, printed)
        self.assertIn('auth-user = ["ada:(hash not shown)"]\n', printed)
        status, shown, response = self.get("/config")
        self.assertEqual((status, shown), (200, printed))
        self.assertEqual(response.headers["Content-Type"], "text/plain; charset=utf-8")
        self.assertEqual(self.fetch(server, "/config", authorization="Basic YWRhOnNlY3JldA==")[0].status, 404)

    @unittest.skipIf("toml++" not in run("--version")[1], "this build reads no configuration file")
    def test_a_reload_shows_the_new_one(self):
        file = self.folder / "weir.toml"
        file.write_text("cors = true\n", encoding="ascii")
        server = self.serve_supervised("--admin", f"unix:{self.admin}", "--config", file)
        self.assertIn("cors = [true]\n", self.get("/config")[1])
        file.write_text("spa = true\n", encoding="ascii")
        self.assertEqual(self.reload_to_the_next(server), "cors true -> none, spa false -> true")
        shown = self.get("/config")[1]
        self.assertIn("spa = true\n", shown)
        self.assertNotIn("cors", shown)


class AfterAnUpgrade(Versions):
    def test_the_new_version_has_them(self):
        admin = str(self.folder / "admin")
        server = self.serve_supervised("--admin", f"unix:{admin}")
        self.assertEqual(json.loads(ask(admin, "/status")[1])["version"], self.version)
        self.fetch(server, "/")
        before = processes_of_pages(server)
        self.upgrade_to_the_next()
        wait_for_the_next(server, before)
        self.fetch(server, "/")
        wait_until(lambda: requests(samples(ask(admin, "/metrics")[1]), 200) == 2)
        self.assertEqual(json.loads(ask(admin, "/status")[1])["version"], self.versions[0])
        self.assertEqual(ask(admin, "/readyz")[:2], (200, "serving\n"))


if __name__ == "__main__":
    unittest.main()
