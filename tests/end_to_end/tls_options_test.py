"""What the options of TLS do: names, resumption, clients with certificates, staples, redirects, a certificate of its own."""

import json
import signal
import socket
import ssl
import stat
import subprocess
import unittest
from http.client import HTTPSConnection
from pathlib import Path
from tempfile import TemporaryDirectory

from authority import Authority, openssl
from passwords_test import HAS_CRYPT, password_line
from served import PATIENCE_SECONDS, EndToEnd, fetch, run, wait_until


def setUpModule():
    global folder, authority, site, localhost
    holder = TemporaryDirectory()
    unittest.addModuleCleanup(holder.cleanup)
    folder = Path(holder.name)
    authority = Authority(folder)
    localhost = authority.issue("localhost", "localhost")
    site = folder / "site"
    (site / ".well-known/acme-challenge/folder").mkdir(parents=True)
    (site / "index.html").write_text("hello", encoding="ascii")
    (site / ".well-known/acme-challenge/token").write_text("token", encoding="ascii")


def s_client(server, *options, text=""):
    done = subprocess.run(["openssl", "s_client", "-connect", f"127.0.0.1:{server.port}", "-CAfile", authority.certificate,
                           *map(str, options)], input=text, capture_output=True, text=True, check=False,
                          timeout=PATIENCE_SECONDS)
    return done.stdout + done.stderr


def get(server, context=None, path="/"):
    connection = HTTPSConnection("localhost", server.port, timeout=PATIENCE_SECONDS, context=context or authority.client())
    try:
        connection.request("GET", path)
        response = connection.getresponse()
        return response, response.read()
    finally:
        connection.close()


class TlsOptions(EndToEnd):
    def serve_tls(self, *options, **added):
        return self.serve(site, "--tls-cert", localhost[0], "--tls-key", localhost[1], *options, **added)

    def test_names_choose_among_certificates(self):
        other = authority.issue("other", "other.test")
        server = self.serve_tls("--tls-cert", other[0], "--tls-key", other[1])
        self.assertIn("Verification: OK", s_client(server, "-servername", "other.test", "-verify_hostname", "other.test"))
        self.assertIn("Verification: OK", s_client(server, "-servername", "localhost", "-verify_hostname", "localhost"))

    def test_keys_of_two_kinds(self):
        rsa = authority.issue("localhost-rsa", "localhost", kind="rsa")
        server = self.serve_tls("--tls-cert", rsa[0], "--tls-key", rsa[1])
        self.assertIn("Peer signature type: ECDSA", s_client(server, "-tls1_2", "-cipher", "ECDHE-ECDSA-AES128-GCM-SHA256"))
        self.assertRegex(s_client(server, "-tls1_2", "-cipher", "ECDHE-RSA-AES128-GCM-SHA256"), "Peer signature type: RSA")

    def test_a_folder_of_certificates(self):
        live = folder / "live/localhost"
        live.mkdir(parents=True)
        for source, name in zip(localhost, ("fullchain.pem", "privkey.pem"), strict=True):
            (live / name).write_bytes(source.read_bytes())
        server = self.serve(site, "--tls-cert", folder / "live")
        self.assertEqual(get(server)[1], b"hello")

    def test_sessions_are_resumed_also_by_a_server_with_the_same_secret(self):
        secret = folder / "secret"
        secret.write_bytes(bytes(64))
        servers = [self.serve_tls("--tls-tickets", secret) for _ in range(2)]
        context = authority.client(version=ssl.TLSVersion.TLSv1_2)
        session = None
        for server in servers:
            with socket.create_connection(("127.0.0.1", server.port), PATIENCE_SECONDS) as plain:
                with context.wrap_socket(plain, server_hostname="localhost", session=session) as connection:
                    self.assertEqual(connection.session_reused, session is not None)
                    session = connection.session

    def test_resumption_in_tls_1_3(self):
        server = self.serve_tls()
        ticket = folder / "ticket"
        s_client(server, "-tls1_3", "-ign_eof", "-sess_out", ticket, text="GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        self.assertIn("Reused, TLSv1.3", s_client(server, "-tls1_3", "-sess_in", ticket))

    def test_clients_with_certificates(self):
        ada = authority.issue("ada", subject="/O=Example/CN=ada")
        log = folder / "clients.log"
        server = self.serve_tls("--tls-client-ca", authority.certificate, "--access-log", log, "--access-log-format", "json")
        self.assertEqual(get(server, authority.client(*ada))[1], b"hello")
        with self.assertRaises(OSError):
            get(server)
        wait_until(lambda: log.read_text(encoding="ascii").endswith("\n"))
        entry = json.loads(log.read_text(encoding="ascii").splitlines()[0])
        self.assertEqual(entry["tls"], "TLSv1.3")
        self.assertEqual(entry["client"], "CN=ada,O=Example")
        fingerprint = openssl("x509", "-in", ada[0], "-noout", "-fingerprint", "-sha256").split("=")[1].strip()
        self.assertEqual(entry["client_fingerprint"], fingerprint.replace(":", "").lower())

        asking = self.serve_tls("--tls-client-ca", authority.certificate, "--tls-client-auth", "ask")
        self.assertEqual(get(asking)[1], b"hello")
        self.assertIn("Acceptable client certificate CA names", s_client(asking))

    def test_a_staple(self):
        server = self.serve_tls("--tls-ocsp", authority.staple(localhost[0], "staple.der"))
        self.assertIn("Cert Status: good", s_client(server, "-status"))
        self.assertIn("no response sent", s_client(self.serve_tls(), "-status"))

    def test_old_versions_and_weak_ciphers_are_refused(self):
        server = self.serve_tls()
        for refused in (("-tls1_1", "-cipher", "ALL:@SECLEVEL=0"), ("-tls1_2", "-cipher", "AES128-SHA:@SECLEVEL=0"),
                        ("-tls1_2", "-cipher", "ECDHE-ECDSA-AES128-SHA:@SECLEVEL=0")):
            self.assertRegex(s_client(server, *refused), "(?i)alert|no protocols available", refused)
        self.assertIn("Secure Renegotiation IS supported", s_client(server, "-tls1_2"))
        self.assertIn("Compression: NONE", s_client(server))

    def test_alpn(self):
        server = self.serve_tls()
        self.assertIn("ALPN protocol: http/1.1", s_client(server, "-alpn", "http/1.1,foo"))

    def test_content_that_is_cut_is_not_answered(self):
        """By a FIN without close_notify, which anybody on the way could have sent."""
        log = folder / "cut.log"
        server = self.start("target", "--port", 0, "--tls-cert", localhost[0], "--tls-key", localhost[1], "--access-log", log,
                            "--access-log-format", "json").wait_for_banner()
        plain = socket.create_connection(("127.0.0.1", server.port), PATIENCE_SECONDS)
        connection = authority.client().wrap_socket(plain, server_hostname="localhost", suppress_ragged_eofs=True)
        connection.sendall(b"POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n12345")
        connection.shutdown(socket.SHUT_WR)
        raw = socket.socket(fileno=connection.detach())
        self.addCleanup(raw.close)
        raw.settimeout(PATIENCE_SECONDS)
        while raw.recv(4096):  # to the end: a ticket, and no answer
            pass
        self.assertEqual(get(server, path="/plaintext")[1], b"Hello, World!")
        wait_until(lambda: "/plaintext" in log.read_text(encoding="ascii"))
        entries = [json.loads(line) for line in log.read_text(encoding="ascii").splitlines()]
        self.assertNotIn("sent", [entry["outcome"] for entry in entries if entry.get("target") == "/echo"])

    def test_redirects_to_https_but_for_challenges(self):
        server = self.serve_tls("--tls-redirect", "127.0.0.1:0", "--hsts")
        port = int(server.wait_for_line(r"http://127\.0\.0\.1:(\d+)/ redirects there")[1])
        response, _ = fetch(port, "/a/b?c=d", Host="localhost:1")
        self.assertEqual((response.status, response.getheader("Location")), (308, f"https://localhost:{server.port}/a/b?c=d"))
        response, _ = fetch(port, "//a\\b?c=\\|", Host="localhost:1")
        self.assertEqual(response.getheader("Location"), f"https://localhost:{server.port}//a%5Cb?c=%5C%7C")
        self.assertIsNone(response.getheader("Strict-Transport-Security"))
        response, body = fetch(port, "/.well-known/acme-challenge/token")
        self.assertEqual((response.status, body), (200, b"token"))
        self.assertIsNone(response.getheader("Strict-Transport-Security"))
        response, _ = get(server)
        self.assertEqual(response.getheader("Strict-Transport-Security"), "max-age=31536000")
        self.assertEqual(get(server, path="/missing")[0].getheader("Strict-Transport-Security"), "max-age=31536000")

    def test_hsts_is_on_answers_that_come_later_too(self):
        field = "Strict-Transport-Security"
        plain = self.serve(site, "--header", "/index.html: X-A: b")
        own = self.serve(site, "--header", f"/**: {field}: max-age=1")
        server = self.serve_tls("--hsts", "--proxy", f"/plain: http://127.0.0.1:{plain.port}/", "--proxy",
                                f"/own: http://127.0.0.1:{own.port}/", "--proxy", "/gone: http://127.0.0.1:1")
        for path, status, values in (("/plain/", 200, ["max-age=31536000"]), ("/plain/none", 404, ["max-age=31536000"]),
                                     ("/gone", 502, ["max-age=31536000"]), ("/own/", 200, ["max-age=1"])):
            with self.subTest(path):
                response, _ = get(server, path=path)
                self.assertEqual((response.status, response.headers.get_all(field)), (status, values))

    def test_challenges_pass_all_rules_and_nothing_else_does(self):
        (folder / "secret").write_bytes(b"k" * 32)
        (folder / "closed").touch()
        users = ()
        if HAS_CRYPT:
            (folder / "users").write_text(password_line("ada", "secret"), encoding="ascii")
            users = (("--auth", folder / "users"),)
        for options in (*users, ("--prefix", "/docs"), ("--maintenance", folder / "closed"), ("--signed", folder / "secret"),
                        ("--deny", "0.0.0.0/0"), ("--rewrite", "/{rest...}: /none"), ("--redirect", "/{rest...}: https://example.org/{rest...}")):
            with self.subTest(options=options):
                server = self.serve_tls("--tls-redirect", "127.0.0.1:0", "--listing", *options)
                port = int(server.wait_for_line(r"http://127\.0\.0\.1:(\d+)/ redirects there")[1])
                below = "/.well-known/acme-challenge/"
                response, body = fetch(port, f"{below}token")
                self.assertEqual((response.status, body), (200, b"token"))
                self.assertEqual(fetch(port, f"{below}token", "HEAD")[0].status, 200)
                for target in (below, f"{below}none", f"{below}../../index.html", f"{below}%2e%2e/%2e%2e/index.html", f"{below}token/",
                               f"{below}folder"):
                    response, body = fetch(port, target)
                    self.assertNotEqual(response.status, 200, target)
                    self.assertNotIn(b"hello", body, target)
                self.assertNotEqual(fetch(port, f"{below}token", "OPTIONS")[0].status, 200)
                self.assertEqual(fetch(port, "/index.html")[0].status, 308)
                self.assertNotEqual(get(server, path=f"{below}token")[0].status, 200, "over TLS, the rules hold")

    def test_files_that_change_are_read_without_a_signal(self):
        chain, key = authority.issue("watched", "localhost")
        server = self.serve(site, "--tls-cert", chain, "--tls-key", key)
        before = s_client(server)
        authority.issue("watched", "localhost")
        server.wait_for_line("certificates were read again")
        self.assertNotEqual(s_client(server), before)

    def test_nothing_is_lost_while_certificates_are_replaced(self):
        for engine in ("per-core", "prefork", "fork-per-connection"):
            self.engine = engine
            chain, key = authority.issue(f"load-{engine}", "localhost")
            server = self.serve(site, "--tls-cert", chain, "--tls-key", key)
            context = authority.client()
            for count in range(200):
                if count % 20 == 10:
                    authority.issue(f"load-{engine}", "localhost")
                    server.signal(signal.SIGHUP)
                self.assertEqual(get(server, context)[1], b"hello", f"{engine}, request {count}")
            server.stop()


class OwnCertificate(EndToEnd):
    def serve_own(self, state):
        server = self.serve(site, "--tls", XDG_STATE_HOME=str(state))
        wait_until(lambda: any("engine" in line for line in server.lines))
        return server, "\n".join(server.lines)

    def test_it_is_made_once_and_told(self):
        state = folder / "state"
        server, said = self.serve_own(state)
        chain, key = state / "weir/weir.crt", state / "weir/weir.key"
        self.assertEqual(stat.S_IMODE(key.stat().st_mode), 0o600)
        self.assertEqual(get(server, ssl.create_default_context(cafile=str(chain)))[1], b"hello")
        fingerprint = openssl("x509", "-in", chain, "-noout", "-fingerprint", "-sha256").split("=")[1].strip()
        self.assertIn(fingerprint, said)
        self.assertIn(f"curl --cacert {chain}", said)
        self.assertIn("made now", said)
        self.assertIn("P-256", openssl("x509", "-in", chain, "-noout", "-text"))
        server.stop()
        _, said = self.serve_own(state)
        self.assertIn(fingerprint, said)
        self.assertNotIn("made now", said)

    def test_without_a_place_it_says_what_to_do(self):
        status, _, errors = run("serve", site, "--tls", "-p", 0, HOME="", XDG_STATE_HOME="")
        self.assertEqual(status, 1)
        self.assertIn("--tls-cert", errors)


class WrongUse(EndToEnd):
    def test_options_that_do_not_fit(self):
        for options, said in ((("--tls-key", "k"), "--tls-key needs --tls, --tls-cert or --domain"),
                              (("--hsts",), "--hsts needs --tls"),
                              (("--tls", "--tls-client-auth", "require"), "needs --tls-client-ca"),
                              (("--tls", "--tls-key", "k"), "more keys than certificates"),
                              (("--tls", "--tls-client-auth", "maybe"), "neither off, ask nor require")):
            status, _, errors = run("serve", site, *options)
            self.assertEqual((status, errors.count("\n")), (2, 1), errors)
            self.assertIn(said, errors)

    def test_files_that_are_wrong(self):
        status, _, errors = run("serve", site, "--tls-cert", "/nowhere.pem")
        self.assertEqual((status, errors), (1, "weir serve: --tls: cannot read /nowhere.pem: No such file or directory\n"))


if __name__ == "__main__":
    unittest.main()
