"""An option of the command line that an order in front adds; in those after it, the value parsed for it."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import replace

from spark_tui.intent.context.situation import Situation
from spark_tui.intent.words.phrases import table
from spark_tui.intent.words.readings import CODE, Order, Reading, Span
from spark_tui.pysource.source import Function
from spark_tui.pysource.syntax.walking import find_nodes, walk

_ADDING = ("add_option", "set_option")
_OPTION = re.compile(r"--?[A-Za-z][\w-]*")
_SLOTS = ("value", "condition", "code", "new", "result", "default")
_IT = re.compile(r"(?:it|its|that|this|es|das|ça|cela|lo|eso)(?='s|\b)|[它其]", re.IGNORECASE)


def with_new_option(order: Order, before: Sequence[Order], situation: Situation) -> Order:
    """The order with `args.dry_run` for the option `--dry-run` that one in front adds, and for *it* there."""
    name_text = next((item.readings[0].text("name") for item in before if _adds(item)), "").strip("`'\" ")
    if not _OPTION.fullmatch(name_text) or order.readings[0].intent in _ADDING:
        return order
    parsed = _parsed(situation)
    if not parsed:
        return order
    value = f"{parsed}.{name_text.lstrip('-').replace('-', '_')}"
    readings = tuple(_with_value(reading, name_text, value) for reading in order.readings)
    return replace(order, readings=readings) if readings != order.readings else order


def _adds(order: Order) -> bool:
    return (
        bool(order.readings) and order.readings[0].intent in _ADDING and bool(order.readings[0].text("name"))
    )


def _with_value(reading: Reading, option: str, value: str) -> Reading:
    slots = dict(reading.slots)
    for slot in _SLOTS:
        spans = slots.get(slot, ())
        if spans:
            slots[slot] = tuple(_read(slot, span, option, value) for span in spans)
    argument = slots.get("argument", ())
    if argument and argument[0].text == option:
        slots["argument"] = (Span(CODE, CODE, value.rpartition(".")[2], True),)
    return replace(reading, slots=slots) if slots != reading.slots else reading


def _read(slot: str, span: Span, option: str, value: str) -> Span:
    text = span.text.strip()
    rest = text.removeprefix(option) if text.startswith(option) else None
    it = _IT.match(text)
    if rest is None and slot == "condition" and it is not None:
        rest = text[it.end() :]
    if rest is None or (rest and rest[0] not in " '’"):
        return span
    rest = re.sub(r"\A['’]s\b", " is", rest).strip()
    if slot != "condition":
        return Span(CODE, CODE, value, True) if not rest else span
    default, known = rest.lower().removeprefix("is "), table()["conditions"]
    if default in known["is_none"]["phrases"]:
        return Span(CODE, CODE, f"not {value}", True)
    given = not default or {default, f"is {default}"} & {*known["is_not_none"]["phrases"]}
    return Span(CODE, CODE, value, True) if given else replace(span, text=f"{value} {rest}")


def _parsed(situation: Situation) -> str:
    """The one name that the open file gives to what was parsed from the command line."""
    if situation.path not in situation.repo.index.paths:
        return ""
    tree = situation.repo.index.source(situation.path).tree
    giving = {
        node.name
        for node in walk(tree)
        if isinstance(node, Function)
        and any(isinstance(inner, ast.Return) and _parses(inner.value, frozenset()) for inner in walk(node))
    }
    named = {
        goal.id
        for node in find_nodes(tree, ast.Assign)
        if _parses(node.value, frozenset(giving))
        for goal in node.targets
        if isinstance(goal, ast.Name)
    }
    return named.pop() if len(named) == 1 else ""


def _parses(node: ast.AST | None, giving: frozenset[str]) -> bool:
    if not isinstance(node, ast.Call):
        return False
    name = ast.unparse(node.func)
    return name.endswith(".parse_args") or name in giving
