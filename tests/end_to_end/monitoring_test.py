"""The table of docs/operating.md, the dashboard and the alerts of packaging/monitoring name what /metrics has."""

import json
import re
import shutil
import subprocess
import unittest

import openmetrics
from served import PATIENCE_SECONDS, SITE, SOURCE, EndToEnd, fetch

FOLDER = SOURCE / "packaging" / "monitoring"
METRIC = re.compile(r"\b(?:weir|process)_[a-z0-9_]+")


def families_of(name):
    """The family that a sample of that name may belong to."""
    return {name} | {name.removesuffix(suffix) for suffix in ("_total", "_info", "_bucket", "_count", "_sum")}


class Monitoring(EndToEnd):
    def setUp(self):
        self.families = {}
        for self.engine in ("per-core", "reactor"):  # only some have a queue
            server = self.serve(SITE, "--admin", "127.0.0.1:0")
            self.port = int(server.wait_for_line(r"admin: http://127\.0\.0\.1:(\d+)/")[1])
            fetch(server.port, "/")
            self.families |= openmetrics.parse(self.text())

    def text(self, **headers):
        response, body = fetch(self.port, "/metrics", **headers)
        self.assertEqual(response.status, 200)
        return body.decode()

    def known(self, names):
        self.assertTrue(names)
        for name in sorted(names):
            self.assertTrue(families_of(name) & self.families.keys(), f"{name} is none of the metrics")

    def test_dashboard_names_metrics_that_exist(self):
        dashboard = json.loads((FOLDER / "weir-dashboard.json").read_text(encoding="utf-8"))
        expressions = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
        self.known({name for expression in expressions for name in METRIC.findall(expression)})
        places = [tuple(panel["gridPos"].values()) for panel in dashboard["panels"]]
        self.assertEqual(len(places), len(set(places)))

    def test_rules_name_metrics_and_labels_that_exist(self):
        rules = (FOLDER / "weir-rules.yml").read_text(encoding="utf-8")
        expressions = re.findall(r"expr: (?:\|\n((?: {10,}.*\n)+)|(.*)\n)", rules)
        self.known({name for expression in expressions for name in METRIC.findall("".join(expression))})

    def test_documents_list_all_of_them(self):
        table = (SOURCE / "docs" / "operating.md").read_text(encoding="utf-8")
        rows = re.findall(r"^\| `((?:weir|process)_\w+)` \| (\w+) \|(.*?)\|", table, re.MULTILINE)
        documented = {}
        for name, kind, labels in rows:
            documented[name.removesuffix("_total").removesuffix("_info")] = (kind, frozenset(re.findall(r"`(\w+)`", labels)))
        told = {}
        for name, family in self.families.items():
            labels = {label for _, given in family.samples for label, _ in given} - {"le"}
            told[name] = (family.kind, frozenset(labels))
        self.assertEqual(documented, told)

    def test_documents_list_all_troubles(self):
        text = (SOURCE / "docs" / "operating.md").read_text(encoding="utf-8").split("## Troubles")[1].split("## ")[0]
        told = {dict(labels)["kind"] for _, labels in self.families["weir_troubles"].samples}
        self.assertEqual(set(re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)), told)

    @unittest.skipUnless(shutil.which("promtool"), "promtool is not installed")
    def test_promtool_agrees(self):
        rules = subprocess.run(["promtool", "check", "rules", FOLDER / "weir-rules.yml"], capture_output=True, text=True,
                               timeout=PATIENCE_SECONDS, check=False)
        self.assertEqual(rules.returncode, 0, rules.stdout + rules.stderr)
        metrics = subprocess.run(["promtool", "check", "metrics"], input=self.text(Accept="text/plain"), capture_output=True,
                                 text=True, timeout=PATIENCE_SECONDS, check=False)
        self.assertEqual((metrics.returncode, metrics.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
