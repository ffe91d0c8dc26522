"""Names that statements could no longer reach, or would reach too early, if some of them moved."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from spark_tui.codemods.imports.graph import files_reached
from spark_tui.codemods.places.named import extent
from spark_tui.codemods.plan import Refusal, Unfollowed
from spark_tui.pysource.names.scopes import Occurrence, Role
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Definition, Function, Source, Span
from spark_tui.pysource.syntax.parsing import targets
from spark_tui.pysource.syntax.walking import LOOPS, walk, walk_each


def refuse_other_reach(repo: Repository, source: Source, run: list[ast.stmt], to: int) -> None:
    """Refuse where a name would be used before it is set, or set after it is used, by a move to an offset.
    What stands in a function on either side counts only if the other code there may run it."""
    low, high = extent(source, run)
    spans = ((low, high), (high, to) if to > low else (to, low))
    running: set[Function] | None = None
    for variable in repo.index.scopes(source.path).variables:
        here, there = ([one for one in variable.occurrences if a <= one.span[0] < b] for a, b in spans)
        if not (here and there and any(_sets(one) for one in (*here, *there))):
            continue
        if running is None:
            running = _running(source, spans, inner=source.function_of(run[0]))
        here, there = (
            [one for one in found if _runs(source, spans, running, one)] for found in (here, there)
        )
        if here and there:
            line = source.line_number(there[0].span[0])
            raise Refusal(f"{variable.name} is set on one side and used on the other: line {line}")


def import_doubts(repo: Repository, source: Source, run: list[ast.stmt], to: int) -> Iterator[Unfollowed]:
    """Doubts about a move over an import of all names, which may be those that the code uses, of such an
    import, and of one over code that may be meant to run before it: `sys.path.insert(0, "lib")`."""
    low, high = extent(source, run)
    start, end = (high, to) if to > low else (to, low)
    imports = next((one for one in run if isinstance(one, ast.Import | ast.ImportFrom)), None)
    circular = imports is not None and _is_needed_by_its_imports(repo, source, run)
    for one in (one for one in source.body if start <= source.span(one)[0] < end):
        imported = isinstance(one, ast.Import | ast.ImportFrom)
        if imports is not None and not imported and (_acts(one) or circular):
            reason = f"line {one.lineno} may have to run before {source.segment(imports)}"
            yield Unfollowed(source.path, one.lineno, reason)
        elif star := next((item for item in (one, imports) if _is_star(item)), None):
            reason = f"{source.segment(star)} may set a name that is used, or that the code sets"
            yield Unfollowed(source.path, one.lineno, reason)


def _is_star(one: ast.stmt | None) -> bool:
    return isinstance(one, ast.ImportFrom) and one.names[0].name == "*"


def _is_needed_by_its_imports(repo: Repository, source: Source, run: list[ast.stmt]) -> bool:
    """Whether some statements import a file that imports this one: it may need what this one sets before."""
    lines, path, find = {one.lineno for one in run}, source.path, repo.index.modules.find
    for one in repo.index.imports(path):
        module = repo.index.imported_module(path, one) if one.line in lines else ""
        for home in (find(module, path), find(f"{module}.{one.name}", path)) if module else ():
            if home is not None and home != path and path in files_reached(repo, home):
                return True
    return False


def _acts(one: ast.stmt) -> bool:
    """Whether a statement calls something for its own sake, leaves, or sets more than variables."""
    return not isinstance(one, Definition) and any(map(_acts_itself, walk(one)))


def _acts_itself(node: ast.AST) -> bool:
    if isinstance(node, ast.Expr):
        return not isinstance(node.value, ast.Constant)
    set_or_gone = node.targets if isinstance(node, ast.Delete) else targets(node)
    others = (to for to in set_or_gone if not isinstance(to, ast.Name | ast.Tuple))
    return isinstance(node, ast.Raise) or (isinstance(node, ast.stmt) and any(others))


def leaving_doubts(source: Source, run: list[ast.stmt], other: ast.stmt, to: int) -> Iterator[Unfollowed]:
    """Doubts about a move over a statement that leaves, or into or out of a loop."""
    low, high = extent(source, run)
    start, end = (high, to) if to > low else (to, low)
    here = source.function_of(run[0])
    for one in source.statements:
        leaves = isinstance(one, ast.Return | ast.Raise | ast.Break | ast.Continue)
        if leaves and start <= source.span(one)[0] < end and source.function_of(one) is here:
            reason = f"line {one.lineno} may leave in front of it, now or before"
            yield Unfollowed(source.path, run[0].lineno, reason)
            break
    if here is source.function_of(other) and _around(source, run[0]) != _around(source, other):
        yield Unfollowed(source.path, run[0].lineno, "it runs another number of times")


def catching_doubts(source: Source, run: list[ast.stmt], other: ast.stmt) -> Iterator[Unfollowed]:
    """A doubt about a move into or out of a `try`, which catches other errors then, or within one: other
    lines have run where what moves fails."""
    tries = (ast.Try, ast.TryStar)
    old, new = _around(source, run[0], tries), _around(source, other, tries)
    failing = any(
        isinstance(one, ast.Import | ast.ImportFrom | ast.Call | ast.Raise) for one in walk_each(run)
    )
    if old != new or (new and failing):
        yield Unfollowed(source.path, run[0].lineno, "its errors are caught in another way")


def _around(source: Source, node: ast.stmt, kinds: tuple[type[ast.stmt], ...] = LOOPS) -> list[ast.AST]:
    """The statements of some kinds around one, in the body of each of which it stands."""
    around = (pair for pair in source.climb(node) if isinstance(pair[1], kinds))
    return [one for below, one in around if below in getattr(one, "body", ())]


def _sets(one: Occurrence) -> bool:
    return one.role.binds or one.role is Role.DELETE


def _later(source: Source, spans: Iterable[Span], node: ast.AST) -> Function | None:
    """The outermost function of the places in whose body a node stands."""
    found = None
    for below, one in source.climb(node):
        start = source.span(one)[0] if isinstance(one, Function) else -1
        if isinstance(one, Function) and below in one.body and any(a <= start < b for a, b in spans):
            found = one
    return found


def _runs(source: Source, spans: Iterable[Span], running: set[Function], one: Occurrence) -> bool:
    function = _later(source, spans, one.node) if one.span[0] >= 0 else None
    return function is None or function in running


def _running(source: Source, spans: tuple[Span, Span], inner: Function | None) -> set[Function]:
    """The functions that the code at these places may run, by their names, through others too."""
    known: dict[str, list[Definition]] = {}
    for one in source.definitions:
        known.setdefault(one.name, []).append(one)
    todo = list(_words(_now(source, spans)))
    out: set[Function] = set()
    seen: set[str] = set()
    while todo:
        name = todo.pop()
        for one in known.get(name, ()) if name not in seen else ():
            methods = one.body if isinstance(one, ast.ClassDef) else (one,)
            for function in methods:
                if isinstance(function, Function) and function not in out and function is not inner:
                    out.add(function)
                    todo += _words(walk(function))
        seen.add(name)
    return out


def _now(source: Source, spans: tuple[Span, Span]) -> Iterator[ast.AST]:
    """The nodes at these places that stand in no function there."""
    for node in walk(source.tree):
        start = source.span(node)[0] if hasattr(node, "lineno") else -1
        if any(low <= start < high for low, high in spans) and _later(source, spans, node) is None:
            yield node


def _words(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Name | ast.Attribute):
            yield node.id if isinstance(node, ast.Name) else node.attr
