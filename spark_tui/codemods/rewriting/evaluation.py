"""When expressions are evaluated, and whether evaluating them elsewhere means the same."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.pysource.names.imports import has_lazy_annotations
from spark_tui.pysource.names.scope_records import AttributeUse
from spark_tui.pysource.names.scopes import Role, Scopes
from spark_tui.pysource.names.type_hints import called_name, names_set, names_within
from spark_tui.pysource.source import Definition, Source
from spark_tui.pysource.syntax.walking import walk
from spark_tui.pysource.words import word_set

ACTS = (ast.Call, ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)
_ONLY_ASKING = word_set("len str int float repr print isinstance type id abs round getattr hasattr")
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def has_effects(node: ast.AST) -> bool:
    """Whether evaluating may do something, or give another value the next time."""
    return any(isinstance(inner, ACTS) for inner in ast.walk(node))


def explain_conditional(source: Source, node: ast.expr, statement: ast.stmt) -> str:
    """Why an expression is not evaluated exactly once, before its statement; empty where it is."""
    for below, one in source.climb(node):
        # Only what the first `for` goes through is evaluated where the comprehension stands.
        again = isinstance(one, ast.comprehension) and below is not one.iter
        again = again or (isinstance(one, _COMPREHENSIONS) and below is not one.generators[0])
        if again or isinstance(one, ast.Lambda):
            return "it is evaluated later or more than once"
        if isinstance(one, ast.IfExp) and below is not one.test:
            return "it is evaluated only where a condition holds"
        if isinstance(one, ast.BoolOp) and below is not one.values[0]:
            return "whether it is evaluated depends on what comes before it"
        if isinstance(one, ast.Compare) and below not in (one.left, one.comparators[0]):
            return "whether it is evaluated depends on what comes before it"
        if isinstance(one, ast.AnnAssign) and below is one.annotation and has_lazy_annotations(source):
            return "it is in an annotation, which the file does not evaluate"
        if isinstance(one, ast.ExceptHandler | ast.match_case):
            return "whether it is evaluated depends on what comes before it"
        if one is statement:
            break
    branch = isinstance(statement, ast.If) and is_elif(source, statement)
    if branch or isinstance(statement, ast.While | ast.Assert):
        return "it is not evaluated exactly once"
    return "it belongs to the head of a definition" if isinstance(statement, Definition) else ""


def is_elif(source: Source, statement: ast.AST) -> bool:
    return source.text.startswith("elif", source.span(statement)[0])


def is_set_within(source: Source, node: ast.expr, statement: ast.stmt) -> bool:
    """Whether the statement gives a name of an expression its value first, by `:=` or `as`."""
    for inner in _evaluated(statement):
        target = inner.target if isinstance(inner, ast.NamedExpr) else getattr(inner, "optional_vars", None)
        earlier = target is not None and source.span(target)[0] < source.span(node)[0]
        if target is not None and earlier and names_within(target) & names_within(node):
            return True
    return False


def has_earlier_effects(source: Source, node: ast.expr, statement: ast.stmt) -> bool:
    """Whether the statement does something before it evaluates an expression."""
    low, around = source.span(node)[0], (node, *source.ancestors(node))
    acting = (inner for inner in _evaluated(statement) if isinstance(inner, ACTS))
    return any(source.span(inner)[0] < low and inner not in around for inner in acting)


def reads_before(
    scopes: Scopes, node: ast.expr, statement: ast.stmt, call: ast.expr | None = None
) -> ast.expr | None:
    """What a statement reads before it evaluates a call that may change it: an item of what the call works
    on, an attribute that a method sets, a name that a function declares global; also what it adds to.
    `call`: what will stand in the place of the node."""
    source, named = scopes.source, names_within(call or node)
    low = source.span(node)[0]
    added_to = statement.target if isinstance(statement, ast.AugAssign) else None
    waits = any(isinstance(one, ast.Await | ast.Yield | ast.YieldFrom) for one in ast.walk(call or node))
    for inner in _evaluated(statement):
        kinds = (ast.Attribute, ast.Subscript, ast.Name)
        if not isinstance(inner, kinds) or not 0 <= source.span(inner)[1] <= low:
            continue
        holder = source.parents.get(inner)
        read = isinstance(inner.ctx, ast.Load) or inner is added_to
        if not read or getattr(holder, "func", None) is inner:
            continue
        if isinstance(inner, ast.Name):
            known = scopes.by_node.get(inner)
            every = scopes.resolve(known).occurrences if known is not None else ()
            if any(one.role is Role.DECLARE for one in every):
                return inner
        elif isinstance(inner, ast.Attribute):
            stores = (one for one in scopes.attributes_by_name.get(inner.attr, ()) if _sets_later(one))
            if any(one.node is not inner or waits for one in stores):  # meanwhile the statement may run again
                return inner
        elif names_within(inner.value) & named:
            return inner
    return None


def is_touched_before(source: Source, node: ast.expr, value: ast.expr, statement: ast.stmt) -> bool:
    """Whether a statement calls something that may change what a value looks into, `xs` of `not xs`, before
    it evaluates a place."""
    low, around = source.span(node)[0], (node, *source.ancestors(node))
    names = names_within(value) if not isinstance(value, ast.Name) else set()
    calls = (one for one in _evaluated(statement) if isinstance(one, ast.Call) and one not in around)
    early = (one for one in calls if source.span(one)[0] < low and called_name(one) not in _ONLY_ASKING)
    return any(names & names_within(one) for one in early)


def _sets_later(use: AttributeUse) -> bool:
    """Whether an attribute is set after its object is made."""
    return isinstance(use.node.ctx, ast.Store) and getattr(use.scope.node, "name", "") != "__init__"


def may_change(source: Source, node: ast.expr) -> bool:
    """Whether what is called elsewhere may give an expression another value: it reads an attribute, an item,
    or a name that is not the own one of a function."""
    function = source.function_of(node)
    inside = walk(function)
    if any(isinstance(inner, ast.Global | ast.Nonlocal) for inner in inside):
        return True
    own = {inner.arg for inner in inside if isinstance(inner, ast.arg)}
    if function is not None:
        own |= names_set(function)
    reads = [item for item in ast.walk(node) if isinstance(item, ast.Attribute | ast.Subscript)]
    return any(not (isinstance(read, ast.Attribute) and read.attr.isupper()) for read in reads) or any(
        isinstance(item, ast.Name)
        and item.id not in own
        and not item.id.isupper()
        and all(read.value is not item for read in reads)
        for item in ast.walk(node)
    )


def _evaluated(statement: ast.stmt) -> Iterator[ast.AST]:
    """The expressions of a statement itself, not those of its suites."""
    for child in ast.iter_child_nodes(statement):
        if not isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case):
            yield from ast.walk(child)


def names_read(scopes: Scopes, node: ast.AST) -> set[str]:
    """The names that an expression reads from outside of itself."""
    inside = set(ast.walk(node))
    out = set()
    for item in inside & scopes.by_node.keys():
        occurrence = scopes.by_node[item]
        scope = scopes.resolve(occurrence).scope
        if scope is None or scope.node not in inside:
            out.add(occurrence.name)
    return out
