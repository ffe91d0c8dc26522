"""Small forms of expressions that have a plainer one: augmented assignment, def for lambda, range, casts, membership.

Comes in: what is asked. Goes out: the places where it can be done. Must not know: which is meant.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.idioms.asking import Asked, Spot, way
from spark_tui.refactor.idioms.text import bracketed, outer, own_lines, replaced, same

_AUGMENTED = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.BitOr: "|",
              ast.BitAnd: "&", ast.Pow: "**"}  # fmt: skip  # fmt: skip


def augmented(asked: Asked) -> Iterator[Spot]:
    src = asked.src
    for node in src.statements:
        if not isinstance(node, ast.Assign) or len(node.targets) != 1 or not isinstance(node.value, ast.BinOp):
            continue
        target, value = node.targets[0], node.value
        if type(value.op) not in _AUGMENTED or isinstance(target, ast.Tuple):
            continue
        sign = re.search(r"([-+*/])=", asked.text)
        if (
            sign is not None
            and not re.search(r"augmented|in-?place", asked.text)
            and _AUGMENTED[type(value.op)] != sign[1]
        ):
            continue
        rest = (
            value.right
            if same(value.left, target)
            else value.left
            if same(value.right, target) and isinstance(value.op, ast.Mult)
            else None
        )
        if rest is not None:
            text = src.segment(rest)
            yield Spot(node, ((*src.span(node), f"{src.segment(target)} {_AUGMENTED[type(value.op)]}= {text}"),), ())


def lambdas(asked: Asked) -> Iterator[Spot]:
    src = asked.src
    for node in src.statements:
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.value, ast.Lambda)
            and isinstance(node.targets[0], ast.Name)
            and len(node.targets) == 1
        ):
            one, indent = node.value, src.indent(node)
            args = (
                src.text[src.span(one)[0] + 6 : src.span(one.body)[0]].rstrip(" (").rstrip().removesuffix(":").strip()
            )
            rows = [f"{indent}def {node.targets[0].id}({args}):", f"{indent}{src.step}return {src.segment(one.body)}"]
            if own_lines(src, node) and node.lineno == node.end_lineno:
                yield Spot(
                    node,
                    (replaced(src, src.first_line(node), src.last_line(node), rows),),
                    (node.targets[0].id, "lambda"),
                )


def ranges(asked: Asked) -> Iterator[Spot]:
    src = asked.src
    if not re.search(r"\b(?:0|zero|start|argument|redundant|useless|needless|unnecessary)\b|range\(n\)", asked.text):
        return
    for node in src.nodes:
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id == "range"
            and len(node.args) == 2
            and src.segment(node.args[0]) == "0"
        ):
            yield Spot(node, ((src.span(node.args[0])[0], bracketed(src, node.args[1])[0], ""),), ("range", "0"))


def casts(asked: Asked) -> Iterator[Spot]:
    """`list([..])`, `sorted(list(..))`, `for x in list(..)`, `set([..])`, `dict()`."""
    src = asked.src
    for node in src.nodes:
        if (
            not isinstance(node, ast.Call)
            or not isinstance(node.func, ast.Name)
            or node.keywords
            or node.func.id not in ("list", "set", "tuple", "dict")
        ):
            continue
        name, parent = node.func.id, src.parents.get(node)
        if not node.args:
            if re.search(r"literal|\{\}|\[\]", asked.text) and name in ("list", "dict"):
                yield Spot(node, ((*src.span(node), "[]" if name == "list" else "{}"),), (name,))
            continue
        if len(node.args) != 1 or isinstance(node.args[0], ast.Starred):
            continue
        arg = node.args[0]
        inner = src.segment(arg)
        if name == "list" and isinstance(arg, ast.List | ast.ListComp):
            yield Spot(node, ((*src.span(node), inner),), (name,))
        elif name == "list" and isinstance(arg, ast.GeneratorExp):
            yield Spot(node, ((*src.span(node), f"[{inner.removeprefix('(').removesuffix(')')}]"),), (name,))
        elif name == "set" and isinstance(arg, ast.List | ast.ListComp) and inner != "[]":
            yield Spot(node, ((*src.span(node), f"{{{inner[1:-1]}}}"),), (name,))
        elif (
            name == "list"
            and isinstance(parent, ast.Call)
            and isinstance(parent.func, ast.Name)
            and parent.func.id
            in (
                "sorted",
                "set",
                "sum",
                "len" if isinstance(arg, ast.Name) else "max",
                "max",
                "min",
                "any",
                "all",
                "tuple",
                "list",
            )
            and parent.args[:1] == [node]
        ) or (name == "list" and isinstance(parent, ast.For | ast.comprehension) and parent.iter is node):
            yield Spot(node, ((*src.span(node), inner),), (name,))


def members(asked: Asked) -> Iterator[Spot]:
    """`x == a or x == b` as `x in (a, b)`; the same for !=; and `s.startswith(a) or s.startswith(b)`."""
    src = asked.src
    for node in src.nodes:
        if not isinstance(node, ast.BoolOp):
            continue
        wanted = ast.Eq if isinstance(node.op, ast.Or) else ast.NotEq
        parts = node.values
        if all(
            isinstance(part, ast.Compare) and len(part.ops) == 1 and isinstance(part.ops[0], wanted) for part in parts
        ):
            compared = [part for part in parts if isinstance(part, ast.Compare)]
            if all(same(part.left, compared[0].left) for part in compared):
                values = ", ".join(outer(src, part.comparators[0]) for part in compared)
                box = (
                    f"{{{values}}}"
                    if re.search(r"\bset\b", asked.text)
                    else f"[{values}]"
                    if re.search(r"\blist\b", asked.text)
                    else f"({values})"
                )
                yield Spot(
                    node,
                    (
                        (
                            *src.span(node),
                            f"{outer(src, compared[0].left)} {'in' if wanted is ast.Eq else 'not in'} {box}",
                        ),
                    ),
                    ("in", "or", "and"),
                )
        calls = [
            part
            for part in parts
            if isinstance(part, ast.Call)
            and isinstance(part.func, ast.Attribute)
            and part.func.attr in ("startswith", "endswith")
            and len(part.args) == 1
        ]
        if (
            isinstance(node.op, ast.Or)
            and len(calls) == len(parts)
            and all(same(part.func, calls[0].func) for part in calls)
        ):
            values = ", ".join(src.segment(part.args[0]) for part in calls)
            yield Spot(
                node,
                ((*src.span(node), f"{src.segment(calls[0].func)}(({values}))"),),
                ("startswith", "endswith", "tuple", "or"),
            )
        tests = [
            part
            for part in parts
            if isinstance(part, ast.Call)
            and isinstance(part.func, ast.Name)
            and part.func.id == "isinstance"
            and len(part.args) == 2
        ]
        if (
            isinstance(node.op, ast.Or)
            and len(tests) == len(parts)
            and all(same(part.args[0], tests[0].args[0]) for part in tests)
        ):
            values = ", ".join(src.segment(part.args[1]) for part in tests)
            yield Spot(
                node,
                ((*src.span(node), f"isinstance({src.segment(tests[0].args[0])}, ({values}))"),),
                ("isinstance", "tuple", "or"),
            )


_COMPARE = "if compare compared comparing compares comparison comparisons check checks checking test tests condition conditions operator equality identity x y == != <> is not equals equal equality instead rather none true false drop dropped drops delete remove removed redundant bare substitute pep complaint complains e711 e712 e713 e714 e721 c1801 c1802 sim118 sim plr1714 plr5501 plc1901 s' with without against"


WAYS = (
    way(r"(?:\+=|-=|\*=)|augmented|in-?place operator|shorthand assignment", augmented, f"{_COMPARE} augmented assignment assignments += -= in-place inplace operator shorthand increment increments plus equals minus x 1", together=True),
    way(r"\blambda\b|\be731\b|\ba (?:proper |real |normal )?def\b|\ba (?:proper|real|normal|named) function\b", lambdas, f"{_COMPARE} make lambda lambdas assignment assigned def proper named normal regular real function e731 into"),
    way(r"\brange\b", ranges, f"{_COMPARE} range ranges 0 zero start first argument default drop starts redundant useless the n from", together=True),
    way(r"\b(?:list|set|tuple|dict)\b", casts, f"{_COMPARE} list set tuple dict call calls useless cast casts conversion wrapper wrapping wrapped around redundant remove drop literal literals comprehension c4 c400 c401 c403 c405 c408 c411 c414 empty create around sorted needed"),
    way(r"\b(?:in|member\w*|tuples?|set)\b", members, f"{_COMPARE} in member membership tuple tuples set or and ors chain chained chains list single one startswith endswith isinstance call calls merge merged merging combine combined multiple several repeated collapse both into"),
)  # fmt: skip  # fmt: skip
