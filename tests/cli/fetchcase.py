"""The base of the tests of `docs fetch`: a site, a folder, and calls."""

import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from sitefixture import Certificates, Site, inventory, page

A, B, C = (page(title) for title in ("Page A", "Page B", "Page C"))


class Case(unittest.TestCase):
    helper = ""  # the program under test; main_tap() sets it
    certificates = None

    @classmethod
    def setUpClass(cls):
        if Case.certificates is None:
            if not shutil.which("openssl"):
                raise unittest.SkipTest("needs openssl")
            # pylint: disable=consider-using-with
            Case.keys = tempfile.TemporaryDirectory(prefix="sl-keys-")
            Case.certificates = Certificates(Case.keys.name)

    def setUp(self):
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="sl-fetch-"))
        self.addCleanup(shutil.rmtree, self.dir, ignore_errors=True)
        self.to = self.dir / "out"
        self.env = {k: v for k, v in os.environ.items()
                    if k.endswith("SAN_OPTIONS") or k in ("PATH", "LD_LIBRARY_PATH")}
        self.env.update(HOME=str(self.dir), SHMEMLORE_CACHE=str(self.dir / "cache"), SHMEMLORE_LOOPBACK_PAUSE_MS="1")
        self.site = self.serve({
            "/docs/objects.inv": (200, {"Content-Type": "application/octet-stream"},
                                  inventory("a.html", "b.html", "sub/c.html")),
            "/docs/a.html": A, "/docs/b.html": B, "/docs/sub/c.html": C,
        })

    def serve(self, answers=None, certificate=None):
        site = Site(certificate or self.certificates.good, answers)
        self.addCleanup(site.close)
        return site

    def command(self, *more, site=None, to=None):
        site = site or self.site
        return [self.helper, "fetch", "--base", site.base, "--allow-host", site.host, "--ca",
                str(self.certificates.authority), "--to", str(to or self.to), *map(str, more)]

    def fetch(self, *more, site=None, to=None, **options):
        return subprocess.run(self.command(*more, site=site, to=to), env=self.env, text=True, capture_output=True,
                              timeout=120, check=False, stdin=subprocess.DEVNULL, **options)

    def ends(self, status, *more, says=(), lines=None, **options):
        """The run ends so, with these words on stderr (in so many lines); gives its report."""
        done = self.fetch("--json", *more, **options)
        self.assertEqual(done.returncode, status, done.stderr)
        for word in says:
            self.assertIn(word, done.stderr)
        self.assertEqual(done.stderr.count("\n"), len(says) if lines is None else lines, done.stderr)
        for line in done.stderr.splitlines():
            self.assertTrue(line.startswith("shmemlore docs: "), line)
        return json.loads(done.stdout) if done.stdout else None

    def fails(self, *more, says=(), **options):
        """Exit status 2, one line on stderr with these words, no report, no page."""
        self.assertIsNone(self.ends(2, *more, says=says, lines=1, **options))

    def written(self):
        """The pages that are there, with their bytes."""
        root = self.to / "html"
        return {p.relative_to(root).as_posix(): p.read_bytes() for p in sorted(root.rglob("*")) if p.is_file()}

    def manifest(self):
        """The manifest, after a look at whether it tells what is there."""
        text = json.loads((self.to / "manifest.json").read_text("utf-8"))
        self.assertEqual(text["schema"], "shmemlore.docs-manifest/1")
        files = self.written()
        self.assertEqual([e["file"] for e in text["pages"]], sorted(files, key=str.encode))
        for entry in text["pages"]:
            data = files[entry["file"]]
            self.assertEqual((entry["bytes"], entry["sha256"]), (len(data), hashlib.sha256(data).hexdigest()))
            self.assertRegex(entry["date"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
            self.assertGreaterEqual(entry["checked"], entry["date"])
        return text

    def one_page(self, answer, *more, status=1, says=(), failed=1, **options):
        """A site whose page b.html is answered so; the others are as they should be."""
        self.site.answers["/docs/b.html"] = answer
        report = self.ends(status, *more, says=says, **options)
        self.assertEqual(len(report["failures"]), failed)
        if failed:
            self.assertEqual(report["failures"][0]["url"], self.site.base + "b.html")
            self.assertEqual(self.written(), {"a.html": A, "sub/c.html": C})
        self.manifest()
        self.assertEqual(self.site.asked()[:2], ["/robots.txt", "/docs/objects.inv"])
        return report
