"""Returns in the place of prints: *return the revenue instead of printing it*."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.intent.builders.statements.logged_raises import logged_raises
from spark_tui.intent.building.building import Built, build_at, builder, call, calls_table, from_table, place
from spark_tui.intent.building.patterns import shown_with_holes
from spark_tui.intent.context.anchors import Anchor, functions_meant
from spark_tui.intent.context.lookup import split_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.words import phrases
from spark_tui.pysource.inference.known_types import LOG_LEVELS
from spark_tui.pysource.source import Function

_NOT_PRINTED = re.compile(
    r"(?:instead of|rather than|not|don't|no longer|(?:an)?statt|au lieu d'|plutôt que d'|en vez de"
    r"|en lugar de)\s*(?:it (?:is|gets) )?(?:print|zu drucken|auszugeben|afficher|imprim)|(?:而)?不是打印",
    re.IGNORECASE,
)

_CALL = re.compile(rf"print|[\w.]+\.(?:{'|'.join(LOG_LEVELS)})")


@builder("replace_statement")
def replace_statement(context: Context) -> Iterator[Built]:
    said = re.match(r"return\w*\b|返回", context.text("code").strip("`"))
    returned = list(returned_prints(context, context.text("code")[said.end() :])) if said else []
    made = returned or _logged(context) or list(shown_with_holes(context, "code"))
    yield from made or from_table(context, calls_table()["replace_statement"])


def _logged(context: Context) -> list[Built]:
    """A print or a log call, whose name alone is given, in the place of an error."""
    if _CALL.fullmatch(context.text("code").strip("`")) is None:
        return []
    slots = {name: spans for name, spans in context.reading.slots.items() if name not in ("code", "old")}
    reading = replace(context.reading, slots=slots)
    return list(logged_raises(Context(reading, context.situation, context.names)))


def returned_prints(context: Context, result: str) -> Iterator[Built]:
    """The last statement of a function that prints, where it is to return what it prints."""
    if not _NOT_PRINTED.search(context.situation.instruction):
        return
    wanted = phrases.without_articles(result.strip(" `"))
    every: list[tuple[Anchor, ast.expr]] = []
    for anchor in functions_meant(context):
        last = anchor.node.body[-1] if isinstance(anchor.node, Function) else None
        if isinstance(last, ast.Expr):
            every += [(replace(anchor, node=last), value) for value in _printed(last, wanted)]
    for anchor, value in every if len(every) == 1 else ():
        code = f"return {context.source(anchor.path).segment(value)}"
        yield build_at(anchor, call("replace_statements", place=place(context, anchor), code=code))


def _printed(node: ast.Expr, wanted: str) -> list[ast.expr]:
    """What a statement prints that is meant by some words: all of it, or one of several arguments."""
    made = node.value
    if not isinstance(made, ast.Call) or ast.unparse(made.func) != "print" or made.keywords:
        return []
    if not wanted or phrases.is_said("pronouns", wanted):
        return made.args if len(made.args) == 1 else []
    exact = [one for one in made.args if ast.unparse(one) == wanted]
    words = [word for name in re.findall(r"\w+", wanted) for word in split_name(name)]
    near = [
        one
        for one in made.args
        if not isinstance(one, ast.Constant)
        and {*words} <= {word for name in re.findall(r"\w+", ast.unparse(one)) for word in split_name(name)}
    ]
    return exact or near
