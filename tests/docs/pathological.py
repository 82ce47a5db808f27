#!/usr/bin/env python3
"""Hostile pages: Markdown or a clear error, never a crash, never a hang, and never a page that ends early.

usage: pathological.py HELPER [--sanitized] [CASE...]

Each case is a page. `docs convert` must end with status 0 or 2 within LIMIT_S seconds and LIMIT_MB of memory; with 2 it
says why. Where it is 0, the word at the page's end is in the Markdown, and `docs check` must end within the same limits.
With --sanitized the limits are wider. Prints TAP.
"""

import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

LIMIT_S = 10  # of CPU time: the machine may be busy
WAIT = 6  # as many times as long until it counts as hanging
LIMIT_MB = 2048
HEAD = '<!DOCTYPE html><html><head><meta charset="utf-8"><title>t</title></head><body><div role="main" class="body">'
TAIL = "</div></body></html>"
LAST = "<p>lastword</p>"
MEGA = 4 << 20


def fill(piece, size=MEGA):
    return piece * (size // len(piece))


# a text that is repeated, and whether the page's last word has to be found (None: may be refused)
FILLED = {name: piece for name, piece in {
    "divs": "<div>", "lists": "<ul><li>", "quotes": "<blockquote>", "terms": "<dl><dt>a<dd>", "tables": "<table><tr><td>",
    "emphasis": "<em>a", "emphasis_closed": "<em>a</em>", "strong": "<strong>a</strong><em>b</em>", "spans": "<span>a",
    "links": '<a href="x">a</a>', "links_open": '<a href="x">a', "links_brackets": '<a href="x">[</a>',
    "brackets": "[", "brackets_closed": "[a](b)", "images": '<img src="a" alt="[">', "stars": "*", "stars_words": "*a ",
    "underscores": "_", "underscores_words": "a_ ", "dunders": "__a__", "backticks": "`", "code": "<code>`</code>",
    "code_nested": "<code>", "code_words": "<code>a</code> b ", "tildes": "~", "less": "<", "less_words": "a < b ",
    "ampersands": "&", "entities": "&amp;", "entities_bad": "&nosuch;", "null_entities": "&#0;", "breaks": "<br>",
    "breaks_words": "a<br>", "rules": "<hr>", "headings": "<h1>a</h1>", "headings_open": "<h2>a", "paragraphs": "<p>a",
    "ends": "</p>", "ends_unknown": "</nosuch>", "unknown": "<nosuch></nosuch>", "items": "<li>a", "ordered": "<ol><li>a</ol>",
    "pres": "<pre>a</pre>", "pres_ticks": "<pre>```</pre>", "ids": '<p id="a">a</p>', "comments": "<!-- a -->", "comments_odd": "<!-- a --!>", "comments_short": "<!-->", "comments_dashes": "<!------",
    "xmps": "<xmp>a</xmp>", "xmps_open": "<xmp>", "plaintexts": "<plaintext>", "abbreviations": '<abbr title="a">b</abbr>',
    "abbreviations_open": "<abbr title=a>b", "objects_open": "<object data=a>b",
    "signature_tables": '<table><tr><td><dl><dt class="sig c">int f(int a)</dt></dl></td></tr></table>',
    "signature_tables_open": '<table><tr><td><dl><dt class="sig c">int f(int a)</dt>',
    "cells": "<table><tr><td>a</td></tr></table>", "sub": "<sub>a</sub>", "math": '<span class="math">\\(|\\)</span>',
    "signatures": '<dl class="c function"><dt class="sig c">int f(int a)</dt><dd>a</dd></dl>',
    "signatures_open": '<dl class="c function"><dt class="sig c">int f(', "classes": '<p class="a b c d e f g h">a</p>',
    "classifiers": '<dl><dt>a<span class="classifier">b</span></dt></dl>', "lines": '<div class="line">a</div>',
    "admonitions": '<div class="admonition"><p class="admonition-title">a</p>', "words": "word ", "blanks": " ",
    "newlines": "\n", "tabs": "\t", "dashes": "- ", "hashes": "# ", "bars": "|", "numbers": "1. ", "e_acute": "\u00e9",
    "footnotes": '<aside class="footnote"><span class="label">[1]</span><p>a</p></aside>', "marks": "<b></b>a",
    "glued": "<b>a</b><i>b</i>", "bangs": "![", "cdata": "<![CDATA[a]]>", "pi": "<?a>", "names": "<a name=b></a>",
    "objects": "<object data=a>b</object>", "dts": "<dt>a", "captions": "<table><caption>a", "in_dt": "<dl><dt>a<dl><dd>b",
}.items()}
CASES = {}


def case(function):
    CASES[function.__name__] = function
    return function


@case
def deep_100k():
    return HEAD + "<div>" * 100000 + LAST


@case
def deep_mixed_100k():
    return HEAD + "<ul><li><blockquote><dl><dd>" * 20000 + LAST


@case
def too_large():
    return HEAD + fill("word ", 17 << 20) + LAST


@case
def spans_huge():
    return HEAD + '<table><tr><td rowspan="999999999" colspan="999999999">a</td></tr></table>' + LAST


@case
def spans_many():
    return HEAD + "<table>" + '<tr><td rowspan="65534" colspan="900">abcdefgh</td></tr>' * 5000 + "</table>" + LAST


@case
def spans_overlap():
    rows = "".join("<tr>" + "<td>" * (999 - n) + f"<td colspan={n + 1} rowspan={5000 - n}>a</td></tr>" for n in range(900))
    return HEAD + "<table>" + rows + "</table>" + LAST


@case
def rows_many():
    return HEAD + "<table>" + "<tr><td>a<td>b" * 200000 + "</table>" + LAST


@case
def columns_many():
    return HEAD + "<table><tr>" + "<td>a" * 100000 + "</table>" + LAST


@case
def text_spanned():
    return HEAD + f"<table><tr><td rowspan=1000 colspan=100>{'word ' * 1000}</td></tr>" + "<tr></tr>" * 999 + "</table>" + LAST


@case
def items_in_a_cell():
    return HEAD + "<table><tr><td><ol>" + "<li>a" * 300000 + "</ol></table>" + LAST


@case
def attributes_many():
    return HEAD + "<p " + " ".join(f"a{n}=b" for n in range(200000)) + ">" + LAST


@case
def attribute_long():
    return HEAD + f'<a href="{"x" * MEGA}">a</a><p class="{"b " * 1000000}" id="{"c" * MEGA}">d</p>' + LAST


@case
def name_long():
    return HEAD + f"<{'a' * MEGA} b>" + LAST


@case
def word_long():
    return HEAD + "a" * MEGA + LAST


@case
def pre_long():
    return HEAD + "<pre>" + fill("`" * 70 + "\n") + "</pre>" + LAST


@case
def quotes_around_much():
    return HEAD + "<blockquote>" * 900 + "<p>a</p>" * 100000 + "</blockquote>" * 900 + LAST


@case
def terms_many():
    return HEAD + "<dl>" + "<dt>a</dt>" * 300000 + "</dl>" + LAST


@case
def overloads_many():
    return HEAD + '<dl class="cpp function">' + '<dt class="sig cpp" id="a">int f(</dt>' * 40000 + "</dl>" + LAST


@case
def parameters_many():
    return (HEAD + '<dl class="c function"><dt class="sig c">int f(' + ",".join(f"int a{n}" for n in range(100000)) +
            ")</dt><dd><p>Parameters</p>" + "<p>One.</p>" * 100000 + "</dd></dl>" + LAST)


@case
def unended_comment():
    return HEAD + LAST + "<!-- a"


@case
def unended_tag():
    return HEAD + LAST + '<a href="'


@case
def unended_script():
    return HEAD + LAST + "<script>a"


@case
def nothing():
    return ""


@case
def nul():
    return HEAD + "a\0b" + LAST


@case
def wrong_encoding():
    return (HEAD + "<p>\u00e9" + LAST).encode("latin-1")


@case
def utf16():
    return (HEAD.replace("utf-8", "utf-16") + LAST).encode("utf-16")


@case
def random_bytes():
    value = 1
    out = bytearray()
    for _ in range(1 << 18):
        value = value * 6364136223846793005 + 1442695040888963407 & (1 << 64) - 1
        out.append(value >> 56)
    return bytes(out)


@case
def many_ids():
    return HEAD + "".join(f'<p id="i{n}">a</p>' for n in range(200000)) + LAST


class Runner:
    def __init__(self, helper, sanitized):
        self.helper = helper
        self.sanitized = sanitized
        self.seconds = LIMIT_S * (6 if sanitized else 1)
        self.slowest = (0, "")
        self.largest = (0, "")

    def limit(self):
        resource.setrlimit(resource.RLIMIT_CPU, (self.seconds, self.seconds + 1))
        if not self.sanitized:
            resource.setrlimit(resource.RLIMIT_AS, (LIMIT_MB << 20, LIMIT_MB << 20))

    def run(self, name, *arguments):
        """(what was wrong, exit status, output)"""
        begin = time.monotonic()
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            process = subprocess.Popen([self.helper, *arguments], stdout=out, stderr=err, preexec_fn=self.limit)
            deadline = begin + WAIT * self.seconds
            usage = None
            while time.monotonic() < deadline:
                pid, status, usage = os.wait4(process.pid, os.WNOHANG)
                if pid:
                    break
                time.sleep(0.005)
            else:
                process.kill()
                os.wait4(process.pid, 0)
                process.returncode = -9
                return f"{arguments[0]}: longer than {WAIT * self.seconds} s", None, b""
            process.returncode = os.waitstatus_to_exitcode(status)
            out.seek(0)
            err.seek(0)
            printed, said = out.read(), err.read()
        seconds = usage.ru_utime + usage.ru_stime
        self.slowest = max(self.slowest, (seconds, f"{arguments[0]} {name}"))
        self.largest = max(self.largest, (usage.ru_maxrss / 1024, f"{arguments[0]} {name}"))
        code = process.returncode
        if seconds >= self.seconds:
            return f"{arguments[0]}: {seconds:.1f} s of CPU time", code, printed
        if code not in (0, 1, 2):
            return f"{arguments[0]}: status {code}: {said[-2000:].decode(errors='replace')}", code, printed
        if code == 2 and not said.startswith(b"shmemlore docs: "):
            return f"{arguments[0]}: status 2 without a message", code, printed
        return None, code, printed

    def check(self, name, page, folder):
        path = folder / "p.html"
        path.write_bytes(page if isinstance(page, bytes) else page.encode())
        wrong, code, printed = self.run(name, "convert", str(path))
        if wrong or code:
            return wrong
        if page and name != "random_bytes" and b"lastword" not in printed:
            return "convert: the page's last word is missing"
        markdown = folder / "p.md"
        markdown.write_bytes(printed)
        return self.run(name, "check", str(path), str(markdown))[0]


def main():
    sanitized = "--sanitized" in sys.argv
    wanted = [argument for argument in sys.argv[2:] if not argument.startswith("--")]
    runner = Runner(os.path.abspath(sys.argv[1]), sanitized)
    size = MEGA // 8 if sanitized else MEGA
    cases = {**{"filled_" + name: lambda piece=piece: HEAD + fill(piece, size) + LAST + TAIL
                for name, piece in FILLED.items()}, **CASES}
    failed = number = 0
    for name, make in cases.items():
        if wanted and name not in wanted:
            continue
        number += 1
        begin = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="test-docs-") as folder:
            wrong = runner.check(name, make(), pathlib.Path(folder))
        failed += wrong is not None
        print(f"{'not ok' if wrong else 'ok'} {number} - {name} # {time.monotonic() - begin:.1f} s", flush=True)
        if wrong:
            print("\n".join("# " + line for line in wrong.splitlines()), flush=True)
    print(f"1..{number}")
    print(f"# slowest: {runner.slowest[0]:.1f} s, {runner.slowest[1]}; largest: {runner.largest[0]:.0f} MB, {runner.largest[1]}")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
