"""Made files of every kind, with a known sentence in each: for the test that every planted copy is found."""

import random

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def vocabulary(source, count, first):
    """Words that begin with a letter of `first`: two vocabularies have none in common."""
    made = set()
    while len(made) < count:
        made.add(source.choice(first) + "".join(source.choice(LETTERS) for _ in range(source.randint(2, 9))))
    return sorted(made)


class Writer:
    """One file. Subclasses say how a sentence looks in it."""

    comment = False

    def __init__(self, source, ours):
        self.source = source
        self.filler = vocabulary(random.Random(1 if ours else 2), 300, "abcd" if ours else "efgh")

    def disguise(self, word):
        """The same word as a comparison sees it."""
        kind = self.source.randrange(12)
        if kind == 0:
            return word.upper()
        if kind == 1:
            return word.capitalize()
        if kind == 2:
            return word.replace("fi", "ﬁ").replace("e", "ｅ", 1)
        if kind == 3 and len(word) > 3:
            return word[:2] + "\u00ad" + word[2:]
        return word

    def decorate(self, word):
        return word

    def wrap(self, text, width=None):
        """Lines of words; punctuation strewn in."""
        width = width or self.source.randint(20, 100)
        lines = [""]
        for word in text:
            word = self.decorate(self.disguise(word)) + self.source.choice(["", "", "", "", ",", ";", ".", ":"])
            if lines[-1] and len(lines[-1]) + len(word) > width:
                lines.append("")
            lines[-1] += (" " if lines[-1] else "") + word
        return lines

    def some(self):
        return [self.source.choice(self.filler) for _ in range(self.source.randint(5, 60))]

    def block(self, lines):
        return "\n".join(lines) + "\n\n"

    def apart(self):
        return ""

    def file(self, sentence):
        """The text, with the sentence amid other text."""
        before = self.some()
        after = self.some()
        parts = [self.block(self.wrap(self.some())) for _ in range(self.source.randint(0, 4))]
        parts.append(self.apart())
        if self.source.random() < 0.5:  # inside of a paragraph
            parts.append(self.block(self.wrap(before + sentence + after)))
        else:
            parts.append(self.block(self.wrap(sentence)))
        parts.append(self.apart())
        parts += [self.block(self.wrap(self.some())) for _ in range(self.source.randint(0, 3))]
        return "".join(parts)


class Plain(Writer):
    ending = ".txt"


class Markdown(Writer):
    ending = ".md"

    def decorate(self, word):
        kind = self.source.randrange(28)
        head, tail = word[:2], word[2:]
        return {14: f"{word}[^n1]", 15: f"{word}<sup>[2]</sup>", 16: f"{word} [[3]](#f3)", 17: f"**{head}**{tail}",
                18: f"{head}*{tail}*", 19: f"{head}&shy;{tail}", 20: f"{head}<b>{tail}</b>", 21: f"{head}&#xAD;{tail}",
                22: f"[{head}](other.md){tail}", 23: f"{head}[{tail}](other.md)", 24: f"`{head}`{tail}",
                25: f"{word}<sup><a href='#f'>1</a></sup>", 0: f"**{word}**", 1: f"*{word}*", 2: f"`{word}`", 3: f"[{word}](other.md#{word})",
                4: f"{word} `src:a/b.c:12-13`", 5: f"<b>{word}</b>", 6: f"[{word}][1]"}.get(kind, word)

    def block(self, lines):
        kind = self.source.randrange(4)
        if kind == 0:
            return "- " + "\n  ".join(lines) + "\n\n"
        if kind == 1:
            return "> " + "\n> ".join(lines) + "\n\n"
        if kind == 2:
            one, two = self.filler[:2]  # the cells around are no words of the other file's
            return f"| {one} | {two} |\n|---|---|\n| " + " ".join(lines) + f" | {one} |\n\n"
        return "\n".join(lines) + "\n\n"

    def apart(self):
        return "```\nint code = 1;\n```\n\n"

    def file(self, sentence):
        return "---\ntitle: made\n---\n# Heading\n\n" + super().file(sentence)


class Html(Writer):
    ending = ".html"

    def decorate(self, word):
        kind = self.source.randrange(12)
        half = len(word) // 2
        return {0: f"<b>{word}</b>", 1: f'<a href="x.html#{word}">{word}</a>', 2: f"{word[:half]}<i>{word[half:]}</i>",
                3: f"<code>{word}</code>", 4: f"<!-- not this -->{word}", 5: f"{word}&nbsp;"}.get(kind, word)

    def block(self, lines):
        tag = self.source.choice(["p", "li", "dd", "td"])
        if tag == "td":
            return "<table><tr><td>\n" + "\n".join(lines) + "</td></tr></table>\n"
        return f"<{tag}>" + "\n".join(lines) + f"</{tag}>\n"

    def apart(self):
        return "<pre>int code = 1;\n</pre>\n<script>var words_that = 'are none';</script>\n"

    def file(self, sentence):
        return ("<!DOCTYPE html>\n<html><head><meta charset=utf-8><title>Made</title></head><body>\n" +
                super().file(sentence) + "</body></html>\n")


class Latex(Writer):
    ending = ".tex"

    def decorate(self, word):
        kind = self.source.randrange(12)
        half = len(word) // 2
        return {0: f"\\emph{{{word}}}", 1: f"{{\\bf {word}}}", 2: f"{word[:half]}\\-{word[half:]}",
                3: f"{word}~\\cite{{somebody:2020}}", 4: f"\\mine{{{word}}}", 5: f"{word}\\label{{a:b}}",
                6: f"{word} $x_1 + y$", 7: f"{word} % not this"}.get(kind, word)

    def wrap(self, text, width=None):
        lines = []
        for line in super().wrap(text, width):  # a comment takes the rest of its line
            while "% not this" in line:
                head, line = line.split("% not this", 1)
                lines.append(head + "% not this")
            lines.append(line)
        return lines

    def apart(self):
        return "\\begin{verbatim}\nint code = 1;\n\\end{verbatim}\n\\begin{own}\nint b;\n\\end{own}\n"

    def file(self, sentence):
        return ("\\documentclass{article}\n\\newcommand{\\mine}[1]{\\textit{#1}\\index{#1}}\n"
                "\\lstnewenvironment{own}{}{}\n\\begin{document}\n" + super().file(sentence) + "\\end{document}\n")


class Comments(Writer):
    ending = ".h"

    def decorate(self, word):
        return f"@ref {word}" if self.source.randrange(14) == 0 else word

    def block(self, lines):
        kind = self.source.randrange(4)
        text = {0: "/* " + "\n * ".join(lines) + " */\n", 1: "// " + "\n// ".join(lines) + "\n",
                2: "/**\n * \\brief " + "\n * ".join(lines) + "\n */\n",
                3: "#define MADE(x) \\\n    (x) /* " + " \\\n       ".join(lines) + " */\n"}[kind]
        return text + 'const char *made = "no // comment";\n'

    def apart(self):
        return "int code = '\\'' + 1'000 /* */;\nauto raw = R\"x(// none)\" /* none )x\";\n"


class Python(Writer):
    ending = ".py"

    def block(self, lines):
        kind = self.source.randrange(3)
        if kind == 0:
            return "# " + "\n# ".join(lines) + "\nx = 'no # comment'\n"
        quotes = '"""' if kind == 1 else "'''"
        return "def made():\n    " + quotes + "\n    ".join(lines) + "\n    " + quotes + "\n    return 1\n"

    def apart(self):
        return "CODE = '''a string\nand no doc string'''\n"


WRITERS = [Plain, Markdown, Html, Latex, Comments, Python]
