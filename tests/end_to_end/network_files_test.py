"""Files on a network file system: another machine changes them, and the kernel reports nothing."""

import os
import ssl
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory

from authority import Authority
from served import EndToEnd, run, wait_until

KINDS = {"NFS": 0x6969, "Lustre": 0x0BD00BD0, "GPFS": 0x47504653, "GFS2": 0x01161970, "OCFS2": 0x7461636F, "BeeGFS": 0x19830326,
         "CephFS": 0x00C36400, "9p": 0x01021997, "FUSE": 0x65735546}
EXT4 = 0xEF53


class NetworkFiles(EndToEnd):
    def setUp(self):
        holder = TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        self.site = self.folder / "site"
        self.site.mkdir()

    def on(self, kind):
        return {"LD_PRELOAD": os.environ["NETWORK_FILE_SYSTEM"], "FILE_SYSTEM": hex(kind)}

    def text(self, server):
        return self.fetch(server, "/a.txt")[1]

    def write(self, text):
        (self.site / "new").write_text(text, encoding="ascii")
        (self.site / "new").rename(self.site / "a.txt")

    def test_the_shim_is_silent(self):
        """Without a look at the files, the change would not be seen: or the other tests show nothing."""
        server = self.serve(self.site, "--revalidate", "0", **self.on(EXT4))
        asked = 1

        def is_missed():
            """A file that has just been written is looked at again for a moment; later, weir keeps what it read last."""
            nonlocal asked
            asked *= 2
            text = str(asked)
            self.write(text)
            missed = self.text(server) != text.encode()
            for _ in range(asked):
                self.text(server)
            return missed

        wait_until(is_missed)

    def test_files(self):
        for name, kind in KINDS.items():
            with self.subTest(name):
                self.write("one")
                server = self.serve(self.site, "--revalidate", "0", **self.on(kind))
                self.assertEqual(self.text(server), b"one")
                self.write("two")
                self.assertEqual(self.text(server), b"two")
                server.stop()

    def test_the_root(self):
        self.write("one")
        server = self.serve(self.site, **self.on(KINDS["Lustre"]))
        self.site.rename(self.folder / "before")
        self.site.mkdir()
        self.write("two")
        wait_until(lambda: self.text(server) == b"two")

    @unittest.skipUnless("openssl" in run("--version")[1], "built without OpenSSL")
    def test_certificates(self):
        authority = Authority(self.folder)
        for engine in ("per-core", "prefork"):
            with self.subTest(engine):
                self.engine = engine
                chain, key = authority.issue(engine, "localhost")
                server = self.serve(self.site, "--tls-cert", chain, "--tls-key", key, **self.on(KINDS["GPFS"]))
                chain, _ = authority.issue(engine, "localhost", "second.test")
                server.wait_for_line("the certificates were read again: localhost, second.test ")
                shown = ssl.get_server_certificate(("127.0.0.1", server.port))
                self.assertEqual(ssl.PEM_cert_to_DER_cert(shown), ssl.PEM_cert_to_DER_cert(chain.read_text(encoding="ascii")))
                server.stop()

    @unittest.skipUnless("openssl" in run("--version")[1], "built without OpenSSL")
    def test_certificates_behind_links(self):
        """No network file system here: the folder of the links does not change."""
        authority = Authority(self.folder)
        (self.folder / "links").mkdir()
        links = [self.folder / "links" / file.name for file in authority.issue("linked", "localhost")]
        for link in links:
            link.symlink_to(self.folder / link.name)
        server = self.serve(self.site, "--tls-cert", links[0], "--tls-key", links[1])
        for name in ("second.test", "third.test"):
            authority.issue("linked", "localhost", name)
            server.wait_for_line(f"the certificates were read again: localhost, {name} ")


if __name__ == "__main__":
    unittest.main()
