#!/usr/bin/env python3
"""The SBOM names each package that is linked or compiled into weir, once, by a reference that exists."""

import json
import os
import shutil
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import sbom

RULES = """weir: \\
  main.o \\
  /usr/lib/libssl.so \\
  /usr/lib/libz.a

main.o:

/usr/lib/libssl.so:
"""
PACKAGES = {"libssl3": sbom.Debian("libssl3", "3.0.17-1~deb12u2", "openssl", "amd64"),
            "zlib1g-dev": sbom.Debian("zlib1g-dev", "1:1.2.13.dfsg-1", "zlib", "amd64"),
            "libcli11-dev": sbom.Debian("libcli11-dev", "2.1.2+ds-1", "cli11", "all")}


class Linked(unittest.TestCase):
    def test_files_are_those_of_the_linker(self) -> None:
        self.assertEqual(sbom.prerequisites(RULES), {"main.o", "/usr/lib/libssl.so", "/usr/lib/libz.a"})

    def test_paths_of_the_tree_are_left_out(self) -> None:
        self.assertEqual(sbom.real_paths({"main.o", "/tree/src/a.h", "/tree/../there/b.h"}, Path("/tree")), {"/there/b.h"})

    def test_a_script_of_the_linker_is_no_library(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            script, library = Path(folder) / "libc.so", Path(folder) / "libz.so"
            script.write_text("/* GNU ld script */")
            library.write_bytes(b"\x7fELF")
            self.assertEqual([sbom.is_text(str(each)) for each in (script, library)], [True, False])

    def test_a_package_is_linked_or_else_compiled(self) -> None:
        used = sbom.uses({"/usr/lib/libssl.so.3": "libssl3", "/usr/lib/libz.a": "zlib1g-dev"},
                         {"/usr/include/zlib.h": "zlib1g-dev", "/usr/include/CLI/CLI.hpp": "libcli11-dev"})
        self.assertEqual(used, {("libssl3", "DYNAMIC_LINK"), ("zlib1g-dev", "STATIC_LINK"), ("libcli11-dev", "BUILD_DEPENDENCY_OF")})

    @unittest.skipUnless(shutil.which("dpkg-query") and Path("/usr/include/stdio.h").exists(), "this is no Debian with a compiler")
    def test_dpkg_names_the_package_of_a_file_and_its_version(self) -> None:
        loader = os.path.realpath("/lib64/ld-linux-x86-64.so.2")
        files = {"/usr/include/stdio.h", "/no/such/file"} | ({loader} if Path(loader).exists() else set())
        found = sbom.owners(files)
        self.assertEqual(found["/usr/include/stdio.h"].partition(":")[0], "libc6-dev")
        self.assertEqual(found.keys(), files - {"/no/such/file"})
        debian = sbom.described([found["/usr/include/stdio.h"]])[found["/usr/include/stdio.h"]]
        self.assertEqual((debian.name, debian.source), ("libc6-dev", "glibc"))
        self.assertRegex(debian.version, r"^\d")


class Document(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.artifact = Path(folder.name) / "weir_1.2.3-1_amd64.deb"
        self.artifact.write_bytes(b"abc")
        patch = mock.patch.dict(os.environ, {"SOURCE_DATE_EPOCH": "86400"})
        patch.start()
        self.addCleanup(patch.stop)
        self.used = {("libssl3", "DYNAMIC_LINK"), ("zlib1g-dev", "STATIC_LINK"), ("libcli11-dev", "BUILD_DEPENDENCY_OF")}

    def made(self) -> dict:
        return json.loads(json.dumps(sbom.document("1.2.3", [self.artifact], PACKAGES, self.used)))

    def test_each_relationship_is_between_elements_that_exist(self) -> None:
        made = self.made()
        elements = {"SPDXRef-DOCUMENT"} | {package["SPDXID"] for package in made["packages"]}
        self.assertEqual(len(elements), 1 + len(made["packages"]))
        for each in made["relationships"]:
            self.assertLessEqual({each["spdxElementId"], each["relatedSpdxElement"]}, elements)

    def test_relationships_read_in_their_direction(self) -> None:
        found = {(each["spdxElementId"], each["relationshipType"], each["relatedSpdxElement"]) for each in self.made()["relationships"]}
        self.assertEqual(found, {("SPDXRef-DOCUMENT", "DESCRIBES", sbom.WEIR),
                                 ("SPDXRef-weir-1.2.3-1-amd64.deb", "GENERATED_FROM", sbom.WEIR),
                                 (sbom.WEIR, "DYNAMIC_LINK", "SPDXRef-debian-libssl3"),
                                 (sbom.WEIR, "STATIC_LINK", "SPDXRef-debian-zlib1g-dev"),
                                 ("SPDXRef-debian-libcli11-dev", "BUILD_DEPENDENCY_OF", sbom.WEIR)})

    def test_an_artifact_has_its_hash(self) -> None:
        artifact, = (each for each in self.made()["packages"] if each["name"] == self.artifact.name)
        self.assertEqual(artifact["checksums"][0]["checksumValue"], "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")

    def test_a_package_has_its_version_and_a_locator_that_is_escaped(self) -> None:
        made = {each["name"]: each for each in self.made()["packages"]}
        self.assertEqual(made["libssl3"]["versionInfo"], "3.0.17-1~deb12u2")
        self.assertEqual([made[name]["externalRefs"][0]["referenceLocator"] for name in ("zlib1g-dev", "libcli11-dev")],
                         ["pkg:deb/debian/zlib1g-dev@1%3A1.2.13.dfsg-1?arch=amd64", "pkg:deb/debian/libcli11-dev@2.1.2%2Bds-1?arch=all"])

    def test_the_fields_that_spdx_requires_are_there(self) -> None:
        made = self.made()
        self.assertEqual((made["spdxVersion"], made["dataLicense"], made["SPDXID"]), ("SPDX-2.3", "CC0-1.0", "SPDXRef-DOCUMENT"))
        self.assertEqual(made["creationInfo"]["created"], "1970-01-02T00:00:00Z")
        self.assertRegex(made["documentNamespace"], r"^https://\S+-[0-9a-f]{64}$")
        for package in made["packages"]:
            self.assertLessEqual({"name", "SPDXID", "downloadLocation"}, package.keys())
            self.assertRegex(package["SPDXID"], r"^SPDXRef-[A-Za-z0-9.-]+$")

    def test_the_same_source_has_the_same_document(self) -> None:
        self.assertEqual(self.made(), self.made())
        before = self.made()["documentNamespace"]
        self.artifact.write_bytes(b"abcd")
        self.assertNotEqual(self.made()["documentNamespace"], before)


if __name__ == "__main__":
    unittest.main()
