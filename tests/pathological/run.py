#!/usr/bin/env python3
"""Hostile knowledge bases: an error or a bounded result, never a crash and never a hang.

usage: run.py PROGRAM [--sanitized] [CASE...]

Each case writes a project into a temporary folder and runs `ask --kb` and `verify --root` on it. A run must end by
itself with exit status 0, 1 or 2, within LIMIT_S seconds and LIMIT_MB of memory. An answer must keep its budget.
With --sanitized (a program built with AddressSanitizer, which needs both) the limits are wider.
Prints TAP; the slowest case and the largest memory are named at the end.
"""

import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time

LIMIT_S = 10  # of CPU time: the machine may be busy
WAIT = 6  # as many times as long until it counts as hanging
LIMIT_MB = 1024
PAGE = "skills/nvshmem/x.md"
HEAD = "# nvshmem fence\n\n"
SOURCES = """sources:
  src:
    title: A source
    repository: https://example.org/o/r
    tag: v1
    commit: 0123456789abcdef0123456789abcdef01234567
    licence: MIT
    paths: [a/]
"""
MEGA = (1 << 20) - 100  # as much as the cap on one file lets through

CASES = {}


def case(function):
    CASES[function.__name__] = function
    return function


def fill(piece, size=MEGA):
    return piece * (size // len(piece))


def page(text):
    """A project whose one page holds text below a heading that is found."""
    return {PAGE: HEAD + text}


# One byte sequence, a megabyte of it: what makes Markdown parsers quadratic or worse.
FILLED = {
    "brackets_open": "[",
    "brackets_images": "![",
    "brackets_closed": "[a](",
    "links_without_text": "](",
    "links_nested": "[[a]](b)",
    "links_empty": "[]()",
    "definitions": "[a]: b\n",
    "definitions_open": "[a]: <b\n",
    "footnotes": "[^1]: a\n\n",
    "stars": "*",
    "stars_and_words": "*a ",
    "stars_double": "**a ",
    "emphasis_mixed": "*a_b**c__",
    "emphasis_in_words": "a**b",
    "emphasis_closing": "a** ",
    "emphasis_lines": "*a_ *\n",
    "underscores": "_",
    "underscores_and_words": "_a ",
    "tildes": "~",
    "tildes_and_words": "~~a ",
    "backticks": "`",
    "backticks_and_words": "`a``b",
    "backtick_lines": "`\n``\n",
    "backslashes": "\\",
    "backslash_bars": "\\|",
    "ampersands": "&",
    "entities": "&amp;",
    "entities_open": "&#",
    "tags_open": "<",
    "tags_a": "<a ",
    "tags_closing": "</",
    "tags_quote": "<a b='",
    "tags_lines": "<a\n",
    "tags_quote_lines": "<a b=\"\n",
    "comments": "<!--",
    "comments_words": "a <!-- ",
    "comment_lines": "<!--\n-->\n",
    "comments_closed": "<!-- a -->",
    "comments_of_references": "<!-- `src:a/b.c:3` -->\n\n",
    "near_misses": "`src:a/b.c:L3,4` ",
    "near_misses_nested": "src:a/b.c:L3,",
    "quoted_headings": "> # a `src:a/b.c:3`\n",
    "instructions": "<?",
    "instructions_words": "a <? ",
    "declarations": "<!A ",
    "declarations_words": "a <!A ",
    "cdata": "<![CDATA[",
    "cdata_words": "a <![CDATA[ ",
    "divs": "<div>\n\n",
    "autolinks": "<a:b ",
    "mails": "a@b.c ",
    "addresses": "https://a ",
    "address_open": "h",
    "quotes": ">",
    "quotes_spaced": "> ",
    "quote_lines": "> a\n",
    "quote_lazy": "> a\nb\n\n",
    "bullets": "- ",
    "bullets_plus": "+ ",
    "numbers": "1. ",
    "numbers_long": "123456789) ",
    "bullet_lines": "- a\n",
    "bullet_lines_loose": "- a\n\n",
    "bullet_empty_lines": "-\n",
    "bullet_and_quote": "- > ",
    "bullet_tabs": "-\t",
    "rules": "---\n",
    "rule_long": "- - -",
    "underlines": "a\n=\n",
    "underlines_only": "=",
    "fences": "```\n",
    "fences_tildes": "~~~\n```\n",
    "fences_long": "````````````````a\n",
    "indented": "    a\n\n",
    "tabs": "\t",
    "spaces": " ",
    "newlines": "\n",
    "returns": "\r",
    "crlf": "\r\n",
    "form_feeds": "\f",
    "nuls": "\0",
    "nul_lines": "\0\n",
    "bars": "|",
    "bar_lines": "|\n",
    "bars_and_words": "a|b ",
    "dash_bar_lines": "-|-\n",
    "delimiters_that_do_not_fit": "x\n-|-\n",
    "delimiters_that_do_not_fit_either": "x|y\n-|-|-\n",
    "delimiter_wide_lines": "x\n" + "-|" * 60 + "\n",
    "colons": ":-:|",
    "table_small": "|a|\n|-|\n|b|\n\n",
    "hashes": "#",
    "hash_words": "# a ",
    "words": "a ",
    "identifiers": "`nvshmem_x` ",
    "names": "a_",
    "humps": "aB",
    "digits": "1",
    "number_words": "1 ",
    "versions": "1.",
    "threads": "a/b#1 ",
    "threads_glued": "a/b#1",
    "slashes": "a/",
    "specifications": "OpenSHMEM 1.5 ",
    "citations": "`src:a/b.c:1` ",
    "runs": "`run:x` ",
    "replacement": "\ufffd",
    "combining": "e\u0301",
    "byte_order_marks": "\ufeff",
    "plus": "c++ ",
    "advice": "(advice) ",
}


@case
def table_of_2000_columns():
    """14 KB that take cmark-gfm of Debian 12 11.6 s and 941 MB."""
    return page("|a" * 2000 + "\n" + "|-" * 2000 + "\n" + "a\n" * 2000)


@case
def table_as_wide_as_allowed():
    return page("|a" * 60 + "\n" + "|-" * 60 + "\n" + "|b\n" * 3000)


@case
def table_as_long_as_allowed():
    return page("|a|b\n|-|-\n" + fill("|c|d\n", 600000))


@case
def table_of_empty_rows():
    return page("|a" * 63 + "\n" + "|-" * 63 + "\n" + fill("b\n"))


@case
def tables_many():
    return page(fill("|a" * 60 + "\n" + "|-" * 60 + "\n\n"))


@case
def quotes_2000_lines_of_500():
    return page((">" * 500 + "a\n") * 2000)


@case
def quotes_100000_in_one_line():
    return page(">" * 100000 + "a\n")


@case
def lists_nested_ever_deeper():
    return page("".join("  " * depth + "- a\n" for depth in range(1000)))


@case
def lists_nested_ever_deeper_by_tabs():
    return page("".join("\t" * depth + "* a\n" for depth in range(1400)))


@case
def quotes_ever_deeper():
    return page("".join(">" * depth + " a\n" for depth in range(1400)))


@case
def backticks_in_growing_runs():
    return page(" ".join("`" * n for n in range(1, 1400)))


@case
def backticks_in_shrinking_runs():
    return page("a".join("`" * n for n in range(1400, 0, -1)))


@case
def backticks_in_growing_runs_below_the_limit():
    return page(fill("a".join("`" * n for n in range(2, 80)) + "\n"))


@case
def fences_growing():
    return page("".join("`" * n + "\na\n" for n in range(3, 1400)))


@case
def emphasis_nested():
    return page("*a **b " * 60000 + "c** d*" * 60000)


@case
def brackets_nested():
    return page("[" * 400000 + "a" + "](b)" * 100000)


@case
def quoted_brackets():
    return page(fill("> [a\n"))


@case
def headings_100000():
    return {PAGE: "".join(f"# {n}\n" for n in range(99999)) + "# nvshmem fence\n"}


@case
def headings_100000_equal():
    return {PAGE: "# nvshmem fence\n" * 60000}


@case
def headings_short_equal():
    return {PAGE: "# a\n" * 99999}


@case
def headings_without_words():
    return {PAGE: "#\n" * 99999}


@case
def headings_more_than_allowed():
    return {PAGE: "# a\n" * 200000}


@case
def headings_of_falling_level():
    return {PAGE: fill("# a\n## b\n### c\n#### d\n##### e\n###### f\n", 900000)}


@case
def headings_that_collide():
    """The ids of the second half are those that the first half's doubles got."""
    return {PAGE: "# a\n" * 40000 + "".join(f"# a-{n}\n" for n in range(1, 40000))}


@case
def heading_of_a_megabyte():
    return {PAGE: "# nvshmem " + fill("fence ")}


@case
def heading_of_one_word():
    return {PAGE: "# nvshmem" + fill("_fence")}


@case
def heading_of_letters_that_grow():
    return {PAGE: "# nvshmem " + fill("\u0130\u1e9e")}


@case
def asks_50000():
    return {PAGE: "---\nasks:\n" + "- a\n" * 50000 + "---\n" + HEAD}


@case
def asks_19000_for_one_section():
    return {PAGE: "---\nasks:\n" + "- nvshmem\n" * 19000 + "---\n" + HEAD}


@case
def asks_for_9000_sections():
    return {PAGE: "---\nasks:\n" + "".join(f"  s{n}: [q]\n" for n in range(6000)) + "---\n" +
                  "".join(f"# s{n}\n" for n in range(60000)) + HEAD}


@case
def aliases_9000():
    return {PAGE: "---\naliases:\n" + "".join(f"  o{n}: s{n}\n" for n in range(9000)) + "---\n" +
                  "".join(f"# s{n}\n" for n in range(60000)) + HEAD}


@case
def front_matter_of_a_million_keys():
    return {PAGE: "---\n" + "".join(f"{n}:\n" for n in range(130000)) + "---\n" + HEAD}


@case
def front_matter_of_keys():
    return {PAGE: "---\n" + "".join(f"k{n}:\n" for n in range(19000)) + "---\n" + HEAD}


@case
def front_matter_of_one_line():
    return {PAGE: "---\ntitle: " + "x" * 260000 + "\n---\n" + HEAD}


@case
def front_matter_nested_lists():
    return {PAGE: "---\nasks: " + "[" * 100000 + "\n---\n" + HEAD}


@case
def front_matter_nested_maps():
    return {PAGE: "---\n" + "{a: " * 50000 + "\n---\n" + HEAD}


@case
def front_matter_nested_dashes():
    return {PAGE: "---\n" + "- " * 100000 + "\n---\n" + HEAD}


@case
def front_matter_nested_by_indentation():
    return {PAGE: "---\n" + "".join(" " * n + "a:\n" for n in range(700)) + "---\n" + HEAD}


@case
def front_matter_open_quote():
    return {PAGE: "---\na: '" + "b\n" * 100000 + "\n---\n" + HEAD}


@case
def front_matter_questions():
    return {PAGE: "---\n" + "? " * 100000 + "\n---\n" + HEAD}


@case
def front_matter_flow_without_end():
    return {PAGE: "---\n" + "a: [b, {c: d, " * 9000 + "\n---\n" + HEAD}


@case
def front_matter_that_never_ends():
    return {PAGE: "---\n" + fill("a: b\n")}


@case
def front_matter_laughs():
    return {PAGE: "---\na: &a [x,x]\n" + "".join(f"b{n}: &b{n} [*a,*a]\n" for n in range(5000)) + "---\n" + HEAD}


@case
def sources_of_a_megabyte():
    return {PAGE: HEAD, "evidence/sources.yaml": "sources:\n" + "".join(f"  k{n}: {{}}\n" for n in range(70000))}


@case
def sources_nested():
    return {PAGE: HEAD, "evidence/sources.yaml": "[" * 1000000}


@case
def invalid_utf8():
    return page(fill(b"\xff\xfe\xc0\x80\xed\xa0\x80 ").decode("latin-1").encode("latin-1").decode("utf-8", "surrogateescape"))


@case
def utf16():
    return {PAGE: ("# nvshmem fence\n" * 1000).encode("utf-16")}


@case
def random_bytes():
    return {PAGE: HEAD.encode() + bytes((n * n * 31 + n * 7) % 251 for n in range(MEGA - 100))}


@case
def citations_70000_distinct():
    return page(" ".join(f"`src:a:{n}`" for n in range(70000)))


@case
def list_of_70000_items():
    return page("".join(f"- item {n}\n" for n in range(70000)))


@case
def names_60000():
    return page(" ".join(f"`nvshmem_{n:x}`" for n in range(55000)))


@case
def file_of_a_gigabyte():
    def sparse(root):
        with open(root / PAGE, "wb") as file:
            file.truncate(1 << 30)
    return {PAGE: "", "": sparse}


@case
def file_over_the_cap():
    return {PAGE: HEAD + fill("a\n", 1 << 20) + "a\n"}


@case
def files_2048():
    return {f"skills/nvshmem/d{n % 10}/f{n}.md": HEAD for n in range(2048)}


@case
def files_2049():
    return {f"skills/nvshmem/f{n}.md": HEAD for n in range(2049)}


@case
def folders_too_deep():
    return {"skills/nvshmem/" + "d/" * 40 + "x.md": HEAD, PAGE: HEAD}


@case
def fifo():
    return {PAGE: HEAD, "": lambda root: os.mkfifo(root / "skills/nvshmem/fifo.md")}


@case
def links_in_a_circle():
    def link(root):
        folder = root / "skills/nvshmem"
        os.symlink("loop", folder / "loop")
        os.symlink(".", folder / "self")
        os.symlink("b.md", folder / "a.md")
        os.symlink("a.md", folder / "b.md")
        os.symlink("/dev/zero", folder / "zero.md")
    return {PAGE: HEAD, "": link}


@case
def folder_named_like_a_page():
    return {PAGE: HEAD, "skills/nvshmem/y.md/z.md": HEAD}


def write(root, files):
    for name, text in files.items():
        if callable(text):
            text(root)
            continue
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape"))


class Runner:
    def __init__(self, program, sanitized):
        self.program = program
        self.sanitized = sanitized
        self.limit_s = LIMIT_S * (6 if sanitized else 1)
        self.limit_mb = LIMIT_MB * (4 if sanitized else 1)
        self.slowest = (0, "")
        self.largest = (0, "")

    def limits(self):
        # a safety net above what is measured; AddressSanitizer reserves terabytes
        if not self.sanitized:
            resource.setrlimit(resource.RLIMIT_AS, ((LIMIT_MB + 64) << 20,) * 2)
        resource.setrlimit(resource.RLIMIT_CPU, (2 * self.limit_s,) * 2)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    def run(self, name, *arguments):
        """(what was wrong or None, standard output)."""
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            begin = time.monotonic()
            process = subprocess.Popen([self.program, *arguments], stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                       preexec_fn=self.limits)  # pylint: disable=subprocess-popen-preexec-fn
            killer = threading.Timer(WAIT * self.limit_s, process.kill)
            killer.start()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = status  # it has been waited for
            killer.cancel()
            waited = time.monotonic() - begin
            seconds = usage.ru_utime + usage.ru_stime
            megabytes = usage.ru_maxrss / 1024
            code = os.waitstatus_to_exitcode(status)
            for file in (out, err):
                file.seek(0)
            printed, said = out.read(), err.read()
        what = f"{name}: {arguments[0]}"
        self.slowest = max(self.slowest, (seconds, what))
        self.largest = max(self.largest, (megabytes, what))
        wrong = None
        if seconds >= self.limit_s or waited >= WAIT * self.limit_s:
            wrong = f"not done after {seconds:.1f} s of CPU time, {waited:.1f} s in all"
        elif code not in (0, 1, 2) or b"Sanitizer" in said or b"runtime error" in said:
            wrong = f"exit status {code}: {said[-2000:].decode(errors='replace')}"
        elif megabytes > self.limit_mb:
            wrong = f"{megabytes:.0f} MB"
        elif code == 2 and not said.startswith(b"shmemlore: "):
            wrong = f"exit status 2 without a message: {said[:200]}"
        return wrong, code, printed

    def check(self, name, root):
        """What was wrong with a case, or None."""
        wrong, code, printed = self.run(name, "ask", "--kb", str(root), "-b", "4096", "what does nvshmem fence do?")
        if not wrong and code == 0 and not 0 < len(printed) <= 4096:
            wrong = f"an answer of {len(printed)} bytes"
        if not wrong and code == 0:
            wrong, code, printed = self.run(name, "ask", "--kb", str(root), "-b", "1048576", "nvshmem fence")
        if not wrong:
            wrong, code, printed = self.run(name, "verify", "--root", str(root))
        return wrong


def vanishing(runner, root):
    """A page that comes and goes while the folder is read."""
    write(root, {PAGE: HEAD, "evidence/sources.yaml": SOURCES})
    stop = threading.Event()

    def flicker():
        path = root / "skills/nvshmem/y.md"
        while not stop.is_set():
            path.write_text(HEAD)
            path.unlink()
            path.mkdir()
            path.rmdir()
            os.symlink("x.md", path)
            path.unlink()

    thread = threading.Thread(target=flicker)
    thread.start()
    try:
        for _ in range(30):
            wrong, _, _ = runner.run("file_that_vanishes", "ask", "--kb", str(root), "nvshmem fence")
            if wrong:
                return wrong
    finally:
        stop.set()
        thread.join()
    return None


def long_question(runner, root):
    """A question as long as allowed, of names that are all unknown, against many known ones."""
    write(root, {PAGE: HEAD + " ".join(f"`nvshmem_{n:05x}_name`" for n in range(45000)),
                 "evidence/sources.yaml": SOURCES})
    for question in ["".join(f"nvshmem_{n:05x}_nam " for n in range(990)), "nvshmem_fence_naem " * 860, "a_b " * 4000]:
        wrong, _, _ = runner.run("question_of_unknown_names", "ask", "--kb", str(root), question)
        if wrong:
            return wrong
    wrong, _, _ = runner.run("question_of_unknown_names", "show", "--kb", str(root), "x#" + "y" * 100000)
    return wrong


def main():
    program = os.path.abspath(sys.argv[1])
    sanitized = "--sanitized" in sys.argv
    wanted = [argument for argument in sys.argv[2:] if not argument.startswith("--")]
    runner = Runner(program, sanitized)
    cases = {**{"filled_" + name: lambda piece=piece: page(fill(piece)) for name, piece in FILLED.items()}, **CASES}
    special = {"file_that_vanishes": vanishing, "question_of_unknown_names": long_question}
    failed = number = 0
    for name in [*cases, *special]:
        if wanted and name not in wanted:
            continue
        number += 1
        begin = time.monotonic()
        root = pathlib.Path(tempfile.mkdtemp(prefix="test-pathological-"))
        try:
            if name in special:
                wrong = special[name](runner, root)
            else:
                write(root, {"evidence/sources.yaml": SOURCES, **cases[name]()})
                wrong = runner.check(name, root)
        finally:
            shutil.rmtree(root)
        failed += wrong is not None
        print(f"{'ok' if wrong is None else 'not ok'} {number} - {name} # {time.monotonic() - begin:.1f} s", flush=True)
        if wrong is not None:
            print("\n".join("# " + line for line in wrong.splitlines()), flush=True)
    print(f"1..{number}")
    print(f"# slowest: {runner.slowest[0]:.1f} s, {runner.slowest[1]}; "
          f"largest: {runner.largest[0]:.0f} MB, {runner.largest[1]}")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
