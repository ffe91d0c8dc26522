"""Items that a comprehension leaves out: *skip the empty names* where no loop goes through them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.codemods.rewriting.negation import negate_code
from spark_tui.intent.building.building import Built, build_at
from spark_tui.intent.building.rewritten import replace_code
from spark_tui.intent.conditions.told_states import find_state
from spark_tui.intent.conditions.worded import parse_condition
from spark_tui.intent.context.anchors import Anchor, parsed
from spark_tui.intent.context.lookup import split_name, without_s
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Option
from spark_tui.intent.context.spelling import edit_distance
from spark_tui.intent.words import phrases
from spark_tui.pysource.syntax.walking import find_nodes, names_in

_LONG = 5
"""Letters of a name that may have a typing error."""


def left_out(context: Context) -> Iterator[Built]:
    """The comprehensions of the place, without the items for which the condition holds."""
    found = [
        (area, source, node, each)
        for area, source, node in context.find(ast.AST)
        for each in getattr(node, "generators", ())
        if isinstance(each.target, ast.Name)
    ]
    for area, source, node, each in found:
        name = each.target.id
        rest = " ".join(_beside(context.text("condition"), {name, *split_name(ast.unparse(each.iter))}))
        span = context.span("condition")
        states = find_state(context, span, Anchor(area, node)) if span is not None else []
        tests = [one for one in states if name in names_in(parsed(one.text))]  # of the items alone
        if not tests and rest:
            tests = [Option(one.code) for one in parse_condition(f"{name} is {rest}", {name: name}.get)]
            if any(ast.unparse(one.value) == name for one in find_nodes(node, ast.Attribute)):
                # Of an object it is not asked if it is true itself, or equal to something plain.
                tests = [one for one in tests if re.search(rf"{name}\.| None$| in ", one.text)]
        low, end = source.span(node)[0], source.span((each.ifs or [each.iter])[-1])[1]
        for test in tests[:1]:
            new = f" {'and' if each.ifs else 'if'} {negate_code(test.text)}"
            code = source.text[low:end] + new + source.text[end : source.span(node)[1]]
            anchor = Anchor(area, node, 0.95 * area.weight / len(found), (*area.doubts, *test.doubts))
            yield build_at(anchor, replace_code(context, anchor, code))


def _beside(said: str, items: set[str]) -> list[str]:
    """The words of a condition that do not only name the items."""
    idle = {*phrases.words("articles"), *phrases.words("copulas"), *phrases.words("relatives")}
    known, words = idle | {without_s(word) for word in items}, re.findall(r"[^\W\d_]\w*", said.lower())
    long = [item for item in items if len(item) >= _LONG]
    words = [word for word in words if all(edit_distance(word, item, 2) > 2 for item in long)]
    return [word for word in words if without_s(word) not in known]
