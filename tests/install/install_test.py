#!/usr/bin/env python3
"""What an installation holds, and what compiles and links against it outside the tree."""

import re
import ssl
import subprocess
import unittest
import urllib.request

from installed import (BUILD, CMAKE, COMPILER, HAS_COMMAND, PROGRAM, SOURCE, WARNINGS, Installed, clean_environment, files_below,
                       install, run)

LIBRARY = {"lib/libweir.a", "lib/libweir.so", "lib/libweir.so.0", "lib/cmake/weir/weirConfig.cmake",
           "lib/cmake/weir/weirConfigVersion.cmake", "lib/pkgconfig/weir.pc", "include/weir/server/server.h"}
COMMAND = {"bin/weir", "share/man/man1/weir.1", "share/man/man1/weir-serve.1", "share/man/man1/weir-target.1",
           "share/man/man1/weir-engines.1", "share/bash-completion/completions/weir", "share/zsh/site-functions/_weir",
           "share/fish/vendor_completions.d/weir.fish", "lib/systemd/system/weir@.service", "share/doc/weir/LICENSE",
           "share/doc/weir/README.md"}


class Files(Installed):
    def test_everything_is_where_it_is_looked_for(self):
        wanted = LIBRARY | (COMMAND if HAS_COMMAND else set())
        self.assertEqual(wanted - files_below(self.prefix), set())

    def test_every_public_header_is_there(self):
        self.assertEqual(files_below(self.prefix / "include"), files_below(SOURCE / "include"))

    def test_the_shared_library_names_its_interface(self):
        read = run("readelf", "-dW", self.prefix / "lib" / "libweir.so")
        self.assertIn("[libweir.so.0]", read)

    def test_components_hold_what_they_are_for(self):
        parts = {}
        for component in ("runtime", "library", "development"):
            install(self.place / component, "--component", component)
            parts[component] = files_below(self.place / component)
        self.assertEqual(set().union(*parts.values()), files_below(self.prefix))
        self.assertEqual(parts["runtime"], COMMAND if HAS_COMMAND else set())
        self.assertTrue(all(re.fullmatch(r"lib/libweir\.so\.[\d.]+", name) for name in parts["library"]), parts["library"])

    def test_nothing_names_the_build(self):
        for name in files_below(self.prefix):
            if name.endswith((".cmake", ".pc", ".service", ".1")):
                self.assertNotIn(str(BUILD), (self.prefix / name).read_text(), name)


@unittest.skipUnless(HAS_COMMAND, "the command was not built")
class Command(Installed):
    def test_the_command_runs(self):
        self.assertIn("weir ", run(self.prefix / "bin" / "weir", "--version"))

    def test_the_unit_starts_the_installed_command(self):
        unit = (self.prefix / "lib" / "systemd" / "system" / "weir@.service").read_text()
        self.assertIn(f"ExecStart={self.prefix}/bin/weir serve", unit)

    def test_man_pages_are_of_their_names(self):
        for name in ("weir", "weir-serve", "weir-target", "weir-engines"):
            page = (self.prefix / "share" / "man" / "man1" / f"{name}.1").read_text().replace("\\-", "-")
            self.assertIn(f".TH {name.upper()} 1 ", page)


class Embedding(Installed):
    def build(self, name, *arguments):
        directory = self.place / name
        run(CMAKE, "-S", PROGRAM, "-B", directory, f"-DCMAKE_CXX_COMPILER={COMPILER}", *arguments)
        run(CMAKE, "--build", directory, "--parallel", "2")
        return directory / "program"

    def needs_shared_library(self, program):
        return "libweir.so.0" in run("readelf", "-dW", program)

    def test_find_package(self):
        flags = "-DCMAKE_CXX_FLAGS=" + " ".join(WARNINGS)
        for kind, shared in (("static", "OFF"), ("shared", "ON")):
            with self.subTest(kind):
                program = self.build(kind, f"-DCMAKE_PREFIX_PATH={self.prefix}", f"-DBUILD_SHARED_LIBS={shared}", flags)
                self.check_program(program)
                self.assertEqual(self.needs_shared_library(program), shared == "ON")

    @unittest.skipUnless((BUILD / "src" / "libweir_tls.a").exists(), "there is no OpenSSL")
    def test_find_package_with_tls(self):
        for kind, shared in (("tls-static", "OFF"), ("tls-shared", "ON")):
            with self.subTest(kind):
                program = self.build(kind, f"-DCMAKE_PREFIX_PATH={self.prefix}", f"-DBUILD_SHARED_LIBS={shared}",
                                     "-DWEIR_COMPONENTS=tls").with_name("secure_program")
                self.assertEqual(self.needs_shared_library(program), shared == "ON")
                process = subprocess.Popen([program, self.place / "own"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
                try:
                    port = process.stdout.readline().strip().rpartition(":")[2]
                    trusted = ssl.create_default_context(cafile=self.place / "own" / "weir.crt")
                    with urllib.request.urlopen(f"https://localhost:{port}/", timeout=15, context=trusted) as response:
                        self.assertEqual(response.read(), b"TLSv1.3\n")
                finally:
                    process.kill()
                    process.communicate()

    def test_find_package_without_the_shared_library(self):
        install(self.place / "alone", "--component", "development")
        program = self.build("from-alone", f"-DCMAKE_PREFIX_PATH={self.place / 'alone'}", "-DBUILD_SHARED_LIBS=ON")
        self.check_program(program)

    def test_the_documented_program_is_the_one_that_is_tested(self):
        self.assertIn("```cpp\n" + (PROGRAM / "main.cpp").read_text() + "```\n", (SOURCE / "docs" / "install.md").read_text())

    def test_add_subdirectory(self):
        # The whole library is compiled, as fast as it goes.
        program = self.build("within", f"-DWEIR_TREE={SOURCE}", "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O0")
        self.check_program(program)

    def pkg_config(self, *options):
        path = str(self.prefix / "lib" / "pkgconfig")
        return run("pkg-config", *options, "weir", PKG_CONFIG_PATH=path).split()

    def compile(self, name, *flags):
        program = self.place / name
        run(COMPILER, "-std=c++23", *WARNINGS, PROGRAM / "main.cpp", "-o", program, *flags)
        return program

    def test_pkg_config(self):
        program = self.compile("by-pkg-config", *self.pkg_config("--cflags", "--libs"))
        self.assertTrue(self.needs_shared_library(program))
        self.check_program(program, LD_LIBRARY_PATH=str(self.prefix / "lib"))

    def test_pkg_config_static(self):
        program = self.compile("by-pkg-config-static", "-static", *self.pkg_config("--cflags", "--libs", "--static"))
        self.check_program(program)


class Examples(Installed):
    """Each folder of examples/ is a project of its own, and builds against the installed package."""

    def build(self, name):
        directory = self.place / name
        run(CMAKE, "-S", SOURCE / "examples" / name, "-B", directory, f"-DCMAKE_CXX_COMPILER={COMPILER}",
            f"-DCMAKE_PREFIX_PATH={self.prefix}", "-DCMAKE_CXX_FLAGS=" + " ".join(WARNINGS))
        run(CMAKE, "--build", directory, "--parallel", "2")
        return directory

    def test_each_builds(self):
        names = sorted(path.name for path in (SOURCE / "examples").iterdir())
        self.assertEqual(names, ["hello", "rest"])
        for name in names:
            with self.subTest(name):
                self.assertTrue((self.build(name) / name).is_file())

    def test_the_service_passes_its_own_test(self):
        run(self.build("rest") / "rest_test")


class Headers(Installed):
    def compile(self, header, *flags):
        line = f'#include "{header}"\n'
        return subprocess.run([COMPILER, *flags, f"-I{self.prefix / 'include'}", "-x", "c++", "-c", "-", "-o", "/dev/null"], input=line,
                              capture_output=True, text=True, env=clean_environment(), check=False)

    def test_each_compiles_on_its_own(self):
        for header in sorted(files_below(self.prefix / "include")):
            with self.subTest(header):
                done = self.compile(header, "-std=c++23", *WARNINGS)
                self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_each_says_what_it_needs_where_it_is_missing(self):
        for header in sorted(files_below(self.prefix / "include")):
            with self.subTest(header):
                done = self.compile(header, "-std=c++20")
                first = next(line for line in done.stderr.splitlines() if "error" in line)
                self.assertIn("weir needs C++23", first)


if __name__ == "__main__":
    unittest.main()
