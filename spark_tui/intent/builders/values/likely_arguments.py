"""Arguments of which not all is said: a switch, a time to wait, an attribute."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace

from spark_tui.codemods.signatures.called_parameters import Parameters, parameters_called
from spark_tui.codemods.signatures.rearrange import default_of
from spark_tui.intent.building.building import Built, build_at
from spark_tui.intent.building.rewritten import pass_argument, replace_code
from spark_tui.intent.context.anchors import Anchor, anchors, is_same_expression, nodes, parsed
from spark_tui.intent.context.lookup import key, plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Area, Unresolved
from spark_tui.intent.values.converters.of_slots import literal, read_typed
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed
from spark_tui.intent.words.readings import Span
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import parameters
from spark_tui.pysource.syntax.walking import find_nodes, walk

_WAITING = ("timeout", "seconds", "secs", "delay", "interval")
_COUNTED = {"split": 1, "rsplit": 1, "replace": 2}
"""Methods of texts that take a count after so many arguments."""


def unsaid_value(context: Context) -> Iterator[Built]:
    """A keyword without a value: a switch goes on, a name that is there is passed, and files are in UTF-8."""
    name, missing, given = key(plain_name(context.text("argument"))), [], 0
    named = anchors(context, "call_given:call")
    for anchor in named or _taking(context, name):
        node, source = anchor.node, context.source(anchor.path)
        known = parameters_called(context.repo, source, node) if isinstance(node, ast.Call) else {}
        spelled = next((item for item in known if key(item) == name), "")
        if not isinstance(node, ast.Call) or not spelled:
            continue
        if any(keyword.arg == spelled for keyword in node.keywords) or list(known).index(spelled) < len(
            node.args
        ):
            given += 1
            continue
        if is_switch(spelled, known[spelled]):
            missing.append(build_at(anchor, pass_argument(context, anchor, spelled, "True")))
        elif own := _value_of_name(context, anchor, name):
            made = pass_argument(context, anchor, spelled, own)
            missing.append(build_at(anchor, made, doubts=(assumed(f"{own} was assumed to be passed"),)))
        elif spelled == "encoding":
            made = pass_argument(context, anchor, spelled, literal("utf-8", source))
            missing.append(build_at(anchor, made, doubts=(assumed("the encoding was assumed"),)))
    if not missing:
        reason = f"it already has {name}" if given else "the instruction does not say what to pass"
        raise Unresolved(reason, bool(given))
    yield from missing


def _value_of_name(context: Context, anchor: Anchor, name: str) -> str:
    """The parameter, local or attribute of a name, as code; empty for none, and for a method."""
    visible = context.visible(anchor.path, anchor.node)
    own = visible.inner.get(name, "")
    return "" if own in visible.methods else own


def _taking(context: Context, name: str) -> Iterator[Anchor]:
    """The calls of a place, none of which is named, that take an argument and do not have it."""
    for area, source, root in context.trees():
        for node in nodes(root, ast.Call):
            if name in map(key, parameters_called(context.repo, source, node)):
                yield Anchor(area, node, 0.8 * area.weight, area.doubts)


def is_switch(name: str, default: ast.expr | None) -> bool:
    """Whether a parameter is on or off."""
    value = default.value if isinstance(default, ast.Constant) else ...
    return isinstance(value, bool) or (value is None and phrases.is_said("switches", name))


def time_to_wait(context: Context, span: Span, known: Parameters) -> tuple[str, Span]:
    """The parameter that says how long a call waits, where an amount of time is given, with that amount."""
    rest = context.situation.instruction[span.end :].split() if span.start >= 0 else []
    for text in (span.text, " ".join((span.text, *rest[:1]))):
        if phrases.duration(text) is not None:
            return next((item for item in _WAITING if item in known), ""), replace(span, text=text)
    return "", span


def attribute_passed(context: Context) -> Iterator[Built]:
    """A parameter that is named, with what has it as an attribute: `result.sex` beside `result.name`."""
    span, name = context.span("value"), plain_name(context.text("value"))
    unknown = False
    for anchor in anchors(context, "call_given:call") if name.isidentifier() else ():
        node, source = anchor.node, context.source(anchor.path)
        known = parameters_called(context.repo, source, node) if isinstance(node, ast.Call) else {}
        if not isinstance(node, ast.Call) or name not in list(known)[len(node.args) :]:
            continue
        if context.visible(anchor.path, node).knows(name) or any(
            keyword.arg == name for keyword in node.keywords
        ):
            continue
        inside = context.enclosing(anchor.path, node)
        own = {parameter.arg for parameter in parameters(inside)} if inside is not None else set()
        has = any(isinstance(inner, ast.Attribute) and inner.attr == name for inner in walk(source.tree))
        reads = list(find_nodes(inside, ast.Attribute)) if has else []
        beside = [read for read in reads if read in node.args]
        held = [read.value.id for read in beside or reads if isinstance(read.value, ast.Name)]
        holders = dict.fromkeys(item for item in held if item in own or beside)
        unknown = unknown or (not holders and span is not None and not context.quote(span))
        if len(holders) == 1:
            value = f"{next(iter(holders))}.{name}"
            positional = list(known).index(name) == len(node.args) and not node.keywords
            yield build_at(anchor, pass_argument(context, anchor, "" if positional else name, value))
    if unknown:
        raise Unresolved(f"nothing is called {name} there")


def in_place_of_default(context: Context, calls: Sequence[Anchor]) -> Iterator[Built]:
    """A parameter handed on where a call of which the parameters are not known has its default now:
    `select([file], [], [], 0.0)`, with `timeout=0.0`."""
    name = context.text("value").strip("`")
    for anchor in calls:
        source, node = context.source(anchor.path), anchor.node
        function = source.function_of(node) if isinstance(node, ast.Call) else None
        default = default_of(function, name) if function is not None else None
        if not isinstance(node, ast.Call) or not isinstance(default, ast.Constant) or default.value is None:
            continue
        same = [one for one in node.args if is_same_expression(one, default)]
        if len(same) == 1 and not parameters_called(context.repo, source, node):
            yield build_at(anchor, replace_code(context, replace(anchor, node=same[0]), name))


def opened_for(context: Context) -> Iterator[Built]:
    """An argument of the calls that open a file to be read or written, where that is said in the place of a
    function: *newline="" when writing*."""
    kind = next((one for one in ("writing", "reading") if phrases.is_said(one, context.text("function"))), "")
    span, name = context.span("value"), plain_name(context.text("argument"))
    if not kind or span is None or context.names.find(context.text("function")):
        return
    source = context.source(context.situation.path)
    calls = [
        node
        for node in find_nodes(source.tree, ast.Call)
        if called_name(node) == "open" and bool(set(_mode(node)) & set("wax")) == (kind == "writing")
    ]
    taken = [node for node in calls if any(keyword.arg == name for keyword in node.keywords)]
    for node in calls if name.isidentifier() and not taken else ():
        anchor = Anchor(Area(source.path), node, 0.95 / len(calls))
        for option in read_typed(context, span, anchor, None, "", name):
            yield build_at(anchor, pass_argument(context, anchor, name, option.text), option=option)


def opens_otherwise(context: Context, node: ast.Call) -> bool:
    """Whether a file is opened to be read where only writing is spoken of, or the other way round."""
    told = {kind for kind in ("writing", "reading") if phrases.mentions(kind, context.beside_slots())}
    opened = "writing" if set(_mode(node)) & set("wax") else "reading"
    return called_name(node) == "open" and len(told) == 1 and opened not in told


def _mode(node: ast.Call) -> str:
    """How a file is opened, as far as it is written out."""
    given = [node.args[1]] if len(node.args) > 1 else []
    given += [keyword.value for keyword in node.keywords if keyword.arg == "mode"]
    return str(given[0].value) if given and isinstance(given[0], ast.Constant) else "r"


def only_the_first(context: Context) -> Iterator[Built]:
    """The count of a method that goes on to the end: `split(":", 1)`, where only the first is meant."""
    value = context.text("value")
    if parsed(value) is not None or not phrases.mentions("first_only", value):
        return
    for anchor in anchors(context, "call_given:call"):
        node = anchor.node
        name = node.func.attr if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else ""
        if isinstance(node, ast.Call) and len(node.args) == _COUNTED.get(name) and not node.keywords:
            yield build_at(anchor, pass_argument(context, anchor, "", "1"))
