"""The files in deploy/ say what weir knows: its options, the pages of --admin, and the names of its metrics."""

import re
import sys
import unittest
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "end_to_end"))
from served import SITE, SKIPPED, SOURCE, EndToEnd, fetch, run, wait_until  # noqa: E402

try:
    import yaml
except ImportError:
    yaml = None

DEPLOY = SOURCE / "deploy"
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")


def manifests():
    """{file: object} of the kustomize base."""
    return {path.stem: yaml.safe_load(path.read_text(encoding="ascii")) for path in (DEPLOY / "kubernetes").glob("*.yaml")}


def pod():
    return manifests()["deployment"]["spec"]["template"]["spec"]


def container():
    return pod()["containers"][0]


def values_of(arguments, name):
    return [argument.partition("=")[2] for argument in arguments if argument.startswith(f"{name}=")]


def seconds(text):
    return int(re.fullmatch(r"(\d+)s", text)[1])


class Options(unittest.TestCase):
    def test_that_are_named_exist(self):
        known = set(OPTION.findall(run("serve", "--help-all")[1]))
        # YAML and configurations alone: load scripts have options of their own programs.
        files = [path for folder in ("haproxy", "kubernetes", "helm") for path in (DEPLOY / folder).rglob("*") if path.is_file()]
        named = {option for path in files for option in OPTION.findall(path.read_text(encoding="ascii"))}
        self.assertGreater(len(named), 6)
        self.assertEqual(named - known, set())

    def test_of_the_container_are_taken_as_they_are(self):
        arguments = container()["args"]
        self.assertEqual(arguments[:2], ["serve", "/srv"])
        self.accepts([str(SITE), *arguments[2:]])

    def test_of_the_fleet_behind_haproxy_are_taken_as_they_are(self):
        text = (DEPLOY / "haproxy" / "haproxy.cfg").read_text(encoding="ascii")
        command = re.search(r"^# +weir serve /srv/site (.*?)\n#?\n", text, re.DOTALL | re.MULTILINE)[1]
        self.accepts([str(SITE), *command.replace("\\\n#", "").split()])

    def accepts(self, arguments):
        status, said, errors = run("serve", *arguments, "--print-config")
        self.assertEqual((status, errors), (0, ""), said)

    def test_leave_time_for_a_stop(self):
        arguments = container()["args"]
        needed = sum(seconds(value) for name in ("--drain-delay", "--stop-timeout") for value in values_of(arguments, name))
        self.assertGreater(needed, 0)
        self.assertGreater(pod()["terminationGracePeriodSeconds"], needed)


class Names(EndToEnd):
    def setUp(self):
        self.server = self.serve(SITE, "--admin", "127.0.0.1:0")
        self.admin = int(self.server.wait_for_line(r"127\.0\.0\.1:(\d+)")[1])

    def test_of_probes_are_pages(self):
        ports = {port["name"]: port["containerPort"] for port in container()["ports"]}
        for option, port in (("--bind", "http"), ("--admin", "admin")):
            self.assertEqual(values_of(container()["args"], option), [f"0.0.0.0:{ports[port]}"])
        for probe in ("startupProbe", "readinessProbe"):
            asked = container()[probe]["httpGet"]
            self.assertEqual(asked["port"], "admin")
            wait_until(lambda path=asked["path"]: fetch(self.admin, path)[0].status == 200)
        (program, *command), expected = container()["livenessProbe"]["exec"]["command"], f"127.0.0.1:{ports['http']}"
        self.assertEqual((program, command), ("/weir", ["health", expected]))
        self.assertEqual(run("health", f"127.0.0.1:{self.server.port}")[0], 0)
        for annotation, value in manifests()["deployment"]["spec"]["template"]["metadata"]["annotations"].items():
            self.assertEqual(value, {"scrape": "true", "port": str(ports["admin"])}[annotation.rpartition("/")[2]])

    def test_of_metrics_are_counted(self):
        rule, = manifests()["prometheus-adapter"]["rules"]["custom"]
        fetch(self.server.port, "/")
        name = rule["seriesQuery"].partition("{")[0]
        wait_until(lambda: f"\n{name}{{" in fetch(self.admin, "/metrics")[1].decode("ascii"))
        asked = [metric["pods"]["metric"]["name"] for metric in manifests()["autoscaler"]["spec"]["metrics"] if "pods" in metric]
        self.assertEqual(asked, [rule["name"]["as"]])


class Kustomization(unittest.TestCase):
    def test_has_all_files_of_its_folder(self):
        here = {path.name for path in (DEPLOY / "kubernetes").glob("*.yaml")} - {"kustomization.yaml", "prometheus-adapter.yaml"}
        self.assertEqual(set(manifests()["kustomization"]["resources"]), here)

    def test_objects_lead_to_each_other(self):
        found = manifests()
        self.assertEqual(found["autoscaler"]["spec"]["scaleTargetRef"]["name"], found["deployment"]["metadata"]["name"])
        backend, = found["route"]["spec"]["rules"][0]["backendRefs"]
        self.assertEqual(backend["name"], found["service"]["metadata"]["name"])
        self.assertEqual([backend["port"]], [port["port"] for port in found["service"]["spec"]["ports"]])
        self.assertLess(found["disruption-budget"]["spec"]["maxUnavailable"], found["autoscaler"]["spec"]["minReplicas"])


if __name__ == "__main__":
    if not yaml:
        print("PyYAML is not installed: apt-get install python3-yaml")
        sys.exit(SKIPPED)
    unittest.main()
