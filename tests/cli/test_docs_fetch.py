#!/usr/bin/env python3
"""`shmemlore docs fetch` on a site that behaves: order, manners, resuming, folders, options.

    test_docs_fetch.py HELPER [CLASS.TEST...]
"""

import contextlib
import json
import os
import pathlib
import pty
import re
import signal
import subprocess
import sys
import time

from fetchcase import A, B, C, Case
from gitfixture import main_tap
from sitefixture import inventory, page

ALL = ["/robots.txt", "/docs/objects.inv", "/docs/a.html", "/docs/b.html", "/docs/sub/c.html"]


class Plain(Case):
    def test_everything_in_order_on_one_connection(self):
        report = self.ends(0)
        self.assertEqual((report["pages"], report["new"], report["left"], report["stopped_by"]), (3, 3, 0, None))
        self.assertEqual((report["project"], report["version"], report["bytes"]),
                         ("Thing", "1.2", len(A) + len(B) + len(C)))
        self.assertEqual(self.site.asked(), ALL)
        self.assertEqual(self.site.connections, 1)
        self.assertEqual(self.written(), {"a.html": A, "b.html": B, "sub/c.html": C})
        manifest = self.manifest()
        self.assertTrue(manifest["complete"])
        self.assertEqual(manifest["base"], self.site.base)
        self.assertEqual(manifest["pages"][2]["url"], self.site.base + "sub/c.html")
        for _, headers in self.site.log:
            self.assertRegex(headers["User-Agent"], r"^shmemlore/\d+\.\d+\.\d+ \(.*robots\.txt")
            self.assertNotIn("Cookie", headers)

    def test_text_report(self):
        done = self.fetch()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for words in (f"{self.site.base} (Thing 1.2)\n", f"folder      {self.to}\n", "3: 3 new, 0 changed",
                      f"next        shmemlore docs convert {self.to}/html -o {self.to}/markdown\n"):
            self.assertIn(words, done.stdout)
        self.assertEqual(self.fetch("--quiet").stdout, "")

    def test_unchanged_pages_are_not_sent_again(self):
        def conditional(body):
            def answer(handler):
                if handler.headers.get("If-None-Match") == '"one"':
                    handler.answer(304, {"ETag": '"one"', "Content-Length": None}, b"")
                else:
                    handler.answer(200, {"ETag": '"one"', "Last-Modified": "Mon, 05 Jan 2026 10:00:00 GMT"}, body)
            return answer
        for name, body in (("a.html", A), ("b.html", B), ("objects.inv", inventory("a.html", "b.html"))):
            self.site.answers["/docs/" + name] = conditional(body)
        self.assertEqual(self.ends(0)["new"], 2)
        before = self.manifest()
        self.assertEqual(before["pages"][0]["etag"], '"one"')
        self.assertNotIn("If-None-Match", self.site.log[2][1])
        self.site.log.clear()
        report = self.ends(0)
        self.assertEqual((report["new"], report["same"], report["bytes"]), (0, 2, 0))
        for path, headers in self.site.log[1:]:
            self.assertEqual((headers["If-None-Match"], headers["If-Modified-Since"]),
                             ('"one"', "Mon, 05 Jan 2026 10:00:00 GMT"), path)
        after = self.manifest()
        self.assertEqual(after["pages"][0]["date"], before["pages"][0]["date"])
        self.assertEqual(self.written(), {"a.html": A, "b.html": B})
        # a page that somebody changed or removed here is asked for without a condition
        (self.to / "html" / "a.html").write_text("mine")
        (self.to / "objects.inv").unlink()
        self.site.log.clear()
        self.ends(0)
        self.assertEqual(["If-None-Match" in headers for _, headers in self.site.log], [False, False, False, True])
        self.assertEqual(self.written(), {"a.html": A, "b.html": B})

    def test_changed_etag_brings_the_new_page(self):
        self.site.answers["/docs/a.html"] = (200, {"ETag": '"1"'}, A)
        self.ends(0)
        new = page("Page A, once more")
        self.site.answers["/docs/a.html"] = (200, {"ETag": 'W/"2"'}, new)
        report = self.ends(0)
        self.assertEqual((report["new"], report["changed"], report["same"]), (0, 1, 2))
        self.assertEqual(self.written()["a.html"], new)
        self.assertEqual(self.manifest()["pages"][0]["etag"], 'W/"2"')

    def test_page_that_is_gone_from_the_site_goes_here(self):
        self.ends(0)
        self.site.answers["/docs/objects.inv"] = inventory("a.html", "new.html")
        self.site.answers["/docs/new.html"] = B
        (self.to / "html" / "sub" / "c.html").write_text("notes of the user's own")
        report = self.ends(0)
        self.assertEqual((report["pages"], report["new"], report["removed"]), (2, 1, 2))
        self.assertEqual(sorted(self.written()), ["a.html", "new.html", "sub/c.html"])
        self.assertEqual([e["file"] for e in json.loads((self.to / "manifest.json").read_text())["pages"]],
                         ["a.html", "new.html"])

    def test_folder_style_addresses(self):
        self.site.answers.update({
            "/docs/objects.inv": inventory("home std:doc -1  Home", "guide/", "nvshmem_x c:function 1 guide/#c.$ -",
                                           "other/index.html", "z std:doc 1 z/$ -"),
            "/docs/": A, "/docs/guide/": A, "/docs/other/index.html": B, "/docs/z/z": C})
        report = self.ends(0)
        self.assertEqual(report["refused_entries"], 0)
        self.assertEqual(self.written(), {"guide/index.html": A, "index.html": A, "other/index.html": B, "z/z": C})

    def test_navigation_pages_are_left_out(self):
        self.site.answers["/docs/objects.inv"] = inventory(
            "a.html", "genindex std:label -1 genindex.html Index", "search std:label -1 search.html Search Page",
            "py-modindex std:label -1 py-modindex.html Modules", "search.html c:function 1 b.html#x -")
        self.assertEqual(self.ends(0)["pages"], 2)
        self.assertEqual(self.site.asked(), ALL[:4])


class Limits(Case):
    def test_max_pages_and_on_from_there(self):
        report = self.ends(1, "--max-pages", 2)
        self.assertEqual((report["new"], report["left"], report["stopped_by"]), (2, 1, "--max-pages is reached"))
        self.assertFalse(self.manifest()["complete"])
        self.site.log.clear()
        report = self.ends(0, "--max-pages", 2)
        self.assertEqual((report["new"], report["earlier"], report["left"]), (1, 2, 0))
        self.assertEqual(self.site.asked(), ["/robots.txt", "/docs/objects.inv", "/docs/sub/c.html"])
        self.assertTrue(self.manifest()["complete"])

    def test_max_bytes_between_and_inside_pages(self):
        report = self.ends(1, "--max-bytes", len(A))
        self.assertEqual((report["new"], report["left"], report["bytes"]), (1, 2, len(A)))
        report = self.ends(1, "--max-bytes", len(B) + 5)
        self.assertEqual((report["earlier"], report["new"], report["left"]), (1, 1, 1))
        self.assertEqual(report["stopped_by"], "--max-bytes is reached")
        self.assertEqual(sorted(self.written()), ["a.html", "b.html"])
        self.assertEqual(self.ends(0)["earlier"], 2)

    def test_changed_site_ends_the_resuming(self):
        self.ends(1, "--max-pages", 2)
        self.site.answers["/docs/objects.inv"] = inventory("a.html", "sub/c.html")
        self.site.log.clear()
        report = self.ends(0)
        self.assertEqual((report["new"], report["same"], report["removed"]), (1, 1, 1))
        self.assertEqual(self.site.asked()[2:], ["/docs/a.html", "/docs/sub/c.html"])

    def test_interrupted_in_a_pause_and_resumed(self):
        self.env["SHMEMLORE_LOOPBACK_PAUSE_MS"] = "600"
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            count = len(self.site.log)
            with subprocess.Popen(self.command(), env=self.env, text=True, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE) as process:
                while len(self.site.log) < count + 3:
                    time.sleep(0.01)
                time.sleep(0.2)
                process.send_signal(number)
                out, err = process.communicate(timeout=20)
            self.assertEqual((process.returncode, out), (code, ""), err)
            self.assertRegex(err, r"^shmemlore docs: interrupted: [012] of 3 pages are left; the same command goes on\n$")
            self.assertFalse(self.manifest()["complete"])
        self.env["SHMEMLORE_LOOPBACK_PAUSE_MS"] = "1"
        report = self.ends(0)
        self.assertEqual(report["earlier"] + report["new"], 3)
        self.assertGreaterEqual(report["earlier"], 2)
        self.assertEqual([p for p in self.site.asked() if p.endswith(".html")], ALL[2:])

    def test_interrupted_amid_an_answer(self):
        def drip(handler):
            handler.send_response(200)
            handler.send_header("Content-Type", "text/html")
            handler.end_headers()
            for _ in range(600):
                handler.wfile.write(b"x")
                time.sleep(0.05)
        self.site.answers["/docs/b.html"] = drip
        with subprocess.Popen(self.command(), env=self.env, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as process:
            while "/docs/b.html" not in self.site.asked():
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            began = time.monotonic()
            _, err = process.communicate(timeout=20)
        self.assertLess(time.monotonic() - began, 10)
        self.assertEqual(process.returncode, 130)
        self.assertIn("2 of 3 pages are left", err)
        self.assertEqual(self.written(), {"a.html": A})
        self.manifest()

    def test_killed_and_resumed(self):
        self.env["SHMEMLORE_LOOPBACK_PAUSE_MS"] = "500"
        with subprocess.Popen(self.command(), env=self.env, stdout=subprocess.PIPE) as process:
            while "/docs/b.html" not in self.site.asked():
                time.sleep(0.01)
            process.kill()
        self.env["SHMEMLORE_LOOPBACK_PAUSE_MS"] = "1"
        report = self.ends(0)
        self.assertGreaterEqual(report["earlier"], 1)
        self.assertEqual(self.written(), {"a.html": A, "b.html": B, "sub/c.html": C})
        self.manifest()

    def test_what_killed_runs_left_half_made(self):
        self.ends(0)
        names = sorted(p.name for p in self.to.iterdir())
        self.assertEqual(names, [".gitignore", ".lock", "html", "manifest.json", "objects.inv"])
        (self.to / ".new").write_text("half")
        (self.to / ".new.a1B2c3").write_text("half")
        self.ends(0)
        self.assertEqual(sorted(p.name for p in self.to.iterdir()), names)


class Manners(Case):
    def test_pause_is_kept_without_the_test_variable(self):
        del self.env["SHMEMLORE_LOOPBACK_PAUSE_MS"]
        self.site.answers["/docs/objects.inv"] = inventory("a.html")
        times = []
        for name in ALL[:3]:
            body = self.site.answers.get(name, (404, {}, b""))
            self.site.answers[name] = self.timed(times, body if isinstance(body, tuple) else (200, {}, body))
        self.ends(0, "--pause", "1-2")
        for earlier, later in zip(times, times[1:]):
            self.assertGreaterEqual(later - earlier, 0.99)
            self.assertLess(later - earlier, 10)

    @staticmethod
    def timed(times, answer):
        def send(handler):
            times.append(time.monotonic())
            handler.answer(*answer)
        return send

    def test_test_variable_is_refused_for_real_hosts(self):
        self.fails(to=self.to, says=["SHMEMLORE_LOOPBACK_PAUSE_MS", "this machine only"],
                   *["--allow-host", "docs.nvidia.com"])
        done = subprocess.run([self.helper, "fetch"], env=self.env, text=True, capture_output=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("this machine only", done.stderr)
        self.assertEqual(self.site.log, [])
        self.assertFalse(self.to.exists())

    def test_crawl_delay_raises_the_pause(self):
        del self.env["SHMEMLORE_LOOPBACK_PAUSE_MS"]
        times = []
        self.site.answers["/robots.txt"] = (200, {}, b"User-agent: *\nCrawl-delay: 2.5\n")
        self.site.answers["/docs/objects.inv"] = self.timed(times, (200, {}, inventory("a.html")))
        self.site.answers["/docs/a.html"] = self.timed(times, (200, {}, A))
        self.ends(0, "--pause", "1-1")
        self.assertGreaterEqual(times[1] - times[0], 2.99)

    def test_progress_on_a_terminal_only(self):
        control, terminal = pty.openpty()
        self.env["SHMEMLORE_LOOPBACK_PAUSE_MS"] = "50"
        done = subprocess.run(self.command(), env=self.env, stdout=subprocess.PIPE, stderr=terminal, check=False)
        os.close(terminal)
        shown = b""
        with contextlib.suppress(OSError):  # the end of a terminal
            while piece := os.read(control, 65536):
                shown += piece
        os.close(control)
        shown = shown.decode()
        self.assertEqual(done.returncode, 0)
        self.assertIn("1 of 3 pages", shown)
        self.assertIn("2 left", shown)
        self.assertTrue(shown.endswith("\r\x1b[K"), repr(shown))


class Folders(Case):
    def test_git_takes_nothing_of_it(self):
        self.ends(0)
        self.assertEqual((self.to / ".gitignore").read_text(), "*\n")

    def test_not_inside_a_skill_or_checkout(self):
        for mark in ("SKILL.md", "skills/nvshmem/SKILL.md"):
            root = self.dir / mark.replace("/", "-")
            (root / mark).parent.mkdir(parents=True)
            (root / mark).write_text("x")
            self.fails(to=root / "deep" / "docs", says=["is inside", str(root), "--to"])
            self.assertFalse((root / "deep").exists())
            link = self.dir / ("link-" + root.name)
            link.symlink_to(root)
            self.fails(to=link / "docs", says=["is inside"])
        self.assertEqual(self.site.log, [])

    def test_folder_of_other_files(self):
        self.to.mkdir()
        (self.to / "thesis.txt").write_text("mine")
        self.fails(says=["holds other files (thesis.txt)", "--to"])
        self.assertEqual([p.name for p in self.to.iterdir()], ["thesis.txt"])
        self.assertEqual(self.site.log, [])

    def test_markdown_may_lie_beside_the_pages(self):
        self.ends(0)
        (self.to / "markdown").mkdir()
        (self.to / "markdown" / "a.md").write_text("of docs convert")
        self.assertEqual(self.ends(0)["same"], 3)
        self.assertEqual((self.to / "markdown" / "a.md").read_text(), "of docs convert")

    def test_folder_of_another_base(self):
        self.ends(0)
        other = self.serve(dict(self.site.answers))
        self.fails(site=other, says=["holds pages of " + self.site.base, "--to"])
        self.assertEqual(other.log, [])

    def test_damaged_manifest(self):
        self.ends(0)
        good = json.loads((self.to / "manifest.json").read_text())
        evil = [b"{", b"[]", b"{}"]
        for member, value in (("file", "../x"), ("file", "/etc/x"), ("sha256", "1"), ("bytes", -1), ("bytes", "1"),
                              ("etag", "a\r\nX: y"), ("url", 5)):
            copy = json.loads(json.dumps(good))
            copy["pages"][0][member] = value
            evil.append(json.dumps(copy).encode())
        twice = json.loads(json.dumps(good))
        twice["pages"].append(twice["pages"][0])
        evil.append(json.dumps(twice).encode())
        self.site.log.clear()
        for text in evil:
            (self.to / "manifest.json").write_bytes(text)
            self.fails(says=["manifest.json cannot be used", "remove the folder"])
        self.assertEqual(self.site.log, [])

    def test_two_at_once(self):
        self.env["SHMEMLORE_LOOPBACK_PAUSE_MS"] = "3000"
        with subprocess.Popen(self.command(), env=self.env, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as process:
            while len(self.site.log) < 2:
                time.sleep(0.01)
            self.fails(says=[f"process {process.pid}", "at work"])
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=20)

    def test_links_are_not_followed(self):
        outside = self.dir / "outside"
        outside.mkdir()
        (outside / "c.html").write_text("theirs")
        (self.to / "html").mkdir(parents=True)
        (self.to / "html" / "sub").symlink_to(outside)
        self.fails(says=["html/sub/c.html is a link", "remove it"])
        self.assertEqual((outside / "c.html").read_text(), "theirs")

    def test_cache_is_the_default(self):
        done = subprocess.run([self.helper, "fetch", "--help"], env=self.env, text=True, capture_output=True,
                              check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("CACHE/docs/nvshmem-RELEASE", done.stdout)
        # an address that cannot be had, so that only the folder is made
        del self.env["SHMEMLORE_LOOPBACK_PAUSE_MS"]
        self.env["https_proxy"] = "https://127.0.0.1:1"
        for more, name in (([], "current"), (["--release", "3.4.5"], "3.4.5")):
            done = subprocess.run([self.helper, "fetch", *more], env=self.env, text=True, capture_output=True,
                                  check=False)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            host = "archive.docs.nvidia.com" if more else "docs.nvidia.com"
            self.assertIn(f"https://{host}/robots.txt could not be read", done.stderr)
            self.assertTrue((self.dir / "cache" / "docs" / ("nvshmem-" + name)).is_dir())


class Options(Case):
    def test_what_is_refused(self):
        for more, words in (
                (["--pause", "0-5"], "not polite"), (["--pause", "5-2"], "MIN-MAX"), (["--pause", "3"], "MIN-MAX"),
                (["--pause", "1-99999"], "MIN-MAX"), (["--max-pages", "0"], "from 1 to"),
                (["--max-bytes", "1k"], "from 1 to"), (["--timeout", "0"], "from 1 to 3600"),
                (["--release", "3.4.5"], "give one"), (["--ca", "/nonexistent"], "no such file"),
                (["--allow-host", "a/b"], "HOST or HOST:PORT"), (["--to", ""], "a folder is wanted"),
                (["--base", "http://localhost/"], "not https"), (["--base", "ftp://localhost/"], "not https"),
                (["--base", "https://elsewhere.invalid/"], "elsewhere.invalid, which is not one of the allowed"),
                (["--base", "https://u:p@localhost/"], "user name"), (["--base", "https://localhost/?x"], "without ?"),
                (["--base", "https://[x/"], "no address"), (["--frob"], "'--frob'"), (["word"], "'word'"),
                (["--base", "https://localhost:1/"], "localhost:1, which is not")):
            self.fails(*more, says=[words])
        for text in ("3.4", "3.4.5.", "..", "3.4.5/..", "v3.4.5", ""):
            done = subprocess.run([self.helper, "fetch", "--release", text], env=self.env, text=True,
                                  capture_output=True, check=False)
            self.assertEqual(done.returncode, 2, text)
            self.assertIn("three numbers are wanted", done.stderr)
        self.assertEqual(self.site.log, [])
        self.assertFalse(self.to.exists())

    def test_base_wants_a_folder(self):
        done = subprocess.run([self.helper, "fetch", "--base", self.site.base, "--allow-host", self.site.host],
                              env=self.env, text=True, capture_output=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("--to DIR", done.stderr)

    def test_base_without_a_slash_is_a_folder(self):
        self.ends(0, "--base", self.site.base.rstrip("/"))
        self.assertEqual(self.site.asked(), ALL)

    def test_dispatch(self):
        program = pathlib.Path(self.helper).parents[3] / "shmemlore"
        done = subprocess.run([program, "docs", "fetch", "--help"], text=True, capture_output=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue(re.match("Usage: shmemlore docs fetch", done.stdout))


if __name__ == "__main__":
    main_tap(sys.modules[__name__], Case)
