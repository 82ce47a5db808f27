"""Codex with the plugin: codex.py CODEX PLUGIN PROGRAM, in a home folder of its own (HOME).

Installs the plugin from the marketplace in the folder PLUGIN, then speaks to Codex's own server for editors, which needs no
login for this: the skill is listed, the plugin's server is connected and answers.
"""

import json
import os
import subprocess
import sys

QUESTION = {"question": "what does fence give that quiet does not"}


class Codex:
    def __init__(self, command, folder):
        # pylint: disable=consider-using-with
        self.process = subprocess.Popen([command, "app-server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True, cwd=folder)
        self.last = 0
        self.ask("initialize", clientInfo={"name": "shmemlore-test", "version": "1"})
        self.send({"method": "initialized"})

    def send(self, message):
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def ask(self, method, **params):
        self.last += 1
        self.send({"id": self.last, "method": method, "params": params})
        for text in self.process.stdout:
            message = json.loads(text)
            if message.get("id") == self.last and "method" not in message:
                assert "result" in message, (method, message)
                return message["result"]
        raise AssertionError(f"{method}: Codex ended")


def main(command, plugin, program):
    home = os.environ["HOME"]
    os.environ["SHMEMLORE"] = program
    work = os.path.join(home, "work")
    os.makedirs(work)
    for words in (["marketplace", "add", plugin], ["add", "shmemlore@shmemlore"]):
        subprocess.run([command, "plugin", *words], check=True, stdin=subprocess.DEVNULL, cwd=work)
    codex = Codex(command, work)
    skills = codex.ask("skills/list", cwds=[work])["data"][0]["skills"]
    assert any(skill["name"].endswith("nvshmem") and skill["enabled"] for skill in skills), skills
    thread = codex.ask("thread/start", cwd=work)["thread"]["id"]
    servers = {server["name"]: server for server in codex.ask("mcpServerStatus/list", threadId=thread)["data"]}
    assert servers["shmemlore"]["runtimeStatus"] == "connected", servers
    assert servers["shmemlore"]["pluginId"] == "shmemlore@shmemlore", servers
    assert "verify_citation" in servers["shmemlore"]["tools"], servers
    answer = codex.ask("mcpServer/tool/call", threadId=thread, server="shmemlore", tool="ask", arguments=QUESTION)
    assert "nvshmem_quiet" in answer["content"][0]["text"] and answer["structuredContent"]["found"], answer
    codex.process.stdin.close()
    codex.process.wait(30)
    print("the skill is listed, the plugin's server is connected and answers")


main(*sys.argv[1:])
