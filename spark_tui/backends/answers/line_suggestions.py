"""Suggest how a line continues, from its surroundings alone: similar lines, repeated words, expected code.

Each suggestion is the rest of the line with the rule that found it, the best match first.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from spark_tui.edits.indentation import depth_of

MOST = 6
"""More bring nothing."""
MOST_CHARS = 300
"""A longer line is data: nothing is like it, and it takes long to cut."""
AFTER_ALIKE, LIKE, SAME_WORDS, DUE = "after alike", "like", "same words", "due"
"""What a rest is found by: the line like this one follows the same lines; it does not; the same words stand
before it; the lines behind ask for it."""
_PIECES = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|\s+|.", re.S)
_WORDS = re.compile(r"\w+|\s+|.", re.S)
_LEAST_CHARS = 2
_MOST_RENAMED = 2
_MOST_WORDS = 6
_MOST_SAME = 12
_FAR = 0.02
"""What a line counts less for each line that it is away."""
_SET = re.compile(r"\s*self\.(\w+)(?:: [^=]+)? = (\w+)\b")
_BLOCK = re.compile(r"\s*(?:def |class |@)")
_PARAMETER = re.compile(r"\s+\*{0,2}(\w+)(?:: .*|=.*)?,$")
Names = dict[str, str]


@dataclass(frozen=True, slots=True)
class LineSuggestion:
    """`count` is how often it was found."""

    text: str
    by: str
    alike: float
    count: int = 1


def line_suggestions(above: Sequence[str], behind: Sequence[str], typed: str) -> list[LineSuggestion]:
    """Each once, with the best that it was found by; at most `MOST`."""
    if len(typed) > MOST_CHARS:
        return []
    lines = [line if len(line) <= MOST_CHARS else "" for line in (*above, typed, *behind)]
    row = len(above)
    found: dict[str, LineSuggestion] = {}
    for way in (_due, _like_pieces, _like_words, _behind_same_words):
        for one in way(lines, row, typed):
            text = one.text.rstrip()
            had = found.get(text)
            best = one if had is None or had.alike < one.alike else had
            found[text] = replace(best, text=text, count=1 if had is None else had.count + 1)
    return sorted(found.values(), key=lambda one: -one.alike)[:MOST]


def _like_pieces(lines: Sequence[str], row: int, typed: str) -> Iterator[LineSuggestion]:
    return _like(lines, row, typed, _PIECES)


def _like_words(lines: Sequence[str], row: int, typed: str) -> Iterator[LineSuggestion]:
    return _like(lines, row, typed, _WORDS)


def _like(lines: Sequence[str], row: int, typed: str, parts: re.Pattern[str]) -> Iterator[LineSuggestion]:
    """Lines that start like this one up to a consistent renaming."""
    start = typed.lstrip()
    wanted = parts.findall(start)
    cut = [parts.findall(line.strip()) for line in lines]
    for other, line in enumerate(lines):
        if other == row or len(line.strip()) <= _LEAST_CHARS + 1:
            continue
        context, names = _context(cut, other, row)
        if not wanted and not (context and depth_of(line) == len(typed)):
            continue
        renamed = {old: new for old, new in names.items() if old != new}
        found = _rest(cut[other], wanted, renamed)
        if found is None or not found[0].strip() or (found[1] < _LEAST_CHARS and not context):
            continue
        alike = 10 * context + found[1] - 2 * len(renamed) - _FAR * abs(other - row)
        yield LineSuggestion(found[0], AFTER_ALIKE if context else LIKE, alike)


def _context(cut: Sequence[Sequence[str]], other: int, row: int) -> tuple[int, Names]:
    """How many lines, two at most, are alike above both, and the names that take each other's place in
    them."""
    for context in (2, 1):
        names: Names | None = {}
        for up in range(1, context + 1):
            usable = other >= up and row >= up and other - up != row and cut[other - up] and cut[row - up]
            names = _matched(cut[other - up], cut[row - up], names) if usable and names is not None else None
        if names is not None:
            return context, names
    return 0, {}


def _matched(old: Sequence[str], new: Sequence[str], names: Mapping[str, str]) -> Names | None:
    """`names` and those of two whole lines, which differ in nothing else; None where they do."""
    if len(old) != len(new):
        return None
    names = dict(names)
    for before, now in zip(old, new, strict=True):
        if names.get(before, now) != now:
            return None
        if before != now and not (_is_name(before) and _is_name(now)):
            return None
        if before != now or before.isalnum():
            names[before] = now
    return names if sum(old != new for old, new in names.items()) <= _MOST_RENAMED else None


def _rest(have: Sequence[str], wanted: Sequence[str], renamed: Names) -> tuple[str, int] | None:
    """The rest of a line that begins as wanted, and how many characters were the same. `renamed` is added
    to."""
    if len(have) < len(wanted):
        return None
    same, head = 0, ""
    for at, now in enumerate(wanted):
        before, last = _renamed(have[at], renamed), at == len(wanted) - 1
        if before == now or (last and before.startswith(now)):
            same, head = same + len(now), before[len(now) :]
        elif have[at] in renamed or len(renamed) >= _MOST_RENAMED or not (_is_name(before) and _is_name(now)):
            return None
        else:
            renamed[have[at]] = now
    return head + "".join(_renamed(part, renamed) for part in have[len(wanted) :]), same


def _renamed(part: str, names: Names) -> str:
    """In the case that the part has."""
    if part in names or not part.isalpha():
        return names.get(part, part)
    for old, new in names.items():
        if old.lower() == part.lower():
            if part.islower() or part.isupper():
                return new.lower() if part.islower() else new.upper()
            return new[:1].upper() + (new[1:].lower() if new.isupper() else new[1:])
    return part


def _is_name(part: str) -> bool:
    return part.replace("_", "a").isalnum()


def _behind_same_words(lines: Sequence[str], row: int, typed: str) -> Iterator[LineSuggestion]:
    """What follows the last words that were typed elsewhere; of more words first, then of nearer lines."""
    words = _WORDS.findall(typed.lstrip())
    nearest = sorted((at for at in range(len(lines)) if at != row), key=lambda at: (abs(at - row), at))
    given = 0
    for count in range(min(_MOST_WORDS, len(words)), 0, -1):
        tail = "".join(words[-count:])
        if len(tail.strip()) < _LEAST_CHARS:
            continue
        begins = re.compile(("(?<!\\w)" if tail[0].isalnum() or tail[0] == "_" else "") + re.escape(tail))
        for at in nearest:
            for found in begins.finditer(lines[at]):
                rest = lines[at][found.end() :]
                if rest.strip():
                    yield LineSuggestion(rest, SAME_WORDS, len(tail) - _FAR * abs(at - row))
                    given += 1
                if given > _MOST_SAME:
                    return


def _due(lines: Sequence[str], row: int, typed: str) -> Iterator[LineSuggestion]:
    """The signature of a constructor from the attributes it sets, and assignments for parameters not stored
    yet.
    """
    start = typed.lstrip()
    whole: list[str] = []
    if re.match(r"def __init__\((?:self[^=:]*)?$", start):
        head = f"def __init__({', '.join(['self', *_taken(lines[row + 1 :])])})"
        whole = [f"{head}:", f"{head} -> None:"]
    elif re.match(r"self\.\w*(?: (?:= ?)?\w*)?$", start):
        above = lines[:row]
        before = " ".join(above)
        whole = [f"self.{name} = {name}" for name in _parameters(above) if f"self.{name} = " not in before]
    for line in whole:
        if line.startswith(start) and line != start:
            yield LineSuggestion(line[len(start) :], DUE, 20.0)


def _taken(behind: Sequence[str]) -> list[str]:
    """What the lines of one function give to the instance as it is."""
    taken: list[str] = []
    for line in behind:
        if _BLOCK.match(line):
            break
        found = _SET.match(line)
        if found and found[2] not in ("None", "True", "False") and not found[2].isdigit():
            taken.append(found[2])
    return list(dict.fromkeys(taken))


def _parameters(above: Sequence[str]) -> list[str]:
    """Those of the function that the lines end in."""
    names: list[str] = []
    for line in reversed(above):
        if re.match(r"\s*def ", line):
            names = re.findall(r"[(,] *\*{0,2}(\w+)", line) + names[::-1]
            break
        if re.match(r"\s*class ", line):
            return []
        if found := _PARAMETER.match(line):
            names.append(found[1])
    return [name for name in names if name != "self"]
