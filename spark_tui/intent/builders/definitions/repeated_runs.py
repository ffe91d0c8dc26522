"""Statements that stand in several functions, as one function that all of them call."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.codemods.plan import Plan
from spark_tui.intent.building.building import Built, builder, call, filled, of_table
from spark_tui.intent.building.rewritten import list_suites
from spark_tui.intent.building.shared_lines import line_range
from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.areas import files_shown, paths_named
from spark_tui.intent.context.described_names import content_words
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Area, Option, Unresolved
from spark_tui.intent.values.likely.incomplete_readings import range_named
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed, made_up
from spark_tui.intent.words.readings import CODE, Span
from spark_tui.pysource.names.type_hints import names_set
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.walking import names_in

_LEAST, _MOST = 2, 12
"""How many statements in a row are looked for again."""


@builder("extract_function")
def extract_function(context: Context) -> Iterator[Built]:
    """What is shown or described; else, or where the words say that it is there more than once, what is."""
    text = context.situation.instruction.lower()
    repeated = list(_repeated(context)) if phrases.any_stands_in(phrases.words("repeated"), text) else []
    if repeated:
        yield from repeated
        return
    if lines := range_named(context.situation.instruction):
        yield from _of_lines(context, *lines)
        return
    if context.has("name"):
        yield from of_table(context, "extract_function")
        return
    called = "_".join(content_words(context.text("code")))
    if not called.isidentifier():
        raise Unresolved("it is not said what the new function is to be called")
    slots = {**context.reading.slots, "name": (Span(CODE, CODE, called, True),)}
    named = Context(replace(context.reading, slots=slots), context.situation, context.names)
    doubt = assumed(f"{called} was assumed to be the name")
    for built in of_table(named, "extract_function"):
        yield replace(built, doubts=(*built.doubts, doubt))


def _of_lines(context: Context, first: int, last: int) -> Iterator[Built]:
    """What stands in some lines of the file that is named, or the open one, by a name that is said or made of
    what they do."""
    shown = files_shown(context.situation.instruction)
    named = {path for word in shown for path, _ in paths_named(context.repo, word)}
    places = named or {area.path for area in context.areas}
    path = places.pop() if len(places) == 1 else context.situation.path
    source = context.source(path) if path in context.repo.index.paths else None
    inside = [one for one in source.statements if first <= one.lineno <= last] if source else []
    if not inside:
        raise Unresolved(f"there is no statement in lines {first} to {last}")
    options = filled(context, "{name:name}", Anchor(Area(path))) if context.has("name") else None
    for option in options or [Option(_name_for(inside), 1.0, (made_up("the name was made up"),))]:
        if not options and option.text in context.repo.index.scopes(path).module.bound:
            option = replace(option, text=f"{option.text}_part")
        made = call("extract_function", place=line_range(path, first, last), name=option.text)
        yield Built((made,), option.weight, option.doubts)


def _name_for(rows: list[ast.stmt]) -> str:
    """A name for what statements do, by what the last of them changes: *get_total*, *update_total*."""
    for row in reversed(rows):
        verb = "get" if isinstance(row, ast.Assign | ast.AnnAssign) else "update"
        if names := sorted(names_set(row)):
            return f"{verb}_{names[0]}"
    return "extracted_lines"


def _repeated(context: Context) -> Iterator[Built]:
    """The longest run of statements that stands in several functions of the open file."""
    path = context.situation.path
    if path not in context.repo.index.paths or not context.has("name"):
        return
    source = context.source(path)
    suites = [
        (function, rows)
        for function in source.functions
        for rows in list_suites(function)
        if source.function_of(rows[0]) is function
    ]
    for length in range(_MOST, _LEAST - 1, -1):
        runs: dict[str, dict[Function, list[ast.stmt]]] = {}
        for function, rows in suites:
            for at in range(len(rows) - length + 1):
                run = rows[at : at + length]
                runs.setdefault("\n".join(map(ast.dump, run)), {}).setdefault(function, run)
        groups = [list(found.values()) for found in runs.values() if len(found) > 1]
        made = [built for group in groups for built in _extracted(context, source, group)]
        if made:
            yield from made if len(made) == 1 else ()
            return


def _extracted(context: Context, source: Source, runs: list[list[ast.stmt]]) -> Iterator[Built]:
    """The new function of the last run, and its call in the place of the others, whose lines stay where they
    are until then."""
    runs.sort(key=lambda run: -run[0].lineno)
    lines = [(source.first_line(run[0]), source.last_line(run[-1])) for run in runs]
    places = [line_range(source.path, first + 1, last) for first, last in lines]
    for option in filled(context, "{name:name}", Anchor(Area(source.path))) or ():
        made = call("extract_function", place=places[0], name=option.text)
        plan = made.plan(context.repo)
        if not isinstance(plan, Plan):
            continue
        line = (plan.texts(context.repo)[source.path] or "").splitlines()[lines[0][0]].strip()
        kept = names_set(*ast.parse(line).body) if f"{option.text}(" in line else set()
        if any(_left(source, run) - kept for run in runs[1:]):
            continue
        others = [call("replace_statements", place=one, code=line) for one in places[1:]]
        doubt = assumed(f"the {len(runs)} places with the same lines were assumed to be meant")
        yield Built((made, *others), 0.9 * option.weight, (doubt,))


def _left(source: Source, run: list[ast.stmt]) -> set[str]:
    """The names that a run sets and the statements behind it read."""
    rows = source.suite(run[0])
    behind = rows[rows.index(run[-1]) + 1 :]
    return names_set(*run) & {name for stmt in behind for name in names_in(stmt)}
