#!/usr/bin/env python3
"""`shmemlore mcp` as the protocol wants it: eras, life cycle, framing, hostile bytes.

usage: test_mcp.py PROGRAM [TEST...]
"""

import json
import os
import select
import signal
import subprocess
import sys
import time

from clicase import run_tests
from mcpcase import LEGACY, META, MODERN, SKILLS, McpCase, check_line, schema_of

QUESTION = {"name": "ask", "arguments": {"question": "what does nvshmem_fence order"}}


def line(message):
    return json.dumps(message).encode() + b"\n"


class Eras(McpCase):
    def test_the_schemas_are_here(self):
        missing = [r for r in LEGACY[1:] + [MODERN] if not schema_of(r)]
        if missing:
            self.skipTest(f"nothing was validated for {', '.join(missing)}: deps/fetch-mcp brings the schemas")

    def test_discover(self):
        with self.server() as server:
            found = server.result("server/discover")
            self.assertEqual(found["supportedVersions"], [MODERN])
            self.assertEqual(set(found["capabilities"]), {"tools", "resources", "prompts", "completions", "extensions"})
            self.assertEqual(found["capabilities"]["extensions"], {SKILLS: {"directoryRead": True}})
            self.assertEqual(found["resultType"], "complete")
            self.assertGreaterEqual(found["ttlMs"], 0)
            self.assertEqual(found["cacheScope"], "public")
            self.assertEqual(found["_meta"][META + "serverInfo"]["name"], "shmemlore")
            self.assertIn("ask", found["instructions"])

    def test_every_handshake(self):
        for revision in LEGACY:
            with self.subTest(revision=revision), self.server(revision) as server:
                self.assertEqual(server.opened["protocolVersion"], revision)
                self.assertEqual(server.opened["serverInfo"]["name"], "shmemlore")
                self.assertEqual("completions" in server.opened["capabilities"], revision != "2024-11-05")
                self.assertNotIn("extensions", server.opened["capabilities"])
                self.assertEqual(server.result("ping"), {})
                listed = server.result("tools/list")
                self.assertNotIn("resultType", listed)
                self.assertNotIn("ttlMs", listed)
                kinds = {block["type"] for block in server.call("ask", question="fence or quiet")["content"]}
                self.assertEqual("resource_link" in kinds, revision >= "2025-06-18")
                self.assertEqual(server.error("server/discover")["code"], -32601)
                self.assertEqual(server.error("skills/list")["code"], -32601)

    def test_an_unknown_handshake_is_no_error(self):
        for asked in ["1999-01-01", "2099-01-01", MODERN, 7, None]:
            with self.server("2025-11-25", handshake=False) as server:
                params = {"capabilities": {}, "clientInfo": {"name": "t", "version": "1"}, "protocolVersion": asked}
                self.assertEqual(server.result("initialize", params)["protocolVersion"], "2025-11-25")

    def test_the_first_message_may_be_anything(self):
        for method in ["tools/list", "foo/bar", "notifications/initialized", "resources/list"]:
            with self.server(handshake=False) as server:
                server.send(line({"jsonrpc": "2.0", "id": 1, "method": method}))
                self.assertEqual(server.answer()["error"]["code"], -32602)
                self.assertIn("initialize", server.error("tools/list", {"_meta": {META + "protocolVersion": 3}})["message"]
                              + "initialize")
                self.assertIn("tools", server.result("tools/list"))

    def test_both_eras_in_one_process(self):
        with self.server("2025-06-18") as server:
            self.assertNotIn("resultType", server.result("tools/list"))
            server.revision = MODERN
            self.assertEqual(server.result("tools/list")["resultType"], "complete")
            server.revision = "2025-06-18"
            self.assertEqual(server.result("ping"), {})

    def test_what_meta_must_have(self):
        version, client = META + "protocolVersion", META + "clientCapabilities"
        with self.server() as server:
            for meta, code in [({}, -32602), ({version: MODERN}, -32602), ({client: {}}, -32602),
                               ({version: MODERN, client: []}, -32602), ({version: 1, client: {}}, -32602),
                               ({version: MODERN, client: {}, META + "logLevel": "loud"}, -32602),
                               ({version: MODERN, client: {}, META + "clientInfo": "x"}, -32602),
                               ({version: "2025-11-25", client: {}}, -32022), ({version: "x", client: {}}, -32022)]:
                server.last += 1
                server.send(line({"jsonrpc": "2.0", "id": server.last, "method": "tools/list", "params": {"_meta": meta}}))
                answer = server.answer()
                self.assertEqual((answer["id"], answer["error"]["code"]), (server.last, code), meta)
                if code == -32022:
                    self.assertEqual(answer["error"]["data"], {"supported": [MODERN], "requested": meta[version]})
            self.assertIn("tools", server.result("tools/list", {"_meta": {META + "logLevel": "debug"}}))

    def test_removed_methods(self):
        with self.server() as server:
            for method in ["initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe",
                           "tasks/list", "unknown/method", ""]:
                self.assertEqual(server.error(method)["code"], -32601, method)

    def test_ids(self):
        with self.server() as server:
            for number in [0, -1, 7, 2**53, "", "a\"b\\ü\u2028", "1"]:
                message = server.request("server/discover")
                message["id"] = number
                server.send_message(message)
                answer = server.answer("server/discover")
                self.assertEqual(answer["id"], number)
                self.assertIs(type(answer["id"]), type(number))
            for number in [None, 1.5, True, [], {}]:
                message = server.request("server/discover")
                message["id"] = number
                server.send_message(message)
                answer = server.answer()
                self.assertNotIn("id", answer)
                self.assertEqual(answer["error"]["code"], -32600, number)

    def test_the_same_id_twice_gets_two_answers(self):
        with self.server() as server:
            one, two = server.request("server/discover"), server.request("tools/list")
            two["id"] = one["id"]
            server.send(line(one) + line(two))
            self.assertIn("supportedVersions", server.answer("server/discover")["result"])
            self.assertIn("tools", server.answer("tools/list")["result"])

    def test_notifications_and_responses_are_not_answered(self):
        with self.server() as server:
            server.send(line({"jsonrpc": "2.0", "method": "notifications/foo"}) +
                        line({"jsonrpc": "2.0", "method": "tools/list", "params": []}) +
                        line({"jsonrpc": "2.0", "id": 1, "result": {}}) +
                        line({"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "x"}}) +
                        line({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 99}}))
            self.assertIn("tools", server.result("tools/list"))

    def test_batches_are_of_one_revision(self):
        ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
        note = {"jsonrpc": "2.0", "method": "notifications/foo"}
        bad = {"jsonrpc": "2.0", "id": 2, "method": "initialize"}
        with self.server("2025-03-26") as server:
            server.send(line([ping, note, {**ping, "id": "b"}, bad]))
            answers = server.answer()
            self.assertEqual([(a["id"], "result" in a) for a in answers], [(1, True), ("b", True), (2, False)])
            server.send(line([note]))
            self.assertEqual(server.result("ping"), {})
        for revision in ["2025-11-25", MODERN]:
            with self.server(revision) as server:
                server.send(line([ping]))
                self.assertEqual(server.answer()["error"]["code"], -32600)


class Cancellation(McpCase):
    def test_a_request_that_waits_is_not_answered(self):
        with self.server() as server:
            first, second, third = [server.request("tools/call", QUESTION) for _ in range(3)]
            cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": second["id"]}}
            server.send(line(first) + line(second) + line(third) + line(cancel))
            self.assertEqual([server.answer("tools/call")["id"] for _ in range(2)], [first["id"], third["id"]])
            self.assertIn("tools", server.result("tools/list"))

    def test_many_in_one_write(self):
        with self.server() as server:
            requests = [server.request("server/discover") for _ in range(600)]
            cancels = [{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": r["id"]}}
                       for r in requests[100:200]]
            done = subprocess.run([self.helper, "mcp"], input=b"".join(map(line, requests[:200] + cancels + requests[200:])),
                                  capture_output=True, check=True, timeout=60)
            ids = [check_line(MODERN, part, "server/discover")["id"] for part in done.stdout.splitlines(True)]
            self.assertEqual(ids[:100], [r["id"] for r in requests[:100]])
            self.assertEqual(ids[-400:], [r["id"] for r in requests[200:]])
            self.assertEqual(len(ids), len(set(ids)))

    def test_of_nothing(self):
        with self.server() as server:
            for params in [None, {}, {"requestId": None}, {"requestId": {}}, {"requestId": "no"}]:
                server.note("notifications/cancelled", params)
            self.assertIn("tools", server.result("tools/list"))


class Subscriptions(McpCase):
    def listen(self, server, wanted=None):
        request = server.request("subscriptions/listen", {"notifications": {"toolsListChanged": True} if wanted is None else wanted})
        server.send_message(request)
        return request["id"], server.answer()

    def test_listen_and_the_end(self):
        server = self.server()
        number, note = self.listen(server)
        self.assertEqual(note["method"], "notifications/subscriptions/acknowledged")
        self.assertEqual(note["params"], {"_meta": {META + "subscriptionId": number}, "notifications": {}})
        self.assertIn("tools", server.result("tools/list"))
        status, rest, _ = server.close()
        self.assertEqual(status, 0)
        ended = check_line(MODERN, rest, "subscriptions/listen")
        self.assertEqual((ended["id"], ended["result"]["_meta"][META + "subscriptionId"]), (number, number))

    def test_a_cancelled_one_ends_in_silence(self):
        server = self.server()
        number, _ = self.listen(server)
        server.note("notifications/cancelled", {"requestId": number})
        self.assertIn("tools", server.result("tools/list"))
        self.assertEqual(server.close()[:2], (0, b""))

    def test_faults(self):
        with self.server() as server:
            self.assertEqual(self.listen(server, 3)[1]["error"]["code"], -32602)
            number, _ = self.listen(server)
            again = server.request("subscriptions/listen", {"notifications": {}})
            again["id"] = number
            server.send_message(again)
            self.assertEqual(server.answer()["error"]["code"], -32600)
            for _ in range(15):
                self.assertIn("method", self.listen(server)[1])
            self.assertEqual(self.listen(server)[1]["error"]["code"], -32603)


class Framing(McpCase):
    def test_garbage(self):
        with self.server() as server:
            for junk in [b"garbage", b"{", b"\x00\x01\xff", b"\xef\xbb\xbf{}x", b'{"jsonrpc":"2.0","id":1,"id":2,"method":"a"}',
                         b"[" * 5000, b'{"a":' * 3000, b'"text"', b"12", b"null", b'{"jsonrpc":"2.0","method":7,"id":4}',
                         b'{"jsonrpc":"1.0","method":"ping","id":4}', b'{"id":4}', b"[]"]:
                server.send(junk + b"\n")
                self.assertIn(server.answer()["error"]["code"], (-32700, -32600), junk[:40])
            server.send(b"\n \r\n\t\n")
            self.assertIn("tools", server.result("tools/list"))

    def test_the_log_of_faults_ends(self):
        server = self.server()
        server.send(b"garbage\x1b[31m\n" * 1000)
        for _ in range(1000):
            server.answer()
        status, _, errors = server.close()
        self.assertEqual((status, len(errors.splitlines())), (0, 21))
        self.assertNotIn("\x1b", errors)

    def test_halves_and_windows(self):
        with self.server() as server:
            request = line(server.request("tools/list"))
            for at in (1, 17, len(request) - 1):
                server.send(request[:at])
                time.sleep(0.02)
                server.send(request[at:])
                self.assertIn("tools", server.answer("tools/list")["result"])
            server.send(request[:-1] + b"\r\n")
            self.assertIn("tools", server.answer("tools/list")["result"])
            for byte in request:
                server.send(bytes([byte]))
            self.assertIn("tools", server.answer("tools/list")["result"])

    def test_the_last_line_needs_no_newline(self):
        server = self.server()
        server.send(line(server.request("tools/list"))[:-1])
        status, rest, _ = server.close()
        self.assertEqual(status, 0)
        self.assertIn("tools", check_line(MODERN, rest, "tools/list")["result"])
        server = self.server()
        server.send(b'{"jsonrpc":"2.0","id":1,"met')
        status, rest, _ = server.close()
        self.assertEqual((status, check_line(MODERN, rest)["error"]["code"]), (0, -32700))

    def test_a_hundred_megabytes(self):
        with self.server() as server:
            chunk = b"x" * (1 << 20)
            for _ in range(100):
                server.send(chunk)
            server.send(b"\n")
            self.assertEqual(server.answer()["error"]["code"], -32600)
            self.assertIn("tools", server.result("tools/list"))
            peak = next(int(row.split()[1]) for row in open(f"/proc/{server.process.pid}/status", encoding="ascii")
                        if row.startswith("VmHWM"))
            if not self.sanitized():
                self.assertLess(peak, 20_000)

    def test_an_answer_does_not_wait_for_the_end_of_what_is_written(self):
        """A file is always readable: here a request, and a line of a terabyte (of no room on the disk) behind it."""
        path = self.write("request", line({"jsonrpc": "2.0", "id": 1, "method": "ping"}))
        os.truncate(path, 1 << 40)
        with open(path, "rb") as client, subprocess.Popen([self.helper, "mcp"], stdin=client, stdout=subprocess.PIPE,
                                                          stderr=subprocess.DEVNULL) as server:
            ready, _, _ = select.select([server.stdout], [], [], 20)
            answer = server.stdout.readline() if ready else b"{}"
            server.kill()
        self.assertEqual(json.loads(answer).get("result"), {})

    def test_a_large_message_is_read(self):
        with self.server() as server:
            text = "`nvshmem:src/host/init/init.cu:266-269` " + "x " * 500_000
            self.assertEqual(server.call("verify_citation", text=text)["structuredContent"]["checked"], 1)

    def test_an_earlier_revision_has_no_error_without_an_id(self):
        for revision in LEGACY:
            with self.server(revision) as server:
                server.send(b"garbage\n")
                if revision == "2025-11-25":
                    self.assertEqual(server.answer()["error"]["code"], -32700)
                self.assertEqual(server.result("ping"), {})


class Pipes(McpCase):
    def test_nothing_else_on_standard_output(self):
        """Whoever inherits the server's descriptors (as a library would) does not find the wire."""
        with self.server() as server:
            server.result("server/discover")
            folder = f"/proc/{server.process.pid}/fd"
            self.assertEqual(os.readlink(folder + "/1"), os.readlink(folder + "/2"))
            self.assertEqual(os.readlink(folder + "/0"), "/dev/null")

    def test_a_client_that_goes(self):
        for close in ["stdout", "both"]:
            server = self.server()
            server.result("server/discover")
            server.process.stdout.close()
            if close == "both":
                server.process.stdin.close()
            else:
                for _ in range(3):
                    try:
                        server.send(line(server.request("tools/list")))
                    except BrokenPipeError:
                        break
            self.assertEqual(server.process.wait(timeout=60), 0)
            self.assertEqual(server.process.stderr.read(), b"")
            server.process.stderr.close()

    def test_a_log_that_nobody_reads(self):
        server = self.server()
        server.process.stderr.close()
        server.send(b"garbage\n")
        self.assertEqual(server.answer()["error"]["code"], -32700)
        self.assertIn("tools", server.result("tools/list"))
        server.process.stderr = open(os.devnull, "rb")  # pylint: disable=consider-using-with
        self.assertEqual(server.close()[0], 0)

    def test_descriptors_that_are_closed(self):
        request = line({"jsonrpc": "2.0", "id": 1, "method": "ping"})
        done = subprocess.run(["sh", "-c", 'exec "$0" mcp 2>&-', self.helper], input=request, capture_output=True,
                              check=False, timeout=60)
        self.assertEqual((done.returncode, json.loads(done.stdout)["result"]), (0, {}))
        for closed in ["<&-", ">&-"]:
            done = subprocess.run(["sh", "-c", f'exec "$0" mcp {closed}', self.helper], input=request,
                                  capture_output=True, check=False, timeout=60)
            self.assertIn(done.returncode, (0, 2))
            self.assertEqual(done.stdout, b"")

    def test_descriptors_that_do_not_wait(self):
        into, write = os.pipe()
        read, out = os.pipe()
        for end in (into, out):
            os.set_blocking(end, False)
        with subprocess.Popen([self.helper, "mcp"], stdin=into, stdout=out) as server, \
                os.fdopen(write, "wb", 0) as client, os.fdopen(read, "rb") as answers:
            os.close(into)
            os.close(out)
            time.sleep(0.2)
            client.write(line({"jsonrpc": "2.0", "id": 1, "method": "ping"}))
            self.assertEqual(json.loads(answers.readline()), {"jsonrpc": "2.0", "id": 1, "result": {}})
            client.close()
            self.assertEqual(server.wait(60), 0)

    def test_an_interrupt_ends_it(self):
        server = self.server()
        server.result("server/discover")
        server.process.send_signal(signal.SIGINT)
        self.assertEqual(server.process.wait(timeout=60), -signal.SIGINT)

    def test_options(self):
        self.fails(2, "mcp takes no argument", "mcp", "x")
        self.fails(2, "--root /nowhere", "mcp", "--root", "/nowhere")
        self.fails(2, "is no option", "mcp", "--wrong")
        self.fails(2, "cannot open", "mcp", "--kb", "/nowhere")
        self.assertIn("claude mcp add", self.found("mcp", "--help"))
        self.assertEqual(self.found("mcp"), "")


if __name__ == "__main__":
    run_tests(sys.modules[__name__], McpCase)
