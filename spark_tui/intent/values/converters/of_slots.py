"""The words of a slot as code: values, names, messages, exceptions, statements."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from spark_tui.intent.conditions import worded
from spark_tui.intent.conditions.likely_tests import find_likely_tests
from spark_tui.intent.conditions.sensible_tests import keep_sensible
from spark_tui.intent.conditions.shared_tests import apply_to_each
from spark_tui.intent.conditions.text_comparisons import are_texts_known, types_compared
from spark_tui.intent.conditions.told_states import find_state
from spark_tui.intent.context.anchors import Anchor, parsed
from spark_tui.intent.context.lookup import key
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Option
from spark_tui.intent.context.visible import Visible
from spark_tui.intent.facts.enumerations import like_member
from spark_tui.intent.facts.literal_types import is_string
from spark_tui.intent.facts.made_types import counted_like, is_count
from spark_tui.intent.values.converters.sketches import is_sketch
from spark_tui.intent.values.literals.composed import is_number_text, like_parts, with_part
from spark_tui.intent.values.literals.doubtful_values import doubts_of_amount, loses_items, texts_of_word
from spark_tui.intent.values.literals.moments import present_moment
from spark_tui.intent.values.literals.numbers import (
    amount_of,
    in_same_call,
    is_arithmetic,
    is_number,
    is_time_or_size,
    with_percent,
    with_unit,
)
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed
from spark_tui.intent.words.readings import Span
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import find_nodes, names_in, walk

_SPAN = re.compile(r"[\d.]+(?:\s*[-–:/]\s*[\d.]+)+")
"""Two numbers that are a text where another text stands: `3-4` days."""


@dataclass(frozen=True, eq=False)
class SlotWords:
    """The words of a slot, and the place in the code for which they are read."""

    context: Context
    span: Span
    anchor: Anchor


Converter = Callable[[SlotWords], list[Option]]
CONVERTERS: dict[str, Converter] = {}


def converter(function: Converter) -> Converter:
    CONVERTERS[function.__name__.removesuffix("_")] = function
    return function


def quote_of(source: Source | None) -> str:
    """The quote that a file uses most."""
    if source is None:
        return '"'
    text = source.text
    return "'" if text.count("'") - 2 * len(re.findall(r"\w'\w", text)) > text.count('"') else '"'


_ESCAPED = re.compile(r"(?:[^\\]|\\(?:[\\nrt0]|x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}))*")
"""A text whose backslashes are escapes as they stand in code."""


def literal(text: str, source: Source | None = None, quote: str = "") -> str:
    """A string literal of a text, in the quotes of the file."""
    mark = quote or quote_of(source)
    other = '"' if mark == "'" else "'"
    if mark in text and other not in text and "\\" not in text:
        mark = other
    inner = text if _ESCAPED.fullmatch(text) else text.replace("\\", "\\\\")
    inner = inner.replace(mark, f"\\{mark}").replace("\n", "\\n").replace("\t", "\\t")
    return f"{mark}{inner}{mark}"


def source_of(context: Context, anchor: Anchor) -> Source | None:
    return context.source(anchor.path) if anchor.path in context.repo.index.paths else None


# -- values ------------------------------------------------------------------------------------------


@converter
def value(slot: SlotWords) -> list[Option]:
    """A value of the type of the one that it replaces (`anchor.extra["old"]`), or as it is written."""
    old = slot.anchor.extra.get("old")
    if alike := slot.anchor.words.get("alike"):
        return [Option(alike, 0.9)]
    words = slot.anchor.words
    return read_typed(
        slot.context, slot.span, slot.anchor, old, words.get("type", ""), words.get("called", "")
    )


def read_typed(
    context: Context, span: Span, anchor: Anchor, old: ast.AST | None, hint: str, called: str
) -> list[Option]:
    """The values that a text may mean where `old` stands, or where the type is `hint`."""
    said = context.situation.instruction if span.end > 0 else ""
    unsure = tuple(doubts_of_amount(span.text, said[: span.start], said[span.end :], called, old))
    if not span.quoted:
        span = replace(span, text=with_unit(span.text, said[span.end :]))
    source = source_of(context, anchor)
    counted = counted_like(called, anchor.node, source)
    found = _read_typed(context, span, anchor, old, hint, counted)
    if source is not None and called and is_time_or_size(span.text) and is_count(source, called):
        unsure = (*unsure, assumed(f"{called} was assumed to be a time or size: the file counts with it"))
    made = [replace(one, text=in_same_call(like_member(one.text, old, source), old)) for one in found]
    return [replace(one, doubts=(*one.doubts, *unsure, *loses_items(one.text, old))) for one in made]


def _read_typed(
    context: Context, span: Span, anchor: Anchor, old: ast.AST | None, hint: str, called: str
) -> list[Option]:
    quote = context.quote(span)
    text = span.text.strip()
    text = (span.text if quote in ("'", '"') else text or span.text) if quote else text.rstrip(";") or text
    text = re.sub(r"\A=\s*(?=[^=\s])", "", text)
    source = source_of(context, anchor)
    is_constant = text.isidentifier() and text.isupper() and not quote
    is_unknown = is_constant and not context.visible(anchor.path, anchor.node).knows(text)
    if is_unknown and isinstance(old, ast.Attribute):
        return [Option(f"{ast.unparse(old.value)}.{text}")]
    out: list[Option] = []
    text_wanted = is_string(old) or hint in ("str", "str | None", "Optional[str]")
    other_wanted = isinstance(old, ast.Constant) and not isinstance(old.value, str) and old.value is not None
    was = old.value if isinstance(old, ast.Constant) and isinstance(old.value, str) else None
    if was is not None and phrases.value(text) is None and (part := with_part(was, text)) is not None:
        return [Option(literal(part, source, _quote_of_node(source, old)))]
    if was is not None and not quote and _SPAN.fullmatch(text):
        return [Option(literal(text, source, _quote_of_node(source, old)))]
    if was is not None and is_number_text(was) and (quote in ("'", '"') or is_number_text(text)):
        return [Option(literal(text, source, _quote_of_node(source, old)))]
    if quote in ("'", '"'):
        bare = parsed(text)
        code = bare is not None and not isinstance(bare, ast.Name)
        shown = literal(text, source, _quote_of_node(source, old) or _typed_quote(source, quote))
        if other_wanted and code:
            return [Option(text), Option(shown, 0.4)]
        return [Option(shown, 1.0), *([Option(text, 0.35)] if code else [])]
    if was is not None and len(was) == 1 and not was.isalnum() and (sign := phrases.sign(text)) is not None:
        return [Option(literal(sign, source, _quote_of_node(source, old)))]
    if isinstance(old, ast.Tuple | ast.List | ast.Dict) and source is not None and parsed(text) is None:
        parts = like_parts(source, text, old, [old], partial(literal, source=source))
        if parts is not None:
            return [Option(parts, 0.9)]
    text = with_percent(text, old, context.situation.instruction)
    own = quote == "`" and _is_own(context, anchor, text)
    words = None if own else phrases.value(text) or present_moment(text, source)
    if is_number(old) and phrases.is_said("none_of", text) and text != "None":
        words = "0"
    if words is not None and (not text_wanted or words in ('""', "None") or text in ("None",)):
        if words == '""':
            words = quote_of(source) * 2
        out.append(Option(words))
    if not out and (amount := amount_of(text, called, old)) is not None:
        out.append(Option(amount))
    if not out and phrases.without_articles(text) != text and (sign := phrases.lookup("signs", text)):
        out.append(Option(literal(sign, source, _quote_of_node(source, old)), 0.9))
    if not out:
        out += _as_code(context, text, anchor, source, text_wanted, quote == "`", old)
    return out


def _is_own(context: Context, anchor: Anchor, text: str) -> bool:
    """Whether code is a parameter or local there, such as `enabled`, and not the word for a value."""
    known = context.visible(anchor.path, anchor.node or anchor.area.node)
    return text.isidentifier() and text in known.inner.values()


def _typed_quote(source: Source | None, quote: str) -> str:
    """The quote that was typed, if no string of the file tells which it uses."""
    bare = source is not None and "'" not in source.text and '"' not in source.text
    return quote if bare else ""


def _quote_of_node(source: Source | None, node: ast.AST | None) -> str:
    if source is None or not isinstance(node, ast.Constant) or node not in source.parents:
        return ""
    shown = source.segment(node)
    return shown[-1:] if shown[-1:] in "'\"" and not shown.endswith(('"""', "'''")) else ""


def _as_code(
    context: Context,
    text: str,
    anchor: Anchor,
    source: Source | None,
    text_wanted: bool,
    code: bool,
    old: ast.AST | None,
) -> list[Option]:
    tree = parsed(text)
    visible = context.visible(anchor.path, anchor.node or anchor.area.node) if source is not None else None
    if tree is None:
        found = visible.expression(text) if visible is not None and not text_wanted else None
        doubts = (f"{text} was read as a string",) if " " in text else ()
        shown = literal(text, source, _quote_of_node(source, old))
        as_text = Option(shown, 0.9 if text_wanted else 0.5, doubts)
        if found is not None:
            return [Option(found, 0.8), as_text]
        other = (isinstance(old, ast.Constant) and old.value is not None) or is_arithmetic(old)
        # Words are no number.
        return [] if not text_wanted and (other or " " in text) else [as_text]
    if not isinstance(tree, ast.Name):
        is_text = text_wanted and isinstance(old, ast.Constant) and visible is not None
        is_prose = visible is not None and _is_prose(tree, text.lower(), visible, some=True)
        if is_text and (is_prose or (isinstance(tree, ast.BinOp) and not names_in(tree))):
            return [Option(literal(text, source, _quote_of_node(source, old)), 0.9), Option(text, 0.3)]
        dotted = isinstance(tree, ast.Attribute) and isinstance(old, ast.Constant) and old.value is not None
        if code or visible is None or dotted or not _is_prose(tree, text, visible):
            return [Option(text)]
        return [Option(literal(text, source, _quote_of_node(source, old)), 0.9), Option(text, 0.3)]
    known = visible is not None and visible.knows(tree.id)
    spelled = visible.name(text) if visible is not None else None
    shown = literal(text, source, _quote_of_node(source, old))
    if known and text.isupper():
        return [Option(text)]
    if not code and (text_wanted or phrases.is_said("empty_text", text)):
        return texts_of_word(text, shown, old, known)
    if known or (code and not isinstance(old, ast.Constant | ast.JoinedStr)):
        return [Option(text)]
    if code:
        return [Option(shown, 0.9), Option(text, 0.4)] if text_wanted else [Option(text)]
    if spelled is not None and spelled not in dir(builtins):
        return [Option(spelled, 0.85), Option(shown, 0.3)]
    if text[:1].isupper() or "_" in text:
        return [Option(text, 0.8), Option(shown, 0.4)]
    if isinstance(old, ast.Constant) and type(old.value) in (int, float):
        return []
    return [Option(shown, 0.7, (f"{text} was read as a string",)), Option(text, 0.35)]


def _is_prose(tree: ast.expr, text: str, visible: Visible, some: bool = False) -> bool:
    """Whether a text that parses is a word (`utf-8`, `text/html`), with no known part, or only `some`."""
    names = [node.id for node in find_nodes(tree, ast.Name)]
    kinds = (ast.BinOp, ast.Name, ast.Constant, ast.operator, ast.Attribute, ast.expr_context)
    plain = all(isinstance(node, kinds) for node in walk(tree)) and " " not in text
    known = [visible.knows(name) for name in names]
    return plain and bool(names) and not (all if some else any)(known) and not text[:1].isupper()


OPTION = re.compile(r"--[A-Za-z][\w-]*")
"""An option of a command line."""


@converter
def expression(slot: SlotWords) -> list[Option]:
    """Code, or what words name in the code around the anchor."""
    text = slot.span.text.strip().strip("`").rstrip(";")
    if is_sketch(text, source_of(slot.context, slot.anchor)):
        return []
    if slot.context.quote(slot.span) in ("'", '"') and parsed(text) is None:
        return [Option(literal(text, source_of(slot.context, slot.anchor)))]
    if OPTION.fullmatch(text) and not slot.context.quote(slot.span):
        return [Option(literal(text, source_of(slot.context, slot.anchor)))]
    if parsed(text) is not None and not text.isidentifier():
        return [Option(text)]
    found = slot.context.visible(slot.anchor.path, slot.anchor.node or slot.anchor.area.node).expression(text)
    if found is not None:
        return [Option(found, 1.0 if found == text else 0.9)]
    return read_typed(slot.context, slot.span, slot.anchor, None, "", "")


@converter
def ending(slot: SlotWords) -> list[Option]:
    """An expression; where only the end of one is replaced, with what stands in front of it."""
    holder = slot.anchor.words.get("holder", "")
    text = slot.span.text.strip().strip("`").rstrip(";")
    old, visible = slot.anchor.extra.get("old"), slot.context.visible(slot.anchor.path, slot.anchor.node)
    bare = not slot.context.quote(slot.span) and text.isidentifier() and not visible.knows(text)
    # The words may name no more than the attribute, as the new one does.
    part = isinstance(old, ast.Attribute) and key(old.attr) == key(slot.context.text("old").strip("`"))
    if isinstance(old, ast.Attribute) and bare and (part or visible.expression(text) is None):
        return [Option(f"{ast.unparse(old.value)}.{text}", 0.9)]  # another thing of the same module or object
    if not holder:
        return expression(slot)
    joined = holder + (text if not text[:1].isalpha() else f".{text}")
    return [Option(joined)] if parsed(joined) is not None else []


@converter
def condition(slot: SlotWords) -> list[Option]:
    """The condition that a text means at the anchor."""
    at = slot.context, slot.span, slot.anchor
    if state := find_state(*at):
        return keep_sensible(*at, state)
    visible = slot.context.visible(slot.anchor.path, slot.anchor.node or slot.anchor.area.node)
    found = worded.parse_condition(slot.span.text, visible.expression)
    own = set(visible.inner.values())
    out = []
    source = source_of(slot.context, slot.anchor)
    for one in found[:3]:
        if source is not None and not are_texts_known(one.code, slot.span.text, source):
            continue
        names = names_in(ast.parse(one.code))
        if not names:
            continue  # `0 and 100`
        local = bool(names & own) or any(name.startswith("self.") for name in own if name in one.code)
        short = {word: visible.shortened(word) for word in re.findall(r"\w+", slot.span.text)}
        doubts: tuple[str, ...] = tuple(
            assumed(f"{name} was assumed to be {word}") for word, name in short.items() if name in names
        )
        doubts += tuple(f"{name} is the type there" for name in types_compared(one.code) if name not in own)
        code = apply_to_each(one.code, slot.anchor.node, slot.span.text.strip())
        out.append(Option(code, one.weight * (1.0 if local else 0.6), doubts))
    return keep_sensible(*at, out) or find_likely_tests(*at)
