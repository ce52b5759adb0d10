"""Servers of --proxy that speak TLS: sessions that are resumed, and certificates that weir shows."""

import http.server
import signal
import ssl
import threading
import unittest
from datetime import UTC, datetime, timedelta

from authority import Authority, openssl
from served import InAFolder, for_each_engine, run, wait_until


class Handler(http.server.BaseHTTPRequestHandler):
    """Says whose certificate it was shown, and closes the connection."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.server.resumed.append(self.connection.session_reused)
        shown = self.connection.getpeercert() or {"subject": ()}
        content = "".join(value for ((_, value),) in shown["subject"]).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(content)

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.do_GET()

    def log_message(self, *_):
        pass


class WithTls(InAFolder):
    def setUp(self):
        super().setUp()
        self.site = self.top / "site"
        self.site.mkdir()
        self.keys = self.top / "keys"
        self.keys.mkdir()
        self.authority = Authority(self.keys)
        self.shown = self.authority.issue("localhost", "localhost")

    def upstream(self, version=None, asks=ssl.CERT_NONE, shown=None):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*map(str, shown or self.shown))
        context.load_verify_locations(str(self.authority.certificate))
        context.verify_mode = asks
        if version:
            context.minimum_version = context.maximum_version = version
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.socket = context.wrap_socket(server.socket, server_side=True)
        server.resumed = []
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return server

    @staticmethod
    def route(upstream):
        return f"/: https://localhost:{upstream.server_address[1]}"

    def trust(self):
        return {"SSL_CERT_FILE": str(self.authority.certificate)}

    def through(self, upstream, *options):
        return self.serve(self.site, "--proxy", self.route(upstream), *options, **self.trust())

    def client(self, name):
        """A certificate with that name in its subject, and its key."""
        return self.authority.issue(name, subject=f"/CN={name}")


@for_each_engine
class Resumption(WithTls):
    def check(self, version):
        upstream = self.upstream(version)
        connection = self.connect(self.through(upstream))
        for _ in range(4):
            connection.request("GET", "/")
            response = connection.getresponse()
            response.read()
            self.assertEqual(response.status, 200)
        self.assertEqual(upstream.resumed, [False, True, True, True])

    def test_of_tls_1_3(self):
        self.check(ssl.TLSVersion.TLSv1_3)

    def test_of_tls_1_2(self):
        self.check(ssl.TLSVersion.TLSv1_2)


class Stranger(WithTls):
    def test_gets_no_request_that_another_server_can_take(self):
        """Nothing of them was sent, so the methods do not matter."""
        stranger = self.upstream(shown=self.authority.issue("other", "other.test"))
        trusted = self.upstream()
        route = f"{self.route(stranger)} https://localhost:{trusted.server_address[1]}"
        server = self.serve(self.site, "--proxy", route, **self.trust())
        statuses = [self.fetch(server, "/", method, content)[0].status for method, content in (("POST", b"x"), ("GET", None)) * 3]
        self.assertEqual(statuses, [200] * 6)
        server.wait_for_line("has a certificate for another host")


class ClientCertificate(WithTls):
    def test_is_shown_to_a_server_that_asks(self):
        upstream = self.upstream(asks=ssl.CERT_REQUIRED)
        chain, key = self.client("weir one")
        server = self.through(upstream, "--proxy-tls-cert", chain, "--proxy-tls-key", key)
        for _ in range(2):  # the second one resumes the session
            self.assertEqual(self.fetch(server, "/")[1], b"weir one")
        self.assertEqual(upstream.resumed, [False, True])

    def test_may_have_its_key_in_the_same_file(self):
        upstream = self.upstream(asks=ssl.CERT_REQUIRED)
        chain, key = self.client("weir one")
        both = self.keys / "both.pem"
        both.write_text(chain.read_text(encoding="ascii") + key.read_text(encoding="ascii"), encoding="ascii")
        self.assertEqual(self.fetch(self.through(upstream, "--proxy-tls-cert", both), "/")[1], b"weir one")

    def test_server_that_requires_one_gets_none_by_default(self):
        upstream = self.upstream(asks=ssl.CERT_REQUIRED)
        self.assertEqual(self.fetch(self.through(upstream), "/")[0].status, 502)
        self.assertEqual(upstream.resumed, [])

    def test_is_read_again_by_a_reload(self):
        upstream = self.upstream(asks=ssl.CERT_REQUIRED)
        chain, key = self.client("weir one")
        config = self.top / "weir.toml"
        config.write_text(f'root = "{self.site}"\nport = 0\nproxy = ["{self.route(upstream)}"]\n'
                          f'proxy-tls-cert = "{chain}"\nproxy-tls-key = "{key}"\n', encoding="utf-8")
        server = self.start("serve", "--config", config, **self.trust()).wait_for_banner()
        self.assertEqual(self.fetch(server, "/")[1], b"weir one")
        for new, old in zip(self.client("weir two"), (chain, key), strict=True):
            new.replace(old)
        server.signal(signal.SIGHUP)
        server.wait_for_line("generation 2 .* serves")
        wait_until(lambda: self.fetch(server, "/")[1] == b"weir two")  # until then, both generations accept

    def test_wrong_files_are_refused(self):
        upstream = self.upstream()
        chain, key = self.client("one")
        _, other = self.client("other")
        locked = self.keys / "locked.key"
        openssl("pkey", "-in", key, "-aes128", "-passout", "pass:secret", "-out", locked)
        for options, what in (
                ((chain, other), f"{other} is the key of another certificate than {chain}"),
                ((chain, locked), f"{locked} has a key that is encrypted"),
                ((chain,), f"{chain} has no key in it, and no key is given for it (--proxy-tls-key)"),
                ((key, key), f"{key} has a key, and no certificate"),
                ((self.keys / "none.pem", key), "none.pem")):
            named = [word for pair in zip(("--proxy-tls-cert", "--proxy-tls-key"), options, strict=False) for word in pair]
            status, _, err = run("serve", self.site, "--port", "0", "--proxy", self.route(upstream), *named, **self.trust())
            self.assertEqual(status, 1, err)
            self.assertIn("--proxy-tls-cert: ", err)
            self.assertIn(what, err)

    def test_one_that_has_expired_is_told(self):
        now = datetime.now(UTC)
        chain, key = self.authority.issue_between("old", "old.test", now - timedelta(days=9), now - timedelta(days=2))
        server = self.through(self.upstream(), "--proxy-tls-cert", chain, "--proxy-tls-key", key)
        said = f"the certificate for other servers in {chain} expired on "
        self.assertTrue(any(said in line for line in server.lines), server.lines)

    def test_key_below_the_site_is_refused(self):
        chain, key = self.client("one")
        status, _, err = run("serve", self.keys, "--port", "0", "--proxy", self.route(self.upstream()), "--proxy-tls-cert", chain,
                             "--proxy-tls-key", key, **self.trust())
        self.assertEqual(status, 1, err)
        self.assertIn("anyone could download it", err)

    def test_wrong_options_are_refused(self):
        for options, what in (
                (["--proxy", "/: https://a", "--proxy-tls-key", "a"], "--proxy-tls-key needs --proxy-tls-cert"),
                (["--proxy", "/: http://a", "--proxy-tls-cert", "a"], "--proxy-tls-cert needs --proxy with a server of https://")):
            status, _, err = run("serve", self.site, "--port", "0", *options)
            self.assertEqual(status, 2, err)
            self.assertIn(what, err)


if __name__ == "__main__":
    unittest.main()
