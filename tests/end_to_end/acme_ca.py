"""A CA that speaks ACME (RFC 8555) over HTTPS, as far as `weir serve --domain` needs it. It looks for the answers to its challenges
as a real one does, at a port that stands for 80, or at one that stands for 443. It believes signatures: Pebble does not (domain_test.py)."""

import base64
import datetime
import hashlib
import json
import socket
import ssl
import threading
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from authority import Authority, openssl

PATIENCE_SECONDS = 60
BELOW = "/.well-known/acme-challenge/"
DAY = datetime.timedelta(days=1)


def decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def encoded(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def thumbprint(jwk):
    return encoded(hashlib.sha256(json.dumps(jwk, sort_keys=True, separators=(",", ":")).encode()).digest())


class AcmeCa:
    def __init__(self, folder, http_port, https_port):
        self.authority = Authority(folder, "ACME")
        self.http_port, self.https_port = http_port, https_port
        self.kind = "http-01"
        self.lives = []  # days before now and after it, of the next certificates; then 90
        self.refusal = None  # (status, kind, detail) for orders
        self.orders, self.validated, self.accounts = [], [], []
        self.proof = "pending"
        self.newest = None  # the serial number of a certificate
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Asked)
        self.server.ca = self
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*map(str, self.authority.issue("of-the-ca", "localhost", "127.0.0.1")))
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.url = f"https://localhost:{self.server.server_address[1]}"
        self.directory = f"{self.url}/directory"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def validate(self, jwk):
        host = self.orders[-1]
        authorization = f"token-{len(self.orders)}.{thumbprint(jwk)}"
        if self.kind == "http-01":
            connection = HTTPConnection("127.0.0.1", self.http_port, timeout=PATIENCE_SECONDS)
            connection.request("GET", f"{BELOW}token-{len(self.orders)}", headers={"Host": host})
            response = connection.getresponse()
            is_right = response.status == 200 and response.read().decode() == authorization
        else:
            is_right = hashlib.sha256(authorization.encode()).digest() in self.shown_for(host)
        self.validated.append(self.kind)
        self.proof = "valid" if is_right else "invalid"

    def shown_for(self, host):
        """The certificate for the protocol of the challenge (RFC 8737)."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        context.set_alpn_protocols(["acme-tls/1"])
        with socket.create_connection(("127.0.0.1", self.https_port), PATIENCE_SECONDS) as plain:
            with context.wrap_socket(plain, server_hostname=host) as connection:
                assert connection.selected_alpn_protocol() == "acme-tls/1"
                return connection.getpeercert(binary_form=True)

    def sign(self, request):
        """The certificate for a request in DER."""
        file, host, folder = f"order-{len(self.orders)}", self.orders[-1], self.authority.folder
        before, after = self.lives.pop(0) if self.lives else (0, 90)
        (folder / f"{file}.der").write_bytes(request)
        openssl("req", "-inform", "DER", "-in", folder / f"{file}.der", "-out", folder / f"{file}.csr")
        (folder / f"{file}.ext").write_text(f"subjectAltName=DNS:{host}\n", encoding="ascii")
        now = datetime.datetime.now(datetime.UTC)
        chain = self.authority.sign_between(file, now - before * DAY, now + after * DAY)
        self.newest = openssl("x509", "-in", chain, "-noout", "-serial").split("=")[1].strip()
        return chain.read_text(encoding="ascii")


class Asked(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    nonces = iter(range(10**9))

    def log_message(self, *_):
        pass

    def answer(self, content, status=200, location=None):
        data = (content if isinstance(content, str) else json.dumps(content)).encode()
        self.send_response(status)
        self.send_header("Content-Length", len(data))
        self.send_header("Replay-Nonce", f"nonce-{next(self.nonces)}")
        if location:
            self.send_header("Location", self.server.ca.url + location)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def do_HEAD(self):
        self.answer("")

    def do_GET(self):
        url = self.server.ca.url
        self.answer({"newNonce": f"{url}/nonce", "newAccount": f"{url}/account", "newOrder": f"{url}/order"})

    def do_POST(self):
        jws = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        payload = decoded(jws["payload"])
        getattr(self, self.path.strip("/").replace("/", "_"))(json.loads(decoded(jws["protected"])), json.loads(payload) if payload else None)

    def account(self, header, payload):
        known = self.server.ca.accounts
        if header["jwk"] not in known and payload.get("onlyReturnExisting"):
            self.answer({"type": "urn:ietf:params:acme:error:accountDoesNotExist"}, 400)
            return
        known.append(header["jwk"])
        self.answer({"status": "valid"}, 201, "/account/1")

    def order(self, _, payload):
        ca = self.server.ca
        if ca.refusal:
            status, kind, detail = ca.refusal
            self.answer({"type": f"urn:ietf:params:acme:error:{kind}", "detail": detail}, status)
            return
        ca.orders.append(payload["identifiers"][0]["value"])
        ca.proof, ca.chain = "pending", None
        self.answer({"status": "pending", "authorizations": [f"{ca.url}/authorization"]}, 201, "/order/1")

    def order_1(self, *_):
        ca = self.server.ca
        status = "valid" if ca.chain else {"valid": "ready"}.get(ca.proof, ca.proof)
        self.answer({"status": status, "finalize": f"{ca.url}/finalize", "certificate": f"{ca.url}/certificate"})

    def authorization(self, *_):
        ca = self.server.ca
        challenge = {"type": ca.kind, "url": f"{ca.url}/challenge", "token": f"token-{len(ca.orders)}"}
        if ca.proof == "invalid":
            challenge["error"] = {"type": "urn:ietf:params:acme:error:unauthorized", "detail": "another answer"}
        self.answer({"status": ca.proof, "challenges": [challenge]})

    def challenge(self, *_):
        self.server.ca.validate(self.server.ca.accounts[-1])
        self.answer({"status": "processing"})

    def finalize(self, _, payload):
        self.server.ca.chain = self.server.ca.sign(decoded(payload["csr"]))
        self.answer({"status": "processing"})

    def certificate(self, *_):
        self.answer(self.server.ca.chain)
