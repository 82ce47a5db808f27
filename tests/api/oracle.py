#!/usr/bin/env python3
"""The names that `index api` finds against what other tools see.

usage: oracle.py HELPER [--nvcc NVCC] PACKAGE...

Of each package (a folder that tools/nvshmem-packages or deps/fetch-cuda left):

  calls    words like nvshmem_...( in the output of a preprocessor (g++ -E with
           the stand-in CUDA headers; nvcc -E with CUDA's own) of nvshmem.h and
           nvshmemx.h, host and device side: each must be in the table, and no
           function of the table may be missing there
  exports  dynamic symbols of libnvshmem_host: each nvshmem name is declared or
           one of the library's own objects; what the table calls callable from
           the host is exported, defined in the headers, or in libnvshmem_device.a
  kinds    each name of the table that a library exports, or that is called and
           stands in the bitcode, is a function or a variable there: a struct's
           tag of the same name must not hide it
  device   what the table calls callable on the device is defined in the headers
           or named in libnvshmem_device.bc; what it calls declared is in neither

Exit status: 0 all agree, 1 not.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CALL = re.compile(r"\b(nvshmemx?_\w+)\s*\(")
BODY = re.compile(r"\b(nvshmemx?_\w+)\s*\([^;{}]*\)\s*\{")
PUBLIC = '#include "nvshmem.h"\n#include "nvshmemx.h"\n'
SIDES = {"host": [], "device": ["-D__CUDA_ARCH__=1000"]}
# data of the host library that no header declares; seen in 3.1.7 to 3.8.0
OWN_OBJECTS = re.compile(
    r"nvshmem_(debug_(file|level|log|mask|output_lock)|nvtx_options|options|"
    r"selected_device_transport)$")


def output(command, text=None):
    done = subprocess.run(command, input=text, text=True, errors="replace",
                          check=False, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    if done.returncode:
        sys.exit(f"oracle: {' '.join(map(str, command))}\n{done.stderr}")
    return done.stdout


def table(helper, package):
    """{name: record} of one package, read anew from its headers."""
    lines = output([helper, "api", "--root", ROOT, "--package", package,
                    "--output", "-"]).splitlines()
    header = lines[0].split("\t")
    return {line.split("\t")[0]: dict(zip(header, line.split("\t")))
            for line in lines[1:]}


def read_lines(path):
    return path.read_text("utf-8").split() if path.is_file() else []


def preprocess(package, side):
    return output(["g++", "-E", "-P", "-x", "c++", "-std=c++17",
                   "-D__CUDACC__", "-D__CUDACC_RDC__", *SIDES[side],
                   "-I", ROOT / "stubs" / "cuda", "-I", package / "include",
                   "-"], PUBLIC)


def nvcc_preprocess(nvcc, package, side):
    """One pass of nvcc's own; it gives the device's unless told otherwise."""
    flags = ["-U__CUDA_ARCH__"] if side == "host" else []
    return output([nvcc, "-E", "-x", "cu", "-arch=sm_90", "-rdc=true",
                   "-std=c++17", *flags, "-I", package / "include", "-"],
                  PUBLIC)


def mangled_name(symbol):
    found = re.match(r"_Z(\d+)", symbol)
    if not found:
        return symbol
    return symbol[found.end():found.end() + int(found.group(1))]


def some(names):
    names = sorted(names)
    return ", ".join(names[:8]) + (" ..." if len(names) > 8 else "")


class Check:
    def __init__(self, helper, package, nvcc):
        self.package = package
        self.names = table(helper, package)
        self.nvcc = nvcc
        self.faults = 0
        self.host_text = self.device_text = ""

    def say(self, what, wrong=()):
        if wrong:
            self.faults += 1
        print(f"  {what}{': ' + some(wrong) if wrong else ''}")

    def calls(self, tool, texts):
        seen = {name for text in texts for name in CALL.findall(text)}
        known = seen & self.names.keys()
        self.say(f"{tool}: {len(known)} of {len(seen)} call-shaped names "
                 f"resolved", seen - known)
        mine = {name for name, record in self.names.items()
                if record["kind"] == "function" and CALL.match(name + "(")}
        # internal headers that neither public header includes are read too
        mine = {name for name in mine
                if self.names[name]["owner"] != "nvshmem-internal"}
        self.say(f"{tool}: {len(mine - seen)} of {len(mine)} functions "
                 "invented", mine - seen)

    def exports(self):
        library = self.package / "lib"
        exported = set(read_lines(library / "libnvshmem_host.so.3.exports"))
        if not exported:
            self.say("no exports were noted", {"libnvshmem_host.so.3.exports"})
            return
        archive = library / "libnvshmem_device.a.exports"
        static = {mangled_name(s) for s in read_lines(archive)}
        ours = {s for s in exported if re.match(r"nvshmemx?_", s)}
        undeclared = {s for s in ours - self.names.keys()
                      if not OWN_OBJECTS.match(s)}
        own = len(ours - self.names.keys()) - len(undeclared)
        self.say(f"exports: {len(ours & self.names.keys())} of {len(ours)} "
                 f"nvshmem names of the host library declared, {own} objects "
                 "of its own", undeclared)
        inline = set(BODY.findall(self.host_text))
        callable_ = {name for name, record in self.names.items()
                     if record["kind"] == "function"
                     and record["owner"] != "nvshmem-internal"
                     and record["space"] not in ("device", "declared")
                     and "::" not in name}
        missing = callable_ - exported - static - inline
        if not archive.is_file():  # 3.1.7: the package has no device library
            missing = {n for n in missing if "collective_launch" not in n}
        self.say(f"exports: {len(callable_ - missing)} of {len(callable_)} "
                 f"functions callable from the host: "
                 f"{len(callable_ & exported)} exported, "
                 f"{len(callable_ & inline - exported)} defined in headers, "
                 f"{len(callable_ & static - exported - inline)} in the device "
                 "library", missing)

    def kinds(self):
        library = self.package / "lib"
        symbols = {mangled_name(s) for file in library.glob("*.exports")
                   for s in read_lines(file)}
        # strings of bitcode are tags of structs too: those that are called
        strings = {s for file in library.glob("*.names")
                   for s in read_lines(file)}
        symbols |= strings & set(CALL.findall(self.host_text +
                                              self.device_text))
        known = symbols & self.names.keys()
        other = {name for name in known if self.names[name]["kind"]
                 not in ("function", "variable")}
        self.say(f"kinds: {len(known - other)} of {len(known)} symbols of the "
                 "libraries are functions or variables of the table", other)

    def device(self):
        files = sorted((self.package / "lib").glob("libnvshmem_device*.names"))
        names = {name for file in files for name in read_lines(file)}
        inline = set(BODY.findall(self.device_text))
        mine = {name for name, record in self.names.items()
                if record["kind"] == "function" and "::" not in name
                and record["owner"] != "nvshmem-internal"
                and record["space"] in ("device", "host+device")}
        missing = mine - inline - names
        if not names:  # 3.1.7: the package has no device library
            missing = set()
        self.say(f"device: {len(mine - missing)} of {len(mine)} functions "
                 f"callable on the device: {len(mine & inline)} defined in "
                 f"headers, {len(mine & names)} in {len(files)} bitcode "
                 f"libraries, {len(mine & names - inline)} only there", missing)
        declared = {name for name, record in self.names.items()
                    if record["space"] == "declared"}
        self.say(f"declared, and defined nowhere: {len(declared)}"
                 f"{' (' + some(declared) + ')' if declared else ''}")
        self.say("of these, in a library or a header all the same: "
                 f"{len(declared & (inline | names))}",
                 declared & (inline | names))

    def run(self):
        functions = sum(r["kind"] == "function" for r in self.names.values())
        print(f"{self.package.name}: {len(self.names)} names, {functions} "
              "functions")
        texts = {side: preprocess(self.package, side) for side in SIDES}
        self.host_text, self.device_text = texts["host"], texts["device"]
        self.calls("g++", texts.values())
        if self.nvcc:
            self.calls("nvcc", [nvcc_preprocess(self.nvcc, self.package, side)
                                for side in SIDES])
        self.exports()
        self.kinds()
        self.device()
        return self.faults


def main(argv):
    nvcc = None
    if "--nvcc" in argv:
        at = argv.index("--nvcc")
        nvcc = argv[at + 1]
        del argv[at:at + 2]
    if len(argv) < 3:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    faults = sum(Check(argv[1], pathlib.Path(path), nvcc).run()
                 for path in argv[2:])
    print(f"{len(argv) - 2} packages, {faults} disagreements")
    return int(faults > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv))
