#!/usr/bin/env python3
"""The plugin's manifests agree with each other and with the program, and the plugin works where it is copied to."""

import importlib.machinery
import importlib.util
import json
import os
import re
import shutil
import struct
import subprocess
import sys

from clicase import ROOT, Case, run_tests

MANIFESTS = [".claude-plugin/plugin.json", ".codex-plugin/plugin.json", ".cursor-plugin/plugin.json"]
MARKETS = [".claude-plugin/marketplace.json", ".cursor-plugin/marketplace.json", ".agents/plugins/marketplace.json"]
FILES = [".claude-plugin", ".codex-plugin", ".cursor-plugin", ".agents", ".mcp.json", "assets", "bin", "skills", "LICENSE", "README.md"]
NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def read(name, root=ROOT):
    return json.loads((root / name).read_text(encoding="utf-8"))


class Plugin(Case):
    def test_manifests_agree_with_each_other_and_the_program(self):
        version = self.found("--version").split()[1]
        first = read(MANIFESTS[0])
        for name in MANIFESTS:
            value = read(name)
            for key in ("name", "version", "description", "author", "license", "keywords"):
                self.assertEqual(value[key], first[key], (name, key))
            self.assertEqual(value["version"], version, name)
            self.assertTrue(NAME.fullmatch(value["name"]) and len(value["name"]) <= 64, name)
            for path in (value.get("skills"), value.get("mcpServers"), value.get("logo"), value.get("interface", {}).get("logo")):
                self.assertTrue(path is None or isinstance(path, dict) or (ROOT / path).exists(), (name, path))

    def test_marketplaces_name_the_plugin_and_its_folder(self):
        for name in MARKETS:
            value = read(name)
            self.assertTrue(NAME.fullmatch(value["name"]), name)
            self.assertEqual([plugin["name"] for plugin in value["plugins"]], [read(MANIFESTS[0])["name"]], name)
            source = value["plugins"][0]["source"]
            path = source if isinstance(source, str) else source["path"]
            self.assertTrue((ROOT / path / "skills" / "nvshmem" / "SKILL.md").is_file(), name)
            self.assertEqual(value["plugins"][0].get("version", read(MANIFESTS[0])["version"]), read(MANIFESTS[0])["version"])
        self.assertTrue(read(MARKETS[0])["owner"]["name"])

    def test_evals_have_the_usual_form_and_say_that_nobody_ran_them(self):
        value = read("skills/nvshmem/evals/evals.json")
        self.assertEqual(value["skill_name"], "nvshmem")
        self.assertTrue(value["status"].startswith("not run"))
        for number, case in enumerate(value["evals"], 1):
            self.assertEqual(set(case), {"id", "prompt", "expected_output", "files", "assertions"})
            self.assertEqual(case["id"], number)
            self.assertTrue(case["prompt"] and case["expected_output"] and case["assertions"])
        queries = value["trigger_queries"]
        self.assertEqual(len({query["query"] for query in queries}), len(queries))
        self.assertTrue(18 <= len(queries) <= 24 and 8 <= sum(not query["should_trigger"] for query in queries) <= 10)

    def test_the_icon_is_square_and_what_its_generator_draws(self):
        data = (ROOT / "assets/icon.png").read_bytes()
        self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
        width, height = struct.unpack(">II", data[16:24])
        self.assertEqual(width, height)
        self.assertTrue(512 <= width <= 2048 and len(data) < 2_000_000)
        loader = importlib.machinery.SourceFileLoader("icon", str(ROOT / "tools/icon"))
        spec = importlib.util.spec_from_loader("icon", loader)
        icon = importlib.util.module_from_spec(spec)
        sys.dont_write_bytecode = True
        loader.exec_module(icon)
        self.assertEqual(icon.draw()[:33], data[:33])

    def copy(self):
        plugin = self.dir / "else where"
        plugin.mkdir()
        for name in FILES:
            source = ROOT / name
            (shutil.copytree if source.is_dir() else shutil.copy2)(source, plugin / name)
        return plugin

    def launch(self, plugin, text="", host="claude", **environment):
        """Starts the plugin's server as the host does: Codex expands no variable, but goes to the folder that is named."""
        variable, name = {"claude": ("CLAUDE_PLUGIN_ROOT", ".mcp.json"), "cursor": ("CURSOR_PLUGIN_ROOT", ".cursor-plugin/mcp.json"),
                          "codex": (None, ".codex-plugin/plugin.json")}[host]
        server = read(name, plugin)["mcpServers"]["shmemlore"]
        command = [server["command"], *server.get("args", [])]
        if variable:
            command = [part.replace("${" + variable + "}", str(plugin)) for part in command]
        self.assertFalse([part for part in command if "${" in part], host)
        full = {"PATH": "/usr/bin:/bin", "HOME": str(self.dir / "home"), **environment}
        return subprocess.run(command, env=full, cwd=plugin / server["cwd"] if "cwd" in server else "/", input=text, timeout=60,
                              capture_output=True, text=True, check=False)

    def test_a_copy_elsewhere_speaks_to_a_client(self):
        plugin = self.copy()
        hello = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize",
                            "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}})
        program = os.path.realpath(self.helper)
        at_home = self.dir / "home/.local/bin"
        at_home.mkdir(parents=True)
        named = self.dir / "path"
        named.mkdir()
        (named / "shmemlore").symlink_to(program)
        for environment in ({"SHMEMLORE": program}, {"PATH": f"{named}:/usr/bin:/bin"}, {}):
            if not environment:
                (at_home / "shmemlore").symlink_to(program)
            for host in ("claude", "cursor", "codex"):
                done = self.launch(plugin, hello + "\n", host, **environment)
                self.assertEqual((done.returncode, done.stderr), (0, ""), (host, environment))
                self.assertEqual(json.loads(done.stdout)["result"]["serverInfo"]["name"], "shmemlore")

    def test_without_a_program_one_line_says_what_to_do(self):
        plugin = self.copy()
        if os.path.exists("/usr/local/bin/shmemlore") or shutil.which("shmemlore", path="/usr/bin:/bin"):
            return  # it is installed for everybody here, and found
        for environment, words in (({}, "make install"), ({"SHMEMLORE": str(self.dir)}, "is no program")):
            done = self.launch(plugin, **environment)
            self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (127, "", 1), done.stderr)
            self.assertIn(words, done.stderr)

    def test_the_launcher_under_the_program_s_name_does_not_start_itself(self):
        plugin = self.copy()
        launcher = plugin / "bin/shmemlore-mcp"
        named = self.dir / "path"
        named.mkdir()
        (named / "shmemlore").symlink_to(launcher)
        build = plugin / "build"
        build.mkdir()
        (build / "shmemlore").symlink_to(os.path.realpath(self.helper))
        if os.path.exists("/usr/local/bin/shmemlore") or shutil.which("shmemlore", path="/usr/bin:/bin"):
            return  # it would be found before the build
        (self.dir / "folder/shmemlore").mkdir(parents=True)
        environment = {"PATH": f"{named}:{self.dir}/folder:/usr/bin:/bin", "HOME": str(self.dir / "home")}
        for command in (launcher, named / "shmemlore"):
            done = subprocess.run([command, "--help"], env=environment, cwd="/", input="", timeout=10, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("usage: shmemlore mcp", done.stdout)


if __name__ == "__main__":
    run_tests(sys.modules[__name__], Plugin)
