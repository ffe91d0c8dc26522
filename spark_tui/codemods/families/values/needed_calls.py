"""What may need a call all the same that is taken away from around a value."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.codemods.checks.value_kinds import ONE_WAY, ValueKind, value_kind
from spark_tui.codemods.rewriting.edits import one_line
from spark_tui.codemods.rewriting.evaluation import has_effects
from spark_tui.pysource.inference.known_types import BUILTIN_TYPES, CHANGING
from spark_tui.pysource.inference.values import FunctionValue
from spark_tui.pysource.names.type_hints import called_name, last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.parsing import targets
from spark_tui.pysource.syntax.walking import find_nodes, walk_each
from spark_tui.pysource.words import word_set

_COPIES = word_set("list tuple sorted set frozenset dict copy deepcopy")
_THROUGH_KEYS = word_set("list tuple set frozenset sorted iter len sum min max enumerate any all dict")
_LAZY = word_set("range keys values items")
_PASSED = word_set("list tuple")
"""What copies the items in their order, and can be gone through again."""
_KINDS = {name: name for name in word_set("str bytes list tuple set frozenset dict array Path")}
_KINDS |= {"sorted": "list", "repr": "str", "decode": "str", "encode": "bytes", "asarray": "array"}
_NUMBERS = word_set("int float len")
_KINDS |= dict.fromkeys(_NUMBERS, "number")
"""What conversions give."""
_WRITING = word_set("write send sendall join")
_TOLD = {
    ValueKind.TEXT: "str",
    ValueKind.LIST: "list",
    ValueKind.TUPLE: "tuple",
    ValueKind.SET: "set",
    ValueKind.DICT: "dict",
    ValueKind.NUMBER: "number",
}


def call_doubts(repo: Repository, source: Source, node: ast.Call, kept: ast.expr) -> Iterator[str]:
    """What may need the call all the same."""
    yield from _of_its_place(source, node, kept)
    yield from _of_a_copy(repo, source, node, kept)
    yield from _of_its_kind(repo, source, node, kept)
    name, text, holder = called_name(node), one_line(source, kept), source.parents.get(node)
    if isinstance(holder, ast.FormattedValue) and holder.format_spec and name in _KINDS:
        yield f"{text} may be something that its format does not fit"
    if name in ("enumerate", "zip"):
        yield f"the items of {text} are not what {name}() gives"
    if name == "iter" and not (_goes_through(holder, node) or called_name(holder) in _THROUGH_KEYS):
        yield f"{text} may be no iterator"
    if name == "dict" and node.keywords:
        yield "what else it is given goes"


def _goes_through(holder: ast.AST | None, node: ast.expr) -> bool:
    """Whether a loop goes through a value."""
    return isinstance(holder, ast.For | ast.comprehension) and holder.iter is node


def _of_its_place(source: Source, node: ast.Call, kept: ast.expr) -> Iterator[str]:
    """What the place of a call, and what else it is given, may need."""
    text, holder = one_line(source, kept), source.parents.get(node)
    if isinstance(holder, ast.withitem):
        yield f"{text} has to be a context manager itself"
    if isinstance(holder, ast.Raise):
        yield f"{text} has to be an error"
    if isinstance(holder, ast.Await) and isinstance(kept, ast.Call):
        yield f"{text} has to be awaited"
    if isinstance(holder, ast.Attribute) and not isinstance(holder.ctx, ast.Load):
        yield f"{ast.unparse(holder)} becomes an attribute of something else"
    if any(has_effects(item) for item in (*node.args, *node.keywords) if item is not kept):
        yield "what else it is given is not worked out any more"


def _of_a_copy(repo: Repository, source: Source, node: ast.Call, kept: ast.expr) -> Iterator[str]:
    """What needs a collection of its own, or other items than the value has."""
    name, text, holder = called_name(node), one_line(source, kept), source.parents.get(node)
    loops = _goes_through(holder, node)
    loop = source.parents.get(holder) if called_name(holder) in ("enumerate", "zip") and holder else holder
    if isinstance(loop, ast.For) and loop.iter in (node, holder) and name in _COPIES:
        if _changes(loop.body, ast.unparse(kept)):
            yield f"the loop changes {text} while it goes through it"
        elif call := next(_reaching(repo, source, loop, kept), ""):
            yield f"{call} may change {text} while the loop goes through it"
    if name in _COPIES and _is_shared(source, node, kept):
        yield f"{text} itself is there in place of a copy: what changes one changes both"
    if name in ("values", "items") and not node.args:
        yield f"going through {text} gives its keys"
    asked = isinstance(holder, ast.Compare) and isinstance(holder.ops[-1], ast.In | ast.NotIn)
    if name == "keys" and not (loops or asked or (called_name(holder) in _THROUGH_KEYS)):
        yield f"{text} itself is there in place of its keys"
    lazy = _value_kind(repo, source, kept) in ONE_WAY or called_name(kept) in _LAZY
    lazy = lazy or (isinstance(kept, ast.Call) and name != "sorted" and not _kind(repo, source, kept))
    if name in _COPIES and lazy and not (loops or isinstance(holder, ast.Starred)):
        yield f"{text} may be gone through only once, and may have no length"


def _of_its_kind(repo: Repository, source: Source, node: ast.Call, kept: ast.expr) -> Iterator[str]:
    """What needs a value of the kind that the call gives."""
    name, text, uses = called_name(node), one_line(source, kept), list(_uses(source, node))
    kind = _kind(repo, source, kept)
    other = name == "sorted" or (name in _KINDS and kind != _KINDS[name])
    if name == "int" and called_name(kept) != "len" and any(_needs_int(repo, source, one) for one in uses):
        yield f"{text} has to be an int itself there"
    elif other and any(_needs_kind(source, one, name) for one in uses):
        yield f"{text} has to be a {_KINDS[name]} itself there"
    elif kind and other and name not in _COPIES and not all(_only_shows(source, one) for one in uses):
        yield f"{text} is a {kind}, not a {_KINDS[name]}"
    elif (
        not kind
        and _converts(repo, source, node)
        and not all(_does_as_well(source, one, name) for one in uses)
    ):
        yield f"it is not known that {text} is a {_KINDS.get(name, name)}"
    elif not kind and name in _PASSED and sum(_takes_all(source, one) for one in uses) > 1:
        yield f"{text} may be gone through only once"


def _reaching(repo: Repository, source: Source, loop: ast.For, kept: ast.expr) -> Iterator[str]:
    """The calls in a loop that may reach a collection: of methods of its object, with it, or where it is no
    local, of functions of the file."""
    text, scopes = ast.unparse(kept), repo.index.scopes(source.path)
    scope = scopes.of_function(loop)
    shared = isinstance(kept, ast.Name) and scopes.lookup(kept.id, scope) is scopes.module
    for call in (node for node in walk_each(loop.body) if isinstance(node, ast.Call)):
        values = repo.infer.values(source.path, call.func, scope) if shared else ()
        own = any(isinstance(value, FunctionValue) and value.path == source.path for value in values)
        owner = ast.unparse(call.func.value) if isinstance(call.func, ast.Attribute) else ""
        reaches = own or (owner and text.startswith(f"{owner}.")) or text in map(ast.unparse, call.args)
        if reaches and called_name(call) not in _THROUGH_KEYS:
            yield one_line(source, call)


def _uses(source: Source, node: ast.Call) -> Iterator[ast.expr]:
    """A call, what chooses it, and the reads of the local that is set to what it gives."""
    yield node
    holder = source.parents.get(node)
    while isinstance(holder, ast.IfExp):
        yield holder
        holder = source.parents.get(holder)
    local = targets(holder)[0] if isinstance(holder, ast.Assign | ast.AnnAssign | ast.NamedExpr) else None
    if isinstance(local, ast.Name):
        reads = find_nodes(source.function_of(node) or source.tree, ast.Name)
        yield from (one for one in reads if one.id == local.id and one is not local)


def _only_shows(source: Source, node: ast.expr) -> bool:
    """Whether a value of any kind does as well there."""
    holder = source.parents.get(node)
    shown = isinstance(holder, ast.FormattedValue) or called_name(holder) == "print"
    tested = isinstance(holder, ast.IfExp | ast.If | ast.While)
    sets = isinstance(holder, ast.Assign | ast.AnnAssign | ast.NamedExpr)
    named = sets and all(isinstance(one, ast.Name) for one in targets(holder))
    return shown or tested or named or (isinstance(holder, ast.BinOp) and isinstance(holder.op, ast.Mod))


def _converts(repo: Repository, source: Source, node: ast.Call) -> bool:
    """Whether a call gives a value of another kind, by a builtin."""
    scopes = repo.index.scopes(source.path)
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    return name in BUILTIN_TYPES and scopes.lookup(name, scopes.of_function(node)) is None


def _does_as_well(source: Source, node: ast.expr, name: str) -> bool:
    """Whether a value of an unknown kind does as well there as what a conversion makes of it."""
    holder = source.parents.get(node)
    if isinstance(holder, ast.IfExp) and holder.test is not node:
        return _does_as_well(source, holder, name)
    if isinstance(holder, ast.Assign | ast.AnnAssign | ast.NamedExpr):
        inside = isinstance(holder, ast.NamedExpr) and not _does_as_well(source, holder, name)
        return all(isinstance(one, ast.Name) for one in targets(holder)) and not inside
    if name == "bool":
        return isinstance(holder, ast.If | ast.While | ast.IfExp | ast.BoolOp | ast.UnaryOp | ast.Assert)
    if name == "str":
        return _only_shows(source, node) and not isinstance(holder, ast.If | ast.While | ast.IfExp)
    asked = isinstance(holder, ast.Compare) and isinstance(holder.ops[-1], ast.In | ast.NotIn)
    if asked and getattr(holder, "left", None) is not node:
        return name in _COPIES
    return name in _PASSED and _takes_all(source, node)


def _takes_all(source: Source, node: ast.expr) -> bool:
    """Whether a place goes through all items of a value, in whatever it is."""
    holder = source.parents.get(node)
    loops = isinstance(holder, ast.For | ast.comprehension) and holder.iter is node
    taken = called_name(holder) in _THROUGH_KEYS - {"len", "iter", "dict"} or called_name(holder) == "join"
    return loops or isinstance(holder, ast.Starred) or (taken and getattr(holder, "func", None) is not node)


def _needs_int(repo: Repository, source: Source, node: ast.expr) -> bool:
    holder = source.parents.get(node)
    if isinstance(holder, ast.BinOp) and isinstance(holder.op, ast.Mult):
        sides = {_kind(repo, source, side) for side in (holder.left, holder.right)}
        return not sides.isdisjoint(("str", "list", "tuple"))
    index = isinstance(holder, ast.Subscript) and holder.slice is node
    return index or isinstance(holder, ast.Slice) or called_name(holder) == "range"


def _needs_kind(source: Source, node: ast.expr, name: str) -> bool:
    """Whether what is around a conversion takes values of its kind only."""
    holder = source.parents.get(node)
    if isinstance(holder, ast.Compare):
        asked = isinstance(holder.ops[-1], ast.In | ast.NotIn)
        return holder.left is node or name not in _COPIES or not asked
    if isinstance(holder, ast.AugAssign):
        return holder.value is node and name not in _COPIES
    if isinstance(holder, ast.Dict):
        return node in holder.keys
    if isinstance(holder, ast.Return):
        function = source.function_of(node)
        return function is not None and function.returns is not None and last_name(function.returns) == name
    if isinstance(holder, ast.BinOp):
        return name != "str" or not isinstance(holder.op, ast.Mod)
    if isinstance(holder, ast.GeneratorExp | ast.ListComp | ast.List | ast.Tuple):
        return called_name(source.parents.get(holder)) == "join"
    if isinstance(holder, ast.Attribute | ast.Subscript | ast.Set):
        return True
    return called_name(holder) in _WRITING or (name in _NUMBERS and called_name(holder) == "range")


def _is_shared(source: Source, node: ast.Call, kept: ast.expr) -> bool:
    """Whether a copy of something that has a name is returned, kept in an object, or changed."""
    holder, function = source.parents.get(node), source.function_of(node)
    while isinstance(holder, ast.IfExp):
        holder = source.parents.get(holder)
    if not isinstance(kept, ast.Name | ast.Attribute | ast.Subscript):
        return False
    handed = isinstance(holder, ast.Return | ast.Yield | ast.Dict | ast.List | ast.Tuple)
    if handed or called_name(node) == "deepcopy" or called_name(holder) in CHANGING:
        return True
    if not isinstance(holder, ast.Assign | ast.AnnAssign):
        return False
    names = [one for one in targets(holder) if isinstance(one, ast.Name)]
    body = source.body if function is None else function.body
    return not names or any(_changes(body, text) for text in (names[0].id, ast.unparse(kept)))


def _changes(body: list[ast.stmt], text: str) -> bool:
    """Whether statements add to a collection, or take from it."""
    changed: list[ast.expr] = []
    for node in walk_each(body):
        if isinstance(node, ast.Attribute | ast.Subscript):
            sets = not isinstance(node.ctx, ast.Load) or getattr(node, "attr", "") in CHANGING
            changed += [node.value] if sets else []
        elif isinstance(node, ast.AugAssign):
            changed.append(node.target)
    return any(text == one or text.startswith(f"{one}.") for one in map(ast.unparse, changed))


def _value_kind(repo: Repository, source: Source, node: ast.expr) -> ValueKind | None:
    return value_kind(repo, source.path, node, repo.index.scopes(source.path).of_function(node))


def _kind(repo: Repository, source: Source, node: ast.expr) -> str:
    """The type of a value, where its form or the code tells it."""
    if isinstance(node, ast.BinOp):
        plain = isinstance(node.op, ast.Div | ast.FloorDiv | ast.Sub | ast.Pow)
        sides = (_kind(repo, source, side) for side in (node.left, node.right))
        return "number" if plain or "number" in sides else ""
    if isinstance(node, ast.Constant) and isinstance(node.value, bytes):
        return "bytes"
    found = _value_kind(repo, source, node)
    return _TOLD[found] if found in _TOLD else _KINDS.get(called_name(node), "")
