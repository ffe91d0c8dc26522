"""Calls that catch, raise, log and show errors, and what else wraps statements."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.intent.builders.control_flow.raised_alike import with_message
from spark_tui.intent.builders.errors.caught_classes import caught_besides, returned_otherwise, returned_there
from spark_tui.intent.builders.errors.new_handlers import (
    names_a_value,
    on_to_next,
    one_round,
    only_parameter,
    shown_failure,
    subject_of,
)
from spark_tui.intent.builders.errors.raises import message_given, raised_otherwise, without_cause
from spark_tui.intent.builders.errors.with_blocks import in_place_of, under_flag
from spark_tui.intent.builders.statements.logged_raises import (
    log_methods,
    logged_raises,
    logger_of,
    with_traceback,
)
from spark_tui.intent.building.building import (
    Built,
    build_at,
    builder,
    call,
    combined,
    filled,
    found,
    place,
    word,
)
from spark_tui.intent.building.shown_code import log_call
from spark_tui.intent.context.anchors import Anchor, anchors, is_same_expression, nodes, parsed
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Option, Unresolved
from spark_tui.intent.finders.blocks import exceptions_of, is_caught_with
from spark_tui.intent.texts.shown_in_texts import filled_in, values_named
from spark_tui.intent.values.anchor_details import logger_named
from spark_tui.intent.values.converters.exceptions import class_of_words, failing_statements
from spark_tui.intent.values.converters.of_slots import SlotWords
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import LOG_MADE_UP, assumed, not_said
from spark_tui.pysource.source import Definition
from spark_tui.pysource.syntax.walking import LOOPS

_ANY = Option("Exception", 0.7, (not_said("the error to catch was not given"),))


def _tried(context: Context) -> list[Anchor]:
    """The statements that are tried: those that are shown or called, else the function's body."""
    if context.has("code"):
        spots = anchors(context, "statement:code")
        if spots and all(isinstance(spot.node, Definition) for spot in spots):
            spots = _calls_of_named(context) or spots  # what is tried is where it is called
        if spots:
            return [replace(spot, words={**spot.words, "tried": place(context, spot)}) for spot in spots[:4]]
        raise Unresolved(f"there is no statement {context.text('code')!r}")
    if context.situation.line or (context.situation.selection and not context.named):
        spots = [_with_guarded(context, anchor) for anchor in anchors(context, "statement:code")[:2]]
        if spots:
            return [replace(spot, words={**spot.words, "tried": place(context, spot)}) for spot in spots]
    old_text = context.text("old") or context.text("exception")
    spots = [] if context.named else failing_statements(context, class_of_words(old_text) or old_text)[:3]
    if spots:
        return [replace(spot, words={**spot.words, "tried": place(context, spot)}) for spot in spots]
    if not context.named and (rounds := _said_in_rounds(context)):
        return [replace(spot, words={**spot.words, "tried": place(context, spot)}) for spot in rounds]
    spots = found(context, "function", "function")[:3]
    if rounds := [made for spot in spots if (made := one_round(context, spot)) is not None]:
        return [replace(spot, words={**spot.words, "tried": place(context, spot)}) for spot in rounds]
    return [replace(spot, words={**spot.words, "tried": word(context, "in", spot)}) for spot in spots]


def _calls_of_named(context: Context) -> list[Anchor]:
    """The statements that call what the words for the code name."""
    out = []
    for spot in anchors(context, "call:code"):
        statement = context.source(spot.path).statement(spot.node) if spot.node is not None else None
        out += [replace(spot, node=statement)] if statement is not None else []
    return out


def _said_in_rounds(context: Context) -> list[Anchor]:
    """The one statement in a loop that calls something of a variable that the instruction names, where it
    says to go on with the next: *a job that raises* of `job.run()`."""
    if not phrases.mentions("on_to_next", context.situation.instruction):
        return []
    said = set(re.findall(r"\w+", context.situation.instruction.lower()))
    spots = [
        Anchor(area, node, 0.9 * area.weight, area.doubts)
        for area, source, root in context.trees()
        for node in nodes(root, ast.Expr)
        if isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Attribute)
        if isinstance(owner := node.value.func.value, ast.Name) and owner.id.lower() in said
        if any(isinstance(one, LOOPS) for one in source.ancestors(node))
    ]
    return spots if len(spots) == 1 else []


def _with_guarded(context: Context, anchor: Anchor) -> Anchor:
    """The statements that an edit wrote, and where they are a guard, also the statement they protect."""
    last = anchor.last or anchor.node
    if not context.situation.focused or not isinstance(last, ast.If) or last.orelse:
        return anchor
    if not isinstance(last.body[-1], ast.Return | ast.Raise | ast.Continue | ast.Break):
        return anchor
    return replace(anchor, last=context.source(anchor.path).suite(last)[-1])


def caught_options(context: Context, anchor: Anchor) -> list[Option]:
    """The exception that is caught: as said, else any."""
    exception_text = filled(context, "{exception:exception}", anchor)
    if exception_text:
        return exception_text
    return [_ANY]


def _wrapped(context: Context, handlers: dict[str, str]) -> Iterator[Built]:
    for anchor in _tried(context):
        for kind in caught_options(context, anchor)[:2]:
            for given, weight, doubts in combined(context, handlers, anchor):
                given["handler"] = on_to_next(context, anchor, str(given["handler"]))
                made = caught_besides(context, anchor, kind.text, str(given["handler"])) or call(
                    "wrap_in_try", place=anchor.words["tried"], exception=kind.text, **given
                )
                yield build_at(anchor, made, option=kind, weight=weight, doubts=doubts)


@builder("try_return")
def try_return(context: Context) -> Iterator[Built]:
    if not context.has("result"):
        yield from _wrapped(context, {"handler": "return None"})
        return
    if instead := list(returned_there(context)) or list(returned_otherwise(context, _tried(context))):
        yield from instead
        return
    result_text = context.text("result")
    own = only_parameter(context) if " " in result_text and phrases.mentions("as_given", result_text) else []
    if not own:
        yield from _wrapped(context, {"handler": "return {result:value}"})
    for built in _wrapped(context, {"handler": f"return {own[0]}"}) if own else ():
        yield replace(built, doubts=(*built.doubts, assumed(f"{result_text} was assumed to be {own[0]}")))


@builder("try_pass")
def try_pass(context: Context) -> Iterator[Built]:
    yield from _wrapped(context, {"handler": "pass"})


@builder("try_log")
def try_log(context: Context) -> Iterator[Built]:
    if instead := list(logged_raises(context)):
        yield from instead
        return
    shown = log_call(context)
    if shown:
        yield from _wrapped(context, {"handler": shown})
        return
    if context.has("message") and re.search(r"(?<!\w)print(?!\w)", context.beside_slots()):
        yield from _wrapped(context, {"handler": "print({message:message})"})
        return
    for anchor in _tried(context):
        logger, extra = logger_of(context, anchor.path)
        levels = filled(context, "{level:level}", anchor) or [Option("exception")]
        subject = subject_of(anchor)
        for kind in caught_options(context, anchor)[:2]:
            log, name = shown_failure(context, f"{logger}.{levels[0].text}", subject)
            extra = () if log.startswith("print(") else extra
            log = on_to_next(context, anchor, log)
            made = call(
                "wrap_in_try", place=anchor.words["tried"], exception=kind.text, handler=log, name=name
            )
            doubts = (*anchor.doubts, *kind.doubts, LOG_MADE_UP)
            # An import moves all lines, so that it is made last.
            yield Built((made, *extra), anchor.weight * kind.weight, doubts)


@builder("try_raise")
def try_raise(context: Context) -> Iterator[Built]:
    if not context.has("exception"):
        raise Unresolved("the instruction does not say what to raise")
    for anchor in _tried(context):
        one = anchor.node if anchor.last in (None, anchor.node) else None
        if isinstance(one, ast.Raise) and one.exc is not None and not context.has("old"):
            # A `raise` alone is not tried: it raises something else.
            yield from raised_otherwise(context, anchor)
            continue
        old = filled(context, "{old:exception}", anchor) or [_ANY]
        new = filled(context, "{exception:exception}", anchor) or []
        messages = filled(context, "{message:message}", anchor)
        if values := _values(context, anchor):
            messages = [Option(", ".join(values))]
        elif names_a_value(context):
            doubt = f"{context.text('message')} was read as part of the error text"
            messages = [Option("str(error)", 1.0, (doubt,))]
        for kind in new:
            shown = messages[0].text if messages else message_given(context) or "str(error)"
            cause = "None" if shown != "str(error)" and without_cause(context) else "error"
            line = getattr(anchor.node, "lineno", 0)
            error = with_message(context, anchor, kind.text, shown, line)
            handler, name = f"raise {error} from {cause}", "" if cause == "None" else cause
            made = caught_besides(context, anchor, old[0].text, handler, name) or call(
                "wrap_in_try", place=anchor.words["tried"], exception=old[0].text, handler=handler, name=name
            )
            doubts = (*anchor.doubts, *old[0].doubts, *(messages[0].doubts if messages else ()))
            yield Built((made,), anchor.weight * kind.weight * old[0].weight, doubts)


@builder("also_catch")
def also_catch(context: Context) -> Iterator[Built]:
    for at, anchor in enumerate(found(context, "handler:old", "except")):
        node = anchor.node
        assert isinstance(node, ast.ExceptHandler)
        for option in filled(context, "{exception:exception}", anchor) or ():
            now = exceptions_of(node.type)
            asked = option.text.strip("()").split(", ")
            new = [part for part in asked if part not in now and not is_caught_with(part, now)]
            if not new and at:
                continue
            if not new:
                raise Unresolved(f"{option.text} is already caught there")
            made = call("set_except", place=word(context, "line", anchor), new=f"({', '.join([*now, *new])})")
            yield build_at(anchor, made, option=option)


@builder("log_exception")
def log_exception(context: Context) -> Iterator[Built]:
    for anchor in found(context, "handler:exception", "except"):
        node = anchor.node
        assert isinstance(node, ast.ExceptHandler)
        logger, extra = logger_of(context, anchor.path)
        if name := logger_named(context):
            logger, extra = name, ()
        level = (filled(context, "{level:level}", anchor) or [Option("exception")])[0].text
        message_text = filled(context, "{message:message}", anchor)
        inside = context.enclosing(anchor.path, node)
        subject = inside.name.strip("_").replace("_", " ") if inside is not None else "this"
        shown = log_call(context)
        text = f'"{subject} failed"'
        if level != "exception":
            text = f'"{subject} failed: %s", {node.name or "error"}'
        is_there = not shown or shown.partition("(")[2] in ast.unparse(node)
        if is_there and (logged := log_methods(node)):
            yield from with_traceback(context, anchor, logged)
            continue
        body = node.body
        first = place(context, replace(anchor, node=body[0]))
        values = _values(context, anchor)
        if values:
            text, message_text = (
                f'"{subject} failed: {", ".join(["%s"] * len(values))}", {", ".join(values)}',
                None,
            )
        text = filled_in(context, anchor, message_text[0].text) if message_text else text
        log = shown or f"{logger}.{level}({text})"
        extra = () if shown else extra
        doubts = anchor.doubts if shown or message_text else (*anchor.doubts, LOG_MADE_UP)
        made = [call("insert_statements", place=first, code=log, side="before")]
        if isinstance(body[0], ast.Pass) and len(body) == 1:
            made = [call("replace_statements", place=first, code=log)]
        if level != "exception" and node.name is None and not (shown or message_text or values):
            made = [call("name_exception", place=word(context, "line", anchor), name="error"), *made]
        # The import moves all lines, so that it is made last.
        yield Built((*made, *extra), anchor.weight, doubts)


def _values(context: Context, anchor: Anchor) -> list[str]:
    """The values that the text of a log call is to show, where its words name them."""
    span = context.span("message")
    return values_named(SlotWords(context, span, anchor)) if span is not None else []


@builder("wrap_in_with")
def wrap_in_with(context: Context) -> Iterator[Built]:
    context_text = re.sub(
        r"\A(?:async )?with\s+|\s*(?:as\s+\w+)?:?\Z", "", context.text("context").strip("` ")
    )
    manager = parsed(context_text)
    if not context.has("code") and (made_of := list(in_place_of(context, context_text))):
        yield from made_of
        return
    for anchor in _tried(context):
        if any(is_same_expression(manager, node.value) for node in nodes(anchor.node, ast.Assign)):
            raise Unresolved("it is already opened there: the assignment would have to go")
        if flagged := list(under_flag(context, anchor, manager)):
            yield from flagged
            continue
        shown = ast.unparse(manager) if isinstance(manager, ast.Name | ast.Attribute) else ""
        last = shown.rpartition(".")[2]
        if last[:1].isupper() and not last.isupper():
            raise Unresolved(f"{shown} is a class, not an object of it")
        whole = (
            context_text
            if manager is not None and context_text != context.text("context")
            else "{context:expression}"
        )
        fields = {"context": whole, "name": "{name:name}"}
        for given, weight, doubts in combined(context, fields, anchor):
            made = call("wrap_in_with", place=anchor.words["tried"], **given)
            yield build_at(anchor, made, weight=weight, doubts=doubts)


@builder("add_retry")
def add_retry(context: Context) -> Iterator[Built]:
    """A statement that is shown, or the body of a function, is tried again."""
    if context.has("count") and phrases.number(context.text("count")) is None:
        raise Unresolved(f"{context.text('count')!r} is no number of attempts")
    for anchor in _tried(context):
        fields = {"exception": "{exception:exception|Exception}", "attempts": "{count:count|3}"}
        for given, weight, doubts in combined(context, fields, anchor):
            made = call("wrap_in_retry", place=anchor.words["tried"], **given)
            yield build_at(anchor, made, weight=weight, doubts=doubts)
