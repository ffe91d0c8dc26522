"""What the ranker of tests sees: the words of a condition, and how each candidate fits them and the code."""

from __future__ import annotations

import re
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spark_tui.intent.conditions.candidates import CandidateTest, ConditionPlace
from spark_tui.intent.conditions.condition_phrases import Phrase, stem, words_said
from spark_tui.intent.conditions.operand_uses import USES
from spark_tui.intent.conditions.operands import ORIGINS, Operand
from spark_tui.pysource.words import identifier_words

Array = NDArray[Any]
BUCKETS, NAMES, NAMES_EACH, LONGEST = 4096, 2048, 5, 64
_ERRORS = re.compile(r"\b(\w+Error|StopIteration|NoneType|division by zero|traceback)\b", re.IGNORECASE)
_NAMED_ERRORS = {"division by zero": ("ZeroDivisionError",), "nonetype": ("AttributeError", "TypeError")}
_FITS, _COUNTS = 15, 9
_FLAGS = len(ORIGINS) + len(USES)
DENSE = _FITS + 2 * _FLAGS + _COUNTS
"""The numbers of a candidate: how words fit, origins and uses of both operands, counts."""


def bucket(text: str, size: int) -> int:
    """A row of a table for a text; row 0 is for nothing."""
    return zlib.crc32(text.encode("utf-8", "surrogatepass")) % (size - 1) + 1


def phrase_ids(phrase: str, instruction: str, action: str) -> list[int]:
    """Words, stems and pairs of a phrase, the errors that an instruction tells of, and the action."""
    shown = ["#" if text.isdigit() else text for text in words_said(phrase)]
    out = [f"w:{one}" for one in shown] + [f"s:{stem(one)}" for one in shown if stem(one) != one]
    out += [f"p:{one} {two}" for one, two in zip(["^", *shown], [*shown, "$"], strict=True)]
    out += [f"c:{item[:5]}" for item in shown if len(item) > 5]
    out += [f"e:{text.lower()}" for text in dict.fromkeys(_ERRORS.findall(instruction))] + [f"a:{action}"]
    return [bucket(item, BUCKETS) for item in out][:LONGEST]


def name_ids(found: list[CandidateTest]) -> Array:
    """The last words of the operands and literals of each candidate."""
    out = np.zeros((len(found), NAMES_EACH), np.int32)
    for at, one in enumerate(found):
        words = [*one.left.words[-2:], *(f"b {item}" for item in one.left.base[-1:])]
        if one.right is not None:
            words += [f"r {word}" for word in one.right.words[-1:]]
        elif one.test.right:
            words += [f"l {one.test.right[:12]}"]
        out[at, : len(words)] = [bucket(word, NAMES) for word in words]
    return out


def dense_features(phrase: str, instruction: str, found: list[CandidateTest], place: ConditionPlace) -> Array:
    """How each candidate fits the words, where its operands come from, and how they are used."""
    out = np.zeros((len(found), DENSE), np.float32)
    words = Phrase(phrase)
    fits = _Fits(words, Phrase(instruction), place)
    content = max(len(words.content), 1)
    order = {one.code: at for at, one in enumerate(place.operands)}
    given = place.parameters
    tested = {name for name, _ in place.tests}
    told = errors_told(instruction)
    fails = {test: bool(told & errors) for test, errors in place.failures.items()}
    for at, one in enumerate(found):
        left, used = fits.of(one.left)
        right, beside = fits.of(one.right)
        last = one.left.code.rpartition(".")[2]
        literal = one.literal and identifier_words(one.test.right)
        out[at, :_FITS] = (
            *left[:3],
            len(used & words.content) / content,
            right[0],
            right[2],
            len((used | beside) & words.content) / content,
            left[3],
            left[4],
            right[3],
            one.literal == "said",
            one.literal == "file",
            one.literal == "plain",
            one.right is not None,
            bool(literal) and all(map(words.matches, literal)),
        )
        out[at, _FITS : _FITS + _FLAGS] = fits.flags(one.left)
        if one.right is not None:
            out[at, _FITS + _FLAGS : -_COUNTS] = fits.flags(one.right)
        out[at, -_COUNTS:] = (
            min(place.tests.get((last, one.test.kind), 0), 3),
            last in tested,
            len(given) == 1 and one.left is given[0],
            bool(given) and one.left is given[0],
            min(order[one.left.code], 20) / 10,
            one.right is not None and one.right.constant,
            one.test in fails,
            fails.get(one.test, False),
            fails.get(one.test, False) and sum(fails.values()) == 1,
        )
    return out


def errors_told(instruction: str) -> frozenset[str]:
    """The errors that an instruction tells of, by name or by what their messages say."""
    words = [text.lower() for text in _ERRORS.findall(instruction)]
    known = (_NAMED_ERRORS.get(item) or (item,) for item in words)
    return frozenset(text.lower() for item in known for text in item)


class _Fits:
    """How the names of operands fit a phrase and its instruction, computed once for each."""

    def __init__(self, phrase: Phrase, whole: Phrase, place: ConditionPlace) -> None:
        self._fits: dict[str, tuple[tuple[float, ...], frozenset[str]]] = {}
        self._flags: dict[str, Array] = {}
        for operand in place.operands:
            share, base, exact, used = _named(operand, phrase)
            of_whole, _, exact_in_whole, _ = _named(operand, whole)
            self._fits[operand.code] = (share, base, exact, of_whole, exact_in_whole), used
            flags = np.zeros(_FLAGS, np.float32)
            flags[ORIGINS.index(operand.origin)] = 1
            flags[[len(ORIGINS) + USES.index(use) for use in operand.uses]] = 1
            self._flags[operand.code] = flags

    def of(self, one: Operand | None) -> tuple[tuple[float, ...], frozenset[str]]:
        return self._fits[one.code] if one is not None else ((0.0,) * 5, frozenset())

    def flags(self, operand: Operand) -> Array:
        return self._flags[operand.code]


def _named(operand: Operand, phrase: Phrase) -> tuple[float, float, float, frozenset[str]]:
    """How much of a last name and of what is in front of it is said, whether as code, by which words."""
    last = [phrase.matches(word) for word in operand.words]
    base = [phrase.matches(item) for item in operand.base]
    exact = re.search(rf"(?<![\w.]){re.escape(operand.code)}(?!\w)", phrase.text) is not None
    share, before = (sum(map(bool, item)) / max(len(item), 1) for item in (last, base))
    return share, before, float(exact), frozenset[str]().union(*last, *base)
