"""Calls that go: those of a function, or one of them that words count."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.codemods.registry import Operation
from spark_tui.intent.builders.statements.needless_passes import needless_passes
from spark_tui.intent.building.already_done import refuse_missing_call
from spark_tui.intent.building.building import (
    Built,
    builder,
    call,
    of_table,
    place,
)
from spark_tui.intent.building.removed_symbols import attribute_removed
from spark_tui.intent.building.shared_lines import line_range
from spark_tui.intent.context.anchors import (
    Anchor,
    anchors,
)
from spark_tui.intent.context.described_names import content_words, is_form_of
from spark_tui.intent.context.lookup import split_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.finders.blocks import is_log, is_print
from spark_tui.intent.finders.described import ordinal_in
from spark_tui.intent.finders.which_place import keep_described
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed, places_fit
from spark_tui.intent.words.readings import Span
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.syntax.walking import find_nodes

_OF_SEVERAL = frozenset(("any", "every", "les", "los", "las", "unos"))
"""Articles of more than one thing."""


@builder("delete_calls")
def delete_calls(context: Context) -> Iterator[Built]:
    """All calls of a function; where it is not said of which, the prints."""
    if spare := list(needless_passes(context, "call")):
        yield from spare
        return
    if not context.has("call"):
        slots = {**context.reading.slots, "call": (Span(-1, -1, "print"),)}
        context = Context(replace(context.reading, slots=slots), context.situation, context.names)
    span = context.span("call")
    at = ordinal_in(span.text) if span is not None and not span.quoted else None
    rest = _uncounted(span) if span is not None else None
    if rest is None or not rest.text:
        at = None  # the function is called so
    elif at is not None:
        slots = {**context.reading.slots, "call": (rest,)}
        context = Context(replace(context.reading, slots=slots), context.situation, context.names)
    if span is not None and span.quoted and not anchors(context, "call:call"):
        # The text of a print names the line.
        slots = {**context.reading.slots, "code": context.reading.slots["call"]}
        told = replace(context.reading, intent="delete_statement", slots=slots)
        yield from of_table(Context(told, context.situation, context.names), "delete_statement")
        return
    spots = anchors(context, "call:call")
    spots = keep_described(context, spots) if at is None else spots
    doubts: tuple[str, ...] = ()
    if not spots and re.search(
        r"(?<!\w)(?:print|debug\w* output)", context.situation.instruction, re.IGNORECASE
    ):
        spots = prints_described(context)
        doubts = spots[0].doubts if spots else ()
    if not spots and (removed := list(attribute_removed(context))):
        yield from removed
        return
    lines = []
    for spot in spots:
        source = context.source(spot.path)
        statement = source.statement(spot.node) if spot.node is not None else None
        if isinstance(statement, ast.Expr) and statement.value is spot.node:
            lines.append((spot.path, source.first_line(statement) + 1, source.last_line(statement)))
    if at is not None and (one_of := sorted(set(lines))) and len({path for path, *_ in one_of}) == 1:
        if not -len(one_of) <= at < len(one_of):
            raise Unresolved("there are not as many calls")
        yield Built((call("delete_statements", place=line_range(*one_of[at])),), 0.95)
        return
    if not lines:
        if not spots:
            refuse_missing_call(context)
        if at is not None:
            raise Unresolved("what it returns is used")
        yield _unwrapped(context, spots)
        return
    # From the last to the first, so that the lines of the others stay where they are.
    ordered = sorted(dict.fromkeys(lines), key=lambda item: (item[0], -item[1]))
    calls = [call("delete_statements", place=line_range(*lines)) for lines in ordered]
    one = said_once(context, called_name(spots[0].node))
    if one and len(calls) > 1 and not context.means_all(len(calls)):
        doubts = (*doubts, places_fit(len(calls)))
    yield Built(tuple(calls), 0.95, doubts)
    if len(calls) > 1 and not context.reading.everywhere:
        for call_node in calls[:2]:
            yield Built((call_node,), 0.2, (f"one of {len(calls)} calls",))


def _uncounted(span: Span) -> Span:
    """A name without the words for which of several is meant: *the first print*."""
    words = [word for word in span.text.split() if ordinal_in(word) is None]
    text = " ".join(words)
    return replace(span, start=span.end - len(text), text=text)


def _unwrapped(context: Context, spots: list[Anchor]) -> Built:
    """In place of calls whose values are used, what they are given: `x` for `str(x)` and for `x.strip()`. A
    statement that would set a name to itself goes."""
    edits: dict[tuple[str, int, int, str], Operation] = {}
    for anchor in spots:
        source = context.source(anchor.path)
        given = _given(context, anchor)
        if given is None or not isinstance(anchor.node, ast.Call):
            raise Unresolved("what it returns is used")
        old, new = source.segment(anchor.node), source.segment(given)
        holder = source.statement(anchor.node)
        if holder is not None and _sets_itself(holder, anchor.node, given):
            lines = place(context, replace(anchor, node=holder))
            edits[anchor.path, -source.first_line(holder) - 1, 0, ""] = call("delete_statements", place=lines)
            continue
        made = call("replace_expression", place=place(context, anchor), old=old, new=new, every=True)
        edits[anchor.path, -anchor.node.lineno, 1, old] = made
    # From the last to the first, so that the lines of the others stay where they are.
    ordered = tuple(edits[at] for at in sorted(edits, key=lambda at: at[:3]))
    return Built(ordered, 0.9, (assumed("what the call is given was assumed to be what it returns"),))


def _sets_itself(holder: ast.stmt, node: ast.AST, given: ast.expr) -> bool:
    """Whether a statement would be `x = x` with what a call is given in its place."""
    if not isinstance(holder, ast.Assign) or holder.value is not node or len(holder.targets) != 1:
        return False
    target = holder.targets[0]
    return isinstance(target, ast.Name) and isinstance(given, ast.Name) and target.id == given.id


def _given(context: Context, at: Anchor) -> ast.expr | None:
    """The one thing that a call is given."""
    node = at.node
    if not isinstance(node, ast.Call) or node.keywords:
        return None
    if any(isinstance(arg, ast.Starred | ast.GeneratorExp) for arg in node.args):
        return None
    if isinstance(node.func, ast.Attribute) and not node.args:
        return node.func.value
    plain = isinstance(node.func, ast.Name) or _is_of_module(context, at.path, node.func)
    return node.args[0] if plain and len(node.args) == 1 else None


def _is_of_module(context: Context, path: str, func: ast.expr) -> bool:
    """Whether what is called is a function of an imported module: `os.fspath`."""
    if not isinstance(func, ast.Attribute):
        return False
    modules = (imported for imported in context.repo.index.summary(path).imports if not imported.name)
    return ast.unparse(func.value) in {module.alias for module in modules}


def prints_described(context: Context) -> list[Anchor]:
    """The prints or log calls that are statements and have all words for the call in them; all prints, where
    none has and the words say that they are for debugging."""
    told = context.text("call")
    words = [word for word in content_words(told) if not phrases.is_said("printing", word)]
    found: list[Anchor] = []
    prints: list[Anchor] = []
    doubt = assumed(f"every print was assumed to be for {told}")
    for area, source, root in context.trees() if words and not told.endswith(")") else ():
        for stmt in find_nodes(root, ast.Expr):
            node = stmt.value
            if isinstance(node, ast.Call) and is_print(node):
                prints.append(Anchor(area, node, 0.9, (*area.doubts, doubt)))
            if isinstance(node, ast.Call) and (is_print(node) or is_log(node)):
                texts = re.findall(r"\w+", " ".join(map(source.segment, node.args)))
                shown = [word for text in texts for word in split_name(text)]
                if all(any(is_form_of(word, own) for own in shown) for word in words):
                    found.append(Anchor(area, node, 0.9, area.doubts))
    for_debugging = bool(words) and all(phrases.level(word) == "debug" for word in words)
    return found or (prints if for_debugging else [])


def said_once(context: Context, called: str) -> bool:
    """Whether words are about one call: *the print*, and not *the prints*, *the print calls*."""
    articles = "|".join(re.escape(word) for word in phrases.words("articles") if word not in _OF_SEVERAL)
    name, kind = re.escape(called), r"(?:\s+(?:call|statement|line))?"
    said = rf"(?<!\w)(?:{articles})\s+`?{name}(?:\(\))?`?{kind}(?!\w|\s+(?:calls|statements|lines)\b)"
    return re.search(said, context.situation.instruction, re.IGNORECASE) is not None
