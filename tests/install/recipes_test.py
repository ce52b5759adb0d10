#!/usr/bin/env python3
"""The recipes for distributions set options that the build has, take each file of an installation, and can be parsed."""

import fnmatch
import re
import shutil
import subprocess
import unittest

from installed import HAS_COMMAND, INSTALLED, SOURCE, files_below

PACKAGING = SOURCE / "packaging"
SPEC = PACKAGING / "rpm" / "weir.spec"
OPTIONS = (SOURCE / "cmake" / "WeirOptions.cmake").read_text()
RECIPES = (SPEC, PACKAGING / "alpine" / "APKBUILD", PACKAGING / "arch" / "PKGBUILD", PACKAGING / "homebrew" / "weir.rb", SOURCE / "flake.nix")


def expanded(pattern):
    """A path of %files below the prefix, with the folders that RPM has for its macros."""
    macros = {"bindir": "bin", "mandir": "share/man", "datadir": "share", "libdir": "lib", "includedir": "include"}
    for name, folder in macros.items():
        pattern = pattern.replace(f"%{{_{name}}}", folder)
    return pattern.removeprefix("%{_prefix}/")


class Options(unittest.TestCase):
    def test_are_those_of_the_build(self):
        for recipe in RECIPES:
            names = re.findall(r"-D(WEIR_\w+)=", recipe.read_text())
            with self.subTest(recipe.name):
                self.assertGreaterEqual(len(names), 4)
                for name in names:
                    self.assertRegex(OPTIONS, rf"(set|option)\({name}\b")


@unittest.skipUnless(HAS_COMMAND, "the command was not built")
class Files(unittest.TestCase):
    def setUp(self):
        sections = SPEC.read_text().partition("\n%files\n")[2]
        self.patterns = [expanded(line) for line in sections.splitlines() if line.startswith("%{_")]
        # RPM compresses man pages by itself.
        self.files = {name + ".gz" if name.startswith("share/man/") else name for name in files_below(INSTALLED)}

    def test_of_an_installation_are_each_in_one_rpm(self):
        self.assertGreater(len(self.patterns), 10)
        for name in self.files:
            self.assertEqual(len([pattern for pattern in self.patterns if fnmatch.fnmatchcase(name, pattern)]), 1, name)

    def test_are_there_for_each_pattern(self):
        for pattern in self.patterns:
            self.assertTrue(fnmatch.filter(self.files, pattern), pattern)


class Syntax(unittest.TestCase):
    def check(self, *command):
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_of_the_shell(self):
        for recipe, shell in (("alpine/APKBUILD", "sh"), ("arch/PKGBUILD", "bash")):
            self.check(shell, "-n", PACKAGING / recipe)

    def test_of_the_variables_and_functions_that_makepkg_and_abuild_use(self):
        for recipe, variables in (("alpine/APKBUILD", "pkgname pkgver pkgrel pkgdesc url arch license source"),
                                  ("arch/PKGBUILD", "pkgname pkgver pkgrel arch source sha256sums")):
            for name in variables.split():
                self.assertTrue(self.check("bash", "-c", f'. "$1"; echo -n "${{{name}[0]}}"', "-", PACKAGING / recipe), (recipe, name))
            self.check("bash", "-c", '. "$1"; declare -F build package', "-", PACKAGING / recipe)

    @unittest.skipUnless(shutil.which("rpmspec"), "rpmspec is not here")
    def test_of_the_spec(self):
        names = self.check("rpmspec", "--query", "--queryformat", "%{name}\n", SPEC).split()
        self.assertEqual(names, ["weir", "weir-libs", "weir-devel"])

    @unittest.skipUnless(shutil.which("ruby"), "ruby is not here")
    def test_of_the_formula(self):
        self.check("ruby", "-c", PACKAGING / "homebrew" / "weir.rb")

    @unittest.skipUnless(shutil.which("nix-instantiate"), "nix is not here")
    def test_of_the_flake(self):
        self.check("nix-instantiate", "--parse", SOURCE / "flake.nix")


if __name__ == "__main__":
    unittest.main()
