#!/usr/bin/env python3
"""`shmemlore sources sync` when things go wrong: hostile and damaged
repositories, interruptions, networks.

    test_sources_faults.py HELPER [CLASS.TEST...]
"""

import os
import pty
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import gitfixture
from gitfixture import HttpsGit, Repo, large, plain
from sourcescase import Case

BIG = 3000


class Refused(Case):
    def test_moved_tag(self):
        repo, commit = plain(self.dir / "repo")
        self.pin(commit)
        other = repo.commit(repo.tree([]), branch="other")
        for annotate in (["-a", "-m", "x"], []):
            repo.git("tag", "-f", *annotate, "v1", other)
            self.fails("sync", "--from", repo.path,
                       says=["has moved", other, commit])
        self.assertFalse(self.tree(commit).exists())

    def test_id_that_is_not_a_commit(self):
        repo, commit = plain(self.dir / "repo", tag=None)
        for what in ("tree", "blob"):
            oid = (repo.git("rev-parse", commit + "^{tree}")
                   if what == "tree" else repo.blob(b"x"))
            self.pin(oid)
            self.fails("sync", "--from", repo.path,
                       says=[oid, "is a " + what])

    def test_missing_commit(self):
        repo, _ = plain(self.dir / "repo")
        self.pin("a" * 40, tag="v9")
        self.fails("sync", "--from", repo.path,
                   says=[repo.path, "does not have commit " + "a" * 40,
                         "2 refs", "fetch"])

    def test_shallow_clone_without_the_commit(self):
        repo, commit = plain(self.dir / "repo", tag=None)
        newer = repo.git("commit-tree", commit + "^{tree}", "-p", commit,
                         "-m", "newer")
        repo.git("update-ref", "refs/heads/main", newer)
        shallow = self.dir / "shallow"
        subprocess.run(["git", "clone", "-q", "--bare", "--depth=1",
                        "file://" + repo.path, str(shallow)], check=True,
                       env=gitfixture.GIT_ENV)
        self.pin(commit)
        self.fails("sync", "--from", shallow,
                   says=["shallow clone", "--unshallow"])
        self.pin(newer)
        self.ok("sync", "--from", shallow)

    def test_not_a_repository(self):
        self.pin("a" * 40)
        empty = self.dir / "empty"
        empty.mkdir()
        self.fails("sync", "--from", empty,
                   says=["is no git repository", "own+thing/repo"])
        self.fails("sync", "--from", self.dir / "none",
                   says=["no such folder"])
        for url in ("ssh://host/x", "http://host/x", "git://host/x"):
            self.fails("sync", "--from", url, says=["https://"])
        self.fails("sync", "--from", "https:///x", says=["no host"])
        self.fails("sync", "--from", "file://host/x", says=["file:///PATH"])
        self.fails("sync", "--from", "", says=["--from"])

    def test_hostile_names(self):
        repo = Repo(self.dir / "repo")
        blob = repo.blob(b"x")
        sub = repo.tree([("100644", b"f", blob)])
        for name in (b"..", b".", b".git", b".GIT", b"a/b", b"/abs", b"..\\x",
                     b"a\\b", b"\x1b[2J", b"new\nline", b"n" * 300, b""):
            for mode, oid in (("100644", blob), ("40000", sub),
                              ("120000", blob)):
                if mode == "120000" and name == b"n" * 300:
                    continue  # left out, whatever its name
                with self.subTest(name=name, mode=mode):
                    inner = repo.tree([(mode, name, oid)])
                    commit = repo.commit(repo.tree([("40000", b"d", inner)]))
                    self.pin(commit)
                    message = self.fails("sync", "--from", repo.path)
                    self.assertNotIn("\x1b", message)
                    self.assertFalse(self.tree(commit).exists())
        self.assertEqual(sorted(p.name for p in self.dir.iterdir()),
                         ["cache", "project", "repo"])

    def test_names_that_come_twice(self):
        repo = Repo(self.dir / "repo")
        blob = repo.blob(b"/etc")
        sub = repo.tree([("100644", b"passwd", blob)])
        for first, second in ((("100644", blob), ("100644", blob)),
                              (("100644", blob), ("40000", sub)),
                              (("40000", sub), ("40000", sub))):
            commit = repo.commit(repo.tree([(first[0], b"a", first[1]),
                                            (second[0], b"a", second[1])]))
            self.pin(commit)
            self.fails("sync", "--from", repo.path, says=["'a"])

    def test_link_and_folder_of_one_name(self):
        repo = Repo(self.dir / "repo")
        target = self.dir / "target"
        target.mkdir()
        link = repo.blob(str(target).encode())
        sub = repo.tree([("100644", b"f", link)])
        commit = repo.commit(repo.tree([("120000", b"a", link),
                                        ("40000", b"a", sub)]))
        self.pin(commit)
        self.ok("sync", "--from", repo.path)
        self.assertEqual(list(target.iterdir()), [])

    def test_unknown_mode(self):
        repo = Repo(self.dir / "repo")
        commit = repo.commit(repo.tree([("10644", b"fifo", repo.blob(b"x"))]))
        self.pin(commit)
        self.fails("sync", "--from", repo.path)

    def test_caps(self):
        repo = Repo(self.dir / "repo")
        blob = repo.blob(b"x")
        deep = repo.tree([("100644", b"f", blob)])
        for _ in range(100):
            deep = repo.tree([("40000", b"d", deep)])
        self.pin(repo.commit(deep))
        self.fails("sync", "--from", repo.path, says=["64 deep"])

        bomb = repo.tree([("120000", b"%03d" % i, blob) for i in range(100)])
        for _ in range(4):
            bomb = repo.tree([("40000", b"%d" % i, bomb) for i in range(10)])
        self.pin(repo.commit(bomb))
        self.fails("sync", "--from", repo.path, says=["100000 files"])

        huge = repo.blob(b"\0" * ((64 << 20) + 1))
        self.pin(repo.commit(repo.tree([("100644", b"huge", huge)])))
        self.fails("sync", "--from", repo.path, says=["'huge' has 67108865"])

        path = repo.tree([("100644", b"f" * 200, blob)])
        for _ in range(6):
            path = repo.tree([("40000", b"d" * 200, path)])
        self.pin(repo.commit(path))
        self.fails("sync", "--from", repo.path, says=["longer than 1024"])

    def test_damaged_objects(self):
        repo, commit = plain(self.dir / "repo")
        self.pin(commit)
        victim = repo.object_path(repo.git("rev-parse", commit + ":README.md"))
        other = repo.object_path(repo.git("rev-parse", commit + ":run.sh"))
        os.chmod(victim, 0o644)
        good = Path(victim).read_bytes()
        # a whole object, but not the one that its name says
        shutil.copyfile(other, victim)
        self.fails("sync", "--from", repo.path,
                   says=["damaged", "README.md", "git fsck"])
        Path(victim).write_bytes(good[:8])
        self.fails("sync", "--from", repo.path, says=["damaged", "README.md"])
        os.unlink(victim)
        self.fails("sync", "--from", repo.path,
                   says=["partial clone", "README.md"])

    def test_damaged_commit(self):
        repo, commit = plain(self.dir / "repo", tag=None)
        other = repo.commit(repo.tree([]))
        self.pin(commit)
        os.chmod(repo.object_path(commit), 0o644)
        shutil.copyfile(repo.object_path(other), repo.object_path(commit))
        self.fails("sync", "--from", repo.path, says=[commit, "damaged"])

    def test_damaged_pack(self):
        repo, commit = large(self.dir / "repo", 400)
        repo.git("repack", "-adq")
        pack = next(Path(repo.path).glob("objects/pack/*.pack"))
        data = bytearray(pack.read_bytes())
        for i in range(len(data) // 2, len(data) - 40, 97):
            data[i] ^= 0xff
        pack.chmod(0o644)
        pack.write_bytes(data)
        self.pin(commit)
        self.fails("sync", "--from", repo.path)


class Interrupted(Case):
    @classmethod
    def setUpClass(cls):
        cls.shared = tempfile.mkdtemp(prefix="sl-sources-")
        cls.addClassCleanup(shutil.rmtree, cls.shared)
        cls.repo, cls.commit = large(cls.shared + "/repo", BIG)

    def setUp(self):
        super().setUp()
        self.pin(self.commit)

    def test_signals_clean_up(self):
        for number, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            process = self.freeze_export("sync", "--from", self.repo.path)
            _, err = self.interrupt(process, number)
            self.assertEqual((process.returncode, err), (status, ""))
            self.assertEqual(self.rest(), [])
            self.assertFalse(self.tree(self.commit).exists())

    def test_interrupted_force_keeps_the_old_tree(self):
        self.ok("sync", "--from", self.repo.path)
        (self.tree(self.commit) / "old").write_text("old")
        process = self.freeze_export("sync", "--force", "--from",
                                     self.repo.path)
        self.interrupt(process, signal.SIGINT)
        self.assertEqual(process.returncode, 130)
        self.assertTrue((self.tree(self.commit) / "old").exists())

    def test_next_sync_cleans_up_after_a_kill(self):
        process = self.freeze_export("sync", "--from", self.repo.path)
        process.kill()
        process.communicate()
        self.assertEqual(len(self.rest()), 1)
        self.ok("sync", "--from", self.repo.path)
        self.assertEqual(self.rest(), [])
        self.assertEqual(sum(1 for _ in self.tree(self.commit).glob("*/*")),
                         BIG)

    def test_two_at_once(self):
        first = self.freeze_export("sync", "--from", self.repo.path)
        second = self.start("sync", "--from", self.repo.path)
        told = second.stderr.readline()
        self.assertIn(f"process {first.pid}", told)
        self.assertIn("waiting", told)
        self.assertEqual(len(self.rest()), 1, "the first one's work stays")
        third = self.start("sync", "--from", self.repo.path)
        third.stderr.readline()
        third.send_signal(signal.SIGINT)
        third.communicate(timeout=60)
        self.assertEqual(third.returncode, 130)
        first.send_signal(signal.SIGCONT)
        out, err = first.communicate(timeout=60)
        self.assertEqual((first.returncode, err), (0, ""))
        out, err = second.communicate(timeout=60)
        self.assertEqual((second.returncode, err), (0, ""))
        self.assertIn("already there", out)

    def test_progress_on_a_terminal_only(self):
        master, slave = pty.openpty()
        process = self.freeze_export("sync", "--from", self.repo.path,
                                     stderr=slave)
        os.close(slave)
        time.sleep(1.1)
        process.send_signal(signal.SIGCONT)
        seen = b""
        while select.select([master], [], [], 60)[0]:
            try:
                seen += os.read(master, 4096)
            except OSError:
                break
        os.close(master)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0)
        self.assertIn(b"thing: wrote ", seen)
        self.assertTrue(seen.endswith(b"\r\x1b[K"), seen[-80:])


class Network(Case):
    def serve(self):
        if not gitfixture.have_https():
            self.skipTest("needs openssl")
        root = self.dir / "served"
        root.mkdir()
        server = HttpsGit(root, str(self.dir))
        self.addCleanup(server.close)
        self.env["SSL_CERT_FILE"] = server.certificate
        return root, server

    def test_closed_port(self):
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            port = s.getsockname()[1]
        self.pin("a" * 40, repository=f"https://127.0.0.1:{port}/own/thing")
        self.fails("sync", says=["no network", "does not reach 127.0.0.1",
                                 "--from DIR"])

    def test_without_any_network(self):
        self.pin("a" * 40)
        cut = ["unshare", "-rn"]
        if not shutil.which("unshare") or subprocess.run(
                cut + ["true"], capture_output=True).returncode:
            self.skipTest("needs unshare -rn")
        done = subprocess.run(cut + self.command("sync"), env=self.env,
                              text=True, capture_output=True, timeout=120)
        self.assertEqual(done.returncode, 2)
        self.assertIn("no network: the name example.invalid cannot be "
                      "resolved", done.stderr)
        self.assertIn("--from DIR", done.stderr)

    def test_fetch(self):
        root, server = self.serve()
        repo, commit = plain(root / "own" / "thing")
        url = server.url + "/own/thing"
        self.pin(commit, repository=url)
        out = self.ok("sync")
        self.assertIn("from        " + url, out)
        self.assert_plain(commit)
        # another address for the same thing, its password kept to ourselves
        self.pin(commit)
        other = url.replace("https://", "https://user:secret@")
        out = self.ok("sync", "--force", "--from", other)
        self.assertIn(url, out)
        self.assertNotIn("secret", out)
        self.assert_plain(commit)

    def test_moved_tag_ends_before_the_download(self):
        root, server = self.serve()
        repo, commit = plain(root / "thing")
        other = repo.commit(repo.tree([]), branch="other")
        repo.git("tag", "-f", "v1", other)
        self.pin(commit, repository=server.url + "/thing")
        self.fails("sync", says=["has moved", other, "localhost"])
        self.assertFalse([r for r in server.server.requests
                          if r.startswith("POST")])

    def test_without_the_tag_branches_are_searched(self):
        root, server = self.serve()
        repo, commit = plain(root / "thing", tag=None)
        self.pin(commit, repository=server.url + "/thing")
        self.ok("sync")
        self.assert_plain(commit)
        self.pin("a" * 40, repository=server.url + "/thing")
        self.fails("sync", says=["does not have commit", "--from DIR"])

    def test_server_faults(self):
        root, server = self.serve()
        plain(root / "thing")
        self.pin("a" * 40, repository=server.url + "/none")
        self.fails("sync", says=["localhost", "404", "--from DIR"])
        self.pin("a" * 40, repository=server.url + "/private/x")
        self.fails("sync", says=["password", "--from DIR"])
        self.pin("a" * 40, repository=server.url + "/thing")
        del self.env["SSL_CERT_FILE"]
        self.fails("sync", says=["no trusted connection", "localhost",
                                 "SSL_CERT_FILE"])
        self.env["SSL_CERT_FILE"] = str(self.dir / "none.pem")
        self.fails("sync", says=["SSL_CERT_FILE", "none.pem"])

    def test_interrupted_while_the_server_is_silent(self):
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)
        port = listener.getsockname()[1]
        self.pin("a" * 40, repository=f"https://127.0.0.1:{port}/thing")
        process = self.start("sync")
        connection, _ = listener.accept()
        self.addCleanup(connection.close)
        time.sleep(0.3)  # until it waits for an answer
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, err), (130, ""))
        self.assertEqual(self.rest(), [])


if __name__ == "__main__":
    gitfixture.main_tap(sys.modules["__main__"], Case)
