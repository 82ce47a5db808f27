#!/usr/bin/env python3
"""`shmemlore upgrade` as a user runs it, on made-up releases and on the real tables.

usage: test_upgrade.py PROGRAM [TEST...]
"""

import json
import os
import re
import shutil
import subprocess
import sys

from clicase import NOBODY, ROOT, Case, run_tests

SYMBOLS = ("name\tfamily\tkind\towner\tspace\tscope\tblocking\tfirst\tlast\trelease\ttemplate\tinstantiation\ttypelist\t"
           "signature\n")
PACKAGES = "package\tversion\tfile\tbytes\tsha256\n"
MEMBERS = "type\tmember\tfirst\tlast\toffset\tsize\tdeclared\tline\n"


def symbol(name, owner="nvshmem", first="<=1.0", last="-", signature="void ()", kind="function"):
    space = "device" if kind == "function" else "-"
    return f"{name}\t{name}\t{kind}\t{owner}\t{space}\t-\t-\t{first}\t{last}\t2.0\t-\ta.h:1\t-\t{signature}\n"


def inner(name, signature, **more):
    return symbol(name, "nvshmem-internal", signature=signature, kind="type", **more)


class Base(Case):
    """Releases 1.0 and 2.0 in which every kind of change is met."""

    def setUp(self):
        super().setUp()
        self.status = None
        self.kb = self.make_project()
        self.write("kb/evidence/symbols.tsv", SYMBOLS + "".join(sorted([
            symbol("nvshmem_changed", signature="void (int x, int y)"),
            symbol("nvshmem_gone", last="1.0"),
            symbol("nvshmem_gone_too", last="1.0"),
            symbol("nvshmem_longer", signature="void (int x, int y = 1)"),
            symbol("nvshmem_macro", kind="macro", signature="#define (a) ... #00000002"),
            symbol("nvshmemi_longer", "nvshmem-internal", signature="void (int x, int y = 1)"),
            symbol("nvshmem_new", first="2.0"),
            symbol("nvshmem_same"),
            symbol("nvshmem_t", kind="type", signature="= struct nvshmem_v"),
            symbol("nvshmem_v", kind="type", signature="struct {int b}"),
            symbol("nvshmemi_gone", "nvshmem-internal", last="1.0"),
            symbol("nvshmemi_same", "nvshmem-internal"),
            symbol("nvshmemi_copied", "nvshmem-internal", signature="void (int, int)"),
            symbol("nvshmemi_state_d", "nvshmem-internal", signature="nvshmemi_state_t", kind="variable"),
            inner("nvshmemi_state_t", "= nvshmemi_state_v2"),
            inner("nvshmemi_state_v1", "struct {int version; {nvshmemi_qp_t *rcs} globalmem; void *extra; int old}"),
            inner("nvshmemi_state_v2", "struct {int version; {nvshmemi_qp_t *rcs} globalmem; int n; void *extra}",
                  first="2.0"),
            inner("nvshmemi_qp_t", "struct {int qpn; nvshmemi_mvars_t mvars; int last}"),
            inner("nvshmemi_mvars_t", "struct {int head; int tail}"),
        ])))
        self.write("kb/evidence/signatures.tsv", "name\tfirst\tlast\tsignature\n"
                   "nvshmem_changed\t<=1.0\t1.0\tvoid (int x)\nnvshmem_changed\t2.0\t-\tvoid (int x, int y)\n"
                   "nvshmem_longer\t<=1.0\t1.0\tvoid (int x)\nnvshmem_longer\t2.0\t-\tvoid (int x, int y = 1)\n"
                   "nvshmem_macro\t<=1.0\t1.0\t#define (a) ... #00000001\n"
                   "nvshmem_macro\t2.0\t-\t#define (a) ... #00000002\n"
                   "nvshmem_v\t<=1.0\t1.0\tstruct {int a}\nnvshmem_v\t2.0\t-\tstruct {int b}\n"
                   "nvshmemi_longer\t<=1.0\t1.0\tvoid (int x)\nnvshmemi_longer\t2.0\t-\tvoid (int x, int y = 1)\n"
                   "nvshmemi_copied\t<=1.0\t1.0\tvoid (int)\nnvshmemi_copied\t2.0\t-\tvoid (int, int)\n"
                   "nvshmemi_state_t\t<=1.0\t1.0\t= nvshmemi_state_v1\nnvshmemi_state_t\t2.0\t-\t= nvshmemi_state_v2\n")
        rows = ["mvars_t - <=1.0 - 0 8 struct", "mvars_t head <=1.0 - 0 4 int", "mvars_t tail <=1.0 1.0 4 4 int",
                "mvars_t tail 2.0 - 4 2 short",
                # what follows mvars moves although no line of qp_t is another
                "qp_t - <=1.0 1.0 0 16 struct", "qp_t - 2.0 - 0 20 struct", "qp_t last <=1.0 1.0 12 4 int",
                "qp_t last 2.0 - 16 4 int", "qp_t mvars <=1.0 1.0 4 8 nvshmemi_mvars_t",
                "qp_t mvars 2.0 - 4 12 nvshmemi_mvars_t", "qp_t qpn <=1.0 - 0 4 int",
                "state_v1 - <=1.0 - 0 32 struct", "state_v1 extra <=1.0 - 16 8 void *", "state_v1 globalmem <=1.0 - 8 8 {}",
                "state_v1 globalmem.rcs <=1.0 - 8 8 nvshmemi_qp_t *", "state_v1 old <=1.0 - 24 4 int",
                "state_v1 version <=1.0 - 0 4 int",
                "state_v2 - 2.0 - 0 32 struct", "state_v2 extra 2.0 - 24 8 void *", "state_v2 globalmem 2.0 - 8 8 {}",
                "state_v2 globalmem.rcs 2.0 - 8 8 nvshmemi_qp_t *", "state_v2 n 2.0 - 16 4 int",
                "state_v2 version 2.0 - 0 4 int"]
        self.write("kb/evidence/members.tsv", MEMBERS + "".join(
            "nvshmemi_" + "\t".join(row.split(" ", 6)) + "\th.h:7\n" for row in rows))
        self.write("kb/evidence/packages.tsv", PACKAGES + "p\t1.0\tf\t1\tx\np\t2.0\tf\t1\tx\n")
        row = "NVSHMEM_{}\trun\tint\t1\tC\thost\thost\tinit\t{}\t{}\tobserved\t-\t-\n"
        self.write("kb/evidence/env.tsv", "shmemlore-env 1\n# releases 1.0 2.0\n" + row.format("CAME", "2.0", "2.0") +
                   row.format("STAYS", "<=1.0", "2.0") + row.format("WENT", "<=1.0", "1.0"))
        self.write("kb/evidence/options.tsv", "name\tkind\toption\tfirst\tlast\tline\tsignature\n"
                   "nvshmem_both\tfunction\tNVSHMEM_OPTION\t<=1.0\t-\ta.h:1\tvoid ()\n"
                   "nvshmem_gone_too\tfunction\tNVSHMEM_OPTION\t2.0\t-\ta.h:1\tvoid ()\n"
                   "nvshmem_once\tfunction\tNVSHMEM_OPTION\t<=1.0\t1.0\ta.h:1\tvoid ()\n")
        self.write("kb/skills/nvshmem/n.md", "---\ntitle: T\nasks:\n  - q\n---\n# T\n\n`nvshmem_same` in 1.0.\n\n"
                   "- since 2.0 `nvshmem_same` waits `src:a/b.c:1`\n")
        self.tree = self.dir / "mine"

    def upgrade(self, *arguments):
        """The lines that are printed; the exit status is in self.status."""
        done = self.run_it("upgrade", "--kb", self.kb, *arguments)
        self.assertEqual((done.returncode in (0, 1), done.stderr), (True, ""), done.stdout)
        self.status = done.returncode
        return done.stdout.replace(str(self.dir) + "/", "").splitlines()

    def told(self):
        """FILE:LINE:COLUMN LEVEL KIND of what is found in self.tree."""
        self.upgrade("1.0", "2.0", str(self.tree))
        return [f"{finding['file'].removeprefix(str(self.tree) + '/')}:{finding['line']}:{finding['column']} "
                f"{finding['level']} {finding['kind']}" for finding in self.json()["findings"]]

    def findings(self, code, name="mine/a.cu"):
        self.write(name, code)
        return self.told()

    def json(self, *paths, status=(0, 1)):
        done = self.run_it("upgrade", "--json", "--kb", self.kb, "1.0", "2.0", *map(str, paths or [self.tree]))
        self.assertIn(done.returncode, status, done.stderr)
        return json.loads(done.stdout)

    def run_unprivileged(self, *arguments):
        """As a user who is not root: root reads everything."""
        if os.geteuid() != 0:
            return self.run_it(*arguments)
        program = shutil.copy(self.helper, self.dir / "shmemlore")
        os.chmod(program, 0o755)
        return subprocess.run([program, *arguments], user=NOBODY, group=NOBODY, extra_groups=[], timeout=120, cwd="/",
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)


class Upgrade(Base):
    """The kinds of findings, and the forms of the answer."""

    def test_kinds(self):
        cases = [
            ("void f() { nvshmem_gone(); }", ["a.cu:1:12 error removed"]),
            ("void f() { nvshmem_changed(1); }", ["a.cu:1:12 warning changed"]),
            ("void f() { nvshmem_longer(1); }", ["a.cu:1:12 note changed"]),  # compiles as before
            ("void f() { nvshmemi_longer(1); }", ["a.cu:1:12 warning internal-changed"]),
            ("void f() { nvshmem_macro(1); }", ["a.cu:1:12 note changed"]),
            ("nvshmem_t t;", ["a.cu:1:1 warning changed"]),  # what it stands for
            ("void f() { nvshmemi_gone(); }", ["a.cu:1:12 error internal-removed"]),
            ("void f() { nvshmemi_same(); nvshmemi_same(); }", ["a.cu:1:12 warning internal"]),
            ("void f() { nvshmemi_unheard(); }", ["a.cu:1:12 warning internal"]),
            ("void f() { nvshmem_same(); }\nvoid g() { nvshmem_same(); }", ["a.cu:1:12 note section"]),
            ("void nvshmem_new() {}", ["a.cu:1:6 warning own-name"]),
            ("void nvshmem_gone() {}\nvoid f() { nvshmem_gone(); }", []),  # its own
            ("static void nvshmemi_copied(int) {}", ["a.cu:1:13 warning own-copy"]),
            ("// nvshmem_gone\n#if 0\nnvshmem_gone();\n#endif\nconst char *s = \"a nvshmem_gone\";", []),
            ("void f() { setenv(\"NVSHMEM_WENT\", \"1\", 1); }", ["a.cu:1:20 warning variable-removed"]),
            ("void f() { setenv(\"NVSHMEM_CAME\", \"1\", 1); }", ["a.cu:1:20 warning variable-added"]),
            ("void f() { setenv(\"NVSHMEM_STAYS\", \"1\", 1); }", []),
        ]
        for code, expected in cases:
            with self.subTest(code=code):
                self.assertEqual(self.findings(code + "\n"), expected)
                self.assertEqual(self.status, 1 if expected else 0)

    def test_what_is_said_of_a_change(self):
        self.write("mine/a.cu", "void f() { nvshmem_longer(1); nvshmem_macro(1); nvshmemi_same(); }\n")
        said = [finding["message"] for finding in self.json()["findings"]]
        self.assertEqual(said, [
            "nvshmem_longer (function) was `void (int x)`, is `void (int x, int y = 1)` from 2.0 on; calls with the old "
            "arguments still compile: the new ones have defaults",
            "nvshmem_macro (macro) takes the same arguments; its body is another from 2.0 on",
            "nvshmemi_same is a name of NVSHMEM's inside, declared the same in both; bodies are not compared"])

    def test_under_an_option(self):
        self.write("mine/a.cu", "void f() { nvshmem_both(); nvshmem_gone_too(); nvshmem_once(); nvshmem_not(); }\n")
        found = self.json()["findings"]
        self.assertEqual({(finding["kind"], finding["level"]) for finding in found}, {("option-off", "error")})
        self.assertEqual([finding["message"] for finding in found], [
            "nvshmem_both (function) is declared in 2.0 only with NVSHMEM_OPTION, which the package leaves off",
            "nvshmem_gone_too (function) is declared in 2.0 only with NVSHMEM_OPTION, which the package leaves off",
            "nvshmem_once (function) is declared in 1.0 only with NVSHMEM_OPTION, which the package leaves off, and not in "
            "2.0"])

    def test_meanings(self):
        """Declared the same, and another thing from a release on: errors at each place, the rest once a file, on the way there alone."""
        row = "n#t\twhat is new{}\n".format
        self.write("kb/evidence/meanings.tsv", "name\tfirst\tlast\tlevel\tkind\tsection\ttext\n"
                   f"NVSHMEM_STAYS\t2.0\t\tnote\tmeaning\t{row(0)}"
                   f"nvshmem_changed,nvshmem_same\t2.0\t\twarning\tmeaning\t{row(1)}"
                   f"nvshmem_longer\t2.0\t\tnote\tbetter\t{row(2)}"
                   f"nvshmem_t\t1.0\t\terror\tmeaning\t{row(3)}"
                   f"nvshmemi_state_t.globalmem.rcs\t2.0\t\terror\tmeaning\t{row(4)}")
        code = ("void f() { nvshmem_same(); nvshmem_same(); nvshmem_longer(1); nvshmem_t t; }\n"
                "void g() { nvshmem_changed(1, 2); setenv(\"NVSHMEM_STAYS\", \"1\", 1); }\n"
                "void *h(nvshmemi_state_t *s) { return s->globalmem.rcs; }\n"
                "void *i(nvshmemi_state_t *s) { return s->globalmem.rcs; }\n")
        self.write("mine/a.cu", code)
        lines = self.upgrade("1.0", "2.0", str(self.tree))
        self.assertIn("mine/a.cu:1:12: warning: nvshmem_same, from 2.0 on: what is new1 [meaning]", lines)
        self.assertIn("mine/a.cu:3:52: error: nvshmemi_state_t.globalmem.rcs, from 2.0 on: what is new4 [meaning]", lines)
        self.assertEqual(sum("[meaning]" in line for line in lines), 4)
        self.assertEqual(sum("[better]" in line for line in lines), 1)
        self.assertEqual(self.status, 1)
        self.assertTrue(any(line.startswith("  n#t: nvshmem_same, ") for line in lines), lines)
        found = [finding for finding in self.json()["findings"] if finding["kind"] == "meaning"]
        self.assertEqual({finding["section"] for finding in found}, {"n#t"})
        back = self.upgrade("2.0", "1.0", str(self.tree))
        self.assertEqual(sum("[meaning]" in line for line in back), 4)
        self.assertIn("mine/a.cu:1:12: warning: nvshmem_same, and no longer in 1.0: from 2.0 on: what is new1 [meaning]", back)
        self.assertFalse(any("from 1.0 on" in line or "<=" in line for line in back), back)
        self.assertFalse(any("[better]" in line for line in back))
        # one's own of that name is not NVSHMEM's
        self.assertEqual(self.findings("void nvshmem_same() {}\nvoid f() { nvshmem_same(); }\n"), ["a.cu:1:6 note section"])
        for text in ("x\n", "name\tfirst\tlast\tlevel\tkind\tsection\ttext\na\t1.0\t\tbad\tmeaning\tn#t\tt\n",
                     "name\tfirst\tlast\tlevel\tkind\tsection\ttext\na\t1.0\t\tnote\tmeaning\tn#t\n"):
            self.write("kb/evidence/meanings.tsv", text)
            self.fails(2, "evidence/meanings.tsv:", "upgrade", "--kb", self.kb, "1.0", "2.0", str(self.tree))

    def test_a_meaning_that_ended(self):
        """What was so for some releases is told where one side has it, and not to who passes it by."""
        self.write("mine/a.cu", "void f() { nvshmem_same(); }\n")
        for first, last, told in (("1.5", "1.9", 0), ("1.0", "1.9", 1), ("0.9", "2.0", 0), ("1.5", "2.0", 1), ("2.0", "", 1), ("0.5", "0.9", 0)):
            with self.subTest(first=first, last=last):
                self.write("kb/evidence/meanings.tsv", "name\tfirst\tlast\tlevel\tkind\tsection\ttext\n"
                           f"nvshmem_same\t{first}\t{last}\twarning\tmeaning\tn#t\twhat is new\n")
                lines = self.upgrade("1.0", "2.0", str(self.tree))
                words = f"from {first} to {last}" if last else f"from {first} on"
                self.assertEqual(sum(f"nvshmem_same, {words}: what is new [meaning]" in line for line in lines), told, lines)

    def test_the_real_meanings(self):
        """Each row names what the tables know and a section that speaks of it and of the release."""
        rows = (ROOT / "evidence/meanings.tsv").read_text("utf-8").splitlines()[1:]
        self.assertGreater(len(rows), 7)
        for row in rows:
            names, first, last, _, kind_of, section, _ = row.split("\t")
            shown = self.run_it("show", section).stdout
            self.assertIn(first.removesuffix(".0").rsplit(".", 1)[0], shown, row)
            self.assertIn(last, shown, row)
            for name in names.split(","):
                with self.subTest(name=name):
                    kind = "env" if name.startswith("NVSHMEM_") else "symbol"
                    self.assertEqual(self.run_it(kind, name.split(".")[0]).returncode, 0)
            if kind_of == "meaning" and "." not in names:  # what is better is told where the better form is
                self.assertIn(names.split(",")[0].split(".")[-1].split("_reduce")[0].rsplit("::", 1)[-1],
                              shown, row)

    def test_sections(self):
        """What one sentence says of the name and of a release on the way; code, and other sentences, say nothing."""
        head = "---\ntitle: T\nasks:\n  - q\n---\n# T\n\n"
        cases = [("- since 2.0 `nvshmem_same` waits `src:a/b.c:1`\n", 1),
                 ("`nvshmem_same` waits.\n\nSince 2.0 something else.\n", 0),
                 ("- `nvshmem_same` waits\n- since 2.0 something else\n", 0),
                 ("| `nvshmem_same` | a |\n|---|---|\n| 2.0 | b |\n", 0),
                 ("`nvshmem_same` in 1.0.\n", 0), ("`nvshmem_same` in 12.0 and 2.0.1.\n", 0),
                 ("```\nupgrade 2.0 nvshmem_same\n```\n", 0),
                 ("```\nx\n```\nSince 2.0 `nvshmem_same` waits.\n", 1)]
        for text, expected in cases:
            with self.subTest(text=text):
                self.write("kb/skills/nvshmem/n.md", head + text)
                self.assertEqual(len(self.findings("void f() { nvshmem_same(); }\n")), expected)
                text = self.upgrade("1.0", "2.0", str(self.tree))
                self.assertIn("0 errors, 0 warnings, 0 notes", text[0])
                self.assertEqual("  n#t: nvshmem_same" in text, expected == 1)

    def test_files_and_the_way_back(self):
        self.write("mine/a.cu", "void f() { nvshmem_gone(); nvshmem_new(); }\n")
        self.write("mine/b.cu", "void f() { nvshmem_gone(); }\n")
        lines = self.upgrade("1.0", "2.0", str(self.tree / "b.cu"))
        self.assertEqual(lines[0], "mine/b.cu:1:12: error: nvshmem_gone (function) is not in 2.0; the last release with "
                         "it is 1.0 [removed]")
        self.assertEqual(lines[1], "NVSHMEM 1.0 to 2.0: 1 error, 0 warnings, 0 notes")
        self.assertIn("1 file read, 1 that name NVSHMEM parsed; not understood 0 of 29 bytes", lines[2])
        lines = self.upgrade("2.0", "1.0", str(self.tree))
        self.assertEqual([line.split(":")[0] for line in lines if "[removed]" in line], ["mine/a.cu"])

    def test_unparsed_bytes_are_told(self):
        self.write("mine/a.cu", "void f( { ] ) nvshmem_same $$ ((\n")
        self.assertNotIn("not understood 0 of", self.upgrade("1.0", "2.0", str(self.tree))[-1])

    def test_json(self):
        self.write("mine/a.cu", "void f() { nvshmem_gone(); nvshmem_same(); }\n")
        value = self.json()
        self.assertEqual(value["schema"], "shmemlore.upgrade/1")
        self.assertEqual([(f["kind"], f["line"], f["column"]) for f in value["findings"]],
                         [("removed", 1, 12), ("section", 1, 28)])
        self.assertEqual(value["findings"][1]["section"], "n#t")

    def test_arguments(self):
        self.fails(2, "takes two releases", "upgrade", "1.0", "2.0")
        self.fails(2, "no release 7 is among those read: 1.0, 2.0", "upgrade", "--kb", self.kb, "7", "2.0", self.kb)
        self.fails(2, "nowhere", "upgrade", "3.4.5", "3.8.0", str(self.dir / "nowhere"))


class Members(Base):
    """Members of structs that lie elsewhere in the new release."""

    def members(self, code, name="mine/a.cu"):
        """LINE:COLUMN KIND NAME of the members that are told."""
        self.write(name, code)
        return [f"{f['line']}:{f['column']} {f['kind']} {f['name']}" for f in self.json()["findings"]
                if f["kind"].startswith("member-")]

    def test_the_message(self):
        self.write("mine/a.cu", "void *f(nvshmemi_state_t *s) { return s->extra; }\n")
        lines = self.upgrade("1.0", "2.0", str(self.tree))
        self.assertEqual(lines[0], "mine/a.cu:1:9: warning: nvshmemi_state_t (internal, type): nvshmemi_state_v2, which it "
                         "stands for, was nvshmemi_state_v1; members: `extra` from byte 16 to 24, `old` is gone, `n` is new "
                         "at byte 16 [internal-changed]")
        self.assertEqual(lines[1], "mine/a.cu:1:42: warning: `extra` of nvshmemi_state_t: at byte 16, 8 bytes, `void *` in "
                         "1.0 (h.h:7), at byte 24, 8 bytes, `void *` in 2.0 (h.h:7) [member-moved]")

    def test_ways_to_a_member(self):
        get = "nvshmemi_state_t *get();\n"
        cases = [
            ("int f(nvshmemi_state_t *s) { return s->version; }", []),
            ("int f(nvshmemi_state_t *s) { return s->old; }", ["1:40 member-removed old"]),
            ("int f(nvshmemi_state_t *s) { return s->n; }", ["1:40 member-added n"]),
            ("void *f(nvshmemi_state_t &s) { return s.extra; }", ["1:41 member-moved extra"]),
            ("void *f(struct nvshmemi_state_v1 s) { return s.extra; }", []),  # is laid out as it was
            (get + "void *f() { return get()->extra; }", ["2:27 member-moved extra"]),
            (get + "void *f() { auto s = get(); return s->extra; }", ["2:39 member-moved extra"]),
            (get + "void *f() { const auto &s = *get(); return s.extra; }", ["2:46 member-moved extra"]),
            ("void *f() { return nvshmemi_state_d.extra; }", ["1:37 member-moved extra"]),
            ("void *f(void *p) { return ((nvshmemi_state_t *)p)->extra; }", ["1:52 member-moved extra"]),
            ("void *f(void *p) { return static_cast<nvshmemi_state_t *>(p)->extra; }", ["1:63 member-moved extra"]),
            ("size_t o = offsetof(nvshmemi_state_t, extra);", ["1:39 member-moved extra"]),
            ("int f(nvshmemi_state_t *s) { return s->globalmem.rcs[1].last; }", ["1:57 member-moved last"]),
            ("int f(nvshmemi_state_t *s) { auto *q = &s->globalmem.rcs[1]; return q->mvars.tail; }",
             ["1:72 member-moved mvars", "1:78 member-moved tail"]),
            ("struct own { nvshmemi_state_t *state; void *f() { return state->extra; } };", ["1:65 member-moved extra"]),
            ("struct own { nvshmemi_state_t *state; };\nvoid *f(own *o) { return o->state->extra; }",
             ["2:36 member-moved extra"]),
            ("using mine = nvshmemi_state_t;\nvoid *f(mine *s) { return s->extra; }", ["2:30 member-moved extra"]),
            ("typedef nvshmemi_state_t mine;\nvoid *f(mine *s) { return s->extra; }", ["2:30 member-moved extra"]),
            # nobody knows what it is, or it is something else
            ("nvshmemi_state_t *t; void *f(other *s) { return s->extra; }", []),
            ("struct nvshmemi_state_t { void *extra; };\nvoid *f(nvshmemi_state_t *s) { return s->extra; }", []),
            ("void *g(nvshmemi_state_t *s);\nvoid *f(other *s) { return s->extra; }", []),
        ]
        for code, expected in cases:
            with self.subTest(code=code):
                self.assertEqual(self.members(code + "\n"), expected)

    def test_types_of_another_file(self):
        self.write("mine/get.cuh", "#include <nvshmem.h>\n__device__ nvshmemi_state_t *get();\n")
        self.assertEqual(self.members("#include \"get.cuh\"\n// nvshmem\nvoid *f() { return get()->extra; }\n"),
                         ["3:27 member-moved extra"])

    def test_layout_alone(self):
        """No line of the declaration is another, and a member inside of it has grown."""
        lines = self.findings("nvshmemi_qp_t q;\n")
        self.assertEqual(lines, ["a.cu:1:1 warning internal-changed"])

    def test_private_copy(self):
        self.assertEqual(self.findings("typedef struct { int version; void *extra; } nvshmemi_state_t;\n"),
                         ["a.cu:1:46 warning own-copy"])
        self.assertEqual(self.findings("typedef struct { int head; } nvshmemi_state_v1;\n"), [])

    def test_the_real_tables(self):
        self.write("own/a.cu", "#include <nvshmem.h>\n__device__ void *f(nvshmemi_ibgda_device_state_t *s, int i) {\n"
                   "    (void)s->globalmem.rcs[i];\n    return s->extra;\n}\n")
        done = self.run_it("upgrade", "3.4.5", "3.5.19", str(self.dir / "own"))
        text = done.stdout.replace(str(self.dir) + "/", "")
        self.assertIn("own/a.cu:4:15: warning: `extra` of nvshmemi_ibgda_device_state_t: at byte 8312, 8 bytes, `void *` in "
                      "3.4.5 (device_host_transport/nvshmem_common_ibgda.h:278 of 3.1.7), at byte 8320, 8 bytes, `void *` "
                      "in 3.5.19 (device_host_transport/nvshmem_common_ibgda.h:335) [member-moved]", text)
        self.assertIn("own/a.cu:3:24: error: nvshmemi_ibgda_device_state_t.globalmem.rcs, from 3.5.19 on: ", text)
        self.assertNotIn("from 3.5.19", self.run_it("upgrade", "3.5.19", "3.8.0", str(self.dir / "own")).stdout)

    def test_a_guard_asks_for_the_release_by_its_nature(self):
        self.write("own/b.cu", "#include <nvshmem.h>\n#if NVSHMEM_VENDOR_MINOR_VERSION >= 5\nint x;\n#endif\n"
                   "int y = NVSHMEM_VENDOR_PATCH_VERSION;\n")
        done = self.run_it("upgrade", "3.4.5", "3.8.0", str(self.dir / "own"))
        self.assertNotIn("VENDOR", done.stdout)
        self.assertEqual(done.returncode, 0)
        done = self.run_it("upgrade", "3.5.19", "3.7.2", str(self.dir / "own"))
        self.assertNotIn("member-", done.stdout)

    def test_a_table_of_another_form(self):
        self.write("mine/a.cu", "void f() { nvshmem_gone(); }\n")
        for text in ("x\n", MEMBERS + "a\tb\n", MEMBERS + "b\tx\t1.0\t-\t0\t4\tint\th:1\na\tx\t1.0\t-\t0\t4\tint\th:1\n"):
            self.write("kb/evidence/members.tsv", text)
            self.fails(2, "evidence/members.tsv:", "upgrade", "--kb", self.kb, "1.0", "2.0", str(self.tree))
        (self.dir / "kb/evidence/members.tsv").unlink()
        self.assertEqual(self.told(), ["a.cu:1:12 error removed"])


class Scopes(Base):
    """A definition of the user's hides the library's name where it is seen, and nowhere else."""

    def tree_of(self, **files):
        for name, code in files.items():
            self.write("mine/" + name.replace("__", "."), code + "\n")
        return self.told()

    def test_in_one_file(self):
        use = "void f() { nvshmem_gone(); }"
        cases = [
            ("static void nvshmem_gone() {}\n" + use, []),
            ("namespace { void nvshmem_gone() {} }\n" + use, []),
            ("namespace own { void nvshmem_gone() {} }\n" + use, ["a.cu:2:12 error removed"]),
            ("namespace own { void nvshmem_gone() {}\n" + use + " }", []),
            ("namespace own { void nvshmem_gone() {} }\nnamespace own::in {\n" + use + " }", []),
            ("namespace own { void nvshmem_gone() {} }\nusing namespace own;\n" + use, []),
            ("namespace own { void nvshmem_gone() {} }\nusing own::nvshmem_gone;\n" + use, []),
            ("namespace own { void nvshmem_gone() {} }\nvoid f() { own::nvshmem_gone(); }", []),
            ("namespace own { void nvshmem_gone() {} void f() { ::nvshmem_gone(); } }", ["a.cu:1:53 error removed"]),
            ("struct own { void nvshmem_gone(); };\n" + use, ["a.cu:2:12 error removed"]),
            ("struct own { void nvshmem_gone(); void f() { nvshmem_gone(); } };", []),
            ("struct own { void nvshmem_gone(); void f(); };\nvoid own::f() { nvshmem_gone(); }", []),
            ("struct own { void nvshmem_gone(); void f() { ::nvshmem_gone(); } };", ["a.cu:1:48 error removed"]),
            ("struct own { void nvshmem_gone(); };\nvoid f(own *o) { o->nvshmem_gone(); }", []),
            ("struct own { void (*nvshmem_gone)(); };\n" + use, ["a.cu:2:12 error removed"]),
            ("struct base { void nvshmem_gone(); };\nstruct own : base { void f() { nvshmem_gone(); } };", []),
            ("#define nvshmem_gone() own()\n" + use, []),
            ("namespace own {\n#define nvshmem_gone() own()\n}\n" + use, []),
            ("void f() { auto nvshmem_gone = own; use(nvshmem_gone); }", []),
            ("void g(int nvshmem_gone) {}\n" + use, ["a.cu:2:12 error removed"]),
            ("extern \"C\" void nvshmem_gone() {}\n" + use, []),
            ("void nvshmem_gone();\n" + use, ["a.cu:1:6 error removed", "a.cu:2:12 error removed"]),  # declared only
        ]
        for code, expected in cases:
            with self.subTest(code=code):
                self.assertEqual(self.findings(code + "\n"), expected)

    def test_over_files(self):
        use = "void f() { nvshmem_gone(); }"
        removed = ["u.cu:1:12 error removed"]
        self.assertEqual(self.tree_of(u__cu=use, d__cu="static void nvshmem_gone() {}"), removed)
        self.assertEqual(self.tree_of(d__cu="struct nvshmem_gone {};"), removed)
        self.assertEqual(self.tree_of(d__cu="#define nvshmem_gone own"), removed)
        self.assertEqual(self.tree_of(d__cu="namespace own { void nvshmem_gone() {} }"), removed)
        self.assertEqual(self.tree_of(d__cu="struct own { void nvshmem_gone() {} };"), removed)
        self.assertEqual(self.tree_of(d__cu="void nvshmem_gone() {}"), [])

    def test_by_include(self):
        static = "static inline void nvshmem_gone() {}"
        use = "void f() { nvshmem_gone(); }"
        self.write("mine/inc/own.cuh", static + "\n")
        self.write("mine/inc/all.h", "#pragma once\n#include \"own.cuh\"\n")
        self.write("other/own.cuh", "\n")
        self.assertEqual(self.tree_of(a__cu="#include \"inc/own.cuh\"\n" + use, b__cu="#include <inc/all.h>\n" + use,
                                      c__cu="#include \"other/own.cuh\"\n" + use, d__cu=use),
                         ["c.cu:2:12 error removed", "d.cu:1:12 error removed"])

    def test_members_over_files(self):
        self.write("mine/own.h", "struct own { void nvshmem_gone(); void f(); };\n")
        self.assertEqual(self.tree_of(a__cc="#include \"own.h\"\nvoid own::f() { nvshmem_gone(); }\nvoid g() { nvshmem_gone(); }"),
                         ["a.cc:3:12 error removed"])

    def test_they_are_listed(self):
        self.write("mine/a.cu", "static void nvshmem_gone() {}\nvoid nvshmem_mine() {}\n")
        self.write("mine/b.cu", "namespace own { void nvshmem_same() {} }\nstruct s { void nvshmem_changed(); void f() { "
                   "nvshmem_changed(); } };\nstruct t { void nvshmem_changed(); };\n")
        text = "\n".join(self.upgrade("1.0", "2.0", str(self.tree)))
        self.assertIn("names of NVSHMEM's that are taken as your own:\n"
                      "  nvshmem_gone in its file and where that is included, defined at mine/a.cu:1:13\n"
                      "  nvshmem_same in its namespace, defined at mine/b.cu:1:22", text)
        self.assertNotIn("nvshmem_mine", text)
        own = self.json()["own"]
        self.assertEqual([(o["name"], o["line"], o["column"], o["reach"]) for o in own],
                         [("nvshmem_gone", 1, 13, "in its file and where that is included"),
                          ("nvshmem_same", 1, 22, "in its namespace")])


class Files(Base):
    """Which files are read, as what, and what is said of the rest."""

    def test_other_kinds(self):
        went = "variable-removed"
        cases = [
            ("run.sh", "export NVSHMEM_WENT=1\n", 1), ("run.sh", "mpirun -x NVSHMEM_WENT=1 ./a\n", 1),
            ("run.csh", "setenv NVSHMEM_WENT 1\n", 1), ("run", "#!/bin/sh\nNVSHMEM_WENT=1 ./a\n", 2),
            ("job.sbatch", "srun --export=ALL,NVSHMEM_WENT=1 ./a\n", 1),
            (".env", "NVSHMEM_WENT=1\n", 1), (".bashrc", "export NVSHMEM_WENT=1\n", 1),
            (".github/workflows/ci.yml", "env:\n  NVSHMEM_WENT: 1\n", 2),
            (".gitlab-ci.yml", "variables:\n  NVSHMEM_WENT: \"1\"\n", 2),
            ("pod.yaml", "env:\n- name: NVSHMEM_WENT\n  value: \"1\"\n", 2),
            ("pod.yaml", "env: [{name: NVSHMEM_WENT, value: \"1\"}]\n", 1),
            ("pod.json", "{\"env\": [{\"name\": \"NVSHMEM_WENT\", \"value\": \"1\"}]}\n", 1),
            ("Makefile", "export NVSHMEM_WENT = 1\n", 1), ("Makefile", "run:\n\tNVSHMEM_WENT=1 ./a\n", 2),
            ("GNUmakefile", "run: export NVSHMEM_WENT := 1\n", 1), ("a.mk", "RUN = NVSHMEM_WENT=1 mpirun\n", 1),
            ("Makefile.am", "run:\n\tmpirun -x NVSHMEM_WENT=1 ./a\n", 2),
            ("Makefile", "NVSHMEM_WENT ?= 1\nX = $(NVSHMEM_WENT)\n\techo $(NVSHMEM_WENT)\n", 0),  # make's own
            ("pixi.toml", "[activation.env]\nNVSHMEM_WENT = \"1\"\n", 2),
            ("pyproject.toml", "[tool.x]\nenvironment = { NVSHMEM_WENT = \"1\" }\n", 2),
            ("pyproject.toml", "[tool.x]\nNVSHMEM_WENT = \"1\"\n", 0),
            ("tox.ini", "[testenv]\nsetenv =\n  NVSHMEM_WENT = 1\n", 3),
            ("Dockerfile.dev", "ENV NVSHMEM_WENT=1\n", 1), ("Containerfile", "ENV NVSHMEM_WENT 1\n", 1),
            ("CMakeLists.txt", "set(ENV{NVSHMEM_WENT} 1)\n", 1),
            ("a.service", "Environment=NVSHMEM_WENT=1\n", 1),
            ("a.lua", "setenv(\"NVSHMEM_WENT\", \"1\")\n", 1), ("run.fish", "set -gx NVSHMEM_WENT 1\n", 1),
            ("job.sh", "#SBATCH --export=ALL,NVSHMEM_WENT=1\n", 1), ("a.sh", "docker run -eNVSHMEM_WENT=1 x\n", 1),
            ("Makefile", "t:\n\t@NVSHMEM_WENT=1 ./a\n", 2), ("Makefile", "t:\n\t@echo \"NVSHMEM_WENT=1\"\n", 0),
            ("CMakeLists.txt", "add_test(NAME t COMMAND c -E env NVSHMEM_WENT=1 t)\n", 1),
            ("CMakeLists.txt", "set_tests_properties(t PROPERTIES\n  ENVIRONMENT \"A=1;NVSHMEM_WENT=1\")\n", 2),
            ("CMakeLists.txt", "add_compile_definitions(NVSHMEM_WENT=1)\nmessage(\"NVSHMEM_WENT=1\")\n", 0),
            ("v.yaml", "env:\n- name: NVSHMEM_WENT\n  valueFrom: {}\n", 2), ("c.yaml", "environment:\n- NVSHMEM_WENT\n", 2),
            ("pixi.toml", "run = \"NVSHMEM_WENT=1 ./a\"\n", 1), ("a.py", "os.environ |= {'NVSHMEM_WENT': '1'}\n", 1),
            ("run.sh.j2", "export NVSHMEM_WENT={{ x }}\n", 1),
            ("setup", "#!/usr/bin/env python3\nimport os\nos.environ['NVSHMEM_WENT'] = '1'\n", 3),
        ]
        for name, text, line in cases:
            with self.subTest(name=name, text=text):
                path = self.write("mine/" + name, text)
                self.assertEqual([(f["kind"], f["line"]) for f in self.json()["findings"]],
                                 [(went, line)] if line else [])
                path.unlink()

    def test_code_by_its_ending(self):
        for name in ("a.c++", "a.h++", "a.cuh", "a.inl", "a.CU", "a.ixx", ".hidden.cu", "a.hip"):
            path = self.write("mine/" + name, "void f() { nvshmem_gone(); }\n")
            self.assertEqual(self.told(), [f"{name}:1:12 error removed"])
            path.unlink()
        self.assertEqual(self.findings("fn f() { unsafe { nvshmem_gone() } } // nvshmem_gone\n", "mine/a.rs"),
                         ["a.rs:1:19 error removed"])

    def test_notebook(self):
        code = ["import os\n", "os.environ[\"NVSHMEM_WENT\"] = \"1\"\n", "!export NVSHMEM_CAME=1\n",
                "# NVSHMEM_WENT\n"]
        cells = [{"cell_type": "markdown", "source": ["NVSHMEM_WENT=1\n"]},
                 {"cell_type": "code", "source": code, "outputs": ["NVSHMEM_WENT=1"]},
                 {"cell_type": "code", "source": "%%bash\nexport NVSHMEM_WENT=1"},
                 {"cell_type": "code", "source": ["%env NVSHMEM_WENT=1"]},
                 {"cell_type": "code", "source": ["%%writefile k.cu\n", "void *f(nvshmemi_state_t *s) {\n",
                                                  "    nvshmem_gone(\"\"); return s->extra;\n", "}"]}]
        text = json.dumps({"cells": cells, "nbformat": 4}, indent=1)
        self.write("mine/a.ipynb", text)
        lines = text.split("\n")
        found = self.json()["findings"]
        self.assertEqual([f["kind"] for f in found], ["variable-removed", "variable-added"] +
                         ["variable-removed"] * 2 + ["internal-changed", "removed", "member-moved"])
        for finding in found:
            self.assertTrue(lines[finding["line"] - 1][finding["column"] - 1:].startswith(finding["name"]), finding)
        self.write("mine/a.ipynb", text[:-5])
        value = self.json(status=(2,))
        self.assertEqual([(left["kind"], left["path"][-7:]) for left in value["left"]], [("unreadable", "a.ipynb")])

    def test_too_large(self):
        """Named, or inside of a folder: the same, and the run goes on."""
        line = "void f(){ nvshmem_gone(p,1); }\n"
        self.write("mine/large.cu", line * 600000)
        self.write("mine/b.cu", line)
        for paths in ([self.tree], [self.tree / "large.cu", self.tree / "b.cu"]):
            value = self.json(*paths, status=(2,))
            self.assertEqual([f["file"][-4:] for f in value["findings"]], ["b.cu"])
            self.assertEqual([left["path"][-8:] for left in value["left"]], ["large.cu"])
            self.assertEqual(value["left"][0]["why"], "has 18600000 bytes; the limit is 16777216")
            self.assertEqual((value["failed"], value["files"]), (0, 1))

    def test_too_large_to_parse(self):
        """Words are told all the same, but for those of comments and strings."""
        self.write("mine/a.cu", "// nvshmem_gone\nconst char *s = \"nvshmem_gone\";\n" + "int x[] = {1, 2};\n" * 300000 +
                   "void f() { nvshmem_gone(); }\n")
        value = self.json()
        self.assertEqual([(f["kind"], f["line"]) for f in value["findings"]], [("removed", 300003)])
        self.assertEqual([left["kind"] for left in value["left"]], ["not-parsed"])

    def test_deep_templates(self):
        deep = "A<" * 20000 + "int" + ">" * 20000 + " x;\n"
        self.write("mine/a.cu", deep + "void f() { nvshmem_gone(); }\n")
        self.write("mine/b.cu", "A<A<A<int>>> x; // " + "<" * 2000 + "\nconst char *s = \"" + "<" * 2000 + "\";\n" +
                   "bool b = 1 < 2;\n" * 2000 + "void f() { nvshmem_gone(); }\n")
        value = self.json()
        self.assertEqual([(left["kind"], left["path"][-4:]) for left in value["left"]], [("not-parsed", "a.cu")])
        self.assertIn("`<`", value["left"][0]["why"])
        self.assertEqual(len(value["findings"]), 2)

    def test_macro_with_many_names(self):
        """Each name of a body was parsed with all the body: 1,000 took 14 seconds."""
        names = " ".join(f"nvshmem_x{i}(a + {i}, \"nvshmem_gone\"); nvshmem_gone();" for i in range(20000))
        self.write("mine/a.cu", "#define ALL " + names + "\n")
        self.assertEqual(len(self.json()["findings"]), 20000)

    def test_calls_in_calls(self):
        """What stands around each is looked at no farther than code goes: 20,000 took 21 seconds."""
        depth = 20000
        self.write("mine/a.cu", "void f() { " + "nvshmem_gone(" * depth + ")" * depth + "; }\n")
        self.assertEqual(len(self.json()["findings"]), depth)

    def test_many_definitions_of_a_name(self):
        count = 2000
        self.write("mine/a.cu", "".join(f"namespace n{i} {{ void nvshmem_gone() {{}} }}\n" for i in range(count)) +
                   "using namespace other;\nvoid f() { " + "nvshmem_gone();" * count + " }\n")
        self.assertEqual(len(self.json()["findings"]), count)

    def test_each_once(self):
        path = self.write("mine/sub/a.cu", "void f() { nvshmem_gone(); }\n")
        link = self.dir / "link"
        link.symlink_to(self.tree)
        for paths in ([self.tree, self.tree], [path, self.tree], [self.tree, path], [f"{self.tree}/./sub/a.cu", path],
                      [link, self.tree], [f"{self.tree}/", self.tree / "sub"]):
            value = self.json(*paths)
            self.assertEqual((len(value["findings"]), value["files"]), (1, 1), paths)
        (self.tree / "again.cu").symlink_to(path)
        value = self.json()
        self.assertEqual((len(value["findings"]), value["links"]), (1, 1))
        self.assertIn("1 symbolic link not followed", "\n".join(self.upgrade("1.0", "2.0", str(self.tree))))

    def test_columns(self):
        self.assertEqual(self.findings("void f() { nvshmem_gone(); nvshmem_gone(); }\n"),
                         ["a.cu:1:12 error removed", "a.cu:1:28 error removed"])

    def test_odd_names_of_files(self):
        name = "a\nb\x1b[31m\u202e\\.cu"
        self.write("mine/" + name, "void f() { nvshmem_gone(); }\n")
        text = "\n".join(self.upgrade("1.0", "2.0", str(self.tree)))
        self.assertIn("mine/a\\x0ab\\x1b[31m\\xe2\\x80\\xae\\x5c.cu:1:12: error", text)
        self.assertTrue(self.json()["findings"][0]["file"].endswith("/" + name))

    def test_what_is_left_is_told(self):
        self.write("mine/a.cu", "void f() { nvshmem_gone(); }\n")
        self.write("mine/lib.so", b"\x7fELF\0nvshmem_gone\0")
        self.write("mine/.git/config", "NVSHMEM_WENT=1\n")
        self.write("mine/env/pyvenv.cfg", "\n")
        self.write("mine/env/x.cu", "void f() { nvshmem_gone(); }\n")
        os.mkfifo(self.tree / "pipe")
        lines = self.upgrade("1.0", "2.0", str(self.tree))
        self.assertEqual(lines[2], "1 file read, 1 that name NVSHMEM parsed; not understood 0 of 29 bytes")
        self.assertEqual(lines[3:], [
            "not read: 2", "  mine/lib.so (no text)", "  mine/pipe (neither a file nor a folder)",
            "left out: 2", "  mine/.git (a tool's folder)", "  mine/env (a tool's folder)"])
        for i in range(30):
            self.write(f"mine/{i:02}.o", b"\0")
        text = "\n".join(self.upgrade("1.0", "2.0", str(self.tree)))
        self.assertIn("not read: 32\n", text)
        self.assertIn("  mine/09.o (no text)\n  and 22 more (--json)", text)
        self.assertEqual(len(self.json()["left"]), 34)

    def test_source_with_a_nul(self):
        """What a grammar read is not told to be unread."""
        self.write("mine/a.cu", b"void f() { nvshmem_gone(); }\n\0\n")
        value = self.json()
        self.assertEqual((value["files"], value["left"], len(value["findings"])), (1, [], 1))

    def test_what_may_hold_code_and_was_not_read(self):
        """One rule, named or in a folder: code by its name that is no text ends with 2, data does not."""
        text = "void f() { nvshmem_gone(); }\n".encode("utf-16")
        code = ("a.cu", "a.py", "a.sh", "a.ipynb", "CMakeLists.txt", "Makefile", "a.yaml", "a.pyx", "a.rs", "Dockerfile")
        for name, status in (*((name, 2) for name in code), *((name, 0) for name in ("a.o", "a", "a.bin", "a.json"))):
            path = self.write("mine/" + name, text)
            for reached in (path, self.tree):
                with self.subTest(name=name, reached=reached):
                    done = self.run_it("upgrade", "--kb", self.kb, "1.0", "2.0", str(reached))
                    self.assertEqual(done.returncode, status)
                    self.assertEqual("no text" in done.stderr, status == 2)
                    self.assertIn(("could not be read" if status else "not read") + f": 1\n  {path} (no text)", done.stdout)
            path.unlink()

    def test_a_notebook_that_is_none(self):
        """Its words were not judged, so it was not read."""
        for text in ('{"nvshmem_gone": 1}', '{"cells": [{"cell_type": "code", "source": ["nvshmem_gone()'):
            self.write("mine/a.ipynb", text)
            value = self.json(status=(2,))
            self.assertEqual([left["kind"] for left in value["left"]], ["unreadable"])
            self.assertEqual((value["files"], value["failed"]), (0, 0))

    def test_many_that_could_not_be_read(self):
        for n in range(14):
            self.write(f"mine/{n:02}.sh", b"\0")
        done = self.run_it("upgrade", "--kb", self.kb, "1.0", "2.0", str(self.tree))
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr.count("\n"), 11)
        self.assertIn("and 4 more that could not be read\n", done.stderr)

    def test_folders_too_deep(self):
        self.write("mine/a.cu", "void f() { nvshmem_gone(); }\n")
        self.write("mine/" + "d/" * 40 + "b.cu", "void f() { nvshmem_gone(); }\n")
        self.write("mine/" + "d/" * 70 + "c.cu", "void f() { nvshmem_gone(); }\n")
        value = self.json(status=(2,))
        self.assertEqual(len(value["findings"]), 2)
        self.assertEqual([(left["kind"], left["why"]) for left in value["left"]], [("unreadable", "nested too deep")])

    def test_a_named_path_that_is_not_there(self):
        """The others are read; the exit status is a fault's."""
        self.write("mine/a.cu", "void f() { nvshmem_gone(); }\n")
        done = self.run_it("upgrade", "--kb", self.kb, "1.0", "2.0", str(self.dir / "nowhere"), str(self.tree))
        self.assertEqual(done.returncode, 2)
        self.assertIn("[removed]", done.stdout)
        self.assertIn("could not be read: 1\n", done.stdout)
        self.assertEqual(done.stderr.count("\n"), 1)
        self.assertIn("nowhere: No such file", done.stderr)

    def test_an_unreadable_folder(self):
        self.write("mine/a.cu", "void f() { nvshmem_gone(); }\n")
        self.write("mine/shut/b.cu", "void f() { nvshmem_gone(); }\n")
        self.write("mine/shut.cu", "void f() { nvshmem_gone(); }\n")
        (self.tree / "shut").chmod(0)
        (self.tree / "shut.cu").chmod(0)
        self.addCleanup((self.tree / "shut").chmod, 0o755)
        done = self.run_unprivileged("upgrade", "--json", "--kb", self.kb, "1.0", "2.0", str(self.tree))
        value = json.loads(done.stdout)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(len(value["findings"]), 1)
        self.assertEqual({left["kind"] for left in value["left"]}, {"unreadable"})
        self.assertEqual([left["path"].rsplit("/", 1)[1] for left in value["left"]], ["shut", "shut.cu"])


if __name__ == "__main__":
    run_tests(sys.modules[__name__], Case)
