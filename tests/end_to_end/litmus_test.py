"""litmus, a test suite of WebDAV servers, finds no fault with `--webdav`; under each engine, and with a password."""

import os
import re
import shutil
import subprocess
import unittest

from passwords_test import HAS_CRYPT, password_line
from served import PATIENCE_SECONDS, InAFolder, for_each_engine

LITMUS = shutil.which("litmus")
SUITES = ("basic", "copymove", "props", "locks", "http")
SUMMARY = re.compile(r"<- summary for `(\w+)': of (\d+) tests run: (\d+) passed, (\d+) failed")


def keeps_attributes(folder):
    try:
        os.setxattr(folder, "user.weir.test", b"x")
    except OSError:
        return False
    return True


@unittest.skipUnless(LITMUS, "litmus is not installed")
class WithLitmus(InAFolder):
    def setUp(self):
        super().setUp()
        self.site = self.top / "site"
        (self.site / "in").mkdir(parents=True)
        (self.site / "in").chmod(0o777)

    def judge(self, *options, credentials=()):
        server = self.serve(self.site, "--upload=/in", "--webdav", *options)
        suites = [suite for suite in SUITES if suite != "props" or keeps_attributes(self.site)]
        done = subprocess.run([LITMUS, "-k", f"{server.url}in/", *credentials], capture_output=True, text=True, timeout=4 * PATIENCE_SECONDS,
                              check=False, cwd=self.top, env={**os.environ, "TESTS": " ".join(suites)})
        failures = [line for line in done.stdout.splitlines() if "FAIL" in line]
        judged = {suite: (failed, count == passed) for suite, count, passed, failed in SUMMARY.findall(done.stdout)}
        self.assertEqual((done.returncode, failures, judged), (0, [], {suite: ("0", True) for suite in suites}), done.stdout + done.stderr)


@for_each_engine
class Litmus(WithLitmus):
    def test_finds_no_fault(self):
        self.judge()


@unittest.skipUnless(HAS_CRYPT, "this build asks for no passwords")
class LitmusWithAPassword(WithLitmus):
    def test_finds_no_fault(self):
        users = self.top / "users"
        users.write_text(password_line("ada", "secret"), encoding="ascii")
        self.judge("--upload-auth", users, credentials=("ada", "secret"))


if __name__ == "__main__":
    unittest.main()
