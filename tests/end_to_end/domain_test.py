"""`weir serve --domain`: a CA of the test gives the certificate, and Pebble does where WEIR_LIVE is set."""

import os
import signal
import socket
import ssl
import unittest
from http.client import HTTPConnection
from pathlib import Path

from acme_ca import AcmeCa
from pebble import Pebble, held_ports
from served import LISTEN, PATIENCE_SECONDS, InAFolder, is_missing, is_running, links_of, processes, run, tcp_sockets, text_of, wait_until

NAME = "example.org"
ENGINES = ("per-core", "io-uring", "thread-pool", "reactor", "prefork")


class WithCa(InAFolder):
    def setUp(self):
        super().setUp()
        self.site, self.state = self.top / "site", self.top / "state"
        for folder in (self.site, self.state):
            folder.mkdir()
        (self.site / "index.html").write_text("hello", encoding="ascii")
        self.http_port, self.https_port = held_ports(self, 2)

    def serve_for(self, *names, directory, ca):
        """With ports of the test in place of 443 and 80."""
        domains = [word for name in names for word in ("--domain", name)]
        return self.start("serve", self.site, "-b", f"127.0.0.1:{self.https_port}", "--tls-redirect", f"127.0.0.1:{self.http_port}", *domains,
                          "--acme", directory, "--acme-ca", ca, "--engine", self.engine, STATE_DIRECTORY=str(self.state)).wait_for_banner()

    def ca(self):
        made = AcmeCa(self.top, self.http_port, self.https_port)
        self.addCleanup(made.close)
        return made

    def serve_by(self, ca, *names):
        return self.serve_for(*(names or (NAME,)), directory=ca.directory, ca=ca.authority.certificate)

    def stop(self, server):
        server.process.terminate()
        self.assertEqual(server.wait(), 0)

    def shown(self, context, name=NAME):
        """The serial number of the certificate that a client gets, which trusts it."""
        with socket.create_connection(("127.0.0.1", self.https_port), PATIENCE_SECONDS) as plain:
            with context.wrap_socket(plain, server_hostname=name) as connection:
                connection.sendall(b"GET / HTTP/1.1\r\nHost: example.org\r\n\r\n")
                self.assertIn("hello", connection.recv(4096).decode())
                return connection.getpeercert()["serialNumber"]

    def keepers(self, server):
        return [pid for pid in processes(server.process.pid) if text_of(Path(f"/proc/{pid}/comm")).strip() in ("weir-keeper", "weir-acme") and is_running(pid)]

    def is_trusted(self, context, serial, name=NAME):
        try:
            return self.shown(context, name) == serial
        except ssl.SSLCertVerificationError:
            return False


class UnderEngines(WithCa):
    def test_a_certificate_comes_and_is_renewed(self):
        for self.engine in ENGINES:
            with self.subTest(self.engine):
                self.state = self.top / self.engine
                self.state.mkdir()
                ca = self.ca()
                ca.lives = [(80, 10)]
                server = self.serve_by(ca)
                for _ in range(2):
                    server.wait_for_line("there is a new certificate for example.org")
                wait_until(lambda ca=ca: self.is_trusted(ca.authority.client(), ca.newest))
                self.assertEqual(ca.validated, ["http-01", "http-01"])
                self.stop(server)

    def test_by_tls(self):
        for self.engine in ENGINES:
            with self.subTest(self.engine):
                self.state = self.top / self.engine
                self.state.mkdir()
                ca = self.ca()
                ca.kind = "tls-alpn-01"
                server = self.serve_by(ca)
                server.wait_for_line("the certificates were read again: example.org")
                self.assertEqual(ca.validated, ["tls-alpn-01"])
                self.shown(ca.authority.client())
                self.stop(server)

    @unittest.skipIf(is_missing("pebble"), "pebble is not installed")
    def test_pebble(self):
        for self.engine in ENGINES:
            with self.subTest(self.engine):
                self.state = self.top / self.engine
                self.state.mkdir()
                pebble = Pebble(self.top, self.http_port, self.https_port, rejected_nonces=50, is_slow=True)
                self.addCleanup(pebble.close)
                server = self.serve_for(NAME, directory=pebble.directory, ca=pebble.authority.certificate)
                server.wait_for_line("the certificates were read again: example.org")
                self.shown(pebble.client())
                self.stop(server)


class Domain(WithCa):
    def test_a_placeholder_until_it_comes(self):
        ca = self.ca()
        ca.refusal = (429, "rateLimited", "too many of them")
        server = self.serve_by(ca)
        server.wait_for_line(r"no new certificate for example.org: a limit of the CA is reached \(too many of them\); the next try is in 1 min")
        with self.assertRaises(ssl.SSLCertVerificationError):
            self.shown(ca.authority.client())

    def test_the_ca_is_not_there(self):
        [port] = held_ports(self, 1)
        ca = self.ca()
        server = self.serve_for(NAME, directory=f"https://localhost:{port}/directory", ca=ca.authority.certificate)
        server.wait_for_line(f"the CA at https://localhost:{port}/directory can't be asked: there is no connection")

    def test_the_ca_is_not_trusted(self):
        ca, other = self.ca(), self.top / "other"
        other.mkdir()
        server = self.serve_for(NAME, directory=ca.directory, ca=AcmeCa(other, 0, 0).authority.certificate)
        server.wait_for_line("it has no certificate of a known CA for its name")

    def test_several_names_and_a_restart(self):
        ca = self.ca()
        names = ("a.example.org", "b.example.org")
        server = self.serve_by(ca, *names)
        for name in names:
            server.wait_for_line(f"there is a new certificate for {name}")
        wait_until(lambda: any(line.count("(until ") == 2 for line in server.lines if "read again" in line))
        self.stop(server)
        self.serve_by(ca, *names)
        for name in names:
            self.shown(ca.authority.client(), name)
        self.assertEqual(ca.orders, list(names))

    @unittest.skipIf("toml++" not in run("--version")[1], "this build reads no configuration file")
    def test_a_reload_adds_a_name(self):
        ca, file = self.ca(), self.top / "weir.toml"
        rest = f"""root = "{self.site}"
bind = ["127.0.0.1:{self.https_port}"]
tls-redirect = ["127.0.0.1:{self.http_port}"]
acme = "{ca.directory}"
acme-ca = "{ca.authority.certificate}"
"""
        file.write_text(f'domain = ["a.example.org"]\n{rest}', encoding="ascii")
        server = self.start("serve", "--config", file, STATE_DIRECTORY=str(self.state)).wait_for_banner()
        server.wait_for_line("there is a new certificate for a.example.org")
        file.write_text(f'domain = ["a.example.org", "b.example.org"]\n{rest}', encoding="ascii")
        server.process.send_signal(signal.SIGHUP)
        server.wait_for_line("there is a new certificate for b.example.org")
        wait_until(lambda: self.is_trusted(ca.authority.client(), ca.newest, "b.example.org"))
        self.assertEqual(ca.orders, ["a.example.org", "b.example.org"])
        self.stop(server)

    def test_machines_share_the_folder(self):
        ca = self.ca()
        self.serve_by(ca)
        first = self.https_port
        self.http_port, self.https_port = held_ports(self, 2)
        self.serve_by(ca)
        for port in (self.https_port, first):
            self.https_port = port
            wait_until(lambda: self.is_trusted(ca.authority.client(), ca.newest))
        self.assertEqual(len(ca.orders), 1)

    def test_everything_is_private(self):
        ca = self.ca()
        server = self.serve_by(ca)
        server.wait_for_line("there is a new certificate")
        for path in (self.state / "acme").rglob("*"):
            self.assertEqual(path.stat().st_mode & 0o77, 0, path)
        self.stop(server)

    def test_the_process_that_asks_ends_with_the_server(self):
        server = self.serve_by(self.ca())
        server.wait_for_line("there is a new certificate")
        keepers = self.keepers(server)
        self.assertEqual(len(keepers), 2)
        for keeper in keepers:
            self.assertEqual(set(links_of(keeper)) & {one.link() for one in tcp_sockets() if one.state == LISTEN}, set())
        os.kill(server.process.pid, signal.SIGKILL)
        wait_until(lambda: not any(is_running(keeper) for keeper in keepers))

    def test_the_process_that_asks_is_started_again(self):
        ca = self.ca()
        server = self.serve_by(ca)
        server.wait_for_line("there is a new certificate")
        watcher, asking = self.keepers(server)
        os.kill(asking, signal.SIGKILL)
        server.wait_for_line("the process that keeps certificates died of SIGKILL; the next one begins in 1 s")
        wait_until(lambda: len(self.keepers(server)) == 2)
        self.assertEqual(self.keepers(server)[0], watcher)
        wait_until(lambda: self.is_trusted(ca.authority.client(), ca.newest))

    def test_the_redirect_stays(self):
        server = self.serve_by(self.ca())
        server.wait_for_line("there is a new certificate")
        connection = HTTPConnection("127.0.0.1", self.http_port, timeout=PATIENCE_SECONDS)
        connection.request("GET", "/", headers={"Host": NAME})
        self.assertEqual(connection.getresponse().status, 308)
        connection.close()

    def test_wrong_use(self):
        for words, said in ((["--domain", "*.example.org"], "dns-01"), (["--domain", "localhost"], "is no name that a CA knows"),
                            (["--domain", "192.0.2.7"], "is no name that a CA knows"), (["--domain", "münchen.de"], "xn--"),
                            (["--domain", NAME, "--acme", "http://ca/"], "neither staging nor the URL"), (["--acme", "staging"], "needs --domain"),
                            (["--domain", NAME, "--acme-email", "ada"], "no address of mail"), (["--domain", NAME, "--tls=local"], "give one of them")):
            status, _, errors = run("serve", self.site, *words)
            self.assertEqual(status, 2, words)
            self.assertIn(said, errors)

    def test_a_wrong_file_of_cas(self):
        wrong = self.top / "cas"
        wrong.write_text("nothing", encoding="ascii")
        for path, said in ((self.top / "none", "No such file or directory"), (self.top, "is a folder"), (wrong, "certificate")):
            status, _, errors = run("serve", self.site, "--domain", NAME, "-b", "127.0.0.1:0", "--acme-ca", path, STATE_DIRECTORY=str(self.state))
            self.assertEqual((status, errors.count("\n")), (1, 1), errors)
            self.assertIn(str(path), errors)
            self.assertIn(said, errors)

    def test_a_wrong_account_file(self):
        wrong = self.top / "account"
        for content in ("", "id", "id !!!", "id a2V5 more"):
            wrong.write_text(content, encoding="ascii")
            status, _, errors = run("serve", self.site, "--domain", NAME, "-b", "127.0.0.1:0", "--acme-eab", wrong,
                                    STATE_DIRECTORY=str(self.state))
            self.assertEqual((status, errors.count("\n")), (1, 1), errors)
            self.assertIn("must have the id of a key, a space, and the key in base64url", errors)
        status, _, errors = run("serve", self.site, "--domain", NAME, "-b", "127.0.0.1:0", "--acme-eab", self.top / "none", STATE_DIRECTORY=str(self.state))
        self.assertEqual((status, errors), (1, f"weir serve: --domain: cannot read {self.top}/none: No such file or directory\n"))


if __name__ == "__main__":
    unittest.main()
