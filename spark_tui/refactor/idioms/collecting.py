"""Loops that collect: comprehensions and back, join.

Comes in: what is asked. Goes out: the places where it can be done. Must not know: which is meant.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.idioms.asking import Asked, Spot, way
from spark_tui.refactor.idioms.gathers import collected, gathers
from spark_tui.refactor.idioms.text import (
    behind,
    has_comment,
    outer,
    own_lines,
    replaced,
    uses,
)  # fmt: skip

_EMPTY = {"append": ("[]", "list()"), "add": ("set()",), "key": ("{}", "dict()")}


_DIRECT = re.compile(
    r"\bone[- ]?(?:liner|line)|\bdirectly\b|\breturn (?:a|the|one|it)\b|\bjust return\b|straight|single (?:line|expression|return)"
)


def folded(asked: Asked) -> Iterator[Spot]:
    """List, set and dict comprehensions for loops."""
    src = asked.src
    for loop, first, name, manner, expression, key, clauses in gathers(src):
        if first.value is None or src.segment(first.value) not in _EMPTY.get(manner, ()):
            continue
        if (
            manner != "append"
            if re.search(r"\blist comp", asked.text)
            else manner != "add" and re.search(r"\bset comp", asked.text)
        ):
            continue
        opened, closed = ("[", "]") if manner == "append" else ("{", "}")
        body = f"{src.segment(key)}: {expression}" if key is not None else expression
        yield collected(
            asked, loop, first, name, (opened, body, clauses, closed), direct=_DIRECT.search(asked.text) is not None
        )


_BUILT = (ast.ListComp, ast.SetComp, ast.DictComp)


def unrolled(asked: Asked) -> Iterator[Spot]:
    """Loops for comprehensions."""
    src = asked.src
    for node in src.statements:
        if (
            not isinstance(node, ast.Assign | ast.AnnAssign | ast.Return)
            or not own_lines(src, node)
            or has_comment(src, src.first_line(node), src.last_line(node))
        ):
            continue
        comp = node.value
        if not isinstance(comp, _BUILT) or any(part.is_async for part in comp.generators):
            continue
        indent, step = src.indent(node), src.step
        if isinstance(node, ast.Return):
            name, head = (
                next((one for one in ("result", "results", "out") if one not in asked.order.identifiers), ""),
                "",
            )
            if not name:
                continue
            head = f"{name} = "
        else:
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if not isinstance(target, ast.Name) or (isinstance(node, ast.Assign) and len(node.targets) > 1):
                continue
            name, head = target.id, src.text[src.span(node)[0] : src.span(comp)[0]]
        if uses([comp], name):
            continue
        empty = {ast.ListComp: "[]", ast.SetComp: "set()", ast.DictComp: "{}"}[type(comp)]
        rows, deep = [f"{indent}{head}{empty}"], indent
        for part in comp.generators:
            rows.append(f"{deep}for {src.segment(part.target)} in {outer(src, part.iter)}:")
            deep += step
            for test in part.ifs:
                rows.append(f"{deep}if {outer(src, test)}:")
                deep += step
        if isinstance(comp, ast.DictComp):
            rows.append(f"{deep}{name}[{src.segment(comp.key)}] = {outer(src, comp.value)}")
        else:
            rows.append(
                f"{deep}{name}.{'append' if isinstance(comp, ast.ListComp) else 'add'}({src.segment(comp.elt)})"
            )
        if isinstance(node, ast.Return):
            rows.append(f"{indent}return {name}")
        yield Spot(
            node,
            (replaced(src, src.first_line(node), src.last_line(node), "\n".join(rows).split("\n")),),
            (name, "append", "result"),
        )


_SIMPLER = re.compile(r"\b(?:simplif\w+|shorten|pythonic|shorter) (?:the |this |that )?(?:for )?loop\b")
_COMP = r"list ?comp\w*|\w*comprehen\w*|dict ?comp\w*|set ?comp\w*|one-?liner|\bcomp\b|one line|single expression"


_LOOPED = (
    r"for[- ]?loops?|\bloops?\b|\bappend\w*|for \+ append|\.append|normal for|plain for|\bfor\b(?! each| the| consist)"
)


def comprehended(asked: Asked) -> Iterator[Spot]:
    wanted = True if _SIMPLER.search(asked.text) else asked.wants(_COMP, _LOOPED)
    if re.search(
        r"\b(?:with|in|as|by|into|to|of) (?:a |an )?(?:plain |normal |simple |explicit |for[- ]?)*loop\b|start with .* = and append|into a loop",
        asked.text,
    ) and not re.search(rf"(?:{_COMP})[^.;]*$", re.split(r"loop", asked.text)[-1]):
        wanted = False
    found = list(folded(asked)) if wanted is not False else []
    if wanted is False or (wanted is None and not found):
        found = list(unrolled(asked))
    yield from found


def joined(asked: Asked) -> Iterator[Spot]:
    src = asked.src
    for loop, first, name, manner, expression, _, clauses in gathers(src):
        if manner == "+=" and isinstance(first.value, ast.Constant) and first.value.value == "":
            yield collected(asked, loop, first, name, ('"".join(', expression, clauses, ")"), direct=True)
        elif manner == "append" and first.value is not None and src.segment(first.value) == "[]":
            after = behind(src, loop)[:1]
            call = after[0].value if after and isinstance(after[0], ast.Return | ast.Assign) else None
            if (
                isinstance(call, ast.Call)
                and isinstance(call.func, ast.Attribute)
                and call.func.attr == "join"
                and len(call.args) == 1
                and isinstance(call.args[0], ast.Name)
                and call.args[0].id == name
                and after
            ):
                a, b = src.span(call.args[0])
                x, y = src.span(after[0])
                new = src.indent(loop) + src.text[x:a] + " ".join([expression, *clauses]) + src.text[b:y]
                last = src.last_line(after[0])
                yield Spot(loop, (replaced(src, src.first_line(first), last, [new]),), (name, "join"), last)


_WORDS = "loop loops looping lop for if append appends appending appended add adds adding list lists set sets dict dictionary variable build building builds built create created collect collects one line liner one-liner single expression result generator"


WAYS = (
    way(
        rf"{_COMP}|\bbuild\b.*\bloop\b|loop with append|\bappend in a loop|\.append\b.*\bloop|with a (?:for )?loop|{_SIMPLER.pattern}",
        comprehended,
        f"{_WORDS} comprehension comprehensions listcomp comp comps comprehend start with and break up split unroll expand unfold plain normal rather nested regular proper explicit this couldn't return returns directly perf401 empty instead bodies be",
    ),
    way(
        r"\bjoin\b", joined, f"{_WORDS} join string strings concatenation concatenate concatenating text empty += plus"
    ),
)
