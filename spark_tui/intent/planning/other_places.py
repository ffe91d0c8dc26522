"""What an edit may have missed or done too much in the open file: something else of the same name, places
without the call that was written, a default that its annotation does not allow, statements that go and are
needed."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial

from spark_tui.codemods.families.statements.placement import DeleteStatements
from spark_tui.codemods.rewriting.optional_types import allows_none
from spark_tui.codemods.slots import Symbol
from spark_tui.intent.context.anchors import is_same_code, parsed
from spark_tui.intent.facts.enumerations import doubts_of_members
from spark_tui.intent.facts.literal_types import classes_hinted, literal_type
from spark_tui.intent.planning.annotated_results import is_class
from spark_tui.intent.planning.certainty import RankedEdit
from spark_tui.intent.planning.changed_kinds import doubts_of_kinds, made_value
from spark_tui.intent.planning.exchanged_calls import doubts_of_exchanged
from spark_tui.intent.planning.further_places import (
    doubts_of_bases,
    doubts_of_fewer,
    doubts_of_hidden,
    doubts_of_more,
    doubts_of_returns,
)
from spark_tui.intent.planning.guards_there import doubts_of_guards
from spark_tui.intent.planning.none_given import doubts_of_none
from spark_tui.intent.planning.said_otherwise import doubts_of_words
from spark_tui.intent.words.doubts import Doubt, DoubtKind, assumed
from spark_tui.pysource.calls.signatures import defaults
from spark_tui.pysource.files.index import Index
from spark_tui.pysource.modules import is_python
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Definition, Function, Source, parameters
from spark_tui.pysource.syntax.parsing import statements_below
from spark_tui.pysource.syntax.walking import find_nodes, walk
from spark_tui.pysource.tree_comparison import changed_statements
from spark_tui.pysource.words import word_set

_REWRITING = ("use_union", "use_optional")
"""Intents that rewrite what has a form, and whose words do not say it."""
_PLAIN_TYPES = frozenset(("str", "int", "float", "bool", "bytes", "list", "dict", "set", "tuple"))
_TAKEN_FOR = {"int": ("float",), "bool": ("int", "float")}
"""Types that values of another one are taken for."""
_PLACES = ("function", "class", "file")
_BESIDE = {
    "rename": ("symbol", "key"),
    "set_default": ("parameter", "field"),
    "set_value": ("variable", "parameter"),
    **dict.fromkeys(
        ("round_value", "strip_value", "convert_value", "limit_value", "scale_value", "value_if_empty"),
        ("variable", "key"),
    ),
    **dict.fromkeys(("apply_function", "ignore_case", "change_case"), ("variable", "key")),
}
"""The slot of an intent that names something, and what else may be called so."""
_COPYING = word_set("list dict set tuple copy deepcopy sorted")


def doubts_of_places(found: RankedEdit) -> tuple[str, ...]:
    """What an edit may have changed beside what was meant, or in place of it."""
    found_ones = (
        *doubts_of_namesakes(found),
        *doubts_of_more(found),
        *doubts_of_fewer(found),
        *doubts_of_returns(found),
        *doubts_of_hidden(found),
        *doubts_of_bases(found),
        *doubts_of_replaced(found),
        *doubts_of_named(found),
        *doubts_of_kinds(found),
        *doubts_of_exchanged(found),
        *doubts_of_guards(found),
        *doubts_of_none(found),
        *doubts_of_defaults(found),
        *doubts_of_gone(found),
        *doubts_of_words(found),
        *doubts_of_members(found.executed.plan, found.situation.repo),
    )
    return tuple(dict.fromkeys(found_ones))


def doubts_of_namesakes(found: RankedEdit) -> tuple[str, ...]:
    """That an instruction without a place may mean something else of that name in the open file."""
    reading, situation = found.executed.candidate.reading, found.situation
    slot, role = _BESIDE.get(reading.intent, ("", ""))
    names = [span.text.strip("`'\"") for span in reading.slots.get(slot, ())]
    index = situation.repo.index
    placed = any(reading.slots.get(place) for place in _PLACES) or situation.selection is not None
    if len(names) != 1 or placed or situation.path not in index.paths:
        return ()
    source = index.source(situation.path)
    edits = [edit for edit in found.executed.plan.edits if edit.path == situation.path]
    inside = _innermost(source, [edit.start for edit in edits])
    roles = (role, "field") if role == "key" and reading.intent != "rename" else (role,)
    others = [
        f"a {one} of {node.name}"
        for one in roles
        for node in _called(source, names[0], one)
        if node not in inside
    ]
    if reading.intent == "rename":
        # A local of that name, and a key of a dictionary that the file writes down, or an attribute.
        is_local = all(isinstance(node, Function) and node.name != names[0] for node in inside)
        others = ["a key of a dictionary"] if is_local and _is_written_key(source, names[0]) else []
        named = [node for node in find_nodes(source.tree, ast.Attribute) if node.attr == names[0]]
        ends = [source.span(node)[1] for node in named if is_local]
        if not all(any(edit.start < end <= edit.end for edit in edits) for end in ends):
            others = ["an attribute"]
    if not others:
        return ()
    return (Doubt(f"2 places fit: {names[0]} is {others[0]} too", DoubtKind.PLACES, 2),)


def doubts_of_named(found: RankedEdit) -> tuple[str, ...]:
    """That calls have to name the parameters behind the one that is meant, too."""
    index, reading = found.situation.repo.index, found.executed.candidate.reading
    said = {span.text.strip("`'\"") for span in reading.slots.get("parameter", ())}
    for one in found.executed.calls if reading.intent == "make_keyword_only" else ():
        target, name = getattr(one, "target", None), getattr(one, "name", "")
        if not isinstance(target, Symbol) or name not in said:
            continue
        functions = (node for node in index.source(target.path).functions if target.name.endswith(node.name))
        for names in ([item.arg for item in node.args.args] for node in functions):
            behind = names[names.index(name) + 1 :] if name in names else []
            if more := [item for item in behind if item not in said]:
                return (Doubt(f"{', '.join(more)} must be named too", DoubtKind.PLACES, len(more)),)
    return ()


def doubts_of_replaced(found: RankedEdit) -> tuple[str, ...]:
    """That code which another reading replaces by shown code becomes something else: `Optional[str]` was to
    be `None`, and is `str | None`; or that code beside it changes, too."""
    index, intent = found.situation.repo.index, found.executed.candidate.reading.intent
    rewrites = intent.startswith("pattern.") or intent in _REWRITING
    pairs = [(item.text("old"), item.text("new")) for item in found.readings] if rewrites else []
    for old, new in ((old, new) for old, new in pairs if parsed(old) is not None and parsed(new) is not None):
        plan = found.executed.plan
        changed = [((index.text(edit.path) or "")[edit.start : edit.end], edit.new) for edit in plan.edits]
        edits = [(is_same_code(gone, old), text) for gone, text in changed]
        if any(_is_other_rewrite(gone, text, old, new) for gone, text in changed):
            return (assumed(f"{old} does not become {new}"),)
        written = [text for said, text in edits if said]
        if any(not is_same_code(text, new) for text in written):
            return (assumed(f"{old} becomes {written[0]}, not {new}"),)
        others = [text for said, text in edits if not said and text.strip() and written]
        if others:
            return (Doubt(f"{len(others)} places fit that are no {old}", DoubtKind.PLACES, len(others)),)
    return ()


def _is_other_rewrite(gone: str, text: str, old: str, new: str) -> bool:
    """Whether a name that is to be replaced stands in rewritten code, and is not what changes there."""
    name = re.compile(rf"(?<![\w.]){re.escape(old)}(?!\w)")
    shown = old.isidentifier() and gone != old and text.strip() and name.search(gone)
    return bool(shown) and not is_same_code(name.sub(lambda _: new, gone), text)


def doubts_of_defaults(found: RankedEdit) -> tuple[str, ...]:
    """That a default or value is of no type that its annotation allows: `bucket: Bucket = 0`."""
    repo, plan = found.situation.repo, found.executed.plan
    after = repo.with_changes(plan.texts(repo)).index
    for path in filter(is_python, {edit.path for edit in plan.edits}):
        gone, come = changed_statements(repo.index.source(path), after.source(path))
        misfits = list(_misfits(after, path, come))
        known = Counter((value, hint) for _, value, hint in _misfits(repo.index, path, gone) if misfits)
        for name, value, hint in misfits:
            known[value, hint] -= 1
            if known[value, hint] < 0:
                return (
                    assumed(f"{value} was assumed to be a default: {name} is annotated as something else"),
                )
    return ()


def _misfits(index: Index, path: str, statements: list[ast.stmt]) -> Iterator[tuple[str, str, str]]:
    """Names in some statements whose annotation does not allow what they are by default, which is given with
    it."""
    source, inside = index.source(path), list(statements_below(ast.Module(statements, [])))
    given: list[tuple[ast.AST, ast.expr | None, ast.expr | None]] = [
        (item, item.annotation, made_value(source, values[item.arg]))
        for function in inside
        if isinstance(function, Function) and (values := defaults(function))
        for item in parameters(function)
        if item.arg in values
    ]
    given += [
        (node.target, node.annotation, node.value) for node in inside if isinstance(node, ast.AnnAssign)
    ]
    for node, hint, value in given:
        if value is None or (kind := literal_type(value)) not in ("None", *_PLAIN_TYPES):
            continue
        hinted = classes_hinted(hint)
        if not hinted or hinted & {kind, *_TAKEN_FOR.get(kind, ())}:
            continue
        optional = kind == "None" and (hint is None or allows_none(ast.unparse(hint)))
        # Asked last: of a file that changes the index makes the summary for it.
        if not optional and all(map(partial(is_class, index), hinted)):
            name = node.arg if isinstance(node, ast.arg) else ast.unparse(node)
            yield name, ast.unparse(value), ast.unparse(hint) if hint is not None else ""


def _innermost(source: Source, starts: Iterable[int]) -> set[Definition | None]:
    """The functions and classes that characters are in."""
    spans = [(*source.span(node), node) for node in reversed(source.definitions)]
    return {next((node for low, high, node in spans if low <= start < high), None) for start in starts}


def _called(source: Source, name: str, role: str) -> Iterator[Definition]:
    """The functions and classes in which something is called so."""
    for node in source.definitions:
        if isinstance(node, ast.ClassDef):
            fields = [stmt.target for stmt in node.body if isinstance(stmt, ast.AnnAssign)]
            known = role == "field" and any(
                isinstance(field, ast.Name) and field.id == name for field in fields
            )
        elif role == "parameter":
            known = any(item.arg == name for item in parameters(node))
        else:
            known = role == "key" and any(_is_key(inner, name) for inner in walk(node))
        if known:
            yield node


def _is_written_key(source: Source, name: str) -> bool:
    """Whether a dictionary outside of functions has a key of that name."""
    displays = find_nodes(source.tree, ast.Dict)
    outside = (node for node in displays if source.function_of(node) is None)
    return any(
        isinstance(each, ast.Constant) and each.value == name for node in outside for each in node.keys
    )


def _is_key(node: ast.AST, name: str) -> bool:
    key = node.slice if isinstance(node, ast.Subscript) else None
    return isinstance(key, ast.Constant) and key.value == name


def doubts_of_gone(found: RankedEdit) -> tuple[str, ...]:
    """What runs, or is another object, once a statement is gone."""
    index = found.situation.repo.index
    for one in (each for each in found.executed.calls if isinstance(each, DeleteStatements)):
        source = index.source(one.place.path)
        gone = (node for node in source.statements if one.place.first <= node.lineno <= one.place.last)
        if reason := next((each for node in gone for each in _reasons(source, node)), ""):
            return (assumed(reason),)
    return ()


def _reasons(source: Source, node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.Continue) and (after := _behind(source, node)) is not None:
        yield f"{ast.unparse(after).splitlines()[0]} runs there too then"
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as made):
            of = made.func.value if isinstance(made.func, ast.Attribute) and not made.args else None
            given = made.args[:1] if of is None else [of]
            if called_name(made) in _COPYING and any(ast.unparse(value) == name for value in given):
                yield f"{name} is no copy then, and may be of another kind"


def _behind(source: Source, node: ast.Continue) -> ast.stmt | None:
    """What runs next in the loop if this is gone."""
    inner: ast.AST = node
    for outer in source.ancestors(node):
        if isinstance(inner, ast.stmt) and inner is not node:
            following = source.following(inner)
            if following:
                return following[0]
        if isinstance(outer, ast.For | ast.While | ast.AsyncFor):
            return None
        inner = outer
    return None
