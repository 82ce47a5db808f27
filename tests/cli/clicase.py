"""What the tests of the command line share: running the program, a made knowledge base, readable failures."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import gitfixture  # noqa: E402  pylint: disable=wrong-import-position

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
COMMIT = "0123456789abcdef0123456789abcdef01234567"
NOBODY = 65534

PAGE = """---
title: Notes on NVSHMEM
asks:
  fences:
    - what orders puts
---
# Notes on NVSHMEM

Made up for tests.

## Fences

`nvshmem_fence` orders puts `src:a/b.c:2-3`.

## Quiet

`nvshmem_quiet` completes them `src:a/b.c:4`, observed in `run:one`.
"""

SOURCES = f"""sources:
  src:
    title: A source
    repository: https://example.org/o/r
    tag: v1
    commit: {COMMIT}
    licence: MIT
    paths: [a/]
"""

run_tests = gitfixture.main_tap


class Case(unittest.TestCase):
    helper = None  # the program; set by run_tests

    def setUp(self):
        # pylint: disable=consider-using-with
        temporary = tempfile.TemporaryDirectory(prefix="test-cli-")
        self.addCleanup(temporary.cleanup)
        self.dir = pathlib.Path(temporary.name)
        self.dir.chmod(0o755)

    def write(self, name, text):
        path = self.dir / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def make_project(self):
        """A project root with one page, one source, one run, and a tree in the cache."""
        self.write("kb/skills/nvshmem/n.md", PAGE)
        self.write("kb/evidence/sources.yaml", SOURCES)
        self.write("kb/evidence/runs/one.json", '{"schema": "shmemlore.run/1", "name": "one"}\n')
        self.write(f"cache/sources/src-{COMMIT}/a/b.c", "one\ntwo\n\tthree\nfour \x1b[31m\n")
        return str(self.dir / "kb")

    def run_it(self, *arguments, environment=None, **options):
        """The finished process, its output as text; never the user's cache, never a terminal."""
        full = {**os.environ, "SHMEMLORE_CACHE": str(self.dir / "cache"), **(environment or {})}
        options.setdefault("stdin", subprocess.DEVNULL)
        done = subprocess.run([self.helper, *arguments], env=full, timeout=120, capture_output=True, check=False,
                              **options)
        done.stdout = done.stdout.decode("utf-8")
        done.stderr = done.stderr.decode("utf-8")
        return done

    def found(self, *arguments, **options):
        """Standard output of a command that succeeds and says nothing else."""
        done = self.run_it(*arguments, **options)
        self.assertEqual((done.returncode, done.stderr), (0, ""), arguments)
        return done.stdout

    def found_json(self, schema, *arguments, **options):
        value = json.loads(self.found(*arguments, **options))
        self.assertEqual(value["schema"], schema)
        return value

    def fails(self, status, words, *arguments, **options):
        """A command that says why on standard error, in one line, and prints nothing."""
        done = self.run_it(*arguments, **options)
        self.assertEqual((done.returncode, done.stdout), (status, ""), (arguments, done.stderr))
        self.assertIn(words, done.stderr)
        self.assertTrue(done.stderr.startswith("shmemlore"), done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        return done.stderr

    def fails_unprivileged(self, status, words, *arguments):
        """The same as a user who is not root: root reads everything."""
        if os.geteuid() != 0:
            return self.fails(status, words, *arguments)
        program = shutil.copy(self.helper, self.dir / "shmemlore")
        os.chmod(program, 0o755)
        done = subprocess.run([program, *arguments], user=NOBODY, group=NOBODY, extra_groups=[], timeout=120, cwd="/",
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (status, ""), done.stderr)
        self.assertIn(words, done.stderr)
        return done.stderr
