"""The tests that a condition in words may mean at a place: operands there, under every kind of predicate that
fits how they are used."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from spark_tui.intent.conditions.condition_phrases import Phrase, numbers_said, texts_said, word_list
from spark_tui.intent.conditions.operand_uses import note_uses
from spark_tui.intent.conditions.operands import Operand, find_operands
from spark_tui.intent.conditions.predicates import Predicate, predicate_of
from spark_tui.intent.context.anchors import parsed
from spark_tui.intent.facts.failing_expressions import failures
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import find_nodes, walk

_MOST, _MOST_PAIRS, _LONGEST_TEXT = 900, 500, 24
_NUMBER = re.compile(r"(?<![\w.\[])\d+(?![\w.])")
_TYPES = ("str", "int", "float", "dict", "list", "bool")
_OF_DIGITS, _OF_FILES, _PATH_WORDS = map(word_list, ("digits", "files", "path_names"))
_HELD, _COUNTED, _NO_NUMBER, _BOUNDS = map(word_list, ("held", "counted", "no_number", "bounds"))
_BESIDE = frozenset(("parameter", "own", "module", "attribute", "round"))


@dataclass(frozen=True)
class CandidateTest:
    """A test, with the operands that it looks at."""

    test: Predicate
    left: Operand
    right: Operand | None = None
    literal: str = ""
    """Where a literal comes from: `said`, `file` or `plain`."""


@dataclass
class ConditionPlace:
    """What is known of where a condition is to stand."""

    operands: list[Operand]
    tests: dict[tuple[str, str], int] = field(default_factory=dict)
    """How often the file tests the last name of an operand in a way."""
    texts: set[str] = field(default_factory=set)
    classes: tuple[str, ...] = ()
    failures: dict[Predicate, frozenset[str]] = field(default_factory=dict)
    """When something fails there, and with which errors."""

    @classmethod
    def of(cls, root: ast.AST, source: Source, owner: ast.ClassDef | None) -> ConditionPlace:
        tree = source.tree or ast.Module([], [])
        found = find_operands(root, tree, owner)
        note_uses(found, root, tree)
        out = cls(found, classes=tuple(inner.name for inner in find_nodes(tree, ast.ClassDef)))
        for failure in failures(source, root):
            fails = parsed(failure.condition)
            if fails is not None and (known := predicate_of(fails)) is not None:
                errors = {error.lower() for error in failure.errors}
                out.failures[known] = out.failures.get(known, frozenset()) | errors
        for node in walk(tree):
            text = node.value if isinstance(node, ast.Constant) else None
            if isinstance(text, str) and 0 < len(text) < _LONGEST_TEXT:
                out.texts.add(text)
            tests = [node.test] if isinstance(node, ast.If | ast.While | ast.IfExp) else []
            tests += node.ifs if isinstance(node, ast.comprehension) else []
            for test in tests:
                for part in test.values if isinstance(test, ast.BoolOp) else [test]:
                    if (known := predicate_of(part)) is not None:
                        each = (known.left.rpartition(".")[2], known.kind)
                        out.tests[each] = out.tests.get(each, 0) + 1
        return out

    @property
    def parameters(self) -> list[Operand]:
        return [operand for operand in self.operands if operand.origin == "parameter"]


def candidate_tests(text: str, place: ConditionPlace) -> list[CandidateTest]:
    """All tests that fit, the plain ones first; where a number is said, only those with it."""
    numbers = [item for item in _NUMBER.findall(text) if item not in ("0", "1")]
    out: dict[Predicate, CandidateTest] = {}
    for candidate in (*_Plain(text, place).candidates(), *_paired(Phrase(text), place.operands)):
        if not numbers or any(number in _NUMBER.findall(candidate.test.code) for number in numbers):
            out.setdefault(candidate.test, candidate)
    return list(out.values())[:_MOST]


def has_length(operand: Operand) -> bool:
    return (
        bool(operand.uses & _COUNTED)
        or "container" in operand.uses
        or is_text(operand)
        or operand.origin == "arguments"
    )


def is_text(operand: Operand) -> bool:
    return bool(operand.uses & {"text", "converted"}) or "str" in operand.annotation


def is_number(operand: Operand) -> bool:
    return not operand.uses & _NO_NUMBER and "str" not in operand.annotation and operand.origin != "arguments"


class _Plain:
    """The tests of one operand, alone or against a literal."""

    def __init__(self, text: str, place: ConditionPlace) -> None:
        self.place = place
        self.phrase = Phrase(text)
        self.numbers = numbers_said(text)
        self.texts = texts_said(text, place.texts)
        self.of_digits = bool(_OF_DIGITS & set(self.phrase.words))
        self.of_files = bool(_OF_FILES & set(self.phrase.words))

    def candidates(self) -> Iterator[CandidateTest]:
        looked = [operand for operand in self.place.operands if self._may_be_meant(operand)]
        for one in looked:
            for kind in ("false", "true", "none", "not_none") if not one.constant else ():
                yield CandidateTest(Predicate(kind, one.code), one)
        for one in looked:
            yield from self._of_files(one)
            if not one.constant:
                yield from self._of_numbers(one)
                yield from self._of_texts(one)
                yield from self._of_types(one)

    def _may_be_meant(self, operand: Operand) -> bool:
        return operand.origin != "module" or bool(operand.uses - {"many"}) or self.phrase.names(operand.words)

    def _of_files(self, operand: Operand) -> Iterator[CandidateTest]:
        path = (
            "path" in operand.uses
            or "path" in operand.annotation.lower()
            or bool(_PATH_WORDS & set(operand.words))
        )
        if path or (operand.origin == "round" and self.of_files):
            for kind in ("not_exists", "exists", "folder", "not_folder"):
                yield CandidateTest(Predicate(kind, operand.code), operand)

    def _of_numbers(self, operand: Operand) -> Iterator[CandidateTest]:
        if is_number(operand):
            for kind in ("negative", "not_positive", "zero", "positive"):
                yield CandidateTest(Predicate(kind, operand.code), operand)
            for size in self.numbers:
                for kind in ("lt", "le", "gt", "ge", "eq", "ne") if size != "0" else ("ne", "ge"):
                    yield CandidateTest(Predicate(kind, operand.code, size), operand, None, "said")
        if has_length(operand):
            for size in (*self.numbers, *(item for item in ("1", "2") if item not in self.numbers)):
                for kind in ("few", "many", "full", "same_length", "other_length") if size != "0" else ():
                    if (size, kind) != ("1", "few"):
                        origin = "said" if size in self.numbers else "plain"
                        yield CandidateTest(Predicate(kind, operand.code, size), operand, None, origin)

    def _of_texts(self, operand: Operand) -> Iterator[CandidateTest]:
        textual = is_text(operand) or operand.origin == "round"
        for each in self.texts:
            quoted = f"'{each}'" if "'" not in each else f'"{each}"'
            sign = not any(map(str.isalnum, each)) and operand.origin in ("parameter", "local", "item")
            kinds: tuple[str, ...] = ("eq", "ne") if not operand.uses & {"iterated", "items"} else ()
            kinds += ("starts", "starts_not", "ends", "ends_not") if textual or sign else ()
            kinds += ("contains", "lacks") if has_length(operand) or sign else ()
            for kind in kinds:
                yield CandidateTest(Predicate(kind, operand.code, quoted), operand, None, "said")
        for each in sorted(operand.texts - set(self.texts))[:6]:
            for kind in ("eq", "ne"):
                yield CandidateTest(Predicate(kind, operand.code, repr(each)), operand, None, "file")
        if textual:
            yield CandidateTest(Predicate("blank", operand.code), operand)
        if is_text(operand) or (self.of_digits and operand.origin in ("parameter", "round", "item", "local")):
            yield CandidateTest(Predicate("no_digits", operand.code), operand)
            yield CandidateTest(Predicate("digits", operand.code), operand)

    def _of_types(self, operand: Operand) -> Iterator[CandidateTest]:
        if operand.origin in ("parameter", "round", "item"):
            words = tuple(name for name in self.place.classes if self.phrase.matches(name.lower()))
            for name in (*words, *_TYPES):
                for kind in ("is_a", "no_a"):
                    literal = "said" if name in words else "plain"
                    yield CandidateTest(Predicate(kind, operand.code, name), operand, None, literal)


def _paired(phrase: Phrase, every: list[Operand]) -> list[CandidateTest]:
    """Comparisons of two operands, those of what is said first."""
    named = {operand.code: phrase.names(operand.words) for operand in every}
    out = []
    for item in every:
        if item.constant or item.origin == "arguments":
            continue
        for two in every:
            if (
                item is not two
                and not item.code.startswith(f"{two.code}.")
                and not two.code.startswith(f"{item.code}.")
            ):
                near = named[item.code] + named[two.code]
                out += [(-near, order, each) for order, each in _of_two(item, two, near)]
    out.sort(key=lambda each: each[:2])
    return [each for _, _, each in out[:_MOST_PAIRS]]


def _of_two(operand: Operand, two: Operand, near: int) -> Iterator[tuple[int, CandidateTest]]:
    """The comparisons that make sense of two operands, each with how usual it is: 0 is the most usual."""
    kinds: list[tuple[int, str]] = []
    bound = bool(_BOUNDS & set(two.words)) or (two.constant and near > 0)
    same = operand.words[-1:] == two.words[-1:]
    given = operand.origin in ("parameter", "round") and two.origin in _BESIDE
    if (two.uses & _HELD or two.constant) and "items" not in operand.uses and operand.origin != "call":
        looked_up = bool(operand.uses & {"key", "element"}) or operand.origin in ("parameter", "round")
        kinds += [(0 if looked_up else 2, kind) for kind in ("not_in", "in")]
    if is_number(operand) and (bound or (is_number(two) and (near == 2 or (near and (same or given))))):
        kinds += [(0 if bound or same else 1, kind) for kind in ("lt", "le", "gt", "ge", "eq", "ne")]
    elif near and two.constant and not operand.uses & _NO_NUMBER:
        kinds += [(1, kind) for kind in ("eq", "ne")]
    if operand.origin == two.origin and operand.origin in ("round", "parameter") and operand.code < two.code:
        kinds += [(2, kind) for kind in ("eq", "ne")]
    if (operand.uses & _COUNTED or (bound and near)) and is_number(two) and (bound or near):
        kinds += [(1, kind) for kind in ("few", "many", "full", "same_length", "other_length")]
    for rank, kind in kinds:
        yield rank, CandidateTest(Predicate(kind, operand.code, two.code), operand, two)
    if two.uses & _COUNTED and not two.constant:
        if operand.uses & _COUNTED:
            for kind in ("other_length", "few"):
                yield 1, CandidateTest(Predicate(kind, operand.code, f"len({two.code})"), operand, two)
        elif "key" in operand.uses or (is_number(operand) and near == 2):
            yield 1, CandidateTest(Predicate("past_end", operand.code, two.code), operand, two)
