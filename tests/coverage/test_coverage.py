#!/usr/bin/env python3
"""The coverage command finds what is left out; TAP.

A copy of the knowledge and its tables, with one thing taken out each time.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
REFERENCES = "skills/nvshmem/references"
# what is replaced everywhere, the check that must see it, what it must say
LOSSES = [
    (r"nvshmem_my_pe\b", "routines", "nvshmem_my_pe"),
    (r"NVSHMEM_CUMEM_GRANULARITY", "variables", "NVSHMEM_CUMEM_GRANULARITY"),
    (r"`deepep:csrc/kernels/runtime\.cu:[\d-]+`", "sites",
     "deepep:csrc/kernels/runtime.cu:"),
    (r"`No socket interface found`", "messages", "No socket interface found"),
]


def run(root, what):
    done = subprocess.run([HERE / "coverage", what, "--root", root],
                          stdout=subprocess.PIPE, text=True)
    return done.returncode, done.stdout


def lose(root, form):
    for path in (root / REFERENCES).glob("**/*.md"):
        text = path.read_text(encoding="utf-8")
        path.write_text(re.sub(form, "gone", text), encoding="utf-8")


def main():
    print(f"1..{2 * len(LOSSES)}")
    bad, number = 0, 0
    for form, what, expected in LOSSES:
        status, output = run(ROOT, what)
        number += 1
        bad += status != 0
        print(f"{'not ' if status else ''}ok {number} - {what}: all treated")
        if status:
            print("# " + output.replace("\n", "\n# "))
        with tempfile.TemporaryDirectory() as scratch:
            root = pathlib.Path(scratch)
            shutil.copytree(ROOT / REFERENCES, root / REFERENCES)
            shutil.copytree(ROOT / "evidence", root / "evidence",
                            ignore=shutil.ignore_patterns("lines", "overlap"))
            lose(root, form)
            status, output = run(root, what)
        number += 1
        seen = status == 1 and expected in output
        bad += not seen
        print(f"{'' if seen else 'not '}ok {number} - {what}: a loss is seen")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
