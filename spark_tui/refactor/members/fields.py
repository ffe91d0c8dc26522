"""Fields of data classes that are there: another type, another default, `field(default_factory=list)`.

Comes in: an order. Goes out: edits. Must not know: how plain they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from spark_tui.pysource.parsing import parse_code
from spark_tui.refactor.literals import literal
from spark_tui.refactor.members.classes import Held, classes_meant
from spark_tui.refactor.members.said import accounted, asides
from spark_tui.refactor.order import Edit, Order, _parts
from spark_tui.refactor.signatures.imports import imports_for
from spark_tui.refactor.source import Change

_VALUE = r"(?:an? )?(?:new )?empty \w+|\"[^\"]*\"|'[^']*'|`[^`]+`|-?\d[\d_.]*|None|True|False|true|false|none|\[\]|\{\}|list\(\)|dict\(\)|set\(\)"
_TYPE = r"`[^`]+`|[A-Za-z_][\w.]*(?:\[[^\]]*\]+)?(?:\s*\|\s*None)?"
_NAME = r"[`'\"]?(?P<name>[^\W\d]\w*)[`'\"]?"
_IN = r"(?:\s+(?:in|of|on)\s+(?:the\s+|an?\s+)?\w+)?"
_FORMS = tuple(
    re.compile(rf"^(?:{form})\W*$", re.I)
    for form in (
        rf"(?:make |change |turn )?{_NAME}{_IN}\s*:\s*(?P<type>{_TYPE})(?:\s*=\s*|,?\s+(?:with|and)\s+|,\s*)(?:(?:an?\s+|the\s+)?default(?:\s+(?:of|to|is|value))*:?\s+)?(?P<value>{_VALUE})(?:\s+(?:as|by)(?: the| a)? default)?",
        rf"(?:let |make |the )?(?:field )?{_NAME}{_IN}\s+(?:should |must )?defaults?(?:\s+to)?\s+(?P<value>{_VALUE})(?P<type>)",
        rf"(?:the )?default (?:value )?(?:of|for) (?:the )?(?:field )?{_NAME}{_IN} (?:should be|is|to|:|=|must be)\s*(?P<value>{_VALUE})(?P<type>)",
        rf"(?:give|set) (?:the )?(?:field )?{_NAME}{_IN} (?:an? |the )?(?P<value>{_VALUE})(?: as (?:the |a |its )?| by )default(?P<type>)",
        rf"(?:give|set) (?:the )?(?:field )?{_NAME}{_IN} (?:an? |the )?default(?: value)? (?:of |to |: ?)?(?P<value>{_VALUE})(?P<type>)",
        rf"(?:the )?(?:field )?{_NAME}{_IN} (?:should be |is |must be )?(?P<value>{_VALUE}) (?:by default|(?:if|when) (?:it is )?not given)(?P<type>)",
        rf"(?:the )?(?:field )?{_NAME}{_IN} (?:needs|should have|gets|has|should get) (?:an? |the )?(?:default (?:of |value (?:of )?)?(?P<value>{_VALUE})|(?P<value2>{_VALUE}) as (?:the |a |its )?default)(?P<type>)",
        rf"(?:make )?(?:the )?(?:field )?{_NAME}{_IN} (?:optional,? )(?:with |and )?(?:an? )?(?:default(?:s|ing)?(?: to| of)? )?(?P<value>{_VALUE})(?P<type>)",
    )
)
_WORDS = frozenset(
    [
        "give",
        "set",
        "the",
        "a",
        "an",
        "of",
        "to",
        "in",
        "on",
        "as",
        "by",
        "with",
        "and",
        "default",
        "defaults",
        "defaulting",
        "value",
        "field",
        "should",
        "must",
        "be",
        "is",
        "let",
        "make",
        "change",
        "turn",
        "empty",
        "list",
        "dict",
        "set",
        "new",
        "needs",
        "have",
        "gets",
        "get",
        "has",
        "optional",
        "if",
        "when",
        "not",
        "given",
        "it",
        "class",
        "dataclass",
    ]
)
_MADE = {"[]": "list", "{}": "dict", "set()": "set", "list()": "list", "dict()": "dict"}


def change_field(order: Order) -> Iterator[Edit]:
    text, off = asides(order)
    there = [one for node in order.src.classes if (one := Held(order.src, node)).has_fields]
    for form in _FORMS:
        found = form.match(text)
        if found is None:
            continue
        name = found["name"]
        fitting = [
            held for held in there if any(getattr(one.target, "id", "") == name for one in held.fields)
        ]
        if len(fitting) > 1:
            named = [held.node for held in classes_meant(order, text)]
            fitting = [held for held in fitting if held.node in named]
        if len(fitting) != 1 or (order.functions(text) and order.functions(text)[0].name != name):
            continue
        held = fitting[0]
        said = found["value"] or found.groupdict().get("value2") or ""
        changes = _changed(held, name, (found["type"] or "").strip("`"), said)
        if changes:
            plural = " ".join(_parts(held.name))
            yield order.edit(
                changes,
                *accounted(order, text, off, _WORDS, name, said, found["type"] or "", held.name, plural),
            )
            return


def _changed(held: Held, name: str, kind: str, said: str) -> list[Change] | None:
    src = held.src
    index = next(at for at, one in enumerate(held.fields) if getattr(one.target, "id", "") == name)
    field = held.fields[index]
    bare = said.strip("`")
    value = bare if bare in _MADE else literal(re.sub(r"\bnew ", "", said))
    if value is None:
        return None
    changes: list[Change] = []
    needs: list[str] = []
    if held.is_dataclass and value in _MADE:
        value = f"field(default_factory={_MADE[value]})"
        needs.append("field")
    if (
        any(one.value is None for one in held.fields[index + 1 :])
        and field.value is None
        and held.is_dataclass
    ):
        return None
    if kind and kind != src.segment(field.annotation):
        try:
            parse_code(kind, mode="eval")
        except SyntaxError:
            return None
        changes.append((*src.span(field.annotation), kind))
    if (
        value == "None"
        and not kind
        and not re.search(r"\b(?:None|Optional|Any)\b", src.segment(field.annotation))
    ):
        changes.append((*src.span(field.annotation), f"{src.segment(field.annotation)} | None"))
    if field.value is None:
        end = src.span(field.annotation)[1]
        if changes:
            start, _, new = changes.pop()
            changes.append((start, end, f"{new} = {value}"))
        else:
            changes.append((end, end, f" = {value}"))
    elif src.segment(field.value) != value:
        changes.append((*src.span(field.value), value))
    if not changes:
        return None
    return [*(imports_for(src, needs) if needs else []), *changes]


FIELDS = re.compile(r"\bdefault|\boptional\b|:\s*\w|\bnot given\b", re.I)
