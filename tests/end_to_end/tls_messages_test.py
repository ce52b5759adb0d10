"""What weir says of certificates and keys: each thing that is wrong has a sentence of its own."""

import datetime
import signal
import socket
import ssl
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory

from authority import Authority, openssl
from served import PATIENCE_SECONDS, SITE, EndToEnd, run

DAY = datetime.timedelta(days=1)


def setUpModule():
    global folder, authority, good
    holder = TemporaryDirectory()
    unittest.addModuleCleanup(holder.cleanup)
    folder = Path(holder.name)
    authority = Authority(folder)
    good = authority.issue("good", "localhost")


def between(file, begin, end):
    now = datetime.datetime.now(datetime.UTC)
    return authority.issue_between(file, "localhost", now + begin, now + end)


class Files(unittest.TestCase):
    def refusal(self, *options):
        status, said, error = run("serve", SITE, "--port", 0, *options)
        self.assertEqual((status, said, error.count("\n")), (1, "", 1), error)
        return error.removeprefix("weir serve: --tls: ").rstrip("\n")

    def assert_pair(self, chain, key, sentence):
        self.assertEqual(self.refusal("--tls-cert", chain, "--tls-key", key), sentence)

    def test_files_that_are_not_there(self):
        chain, key = good
        self.assert_pair(chain, "/nope", "cannot read /nope: No such file or directory")
        self.assert_pair("/nope", key, "cannot read /nope: No such file or directory")
        self.assert_pair(chain, folder, f"{folder} is a folder")
        (folder / "empty").touch()
        self.assert_pair(folder / "empty", key, f"{folder}/empty is empty")
        for option in ("--tls-client-ca", "--tls-tickets", "--tls-ocsp"):
            self.assertEqual(self.refusal("--tls-cert", chain, "--tls-key", key, option, "/nope"),
                             "cannot read /nope: No such file or directory")

    def test_a_certificate_without_its_key(self):
        chain, key = good
        other = authority.issue("other", "localhost")
        self.assertEqual(self.refusal("--tls-cert", chain), f"{chain} has no key in it, and no key is given for it (--tls-key)")
        self.assert_pair(chain, other[1], f"{other[1]} is the key of another certificate than {chain}")
        self.assert_pair(key, chain, f"{key} has a key, and no certificate")
        self.assert_pair(chain, chain, f"{chain} has a certificate, and no key")
        reversed_chain = folder / "reversed.pem"
        reversed_chain.write_bytes(authority.certificate.read_bytes() + chain.read_bytes())
        self.assert_pair(reversed_chain, key, f"{reversed_chain} begins with the certificate of a CA: the one of the server must be first")

    def test_an_encrypted_key_asks_nobody(self):
        chain, key = good
        openssl("pkcs8", "-topk8", "-in", key, "-passout", "pass:secret", "-out", folder / "pkcs8.key")
        openssl("ec", "-in", key, "-aes128", "-passout", "pass:secret", "-out", folder / "traditional.key")
        for name in ("pkcs8.key", "traditional.key"):
            path = folder / name
            self.assert_pair(chain, path, f"{path} has a key that is encrypted, and weir asks for no passphrase; write it without one: "
                             f"openssl pkey -in {path} -out NEW")
        with_key = folder / "both.pem"
        with_key.write_bytes(chain.read_bytes() + (folder / "pkcs8.key").read_bytes())
        self.assertIn("is encrypted", self.refusal("--tls-cert", with_key))

    def test_other_forms(self):
        chain, key = good
        openssl("x509", "-in", chain, "-outform", "der", "-out", folder / "c.der")
        openssl("pkey", "-in", key, "-outform", "der", "-out", folder / "k.der")
        openssl("pkcs12", "-export", "-in", chain, "-inkey", key, "-passout", "pass:", "-out", folder / "c.p12")
        openssl("pkey", "-in", key, "-pubout", "-out", folder / "k.pub")
        self.assert_pair(folder / "c.der", key, f"{folder}/c.der is in DER; in PEM: openssl x509 -inform der -in {folder}/c.der")
        self.assert_pair(chain, folder / "k.der", f"{folder}/k.der is a key in DER; in PEM: openssl pkey -in {folder}/k.der")
        self.assert_pair(folder / "c.p12", key, f"{folder}/c.p12 is in PKCS #12; in PEM: openssl pkcs12 -nodes -in {folder}/c.p12")
        self.assert_pair(chain, folder / "k.pub", f"{folder}/k.pub is a public key, and not the private one")
        self.assertIn("is a request for a certificate", self.refusal("--tls-cert", folder / "good.csr", "--tls-key", key))


class Times(EndToEnd):
    def test_are_told_at_the_start(self):
        for name, begin, end, words in (("old", -9 * DAY, -DAY, "expired on"), ("new", DAY, 90 * DAY, "is not valid before"),
                                        ("soon", -DAY, 3.5 * DAY, "expires on .*, in 3 days")):
            for self.engine in ("per-core", "prefork", "fork-per-connection"):
                with self.subTest(name=name, engine=self.engine):
                    chain, key = between(name, begin, end)
                    server = self.start("serve", SITE, "--port", "0", "--engine", self.engine, "--tls-cert", chain, "--tls-key", key)
                    server.wait_for_line(f"^weir: warning: the certificate of localhost in {chain} {words}")
                    server.stop()

    def test_are_told_at_a_reload_and_when_they_end(self):
        """To make a certificate takes time, too: one that has ended before it is read is made again, for longer."""
        chain, key = authority.issue("watched", "localhost")
        server = self.serve(SITE, "--tls-cert", chain, "--tls-key", key)
        seconds, told = 3, "expired"
        while told == "expired":
            between("watched", -DAY, datetime.timedelta(seconds=seconds))
            server.signal(signal.SIGHUP)
            told = server.wait_for_line("expires on .*, in less than a day|expired on")[0].split()[0]
            seconds *= 2
        server.wait_for_line(f"^weir: warning: the certificate of localhost in {chain} expired on")

    def test_nothing_is_told_of_a_good_one(self):
        server = self.serve(SITE, "--tls-cert", good[0], "--tls-key", good[1])
        server.signal(signal.SIGHUP)
        server.wait_for_line("certificates were read again")
        server.signal(signal.SIGTERM)
        server.wait()
        self.assertFalse([line for line in server.lines if "warning" in line], server.lines)


class Names(EndToEnd):
    def test_the_name_that_is_asked_for_most_is_told_if_no_certificate_is_for_it(self):
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        for self.engine in ("per-core", "prefork", "fork-per-connection"):
            with self.subTest(engine=self.engine):
                server = self.serve(SITE, "--tls-cert", good[0], "--tls-key", good[1])
                for name in ("localhost", "localhost", *["www.example.org"] * 3):
                    with socket.create_connection(("127.0.0.1", server.port), PATIENCE_SECONDS) as plain:
                        context.wrap_socket(plain, server_hostname=name).close()
                server.wait_for_line("^weir: warning: clients ask most for www.example.org, and no certificate is for that name: they get "
                                     "the one of localhost$")
                server.stop()


if __name__ == "__main__":
    unittest.main()
