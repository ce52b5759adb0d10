"""`weir serve --tls=local`, and `weir trust`: the system's store and a browser's, in a namespace of their own."""

import shutil
import subprocess
import unittest
from pathlib import Path

from served import SKIPPED, InAFolder, binary, environment, run

OWN_MOUNTS = ("unshare", "--map-root-user", "--mount", "--propagation", "private", "--")
STORE = Path("/usr/local/share/ca-certificates")
# The stores of the machine stay as they are: others lie over them.
OVER_THE_STORES = """
set -e
cp -a /etc/ssl/certs "$TOP/certs"
mount -t tmpfs none /usr/local/share/ca-certificates
mount --bind "$TOP/certs" /etc/ssl/certs
"""


def may_change_stores():
    programs = all(map(shutil.which, ("unshare", "update-ca-certificates", "certutil", "curl")))
    return programs and STORE.is_dir() and subprocess.run([*OWN_MOUNTS, "true"], capture_output=True, check=False).returncode == 0


class LocalCa(InAFolder):
    def setUp(self):
        super().setUp()
        self.site, self.home = self.top / "site", self.top / "home"
        for folder in (self.site, self.home):
            folder.mkdir()
        (self.site / "index.html").write_text("hello", encoding="ascii")
        self.ca = self.home / ".local/state/weir/local-ca.crt"
        self.variables = {"HOME": str(self.home), "XDG_STATE_HOME": "", "STATE_DIRECTORY": "", "TOP": str(self.top)}

    def serve_locally(self):
        return self.serve(self.site, "--tls=local", "--port", "0", **self.variables)

    def trust(self, *arguments):
        return run("trust", *arguments, **self.variables)

    def asked(self, server, *options):
        done = subprocess.run(["curl", "-sS", *options, f"https://localhost:{server.port}/"], capture_output=True, text=True,
                              check=False, env=environment())
        return done.stdout or done.stderr

    def test_a_client_that_knows_the_ca(self):
        server = self.serve_locally()
        self.assertEqual(self.asked(server, "--cacert", self.ca), "hello")
        self.assertIn("certificate", self.asked(server))
        server.wait_for_line("weir trust")

    def test_the_ca_stays_and_its_key_is_private(self):
        self.serve_locally().stop()
        first = self.ca.read_bytes()
        server = self.serve_locally()
        self.assertEqual(self.ca.read_bytes(), first)
        for key in ("local.key", "local-ca.key"):
            self.assertEqual((self.ca.parent / key).stat().st_mode & 0o777, 0o600)
        self.assertEqual(self.asked(server, "--cacert", self.ca), "hello")

    def test_what_can_not_be_trusted_is_refused(self):
        status, _, said = self.trust("--remove")
        self.assertEqual((status, "there is no local CA" in said), (1, True), said)
        self.assertFalse(self.ca.exists(), "it is not made for its removal")
        self.serve_locally()
        status, _, said = self.trust("--ca", self.ca.parent / "local.crt")
        self.assertEqual((status, "not of a CA" in said), (1, True), said)
        status, _, said = self.trust("--ca", self.top / "nothing")
        self.assertEqual((status, "nothing" in said), (1, True), said)

    def in_own_stores(self, script, **added):
        done = subprocess.run([*OWN_MOUNTS, "bash", "-c", OVER_THE_STORES + script], capture_output=True, text=True, check=False,
                              env=environment(**self.variables, WEIR=binary(), **added))
        return done.returncode, done.stdout, done.stderr

    @unittest.skipUnless(may_change_stores(), "needs namespaces, update-ca-certificates and certutil")
    def test_the_stores_of_the_machine(self):
        server = self.serve_locally()
        database = self.home / ".pki/nssdb"
        database.mkdir(parents=True)
        subprocess.run(["certutil", "-N", "--empty-password", "-d", f"sql:{database}"], check=True)
        status, said, errors = self.in_own_stores("""
            ask() { curl -sS "https://localhost:$PORT/" 2>/dev/null || echo refused; echo; }
            has() { certutil -L -d "sql:$HOME/.pki/nssdb" | grep -c 'weir local CA' || true; }
            ask; has
            "$WEIR" trust; ask; has
            "$WEIR" trust; has
            "$WEIR" trust --remove; ask; has
            find /etc/ssl/certs -xtype l | grep weir || true
            "$WEIR" trust --remove""", PORT=str(server.port))
        self.assertEqual(status, 0, said + errors)
        words = [line for line in said.splitlines() if line in ("refused", "hello", "0", "1")]
        self.assertNotIn("/weir-", said.split("trusts it no longer")[-1], "a link to a file that is gone")
        self.assertEqual(words, ["refused", "0", "hello", "1", "1", "refused", "0"], said)
        self.assertEqual(said.count("trusts it now"), 4, said)
        self.assertEqual(said.count("trusts it no longer"), 2, said)
        self.assertEqual(said.count("does not have it"), 2, said)

    @unittest.skipUnless(may_change_stores(), "needs namespaces, update-ca-certificates and certutil")
    def test_a_store_that_can_not_be_changed(self):
        self.serve_locally()
        status, said, errors = self.in_own_stores("""
            mount -o remount,ro /usr/local/share/ca-certificates
            "$WEIR" trust""")
        self.assertEqual((status, "Read-only file system" in errors), (1, True), said + errors)
        status, said, errors = self.in_own_stores("""
            printf '#!/bin/sh\\nexit 3\\n' >"$TOP/update-ca-certificates"
            chmod +x "$TOP/update-ca-certificates"
            PATH="$TOP:$PATH" "$WEIR" trust""")
        self.assertEqual((status, "ended with status 3" in errors), (1, True), said + errors)


if __name__ == "__main__":
    if "openssl" not in run("--version")[1]:
        raise SystemExit(SKIPPED)
    unittest.main()
