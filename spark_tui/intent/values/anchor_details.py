"""What the table of calls needs to know of an anchor: the old value, its type, its key."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from spark_tui.codemods.places.displays import find_displays, names_of_value
from spark_tui.codemods.places.named import Region
from spark_tui.codemods.rewriting.evaluation import is_elif
from spark_tui.codemods.signatures.rearrange import default_of
from spark_tui.intent.context.anchors import Anchor, is_same_expression, parsed
from spark_tui.intent.context.lookup import key, plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.values.converters.of_slots import literal
from spark_tui.intent.values.literals.composed import is_number_text, like_parts
from spark_tui.intent.values.literals.entry_forms import known_key, like_bytes, spelled_key
from spark_tui.intent.values.types.said_types import declares_fields, type_of_default
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed
from spark_tui.pysource.source import Function, parameters

Preparer = Callable[[Context, Anchor], Iterator[Anchor]]
"""Yields the anchor with more words, or nothing where it does not fit."""
PREPARERS: dict[str, Preparer] = {}


def preparer(function: Preparer) -> Preparer:
    PREPARERS[function.__name__.removesuffix("_")] = function
    return function


_TOLD = re.compile(r"\A`?(?:is_|has_|num_)\w+|_count`?\Z")
"""Names of what other attributes tell."""
_OF_ALL = 0.5
"""How likely a test means all branches of its `if`."""


@preparer
def default(context: Context, anchor: Anchor) -> Iterator[Anchor]:
    """The default and annotation of the parameter."""
    node = anchor.node
    if not isinstance(node, Function):
        return
    name = anchor.words["parameter"]
    old = default_of(node, name)
    old_text = context.text("old")
    wanted = parsed(phrases.value(old_text) or old_text) if old_text else None
    weight = anchor.weight
    if wanted is not None and not is_same_expression(wanted, old):
        if isinstance(old, ast.Constant) and isinstance(wanted, ast.Constant):
            given, now = context.text("old").strip("`'\""), str(old.value)
            alike = old.value is None or type(old.value) is type(wanted.value)
            if alike and now not in (given, str(wanted.value)):
                raise Unresolved(f"{name} is {ast.unparse(old)}, not {context.text('old')}")
        weight *= 0.3
    hint = next(
        (
            parameter.annotation
            for parameter in parameters(node)
            if parameter.arg == name and parameter.annotation
        ),
        None,
    )
    words = {**anchor.words, "called": name, "type": ast.unparse(hint) if hint is not None else ""}
    if context.text("default").lower() in phrases.table()["options"]["optional"]:
        words["alike"] = "None"
    yield replace(anchor, weight=weight, words=words, extra={"old": old} if old is not None else {})


@preparer
def first_branch(context: Context, anchor: Anchor) -> Iterator[Anchor]:
    """The first branch of an `if` with others, rather than all."""
    now, node, source = context.situation, anchor.node, context.source(anchor.path)
    if isinstance(node, ast.If) and node.orelse and anchor.last is None and not is_elif(source, node):
        said = phrases.mentions("branches", now.instruction)
        low, high = now.selection or (0, 0)
        if not (low <= node.lineno and source.last_line(node) <= high) and (
            said or is_elif(source, node.orelse[0])
        ):
            yield replace(anchor, last=node.body[-1])
            anchor = replace(anchor, weight=_OF_ALL * anchor.weight)
            if said:
                return
    yield anchor


@preparer
def has_default(_context: Context, anchor: Anchor) -> Iterator[Anchor]:
    node = anchor.node
    if isinstance(node, Function) and default_of(node, anchor.words["parameter"]) is not None:
        yield anchor
    else:
        yield replace(anchor, weight=anchor.weight * 0.3)


@preparer
def itself(_context: Context, anchor: Anchor) -> Iterator[Anchor]:
    yield replace(
        anchor, extra={**anchor.extra, "old": anchor.node} if anchor.node is not None else anchor.extra
    )


@preparer
def keyword(context: Context, anchor: Anchor) -> Iterator[Anchor]:
    """The present value of a keyword argument."""
    node = anchor.node
    name = plain_name(context.text("argument"))
    if not isinstance(node, ast.Call):
        return
    given = next((one for one in node.keywords if one.arg and key(one.arg) == key(name)), None)
    old = given.value if given is not None else None
    name = given.arg or name if given is not None else name
    hint = "str" if name in ("encoding", "mode", "newline") else ""
    words = {**anchor.words, "called": name, "type": hint}
    yield replace(anchor, words=words, extra={"old": old} if old is not None else {})


@preparer
def argument(context: Context, anchor: Anchor) -> Iterator[Anchor]:
    """Which argument is meant: a keyword, a position from 1, or a value that is passed."""
    node = anchor.node
    if not isinstance(node, ast.Call):
        return
    which = argument_of(node, context.text("argument"))
    text = which == "shell" and node.args and not isinstance(node.args[0], ast.List | ast.Tuple)
    doubts = (assumed("without a shell a command that is one text is the name of a program"),) if text else ()
    if which:
        yield replace(anchor, words={**anchor.words, "which": which}, doubts=(*anchor.doubts, *doubts))


def argument_of(node: ast.Call, text: str) -> str:
    """The name or place of the argument that a text means; empty where there is none."""
    plain = text.strip().strip("`")
    name = plain_name(plain.partition("=")[0])
    for given in node.keywords:
        if given.arg is not None and key(given.arg) == key(name):
            return given.arg
    wanted = parsed(plain)
    for at, one in enumerate(node.args, 1):
        shown = ast.unparse(one)
        if (
            is_same_expression(wanted, one)
            or key(shown) == key(name)
            or shown.strip("'\"") == plain.strip("'\"")
        ):
            return str(at)
    for given in node.keywords:
        same = is_same_expression(wanted, given.value) or key(ast.unparse(given.value)) == key(name)
        if given.arg is not None and same:
            return given.arg
    if plain.isdigit() and 0 < int(plain) <= len(node.args):
        return plain
    return ""


def logger_named(context: Context) -> str:
    """The object that is to log, if a level is said with it."""
    for span in context.reading.slots.get("level", ()):
        shown = span.text.strip().strip("`")
        before = re.search(r"[\w.]*\.\Z", context.situation.instruction[: max(span.start, 0)])
        found = re.fullmatch(r"([A-Za-z_][\w.]*)\.(\w+)", f"{before[0] if before is not None else ''}{shown}")
        if found is not None and found[2] in phrases.table()["levels"]:
            return found[1]
    return log_method(context)[0]


def log_method(context: Context) -> tuple[str, str]:
    """The logger and the level that no slot has, if the words show them: *with `self.log.error`*."""
    known = not context.has("level") or phrases.level(context.text("level"))
    text = context.beside_slots() if known else context.situation.instruction
    for shown, name in re.findall(r"([A-Za-z_][\w.]*)\.(\w+)", text):
        if name in phrases.table()["levels"] and "log" in shown.lower():
            return shown, name
    return "", ""


@preparer
def item_name(context: Context, anchor: Anchor) -> Iterator[Anchor]:
    """The name of a loop's items, as a shown head or words say it, or one that the code does not have yet."""
    head = re.search(r"(?:\bfor|\w+\s*,)\s+([^\W\d]\w*)\s+in\b", context.situation.instruction)
    variable_text = head[1] if head is not None else plain_name(context.text("variable"))
    forms, text = phrases.table()["item_named"]["forms"], context.situation.instruction
    named = (re.search(form, text, re.IGNORECASE) for form in forms)
    every = (variable_text, *(one["x"] for one in named if one is not None and one["x"].islower()))
    new = (one for one in every if one.isidentifier() and not context.names.knows(one, shown=True))
    yield replace(anchor, words={**anchor.words, "item": next(new, "")})


@preparer
def field(context: Context, anchor: Anchor) -> Iterator[Anchor]:
    """The type of a field, if not said from its default; whether it is a parameter."""
    node = anchor.node
    if not isinstance(node, ast.ClassDef):
        return
    bare = not context.has("type") and not context.has("default")
    if bare and _TOLD.search(context.text("name")) and "property" in context.situation.instruction.lower():
        raise Unresolved("it follows from other attributes")
    given = phrases.type_code(context.text("type")) or ""
    words = {
        **anchor.words,
        "called": context.text("name"),
        "type": given,
        "hint": given,
        "parameter": "true",
    }
    data = declares_fields(node)
    if not data and context.has("default"):
        yield replace(anchor, words={**words, "parameter": "false"})
        passed = 0.1 if context.text("name").strip("`'\"").startswith("self.") else 0.5
        yield replace(anchor, words=words, weight=anchor.weight * passed)
        return
    if data and not given:
        text = context.text("default")
        value = parsed(phrases.value(text) or text) if text else None
        words["hint"] = type_of_default(value, context.source(anchor.path))
        told = () if text else (assumed("its type was assumed to be str"),)
        anchor = replace(anchor, doubts=(*anchor.doubts, *told))
    yield replace(anchor, words=words)


def _display(context: Context, anchor: Anchor) -> dict[str, str]:
    """What tells a display from others on its lines: what it is set to, or else its code. One with a name of
    its own needs no lines, so that several items can be added."""
    assert anchor.node is not None
    source = context.source(anchor.path)
    names = names_of_value(source, anchor.node)[-1:]
    if not names:
        return {"display": ast.unparse(anchor.node)}
    kinds = (ast.List, ast.Tuple, ast.Set, ast.Dict)
    alone = len(find_displays(Region(source, 0, len(source.lines)), names[0], kinds)) == 1
    return {"display": names[0], **({"lines": f"in {anchor.path}"} if alone else {})}


@preparer
def item(context: Context, anchor: Anchor) -> Iterator[Anchor]:
    """An element of the display, which tells what the others are like."""
    node = anchor.node
    anchor = replace(anchor, words={**anchor.words, **_display(context, anchor)})
    like: ast.AST | None = None
    if isinstance(node, ast.Dict):
        keys = [one for one in node.keys if one is not None]
        like = keys[0] if keys else None
    elif isinstance(node, ast.List | ast.Tuple | ast.Set):
        like = node.elts[0] if node.elts else None
    if like is None:
        called = re.split(r"[\s(]", context.text("value"))[0]
        yield replace(anchor, words={**anchor.words, "type": "" if called[:1].isupper() else "str"})
        return
    plain = context.text("value").strip("`'\"")
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        anchor = _with_like_value(anchor, _item_alike(context, anchor, node.elts))
        shown = [ast.unparse(element).strip("'\"").lower() for element in node.elts]
        match = next((one for one, text in zip(node.elts, shown, strict=True) if text == plain.lower()), None)
        alike = [element for element in node.elts if is_number_text(str(getattr(element, "value", "")))]
        like = match or (alike[0] if alike and is_number_text(plain) else like)
    yield replace(anchor, extra={"old": like})


def _with_like_value(anchor: Anchor, code: str | None) -> Anchor:
    """The anchor with a value in the form of the others, where there is one."""
    return replace(anchor, words={**anchor.words, "alike": code}) if code else anchor


def _item_alike(context: Context, anchor: Anchor, others: list[ast.expr]) -> str | None:
    """An item as the others are written; what is quoted is meant as it is."""
    span, source = context.span("value"), context.source(anchor.path)
    texts = [
        other.value for other in others if isinstance(other, ast.Constant) and isinstance(other.value, str)
    ]
    if span is None or span.quoted or context.reading.intent != "add_item":
        return None
    if len(texts) < len(others) or not texts:
        return like_parts(source, span.text, None, others, partial(literal, source=source))
    return None


def _value_of_parts(context: Context, anchor: Anchor, old: ast.expr | None) -> str | None:
    """The value of an entry from what is said for its parts."""
    value_text = " ".join(one.text for one in context.reading.slots.get("value", ()))
    others = anchor.node.values if isinstance(anchor.node, ast.Dict) else []
    source = context.source(anchor.path)
    return like_parts(source, value_text, old, others, partial(literal, source=source))


@preparer
def entry(context: Context, anchor: Anchor) -> Iterator[Anchor]:
    """The key of a dictionary as it is spelled there, and the value that it has."""
    node = anchor.node
    if not isinstance(node, ast.Dict):
        return
    anchor = replace(anchor, words={**anchor.words, **_display(context, anchor)})
    source = context.source(anchor.path)
    plain = re.sub(r"(?<=['\"`]):\Z", "", context.text("key").strip()).strip("`'\"")
    keys = [one for one in node.keys if one is not None]
    span = context.span("key")
    spelled = list(map(spelled_key, keys))
    quoted = span is not None and span.quoted
    called = next((text for text in spelled if text.lower() == plain.lower()), None)
    if called is None and not quoted:
        adds = any(phrases.is_said("one_more", one) for one in re.findall(r"\w+", context.beside_slots()))
        called = known_key(plain, spelled, adds)
        read = (
            (f"{plain} was read as {called}",)
            if called and not called.lower().startswith(plain[:3].lower())
            else ()
        )
        anchor = replace(anchor, doubts=(*anchor.doubts, *read))
    known = keys[spelled.index(called)] if called is not None else None
    plain = called or plain
    old: ast.expr | None
    if not context.has("variable"):
        if not keys:
            return  # nothing tells that an empty one is meant
        formed = known is None and bool(_value_of_parts(context, anchor, None))
        anchor = replace(
            anchor, weight=0.9 if known is not None else anchor.weight * (0.8 if formed else 0.3)
        )
    if known is not None:
        shown, old = source.segment(known), node.values[node.keys.index(known)]
    else:
        texts = not keys or any(isinstance(one, ast.Constant) and isinstance(one.value, str) for one in keys)
        tree = parsed(plain)
        bare = tree is not None and not isinstance(tree, ast.Name) and not texts
        name = isinstance(tree, ast.Name) and context.visible(anchor.path, node).knows(plain) and not texts
        mark = source.segment(keys[0])[:1] if texts and keys else ""
        shown = plain if bare or name else literal(plain, source, mark if mark in "'\"" else "")
        shown = like_bytes(shown, keys, context.text("key"))
        old = node.values[-1] if node.values else None
    anchor = _with_like_value(anchor, _value_of_parts(context, anchor, old if known is not None else None))
    extra: dict[str, ast.AST] = {"old": old} if old is not None else {}
    yield replace(anchor, words={**anchor.words, "entry": shown, "called": plain}, extra=extra)
