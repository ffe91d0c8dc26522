"""A part of what was written taken back, or left out: the hunks that are wanted, and the answer that leads to
them.

Comes in: the lines that were shown, hunks that stand, a `Correction`. Goes out: hunks. Must not know:
messages, engines, ids, likelihoods.

Hunks that stand and are wanted are not said again; one that is not wanted is taken back by a hunk that leaves
its lines as they are in the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from spark_tui.engine.token_layout import WindowHunk
from spark_tui.steers.corrections import Correction
from spark_tui.steers.written import PARTS, differences

_PIECE = re.compile(r"\w+|\s+|[^\w\s]")


def touch(one: WindowHunk, two: WindowHunk) -> bool:
    """Whether the later of two hunks takes the place of the other."""
    if one.first == one.last or two.first == two.last:
        return one.first <= two.last and two.first <= one.last
    return one.first < two.last and two.first < one.last


def wanted(
    lines: Sequence[str], standing: Sequence[WindowHunk], correction: Correction
) -> list[WindowHunk] | None:
    """The hunks that are wanted in the end; None where this cannot be done on what stands."""
    if correction.back:
        return []
    if correction.kept:
        return _restored(lines, standing, correction.kept)
    if correction.less:
        return _without(lines, standing, correction.less)
    return None


def answer(
    lines: Sequence[str], standing: Sequence[WindowHunk], final: Sequence[WindowHunk]
) -> list[WindowHunk]:
    """What has to be said behind `standing` so that `final` is what stands."""
    said = [hunk for hunk in final if hunk not in standing]
    kept = [hunk for hunk in final if hunk in standing]
    for old in list(kept):
        if any(touch(old, new) for new in said):
            near = [new for new in said if touch(old, new)]
            said = [new for new in said if new not in near] + [_joined(lines, [old, *near])]
            kept.remove(old)
    gone = [old for old in standing if old not in kept and not any(touch(old, new) for new in said)]
    said += [WindowHunk(old.first, old.last, tuple(lines[old.first : old.last])) for old in gone]
    return sorted(said, key=lambda hunk: (hunk.first, hunk.last))


def applied(lines: Sequence[str], hunks: Sequence[WindowHunk]) -> list[str]:
    out: list[str] = []
    done = 0
    for hunk in sorted(hunks, key=lambda item: (item.first, item.last)):
        out += [*lines[done : hunk.first], *hunk.new]
        done = hunk.last
    return [*out, *lines[done:]]


def _joined(lines: Sequence[str], hunks: Sequence[WindowHunk]) -> WindowHunk:
    hunks = sorted(hunks, key=lambda item: (item.first, item.last))
    first, last = hunks[0].first, max(hunk.last for hunk in hunks)
    moved = [WindowHunk(hunk.first - first, hunk.last - first, hunk.new) for hunk in hunks]
    return WindowHunk(first, last, tuple(applied(lines[first:last], moved)))


def _brought(old: str, new: str) -> Iterator[tuple[int, int]]:
    """Where in the new text something stands that the old one does not have."""
    one, two = _PIECE.findall(old), _PIECE.findall(new)
    ends = [0]
    for piece in two:
        ends.append(ends[-1] + len(piece))
    for code, _, _, first, last in SequenceMatcher(None, one, two, autojunk=False).get_opcodes():
        if code in ("insert", "replace"):
            yield ends[first], ends[last]


def _restored(lines: Sequence[str], standing: Sequence[WindowHunk], word: str) -> list[WindowHunk] | None:
    """The hunks without those differences that have to do with the word; None where these are all, or
    none."""
    found = list(differences(lines, standing))
    looks = re.compile(PARTS.get(word) or rf"(?<![a-z0-9]){re.escape(word)}(?![a-z0-9])", re.IGNORECASE)
    kept = [
        one
        for one in found
        if not any(looks.search(line) for line in (*lines[one.first : one.last], *one.new))
    ]
    return [WindowHunk(one.first, one.last, one.new) for one in kept] if 0 < len(kept) < len(found) else None


def _without(lines: Sequence[str], standing: Sequence[WindowHunk], word: str) -> list[WindowHunk] | None:
    """The hunks without what they brought of that name: an argument, an element, a default, a message, a
    line."""
    out = [_left_out(lines, hunk, word) for hunk in standing]
    return _tidied(lines, out) if out != list(standing) else None


def _left_out(lines: Sequence[str], hunk: WindowHunk, word: str) -> WindowHunk:
    old, new = "\n".join(lines[hunk.first : hunk.last]), "\n".join(hunk.new)
    if word in ("docstring", "comment", "print", "log", "logging", "import"):
        stood = list(lines[hunk.first : hunk.last])
        kept = [line for line in hunk.new if line in stood or not re.search(PARTS[word], line)]
        return WindowHunk(hunk.first, hunk.last, tuple(kept))
    if word == "default":
        leaves = r"(?P<stays>(?<=[(,])\s*\w+(?:\s*:\s*[^,=()]+?)?)\s*=\s*[^,()]+(?=[,)])"
    elif word in ("message", "text"):
        leaves = r"(?P<stays>\braise \w+)\(.*\)"
    else:
        item = rf"(?:[\"'][^\"',]*{re.escape(word)}[^\"',]*[\"']|{re.escape(word)}(?!\w)(?:\s*[:=]\s*[^,()\[\]]+)?)"
        leaves = rf"(?P<stays>),\s*{item}|(?<=[(\[{{])(?P<also>){item},\s*"
    brought = list(_brought(old, new))
    for match in re.finditer(leaves, new):
        stays = match["stays"] or ""
        if any(low < match.end() and match.start() + len(stays) < high for low, high in brought):
            text = new[: match.start()] + stays + new[match.end() :]
            return WindowHunk(hunk.first, hunk.last, tuple(text.split("\n")))
    return hunk


def _tidied(lines: Sequence[str], hunks: Sequence[WindowHunk]) -> list[WindowHunk] | None:
    """Hunks that change something."""
    kept = [hunk for hunk in hunks if tuple(lines[hunk.first : hunk.last]) != hunk.new]
    return kept or None
