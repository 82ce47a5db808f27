#!/usr/bin/env python3
"""The committed evidence/usage.tsv: its form, the ownership traps of the two
case studies, and the counts that docs/internals/usage-index.md states."""

import csv
import pathlib
import re
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent / "cli"))

from gitfixture import main_tap  # noqa: E402

CODE = {"call", "reference", "definition", "declaration", "macro-body", "unparsed"}
PREFIXES = ("nvshmem", "NVSHMEM", "ibgda_")
PAIR = ("deepep", "ultraep")


def rows_of(name):
    with open(ROOT / "evidence" / name, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


class Table(unittest.TestCase):
    helper = ""
    rows = rows_of("usage.tsv")

    def code(self, source, wanted=lambda row: True):
        """Names spelled NVSHMEM's way in C, C++ or CUDA code."""
        return {row["name"] for row in self.rows
                if row["source"] == source and row["language"] == "c"
                and row["kind"] in CODE and row["name"].startswith(PREFIXES)
                and wanted(row)}

    def counts(self, wanted):
        first, second = (self.code(source, wanted) for source in PAIR)
        return len(first), len(second), len(first | second), len(first & second)

    def test_form(self):
        path = ROOT / "evidence/usage.tsv"
        text = path.read_text(encoding="utf-8")
        self.assertLess(len(text), 1 << 20)
        lines = text.splitlines()
        self.assertEqual(lines[0], "source\tname\tkind\tlanguage\towner\thow\tvalue\tcount\tplaces")
        self.assertTrue(all(line.count("\t") == 8 for line in lines))
        keys = [(r["source"], r["name"].encode()) for r in self.rows]
        self.assertEqual(keys, sorted(keys))
        for row in self.rows:
            places = row["places"].split(" ")
            self.assertEqual(len(places), min(5, int(row["count"])), row)
            for place in places:
                self.assertRegex(place, r"^[^ ]+:[1-9][0-9]*(@[^ ]+)?$")
            self.assertIn(row["owner"], ("-", "project"))

    def test_every_source_is_pinned(self):
        yaml = (ROOT / "evidence/sources.yaml").read_text(encoding="utf-8")
        pinned = set(re.findall(r"^  ([a-z][a-z0-9-]*):$", yaml, re.M))
        used = {row["source"] for row in self.rows}
        self.assertLessEqual(used, pinned)
        self.assertGreaterEqual(len(used), 14)
        self.assertNotIn("nvshmem", used)

    def test_deepep_owns_what_it_defines(self):
        owners = {row["name"]: row["owner"] for row in self.rows
                  if row["source"] == "deepep" and row["kind"] == "definition"}
        for name in ("nvshmemi_ibgda_put_nbi_warp", "nvshmemi_ibgda_quiet",
                     "nvshmemi_get_p2p_ptr", "nvshmemi_ibgda_rma_p"):
            self.assertEqual(owners.get(name), "project", name)
            self.assertTrue(all(row["owner"] == "project" for row in self.rows
                                if (row["source"], row["name"]) == ("deepep", name)))
        self.assertNotIn("nvshmemi_device_state_d", owners)

    def test_ultraep_owns_its_namespace(self):
        own = {row["name"] for row in self.rows
               if row["source"] == "ultraep" and "::" in row["name"]}
        self.assertIn("ultra_ep::nvshmem::alloc", own)
        self.assertTrue(all(name.startswith("ultra_ep::nvshmem") for name in own))
        self.assertTrue(all(row["owner"] == "project" for row in self.rows
                            if row["name"] in own))

    def test_what_both_case_studies_use(self):
        symbols = {row["name"]: row for row in rows_of("symbols.tsv")}

        def declared(row):
            return row["owner"] == "-" and row["name"] in symbols

        def public(row):
            return declared(row) and symbols[row["name"]]["owner"] in ("nvshmem", "nvshmemx")

        self.assertEqual(self.counts(lambda row: True), (54, 21, 58, 17))
        self.assertEqual(self.counts(lambda row: row["owner"] == "-"), (29, 21, 33, 17))
        self.assertEqual(self.counts(declared), (29, 21, 33, 17))
        self.assertEqual(self.counts(public), (20, 21, 24, 17))


if __name__ == "__main__":
    main_tap(sys.modules[__name__], Table)
