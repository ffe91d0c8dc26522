"""What programs make of a message that corrects another answer.

Comes in: the lines that were shown, what was asked and said, the hunks that stand. Goes out: the hunks that
are wanted in the end, where the words spell them out. Must not know: engines, ids, likelihoods, how words
become edits (`refactor` does).

A message is read as a whole, and then clause by clause, where all of them are understood or only give
reasons. A clause is read as a remark on what was brought (`amended`), as a correction of it (`corrections`),
as what was asked with other things in its words (`merged`), and as an order about the text as it stands now.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from spark_tui.engine.token_layout import WindowHunk
from spark_tui.refactor.source import parses
from spark_tui.steers import corrected
from spark_tui.steers.amended import amended
from spark_tui.steers.amended_items import VALUE, valued
from spark_tui.steers.clauses import clauses, done_otherwise, is_talk, taken_back
from spark_tui.steers.corrected import applied, touch
from spark_tui.steers.correction_words import OPENERS
from spark_tui.steers.corrections import Correction, Reading, plain
from spark_tui.steers.merged import in_its_place
from spark_tui.steers.moved import moved
from spark_tui.steers.ordered import Hunks, changed_lines, done, hunks_between
from spark_tui.steers.otherwise import otherwise
from spark_tui.steers.questions import is_question
from spark_tui.steers.said_whole import has_what_is_spelled
from spark_tui.steers.slotted import slotted
from spark_tui.steers.spread import spread
from spark_tui.steers.stands import Stands
from spark_tui.steers.sureness import By, Wanted, sureness

_ALSO = re.compile(r"^(?:and|also|plus|then|now|next|additionally|oh,? and)\b[\s,]*", re.IGNORECASE)
_FRAGMENT = re.compile(
    r"^(?:with|without|in|into|inside|as|for|from|at|to|of|on|before|after|above|below|under|behind|by|when|if|unless|where|while|everywhere|using)\b(?! `?\w+`?$)(?! (?:a |an )?(?:generator|set|tuple|list|dict|property)\b)",
    re.IGNORECASE,
)
_THERE = re.compile(r"\b(?:it|that|there|this|here|those|them)\b", re.I)
_DO = re.compile(
    r"^(?:just|only|but) (?:return|raise|print|use|make|do|call|log|add|put|set|write|drop|remove|keep)\b",
    re.I,
)
_LIKE = re.compile(
    r"^(?:an? )?(?:f-?strings?|(?:list |dict |set )?comp(?:rehension)?|generator(?: expression)?|ternary|lambda|walrus|context manager|one-?liner|set|dict|tuple|any|all|sum|enumerate|zip)(?:\(\))?$",
    re.I,
)
_TOO = re.compile(r",? (?:too|as well|also)$", re.I)
_BARE = re.compile(rf"(?:{VALUE})|\w+|[\w.]+ [*+/-] [\w.]+", re.I)
"""A value or a word alone is no order."""
_DECLARED = re.compile(r"^(?:an? )?(?:default|optional|int|str|float|bool|list|dict|set|tuple)\b", re.I)
_FULFILLED = re.compile(r"^(?:and |also )*import (?P<m>\w+)$", re.I)
_MOST_CLAUSES = 4


def first_answer(lines: Sequence[str], asked: str) -> Hunks | None:
    """What was answered to the first order, or would have been."""
    return done(lines, lines, asked)


def wanted(lines: Sequence[str], asked: str, said: str, standing: Sequence[WindowHunk]) -> Hunks | None:
    """The hunks that are wanted in the end; None where the words do not spell them out."""
    found = wanted_surely(lines, asked, said, standing)
    return None if found is None else found.hunks


def wanted_surely(
    lines: Sequence[str], asked: str, said: str, standing: Sequence[WindowHunk]
) -> Wanted | None:
    """The same, and how sure it is by the words."""
    found = None if is_question(said) else _read(lines, asked, said, standing)
    if found is not None and found.hunks:
        now, made = ("\n".join(applied(lines, hunks)) for hunks in (standing, found.hunks))
        if not has_what_is_spelled(said, f"{now}\n{asked}", made):
            return None
    return found


def _read(lines: Sequence[str], asked: str, said: str, standing: Sequence[WindowHunk]) -> Wanted | None:
    def found(hunks: Sequence[WindowHunk] | None, *by: By) -> Wanted | None:
        return None if hunks is None else Wanted(tuple(hunks), sureness(by, said, lines, standing, hunks))

    stands = Stands(lines, standing)
    if places := spread(stands, said):
        return found(places, "places")
    if (places := moved(stands, said)) is not None:
        return found(places, "moved")
    back, rest = taken_back(said)
    if back:
        return (
            found(_Clause(lines, asked, rest, standing).of_what_stood(), "order")
            if rest
            else found((), "back")
        )
    whole = _Clause(lines, asked, said, standing).wanted()
    if whole is not None:
        return found(*whole)
    parts = clauses(said)
    doing = [one for one in parts if not is_talk(one)]
    if len(parts) < 2 or not 0 < len(doing) <= _MOST_CLAUSES:
        return None
    hunks, ways = tuple(standing), list[By]()
    for part in doing:
        made = _Clause(lines, asked, part, hunks).wanted()
        if made is None:
            return None
        hunks = made[0]
        ways.append(made[1])
    return found(hunks, *ways) if hunks != tuple(standing) else None


@dataclass
class _Clause:
    """One thing that is said about an answer."""

    lines: Sequence[str]
    asked: str
    said: str
    standing: Sequence[WindowHunk]

    def wanted(self) -> tuple[Hunks, By] | None:
        """The hunks, and the way in which they were read."""
        for by, read in self._ways():
            found = read()
            if found is not None and found != tuple(self.standing) and self._holds(found):
                return found, by
        match = _FULFILLED.match(plain(self.said))
        if match and any(re.match(rf"\s*(?:import|from) {match['m']}\b", line) for line in self._now):
            return tuple(self.standing), "back"
        return None

    def _holds(self, hunks: Hunks) -> bool:
        """Text that parses still does."""
        return self._stands.was.tree is None or parses(applied(self.lines, hunks))

    def _ways(self) -> Iterator[tuple[By, Callable[[], Hunks | None]]]:
        if not self._is_part:
            yield "slot", self._slotted
        yield "order", self._anew
        yield "slot", self._slotted
        yield "remark", self._amended
        yield "form", self._otherwise
        if re.search(r"\b(?:mean|meant|wrong)\b", self.said, re.I) and self._in_place:
            yield "order", self._merged
        yield "form", self._corrected
        yield "slot", self._valued
        if self._also:
            yield "order", self._besides_it
            if self._in_place:
                # Said in the words of the first: what these ask is not guessed from the few of the message.
                return
        yield "order", self._merged
        if list(done_otherwise(self.said)) and re.search(r"\binstead\b(?! of)|^no\b", self.said):
            yield "order", self.of_what_stood
        yield "order", self._as_order

    @cached_property
    def _now(self) -> list[str]:
        return applied(self.lines, self.standing)

    @cached_property
    def _stands(self) -> Stands:
        return Stands(self.lines, self.standing)

    @cached_property
    def _message(self) -> str:
        return plain(self.said) or self.said

    @cached_property
    def _correction(self) -> Correction:
        return Reading(self.lines, self.asked, self.said, self.standing).correction()

    # -- ways to read it
    # ---------------------------------------------------------------------------------------------

    def _amended(self) -> Hunks | None:
        for clause in dict.fromkeys([self._message, self.said.strip(" .!")]):
            text = amended(self._stands, clause)
            if text is not None:
                return hunks_between(self.lines, text.split("\n")[:-1])
        return None

    def _otherwise(self) -> Hunks | None:
        text = otherwise(self._stands, self.said)
        return None if text is None else hunks_between(self.lines, text.split("\n")[:-1])

    def _slotted(self) -> Hunks | None:
        text = slotted(self._stands, self.asked, self.said)
        return None if text is None else hunks_between(self.lines, text.split("\n")[:-1])

    def _valued(self) -> Hunks | None:
        text = valued(self._stands, self._message) if self._stands.src.tree is not None else None
        return None if text is None else hunks_between(self.lines, text.split("\n")[:-1])

    def _corrected(self) -> Hunks | None:
        if self._correction.back:
            return ()
        found = corrected.wanted(self.lines, self.standing, self._correction)
        return None if found is None else tuple(found)

    @cached_property
    def _stands_by_program(self) -> bool:
        """Whether what a program made of the first order stands, alone or with more."""
        made = first_answer(self.lines, self.asked)
        return made is not None and all(hunk in self.standing for hunk in made)

    @cached_property
    def _is_part(self) -> bool:
        """Whether only some of what a program makes of the first order stands."""
        made = first_answer(self.lines, self.asked) or ()
        return len(self.standing) < len(made) and all(hunk in made for hunk in self.standing)

    @cached_property
    def _by_program(self) -> bool:
        """Whether a program would have answered the first order: then it answers this one as well."""
        return bool(self.asked) and first_answer(self.lines, self.asked) is not None

    def _besides(self, hunks: Sequence[WindowHunk]) -> Hunks | None:
        if any(touch(old, new) for old in self.standing for new in hunks):
            return None
        return tuple(sorted([*self.standing, *hunks], key=lambda one: (one.first, one.last)))

    def _merged(self) -> Hunks | None:
        """What was asked, with what the message says in the place of what it said."""
        if not self.asked:
            return None
        also, message = self._also or self._correction.more, self._order
        orders = [self._correction.order] if self._correction.order else []
        orders += self._in_place
        for order in dict.fromkeys(orders):
            found = done(self.lines, self.lines, order)
            if found is not None:
                return self._besides(found) if also else found
        if not also and _FRAGMENT.match(message) and not _DO.match(message) and len(clauses(message)) == 1:
            return done(self.lines, self.lines, f"{self.asked.rstrip(' .!')} {message}")
        return None

    @cached_property
    def _in_place(self) -> list[str]:
        return list(in_its_place(self.lines, self.asked, self._order, also=self._also)) if self.asked else []

    def _besides_it(self) -> Hunks | None:
        """What is asked besides, by itself; where it is said in the words of the first order, these have to
        hold."""
        if any(done(self.lines, self.lines, order) is None for order in self._in_place):
            return None
        return self._as_order() or self._merged() or self._second()

    def _second(self) -> Hunks | None:
        """*and lines starting with # too*: with the verb of the first order, and its place."""
        names = {node.name for node in self._stands.src.functions}
        subject = re.match(
            r"(?:(?:make|let|have) (?:the )?)?`?(?P<f>\w+)`?(?:\(\))? (?:should |must |has to )?(?:also )?\w+ ",
            self.asked,
        )
        if subject is not None and subject["f"] in names:
            return done(self.lines, self._now, subject[0] + self._order)
        verb = re.match(r"[a-z]+", self.asked)
        place = re.search(
            r" (?:in|of|for|from) (?:the )?`?(\w+)(?:\(\))?`?(?: function| method)?[ .!]*$", self.asked
        )
        if verb is None or place is None or place[1] not in names:
            return None
        return done(self.lines, self._now, f"{verb[0]} {self._order}{place[0]}")

    def _anew(self) -> Hunks | None:
        """What a program makes of the first order with the message in it, where what stands is not what one
        made of the order alone: it may then be wrong for more than what is said of it."""
        if not self.asked or self._also or self._correction.back or self._stands_by_program:
            return None
        orders = [*self._in_place]
        begins = _FRAGMENT.match(self._order) or _DECLARED.match(self._order)
        if begins and not self._by_program and not _DO.match(self._order) and len(clauses(self._order)) == 1:
            orders.append(f"{self.asked.rstrip(' .!')} {self._order}")
        for order in dict.fromkeys(orders):
            found = done(self.lines, self.lines, order)
            if found is not None:
                return found
        if _LIKE.match(self._order) and not self._by_program:
            return done(self.lines, self.lines, f"use {self._order}", self._place)
        return None

    def of_what_stood(self) -> Hunks | None:
        """As an order about the text without the answer, in its place."""
        orders = list(done_otherwise(self.said)) or [self.said]
        for order in orders:
            for place in (self._place, None) if _THERE.search(order) else (None, self._place):
                found = done(self.lines, self.lines, order, place)
                if found is not None:
                    return found
        return None

    @property
    def _place(self) -> tuple[int, int] | None:
        """The lines that the answer changed, as they were."""
        if not self.standing:
            return None
        first, last = min(one.first for one in self.standing), max(one.last for one in self.standing)
        return (first, last) if first < last else None

    def _as_order(self) -> Hunks | None:
        """As an order about the text as it stands, of the lines that were just changed, and of all of it."""
        if re.match(r"(?:each|every|both|not|only|no)\b", self._order) or (
            _BARE.fullmatch(self._order) and not _LIKE.match(self._order)
        ):
            return None
        message = f"use {self._order}" if _LIKE.match(self._order) else self._order
        changed = changed_lines(self.lines, self._now)
        around = self._around
        ways = [(message, None), (message, changed)] if self._also else [(message, changed), (message, None)]
        if around and not re.search(rf"\b{re.escape(around)}\b", message):
            ways.insert(1, (f"{message} in {around}", None))
        for order, place in ways:
            found = done(self.lines, self._now, order, place)
            if found is not None:
                return found
        return None

    @cached_property
    def _also(self) -> bool:
        """Whether it is said to be done besides."""
        said = OPENERS.sub("", self.said, count=1)
        return (
            any(_ALSO.match(one) for one in (self._message, said)) or _TOO.search(self._message) is not None
        )

    @cached_property
    def _order(self) -> str:
        """The message without what only says that it is done besides."""
        text = _TOO.sub("", _ALSO.sub("", self._message)) or self._message
        return re.sub(r"^(?:kill|lose|ditch|nuke|zap|get rid of) ", "remove ", text, flags=re.I)

    @cached_property
    def _around(self) -> str:
        """The one function in which the answer changed something."""
        src, found = self._stands.src, set()
        for first, last in self._stands.places:
            inside = [
                node
                for node in src.functions
                if src.first_line(node) <= first and last <= src.last_line(node)
            ]
            found.add(inside[-1].name if inside else "")
        return found.pop() if len(found) == 1 else ""
