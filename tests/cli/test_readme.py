#!/usr/bin/env python3
"""Runs every `$ command` of README.md's console blocks and compares what it prints.

usage: test_readme.py PROGRAM ROOT [--update]

A line of the block that begins with "$ " is a command, run by sh in ROOT with PROGRAM as
`shmemlore`; the lines up to the next command are its output. No tree is in the cache.
--update writes the outputs of today into the README instead.
"""
import os
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^```console\n(.*?)^```$", re.M | re.S)


def commands(block):
    """[(command, expected output)] of one block."""
    pairs = []
    for line in block.splitlines(keepends=True):
        if line.startswith("$ "):
            pairs.append([line[2:].rstrip("\n"), ""])
        elif pairs:
            pairs[-1][1] += line
    return pairs


def run(command, root, environment):
    done = subprocess.run(["sh", "-c", command], cwd=root, env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60, check=False)
    return done.stdout.decode("utf-8")


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    program, root = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    update = "--update" in sys.argv[3:]
    path = os.path.join(root, "README.md")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    failed = passed = 0
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(program, os.path.join(folder, "shmemlore"))
        environment = dict(os.environ, PATH=folder + ":" + os.environ["PATH"], LC_ALL="C",
                           SHMEMLORE_CACHE=os.path.join(folder, "cache"))

        def today(match):
            nonlocal failed, passed
            out = "```console\n"
            for command, expected in commands(match.group(1)):
                printed = run(command, root, environment)
                out += f"$ {command}\n{printed}"
                if printed == expected:
                    passed += 1
                elif not update:
                    failed += 1
                    print(f"README: {command}\n--- the README says\n{expected}--- it prints\n{printed}")
            return out + "```"

        new = BLOCK.sub(today, text)
    if update and new != text:
        with open(path, "w", encoding="utf-8") as file:
            file.write(new)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or passed + failed == 0 else 0


sys.exit(main())
