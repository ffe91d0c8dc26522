"""One more value beside a written one: an item, a text to compare with, an option, a flag of a call."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator

from spark_tui.intent.context.anchors import parsed
from spark_tui.intent.facts.enumerations import enumerations, member
from spark_tui.intent.followups.written.syntax import SECOND, NodeRewrite, WrittenSyntax, items_of
from spark_tui.intent.values.converters.of_slots import literal
from spark_tui.intent.words import phrases

_LIKELY = 0.9
_OF_TUPLES = frozenset(("startswith", "endswith"))
_OF_SIGNS = frozenset(("strip", "lstrip", "rstrip"))
_WORDS = frozenset(("word", "text", "value", "name", "string", "wort", "mot", "palabra"))


def further_value(written: WrittenSyntax) -> Iterator[NodeRewrite]:
    """More items after the last one that was written, or one more value beside it where it stands alone."""
    for node in written.nodes:
        yield from _items(written, node)
    weight, alone = _LIKELY, len(written.reading.slots.get("value", ())) == 1
    for node in reversed(written.nodes) if alone else ():
        if (found := _beside(written, node)) is not None:
            yield NodeRewrite(*found, weight)
            weight *= SECOND


def _items(written: WrittenSyntax, node: ast.AST) -> Iterator[NodeRewrite]:
    source, given = written.source, written.reading.slots.get("value", ())
    items, new = items_of(node), written.new_items(node)
    if not new or len(new) == len(items) or isinstance(node, ast.BoolOp | ast.Call):
        return
    first, last = items[new[-1]]
    words = []
    for at, span in enumerate(given):
        entry = parsed(f"{{{span.text}}}") if isinstance(node, ast.Dict) else None
        options = written.read("value", "value", last, at) if first is last else []
        words += [span.text] if isinstance(entry, ast.Dict) else [option.text for option in options[:1]]
    (low, high), (start, end) = source.span(node), (source.span(first)[0], source.span(last)[1])
    line = source.text[source.text.rfind("\n", 0, start) + 1 : start]
    between = f",\n{line}" if not line.strip() else ", "
    if given and len(words) == len(given):
        more = "".join(between + item for item in words)
        yield NodeRewrite(node, source.text[low:end] + more + source.text[end:high], _LIKELY)


def _beside(written: WrittenSyntax, node: ast.AST) -> tuple[ast.AST, str] | None:
    """The part of a comparison or call that gets one more value, with its code then."""
    code, told = written.source.segment, written.said("value").strip("`")
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Eq | ast.NotEq) and len(node.ops) == 1:
        side, word = node.comparators[0], "in" if isinstance(node.ops[0], ast.Eq) else "not in"
        new = _read(written, side) or _member(written, side)
        return (node, f"{code(node.left)} {word} ({code(side)}, {new})") if new else None
    if isinstance(node, ast.Compare):
        return _text_beside(written, node)
    if not isinstance(node, ast.Call):
        return None
    if ast.unparse(node.func) == "isinstance" and len(node.args) == 2:
        return _kind_beside(written, node.args[1], told)
    name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    flags = [one for one in node.keywords if written.is_whole(one) and code(one.value) in ("True", "False")]
    if flags and told.isidentifier() and told not in written.visible(node).bound:
        return flags[-1], f"{code(flags[-1])}, {told}={code(flags[-1].value)}"
    if not node.args and isinstance(node.func, ast.Attribute):
        chained = callable(getattr(str, name, None)) and callable(getattr(str, told, None))
        before = re.search(r"\b(?:first|before|zuerst)\b", written.instruction, re.IGNORECASE)
        part = node.func.value if before else node
        return (part, f"{code(part)}.{told}()") if chained else None
    side = node.args[0] if node.args else node
    if not isinstance(side, ast.Constant) or not isinstance(side.value, str):
        return None
    if name == "add_argument":
        both = sorted((code(side), literal(told, written.source)), key=len)
        return (side, ", ".join(both)) if told.startswith("-") else None
    new = _read(written, side) if name in _OF_TUPLES | _OF_SIGNS else ""
    value = ast.literal_eval(new) if new else ""
    if name == "startswith" and value.startswith(side.value):
        return node, f"{code(node)} or {code(node.func)[: -len(name)]}endswith({new})"  # *and .tmp files*
    both_signs = literal(side.value + value, written.source)
    return (side, both_signs if name in _OF_SIGNS else f"({code(side)}, {new})") if new else None


def _text_beside(written: WrittenSyntax, node: ast.Compare) -> tuple[ast.AST, str] | None:
    """One more text that is looked for in something: `"a" in x or "b" in x`."""
    inside, new = isinstance(node.ops[0], ast.In), _read(written, node.left)
    if len(node.ops) > 1 or not isinstance(node.ops[0], ast.In | ast.NotIn) or not new:
        return None
    code, around = written.source.segment, written.source.parents.get(node)
    word, joining, kind = ("in", "or", ast.Or) if inside else ("not in", "and", ast.And)
    more = f"{code(node)} {joining} {new} {word} {code(node.comparators[0])}"
    plain = not isinstance(around, ast.expr) or (
        isinstance(around, ast.BoolOp) and isinstance(around.op, kind)
    )
    return node, more if plain else f"({more})"


def _kind_beside(written: WrittenSyntax, kind: ast.expr, told: str) -> tuple[ast.AST, str] | None:
    """One more class that something may be of: `(str, bytes)`."""
    word = phrases.without_articles(told)
    known = isinstance(getattr(builtins, word, None), type) or word in written.visible(kind).bound
    kinds = kind.elts if isinstance(kind, ast.Tuple) else [kind]
    if not known or word in map(ast.unparse, kinds):
        return None
    return kind, f"({', '.join([*map(written.source.segment, kinds), word])})"


def _member(written: WrittenSyntax, side: ast.AST) -> str:
    """What is given as another member of an enumeration of which one was written."""
    owner = ast.unparse(side.value) if isinstance(side, ast.Attribute) else ""
    known = [one for one in enumerations(written.source) if one.name == owner]
    return member(known[0], phrases.without_articles(written.said("value"))) if known else ""


def _read(written: WrittenSyntax, side: ast.AST) -> str:
    """What is given as a value of the kind of a literal that was written."""
    if not isinstance(side, ast.Constant) or not written.is_whole(side):
        return ""
    text = written.said("value")
    if (
        not written.reading.slots["value"][-1].quoted
        and isinstance(side.value, str)
        and " " not in side.value
    ):
        words = phrases.without_articles(text).split()
        shown = [word for word in words if re.search(r"\W", word)]
        words = shown if len(shown) == 1 else [word for word in words if word.lower() not in _WORDS]
        if len(words) != 1:
            return ""  # words about a text are none
        written = written.saying("value", words[0])
    code = next((one.text for one in written.read("value", "value", side)), "")
    new = parsed(code)
    return code if isinstance(new, ast.Constant) and type(new.value) is type(side.value) else ""
