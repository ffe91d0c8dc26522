"""Values that become of another kind, and the code that uses them as what they were: `add` on what is a list
now, an end of texts that is no tuple, a number in the place of a time of day."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from functools import lru_cache

from spark_tui.codemods.families.functions.signature import SetDefault
from spark_tui.intent.context.anchors import parsed
from spark_tui.intent.facts.literal_types import literal_type
from spark_tui.intent.planning.annotated_results import reasons_of_results
from spark_tui.intent.planning.certainty import RankedEdit
from spark_tui.intent.words.doubts import assumed
from spark_tui.pysource.calls.signatures import defaults
from spark_tui.pysource.files.index import Index
from spark_tui.pysource.inference.known_types import COLLECTIONS
from spark_tui.pysource.inference.values import InstanceValue
from spark_tui.pysource.modules import is_python
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import find_nodes
from spark_tui.pysource.words import word_set

_MADE = word_set("time date datetime timedelta compile")
"""What makes a value of a class and has a small first letter."""


def doubts_of_kinds(found: RankedEdit) -> tuple[str, ...]:
    """That code elsewhere does with a value what its new kind does not allow."""
    intent = found.executed.candidate.reading.intent
    if intent in ("replace_operator", "annotate_return"):
        reasons = _of_operators(found) if intent == "replace_operator" else reasons_of_results(found)
        return tuple(assumed(reason) for reason in reasons)
    if intent == "set_default":
        return tuple(assumed(reason) for reason in _of_defaults(found))
    if intent not in ("convert_value", "set_value", "round_value"):
        return ()
    repo, plan = found.situation.repo, found.executed.plan
    now = repo.with_changes(plan.texts(repo))
    after = now.index
    for path in filter(is_python, dict.fromkeys(edit.path for edit in plan.edits)):
        old, new = _stores(repo.index.source(path)), _stores(after.source(path))
        for place, (goal, value) in new.items():
            was = old[place][1] if place in old else None
            if was is None or ast.unparse(was) == ast.unparse(value):
                continue
            if intent == "set_value" and _is_other_class(repo.index, path, was, value):
                return (assumed(f"{ast.unparse(goal)} was {ast.unparse(was)}, and may have to be its like"),)
            if intent != "set_value" and _is_added_to(after.source(path), goal, was):
                return (assumed(f"{ast.unparse(goal)} is added to later"),)
            is_set = intent == "convert_value" and _kind(value) == "set"
            if is_set and (made := next(_unhashable(now, path, goal), "")):
                return (assumed(made),)
    return ()


def _of_defaults(found: RankedEdit) -> Iterator[str]:
    """That a number or text is a default where an object of a class was one."""
    index = found.situation.repo.index
    for one in (each for each in found.executed.calls if isinstance(each, SetDefault)):
        source, value = index.source(one.target.path), parsed(one.default)
        for node in (each for each in source.functions if source.qualname(each) == one.target.name):
            was = made_value(source, defaults(node).get(one.name))
            if was is not None and value is not None and _is_other_class(index, source.path, was, value):
                yield f"{one.name} was {ast.unparse(was)}, and may have to be its like"


def made_value(source: Source, value: ast.expr | None) -> ast.expr | None:
    """The value of a constant of the module; any other one as it is."""
    known = _stores(source).get(("", value.id)) if isinstance(value, ast.Name) else None
    return known[1] if known is not None else value


def _of_operators(found: RankedEdit) -> Iterator[str]:
    """That a collection is compared with what was looked for in it."""
    index = found.situation.repo.index
    for one in found.executed.calls:
        place, left = getattr(one, "place", None), getattr(one, "left", "")
        if place is None or getattr(one, "old", "") not in ("in", "not in") or place.path not in index.paths:
            continue
        source = index.source(place.path)
        made = {name: value for (_, name), (_, value) in _stores(source).items()}
        for node in find_nodes(source.tree, ast.Compare):
            if place.first <= node.lineno <= place.last and ast.unparse(node.left) == left:
                held = ast.unparse(node.comparators[0])
                if _kind(made.get(held, node.comparators[0])) in COLLECTIONS:
                    yield f"{held} is no single value"


@lru_cache(maxsize=4)
def _stores(source: Source) -> dict[tuple[str, str], tuple[ast.expr, ast.expr]]:
    """The names and attributes that are set once, by the function of a local one, with their values."""
    found: dict[tuple[str, str], list[tuple[ast.expr, ast.expr]]] = {}
    for node in source.statements:
        if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
            continue
        value = node.value
        for goal in node.targets if isinstance(node, ast.Assign) else [node.target]:
            inside = source.function_of(node) if isinstance(goal, ast.Name) else None
            place = source.qualname(inside) if inside is not None else ""
            found.setdefault((place, ast.unparse(goal)), []).append((goal, value))
    return {place: pairs[0] for place, pairs in found.items() if len(pairs) == 1}


def _is_added_to(source: Source, goal: ast.expr, was: ast.expr) -> bool:
    """Whether a name begins with what a call gives, and is added to afterwards."""
    inside = source.function_of(goal)
    added = (node.target for node in find_nodes(inside, ast.AugAssign)) if inside is not None else ()
    name = ast.unparse(goal)
    return isinstance(was, ast.Call) and any(ast.unparse(target) == name for target in added)


def _kind(value: ast.expr) -> str:
    called = value.func.id if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) else ""
    return called if called in COLLECTIONS else literal_type(value)


def _is_other_class(index: Index, path: str, was: ast.expr, value: ast.expr) -> bool:
    """Whether a number or text stands where an object of a class was made: `time(8, 0)`."""
    made = called_name(was)
    made = next((one.name for one in index.imports(path) if one.alias == made and one.name), made)
    is_class = made in _MADE or (made[:1].isupper() and not hasattr(builtins, made))
    return is_class and literal_type(value) in ("int", "float", "str")


def _unhashable(now: Repository, path: str, goal: ast.expr) -> Iterator[str]:
    """That an object is put into a set whose class compares objects and gives them no hash."""
    source, scopes = now.index.source(path), now.index.scopes(path)
    for node in find_nodes(source.tree, ast.Call):
        if ast.unparse(node.func) != f"{ast.unparse(goal)}.add" or len(node.args) != 1:
            continue
        item = node.args[0]
        used = scopes.by_node.get(item)
        scope = used.scope if used is not None else scopes.of_function(item)
        for owner in (
            one.of.node for one in now.infer.values(path, item, scope) if isinstance(one, InstanceValue)
        ):
            own = {stmt.name for stmt in owner.body if isinstance(stmt, ast.FunctionDef)}
            made = " ".join(map(ast.unparse, owner.decorator_list))
            compares = "__eq__" in own or ("dataclass" in made and "eq=False" not in made)
            if compares and "__hash__" not in own and not re.search(r"(?:frozen|unsafe_hash)=True", made):
                yield f"objects of {owner.name} have no hash"
