"""Attributes that are said by what they are for: *a lost counter, starting at 0*, *a list of players*.

Comes in: an order. Goes out: edits of `__init__`, or of the fields of a data class. Must not know: other families.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.literals import literal
from spark_tui.refactor.members.classes import Held, classes_meant
from spark_tui.refactor.members.said import accounted, asides
from spark_tui.refactor.order import Edit, Order, _parts
from spark_tui.refactor.saying import FILLERS
from spark_tui.refactor.source import Change

_VALUE = r"(?:an? )?empty \w+|\"[^\"]*\"|'[^']*'|`[^`]+`|-?\d[\d_.]*|zero|one|two|three|four|five|six|seven|eight|nine|ten|None|True|False|true|false|none|null|\[\]|\{\}|\"\""
_STARTS = (
    re.compile(rf"[\s,;(]*(?:\b(?:which|that|it|and|should|must|it's)\s+)*\b(?:start(?:s|ing|ed)?|begin(?:s|ning)?|initial(?:ly|i[sz]ed)?|default(?:s|ing)?|set)(?:\s+(?:value|out|off|at|with|to|as|from|of|is|it))*\s*[:=]?\s*(?P<v>{_VALUE})\)?", re.I),
    re.compile(rf"[\s,;(]*(?:with\s+|at\s+|is\s+|=\s*)?(?P<v>{_VALUE})\s+(?:at first|at the (?:start|beginning)|in the beginning|to (?:start|begin) with|initially|by default|from the start|as default)\)?", re.I),
    re.compile(rf"[\s,;(]*(?:\bwith|=|:|\bof)\s*(?P<v>{_VALUE})\)?\s*$", re.I),
    re.compile(rf"\s*[,(]\s*(?P<v>{_VALUE})\)?\s*$", re.I),
)  # fmt: skip
_EMPTY = re.compile(
    r"[\s,;(]*\b(?:(?:which|that|it|and|is|starts?|starting|begins?)\s+)*empty(?:\s+(?:at first|at the (?:start|beginning)|in the beginning|initially|to (?:start|begin) with))?\)?\s*$|\bempty\s+(?=list|dict|set)",
    re.I,
)
_KINDS = (
    (r"(?:counter|count|tally)", "0"), (r"list", "[]"), (r"(?:dict(?:ionary)?|mapping)", "{}"), (r"set", "set()"), (r"(?:flag|bool(?:ean)?|switch)", "False"),
)  # fmt: skip
_WORDS = frozenset(
    [
        "add",
        "give",
        "gives",
        "need",
        "needs",
        "should",
        "must",
        "have",
        "has",
        "get",
        "gets",
        "want",
        "wants",
        "keep",
        "keeps",
        "track",
        "of",
        "store",
        "hold",
        "remember",
        "also",
        "too",
        "new",
        "another",
        "a",
        "an",
        "the",
        "to",
        "for",
        "in",
        "with",
        "own",
        "its",
        "it",
        "attribute",
        "attr",
        "field",
        "member",
        "variable",
        "counter",
        "count",
        "tally",
        "list",
        "dict",
        "dictionary",
        "mapping",
        "set",
        "flag",
        "bool",
        "boolean",
        "switch",
        "that",
        "which",
        "is",
        "starts",
        "start",
        "starting",
        "begin",
        "begins",
        "beginning",
        "at",
        "first",
        "initially",
        "initial",
        "default",
        "defaults",
        "zero",
        "empty",
        "called",
        "named",
        "class",
        "object",
        "objects",
        "instance",
        "each",
        "every",
        "all",
        "there",
        "and",
        "me",
        "please",
        "one",
        "more",
        "from",
        "out",
        "value",
        "let",
        "they",
        "their",
        "number",
    ]
)
_WANT = re.compile(
    r"\b(?:add|give|needs?|should (?:also )?(?:have|keep|hold|store|get|remember|track)|ha(?:s|ve)|gets?|keeps?|wants?|store|remember)\b",
    re.I,
)
_OTHER = re.compile(
    r"\b(?:method|property|function|argument|parameter|param|print|log|return\w*|sort\w*|loop|if|when|docstring|comment|type hint|import|test|check|constant|decorator|column|key|entry|remove|delete|drop|rename|change|instead|enum|option|command|class attribute|class variable|item|element|call|line|to the list|in the list)\b|--",
    re.I,
)
_TYPES = {"0": "int", "[]": "list", "{}": "dict", "set()": "set", "False": "bool", "True": "bool"}


def counted(order: Order) -> Iterator[Edit]:
    text, off = asides(order)
    if not _WANT.search(text) or _OTHER.search(text) or order.functions(text):
        return
    for held in classes_meant(order, text):
        said = _said(held, text)
        if said is None or (held.has_fields and re.search(r"\b(?:int|str|float|string|type|optional)\b", text)):
            continue
        name, value, used = said
        changes = _changes(held, name, value)
        if changes is not None:
            plural = f"{held.name}s {' '.join(_parts(held.name))} {' '.join(_parts(held.name))}s"
            yield order.edit(changes, *accounted(order, text, off, _WORDS, name, held.name, plural, *used))
            return


def _said(held: Held, text: str) -> tuple[str, str, list[str]] | None:
    spoken = rf"{re.escape(held.name)}|{'[ -]'.join(map(re.escape, _parts(held.name)))}"
    named = re.search(rf"(?<![\w.])(?:{spoken})(?:e?s)?(?:'s?)?(?!\w)", text, re.I)
    if named is None and not re.search(r"\battribute|\battr\b|\bmember\b|\bfield\b|\bcounter\b|\bself\b", text, re.I):
        return None
    rest = re.sub(rf"(?<![\w.])(?:{spoken})(?:e?s)?(?:'s?)?(?!\w)", " ", text, flags=re.I)
    value, used = None, []
    for form in _STARTS:
        found = form.search(rest)
        if found is not None:
            value = literal(found["v"])
            used.append(found[0])
            rest = f"{rest[: found.start()]} {rest[found.end() :]}"
            break
    empty = _EMPTY.search(rest)
    if empty is not None:
        used.append(empty[0])
        rest = f"{rest[: empty.start()]} {rest[empty.end() :]}"
    kind = next(((word[0], made) for form, made in _KINDS if (word := re.search(rf"\b{form}\b", rest, re.I))), None)
    if kind is not None and value is None:
        value = kind[1]
    if value is None:
        return None
    if kind is not None:
        numbers = kind[1] == "0" and not re.fullmatch(r"-?[\d.]+", value)
        if numbers or (kind[1] in ("[]", "{}", "set()") and value not in (kind[1], "None")):
            return None
        rest = re.sub(rf"\b{re.escape(kind[0])}\b", " ", rest, count=1)
    names = [word for word in re.findall(r"[^\W\d]\w*", rest) if word.lower() not in _WORDS | FILLERS]
    if not 1 <= len(names) <= 2:
        return None
    name = "_".join(names) if all(word.islower() for word in names) else names[0] if len(names) == 1 else ""
    if not name.isidentifier() or (not name[0].islower() and name[0] != "_"):
        return None
    return name, value, [*used, *names, value]


def _changes(held: Held, name: str, value: str) -> list[Change] | None:
    if name in held.attributes or name in held.methods:
        return None
    src = held.src
    if held.has_fields:
        kind = _TYPES.get(value) or (
            "int"
            if re.fullmatch(r"-?\d+", value)
            else "float"
            if re.fullmatch(r"-?[\d.]+", value)
            else "str"
            if value[0] in "\"'"
            else None
        )
        if kind is None or value in ("[]", "{}", "set()"):
            return None
        return held.with_field(f"{name}: {kind} = {value}")
    init = held.init
    if init is None or init.body[0].lineno <= init.lineno:
        return None
    sets = [
        one
        for one in init.body
        if isinstance(one, ast.Assign | ast.AnnAssign) and "self." in src.segment(one).split("=")[0]
    ]
    at = sets[-1] if sets else init.body[-1]
    if isinstance(at, ast.Return | ast.Raise) or (at.lineno != at.end_lineno and not sets):
        return None
    first, end = src.line_span(src.first_line(at), src.last_line(at))
    lone = isinstance(at, ast.Pass)
    return [(first if lone else end, end, f"{src.indent(init.body[0])}self.{name} = {value}\n")]


COUNTED = re.compile(r"\b(?:add|give|needs?|should|ha(?:s|ve)|gets?|keeps?|wants?|store|remember)\b", re.I)
