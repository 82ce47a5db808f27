#!/usr/bin/env python3
"""`shmemlore index usage`: every folder of traps/ is a tree and the table that
it must give; then options, faults and independence of threads.

usage: test_usage.py HELPER [TEST...]
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent / "cli"))

from gitfixture import main_tap  # noqa: E402

SOURCES = """sources:
  one:
    title: One
    repository: https://example.invalid/own/one
    tag: 2026-01-02
    commit: 1111111111111111111111111111111111111111
    licence: MIT
    cited: no
    paths: [src/]
  nvshmem-x:
    title: The library
    repository: https://example.invalid/own/x
    tag: v1
    commit: 2222222222222222222222222222222222222222
    usage: no
    licence: MIT
    paths: [src/]
"""


class Usage(unittest.TestCase):
    helper = ""  # main_tap() sets it
    maxDiff = None

    def setUp(self):
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="sl-usage-"))
        self.addCleanup(shutil.rmtree, self.dir, ignore_errors=True)
        (self.dir / "evidence").mkdir()
        (self.dir / "evidence/sources.yaml").write_text(SOURCES)
        self.env = {k: v for k, v in os.environ.items()
                    if k.endswith("SAN_OPTIONS") or k in ("PATH", "LD_LIBRARY_PATH")}
        self.env["SHMEMLORE_CACHE"] = str(self.dir / "cache")

    def run_it(self, *args):
        return subprocess.run(
            [self.helper, "usage", "--root", str(self.dir), *map(str, args)],
            env=self.env, text=True, capture_output=True, timeout=120)

    def table(self, tree, *args):
        """The rows without the column of the source."""
        done = self.run_it("--source", "trap", "--tree", f"trap={tree}",
                           "--output", "-", *args)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [line.split("\t", 1)[1] for line in done.stdout.splitlines()]

    def write(self, name, text):
        path = self.dir / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def test_only_paths_of_the_source(self):
        self.write("tree/src/a.cu", "void f() { nvshmem_init(); }\n")
        self.write("tree/vendored/b.cu", "void f() { nvshmem_quiet(); }\n")
        done = self.run_it("--tree", f"one={self.dir}/tree")
        self.assertEqual(done.returncode, 0, done.stderr)
        table = (self.dir / "evidence/usage.tsv").read_text()
        self.assertEqual(table.splitlines()[1:], [
            "one\tnvshmem_init\tcall\tc\t-\t\t\t1\tsrc/a.cu:1@f"])

    def test_missing_tree_says_how_to_get_it(self):
        done = self.run_it()
        self.assertEqual(done.returncode, 2)
        self.assertIn("sources sync one", done.stderr)
        self.assertFalse((self.dir / "evidence/usage.tsv").exists())

    def test_wrong_arguments(self):
        for args in (["--source", "two"], ["--tree", "one"], ["--tree", "=x"],
                     ["--threads", "0"], ["--threads", "17"], ["more"],
                     ["--nothing"]):
            done = self.run_it(*args)
            self.assertEqual(done.returncode, 2, args)
            self.assertEqual(done.stdout, "", args)

    def test_help(self):
        done = self.run_it("--help")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("--coverage", done.stdout)

    def test_threads_do_not_matter(self):
        for i in range(40):
            self.write(f"tree/d{i % 7}/f{i}.cu",
                       f"void f{i}() {{ nvshmem_int_p(a, {i}, 1); }}\n" * 50)
        tables = [self.table(self.dir / "tree", "--threads", n)
                  for n in (1, 2, 5, 16)]
        self.assertEqual(tables[1:], tables[:1] * 3)
        self.assertEqual(len(tables[0]), 2)
        self.assertIn("\t2000\td0/f0.cu:1@f0 d0/f0.cu:2@f0 ", tables[0][1])

    def test_all_keeps_comments_of_used_names(self):
        self.write("tree/a.cu", "// nvshmem_init\nvoid f() { nvshmem_init(); }\n")
        self.assertEqual(len(self.table(self.dir / "tree")), 2)
        rows = self.table(self.dir / "tree", "--all")
        self.assertEqual([r.split("\t")[1] for r in rows[1:]],
                         ["call", "comment-only"])

    def test_coverage_tells_unparsed_bytes(self):
        self.write("tree/a.cu", "void f() { nvshmem_init(); }\n@@@ $$$ %%%\n")
        self.write("tree/b.py", "nvshmem = 1\n")
        self.write("tree/c.cu", "int without;\n")
        coverage = self.dir / "coverage"
        self.table(self.dir / "tree", "--coverage", coverage)
        rows = [r.split("\t") for r in coverage.read_text().splitlines()[1:]]
        self.assertEqual([r[1] for r in rows], ["a.cu", "b.py"])
        self.assertGreater(int(rows[0][3]), 0)
        self.assertLess(int(rows[0][3]), int(rows[0][2]))
        self.assertEqual(rows[1][3:6], ["0", "0", "0"])

    def test_project_variables_of_the_case_studies(self):
        self.write("tree/a.py", "import os\nx = os.getenv('EP_X', '1')\n"
                                "y = read_env('EP_Y')\nz = f('EP_Z')\n")
        self.assertEqual(len(self.table(self.dir / "tree")), 1)
        done = self.run_it("--source", "deepep-x", "--tree",
                           f"deepep-x={self.dir}/tree", "--output", "-")
        names = [r.split("\t")[1] for r in done.stdout.splitlines()[1:]]
        self.assertEqual(names, ["EP_X", "EP_Y"])

    def test_deep_nesting_ends(self):
        depth = 100000
        self.write("tree/a.cu", "int a = " + "(" * depth + "nvshmem_n_pes()"
                   + ")" * depth + ";\nvoid f() { nvshmem_init(); }\n")
        self.write("tree/b.py", "x = " + "[" * depth + "nvshmem" + "]" * depth)
        names = [r.split("\t")[0] for r in self.table(self.dir / "tree")[1:]]
        self.assertIn("nvshmem_n_pes", names)
        self.assertIn("nvshmem_init", names)

    def test_odd_bytes(self):
        (self.dir / "tree").mkdir()
        (self.dir / "tree/a.cu").write_bytes(
            b"\xff\xfe nvshmem_a \0 nvshmem_b \x80\n\"nvshmem_c\n'nvshmem_d")
        (self.dir / "tree/b.sh").write_bytes(b"\0\0nvshmem_e")
        (self.dir / "tree/c d.cu").write_text("int x = nvshmem_f();")
        rows = self.table(self.dir / "tree")
        self.assertTrue(any("c?d.cu:1" in r for r in rows), rows)
        self.assertFalse(any("nvshmem_e" in r for r in rows), rows)


def trap_test(folder):
    def test(self):
        expected = (folder / "expected.tsv").read_text().splitlines()
        self.assertEqual(self.table(folder / "tree"), expected)
    return test


for trap in sorted((HERE / "traps").iterdir()):
    setattr(Usage, "test_trap_" + trap.name.replace("-", "_"), trap_test(trap))

if __name__ == "__main__":
    main_tap(sys.modules[__name__], Usage)
