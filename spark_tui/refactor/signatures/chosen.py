# ruff: noqa: E501 - forms read better unbroken
"""A fixed value that callers may choose: *let me choose the string between columns, parameter sep, default two spaces*.

Comes in: an order that gives the name and the value. Goes out: edits of the head and of the places that held the value.
Must not know: how plain they are.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.literals import as_value
from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.signatures.heads import added, head, place_for
from spark_tui.refactor.signatures.measured import measured
from spark_tui.refactor.source import Change, Function, body_behind_docstring
from spark_tui.refactor.stems import about

_ROLE = r"(?:(?:new|optional|extra|keyword|constructor|init|keyword-only)\s+)*(?:parameter|param|arg(?:ument)?|kwarg|option|keyword)"
_VALUE = r"-?\d[\w.]*|\"[^\"]*\"|'[^']*'|True|False|None|[A-Z][A-Z0-9_]+"
_GIVEN = rf"(?P<name>[a-z_]\w*)(?:\s*=\s*(?P<v>{_VALUE})|,?\s+(?:with (?:a |the )?)?default(?:ing|s)?(?: value)?(?:\s+(?:to|of|is))?\s*:?\s*(?P<d>{_VALUE}))?"
_OWN = r"(?P<own>,?\s+(?:and )?(?:stored?|kept?|saved?|remember(?:ed)?|put)\s+(?:it\s+)?(?:on|in|as)\s+self(?:\.\w+)?)?"
_FORMS = tuple(
    re.compile(rf"^{form}{_OWN}\W*$", re.I)
    for form in (
        rf"(?:let|allow)\s+(?:me|us|callers?|people|users?|one)\s+(?:to\s+)?(?:choose|pick|set|change|override|configure|decide(?: on)?|pass(?: in)?|say)\s+(?P<what>.+?)\s*[,:;(-]+\s*(?:as |with |via |by |through |add |use )?(?:an? )?{_ROLE}\s+{_GIVEN}\)?",
        rf"make\s+(?P<what>.+?)\s+(?:configurable|adjustable|settable|selectable|changeable|a choice)\s*(?:[,:;(-]+\s*|\s+)(?:as |with |via |by |through |add |use )?(?:an? |the )?{_ROLE}\s+{_GIVEN}\)?",
        rf"(?P<what>.+?)\s+(?:should|must|needs to|ought to)\s+be\s+(?:configurable|adjustable|settable|selectable|a choice)\s*(?:[,:;(-]+\s*|\s+)(?:as |with |via |by |through |add |use )?(?:an? |the )?{_ROLE}\s+{_GIVEN}\)?",
        rf"(?:add|introduce|have)\s+(?:an? )?(?P<name>[a-z_]\w*)\s+{_ROLE}\s+(?:to\s+`?(?P<of>\w+)`?(?:\(\))?\s+)?for\s+(?P<what>.+?),\s*(?:(?P<d>{_VALUE}) by default|default(?:ing)?(?: to| is| of)? (?P<v>{_VALUE}))",
        rf"`?(?P<of>\w+)`?(?:\(\))?\s+(?:should|must|needs to|could)\s+(?:take|accept|get)\s+(?P<what>.+?)\s+as\s+(?:an? )?(?:{_ROLE}\s+)?(?P<name>[a-z_]\w*)\s*=\s*(?P<v>{_VALUE})(?P<d>)",
        rf"make\s+(?P<name>[a-z_]\w*)\s+an?\s+{_ROLE}\s*(?:of\s+`?(?P<of>\w+)`?(?:\(\))?)?\s*[,(]?\s*default(?:ing)?(?: to| of)?\s+(?P<d>{_VALUE})(?P<v>)\)?\s+instead of\s+(?P<what>.+)",
        rf"`?(?P<of>\w+)`?(?:\(\))?\s+(?:should|must|needs to|could)\s+(?:take|accept|get)\s+(?P<name>[a-z_]\w*)\s*=\s*(?P<v>{_VALUE})(?P<d>)\s+and\s+use\s+(?:it|that)\s+(?:instead of|for|in place of)\s+(?P<what>.+)",
    )
)
_CAPPED = re.compile(
    rf"^(?P<how>cap|limit|clamp|floor)\s+(?:the\s+)?(?P<what>\w+)\s*[,:;-]\s*(?:add|with|via|by|through|use)\s+(?:an? )?(?:{_ROLE}\s+)?{_GIVEN}(?:\s+{_ROLE})?(?:\s+(?:to|in|for|on)\s+`?(?P<of>\w+)`?(?:\(\))?)?\W*$",
    re.I,
)


def choosable(order: Order) -> Iterator[Edit]:
    src = order.src
    match = next((match for form in _FORMS if (match := form.match(order.said))), None)
    if match is None:
        return
    value, what = match["v"] or match["d"], match["what"]
    owner = match.groupdict().get("of")
    known = [one for one in src.functions if one.name == owner]
    if owner and not known and owner not in {one.name for one in src.classes}:
        return
    named = known or [one for one in src.functions if re.search(rf"\b(?:in|of|for)\s+(?:the\s+)?`?{one.name}\b", what)]
    found: dict[Function, list[ast.Constant]] = {}
    for node in src.nodes:
        function = src.function_of(node)
        held = isinstance(node, ast.Constant) and function is not None and node not in _defaults(function)
        if isinstance(node, ast.Constant) and function is not None and held and function in (named or src.functions):
            fits = src.segment(node) in re.findall(_VALUE, what) if value is None else _same(node, value)
            if fits and not isinstance(src.parents.get(node), ast.JoinedStr | ast.Expr):
                found.setdefault(function, []).append(node)
    if len(found) != 1:
        return
    function, nodes = next(iter(found.items()))
    if len({src.segment(node) for node in nodes}) != 1:
        return
    yield from _made(order, function, match, [(*src.span(node), "") for node in nodes], value or src.segment(nodes[0]))


def _made(order: Order, function: Function, match: re.Match[str], places: list[Change], value: str) -> Iterator[Edit]:
    src, name = order.src, match["name"]
    taking, standing, changes = function, name, []
    of_class = match.groupdict().get("of") in {one.name for one in src.classes}
    if match["own"] or of_class or re.search(r"\b(?:constructor|init)\b", match[0], re.I):
        owner = src.class_of(function)
        made = [one for one in owner.body if isinstance(one, Function) and one.name == "__init__"] if owner else []
        if len(made) != 1 or made[0] is function or re.search(rf"\bself\.{name}\b", src.text):
            return
        taking, standing = made[0], f"self.{name}"
        first = body_behind_docstring(taking)[0]
        start = src.starts[src.first_line(first)]
        changes.append((start, start, f"{src.indent(first)}self.{name} = {name}\n"))
    of = head(src, taking)
    if of is None or _is_known(taking, name):
        return
    typed = [item.arg.annotation for item in of.items if item.arg is not None and item.arg.annotation is not None]
    given = f"{name}: {type(as_value(value)).__name__} = {value}" if typed else f"{name}={value}"
    changes.append(added(src.text, of.listed, place_for(of, default=True), given))
    yield order.edit([*changes, *((a, b, standing) for a, b, _ in places)], order.said)


def capped(order: Order) -> Iterator[Edit]:
    """*cap the delay, add a cap=30.0 kwarg to backoff_delays*: where it leaves the function."""
    src, match = order.src, _CAPPED.match(order.said)
    if match is None or (match["v"] is None and match["d"] is None):
        return
    for function in src.functions:
        of = head(src, function)
        if match["of"] not in (None, function.name) or of is None or _is_known(function, match["name"]):
            continue
        uses = [
            node
            for node in ast.walk(function)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and about(match["what"], node.id)
        ]
        out = [node for node in uses if isinstance(src.parents.get(node), ast.Yield | ast.Return | ast.Call)]
        if len({node.id for node in uses}) == 1 and len(out) == 1:
            least = "max" if match["how"].lower() == "floor" else "min"
            given = f"{match['name']}={match['v'] or match['d']}"
            change = added(src.text, of.listed, place_for(of, default=True), given)
            text = f"{least}({out[0].id}, {match['name']})"
            yield order.edit([change, (*src.span(out[0]), text)], order.said)


def _same(node: ast.Constant, value: str) -> bool:
    return type(node.value) is type(as_value(value)) and node.value == as_value(value)


def _defaults(function: Function) -> list[ast.expr]:
    return [*function.args.defaults, *(one for one in function.args.kw_defaults if one is not None)]


def _is_known(function: Function, name: str) -> bool:
    names = (
        node.id if isinstance(node, ast.Name) else node.arg
        for node in ast.walk(function)
        if isinstance(node, ast.Name | ast.arg)
    )
    return name in names


RULES: tuple[Rule, ...] = (
    Rule(re.compile(r"\b(?:choose|pick|configur\w*|adjustable|settable|selectable|override|decide|choice|set|change|pass|say|add|make|introduce|have)\b.*\b(?:param|arg|kwarg|option|keyword)|\b(?:take|accept|get)\b.*=", re.I), measured(choosable)),
    Rule(re.compile(r"^(?:cap|limit|clamp|floor)\b", re.I), measured(capped)),
)  # fmt: skip
