# ruff: noqa: E501 - tables of words and forms read better unbroken
"""One more of what is set in a row: *set secure and samesite=Strict on the cookie too*, *attach the store to the wrapper,
wrapper.cache*.

Comes in: an order. Goes out: lines behind those that set keys or attributes of the same thing. Must not know: what the
keys are for.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.naming import expression
from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.saying import FILLERS, words

_GIVEN = re.compile(
    r"^`?(?P<n>[A-Za-z_][\w-]*)`?(?:\s*=\s*(?P<v>\"[^\"]*\"|'[^']*'|[^\s,]+)| to (?P<w>\"[^\"]*\"|'[^']*'|\d[\d.]*|True|False|None))?$"
)
_ON = re.compile(
    r"^(?:also |and )?(?:set|add|put|turn on|enable|use)(?: also)? (?P<list>.+?) (?:on|for|in|to|of) (?:the |our |this )?(?P<on>[\w.\"'\[\]]+)(?:,? (?:too|as well|also))?$",
    re.I,
)
_NAMED = re.compile(
    r"^(?:attach|put|store|expose|set|hang|keep|make|add|save|remember) (?:the |our )?(?P<v>[\w.]+)(?: available| accessible| reachable)? (?:to|on|in|as|at|from|onto|through|via) (?:the |our )?(?P<on>\w+)?(?: as well| too| also)?(?:[,:]|(?: as)?)\s+`?(?P<full>(?P<owner>\w+)\.(?P<attr>\w+))`?$",
    re.I,
)


Set = tuple[ast.Assign, ast.Subscript | ast.Attribute]
"""A statement, and the one key or attribute that it sets."""


def _rows(order: Order, said: str) -> list[list[Set]]:
    """What sets keys or attributes of one thing that is named, one below the other; the longest."""
    out: list[list[Set]] = []
    named = {word for word in words(said) if word not in FILLERS}
    for one in order.src.statements:
        target = one.targets[0] if isinstance(one, ast.Assign) and len(one.targets) == 1 else None
        if not isinstance(one, ast.Assign) or not isinstance(target, ast.Subscript | ast.Attribute):
            continue
        if isinstance(target, ast.Subscript) and not isinstance(getattr(target.slice, "value", None), str):
            continue
        if not named & set(words(ast.unparse(target.value))):
            continue
        same = out and ast.dump(out[-1][-1][1].value) == ast.dump(target.value)
        if same and order.src.function_of(out[-1][-1][0]) is order.src.function_of(one):
            out[-1].append((one, target))
        else:
            out.append([(one, target)])
    most = max(map(len, out), default=0)
    return [row for row in out if len(row) == most]


def _keys(order: Order) -> Iterator[Edit]:
    """*Set secure and samesite=Strict on the cookie*: as the keys beside them are set; a flag is what the others are."""
    match = _ON.match(order.said)
    if match is None:
        return
    given = [_GIVEN.match(one.strip()) for one in re.split(r",\s*(?:and )?|\s+and\s+", match["list"])]
    rows = _rows(order, match["on"])
    if (
        len(rows) != 1
        or not all(given)
        or (len(given) == 1 and not re.search(r"\b(?:too|as well|also)\b", order.instruction))
    ):
        return
    row = rows[0]
    last, target = row[-1]
    thing = order.src.segment(target.value)
    flags = [one for one, _ in row if ast.unparse(one.value) in ("True", "False")]
    lines = []
    there = {ast.unparse(one) for _, one in row}
    for one in given:
        assert one is not None
        value = one["v"] or one["w"] or ("True" if flags else "")
        tree = expression(value) if value else None
        if tree is None or (isinstance(tree, ast.Name) and not value[:1].isupper()):
            return
        value = f'"{value}"' if isinstance(tree, ast.Name) else value
        where = f'{thing}["{one["n"]}"]' if isinstance(target, ast.Subscript) else f"{thing}.{one['n']}"
        found = expression(where)
        if found is None or ast.unparse(found) in there:
            return
        lines.append(f"{order.src.indent(last)}{where} = {value}\n")
    at = order.src.starts[order.src.last_line(last)]
    yield order.edit([(at, at, "".join(lines))], match[0])


def _attribute(order: Order) -> Iterator[Edit]:
    """*Attach the store to the wrapper, wrapper.cache*: behind the last attribute that the wrapper gets."""
    match = _NAMED.match(order.said)
    if match is None or (match["on"] or match["owner"]) != match["owner"] or match["full"] in order.src.text:
        return
    rows = [row for row in _rows(order, match["owner"]) if order.src.segment(row[-1][1].value) == match["owner"]]
    if len(rows) != 1 or match["v"] not in order.identifiers or match["owner"] == "self":
        return
    last, target = rows[0][-1]
    at = order.src.starts[order.src.last_line(last)]
    if isinstance(target, ast.Attribute):
        yield order.edit([(at, at, f"{order.src.indent(last)}{match['full']} = {match['v']}\n")], match[0])


RULES = (
    Rule(re.compile(r"^(?:also |and )?(?:set|add|put|turn on|enable|use)\b", re.I), _keys),
    Rule(re.compile(r"\w\.\w+`?$"), _attribute),
)
