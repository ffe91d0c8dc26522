"""Calls that add guards, skip rounds of loops, end loops, and catch errors."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.intent import conditions
from spark_tui.intent.anchors import Anchor, anchors, parsed
from spark_tui.intent.block_finders import LOG_METHODS, exceptions_of
from spark_tui.intent.building import Built, builder, call, combined, filled, found, place, word
from spark_tui.intent.context import Context
from spark_tui.intent.situation import Option, Unresolved
from spark_tui.intent.values import literal
from spark_tui.pysource.source import Function

_LOOPS = (ast.For, ast.AsyncFor, ast.While)


def _conditions(context: Context, anchor: Anchor) -> list[Option]:
    try:
        return filled(context, "{condition:condition}", anchor) or []
    except Unresolved:
        return []


def _functions(context: Context) -> list[tuple[Anchor, list[Option]]]:
    """The functions in which the condition means something. Those whose own names it uses count."""
    if not context.has("condition"):
        raise Unresolved("the condition is not said")
    out = []
    for anchor in found(context, "function") + anchors(context, "function")[6:]:
        options = _conditions(context, anchor)
        if options:
            out.append((replace(anchor, weight=anchor.weight * options[0].weight), options))
    if not out:
        raise Unresolved(f"{context.text('condition')!r} was not understood as a condition")
    whole = sum(anchor.weight for anchor, _ in out)
    best = max(anchor.weight for anchor, _ in out)
    if len(out) > 1 and not context.named:
        scale = max(0.9, best)
        out = [(replace(anchor, weight=scale * anchor.weight / whole), options) for anchor, options in out]
    elif not context.named:
        out = [(replace(out[0][0], weight=0.9, doubts=()), out[0][1])]
    out.sort(key=lambda each: -each[0].weight)
    return out[:4]


def raised(context: Context, anchor: Anchor, condition: str) -> list[Option]:
    """How an error is raised: its class and message as they are said, or made from the condition."""
    name = filled(context, "{exception:exception}", anchor)
    said = filled(context, "{message:message}", anchor)
    written = re.match(r"\s*`?([\w.]+)\((.*)\)`?\s*\Z", context.text("exception"), re.DOTALL)
    if written is not None and parsed(context.text("exception").strip("`")) is not None and said is None:
        return [Option(f"raise {context.text('exception').strip('`')}")]
    kind = name[0] if name else Option(_fitting(condition), 0.95)
    if said is not None:
        return [Option(f"raise {kind.text}({one.text})", kind.weight * one.weight) for one in said]
    text = conditions.message_of(condition)
    source = context.source(anchor.path)
    if text:
        return [Option(f"raise {kind.text}({literal(text, source)})", kind.weight)]
    doubts = ("the message was made up",)
    shown = literal(f"not allowed: {conditions.shown(condition)}", source)
    return [Option(f"raise {kind.text}({shown})", kind.weight, doubts)]


def _fitting(condition: str) -> str:
    """The exception that a condition of its kind raises."""
    return "TypeError" if "isinstance(" in condition else "ValueError"


@builder("guard_raise")
def guard_raise(context: Context) -> Iterator[Built]:
    for anchor, options in _functions(context):
        for condition in options:
            for action in raised(context, anchor, condition.text):
                made = call(
                    "add_guard",
                    place=word(context, "in", anchor),
                    condition=condition.text,
                    action=action.text,
                )
                weight = anchor.weight * (condition.weight / options[0].weight) * action.weight
                yield Built((made,), weight, (*anchor.doubts, *condition.doubts, *action.doubts))


@builder("guard_return")
def guard_return(context: Context) -> Iterator[Built]:
    for anchor, options in _functions(context):
        results = returned(context, anchor)
        for condition in options:
            for result in results:
                action = f"return {result.text}".strip()
                made = call(
                    "add_guard", place=word(context, "in", anchor), condition=condition.text, action=action
                )
                weight = anchor.weight * (condition.weight / options[0].weight) * result.weight
                yield Built((made,), weight, (*anchor.doubts, *result.doubts))


def returned(context: Context, anchor: Anchor) -> list[Option]:
    """What is returned early: as said, or nothing where the function returns nothing, or None."""
    if context.has("result"):
        node = anchor.node
        values = (
            [one.value for one in ast.walk(node) if isinstance(one, ast.Return) and one.value] if node else []
        )
        known = replace(anchor, extra={"old": values[-1]} if values else {})
        out = filled(context, "{result:value}", known) or []
        return [replace(one, text="") if one.text == "nothing" else one for one in out]
    node = anchor.node
    gives = isinstance(node, Function) and any(
        isinstance(one, ast.Return) and one.value is not None for one in ast.walk(node)
    )
    return [Option("None", 0.9), Option("", 0.5)] if gives else [Option(""), Option("None", 0.5)]


@builder("skip_in_loop")
def skip_in_loop(context: Context) -> Iterator[Built]:
    yield from _in_loops(context, "continue")


@builder("stop_loop")
def stop_loop(context: Context) -> Iterator[Built]:
    if context.has("condition"):
        yield from _in_loops(context, "break")
        return
    for anchor in found(context, "loop", "loop"):
        source = context.source(anchor.path)
        inside = [one for one in getattr(anchor.node, "body", ()) if isinstance(one, ast.If)]
        for one in inside[:2]:
            last = one.body[-1]
            if isinstance(last, ast.Break | ast.Return | ast.Continue | ast.Raise):
                continue
            spot = f"{anchor.path}:{source.first_line(last) + 1}-{source.last_line(last)}"
            made = call("insert_statements", place=spot, code="break", side="after")
            yield Built((made,), anchor.weight / len(inside), anchor.doubts)


def _in_loops(context: Context, action: str) -> Iterator[Built]:
    count = 0
    for anchor in found(context, "loop", "loop"):
        loop = anchor.node
        assert loop is not None
        bound = {
            one.id for one in ast.walk(loop) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
        }
        for condition in _conditions(context, anchor):
            names = {one.id for one in ast.walk(ast.parse(condition.text)) if isinstance(one, ast.Name)}
            fits = 1.0 if names & bound else 0.5
            late = _set_late(loop, names)
            weight = anchor.weight * condition.weight * fits
            count += 1
            if late is not None:
                source = context.source(anchor.path)
                code = f"if {condition.text}:\n    {action}"
                spot = f"{anchor.path}:{source.first_line(late) + 1}-{source.last_line(late)}"
                made = call("insert_statements", place=spot, code=code, side="after")
                yield Built((made,), weight, anchor.doubts)
            else:
                made = call(
                    "add_guard", place=word(context, "line", anchor), condition=condition.text, action=action
                )
                yield Built((made,), weight, anchor.doubts)
    if not count:
        raise Unresolved(f"{context.text('condition')!r} was not understood as a condition")


def _set_late(loop: ast.AST, names: set[str]) -> ast.stmt | None:
    """The last statement of a loop's body that sets one of the names for the first time."""
    head = loop.target if isinstance(loop, ast.For | ast.AsyncFor) else None
    given = {one.id for one in ast.walk(head) if isinstance(one, ast.Name)} if head is not None else set()
    found_at: ast.stmt | None = None
    for name in names - given:
        for one in getattr(loop, "body", ()):
            if isinstance(one, ast.Assign | ast.AnnAssign | ast.AugAssign) and any(
                isinstance(each, ast.Name) and each.id == name and isinstance(each.ctx, ast.Store)
                for each in ast.walk(one)
            ):
                found_at = one if found_at is None or one.lineno > found_at.lineno else found_at
                break
    return found_at


# -- errors ------------------------------------------------------------------------------------------


def _tried(context: Context) -> list[Anchor]:
    """The statements that are tried: those that are shown or called, else the function's body."""
    if context.has("code"):
        spots = anchors(context, "statement:code") or _with_call(context)
        if spots:
            return [replace(one, words={**one.words, "tried": place(context, one)}) for one in spots[:4]]
        raise Unresolved(f"there is no statement {context.text('code')!r}")
    if context.situation.selection and not context.named:
        spots = anchors(context, "statement:code")
        if spots:
            return [replace(one, words={**one.words, "tried": place(context, one)}) for one in spots[:2]]
    spots = found(context, "function", "function")[:3]
    return [replace(one, words={**one.words, "tried": word(context, "in", one)}) for one in spots]


def _with_call(context: Context) -> list[Anchor]:
    """The statements in which a call stands."""
    out = []
    for one in anchors(context, "call:code"):
        statement = context.source(one.path).statement(one.node) if one.node is not None else None
        if statement is not None:
            out.append(replace(one, node=statement))
    return out


_RAISES = {
    "open": "OSError", "int": "ValueError", "float": "ValueError", "json.load": "ValueError", "json.loads": "ValueError",
    "os.remove": "OSError", "requests.get": "requests.RequestException", "requests.post": "requests.RequestException",
    "urlopen": "OSError", "index": "ValueError", "next": "StopIteration", "os.unlink": "OSError", "remove": "ValueError",
}  # fmt: skip


def caught(context: Context, anchor: Anchor) -> list[Option]:
    """The exception that is caught: as said, or what the code is likely to raise."""
    said = filled(context, "{exception:exception}", anchor)
    if said:
        return said
    nodes = list(ast.walk(anchor.node)) if anchor.node is not None else []
    for one in nodes:
        if isinstance(one, ast.Call) and (kind := _RAISES.get(ast.unparse(one.func))) is not None:
            return [
                Option(kind, 0.7, (f"{kind} was taken for what may be raised",)),
                Option("Exception", 0.5),
            ]
    if any(isinstance(one, ast.Subscript) and isinstance(one.ctx, ast.Load) for one in nodes):
        return [
            Option("KeyError", 0.6, ("KeyError was taken for what may be raised",)),
            Option("Exception", 0.5),
        ]
    return [Option("Exception", 0.7, ("which error is caught was not said",))]


def _wrapped(context: Context, handlers: dict[str, str], scale: float = 1.0) -> Iterator[Built]:
    for anchor in _tried(context):
        for kind in caught(context, anchor)[:2]:
            for given, weight, doubts in combined(context, handlers, anchor):
                made = call("wrap_in_try", place=anchor.words["tried"], exception=kind.text, **given)
                yield Built(
                    (made,),
                    anchor.weight * kind.weight * weight * scale,
                    (*anchor.doubts, *kind.doubts, *doubts),
                )


@builder("try_return")
def try_return(context: Context) -> Iterator[Built]:
    if not context.has("result"):
        yield from _wrapped(context, {"handler": "return None"})
        return
    yield from _wrapped(context, {"handler": "return {result:value}"})


@builder("try_pass")
def try_pass(context: Context) -> Iterator[Built]:
    yield from _wrapped(context, {"handler": "pass"})


@builder("try_log")
def try_log(context: Context) -> Iterator[Built]:
    for anchor in _tried(context):
        logger, extra = logger_of(context, anchor.path)
        levels = filled(context, "{level:level}", anchor) or [Option("exception")]
        subject = _subject(context, anchor)
        for kind in caught(context, anchor)[:2]:
            log = f'{logger}.{levels[0].text}("{subject} failed")'
            name = ""
            if levels[0].text != "exception":
                log, name = f'{logger}.{levels[0].text}("{subject} failed: %s", error)', "error"
            made = call(
                "wrap_in_try", place=anchor.words["tried"], exception=kind.text, handler=log, name=name
            )
            doubts = (*anchor.doubts, *kind.doubts, "the text of the log was made up")
            # An import moves all lines, so that it is made last.
            yield Built((made, *extra), anchor.weight * kind.weight, doubts)


def logger_of(context: Context, path: str) -> tuple[str, tuple]:  # type: ignore[type-arg]
    """The name by which a file logs, and calls that make it."""
    bound = context.repo.index.scopes(path).module.bound
    for name in ("logger", "log", "_logger", "_log", "LOG", "LOGGER"):
        if name in bound:
            return name, ()
    if "logging" in bound:
        return "logging", ()
    return "logging", (call("add_import", path=path, module="logging"),)


def _subject(context: Context, anchor: Anchor) -> str:
    node = anchor.node
    if isinstance(node, Function):
        return node.name.strip("_").replace("_", " ")
    calls = [one for one in ast.walk(node) if isinstance(one, ast.Call)] if node is not None else []
    return ast.unparse(calls[0].func) if calls else "this"


@builder("try_raise")
def try_raise(context: Context) -> Iterator[Built]:
    if not context.has("exception"):
        raise Unresolved("it is not said what is raised")
    for anchor in _tried(context):
        old = filled(context, "{old:exception}", anchor) or [
            Option("Exception", 0.7, ("which error is caught was not said",))
        ]
        new = filled(context, "{exception:exception}", anchor) or []
        said = filled(context, "{message:message}", anchor)
        for kind in new:
            shown = said[0].text if said else "str(error)"
            action = f"raise {kind.text}({shown}) from error"
            made = call(
                "wrap_in_try",
                place=anchor.words["tried"],
                exception=old[0].text,
                handler=action,
                name="error",
            )
            yield Built(
                (made,), anchor.weight * kind.weight * old[0].weight, (*anchor.doubts, *old[0].doubts)
            )


@builder("also_catch")
def also_catch(context: Context) -> Iterator[Built]:
    for anchor in found(context, "handler:old", "except"):
        node = anchor.node
        assert isinstance(node, ast.ExceptHandler)
        for option in filled(context, "{exception:exception}", anchor) or ():
            now = exceptions_of(node.type)
            new = [one for one in option.text.strip("()").split(", ") if one not in now]
            if not new:
                raise Unresolved(f"{option.text} is caught there already")
            made = call("set_except", place=word(context, "line", anchor), new=f"({', '.join([*now, *new])})")
            yield Built((made,), anchor.weight * option.weight, (*anchor.doubts, *option.doubts))


@builder("change_raised")
def change_raised(context: Context) -> Iterator[Built]:
    for anchor in found(context, "raise:old", "raise"):
        node = anchor.node
        assert isinstance(node, ast.Raise)
        kind = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        source = context.source(anchor.path)
        assert kind is not None
        spot = replace(anchor, node=node)
        for option in filled(context, "{exception:exception}", anchor) or ():
            if option.text == source.segment(kind):
                continue
            made = call(
                "replace_expression", place=place(context, spot), old=source.segment(kind), new=option.text
            )
            yield Built((made,), anchor.weight * option.weight, (*anchor.doubts, *option.doubts))


@builder("log_exception")
def log_exception(context: Context) -> Iterator[Built]:
    for anchor in found(context, "handler:exception", "except"):
        node = anchor.node
        assert isinstance(node, ast.ExceptHandler)
        logger, extra = logger_of(context, anchor.path)
        level = (filled(context, "{level:level}", anchor) or [Option("exception")])[0].text
        inside = context.enclosing(anchor.path, node)
        subject = inside.name.strip("_").replace("_", " ") if inside is not None else "this"
        text = (
            f'"{subject} failed"'
            if level == "exception"
            else f'"{subject} failed: %s", {node.name or "error"}'
        )
        if any(isinstance(one, ast.Attribute) and one.attr in LOG_METHODS for one in ast.walk(node)):
            continue
        body = node.body
        source = context.source(anchor.path)
        first = f"{anchor.path}:{source.first_line(body[0]) + 1}-{source.last_line(body[0])}"
        log = f"{logger}.{level}({text})"
        empty = isinstance(body[0], ast.Pass) and len(body) == 1
        made = (
            [call("replace_statements", place=first, code=log)]
            if empty
            else [call("insert_statements", place=first, code=log, side="before")]
        )
        if level != "exception" and node.name is None:
            made = [call("name_exception", place=word(context, "line", anchor), name="error"), *made]
        # The import moves all lines, so that it is made last.
        yield Built((*made, *extra), anchor.weight, (*anchor.doubts, "the text of the log was made up"))


@builder("wrap_in_with")
def wrap_in_with(context: Context) -> Iterator[Built]:
    for anchor in _tried(context):
        fields = {"context": "{context:expression}", "name": "{name:name}"}
        for given, weight, doubts in combined(context, fields, anchor):
            made = call("wrap_in_with", place=anchor.words["tried"], **given)
            yield Built((made,), anchor.weight * weight, (*anchor.doubts, *doubts))


@builder("add_else")
def add_else(context: Context) -> Iterator[Built]:
    spots = anchors(context, "test:condition") if context.has("condition") else []
    heads = [
        replace(one, node=one.extra["owner"]) for one in spots if isinstance(one.extra.get("owner"), ast.If)
    ]
    heads = heads or [one for one in anchors(context, "block") if not getattr(one.node, "orelse", None)]
    if not heads:
        raise Unresolved("no if, loop or try without an else was found")
    for anchor in heads[:4]:
        code = filled(context, "{code:code}", anchor) or []
        for option in code:
            made = call("add_else", place=word(context, "line", anchor), body=option.text)
            yield Built((made,), anchor.weight * option.weight, anchor.doubts)


@builder("add_elif")
def add_elif(context: Context) -> Iterator[Built]:
    spots = [one for one in anchors(context, "test") if isinstance(one.extra.get("owner"), ast.If)]
    for anchor in spots[:4]:
        head = replace(anchor, node=anchor.extra["owner"])
        for condition in _conditions(context, head):
            for code in filled(context, "{code:code}", head) or ():
                made = call(
                    "add_elif", place=word(context, "line", head), condition=condition.text, body=code.text
                )
                yield Built((made,), anchor.weight * condition.weight * code.weight, anchor.doubts)
