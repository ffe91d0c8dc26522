"""The statements of a function that collects a list and returns it, written with `yield`."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from spark_tui.codemods.families.functions.held_between_items import later_changes
from spark_tui.codemods.places.named import delete_statements, refuse_inline
from spark_tui.codemods.plan import Edit, Refusal, edited
from spark_tui.codemods.rewriting.edits import refuse_lost_comments
from spark_tui.codemods.rewriting.wrapping import shifted_lines
from spark_tui.pysource.names.scopes import Occurrence
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.parsing import parse_value
from spark_tui.pysource.syntax.walking import walk

_ITEMS = (ast.List, ast.Tuple)
_MOST_ITEMS = 8
"""How many items of a list get a line each."""
_MADE = (ast.ListComp, ast.GeneratorExp)


@dataclass
class Collected:
    """A function whose list becomes what it yields. `inner` are the edits of the calls inside of it."""

    repo: Repository
    source: Source
    node: Function
    inner: Sequence[Edit] = ()
    edits: list[Edit] = field(default_factory=list)
    yields: int = 0
    changed: dict[str, int] = field(default_factory=dict)
    """What is still changed after it is yielded, with the lines."""

    def write(self) -> list[Edit]:
        """All edits of the body; those of calls that stand in what is written anew are in there."""
        own = self.source.own_nodes(self.node)
        returns = [one for one in own if isinstance(one, ast.Return)]
        names = sorted({one.value.id for one in returns if isinstance(one.value, ast.Name)})
        if len(names) > 1:
            raise Refusal(f"{self.node.name} returns {names[0]} or {names[1]}")
        begun = self._list(names[0]) if names else None
        for one in returns:
            self._return(one, begun)
        if not returns or not _leaves(self.node.body):
            raise Refusal(f"{self.node.name} gives None where it ends without a return")
        if not self.yields:
            raise Refusal(f"{self.node.name} collects nothing in a list that it returns")
        refuse_lost_comments(self.source, self.edits)
        taken = [(one.start, one.end) for one in self.edits]
        left = [one for one in self.inner if not any(a <= one.start and one.end <= b for a, b in taken)]
        return [*self.edits, *left]

    def _list(self, name: str) -> ast.stmt:
        """The statement that makes the list; all uses of it become edits."""
        scopes = self.repo.index.scopes(self.source.path)
        own = scopes.scope_of[self.node]
        variable = scopes.variable(name, own)
        begun = next((one for one in _straight(self.node.body) if _made(one, name) is not None), None)
        if variable is None or begun is None:
            raise Refusal(f"{name} is no new list at the start of {self.node.name}")
        value = _made(begun, name)
        assert value is not None
        for one in variable.occurrences:
            if self.source.statement(one.node) is begun:
                continue
            if one.scope is not own or one.span[0] < self.source.span(begun)[0]:
                raise Refusal(f"{name} is used in another way: line {getattr(one.node, 'lineno', 0)}")
            self._use(one)
        if self._is_empty(value):
            self.edits.append(_without_blank_line(self.source, self.node, begun))
        elif self._is_list(value):
            self._put(begun, self._items(begun, value))
        else:
            raise Refusal(f"{name} is no new list at the start of {self.node.name}")
        return begun

    def _use(self, one: Occurrence) -> None:
        """A use of the list."""
        stmt = self.source.statement(one.node)
        match stmt:
            case ast.Return(value=ast.Name() as value) if value is one.node:
                return
            case ast.Expr(
                value=ast.Call(func=ast.Attribute(value=value, attr="append"), args=[item], keywords=[])
            ) if value is one.node and not isinstance(item, ast.Starred):
                self._put(stmt, [self._yielded(stmt, item)])
                self.changed |= later_changes(self.repo, self.source, self.node, item)
                return
            case ast.Expr(
                value=ast.Call(func=ast.Attribute(value=value, attr="extend"), args=[items], keywords=[])
            ) if value is one.node and not isinstance(items, ast.Starred):
                self._put(stmt, self._items(stmt, items))
                return
            case ast.AugAssign(target=target, op=ast.Add(), value=items) if target is one.node:
                self._put(stmt, self._items(stmt, items))
                return
        raise Refusal(f"{one.name} is used in another way: line {getattr(one.node, 'lineno', 0)}")

    def _return(self, stmt: ast.Return, begun: ast.stmt | None) -> None:
        value, last = stmt.value, stmt is self.node.body[-1]
        if isinstance(value, ast.Name):
            rows: list[str] = []
        elif value is None or not self._is_list(value):
            shown = ast.unparse(stmt).splitlines()[0]
            raise Refusal(f"{self.node.name} gives no list there: line {stmt.lineno}: {shown}")
        elif begun is not None and stmt.lineno > begun.lineno:
            raise Refusal(f"{self.node.name} gives another list there: line {stmt.lineno}")
        else:
            rows = [] if self._is_empty(value) else self._items(stmt, value)
        if last and not rows:
            self.edits.append(_without_blank_line(self.source, self.node, stmt))
        else:
            self._put(stmt, rows if rows and self._is_last(stmt) else [*rows, "return"])

    def _is_last(self, stmt: ast.stmt) -> bool:
        """Whether nothing runs in the function after a statement."""
        for below, one in self.source.climb(stmt):
            ends = (one.body[-1], *one.orelse[-1:]) if isinstance(one, ast.If) else self.node.body[-1:]
            if below not in ends:
                return False
            if one is self.node:
                return True
        return False

    def _is_list(self, value: ast.expr) -> bool:
        """Whether a value is a new list."""
        return isinstance(value, ast.List | ast.ListComp) or self._is_call_of_list(value)

    def _is_call_of_list(self, value: ast.expr) -> bool:
        scopes = self.repo.index.scopes(self.source.path)
        match value:
            case ast.Call(func=ast.Name(id="list"), args=args, keywords=[]):
                plain = len(args) < 2 and not any(isinstance(one, ast.Starred) for one in args)
                return plain and scopes.lookup("list", scopes.scope_of[self.node]) is None
        return False

    def _is_empty(self, value: ast.expr) -> bool:
        bare = isinstance(value, ast.List) and not value.elts
        return bare or (isinstance(value, ast.Call) and not value.args and self._is_call_of_list(value))

    def _put(self, stmt: ast.stmt, rows: list[str]) -> None:
        """Write statements in the place of one."""
        self.yields += sum("yield" in row for row in rows)
        if len(rows) > 1 or "\n" in rows[0]:
            refuse_inline(self.source, self.source.suite(stmt))
        between = self.source.newline + self.source.indent(stmt)
        self.edits.append(Edit(self.source.path, *self.source.span(stmt), between.join(rows)))

    # -- what is yielded

    def _items(self, stmt: ast.stmt, items: ast.expr) -> list[str]:
        """The statements that yield each item of a value."""
        if isinstance(items, ast.Call) and self._is_call_of_list(items) and items.args:
            items = items.args[0]
        plain = not any(
            self.source.span(items)[0] <= one.span[0] < self.source.span(items)[1]
            for one in self.source.comments
        )
        if isinstance(items, _ITEMS) and 0 < len(items.elts) <= _MOST_ITEMS and plain:
            return [self._yielded(stmt, one) for one in items.elts]
        if isinstance(items, _MADE):
            return (self._looped(stmt, items) if plain else []) or [self._from_generator(stmt, items)]
        return [self._yielded(stmt, ast.Starred(items, ast.Load()))]

    def _yielded(self, stmt: ast.stmt, item: ast.expr) -> str:
        """The statement that yields one item, or the items of a starred one."""
        word = "yield from " if isinstance(item, ast.Starred) else "yield "
        item = item.value if isinstance(item, ast.Starred) else item
        text = self._text(stmt, item, len(word))
        if isinstance(item, ast.NamedExpr | ast.Yield) or parse_value(text) is None:
            return word + self._in_brackets(stmt, item, len(word) + 1)
        rows = item.elts if isinstance(item, ast.Tuple) and word == "yield " else []
        plain = len(rows) > 1 and not any(isinstance(one, ast.Starred) for one in rows)
        if plain and text.startswith("(") and "\n" not in text:
            return word + text[1:-1].strip().removesuffix(",")
        return word + text

    def _from_generator(self, stmt: ast.stmt, items: ast.expr) -> str:
        text = self._text(stmt, items, len("yield from "))
        inside = text[1:-1] if text.startswith(("[", "(")) and text.endswith(("]", ")")) else text
        return f"yield from ({inside})"

    def _looped(self, stmt: ast.stmt, made: ast.ListComp | ast.GeneratorExp) -> list[str]:
        """The loop that yields what a comprehension makes; nothing where its names would mean something."""
        targets = {
            one.id for each in made.generators for one in walk(each.target) if isinstance(one, ast.Name)
        }
        inside, unit = set(walk(made)), self.source.indent_unit
        scopes = self.repo.index.scopes(self.source.path)
        own, nodes = scopes.scope_of[self.node], set(walk(self.node)) - inside
        first = set(walk(made.generators[0].iter))
        for name in targets:
            for one in scopes.by_name.get(name, ()):
                home = scopes.resolve(one).scope
                inner = home is not None and home is not own and own in home.outwards()
                if one.node in first or (one.node in nodes and not inner):
                    return []
        rows: list[str] = []
        shown = self.source.segment
        parts = [(self._loop_head(each), each.ifs) for each in made.generators]
        for head, tests in parts:
            rows.append(unit * len(rows) + head)
            if any(isinstance(one, ast.BoolOp | ast.IfExp | ast.Lambda | ast.NamedExpr) for one in tests):
                rows += [unit * (len(rows) + at) + f"if {test}:" for at, test in enumerate(map(shown, tests))]
            elif tests:
                rows.append(unit * len(rows) + f"if {' and '.join(map(shown, tests))}:")
        rows.append(unit * len(rows) + self._yielded(stmt, made.elt))
        calls = any(a <= one.start < b for a, b in [self.source.span(made)] for one in self.inner)
        nested = any(isinstance(one, ast.Lambda) for one in inside)
        return [] if calls or nested or any("\n" in row for row in rows) else rows

    def _loop_head(self, each: ast.comprehension) -> str:
        target = self.source.segment(each.target)
        if isinstance(each.target, ast.Tuple) and target.startswith("("):
            target = target[1:-1]
        return f"for {target} in {self.source.segment(each.iter)}:"

    def _in_brackets(self, stmt: ast.stmt, item: ast.expr, moved: int) -> str:
        """The text of an expression in brackets, which stand on lines of their own where they did before."""
        source, unit = self.source, self.source.indent_unit
        line, column = source.position(source.span(item)[0])
        if source.lines[line][:column].strip() or line < stmt.lineno:
            return f"({self._text(stmt, item, moved, together=True)})"
        between, text = source.newline + source.indent(stmt), self._text(stmt, item, len(unit), together=True)
        return f"({between}{unit}{text}{between})"

    def _text(self, stmt: ast.stmt, node: ast.expr, moved: int, *, together: bool = False) -> str:
        """The text of an expression that will begin so many characters behind its statement. All of its lines
        move `together` if they belong below the first one."""
        source = self.source
        low, high = source.span(node)
        line, column = source.position(low)
        indent = len(source.indent(stmt))
        hanging = not source.lines[line][:column].strip() and line > stmt.lineno - 1
        by = indent + moved - column
        edits = [one for one in self.inner if low <= one.start and one.end <= high]
        edits += shifted_lines(source, low, high, by, by if together else indent - column if hanging else 0)
        inside = [Edit(source.path, one.start - low, one.end - low, one.new) for one in edits]
        return edited(source.text[low:high], inside)


def _straight(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a body that always run, as long as nothing leaves it."""
    for one in body:
        yield one
        yield from _straight(one.body) if isinstance(one, ast.With) else ()


def _made(stmt: ast.stmt, name: str) -> ast.expr | None:
    """The value that a statement sets a name to, if that is all it sets."""
    match stmt:
        case (
            ast.Assign(targets=[ast.Name(id=known)], value=value)
            | ast.AnnAssign(target=ast.Name(id=known), value=value)
        ) if known == name:
            return value
    return None


def _without_blank_line(source: Source, function: Function, stmt: ast.stmt) -> Edit:
    """The edit that takes a statement of a function away, with the blank lines above the last one, and those
    below one that opens the body or has blank lines above too."""
    edit = delete_statements(source, [stmt])
    first, last = source.line_number(edit.start) - 1, source.line_number(edit.end - 1)
    if edit.new:
        return edit
    if stmt is function.body[-1]:
        while not source.lines[first - 1].strip():
            first -= 1
    elif stmt is function.body[0] or not source.lines[first - 1].strip():
        while not source.lines[last].strip():
            last += 1
    return Edit(source.path, *source.line_span(first, last), "")


def _leaves(body: list[ast.stmt]) -> bool:
    """Whether a body never ends without a `return` or `raise`."""
    match body[-1]:
        case ast.Return() | ast.Raise():
            return True
        case ast.If(body=one, orelse=[*two]) if two:
            return _leaves(one) and _leaves(two)
        case ast.With(body=one):
            return _leaves(one)
        case ast.Try(body=one, orelse=two, handlers=handlers):
            return _leaves(two or one) and all(_leaves(each.body) for each in handlers)
        case ast.While(test=ast.Constant(value=True)) as loop:
            return not any(isinstance(one, ast.Break) for one in walk(loop))
    return False
