#!/usr/bin/env python3
"""Pages of constructs in each other, at random (a fixed seed): `docs check` finds no difference after `docs convert`.

    test_random.py HELPER [--pages N] [--seed N]

Prints TAP: one line for all pages, which stand in one folder, so that both commands run once.
"""

import argparse
import pathlib
import random
import subprocess
import sys
import tempfile

WORDS = ["word", "nvshmem_put", "__device__", "_lead", "trail_", "*", "**", "a*b", "[x]", "](", "![", "`", "``", "<b", "&amp", "\\", "~~", "#",
         "-", "+", "1.", "2)", ">", "|", "a|b", "---", "===", "é", "—", "x_", "_", "f(a[i])", "C++", "http://a_b_/", "$x$", ":", "]:", "!", "\\_",
         "0x1f", "~T", "a,", "b.", "(c)", "\u00a0", "\n"]


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.ids = 0

    def pick(self, *choices):
        return self.random.choice(choices)

    def ident(self):
        if self.random.random() < 0.8:
            return ""
        self.ids += 1
        return f' id="i{self.ids}"'

    def words(self, most=6):
        text = self.pick(" ", " ", " ", "").join(self.random.choice(WORDS) for _ in range(self.random.randint(1, most)))
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")

    def inline(self, depth=0, link=True):
        parts = []
        for _ in range(self.random.randint(1, 4)):
            kind = self.random.randint(0, 16) if depth < 3 else 0
            space = self.pick(" ", "")
            inner = lambda ok=link: self.inline(depth + 1, ok)  # noqa: E731
            if kind == 1:
                parts.append(f"<em>{inner()}</em>")
            elif kind == 2:
                parts.append(f"<strong>{inner()}</strong>")
            elif kind == 3:
                parts.append(f'<code class="docutils literal"><span class="pre">{self.words(2)}</span></code>')
            elif kind == 4 and link:
                parts.append(f'<a class="reference"{self.ident()} href="{self.pick("x.html#a_b", "#q", "y.html?a=1&amp;b", "http://h/a(b)")}">{inner(False)}</a>')
            elif kind == 5:
                parts.append(f'<span{self.ident()}>{inner()}</span>')
            elif kind == 6:
                parts.append(f'<span class="math">\\({self.pick("x_1", "|a|", "a < b".replace("<", "&lt;"), "c^{2}")}\\)</span>')
            elif kind == 7:
                parts.append("<br />")
            elif kind == 8:
                parts.append(f"<sub>{inner()}</sub>")
            elif kind == 9:
                parts.append(f'<img alt="{self.words(2).replace(chr(34), "")}" src="a b_c.png" />')
            elif kind == 14:
                title = self.pick("what it is", self.words(3)).replace('"', "")
                parts.append(f'<abbr{self.ident()} title="{title}">{inner()}</abbr>')
            elif kind == 15:
                parts.append(f'<object{self.pick(" data=a_b.svg", "")}>{self.words(2)}</object>')
            else:
                parts.append(self.words())
            parts.append(space)
        return "".join(parts)

    def paragraph(self):
        return f"<p{self.ident()}>{self.inline()}</p>"

    def signature(self, depth):
        name = self.pick("f", "nvshmem_x_put", "ns::g", "__h__", "operator*")
        line = f"{self.pick('int', '__device__ void', 'T *')} {name}({self.pick('', 'int a', 'int a, char *b[]', 'void (*cb)(int)')})"
        domain = self.pick("c", "cpp", "py")
        inner = "".join(f'<span class="pre">{word}</span> ' for word in line.split(" "))
        dts = f'<dt class="sig sig-object {domain}"{self.ident()}><span class="sig-name descname">{inner}</span></dt>' * self.pick(1, 1, 2)
        if 'id="' in dts:
            dts = dts.split("</dt>", 1)[0] + "</dt>"
        return f'<dl class="{domain} function">{dts}<dd>{self.blocks(depth + 1)}</dd></dl>'

    def table(self, depth, cell):
        if cell:
            return self.paragraph()
        rows = []
        spans = ("", "", " colspan=2", " colspan=3", " rowspan=2", " rowspan=9", " rowspan=3 colspan=2")  # they may overlap
        for number in range(self.random.randint(1, 4)):
            tag = "th" if number == 0 and self.random.random() < 0.5 else "td"
            rows.append("<tr>" + "".join(
                f'<{tag}{self.ident()}{self.pick(*spans)}>'
                f"{self.blocks(depth + 2, True)}</{tag}>" for _ in range(self.random.randint(1, 3))) + "</tr>")
        return f'<table class="docutils"{self.ident()}>{self.pick("", "<caption>a caption</caption>")}<tbody>{"".join(rows)}</tbody></table>'

    def block(self, depth, cell):
        kind = self.random.randint(0, 13) if depth < 5 else self.random.randint(0, 3)
        if kind == 4:
            tag = self.pick("ul", "ol", "ol start=7")
            items = "".join(f"<li{self.ident()}>{self.pick(self.paragraph(), self.inline(), '')}"
                            f"{self.pick('', self.blocks(depth + 1, cell))}</li>" for _ in range(self.random.randint(1, 3)))
            return f"<{tag}>{items}</{tag.split()[0]}>"
        if kind == 5:
            return f"<blockquote>{self.blocks(depth + 1, cell)}</blockquote>"
        if kind == 6:
            return f'<div class="admonition note"><p class="admonition-title">Note</p>{self.blocks(depth + 1, cell)}</div>'
        if kind == 7:
            terms = "".join(f'<dt{self.ident()}>{self.inline()}{self.pick("", "<span class=classifier>kind</span>")}</dt>'
                            f"<dd>{self.blocks(depth + 1, cell)}</dd>" for _ in range(self.random.randint(1, 3)))
            return f"<dl{self.ident()}>{terms}</dl>"
        if kind == 8:
            code = self.pick("a_b\n\n  c", "```\nx", "    four", "\tt", "|", "")
            return f'<div class="highlight-{self.pick("c", "default", "c++")}"><div class="highlight"><pre><span></span>{code}\n</pre></div></div>'
        if kind == 9:
            return self.table(depth, cell)
        if kind == 10:
            return self.signature(depth)
        if kind == 11 and not cell:
            return f'<section{self.ident()}><h{self.random.randint(1, 6)}>{self.inline()}<a class="headerlink" href="#x">¶</a></h2></section>'
        if kind == 12:
            return f'<aside class="footnote"{self.ident()}><span class="label"><span>[</span>1<span>]</span></span><p>{self.inline()}</p></aside>'
        if kind == 13:
            return f'<div class="line-block"><div class="line">{self.inline()}</div><div class="line">{self.inline()}</div></div>'
        return self.paragraph()

    def blocks(self, depth=0, cell=False):
        return "\n".join(self.block(depth, cell) for _ in range(self.random.randint(1, 3)))

    def page(self):
        return f'<html><body><div role="main">{"".join(self.blocks() for _ in range(3))}</div></body></html>'


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("helper")
    parser.add_argument("--pages", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print("1..1")
    with tempfile.TemporaryDirectory(prefix="test-docs-", dir="/dev/shm" if pathlib.Path("/dev/shm").is_dir() else None) as folder:
        source = pathlib.Path(folder) / "in"
        source.mkdir()
        for number in range(options.pages):
            (source / f"{number}.html").write_text(Maker(options.seed * 1000003 + number).page())
        done = subprocess.run([options.helper, "convert", "-q", str(source), "-o", folder + "/out"], capture_output=True, text=True,
                              check=False, timeout=300)
        said = done.stderr
        if done.returncode == 0:
            done = subprocess.run([options.helper, "check", str(source), folder + "/out"], capture_output=True, text=True, check=False,
                                  timeout=300, errors="replace")
            said = done.stdout + done.stderr
    print(f"{'not ok' if done.returncode else 'ok'} 1 - {options.pages} pages")
    if done.returncode:
        print("\n".join("# " + line[:400] for line in said.splitlines()[:40]))
    print("\n".join("# " + line for line in said.splitlines()[-1:]))
    return int(done.returncode != 0)


if __name__ == "__main__":
    sys.exit(main())
