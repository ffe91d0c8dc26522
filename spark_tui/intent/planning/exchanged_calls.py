"""Calls of another function in the place of one: whether it takes what is given, whether it is awaited, and
whether what it gives is used."""

from __future__ import annotations

import ast
import builtins
import inspect
import sys
from collections.abc import Iterator

from spark_tui.intent.context.anchors import in_one_form, parsed
from spark_tui.intent.facts.expression_types import expression_type
from spark_tui.intent.planning.certainty import RankedEdit
from spark_tui.intent.values.likely.assigned_values import GIVING
from spark_tui.intent.words.doubts import Doubt, DoubtKind, assumed
from spark_tui.pysource.calls.signatures import standard_function
from spark_tui.pysource.inference.known_types import GIVING_NOTHING, LOG_LEVELS
from spark_tui.pysource.modules import is_python
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import find_nodes

_LOGGED = (*LOG_LEVELS, "log")
_UNLIKE = [
    frozenset(pair.split())
    for pair in (
        *("randint randrange", "execute executescript", "execute executemany", "fetchall fetchmany"),
        *("run check_output", "run check_call", "run call", "run Popen", "load loads", "dump dumps"),
    )
]
"""Functions with nearly the same name, one of which counts, takes or gives otherwise."""
_PLACES = ("function", "class", "file")


def doubts_of_exchanged(found: RankedEdit) -> tuple[str, ...]:
    """What speaks against a function in the place of another one."""
    if found.executed.candidate.reading.intent != "replace_call":
        return ()
    index = found.situation.repo.index
    for one in found.executed.calls:
        old, new, place = getattr(one, "old", ""), getattr(one, "new", ""), getattr(one, "place", None)
        if not old or not new or place is None or place.path not in index.paths:
            continue
        source = index.source(place.path)
        for node in find_nodes(source.tree, ast.Call):
            if place.first and not place.first <= node.lineno <= place.last:
                continue
            is_whole = ast.unparse(node) == in_one_form(old)
            if not is_whole and ast.unparse(node.func) != in_one_form(old):
                continue
            if reason := next(_reasons(source, node, new, is_whole), ""):
                return (assumed(reason),)
    return _uses_left(found)


def _uses_left(found: RankedEdit) -> tuple[Doubt, ...]:
    """That what is called no more is used without a call in the same file, and no place is named."""
    repo, plan, reading = found.situation.repo, found.executed.plan, found.executed.candidate.reading
    old = " ".join(span.text.strip("`") for span in reading.slots.get("old", ()))
    if (
        not old.isidentifier()
        or any(reading.slots.get(place) for place in _PLACES)
        or found.situation.selection
    ):
        return ()
    after = repo.with_changes(plan.texts(repo)).index
    for path in filter(is_python, dict.fromkeys(edit.path for edit in plan.edits)):
        source = after.source(path)
        uses = [node for node in find_nodes(source.tree, ast.Name) if node.id == old]
        called = [node for node in uses if getattr(source.parents.get(node), "func", None) is node]
        if len(called) < len(uses):
            line = next(node.lineno for node in uses if node not in called)
            return (Doubt(f"{old} is still used in line {line}", DoubtKind.UNDONE),)
    return ()


def _reasons(source: Source, node: ast.Call, new: str, is_whole: bool) -> Iterator[str]:
    made = parsed(new)
    called = made.func if isinstance(made, ast.Call) else made
    given = made if isinstance(made, ast.Call) else node
    if not isinstance(called, ast.Name | ast.Attribute):
        return
    name, old = ast.unparse(called), ast.unparse(node.func)
    last, around = last_name(called), source.parents.get(node)
    holder = name.rpartition(".")[0]
    own = any(function.name == last for function in source.functions)
    if own and holder not in sys.stdlib_module_names:
        return
    is_plain = (isinstance(called, ast.Name) and hasattr(builtins, last)) or last.endswith("_nowait")
    is_plain = is_plain or (holder in sys.stdlib_module_names and holder != "asyncio")
    if isinstance(around, ast.Await) and is_plain:
        yield f"{name} is not to be awaited"
    waits = not isinstance(around, ast.Await | ast.Call | ast.Starred | ast.List | ast.Tuple)
    if waits and holder == "asyncio" and inspect.iscoroutinefunction(standard_function(name)):
        yield f"{name} has to be awaited"
    if isinstance(around, ast.Expr) and name in GIVING:
        yield f"what {name} gives is not used"
    if (
        not isinstance(around, ast.Expr)
        and last in GIVING_NOTHING
        and last_name(node.func) not in GIVING_NOTHING
    ):
        yield f"{last} gives nothing"
    if name == "print" and not is_whole and last_name(node.func) not in (*_LOGGED, "print"):
        yield f"print was assumed to write where {old} does"
    if frozenset((last, last_name(node.func))) in _UNLIKE:
        yield f"{last} was assumed to do what {last_name(node.func)} does with the same values"
    inside = source.function_of(node)
    like = ast.Call(func=called, args=given.args, keywords=given.keywords)
    kinds = [expression_type(one, inside, source) for one in (node, like) if inside is not None]
    if all(kinds) and len(set(kinds)) > 1 and set(kinds) != {"int", "float"}:
        yield f"{last} gives {kinds[1]}, not {kinds[0]}"
    if holder and any(ast.unparse(value) == holder for value in given.args):
        yield f"{holder} is given to its own {last}"
    same = isinstance(node.func, ast.Attribute) and ast.unparse(node.func.value) == holder
    if same and holder not in sys.stdlib_module_names and node.keywords and last not in _LOGGED:
        yield f"{last} was assumed to take {node.keywords[0].arg or 'the same'} by name"
    yield from _does_not_take(name, given)


def _does_not_take(name: str, node: ast.Call) -> Iterator[str]:
    """That a builtin, or a function of the standard library, does not take what it is given."""
    function = standard_function(name)
    if not callable(function):
        return
    try:
        taken = inspect.signature(function)
    except (TypeError, ValueError):
        return
    named = {item.arg for item in node.keywords}
    if None in named:
        if not any(one.kind is inspect.Parameter.VAR_KEYWORD for one in taken.parameters.values()):
            yield f"{name} was assumed to take the same values by name"
        return
    if any(isinstance(value, ast.Starred) for value in node.args):
        # How many there are is not known.
        kinds = {one.kind for one in taken.parameters.values()}
        if not named <= taken.parameters.keys() and inspect.Parameter.VAR_KEYWORD not in kinds:
            yield f"{name} does not take {', '.join(sorted(map(str, named - taken.parameters.keys())))}"
        return
    try:
        taken.bind(*node.args, **{str(one): None for one in named})
    except TypeError:
        yield f"{name} does not take these values"
