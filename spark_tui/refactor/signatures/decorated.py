# ruff: noqa: E501 - forms read better unbroken
"""One decorator on all functions of a kind: *put require_token on all three handlers*.

Comes in: an order. Goes out: edits. Must not know: how plain they are.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.signatures.decorators import lacks, put_on
from spark_tui.refactor.source import Function, Source
from spark_tui.refactor.stems import kin, stems

_TO_ALL = tuple(
    re.compile(form, re.I)
    for form in (
        r"^(?:put|add|use|apply|set)\s+(?:the\s+)?`?@?(?P<code>[A-Za-z_][\w.]*(?:\([^()]*\))?)`?(?:\s+decorator)?\s+(?:on|to|for|above)\s+(?P<all>all|every|each|both)(?:\s+of)?(?:\s+the|\s+our)?(?:\s+(?P<n>two|three|four|five|six|\d+))?\s+(?P<what>\w+)\W*$",
        r"^decorate\s+(?P<all>all|every|each|both)(?:\s+of)?(?:\s+the|\s+our)?(?:\s+(?P<n>two|three|four|five|six|\d+))?\s+(?P<what>\w+)\s+with\s+`?@?(?P<code>[A-Za-z_][\w.]*(?:\([^()]*\))?)`?\W*$",
    )
)
_TO_ALL += (
    re.compile(
        r"^(?P<all>all|every|each|both)(?:\s+of)?(?:\s+the|\s+our)?(?:\s+(?P<n>two|three|four|five|six|\d+))?\s+(?P<what>\w+)\s+(?:needs?|should (?:have|get|be decorated with|use)|must (?:have|use)|gets?|requires?)\s+(?:the\s+)?`?@?(?P<code>[A-Za-z_][\w.]*(?:\([^()]*\))?)`?(?: decorator)?\W*$",
        re.I,
    ),
)
_NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6}


def decorate_all(order: Order) -> Iterator[Edit]:
    """*put require_token on all three handlers*: where the functions show which are meant."""
    src = order.src
    match = next((match for form in _TO_ALL if (match := form.match(order.said))), None)
    root = re.split(r"[.(]", match["code"])[0] if match is not None else ""
    if match is None or root not in order.identifiers:
        return
    found = [one for one in _kind_of(src, match["what"].lower()) if one.name != root]
    count = 2 if match["all"].lower() == "both" else _NUMBERS.get((match["n"] or "").lower(), match["n"])
    lacking = [one for one in found if lacks(match["code"], one)]
    if len(found) < 2 or (count is not None and int(count) != len(found)):
        return
    made = [put_on(src, one, match["code"]) for one in lacking]
    if made and all(made):
        yield order.edit([change for one in made for change in one or ()], order.said)


def _kind_of(src: Source, what: str) -> list[Function]:
    """*tests*, *methods*, *functions*; else those that are called so, or that all take the same first."""
    outer = [one for one in src.functions if isinstance(src.parents.get(one), ast.Module)]
    inner = [one for one in src.functions if src.class_of(one) is not None and not one.name.startswith("__")]
    if what.startswith("test"):
        return [one for one in src.functions if one.name.startswith("test_")]
    if what.startswith(("function", "method")):
        return (outer if what[0] == "f" else inner) if len({src.class_of(one) for one in inner}) < 2 else []
    called = [one for one in outer if kin(what, stems(one.name))]
    if called:
        return called
    taking: dict[str, list[Function]] = {}
    for one in outer:
        if one.args.args and one.args.args[0].arg in (
            "request",
            "req",
            "event",
            "ctx",
            "context",
            "update",
            "msg",
            "message",
            "args",
            "job",
            "client",
        ):
            taking.setdefault(one.args.args[0].arg, []).append(one)
    return next(iter(taking.values())) if len(taking) == 1 else []


RULES: tuple[Rule, ...] = (
    Rule(re.compile(r"^(?:put|add|use|apply|set|decorate|all|every|each|both)\b", re.I), decorate_all),
)
