#!/usr/bin/env python3
"""`shmemlore sources drift` on small histories that the tests make: every verdict, what --write changes, and what it refuses.

usage: SHMEMLORE=PROGRAM test_drift.py HELPER [TEST...]
"""

import hashlib
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import gitfixture  # noqa: E402  pylint: disable=wrong-import-position

FRONT = "---\ntitle: T\nsummary: S\napplies: A\nasks:\n  - q\n---\n# A\n\n"
PAGE = "skills/nvshmem/references/nvshmem/a.md"
LOCK = "evidence/citations.lock"


def function(name, *body):
    """Six lines and a blank one: no two functions have a line of their bodies in common."""
    lines = [f"int {name}(int a)", "{"]
    lines += body or (f"    int {name}_x = a + {len(name)};", f"    {name}_call({name}_x);")
    return "\n".join([*lines, "    return 0;", "}", "", ""])


BASE = "/* head of the file */\n\n" + "".join(function(n) for n in ("alpha", "beta", "gamma", "delta"))


class Repo(gitfixture.Repo):
    def state(self, files, branch="main"):
        """A commit with just these files: path -> text or bytes."""
        marks = [b"commit refs/heads/%s\ncommitter A <a@x> %d +0000\ndata 1\nx\n" % (branch.encode(), 1700000000)]
        if branch in self.git("branch", "--list", branch, "--format", "%(refname:short)").split():
            marks.append(b"from refs/heads/%s^0\n" % branch.encode())
        marks.append(b"deleteall\n")
        for path, text in files.items():
            data = text.encode() if isinstance(text, str) else text
            marks.append(b"M 100644 inline %s\ndata %d\n%s\n" % (path.encode(), len(data), data))
        self.git("fast-import", "--quiet", "--force", data=b"".join(marks))
        return self.git("rev-parse", "refs/heads/" + branch)


class Drift(unittest.TestCase):
    helper = ""  # set by main_tap

    def setUp(self):
        self.dir = Path(tempfile.mkdtemp(prefix="sl-drift-"))
        self.addCleanup(shutil.rmtree, self.dir, ignore_errors=True)
        self.root = self.dir / "project"
        self.repo = Repo(self.dir / "mirror")
        self.env = {**os.environ, "SHMEMLORE_CACHE": str(self.dir / "cache"), "HOME": str(self.dir / "home")}

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def read(self, name):
        return (self.root / name).read_text(encoding="utf-8")

    def main(self, *args):
        return subprocess.run([os.environ["SHMEMLORE"], *args, "--root", str(self.root)], env=self.env, text=True,
                              capture_output=True, timeout=120, check=False)

    def pin(self, files, *cited, paths="[src/]"):
        """A project that cites these places of the files' first commit, anchored."""
        commit = self.repo.state(files)
        self.repo.git("tag", "v1", commit)
        self.write("skills/nvshmem/SKILL.md", "---\nname: nvshmem\ndescription: D\n---\n# S\n\nWords.\n")
        self.write(PAGE, FRONT + "".join(f"One `thing:{c}` two.\n\n" for c in cited))
        self.write("evidence/sources.yaml",
                   "# pins\nsources:\n  thing:\n    title: A thing\n    repository: https://example.invalid/own/thing\n"
                   f"    tag: v1\n    commit: {commit}\n    licence: MIT\n    paths: {paths}\n")
        done = subprocess.run([self.helper, "sync", "--quiet", "--root", str(self.root), "--from", self.repo.path],
                              env=self.env, capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        done = self.main("verify", "--update")
        self.assertNotIn("citation-", done.stdout.replace("citation-trivial", ""))
        shutil.rmtree(self.dir / "cache")
        return commit

    def drift(self, *args, mirror=None, **options):
        return subprocess.run([self.helper, "drift", "--root", str(self.root), "--from", str(mirror or self.repo.path), *args],
                              env=self.env, capture_output=True, text=True, timeout=120, check=False, **options)

    def ask(self, *args, status=None, **options):
        """citation -> (verdict, path, first, last), without the source's name."""
        done = self.drift("--json", *args, "thing", **options)
        if status is None:
            self.assertIn(done.returncode, (0, 1), done.stderr)
        else:
            self.assertEqual(done.returncode, status, done.stderr)
        self.assertEqual(done.stderr, "")
        report = json.loads(done.stdout)
        self.assertEqual(report["schema"], "shmemlore-sources-drift/1")
        return {c["citation"][6:]: (c["verdict"], c["path"], c["first"], c["last"]) for c in report["citations"]}

    def fails(self, *args, says, **options):
        done = self.drift(*args, **options)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertIn(says, done.stderr)

    def snapshot(self):
        return {str(p.relative_to(self.root)): p.read_bytes() for p in self.root.rglob("*") if p.is_file()}


class Verdicts(Drift):
    def test_same_moved_changed_gone(self):
        other = "".join(function(n) for n in ("one", "two"))
        self.pin({"src/a.c": BASE, "src/gone.c": other}, "src/a.c:1", "src/a.c:10-15", "src/a.c:12", "src/a.c:24-27",
                 "src/a.c:26", "src/gone.c:1-3")
        new = BASE.replace("beta_call(", "int first;\n    beta_call(").replace("delta_x = a + 5", "delta_x = a + 6")
        self.repo.state({"src/a.c": new})
        answers = self.ask(status=1)
        self.assertEqual(answers["src/a.c:1"], ("same", "src/a.c", 1, 1))
        self.assertEqual(answers["src/a.c:12"], ("same", "src/a.c", 12, 12))
        self.assertEqual(answers["src/a.c:10-15"][0], "changed")
        self.assertEqual(answers["src/a.c:26"], ("changed", "src/a.c", None, None))
        self.assertEqual(answers["src/a.c:24-27"][0], "changed")
        self.assertEqual(answers["src/gone.c:1-3"], ("gone", None, None, None))

    def test_moved_down_and_re_indented(self):
        self.pin({"src/a.c": BASE}, "src/a.c:17-22", "src/a.c:21", "src/a.c:22")
        self.repo.state({"src/a.c": "/* news */\n" * 7 + BASE.replace("    return", "\treturn")})
        self.assertEqual(self.ask(status=0), {"src/a.c:17-22": ("moved", "src/a.c", 24, 29), "src/a.c:21": ("moved", "src/a.c", 28, 28),
                                              "src/a.c:22": ("moved", "src/a.c", 29, 29)})

    def test_carriage_returns(self):
        self.pin({"src/a.c": BASE}, "src/a.c:3-8", "src/a.c:7")
        self.repo.state({"src/a.c": BASE.replace("\n", "\r\n")})
        self.assertEqual({v[0] for v in self.ask(status=0).values()}, {"same"})

    def test_one_line_by_its_context(self):
        """`}` and `return 0;` stand with the function that they end; that of a removed one is not given to another."""
        self.pin({"src/a.c": BASE}, "src/a.c:14", "src/a.c:15", "src/a.c:21", "src/a.c:22")
        self.repo.state({"src/a.c": BASE.replace(function("beta"), "")})
        answers = self.ask(status=1)
        self.assertEqual(answers["src/a.c:21"], ("moved", "src/a.c", 14, 14))
        self.assertEqual(answers["src/a.c:22"], ("moved", "src/a.c", 15, 15))
        for line in ("14", "15"):
            self.assertIn(answers["src/a.c:" + line][0], ("changed", "ambiguous"))

    def test_twins_are_ambiguous(self):
        """The function goes, and two copies of it come elsewhere: which is it?"""
        self.pin({"src/a.c": BASE, "src/b.c": function("one")}, "src/a.c:10-15", "src/a.c:12")
        self.repo.state({"src/a.c": BASE.replace(function("beta"), ""), "src/b.c": function("one") + function("beta"),
                         "src/c.c": function("beta")})
        done = json.loads(self.drift("--json", "thing").stdout)["citations"]
        self.assertEqual([c["verdict"] for c in done], ["ambiguous"] * 2)
        self.assertEqual([c["places"] for c in done], [2, 2])

    def test_duplicated_function_stays_at_home(self):
        self.pin({"src/a.c": BASE}, "src/a.c:10-15", "src/a.c:12")
        self.repo.state({"src/a.c": BASE, "src/copy.c": function("beta")})
        self.assertEqual({v[:2] for v in self.ask(status=0).values()}, {("same", "src/a.c")})

    def test_a_copy_that_was_always_there_is_not_the_place(self):
        """A part of a.c also stands in b.c; it leaves a.c, and b.c is as it was."""
        files = {"src/a.c": BASE, "src/b.c": function("beta")}
        self.pin(files, "src/a.c:10-15", "src/a.c:12")
        self.repo.state({**files, "src/a.c": BASE.replace(function("beta"), "")})
        self.assertEqual({v[0] for v in self.ask(status=1).values()}, {"changed"})

    def test_a_copy_outside_of_the_paths_is_not_the_place(self):
        files = {"src/a.c": BASE, "old/b.c": function("beta")}
        self.pin(files, "src/a.c:10-15")
        self.repo.state({**files, "src/a.c": BASE.replace(function("beta"), "")})
        self.assertEqual(self.ask()["src/a.c:10-15"][0], "changed")

    def test_rename(self):
        self.pin({"src/a.c": BASE}, "src/a.c:10-15", "src/a.c:15")
        self.repo.state({"src/deep/b.c": BASE})
        self.assertEqual(self.ask(status=0)["src/a.c:15"], ("moved", "src/deep/b.c", 15, 15))

    def test_rename_and_edit(self):
        self.pin({"src/a.c": BASE}, "src/a.c:10-15", "src/a.c:24-29", "src/a.c:19")
        self.repo.state({"src/b.c": "/* new */\n" + BASE.replace("gamma_x = a", "gamma_x = b")})
        answers = self.ask(status=1)
        self.assertEqual(answers["src/a.c:10-15"], ("moved", "src/b.c", 11, 16))
        self.assertEqual(answers["src/a.c:24-29"], ("moved", "src/b.c", 25, 30))
        self.assertEqual(answers["src/a.c:19"], ("changed", "src/b.c", None, None))

    def test_split_file(self):
        more = "".join(function(n) for n in ("epsilon", "zeta", "eta", "theta"))
        self.pin({"src/a.c": BASE + more}, "src/a.c:10-15", "src/a.c:38-43", "src/a.c:52-57")
        self.repo.state({"src/a.c": BASE, "src/b.c": "/* part two */\n" + more})
        answers = self.ask()
        self.assertEqual(answers["src/a.c:10-15"], ("same", "src/a.c", 10, 15))
        self.assertEqual(answers["src/a.c:38-43"], ("moved", "src/b.c", 9, 14))
        self.assertEqual(answers["src/a.c:52-57"], ("moved", "src/b.c", 23, 28))

    def test_swapped_files(self):
        one, two = BASE, "".join(function(n) for n in ("uno", "due", "tre", "quattro"))
        self.pin({"src/a.c": one, "src/b.c": two}, "src/a.c:10-15", "src/b.c:8-13")
        self.repo.state({"src/a.c": two, "src/b.c": one})
        answers = self.ask(status=0)
        self.assertEqual(answers["src/a.c:10-15"], ("moved", "src/b.c", 10, 15))
        self.assertEqual(answers["src/b.c:8-13"], ("moved", "src/a.c", 8, 13))

    def test_deletion_and_binary(self):
        other = "".join(function(n) for n in ("one", "two"))
        self.pin({"src/a.c": BASE, "src/b.c": other}, "src/a.c:10-15", "src/b.c:1-3")
        self.repo.state({"src/b.c": b"\0" + other.encode()})
        self.assertEqual(self.ask(status=1), {"src/a.c:10-15": ("gone", None, None, None), "src/b.c:1-3": ("gone", None, None, None)})

    def test_outside_of_the_paths(self):
        self.pin({"src/a.c": BASE}, "src/a.c:10-15")
        self.repo.state({"lib/a.c": BASE})
        done = self.drift("thing")
        self.assertEqual(done.returncode, 1)
        self.assertIn("lib/a.c:10-15; the source's paths do not cover it", done.stdout)

    def test_reordered_functions(self):
        self.pin({"src/a.c": BASE}, "src/a.c:3-8", "src/a.c:10-15", "src/a.c:24-29")
        order = "".join(function(n) for n in ("delta", "beta", "gamma", "alpha"))
        self.repo.state({"src/a.c": "/* head of the file */\n\n" + order})
        answers = self.ask()
        for cited, name in (("src/a.c:3-8", "alpha"), ("src/a.c:10-15", "beta"), ("src/a.c:24-29", "delta")):
            verdict, _, first, _ = answers[cited]
            if verdict in ("same", "moved"):
                at = ("/* head of the file */\n\n" + order).splitlines().index(f"int {name}(int a)") + 1
                self.assertEqual(first, at, cited)

    def test_without_the_pinned_commit(self):
        """Another repository, made from the new state only."""
        self.pin({"src/a.c": BASE}, "src/a.c:10-15")
        other = Repo(self.dir / "other")
        other.state({"src/b.c": "/* x */\n" + BASE, "lib/c.c": BASE})
        self.assertEqual(self.ask(mirror=other.path), {"src/a.c:10-15": ("moved", "src/b.c", 11, 16)})
        self.assertIn("does not have the pinned commit", self.drift("thing", mirror=other.path).stdout)

    def test_same_with_and_without_the_pin(self):
        files = {"src/a.c": BASE, "src/b.c": "".join(function(n) for n in ("one", "two"))}
        self.pin(files, "src/a.c:10-15", "src/a.c:15", "src/b.c:1-3", "src/b.c:9")
        new = {"src/b.c": BASE.replace(function("beta"), ""), "src/c.c": function("one")}
        self.repo.state(new)
        other = Repo(self.dir / "other")
        other.state(new)
        self.assertEqual(self.ask(), self.ask(mirror=other.path))

    def test_large_and_repeated(self):
        """30,000 lines of 40 kinds with a change in the middle: seconds, and nothing wrong."""
        lines = [f"value_{(i * i) % 40};" for i in range(30000)]
        self.pin({"src/a.c": "\n".join(lines) + "\n"}, "src/a.c:10", "src/a.c:14000-14005", "src/a.c:29000-29010")
        self.repo.state({"src/a.c": "\n".join(lines[:15000] + ["new;"] + lines[15000:]) + "\n"})
        start = time.monotonic()
        answers = self.ask()
        self.assertLess(time.monotonic() - start, 60)
        self.assertIn(answers["src/a.c:10"], [("same", "src/a.c", 10, 10)] + [("ambiguous",) + answers["src/a.c:10"][1:]])
        for cited, at in (("src/a.c:14000-14005", 14000), ("src/a.c:29000-29010", 29001)):
            self.assertTrue(answers[cited][0] == "ambiguous" or answers[cited][2] == at, answers[cited])

    def test_a_file_over_the_limit(self):
        self.pin({"src/a.c": BASE}, "src/a.c:10-15")
        self.repo.state({"src/a.c": BASE, "src/huge": b"x" * ((64 << 20) + 1)})
        self.fails("thing", says="limit for one file")

    def test_outside_of_a_checkout(self):
        empty = self.dir / "empty"
        empty.mkdir()
        done = subprocess.run([self.helper, "drift", "--from", self.repo.path, "thing"], cwd=empty, env=self.env,
                              capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("--root DIR", done.stderr)

    def test_lines_of_a_file(self):
        self.pin({"src/a.c": BASE}, "src/a.c:10-15")
        self.repo.state({"src/a.c": "\n" + BASE})
        lines = self.dir / "some.lines"
        lines.write_text("src/a.c:3\nsrc/a.c:3-8\n")
        self.assertEqual(self.ask("--lines", str(lines)), {"src/a.c:3": ("moved", "src/a.c", 4, 4), "src/a.c:3-8": ("moved", "src/a.c", 4, 9)})
        for text, says in (("src/a.c:0\n", "line number"), ("src/x.c:1\n", "no lines"), ("src/a.c:99\n", "no lines"), ("x\n", "some.lines:1")):
            lines.write_text(text)
            self.fails("--lines", str(lines), "thing", says=says)


class Revisions(Drift):
    def test_tag_branch_commit(self):
        first = self.pin({"src/a.c": BASE}, "src/a.c:10-15")
        second = self.repo.state({"src/a.c": "\n" + BASE})
        self.repo.git("tag", "-a", "-m", "x", "v2", second)
        self.repo.git("branch", "side", first)
        for rev, line in ((None, 11), ("v2", 11), ("main", 11), (second, 11), (second[:9], 11), ("refs/heads/main", 11), ("v1", 10),
                          ("side", 10)):
            done = self.drift("--json", "thing", *([rev] if rev else []))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(json.loads(done.stdout)["citations"][0]["first"], line, rev)

    def test_bad_revisions(self):
        self.pin({"src/a.c": BASE}, "src/a.c:10-15")
        blob = self.repo.blob(b"text\n")
        for rev in ("v9", "main~1", "HEAD^{/x}", "../x", "a b", "0" * 40, "x" * 300, ""):
            done = self.drift("thing", rev)
            self.assertEqual((done.returncode, done.stdout), (2, ""), rev)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.fails("thing", blob, says="is no commit")

    def test_mirrors(self):
        self.pin({"src/a.c": BASE}, "src/a.c:10-15")
        (self.dir / "empty").mkdir()
        self.fails("thing", mirror=self.dir / "none", says="no such folder")
        self.fails("thing", mirror=self.dir / "empty", says="is no git repository")
        self.fails("thing", mirror="https://example.invalid/x", says="not a URL")
        done = subprocess.run([self.helper, "drift", "--root", str(self.root), "thing"], env=self.env, capture_output=True, text=True,
                              check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("--from DIR", done.stderr)
        Repo(self.dir / "bare")
        self.fails("thing", mirror=self.dir / "bare", says="names no commit")
        self.repo.git("tag", "-f", "v1", self.repo.state({"src/a.c": "x\n"}))
        self.fails("thing", says="has moved")

    def test_usage(self):
        self.pin({"src/a.c": BASE}, "src/a.c:10-15")
        self.fails(says="drift is of one source")
        self.fails("thing", "a", "b", says="drift is of one source")
        self.fails("--force", "thing", says="belong to sync")
        self.fails("--write", "--lines", "x", "thing", says="--write moves")
        self.fails("nothing", says="no source is called")


class Evidence(Drift):
    def test_damaged_manifest(self):
        self.pin({"src/a.c": BASE}, "src/a.c:10-15")
        name = "evidence/lines/thing.lines"
        good = self.read(name)
        for bad, says in ((good[:-20], "line 7"), ("x\n", "line 1"), (good.replace("path src/", "path lib/"), "other paths"),
                          (good.replace(good.split()[3], "0" * 40), "another commit"),
                          (good[:-30] + ("A" if good[-30] != "A" else "B") + good[-29:], "differs from")):
            self.write(name, bad)
            self.fails("thing", says=says)
        os.unlink(self.root / name)
        self.fails("thing", says="is not there")

    def test_damaged_lock(self):
        self.pin({"src/a.c": BASE}, "src/a.c:10-15", "src/a.c:3")
        good = self.read(LOCK)
        self.write(LOCK, good.replace("shmemlore-lock 1", "x"))
        self.fails("thing", says="citations.lock: line 1")
        self.write(LOCK, good.replace("thing:src/a.c:3\t", "thing:src/a.c:4\t").replace("\n", "\n"))
        done = self.drift("thing")
        self.assertNotEqual(done.returncode, 0)

    def test_stale_anchor(self):
        self.pin({"src/a.c": BASE}, "src/a.c:11")
        self.write(LOCK, self.read(LOCK).replace("thing:src/a.c:11", "thing:src/a.c:12"))
        done = self.drift("thing")
        self.assertEqual(done.returncode, 1)
        self.assertIn("stale", done.stdout)
        self.fails("--write", "thing", says="is not what stands at the pin") if self.repo.state({"src/a.c": "\n" + BASE}) else None

    def test_uncited_source(self):
        self.pin({"src/a.c": BASE}, "src/a.c:11", paths="[src/]")
        self.write("evidence/sources.yaml", self.read("evidence/sources.yaml") + "    cited: no\n")
        self.assertEqual(self.drift("thing").returncode, 2)


class Write(Drift):
    def verdict(self):
        report = json.loads(self.main("verify", "--json").stdout)
        return report["citations"], {f["rule"] for f in report["faults"] if f["rule"].startswith(("citation", "lock", "manifest"))} - {"citation-trivial"}

    def test_moves_all(self):
        self.pin({"src/a.c": BASE}, "src/a.c:10-15", "src/a.c:12", "src/a.c:1")
        text = self.read(PAGE)
        new = self.repo.state({"src/a.c": BASE.replace(function("alpha"), function("alpha") + function("news"))})
        self.repo.git("tag", "v2", new)
        before = self.snapshot()
        done = self.drift("--write", "thing", "v2")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("written: 4 files; 2 citations moved", done.stdout)
        self.assertEqual(self.read(PAGE), text.replace(":10-15`", ":17-22`").replace(":12`", ":19`"))
        yaml = before["evidence/sources.yaml"].decode()
        pin = yaml.split("commit: ")[1][:40]
        self.assertEqual(self.read("evidence/sources.yaml"), yaml.replace(pin, new).replace("tag: v1", "tag: v2"))
        grades, rules = self.verdict()
        self.assertEqual((grades["ok"], rules), (3, set()))
        self.assertNotIn(pin, self.read(LOCK))
        # the same as a tree and an update would give
        after = self.snapshot()
        subprocess.run([self.helper, "sync", "--quiet", "--root", str(self.root), "--from", self.repo.path], env=self.env, check=True)
        self.main("verify", "--update")
        self.assertEqual(self.snapshot(), after)
        # and once more is nothing
        self.assertEqual(self.drift("--write", "thing", "v2").returncode, 0)
        self.assertEqual(self.snapshot(), after)

    def test_leaves_what_needs_a_review(self):
        self.pin({"src/a.c": BASE}, "src/a.c:10-15", "src/a.c:12", "src/a.c:20")
        self.repo.state({"src/a.c": "/* new */\n" + BASE.replace("beta_x = a", "beta_x = b")})
        done = self.drift("--write", "thing")
        self.assertEqual(done.returncode, 1)
        self.assertIn("changed    12", done.stdout)
        page = self.read(PAGE)
        for cited in ("a.c:10-15`", "a.c:12`", "a.c:21`"):
            self.assertIn(cited, page)
        grades, rules = self.verdict()
        self.assertEqual((grades["ok"], grades["changed"], rules), (1, 2, {"citation-changed"}))
        self.assertIn("    tag: 2023-11-14\n", self.read("evidence/sources.yaml"))

    def test_two_citations_do_not_become_one(self):
        """Line 12 changes, and line 5 moves to 12: as one citation they could not be told apart."""
        lines = [f"line_{i} of the file;" for i in range(1, 30)]
        self.pin({"src/a.c": "\n".join(lines) + "\n"}, "src/a.c:5", "src/a.c:12")
        new = [f"new {i};" for i in range(7)] + lines[:11] + ["other;"] + lines[12:]
        self.repo.state({"src/a.c": "\n".join(new) + "\n"})
        page = self.read(PAGE)
        done = self.drift("--write", "--json", "thing")
        self.assertEqual(done.returncode, 1)
        notes = {c["citation"]: (c["verdict"], c["note"]) for c in json.loads(done.stdout)["citations"]}
        self.assertEqual(notes, {"thing:src/a.c:5": ("moved", "taken"), "thing:src/a.c:12": ("changed", None)})
        self.assertEqual(self.read(PAGE), page)
        self.assertEqual(self.verdict()[0]["ok"], 0)

    def test_citations_change_places(self):
        """Each takes the other's old text; that is fine where both move."""
        self.pin({"src/a.c": BASE}, "src/a.c:3-8", "src/a.c:10-15", "src/a.c:17-22")
        self.repo.state({"src/a.c": BASE.replace("/* head of the file */\n", "/* head of the file */\n" + "/* n */\n" * 7)})
        self.assertEqual(self.drift("--write", "thing").returncode, 0)
        self.assertEqual([line for line in self.read(PAGE).splitlines() if "`thing" in line],
                         [f"One `thing:src/a.c:{c}` two." for c in ("10-15", "17-22", "24-29")])
        self.assertEqual(self.verdict()[1], set())

    def test_tables_and_their_sums(self):
        self.pin({"src/a.c": BASE}, "src/a.c:10-15")
        name = "evidence/nccl-map.tsv"
        table = self.read_map()
        self.write(name, table)
        digest = hashlib.sha256(table.encode()).hexdigest()
        self.write("evidence/SHA256SUMS", f"{digest}  nccl-map.tsv\n")
        self.repo.state({"src/a.c": "\n" + BASE})
        self.assertEqual(self.drift("--write", "thing").returncode, 0)
        new = self.read(name)
        self.assertEqual(new, table.replace("a.c:10-15", "a.c:11-16"))
        self.assertEqual(self.read("evidence/SHA256SUMS"), f"{hashlib.sha256(new.encode()).hexdigest()}  nccl-map.tsv\n")

    @staticmethod
    def read_map():
        return "NCCL_X\tNVSHMEM_X\tsame\tthing:src/a.c:10-15 absent:thing\n"

    def test_refuses_what_has_no_anchor(self):
        self.pin({"src/a.c": BASE}, "src/a.c:10-15")
        self.write(PAGE, self.read(PAGE) + "Three `thing:src/a.c:3`.\n")
        self.repo.state({"src/a.c": "\n" + BASE})
        before = self.snapshot()
        self.fails("--write", "thing", says="has no anchor")
        self.assertEqual(self.snapshot(), before)

    def test_all_or_nothing(self):
        """A write that fails (here: the manifest passes the process's limit of file size) changes no file and leaves none."""
        self.pin({"src/a.c": BASE}, "src/a.c:10-15")
        self.repo.state({"src/a.c": "\n" + BASE, "src/b.c": "".join(f"a line {i}\n" for i in range(2000))})
        before = self.snapshot()

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (9000, 9000))
        done = self.drift("--write", "thing", preexec_fn=limit)
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("cannot write", done.stderr)
        self.assertEqual(self.snapshot(), before)

    def test_a_name_that_cannot_be_replaced(self):
        """The rename of a later file fails: those before it get their content back."""
        self.pin({"src/a.c": BASE}, "src/a.c:10-15")
        self.repo.state({"src/a.c": "\n" + BASE})
        lock = self.root / LOCK
        before = self.snapshot()
        if subprocess.run(["chattr", "+i", str(lock)], capture_output=True, check=False).returncode != 0:
            self.skipTest("no immutable files here (chattr)")
        try:
            done = self.drift("--write", "thing")
        finally:
            subprocess.run(["chattr", "-i", str(lock)], check=True)
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertEqual(self.snapshot(), before)

    def test_yaml_that_cannot_be_changed(self):
        self.pin({"src/a.c": BASE}, "src/a.c:10-15")
        name = "evidence/sources.yaml"
        self.write(name, self.read(name).replace("    tag: v1\n", "    tag:\n      v1\n"))
        self.repo.state({"src/a.c": "\n" + BASE})
        before = self.snapshot()
        self.fails("--write", "thing", says="cannot change")
        self.assertEqual(self.snapshot(), before)


if __name__ == "__main__":
    gitfixture.main_tap(sys.modules["__main__"], Drift)
