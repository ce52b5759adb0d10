"""The systemd unit keeps weir in, and lets weir do what it does. The first argument is the program record_calls."""

import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(__file__).parents[2]
RECORDER = Path(sys.argv.pop(1)).absolute()
PACKAGING = SOURCE / "packaging"
UNIT = (PACKAGING / "weir@.service.in").read_text(encoding="utf-8")

# What weir calls before it is locked in, and the loader before main().
AT_START = {"access", "arch_prctl", "bind", "connect", "execve", "faccessat2", "getegid", "geteuid", "getgid", "getsockname",
            "getuid", "landlock_add_rule", "landlock_create_ruleset", "landlock_restrict_self", "lstat", "pipe2", "prlimit64",
            "readlink", "seccomp", "set_tid_address", "setsockopt", "socket"}


def analyze(*arguments):
    return subprocess.run(["systemd-analyze", *arguments], capture_output=True, text=True, check=False)


def calls_in(group):
    """All calls of a group, and of those that it contains."""
    calls = set()
    for word in analyze("syscall-filter", group).stdout.split("\n")[1:]:
        word = word.strip()
        if word.startswith("@"):
            calls |= calls_in(word)
        elif word and not word.startswith("#"):
            calls.add(word)
    return calls


def let_through():
    """What is left of the lines SystemCallFilter=, in their order (systemd.exec(5))."""
    calls = calls_in("@default")
    for line in re.findall(r"^SystemCallFilter=(.*)$", UNIT, re.MULTILINE):
        words = line.removeprefix("~").split()
        named = set().union(*(calls_in(word) if word.startswith("@") else {word} for word in words))
        calls = calls - named if line.startswith("~") else calls | named
    return calls


class Unit(unittest.TestCase):
    def test_is_exposed_little(self):
        with tempfile.TemporaryDirectory() as folder:
            unit = Path(folder) / "weir@site.service"
            unit.write_text(UNIT.replace("@CMAKE_INSTALL_PREFIX@", "/usr"), encoding="utf-8")
            done = analyze("security", "--offline=yes", "--no-pager", str(unit))
        self.assertEqual(done.stderr, "")  # no line is unknown
        self.assertLess(float(re.search(r"Overall exposure level for \S+: (\d+\.\d+)", done.stdout)[1]), 2.0)

    def test_and_its_socket_unit_are_well_formed(self):
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "bin" / "weir"
            program.parent.mkdir()
            program.touch(mode=0o755)
            service, sockets = Path(folder) / "weir@site.service", Path(folder) / "weir@site.socket"
            service.write_text(UNIT.replace("@CMAKE_INSTALL_PREFIX@", folder), encoding="utf-8")
            shutil.copy(PACKAGING / "weir@.socket", sockets)
            done = analyze("verify", "--man=no", str(service), str(sockets))
        self.assertNotIn("weir", done.stderr)  # other units of the machine may have faults

    def test_hears_from_weir(self):
        for line in ("Type=notify", "NotifyAccess=main", "ExecReload=/bin/kill -HUP $MAINPID", "KillMode=mixed"):
            self.assertIn(f"\n{line}\n", UNIT)
        self.assertRegex(UNIT, r"\nWatchdogSec=\d+\n")

    def test_lets_weir_make_its_calls(self):
        table = subprocess.run([RECORDER, "--table"], capture_output=True, text=True, check=True).stdout
        made = {line.split()[1] for line in table.splitlines()}
        self.assertEqual((made | AT_START) - let_through(), set())

    def test_lets_weir_make_no_others(self):
        for call in ("mount", "chroot", "ptrace", "bpf", "init_module", "kexec_load", "reboot", "swapon"):
            self.assertNotIn(call, let_through())


if __name__ == "__main__":
    if not shutil.which("systemd-analyze") or "--offline" not in analyze("--help").stdout:
        print("there is no systemd-analyze that judges files")
        sys.exit(77)
    unittest.main()
