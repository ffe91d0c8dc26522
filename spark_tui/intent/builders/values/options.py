"""Values with a name that are no variable: options of a command line, keys that are looked up, levels."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.codemods.families.functions.defaults import is_made_once
from spark_tui.codemods.families.functions.signature import SetDefault
from spark_tui.codemods.signatures.rearrange import default_of
from spark_tui.codemods.uses.symbols import Target, find_symbol
from spark_tui.intent.builders.definitions.signatures import add_parameter
from spark_tui.intent.builders.values.replacement import constant_default
from spark_tui.intent.builders.values.text_defaults import as_text
from spark_tui.intent.building.building import Built, build_at, builder, call, filled, found, of_table
from spark_tui.intent.building.rewritten import pass_argument, replace_code, replace_within
from spark_tui.intent.building.shown_code import logged_as_exception
from spark_tui.intent.context.anchors import Anchor, anchors, parsed
from spark_tui.intent.context.lookup import key, plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Option, Unresolved
from spark_tui.intent.facts.literal_types import literal_type
from spark_tui.intent.finders.blocks import is_log
from spark_tui.intent.names.options_named import OPTION_CALLS, called
from spark_tui.intent.values.converters.of_slots import read_typed
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed
from spark_tui.intent.words.kinds_of_words import says
from spark_tui.intent.words.readings import CODE, Span
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Function, parameters
from spark_tui.pysource.syntax.walking import find_nodes

_LOOKUPS = ("get", "getenv", "pop", "getattr", "setdefault")


def option_defaults(context: Context, slot: str, value: str) -> Iterator[Built]:
    """The default of an option or of a key that is looked up, by its name."""
    span, name = context.span(value), key(plain_name(context.text(slot)).lstrip("-"))
    if span is None or not name:
        return
    for area, source, root in context.trees():
        calls = list(find_nodes(root, ast.Call))
        hits = [call_node for call_node in calls if name in called(call_node)]
        for node in hits:
            last = called_name(node)
            anchor = Anchor(area, node)
            if last in OPTION_CALLS:
                old = next((keyword.value for keyword in node.keywords if keyword.arg == "default"), None)
                kind = next(
                    (ast.unparse(keyword.value) for keyword in node.keywords if keyword.arg == "type"), "str"
                )
                for option in read_typed(context, span, anchor, old, kind, context.text(slot)):
                    made = pass_argument(context, anchor, "default", option.text)
                    yield build_at(option, made, weight=0.95 * area.weight / len(hits))
            elif last in _LOOKUPS and len(node.args) == 2 + (last == "getattr"):
                old = node.args[-1]
                for option in read_typed(context, span, anchor, old, "", context.text(slot)):
                    made = replace_code(context, anchor, replace_within(source, node, old, option.text))
                    yield build_at(option, made, weight=0.95 * area.weight / len(hits))
            elif (
                last in ("get", "getenv") and len(node.args) == 1 and context.reading.intent == "set_default"
            ):
                hint = "str" if last == "getenv" or "environ" in ast.unparse(node.func) else ""
                for option in read_typed(context, span, anchor, None, hint, context.text(slot)):
                    made = pass_argument(context, anchor, "", option.text)
                    yield build_at(option, made, weight=0.95 * area.weight / len(hits))


@builder("remove_default")
def remove_default(context: Context) -> Iterator[Built]:
    words = context.beside_slots().lower()
    denied = phrases.any_stands_in((*phrases.words("negations"), *phrases.words("denying")), words)
    if says("options", "optional", words) and not denied and "n't" not in words:
        yield from _made_optional(context)
        return
    yield from of_table(context, "remove_default")


def _made_optional(context: Context) -> Iterator[Built]:
    """A parameter that has no default gets None."""
    slots = {**context.reading.slots, "default": (Span(-1, -1, "None"),)}
    order = replace(context.reading, intent="set_default", slots=slots)
    made = list(of_table(Context(order, context.situation, context.names), "set_default"))
    required = [built for built in made if not _has_default(context, built)]
    if made and not required:
        raise Unresolved("it is optional already", nothing=True)
    for built in required:
        yield replace(built, doubts=(*built.doubts, assumed("None was assumed to be the default")))


def _has_default(context: Context, built: Built) -> bool:
    last = built.calls[-1]
    if not isinstance(last, SetDefault):
        return False
    target = find_symbol(context.repo, last.target)
    function = target.node if isinstance(target, Target) else None
    return isinstance(function, Function) and default_of(function, str(last.name)) is not None


@builder("set_default")
def set_default(context: Context) -> Iterator[Built]:
    if not context.has("parameter"):
        yield from _default_of_its_type(context)
        return
    if (new := shown_as_new(context)) is not None:
        yield from add_parameter(new)
        return
    if constant := list(constant_default(context)):
        yield from constant
        return
    options = list(option_defaults(context, "parameter", "default"))
    span = context.span("parameter")
    dashed = span is not None and context.situation.instruction[: span.start].endswith("-")
    reason: Unresolved | None = None
    try:
        for built in map(made_in_each_call, of_table(context, "set_default")):
            built = as_text(context, built)
            if _lacks_what_is_used(context, built):
                raise Unresolved(f"{span.text if span is not None else 'it'} is no value of that kind")
            yield replace(built, weight=built.weight * (0.3 if dashed and options else 1.0))
    except Unresolved as error:
        reason = error
    yield from (
        option if reason is not None or dashed else replace(option, weight=option.weight * 0.5)
        for option in options
    )
    if reason is not None and not options:
        told = list(_default_of_its_type(context)) if context.has("function") else []
        if len(told) != 1:
            raise reason
        yield from told


def _lacks_what_is_used(context: Context, built: Built) -> bool:
    """Whether a function asks its parameter for what the default does not have: `stock.reserve(…)` of 10."""
    last = built.calls[-1]
    if not isinstance(last, SetDefault):
        return False
    value, target, name = parsed(last.default), find_symbol(context.repo, last.target), str(last.name)
    function = target.node if isinstance(target, Target) else None
    if not isinstance(value, ast.Constant) or value.value is None or not isinstance(function, Function):
        return False
    # One that is set anew is another object from there on.
    if any(one.id == name and isinstance(one.ctx, ast.Store) for one in find_nodes(function, ast.Name)):
        return False
    uses = find_nodes(function, ast.Attribute)
    return any(not hasattr(value.value, one.attr) for one in uses if ast.unparse(one.value) == name)


def made_in_each_call(built: Built) -> Built:
    """A default that would be shared, such as `[]` or `date.today()`, as None and a line that makes it."""
    last = built.calls[-1]
    assert isinstance(last, SetDefault)
    if not is_made_once(parsed(last.default), named=True):
        return built
    fields = {"target": str(last.target), "name": str(last.name)}
    return replace(built, calls=(*built.calls, call("fix_mutable_default", **fields)))


def _default_of_its_type(context: Context) -> Iterator[Built]:
    """The default of a parameter that is not named, in a function that is: one of the new value's type."""
    span = context.span("default")
    if span is None or not context.has("function"):
        raise Unresolved("the instruction names no parameter")
    new = ast.Constant("") if span.quoted else parsed(phrases.value(span.text) or span.text)
    made = []
    for anchor in anchors(context, "function"):
        node = anchor.node
        assert isinstance(node, Function)
        olds = {parameter.arg: default_of(node, parameter.arg) for parameter in parameters(node)}
        alike = {name: old for name, old in olds.items() if old and literal_type(old) == literal_type(new)}
        old_text = context.text("old").strip("`'\"")
        was = {
            name: old for name, old in olds.items() if old and old_text in (ast.unparse(old).strip("'\""), "")
        }
        alike = was if old_text and was else alike
        words = re.findall(r"\w+", context.situation.instruction)
        alike = {name: old for name, old in alike.items() if name in words} or alike
        for name, old in alike.items():
            target = f"{anchor.path}::{context.source(anchor.path).qualname(node)}"
            for option in read_typed(context, span, anchor, old, "", name)[:1]:
                edit = call("set_default", target=target, name=name, default=option.text)
                doubt = assumed(f"{name} was assumed to be the parameter")
                weight = 0.8 * option.weight * anchor.weight / len(alike)
                made.append(Built((edit,), weight, (*anchor.doubts, *option.doubts, doubt)))
    if not made:
        raise Unresolved("the instruction names no parameter")
    yield from made


@builder("change_log_level")
def change_log_level(context: Context) -> Iterator[Built]:
    calls = anchors(context, "log:old")[:6]
    # Beside a level in capitals it is the level of all of them.
    called = context.has("function") or (context.has("old") and calls and not context.text("level").isupper())
    configured = [] if called else list(_configured(context))
    yield from configured
    made = []
    for anchor in found(context, "log:old", "log call") if not configured else calls:
        node = anchor.node
        assert isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and is_log(node)
        source = context.source(anchor.path)
        for option in filled(context, "{level:level}", anchor) or [Option("")]:
            new = f"{source.segment(node.func.value)}.{option.text}"
            edit = replace_code(context, replace(anchor, node=node.func), new)
            if option.text == "exception" and any(one.arg == "exc_info" for one in node.keywords):
                edit = replace_code(context, anchor, logged_as_exception(source, node))
            made.append(build_at(anchor, edit, weight=0.3 if configured else 1.0))
    yield from made
    if len(made) > 1 and not configured:
        weight = 0.9 if context.reading.everywhere or context.has("old") else 0.5
        yield Built(
            tuple(call_node for item in made for call_node in item.calls),
            weight,
            (f"all {len(made)} log calls",),
        )


def _configured(context: Context) -> Iterator[Built]:
    """The level with which logging is set up."""
    level, old = (phrases.level(context.text(slot)) for slot in ("level", "old"))
    for area in context.areas if level else ():
        if area.path not in context.repo.index.paths:
            continue
        source = context.source(area.path)
        for node in find_nodes(source.tree, ast.Call):
            if called_name(node) in ("basicConfig", "setLevel"):
                for part in (
                    *node.args,
                    *(keyword.value for keyword in node.keywords if keyword.arg == "level"),
                ):
                    text = source.segment(part)
                    new = f"{text.rpartition('.')[0]}.{(level or '').upper()}".lstrip(".")
                    if (
                        isinstance(part, ast.Attribute)
                        and part.attr.isupper()
                        and old in (None, part.attr.lower())
                    ):
                        yield Built((replace_code(context, Anchor(area, part), new),), 0.9)


def shown_as_new(context: Context) -> Context | None:
    """The reading of a new parameter, where `__init__(self, depth: int = 0)` is said and
    `__init__` has none of that name."""
    name, slots = plain_name(context.text("parameter")), dict(context.reading.slots)
    places = [area.node for area in context.named]
    functions = [node for node in places if isinstance(node, Function)]
    if not context.has("default") or not functions or len(functions) < len(places):
        return None
    if any(key(one.arg) == key(name) for node in functions for one in parameters(node)):
        return None
    shown = rf"(?<![\w.]){re.escape(name)}\s*(?::\s*(?P<type>[^=,()]+?))?\s*=\s*[\w\"'\[({{-]"
    found = re.search(shown, context.situation.instruction) if name.isidentifier() else None
    if found is None:
        return None
    slots["name"] = slots.pop("parameter")
    if found["type"]:
        slots["type"] = (Span(CODE, CODE, found["type"], True),)
    reading = replace(context.reading, intent="add_parameter", slots=slots)
    return Context(reading, context.situation, context.names)
