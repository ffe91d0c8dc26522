"""Types that an instruction says in words, in their order, and which of them is what a function returns."""

from __future__ import annotations

import re

from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.words import phrases

_WORD = re.compile(r"[^\W_][\w.]*(?:\[[^\]]*\]+)?|->")
_LONGEST = 6
_NEAR = 3
"""How many words before or after a type tell that it is returned."""
_VAGUE = ("Any", "object", "Callable")


def types_said(context: Context, path: str) -> list[tuple[str, tuple[int, int]]]:
    """The types in the instruction, each with the first and last of its words."""
    words = _words(context)
    known = context.visible(path, None).module.values() if path in context.repo.index.paths else ()
    classes = {item: item for item in known if item[:1].isupper()}
    names = [*classes, *(f"{cls}s" for cls in classes)]
    out: list[tuple[str, tuple[int, int]]] = []
    at = 0
    while at < len(words):
        for length in range(min(_LONGEST, len(words) - at), 0, -1):
            text = " ".join(words[at : at + length])
            code = phrases.type_code(text, names) if _is_type(text, names) else None
            if code is not None and code.partition("[")[0] not in _VAGUE:
                out.append((classes.get(code.removesuffix("s"), code), (at, at + length - 1)))
                at += length - 1
                break
        at += 1
    return out


def _is_type(text: str, classes: list[str]) -> bool:
    """Whether a text may be a type and not only a word that is spelled like one."""
    bare = phrases.without_articles(text)
    known = bare in classes or bare in phrases.words("type_names")
    return known or phrases.type_code(text) not in (None, bare)


def said_parts(context: Context, path: str, count: int) -> tuple[list[str], str]:
    """The types of so many parameters as they are said in a row, and that of the result."""
    words, taken, result = _words(context), list[str](), ""
    found = types_said(context, path)
    for at, (code, (low, high)) in enumerate(found):
        before = found[at - 1][1][1] + 1 if at else 0
        behind = found[at + 1][1][0] if at + 1 < len(found) else len(words)
        front = words[max(before, low - _NEAR) : low]
        back = words[high + 1 : min(behind, high + 1 + _NEAR)]
        if not result and (_mentions(front, "returning_words") or _mentions(back, "returned_words")):
            result = code
            continue
        if at == len(found) - 1 and taken and len(taken) == count and not result:
            result = code
            continue
        many = next((int(text) for text in map(phrases.number, front[-1:]) if text and text.isdigit()), 1)
        every = any(phrases.is_said(kind, word) for kind in ("both", "every") for word in front)
        taken += [code] * (count if every else many)
    return taken, result


def _mentions(words: list[str], kind: str) -> bool:
    return any(phrases.is_said(kind, word) for word in words)


def _words(context: Context) -> list[str]:
    """The words of the instruction, without those of the named function."""
    text = context.situation.instruction
    for item in context.reading.slots.get("function", ()):
        if item.start >= 0:
            text = text[: item.start] + " " * (item.end - item.start) + text[item.end :]
    return _WORD.findall(text)
