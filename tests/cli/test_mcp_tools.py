#!/usr/bin/env python3
"""What `shmemlore mcp` serves: tools, resources, prompts, completion, the skill.

usage: test_mcp_tools.py PROGRAM [TEST...]
"""

import base64
import hashlib
import json
import os
import re
import sys

from clicase import PAGE, ROOT, run_tests
from mcpcase import LEGACY, META, MODERN, McpCase, text_of
from test_ask import SEVEN  # the questions alone

INIT = "nvshmem:src/host/init/init.cu:266-269"
CODE = "#include <nvshmem.h>\nint main(void) { nvshmem_init(); return nvshmem_my_pe(); }\n"
BARRIER = "04-ordering-and-synchronisation#why-does-my-program-hang-in-nvshmem_barrier_all"


class Tools(McpCase):
    def test_the_list(self):
        with self.server() as server:
            tools = server.result("tools/list")["tools"]
            self.assertEqual([tool["name"] for tool in tools],
                             ["ask", "show", "symbol", "env", "upgrade", "verify_citation"])
            for tool in tools:
                self.assertTrue(tool["title"] and "Use it" in tool["description"], tool["name"])
                self.assertIs(tool["inputSchema"]["additionalProperties"], False)
                self.assertEqual(tool["outputSchema"]["type"], "object")
                hints = tool["annotations"]
                self.assertEqual((hints["readOnlyHint"], hints["destructiveHint"], hints["openWorldHint"]),
                                 (True, False, False))
            self.assertLess(len(json.dumps(tools)), 16_000)
            self.assertEqual(tools, server.result("tools/list")["tools"])

    def test_the_seven_questions_are_answered_as_by_the_command(self):
        with self.server() as server:
            for question, section in SEVEN:
                result = server.call("ask", question=question)
                text = text_of(result)
                self.assertEqual(text, self.found("ask", question))
                self.assertLessEqual(len(text.encode()), 4096)
                structured = result["structuredContent"]
                self.assertEqual(structured["text"], text)
                self.assertEqual(structured["sections"][0]["id"], section)
                self.assertLess(len(json.dumps(structured, ensure_ascii=False).encode()), 4096 * 5 // 4 + 1024)
                links = [block for block in result["content"] if block["type"] == "resource_link"]
                self.assertTrue(1 <= len(links) <= 6)
                for link in links:
                    self.assertIn(link["name"], text)

    def test_links_and_sections_can_be_read(self):
        with self.server() as server:
            result = server.call("ask", question="fence or quiet")
            uris = [block["uri"] for block in result["content"] if block["type"] == "resource_link"]
            uris += [section["uri"] for section in result["structuredContent"]["sections"]]
            for uri in uris:
                self.assertTrue(server.result("resources/read", {"uri": uri})["contents"][0]["text"], uri)

    def test_budgets(self):
        calls = [("ask", {"question": "why does my program hang"}), ("show", {"ref": "00-start-here"}),
                 ("symbol", {"name": "nvshmem_*"}), ("env", {"name": "NVSHMEM_*"}),
                 ("verify_citation", {"text": " ".join(f"`nvshmem:README.md:{n}`" for n in range(1, 200))}),
                 ("upgrade", {"from": "3.1.7", "to": "3.8.0", "files": [{"path": "a.cu", "text": CODE}]})]
        with self.server() as server:
            for tool, arguments in calls:
                for budget in (1024, 2048, 4096, 65536):
                    result = server.call(tool, budget=budget, **arguments)
                    self.assertLessEqual(len(text_of(result).encode()), budget, (tool, budget))
                    self.assertEqual(result["structuredContent"]["text"], text_of(result))
                self.assertLessEqual(len(text_of(server.call(tool, **arguments)).encode()), 4096)

    def test_what_was_left_out_is_said_in_both_forms(self):
        calls = [("show", {"ref": "*"}), ("show", {"ref": "NVSHMEM_*"}), ("show", {"ref": "nvshmem_*"}),
                 ("show", {"ref": "00-start-here"}), ("symbol", {"name": "nvshmem_*"}), ("symbol", {"name": "nvshmem_float_put"}),
                 ("env", {"name": "NVSHMEM_*"}), ("env", {"name": "SYMMETRIC_SIZE"})]
        with self.server() as server:
            for tool, arguments in calls:
                small = server.call(tool, budget=1024, **arguments)["structuredContent"]
                large = server.call(tool, budget=65536, **arguments)["structuredContent"]
                self.assertEqual((small["cut"], large["cut"]), (len(small["text"]) < len(large["text"]),
                                                                bool(re.search(r"(shows more|in all)\]$", large["text"]))), (tool, arguments))
                self.assertEqual(small["cut"], small["text"].endswith((" shows more]\n", " bytes in all]\n")), (tool, arguments))
                self.assertNotIn("--budget", small["text"])
                if tool == "show" and not large["cut"]:
                    self.assertEqual(small["bytes"], len(large["text"].encode()), arguments)
            names = server.call("show", ref="*")["structuredContent"]
            self.assertTrue(names["cut"])
            self.assertGreater(names["bytes"], 4096)

    def test_names_of_variables_are_distinct(self):
        with self.server() as server:
            for name in ("DEBUG", "NVSHMEM_*", "*DEBUG*"):
                found = server.call("env", name=name)["structuredContent"]
                self.assertEqual(len(set(found["names"])), min(found["count"], 10), name)
                self.assertEqual(len(found["names"]), len(set(found["names"])), name)
            self.assertEqual(server.call("env", name="DEBUG")["structuredContent"]["names"], ["NVSHMEM_DEBUG"])

    def test_a_name_of_a_project_alone(self):
        with self.server() as server:
            found = server.call("symbol", name="nvshmem_put")["structuredContent"]
            self.assertEqual((found["found"], found["here"], "name" in found), (True, False, False))
            self.assertIn("no release of NVSHMEM has it", found["text"])
            self.assertIn("a name of its own in", found["text"])
            schema = next(t for t in server.result("tools/list")["tools"] if t["name"] == "symbol")["outputSchema"]
            self.assertIn("a surveyed project has one of its own", schema["properties"]["found"]["description"])

    def test_no_cut_is_inside_of_a_character(self):
        folder = self.make_project()
        self.write("kb/skills/nvshmem/references/wide.md", "# Wide\n\n## What is wide?\n\n" + "wide äöü€𝄞 " * 60 + "\n\n"
                   + "".join(f"- wide {'€' * (n % 7)}𝄞{n}\n" for n in range(60)))
        with self.server(arguments=["--kb", folder]) as server:
            calls = [("show", {"ref": "wide"}), ("show", {"ref": "wide#wide"}), ("show", {"ref": "wide#what-is-wide"}), ("ask", {"question": "what is wide"}),
                     ("symbol", {"name": "x" + "€" * 42}), ("env", {"name": "x" + "€" * 42}), ("show", {"ref": "x" + "€" * 600})]
            calls += [("verify_citation", {"text": " ".join(f"`nvshmem:€{'𝄞' * n}.cu:{n}`" for n in range(1, 40))})]
            for tool, arguments in calls:
                for budget in range(1024, 1401, 1 if tool in ("show", "ask") else 7):
                    result = server.call(tool, budget=budget, **arguments)
                    text = text_of(result)
                    self.assertFalse(result["isError"], text)
                    self.assertLessEqual(len(text.encode()), budget)
                    self.assertNotIn("\ufffd", text, (tool, budget))
                    self.assertEqual(result["structuredContent"]["text"], text)

    def test_nothing_found_is_said_and_is_no_fault(self):
        with self.server() as server:
            for tool, arguments in [("ask", {"question": "how do I bake bread"}), ("show", {"ref": "nonsense#x"}),
                                    ("symbol", {"name": "nvshmem_floatt_put"}), ("env", {"name": "NVSHMEM_NO_SUCH"})]:
                result = server.call(tool, **arguments)
                self.assertFalse(result["isError"])
                self.assertFalse(result["structuredContent"]["found"], tool)
                self.assertTrue(text_of(result))

    def test_faults_of_arguments_can_be_mended(self):
        cases = [("ask", {}, "'question' is missing"), ("ask", {"question": 7}, "question must be of type string"),
                 ("ask", {"question": ""}, "at least 1"), ("ask", {"question": "x", "budget": 5}, "budget must be at least 1024"),
                 ("ask", {"question": "x", "budget": 1 << 40}, "at most 65536"), ("ask", {"question": "x", "q": 1}, "there are: question"),
                 ("ask", {"question": "x", "budget": 2000.5}, "of type integer"), ("show", {"ref": "x" * 3000}, "at most 2048"),
                 ("symbol", {"name": "nvshmem_init", "release": "9.9.9"}, "9.9.9"),
                 ("env", {"name": "x", "from_nccl": "yes"}, "of type boolean"),
                 ("upgrade", {"from": "3.4.5", "to": "3.8.0"}, "either files"),
                 ("upgrade", {"from": "3.4.5", "to": "3.8.0", "files": [{"path": "a"}]}, "'text' is missing"),
                 ("upgrade", {"from": "3.4.5", "to": "3.8.0", "files": []}, "elements at least"),
                 ("upgrade", {"from": "3.4.5", "to": "3.8.0", "files": [{"path": "a", "text": ""}] * 2}, "given twice"),
                 ("upgrade", {"from": "1", "to": "3.8.0", "files": [{"path": "a", "text": ""}]}, "no release 1"),
                 ("verify_citation", {}, "either citation"), ("verify_citation", {"text": "x", "quote": "y"}, "either citation"),
                 ("verify_citation", {"citation": INIT, "quote": "a\n" * 500}, "at most 400")]
        with self.server() as server:
            for tool, arguments, words in cases:
                result = server.call(tool, **arguments)
                self.assertTrue(result["isError"], (tool, arguments))
                self.assertIn(words, text_of(result))
                self.assertNotIn("structuredContent", result)
            for params in [{"name": "nope", "arguments": {}}, {}, {"name": 3}]:
                self.assertEqual(server.error("tools/call", params)["code"], -32602)
            self.assertTrue(server.result("tools/call", {"name": "ask", "arguments": []})["isError"])

    def test_the_others_say_what_the_commands_say(self):
        with self.server() as server:
            self.assertEqual(text_of(server.call("symbol", name="nvshmem_float_put")), self.found("symbol", "nvshmem_float_put"))
            self.assertEqual(text_of(server.call("env", name="SYMMETRIC_SIZE")), self.found("env", "SYMMETRIC_SIZE"))
            self.assertEqual(text_of(server.call("env", name="NCCL_IB_HCA", from_nccl=True)),
                             self.found("env", "--from-nccl", "NCCL_IB_HCA"))
            for ref, kind in [(BARRIER, "section"), ("00-start-here", "sections"), (INIT, "citation"), ("run:atomic-width", "run"),
                              ("nvshmem_float_put", "symbol"), ("NVSHMEM_SYMMETRIC_SIZE", "variable")]:
                result = server.call("show", ref=ref, budget=65536)
                self.assertEqual(result["structuredContent"]["kind"], kind, ref)
                self.assertEqual(text_of(result), self.found("show", ref), ref)
            symbol = server.call("symbol", name="nvshmemx_init_attr", release="3.4.5")["structuredContent"]
            self.assertEqual((symbol["kind"], symbol["owner"], symbol["here"]), ("function", "nvshmemx", True))

    def test_one_request_leaves_nothing_to_the_next(self):
        if self.sanitized():
            self.skipTest("memory that was given back is kept")
        with self.server() as server:
            def resident():
                with open(f"/proc/{server.process.pid}/status", encoding="ascii") as status:
                    return next(int(row.split()[1]) for row in status if row.startswith("VmRSS"))
            for n in range(30):
                server.call("ask", question=f"fence number {n}")
                server.call("symbol", name="nvshmem_*")
            before = resident()
            for n in range(200):
                server.call("ask", question=f"quiet number {n}")
                server.call("symbol", name="nvshmem_*")
            self.assertLess(resident(), before + 2000)


class VerifyCitation(McpCase):
    def grade(self, server, **arguments):
        result = server.call("verify_citation", **arguments)["structuredContent"]
        self.assertEqual(result["checked"], 1)
        return result["citations"][0], result["good"]

    def test_grades(self):
        with self.server() as server:
            for citation, grade, good in [(INIT, "ok", 1), ("nvshmem:src/host/init/init.cu:1", "unlocked", 1),
                                          ("nvshmem:src/host/init/init.cu:99999", "line", 0),
                                          ("nvshmem:src/no/such.cu:1", "path", 0), ("nowhere:a:1", "form", 0),
                                          ("nvshmem:src/host/init/init.cu:9-3", "form", 0), ("nonsense", "form", 0)]:
                found, count = self.grade(server, citation=citation)
                self.assertEqual((found["grade"], count), (grade, good), citation)
            url = re.search(r"https://\S+", self.found("show", INIT)).group()
            self.assertEqual(self.grade(server, citation=url)[0]["citation"], INIT)

    def test_quotes(self):
        with self.server() as server:
            found, good = self.grade(server, citation=INIT, quote="no such line at all")
            self.assertEqual((found["quote"], good), ("nowhere", 0))
            found, good = self.grade(server, citation="deepep:csrc/kernels/runtime.cu:1-12", quote="#include <cstring>")
            self.assertEqual((found["quote"], good), ("there", 1), found)
            found, good = self.grade(server, citation="deepep:csrc/kernels/runtime.cu:90-92", quote="   #include  <cstring>\n")
            self.assertEqual((found["quote"], good), ("elsewhere", 0))
            self.assertRegex(found["detail"], r"elsewhere: deepep:csrc/kernels/\S+:\d+")

    def test_a_text(self):
        with self.server() as server:
            result = server.call("verify_citation", text=f"One `{INIT}`, again `{INIT}`, and `nvshmem:src/x.cu:3`.")
            structured = result["structuredContent"]
            self.assertEqual((structured["checked"], structured["good"]), (2, 1))
            self.assertEqual([c["grade"] for c in structured["citations"]], ["path", "ok"])
            self.assertEqual(server.call("verify_citation", text="none")["structuredContent"]["checked"], 0)

    def test_all_of_a_page_are_good(self):
        with self.server() as server:
            for name in ["nvshmem/01-bootstrap-and-lifecycle.md", "deepep/ibgda-direct.md"]:
                text = (ROOT / "skills/nvshmem/references" / name).read_text("utf-8")
                result = server.call("verify_citation", text=text, budget=65536)["structuredContent"]
                self.assertGreater(result["checked"], 20)
                self.assertEqual(result["good"], result["checked"], [c for c in result["citations"] if c["grade"] != "ok"])


class Roots(McpCase):
    def upgrade(self, server, *paths):
        return server.call("upgrade", **{"from": "3.1.7", "to": "3.8.0"}, paths=list(paths))

    def test_none_by_default(self):
        self.write("tree/a.cu", CODE)
        with self.server() as server:
            result = self.upgrade(server, str(self.dir / "tree/a.cu"))
            self.assertTrue(result["isError"])
            self.assertIn("--root", text_of(result))

    def test_only_below_the_roots(self):
        self.write("tree/src/a.cu", CODE)
        self.write("tree/src/deep/b.cu", CODE)
        self.write("secret/c.cu", CODE)
        self.write("tree-2/d.cu", CODE)
        os.symlink("../../secret", self.dir / "tree/src/link")
        os.symlink("../secret/c.cu", self.dir / "tree/c.cu")
        tree = str(self.dir / "tree")
        with self.server(arguments=["--root", tree]) as server:
            for good, files in [("src/a.cu", 1), ("src", 2), (".", 2), (tree, 2), (tree + "/", 2), (tree + "/src/", 2), (tree + "/src/a.cu", 1)]:
                result = self.upgrade(server, good)
                self.assertFalse(result["isError"], (good, text_of(result)))
                self.assertEqual(result["structuredContent"]["files"], files, good)
            for bad in ["../secret/c.cu", "src/../../secret", "c.cu", "src/link", "src/link/c.cu", "/etc/passwd", "/", "..",
                        str(self.dir / "secret/c.cu"), str(self.dir / "tree-2/d.cu"), tree + "/../secret", "src//a.cu",
                        "no/such", "/proc/self/environ", "src/a.cu\u0000"]:
                message = server.request("tools/call", {"name": "upgrade",
                                                        "arguments": {"from": "3.1.7", "to": "3.8.0", "paths": [bad]}})
                server.send_message(message)
                answer = server.answer()
                refused = "error" in answer or answer["result"]["isError"]
                self.assertTrue(refused, bad)

    def test_the_whole_file_system_is_a_root_too(self):
        self.write("tree/src/a.cu", CODE)
        with self.server(arguments=["--root", "/"]) as server:
            for good in (str(self.dir / "tree"), str(self.dir / "tree/src/a.cu"), str(self.dir)[1:] + "/tree"):
                self.assertFalse(self.upgrade(server, good)["isError"], good)
            self.assertTrue(self.upgrade(server, str(self.dir / "tree/../tree"))["isError"])

    def test_text_and_path_give_the_same(self):
        self.write("tree/a.cu", CODE)
        with self.server(arguments=["--root", str(self.dir / "tree")]) as server:
            read = self.upgrade(server, "a.cu")["structuredContent"]
            given = server.call("upgrade", **{"from": "3.1.7", "to": "3.8.0"},
                                files=[{"path": str(self.dir / "tree/a.cu"), "text": CODE}])["structuredContent"]
            self.assertEqual(read, given)


class Resources(McpCase):
    def all_pages(self, server, method, key):
        found, cursor = [], None
        for _ in range(50):
            page = server.result(method, {"cursor": cursor} if cursor else {})
            found += page[key]
            cursor = page.get("nextCursor")
            if cursor is None:
                return found
        self.fail("a list without end")

    def test_the_list_is_whole_and_readable(self):
        with self.server() as server:
            resources = self.all_pages(server, "resources/list", "resources")
            uris = [resource["uri"] for resource in resources]
            self.assertEqual(len(uris), len(set(uris)))
            sections = [r for r in resources if r["uri"].startswith("shmemlore://section/")]
            self.assertGreater(len(sections), 500)
            self.assertIn("skill://nvshmem/SKILL.md", uris)
            self.assertIn("shmemlore://source/deepep", uris)
            for resource in sections[::29] + [r for r in resources if r not in sections]:
                contents = server.result("resources/read", {"uri": resource["uri"]})["contents"]
                self.assertEqual((contents[0]["uri"], contents[0]["mimeType"]), (resource["uri"], resource["mimeType"]))
                self.assertTrue(contents[0]["text"])

    def test_cursors(self):
        with self.server() as server:
            for cursor in ["x", "-1", "7", "999999", "", 3, None]:
                if cursor is not None:
                    self.assertEqual(server.error("resources/list", {"cursor": cursor})["code"], -32602, cursor)
            for method in ["tools/list", "prompts/list", "resources/templates/list", "skills/list"]:
                self.assertEqual(server.error(method, {"cursor": "200"})["code"], -32602)

    def test_what_is_not_there(self):
        uris = ["shmemlore://section/no/such", "shmemlore://source/nowhere", "shmemlore://symbol/no_such_name", "file:///etc/passwd",
                "shmemlore://source/nvshmem/src/../../etc/passwd?lines=1", "shmemlore://source/nvshmem/src/x.cu", "shmemlore://",
                "skill://nvshmem/../evidence/sources.yaml", "skill://nvshmem/evidence/sources.yaml", "skill://nvshmem", "skill://",
                "skill://other/SKILL.md", "shmemlore://section/%zz", "shmemlore://source/*/*?lines=*", "shmemlore://source/%2A/%2a?lines=1",
                "shmemlore://source/nvshmem/*?lines=1", "shmemlore://source/nvshmem/src/*/init.cu?lines=1", "shmemlore://source/*",
                "shmemlore://source/a/b?lines=c", "shmemlore://source/?/[a]?lines=?", "shmemlore://env/%00", "https://example.org/", "x", "",
                "shmemlore://section/" + "x" * 5000]
        with self.server() as server:
            for uri in uris:
                error = server.error("resources/read", {"uri": uri})
                self.assertEqual(error["code"], -32602, uri)
            for params in [{}, {"uri": 3}]:
                self.assertEqual(server.error("resources/read", params)["code"], -32602)
        for revision in LEGACY:
            with self.server(revision) as server:
                error = server.error("resources/read", {"uri": "shmemlore://section/no/such"})
                self.assertEqual((error["code"], error["data"]["uri"]), (-32002, "shmemlore://section/no/such"))

    def test_templates(self):
        with self.server() as server:
            templates = self.all_pages(server, "resources/templates/list", "resourceTemplates")
            self.assertEqual(len(templates), 5)
            for uri in ["shmemlore://section/00-start-here/start-here", "shmemlore://source/ultraep",
                        "shmemlore://source/nvshmem/src/host/init/init.cu?lines=266-269", "shmemlore://symbol/nvshmem_init",
                        "shmemlore://env/NVSHMEM_DEBUG", "shmemlore://symbol/nvshmemx_%2A_block"]:
                self.assertTrue(server.result("resources/read", {"uri": uri})["contents"][0]["text"], uri)
            found = server.result("resources/read", {"uri": "shmemlore://source/nvshmem/src/host/init/init.cu?lines=266-269"})
            self.assertEqual(found["cacheScope"], "private")

    def test_a_folder_in_place_of_what_is_built_in(self):
        folder = self.make_project()
        self.write("kb/skills/nvshmem/SKILL.md", "---\nname: nvshmem\ndescription: d\nmetadata:\n  a: \"1\"\n  b: 2\n  c: true\n  d:\n"
                   "  e: [x, 1.5]\n---\n# S\n\nx\n")
        self.write("kb/skills/nvshmem/evals/evals.json", "{}\n")
        self.write("kb/skills/nvshmem/icon.png", b"\x89PNG\xff\x00")
        with self.server(arguments=["--kb", folder]) as server:
            self.assertEqual(server.result("tools/list")["cacheScope"], "private")
            self.assertIn("orders puts", text_of(server.call("ask", question="what orders puts")))
            skill = server.result("skills/list")["skills"][0]
            self.assertEqual(skill["frontmatter"]["metadata"], {"a": "1", "b": 2, "c": True, "d": None, "e": ["x", 1.5]})
            names = {resource["uri"] for resource in skill["resources"]}
            self.assertIn("skill://nvshmem/evals/evals.json", names)
            icon = server.result("resources/read", {"uri": "skill://nvshmem/icon.png"})["contents"][0]
            self.assertEqual(base64.b64decode(icon["blob"]), b"\x89PNG\xff\x00")
        self.write("plain/n.md", PAGE)
        with self.server(arguments=["--kb", str(self.dir / "plain")]) as server:
            self.assertEqual(server.result("skills/list")["skills"], [])
            self.assertEqual(server.error("skills/get", {"uri": "skill://nvshmem/SKILL.md"})["code"], -32602)


class Prompts(McpCase):
    def test_all(self):
        with self.server() as server:
            prompts = server.result("prompts/list")["prompts"]
            self.assertEqual([p["name"] for p in prompts], ["debug_hang", "choose_approach", "review_code"])
            for prompt in prompts:
                given = {a["name"]: f"<{a['name']}> barrier hangs" for a in prompt["arguments"]}
                got = server.result("prompts/get", {"name": prompt["name"], "arguments": given})
                text = got["messages"][0]["content"]["text"]
                for value in given.values():
                    self.assertIn(value, text)
                self.assertNotIn("{{", text)
                self.assertEqual(got["messages"][1]["content"]["type"], "resource")
                few = {a["name"]: "x y z" for a in prompt["arguments"] if a["required"]}
                self.assertIn("(not said)", server.result("prompts/get", {"name": prompt["name"], "arguments": few})
                              ["messages"][0]["content"]["text"])

    def test_faults(self):
        with self.server() as server:
            for params in [{}, {"name": "no"}, {"name": "debug_hang"}, {"name": "debug_hang", "arguments": {"symptom": ""}},
                           {"name": "debug_hang", "arguments": {"symptom": "x", "y": "z"}},
                           {"name": "debug_hang", "arguments": {"symptom": 3}}]:
                self.assertEqual(server.error("prompts/get", params)["code"], -32602, params)

    def test_faults_say_what_is_wrong(self):
        cases = [("prompts/get", {}, "params.name must be a string"), ("prompts/get", {"name": 3}, "params.name must be a string"),
                 ("prompts/get", {"name": "debug_hang", "arguments": []}, "params.arguments must be an object"),
                 ("prompts/get", {"name": "debug_hang", "arguments": "x"}, "params.arguments must be an object"),
                 ("prompts/get", {"name": "debug_hang", "arguments": {"symptom": 3}}, "'symptom' must be a string"),
                 ("prompts/get", {"name": "debug_hang", "arguments": {"symptom": "x", "y": "z"}}, "no argument 'y'"),
                 ("prompts/get", {"name": "debug_hang", "arguments": {}}, "'symptom' is missing"),
                 ("skills/get", {}, "params.uri must be a string"), ("skills/get", {"uri": []}, "params.uri must be a string"),
                 ("resources/directory/read", {}, "params.uri must be a string"),
                 ("resources/directory/read", {"uri": 3}, "params.uri must be a string"),
                 ("resources/directory/read", {"uri": "skill://nvshmem", "cursor": "x"}, "cursor"),
                 ("resources/directory/read", {"uri": "skill://nvshmem", "cursor": 3}, "cursor")]
        with self.server() as server:
            for method, params, words in cases:
                error = server.error(method, params)
                self.assertEqual(error["code"], -32602, params)
                self.assertIn(words, error["message"])

    def test_what_a_user_writes_is_not_a_template(self):
        with self.server() as server:
            got = server.result("prompts/get", {"name": "debug_hang", "arguments": {"symptom": "{{launch}} hang", "launch": "L"}})
            self.assertIn("{{launch}} hang", got["messages"][0]["content"]["text"])


class Completion(McpCase):
    def complete(self, server, uri, name, value, **chosen):
        params = {"ref": {"type": "ref/resource", "uri": uri}, "argument": {"name": name, "value": value}}
        if chosen:
            params["context"] = {"arguments": chosen}
        found = server.result("completion/complete", params)["completion"]
        self.assertLessEqual(len(found["values"]), 100)
        self.assertEqual(found["hasMore"], found["total"] > len(found["values"]))
        return found["values"]

    def test_values(self):
        section, lines = "shmemlore://section/{file}/{slug}", "shmemlore://source/{source}/{+path}?lines={lines}"
        with self.server() as server:
            self.assertIn("04-ordering-and-synchronisation", self.complete(server, section, "file", "04"))
            self.assertEqual(self.complete(server, section, "file", "order")[0], "04-ordering-and-synchronisation")
            slugs = self.complete(server, section, "slug", "why", file="04-ordering-and-synchronisation")
            self.assertIn("why-does-my-program-hang-in-nvshmem_barrier_all", slugs)
            self.assertEqual(self.complete(server, lines, "source", "deepep")[0], "deepep")
            self.assertIn("src/host/init/init.cu", self.complete(server, lines, "path", "init.cu", source="nvshmem"))
            self.assertEqual(self.complete(server, lines, "path", "x"), [])
            self.assertEqual(self.complete(server, lines, "lines", "1"), [])
            self.assertEqual(self.complete(server, "shmemlore://symbol/{name}", "name", "NVSHMEM_FLOAT_PUT")[0], "nvshmem_float_put")
            self.assertEqual(len(self.complete(server, "shmemlore://symbol/{name}", "name", "nvshmem")), 100)
            self.assertIn("NVSHMEM_SYMMETRIC_SIZE", self.complete(server, "shmemlore://env/{name}", "name", "symmetric"))

    def test_prompts_and_faults(self):
        with self.server() as server:
            for argument, some in [("release", True), ("symptom", False)]:
                found = server.result("completion/complete", {"ref": {"type": "ref/prompt", "name": "debug_hang"},
                                                              "argument": {"name": argument, "value": "3."}})
                self.assertEqual(bool(found["completion"]["values"]), some)
            for ref, argument in [({"type": "ref/prompt", "name": "no"}, {"name": "a", "value": ""}), ({}, {"name": "a", "value": ""}),
                                  ({"type": "ref/resource", "uri": "x"}, {"name": "a", "value": ""}),
                                  ({"type": "ref/prompt", "name": "debug_hang"}, {"name": "release"}),
                                  ({"type": "ref/resource", "uri": "shmemlore://env/{name}"}, {"name": "x", "value": ""})]:
                self.assertEqual(server.error("completion/complete", {"ref": ref, "argument": argument})["code"], -32602)


class Skill(McpCase):
    def test_every_file_and_its_digest(self):
        with self.server() as server:
            skill = server.result("skills/list")["skills"][0]
            self.assertEqual(skill, server.result("skills/get", {"uri": skill["uri"]})["skill"])
            self.assertEqual(skill["uri"], "skill://nvshmem/SKILL.md")
            folder = ROOT / "skills/nvshmem"
            on_disk = {f"skill://nvshmem/{p.relative_to(folder).as_posix()}": p for p in folder.rglob("*") if p.is_file()}
            self.assertEqual({r["uri"] for r in skill["resources"]}, set(on_disk))
            self.assertLessEqual(len(skill["resources"]), 512)
            self.assertLessEqual(sum(r["size"] for r in skill["resources"]), 16 << 20)
            for resource in skill["resources"]:
                text = server.result("resources/read", {"uri": resource["uri"]})["contents"][0]["text"].encode()
                self.assertEqual(len(text), resource["size"])
                self.assertEqual("sha256:" + hashlib.sha256(text).hexdigest(), resource["digest"])
                self.assertEqual(text, on_disk[resource["uri"]].read_bytes())
            front = skill["frontmatter"]
            self.assertEqual((front["name"], front["license"]), ("nvshmem", "MIT"))
            self.assertIn(front["description"], (folder / "SKILL.md").read_text("utf-8"))

    def test_folders(self):
        with self.server() as server:
            listed, todo = set(), ["skill://nvshmem"]
            while todo:
                found = server.result("resources/directory/read", {"uri": todo.pop()})
                self.assertEqual(found["resultType"], "complete")
                for resource in found["resources"]:
                    if resource["mimeType"] == "inode/directory":
                        todo.append(resource["uri"])
                    else:
                        listed.add(resource["uri"])
            skill = server.result("skills/get", {"uri": "skill://nvshmem/SKILL.md"})["skill"]
            self.assertEqual(listed, {r["uri"] for r in skill["resources"]})
            for uri in ["skill://nvshmem/SKILL.md", "skill://nvshmem/no", "skill://nvshmem/references/", "skill://", "skill://other",
                        "skill://nvshmem/evidence", "shmemlore://source/nvshmem", "", 3]:
                self.assertEqual(server.error("resources/directory/read", {"uri": uri})["code"], -32602, uri)
            for uri in ["skill://nvshmem", "skill://x/SKILL.md", "", None]:
                self.assertEqual(server.error("skills/get", {"uri": uri} if uri is not None else {})["code"], -32602)

    def test_it_says_who_it_is_everywhere(self):
        with self.server() as server:
            for method in ["skills/list", "tools/list", "resources/list", "prompts/list", "resources/templates/list"]:
                result = server.result(method)
                self.assertEqual(result["_meta"][META + "serverInfo"]["name"], "shmemlore")
                self.assertEqual((result["cacheScope"], result["ttlMs"]), ("public", 3600000), method)
            self.assertEqual(server.revision, MODERN)


if __name__ == "__main__":
    run_tests(sys.modules[__name__], McpCase)
