"""`__all__`: the names that a module offers."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.codemods.places.constants import insert_constant
from spark_tui.codemods.places.named import need_source
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import comments_in, plan_edits
from spark_tui.codemods.slots import FilePath
from spark_tui.pysource.names.imports import top_imports
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Definition, Source
from spark_tui.pysource.summary import dotted
from spark_tui.pysource.syntax.parsing import targets
from spark_tui.pysource.syntax.walking import names_in

_WIDEST = 88
_UNOFFERED = frozenset(("getLogger", "get_logger", "TypeVar", "ParamSpec", "TypeVarTuple", "NewType"))
"""What makes a value that a module uses itself."""
_FREE = frozenset(("globals", "vars", "setattr", "exec"))
"""Functions that may define names."""


@codemod
class ListPublicNames:
    """Give a module an `__all__` with its public names, or bring the one that it has up to date."""

    path: FilePath = slot("the file")

    def plan(self, repo: Repository) -> Plan:
        source = need_source(repo, self.path)
        public = list(dict.fromkeys(_public(repo, source, source.body)))
        if not public:
            raise Refusal(f"{self.path} has no public names")
        if repo.index.scopes(self.path).module.star_import:
            raise Refusal(f"a star import in {self.path} hides which names it has")
        known = _known(repo, source)
        doubts = list(_star_imports(repo, source.path))
        if known is None:
            return plan_edits(repo, [_new(source, sorted(public))], doubts)
        old = [ast.literal_eval(one) for one in known.elts]
        edit = _updated(source, known, old, [*_kept(repo, source, old), *public])
        if added := [name for name in public if name not in old]:
            reason = f"{', '.join(added)} may be left out of __all__ on purpose"
            doubts.append(Unfollowed(source.path, known.lineno, reason))
        return plan_edits(repo, [edit], doubts)


def _public(repo: Repository, source: Source, body: list[ast.stmt]) -> Iterator[str]:
    """The public names that statements of a module define."""
    for stmt in body:
        if isinstance(stmt, Definition):
            names = [stmt.name]
        elif isinstance(stmt, ast.ImportFrom) and source.path.rpartition("/")[2] == "__init__.py":
            own = repo.index.modules.imported(source.path, stmt) is not None
            names = [alias.asname or alias.name for alias in stmt.names] if own else []
        elif isinstance(stmt, ast.Assign | ast.AnnAssign):
            made = last_name(stmt.value.func) if isinstance(stmt.value, ast.Call) else ""
            plain = stmt.value is not None and made not in _UNOFFERED
            names = [one.id for one in targets(stmt) if isinstance(one, ast.Name)] if plain else []
        elif isinstance(stmt, ast.Try) or (isinstance(stmt, ast.If) and not _is_special(stmt.test)):
            inner = [*stmt.body, *stmt.orelse]
            yield from _public(repo, source, inner)
            continue
        else:
            continue
        yield from (name for name in names if not name.startswith("_"))


def _is_special(test: ast.expr) -> bool:
    """Whether a condition holds for type checkers only, or when the module is run."""
    named = {dotted(one).rpartition(".")[2] for one in ast.walk(test) if isinstance(one, ast.expr)}
    return bool(named & {"TYPE_CHECKING", "__name__"})


def _known(repo: Repository, source: Source) -> ast.List | ast.Tuple | None:
    """The list that `__all__` is set to; None where there is none."""
    scopes = repo.index.scopes(source.path)
    variable = scopes.variable("__all__", scopes.module)
    if variable is None or not variable.bindings:
        return None
    statement = source.statement(variable.bindings[0].node)
    value = getattr(statement, "value", None)
    plain = isinstance(value, ast.List | ast.Tuple) and all(
        isinstance(one, ast.Constant) and isinstance(one.value, str) for one in value.elts
    )
    alone = len(variable.bindings) == 1 and not any(not one.role.binds for one in variable.occurrences)
    if not (plain and alone and isinstance(statement, ast.Assign | ast.AnnAssign)):
        raise Refusal(f"{source.path}:{getattr(statement, 'lineno', 1)}: __all__ is not one plain list")
    assert isinstance(value, ast.List | ast.Tuple)
    low, high = source.span(value)
    if comments_in(source, low, high) or source.text[low] not in "([":
        raise Refusal(f"{source.path}:{value.lineno}: __all__ cannot be rewritten exactly")
    return value


def _new(source: Source, names: list[str]) -> Edit:
    shown = _written(source, names, "[]", '"', spread=False)
    text = f"__all__ = {shown}{source.newline}"
    imports = top_imports(source)
    first = next((stmt for stmt in source.body if isinstance(stmt, Definition)), None)
    limit = source.span(imports[-1])[1] + 1 if imports else source.span(first or source.body[-1])[0]
    edit = insert_constant(source, text, limit)
    follows = source.text[edit.end :].partition("\n")[0].strip()
    back = source.newline if follows and not edit.new.endswith(source.newline * 2) else ""
    return Edit(edit.path, edit.start, edit.end, edit.new + back)


def _kept(repo: Repository, source: Source, old: list[str]) -> list[str]:
    """The names of `__all__` that the module has, or may have."""
    bound = repo.index.scopes(source.path).module.bound
    free = "__getattr__" in bound or not _FREE.isdisjoint(names_in(source.tree))
    return [name for name in old if free or name in bound]


def _updated(source: Source, known: ast.List | ast.Tuple, old: list[str], wanted: list[str]) -> Edit:
    names = list(dict.fromkeys(wanted))
    for order in (str, str.casefold):
        if old == sorted(old, key=order):
            names.sort(key=order)
            break
    if names == old:
        raise Refusal("__all__ has every public name already", why="nothing")
    low, high = source.span(known)
    quote = source.segment(known.elts[0])[:1] if known.elts else '"'
    text = source.text[low:high]
    brackets = "[]" if text.startswith("[") else "()"
    return Edit(source.path, low, high, _written(source, names, brackets, quote, spread="\n" in text))


def _written(source: Source, names: list[str], brackets: str, quote: str, *, spread: bool) -> str:
    shown = [f"{quote}{name}{quote}" for name in names]
    end = "," if len(shown) == 1 and brackets == "()" else ""
    line = f"{brackets[0]}{', '.join(shown)}{end}{brackets[1]}"
    if not spread and len("__all__ = ") + len(line) <= _WIDEST:
        return line
    rows = "".join(f"{source.indent_unit}{one},{source.newline}" for one in shown)
    return f"{brackets[0]}{source.newline}{rows}{brackets[1]}"


def _star_imports(repo: Repository, path: str) -> Iterator[Unfollowed]:
    for other in sorted(repo.index.importers(path)):
        imports = (one for one in repo.index.source(other).statements if isinstance(one, ast.ImportFrom))
        for one in imports:
            if one.names[0].name == "*" and repo.index.modules.imported(other, one) == path:
                yield Unfollowed(other, one.lineno, "the star import brings the names of __all__ only")
