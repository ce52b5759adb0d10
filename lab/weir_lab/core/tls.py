"""TLS between the lab and a server: the certificate that all targets of a run have, and the lab's own client."""

from __future__ import annotations

import socket
import ssl
import subprocess
from dataclasses import dataclass
from pathlib import Path

VERSION = "TLSv1.3"
# All that generators offer, so that every target has the same work:
CIPHER = "TLS_AES_128_GCM_SHA256"
GROUP = "X25519"  # for the exchange of keys
ADDRESS = "127.0.0.1"
DAYS = 2


@dataclass(frozen=True)
class Certificate:
    """ECDSA P-256. It signs itself, and is for 127.0.0.1."""

    chain: Path
    key: Path

    @staticmethod
    def of(folder: Path) -> Certificate:
        """Where make() leaves it."""
        return Certificate(folder / "certificate.pem", folder / "key.pem")

    @staticmethod
    def make(folder: Path) -> Certificate:
        made = Certificate.of(folder)
        # Without a section of extensions, openssl would make a CA of it, and some clients take no CA for a server.
        settings = folder / "openssl.cnf"
        settings.write_text("[req]\ndistinguished_name = name\n[name]\n", encoding="ascii")
        subprocess.run(
            [
                *("openssl", "req", "-x509", "-config", str(settings), "-newkey", "ec", "-nodes", "-days", str(DAYS)),
                *("-pkeyopt", "ec_paramgen_curve:prime256v1", "-subj", "/CN=weir-lab", "-sha256"),
                *("-addext", f"subjectAltName=IP:{ADDRESS}", "-addext", "basicConstraints=critical,CA:FALSE"),
                *("-keyout", str(made.key), "-out", str(made.chain)),
            ],
            check=True,
            capture_output=True,
            timeout=30,
        )
        return made


class WrongTls(OSError):
    """The handshake succeeded, and gave something else than what was asked for."""


class Client:
    """Trusts that one certificate, and checks each handshake: the version, the protocol (ALPN), and whether the session
    was resumed. With `resumes`, each connection after the first one offers a session."""

    def __init__(self, certificate: Certificate, protocol: str = "http/1.1", resumes: bool = False) -> None:
        self.certificate = certificate
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        self._context.load_verify_locations(certificate.chain)
        self._context.set_alpn_protocols([protocol])
        self._protocol, self._resumes = protocol, resumes
        self._session: ssl.SSLSession | None = None
        self.negotiated = ""  # of the newest connection: version and cipher

    def begin(self, connection: socket.socket) -> ssl.SSLSocket:
        """Takes the connection, and sends the first message of the handshake. Takes no time."""
        seconds = connection.gettimeout()
        begun = self._context.wrap_socket(
            connection, server_hostname=ADDRESS, do_handshake_on_connect=False, session=self._session
        )
        try:
            begun.setblocking(False)
            begun.do_handshake()
        except ssl.SSLWantReadError:
            pass  # as usual: the server has to answer first
        except BaseException:
            begun.close()
            raise
        begun.settimeout(seconds)
        return begun

    def finish(self, begun: ssl.SSLSocket) -> None:
        """Waits for the server. Raises OSError."""
        try:
            begun.do_handshake()
            self._check(begun)
        except BaseException:
            begun.close()
            raise

    def learn(self, connection: ssl.SSLSocket) -> None:
        """Takes the ticket that came with an answer, for the next connection."""
        if self._resumes:
            self._session = connection.session

    def _check(self, done: ssl.SSLSocket) -> None:
        cipher = done.cipher()
        self.negotiated = f"{done.version()} {cipher[0] if cipher else ''}"
        if done.version() != VERSION:
            raise WrongTls(f"the server speaks {done.version()}, not {VERSION}")
        chosen = done.selected_alpn_protocol()
        # HTTP/1.1 is what is spoken if nothing was chosen.
        if chosen != self._protocol and (chosen or self._protocol != "http/1.1"):
            raise WrongTls(f"the server chose {chosen or 'no protocol'} by ALPN, not {self._protocol}")
        if self._session is not None and not done.session_reused:
            raise WrongTls("the server did not resume the session of an earlier connection")
