"""Defaults of parameters that are there: set, changed, taken away.

Comes in: orders. Goes out: edits of heads, and of calls that say what is the default now. Must not know: how plain they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.saying import words
from spark_tui.refactor.signatures.heads import (
    Head,
    annotation_change,
    call_list,
    calls_of,
    default_change,
    place_in_call,
    removed,
)
from spark_tui.refactor.signatures.new import default_said
from spark_tui.refactor.signatures.parameters import heads
from spark_tui.refactor.signatures.talk import accounted, mended, mentions, plain_words
from spark_tui.refactor.signatures.words import NOISE, value_said
from spark_tui.refactor.source import Change, Source

_DEFAULT_WORDS = NOISE | frozenset(
    words(
        "default defaults defaulting defaulted switch optional required mandatory value set change give let give gets instead currently now bump raise lower increase decrease make remove drop delete without no left out unless given"
    )
)
_SET = re.compile(
    r"Ƥ(?P<at>\d+) .{0,30}?\bdefaults?\b(?: value)?[^Ƥ]*?(?:\b(?:to|of|is|be|as)|=|:)\s*(?P<value>`[^`]+`|\"[^\"]*\"|'[^']*'|-?\d[\w.]*|\(\)|\[\]|\{\}|an? empty \w+|[\w.]+(?:\(\))?)"
    r"|\bdefault(?: value)?\s+(?:of|for)\s+(?:the\s+)?Ƥ(?P<at2>\d+) .{0,40}?(?:\bto|\bis|\bbe|=|:|->|→)\s*(?P<value2>`[^`]+`|\"[^\"]*\"|'[^']*'|-?\d[\w.]*|\(\)|\[\]|\{\}|an? empty \w+|[\w.]+(?:\(\))?)"
    r"|\bdefault\s+(?:the\s+)?Ƥ(?P<at3>\d+) .{0,30}?\b(?:to|=)\s*(?P<value3>`[^`]+`|\"[^\"]*\"|'[^']*'|-?\d[\w.]*|\(\)|\[\]|\{\}|an? empty \w+|[\w.]+(?:\(\))?)",
    re.I,
)
_LATER = re.compile(
    r"(?:\b(?:should|must|has to|ought to) (?:be|default to|become)|\bto|->|→|\binto)\s+(?P<value>`[^`]+`|\"[^\"]*\"|'[^']*'|-?\d[\w.]*|\(\)|\[\]|\{\}|an? empty \w+|True|False|None)(?=\s|[,.;]|$)"
)
_OPTIONAL = re.compile(r"Ƥ(?P<at>\d+) .{0,40}?\boptional\b|\boptional\b.{0,20}?Ƥ(?P<at2>\d+) ", re.I)
_REQUIRED = re.compile(
    r"Ƥ(?P<at>\d+) .{0,40}?\b(?:required|mandatory|no default|without (?:a )?default|not be optional)\b|\b(?:remove|drop|delete|kill|strip|lose) (?:the )?default(?: value)? (?:of|for|from|on) (?:the )?Ƥ(?P<at2>\d+) ",
    re.I,
)
_LEAVE = re.compile(
    r"\b(?:drop|remove|leave|omit|skip)\b.{0,20}\b(?:in|from|at)\b.{0,20}\bcalls?\b(?:\s+(?:in|from|of)\s+(?P<where>\w+))?",
    re.I,
)


def set_default(order: Order) -> Iterator[Edit]:
    if re.search(r"(?<![\w-])--[a-z]", order.said):
        return  # an option of the command line
    leave = _LEAVE.search(plain_words(order))
    for aim, of in heads(order, least=1, text=_LEAVE.sub(" ", plain_words(order)) if leave else None):
        names = [item.name for item in of.items]
        text, said = aim.marked(names)
        text = mended(text, _DEFAULT_WORDS, order.identifiers)
        if not said or re.match(r"(?:what|which|why|how|where)\b", text, re.I):
            continue
        found = _default_of(text, of, order.identifiers)
        if found is None:
            continue
        name, value, piece = found
        change = default_change(order.src, of, name, value)
        if change is None or order.src.text[change[0] : change[1]] == change[2]:
            continue
        changes = [change, *(as_optional(order.src, of, name) if value == "None" else [])]
        if len(changes) == 2:
            changes = [(changes[1][0], change[1], changes[1][2])]
        if leave is not None:
            changes += _left_out(order.src, of, name, value)
        taken = [aim.text[one.start : one.end] for one in mentions(aim.text, names)]
        had = of.items[of.index(name)].default
        taken += [order.src.segment(had)] if had is not None else []
        yield aim.edit(
            changes, name, piece, *taken, *([leave[0]] if leave else []), *accounted(aim.text, _DEFAULT_WORDS)
        )


def _default_of(text: str, of: Head, known: frozenset[str]) -> tuple[str, str | None, str] | None:
    match = _SET.search(text)
    if match is not None:
        at = int(match["at"] or match["at2"] or match["at3"])
        said = match["value"] or match["value2"] or match["value3"]
        later = list(_LATER.finditer(text))
        last = later[-1]["value"] if later else said
        value = value_said(last, known)
        return (of.items[at].name, value, f"{said} {last}") if value is not None else None
    match = _REQUIRED.search(text)
    if match is not None:
        return of.items[int(match["at"] or match["at2"])].name, None, ""
    match = _OPTIONAL.search(text)
    if match is not None and not re.search(r"\btype|\bannot|\bhint", text, re.I):
        at = int(match["at"] or match["at2"])
        value, _, pieces = default_said(text, known)
        return (of.items[at].name, value or "None", " ".join(pieces)) if of.items[at].default is None else None
    return None


def as_optional(src: Source, of: Head, name: str) -> list[Change]:
    """The annotation with `None` in it, where there is one without."""
    item = of.items[of.index(name)]
    hint = item.arg.annotation if item.arg is not None else None
    if hint is None or re.search(r"\b(?:None|Optional|Any|object)\b", source := src.segment(hint)):
        return []
    new = f"Optional[{source}]" if re.search(r"\bOptional\[", src.text) else f"{source} | None"
    change = annotation_change(src, of, name, new)
    if change is None:
        return []
    text = change[2] if item.default is not None else f"{change[2]} = "
    return [(change[0], change[1], f"{text}None")]


def _left_out(src: Source, of: Head, name: str, value: str | None) -> list[Change]:
    out: list[Change] = []
    for call in calls_of(src, of.function):
        at, pieces = place_in_call(src, of, call, name), call_list(src, call)
        if at is None or pieces is None:
            continue
        last = at == len(call.args) - 1 or at >= len(call.args)
        given = src.text[slice(*pieces.spans[at])].rpartition("=")[2].strip()
        if last and given == value:
            out.append(removed(src.text, pieces, at))
    return out


RULES: tuple[Rule, ...] = (Rule(re.compile(r"defau?l|optional|required|mandatory", re.I), set_default),)
