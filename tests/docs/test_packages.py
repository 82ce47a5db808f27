#!/usr/bin/env python3
"""`shmemlore docs convert` and `check` on every page of Debian's documentation packages that are here.

    test_packages.py HELPER [CLASS.TEST...]

tools/setup check installs them. Nothing of them is kept. Each signature is also looked for with Python's own HTML reader.
"""

import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
import clicase  # noqa: E402
from docscase import PACKAGES, check, convert, fenced_signatures, package_folder, page_signatures  # noqa: E402


class Packages(clicase.Case):
    def try_package(self, package):
        folder = package_folder(package)
        if not folder:
            self.skipTest(f"{package} is not installed")
        done = convert(self.helper, folder, self.dir)
        self.assertEqual(done.returncode, 0, done.stderr)
        code, said, counts, last = check(self.helper, folder, self.dir)
        self.assertEqual((code, last[2:]), (0, (0, 0)), said)
        self.assertEqual(last[0], last[1])
        for what, (html, markdown) in counts.items():
            self.assertEqual(html, markdown, what)
        self.assertGreater(counts["signatures"][0], 50)
        found = self.third_opinion(pathlib.Path(folder))
        self.assertEqual(found, counts["signatures"][0])

    def third_opinion(self, folder):
        """Every signature that Python's reader finds is a line of a block below a heading that names it."""
        count = 0
        for path in sorted(folder.rglob("*.html")):
            page = path.read_text(encoding="utf-8")
            wanted = page_signatures(page)
            text = (self.dir / path.relative_to(folder).with_suffix(".md")).read_text(encoding="utf-8")
            fenced = {}
            for line, heading in fenced_signatures(text):
                fenced.setdefault(line, []).append(heading)
            for line in wanted:
                self.assertIn(line, fenced, path)
                self.assertTrue(any(re.sub(r"\s+|\\", "", heading) in line for heading in fenced[line]), (path, line))
            count += len(wanted)
            if "\\_" not in page:
                self.assertNotIn("\\_", re.sub(r"(?ms)^```.*?^```", "", text), path)
        return count


for name in PACKAGES:
    setattr(Packages, "test_" + name.replace("-", "_").replace(".", "_"),
            lambda self, package=name: self.try_package(package))

if __name__ == "__main__":
    os.environ.setdefault("LC_ALL", "C.UTF-8")
    clicase.run_tests(sys.modules[__name__], Packages)
