"""Whether code in a fence is its whole file, or a part of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from spark_tui.edits.code_words import is_elision, is_import, says
from spark_tui.edits.places.locate import folded
from spark_tui.edits.snippets.outline import Unit, units_of

_TINY = 3
_FEW = 3
"""A file of more definitions is not replaced by code that has less than half of them."""
_MOST_MISSING = 0.4
_DOCSTRING = re.compile(r"""[rRuU]?("{3}|'{3}|"|')((?!\1)[\s\S])*\1""")
_MOST_CHANGED = 0.2
"""The share of lines in which a whole file may differ if one of its definitions is missing."""


def is_whole(old: Sequence[str], new: Sequence[str], asked: str, cue: str) -> bool:
    """Only where the code reads from the file's beginning to its end. `asked`: the format that the model was
    asked for; `cue`: the line before the fence."""
    filled = [line for line in old if line.strip()]
    lines = [line for line in new if line.strip()]
    if not filled:
        return True
    if not lines or _leaves_out(old, new):
        return False
    said_so = asked == "whole" or says("whole", cue)
    before, now = _names(units_of(old)), _names(units_of(new))
    if before:
        kept = [name for name in before if name in now]
        share = len(kept) / len(before)
        if share == 1:
            begins = _begins_alike(filled, lines) or _lacks_imports_alone(filled, lines)
            begins = begins or ("docstring" in cue.lower() and _lacks_docstring_alone(filled, lines))
            ends = _ends_alike(old, new, before, now) or _lacks_unused_imports_alone(filled, lines)
            return said_so or (begins and ends)
        if said_so:
            return share >= 0.5 or len(set(before)) <= _FEW
        if _repeats(filled, lines) and _keeps_imports(old, new):
            return True
        return (
            len(kept) > 1
            and share >= 1 - _MOST_MISSING
            and _begins_alike(filled, lines)
            and before[-1] in now
            and _keeps_imports(old, new)
        )
    if said_so or len(filled) <= _TINY:
        return said_so or len(lines) >= len(filled)
    have = {folded(line) for line in lines}
    shared = sum(folded(line) in have for line in filled) / len(filled)
    ends = folded(filled[-1]) == folded(lines[-1])
    return (_begins_alike(filled, lines) or ends) and shared >= 0.5 and 2 * len(lines) >= len(filled)


def _repeats(filled: Sequence[str], words: Sequence[str]) -> bool:
    """Whether the code begins and ends as the file does and has nearly all of its lines: a name that is
    missing was changed, as one that a class is renamed from."""
    if not _begins_alike(filled, words) or folded(filled[-1]) != folded(words[-1]):
        return False
    missing = Counter(map(folded, filled)) - Counter(map(folded, words))
    return missing.total() <= _MOST_CHANGED * len(filled)


def _lacks_imports_alone(filled: Sequence[str], words: Sequence[str]) -> bool:
    """Whether the code begins with an import of the file and lacks nothing but others: they are removed."""
    missing = Counter(map(folded, filled)) - Counter(map(folded, words))
    return is_import(words[0]) and folded(words[0]) in map(folded, filled) and all(map(is_import, missing))


def _lacks_docstring_alone(filled: Sequence[str], words: Sequence[str]) -> bool:
    """Whether the code is the file without the text that it begins with."""
    gone = "\n".join(filled[: len(filled) - len(words)])
    alike = list(map(folded, filled[-len(words) :])) == list(map(folded, words))
    return alike and _DOCSTRING.fullmatch(gone) is not None


def _lacks_unused_imports_alone(filled: Sequence[str], words: Sequence[str]) -> bool:
    missing = Counter(map(folded, filled)) - Counter(map(folded, words))
    names, have = (set(re.findall(r"\w+", "\n".join(lines))) for lines in (missing, words))
    return all(map(is_import, missing)) and not (names - {"import", "from", "as"}) & have


def covers_all(old: Sequence[str], new: Sequence[str]) -> bool:
    """Whether every definition and import of the file is in the code, and nothing was left out."""
    before, now = _names(units_of(old)), _names(units_of(new))
    return bool(before) and set(before) <= set(now) and _keeps_imports(old, new) and not _leaves_out(old, new)


def _leaves_out(old: Sequence[str], new: Sequence[str]) -> bool:
    stands = {line.strip() for line in old}
    return any(is_elision(line) and line.strip() not in stands for line in new)


def _names(units: Sequence[Unit]) -> list[str]:
    return [unit.name for unit in units]


def _begins_alike(filled: Sequence[str], words: Sequence[str]) -> bool:
    return folded(filled[0]) == folded(words[0])


def _ends_alike(old: Sequence[str], new: Sequence[str], before: list[str], now: list[str]) -> bool:
    """Whether the code also has what comes after the last definition of the file."""
    tail = [folded(line) for line in old[units_of(old)[-1].end :] if line.strip()]
    have = {folded(line) for line in new}
    return before[-1] in now and all(line in have for line in tail[:1]) and _keeps_imports(old, new)


def _keeps_imports(old: Sequence[str], new: Sequence[str]) -> bool:
    imports = [folded(line) for line in old if is_import(line) and not line[:1].isspace()]
    have = {folded(line) for line in new}
    return not imports or 2 * sum(line in have for line in imports) >= len(imports)
