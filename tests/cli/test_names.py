#!/usr/bin/env python3
"""`shmemlore symbol` and `env` as a user runs them, and verify's rules on names and tables.

usage: test_names.py PROGRAM [TEST...]
"""

import json
import os
import re
import subprocess
import sys

from clicase import COMMIT, ROOT, Case, run_tests

SYMBOLS = ("name\tfamily\tkind\towner\tspace\tscope\tblocking\tfirst\tlast\trelease\ttemplate\tinstantiation\ttypelist\t"
           "signature\n")
PACKAGES = "package\tversion\tfile\tbytes\tsha256\n"
USAGE = "source\tname\tkind\tlanguage\towner\thow\tvalue\tcount\tplaces\n"
FRONT = "---\ntitle: T\nsummary: S\napplies: A\nasks:\n  - q\n---\n# A\n\nWords.\n\n"
PAGE = "skills/nvshmem/references/a.md"


def symbol(name, owner="nvshmem", first="<=1.0", last="-", signature="void ()", kind="function"):
    space = "device" if kind == "function" else "-"
    return f"{name}\t{name}\t{kind}\t{owner}\t{space}\t-\t-\t{first}\t{last}\t2.0\t-\ta.h:1\t-\t{signature}\n"


class Symbol(Case):

    def test_what_it_is(self):
        text = self.found("symbol", "nvshmem_float_put_nbi")
        self.assertTrue(text.startswith("nvshmem_float_put_nbi: public function (nvshmem)\n"
                                        "void nvshmem_float_put_nbi(float *dest, const float *source, size_t nelems, "
                                        "int pe)\n"))
        for line in ("template       nvshmem:src/include/device/nvshmem_defines.h:225",
                     "type list      nvshmem:src/include/device_host/nvshmem_common.cuh:51",
                     "called     host+device, by one thread, nonblocking"):
            self.assertIn(line + "\n", text)
        self.assertIn("family     nvshmem_TYPE_put_nbi, ", text)
        self.assertEqual(text, self.found("symbol", "nvshmem_float_put_nbi()"))
        self.assertEqual(text, self.found("show", "nvshmem_float_put_nbi"))
        value = self.found_json("shmemlore.show/1", "show", "--json", "nvshmem_float_put_nbi")
        self.assertEqual(value["record"]["schema"], "shmemlore.symbol/1")

    def test_who_uses_it_and_what_to_read(self):
        text = self.found("symbol", "nvshmem_quiet")
        self.assertIn("\n  04-ordering-and-synchronisation#how-many-threads-should-call-nvshmem_fence-or-nvshmem_quiet\n", text)
        self.assertIn("\n  multi-gpu-programming-models 1: nvshmem/jacobi.cu:136@", text)
        users = self.found("symbol", "nvshmemx_init_attr").split("used by\n")[1].split("\n")
        self.assertTrue(users[0].startswith("  deepep "), users[0])

    def test_places_are_where_they_are_said_to_be(self):
        value = self.found_json("shmemlore.symbol/1", "symbol", "--json", "nvshmem_float_put_nbi")
        places = value["symbol"]["places"]
        self.assertEqual({place["what"] for place in places}, {"template", "instantiation", "type list"})
        for place in places:
            self.assertEqual(place["citation"], "nvshmem:src/include/" + place["header"])
            path, line = place["header"].rsplit(":", 1)
            self.assertTrue(place["url"].endswith(f"/src/include/{path}#L{line}"), place["url"])
        value = self.found_json("shmemlore.symbol/1", "symbol", "--json", "nvshmemx_qp_handle_t")
        self.assertEqual(value["symbol"]["lines_of"], "3.8.0")
        self.assertEqual({place["citation"] for place in value["symbol"]["places"]}, {None})

    def test_the_inside_is_flagged(self):
        text = self.found("symbol", "nvshmemi_transfer_quiet")
        self.assertIn(": internal function (nvshmem-internal)\n", text)
        self.assertIn("warning    NVSHMEM's inside", text)

    def test_a_name_of_a_project(self):
        text = self.found("symbol", "nvshmemi_ibgda_put_nbi_warp")
        self.assertTrue(text.startswith("nvshmemi_ibgda_put_nbi_warp: not an NVSHMEM name; "), text)
        self.assertIn("\na name of its own in deepep, ", text)
        text = self.found("symbol", "nvshmem_put")
        self.assertTrue(text.startswith("nvshmem_put: not an NVSHMEM name; no release of NVSHMEM has it\n"
                                        "near it    nvshmem_TYPE_put\n"), text)
        for family in ("nvshmem_putmem", "nvshmem_putSIZE", "nvshmemx_TYPE_put_SCOPE"):
            self.assertIn(f"\n           {family}\n", text)
        near = self.found_json("shmemlore.symbol/1", "symbol", "--json", "nvshmem_put")["near"]
        self.assertEqual(near[0]["family"], "nvshmem_TYPE_put")
        self.assertIn("(defines it itself)", text)

    def test_release(self):
        self.assertIn("= nvshmemx_init_attr_v1\n", self.found("symbol", "--release", "3.4.5", "nvshmemx_init_attr_t"))
        self.assertIn("= nvshmemx_init_attr_v2\n", self.found("symbol", "--release", "3.8.0", "nvshmemx_init_attr_t"))
        done = self.run_it("symbol", "--release", "3.4.5", "nvshmemx_qp_handle_t")
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        self.assertIn("\nNOT in 3.4.5\nreleases   3.5.19 to ", done.stdout)
        done = self.run_it("symbol", "--json", "--release", "3.4.5", "nvshmemx_qp_handle_t")
        self.assertEqual(json.loads(done.stdout)["symbol"]["in_release"], False)

    def test_a_release_as_people_write_it(self):
        name = {"symbol": "nvshmem_quiet", "env": "NVSHMEM_DEBUG"}
        for command in ("symbol", "env"):
            plain = self.found(command, "--release", "3.4.5", name[command])
            self.assertEqual(plain, self.found(command, "--release", "v3.4.5", name[command]))
            self.assertEqual(plain, self.found(command, "--release", " 3.4.5 ", name[command]))
            for release, words in (("", "an empty release; those read are 3.1.7, "), ("  ", "an empty release"),
                                   ("3.4", "; those that begin so: 3.4.5\n"), ("3.3", ": 3.3.9, 3.3.20, 3.3.24\n"),
                                   ("3.4.5-0", "; the release of that tag is 3.4.5\n"), ("v3.4.5-0", "tag is 3.4.5\n"),
                                   ("latest", "; the newest is 3.8.0\n"), ("9.9", "3.8.0\n"), ("v", "no release v is"),
                                   ("3.4.5.", "no release 3.4.5. is"), ("3.4.50", "; next to it: 3.4.5 and 3.5.19\n"), ("x", "no release x is")):
                told = self.fails(2, words, command, "--release", release, name[command])
                self.assertIn("3.1.7, 3.2.5, ", told)
            self.fails(2, "no release 3.4 is", command, "--release", "3.4", "*QUIET*" if command == "env" else "nvshmem_*")
        self.fails(2, "an empty release", "env", "--release", "", "--from-nccl", "NCCL_DEBUG")

    def test_what_was_meant(self):
        """The first of the families that are told, for each way of missing the name."""
        cases = {"quiet": "nvshmem_quiet", "quite": "nvshmem_quiet", "malloc": "nvshmem_malloc",
                 "put_signal": "nvshmem_TYPE_put_signal", "shmem_put": "nvshmem_TYPE_put", "shmem_int_p": "nvshmem_TYPE_p",
                 "shmem_qiet": "nvshmem_quiet", "SHMEM_CMP_EQ": "NVSHMEM_CMP_EQ", "nvhsmem_quiet": "nvshmem_quiet",
                 "nvshmem_TYPENAME_putt": "nvshmem_TYPE_put", "nvshmem_<T>_ptu": "nvshmem_TYPE_put",
                 "my::nvshmem_quiet": "nvshmem_quiet", "nvshmem.core.put": "nvshmem_TYPE_put",
                 "lib->nvshmem_qiet(x)": "nvshmem_quiet", "NVSHMEM_QUIET": "nvshmem_quiet", "init_attr": "nvshmemx_init_attr",
                 "nvshmem_signal_set": "NVSHMEM_SIGNAL_SET", "tile_put": "nvshmemx::tile_put",
                 "shmem_barrier_all": "nvshmem_barrier_all", "shmemx_putmem_block": "nvshmemx_putmem_SCOPE"}
        for asked, family in cases.items():
            told = self.fails(1, "near it: ", "symbol", asked)
            self.assertRegex(told, rf"near it: {re.escape(family)}\b", asked)
        self.assertNotIn("near it", self.fails(1, "no package has", "symbol", "nvshmem_xyzzy"))

    def test_a_name_as_somebody_pasted_it(self):
        plain = self.found("symbol", "nvshmem_quiet")
        for asked in ("nvshmem_quiet()", "nvshmem_quiet(team, x);", "::nvshmem_quiet", "void nvshmem_quiet(void);",
                      "&nvshmem_quiet", " nvshmem_quiet ;", "nvshmem_quiet<int>(a)"):
            self.assertEqual(plain, self.found("symbol", asked), asked)
        family = self.found("symbol", "nvshmem_TYPE_put_nbi")
        for asked in ("nvshmem_TYPENAME_put_nbi", "nvshmem_<TYPE>_put_nbi", "nvshmem_{type}_put_nbi", "nvshmem_T_put_nbi",
                      "nvshmem_<typename>_put_nbi()", "nvshmem_##T##_put_nbi"):
            self.assertEqual(family, self.found("symbol", asked), asked)
        self.assertEqual(self.found("symbol", "nvshmem_putSIZE"), self.found("symbol", "nvshmem_put<BITS>"))

    def test_symbol_and_env_point_to_each_other(self):
        self.assertIn("NVSHMEM_DEBUG is an environment variable: `shmemlore env NVSHMEM_DEBUG`",
                      self.fails(1, "no package has", "symbol", "NVSHMEM_DEBUG"))
        self.assertIn("variables near it (`shmemlore env`): NVSHMEM_SYMMETRIC_SIZE",
                      self.fails(1, "no package has", "symbol", "NVSHMEM_SYMETRIC_SIZE"))
        self.assertIn("\nvariable   `shmemlore env NVSHMEM_USE_NCCL`\n", self.found("symbol", "NVSHMEM_USE_NCCL"))
        self.assertIn("\nsymbol     `shmemlore symbol NVSHMEM_USE_NCCL`\n", self.found("env", "NVSHMEM_USE_NCCL"))
        text = self.found("symbol", "NVSHMEM_SYMMETRIC_SIZE")  # a project has a constant of that name
        self.assertTrue(text.startswith("NVSHMEM_SYMMETRIC_SIZE: an environment variable, no name of the API"), text)
        self.assertIn("`shmemlore symbol nvshmem_quiet`", self.fails(1, "is a name of the API", "env", "nvshmem_quiet()"))
        self.fails(1, "names near it (`shmemlore symbol`): nvshmem_quiet", "env", "nvshmem_qiet")
        self.fails(1, "near it: NVSHMEM_SYMMETRIC_SIZE", "env", "SHMEM_SYMMETRIC_SIZE")
        for asked in ("$NVSHMEM_DEBUG", "${NVSHMEM_DEBUG}", "NVSHMEM_DEBUG=INFO", "export NVSHMEM_DEBUG=1"):
            self.assertEqual(self.found("env", "NVSHMEM_DEBUG"), self.found("env", asked))


    def test_glob_and_family(self):
        names = self.found("symbol", "nvshmemx_put*mem_block").split()
        self.assertIn("nvshmemx_putmem_block", names)
        self.assertEqual(names, sorted(names))
        self.assertIn("nvshmem_float_iput\n", self.found("symbol", "nvshmem_TYPE_iput"))
        text = self.found("symbol", "--budget", "300", "nvshmem_*")
        self.assertLessEqual(len(text), 300)
        self.assertRegex(text.splitlines()[-1], r"^\[\d+ of \d+ names; a larger budget shows more\]$")
        value = self.found_json("shmemlore.symbol/1", "symbol", "--json", "nvshmem_*_iput")
        self.assertEqual(value["count"], len(value["names"]))
        self.fails(1, "none of the", "symbol", "--release", "3.4.5", "nvshmemx_qp_*")
        self.fails(1, "no name fits", "symbol", "nvshmem_nothing*")

    def test_under_an_option(self):
        """Declared only with what no package is built with."""
        said = self.fails(1, "no package has a name 'nvshmemx_signal_counted_load'", "symbol",
                          "nvshmemx_signal_counted_load")
        self.assertRegex(said, r"; the headers from 3\.8\.0 on declare it only with NVSHMEM_CFT_HANDLES_SUPPORT, which the "
                         r"packages leave off \(host/nvshmemx_api\.h:\d+\|device/nvshmemx_defines\.h:\d+\)")
        self.assertNotIn("declare it", self.fails(1, "no package has", "symbol", "nvshmem_qiet"))

    def test_near_misses(self):
        self.assertIn("near it: nvshmem_quiet", self.fails(1, "no package has a name", "symbol", "nvshmem_qiet"))
        self.assertIn("nvshmem_TYPE_put_nbi (", self.fails(1, "no package has", "symbol", "nvshmem_put_nbi"))
        done = self.run_it("symbol", "--json", "nvshmem_qiet")
        self.assertEqual(done.returncode, 1)
        self.assertIn("nvshmem_quiet", json.loads(done.stdout)["message"])

    def test_arguments(self):
        self.fails(2, "takes one name", "symbol")
        self.fails(2, "takes one name", "symbol", "a", "b")
        self.fails(2, "1 to 128 characters", "symbol", "x" * 129)
        self.fails(2, "--budget", "symbol", "--budget", "1", "nvshmem_quiet")
        self.fails(2, "is no option", "symbol", "--nothing", "a")
        self.assertIn("usage: shmemlore symbol", self.found("symbol", "--help"))

    def test_every_budget_is_kept(self):
        for budget in (256, 400, 1000, 4096, 20000):
            for name in ("nvshmem_quiet", "nvshmemi_ibgda_device_qp", "nvshmemx_init_attr", "nvshmem_float_put"):
                self.assertLessEqual(len(self.found("symbol", "--budget", str(budget), name)), budget, name)

    def test_a_folder_without_tables_takes_those_built_in(self):
        text = self.found("symbol", "--kb", self.make_project(), "nvshmem_quiet")
        self.assertIn("public function", text)
        self.assertIn("\n  n#quiet\n", text)


class Env(Case):

    def test_what_it_is(self):
        text = self.found("env", "NVSHMEM_SYMMETRIC_SIZE")
        self.assertIn("type       size (K, M, G, T may follow the number), default 1073741824 (in 3.4.5)\n", text)
        self.assertIn("read by    host\n", text)
        self.assertIn("\n  nvshmem:src/include/host/env/env_defs.h:48\n", text)
        self.assertEqual(text, self.found("env", "symmetric_size"))
        self.assertEqual(text, self.found("show", "NVSHMEM_SYMMETRIC_SIZE"))

    def test_readers_and_defaults_of_another_release(self):
        text = self.found("env", "IB_SL")
        self.assertIn("read by    transport:gpunetio (3.7.0 to 3.8.0), transport:ibdevx, ", text)
        self.assertNotIn("gpunetio", self.found("env", "--release", "3.4.5", "IB_SL"))
        text = self.found("env", "--release", "3.8.0", "IB_SL")
        self.assertIn("read by    transport:gpunetio, transport:ibdevx, ", text)
        self.assertIn("type       int, default 0 (in 3.4.5; not known of 3.8.0)\n", text)
        value = self.found_json("shmemlore.env/1", "env", "--json", "--release", "3.8.0", "IBGDA_ENABLE_MULTI_PORT")
        row = value["variables"][0]
        self.assertEqual(row["readers"], ["host"])
        self.assertIn({"reader": "transport:ibgda", "first": "3.1.7", "last": "3.7.2", "evidence": "observed"},
                      row["reader_releases"])

    def test_who_sets_it(self):
        self.assertIn("\n  deepep sets it to '1': deep_ep/buffer.py:", self.found("env", "NVSHMEM_DISABLE_NVLS"))

    def test_symbol_without_a_value_ends_without_a_blank(self):
        self.assertIn("\n#define NVSHMEM_NVTX\n", self.found("symbol", "NVSHMEM_NVTX"))

    def test_env_tells_every_moment(self):
        text = self.found("env", "NVSHMEM_CONF_FILE")
        self.assertIn("\nwhen       when the bootstrap is loaded, within init\n"
                      "           once, in the first init or get_uniqueid; never again\n"
                      "           when the transport is loaded, within init\n", text)
        self.assertNotIn("unknown", text)

    def test_release(self):
        done = self.run_it("env", "--release", "3.4.5", "NVSHMEM_CONF_FILE")
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        self.assertIn("\nNOT in 3.4.5: it came later\n", done.stdout)
        self.found("env", "--release", "3.8.0", "NVSHMEM_CONF_FILE")
        self.fails(2, "no release 9 is among", "env", "--release", "9", "NVSHMEM_CONF_FILE")

    def test_from_nccl(self):
        text = self.found("env", "--from-nccl", "NCCL_IB_HCA")
        self.assertTrue(text.startswith("NCCL_IB_HCA: in NVSHMEM NVSHMEM_HCA_LIST,"))
        self.assertIn("\n  nvshmem:src/modules/transport/ibrc/ibrc.cpp:1775-1786\n", text)
        text = self.found("env", "--from-nccl", "nccl_async_error_handling")
        self.assertIn("NVSHMEM has no counterpart\n", text)
        self.assertIn("no run-time name of 3.4.5 contains ASYNC\n", text)
        value = self.found_json("shmemlore.env/1", "env", "--json", "--from-nccl", "NCCL_DEBUG")
        self.assertEqual([row["name"] for row in value["variables"]][:1], ["NVSHMEM_DEBUG"])
        self.fails(1, "nothing is known of NCCL's", "env", "--from-nccl", "NCCL_NOTHING")

    def test_every_row_of_the_map_is_answered(self):
        for line in (ROOT / "evidence/nccl-map.tsv").read_text().splitlines()[1:]:
            name, counterparts = line.split("\t")[:2]
            value = self.found_json("shmemlore.env/1", "env", "--json", "--from-nccl", name)
            told = [row["name"] for row in value["variables"]]
            self.assertEqual(sorted(told), [] if counterparts == "none" else sorted(counterparts.split(",")))

    def test_the_map_cites_every_reader(self):
        """Of each variable of a row: a line of each library, bootstrap and transport that uses it in 3.4.5."""
        used = {}
        for line in (ROOT / "evidence/env.tsv").read_text().splitlines()[2:]:
            columns = line.split("\t")
            if columns[1] == "run" and columns[10] == "source" and columns[6] != "-":
                used[columns[0]] = [reader for reader in columns[6].split(",") if reader != "perftest"]
        places = {"host": "src/host/", "bootstrap": "src/modules/bootstrap/", "transport": "src/modules/transport/"}
        checked = 0
        for line in (ROOT / "evidence/nccl-map.tsv").read_text().splitlines()[1:]:
            name, counterparts, note, evidence = line.split("\t")
            cited = re.findall(r"nvshmem:([^: ]+):", evidence)
            for variable in set(re.findall(r"NVSHMEM_\w+", counterparts + " " + note)) if cited else ():
                for reader in used.get(variable, ()):
                    kind, _, module = reader.partition(":")
                    folder = places.get(kind, kind + "/")
                    fits = (folder + module, folder + "common/") if module else (folder,)
                    self.assertTrue(any(path.startswith(fits) for path in cited), f"{name}: {variable}, {reader}")
                    checked += 1
        self.assertGreater(checked, 80)

    def test_near_misses_and_lists(self):
        self.fails(1, "near it: NVSHMEM_SYMMETRIC_SIZE", "env", "NVSHMEM_SYMETRIC_SIZE")
        self.fails(1, "--from-nccl", "env", "NCCL_IB_HCA")
        self.assertIn("NVSHMEM_IB_GID_INDEX\n", self.found("env", "IB_*"))
        self.assertNotIn("NVSHMEM_IB_TIMEOUT\n", self.found("env", "--release", "3.4.5", "NVSHMEM_IB_*"))
        self.assertIn("NVSHMEM_IB_TIMEOUT\n", self.found("env", "--release", "3.8.0", "NVSHMEM_IB_*"))

    def test_every_budget_is_kept(self):
        for budget in (256, 1000, 4096):
            self.assertLessEqual(len(self.found("env", "--budget", str(budget), "NVSHMEM_SYMMETRIC_SIZE")), budget)


class Names(Case):
    """verify's rules name-unknown, name-owner and generated-table."""

    def setUp(self):
        super().setUp()
        self.root = self.dir / "root"
        self.write("root/skills/nvshmem/SKILL.md", "---\nname: nvshmem\ndescription: D\n---\n# S\n\nWords.\n")
        self.write("root/evidence/sources.yaml", "sources:\n  nvshmem:\n    title: T\n"
                   f"    repository: https://example.org/n\n    tag: v2.0-0\n    commit: {COMMIT}\n    licence: MIT\n"
                   "    paths: [src/]\n")
        self.write("root/evidence/symbols.tsv", SYMBOLS + "".join(sorted([
            symbol("nvshmem_float_put"), symbol("nvshmem_quiet"), symbol("nvshmemx_putmem_block"),
            symbol("nvshmemx::tile_put"),
            symbol("nvshmemi_quiet", "nvshmem-internal"), symbol("nvshmem_inside", "nvshmem-internal")])))
        self.write("root/evidence/signatures.tsv", "name\tfirst\tlast\tsignature\n")
        self.write("root/evidence/packages.tsv", PACKAGES + "p\t2.0\tf\t1\tx\n")
        self.write("root/evidence/env.tsv", "shmemlore-env 1\n# releases 2.0\n"
                   "NVSHMEM_SIZE\trun\tint\t1\tC\thost\thost\tinit\t2.0\t2.0\tobserved\t-\t-\n"
                   "NVSHMEM_WITH_X\tbuild\tbool\t-\tC\tcmake\tcmake\tconfigure\t-\t-\tobserved\t-\t-\n")
        self.write("root/evidence/usage.tsv", USAGE + "deepep\tnvshmem_quiet\tcall\tc\t-\t\t\t1\ta.cu:1\n"
                   "deepep\tnvshmemi_own\tdefinition\tc\tproject\t\t\t1\ta.cu:1\n")

    def faults(self, text):
        self.write("root/" + PAGE, FRONT + text)
        done = self.run_it("verify", "--json", "--root", str(self.root))
        return [(fault["rule"], fault["line"]) for fault in json.loads(done.stdout)["faults"]
                if fault["rule"].startswith(("name-unknown", "name-owner", "generated"))]

    def test_names(self):
        good = ["nvshmem_quiet", "nvshmem_quiet()", "nvshmem_TYPE_put", "nvshmem_*_put", "nvshmemx_putmem_{block}",
                "NVSHMEM_SIZE", "NVSHMEM_SIZE=1", "NVSHMEM_*", "NVSHMEM_", "NVSHMEM_WITH_X", "nvshmem_host.h",
                "libnvshmem_host.so.3", "nvshmem.core", "nvshmem", "nvshmem_thing failed badly", "-DNVSHMEM_SIZE=1",
                "nvshmem_quiet(a, b)", "include/nvshmem_x/y.h", "nvshmemx::tile_put", "nvshmemx::tile_*", "a/nvshmem_b",
                "nvshmem_b/", "x.nvshmem_quiet", "-DNVSHMEM_WITH_X", "nvshmem_quiet/nvshmem_float_put", "nvshmem_b.so.3",
                "cmake -DNVSHMEM_WITH_X=1 .", "nvshmem_b-1.2/", "nvshmem_quiet/…", "nvshmem_quiet/fence", "-D_NVSHMEM_NOT"]
        for name in good:
            self.assertEqual(self.faults(f"Use `{name}` (advice).\n"), [], name)
        bad = ["nvshmem_quit", "nvshmem_quit()", "nvshmem_TYPE_get", "nvshmemx_putmem_{block,warp}", "NVSHMEM_SIZ",
               "NVSHMEM_SIZ=1", "nvshmem_x_*", "nvshmem_quit(a, b)", "f(nvshmem_quit)", "nvshmemx::unknown", "-DNVSHMEM_NOT=1",
               "nvshmemx::til_*", "-DNVSHMEM_NOT", "cmake -DNVSHMEM_NOT=1 .", "x.nvshmem_unknown", "x->nvshmem_unknown",
               "nvshmem_unknown/nvshmem_quiet", "nvshmem_quiet/nvshmem_unknown", "nvshmem_unknown/…", "nvshmem_unknown…",
               "…nvshmem_unknown", "nvshmem_unknown(…)", "nvshmem_unknown/quiet", "nvshmem_unknown...",
               "nvshmem_…_unknown", "x.nvshmem_unknown(a, b)"]
        for name in bad:
            self.assertEqual(self.faults(f"Use `{name}` (advice).\n"), [("name-unknown", 12)], name)
        self.assertEqual(self.faults("Use `nvshmem_quit` (no such name) (advice).\n"), [])
        self.assertEqual(self.faults("```\nnvshmem_quit\n```\n"), [])

    def test_owners(self):
        cases = [("`nvshmemi_quiet` (internal)", []), ("`nvshmemi_own` (project: deepep)", []),
                 ("`nvshmem_inside` (internal)", []), ("`nvshmemi_own` (internal)", ["name-owner"]),
                 ("`nvshmem_inside`", ["name-owner"]), ("`nvshmem_quiet` (internal)", ["name-owner"]),
                 ("`nvshmemi_quiet` (project: deepep)", ["name-owner"]),
                 ("`nvshmemi_own` (project: other)", ["name-owner"]), ("`nvshmemi_own`", ["name-owner"]),
                 ("`nvshmem_quiet` (no such name)", ["name-owner"]),
                 ("`nvshmem_inside` (internal) and again `nvshmem_inside`", [])]
        for text, expected in cases:
            self.assertEqual([rule for rule, _ in self.faults(f"Use {text} (advice).\n")], expected, text)

    def test_a_name_of_the_sources_needs_their_citation(self):
        self.assertEqual(self.faults("Calls `nvshmemi_hidden` (internal) `nvshmem:src/a.c:1`.\n"), [])
        self.assertEqual(self.faults("Calls `nvshmemi_hidden` (internal) (advice).\n"), [("name-unknown", 12)])

    def test_tables(self):
        table = ("| name | owner | releases | used by | read |\n|---|---|---|---|---|\n"
                 "| `nvshmem_quiet` | nvshmem | <=1.0 | deepep |  |\n")
        self.assertEqual(self.faults(f"<!-- generated: used device -->\n\n{table}\n<!-- end -->\n"), [])
        self.assertEqual(self.faults("<!-- generated: used device -->\n\n" + table.replace("deepep", "nobody") +
                                     "\n<!-- end -->\n"), [("generated-table", 16)])
        self.assertEqual(self.faults("<!-- generated: used device -->\n\n"), [("generated-table", 12)])
        self.assertEqual(self.faults("<!-- generated: nothing -->\n<!-- end -->\n"), [("generated-table", 12)])
        (self.root / "evidence/symbols.tsv").unlink()
        self.assertEqual(self.faults(f"<!-- generated: used device -->\n\n{table}\n<!-- end -->\n"),
                         [("generated-table", 12)])

    def test_index_tables_mends(self):
        self.faults("<!-- generated: used device -->\n<!-- end -->\n")
        helper = os.environ.get("SHMEMLORE_INDEX")
        if not helper:
            self.skipTest("SHMEMLORE_INDEX names no helper")
        check = [helper, "tables", "--root", str(self.root), "--check"]
        self.assertEqual(subprocess.run(check, stdout=subprocess.DEVNULL, check=False).returncode, 1)
        self.assertEqual(subprocess.run(check[:-1], stdout=subprocess.DEVNULL, check=False).returncode, 0)
        self.assertEqual(subprocess.run(check, stdout=subprocess.DEVNULL, check=False).returncode, 0)
        text = (self.root / PAGE).read_text()
        self.assertIn("| `nvshmem_quiet` | nvshmem | <=1.0 | deepep |  |\n", text)
        self.assertEqual(self.faults(text[len(FRONT):]), [])

    def test_a_table_that_was_cut_or_changed(self):
        """Each table, by each reader: one byte, one line, the half of it, its sum."""
        evidence = self.root / "evidence"
        self.write("root/evidence/nccl-map.tsv", "shmemlore-nccl 1\nNCCL_X\tnone\tNo such thing.\tabsent:XYZ\n")
        self.write("root/evidence/env-observed.tsv", "host\tNVSHMEM_SIZE\t2.0\t2.0\n")
        names = sorted(path.name for path in evidence.glob("*.tsv"))
        self.assertEqual(len(names), 7)

        def rules():
            self.write("root/" + PAGE, FRONT)
            done = self.run_it("verify", "--json", "--root", str(self.root))
            return [(f["rule"], f["file"]) for f in json.loads(done.stdout)["faults"] if f["rule"].startswith("table")]

        self.assertEqual(rules(), [("table-sums", "evidence/SHA256SUMS")])
        sums = subprocess.run(["sha256sum", *names], cwd=evidence, capture_output=True, check=True).stdout
        (evidence / "SHA256SUMS").write_bytes(sums)
        self.assertEqual(rules(), [])
        self.found("symbol", "--kb", str(self.root), "nvshmem_quiet")
        for name in names:
            whole = (evidence / name).read_bytes()
            lines = whole.splitlines(keepends=True)
            for bad in (whole[:-1], b"".join(lines[:-1]), whole[:len(whole) // 2], whole.replace(b"2.0", b"2.1")):
                if bad == whole:
                    continue
                (evidence / name).write_bytes(bad)
                self.assertEqual(rules(), [("table-form", f"evidence/{name}")], bad)
                if name != "env-observed.tsv":
                    self.fails(2, f"evidence/{name} is not what evidence/SHA256SUMS says", "symbol", "--kb", str(self.root),
                               "nvshmem_quiet")
                if name in ("env.tsv", "nccl-map.tsv"):  # no entry of the lock goes because its table was cut
                    self.fails(2, f"evidence/{name} is not what", "verify", "--update", "--root", str(self.root))
            (evidence / name).write_bytes(whole)
        (evidence / "SHA256SUMS").write_bytes(b"".join(sums.splitlines(keepends=True)[1:]))
        self.assertEqual(rules(), [("table-form", f"evidence/{names[0]}")])

    def test_a_table_of_another_form(self):
        self.write("root/evidence/usage.tsv", "x\n")
        self.write("root/" + PAGE, FRONT)
        done = self.run_it("verify", "--json", "--root", str(self.root))
        self.assertIn("table-form", [fault["rule"] for fault in json.loads(done.stdout)["faults"]])


if __name__ == "__main__":
    run_tests(sys.modules[__name__], Case)
