"""What the tests of `sources` need: git repositories good and hostile, a
git server over https, and a runner that reports in TAP."""

import http.server
import os
import shutil
import socketserver
import ssl
import subprocess
import sys
import threading
import unittest

GIT_ENV = {
    "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
    "HOME": "/nonexistent",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_AUTHOR_DATE": "1700000000 +0000",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.org",
    "GIT_COMMITTER_DATE": "1700000000 +0000",
}


class Repo:
    """A bare repository whose commits are made object by object."""

    def __init__(self, path):
        self.path = str(path)
        subprocess.run(["git", "init", "-q", "--bare", self.path],
                       check=True, env=GIT_ENV)
        self.git("symbolic-ref", "HEAD", "refs/heads/main")

    def git(self, *args, data=None):
        done = subprocess.run(["git", "-C", self.path, *args], input=data,
                              check=True, env=GIT_ENV, capture_output=True)
        return done.stdout.decode().strip()

    def blob(self, data):
        return self.git("hash-object", "-w", "--stdin", data=data)

    def tree(self, entries):
        """entries: (mode, name, id); nothing about them is checked."""
        raw = b"".join(mode.encode() + b" " + name + b"\0" + bytes.fromhex(oid)
                       for mode, name, oid in entries)
        return self.git("hash-object", "-w", "-t", "tree", "--literally",
                        "--stdin", data=raw)

    def commit(self, tree, branch="main"):
        oid = self.git("commit-tree", tree, "-m", "a commit")
        self.git("update-ref", "refs/heads/" + branch, oid)
        return oid

    def object_path(self, oid):
        return os.path.join(self.path, "objects", oid[:2], oid[2:])


# What plain() must leave in the cache: path to content.
PLAIN = {
    "README.md": b"a readme\n",
    ".gitignore": b"*.o\n",
    "empty": b"",
    "run.sh": b"#!/bin/sh\n",
    "src/a.cu": b"line one\r\nline two",
    "src/deep/er/b.h": b"\0\xff binary \n",
}


def plain(path, tag="v1"):
    """A repository with every kind of entry; gives it and its commit."""
    repo = Repo(path)
    blob = {name: repo.blob(data) for name, data in PLAIN.items()}
    link = repo.blob(b"/etc/passwd")
    er = repo.tree([("100644", b"b.h", blob["src/deep/er/b.h"])])
    deep = repo.tree([("40000", b"er", er)])
    src = repo.tree([("100644", b"a.cu", blob["src/a.cu"]),
                     ("40000", b"deep", deep),
                     ("120000", b"link", link)])
    root = repo.tree([("100644", b".gitignore", blob[".gitignore"]),
                      ("100644", b"README.md", blob["README.md"]),
                      ("100644", b"empty", blob["empty"]),
                      ("100755", b"run.sh", blob["run.sh"]),
                      ("40000", b"src", src),
                      ("160000", b"sub", "1" * 40)])
    commit = repo.commit(root)
    if tag:
        repo.git("tag", "-a", "-m", "a tag", tag, commit)
    return repo, commit


def large(path, files):
    """A repository with many small files, packed."""
    repo = Repo(path)
    lines = [b"commit refs/heads/main\ncommitter A <a@x> 1700000000 +0000\n"
             b"data 1\nx\n"]
    for i in range(files):
        text = b"file %d\n" % i
        lines.append(b"M 100644 inline d%02d/f%d\ndata %d\n%s\n"
                     % (i % 50, i, len(text), text))
    repo.git("fast-import", "--quiet", data=b"".join(lines))
    return repo, repo.git("rev-parse", "refs/heads/main")


class _Backend(http.server.BaseHTTPRequestHandler):
    """git http-backend behind Python's server."""

    def _serve(self):
        path, _, query = self.path.partition("?")
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.server.requests.append(self.command + " " + self.path)
        if path.startswith("/private/"):
            self.send_response(401)
            self.send_header("WWW-Authenticate", "Basic realm=x")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        env = dict(GIT_ENV, GIT_PROJECT_ROOT=self.server.root,
                   GIT_HTTP_EXPORT_ALL="1", PATH_INFO=path,
                   QUERY_STRING=query, REQUEST_METHOD=self.command,
                   CONTENT_TYPE=self.headers.get("Content-Type") or "",
                   CONTENT_LENGTH=str(len(body)))
        done = subprocess.run(["git", "http-backend"], input=body, env=env,
                              capture_output=True)
        head, _, rest = done.stdout.partition(b"\r\n\r\n")
        status, headers = 200, []
        for line in head.decode().split("\r\n"):
            name, _, value = line.partition(": ")
            if name == "Status":
                status = int(value.split()[0])
            elif name:
                headers.append((name, value))
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(rest)))
        self.end_headers()
        self.wfile.write(rest)

    do_GET = _serve
    do_POST = _serve

    def log_message(self, *args):
        pass


class _Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        pass  # a client that does not trust us hangs up


class HttpsGit:
    """Serves the repositories below root, with a certificate of its own."""

    def __init__(self, root, scratch):
        self.certificate = os.path.join(scratch, "cert.pem")
        key = os.path.join(scratch, "key.pem")
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes",
             "-keyout", key, "-out", self.certificate, "-days", "2",
             "-subj", "/CN=localhost",
             "-addext", "subjectAltName=DNS:localhost"],
            check=True, capture_output=True)
        self.server = _Server(("127.0.0.1", 0), _Backend)
        self.server.root = str(root)
        self.server.requests = []
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, key)
        self.server.socket = context.wrap_socket(
            self.server.socket, server_side=True,
            do_handshake_on_connect=False)
        self.url = "https://localhost:%d" % self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever,
                         daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def have_https():
    return shutil.which("openssl") is not None


class TapResult(unittest.TestResult):
    """`ok N - name` lines, as Meson reads them."""

    def __init__(self):
        super().__init__()
        self.lines = 0

    def _line(self, good, test, note=""):
        self.lines += 1
        print("%s %d - %s%s" % ("ok" if good else "not ok", self.lines,
                                test._testMethodName, note), flush=True)

    def _failed(self, test, err):
        self._line(False, test)
        for line in self._exc_info_to_string(err, test).splitlines():
            print("# " + line, flush=True)

    def addSuccess(self, test):
        super().addSuccess(test)
        self._line(True, test)

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self._failed(test, err)

    def addError(self, test, err):
        super().addError(test, err)
        self._failed(test, err)

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self._line(True, test, " # SKIP " + reason)

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            self._failed(test, err)


def main_tap(module, case):
    """Runs the module's tests, or those that the command line names; exits."""
    case.helper = os.path.abspath(sys.argv[1])
    loader = unittest.defaultTestLoader
    suite = (loader.loadTestsFromNames(sys.argv[2:], module) if sys.argv[2:]
             else loader.loadTestsFromModule(module))
    result = TapResult()
    suite.run(result)
    print("1..%d" % result.lines, flush=True)
    sys.exit(0 if result.wasSuccessful() else 1)
