"""What depends on an open file: the variables that read it when they are used, and where they are used."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.pysource.names.scopes import Occurrence, Role, Scopes, Variable
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import LOOPS, walk
from spark_tui.pysource.words import word_set

AT_ONCE = word_set(
    "list tuple set dict sorted sum len max min any all frozenset Counter load loads read safe_load join"
    " dump safe_dump write print copyfileobj parse str repr bytes int float bool next DataFrame read_csv"
    " isinstance"
)
"""Functions that have read or written a file when they return."""
_METHODS = word_set(
    "read readline readlines readinto read1 write writelines writerow writerows writeheader seek tell"
    " truncate flush close isatty readable writable seekable"
)
"""Methods of files whose results do not read them."""
_STATE = word_set("name mode closed encoding errors newlines line_num")
_KEEPS = word_set("append add insert extend setattr register put push appendleft setdefault update")
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_CODE = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_SETTING = (ast.Assign, ast.AnnAssign, ast.NamedExpr, ast.withitem, *_DEFINITIONS)


class Dependents:
    """The variables that hold a file which a statement opens, or what reads it later."""

    def __init__(self, scopes: Scopes, opening: ast.Assign) -> None:
        self._scopes, self._source, self._opening = scopes, scopes.source, opening
        self.variables = {*self._set_by(*opening.targets)}
        scope = self._source.function_of(opening) or self._source.tree
        nodes = [node for node in walk(scope) if isinstance(node, _SETTING) and node is not scope]
        count = 0
        while count != len(self.variables):
            count = len(self.variables)
            for node in nodes:
                self.variables.update(self._set_to_dependent(node))

    def _set_to_dependent(self, node: ast.AST) -> Iterator[Variable]:
        match node:
            case ast.Assign(value=value, targets=targets) if node is not self._opening and self.reads(value):
                yield from self._set_by(*targets)
            case (
                ast.AnnAssign(value=value, target=target)
                | ast.NamedExpr(value=value, target=target)
                | ast.withitem(context_expr=value, optional_vars=ast.AST() as target)
            ) if self.reads(value):
                yield from self._set_by(target)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                named = (
                    one for one in self._scopes.by_name[name] if one.node is node and self._names_one(node)
                )
                yield from map(self._scopes.resolve, named)

    def _set_by(self, *targets: ast.AST) -> Iterator[Variable]:
        for node in (inner for target in targets for inner in walk(target)):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield self._scopes.resolve(self._scopes.by_node[node])

    def _names_one(self, node: ast.AST) -> bool:
        known = self._scopes.by_node
        named = (known[inner] for inner in walk(node) if inner in known)
        return any(one.role is Role.LOAD and self._scopes.resolve(one) in self.variables for one in named)

    def reads(self, node: ast.AST | None) -> bool:
        """Whether a value reads the file when it is used."""
        match node:
            case ast.Name() | ast.GeneratorExp() | ast.Lambda():
                return self._names_one(node)
            case ast.Attribute(value=value, attr=attr):
                return attr not in _STATE and self.reads(value)
            case ast.Call(func=func):
                if last_name(func) in AT_ONCE:
                    return False
                if isinstance(func, ast.Attribute) and func.attr not in _METHODS and self.reads(func.value):
                    return True
                return any(map(self.reads, (*node.args, *(keyword.value for keyword in node.keywords))))
            case ast.ListComp(elt=part) | ast.SetComp(elt=part) | ast.DictComp(value=part):
                return self.reads(part)
            case (
                ast.Tuple() | ast.List() | ast.Set() | ast.Dict() | ast.Starred() | ast.IfExp() | ast.BoolOp()
            ):
                return any(map(self.reads, ast.iter_child_nodes(node)))
            case ast.NamedExpr(value=value) | ast.Await(value=value):
                return self.reads(value)
        return False

    def uses(self) -> list[Occurrence]:
        """All uses of the variables, in the order of the text."""
        found = (one for variable in self.variables for one in variable.loads)
        return sorted((one for one in found if isinstance(one.node, ast.Name)), key=lambda one: one.span)

    def use_beyond(self, last: int) -> Occurrence | None:
        """A use that may run when the statements from the opening one to the line `last` have ended, of what
        was not set again before it."""
        first = self._opening.lineno
        scope, source = self._source.function_of(self._opening), self._source
        loops = [one for one in source.ancestors(self._opening) if isinstance(one, LOOPS)]
        loops = [one for one in loops if source.function_of(one) is scope]
        for use in self.uses():
            line = source.line_number(use.span[0])
            if first <= line <= last:
                continue
            later = line > last or self._code_of(use.node) is not scope
            again = None if later else next((one for one in loops if _runs_again(source, one, use)), None)
            if (later or again is not None) and not self._is_set_again(use, last, again):
                return use
        return None

    def _code_of(self, node: ast.AST) -> ast.AST | None:
        """The function or lambda in which a node runs."""
        around = self._source.ancestors(node)
        return next((one for one in around if isinstance(one, _CODE)), None)

    def _is_set_again(self, use: Occurrence, last: int, loop: ast.stmt | None) -> bool:
        """Whether a variable is set again by a statement that always runs before a use of it: in each round
        of the loop, and in the function that uses it."""
        source = self._source
        around = [use.node, *source.ancestors(use.node)]
        for one in self._scopes.resolve(use).bindings:
            statement = source.statement(one.node)
            if statement is None or statement is self._opening or one.span > use.span:
                continue
            if self._code_of(statement) is not self._code_of(use.node):
                continue
            if loop is not None and loop not in (statement, *source.ancestors(statement)):
                continue
            between = use.span[0] > source.starts[last] > one.span[0]
            if between or not isinstance(statement, ast.Assign | ast.For | ast.With | ast.AsyncWith):
                continue
            suite = statement.body if isinstance(statement, ast.For) else source.suite(statement)
            if statement in around or any(item in suite for item in around):
                return True
        return False

    def kept(self, low: int, high: int) -> Iterator[ast.stmt]:
        """The statements between two places of the text that return what reads the file, keep it in an
        attribute or item, or give it to what keeps it."""
        for node in walk(self._source.function_of(self._opening) or self._source.tree):
            if not isinstance(node, ast.stmt) or not low <= self._source.span(node)[0] < high:
                continue
            match node:
                case ast.Return(value=value) | ast.Expr(value=ast.Yield(value=value)) if self.reads(value):
                    yield node
                case ast.Assign(targets=targets, value=value) if self.reads(value):
                    if any(not isinstance(target, ast.Name | ast.Tuple) for target in targets):
                        yield node
                case ast.Expr(value=ast.Call(func=func, args=args)) if last_name(func) in _KEEPS:
                    if any(map(self.reads, args)):
                        yield node


def _runs_again(source: Source, loop: ast.stmt, use: Occurrence) -> bool:
    """Whether a use stands in what each round of a loop runs. What a `for` goes through is read once."""
    inside = loop.body[0] if isinstance(loop, ast.For | ast.AsyncFor) else loop
    return source.span(inside)[0] <= use.span[0] < source.span(loop)[1]
