"""What the tests of `shmemlore docs` share: finding pages, converting, checking, and an oracle of our own."""

import glob
import html.parser
import os
import pathlib
import re
import shutil
import subprocess

PAGES = pathlib.Path(__file__).resolve().parent / "pages"
EXPECTED = pathlib.Path(__file__).resolve().parent / "expected"
THEMES = ("alabaster", "classic", "sphinx_rtd_theme", "furo")

# name of the package -> where its pages are (Debian 12); all but the first are there for their C or C++ domain
PACKAGES = {
    "python3-doc": "/usr/share/doc/python3.*/html",
    "libjansson-doc": "/usr/share/doc/libjansson-dev/html",
    "libflint-doc": "/usr/share/doc/libflint-dev/html",
    "libcglm-doc": "/usr/share/doc/libcglm-doc/html",
    "libfmt-doc": "/usr/share/doc/libfmt-doc",
    "pybind11-doc": "/usr/share/doc/pybind11-doc/html",
    "libcbor-doc": "/usr/share/doc/libcbor-doc/html",
}
COUNT = re.compile(r"^([a-z ]+?) +([0-9]+) +([0-9]+)$", re.M)
EQUAL = re.compile(r"^([0-9]+) of ([0-9]+) pages the same, ([0-9]+) differences; ([0-9]+) escaped", re.M)


def package_folder(package):
    """The folder of the package's pages, or None."""
    found = [path for path in sorted(glob.glob(PACKAGES[package])) if os.path.exists(path + "/index.html")]
    return os.path.realpath(found[-1]) if found else None


def build_pages(theme, folder):
    """Our own pages with one theme; False if Sphinx or the theme is not there."""
    if not shutil.which("sphinx-build"):
        return False
    done = subprocess.run(["sphinx-build", "-q", "-b", "html", "-D", f"html_theme={theme}", str(PAGES), str(folder)],
                          capture_output=True, text=True, check=False, timeout=300)
    if done.returncode and "theme" in done.stderr:
        return False
    if done.returncode:
        raise RuntimeError(done.stderr)
    return True


def convert(helper, source, target):
    return subprocess.run([helper, "convert", "-q", str(source), "-o", str(target)], capture_output=True, text=True,
                          check=False, timeout=600)


def check(helper, source, target, *options):
    """Exit status, output, {what: (HTML, Markdown)}, (equal pages, pages, differences, escaped)."""
    done = subprocess.run([helper, "check", *options, str(source), str(target)], capture_output=True, text=True,
                          check=False, timeout=600, errors="replace")
    counts = {name: (int(a), int(b)) for name, a, b in COUNT.findall(done.stdout)}
    last = EQUAL.search(done.stdout)
    return done.returncode, done.stdout + done.stderr, counts, tuple(map(int, last.groups())) if last else None


class Signatures(html.parser.HTMLParser):
    """Every signature of a page, by Python's own reader: a third opinion."""

    VOID = {"br", "img", "hr", "input", "meta", "link", "col", "wbr", "area", "base", "source"}

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.lines = []
        self.stack = []  # (tag, what it is)
        self.text = None

    def handle_starttag(self, tag, attrs):
        if tag in self.VOID:
            if tag == "br" and self.text is not None and not self.skips():
                self.text += " "
            return
        words = (dict(attrs).get("class") or "").split()
        what = ""
        if tag == "dt" and "sig" in words:
            what, self.text = "sig", ""
        elif {"headerlink", "viewcode-link", "viewcode-back"} & set(words):
            what = "skip"
        self.stack.append((tag, what))

    def handle_endtag(self, tag):
        while any(t == tag for t, _ in self.stack):
            last, what = self.stack.pop()
            if what == "sig":
                self.lines.append(re.sub(r"\s+", "", self.text.replace("\u2192", "->")))
                self.text = None
            if last == tag:
                break

    def handle_data(self, data):
        if self.text is not None and not self.skips():
            self.text += data

    def skips(self):
        return any(what == "skip" for _, what in self.stack)


def join_open(lines):
    """A prototype that Sphinx took for several has its parentheses open."""
    joined = []
    for line in lines:
        if joined and joined[-1].count("(") > joined[-1].count(")"):
            joined[-1] += line
        else:
            joined.append(line)
    return joined


def page_signatures(page):
    reader = Signatures()
    reader.feed(page)
    return join_open(reader.lines)


def fenced_signatures(markdown):
    """The lines of blocks right below a heading, without white space; and each one's heading."""
    found = []
    heading = None
    fence = None
    for line in markdown.split("\n"):
        bare = line.lstrip(" >-*0123456789.)") if fence is None else line.strip().lstrip("> ")
        if fence is not None:
            if bare == fence:
                fence = heading = None
            elif heading is not None:
                found.append((re.sub(r"\s+", "", bare), heading))
        elif bare.startswith("#"):
            heading = bare.lstrip("# ").strip("`")
        elif bare.startswith("```"):
            fence = re.match("`+", bare).group()
        elif bare:
            heading = None
    return found
