"""The base of the tests of the sources helper: a project, a cache, and calls."""

import os
import shutil
import signal
import stat
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from gitfixture import PLAIN


def snapshot(folder):
    """Every file below folder with what a writer would change."""
    found = {}
    for path in sorted(Path(folder).rglob("*")):
        st = path.lstat()
        found[str(path)] = (st.st_mode, st.st_size, st.st_mtime_ns)
    return found


class Case(unittest.TestCase):
    helper = ""  # the program under test; main_tap() sets it

    def setUp(self):
        self.dir = Path(tempfile.mkdtemp(prefix="sl-sources-"))
        self.dir.chmod(0o755)
        self.addCleanup(shutil.rmtree, self.dir, ignore_errors=True)
        self.cache = self.dir / "cache"
        self.env = {k: v for k, v in os.environ.items()
                    if k.endswith("SAN_OPTIONS") or k in ("PATH", "LD_LIBRARY_PATH")}
        self.env["HOME"] = str(self.dir / "home")
        self.env["SHMEMLORE_CACHE"] = str(self.cache)

    def pin(self, commit, source="thing", tag="v1",
            repository="https://example.invalid/own/thing", more=""):
        """Writes evidence/sources.yaml with one source (and more)."""
        folder = self.dir / "project" / "evidence"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "sources.yaml").write_text(
            "sources:\n"
            f"  {source}:\n"
            "    title: A thing\n"
            f"    repository: {repository}\n"
            f"    tag: {tag}\n"
            f"    commit: {commit}\n"
            "    licence: MIT\n"
            "    exceptions: {src/a.cu: Other licence}\n"
            "    paths: [README.md, src/]\n" + more)

    def command(self, *args):
        return [self.helper, args[0], "--root", str(self.dir / "project"),
                *map(str, args[1:])]

    def run_it(self, *args, **options):
        return subprocess.run(self.command(*args), env=self.env, text=True,
                              capture_output=True, timeout=120, **options)

    def start(self, *args, **options):
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE,
                   **options}
        return subprocess.Popen(self.command(*args), env=self.env, text=True,
                                **options)

    def ok(self, *args, **options):
        done = self.run_it(*args, **options)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def fails(self, *args, says=(), **options):
        """Exit status 2, one line on stderr with these words, no rubbish."""
        done = self.run_it(*args, **options)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertTrue(done.stderr.startswith("shmemlore sources: "),
                        done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        for word in says:
            self.assertIn(word, done.stderr)
        self.assertEqual(self.rest(), [])
        return done.stderr

    def rest(self):
        """What lies in the store and is no complete tree."""
        store = self.cache / "sources"
        if not store.is_dir():
            return []
        return [p.name for p in store.iterdir()
                if p.name.startswith(".") and p.name != ".lock"]

    def tree(self, commit, source="thing"):
        return self.cache / "sources" / f"{source}-{commit}"

    def assert_plain(self, commit, source="thing"):
        tree = self.tree(commit, source)
        found = {str(p.relative_to(tree)): p.read_bytes()
                 for p in tree.rglob("*") if not p.is_dir()}
        self.assertEqual(found, PLAIN)
        for path in tree.rglob("*"):
            mode = stat.S_IMODE(path.lstat().st_mode)
            self.assertEqual(mode, 0o755 if path.is_dir() else 0o644)
        self.assertEqual(self.rest(), [])

    def freeze_export(self, *args, **options):
        """A sync of a large repository, stopped while it writes files."""
        store = self.cache / "sources"
        for _ in range(20):
            process = self.start(*args, **options)
            while process.poll() is None:
                if not list(store.glob(".tmp-*/tree/d00")):
                    time.sleep(0.001)
                    continue
                process.send_signal(signal.SIGSTOP)
                info = os.waitid(os.P_PID, process.pid,
                                 os.WSTOPPED | os.WEXITED | os.WNOWAIT)
                if info.si_code == os.CLD_STOPPED and self.rest():
                    return process
                process.send_signal(signal.SIGCONT)
                break
            process.communicate()  # it was faster than we: once more
            self.assertEqual(process.returncode, 0)
            shutil.rmtree(store)
        self.fail("no export could be caught")

    def interrupt(self, process, number):
        process.send_signal(number)
        process.send_signal(signal.SIGCONT)
        return process.communicate(timeout=60)
