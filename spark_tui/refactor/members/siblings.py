# ruff: noqa: E501 - forms read better unbroken
"""A field or a setting that has the form of those beside it: *new setting threads, int, from WORKER_THREADS, default 4, after max_retries*.

Comes in: an order. Goes out: edits that list one more. Must not know: other families.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.literals import as_value
from spark_tui.refactor.members.classes import Held, classes_meant
from spark_tui.refactor.members.values import type_of, type_said, with_type_imported
from spark_tui.refactor.order import Edit, Order, Rule, _parts
from spark_tui.refactor.saying import FILLERS, words
from spark_tui.refactor.source import Change, Source

_VALUE = r"-?\d[\d_.]*|\"[^\"]*\"|'[^']*'|True|False|None|\[\]|\{\}|[A-Z]\w*\.\w+|[A-Z][A-Z0-9_]+|[a-z_]\w*\(\)"
PLACE = re.compile(
    r",?\s*\b(?:and )?(?:put (?:it )?|it goes |goes )?(?:(?:right |directly |just )?(?P<side>after|behind|below|under|before|above)\s+(?:the\s+)?`?(?P<other>[A-Za-z_]\w*)`?(?: (?:field|setting|one|line))?|(?:at|to) the (?:very )?(?P<edge>end|bottom|start|top|beginning)(?: of (?:it|the class))?|as (?:the |its )?(?:very )?(?P<nth>last|first)(?: (?:field|one|setting))?)\b",
    re.I,
)
_DEFAULT = re.compile(
    rf"\b(?:(?:with )?(?:a |the )?default(?:s|ing)?(?: value)?(?: (?:to|of|is))?\s*:?\s*(?P<a>{_VALUE})(?!\w)|(?P<b>{_VALUE}) (?:by|as|per) default\b)|=\s*(?P<c>{_VALUE})(?!\w)"
)
_ENV = re.compile(r"\b(?:(?:read |taken |set |comes? )?from (?:the )?(?:env(?:ironment)?(?: var(?:iable)?)? )?|env(?:ironment)? (?:var(?:iable)? )?|(?<=[,(] )|(?<=[(,]))[`'\"]?(?P<env>[A-Z][A-Z0-9]*_[A-Z0-9_]*[A-Z0-9]+)[`'\"]?")  # fmt: skip
_SPELLED = re.compile(r"(?<=\w): (?P<t>[A-Z]\w*)\b")
_TYPED = re.compile(r"(?<![\w.])(?P<t>(?:str|int|float|bool|string|integer|bytes|dict|list|set|Path|date|datetime)(?:\[[^\]]+\])?(?:\s*\|\s*None)?)(?![\w.])")  # fmt: skip
_SAID = frozenset(
    words("new add give another setting settings field fields option attribute entry needs gets wants should also have config configuration one more constant called named type typed last first env environment variable value put go goes as")
)  # fmt: skip
_ASKS = re.compile(r"^(?:add|new|another|one more|give)\b|\b(?:needs?|gets?|wants?|should (?:also )?have)\b", re.I)


def sibling(order: Order) -> Iterator[Edit]:
    src, text = order.src, order.said
    if src.tree is None or not _ASKS.search(text) or re.search(r"\b(?:if|when|unless|updated?|uses?|from now)\b", text):
        return
    found: dict[str, re.Match[str]] = {}
    for key, pattern in (
        ("place", PLACE),
        ("default", _DEFAULT),
        ("env", _ENV),
        ("type", _TYPED),
        ("spelled", _SPELLED),
    ):
        match = pattern.search(text)
        if match is not None:
            found[key] = match
            text = f"{text[: match.start()]} {text[match.end() :]}"
    dotted = "default" in found and re.search(r"[A-Z]\w*\.\w+\W*$", found["default"][0])
    if not {"place", "env"} & set(found) and not dotted:
        return
    classes = [Held(src, node) for node in src.classes]
    named = [one.name for one in classes if re.search(rf"\b{one.name}\b", text)]
    held = next((one for one in classes_meant(order, text) if named or len(classes) == 1), None)
    gone = {name.lower() for name in named} | (set(_parts(held.name)) if held is not None else set()) | _SAID | FILLERS
    left = [word for word in re.findall(r"[^\W\d]\w*", text.replace(":", " ")) if word.lower() not in gone]
    if len(left) != 1 or left[0] in order.identifiers or re.search(r"\d", text):
        return
    default = next((one for one in found["default"].groups() if one), None) if "default" in found else None
    kind = type_said(found["type"]["t"]) if "type" in found else found["spelled"]["t"] if "spelled" in found else None
    change = _placed(src, held, left[0], kind, default, found)
    if change is not None:
        yield order.edit(change, order.said, left[0])


def _placed(
    src: Source, held: Held | None, name: str, kind: str | None, default: str | None, found: dict[str, re.Match[str]]
) -> list[Change] | None:
    place = found.get("place")
    listed: list[ast.stmt] = list(held.node.body if held is not None else src.tree.body if src.tree else [])
    listed = [one for one in listed if isinstance(one, ast.AnnAssign | ast.Assign)]
    if "env" in found:
        line = _alike(src, listed, name, kind, default, found["env"]["env"])
    elif held is not None and held.has_fields:
        kind = kind or (type_of(default) if default else None)
        owner = (default or "").partition(".")[0]
        kind = kind or (owner if owner in {one.name for one in src.classes} else None)
        line = None if kind is None else f"{name}: {kind}" + (f" = {default}" if default is not None else "")
    else:
        line = None
    at = _beside(listed, place)
    if line is None or at is None:
        return None
    one, before = at
    if default is None and any(
        isinstance(item, ast.AnnAssign) and item.value is not None
        for item in listed[: listed.index(one) + (not before)]
    ):
        return None  # what has no default stands in front
    lineno = src.first_line(one) if before else src.last_line(one)
    start = src.starts[lineno]
    imported = with_type_imported(src, kind) if kind is not None else []
    return None if imported is None else [(start, start, f"{src.indent(one)}{line}\n"), *imported]


def _beside(listed: list[ast.stmt], place: re.Match[str] | None) -> tuple[ast.stmt, bool] | None:
    """The one at which the new one goes, and whether in front of it."""
    if not listed:
        return None
    if place is not None and place["other"]:
        same = [one for one in listed if _name_of(one) == place["other"]]
        return (same[0], place["side"].lower() in ("before", "above")) if same else None
    edge = (place["edge"] or place["nth"] or "").lower() if place is not None else ""
    return (listed[0], True) if edge in ("start", "top", "beginning", "first") else (listed[-1], False)


def _name_of(one: ast.stmt) -> str:
    target = one.target if isinstance(one, ast.AnnAssign) else one.targets[0] if isinstance(one, ast.Assign) else None
    return target.id if isinstance(target, ast.Name) else ""


def _alike(
    src: Source, listed: list[ast.stmt], name: str, kind: str | None, default: str | None, env: str
) -> str | None:
    """The line of one that reads the environment, for another name, variable and default."""
    for one in reversed(listed):
        read = [node for node in ast.walk(one) if isinstance(node, ast.Constant)]
        keys = [node for node in read if isinstance(node.value, str) and re.fullmatch(r"[A-Z][A-Z0-9_]+", node.value)]
        rest = [node for node in read if node not in keys]
        typed = src.segment(one.annotation) if isinstance(one, ast.AnnAssign) else None
        if len(keys) != 1 or len(rest) > 1 or (typed is not None and kind not in (None, typed)):
            continue
        target = (
            one.target if isinstance(one, ast.AnnAssign) else one.targets[0] if isinstance(one, ast.Assign) else one
        )
        fits = default is None and not rest
        if rest and default is not None:
            fits = type(rest[0].value) is type(as_value(default))
        if not fits or "\n" in src.segment(one):
            continue
        start, end = src.span(one)
        quote = src.segment(keys[0])[0]
        called = name.upper() if _name_of(one).isupper() else name
        changes: list[Change] = [(*src.span(target), called), (*src.span(keys[0]), f"{quote}{env}{quote}")]
        changes += [(*src.span(node), default or "") for node in rest]
        text = src.changed(changes)
        return text[start : len(text) - (len(src.text) - end)]
    return None


RULES: tuple[Rule, ...] = (Rule(_ASKS, sibling),)
