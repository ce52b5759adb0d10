"""`weir health` with servers that answer, refuse, send nonsense, or do not run."""

import errno
import os
import socket
import subprocess
import tempfile
import threading
import unittest

WEIR = os.environ["WEIR_BINARY"]
CLEAN = {name: value for name, value in os.environ.items() if not name.startswith("WEIR_")}


def health(*arguments, **variables):
    """A busy machine may need more than the four seconds that weir waits by default."""
    patience = () if "--timeout" in arguments else ("--timeout", "1m")
    done = subprocess.run([WEIR, "health", *patience, *arguments], capture_output=True, text=True, env=CLEAN | variables,
                          check=False)
    return done.returncode, done.stdout, done.stderr


class Health(unittest.TestCase):
    def answering(self, answer, family=socket.AF_INET, address=("127.0.0.1", 0)):
        """Starts a server that gives this answer once. Returns its address."""
        listener = socket.socket(family)
        listener.bind(address)
        listener.listen()
        self.addCleanup(listener.close)

        def serve():
            peer, _ = listener.accept()
            listener.close()  # it is asked again over TLS if it answers 400, or not in HTTP
            with peer:
                self.request = peer.recv(4096)
                peer.sendall(answer)

        thread = threading.Thread(target=serve)
        where = listener.getsockname()
        thread.start()
        self.addCleanup(thread.join)
        return where

    def test_a_server_that_answers_is_healthy(self):
        for status in (b"200 OK", b"204 No Content", b"304 Not Modified", b"308 Permanent Redirect", b"404 Not Found"):
            with self.subTest(status):
                _, port = self.answering(b"HTTP/1.1 " + status + b"\r\n\r\n")
                said = f"127.0.0.1:{port} answers {status[:3].decode()}\n"
                self.assertEqual(health(f"127.0.0.1:{port}"), (0, said, ""))
                self.assertTrue(self.request.startswith(b"HEAD / HTTP/1.1\r\nHost: "))

    def test_one_that_fails_is_not(self):
        for status in (b"400 Bad Request", b"421 Misdirected Request", b"503 Service Unavailable", b"100 Continue"):
            with self.subTest(status):
                _, port = self.answering(b"HTTP/1.1 " + status + b"\r\n\r\n")
                sentence = f"weir health: 127.0.0.1:{port} answers {status[:3].decode()} to HEAD /, which is not healthy\n"
                self.assertEqual(health(f"127.0.0.1:{port}"), (1, "", sentence))
        for answer in (b"220 mail.example ESMTP\r\n", b"HTTP/1.1 ", b""):
            with self.subTest(answer):
                _, port = self.answering(answer)
                sentence = f"weir health: 127.0.0.1:{port} does not answer in HTTP\n"
                self.assertEqual(health(f"127.0.0.1:{port}"), (1, "", sentence))

    def test_none_is_not(self):
        with socket.socket() as taken:  # bound, but not listening
            taken.bind(("127.0.0.1", 0))
            where = f"127.0.0.1:{taken.getsockname()[1]}"
            self.assertEqual(health(where), (1, "", f"weir health: {where} does not answer: Connection refused\n"))

    def test_one_that_says_nothing_in_time_is_not(self):
        with socket.create_server(("127.0.0.1", 0)) as silent:
            where = f"127.0.0.1:{silent.getsockname()[1]}"
            sentence = f"weir health: {where} does not answer: {os.strerror(errno.EAGAIN)}\n"
            self.assertEqual(health(where, "--timeout", "100ms"), (1, "", sentence))

    def test_it_asks_where_the_variables_say_that_weir_serves(self):
        _, port = self.answering(b"HTTP/1.1 200 OK\r\n\r\n")
        self.assertEqual(health(WEIR_PORT=str(port))[0], 0)
        _, port = self.answering(b"HTTP/1.1 200 OK\r\n\r\n")
        self.assertEqual(health(WEIR_BIND="0.0.0.0\n[::]", WEIR_PORT=str(port))[0], 0)

    def test_it_knows_the_short_forms_of_bind(self):
        for form in ("{}", ":{}", "*:{}"):
            with self.subTest(form):
                _, port = self.answering(b"HTTP/1.1 200 OK\r\n\r\n")
                self.assertEqual(health(WEIR_BIND=form.format(port))[0], 0)

    def test_a_unix_socket_can_be_asked(self):
        with tempfile.TemporaryDirectory() as folder:
            path = self.answering(b"HTTP/1.1 200 OK\r\n\r\n", socket.AF_UNIX, f"{folder}/socket")
            self.assertEqual(health(f"unix:{path}"), (0, f"unix:{path} answers 200\n", ""))

    def test_a_url_names_a_path(self):
        for end, path in (("", "/"), ("/", "/"), ("/ready", "/ready"), ("/ready?deep=1#top", "/ready?deep=1"), ("?deep=1", "/?deep=1")):
            with self.subTest(end):
                _, port = self.answering(b"HTTP/1.1 200 OK\r\n\r\n")
                self.assertEqual(health(f"http://127.0.0.1:{port}{end}"), (0, f"127.0.0.1:{port} answers 200\n", ""))
                self.assertTrue(self.request.startswith(f"HEAD {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n".encode()), self.request)

    def test_a_server_of_plain_http_does_not_speak_tls(self):
        _, port = self.answering(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        status, said, error = health(f"https://127.0.0.1:{port}")
        self.assertEqual((status, said, error.count("\n")), (1, "", 1))
        self.assertIn("TLS", error)

    def test_wrong_use(self):
        self.assertEqual(health("nowhere")[0], 2)
        self.assertEqual(health("127.0.0.1", "127.0.0.2")[0], 2)
        self.assertEqual(health(WEIR_PORT="http")[0], 2)
        for time in ("0", "soon"):
            self.assertEqual(health("--timeout", time)[0], 2)
        for wrong in ("https://", "https://nowhere.example", "http://127.0.0.1:99999/", "ftp://127.0.0.1/"):
            status, said, error = health(wrong)
            self.assertEqual((status, said, error.count("\n")), (2, "", 1), error)


if __name__ == "__main__":
    unittest.main()
