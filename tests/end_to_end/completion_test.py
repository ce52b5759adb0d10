"""`weir completion` in the shells themselves, and `weir man` in the programs that show it."""

import fcntl
import os
import pty
import re
import select
import shutil
import struct
import subprocess
import tempfile
import termios
import unittest
from pathlib import Path

from served import ENGINES, PATIENCE_SECONDS, environment, run

PAGES = ("weir", "weir-serve", "weir-target", "weir-engines")
COMMANDS = {"serve", "target", "engines", "version", "help", "completion", "man"}
# Its quotes, brackets and colons mean something to one shell or another.
DESCRIPTIONS = ("Where to listen, with or without a port: 0.0.0.0, [::1]:8080, :8080 (every address)",
                "Cache-Control for some files: '/assets/**', '*.css' or a media type such as 'image/*'",
                "Concurrency architecture; `weir engines` lists them (default: auto)")


def printed(*arguments):
    status, text, said = run(*arguments)
    assert (status, said) == (0, ""), said
    return text


def options_of(command):
    return set(re.findall(r"(?m)^  (?:-\w, |    )(--[\w-]+)", printed(command, "--help-all" if command == "serve" else "--help")))


class Shell:
    """What every shell must offer. A shell's class has complete(line), which gives the candidates."""

    def setUp(self):
        if not shutil.which(self.shell):
            self.skipTest(f"{self.shell} is not installed")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "sub").mkdir()
        (self.folder / "file.txt").touch()
        self.script = self.folder / "completion"
        self.script.write_text(printed("completion", self.shell), encoding="ascii")

    def words(self, line):
        return {word.rstrip("/") for word in self.complete(line)}

    def test_commands(self):
        self.assertLessEqual(COMMANDS, self.words("weir "))
        self.assertEqual(self.words("weir help tar"), {"target"})

    def test_options(self):
        for command in ("serve", "target", "engines"):
            self.assertEqual({word for word in self.words(f"weir {command} --") if word.startswith("--")}, options_of(command))

    def test_words_that_an_option_takes(self):
        wanted = {engine for engine in ENGINES if engine.startswith("epoll")}
        for before in ("--engine ", "-e ", "--pin -e "):
            self.assertEqual(self.words(f"weir serve {before}epol"), wanted, before)
        self.assertEqual(self.words("weir serve --symlinks "), {"inside", "none"})
        self.assertEqual(self.words("weir target --access-log-format "), {"combined", "json"})
        self.assertEqual(self.words("weir completion "), {"bash", "zsh", "fish"})
        self.assertEqual(self.words("weir man weir-"), set(PAGES[1:]))

    def test_a_word_behind_an_equals_sign(self):
        found = self.words("weir serve --symlinks=")
        self.assertEqual({word.rpartition("=")[2] for word in found}, {"inside", "none"})

    def test_files_and_folders(self):
        self.assertLessEqual({"file.txt", "sub"}, self.words("weir serve "))
        self.assertEqual(self.words("weir serve --root s"), {"sub"})
        self.assertLessEqual({"file.txt", "sub"}, self.words("weir serve --root "))
        self.assertLessEqual({"off", "-", "file.txt", "sub"}, self.words("weir serve --access-log "))

    def test_nothing_for_a_value_of_another_kind(self):
        self.assertEqual(self.words("weir serve --port "), set())


class Bash(Shell, unittest.TestCase):
    shell = "bash"

    def complete(self, line):
        words = re.findall(r"=|[^ =]+", line) + ([""] if line.endswith(" ") else [])  # as COMP_WORDBREAKS has it
        code = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _weir; printf "%s\\n" "${COMPREPLY[@]}"'
        done = subprocess.run(["bash", "--norc", "-c", code, "bash", str(self.script), *words], cwd=self.folder, capture_output=True,
                              text=True, env=environment(), timeout=PATIENCE_SECONDS, check=True)
        self.assertEqual(done.stderr, "")
        return done.stdout.split()


class Fish(Shell, unittest.TestCase):
    shell = "fish"

    def shown(self, line):
        done = subprocess.run(["fish", "--no-config", "-c", f"source {self.script}; complete -C '{line}'"], cwd=self.folder,
                              capture_output=True, text=True, env=environment(HOME=str(self.folder)), timeout=PATIENCE_SECONDS, check=True)
        self.assertEqual(done.stderr, "")
        return done.stdout.splitlines()

    def complete(self, line):
        return [shown.partition("\t")[0] for shown in self.shown(line)]

    def test_descriptions(self):
        text = "\n".join(self.shown("weir serve --"))
        for description in DESCRIPTIONS:
            self.assertIn(description, text)


class Zsh(Shell, unittest.TestCase):
    """zsh completes in its line editor alone, so that it gets a terminal to edit in."""

    shell = "zsh"
    SETUP = ("unset zle_bracketed_paste; autoload -U compinit && compinit -u -D; source {script}; bindkey '^I' list-choices; "
             "zstyle ':completion:*' verbose yes; LISTMAX=0; PS1='<rea''dy>'\n")

    def read_until(self, mark):
        text = ""
        while mark not in text:
            if not select.select([self.terminal], [], [], PATIENCE_SECONDS)[0]:
                self.fail(f"zsh says no more than {text!r}")
            text += os.read(self.terminal, 65536).decode(errors="replace")
        return text.partition(mark)[0]

    def shown(self, line):
        pid, self.terminal = pty.fork()
        if pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 100, 250, 0, 0))  # before zsh looks at it
            os.chdir(self.folder)
            os.execvpe("zsh", ["zsh", "-f", "-i"], environment(TERM="xterm", PS1=""))
        try:
            os.write(self.terminal, self.SETUP.format(script=self.script).encode())
            self.read_until("<ready>")
            os.write(self.terminal, f"{line}\t\x15print '<do''ne>'\n".encode())
            text = self.read_until("<done>")
        finally:
            os.close(self.terminal)
            os.waitpid(pid, 0)
        # The list stands below the prompt's line; then the cursor goes up to that line again.
        listed = re.split(r"\x1b\[\d*A", text)[0]
        lines = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[=>]|\r", "", listed).split("\n")[1:]
        return [shown for shown in lines if shown]

    def complete(self, line):
        words = []
        for shown in self.shown(line):
            words += [shown.split()[0]] if " -- " in shown else shown.split()
        return words

    def test_descriptions(self):
        text = "\n".join(self.shown("weir serve --"))
        for description in DESCRIPTIONS:
            self.assertIn(description, text)

    def test_from_a_folder_of_completions(self):
        (self.folder / "_weir").write_text(self.script.read_text("ascii"), encoding="ascii")
        self.SETUP = f"fpath=({self.folder} $fpath); " + self.SETUP.replace("source {script}; ", "")
        self.assertEqual(self.words("weir serve --symlinks "), {"inside", "none"})


class ManPages(unittest.TestCase):
    SECTIONS = {"NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "SEE ALSO"}

    def show(self, page, *program):
        done = subprocess.run(program, input=printed("man", page), capture_output=True, text=True, env=environment(MANWIDTH="100"),
                              timeout=PATIENCE_SECONDS, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""), page)
        return re.sub(r"\x1b\[[0-9;]*m|.\x08", "", done.stdout)

    def test_have_their_sections(self):
        for page in PAGES:
            sections = re.findall(r'(?m)^\.SH "?([^"\n]+)', printed("man", page))
            wanted = self.SECTIONS | ({"ENVIRONMENT", "SIGNALS", "EXAMPLES"} if page in ("weir-serve", "weir-target") else set())
            self.assertLessEqual(wanted, set(sections), page)

    def test_name_each_option_and_variable(self):
        for command in ("serve", "target"):
            text = printed("man", f"weir-{command}").replace("\\-", "-")
            for option in options_of(command):
                self.assertIn(f"\\fB{option}\\fR", text)
                variable = "WEIR_" + option[2:].upper().replace("-", "_")
                self.assertEqual(f"\\fB{variable}\\fR" in text, option not in ("--help", "--help-all"))

    def test_please_groff(self):
        if not shutil.which("groff"):
            self.skipTest("groff is not installed")
        for page in PAGES:
            text = self.show(page, "groff", "-man", "-ww", "-Tutf8")
            self.assertIn("EXIT STATUS", text)
        for description in DESCRIPTIONS:
            words = " ".join(self.show("weir-serve", "groff", "-man", "-ww", "-Tascii", "-rHY=0", "-rLL=200n").split())
            self.assertIn(description, words)

    def test_please_man(self):
        if not shutil.which("man"):
            self.skipTest("man is not installed")
        for page in PAGES:
            self.assertIn("EXIT STATUS", self.show(page, "man", "--warnings", "-l", "-"))


if __name__ == "__main__":
    unittest.main()
