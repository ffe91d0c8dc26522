"""What an order says about a name: which, what it becomes, of what kind it is and where.

Comes in: an order. Goes out: `Wish`es, the likeliest first. Must not know: scopes, places, changes.

Orders to rename are worded in many ways, but they hold little: a name that stands in the file, one that does not, a
place, and words that only speak about naming. Forms (*rename A to B*, *B instead of A*) say which is which where that
is open; else what is known is the old name and what is not is the new one.
"""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from spark_tui.refactor.order import Order, _parts
from spark_tui.refactor.rename.words import (
    ANCHOR,
    ASKS,
    BUILTINS,
    CALL_IT,
    CODE,
    EVERYWHERE,
    EXPRESSION,
    FORMS,
    HINT,
    KINDS_OF_NAMES,
    MAKES,
    MARK,
    NAME,
    NOT_NAMES,
    PLACE,
    QUOTED,
    REASON,
    ROLE_OF,
    SPOKEN_NAME,
    SPOKEN_OF,
    TEXT_TOO,
    TWO,
    VOCABULARY,
    WEAK,
    WHILE,
    alike,
    is_strong,
    is_typo,
    words_in,
)
from spark_tui.refactor.saying import FILLERS
from spark_tui.refactor.source import Definition


@dataclass
class Wish:
    """`old` may be empty where only a role is said; `receiver` is what it is said to hang from; `scopes` the definitions
    in which it is meant; `strong`: the order speaks of naming."""

    old: str
    new: str
    receiver: str = ""
    roles: frozenset[str] = frozenset()
    scopes: list[Definition] = field(default_factory=list)
    strong: bool = False
    everywhere: bool = False
    text_too: bool = False
    as_text: bool = False
    """What is said is a dotted name, and what it becomes hangs from nothing: no attribute becomes another."""
    used: list[str] = field(default_factory=list)
    said: tuple[str, str] = ("", "")
    """Old and new as they are spelled, dots and all."""


class Talk:
    """One order, with its names laid bare."""

    def __init__(self, order: Order) -> None:
        self.order = order
        self.known = order.identifiers
        self.sure: set[str] = set()
        self.used: list[str] = []
        self._formed: dict[str, list[tuple[re.Pattern[str], re.Match[str]]]] = {}
        text = self._off(HINT, order.said)
        for found in list(ANCHOR.finditer(text)):
            if found[1] in order.src.text and not found[1].isidentifier():
                self.used.append(found[0])
                text = text.replace(found[0], " ")
        text = re.sub(r"\b[\w/]+\.py(?:::|:|\b)", lambda found: self._drop(found[0]), text)
        text = QUOTED.sub(lambda found: self._bare(found[1] or found[2] or found[3]), text)
        text = re.sub(rf"({NAME})'s\b", lambda found: found[1] if found[1] in self.known else found[0], text)
        text = re.sub(rf"({NAME})\(\)", lambda found: self._bare(found[1]), text)
        text = re.sub(
            r"\b(?<!\bto )(?<!\binto )(?<!\bas )[^\W\d]\w{3,}", lambda found: self._in_other_case(found[0]), text
        )
        for name in self._in_words(text):
            spoken = re.compile(r"\b" + r"[\s-]".join(map(re.escape, _parts(name))) + r"\b", re.I)
            text = spoken.sub(lambda _, name=name: self._bare(name), text)  # type: ignore[misc]
        text = re.sub(
            rf"\b(\w+)(?=\s+\(?(?:the\s+)?(?:{'|'.join(ROLE_OF)})\b)",
            lambda found: self._bare(found[1]) if self._is_hidden(found[1]) else found[1],
            text,
        )
        self.text = re.sub(r"\s+", " ", text).strip(" ,;:.!?")
        self.text = SPOKEN_NAME.sub(lambda found: self._joined(found[1]), self._without_asides(self.text))
        self.short = REASON.sub("", self.text)

    def _without_asides(self, text: str) -> str:
        """Clauses at the ends that name nothing and ask for nothing are taken off."""
        clauses = re.split(r"(?<=[,;:.!?)])\s+|\s+(?=\(|[–-]\s)", text)
        while len(clauses) > 1 and self._says_nothing(clauses[0]):
            self.used.append(clauses.pop(0))
        while (
            len(clauses) > 1
            and self._ends(clauses[-2])
            and SPOKEN_OF.match(clauses[-1])
            and self._says_nothing(clauses[-1])
        ):
            self.used.append(clauses.pop())
        return " ".join(clauses).strip(" ,;:.!?")

    @staticmethod
    def _ends(clause: str) -> bool:
        """Whether what stands behind it is not what it announces."""
        return not clause.endswith(":")

    def _says_nothing(self, clause: str) -> bool:
        if re.search(r"\d|[\"`]|\btwo\b|\bboth\b", clause) or (
            clause.endswith((",", ";")) and len(clause.split()) > 2 and not WHILE.match(clause)
        ):
            return False
        names = [
            word for word in words_in(clause) if word in self.sure or CODE.fullmatch(word) or not word[0].isalpha()
        ]
        return not names and not ASKS.search(clause) and not (set(words_in(clause)) - FILLERS - VOCABULARY) & self.known

    def _joined(self, spoken: str) -> str:
        """A new name that is said in words: *call it total price*."""
        parts = spoken.split()
        if any(word in VOCABULARY | FILLERS | KINDS_OF_NAMES for word in parts) or parts[0] in self.known:
            return spoken
        self.used.append(spoken)
        return self._bare("_".join(parts))

    def _off(self, pattern: re.Pattern[str], text: str) -> str:
        return pattern.sub(lambda found: self._drop(found[0]), text)

    def _drop(self, text: str) -> str:
        self.used.append(text)
        return " "

    def _bare(self, name: str) -> str:
        """A name that is sure to be one; marked, where it could be read as a word about names."""
        self.sure.add(name)
        return name + MARK if name.lower() in VOCABULARY | FILLERS else name

    def _is_hidden(self, word: str) -> bool:
        """Whether a word is a name of the file and one about names: *the args variable*."""
        return word in self.known and word in VOCABULARY and word not in ("name", "class", "def")

    def _in_other_case(self, word: str) -> str:
        """A name of the file that is spelled with other capitals, at the start of a sentence or shouted."""
        if word in self.known or not word[0].isupper() or word.lower() in VOCABULARY | FILLERS:
            return word
        same = [name for name in self.known if name.lower() == word.lower()]
        return self._bare(same[0]) if len(same) == 1 else word

    def _in_words(self, text: str) -> list[str]:
        """Names of several parts that are said in words, the longest first; two of the same words are none."""
        low = " " + " ".join(re.findall(r"[a-z0-9]+|\S", text.lower().replace("-", " "))) + " "
        found: dict[str, list[str]] = {}
        for name in self.known:
            parts = _parts(name)
            spoken = " ".join(parts)
            if len(parts) > 1 and f" {spoken} " in low and not set(parts) <= VOCABULARY | FILLERS:
                found.setdefault(spoken, []).append(name)
        return [names[0] for _, names in sorted(found.items(), key=lambda item: -len(item[0])) if len(names) == 1]

    def _roles(self, text: str, rest: Sequence[str], scopes: Sequence[Definition]) -> frozenset[str]:
        """What kind of name it is said to be; what is said of the place counts for that."""
        kinds = "function|method|class|def|func|fn"
        for node in scopes:
            name = re.escape(node.name)
            text = re.sub(rf"\b(?:{kinds})\s+{name}\b|\b{name}\s+(?:{kinds})\b", " ", text)
        text = re.sub(
            rf"\b(?:in|inside|within|of|from|throughout)\s+(?:the|this|that)\s+(?:{kinds})\b", " ", text, flags=re.I
        )
        there = {word.lower() for word in words_in(text)}
        told = [word.lower() for word in rest if word not in self.sure]
        return frozenset(ROLE_OF[word] for word in told if word in ROLE_OF and word in there)

    @cached_property
    def _in_code(self) -> set[str]:
        """Names that stand in code by themselves, or hang from `self`."""
        kinds = ("id", "arg", "name")
        own = {
            node.attr
            for node in self.order.src.nodes
            if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "self"
        }
        return own | {
            getattr(node, kind)
            for node in self.order.src.nodes
            for kind in kinds
            if isinstance(getattr(node, kind, None), str)
        }

    @cached_property
    def _classes(self) -> set[str]:
        return {node.name for node in self.order.src.classes}

    # -- wishes ------------------------------------------------------------------------------------------------------

    def wishes(self) -> Iterator[Wish]:
        if MAKES.search(self.text) or EXPRESSION.search(self.text) or self._is_done():
            return
        for text in dict.fromkeys((self.short, self.text)):
            formed = list(dict.fromkeys(self._by_form(text)))
            known = [
                pair for pair in self._by_what_is_known(text) if pair not in formed and self._speaks_of(*pair, text)
            ]
            found = [wish for old, new in [*formed, *known] if (wish := self._wish(old, new, text)) is not None]
            yield from sorted(found, key=lambda wish: not wish.old)[:2]
            if any(wish.old for wish in found):
                return

    def two(self) -> list[Wish] | None:
        """Two wishes that are said as one; empty where they cannot be met."""
        found = next((match for form in TWO if (match := form.search(self.text)) is not None), None)
        if found is None or not (self.is_known(found["a"]) and self.is_known(found["b"])):
            return None
        weak = not is_strong(found["a"], found["c"], found[0])
        if weak and ({found["c"], found["d"]} & BUILTINS or not _of_a_kind(found["a"], found["c"])):
            return []
        rest = self.text.replace(found[0], " ")
        wishes: list[Wish] = []
        for old, new in ((found["a"], found["c"]), (found["b"], found["d"])):
            if not self._can_be_new(new) or "." in old + new:
                return []
            places = [node for node in self.order.definitions(found[0] + rest) if node.name not in found.groups()]
            used = [*self.used, found[0], *found.groups(), *(node.name for node in places), *words_in(rest)]
            spoken = [word for word in used if word not in words_in(rest) or word.lower() in VOCABULARY | FILLERS]
            spoken += [node.name for node in places]
            wishes.append(Wish(old, new, scopes=places, strong=True, everywhere=not places, used=spoken))
        return wishes

    def _matches(self, text: str) -> list[tuple[re.Pattern[str], re.Match[str]]]:
        if text not in self._formed:
            self._formed[text] = [(form, found) for form in FORMS for found in form.finditer(text)]
        return self._formed[text]

    def _is_done(self) -> bool:
        """Whether the old name is nowhere and the new one is there."""
        called = CALL_IT.search(self.text)
        if called is not None and self.is_known(called[1]) and called[1] not in VOCABULARY | FILLERS:
            others = [name for name in self.names_in(self.text) if name in self.sure or CODE.fullmatch(name)]
            if any(not self.is_known(name) for name in others):
                return True
        for _, found in self._matches(self.text):
            old, new = found["o"].replace(MARK, ""), found["n"].replace(MARK, "")
            sure = {old, new} <= self.sure or (CODE.fullmatch(old) or old in self.sure)
            named = old.lower() not in VOCABULARY | FILLERS and is_strong(old, new, self.text)
            if (sure or named) and not self.is_known(old) and self.is_known(new):
                return True
        return False

    def _by_form(self, text: str) -> Iterator[tuple[str, str]]:
        for form, found in self._matches(text):
            old, new = found["o"].replace(MARK, ""), found["n"].replace(MARK, "")
            if self.is_known(old) and self._can_be_new(new) and old != new:
                known = [word for word in self.names_in(text) if word != new]
                place = self._is_place(old, text[: found.end("o")]) or self._is_around(old, known)
                if not place or form in FORMS[:2]:
                    yield old, new

    def _by_what_is_known(self, text: str) -> Iterator[tuple[str, str]]:
        names = self.names_in(text)
        known, unknown = (
            [name for name in names if self.is_known(name)],
            [name for name in names if not self.is_known(name)],
        )
        if len(unknown) > 1:
            unknown = [word for word in unknown if word in self.sure or not is_typo(word)]
        if len(unknown) > 1:
            sure = [word for word in unknown if word in self.sure or CODE.fullmatch(word)]
            unknown = sure if len(sure) == 1 else unknown
        if len(unknown) != 1 or not self._can_be_new(unknown[0]):
            return
        inner = [word for word in known if not self._is_place(word, text) and not self._is_around(word, known)]
        for old in inner or known:
            yield old, unknown[0]
        if not known:
            yield "", unknown[0]

    def _speaks_of(self, old: str, new: str, text: str) -> bool:
        """Whether an order that has no known form is about what a thing is called."""
        strong = is_strong(old, new, text)
        if new in self.sure or CODE.fullmatch(new):
            others = new[0].isupper() and not old[:1].isupper() and bool(old) and not re.search(r"\bclass\b", text)
            return strong or (WEAK.search(text) is not None and new not in BUILTINS and not others)
        one = re.escape(new)
        before = rf"(?:\bcall(?:ed)?(?: it| them| that| this)?|\bname[sd]?(?: it| them| that| this)?|\bto|\bas|\bbe|\bbecomes?|->|=>|→)\s+(?:the\s+|just\s+|simply\s+)*{one}\b"
        behind = rf"\b{one}\s*,?\s+(?:instead|please|would be|is (?:a |the )?(?:better|clearer|nicer|right|proper))"
        return strong and re.search(rf"{before}|{behind}", text, re.I) is not None

    def names_in(self, text: str) -> list[str]:
        """Words that may be names."""
        spoken = VOCABULARY | FILLERS
        found = dict.fromkeys(word for word in words_in(text) if word[0].isalpha() or word[0] == "_")
        return [word for word in found if word in self.sure or not (word.lower() in spoken or "'" in word)]

    def _is_place(self, name: str, text: str) -> bool:
        """Whether a name only says where: *in load*."""
        return re.search(PLACE.format(re.escape(name)), text, re.I) is not None

    def _is_around(self, name: str, others: Sequence[str]) -> bool:
        """Whether a name is of a definition in which another one stands that is named too."""
        inside = [self.order.src.segment(node) for node in self.order.src.functions if node.name == name]
        rest = [other.rpartition(".")[2] for other in others if other != name]
        return any(re.search(rf"(?<!\w){re.escape(other)}(?!\w)", text) for text in inside for other in rest)

    def is_known(self, name: str) -> bool:
        return name.rpartition(".")[2] in self.known and name not in keyword.kwlist

    def _can_be_new(self, name: str) -> bool:
        last = name.rpartition(".")[2]
        if last.startswith("__") and last.endswith("__"):
            return False
        return last.isidentifier() and last not in NOT_NAMES and last.lower() not in KINDS_OF_NAMES

    def _wish(self, old: str, new: str, text: str) -> Wish | None:
        receiver, _, last = old.rpartition(".")
        owner, _, brought = new.rpartition(".")
        if (
            owner
            and (not receiver or owner.split(".")[-1] != receiver.split(".")[-1])
            and owner not in ("self", "sef", "srlf")
        ):
            return None
        if (old and brought == last) or re.search(rf"\binto an? {re.escape(new)}\b", text, re.I):
            # What becomes *a* thing is of another kind, and not of another name.
            return None
        rest = [word for word in words_in(text) if word not in (old, new, last, brought)]
        scopes = [node for node in self.order.definitions(" ".join(rest)) if node.name not in (last, brought)]
        there = self.names_in(" ".join(rest))
        spelled = {word for word in there if "." not in word}
        scopes += [node for node in self.order.src.functions if node.name in spelled and node not in scopes]
        roles = self._roles(text, rest, scopes)
        inner = [node for node in scopes if not any(node in self.order.src.ancestors(other) for other in scopes)]
        dotted = [word for word in there if "." in word and word.rpartition(".")[2] in {node.name for node in scopes}]
        strong = is_strong(old, new, text)
        if brought in BUILTINS and not strong:
            return None
        everywhere = EVERYWHERE.search(" ".join(rest)) is not None
        wish = Wish(last, brought, receiver, roles, inner, strong or text.startswith("s/"), everywhere)
        wish.said = old, new
        mine = receiver in ("self", "cls") and not everywhere
        wish.as_text = bool(receiver) and not owner and not roles and not mine and receiver not in self._classes
        wish.text_too = TEXT_TOO.search(" ".join(rest)) is not None
        vocabulary = [
            word
            for word in rest
            if word not in self.sure and ("'" in word or word.lower() in VOCABULARY or is_typo(word))
        ]
        wish.used = [
            *self.used,
            *vocabulary,
            *dotted,
            old,
            new,
            *(node.name for node in scopes),
            self.text[len(text) :],
        ]
        wish.used += [f"{word}'s" for word in (old, new, *(node.name for node in scopes))]
        if brought in self._in_code and not roles - {"class", "import"} and not (strong and inner):
            wish.used = [piece for piece in wish.used if brought not in re.findall(r"\w+", piece)]
        if wish.text_too:
            wish.used.append(
                "comments comment docstring docstrings docs string strings messages message text texts too as well including"
            )
        member = bool(receiver) and (bool(owner) or mine or receiver in self._classes)
        taken = bool(wish.scopes) and re.search(r"\b(?:takes?|accepts?|gets?|expects?)\b", text) is not None
        return (
            wish
            if strong or everywhere or taken or member or "key" in roles or self._looks_new(last, brought)
            else None
        )

    def _looks_new(self, old: str, new: str) -> bool:
        """Whether a new name is one, where nothing says so: it is spelled like one, or the old one is short for it."""
        return (new in self.sure or CODE.fullmatch(new) is not None) or alike(old, new)


def _of_a_kind(old: str, new: str) -> bool:
    """Whether one may stand for the other, or both are letters."""
    return alike(old, new) or max(len(old), len(new)) < 2
