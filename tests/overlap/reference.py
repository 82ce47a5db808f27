"""What `shmemlore overlap` promises for plain text, written a second time and as plainly as can be: every pair of
places is tried. Nothing of the program is used."""

import re
import unicodedata

ADDRESS = re.compile(r"""(?<![\w'’])https?://[^\s<>"()\[\]{}`|]*""", re.I)


def is_word(c):
    return c == "_" or unicodedata.category(c)[0] in "LMN" or unicodedata.category(c) == "Cf"


def fold(raw):
    text = unicodedata.normalize("NFKC", raw).casefold()
    text = unicodedata.normalize("NFKC", text)
    return "".join(c for c in text if c == "_" or unicodedata.category(c)[0] in "LMN").strip("_")


def words(text):
    """[(word, line, plain)] of a plain text."""
    text = ADDRESS.sub(lambda m: " " * len(m.group()), text)
    found = []
    line = at = 0
    line = 1
    while at < len(text):
        if not is_word(text[at]):
            line += text[at] == "\n"
            at += 1
            continue
        raw = ""
        while at < len(text):
            if is_word(text[at]):
                raw += text[at]
            elif not (text[at] in "'’" and at + 1 < len(text) and is_word(text[at + 1])):
                break
            at += 1
        word = fold(raw)
        if word:
            plain = not any(c == "_" or unicodedata.category(c)[0] == "N" for c in word)
            found.append((word, line, plain))
    return found


def counts(some, at, n):
    return at + n <= len(some) and 2 * sum(plain for _, _, plain in some[at:at + n]) >= n


def pairs(ours, theirs, n):
    """{(our first word, length): [their first word]}: runs of grams that count, as long as they go."""
    def same(i, j):
        return (0 <= i and 0 <= j and counts(ours, i, n) and counts(theirs, j, n) and
                all(ours[i + k][0] == theirs[j + k][0] for k in range(n)))
    found = {}
    for i in range(len(ours)):
        for j in range(len(theirs)):
            if not same(i, j) or same(i - 1, j - 1):
                continue
            length = n
            while same(i + length - n + 1, j + length - n + 1):
                length += 1
            found.setdefault((i, length), []).append(j)
    return found


def runs(ours, theirs, n):
    """As the program tells them: runs inside of longer ones are only counted."""
    told = []
    end = 0
    found = pairs(ours, theirs, n)
    for (i, length), places in sorted(found.items(), key=lambda item: (item[0][0], -item[0][1])):
        if i + length <= end:
            told[-1]["parts"] += len(places)
            continue
        end = i + length
        told.append({
            "line": ours[i][1], "last_line": ours[i + length - 1][1], "words": length, "parts": 0,
            "places": sorted((theirs[j][1], theirs[j + length - 1][1]) for j in places),
        })
    return told


def filter_runs(ours, theirs, n):
    """The same from the filter's view: both halves of each run of n words stand somewhere in THEIRS."""
    shorter = set()
    for j in range(len(theirs)):
        if counts(theirs, j, n):
            text = [word for word, _, _ in theirs[j:j + n]]
            shorter.add(tuple(text[:-1]))
            shorter.add(tuple(text[1:]))
    told = []
    begin = None
    for i in range(len(ours) + 1):
        text = tuple(word for word, _, _ in ours[i:i + n])
        hit = counts(ours, i, n) and text[:-1] in shorter and text[1:] in shorter
        if hit and begin is None:
            begin = i
        elif not hit and begin is not None:
            end = i + n - 2
            told.append((ours[begin][1], ours[end][1], end - begin + 1))
            begin = None
    return told
