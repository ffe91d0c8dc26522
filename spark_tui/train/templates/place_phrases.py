"""Phrases that say where an edit is: in a function, near a line, in a loop, below another line."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from random import Random

from spark_tui.engine.text.token_layout import WindowHunk
from spark_tui.train.source_windows import Function, SourceWindow
from spark_tui.train.templates.grammar import CodeSlot, NameSlot, PlaceSlot, Slot, SubTemplate, WordsSlot
from spark_tui.train.templates.tables import table

_TABLES = table("tables/places")

_BEHIND: tuple[str, ...] = _TABLES["behind"]
_FRONT: tuple[str, ...] = _TABLES["front"]


def fname(function: Function) -> NameSlot:
    return NameSlot(function.name, call=True)


def inside_function(window: SourceWindow, function: Function | None, rng: Random) -> PlaceSlot | WordsSlot:
    """` in foo` in some wording; sometimes nothing if the window has only one function."""
    if function is None:
        return WordsSlot("")
    if len(window.functions) == 1 and rng.random() < 0.5:
        return WordsSlot(rng.choice(["", "", "", " in this function", " here", " in the function"]))
    owner = window.owner(function)
    noun = rng.choice(("method", "method", "function") if owner else ("function", "function", "func", "fn"))
    shown: Slot = fname(function)
    alone = owner is not None and len([item for item in owner.body if isinstance(item, Function)]) == 1
    if owner is not None and rng.random() < 0.2:
        shown = NameSlot(f"{owner.name}.{function.name}", call=True)
    elif owner is not None and rng.random() < (0.15 if alone else 0.06):
        shown = SubTemplate(
            rng.choice(("{f} of {c}", "{c}'s {f}", "{f} in {c}")),
            {"f": fname(function), "c": NameSlot(owner.name)},
        )
    behind = rng.choice(_BEHIND).replace("NOUN", noun)
    front = rng.choice(_FRONT).replace("NOUN", noun)
    return PlaceSlot(behind, front, {"f": shown})


def _near(window: SourceWindow, line: int, rng: Random) -> int:
    return min(len(window.lines), max(1, line + rng.choice((0, 0, 0, -1, 1, -2, 2))))


def hint(window: SourceWindow, hunks: Sequence[WindowHunk], told: str, rng: Random) -> PlaceSlot | None:
    """A phrase for the place of an edit, for an instruction that may already say it (`told` is its text)."""
    if not hunks:
        return None
    low, high = hunks[0].first + 1, max(hunks[-1].last, hunks[-1].first + 1)
    options: list[PlaceSlot] = []
    if high - low < 6 and not re.search(r"\b(?:lines?|ln)\b|\bL\d", told, re.IGNORECASE):
        options += _by_line(window, low, high, hunks, rng)
    around = [f for f in window.functions if window.first_line(f) <= low and high <= (f.end_lineno or 0)]
    if around:
        options += _by_function(window, around[0], low, high, told, rng)
    else:
        options += _by_file(window, low, high)
    if len(hunks) == 1:
        options += _by_neighbour(window, hunks[0], told)
    return rng.choice(options) if options else None


def _by_line(
    window: SourceWindow, low: int, high: int, hunks: Sequence[WindowHunk], rng: Random
) -> list[PlaceSlot]:
    slots = {
        "n": WordsSlot(str(low)),
        "k": WordsSlot(str(high)),
        "m": WordsSlot(str(_near(window, low, rng))),
    }
    shapes = [
        (" near line {m}", "near line {m}, "),
        (" around line {m}", "around line {m}: "),
        (" (around line {m})", "somewhere near line {m}, "),
        (", about line {m}", "line {m} or so: "),
    ]
    if len(hunks) == 1 and hunks[0].last > hunks[0].first:
        if low == high:
            shapes += [
                (" (line {n})", "line {n}: "),
                (" on line {n}", "on line {n}, "),
                (" at line {n}", "L{n}: "),
                (", line {n}", "line {n}, "),
                (" (L{n})", "at line {n} "),
            ]
        else:
            shapes += [
                (" (lines {n}-{k})", "lines {n}-{k}: "),
                (" on lines {n} to {k}", "on lines {n}-{k}, "),
                (", L{n}-{k}", "L{n}-L{k}: "),
            ]
    return [PlaceSlot(behind, front, slots) for behind, front in shapes]


_INNER: tuple[tuple[type[ast.stmt] | type[ast.excepthandler] | tuple[type[ast.stmt], ...], str], ...] = (
    ((ast.For, ast.AsyncFor), "[loop|for loop|loop]"),
    (ast.While, "[loop|while loop|while]"),
    (ast.Try, "try[| block|/except]"),
    ((ast.With, ast.AsyncWith), "with[| block]"),
    (ast.ExceptHandler, "except[| block| branch|]"),
    (ast.If, "if[| block| branch|]"),
)


def _by_function(
    window: SourceWindow, function: Function, low: int, high: int, told: str, rng: Random
) -> list[PlaceSlot]:
    out: list[PlaceSlot] = []
    slots: dict[str, Slot] = {"f": fname(function)}
    owner = window.owner(function)
    named = re.search(rf"\b{re.escape(function.name)}\b", told) is not None
    if not named:
        place = inside_function(window, function, rng)
        out += [place] * 4 if isinstance(place, PlaceSlot) else []
    if owner is not None and owner.name not in told:
        for noun in ("class ", ""):
            out.append(PlaceSlot(f" in {noun}{{c}}", f"in {noun}{{c}}, ", {"c": NameSlot(owner.name)}))
    body = window.body_after_docstring(function)
    if not body:
        return out
    of = "" if named or len(window.functions) == 1 else "[ of| in] {f}"
    first, last = window.first_line(body[0]), body[-1].end_lineno or 0
    if last - first > 3 and first <= low and high <= last:
        if high <= first + 1:
            out += [
                PlaceSlot(f" at the {w}{of}", f"at the {w}{of}, ", slots)
                for w in ("top", "start", "beginning")
            ]
        if low >= last:
            out += [PlaceSlot(f" at the {w}{of}", f"at the {w}{of}, ", slots) for w in ("bottom", "end")]
    for types, phrase in _INNER:
        blocks = [node for node in ast.walk(function) if isinstance(node, types)]
        if len(blocks) == 1 and blocks[0].lineno <= low and high <= (blocks[0].end_lineno or 0):
            out.append(PlaceSlot(f" in the {phrase}{of}", f"in the {phrase}{of}, ", slots))
            out.append(PlaceSlot(f" inside the {phrase}{of}", f"the {phrase}{of}: ", slots))
    return out


def _by_file(window: SourceWindow, low: int, high: int) -> list[PlaceSlot]:
    defined = [window.first_line(node) for node in (*window.functions, *window.classes)]
    if defined and high < min(defined):
        return [
            PlaceSlot(f" at the top{of}", f"at the top{of}, ", {})
            for of in ("", " of the file", " of the module")
        ]
    tail = [window.last_line(node) for node in window.tree.body if isinstance(node, Function | ast.ClassDef)]
    if tail and low > max(tail):
        return [
            PlaceSlot(f" at the {w} of the file", f"at the {w} of the file, ", {}) for w in ("bottom", "end")
        ]
    return []


def _by_neighbour(window: SourceWindow, hunk: WindowHunk, told: str) -> list[PlaceSlot]:
    """Below or above a line that stays, if its text is unique and short."""
    out = []
    for at, words in (
        (hunk.first - 1, ("below", "right after", "under", "just after")),
        (hunk.last, ("above", "right before", "just before")),
    ):
        if not 0 <= at < len(window.lines):
            continue
        text = window.lines[at].strip()
        if 6 < len(text) < 50 and text not in told and sum(text in line for line in window.lines) == 1:
            out += [
                PlaceSlot(f" {word} {{t}}", f"{word} {{t}}, ", {"t": CodeSlot(text)}) for word in words[:2]
            ]
            out += [
                PlaceSlot(f" ({word} {{t}})", f"{word} {{t}}: ", {"t": CodeSlot(text)}) for word in words[2:]
            ]
    return out
