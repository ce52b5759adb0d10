"""Builds the tree that it lies in:

    conan create packaging/conan --build=missing -s compiler.cppstd=23 -o '&:with_tls=True'
"""

import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rm

required_conan_version = ">=2.0"
TREE = ("CMakeLists.txt", "LICENSE", "README.md", "cmake/*", "include/*", "packaging/*", "src/*")
PACKAGES = {"asio": "asio/1.30.2", "tls": "openssl/[>=3.0 <4]", "zlib": "zlib/[>=1.2.11 <2]", "brotli": "brotli/1.1.0",
            "zstd": "zstd/[>=1.5 <1.6]", "glog": "glog/0.7.1", "spdlog": "spdlog/1.14.1"}


class Weir(ConanFile):
    name = "weir"
    description = "An HTTP server whose architecture is a switch, as a library for C++23"
    license = "MIT"
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], **{f"with_{name}": [True, False] for name in PACKAGES}}
    default_options = {"shared": False, **{f"with_{name}": False for name in PACKAGES}}

    @property
    def tree(self):
        return os.path.join(self.recipe_folder, "..", "..")

    def set_version(self):
        project = load(self, os.path.join(self.tree, "CMakeLists.txt"))
        self.version = re.search(r"project\(weir VERSION ([\d.]+)", project)[1]

    def export_sources(self):
        for pattern in TREE:
            copy(self, pattern, src=self.tree, dst=self.export_sources_folder)

    def validate(self):
        check_min_cppstd(self, 23)

    def requirements(self):
        for name, package in PACKAGES.items():
            if self.options.get_safe(f"with_{name}"):
                self.requires(package, transitive_headers=name == "spdlog")

    def layout(self):
        cmake_layout(self)

    def generate(self):
        CMakeDeps(self).generate()
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables.update({"WEIR_BUILD_CLI": "OFF", "WEIR_BUILD_TESTS": "OFF", "WEIR_WITH_QRENCODE": "OFF", "WEIR_WITH_CRYPT": "OFF",
                                          "WEIR_WITH_TOML": "OFF", "WEIR_WITH_ARCHIVE": "OFF", "WEIR_WITH_CMARK": "OFF", "WEIR_WITH_EXPAT": "OFF", "WEIR_WITH_LIBDEFLATE": "OFF"})
        for name in PACKAGES:
            toolchain.cache_variables[f"WEIR_WITH_{name.upper()}"] = "ON" if self.options.get_safe(f"with_{name}") else "OFF"
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", src=self.source_folder, dst=os.path.join(self.package_folder, "licenses"))
        rm(self, "libweir.a" if self.options.shared else "libweir.so*", os.path.join(self.package_folder, "lib"))

    def package_info(self):
        """CMake takes weir's own files, with the same targets as elsewhere."""
        self.cpp_info.libs = ["weir"]
        self.cpp_info.system_libs = ["pthread"]
        self.cpp_info.builddirs = [os.path.join("lib", "cmake", "weir")]
        self.cpp_info.set_property("cmake_find_mode", "none")
