"""Calls that fix an error which was seen: in an instruction, or in a problem that a check reported."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.intent.builders.definitions.reshaped_functions import called_property
from spark_tui.intent.building.building import Built, builder, of_table
from spark_tui.intent.context.anchors import anchors
from spark_tui.intent.context.areas import find_implied_areas, paths_named
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Area, Unresolved
from spark_tui.intent.fixes import calls, exceptions, linters, names, none_values, off_by_one, returns, values
from spark_tui.intent.fixes.seen_error import Fix, SeenError, classify_error
from spark_tui.intent.fixes.syntax import repair_syntax
from spark_tui.intent.fixes.unpacking import split_once
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.walking import walk

_FRAME = re.compile(r'File "([^"]+)", line (\d+)(?:, in [\w<>.]+)?|([\w./-]+\.py):(\d+)(?!\d)')
_NAMED = re.compile(r"(\w+(?:Error|Exception|Interrupt|Warning|Iteration))\b(?:: *([^\n]*))?")

FIXES: dict[str, tuple[Fix, ...]] = {
    "undefined_name": (names.undefined_name,),
    "no_import_name": (names.no_import_name,),
    "no_module": (names.no_module, names.undefined_name),
    "no_attribute": (names.attribute_error, values.missing_prefix),
    "unknown_keyword": (calls.unknown_keyword,),
    "missing_argument": (calls.missing_argument,),
    "surplus_argument": (calls.surplus_argument,),
    "not_awaited": (values.missing_await,),
    "none_value": (none_values.none_value,),
    "text_and_number": (calls.joined_text,),
    "unused_import": (linters.unused_import,),
    "mutable_default": (linters.mutable_default,),
    "untyped_result": (linters.untyped_result,),
    "unclosed_file": (linters.unclosed_file,),
    "missing_return": (returns.missing_return,),
    "missing_prefix": (values.missing_prefix,),
    "index": (off_by_one.past_the_end, values.index_error),
    "mixed_returns": (returns.last_none,),
    "key": (values.key_error,),
    "zero_division": (values.zero_division,),
    "unpacking": (split_once,),
    "changed_size": (off_by_one.loop_over_changed,),
    "assertion": (values.missing_prefix, returns.missing_return, values.missing_await),
}
"""What may fix an error of a kind; the kinds are those of `error_patterns.toml`."""
_SAYS_LITTLE = ("", "assertion", "index", "key")
"""Kinds of errors that a result which is not returned may lead to elsewhere."""
UNNAMED: tuple[Fix, ...] = (
    names.undefined_name,
    values.missing_await,
    values.missing_prefix,
    values.index_error,
    off_by_one.off_by_one,
    split_once,
)
"""What is tried where the kind of the error is not known or nothing fixes it."""


def fixes_of(at: SeenError, code: str) -> list[Built]:
    """The fixes of a problem whose place is known, the likeliest first. `code` is the rule of a linter."""
    made = [*linters.by_rule(at, code), *(built for fix in FIXES.get(at.kind, ()) for built in fix(at))]
    made += exceptions.wrong_exception(at)
    # A rule of a linter speaks of its own line only.
    if not made and not code and at.kind in _SAYS_LITTLE:
        made += returns.dropped_values(at)
    return sorted(made, key=lambda item: -item.weight)


def find_seen_errors(context: Context) -> Iterator[SeenError]:
    """The error that an instruction tells of, in each place in which it may be."""
    instruction = context.situation.instruction
    named = " ".join(context.text(slot) for slot in ("exception",) if context.has(slot))
    text = instruction if len(instruction) >= len(named) else named
    errors = _NAMED.findall(text) or _NAMED.findall(named)
    name, message = errors[-1] if errors else ("", text)
    kind, groups = classify_error(f"{name}: {message}" if message else name or text)
    line = 0
    areas = context.areas
    for framed, at, linted, row in reversed(_FRAME.findall(text)):
        path, number = framed or linted, at or row
        homes = paths_named(context.repo, path) or paths_named(context.repo, path.rpartition("/")[2])
        if homes:
            line, areas = int(number), [Area(homes[0][0])]
            break
    for area in areas or find_implied_areas(context.situation):
        if area.path in context.repo.index.paths:
            source = context.source(area.path)
            root = area.node or source.tree
            if line and area.node is None:
                root = _function_at(source, line) or root
            if root is not None:
                yield SeenError(context, kind, message or text, line, area, source, root, groups)


def _function_at(source: Source, line: int) -> Function | None:
    """The innermost function that holds a line."""
    held = (one for one in reversed(source.functions) if one.lineno <= line <= source.last_line(one))
    return next(held, None)


_OTHER_KIND = re.compile(
    r"stati|est[aá]ti|静态|类方法|class[ _-]?meth|klassenmeth|m[eé]th?odo?e? de clas"
    r"|need|\bus(?:e|ed|es|ing)\b|brauch|benutz|besoin|utilis|necesit|\busa|需要|使用",
    re.IGNORECASE,
)
"""Words for methods without an object, or for what a method needs, in all languages."""


@builder("make_static")
def make_static(context: Context) -> Iterator[Built]:
    yield from called_property(context) or _lacking_self(context) or of_table(context, "make_static")


@builder("make_class_method")
def make_class_method(context: Context) -> Iterator[Built]:
    yield from called_property(context) or _lacking_self(context) or of_table(context, "make_class_method")


def _lacking_self(context: Context) -> list[Built]:
    """A method that gets the `self` that is named, if it needs that or no other kind of method is named."""
    text = context.situation.instruction
    if not re.search(r"(?<!\w)self(?!\w)", text):
        return []
    other = _OTHER_KIND.search(text)
    return [
        built
        for anchor in anchors(context, "function")
        if isinstance(anchor.node, Function) and (not other or _needs_self(anchor.node))
        for at in find_seen_errors(context)
        for built in names.add_self(at.within(anchor.path, anchor.node), anchor.node, anchor.weight)
    ][:1]


def _needs_self(function: Function) -> bool:
    """Whether a function uses `self` or the class above it, or is called by Python with an object."""
    special = function.name.startswith("__") and function.name.endswith("__")
    used = any(isinstance(node, ast.Name) and node.id in ("self", "super") for node in walk(function))
    return (special or used) and not function.decorator_list


@builder("fix_error")
def fix_error(context: Context) -> Iterator[Built]:
    made: list[Built] = []
    for path in [context.situation.path, *(area.path for area in context.areas)]:
        if path in context.repo.index.modules.paths:
            made += list(repair_syntax(context, path))
    for item in [] if made else find_seen_errors(context):
        for fix in FIXES.get(item.kind, ()):
            made += list(fix(item))
        one_off = off_by_one.tells_one_off(context.situation.instruction, counts=False)
        made = made or (list(off_by_one.off_by_one(item)) if one_off else [])
        if not made:
            for fix in UNNAMED:
                made += list(fix(item))
    if not made:
        raise Unresolved("the error was not found in the code")
    whole = sum(built.weight for built in made)
    best = max(built.weight for built in made)
    yield from (replace(built, weight=built.weight * min(1.0, best / whole * 1.2)) for built in made)
