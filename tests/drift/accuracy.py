#!/usr/bin/env python3
"""Measures `shmemlore sources drift` against git blame, line by line, on the history of two projects.

usage: accuracy.py HELPER ROOT MIRRORS [--classes] [--undecided FILE] [--cache DIR] [SOURCE...]

Every line of the source is a region of one line; every fourth line begins a region of 3 to 20 lines. The truth is git's
own: `git blame -w` gives each line of the old and of the new commit the commit, path and line that it came from, and two lines of
one origin are the same line. A second run with `-M -C -C` also follows lines that were moved or copied. Lines whose white space
*inside* changed are other lines here (a manifest folds blanks, it does not drop them), so they count as changed.

Where the two differ, what is equal around both places decides if it is clear (at least 8 lines together at ours, and three times
what is equal at blame's); the rest is decided by hand in decided.tsv beside this file. What nobody decided counts as wrong.
"""

import argparse
import collections
import csv
import json
import pathlib
import pickle
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
CASES = {  # source -> (mirrors below MIRRORS, new commit, what of the old tree counts)
    "nvshmem": (["NVIDIA+nvshmem/repo", "nvshmem"], "devel", "src/"),
    "deepep": (["deepseek-ai+DeepEP/repo", "DeepEP"], "main", ""),
}
CLEAR_RUN = 8
CLEAR_RATIO = 3


def git(repo, *args):
    return subprocess.run(["git", "-C", repo, *args], check=True, capture_output=True).stdout


def files_of(repo, rev):
    for entry in git(repo, "ls-tree", "-r", "-z", rev).split(b"\0"):
        if entry and entry.split()[0] in (b"100644", b"100755"):
            path = entry.split(b"\t", 1)[1].decode()
            if not any(part.startswith(".") for part in path.split("/")):
                yield path


def blame_file(repo, rev, path, options):
    """(commit, path, line) of each line's origin, and the line with its blanks folded."""
    raw = git(repo, "blame", "-w", "--porcelain", *options, rev, "--", path).split(b"\n")
    found, names, at = [], {}, 0
    while at < len(raw) and raw[at]:
        head = raw[at].split(b" ")
        at += 1
        while not raw[at].startswith(b"\t"):
            if raw[at].startswith(b"filename "):
                names[head[0]] = raw[at][9:].decode()
            at += 1
        found.append(((head[0].decode(), names[head[0]], int(head[1])), b" ".join(raw[at][1:].split())))
        at += 1
    return found


def blame(repo, rev, options, cache):
    keep = cache and cache / f"{rev}{''.join(options)}.pickle"
    if keep and keep.exists():
        return pickle.loads(keep.read_bytes())
    tree = {path: blame_file(repo, rev, path, options) for path in files_of(repo, rev)
            if b"\0" not in git(repo, "cat-file", "blob", f"{rev}:{path}")}
    if keep:
        keep.write_bytes(pickle.dumps(tree))
    return tree


def truth_of(old, new):
    """(path, line) -> places of the new tree with the same origin and the same text."""
    places = collections.defaultdict(list)
    for path, lines in new.items():
        for number, (origin, text) in enumerate(lines, 1):
            places[origin].append((path, number, text))
    return {(path, number): [(p, n) for p, n, t in places.get(origin, ()) if t == text]
            for path, lines in old.items() for number, (origin, text) in enumerate(lines, 1)}


def ask(args, source, repo, rev, regions):
    with tempfile.NamedTemporaryFile("w", suffix=".lines") as file:
        for path, first, last in regions:
            file.write(f"{path}:{first}\n" if first == last else f"{path}:{first}-{last}\n")
        file.flush()
        done = subprocess.run([args.helper, "drift", "--root", args.root, "--from", repo, "--json", "--lines", file.name, source,
                               rev], capture_output=True, check=False)
    if done.returncode > 1:
        sys.exit(done.stderr.decode())
    return json.loads(done.stdout)["citations"]


class Case:
    def __init__(self, args, source):
        names, self.rev, self.prefix = CASES[source]
        self.args, self.source = args, source
        self.repo = next(str(args.mirrors / n) for n in names if (args.mirrors / n).is_dir())
        pin, now = self.pin(), git(self.repo, "rev-parse", self.rev).decode().strip()
        self.old, self.new = (blame(self.repo, rev, [], args.cache) for rev in (pin, now))
        self.truth = truth_of(self.old, self.new)
        self.copies = truth_of(*(blame(self.repo, rev, ["-M", "-C", "-C"], args.cache) for rev in (pin, now)))
        self.decided = {}
        with open(HERE / "decided.tsv", newline="") as file:
            for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                if row and row[0] == source and row[2].startswith("="):
                    self.decided[(row[1], row[2][1:])] = row[3]
                elif row and row[0] == source:
                    first, _, last = row[2].partition("-")
                    for line in range(int(first), int(last or first) + 1):
                        self.decided[(row[1], line)] = row[3]
        self.undecided = []

    def pin(self):
        return (self.args.root / f"evidence/lines/{self.source}.lines").open().readline().split()[3]

    def covered(self):
        with open(self.args.root / f"evidence/lines/{self.source}.lines") as file:
            return [(w[1], int(w[2])) for w in map(str.split, file) if w[:1] == ["file"] and w[1].startswith(self.prefix)]

    def run_at(self, here, there):
        """How many equal lines stand together around the two places."""
        a, b = self.old[here[0]], self.new[there[0]]
        up = down = 0
        while here[1] - up > 1 and there[1] - up > 1 and a[here[1] - 2 - up][1] == b[there[1] - 2 - up][1]:
            up += 1
        while here[1] + down < len(a) and there[1] + down < len(b) and a[here[1] + down][1] == b[there[1] + down][1]:
            down += 1
        return up + down + 1

    def is_clear(self, here, ours, theirs):
        mine = self.run_at(here, ours)
        return mine >= CLEAR_RUN and all(mine >= CLEAR_RATIO * self.run_at(here, t) for t in theirs)

    def judge_line(self, here, answer):
        """The class of one answer about one line."""
        verdict = answer["verdict"]
        theirs = self.truth[here]
        if verdict in ("same", "moved"):
            ours = (answer["path"], answer["first"])
            if ours in theirs:
                return "right"
            if ours in self.copies.get(here, ()):
                return "right by -M -C -C"
            if self.is_clear(here, ours, theirs):
                return "ours, clearly"
            return self.by_hand(here, f"{ours[0]}:{ours[1]}", theirs)
        if not theirs:
            return "gone, as blame says" if verdict != "ambiguous" else "gone, and ambiguous"
        if verdict == "ambiguous":
            return "ambiguous"
        return self.by_hand(here, verdict, theirs)

    def by_hand(self, here, ours, theirs):
        decision = self.decided.get(here)
        if decision:
            return "ours, by hand" if decision == "ours" else "both, by hand"
        self.undecided.append((self.source, here[0], here[1], ours, " ".join(f"{p}:{n}" for p, n in theirs) or "-",
                               self.old[here[0]][here[1] - 1][1].decode("utf-8", "replace")))
        return "WRONG"

    def lines(self):
        regions = [(path, n, n) for path, count in self.covered() for n in range(1, count + 1)]
        counts = collections.Counter()
        telling = collections.Counter()
        for answer in ask(self.args, self.source, self.repo, self.rev, regions):
            path, _, number = answer["citation"].partition(":")[2].rpartition(":")
            here = (path, int(number))
            result = self.judge_line(here, answer)
            survives = bool(self.truth[here])
            counts[survives, result] += 1
            if len(self.old[path][here[1] - 1][1]) >= 3:
                telling[survives, result] += 1
        return counts, telling

    def judge_range(self, path, first, last, answer):
        result = self.compare_range(path, first, last, answer)
        return "decided, by hand" if result == "WRONG" and (path, f"{first}-{last}") in self.decided else result

    def compare_range(self, path, first, last, answer):
        """A range is right where blame has all of it, or where blame or a decision has most of its lines (all are equal there)."""
        verdict = answer["verdict"]
        lines = [(path, n) for n in range(first, last + 1)]
        starts = {(p, n - k) for k, here in enumerate(lines[:1]) for p, n in self.truth[here]}
        whole = [s for s in starts if all((s[0], s[1] + k) in self.truth[here] for k, here in enumerate(lines))]
        if verdict in ("same", "moved"):
            ours = (answer["path"], answer["first"])
            if ours in whole:
                return "right"
            good = sum((ours[0], ours[1] + k) in self.truth[here] or (ours[0], ours[1] + k) in self.copies.get(here, ()) or
                       self.decided.get(here) == "ours" or self.is_clear(here, (ours[0], ours[1] + k), self.truth[here])
                       for k, here in enumerate(lines))
            return "ours, by its lines" if 2 * good > len(lines) else "WRONG"
        if not whole:
            return "changed, as blame says" if verdict != "ambiguous" else "changed, and ambiguous"
        if verdict == "ambiguous":
            return "ambiguous"
        return "ours, by its lines" if any(self.decided.get(here) == "ours" for here in lines) else "WRONG"

    def ranges(self):
        regions = [(path, n, n + 2 + (n * 7 + count) % 18) for path, count in self.covered() for n in range(1, count + 1, 4)
                   if n + 2 + (n * 7 + count) % 18 <= count]
        counts = collections.Counter()
        for answer in ask(self.args, self.source, self.repo, self.rev, regions):
            path, _, lines = answer["citation"].partition(":")[2].rpartition(":")
            first, _, last = lines.partition("-")
            result = self.judge_range(path, int(first), int(last), answer)
            if result == "WRONG":
                self.undecided.append((self.source, path, lines, answer["verdict"],
                                       f"{answer['path']}:{answer['first']}", "range"))
            whole = all(self.truth[(path, n)] for n in range(int(first), int(last) + 1))
            starts = self.truth[(path, int(first))]
            whole = whole and any(all((p, n + k) in self.truth[(path, int(first) + k)] for k in range(int(last) - int(first) + 1))
                                  for p, n in starts)
            counts[whole, result] += 1
        return counts


def summary(counts):
    survive = sum(n for (s, _), n in counts.items() if s)
    right = sum(n for (s, r), n in counts.items() if s and r.startswith(("right", "ours", "both", "decided")))
    wrong = sum(n for (_, r), n in counts.items() if r == "WRONG")
    unsure = sum(n for (s, r), n in counts.items() if s and r == "ambiguous")
    decided = sum(n for (_, r), n in counts.items() if r.startswith(("ours", "both", "decided")))
    more = sum(n for (s, r), n in counts.items() if not s and r.startswith(("right", "ours", "both", "decided")))
    return [sum(counts.values()), survive, right, f"{100 * right / survive:.2f} %", unsure, more, decided, wrong]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("helper")
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("mirrors", type=pathlib.Path)
    parser.add_argument("sources", nargs="*", metavar="SOURCE")
    parser.add_argument("--cache", type=pathlib.Path)
    parser.add_argument("--undecided")
    parser.add_argument("--classes", action="store_true", help="every class with its count")
    args = parser.parse_intermixed_args()
    rows, undecided = [], []
    for source in args.sources or CASES:
        case = Case(args, source)
        lines, telling = case.lines()
        ranges = case.ranges()
        for name, counts in (("every line", lines), ("lines of 3 characters and more", telling), ("ranges of 3 to 20 lines", ranges)):
            rows.append([f"{source}: {name}", *summary(counts)])
            if args.classes:
                for (survives, result), n in sorted(counts.items()):
                    print(f"{source}, {name}: {'survive' if survives else 'do not'}: {result}: {n}")
        undecided += case.undecided
    heads = ["what", "regions", "survive by blame", "found", "of these", "ambiguous", "moved, that blame loses", "decided", "wrong"]
    for row in [heads, ["---"] * len(heads), *rows]:
        print("| " + " | ".join(map(str, row)) + " |")
    if args.undecided:
        with open(args.undecided, "w", newline="") as file:
            for row in undecided:
                file.write("\t".join(map(str, row)) + "\n")
    return 1 if undecided else 0


if __name__ == "__main__":
    sys.exit(main())
