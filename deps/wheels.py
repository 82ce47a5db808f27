"""Wheels of the Python package index: downloaded by pip, verified, unpacked.

Shared by deps/fetch-cuda and tools/nvshmem-packages. pip is the client, so the
machine's own settings (index, proxy, certificates) apply. Nothing is installed
and no code of a package runs: a wheel is opened as an archive.
"""

import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import zipfile

# x86_64 whatever the machine is: the pins are of these files
PLATFORMS = ["manylinux_2_28_x86_64", "manylinux_2_27_x86_64",
             "manylinux_2_17_x86_64", "manylinux2014_x86_64",
             "manylinux2010_x86_64", "manylinux1_x86_64"]
MAX_WHEEL = 1 << 30  # bytes
MAX_UNPACKED = 2 << 30  # bytes taken from one wheel
MAX_MEMBERS = 50000


class Failure(Exception):
    """Something the user should read: what, where, what to do."""


def sha256(path):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def download(requirement, digest, folder):
    """The wheel of NAME==VERSION as the index serves it, into folder.

    digest: the sha256 that it must have; None takes what comes.
    """
    folder.mkdir(parents=True)
    wanted = folder / "requirements.txt"
    hashes = f" --hash=sha256:{digest}" if digest else ""
    wanted.write_text(f"{requirement}{hashes}\n", encoding="utf-8")
    command = [
        sys.executable, "-m", "pip", "download", "--quiet", "--no-input",
        "--disable-pip-version-check", "--no-cache-dir", "--retries", "2",
        "--no-deps", "--only-binary", ":all:", "--dest", str(folder),
        "--requirement", str(wanted),
    ]
    for platform in PLATFORMS:
        command += ["--platform", platform]
    if digest:
        command.append("--require-hashes")
    env = dict(os.environ, PIP_REQUIRE_VIRTUALENV="0", TMPDIR=str(folder))
    done = subprocess.run(command, env=env, text=True, check=False,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    if done.returncode:
        sys.stderr.write(done.stdout)
        if "No module named pip" in done.stdout:
            raise Failure("pip is missing: run tools/setup demo as root")
        if "DO NOT MATCH THE HASHES" in done.stdout:
            raise Failure(f"the index serves a file for {requirement} whose "
                          "sha256 is not the one recorded; it was thrown away")
        raise Failure(f"no network, or the Python package index is down, "
                      f"refuses the connection or lacks {requirement} (pip's "
                      "own words are above)")
    wheels = sorted(folder.glob("*.whl"))
    if len(wheels) != 1:
        raise Failure(f"pip downloaded {len(wheels)} wheels for {requirement}")
    if wheels[0].stat().st_size > MAX_WHEEL:
        raise Failure(f"{wheels[0].name} has more than {MAX_WHEEL} bytes")
    if digest and sha256(wheels[0]) != digest:
        raise Failure(f"{wheels[0].name}: sha256 differs from the one recorded")
    return wheels[0]


def safe_target(root, path):
    """root/path, refused when it would leave root."""
    parts = pathlib.PurePosixPath(path).parts
    if not parts or path.startswith("/") or ".." in parts or "\0" in path \
            or "\\" in path:
        raise Failure(f"unsafe path in an archive: {path!r}")
    return root.joinpath(*parts)


def unpack(wheel, root, place):
    """Regular files for which place(path) gives a path below root; their count.

    Modes are kept as far as they say who may run a file.
    """
    left, taken = MAX_UNPACKED, 0
    with zipfile.ZipFile(wheel) as archive:
        members = archive.infolist()
        if len(members) > MAX_MEMBERS:
            raise Failure(f"{wheel.name} has over {MAX_MEMBERS} members")
        for member in members:
            kind = (member.external_attr >> 28) & 0xF  # 0: made without a mode
            if member.is_dir() or kind not in (0, 8):
                continue
            goes_to = place(member.filename)
            if goes_to is None:
                continue
            target = safe_target(root, goes_to)
            left -= member.file_size
            if left < 0:
                raise Failure(f"{wheel.name} unpacks to over {MAX_UNPACKED} "
                              "bytes")
            target.parent.mkdir(parents=True, exist_ok=True)
            with archive.open(member) as src, open(target, "xb") as dst:
                shutil.copyfileobj(src, dst, 1 << 20)
            if target.stat().st_size != member.file_size:
                raise Failure(f"{wheel.name}: {member.filename} is not as long "
                              "as the archive says")
            mode = (member.external_attr >> 16) & 0o111
            target.chmod(0o755 if mode else 0o644)
            taken += 1
    return taken
