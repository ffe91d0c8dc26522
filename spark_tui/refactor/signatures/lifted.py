"""A value inside a function becomes a parameter of it: *make the timeout a parameter of fetch, default 5*.

Comes in: an order. Goes out: edits of the head and of the places that held the value. Must not know: how plain they are.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from spark_tui.refactor.literals import as_number, as_value, literal
from spark_tui.refactor.naming import parts, singular
from spark_tui.refactor.order import Edit, Order
from spark_tui.refactor.signatures.heads import added, head, place_for
from spark_tui.refactor.signatures.talk import TARGET, Aim, accounted, aims, as_function, functions
from spark_tui.refactor.signatures.words import NOISE
from spark_tui.refactor.source import Change, Function, Source, docstring

_ROLE = r"(?:param(?:eter)?s?|arg(?:ument)?s?|kwargs?|option|keyword(?: arg(?:ument)?)?|setting)"
_VALUE = r"`[^`]+`|\"[^\"]*\"|'[^']*'|-?\d[\d_.]*|None|True|False|[^\W\d]\w*"
_DEFAULT = re.compile(
    rf"[\s,;(]*(?:\b(?:and|with|which|that|it|should|still|the)\s+)*(?:\bdefault(?:s|ing)?\b(?: value)?(?: (?:to|of|is|at|stays?|remains?|being))*\s*[:=]?\s*(?P<a>{_VALUE})"
    rf"|(?P<b>{_VALUE})\s+(?:by default|as (?:the |a )?default|(?:if|when|unless) (?:it(?:'s| is) )?(?:not )?(?:given|said|passed|left out)))\)?",
    re.I,
)
_SAME = re.compile(
    r"[\s,;(]*(?:keep(?:ing)?|with|use|same|leave)\s+(?:the\s+)?(?:(?:current|old|present|same|existing|its)\s+)*(?:value|number|default|one)(?:\s+as\s+(?:the\s+|a\s+|its\s+)?default)?\)?",
    re.I,
)
_WHAT = r"(?P<what>[^,;]+?)"
_OF = rf"(?:of|to|for|in|on)\s+(?:the\s+)?{TARGET}\s*"
_FORMS = tuple(
    re.compile(rf"^(?:{form})[\s,.;]*$", re.I)
    for form in (
        rf"(?:make|turn|change|convert)\s+{_WHAT}\s+(?:in(?:side)?\s+{TARGET}\s+)?(?:in)?(?:to\s+)?(?:be\s+)?(?:an?|its)\s+(?:own\s+|optional\s+|new\s+|keyword\s+|function\s+)*{_ROLE}(?:\s+{_OF})?",
        rf"{_WHAT}\s+(?:in\s+{TARGET}\s+)?(?:should|must|could|needs? to|ought to|can)\s+(?:be|become)\s+(?:an?\s+)?(?:optional\s+|new\s+|keyword\s+|function\s+)*{_ROLE}(?:\s+{_OF})?",
        rf"(?:pass|hand|give)\s+{_WHAT}\s+(?:in)?to\s+(?:the\s+)?{TARGET}\s*(?:as\s+an?\s+{_ROLE}|instead)?",
        rf"pass\s+(?:in\s+)?{_WHAT}\s+as\s+an?\s+{_ROLE}(?:\s+{_OF})?",
        rf"(?:let|make|have)\s+(?:the\s+)?{TARGET}\s+(?:take|accept|get|receive)\s+{_WHAT}(?:\s+as\s+an?\s+(?:\w+\s+)?{_ROLE})?(?:\s+instead(?:\s+of\s+\w+)?)?",
        rf"(?:let|allow)\s+(?:the\s+)?callers?\s+(?:of\s+{TARGET}\s+)?(?:to\s+)?(?:pass|give|choose|set|decide|say)\s+{_WHAT}(?:\s+{_OF})?",
        rf"{TARGET}\s+(?:should|must|could|needs? to|ought to|can)\s+(?:take|accept|get|receive)\s+{_WHAT}(?:\s+as\s+an?\s+(?:\w+\s+)?{_ROLE})?",
        rf"{_WHAT}\s+(?:in\s+{TARGET}\s+)?(?:as|into)\s+an?\s+(?:optional\s+|new\s+|keyword\s+)*{_ROLE}(?:\s+{_OF})?",
        rf"(?:move|pull|lift)\s+{_WHAT}\s+(?:up\s+|out\s+)?(?:in)?to\s+(?:the\s+)?(?:{_ROLE}|signature|head)\s+{_OF}",
        rf"(?:add|introduce)\s+(?:an?\s+|the\s+)?{_ROLE}\s+(?:for\s+)?{_WHAT}\s+{_OF}(?:instead of|for)\s+(?:the\s+)?(?:fixed|hard-?coded|constant|literal|magic)\s+(?:value|number|one|\S+)",
        rf"(?:make|let)\s+{_WHAT}\s+(?:of|in|for)\s+(?:the\s+)?{TARGET}\s+(?:be\s+)?configurable",
        rf"{_WHAT}\s+(?:of|in|for)\s+(?:the\s+)?{TARGET}\s+(?:should|must)\s+be\s+configurable",
        rf"(?:don'?t\s+|do not\s+|no\s+)?hard-?coded?\s+{_WHAT}\s+in\s+(?:the\s+)?{TARGET}\s*[,;:-]?\s*(?:make it|pass it(?: in)?)\s*(?:as\s+)?an?\s+{_ROLE}",
    )
)
_NOISE = frozenset(["the", "a", "an", "its", "number", "of", "count", "amount", "hard", "coded", "hardcoded", "fixed", "magic", "constant", "value", "variable", "how", "many", "local", "own", "used", "that", "is", "in"])  # fmt: skip
_WORDS = NOISE | frozenset(
    [
        "make",
        "turn",
        "change",
        "convert",
        "parameter",
        "parameters",
        "param",
        "params",
        "argument",
        "arguments",
        "arg",
        "args",
        "kwarg",
        "option",
        "keyword",
        "setting",
        "pass",
        "hand",
        "give",
        "let",
        "allow",
        "caller",
        "callers",
        "choose",
        "set",
        "decide",
        "say",
        "take",
        "accept",
        "get",
        "receive",
        "should",
        "must",
        "could",
        "move",
        "pull",
        "lift",
        "into",
        "signature",
        "head",
        "add",
        "introduce",
        "instead",
        "fixed",
        "hard",
        "hardcoded",
        "hard-coded",
        "coded",
        "constant",
        "literal",
        "magic",
        "configurable",
        "default",
        "defaults",
        "optional",
        "new",
        "by",
        "keep",
        "current",
        "old",
        "value",
        "number",
        "count",
        "many",
        "how",
        "amount",
        "of",
        "function",
        "don't",
        "no",
        "dont",
        "in",
        "own",
        "variable",
        "local",
        "given",
        "said",
        "passed",
        "if",
        "when",
        "unless",
        "not",
        "left",
        "out",
        "still",
        "be",
        "become",
        "can",
    ]
)
_TIMES = frozenset(["attempt", "retry", "try", "time", "round", "repeat", "repetition", "loop", "turn", "iteration"])


@dataclass(frozen=True, slots=True)
class _Found:
    """Where the value stands: the name that the parameter gets, what it held, the changes in the body."""

    name: str
    value: str
    changes: tuple[Change, ...]


def lifted(order: Order) -> Iterator[Edit]:
    if order.src.tree is None:
        return
    for aim in aims(order, functions(order)):
        if TARGET not in aim.text and len(order.src.functions) > 1 and order.here is None:
            continue
        edit = _lifted(order, aim)
        if edit is not None:
            yield edit


def _lifted(order: Order, aim: Aim) -> Edit | None:
    text = re.sub(rf"{TARGET}\s*\(\)", f"{TARGET} ", aim.text)
    said = _DEFAULT.search(text)
    value = _default(order, said["a"] or said["b"]) if said is not None else None
    if said is not None:
        if value is None:
            return None
        text = f"{text[: said.start()]} {text[said.end() :]}"
    same = _SAME.search(text)
    if same is not None:
        text = f"{text[: same.start()]} {text[same.end() :]}"
    text = re.sub(r"\s+", " ", text).strip(" ,;.")
    function = as_function(aim.node)
    of = head(order.src, function)
    for form in _FORMS:
        match = form.match(text)
        if match is None or of is None:
            continue
        what = [word for word in re.findall(r"\w+", match["what"]) if word.lower() not in _NOISE]
        if re.match(r"an?\b", match["what"], re.I):
            return None  # a new one
        if not what or len(what) > 4 or {one.lower() for one in what} & {"to", "and", "if", "or", "with", "instead"}:
            continue
        found = _where(order.src, function, what, value)
        if found is None or of.index(found.name) >= 0 or found.name == function.name:
            continue
        default = value or found.value
        change = added(order.src.text, of.listed, place_for(of, default=True), f"{found.name}={default}")
        typed = [item for item in of.items if item.arg is not None and item.arg.annotation is not None]
        if typed and (kind := _type(default)) is not None:
            change = (
                change[0],
                change[1],
                change[2].replace(f"{found.name}={default}", f"{found.name}: {kind} = {default}"),
            )
        used = [match["what"], found.name, *(piece[0] for piece in (said, same) if piece), default]
        return aim.edit([change, *found.changes], *used, *accounted(aim.text, _WORDS))
    return None


def _default(order: Order, said: str) -> str | None:
    bare = said.strip("`")
    return bare if bare in order.identifiers and not bare.islower() else literal(said)


def _type(value: str) -> str | None:
    kind = type(as_value(value)).__name__
    return kind if kind in ("int", "float", "str", "bool") else None


def _where(src: Source, function: Function, what: list[str], value: str | None) -> _Found | None:
    wanted = [singular(part) for word in what for part in parts(word)]
    return (
        _local(src, function, wanted, value)
        or _keyword(src, function, wanted)
        or _constant(src, function, wanted, value)
        or _number(src, function, wanted, value)
    )


def _fits(name: str, wanted: list[str]) -> bool:
    own = [singular(part) for part in parts(name)]
    return bool(own) and (
        own == wanted
        or (set(own) <= set(wanted) and len(own) >= len(wanted) - 1)
        or (len(wanted) == 1 and wanted[0] == own[-1])
    )


def _fixed(node: ast.expr) -> bool:
    if isinstance(node, ast.UnaryOp):
        return _fixed(node.operand)
    return isinstance(node, ast.Constant) or (isinstance(node, ast.Name) and node.id.isupper())


def _local(src: Source, function: Function, wanted: list[str], value: str | None) -> _Found | None:
    """A variable that the function sets first to something fixed."""
    first = docstring(function)
    for one in function.body:
        if not (isinstance(one, ast.Assign) and len(one.targets) == 1 and isinstance(one.targets[0], ast.Name)):
            continue
        name = one.targets[0].id
        body = [item for item in function.body if item is not first]
        if not _fits(name, wanted) or not _fixed(one.value) or len(body) < 2:
            continue
        low, high = src.first_line(one), src.last_line(one)
        if one.lineno == function.lineno:
            return None
        above = [
            node
            for item in body[: body.index(one)]
            for node in ast.walk(item)
            if isinstance(node, ast.Name) and node.id == name
        ]
        if above:
            return None
        again = any(
            isinstance(node, ast.Name)
            and node.id == name
            and isinstance(node.ctx, ast.Store)
            and node is not one.targets[0]
            for node in ast.walk(function)
        )
        if again and (src.segment(one.value) == "0" or (value is not None and value != src.segment(one.value))):
            return None  # it counts
        while high < len(src.lines) and not src.lines[high].strip() and body.index(one) == 0:
            high += 1
        return _Found(name, src.segment(one.value), ((*src.line_span(low, high), ""),))
    return None


def _keyword(src: Source, function: Function, wanted: list[str]) -> _Found | None:
    """What is given to a call by that name."""
    found = [
        word
        for node in ast.walk(function)
        if isinstance(node, ast.Call)
        for word in node.keywords
        if word.arg is not None and _fixed(word.value) and _fits(word.arg, wanted)
    ]
    names = {word.arg for word in found}
    values = {src.segment(word.value) for word in found}
    if len(names) != 1 or len(values) != 1 or _bound(function, name := names.pop() or ""):
        return None
    return _Found(name, values.pop(), tuple((*src.span(word.value), name) for word in found))


def _constant(src: Source, function: Function, wanted: list[str], value: str | None) -> _Found | None:
    """A constant of the module that it reads."""
    read = [node for one in function.body for node in ast.walk(one) if isinstance(node, ast.Name) and node.id.isupper()]
    names = {node.id for node in read if node.id == value} or {
        node.id
        for node in read
        if set(wanted) & {singular(part) for part in parts(node.id)}
        and (_fits(node.id, wanted) or set(parts(node.id)) <= set(wanted))
    }
    if len(names) != 1:
        return None
    old = names.pop()
    name = "_".join(wanted)
    if {singular(part) for part in parts(old)} == set(wanted):
        name = old.lower()
    if not name.isidentifier() or _bound(function, name):
        return None
    return _Found(name, old, tuple((*src.span(node), name) for node in read if node.id == old))


def _number(src: Source, function: Function, wanted: list[str], value: str | None) -> _Found | None:
    """A number in its body: the one that is said as the default, or the one that counts a loop."""
    numbers = [
        node
        for one in function.body
        for node in ast.walk(one)
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool)
    ]
    wished = as_number(value) if value is not None else None
    if wished is not None or (value is not None and value.isupper()):
        known = wished if wished is not None else _held(src, value or "")
        same = [node for node in numbers if node.value == known]
        name = "_".join(_own_words(wanted))
        if len(same) != 1 or not name.isidentifier() or _bound(function, name):
            return None
        return _Found(name, src.segment(same[0]), ((*src.span(same[0]), name),))
    if value is None and len(wanted) == 1 and wanted[0] in _TIMES:
        ranged = [
            node
            for node in numbers
            if isinstance(call := src.parents.get(node), ast.Call) and getattr(call.func, "id", "") == "range"
        ]
        name = f"{wanted[0]}s" if not wanted[0].endswith("y") else f"{wanted[0][:-1]}ies"
        if len(ranged) == 1 and not _bound(function, name):
            return _Found(name, src.segment(ranged[0]), ((*src.span(ranged[0]), name),))
    return None


def _own_words(wanted: list[str]) -> list[str]:
    """Counted things are several."""
    if len(wanted) == 1 and (
        wanted[0] in _TIMES or wanted[0] in ("side", "row", "line", "page", "item", "live", "card")
    ):
        return [f"{wanted[0]}s" if not wanted[0].endswith("y") else f"{wanted[0][:-1]}ies"]
    return wanted


def _held(src: Source, name: str) -> float | int | None:
    """The number that a constant of the module is."""
    for one in src.tree.body if src.tree is not None else ():
        if isinstance(one, ast.Assign) and any(getattr(target, "id", "") == name for target in one.targets):
            return as_number(src.segment(one.value))
    return None


def _bound(function: Function, name: str) -> bool:
    return any(isinstance(node, ast.Name) and node.id == name for node in ast.walk(function)) or any(
        node.arg == name for node in ast.walk(function.args) if isinstance(node, ast.arg)
    )


TRIGGER = re.compile(
    r"param|\barg|kwarg|option|\bsetting|\bpass\b|\bhand\b|\bgive\b|\btakes?\b|\baccepts?\b|\bcallers?\b|configurable|hard-?code|\bget\b|\breceive|signature",
    re.I,
)
