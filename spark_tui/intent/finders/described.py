"""Statements that are described by their kind, their place among others, and words that stand in them;
parameters that are described in words."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache

from spark_tui.codemods.signatures.rearrange import default_of
from spark_tui.intent.context.anchors import Anchor, Search, head_text, is_same_code, nodes
from spark_tui.intent.context.described_names import content_words, score_description
from spark_tui.intent.context.lookup import split_name
from spark_tui.intent.context.situation import Area
from spark_tui.intent.context.visible import is_short_for
from spark_tui.intent.words import phrases
from spark_tui.pysource.source import Function, Source, parameters
from spark_tui.pysource.syntax.walking import walk

_STEM, _MOST_WORDS = 5, 24
_UNFOUND = "not all words of the description occur there"
_LEAST = 0.5
"""The share of the other words that a statement of the kind has to hold."""
_DESCRIBED, _ONLY = 0.55, 0.4
_DEFAULTS = frozenset(("set_default", "remove_default"))


@lru_cache(maxsize=1)
def _kinds() -> dict[str, frozenset[str]]:
    """The names of the nodes that a word may mean."""
    known: dict[str, set[str]] = {}
    for kind, names in phrases.table()["statements"].items():
        for item in names:
            known.setdefault(item, set()).add(kind)
    return {one: frozenset(kinds) for one, kinds in known.items()}


@lru_cache(maxsize=1)
def _kind_words() -> re.Pattern[str]:
    longest = sorted(_kinds(), key=len, reverse=True)
    plain = "|".join(re.escape(kind) for kind in longest if not phrases.has_cjk(kind))
    return re.compile(rf"(?<![\w.])(?:{plain})(?![\w.(=])|{'|'.join(filter(phrases.has_cjk, longest))}", re.I)


@lru_cache(maxsize=1)
def _ordinals() -> tuple[re.Pattern[str], dict[str, int]]:
    places = {item: int(at) for at, known in phrases.table()["ordinals"].items() for item in known}
    longest = sorted(places, key=len, reverse=True)
    plain = "|".join(re.escape(place) for place in longest if not phrases.has_cjk(place))
    return re.compile(rf"(?<!\w)(?:{plain})(?!\w)|{'|'.join(filter(phrases.has_cjk, longest))}", re.I), places


def ordinal_in(text: str) -> int | None:
    """The place in a row that a text names, from 0."""
    return next(iter(ordinals_in(text)), None)


def ordinals_in(text: str) -> list[int]:
    """The places in a row that a text names, each from 0."""
    return [_ordinals()[1][match[0].lower()] for match in _ordinals()[0].finditer(text)]


def statement_kinds_said(text: str) -> tuple[set[str], list[str]]:
    """The kinds of statements that a description names, and its other words that may stand in code."""
    kinds = {item for found in _kind_words().finditer(text) for item in _kinds()[found[0].lower()]}
    return kinds, _content(_ordinals()[0].sub(" ", _kind_words().sub(" ", text)))


def described(at: Search, text: str) -> Iterator[Anchor]:
    """The statements that a description fits best; nothing where it fits none clearly."""
    kinds, words = statement_kinds_said(text)
    if phrases.is_said("otherwise_branch", re.split(r"[\s:]", text, maxsplit=1)[0]):
        yield from _otherwise(at, text)
        return
    ordinal = ordinal_in(text)
    many = _counted(text)
    nested = {side for word in words if (side := phrases.lookup("nesting", word))}
    texts = [
        word for word in words if not (phrases.lookup("numbers", word) or phrases.lookup("nesting", word))
    ]
    if len(texts) > _MOST_WORDS or (not kinds and not (texts and ordinal is None)):
        return
    whole_file = isinstance(at.root, ast.Module)
    found: list[tuple[float, ast.stmt]] = []
    for one in nodes(at.root, ast.stmt):
        if one is at.root or not isinstance(one, ast.stmt) or isinstance(one, Function | ast.ClassDef):
            continue
        own = own_kinds(one)
        if kinds and not own & kinds:
            continue
        held = _held(at.source, one, texts)
        inner = {type(stmt).__name__ for stmt in getattr(one, "body", ())}
        score = (held / len(texts) if texts else 1.0) + 0.01 * len((own | inner) & kinds)
        found.append((score, one))
    if len(nested) == 1:
        ends = keep_nested(at.source, [one for _, one in found], inner="inner" in nested)
        found = [item for item in found if item[1] in ends] or found
    if not kinds:
        # Without a kind all words have to stand in one statement.
        found = [item for item in found if item[0] >= 1.0]
        found = found if len(found) == 1 else []
    top = max((score for score, _ in found), default=0.0)
    best = [one for score, one in found if score == top]
    if ordinal is not None:
        best = best[ordinal:][:1] if ordinal >= 0 else best[ordinal:]
    if len(best) > 1 and _in_handler(at.context.beside_slots()):
        caught = [item for node in nodes(at.root, ast.ExceptHandler) for item in walk(node)]
        best = [item for item in best if item in caught] or best
    if many:
        yield from _row(at.source, best, many)
        return
    vague = top < _LEAST
    if vague and (whole_file or len(best) != 1):
        return
    if whole_file and not texts and not (len(best) == 1 and (nested or top > 1.015)):
        # One word for a kind is not enough to find a place in a file.
        return
    doubts = (_UNFOUND,) if top < 1.0 else ()
    for one in best:
        yield Anchor(Area(""), one, weight=0.3 if vague else 0.5, doubts=doubts)


def keep_nested(source: Source, found: Collection[ast.AST], inner: bool) -> set[ast.AST]:
    """Of statements the innermost of those inside of another one, or else the outermost that hold one."""
    holders = {one: {*found}.intersection(source.ancestors(one)) for one in found}
    holding = set().union(*holders.values())
    return {one for one in found if (bool(holders[one]), one in holding) == (inner, not inner)}


def _in_handler(text: str) -> bool:
    """Whether words say that something is about the branch that handles an error."""
    return any(phrases.stands_in(item, text.lower()) for item in phrases.table()["handler_branch"]["said"])


def _counted(text: str) -> int:
    """How many statements a description counts: `the three ifs`."""
    numbers = (phrases.lookup("numbers", item) for item in re.findall(r"[^\W\d_]+", text))
    return next((int(number) for number in numbers if number and 1 < int(number) < 20), 0)


def _row(source: Source, found: list[ast.stmt], many: int) -> Iterator[Anchor]:
    """So many statements, where they stand after each other and there are no others."""
    suite = source.suite(found[0]) if found else []
    if len(found) == many and suite[suite.index(found[0]) :][:many] == found:
        yield Anchor(Area(""), found[0], weight=0.5, last=found[-1])


def _otherwise(at: Search, text: str) -> Iterator[Anchor]:
    """What stands under an `else`: the one there is, or those with the code after the colon."""
    code = re.sub(r"#.*", "", text.partition(":")[2]).strip()
    for node in nodes(at.root, ast.If, ast.For, ast.While, ast.Try, ast.AsyncFor):
        suite: list[ast.stmt] = getattr(node, "orelse", [])
        is_elif = suite and at.source.text.startswith("elif", at.source.span(suite[0])[0])
        shown = "\n".join(at.source.segment(stmt) for stmt in suite)
        if suite and not is_elif and (not code or is_same_code(shown, code)):
            yield Anchor(Area(""), suite[0], weight=0.9, last=suite[-1])


def _content(text: str) -> list[str]:
    """The words of a description that may stand in code."""
    idle = {
        *phrases.words("articles"),
        *phrases.words("kinds"),
        *phrases.words("rest"),
        *phrases.words("filling"),
    }
    parts = re.findall(r"[^\W_](?:[\w.]*\w)?|_\w+", text)
    return [part for part in dict.fromkeys(parts) if part.lower() not in idle]


def own_kinds(node: ast.stmt) -> set[str]:
    """What a statement is called by: its node, what it consists of, and the steps that it ends with."""
    own = {type(node).__name__}
    if isinstance(node, ast.Expr):
        value = node.value.value if isinstance(node.value, ast.Await) else node.value
        own.add(type(value).__name__)
    elif isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign) and node.value is not None:
        own |= {
            type(inner).__name__ for inner in walk(node.value) if isinstance(inner, ast.Yield | ast.YieldFrom)
        }
    if not isinstance(node, ast.If | ast.For | ast.While | ast.With | ast.Try | ast.AsyncFor | ast.AsyncWith):
        own.add("Simple")
    return own


def _held(source: Source, node: ast.stmt, words: list[str]) -> float:
    """How many words stand in a statement: in its head, or somewhere below it or in the comment above."""
    head = head_text(source, node)
    whole = source.segment(node)
    first = source.first_line(node)
    while first > 0 and source.lines[first - 1].lstrip().startswith("#"):
        first -= 1
        whole += source.lines[first]
    return sum(1.0 if is_in_code(item, head) else 0.6 if is_in_code(item, whole) else 0.0 for item in words)


def is_in_code(word: str, code: str) -> bool:
    """Whether a word, or what it begins with, stands in code."""
    if len(word) < _STEM or "." in word or "_" in word:
        return (
            word.lower() in split_name(code)
            or re.search(rf"(?<!\w){re.escape(word)}(?!\w)", code) is not None
        )
    short = (item for item in split_name(code) if len(item) > 2)
    return word[:_STEM].lower() in code.lower() or any(is_short_for(item, word) for item in short)


def described_parameters(at: Search, inside: Sequence[Function]) -> Iterator[tuple[float, ast.AST, str]]:
    """The one parameter that words describe best, with how likely it is meant; or the one of a function that
    is named whose default is of the type that is given."""
    text = at.context.text(at.slot)
    words, preset = content_words(text), at.context.reading.intent in _DEFAULTS
    known = [
        (function, parameter.arg)
        for function in inside
        for parameter in parameters(function)
        if parameter.arg not in ("self", "cls")
    ]
    known = [(one, name) for one, name in known if not preset or default_of(one, name) is not None]
    scored = [(score_description(words, name), one, name) for one, name in known] if words else []
    top = max((each for each, *_ in scored), default=0.0)
    best = [(one, name) for each, one, name in scored if top and each == top]
    if len({name for _, name in best}) == 1:
        yield from ((_DESCRIBED * top, one, name) for one, name in best)
    elif not text and preset and isinstance(at.root, Function):
        fitting = [(one, name) for one, name in known if _is_of_given_type(at, default_of(one, name))]
        yield from ((_ONLY, one, name) for one, name in fitting if len(fitting) == 1)


def _is_of_given_type(at: Search, old: ast.expr | None) -> bool:
    """Whether a default is of the type of the value that is given."""
    if not isinstance(old, ast.Constant) or old.value is None:
        return False
    given = phrases.value(at.context.text("default")) or at.context.text("default")
    try:
        new = ast.literal_eval(given)
    except (SyntaxError, ValueError):
        return False
    return {type(new), type(old.value)} <= {int, float} or type(new) is type(old.value)
