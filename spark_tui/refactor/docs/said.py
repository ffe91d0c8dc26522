"""An order about words in the code: what it quotes set apart, its own words mended, hints at a place taken off.

Comes in: an order and the words that a family understands. Goes out: the order with marks where it quotes, and which of
its words are understood. Must not know: which edits there are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import SequenceMatcher
from functools import lru_cache

from spark_tui.refactor.order import Order
from spark_tui.refactor.saying import FILLERS, WORD, words
from spark_tui.refactor.source import Function, parameters

MARK = r"⟦\d+⟧"
_MARKED = re.compile(r"⟦(\d+)⟧")
_QUOTED = re.compile(
    r'"""(.+?)"""|\'\'\'(.+?)\'\'\'|``([^`]+)``|`([^`]+)`|"([^"]*)"|“([^”]*)”|‘([^’]*)’|(?<!\w)\'((?:[^\']|(?<=\w)\'(?=\w))*)\'(?!\w)'
)
_PLACE = re.compile(
    rf"[\s,(-]*\b(?:somewhere |right |just |directly |immediately )*(?:(?:near|around|about|before|above|below|after|in|on|at|by)(?: the| your)? (?:line|ln|l\.?|row) ?#?(?P<line>\d+)"
    rf"|(?:near|around|before|above|below|after)(?: the)? (?P<code>{MARK})(?= *[).,]*$| *\)))\)?[,;]?|(?:^|[\s,(])at the (?:start|top|end|bottom)(?: of (?:it|the (?:function|file|module|code)))?(?=[,.)]|$)[,)]?",
    re.I,
)
_FILE = re.compile(r"(?:\b(?:in|on|of|from|inside) )?(?<![\w.])[\w/.-]+\.py\b:{0,2}", re.I)
_OFTEN_WRONG = frozenset(
    re.findall(
        r"\w+",
        "docstring docstrings docstr documentation document documented comment import imports imported quotes double single parameter unused missing alphabetical alphabetically arguments description sphinx google before without",
    )
)
"""Words that are told by most of their letters; others may be words of their own."""
_LEAST = 5
_ALIKE = 0.86


class Said:
    """`text` is what was said with `⟦0⟧` for each thing in quotes; `quoted` are those, `ticks` what stood around."""

    def __init__(self, order: Order, vocabulary: Iterable[str] = ()) -> None:
        self.order = order
        self.src = order.src
        self.quoted: list[str] = []
        self.ticks: list[str] = []
        self.understood: list[str] = []
        self._vocabulary = frozenset(vocabulary)
        self.text = self._mended(_QUOTED.sub(self._marked, order.said))

    def _marked(self, found: re.Match[str]) -> str:
        self.quoted.append(next((one for one in found.groups() if one is not None), ""))
        self.ticks.append(found[0][0])
        return f"⟦{len(self.quoted) - 1}⟧"

    def _mended(self, text: str) -> str:
        known = self.order.identifiers

        def mend(found: re.Match[str]) -> str:
            word = found[0].lower()
            if word in self._vocabulary:
                self.understood.append(word)
            elif len(word) >= _LEAST and word not in FILLERS and found[0] not in known:
                right = closest(word, self._vocabulary & _OFTEN_WRONG)
                if right:
                    self.understood.append(word)
                    return right
            return found[0]

        return WORD.sub(mend, text)

    def peeled(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """A part that says something beside the order: it is taken off and counts as understood."""
        found = pattern.search(self.text)
        if found is not None:
            self.understood.append(self.plain(found[0]))
            self.text = f"{self.text[: found.start()]} {self.text[found.end() :]}".strip()
        return found

    def place(self) -> int | None:
        """A line at which the order hints, counted from 0; the hint is taken off."""
        self.peeled(_FILE)
        found = self.peeled(_PLACE)
        if found is None:
            return None
        if found["line"]:
            return int(found["line"]) - self.order.first_line
        return self.line_of(self.quoted[int(found["code"][1:-1])]) if found["code"] else None

    def line_of(self, code: str) -> int | None:
        """The one line that is, or begins with, a piece of code."""
        at = [number for number, line in enumerate(self.src.lines) if line.strip() == code.strip()]
        at = at or [number for number, line in enumerate(self.src.lines) if code.strip() and code.strip() in line]
        return at[0] if len(at) == 1 else None

    def plain(self, piece: str) -> str:
        """A piece with what was quoted."""
        return _MARKED.sub(lambda found: f" {self.quoted[int(found[1])]} ", piece)

    def without(self, *marks: int) -> str:
        """What was said, quotes as they stood, but for some of what was quoted."""

        def back(found: re.Match[str]) -> str:
            number = int(found[1])
            tick = self.ticks[number]
            return "" if number in marks else f"{tick}{self.quoted[number]}{tick}"

        return _MARKED.sub(back, self.text)

    def texts(self, *not_these: str) -> list[int]:
        """Marks of what is quoted and is no name: texts that are meant to be written."""
        out = []
        for number, text in enumerate(self.quoted):
            name = re.sub(r"\(.*\)$", "", text).strip()
            if f"⟦{number}⟧" in self.text and name not in not_these and text.strip():
                out.append(number)
        return out


@lru_cache(maxsize=2048)
def closest(word: str, vocabulary: frozenset[str]) -> str | None:
    """The word that was meant where letters are missing, doubled or swapped."""
    best, found = _ALIKE, None
    for one in vocabulary:
        if len(one) >= _LEAST - 1 and abs(len(one) - len(word)) <= 2 and one[0] == word[0]:
            alike = 0.95 if sorted(one) == sorted(word) else SequenceMatcher(None, one, word).ratio()
            if alike > best and not (one.startswith(word) and len(one) > len(word) + 1) and word != one + "s":
                best, found = alike, one
    return found


def name_words(name: str) -> list[str]:
    """`load_userData` is load, user, data."""
    return words(re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).strip("_").replace("_", " "))


def names_parameter(said: Said, function: Function, vocabulary: frozenset[str]) -> str | None:
    """The parameter that the order spells, not as a word of its own."""
    hits = []
    for one in parameters(function):
        name = re.escape(one.arg)
        ticked = any(
            re.fullmatch(rf"{name}(?: \([^)]*\))?", text)
            for number, text in enumerate(said.quoted)
            if f"⟦{number}⟧" in said.text
        )
        role = re.search(
            rf"\b(?:param(?:eter)?|arg(?:ument)?|for|explain|describe|document|mention|that|what) (?:the )?{name}\b|[,:] {name}(?=[:,])|(?<![\w.])\b{name} (?:param(?:eter)?|arg(?:ument)?)\b",
            said.text,
        )
        bare = (
            one.arg.lower() not in FILLERS
            and one.arg.lower() not in vocabulary
            and re.search(rf"(?<![\w.])\b{name}\b(?!\()", said.text)
        )
        if ticked or role or bare:
            hits.append(one.arg)
    hits = [one for one in hits if one != function.name]
    return hits[0] if len(hits) == 1 else None
