#!/usr/bin/env python3
"""skill install --agents-md: the index between its markers, and not a byte around them."""

import os
import random
import resource
import stat
import subprocess
import sys

from clicase import ROOT, Case, run_tests

SKILL = ROOT / "skills/nvshmem"
BEGIN = b"<!-- shmemlore:begin -->"
END = b"<!-- shmemlore:end -->"
MOST = 8192


class SkillAgents(Case):
    def setUp(self):
        super().setUp()
        self.project = self.dir / "project"
        self.project.mkdir()
        self.file = self.project / "AGENTS.md"

    def skill(self, command, *more, status=0):
        done = self.run_it("skill", command, "--project", str(self.project), *(more or ["--agents-md"]))
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout

    def backups(self):
        return sorted(self.project.glob(".*.backup-*"))

    def names(self):
        return sorted(os.listdir(self.project))

    def refused(self, words, *more, command="install"):
        before = (self.names(), self.file.read_bytes() if self.file.is_file() else None)
        self.fails(2, words, "skill", command, "--project", str(self.project), *(more or ["--agents-md"]))
        self.assertEqual((self.names(), self.file.read_bytes() if self.file.is_file() else None), before)

    def test_a_new_file_holds_the_index_alone_and_goes_with_it(self):
        self.assertIn(f"made {self.file}\n", self.skill("install"))
        text = self.file.read_bytes()
        self.assertLessEqual(len(text), MOST)
        self.assertTrue(text.startswith(BEGIN + b"\n") and text.endswith(END + b"\n"))
        lines = text.decode().splitlines()
        for path in sorted(SKILL.glob("references/**/*.md")):
            name = str(path.relative_to(SKILL))
            summary = next(line for line in path.read_text().splitlines() if line.startswith("summary: ")).split(": ", 1)[1]
            self.assertIn(f"- {name}: {summary.strip(chr(34))}", lines)
        self.assertIn("`.claude/skills/nvshmem`", lines[3])
        self.assertIn("up to date: the index in", self.skill("install"))
        self.assertEqual(self.names(), [".claude", "AGENTS.md"])
        self.assertIn(f"removed the index from {self.file}\n", self.skill("uninstall"))
        self.assertFalse(self.file.exists())
        self.assertEqual(self.skill("uninstall", status=1).count("\n"), 2)

    def test_the_folder_is_the_client_s(self):
        self.skill("install", "--client", "codex", "--agents-md")
        self.assertIn(b"`.agents/skills/nvshmem`", self.file.read_bytes())

    def test_what_stands_around_it_stays_and_comes_back(self):
        block = None
        for text in (b"# Rules\n", b"# Rules", b"a\r\nb\r\n", b"a\r\nb", b"\n", b"\xef\xbb\xbf", b"\xef\xbb\xbfa\n", b"a\n\n\n", b"a\rb",
                     "ä…\n".encode(), b"   ", b"```\ncode"):
            with self.subTest(text=text):
                self.file.write_bytes(text)
                self.assertIn("added the index to", self.skill("install"))
                got = self.file.read_bytes()
                self.assertTrue(got.startswith(text))
                eol = b"\r\n" if b"\r\n" in text else b"\n"
                self.assertEqual(got.count(b"\n") == got.count(b"\r\n"), b"\r\n" in text)
                inner = got[got.index(BEGIN):got.index(END)].replace(b"\r\n", b"\n")
                block = block or inner
                self.assertEqual(inner, block)
                self.assertIn(got[len(text):got.index(BEGIN)], (b"", eol))
                [backup] = self.backups()
                self.assertEqual(backup.read_bytes(), text)
                backup.unlink()
                self.assertIn("up to date: the index in", self.skill("install"))
                self.assertEqual((self.file.read_bytes(), self.backups()), (got, []))
                self.skill("uninstall")
                self.assertEqual(self.file.read_bytes(), text)
                self.backups()[0].unlink()

    def test_random_texts_around_and_inside(self):
        rng = random.Random(7)
        pieces = [b"\n", b"\r\n", b"# a\n", b"text", b"<!-- shmemlore", b"begin -->", b" ", b"`" * 3, BEGIN + b"x", b"x" + END, b"-->\n"]
        self.skill("install")
        whole = self.file.read_bytes().rstrip(b"\n")
        for _ in range(60):
            before = b"".join(rng.choices(pieces, k=rng.randrange(8)))
            before = before if not before or before.endswith(b"\n") else before + b"\n"
            after = rng.choice([b"\n", b"  \n", b"\r\n", b""])
            after += b"".join(rng.choices(pieces, k=rng.randrange(8))) if after else b""
            inner = b"".join(rng.choices(pieces, k=4))
            self.file.write_bytes(before + BEGIN + b"\n" + inner + b"\n" + END + after)
            self.skill("install")
            got = self.file.read_bytes()
            self.assertTrue(got.startswith(before) and got.endswith(after), (before, after))
            self.assertEqual(got[len(before):len(got) - len(after)].replace(b"\r\n", b"\n"), whole)

    def test_markers_that_are_no_pair_are_refused_with_their_line(self):
        for text, line in ((b"a\n" + BEGIN + b"\nb\n", 2), (b"a\n\n" + END + b"\n", 3), (END + b"\n" + BEGIN + b"\n", 1),
                           ((BEGIN + b"\n" + END + b"\n") * 2, 3), (BEGIN + b"\n" + BEGIN + b"\n" + END + b"\n", 2),
                           (BEGIN + b"\n" + END + b"\n" + END + b"\n", 3), (b"\xef\xbb\xbf" + BEGIN + b"\n", 1)):
            with self.subTest(text=text):
                self.file.write_bytes(text)
                for command in ("install", "uninstall"):
                    self.refused(f"AGENTS.md:{line}: ", command=command)

    def test_files_that_are_none_of_ours(self):
        for text, words in ((b"a\0b", "no UTF-8"), (b"caf\xe9\n", "no UTF-8"), ("a\n".encode("utf-16"), "no UTF-8"), (b"a\rb\r", "carriage return"), (b"a" * 10_000_000, "MiB")):
            self.file.write_bytes(text)
            self.refused(words)
        self.file.unlink()
        self.file.mkdir()
        self.refused("no regular file")
        self.file.rmdir()
        os.mkfifo(self.file)
        self.refused("no regular file")
        self.file.unlink()
        (self.project / "CLAUDE.md").write_text("mine\n")
        self.file.symlink_to("CLAUDE.md")
        self.refused("symbolic link")
        self.skill("install", "--agents-md=CLAUDE.md")
        self.assertTrue(self.file.is_symlink())
        self.assertTrue(self.file.read_text().startswith("mine\n"))
        (self.project / "out").symlink_to(self.dir)
        for path in ("../AGENTS.md", "/etc/AGENTS.md", "", "out/AGENTS.md"):
            self.refused("", f"--agents-md={path}")
        self.assertEqual(sorted(os.listdir(self.dir)), ["project"])

    def test_slashes_behind_the_project(self):
        done = self.run_it("skill", "install", "--project", f"{self.project}//", "--agents-md")
        self.assertEqual(done.stdout, f"installed {self.project}/.claude/skills/nvshmem\nmade {self.file}\n")

    def test_needs_a_project(self):
        self.fails(2, "--project", "skill", "install", "--agents-md", environment={"HOME": str(self.project)})
        self.assertEqual(self.names(), [])

    def test_dry_run_does_nothing(self):
        self.file.write_text("mine\n")
        self.assertIn(f"would add the index to {self.file}\nwould keep the file as it was as {self.project}/.AGENTS.md.backup-XXXXXX\n", self.skill("install", "--agents-md", "--dry-run"))
        self.assertEqual(self.names(), ["AGENTS.md"])
        self.skill("install")
        before = (self.names(), self.file.read_bytes())
        self.assertIn(f"would remove the index from {self.file}\n", self.skill("uninstall", "--agents-md", "--dry-run"))
        self.assertEqual((self.names(), self.file.read_bytes()), before)

    def test_what_was_done_before_a_failure_is_told(self):
        self.file.write_text("mine\n" * 400_000)  # its backup is over the limit, the skill's files are not
        done = subprocess.run([self.helper, "skill", "install", "--project", str(self.project), "--agents-md"], capture_output=True, text=True,
                              check=False, timeout=60, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20)))
        self.assertEqual((done.returncode, done.stdout), (2, f"installed {self.project}/.claude/skills/nvshmem\n"), done.stderr)
        self.assertIn("AGENTS.md", done.stderr)
        self.assertEqual(self.backups(), [])
        self.assertEqual(self.file.read_text(), "mine\n" * 400_000)

    def test_rights_are_kept_by_file_and_backup(self):
        self.file.write_text("mine\n")
        self.file.chmod(0o600)
        self.skill("install")
        for path in (self.file, *self.backups()):
            self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600, path)

    def test_the_owner_keeps_the_file(self):
        if os.getuid():
            self.skipTest("only root writes for others")
        self.file.write_text("mine\n")
        os.chown(self.file, 65534, 65534)
        self.skill("install")
        self.assertEqual((self.file.stat().st_uid, self.file.stat().st_gid), (65534, 65534))

    def test_a_skill_that_is_refused_leaves_the_file(self):
        (self.project / ".claude/skills/nvshmem").mkdir(parents=True)
        (self.project / ".claude/skills/nvshmem/mine").write_text("mine")
        self.file.write_text("mine\n")
        self.refused("--force")

    def test_a_file_whose_folder_is_missing_changes_nothing(self):
        self.refused("make it first", "--agents-md=sub/AGENTS.md")
        self.assertIn("no index in", self.skill("uninstall", "--agents-md=sub/AGENTS.md", status=1))

    def test_a_file_that_would_get_too_long_is_refused(self):
        for size, status in ((4 << 20, 2), ((4 << 20) - 7000, 2), ((4 << 20) - MOST - 64, 0)):
            self.file.write_bytes(b"x" * (size - 1) + b"\n")
            before = self.file.read_bytes()
            if status:
                self.refused("over 4 MiB")
            else:
                self.skill("install")
                self.skill("uninstall")
                self.assertEqual(self.file.read_bytes(), before)

    def test_a_file_in_the_skill_itself_is_refused(self):
        for name in ("SKILL.md", "NEW.md"):
            self.refused("own folder", f"--agents-md=.claude/skills/nvshmem/{name}")
        for folder in (".claude", ".claude/skills", ".claude/skills/nvshmem"):  # which are not there yet
            for more in ([], ["--dry-run"]):
                self.refused("one of those above it", f"--agents-md={folder}", *more)


if __name__ == "__main__":
    run_tests(sys.modules[__name__], SkillAgents)
