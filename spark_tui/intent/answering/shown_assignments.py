"""Messages that only show an assignment as it is to be, and its function: *size = x * 2 in fit*."""

from __future__ import annotations

import ast
import re
from functools import lru_cache

from spark_tui.codemods.slots import CALLABLE
from spark_tui.intent.answering.config_answers import calls_answer
from spark_tui.intent.building.building import call
from spark_tui.intent.context.lookup import names_of
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.planning.answers import Answer
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import Order
from spark_tui.pysource.source import Function
from spark_tui.pysource.syntax.walking import find_nodes
from spark_tui.pysource.tree_comparison import parse_statement


@lru_cache(maxsize=1)
def _form() -> re.Pattern[str]:
    places = "|".join(map(re.escape, phrases.words("in_a_line")))
    code, name = r"(?P<quote>`?)(?P<code>[^`\n]+)(?P=quote)", r"`?(?P<function>\w+(?:\.\w+)*)(?:\(\))?`?"
    return re.compile(rf"{code}\s+(?:{places})\s+{name}[.!]?")


def shown_assignment_answer(order: Order, situation: Situation) -> Answer | None:
    """The answer to an order that shows the only assignment of a name in a function with another value."""
    said = _form().fullmatch(situation.instruction[order.start : order.end].strip())
    shown = parse_statement(said["code"]) if said is not None and situation.earlier is None else None
    if said is None or not isinstance(shown, ast.Assign):
        return None
    found = names_of(situation.repo, situation.path).find(said["function"], CALLABLE)
    homes = [one.target for one in found if one.target.qualname.endswith(said["function"])]
    if len(homes) != 1 or len(shown.targets) != 1 or not isinstance(shown.targets[0], ast.Name):
        return None
    home, name = homes[0], shown.targets[0].id
    stored = [
        node
        for node in (find_nodes(home.node, ast.Name) if isinstance(home.node, Function) else ())
        if node.id == name and isinstance(node.ctx, ast.Store)
    ]
    source = situation.repo.index.source(home.path)
    whole = source.parents.get(stored[0]) if len(stored) == 1 else None
    if not isinstance(whole, ast.Assign | ast.AnnAssign) or whole.value is None:
        return None
    value = said["code"].partition("=")[2].strip()
    target = f"{home.path}::{home.qualname}.{name}"
    return calls_answer([call("set_value", target=target, value=value)], situation)
