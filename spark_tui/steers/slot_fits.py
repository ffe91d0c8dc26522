"""How well a thing that a message wants fits what an answer brought.

Comes in: the text in which an answer stands, what was asked, a message that was read. Goes out: fits with their scores.
Must not know: how many are taken, what becomes of them (`slotted`).
"""

from __future__ import annotations

import builtins
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from spark_tui.refactor import literals
from spark_tui.refactor.rename.text import literals as texts_of
from spark_tui.refactor.saying import FILLERS
from spark_tui.refactor.values.slots import alike, parts, stem
from spark_tui.steers.slot_words import Message, Thing
from spark_tui.steers.slot_written import Written
from spark_tui.steers.slots import EVERY_ROLE, ROLES, Slot, number_of
from spark_tui.steers.terms import STRAY, bare

_FITS = {
    "number": {"number": 3.0, "scale": 3.0, "constant": 1.5, "name": 0.5},
    "constant": {"constant": 3.0, "number": 2.0, "text": 2.0, "name": 0.5},
    "text": {"text": 3.5, "constant": 1.0, "word": 1.5, "name": 1.5},
    "docstring": {"text": 1.5},
    "lookup": {"text": 2.0, "name": 2.0, "word": 1.0},
    "key": {"text": 2.5, "name": 3.0, "word": 2.0},
    "part": {"word": 3.0, "name": 3.0, "text": 2.5},
    "option": {"option": 4.0, "name": 1.5, "word": 1.5},
    "name": {"name": 3.0, "word": 2.0, "quoted": 1.0},
    "error": {"error": 3.5},
    "level": {"level": 4.0},
    "operator": {"operator": 3.5},
    "type": {"type": 3.0},
    "member": {"member": 4.0},
    "called": {"called": 3.5},
}  # fmt: skip
_VERBS = frozenset(["return", "raise", "throw", "catch", "print", "log"])
_TIMED = frozenset(
    [
        "wait",
        "timeout",
        "second",
        "seconds",
        "sec",
        "secs",
        "interval",
        "ttl",
        "delay",
        "sleep",
        "pause",
        "expiry",
        "period",
        "age",
        "lifetime",
    ]
)
_NAMED = re.compile(r"\b(?:nam(?:e|ed|ing)|call(?:ed)?|renam\w+)\b|->|→", re.I)
_HARD = re.compile(
    r"(?:and |please |just |rather )*(?:add|insert|remove|delete|skip|wrap|move|extract|convert|turn|sort|filter|check|guard|append|split|inline|import|do|fall back|pass|hand|store|count|stop|show|log|put (?!it|that|this|the)\w+ [\w ]*(?:in|into|on|at|to))\b",
    re.I,
)
_CODEC = re.compile(r"(?:utf|latin|ascii|cp\d|iso)", re.I)
_SAID = re.compile(r"[a-z']+", re.I)


_TALK = frozenset(
    re.findall(
        r"[\w']+",
        "better rather instead please pls plz actually maybe hm hmm oh ah ach sorry wait enough plenty fine just only it'd i'd let's that's it's call name named word spell say says said return raise set use make want limit default proper usual else everywhere",
    )
)


@dataclass(frozen=True, slots=True)
class Fit:
    score: float
    slot: Slot
    sort: str
    code: str


@dataclass
class Fits(Written):
    """Of one message."""

    message: Message

    @cached_property
    def wanted(self) -> list[Thing]:
        found = self.message.wanted
        new = [
            one for one in found if not any(self.is_value(one, slot) for slot in self.slots.every if slot.brought == 2)
        ]
        new = new or found
        solid = [one for one in new if one.form("word") is None or one.naming]
        return new if not any(one.solid for one in solid) else solid

    def same(self, one: Slot, two: Slot) -> bool:
        if one is two:
            return True
        if {one.sort, two.sort} <= {"name", "option"}:
            return one.norm == two.norm
        return (
            one.sort == two.sort
            and one.value == two.value
            and ("in text" in (one.role, two.role) or one.role == two.role or one.sort in ("error", "key", "member"))
        )

    def fits(self, thing: Thing) -> Iterator[Fit]:
        for slot in [*self.slots.every, *self.words_in_texts]:
            if slot.brought < 1 and not (slot.sort == "number" and (slot.asked or self.is_old(slot))):
                continue
            gone = any(one.old and self.is_value(one, slot) for one in self.message.things)
            if slot.sort == "key" and slot.brought < 2 and not gone:
                continue
            if (slot.role == "in text" or (slot.sort == "name" and slot.brought < 2)) and not (
                slot.asked or self.is_old(slot)
            ):
                continue
            best = max(
                (
                    (base, sort, code)
                    for sort, base in _FITS[slot.sort].items()
                    if (form := thing.form(sort)) is not None
                    and (code := self.code(slot, sort, form, thing)) is not None
                ),
                default=None,
            )
            if best is not None and best[1] == "word" and not (thing.naming or thing.alone):
                continue
            if (
                best is not None
                and (slot.sort == "lookup" or (slot.sort == "text" and best[1] != "text"))
                and not self.is_old(slot)
                and not (slot.asked and slot.sort == "text")
                and not (best[1] == "name" and self._nothing_named)
                and not (slot.sort == "lookup" and self._is_key(slot, thing))
            ):
                continue
            if best is not None and best[2] != slot.value:
                yield Fit(best[0] + self._score(slot, best[1], thing), slot, best[1], best[2])

    def _score(self, slot: Slot, sort: str, thing: Thing) -> float:
        clause = self.message.clauses[thing.clause]
        near_words = _content(clause.text, thing.said)
        every = [word for one in self.message.clauses for word in _content(one.text, thing.said)]
        score = {2: 1.0, 1: 0.3, 0: -0.5}[slot.brought] + 1.5 * slot.asked + slot.rank - 0.3 * (slot.role == "in text")
        score += min(2.0, sum(1.0 for word in set(near_words) if slot.called(word)))
        score += 1.0 * any(word in slot.own for word in near_words)
        score += min(0.6, sum(0.3 for word in set(every) - set(near_words) if slot.called(word)))
        score += min(0.8, sum(0.4 for word in set(every) if any(alike(word, one) for one in slot.near)))
        score += min(0.8, 0.4 * sum(slot.called(word) for word in _content(self.asked, ""))) * (slot.sort == "constant")
        score += 3.0 * self.is_old(slot) - 1.5 * (not self.is_old(slot) and self._other_old(slot))
        roles = self._roles(thing)
        if slot.sort in ("name", "key", "option") and roles:
            mine = set(ROLES.get(slot.role, "key field").split())
            score += 1.5 if roles & mine else -1.5
        before = clause.text.lower().partition(thing.said.lower())[0]
        verbs = {word for word in re.findall(r"[a-z]+", before) if word in _VERBS}
        if verbs and slot.sort not in ("name", "option", "key", "level") and not verbs & (slot.words | slot.near):
            score -= 2.0
        others = [one for one in self.slots.every if one.sort == slot.sort and one.brought and not self.same(one, slot)]
        score -= 0.8 * any(one.called(word) and not slot.called(word) for word in near_words for one in others)
        if slot.sort == "name" and not slot.inner and all(one.inner for one in others):
            score += 0.8
        if "encoding" in slot.own and _CODEC.match(bare(thing.said)):
            score += 1.5
        if slot.sort == "name" and _NAMED.search(self.asked):
            score += 0.7 + 0.5 * (slot.asked and thing.alone)
        elif (
            slot.sort == "name"
            and not slot.asked
            and any(slot_word in self._asked for slot_word in map(stem, parts(slot.value)))
        ):
            score += 0.8
        if sort == "word" and slot.sort == "text" and not thing.naming and not self.is_old(slot):
            score -= 1.0
        if sort == "word" and slot.sort == "name" and not (thing.naming or roles or self.is_old(slot)):
            # It may be the text that was asked for as well.
            score -= 1.5 * any(one.sort == "text" and one.asked and one.value.isalpha() for one in self.slots.every)
        if sort == "word" and slot.sort == "key" and not (thing.naming or roles or self.is_old(slot)):
            score -= 2.0
        if hasattr(builtins, bare(thing.said)) and slot.sort in ("name", "key") and not thing.naming:
            score -= 2.0
        if _HARD.match(clause.text):
            score -= 2.5
        if thing.keyword and not slot.called(thing.keyword.lower()):
            score -= 3.0
        if slot.sort == "type" and slot.value.islower() == thing.said.islower() and slot.value.isidentifier():
            score += 1.0
        if sort == "word":
            score += 0.5 * (thing.want - 2.0) + 1.0 * thing.naming
        if slot.sort in ("name", "key", "option", "text") and sort != "number":
            score += self._shape(slot, thing)
        if sort == "number" and slot.sort == "number":
            score += self._size(slot, thing)
        score += 0.4 * (min(thing.want, 3.0) - 2.0)
        for word in self.left_over(slot, thing, clause.text):
            score -= 2.5 if self._elsewhere(word) else 0.8
        if self.message.besides:
            score -= 1.5
        if "default" in near_words and not thing.naming and not slot.called("default"):
            score -= 2.0
        return score

    @cached_property
    def _nothing_named(self) -> bool:
        return not any(one.sort == "name" and not one.inner for one in self.slots.every)

    def _is_key(self, slot: Slot, thing: Thing) -> bool:
        """Whether a thing may be what is looked up."""
        shouted = slot.value.isupper() and thing.said.isupper()
        return slot.brought == 2 and (shouted or bool({"key", "field", "column"} & self._roles(thing)))

    def _roles(self, thing: Thing) -> set[str]:
        """What the message calls the slot: a parameter, a field; also where it says what it shall not be."""
        texts = [self.message.clauses[thing.clause].text.replace(thing.said, " ", 1)]
        texts += [
            self.message.clauses[one.clause].text
            for one in self.message.things
            if one.old and one.clause == thing.clause + 1
        ]
        old = {one.said.lower() for one in self.message.things if one.old}
        return {
            word
            for text in texts
            for word in re.findall(r"[a-z]+", text.lower())
            if word in EVERY_ROLE - old - {"default"}
        }

    def _elsewhere(self, word: str) -> bool:
        """Whether a word is the name of something that was there before."""
        return stem(word) in self._names

    @cached_property
    def _asked(self) -> frozenset[str]:
        return frozenset(stem(word) for word in re.findall(r"[a-z]{3,}", self.asked.lower()))

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(stem(name) for name in re.findall(r"[^\W\d]\w*", self.text.was.text))

    def _shape(self, slot: Slot, thing: Thing) -> float:
        """A new name looks like the old one."""
        said = bare(thing.said)
        out = 0.0
        if slot.sort == "key" or (slot.sort == "text" and slot.value.isidentifier()):
            if said.isupper() != slot.value.isupper():
                return -1.0
            return 2.0 if said.isupper() or ("_" in said and "_" in slot.value) else 0.7
        if re.search(r"[A-Z]", said):
            kinds = {"class": said[0].isupper() and not said.isupper(), "constant": said.isupper()}
            out += (
                1.0
                if kinds.get(slot.role, slot.value.isupper() and said.isupper())
                else -3.0
                if len(said) > 2
                else -1.0
            )
        elif slot.role in ("class", "constant"):
            out -= 0.5
        old, new = [stem(one) for one in parts(slot.value)], [stem(one) for one in parts(said)]
        alikes = any(alike(one, two) for one in new for two in old)
        return out + 0.5 * alikes + 1.5 * len({*old} & {*new}) / max(len(old), len(new), 1)

    def _size(self, slot: Slot, thing: Thing) -> float:
        old, new = number_of(slot.value), thing.value.number if thing.value else None
        if not old or not new or (old < 0) != (new < 0):
            return 0.0
        held, unit = self.slots.measure(slot), thing.value.unit if thing.value else ""
        measure = literals.UNITS.get(unit, ("",))[0]
        out = 0.6 * max(0.0, 1 - abs(math.log10(abs(new / old))))
        if measure:
            timed = measure == "time" and bool(slot.words & _TIMED)
            fits = held is not None and literals.UNITS.get(held[0].unit, ("",))[0] == measure
            out += 1.5 if fits else 1.0 if timed else -1.0 if held is not None else 0.0
        return out

    def is_value(self, thing: Thing, slot: Slot) -> bool:
        """Whether a thing is what the slot holds."""
        if slot.sort == "number":
            if thing.value is None or thing.value.number is None:
                return False
            held = self.slots.measure(slot)
            plain = thing.value.number == number_of(slot.value) and not thing.value.unit
            return plain or (
                held is not None and (thing.value.number, thing.value.unit) == (held[0].number, held[0].unit)
            )
        if thing.said.lower() in STRAY | FILLERS and not thing.old:
            return False
        return bool(slot.value) and bare(thing.said).lower().lstrip("-") == slot.value.lower().lstrip("-")

    def is_old(self, slot: Slot) -> bool:
        if slot in self._old:
            return self._old[slot]
        found = any(thing not in self.wanted and self.is_value(thing, slot) for thing in self.message.things)
        if (
            not found
            and slot.sort in ("name", "text", "option", "key", "lookup", "part")
            and len(slot.value) > 1
            and slot.value.lower() not in EVERY_ROLE | STRAY | FILLERS
        ):
            rest = re.sub(r"(?<=\w)\([^()]*\)", "", " ".join(one.text for one in self.message.clauses))
            for thing in self.wanted:
                rest = rest.replace(thing.said, " ")
            found = re.search(rf"(?<!\w){re.escape(slot.value.lstrip('-'))}(?!\w)", rest, re.I) is not None
        self._old[slot] = found
        return found

    @cached_property
    def _old(self) -> dict[Slot, bool]:
        return {}

    def _other_old(self, slot: Slot) -> bool:
        return any(
            other is not slot and not self.same(other, slot) and other.sort == slot.sort and self.is_old(other)
            for other in self.slots.every
        )

    @cached_property
    def words_in_texts(self) -> list[Slot]:
        """Words of texts that came, where the message says what they shall not be."""
        old = {bare(one.said) for one in self.message.things if one.old and re.fullmatch(r"[\w-]{2,}", bare(one.said))}
        found = []
        for slot in self.slots.every:
            if slot.sort in ("text", "docstring") and slot.node is not None and slot.value not in old:
                start, end = self.text.src.span(slot.node)
                for word in old:
                    for at in re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", self.text.src.text[start:end]):
                        span = start + at.start(), start + at.end()
                        inside = any(low <= span[0] < high for low, high in texts_of(self.text.src.text))
                        if inside and self.slots.brought(span) == 2:
                            found.append(
                                replace(slot, sort="part", value=word, spans=(span,), role="", asked=word in self.asked)
                            )
        return found

    def left_over(self, slot: Slot, thing: Thing, clause: str) -> list[str]:
        """Words of the clause that nothing accounts for."""
        rest = clause.replace(thing.said, " ", 1)
        cut = (
            re.split(
                r"\b(?:is|are|was|will|would|reads?|sounds?|looks?|fits?|like|as|than|because|to)\b",
                rest,
                maxsplit=1,
                flags=re.I,
            )[0]
            if re.match(r"\W*" + re.escape(thing.said), clause)
            else rest
        )
        out = []
        for word in _content(cut, ""):
            if (
                word in EVERY_ROLE
                or slot.called(word)
                or any(alike(word, one) for one in slot.near)
                or word in literals.UNITS
                or alike(word, slot.value.lower())
            ):
                continue
            out.append(word)
        return out


def _content(text: str, without: str) -> list[str]:
    """Words that say something."""
    rest = text.replace(without, " ", 1) if without else text
    return [
        word.lower()
        for word in _SAID.findall(rest)
        if word.lower()
        not in (FILLERS | STRAY | _TALK) - EVERY_ROLE - {"default", "limit", "return", "first", "last", "every"}
        and len(word) > 2
    ]
