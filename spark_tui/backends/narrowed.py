# ruff: noqa: E501 - tables of forms read better unbroken
"""An answer of which only a part is wanted: the first place, the last one, what is for writing, what was said by name.

Comes in: the lines that were shown, the hunks that stand, one clause of a message. Goes out: the hunks that are wanted.
Must not know: engines, ids, what was asked at first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from spark_tui.backends.stands import Stands
from spark_tui.backends.written import PARTS, Difference, differences
from spark_tui.engine.layout import WindowHunk

_ORDINAL = r"(?P<n>first|1st|second|2nd|third|3rd|last|final)"
_NOUN = r"(?: (?P<what>(?!one\b|ones\b|place\b|time\b|part\b)\w+))?(?: (?:one|place|time|part))?"
_ONLY = re.compile(
    rf"(?:only|just)(?: do| change| touch)?(?: it| that)?(?: in| for| at| on)?(?: the)? {_ORDINAL}{_NOUN}|(?:the )?{_ORDINAL.replace('<n>', '<n2>')}{_NOUN.replace('<what>', '<what2>')} only",
    re.I,
)
_BUT = re.compile(
    rf"(?:but )?(?:keep|leave|not(?: in| for| at)?|restore|undo|bring back|put back|except(?: for)?|spare|without|don'?t (?:touch|change|remove|drop)) (?:the )?{_ORDINAL}{_NOUN}(?: alone| there| in| back| as it was)?",
    re.I,
)
_FILES = re.compile(
    r"(?P<not>not |but not |except )?(?:only |just )?(?:for |when |the one for |where it is |while )?(?P<way>writing|reading|the write|the read|output|input)(?: only)?",
    re.I,
)
_PART = re.compile(
    r"(?:only|just) (?:do |change |touch |in |for |on )?(?:the |that )?(?P<x>[\w.]+)(?: (?:part|one|bit|line|thing|change))?",
    re.I,
)
_STOOD = re.compile(
    r"(?:leave|keep)(?: it)?(?: at| as)? (?P<v>\S+)|(?P<v2>\S+) was (?:right|fine|ok|okay|good|correct|better|enough)(?: already)?",
    re.I,
)
_PLACES = {"first": 0, "1st": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "last": -1, "final": -1}


def narrowed(text: Stands, clause: str) -> list[WindowHunk] | None:
    """What stays, and is not all of it; None where the clause does not say."""
    parts = _parts(text.lines, text.hunks)
    if (match := _STOOD.fullmatch(clause)) is not None:
        word = (match["v"] or match["v2"]).strip("`'\",.")
        whole = re.search(r"\w", word) and word not in ("it", "that", "this")
        gone = whole and all(_has(text.lines, one, word) and not _new(one, word) and one.new for one in parts)
        return [] if gone else None
    if len(parts) < 2:
        return None
    if (match := _ONLY.fullmatch(clause)) is not None:
        found = _meant(text.lines, parts, match["n"] or match["n2"], match["what"] or match["what2"])
        return None if found is None else _hunks([found])
    if (match := _BUT.fullmatch(clause)) is not None:
        found = _meant(text.lines, parts, match["n"], match["what"])
        return None if found is None else _hunks([one for one in parts if one is not found])
    if (match := _FILES.fullmatch(clause)) is not None:
        written = [one for one in parts if re.search(r"open\(.*[\"'][wax]b?\+?[\"']|\.write", "\n".join(one.new))]
        opened = [one for one in parts if re.search(r"open\(|\.read|\.write", "\n".join(one.new))]
        wants_written = match["way"].lower() in ("writing", "the write", "output")
        if len(opened) == len(parts) and 0 < len(written) < len(parts):
            kept = [one for one in parts if (one in written) is (wants_written is not bool(match["not"]))]
            return _hunks(kept)
        return None
    if (match := _PART.fullmatch(clause)) is not None:
        word = match["x"]
        looks = PARTS.get(word.lower(), rf"(?<![a-z0-9]){re.escape(word)}(?![a-z0-9])")
        kept = [
            one
            for one in parts
            if re.search(looks, "\n".join([*text.lines[one.first : one.last], *one.new]), re.I | re.M)
        ]
        return _hunks(kept) if 0 < len(kept) < len(parts) else None
    return None


def _parts(lines: Sequence[str], hunks: Sequence[WindowHunk]) -> list[Difference]:
    """Single differences; lines that went are told apart."""
    out: list[Difference] = []
    for one in differences(lines, hunks):
        if one.new or one.last - one.first < 2:
            out.append(one)
        else:
            out += [Difference(at, at + 1, ()) for at in range(one.first, one.last)]
    return out


def _meant(lines: Sequence[str], parts: Sequence[Difference], ordinal: str, what: str | None) -> Difference | None:
    found = list(parts)
    if what:
        stem = what.lower().rstrip("s")
        found = [
            one for one in parts if _has(lines, one, stem) or any(stem in line.lower() for line in one.new)
        ] or found
    at = _PLACES[ordinal.lower()]
    return found[at] if len(found) > max(at, 1) or (at < 0 and len(found) > 1) else None


def _has(lines: Sequence[str], one: Difference, word: str) -> bool:
    return any(re.search(rf"(?<!\w){re.escape(word)}", line, re.I) for line in lines[one.first : one.last])


def _new(one: Difference, word: str) -> bool:
    return any(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", line) for line in one.new)


def _hunks(parts: Sequence[Difference]) -> list[WindowHunk]:
    return [WindowHunk(one.first, one.last, one.new) for one in parts]
