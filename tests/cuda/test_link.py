#!/usr/bin/env python3
"""The link recipes of the knowledge base build, and what it says that broken
ones print is what they print.

usage: test_link.py NVCC PACKAGES JIT [TEST...]

A recipe is a fenced block of build-and-link.md with a file name after its
language (```cmake CMakeLists.txt). The tests write the files beside each other
and run them against the package as its wheel lays it out. Nothing runs on a
GPU: a program is started only to see that the loader finds its libraries. With
CI in the environment nothing is skipped.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "cli"))

from gitfixture import TapResult  # noqa: E402

REFERENCES = ROOT / "skills" / "nvshmem" / "references"
PAGE = REFERENCES / "build-and-link.md"
CARDS = REFERENCES / "symptoms" / "build-and-link.md"
RECIPE = re.compile(r"^```\w+ (\S+\.\w+)\n(.*?)^```$", re.M | re.S)
CARD_LOG = re.compile(r"^- log: (.*?)\n- stage", re.M | re.S)
REFERENCE, NEWEST = "3.4.5", "3.8.0"
STATE = {"nvshmemi_device_state_d", "nvshmemi_device_lib_version_d",
         "nvshmemi_ibgda_device_state_d"}


def recipes():
    return dict(RECIPE.findall(PAGE.read_text("utf-8")))


class Link(unittest.TestCase):
    nvcc = packages = jit = None
    made = {}  # release -> ring.o: compiling takes most of the time

    def setUp(self):
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="sl-link-"))
        self.addCleanup(shutil.rmtree, self.dir, ignore_errors=True)
        for need in (self.nvcc, self.home() / "lib/libnvshmem_device.a",
                     self.jit / "lib"):
            if not need.exists():
                if os.environ.get("CI"):
                    self.fail(f"{need} is not there: deps/fetch-cuda")
                self.skipTest(f"tools/setup check has provisioned no {need}")
        for name, text in recipes().items():
            (self.dir / name).write_text(text, "utf-8")

    def home(self, release=REFERENCE):
        return self.packages / f"nvidia-nvshmem-cu13-{release}"

    def toolkit(self):
        """Its folders of headers and libraries, by nvcc's own account."""
        said = subprocess.run([self.nvcc, "--dryrun", "ring.cu"], text=True,
                              cwd=self.dir, check=False, stderr=subprocess.PIPE
                              ).stderr
        top = pathlib.Path(re.search(r"^#\$ TOP=(.*)$", said, re.M)[1].strip())
        found = [path for path in (top / "lib64", top / "lib")
                 if (path / "libcudart_static.a").exists()]
        self.assertTrue(found, f"no libcudart_static.a below {top}")
        return top / "include", found[0]

    def run_in(self, *command, release=REFERENCE, **more):
        include, library = self.toolkit()
        env = dict(os.environ, NVSHMEM_HOME=str(self.home(release)),
                   CUDA_INCLUDE=str(include), CUDA_LIB=str(library),
                   PATH=f"{self.nvcc.parent}:{os.environ['PATH']}",
                   CUDACXX=str(self.nvcc), LC_ALL="C", **more)
        return subprocess.run([str(word) for word in command], cwd=self.dir,
                              env=env, text=True, check=False, timeout=600,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def works(self, *command, **more):
        done = self.run_in(*command, **more)
        self.assertEqual(done.returncode, 0, done.stdout[-3000:])
        return done.stdout

    def says(self, text, *command, **more):
        """It fails with this text, and a card has the text."""
        done = self.run_in(*command, **more)
        self.assertNotEqual(done.returncode, 0, done.stdout[-3000:])
        self.assertIn(text, done.stdout)
        logs = " ".join(CARD_LOG.findall(CARDS.read_text("utf-8")))
        spans = re.findall(r"(`+) ?(.+?) ?\1(?!`)", logs)
        parts = [[re.escape(p) for p in span.split("*")] for _, span in spans]
        self.assertTrue(any(re.search(".*".join(p), done.stdout)
                            for p in parts), f"no card has {text!r}")

    def object(self, release=REFERENCE):
        if release not in self.made:
            self.works(self.nvcc, *self.compile(release), "-rdc=true", "-c",
                       "ring.cu", "-o", "ring.o", release=release)
            self.made[release] = (self.dir / "ring.o").read_bytes()
        (self.dir / "ring.o").write_bytes(self.made[release])
        return "ring.o"

    def compile(self, release=REFERENCE):
        return ["-std=c++17", "-arch=sm_90", "-I",
                self.home(release) / "include"]

    def libraries(self, release=REFERENCE):
        return ["-L", self.home(release) / "lib", "-lnvshmem_device",
                "-l:libnvshmem_host.so.3"]

    def loads(self, program):
        """The loader finds all libraries and symbols; the rest needs a GPU."""
        said = self.works("ldd", "-r", program)
        self.assertIn("libnvshmem_host.so.3 => /", said)
        self.assertNotIn("undefined symbol", said)

    def device_names(self, cubin):
        table = self.works("readelf", "-sW", cubin)
        return {line.split()[-1] for line in table.splitlines()
                if " OBJECT " in line and " UND " not in line}

    # the recipes

    def test_nvcc(self):
        self.works("sh", "-e", "nvcc.sh")
        self.loads("ring")
        self.loads("ring-by-gcc")
        self.assertLessEqual(STATE, self.device_names("ring.cubin"))

    def test_cmake_with_the_wheels_layout(self):
        self.works("cmake", "-S", ".", "-B", "build")
        self.works("cmake", "--build", "build")
        self.loads("build/ring")

    def test_cmake_with_the_packages_own_files(self):
        """A stand-in of ours for its files, with their names of targets."""
        folder = self.dir / "prefix/lib/cmake/nvshmem"
        folder.mkdir(parents=True)
        library, include = self.home() / "lib", self.home() / "include"
        (folder / "NVSHMEMConfig.cmake").write_text(f"""
add_library(nvshmem::nvshmem_host SHARED IMPORTED)
add_library(nvshmem::nvshmem_device STATIC IMPORTED)
set_target_properties(nvshmem::nvshmem_host PROPERTIES
  IMPORTED_LOCATION {library}/libnvshmem_host.so.3
  INTERFACE_INCLUDE_DIRECTORIES {include})
set_target_properties(nvshmem::nvshmem_device PROPERTIES
  IMPORTED_LOCATION {library}/libnvshmem_device.a)
""", "utf-8")
        self.works("cmake", "-S", ".", "-B", "build",
                   f"-DNVSHMEM_HOME={self.dir}/prefix")
        self.works("cmake", "--build", "build")
        self.loads("build/ring")

    def test_setuptools(self):
        self.works(sys.executable, "setup.py", "build_ext", "--build-lib",
                   "out")
        made = list((self.dir / "out").glob("ring*.so"))
        self.assertEqual(len(made), 1)
        self.loads(made[0])
        names = self.works("nm", "-D", "--defined-only", made[0])
        self.assertIn("ring_start", names)
        # a second library with the same stub must not take it from this one
        self.assertIn("__cudaRegisterLinkedBinary", names)
        self.assertIn("SYMBOLIC", self.works("readelf", "-d", made[0]))

    def test_a_version_script_hides_the_stub(self):
        (self.dir / "own.map").write_text("{ global: ring_*; local: *; };\n")
        self.works(self.nvcc, *self.compile(), "-rdc=true", "-shared",
                   "-Xcompiler", "-fPIC", "ring.cu", "-o", "ring.so",
                   *self.libraries(), "-Xlinker", "--version-script=own.map")
        names = self.works("nm", "-D", "--defined-only", "ring.so")
        self.assertIn("ring_start", names)
        self.assertNotIn("init_device_cu", names)
        self.assertNotIn("nvshmemi", names)

    def test_jit(self):
        out = self.works(sys.executable, "jit.py", release=NEWEST,
                         LD_LIBRARY_PATH=str(self.jit / "lib"))
        self.assertIn("ring.cubin", out)
        self.assertLessEqual(STATE, self.device_names("ring.cubin"))

    # what the page and the cards say of broken ones

    def test_inlined_calls_build_without_relocatable_code(self):
        (self.dir / "pe.cu").write_text(
            "#include <nvshmem.h>\n__global__ void f(int *x) "
            "{ *x = nvshmem_my_pe(); }\nint main() "
            "{ nvshmem_init(); f<<<1, 1>>>(nullptr); }\n", "utf-8")
        self.works(self.nvcc, *self.compile(), "pe.cu", "-o", "pe",
                   *self.libraries())
        names = self.works("nm", "pe")
        self.assertIn(" b _ZL23nvshmemi_device_state_d", names)
        self.assertIn(" B nvshmemi_device_state_d", names)

    def test_nvrtc_does_not_compile_the_headers_of_3_4_5(self):
        self.says('namespace "std" has no member "is_integral"',
                  sys.executable, "jit.py",
                  LD_LIBRARY_PATH=str(self.jit / "lib"))

    def test_no_device_library_at_the_device_link(self):
        self.says("nvlink error   : Undefined reference to "
                  "'nvshmemi_device_state_d'",
                  self.nvcc, "-arch=sm_90", "-dlink", self.object(), "-o",
                  "d.o")

    def test_no_device_link(self):
        include, library = self.toolkit()
        self.says("undefined reference to `__cudaRegisterLinkedBinary",
                  "g++", self.object(), "-o", "ring", *self.libraries(),
                  "-L", library, "-lcudart_static", "-ldl", "-lrt",
                  "-lpthread")

    def test_no_relocatable_code(self):
        self.says("ptxas fatal   : Unresolved extern function",
                  self.nvcc, *self.compile(), "ring.cu", "-o", "ring",
                  *self.libraries())

    def test_the_wheel_has_no_plain_name(self):
        for option in ("-lnvshmem_host", "-l:libnvshmem_host.so"):
            self.says(f"cannot find {option}", self.nvcc, "-arch=sm_90",
                      self.object(), "-o", "ring", "-L", self.home() / "lib",
                      "-lnvshmem_device", option)

    def test_no_path_to_the_host_library(self):
        self.works(self.nvcc, "-arch=sm_90", self.object(), "-o", "ring",
                   *self.libraries())
        self.says("libnvshmem_host.so.3: cannot open shared object file",
                  "./ring")

    def test_headers_newer_than_the_device_library(self):
        self.says("nvlink error   : Size doesn't match for "
                  "'nvshmemi_device_state_d'",
                  self.nvcc, "-arch=sm_90", self.object(NEWEST), "-o", "ring",
                  *self.libraries())

    def test_host_library_older_than_the_device_library(self):
        self.works(self.nvcc, "-arch=sm_90", self.object(NEWEST), "-o", "ring",
                   *self.libraries(NEWEST))
        self.says("undefined symbol: nvshmem_selected_device_transport",
                  "./ring", LD_LIBRARY_PATH=str(self.home() / "lib"))

    def test_an_old_standard(self):
        self.says("libcu++ requires at least C++ 17", self.nvcc, "-std=c++14",
                  "-arch=sm_90", "-I", self.home() / "include", "-rdc=true",
                  "-c", "ring.cu", "-o", "ring.o")


class Recipes(unittest.TestCase):
    def test_all_are_there(self):
        self.assertEqual(set(recipes()), {
            "ring.cu", "nvcc.sh", "CMakeLists.txt", "setup.py", "jit.py"})


if __name__ == "__main__":
    Link.nvcc, Link.packages, Link.jit = (
        pathlib.Path(word).absolute() for word in sys.argv[1:4])
    loader = unittest.defaultTestLoader
    module = sys.modules[__name__]
    suite = (loader.loadTestsFromNames(sys.argv[4:], module) if sys.argv[4:]
             else loader.loadTestsFromModule(module))
    result = TapResult()
    suite.run(result)
    print(f"1..{result.lines}", flush=True)
    sys.exit(0 if result.wasSuccessful() else 1)
