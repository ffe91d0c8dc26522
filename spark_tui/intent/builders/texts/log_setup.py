"""How a module logs: the name of its logger, how long its functions take, calls of it in place of prints, and
values that are handed to it in place of a text that is put together first."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.intent.builders.statements.logged_raises import log_methods, logger_of
from spark_tui.intent.building.building import (
    Built,
    build_at,
    builder,
    call,
    filled,
    found,
    from_entry,
    place,
    word,
)
from spark_tui.intent.building.rewritten import Rewritten, build_together, replace_within
from spark_tui.intent.context.anchors import Anchor, nodes
from spark_tui.intent.context.lookup import split_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Area, Option, Unresolved
from spark_tui.intent.finders.blocks import is_log, is_print
from spark_tui.intent.texts.text_parts import TextField, as_field, quote_text, split_text, write_value
from spark_tui.intent.values.anchor_details import logger_named
from spark_tui.intent.values.converters.of_slots import quote_of
from spark_tui.intent.words import phrases
from spark_tui.intent.words.tokens import tokenize
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import find_nodes

_PRINTED = re.compile(r"(?<!\w)print(?:s|ed)?(?!\w)|打印", re.IGNORECASE)
_STEM = 5
_SPEC = re.compile(r"(?P<side>[<>])?(?P<width>0?\d+)?(?P<rest>\.\d+)?(?P<kind>[sdfxXeEgG])?")


@builder("name_logger")
def name_logger(context: Context) -> Iterator[Built]:
    done = False
    count = 0
    for area, _, root in context.trees():
        makers = [one for one in find_nodes(root, ast.Call) if last_name(one.func) == "getLogger"]
        for one in makers:
            given = [*one.args, *(keyword.value for keyword in one.keywords)]
            if [*map(ast.unparse, given)] == ["__name__"]:
                done = True
                continue
            new = f"{ast.unparse(one.func)}(__name__)"
            place = f"{area.path}:{one.lineno}"
            made = call("replace_expression", place=place, old=ast.unparse(one), new=new)
            count += 1
            yield build_at(area, made, weight=1.0 / len(makers), doubts=_doubts(context, area.path, given))
    if not count:
        reason = "the logger is named by __name__ already" if done else "no logger is made there"
        raise Unresolved(reason, nothing=done)


def _doubts(context: Context, path: str, given: list[ast.expr]) -> Iterator[str]:
    """What relied on the name that the logger had."""
    name = given[0].value if given and isinstance(given[0], ast.Constant) else None
    if not given:
        yield "it was the logger of all modules, which may have been set up here"
    elif not isinstance(name, str):
        yield f"its name was {ast.unparse(given[0])}"
    else:
        others = [one for one in context.repo.index.all_paths if one != path and _names(context, one, name)]
        if others:
            yield f"{others[0]} names {name!r} too"


def _names(context: Context, path: str, name: str) -> bool:
    text = context.repo.index.text(path) or ""
    return (
        name in text
        and re.search(rf"[\"']{re.escape(name)}[\"']|logger_{re.escape(name)}\b", text) is not None
    )


@builder("log_duration")
def log_duration(context: Context) -> Iterator[Built]:
    printed = bool(_PRINTED.search(context.situation.instruction))
    entry = {"find": "function", "op": "log_duration", "target": "{function}", "level": "{level:level}"}
    yield from from_entry(context, {**entry, "printed": "yes" if printed else ""})


@builder("print_to_logging")
def print_to_logging(context: Context) -> Iterator[Built]:
    told = context.beside_slots().lower()
    if "log" not in told and phrases.any_stands_in(phrases.words("give_back"), told):
        raise Unresolved("what is to be returned is not logged")
    if "logger" in told and not _PRINTED.search(told) and (own := list(_own_logger(context))):
        yield from own
        return
    for anchor in found(context, "printed", "print"):
        named, sure = ([], False) if context.reading.everywhere else _named(context, anchor)
        level = (filled(context, "{level:level}", anchor) or [Option("")])[0].text
        spots = [(place(context, replace(anchor, node=item)), 1.0 / len(named)) for item in named]
        if not sure:
            spots.append((word(context, "in", anchor), 0.3 if named else 1.0))
        for where, share in spots:
            made = call("print_to_logging", place=where, level=level, logger=logger_named(context))
            yield build_at(anchor, made, weight=share)


def _own_logger(context: Context) -> Iterator[Built]:
    """A logger of the file in the place of the functions of `logging`, where it has none."""
    area = context.areas[0] if context.areas else Area(context.situation.path)
    source = context.source(area.path)
    attributes = [one for stmt in source.body for one in log_methods(stmt)]
    used = dict.fromkeys(one.attr for one in attributes if ast.unparse(one.value) == "logging")
    imports = [one for one in source.body if isinstance(one, ast.Import | ast.ImportFrom)]
    if not used or not imports or logger_of(context, area.path)[0] != "logging":
        return
    text = f"{source.segment(imports[-1])}\n\nlogger = logging.getLogger(__name__)"
    made = call("replace_lines", place=place(context, Anchor(area, imports[-1])), text=text)
    within = f"in {area.path}"
    every = [
        call("replace_expression", place=within, old=f"logging.{one}", new=f"logger.{one}", every=True)
        for one in used
    ]
    yield Built((made, *every), 0.9)


def _named(context: Context, anchor: Anchor) -> tuple[list[ast.Call], bool]:
    """The prints whose text the instruction quotes, which is sure, or the one with which it shares the most
    words; none where all may be meant."""
    source = context.source(anchor.path)
    every = [node for node in nodes(anchor.node or source.tree, ast.Call) if is_print(node)]
    if len(every) < 2:
        return [], False
    instruction = context.situation.instruction
    quoted = [instruction[item.inner_start : item.inner_end].strip() for item in tokenize(instruction).quoted]
    shown = [" ".join(_texts(node)) for node in every]
    by_text = [
        one
        for one, text in zip(every, shown, strict=True)
        if any((len(q) > 2 and q in text) or q == source.segment(one) for q in quoted)
    ]
    if by_text:
        return by_text, True
    if phrases.mentions("several", instruction):
        return [], False
    spoken = {item[:_STEM] for item in split_name(context.beside_slots()) if len(item) > 3}
    counts = [len({item[:_STEM] for item in split_name(text) if len(item) > 3} & spoken) for text in shown]
    best = [one for one, count in zip(every, counts, strict=True) if count == max(counts)]
    return (best, False) if max(counts) and len(best) == 1 else ([], False)


def _texts(node: ast.AST) -> Iterator[str]:
    return (inner.value for inner in find_nodes(node, ast.Constant) if isinstance(inner.value, str))


@builder("lazy_logging")
def lazy_logging(context: Context) -> Iterator[Built]:
    wanted = phrases.level(context.text("level")) if context.has("level") else None
    found: list[Rewritten] = []
    calls = 0
    for area, source, node in context.find(ast.Call):
        if not is_log(node):
            continue
        calls += 1
        assert isinstance(node.func, ast.Attribute)
        level = "warning" if node.func.attr == "warn" else node.func.attr
        if wanted in (None, level) and (new := _lazy(source, node)):
            found.append(Rewritten(area, node, new))
    if calls and not found:
        raise Unresolved("the values are already arguments of the log calls", nothing=True)
    yield from build_together(context, found, "log call whose text is put together")


def _lazy(source: Source, node: ast.Call) -> str:
    """The log call with its values as arguments; empty where its text has none, or it has some already."""
    parts = split_text(source, node.args[0]) if len(node.args) == 1 else None
    if parts is None or not any(isinstance(part, TextField) for part in parts):
        return ""
    text = ""
    values: list[str] = []
    for item in parts:
        if isinstance(item, str):
            text += item.replace("%", "%%")
            continue
        sign = _sign(item)
        text += sign or "%s"
        values.append(write_value(source, item.value) if sign else f'f"{as_field(source, item)}"')
    given = ", ".join([quote_text(text, quote_of(source)), *values])
    return replace_within(source, node, node.args[0], given)


def _sign(filled: TextField) -> str:
    """The placeholder of a value; empty where `%` has no such format."""
    if filled.conversion:
        return f"%{filled.conversion}" if not filled.spec and filled.conversion in "ra" else ""
    found = _SPEC.fullmatch(filled.spec)
    if found is None:
        return ""
    side, width, kind = found["side"] or "", found["width"] or "", found["kind"] or ""
    if width and not side and kind in ("", "s"):
        side = "<"  # a text is put to the left
    if found["rest"] and not kind:
        return ""
    return f"%{'-' if side == '<' else ''}{width}{found['rest'] or ''}{kind or 's'}"
