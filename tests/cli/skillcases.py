"""Made-up skills for the tests of `skill check`: what the reference validator decides too, and what it does not look at."""

BODY = "\n# Made up\n\nDo this, then that.\n"
GOOD = "name: made-up\ndescription: Does something. Use it when that is wanted.\n"


def skill(front=GOOD, body=BODY):
    """The text of a SKILL.md."""
    return f"---\n{front}---\n{body}"


def field(text):
    """One with a field more."""
    return skill(GOOD + text)


def named(name, quote=""):
    return skill(f"name: {quote}{name}{quote}\ndescription: Does something.\n")


def described(text):
    return skill(f"name: made-up\ndescription: {text}\n")


def nested(depth):
    """metadata with so many maps inside of each other."""
    return field("metadata:\n" + "".join("  " * i + "a:\n" for i in range(1, depth)) + "  " * depth + "a: b\n")


LETTERS = "a" * 64
# "ffi" as one character: three letters in the normal form
LIGATURE = "o\ufb03ce"

# name: (folder, SKILL.md as text or bytes, the rule that refuses it or None)
AGREED = {
    # the whole
    "plain": ("made-up", skill(), None),
    "all-fields": ("made-up", field("license: MIT\ncompatibility: Needs git\nallowed-tools: Bash(git:*) Read\nmetadata:\n  a: b\n"),
                   None),
    "no-body": ("made-up", skill(body=""), None),
    "crlf": ("made-up", skill().replace("\n", "\r\n"), None),
    "cr-alone": ("made-up", skill().replace("\n", "\r"), None),
    "byte-order-mark": ("made-up", "\ufeff" + skill(), "front-matter"),
    "empty-file": ("made-up", "", "front-matter"),
    "no-front-matter": ("made-up", "# Made up\n", "front-matter"),
    "blank-line-first": ("made-up", "\n" + skill(), "front-matter"),
    "not-closed": ("made-up", f"---\n{GOOD}\n# Made up\n", "front-matter"),
    "opened-alone": ("made-up", "---", "front-matter"),
    "two-hyphens": ("made-up", f"--\n{GOOD}--\n", "front-matter"),
    "four-hyphens": ("made-up", f"----\n{GOOD}----\n", "yaml"),
    "empty-front-matter": ("made-up", "---\n---\n", "front-matter"),
    "comment-alone": ("made-up", "---\n# nothing\n---\n", "front-matter"),
    "front-matter-is-text": ("made-up", "---\nname\n---\n", "front-matter"),
    "front-matter-is-a-list": ("made-up", "---\n- name: made-up\n- description: d\n---\n", "front-matter"),
    "comment": ("made-up", skill("# made up\n" + GOOD + "# the end\n"), None),
    "document-end": ("made-up", field("...\n"), None),
    "closed-in-a-line": ("made-up", "---\nname: made-up\ndescription: d ---\n", None),
    "closed-in-a-value": ("made-up", "---\ndescription: one --- two\nname: made-up\n---\n", "name"),
    "rule-in-a-value": ("made-up", described("'one --- two'"), "yaml"),
    "not-utf8": ("made-up", skill().encode() + b"\xff\xfe\n", "utf8"),
    "utf16": ("made-up", skill().encode("utf-16"), "utf8"),
    "nul-in-front-matter": ("made-up", field('license: "a\0b"\n'), "nul"),
    "control-in-front-matter": ("made-up", field('license: "a\x01b"\n'), "yaml"),
    # the name
    "name-missing": ("made-up", skill("description: Does something.\n"), "name"),
    "name-empty": ("made-up", named(""), "name"),
    "name-blank": ("made-up", named("  ", '"'), "name"),
    "name-is-a-list": ("made-up", skill("name:\n- made-up\ndescription: d\n"), "name"),
    "name-of-another-folder": ("made-down", skill(), "name"),
    "name-upper-case": ("Made-Up", named("Made-Up"), "name"),
    "name-with-underscore": ("made_up", named("made_up"), "name"),
    "name-with-space": ("made up", named("made up"), "name"),
    "name-with-dot": ("made.up", named("made.up"), "name"),
    "name-begins-with-hyphen": ("-made", named("-made"), "name"),
    "name-ends-with-hyphen": ("made-", named("made-"), "name"),
    "name-two-hyphens": ("made--up", named("made--up"), "name"),
    "name-of-64": (LETTERS, named(LETTERS), None),
    "name-of-65": (LETTERS + "a", named(LETTERS + "a"), "name"),
    "name-of-digits": ("2026", named("2026"), None),
    "name-of-one-letter": ("a", named("a"), None),
    "name-null": ("null", named("null"), None),
    "name-quoted-with-blanks": ("made-up", named(" made-up ", "'"), None),
    "name-chinese": ("\u6280\u80fd", named("\u6280\u80fd"), None),
    "name-russian": ("\u043d\u0430\u0432\u044b\u043a", named("\u043d\u0430\u0432\u044b\u043a"), None),
    "name-russian-upper": ("\u041d\u0410", named("\u041d\u0410"), "name"),
    "name-of-sixty-four-umlauts": ("\u00fc" * 64, named("\u00fc" * 64), None),
    "name-decomposed": ("caf\u00e9", named("cafe\u0301"), None),
    "folder-decomposed": ("cafe\u0301", named("caf\u00e9"), None),
    "name-ligature": ("office", named(LIGATURE), None),
    "name-full-width": ("abc", named("\uff41\uff42\uff43"), None),
    "name-devanagari-vowel": ("\u0915\u093f", named("\u0915\u093f"), "name"),
    "name-superscript": ("x2", named("x\u00b2"), None),
    "name-roman-number": ("\u2167", named("\u2167"), "name"),
    "name-ethiopic-digit": ("a\u1369", named("a\u1369"), None),
    "name-emoji": ("\U0001f600", named("\U0001f600"), "name"),
    "name-block": ("made-up", skill("name: |\n  made-up\ndescription: d\n"), None),
    # the description
    "description-missing": ("made-up", skill("name: made-up\n"), "description"),
    "description-empty": ("made-up", described(""), "description"),
    "description-blank": ("made-up", described('" \\t "'), "description"),
    "description-no-break-space": ("made-up", described('"\\u00a0"'), "description"),
    "description-is-a-map": ("made-up", skill("name: made-up\ndescription:\n  a: b\n"), "description"),
    "description-is-a-list": ("made-up", skill("name: made-up\ndescription:\n- a\n"), "description"),
    "description-equals-sign": ("made-up", described("="), "description"),
    "description-merge-sign": ("made-up", described("<<"), "description"),
    "description-equals-sign-quoted": ("made-up", described("'='"), None),
    "compatibility-equals-sign": ("made-up", field("compatibility: =\n"), "compatibility"),
    "description-number": ("made-up", described("5"), None),
    "description-of-1024": ("made-up", described("d" * 1024), None),
    "description-of-1025": ("made-up", described("d" * 1025), "description"),
    "description-of-1024-umlauts": ("made-up", described("\u00fc" * 1024), None),
    "description-1024-and-blanks": ("made-up", described('"' + "d" * 1024 + ' "'), "description"),
    "description-folded": ("made-up", described(">\n  " + "word " * 200 + "\n  " + "word " * 4), None),
    "description-folded-long": ("made-up", described(">-\n  " + "word " * 200 + "\n  " + "word " * 6), "description"),
    "description-with-colon": ("made-up", described("use: it"), "yaml"),
    "description-colon-quoted": ("made-up", described("'use: it'"), None),
    "description-many-lines": ("made-up", described("one\n  two\n  three"), None),
    "description-not-indented": ("made-up", described("one\ntwo"), "yaml"),
    # other fields
    "compatibility-of-500": ("made-up", field(f"compatibility: {'c' * 500}\n"), None),
    "compatibility-of-501": ("made-up", field(f"compatibility: {'c' * 501}\n"), "compatibility"),
    "compatibility-is-a-list": ("made-up", field("compatibility:\n- git\n"), "compatibility"),
    "unknown-version": ("made-up", field("version: 1\n"), "unknown-key"),
    "unknown-tags": ("made-up", field("tags:\n- a\n"), "unknown-key"),
    "unknown-when-to-use": ("made-up", field("when_to_use: now\n"), "unknown-key"),
    "unknown-in-capitals": ("made-up", field("License: MIT\n"), "unknown-key"),
    "unknown-underscore": ("made-up", field("allowed_tools: Read\n"), "unknown-key"),
    "empty-key": ("made-up", field(": x\n"), "yaml"),
    "metadata-numbers": ("made-up", field("metadata:\n  a: 1\n  b: true\n  c: null\n"), None),
    # YAML
    "key-twice": ("made-up", field("name: made-up\n"), "yaml"),
    "key-twice-inside": ("made-up", field("metadata:\n  a: b\n  a: c\n"), "yaml"),
    "flow-map": ("made-up", field("metadata: {a: b}\n"), "yaml"),
    "flow-map-empty": ("made-up", field("metadata: {}\n"), "yaml"),
    "flow-list": ("made-up", field("allowed-tools: [Read, Write]\n"), "yaml"),
    "flow-inside": ("made-up", field("metadata:\n  tags: [a, b]\n"), "yaml"),
    "flow-at-the-top": ("made-up", "---\n{name: made-up, description: d}\n---\n", "yaml"),
    "bracket-in-text": ("made-up", field("license: see [1] {2}\n"), None),
    "anchor": ("made-up", field("license: &x MIT\n"), "yaml"),
    "alias": ("made-up", field("license: *x\n"), "yaml"),
    "alias-bomb": ("made-up", field("metadata:\n  a: &a\n    x: y\n  b: *a\n"), "yaml"),
    "tag": ("made-up", field("license: !!str MIT\n"), "yaml"),
    "merge-key": ("made-up", field("metadata:\n  <<: b\n"), "yaml"),
    "tab-in-text": ("made-up", described("one\ttwo"), "yaml"),
    "tab-at-the-end": ("made-up", described("one\t"), "yaml"),
    "tab-after-a-key": ("made-up", field("license:\tMIT\n"), "yaml"),
    "tab-after-a-quote": ("made-up", field('license: "MIT"\t# yes\n'), "yaml"),
    "tab-after-a-mark": ("made-up", described(">\t\n  one"), "yaml"),
    "tab-in-quotes": ("made-up", described('"one\ttwo\n  \tthree"'), None),
    "tab-in-a-block": ("made-up", described("|\n  one\n  \ttwo\t"), None),
    "tab-in-a-comment": ("made-up", field("license: MIT # a\tb\n#\tc\n"), None),
    "tab": ("made-up", field("metadata:\n\ta: b\n"), "yaml"),
    "quote-not-closed": ("made-up", field("license: 'MIT\n"), "yaml"),
    "unknown-escape": ("made-up", field('license: "\\q"\n'), "yaml"),
    "backtick": ("made-up", field("license: `MIT`\n"), "yaml"),
    "at-sign": ("made-up", field("license: @MIT\n"), "yaml"),
    "per-cent": ("made-up", field("license: %MIT\n"), "yaml"),
    "maps-indented-otherwise": ("made-up", field("metadata:\n  a:\n    x: y\n  b:\n      x: y\n"), "yaml"),
    "second-document": ("made-up", field("...\nx: y\n"), "yaml"),
    "list-as-key": ("made-up", field("metadata:\n  ? - a\n  : b\n"), "yaml"),
}

LONG_BODY = "\n# Made up\n" + "\nLine.\n" * 249  # 500 lines
MANY_WORDS = "\n# Made up\n\n" + ("word " * 50 + "\n") * 90
MIB = 1 << 20

# What the reference validator accepts, and we do not, or with a warning: name: (files, level, rule, place, why)
BEYOND = {
    "lower-case-file": ({"skill.md": skill()}, "warning", "skill-md-name", "skill.md", "the format names SKILL.md; others look for it alone"),
    "text-before-the-end": ({"SKILL.md": "---\nname: made-up\ndescription: d ---\n"}, "warning", "front-matter-form", "SKILL.md:3",
                            "only the reference ends it there"),
    "text-behind-the-first": ({"SKILL.md": "---name: made-up\ndescription: d\n---\n# A\n"}, "warning", "front-matter-form", "SKILL.md:1",
                              "only the reference begins it there"),
    "crlf": ({"SKILL.md": skill().replace("\n", "\r\n")}, "warning", "line-end", "SKILL.md:1", "a matter of taste that breaks scripts"),
    "description-of-401": ({"SKILL.md": described("d" * 401)}, "warning", "description-long", "SKILL.md:3", "lists cut it"),
    "compatibility-empty": ({"SKILL.md": field('compatibility: ""\n')}, "error", "compatibility", "SKILL.md:4", "the format wants 1 to 500 characters"),
    "metadata-text": ({"SKILL.md": field("metadata: a\n")}, "warning", "metadata", "SKILL.md:4", "the format wants a map"),
    "metadata-list-inside": ({"SKILL.md": field("metadata:\n  a: b\n  tags:\n  - c\n")}, "warning", "metadata", "SKILL.md:6", "from text to text"),
    "metadata-deep": ({"SKILL.md": nested(9)}, "error", "yaml", "SKILL.md:12", "our cap on nesting"),
    "merge-key-with-a-map": ({"SKILL.md": field("metadata:\n  <<:\n    a: b\n")}, "error", "yaml", "SKILL.md:5", "readers differ"),
    "empty-key-inside": ({"SKILL.md": field("metadata:\n  a: b\n  : c\n")}, "error", "yaml", "SKILL.md:6", "our reader of YAML refuses it"),
    "separator-in-text": ({"SKILL.md": described("one\u2028two")}, "error", "yaml", "SKILL.md:5", "our reader of YAML ends the line there"),
    "license-list": ({"SKILL.md": field("license:\n- MIT\n")}, "warning", "field-form", "SKILL.md:4", "the format wants text"),
    "tools-list": ({"SKILL.md": field("allowed-tools:\n- Read\n")}, "warning", "field-form", "SKILL.md:4", "the format wants text"),
    "front-matter-huge": ({"SKILL.md": field("metadata:\n" + "".join(f"  k{i}: {'x' * 90}\n" for i in range(3000)))}, "error", "front-matter",
                          "SKILL.md:1", "our cap on bytes"),
    "nul-in-body": ({"SKILL.md": skill(body="\na\n\0\n")}, "error", "nul", "SKILL.md:7", "no text"),
    "body-empty": ({"SKILL.md": skill(body="\n")}, "warning", "body-empty", "SKILL.md", "nothing to read"),
    "body-of-301-lines": ({"SKILL.md": skill(body="\n# A\n" + "\nx\n" * 150)}, "warning", "body-long", "SKILL.md:306", "advice"),
    "body-of-499-lines": ({"SKILL.md": skill(body="\n" + "x\n" * 499)}, "warning", "body-long", "SKILL.md:504", "499 lines are fewer than 500"),
    "body-of-500-lines": ({"SKILL.md": skill(body="\n" + "x\n" * 500)}, "error", "body-size", "SKILL.md:505", "the format's limit"),
    "body-of-many-words": ({"SKILL.md": skill(body=MANY_WORDS)}, "error", "body-size", "SKILL.md:97", "the format's limit, by our estimate"),
    "file-huge": ({"SKILL.md": skill(body="\n" + "x" * MIB)}, "error", "file-size", "SKILL.md", "our cap on a Markdown file"),
    "many-files": ({"SKILL.md": skill(), **{f"assets/{i}": "" for i in range(512)}}, "error", "too-many-files", "", "hosts list 512"),
    "many-folders": ({"SKILL.md": skill(), **{f"assets/{i}/": None for i in range(512)}}, "error", "too-many-files", "", "our cap"),
    "deep-folders": ({"SKILL.md": skill(), "a/" * 17: None}, "error", "too-deep", "", "our cap"),
    "large": ({"SKILL.md": skill(), "assets/big": b"\0" * (16 * MIB)}, "error", "too-large", "", "hosts take 16 MiB"),
    "reference-not-utf8": ({"SKILL.md": skill(body="\n`references/a.md`\n"), "references/a.md": b"# A\n\xff\n"}, "error", "utf8",
                           "references/a.md:2", "no text"),
    "reference-with-mark": ({"SKILL.md": skill(body="\n`references/a.md`\n"), "references/a.md": "\ufeff# A\n"}, "warning", "bom",
                            "references/a.md:1", "tools show it"),
    "two-topics": ({"SKILL.md": skill(body="\n[a](references/a.md)\n"), "references/a.md": "# A\n\nx\n\nB\n===\n"}, "warning", "one-topic",
                   "references/a.md:5", "one file, one topic"),
    "no-topic": ({"SKILL.md": skill(body="\n[a](references/a.md)\n"), "references/a.md": "## A\n"}, "warning", "one-topic",
                 "references/a.md", "one file, one topic"),
    "unreached": ({"SKILL.md": skill(), "references/a.md": "# A\n"}, "warning", "unreached", "references/a.md", "nobody will open it"),
    "two-steps": ({"SKILL.md": skill(body="\n[a](references/a.md)\n"), "references/a.md": "# A\n\nSee `references/b.md`.\n",
                   "references/b.md": "# B\n"}, "warning", "link-depth", "references/b.md", "one level deep"),
    "link-dangling": ({"SKILL.md": skill(body="\n\nSee [a](references/a.md).\n")}, "error", "dangling", "SKILL.md:7", "leads nowhere"),
    "link-with-title": ({"SKILL.md": skill(body='\n[a](references/a.md "A")\n')}, "error", "dangling", "SKILL.md:6", "leads nowhere"),
    "link-in-angles": ({"SKILL.md": skill(body="\n[a](<references/a b.md>)\n")}, "error", "dangling", "SKILL.md:6", "leads nowhere"),
    "link-defined": ({"SKILL.md": skill(body="\n[a][]\n\n[a]: references/a.md\n")}, "error", "dangling", "SKILL.md:8", "leads nowhere"),
    "image-dangling": ({"SKILL.md": skill(body="\n![a](assets/a.png)\n")}, "error", "dangling", "SKILL.md:6", "leads nowhere"),
    "link-in-a-table": ({"SKILL.md": skill(body="\n|a|\n|-|\n|[a](b.md)|\n")}, "error", "dangling", "SKILL.md:8", "leads nowhere"),
    "link-in-a-list": ({"SKILL.md": skill(body="\n- x\n  - [a](b.md)\n")}, "error", "dangling", "SKILL.md:7", "leads nowhere"),
    "link-absolute": ({"SKILL.md": skill(body="\n[a](/etc/hosts)\n")}, "error", "dangling", "SKILL.md:6", "leaves the skill"),
    "link-to-file-scheme": ({"SKILL.md": skill(body="\n[a](file:///etc/hosts)\n")}, "error", "dangling", "SKILL.md:6", "leaves the skill"),
    "link-up": ({"SKILL.md": skill(body="\n[a](../SKILL.md)\n")}, "error", "dangling", "SKILL.md:6", "leaves the skill"),
    "link-with-nul": ({"SKILL.md": skill(body="\n[a](references/a%00.md)\n"), "references/": None}, "error", "dangling", "SKILL.md:6", "leads nowhere"),
    "many-mentions": ({"SKILL.md": skill(body="\n`references/`\n"), "references/a.md": "# A\n" + "[](a.md)\n" * 100001}, "error", "too-many-links", "", "our cap"),
    "many-headings": ({"SKILL.md": skill(body="\n`references/` [a](#none)\n"), "references/a.md": "# A\n" + "## a\n" * 100000}, "error",
                      "too-many-links", "", "our cap"),
    "link-empty": ({"SKILL.md": skill(body="\n[a]()\n")}, "error", "dangling", "SKILL.md:6", "leads nowhere"),
    "span-dangling": ({"SKILL.md": skill(body="\nRun `python scripts/a.py --all`.\n")}, "error", "dangling", "SKILL.md:6", "leads nowhere"),
    "span-of-own-folder": ({"SKILL.md": skill(body="\n`guides/b.md`, not `src/b.md`\n"), "guides/a.md": "# A\n"}, "error", "dangling", "SKILL.md:6",
                           "leads nowhere"),
    "span-folder": ({"SKILL.md": skill(body="\n`references/more/`\n")}, "error", "dangling", "SKILL.md:6", "leads nowhere"),
    "span-glob": ({"SKILL.md": skill(body="\n`references/*.md`\n")}, "error", "dangling", "SKILL.md:6", "leads nowhere"),
    "dangling-in-a-reference": ({"SKILL.md": skill(body="\n`references/`\n"), "references/a.md": "---\ntitle: x\n---\n# A\n\n[b](b.md)\n"}, "error",
                                "dangling", "references/a.md:6", "leads nowhere"),
    "dangling-in-a-template": ({"SKILL.md": skill(), "assets/a.md": "[b](b.md)\n"}, "warning", "dangling", "assets/a.md:1", "may be filled in"),
    "anchor-own": ({"SKILL.md": skill(body="\n[a](#made-down)\n")}, "error", "anchor", "SKILL.md:6", "leads nowhere"),
    "anchor-other": ({"SKILL.md": skill(body="\n[a](references/a.md#b)\n"), "references/a.md": "# A\n"}, "error", "anchor", "SKILL.md:6", "leads nowhere"),
}

FOUND = """
# Made up: `a_b` and [link](references/a.md)

[self](#made-up-a_b-and-link) [twice](#twice) [again](#twice-1) [html](#by-hand) [a](references/a.md#a "title") ![p](pictures/p%20q.png)
[web](https://example.org/x.md) [mail](mailto:a@example.org) [angle](<pictures/p q.png>) [folder](references/) [query](references/a.md?x#a)
[defined][] and `references/a.md#a`, `references/a.md:3`, `python scripts/s.py x`, `src/main.c`, `scripts/assets`, no `templates/` and `assets/`, `references/<name>.md`, `AGENTS.md`

<a id="by-hand"></a>

## Twice

## Twice

```
cat references/none.md
[x](none.md)
```

    [x](none.md)

\\[x\\](none.md) and ``[x](none.md)`` and [not a link]( none of it)

[defined]: references/a.md 'Title'
[^1]: none.md

Setext *heading*
----------------

[down](#setext-heading) [attribute](#named)

## Another {#named}
"""

# Nothing of it may be found fault with.
CLEAN = {
    "SKILL.md": skill(body=FOUND),
    "references/a.md": "# A\n\n[b](b.md) and [root](references/b.md) and [up](../SKILL.md#twice) and `b.md`\n",
    "references/b.md": "---\ntitle: B\n---\n# B\n",
    "references/c/d.md": "# D\n",
    "scripts/s.py": "",
    "pictures/p q.png": b"\x89PNG\0",
    ".hidden": "",
    ".git/" + "x/" * 30: None,
}
