"""What an edit may have missed or done too much in the open file: something else of the same name, places
without the call that was written, a parameter that is used as if it was never None."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from functools import partial

from spark_tui.codemods.families.statements.errors import is_name
from spark_tui.codemods.slots import Symbol
from spark_tui.intent.context.anchors import is_same_code, parsed
from spark_tui.intent.facts.literal_types import classes_hinted, literal_type
from spark_tui.intent.planning.annotated_results import OPTIONAL, is_class
from spark_tui.intent.planning.certainty import RankedEdit
from spark_tui.intent.planning.changed_kinds import doubts_of_kinds
from spark_tui.intent.planning.exchanged_calls import doubts_of_exchanged
from spark_tui.intent.planning.further_places import doubts_of_hidden, doubts_of_more, doubts_of_returns
from spark_tui.intent.planning.guards_there import doubts_of_guards
from spark_tui.intent.words.doubts import Doubt, DoubtKind, assumed
from spark_tui.pysource.calls.signatures import defaults
from spark_tui.pysource.files.index import Index
from spark_tui.pysource.modules import is_python
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Definition, Function, Source, parameters
from spark_tui.pysource.syntax.walking import find_nodes, walk
from spark_tui.pysource.words import word_set

_REWRITING = ("use_union", "use_optional")
"""Intents that rewrite what has a form, and whose words do not say it."""
_PLAIN_TYPES = frozenset(("str", "int", "float", "bool", "bytes", "list", "dict", "set", "tuple"))
_TAKEN_FOR = {"int": ("float",), "bool": ("int", "float")}
"""Types that values of another one are taken for."""
_PLACES = ("function", "class", "file")
_ORDERING = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_FAILING = word_set(
    "range len int float sum sorted sleep set frozenset list tuple dict iter enumerate reversed zip"
    " timedelta call_later call_at csv.reader csv.writer DictReader DictWriter"
)
"""What takes no None."""
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


def doubts_of_places(found: RankedEdit) -> tuple[str, ...]:
    """What an edit may have changed beside what was meant, or in place of it."""
    found_ones = (
        *doubts_of_namesakes(found),
        *doubts_of_more(found),
        *doubts_of_returns(found),
        *doubts_of_hidden(found),
        *doubts_of_replaced(found),
        *doubts_of_named(found),
        *doubts_of_kinds(found),
        *doubts_of_exchanged(found),
        *doubts_of_guards(found),
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
    inside = {_innermost(source, edit.start) for edit in edits}
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


def doubts_of_none(found: RankedEdit) -> tuple[str, ...]:
    """That a parameter becomes None by default, and its function never asks whether it is."""
    index = found.situation.repo.index
    for one in found.executed.calls:
        default, target = getattr(one, "default", None), getattr(one, "target", None)
        if default != "None" or not isinstance(target, Symbol) or target.path not in index.paths:
            continue
        source, name = index.source(target.path), str(getattr(one, "name", ""))
        node = next((item for item in source.definitions if source.qualname(item) == target.name), None)
        stores = (item for item in find_nodes(node, ast.Assign) if is_name(item.value, name))
        kept = {item.targets[0].attr for item in stores if isinstance(item.targets[0], ast.Attribute)}
        asked = (
            (node, partial(_is_one_of, {name}, ast.Name)),
            (source.tree, partial(_is_one_of, kept, ast.Attribute)),
        )
        if any(root is not None and _is_used_plainly(root, is_it) for root, is_it in asked):
            return (assumed(f"it was assumed that None is meant: {name} is never compared with None"),)
    return ()


def doubts_of_defaults(found: RankedEdit) -> tuple[str, ...]:
    """That a default or value is of no type that its annotation allows: `bucket: Bucket = 0`."""
    repo, plan = found.situation.repo, found.executed.plan
    after = repo.with_changes(plan.texts(repo)).index
    for path in filter(is_python, {edit.path for edit in plan.edits}):
        known = Counter((value, hint) for _, value, hint in _misfits(repo.index, path))
        for name, value, hint in _misfits(after, path):
            known[value, hint] -= 1
            if known[value, hint] < 0:
                return (
                    assumed(f"{value} was assumed to be a default: {name} is annotated as something else"),
                )
    return ()


def _misfits(index: Index, path: str) -> Iterator[tuple[str, str, str]]:
    """Names whose annotation does not allow what they are by default, which is given with it."""
    source = index.source(path)
    given: list[tuple[ast.AST, ast.expr | None, ast.expr | None]] = [
        (item, item.annotation, defaults(function).get(item.arg))
        for function in source.functions
        for item in parameters(function)
    ]
    given += [
        (node.target, node.annotation, node.value)
        for node in source.statements
        if isinstance(node, ast.AnnAssign)
    ]
    for node, hint, value in given:
        if value is None or (kind := literal_type(value)) not in ("None", *_PLAIN_TYPES):
            continue
        hinted = classes_hinted(hint)
        if not hinted or hinted & {kind, *_TAKEN_FOR.get(kind, ())}:
            continue
        optional = kind == "None" and (hint is None or OPTIONAL.search(ast.unparse(hint)))
        # Asked last: of a file that changes the index makes the summary for it.
        if not optional and all(map(partial(is_class, index), hinted)):
            name = node.arg if isinstance(node, ast.arg) else ast.unparse(node)
            yield name, ast.unparse(value), ast.unparse(hint) if hint is not None else ""


def _is_used_plainly(root: ast.AST, is_it: Callable[[ast.AST], bool]) -> bool:
    """Whether code takes something from a value, and never asks whether it is None or empty."""
    asked, taken = False, False
    for node in walk(root):
        tests = [node.test] if isinstance(node, ast.If | ast.IfExp | ast.While) else []
        tests = [*tests, *(one.values[-1] for one in tests if isinstance(one, ast.BoolOp))]
        tests += node.values[:-1] if isinstance(node, ast.BoolOp) else []
        tests += [node.operand] if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not) else []
        compare = node if isinstance(node, ast.Compare) else None
        sides = [compare.left, *compare.comparators] if compare is not None else []
        beside_none = any(isinstance(side, ast.Constant) and side.value is None for side in sides)
        asked = asked or any(map(is_it, (*tests, *(sides if beside_none else ()))))
        asks_inside = compare is not None and isinstance(compare.ops[0], ast.In | ast.NotIn)
        held = sides[1:2] if asks_inside else []
        held += [node.value] if isinstance(node, ast.Attribute | ast.Subscript) else []
        held += [node.iter] if isinstance(node, ast.For | ast.comprehension) else []
        held += [node.left, node.right] if isinstance(node, ast.BinOp) else []
        held += [node.target, node.value] if isinstance(node, ast.AugAssign) else []
        held += [node.operand] if isinstance(node, ast.UnaryOp) and not isinstance(node.op, ast.Not) else []
        held += sides if compare is not None and isinstance(compare.ops[0], _ORDERING) else []
        if isinstance(node, ast.Call):
            fails = called_name(node) in _FAILING or ast.unparse(node.func) in _FAILING
            given = [*node.args, *(one.value for one in node.keywords)] if fails else []
            held += [
                node.func,
                *(one.values[-1] if isinstance(one, ast.BoolOp) else one for one in given),
            ]
        taken = taken or any(map(is_it, held))
    return taken and not asked


def _is_one_of(names: Collection[str], kind: type[ast.Name | ast.Attribute], node: ast.AST) -> bool:
    called = node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")
    return isinstance(node, kind) and called in names


def _innermost(source: Source, start: int) -> Definition | None:
    """The function or class that a character is in."""
    spans = [(source.span(node), node) for node in source.definitions]
    return next((node for (low, high), node in reversed(spans) if low <= start < high), None)


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
