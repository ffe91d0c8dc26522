"""What speaks for a pattern, wherever it goes, as numbers for `confidence.py`."""

from __future__ import annotations

import keyword
import math
from collections.abc import Sequence
from difflib import SequenceMatcher

from spark_tui.next_edit.changes import Change
from spark_tui.next_edit.known_rewrites import is_known
from spark_tui.next_edit.patterns import Pattern
from spark_tui.next_edit.search import count_of
from spark_tui.next_edit.tokens import is_anchor, is_word
from spark_tui.pysource.files.index import Index
from spark_tui.pysource.names.undefined import KNOWN

Features = dict[str, float]
_MOST_COUNTED = 3
"""Words of a pattern of which the rarest is taken."""


def replaced_name(change: Change) -> tuple[str, str] | None:
    """The name that a change replaced, and the new one."""
    went, came = change.went, change.came
    if len(went) != 1 or len(came) != 1:
        return None
    old, new = went[0], came[0]
    if not (is_word(old) and is_word(new)) or keyword.iskeyword(old) or keyword.iskeyword(new):
        return None
    return old, new


def sort_of(change: Change) -> str:
    """`insertion`, `deletion`, `wrap`, `name` or `exchange`."""
    if not has_word(change):
        return "insertion"
    if not change.came:
        return "deletion"
    if len(change.runs) > 1:
        return "wrap"
    return "name" if replaced_name(change) is not None else "exchange"


def has_word(change: Change) -> bool:
    """Whether a word went."""
    return any(map(is_anchor, change.went))


def of_pattern(index: Index, before: Index, pattern: Pattern, everywhere: int) -> Features:
    """What does not depend on how far the pattern goes. It stands in so many places; `before` is the index
    without the changes."""
    newest, examples, template = pattern.examples[0], pattern.alike, pattern.template
    went, came = newest.went, newest.came
    longest = _longest(went)
    names = replaced_name(newest)
    low, high = newest.old
    texts = newest.before.texts
    behind = texts[high] if high < len(texts) else ""
    rarest = min((_count(index, anchor) for anchor in template.anchors[:_MOST_COUNTED]), default=0)
    out = {
        f"context {pattern.context.removesuffix(' kept')}": 1.0,
        f"in {newest.before.kind(low) or 'statement'}": 1.0,
        "kept": float(pattern.context.endswith("kept")),
        "more": float(len(examples) > 1),
        "examples": math.log2(len(examples)),
        "files of examples": math.log2(len({example.path for example in examples})),
        "python asks": float(is_known(newest)),
        "literals": min(template.literals, 10) / 4,
        "holes": float(any(isinstance(item, int) for item in template.old)),
        "length": min(len(longest), 16) / 8,
        "compound": float("_" in longest.strip("_") or longest[1:].lower() != longest[1:]),
        "similar": SequenceMatcher(None, " ".join(went).lower(), " ".join(came).lower()).ratio(),
        "other case": float(any(text not in came and text.lower() in came for text in went if is_word(text))),
        "quotes": float(len(went) == len(came) == 1 and went[0].strip("'\"") == came[0].strip("'\"")),
        "number": float(all(text.isdigit() for text in went) and bool(went)),
        "text": float(any(item[-1] in "'\"" for item in went)),
        "constant": float(all(keyword.iskeyword(item) or not is_word(item) for item in went)),
        "builtin": float(any(item in KNOWN for item in went)),
        "argument": float(behind == "=" and low > 0 and texts[low - 1] in ("(", ",")),
        "called": float(behind == "("),
        "new name": float(names is not None and not _stands(newest, names[1])),
        "old name defined": float(names is not None and bool(before.symbols(names[0]))),
        "new name defined": float(names is not None and bool(before.symbols(names[1]))),
        "member": float(bool(template.member)),
        "whole line": float(came[-1:] == ["\n"] or went[-1:] == ["\n"]),
        "rare": math.log2(1 + _count(index, longest)) / 4,
        "rarest": math.log2(1 + rarest) / 4,
        "share of word": min(everywhere / rarest, 1.0) if rarest else 0.0,
        "known": math.log2(1 + _count(index, _longest(came))) / 4,
        "many came": math.log2(1 + len(came)) / 2,
    }
    if len(examples) > 1:
        out["diverse"] = float(_sides(examples[0]) != _sides(examples[-1]))
        out["apart"] = math.log2(1 + abs(examples[0].old[0] - examples[-1].old[0])) / 8
    return out


def _longest(words: Sequence[str]) -> str:
    return max((word for word in words if is_word(word)), key=len, default="")


def _count(index: Index, word: str) -> int:
    return count_of(index, word) if word else 0


def _stands(change: Change, name: str) -> bool:
    """Whether the file had a name before the change."""
    return next(change.before.positions(name), None) is not None


def _sides(change: Change) -> tuple[str, ...]:
    low, high = change.old
    texts = change.before.texts
    return tuple(texts[max(low - 2, 0) : low] + texts[high : high + 2])
