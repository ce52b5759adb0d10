"""h2spec's 145 cases of HTTP/2 over TLS, under each engine. Run only where WEIR_LIVE is set; `./run thorough` installs h2spec."""

import re
import subprocess
import sys
import unittest

from served import SITE, SKIPPED, EndToEnd, for_each_engine, is_missing

ENOUGH_SECONDS = 240
# It serves one connection at a time: the four cases that keep one idle while they wait for a second one see it end.
LOST = {"blocking": 4}


class H2spec(EndToEnd):
    def test_all_cases_pass(self):
        server = self.serve(SITE, "--tls")
        done = subprocess.run(["h2spec", "-h", server.host, "-p", str(server.port), "-t", "-k"], capture_output=True, text=True,
                              timeout=ENOUGH_SECONDS, check=False)
        counted = re.search(r"(\d+) tests, (\d+) passed, (\d+) skipped, (\d+) failed", done.stdout)
        self.assertIsNotNone(counted, done.stdout[-2000:] + done.stderr)
        total, passed, skipped, failed = map(int, counted.groups())
        self.assertGreaterEqual(total, 145)
        self.assertLessEqual(failed, LOST.get(self.engine, 0), done.stdout[-6000:])
        self.assertEqual((passed + failed, skipped), (total, 0))


for_each_engine(H2spec)
del H2spec

if __name__ == "__main__":
    if reason := is_missing("h2spec"):
        print(reason)
        sys.exit(SKIPPED)
    unittest.main()
