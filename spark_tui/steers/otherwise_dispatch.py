"""One of several by a value: a chain of ifs, a match, a dict at the top of the module, each made of another.

Comes in: a text, a message. Goes out: texts that may be wanted. Must not know: engines, ids.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from spark_tui.refactor.source import Source
from spark_tui.steers.otherwise_base import Base
from spark_tui.steers.otherwise_said import Said
from spark_tui.steers.tree_forms import alike, blocks

MATCH = r"\bmatch(?:/case| ?case| statement)?\b(?!es|ing)"
DICT = r"\b(?:dict(?:ionary)?|lookup(?: table)?|table|mapping|map)\b"
CHAIN = r"\b(?:if ?/? ?elif|if[- ]chain|elif|plain ifs?|(?:simple|normal|regular|chain of) ifs?|if statements?)\b"
_MEANT = re.compile(r"\b([A-Z][A-Z_]{2,})\b")


@dataclass(frozen=True)
class Choice:
    """What is looked at, what comes of each value, and what of all others."""

    subject: ast.expr
    cases: list[tuple[list[ast.expr], list[ast.stmt]]]
    other: list[ast.stmt]
    nodes: tuple[ast.stmt, ...]


def choices(src: Source) -> Iterator[Choice]:
    for block in blocks(src):
        for at, node in enumerate(block):
            found = None
            if isinstance(node, ast.If):
                found = _of_ifs(src, block, at)
            elif isinstance(node, ast.Match):
                found = _of_match(block, at)
            if found is not None and len(found.cases) > 1:
                yield found


def _of_ifs(src: Source, block: Sequence[ast.stmt], at: int) -> Choice | None:
    """A chain, or ifs in a row that all leave."""
    node = block[at]
    cases: list[tuple[list[ast.expr], list[ast.stmt]]] = []
    subject: ast.expr | None = None
    nodes: list[ast.stmt] = []
    other: list[ast.stmt] = []
    if src.lines[src.first_line(node)].lstrip().startswith("elif"):
        return None
    while isinstance(node, ast.If):
        read = _tested(node.test)
        if read is None or (subject is not None and not alike(read[0], subject)):
            break
        subject = read[0]
        cases.append((read[1], node.body))
        if not nodes or node in block:
            nodes.append(node)
        if len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
            node = node.orelse[0]
            continue
        if node.orelse:
            other = node.orelse
            break
        if not isinstance(node.body[-1], (ast.Return, ast.Raise)):
            break
        step = block.index(nodes[-1]) + 1
        if step >= len(block):
            break
        node = block[step]
    if subject is None:
        return None
    behind = block[block.index(nodes[-1]) + 1 :]
    if (
        not other
        and len(behind) == 1
        and isinstance(behind[0], (ast.Return, ast.Raise))
        and all(isinstance(body[-1], (ast.Return, ast.Raise)) for _, body in cases)
    ):
        other, nodes = list(behind), [*nodes, behind[0]]
    return Choice(subject, cases, other, tuple(nodes))


def _tested(test: ast.expr) -> tuple[ast.expr, list[ast.expr]] | None:
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        if isinstance(test.ops[0], ast.Eq) and isinstance(test.comparators[0], (ast.Constant, ast.Attribute)):
            return test.left, [test.comparators[0]]
        elts = getattr(test.comparators[0], "elts", None)
        if (
            isinstance(test.ops[0], ast.In)
            and elts
            and all(isinstance(one, (ast.Constant, ast.Attribute)) for one in elts)
        ):
            return test.left, list(elts)
    return None


def _of_match(block: Sequence[ast.stmt], at: int) -> Choice | None:
    node = block[at]
    if not isinstance(node, ast.Match):
        return None
    cases: list[tuple[list[ast.expr], list[ast.stmt]]] = []
    other: list[ast.stmt] = []
    nodes: list[ast.stmt] = [node]
    for one in node.cases:
        if one.guard is not None:
            return None
        pattern = one.pattern
        if isinstance(pattern, ast.MatchAs) and pattern.pattern is None and pattern.name is None:
            other = one.body
            continue
        parts = pattern.patterns if isinstance(pattern, ast.MatchOr) else [pattern]
        if not all(isinstance(part, ast.MatchValue) for part in parts):
            return None
        cases.append(([part.value for part in parts if isinstance(part, ast.MatchValue)], one.body))
    behind = block[at + 1 :]
    if not other and len(behind) == 1 and isinstance(behind[0], (ast.Return, ast.Raise)):
        other = list(behind)
        nodes.append(behind[0])
    return Choice(node.subject, cases, other, tuple(nodes))


def _one(base: Base, kind: type[ast.stmt]) -> Choice | None:
    found = [one for one in choices(base.src) if isinstance(one.nodes[0], kind)]
    near = [one for one in found if base.touches(*one.nodes)] or [one for one in found if base.near(*one.nodes)]
    return near[0] if len(near) == 1 else None


def _body(src: Source, body: list[ast.stmt], indent: str) -> list[str]:
    was = src.indent(body[0])
    return [
        indent + line[len(was) :] if line.strip() else line
        for line in src.lines[src.first_line(body[0]) : src.last_line(body[-1])]
    ]


def matched(base: Base, _: Said) -> Iterator[str]:
    """*use match on kind*."""
    choice = _one(base, ast.If)
    if choice is None:
        return
    src, node = base.src, choice.nodes[0]
    deep, step = src.indent(node), src.step
    new = [f"{deep}match {src.segment(choice.subject)}:"]
    for values, body in choice.cases:
        new += [
            f"{deep}{step}case {' | '.join(src.segment(one) for one in values)}:",
            *_body(src, body, deep + 2 * step),
        ]
    if choice.other:
        new += [f"{deep}{step}case _:", *_body(src, choice.other, deep + 2 * step)]
    yield src.with_lines(src.first_line(node), src.last_line(choice.nodes[-1]), new)


def chained(base: Base, _: Said) -> Iterator[str]:
    """*a plain if chain*."""
    choice = _one(base, ast.Match)
    if choice is None:
        return
    src, node = base.src, choice.nodes[0]
    deep, step = src.indent(node), src.step
    new: list[str] = []
    subject = src.segment(choice.subject)
    for values, body in choice.cases:
        said = [src.segment(one) for one in values]
        test = f"{subject} == {said[0]}" if len(said) == 1 else f"{subject} in ({', '.join(said)})"
        new += [f"{deep}{'elif' if new else 'if'} {test}:", *_body(src, body, deep + step)]
    if choice.other:
        new += [f"{deep}else:", *_body(src, choice.other, deep + step)]
    yield src.with_lines(src.first_line(node), src.last_line(choice.nodes[-1]), new)


def looked_up(base: Base, said: Said) -> Iterator[str]:
    """*a dict lookup instead*: of what is the same in all cases but for one piece."""
    src = base.src
    for kind in (ast.If, ast.Match):
        choice = _one(base, kind)
        if choice is None:
            continue
        values = [_value(body) for _, body in choice.cases]
        if any(one is None for one in values):
            continue
        target = values[0][0] if values[0] is not None else ""
        given = [one[1] for one in values if one is not None]
        if any(one is not None and one[0] != target for one in values):
            continue
        other = _value(choice.other) if choice.other else None
        pieces = _differing([*given, other[1]]) if other is not None and other[0] == target else None
        default = pieces.pop() if pieces is not None else None
        if pieces is None or pieces[0] is given[0] or not isinstance(default, ast.Constant):
            pieces, default = _differing(given), None
        if pieces is None or _reads_locals(src, pieces, choice):
            continue
        yield from _with_table(base, said, choice, target, given[0], pieces, default)


def _value(body: list[ast.stmt]) -> tuple[str, ast.expr] | None:
    if len(body) != 1:
        return None
    one = body[0]
    if isinstance(one, ast.Return) and one.value is not None:
        return "return ", one.value
    if isinstance(one, ast.Assign) and len(one.targets) == 1:
        return f"{ast.unparse(one.targets[0])} = ", one.value
    return None


def _differing(given: Sequence[ast.expr]) -> list[ast.expr] | None:
    """The smallest piece by which all of them differ."""
    first = given[0]
    if any(type(one) is not type(first) for one in given) or isinstance(first, (ast.Constant, ast.Name, ast.Lambda)):
        return list(given)
    rows = [list(ast.iter_child_nodes(one)) for one in given]
    if len({len(row) for row in rows}) != 1:
        return list(given)
    differ = [column for column in zip(*rows, strict=True) if not all(alike(column[0], one) for one in column)]
    if len(differ) != 1 or not all(isinstance(one, ast.expr) for one in differ[0]):
        return list(given)
    if isinstance(first, ast.Call) and any(isinstance(one, ast.Constant) for one in differ[0]) and src_free(first):
        return list(given)
    return _differing([one for one in differ[0] if isinstance(one, ast.expr)])


def src_free(call: ast.Call) -> bool:
    """Whether a call depends on nothing that is not said in it: `Decimal("0.9")`."""
    return all(isinstance(one, ast.Constant) for one in call.args) and not call.keywords


def _reads_locals(src: Source, pieces: Sequence[ast.expr], choice: Choice) -> bool:
    function = src.function_of(choice.nodes[0])
    if function is None:
        return True
    own = {item.arg for item in ast.walk(function.args) if isinstance(item, ast.arg)}
    own |= {item.id for item in ast.walk(function) if isinstance(item, ast.Name) and isinstance(item.ctx, ast.Store)}
    return any(isinstance(item, ast.Name) and item.id in own for piece in pieces for item in ast.walk(piece))


def _with_table(
    base: Base,
    said: Said,
    choice: Choice,
    target: str,
    model: ast.expr,
    pieces: list[ast.expr],
    default: ast.expr | None,
) -> Iterator[str]:
    src, node = base.src, choice.nodes[0]
    function = src.function_of(node)
    if function is None:
        return
    subject = src.segment(choice.subject)
    spelled = [name for name in _MEANT.findall(said.message) if not re.search(rf"\b{name}\b", src.text)]
    name = spelled[0] if len(spelled) == 1 else re.sub(r"\W+", "_", subject.rpartition(".")[2]).strip("_").upper() + "S"
    outer = function if src.class_of(function) is None else src.class_of(function)
    assert outer is not None
    low, high = src.span(model)
    at, end = src.span(pieces[0])
    used = src.text[low:at] + "{}" + src.text[end:high]
    rows = [
        f"{src.step}{src.segment(key)}: {src.segment(piece)},"
        for (keys, _), piece in zip(choice.cases, pieces, strict=True)
        for key in keys
    ]
    functions = any(
        isinstance(item, ast.Name) and item.id in {one.name for one in src.functions}
        for piece in pieces
        for item in ast.walk(piece)
    )
    first = src.first_line(outer)
    if not functions:
        first = min(
            src.first_line(one)
            for one in src.statements
            if isinstance(one, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef))
        )
    deep = src.indent(node)
    other = _value(choice.other) if choice.other else None
    new: list[str] = []
    if default is not None:
        new = [f"{deep}{target}{used.format(f'{name}.get({subject}, {src.segment(default)})')}"]
    elif not choice.other and target == "return ":
        new = [f"{deep}if {subject} in {name}:", f"{deep}{src.step}return {used.format(f'{name}[{subject}]')}"]
    elif not choice.other:
        return
    elif (
        isinstance(choice.other[-1], ast.Raise)
        and re.fullmatch(rf"KeyError\({re.escape(subject)}\)", src.segment(choice.other[-1]).removeprefix("raise "))
        and len(choice.other) == 1
    ):
        new = [f"{deep}{target}{used.format(f'{name}[{subject}]')}"]
    elif other is not None and other[0] == target and used == "{}" and isinstance(other[1], ast.Constant):
        fallback = "" if other[1].value is None else f", {src.segment(other[1])}"
        new = [f"{deep}{target}{name}.get({subject}{fallback})"]
    else:
        new = [f"{deep}if {subject} not in {name}:", *_body(src, choice.other, deep + src.step)]
        if not isinstance(choice.other[-1], (ast.Return, ast.Raise)):
            new.append(f"{deep}else:")
            deep += src.step
        new.append(f"{deep}{target}{used.format(f'{name}[{subject}]')}")
    start, stop = src.line_span(src.first_line(node), src.last_line(choice.nodes[-1]))
    put = src.starts[first]
    table = f"{name} = {{\n" + "\n".join(rows) + "\n}\n\n\n"
    if functions is False and first > 0 and src.lines[first - 1].strip() == "":
        # Behind the other values of the module.
        above = next((n for n in range(first - 1, -1, -1) if src.lines[n].strip()), -1)
        put, table = src.starts[above + 1], ("\n" if above >= 0 else "") + table.rstrip("\n") + "\n"
    yield src.changed([(put, put, table), (start, stop, "\n".join(new) + "\n")])
