"""Chains of `if` and `elif` whose branches make one call each: a table of what differs, and one call."""

from __future__ import annotations

import ast
import textwrap
from dataclasses import dataclass

from spark_tui.codemods.families.statements.chains import Chain
from spark_tui.codemods.places.named import insert_at_line, own_lines
from spark_tui.codemods.plan import Edit, Refusal
from spark_tui.codemods.rewriting.edits import refuse_lost_comments
from spark_tui.pysource.source import Definition, Source
from spark_tui.pysource.syntax.walking import LEAVING, names_in

_PLAIN = (ast.Constant, ast.Name, ast.Attribute)
_WIDEST = 88


@dataclass(frozen=True)
class _Calls:
    """The calls of all branches: what differs between them, by the keys, and how one of them is written."""

    rows: tuple[tuple[ast.expr, ast.expr], ...]
    head: str
    """`return `, or nothing."""
    front: str
    behind: str
    """The code of each call around what differs."""
    is_function: bool


def edits_of_dispatch(source: Source, chain: Chain, name: str) -> list[Edit]:
    """The edits that look up what differs, in a table of its own where it has a `name`."""
    calls = _read(source, chain)
    function = source.function_of(chain.node)
    used = names_in(function or source.tree)
    names = ("handler", "handle") if calls.is_function else ("value", "found")
    held = next((one for one in names if one not in used), "")
    if not held:
        raise Refusal("there is no free name for what is looked up")
    indent, unit, newline = source.indent(chain.node), source.indent_unit, source.newline
    table = [f"{source.segment(key)}: {source.segment(value)}" for key, value in calls.rows]
    edits = []
    subject = source.segment(chain.subject)
    if name:
        edits.append(_table_above(source, chain, calls, name, table))
        lines = [f"{held} = {name}.get({subject})"]
    else:
        lines = [f"{held} = {_display(table, unit, newline, len(indent))}.get({subject})"]
    call = f"{calls.head}{calls.front}{held}{calls.behind}"
    if chain.rest:
        first, last = own_lines(source, [*chain.rest])
        low, high = source.line_span(first, last)
        rest = textwrap.indent(textwrap.dedent(source.text[low:high]).rstrip("\r\n"), unit).splitlines()
        leaves = isinstance(chain.rest[-1], LEAVING)
        lines += [f"if {held} is None:", *rest, *([call] if leaves else ["else:", f"{unit}{call}"])]
    else:
        lines += [f"if {held} is not None:", f"{unit}{call}"]
    low, high = source.span(chain.run[0])[0], source.span(chain.run[-1])[1]
    own_lines(source, [*chain.run])
    text = f"{newline}{indent}".join(one for line in lines for one in line.split(newline))
    edit = Edit(source.path, low, high, text)
    refuse_lost_comments(source, [edit])
    return [edit, *edits]


def _read(source: Source, chain: Chain) -> _Calls:
    """What differs between the calls of a chain; refuses where that is more than one thing."""
    found: list[tuple[ast.expr, ast.Call]] = []
    heads = set()
    for branch in chain.branches:
        body = branch.node.body
        value = body[0].value if len(body) == 1 and isinstance(body[0], ast.Expr | ast.Return) else None
        if not isinstance(value, ast.Call) or branch.guard or len(chain.run) > 1:
            raise Refusal("each branch must return a value, or set one name to it, and do nothing else")
        heads.add("return " if isinstance(body[0], ast.Return) else "")
        found += [(key, value) for key in branch.values]
    keys = [
        ast.literal_eval(key) if not isinstance(key, ast.Attribute) else ast.dump(key) for key, _ in found
    ]
    if len(set(keys)) < len(keys) or any(isinstance(key, bool | None) for key in keys):
        raise Refusal("two of the values may be equal, or one is no key")
    parts = [[call.func, *call.args, *(item.value for item in call.keywords)] for _, call in found]
    keywords = {tuple(item.arg for item in call.keywords) for _, call in found}
    first = parts[0]
    if len(heads) > 1 or len(keywords) > 1 or any(len(one) != len(first) for one in parts):
        raise Refusal("the calls of the branches are not alike")
    differing = [at for at in range(len(first)) if len({ast.dump(one[at]) for one in parts}) > 1]
    if len(differing) != 1 or not all(isinstance(one[differing[0]], _PLAIN) for one in parts):
        raise Refusal("the calls of the branches differ in more than one thing")
    at, call = differing[0], found[0][1]
    text, start = source.segment(call), source.span(call)[0]
    low, high = (edge - start for edge in source.span(first[at]))
    rows = tuple((key, one[at]) for (key, _), one in zip(found, parts, strict=True))
    if any(isinstance(value, ast.Constant) and value.value is None for _, value in rows):
        raise Refusal("a branch passes None")
    return _Calls(rows, heads.pop(), text[:low], text[high:], at == 0)


def _display(table: list[str], unit: str, newline: str, indent: int) -> str:
    line = f"{{{', '.join(table)}}}"
    if indent + len(line) + 20 <= _WIDEST:
        return line
    rows = "".join(f"{unit}{row},{newline}" for row in table)
    return f"{{{newline}{rows}}}"


def _table_above(source: Source, chain: Chain, calls: _Calls, name: str, table: list[str]) -> Edit:
    """The table as a constant in front of the definition that has the chain; what it names is set above."""
    if name in names_in(source.tree):
        raise Refusal(f"{name} is there already")
    outer = next((one for one in [*source.ancestors(chain.node)][::-1] if isinstance(one, Definition)), None)
    needed = {one for _, value in calls.rows for one in names_in(value)}
    if outer is None or needed - _set_above(source, outer.lineno):
        raise Refusal(f"{name} would need names that are not there yet")
    newline = source.newline
    text = f"{name} = {_display(table, source.indent_unit, newline, len(name))}{newline * 3}"
    return insert_at_line(source, source.first_line(outer), text)


def _set_above(source: Source, line: int) -> set[str]:
    """The definitions of a file above a line, and what it imports."""
    imports = [one for one in source.body if isinstance(one, ast.Import | ast.ImportFrom)]
    bound = {alias.asname or alias.name.partition(".")[0] for one in imports for alias in one.names}
    return bound | {one.name for one in source.body if isinstance(one, Definition) and one.lineno < line}
