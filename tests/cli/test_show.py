#!/usr/bin/env python3
"""`shmemlore show` as a user runs it: sections, citations with and without the tree, runs.

usage: test_show.py PROGRAM [TEST...]
"""

import json
import os
import pathlib
import sys

from clicase import COMMIT, ROOT, Case, run_tests

SECTION = "04-ordering-and-synchronisation#why-does-my-program-hang-in-nvshmem_barrier_all"
LINK = f"https://example.org/o/r/blob/{COMMIT}/a/b.c#L2-L3"
LOCK = f"shmemlore-lock 1\nsrc:a/b.c:2-3\t{COMMIT}\tAAAAAAAAAABAAAAAAAAAAC\tAAAAAAAAAAD\t-\t-\t-\n"


class Show(Case):

    def show(self, *arguments):
        return self.found("show", "--kb", self.kb, *arguments)

    def setUp(self):
        super().setUp()
        self.kb = self.make_project()
        self.tree = self.dir / f"cache/sources/src-{COMMIT}"

    def test_section(self):
        text = self.found("show", SECTION)
        self.assertTrue(text.startswith("## Why does my program hang in `nvshmem_barrier_all`?\n"))
        self.assertIn(f"\n[{SECTION}]\n", text)
        self.assertIn("https://github.com/NVIDIA/nvshmem/blob/", text)
        self.assertEqual(text, self.found("show", f"`{SECTION}`"))
        value = self.found_json("shmemlore.show/1", "show", "--json", SECTION)
        self.assertEqual((value["kind"], value["section"]["id"]), ("section", SECTION))

    def test_section_with_what_is_below_it(self):
        text = self.show("n#notes-on-nvshmem")
        self.assertIn("## Fences", text)
        self.assertIn("## Quiet", text)
        self.assertNotIn("## Quiet", self.show("n#fences"))

    def test_citation_without_its_tree(self):
        (self.tree / "a/b.c").unlink()
        (self.tree / "a").rmdir()
        self.tree.rmdir()
        self.write("kb/evidence/citations.lock", LOCK)
        text = self.show("src:a/b.c:2-3")
        self.assertTrue(text.startswith("src:a/b.c:2-3\n"))
        self.assertIn(LINK, text)
        self.assertIn("licence of the file: MIT", text)
        self.assertIn("shmemlore sources sync src", text)

    def test_the_same_with_and_without_the_tree(self):
        self.write("kb/evidence/citations.lock", LOCK)
        for ref in ("src:a/none.c:3", "src:a/b.c:31", "src:a:3"):
            for cache in ("cache", "none"):
                self.fails(1, f"nothing is known of the lines '{ref}'", "show", "--kb", self.kb, ref,
                           environment={"SHMEMLORE_CACHE": str(self.dir / cache)})

    def test_a_linked_tree_is_not_read(self):
        self.write("kb/evidence/citations.lock", LOCK)
        os.rename(self.tree, self.dir / "else")
        os.symlink(self.dir / "else", self.tree)
        text = self.show("src:a/b.c:2-3")
        self.assertIn("it is a symbolic link", text)
        self.assertNotIn("three", text)
        self.assertIsNone(json.loads(self.show("--json", "src:a/b.c:2-3"))["lines"])
        self.fails(1, "it is a symbolic link", "show", "--kb", self.kb, "src:a/b.c:1")

    def test_citation_of_the_real_lock_without_its_tree(self):
        text = self.found("show", "nvshmem:src/include/device/nvshmem_defines.h:586-590")
        self.assertIn("https://github.com/NVIDIA/nvshmem/blob/", text)
        self.assertIn("shmemlore sources sync nvshmem", text)

    def test_citation_with_its_tree(self):
        text = self.show("src:a/b.c:2-3")
        self.assertIn(LINK, text)
        self.assertIn("      2  two\n      3  \tthree\n", text)
        self.assertNotIn("four", text)
        value = json.loads(self.show("--json", "src:a/b.c:2-3"))
        self.assertEqual((value["schema"], value["kind"]), ("shmemlore.show/1", "citation"))
        self.assertEqual((value["first"], value["last"], value["permalink"]), (2, 3, LINK))

    def test_source_text_does_not_steer_the_terminal(self):
        text = self.show("src:a/b.c:4")
        self.assertIn("four", text)
        self.assertNotIn("\x1b", text)

    def test_lines_that_are_not_there(self):
        self.fails(1, "has 4 lines", "show", "--kb", self.kb, "src:a/b.c:5")
        self.fails(1, "has 4 lines", "show", "--kb", self.kb, "src:a/b.c:4-9")
        self.fails(1, "a/none.c", "show", "--kb", self.kb, "src:a/none.c:1")
        self.fails(1, "no source 'other'", "show", "--kb", self.kb, "other:a/b.c:1")

    def test_paths_that_leave_the_tree(self):
        self.write("cache/sources/secret", "secret\n")
        for path in ["../secret", "a/../../secret", "/etc/passwd", "a/./b.c", "a//b.c", "..", "a\\b.c"]:
            done = self.run_it("show", "--kb", self.kb, f"src:{path}:1")
            self.assertEqual((done.returncode, done.stdout), (2, ""), path)
            self.assertNotIn("root:", done.stderr)

    def test_links_in_the_tree(self):
        os.symlink("/etc/passwd", self.tree / "a/passwd")
        os.symlink("/etc", self.tree / "etc")
        os.symlink("a", self.tree / "b")
        for path in ["a/passwd", "etc/passwd", "b/b.c"]:
            self.fails(2, "symbolic link", "show", "--kb", self.kb, f"src:{path}:1")

    def test_odd_files_in_the_tree(self):
        os.mkfifo(self.tree / "a/fifo")
        self.fails(1, "that is no file", "show", "--kb", self.kb, "src:a/fifo:1")
        self.fails(1, "that is no file", "show", "--kb", self.kb, "src:a:1")
        with open(self.tree / "a/huge", "wb") as file:
            file.truncate(1 << 30)
        self.fails(2, "a/huge has 1073741824 bytes; the limit is", "show", "--kb", self.kb, "src:a/huge:1")

    def test_run(self):
        self.assertIn("run:one\noutcome", self.show("run:one"))
        value = json.loads(self.show("--json", "run:one"))
        self.assertEqual((value["schema"], value["kind"], value["record"]["name"]), ("shmemlore.show/1", "run", "one"))
        text = self.found("show", "run:stale-after-signal-wait")
        self.assertIn("cases (40)\n  signal_wait_until-alone  kind observed  rounds 5000  stale 4999", text)
        self.assertIn("  NVSHMEM_DISABLE_NVLS=1\n", text)

    def test_broken_records(self):
        for number, record in enumerate([b"", b'{"a":1', b"[]", b'{"a":"\x1b"}', b'{"a":"\xff"}', b'{"a":1} x']):
            name = f"broken-{number}"
            (pathlib.Path(self.kb) / "evidence/runs" / (name + ".json")).write_bytes(record)
            for extra in [], ["--json"]:
                self.fails(2, "run record is broken", "show", "--kb", self.kb, *extra, "run:" + name)

    def test_runs_that_are_not_there(self):
        self.fails(1, "no run named 'run:none'", "show", "--kb", self.kb, "run:none")
        for name in ["run:../../../etc/passwd", "run:/etc/passwd", "run:.."]:
            done = self.run_it("show", "--kb", self.kb, name)
            self.assertIn(done.returncode, (1, 2), name)
            self.assertEqual(done.stdout, "")

    def test_what_was_copied_from_an_answer(self):
        text = self.show("n#fences")
        for ref in ["[n#fences]", "`n#fences`", "n#fen"]:
            self.assertEqual(self.show(ref), text, ref)
        self.assertIn("n#fences\n    ", self.show("n"))
        self.assertEqual(self.show(LINK), self.show("src:a/b.c:2-3"))
        thread = self.found("show", "NVIDIA/nvshmem#75")
        self.assertTrue(thread.startswith("https://github.com/NVIDIA/nvshmem/issues/75\n04-"), thread)
        value = self.found_json("shmemlore.show/1", "show", "--json", "cuMemMap")
        self.assertEqual(value["kind"], "sections")
        self.assertIn("cuMemMap", self.found("show", value["sections"][0]))

    def test_json_of_what_is_not_there(self):
        for name in ("nope#x", "run:nope", "src:a/none.c:3"):
            done = self.run_it("show", "--json", "--kb", self.kb, name)
            self.assertEqual((done.returncode, done.stderr), (1, ""), name)
            value = json.loads(done.stdout)
            self.assertEqual((value["schema"], value["ref"], value["found"]), ("shmemlore.show/1", name, False))
            self.assertTrue(value["message"])
        for name in ("n#fences", "n", "run:one", "src:a/b.c:2-3"):
            value = json.loads(self.found("show", "--json", "--kb", self.kb, name))
            self.assertIs(value["found"], True, name)

    def test_names_that_are_not_there(self):
        self.assertIn("n#fences", self.fails(1, "nothing is named 'n#fencse'", "show", "--kb", self.kb, "n#fencse"))
        for name in ["", "x", "#", "`", "``", "n#fences\nx", "%s%n", "é" * 3000]:
            done = self.run_it("show", "--kb", self.kb, name)
            self.assertEqual((done.returncode, done.stdout), (1, ""), name)

    def test_every_run_and_many_sections_of_the_real_base(self):
        for record in sorted((ROOT / "evidence/runs").glob("*.json")):
            value = self.found_json("shmemlore.show/1", "show", "--json", "run:" + record.stem)
            self.assertEqual(value["record"]["name"], record.stem)


if __name__ == "__main__":
    run_tests(sys.modules[__name__], Show)
