"""Messages that name a parameter of what an edit calls: *and default None*, *sort the keys*."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.codemods.signatures.called_parameters import parameters_called
from spark_tui.intent.building.building import call
from spark_tui.intent.context.lookup import split_name
from spark_tui.intent.context.situation import Candidate, Situation
from spark_tui.intent.followups.orders.left_to_written import nodes_on_lines
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import PLACES, Order, Reading
from spark_tui.pysource.source import Source

_LIKELY = 0.8
_BETWEEN = r"\s*(?:[=:]|of|to|is|as|on)?\s*"


def named_arguments(order: Order, situation: Situation) -> list[Candidate]:
    """The ways to pass an argument that the message names to what was called in the lines that were written.
    One named by two words may be a switch; another one needs its value behind it."""
    reading = order.readings[0]
    elsewhere = any(reading.slots.get(slot) for slot in PLACES)
    if situation.written is not None or elsewhere or reading.intent in ("question", "chat", "amend.undo"):
        return []
    text = situation.instruction[order.start : order.end]
    found = [
        call("set_argument", callee=callee, place=place, name=name, value=value)
        for source, node in nodes_on_lines(situation)
        if isinstance(node, ast.Call)
        for callee, place in ((ast.unparse(node.func), f"{source.path}:{node.lineno}"),)
        for name, value in _named(text, source, node, situation)
    ]
    made = Reading("set_argument", 1.0)
    return [Candidate((one,), made, weight=_LIKELY / len(found)) for one in found]


def _named(text: str, source: Source, node: ast.Call, situation: Situation) -> Iterator[tuple[str, str]]:
    """The parameters of a call that a text names, which it does not fill yet, each with its value."""
    passed = {item.arg for item in node.keywords}
    known = list(parameters_called(situation.behind, source, node).items())[len(node.args) :]
    for name, default in known:
        if name in passed or not (value := _value_for(split_name(name), default, text)):
            continue
        yield name, value


def _value_for(words: list[str], default: ast.expr | None, text: str) -> str:
    """The value that a text gives for a parameter; empty where it does not name that."""
    article = "|".join(re.escape(item) for item in phrases.words("articles") if item)
    joined = rf"\s+(?:(?:{article})\s+)?".join(rf"{re.escape(word)}" for word in words)
    found = re.search(rf"(?<![\w.]){joined}(?!\w){_BETWEEN}(?P<value>[\w.'\"-]*)", text, re.IGNORECASE)
    if found is None:
        return ""
    value_text = found["value"].strip(".")
    given = (phrases.value(value_text) or phrases.number(value_text)) if value_text else None
    if (
        given is None
        and value_text[:1] in ("'", '"')
        and value_text[-1:] == value_text[:1]
        and len(value_text) > 1
    ):
        given = value_text
    is_switch = len(words) > 1 and isinstance(default, ast.Constant) and default.value is False
    return given or ("True" if is_switch else "")
