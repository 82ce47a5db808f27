#!/usr/bin/env python3
"""`skill check`: its rules on made-up skills, in agreement with the format's reference validator.

usage: test_skill_check.py PROGRAM [TEST...]

The reference is what deps/fetch-wheels unpacked into .deps/skills-ref, or $SHMEMLORE_SKILLS_REF; without it the tests
that compare are skipped.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

import skillcases
from clicase import ROOT, Case, run_tests

REFERENCE = pathlib.Path(os.environ.get("SHMEMLORE_SKILLS_REF", ROOT / ".deps/skills-ref"))

# Reads folders, one a line; writes for each "good", or "bad" and why. A reference that falls over has not accepted.
ORACLE = """
import pathlib, sys
from skills_ref import validate
for line in sys.stdin.buffer.read().split(b"\\0")[:-1]:
    try:
        faults = validate(pathlib.Path(line.decode()))
    except (Exception, RecursionError) as fault:
        faults = [type(fault).__name__]
    print("bad " + " ".join(" ".join(faults).split()) if faults else "good")
"""


def reference(folders):
    """The reference validator's verdicts."""
    done = subprocess.run([sys.executable, "-B", "-c", ORACLE], input=b"".join(os.fsencode(f) + b"\0" for f in folders),
                          env={**os.environ, "PYTHONPATH": str(REFERENCE), "PYTHONUTF8": "1"}, capture_output=True, check=True)
    return done.stdout.decode().splitlines()


class SkillCheck(Case):

    def make(self, files, folder="made-up", case="x"):
        """A folder with these files (None: a folder); its path."""
        top = self.dir / case / folder
        top.mkdir(parents=True)
        for name, content in files.items():
            path = top / name
            (path if content is None else path.parent).mkdir(parents=True, exist_ok=True)
            if content is not None:
                path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return top

    def make_agreed(self):
        return {name: self.make({"SKILL.md": text}, folder, name) for name, (folder, text, _) in skillcases.AGREED.items()}

    def check(self, folder, *options):
        """(exit status, findings as objects)"""
        done = self.run_it("skill", "check", "--json", *options, str(folder))
        self.assertEqual(done.stderr, "", folder)
        value = json.loads(done.stdout)
        self.assertEqual(value["schema"], "shmemlore.skill-check/1")
        levels = [found["level"] for found in value["findings"]]
        self.assertEqual((value["errors"], value["warnings"]), (levels.count("error"), levels.count("warning")))
        return done.returncode, value["findings"]

    def test_agreed(self):
        self.assertGreaterEqual(len(skillcases.AGREED), 60)
        for name, folder in self.make_agreed().items():
            rule = skillcases.AGREED[name][2]
            status, findings = self.check(folder)
            rules = {found["rule"] for found in findings if found["level"] == "error"}
            self.assertEqual((status, rules), (1, {rule}) if rule else (0, set()), (name, findings))

    @unittest.skipUnless(REFERENCE.is_dir(), "deps/fetch-wheels did not bring it")
    def test_reference_agrees(self):
        made = self.make_agreed()
        verdicts = dict(zip(made, reference(made.values())))
        wrong = {name: verdict for name, verdict in verdicts.items() if (verdict == "good") != (skillcases.AGREED[name][2] is None)}
        self.assertEqual((len(verdicts), wrong), (len(made), {}))

    @unittest.skipUnless(REFERENCE.is_dir(), "deps/fetch-wheels did not bring it")
    def test_reference_does_not_look(self):
        """What the second list has is not refused by the reference: otherwise it belongs to the first."""
        made = {name: self.make(row[0], case=name) for name, row in skillcases.BEYOND.items()}
        verdicts = reference(made.values())
        self.assertEqual(dict(zip(made, verdicts)), dict.fromkeys(made, "good"))

    @unittest.skipUnless(REFERENCE.is_dir(), "deps/fetch-wheels did not bring it")
    def test_reference_takes_dots_for_names(self):
        """Which is why `.` is looked up here, and no case of the first list."""
        folder = self.make({"SKILL.md": skillcases.skill()})
        self.assertEqual(self.run_it("skill", "check", ".", cwd=folder).returncode, 0)
        self.assertEqual(self.run_it("skill", "check", "../made-up/", cwd=folder).returncode, 0)
        self.assertEqual(reference([folder]), ["good"])
        self.assertTrue(reference([folder / "assets/.."])[0].startswith("bad"))

    def test_beyond(self):
        for name, (files, level, rule, place, _) in skillcases.BEYOND.items():
            status, findings = self.check(self.make(files, case=name))
            hits = [found for found in findings if found["rule"] == rule]
            self.assertEqual(len(hits), 1, (name, findings))
            line = f":{hits[0]['line']}" if hits[0]["line"] else ""
            self.assertEqual((hits[0]["level"], hits[0]["file"] + line), (level, place), (name, findings))
            self.assertEqual(status, int(any(found["level"] == "error" for found in findings)), name)

    def test_clean(self):
        folder = self.make(skillcases.CLEAN)
        self.assertEqual(self.check(folder, "--strict"), (0, []))

    def test_every_rule_is_in_the_document(self):
        text = (ROOT / "docs/internals/skill-check.md").read_text("utf-8")
        documented = set(re.findall(r"^\| `([a-z0-9-]+)` \| (?:error|warning)", text, re.M))
        source = "".join(path.read_text("utf-8") for path in sorted((ROOT / "src/skill").glob("*.c")))
        used = set(re.findall(r'"([a-z0-9]+(?:-[a-z0-9]+)*)",\s*"', source)) | {"name", "description"}
        self.assertEqual(documented - used, set())
        cases = {row[2] for row in skillcases.AGREED.values() if row[2]} | {row[2] for row in skillcases.BEYOND.values()}
        self.assertEqual(documented, cases | {"symlink", "file-kind", "file-name", "no-skill-md", "markdown"})

    def test_our_own(self):
        self.assertEqual(self.check(ROOT / "skills/nvshmem", "--strict"), (0, []))

    def test_text(self):
        folder = self.make({"SKILL.md": skillcases.skill(body="\n[a](b.md)\n"), "references/a.md": "# A\n"})
        done = self.run_it("skill", "check", f"{folder}/")
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        self.assertEqual(done.stdout.splitlines()[:2], [
            f"{folder}/SKILL.md:6: error: a link to 'b.md': that is no file of the skill [dangling]",
            f"{folder}/references/a.md: warning: no file of the skill names it [unreached]"])
        self.assertRegex(done.stdout, r"\n2 files, \d+ bytes; SKILL.md: 1 line, about 3 tokens\n1 error, 1 warning\n\Z")

    def test_strict(self):
        folder = self.make({"SKILL.md": skillcases.skill(), "references/a.md": "# A\n"})
        self.assertEqual(self.check(folder)[0], 0)
        self.assertEqual(self.check(folder, "--strict")[0], 1)

    def test_a_file_names_its_folder(self):
        folder = self.make({"SKILL.md": skillcases.skill()})
        self.assertEqual(self.check(folder / "SKILL.md"), (0, []))
        self.assertEqual(self.run_it("skill", "check", "SKILL.md", cwd=folder).returncode, 0)

    def test_links(self):
        folder = self.make({"SKILL.md": skillcases.skill(body="\n`references/a.md` `references/more/b.md`\n"), "references/a.md": "# A\n",
                            "real/b.md": "# B\n"})
        (folder / "references/more").symlink_to("../real")
        (folder / "alias.md").symlink_to("references/a.md")
        self.assertEqual(self.check(folder), (0, []))
        (folder / "out.md").symlink_to("/etc/hosts")
        (folder / "outside").symlink_to("..")
        (folder / "nowhere").symlink_to("none")
        (folder / "round").symlink_to("round")
        status, findings = self.check(folder)
        self.assertEqual((status, [(f["file"], f["rule"]) for f in findings]),
                         (1, [(name, "symlink") for name in ("nowhere", "out.md", "outside", "round")]))

    def test_a_skill_md_that_is_a_link(self):
        folder = self.make({"a/main.md": skillcases.skill()})
        main = folder / "SKILL.md"
        main.symlink_to("a/main.md")
        self.assertEqual(self.check(folder), (0, []))
        main.unlink()
        main.symlink_to("/etc/hosts")
        self.assertEqual([(f["file"], f["rule"]) for f in self.check(folder)[1]], [("SKILL.md", "symlink")])
        main.unlink()
        main.symlink_to("none")
        self.assertEqual({f["rule"] for f in self.check(folder)[1]}, {"symlink", "no-skill-md"})

    def test_a_skill_md_that_is_no_file(self):
        for kind in (os.mkdir, os.mkfifo):
            folder = self.make({"a": ""}, case=kind.__name__)
            kind(folder / "SKILL.md")
            status, findings = self.check(folder)
            self.assertEqual(status, 1)
            self.assertIn(("SKILL.md", "no-skill-md"), [(f["file"], f["rule"]) for f in findings])
        status, findings = self.check(self.make({"a.md": "# A\n"}, case="none"))
        self.assertEqual((status, [(f["file"], f["rule"]) for f in findings]), (1, [("", "no-skill-md")]))

    def test_what_is_no_file(self):
        folder = self.make({"SKILL.md": skillcases.skill()})
        os.mkfifo(folder / "pipe.md")
        with open(os.fsencode(folder) + b"/\xff.txt", "w", encoding="utf-8"):
            pass
        self.assertEqual(sorted((f["level"], f["rule"]) for f in self.check(folder)[1]), [("error", "file-kind"), ("warning", "file-name")])

    def test_what_cannot_be_read(self):
        folder = self.make({"SKILL.md": skillcases.skill(), "a.md": "# A\n"})
        self.fails(2, "no folder", "skill", "check", str(folder / "none"))
        self.fails(2, "no folder", "skill", "check", str(folder / "a.md"))
        self.fails(2, "no folder", "skill", "check", "")
        (folder / "a.md").chmod(0)
        for path in (folder, *folder.parents):
            if path == self.dir.parent:
                break
            path.chmod(0o755)
        self.fails_unprivileged(2, "Permission denied", "skill", "check", str(folder))
        (folder / "a.md").chmod(0o644)
        (folder / "sub").mkdir(mode=0)
        self.fails_unprivileged(2, "Permission denied", "skill", "check", str(folder))
        (folder / "sub").rmdir()
        folder.chmod(0o744)
        self.fails_unprivileged(2, "Permission denied", "skill", "check", str(folder))

    def test_usage(self):
        self.fails(2, "takes a command", "skill")
        self.fails(2, "no command 'chekc'", "skill", "chekc")
        self.fails(2, "folder of one skill", "skill", "check")
        self.fails(2, "folder of one skill", "skill", "check", "a", "b")
        self.fails(2, "--frob", "skill", "check", "--frob", "a")

    def test_hostile(self):
        """Each ends soon, and says something."""
        lines = 100000
        bodies = {
            "links": "[" * lines + "](" * lines, "deep-links": "](" + "(" * lines, "ticks": "".join("`" * (i % 70) + " " for i in range(9000)),
            "dangling": "[a](b.md)\n" * lines, "titles": "](a \"" * lines, "ids": " id=\"" * lines, "headings": "# a\n" * lines,
            "spans": "`references/a.md` " * 40000, "globs": "`references/*.md` " * 40000, "definitions": "[a]: b\n" * lines,
            "quotes": ">" * lines, "brackets": "[]:" * lines,
        }
        for name, body in bodies.items():
            folder = self.make({"SKILL.md": skillcases.skill(), "references/a.md": body, **{f"references/{i}.md": "# A\n" for i in range(200)}},
                               case=name)
            done = self.run_it("skill", "check", str(folder))
            self.assertIn(done.returncode, (0, 1), name)
            self.assertEqual(done.stderr, "", name)
        many = self.make({"SKILL.md": skillcases.skill()}, case="many")
        for i in range(20000):
            os.mkdir(many / str(i))
        self.assertEqual([f["rule"] for f in self.check(many)[1]], ["too-many-files"])
        shutil.rmtree(many)


if __name__ == "__main__":
    run_tests(sys.modules[__name__], SkillCheck)
