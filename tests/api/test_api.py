#!/usr/bin/env python3
"""`shmemlore index api`: the committed tables against the two
provisioned NVSHMEM releases and against the tools of oracle.py, five names
checked by hand, whose is what, and headers made to mislead.

usage: test_api.py HELPER [TEST...]
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent / "cli"))

from gitfixture import main_tap  # noqa: E402

PACKAGES = [ROOT / ".deps" / "packages" / f"nvidia-nvshmem-cu13-{version}"
            for version in ("3.4.5", "3.8.0")]
NVCC = ROOT / ".deps" / "cuda" / "nvcc"

# read in the headers of 3.4.5 by eye: host declaration | device definition
BY_HAND = {
    "nvshmem_float_put": {
        "family": "nvshmem_TYPE_put", "owner": "nvshmem",
        "space": "host+device", "scope": "thread", "blocking": "blocking",
        "template": "host/nvshmem_api.h:206|device/nvshmem_defines.h:99",
        "instantiation": "host/nvshmem_api.h:209|device/nvshmem_defines.h:103",
        "typelist": "device_host/nvshmem_common.cuh:51",
        "signature":
            "void (float *dest, const float *source, size_t nelems, int pe)"},
    "nvshmem_int_sum_reduce": {
        "family": "nvshmem_TYPE_sum_reduce", "space": "host+device",
        "template":
            "host/nvshmem_coll_api.h:75|device/nvshmem_coll_defines.cuh:96",
        "instantiation":
            "host/nvshmem_coll_api.h:85|device/nvshmem_coll_defines.cuh:114",
        "typelist": "device_host/nvshmem_common.cuh:194", "blocking": "-"},
    "nvshmemx_putmem_signal_block": {
        "family": "nvshmemx_putmem_signal_SCOPE", "owner": "nvshmemx",
        "space": "device", "scope": "block", "blocking": "blocking",
        "template": "host/nvshmemx_api.h:312|device/nvshmemx_defines.h:128",
        "instantiation":
            "host/nvshmemx_api.h:317|device/nvshmemx_defines.h:136",
        "typelist": "-"},
    "nvshmem_uint64_wait_until": {
        "family": "nvshmem_TYPE_wait_until", "space": "device",
        "template": "host/nvshmem_api.h:365|device/nvshmem_defines.h:571",
        "instantiation": "host/nvshmem_api.h:367|device/nvshmem_defines.h:578",
        "typelist": "device_host/nvshmem_common.cuh:168"},
    "nvshmem_ulong_atomic_fetch_add": {
        "family": "nvshmem_TYPE_atomic_fetch_add",
        "template": "host/nvshmem_api.h:132|device/nvshmem_defines.h:760",
        "instantiation": "host/nvshmem_api.h:157|device/nvshmem_defines.h:779",
        "typelist": "host/nvshmem_api.h:95|device/nvshmem_defines.h:779"},
}

VERSION = """
#define NVSHMEM_VENDOR_MAJOR_VERSION 1
#define NVSHMEM_VENDOR_MINOR_VERSION 2
#define NVSHMEM_VENDOR_PATCH_VERSION 3
"""


def rows(text):
    lines = text.splitlines()
    header = lines[0].split("\t")
    return {line.split("\t")[0]: dict(zip(header, line.split("\t"),
                                          strict=True)) for line in lines[1:]}


class Api(unittest.TestCase):
    helper = None  # set by main_tap

    def setUp(self):
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="sl-api-"))
        self.addCleanup(shutil.rmtree, self.dir, ignore_errors=True)

    def run_it(self, *args):
        return subprocess.run([self.helper, *map(str, args)], text=True,
                              capture_output=True, timeout=120, cwd=ROOT,
                              check=False)

    def ok(self, *args, code=0):
        done = self.run_it(*args)
        self.assertEqual((done.returncode, done.stderr), (code, ""),
                         done.stdout[-2000:])
        return done.stdout

    def fails(self, *args, says=()):
        done = self.run_it(*args)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        for word in says:
            self.assertIn(word, done.stderr)

    def package(self, text, device="", name="fake-1.2.3"):
        """A folder with headers of our own."""
        folder = self.dir / name / "include"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "nvshmem.h").write_text(
            "#ifndef NVSHMEM_H_\n#define NVSHMEM_H_\n#include <cuda_runtime.h>"
            "\n#include \"nvshmemx.h\"\n" + text + VERSION + "#endif\n")
        (folder / "nvshmemx.h").write_text(
            "#ifndef NVSHMEMX_H_\n#define NVSHMEMX_H_\n" + device + "\n#endif\n")
        return folder.parent

    def table(self, package):
        return rows(self.ok("api", "--package", package, "--output", "-"))

    def provisioned(self):
        for package in PACKAGES:
            if not (package / "include" / "nvshmem.h").is_file():
                if os.environ.get("CI"):
                    self.fail(f"{package} is not there: deps/fetch-cuda")
                self.skipTest("tools/setup check has not provisioned NVSHMEM")

    # the releases

    def test_tables_are_what_the_headers_give(self):
        self.provisioned()
        args = [word for p in PACKAGES for word in ("--package", p)]
        said = self.ok("api", "--check", *args)
        self.assertRegex(said, r"^index api: 2 releases, \d+ names compared, "
                               r"\d+ whole records, 0 differences\n"
                               r"index api: \d{3} members compared, "
                               r"0 differences\n$")

    def test_oracles(self):
        self.provisioned()
        nvcc = ["--nvcc", NVCC] if NVCC.is_file() else []
        if os.environ.get("CI"):
            self.assertTrue(nvcc, "no nvcc: deps/fetch-cuda")
        done = subprocess.run([sys.executable, HERE / "oracle.py", self.helper,
                               *nvcc, *PACKAGES], text=True, check=False,
                              capture_output=True)
        for line in done.stdout.splitlines():
            print("# " + line)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("g++: 2977 of 2977 call-shaped names resolved",
                      done.stdout)

    def test_names_read_by_hand(self):
        committed = rows((ROOT / "evidence" / "symbols.tsv").read_text("utf-8"))
        for name, expected in BY_HAND.items():
            record = committed[name]
            self.assertEqual({k: record[k] for k in expected}, expected, name)
            self.assertEqual(record["release"], "3.4.5")

    def test_the_lines_say_it(self):
        """Every place of the two releases is a line with a piece of the name."""
        self.provisioned()
        for record in rows((ROOT / "evidence/symbols.tsv").read_text(
                "utf-8")).values():
            for package in PACKAGES:
                if package.name.endswith("-" + record["release"]):
                    self.check_lines(record, package / "include")

    cache = {}

    def line(self, folder, place):
        path, _, number = place.rpartition(":")
        key = folder / path
        if key not in self.cache:
            self.cache[key] = key.read_text("utf-8", "replace").split("\n")
        return self.cache[key][int(number) - 1]

    def check_lines(self, record, folder):
        own = record["name"].rpartition("::")[2]
        for place in record["template"].split("|"):
            if place != "-":
                self.assertIn("##" if own not in self.line(folder, place)
                              else own, self.line(folder, place), record)
        for place in record["typelist"].split("|"):
            words = own.split("_")
            if place != "-":
                text = self.line(folder, place)
                self.assertTrue(any(w.strip("putgeis") and w.strip("putgeis")
                                    in text for w in words), record)
        if record["template"] == "-":
            for place in record["instantiation"].split("|"):
                self.assertIn(own, self.line(folder, place), record)

    def test_owner_by_place(self):
        committed = rows((ROOT / "evidence" / "symbols.tsv").read_text("utf-8"))
        # DeepEP v1.2.1 defines all three; only one is NVSHMEM's too
        self.assertNotIn("nvshmemi_ibgda_put_nbi_warp", committed)
        self.assertNotIn("nvshmemi_get_p2p_ptr", committed)
        theirs = committed["nvshmemi_ibgda_quiet"]
        self.assertEqual(theirs["owner"], "nvshmem-internal")
        self.assertTrue(theirs["instantiation"].startswith("non_abi/"))
        for name, owner in {
                "NVSHMEM_CMP_EQ": "nvshmem",  # in device_host_transport/
                "NVSHMEMX_SUCCESS": "nvshmemx",  # in non_abi/
                "NVSHMEM_IBGDA_SUPPORT": "nvshmem-internal",  # a build option
                "threadgroup_t": "nvshmem-internal",
                "nvshmemi_device_state_d": "nvshmem-internal"}.items():
            self.assertEqual(committed[name]["owner"], owner, name)

    def test_check_finds_what_differs(self):
        self.provisioned()
        root = self.dir / "project"
        (root / "evidence").mkdir(parents=True)
        for name in ("symbols.tsv", "signatures.tsv", "packages.tsv",
                     "members.tsv"):
            shutil.copy(ROOT / "evidence" / name, root / "evidence" / name)
        self.check_finds_members(root)
        path = root / "evidence" / "symbols.tsv"
        lines = path.read_text("utf-8").splitlines(keepends=True)
        at = next(i for i, t in enumerate(lines)
                  if t.startswith("nvshmem_float_put\t"))
        with_fault = {
            "another record": lines[:at] + [lines[at].replace("api.h:206",
                                                              "api.h:207")]
            + lines[at + 1:],
            "only in the headers": lines[:at] + lines[at + 1:],
            "only in the table": lines[:at + 1] + [lines[at].replace(
                "nvshmem_float_put\t", "nvshmem_float_put0\t")]
            + lines[at + 1:],
        }
        for words, text in with_fault.items():
            path.write_text("".join(text), "utf-8")
            done = self.run_it("api", "--check", "--root", root, "--stubs",
                               ROOT / "stubs", "--package", PACKAGES[0])
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn(words, done.stdout)
        path.write_text("".join(lines[:at] + [lines[at]] + lines[at:]), "utf-8")
        self.fails("api", "--check", "--root", root, "--stubs", ROOT / "stubs",
                   "--package", PACKAGES[0], says=("names must ascend",))

    def check_finds_members(self, root):
        path = root / "evidence" / "members.tsv"
        text = path.read_text("utf-8")
        row = next(t for t in text.splitlines(keepends=True)
                   if t.startswith("nvshmemi_ibgda_device_qp\tqpn\t"))
        for words, other in (
                ("another place or type", row.replace("\t8\t4\t", "\t8\t2\t")),
                ("only in the headers", ""),
                ("only in the table",
                 row + row.replace("\tqpn\t", "\tqpn0\t"))):
            path.write_text(text.replace(row, other), "utf-8")
            done = self.run_it("api", "--check", "--root", root, "--stubs",
                               ROOT / "stubs", "--package", PACKAGES[0])
            self.assertEqual((done.returncode, done.stdout.count(words)),
                             (1, 1), done.stdout + done.stderr)
        path.write_text(text, "utf-8")

    # headers of our own

    def test_members(self):
        """Where the front end puts each, in typedefs of no name too."""
        package = self.package("""
typedef struct {
    int a;
    struct { char b; long c[2]; } in;
    union { int d; double e; };
    struct { short f; } many[3];
    unsigned g : 3;
    unsigned h : 5;
} nvshmemi_one_t;
typedef nvshmemi_one_t nvshmemi_alias_t;
typedef struct nvshmemi_two { nvshmemi_one_t one; int last; } nvshmemi_two;
typedef union { int i; char c; } nvshmemi_three_t;
typedef struct nvshmemi_unknown nvshmemi_unknown_t;
template <typename T> struct nvshmemi_of { T t; };
""")
        output = self.dir / "symbols.tsv"
        self.ok("api", "--package", package, "--output", output)
        lines = (self.dir / "members.tsv").read_text("utf-8").splitlines()
        members = {}
        for line in lines[1:]:
            name, member, first, last, *rest = line.split("\t")
            self.assertEqual((first, last), ("<=1.2.3", "-"))
            members[name.replace("nvshmemi_", ""), member] = rest
        self.assertEqual({k: v[:3] for k, v in members.items()}, {
            ("one_t", "-"): ["0", "48", "struct"],
            ("one_t", "a"): ["0", "4", "int"],
            ("one_t", "in"): ["8", "24", "{}"],
            ("one_t", "in.b"): ["8", "1", "char"],
            ("one_t", "in.c"): ["16", "16", "long[2]"],
            ("one_t", "d"): ["32", "4", "int"],
            ("one_t", "e"): ["32", "8", "double"],
            ("one_t", "many"): ["40", "6", "{}"],
            ("one_t", "many.f"): ["40", "2", "short"],
            ("one_t", "g"): ["46:0", "3b", "unsigned int"],
            ("one_t", "h"): ["46:3", "5b", "unsigned int"],
            ("two", "-"): ["0", "56", "struct"],
            ("two", "one"): ["0", "48", "nvshmemi_one_t"],
            ("two", "last"): ["48", "4", "int"],
            ("three_t", "-"): ["0", "4", "union"],
            ("three_t", "i"): ["0", "4", "int"],
            ("three_t", "c"): ["0", "1", "char"]})
        self.assertEqual(members["one_t", "in.c"][3], "nvshmem.h:8")
        table = rows(output.read_text("utf-8"))
        self.assertEqual(table["nvshmemi_one_t"]["signature"],
                         "struct {int a; {char b; long c[2]} in; "
                         "union {int d; double e}; {short f} many; "
                         "unsigned int g; unsigned int h}")
        self.assertEqual(table["nvshmemi_three_t"]["signature"],
                         "union {int i; char c}")
        self.assertEqual(table["nvshmemi_alias_t"]["signature"],
                         "= nvshmemi_one_t")

    def test_members_over_releases(self):
        """A row for each place that a member had."""
        packages = []
        for version, text in (("1.2.3", "int a; int b;"),
                              ("1.2.4", "int a; int b;"),
                              ("1.2.5", "int a; long b; int c;")):
            package = self.package(f"typedef struct {{ {text} }} nvshmemi_t;")
            header = package / "include" / "nvshmem.h"
            header.write_text(header.read_text().replace(
                "PATCH_VERSION 3", "PATCH_VERSION " + version[-1]))
            moved = self.dir / f"p-{version}"
            shutil.copytree(package, moved)
            packages += ["--package", moved]
        self.ok("api", *packages, "--output", self.dir / "symbols.tsv")
        lines = (self.dir / "members.tsv").read_text("utf-8").splitlines()
        self.assertEqual([line.split("\t")[1:6] for line in lines[1:]], [
            ["-", "<=1.2.3", "1.2.4", "0", "8"], ["-", "1.2.5", "-", "0", "24"],
            ["a", "<=1.2.3", "-", "0", "4"], ["b", "<=1.2.3", "1.2.4", "4", "4"],
            ["b", "1.2.5", "-", "8", "8"], ["c", "1.2.5", "-", "16", "4"]])

    def test_pasted_names(self):
        table = self.table(self.package("""
#define PUT(NAME, TYPE) \\
    void nvshmem_##NAME##_put(TYPE *dest); \\
    void nvshmem_##NAME##_get(const TYPE *);
#define TYPES(FN) \\
    FN(int, int) \\
    FN(double, double)
#define WITH(FN, ...) FN(__VA_ARGS__)
TYPES(PUT)
#undef PUT
#define PUT(NAME, TYPE) TYPE nvshmem_##NAME##_g(void (*f)(TYPE), TYPE a[3]);
WITH(PUT, long, long)
#define ONE nvshmem_plain
int ONE(void);
#define DECLARE(name) int name(void)
DECLARE(nvshmem_given);
"""))
        # line 5 is `#define PUT`
        for name, at in {
                "nvshmem_int_put": ("nvshmem.h:7", "nvshmem.h:13",
                                    "nvshmem.h:10"),
                "nvshmem_double_get": ("nvshmem.h:8", "nvshmem.h:13",
                                       "nvshmem.h:11"),
                "nvshmem_long_g": ("nvshmem.h:15", "nvshmem.h:16",
                                   "nvshmem.h:16"),
                "nvshmem_plain": ("nvshmem.h:17", "nvshmem.h:18", "-"),
                "nvshmem_given": ("nvshmem.h:19", "nvshmem.h:20", "-"),
        }.items():
            record = table[name]
            self.assertEqual((record["template"], record["instantiation"],
                              record["typelist"]), at, name)
        self.assertEqual(table["nvshmem_long_g"]["signature"],
                         "long (void (*f)(long), long a[3])")
        self.assertEqual(table["nvshmem_int_put"]["signature"],
                         "void (int *dest)")
        self.assertEqual(table["PUT"]["owner"], "nvshmem-internal")
        self.assertNotIn("NVSHMEM_H_", table)

    def test_kinds_and_sides(self):
        table = self.table(self.package("""
enum { NVSHMEM_A = 3 };
typedef enum kind { NVSHMEM_B } nvshmem_kind_t;
#define NVSHMEM_C (1 << 4)
#define NVSHMEM_D "text"
#define nvshmem_alias nvshmem_first
#define NVSHMEM_EMPTY
#define NVSHMEM_ARGS(a, b, ...) a
struct nvshmem_pair { int first; struct { long in; union { int a; }; } second; };
extern int nvshmem_counter;
void nvshmem_first(void);
__device__ void nvshmem_second(int, ...);
__host__ __device__ void nvshmem_both(void);
void nvshmemx_third_on_stream(cudaStream_t stream);
#ifdef __CUDA_ARCH__
__device__ static inline void nvshmem_only_device_block() {}
__device__ void nvshmem_first(void);
#endif
#if 0
void nvshmem_never(void);
#endif
/* void nvshmem_comment(void); */
namespace nvshmemx { template <typename T, int n> T inside(T x); }
inline void nvshmem_body() { int nvshmem_local; extern void nvshmem_in(); }
"""))
        self.assertEqual(
            {n: (r["kind"], r["space"], r["signature"])
             for n, r in table.items() if not n.startswith("NVSHMEM_VENDOR")},
            {"NVSHMEM_A": ("constant", "-", "enum = 3"),
             "NVSHMEM_ARGS": ("macro", "-", "#define (a, b, ...)"),
             "NVSHMEM_B": ("constant", "-", "enum kind = 0"),
             "NVSHMEM_C": ("constant", "-", "#define (1<<4)"),
             "NVSHMEM_D": ("constant", "-", '#define "text"'),
             "NVSHMEM_EMPTY": ("macro", "-", "#define"),
             "kind": ("type", "-", "enum"),
             "nvshmem_alias": ("macro", "-", "#define nvshmem_first"),
             "nvshmem_body": ("function", "host", "void ()"),
             "nvshmem_both": ("function", "host+device", "void ()"),
             "nvshmem_counter": ("variable", "host", "int"),
             "nvshmem_first": ("function", "host+device", "void ()"),
             "nvshmem_kind_t": ("type", "-", "= enum kind"),
             "nvshmem_only_device_block": ("function", "device", "void ()"),
             "nvshmem_pair":
                 ("type", "-", "struct {int first; {long in; union {int a}} second}"),
             "nvshmem_second": ("function", "device", "void (int, ...)"),
             "nvshmemx::inside":
                 ("function", "host", "template <typename T, int n> T (T x)"),
             "nvshmemx_third_on_stream":
                 ("function", "on-stream", "void (cudaStream_t stream)")})
        self.assertEqual(table["nvshmem_only_device_block"]["scope"], "block")

    def test_declared_and_not_there(self):
        names = ("one", "two", "three", "four")
        package = self.package("".join(
            f"__host__ __device__ void nvshmem_{n}(void);\n" for n in names)
            + "#ifdef __CUDA_ARCH__\n__device__ inline void nvshmem_three() "
              "{}\n#endif\n")

        def spaces():
            table = self.table(package)
            return [table[f"nvshmem_{n}"]["space"] for n in names]

        self.assertEqual(spaces(), ["host+device"] * 4)
        (package / "lib").mkdir()
        (package / "lib/libnvshmem_host.so.3.exports").write_text(
            "nvshmem_two\n")
        self.assertEqual(spaces(),
                         ["device", "host+device", "device", "device"])
        (package / "lib/libnvshmem_device.bc.names").write_text("nvshmem_one\n")
        (package / "lib/libnvshmem_device.a.exports").write_text(
            "_Z12nvshmem_fouri\n")
        self.assertEqual(spaces(), ["device", "host", "device", "host"])
        (package / "lib/libnvshmem_device.a.exports").unlink()
        self.assertEqual(spaces(), ["device", "host", "device", "declared"])

    def test_what_does_not_link(self):
        """Declared for both sides; nvlink and the libraries say otherwise."""
        committed = rows((ROOT / "evidence" / "symbols.tsv").read_text("utf-8"))
        for name, space in {"nvshmem_realloc": "declared",
                            "nvshmem_float_alltoalls": "declared",
                            "nvshmem_int64_atomic_add": "host",
                            "nvshmem_uint64_atomic_add": "host+device",
                            "nvshmemx_signal_op": "device",
                            "nvshmemx_int_sum_reduce_block": "device",
                            "nvshmem_global_exit": "host+device"}.items():
            self.assertEqual(committed[name]["space"], space, name)

    def test_faults(self):
        good = self.package("void nvshmem_a(void);")
        self.assertIn("nvshmem_a", self.table(good))
        os.rename(good, self.dir / "fake-9.9.9")
        self.fails("api", "--package", self.dir / "fake-9.9.9", "--output", "-",
                   says=("its headers say 1.2.3",))
        self.fails("api", "--package", self.dir / "nowhere-1.0",
                   says=("nowhere-1.0",))
        self.fails("api", "--package", self.dir / "x", says=("NAME-VERSION",))
        self.fails("api", "--frob", says=("--frob",))
        self.fails("api", "word", says=("word",))
        self.fails("frob", says=("frob",))
        broken = self.package("void nvshmem_a(nosuch x);", name="b-1.2.3")
        self.fails("api", "--package", broken, "--output", "-",
                   says=("nosuch", "1 errors"))
        (broken / "include" / "nvshmem.h").write_text("extern int a;\n")
        self.fails("api", "--package", broken, "--output", "-",
                   says=("do not tell a version",))

    def test_constants_of_any_spelling(self):
        table = self.table(self.package("""
#define BITS 4
#define BYTES (1 << BITS)
#define nvshmem_a ((1 << 16) + sizeof(struct x))
#define nvshmem_b (BYTES * 2)
#define nvshmem_c extern inline
#define nvshmem_d call(1)
#define nvshmem_e { 1 , {sizeof(struct x), -BITS}, NULL, .y = 2}
#define nvshmem_i { return 1; }
#define nvshmem_j { call(1) }
#define nvshmem_k nvshmem_e
#define nvshmem_l(x) { x }
#define nvshmem_m {""" + "1," * 100 + """1}
#define nvshmem_f (nvshmem_f + 1)
#define nvshmem_g(first, rest...) first
#define nvshmem_h(...) 1
"""))
        self.assertEqual(
            {n: (r["kind"], r["signature"]) for n, r in table.items()
             if n.startswith("nvshmem_")},
            {"nvshmem_a": ("constant", "#define ((1<<16)+sizeof(struct x))"),
             "nvshmem_b": ("constant", "#define (BYTES*2)"),
             "nvshmem_c": ("macro", "#define"),
             "nvshmem_d": ("macro", "#define"),
             "nvshmem_e": ("constant", "#define {1,{sizeof(struct x),-BITS},"
                                       "NULL,.y=2}"),
             "nvshmem_i": ("macro", "#define"),
             "nvshmem_j": ("macro", "#define"),
             "nvshmem_k": ("constant", "#define nvshmem_e"),
             "nvshmem_l": ("macro", "#define (x)"),
             "nvshmem_m": ("constant", "#define {...}"),
             "nvshmem_f": ("macro", "#define"),
             "nvshmem_g": ("macro", "#define (first, rest...)"),
             "nvshmem_h": ("macro", "#define (...)")})
        self.assertEqual(table["BYTES"]["kind"], "constant")

    def test_parameter_packs(self):
        table = self.table(self.package("""
namespace nvshmemx {
template <typename... Ts> struct shape {};
template <int n, typename T, class... Ts> T make(T first, const Ts &...more);
template <int... Ns> void all(int x);
}
"""))
        self.assertEqual(
            {n: r["signature"] for n, r in table.items() if "::" in n},
            {"nvshmemx::shape": "template <typename... Ts> struct {}",
             "nvshmemx::make": "template <int n, typename T, typename... Ts> "
                               "T (T first, const Ts &...more)",
             "nvshmemx::all": "template <int... Ns> void (int x)"})

    def test_templates_as_parameters(self):
        table = self.table(self.package("""
namespace nvshmemx {
template <typename> struct one;
template <template <typename> class C, typename T> struct shape {};
template <int n, template<class, int...> class C = many, template <typename> class... Cs> void all(int x);
template <template <template <typename> class> class D> void deep(int x);
}
""".replace("namespace nvshmemx {", "namespace nvshmemx {\ntemplate <typename, int...> struct many;", 1)))
        self.assertEqual(
            {n: r["signature"] for n, r in table.items()
             if n in ("nvshmemx::shape", "nvshmemx::all", "nvshmemx::deep")},
            {"nvshmemx::shape": "template <template <typename> class C, "
                                "typename T> struct {}",
             "nvshmemx::all": "template <int n, template <class, int...> class "
                              "C, template <typename> class... Cs> void (int x)",
             "nvshmemx::deep": "template <template <template <typename> class> "
                               "class D> void (int x)"})

    def test_a_macro_that_never_ends(self):
        """Self-reference, and growth that only a cap stops."""
        self.assertIn("nvshmem_a", self.table(self.package("""
#define A B
#define B A
#define F(x) F(x)
#define nvshmem_a(x) nvshmem_a(x)
int nvshmem_a(int x);
int A; int F(int);
""")))
        deep = "#define M0(x) void nvshmem_##x(void);\n" + "".join(
            f"#define M{i}(x) M{i - 1}(x)\n" for i in range(1, 400))
        self.fails("api", "--package", self.package(deep + "M399(y)\n"),
                   "--output", "-", says=("deep",))

    def test_output_and_order(self):
        package = self.package("void nvshmem_b(void); void nvshmem_a(void);")
        target = self.dir / "out" / "symbols.tsv"
        target.parent.mkdir()
        self.ok("api", "--package", package, "--output", target)
        names = [t.split("\t")[0] for t in target.read_text().splitlines()[1:]]
        self.assertEqual(names, sorted(names))
        self.assertEqual((target.parent / "signatures.tsv").read_text(),
                         "name\tfirst\tlast\tsignature\n")
        self.fails("api", "--package", package, "--output",
                   self.dir / "no" / "such" / "x.tsv", says=("no/such",))


if __name__ == "__main__":
    main_tap(sys.modules[__name__], Api)
