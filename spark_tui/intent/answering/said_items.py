"""What an order says about items of lists: which they are, their version, and whether they are added."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from spark_tui.intent.answering.added_or_removed import (
    CLEAR,
    SURE,
    adds,
    is_common,
    is_kept_out,
    is_told,
    odds_of,
    replaces,
)
from spark_tui.intent.answering.config_answers import CLAUSE, SHOWN, SPEC, Said
from spark_tui.intent.context.config_lists import RULE_OR_GROUP, VERSION, ConfigList, Named, words_of
from spark_tui.intent.context.lookup import key
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import Order
from spark_tui.intent.words.tokens import tokenize

_PIECE = re.compile(
    rf"(?:(?<!\S)[*.~/]+)?[A-Za-z0-9_À-ɏ][\w.:/+*-]*(?:\[[\w, -]+\])?"
    rf"(?:\s*{CLAUSE}(?:\s*,\s*{CLAUSE})*)?",
    re.ASCII,
)
_JOINED = re.compile(rf"\s*(?:,|&|\+|、|{phrases.joining()}|和|跟|与)\s*(?:{phrases.joining()}\s*)?")
"""What stands between things that are named together."""
_TARGET = re.compile(r"py\d+\Z")
_PLACED = 0.2
"""How likely a reading is whose slots are taken."""


def said_of(order: Order, text: str, named: Sequence[Named]) -> Said:
    told = _Told(order, text, named)
    scores, evidence = told.scored
    best = max(scores.values(), default=0.0)
    items = tuple(item for item, score in scores.items() if score >= max(0.7 * best, 0.01))
    version = "" if told.numbers else _version(text, items, told.lists)
    if told.numbers and all(map(_TARGET.match, told.items)):
        items = tuple("py" + item.removeprefix("py").replace(".", "") for item in items)
    numbers = _versions(text) or [version]
    if _classifier(told.lists, version):
        items, evidence = tuple(_classifier(told.lists, one) for one in numbers), SHOWN
        version = version if len(items) == 1 else ""
    new, odds = _exchanged(order, items, told.lists), told.odds(items)
    others = [one for one in scores if one not in items and not says_what(one)]
    known = new or version or odds_by_key(text, named, items) or is_told(odds)
    if told.replacing and not known and len(items) == len(others) == 1:
        there = any(one.has(items[0]) for one in told.lists)
        new = others[0] if there and not text.lstrip().startswith(others[0]) else ""
    joined = (one for one in others if re.search(rf"\S{_JOINED.pattern}\Z", text[: text.find(one)]))
    left = "" if new else next(joined, "")
    if len(numbers) > 1 and items and items[0].endswith(numbers[0]):
        left = next((one[0] for one in VERSION.finditer(text) if one[0] not in numbers), left)
    return Said(text, items, version, odds, evidence, best, new, left)


@dataclass(frozen=True)
class _Told:
    """The words of an order, and the lists that they name."""

    order: Order
    text: str
    named: Sequence[Named]

    @cached_property
    def lists(self) -> list[ConfigList]:
        return [one.found for one in self.named]

    @cached_property
    def used(self) -> frozenset[str]:
        """The words that name the lists."""
        return frozenset().union(*(one.words for one in self.named))

    @cached_property
    def quoted(self) -> list[str]:
        return [self.text[item.inner_start : item.inner_end] for item in tokenize(self.text).quoted]

    @cached_property
    def items(self) -> list[str]:
        """What is in the lists."""
        return [item for one in self.lists for item in one.items]

    @cached_property
    def are_rules(self) -> bool:
        """Whether the lists are of rules of a linter."""
        if self.items and all(map(RULE_OR_GROUP.match, self.items)):
            return True
        return bool(self.lists) and all(not one.items and _has_rules(one) for one in self.lists)

    @cached_property
    def numbers(self) -> bool:
        """Whether they are of versions of Python."""
        are_versions = all(map(VERSION.fullmatch, self.items)) or all(map(_TARGET.match, self.items))
        return bool(self.items) and are_versions

    @cached_property
    def replacing(self) -> bool:
        """Whether a word says that something takes the place of something else."""
        return any(replaces(word) for word in words_of(self.text) if word not in self.used)

    def odds(self, items: tuple[str, ...]) -> float:
        """The log odds that items are added, and not removed."""
        odds = adds(self.order.readings, self.text, items, tuple(self.used))
        if by_key := odds_by_key(self.text, self.named, items):
            return by_key
        if self.numbers and abs(odds) < CLEAR:
            return 0.0 if self.replacing else CLEAR
        return odds

    @cached_property
    def scored(self) -> tuple[dict[str, float], float]:
        """How much speaks for each piece of the words as an item, and the most that speaks for one by
        itself."""
        text = self.text
        scores = {item: 3.0 for item in self.quoted if item not in self.used}
        evidence = max(scores.values(), default=0.0)
        before: tuple[str, int] | None = None
        for found, start in self._pieces():
            piece, score = self._by_itself(found, start)
            evidence = max(evidence, score)
            is_name = not is_common(_first_word(piece))
            begin = self.order.start + start
            score += 2.0 * min(_slotted(self.order, begin, begin + len(piece)), 1.0)
            score += 0.4 * (is_name and odds_of(_last_word(text[:start])) >= CLEAR)
            if before is not None and is_name and _JOINED.fullmatch(text, before[1], start):
                score = max(score, scores[before[0]])
                if is_told_to(_last_word(text[: before[1] - len(before[0])])):
                    scores[before[0]] = score
            scores[piece] = max(score, scores.get(piece, 0.0))
            before = piece, start + len(piece)
        return scores, evidence

    def _pieces(self) -> Iterator[tuple[str, int]]:
        """What may be an item, and where it begins."""
        for found in _PIECE.finditer(self.text):
            piece, start = found[0].rstrip(".,:;"), found.start()
            if more := re.match(r"=(?!=)[\w.*]+", self.text[start + len(piece) :]):  # conda, and variables
                piece += more[0] if any("=" in item for item in self.items) else f"={more[0]}"
            if piece and not self._is_said_otherwise(piece, start) and self._fits(piece):
                yield piece, start

    def _is_said_otherwise(self, piece: str, start: int) -> bool:
        """Whether a piece names a list, joins others, or is a part of a word or of what is quoted."""
        again = self.text.count(piece) > 1 and any(one.has(piece) for one in self.lists)
        if (piece in self.used and not again) or re.fullmatch(phrases.joining(), piece.lower()) is not None:
            return True
        return self.text[start - 1 : start] in ("'", "’") or any(piece in item for item in self.quoted)

    def _fits(self, piece: str) -> bool:
        """Whether a piece may be in such lists."""
        is_rule = RULE_OR_GROUP.match(piece) is not None and any(map(str.isupper, piece))
        if (self.are_rules and not is_rule) or piece.isdigit():
            return False
        version = VERSION.fullmatch(piece) or (self.numbers and _TARGET.match(piece))
        return bool(version) == self.numbers and all(piece != one.path for one in self.lists)

    def _by_itself(self, piece: str, start: int) -> tuple[str, float]:
        """A piece with what belongs to it, and how much its form and place speak for it."""
        there = any(one.has(piece) or one.has_alike(piece) for one in self.lists)
        score = 2.0 * (self.are_rules or self.numbers) + 2.0 * there
        behind = self.text[start + len(piece) :]
        described = any(re.match(r"\{|\w+: ", item) for item in self.items)
        if described and (more := re.match(r":\s+(?:\S+(?=\s)|[^\n]+)", behind)):
            names_list = any(word in self.used for word in words_of(behind))
            piece = (piece + (more[0] if names_list else behind)).rstrip(" .")
            score += 3.0
        verbs = {key(word) for one in self.named for word in one.verbs}
        score += 3.0 * (_is_told_by_key(self.text[:start], verbs) and not is_common(piece))
        if SPEC.search(piece) is not None and not is_common(_first_word(piece)):
            score += 3.0
        return piece, score


def _first_word(piece: str) -> str:
    return re.split(r"[^\w]", piece)[0]


def _is_told_by_key(before: str, verbs: Container[str]) -> bool:
    """Whether a text ends with the name of a list as a verb, which it is not in *the exclude patterns* and
    *excluded files*."""
    words = re.findall(r"\w+", before)
    while words and phrases.is_said("articles", words[-1]):
        words.pop()
    if not words or key(words[-1]) not in verbs or words[-1].lower().endswith("ed"):
        return False
    return len(words) == 1 or not phrases.is_said("articles", words[-2])


def _has_rules(item: ConfigList) -> bool:
    """Whether a list is one of rules of a linter by its key."""
    table = phrases.table()["config_lists"]
    return bool(item.keys) and item.keys[-1] in (*table["rules_on"], *table["rules_off"])


def says_what(word: str) -> bool:
    """Whether a word is too common for an item, or says what to do with one."""
    return is_common(word) or replaces(word) or abs(odds_of(word)) >= CLEAR


def is_told_to(word: str) -> bool:
    """Whether a word leaves no doubt that something is to be added, removed or replaced."""
    table = phrases.table()["config_lists"]
    return word.lower() in (*table["adding"], *table["removing"]) or replaces(word)


def odds_by_key(text: str, named: Sequence[Named], items: Sequence[str]) -> float:
    """The log odds that items are added where the name of their list is the verb: *ignore E501*."""
    verbs = {key(word) for one in named for word in one.verbs}
    if named and all(one.switched for one in named):
        return SURE * named[0].switched
    for item in items:
        before = re.findall(r"[^\W\d]+(?:['’]t)?", text[: text.find(item)])
        before = [word for word in before if not phrases.is_said("articles", word)]
        if before and key(before[-1]) in verbs:
            return -SURE if is_kept_out(before[:-1]) else SURE
    return 0.0


def _last_word(text: str) -> str:
    words = [word for word in re.findall(r"\w+", text) if not phrases.is_said("articles", word)]
    return words[-1] if words else ""


def _exchanged(order: Order, items: Sequence[str], lists: Sequence[ConfigList]) -> str:
    """What is to stand in the place of one item that is there, where the reader reads that."""
    for one in order.readings[:2]:
        old, new = one.text("old"), one.text("new")
        likely = one.probability >= _PLACED and _PIECE.fullmatch(new) is not None and not says_what(new)
        if likely and old in items and any(each.has(old) for each in lists):
            return new
    return ""


def _slotted(order: Order, start: int, end: int) -> float:
    """How likely a slot, and not that of a place, has these characters. What a key is set to is no item."""
    return sum(
        reading.probability
        for reading in order.readings
        if reading.intent != "set_key"
        and any(
            span.start < end and start < span.end and span.end - span.start <= 2 * (end - start)
            for slot, spans in reading.slots.items()
            if slot not in ("file", "function", "class", "variable", "anchor")
            for span in spans
        )
    )


def _version(text: str, items: Sequence[str], lists: Sequence[ConfigList]) -> str:
    """The version that is said: its number, or the whole of its bounds."""
    for item in items:
        if (spec := SPEC.search(item)) is not None:
            return spec[0]
    found = [*SPEC.finditer(text)] or [*VERSION.finditer(text)]
    if not found and all(one.requires for one in lists):
        found = [*re.finditer(r"(?<=\s)\d+(?=[\s.]*\Z)", text)]
    return found[-1][0] if found else ""


def _versions(text: str) -> list[str]:
    """The versions that are named together, if there are several: *3.5, 3.6 and 3.7*."""
    runs: list[list[re.Match[str]]] = []
    for found in VERSION.finditer(text):
        if runs and _JOINED.fullmatch(text, runs[-1][-1].end(), found.start()):
            runs[-1].append(found)
        else:
            runs.append([found])
    longest = max(runs, key=len, default=[])
    return [found[0] for found in longest] if len(longest) > 1 else []


def _classifier(lists: Sequence[ConfigList], version: str) -> str:
    """The classifier of a version of Python, if the list has others; empty if not."""
    rows = [row for one in lists for row in one.items if re.search(r" :: \d+(?:\.\d+)+\Z", row)]
    return f"{rows[0].rpartition(' :: ')[0]} :: {version}" if rows and version else ""
