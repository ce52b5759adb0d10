"""The command itself: exit codes, the banner, signals, a port that is taken, with and without a terminal."""

import ctypes
import errno
import json
import os
import pty
import re
import resource
import signal
import socket
import subprocess
import tempfile
import threading
import unittest
import urllib.request
from pathlib import Path

PATIENCE_SECONDS = 60
WEIR = os.environ["WEIR_BINARY"]
CLEAN = {name: value for name, value in os.environ.items() if not name.startswith("WEIR_")}


def run(*arguments, **variables):
    return subprocess.run([WEIR, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          env=CLEAN | variables, timeout=PATIENCE_SECONDS, check=False)


class Appearance:
    """Notices files that appear in a folder after this object was made (inotify(7))."""

    IN_CREATE = 0x100

    def __init__(self, folder):
        libc = ctypes.CDLL(None, use_errno=True)
        self.events = open(libc.inotify_init1(os.O_CLOEXEC), "rb", buffering=0)
        assert libc.inotify_add_watch(self.events.fileno(), os.fsencode(folder), self.IN_CREATE) >= 0

    def wait_for(self, name):
        while name.encode() not in re.split(b"\0+", self.events.read(4096)[16:]):
            pass
        self.events.close()


def low_descriptor_limit():
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, hard))


class CommandTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.folder = Path(directory.name)
        (self.folder / "site").mkdir()
        (self.folder / "site" / "a.txt").write_text("text", encoding="ascii")

    def start(self, *arguments, **options):
        """Starts a server. Returns it with its banner, up to the line that names the engine."""
        options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "env": CLEAN, **options}
        process = subprocess.Popen([WEIR, "serve", str(self.folder / "site"), *arguments], text=True, **options)
        self.addCleanup(self.end, process)
        banner = ""
        while options["stdout"] == subprocess.PIPE and not re.search("^engine.*\n", banner, re.MULTILINE):
            line = process.stdout.readline()
            if not line:
                self.fail("the server ended: " + (process.stderr.read() if process.stderr else ""))
            banner += line
        return process, banner

    @staticmethod
    def end(process):
        if process.poll() is None:
            process.kill()
        process.communicate()

    def fetch(self, banner, target="a.txt"):
        with urllib.request.urlopen(re.search("http://[^ \n]*", banner)[0] + target, timeout=PATIENCE_SECONDS) as answer:
            return answer.read()

    def taken_port(self):
        taken = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(taken.close)
        return taken.getsockname()[1]


class Failure(CommandTest):
    def test_to_start_is_told_in_one_line_and_exits_1(self):
        site = str(self.folder / "site")
        for arguments in (["/nowhere"], ["/dev/null"], [site + "/a.txt/"], [site, "--access-log", "/nowhere/log"], [site, "-b", "192.0.2.1"],
                          [site, "-b", "unix:/nowhere/socket"]):
            done = run("serve", "-p", "0", *arguments)
            self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (1, "", 1), done)

    def test_for_a_taken_port_offers_others(self):
        port = self.taken_port()
        done = run("serve", str(self.folder / "site"), "-p", str(port))
        self.assertEqual((done.returncode, done.stderr.count("\n")), (1, 1), done)
        self.assertIn(f"127.0.0.1:{port} is taken", done.stderr)
        self.assertIn("--port 0", done.stderr)
        offered = int(re.search(r"--port ([1-9]\d*)", done.stderr)[1])
        self.assertGreater(offered, port)
        socket.create_server(("127.0.0.1", offered)).close()


class Information(CommandTest):
    def test_of_the_version_names_what_is_built_in(self):
        done = run("--version")
        self.assertEqual(done.returncode, 0)
        self.assertEqual({run(word).stdout for word in ("version", "-V")}, {done.stdout})
        self.assertRegex(done.stdout, r"^weir \d+\.\d+\.\d+\n")
        for part in ("compiler: ", "engines: blocking", "protocols: HTTP/1.1 HTTP/2 WebSocket\n", "optional parts: "):
            self.assertIn("\n" + part, done.stdout)

    def test_of_the_version_names_libraries_with_theirs(self):
        text = run("--version").stdout
        parts = set(re.search(r"^optional parts: (.*)", text, re.M)[1].split())
        tls, compression = re.search(r"^TLS: (.*)\ncompression: (.*)$", text, re.M).groups()
        self.assertRegex(tls, r"^OpenSSL \d+\.\d+\.\d+\S*$" if "openssl" in parts else "^none$")
        for coding, library in (("gzip", "zlib"), ("br", "brotli"), ("zstd", "zstd")):
            self.assertEqual(coding in parts, bool(re.search(rf"\b{library} \d+\.\d+", compression)), text)

    COLUMNS = ["engine", "here", "what waits", "where handlers run", "good at", "bad at"]

    def test_of_the_engines_is_a_table(self):
        done = run("engines")
        self.assertEqual(done.returncode, 0)
        *rows, notes = done.stdout.split("\n\n")
        begins = [rows[0].index(title) for title in self.COLUMNS]
        cells = [[" ".join(line[begin:end].strip() for line in row.splitlines()).strip()
                  for begin, end in zip(begins, [*begins[1:], None], strict=True)] for row in rows]
        self.assertEqual(cells[0], self.COLUMNS)
        engines = json.loads(run("engines", "--json").stdout)
        self.assertEqual([engine["name"] for engine in engines], re.search("engines: (.*)", run("--version").stdout)[1].split())
        for row, engine in zip(cells[1:], engines, strict=True):
            here = "yes" if engine["available"] else "no"
            self.assertEqual(row, [engine["name"], here, *(engine[key] for key in ("waits", "handlers_run", "good_at", "bad_at"))])
            self.assertEqual("unavailable_because" in engine, not engine["available"])
            self.assertEqual(engine["name"] + " cannot run here: " in notes, not engine["available"])
        self.assertEqual({engine["name"] for engine in engines if engine["has_queue"]}, {"thread-pool", "reactor"})
        for engine in engines:
            self.assertEqual(engine["has_busy_poll"], "epoll" in engine["waits"])
        self.assertLess({"thread-pool", "reactor"}, {engine["name"] for engine in engines if engine["has_workers"]})
        automatic, = (engine["name"] for engine in engines if engine["is_auto"])
        self.assertIn(f"auto is {automatic} here: a loop on ", notes)
        self.assertLessEqual(max(map(len, done.stdout.splitlines())), 120)

    def test_of_the_commands(self):
        for arguments in (["--help"], ["-h"], ["help"], ["help", "serve"], ["serve", "--help"], ["engines", "--help"], ["target", "--help"],
                          ["version", "-h"], ["help", "-h"], ["completion", "-h"], ["man", "-h"]):
            done = run(*arguments)
            self.assertEqual((done.returncode, done.stderr), (0, ""), arguments)
            self.assertIn("usage: weir", done.stdout)

    def test_that_cannot_be_written_is_a_failure(self):
        with open("/dev/full", "w", encoding="ascii") as full:
            self.assertEqual(subprocess.run([WEIR, "--help"], stdout=full, check=False).returncode, 1)


class Serving(CommandTest):
    def test_has_a_banner_with_the_real_port(self):
        process, banner = self.start("-p", "0", "-w", "3", "-e", "per-core")
        self.assertEqual(self.fetch(banner), b"text")
        self.assertIn(str((self.folder / "site").resolve()), banner)
        self.assertIn("engine per-core, 3 workers", banner)
        self.assertIn("only this machine", process.stdout.readline())

    def test_is_silent_where_that_is_wanted(self):
        appearance = Appearance(self.folder)
        process, _ = self.start("-q", "-b", f"unix:{self.folder}/socket", stdout=subprocess.DEVNULL)
        self.ask_on_socket(appearance)
        process.terminate()
        self.assertEqual(process.communicate(timeout=PATIENCE_SECONDS)[1], "")
        self.assertEqual(process.returncode, 0)

    def test_goes_on_where_nobody_reads_its_banner(self):
        reader, writer = os.pipe()
        os.close(reader)
        appearance = Appearance(self.folder)
        self.start("-b", f"unix:{self.folder}/socket", stdout=writer)
        os.close(writer)
        self.ask_on_socket(appearance)

    def ask_on_socket(self, appearance):
        appearance.wait_for("socket")
        client = socket.socket(socket.AF_UNIX)
        self.addCleanup(client.close)
        client.settimeout(PATIENCE_SECONDS)
        while client.connect_ex(f"{self.folder}/socket") == errno.ECONNREFUSED:
            pass  # the server has bound the port and will listen soon
        client.sendall(b"GET /a.txt HTTP/1.0\r\n\r\n")
        self.assertTrue(client.recv(100).startswith(b"HTTP/1.1 200 "))

    def test_raises_the_limit_on_descriptors(self):
        process, banner = self.start("-p", "0", preexec_fn=low_descriptor_limit)
        self.fetch(banner)
        limit = re.search(r"^Max open files +(\d+) +(\d+)", Path(f"/proc/{process.pid}/limits").read_text("ascii"), re.MULTILINE)
        self.assertEqual(limit[1], limit[2])

    def test_takes_the_next_port_where_somebody_sits_there(self):
        port = self.taken_port()
        terminal, side = pty.openpty()
        process, banner = self.start("-p", str(port), stdin=side, stderr=side)
        os.close(side)
        self.assertEqual(self.fetch(banner), b"text")
        self.assertGreater(int(re.search(r"http://127.0.0.1:(\d+)/", banner)[1]), port)
        self.assertIn(f"127.0.0.1:{port} is taken".encode(), os.read(terminal, 1000))
        process.terminate()
        self.assertEqual(process.wait(PATIENCE_SECONDS), 0)
        os.close(terminal)

    def test_stops_on_either_signal(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            process, banner = self.start("-p", "0")
            self.fetch(banner)
            process.send_signal(number)
            self.assertEqual(process.wait(PATIENCE_SECONDS), 0)

    def test_logs_as_it_is_told(self):
        log = self.folder / "log"
        process, banner = self.start("-p", "0", "--access-log", str(log), "--access-log-format", "json")
        self.fetch(banner, "a.txt?%22%0a")
        process.terminate()
        process.wait(PATIENCE_SECONDS)
        line = json.loads(log.read_text("ascii"))
        self.assertEqual((line["method"], line["target"], line["status"], line["bytes"]), ("GET", "/a.txt?%22%0a", 200, 4))

    def test_logs_on_standard_error_when_verbose(self):
        process, banner = self.start("-p", "0", "-v")
        self.fetch(banner)
        self.assertRegex(process.stderr.readline(), r'^127\.0\.0\.1 - - \[.*\] "GET /a.txt HTTP/1.1" 200 4 "-" "Python-urllib')

    def test_opens_its_log_again_on_sigusr1(self):
        self.check_log_is_opened_again_on(signal.SIGUSR1)

    def test_opens_its_log_again_on_sighup(self):
        self.check_log_is_opened_again_on(signal.SIGHUP)

    def check_log_is_opened_again_on(self, number):
        log = self.folder / "log"
        process, banner = self.start("-p", "0", "--access-log", str(log))
        self.fetch(banner, "a.txt?first")
        log.rename(self.folder / "log.1")
        appearance = Appearance(self.folder)
        process.send_signal(number)
        appearance.wait_for("log")
        self.fetch(banner, "a.txt?second")
        process.terminate()
        self.assertEqual(process.wait(PATIENCE_SECONDS), 0)
        self.assertIn("?first", (self.folder / "log.1").read_text("ascii"))
        self.assertNotIn("?first", log.read_text("ascii"))
        self.assertIn("?second", log.read_text("ascii"))

    def test_ends_when_its_terminal_closes(self):
        process, terminal = pty.fork()
        if process == 0:
            signal.signal(signal.SIGHUP, signal.SIG_DFL)  # under nohup(1) the server would stay
            os.execve(WEIR, [WEIR, "serve", str(self.folder / "site"), "-p", "0"], CLEAN)
        limit = threading.Timer(PATIENCE_SECONDS, os.kill, (process, signal.SIGKILL))
        limit.start()
        self.addCleanup(limit.cancel)
        said = b""
        while b"Ctrl-C" not in said:
            said += os.read(terminal, 4096)
        os.close(terminal)
        self.assertEqual(os.waitpid(process, 0)[1], 0)


if __name__ == "__main__":
    unittest.main()
