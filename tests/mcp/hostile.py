#!/usr/bin/env python3
"""Hostile transcripts of `shmemlore mcp`: made from a seed, replayed, judged.

usage: hostile.py PROGRAM [--count N] [--seed S] [--first K]

A transcript is what a client writes until it closes its end: good requests of both eras among broken ones, cut, joined,
doubled, cancelled, enormous, in parts of any size. Whatever came in: every line that comes out is a message, no request
gets two answers, a good request that was not cancelled and whose id is its own gets one, the exit status is 0, nothing
crashes. A fault prints the seed and number that make its transcript again. The closing line is `N passed, N failed`.
"""

import argparse
import json
import random
import subprocess
import sys

META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
METHODS = ["server/discover", "tools/list", "prompts/list", "resources/templates/list", "skills/get", "resources/read", "tools/call",
           "prompts/get", "completion/complete", "ping", "initialize", "nothing/such", "subscriptions/listen", ""]
TOOLS = ["ask", "show", "symbol", "env", "upgrade", "verify_citation", "nope"]
WORDS = ["nvshmem_quiet", "fence", "../../etc/passwd", "shmemlore://section/a/b", "skill://nvshmem/SKILL.md", "\u0000", "\U0001f980" * 9,
         "\u202e", "nvshmem:src/a.cu:1-2", "%00%zz", "'; DROP TABLE section", "a" * 5000, "", "*[", "[" * 40, "-1", "\ud7ff\n\r\t"]

# a name with a NUL in it is valid JSON that no message of the protocol has: it is refused as no JSON
KEYS = [word for word in WORDS if "\0" not in word]


class Transcript:
    def __init__(self, seed, number):
        self.random = random.Random(f"{seed}/{number}")
        self.ids = 0
        self.expected = {}  # id -> whether it must be answered
        self.data = b""

    def value(self, depth=0):
        r = self.random
        kind = r.randrange(9 if depth < 3 else 6)
        if kind == 0:
            return r.choice([None, True, False])
        if kind == 1:
            return r.choice([0, -1, 1 << 62, 4096, 1e300, 0.5])
        if kind < 6:
            return r.choice(WORDS)
        if kind < 8:
            return {r.choice(["name", "question", "text", "uri", "budget", r.choice(KEYS)]): self.value(depth + 1)
                    for _ in range(r.randrange(4))}
        return [self.value(depth + 1) for _ in range(r.randrange(4))]

    def arguments(self):
        r = self.random
        good = {"question": r.choice(WORDS), "ref": r.choice(WORDS), "name": r.choice(WORDS), "citation": r.choice(WORDS)}
        return r.choice([{r.choice(list(good)): r.choice(WORDS)}, {}, good, self.value(), {"question": "why does it hang", "budget": 1024},
                         {"from": "3.4.5", "to": "3.8.0", "files": [{"path": "a.cu", "text": r.choice(WORDS) * 50}]},
                         {"from": "3.4.5", "to": "3.8.0", "paths": [r.choice(WORDS)]}])

    def request(self):
        """A request that must be answered once."""
        r = self.random
        self.ids += 1
        number = r.choice([self.ids, f"id {self.ids}"])
        params = {"name": r.choice(TOOLS + WORDS[:2]), "arguments": self.arguments(), "uri": r.choice(WORDS), "notifications": {},
                  "ref": self.value(), "argument": {"name": "name", "value": r.choice(WORDS)}}
        if r.random() < 0.8:
            params["_meta"] = META
        method = r.choice(METHODS)
        self.expected[json.dumps(number)] = method != "subscriptions/listen"
        return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}

    def broken(self):
        """Bytes that need not be answered in any way."""
        r = self.random
        kind = r.randrange(9)
        if kind == 0:
            return bytes(r.randrange(256) for _ in range(r.randrange(200)))
        if kind == 1:
            text = json.dumps(self.request()).encode()
            self.expected.popitem()
            return text[:r.randrange(len(text))]
        if kind == 2:
            return json.dumps([self.value() for _ in range(r.randrange(5))]).encode()
        if kind == 3:
            return b"[" * r.randrange(1, 4000) + b"1"
        if kind == 4:
            return b"x" * r.choice([100, 70_000, 5 << 20])
        if kind == 5:
            return json.dumps({"jsonrpc": "2.0", "method": r.choice(METHODS), "params": self.value()}).encode()
        if kind == 6:
            return json.dumps({"jsonrpc": r.choice(["2.0", "1.0", 2]), "id": r.choice([None, 1.5, [], {}, True]),
                               "method": r.choice(["a", 7, None])}).encode()
        if kind == 7:
            return json.dumps({"jsonrpc": "2.0", "id": "answer", r.choice(["result", "error"]): self.value()}).encode()
        return r.choice([b"", b" \r", b"\xef\xbb\xbf{}", b"\xff\xfe{\x00}\x00", b'{"a":1,"a":2}', b"null", b'"\\ud800"'])

    def make(self):
        r = self.random
        lines = []
        if r.random() < 0.4:
            self.ids += 1
            lines.append(json.dumps({"jsonrpc": "2.0", "id": self.ids, "method": "initialize", "params": {
                "protocolVersion": r.choice(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "x"])}}).encode())
            self.expected[json.dumps(self.ids)] = True
        for _ in range(r.randrange(1, 25)):
            if r.random() < 0.5:
                lines.append(self.broken())
                continue
            message = self.request()
            lines.append(json.dumps(message, ensure_ascii=r.random() < 0.5).encode())
            if r.random() < 0.1:
                lines.append(json.dumps({"jsonrpc": "2.0", "method": "notifications/cancelled",
                                         "params": {"requestId": message["id"]}}).encode())
                self.expected[json.dumps(message["id"])] = False
        end = r.choice([b"\n", b"\n", b"", b"\r\n"])
        self.data = r.choice([b"\n", b"\r\n", b"\n\n"]).join(lines) + end
        return self


def judge(transcript, done):
    """What is wrong, or None."""
    if done.returncode != 0:
        return f"exit status {done.returncode}: {done.stderr[-500:]!r}"
    if done.stdout and not done.stdout.endswith(b"\n"):
        return "the last line is not whole"
    seen = {}
    for line in done.stdout.splitlines():
        try:
            message = json.loads(line)
        except ValueError:
            return f"not JSON: {line[:200]!r}"
        for part in message if isinstance(message, list) else [message]:
            if part.get("jsonrpc") != "2.0" or len({"result", "error", "method"} & set(part)) != 1:
                return f"not a message: {line[:200]!r}"
            if "id" in part:
                key = json.dumps(part["id"])
                seen[key] = seen.get(key, 0) + 1
    for key, must in transcript.expected.items():
        if seen.get(key, 0) > 1 or (must and key not in seen):
            return f"the request {key} got {seen.get(key, 0)} answers"
    return None


def main():
    options = argparse.ArgumentParser()
    options.add_argument("program")
    options.add_argument("--count", type=int, default=100)
    options.add_argument("--seed", default="1")
    options.add_argument("--first", type=int, default=0)
    given = options.parse_args()
    failed = 0
    for number in range(given.first, given.first + given.count):
        transcript = Transcript(given.seed, number).make()
        try:
            done = subprocess.run([given.program, "mcp"], input=transcript.data, capture_output=True, timeout=120, check=False)
            why = judge(transcript, done)
        except subprocess.TimeoutExpired:
            why = "it does not end"
        if why:
            failed += 1
            print(f"not ok: --seed {given.seed} --first {number} --count 1: {why}")
    print(f"{given.count - failed} passed, {failed} failed")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
