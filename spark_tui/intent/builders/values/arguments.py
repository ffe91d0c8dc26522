"""Arguments of calls of which it is not said by which keyword they are passed."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from spark_tui.codemods.registry import Operation
from spark_tui.codemods.signatures.called_parameters import Parameters, parameters_called
from spark_tui.codemods.slots import CALLABLE, SymbolKind
from spark_tui.intent.builders.definitions.dataclass_options import of_dataclasses, with_options
from spark_tui.intent.builders.values.entries import entry_of_function
from spark_tui.intent.builders.values.likely_arguments import (
    attribute_passed,
    in_place_of_default,
    is_switch,
    only_the_first,
    opened_for,
    opens_otherwise,
    time_to_wait,
    unsaid_value,
)
from spark_tui.intent.builders.values.needless_checks import without_check
from spark_tui.intent.building.building import Built, build_at, builder, call, of_table
from spark_tui.intent.building.rewritten import pass_argument
from spark_tui.intent.context.anchors import Anchor, anchors, is_same_expression, nodes, parsed, weighted
from spark_tui.intent.context.described_names import is_form_of
from spark_tui.intent.context.lookup import key, plain_name, split_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Area, Unresolved
from spark_tui.intent.context.spelling import edit_distance
from spark_tui.intent.facts.literal_types import is_codec
from spark_tui.intent.finders.which_place import keep_numbered
from spark_tui.intent.values.converters.of_slots import read_typed
from spark_tui.intent.values.likely.likely_calls import likely_calls
from spark_tui.intent.words import phrases
from spark_tui.pysource.syntax.walking import find_nodes

_CLAUSE = re.compile(r"[,;:!?\n]|\.\s")
_LEAST_TYPED = 5
"""The letters of a name that is read over a typing error."""


@builder("set_argument")
def set_argument(context: Context) -> Iterator[Built]:
    """A keyword argument; where only the value is said, by the parameter that has its name."""
    called = plain_name(context.text("call")).removeprefix("@")
    of_class = called in ("dataclass", "dataclasses") or (not called and not context.has("value"))
    if of_class and (made := of_dataclasses(context, anchors(context, "class:function"))):
        yield from made
        return
    if context.has("argument") and not context.has("value"):
        yield from unsaid_value(context)
        return
    if opened := list(opened_for(context)):
        yield from opened
        return
    if context.has("argument"):
        named = anchors(context, "call_given:call")
        homes = [] if named else _defined(context, called)
        if made := [built for home in homes for built in with_options(context, home)]:
            yield from made
            return
        ways = () if named else (_giving, _taking)
        other = next(
            (found for way in ways if (found := list(_calls_there(context, partial(way, context), homes)))),
            [],
        )
        encoding = plain_name(context.text("argument")) == "encoding"
        if encoding and named and all(_takes_no_encoding(one.node) for one in named):
            yield from _calls_there(context, partial(_opening_for, context, named))
            return
        if not named and not other and is_codec(context.text("value").strip("`'\"")):
            other = list(_calls_there(context, partial(_meant, context)))
        made = other or list(in_place_of_default(context, named))
        made = made or list(of_table(context, "set_argument"))
        if _is_so(context, named, made):
            if _is_denied(context):
                slots = {slot: own for slot, own in context.reading.slots.items() if slot != "value"}
                order = replace(context.reading, intent="remove_argument", slots=slots)
                without = Context(order, context.situation, context.names)
                yield from of_table(without, "remove_argument")
                return
            raise Unresolved("it is already passed", nothing=True)
        yield from (without_check(context, built) for built in made)
        return
    made = [built for anchor in anchors(context, "call_given:call") for built in _meant(context, anchor)]
    made = made or list(only_the_first(context)) or list(_calls_there(context, partial(_meant, context)))
    made = made or list(_counted_from(context))
    if not made:
        raise Unresolved(f"the instruction does not say which argument {context.text('value')} is")
    yield from made


def _opening_for(context: Context, readers: list[Anchor], anchor: Anchor) -> Iterator[Built]:
    """What opens the files that some calls read or write: it is told the encoding."""
    source = context.source(anchor.path)
    around = {source.function_of(one.node) for one in readers if one.path == anchor.path and one.node}
    if anchor.node is not None and source.function_of(anchor.node) in around:
        yield from _meant(context, anchor)


def _takes_no_encoding(node: ast.AST | None) -> bool:
    """Whether a call reads or writes the texts of a file that is open: `csv.reader`, `json.load`."""
    called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
    return called.partition(".")[0] in ("csv", "json", "configparser") and "." in called


def _counted_from(context: Context) -> Iterator[Built]:
    """The number from which `enumerate` counts: nothing else is passed to it beside what it goes through."""
    number = phrases.number(context.text("value"))
    named = plain_name(context.text("call"))
    said = phrases.any_stands_in(phrases.words("counting"), context.beside_slots().lower())
    number = number if named or said else None
    for area, _, root in context.trees() if number is not None and named in ("", "enumerate") else ():
        counting = (node for node in find_nodes(root, ast.Call) if ast.unparse(node.func) == "enumerate")
        spots = [node for node in counting if len(node.args) == 1 and not node.keywords]
        for node in spots:
            anchor = Anchor(area, node, 0.9 / len(spots), area.doubts)
            yield build_at(anchor, pass_argument(context, anchor, "start", number or ""))


def _is_denied(context: Context) -> bool:
    """Whether an argument is said not to be passed, in the clause that names it: *without timeout*. What an
    error says about itself denies nothing: *can't decode byte 0xe4, decode with errors="replace"*."""
    text, span = context.beside_slots().lower(), context.span("argument")
    at = span.start if span is not None and span.start >= 0 else 0
    ahead, behind = _CLAUSE.split(text[:at]), _CLAUSE.split(text[at:], maxsplit=1)
    other_words = re.findall(r"[\w']+", ahead[-1] + behind[0])
    return any(word.endswith("n't") or phrases.is_said("denying", word) for word in other_words)


def _is_so(context: Context, named: list[Anchor], made: list[Built]) -> bool:
    """Whether all calls that are meant have the argument, with the value that it is to have."""
    name = key(plain_name(context.text("argument")))
    calls = [anchor.node for anchor in named if isinstance(anchor.node, ast.Call)]
    given = [
        keyword.value
        for call_node in calls
        for keyword in call_node.keywords
        if keyword.arg and key(keyword.arg) == name
    ]
    value = parsed(str(getattr(made[0].calls[0], "value", ""))) if made else None
    return bool(calls) and len(given) == len(calls) and all(is_same_expression(item, value) for item in given)


def _giving(context: Context, anchor: Anchor) -> Iterator[Built]:
    """A call that no one names, by the keyword that it passes."""
    node, name, span = anchor.node, key(plain_name(context.text("argument"))), context.span("value")
    for keyword in node.keywords if isinstance(node, ast.Call) else ():
        if span is not None and keyword.arg and key(keyword.arg) == name:
            for option in read_typed(context, span, anchor, keyword.value, "", keyword.arg):
                made = pass_argument(context, anchor, keyword.arg, option.text)
                yield build_at(anchor, made, option=option)


def _taking(context: Context, anchor: Anchor) -> Iterator[Built]:
    """A call that no one names, by its one parameter with the meaning of a word: *indentation*."""
    name, span = plain_name(context.text("argument")), context.span("value")
    node, source = anchor.node, context.source(anchor.path)
    known = parameters_called(context.repo, source, node) if isinstance(node, ast.Call) else {}
    fits = [item for item in known if key(item) == key(name) or is_form_of(name.lower(), item)]
    if not isinstance(node, ast.Call) or len(fits) != 1 or span is None:
        return
    old = next((keyword.value for keyword in node.keywords if keyword.arg == fits[0]), known[fits[0]])
    if list(known).index(fits[0]) < len(node.args):
        return
    for option in read_typed(context, span, anchor, old, "", fits[0]):
        yield build_at(anchor, pass_argument(context, anchor, fits[0], option.text), option=option)


def _defined(context: Context, name: str) -> list[Anchor]:
    """The functions and classes that have exactly a name."""
    found = context.names.find(name, CALLABLE | {SymbolKind.CLASS}) if name else []
    targets = [one.target for one in found if one.target.name == name and one.target.node is not None]
    return [Anchor(Area(one.path, one.node, one.qualname), one.node) for one in targets]


def _calls_there(
    context: Context, made: Callable[[Anchor], Iterator[Built]], homes: Sequence[Anchor] = ()
) -> Iterator[Built]:
    """What is made of the calls of a place that no one names, inside of its `homes` if there are any; those
    that share words with the instruction first."""
    every = []
    inside = [home.node for home in homes]
    for area, source, root in context.trees():
        calls = [node for node in nodes(root, ast.Call) if source.span(node)[0] >= 0]
        calls = [node for node in calls if not homes or any(one in inside for one in source.ancestors(node))]
        fitting = [call_node for call_node in calls if any(made(Anchor(area, call_node)))]
        every += [
            Anchor(area, call_node, 0.8, area.doubts) for call_node in likely_calls(context, source, fitting)
        ]
    for anchor in weighted(context, keep_numbered(context, every)):
        yield from made(anchor)


@builder("add_argument")
def add_argument(context: Context) -> Iterator[Built]:
    """A further argument: by its keyword where it has the name of a parameter that is not the next one."""
    made = list(attribute_passed(context)) or [
        built
        for anchor in anchors(context, "call_given:call")
        for built in _meant(context, anchor, later=True)
    ]
    made = made or list(only_the_first(context))
    yield from made or list(entry_of_function(context)) or of_table(context, "add_argument")


def _meant(context: Context, anchor: Anchor, later: bool = False) -> Iterator[Built]:
    node, source = anchor.node, context.source(anchor.path)
    if not isinstance(node, ast.Call):
        return
    known = parameters_called(context.repo, source, node)
    name, value, extra = _argument(context, anchor, known)
    given = {keyword.arg for keyword in node.keywords}
    taken = list(known)[: len(node.args)]
    if name == "encoding" and opens_otherwise(context, node):
        return
    if not name or name in taken or (later and (name in given or list(known).index(name) == len(node.args))):
        return
    yield build_at(anchor, pass_argument(context, anchor, name, value), *extra, weight=0.9)


def _argument(context: Context, anchor: Anchor, known: Parameters) -> tuple[str, str, tuple[Operation, ...]]:
    """The parameter that a value is meant for, the value as code, and what has to be imported for it."""
    span = context.span("value")
    if span is None:
        return "", "", ()
    text = span.text.strip().strip("`")
    stream = phrases.lookup("streams", text)
    if stream is not None and "file" in known:
        bound = context.repo.index.scopes(anchor.path).module.bound
        extra = () if "sys" in bound else (call("add_import", path=anchor.path, module="sys"),)
        return "file", stream, extra
    if "encoding" in known and is_codec(text.strip("'\"")):
        return "encoding", read_typed(context, span, anchor, None, "str", "encoding")[0].text, ()
    visible = context.visible(anchor.path, anchor.node)
    name = parameter_of(text, known)
    if not name:
        name, span = time_to_wait(context, span, known)
    default = known.get(name)
    if name and not visible.knows(text.partition(".")[0]) and isinstance(default, ast.Constant):
        return (name, "True", ()) if is_switch(name, default) else ("", "", ())
    options = read_typed(context, span, anchor, default, "", name) if name else []
    return (name, options[0].text, ()) if options else ("", "", ())


def parameter_of(text: str, known: Parameters) -> str:
    """The parameter whose name a value has or ends with: `timeout` of `A_TIMEOUT`, `daemon` of *daemons*."""
    words = split_name((text.rpartition(".")[2] if parsed(text) is not None else text).strip())
    joined = "".join(words)
    exact = [item for item in known if key(item) in (joined, joined.removesuffix("s"))]
    ends = [
        item for item in known if words[-len(split_name(item)) :] == split_name(item) and split_name(item)
    ]
    near = [
        item
        for item in known
        if len(item) >= _LEAST_TYPED and edit_distance(joined.removesuffix("s"), key(item), 1) <= 1
    ]
    return next(iter((*exact, *sorted(ends, key=len, reverse=True), *near)), "")


def switched(context: Context, value: str) -> Iterator[Built]:
    """A switch of a call that is named by its parameter: `daemon=True` for *daemon threads*."""
    made = []
    for area, source, node in context.find(ast.Call):
        known = parameters_called(context.repo, source, node)
        name = parameter_of(context.text("variable"), known)
        if not is_switch(name, known.get(name)):
            continue
        if len(node.args) > list(known).index(name) or any(
            keyword.arg in (name, None) for keyword in node.keywords
        ):
            continue
        made.append(build_at(area, pass_argument(context, Anchor(area, node), name, value)))
    yield from (replace(item, weight=item.weight * 0.9 / len(made)) for item in made)
