# ruff: noqa: E501 - tables read better unbroken
"""What a message behind an answer wants changed of it, read from its words.

Comes in: the message, what was asked before it, the lines that were shown, the hunks that stand. Goes out: a
`Correction`: that all is taken back, that one term is swapped for another, that a statement is written in another way,
that another function is meant, or one more. Must not know: engines, ids, likelihoods, what is made of it (`corrected`).

Nothing is guessed that the words do not say: what is none of these is left to the model.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from spark_tui.engine.layout import WindowHunk
from spark_tui.steers.clauses import clauses, taken_back, takes_back
from spark_tui.steers.correction_words import (
    BACK,
    CLOSERS,
    CODE_LIKE,
    DEFINED,
    DONE,
    HOW,
    KEEP,
    LEAVE_THE,
    LESS,
    LET_BE,
    LOGGED,
    NAMES,
    NO,
    OPENERS,
    PHRASES,
    PLACE,
    READ,
    REASON,
    REASONED,
    STATEMENT,
    VALUES,
    WAY,
)
from spark_tui.steers.statement_said import code_of
from spark_tui.steers.terms import LEVELS, STRAY, bare, may, sort_of, terms
from spark_tui.steers.written import PARTS, Written


@dataclass(frozen=True, slots=True)
class Swap:
    """One term of what was asked gives way to another; both as they were typed."""

    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Correction:
    """What of it is set is wanted; nothing set: the message is something else."""

    back: bool = False
    """All that stands is taken back."""
    swap: Swap | None = None
    statement: str = ""
    """A statement as code, in the place of the one that was written."""
    only: tuple[str, ...] = ()
    """What stands outside of these functions is taken back."""
    but: tuple[str, ...] = ()
    """What stands in these functions is taken back."""
    more: bool = False
    """`order` is done besides what stands; otherwise in its place."""
    kept: str = ""
    """What has to do with this word is taken back."""
    less: str = ""
    """What this word names is left out."""
    order: str = ""
    """What was asked, with the correction in its place."""
    places: tuple[str, ...] = ()
    """The functions of which `order` asks it."""


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
            for read in (self._place, self._part, self._logged, self._way, self._value):
                found = read(said)
                if found is not None:
                    return found
        return Correction()

    # -- taken back ------------------------------------------------------------------------------------------------

    def _goes_back(self, text: str) -> bool:
        whole = self.said.strip().rstrip(".! ")
        if taken_back(self.said) == (True, "") and not self._points_at_a_part():
            return True
        for said in (text, whole, re.sub(r"^(?:no|sorry|wait|stop|hm+)[,.]?\s+", "", whole, flags=re.I)):
            if BACK.match(said):
                return True
            head, comma, rest = said.partition(",")
            if comma and BACK.match(head.strip()) and (REASON.match(rest.strip()) or BACK.match(rest.strip())):
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
        return any(self.written.mentions(word) for word in re.findall(r"\w{3,}", said) if word.lower() not in STRAY)

    # -- a part of it ----------------------------------------------------------------------------------------------

    def _part(self, text: str) -> Correction | None:
        """A part that is taken back, or left out."""
        if not self.standing:
            return None
        if match := LESS.match(text):
            word = self._part_named(match["x"])
            if word in PARTS and self.written.lost(PARTS[word]):
                return Correction(kept=word)
            if word in PARTS or self.written.brings(word) or self.written.mentions(word):
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
                    word for word in re.findall(r"\w+", text[: match.start("that")]) if self.written.mentions(word)
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
            word for word in words if word and (self.written.mentions(word) or PARTS.get(word.lower().rstrip("s")))
        ]
        known = [word for word in found if word.lower().rstrip("s") not in PARTS]
        chosen = (known or found or [""])[-1]
        return chosen if known else chosen.lower().rstrip("s")

    # -- another place ---------------------------------------------------------------------------------------------

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
            wanted = tuple(names[: 1 if "not" in shape or "leave" in shape else None])
            return Correction(only=wanted, order=self._moved(wanted[0]) if len(wanted) == 1 else "")
        if re.fullmatch(
            rf"(?:but )?(?:not|leave|skip|except|without|undo the one|undo that|revert|keep|leave out|don't touch|hands off|drop the one) {PLACE}?@(?: alone| out| as it (?:was|is)| though| unchanged)?",
            shape,
        ):
            return Correction(but=tuple(names))
        again = rf"(?:(?:and|also|plus|do|it|the|same|as well|please|now|both|change|with|including|what about|don't forget|you forgot) ?)*{PLACE}?@(?:(?:,| and|, and) {PLACE}?@)*(?:,? (?:too|as well|also|the same way|needs (?:it|that) (?:too|as well)))?\??"
        if re.fullmatch(again, shape) and re.search(
            r"\b(?:and|also|plus|too|same|as well|both|including|forget|forgot|what about)\b", shape
        ):
            return Correction(more=True, order=self._moved(names[-1]), places=tuple(names))
        moved = (
            rf"(?:not (?:there|here|that one|this one)[,;:]? (?:but )?)?{DONE}*{PLACE}?@"
            rf"|{DONE}*{PLACE}?@,? (?:and )?(?:not|instead of|rather than) {PLACE}?(?:@|there|here)"
        )
        if re.fullmatch(moved, shape):
            target = names[0]
            if before and target in before and len(before) == 1:
                return None
            return Correction(order=self._moved(target), places=(target,))
        if re.fullmatch(rf"not {PLACE}?@(?:,|;| but|, but)? (?:do it )?{PLACE}?@", shape) and len(names) > 1:
            return Correction(order=self._moved(names[1]), places=(names[1],))
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
        return list(dict.fromkeys(word for word in found if word in self._functions and word not in ("a", "the")))

    @cached_property
    def _functions(self) -> frozenset[str]:
        return frozenset(match[1] for line in self.lines if (match := DEFINED.match(line)))

    # -- another statement -----------------------------------------------------------------------------------------

    def _way(self, text: str) -> Correction | None:
        match = WAY.match(text)
        if match is None:
            return None
        verb, rest = match["verb"].lower(), (match["rest"] or "").strip()
        verb = "raise" if verb == "throw" else verb
        if verb in ("continue", "break", "pass") and rest:
            return None
        if verb in ("raise", "print") and not rest:
            return None
        code = code_of(verb, rest, self.lines)
        if code is None:
            return None
        said = f"{verb} {rest}".strip()
        order = ""
        found = list(STATEMENT.finditer(self.asked))
        if found:
            order = self.asked[: found[0].start()] + said + self.asked[found[0].end() :]
        return Correction(statement=code, order=order)

    def _logged(self, text: str) -> Correction | None:
        """What was printed is to be logged."""
        if LOGGED.fullmatch(text) is None or not self.written.mentions("print"):
            return None
        named = re.findall(r"^(\w+) = logging\.getLogger", "\n".join(self.lines), re.MULTILINE)
        return Correction(swap=Swap("print", f"{named[0] if named else 'logging'}.info"))

    # -- another value ---------------------------------------------------------------------------------------------

    def _value(self, text: str) -> Correction | None:
        text = PHRASES.sub(lambda match: VALUES[match[0].lower()], text)
        for form in READ:
            match = form.match(text)
            if match is None:
                continue
            new = match["new"]
            if (level := re.fullmatch(r"log\w*\.(\w+)", new)) and level[1] in LEVELS and self.written.level():
                new = level[1]
            if new.lower() in STRAY or new.lower() in PARTS or not re.search(r"[^\W_]|[\[{(\"']", new):
                # A word of talk, or what says which part is meant.
                continue
            said = match.groupdict().get("old") or ""
            if new.endswith("()") and "." in new:
                return None
            if said and not self._stands(said) and (new.endswith("()") or re.search(r"\bloop\b", said)):
                return None
            old = said if said and self._stands(said) else self._meant(new, named=NAMES.search(text) is not None)
            if old and bare(old) != bare(new) and self._fits(old, new):
                return Correction(swap=Swap(old, new), order=self._swapped(old, new))
        return None

    def _fits(self, old: str, new: str) -> bool:
        """A type takes the place of a type, or of what was called like one; what decorates is no name."""
        if bare(new) in ("property", "staticmethod", "classmethod") or (new.islower() and new in HOW):
            return False
        if "." in new and re.fullmatch(r"[\w.]+", new) and sort_of(new) == "name":
            # What stands in a module is no name to give, and none that a value becomes where the module is not known.
            if (
                sort_of(old) == "name"
                and "." not in old
                and not re.search(rf"(?<![.\w]){re.escape(old)}\(", self.written.text)
            ):
                return False
            if sort_of(old) in ("number", "constant", "text") and not self._in_file(new.split(".")[0]):
                return False
            if sort_of(old) == "text" and not old.startswith(("'", '"')):
                return False
        if sort_of(new) == sort_of(old) == "name" and self._in_file(new) and re.match(r"rename\b", self.asked, re.I):
            # It is taken.
            return False
        called = rf"(?<![.\w]){re.escape(bare(old))}\(|[:>]\s*{re.escape(bare(old))}\b"
        return sort_of(new) != "type" or sort_of(old) != "name" or re.search(called, self.written.text) is not None

    def _stands(self, old: str) -> bool:
        return re.search(rf"(?<!\w){re.escape(bare(old))}(?!\w)", f"{self.asked}\n{self.written.text}") is not None

    def _swapped(self, old: str, new: str) -> str:
        """What was asked, with the new term. Where the old one stands there twice, the last is meant."""
        if re.search(rf"(?<![\w.]){re.escape(bare(new))}(?!\w)", self.asked):
            return ""
        found = list(re.finditer(rf"(?<![\w.]){re.escape(old)}(?![\w])", self.asked)) or list(
            re.finditer(rf"(?<![\w.]){re.escape(bare(old))}(?![\w])", self.asked)
        )
        if not found:
            return ""
        at = found[-1]
        quoted = self.asked[at.start() - 1 : at.start()] in ("'", '"', "`")
        return self.asked[: at.start()] + (bare(new) if quoted else new) + self.asked[at.end() :]

    def _meant(self, new: str, *, named: bool) -> str:
        """Which term of what was written the new one takes the place of; where nothing was, which of what was asked."""
        sort = sort_of(new)
        asked = [term for term in self._terms if may(sort_of(term), sort) and self._other(term, new)]
        if sort == "level" and (found := self.written.level()):
            return found
        weighed = [(self._weight(term, sort) + place / 100, term) for place, term in enumerate(asked)]
        standing = [pair for pair in weighed if self.written.brings(pair[1])]
        if standing:
            return max(standing)[1]
        if sort != "name" or named or CODE_LIKE.search(new):
            # A word that is no code may say anything.
            found = self.written.alone(new, sort)
            if found:
                return found
        fitting = [
            pair for pair in weighed if pair[0] >= 2.0 and (sort_of(pair[1]) != "name" or self._is_given(pair[1]))
        ]
        return max(fitting)[1] if fitting else ""

    def _other(self, term: str, new: str) -> bool:
        """Whether a term may have been brought, and is not the new one, nor a part of it."""
        if sort_of(term) == "name" and self._in_file(term) and not self._has_role(term):
            return False
        if sort_of(term) in ("number", "constant") and sort_of(new) == "name" and not CODE_LIKE.search(new):
            return False
        return bare(new) != bare(term) and not bare(new).endswith("." + bare(term))

    def _weight(self, term: str, sort: str) -> float:
        """How likely it is that what was asked with this term is what is corrected."""
        brought = not self._in_file(term)
        return (
            1.0 + 2.0 * (sort_of(term) == sort) + self._has_role(term) - 3.0 * (sort_of(term) == "name" and not brought)
        )

    @cached_property
    def _terms(self) -> list[str]:
        """Terms of what was asked. It begins with a verb."""
        found = list(terms(self.asked))
        return (
            found[1:]
            if found and re.fullmatch("[a-z]+", found[0]) and self.asked.lower().startswith(found[0])
            else found
        )

    def _is_given(self, term: str) -> bool:
        """Whether a term that nothing written tells of is a name, and no word of the sentence."""
        given = rf"(?:\b(?:to|into|named|called|parameter|argument|field|attribute|default)|=)\s*['\"`]?{re.escape(bare(term))}(?!\w)"
        return CODE_LIKE.search(term) is not None or re.search(given, self.asked, re.IGNORECASE) is not None

    def _has_role(self, term: str) -> bool:
        return re.search(
            rf"(?:\b(?:to|as|with|default|of|by|named|called|at|name|parameter|argument|field|attribute|raise|catch|return|variable|function|method|class|use|than)|=)\s*['\"`]?{re.escape(bare(term))}(?!\w)",
            self.asked, re.I,
        ) is not None  # fmt: skip

    def _in_file(self, term: str) -> bool:
        return re.search(rf"(?<!\w){re.escape(bare(term))}(?!\w)", "\n".join(self.lines)) is not None

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
