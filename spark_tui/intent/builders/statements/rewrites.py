"""Rewrites by a form of which several may be meant: the first that fits the code is the likeliest; those of
one variable, and paths as objects of pathlib."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise

from spark_tui.codemods.families.values.extraction import InlineVariable
from spark_tui.codemods.plan import Edit, Plan, Refused
from spark_tui.codemods.registry import Operation
from spark_tui.codemods.slots import SymbolKind
from spark_tui.codemods.uses.symbols import Target, find_symbol
from spark_tui.intent.building.building import (
    NARROWED,
    Built,
    builder,
    call,
    calls_table,
    from_entry,
    of_table,
    place,
)
from spark_tui.intent.building.first_fitting import first_fitting
from spark_tui.intent.context.anchors import Anchor, nodes
from spark_tui.intent.context.lookup import key, plain_name, without_s
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import Doubt, DoubtKind, places_fit
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function
from spark_tui.pysource.syntax.parsing import parse, suites
from spark_tui.pysource.syntax.walking import names_in, walk

_INLINED = {SymbolKind.VARIABLE: "inline_constant", SymbolKind.FUNCTION: "inline_function"}
_COMPREHENSIONS = (
    "pattern.join",
    "pattern.list_comprehension",
    "pattern.set_comprehension",
    "pattern.dict_comprehension",
)
_OS_IMPORT = re.compile(r"import os(?:\.path)?")
_TARGET = re.compile(r"(?:[\w.]+(?= [-+*/%|&]?= ))?")
"""What the first statement of some code sets."""


_ITSELF = 0.3
"""How likely a function is inlined itself, where it has a name that is set only to be returned."""
_MOST_PLACES = 20
"""Places that are rewritten one by one at most."""


def _said(context: Context, kind: str) -> bool:
    return phrases.mentions(kind, context.situation.instruction)


@builder(*_COMPREHENSIONS)
def comprehension(context: Context) -> Iterator[Built]:
    """A comprehension that is returned, or given to the name that is said; or a list without what a loop
    removes from it."""
    plain = calls_table()[context.reading.intent]
    returned = {**plain, "name": f"{plain['name']}_returned"}
    named = context.has("variable") and not _said(context, "returning")
    forms = [(plain,), (returned,)] if named else [(returned,), (plain,)]
    if context.reading.intent == "pattern.list_comprehension":
        forms += [({**plain, "name": name},) for name in ("kept_comprehension", "without_removed")]
    yield from _of_what_is_set(context, first_fitting(context, *forms))


@builder("pattern.ternary")
def ternary(context: Context) -> Iterator[Built]:
    """A conditional expression; where a name is said that is set, it is to set that."""
    yield from _of_what_is_set(context, of_table(context, "pattern.ternary"))


def _of_what_is_set(context: Context, made: Iterable[Built]) -> Iterator[Built]:
    """The edits of the named variable, with a doubt where it is set and an edit does not set it."""
    name = plain_name(context.text("variable")).rpartition(".")[2]
    for built in of_variable(context, made):
        other = _is_set(context, name) and not _makes(context, built, name)
        doubts = (Doubt(f"what is rewritten does not make {name}", DoubtKind.MEANT),) if other else ()
        yield replace(built, doubts=(*built.doubts, *doubts))


def _is_set(context: Context, name: str) -> bool:
    """Whether something of that name is set there."""
    rows = (node for _, _, root in context.trees() for node in nodes(root, ast.Assign))
    return bool(name) and any(last_name(goal) == name for row in rows for goal in row.targets)


def _makes(context: Context, built: Built, name: str) -> bool:
    """Whether what is rewritten sets a name, or did."""
    plan = built.calls[0].plan(context.repo)
    sets = re.compile(rf"(?<!\w){re.escape(name)}\s*(?::[^=\n]+)?=(?!=)")
    return not isinstance(plan, Plan) or any(
        sets.search((context.repo.index.text(edit.path) or "")[edit.start : edit.end] + "\n" + edit.new)
        for edit in plan.edits
    )


@builder("inline_variable")
def inlined(context: Context) -> Iterator[Built]:
    """The value in place of a name, also of a constant, and what a function gives in place of its calls;
    where the name only helps to exchange two values, both at once."""
    name = plain_name(context.text("variable"))
    for area, source, root in context.trees():
        for node in nodes(root, ast.Assign):
            if [ast.unparse(goal) for goal in node.targets] != [name]:
                continue
            rows = source.suite(node)
            spot = Anchor(area, node, last=rows[rows.index(node) :][:3][-1])
            made = call("apply_pattern", name="swap", place=place(context, spot))
            if not isinstance(made.plan(context.repo), Refused):
                yield Built((made,), 0.95 * area.weight, area.doubts)
                return
    entry = calls_table()["inline_variable"]
    only_function = context.has("function") and not context.has("variable")
    kept = [*_kept_for_return(context)] if only_function else []
    yield from kept
    for built in from_entry(context, {**entry, "find": "@function"} if only_function else entry):
        weight = _ITSELF * built.weight if kept else built.weight
        calls = tuple(_of_its_kind(context.repo, one) for one in built.calls)
        yield replace(built, calls=calls, weight=weight)


def _kept_for_return(context: Context) -> Iterator[Built]:
    """The one name of a function that is set only to be returned on the next line."""
    for area, source, root in context.trees():
        found = [name for pair in _pairs(root) if (name := _set_to_return(*pair))]
        alone = [name for name, is_all in found if is_all] or [name for name, _ in found]
        if len(alone) == 1 and isinstance(root, Function):
            made = call("inline_variable", target=f"{source.path}::{source.qualname(root)}.{alone[0]}")
            yield Built((made,), (1.0 - _ITSELF) * area.weight, area.doubts)


def _pairs(root: ast.AST) -> Iterator[tuple[ast.stmt, ast.stmt]]:
    return (pair for node in walk(root) for suite in suites(node) for pair in pairwise(suite))


def _set_to_return(first: ast.stmt, second: ast.stmt) -> tuple[str, bool] | None:
    """The name that one statement sets and the next returns, and whether it returns that alone."""
    match first, second:
        case ast.Assign(targets=[ast.Name(id=name)]), ast.Return(value=value) if name in names_in(second):
            return name, isinstance(value, ast.Name)
    return None


def _of_its_kind(repo: Repository, made: Operation) -> Operation:
    """The call that inlines a symbol, as what the symbol is wants it."""
    found = find_symbol(repo, made.target) if isinstance(made, InlineVariable) else None
    op = _INLINED.get(found.kind) if isinstance(found, Target) else None
    return call(op, target=str(made.target)) if op and isinstance(made, InlineVariable) else made


@builder("pattern.loop")
def loop(context: Context) -> Iterator[Built]:
    """The comprehensions of a place, or those that the name which is said is set to."""
    name = plain_name(context.text("variable")) if context.has("variable") else ""
    spots = [
        Anchor(area, node, area.weight * context.near_node(area.path, node))
        for area, _, root in context.trees()
        for node in nodes(root, ast.Assign)
        if [ast.unparse(target) for target in node.targets] == [name]
    ]
    for anchor in spots:
        made = call("apply_pattern", name="loop", place=place(context, anchor))
        if not isinstance(made.plan(context.repo), Refused):
            doubts = (places_fit(len(spots)),) if len(spots) > 1 else ()
            yield Built((made,), anchor.weight / len(spots), doubts)
    if not spots:
        yield from of_table(context, "pattern.loop")


@builder("pattern.enumerate")
def enumerated(context: Context) -> Iterator[Built]:
    """`enumerate`, or the items themselves where the index is used for nothing else."""
    counted = calls_table()["pattern.enumerate"]
    direct = {**counted, "op": "loop_directly"}
    if _said(context, "enumerate"):
        yield from first_fitting(context, (counted,), (direct,))
    else:
        yield from first_fitting(context, (direct,), (counted,))


@builder("pattern.sum")
def summed(context: Context) -> Iterator[Built]:
    """A sum over the items, where a loop goes through their index."""
    plain = calls_table()["pattern.sum"]
    direct = {"op": "loop_directly", "place": plain["place"]}
    yield from first_fitting(context, (direct, plain), (plain,))


@builder("pattern.aware_utc")
def aware(context: Context) -> Iterator[Built]:
    """An aware time in place of `utcnow`; of `now` where the code has none and none is named."""
    plain = calls_table()["pattern.aware_utc"]
    local = [({**plain, "name": "aware_now"},)] if "utcnow" not in context.situation.instruction else []
    yield from first_fitting(context, (plain,), *local)


@builder("pattern.to_pathlib")
def to_pathlib(context: Context) -> Iterator[Built]:
    for built in of_table(context, "pattern.to_pathlib"):
        plan = built.calls[0].plan(context.repo)
        texts = plan.texts(context.repo) if isinstance(plan, Plan) else {}
        lines = [(path, line) for path, text in texts.items() if (line := _unused_import(text or ""))]
        gone = tuple(call("delete_statements", place=f"{path}:{line}") for path, line in lines)
        yield replace(built, calls=(*built.calls, *gone))


def _unused_import(text: str) -> int:
    """The line of the import of `os` in a text that does not use it; 0 for none."""
    tree = parse(text)
    if tree is None:
        return 0
    imports = [
        one for one in tree.body if isinstance(one, ast.Import) and _OS_IMPORT.fullmatch(ast.unparse(one))
    ]
    used = any(isinstance(node, ast.Name) and node.id == "os" for node in ast.walk(tree))
    return imports[0].lineno if len(imports) == 1 and not used else 0


def of_variable(context: Context, made: Iterable[Built]) -> Iterator[Built]:
    """Of the places that a form rewrites those with the named variable in them, where some have it; where
    none has it, a doubt. Words that are no name of the file name no variable."""
    names = {
        without_s(key(plain_name(span.text).rpartition(".")[2]))
        for span in context.reading.slots.get("variable", ())
    }
    for built in made:
        plan = built.calls[0].plan(context.repo)
        paths = plan.paths if isinstance(plan, Plan) else ()
        if len(paths) != 1 or paths[0] not in context.repo.index.paths or not names:
            yield built
            continue
        source = context.source(paths[0])
        known = names & _words(source.text)
        edits = [edit for edit in plan.edits if edit.start < edit.end] if isinstance(plan, Plan) else []
        with_it = [edit for edit in edits if known & _words(_rewritten(source.text, edit))]
        setting = [edit for edit in with_it if known & _words(_set_first(edit.new))]
        with_it = setting or with_it
        lines = sorted({source.line_number(edit.start) for edit in with_it}, reverse=True)
        if not known or len(with_it) == len(edits):
            yield built
        elif len(lines) > _MOST_PLACES:
            doubt = Doubt(f"more than {_MOST_PLACES} places have {context.text('variable')}", DoubtKind.MEANT)
            yield replace(built, doubts=(*built.doubts, doubt))
        elif not with_it and "_" in context.text("variable").strip("_"):
            raise Unresolved(f"what would be rewritten has no {context.text('variable')}")
        elif not with_it:
            doubt = Doubt(f"what is rewritten has no {context.text('variable')}", DoubtKind.MEANT)
            yield replace(built, doubts=(*built.doubts, doubt))
        else:
            name = str(getattr(built.calls[0], "name", ""))
            calls = tuple(call("apply_pattern", name=name, place=f"{source.path}:{line}") for line in lines)
            yield replace(built, calls=calls)


NARROWED["apply_pattern"] = of_variable


def _rewritten(text: str, edit: Edit) -> str:
    """The code of an edit before and after, from the beginning of its first line."""
    return text[text.rfind("\n", 0, edit.start) + 1 : edit.end] + edit.new


def _set_first(code: str) -> str:
    found = _TARGET.match(code.strip())
    return found[0] if found is not None else ""


def _words(code: str) -> set[str]:
    return {without_s(key(word)) for word in re.findall(r"\w+", code)}
