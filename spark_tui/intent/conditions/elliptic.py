"""Conditions without a subject, which is taken from the condition that they replace: `<= 0`, `fewer than 5
are left`, `strictly greater`, `the journal too`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache

from spark_tui.codemods.rewriting.negation import negate_code
from spark_tui.intent.conditions import worded
from spark_tui.intent.conditions.compared_values import Expressions
from spark_tui.intent.context.anchors import parsed
from spark_tui.intent.context.lookup import key, split_name
from spark_tui.intent.context.situation import Option
from spark_tui.intent.facts.boolean_values import takes_bool
from spark_tui.intent.facts.literal_types import is_text
from spark_tui.intent.words import phrases
from spark_tui.pysource.source import Function, Source, parameters
from spark_tui.pysource.syntax.walking import walk

_IT = "it_"
"""Placeholder for the subject while the words are parsed."""
_SIGN = re.compile(r"(?:[<>=!]=|[<>])(?!\w)")
_ORDERED = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}
_OF_MANY = frozenset(
    ("append", "pop", "popleft", "items", "keys", "strip", "split", "extend", "add", "splitlines")
)
_SMALL = ("also", "lead_ins", "openers", "copulas", "articles", "rest", "flag_words", "and", "or")
_GUESSED, _ALIKE, _FLAG = 0.8, 0.85, 0.8


def begins_with_sign(text: str) -> bool:
    """Whether a condition begins with its operator."""
    return _SIGN.match(_bare(text)) is not None


def replace_operator(source: Source, test: ast.AST, text: str) -> str:
    """The comparison with the operator that is all that a text says: `==`, `strictly greater`."""
    own = _ORDERED.get(type(test.ops[0])) if isinstance(test, ast.Compare) and len(test.ops) == 1 else None
    if own is None or not isinstance(test, ast.Compare):
        return ""
    bare = _bare(text)
    strict, inclusive = (phrases.mentions(item, bare) for item in ("strict", "inclusive"))
    forms = (*phrases.words("strict"), *phrases.words("inclusive"))
    plain = " ".join(word for word in bare.split() if word.lower() not in forms)
    new = phrases.operator(bare) or phrases.operator(plain) or (own if not plain else None)
    if new is None or new not in _ORDERED.values():
        return ""
    if strict or inclusive:
        new = new[0] + "=" * inclusive if new[0] in "<>" else new
    return f"{source.segment(test.left)} {new} {source.segment(test.comparators[0])}"


def complete_condition(source: Source, test: ast.AST, text: str, expression: Expressions) -> list[Option]:
    """The condition that a text means of what a test looks at."""
    out = []
    for subject, guessed in _subjects(source, test):
        code = _said_of(subject, text, expression)
        if code:
            doubts = (f"{subject} was assumed: nothing is named",) if guessed else ()
            out.append(Option(code, _GUESSED if guessed else 1.0, doubts))
    return out[:1]


def _said_of(subject: str, text: str, expression: Expressions) -> str:
    """A comparison of a subject, from as many words as can be read."""

    def known(text: str) -> str | None:
        return _IT if text.strip() == _IT else expression(text)

    words = _bare(text).split()
    is_length = subject.startswith("len(")
    found: dict[str, bool] = {}
    for end in range(len(words), 0, -1):
        for item in worded.parse_condition(f"{_IT} {' '.join(words[:end])}", known):
            tree = parsed(item.code)
            if (
                isinstance(tree, ast.Compare)
                and ast.unparse(tree.left) == _IT
                and not (is_length and _is_no_number(tree.comparators[0]))
            ):
                found.setdefault(
                    item.code.replace(_IT, subject), isinstance(tree.comparators[0], ast.Constant)
                )
    # `5 are left` is rather a number than what is called `left`.
    return next((code for code, is_number in found.items() if is_number), next(iter(found), ""))


def _is_no_number(node: ast.expr) -> bool:
    """Whether an expression is a constant that no length can be compared with: None, a flag or a text."""
    return isinstance(node, ast.Constant) and type(node.value) not in (int, float)


def complete_for_item(text: str, expression: Expressions) -> list[Option]:
    """The condition that a text means that names one of several things: *the first author* of `authors`."""
    items: list[str] = []

    def named(text: str) -> str | None:
        word, _, rest = phrases.without_articles(text.strip()).partition(" ")
        at = next((at for at, known in phrases.table()["ordinals"].items() if word.lower() in known), None)
        whole = (expression(f"{rest}s") or expression(rest)) if at is not None and rest else None
        items.extend([f"{whole}[{at}]"] if whole is not None else [])
        return items[-1] if whole is not None else expression(text)

    found = [item.code for item in worded.parse_condition(text, named)]
    return [Option(one, _GUESSED) for one in found if any(item in one for item in items)][:1]


def _bare(text: str) -> str:
    """A condition without the words in front of it that say nothing: *as soon as there are*."""
    text, was = text.strip(" `.,;"), ""
    while text != was:
        was, text = text, _lead().sub("", text).strip()
    return text


@lru_cache(maxsize=1)
def _lead() -> re.Pattern[str]:
    openers = (word for word in phrases.words("openers") if word not in phrases.words("unless"))
    known = sorted((*phrases.words("lead_ins"), *openers), key=len, reverse=True)
    return re.compile(rf"\A(?:{'|'.join(map(re.escape, known))})(?:\s+|(?<=[\u3400-\u9fff]))", re.IGNORECASE)


def _subjects(source: Source, test: ast.AST) -> Iterator[tuple[str, bool]]:
    """What a test looks at, and whether it may as well be something else there."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yield from _subjects(source, test.operand)
    elif isinstance(test, ast.Compare):
        first = test.comparators[0] if isinstance(test.left, ast.Constant) else test.left
        other = test.left if first is not test.left else test.comparators[0]
        yield source.segment(first), type(first) is type(other)
    elif isinstance(test, ast.Name | ast.Attribute | ast.Subscript | ast.Call):
        code = source.segment(test)
        yield (f"len({code})", False) if _has_items(source, test) else (code, False)


def _has_items(source: Source, node: ast.expr) -> bool:
    """Whether an expression is used as one of several things, or as a text."""
    code = ast.unparse(node)
    for inner in walk(source.tree):
        iterated = getattr(inner, "iter", None) if isinstance(inner, ast.For | ast.comprehension) else None
        owner = inner.value if isinstance(inner, ast.Subscript) else None
        if isinstance(inner, ast.Attribute) and inner.attr in _OF_MANY:
            owner = inner.value
        if isinstance(inner, ast.Call) and ast.unparse(inner.func) == "len" and inner.args:
            owner = inner.args[0]
        if any(item is not None and ast.unparse(item) == code for item in (iterated, owner)):
            return True
    return False


def move_test_beside(source: Source, test: ast.AST, text: str) -> list[Option]:
    """The same test of the one thing beside that which it looks at whose name a text says: `the journal`."""
    texts = set(split_name(_bare(text)))
    small = {word for kind in _SMALL for phrase in phrases.words(kind) for word in phrase.lower().split()}
    found = set()
    for node in walk(test):
        for new in (item for item in _beside(source, node) if not _is_flag(source, item)):
            words = set(split_name(new))
            if (
                words
                and words <= texts
                and texts - words <= small
                and not words <= set(split_name(ast.unparse(test)))
            ):
                found.add(_exchanged(source, test, node, new))
    return [Option(found.pop(), _ALIKE)] if len(found) == 1 else []


def _beside(source: Source, node: ast.AST) -> list[str]:
    """The names that may stand in the place of one: of attributes of the same object, keys, parameters."""
    tree = source.tree
    if isinstance(node, ast.Attribute) and tree is not None:
        owners = (set(_fields(inner)) for inner in walk(tree) if isinstance(inner, ast.ClassDef))
        return [name for own in owners if node.attr in own for name in own if name != node.attr]
    if isinstance(node, ast.Subscript) and is_text(node.slice) and tree is not None:
        same = (inner for inner in walk(tree) if isinstance(inner, ast.Subscript) and is_text(inner.slice))
        owner, own = ast.unparse(node.value), ast.literal_eval(node.slice)
        keys = {ast.literal_eval(inner.slice) for inner in same if ast.unparse(inner.value) == owner}
        displays = (inner for inner in walk(tree) if isinstance(inner, ast.Dict))
        for display in displays:
            known = {item.value for item in display.keys if isinstance(item, ast.Constant)}
            keys |= known if own in known else set()
        return [item for item in keys if isinstance(item, str) and item != own]
    function = source.function_of(node) if isinstance(node, ast.Name) else None
    given = [parameter.arg for parameter in parameters(function)] if function is not None else []
    return [item for item in given if isinstance(node, ast.Name) and node.id in given and item != node.id]


def _fields(owner: ast.ClassDef) -> Iterator[str]:
    """The values that a class has: those of a dataclass, and what its methods set."""
    for node in walk(owner):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node in owner.body:
            yield node.target.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr


def _exchanged(source: Source, test: ast.AST, node: ast.AST, new: str) -> str:
    """The test with another name wherever a node like it stands."""
    base, _ = source.span(test)
    code, shown = source.segment(test), ast.unparse(node)
    if isinstance(node, ast.Subscript):
        quote = source.segment(node.slice)[0]
        fresh = f"{source.segment(node.value)}[{quote}{new}{quote}]"
    else:
        fresh = f"{source.segment(node.value)}.{new}" if isinstance(node, ast.Attribute) else new
    same = [inner for inner in walk(test) if type(inner) is type(node) and ast.unparse(inner) == shown]
    for item in sorted(same, key=source.span, reverse=True):
        low, high = source.span(item)
        code = code[: low - base] + fresh + code[high - base :]
    return code


def find_flag(text: str, source: Source, expression: Expressions) -> list[Option]:
    """The flag that is all that some words name: *on a dry run*."""
    words = _bare(text).split()
    while words and words[0].lower() in phrases.words("flag_words"):
        words = words[1:]
    code = expression(" ".join(words)) if words else None
    if code is None or key(code.removeprefix("self.")) != key(" ".join(words)):
        return []
    return [Option(code, _FLAG)] if _is_flag(source, code) else []


def _is_flag(source: Source, code: str) -> bool:
    """Whether a name is true or false: by the default or type of a parameter, or where it is asked for."""
    for node in walk(source.tree):
        if isinstance(node, Function) and takes_bool(node, code.removeprefix("self.")):
            return True
        test = node.test if isinstance(node, ast.If | ast.IfExp | ast.While) else None
        if test is not None and ast.unparse(test).removeprefix("not ") in (code, f"self.{code}"):
            return True
    return False


def strip_negation(text: str, before: str) -> tuple[str, bool]:
    """A condition without a leading negation (`not if it is empty`) or a final *too*, and whether it is
    negated. A negation may also end `before`, the text in front of it."""
    bare = text.strip(" ,")
    for word in phrases.words("also"):
        bare = bare.removesuffix(f" {word}") if not phrases.has_cjk(word) else bare.removesuffix(word)
    negation = _negation().match(bare)
    rest = bare[negation.end() :] if negation is not None else bare
    tail = _negation(at_end=True).search(before.rstrip())
    return rest, (negation is not None) != (tail is not None)


@lru_cache(maxsize=2)
def _negation(at_end: bool = False) -> re.Pattern[str]:
    known = "|".join(map(re.escape, (*phrases.words("denials"), *phrases.words("unless"))))
    plain = [word for word in phrases.words("openers") if word not in phrases.words("unless")]
    opener = rf"(?:\s+(?:{'|'.join(map(re.escape, plain))}))?"
    front = rf"(?:(?<!\w)(?:{known}){opener})"
    return re.compile(rf"{front}\Z" if at_end else rf"\A{front}(?:\s+|(?<=[\u3400-\u9fff]))", re.IGNORECASE)


def negate_options(found: list[Option]) -> list[Option]:
    return [Option(negate_code(option.text), option.weight, option.doubts) for option in found]
