"""A documentation site on this machine, over TLS, that behaves as badly as a test asks it to."""

import contextlib
import http.server
import pathlib
import socketserver
import ssl
import subprocess
import threading
import zlib

HEADER = "# Sphinx inventory version 2\n# Project: Thing\n# Version: 1.2\n" \
         "# The remainder of this file is compressed using zlib.\n"


def page(title, more=""):
    return f"<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>{title}</title></head>" \
           f"<body><h1>{title}</h1>{more}</body></html>\n".encode()


def inventory(*entries, header=HEADER):
    """entries: lines, or addresses that become a std:doc each."""
    lines = [e if " " in e else f"{e.split('.')[0] or 'doc'} std:doc -1 {e} Title of {e}" for e in entries]
    return header.encode() + zlib.compress("".join(line + "\n" for line in lines).encode())


class Certificates:
    """An authority and what it signs; made once a run, in a folder of the caller."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self._authority()
        self.good = self._signed("good", "localhost", "20200101000000Z", "20490101000000Z")
        self.expired = self._signed("expired", "localhost", "20200101000000Z", "20200201000000Z")
        self.other_host = self._signed("other", "elsewhere.invalid", "20200101000000Z", "20490101000000Z")
        self.self_signed = self.folder / "self.pem"
        self._openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
                      "self.key", "-out", "self.pem", "-days", "2", "-subj", "/CN=localhost", "-addext",
                      "subjectAltName=DNS:localhost")

    def _openssl(self, *arguments):
        subprocess.run(["openssl", *arguments], cwd=self.folder, check=True, capture_output=True)

    def _authority(self):
        (self.folder / "index.txt").write_text("")
        (self.folder / "serial").write_text("01\n")
        (self.folder / "ca.cnf").write_text(
            "[ca]\ndefault_ca = d\n[d]\ndatabase = index.txt\nserial = serial\nnew_certs_dir = .\ndefault_md = sha256\n"
            "policy = p\ncopy_extensions = copy\nunique_subject = no\n[p]\ncommonName = supplied\n")
        self._openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
                      "ca.key", "-out", "ca.pem", "-days", "3650", "-subj", "/CN=Test authority")
        self.authority = self.folder / "ca.pem"

    def _signed(self, name, host, begin, end):
        self._openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
                      f"{name}.key", "-out", f"{name}.csr", "-subj", f"/CN={host}", "-addext",
                      f"subjectAltName=DNS:{host}")
        self._openssl("ca", "-batch", "-config", "ca.cnf", "-cert", "ca.pem", "-keyfile", "ca.key", "-in",
                      f"{name}.csr", "-out", f"{name}.pem", "-startdate", begin, "-enddate", end, "-notext")
        return self.folder / f"{name}.pem"


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 60

    def do_GET(self):
        site = self.server.site
        site.log.append((self.path, dict(self.headers)))
        answer = site.answers.get(self.path, (404, {}, b"nothing here"))
        if isinstance(answer, list):  # one a request, the last for all further ones
            answer = answer.pop(0) if len(answer) > 1 else answer[0]
        if callable(answer):
            with contextlib.suppress(OSError):
                answer(self)
            return
        if isinstance(answer, bytes):
            answer = (200, {}, answer)
        self.answer(*answer)

    def answer(self, code, headers, body):
        """The whole answer, its length and type unless headers say otherwise (None: leave out)."""
        full = {"Content-Type": "text/html; charset=utf-8", "Content-Length": str(len(body)), **headers}
        self.send_response(code)
        for name, value in full.items():
            if value is not None:
                self.send_header(name, value)
        self.end_headers()
        if code != 304:
            self.wfile.write(body)

    def break_off(self):
        """Ends the connection without the end that TLS has."""
        self.close_connection = True
        self.connection.close()

    def log_message(self, *args):
        pass


class _Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    request_queue_size = 16

    def get_request(self):
        connection, address = super().get_request()
        self.site.connections += 1
        return connection, address

    def handle_error(self, request, client_address):
        pass  # a client that does not trust us hangs up


class Site:
    """
    answers: path -> bytes (a page), (code, headers, body), a function of the handler, or a list of these, one a request.
    log: (path, headers) of each request. base: the address of the documentation, in /docs/.
    """

    def __init__(self, certificate, answers=None, name="localhost"):
        self.answers = answers if answers is not None else {}
        self.log = []
        self.connections = 0
        self.server = _Server(("127.0.0.1", 0), _Handler)
        self.server.site = self
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, certificate.with_suffix(".key"))
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True, do_handshake_on_connect=False)
        self.port = self.server.server_address[1]
        self.host = f"{name}:{self.port}"
        self.origin = f"https://{self.host}"
        self.base = self.origin + "/docs/"
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def asked(self):
        return [path for path, _ in self.log]

    def close(self):
        self.server.shutdown()
        self.server.server_close()
