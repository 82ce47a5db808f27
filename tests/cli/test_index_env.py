#!/usr/bin/env python3
"""`shmemlore index env`: a small tree with traps and its packages; then, where the
pinned NVSHMEM tree and the package of its release are in the cache, the table of
this repository against them.

usage: test_index_env.py HELPER [TEST...]
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from gitfixture import main_tap

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

SOURCES = """sources:
  nvshmem:
    title: The library
    repository: https://example.invalid/own/x
    tag: v3.4.5-0
    commit: 2222222222222222222222222222222222222222
    licence: MIT
    paths: [src/]
"""

INTERNAL = """#ifndef NVSHMEM_ENV_DEFS_INTERNAL
#define NVSHMEM_ENV_DEFS_INTERNAL
#include <stdlib.h>
enum categories { NVSHMEMI_ENV_CAT_OTHER, NVSHMEMI_ENV_CAT_HIDDEN };
typedef int nvshmemi_env_int;
typedef size_t nvshmemi_env_size;
typedef bool nvshmemi_env_bool;
typedef const char *nvshmemi_env_string;
#define KILO 1024
#endif
"""

# a default by macro and arithmetic, one by joined strings, one compiled out, one
# in a comment, one by a macro of its own
HOST = """#include "bootstrap_host_transport/env_defs_internal.h"
#include "non_abi/nvshmem_build_options.h"
#ifdef NVSHMEMI_ENV_DEF
NVSHMEMI_ENV_DEF(SIZE, size, (size_t)(4 * KILO),
                 NVSHMEMI_ENV_CAT_OTHER, "a, (b) \\"c\\"")
NVSHMEMI_ENV_DEF(NAME_OF_FILE, string, "a" "." MADE, NVSHMEMI_ENV_CAT_OTHER, "")
// NVSHMEMI_ENV_DEF(GONE, int, 1, NVSHMEMI_ENV_CAT_OTHER, "")
NVSHMEMI_ENV_DEF(BOTH_KNOW, bool, 1, NVSHMEMI_ENV_CAT_HIDDEN, "")
#define ONE_MORE(x) NVSHMEMI_ENV_DEF(MORE_##x, int, -x, NVSHMEMI_ENV_CAT_HIDDEN, "")
ONE_MORE(7)
#undef ONE_MORE
#if defined(NEVER) || defined(NVSHMEM_ENV_ALL)
NVSHMEMI_ENV_DEF(LEFT_OUT, int, 0, NVSHMEMI_ENV_CAT_OTHER, "")
#endif
#endif
"""
TRANSPORT = """#include "bootstrap_host_transport/env_defs_internal.h"
#ifdef NVSHMEMI_ENV_DEF
NVSHMEMI_ENV_DEF(BOTH_KNOW, bool, 1, NVSHMEMI_ENV_CAT_HIDDEN, "")
NVSHMEMI_ENV_DEF(WIRE_SPEED, int, 3, NVSHMEMI_ENV_CAT_OTHER, "")
NVSHMEMI_ENV_DEF(WIRE_COLOUR, string, "", NVSHMEMI_ENV_CAT_OTHER, "")
#endif
"""
BOOTSTRAP = """#include "bootstrap_host_transport/env_defs_internal.h"
#ifdef NVSHMEMI_ENV_DEF
NVSHMEMI_ENV_DEF(SOCKET_NAME, string, "x", NVSHMEMI_ENV_CAT_OTHER, "")
#endif
"""
IBRC = """#include "wire_common.h"
int nvshmemt_init(state *s) {
    nvshmemi_env_options_init(s->options);
    if (s->options->WIRE_SPEED_provided) return getenv("OTHERS_VARIABLE") != 0;
    return 0; /* options->WIRE_COLOUR, getenv("IN_COMMENT") */
}
"""
COMMON = """static int speed(options_t *options) { return options->BOTH_KNOW; }
"""
INIT = """void f(const char *name) {
    nvshmemi_env_options_init(&nvshmemi_options);
    use(nvshmemi_options.SIZE, nvshmemi_options.NAME_OF_FILE, other.MORE_7);
    getenv(name);
    const char *text = "getenv(\\"IN_STRING\\")";
    setenv("SET_VARIABLE", "1", 1);
}
"""
# the value goes into a number at once, through a variable, in another function (not), after another value (not)
NUMBERS = """int f(void) {
    int a = atoi(getenv("INT_AT_ONCE"));
    const char *p;
    if ((p = (const char *)getenv("INT_LATER"))) {
        use(p, 1);
        a = (int)strtol(p, NULL, 10);
    }
    p = getenv("TEXT_ONLY");
    p = getenv("LONG_HERE");
    return a + std::stoul(p);
}
int g(void) {
    char *p = getenv("TEXT_OF_G"), *q = getenv("SHARE");
    float share = q ? atof(q) : 0;
    return p != 0;
}
int h(char *p) { return atoi(p); }
"""
TOOLS = '''import os
rank = int(os.environ["LOCAL"])
if "NVSHMEM_TOOL" in os.environ: pass
os.environ["ONLY_SET"] = os.environ.get("WITH_DEFAULT", "7")
os.environ.update({"UPDATED": "1"}); del os.environ["GONE"]
other = {"NO_VARIABLE": os.environ[key]}
x = environment["NOT_THIS"]; y = "NOR_THIS" in other
'''
SETUP = "import os\nos.environ['BUILT'] = os.getenv('BUILT_WITH')\n"
PYTHON = '''import os
"""os.environ.get("IN_TEXT")"""
level = os.environ.get("NVSHMEM_SIZE")
other = os.environ["PY_OTHER"]
'''
CMAKE = """# nvshmem_add_default_on_option(NVSHMEM_NOT "")
nvshmem_add_default_on_option(NVSHMEM_SIZE "Same name, another thing")
nvshmem_add_default_environment_path(X_HOME "/usr/x" "path")
set(A $ENV{PLAIN})
option(CHOICE "words" $ENV{CHOICE})
if (DEFINED ENV{Y_HOME})
  set(Y_HOME_DEFAULT $ENV{Y_HOME})
else()
  set(Y_HOME_DEFAULT "/usr/y")
endif()
nvshmem_add_default_off_option(TWICE "")
nvshmem_add_default_on_option(TWICE "")
nvshmem_add_default_environment_path(EMPTY_PATH "" "words")
"""

TREE = {
    "src/include/bootstrap_host_transport/env_defs_internal.h": INTERNAL,
    "src/include/host/env/env_defs.h": HOST,
    "src/modules/transport/common/env_defs.h": TRANSPORT,
    "src/modules/bootstrap/common/env_defs.h": BOOTSTRAP,
    "src/modules/transport/ibrc/ibrc.cpp": IBRC,
    "src/modules/transport/common/wire_common.h": COMMON,
    "src/host/init.cpp": INIT,
    "nvshmem4py/nvshmem/core/a.py": PYTHON,
    "nvshmem4py/setup.py": SETUP,
    "nvshmem4py/examples/a.py": TOOLS,
    "perftest/a.py": "import os\nx = os.environ['LOCAL']\n",
    "src/host/numbers.cpp": NUMBERS,
    "cmake_config/E.cmake": CMAKE,
    "perftest/a.cu": 'int x = getenv("NVSHMEM_PERF") != 0;\n',
}

H, T = "libnvshmem_host.so.3", "nvshmem_transport_ibrc.so.3"
# NAME_OF_FILE stands in the tail of a longer name; 3.8.0 has two new ones, one in
# each table, and a message
STRINGS = {
    "3.4.5": [(H, "whole", "SIZE"), (H, "whole", "LONG_NAME_OF_FILE"),
              (H, "whole", "BOTH_KNOW"), (H, "whole", "MORE_7"),
              (H, "inside", "NVSHMEM_SIZE"), (H, "inside", "NVSHMEM_INIT"),
              (T, "whole", "BOTH_KNOW"), (T, "whole", "WIRE_SPEED"),
              (T, "whole", "WIRE_COLOUR"), (T, "tail", "OTHERS_VARIABLE")],
    "3.8.0": [(H, "whole", "UNRELATED"), (H, "whole", "BOTH_KNOW"), (H, "whole", "AF_INET"),
              (H, "whole", "BRAND_NEW"), (H, "whole", "MORE_7"), (H, "whole", "SIZE"),
              (T, "whole", "BOTH_KNOW"), (T, "whole", "WIRE_WIDTH"),
              (T, "whole", "WIRE_COLOUR")],
}
OBSERVED = "nvshmem_transport_ibrc\tNVSHMEM_{}\t3.4.5\t{}\n"


class Env(unittest.TestCase):
    helper = ""  # main_tap() sets it
    maxDiff = None

    def setUp(self):
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="sl-env-"))
        self.addCleanup(shutil.rmtree, self.dir, ignore_errors=True)
        self.write("evidence/sources.yaml", SOURCES)
        self.write("evidence/env-observed.tsv", "")
        self.env = {k: v for k, v in os.environ.items()
                    if k.endswith("SAN_OPTIONS") or k in ("PATH", "LD_LIBRARY_PATH")}
        self.env["SHMEMLORE_CACHE"] = str(self.dir / "cache")
        for path, text in TREE.items():
            self.write("tree/" + path, text)
        for release, rows in STRINGS.items():
            folder = f"cache/packages/nvidia-nvshmem-cu13-{release}/"
            self.write(folder + "lib/strings.tsv", "".join("\t".join(r) + "\n" for r in rows))
            self.write(folder + "include/non_abi/nvshmem_build_options.h", '#define MADE "so"\n')

    def write(self, path, text):
        (self.dir / path).parent.mkdir(parents=True, exist_ok=True)
        (self.dir / path).write_text(text)

    def run_it(self, *args, root=None, env=None):
        return subprocess.run(
            [self.helper, "env", "--root", str(root or self.dir), *map(str, args)],
            env=env or self.env, text=True, capture_output=True, timeout=120)

    def table(self, *args, code=0):
        done = self.run_it("--tree", f"nvshmem={self.dir}/tree", *args)
        self.assertEqual(done.stderr, "")
        self.assertEqual(done.returncode, code, done.stdout)
        self.report = done.stdout
        lines = (self.dir / "evidence/env.tsv").read_text().splitlines()
        self.head = lines[:2]
        rows = [line.split("\t") for line in lines[2:]]
        return {(row[0], row[1]): row[2:] for row in rows}

    def test_values_come_from_the_front_end(self):
        rows = self.table()
        self.assertEqual(rows["NVSHMEM_SIZE", "run"][:3], ["size", "4096", "OTHER"])
        self.assertEqual(rows["NVSHMEM_NAME_OF_FILE", "run"][:2], ["string", "a.so"])
        self.assertEqual(rows["NVSHMEM_MORE_7", "run"][:3], ["int", "-7", "HIDDEN"])
        self.assertEqual(rows["NVSHMEM_BOTH_KNOW", "run"][:2], ["bool", "true"])
        self.assertEqual(rows["NVSHMEM_WIRE_COLOUR", "run"][1], '""')
        self.assertNotIn(("NVSHMEM_GONE", "run"), rows)

    def test_lines_of_the_definitions(self):
        rows = self.table()
        self.assertEqual(rows["NVSHMEM_BOTH_KNOW", "run"][9],
                         "nvshmem:src/include/host/env/env_defs.h:8 "
                         "nvshmem:src/modules/transport/common/env_defs.h:3")
        self.assertEqual(rows["NVSHMEM_MORE_7", "run"][9],
                         "nvshmem:src/include/host/env/env_defs.h:10")

    def test_readers_users_and_times(self):
        rows = self.table()
        self.assertEqual(rows["NVSHMEM_SIZE", "run"][3:6],
                         ["host,nvshmem4py", "host,nvshmem4py", "init"])
        self.assertEqual(rows["NVSHMEM_MORE_7", "run"][3:5], ["host", "-"])
        self.assertIn("no line uses", rows["NVSHMEM_MORE_7", "run"][10])
        self.assertEqual(rows["NVSHMEM_WIRE_SPEED", "run"][3:6],
                         ["transport:ibrc", "transport:ibrc", "transport-load"])
        self.assertEqual(rows["NVSHMEM_WIRE_COLOUR", "run"][4], "-")
        # by the header that ibrc includes
        self.assertEqual(rows["NVSHMEM_BOTH_KNOW", "run"][3:6],
                         ["host,transport:ibrc", "transport:ibrc", "init,transport-load"])
        # nobody fills the bootstraps' table
        self.assertEqual(rows["NVSHMEM_SOCKET_NAME", "run"][3], "-")

    def test_direct_calls(self):
        rows = self.table()
        self.assertEqual(rows["OTHERS_VARIABLE", "foreign"][3], "transport:ibrc")
        self.assertEqual(rows["OTHERS_VARIABLE", "foreign"][6:8], ["<=3.4.5", "3.4.5"])
        self.assertEqual(rows["SET_VARIABLE", "foreign"][3], "-")
        self.assertEqual(rows["SET_VARIABLE", "foreign"][10], "set by NVSHMEM")
        self.assertEqual(rows["PY_OTHER", "foreign"][3], "nvshmem4py")
        self.assertEqual(rows["NVSHMEM_PERF", "tool"][3], "perftest")
        names = {name for name, _ in rows}
        self.assertFalse(names & {"IN_COMMENT", "IN_STRING", "IN_TEXT"})
        self.assertIn("no literal name: src/host/init.cpp:4", self.report)

    def test_build_options_are_kept_apart(self):
        rows = self.table()
        self.assertEqual(rows["NVSHMEM_SIZE", "build"][:2], ["bool", "ON"])
        self.assertEqual(rows["X_HOME", "build"][:2], ["path", "/usr/x"])
        self.assertIn(("PLAIN", "build"), rows)
        self.assertNotIn(("NVSHMEM_NOT", "build"), rows)
        self.assertEqual(rows["CHOICE", "build"][:2], ["bool", "OFF"])
        self.assertEqual(rows["Y_HOME", "build"][:2], ["path", "/usr/y"])
        self.assertEqual(rows["EMPTY_PATH", "build"][:2], ["path", '""'])
        self.assertEqual(rows["TWICE", "build"][:2] + rows["TWICE", "build"][10:],
                         ["bool", "OFF", "another default where other options are set"])
        self.assertEqual(rows["PLAIN", "build"][:2], ["-", "-"])
        self.assertEqual(rows["INT_LATER", "foreign"][10], "compiled out of the shipped libraries")

    def test_gates_by_strings(self):
        rows = self.table()
        self.assertEqual(self.head, ["shmemlore-env 1", "# releases 3.4.5 3.8.0"])
        gate = {name: rows[name, "run"][6:8] for name, kind in rows if kind == "run"}
        self.assertEqual(gate["NVSHMEM_BOTH_KNOW"], ["<=3.4.5", "3.8.0"])
        self.assertEqual(gate["NVSHMEM_NAME_OF_FILE"], ["<=3.4.5", "3.4.5"])
        self.assertEqual(gate["NVSHMEM_WIRE_SPEED"], ["<=3.4.5", "3.4.5"])
        self.assertEqual(gate["NVSHMEM_LEFT_OUT"], ["-", "-"])
        self.assertIn("compiled out", rows["NVSHMEM_LEFT_OUT", "run"][10])

    def test_names_that_only_libraries_know(self):
        rows = self.table()
        row = rows["NVSHMEM_BRAND_NEW", "run"]
        self.assertEqual(row[3:], ["host", "-", "unknown", "3.8.0", "3.8.0", "binary", "-", "-"])
        self.assertEqual(rows["NVSHMEM_WIRE_WIDTH", "run"][3], "transport:ibrc")
        self.assertNotIn(("NVSHMEM_UNRELATED", "run"), rows)
        self.assertNotIn(("NVSHMEM_AF_INET", "run"), rows)

    def test_observed_beats_strings(self):
        self.write("evidence/env-observed.tsv", "".join(
            OBSERVED.format(name, last) for name, last in
            [("BOTH_KNOW", "3.8.0"), ("WIRE_SPEED", "3.8.0"), ("WIRE_COLOUR", "3.4.5")]) +
            "nvshmem_transport_ibrc\tNVSHMEM_WIRE_HEIGHT\t3.8.0\t3.8.0\n")
        rows = self.table()
        # its string is in 3.8.0, but nothing asks for it
        self.assertEqual(rows["NVSHMEM_WIRE_COLOUR", "run"][6:8], ["<=3.4.5", "3.4.5"])
        self.assertEqual(rows["NVSHMEM_WIRE_SPEED", "run"][7], "3.8.0")
        self.assertEqual(rows["NVSHMEM_WIRE_HEIGHT", "run"][5:9],
                         ["transport-load", "3.8.0", "3.8.0", "observed"])
        self.assertIn("asked for when run: 3 of 3", self.report)

    def test_a_later_tree(self):
        """A development state beside the release: what it says otherwise goes into notes, with its lines."""
        later = "4" * 40
        self.write("evidence/sources.yaml", SOURCES + SOURCES.split("\n", 1)[1].replace("nvshmem:", "nvshmem-dev:").replace(
            "v3.4.5-0", "2026-01-01").replace("2" * 40, later))
        done = self.run_it("--tree", f"nvshmem={self.dir}/tree")
        self.assertEqual((done.returncode, "nvshmem-dev" in done.stderr), (2, True), done.stderr)
        folder = f"cache/sources/nvshmem-dev-{later}/"
        for path, text in TREE.items():
            self.write(folder + path, text.replace("(size_t)(4 * KILO)", "(size_t)(8 * KILO)").replace(
                'string, "a" "." MADE', 'string, ""').replace("ONE_MORE(7)", "ONE_MORE(7)\nNVSHMEMI_ENV_DEF(BRAND_NEW, bool, 1, "
                'NVSHMEMI_ENV_CAT_OTHER, "")\nNVSHMEMI_ENV_DEF(OF_NO_RELEASE, int, 1, NVSHMEMI_ENV_CAT_OTHER, "")'))
        rows = self.table()
        words = "in the development tree nvshmem-dev"
        line = "nvshmem-dev:src/include/host/env/env_defs.h:"
        self.assertEqual(rows["NVSHMEM_SIZE", "run"][1], "4096")
        self.assertEqual(rows["NVSHMEM_SIZE", "run"][10], f"default 8192 {words}")
        self.assertIn(line + "4", rows["NVSHMEM_SIZE", "run"][9].split())
        self.assertEqual(rows["NVSHMEM_NAME_OF_FILE", "run"][10], f'default "" {words}')
        brand_new = rows["NVSHMEM_BRAND_NEW", "run"]
        self.assertEqual([brand_new[0], brand_new[8], brand_new[9], brand_new[10]],
                         ["-", "binary", line + "11", f"bool, default true {words}"])
        self.assertEqual(rows["NVSHMEM_BOTH_KNOW", "run"][10], "-")
        self.assertNotIn(("NVSHMEM_OF_NO_RELEASE", "run"), rows)

    def test_readers_of_every_release(self):
        """A row of the sources too: what 3.8.0's libraries asked for, the sources' readers for 3.4.5."""
        host = "libnvshmem_host\tNVSHMEM_{}\t{}\t{}\n"
        new = "nvshmem_transport_new\tNVSHMEM_{}\t3.8.0\t3.8.0\n"
        path = self.dir / "cache/packages/nvidia-nvshmem-cu13-3.8.0/lib/strings.tsv"
        path.write_text(path.read_text() + "nvshmem_transport_new.so.7\twhole\tBOTH_KNOW\n")
        self.write("evidence/env-observed.tsv", OBSERVED.format("BOTH_KNOW", "3.4.5") + OBSERVED.format("WIRE_SPEED", "3.8.0") +
                   OBSERVED.format("WIRE_COLOUR", "3.8.0") + host.format("BOTH_KNOW", "3.4.5", "3.8.0") +
                   host.format("SIZE", "3.4.5", "3.8.0") + host.format("MORE_7", "3.4.5", "3.4.5") +
                   host.format("NAME_OF_FILE", "3.4.5", "3.4.5") + host.format("WIRE_COLOUR", "3.8.0", "3.8.0") +
                   new.format("BOTH_KNOW"))
        rows = self.table()
        self.assertEqual(rows["NVSHMEM_BOTH_KNOW", "run"][3],
                         "host,transport:ibrc@3.4.5-3.4.5,transport:new@3.8.0-3.8.0")
        self.assertEqual(rows["NVSHMEM_WIRE_COLOUR", "run"][3], "host@3.8.0-3.8.0,transport:ibrc")
        self.assertEqual(rows["NVSHMEM_WIRE_COLOUR", "run"][5], "init,transport-load")
        self.assertEqual(rows["NVSHMEM_SIZE", "run"][3], "host,nvshmem4py")  # of Python nothing is known elsewhere
        self.assertEqual(rows["NVSHMEM_MORE_7", "run"][3], "host")  # in every release that has it

    def test_a_reader_by_its_string(self):
        """Of another library's variable a string tells, and only of a reader that the sources name."""
        path = self.dir / "cache/packages/nvidia-nvshmem-cu13-3.8.0/lib/strings.tsv"
        path.write_text(path.read_text() + f"{H}\twhole\tOTHERS_VARIABLE\n")
        row = self.table()["OTHERS_VARIABLE", "foreign"]
        self.assertEqual([row[3], row[6], row[7]], ["transport:ibrc~3.4.5-3.4.5", "<=3.4.5", "3.8.0"])

    def test_numbers(self):
        rows = self.table()
        types = {name: row[0] for (name, kind), row in rows.items() if kind == "foreign"}
        self.assertEqual({name: types[name] for name in ("INT_AT_ONCE", "INT_LATER", "TEXT_ONLY", "LONG_HERE", "TEXT_OF_G")},
                         {"INT_AT_ONCE": "int", "INT_LATER": "long", "TEXT_ONLY": "string", "LONG_HERE": "long",
                          "TEXT_OF_G": "string"})
        self.assertEqual(types["SHARE"], "float")

    def test_python_everywhere(self):
        rows = self.table()
        place = "nvshmem:nvshmem4py/examples/a.py:"
        self.assertEqual(rows["LOCAL", "tool"],
                         ["int", "-", "-", "examples,perftest", "examples,perftest", "start", "-", "-", "source",
                          place + "2 nvshmem:perftest/a.py:2", "-"])
        self.assertEqual(rows["NVSHMEM_TOOL", "tool"][9], place + "3")
        self.assertEqual(rows["WITH_DEFAULT", "tool"][:2], ["string", "7"])
        for name in ("ONLY_SET", "UPDATED", "GONE"):
            self.assertEqual(rows[name, "tool"][3:5] + rows[name, "tool"][10:], ["-", "-", "set by the program"], name)
        self.assertEqual(rows["BUILT_WITH", "build"][3:6], ["nvshmem4py-build", "nvshmem4py-build", "configure"])
        self.assertEqual(rows["BUILT", "build"][3], "-")
        self.assertFalse({name for name, _ in rows} & {"NO_VARIABLE", "NOT_THIS", "NOR_THIS"})

    def test_a_name_that_no_row_explains_is_a_finding(self):
        path = "cache/packages/nvidia-nvshmem-cu13-3.4.5/lib/strings.tsv"
        with open(self.dir / path, "a") as file:
            file.write(f"{H}\tinside\tNVSHMEM_MYSTERY\n")
        self.table(code=1)
        self.assertIn("no variable: NVSHMEM_MYSTERY in 3.4.5", self.report)

    def test_a_row_without_its_string_is_a_finding(self):
        path = self.dir / "cache/packages/nvidia-nvshmem-cu13-3.4.5/lib/strings.tsv"
        path.write_text(path.read_text().replace(f"{T}\twhole\tBOTH_KNOW\n", ""))
        self.table(code=1)
        self.assertIn(f"not in the library: NVSHMEM_BOTH_KNOW, {T}", self.report)

    def test_check_writes_nothing(self):
        self.table()
        path = self.dir / "evidence/env.tsv"
        done = self.run_it("--tree", f"nvshmem={self.dir}/tree", "--check")
        self.assertEqual(done.returncode, 0, done.stdout)
        path.write_text(path.read_text() + "x\n")
        done = self.run_it("--tree", f"nvshmem={self.dir}/tree", "--check")
        self.assertEqual(done.returncode, 1)
        self.assertTrue(path.read_text().endswith("x\n"))

    def test_faults(self):
        tree = f"nvshmem={self.dir}/tree"
        one = self.dir / "cache/packages/nvidia-nvshmem-cu13-3.8.0"
        cases = [
            (["--tree", tree, "--package", one], "no package of release 3.4.5"),
            (["--tree", str(self.dir)], "takes nvshmem=DIR"),
            (["--tree", tree, "--package", self.dir / "none-1.2"], "none-1.2"),
            (["extra"], "no arguments"),
            (["--nothing"], "nothing"),
        ]
        for args, words in cases:
            done = self.run_it(*args)
            self.assertEqual(done.returncode, 2, args)
            self.assertIn(words, done.stderr)
        self.assertFalse((self.dir / "evidence/env.tsv").exists())
        (one / "lib/strings.tsv").write_text("not\ta row\n")
        done = self.run_it("--tree", tree)
        self.assertEqual(done.returncode, 2)
        self.assertIn("line 1", done.stderr)

    def test_a_table_that_does_not_compile_is_a_fault(self):
        self.write("tree/src/include/host/env/env_defs.h", HOST.replace("KILO", "NO_SUCH"))
        done = self.run_it("--tree", f"nvshmem={self.dir}/tree")
        self.assertEqual(done.returncode, 2)
        self.assertIn("NO_SUCH", done.stderr)


class Pinned(unittest.TestCase):
    """The committed table against the tree and package of release 3.4.5."""

    helper = ""

    def test_release_of_the_tree(self):
        env = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
        cache = pathlib.Path(env.get("SHMEMLORE_CACHE") or
                             env.get("XDG_CACHE_HOME", os.path.expanduser("~/.cache")) +
                             "/shmemlore")
        name = "packages/nvidia-nvshmem-cu13-3.4.5"
        packages = [at / name for at in (ROOT / ".deps", cache)
                    if (at / name / "lib/strings.tsv").exists()]
        if not packages or len(list(cache.glob("sources/nvshmem-*"))) < 2:  # the release's, and a later one
            self.skipTest("the pinned trees or the package of the release are absent")
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "env.tsv"
            done = subprocess.run(
                [self.helper, "env", "--root", str(ROOT), "--package", str(packages[0]),
                 "--output", str(out)], env=env, text=True, capture_output=True, timeout=120)
            self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
            fresh = self.rows(out)
        self.assertIn("asked for when run: 244 of 244", done.stdout)
        self.assertIn("rows: 53 of 56", done.stdout)
        self.assertIn("in a library: 97 of 98", done.stdout)
        committed = self.rows(ROOT / "evidence/env.tsv")
        self.assertEqual(fresh, {k: v for k, v in committed.items() if v[8] == "source"})

    @staticmethod
    def rows(path):
        """What one release can tell: no first and last, the readers of 3.4.5."""
        def in_gate(gate):
            first, last = ([int(part) for part in release.split(".")] for release in gate.split("-"))
            return first <= [3, 4, 5] <= last
        rows = [line.split("\t") for line in path.read_text().splitlines()[2:]]
        for row in rows:
            releases = [reader.replace("~", "@").partition("@") for reader in row[5].split(",")]
            row[5] = ",".join(name for name, _, gate in releases if not gate or in_gate(gate))
            row[7] = ""  # of the readers of all releases
        return {tuple(r[:2]): r[2:8] + ["", ""] + r[10:] for r in rows}


if __name__ == "__main__":
    Pinned.helper = os.path.abspath(sys.argv[1])
    main_tap(sys.modules[__name__], Env)
