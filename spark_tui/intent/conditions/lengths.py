"""Comparisons of sizes: what is compared with a number is a text, a collection, a time or a number itself;
and how many things there are: *more than one child*."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.intent.conditions.compared_values import Expressions
from spark_tui.intent.conditions.condition_phrases import relations_in
from spark_tui.intent.conditions.operand_uses import note_uses
from spark_tui.intent.conditions.operands import Operand
from spark_tui.intent.context.anchors import parsed
from spark_tui.intent.context.lookup import key
from spark_tui.intent.facts.made_types import is_count, made_type
from spark_tui.intent.words import phrases
from spark_tui.intent.words.phrases import any_stands_in
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.walking import ORDERED, find_nodes, names_in

_SIZED = ("str", "bytes", "list", "dict", "set", "tuple")
_SIGNS = {"above": ">", "below": "<", "at_least": ">=", "at_most": "<="}
_THERE = re.compile(r"^(?:there\s*(?:['’]s|is|are|was|were)|with|if|es gibt|il y a|hay)\s+", re.IGNORECASE)
_BEHIND = re.compile(r"\s+(?:is|was|are|were)(?:\s+\w+)?\Z|\s+(?:there|given|left|passed)\Z", re.IGNORECASE)
_IRREGULAR = {
    "child": "children",
    "person": "people",
    "man": "men",
    "woman": "women",
    "index": "indices",
    "vertex": "vertices",
    "matrix": "matrices",
    "leaf": "leaves",
    "axis": "axes",
}


def with_length(test: str, text: str, root: ast.AST, source: Source) -> str:
    """The length of a text or collection, where that itself was compared with a number or its constant."""
    tree = parsed(test)
    if not isinstance(tree, ast.Compare) or not isinstance(root, Function) or len(tree.ops) > 1:
        return test
    left, right = tree.left, tree.comparators[0]
    is_time = phrases.unit_of(ast.unparse(right)) or any_stands_in(phrases.words("in_time"), text.lower())
    is_time = is_time or ast.unparse(right) in ("0", "-1")
    if not isinstance(left, ast.Name | ast.Attribute) or made_type(right, root, source) != "int" or is_time:
        return test
    of_text = any_stands_in(phrases.words("characters"), text.lower())
    sized = made_type(left, root, source) in _SIZED or uses_of(left, root) & {"text", "items", "iterated"}
    is_length = isinstance(tree.ops[0], ORDERED) or of_text
    shown = ast.unparse(left)
    read = f"{{}}({shown})".format
    calls = {ast.unparse(node) for node in find_nodes(root, ast.Call)}
    number = next((read(name) for name in ("int", "float", "Decimal") if read(name) in calls), "")
    if number and isinstance(tree.ops[0], ORDERED) and not of_text:
        return f"{number}{test[len(shown) :]}"  # a text that is read as a number there
    return f"len({shown}){test[len(shown) :]}" if is_length and (sized or of_text) else test


def without_length(test: str, root: ast.AST, source: Source) -> str:
    """A number itself, where its name in the plural was taken for several things: *sides is less than 2*."""
    found = re.fullmatch(r"len\((\w+)\)( [<>=!]=? \d+)", test)
    name = parsed(found[1]) if found is not None else None
    if found is None or name is None or not isinstance(root, Function):
        return test
    is_number = made_type(name, root, source) in ("int", "float") or is_count(source, found[1])
    return f"{found[1]}{found[2]}" if is_number else test


def uses_of(node: ast.expr, function: Function) -> set[str]:
    """How a function uses a name or attribute."""
    operand = Operand(ast.unparse(node), "local")
    note_uses([operand], function, function)
    return operand.uses


def with_no_time(test: str, root: ast.AST, source: Source) -> str:
    """`timedelta(0)` for the 0 that a span of time is compared with."""
    tree = parsed(test)
    if not isinstance(tree, ast.Compare) or not isinstance(root, Function) or not test.endswith(" 0"):
        return test
    if made_type(tree.left, root, source) != "timedelta":
        return test
    home = "" if "timedelta" in names_in(source.tree) else "datetime."
    return f"{test[:-1]}{home}timedelta(0)"


def read_count(text: str, expression: Expressions) -> Iterator[str]:
    """The comparison of a length with a number, if the text is no more than that, and the name of several
    such things is known."""
    bare = _BEHIND.sub("", _THERE.sub("", text.strip()))
    found = re.fullmatch(r"(?P<order>.+?)\s+(?P<number>\w+)\s+(?P<thing>[^\W\d]\w*)", bare)
    number = phrases.number(found["number"]) if found is not None else None
    if found is None or number is None or not number.isdigit():
        return
    kinds = [each.kind for each, hit in relations_in(found["order"]) if hit[0] == hit.string]
    sign = next((_SIGNS[kind] for kind in kinds if kind in _SIGNS), None)
    for name in _several(found["thing"].lower()) if sign is not None else ():
        code = expression(name)
        if code is not None and key(code.rpartition(".")[2]) == key(name):
            yield f"len({code}) {sign} {number}"
            return


def _several(thing: str) -> tuple[str, ...]:
    """What several of a thing are called."""
    if thing in _IRREGULAR:
        return (_IRREGULAR[thing],)
    return (re.sub(r"(?<![aeiou])y\Z", "ie", thing) + "s", f"{thing}es", f"{thing}_list")
