"""What is set from outside: *read KEY from the environment variable RATES_KEY, fall back to demo*.

Comes in: an order. Goes out: edits of the one assignment. Must not know: how an edit is weighed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.checks.put import importing, text_literal
from spark_tui.refactor.literals import as_value
from spark_tui.refactor.naming import parts
from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.saying import words
from spark_tui.refactor.source import Source

_ENV = re.compile(r"\b(?:env(?:ironment)?(?:[- ]?(?:vars?|variables?))?|os\.environ(?:\.get)?|(?:os\.)?getenv)\b", re.I)
_VALUE = r"`(?P<a>[^`]+)`|(?P<b>\"[^\"]*\"|'[^']*')|(?P<c>[^\s,;()]+?)"
_DEFAULT = re.compile(
    rf"[\s,;(-]*\b(?:and |with |but |or |then |else |otherwise )*(?:(?:fall(?:s|ing)? ?back(?: to| on|:)?|default(?:s|ing)?(?: (?:to|value|is|of|should be|being))*|(?:if|when) (?:it is|it's|it|that is|this is)? ?(?:not set|unset|missing|not there|isn'?t set|isn'?t there),?(?: use| take| then)*|(?:use|take|keep)(?= \S+ (?:if|when|as))|or(?= \S+ ?(?:if|when|$|\))))\s*:?=?)\s*(?:the )?(?:current (?:value|one)|{_VALUE})(?: (?:if|when) (?:it is|it's|it|that is)? ?(?:not set|unset|missing|not there|isn'?t set|isn'?t there)| as (?:the )?(?:default|fallback))?(?=[\s,;)]|\.(?:\s|$)|$)",
    re.I,
)
_KEPT = re.compile(r"\bcurrent (?:value|one)\b", re.I)
_SAID = "read take get load fetch should must come comes be is set from via out of the an environment env variable variables var vars os environ getenv use with import instead hard coded hardcoded hardcode hard-coded not called named into move value default and its a via through let make taken loaded pulled pull so that can override overridden allow override configurable configure constant if set secret"


def _reads(order: Order) -> Iterator[Edit]:
    src, said = order.src, order.said
    if _ENV.search(said) is None:
        return
    fallback = _DEFAULT.search(said)
    rest = said if fallback is None else said[: fallback.start()] + said[fallback.end() :]
    meant = _meant(src, rest)
    if meant is None or meant.value is None:
        return
    target = meant.targets[0] if isinstance(meant, ast.Assign) else meant.target
    name = ast.unparse(target)
    current = as_value(src.segment(meant.value))
    if current is ... or isinstance(current, bool | list | dict | tuple):
        return
    shouted = [one for one in re.findall(r"\b[A-Z][A-Z0-9_]*[A-Z0-9]\b", rest) if one != name]
    variable = shouted[0] if len(shouted) == 1 else name if not shouted and name.isupper() else None
    if variable is None:
        return
    imported = importing(src, "os")
    if imported is None:
        return
    key = text_literal(src, variable)
    kind = type(current).__name__ if isinstance(current, int | float) else ""
    if fallback is not None:
        given = "" if _KEPT.search(fallback[0]) else fallback["a"] or fallback["b"] or fallback["c"] or ""
        default = _literal(src, given, src.segment(meant.value), current)
        ways = [f"os.environ.get({key}, {default})"] if default is not None else []
    else:
        ways = [f"os.environ[{key}]", f"os.environ.get({key}, {_literal(src, '', src.segment(meant.value), current)})"]
        if kind or re.search(r"\bgetenv\b|\.get\b", said):
            ways = ways[1:]
    for way in ways:
        code = f"{kind}({way})" if kind else way
        used = (_SAID, name, variable, *parts(name), fallback[0] if fallback else "")
        yield order.edit([(*src.span(meant.value), code), *imported], *used)


def _literal(src: Source, given: str, current: str, value: object) -> str | None:
    """What was said as the default, as a value of the kind that is there."""
    bare = given.strip("\"'")
    if (not given or bare == str(value)) and isinstance(value, str):
        return current
    bare = bare or str(value)
    if isinstance(value, int | float):
        return f'"{bare}"' if isinstance(as_value(bare), int | float) else None
    return given if given[0] in "\"'" else "None" if bare == "None" else text_literal(src, bare)


def _meant(src: Source, rest: str) -> ast.Assign | ast.AnnAssign | None:
    """The one assignment of a plain value whose name is spelled, or said in words."""
    found = [
        node
        for node in src.nodes
        if isinstance(node, ast.Assign | ast.AnnAssign)
        and isinstance(node.targets[0] if isinstance(node, ast.Assign) else node.target, ast.Name | ast.Attribute)
        and isinstance(node.value, ast.Constant | ast.UnaryOp)
    ]
    said = words(rest)
    spelled, spoken = [], []
    for node in found:
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        name = target.attr if isinstance(target, ast.Attribute) else ast.unparse(target)
        own = parts(name)
        if re.search(rf"(?<![\w.]){name}\b", rest):
            spelled.append(node)
        elif any(said[at : at + len(own)] == own for at in range(len(said))):
            spoken.append(node)
    best = spelled or spoken
    top = [node for node in best if src.function_of(node) is None]
    if len(spelled) == 2 and len(top) == 2:
        top = top[:1] if re.search(r"\bfrom\b", rest) else []
    return top[0] if len(top) == 1 else best[0] if len(best) == 1 else None


RULES: tuple[Rule, ...] = (Rule(_ENV, _reads),)
