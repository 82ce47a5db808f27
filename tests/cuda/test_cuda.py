#!/usr/bin/env python3
"""Everything that is given as CUDA compiles: each example, and each fenced
```cuda or ```c block of the knowledge base, against the provisioned NVSHMEM.

usage: test_cuda.py NVCC PACKAGES [TEST...]

A block is read at file scope with both NVSHMEM headers included before it; with
the word `body` after the language (```cuda body) it is the body of a kernel. A
block that repeats a broken form on purpose has the word `wrong`, and must not
compile. With CI in the environment nothing is skipped.
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

FENCE = re.compile(r"^( *)(`{3,}|~{3,}) *(\S*) *(.*)$")
PRELUDE = ("#include <cstdio>\n#include <cstdint>\n#include <cuda_runtime.h>\n"
           "#include <nvshmem.h>\n#include <nvshmemx.h>\n")
NEWEST, REFERENCE = "3.8.0", "3.4.5"


def blocks(text):
    """(line, words after the language, code) of each cuda or c block."""
    opened = None
    for number, line in enumerate(text.split("\n"), 1):
        fence = FENCE.match(line)
        if opened and fence and fence.group(2).startswith(opened[1]) \
                and not fence.group(3):
            if opened[2] in ("cuda", "c"):
                yield opened[0], opened[3].split(), "\n".join(opened[4]) + "\n"
            opened = None
        elif opened:
            opened[4].append(line[opened[5]:] if line[:opened[5]].isspace()
                             else line)
        elif fence:
            opened = (number, fence.group(2), fence.group(3).lower(),
                      fence.group(4), [], len(fence.group(1)))


class Cuda(unittest.TestCase):
    nvcc = packages = None

    def setUp(self):
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="sl-cuda-"))
        self.addCleanup(shutil.rmtree, self.dir, ignore_errors=True)
        if not self.nvcc.is_file():
            if os.environ.get("CI"):
                self.fail(f"{self.nvcc} is not there: deps/fetch-cuda")
            self.skipTest("tools/setup check has provisioned no nvcc")

    def compile(self, path, release=REFERENCE):
        include = self.packages / f"nvidia-nvshmem-cu13-{release}" / "include"
        return subprocess.run(
            [self.nvcc, "-rdc=true", "-arch=sm_90", "-std=c++17", "-c", "-x",
             "cu", "-I", include, "-o", self.dir / "out.o", path], text=True,
            check=False, timeout=300, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT)

    def compiles(self, path, release=REFERENCE):
        done = self.compile(path, release)
        self.assertEqual(done.returncode, 0, done.stdout[-3000:])

    def test_fences(self):
        self.assertEqual(
            list(blocks("a\n```cuda body\nx();\n```\n~~~c\n```\n~~~\n```py\n"
                        "```\n  ```CUDA\n  a\n  ```\n```cuda\nend")),
            [(2, ["body"], "x();\n"), (5, [], "```\n"), (10, [], "a\n")])

    def test_broken_code_fails(self):
        path = self.dir / "a.cu"
        path.write_text(PRELUDE + "__global__ void f() "
                                  "{ nvshmem_nosuch_put(0); }\n")
        self.assertIn("nvshmem_nosuch_put", self.compile(path).stdout)

    def test_a_typed_call_of_each_side(self):
        path = self.dir / "a.cu"
        path.write_text(PRELUDE + """
__global__ void f(float *x) { nvshmem_float_put(x, x, 1, 0); }
int main() { nvshmem_init(); nvshmem_float_put(nullptr, nullptr, 0, 0); }
""")
        self.compiles(path)
        self.compiles(path, NEWEST)


def example_test(path):
    def test(self):
        self.compiles(path)
    return test


def block_test(path, line, words, code):
    def test(self):
        target = self.dir / "block.cu"
        text = f'#line {line + 1} "{path.name}"\n{code}'
        if "body" in words:
            text = f"__global__ void block()\n{{\n{text}}}\n"
        target.write_text(PRELUDE + text, "utf-8")
        if "wrong" in words:
            self.assertNotEqual(self.compile(target).returncode, 0)
        else:
            self.compiles(target)
    return test


def word(text):
    return re.sub(r"\W", "_", text)


for example in sorted((ROOT / "examples").rglob("*.cu")):
    setattr(Cuda, "test_example_" + word(example.stem), example_test(example))
for page in sorted((ROOT / "skills").rglob("*.md")):
    for place, after, source in blocks(page.read_text("utf-8")):
        setattr(Cuda, f"test_block_{word(page.stem)}_{place}",
                block_test(page, place, after, source))

if __name__ == "__main__":
    Cuda.nvcc = pathlib.Path(sys.argv[1]).absolute()
    Cuda.packages = pathlib.Path(sys.argv[2]).absolute()
    loader = unittest.defaultTestLoader
    module = sys.modules[__name__]
    suite = (loader.loadTestsFromNames(sys.argv[3:], module) if sys.argv[3:]
             else loader.loadTestsFromModule(module))
    result = TapResult()
    suite.run(result)
    print(f"1..{result.lines}", flush=True)
    sys.exit(0 if result.wasSuccessful() else 1)
