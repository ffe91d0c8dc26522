"""Statements that are inserted beside another one; where that is told in words that no statement has, after
what sets the names that they use."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from spark_tui.codemods.families.statements.placement import InsertStatements, Side
from spark_tui.intent.builders.statements.branches import in_branch
from spark_tui.intent.building.building import Built, build_at, builder, call, filled, of_table, place, word
from spark_tui.intent.context.anchors import Anchor, anchors, functions_meant, nodes
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Area, Unresolved
from spark_tui.intent.facts.unset_names import reached_after
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed, places_fit
from spark_tui.intent.words.kinds_of_words import folder_words
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.parsing import parse
from spark_tui.pysource.syntax.walking import find_nodes, names_in, walk

_MAKING = ("makedirs", "mkdir")
_WRITING_MODE = re.compile(r"[wax][bt+]*")
_WRITTEN = ("write_text", "write_bytes")


@lru_cache(maxsize=1)
def _handler() -> re.Pattern[str]:
    """Words for a handler: with an article, since `except` also leaves something out."""
    articles = "|".join(map(re.escape, phrases.words("articles")))
    said = "|".join(map(re.escape, phrases.table()["handler_branch"]["said"]))
    return re.compile(rf"(?<!\w)(?:{articles})\s+(?:{said})(?!\w)", re.IGNORECASE)


@builder("insert_after")
def insert_after(context: Context) -> Iterator[Built]:
    beside = anchors(context, "statement:anchor")
    inside = list(_in_with(context, beside[0])) if beside else []
    if inside:
        yield from inside
        return
    try:
        for built in of_table(context, "insert_after"):
            yield _where_reached(context, built)
    except Unresolved:
        if beside or not context.placed or re.search(r"[_(.=]", context.text("anchor")):
            raise
        made = list(_behind_names(context))
        if not made:
            raise
        yield from made


def _where_reached(context: Context, built: Built) -> Built:
    """Insert after the enclosing statement where the named one returns, raises, or ends a round of a loop."""
    made = built.calls[0]
    if len(built.calls) > 1 or not isinstance(made, InsertStatements) or not made.place.path:
        return built
    source = context.source(made.place.path)
    there = (made.place.first, made.place.last)
    for node in source.statements:
        if (node.lineno, node.end_lineno) == there and (outer := reached_after(source, node)) is not node:
            where = place(context, Anchor(Area(made.place.path), outer))
            return replace(
                built, calls=(call("insert_statements", place=where, code=made.code, side="after"),)
            )
    return built


@builder("insert_at_start")
def insert_at_start(context: Context) -> Iterator[Built]:
    """At the start of what is named: of the handlers in it, if the words are about one."""
    if there := list(made_folders(context)) or list(in_branch(context)):
        yield from there
        return
    handlers = anchors(context, "handler") if _handler().search(context.beside_slots()) else []
    for anchor in handlers[: context.most_places]:
        assert isinstance(anchor.node, ast.ExceptHandler)
        where = place(context, replace(anchor, node=anchor.node.body[0]))
        doubts = (*anchor.doubts, places_fit(len(handlers))) if len(handlers) > 1 else anchor.doubts
        for option in filled(context, "{code:code}", anchor) or ():
            made = call("insert_statements", place=where, code=option.text, side="before")
            yield Built((made,), anchor.weight * option.weight, (*doubts, *option.doubts))
    for built in () if handlers else of_table(context, "insert_at_start"):
        first = built.calls[0]
        if isinstance(first, InsertStatements) and _sets_attribute(context, first):
            built = replace(built, calls=(replace(first, side=Side.END),))
        yield replace(built, doubts=(*built.doubts, *_set_again(context, built)))


@builder("insert_at_end")
def insert_at_end(context: Context) -> Iterator[Built]:
    """At the end of what is named: of a branch of it, if the words are about one."""
    yield from list(in_branch(context)) or of_table(context, "insert_at_end")


def _sets_attribute(context: Context, made: InsertStatements) -> bool:
    """Whether code sets an attribute in a constructor, whose start no word asks for: it comes last there."""
    if not made.place.symbol.endswith(".__init__"):
        return False
    body = getattr(parse(made.code), "body", [])
    sets = [target for stmt in body if isinstance(stmt, ast.Assign) for target in stmt.targets]
    own = len(body) == 1 and len(sets) == 1 and isinstance(sets[0], ast.Attribute)
    said = (*phrases.words("leading"), *phrases.words("begin"), *phrases.words("first_only"), "top", "start")
    return own and not phrases.any_stands_in(said, context.beside_slots().lower())


def _set_again(context: Context, built: Built) -> Iterator[str]:
    """The names that inserted code sets although the function sets them anew without reading them."""
    code = parse(str(getattr(built.calls[0], "code", ""))) if len(built.calls) == 1 else None
    names = (
        {node.id for node in find_nodes(code, ast.Name) if isinstance(node.ctx, ast.Store)} if code else set()
    )
    for anchor in anchors(context, "function")[:1]:
        for stmt in getattr(anchor.node, "body", ()):
            for target in stmt.targets if isinstance(stmt, ast.Assign) else ():
                if isinstance(target, ast.Name) and target.id in names - names_in(stmt.value):
                    yield assumed(f"{target.id} is set again below")


def _in_with(context: Context, anchor: Anchor) -> Iterator[Built]:
    """What uses the name that a `with` binds stands in it, not after it."""
    if not isinstance(anchor.node, ast.With):
        return
    bound = [item.optional_vars for item in anchor.node.items if item.optional_vars is not None]
    names = {node.id for item in bound for node in find_nodes(item, ast.Name)}
    where = place(context, replace(anchor, node=anchor.node.body[0]))
    for option in filled(context, "{code:code}", anchor) or ():
        if names & _names(option.text):
            made = call("insert_statements", place=where, code=option.text, side="before")
            yield build_at(anchor, made, option=option)


def _names(code: str) -> set[str]:
    tree = parse(code)
    return names_in(tree)


def _behind_names(context: Context) -> Iterator[Built]:
    for anchor in anchors(context, "function")[:1]:
        node, source = anchor.node, context.source(anchor.path)
        if not isinstance(node, Function):
            continue
        for option in filled(context, "{code:code}", anchor) or ():
            loops = list(nodes(node, ast.For, ast.While))
            around = loops[0] if len(loops) == 1 and re.match(r"(?:time\.)?sleep\(", option.text) else None
            last = around.body[-1] if isinstance(around, ast.For | ast.While) else None
            spot = last or _set_last(source, node, option.text)
            if (
                option.text.startswith("os.remove(")
                and spot is not None
                and _is_read(source, node, option.text, spot)
            ):
                continue  # the file is read after it
            doubt = f"{context.text('anchor')!r} was not found: check the place"
            doubts = (*anchor.doubts, *option.doubts, doubt)
            if spot is None:
                made = call(
                    "insert_statements", place=word(context, "in", anchor), code=option.text, side="end"
                )
            elif isinstance(spot, ast.With):
                where = place(context, Anchor(anchor.area, spot.body[0]))
                made = call("insert_statements", place=where, code=option.text, side="before")
            else:
                where = place(context, Anchor(anchor.area, spot))
                made = call("insert_statements", place=where, code=option.text, side="after")
            yield Built((made,), anchor.weight * option.weight * 0.7, doubts)


def _is_read(source: Source, function: Function, code: str, spot: ast.stmt) -> bool:
    """Whether what code uses is read after a statement."""
    used = _names(code)
    return any(
        isinstance(node, ast.Name) and node.id in used and node.lineno > source.last_line(spot)
        for node in walk(function)
    )


def _set_last(source: Source, function: Function, code: str) -> ast.stmt | None:
    """The statement that sets last what code uses, of those that set one of its names first."""
    used = _names(code)
    first: dict[str, ast.stmt] = {}
    for node in nodes(function, ast.Name):
        holder = source.statement(node)
        if isinstance(node.ctx, ast.Store) and node.id in used and holder is not None:
            first.setdefault(node.id, holder)
    plain = [inner for inner in first.values() if isinstance(inner, ast.Assign | ast.AnnAssign | ast.With)]
    return max(plain, key=lambda inner: inner.lineno, default=None)


def made_folders(context: Context) -> Iterator[Built]:
    """The folder of a file that a function writes, made in front of that; of several functions each may be
    meant."""
    if folder_words(context.text("code")) is None:
        return
    found = [
        (anchor, node, of_file)
        for anchor in functions_meant(context)
        for node in find_nodes(anchor.node, ast.Call)
        if (of_file := _folder(context, anchor, node))
    ]
    if len({id(anchor.node) for anchor, *_ in found}) == 1:
        found = found[:1]
    for anchor, node, code in found:
        if any(called_name(one) in _MAKING for one in find_nodes(anchor.node, ast.Call)):
            raise Unresolved("the folder is made already", nothing=True)
        spot = replace(anchor, node=context.source(anchor.path).statement(node))
        doubts = (places_fit(len(found)),) if len(found) > 1 else ()
        made = call("insert_statements", place=place(context, spot), code=code, side="before")
        yield build_at(anchor, made, doubts=doubts)


def _folder(context: Context, anchor: Anchor, node: ast.Call) -> str:
    """The statement that makes the folder of what a call opens to write; empty where it does not."""
    source = context.source(anchor.path)
    if not isinstance(anchor.node, Function) or source.function_of(node) is not anchor.node:
        return ""
    name, owner = called_name(node), getattr(node.func, "value", None)
    own = name == "open" and isinstance(node.func, ast.Name) and bool(node.args)
    modes = [*node.args[own : own + 1], *(one.value for one in node.keywords if one.arg == "mode")]
    writes = any(isinstance(one, ast.Constant) and _WRITING_MODE.fullmatch(str(one.value)) for one in modes)
    if own and writes:
        return f"Path({source.segment(node.args[0])}).parent.mkdir(parents=True, exist_ok=True)"
    if owner is not None and (name in _WRITTEN or (name == "open" and writes)):
        return f"{source.segment(owner)}.parent.mkdir(parents=True, exist_ok=True)"
    return ""
