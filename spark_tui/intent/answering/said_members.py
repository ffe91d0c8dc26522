"""One more of a kind that the file lists: *add a cancelled status* where there is an enumeration `Status`, or
a list `STATUSES`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.intent.context.lookup import split_name
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.facts.enumerations import enumerations
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.parsing import targets
from spark_tui.pysource.words import word_set

_ITEM = r"(?P<item>[A-Za-z]\w*|`\w+`|\"[^\"]+\"|'[^']+')"
_SAID = tuple(
    re.compile(
        rf"(?:please\s+)?(?:add|introduce|we\s+need|i\s+need)\s+{form}"
        r"(?:\s+(?:to|in)\s+(?:the\s+)?`?(?P<owner>\w+)`?)?\W*",
        re.IGNORECASE,
    )
    for form in (
        rf"(?:an?|another|the)\s+(?:new\s+)?{_ITEM}\s+(?P<kind>[a-z]+)",
        rf"(?:the|a)\s+(?P<kind>[a-z]+)\s+{_ITEM}",
    )
)
_OTHER_KINDS = word_set("argument class entry field function item method option parameter test value")
"""What may be another thing than an item of a list that is called so."""
_TEXTS = (ast.List, ast.Tuple, ast.Set)


def with_list_named(instruction: str, situation: Situation) -> str:
    """The instruction with the name of the enumeration or list of the open file that has such items."""
    if situation.path not in situation.repo.index.paths:
        return instruction
    source = situation.repo.index.source(situation.path)
    for form in _SAID:
        said = form.fullmatch(instruction.strip())
        if said is None or (kind := said["kind"].lower()) in _OTHER_KINDS:
            continue
        found = [
            one
            for one in _lists(source)
            if kind in _singulars(one[0]) and (said["owner"] is None or said["owner"] in one[1])
        ]
        if not found:
            continue
        enums = [one for one in found if one[2] == "enumeration"]
        if len(enums or found) != 1:
            return instruction
        name, _, style = (enums or found)[0]
        item = said["item"].strip("`'\"")
        return f"add {item.upper()} to {name}" if style == "enumeration" else f'add "{item}" to {name}'
    return instruction


def _singulars(name: str) -> tuple[str, ...]:
    """What one item of a list may be called, by the last word of its name."""
    last = split_name(name)[-1].lower()
    return last, last.removesuffix("s"), last.removesuffix("es"), re.sub(r"ies\Z", "y", last)


def _lists(source: Source) -> Iterator[tuple[str, tuple[str, ...], str]]:
    """The enumerations and lists of texts of a file: the name, what else names it, and what it is."""
    for node in enumerations(source):
        names = [
            ast.unparse(one) for stmt in node.body if isinstance(stmt, ast.Assign) for one in stmt.targets
        ]
        if names and all(map(str.isupper, names)):
            yield node.name, (node.name,), "enumeration"
    for stmt in source.statements:
        value = stmt.value if isinstance(stmt, ast.Assign | ast.AnnAssign) else None
        items = value.elts if isinstance(value, _TEXTS) else []
        goal = targets(stmt)[0] if items else None
        holder = source.class_of(stmt)
        is_text = all(isinstance(one, ast.Constant) and isinstance(one.value, str) for one in items)
        if isinstance(goal, ast.Name) and goal.id.isupper() and is_text and source.function_of(stmt) is None:
            yield goal.id, (goal.id, *((holder.name,) if holder is not None else ())), "list"
