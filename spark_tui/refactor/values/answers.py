"""What functions answer: a status, one value more, an exception in the place of None.

Comes in: an order. Goes out: edits of returns, and of the methods that a route takes. Must not know: how plain they are.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.naming import naming_in
from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.signatures.heads import added, call_list
from spark_tui.refactor.signatures.talk import TARGET, Aim, accounted, aims, as_function, functions
from spark_tui.refactor.source import Change, Function, Source, parameters

F = rf"(?:the\s+)?{TARGET}\s*(?:\(\)\s*)?(?:(?:function|method|route|endpoint|handler|view)\s+)?"
WORDS = frozenset(
    [
        "the",
        "a",
        "an",
        "should",
        "must",
        "return",
        "returns",
        "returned",
        "give",
        "gives",
        "giving",
        "back",
        "answer",
        "answers",
        "respond",
        "responds",
        "reply",
        "with",
        "status",
        "code",
        "http",
        "and",
        "empty",
        "string",
        "body",
        "nothing",
        "text",
        "of",
        "in",
        "from",
        "for",
        "to",
        "also",
        "too",
        "as",
        "well",
        "both",
        "tuple",
        "pair",
        "not",
        "found",
        "is",
        "when",
        "if",
        "instead",
        "raise",
        "raises",
        "error",
        "exception",
        "returning",
        "none",
        "result",
        "value",
        "what",
        "whatever",
        "make",
        "let",
        "only",
        "be",
        "come",
        "comes",
        "rounded",
        "round",
        "digits",
        "digit",
        "decimals",
        "decimal",
        "places",
        "place",
        "lower",
        "upper",
        "case",
        "lowercase",
        "uppercase",
        "strip",
        "stripped",
        "trim",
        "trimmed",
        "sort",
        "sorted",
        "reverse",
        "reversed",
        "route",
        "endpoint",
        "handler",
        "view",
        "method",
        "methods",
        "accept",
        "accepts",
        "allow",
        "take",
        "takes",
        "support",
        "post",
        "get",
        "put",
        "delete",
        "patch",
        "only",
        "missing",
        "it",
        "there",
        "no",
        "list",
        "number",
        "int",
        "float",
        "str",
        "out",
        "convert",
        "change",
        "use",
        "new",
        "route's",
        "function",
    ]
)


def targets(order: Order) -> Iterator[tuple[Aim, Function, str]]:
    if order.src.tree is None:
        return
    for aim in aims(order, functions(order)):
        if TARGET in aim.text or len(order.src.functions) == 1:
            yield (
                aim,
                as_function(aim.node),
                re.sub(r"\s+", " ", re.sub(rf"{TARGET}\s*\(\)", f"{TARGET} ", aim.text)).strip(" .!"),
            )


def returns_of(function: Function) -> list[ast.Return]:
    inner = {
        one
        for node in ast.walk(function)
        if isinstance(node, ast.FunctionDef | ast.Lambda | ast.AsyncFunctionDef) and node is not function
        for one in ast.walk(node)
    }
    found = [node for node in ast.walk(function) if isinstance(node, ast.Return) and node not in inner]
    return sorted(found, key=lambda node: node.lineno)


# -- routes ------------------------------------------------------------------------------------------------------------

_STATUS = re.compile(
    rf"^(?:{F}(?:should |must )?(?:return|answer|respond|reply|give|send)s?(?: back)?(?: with)?(?: an?| the)?(?: status| http)?(?: code)?(?: of)? (?P<a>[1-5]\d\d)"
    rf"|(?:return|answer|respond|reply|send)(?: back)?(?: with)?(?: an?| the)?(?: status| http)?(?: code)? (?P<b>[1-5]\d\d) (?:in|from|for|on) {F})"
    r"\s*(?P<body>(?:and|with)(?: an?)? (?:empty (?:string|body|text|response)|nothing|no body|no content))?\s*(?P<when>(?:when|if|for|in case)\b.*)?$",
    re.I,
)
_BAD = re.compile(
    r"\b(?:not|no|missing|unknown|invalid|wrong|bad|fail\w*|none|doesn'?t|isn'?t|does not|is not|error)\b", re.I
)


def is_route(function: Function) -> bool:
    return any(
        isinstance(one, ast.Call)
        and isinstance(one.func, ast.Attribute)
        and one.func.attr in ("route", "get", "post", "put", "delete", "patch")
        for one in function.decorator_list
    )


def status(order: Order) -> Iterator[Edit]:
    """The status that a handler answers with."""
    for aim, function, text in targets(order):
        found = _STATUS.match(text)
        if found is None or not is_route(function):
            continue
        code = found["a"] or found["b"]
        src = order.src
        kinds = [(one, _code(one)) for one in returns_of(function) if one.value is not None]
        bad = found["when"] is not None and _BAD.search(found["when"]) is not None
        if found["when"] and not bad:
            return
        meant = [(one, old) for one, old in kinds if (old >= 400) == bad]
        if len(meant) != 1 or (bad and meant[0][1] < 400):
            return
        node = meant[0][0]
        assert node.value is not None
        body = '""' if found["body"] else None
        pair = node.value if isinstance(node.value, ast.Tuple) and len(node.value.elts) == 2 else None
        if pair is not None:
            changes: list[Change] = [(*src.span(pair.elts[1]), code)]
            if body:
                changes.append((*src.span(pair.elts[0]), body))
        else:
            start, end = src.span(node.value)
            changes = [(start, end, f"{body}, {code}")] if body else [(end, end, f", {code}")]
        if src.changed(changes) != src.text:
            yield aim.edit(changes, code, found["when"] or "", found["body"] or "", *accounted(aim.text, WORDS))


def _code(node: ast.Return) -> int:
    value = node.value
    if (
        isinstance(value, ast.Tuple)
        and len(value.elts) == 2
        and isinstance(number := value.elts[1], ast.Constant)
        and isinstance(number.value, int)
    ):
        return number.value
    return 200


_METHOD = re.compile(
    rf"^(?:make )?{F}(?:should |must |can |needs to )?(?:(?P<also>also |additionally )?(?:be|accept|take|allow|support|answer|react to|listen to|handle)s?(?: only| just)?(?: to| on)? )?(?:an? |the )?(?:only )?(?P<m>get|post|put|delete|patch)(?P<more>(?:(?:,| and| or|/) ?(?:get|post|put|delete|patch))*)(?: (?:route|endpoint|method|request|requests|only|handler))*(?P<too> too| as well| also)?$",
    re.I,
)


def route_method(order: Order) -> Iterator[Edit]:
    """The methods that a route takes."""
    for aim, function, text in targets(order):
        found = _METHOD.match(text)
        routes = [
            one
            for one in function.decorator_list
            if isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute) and one.func.attr == "route"
        ]
        if found is None or len(routes) != 1:
            continue
        src, route = order.src, routes[0]
        named = [
            one.upper()
            for one in re.findall(r"[a-z]+", f"{found['m']}{re.sub(r'(?i) and | or ', ' ', found['more'])}", re.I)
            if one.lower() not in ("and", "or")
        ]
        old = next((word for word in route.keywords if word.arg == "methods"), None)
        quote = src.text[src.span(route.args[0])[0]] if route.args else '"'
        also = found["also"] or found["too"]
        if old is None:
            listed = [*(["GET"] if also else []), *named]
            pieces = call_list(src, route)
            if pieces is None or listed == ["GET"]:
                continue
            inner = ", ".join(f"{quote}{one}{quote}" for one in dict.fromkeys(listed))
            changes = [added(src.text, pieces, len(pieces.spans), f"methods=[{inner}]")]
        elif isinstance(old.value, ast.List | ast.Tuple):
            there = [one.value for one in old.value.elts if isinstance(one, ast.Constant)]
            wanted = list(dict.fromkeys([*there, *named])) if also else named
            if wanted == there:
                continue
            changes = [(*src.span(old.value), "[" + ", ".join(f"{quote}{one}{quote}" for one in wanted) + "]")]
        else:
            continue
        yield aim.edit(changes, *named, *accounted(aim.text, WORDS))


# -- more values -------------------------------------------------------------------------------------------------------

_ALSO = re.compile(
    rf"^(?:{F}(?:should |must )?(?:also (?:return|give back) (?P<a>.+?)|(?:return|give back)s? (?P<b>.+?) (?:too|as well|also))"
    rf"|also (?:return|give back) (?P<c>.+?) (?:in|from) {F}|(?:return|give back) (?P<d>.+?) (?:too|as well|also) (?:in|from) {F})$",
    re.I,
)
_BOTH = re.compile(
    rf"^(?:{F}(?:should |must )?(?:return|give back)s? (?:a tuple (?:of|with) |a pair of |both )?(?:both )?(?P<a>[\w.`]+) and (?P<b>[\w.`]+)(?: as a tuple| in a tuple)?"
    rf"|(?:return|give back) (?:a tuple (?:of|with) |a pair of |both )?(?:both )?(?P<c>[\w.`]+) and (?P<d>[\w.`]+)(?: as a tuple)? (?:in|from) {F})$",
    re.I,
)


def more_values(order: Order) -> Iterator[Edit]:
    """One value more comes back."""
    src = order.src
    for aim, function, text in targets(order):
        also, both = _ALSO.match(text), _BOTH.match(text)
        found = returns_of(function)
        if (also is None and both is None) or len(found) != 1 or found[0].value is None:
            continue
        naming, value = naming_in(src, function), found[0].value
        start, end = src.span(value)
        held = src.text[start:end]
        if also is not None:
            said = next(one for one in also.groups() if one)
            thing = naming.thing(said)
            if thing is None or thing in (held, *held.split(", ")):
                continue
            bracketed = isinstance(value, ast.Tuple) and held.startswith("(")
            change: Change = (end - 1, end - 1, f", {thing}") if bracketed else (end, end, f", {thing}")
            if isinstance(value, ast.IfExp | ast.Lambda | ast.Yield):
                continue
            yield aim.edit([change], said, thing, *accounted(aim.text, WORDS))
        elif both is not None:
            one, two = [piece.strip("`") for piece in both.groups() if piece]
            first, second = naming.thing(one), naming.thing(two)
            if first is None or second is None or f"{first}, {second}" == held or first == second:
                continue
            if held not in (first, second) and not isinstance(value, ast.Constant):
                continue
            yield aim.edit([(start, end, f"{first}, {second}")], one, two, *accounted(aim.text, WORDS))


# -- raising -----------------------------------------------------------------------------------------------------------

_ERR = r"(?P<{0}>[A-Z]\w*(?:Error|Exception)|[A-Z]\w*NotFound\w*|StopIteration)(?P<{0}p>\((?:[^()]*)\))?"
_WITH = r"(?:\s+with (?:the |its )?(?:message |text )?(?P<{0}>\"[^\"]*\"|'[^']*'|`[^`]+`|\w+(?: \w+)?))?"
_NONE = r"(?:,?\s*(?:instead of|rather than|and not) (?:returning |return |giving back )?(?:None|nothing|null)|,?\s*(?:when|if|in case) (?:(?:there is )?(?:nothing|none|no \w+|no such \w+|(?:the |it )?\w* ?(?:is|was)(?: not|n'?t))(?: (?:is |was |can be |could be )?(?:found|there|matches|fits|known))?|it finds nothing|it (?:does not|doesn'?t) find (?:it|one|any\w*)))"
_RAISE = re.compile(
    rf"^(?:{F}(?:should |must )?(?:raise|throw)s? (?:an? |the )?{_ERR.format('a')}{_WITH.format('aw')}{_NONE}"
    rf"|(?:let |make |have )?(?:{F})?raise (?:an? |the )?{_ERR.format('b')}{_WITH.format('bw')} (?:in|from) {F}{_NONE}"
    rf"|(?:when|if|in case) (?:(?:nothing|none|no \w+|no such \w+) (?:is |was )?(?:found|there|matches))[, ]+{F}(?:should |must )?(?:raise|throw)s? (?:an? |the )?{_ERR.format('c')}{_WITH.format('cw')}"
    rf"|(?:raise|throw) (?:an? |the )?{_ERR.format('d')}{_WITH.format('dw')}{_NONE} (?:in|from) {F}"
    rf"|instead of (?:returning )?None,? {F}(?:should |must )?(?:raise|throw)s? (?:an? |the )?{_ERR.format('e')}{_WITH.format('ew')})$",
    re.I,
)


def raise_for_none(order: Order) -> Iterator[Edit]:
    """*find should raise a KeyError with the name instead of returning None*."""
    src = order.src
    for aim, function, text in targets(order):
        found = _RAISE.match(text)
        if found is None:
            continue
        key = next(one for one in "abcde" if found[one])
        error, brackets, said = found[key], found[f"{key}p"], found[f"{key}w"]
        nothing = [
            one
            for one in returns_of(function)
            if one.value is None or (isinstance(one.value, ast.Constant) and one.value.value is None)
        ]
        raised = _raised(src, function, error, brackets, said)
        if raised is None or not error[0].isupper():
            continue
        pieces = [error, said or "", brackets or ""]
        if len(nothing) == 1:
            yield aim.edit(
                [(*src.span(nothing[0]), raised)], *pieces, *re.findall(r"\w+", text), *accounted(aim.text, WORDS)
            )
        elif not nothing and isinstance(last := function.body[-1], ast.For | ast.While) and returns_of(function):
            end = src.starts[src.last_line(last)]
            yield aim.edit(
                [(end, end, f"{src.indent(last)}{raised}\n")],
                *pieces,
                *re.findall(r"\w+", text),
                *accounted(aim.text, WORDS),
            )


def _raised(src: Source, function: Function, error: str, brackets: str | None, said: str | None) -> str | None:
    if brackets and brackets != "()":
        return f"raise {error}{brackets}"
    if said and said[0] in "\"'":
        return f"raise {error}({said})"
    if said:
        thing = naming_in(src, function).thing(said)
        return f"raise {error}({thing})" if thing else None
    body = "\n".join(src.segment(one) for one in function.body)
    keys = [
        one.arg
        for one in parameters(function)
        if re.search(rf"==\s*{one.arg}\b|\b{one.arg}\s*==|\.get\({one.arg}\)|\[{one.arg}\]", body)
    ]
    if len(keys) == 1:
        return f"raise {error}({keys[0]})"
    return f"raise {error}" if brackets is None else f"raise {error}()"


RULES: tuple[Rule, ...] = (
    Rule(re.compile(r"\b[1-5]\d\d\b"), status),
    Rule(re.compile(r"\b(?:get|post|put|delete|patch)\b", re.I), route_method),
    Rule(re.compile(r"\breturn|\bgives? back", re.I), more_values),
    Rule(re.compile(r"\braise|\bthrow", re.I), raise_for_none),
)
