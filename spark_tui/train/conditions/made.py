"""Conditions that are made: a kind of predicate, operands of a program that fit it, and a phrase for it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from random import Random

from spark_tui.intent.conditions.candidates import ConditionPlace, has_length, is_number
from spark_tui.intent.conditions.operands import Operand
from spark_tui.intent.conditions.predicates import Predicate
from spark_tui.train.conditions.samples import Example, Program
from spark_tui.train.templates.tables import table

_TABLE = table("conditions/phrases")
_ACTIONS = ("raise", "return", "continue", "other", "return", "raise")
_TYPES = {"str": "string", "int": "number", "float": "float", "dict": "dict", "list": "list", "bool": "bool"}
_NUMBERS = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 7: "seven", 10: "ten"}
_SIZES = (1, 2, 3, 5, 10, 12, 20, 50, 60, 80, 100, 255, 500)
_TEXTS = ("#", "_", ".", "-", "//", "@", "=", ";", ",", ":", ".json", ".csv", ".txt", ".py", "tmp")
_NO_VALUE = frozenset(("iterated", "items", "text", "reckoned", "divisor", "path"))
_AROUND = _TABLE["around"]
Choice = Callable[[Operand], object]


class Making:
    """Makes examples of the functions of programs."""

    def __init__(self, programs: list[Program], rng: Random) -> None:
        self.rng = rng
        self.functions = [
            (program, *function[1:]) for program in programs for function in program.functions()
        ]
        self.places: dict[int, tuple[ConditionPlace, str]] = {}

    def examples(self) -> Iterator[Example]:
        kinds, weights = zip(*_TABLE["weights"].items(), strict=True)
        while True:
            at = self.rng.randrange(len(self.functions))
            program, function, owner = self.functions[at]
            if at not in self.places:
                self.places[at] = ConditionPlace.of(function, program.source, owner), ast.unparse(function)
            place, code = self.places[at]
            (kind,) = self.rng.choices(kinds, weights)
            if (made := _One(self.rng, place, code, kind).made()) is not None:
                phrase, tests = made
                yield Example(
                    phrase, phrase, self.rng.choice(_ACTIONS), place, frozenset(tests), program.writer
                )


class _NothingFits(Exception):
    """A place has no operand of the kind that is looked for."""


class _One:
    """A condition of one kind at one place."""

    def __init__(self, rng: Random, place: ConditionPlace, code: str, kind: str) -> None:
        self.rng = rng
        self.place = place
        self.code = code
        self.kind = kind
        self.values: dict[str, str] = {}

    def made(self) -> tuple[str, set[Predicate]] | None:
        name, _, sort = self.kind.rpartition("_")
        if sort not in ("number", "text"):
            name, sort = self.kind, "single"
        make = getattr(self, f"_{self.kind}", None) or getattr(self, f"_{sort}")
        try:
            tests = make(name)
        except _NothingFits:
            return None
        return (self._said(), tests) if tests else None

    def _maybe(self, fits: Choice) -> Operand | None:
        found = [
            operand for operand in self.place.operands if operand.origin != "arguments" and fits(operand)
        ]
        return self.rng.choice(found) if found else None

    def _pick(self, fits: Choice) -> Operand:
        if (found := self._maybe(fits)) is None:
            raise _NothingFits
        return found

    def _pair(self, fits: Choice, fits_beside: Choice) -> tuple[Operand, Operand]:
        """Two operands, each drawn whether or not there is the other."""
        one = self._maybe(fits)
        two = self._maybe(lambda item: item is not one and fits_beside(item))
        if one is None or two is None:
            raise _NothingFits
        return one, two

    def _say(self, operand: Operand, other: Operand | None = None, **values: str) -> None:
        name = self._name(operand)
        base = (
            operand.base[-1]
            if operand.base and len(operand.base[-1]) > 2 and operand.base[-1] != "self"
            else "one"
        )
        given = self._maybe(lambda item: item.origin == "parameter")
        self.values = {
            "N": name,
            "Ns": _plural(name),
            "N1": _singular(name),
            "B": base,
            "Bs": _plural(base),
            **values,
        }
        self.values["P"] = self._name(given) if given is not None else name
        if other is not None:
            beside = self._name(other)
            self.values |= {"M": beside, "Ms": _plural(beside), "M1": _singular(beside)}

    def _name(self, operand: Operand) -> str:
        chance = self.rng.random()
        if chance < 0.18 or not operand.words:
            return operand.code
        return operand.words[-1] if chance < 0.4 else " ".join(operand.words)

    def _said(self) -> str:
        phrase: str = self.rng.choice(_TABLE["phrases"][self.kind])
        phrase_text = phrase.format(**self.values)
        return str(self.rng.choice(_AROUND)).format(phrase_text) if self.rng.random() < 0.26 else phrase_text

    def _single(self, kind: str) -> set[Predicate]:
        """A test of one operand alone."""
        fits: dict[str, Choice] = {
            "false": lambda item: has_length(item) and item.origin != "call",
            "none": self._may_be_none,
            "blank": lambda item: item.last in ("line", "l", "row", "text", "s") or "text" in item.uses,
            "exists": lambda item: "path" in item.uses,
            "not_exists": lambda item: "path" in item.uses,
            "folder": lambda item: "path" in item.uses,
            "not_folder": lambda item: "path" in item.uses,
            "no_digits": lambda item: "converted" in item.uses,
            "zero": lambda item: "divisor" in item.uses or (self._counts(item) and self.rng.random() < 0.3),
        }
        choice = fits.get(kind, self._counts)
        one = self._pick(
            lambda item: choice(item) and (not item.constant or kind in ("exists", "not_exists"))
        )
        self._say(one)
        also = {Predicate("false", one.code)} if kind == "none" else set()
        return {Predicate(kind, one.code), *also}

    def _may_be_none(self, operand: Operand) -> bool:
        used = operand.uses & {"attributes", "subscripted", "optional", "tested", "text"}
        return (
            bool(used)
            and not operand.uses & {"iterated", "items"}
            and operand.origin in ("local", "own", "attribute")
        )

    def _counts(self, operand: Operand) -> bool:
        """Whether an operand is a number that is reckoned with, or may be one."""
        plain = (
            is_number(operand)
            and not has_length(operand)
            and not operand.uses & {"attributes", "path"}
            and not operand.constant
        )
        used = operand.uses & {"divisor", "reckoned", "compared", "converted"}
        return plain and operand.origin not in ("call", "module") and (bool(used) or self.rng.random() < 0.2)

    def _true(self, kind: str) -> set[Predicate]:
        one = self._pick(
            lambda item: (
                not item.constant
                and item.origin in ("own", "attribute", "parameter", "item", "call")
                and not (has_length(item) or item.uses & _NO_VALUE)
                and ("tested" in item.uses or item.last.endswith("ed") or "bool" in item.annotation)
            )
        )
        self._say(one)
        return {Predicate("true" if kind == "true" else "false", one.code)}

    _false_flag = _true

    def _not_in(self, kind: str) -> set[Predicate]:
        holder = self._pick(
            lambda item: (
                (item.uses & {"subscripted", "container"} or (item.constant and "iterated" in item.uses))
                and "[" not in item.code
            )
        )
        fits = ("parameter", "local", "round", "attribute", "item")
        one = self._pick(
            lambda item: (
                item is not holder
                and not item.constant
                and item.origin in fits
                and item.uses & {"key", "element"}
            )
        )
        if f"{holder.code}[{one.code}]" not in self.code and self.rng.random() < 0.8:
            return set()
        self._say(one, holder)
        return {Predicate(kind, one.code, holder.code)}

    _in = _not_in

    def _number(self, kind: str) -> set[Predicate]:
        sized = kind in ("few", "many")
        size = self.rng.choice(_SIZES[1:5] if sized else _SIZES)
        one = self._pick(lambda item: not item.constant and has_length(item) if sized else self._counts(item))
        if (size, kind) == (1, "lt"):
            return set()
        number = _NUMBERS.get(size, str(size)) if self.rng.random() < 0.5 else str(size)
        self._say(one, n=number)
        return {Predicate(kind, one.code, str(size))}

    def _text(self, kind: str) -> set[Predicate]:
        one = self._pick(lambda item: item.texts and not item.constant)
        text = self.rng.choice(sorted(one.texts))
        if not text.strip() or len(text) > 16:
            return set()
        self._say(one, t=text if self.rng.random() < 0.7 else f'"{text}"')
        return {Predicate(kind, one.code, repr(text))}

    def _starts(self, kind: str) -> set[Predicate]:
        textual = ("line", "l", "name", "f", "word", "key", "part", "path", "text", "a")
        one = self._pick(lambda item: not item.constant and (item.last in textual or "text" in item.uses))
        text = self.rng.choice(_TEXTS)
        self._say(one, t=text if self.rng.random() < 0.7 else f'"{text}"')
        return {Predicate(kind, one.code, repr(text))}

    _ends_not = _lacks = _starts

    def _comments(self, _: str) -> set[Predicate]:
        one = self._pick(lambda item: item.last in ("line", "l", "ln", "raw"))
        self._say(one)
        return {Predicate("starts", one.code, "'#'")}

    def _arguments(self, _: str) -> set[Predicate]:
        if all(operand.origin != "arguments" for operand in self.place.operands):
            return set()
        self.values = {}
        return {Predicate("few", "sys.argv", "2")}

    def _is_a(self, kind: str) -> set[Predicate]:
        one = self._pick(lambda item: item.origin == "parameter")
        name = self.rng.choice(sorted(_TYPES))
        self._say(one, y=self.rng.choice((name, _TYPES[name])))
        return {Predicate(kind, one.code, name)}

    _no_a = _is_a

    def _bound(self, operand: Operand) -> bool:
        """Whether an operand may be what others are compared with: a number or a constant."""
        return (operand.constant and not has_length(operand)) or self._counts(operand)

    def _lt(self, kind: str) -> set[Predicate]:
        one, two = self._pair(self._counts, self._bound)
        self._say(one, two)
        other = (
            Predicate({"gt": "ge", "lt": "le"}[kind], one.code, two.code)
            if two.constant
            else Predicate("gt" if kind == "lt" else "lt", two.code, one.code)
        )
        return {Predicate(kind, one.code, two.code), other}

    _gt = _lt

    def _eq(self, kind: str) -> set[Predicate]:
        one, two = self._pair(_is_given, _is_given)
        self._say(one, two)
        return {Predicate(kind, one.code, two.code), Predicate(kind, two.code, one.code)}

    def _full(self, kind: str) -> set[Predicate]:
        one, two = self._pair(_is_sized, self._bound)
        self._say(one, two)
        also = {Predicate("many", one.code, two.code)} if kind == "full" else set()
        return {Predicate(kind, one.code, two.code), *also}

    _few = _full

    def _other_length(self, kind: str) -> set[Predicate]:
        one, two = self._pair(_is_sized, _is_sized)
        self._say(one, two)
        return {Predicate(kind, one.code, f"len({two.code})")}

    def _past_end(self, kind: str) -> set[Predicate]:
        one, two = self._pair(
            lambda item: "key" in item.uses and is_number(item) and not item.constant,
            lambda item: not item.constant and "subscripted" in item.uses,
        )
        if f"{two.code}[{one.code}]" not in self.code:
            return set()
        self._say(one, two)
        return {Predicate(kind, one.code, two.code)}


def _is_sized(operand: Operand) -> bool:
    return not operand.constant and has_length(operand)


def _is_given(operand: Operand) -> bool:
    return operand.origin in ("parameter", "round")


def _plural(word: str) -> str:
    if word.endswith("s"):
        return word
    return f"{word[:-1]}ies" if word.endswith("y") and len(word) > 3 else f"{word}s"


def _singular(word: str) -> str:
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word
