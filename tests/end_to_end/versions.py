"""Programs of several versions, made of one: a copy in which the text of the version is another one of the same length."""

import os
import re
from pathlib import Path

from served import binary, run
from supervised import Supervised


class Versions(Supervised):
    """Starts servers from a file of their own, which a test replaces."""

    def setUp(self):
        super().setUp()
        self.program = self.folder / "bin" / "weir"
        self.program.parent.mkdir()
        self.whole = Path(binary()).read_bytes()
        self.version = run("version")[1].split()[1]
        self.versions = [self.version, self.version[:-1] + ("8" if self.version[-1] == "9" else "9")]
        self.install(self.version)

    def patched(self, version):
        """As a package of that version would have it. Text that merely contains the number (1.2.0.3) stays."""
        own = re.compile(rb"(?<![\d.])" + re.escape(self.version.encode()) + rb"(?![\w.])")
        whole, count = own.subn(version.encode(), self.whole)
        self.assertGreater(count, 0)
        return whole

    def install(self, version):
        self.replace(self.patched(version))

    def replace(self, content, mode=0o755):
        """As dpkg(1) does: another file gets the name."""
        new = self.program.with_suffix(".new")
        new.write_bytes(content)
        new.chmod(mode)
        new.replace(self.program)

    def start(self, *arguments, **added):
        kept, os.environ["WEIR_BINARY"] = os.environ["WEIR_BINARY"], str(self.program)
        try:
            return super().start(*arguments, **added)
        finally:
            os.environ["WEIR_BINARY"] = kept

    def upgrade(self):
        """What the command says."""
        status, said, errors = self.tell("upgrade")
        self.assertEqual((status, errors), (0, ""))
        return said

    def upgrade_to_the_next(self):
        """To the other version, and back the next time."""
        before = self.versions[0]
        self.versions.reverse()
        self.install(self.versions[0])
        self.assertRegex(self.upgrade(), rf"^generation \d+ \(pid \d+\) serves; weir {before} -> {self.versions[0]}; nothing changed\n$")

    def versions_of_status(self):
        """Of the generation that serves, and of the supervisor."""
        self.serving()
        return re.findall(r" weir (\S+)$", self.tell("status")[1], re.MULTILINE)
