"""What a message behind an answer wants changed of it, read from its words.

Comes in: the message, what was asked before it, the lines that were shown, the hunks that stand. Goes out: a
`Correction`: that all is taken back, or a part, and what was asked with the message in it: of another
function, of one more, with another value. Must not know: engines, ids, likelihoods, what is made of it
(`corrected`).

Nothing is guessed that the words do not say: what is none of these is left to the model.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from spark_tui.engine.token_layout import WindowHunk
from spark_tui.steers.clauses import clauses, taken_back, takes_back
from spark_tui.steers.correction_words import (
    BACK,
    CLOSERS,
    DEFINED,
    DONE,
    KEEP,
    LEAVE_THE,
    LESS,
    LET_BE,
    NO,
    OPENERS,
    PLACE,
    REASON,
    REASONED,
)
from spark_tui.steers.merged import in_its_place
from spark_tui.steers.terms import STRAY
from spark_tui.steers.written import PARTS, Written


@dataclass(frozen=True, slots=True)
class Correction:
    """What of it is set is wanted; nothing set: the message is something else."""

    back: bool = False
    """All that stands is taken back."""
    kept: str = ""
    """What has to do with this word is taken back."""
    less: str = ""
    """What this word names is left out."""
    order: str = ""
    """What was asked, with the correction in its place."""
    more: bool = False
    """`order` is done besides what stands; otherwise in its place."""


@dataclass
class Reading:
    """One message about one answer."""

    lines: Sequence[str]
    asked: str
    said: str
    standing: Sequence[WindowHunk] = ()

    def correction(self) -> Correction:
        text = plain(self.said)
        if self._goes_back(text):
            return Correction(back=True)
        for said in dict.fromkeys([text, plain(REASONED.sub("", text))]):
            for read in (self._place, self._part):
                found = read(said)
                if found is not None:
                    return found
        return Correction(order=next(in_its_place(self.lines, self.asked, text), ""))

    # -- taken back
    # ------------------------------------------------------------------------------------------------

    def _goes_back(self, text: str) -> bool:
        whole = self.said.strip().rstrip(".! ")
        if taken_back(self.said) == (True, "") and not self._points_at_a_part():
            return True
        for said in (text, whole, re.sub(r"^(?:no|sorry|wait|stop|hm+)[,.]?\s+", "", whole, flags=re.I)):
            if BACK.match(said):
                return True
            head, comma, rest = said.partition(",")
            if (
                comma
                and BACK.match(head.strip())
                and (REASON.match(rest.strip()) or BACK.match(rest.strip()))
            ):
                return True
            kept = LEAVE_THE.match(said)
            if kept and len(self.standing) <= 1 and not self._functions_in(said):
                words = [word for word in kept[1].split() if word not in ("old", "original")]
                if words and all(re.search(rf"\b{re.escape(word)}\b", self.asked, re.I) for word in words):
                    return True
        return False

    def _points_at_a_part(self) -> bool:
        if len(self.standing) < 2:
            return False
        said = " ".join(one for one in clauses(self.said) if not takes_back(one))
        return any(
            self.written.mentions(word) for word in re.findall(r"\w{3,}", said) if word.lower() not in STRAY
        )

    # -- a part of it
    # ----------------------------------------------------------------------------------------------

    def _part(self, text: str) -> Correction | None:
        """A part that is taken back, or left out."""
        if not self.standing:
            return None
        if match := LESS.match(text):
            word = self._part_named(match["x"])
            if word in PARTS and self.written.lost(PARTS[word]):
                return Correction(kept=word)
            if word in PARTS or self.written.mentions(word):
                return Correction(less=word)
        for form in KEEP:
            match = form.match(text)
            if match is None:
                continue
            said = match.groupdict()
            if said.get("x"):
                word = self._part_named(said["x"])
            else:
                words = [
                    word
                    for word in re.findall(r"\w+", text[: match.start("that")])
                    if self.written.mentions(word)
                ]
                word = words[-1] if words else ""
            if word and (word in PARTS or self.written.mentions(word)):
                every = word not in PARTS and self.written.mentions_all(word)
                return Correction(back=True) if every and LET_BE.match(text) else Correction(kept=word)
        return None

    def _part_named(self, text: str) -> str:
        """The word that says which part: the last that is one, or stands there."""
        words = [word.strip("`'\"()") for word in re.split(r"[\s,]+", text)]
        found = [
            word
            for word in words
            if word and (self.written.mentions(word) or PARTS.get(word.lower().rstrip("s")))
        ]
        known = [word for word in found if word.lower().rstrip("s") not in PARTS]
        chosen = (known or found or [""])[-1]
        return chosen if known else chosen.lower().rstrip("s")

    # -- another place
    # ---------------------------------------------------------------------------------------------

    def _place(self, text: str) -> Correction | None:
        functions = self._functions_in(text)
        if not functions:
            return None
        before = self._functions_in(self.asked)
        shape = re.sub(
            r"\s+",
            " ",
            re.sub(
                rf"\b(?:the |method |function |class )*(?:{'|'.join(map(re.escape, functions))})\b(?:\(\))?(?: (?:method|function|class)\b)?",
                "@",
                text,
            ),
        ).lower()
        names = functions
        if re.fullmatch(
            rf"(?:only|just)(?: change| touch| do)? {PLACE}?@(?: and {PLACE}?@)*|{PLACE}?@ only|(?:only|just) {PLACE}?@,? (?:not|leave) {PLACE}?@(?: alone)?",
            shape,
        ):
            several = len(names) > 1 and not re.search(r"\b(?:not|leave)\b", shape)
            return Correction(order="" if several else self._moved(names[0]))
        if re.fullmatch(
            rf"(?:but )?(?:not|leave|skip|except|without|undo the one|undo that|revert|keep|leave out|don't touch|hands off|drop the one) {PLACE}?@(?: alone| out| as it (?:was|is)| though| unchanged)?",
            shape,
        ):
            return Correction()
        again = rf"(?:(?:and|also|plus|do|it|the|same|as well|please|now|both|change|with|including|what about|don't forget|you forgot) ?)*{PLACE}?@(?:(?:,| and|, and) {PLACE}?@)*(?:,? (?:too|as well|also|the same way|needs (?:it|that) (?:too|as well)))?\??"
        if re.fullmatch(again, shape) and re.search(
            r"\b(?:and|also|plus|too|same|as well|both|including|forget|forgot|what about)\b", shape
        ):
            return Correction(order=self._moved(names[-1]), more=True)
        moved = (
            rf"(?:not (?:there|here|that one|this one)[,;:]? (?:but )?)?{DONE}*{PLACE}?@"
            rf"|{DONE}*{PLACE}?@,? (?:and )?(?:not|instead of|rather than) {PLACE}?(?:@|there|here)"
        )
        if re.fullmatch(moved, shape):
            target = names[0]
            if before and target in before and len(before) == 1:
                return None
            return Correction(order=self._moved(target))
        if re.fullmatch(rf"not {PLACE}?@(?:,|;| but|, but)? (?:do it )?{PLACE}?@", shape) and len(names) > 1:
            return Correction(order=self._moved(names[1]))
        return None

    def _moved(self, function: str) -> str:
        """What was asked, of this function."""
        before = [name for name in self._functions_in(self.asked) if name != function]
        where = next(
            (
                name
                for name in before
                if re.search(rf"\b(?:in|to|of|from|for|on|make)\s+(?:the\s+)?{re.escape(name)}\b", self.asked)
            ),
            before[0] if before else "",
        )
        if where:
            return re.sub(rf"\b{re.escape(where)}\b", function, self.asked)
        return f"{self.asked.rstrip('. ')} in {function}"

    def _functions_in(self, text: str) -> list[str]:
        found = re.findall(r"[A-Za-z_]\w*", text)
        return list(
            dict.fromkeys(word for word in found if word in self._functions and word not in ("a", "the"))
        )

    @cached_property
    def _functions(self) -> frozenset[str]:
        return frozenset(match[1] for line in self.lines if (match := DEFINED.match(line)))

    @cached_property
    def written(self) -> Written:
        return Written(self.lines, self.standing)


def plain(said: str) -> str:
    """A message without what it opens and ends with."""
    text = re.sub(r"\s+", " ", said.strip())
    for _ in range(4):
        shorter = NO.sub("", OPENERS.sub("", text, count=1), count=1)
        ended = CLOSERS.sub("", shorter)
        ended = ended or shorter
        if ended == text or not ended:
            break
        text = ended
    return text.strip()
