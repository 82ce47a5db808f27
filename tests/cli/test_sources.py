#!/usr/bin/env python3
"""`shmemlore sources list|sync`, the helper program, from the outside: what
works, how it is called, and what it does to the cache.

    test_sources.py HELPER [CLASS.TEST...]
"""

import json
import os
import shutil
import signal
import stat
import subprocess
import sys
from pathlib import Path

import gitfixture
from gitfixture import PLAIN, large, plain
from sourcescase import Case, snapshot

NOBODY = 65534
IS_ROOT = os.geteuid() == 0


class Success(Case):
    def test_list_and_sync(self):
        repo, commit = plain(self.dir / "repo")
        self.pin(commit)
        before = json.loads(self.ok("list", "--json"))
        self.assertEqual(before["schema"], "shmemlore-sources-list/1")
        self.assertEqual(before["sources"][0]["present"], False)
        self.assertFalse(self.cache.exists(), "list makes nothing")
        self.assertIn("not here", self.ok("list"))

        out = self.ok("sync", "--from", repo.path, "thing")
        self.assertIn("licence     MIT", out)
        self.assertIn("src/a.cu: Other licence", out)
        self.assertIn("1 symbolic link, 1 submodule", out)
        self.assert_plain(commit)

        after = json.loads(self.ok("list", "--json"))["sources"][0]
        size = sum(map(len, PLAIN.values()))
        self.assertEqual(
            (after["present"], after["files"], after["bytes"], after["tree"]),
            (True, len(PLAIN), size, str(self.tree(commit))))
        self.assertEqual(after["exceptions"],
                         [{"path": "src/a.cu", "licence": "Other licence"}])

    def test_second_sync_does_nothing(self):
        repo, commit = plain(self.dir / "repo")
        self.pin(commit)
        self.ok("sync", "--from", repo.path)
        before = snapshot(self.cache)
        self.assertIn("already there", self.ok("sync"))
        self.assertEqual(snapshot(self.cache), before)
        self.assertEqual(self.ok("sync", "--quiet"), "")

    def test_uncited_source_comes_by_name_or_with_all(self):
        repo, commit = plain(self.dir / "repo")
        more = ("  other:\n    title: Another\n"
                "    repository: https://example.invalid/own/other\n"
                "    tag: 2026-01-02\n"
                f"    commit: {commit}\n    licence: MIT\n"
                "    cited: %s\n    paths: [src/]\n")
        mirrors = self.dir / "mirrors"
        mirrors.mkdir()
        for name in ("thing", "other"):
            (mirrors / name).symlink_to(repo.path)
        self.pin(commit, more=more % "no")
        self.ok("sync", "--from", mirrors)
        self.assert_plain(commit)
        self.assertFalse(self.tree(commit, "other").exists())
        self.assertIn("other: Another", self.ok("list"))
        self.ok("sync", "--from", mirrors, "--all")
        self.assert_plain(commit, "other")
        shutil.rmtree(self.tree(commit, "other"))
        self.ok("sync", "--from", mirrors, "other")
        self.assert_plain(commit, "other")
        self.pin(commit, more=more % "perhaps")
        self.fails("list", says=["sources.yaml:", "perhaps"])

    def test_force_writes_again(self):
        repo, commit = plain(self.dir / "repo")
        self.pin(commit)
        self.ok("sync", "--from", repo.path)
        (self.tree(commit) / "README.md").write_text("changed")
        (self.tree(commit) / "extra").write_text("not git's")
        self.ok("sync", "--from", repo.path)
        self.assertTrue((self.tree(commit) / "extra").exists())
        out = json.loads(
            self.ok("sync", "--force", "--json", "--from", repo.path))
        self.assertEqual(out["schema"], "shmemlore-sources-sync/1")
        self.assertEqual(out["sources"][0]["outcome"], "synced")
        self.assertEqual(out["sources"][0]["links_left_out"], 1)
        self.assertEqual(out["sources"][0]["submodules_left_out"], 1)
        self.assert_plain(commit)

    def test_mirror_is_not_touched(self):
        repo, commit = plain(self.dir / "repo")
        self.pin(commit)
        before = snapshot(repo.path)
        self.ok("sync", "--from", repo.path)
        self.assertEqual(snapshot(repo.path), before)

    def test_mirror_of_another_user(self):
        if not IS_ROOT:
            self.skipTest("needs root")
        repo, commit = plain(self.dir / "repo")
        self.pin(commit)
        subprocess.run(["chown", "-R", str(NOBODY), repo.path], check=True)
        self.ok("sync", "--from", repo.path)
        self.assert_plain(commit)

    def test_folders_of_mirrors(self):
        repo, commit = plain(self.dir / "repo")
        self.pin(commit)
        for place in ("thing", "thing.git", "own+thing/repo", "own+thing",
                      "own/thing", "own/thing.git"):
            with self.subTest(place=place):
                mirrors = self.dir / "mirrors"
                shutil.rmtree(mirrors, ignore_errors=True)
                shutil.rmtree(self.cache, ignore_errors=True)
                shutil.copytree(repo.path, mirrors / place)
                out = json.loads(self.ok("sync", "--json", "--from", mirrors))
                self.assertEqual(out["sources"][0]["from"],
                                 str(mirrors / place))
                self.assert_plain(commit)

    def test_ordinary_clone_as_mirror(self):
        repo, commit = plain(self.dir / "repo")
        self.pin(commit)
        subprocess.run(["git", "clone", "-q", repo.path,
                        str(self.dir / "clone")], check=True,
                       env=gitfixture.GIT_ENV)
        self.ok("sync", "--from", self.dir / "clone")
        self.assert_plain(commit)

    def test_file_url(self):
        repo, commit = plain(self.dir / "a repo")
        self.pin(commit)
        url = "file://" + repo.path.replace(" ", "%20")
        self.ok("sync", "--from", url, "thing")
        self.assert_plain(commit)

    def test_several_sources_and_one_fault(self):
        repo, commit = plain(self.dir / "mirrors" / "thing")
        self.pin(commit, more=(
            "  other:\n    title: Other\n"
            "    repository: https://example.invalid/own/other\n"
            f"    tag: v1\n    commit: {commit}\n    licence: MIT\n"
            "    paths: [README.md]\n"))
        done = self.run_it("sync", "--from", self.dir / "mirrors")
        self.assertEqual(done.returncode, 2)
        self.assertIn("other: ", done.stderr)
        self.assert_plain(commit)
        done = self.run_it("sync", "--json", "--from", self.dir / "mirrors")
        out = json.loads(done.stdout)["sources"]
        self.assertEqual([s["outcome"] for s in out], ["present", "failed"])
        self.assertIn("looked for", out[1]["error"])
        self.ok("sync", "thing")

    def test_tag_that_is_not_there_is_no_fault(self):
        repo, commit = plain(self.dir / "repo", tag=None)
        self.pin(commit)
        self.ok("sync", "--from", repo.path)
        self.assert_plain(commit)

    def test_umask_of_the_user_counts(self):
        repo, commit = plain(self.dir / "repo")
        self.pin(commit)
        self.ok("sync", "--from", repo.path, umask=0o077)
        mode = (self.tree(commit) / "README.md").stat().st_mode
        self.assertEqual(stat.S_IMODE(mode), 0o600)


class Usage(Case):
    def test_mistakes(self):
        self.pin("a" * 40)
        self.fails("sync", "nothing", says=["'nothing'", "there is: thing"])
        self.fails("sing", says=["'sing'", "list", "sync"])
        self.fails("list", "--force", says=["sync"])
        self.fails("sync", "--root", self.dir / "none", says=["none"])
        done = subprocess.run([self.helper], env=self.env, capture_output=True,
                              text=True)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        done = self.run_it("list", "--bogus")
        self.assertEqual(done.returncode, 2)
        self.assertIn("shmemlore sources: ", done.stderr)

    def test_help(self):
        done = subprocess.run([self.helper, "--help"], env=self.env,
                              capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("--from", done.stdout)
        self.assertTrue(all(len(s) <= 80 for s in done.stdout.split("\n")))

    def test_one_repository_for_several_sources(self):
        repo, commit = plain(self.dir / "repo")
        self.pin(commit, more=(
            "  other:\n    title: Other\n"
            "    repository: https://example.invalid/own/other\n"
            f"    tag: v1\n    commit: {commit}\n    licence: MIT\n"
            "    paths: [README.md]\n"))
        for origin in (repo.path, "https://localhost:1/x"):
            done = self.run_it("sync", "--from", origin)
            self.assertEqual(done.returncode, 2)
            self.assertEqual(done.stderr.count("name the one source"), 2)
        self.ok("sync", "--from", repo.path, "other", "other")
        self.assert_plain(commit, "other")
        self.assertFalse(self.tree(commit).exists())

    def test_project_in_the_current_folder(self):
        repo, commit = plain(self.dir / "repo")
        self.pin(commit)
        call = [self.helper, "list"]
        here = subprocess.run(call, cwd=self.dir / "project", env=self.env,
                              capture_output=True, text=True)
        self.assertEqual((here.returncode, here.stderr), (0, ""))
        self.assertIn(commit, here.stdout)
        file = self.dir / "project" / "evidence" / "sources.yaml"
        named = subprocess.run(call + ["--sources-file", str(file)],
                               env=self.env, capture_output=True, text=True)
        self.assertEqual(named.stdout, here.stdout)

    def test_outside_a_checkout(self):
        out = subprocess.run([self.helper, "list", "--json"], cwd=self.dir,
                             env=self.env, capture_output=True, text=True)
        ids = [s["id"] for s in json.loads(out.stdout)["sources"]]
        self.assertEqual(ids[:3], ["nvshmem", "deepep", "ultraep"])

    def test_output_that_cannot_be_written(self):
        self.pin("a" * 40)
        with open("/dev/full", "w") as full:
            done = subprocess.run(self.command("list"), env=self.env,
                                  stdout=full, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"standard output", done.stderr)

    def test_closed_descriptors(self):
        repo, commit = plain(self.dir / "repo")
        self.pin(commit)
        done = subprocess.run(["sh", "-c", 'exec "$@" <&- >&-', "sh", *self.command("sync", "--from", repo.path)],
                              env=self.env, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 2, done.stderr)
        for path in (self.dir / "cache").rglob("*"):
            if path.is_file():
                self.assertNotIn(b"pinned", path.read_bytes(), path)

    def test_reader_that_hangs_up(self):
        repo, commit = plain(self.dir / "repo")
        self.pin(commit)
        read, write = os.pipe()
        os.close(read)
        done = subprocess.run(self.command("sync", "--from", repo.path),
                              env=self.env, stdout=write,
                              stderr=subprocess.PIPE)
        os.close(write)
        self.assertEqual((done.stderr, done.returncode), (b"", -signal.SIGPIPE))
        self.assert_plain(commit)


class Cache(Case):
    def test_variables(self):
        repo, commit = plain(self.dir / "repo")
        self.pin(commit)
        home = self.env["HOME"]
        xdg = str(self.dir / "xdg")
        for env, where in (
                ({"SHMEMLORE_CACHE": str(self.dir / "own/deep"),
                  "XDG_CACHE_HOME": xdg}, self.dir / "own/deep"),
                ({"XDG_CACHE_HOME": xdg}, self.dir / "xdg/shmemlore"),
                ({"SHMEMLORE_CACHE": ""}, Path(home) / ".cache/shmemlore")):
            del self.env["SHMEMLORE_CACHE"]
            self.env.update(env)
            self.ok("sync", "--from", repo.path)
            self.cache = where
            self.assert_plain(commit)
            self.env.pop("XDG_CACHE_HOME", None)
            self.env.setdefault("SHMEMLORE_CACHE", "")

    def test_relative_value_is_refused(self):
        self.pin("a" * 40)
        self.env["SHMEMLORE_CACHE"] = "some/where"
        for command in ("list", "sync"):
            self.fails(command, says=["SHMEMLORE_CACHE", "absolute"])

    def test_cache_may_be_a_link(self):
        repo, commit = plain(self.dir / "repo")
        self.pin(commit)
        (self.dir / "elsewhere").mkdir()
        self.cache.symlink_to(self.dir / "elsewhere")
        self.ok("sync", "--from", repo.path)
        self.assert_plain(commit)

    def test_links_inside_are_not_followed(self):
        repo, commit = plain(self.dir / "repo")
        self.pin(commit)
        outside = self.dir / "outside"
        outside.mkdir()
        (outside / "kept").write_text("x")
        before = snapshot(outside)
        self.cache.mkdir()
        store = self.cache / "sources"
        store.symlink_to(outside)
        for command in ("list", "sync"):
            self.fails(command, "--force" if command == "sync" else "thing",
                       says=["symbolic link"])
        store.unlink()
        store.mkdir()
        self.tree(commit).symlink_to(outside)
        self.fails("sync", "--from", repo.path, says=["is not a folder"])
        self.fails("sync", "--from", repo.path, "--force",
                   says=["is not a folder"])
        self.tree(commit).unlink()
        (store / ".lock").unlink()
        (store / ".lock").symlink_to(outside / "lock")
        self.fails("sync", "--from", repo.path, says=["symbolic link"])
        (store / ".lock").unlink()
        (store / ".tmp-thing-1").symlink_to(outside)
        (store / ".tmp-thing-2" / "tree").mkdir(parents=True)
        (store / ".tmp-thing-2" / "tree" / "l").symlink_to(outside)
        self.ok("sync", "--from", repo.path)
        self.assert_plain(commit)
        self.assertEqual(snapshot(outside), before)

    def test_cache_that_cannot_be_written(self):
        repo, commit = plain(self.dir / "repo")
        self.pin(commit)
        self.ok("sync", "--from", repo.path)
        store = self.cache / "sources"
        options = {}
        if IS_ROOT:
            options = {"user": NOBODY, "group": NOBODY}
            try:
                subprocess.run([self.helper, "--help"], capture_output=True,
                               **options)
            except PermissionError:
                self.skipTest("the build folder is closed to others")
        else:
            store.chmod(0o555)
            self.addCleanup(store.chmod, 0o755)
        # what is there is there
        self.assertIn("already there", self.ok("sync", **options))
        self.fails("sync", "--from", repo.path, "--force",
                   says=["Permission denied", "SHMEMLORE_CACHE"], **options)
        self.env["SHMEMLORE_CACHE"] = str(self.cache / "more")
        self.cache.chmod(0o555)
        self.addCleanup(self.cache.chmod, 0o755)
        self.fails("sync", "--from", repo.path,
                   says=["Permission denied", "SHMEMLORE_CACHE"], **options)

    def test_full_disk(self):
        repo, commit = large(self.dir / "repo", 2000)
        self.pin(commit)
        self.cache.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs",
                 str(self.cache)]
        if not IS_ROOT or subprocess.run(mount,
                                         capture_output=True).returncode:
            self.skipTest("needs root and mount")
        self.addCleanup(subprocess.run, ["umount", str(self.cache)])
        self.fails("sync", "--from", repo.path,
                   says=["No space left on device", "SHMEMLORE_CACHE"])
        self.assertFalse(self.tree(commit).exists())


if __name__ == "__main__":
    gitfixture.main_tap(sys.modules["__main__"], Case)
