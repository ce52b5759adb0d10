#!/usr/bin/env python3
"""Programs and schemas for tests/deploy/charts_test.py: kustomize, helm, kubeconform, and the schemas of the objects.

usage: deploy_tools.py FOLDER

Programs come as modules of Go, the schemas of Kubernetes from the package kubernetes-validate of PyPI, and the schema of an
HTTPRoute from the module of the Gateway API. Prints what can't be had; its test is then skipped."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

PROGRAMS = {
    "kubeconform": "github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0",
    "kustomize": "sigs.k8s.io/kustomize/kustomize/v5@v5.7.1",
    "helm": "helm.sh/helm/v3/cmd/helm@v3.22.0",
}
SCHEMAS = "kubernetes-validate==1.37.0"
KUBERNETES = "v1.34.0-local-strict"  # a folder of that package
KINDS = ("_definitions", "deployment-apps-v1", "service-v1", "poddisruptionbudget-policy-v1", "horizontalpodautoscaler-autoscaling-v2")
GATEWAY = "sigs.k8s.io/gateway-api@v1.4.1"
ROUTES = "config/crd/standard/gateway.networking.k8s.io_httproutes.yaml"


def install(folder: Path) -> None:
    for name, module in PROGRAMS.items():
        if shutil.which("go") and not (folder / name).exists():
            subprocess.run(["go", "install", module], env=os.environ | {"GOBIN": str(folder)}, check=False)


def schemas_of_kubernetes(folder: Path) -> None:
    with tempfile.TemporaryDirectory() as place:
        fetched = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", place, SCHEMAS]
        subprocess.run(fetched, check=True)
        with zipfile.ZipFile(next(Path(place).glob("*.whl"))) as package:
            for kind in KINDS:
                schema = json.loads(package.read(f"kubernetes_validate/kubernetes-json-schema/{KUBERNETES}/{kind}.json"))
                # The package has the definitions at an address of its own. Here they are a file beside the others.
                schema.pop("$id", None)
                text = json.dumps(schema).replace("/api/_definitions.json", "_definitions.json")
                (folder / f"{kind}.json").write_text(text, encoding="utf-8")


def strict(schema: object) -> object:
    """Members that a schema does not name are wrong, as in the strict schemas of Kubernetes."""
    if isinstance(schema, list):
        return [strict(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {name: strict(part) for name, part in schema.items()}
    if "properties" in closed and closed.get("type") == "object":
        closed.setdefault("additionalProperties", False)
    return closed


def schema_of_routes(folder: Path) -> None:
    import yaml

    said = subprocess.run(["go", "mod", "download", "-json", GATEWAY], capture_output=True, text=True, check=True).stdout
    definition = yaml.safe_load((Path(json.loads(said)["Dir"]) / ROUTES).read_text(encoding="utf-8"))
    version, = (one for one in definition["spec"]["versions"] if one["name"] == "v1")
    schema = version["schema"]["openAPIV3Schema"]
    schema["properties"]["metadata"]["properties"] = {name: {} for name in ("name", "namespace", "labels", "annotations")}
    (folder / "httproute-gateway-v1.json").write_text(json.dumps(strict(schema)), encoding="utf-8")


def provide(folder: Path) -> Path | None:
    """The folder of the schemas, if they are all there."""
    install(folder)
    schemas = folder / re.sub(r"\W+", "-", f"schemas {SCHEMAS} {KUBERNETES} {GATEWAY}")
    if schemas.exists():
        return schemas
    with tempfile.TemporaryDirectory(dir=folder) as place:
        made = Path(place) / "schemas"
        made.mkdir()
        try:
            schemas_of_kubernetes(made)
            schema_of_routes(made)
        except (OSError, subprocess.CalledProcessError, ImportError) as error:
            print(f"no schemas of Kubernetes: {error}", file=sys.stderr)
            return None
        made.rename(schemas)
    return schemas


if __name__ == "__main__":
    print(provide(Path(sys.argv[1])))
