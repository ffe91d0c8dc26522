"""Transforms that words describe: what is taken out of a text, prefixes and suffixes that go, or what is done
with both sides."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from spark_tui.codemods.plan import Plan
from spark_tui.intent.building.building import Built, build_at, builder, of_table
from spark_tui.intent.building.rewritten import replace_code
from spark_tui.intent.context.anchors import Anchor, parsed, weighted
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.facts.literal_types import is_text
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed
from spark_tui.intent.words.kinds_of_words import says
from spark_tui.pysource.names.type_hints import called_name


def worded_transform(text: str) -> str:
    """The form of a transform in words: `{x}.replace(" ", "")` for *take blanks out*, `", ".join({x})` for
    *commas between*; empty where there is none."""
    between, out = (says("transform_words", kind, text) for kind in ("between", "out"))
    if between or out:
        signs = [
            code
            for word in re.findall(r"\w+", text.lower())
            if (code := phrases.lookup("signs", word) or phrases.lookup("signs", word.removesuffix("s")))
        ]
        if len(signs) == 1 and between and signs[0] != '"':
            end = " " if signs[0] in ",;" else ""
            shown = signs[0].replace("\n", "\\n")
            return f'"{shown}{end}".join({{x}})'
        if len(signs) == 1 and signs[0] not in '"\n':
            return f'{{x}}.replace("{signs[0]}", "")'
    return ""


def apply_to_literal(form: str, text: str) -> str:
    """What a method makes of a text that stands there; empty where it is none."""
    tree, method = parsed(text), form.removeprefix("{x}.").removesuffix("()")
    if not isinstance(tree, ast.Constant) or not is_text(tree) or method not in ("lower", "upper", "title"):
        return ""
    value = str(tree.value)
    return text.replace(value, str(getattr(value, method)())) if value in text else ""


def apply_to_items(change: Callable[[str], str], text: str) -> str:
    """Each of several values, changed: of those that are calculated, where there are some; else empty."""
    tree = parsed(text)
    if not isinstance(tree, ast.Tuple) or not tree.elts:
        return ""
    made = [element for element in tree.elts if isinstance(element, ast.BinOp)] or tree.elts
    shown = [
        change(shown) if element in made else shown
        for element in tree.elts
        if (shown := ast.get_source_segment(text, element) or ast.unparse(element))
    ]
    inside = parsed(text[1:-1]) if text.startswith("(") and text.endswith(")") else None
    joined = ", ".join(shown) + ("," if len(shown) == 1 else "")
    return f"({joined})" if isinstance(inside, ast.Tuple) else joined


def transform_both_sides(context: Context, change: Callable[[str], str]) -> Iterator[Built]:
    """Both sides of the one comparison of a function, changed, where words say that it compares so."""
    if context.has("variable") or not says("transform_words", "compared", context.beside_slots()):
        return
    found = [
        Anchor(area, inner, 0.9, area.doubts)
        for area, _, inner in context.find(ast.Compare)
        if len(inner.ops) == 1
        and not any(isinstance(item, ast.Constant) for item in (inner.left, *inner.comparators))
    ]
    for anchor in weighted(context, found):
        source, node = context.source(anchor.path), anchor.node
        assert isinstance(node, ast.Compare)
        (low, end), (low_left, end_left), (low_right, end_right) = map(
            source.span, (node, node.left, node.comparators[0])
        )
        left, right = change(source.segment(node.left)), change(source.segment(node.comparators[0]))
        text = source.text
        new = text[low:low_left] + left + text[end_left:low_right] + right + text[end_right:end]
        yield build_at(anchor, replace_code(context, anchor, new))


@builder("pattern.removeprefix")
def removeprefix(context: Context) -> Iterator[Built]:
    """In place of a test and a slice; where there are none, of `replace` with nothing."""
    made = list(of_table(context, "pattern.removeprefix"))
    if any(isinstance(built.calls[0].plan(context.repo), Plan) for built in made):
        yield from made
        return
    spots = [
        Anchor(area, node, 0.9, area.doubts)
        for area, _, node in context.find(ast.Call)
        if called_name(node) == "replace" and _takes_away(node)
    ]
    name = "removesuffix" if "suffix" in context.situation.instruction.lower() else "removeprefix"
    for anchor in weighted(context, spots):
        call_node, source = anchor.node, context.source(anchor.path)
        assert isinstance(call_node, ast.Call) and isinstance(call_node.func, ast.Attribute)
        text, gone = source.segment(call_node.func.value), source.segment(call_node.args[0])
        end = "at the end" if name == "removesuffix" else "at the start"
        doubt = assumed(f"{gone} was assumed to stand {end} only")
        yield build_at(anchor, replace_code(context, anchor, f"{text}.{name}({gone})"), doubts=(doubt,))
    if not spots:
        yield from made


def _takes_away(node: ast.Call) -> bool:
    """Whether a call puts nothing in the place of a text."""
    new = node.args[1] if len(node.args) in (2, 3) and isinstance(node.func, ast.Attribute) else None
    return isinstance(new, ast.Constant) and new.value == ""
