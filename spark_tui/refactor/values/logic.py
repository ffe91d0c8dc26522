"""Operators, conditions, what is returned, ends of ranges: *use >= instead of >*, *also check that …*,
*return None*.

Comes in: an `Order`. Goes out: edits of one expression each. Must not know: models, hunks.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.pysource.parsing import parse_code
from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.source import Source
from spark_tui.refactor.values.asked import ITEM, Asked, asked
from spark_tui.refactor.values.slots import alike, parts, slot_of, target_name

_SYMBOLS: dict[str, type[ast.AST]] = {
    "==": ast.Eq, "!=": ast.NotEq, "<=": ast.LtE, ">=": ast.GtE, "<": ast.Lt, ">": ast.Gt, "is not": ast.IsNot, "is": ast.Is, "not in": ast.NotIn, "in": ast.In,
    "and": ast.And, "or": ast.Or, "+": ast.Add, "-": ast.Sub, "*": ast.Mult, "/": ast.Div, "//": ast.FloorDiv, "%": ast.Mod, "**": ast.Pow,
    "&": ast.BitAnd, "|": ast.BitOr, "^": ast.BitXor, "<<": ast.LShift, ">>": ast.RShift,
}  # fmt: skip
_AUGMENTED = {f"{symbol}=": kind for symbol, kind in _SYMBOLS.items() if issubclass(kind, ast.operator)}
_IN_WORDS = [
    (r"(?:strictly )?(?:less|smaller|lower|fewer) than or equals?(?: to)?|less or equal|at most|no more than|not (?:more|greater|larger) than|smaller or equal", "<="),
    (r"(?:strictly )?(?:greater|larger|more|bigger|higher) than or equals?(?: to)?|greater or equal|at least|no less than|not (?:less|smaller) than|larger or equal", ">="),
    (r"(?:strictly )?(?:less|smaller|lower|fewer) than|strictly (?:less|smaller|lower|below)", "<"),
    (r"(?:strictly )?(?:greater|larger|more|bigger|higher) than|strictly (?:greater|larger|more|bigger|above)", ">"),
    (r"not equal(?: to)?|unequal|different from", "!="), (r"(?:double )?equals?(?: to)?", "=="),
    (r"floor division|integer division|whole division", "//"), (r"modulo|remainder", "%"), (r"\btimes\b|multiplication", "*"), (r"\bplus\b|addition", "+"), (r"\bminus\b|subtraction", "-"), (r"divided by|division", "/"),
    (r"identity", "is"), (r"not contained in", "not in"), (r"contained in", "in"),
]  # fmt: skip
_OP = r"(?:is not|not in|//=|\*\*=|[-+*/%&|^]=|==|!=|<=|>=|<<|>>|//|\*\*|[-+*/%&|^<>]|\bis\b|\bin\b|\band\b|\bor\b)"
_QUOTED_OP = re.compile(rf"`\s*({_OP})\s*`|\"\s*({_OP})\s*\"|'\s*({_OP})\s*'", re.I)
_BARE_OP = re.compile(
    r"(?<![\w<>=!*/+\u27e7'\"`-])(==|!=|<=|>=|//=?|\*\*|[-+*/%]=|(?<!-)>(?!=)|<|(?<=\s)[+*/%-](?=\s|$|,))(?![\w<>=*/])|\b(is not|not in)\b(?=\s*(?:instead|rather|$|,|should|not|->|=>))"
)
_INSTEAD = re.compile(r"\b(?:instead of|rather than|in place of|not|isn'?t|as opposed to)\W*$", re.I)
_MARK = "\u27e6op{}\u27e7"
_SAYS_NOTHING = frozenset(
    re.findall(
        r"\w+",
        "use change replace switch make swap turn operator operators comparison compare comparisons sign should must be instead of rather than in place not is wrong right correct i think want needs need has it condition check checks bug there fix test tests "
        "with by to so and or into on equals equal symbol sure well todo using put down what flip strict strictly take line case look way",
    )
)


def _operators(order: Order) -> Iterator[Edit]:
    """One operator becomes another of its kind."""
    about = asked(order)
    said, text = _said_operators(about)
    if not 1 <= len(said) <= 2 or len(about.text) > 200:
        return
    if len(said) == 1 and re.search(
        r"\b(?:as|format\w*|separator|delimiter|sign|symbol|character)\b", text, re.I
    ):
        return
    src = about.order.src
    places = [
        (node, at, symbol, span)
        for node in src.nodes
        for at, symbol, span in _operators_of(src, node)
        if about.inside(src.line_at(span[0]) + 1 + len(src.headers))
    ]
    rest = re.sub(ITEM, " ", re.sub("\u27e6op\\d\u27e7", " ", text))
    roles, known = about.role_words(rest, _SAYS_NOTHING)
    items = [about.items[int(number)] for number in re.findall(ITEM, text)]
    old, new = said if len(said) == 2 else (None, said[0])
    if old is not None:
        between = text[text.index(_MARK.format(0)) : text.index(_MARK.format(1))]
        before = text[: text.index(_MARK.format(0))]
        if (
            _INSTEAD.search(between) or re.search(r"\bis (?:the )?(?:right|correct)\b.*\bnot\b", between)
        ) and not re.search(r"\b(?:should|use|must|make)\b", between):
            old, new = new, old
        elif not (
            re.search(r"->|=>|→|\b(?:to|with|by|into|be|use|should|must|but|needs?)\b", between)
            or _INSTEAD.search(before)
        ):
            return
    if old == new:
        return
    found = []
    for node, _, symbol, span in places:
        if (symbol != old) if old is not None else (symbol == new or not _same_family(symbol, new)):
            continue
        if not _same_family(symbol, new) or _is_an_idiom(src, node, new):
            continue
        names = [target_name(one) for one in ast.walk(node) if isinstance(one, ast.Name | ast.Attribute)]
        around = (
            [
                part
                for name in (*names, *slot_of(src, node).near, *slot_of(src, node).names)
                for part in parts(name)
            ]
            if isinstance(node, ast.expr)
            else [part for name in names for part in parts(name)]
        )
        segment = src.segment(node)
        if any(item.source not in segment and item.source not in names for item in items):
            continue
        fits = [word for word in roles if any(alike(word, part) for part in around)]
        found.append((len(fits), span, fits))
    best = max((one[0] for one in found), default=-1)
    found = [one for one in found if one[0] == best]
    if not found or len(found) > 3 or len(roles) - best > 1 or (old is None and not known):
        return
    for _, span, fits in found:
        yield about.edit([(*span, new)], *fits, *known, *(item.said for item in items), *_words_of(said))


def _is_an_idiom(src: Source, node: ast.AST, new: str) -> bool:
    """What is None is asked for by `is`, `not x in y` turns as a whole, and nothing is in a number."""
    if not isinstance(node, ast.Compare) or len(node.comparators) != 1:
        return False
    right, turned = node.comparators[0], isinstance(src.parents.get(node), ast.UnaryOp)
    if isinstance(right, ast.Constant) and right.value is None:
        return new in ("==", "!=") or not isinstance(node.ops[0], ast.Is | ast.IsNot)
    return (turned and new.startswith("not ")) or (
        new in ("in", "not in") and isinstance(right, ast.Constant)
    )


def _words_of(said: list[str]) -> list[str]:
    return [
        *said,
        *(word for pattern, symbol in _IN_WORDS if symbol in said for word in re.findall(r"[a-z]+", pattern)),
    ]


def _same_family(one: str, two: str) -> bool:
    families = (
        ("==", "!=", "<=", ">=", "<", ">", "is", "is not", "in", "not in"),
        ("and", "or"),
        ("+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>"),
        tuple(_AUGMENTED),
    )
    return any(one in family and two in family for family in families)


def _said_operators(about: Asked) -> tuple[list[str], str]:
    """The operators that the order says, and the text with marks for them."""
    text = about.masked
    for number, item in enumerate(about.items):
        bare = re.sub(r"^[`'\"]|[`'\"]$", "", item.source).strip()
        if re.fullmatch(_OP, bare):
            text = text.replace(f"\u27e6{number}\u27e7", f"`{bare}`")
    spans: list[tuple[int, int, str]] = [
        (*match.span(), next(one for one in match.groups() if one).lower())
        for match in _QUOTED_OP.finditer(text)
    ]

    def free(start: int, end: int) -> bool:
        return not any(start < b and a < end for a, b, _ in spans)

    spans += [
        (*match.span(), match[1] or match[2]) for match in _BARE_OP.finditer(text) if free(*match.span())
    ]
    for pattern, symbol in _IN_WORDS:
        for match in re.finditer(rf"\b(?:{pattern})", text, re.I):
            if free(*match.span()):
                spans.append((*match.span(), symbol))
    if len(spans) == 1 or not spans:
        for match in re.finditer(
            r"\b(is not|not in|and|or|is|in)\b(?=\s+(?:instead of|rather than|not|to|in place of|on|should|$))|(?<=instead of )(is not|not in|and|or|is|in)\b|(?<=not )(and|or|is not)\b|(?<=use )(and|or|is not|not in)\b",
            text,
        ):
            if free(*match.span()):
                spans.append((*match.span(), next(one for one in match.groups() if one)))
    spans.sort()
    merged: list[tuple[int, int, str]] = []
    for span in spans:
        if merged and span[2] == merged[-1][2]:
            continue  # said in words and as a symbol
        merged.append(span)
    symbols = [symbol for _, _, symbol in merged]
    out, at = "", 0
    for number, (start, end, _) in enumerate(merged):
        out += text[at:start] + _MARK.format(number)
        at = end
    return symbols, out + text[at:]


def _operators_of(src: Source, node: ast.AST) -> Iterator[tuple[int, str, tuple[int, int]]]:
    """The operators of a node: which, as written, where."""
    if isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
        for at, op in enumerate(node.ops):
            yield from _between(src, sides[at], sides[at + 1], at, type(op))
    elif isinstance(node, ast.BoolOp):
        for at in range(len(node.values) - 1):
            yield from _between(src, node.values[at], node.values[at + 1], at, type(node.op))
    elif isinstance(node, ast.BinOp):
        yield from _between(src, node.left, node.right, 0, type(node.op))
    elif isinstance(node, ast.AugAssign):
        start, end = src.span(node.target)[1], src.span(node.value)[0]
        match = re.search(r"[-+*/%&|^<>@]+=", src.text[start:end])
        if match is not None:
            yield 0, match[0], (start + match.start(), start + match.end())


def _between(
    src: Source, left: ast.expr, right: ast.expr, at: int, kind: type[ast.AST]
) -> Iterator[tuple[int, str, tuple[int, int]]]:
    start, end = src.span(left)[1], src.span(right)[0]
    symbol = next((symbol for symbol, one in _SYMBOLS.items() if one is kind), None)
    if symbol is not None:
        pattern = re.escape(symbol).replace(r"\ ", r"\s+")
        match = re.search(
            rf"(?<![\w]){pattern}(?![\w])" if symbol[0].isalpha() else pattern, src.text[start:end]
        )
        if match is not None and "#" not in src.text[start : start + match.start()]:
            yield at, symbol, (start + match.start(), start + match.end())


def _same_sides(order: Order) -> Iterator[Edit]:
    """*n >= 0*: a comparison of the file with another operator between the same two sides."""
    about = asked(order)
    src = order.src
    said = [
        item
        for item in about.items
        if item.kind in ("code", "unsure") and isinstance(_compared(item.source), ast.Compare)
    ]
    if (
        len(said) != 1
        or len(about.text) > 120
        or re.search(r"\b(?:if|add|raise|return|guard|assert|also|when|unless)\b", about.masked, re.I)
    ):
        return
    wanted = _compared(said[0].source)
    if not isinstance(wanted, ast.Compare) or len(wanted.ops) != 1:
        return
    sides = (ast.dump(wanted.left), ast.dump(wanted.comparators[0]))
    new = next((symbol for symbol, kind in _SYMBOLS.items() if isinstance(wanted.ops[0], kind)), None)
    found = [
        one
        for node in src.nodes
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and about.inside(node.lineno)
        and (ast.dump(node.left), ast.dump(node.comparators[0])) == sides
        for one in _operators_of(src, node)
    ]  # fmt: skip
    if len(found) != 1 or new is None or found[0][1] == new:
        return
    others, _ = _said_operators(about)
    if any(one not in (new, found[0][1]) for one in others):
        return
    _, known = about.role_words(about.masked, _SAYS_NOTHING)
    yield about.edit([(*found[0][2], new)], *known, said[0].said, said[0].source, *others)


def _set_condition(order: Order) -> Iterator[Edit]:
    """*use X as the condition*, where there is one."""
    about = asked(order)
    said = [
        item for item in about.items if item.kind in ("code", "name") and _compared(item.source) is not None
    ]
    if (
        len(said) != 1
        or len(about.items) != 1
        or not about.here
        or len(about.text) > 100
        or not re.search(r"\bcondition\b", about.masked, re.I)
        or re.search(
            r"\b(?:add|also|remove|extra|invert|negate|and|or|instead|swap|first|variable)\b",
            about.masked,
            re.I,
        )
    ):
        return
    found = [
        node
        for node in order.src.nodes
        if isinstance(node, ast.If | ast.While | ast.IfExp) and about.inside(node.lineno)
    ]
    _, known = about.role_words(about.masked, _SAYS_NOTHING)
    if len(found) == 1 and order.src.segment(found[0].test) != said[0].source:
        yield about.edit(
            [(*order.src.span(found[0].test), said[0].source)],
            *known,
            said[0].said,
            "condition doesn't check fails as its make use new test",
        )


def _compared(source: str) -> ast.expr | None:
    try:
        return parse_code(source.strip(), mode="eval").body
    except (SyntaxError, ValueError):
        return None


RULES = (
    Rule(
        re.compile(
            r"[<>=!+*/%&|^-]|\b(?:and|or|is|in|not|equal|equals|than|least|most|strictly|division|modulo|times|plus|minus|contained)\b",
            re.I,
        ),
        _operators,
    ),
    Rule(re.compile(r"\bcondition\b", re.I), _set_condition),
    Rule(re.compile(r"[<>]=?|[=!]=|\bis not\b|\bnot in\b"), _same_sides),
)
