"""What people ask for without saying code: *a 14 counts too*, *also take "yes"*, *only warnings and up*, *X should be a set*.

Comes in: an `Order`. Goes out: edits of one place each. Must not know: models, hunks.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor import literals
from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.values.asked import ITEM, Asked, asked
from spark_tui.refactor.values.layout import brackets, elements, put_in
from spark_tui.refactor.values.slots import alike, defaults, parts, slot_of
from spark_tui.refactor.values.written import in_quotes_of

_INCLUSIVE = re.compile(
    r"^\u27e6\d+\u27e7 (?:points? |percent |degrees? )?(?:is|are|means?|counts? as) (?:an? |still (?:an? )?)?\w+$|\b(?:exactly|already|inclusive(?:ly)?|including|included|counts?(?: \w+)? too|(?:is|are) (?:also )?(?:ok|fine|allowed|enough|valid|accepted)(?: too| as well| already)?|not above|not over|not more than|or equal|from|starting (?:at|from)|itself|as well|too)\b",
    re.I,
)
_EXCLUSIVE = re.compile(
    r"\b(?:exclusive(?:ly)?|excluding|excluded|strictly|only (?:above|over|below|under|more than|less than)|more than|is not (?:enough|allowed|ok)|does(?:n't| not) count|above|over|below|under)\b",
    re.I,
)
_FLIP = {">": ">=", "<": "<=", ">=": ">", "<=": "<"}
_TALK = frozenset(
    re.findall(
        r"\w+",
        "exactly already inclusive including included count counts too ok fine allowed enough valid accepted above over not more than or equal from starting itself as well exclusive excluding excluded strictly only below under less doesn does start begin should must be is are at it also boundary limit edge case treat treated include comparison check",
    )
)


def _around(about: Asked, node: ast.AST) -> list[str]:
    """Parts of all names and texts beside a place: of its statement's head, what it does first, its function."""
    src = about.order.src
    statement = src.statement(node)
    names: list[str] = [*slot_of(src, node).names, *slot_of(src, node).near] if isinstance(node, ast.expr) else []
    heads: list[ast.AST] = []
    if isinstance(statement, ast.If | ast.While):
        heads = [statement.test, *statement.body[:2]]
    elif statement is not None:
        heads = [statement]
    for head in heads:
        for one in ast.walk(head):
            if isinstance(one, ast.Name):
                names.append(one.id)
            elif isinstance(one, ast.Attribute):
                names.append(one.attr)
            elif isinstance(one, ast.Constant) and isinstance(one.value, str):
                names += re.findall(r"\w+", one.value)
    function = src.function_of(node)
    return [part for name in (*names, function.name if function else "") for part in parts(name)]


def _bounds(order: Order) -> Iterator[Edit]:
    """*free from exactly 50 on*: the comparison with that number takes it in, or leaves it out."""
    about = asked(order)
    numbers = [item for item in about.items if item.value is not None and item.value.number is not None]
    if (
        len(numbers) != 1
        or len(about.text) > 140
        or re.search(
            r"\b(?:set|change|to|instead|add|raise|return|if|default|per|every|max|times|by)\b|->|=",
            re.sub(ITEM, "", about.masked),
            re.I,
        )
    ):
        return
    inclusive, exclusive = _INCLUSIVE.search(about.masked), _EXCLUSIVE.search(about.masked)
    wanted = (">", "<") if inclusive else (">=", "<=") if exclusive else ()
    src = about.order.src
    found = []
    for node in src.nodes:
        if not isinstance(node, ast.Compare) or len(node.ops) != 1 or not about.inside(node.lineno):
            continue
        sides = (node.left, node.comparators[0])
        if not any(
            literals.as_number(src.segment(side)) == numbers[0].value.number
            for side in (_given(order, node, one) for one in sides)
            if isinstance(side, ast.Constant) and numbers[0].value
        ):
            continue
        start, end = src.span(sides[0])[1], src.span(sides[1])[0]
        match = re.search(r"[<>]=?", src.text[start:end])
        if match is not None and match[0] in wanted:
            found.append((node, (start + match.start(), start + match.end()), _FLIP[match[0]]))
    if len(found) != 1:
        return
    node, span, new = found[0]
    around = _around(about, node)
    said, known = about.role_words(about.masked, _TALK)
    others = [item for item in about.items if item is not numbers[0]]
    if any(not set(re.findall(r"\w+", item.source.lower())) <= {one.lower() for one in around} for item in others):
        return
    fits = [word for word in said if any(alike(word, part) for part in around)]
    yield about.edit([(*span, new)], *known, *fits, numbers[0].said, *(item.said for item in others))


def _given(order: Order, node: ast.AST, side: ast.expr) -> ast.expr:
    """What a name has been given: by the function's head, or once in the file."""
    if not isinstance(side, ast.Name):
        return side
    function = order.src.function_of(node)
    given = [value for one, value in defaults(function) if one.arg == side.id] if function is not None else []
    given += [
        one.value
        for one in order.src.nodes
        if isinstance(one, ast.Assign) and any(isinstance(to, ast.Name) and to.id == side.id for to in one.targets)
    ]
    return given[0] if len(given) == 1 and given[0] in order.src.parents else side


_BARE_ALSO = re.compile(
    r"^(?:\w+ (?:should|must|could) )?(?:also )?(?:accept|take|allow|understand|recogni[sz]e|match)s? (?:also )?(?:an? |the )?(?P<one>[\w-]+)(?: (?:and|or) (?P<two>[\w-]+))?(?: too| as well| also)?$",
    re.I,
)
_ALSO = re.compile(
    r"\b(?:also (?:take|accept|allow|match|treat|recogni[sz]e|count|handle|support|clean|skip|ignore|include|check|look for|delete|remove|read|list|find|know|understand|be)|(?:take|accept|allow|match|recogni[sz]e|count|handle|support|skip|ignore|include|be) .{0,60}\b(?:too|as well|also))\b",
    re.I,
)
_ALSO_WORDS = frozenset(
    re.findall(
        r"\w+",
        "also take accept allow match treat recognize recognise count handle support clean skip ignore include check look for delete remove read list find know understand should must can too as well and or file files value values ending extension extensions as true false be valid entries",
    )
)


def _also(order: Order) -> Iterator[Edit]:
    """*also take "yes"*: one text more where texts are compared."""
    about = asked(order)
    src = about.order.src
    texts = [
        value
        for item in about.items
        if item.value is not None and isinstance(value := literals.as_value(item.source), str)
    ]
    pieces = [item.said for item in about.items]
    masked = about.masked
    if not texts:
        dotted = re.findall(r"(?<![\w.])\.[a-z]\w*(?:\.\w+)*", about.text)
        texts, pieces = dotted, [*pieces, *dotted]
        masked = about.text
        for one in dotted:
            masked = masked.replace(one, " ")
    bare = _BARE_ALSO.match(masked.strip(" .!")) if not texts and not about.items else None
    if bare is not None:
        texts = [one for one in bare.groups() if one]
        pieces = [*pieces, *texts]
        for one in texts:
            masked = re.sub(rf"(?<!\w){re.escape(one)}(?!\w)", " ", masked)
    if not _ALSO.search(order.instruction) or any(
        item.kind != "value" and item.source not in {one.name for one in src.functions} for item in about.items
    ):
        return
    if not texts or len(about.text) > 140 or re.search(r"\b(?:if|when|print|log|raise|return|instead)\b", masked, re.I):
        return
    said, known = about.role_words(masked, _ALSO_WORDS)
    ranked = []
    for node in src.nodes:
        change = (
            _one_more(about, node, texts)
            if isinstance(node, ast.Compare | ast.Call) and about.inside(node.lineno)
            else None
        )
        if change is not None:
            around = _around(about, node)
            fits = [word for word in said if any(alike(word, part) for part in around)]
            ranked.append((len(fits), change, fits))
    best = max((one[0] for one in ranked), default=-1)
    chosen = [one for one in ranked if one[0] == best]
    if len(chosen) > 3 or (not about.here and not best and len(chosen) > 1):
        return
    for _, change, fits in chosen:
        yield about.edit(change, *known, *fits, *pieces)


def _one_more(about: Asked, node: ast.AST, texts: list[str]) -> list[tuple[int, int, str]] | None:
    src = about.order.src
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        right = node.comparators[0]
        if (
            isinstance(node.ops[0], ast.Eq | ast.NotEq)
            and isinstance(right, ast.Constant)
            and isinstance(right.value, str)
            and right.value not in texts
        ):
            old = src.segment(right)
            start, end = src.span(node.left)[1], src.span(right)[1]
            word = "in" if isinstance(node.ops[0], ast.Eq) else "not in"
            new = ", ".join([old, *(in_quotes_of(old, text) for text in texts)])
            return [(start, end, f" {word} ({new})")]
        if (
            isinstance(node.ops[0], ast.In | ast.NotIn)
            and isinstance(right, ast.Tuple | ast.List | ast.Set)
            and right.elts
        ):
            held = [one for one in right.elts if isinstance(one, ast.Constant) and isinstance(one.value, str)]
            span = brackets(src, right)
            if len(held) == len(right.elts) and span is not None and not {one.value for one in held} & set(texts):
                return put_in(
                    src, span, elements(src, right), [in_quotes_of(src.segment(held[0]), text) for text in texts]
                )
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("startswith", "endswith")
        and len(node.args) == 1
    ):
        arg = node.args[0]
        if isinstance(arg, ast.Constant) and isinstance(arg.value, str) and arg.value not in texts:
            old = src.segment(arg)
            return [(*src.span(arg), f"({', '.join([old, *(in_quotes_of(old, text) for text in texts)])})")]
        if isinstance(arg, ast.Tuple) and arg.elts and (span := brackets(src, arg)) is not None:
            first = arg.elts[0]
            return put_in(src, span, elements(src, arg), [in_quotes_of(src.segment(first), text) for text in texts])
    return None


_LEVELS = re.compile(r"\b(debug|info|warn(?:ing)?s?|errors?|critical)\b", re.I)
_LEVEL_NAMES = {"debug": "DEBUG", "info": "INFO", "warn": "WARNING", "error": "ERROR", "critical": "CRITICAL"}


def _level(order: Order) -> Iterator[Edit]:
    """*log level warning*, *only errors and up*: the level that logging is set to."""
    about = asked(order)
    said = list(_LEVELS.finditer(about.text))
    if (
        len(about.text) > 100
        or not said
        or not re.search(r"\b(?:level|(?:and|or) (?:up|above|higher|worse|more)|only|verbosity)\b", about.text, re.I)
        or re.search(
            r"\b(?:at|on) (?:\w+ )?level\b|\badd\b|\bprint\b|\blog (?:the|every|each|when|how)\b", about.text, re.I
        )
    ):
        return
    src = about.order.src
    found = []
    for node in src.nodes:
        if (
            isinstance(node, ast.Attribute)
            and node.attr in _LEVEL_NAMES.values()
            and isinstance(node.value, ast.Name)
            and node.value.id == "logging"
            and about.inside(node.lineno)
        ):
            parent = src.parents.get(node)
            if (isinstance(parent, ast.keyword) and parent.arg == "level") or (
                isinstance(parent, ast.Call)
                and isinstance(parent.func, ast.Attribute)
                and parent.func.attr == "setLevel"
            ):
                found.append(node)
    if len(found) != 1 or len(said) > 2:
        return
    new = _level_name(said[-1][0])
    if len(said) == 2 and re.search(
        r"\b(?:instead of|not|rather than)\W*$", about.text[said[0].end() : said[1].start()], re.I
    ):
        new = _level_name(said[0][0])
    if new != found[0].attr:
        end = src.span(found[0])[1]
        yield about.edit(
            [(end - len(found[0].attr), end, new)],
            "set change log logs logged logging logger level lower raise only up above higher worse more and or verbosity messages everything show",
            *(one[0] for one in said),
        )


def _level_name(said: str) -> str:
    return next(name for start, name in _LEVEL_NAMES.items() if said.lower().startswith(start))


_KIND = re.compile(
    r"\b(?:should be|must be|make|turn|into|as|use|convert|to)\b.*\ban? (?P<kind>list|tuple|set|frozenset)\b", re.I
)
_BRACKETS = {"list": "[]", "tuple": "()", "set": "{}"}


def _container(order: Order) -> Iterator[Edit]:
    """*STOP should be a set*: the same items in other brackets."""
    about = asked(order)
    match = _KIND.search(about.text)
    if (
        match is None
        or len(about.text) > 90
        or re.search(
            r"\b(?:return|result|empty|copy|argument|parameter|first|comprehension|type|hint)\b", about.text, re.I
        )
    ):
        return
    kind = match["kind"].lower()
    said, _ = about.role_words(
        about.text,
        frozenset(
            [
                "should",
                "must",
                "be",
                "make",
                "turn",
                "into",
                "as",
                "use",
                "convert",
                "to",
                "a",
                "an",
                "of",
                "instead",
                "list",
                "tuple",
                "set",
                "frozenset",
                "not",
                "rather",
                "than",
                "change",
            ]
        ),
    )
    src = about.order.src
    found = []
    for node in src.nodes:
        if (
            isinstance(node, ast.List | ast.Tuple | ast.Set)
            and node.elts
            and about.inside(node.lineno)
            and isinstance(src.parents.get(node), ast.Assign | ast.AnnAssign)
            and (span := brackets(src, node)) is not None
        ):
            slot = slot_of(src, node)
            own = {part for name in slot.names for part in parts(name)}
            if said and all(
                any(alike(word, part) for part in own) or any(word == name.lower() for name in slot.names)
                for word in said
            ):
                found.append((node, span))
    for node, (start, end) in found if len(found) == 1 else []:
        if isinstance(node, {"list": ast.List, "tuple": ast.Tuple, "set": ast.Set}.get(kind, ast.Dict)):
            continue
        inner = src.text[start:end]
        if isinstance(node, ast.Tuple) and len(node.elts) == 1 and "\n" not in inner:
            inner = inner.rstrip().removesuffix(",")
        if kind == "tuple" and len(node.elts) == 1 and not inner.rstrip().endswith(","):
            inner += ","
        left, right = ("frozenset({", "})") if kind == "frozenset" else (_BRACKETS[kind][0], _BRACKETS[kind][1])
        yield about.edit(
            [(start - 1, end + 1, f"{left}{inner}{right}")],
            *said,
            "make turn into use convert change list tuple set frozenset",
        )


RULES = (
    Rule(re.compile(r"\d|\b(?:zero|ten|twenty|hundred)\b"), _bounds),
    Rule(re.compile(r"[\"'`.]|\b(?:also|too|as well)\b", re.I), _also),
    Rule(_LEVELS, _level),
    Rule(_KIND, _container),
)
