"""Values made clean where they come in: *strip name first*, *default port to 80 when it is missing*, *use .get for x*.

Comes in: an order. Goes out: edits of the place where the value comes in. Must not know: how an edit is weighed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.checks.put import put, quote_of, top_line
from spark_tui.refactor.checks.read import TOP, Reading, tidy
from spark_tui.refactor.naming import Naming, naming_in, parts, singular
from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.predicates import value
from spark_tui.refactor.source import Change, Function, Source, parameters

_T = r"(?P<t>[^,;:]+?)"
_END = r"(?=\s*(?:[,;:.¦]|$|\bfirst\b|\bbefore\b|\bat the\b|\bon entry\b|\bthere\b|\bin the loop\b|\bagain\b))"
_AS = {
    "integer": "int",
    "string": "str",
    "text": "str",
    "dictionary": "dict",
    "number": "float",
    "int": "int",
    "float": "float",
    "str": "str",
    "list": "list",
    "set": "set",
    "tuple": "tuple",
    "dict": "dict",
    "bool": "bool",
    "boolean": "bool",
}
_KIND = "|".join(_AS)
_CLEAN: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(form.replace("T", _T, 1) + _END, re.I), made)
    for form, made in (
        (r"\b(?:strip|trim) and (?:lower-?case|lower) T", "{t}.strip().lower()"),
        (r"\b(?:strip|trim) and (?:upper-?case|upper) T", "{t}.strip().upper()"),
        (r"\b(?:lower-?case|lower) and (?:strip|trim) T", "{t}.lower().strip()"),
        (r"\b(?:upper-?case|upper) and (?:strip|trim) T", "{t}.upper().strip()"),
        (r"\b(?:(?:remove|strip|trim|drop|cut)(?: off)? (?:the )?(?:surrounding |leading and trailing |extra )?(?:white ?space|spaces|blanks)(?: (?:around|from|of|off))?|strip|trim) T", "{t}.strip()"),
        (r"\b(?:lower-?case|lower|convert (?=.+ to lower)|make (?=.+ lower))\s*T(?: to)?(?: lower ?case)?", "{t}.lower()"),
        (r"\b(?:upper-?case|upper|convert (?=.+ to upper)|make (?=.+ upper))\s*T(?: to)?(?: upper ?case)?", "{t}.upper()"),
        (r"(?:^|(?<=[,¦:]))\s*T (?:should|must|has to|have to|needs to) be (?:stripped|trimmed)", "{t}.strip()"),
        (r"(?:^|(?<=[,¦:]))\s*T (?:should|must|has to|have to|needs to) be (?:lower-?cased|lower ?case)", "{t}.lower()"),
        (r"(?:^|(?<=[,¦:]))\s*T (?:should|must|has to|have to|needs to) be (?:upper-?cased|upper ?case)", "{t}.upper()"),
        (r"(?:^|(?<=[,¦:]))\s*T (?:should|must|has to|have to|needs to) be sorted", "sorted({t})"),
        (r"\b(?:bring|put) T (?:in|into) order", "sorted({t})"),
        (r"\bsort T", "sorted({t})"),
        (r"\b(?:take|use|make) (?:the )?abs(?:olute)?(?: value)? of T", "abs({t})"),
        (r"\bround T to (?:a |the )?(?:whole|nearest) (?:number|integer|int)", "round({t})"),
        (r"\bround T to (?P<n>\w+) (?:decimals?|digits|places|decimal places)", "round({t}, {n})"),
        (rf"\b(?:convert|turn|cast|change|coerce|make) T (?:in)?to an? (?P<kind>{_KIND})", "{kind}({t})"),
        (rf"\bmake (?:an? )?(?P<kind>{_KIND}) (?:out )?of T", "{kind}({t})"),
        (rf"\bmake T (?:be )?(?:an? )?(?P<kind>{_KIND})", "{kind}({t})"),
        (r"\b(?:clamp|limit|restrict|cap) T (?:to|between|to between|into|within)(?: the range(?: of)?)? (?P<low>-?\w+(?:\.\d+)?) ?(?:and|to|\.\.+|-|–) ?(?P<high>-?\w+(?:\.\d+)?)", "max({low}, min({t}, {high}))"),
        (r"\b(?:limit|cap) T (?:to|at)(?: at most| a maximum of)? (?P<high>-?\w+(?:\.\d+)?)", "min({t}, {high})"),
    )
)  # fmt: skip
_SAID = "first before everything anything else does do at on the start top entry of a line to with write up very thing argument parameter param in order take as it comes users clean their input begin starts beginning note normalise normalize bring when is called want needs has must should put into turn convert make lower upper case uppercase lowercase strip trim whitespace around remove and method function loop there also w"
_IT = re.compile(r"^(?:it|the (?:argument|parameter|param|value|input))$", re.I)


def _cleans(order: Order) -> Iterator[Edit]:
    src, reading = order.src, Reading(order)
    functions = reading.functions()
    reading.take(TOP)
    if re.search(
        r"\b(?:if|unless|instead|result|return\w*|sort\w*\b.*\bkey|key (?:function|argument)|params|parameters|signature|arguments)\b",
        reading.rest,
        re.I,
    ):
        return
    for pattern, form in _CLEAN:
        match = pattern.search(reading.rest)
        if match is None:
            continue
        for function in functions:
            naming = naming_in(src, function)
            said = tidy(match["t"])
            both = re.fullmatch(r"(?:both )?(?:the )?(?P<a>\w+) and (?:the )?(?P<b>\w+)", said)
            if both is not None:
                yield from _two(reading, function, [both["a"], both["b"]], form, match)
                continue
            name = (
                _named(reading, naming)
                if _IT.match(said) and said.split()[-1] not in naming.names
                else naming.thing(re.sub(r"^(?:the )?(?:argument|parameter|param) ", "", said))
            )
            if name is None or (not reading.named and len(functions) > 1 and name not in naming.names):
                continue
            if form.startswith("min(") and singular(name) != name:
                continue  # of several things the first ones are meant
            groups = {key: one for key, one in match.groupdict().items() if key != "t"}
            if groups.get("kind"):
                groups["kind"] = _AS[groups["kind"].lower()]
            for key in ("n", "low", "high"):
                if key in groups:
                    groups[key] = value(naming, groups[key])
            if any(one is None for one in groups.values()):
                continue
            changes = _made(src, function, name, form.format(t="\0", **groups))
            if changes is not None:
                yield order.edit(changes, *reading.used, match[0], name, _SAID)
        return


def _two(reading: Reading, function: Function, said: list[str], form: str, match: re.Match[str]) -> Iterator[Edit]:
    """*strip key and value*"""
    naming = naming_in(reading.src, function)
    names = [naming.thing(one) for one in said]
    if None in names or len(set(names)) != 2 or re.search(r"\{(?!t\})", form):
        return
    made = [_made(reading.src, function, name or "", form.format(t="\0")) for name in names]
    if all(made):
        changes = [change for one in made for change in one or ()]
        places = {change[:2] for change in changes}
        if len(places) < len(changes):
            changes = [(*changes[0][:2], "".join(change[2] for change in changes))]
        yield reading.order.edit(changes, *reading.used, match[0], *said, *(name or "" for name in names), _SAID)


def _named(reading: Reading, naming: Naming) -> str | None:
    """The one parameter that the rest spells."""
    found = [one.arg for one in naming.own if re.search(rf"(?<![\w.]){one.arg}(?![\w(])", reading.order.said)]
    return found[0] if len(found) == 1 else None


def _made(src: Source, function: Function, name: str, form: str) -> list[Change] | None:
    """At the top for a parameter, at the start of the loop for what it steps through, else where it is assigned."""
    new = f"{name} = {form.replace(chr(0), name)}"
    if new in src.segment(function):
        return None
    if name in {one.arg for one in parameters(function)}:
        place = top_line(src, function)
        return None if place is None else [put(src, place[0], [place[1] + new])]
    loops = [
        one for one in ast.walk(function) if isinstance(one, ast.For | ast.AsyncFor) and ast.unparse(one.target) == name
    ]
    made = [
        one
        for one in ast.walk(function)
        if isinstance(one, ast.Assign) and len(one.targets) == 1 and ast.unparse(one.targets[0]) == name
    ]
    if any(isinstance(one.value, ast.List | ast.Dict) and not ast.unparse(one.value)[1:-1] for one in made):
        return None  # what begins empty has nothing to make clean
    if len(loops) == 1 and not made:
        first = loops[0].body[0]
        return None if first.lineno == loops[0].lineno else [put(src, src.first_line(first), [src.indent(first) + new])]
    apart = [
        one
        for one in ast.walk(function)
        if isinstance(one, ast.Assign)
        and isinstance(one.targets[0], ast.Tuple)
        and name in [ast.unparse(each) for each in one.targets[0].elts]
    ]
    if len(apart) == 1 and not made and not loops:
        return [put(src, src.last_line(apart[0]), [src.indent(apart[0]) + new])]
    if len(made) == 1 and not loops:
        one = made[0].value
        text = src.segment(one)
        method = form.startswith("\0.")
        if text.endswith(form.replace("\0", "")) and method:
            return None
        simple = isinstance(one, ast.Name | ast.Call | ast.Attribute | ast.Subscript | ast.JoinedStr)
        return [(*src.span(one), form.replace("\0", f"({text})" if method and not simple else text))]
    return None


# -- what may be missing -----------------------------------------------------------------------------------------------

_GET = re.compile(
    r"\.get\b|\bmay be missing\b|\bmight be missing\b|\bcan be missing\b|\bis missing\b|\bisn'?t (?:there|set|present)\b|\bis not (?:there|set|present)\b|\bmissing\b|\bKeyError\b|\boptional\b|\bnot always there\b",
    re.I,
)
_DEFAULT = re.compile(
    r"(?:\b(?:then\s+)?(?:(?:use|take|with|assume|set)(?: it to)?|default(?:s|ing)?(?: (?:it|[\w. ]+?))? (?:to|of|is|being)|fall back (?:to|on)|falling back (?:to|on)|with (?:the |a )?default(?: of| value)?|(?:the )?default (?:is|should be|being|of)|or)\s+(?P<v>`[^`]+`|\"[^\"]*\"|'[^']*'|an? empty \w+|empty (?:list|dict|string|set|tuple)|-?\d[\d.]*|\[\]|\{\}|None|zero|True|False)(?:\s+(?:as (?:the )?(?:default|fallback)|then|instead|there|by default))*)(?=[\s,.;¦]|$)",
    re.I,
)
_GOT = "use get with for a the key is may be missing might can if when in json dict instead of there then take default defaults to so it doesn't crash crashes keyerror KeyError dies with a as not always isn't set present optional from lookup .get access brackets when no such"


def _missing_key(order: Order) -> Iterator[Edit]:
    src, reading = order.src, Reading(order)
    if not re.search(r"\b(?:get|missing|KeyError|there|optional|present|set)\b", order.said):
        return
    quoted = re.search(r"KeyError:?\s*(['\"])(?P<key>[^'\"]+)\1", reading.rest)
    told = re.search(r"\bcrash(?:es|ed)? with KeyError:?\s*(['\"])(?P<key>[^'\"]+)\1(?: when [^,;]*)?", reading.rest)
    if told is not None:
        reading.cut(*told.span())
    functions = reading.functions()
    default = reading.take(_DEFAULT)
    given = value(Naming((), ""), default["v"]) if default else None
    plain_get = re.search(r"\.get\b|\buse get\b", reading.rest)
    if default is None and not plain_get:
        return
    found: dict[str, list[ast.Subscript]] = {}
    for node in src.nodes:
        if (
            isinstance(node, ast.Subscript)
            and isinstance(node.ctx, ast.Load)
            and isinstance(node.slice, ast.Constant)
            and isinstance(node.slice.value, str)
        ):
            inside = not reading.named or any(
                src.first_line(one) <= src.first_line(node) < src.last_line(one) for one in functions
            )
            key = node.slice.value
            words = re.findall(r"\w+", reading.rest)
            if inside and (
                (quoted and quoted["key"] == key) or (not quoted and (key in words or _in_a_row(parts(key), words)))
            ):
                found.setdefault(key, []).append(node)
    if len(found) != 1:
        return
    key, nodes = next(iter(found.items()))
    shown = {ast.unparse(node.value) for node in nodes}
    if len(shown) != 1 and len(nodes) > 1:
        return
    if given == '""' and quote_of(src) == "'":
        given = "''"
    changes: list[Change] = []
    for node in nodes:
        inner = src.segment(node.slice)
        start = src.span(node.value)[1]
        changes.append(
            (start, src.span(node)[1], f".get({inner})" if given in (None, "None") else f".get({inner}, {given})")
        )
    yield order.edit(changes, *reading.used, key, *shown, _GOT)


def _in_a_row(said: list[str], words: list[str]) -> bool:
    low = [word.lower() for word in words]
    return len(said) > 1 and any(low[at : at + len(said)] == said for at in range(len(low) - len(said) + 1))


_NONE = re.compile(
    r"\b(?:if|when|in case)\s+(?:it|(?P<t>[\w. `']+?))(?:\s+(?:is|are|was|were)|'s)\s+(?:None|missing|not given|not passed|not set|not provided|null|omitted)\b|\b(?:if|when)\s+(?:it'?s\s+)?None\b",
    re.I,
)
_FALL = "default defaults to fall back falling fallback use take be should set make when if is with and it value an a the or none"


def _fallback(order: Order) -> Iterator[Edit]:
    """*items should fall back to an empty list when it is None*: for a parameter."""
    src, reading = order.src, Reading(order)
    functions = reading.functions()
    default, missing = reading.take(_DEFAULT), reading.take(_NONE)
    if default is None or missing is None:
        return
    left = [
        tidy(re.sub(rf"\b(?:{_FALL.replace(' ', '|')}|let|should|must)\b", " ", piece, flags=re.I))
        for piece in reading.pieces()
    ]
    said = missing["t"] or " ".join(one for one in left if one)
    between = re.search(r"default(?:s|ing)?\s+([\w. ]+?)\s+to\b", default[0])
    said = (between[1] if between else said) if not missing["t"] or missing["t"] == "it" else said
    for function in functions:
        naming = naming_in(src, function)
        name = naming.thing(re.sub(r"\s+", " ", said)) if said.strip() else None
        code = value(naming, default["v"])
        place = top_line(src, function)
        if (
            name not in {one.arg for one in parameters(function)}
            or code is None
            or place is None
            or f"if {name} is None:" in src.segment(function)
        ):
            continue
        at, indent = place
        yield order.edit(
            [put(src, at, [f"{indent}if {name} is None:", f"{indent}{src.step}{name} = {code}"])],
            *reading.used,
            said,
            _FALL,
        )


# -- division ----------------------------------------------------------------------------------------------------------

_ZERO = re.compile(
    r"\b(?:a )?(?:division by (?:zero|0)|divid(?:e|es|ing) by (?:zero|0)|ZeroDivisionError)\b(?: error)?", re.I
)
_RETURNED = re.compile(
    r"\b(?:by\s+)?(?:return(?:s|ing)?|give(?: back)?|should be|answer)\s+(?P<v>`[^`]+`|\"[^\"]*\"|None|zero|-?\d[\d.]*|an? empty \w+|\[\])(?:\s+(?:then|instead|in that case|there))*",
    re.I,
)
_ZERO_SAID = "guard against avoid prevent handle protect from on in case of when if there is would be the a and then no add for can happen happens with it crashes dies crash instead get we"


def _division(order: Order) -> Iterator[Edit]:
    src, reading = order.src, Reading(order)
    if re.search(r"\b(?:catch|except|try|raise)\b", order.said, re.I) or reading.take(_ZERO) is None:
        return
    returned = reading.take(_RETURNED)
    functions = reading.functions()
    if returned is None:
        return
    for function in functions:
        code = value(naming_in(src, function), returned["v"])
        divided = [
            one
            for one in ast.walk(function)
            if isinstance(one, ast.BinOp)
            and isinstance(one.op, ast.Div | ast.FloorDiv | ast.Mod)
            and not isinstance(one.right, ast.Constant)
            and not isinstance(one.left, ast.Constant | ast.JoinedStr)
        ]
        statement = src.statement(divided[0]) if len(divided) == 1 else None
        if (
            statement is None
            or code is None
            or hasattr(statement, "body")
            or src.function_of(statement) is not function
        ):
            continue
        right = divided[0].right
        below = src.segment(right)
        if (
            isinstance(right, ast.Call)
            and isinstance(right.func, ast.Name)
            and right.func.id == "len"
            and len(right.args) == 1
        ):
            test = f"not {src.segment(right.args[0])}"
        elif isinstance(right, ast.Name | ast.Attribute | ast.Call | ast.Subscript):
            test = f"{below} == 0"
        else:
            test = f"{below} == 0"
        if f"if {test}:" in src.segment(function):
            continue
        indent = src.indent(statement)
        yield order.edit(
            [put(src, src.first_line(statement), [f"{indent}if {test}:", f"{indent}{src.step}return {code}"])],
            *reading.used,
            _ZERO_SAID,
        )


RULES: tuple[Rule, ...] = (
    Rule(
        re.compile(
            r"\b(?:strip|trim|white ?space|spaces|blanks|lower\w*|upper\w*|sort|order|abs\w*|round|convert|turn|cast|coerce|make|clamp|limit|cap|restrict)\b",
            re.I,
        ),
        _cleans,
    ),
    Rule(_GET, _missing_key),
    Rule(
        re.compile(
            r"\b(?:default|fall(?:ing)? back|fallback|use|take|or)\b.*\b(?:None|missing|given|passed|set|provided|null|omitted)\b|\b(?:None|missing|given|null|omitted)\b.*\b(?:default|fall back|use|take)\b",
            re.I,
        ),
        _fallback,
    ),
    Rule(_ZERO, _division),
)
