"""A client of `shmemlore mcp` for tests: speaks every revision and validates each line that it gets.

The schemas are the protocol's own, as deps/fetch-mcp puts them below .deps/mcp/schemas, or as MCP_SCHEMAS says. Without
them everything else is still checked.
"""

import functools
import json
import os
import pathlib
import select
import subprocess

from clicase import ROOT, Case

try:
    import jsonschema
except ImportError:
    jsonschema = None

MODERN = "2026-07-28"
LEGACY = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]
META = "io.modelcontextprotocol/"
SKILLS = META + "skills"
SCHEMAS = pathlib.Path(os.environ.get("MCP_SCHEMAS", ROOT / ".deps/mcp/schemas"))
WAIT = 60

RESULTS = {
    "completion/complete": "CompleteResult",
    "initialize": "InitializeResult",
    "ping": "EmptyResult",
    "prompts/get": "GetPromptResult",
    "prompts/list": "ListPromptsResult",
    "resources/list": "ListResourcesResult",
    "resources/read": "ReadResourceResult",
    "resources/templates/list": "ListResourceTemplatesResult",
    "server/discover": "DiscoverResult",
    "subscriptions/listen": "SubscriptionsListenResult",
    "tools/call": "CallToolResult",
    "tools/list": "ListToolsResult",
}


@functools.lru_cache(None)
def schema_of(revision):
    """The revision's definitions and the key they stand under, or None where they are not here."""
    path = SCHEMAS / f"{revision}.json"
    if not jsonschema or not path.is_file():
        return None
    text = json.loads(path.read_text("utf-8"))
    return text, "$defs" if "$defs" in text else "definitions"


@functools.lru_cache(None)
def validator(revision, name):
    found = schema_of(revision)
    if not found:
        return None
    text, key = found
    if name not in text[key]:
        return None
    kind = jsonschema.Draft202012Validator if key == "$defs" else jsonschema.Draft7Validator
    return kind({"$schema": text.get("$schema"), key: text[key], "$ref": f"#/{key}/{name}"})


def fault(revision, name, value):
    """What a schema says against the value; None: nothing, or there is no such schema."""
    checker = validator(revision, name)
    if not checker:
        return None
    for error in checker.iter_errors(value):
        return f"{revision} {name}: {error.json_path}: {error.message[:300]}"
    return None


def check_line(revision, line, method=None):
    """The message of a line that the server wrote; AssertionError when it is none of its revision."""
    assert line.endswith(b"\n") and line.count(b"\n") == 1, line[:200]
    message = json.loads(line.decode("utf-8"))
    parts = message if isinstance(message, list) else [message]
    for part in parts:
        assert part.get("jsonrpc") == "2.0", part
        if "error" in part:
            names = ["JSONRPCErrorResponse", "JSONRPCError"]
        elif "method" in part:
            names = ["ServerNotification"]
        else:
            names = ["JSONRPCResultResponse", "JSONRPCResponse"]
        name = next((n for n in names if validator(revision, n)), None)
        problem = name and fault(revision, name, part)
        if not problem and method in RESULTS and "result" in part:
            problem = fault(revision, RESULTS[method], part["result"])
        assert not problem, (problem, line[:500])
    return message


class Server:
    """A running server. `revision` decides the era: the handshake is done here."""

    def __init__(self, program, revision=MODERN, arguments=(), environment=None, handshake=True):
        self.revision = revision
        self.last = 0
        self.pending = b""
        self.tools = {}
        # pylint: disable=consider-using-with
        self.process = subprocess.Popen([program, "mcp", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, env={**os.environ, **(environment or {})})
        self.opened = None
        if handshake and revision != MODERN:
            self.opened = self.result("initialize", {
                "protocolVersion": revision, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}})
            self.note("notifications/initialized")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """The end of input: exit status and what stood on standard error."""
        if self.process.stdin and not self.process.stdin.closed:
            self.process.stdin.close()
        rest = self.pending + self.process.stdout.read()
        errors = self.process.stderr.read().decode("utf-8", "replace")
        self.process.stdout.close()
        self.process.stderr.close()
        return self.process.wait(timeout=WAIT), rest, errors

    def send(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send_message(self, message):
        self.send(json.dumps(message).encode() + b"\n")

    def read_line(self):
        pipe = self.process.stdout.fileno()
        while b"\n" not in self.pending:
            ready, _, _ = select.select([pipe], [], [], WAIT)
            assert ready, "the server says nothing"
            part = os.read(pipe, 1 << 16)
            assert part, "the server is gone"
            self.pending += part
        end = self.pending.index(b"\n") + 1
        first, self.pending = self.pending[:end], self.pending[end:]
        return first

    def meta(self):
        return {META + "protocolVersion": self.revision, META + "clientCapabilities": {},
                META + "clientInfo": {"name": "test", "version": "1"}}

    def request(self, method, params=None, **more):
        self.last += 1
        message = {"jsonrpc": "2.0", "id": self.last, "method": method, **more}
        params = dict(params or {})
        if self.revision == MODERN:
            params["_meta"] = {**self.meta(), **params.get("_meta", {})}
        if params:
            message["params"] = params
        return message

    def note(self, method, params=None):
        self.send_message({"jsonrpc": "2.0", "method": method, **({"params": params} if params else {})})

    def answer(self, method=None):
        return check_line(self.revision, self.read_line(), method)

    def ask(self, method, params=None):
        """The whole response to a request."""
        message = self.request(method, params)
        self.send_message(message)
        answer = self.answer(method)
        assert answer.get("id") == message["id"], answer
        return answer

    def result(self, method, params=None):
        answer = self.ask(method, params)
        assert "result" in answer, answer
        return answer["result"]

    def error(self, method, params=None):
        answer = self.ask(method, params)
        assert "error" in answer, answer
        return answer["error"]

    def call(self, tool, **arguments):
        """The result of a tool; its structured form is checked against what the tool promises."""
        if not self.tools:
            self.tools = {tool["name"]: tool for tool in self.result("tools/list")["tools"]}
        result = self.result("tools/call", {"name": tool, "arguments": arguments})
        if not result.get("isError") and jsonschema:
            jsonschema.Draft202012Validator(self.tools[tool]["outputSchema"]).validate(result["structuredContent"])
        return result


def text_of(result):
    return "".join(block["text"] for block in result["content"] if block["type"] == "text")


class McpCase(Case):
    def server(self, revision=MODERN, arguments=(), **options):
        options.setdefault("environment", {"SHMEMLORE_CACHE": str(self.dir / "cache")})
        server = Server(self.helper, revision, arguments, **options)
        self.addCleanup(lambda: server.process.poll() is None and server.process.kill())
        return server

    def sanitized(self):
        """Whether the program keeps memory that it gave back, to find uses of it."""
        with open(self.helper, "rb") as program:
            return b"__asan_init" in program.read()
