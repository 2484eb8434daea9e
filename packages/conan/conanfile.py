# conanfile.py - pt from the tarball of a release, for Conan 2: headers and libpt
# SPDX-License-Identifier: MIT
import os

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, get, rmdir


class PtConan(ConanFile):
    name = "pt"
    version = "@VERSION@"
    license = "MIT"
    homepage = "@URL@"
    url = "@REPOSITORY@"
    description = "Stackless coroutines for C: tasks that await each other, and libpt for sockets and processes"
    topics = ("coroutine", "async", "protothreads")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False]}
    default_options = {"shared": False, "fPIC": True}
    implements = ["auto_shared_fpic"]
    languages = "C"

    def validate(self):
        if self.settings.os == "Windows":
            raise ConanInvalidConfiguration("libpt is for a Unix; on Windows copy the headers")

    def layout(self):
        cmake_layout(self, src_folder="src")

    def source(self):
        get(self, **self.conan_data["sources"][self.version], strip_root=True)

    def generate(self):
        chain = CMakeToolchain(self)
        for part in ("CARES", "LIBURING", "OPENSSL", "LLHTTP", "REFERENCE"):
            chain.cache_variables[f"PT_WITH_{part}"] = "OFF"
        chain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        for folder in (("lib", "cmake"), ("lib", "pkgconfig")):  # Conan writes its own
            rmdir(self, os.path.join(self.package_folder, *folder))

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "pt")
        self.cpp_info.components["core"].set_property("cmake_target_name", "pt::pt")
        host = self.cpp_info.components["host"]
        host.set_property("cmake_target_name", "pt::host")
        host.set_property("pkg_config_name", "pt")
        host.libs = ["pt"]
        host.requires = ["core"]
        host.system_libs = ["pthread"]
