"""What a function says of the kind of what is tested: an entry looked up, a display, a text that is read."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.codemods.rewriting.edits import is_none
from spark_tui.intent.conditions.condition_phrases import word_list
from spark_tui.intent.conditions.operand_uses import note_uses
from spark_tui.intent.conditions.operands import Operand
from spark_tui.intent.context.anchors import parsed
from spark_tui.intent.facts.literal_types import classes_hinted
from spark_tui.intent.facts.made_types import made_type
from spark_tui.intent.words.doubts import assumed, not_said
from spark_tui.intent.words.phrases import any_stands_in, table
from spark_tui.pysource.calls.signatures import defaults
from spark_tui.pysource.source import Function, Source, parameters
from spark_tui.pysource.syntax.walking import find_nodes, names_in, walk
from spark_tui.pysource.words import word_set

_ABSENT = re.compile(
    r"\b(?:such|unknown|missing|absent|exists?|known|found|there"
    r"|fehlt|fehlen|existiert|unbekannt|manque|existe|falta)\b"
)
_DISPLAYS = (ast.Dict, ast.List, ast.Set, ast.Tuple, ast.JoinedStr, ast.ListComp, ast.DictComp, ast.SetComp)
_HELD = word_list("held")
_MEMBERS = ("in_list", "not_in_list", "contains")
"""Conditions whose words ask what something holds."""
_NEVER_NONE = word_set("str int float bool bytes list dict set tuple")
_ONE_WAY = word_set("Iterable Iterator Generator AsyncIterable AsyncIterator AsyncGenerator")
_PIECES = ("split", "rsplit", "partition", "rpartition", "strip", "lower", "upper", "replace", "splitlines")
_READS = ("int", "float", "Decimal")
_TEXTS = ("strip", "split", "lower", "upper", "isdigit", "startswith", "endswith", "partition", "replace")


def with_lookup(test: str, text: str, root: ast.AST) -> str:
    """A test that what is looked up is there, where the words say that it is missing: `d[k]` itself would
    fail."""
    tree = parsed(test)
    if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.Not):
        tested: ast.expr | None = tree.operand
    elif isinstance(tree, ast.Compare) and isinstance(tree.ops[0], ast.Is) and test.endswith(" is None"):
        tested = tree.left
    else:
        return test
    made = _values(tested, root) if isinstance(tested, ast.Name) else [tested]
    made = _entries_of(tested, root) if isinstance(tested, ast.Attribute) else made
    entry = _entry(made[0]) if len(made) == 1 else None
    if entry is None or isinstance(entry[1], ast.Slice) or not _ABSENT.search(text):
        return test
    key = entry[1].value if isinstance(entry[1], ast.Constant) else None
    if key is not None and not isinstance(key, str):
        return test
    shown = ast.unparse(entry[1]) if key is None else f'"{key}"'
    return f"{shown} not in {ast.unparse(entry[0])}"


def _entries_of(held: ast.expr, root: ast.AST) -> list[ast.expr]:
    """What a function looks up in an attribute by one of its parameters: what is missing is an entry."""
    given = {item.arg for item in parameters(root)} if isinstance(root, Function) else set()
    entries = {
        ast.unparse(node): node
        for node in walk(root)
        if isinstance(node, ast.Subscript) and ast.unparse(node.value) == ast.unparse(held)
        if isinstance(node.slice, ast.Name) and node.slice.id in given
    }
    return [*entries.values()] or [held]


def _entry(node: ast.expr | None) -> tuple[ast.expr, ast.expr] | None:
    """What is looked up, or taken out, and by which key: `d[key]`, `d.pop(key)`."""
    match node:
        case ast.Subscript():
            return node.value, node.slice
        case ast.Call(func=ast.Attribute(value=held, attr="pop"), args=[key], keywords=[]):
            return held, key
    return None


def as_piece(test: str, root: ast.AST, text: str) -> str:
    """A piece of a text is not None where it is missing, but empty; what is given, or comes from what a loop
    goes through, may be the None of the words before it is made a piece."""
    found = re.fullmatch(r"(\w+) is (not )?None", test)
    given = {item.arg for item in parameters(root)} if isinstance(root, Function) else set()
    given |= names_in(root.target) if isinstance(root, ast.For | ast.AsyncFor) else set()
    if found is not None and found[1] in given and re.search(r"(?<!\w)None(?!\w)", text):
        return test
    made = [
        node.value
        for node in walk(root)
        if found is not None
        and isinstance(node, ast.Assign)
        and found[1] in (inner.id for inner in find_nodes(node.targets[0], ast.Name))
    ]
    pieces = (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _PIECES
        for node in made
    )
    if found is None or not made or not all(pieces):
        return test
    return found[1] if found[2] else f"not {found[1]}"


def of_entries(test: str, source: Source) -> str:
    """A name is not in a dictionary that has an entry of that name: the entry is what may be missing."""
    found = re.fullmatch(r"(\w+) ((?:not )?in) (\w+)", test)
    asked = (node for node in walk(source.tree) if found is not None and isinstance(node, ast.Subscript))
    for node in asked:
        entry = node.slice.value if isinstance(node.slice, ast.Constant) else None
        if found is not None and entry == found[1] and ast.unparse(node.value) == found[3]:
            return f'"{found[1]}" {found[2]} {found[3]}'
    return test


def is_display(node: ast.expr, root: ast.AST) -> bool:
    """Whether a function sets a name to a text or collection that is written there, and to nothing else."""
    made = _values(node, root) if isinstance(node, ast.Name) else []
    return bool(made) and all(isinstance(value, _DISPLAYS) for value in made)


def doubts_of_kind(test: ast.expr, root: ast.AST) -> Iterator[str]:
    """That a number is asked for where the function reads one from a text, or the length of a number."""
    shown = ast.unparse(test)
    known = defaults(root) if isinstance(root, Function) else {}
    for item in parameters(root) if isinstance(root, Function) else ():
        plain = not item.annotation and item.arg not in known and not _values(ast.Name(item.arg), root)
        asked = plain and re.search(rf"(?<![\w.(]){item.arg} [<>]=? -?\d", shown)
        if asked and any(_reads(inner, item.arg) for inner in walk(root)):
            yield assumed(f"{item.arg} is read as a text there, and was assumed to be a number")
        if ast.unparse(test) == f"not {item.arg}" and classes_hinted(item.annotation) & _ONE_WAY:
            yield assumed(f"{item.arg} may be an iterator, which is never empty")
    for name in re.findall(r"\blen\(([\w.]+)\)", shown):
        if re.search(rf"(?<![\w.(]){re.escape(name)} [<>=!]=? -?\d", shown):
            yield assumed(f"{name} was assumed to be a number that has a length")
    for node in walk(test):
        if not (
            isinstance(node, ast.Call) and ast.unparse(node.func) == "isinstance" and len(node.args) == 2
        ):
            continue
        name, kinds = ast.unparse(node.args[0]), ast.unparse(node.args[1])
        if re.search(r"\b(?:int|float)\b", kinds) and any(_reads(inner, name) for inner in walk(root)):
            yield assumed(f"{name} is read as a text there, and was assumed to be tested for its type")


def doubts_of_set(test: ast.expr, root: ast.AST, source: Source) -> Iterator[str]:
    """That what a function or its class sets itself, and never to None, is asked whether it is None."""
    if not isinstance(root, Function):
        return
    given = {item.arg for item in parameters(root)}
    for node in walk(test):
        if not isinstance(node, ast.Compare) or not is_none(node.comparators[0]):
            continue
        own = isinstance(node.left, ast.Attribute) and ast.unparse(node.left.value) == "self"
        sets = (source.class_of(root) if own else None) or root
        made = [_made_type(value, root, source) for value in _values(node.left, sets, parts=True)]
        if made and ast.unparse(node.left) not in given and all(kind in _NEVER_NONE for kind in made):
            yield not_said(f"{ast.unparse(node.left)} is never None there")


def _made_type(value: ast.expr, root: Function, source: Source) -> str:
    """The type of a value, where a literal, a call of a type or a method of texts gives it."""
    called = value.func.id if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) else ""
    return "bytes" if called == "bytearray" else made_type(value, root, source)


def doubts_of_holding(test: ast.expr, root: ast.AST, text: str) -> Iterator[str]:
    """That a name is asked for what it holds of which the function does not say that it holds anything: one
    that is used as an object, or for which the words do not ask that either (*the customer has no order*)."""
    spec = root.args if isinstance(root, Function) else ast.arguments([], [], None, [], [], None, [])
    given = (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)
    unknown = {each.arg for each in given if each.annotation is None}
    asked = any(any_stands_in(table()["conditions"][kind]["phrases"], text.lower()) for kind in _MEMBERS)
    for node in walk(test):
        held = node.comparators[0] if isinstance(node, ast.Compare) else None
        if not isinstance(node, ast.Compare) or not isinstance(node.ops[0], ast.In | ast.NotIn):
            continue
        if not isinstance(held, ast.Name):
            continue
        operand = Operand(held.id, "local")
        note_uses([operand], root, root)
        unsaid = held.id in unknown and not asked and not isinstance(node.left, ast.Constant)
        if not operand.uses & _HELD and ("attributes" in operand.uses or unsaid):
            yield not_said(f"the code does not say that {held.id} holds anything")


def _reads(node: ast.AST, name: str) -> bool:
    """Whether a name is made a number, or asked what only a text can be asked."""
    if not isinstance(node, ast.Call):
        return False
    called = ast.unparse(node.func)
    if called in _READS:
        return [ast.unparse(item) for item in node.args[:1]] == [name]
    return called.startswith(f"{name}.") and called.rpartition(".")[2] in _TEXTS


def _values(name: ast.expr, root: ast.AST, parts: bool = False) -> list[ast.expr]:
    """The values that a function assigns to a name, perhaps with others at once."""
    found = (node for node in walk(root) if isinstance(node, ast.Assign | ast.AnnAssign))
    every = [(node.targets if isinstance(node, ast.Assign) else [node.target], node.value) for node in found]
    for targets, value in [*every] if parts else ():
        if isinstance(targets[0], ast.Tuple) and isinstance(value, ast.Tuple):
            every += [([one], of) for one, of in zip(targets[0].elts, value.elts, strict=False)]
    shown = ast.unparse(name)
    return [value for targets, value in every if value and shown in map(ast.unparse, targets)]
