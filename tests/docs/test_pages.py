#!/usr/bin/env python3
"""`shmemlore docs convert` and `check` on pages that Debian's Sphinx builds from our own text, in four themes.

    test_pages.py HELPER [--update] [CLASS.TEST...]

Without Sphinx (tools/setup check installs it) only what needs no page runs. --update writes tests/docs/expected anew.
"""

import gzip
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
import clicase  # noqa: E402
from docscase import (EXPECTED, THEMES, build_pages, check, convert, fenced_signatures,  # noqa: E402
                      page_signatures)

NAMES = ("index", "c", "cpp", "blocks", "tables")
UPDATE = "--update" in sys.argv
BUILT = {}  # theme -> folder


class Case(clicase.Case):
    def docs(self, *arguments):
        """The finished process; its output as bytes."""
        return subprocess.run([self.helper, *map(str, arguments)], capture_output=True, check=False, timeout=120)

    def page(self, body, name="p.html"):
        text = f"<html><body><div class='body' role='main'>{body}</div></body></html>"
        return self.write(name, text)

    def markdown(self, body):
        done = self.docs("convert", self.page(body))
        self.assertEqual(done.returncode, 0, done.stderr)
        text = done.stdout.decode()
        path = self.write("p.md", text)
        code, said, _, _ = check(self.helper, self.dir / "p.html", path)
        self.assertEqual(code, 0, said)
        return text


def built(theme):
    if theme not in BUILT:
        # pylint: disable=consider-using-with
        folder = tempfile.TemporaryDirectory(prefix="test-docs-")
        BUILT[theme] = folder if build_pages(theme, folder.name) else None
    return BUILT[theme] and pathlib.Path(BUILT[theme].name)


class Themes(Case):
    def test_every_theme_gives_the_expected_markdown(self):
        for theme in THEMES:
            with self.subTest(theme):
                pages = built(theme)
                if not pages:
                    self.skipTest(f"no Sphinx or no theme {theme}")
                out = self.dir / theme
                done = convert(self.helper, pages, out)
                self.assertEqual(done.returncode, 0, done.stderr)
                for name in NAMES:
                    # the folder of a download is a hash of Sphinx's own paths
                    text = re.sub(r"_downloads/[0-9a-f]{32}/", "_downloads/HASH/", (out / f"{name}.md").read_text())
                    if UPDATE and theme == THEMES[0]:
                        EXPECTED.mkdir(exist_ok=True)
                        (EXPECTED / f"{name}.md").write_text(text)
                    self.assertEqual(text, (EXPECTED / f"{name}.md").read_text(), f"{theme}: {name}")
                code, said, counts, last = check(self.helper, pages, out)
                self.assertEqual((code, last[2:]), (0, (0, 0)), said)
                self.assertEqual(counts["signatures"][0], 33)

    def test_signatures_by_a_third_reader(self):
        pages = built(THEMES[0])
        if not pages:
            self.skipTest("no Sphinx")
        convert(self.helper, pages, self.dir)
        for name in NAMES:
            wanted = page_signatures((pages / f"{name}.html").read_text())
            found = fenced_signatures((self.dir / f"{name}.md").read_text())
            self.assertEqual(wanted, [line for line, _ in found if line in wanted], name)
            for line, heading in found:
                if line in wanted:
                    self.assertIn(re.sub(r"\s+|\\", "", heading), line)

    def test_the_same_bytes_on_every_run(self):
        pages = built(THEMES[0])
        if not pages:
            self.skipTest("no Sphinx")
        for out in ("a", "b"):
            self.assertEqual(convert(self.helper, pages, self.dir / out).returncode, 0)
        for name in NAMES:
            self.assertEqual((self.dir / "a" / f"{name}.md").read_bytes(), (self.dir / "b" / f"{name}.md").read_bytes())
            one = self.docs("convert", pages / f"{name}.html")
            self.assertEqual(one.stdout, (self.dir / "a" / f"{name}.md").read_bytes())


class Check(Case):
    """The check finds what a wrong converter would do."""

    MUTATIONS = {
        "a word is missing": ("Two routines with", "Two with"),
        "words are swapped": ("Two routines", "routines Two"),
        "a word is doubled": ("Two routines", "Two Two routines"),
        "a signature's word": ("int ring_open(ring_t *ring, int pe_count)", "int ring_open(ring_t ring, int pe_count)"),
        "a signature is gone": ("```c\nint ring_open(ring_t *ring, int pe_count)\n```\n", ""),
        "a signature is no block": ("```c\nint ring_open(ring_t *ring, int pe_count)\n```\n",
                                    "int ring_open(ring_t \\*ring, int pe_count)\n"),
        "a signature on two lines": ("(ring_t *ring, int pe_count)", "(ring_t *ring,\nint pe_count)"),
        "a signature's language": ("```c\nint ring_open", "```cpp\nint ring_open"),
        "a heading names another": ("## ring_open\n", "## ring\n"),
        "a heading names a parameter": ("## ring_open\n", "## pe_count\n"),
        "an anchor is gone": ('<a id="c.ring_open"></a>', ""),
        "an anchor is wrong": ('<a id="c.ring_open">', '<a id="c.ring_opem">'),
        "an anchor comes twice": ('<a id="c.ring_open"></a>', '<a id="c.ring_open"></a><a id="c.ring_open"></a>'),
        "a link leads elsewhere": ("(#c.ring_t)", "(#c.ring_u)"),
        "a link is gone": ("[`ring_t`](#c.ring_t)", "`ring_t`"),
        "an escaped underscore": ("_leading", "\\_leading"),
        "a name that is not the prototype's": ("- `source` *(from", "- `dest` *(from"),
        "names in another order": ("- `source` *(from the prototype)*: The local buffer.\n  - `nelems`",
                                   "- `nelems` *(from the prototype)*: The local buffer.\n  - `source`"),
        "a name is missing": ("- `source` *(from the prototype)*: ", "- "),
    }
    TABLES = {
        "a cell moves": ("| row 1 | column 2 |", "| column 2 | row 1 |"),
        "a cell is empty": ("| two rows | • a list<br>• in a cell |\n| row 4", "|  | • a list<br>• in a cell |\n| row 4"),
        "a row is gone": ("| row 1 | column 2 | column 3 |\n", ""),
        "a span is not repeated": ("| two columns | two columns |", "| two columns |  |"),
        "no table": ("| name | value |\n| --- | --- |\n| PES | 4 |\n", "name value PES 4\n"),
        "a list's mark": ("• a list<br>• in", "• a list<br>in"),
        "the head is a row": ("| Header 1 | Header 2 | Header 3 |\n| --- | --- | --- |\n",
                              "| | | |\n| --- | --- | --- |\n| Header 1 | Header 2 | Header 3 |\n"),
        "lines of a cell are one": ("• a list<br>• in", "• a list • in"),
    }

    LOOKS = {
        "a heading is none": ("## Nested lists\n", "Nested lists\n"),
        "a heading's level": ("## Nested lists\n", "### Nested lists\n"),
        "lines of code are one": ("int main(void)\n{", "int main(void) {"),
        "code without its indent": ("    return a[0]", "return a[0]"),
        "emphasis is lost": ("  with *emphasis*\n", "  with emphasis\n"),
        "emphasis is strong": ("and *emphasis*, ", "and **emphasis**, "),
        "code is text": ("The first, with `code`.", "The first, with code."),
        "text is code": ("an option list", "an `option` list"),
        "sub is text": ("H<sub>2</sub>O", "H2O"),
        "sub is sup": ("H<sub>2</sub>O", "H<sup>2</sup>O"),
        "an item is none": ("   - inner two", "   inner two"),
        "an item stands elsewhere": ("   - inner one", "- inner one"),
        "a list begins at another number": ("1. one\n2. two", "4. one\n5. two"),
        "an item more": ("3. three", "3. \n4. three"),
        "a numbered list is not": ("1. one\n2. two", "- one\n- two"),
        "a quotation is none": ("> **A topic**\n>\n> Text.", "**A topic**\n\nText."),
        "a quotation ends early": ("> Text.\n", "Text.\n"),
        "lines are one": ("A line\\\n", "A line "),
        "paragraphs are one": ("The caption.\n\nThe legend.", "The caption. The legend."),
        "a paragraph is two": ("The legend.", "The\n\nlegend."),
        "an anchor stands elsewhere": ('<a id="footnotes"></a>\n\n## Footnotes', '## Footnotes\n\n<a id="footnotes"></a>'),
        "a classifier is no emphasis": (" : *kind_t*", " : kind_t"),
    }

    def mutate(self, name, mutations):
        pages = built(THEMES[0])
        if not pages:
            self.skipTest("no Sphinx")
        convert(self.helper, pages, self.dir)
        text = (self.dir / f"{name}.md").read_text()
        for what, (old, new) in mutations.items():
            with self.subTest(what):
                self.assertIn(old, text)
                wrong = self.write("wrong.md", text.replace(old, new))
                code, said, _, last = check(self.helper, pages / f"{name}.html", wrong)
                self.assertEqual(code, 1, said)
                self.assertGreater(last[2], 0)
                self.assertRegex(said, r"(?m)^.*(\.html|wrong\.md)(:\d+)?: ")

    def test_finds_what_is_wrong(self):
        self.mutate("c", self.MUTATIONS)

    def test_finds_what_looks_wrong(self):
        self.mutate("blocks", self.LOOKS)

    def test_finds_anchors_that_are_swapped(self):
        one, two = '<a id="c.ring_mode.RING_MODE_FAST"></a>', '<a id="c.ring_mode.RING_MODE_SAFE"></a>'
        pages = built(THEMES[0])
        if not pages:
            self.skipTest("no Sphinx")
        convert(self.helper, pages, self.dir)
        text = (self.dir / "c.md").read_text()
        wrong = self.write("wrong.md", text.replace(one, "ONE").replace(two, one).replace("ONE", two))
        code, said, _, last = check(self.helper, pages / "c.html", wrong)
        self.assertEqual((code, last[2]), (1, 2), said)
        self.assertIn("the anchor c.ring_mode.RING_MODE_FAST", said)

    def test_finds_what_is_wrong_in_tables(self):
        self.mutate("tables", self.TABLES)

    def test_places(self):
        page = self.page("<p>one</p>\n\n<p>two three</p>")
        wrong = self.write("p.md", "one\n\ntwo\n")
        code, said, _, _ = check(self.helper, page, wrong)
        self.assertEqual(code, 1)
        self.assertIn(f"{page}:3: three\n{wrong}:3: nothing\n", said)

    def test_errors(self):
        page = self.page("<p>one</p>")
        self.assertEqual(self.docs("check", page).returncode, 2)
        self.assertEqual(self.docs("check", page, self.dir / "none.md").returncode, 2)
        self.assertEqual(self.docs("check", "--nosuch").returncode, 2)
        self.assertEqual(self.docs("check", "--help").returncode, 0)


class Constructs(Case):
    """What Debian's Sphinx does not write: older Sphinx, other themes, and pages by hand."""

    def test_old_sphinx(self):
        text = self.markdown(
            '<dl class="function"><dt id="c.f"><code class="descname">f</code><span class="sig-paren">(</span>'
            '<em>int&nbsp;a</em><span class="sig-paren">)</span><a class="headerlink" href="#c.f">#</a></dt>'
            '<dd><p>Text.</p></dd></dl>'
            '<p>See <a class="footnote-reference brackets" href="#id2" id="id1">1</a>.</p>'
            '<dl class="footnote brackets"><dt class="label" id="id2"><span class="brackets">'
            '<a class="fn-backref" href="#id1">1</a></span></dt><dd><p>A note.</p></dd></dl>')
        self.assertIn('<a id="c.f"></a>\n\n# f\n\n```c\nf(int a)\n```\n', text)
        self.assertIn('See <a id="id1"></a>[[1]](#id2).', text)
        self.assertIn('- <a id="id2"></a>[1] A note.', text)

    def test_parameters_each_on_a_line(self):
        text = self.markdown(
            '<dl class="py function"><dt class="sig sig-object py" id="m.f"><span class="sig-prename descclassname">m.'
            '</span><span class="sig-name descname">f</span><span class="sig-paren">(</span><dl>\n<dd><em '
            'class="sig-param">first: int</em>,</dd>\n<dd><em class="sig-param">second</em>,</dd>\n</dl>\n'
            '<span class="sig-paren">)</span> <span class="sig-return-icon">&#x2192;</span> None</dt><dd></dd></dl>')
        self.assertIn("```python\nm.f(first: int, second,) -> None\n```\n", text)

    def test_a_template_whose_name_is_not_marked(self):
        text = self.markdown(
            '<dl class="cpp alias"><dt class="sig sig-object cpp">template&lt;typename <span class="sig-name descname">T'
            '</span>, int = (1 &gt; 0)&gt; __device__ int <a href="#x">both</a>(<span>T</span> a)</dt></dl>')
        self.assertIn("# both\n\n```cpp\ntemplate<typename T, int = (1 > 0)> __device__ int both(T a)\n```\n", text)

    def test_quoted_parentheses(self):
        sig = '<dt class="sig sig-object py" id="{0}"><span class="sig-name descname">{0}</span>(a={1})</dt>'
        text = self.markdown(f"<dl class='py function'>{sig.format('f', chr(39) + '(' + chr(39))}{sig.format('g', 1)}"
                             "<dd>x</dd></dl>")
        self.assertIn("```python\nf(a='(')\n```\n", text)
        self.assertIn("```python\ng(a=1)\n```\n", text)

    def test_names_only_where_they_fit(self):
        def page(prototype, *texts, before="<p>Parameters</p>"):
            items = "".join(f"<li><p>{text}</p></li>" for text in texts)
            return (f'<dl class="c function"><dt class="sig sig-object c"><span class="sig-name descname">{prototype}'
                    f'</span></dt><dd>{before}<ul>{items}</ul></dd></dl>')

        given = " *(from the prototype)*: "
        named = self.markdown(page("void f(int (*cb)(int, char), const char name[], ...)", "A.", "B.", "C."))
        for name, text in (("cb", "A."), ("name", "B."), ("...", "C.")):
            self.assertIn(f"- `{name}`{given}{text}", named)
        for wrong in (page("void f(int a, int b)", "A."), page("void f(int a)", "A.", "B."),
                      page("void f(int, char)", "A.", "B."), page("void f(struct x, unsigned int)", "A.", "B."),
                      page("void f(int a, int b)", "a: A.", "B."), page("void f(int a, int b)", "A.", "<em>b</em> B."),
                      page("void f(int a, int b)", "A.", "B.", before="<p>Steps</p>"), page("void f(void)", "A."),
                      page("int a", "A.")):
            self.assertNotIn("from the prototype", self.markdown(wrong), wrong)

    def test_names_in_other_forms(self):
        sig = ('<dl class="cpp function"><dt class="sig sig-object cpp"><span class="sig-name descname">'
               '__device__ void g(int x, T &lt;A, B&gt; y)</span></dt><dd>{}</dd></dl>')
        for body in ("<p><strong>Arguments:</strong></p><p>One.</p><p>Two.</p>",
                     '<dl class="field-list"><dt>Parameters<span class="colon">:</span></dt><dd><ol><li>One.</li>'
                     '<li>Two.</li></ol></dd></dl>',
                     '<p class="rubric">Parameters</p><div class="line-block"><div class="line">One.</div>'
                     '<div class="line">Two.</div></div>'):
            text = self.markdown(sig.format(body))
            self.assertIn("`x` *(from the prototype)*: One.", text)
            self.assertIn("`y` *(from the prototype)*: Two.", text)

    def test_tables(self):
        text = self.markdown(
            "<table><tr><td rowspan=0>all</td><td>1</td></tr><tr><td>2</td></tr><tr><td colspan=3>3 &#124; 4<br>5"
            "</td></tr></table>")
        self.assertIn("| all | 1 | | |\n| all | 2 | | |\n| all | 3 \\| 4<br>5 | 3 \\| 4<br>5 | 3 \\| 4<br>5 |\n", text)
        text = self.markdown("<table><tr><th>h</th></tr><tr><td><table><tr><td>a</td><td>b</td></tr><tr><td>c</td>"
                             "</tr></table></td></tr></table>")
        self.assertIn("| h |\n| --- |\n| a&emsp;b<br>c |\n", text)

    def test_rows_of_a_table_in_a_cell_are_lines(self):
        text = self.markdown("<table><tr><td><table><tr><td><p>a</p></td><td><p>b</p><p>c</p></td></tr>"
                             "<tr><td><p>d</p></td></tr></table><p>e</p></td></tr></table>")
        self.assertIn("| a&emsp;b c<br>d<br>e |\n", text)

    def test_lists_in_letters_and_roman_numbers(self):
        def items(count, body="<p>x</p>"):
            return f"<li>{body}</li>" * count

        text = self.markdown(f'<ol class="loweralpha simple" start="25">{items(3)}</ol><ol type="I">{items(4)}</ol>'
                             f'<ol class="upperalpha">{items(1, "x<ol class=lowerroman start=9><li>y</li></ol>")}</ol>')
        self.assertEqual(text, "- y. x\n- z. x\n- aa. x\n\n* I. x\n* II. x\n* III. x\n* IV. x\n\n- A. x\n\n  - ix. y\n")
        text = self.markdown(f'<table><tr><td><ol class="loweralpha">{items(2)}</ol></td></tr></table>')
        self.assertIn("| a. x<br>b. x |", text)
        self.assertEqual(self.markdown(f'<ol type="i" start="4000">{items(1)}</ol>'), "4000. x\n")

    def test_items_with_numbers_of_their_own(self):
        self.assertEqual(self.markdown("<ol><li>a<li value=7>b<li>c<li value=2>d</ol>"), "1. a\n\n7) b\n8) c\n\n2. d\n")

    def test_spans_that_overlap(self):
        text = self.markdown("<table><tr><td rowspan=4>A<td><tr><td colspan=2 rowspan=2>no</td></tr></table>"
                             "<table><tr><td>x</td><td rowspan=4>A</td></tr><tr><td colspan=2 rowspan=2>c</td></tr>"
                             "<tr></tr><tr><td>d</td></tr><tr><td>e</td></tr></table>")
        self.assertIn("| x | A |\n| c | c |\n| c | c |\n| d | A |\n| e | |\n", text)

    def test_a_signature_in_a_cell_has_heading_and_block(self):
        sig = '<dl class="c function"><dt class="sig c" id="c.{0}">int <span class="sig-name descname">{0}</span>(int a)</dt><dd>Of {0}.</dd></dl>'
        text = self.markdown(f"<h1>T</h1><table><tr><th>a</th></tr><tr><td>{sig.format('f_x')}</td><td><table><tr><td>{sig.format('g')}"
                             "</td></tr></table></td></tr></table><table><tr><td>1</td></tr></table>")
        for name in ("f_x", "g"):
            self.assertIn(f'<a id="c.{name}"></a>\n\n## {name}\n\n```c\nint {name}(int a)\n```\n\nOf {name}.\n', text)
        self.assertTrue(text.endswith("---\n\n| |\n| --- |\n| 1 |\n"), text)

    def test_abbreviations(self):
        for html, text in (('<abbr title="a &quot;b&quot; |\n x_y \\_ &lt;">MPI</abbr>s', '<abbr title="a &#34;b&#34; &#124; x_y &#92;_ &#60;">MPI</abbr>s'),
                           ("<abbr title=' '>a</abbr> <abbr>b</abbr> <abbr title='none'></abbr>", "a b"),
                           ("<em><abbr title=t>a</abbr></em>", '*<abbr title="t">a</abbr>*'),
                           ("<a href=x><abbr title=t id=i>a</abbr></a>", '<a id="i"></a>[<abbr title="t">a</abbr>](x)')):
            self.assertEqual(self.markdown(f"<p>{html}</p>"), text + "\n")
        self.markdown("<table><tr><td><abbr title='a|b'>c</abbr></td></tr></table><h2><abbr title=x>y</abbr></h2>")
        page = self.page('<p>The <abbr title="one two">A</abbr>.</p>')
        self.assertEqual(check(self.helper, page, self.write("a.md", "The A.\n"))[0], 1)
        self.assertEqual(check(self.helper, page, self.write("a.md", 'The <abbr title="one too">A</abbr>.\n'))[0], 1)

    def test_objects(self):
        self.assertEqual(self.markdown("<p>a <object data='b.svg'>the <b>alt</b></object> <a href=q><object data=c></object></a></p>"),
                         "a ![the alt](b.svg) [![](c)](q)\n")
        self.assertEqual(self.markdown("<object><p>one</p><ul><li>two</ul></object>"), "one\n\n- two\n")

    def test_a_link_that_would_be_a_definition(self):
        for code in ("]: y", "a]: b c", "]:"):
            text = self.markdown(f"<p><a href=x><code>{code}</code></a></p>")
            self.assertEqual(text, f"<a></a>[`{code}`](x)\n")
            self.markdown(f"<ul><li><a href=x><code>{code}</code></a></li></ul><h2><a href=x><code>{code}</code></a></h2>")

    def test_marks_that_come_to_nothing(self):
        for html in ("<strong>a</strong><em>[x]</em>(c)", "<b>a</b><i>[x]</i>: y", "<b>a</b>!<i><a href=x>b</a></i>",
                     "<a href=q><b>a</b><i>[x]</i>(c)</a>", "a<br>**b<br>** c", "** b**", "***a*** ** b"):
            self.markdown(f"<p>{html}</p>")

    def test_anchor_once_in_repeated_cells(self):
        text = self.markdown('<table><tr><td colspan=2 id="x"><span id="y"></span>a</td></tr></table>')
        self.assertIn('| <a id="x"></a><a id="y"></a>a | a |', text)

    def test_formulas_as_pictures(self):
        text = self.markdown('<p>so <img class="math" src="m.png" alt="a_1 &lt; b"/></p><div class="math"><p>'
                             '<span class="eqno">(2)</span><img src="n.png" alt="x^2"/></p></div>')
        self.assertIn("so $`a_1 < b`$\n\n(2)\n\n```math\nx^2\n```\n", text)

    def test_text_that_markdown_would_read(self):
        for text in ("# a", "- a", "+ a", "1. a", "1) a", "> a", "=== a", "--- a", "*** a", "___ a", "~~~ a", "| a |",
                     "[a]: b", "[a](b)", "![a](b)", "&lt;b&gt;", "&amp;amp;", "a `b` c", "\\*a\\*", "*a* **b**", "_a_ __b__",
                     "a_b_", "x *a_ *b_", "~~a~~", "a\\", "[ ] a", "&lt;!-- a --&gt;", "http://a_b_/c_", "a ``` b",
                     "__device__ __host__", "f(__x__, *y)", "é_a_é", "__a__.__b__()"):
            with self.subTest(text):
                self.assertNotIn("\\_", self.markdown(f"<p>{text}</p>"))
                self.markdown(f"<ul><li>{text}</li></ul><table><tr><td>{text}<td><em>{text}</em></table>")
                self.markdown(f"<p><a href='x'>{text}</a>{text}<em>{text}</em>{text}<code>{text}</code>{text}<br>{text}</p>")
                self.markdown(f"<h2>{text}</h2><blockquote>{text}<strong>{text}</strong></blockquote>")

    def test_marks_next_to_marks(self):
        for text in ("<em>a</em><em>b</em>", "a<em>b</em>c", "<em>a.</em>b", "(<em>*</em>)", "<em><strong>a</strong></em>",
                     "<strong>a</strong><em>b</em>", "*<em>a</em>", "<em>a</em>*", "<code>a</code><code>b</code>",
                     "`<code>a</code>`", "<em><code>a</code></em><code>b</code>", "<em> a </em>b", "<em></em>a",
                     "<em>\u2014a</em>b", "<em>a\u2019</em>b", "!<a href=x>a</a>", "[<a href=x>a</a>](b)", "<em>a<br>b</em>",
                     "*BSD (<em><a href=x>a</a></em>)", "<a href=x>a]</a>", "<a href=x>[a]</a>", "<a href='x y(z)&amp;'>a</a>",
                     "<a href=x><code>[</code></a>", "a<sub><em>b</em></sub>", "<code>`a`</code> <code> </code>b"):
            with self.subTest(text):
                self.markdown(f"<p>{text}</p><ul><li>{text}</li></ul><table><tr><td>{text}</table>")

    def test_nothing_but_the_text(self):
        text = self.markdown('<nav>no</nav><div class="sphinxsidebar">no</div><h1>T<a class="headerlink" href="#t">#</a></h1>'
                             '<div class="contents topic"><p>no</p></div><script>no</script><p>yes</p><footer>no</footer>')
        self.assertEqual(text, "# T\n\nyes\n")


class Parts(Case):
    """Text of a page is in its Markdown, is navigation, or is told, by both commands."""

    def both(self, page):
        """Markdown, what the conversion says, exit status and output of the check."""
        path = self.write("p.html", page)
        done = self.docs("convert", path)
        self.assertEqual(done.returncode, 0, done.stderr)
        text = self.write("p.md", done.stdout.decode())
        code, said, _, _ = check(self.helper, path, text)
        return done.stdout.decode(), done.stderr.decode(), code, said

    def test_several_parts_are_all_converted(self):
        main = '<div role="main"><p>{}</p></div>'
        for page in (main.format("one") + main.format("two"),
                     "<main><p>one</p></main><main><p>two</p></main>",
                     '<article role="main">one</article><div>  </div><article role="main">two</article>',
                     '<main><article class="bd-article">one</article><article class="bd-article">two</article></main>',
                     "<body><p>one</p></body><body><p>two</p></body>",
                     f"<html><body>{main.format('one')}</body></html>{main.format('two')}",
                     "<html><body><p>one</p></body></html>\n<p>two</p>",
                     "<html><body><p>one</p></body></html><html><head><title>t</title></head><body>two</body></html>",
                     '<main>one</main><div class="body">two</div>',
                     '<nav><a href="x">x<main>one</main><main>two</main>'):
            with self.subTest(page):
                text, _, _, _ = self.both(page)
                self.assertEqual(text, "one\n\ntwo\n")
        self.assertEqual(self.both("<main>one <div class=body>two</div></main>")[0], "one\n\ntwo\n")

    def test_parts_are_equal_to_the_check(self):
        for page in ("<main>A <main>B</main> C</main><div class=body>D</div>",
                     '<div class="body">' * 50 + "a" + "</div>" * 50,
                     "<p>no part</p><p>at all</p>"):
            with self.subTest(page):
                _, warned, code, said = self.both(page)
                self.assertEqual((warned, code), ("", 0), said)

    def test_text_outside_of_the_parts_is_told(self):
        for page, words, line, name in (
                ("<body><main>one</main>\n<p>lost text</p></body>", 2, 2, "p"),
                ("<body><main>one</main></body></html>\n\n<p>lost text</p>", 2, 3, "html"),
                ("<body><main>one</main></body>\n<body>lost text</body>", 2, 2, "body"),
                ("<div><p>a</p>\n<ul><li>lost text<li>here, too</ul><main>one</main></div>", 5, 2, "ul"),
                ('<div class="body">lost <main>one</main>\ntext and more</div>', 4, 1, "div"),
                ("<main>one</main><div>\xe9l\xe9ment \xbb | \u2192 perdu</div>", 2, 1, "div"),
                ("<main>one\n<form><h2>lost</h2> text</form></main>", 2, 2, "form"),
                ("<main>one\n<button>x<pre>lost text</pre></main>", 3, 2, "button"),
                ("<main>one\n<footer><table><tr><td>lost text</table></footer></main>", 2, 2, "footer"),
                ("<main>one\n<nav><section>lost text</section></nav></main>", 2, 2, "nav"),
                ("<main>one\n<svg><title>t</title><text>label</text></svg></main>", 1, 2, "svg"),
                ("<header>\n<h1>A title</h1></header><main>one</main>", 2, 1, "header")):
            with self.subTest(page):
                text, warned, code, said = self.both(page)
                self.assertEqual(text, "one\n")
                self.assertRegex(warned, rf"p\.html: line [123]: warning: {words} words? of the page (is|are) not in")
                self.assertEqual(code, 1)
                self.assertRegex(said, rf"p\.html:{line}: {words} words of the page stand outside .* in <{name}>")

    def test_navigation_is_counted_and_no_fault(self):
        page = ('<header>site</header><nav>a b c</nav><aside class="toc-drawer">on this page</aside><label>x</label>'
                '<div class="sphinxsidebar"><h3>d</h3></div><div role="search"><form>e</form></div>'
                '<main>one<a class="headerlink" href="#">\xb6</a><form><input>go</form></main>\n<footer>f g h i</footer>'
                '<script>var a = 1</script><dialog>press a key</dialog>')
        text, warned, code, said = self.both(page)
        self.assertEqual((text, warned, code), ("one\n", "", 0), said)
        self.assertRegex(said, r"(?m)^not compared, as navigation: 18 words, the most in one place 4: .*p\.html:2: <footer>$")


class Files(Case):
    def test_writes_below_the_folder_only(self):
        self.page("<p>one</p>", "in/a/p.html")
        (self.dir / "else").mkdir()
        (self.dir / "out").mkdir()
        (self.dir / "out" / "a").symlink_to(self.dir / "else")
        done = self.docs("convert", self.dir / "in", "-o", self.dir / "out")
        self.assertEqual(done.returncode, 2)
        self.assertIn("symbolic link", done.stderr.decode())
        self.assertEqual(list((self.dir / "else").iterdir()), [])

    def test_a_bad_page_leaves_the_old_file(self):
        self.page("<p>new</p>", "in/good.html")
        self.write("in/bad.html", "<p>\xff".encode("latin-1"))
        self.write("out/bad.md", "old\n")
        done = self.docs("convert", self.dir / "in", "-o", self.dir / "out")
        self.assertEqual(done.returncode, 2)
        self.assertIn("bad.html: byte 4", done.stderr.decode())
        self.assertIn("2 pages, 1 failed", done.stderr.decode())
        self.assertEqual((self.dir / "out" / "bad.md").read_text(), "old\n")
        self.assertEqual((self.dir / "out" / "good.md").read_text(), "new\n")
        self.assertEqual(sorted(p.name for p in (self.dir / "out").iterdir()), ["bad.md", "good.md"])

    def test_arguments(self):
        page = self.page("<p>one</p>")
        for arguments, words in (((), "one file or one folder"), ((page, page), "one file or one folder"),
                                 ((self.dir,), "say with -o"), (("--nosuch", page), "no option"),
                                 ((self.dir / "none.html",), "none.html"), (("-o",), "missing")):
            done = self.docs("convert", *arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(words, done.stderr.decode())
        self.write("empty/x.txt", "")
        self.assertIn("no .html", self.docs("convert", self.dir / "empty", "-o", self.dir / "o").stderr.decode())
        odd = self.write("odd.txt", "<p>x")
        self.assertEqual(self.docs("convert", odd).stdout, b"x\n")
        self.assertEqual(self.docs("convert", odd, "-o", self.dir / "o").returncode, 2)
        for arguments in (("--help",), ("convert", "--help"), ("check", "-h")):
            self.assertIn(b"Usage", self.docs(*arguments).stdout)
        self.assertEqual(self.docs().returncode, 2)
        self.assertEqual(self.docs("nosuch").returncode, 2)

    def test_what_is_no_page_says_what_it_is(self):
        png = b"\x89PNG\r\n\x1a\n" + bytes(20)
        for name, content, words in (
                ("k.cu", "#include <a.h>\n// <b>x</b>\n__global__ void f(vector<p> *v) { if (1 <a ) g<<<b>>>(); }\n", "no HTML: it b"),
                ("r.rst", "Title\n=====\n\n<p>x\n", "no HTML: it begins with neither"), ("i.png", png, "a PNG image"),
                ("i.html", png, "a PNG image"), ("m.pdf", "%PDF-1.7\nx", "a PDF document"), ("m.html", "%PDF-1.7\n<p>x", "a PDF"),
                ("p.html.gz", gzip.compress(b"<p>x"), "packed with gzip, no HTML: unpack"), ("z.html", "PK\3\4<p>", "a ZIP archive"),
                ("n.html", b"<p>x\0y", "byte 5 is NUL"), ("b.bin", b"ab\0", "byte 3 is NUL"), ("e.html", " \n", "the file is empty"),
                ("s.svg", "<?xml version='1.0'?>\n<!-- c --><svg xmlns='x'><text>t</text></svg>", "an SVG image"),
                ("s2.svg", "<!DOCTYPE svg PUBLIC 'x'><svg/>", "XML of another kind"), ("x.xml", "<a.b/><p>", "text, but no HTML"),
                ("t.html", "int f(int a);\nif (a <b2 && c> d)\n", "there is no element in it"), ("o.inv", "# Sphinx inventory v2\n", "inv"),
                ("u.txt", "plain".encode("utf-16"), "text, but no HTML"), ("<p>.cu", "int x;", "text, but no HTML")):
            with self.subTest(name):
                path = self.write("odd/" + name, content)
                for arguments in (("convert", path), ("check", path, self.write("odd.md", "x\n"))):
                    done = self.docs(*arguments)
                    self.assertEqual(done.returncode, 2)
                    self.assertIn(words, done.stderr.decode())
                    self.assertEqual(done.stderr.count(b"\n"), 1, done.stderr)
        for name, content, text in (
                ("a", "<!doctype HTML>x", b"x\n"), ("b.txt", "\n<!-- c -->\n<DIV>x</DIV>", b"x\n"), ("c.html", "x <em>y</em>", b"x *y*\n"),
                ("d.HTM", "x<br/>", b"x\n"), ("e.xhtml", '<?xml version="1.0"?><html><body>x</body></html>', b"x\n"),
                ("f", b"\xef\xbb\xbf<p>x", b"x\n"), ("g", "<p>x".encode("utf-16"), b"x\n")):
            with self.subTest(name):
                self.assertEqual(self.docs("convert", self.write("good/" + name, content)).stdout, text)

    def test_folders_that_are_not_there(self):
        page = self.page("<p>one</p>", "in/a.html")
        self.page("<p>two</p>", "in/b.html")
        self.write("file", "")
        out = self.dir / "out"
        for arguments, words in (
                ((self.dir / "none", "-o", out), "there is no "), ((page, "-o", ""), "name a folder"),
                ((self.dir / "in", "-o", self.dir / "file" / "x"), "cannot make folder"),
                ((self.dir / "in", "-o", self.dir / "file"), "is not a folder")):
            done = self.docs("convert", *arguments)
            self.assertEqual(done.returncode, 2)
            self.assertIn(words, done.stderr.decode())
            self.assertEqual(done.stderr.count(b"\n"), 1, done.stderr)
        self.assertEqual(self.docs("convert", page, "-o", out / "not" / "there").returncode, 0)
        self.assertEqual((out / "not" / "there" / "a.md").read_text(), "one\n")

    def test_a_page_that_cannot_be_written_counts_once(self):
        page = self.page("<p>one</p>", "in/a.html")
        (self.dir / "out" / "a.md").mkdir(parents=True)
        done = self.docs("convert", self.dir / "in", "-o", self.dir / "out")
        self.assertEqual(done.returncode, 2)
        self.assertIn("\n1 page, 1 failed: 0 sig", done.stderr.decode())
        self.write("md/a.md", "two\n")
        code, _, counts, last = check(self.helper, self.dir / "in", self.dir / "md")
        self.assertEqual((code, counts["pages"], last[:2]), (1, (1, 1), (0, 1)))
        (self.dir / "md" / "a.md").unlink()
        code, _, counts, last = check(self.helper, page, self.dir / "md" / "a.md")
        self.assertEqual((code, counts["pages"], last[:2]), (2, (1, 0), (0, 1)))

    def test_nothing_checked_is_no_pass(self):
        self.write("in/x.txt", "")
        self.page("<p>one</p>", "page/a.html")
        for arguments, words in (((self.dir / "in", self.dir / "in"), "no .html file"),
                                 ((self.dir / "none", self.dir / "in"), "there is no "),
                                 ((self.dir / "page", self.dir / "none"), "none is none")):
            done = self.docs("check", *arguments)
            self.assertEqual((done.returncode, done.stdout), (2, b""))
            self.assertIn(words, done.stderr.decode())

    def test_a_page_named_strangely(self):
        self.page("<p>one</p>", "in/a b\x1b[31m.html")
        self.write("in/bad\x1b[31m.html", b"\xff\xff")
        done = self.docs("convert", self.dir / "in", "-o", self.dir / "out")
        self.assertNotIn(b"\x1b", done.stderr)
        self.assertTrue((self.dir / "out" / "a b\x1b[31m.md").exists())

    def test_a_reader_that_leaves(self):
        page = self.page("<p>word </p>" * 100000)
        with subprocess.Popen([self.helper, "convert", str(page)], stdout=subprocess.PIPE) as process:
            process.stdout.read(10)
            process.stdout.close()
            self.assertIn(process.wait(60), (-signal.SIGPIPE, 0))
        if os.path.exists("/dev/full"):
            with open("/dev/full", "wb") as full:
                done = subprocess.run([self.helper, "convert", str(page)], stdout=full, stderr=subprocess.PIPE,
                                      check=False, timeout=60)
            self.assertEqual(done.returncode, 2)


if __name__ == "__main__":
    sys.argv = [argument for argument in sys.argv if argument != "--update"]
    clicase.run_tests(sys.modules[__name__], Case)
