#!/usr/bin/env python3
"""What an installation holds, and what compiles and links against it outside the tree."""

import json
import os
import re
import ssl
import subprocess
import tempfile
import unittest
import urllib.request
from pathlib import Path

from installed import (BUILD, CCACHE, CMAKE, COMPILER, FOR_CMAKE, HAS_COMMAND, PATIENCE_SECONDS, PROGRAM, SOURCE, WARNINGS, Installed,
                       clean_environment, files_below, install, run)

# Before 1.0, the soname has both numbers.
SONAME = "libweir.so." + re.search(r"project\(weir VERSION (0\.\d+|[1-9]\d*)", (SOURCE / "CMakeLists.txt").read_text())[1]
LIBRARY = {"lib/libweir.a", "lib/libweir.so", f"lib/{SONAME}", "lib/cmake/weir/weirConfig.cmake",
           "lib/cmake/weir/weirConfigVersion.cmake", "lib/pkgconfig/weir.pc", "include/weir/server/server.h"}
COMMAND = {"bin/weir", "share/man/man1/weir.1", "share/man/man1/weir-serve.1", "share/man/man1/weir-target.1",
           "share/man/man1/weir-engines.1", "share/bash-completion/completions/weir", "share/zsh/site-functions/_weir",
           "share/fish/vendor_completions.d/weir.fish", "lib/systemd/system/weir@.service",
           "lib/systemd/system/weir@.socket", "share/doc/weir/LICENSE",
           "share/doc/weir/README.md", "share/doc/weir/weir.toml", "share/weir/weir.schema.json"}

HAS_TLS = (BUILD / "src" / "libweir_tls.a").exists()
HAS_COMPRESS = (BUILD / "src" / "libweir_compress.a").exists()
HAS_ARCHIVE = (BUILD / "src" / "libweir_archive.a").exists()
HAS_MARKDOWN = (BUILD / "src" / "libweir_markdown.a").exists()
HAS_DAV = (BUILD / "src" / "libweir_dav.a").exists()
HAS_LOGS = all((BUILD / "src" / "logs" / f"libweir_{name}.a").exists() for name in ("glog", "spdlog"))
COMPONENTS_PROJECT = """cmake_minimum_required(VERSION 3.25)
project(components LANGUAGES CXX)
find_package(weir CONFIG REQUIRED COMPONENTS ${COMPONENTS})
foreach(part IN ITEMS web http2 tls compress archive markdown dav glog spdlog)
    if(TARGET weir::${part})
        list(APPEND targets weir::${part})
    endif()
endforeach()
list(JOIN targets " " targets)
message(STATUS "targets: ${targets}")
"""


class Files(Installed):
    def test_everything_is_where_it_is_looked_for(self):
        wanted = LIBRARY | (COMMAND if HAS_COMMAND else set())
        self.assertEqual(wanted - files_below(self.prefix), set())

    def test_every_public_header_is_there(self):
        self.assertEqual(files_below(self.prefix / "include"), files_below(SOURCE / "include"))

    def test_the_shared_library_names_its_interface(self):
        read = run("readelf", "-dW", self.prefix / "lib" / "libweir.so")
        self.assertIn(f"[{SONAME}]", read)

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
                text = (self.prefix / name).read_text().replace(str(self.prefix), "")
                self.assertNotIn(str(BUILD), text, name)


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


class Found(Installed):
    """What the tests of find_package have in common."""

    def build(self, name, *arguments, targets=("program",), prefix=None):
        directory = self.place / name
        run(CMAKE, "-S", PROGRAM, "-B", directory, *FOR_CMAKE, f"-DCMAKE_PREFIX_PATH={prefix or self.prefix}", *arguments)
        run(CMAKE, "--build", directory, "--parallel", "2", "--target", *targets)
        return [directory / target for target in targets]

    def needs_shared_library(self, program):
        return f"[{SONAME}]" in run("readelf", "-dW", program)

    def check_logged(self, program, **added):
        done = subprocess.run([program], capture_output=True, text=True, env=clean_environment(**added), check=True)
        self.assertEqual(done.stdout, "warning: by spdlog\n")
        self.assertRegex(done.stderr, r"(?m)^W.* weir:0\] by glog$")


class Package(Found):
    def test_find_package(self):
        flags = "-DCMAKE_CXX_FLAGS=" + " ".join(WARNINGS)
        for kind, shared in (("static", "OFF"), ("shared", "ON")):
            with self.subTest(kind):
                program, = self.build(kind, f"-DBUILD_SHARED_LIBS={shared}", flags)
                self.check_program(program)
                self.assertEqual(self.needs_shared_library(program), shared == "ON")

    def test_find_package_without_the_shared_library(self):
        alone = self.place / "alone"
        install(alone, "--component", "development")
        program, = self.build("from-alone", "-DBUILD_SHARED_LIBS=ON", prefix=alone)
        self.check_program(program)

    def test_the_documented_program_is_the_one_that_is_tested(self):
        self.assertIn("```cpp\n" + (PROGRAM / "main.cpp").read_text() + "```\n", (SOURCE / "docs" / "install.md").read_text())


class Components(Found):
    def test_those_of_each_build_are_found(self):
        self.assertIn("weir::web weir::http2", self.configured("web;http2"))

    def test_one_that_is_missing_is_named(self):
        self.assertIn("weir has no component http9; it has web,", self.configured("web;http9"))
        without = self.place / "without-glog"
        install(without)
        (without / "lib" / "cmake" / "weir" / "weir-glog.cmake").unlink(missing_ok=True)
        self.assertIn("this weir was built without glog, and has no weir::glog", self.configured("glog", without))
        self.assertIn("targets: weir::web weir::http2", self.configured("web;OPTIONAL_COMPONENTS;glog", without))

    def configured(self, components, prefix=None):
        """What CMake says of a project that wants these components, and prints its targets."""
        source = self.place / "components"
        source.mkdir(exist_ok=True)
        (source / "CMakeLists.txt").write_text(COMPONENTS_PROJECT)
        build = Path(tempfile.mkdtemp(dir=self.place))
        done = subprocess.run([CMAKE, "-S", source, "-B", build, *FOR_CMAKE, f"-DCMAKE_PREFIX_PATH={prefix or self.prefix}",
                               f"-DCOMPONENTS={components}"], capture_output=True, text=True, env=clean_environment(), check=False)
        return " ".join((done.stdout + done.stderr).split())

    def test_those_that_need_other_libraries_are_linked(self):
        tried = ([("tls", "secure_program", self.check_secure)] * HAS_TLS
                 + [("compress", "compressed_program", self.check_compressed)] * HAS_COMPRESS
                 + [("archive", "archived_program", self.check_archived)] * HAS_ARCHIVE
                 + [("markdown", "markdown_program", self.check_markdown)] * HAS_MARKDOWN
                 + [("dav", "mounted_program", self.check_mounted)] * HAS_DAV
                 + [("glog;spdlog", "logged_program", self.check_logged)] * HAS_LOGS)
        if not tried:
            self.skipTest("no library for a component is installed")
        components, targets, checks = zip(*tried, strict=True)
        for kind, shared in (("parts-static", "OFF"), ("parts-shared", "ON")):
            with self.subTest(kind):
                programs = self.build(kind, f"-DBUILD_SHARED_LIBS={shared}", f"-DWEIR_COMPONENTS={';'.join(components)}", targets=targets)
                for program, check in zip(programs, checks, strict=True):
                    check(program)
                self.assertEqual(self.needs_shared_library(programs[0]), shared == "ON")

    def check_compressed(self, program):
        self.assertIn("200, ", run(program))

    def check_archived(self, program):
        self.assertEqual(run(program, SOURCE / "www"), "200 application/zip\n")

    def check_markdown(self, program):
        self.assertEqual(run(program), "<h1>Weir</h1>\n")

    def check_mounted(self, program):
        self.assertEqual(run(program, tempfile.mkdtemp(dir=self.place)), "201\n")

    def check_secure(self, program):
        own = self.place / "own"
        process = subprocess.Popen([program, own], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        try:
            port = process.stdout.readline().strip().rpartition(":")[2]
            trusted = ssl.create_default_context(cafile=own / "weir.crt")
            with urllib.request.urlopen(f"https://localhost:{port}/", timeout=PATIENCE_SECONDS, context=trusted) as response:
                self.assertEqual(response.read(), b"TLSv1.3\n")
        finally:
            process.kill()
            process.communicate()


class Within(Installed):
    """As a part of another project's build (FetchContent)."""

    def commands(self, build, within=""):
        """What is compiled of src/ but the command: the objects, with their definitions and include paths."""
        listed = json.loads((build / "compile_commands.json").read_text())
        commands = [each["command"].split() for each in listed]
        objects = {words[words.index("-o") + 1].removeprefix(within): words for words in commands}
        return {name: sorted(word for word in words if word.startswith(("-D", "-I", "-isystem")) and word != "-DNDEBUG")
                for name, words in objects.items() if name.startswith("src/") and not name.startswith(("src/acme/", "src/cli/", "src/supervisor/"))}

    def test_fetch_content(self):
        # To compile the whole library again takes a minute. What is compiled, and how, is compared with the build that is
        # tested; one layer and the program are compiled with the other project's flags.
        within = self.place / "within"
        run(CMAKE, "-G", "Ninja", "-S", PROGRAM, "-B", within, *FOR_CMAKE, f"-DWEIR_TREE={SOURCE}", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON")
        run(CMAKE, "--build", within, "--target", "weir_net", "CMakeFiles/program.dir/main.cpp.o")
        commands = self.commands(within, "_deps/weir-build/")
        self.assertGreater(len(commands), 100)
        self.assertEqual(commands, self.commands(BUILD))


class PkgConfig(Found):
    def pkg_config(self, *options, packages=("weir",)):
        path = str(self.prefix / "lib" / "pkgconfig")
        return run("pkg-config", *options, *packages, PKG_CONFIG_PATH=path).split()

    def compile(self, name, *flags, source="main.cpp"):
        program = self.place / name
        run(COMPILER, "-std=c++23", *WARNINGS, PROGRAM / source, "-o", program, *flags)
        return program

    def test_pkg_config(self):
        program = self.compile("by-pkg-config", *self.pkg_config("--cflags", "--libs"))
        self.assertTrue(self.needs_shared_library(program))
        self.check_program(program, LD_LIBRARY_PATH=str(self.prefix / "lib"))

    def test_pkg_config_static(self):
        program = self.compile("by-pkg-config-static", "-static", *self.pkg_config("--cflags", "--libs", "--static"))
        self.check_program(program)

    @unittest.skipUnless(HAS_LOGS, "glog or spdlog is not installed")
    def test_pkg_config_of_logs(self):
        flags = self.pkg_config("--cflags", "--libs", packages=("weir-glog", "weir-spdlog"))
        self.check_logged(self.compile("logged", *flags, source="logged.cpp"), LD_LIBRARY_PATH=str(self.prefix / "lib"))


class Headers(Installed):
    """HEADERS=1/2: every other header, from the first on. Each is a compilation of its own, which is to stand alone."""

    def headers(self):
        first, step = map(int, os.environ["HEADERS"].split("/"))
        return sorted(files_below(self.prefix / "include"))[first - 1::step]

    def compile(self, header, *flags):
        """The unit lies beside the installation, not in a place of its own: so ccache knows it again."""
        unit = self.prefix.parent / "headers" / (header.replace("/", "_") + ".cpp")
        unit.parent.mkdir(exist_ok=True)
        unit.write_text(f'#include "{header}"\n', encoding="ascii")
        compiler = [CCACHE, COMPILER] if CCACHE else [COMPILER]
        return subprocess.run([*compiler, *flags, f"-I{self.prefix / 'include'}", "-c", unit, "-o", unit.with_suffix(".o")],
                              capture_output=True, text=True, cwd=unit.parent, check=False,
                              env=clean_environment(CCACHE_BASEDIR=str(BUILD), CCACHE_NOHASHDIR="1"))

    def test_each_compiles_on_its_own(self):
        for header in self.headers():
            with self.subTest(header):
                done = self.compile(header, "-std=c++23", *WARNINGS)
                self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_each_says_what_it_needs_where_it_is_missing(self):
        for header in self.headers():
            with self.subTest(header):
                done = self.compile(header, "-std=c++20", "-Wfatal-errors")  # ends at the first
                first = next(line for line in done.stderr.splitlines() if "error:" in line)
                self.assertIn("weir needs C++23", first)


if __name__ == "__main__":
    unittest.main()
