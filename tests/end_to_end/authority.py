"""Certificates for tests: a CA of their own, which the `openssl` command makes."""

import ssl
import subprocess
from pathlib import Path


def openssl(*arguments, text=None):
    return subprocess.run(["openssl", *map(str, arguments)], input=text, capture_output=True, text=True, check=True).stdout


class Authority:
    """A CA, and the certificates that it has issued, in a folder."""

    def __init__(self, folder, name="Test CA"):
        self.folder = Path(folder)
        self.certificate = self.folder / f"{name}.ca.pem"
        self.key = self.folder / f"{name}.ca.key"
        openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", self.key,
                "-out", self.certificate, "-days", 90, "-subj", f"/CN={name}")

    def issue(self, file, *names, kind="ec", subject="/O=weir"):
        """FILE.pem and FILE.key in the folder, for these host names."""
        chain, key, request = (self.folder / f"{file}.{end}" for end in ("pem", "key", "csr"))
        algorithm = ("-newkey", "rsa:2048") if kind == "rsa" else ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256")
        openssl("req", *algorithm, "-nodes", "-keyout", key, "-out", request, "-subj", subject)
        extensions = self.folder / f"{file}.ext"
        alternatives = ",".join(f"IP:{name}" if name[0].isdigit() else f"DNS:{name}" for name in names)
        extensions.write_text(f"subjectAltName={alternatives}\n" if names else "basicConstraints=CA:FALSE\n", encoding="ascii")
        openssl("x509", "-req", "-in", request, "-CA", self.certificate, "-CAkey", self.key, "-CAcreateserial", "-days", 60,
                "-out", f"{chain}.new", "-extfile", extensions)
        Path(f"{chain}.new").rename(chain)
        return chain, key

    def issue_between(self, file, name, begin, end):
        """The same, for one name, valid between two datetimes."""
        _, key = self.issue(file, name)
        return self.sign_between(file, begin, end), key

    def sign_between(self, file, begin, end):
        """FILE.pem for the request FILE.csr, with the extensions of FILE.ext."""
        chain = self.folder / f"{file}.pem"
        (self.folder / "ca.cnf").write_text(f"[ca]\ndefault_ca=a\n[a]\ndatabase={self.folder}/ca.txt\nserial={self.folder}/ca.serial\nnew_certs_dir="
                                            f"{self.folder}\ndefault_md=sha256\npolicy=p\nunique_subject=no\n[p]\norganizationName=optional\n",
                                            encoding="ascii")
        (self.folder / "ca.txt").touch()
        openssl("ca", "-batch", "-notext", "-config", self.folder / "ca.cnf", "-rand_serial", "-in", self.folder / f"{file}.csr", "-out",
                f"{chain}.new", "-cert", self.certificate, "-keyfile", self.key, "-extfile", self.folder / f"{file}.ext",
                "-startdate", f"{begin:%Y%m%d%H%M%SZ}", "-enddate", f"{end:%Y%m%d%H%M%SZ}")
        Path(f"{chain}.new").rename(chain)
        return chain

    def staple(self, chain, file):
        """An OCSP response that says that a certificate is good."""
        index, request = self.folder / "index.txt", self.folder / "request.der"
        serial = openssl("x509", "-in", chain, "-noout", "-serial").split("=")[1].strip()
        index.write_text(f"V\t991231235959Z\t\t{serial}\tunknown\t/O=weir\n", encoding="ascii")
        openssl("ocsp", "-issuer", self.certificate, "-cert", chain, "-reqout", request, "-no_nonce")
        openssl("ocsp", "-index", index, "-CA", self.certificate, "-rsigner", self.certificate, "-rkey", self.key,
                "-reqin", request, "-respout", self.folder / file, "-ndays", 1)
        return self.folder / file

    def client(self, *shown, version=None):
        """What Python's clients need to trust the CA, and to show a certificate and its key."""
        context = ssl.create_default_context(cafile=str(self.certificate))
        if shown:
            context.load_cert_chain(*map(str, shown))
        if version:
            context.minimum_version = context.maximum_version = version
        return context
