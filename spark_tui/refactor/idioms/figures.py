"""Assertions of unittest that say what they compare, and numbers that are shown with so many decimals.

Comes in: what is asked. Goes out: the places where it can be done. Must not know: which is meant.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.idioms.asking import Asked, Spot, way
from spark_tui.refactor.idioms.text import outer
from spark_tui.refactor.source import Source

_COMPARED = {ast.Eq: "assertEqual", ast.NotEq: "assertNotEqual", ast.In: "assertIn", ast.NotIn: "assertNotIn", ast.Is: "assertIs", ast.IsNot: "assertIsNot",
             ast.Gt: "assertGreater", ast.GtE: "assertGreaterEqual", ast.Lt: "assertLess", ast.LtE: "assertLessEqual"}  # fmt: skip
_OPPOSITE = {
    "assertEqual": "assertNotEqual",
    "assertIn": "assertNotIn",
    "assertIs": "assertIsNot",
    "assertIsNone": "assertIsNotNone",
}
_OPPOSITE |= {new: old for old, new in _OPPOSITE.items()}


def asserted(asked: Asked) -> Iterator[Spot]:
    src = asked.src
    for node in src.nodes:
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.keywords or not node.args:
            continue
        made = _assertion(src, node.func.attr, node.args)
        if made is None or made[0].lower() not in asked.text:
            continue
        name, values = made
        rest = [src.segment(one) for one in node.args[2 if node.func.attr.endswith("Equal") else 1 :]]
        new = f"{src.segment(node.func.value)}.{name}({', '.join([*values, *rest])})"
        yield Spot(node, ((*src.span(node), new),), (name, node.func.attr))


def _assertion(src: Source, name: str, args: list[ast.expr]) -> tuple[str, list[str]] | None:
    """The name of the plainer assertion, and what it is given."""
    if name == "assertEqual" and len(args) > 1 and isinstance(args[1], ast.Constant):
        told = {None: "assertIsNone", True: "assertTrue", False: "assertFalse"}
        value = args[1].value
        return (told[value], [src.segment(args[0])]) if value is None or isinstance(value, bool) else None
    test = args[0]
    if name not in ("assertTrue", "assertFalse"):
        return None
    if (
        isinstance(test, ast.Call)
        and isinstance(test.func, ast.Name)
        and test.func.id == "isinstance"
        and name == "assertTrue"
    ):
        return "assertIsInstance", [src.segment(one) for one in test.args]
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or type(test.ops[0]) not in _COMPARED:
        return None
    new, values = _COMPARED[type(test.ops[0])], [outer(src, test.left), outer(src, test.comparators[0])]
    if new in ("assertIs", "assertIsNot") and values[1] == "None":
        new, values = f"{new}None", values[:1]
    if name == "assertFalse":
        if new not in _OPPOSITE:
            return None
        new = _OPPOSITE[new]
    return new, values


_COUNT = {"no": 0, "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_DECIMALS = re.compile(
    r"\b(\d|no|zero|one|two|three|four|five|six) (?:decimals?|decimal places?|digits? (?:after|behind) the (?:point|comma|dot)|places)\b"
)


def decimals(asked: Asked) -> Iterator[Spot]:
    """Fields of f-strings, and calls of `round`, whose value the order names; those that have decimals already first."""
    src, match = asked.src, _DECIMALS.search(asked.text)
    if match is None:
        return
    count = _COUNT[match[1]] if match[1] in _COUNT else int(match[1])
    said = set(re.findall(r"[^\W\d]\w*", asked.text))
    shaped: list[Spot] = []
    named: list[Spot] = []
    for node in src.nodes:
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id == "round"
            and len(node.args) in (1, 2)
        ):
            new = f"round({src.segment(node.args[0])}{f', {count}' if count else ''})"
            if new != src.segment(node):
                shaped.append(Spot(node, ((*src.span(node), new),), ("round",)))
        if isinstance(node, ast.JoinedStr) and node.lineno == node.end_lineno:
            for start, end, inner in _fields(src, node):
                value, colon, form = inner.partition(":")
                names = set(re.findall(r"[^\W\d]\w*", value.lower()))
                if re.fullmatch(r"[^.]*\.\d+f", form) and form != (new := re.sub(r"\.\d+f", f".{count}f", form)):
                    shaped.append(Spot(node, ((start, end, f"{value}:{new}"),), tuple(names)))
                elif not colon and names & said:
                    named.append(Spot(node, ((start, end, f"{value}:.{count}f"),), tuple(names)))
    yield from named or shaped


def _fields(src: Source, node: ast.JoinedStr) -> Iterator[tuple[int, int, str]]:
    """Where the fields of an f-string stand, without their braces."""
    start, end = src.span(node)
    text = src.text[start:end]
    for match in re.finditer(r"(?<!\{)\{([^{}!]+)\}(?!\})", text):
        yield start + match.start(1), start + match.end(1), match[1]


WAYS = (
    way(
        r"\bassert[a-z]+\b",
        asserted,
        "test tests assert assertion assertions assertequal assertnotequal asserttrue assertfalse assertin assertnotin assertis assertisnot assertisnone assertisnotnone assertisinstance assertgreater assertless instead unittest call proper specific rather",
        together=True,
    ),
    way(
        _DECIMALS.pattern,
        decimals,
        "decimal decimals places place digits digit after behind point comma dot no zero one two three four five six show shown print printed display displayed round rounded rounding format formatted limit to in 0 1 2 3 4 5 6 f-string output number numbers always",
    ),
)
