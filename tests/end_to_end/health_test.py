"""`weir health` with real servers: in plain HTTP and over TLS, with and without a look at the certificate."""

import signal
import socket
import ssl
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory

from authority import Authority
from served import PATIENCE_SECONDS, EndToEnd, run, spawn, state_of, wait_until

REFUSES_CLIENTS = "weir health: {} asks for a client's certificate, and weir health has none\n"


def setUpModule():
    global folder, authority, localhost, site
    holder = TemporaryDirectory()
    unittest.addModuleCleanup(holder.cleanup)
    folder = Path(holder.name)
    authority = Authority(folder)
    localhost = authority.issue("localhost", "localhost", "127.0.0.1")
    site = folder / "site"
    site.mkdir()
    (site / "index.html").write_text("hello", encoding="ascii")


def health(*arguments, **added):
    """Four seconds may pass on a busy machine before anything comes."""
    return run("health", "--timeout", f"{PATIENCE_SECONDS}s", *arguments, **added)


class Health(EndToEnd):
    def serve_tls(self, *options, certificate=None):
        chain, key = certificate or localhost
        return self.serve(site, "--tls-cert", chain, "--tls-key", key, *options)

    def where(self, server):
        return f"127.0.0.1:{server.port}"

    def test_a_server_of_tls_is_found_without_being_told(self):
        where = self.where(self.serve_tls())
        for address in (where, f"https://{where}", f"https://localhost:{where.split(':')[1]}/"):
            self.assertEqual(health(address), (0, f"{where} answers 200 over TLS\n", ""))
        self.assertEqual(health(WEIR_BIND=where, WEIR_TLS="1"), (0, f"{where} answers 200 over TLS\n", ""))

    def test_the_status_over_tls_counts(self):
        where = self.where(self.serve_tls())
        sentence = f"weir health: {where} answers 404 over TLS to HEAD /missing, which is not healthy\n"
        self.assertEqual(health(f"https://{where}/missing"), (1, "", sentence))

    def test_plain_http_to_tls_is_not_healthy(self):
        where = self.where(self.serve_tls())
        sentence = f"weir health: {where} answers 400 to HEAD /, which is not healthy\n"
        self.assertEqual(health(f"http://{where}/"), (1, "", sentence))

    def test_a_server_of_plain_http(self):
        where = self.where(self.serve(site))
        self.assertEqual(health(where), (0, f"{where} answers 200\n", ""))
        status, said, error = health(f"https://{where}")
        self.assertEqual((status, said), (1, ""))
        self.assertTrue(error.startswith(f"weir health: {where} does not speak TLS: "), error)
        status, said, error = health(WEIR_BIND=where, WEIR_TLS_CERT="fullchain.pem")
        self.assertTrue(error.startswith(f"weir health: {where} does not speak TLS: "), error)

    def test_the_file_of_the_server_says_where_it_listens(self):
        chain, key = localhost
        where = self.where(self.serve_tls())
        file = folder / "weir.toml"
        file.write_text(f'root = "{site}"\nbind = ["{where}"]\ntls-cert = ["{chain}"]\ntls-key = ["{key}"]\n', encoding="ascii")
        healthy = (0, f"{where} answers 200 over TLS\n", "")
        self.assertEqual(health("--config", file), healthy)
        self.assertEqual(health(WEIR_CONFIG=file), healthy)
        self.assertEqual(health("--config", file, "--ca", authority.certificate), healthy)
        self.assertEqual(health("127.0.0.1:1", "--config", file)[0], 1)  # the address goes before the file
        file.write_text('prot = "8080"\n', encoding="ascii")
        status, said, error = health("--config", file)
        self.assertEqual((status, said), (2, ""))
        self.assertIn("weir.toml:1:1: ", error)

    def test_of_several_sites_the_first_is_asked(self):
        file = folder / "sites.toml"
        for host in ("one.test", "*.one.test"):
            file.write_text(f'port = 0\n[[site]]\nhost = "{host}"\nroot = "{site}"\n', encoding="ascii")
            server = self.start("serve", "--config", file).wait_for_banner()
            where = self.where(server)
            self.assertEqual(health(where)[0], 1)  # 421
            file.write_text(file.read_text(encoding="ascii").replace("port = 0", f"port = {server.port}"), encoding="ascii")
            self.assertEqual(health("--config", file), (0, f"{where} answers 200\n", ""))
            server.stop()

    def test_the_certificate_is_verified_where_a_ca_is_given(self):
        where = self.where(self.serve_tls())
        self.assertEqual(health(where, "--ca", authority.certificate), (0, f"{where} answers 200 over TLS\n", ""))
        elsewhere = f"127.0.0.2:{self.serve_tls('-b', '127.0.0.2').port}"  # the certificate is not for this address
        for ca, address in ((Authority(folder, "Other CA").certificate, where), (authority.certificate, elsewhere)):
            status, said, error = health(address, "--ca", ca)
            self.assertEqual((status, said), (1, ""))
            self.assertTrue(error.startswith(f"weir health: {address} has a certificate that can't be verified: "), error)
        status, said, error = health(where, "--ca", folder / "none.pem")
        self.assertEqual((status, said), (1, ""))
        self.assertIn("none.pem", error)
        status, said, error = health(f"http://{where}", "--ca", authority.certificate)
        self.assertEqual((status, said, error.count("\n")), (2, "", 1))

    def test_a_server_that_wants_a_certificate_of_its_clients(self):
        where = self.where(self.serve_tls("--tls-client-ca", authority.certificate))
        self.assertEqual(health(where), (1, "", REFUSES_CLIENTS.format(where)))

    def test_a_certificate_of_its_own(self):
        server = self.serve(site, "--tls", XDG_STATE_HOME=str(folder))
        where = self.where(server)
        self.assertEqual(health(where, "--ca", folder / "weir/weir.crt"), (0, f"{where} answers 200 over TLS\n", ""))


class Interrupted(EndToEnd):
    """Ctrl-Z, or a cgroup that is frozen, interrupts each wait that has a limit (signal(7)). The question goes on."""

    def listener(self, family=socket.AF_INET, address=("127.0.0.1", 0), backlog=1):
        listener = socket.socket(family)
        self.addCleanup(listener.close)
        listener.settimeout(PATIENCE_SECONDS)
        listener.bind(address)
        listener.listen(backlog)
        return listener

    def accept(self, listener):
        connection, _ = listener.accept()
        self.addCleanup(connection.close)
        connection.settimeout(PATIENCE_SECONDS)
        return connection

    def interrupt(self, health):
        def has_state(*states):
            return lambda: health.poll() is not None or state_of(health.pid) in states

        wait_until(has_state("S"))
        health.send_signal(signal.SIGSTOP)
        wait_until(has_state("T"))
        health.send_signal(signal.SIGCONT)
        wait_until(has_state("S"))

    def ask(self, address):
        health = self.enterContext(spawn(["health", "--timeout", f"{PATIENCE_SECONDS}s", address]))
        self.addCleanup(health.kill)
        return health

    def assert_healthy(self, health, said):
        self.assertEqual((health.communicate()[0].decode(), health.returncode), (said, 0))

    def test_while_it_waits_for_an_answer(self):
        listener = self.listener()
        where = f"127.0.0.1:{listener.getsockname()[1]}"
        health = self.ask(f"http://{where}")
        connection = self.accept(listener)
        connection.recv(4096)
        self.interrupt(health)
        connection.sendall(b"HTTP/1.1 ")
        self.interrupt(health)
        connection.sendall(b"204 No Content\r\n\r\n")
        self.assert_healthy(health, f"{where} answers 204\n")

    def test_while_it_waits_for_a_handshake_and_for_an_answer_over_tls(self):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*localhost)
        listener = self.listener()
        where = f"127.0.0.1:{listener.getsockname()[1]}"
        health = self.ask(f"https://{where}")
        connection = self.accept(listener)
        connection.recv(1, socket.MSG_PEEK)
        self.interrupt(health)
        with context.wrap_socket(connection, server_side=True) as session:
            session.recv(4096)
            self.interrupt(health)
            session.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
            self.assert_healthy(health, f"{where} answers 200 over TLS\n")

    def test_while_it_waits_for_a_connection(self):
        path = str(folder / "busy")
        listener = self.listener(socket.AF_UNIX, path, backlog=0)
        first = socket.socket(socket.AF_UNIX)
        self.addCleanup(first.close)
        first.connect(path)  # the backlog is full
        health = self.ask(f"unix:{path}")
        self.interrupt(health)
        self.accept(listener)
        connection = self.accept(listener)
        connection.recv(4096)
        connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        self.assert_healthy(health, f"unix:{path} answers 200\n")


if __name__ == "__main__":
    unittest.main()
