"""The logger of a file, and a log call or a print in the place of an error that is raised: *log a warning
instead of raising*."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from spark_tui.codemods.registry import Operation
from spark_tui.intent.building.building import Built, build_at, call, filled, place
from spark_tui.intent.building.shown_code import logged_as_exception
from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.facts.literal_types import is_string
from spark_tui.intent.values.anchor_details import log_method, logger_named
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import LOG_MADE_UP, Doubt, assumed, places_fit
from spark_tui.pysource.inference.known_types import LOG_LEVELS
from spark_tui.pysource.names.type_hints import called, last_name
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.walking import LOOPS, find_nodes

_GOES_ON = 0.9
"""How likely the function goes on behind the log call, beside that it is left as it was before."""


def logged_raises(context: Context) -> Iterator[Built]:
    """Where the words say that something is not raised, but logged: the raise that is meant, with its message
    in the log. The function is left there as before, or goes on: both are given."""
    text = context.situation.instruction.lower()
    spots = _spots(context) if _denied().search(text) else []
    for anchor, node in spots[: context.most_places]:
        source = context.source(anchor.path)
        inside = source.function_of(node)
        message, level = (filled(context, f"{{{slot}:{slot}}}", anchor) for slot in ("message", "level"))
        shown, doubts = (message[0].text, ()) if message else _message(source, node, inside)
        logger, extra = logger_of(context, anchor.path)
        if (name := logger_named(context)).partition(".")[0] in context.visible(anchor.path, node).bound:
            logger, extra = name, ()
        if phrases.any_stands_in(("print", "prints", "printing"), text):
            code, extra = f"print({shown})", ()
        else:
            method = level[0].text if level else log_method(context)[1]
            code = f"{logger}.{method or 'error'}({shown})"
            doubts = doubts if method else (*doubts, assumed("the level of the log was not given"))
        if len(spots) > 1:
            doubts = (*doubts, places_fit(len(spots)))
        leaving = _leaving(source, node, inside)
        ways = {f"{code}\n{leaving}".strip(): 1.0}
        if not phrases.any_stands_in(leaving.split()[:1], text):
            ways.setdefault(code, _GOES_ON)
        for lines, share in ways.items():
            made = call("replace_statements", place=place(context, anchor), code=lines)
            yield Built((made, *extra), share * anchor.weight / len(spots), (*anchor.doubts, *doubts))


@lru_cache(maxsize=1)
def _denied() -> re.Pattern[str]:
    """`instead of raising`, `instead of the ValueError`, `don't raise`."""
    kinds = (phrases.words(kind) for kind in ("exchanged", "undone", "throwing"))
    exchanged, undone, throwing = ("|".join(map(re.escape, words)) for words in kinds)
    error = r"\w*(?:error|exception|fehler|erreur)"
    front, behind = r"(?<!\w)(?:", r")\s*(?:\w+\s+){0,2}?(?:"
    exchange = rf"{front}{exchanged}{behind}{throwing}|{error})(?!\w)"
    return re.compile(rf"{exchange}|{front}{undone}{behind}{throwing})(?!\w)")


def _spots(context: Context) -> list[tuple[Anchor, ast.Raise]]:
    """The errors that are raised in what is named, or only those whose class is named."""
    out: list[tuple[Anchor, ast.Raise]] = []
    for area, _, root in context.trees():
        raised = [node for node in find_nodes(root, ast.Raise) if node.exc is not None]
        out += [(Anchor(area, node, weight=area.weight), node) for node in raised]
        if out:
            break
    words = set(re.findall(r"\w+", context.situation.instruction))
    named = [item for item in out if item[1].exc is not None and last_name(called(item[1].exc)) in words]
    return named or out


def _message(source: Source, node: ast.Raise, inside: Function | None) -> tuple[str, tuple[Doubt, ...]]:
    """What an error says; words that are made up where it says nothing."""
    given = node.exc.args if isinstance(node.exc, ast.Call) else []
    if given and is_string(given[0]):
        return source.segment(given[0]), ()
    name = inside.name.strip("_").replace("_", " ") if inside is not None else "this"
    return f'"{name} failed"', (LOG_MADE_UP,)


def _leaving(source: Source, node: ast.stmt, inside: Function | None) -> str:
    """How the code behind an error is left out as before; nothing where there is none."""
    follows = False
    for outer in (node, *source.ancestors(node)):
        if isinstance(outer, LOOPS):
            return "continue" if follows else ""
        if outer is inside:
            break
        follows = follows or (isinstance(outer, ast.stmt) and source.suite(outer)[-1] is not outer)
    if inside is None or not follows:
        return ""
    value = any(one.value is not None for one in find_nodes(inside, ast.Return))
    return "return None" if value else "return"


def logger_of(context: Context, path: str) -> tuple[str, tuple[Operation, ...]]:
    """The name by which a file logs, and calls that make it."""
    bound = context.repo.index.scopes(path).module.bound
    for name in ("logger", "log", "_logger", "_log", "LOG", "LOGGER"):
        if name in bound:
            return name, ()
    if "logging" in bound:
        return "logging", ()
    return "logging", (call("add_import", path=path, module="logging"),)


def log_methods(node: ast.AST) -> list[ast.Attribute]:
    """The methods of loggers that are called in some code."""
    called = (one.func for one in find_nodes(node, ast.Call))
    return [one for one in called if isinstance(one, ast.Attribute) and one.attr in LOG_LEVELS]


def with_traceback(context: Context, anchor: Anchor, logged: Sequence[ast.Attribute]) -> Iterator[Built]:
    """The one log call of a handler, which is to write the traceback too."""
    words = [*phrases.table()["levels"]["exception"][1:], "exc_info"]
    instruction = context.situation.instruction.lower()
    said = ".exception" in instruction or phrases.any_stands_in(words, instruction)
    source = context.source(anchor.path)
    made = source.parents.get(logged[0])
    if said and len(logged) == 1 and logged[0].attr != "exception" and isinstance(made, ast.Call):
        new = logged_as_exception(source, made)
        spot = f"{anchor.path}:{made.lineno}"
        yield build_at(anchor, call("replace_expression", place=spot, old=source.segment(made), new=new))
