#!/usr/bin/env python3
"""`shmemlore index`: `index diff` from the tables that are built in, wherever the program lies; what the others say
where their helper is not; and what becomes of the tables when `index usage` is stopped, or runs twice.

usage: test_index.py PROGRAM [TEST...]
"""

import os
import resource
import shutil
import signal
import subprocess
import sys
import time

from clicase import ROOT, Case, run_tests


class Diff(Case):

    def test_what_changed(self):
        said = self.found("index", "diff", "3.4.5", "3.8.0")
        for words in ("- nvshmem_realloc (declared only: in no library of 3.4.5)\n",
                      "- nvshmem_TYPE_alltoalls (25 names, such as nvshmem_bfloat16_alltoalls) "
                      "(declared only: in no library of 3.4.5)\n",
                      "~ nvshmemx_init_attr_t\n    was = nvshmemx_init_attr_v1\n    now = nvshmemx_init_attr_v2\n",
                      "+ nvshmemx_qp_create\n", "\nvariables that came\n"):
            self.assertIn(words, said)
        self.assertNotIn("(internal)", said)
        self.assertIn("(internal)", self.found("index", "diff", "--internal", "3.4.5", "3.8.0"))
        self.assertIn("\n- nvshmem_float_alltoalls (declared only: ", self.found("index", "diff", "--names", "3.4.5", "3.8.0"))

    def test_both_ways(self):
        there = self.found_json("shmemlore-index-diff/1", "index", "diff", "--json", "3.4.5", "3.8.0")
        back = self.found_json("shmemlore-index-diff/1", "index", "diff", "--json", "v3.8.0", " 3.4.5")
        turned = {"added": "removed", "removed": "added", "changed": "changed"}
        self.assertEqual([(r["name"], turned[r["change"]], r["after"], r["before"]) for r in there["names"]],
                         [(r["name"], r["change"], r["before"], r["after"]) for r in back["names"]])
        self.assertEqual((back["from"], back["to"]), ("3.8.0", "3.4.5"))
        self.assertEqual(len(there["variables"]), len(back["variables"]))

    def test_nothing_and_faults(self):
        done = self.run_it("index", "diff", "3.3.9", "v3.3.9")
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        self.fails(2, "; the newest of them is 3.8.0\n", "index", "diff", "3.4.5", "9.9")
        self.fails(2, "; those that begin so: 3.4.5\n", "index", "diff", "3.4", "3.8.0")
        self.fails(2, "two releases", "index", "diff", "3.4.5")
        self.fails(2, "'--nope' is no option", "index", "diff", "--nope", "3.4.5", "3.8.0")
        self.fails(2, "api, diff, env, tables or usage", "index")
        self.fails(2, "no command 'nope'", "index", "nope")

    def test_of_a_checkout(self):
        """--kb, and --root as the other commands of index have it: that checkout's tables."""
        built_in = self.found("index", "diff", "3.4.5", "3.8.0")
        for option in ("--kb", "--root"):
            self.assertEqual(built_in, self.found("index", "diff", option, str(ROOT), "3.4.5", "3.8.0"))
            self.fails(2, "/nonexistent", "index", "diff", option, "/nonexistent", "3.4.5", "3.8.0")
        kb = self.make_project()
        for name in ("symbols.tsv", "signatures.tsv", "packages.tsv"):
            shutil.copy(ROOT / "evidence" / name, os.path.join(kb, "evidence", name))
        table = os.path.join(kb, "evidence", "symbols.tsv")
        with open(table, encoding="utf-8") as file:
            lines = [line for line in file if not line.startswith("nvshmem_realloc\t")]
        self.write("kb/evidence/symbols.tsv", "".join(lines))
        self.assertNotIn("nvshmem_realloc", self.found("index", "diff", "--kb", kb, "3.4.5", "3.8.0"))


class Alone(Case):
    """The program alone in a folder: no checkout, no helper."""

    def setUp(self):
        super().setUp()
        (self.dir / "bin").mkdir()
        (self.dir / "empty").mkdir()
        self.alone = shutil.copy(self.helper, self.dir / "bin" / "shmemlore")

    def run_alone(self, *arguments):
        return subprocess.run([self.alone, *arguments], cwd=self.dir / "empty", capture_output=True, text=True,
                              timeout=120, check=False, stdin=subprocess.DEVNULL)

    def test_diff_says_the_same(self):
        for arguments in (("3.4.5", "3.8.0"), ("--json", "--internal", "3.8.0", "3.1.7")):
            done = self.run_alone("index", "diff", *arguments)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(done.stdout, self.found("index", "diff", *arguments))
        self.assertEqual(os.listdir(self.dir / "empty"), [])

    def test_what_is_missing_and_where(self):
        own = self.dir.resolve() / "bin"
        for command, helper in ((("index", "api"), "index"), (("index", "usage"), "index"), (("index", "env"), "index"),
                                (("index", "tables", "--check"), "index"), (("sources", "list"), "sources"),
                                (("docs", "fetch"), "docs"), (("overlap", "a", "b"), "overlap")):
            done = self.run_alone(*command)
            self.assertEqual((done.returncode, done.stdout), (2, ""), command)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            for words in (" ".join(command[:2] if helper == "index" else command[:1]) + " needs the program shmemlore-",
                          f"{own.parent}/libexec/shmemlore/shmemlore-{helper}, ", f" {own}/shmemlore-{helper}, ",
                          f"{own}/src/helpers/{helper}/shmemlore-{helper}\n"):
                self.assertIn(words, done.stderr)

    def test_help_needs_no_helper(self):
        for command in ("index", "sources", "docs", "overlap"):
            done = self.run_alone(command, "--help")
            self.assertEqual((done.returncode, done.stderr), (0, ""), command)
            self.assertIn(f"usage: shmemlore {command} ", done.stdout)
        self.assertIn("FROM TO", self.run_alone("index", "diff", "--help").stdout)

    def test_a_helper_beside_it(self):
        script = self.write("bin/shmemlore-index", "#!/bin/sh\necho helper \"$@\"\n")
        script.chmod(0o755)
        self.assertEqual(self.run_alone("index", "usage", "--all").stdout, "helper usage --all\n")


class Written(Case):
    """What becomes of the tables when a command of the helper is stopped, or runs beside another."""

    def setUp(self):
        super().setUp()
        self.kb = self.make_project()
        self.write("tree/a.cu", "void f() { nvshmem_quiet(); }\n" * 9)
        self.write("tree/b.cu", "".join(f"void f{i}() {{ nvshmem_name{i}(); }}\n" for i in range(400)))
        self.evidence = self.dir / "kb" / "evidence"
        self.helper_path = os.environ.get("SHMEMLORE_INDEX")
        if not self.helper_path:
            self.skipTest("SHMEMLORE_INDEX names no helper")

    def usage(self, *arguments):
        return [self.helper_path, "usage", "--root", self.kb, "--tree", f"own={self.dir / 'tree'}", *arguments]

    def run_usage(self, *arguments, **options):
        return subprocess.run(self.usage(*arguments), capture_output=True, text=True, timeout=120, check=False,
                              env={**os.environ, "SHMEMLORE_CACHE": str(self.dir / "cache")}, **options)

    def names(self):
        return sorted(path.name for path in self.evidence.iterdir() if path.is_file())

    def test_a_file_limit(self):
        self.write("kb/evidence/usage.tsv", "old\n")
        done = self.run_usage(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2048, 2048)))
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("cannot write", done.stderr)
        self.assertEqual((self.evidence / "usage.tsv").read_text(), "old\n")
        self.assertEqual(self.names(), ["sources.yaml", "usage.tsv"])

    def test_what_is_no_file_stays(self):
        plain = self.run_usage("--output", "-")
        self.assertIn("own\tnvshmem_name7\t", plain.stdout)
        os.mkfifo(self.dir / "fifo")
        with open(os.open(self.dir / "fifo", os.O_RDWR | os.O_NONBLOCK), "rb") as reader:
            done = self.run_usage("--output", str(self.dir / "fifo"))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(reader.read(len(plain.stdout) + 1).decode(), plain.stdout)
        self.assertTrue((self.dir / "fifo").is_fifo())
        (self.dir / "null").symlink_to("/dev/null")
        self.assertEqual(self.run_usage("--output", str(self.dir / "null")).returncode, 0)
        self.assertTrue((self.dir / "null").is_symlink())

    def test_killed_at_any_time(self):
        self.assertEqual(self.run_usage().returncode, 0)
        whole = (self.evidence / "usage.tsv").read_bytes()
        for n in range(25):
            with subprocess.Popen(self.usage(), stderr=subprocess.DEVNULL,
                                  env={**os.environ, "SHMEMLORE_CACHE": str(self.dir / "cache")}) as process:
                time.sleep(n * 0.002)
                process.send_signal((signal.SIGINT, signal.SIGTERM, signal.SIGHUP)[n % 3])
            self.assertEqual((self.evidence / "usage.tsv").read_bytes(), whole)
            self.assertEqual(self.names(), ["sources.yaml", "usage.tsv"])

    def test_several_at_once(self):
        """Each writes its table and its line of the sums; no line is lost."""
        self.write("kb/evidence/SHA256SUMS", "")
        tables = [str(self.evidence / f"{letter}.tsv") for letter in "abcdef"]
        for _ in range(4):
            running = [subprocess.Popen(self.usage("--output", table), stderr=subprocess.DEVNULL,
                                        env={**os.environ, "SHMEMLORE_CACHE": str(self.dir / "cache")})
                       for table in tables]
            self.assertEqual([process.wait(timeout=120) for process in running], [0] * len(tables))
            lines = (self.evidence / "SHA256SUMS").read_text().splitlines()
            self.assertEqual([line[66:] for line in lines], [f"{letter}.tsv" for letter in "abcdef"])
            (self.evidence / "SHA256SUMS").write_text("")

    def test_no_room_for_the_output(self):
        with open("/dev/full", "wb") as full:
            for arguments in (("env", "--help"), ("tables", "--help"), ("usage", "--help")):
                done = subprocess.run([self.helper_path, *arguments], stdout=full, stderr=subprocess.PIPE, text=True,
                                      timeout=120, check=False)
                self.assertEqual(done.returncode, 2, arguments)
                self.assertIn("cannot write to standard output", done.stderr)

    def test_closed_descriptors(self):
        """No table goes into a file that took the number of a closed standard output."""
        for closed in (1, 2):
            done = subprocess.run(["sh", "-c", f'"$@" {closed}>&-', "sh", *self.usage()], capture_output=True, timeout=120,
                                  check=False, env={**os.environ, "SHMEMLORE_CACHE": str(self.dir / "cache")})
            self.assertEqual(done.returncode, 0)
            self.assertTrue((self.evidence / "usage.tsv").read_text().startswith("source\tname\t"))


if __name__ == "__main__":
    run_tests(sys.modules[__name__], Case)
