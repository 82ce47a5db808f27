#!/usr/bin/env python3
"""skill install and uninstall: whole or not at all, and never what others wrote."""

import filecmp
import os
import resource
import shutil
import signal
import subprocess
import sys
import time

from clicase import NOBODY, ROOT, Case, run_tests

SKILL = ROOT / "skills/nvshmem"
MARK = ".shmemlore-installed"
PLACES = {"claude": ".claude", "codex": ".agents", "cursor": ".cursor", "agents": ".agents"}


def tree(root):
    """Path -> bytes, link target or None of all that is below root."""
    found = {}
    for path in sorted(root.rglob("*")):
        name = str(path.relative_to(root))
        if path.is_symlink():
            found[name] = os.readlink(path)
        else:
            found[name] = None if path.is_dir() else path.read_bytes()
    return found


class SkillInstall(Case):
    def setUp(self):
        super().setUp()
        self.home = self.dir / "home"
        self.home.mkdir()
        self.target = self.home / ".claude/skills/nvshmem"

    def skill(self, *arguments, run=None):
        return (run or self.found)("skill", *arguments, environment={"HOME": str(self.home)})

    def refused(self, words, *arguments):
        before = tree(self.home)
        self.fails(2, words, "skill", *arguments, environment={"HOME": str(self.home)})
        self.assertEqual(tree(self.home), before, arguments)

    def whole(self, target):
        got = tree(target)
        self.assertIn(MARK, got)
        del got[MARK]
        self.assertEqual(got, tree(SKILL))

    def test_every_client_gets_the_skill_byte_for_byte(self):
        for client, folder in PLACES.items():
            for where in ([], ["--project", str(self.dir / ("project " + client))]):
                base = self.home
                if where:
                    base = self.dir / ("project " + client)
                    base.mkdir()
                out = self.skill("install", "--client", client, *where)
                self.assertIn(str(base / folder / "skills/nvshmem") + "\n", out)
                self.whole(base / folder / "skills/nvshmem")
                self.assertIn("up to date", self.skill("install", "--client", client, *where))
                self.assertEqual(os.listdir(base / folder / "skills"), ["nvshmem"])

    def test_uninstall_takes_away_what_was_installed(self):
        self.skill("install")
        other = self.target.parent / "mine"
        other.mkdir()
        self.assertEqual(self.skill("uninstall"), f"removed {self.target}\n")
        self.assertEqual(os.listdir(self.target.parent), ["mine"])
        done = self.skill("uninstall", run=self.run_it)
        self.assertEqual((done.returncode, done.stdout), (1, f"not there: {self.target}\n"))

    def test_dry_run_does_nothing(self):
        out = self.skill("install", "--dry-run").splitlines()
        self.assertEqual(out[0], f"would install {self.target}")
        files = [name for name, what in tree(SKILL).items() if what is not None]
        self.assertEqual(sorted(out[1:]), sorted(f"would write {self.target}/{name}" for name in files))
        self.assertEqual(tree(self.home), {})
        self.skill("install")
        before = tree(self.home)
        self.assertEqual(self.skill("uninstall", "--dry-run"), f"would remove {self.target}\n")
        self.assertEqual(tree(self.home), before)

    def test_a_forced_dry_run_names_the_backup(self):
        self.skill("install")
        (self.target / "SKILL.md").write_text("mine")
        for command in ("install", "uninstall"):
            self.assertIn(".nvshmem.backup-XXXXXX\n", self.skill(command, "--force", "--dry-run"))
        self.assertEqual((self.target / "SKILL.md").read_text(), "mine")

    def test_what_cannot_be_removed_is_named_and_what_cannot_be_read_is_kept(self):
        drop = {"preexec_fn": lambda: (os.setgid(65534), os.setuid(65534))} if os.getuid() == 0 else {}
        self.home.chmod(0o777)
        self.dir.chmod(0o755)

        def as_user(*arguments):
            return subprocess.run([self.helper, "skill", *arguments], env={"HOME": str(self.home)}, capture_output=True, text=True, check=False, **drop)
        if as_user("install").returncode:
            self.skipTest("another user cannot reach the program or the folder")
        (self.target / "references").chmod(0o555)
        left = str(self.target.parent / ".nvshmem.new")
        for command in ("uninstall", "uninstall", "install"):
            done = as_user(command)
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn(f"{left} is out of use and does not go away", done.stderr)
        (self.target.parent / ".nvshmem.new/references").chmod(0o755)
        self.assertEqual(as_user("install").returncode, 0)
        (self.target / "SKILL.md").chmod(0)
        done = as_user("install", "--force")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("kept what was there as ", done.stdout)

    def test_what_was_changed_is_refused_and_kept_by_force(self):
        def edit():
            (self.target / "SKILL.md").write_text("mine")

        def more():
            (self.target / "notes.md").write_text("mine")

        def hidden():
            (self.target / ".hidden").write_text("mine")

        def link():
            (self.target / "link").symlink_to("/etc")

        def less():
            (self.target / "references/SOURCES.md").unlink()

        def forged():
            (self.target / MARK).write_text("")

        for change in (edit, more, hidden, link, less, forged):
            with self.subTest(change.__name__):
                self.skill("install")
                change()
                changed = tree(self.target)
                self.refused("--force", "install")
                self.refused("--force", "uninstall")
                for command in ("install", "uninstall"):
                    out = self.skill(command, "--force")
                    backup = out.split("kept what was there as ")[1].strip()
                    kept = self.dir / "kept"
                    os.rename(backup, kept)
                    self.assertEqual(tree(kept), changed)
                    if command == "install":
                        self.whole(self.target)
                        shutil.rmtree(self.target)
                        os.rename(kept, self.target)
                    else:
                        shutil.rmtree(kept)
                self.assertFalse(self.target.exists())

    def test_a_copy_by_hand_is_adopted_when_nothing_differs(self):
        shutil.copytree(SKILL, self.target)
        self.assertEqual(self.skill("install"), f"updated {self.target}\n")
        self.whole(self.target)
        shutil.rmtree(self.target)
        shutil.copytree(SKILL, self.target)
        (self.target / ".hidden").write_text("mine")
        self.refused("--force", "install")

    def test_links_and_files_in_the_way(self):
        outside = self.dir / "outside"
        outside.mkdir()
        for name in (".claude", ".claude/skills", ".claude/skills/nvshmem"):
            path = self.home / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.symlink_to(outside)
            for command in ("install", "uninstall"):
                self.refused("symbolic link", command, "--force")
            path.unlink()
            path.write_text("a file")
            self.refused("no folder", "install", "--force")
            path.unlink()
        self.assertEqual(os.listdir(outside), [])
        self.refused("is no folder", "install", "--project", str(self.dir / "nowhere"))
        self.refused("one of claude", "install", "--client", "emacs")
        self.refused("no argument", "install", "here")

    def limited(self, limit):
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    def test_a_full_disk_leaves_what_was_there(self):
        done = self.run_it("skill", "install", environment={"HOME": str(self.home)}, preexec_fn=lambda: self.limited(50000))
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("cannot write", done.stderr)
        self.assertEqual(os.listdir(self.target.parent), [])

    def test_a_folder_that_may_not_be_written(self):
        if os.geteuid() != 0:
            return
        program = shutil.copy(self.helper, self.dir / "shmemlore")
        done = subprocess.run([program, "skill", "install"], user=NOBODY, group=NOBODY, extra_groups=[], timeout=120,
                              env={"HOME": str(self.home)}, capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertEqual(tree(self.home), {})

    def start(self):
        # pylint: disable=consider-using-with
        return subprocess.Popen([self.helper, "skill", "install"], env={**os.environ, "HOME": str(self.home)},
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def test_many_at_once(self):
        started = [self.start() for _ in range(5)]
        results = [process.communicate(timeout=120) + (process.returncode,) for process in started]
        self.assertEqual([code for _, _, code in results], [0] * 5, results)
        self.assertEqual(sum(out.startswith(b"installed") for out, _, _ in results), 1, results)
        self.whole(self.target)

    def test_killed_anywhere_the_old_or_the_new_is_whole(self):
        self.skill("install")
        old = self.target / "SKILL.md"
        old.write_text("---\nname: nvshmem\ndescription: old\n---\n")
        listing = subprocess.run("find . -type f ! -name .shmemlore-installed -printf '%P\\n' | LC_ALL=C sort | xargs sha256sum",
                                 shell=True, cwd=self.target, capture_output=True, text=True, check=True).stdout
        (self.target / MARK).write_text(listing)  # as an older program would have left it
        before = tree(self.target)
        for step in range(40):
            process = self.start()
            time.sleep(step * 0.004)
            process.kill()
            process.communicate()
            if tree(self.target) != before:
                self.whole(self.target)
                break
        self.skill("install")
        self.whole(self.target)
        self.assertEqual(os.listdir(self.target.parent), ["nvshmem"])
        self.assertTrue(filecmp.cmp(SKILL / "SKILL.md", old, shallow=False))

    def test_an_edit_while_it_is_replaced_is_kept(self):
        self.skill("install")
        (self.target / "SKILL.md").write_text("old")
        listing = subprocess.run("find . -type f ! -name .shmemlore-installed -printf '%P\\n' | LC_ALL=C sort | xargs sha256sum",
                                 shell=True, cwd=self.target, capture_output=True, text=True, check=True).stdout
        (self.target / MARK).write_text(listing)  # as an older program would have left it
        process = self.start()
        while not (self.target.parent / ".nvshmem.new").exists() and process.poll() is None:
            pass  # it has looked at the folder, and writes the new one now
        os.kill(process.pid, signal.SIGSTOP)
        swapped = (self.target / "SKILL.md").read_text() != "old"
        (self.target / "notes.md").write_text("mine")
        os.kill(process.pid, signal.SIGCONT)
        out, error = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 0, error)
        self.assertFalse(swapped)
        backup = out.decode().split("kept what was there as ")[1].strip()
        with open(os.path.join(backup, "notes.md"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "mine")
        self.whole(self.target)


if __name__ == "__main__":
    run_tests(sys.modules[__name__], SkillInstall)
