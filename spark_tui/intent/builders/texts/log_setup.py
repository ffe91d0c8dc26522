"""How a module logs: the name of its logger, and how long its functions take."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.intent.building.building import Built, build_at, builder, call, from_entry
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.syntax.walking import find_nodes

_PRINTED = re.compile(r"(?<!\w)print(?:s|ed)?(?!\w)|打印", re.IGNORECASE)


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
