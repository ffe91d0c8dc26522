"""What is written in the place of a statement: an error is raised, a value returned, an assertion becomes a
check that raises."""

from __future__ import annotations

import ast
import builtins
import re

from spark_tui.codemods.rewriting.negation import negate_code
from spark_tui.intent.context.anchors import parsed
from spark_tui.intent.context.situation import Option
from spark_tui.intent.values.converters.of_slots import SlotWords, converter, literal, source_of
from spark_tui.intent.values.converters.sketches import is_sketch
from spark_tui.intent.values.converters.texts import code
from spark_tui.intent.words.doubts import assumed
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import find_nodes
from spark_tui.pysource.tree_comparison import parse_statement

_NAME = re.compile(r"(?<![\w.])[A-Za-z_][\w.]*")
_QUOTED = re.compile(r"([\"'“]).+?[\"'”](?!\w)")


@converter
def replacement(slot: SlotWords) -> list[Option]:
    """Statements that stand where another one stood, which tells what an error or a value is for."""
    node, source = slot.anchor.node, source_of(slot.context, slot.anchor)
    if not isinstance(node, ast.stmt) or source is None:
        return code(slot)
    text = slot.span.text.strip().strip("`").strip()
    if is_sketch(text, source):
        return []
    found = [item for item in code(slot) if not item.doubts]
    one = parse_statement(text) if found else None
    value = one.value if isinstance(one, ast.Expr) else None
    owner = _owner_of_call(value, node, slot)
    if owner:
        found = [Option(f"{owner}.{text}", 0.9, (assumed(f"{text} was assumed to be {owner}.{text}"),))]
    elif value is not None and isinstance(node, ast.Return):
        found = [Option(f"return {text}")]
    elif one is None or (value is not None and _is_error(value)):
        thrown = _raised(text, source) if one is None or isinstance(value, ast.expr) else ""
        unread = (
            (assumed(f"{text} was assumed to be {thrown}"),) if thrown and _says_more(text, thrown) else ()
        )
        found = [Option(thrown, 1.0, unread)] if thrown else found if one is not None else code(slot)
    if isinstance(node, ast.Assert):
        found = [
            Option(raise_for_assert(source, node, item.text), item.weight, item.doubts) for item in found
        ]
    return found


def _owner_of_call(value: ast.expr | None, node: ast.stmt, slot: SlotWords) -> str:
    """The one thing whose entries the old statement takes, where what is called bare is no function there but
    a method of collections: `pop(name, None)` for `del self.tables[name]`."""
    if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Name):
        return ""
    name = value.func.id
    visible = slot.context.visible(slot.anchor.path, slot.anchor.node or slot.anchor.area.node)
    if visible.knows(name) or not any(hasattr(kind, name) for kind in (dict, list, set)):
        return ""
    held = {ast.unparse(one.value) for one in find_nodes(node, ast.Subscript)}
    return held.pop() if len(held) == 1 else ""


def _is_error(node: ast.expr) -> bool:
    """Whether an expression is an error, by its name."""
    name = ast.unparse(node.func if isinstance(node, ast.Call) else node)
    found = getattr(builtins, name, None)
    if isinstance(found, type):
        return issubclass(found, BaseException)
    last = name.rpartition(".")[2]
    return last[:1].isupper() and last.endswith(("Error", "Exception", "Exit"))


def _raised(text: str, source: Source) -> str:
    """The `raise` of the error that a text names, as long as it is shown, or with the message in quotes."""
    for found in _NAME.finditer(text):
        named = parsed(found[0])
        if named is None or not _is_error(named):
            continue
        ends = [match.end() for match in re.finditer(r"\)", text[found.end() :])]
        for end in reversed(ends if text[found.end() : found.end() + 1] == "(" else []):
            shown = text[found.start() : found.end() + end]
            if isinstance(parsed(shown), ast.Call):
                return f"raise {shown}"
        message = _QUOTED.search(text, found.end())
        return f"raise {found[0]}" + (f"({literal(message[0][1:-1], source)})" if message is not None else "")
    return ""


def _says_more(text: str, thrown: str) -> bool:
    """Whether words after an error tell what it is to say, and nothing was made of them."""
    name = thrown.removeprefix("raise ")
    behind = text.partition(name)[2] if name.isidentifier() else ""
    return re.search(r"\w", behind) is not None


def raise_for_assert(source: Source, node: ast.Assert, text: str) -> str:
    """A `raise` in the place of an assertion: with its message, where what was asserted does not hold."""
    one = parse_statement(text)
    if not isinstance(one, ast.Raise):
        return text
    if isinstance(one.exc, ast.Name | ast.Attribute) and node.msg is not None:
        text = f"{text}({source.segment(node.msg)})"
    if isinstance(node.test, ast.Constant) and not node.test.value:
        return text
    test = negate_code(source.segment(node.test))
    return f"if {f'({test})' if chr(10) in test else test}:\n    {text}"
