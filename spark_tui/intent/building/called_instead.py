"""The call of another function in the place of one: on its object, or with arguments by name."""

from __future__ import annotations

import ast
import inspect

from spark_tui.intent.context.reading_in_place import Context
from spark_tui.pysource.calls.signatures import standard_function
from spark_tui.pysource.source import Source

_EITHER = inspect.Parameter.POSITIONAL_OR_KEYWORD


def call_of_another(source: Source, node: ast.Call, new: str) -> str:
    """The whole call in which another function takes the place of one, where it is called with something
    else; empty where only the function changes."""
    return _on_its_argument(source, node, new.removesuffix("()")) or _with_moved_arguments(source, node, new)


def _on_its_argument(source: Source, node: ast.Call, name: str) -> str:
    """`kwargs.items()` for `six.iteritems(kwargs)`, where `kwargs.items` takes the place of the function that
    is given the object."""
    first = source.segment(node.args[0]) if node.args else ""
    if not first or name.rpartition(".")[0] != first:
        return ""
    return f"{name}({', '.join(map(source.segment, (*node.args[1:], *node.keywords)))})"


def _with_moved_arguments(source: Source, node: ast.Call, new: str) -> str:
    """The call of another function, with the arguments by name from the first on that it takes elsewhere:
    `open(path, "w", encoding="utf-8")` for `codecs.open(path, "w", "utf-8")`. Empty where the arguments can
    stay as they are, or cannot all be named."""
    taken = _taken(new)
    names, others = list(_taken(ast.unparse(node.func))), list(taken)
    if any(isinstance(item, ast.Starred) for item in node.args) or len(node.args) > len(names):
        return ""
    places = range(len(node.args))
    moved = [at for at in places if names[at] in taken and names[at] not in others[at : at + 1]]
    named = places[moved[0] :] if moved else places[:0]
    if not moved or any(taken.get(names[at]) is not _EITHER for at in named):
        return ""
    given = [source.segment(item) for item in node.args[: named.start]]
    given += [f"{names[at]}={source.segment(node.args[at])}" for at in named]
    return f"{new}({', '.join((*given, *map(source.segment, node.keywords)))})"


def any_moves(context: Context, old: str, new: str) -> bool:
    """Whether a call of a function has arguments that another function takes at another place."""
    calls = ((source, node) for _, source, node in context.find(ast.Call))
    return any(
        ast.unparse(node.func) == old and _with_moved_arguments(source, node, new) for source, node in calls
    )


def _taken(name: str) -> dict[str, object]:
    """What a function of the standard library takes by its place, in this order, and whether also by name."""
    function = standard_function(name)
    try:
        signature = inspect.signature(function) if callable(function) else None
    except (TypeError, ValueError):
        return {}
    every = signature.parameters.values() if signature is not None else ()
    return {one.name: one.kind for one in every if one.kind in (_EITHER, inspect.Parameter.POSITIONAL_ONLY)}
