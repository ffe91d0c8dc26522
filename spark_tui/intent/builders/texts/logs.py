"""Calls that log: what a function is given, and what it returns."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.intent.builders.statements.branches import branch_ends
from spark_tui.intent.building.building import Built, build_at, builder, call, filled, found, place, word
from spark_tui.intent.building.forms_here import end_of_body
from spark_tui.intent.building.shared_lines import line_range
from spark_tui.intent.building.shown_code import log_call
from spark_tui.intent.context.anchors import Anchor, parsed
from spark_tui.intent.context.lookup import key
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Option, Unresolved
from spark_tui.intent.context.visible import is_short_for
from spark_tui.intent.facts.literal_types import is_text
from spark_tui.intent.texts.message_values import JOINERS
from spark_tui.intent.values.anchor_details import log_method, logger_named
from spark_tui.intent.values.converters.of_slots import quote_of
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import MESSAGE_MADE_UP, not_said, places_fit
from spark_tui.pysource.source import Function, parameters
from spark_tui.pysource.syntax.walking import find_nodes, names_in, walk
from spark_tui.pysource.words import identifier_words

_NAME = r"[^\W\d]\w*"
_SECRET = re.compile(
    r"passw(?:or)?d|pwd|passphrase|secret|credential|(?:api|private|auth|access)_?(?:key|token)",
    re.IGNORECASE,
)
"""Names of values that are logged only where a message names them."""


@builder("add_log")
def add_log(context: Context) -> Iterator[Built]:
    shown, side = log_call(context), end_of_body(context) or "start"
    for anchor in found(context, "function", "function"):
        node = anchor.node
        if shown:
            made = call("insert_statements", place=word(context, "in", anchor), code=shown, side=side)
            yield build_at(anchor, made)
            continue
        told = log_method(context)[1] or "info"
        level = (filled(context, "{level:level}", anchor) or [Option(told)])[0].text
        quote = quote_of(context.source(anchor.path))
        message_text = filled(context, "{message:message}", anchor)
        doubts = anchor.doubts
        own = [parameter.arg for parameter in parameters(node)] if isinstance(node, Function) else []
        named = _named_values(context, anchor, own if side == "start" else None)
        if message_text and not named:
            message, guessed = _with_values(context, message_text[0].text, own)
            doubts = (*doubts, *guessed)
            if (span := context.span("message")) and not span.quoted and " " in span.text.strip():
                doubts = (*doubts, "the words were read as the text")
        else:
            shared = (item for item in own if not _SECRET.search(item))
            given = named or [item for item in shared if item not in ("self", "cls")]
            name = getattr(node, "name", "")
            fields = " ".join(f"{re.findall(_NAME, value)[-1]}=%s" for value in given)
            message = f"{quote}{name} {fields}".rstrip() + quote + "".join(f", {value}" for value in given)
            doubts = (*doubts, MESSAGE_MADE_UP)
        name, inside = logger_named(context), [(word(context, "in", anchor), side)]
        spots = branch_ends(context, anchor) or inside
        if spots is inside and _is_conditional(context):
            doubts = (*doubts, "it logs in every call")
        for where, end in spots:
            made = call("add_log", place=where, message=message, level=level, side=end, logger=name)
            several = (places_fit(len(spots)),) if len(spots) > 1 else ()
            yield Built((made,), anchor.weight / len(spots), (*doubts, *several))


def _is_conditional(context: Context) -> bool:
    """Whether words tell of what the function is given that it is to log: *when it gets None*."""
    span, said = context.span("function"), context.beside_slots()
    if span is None or span.start < 0:
        return False
    before, behind = said[: span.start].split(), re.findall(r"\w+", said[span.end :])
    opened = before[-1:] and phrases.is_said("openers", before[-1])
    return bool(opened and behind) and not phrases.is_said("invoked", behind[-1])


def _named_values(context: Context, anchor: Anchor, own: list[str] | None) -> list[str]:
    """What is to be logged, where the text is no text but values that are seen there: `log the total`. At the
    start those are its `own` parameters."""
    spans = context.reading.slots.get("message", ())
    visible = context.visible(anchor.path, anchor.node)
    pieces = [part for span in spans if context.quote(span) in "`" for part in JOINERS.split(span.text)]
    names = [phrases.without_articles(piece.strip()).strip("`") for piece in pieces]
    known = [
        visible.inner.get(key(name.removeprefix("self.")), "")
        or next((item for item in own or () if is_short_for(item, key(name))), "")
        or _read_of(context, anchor, name)
        or _of_own_class(context, anchor, piece.split())
        for name, piece in zip(names, pieces, strict=True)
    ]
    bases = [text.partition(".")[0] for text in known]
    seen = all(known) if own is None else all(text in (*own, "self") for text in bases)
    return known if seen else []


def _of_own_class(context: Context, anchor: Anchor, said: list[str]) -> str:
    """The attribute of the object that is said to be of its class: *the table name* in a `Table`."""
    owner = context.source(anchor.path).class_of(anchor.node) if anchor.node is not None else None
    front, *rest = said[phrases.is_said("articles", said[0]) :] if said else [""]
    if owner is None or front.lower() not in identifier_words(owner.name) or not rest:
        return ""
    visible = context.visible(anchor.path, anchor.node)
    found = visible.inner.get(key(" ".join(rest)), "")
    return found if found not in visible.methods else ""


def _read_of(context: Context, anchor: Anchor, name: str) -> str:
    """What a function reads under a name, or its parameter has that is called like a class: the host is
    `self.settings["host"]`, *the guest's name* `booking.guest`."""
    source, node = context.source(anchor.path), anchor.node
    plain = key(re.sub(r"['’]s\s+(?:name|value)\Z|['’]s?\Z", "", name.strip()))
    own = [one.arg for one in parameters(node)] if isinstance(node, Function) else []
    read = {
        source.segment(one)
        for one in walk(node)
        if (isinstance(one, ast.Attribute) and key(one.attr) == plain)
        or (
            isinstance(one, ast.Subscript)
            and is_text(one.slice)
            and key(ast.literal_eval(one.slice)) == plain
        )
    }
    held = [one for one in source.definitions if isinstance(one, ast.ClassDef) and one.name.lower() in own]
    for owner in held if not read else ():
        stored = (one for one in find_nodes(owner, ast.Attribute) if isinstance(one.ctx, ast.Store))
        fields = (one.target for one in find_nodes(owner, ast.AnnAssign) if isinstance(one.target, ast.Name))
        names = {*(one.attr for one in stored), *(one.id for one in fields)}
        read |= {f"{owner.name.lower()}.{one}" for one in names if key(one) == plain}
    return next(iter(read)) if len(read) == 1 and plain else ""


def _with_values(context: Context, message: str, own: list[str]) -> tuple[str, tuple[str, ...]]:
    """A text with the values of its placeholders: the parameters that are named after it, else all."""
    tree, span = parsed(message), context.span("message")
    if not isinstance(tree, ast.Constant) or span is None:
        return message, ()
    wanted = len(re.findall(r"%[-+0-9.]*[sdrfixg]", str(tree.value)))
    behind = re.findall(r"\w+", context.situation.instruction[max(span.end, 0) :])
    words = [item for item in behind if item in own][:wanted]
    values = words if len(words) == wanted else [item for item in own if item not in ("self", "cls")]
    if len(values) != wanted:
        if wanted:
            raise Unresolved("the instruction does not say what the placeholders of the text stand for")
        return message, ()
    guessed = () if words == values else (not_said("the values of the text were not given"),)
    return ", ".join((message, *values)), guessed if wanted else ()


@builder("log_result")
def log_result(context: Context) -> Iterator[Built]:
    for anchor in found(context, "return", "return"):
        node = anchor.node
        assert isinstance(node, ast.Return)
        source = context.source(anchor.path)
        if shown := log_call(context):
            spot = place(context, anchor)
            yield build_at(anchor, call("insert_statements", place=spot, code=shown, side="before"))
            continue
        inside = source.function_of(node)
        if node.value is None or inside is None:
            continue
        level = (filled(context, "{level:level}", anchor) or [Option("info")])[0].text
        quote = quote_of(source)
        name = inside.name
        spot = place(context, anchor)
        if isinstance(node.value, ast.Name | ast.Attribute | ast.Constant):
            shown = source.segment(node.value)
            made = call(
                "add_log",
                place=spot,
                message=f"{quote}{name} returns %s{quote}, {shown}",
                level=level,
                side="before",
                logger=logger_named(context),
            )
            yield build_at(anchor, made, doubts=(MESSAGE_MADE_UP,))
            continue
        free = "result" if "result" not in names_in(inside) else "returned"
        first = call("extract_variable", place=spot, expression=source.segment(node.value), name=free)
        made = call(
            "add_log",
            place=line_range(anchor.path, node.lineno + 1, source.last_line(node) + 1),
            message=f"{quote}{name} returns %s{quote}, {free}",
            level=level,
            side="before",
            logger=logger_named(context),
        )
        yield build_at(anchor, first, made, doubts=(MESSAGE_MADE_UP,))
