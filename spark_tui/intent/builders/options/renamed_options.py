"""An option of a command line gets another name, with the attribute in which its value is kept."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.codemods.families.names.words import language_of
from spark_tui.intent.builders.options.changed_options import destination, options_named, uses_of
from spark_tui.intent.builders.options.numbered_names import renamed_assignments
from spark_tui.intent.builders.statements.other_languages import renamed_words
from spark_tui.intent.building.already_done import refuse_renamed_there, refuse_turned_rename
from spark_tui.intent.building.building import Built, build_at, builder, call, of_table
from spark_tui.intent.building.named_symbols import symbols
from spark_tui.intent.building.rewritten import replace_code
from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.lookup import plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.names.names_from_code import names_for
from spark_tui.intent.values.converters.of_slots import literal
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import drafted

_OPTION = re.compile(r"--?[A-Za-z][\w-]*")


@builder("rename")
def rename(context: Context) -> Iterator[Built]:
    """A symbol, or an option where one is named with its dashes."""
    old, new = (context.text(slot).strip("`'\"") for slot in ("symbol", "new"))
    if not _OPTION.fullmatch(old):
        refuse_turned_rename(context)
        refuse_renamed_there(context)
        told, span = ("no_names", "pronouns"), context.span("new")
        quoted = span is not None and span.quoted
        said = new and (quoted or not any(phrases.is_said(kind, new) for kind in told))
        if said and (split := list(renamed_assignments(context))):
            yield from split
            return
        if not said:
            yield from _told_by_code(context)
            return
        of_python = not language_of(context.situation.path) and is_called(context, plain_name(old))
        made = [] if of_python else renamed_words(context)
        yield from made or of_table(context, "rename")
        return
    if not _OPTION.fullmatch(new):
        new = old[: len(old) - len(old.lstrip("-"))] + new
    slots = {**context.reading.slots, "name": context.reading.slots["symbol"]}
    asked = Context(replace(context.reading, slots=slots), context.situation, context.names)
    found = list(options_named(asked))
    for area, source, node in found:
        option = next((arg for arg in node.args if isinstance(arg, ast.Constant) and arg.value == old), None)
        if option is None:
            raise Unresolved(f"there is no option {old}")
        changed = ast.parse(source.segment(node).strip(), mode="eval").body
        for arg in changed.args if isinstance(changed, ast.Call) else ():
            if isinstance(arg, ast.Constant) and arg.value == old:
                arg.value = new
        before, after = destination(node), destination(changed) if isinstance(changed, ast.Call) else ""
        spots: list[tuple[ast.expr, str]] = [(option, literal(new, source))]
        spots += [
            (use, f"{ast.unparse(use.value)}.{after}") for use in uses_of(source, node) if before != after
        ]
        calls = [replace_code(context, Anchor(area, spot), text) for spot, text in spots]
        looked_up = before != after and re.search(r"\bvars\(|\.__dict__\b|getattr\(", source.text)
        doubts = ("options are looked up by name there",) if looked_up else ()
        yield Built(tuple(calls), 0.95 * area.weight / len(found), (*area.doubts, *doubts))


def is_called(context: Context, name: str) -> bool:
    """Whether something in Python is called exactly so."""
    return any(name in (one.target.name, one.target.qualname) for one in context.names.find(name))


def _told_by_code(context: Context) -> Iterator[Built]:
    """A variable that is to have a better name gets the one that the code gives its values."""
    count = 0
    for anchor in symbols(context, "symbol"):
        source, old = context.source(anchor.path), anchor.words["like"]
        owner = anchor.words["symbol"].partition("::")[2].rpartition(".")[0]
        root = next((one for one in source.functions if source.qualname(one) == owner), None)
        names = names_for(root, old, source.tree) if root is not None and source.tree is not None else []
        for at, name in enumerate(names):
            count += 1
            made = call("rename", target=anchor.words["symbol"], new=name)
            yield build_at(anchor, made, weight=0.5**at, doubts=(drafted("the name was made from the code"),))
    if not count:
        raise Unresolved("the instruction does not say what it becomes")
