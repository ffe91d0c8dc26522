"""Names of members that are looked up as texts: by `getattr` with a name that is put together, through the
dictionary of an object, and by the code of a class itself."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Iterator

from spark_tui.codemods.plan import Places
from spark_tui.pysource.inference.values import UNKNOWN, ClassValue, Value, Values, class_behind
from spark_tui.pysource.names.type_hints import called_name, last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Definition, Function, Source, parameters
from spark_tui.pysource.syntax.parsing import values_set
from spark_tui.pysource.syntax.walking import walk

IMPORTING = ("import_module", "__import__")
_LOOKED_UP = ("getattr(", "setattr(", "hasattr(", "vars(", "__dict__")
_ASKING = ("getattr", "hasattr", "setattr", "delattr")
_SETTING = ("setattr", "vars", "__dict__")
_BY_OWN_CODE = ("__getattr__", "__getattribute__", "__setattr__", "__delattr__")
_OF_ANY = ("methodcaller", "attrgetter", "__getattribute__")
_OF_MAPPINGS = ("get", "pop", "setdefault")
_LOCALS, _RUNNING = ("locals", "vars", "dir"), ("eval", "exec")
_HOLES = {"%": re.compile(r"%(?:\(\w*\))?[^%a-zA-Z]*[a-zA-Z]"), "format": re.compile(r"\{[^{}]*\}")}
"""What is filled in, in a text with `%` and in one with `.format`."""


def texts_looked_up(repo: Repository, owner: ClassValue, names: set[str]) -> Places:
    """The texts that are names of members, near to where the names of such an object, or of one of unknown
    class, are looked up as texts; and arguments that an object sets as members of their names."""
    family = [*repo.classes.ancestors(owner), *repo.classes.descendants(owner)]
    near: dict[str, list[bool]] = {}
    knowing = {owner.path, *(path for one in family for path in repo.index.importers(one.path))}
    knowing |= {path for one in knowing for path in repo.index.importers(one)}
    knowing |= {path for one in knowing for path in repo.index.needed(one)}  # to which they may give objects
    for path in sorted(repo.index.files_with(*names)):
        around = {path, *repo.index.importers(path), *repo.index.needed(path)}
        if path not in knowing:  # the text or the lookup has to do with the class
            around &= knowing
        near |= {one: list(_lookups(repo, one, family)) for one in around - near.keys()}
        found = [sets for one in around for sets in near[one]]
        if not found:
            continue
        scopes = repo.index.scopes(path)
        for string in () if names.isdisjoint(scopes.quoted_words) else scopes.source.strings:
            if string.value in names and _may_be_asked_for(scopes.source, string, any(found)):
                yield path, string.lineno, f"{string.value!r} may be looked up as the name of a member"
        for keyword in scopes.keywords if any(found) else ():
            call = keyword.call
            if keyword.name in names and isinstance(call, ast.Call):
                values = repo.infer.values(path, call.func, keyword.scope)
                if any(value in family and not _takes(repo, value, keyword.name) for value in values):
                    yield path, call.lineno, f"{keyword.name} may be set as a member of that name"


def _lookups(repo: Repository, path: str, family: list[ClassValue]) -> Iterator[bool]:
    """Where a file may look a member of some classes up by its name; whether that may set it, too."""
    for node, values in computed_lookups(repo, path, _ASKING):
        what = last_name(node.func) if isinstance(node, ast.Call) else "__dict__"
        if not any(ends(node)) and (UNKNOWN in values or any(class_behind(one) in family for one in values)):
            yield what in _SETTING
    for _, call in repo.index.scopes(path).calls_by_name.get("attrgetter", ()):
        if not all(isinstance(arg, ast.Constant) for arg in call.args):
            yield False
    for one in family:
        if one.path == path and not repo.classes.own_members(one).keys().isdisjoint(_BY_OWN_CODE):
            yield False


def _may_be_asked_for(source: Source, string: ast.Constant, sets: bool) -> bool:
    """Whether a text may be the name of a member: it is no key of a mapping, unless its items are set."""
    outer = source.parents.get(string)
    if isinstance(outer, ast.Call) and isinstance(outer.func, ast.Attribute):
        return outer.func.attr not in _OF_MAPPINGS
    if isinstance(outer, ast.Dict):
        return sets or string not in outer.keys
    return not isinstance(outer, ast.Subscript | ast.Expr | ast.JoinedStr | ast.MatchMapping)


def _takes(repo: Repository, value: Value, name: str) -> bool:
    """Whether making an object of a class takes an argument of a name."""
    made = repo.classes.lookup(value, "__init__") if isinstance(value, ClassValue) else None
    node = made[1] if made is not None else None
    return (
        not isinstance(node, Function)
        or node.args.kwarg is None
        or any(name == one.arg for one in parameters(node))
    )


def computed_lookups(
    repo: Repository,
    path: str,
    asking: Collection[str] = ("getattr",),
    where: Callable[[ast.expr], object] | None = None,
) -> Iterator[tuple[ast.expr, Values]]:
    """Where the names of an object are looked up as texts: `getattr` with a name that is not written there,
    `vars`, `__dict__`; and what the object may be. With `where`, only of what it is true for."""
    text = repo.index.text(path) or ""
    if not any(item in text for item in _LOOKED_UP):
        return
    scopes = repo.index.scopes(path)
    for what in (*asking, "vars"):
        for _, call in scopes.calls_by_name.get(what, ()):
            written = len(call.args) > 1 and isinstance(call.args[1], ast.Constant)
            if call.args and not (written and what in asking) and (where is None or where(call)):
                yield call, repo.infer.values(path, call.args[0], scopes.scope_at[call])
    for one in scopes.attributes_by_name.get("__dict__", ()):
        if where is None or where(one.node):
            yield one.node, repo.infer.values(path, one.node.value, one.scope)


def is_imported_by_name(repo: Repository, path: str, node: ast.AST | None) -> bool:
    """Whether a call gives a module that it is told the name of: `import_module(name)`, `fresh("shop")`."""
    told = node.args[0] if isinstance(node, ast.Call) and node.args else None
    name = told.value if isinstance(told, ast.Constant) and isinstance(told.value, str) else ""
    return called_name(node) in IMPORTING or (bool(name) and repo.index.modules.find(name, path) is not None)


def lookups_by_word(repo: Repository, names: set[str]) -> Places:
    """Where an object that is not known, or a module that is imported by its name, is asked for a text that
    begins or ends with a word: `getattr(visitor, "visit_" + kind)`."""

    def may_ask(asking: ast.expr) -> bool:
        return _is_partly_known(asking) and may_ask_for(asking, names)

    for path in sorted(repo.index.files_with("getattr", *_OF_ANY)) if names else ():
        scopes = repo.index.scopes(path)
        for node, values in computed_lookups(repo, path, where=may_ask):
            of = node.args[0] if isinstance(node, ast.Call) else node
            made = values_set(scopes.source.statements, of.id) if isinstance(of, ast.Name) else ()
            if UNKNOWN in values or any(is_imported_by_name(repo, path, one) for one in (of, *made)):
                yield from may_be(path, node, names)
        asking = sorted(found for name in _OF_ANY for found in scopes.calls_by_name.get(name, ()))
        for _, call in asking:
            key = call.args[0] if call.args else None
            if key and not isinstance(key, ast.Constant) and _is_partly_known(key):
                yield from may_be(path, call, names, key)


def may_be(path: str, node: ast.expr, names: Collection[str], key: ast.expr | None = None) -> Places:
    """A lookup by a text, for each name that the text may be: the second argument, or the key."""
    for name in sorted(names):
        if may_ask_for(key or node, {name}):
            yield path, node.lineno, f"{ast.unparse(node)} may reach {name}"


def may_ask_for(asking: ast.expr, names: Collection[str]) -> bool:
    """Whether the text that is asked for may be one of some names."""
    start, end = ends(asking)
    return any(name.startswith(start) and name.endswith(end) for name in names)


def _is_partly_known(asking: ast.expr) -> bool:
    return len("".join(ends(asking)).strip("_")) > 1


def is_own_dictionary(asking: ast.expr, values: Values) -> bool:
    """Whether what is asked is the dictionary of an object, which has no methods: `self.__dict__`."""
    asked = called_name(asking) == "vars" or isinstance(asking, ast.Attribute)
    return asked and not any(isinstance(value, ClassValue) for value in values)


def held_names(repo: Repository, owners: list[ClassValue], names: set[str]) -> set[str]:
    """The names that objects of a class may hold themselves: all but those of methods and inner classes."""
    members = [repo.classes.own_members(one) for one in owners]
    nodes = {name: [node for one in members for node in one.get(name, ())] for name in names}
    return {name for name in names if not all(isinstance(node, Definition) for node in nodes[name])}


def local_lookups(source: Source, function: ast.AST) -> Places:
    """Where a function looks its names up as texts."""
    for node in walk(function):
        name = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
        if name in _RUNNING or (name in _LOCALS and not getattr(node, "args", ())):
            shown = source.segment(node).splitlines()[0]
            yield source.path, getattr(node, "lineno", 0), f"{shown} may use it by its name"


def ends(asking: ast.expr) -> tuple[str, str]:
    """How the text that is asked for begins and ends, where that is known."""
    node = asking.args[1] if isinstance(asking, ast.Call) and len(asking.args) > 1 else asking
    parts = [node]
    template = _template(node)
    if template is not None:
        return template
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        parts = [node.left, node.right]
    elif isinstance(node, ast.JoinedStr):
        parts = list(node.values)
    first, last = parts[:1], parts[-1:]
    return _text(first), _text(last)


def _template(node: ast.expr) -> tuple[str, str] | None:
    """How a text with places to fill in begins and ends: `"on_%s" % name`, `"on_{}".format(name)`."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        text, kind = node.left, "%"
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format":
        text, kind = node.func.value, "format"
    else:
        return None
    if not isinstance(text, ast.Constant) or not isinstance(text.value, str):
        return None
    parts = _HOLES[kind].split(text.value)
    return ("", "") if any(item in text.value for item in ("%%", "{{", "}}")) else (parts[0], parts[-1])


def _text(parts: list[ast.expr]) -> str:
    return "".join(str(part.value) for part in parts if isinstance(part, ast.Constant))
