"""Calls that are taken away from around a value, or from behind it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.codemods.imports.doubts import import_doubts
from spark_tui.codemods.imports.unused import lost_imports
from spark_tui.codemods.places.named import delete_statements, find_region, need_one
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import (
    comments_in,
    is_same_tree,
    one_line,
    parses_to,
    plan_edits,
    read_expression,
    refuse_lost_comments,
    string_lines,
)
from spark_tui.codemods.rewriting.evaluation import has_effects
from spark_tui.codemods.slots import Expression, Place
from spark_tui.pysource.names.type_hints import called_name, last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Definition, Source
from spark_tui.pysource.syntax.parsing import targets
from spark_tui.pysource.syntax.walking import find_nodes, walk_each
from spark_tui.pysource.words import word_set

_WITH_MORE = word_set("int str round sorted bytes deepcopy array asarray wait_for")
"""What is given a value first, and then how it is changed."""
_COPIES = word_set("list tuple sorted set frozenset copy deepcopy")
_CHANGING = word_set(
    "append extend insert remove pop clear sort reverse add discard update popitem setdefault"
)
_OF_TWO = word_set("enumerate items iteritems zip")
_THROUGH_KEYS = word_set("list tuple set frozenset sorted iter len sum min max enumerate any all dict")
_LAZY = word_set("map filter zip reversed enumerate iter range keys values items")
_METHODS = {name for kind in (str, bytes, dict, list, set) for name in dir(kind)}
_KINDS = {
    name: name for name in ("str", "bytes", "list", "tuple", "set", "frozenset", "dict", "array", "Path")
}
_KINDS |= {"sorted": "list", "repr": "str", "decode": "str", "encode": "bytes", "asarray": "array"}
"""What conversions give."""
_FORMATTED = _KINDS.keys() | {"int", "float"}
_WRITING = word_set("write send sendall join")
_DISPLAYS = {ast.JoinedStr: "str", ast.List: "list", ast.ListComp: "list", ast.Tuple: "tuple", ast.Set: "set"}
_DISPLAYS |= {ast.SetComp: "set", ast.Dict: "dict", ast.DictComp: "dict"}


@codemod
class UnwrapCall:
    """Take a call away and keep the value: `int(x)` becomes `x`, and `x.decode()` too."""

    place: Place = slot("where: `in Cart.add`, `in shop/cart.py`, or shop/cart.py:12-14")
    call: Expression = slot("the call, or what is called: int(x), sorted, name.decode")
    value: Expression = slot("what stays, if that is not clear", default=Expression(""))
    every: bool = slot("whether all places are meant, not the only one", default=False)

    def plan(self, repo: Repository) -> Plan:
        within = find_region(repo, self.place)
        source, wanted = within.source, read_expression(self.call)
        found = [node for node in within.nodes(ast.Call) if _is_meant(node, wanted)]
        if not self.every or not found:
            found = [need_one(found, self.call, within)]
        edits: list[Edit] = []
        doubts: list[Unfollowed] = []
        for node in found:
            kept = self._kept(repo, source, node)
            if kept is None:
                raise Refusal(f"line {node.lineno}: what is to stay of {source.segment(node)} is not clear")
            edits.append(_unwrapped(source, node, kept))
            doubts += [Unfollowed(source.path, node.lineno, one) for one in _doubts(source, node, kept)]
        doubts += import_doubts(repo, edits)
        return plan_edits(repo, [*edits, *lost_imports(repo, source.path, edits)], doubts)

    def _kept(self, repo: Repository, source: Source, node: ast.Call) -> ast.expr | None:
        if not self.value:
            return kept_value(repo, source, node)
        wanted = read_expression(self.value)
        every = (*values_of(node), *owners(node))
        return next((one for one in every if is_same_tree(wanted, one)), None)


def _is_meant(node: ast.Call, wanted: ast.expr) -> bool:
    """Whether a call is the one that is shown: `int(x)`, or by what is called alone, `int` or `int()`."""
    if isinstance(wanted, ast.Call) and (wanted.args or wanted.keywords):
        return is_same_tree(wanted, node)
    return is_same_tree(wanted.func if isinstance(wanted, ast.Call) else wanted, node.func)


def values_of(node: ast.Call) -> list[ast.expr]:
    """What may stay of a call."""
    owner = [node.func.value] if isinstance(node.func, ast.Attribute) else []
    return [*owner, *(item for item in node.args if not isinstance(item, ast.Starred))]


def owners(node: ast.expr) -> Iterator[ast.expr]:
    """What methods are called on, from the last one of a row: `a.b().c()` on `a.b()`, and that on `a`."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        node = node.func.value
        yield node


def kept_value(repo: Repository, source: Source, node: ast.Call) -> ast.expr | None:
    """What is left of a call: the value that its method is called on, or the first one that it is given."""
    func, given = node.func, [*node.args, *(item.value for item in node.keywords)]
    if any(isinstance(item, ast.Starred) for item in node.args) or None in [one.arg for one in node.keywords]:
        return None
    if isinstance(func, ast.Attribute) and not _is_holder(repo, source, func.value):
        plain = func.attr in _METHODS and all(isinstance(item, ast.Constant) for item in given)
        return func.value if plain or not given else None
    return node.args[0] if len(node.args) == 1 or (node.args and last_name(func) in _WITH_MORE) else None


def _is_holder(repo: Repository, source: Source, node: ast.expr) -> bool:
    """Whether a function is looked up in a module, a class or the own object."""
    text = ast.unparse(node)
    imported = {name for one in repo.index.summary(source.path).imports for name in (one.alias, one.module)}
    named = text in ("self", "cls") or (text[:1].isupper() and text.isidentifier() and not text.isupper())
    return named or text in imported or text in ("super()", "os.path")


def _unwrapped(source: Source, node: ast.Call, kept: ast.expr) -> Edit:
    """The edit that leaves the value, in brackets where it needs them."""
    old: ast.expr = node
    holder = source.parents.get(node)
    if isinstance(holder, ast.Await) and not isinstance(kept, ast.Call | ast.Await):
        old, holder = holder, source.parents.get(holder)
    if isinstance(holder, ast.Expr) and not has_effects(kept):
        raise Refusal(f"line {node.lineno}: nothing uses its value: the line can be deleted")
    if isinstance(holder, Definition):
        raise Refusal(f"line {node.lineno}: it belongs to the head of a definition")
    apart = isinstance(getattr(holder, "target", None), ast.Tuple | ast.List)
    if isinstance(holder, ast.For | ast.comprehension) and apart and called_name(node) in _OF_TWO:
        raise Refusal(f"line {node.lineno}: the loop takes apart what {called_name(node)} gives")
    if isinstance(holder, ast.Assign) and [ast.unparse(kept)] == list(map(ast.unparse, holder.targets)):
        gone = delete_statements(source, [holder])
        refuse_lost_comments(source, [gone])
        return gone
    low, high = source.span(old)
    start, end = source.span(kept)
    if low < 0 or start < 0:
        raise Refusal(f"line {node.lineno}: the place inside a string cannot be edited exactly")
    texts = [_moved(source, low, start, end)]
    if kept in node.args:
        opened = source.text.index("(", source.span(node.func)[1])
        texts += (
            [source.text[opened : source.span(node)[1]]] if len(node.args) + len(node.keywords) == 1 else []
        )
    for text in (texts[0], *texts[1:], f"({texts[0]})"):
        edit = Edit(source.path, low, high, text)
        if parses_to(source, [edit], {old: kept}):
            if any(item not in text for item in comments_in(source, low, high)):
                raise Refusal(f"line {node.lineno}: there is a comment inside the call")
            return edit
    raise Refusal(f"line {node.lineno}: {source.segment(kept)} does not fit there")


def _moved(source: Source, low: int, start: int, end: int) -> str:
    """The text of a value that moves to another place; lines below its first one move along."""
    line, column = source.position(start)
    own = not source.lines[line][:column].strip()
    first = source.lines[source.position(low)[0]]
    by = column - (len(first) - len(first.lstrip(" \t")) if own else source.position(low)[1])
    strings, out = string_lines(source), []
    for at, text in enumerate(source.text[start:end].splitlines(keepends=True), line):
        deep = len(text) - len(text.lstrip(" \t"))
        out.append(text[by:] if at > line and at not in strings and deep >= column >= by else text)
    return "".join(out)


def _doubts(source: Source, node: ast.Call, kept: ast.expr) -> Iterator[str]:
    """What may need the call all the same."""
    name, text, holder = called_name(node), one_line(source, kept), source.parents.get(node)
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
    loops = isinstance(holder, ast.For | ast.comprehension) and holder.iter is node
    if isinstance(holder, ast.For) and loops and name in _COPIES and _changes(holder.body, ast.unparse(kept)):
        yield f"the loop changes {text} while it goes through it"
    if name in _COPIES and _is_shared(source, node, kept):
        yield f"{text} itself is there in place of a copy: what changes one changes both"
    if name in ("values", "items") and not node.args:
        yield f"going through {text} gives its keys"
    asked = isinstance(holder, ast.Compare) and isinstance(holder.ops[-1], ast.In | ast.NotIn)
    if name == "keys" and not (loops or asked or (called_name(holder) in _THROUGH_KEYS)):
        yield f"{text} itself is there in place of its keys"
    lazy = isinstance(kept, ast.GeneratorExp) or called_name(kept) in _LAZY
    lazy = lazy or (isinstance(kept, ast.Call) and name != "sorted" and not _kind(kept))
    if name in _COPIES and lazy and not (loops or isinstance(holder, ast.Starred)):
        yield f"{text} may be gone through only once, and may have no length"
    if name in _KINDS and _kind(kept) != _KINDS[name] and _needs_kind(source, node, name):
        yield f"{text} has to be a {_KINDS[name]} itself there"
    if isinstance(holder, ast.FormattedValue) and holder.format_spec and name in _FORMATTED:
        yield f"{text} may be something that its format does not fit"
    counted = isinstance(holder, ast.BinOp | ast.Compare | ast.AugAssign)
    if name in ("int", "float") and (counted or called_name(holder) == "range") and _is_text(kept):
        yield f"{text} is a text, with which one cannot count"


def _needs_kind(source: Source, node: ast.expr, name: str) -> bool:
    """Whether what is around a conversion, or around the local that is set to it, takes values of its kind
    only."""
    holder = source.parents.get(node)
    if isinstance(holder, ast.Compare):
        return name not in _COPIES or not isinstance(holder.ops[-1], ast.In | ast.NotIn)
    if isinstance(holder, ast.BinOp):
        return name != "str" or not isinstance(holder.op, ast.Mod)
    if isinstance(holder, ast.GeneratorExp | ast.ListComp | ast.List | ast.Tuple):
        return called_name(source.parents.get(holder)) == "join"
    if isinstance(holder, ast.Attribute | ast.Subscript) and holder.value is node:
        return True
    local = targets(holder)[0] if isinstance(node, ast.Call) and targets(holder) else None
    if isinstance(local, ast.Name):
        reads = find_nodes(source.function_of(node) or source.tree, ast.Name)
        return any(one.id == local.id and _needs_kind(source, one, name) for one in reads)
    return called_name(holder) in _WRITING


def _is_shared(source: Source, node: ast.Call, kept: ast.expr) -> bool:
    """Whether a copy of something that has a name is returned, kept in an object, or changed."""
    holder, function = source.parents.get(node), source.function_of(node)
    while isinstance(holder, ast.IfExp):
        holder = source.parents.get(holder)
    if not isinstance(kept, ast.Name | ast.Attribute | ast.Subscript):
        return False
    handed = isinstance(holder, ast.Return | ast.Yield | ast.Dict | ast.List | ast.Tuple)
    if handed or called_name(node) == "deepcopy" or called_name(holder) in _CHANGING:
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
            sets = not isinstance(node.ctx, ast.Load) or getattr(node, "attr", "") in _CHANGING
            changed += [node.value] if sets else []
        elif isinstance(node, ast.AugAssign):
            changed.append(node.target)
    return any(text == one or text.startswith(f"{one}.") for one in map(ast.unparse, changed))


def _kind(node: ast.expr) -> str:
    """The type of a value, where its form tells it."""
    if isinstance(node, ast.Constant):
        return type(node.value).__name__
    return _DISPLAYS.get(type(node), "") or _KINDS.get(called_name(node), "")


def _is_text(node: ast.expr) -> bool:
    """Whether a value is a text by what gives it."""
    reads = word_set("input group read readline strip getenv")
    environment = isinstance(node, ast.Subscript) and ast.unparse(node.value) in ("os.environ", "sys.argv")
    return environment or called_name(node) in reads or isinstance(getattr(node, "value", None), str)
