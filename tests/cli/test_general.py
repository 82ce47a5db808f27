#!/usr/bin/env python3
"""The command line as a whole: help, version, usage errors, exit status, closed pipes.

usage: test_general.py PROGRAM [TEST...]
"""

import os
import shutil
import subprocess
import sys

from clicase import NOBODY, ROOT, Case, run_tests

COMMANDS = ["ask", "show", "sources", "verify"]
ALL = ["ask", "docs", "env", "index", "overlap", "show", "skill", "sources", "symbol", "upgrade", "verify"]


class General(Case):

    def test_help_names_every_command(self):
        text = self.found("--help")
        self.assertEqual(text, self.found("help"))
        self.assertEqual(text, self.found("-h"))
        for command in COMMANDS:
            self.assertIn(f"\n  {command} ", text)
        self.assertIn("Exit status", text)

    def test_help_of_every_command(self):
        for command in COMMANDS:
            text = self.found(command, "--help")
            self.assertRegex(text.splitlines()[0], rf"^[Uu]sage: shmemlore {command}\b")
            if command != "sources":
                self.assertEqual(text, self.found("help", command))
                self.assertEqual(text, self.found(command, "-h"))
                self.assertIn("--json", text)

    def test_version(self):
        self.assertRegex(self.found("--version"), r"^shmemlore \d+\.\d+\.\d+\n$")

    def test_nothing_asked_for(self):
        done = self.run_it()
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("usage: shmemlore COMMAND", done.stderr)

    def test_unknown_command(self):
        self.fails(2, "no command 'frobnicate'", "frobnicate")
        self.fails(2, "no command 'Ask'", "Ask", "x")
        self.fails(2, "no command ''", "")
        self.fails(2, "no command 'nope'; `shmemlore help`", "help", "nope")
        for wrong, right in (("aks", "ask"), ("upgrad", "upgrade"), ("symbl", "symbol"), ("vreify", "verify")):
            self.fails(2, f"near it: {right}; ", wrong)
            self.fails(2, f"near it: {right}; ", "help", wrong)

    def test_every_help_has_an_example_and_the_exit_statuses(self):
        for command in ALL:
            text = self.found("help", command)
            self.assertRegex(text, r"\nExamples?:\n  shmemlore " + command, command)
            self.assertRegex(text, r"(?s)Exit status: 0 .*\b2\b.*\.\n\Z", command)
            self.assertNotRegex(text, r"[ \t]\n", command)
            self.assertLessEqual(max(map(len, text.splitlines())), 80, command)

    def test_a_folder_that_may_not_be_looked_into(self):
        closed = self.dir / "closed"
        closed.mkdir()
        closed.chmod(0)
        self.addCleanup(closed.chmod, 0o755)
        self.fails_unprivileged(2, "Permission denied", "verify", "--root", str(closed))

    def test_every_help_of_the_helpers(self):
        for words in ("index", "index api", "index diff", "index env", "index tables", "index usage", "sources sync", "sources list",
                      "skill", "skill check", "skill install", "skill uninstall", "docs fetch", "docs convert", "docs check", "overlap"):
            text = self.found(*words.split(), "--help")
            self.assertRegex(text, r"\nExamples?:\n  ", words)
            self.assertRegex(text, r"Exit\s+status: 0 ", words)

    def test_where_nothing_can_be_installed(self):
        """`make install` says so in one line before it builds, and makes no folder called ~."""
        self.dir.chmod(0o755)
        shutil.copy(ROOT / "Makefile", self.dir / "Makefile")
        closed = self.dir / "closed"
        closed.mkdir()
        closed.chmod(0o555)
        nobody = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}
        for prefix, words in ((closed / "x", f"{closed} is not writable: make install PREFIX=$HOME/.local"),
                              ("~/x", "only a shell expands ~")):
            done = subprocess.run(["make", "-s", "install", f"PREFIX={prefix}"], cwd=self.dir, capture_output=True, text=True,
                                  check=False, env={**os.environ, "MAKEFLAGS": "", "DESTDIR": ""}, **nobody)
            self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
            ours = [line for line in done.stderr.splitlines() if not line.startswith("make")]
            self.assertEqual(len(ours), 1, done.stderr)
            self.assertIn(words, ours[0])
        done = subprocess.run(["make", "-s", "install-check", f"PREFIX={self.dir}/new/x"], cwd=self.dir, capture_output=True,
                              text=True, check=False, env={**os.environ, "MAKEFLAGS": "", "DESTDIR": ""})
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        self.assertFalse((self.dir / "new").exists())

    def test_a_program_without_its_helpers(self):
        program = self.dir / "p/bin/shmemlore"
        program.parent.mkdir(parents=True)
        shutil.copy(self.helper, program)
        done = subprocess.run([program, "docs", "fetch"], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("`make install` puts it in place", done.stderr)
        self.assertIn(f"looked for: {self.dir}/p/libexec/shmemlore/shmemlore-docs, ", done.stderr)

    def test_unknown_options(self):
        for command in ["ask", "show", "verify"]:
            self.fails(2, "--frob", command, "--frob", "x")
            self.fails(2, "Z", command, "-Z", "x")
            self.fails(2, "--json", command, "--json=x", "y")
        self.fails(2, "--kb", "ask", "x", "--kb")

    def test_missing_arguments(self):
        self.fails(2, "ask what?", "ask")
        self.fails(2, "ask what?", "ask", "--json")
        self.fails(2, "one reference", "show")
        told = self.fails(2, "one reference", "show", "a", "b")
        for form in ("FILE#SECTION", "SOURCE:PATH:LINE", "URL", "run:NAME", "OWNER/REPO#N", "symbol", "variable"):
            self.assertIn(form, told)
        self.fails(2, "verify takes no argument", "verify", "x")
        self.fails(2, "--accept needs --update", "verify", "--accept", "x")

    def test_numbers_out_of_range(self):
        for value in ["0", "41", "-1", "x", "", "3x", "99999999999999999999", " 3"]:
            self.fails(2, "-n takes a number from 1 to 40", "ask", f"-n{value}" if value else "--number=", "x")
            self.fails(2, "--budget takes a number from 256", "ask", f"--budget={value}", "x")

    def test_closed_pipe_is_silent(self):
        for arguments in [["ask", "-b", "1000000", "-n", "40", "nvshmem"], ["--help"],
                          ["show", "04-ordering-and-synchronisation#ordering-and-synchronisation"]]:
            reading, writing = os.pipe()
            os.close(reading)
            with os.fdopen(writing, "wb") as out:
                done = subprocess.run([self.helper, *arguments], stdout=out, stderr=subprocess.PIPE, check=False,
                                      stdin=subprocess.DEVNULL, timeout=60)
            self.assertEqual(done.stderr, b"", arguments)
            self.assertIn(done.returncode, (-13, 0), arguments)

    def test_head_takes_the_first_line(self):
        done = subprocess.run(["sh", "-c", '"$0" ask -b 100000 -n 40 nvshmem | head -n 1', self.helper], timeout=60,
                              capture_output=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertEqual(done.stdout.count(b"\n"), 1)

    def test_full_device_is_an_error(self):
        for arguments in [["ask", "nvshmem"], ["--help"], ["--version"]]:
            with open("/dev/full", "wb") as full:
                done = subprocess.run([self.helper, *arguments], stdout=full, stderr=subprocess.PIPE, check=False,
                                      timeout=60)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(b"cannot write", done.stderr, arguments)

    def test_nothing_steers_the_terminal(self):
        root = self.make_project()
        evil = "\x1b[31m \x07 \x9b31m \u202e \u2028"
        self.write("kb/skills/nvshmem/n.md", f"# Evil {evil} quiet\n\nnvshmem quiet {evil}\n".encode() + b"\xff\n")
        for arguments in [["ask", "--kb", root, "nvshmem quiet"], ["ask", "--json", "--kb", root, "nvshmem quiet"],
                          ["show", "--kb", root, "n#" + evil], ["show", "--" + evil], ["ask", "-" + evil],
                          [evil], ["ask", "--budget", evil, "x"], ["verify", "--root", root], ["ask", "--kb", evil, "x"]]:
            done = self.run_it(*arguments)
            for text in done.stdout, done.stderr:
                for bad in "\x1b\x07\x9b\u202e\u2028":
                    self.assertNotIn(bad, text, arguments)
            self.assertLessEqual(done.stderr.count("\n"), 1, arguments)

    def test_closed_standard_output(self):
        done = subprocess.run(["sh", "-c", '"$0" ask nvshmem >&-', self.helper], timeout=60, capture_output=True,
                              check=False)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn(b"cannot write", done.stderr)


if __name__ == "__main__":
    run_tests(sys.modules[__name__], General)
