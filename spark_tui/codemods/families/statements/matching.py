"""Chains of `if` and `elif` as `match` statements and as tables."""

from __future__ import annotations

import ast
import token
from collections.abc import Iterator

from spark_tui.codemods.checks.oldest_python import old_python_doubts
from spark_tui.codemods.families.statements.chains import Chain, find_chain
from spark_tui.codemods.families.statements.dispatch import edits_of_dispatch
from spark_tui.codemods.places.named import find_region, own_lines
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import plan_edits, refuse_lost_comments, string_lines
from spark_tui.codemods.slots import NewName, Place
from spark_tui.pysource.names.scopes import ScopeKind
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source, parameters
from spark_tui.pysource.syntax.walking import names_in

_WIDEST = 88
_HASHED = frozenset(("str", "int", "float", "bool", "bytes"))


@codemod
class IfToMatch:
    """Write an `if` with `elif`s that compares one value as a `match` statement."""

    place: Place = slot("where: `in fetch`, or the line of the if")

    def plan(self, repo: Repository) -> Plan:
        within = find_region(repo, self.place)
        source = within.source
        chain = find_chain(within)
        edits = list(_as_match(source, chain))
        refuse_lost_comments(source, edits)
        return plan_edits(repo, edits, old_python_doubts(repo, source.path, chain.node.lineno, 10, "`match`"))


def _as_match(source: Source, chain: Chain) -> Iterator[Edit]:
    first, last = own_lines(source, [*chain.run])
    heads = {source.span(branch.node)[0]: branch for branch in chain.branches}
    stay = string_lines(source)
    for start, branch in heads.items():
        colon = _token(source, ":", source.span(branch.node.test)[1])
        shown = " | ".join(source.segment(value) for value in branch.values)
        if "\n" in shown or "\r" in shown:
            raise Refusal(f"line {branch.node.lineno}: a text there goes over several lines")
        guard = f" if {branch.guard}" if branch.guard else ""
        yield Edit(source.path, start, colon, f"case {shown}{guard}")
        stay |= set(range(source.line_number(start), source.line_number(colon)))
    if chain.rest:
        at = _token(source, "else", source.span(chain.branches[-1].node.body[-1])[1])
        yield Edit(source.path, at, at + len("else"), "case _")
    unit = source.indent_unit
    head = f"{source.indent(chain.node)}match {source.segment(chain.subject)}:{source.newline}"
    for line in range(first, last):
        text = unit if source.lines[line].strip() and line not in stay else ""
        if text or line == first:
            at = source.starts[line]
            yield Edit(source.path, at, at, (head if line == first else "") + text)


def _token(source: Source, text: str, start: int) -> int:
    """Where a token stands next, outside of brackets that begin behind the start."""
    depth = 0
    for one in source.tokens:
        if one.span[0] < start or one.kind not in (token.OP, token.NAME):
            continue
        depth += (one.text in "([{") - (one.text in ")]}")
        if one.text == text and depth <= 0:
            return one.span[0]
    raise Refusal(f"line {source.line_number(start)}: no {text} follows")


@codemod
class IfToLookup:
    """Write an `if` with `elif`s that gives a value or makes a call for each value of another as a
    lookup in a dictionary."""

    place: Place = slot("where: `in fetch`, or the line of the if")
    name: NewName = slot("a name for the dictionary of the calls, as a constant", default=NewName(""))

    def plan(self, repo: Repository) -> Plan:
        within = find_region(repo, self.place)
        source = within.source
        chain = find_chain(within)
        try:
            return self._of_values(repo, source, chain)
        except Refusal as reason:
            try:
                edits = edits_of_dispatch(source, chain, self.name)
            except Refusal:
                raise reason from None
            return plan_edits(repo, edits, _unhashed(source, chain))

    def _of_values(self, repo: Repository, source: Source, chain: Chain) -> Plan:
        head = _head(chain.node.body)
        rows = list(_rows(chain, head))
        run, default = _default(source, chain, head)
        for value in (*(value for _, value in rows), default):
            _evaluated_anyway(repo, source, chain.node, value)
        keys = [source.segment(key) for key, _ in rows]
        table = [f"{key}: {source.segment(value)}" for key, (_, value) in zip(keys, rows, strict=True)]
        given = [source.segment(chain.subject)]
        if default is not None and not (isinstance(default, ast.Constant) and default.value is None):
            given.append(source.segment(default))
        low, high = source.span(run[0])[0], source.span(run[-1])[1]
        own_lines(source, run)
        text = _written(source, source.indent(run[0]), head, table, ", ".join(given))
        edit = Edit(source.path, low, high, text)
        refuse_lost_comments(source, [edit])
        return plan_edits(repo, [edit], _unhashed(source, chain))


def _head(body: list[ast.stmt]) -> str:
    """What stands in front of the value that a branch gives: `return `, or `name = `."""
    match body:
        case [ast.Return(value)] if value is not None:
            return "return "
        case [ast.Assign([ast.Name(name)])]:
            return f"{name} = "
    raise Refusal("each branch must return a value, or set one name to it, and do nothing else")


def _value(body: list[ast.stmt], head: str) -> ast.expr:
    if _head(body) != head:
        raise Refusal(f"line {body[0].lineno}: the branches do not all begin with `{head.strip()}`")
    value = getattr(body[0], "value", None)
    assert isinstance(value, ast.expr)
    return value


def _rows(chain: Chain, head: str) -> Iterator[tuple[ast.expr, ast.expr]]:
    known: set[object] = set()
    keys = [key for branch in chain.branches for key in branch.values]
    owners = {ast.unparse(key.value) if isinstance(key, ast.Attribute) else "" for key in keys}
    if len(owners) > 1:
        raise Refusal("two of the values may be equal, such as a number and a name for it")
    for branch in chain.branches:
        value = _value(branch.node.body, head)
        if branch.guard:
            raise Refusal(f"line {branch.node.lineno}: the condition asks for something else too")
        for key in branch.values:
            try:
                read: object = ast.literal_eval(key)
            except ValueError:
                read = ast.dump(key)
            if read in known or isinstance(read, bool | None):
                raise Refusal(f"line {branch.node.lineno}: {ast.unparse(key)} cannot be a key of its own")
            known.add(read)
            yield key, value


def _default(source: Source, chain: Chain, head: str) -> tuple[list[ast.stmt], ast.expr | None]:
    """The statements that the lookup replaces, and what it gives for other values."""
    run, suite = list(chain.run), source.suite(chain.node)
    if chain.rest:
        return run, _value(list(chain.rest), head)
    above, below = suite.index(run[0]) - 1, suite.index(run[-1]) + 1
    if head == "return ":
        if below < len(suite):
            return [*run, suite[below]], _value([suite[below]], head)
        if isinstance(source.parents.get(run[0]), Function):
            return run, None
        raise Refusal("what is returned for other values is not known")
    name = head.removesuffix(" = ")
    if above >= 0 and isinstance(suite[above], ast.Assign) and name not in names_in(chain.subject):
        return [suite[above], *run], _value([suite[above]], head)
    raise Refusal(f"for other values {name} would be set to None")


def _evaluated_anyway(repo: Repository, source: Source, node: ast.If, value: ast.expr | None) -> None:
    """Refuse a value that may do something or fail where it is not needed."""
    scopes = repo.index.scopes(source.path)
    function = source.function_of(node)
    own = {one.arg for one in parameters(function)} if function is not None else set()
    own |= {
        target.id
        for around in (node, *source.ancestors(node))
        if isinstance(around, ast.stmt) and not isinstance(around, Function)
        for above in source.suite(around)[: source.suite(around).index(around)]
        if isinstance(above, ast.Assign)
        for target in above.targets
        if isinstance(target, ast.Name)
    }
    for one in _pieces(value):
        if isinstance(one, ast.Name):
            owner = scopes.lookup(one.id, scopes.of_function(node))
            if one.id in own or owner is None or owner.kind is not ScopeKind.FUNCTION:
                continue
        elif isinstance(one, ast.Attribute) and one.attr.isupper():
            continue
        raise Refusal(f"line {one.lineno}: {ast.unparse(one)} would be evaluated in any case")


def _pieces(node: ast.AST | None) -> Iterator[ast.expr]:
    """The parts of a value that may do something or fail."""
    if node is None or isinstance(node, ast.Constant | ast.Lambda):
        return
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        for one in node.elts:
            yield from _pieces(one)
    elif isinstance(node, ast.Dict) and all(isinstance(key, ast.Constant) for key in node.keys):
        for one in node.values:
            yield from _pieces(one)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant):
        return
    elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        yield node.value
        yield node
    elif isinstance(node, ast.expr):
        yield node


def _written(source: Source, indent: str, head: str, table: list[str], given: str) -> str:
    line = f"{head}{{{', '.join(table)}}}.get({given})"
    if len(indent) + len(line) <= _WIDEST and not any("\n" in row for row in table):
        return line
    rows = "".join(f"{indent}{source.indent_unit}{row},{source.newline}" for row in table)
    return f"{head}{{{source.newline}{rows}{indent}}}.get({given})"


def _unhashed(source: Source, chain: Chain) -> Iterator[Unfollowed]:
    """A doubt where the value may be a list or something else that no dictionary finds."""
    function = source.function_of(chain.node)
    hints = {
        one.arg: ast.unparse(one.annotation)
        for one in (parameters(function) if function is not None else ())
        if one.annotation is not None
    }
    shown = ast.unparse(chain.subject)
    if not set(hints.get(shown, "object").replace(" ", "").split("|")) <= _HASHED | {"None"}:
        reason = f"if {shown} is a list, dictionary or set, this fails now"
        yield Unfollowed(source.path, chain.node.lineno, reason)
