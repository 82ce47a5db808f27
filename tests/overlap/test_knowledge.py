#!/usr/bin/env python3
"""The knowledge base as it stands shares no run of words with what others wrote, as far as that is here.

usage: test_knowledge.py SHMEMLORE ROOT

The filters of evidence/overlap/ are always compared with. The headers of the released packages are, where
tools/setup check or `tools/nvshmem-packages` brought them; the pages of `docs fetch`, where somebody fetched them.
"""

import hashlib
import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
from clicase import Case, run_tests  # noqa: E402  pylint: disable=wrong-import-position

ROOT = pathlib.Path(os.path.abspath(sys.argv.pop(2)))
OURS = [name for name in ("skills", "docs", "examples", "README.md", "AGENTS.md", "CONTRIBUTING.md", "PROVENANCE.md",
                          "CHANGELOG.md") if (ROOT / name).exists()]


class Knowledge(Case):

    def nothing_shared(self, *arguments):
        done = subprocess.run([self.helper, "overlap", *arguments], cwd=ROOT, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=120, check=False)
        self.assertEqual(done.returncode, 0, "\n" + done.stdout + done.stderr)
        return done.stdout

    def test_filters(self):
        filters = sorted((ROOT / "evidence/overlap").glob("*.filter"))
        self.assertTrue(filters)
        for path in filters:
            said = self.nothing_shared("--against", str(path), *OURS)
            self.assertIn("by chance", said)

    def test_filters_are_those_of_the_manifest(self):
        manifest = (ROOT / "evidence/overlap/README.md").read_text(encoding="utf-8")
        rows = re.findall(r"^\| `([^`]+\.filter)` .* `([0-9a-f]{64})` \|$", manifest, re.M)
        here = [(path.name, hashlib.sha256(path.read_bytes()).hexdigest())
                for path in (ROOT / "evidence/overlap").glob("*.filter")]
        self.assertEqual(sorted(rows), sorted(here))

    def test_headers_of_the_released_packages(self):
        packages = ROOT / ".deps/packages"
        if not packages.is_dir():
            self.skipTest("no packages in .deps/packages: tools/setup check brings them")
        said = self.nothing_shared(*OURS, str(packages))
        self.assertRegex(said, r"compared with \d{5,} words in \d{2,} files")


if __name__ == "__main__":
    run_tests(sys.modules[__name__], Case)
