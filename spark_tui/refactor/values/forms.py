"""The result of a function in another form: *lower case what ask() returns*, *round the total to 2 digits*.

Comes in: an order. Goes out: edits of returns, or of what stands under a key. Must not know: how plain they are.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.signatures.talk import TARGET, accounted
from spark_tui.refactor.values.answers import WORDS, F, is_route, returns_of, targets

_DIGITS = {"one": "1", "two": "2", "three": "3", "four": "4", "no": "0", "a": "1"}
_TO = r"(?: off)?(?: to| at)? (?P<n{0}>\d|one|two|three|four)(?: (?:decimals?|decimal places?|places?|digits?)(?: after the (?:point|comma))?)"
_FORM = (
    (r"(?:in )?(?:lower[- ]?cased?|small letters)", "{}.lower()"), (r"(?:in )?(?:upper[- ]?cased?|capitals?)", "{}.upper()"),
    (r"strip(?:ped)?|trim(?:med)?", "{}.strip()"), (r"sort(?:ed)?", "sorted({})"), (r"rounded to (?:an int(?:eger)?|whole numbers?|full numbers?)", "round({})"),
)  # fmt: skip
_DONE = "|".join(form for form, _ in _FORM)
_WHAT = r"(?:(?:the|its|his|every|each)\s+)?(?:results?|return values?|output|answer|total|value|it|number|sum|text|amount|price|\w+)"
_SHAPED = re.compile(
    rf"^(?:(?P<v1>{_DONE}|round) (?:what(?:ever)?|everything) {F}(?:returns|gives(?: back)?)(?:{_TO.format(1)})?"
    rf"|(?P<v2>{_DONE}|round) (?:the )?(?:result|return value|output|answer) of {F}(?:{_TO.format(2)})?"
    rf"|{F}(?:should|must) (?P<v3>{_DONE}|round)(?: {_WHAT})?(?:{_TO.format(3)})?"
    rf"|{F}(?:should|must)(?: be| return {_WHAT}| come back| give {_WHAT}) (?P<v4>{_DONE}|rounded)(?:{_TO.format(4)})?"
    rf"|(?P<v5>round) {F}{_TO.format(5)}"
    rf"|{F}(?:should|must) (?:return|give) (?:an? )?(?P<v6>{_DONE}|rounded)(?: {_WHAT})?(?:{_TO.format(6)})?)$",
    re.I,
)


def shaped(order: Order) -> Iterator[Edit]:
    """*lower case what ask() returns*, *convert should round to 2 places*."""
    src = order.src
    for aim, function, text in targets(order):
        found = _SHAPED.match(text)
        if found is None or is_route(function):
            continue
        at = next(number for number in "123456" if found[f"v{number}"])
        verb, digits = found[f"v{at}"].lower(), found[f"n{at}"]
        if verb.startswith("round") and digits is None and "to" not in verb:
            continue
        form = (
            f"round({{}}, {_DIGITS.get(digits.lower(), digits)})"
            if digits
            else next(made for spoken, made in _FORM if re.fullmatch(spoken, verb))
        )
        if digits and not verb.startswith("round"):
            continue
        held = [
            one
            for one in returns_of(function)
            if one.value is not None and not (isinstance(one.value, ast.Constant) and one.value.value is None)
        ]
        if len(held) != 1 or held[0].value is None:
            continue
        value = held[0].value
        inner = src.segment(value)
        if (
            "\n" in inner
            or inner.startswith("round(")
            or (form.startswith("{}") and inner.endswith(form[2:]))
            or isinstance(value, ast.Tuple | ast.Yield)
        ):
            continue
        if form.startswith("{}") and not isinstance(
            value, ast.Name | ast.Attribute | ast.Call | ast.Subscript | ast.JoinedStr
        ):
            inner = f"({inner})"
        yield aim.edit(
            [(*src.span(value), form.format(inner))], found[0].replace(TARGET, " "), *accounted(aim.text, WORDS)
        )


_OF_KEY = re.compile(
    r"^round (?:off )?(?:the )?[`'\"]?(?P<key>\w+)[`'\"]?(?: to| at)? (?P<n>\d|one|two|three|four) (?:decimals?|decimal places?|places?|digits?)(?: after the (?:point|comma))?$",
    re.I,
)


def round_key(order: Order) -> Iterator[Edit]:
    """*round the total to 2 digits*: what stands under that key."""
    found = _OF_KEY.match(order.said)
    if found is None:
        return
    src = order.src
    held = [
        value
        for node in src.nodes
        if isinstance(node, ast.Dict)
        for key, value in zip(node.keys, node.values, strict=True)
        if isinstance(key, ast.Constant)
        and key.value == found["key"]
        and not isinstance(value, ast.Constant | ast.Dict | ast.List | ast.JoinedStr)
    ]
    held += [
        one.value
        for node in src.nodes
        if isinstance(node, ast.Call)
        for one in node.keywords
        if one.arg == found["key"] and not isinstance(one.value, ast.Constant)
    ]
    if len(held) != 1 or src.segment(held[0]).startswith("round("):
        return
    named = [one for one in src.functions if one.name == found["key"] and not is_route(one)]
    if named:
        return
    new = f"round({src.segment(held[0])}, {_DIGITS.get(found['n'].lower(), found['n'])})"
    yield order.edit([(*src.span(held[0]), new)], found[0])


RULES: tuple[Rule, ...] = (
    Rule(re.compile(r"\bround|case\b|\bstrip|\btrim|\bsort|small letters|capital|lower|upper", re.I), shaped),
    Rule(re.compile(r"\bround", re.I), round_key),
)
