"""A correction done on what was written: the hunks that are wanted, and the answer that leads to them.

Comes in: the lines that were shown, hunks that stand, a `Correction`. Goes out: hunks. Must not know: messages,
engines, ids, likelihoods.

Hunks that stand and are wanted are not said again; one that is not wanted is taken back by a hunk that leaves its lines
as they are in the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from spark_tui.engine.layout import WindowHunk
from spark_tui.steers.corrections import Correction, Swap
from spark_tui.steers.terms import NUMBERS, bare, sort_of
from spark_tui.steers.written import PARTS, Difference, differences

_PIECE = re.compile(r"\w+|\s+|[^\w\s]")
_STATEMENT = re.compile(r"(?P<indent>\s*)(?:return|raise|continue|break|pass|yield)\b(?! from)|(?P<call>\s*)print\(")
_STRING = re.compile(r"\"\"\".*?\"\"\"|'''.*?'''|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.DOTALL)
_DOCSTRING = re.compile(r"\"\"\".*?\"\"\"|'''.*?'''", re.DOTALL)
_DEF = re.compile(r"(\s*)(?:async\s+)?(?:def|class)\s+(\w+)")


def touch(one: WindowHunk, two: WindowHunk) -> bool:
    """Whether the later of two hunks takes the place of the other."""
    if one.first == one.last or two.first == two.last:
        return one.first <= two.last and two.first <= one.last
    return one.first < two.last and two.first < one.last


def wanted(lines: Sequence[str], standing: Sequence[WindowHunk], correction: Correction) -> list[WindowHunk] | None:
    """The hunks that are wanted in the end; None where this cannot be done on what stands."""
    if correction.back:
        return []
    if not standing:
        return None
    if correction.swap is not None:
        made = swapped(lines, standing, correction.swap)
        return (
            made
            if made is None or not correction.swap.new.startswith("logging.")
            else _imported(lines, made, "logging")
        )
    if correction.statement:
        return restated(lines, standing, correction.statement)
    if correction.kept:
        return restored(lines, standing, correction.kept)
    if correction.less:
        return without(lines, standing, correction.less)
    if correction.only or correction.but:
        spans = list(_spans(lines, correction.only or correction.but))
        inside = [any(first - 1 <= hunk.first and hunk.last <= last for first, last in spans) for hunk in standing]
        kept = [hunk for hunk, is_in in zip(standing, inside, strict=True) if is_in is bool(correction.only)]
        return kept if 0 < len(kept) < len(standing) else None
    return None


def answer(lines: Sequence[str], standing: Sequence[WindowHunk], final: Sequence[WindowHunk]) -> list[WindowHunk]:
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


def _spans(lines: Sequence[str], names: Sequence[str]) -> Iterator[tuple[int, int]]:
    for number, line in enumerate(lines):
        found = _DEF.match(line)
        if found is None or found[2] not in names:
            continue
        end = number + 1
        while end < len(lines) and (
            not lines[end].strip() or len(lines[end]) - len(lines[end].lstrip()) > len(found[1])
        ):
            end += 1
        yield number, end


# -- another term ----------------------------------------------------------------------------------------------------


def swapped(lines: Sequence[str], standing: Sequence[WindowHunk], swap: Swap) -> list[WindowHunk] | None:
    """The term that the hunks brought, replaced wherever they brought it; None where they did not."""
    out = [_swapped(lines, hunk, swap) for hunk in standing]
    return out if out != list(standing) else None


def _imported(lines: Sequence[str], hunks: Sequence[WindowHunk], module: str) -> list[WindowHunk]:
    """The hunks, and a module among the other imports where it is not."""
    if any(re.match(rf"import {module}\b", line) for line in (*lines, *(line for hunk in hunks for line in hunk.new))):
        return list(hunks)
    imports = [number for number, line in enumerate(lines) if re.match(r"(?:import|from) \w", line)]
    behind = [number for number in imports if lines[number] > f"import {module}" or lines[number].startswith("from")]
    at = behind[0] if behind else imports[-1] + 1 if imports else None
    new = None if at is None else WindowHunk(at, at, (f"import {module}",))
    return list(hunks) if new is None or any(touch(old, new) for old in hunks) else [*hunks, new]


def _swapped(lines: Sequence[str], hunk: WindowHunk, swap: Swap) -> WindowHunk:
    old, new = "\n".join(lines[hunk.first : hunk.last]), "\n".join(hunk.new)
    if not hunk.new:
        return hunk
    if sort_of(swap.new) == "docstring":
        made = _DOCSTRING.sub(lambda _: swap.new, new, count=1)
        return WindowHunk(hunk.first, hunk.last, tuple(made.split("\n")))
    term = bare(swap.old)
    term = NUMBERS.get(term.lower(), term)
    brought = list(_brought(old, new))
    strings = [match.span() for match in _STRING.finditer(new)]
    edge = r"(?<![\w.])" if term[:1].isdigit() else r"(?<!\w)" if re.match(r"\w", term) else ""
    out, done = "", 0
    spared = False
    for match in re.finditer(edge + re.escape(term) + (r"(?!\w)" if re.search(r"\w$", term) else ""), new):
        if not any(low < match.end() and match.start() < high for low, high in brought):
            spared = True
            continue
        inside = next(((low, high) for low, high in strings if low < match.start() and match.end() < high), None)
        out += new[done : match.start()] + _as_code(swap, inside is not None)
        done = match.end()
    if spared and out and term.isidentifier() and sort_of(swap.old) == sort_of(swap.new) == "name" and "\n" not in new:
        # A name of one line in some of its places only would be two.
        return hunk
    return WindowHunk(hunk.first, hunk.last, tuple((out + new[done:]).split("\n")))


def _as_code(swap: Swap, in_string: bool) -> str:
    text = bare(swap.new)
    if in_string:
        return text
    if sort_of(swap.new) == "number":
        return NUMBERS.get(text.lower(), text)
    return swap.new if sort_of(swap.new) == "text" and swap.new[0] in "'\"" else text


def _brought(old: str, new: str) -> Iterator[tuple[int, int]]:
    """Where in the new text something stands that the old one does not have."""
    one, two = _PIECE.findall(old), _PIECE.findall(new)
    ends = [0]
    for piece in two:
        ends.append(ends[-1] + len(piece))
    for code, _, _, first, last in SequenceMatcher(None, one, two, autojunk=False).get_opcodes():
        if code in ("insert", "replace"):
            yield ends[first], ends[last]


# -- another statement -----------------------------------------------------------------------------------------------


def restated(lines: Sequence[str], standing: Sequence[WindowHunk], statement: str) -> list[WindowHunk] | None:
    """The one statement that the hunks brought, replaced; None where they brought several, or none."""
    places = []
    for number, hunk in enumerate(standing):
        old = [line.strip() for line in lines[hunk.first : hunk.last]]
        for at, line in enumerate(hunk.new):
            if line.strip() not in old and _STATEMENT.match(line) and _whole(line):
                places.append((number, at))
            elif line.strip() in old:
                old.remove(line.strip())
    if len(places) != 1:
        return None
    number, at = places[0]
    hunk = standing[number]
    line = hunk.new[at]
    if re.fullmatch(r"raise \w+", statement):
        # Another error, with what it was told.
        was = [line, *lines[hunk.first : hunk.last]]
        told = next((found[1] for text in was if (found := re.match(r"\s*raise \w+(\(.*\))$", text))), "")
        statement += told
    made = line[: len(line) - len(line.lstrip())] + statement
    new = WindowHunk(hunk.first, hunk.last, (*hunk.new[:at], made, *hunk.new[at + 1 :]))
    return [*standing[:number], new, *standing[number + 1 :]] if new != hunk else None


def _whole(line: str) -> bool:
    """A statement that ends on its line."""
    return (
        line.count("(") == line.count(")") and line.count("[") == line.count("]") and line.count("{") == line.count("}")
    )


# -- less ------------------------------------------------------------------------------------------------------------


def restored(lines: Sequence[str], standing: Sequence[WindowHunk], word: str) -> list[WindowHunk] | None:
    """The hunks without those differences that have to do with the word; None where these are all, or none."""
    if back := _given_back(lines, standing, word):
        made = swapped(lines, standing, back)
        return _tidied(lines, made) if made is not None else None
    found = list(differences(lines, standing))
    looks = re.compile(PARTS.get(word) or rf"(?<![a-z0-9]){re.escape(word)}(?![a-z0-9])", re.IGNORECASE)
    kept = [one for one in found if not any(looks.search(line) for line in (*lines[one.first : one.last], *one.new))]
    return [WindowHunk(one.first, one.last, one.new) for one in kept] if 0 < len(kept) < len(found) else None


def _given_back(lines: Sequence[str], standing: Sequence[WindowHunk], word: str) -> Swap | None:
    """A name that was replaced by another one, and shall not be."""
    for one in differences(lines, standing):
        old, new = _PIECE.findall("\n".join(lines[one.first : one.last])), _PIECE.findall("\n".join(one.new))
        for code, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            if code == "replace" and old[a:b] == [word] and d - c == 1 and new[c].isidentifier():
                if any(low <= sum(map(len, old[:a])) < high for low, high in _strings(lines, one)):
                    # A word of a text: who keeps it may want both.
                    continue
                return Swap(new[c], word)
    return None


def _strings(lines: Sequence[str], one: Difference) -> list[tuple[int, int]]:
    return [match.span() for match in _STRING.finditer("\n".join(lines[one.first : one.last]))]


def without(lines: Sequence[str], standing: Sequence[WindowHunk], word: str) -> list[WindowHunk] | None:
    """The hunks without what they brought of that name: an argument, an element, a default, a message, a line."""
    out = [_without(lines, hunk, word) for hunk in standing]
    return _tidied(lines, out) if out != list(standing) else None


def _without(lines: Sequence[str], hunk: WindowHunk, word: str) -> WindowHunk:
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
