#!/usr/bin/env python3
"""`shmemlore verify` as a user runs it: exit status, text, JSON, --update, --accept, hostile files.

usage: test_verify.py PROGRAM [TEST...]
"""

import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import gitfixture  # noqa: E402  pylint: disable=wrong-import-position

COMMIT = "0123456789abcdef0123456789abcdef01234567"
NEW_COMMIT = "f" * 40
FRONT = "---\ntitle: T\nsummary: S\napplies: A\nasks:\n  - q\n---\n# A\n\n"
PAGE = "skills/nvshmem/references/nvshmem/a.md"
SOURCES = f"""sources:
  fake:
    title: Fake
    repository: https://example.org/fake
    tag: v1
    commit: {COMMIT}
    licence: MIT
    paths: [src/]
"""
CODE = "int one;\nint two;\nint three;\nint four;\nint five;\nint six;\n"


class Verify(unittest.TestCase):
    helper = None  # the program; set by main_tap

    def setUp(self):
        # pylint: disable=consider-using-with
        self.temporary = tempfile.TemporaryDirectory(prefix="test-verify-")
        self.addCleanup(self.temporary.cleanup)
        self.root = pathlib.Path(self.temporary.name)
        self.write("skills/nvshmem/SKILL.md", "---\nname: nvshmem\ndescription: D\n---\n# S\n\nWords.\n")
        self.write(PAGE, FRONT + "Here `two` is `fake:src/a.c:2-3`.\n")
        self.write("evidence/sources.yaml", SOURCES)
        self.write(f"cache/sources/fake-{COMMIT}/src/a.c", CODE)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def tree(self, text):
        self.write(f"cache/sources/fake-{COMMIT}/src/a.c", text)

    def upgrade(self, text):
        """sources.yaml pins another commit, whose tree is in the cache."""
        self.write("evidence/sources.yaml", SOURCES.replace(COMMIT, NEW_COMMIT))
        self.write(f"cache/sources/fake-{NEW_COMMIT}/src/a.c", text)

    def run_it(self, *options, cache="cache", cwd=None):
        environment = {**os.environ, "SHMEMLORE_CACHE": str(self.root / cache)}
        return subprocess.run([self.helper, "verify", *options], cwd=cwd or self.root, env=environment, timeout=60,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)

    def report(self, *options, status, cache="cache"):
        done = self.run_it("--json", *options, cache=cache)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return json.loads(done.stdout)

    def rules(self, *options, status, cache="cache"):
        return [fault["rule"] for fault in self.report(*options, status=status, cache=cache)["faults"]]

    def test_clean(self):
        done = self.run_it("--update")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("1 added", done.stdout)
        report = self.report(status=0)
        self.assertTrue(report["ok"])
        self.assertEqual(report["schema"], "shmemlore.verify/1")
        self.assertEqual(report["citations"]["ok"], 1)
        self.assertGreaterEqual(report["seconds"]["total"], report["seconds"]["citations"])

    def test_same_without_the_tree(self):
        self.write(PAGE, FRONT + "So `fake:src/a.c:2-3`, `fake:src/a.c:4`, `fake:src/x.c:1`, `fake:src/a.c:99`, `no:a:1`.\n")
        self.run_it("--update")
        reports = []
        for cache in ("cache", "none"):
            report = self.report(status=1, cache=cache)
            del report["seconds"], report["counts"]["trees"]
            reports.append(report)
        self.assertEqual(reports[0], reports[1])
        self.assertEqual(reports[0]["citations"]["ok"], 2)

    def test_faults_and_places(self):
        self.run_it("--update")
        self.write(PAGE, FRONT + "Here `two` is.\n")
        done = self.run_it()
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        self.assertIn(f"\n{PAGE}:10: error: this block names `two`", "\n" + done.stdout)
        self.assertIn("evidence/citations.lock:2: error: nothing cites", done.stdout)
        self.assertIn("\n2 faults, 1 note\n", done.stdout)
        done = self.run_it("--root", str(self.root), cwd="/")
        self.assertIn(f"\n{self.root}/{PAGE}:10: error:", "\n" + done.stdout)

    def test_usage(self):
        for options in (["--accept", "x"], ["file"], ["--nonsense"], ["--root"]):
            done = self.run_it(*options)
            self.assertEqual((done.returncode, done.stdout), (2, ""), options)
            self.assertTrue(done.stderr, options)
        done = self.run_it("--root", str(self.root / "cache"))
        self.assertEqual((done.returncode, done.stdout), (2, ""))

    def test_update_needs_trees(self):
        done = self.run_it("--update", cache="none")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("shmemlore sources sync fake", done.stderr)
        self.assertFalse((self.root / "evidence/citations.lock").exists())
        self.assertFalse((self.root / "evidence/lines").exists())

    def test_refuse_and_accept(self):
        self.run_it("--update")
        self.upgrade(CODE.replace("two", "2"))
        lock = (self.root / "evidence/citations.lock").read_text(encoding="utf-8")
        report = self.report("--update", status=1)
        self.assertEqual(report["update"]["refused"], 1)
        self.assertEqual([fault["rule"] for fault in report["faults"]], ["citation-changed"])
        self.assertEqual((self.root / "evidence/citations.lock").read_text(encoding="utf-8"), lock)
        done = self.run_it("--update", "--accept", "fake:src/a.c:1")
        self.assertEqual(done.returncode, 2)
        report = self.report("--update", "--accept", "fake:src/a.c:2-3", status=0)
        self.assertEqual(report["update"]["accepted"], 1)
        self.assertEqual(self.rules(status=0, cache="none"), [])

    def test_moved(self):
        self.run_it("--update")
        self.upgrade("// new\n" + CODE)
        self.run_it("--update")
        for cache in ("cache", "none"):
            report = self.report(status=1, cache=cache)
            self.assertIn("moved to `fake:src/a.c:3-4`", report["faults"][0]["message"])

    def test_another_tree_of_the_same_commit(self):
        self.write(f"cache/sources/fake-{COMMIT}/src/b.c", "char b;\n")
        self.run_it("--update")
        files = [self.root / name for name in ("evidence/lines/fake.lines", "evidence/citations.lock")]
        before = [path.read_bytes() for path in files]
        self.write(PAGE, FRONT + "Here `two` is `fake:src/a.c:2-3`, and `six` `fake:src/a.c:6`.\n")
        b_file = self.root / f"cache/sources/fake-{COMMIT}/src/b.c"
        for change in (lambda: self.tree(CODE.replace("six", "6")), b_file.unlink, lambda: b_file.write_text("char c;\n"),
                       lambda: shutil.rmtree(self.root / f"cache/sources/fake-{COMMIT}/src")):
            self.tree(CODE)
            b_file.write_text("char b;\n")
            change()
            done = self.run_it("--update")
            self.assertEqual((done.returncode, done.stderr), (1, ""))
            self.assertIn("differs from the committed manifest at src/", done.stdout)
            self.assertIn("run shmemlore sources sync --force fake", done.stdout)
            self.assertIn("refused: 1 source whose tree is not what was fetched", done.stdout)
            self.assertEqual([path.read_bytes() for path in files], before)

    def test_updates_at_once(self):
        text = [f"line {i} x\n" for i in range(1, 3001)]
        self.tree("".join(text))
        self.write(PAGE, FRONT + "- " + "\n- ".join(f"`fake:src/a.c:{i}`" for i in range(1, 100)) + "\n")
        self.run_it("--update")
        cited = (5, 50, 90)
        for i in cited:
            text[i - 1] = f"other {i}\n"
        self.upgrade("".join(text))
        self.run_it("--update")
        with concurrent.futures.ThreadPoolExecutor() as pool:
            done = list(pool.map(lambda i: self.run_it("--update", "--accept", f"fake:src/a.c:{i}"), cited))
        for each in done:
            self.assertIn("1 accepted", each.stdout)
        self.assertEqual(self.rules(status=0), [])

    def test_update_waits_for_another(self):
        self.run_it("--update")
        with subprocess.Popen(
                [sys.executable, "-c", "import fcntl, os, sys, time; f = os.open(sys.argv[1], os.O_RDONLY); "
                 "fcntl.flock(f, fcntl.LOCK_EX); print(flush=True); time.sleep(0.5)", str(self.root / "evidence")],
                stdout=subprocess.PIPE) as holder:
            holder.stdout.readline()
            begin = time.monotonic()
            self.assertEqual(self.run_it("--update").returncode, 0)
            self.assertGreater(time.monotonic() - begin, 0.2)
        self.assertEqual(sorted(os.listdir(self.root / "evidence")), ["citations.lock", "lines", "sources.yaml"])

    def test_names_and_citations_by_the_thousand(self):
        def seconds(count):
            self.tree("".join(f"line {i} some words here and there\n" for i in range(1, count + 1)))
            self.write(PAGE, FRONT + "`x` " + " ".join(f"`fake:src/a.c:{i}`" for i in range(1, count + 1)) + " " +
                       " ".join(f"`na_me_{i}`" for i in range(count)) + ".\n")
            shutil.rmtree(self.root / "evidence/lines", ignore_errors=True)
            begin = time.monotonic()
            self.run_it("--update")
            return time.monotonic() - begin
        self.assertLess(seconds(8000), 8 * max(seconds(2000), 0.1))

    def test_evidence_is_what_verify_reads(self):
        places = {"heading": "## Zebra `fake:src/none.c:4`\n\nText.\n",
                  "html": "## Zebra\n\n<div>\n`nvshmem_x` has 4 bytes `fake:src/none.c:9`\n</div>\n",
                  "comment": "## Zebra\n\n<!-- `fake:src/none.c:9` -->\n\nText.\n",
                  "quoted heading": "## Zebra\n\n> # `nvshmem_y` has 5 bytes `fake:src/none.c:9`\n",
                  "run in a heading": "## Zebra `run:none`\n\nText.\n",
                  "tilde fence": "## Zebra\n\n~~~\n`fake:src/none.c:7`\n~~~\n"}
        for name, body in places.items():
            self.write(PAGE, FRONT + "Here `two` is `fake:src/a.c:2-3`.\n\n" + body)
            self.run_it("--update")
            done = subprocess.run([self.helper, "ask", "--json", "--kb", str(self.root), "-n", "1", "nvshmem zebra"],
                                  capture_output=True, check=True, timeout=60)
            shown = [e["ref"] for s in json.loads(done.stdout)["sections"] for e in s["evidence"]]
            self.assertFalse([ref for ref in shown if "none" in ref], name)
            self.rules(status=0 if name == "tilde fence" else 1)

    def test_a_cap_is_told_as_a_cap(self):
        page = "a `b` `c` 1 2 3 4 5 6 7 8 9 1 2 3 4\n\n" * 26000
        for i in range(40):
            self.write(f"skills/nvshmem/references/f{i}.md", f"{FRONT}## s{i}\n\n{page}")
        done = self.run_it()
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("more than 536870912 bytes of memory", done.stderr)
        self.assertRegex(done.stderr, r"f\d+\.md")

    def test_which_file_is_too_large(self):
        self.write("skills/nvshmem/huge.md", "x" * (2 << 20))
        self.assertIn("skills/nvshmem/huge.md has 2097152 bytes", self.run_it().stderr)
        (self.root / "skills/nvshmem/huge.md").unlink()
        self.write(f"cache/sources/fake-{COMMIT}/src/big.c", "x\n" * (9 << 20))
        self.assertIn("src/big.c: a line manifest of more than", self.run_it().stderr)

    def test_hostile_files(self):
        self.run_it("--update")
        lock = self.root / "evidence/citations.lock"
        lines = self.root / "evidence/lines/fake.lines"
        good = lock.read_bytes(), lines.read_bytes()
        for path in (lock, lines):
            for text in (b"", b"\0" * 1000, b"\n" * 100000, b"\xff\xfe", b"x" * 1000000, good[0] * 2, good[1] * 2,
                         good[0].replace(b"\t", b"\t" * 1000), good[1].replace(b"file", b"file" * 100)):
                path.write_bytes(text)
                self.assertIn(self.run_it().returncode, (0, 1), text[:20])
            path.unlink()
            os.mkfifo(path)
            self.assertEqual(self.run_it().returncode, 2)
            path.unlink()
            with open(path, "wb") as file:
                file.truncate(1 << 40)
            self.assertEqual(self.run_it().returncode, 2)
            lock.write_bytes(good[0])
            lines.write_bytes(good[1])
        self.assertEqual(self.rules(status=0), [])

    def test_a_page_of_citations(self):
        self.tree("".join(f"int x{i};\n" for i in range(20000)))
        items = "".join(f"- `fake:src/a.c:{i}-{i + 2}`\n" for i in range(1, 18000))
        self.write(PAGE, FRONT + items)
        begin = time.monotonic()
        self.run_it("--update")
        report = self.report(status=1)
        self.assertLess(time.monotonic() - begin, 20)
        self.assertEqual(report["citations"]["ok"], 17999)
        self.assertEqual([fault["rule"] for fault in report["faults"]], ["section-size"])

    def test_one_common_line(self):
        # the worst search: every line equal, every citation without its neighbours
        self.tree("int x;\n" * 20000 + "int y;\nint z;\n")
        self.write(PAGE, FRONT + "".join(f"- `fake:src/a.c:{i}`\n" for i in range(3, 20000, 3)))
        self.run_it("--update")
        self.upgrade("int y;\nint x;\nint z;\n" * 9000)
        begin = time.monotonic()
        self.run_it("--update")
        self.assertLess(time.monotonic() - begin, 20)


if __name__ == "__main__":
    gitfixture.main_tap(sys.modules[__name__], Verify)
