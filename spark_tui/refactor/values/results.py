"""What a function gives back and what it makes of an argument first; ends of ranges that are one off.

Comes in: an `Order`. Goes out: edits of one function each. Must not know: models, hunks.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.pysource.parsing import parse_code
from spark_tui.refactor import literals
from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.source import Function, body_behind_docstring, docstring, parameters
from spark_tui.refactor.values import answers as values_answers
from spark_tui.refactor.values import branches as values_branches
from spark_tui.refactor.values import forms as values_forms
from spark_tui.refactor.values.asked import ITEM, Asked, asked

_RETURNING = re.compile(
    r"\b(?:return(?:s|ed|ing)?|what comes (?:back|out)(?: of)?|comes back|result|gives?(?: \w+){0,3} back|hand(?:s)?(?: \w+)? back|answer|yield back)\b",
    re.I,
)
_NOTHING = frozenset(
    re.findall(
        r"\w+",
        "return returns returned returning what comes back out of result results value give gives hand hands the a an it as in on should must be supposed need needs end ends make makes let by change changes instead plain bare its at last by caller callers tests expect function with to is we want get gets always simply just turned turn converted convert and not but of from outcome output answer",
    )
)
_SHAPES: list[tuple[str, str]] = [
    (r"sorted in (?:reverse|descending)(?: order)?|sorted backwards|in (?:reverse|descending) order", "sorted({}, reverse=True)"),
    (r"sorted|in (?:sorted|ascending|alphabetical) order|in order", "sorted({})"),
    (r"reversed|backwards|the other way round", "list(reversed({}))"),
    (r"(?:as |into )?a (?:shallow )?copy|copied", "{}.copy()"),
    (r"(?:as |into |to )?an? list", "list({})"), (r"(?:as |into |to )?an? tuple", "tuple({})"), (r"(?:as |into |to )?an? set|without duplicates|de-?duplicated|deduped", "set({})"),
    (r"(?:as |into |to )?an? (?:dict|dictionary)", "dict({})"), (r"(?:as |into |to )?an? float", "float({})"), (r"(?:as |into |to )?an? (?:int|integer|whole number)", "int({})"),
    (r"(?:as |into |to )?an? (?:str|string|text)", "str({})"), (r"(?:as |into |to )?an? bool(?:ean)?", "bool({})"), (r"(?:as |into )?bytes|encoded", "{}.encode()"),
    (r"in milliseconds(?:,? not (?:in )?seconds)?", "{} * 1000"), (r"in (?:capitals|capital letters|upper ?case)|upper[- ]?cased?|capitali[sz]ed letters", "{}.upper()"),
    (r"in lower ?case|lower[- ]?cased?|in small letters", "{}.lower()"), (r"split into words|as (?:a list of )?words", "{}.split()"),
    (r"stripped|trimmed|without (?:surrounding )?(?:white)?space", "{}.strip()"), (r"with the opposite sign|negated|with the sign flipped", "-{}"),
    (r"or an empty list if (?:it is|it's) (?:falsy|empty|none)", "{} or []"), (r"or an empty string if (?:it is|it's) (?:falsy|empty|none)", '{} or ""'), (r"or (?:zero|0) if (?:it is|it's) (?:falsy|empty|none)", "{} or 0"),
    (r"(?:as |take )?(?:the |an? )?absolute value", "abs({})"), (r"(?:the )?length|(?:its|the) (?:size|count)", "len({})"),
]  # fmt: skip
_ROUNDED = re.compile(
    r"round(?:ed)?(?: it)?(?: to)? (?P<digits>\d+|one|two|three|four|five|six) (?:decimals?(?: places)?|places|digits)(?: after the (?:point|comma))?",
    re.I,
)
_DIGITS = {"one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6"}


def _functions(about: Asked) -> list[Function]:
    """Those in whose lines the place lies, or that lie in it: the one that is meant where a place is said."""
    src = about.order.src
    named = [
        node
        for node in src.functions
        if src.first_line(node) == about.first and src.last_line(node) == about.last
    ]
    if named:
        return named[:1]
    around = [
        node
        for node in src.functions
        if src.first_line(node) <= about.first and about.last <= src.last_line(node)
    ]
    if around and about.here:
        return around[-1:]
    inside = [node for node in src.functions if about.first <= src.first_line(node) < about.last]
    return inside if len(inside) == 1 else []


def _returns(about: Asked) -> list[ast.Return]:
    """The returns that are meant: those in the lines, of one function."""
    src = about.order.src
    every = [
        node
        for node in src.nodes
        if isinstance(node, ast.Return) and node.value is not None and about.inside(node.lineno)
    ]
    return every


def _pick_function(about: Asked) -> tuple[Asked, str]:
    """*X should return None*, *what `x` returns*: the function that is said without *in*."""
    if about.here:
        return about, ""
    order = about.order
    found = order.functions(about.text)
    if len(found) == 1:
        low, high = order.src.first_line(found[0]), order.src.last_line(found[0])
        return Asked(order, about.text, low, high, about.used, True, about.items, about.masked), found[0].name
    return about, ""


def _set_return(order: Order) -> Iterator[Edit]:
    about, name = _pick_function(asked(order))
    text = about.masked
    if len(about.text) > 160 or re.search(
        r"\b(?:if|when|unless|instead|rather|type|hint|annotat\w+|docstring|annotation|early|add|also|raise|->|log|print|code|status)\b|\bnot\b",
        text,
        re.I,
    ):
        return
    if not re.search(r"\breturn|\bcomes (?:back|out)\b|\bgives? back\b", text, re.I):
        return
    values = [
        item
        for item in about.items
        if item.source != name and not item.said.strip("`'\"").removesuffix("()").endswith(name or "\0")
    ]
    if re.search(r"\b(?:then|before|do) ", text, re.I) or (
        values
        and not re.search(
            r"\b(?:return(?:s|ing)?|be|to|back|give|is|with|by)\W*\u27e6\d+\u27e7\W*$|\u27e6\d+\u27e7 (?:back|as (?:the )?result)",
            text,
            re.I,
        )
    ):
        return
    written = values[0].source if len(values) == 1 and values[0].kind in ("value", "code") else None
    said = values[0].said if written is not None else ""
    if not values:
        match = re.search(r"\breturn(?:s|ing)? (?P<value>nothing|an? empty \w+)\W*$", text, re.I)
        written = literals.literal(match["value"]) if match else None
        said = match["value"] if match else ""
    if written is None or not _is_expression(written):
        return
    if re.search(r"\b(?:just|only|simply) returns?\b", order.instruction, re.I):
        return  # that is the whole of what it does
    roles, known = about.role_words(text, _NOTHING)
    roles = [word for word in roles if word not in re.findall(r"[a-z]+|\d+", name.lower())]
    found = _returns(about)
    if roles or not 1 <= len(found) <= 3:
        return
    if re.fullmatch(r"[1-5]\d\d", written) and any(values_answers.is_route(one) for one in _functions(about)):
        return  # a status, no value
    if len(found) > 1 and re.search(r"\bat the end\b|\bend\b|\blast\b|\bfinally\b", order.said, re.I):
        found = found[-1:]
    src = order.src
    for node in found:
        assert node.value is not None
        if src.segment(node.value) != written:
            yield about.edit([(*src.span(node.value), written)], *known, name, said, written)


def _is_expression(source: str) -> bool:
    try:
        parse_code(source, mode="eval")
    except (SyntaxError, ValueError):
        return False
    return True


def _shape(phrase: str) -> tuple[str, str] | None:
    """A form with a place for the value, and the words that said it."""
    rounded = _ROUNDED.search(phrase)
    if rounded is not None:
        return f"round({{}}, {_DIGITS.get(rounded['digits'].lower(), rounded['digits'])})", rounded[0]
    for pattern, form in _SHAPES:
        match = re.search(rf"\b(?:{pattern})\b", phrase, re.I)
        if match is not None:
            return form, match[0]
    return None


def _shaped(node: ast.expr, text: str, form: str) -> str:
    if form == "set({})" and isinstance(node, ast.ListComp) and text.startswith("["):
        return f"{{{text[1:-1]}}}"
    tight = isinstance(
        node,
        ast.Name
        | ast.Attribute
        | ast.Subscript
        | ast.Call
        | ast.List
        | ast.Dict
        | ast.Set
        | ast.JoinedStr
        | ast.ListComp
        | ast.Constant,
    )
    bracketed = text.startswith("(") and isinstance(node, ast.Tuple | ast.GeneratorExp)
    alone = form.startswith(("{}.", "{} *", "-{}")) or (
        form.startswith("{} or") and isinstance(node, ast.IfExp | ast.Lambda)
    )
    if (isinstance(node, ast.Tuple) and not bracketed) or (alone and not tight and not bracketed):
        text = f"({text})"
    return form.format(text)


def _shape_result(order: Order) -> Iterator[Edit]:
    about, name = _pick_function(asked(order))
    text = about.text
    if (
        len(text) > 160
        or not _RETURNING.search(text)
        or re.search(
            r"\b(?:if (?!it)|when|unless|type|hint|annotat\w+|docstring|raise|log|print)\b", text, re.I
        )
    ):
        return
    if any(
        item.source.removesuffix("()").strip("'\"").rpartition(".")[2] != name
        for item in about.items
        if item.kind != "value" or item.said[:1] in "'\""
    ):
        return
    shape = _shape(text)
    if shape is None:
        return
    form, said = shape
    rest = re.sub(ITEM, " ", about.masked).replace(said, " ")
    roles, known = about.role_words(rest, _NOTHING)
    parts_of_name = re.findall(r"[a-z]+|\d+", name.lower())
    said_words = set(re.findall(r"\w+", said.lower()))
    if [word for word in roles if word not in parts_of_name and word not in said_words]:
        return
    found = _returns(about)
    if not 1 <= len(found) <= 3:
        return
    src = order.src
    changes = []
    for node in found:
        assert node.value is not None
        if "\n" in src.segment(node.value) and not form.endswith(")"):
            return
        if "{}." in form and isinstance(
            node.value, ast.Compare | ast.BoolOp | ast.UnaryOp | ast.Dict | ast.ListComp
        ):
            return  # that has no such method
        changes.append((*src.span(node.value), _shaped(node.value, src.segment(node.value), form)))
    used = (*known, name, said, *(item.said for item in about.items))
    if len(changes) == 1:
        yield about.edit(changes, *used)
    else:
        for change in changes:
            yield about.edit([change], *used)


# -- arguments first
# -----------------------------------------------------------------------------------------------------

_FIRST = re.compile(
    r"\b(?:first|at (?:the )?(?:very )?(?:top|start|beginning)|up top|on entry|before (?:everything|anything) else|start\w*|begin\w*|as it comes|when .* is called|the very first thing)\b",
    re.I,
)
_CLEANINGS: list[tuple[str, str]] = [
    (r"strip|trim|remove (?:the )?(?:white)?spaces?(?: around)?|remove whitespace(?: around)?", "{}.strip()"), (r"lower ?case|lower-case|make .* lower case|to lower", "{}.lower()"), (r"upper ?case|upper-case|to upper", "{}.upper()"),
    (r"(?:take |use )?the absolute value(?: of)?", "abs({})"), (r"sort|bring .* in(?:to)? order|in order", "sorted({})"),
    (r"(?:in)?to an? set|a set of|make (?:it )?an? set", "set({})"), (r"(?:in)?to an? list|a list of|\blist\b", "list({})"), (r"(?:in)?to an? tuple|a tuple of", "tuple({})"),
    (r"(?:in)?to an? int(?:eger)?|an int(?:eger)? of", "int({})"), (r"(?:in)?to an? float|a float of", "float({})"), (r"(?:in)?to an? str(?:ing)?|a str(?:ing)? of", "str({})"),
]  # fmt: skip


def _clean(order: Order) -> Iterator[Edit]:
    about = asked(order)
    when = _FIRST.search(order.said)
    functions = _functions(about) or order.functions()
    if when is None or len(functions) != 1 or len(order.said) > 160:
        return
    function = functions[0]
    low = order.said.lower()
    named = [
        one.arg
        for one in parameters(function)
        if re.search(rf"(?<!\w){re.escape(one.arg.lower())}(?!\w)", low)
        or (("_" in one.arg) and one.arg.lower().replace("_", " ") in low)
    ]
    if len(named) != 1:
        return
    arg = named[0]
    rest = re.sub(rf"(?<!\w){re.escape(arg)}(?!\w)", " ", order.said, flags=re.I)
    rest = re.sub(rf"(?<!\w){re.escape(function.name)}(?!\w)", " ", rest)
    done = next(
        (
            (form, match[0])
            for pattern, form in _CLEANINGS
            if (match := re.search(rf"\b(?:{pattern})\b", rest, re.I))
        ),
        None,
    )
    if done is None:
        return
    form, said = done
    src = order.src
    body = body_behind_docstring(function)
    if not body or src.first_line(body[0]) <= src.first_line(function):
        return
    row = src.first_line(body[0])
    above = docstring(function)
    if above is not None and src.last_line(above) > row:
        return
    at = src.starts[row]
    line = f"{src.indent(body[0])}{arg} = {form.format(arg)}\n"
    yield about.edit(
        [(at, at, line)],
        when[0],
        said,
        arg,
        function.name,
        "make turn convert argument note normalise used users clean input called write line bring value function gonna need",
    )


# -- ranges
# --------------------------------------------------------------------------------------------------------------

_RANGE = re.compile(r"\b(?:range|loop(?:s)?|off[- ]by[- ]one|fence ?post|it|runs?)\b", re.I)
_MORE = re.compile(
    r"\b(?:miss(?:es|ing)? the last(?: \w+)?|one (?:too (?:early|few)|more|later)|one (?:step|time|iteration) (?:too (?:early|few|short)|later|more)|too short|(?:skips|forgets|leaves out) the last(?: \w+)?|one short)\b",
    re.I,
)
_LESS = re.compile(
    r"\b(?:one (?:too (?:far|many|late|long)|less|earlier|fewer)|one (?:step|time|iteration) (?:too (?:far|long|many|late)|earlier|less|fewer)|one past the end|too far|too long|out of range)\b",
    re.I,
)


def _off_by_one(order: Order) -> Iterator[Edit]:
    about = asked(order)
    more, less = _MORE.search(about.text), _LESS.search(about.text)
    if (
        (more is None) == (less is None)
        or not re.search(r"\b(?:range|loop|runs|off[- ]by[- ]one|fence ?post|iterat)", about.text, re.I)
        or len(about.text) > 160
    ):
        return
    src = order.src
    ranges = [
        node for node in src.nodes
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range" and node.args and about.inside(node.lineno)
    ]  # fmt: skip
    if not 1 <= len(ranges) <= 3:
        return
    step = 1 if more is not None else -1
    _, known = about.role_words(
        about.masked,
        frozenset(
            re.findall(
                r"\w+",
                "range loop loops off by one fencepost error bug it goes runs stops ends end upper bound step time iteration should fix correct within of a user noticed my there is the supposed let have check wrong last too misses too far long few early later less more item element items elements one function correct stop we",
            )
        ),
    )
    for call in ranges:
        end = call.args[0] if len(call.args) == 1 else call.args[1]
        yield about.edit(
            [(*src.span(end), _moved(src.segment(end), end, step))], *known, (more or less or [""])[0]
        )


def _moved(text: str, node: ast.expr, step: int) -> str:
    """`n` one further: `n + 1`, and `n - 1` becomes `n`."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return str(node.value + step)
    if (
        isinstance(node, ast.BinOp)
        and isinstance(node.right, ast.Constant)
        and isinstance(node.right.value, int)
        and isinstance(node.op, ast.Add | ast.Sub)
    ):
        now = node.right.value if isinstance(node.op, ast.Add) else -node.right.value
        cut = re.match(r"(.*\S)\s*[+-]\s*\d+$", text, re.S)
        if cut is not None:
            new = now + step
            return cut[1] if new == 0 else f"{cut[1]} {'+' if new > 0 else '-'} {abs(new)}"
    loose = isinstance(node, ast.BoolOp | ast.Compare | ast.IfExp | ast.Lambda | ast.BinOp) and not (
        isinstance(node, ast.BinOp)
        and not isinstance(node.op, ast.BitAnd | ast.BitOr | ast.BitXor | ast.LShift | ast.RShift)
    )
    return f"({text}) {'+' if step > 0 else '-'} 1" if loose else f"{text} {'+' if step > 0 else '-'} 1"


RULES = (
    *values_answers.RULES,
    *values_branches.RULES,
    *values_forms.RULES,
    Rule(re.compile(r"\breturn|\bcomes\b|\bgives? back\b", re.I), _set_return),
    Rule(_RETURNING, _shape_result),
    Rule(_FIRST, _clean),
    Rule(_RANGE, _off_by_one),
)
