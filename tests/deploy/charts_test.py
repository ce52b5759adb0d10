"""The kustomize base and the chart: both render, to the same objects, and each object fits its schema.

Run only where WEIR_LIVE is set. tools/deploy_tools.py has the programs and the schemas; KUBERNETES_SCHEMAS names their folder."""

import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

sys.path += [str(Path(__file__).parents[1] / "end_to_end"), str(Path(__file__).parents[2] / "tools")]
from deploy_tools import KUBERNETES  # noqa: E402
from served import PATIENCE_SECONDS, SKIPPED, SOURCE, is_missing  # noqa: E402

try:
    import yaml
except ImportError:
    yaml = None

CHART = SOURCE / "deploy" / "helm" / "weir"
BASE = SOURCE / "deploy" / "kubernetes"
VERSION = ("--kube-version", KUBERNETES.split("-")[0])  # without a cluster, Helm takes a version that depends on how it was built
OTHER_VALUES = {
    "without autoscaling": ("autoscaling.enabled=false", "route.enabled=false", "replicas=5"),
    "with all": ("image.tag=1", "image.pullPolicy=Always", "pullSecrets={a,b}", "options={--spa,--hide=*.bak}", "route.hostnames={example.org}",
                 "drainDelaySeconds=20", "service.port=8080"),
}


def printed(*command, text=None):
    done = subprocess.run(list(map(str, command)), input=text, capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{command[0]}: {done.stdout}{done.stderr}")
    return done.stdout


def base():
    return printed(*(("kustomize", "build") if shutil.which("kustomize") else ("kubectl", "kustomize")), BASE)


def chart(*values):
    return printed("helm", "template", *VERSION, "weir", CHART, *(word for value in values for word in ("--set", value)))


def objects(text):
    """{kind: object}."""
    return {one["kind"]: one for one in yaml.safe_load_all(text) if one}


def judge(text):
    """kubeconform ends with an error where an object does not fit, or has no schema."""
    schemas = f"{os.environ['KUBERNETES_SCHEMAS']}/{{{{.ResourceKind}}}}{{{{.KindSuffix}}}}.json"
    return printed("kubeconform", "-strict", "-summary", "-schema-location", schemas, text=text)


class Charts(unittest.TestCase):
    maxDiff = None

    def test_base_and_chart_say_the_same(self):
        self.assertEqual(objects(base()), objects(chart()))

    def test_all_objects_fit_their_schemas(self):
        for name, text in {"base": base(), "chart": chart(), **{name: chart(*values) for name, values in OTHER_VALUES.items()}}.items():
            with self.subTest(rendered=name):
                found = objects(text)
                self.assertIn(f"Valid: {len(found)}, Invalid: 0, Errors: 0, Skipped: 0", judge(text))

    def test_an_object_that_does_not_fit_is_found(self):
        for wrong, right in (("maxUnavailable: 1\n", "maxUnavaliable: 1\n"), ("minReplicas: 3", "minReplicas: three"),
                             ("backendRefs:", "backends:")):
            with self.subTest(wrong=wrong), self.assertRaises(AssertionError):
                text = base()
                self.assertIn(wrong, text)
                judge(text.replace(wrong, right))

    def test_helm_finds_no_fault(self):
        self.assertIn("0 chart(s) failed", printed("helm", "lint", "--strict", *VERSION, CHART))

    def test_values_reach_the_objects(self):
        found = objects(chart(*OTHER_VALUES["without autoscaling"]))
        self.assertEqual(set(found), {"Deployment", "Service", "PodDisruptionBudget"})
        self.assertEqual(found["Deployment"]["spec"]["replicas"], 5)
        found = objects(chart(*OTHER_VALUES["with all"]))
        pod = found["Deployment"]["spec"]["template"]["spec"]
        self.assertEqual(pod["containers"][0]["args"][-2:], ["--spa", "--hide=*.bak"])
        self.assertEqual((pod["containers"][0]["image"], pod["terminationGracePeriodSeconds"]), ("weir-site:1", 45))
        self.assertEqual(found["HTTPRoute"]["spec"]["hostnames"], ["example.org"])


if __name__ == "__main__":
    reason = is_missing("helm", "kubeconform", "kustomize" if not shutil.which("kubectl") else "kubectl") or ("" if yaml else "PyYAML is not installed")
    if not reason and "KUBERNETES_SCHEMAS" not in os.environ:
        reason = "KUBERNETES_SCHEMAS names no folder: ./run thorough fleet"
    if reason:
        print(reason)
        sys.exit(SKIPPED)
    unittest.main()
