#!/usr/bin/env python3
"""`shmemlore docs fetch` on a site that misbehaves. Each test looks at what was asked, what was written and what was said.

    test_docs_fetch_faults.py HELPER [CLASS.TEST...]
"""

import email.utils
import gzip
import json
import os
import re
import resource
import socket
import struct
import subprocess
import sys
import time
import zlib

from fetchcase import A, B, C, Case
from gitfixture import main_tap
from sitefixture import HEADER, inventory, page

FILLER = "<p>filler</p>" * 20000  # 260 kB
REST = ["/docs/a.html", "/docs/b.html", "/docs/sub/c.html"]


def to(target, code=302):
    return (code, {"Location": target}, b"moved")


class Redirects(Case):
    def test_to_another_page_is_followed(self):
        self.site.answers["/docs/real.html"] = B
        report = self.one_page(to("real.html"), status=0, failed=0)
        self.assertEqual(report["new"], 3)
        self.assertEqual(self.site.asked()[2:], ["/docs/a.html", "/docs/b.html", "/docs/real.html", "/docs/sub/c.html"])
        self.assertEqual(self.manifest()["pages"][1]["url"], self.site.base + "real.html")

    def test_to_another_host(self):
        other = self.serve({"/b.html": B})
        self.one_page(to(other.origin + "/b.html"), says=[
            f"{self.site.base}b.html redirects: {other.origin}/b.html is on the host {other.host}, which is not one"])
        self.assertEqual((other.log, other.connections), ([], 0))
        self.assertEqual(self.site.asked()[2:], REST)

    def test_to_another_host_that_is_allowed_has_its_own_robots(self):
        other = self.serve({"/b.html": B, "/robots.txt": (200, {}, b"User-agent: *\nDisallow: /x")})
        report = self.one_page(to(other.origin + "/b.html"), "--allow-host", other.host, status=0, failed=0)
        self.assertEqual(report["new"], 3)
        self.assertEqual(other.asked(), ["/robots.txt", "/b.html"])

    def test_to_an_allowed_host_whose_robots_forbid(self):
        other = self.serve({"/b.html": B, "/robots.txt": (200, {}, b"User-agent: shmemlore\nDisallow: /b")})
        self.one_page(to(other.origin + "/b.html"), "--allow-host", other.host,
                      says=[f"robots.txt of {other.host} forbids {other.origin}/b.html"])
        self.assertEqual(other.asked(), ["/robots.txt"])

    def test_to_other_schemes_and_users(self):
        self.one_page(to(self.site.base.replace("https", "http") + "a.html"), says=["is not https"])
        for target, words in (("file:///etc/passwd", "is not https"), ("ftp://localhost/x", "is not https"),
                              (f"https://me:you@{self.site.host}/a.html", "user name"),
                              ("https://[bad/", "redirects")):
            self.one_page(to(target), says=[words])
        self.assertNotIn("you@", "".join(self.site.asked()))

    def test_circle(self):
        self.site.answers["/docs/x.html"] = to("b.html", 301)
        self.one_page(to("x.html", 301), says=["b.html redirects in a circle, back to " + self.site.base + "b.html"])
        self.assertEqual(self.site.asked()[2:], ["/docs/a.html", "/docs/b.html", "/docs/x.html", "/docs/sub/c.html"])

    def test_without_end(self):
        for i in range(20):
            self.site.answers[f"/docs/{i}"] = to(f"{i + 1}", 308)
        self.one_page(to("0", 307), says=["redirects more than 5 times"])
        self.assertEqual(self.site.asked()[3:9], ["/docs/b.html", "/docs/0", "/docs/1", "/docs/2", "/docs/3",
                                                  "/docs/4"])
        self.assertEqual(self.site.asked()[9:], ["/docs/sub/c.html"])

    def test_into_what_robots_forbid(self):
        self.site.answers["/robots.txt"] = (200, {}, b"User-agent: *\nDisallow: /secret/\n")
        self.one_page(to("/secret/b.html"), says=["robots.txt of", "forbids"], lines=1)
        self.assertNotIn("/secret/b.html", self.site.asked())

    def test_without_a_target(self):
        self.one_page((302, {}, b""), says=["answers 302 for"])

    def test_pause_before_each(self):
        del self.env["SHMEMLORE_LOOPBACK_PAUSE_MS"]
        times = []

        def first(handler):
            times.append(time.monotonic())
            handler.answer(*to("a.html"))

        def second(handler):
            times.append(time.monotonic())
            handler.answer(200, {}, A)
        self.site.answers.update({"/docs/objects.inv": inventory("b.html"), "/docs/b.html": first,
                                  "/docs/a.html": second})
        self.ends(0, "--pause", "1-1")
        self.assertGreaterEqual(times[1] - times[0], 0.99)


class Busy(Case):
    def test_429_with_seconds(self):
        wait = (429, {"Retry-After": "2"}, b"slow down")
        del self.env["SHMEMLORE_LOOPBACK_PAUSE_MS"]
        self.site.answers["/docs/objects.inv"] = inventory("b.html")
        times = []

        def later(handler):
            times.append(time.monotonic())
            handler.answer(200, {}, B)
        self.site.answers["/docs/b.html"] = [
            lambda h: (times.append(time.monotonic()), h.answer(*wait)), later]
        report = self.ends(0, "--pause", "1-1", says=["answers 429 and asks to wait: 2 seconds"])
        self.assertEqual(report["new"], 1)
        self.assertGreaterEqual(times[1] - times[0], 1.99)
        self.assertEqual(self.site.asked()[2:], ["/docs/b.html", "/docs/b.html"])

    def test_503_with_a_date(self):
        when = email.utils.formatdate(time.time() + 90, usegmt=True)
        self.site.answers["/docs/b.html"] = [(503, {"Retry-After": when}, b""), B]
        done = self.fetch()
        self.assertEqual(done.returncode, 0, done.stderr)
        seconds = int(re.search(r"answers 503 and asks to wait: (\d+) seconds", done.stderr).group(1))
        self.assertTrue(80 <= seconds <= 90, seconds)
        self.assertEqual(self.written()["b.html"], B)

    def test_429_without_a_time(self):
        self.one_page([(429, {}, b""), B], status=0, failed=0, says=["asks to wait: 60 seconds"])

    def test_comes_back_too_late(self):
        for value in ("86400", email.utils.formatdate(time.time() + 9e4, usegmt=True)):
            self.site.log.clear()
            report = self.one_page((429, {"Retry-After": value}, b""), failed=0, lines=1,
                                   says=["asks to come back in", "goes on then"])
            self.assertEqual((report["left"], report["stopped_by"]), (2, "the server does not want more now"))
            self.assertNotIn("/docs/sub/c.html", self.site.asked())
            self.assertEqual(self.written(), {"a.html": A})

    def test_busy_for_ever(self):
        report = self.one_page((429, {"Retry-After": "1"}, b""), failed=0, lines=3, says=["answers 429 to 3 tries"])
        self.assertEqual(report["left"], 2)
        self.assertEqual(self.site.asked()[3:], ["/docs/b.html"] * 3)

    def test_500_goes_on_to_the_next(self):
        report = self.one_page((500, {}, b"x" * 100000), says=["answers 500 for " + self.site.base + "b.html"])
        self.assertEqual(report["new"], 2)
        self.site.answers["/docs/b.html"] = B
        self.site.log.clear()
        self.assertEqual(self.ends(0)["earlier"], 2)
        self.assertEqual(self.site.asked()[2:], ["/docs/b.html"])

    def test_three_failures_in_a_row_end_the_run(self):
        names = [f"{i}.html" for i in range(9)]
        self.site.answers.update({"/docs/objects.inv": inventory(*names), "/docs/0.html": A})
        for name in names[1:]:
            self.site.answers["/docs/" + name] = (502, {}, b"")
        report = self.ends(1, lines=3, says=["answers 502"])
        self.assertEqual((report["new"], len(report["failures"]), report["left"]), (1, 3, 5))
        self.assertIn("three failures in a row", report["stopped_by"])
        self.assertEqual(len(self.site.log), 6)

    def test_failures_that_are_not_in_a_row(self):
        names = [f"{i}.html" for i in range(10)]
        self.site.answers["/docs/objects.inv"] = inventory(*names)
        for i, name in enumerate(names):
            self.site.answers["/docs/" + name] = A if i % 3 == 2 else (502, {}, b"")
        report = self.ends(1, lines=7, says=["answers 502"])
        self.assertEqual((report["new"], len(report["failures"]), report["left"]), (3, 7, 0))

    def test_404_is_no_fault_of_the_server(self):
        self.site.answers["/docs/objects.inv"] = inventory(*[f"{i}.html" for i in range(6)], "a.html")
        report = self.ends(1, lines=6, says=["answers 404"])
        self.assertEqual((report["new"], len(report["failures"]), report["left"]), (1, 6, 0))


class Bodies(Case):
    def test_shorter_than_said(self):
        def short(handler):
            handler.answer(200, {"Content-Length": str(len(B) + 100)}, B)
            handler.break_off()
        self.one_page(short, says=["b.html came cut off"])

    def test_longer_than_said(self):
        self.site.answers["/docs/b.html"] = (200, {"Content-Length": str(len(B) - 30)}, B)
        # what is too much stands where the next answer should begin
        report = self.ends(1, says=["b.html does not end in </html>: it may be cut off; kept as it came",
                                    "the answer for " + self.site.base + "sub/c.html is damaged"])
        self.assertEqual((report["doubtful"], report["new"], len(report["failures"])), (1, 2, 1))
        self.assertEqual(self.written(), {"a.html": A, "b.html": B[:-30]})
        self.assertIn("</html>", self.manifest()["pages"][1]["note"])
        report = self.ends(1)
        self.assertEqual((report["earlier"], report["doubtful"], report["new"]), (2, 1, 1))
        self.assertEqual(self.written()["sub/c.html"], C)

    def test_broken_off_without_any_length(self):
        def cut(handler):
            handler.answer(200, {"Content-Length": None, "Connection": "close"}, B[:40])
            handler.break_off()
        self.site.answers["/docs/b.html"] = cut
        report = self.ends(1, lines=1, says=["b.html"])
        self.assertEqual((len(report["failures"]) or report["doubtful"]), 1)
        self.assertEqual(report["left"], 0)
        self.manifest()

    def test_broken_chunk(self):
        def chunked(handler):
            handler.answer(200, {"Content-Length": None, "Transfer-Encoding": "chunked"}, b"40\r\n<html>")
            handler.break_off()
        self.one_page(chunked, says=["b.html"])

    def test_slow_drip(self):
        def drip(handler):
            handler.send_response(200)
            handler.send_header("Content-Type", "text/html")
            handler.send_header("Content-Length", "1000")
            handler.end_headers()
            for _ in range(100):
                handler.wfile.write(b"x")
                time.sleep(0.1)
        began = time.monotonic()
        self.one_page(drip, "--timeout", "1", says=["b.html is not there after 1 seconds", "--timeout"], lines=1)
        self.assertLess(time.monotonic() - began, 9)

    def test_silence(self):
        self.one_page(lambda handler: time.sleep(5), "--timeout", "1", says=["is not there after 1 seconds"])

    def test_gzip_is_decoded(self):
        report = self.one_page((200, {"Content-Encoding": "gzip"}, gzip.compress(B)), status=0, failed=0)
        self.assertEqual(report["new"], 3)
        self.assertEqual(self.written()["b.html"], B)
        self.assertEqual(self.site.log[3][1]["Accept-Encoding"], "gzip")

    def test_gzip_bomb(self):
        once = gzip.compress(b"<html>" + b"\0" * (64 << 20), 9)
        for headers, body in (({"Content-Encoding": "gzip"}, once),
                              ({"Content-Encoding": "gzip, gzip"}, gzip.compress(once))):
            self.site.log.clear()
            self.one_page((200, headers, body), says=["b.html is longer than 8388608 bytes"])

    def test_gzip_that_is_none(self):
        self.one_page((200, {"Content-Encoding": "gzip"}, B), says=["the answer for", "is damaged"], lines=1)
        self.one_page((200, {"Content-Encoding": "br"}, B), says=["is damaged"], lines=1)

    def test_gzip_that_is_cut_off(self):
        # its length is as said, so only the page itself shows it
        self.one_page((200, {"Content-Encoding": "gzip"}, gzip.compress(B)[:60]), failed=0,
                      says=["b.html does not end in </html>"])

    def test_page_over_the_cap(self):
        self.one_page((200, {}, b"x" * ((8 << 20) + 1)), says=["is longer than 8388608 bytes"])

    def test_endless_body(self):
        def endless(handler):
            handler.answer(200, {"Content-Length": None, "Connection": "close"}, b"<html>")
            while True:
                handler.wfile.write(b"x" * 65536)
        self.one_page(endless, says=["is longer than 8388608 bytes"])

    def test_endless_bodies_of_nothing(self):
        def packed(handler):
            handler.answer(200, {"Content-Length": None, "Content-Encoding": "gzip", "Connection": "close"},
                           gzip.compress(b"")[:10])
            while True:  # empty blocks
                handler.wfile.write(b"\0\0\0\xff\xff" * 10000)

        def refusal(handler):
            handler.answer(404, {"Content-Length": None, "Connection": "close"}, b"")
            while True:
                handler.wfile.write(b"no such page " * 5000)
        for answer in (packed, refusal):
            self.site.log.clear()
            self.one_page(answer, "--timeout", "20", says=["is longer than 8388608 bytes"])

    def test_endless_headers(self):
        def endless(handler):
            handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
            while True:
                handler.wfile.write(b"X-Filler: " + b"x" * 1000 + b"\r\n")
        self.one_page(endless, says=["answered with more than 65536 bytes of headers"])

    def test_a_header_without_end(self):
        def endless(handler):
            handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Filler: " + b"x" * 10_000_000 + b"\r\n\r\n")
        self.one_page(endless, says=["headers"])

    def test_not_http(self):
        def rubbish(handler):
            handler.wfile.write(b"\0\1\2 hello\r\n\r\n")
            handler.close_connection = True
        self.one_page(rubbish, says=["b.html"])

    def test_connection_reset(self):
        def reset(handler):
            handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 10000\r\n\r\n<html>")
            os.close(handler.connection.detach())
            handler.close_connection = True
        self.one_page(reset, says=["b.html"])

    def test_304_that_nobody_asked_for(self):
        self.one_page((304, {"Content-Length": None}, b""), says=["answers 304 for"])

    def test_empty_page(self):
        self.one_page((200, {}, b""), says=["b.html is empty"])

    def test_other_codes(self):
        self.one_page((206, {}, B), says=["answers 206 for"])


class Kinds(Case):
    def test_not_html(self):
        self.one_page((200, {"Content-Type": "application/json"}, b"{}"), says=["b.html is not HTML"])
        self.one_page((200, {"Content-Type": "text/htmlx"}, b"{}"), says=["b.html is not HTML"])

    def test_no_kind(self):
        self.one_page((200, {"Content-Type": None}, B), says=["does not say that it is HTML"])

    def test_charset_of_the_header_is_a_lie(self):
        body = B.replace(b"Page B", b"Caf\xe9")
        self.one_page((200, {}, body), failed=0, says=["is said to be UTF-8 and is not; kept as it came"])
        self.assertEqual(self.written()["b.html"], body)
        self.assertEqual(self.manifest()["pages"][1]["type"], "text/html; charset=utf-8")

    def test_two_charsets(self):
        body = B.replace(b"utf-8", b"iso-8859-1").replace(b"Page B", b"Caf\xe9")
        self.one_page((200, {}, body), failed=0, says=["has two charsets"])
        self.assertEqual(self.written()["b.html"], body)

    def test_latin_1_that_says_so(self):
        body = B.replace(b"utf-8", b"iso-8859-1").replace(b"Page B", b"Caf\xe9")
        self.one_page((200, {"Content-Type": 'Text/HTML; charset="ISO-8859-1"'}, body), status=0, failed=0)
        self.assertEqual(self.written()["b.html"], body)

    def test_odd_headers_are_not_sent_back(self):
        self.one_page((200, {"ETag": '"' + "x" * 5000 + '"', "Last-Modified": "gest\xe9rn"}, B), status=0, failed=0)
        entry = self.manifest()["pages"][1]
        self.assertEqual((entry["etag"], entry["last_modified"]), (None, None))


class Trust(Case):
    def refuse(self, certificate, *words):
        site = self.serve(dict(self.site.answers), certificate)
        self.fails(site=site, says=["/robots.txt could not be read: no trusted connection", "--ca", *words])
        self.assertEqual(site.log, [])
        self.assertFalse((self.to / "html").exists())

    def test_expired(self):
        self.refuse(self.certificates.expired, "expired")

    def test_of_another_host(self):
        self.refuse(self.certificates.other_host, "localhost")

    def test_self_signed(self):
        self.refuse(self.certificates.self_signed, "self")

    def test_unknown_authority(self):
        self.fails("--ca", self.certificates.self_signed, says=["no trusted connection"])
        self.assertEqual(self.site.log, [])

    def test_file_without_certificates(self):
        (self.dir / "none.pem").write_text("no certificate\n")
        self.fails("--ca", self.dir / "none.pem", says=["no trusted connection"])

    def test_handshake_that_is_not_answered(self):
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            listener.listen()
            host = f"localhost:{listener.getsockname()[1]}"
            self.fails("--base", f"https://{host}/docs/", "--allow-host", host, "--timeout", "1",
                       says=["robots.txt could not be read", "after 1 seconds"])

    def test_nobody_listens(self):
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            host = f"localhost:{s.getsockname()[1]}"
        self.fails("--base", f"https://{host}/docs/", "--allow-host", host, says=["no connection for https://" + host])


class Robots(Case):
    def robots(self, answer):
        self.site.answers["/robots.txt"] = answer

    def test_forbids_all(self):
        self.robots((200, {"Content-Type": "text/plain"}, b"User-agent: *\nDisallow: /\n"))
        self.fails(says=[f"robots.txt of {self.site.host} forbids {self.site.base}objects.inv"])
        self.assertEqual(self.site.asked(), ["/robots.txt"])

    def test_forbids_some(self):
        self.robots((200, {}, b"User-agent: other\nDisallow: /\n\nuser-agent: SHMEMLORE/2\nDisallow: *b.html$\n"))
        self.one_page(B, says=["robots.txt of", "forbids"], lines=1)
        self.assertEqual(self.site.asked()[2:], ["/docs/a.html", "/docs/sub/c.html"])

    def test_4xx_allows(self):
        for code in (401, 403, 404, 410):
            self.robots((code, {}, b"User-agent: *\nDisallow: /\n"))
            self.ends(0)

    def test_5xx_forbids(self):
        for code in (500, 503):
            self.robots((code, {}, b""))
            self.fails(says=["nothing may be asked for", f"answers {code}", "try again later"])
        self.assertEqual(self.site.asked(), ["/robots.txt"] * 2)

    def test_unreadable_forbids(self):
        for answer in (lambda handler: handler.break_off(), to("/robots.txt"), to("https://elsewhere.invalid/robots.txt")):
            self.site.log.clear()
            self.robots(answer)
            self.fails(says=["nothing may be asked for"])
            self.assertEqual({*self.site.asked()}, {"/robots.txt"})

    def test_redirect_is_followed(self):
        self.robots(to("/r2"))
        self.site.answers["/r2"] = (200, {}, b"User-agent: *\nDisallow: /docs/b\n")
        report = self.ends(1, says=["forbids"])
        self.assertEqual(report["new"], 2)

    def test_busy(self):
        self.robots([(503, {"Retry-After": "3"}, b""), (200, {}, b"")])
        self.ends(0, says=["asks to wait: 3 seconds"])
        self.assertEqual(self.site.asked()[:3], ["/robots.txt", "/robots.txt", "/docs/objects.inv"])

    def test_huge(self):
        begin = b"User-agent: *\nDisallow: /docs/b.html\n"
        filler = b"Allow: /" + b"x" * 991 + b"\n"
        text = begin + filler * 600 + b"Disallow: /docs/a.html\n"  # 600 kB: the end is not read
        self.robots((200, {}, text))
        report = self.ends(1, says=["forbids " + self.site.base + "b.html"])
        self.assertEqual(report["new"], 2)

    def test_endless(self):
        def endless(handler):
            handler.answer(200, {"Content-Length": None, "Connection": "close"}, b"User-agent: *\n")
            while True:
                handler.wfile.write(b"Disallow: /docs/b.html\n" * 1000)
        self.robots(endless)
        self.assertEqual(self.ends(1, says=["forbids"])["new"], 2)

    def test_packed(self):
        # cut off or not, nobody could tell
        for text in (b"#" * (64 << 20), b"User-agent: *\nDisallow: /\n"):
            self.robots((200, {"Content-Encoding": "gzip"}, gzip.compress(text)))
            self.fails(says=["nothing may be asked for", "came packed (gzip) and was not asked for so"])
        self.assertEqual(self.site.asked(), ["/robots.txt"] * 2)
        self.assertNotIn("Accept-Encoding", self.site.log[0][1])

    def test_page_instead(self):
        self.robots((200, {}, b"<html><body>User-agent: everybody<br>Disallow: nothing</body></html>" + b"\0" * 100))
        self.ends(0)


class Inventory(Case):
    def inventory(self, body, *words, says=None, **headers):
        self.site.log.clear()
        self.site.answers["/docs/objects.inv"] = (200, headers, body)
        self.fails(says=says or [self.site.base + "objects.inv", *words, "without a list of pages"])
        self.assertEqual(self.site.asked(), ["/robots.txt", "/docs/objects.inv"])
        self.assertFalse((self.to / "html").exists())
        self.assertFalse((self.to / "objects.inv").exists())

    def test_missing(self):
        self.site.answers["/docs/objects.inv"] = (404, {}, b"")
        self.fails(says=["answers 404 for the inventory", "the release"])
        self.assertFalse((self.to / "manifest.json").exists())

    def test_broken(self):
        good = inventory("a.html", "b.html")
        self.inventory(b"", "no Sphinx inventory of version 2")
        self.inventory(A, "no Sphinx inventory of version 2")
        self.inventory(good.replace(b"version 2", b"version 1"), "of version '1'")
        self.inventory(good.replace(b"# Project: Thing\n", b""), "lacks a line")
        self.inventory(good[:-8], "is cut off")
        self.inventory(HEADER.encode() + b"rubbish", "is damaged")
        self.inventory(good[:-4] + b"\0\0\0\0", "is damaged")
        self.inventory(inventory(), "names no page")
        self.inventory(gzip.compress(good), says=["objects.inv came packed (gzip)"], **{"Content-Encoding": "gzip"})

    def test_broken_one_does_not_replace_a_good_one(self):
        self.ends(0)
        before = (self.to / "objects.inv").read_bytes()
        self.site.answers["/docs/objects.inv"] = before[:-5]
        self.fails(says=["is cut off"])
        self.assertEqual((self.to / "objects.inv").read_bytes(), before)
        self.assertEqual(self.written(), {"a.html": A, "b.html": B, "sub/c.html": C})

    def test_huge(self):
        self.inventory(HEADER.encode() + zlib.compress(b"a std:doc -1 a.html -\n" * (4 << 20), 9),
                       "unpacks to more than 67108864 bytes")
        self.inventory(HEADER.encode() + os.urandom(9 << 20), says=["objects.inv is longer than 8388608 bytes"])
        many = "".join(f"p{i} std:doc -1 p{i}.html -\n" for i in range(20001)).encode()
        self.inventory(HEADER.encode() + zlib.compress(many), "has more than 20000 pages")

    def test_entries_that_lead_elsewhere(self):
        evil = ["../up.html", "sub/../../up.html", "/etc/passwd", "//evil.invalid/x.html", "https://evil.invalid/x.html",
                "http:x.html", "%2e%2e/up.html", "sub/%2E%2e/x.html", "sub%2f..%2fx.html", "..%5cx.html", "a\\b.html",
                ".git/config", "sub/.hidden", "x.html?query=1", "sub//x.html", "nul%00.html", "tab%09.html",
                "n" * 241 + ".html", "p/" * 260 + "x.html"]
        self.site.answers["/docs/objects.inv"] = inventory(
            "a.html", *[f"n c:function 1 {e} -" for e in evil], "no colon 1 x.html -", "one word", "x c:y z x.html -")
        report = self.ends(0, lines=1, says=[f"{len(evil) + 3} of {len(evil) + 4} entries of the inventory"])
        self.assertEqual((report["pages"], report["refused_entries"]), (1, len(evil) + 3))
        self.assertEqual(self.site.asked(), ["/robots.txt", "/docs/objects.inv", "/docs/a.html"])
        self.assertEqual(self.written(), {"a.html": A})
        self.assertEqual(sorted(p.name for p in self.dir.iterdir()), ["out"])

    def test_one_page_by_many_names(self):
        self.site.answers.update({"/docs/A.html": C, "/docs/objects.inv": inventory(
            "x c:function 1 a.html#x -", "y c:function 1 a.html#$ -", "z c:macro 1 %61.html#z -",
            "z2 c:macro 1 a%2Ehtml -", "w c:type 1 A.html#w -", "dup std:doc -1 a.html -", "b std:doc -1 b.html -")})
        self.ends(0)
        self.assertEqual(self.site.asked()[2:], ["/docs/A.html", "/docs/a.html", "/docs/b.html"])
        self.assertEqual(self.written(), {"A.html": C, "a.html": A, "b.html": B})

    def test_odd_characters_in_names(self):
        odd = {"sp%20ace.html": "sp%20ace.html", "%C3%A9.html": "%C3%A9.html", "\xe9\u4e2d.html": "%C3%A9%E4%B8%AD.html",
               "a+b(1),2.html": "a%2Bb%281%29%2C2.html", "per%25cent.html": "per%25cent.html", "%zz.html": "%25zz.html",
               "'q\"<>&;|*.html": "%27q%22%3C%3E%26%3B%7C%2A.html", "-rf": "-rf", "~x.html": "~x.html",
               "esc%1b.html": None, "$(id).html": "%24%28id%29.html", "q%3Fx.html": "q%3Fx.html"}
        good = sorted(v for v in odd.values() if v)
        self.site.answers["/docs/objects.inv"] = inventory(*[f"n c:function 1 {e}#n -" for e in odd])
        for name in good:
            self.site.answers["/docs/" + name] = A
        report = self.ends(0, says=["1 of 12 entries"])
        self.assertEqual(report["new"], len(good))
        self.assertEqual(self.site.asked()[2:], ["/docs/" + name for name in good])
        self.assertEqual(sorted(self.written()), good)

    def test_terminal_is_not_steered(self):
        self.site.answers["/docs/objects.inv"] = inventory("a.html", "\x1b]0;evil\x07 x 1 \x1b[2J\u202e.html -",
                                                           header=HEADER.replace("Thing", "Th\x1b[31ming"))
        done = self.fetch()
        self.assertEqual(done.returncode, 0, done.stderr)
        for text in (done.stdout, done.stderr):
            self.assertNotRegex(text, "[\x00-\x09\x0b-\x1f\u202e]")

    def test_file_where_a_folder_must_be(self):
        self.site.answers.update({"/docs/a": A, "/docs/a/b.html": B, "/docs/a-b": B, "/docs/objects.inv": inventory(
            "n std:doc -1 a/b.html -", "n std:doc -1 a -", "n std:doc -1 a-b -", "n std:doc -1 a/ -")})
        self.ends(0, says=["2 of 4 entries"])
        self.assertEqual(self.written(), {"a": A, "a-b": B})


class Disk(Case):
    def test_file_size_limit(self):
        big = page("Page B", FILLER)
        self.site.answers["/docs/b.html"] = big
        done = self.fetch(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000)))
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        self.assertRegex(done.stderr, r"^shmemlore docs: \S*/out/html/b\.html is not written: cannot write \S*: "
                                      r"File too large; mend that, then the same command goes on\n$")
        self.assertEqual(self.written(), {"a.html": A})
        self.manifest()
        self.site.log.clear()
        self.assertEqual(self.ends(0)["earlier"], 1)
        self.assertEqual(self.site.asked()[2:], ["/docs/b.html", "/docs/sub/c.html"])
        self.assertEqual(self.written()["b.html"], big)

    def test_full_disk(self):
        self.to.mkdir()
        mount = ["unshare", "-rm", "sh", "-c", 'mount -t tmpfs -o size=200k none "$1" && shift && "$@"; code=$?; '
                 'ls -A "$0" "$0/html"; cat "$0/manifest.json"; exit $code', self.to, self.to]
        if subprocess.run(["unshare", "-rm", "mount", "-t", "tmpfs", "none", self.to], capture_output=True,
                          check=False).returncode:
            self.skipTest("needs unshare -rm and mount")
        self.site.answers["/docs/b.html"] = page("Page B", FILLER)
        done = subprocess.run([*mount, *self.command()], env=self.env, text=True, capture_output=True, check=False)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("html/b.html is not written: cannot write", done.stderr)
        self.assertIn("No space left on device; mend that", done.stderr)
        names, _, manifest = done.stdout.partition("{")
        self.assertEqual(names.split()[1:], [".gitignore", ".lock", "html", "manifest.json", "objects.inv",
                                             f"{self.to}/html:", "a.html"])
        self.assertEqual([e["file"] for e in json.loads("{" + manifest)["pages"]], ["a.html"])

    def test_folder_that_may_not_be_written(self):
        self.to.parent.joinpath("file").write_text("x")
        self.fails(to=self.to.parent / "file" / "deep", says=["cannot"])
        self.assertEqual(self.site.log, [])


if __name__ == "__main__":
    main_tap(sys.modules[__name__], Case)
