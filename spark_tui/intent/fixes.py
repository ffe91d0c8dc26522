"""Calls that fix an error which was seen: in an instruction, or in a problem that a check reported."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.intent import (
    call_fixes,
    exception_fixes,
    linter_fixes,
    name_fixes,
    none_fixes,
    return_fixes,
    value_fixes,
)
from spark_tui.intent.areas import implied, paths_named
from spark_tui.intent.building import Built, builder
from spark_tui.intent.context import Context
from spark_tui.intent.repairs import repaired
from spark_tui.intent.seen_error import Fix, Seen, classified
from spark_tui.intent.situation import Area, Unresolved

_FRAME = re.compile(r'File "([^"]+)", line (\d+)(?:, in ([\w<>.]+))?')
_NAMED = re.compile(r"(\w+(?:Error|Exception|Interrupt|Warning|Iteration))\b(?:: *([^\n]*))?")

FIXES: dict[str, tuple[Fix, ...]] = {
    "undefined_name": (name_fixes.undefined_name,),
    "no_import_name": (name_fixes.no_import_name,),
    "no_module": (name_fixes.no_module, name_fixes.undefined_name),
    "no_attribute": (name_fixes.attribute_error, value_fixes.missing_prefix),
    "unknown_keyword": (call_fixes.unknown_keyword,),
    "missing_argument": (call_fixes.missing_argument,),
    "surplus_argument": (call_fixes.surplus_argument,),
    "not_awaited": (value_fixes.missing_await,),
    "none_value": (none_fixes.none_value,),
    "text_and_number": (call_fixes.joined_text,),
    "unused_import": (linter_fixes.unused_import,),
    "mutable_default": (linter_fixes.mutable_default,),
    "unclosed_file": (linter_fixes.unclosed_file,),
    "missing_return": (return_fixes.missing_return,),
    "missing_prefix": (value_fixes.missing_prefix,),
    "index": (value_fixes.index_error,),
    "key": (value_fixes.key_error,),
    "zero_division": (value_fixes.zero_division,),
    "assertion": (value_fixes.missing_prefix, return_fixes.missing_return, value_fixes.missing_await),
}
"""What may fix an error of a kind; the kinds are those of `error_patterns.toml`."""
_SAYS_LITTLE = ("", "assertion", "index", "key")
"""Kinds of errors that a result which is not returned may lead to elsewhere."""
UNNAMED: tuple[Fix, ...] = (
    name_fixes.undefined_name,
    value_fixes.missing_await,
    value_fixes.missing_prefix,
    value_fixes.index_error,
    value_fixes.one_too_few,
)
"""What is tried where the kind of the error is not known or nothing fixes it."""


def fixes_of(at: Seen) -> list[Built]:
    """The fixes of a problem whose place is known, the likeliest first."""
    made = [built for fix in FIXES.get(at.kind, ()) for built in fix(at)]
    made += exception_fixes.wrong_exception(at)
    if not made and at.kind in _SAYS_LITTLE:
        made += return_fixes.dropped_values(at)
    return sorted(made, key=lambda one: -one.weight)


def seen(context: Context) -> Iterator[Seen]:
    """The error that an instruction tells of, in each place in which it may be."""
    said = context.situation.instruction
    named = " ".join(context.text(slot) for slot in ("exception",) if context.has(slot))
    text = said if len(said) >= len(named) else named
    errors = _NAMED.findall(text) or _NAMED.findall(named)
    name, message = errors[-1] if errors else ("", text)
    kind, groups = classified(f"{name}: {message}" if message else name or text)
    line = 0
    areas = context.areas
    for path, number, _ in reversed(_FRAME.findall(text)):
        homes = paths_named(context.repo, path) or paths_named(context.repo, path.rpartition("/")[2])
        if homes:
            line, areas = int(number), [Area(homes[0][0])]
            break
    for area in areas or implied(context.situation):
        if area.path in context.repo.index.paths:
            source = context.source(area.path)
            root = area.node or source.tree
            if root is not None:
                yield Seen(context, kind, message or text, line, area, source, root, groups)


@builder("fix_error")
def fix_error(context: Context) -> Iterator[Built]:
    made: list[Built] = []
    for path in [context.situation.path, *(area.path for area in context.areas)]:
        if path in context.repo.index.modules.paths:
            made += list(repaired(context, path))
    for one in [] if made else seen(context):
        for fix in FIXES.get(one.kind, ()):
            made += list(fix(one))
        if not made:
            for fix in UNNAMED:
                made += list(fix(one))
    if not made:
        raise Unresolved("the error was not found in the code")
    whole = sum(one.weight for one in made)
    best = max(one.weight for one in made)
    yield from (replace(one, weight=one.weight * min(1.0, best / whole * 1.2)) for one in made)
