#!/usr/bin/env python3
"""`shmemlore overlap` against a second writing of its definition, and with planted copies in files of every kind.

usage: test_overlap.py SHMEMLORE [TEST...]
"""

import hashlib
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "cli"))
sys.path.insert(0, str(HERE))
import plants  # noqa: E402  pylint: disable=wrong-import-position
import reference  # noqa: E402  pylint: disable=wrong-import-position
from clicase import Case, run_tests  # noqa: E402  pylint: disable=wrong-import-position

SENTENCE = "the quick brown fox jumps over the lazy dog while nobody looks at all"
OTHER = "nothing that anybody else has ever written in this order of words before today"
BYTES = "3d3761c55ec1b0bfc6fd0378be2fef117747d407e66fe1c988985ea3d2f7bce8"  # of the filter of SENTENCE
SLOW = int(os.environ.get("OVERLAP_ROUNDS", "1"))


class Overlap(Case):

    def compare(self, *arguments, status=None):
        done = self.run_it("overlap", "--json", *[str(a) for a in arguments])
        self.assertEqual(done.stderr, "")
        value = json.loads(done.stdout)
        self.assertEqual(value["schema"], "shmemlore.overlap/1")
        self.assertEqual(done.returncode, 1 if value["runs"] else 0)
        if status is not None:
            self.assertEqual(done.returncode, status, done.stdout)
        return value

    def prose(self, name, text):
        """The words that are compared, one list for each line of the file that has some; --- is a break."""
        path = self.write(name, text)
        done = self.run_it("overlap", "--prose", str(path))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return [line.split(":", 1)[1].strip() if line != "---" else line
                for line in done.stdout.replace(str(path), "").splitlines()]


class Definition(Overlap):
    """Random corpora of few words: the program and the reference tell the same runs."""

    VOCABULARY = ["a", "b", "The", "the", "don't", "don’t", "dont", "nvshmem_put", "_nvshmem_put_", "x1", "42", "ﬁne",
                  "FINE", "Straße", "strasse", "Ж", "ж", "e\u0301t", "ét", "so\u00adft", "soft", "٣", "co-op", "’", "'",
                  "see http://example.org/a/b?c=d,", "日本", "½", "™", "\ufeff"]

    def made(self, source, length):
        text = ""
        for _ in range(length):
            text += source.choice(self.VOCABULARY) + source.choice([" ", " ", " ", "\n", ", ", "\t", " -- ", "\r\n"])
        return text

    def one(self, seed):
        source = random.Random(seed)
        few = source.sample(self.VOCABULARY, source.randint(2, 6))
        self.VOCABULARY, kept = few, self.VOCABULARY
        try:
            texts = [self.made(source, source.randint(5, 90)) for _ in range(2)]
        finally:
            self.VOCABULARY = kept
        n = source.randint(4, 11)
        ours, theirs = [self.write(f"{name}.txt", text) for name, text in zip(("ours", "theirs"), texts)]
        wanted = reference.runs(*[reference.words(text) for text in texts], n)
        if not all(reference.words(text) for text in texts):
            self.fails(2, "has no word of prose", "overlap", str(ours), str(theirs))
            return False
        value = self.compare("-n", n, ours, theirs)
        got = [{"line": run["line"], "last_line": run["last_line"], "words": run["words"], "parts": run["part_count"],
                "count": run["place_count"], "places": [(p["line"], p["last_line"]) for p in run["places"]]}
               for run in value["runs"]]
        for run in wanted:
            run["count"] = len(run["places"])
            run["places"] = run["places"][:5]
        for run in got:
            run["places"].sort()
        full = [run for run in zip(wanted, got) if run[0]["count"] > 5]
        for left, right in full:  # which five of equal lines are shown is not promised
            left["places"] = right["places"] = []
        self.assertEqual(got, wanted, (seed, n, texts))
        if n > 8 and texts[1].strip():
            self.against(seed, n, ours, theirs, texts)
        return bool(wanted)

    def against(self, seed, n, ours, theirs, texts):
        words = [reference.words(text) for text in texts]
        wanted = reference.filter_runs(*words, n)
        done = self.run_it("overlap", "-n", str(n), "--publish", str(self.dir / "f"), str(theirs))
        if done.returncode == 2:  # no run of n words
            self.assertFalse(wanted)
            return
        value = self.compare("--against", self.dir / "f", ours)
        got = [(run["line"], run["last_line"], run["words"]) for run in value["runs"]]
        self.assertEqual(got, wanted, (seed, n, texts))

    def test_random_corpora(self):
        some = sum(self.one(seed) for seed in range(150 * SLOW))
        self.assertGreater(some, 20 * SLOW)

    def test_either_side_may_be_held(self):
        """The larger side is read past the smaller: the runs are the same whichever it is."""
        pad = " ".join(f"w{i}" for i in range(3000))
        for ours, theirs in (("", pad), (pad, "")):
            ours = self.write("o.txt", f"one\n{SENTENCE}\n{ours}")
            theirs = self.write("t.txt", f"{theirs}\n\n{SENTENCE.upper()}")
            value = self.compare(ours, theirs, status=1)
            self.assertEqual([(r["line"], r["words"], r["places"][0]["line"]) for r in value["runs"]], [(2, 14, 3)])
            self.assertIn(value["runs"][0]["text"].lower(), (SENTENCE,))


class Planted(Overlap):

    def test_every_kind_against_every_kind(self):
        total = 0
        for seed in range(4 * SLOW):
            for ours in plants.WRITERS:
                for theirs in plants.WRITERS:
                    total += self.plant(random.Random(f"{seed} {ours.ending} {theirs.ending}"), ours, theirs)
        self.assertEqual(total, 4 * SLOW * len(plants.WRITERS) ** 2)

    def plant(self, source, ours, theirs):
        length = source.randint(10, 40)
        sentence = plants.vocabulary(source, length, "ijklm")
        source.shuffle(sentence)
        files = []
        for writer, own in ((ours, True), (theirs, False)):
            text = writer(source, own).file(sentence)
            files.append((self.write(("o" if own else "t") + writer.ending, text), text))
        value = self.compare(files[0][0], files[1][0])
        told = (ours.ending, theirs.ending, [text for _, text in files], value)
        self.assertEqual(len(value["runs"]), 1, told)
        run = value["runs"][0]
        self.assertEqual(run["words"], length, told)
        for place, (_, text) in zip((run, run["places"][0]), files):
            self.assertEqual(place["line"], line_of(text, sentence[0]), told)
            self.assertEqual(place["last_line"], line_of(text, sentence[-1]), told)
        return 1

    def test_from_the_filter_too(self):
        source = random.Random(7)
        sentence = plants.vocabulary(source, 10, "ijklm")
        for writer in plants.WRITERS:
            theirs = self.write("corpus/t" + writer.ending, writer(source, False).file(sentence))
            self.found("overlap", "--publish", str(self.dir / "f"), str(theirs.parent))
            theirs.unlink()
            ours = self.write("o.md", plants.Markdown(source, True).file(sentence))
            value = self.compare("--against", self.dir / "f", ours, status=1)
            self.assertEqual([run["words"] for run in value["runs"]], [10], writer.ending)


def line_of(text, word):
    """The line of a word that is disguised in some way."""
    letters = ["[eｅ]" if c == "e" else c for c in word]
    joint = r"(?:\u00ad|\\-|</?[ib]>|\*|&shy;|&#xAD;|`|\[|\]\(other\.md\))*"
    pattern = joint.join(letters).replace("f" + joint + "i", "(?:f" + joint + "i|ﬁ)")
    match = re.search(rf"(?<![a-zｅﬁ]){pattern}(?![a-zｅﬁ\u00ad])", text, re.I)
    assert match, (word, text)
    return text.count("\n", 0, match.start()) + 1


class Kinds(Overlap):

    def test_markdown(self):
        text = ("---\ntitle: x\n---\n# Head line\n\nA `name_x` and `src:a/b.c:1-2`, [link](to#x \"y\") &amp; a\\_b.\n\n"
                "```c\ncode();\n```\n\n<!-- generated: used -->\n\n| no | no |\n|---|---|\n| no | no |\n\n<!-- end -->\n"
                "\n| cell one | two |\n|---|---|\n| three | <https://a.b/c> four |\n")
        self.assertEqual(self.prose("a.md", text), [
            "4: Head line", "6: A name_x and link a_b", "---", "20: cell one two", "22: three four"])

    def test_marks_inside_of_words(self):
        for text, words in (
                ("sym<b>metric</b> *sym*metric sym**met**ric ~~sym~~metric", "symmetric symmetric symmetric symmetric"),
                ("a*b is no mark, x * y * z not either; one\\*two\\*three", "a b is no mark x y z not either one two three"),
                ("so&shy;ft so\u00adft so&#173;ft so&#xad;ft caf&eacute; a&nbsp;b c&lt;d &nosuch; e", "soft soft soft soft caf\xe9 a b c d e"),
                ("word[^1] next[^note], and[^2]", "word next and"), ("word<sup>1</sup> x<sup>[2]</sup> y <sup><a href='#a'>[3]</a></sup>", "word x y"),
                ("2<sup>nd</sup> word\u2020 z<sup>\u2020</sup>", "2nd word z"), ("word[[1]](#id1) next [[12]](#id-2).", "word next"),
                ("[sym](x.md)metric sym[metric](y) a[b] c", "symmetric symmetric a b c"), ("`name`s one<br>two a<span class='x'>b</span>", "names one two ab"),
                ("<em>a</em>b<!-- c -->d <me@example.org> e", "abd e"), ("a_b_c *__d__*", "a_b_c d")):
            with self.subTest(text):
                got = self.prose("a.md", text + "\n")
                plain = self.write("b.txt", words + " " + SENTENCE)
                value = self.compare("-n", 4, self.write("a.md", text + " " + SENTENCE + "\n"), plain, status=1)
                self.assertEqual(value["runs"][-1]["words"], len(re.findall(r"\w+", words)) + 14, got)

    def test_html_inside_of_markdown(self):
        text = ("one\n\n<div align=center>\n  <b>two</b> `three` a*b*c\n\n**four**\n</div>\n<table><tr><td>five</td>\n<td>six&shy;teen"
                "</td></tr></table>\n\n<details><summary>seven</summary><pre>no\n</pre>\neight</details>\n\n<script>\nno\n\nno</script>\n\n"
                "nine\n\n<!-- no -->\n\nten\n\n<p>eleven <!-- no\n --> twelve</p>\n\n<div title=\"no\"\nid='no'>thirteen\n")
        self.assertEqual(self.prose("a.md", text), [
            "1: one", "4: two three a b c", "6: four", "8: five", "9: six\u00adteen", "11: seven", "---", "13: eight", "---", "20: nine",
            "---", "24: ten", "26: eleven", "27: twelve", "30: thirteen"])

    def test_footnotes_of_html(self):
        text = ("<p>one<a class='footnote-reference' href='#f'>[1]</a> two<sup>2</sup> three <sup><a href='#x'>[3]</a></sup>\n"
                "four<a role='doc-noteref'>*</a> 5<sup>th</sup> six&shy;teen sym<b>metric</b> sym<wbr>metric</p>")
        self.assertEqual(self.prose("a.html", text), ["1: one two three", "2: four 5th six\u00adteen symmetric symmetric"])

    def test_long_markdown_is_read_in_pieces(self):
        theirs = self.write("t.md", "words of some kind\n\n" * 100000 + SENTENCE + "\n")
        value = self.compare(self.write("o.md", SENTENCE), theirs, status=1)
        self.assertEqual(value["runs"][0]["places"][0]["line"], 200001)
        bad = self.write("bad.md", "words of some kind\n" * 100000)
        self.fails(2, "without an empty line", "overlap", "--prose", str(bad))

    def test_html(self):
        text = ("<html><head><title>no</title></head><body><nav>no</nav>\n<p>one<b>two</b> three</p><p>four\n"
                "<pre>no</pre>\nfive<a class='headerlink' href='#x'>¶</a> <script>no</script></p></body></html>")
        self.assertEqual(self.prose("a.html", text), ["2: onetwo three four", "---", "4: five"])
        self.assertEqual(self.prose("README", text), self.prose("a.html", text))

    def test_latex(self):
        text = ("\\newcommand{\\lib}[1][]{Lib\\ifthenelse{\\equal{#1}{}}{}{~#1}\\xspace}\n"
                "\\newcommand{\\two}[2]{\\emph{#2} then #1}\n% no\nThe \\lib[9] of \\two{one\n}{more}, \\acp{PE}\\% \\_x\n"
                "\\begin{tabular}{p{2cm} l}\ncell & other\\\\[2pt]\n\\end{tabular}\n\\begin{lstlisting}\nno\n"
                "\\end{lstlisting}\nsee~\\ref{no}, na\\-me\\footnote{A foot.} $no$ \\verb|a_b| end%\n    joined\n")
        self.assertEqual(self.prose("a.tex", text), [
            "4: The Lib 9 of", "5: more", "4: then one", "5: PEs _x", "7: cell other", "---",
            "12: see name A foot a_b endjoined"])

    def test_latex_that_defines_too_much_is_left_out(self):
        many = "".join("\\newcommand{\\m%s}{x}\n" % "".join(chr(97 + int(c)) for c in str(i)) for i in range(5000))
        words = "ten words stand here so that a run of them counts"
        self.write("ours/many.tex", "\\newcommand{\\same}{wrong}\n" + many + words)
        self.write("ours/next.tex", "\\newcommand{\\ten}{ten words}\n\\ten{} stand here so that a run of them counts")
        theirs = self.write("theirs.txt", words + "\n")
        done = self.run_it("overlap", str(self.dir / "ours"), str(theirs))
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"many\.tex.*more than 4096 macros.*left out")
        self.assertIn("next.tex", done.stdout)
        self.assertNotIn("many.tex:", done.stdout)

    def test_latex_macros_that_never_end(self):
        self.assertEqual(self.prose("a.tex", "\\def\\a{\\a}\\def\\b{x\\a}\nword \\b \\a end\n"), ["2: word x end"])
        bomb = "".join(f"\\newcommand{{\\m{chr(98 + i)}}}{{\\m{chr(97 + i)}\\m{chr(97 + i)}}}\n" for i in range(24))
        path = self.write("b.tex", "\\newcommand{\\ma}{" + "x " * 50 + "}\n" + bomb + "\\m" + chr(97 + 24) + "\n")
        self.fails(2, "macros or groups", "overlap", "--prose", str(path))

    def test_c(self):
        text = ("int a; // one\n   // two @param[in] three\nchar *s = \"/* no */\", c = '\"'; /* four\n * five */ /* six */\n"
                "auto r = R\"y(// no)\" /* no */)y\"; x = 1'000; // seven \\\n eight\n#define M 1 // nine\n/* open\n")
        self.assertEqual(self.prose("a.cu", text), [
            "1: one", "2: two three", "---", "3: four", "4: five six", "---", "5: seven", "6: eight", "---", "7: nine",
            "8: open"])

    def test_python(self):
        text = ('"""One\ntwo"""\nx = "no"  # three\n# four\ndef f():\n    r\'\'\'five\'\'\'\n    return f"{x["no"]}"\n'
                "class C:\n    'six'\n")
        self.assertEqual(self.prose("a.py", text), [
            "1: One", "2: two", "---", "3: three", "4: four", "---", "6: five", "---", "9: six"])

    def test_lists_of_names_are_no_prose(self):
        names = ", ".join(f"nvshmem_{t}_put" for t in ("int", "long", "float", "double", "char", "short")) * 4
        self.compare(self.write("a.txt", names + " 1 2 3 4 5"), self.write("b.txt", names + " 1 2 3 4 5"), status=0)
        half = "call nvshmem_put then nvshmem_quiet and nvshmem_fence to nvshmem_x the_y now"
        self.compare(self.write("a.txt", half), self.write("b.txt", half), status=1)


class CommandLine(Overlap):

    def test_text(self):
        ours = self.write("o/a.md", f"x\n\n{SENTENCE}\n")
        self.write("o/sub/b.md", f"{OTHER}\n")
        for i in range(8):
            self.write(f"t/{i}.h", f"// {SENTENCE}\n")
        theirs = self.write("t/z.txt", f"first\n{SENTENCE[:40]}\n{SENTENCE[40:]}\n")
        self.write("t/data.bin", b"\0\1")
        done = self.run_it("overlap", str(self.dir / "o"), str(self.dir / "t"))
        places = ", ".join(f"{theirs.parent}/{i}.h:1" for i in range(5))
        self.assertEqual(done.stdout, (
            f"{ours}:3: 14 words, also in {places} and 4 more places (9 files in all)\n    {SENTENCE}\n"
            "1 run of 10 words or more, 14 of 29 words, in 2 files; compared with 127 words in 9 files; "
            "1 of no kind that holds prose left out\n"))
        self.assertEqual((done.returncode, done.stderr), (1, ""))

    def test_several_of_ours(self):
        one, two = self.write("1.txt", OTHER), self.write("2.txt", SENTENCE)
        value = self.compare(one, two, self.write("3.txt", SENTENCE), status=1)
        self.assertEqual([run["file"] for run in value["runs"]], [str(two)])
        self.assertEqual(value["ours"]["files"], 2)

    def test_standard_input(self):
        ours = self.write("o.txt", SENTENCE)
        with open(self.write("in", f"\n{SENTENCE}\n"), encoding="utf-8") as stdin:
            done = self.run_it("overlap", "--json", str(ours), "-", stdin=stdin)
        self.assertEqual(json.loads(done.stdout)["runs"][0]["places"],
                         [{"file": "-", "line": 2, "last_line": 2}])
        self.fails(2, "not both", "overlap", "-", "-")

    def test_a_run_over_the_border_of_a_block(self):
        for pad in range((1 << 20) - 60, (1 << 20) + 4, 7):
            theirs = self.write("t.txt", "x" * 99 + "\n" + " " * (pad - 100) + SENTENCE)
            value = self.compare(self.write("o.txt", SENTENCE), theirs, status=1)
            self.assertEqual(value["runs"][0]["words"], 14, pad)

    def test_what_cannot_be_read_is_said(self):
        ours = self.write("o.txt", SENTENCE)
        self.fails(2, "cannot open", "overlap", str(ours), str(self.dir / "none"))
        self.fails(2, "is no text", "overlap", str(ours), str(self.write("x.bin", b"a\0b")))
        os.mkfifo(self.dir / "fifo")
        self.fails(2, "not a regular file", "overlap", str(ours), str(self.dir / "fifo"))
        self.write("t/bad.html", b"<p>\xff\xfe\xfd</p><!-- open")
        self.write("t/good.txt", SENTENCE)
        done = self.run_it("overlap", str(ours), str(self.dir / "t"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("14 words, also in", done.stdout)
        self.assertRegex(done.stderr, r"^shmemlore overlap: .*bad\.html.*left out\)\n$")

    def test_a_side_without_words_is_no_verdict(self):
        full = self.write("full.txt", SENTENCE)
        (self.dir / "none").mkdir()
        self.write("bin/a.o", b"\0\1")
        for empty in (self.write("empty.txt", ""), self.write("code.c", "int a;\n"), self.write("a.txt", "http://a.b/c\n\n"),
                      self.dir / "none", self.dir / "bin"):
            for options in ((), ("--json",)):
                self.fails(2, "OURS has no word of prose", "overlap", *options, str(empty), str(full))
                self.fails(2, "THEIRS has no word of prose", "overlap", *options, str(full), str(empty))
        self.found("overlap", "--publish", str(self.dir / "f"), str(full))
        self.fails(2, "OURS has no word of prose", "overlap", "--against", str(self.dir / "f"), str(self.dir / "bin"))
        self.fails(2, "THEIRS has no word of prose", "overlap", str(full), "-")

    def test_deep_folders(self):
        ours = self.write("o.txt", SENTENCE)
        for deep, status in ((17, 1), (64, 1), (65, 2)):
            name = f"t{deep}/" + "d/" * deep
            self.write(name + "x.txt", SENTENCE)
            self.write(f"t{deep}/near.txt", SENTENCE)
            done = self.run_it("overlap", str(ours), str(self.dir / f"t{deep}"))
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertIn("near.txt", done.stdout)
            self.assertEqual("x.txt" in done.stdout, status == 1)
            if status == 2:
                self.assertRegex(done.stderr, rf"^[^\n]*{name[:-1]}: a folder more than 64 deep [^\n]*left out\)\n$")

    def test_words_that_a_line_ends(self):
        """Both readings of a hyphen at a line's end are tried, on either side, whichever is held."""
        tail = "put waits for all of them at home"
        ours = self.write("o.md", f"# T\n\nSome words:\nthe synchronise call that every rank makes at its end is a one-sided {tail}\n")
        copies = (f"the syn-\nchronise call that every rank makes at its end is a one-\nsided {tail}",
                  f"the syn-\r\n   chronise call that every rank makes\nat its end is a one-sided {tail}",
                  f"the syn\u00ad\nchronise call that every rank makes at its end is a one\u2010\nsided {tail}")
        for copy in copies:
            for pad in ("", "other words " * 3000):
                theirs = self.write("t.txt", f"{pad}\n{copy}\n")
                value = self.compare("-n", 8, ours, theirs, status=1)
                text = " ".join(r["text"] for r in value["runs"])
                self.assertRegex(text, r"syn(chronise|..?\s+chronise)\s+call that every")
                self.assertRegex(text, rf"a one\W+sided {tail}")
                self.compare("-n", 8, theirs, ours, status=1)
        whole = self.write("t.txt", copies[1])
        self.found("overlap", "--publish", str(self.dir / "f"), str(ours))
        self.assertEqual([r["words"] for r in self.compare("--against", self.dir / "f", whole, status=1)["runs"]], [20, 22])
        self.assertEqual([r["words"] for r in self.compare(ours, whole, status=1)["runs"]], [20, 22])
        lines = self.write("t.txt", f"one line\n\nthe one-\nsided {tail}\nand more\n")
        self.assertEqual([(r["words"], r["places"][0]["line"], r["places"][0]["last_line"])
                          for r in self.compare(ours, lines, status=1)["runs"]], [(10, 3, 4)])
        for pad in range((1 << 20) - 60, (1 << 20) + 4, 5):
            theirs = self.write("t.txt", "x" * 99 + "\n" + " " * (pad - 100) + copies[1])
            self.assertEqual(max(r["words"] for r in self.compare(ours, theirs, status=1)["runs"]), 22, pad)

    def test_links_are_not_followed(self):
        self.write("secret/a.txt", SENTENCE)
        (self.dir / "t").mkdir()
        (self.dir / "t/link").symlink_to(self.dir / "secret")
        (self.dir / "t/file.txt").symlink_to(self.dir / "secret/a.txt")
        self.fails(2, "(0 files read", "overlap", str(self.write("o.txt", SENTENCE)), str(self.dir / "t"))

    def test_usage(self):
        for words, arguments in (
                ("two corpora", ["a"]), ("-n takes", ["-n", "3", "a", "b"]), ("-n takes", ["-n", "x", "a", "b"]),
                ("no such option", ["--nope"]), ("guessing", ["-n", "8", "--publish", "f", "a"]),
                ("exclude", ["--prose", "--publish", "f", "a"]), ("which corpus", ["--against", "f"])):
            self.fails(2, words, "overlap", *arguments)
        self.assertIn("Examples:", self.found("overlap", "--help"))

    def test_output_steers_no_terminal(self):
        dirty = SENTENCE.replace(" ", " \x1b[31m ")
        done = self.run_it("overlap", str(self.write("o.txt", dirty)), str(self.write("t.txt", dirty)))
        self.assertEqual(done.returncode, 1)
        self.assertNotIn("\x1b", done.stdout)

    def test_the_same_words_over_and_over(self):
        """More places of one run than are followed: in reasonable time, and no word of OURS is missed."""
        for ours, theirs in ((20000, 50000), (50000, 20000)):
            value = self.compare(self.write("o.txt", "again\n" * ours), self.write("t.txt", "again " * theirs), status=1)
            covered = set()
            for run in value["runs"]:
                covered.update(range(run["line"], run["last_line"] + 1))
            self.assertEqual(len(covered), ours)


class Filter(Overlap):

    def publish(self, text, *options):
        corpus = self.write("corpus.txt", text)
        path = self.dir / "f"
        self.found("overlap", *options, "--publish", str(path), str(corpus))
        return path

    def test_says_what_chance_is(self):
        path = self.publish(SENTENCE)
        done = self.run_it("overlap", "--against", str(path), str(self.write("o.txt", OTHER + " " + SENTENCE)))
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"14 words, also in {path}\n    {SENTENCE}\n", done.stdout)
        self.assertRegex(done.stdout, r"by chance, 4\.\de-09 runs are to be expected: 19 looked up")

    def test_holds_no_text_and_is_always_the_same(self):
        first = self.publish(SENTENCE).read_bytes()
        self.assertEqual(first, self.publish(SENTENCE.upper()).read_bytes())
        self.assertEqual(hashlib.sha256(first).hexdigest(), BYTES,
                         "words, hashes or grams are not what they were: raise VERSION in filter.c, publish anew")
        for word in SENTENCE.split():
            if len(word) > 3:
                self.assertNotIn(word.encode(), first)

    def test_of_every_small_size(self):
        words = plants.vocabulary(random.Random(3), 60, "ab")
        for count in range(10, 60):
            path = self.publish(" ".join(words[:count]))
            value = self.compare("--against", path, self.write("o.txt", " ".join(words)), status=1)
            self.assertEqual([run["words"] for run in value["runs"]], [count])

    def test_longer_runs_alone(self):
        path = self.publish(SENTENCE)
        ours = self.write("o.txt", SENTENCE)
        self.compare("-n", 14, "--against", path, ours, status=1)
        self.compare("-n", 15, "--against", path, ours, status=0)
        self.fails(2, "runs of 10 words or more", "overlap", "-n", "9", "--against", str(path), str(ours))

    def test_damage_is_noticed(self):
        path = self.publish(SENTENCE)
        good = path.read_bytes()
        ours = str(self.write("o.txt", SENTENCE))
        for at in range(len(good)):
            path.write_bytes(good[:at] + bytes([good[at] ^ 4]) + good[at + 1:])
            self.fails(2, "filter", "overlap", "--against", str(path), ours)
        for length in (0, 7, 63, 64, len(good) - 1):
            path.write_bytes(good[:length])
            self.fails(2, "filter", "overlap", "--against", str(path), ours)
        path.write_bytes(good + b"\0")
        self.fails(2, "damaged", "overlap", "--against", str(path), ours)

    def test_nothing_to_publish(self):
        corpus = self.write("c.txt", "too few words")
        self.fails(2, "nothing to publish", "overlap", "--publish", str(self.dir / "f"), str(corpus))
        self.assertFalse((self.dir / "f").exists())

    def test_a_file_that_cannot_be_read_is_in_no_filter(self):
        self.write("t/a.txt", SENTENCE)
        self.write("t/bad.html", b"<p><!-- open")
        done = self.run_it("overlap", "--publish", str(self.dir / "f"), str(self.dir / "t"))
        self.assertEqual(done.returncode, 2)
        self.assertFalse((self.dir / "f").exists())


class Hostile(Overlap):
    """One short text again and again, 900 KB of it: no kind takes long over it."""

    TEXTS = {
        ".md": ["](", "[a](", "`a``b```c````d", "`" * 70 + " ", "<!-- ", "<a ", "&a", "\\", "> ", "|a", "- a\n", "```\n\n"],
        ".html": ["<b>", "<p>", "<div>a", "</p>", "<!--", "&amp", "a<br>", "<table><tr><td>"],
        ".tex": ["{", "}", "\\a{", "\\label{", "\\newcommand{\\a}{", "\\begin{verbatim}", "\\begin{a", "$", "$ \n\n", "\\\\[",
                 "%", "\\def\\a#1{\\a{#1}\\a{#1}}\\a b ", "\\item[", "#1", "\\verb|", "\\( "],
        ".c": ["/*", "//", '"', "'", 'R"(', "\\\n", "/* */", "@a", "1'"],
        ".py": ["'''", "#", "f'{", "(", "'a'\n", "def f():\n '''a'''\n"],
        ".txt": ["a", "'", "http://", "\u0301", "\ufdfa", "\u2019", "日", "\u00ad", "a b "],
    }

    def test_none_takes_long(self):
        ours = self.write("o.txt", SENTENCE)
        for ending, texts in self.TEXTS.items():
            for text in texts:
                path = self.write("t" + ending, text * (900_000 // len(text.encode())))
                begin = time.monotonic()
                done = self.run_it("overlap", str(ours), str(path))
                self.assertIn(done.returncode, (0, 2), (ending, text, done.stderr))
                self.assertLess(time.monotonic() - begin, 60, (ending, text))


class Library(Overlap):
    """The scanner for C finds what the compiler's own preprocessor calls comments."""

    def test_comments_of_our_own_sources(self):
        root = HERE.parent.parent / "src"
        for path in sorted(root.glob("*/*.c"))[:40]:
            text = path.read_text(encoding="utf-8")
            bare = subprocess.run(["gcc", "-fpreprocessed", "-dD", "-E", "-P", "-x", "c", "-"], input=text, text=True,
                                  capture_output=True, check=True).stdout
            kept = self.prose("copy.c", text)
            said = sum(len(line.split(":", 1)[1].split()) for line in kept if line != "---")
            commented = len(reference.words(text)) - len(reference.words(bare))
            self.assertEqual(said, commented, path)


if __name__ == "__main__":
    run_tests(sys.modules[__name__], Case)
