"""What a function returns in a case that is said in words, or where it ends without a return."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.intent.building.building import Built, build_at, call, filled, found, place, word
from spark_tui.intent.building.rewritten import replace_within
from spark_tui.intent.conditions.condition_words import collect_names_and_texts, condition_kinds_said, stems
from spark_tui.intent.context.anchors import Anchor, parsed
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Option
from spark_tui.intent.finders.blocks import exceptions_of
from spark_tui.intent.words.doubts import assumed
from spark_tui.intent.words.phrases import without_articles
from spark_tui.pysource.source import Function
from spark_tui.pysource.syntax.walking import find_nodes, walk

_TEXT = 0.9
_RAISED = re.compile(r"\b(?:raises?|throws?|werfen|wirf|lève|lever|lanza|lanzar)\b|抛出", re.IGNORECASE)
_CLASS_OR_TEXT = re.compile(r"(?:[A-Z][a-z]+)+(?:\.[a-z]\w*)?|(['\"]).+\1")
"""A class, something of it, or a text that is not empty."""


def returned_at_end(context: Context) -> Iterator[Built]:
    """A return after the last statement of a function that goes on to its end."""
    for anchor in found(context, "function", "function"):
        node = anchor.node
        if not isinstance(node, Function) or not goes_through(node.body):
            continue
        source = context.source(anchor.path)
        own = [inner for inner in find_nodes(node, ast.Return) if source.function_of(inner) is node]
        if any(isinstance(inner, ast.Yield | ast.YieldFrom) for inner in walk(node)):
            continue
        values = [inner.value for inner in own if inner.value is not None]
        known = Anchor(anchor.area, node, extra={"old": values[-1]} if values else {})
        place_of_body = word(context, "in", anchor)
        for option in results(context, known):
            made = call("insert_statements", place=place_of_body, code=f"return {option.text}", side="end")
            yield build_at(anchor, made, option=option)


def results(context: Context, anchor: Anchor) -> list[Option]:
    """What the words for a result may mean: for a thing (*the member*) neither its class nor a text, and no
    error that is to be raised."""
    said = context.text("result")
    found = filled(context, "{result:value}", anchor) or []
    span, own = context.span("result"), context.visible(anchor.path, anchor.node).inner.values()
    if span is not None and not span.quoted and said.isidentifier() and said in own:
        found = [Option(said), *(one for one in found if one.text != said)]  # no text that is spelled so
    elif span is not None and not context.quote(span) and (own_name := _shortened(context, anchor, said)):
        doubt = assumed(f"{own_name} was assumed to be {said}")
        found = [Option(own_name, 0.8, (doubt,)), *(replace(one, weight=0.3 * one.weight) for one in found)]
    if _RAISED.search(context.beside_slots()):
        found = [one for one in found if not one.text.endswith(("Error", "Exception"))]
    if said.islower() and said != without_articles(said):
        return [one for one in found if not _CLASS_OR_TEXT.fullmatch(one.text)]
    return found


def _shortened(context: Context, anchor: Anchor, text: str) -> str:
    """The name there that is short for a word which is none: `msg` for *the message*."""
    visible, bare = context.visible(anchor.path, anchor.node), without_articles(text)
    known = not bare.isalpha() or visible.knows(bare) or visible.name(bare) is not None
    return "" if known else visible.shortened(bare) or ""


def goes_through(body: list[ast.stmt]) -> bool:
    """Whether the code after some statements is reached."""
    last = body[-1]
    if isinstance(last, ast.Return | ast.Raise):
        return False
    if isinstance(last, ast.If):
        return not last.orelse or goes_through(last.body) or goes_through(last.orelse)
    if isinstance(last, ast.With | ast.AsyncWith):
        return goes_through(last.body)
    if isinstance(last, ast.Try):
        return goes_through(last.orelse or last.body) or any(
            goes_through(handler.body) for handler in last.handlers
        )
    endless = isinstance(last, ast.While) and isinstance(last.test, ast.Constant) and bool(last.test.value)
    return not endless or any(isinstance(node, ast.Break) for node in walk(last))


def returned_in_branch(context: Context) -> Iterator[Built]:
    """The returns in branches that have all the words of a condition in their test, texts and names."""
    wanted = stems(context.text("condition"))
    hits: list[tuple[Anchor, ast.Return]] = []
    for area, _, branch in context.find(ast.If):
        branch_stems = stems(collect_names_and_texts(branch.test, *branch.body))
        last = branch.body[-1]
        if wanted and wanted <= branch_stems and isinstance(last, ast.Return) and last.value is not None:
            hits.append((Anchor(area, last), last))
    for anchor, last in hits:
        assert last.value is not None
        source = context.source(anchor.path)
        old = _part(last.value, context.text("result"))
        spot = Anchor(anchor.area, last, extra={"old": old})
        for option in results(context, spot):
            if source.segment(old) != option.text:
                code = replace_within(source, last, old, option.text)
                made = call("replace_statements", place=place(context, spot), code=code)
                yield build_at(option, made, weight=_TEXT / len(hits))


def returned_in_place(context: Context) -> Iterator[Built]:
    """A return in the handler of an error that a condition names, or in place of what a function raises at
    its end when it has found nothing."""
    condition_text = context.text("condition")
    errors = {text for text in re.findall(r"\w+", condition_text) if text.endswith(("Error", "Exception"))}
    kinds = condition_kinds_said(condition_text)
    found_none = not errors and kinds & {"absent", "empty"} and context.named
    for area, source, root in context.trees():
        spots: list[ast.stmt] = []
        for node in walk(root):
            if isinstance(node, ast.ExceptHandler) and errors & {*exceptions_of(node.type)}:
                spots.append(node.body[-1])
            elif found_none and isinstance(node, Function) and node.body[1:]:
                spots += [node.body[-1]] if isinstance(node.body[-1], ast.Raise) else []
        for spot in spots:
            inside = source.function_of(spot)
            values = [inner.value for inner in find_nodes(inside or root, ast.Return) if inner.value]
            at = Anchor(area, spot, extra={"old": values[-1]} if values else {})
            leaves = isinstance(spot, ast.Raise | ast.Return | ast.Pass)
            for option in results(context, at):
                code = f"return {option.text}"
                made = (
                    call("replace_statements", place=place(context, at), code=code)
                    if leaves
                    else call("insert_statements", place=place(context, at), code=code, side="after")
                )
                yield Built((made,), _TEXT * option.weight / len(spots), option.doubts)


def _part(value: ast.expr, result: str) -> ast.expr:
    """The one part of a tuple that is of the kind of a result."""
    new = parsed(result)
    if not isinstance(value, ast.Tuple) or not isinstance(new, ast.Constant):
        return value
    alike = [
        element
        for element in value.elts
        if isinstance(element, ast.Constant) and type(element.value) is type(new.value)
    ]
    return alike[0] if len(alike) == 1 else value
