"""Calls that change the texts that people see."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.intent.builders.conditions.expressions import alike_text
from spark_tui.intent.builders.texts.misspelled import respelled_in_text, spelled_right
from spark_tui.intent.building.building import (
    Built,
    build_at,
    builder,
    call,
    filled,
    found,
    of_table,
    place,
    word,
)
from spark_tui.intent.building.rewritten import pass_argument, replace_code
from spark_tui.intent.context.anchors import Anchor, anchors, nodes, parsed
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Area, Option, Unresolved
from spark_tui.intent.facts.literal_types import is_text
from spark_tui.intent.finders.blocks import message_node
from spark_tui.intent.texts.samples import shown_texts
from spark_tui.intent.texts.shown_in_texts import ShownValue, values_named, with_values
from spark_tui.intent.values.converters.of_slots import SlotWords
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed, made_up
from spark_tui.intent.words.readings import Reading, Span
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import find_nodes, walk

_LEAST_ALIKE = 0.3
_LEFT_OUT = "the new text leaves out the values that the old one has"
_LESS = 0.3
"""How likely words of a text with values stand for all of it."""


def _strings_on_line(context: Context) -> list[Anchor]:
    """The one string of the line that is named, where no message stands."""
    if not context.situation.line:
        return []
    area, tree = Area(context.situation.path), context.source(context.situation.path).tree
    strings = [
        node
        for node in nodes(tree, ast.Constant)
        if isinstance(node.value, str) and node.lineno == context.situation.line
    ]
    return [Anchor(area, node, 0.9) for node in strings] if len(strings) == 1 else []


@builder("replace_message")
def replace_message(context: Context) -> Iterator[Built]:
    if not context.has("message"):
        raise Unresolved("the instruction gives no new text")
    if shown_as := shown_texts(context) if context.has("old") else []:
        yield from as_shown(context, shown_as)
        return
    spots = (
        anchors(context, "message")
        or _strings_on_line(context)
        or found(context, "message", "message like that")
    )
    alike = [_likeness(word(context, "old", spot), context.text("message")) for spot in spots]
    # A new text that is much like one of several is the new form of that one.
    told = not context.has("old") and max(alike) >= _LEAST_ALIKE
    misfit = made = False
    for anchor, like in zip(spots, alike, strict=True):
        assert isinstance(anchor.node, ast.expr | ast.Assert)
        node = _part(anchor.node, context.text("old"))
        source = context.source(anchor.path)
        likeness = max(like / max(alike), 0.1) if told else 1.0
        if shows := _showing(context, anchor, node):
            old, new, more = shows
            edit, made = replace_code(context, replace(anchor, node=old), new), True
            yield build_at(anchor, edit, weight=likeness, doubts=more)
            continue
        for option in filled(context, "{message:message}", anchor) or ():
            option = replace(option, text=_joined_on(source, node, option.text))
            if _has_other_fields(context, source, node, option.text):
                misfit = True
            elif built := _with_text(context, anchor, node, option, likeness):
                made = True
                yield from _of_a_part(context, anchor, node, built)
    if misfit and not made:
        raise Unresolved("the new text has other placeholders than the old one")


def _has_other_fields(context: Context, source: Source, node: ast.expr | ast.Assert, new: str) -> bool:
    """Whether the values that are filled into a text do not fit into the new one."""
    inner = _template(node) if not isinstance(node, ast.Assert) else None
    wanted = _fields(context.text("message"))
    return bool(inner and wanted and _is_shown(new)) and wanted != _fields(source.segment(inner or node))


def _is_shown(code: str) -> bool:
    """Whether code is one text."""
    return isinstance(parsed(code), ast.Constant | ast.JoinedStr)


def _with_text(
    context: Context, anchor: Anchor, node: ast.expr | ast.Assert, option: Option, likeness: float
) -> Built | None:
    """A new text in the place of what tells it now; None where that tells something else."""
    source, new, message = context.source(anchor.path), option.text, context.text("message")
    weight, doubts = anchor.weight * option.weight * likeness, (*anchor.doubts, *option.doubts)
    if isinstance(node, ast.Assert):
        text = f"{source.segment(node)}, {new}"
        return Built((call("replace_statements", place=place(context, anchor), code=text),), weight, doubts)
    inner = _template(node)
    if inner is not None and _is_shown(new) and _fields(message):
        node = inner
    unfilled = inner is None and "%" not in source.segment(node) and re.search(r"%[sdr]", message)
    if unfilled and _is_shown(new):
        doubts = (*doubts, "nothing fills the placeholders of the new text")
    if "{" not in message and "%" not in message and _is_filled(node):
        doubts = (*doubts, _LEFT_OUT)
    if message_node(node) is None and not isinstance(node, ast.Constant | ast.JoinedStr | ast.BinOp):
        if isinstance(node, ast.Call) and not _is_formatted(node) and node.args:
            if not (keyword := _detail_of(node)) or not _is_numbered(context, node):
                return None
            given = pass_argument(context, replace(anchor, node=node), keyword, new)
            return Built((given,), weight, (*anchor.doubts, *option.doubts))
        callee = source.segment(node.func) if isinstance(node, ast.Call) else source.segment(node)
        new = f"{callee}({new})" if not _is_formatted(node) else new
    return Built((replace_code(context, replace(anchor, node=node), new),), weight, doubts)


def _of_a_part(
    context: Context, anchor: Anchor, node: ast.expr | ast.Assert, built: Built
) -> Iterator[Built]:
    """The edit of a whole text that would lose its values, behind that of the words which are said."""
    old, new = (context.text(slot).strip("`'\"") for slot in ("old", "message"))
    values = {inner for one in find_nodes(node, ast.FormattedValue) for inner in walk(one)}
    parts = [str(one.value) for one in find_nodes(node, ast.Constant) if one not in values]
    if _LEFT_OUT not in built.doubts or not old or sum(one.count(old) for one in parts) != 1:
        yield built
        return
    made = call("replace_in_strings", place=place(context, anchor), old=old, new=new)
    yield build_at(anchor, made)
    yield replace(built, weight=built.weight * _LESS)


_DETAILS = {"HTTPException": "detail"}
"""The keyword for the text of errors that are made with a status first."""


def _detail_of(node: ast.Call) -> str:
    """The keyword by which an error that has only a status gets a text."""
    status = len(node.args) == 1 and not node.keywords and isinstance(node.args[0], ast.Constant)
    return _DETAILS.get(called_name(node), "") if status else ""


def _is_numbered(context: Context, node: ast.Call) -> bool:
    """Whether an error has the status that words name beside its text, where they name one."""
    said = re.findall(r"(?<!\d)[1-5]\d\d(?!\d)", context.beside_slots())
    return not said or ast.unparse(node.args[0]) in said


def _joined_on(source: Source, node: ast.AST, new: str) -> str:
    """The new text with the space at the end of the old one, to which something is added."""
    outer, was, text = source.parents.get(node), getattr(node, "value", ""), parsed(new)
    added = isinstance(outer, ast.BinOp) and isinstance(outer.op, ast.Add) and outer.left is node
    ends = isinstance(was, str) and was.endswith(" ") and is_text(text) and not new[:-1].endswith(" ")
    return f"{new[:-1]} {new[-1]}" if added and ends else new


def _part(node: ast.expr | ast.Assert, old: str) -> ast.expr | ast.Assert:
    """Of a sum the part that is the old text, if there is one: what is added to it stays."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Add):
        return node
    parts = (inner for inner in find_nodes(node, ast.Constant) if inner.value == old)
    return next(parts, node)


def as_shown(context: Context, found: list[tuple[Anchor, str, str]]) -> Iterator[Built]:
    """The calls for texts that are told as they come out."""
    for anchor, code, new in found:
        yield build_at(anchor, call("replace_expression", place=place(context, anchor), old=code, new=new))


def _showing(
    context: Context, anchor: Anchor, node: ast.expr | ast.Assert
) -> tuple[ast.expr, str, tuple[str, ...]] | None:
    """What is replaced by which code to show the values that words name."""
    span, source = context.span("message"), context.source(anchor.path)
    if span is None or isinstance(node, ast.Assert):
        return None
    if values := values_named(SlotWords(context, span, anchor)):
        shown = with_values(source, node, [ShownValue(value) for value in values])
        return (*shown, (made_up("the rest of the text was made up"),)) if shown is not None else None
    return None


def _is_filled(node: ast.expr) -> bool:
    """Whether values stand in a text, or are added to it."""
    added = isinstance(node, ast.BinOp) and any(isinstance(inner, ast.Name) for inner in walk(node))
    formatted = any(isinstance(inner, ast.FormattedValue) for inner in walk(node))
    return _template(node) is not None or added or formatted


def _likeness(old: str, new: str) -> float:
    """How many of the words of two texts are the same, from 0 to 1."""
    one, two = (set(re.findall(r"\w+", text.lower())) for text in (old, new))
    return len(one & two) / max(len(one | two), 1)


def _template(node: ast.expr) -> ast.expr | None:
    """The text of `"…".format(…)` and `"…" % …`."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and _is_formatted(node):
        return node.func.value
    return node.left if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) else None


def _fields(text: str) -> list[str]:
    """The placeholders of a format string, in order."""
    return re.findall(r"\{\d*(?:![rsa])?(?::[^{}]*)?\}|%(?:\(\w+\))?[-+0-9.]*[sdrfixg]", text)


def _is_formatted(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format"


_CASES = ("{x}.lower()", "{x}.upper()", "{x}.title()", "{x}.capitalize()")


def _without_first_word(context: Context) -> Context | None:
    """The same with the old text from its second word on, where it is not quoted: `fix adress`."""
    spans = context.reading.slots.get("old", ())
    rest = spans[0].text.partition(" ")[2] if len(spans) == 1 and not spans[0].quoted else ""
    if not rest.strip():
        return None
    left = Span(spans[0].end - len(rest), spans[0].end, rest)
    slots = {**context.reading.slots, "old": (left,)}
    return Context(replace(context.reading, slots=slots), context.situation, context.names)


@builder("replace_text")
def replace_text(context: Context) -> Iterator[Built]:
    """In strings, or else in the comments that have the text; without one, in the string that is like it."""
    if (corrected := spelled_right(context)) is not None:
        doubt = assumed(f"{corrected.slots['new'][0].text} was assumed to be the right spelling")
        for built in replace_text(Context(corrected, context.situation, context.names)):
            yield replace(built, doubts=(*built.doubts, doubt))
        return
    if (whole := respelled_in_text(context)) is not None:
        yield from replace_respelled(context, whole)
        return
    yield from _replace_text(context)


def replace_respelled(context: Context, whole: Reading) -> Iterator[Built]:
    """A single word that is given for a text of several: in the place of all, or of the word like it."""
    word = context.text("new").strip("`'\"")
    doubt = assumed(f"only the word like {word} was assumed to be replaced")
    own = list(_replace_text(Context(whole, context.situation, context.names)))
    yield from (replace(built, doubts=(*built.doubts, doubt)) for built in own)
    doubt = assumed(f"{word} was assumed to replace all of the text")
    for built in _replace_text(context):
        yield replace(built, doubts=(*built.doubts, doubt))


def _replace_text(context: Context) -> Iterator[Built]:
    if shown := shown_texts(context) if context.has("new") else []:
        yield from as_shown(context, shown)
        return
    if not context.has("old") and context.has("new"):
        new = context.text("new").strip("`'\"")
        for anchor, part in alike_text(context, new):
            made = call("replace_in_strings", place=place(context, anchor), old=part, new=new)
            yield build_at(anchor, made)
        return
    if not (spans := context.reading.slots.get("new", ())):
        said = context.has("old") and phrases.mentions("misspelled", context.situation.instruction)
        reason = f"how {context.text('old')} is spelled right is not known" if said else ""
        raise Unresolved(reason or "the instruction does not say what replaces it")
    if not spans[0].quoted and phrases.lookup("transforms", spans[0].text) in _CASES:
        raise Unresolved(f"{spans[0].text!r} says how a text is written, and not which")
    try:
        yield from of_table(context, "replace_text")
    except Unresolved:
        old, new = context.text("old").strip("`'\""), context.text("new").strip("`'\"")
        spots = anchors(context, "comment:old") if old and new else []
        if not any(old in spot.words["old"] for spot in spots):
            if shorter := _without_first_word(context):
                yield from replace_text(shorter)
                return
            raise
        for anchor in spots[: context.most_places]:
            text = anchor.words["old"].replace(old, new)
            yield build_at(anchor, call("set_comment", place=anchor.words["line"], text=text))
