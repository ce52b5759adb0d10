"""What the tests of the installation share: weir installed into an empty prefix, and a program outside the tree.

As a program of its own it makes the installation, once for all of them: INSTALLED is its prefix."""

import os
import shutil
import subprocess
import tempfile
import unittest
import urllib.request
from pathlib import Path

SOURCE = Path(os.environ["WEIR_SOURCE_DIR"])
BUILD = Path(os.environ["BUILD_DIR"])
CMAKE = os.environ["CMAKE_COMMAND"]
COMPILER = os.environ["CXX_COMPILER"]
INSTALLED = Path(os.environ["INSTALLED"])
HAS_COMMAND = "WEIR_BINARY" in os.environ
PROGRAM = SOURCE / "tests" / "install" / "program"
WARNINGS = ("-Wall", "-Wextra", "-O3", "-Werror")
ANSWER = b"Hello from /there\n"
PATIENCE_SECONDS = 60  # a machine may be busy; what hangs, hangs longer
CCACHE = shutil.which("ccache")
# Of each project that is configured here.
FOR_CMAKE = (f"-DCMAKE_CXX_COMPILER={COMPILER}", *((f"-DCMAKE_CXX_COMPILER_LAUNCHER={CCACHE}",) if CCACHE else ()))


def clean_environment(**added):
    """Without what would move an installation, or lead to another one."""
    unwanted = ("DESTDIR", "CMAKE_INSTALL_PREFIX", "CMAKE_PREFIX_PATH", "PKG_CONFIG_PATH", "CXXFLAGS", "LDFLAGS")
    return {name: value for name, value in os.environ.items() if name not in unwanted} | added


def run(*command, **added):
    done = subprocess.run([str(part) for part in command], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          env=clean_environment(**added), check=False)
    if done.returncode != 0:
        raise AssertionError(f"{command} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def install(prefix, *arguments):
    run(CMAKE, "--install", BUILD, "--prefix", prefix, *arguments)


def files_below(directory):
    return {str(path.relative_to(directory)) for path in directory.rglob("*") if not path.is_dir()}


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = Path(tempfile.mkdtemp(prefix="weir-install-"))
        cls.addClassCleanup(shutil.rmtree, cls.place)
        cls.prefix = INSTALLED

    def check_program(self, program, **added):
        """The program prints its address, and answers there."""
        process = subprocess.Popen([program], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
                                   env=clean_environment(**added))
        try:
            url = process.stdout.readline().strip()
            self.assertRegex(url, r"^http://127\.0\.0\.1:\d+/$")
            with urllib.request.urlopen(url + "there", timeout=PATIENCE_SECONDS) as response:
                self.assertEqual(response.read(), ANSWER)
        finally:
            process.kill()
            process.wait()
            process.stdout.close()


if __name__ == "__main__":
    shutil.rmtree(INSTALLED, ignore_errors=True)
    install(INSTALLED)
