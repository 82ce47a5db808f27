#!/usr/bin/env python3
"""HTTP on the loopback address in front of a stdio server, for the conformance suite, which speaks HTTP alone.

usage: shim.py [--port N] PROGRAM [ARGUMENT...]

Prints the URL on its first line; ends with standard input. A request of 2026-07-28 gets a process of its own, since
nothing may depend on what came before; a session of the handshake keeps one process. What the protocol asks of HTTP
(headers, status codes, Host and Origin) is this shim's, everything in the messages is the server's.
"""

import http.server
import json
import queue
import subprocess
import sys
import threading
import uuid

META = "io.modelcontextprotocol/"
MODERN = "2026-07-28"
LOCAL = ("localhost", "127.0.0.1", "[::1]")


class Child:
    """A server process and the lines that it writes, by the id they answer."""

    def __init__(self, command):
        # pylint: disable=consider-using-with
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.lock = threading.Lock()
        self.waiting = {}
        self.latest = None  # a log message does not say which request it is about
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            message = json.loads(line)
            params = message.get("params") or {}
            number = message.get("id")
            if "method" in message:
                number = params.get("_meta", {}).get(META + "subscriptionId", params.get("progressToken"))
            with self.lock:
                waiter = self.waiting.get(json.dumps(number), self.latest)
            if waiter:
                waiter.put(message)
        with self.lock:
            for waiter in self.waiting.values():
                waiter.put(None)

    def send(self, message):
        with self.lock:
            self.process.stdin.write(json.dumps(message).encode() + b"\n")
            self.process.stdin.flush()

    def ask(self, message):
        """A queue of what comes for this request, its answer last."""
        waiter = queue.Queue()
        keys = [json.dumps(message["id"])]
        token = (message.get("params") or {}).get("_meta", {}).get("progressToken")
        if token is not None:
            keys.append(json.dumps(token))
        with self.lock:
            for key in keys:
                self.waiting[key] = waiter
            self.latest = waiter
        self.send(message)
        return waiter

    def done(self, message):
        with self.lock:
            self.waiting.pop(json.dumps(message["id"]), None)

    def close(self):
        self.process.stdin.close()
        self.process.wait(timeout=30)


def fault(message, code, text):
    return {"jsonrpc": "2.0", "id": message.get("id"), "error": {"code": code, "message": text}}


def status_of(message, answer):
    """The HTTP status that goes with an answer of the modern era."""
    error = answer.get("error")
    if not error:
        return 200
    if error["code"] == -32601:
        return 404
    meta = (message.get("params") or {}).get("_meta") or {}
    complete = META + "protocolVersion" in meta and META + "clientCapabilities" in meta
    return 400 if error["code"] in (-32020, -32021, -32022, -32700, -32600) or not complete else 200


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    command_line = []
    sessions = {}

    def log_message(self, *_):  # pylint: disable=arguments-differ
        pass

    def reply(self, status, body=None, **headers):
        data = json.dumps(body).encode() if body is not None else b""
        self.send_response(status)
        if body is not None:
            self.send_header("Content-Type", "application/json")
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def is_local(self):
        names = [self.headers.get("Host", "")]
        origin = self.headers.get("Origin")
        if origin:
            names.append(origin.split("://", 1)[-1])
        return all(name.rsplit(":", 1)[0] in LOCAL or name in LOCAL for name in names)

    def do_GET(self):
        self.reply(403 if not self.is_local() else 405)

    def do_DELETE(self):
        child = self.sessions.pop(self.headers.get("Mcp-Session-Id"), None)
        if child:
            child.close()
        self.reply(200 if child else 404)

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if not self.is_local():
            return self.reply(403, {"error": "not a local name"})
        try:
            message = json.loads(body)
        except ValueError:
            return self.reply(400, fault({}, -32700, "Parse error"))
        meta = (message.get("params") or {}).get("_meta") or {}
        session = self.headers.get("Mcp-Session-Id")
        legacy = session or (message.get("method") == "initialize" and not any(key.startswith(META) for key in meta))
        return self.legacy(message, session) if legacy else self.modern(message, meta)

    def header_fault(self, message, meta):
        """What the headers say otherwise than the body."""
        version = self.headers.get("MCP-Protocol-Version")
        if META + "protocolVersion" in meta and version != meta[META + "protocolVersion"]:
            return "MCP-Protocol-Version"
        if self.headers.get("Mcp-Method", message.get("method")) != message.get("method"):
            return "Mcp-Method"
        return None

    def modern(self, message, meta):
        if "id" not in message:
            return self.reply(202)
        wrong = self.header_fault(message, meta)
        if wrong:
            return self.reply(400, fault(message, -32020, f"the header {wrong} is not what the body says"))
        child = Child(self.command_line)
        waiter = child.ask(message)
        first = waiter.get()
        if "method" not in first:
            child.close()
            return self.reply(status_of(message, first), first)
        return self.stream(child, message, waiter, first)

    def stream(self, child, message, waiter, first):
        """Server-sent events until the answer, or until the client goes."""
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        item = first
        try:
            while item:
                self.wfile.write(b"event: message\ndata: " + json.dumps(item).encode() + b"\n\n")
                self.wfile.flush()
                if "method" not in item:
                    break
                item = waiter.get(timeout=20)
        except (OSError, queue.Empty):
            pass
        if not self.headers.get("Mcp-Session-Id"):
            child.close()

    def legacy(self, message, session):
        if message.get("method") == "initialize":
            child = Child(self.command_line)
            session = str(uuid.uuid4())
            self.sessions[session] = child
            return self.reply(200, child.ask(message).get(), Mcp_Session_Id=session)
        child = self.sessions.get(session)
        if not child:
            return self.reply(404, fault(message, -32600, "no such session"))
        if "id" not in message or "method" not in message:
            child.send(message)
            return self.reply(202)
        waiter = child.ask(message)
        first = waiter.get()
        if "method" in first:
            return self.stream(child, message, waiter, first)
        child.done(message)
        return self.reply(200, first)


def main():
    arguments = sys.argv[1:]
    port = 0
    if arguments[0] == "--port":
        port, arguments = int(arguments[1]), arguments[2:]
    Handler.command_line = arguments
    server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"http://127.0.0.1:{server.server_address[1]}/mcp", flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
