"""testssl.sh finds nothing in protocols, ciphers, headers and vulnerabilities. Run only where WEIR_LIVE is set."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from served import SITE, SKIPPED, EndToEnd, is_missing

ENOUGH_SECONDS = 1200
# Of a certificate that signs itself: nobody who can revoke it, no chain; and of a host name that no DNS server knows.
OF_THE_CERTIFICATE = ("cert_", "DNS_CAArecord", "OCSP", "cert")


class Testssl(EndToEnd):
    def test_it_finds_nothing(self):
        server = self.serve(SITE, "--tls", "--hsts")
        with tempfile.TemporaryDirectory() as folder:
            report = Path(folder) / "report.json"
            subprocess.run(["testssl", "--quiet", "--color", "0", "--jsonfile", report, f"{server.host}:{server.port}"],
                           capture_output=True, timeout=ENOUGH_SECONDS, check=False)
            findings = json.loads(report.read_text(encoding="utf-8"))
        self.assertGreater(len(findings), 100)
        bad = [one for one in findings if one["severity"] in ("LOW", "MEDIUM", "HIGH", "CRITICAL")
               and not one["id"].startswith(OF_THE_CERTIFICATE)]
        self.assertEqual(bad, [])


if __name__ == "__main__":
    if reason := is_missing("testssl"):
        print(reason)
        sys.exit(SKIPPED)
    unittest.main()
