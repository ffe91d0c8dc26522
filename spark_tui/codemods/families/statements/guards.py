"""Guards, also of modules that are run, and statements put into `try` and `with`."""

from __future__ import annotations

import ast

from spark_tui.codemods.checks.deferred_results import deferred_results, holds_between_items
from spark_tui.codemods.imports.doubts import planned_change
from spark_tui.codemods.places.named import (
    Region,
    find_region,
    find_unbound_names,
    insert_at_line,
    insert_at_start,
    need_source,
    own_lines,
    statements,
)
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.renaming.edits import check_local_name
from spark_tui.codemods.rewriting.edits import (
    is_none,
    is_same_tree,
    names_in,
    plan_edits,
    read_expression,
    read_statements,
    reindent,
    replace_lines,
    string_lines,
)
from spark_tui.codemods.rewriting.evaluation import has_effects
from spark_tui.codemods.slots import Expression, FilePath, NewName, Place, Statements
from spark_tui.pysource.calls.signatures import required
from spark_tui.pysource.names.type_hints import names_set, names_within
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source, docstring
from spark_tui.pysource.syntax.walking import LEAVING, LOOPS


@codemod
class AddGuard:
    """Return, raise or continue at the start of a function or loop if a condition holds."""

    place: Place = slot("the function (`in Cart.add`), or a line of the loop's head (shop/cart.py:12)")
    condition: Expression = slot("when it leaves")
    action: Statements = slot("how it leaves: `raise ValueError(...)`, `return None`, `continue`, `break`")

    def plan(self, repo: Repository) -> Plan:
        read_expression(self.condition)
        found = find_region(repo, self.place)
        source, node = found.source, _body_owner(found)
        action = read_statements(self.action)
        last = _last(self.action)
        if not isinstance(last, LEAVING):
            raise Refusal(f"{self.action!r} does not leave: write raise, return, continue or break")
        if isinstance(last, ast.Continue | ast.Break):
            node = _loop(source, node)
        inner = reindent(action, source, source.indent_unit).replace(source.newline, "\n").rstrip("\n")
        code = f"if {self.condition}:\n{inner}\n"
        wanted = ast.parse(code).body[0]
        if any(is_same_tree(wanted, stmt) for stmt in node.body):  # type: ignore[attr-defined]
            raise Refusal("the guard is already there", why="nothing")
        edit = insert_at_start(source, node, code)
        doubts = []
        function = node if isinstance(node, Function) else source.function_of(node)
        gives = isinstance(last, ast.Return) and last.value is not None and not is_none(last.value)
        if gives and function is not None and source.returned(function) is None:
            reason = f"{function.name} is a generator: what it returns is no item"
            doubts.append(Unfollowed(source.path, node.lineno, reason))
        asks = [read_expression(self.condition), *([node.test] if isinstance(node, ast.While) else [])]
        same = len(action.body) == 1 and isinstance(node, ast.While) and not any(map(has_effects, asks))
        if isinstance(last, ast.Continue) and same:
            reason = "continue leaves out what the loop changes below: it may never end"
            doubts.append(Unfollowed(source.path, node.lineno, reason))
        return planned_change(repo, [edit], doubts, given=names_in(self.condition, self.action))


def _body_owner(found: Region) -> ast.stmt:
    if isinstance(found.node, Function):
        return found.node
    heads = [item for item in found.nodes_starting(ast.stmt) if isinstance(item, (*LOOPS, Function))]
    if len(heads) != 1:
        raise Refusal(f"{found.path}:{found.first + 1}: no function or loop begins there")
    return heads[0]


def _loop(source: Source, node: ast.stmt) -> ast.stmt:
    if not isinstance(node, Function):
        return node
    loops = [inner for inner in source.own_nodes(node) if isinstance(inner, LOOPS)]
    if len(loops) != 1:
        lines = ", ".join(str(loop.lineno) for loop in loops)
        raise Refusal(f"there are {len(loops) or 'no'} loops there" + (f": lines {lines}" if loops else ""))
    return loops[0]


def wrap_statements(source: Source, run: list[ast.stmt], head: str, tail: str = "") -> Edit:
    """Statements moved one level deeper under a head, with lines after them."""
    first, last = own_lines(source, run)
    indent = source.indent(run[0])
    tail = indent_text(tail, indent, source.newline) if tail else ""
    return wrap_lines(source, first, last, indent + head + source.newline, tail)


def wrap_lines(source: Source, first: int, last: int, head: str, tail: str, depth: int = 1) -> Edit:
    """Lines moved deeper between other whole lines."""
    body = indent_lines(source, first, last, source.indent_unit * depth)
    ended = body if body.endswith(("\n", "\r")) else body + source.newline
    return replace_lines(source, first, last, head + ended + tail)


def indent_text(text: str, indent: str, newline: str) -> str:
    """A text as lines at an indentation."""
    return "".join((indent + line if line else "") + newline for line in text.rstrip("\n").split("\n"))


def indent_lines(source: Source, first: int, last: int, unit: str) -> str:
    """Lines of a file moved deeper; blank lines and the insides of strings stay."""
    stay = string_lines(source)
    lines = enumerate(source.lines[first:last], first)
    return "".join(line if not line.strip() or at in stay else unit + line for at, line in lines)


@codemod
class WrapInTry:
    """Put statements into a `try` whose handler does something."""

    place: Place = slot("the statements: shop/cart.py:12-14, or the body of a function (`in Cart.add`)")
    exception: Expression = slot("what is caught: ValueError, or (KeyError, IndexError)")
    handler: Statements = slot("what is done then", default=Statements("pass"))
    name: NewName = slot("the name of the caught exception", default=NewName(""))

    def plan(self, repo: Repository) -> Plan:
        read_expression(self.exception)
        source, run = statements_of(find_region(repo, self.place))
        if self.name:
            check_local_name(repo.index.scopes(source.path), run[0], self.name)
        if len(run) == 1 and isinstance(run[0], ast.Try):
            raise Refusal("there is already a try", why="nothing")
        imports = any(isinstance(node, ast.Import | ast.ImportFrom) for node in run)
        if imports and source.parents[run[0]] is source.tree and self.handler.strip() == "pass":
            raise Refusal("an import that fails would leave its name undefined")
        handler = reindent(read_statements(self.handler), source, source.indent_unit)
        handler = handler.replace(source.newline, "\n")
        name = f" as {self.name}" if self.name else ""
        head = f"except {self.exception}{name}:\n{handler}"
        if _is_handled(source, run, head):
            raise Refusal(f"except {self.exception} is already there", why="nothing")
        edit = wrap_statements(source, run, "try:", head)
        leaves = isinstance(_last(self.handler), LEAVING)
        doubts = [] if leaves else [*find_unbound_names(repo, source, run)]
        doubts += deferred_results(repo, source, run, "try")
        return planned_change(repo, [edit], doubts, given=names_in(self.exception, self.handler))


def _is_handled(source: Source, run: list[ast.stmt], handler: str) -> bool:
    """Whether statements end a `try` that has this handler already."""
    around = source.parents[run[0]]
    if not isinstance(around, ast.Try) or around.body[-1] is not run[-1] or around.orelse:
        return False
    wanted = read_statements(f"try:\n    pass\n{handler}").body[0]
    return isinstance(wanted, ast.Try) and any(
        is_same_tree(wanted.handlers[0], one) for one in around.handlers
    )


def _last(code: str) -> ast.stmt | None:
    return next(reversed(read_statements(code).body), None)


def statements_of(found: Region) -> tuple[Source, list[ast.stmt]]:
    """The statements of a place; of a function its body without the docstring."""
    if isinstance(found.node, Function):
        doc = docstring(found.node)
        body = found.node.body[1:] if doc is not None else found.node.body
        if not body:
            raise Refusal("the function has no body")
        return found.source, body
    run = statements(found)
    if docstring(found.source.parents[run[0]]) is run[0]:
        if len(run) == 1:
            raise Refusal("a docstring stays at the start of what it describes")
        run = run[1:]
    return found.source, run


@codemod
class WrapInWith:
    """Put statements into a `with`."""

    place: Place = slot("the statements: shop/cart.py:12-14, or the body of a function (`in Cart.add`)")
    context: Expression = slot("the context manager: self.lock, open(path)")
    name: NewName = slot("the name that it is bound to", default=NewName(""))

    def plan(self, repo: Repository) -> Plan:
        wanted = read_expression(self.context)
        if isinstance(wanted, ast.Constant | ast.JoinedStr | ast.List | ast.Dict | ast.Set | ast.Compare):
            raise Refusal(f"{self.context} is no context manager")
        source, run = statements_of(find_region(repo, self.place))
        if self.name:
            check_local_name(repo.index.scopes(source.path), run[0], self.name)
        near = [node for node in (*run, *source.ancestors(run[0])) if isinstance(node, ast.With)]
        if any(is_same_tree(wanted, item.context_expr) for node in near for item in node.items):
            raise Refusal(f"with {self.context} is already there", why="nothing")
        name = f" as {self.name}" if self.name else ""
        edit = wrap_statements(source, run, f"with {self.context}{name}:")
        doubts = [*deferred_results(repo, source, run, "with")]
        doubts += holds_between_items(source, run, self.context)
        return planned_change(repo, [edit], doubts, given=names_in(self.context))


@codemod
class WrapInIf:
    """Put statements under a condition."""

    place: Place = slot("the statements: shop/cart.py:12-14")
    condition: Expression = slot("when they run")

    def plan(self, repo: Repository) -> Plan:
        wanted = read_expression(self.condition)
        source, run = statements_of(find_region(repo, self.place))
        near = [node for node in (*run, source.parents.get(run[0])) if isinstance(node, ast.If)]
        if any(is_same_tree(wanted, node.test) for node in near):
            raise Refusal(f"if {self.condition} is already there", why="nothing")
        edit = wrap_statements(source, run, f"if {self.condition}:")
        doubts = find_unbound_names(repo, source, run)
        return planned_change(repo, [edit], doubts, given=names_in(self.condition))


@codemod
class AddMainGuard:
    """Put the statements that a module runs at its end under `if __name__ == "__main__"`."""

    path: FilePath = slot("the file")

    def plan(self, repo: Repository) -> Plan:
        source = need_source(repo, self.path)
        body = source.body
        if any(isinstance(stmt, ast.If) and "__name__" in ast.unparse(stmt.test) for stmt in body):
            raise Refusal("the module already has a main guard", why="nothing")
        run: list[ast.stmt] = []
        for inner in reversed(body):
            if not self._runs(inner):
                break
            run.insert(0, inner)
        while run and not isinstance(run[0], ast.Expr | ast.For | ast.While | ast.With | ast.If | ast.Try):
            used, names = names_within(*run[1:]), names_set(run[0])
            calls = any(isinstance(node, ast.Call) for node in ast.walk(run[0]))
            if calls and names <= used and not any(name.isupper() for name in names):
                break
            run.pop(0)
        if not run:
            functions = (stmt for stmt in body if isinstance(stmt, ast.FunctionDef))
            main = next((function for function in functions if function.name == "main"), None)
            if main is None:
                raise Refusal("nothing runs at the end of the module", why="nothing")
            needed = required(main)
            if needed:
                raise Refusal(f"main needs {', '.join(needed)}: say what it is called with")
            end = source.newline
            text = f'{end * 2}if __name__ == "__main__":{end}{source.indent_unit}main(){end}'
            return plan_edits(repo, [insert_at_line(source, len(source.lines), text)])
        return planned_change(repo, [wrap_statements(source, run, 'if __name__ == "__main__":')])

    def _runs(self, stmt: ast.stmt) -> bool:
        """Whether a statement does something when the module is imported."""
        if isinstance(stmt, ast.Expr):
            return isinstance(stmt.value, ast.Call | ast.Await)
        kinds = ast.Assign | ast.AugAssign | ast.For | ast.While | ast.With | ast.Try | ast.If
        return isinstance(stmt, kinds)
