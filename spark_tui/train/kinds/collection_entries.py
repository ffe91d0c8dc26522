"""Entries of named collections, on one line or on many: added, removed, or given another value.

A window without a collection is given one.
"""

from __future__ import annotations

import ast
import re

from spark_tui.train import settings_modules
from spark_tui.train.kinds.base import Draw, Made, inside, kind
from spark_tui.train.kinds.idioms import on_own_line
from spark_tui.train.kinds.named_collections import Collection, collections, some_word, with_collection
from spark_tui.train.kinds.place_position import placed
from spark_tui.train.referring_phrases import words_of
from spark_tui.train.source_windows import SourceWindow
from spark_tui.train.tables import table
from spark_tui.train.template_grammar import HELD_OUT, CodeSlot, ExactSlot, NameSlot, Slot, WordsSlot

wording = table("wording/entries")


def _items(node: Collection) -> list[tuple[ast.expr | None, ast.expr]]:
    if isinstance(node, ast.Dict):
        return [(key, value) for key, value in zip(node.keys, node.values, strict=True) if key is not None]
    return [(None, item) for item in node.elts]


def _role(window: SourceWindow, name: str, draw: Draw) -> Slot:
    """The name of the collection, or its words if they mean nothing else."""
    words = words_of(name)
    others = {n for n in window.names if n != name and {*words} & {*words_of(n)}}
    if draw.chance(0.45) or (others and len(words) == 1):
        return NameSlot(name)
    return WordsSlot(
        " ".join(words)
        if others or draw.chance(0.5)
        else draw.choice(
            [words[-1], "the " + " ".join(words), f"{words[-1]} {'dict' if draw.chance(0.3) else 'list'}"]
        )
    )


def _quote(window: SourceWindow, node: ast.AST) -> str:
    source = window.source(node)
    return "'" if "'" in source and '"' not in source else '"'


def _new_key(window: SourceWindow, key: ast.expr, node: ast.Dict, draw: Draw) -> tuple[str, str]:
    """Source of a new key, and its wording; empty if the keys have no plain type."""
    if isinstance(key, ast.Constant) and isinstance(key.value, str):
        word = some_word(draw)
        new = word.upper() if key.value.isupper() else word.capitalize() if key.value[:1].isupper() else word
        mark = _quote(window, key)
        return mark + new + mark, draw.choice(
            [new, new, word, f'"{new}"', word.capitalize()]
        ) if new.lower() == word else new
    if isinstance(key, ast.Constant) and type(key.value) is int:
        numbers = [k.value for k in node.keys if isinstance(k, ast.Constant) and isinstance(k.value, int)]
        new = str(max(numbers) + (1 if draw.chance(0.7) else draw.rng.randint(2, 20)))
        return new, new
    return "", ""


def _like(window: SourceWindow, value: ast.expr, draw: Draw) -> tuple[str, Slot] | None:
    """Another value of the same type, and its wording."""
    source = window.source(value)
    if isinstance(value, ast.Constant) and isinstance(value.value, bool):
        new = draw.choice(["True", "False"])
        return new, ExactSlot(draw.choice([new, new.lower()]))
    if isinstance(value, ast.Constant) and isinstance(value.value, int | float):
        new = settings_modules.literal("share" if "." in source else "number", draw.rng)
        return new, ExactSlot(new)
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        word, mark = some_word(draw), _quote(window, value)
        new = (
            word.upper()
            if value.value.isupper()
            else word.capitalize()
            if value.value[:1].isupper()
            else word
        )
        return mark + new + mark, ExactSlot(new, quoted=draw.chance(0.4))
    return None


def _record(window: SourceWindow, value: ast.Dict, draw: Draw) -> tuple[str, str] | None:
    """A dict with the same keys, and the wording of its fields."""
    parts, told = [], []
    for key, item in zip(value.keys, value.values, strict=True):
        made = _like(window, item, draw)
        if not isinstance(key, ast.Constant) or not isinstance(key.value, str) or made is None:
            return None
        text = made[0].strip("\"'")
        parts.append(f"{window.source(key)}: {made[0]}")
        told.append(
            text
            if key.value == "name" and draw.chance(0.6)
            else draw.choice(
                [f"{key.value} {text}", f"{key.value} {text}", f"{key.value}: {text}", f"{key.value}={text}"]
            )
        )
    return "{" + ", ".join(parts) + "}", ", ".join(told)


def _put(window: SourceWindow, node: Collection, new: str) -> str | None:
    """The text with an entry added after the last one."""
    items = _items(node)
    if not items:
        return None
    last, source = items[-1][1], window.source(node)
    end = window.span(node)[1]
    if node.lineno == node.end_lineno:
        if source[-1] not in ")]}" or source[-2] in ", ":
            return None
        return window.text[: end - 1] + f", {new}" + window.text[end - 1 :]
    if not on_own_line(window, last, node) and not (
        window.lines[(last.end_lineno or 0) - 1].endswith(",") and last.lineno == last.end_lineno
    ):
        return None
    if window.lines[(node.end_lineno or 0) - 1].strip() not in (")", "]", "}", ")]", "})"):
        return None
    line = window.lines[(items[-1][0] or last).lineno - 1]
    indent = line[: len(line) - len(line.lstrip())]
    if not indent or not window.lines[(last.end_lineno or 0) - 1].rstrip().endswith(","):
        return None
    at = window.starts[last.end_lineno or 0]
    return window.text[:at] + f"{indent}{new},\n" + window.text[at:]


def _naming(phrases: tuple[str, ...], *slots: str) -> tuple[str, ...]:
    """Templates that say which collection is meant."""
    return tuple(t for t in phrases if t == HELD_OUT or any(slot in t for slot in slots))


def _of(window: SourceWindow, told: str, phrases: tuple[str, ...]) -> tuple[str, ...]:
    """All templates if the entry is named nowhere else in the file, otherwise only those that name the
    collection."""
    once = len(re.findall(rf"(?<!\w){re.escape(told)}(?!\w)", window.text, re.IGNORECASE)) == 1
    return phrases if once else _naming(phrases, "{r}")


@kind("add_entry", *wording["add_entry"], needs=r"def |class |=", weight=4.0)
def add_entry(window: SourceWindow, draw: Draw) -> Made | None:
    """Adds an entry at the end."""
    window = with_collection(window, draw) if draw.chance(0.7) else window
    for name, node in draw.shuffled(collections(window)):
        items = _items(node)
        if not items:
            continue
        key, value = items[-1]
        function = window.function_of(node)
        slots: dict[str, Slot] = {
            "r": _role(window, name, draw),
            **placed(
                inside(window, function, draw) if function is not None and draw.chance(0.3) else WordsSlot("")
            ),
        }
        words = words_of(name)
        slots["one"] = WordsSlot(words[-1][:-1] if words[-1].endswith("s") else words[-1])
        phrases: tuple[str, ...]
        made = _like(window, value, draw)
        if isinstance(value, ast.Dict):
            found = _record(window, value, draw)
            if found is None:
                continue
            new, slots["fields"], phrases = (
                found[0],
                ExactSlot(found[1]),
                wording["add_record"] if key is not None else wording["add_record_list"],
            )
        elif isinstance(value, ast.Tuple):
            parts = [_like(window, item, draw) for item in value.elts]
            sources = [p[0] for p in parts if p is not None]
            if len(sources) != len(parts) or len(parts) < 2:
                continue
            new, phrases = "(" + ", ".join(sources) + ")", wording["add_item"]
            slots["v"] = (
                ExactSlot(" ".join(s.strip("\"'") for s in sources)) if draw.chance(0.4) else CodeSlot(new)
            )
        elif made is not None:
            new, slots["v"], phrases = (
                made[0],
                made[1],
                wording["add_entry"] if key is not None else wording["add_item"],
            )
        else:
            continue
        if key is not None and isinstance(node, ast.Dict):
            fresh, said = _new_key(window, key, node, draw)
            slots["k"] = ExactSlot(said)
            entry = f"{fresh}: {new}"
            if not fresh or fresh in window.source(node):
                continue
        else:
            entry = new
            if new in window.source(node):
                continue
        if len(collections(window)) > 1:
            phrases = _naming(phrases, "{r}", "{one}")
        after = _put(window, node, entry)
        if after is not None:
            return Made(window.text, after, slots, phrases)
    return None


def _said(window: SourceWindow, node: ast.expr, draw: Draw) -> str:
    """An entry as people call it: its text without quotes, in another letter case, with spaces for dashes."""
    text = window.source(node).strip("\"'")
    ways = [text, text, text.lower(), text.replace("_", " ").replace("-", " ")]
    return draw.choice(ways)


def _alone(window: SourceWindow, node: Collection, told: str) -> bool:
    return len(re.findall(rf"(?<!\w){re.escape(told)}(?!\w)", window.source(node), re.IGNORECASE)) == 1


@kind("remove_entry", *wording["remove"], needs=r"def |class |=", weight=3.0)
def remove_entry(window: SourceWindow, draw: Draw) -> Made | None:
    """Removes an entry that is named loosely."""
    window = with_collection(window, draw) if draw.chance(0.7) else window
    for name, node in draw.shuffled(collections(window)):
        items = _items(node)
        if len(items) < 2:
            continue
        at = draw.rng.randrange(len(items))
        key, value = items[at]
        shown = (
            key
            if key is not None
            else value.elts[0]
            if isinstance(value, ast.Tuple) and value.elts
            else value
        )
        if isinstance(value, ast.Dict) and key is None and value.values:
            shown = value.values[0]
        if not isinstance(shown, ast.Constant | ast.Name) or (
            isinstance(shown, ast.Constant) and isinstance(shown.value, bool)
        ):
            continue
        told = _said(window, shown, draw)
        if not _alone(window, node, told) or not told.strip() or len(told) > 30:
            continue
        first, last = window.span(key or value)[0], window.span(value)[1]
        low, high = (key or value).lineno, value.end_lineno or 0
        if node.lineno == node.end_lineno:
            if at:
                first = window.span(items[at - 1][1])[1]
            elif window.text[last : last + 2] == ", ":
                last += 2
            else:
                continue
            after = window.text[:first] + window.text[last:]
            if isinstance(node, ast.Tuple) and len(items) == 2:
                continue
        elif (
            window.lines[high - 1].rstrip().endswith(",")
            and re.fullmatch(r"\s*", window.lines[low - 1][: (key or value).col_offset])
            and low not in (node.lineno, node.end_lineno)
        ):
            if at + 1 < len(items) and (items[at + 1][0] or items[at + 1][1]).lineno == high:
                continue
            start, end = window.line_span(low, high)
            after = window.text[:start] + window.text[end:]
        else:
            continue
        function = window.function_of(node)
        slots: dict[str, Slot] = {
            "v": ExactSlot(told, quoted=draw.chance(0.3)),
            "r": _role(window, name, draw),
            **placed(
                inside(window, function, draw) if function is not None and draw.chance(0.3) else WordsSlot("")
            ),
        }
        return Made(window.text, after, slots, _of(window, told, wording["remove"]))
    return None


@kind("change_entry", *wording["change"], needs=r"def |class |=", weight=2.5)
def change_entry(window: SourceWindow, draw: Draw) -> Made | None:
    """Changes the value of a key, or of a field of an entry."""
    window = with_collection(window, draw) if draw.chance(0.7) else window
    for name, node in draw.shuffled(collections(window)):
        if not isinstance(node, ast.Dict):
            continue
        for key, value in draw.shuffled(_items(node)):
            if not isinstance(key, ast.Constant) or isinstance(key.value, bool | float):
                continue
            told = _said(window, key, draw)
            made, field = _like(window, value, draw), ""
            spot = value
            if isinstance(value, ast.Dict) and value.values:
                at = draw.rng.randrange(len(value.values))
                inner = value.keys[at]
                if not isinstance(inner, ast.Constant) or not isinstance(inner.value, str):
                    continue
                spot, field = value.values[at], inner.value
                made = _like(window, spot, draw)
            if (
                made is None
                or made[0] == window.source(spot)
                or not _alone(window, node, told)
                or (told.isdigit() and not field)
            ):
                continue
            start, end = window.span(spot)
            function = window.function_of(node)
            shown = (
                told
                if not field
                else draw.choice([f"{field} of {told}", f"{told} {field}", f"the {field} of {told}"])
            )
            old = window.source(spot)
            slots: dict[str, Slot] = {
                "k": ExactSlot(shown),
                "v": made[1],
                "o": ExactSlot(old.strip("\"'")),
                "r": _role(window, name, draw),
                **placed(
                    inside(window, function, draw)
                    if function is not None and draw.chance(0.3)
                    else WordsSlot("")
                ),
            }
            return Made(
                window.text,
                window.text[:start] + made[0] + window.text[end:],
                slots,
                _of(window, told, wording["change"]),
            )
    return None
