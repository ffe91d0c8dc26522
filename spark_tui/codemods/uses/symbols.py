"""From the name of a symbol to the one thing in the repository that it means."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from spark_tui.codemods.plan import Refusal, Refused
from spark_tui.codemods.slots import ANY_SYMBOL, Symbol, SymbolKind
from spark_tui.pysource.inference.values import ClassValue
from spark_tui.pysource.names.scopes import Role, Scope, ScopeKind, Variable
from spark_tui.pysource.names.type_hints import is_overload
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Definition, Function
from spark_tui.pysource.words import word_set

_MOST_NAMED, _MOST_NEAR = 8, 3
_OF_MODULES = word_set(
    "__getattr__ __dir__ __all__ __path__ __doc__ __name__ __file__ __spec__ __loader__ __package__"
)


@dataclass(frozen=True, eq=False)
class Target:
    """A symbol that was found.

    `variable` is the name in its own scope; members that only `self.name = …` makes have none. `owner` is the
    class of a member, `function` the function of a parameter.
    """

    path: str
    kind: SymbolKind
    name: str
    qualname: str
    line: int
    variable: Variable | None = None
    owner: ClassValue | None = None
    function: Function | None = None

    @property
    def symbol(self) -> Symbol:
        return Symbol(self.qualname, self.path)

    @property
    def is_special(self) -> bool:
        """Whether Python itself uses this name of a module."""
        return self.owner is None and self.name in _OF_MODULES

    @property
    def node(self) -> ast.AST | None:
        """What defines it; of overloads the function that is run."""
        every = [binding.node for binding in self.variable.bindings] if self.variable is not None else []
        return next((item for item in every if not is_overload(item)), every[0] if every else None)

    def __str__(self) -> str:
        return f"{self.path}::{self.qualname}@{self.line}"


def _with_article(kind: SymbolKind) -> str:
    return f"{'an' if kind.value[0] in 'aeiou' else 'a'} {kind.value}"


def find_symbol(
    repo: Repository, symbol: Symbol, kinds: frozenset[SymbolKind] = ANY_SYMBOL
) -> Target | Refused:
    """The one symbol that is meant; Refused names the nearest where there is none, and all where there are
    several."""
    if symbol.path and symbol.path not in repo.index.paths:
        return missing_file(repo, symbol.path)
    found = list(_found(repo, symbol))
    fitting = [target for target in found if target.kind in kinds]
    if found and not fitting:
        *others, last = sorted(_with_article(kind) for kind in kinds)
        wanted = f"{', '.join(others)} or {last}" if others else last
        return Refused(f"{symbol} is {_with_article(found[0].kind)}, not {wanted}")
    if not fitting:
        return _nothing(repo, symbol)
    inner = (SymbolKind.LOCAL, SymbolKind.PARAMETER, SymbolKind.IMPORT)
    top = [target for target in fitting if target.kind not in inner]
    chosen = top or [target for target in fitting if target.kind is not SymbolKind.IMPORT] or fitting
    if not symbol.line and "." not in symbol.name:
        outer = [item for item in chosen if "." not in item.qualname]
        if len(outer) == 1 and all(item is outer[0] or item.owner is not None for item in chosen):
            chosen = outer
    if not symbol.line and len(chosen) > 1:
        # What a comprehension goes through is meant where nothing else has the name.
        chosen = [item for item in chosen if not _is_of_comprehension(item)] or chosen
    chosen = without_overloads(chosen)
    if len(chosen) > 1:
        named = tuple(map(str, chosen[:_MOST_NAMED]))
        return Refused(f"{len(chosen)} symbols are called {symbol}", named, why="unknown")
    return chosen[0]


def _is_of_comprehension(target: Target) -> bool:
    scope = target.variable.scope if target.variable is not None else None
    return scope is not None and scope.kind is ScopeKind.COMPREHENSION


def missing_file(repo: Repository, path: str, *, python: bool = True) -> Refused:
    """That there is no such file, or none in Python; those of its name and the nearest ones are named."""
    if path in repo.index.all_paths:
        kind = "Python" if python else "text"
        return Refused(f"{path} is not a {kind} file", why="language" if python else "unfit")
    known = repo.index.paths if python else repo.index.all_paths
    near = [item for item in known if item.rpartition("/")[2] == path.rpartition("/")[2]]
    near += difflib.get_close_matches(path, known, _MOST_NEAR)
    return Refused(f"no such file: {path}", tuple(dict.fromkeys(near))[:_MOST_NEAR], why="unknown")


def refuse_existing(repo: Repository, path: str) -> None:
    """Refuse a path for a new file where there is a file, even one that is not looked at."""
    if path in repo.index.all_paths:
        raise Refusal(f"{path} exists already")
    if repo.index.text(path) is not None:
        raise Refusal(f"{path} exists already, and is ignored")


def _nothing(repo: Repository, symbol: Symbol) -> Refused:
    if symbol.name in repo.index.all_paths:
        return Refused(f"{symbol.name} is a file, not a symbol; rename_module renames a file", why="unknown")
    last = symbol.name.rpartition(".")[2]
    near = difflib.get_close_matches(last, repo.index.symbol_names, _MOST_NEAR)
    qualnames = dict.fromkeys(found.qualname for name in near for _, found in repo.index.symbols(name))
    named = difflib.get_close_matches(symbol.name, list(qualnames), _MOST_NEAR, cutoff=0)
    where = f" in {symbol.path}" if symbol.path else ""
    asked = [symbol.path] if symbol.path else repo.index.paths
    deep = {path for path, _ in repo.index.symbols(last) if repo.index.source(path).tree is None}
    broken = [path for path in asked if path in deep or not repo.index.summary(path).parses]
    note = f"; {broken[0]} does not parse" if broken else ""
    return Refused(f"no symbol {symbol.name}{where}{note}", tuple(named), why="unknown")


def _found(repo: Repository, symbol: Symbol) -> Iterator[Target]:
    """All symbols with that name, or whose qualified name ends so."""
    last = symbol.name.rpartition(".")[2]
    paths = [symbol.path] if symbol.path else list(repo.index.files_with(last))
    for path in paths:
        module = repo.index.modules.name(path)
        for target in list_targets(repo, path, last):
            full = f".{module}.{target.qualname}"
            if not full.endswith(f".{symbol.name}") and target.qualname != symbol.name:
                continue
            if symbol.line and symbol.line != target.line and not _spans(target, symbol.line):
                continue
            yield target


def _spans(target: Target, line: int) -> bool:
    occurrences = target.variable.occurrences if target.variable is not None else ()
    return any(getattr(occurrence.node, "lineno", 0) == line for occurrence in occurrences)


def list_targets(repo: Repository, path: str, name: str = "") -> Iterator[Target]:
    """The symbols of a file, or those with one name, in no order to rely on."""
    scopes = repo.index.scopes(path)
    for variable in scopes.variables_by_name.get(name, ()) if name else scopes.variables:
        if variable.scope is not None and variable.bindings:
            yield _variable_target(repo, path, variable, variable.plain_name)
    for definition in scopes.source.definitions:
        if isinstance(definition, ast.ClassDef):
            yield from _attributes(repo, path, definition, name)


def _variable_target(repo: Repository, path: str, variable: Variable, name: str) -> Target:
    source = repo.index.source(path)
    scope = variable.scope
    assert scope is not None
    first = variable.bindings[0]
    prefix = scope_name(scope)
    kind, owner, function = _kind(variable, scope, path)
    line = source.line_number(first.span[0])
    qualname = f"{prefix}.{name}" if prefix else name
    return Target(path, kind, name, qualname, line, variable, owner, function)


def _kind(
    variable: Variable, scope: Scope, path: str
) -> tuple[SymbolKind, ClassValue | None, Function | None]:
    roles = {binding.role for binding in variable.bindings}
    if scope.kind is ScopeKind.CLASS and isinstance(scope.node, ast.ClassDef):
        owner = ClassValue(path, scope.node)
        if Role.CLASS in roles:
            return SymbolKind.CLASS, owner, None
        return (SymbolKind.METHOD if Role.FUNCTION in roles else SymbolKind.ATTRIBUTE), owner, None
    if Role.PARAMETER in roles:
        return SymbolKind.PARAMETER, None, scope.node if isinstance(scope.node, Function) else None
    if scope.kind is not ScopeKind.MODULE and not (roles & {Role.FUNCTION, Role.CLASS}):
        return SymbolKind.LOCAL, None, None
    if roles == {Role.IMPORT}:
        return SymbolKind.IMPORT, None, None
    if Role.FUNCTION in roles:
        return SymbolKind.FUNCTION, None, None
    return (SymbolKind.CLASS if Role.CLASS in roles else SymbolKind.VARIABLE), None, None


def scope_name(scope: Scope) -> str:
    """The dotted name of the definitions around a scope's names."""
    around = [item for item in scope.outwards() if item.kind is not ScopeKind.TYPE_PARAMETERS]
    names = [item.node.name for item in around if isinstance(item.node, Definition)]
    return ".".join(reversed(names))


def _attributes(repo: Repository, path: str, node: ast.ClassDef, name: str) -> Iterator[Target]:
    """Attributes that only methods make: `self.name = …`."""
    source = repo.index.source(path)
    owner = ClassValue(path, node)
    scope = repo.index.scopes(path).scope_of.get(node)
    for member, nodes in repo.classes.own_members(owner).items():
        if scope is not None and member in scope.bound:
            continue
        attribute = getattr(nodes[0], "attr", member)
        if name in ("", member, attribute):
            qualname = f"{source.qualname(node)}.{attribute}"
            line = getattr(nodes[0], "lineno", 0)
            yield Target(path, SymbolKind.ATTRIBUTE, attribute, qualname, line, None, owner)


def without_overloads(found: Sequence[Target]) -> list[Target]:
    """The symbols without the parameters of overloads that the function which is run has, too."""
    run = {(one.path, one.qualname) for one in found if not _is_of_overload(one)}
    return [one for one in found if not _is_of_overload(one) or (one.path, one.qualname) not in run]


def _is_of_overload(target: Target) -> bool:
    return target.function is not None and is_overload(target.function)


def told_apart(found: Sequence[Target]) -> str:
    """That several symbols of one name may be meant: by their classes and functions, or their files."""
    names = sorted(one.qualname for one in found)
    shown = names if len(set(names)) == len(names) else sorted(f"{one.path}::{one.qualname}" for one in found)
    named = ", ".join([*shown[:_MOST_NEAR], *(["…"] if len(shown) > _MOST_NEAR else [])])
    return f"{len(found)} symbols are called {found[0].name}: {named}"
