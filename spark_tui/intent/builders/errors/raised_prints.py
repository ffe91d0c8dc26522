"""Calls that raise an error in the place of a print, a log call or an exit, with its words."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.intent.builders.control_flow.guard_errors import raise_options
from spark_tui.intent.builders.texts.said_values import keep_fitting
from spark_tui.intent.building.building import Built, build_at, builder, call, filled, place
from spark_tui.intent.context.anchors import Anchor, anchors
from spark_tui.intent.context.lookup import split_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Option, Unresolved
from spark_tui.intent.finders.written_out import is_exit
from spark_tui.intent.texts.printed_texts import words_of_call
from spark_tui.intent.values.converters.texts import unquoted
from spark_tui.intent.words.doubts import not_said
from spark_tui.intent.words.kinds_of_words import kind_said, says


@builder("raise_for_print")
def raise_for_print(context: Context) -> Iterator[Built]:
    spots = _said(context)
    if not spots:
        yield from _for_return(context)
        return
    for anchor in spots[: context.most_places]:
        source, node = context.source(anchor.path), anchor.node
        assert isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
        behind = source.following(node)
        doubts = anchor.doubts
        if behind and not _leaves(behind[0]):
            doubts = (*doubts, "the code after it is no longer reached")
        errors = filled(context, "{exception:exception}", anchor)
        if not errors:
            errors, doubts = [Option("ValueError")], (*doubts, not_said("the error was not given"))
        told = filled(context, "{message:message}", anchor)
        text = told[0].text if told and told[0].text else words_of_call(source, node.value)
        handler = next(
            (ancestor for ancestor in source.ancestors(node) if isinstance(ancestor, ast.ExceptHandler)), None
        )
        cause = f" from {handler.name}" if handler is not None and handler.name else ""
        last = behind[0] if behind and _leaves(behind[0]) else None
        spot = place(context, Anchor(anchor.area, node, last=last))
        for error in errors[:2]:
            code = f"raise {error.text}({text}){cause}"
            edit = call("replace_statements", place=spot, code=code)
            yield Built((edit,), anchor.weight * error.weight, (*doubts, *error.doubts))


def _for_return(context: Context) -> Iterator[Built]:
    """An error in the place of the one `return` of a constant that is named: *rather than return None*."""
    words = re.findall(r"[\w.'\"-]+", context.text("old"))
    spots = [
        anchor
        for anchor in anchors(context, "return")
        if isinstance(anchor.node, ast.Return)
        and isinstance(anchor.node.value, ast.Constant)
        and ast.unparse(anchor.node.value) in words
    ]
    if len(spots) != 1:
        raise Unresolved("nothing is printed there")
    source, node = context.source(spots[0].path), spots[0].node
    around = source.parents.get(node) if node is not None else None
    test = ast.unparse(around.test) if isinstance(around, ast.If) and node in around.body else ""
    for action in raise_options(context, spots[0], test):
        code = action.text if test else re.sub(r"\(.*\)\Z", "", action.text)
        edit = call("replace_statements", place=place(context, spots[0]), code=code)
        yield build_at(spots[0], edit, option=action)


def _said(context: Context) -> list[Anchor]:
    """The prints, log calls and exits that are meant, the nearest first."""
    old_text = unquoted(context.text("old"))
    words = {word for word in split_name(old_text) if len(word) > 2}
    every = anchors(context, "written_out")
    exact = [anchor for anchor in every if old_text and old_text in anchor.words["text"]]
    alike = [anchor for anchor in every if words & set(split_name(anchor.words["text"]))]
    beside = context.beside_slots()
    kind = kind_said("message_kinds", beside)
    of_kind = [anchor for anchor in every if anchor.words["kind"] == kind]
    if says("leaving", "exit", beside):
        of_kind = [anchor for anchor in every if anchor.words["leaves"]] or of_kind
    found = exact or alike or of_kind or every
    told = re.findall(r"\w+", context.situation.instruction)
    found = [anchor for anchor in found if anchor.words["returns"] in told] or found
    return keep_fitting(found, every) if len(found) < len(every) else every


def _leaves(node: ast.stmt) -> bool:
    """Whether a statement only leaves: a return of nothing much, an exit, the next round."""
    if isinstance(node, ast.Return):
        return node.value is None or isinstance(node.value, ast.Constant | ast.UnaryOp)
    return is_exit(node) or isinstance(node, ast.Continue | ast.Break | ast.Pass)
