"""When two forms of a pattern do the same at a place: conditions on what fills the holes."""

from __future__ import annotations

import ast
from collections.abc import Callable
from itertools import takewhile

from spark_tui.codemods.checks.stopped_early import acting_call, what_is_read_on
from spark_tui.codemods.patterns.comprehended import (
    need_mapped,
    need_short_call,
    refuse_await,
    refuse_kept,
    refuse_stop,
)
from spark_tui.codemods.patterns.forms import Filled, Match, read_form
from spark_tui.codemods.patterns.hole_needs import (
    Holes,
    acts,
    need_affix,
    need_boolean,
    need_length,
    need_own_super,
    need_text,
    refuse_async,
    refuse_default,
    refuse_older,
    refuse_rows,
    refuse_sent,
)
from spark_tui.codemods.patterns.start_values import need_exact_start, need_start
from spark_tui.codemods.patterns.table import Pattern
from spark_tui.codemods.plan import Refusal
from spark_tui.codemods.rewriting.edits import names_in
from spark_tui.codemods.rewriting.evaluation import ACTS, has_effects
from spark_tui.pysource.calls.signatures import defaults
from spark_tui.pysource.inference.values import InstanceValue, SuperValue
from spark_tui.pysource.names.type_hints import names_within
from spark_tui.pysource.names.undefined import KNOWN
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Definition, Function, Source, parameters
from spark_tui.pysource.syntax.walking import LOOPS, walk


def check_needs(
    repo: Repository, source: Source, pattern: Pattern, match: Match, *, by_hand: bool = False
) -> None:
    """Refuse a place where the forms would not do the same."""
    old, new = _hole_names(pattern.old), _hole_names(pattern.new)
    acting = [name for name, one in match.holes.items() if acts(one.node, new.count(name) < old.count(name))]
    for name in acting:
        if new.count(name) != old.count(name):
            text = match.holes[name].text
            raise Refusal(f"{text} may do something and would run another number of times")
    orders = [dict.fromkeys(name for name in holes if name in acting) for holes in (old, new)]
    if not pattern.same_order and list(orders[0]) != list(orders[1]):
        raise Refusal("what is called would run in another order")
    if not by_hand:
        _builtins(repo, source, pattern, match)
    for one in pattern.needs:
        _need(repo, source, one, match)


def is_doubted(repo: Repository, source: Source, pattern: Pattern, match: Match) -> bool:
    """Whether the doubt of a pattern arises at a place."""
    if not (pattern.doubt and pattern.unless):
        return bool(pattern.doubt)
    try:
        for one in pattern.unless:
            _need(repo, source, one, match)
    except Refusal:
        return True
    return False


def _hole_names(form: str) -> list[str]:
    """The holes of a form in the order of the text, each as often as it stands there."""
    names = [node for node in walk(read_form(form).tree) if isinstance(node, ast.Name)]
    in_order = sorted(names, key=lambda node: (node.lineno, node.col_offset))
    return [node.id for node in in_order if node.id.startswith("_")]


def _builtins(repo: Repository, source: Source, pattern: Pattern, match: Match) -> None:
    scopes = repo.index.scopes(source.path)
    own = {one for _, one in pattern.imports}
    names = {name for name in names_in(pattern.old, pattern.new) if not name.startswith("_")}
    scope = scopes.of_function(match.nodes[0])
    whole = [imported for imported in repo.index.summary(source.path).imports if not imported.name]
    modules = {one.alias for one in whole if one.module.partition(".")[0] == one.alias}
    for name in names - {"NOT"}:
        found = scopes.lookup(name, scope)
        variable = scopes.variable(name, scopes.module) if name in own and found is scopes.module else None
        if found is scopes.module and (name in modules or (variable is not None and variable.is_imported)):
            continue
        if found is None and name == "os":
            continue  # in a fragment of a file
        if found is not None or (name not in KNOWN and name not in own):
            raise Refusal(f"{name} means something else there")


def _need(repo: Repository, source: Source, need: str, match: Match) -> None:
    """One condition, `word hole` or `word hole in holes`."""
    word, *names = need.replace(" in ", " ").split()
    found = [match.holes[f"_{name}"] for name in names if f"_{name}" in match.holes]
    found += [match.holes[f"__{name}"] for name in names if f"__{name}" in match.holes]
    beside = " in " in need and not {f"_{names[0]}", f"__{names[0]}"} & match.holes.keys()
    if (found or not names) and not beside:
        _NEEDS[word](Holes(repo, source, match, found))


def _is(kind: type[ast.expr], what: str) -> Callable[[Holes], None]:
    """The hole is of a kind."""

    def need(at: Holes) -> None:
        if not isinstance(at.found[0].node, kind):
            raise Refusal(f"{at.found[0].text} is not {what}")

    return need


def _pure(at: Holes) -> None:
    """Evaluating the hole does nothing."""
    if any(item.node is not None and has_effects(item.node) for item in at.found):
        raise Refusal(f"{at.found[0].text} may do something")


def _plain(at: Holes) -> None:
    """Evaluating the hole does nothing and cannot fail."""
    fails = (*ACTS, ast.Subscript, ast.BinOp, ast.Attribute, ast.Compare, ast.Starred, ast.comprehension)
    for item in at.found:
        if item.node is not None and any(isinstance(node, fails) for node in ast.walk(item.node)):
            raise Refusal(f"{item.text} would be evaluated in any case")


def _not_own(at: Holes, usual: str = "") -> None:
    """The hole is no object of a class of the repository: one of its methods may call the other. A class that
    leaves `usual` as it is may be one."""
    node = at.found[0].node
    if node is None:
        return
    scope = at.repo.index.scopes(at.source.path).of_function(at.match.nodes[0])
    values = at.repo.infer.values(at.source.path, node, scope)
    own = next((value.of for value in values if isinstance(value, InstanceValue | SuperValue)), None)
    if own is not None and not (usual and not own.node.bases and usual not in ast.unparse(own.node)):
        raise Refusal(f"{at.found[0].text} is a {own.node.name}, which may do something else")


def _absent(at: Holes) -> None:
    """The names of the first hole do not stand in the others."""
    own = _names(at.found[0])
    for item in at.found[1:]:
        if own & _names(item):
            raise Refusal(f"{sorted(own & _names(item))[0]} is used in the rest")


def _absent_code(at: Holes) -> None:
    """The code of the first hole does not stand in the others."""
    own = at.found[0].text
    for item in at.found[1:]:
        if item.node is not None and any(ast.unparse(node) == own for node in ast.walk(item.node)):
            raise Refusal(f"{own} is used in the rest")


def _not_query(at: Holes) -> None:
    """The hole is no column, whose comparison is a query: `User.name`, `df[df.x == None]`."""
    node = at.found[0].node
    owner = node.value if isinstance(node, ast.Attribute) else None
    scoped = isinstance(owner, ast.Name) and owner.id[:1].isupper()
    within = any(isinstance(ancestor, ast.Subscript) for ancestor in at.source.ancestors(at.match.nodes[0]))
    if scoped or within:
        raise Refusal(f"{at.found[0].text} may be a column: its comparison makes a query")


def _whole(at: Holes) -> None:
    """Nobody sees the collection while it grows: no function that is made before, and no handler of an
    error."""
    scopes = at.repo.index.scopes(at.source.path)
    node = at.found[0].node
    occurrence = scopes.by_node.get(node) if node is not None else None
    if occurrence is None:
        return
    variable = scopes.resolve(occurrence)
    end = max(at.source.span(one)[1] for one in at.match.nodes)
    around = takewhile(lambda one: not isinstance(one, Function), at.source.ancestors(at.match.nodes[0]))
    again = any(isinstance(one, LOOPS) for one in around)
    if any(load.scope is not variable.scope and (again or load.span[0] < end) for load in variable.loads):
        raise Refusal(f"{variable.name} is read by a function too")
    for below, one in at.source.climb(at.match.nodes[0]):
        if isinstance(one, ast.Try) and below in one.body and one.handlers:
            low, high = at.source.span(one.body[0])[0], at.source.span(one.body[-1])[1]
            if any(not low <= load.span[0] < high for load in variable.loads):
                raise Refusal(f"{variable.name} is read after an error, with what it has until then")
        if isinstance(one, Function | ast.Lambda):
            return


def _not_for_checkers(at: Holes) -> None:
    """The hole is no condition that type checkers understand in an `if` only."""
    if any(word in at.found[0].text for word in ("version_info", "sys.platform", "TYPE_CHECKING")):
        raise Refusal(f"type checkers read {at.found[0].text} in an if only")


def _names(filled: Filled) -> set[str]:
    nodes = [filled.node] if filled.node is not None else list(filled.row)
    return names_within(*nodes)


def _number(at: Holes) -> None:
    """The hole is a number: a literal, a length, or a parameter whose default is one."""
    if not _is_plain_kind(at, at.found[0].node, (int, float)):
        raise Refusal(f"{at.found[0].text} may be something else than a number")


def _unshared(at: Holes) -> None:
    """One of the holes is a number or text, so that nothing is changed in place."""
    if not any(_is_plain_kind(at, item.node, (int, float, str)) for item in at.found):
        raise Refusal(f"{at.found[0].text} may be a list, which would be changed in place")


def _is_plain_kind(at: Holes, node: ast.expr | None, kinds: tuple[type, ...]) -> bool:
    """Whether an expression has a value of some kinds, by its form or by what its name is first set to."""
    if isinstance(node, ast.JoinedStr):
        return str in kinds
    if isinstance(node, ast.BinOp):
        return any(_is_plain_kind(at, item, kinds) for item in (node.left, node.right))
    if isinstance(node, ast.Call):
        called = {"len": int, "int": int, "float": float, "str": str, "round": float}
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        return called.get(name) in kinds
    if isinstance(node, ast.Constant):
        return type(node.value) in kinds
    function = at.source.function_of(at.match.nodes[0])
    if not isinstance(node, ast.Name) or function is None:
        return False
    own = (one.annotation for one in parameters(function) if one.arg == node.id and one.annotation)
    hint = next(map(ast.unparse, own), "")
    default = defaults(function).get(node.id)
    if hint in [kind.__name__ for kind in kinds]:
        return True
    if isinstance(default, ast.Constant) and type(default.value) in kinds:
        return True
    found = (inner for inner in ast.walk(function) if isinstance(inner, ast.Assign))
    first = next((inner for inner in found if ast.unparse(inner.targets[0]) == node.id), None)
    return first is not None and isinstance(first.value, ast.Constant) and type(first.value.value) in kinds


def _last(at: Holes) -> None:
    """The match ends its function."""
    function = at.source.function_of(at.match.nodes[0])
    if function is None or function.body[-1] is not at.match.nodes[-1]:
        raise Refusal("code follows it in the function")


def _not_in_class(at: Holes) -> None:
    around = at.source.ancestors(at.match.nodes[0])
    holders = (one for one in around if isinstance(one, Definition | ast.Lambda))
    if isinstance(next(holders, None), ast.ClassDef):
        raise Refusal("a comprehension in the body of a class does not see its names")


def _fresh(at: Holes) -> None:
    """Nothing reads the names of a target afterwards, if they are set in the function."""
    scopes, node = at.repo.index.scopes(at.source.path), at.match.nodes[0]
    low, high = at.span
    here = scopes.of_function(node)
    around = takewhile(lambda item: not isinstance(item, Function), at.source.ancestors(node))
    again = any(isinstance(item, ast.For | ast.AsyncFor | ast.While) for item in around)
    for name in sorted(_names(at.found[0])):
        for item in scopes.by_name.get(name, ()):
            owner = scopes.resolve(item).scope
            inner = owner is not here and owner is not None and here in owner.outwards()
            if low <= item.span[0] < high or inner or here not in item.scope.outwards():
                continue
            alone = owner is here and item.scope is here and not again
            if here is scopes.module or not (alone and (item.span[0] < low or item.role.binds)):
                raise Refusal(f"{name} is used elsewhere too")


def _unread(at: Holes) -> None:
    """The names of a target are not read outside of the place, or only where another loop sets them."""
    scopes = at.repo.index.scopes(at.source.path)
    low, high = at.span
    node = at.found[0].node
    for inner in ast.walk(node) if node is not None else ():
        occurrence = scopes.by_node.get(inner)
        if occurrence is None:
            if isinstance(inner, ast.Attribute | ast.Subscript):
                raise Refusal(f"{ast.unparse(inner)} is not a local name")
            continue
        variable = scopes.resolve(occurrence)
        if variable.scope is scopes.module and at.repo.index.importers(at.source.path):
            raise Refusal(f"{variable.name} is a name of the module")
        for use in variable.occurrences:
            free = use.role.binds or low <= use.span[0] < high
            if not free and not _set_by_loop(at.source, use.node, variable.name):
                line = at.source.line_number(max(use.span[0], 0))
                raise Refusal(f"{variable.name} is used on line {line} too")


def _set_by_loop(source: Source, node: ast.AST, name: str) -> bool:
    for below, one in source.climb(node):
        if isinstance(one, ast.For) and below in one.body and name in names_within(one.target):
            return True
    return False


def _read_once(at: Holes) -> None:
    """Nothing reads on in what is gone through, so that nobody misses or meets its last items."""
    node = at.found[0].node
    left = what_is_read_on(at.repo, at.source, node) if node is not None else ""
    if left:
        raise Refusal(f"{left} is read on")


def _asking(at: Holes) -> None:
    """Nobody misses what the holes call where it is not called for each item."""
    for item in at.found:
        if item.node is not None and acting_call(item.node) is not None:
            raise Refusal(f"{item.text} may do something")


_NEEDS = {
    "last": _last,
    "name": _is(ast.Name, "a plain name"),
    "number": _number,
    "unshared": _unshared,
    "attribute": _is(ast.Attribute, "an attribute"),
    "pure": _pure,
    "plain": _plain,
    "not_own": _not_own,
    "usual_equality": lambda at: _not_own(at, "__eq__"),
    "not_query": _not_query,
    "whole": _whole,
    "not_for_checkers": _not_for_checkers,
    "absent": _absent,
    "absent_code": _absent_code,
    "no_await": refuse_await,
    "no_stop": refuse_stop,
    "kept": refuse_kept,
    "not_rows": refuse_rows,
    "not_default": refuse_default,
    "not_sent": refuse_sent,
    "literal": _is(ast.Constant, "a literal"),
    "measures": need_length,
    "boolean": need_boolean,
    "not_in_class": _not_in_class,
    "not_async": refuse_async,
    "own_super": need_own_super,
    "python39": refuse_older,
    "affix": need_affix,
    "full": lambda at: need_affix(at, full=True),
    "start": need_start,
    "exact": need_exact_start,
    "mapped": need_mapped,
    "short_call": need_short_call,
    "fresh": _fresh,
    "unread": _unread,
    "text": need_text,
    "read_once": _read_once,
    "asking": _asking,
}
