"""Conditions without a subject, which is taken from the condition that they replace: `<= 0`, `fewer than 5
are left`, `strictly greater`, `the journal too`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from spark_tui.codemods.rewriting.negation import negate_code
from spark_tui.intent.conditions import worded
from spark_tui.intent.conditions.compared_values import Expressions
from spark_tui.intent.conditions.condition_phrases import alike
from spark_tui.intent.context.anchors import parsed
from spark_tui.intent.context.lookup import split_name
from spark_tui.intent.context.situation import Option
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed
from spark_tui.intent.words.readings import Span
from spark_tui.pysource.source import Function, Source, parameters
from spark_tui.pysource.syntax.walking import walk
from spark_tui.pysource.words import word_set

_IT = "it_"
"""Placeholder for the subject while the words are parsed."""
_SIGN = re.compile(r"(?:[<>=!]=|[<>])(?!\w)")
_OF_MANY = word_set("append pop popleft items keys strip split extend add splitlines")
_DOING = re.compile(
    r"(?P<verb>[^\W\d_]+ing)\s+(?:something|anything|an? (?:thing|value|object))\s+(?:that|which)\s+", re.I
)
_GUESSED = 0.8
VERBS = frozenset(("is", "isn't", "are", "aren't", "was", "has", "ist", "hat", "est", "es", "está"))


def with_parameter(span: Span, node: ast.AST | None) -> Span:
    """A condition that only names the function, as one of its only parameter: *deposit must be positive* is
    about the amount. *Connecting something that …* is about the first one."""
    given = parameters(node) if isinstance(node, Function) else []
    names = [one.arg for one in given if one.arg not in ("self", "cls")]
    done = _DOING.match(span.text)
    if (
        done
        and names
        and isinstance(node, Function)
        and alike(done["verb"].lower(), split_name(node.name)[0])
    ):
        return replace(span, text=f"{names[0]} {span.text[done.end() :]}")
    negation = _negation().match(span.text)
    front, rest = (
        span.text[: negation.end() if negation else 0],
        span.text[negation.end() if negation else 0 :],
    )
    if len(names) != 1 or rest.partition(" ")[0] not in VERBS:
        return span
    return replace(span, text=f"{front}{names[0]} {rest}")


def begins_with_sign(text: str) -> bool:
    """Whether a condition begins with its operator."""
    return _SIGN.match(_bare(text)) is not None


def says_only_how(text: str) -> bool:
    """Whether a condition says with which number something is compared, and not what: *below 2*."""

    def known(text: str) -> str | None:
        return _IT if text.strip() == _IT else None

    found = worded.parse_condition(f"{_IT} {_bare(text)}", known)
    trees = [parsed(item.code) for item in found]
    return any(
        isinstance(tree, ast.Compare) and isinstance(tree.comparators[0], ast.Constant) for tree in trees
    )


def complete_condition(source: Source, test: ast.AST, text: str, expression: Expressions) -> list[Option]:
    """The condition that a text means of what a test looks at."""
    out = []
    for subject, guessed in _subjects(source, test):
        code = _said_of(subject, text, expression)
        if code:
            doubts = (assumed(f"{subject} was assumed: nothing is named"),) if guessed else ()
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
        if phrases.is_said("articles", words[0]) and VERBS.intersection(words[end : end + 1]):
            continue  # what stands in front of it is a subject
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
