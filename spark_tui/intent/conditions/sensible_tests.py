"""Whether a test makes sense where it is to stand."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.intent.conditions.called_tests import as_called, as_called_there
from spark_tui.intent.conditions.class_checks import (
    is_check_for_error,
    is_of_object,
    is_sized_by_truth,
    is_truth_of_constant,
    is_truth_of_self,
)
from spark_tui.intent.conditions.compared_kinds import as_in_code, doubts_of_subject
from spark_tui.intent.conditions.condition_messages import of_items
from spark_tui.intent.conditions.condition_phrases import word_list
from spark_tui.intent.conditions.guard_places import changed_in
from spark_tui.intent.conditions.number_ranges import asks_of_number, orders_text
from spark_tui.intent.conditions.operand_uses import note_uses, own_names
from spark_tui.intent.conditions.operands import Operand
from spark_tui.intent.conditions.tested_kinds import (
    as_piece,
    doubts_of_holding,
    doubts_of_kind,
    doubts_of_set,
    is_display,
    of_entries,
    with_lookup,
)
from spark_tui.intent.conditions.unsaid_parts import find_unsaid_parts, leaves_out_kind
from spark_tui.intent.context.anchors import Anchor, parsed
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Option
from spark_tui.intent.words.doubts import not_said, taken_for
from spark_tui.intent.words.readings import Span
from spark_tui.pysource.calls.signatures import standard_function
from spark_tui.pysource.inference.values import InstanceValue, Value, class_behind
from spark_tui.pysource.names.type_hints import called_name, decorator_names
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.walking import find_nodes, names_in, walk
from spark_tui.pysource.words import word_set

_NO_NUMBER = word_list("no_number")
_OBJECTS = frozenset(("attributes", "container", "subscripted", "converted"))
_NUMBERS = ("int", "float", "len", "round", "Decimal")
_CONTAINS = ("__contains__", "__iter__", "__getitem__", "__getattr__")
_GOING_THROUGH = word_set("range map filter zip enumerate reversed")
_CALLED = frozenset(("staticmethod", "classmethod", "abstractmethod", "override"))
"""The decorators of methods that have to be called."""
_ALWAYS = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def keep_sensible(context: Context, span: Span, anchor: Anchor, known: list[Option]) -> list[Option]:
    """The tests that make sense at the anchor, doubted where they say less than the words."""
    if anchor.path not in context.repo.index.paths or anchor.node is None:
        return known
    source = context.source(anchor.path)
    function = anchor.node if isinstance(anchor.node, Function) else source.function_of(anchor.node)
    around = function or anchor.node
    out = []
    for one in known:
        there = with_lookup(as_piece(one.text, anchor.node, span.text), span.text, around)
        there = of_entries(as_in_code(there, span.text, around, source), source)
        called = as_called(_of_items(there, source), source)
        one = replace(one, text=as_called_there(called, around, source))
        test = parsed(one.text)
        if test is None:
            out.append(one)
        elif leaves_out_kind(test, span.text):
            continue
        elif not is_senseless(test, anchor.node, source) and not _holds_nothing(context, anchor, test):
            doubts = (
                *_of_objects(test, anchor.node, source),
                *doubts_of_kind(test, around),
                *doubts_of_set(test, around, source),
                *doubts_of_holding(test, around, span.text),
                *doubts_of_subject(test, around, source, span.text),
                *find_unsaid_parts(test, anchor.node, source, span.text),
            )
            out.append(replace(one, doubts=tuple(dict.fromkeys((*one.doubts, *doubts)))))
    return out


def is_senseless(test: ast.expr, root: ast.AST, source: Source) -> bool:
    """Whether a test holds always or never in a function or loop, or cannot be asked."""
    if (
        asks_of_number(test)
        or orders_text(test, source.function_of(root) or root)
        or any(
            _is_counted(node, source.function_of(root) or root) or is_of_object(node, root)
            for node in walk(test)
        )
    ):
        return True
    return any(
        _is_fixed(node, root)
        or _is_builtin(node, source)
        or _is_senseless(node, root, source)
        or is_check_for_error(node, source)
        or is_truth_of_self(node, root, source)
        or is_truth_of_constant(node, root, source)
        or is_sized_by_truth(node)
        for node in _parts(test)
    )


def _is_builtin(node: ast.AST, source: Source) -> bool:
    """Whether it is asked of a class or function of Python whether it is true: `not dict` for an empty one,
    `not open` for what is closed."""
    if not isinstance(node, ast.Name) or not callable(getattr(builtins, node.id, None)):
        return False
    set_there = {name.id for name in find_nodes(source.tree, ast.Name) if isinstance(name.ctx, ast.Store)}
    return node.id not in set_there | {given.arg for given in find_nodes(source.tree, ast.arg)}


def _is_counted(node: ast.AST, root: ast.AST) -> bool:
    """Whether a method is asked of a number: of what a loop over a range counts."""
    called = node.func.value if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else None
    return isinstance(called, ast.Name) and any(
        isinstance(loop, ast.For | ast.comprehension)
        and ast.unparse(loop.target) == called.id
        and ast.unparse(loop.iter).startswith("range(")
        for loop in walk(root)
    )


def _of_items(test: str, source: Source) -> str:
    """A name is not in a collection of objects that the file tells apart by their attribute of that name."""
    found = re.fullmatch(r"(\w+) (not )?in ([\w.]+)", test)
    for node in walk(source.tree):
        if found is None or not isinstance(node, ast.For | ast.comprehension):
            continue
        if not isinstance(node.target, ast.Name) or ast.unparse(node.iter) != found[3]:
            continue
        name, around = ast.unparse(node.target), source.parents.get(node) or node
        for use in find_nodes(node if isinstance(node, ast.For) else around, ast.Attribute):
            if ast.unparse(use) == f"{name}.{found[1]}":
                return of_items(found[1], name, found[3], negated=bool(found[2]))
    return test


def _holds_nothing(context: Context, anchor: Anchor, test: ast.expr) -> bool:
    """Whether a test asks what is in a class, or in an object of one that holds nothing."""
    scopes = context.repo.index.scopes(anchor.path)
    for part in _parts(test):
        held = part.comparators[0] if isinstance(part, ast.Compare) else None
        if not isinstance(part, ast.Compare) or not isinstance(part.ops[0], ast.In | ast.NotIn):
            continue
        shown = ast.unparse(held or part)
        inside = set(walk(anchor.node))
        every = [*((one.node, one.scope) for one in scopes.occurrences)]
        every += [(one.node, one.scope) for one in scopes.attributes]
        uses = ((node, scope) for node, scope in every if node in inside and _is_shown(node, shown))
        node, scope = next(uses, (None, None))
        if isinstance(node, ast.expr) and scope is not None:
            values = context.repo.infer.values(anchor.path, node, scope)
        else:
            bound = scopes.variable(shown, scopes.module) if shown in scopes.module.bound else None
            values = context.repo.infer.variable(anchor.path, bound) if bound is not None else ()
        if values and all(_is_no_container(context.repo, value) for value in values):
            return True
    return False


def _is_shown(node: ast.AST, code: str) -> bool:
    return isinstance(node, ast.Name | ast.Attribute) and ast.unparse(node) == code


def _is_no_container(repo: Repository, value: Value) -> bool:
    owner = class_behind(value)
    if owner is None or repo.classes.has_foreign_base(owner):
        return False
    made = isinstance(value, InstanceValue)
    return not made or not any(repo.classes.lookup(owner, name) for name in _CONTAINS)


def _is_fixed(test: ast.expr, root: ast.AST) -> bool:
    """Whether a test compares a thing with itself, or asks in a loop for what that goes through or if it has
    its item."""
    sides = [test.left, test.comparators[0]] if isinstance(test, ast.Compare) else [test]
    if len(sides) == 2 and ast.unparse(sides[0]) == ast.unparse(sides[1]):
        return True
    if isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.In | ast.NotIn):
        item, held = map(ast.unparse, sides)
        loops = (node for node in walk(root) if isinstance(node, ast.For | ast.AsyncFor | ast.comprehension))
        return any((ast.unparse(one.target), ast.unparse(one.iter)) == (item, held) for one in loops)
    of_none = len(sides) == 2 and isinstance(sides[1], ast.Constant) and sides[1].value is None
    if not isinstance(root, ast.For | ast.AsyncFor) or not (len(sides) == 1 or of_none):
        return False
    code = ast.unparse(sides[0])
    through = {ast.unparse(node) for node in walk(root.iter) if isinstance(node, ast.Name | ast.Attribute)}
    return code in through and code not in changed_in(root)


def _parts(test: ast.expr) -> Iterator[ast.expr]:
    if isinstance(test, ast.BoolOp):
        for value in test.values:
            yield from _parts(value)
    elif isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yield from _parts(test.operand)
    else:
        yield test


def _is_senseless(test: ast.expr, root: ast.AST, source: Source) -> bool:
    """Whether a test asks whether a class or function is there, or compares one of Python's functions, or a
    text or list with a number."""
    function = root if isinstance(root, Function) else source.function_of(root)
    own = own_names(function, root)
    sides = [test.left, *test.comparators] if isinstance(test, ast.Compare) else [test]
    if any(isinstance(side, ast.Attribute) and side.attr in _methods(source) for side in sides):
        return True
    if any(isinstance(side, ast.Constant) and side.value is None for side in sides):
        sides = sides[:1]
    elif isinstance(test, ast.Compare):
        foreign = (
            side.id
            for side in sides
            if isinstance(side, ast.Name) and side.id not in own | _module_names(source)
        )
        number = _compared_with_number(test)
        uses = _uses(number, function or root) if number is not None else set()
        classes = {stmt.name for stmt in getattr(source.tree, "body", ()) if isinstance(stmt, ast.ClassDef)}
        ordered = isinstance(test.ops[0], ast.Lt | ast.LtE | ast.Gt | ast.GtE)
        held = {side.id for side in sides if isinstance(side, ast.Name)} & (
            _containers(source) | classes
        ) - own
        if number is not None and is_display(number, function or root):
            return True
        return any(map(_is_function, foreign)) or bool(uses & _NO_NUMBER) or (ordered and bool(held))
    if isinstance(sides[0], ast.Attribute) and names_in(sides[0]).isdisjoint(own):
        return callable(standard_function(ast.unparse(sides[0])))
    fixed = {stmt.name for stmt in getattr(source.tree, "body", ()) if isinstance(stmt, _ALWAYS)}
    # What is called there is named for what it gives.
    called = {node.func.id for node in find_nodes(root, ast.Call) if isinstance(node.func, ast.Name)}
    return isinstance(sides[0], ast.Name) and sides[0].id in fixed - own - called


def _of_objects(test: ast.expr, root: ast.AST, source: Source) -> Iterator[str]:
    """That what is used as an object is compared with a number, and that a function of the file is compared
    with something."""
    function = root if isinstance(root, Function) else source.function_of(root)
    top = (stmt.name for stmt in getattr(source.tree, "body", ()) if isinstance(stmt, _ALWAYS))
    defined = set(top) - own_names(function, root)
    for node in _parts(test):
        sides = [node.left, *node.comparators] if isinstance(node, ast.Compare) else []
        for name in (side.id for side in sides if isinstance(side, ast.Name) and side.id in defined):
            yield taken_for(name, "a value")
        number = _compared_with_number(node) if isinstance(node, ast.Compare) else None
        if number is not None and _uses(number, function or root) & _OBJECTS:
            yield not_said(f"the code does not say that {ast.unparse(number)} is a number")


def _compared_with_number(test: ast.Compare) -> ast.expr | None:
    """What is compared with a number that is written there, or with a length."""
    sides = (test.left, test.comparators[0])
    between = isinstance(test.left, ast.Constant) and len(test.ops) == 2
    if (len(test.ops) > 1 and not between) or isinstance(test.ops[0], ast.In | ast.NotIn):
        return None
    for one, two in (sides, sides[::-1]):
        is_number = isinstance(two, ast.Constant) and type(two.value) in (int, float)
        is_number |= isinstance(two, ast.Call) and ast.unparse(two.func) == "len"
        if is_number and isinstance(one, ast.Name | ast.Attribute | ast.Subscript):
            return one
    return None


def _uses(node: ast.expr, root: ast.AST) -> set[str]:
    """How an expression is used in a function; not at all where it becomes a number there."""
    code = ast.unparse(node)
    for inner in walk(root):
        made = inner.value if isinstance(inner, ast.Assign | ast.AnnAssign) else None
        if isinstance(made, ast.Call) and called_name(made) in _NUMBERS:
            targets = inner.targets if isinstance(inner, ast.Assign) else ()
            if code in map(ast.unparse, targets):
                return set()
    operand = Operand(code, "local")
    note_uses([operand], root, root)
    return operand.uses


def _module_names(source: Source) -> set[str]:
    body = getattr(source.tree, "body", ())
    stored = {node.id for node in find_nodes(source.tree, ast.Name) if isinstance(node.ctx, ast.Store)}
    return stored | {stmt.name for stmt in body if isinstance(stmt, _ALWAYS)}


def _methods(source: Source) -> set[str]:
    """The methods of a file that no attribute is called like, and that have to be called."""
    owners = list(find_nodes(source.tree, ast.ClassDef))
    every = (stmt for owner in owners for stmt in owner.body if isinstance(stmt, Function))
    fields = {
        stmt.target.id
        for owner in owners
        for stmt in owner.body
        if isinstance(stmt, ast.AnnAssign) and isinstance(stmt.target, ast.Name)
    }
    stored = {node.attr for node in find_nodes(source.tree, ast.Attribute) if isinstance(node.ctx, ast.Store)}
    return {node.name for node in every if _CALLED.issuperset(decorator_names(node))} - fields - stored


def _containers(source: Source) -> set[str]:
    """The constants of a file that hold several values."""
    displays = ast.Tuple | ast.List | ast.Dict | ast.Set
    found = (stmt for stmt in getattr(source.tree, "body", ()) if isinstance(stmt, ast.Assign))
    return {ast.unparse(stmt.targets[0]) for stmt in found if isinstance(stmt.value, displays)}


def _is_function(name: str) -> bool:
    """Whether a name is one of Python's functions, or a kind of sequence that no value is compared with."""
    found = getattr(builtins, name, None)
    plain_type = isinstance(found, type) and name not in _GOING_THROUGH
    return callable(found) and not plain_type
