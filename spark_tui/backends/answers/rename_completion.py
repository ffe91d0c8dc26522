"""Complete an answer that replaces one name by another, so that every occurrence of the name is replaced.

It covers names, dotted names and numbers, and replaces nothing else; `name_occurrences` finds the places. The
old and the new name come from the hunks and from the instruction, and either may be incomplete: hunks
misspell a new name that the instruction gives, and an instruction may call the old name "the first
parameter".
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property

from spark_tui.backends.answers.name_occurrences import NameOccurrence, NameOccurrences
from spark_tui.engine.token_layout import WindowHunk

MOST = 2
PLAINLY, PERHAPS = 12.0, 6.0
"""What speaks for an answer, in units of log-probability: where instruction and hunks say the same, or the
instruction says that it is wanted everywhere, and where less is said. The model finds answers with many hunks
that much less likely than they are; both were chosen on cases drawn as those of the development set are, from
seeds of their own."""
_PIECE = re.compile(r"\w+|\s+|[^\w\s]")
_WORD = re.compile(r"[A-Za-z_]\w*")
_TERM = re.compile(r"[A-Za-z_]\w*(?:\.\w+)*|(?<!\w)\d+(?:\.\d+)?")
_CODE_LIKE = re.compile(r"\w*_\w*|\w*[a-z]\w*[A-Z]\w*|\d+(?:\.\d+)?|\w+\.[\w.]+")
_PRIVATE = re.compile(r"\b(?:privat\w*|underscore\w*|internal|public)\b", re.IGNORECASE)
_ALL = re.compile(r"\b(?:every(?:where|one)?|wherever|all|each|both|throughout|whole|mass)\b", re.IGNORECASE)
_NO_NAMES = frozenset([*keyword.kwlist, "self", "cls"])
Change = tuple[int, int, str, str]
"""Line, column, and what became of what there."""


@dataclass(frozen=True, slots=True)
class NameSwap:
    """`old` becomes `new`, and these are places where the hunks say so. `named`: the instruction names both;
    `done`: the hunks do it at a place."""

    old: str
    new: str
    at: tuple[NameOccurrence, ...]
    named: bool
    done: bool


@dataclass
class RenameCompletion:
    """For one question about one file. `headers` are lines that it takes in front to be read by itself."""

    lines: Sequence[str]
    instruction: str
    headers: Sequence[str] = ()

    def completed(self, hunks: Sequence[WindowHunk]) -> list[tuple[list[WindowHunk], float]]:
        """The answers that replace everywhere what the hunks replace somewhere, with what speaks for each,
        the likelier ones first; none where they replace nothing that the instruction names. What is only used
        here (a number, what is imported or built in) is replaced elsewhere only where the instruction wants
        that, or where the hunks do it in several places."""
        out: dict[tuple[WindowHunk, ...], float] = {}
        for swap in self.swaps(hunks)[:MOST]:
            several = self._wants_all or (swap.named and swap.done and len(swap.at) > 1)
            if not several and not self._places.makes(swap.old):
                continue
            places = self._places.meant(swap.old, swap.at, self._terms)
            more = self._do_more(hunks, {place.line for place in places})
            plain = swap.named and (swap.done or self._wants_all)
            if places and (plain or not more):
                out.setdefault(tuple(self.replaced(places, swap)), PLAINLY if plain and not more else PERHAPS)
        return [(list(made), credit) for made, credit in out.items()]

    def _do_more(self, hunks: Sequence[WindowHunk], on: set[int]) -> bool:
        """Whether hunks change something on other lines."""
        return any(
            on.isdisjoint(range(hunk.first, max(hunk.last, hunk.first + 1)))
            and list(hunk.new) != list(self.lines[hunk.first : hunk.last])
            for hunk in hunks
        )

    def replaced(self, places: Iterable[NameOccurrence], swap: NameSwap) -> list[WindowHunk]:
        """One hunk for each run of lines."""
        lines: dict[int, str] = {}
        for place in sorted(places, key=lambda item: (item.line, -item.column)):
            line = lines.get(place.line, self.lines[place.line])
            lines[place.line] = line[: place.column] + swap.new + line[place.column + len(swap.old) :]
        out: list[WindowHunk] = []
        for number in sorted(lines):
            if out and out[-1].last == number:
                out[-1] = WindowHunk(out[-1].first, number + 1, (*out[-1].new, lines[number]))
            else:
                out.append(WindowHunk(number, number + 1, (lines[number],)))
        return out

    # -- what is replaced by what
    # ------------------------------------------------------------------------------------

    def swaps(self, hunks: Sequence[WindowHunk]) -> list[NameSwap]:
        """Those that are said most plainly first."""
        changes = list(self._changes(hunks))
        shown = {line for hunk in hunks for line in range(hunk.first, hunk.last)}
        found: list[tuple[tuple[int, ...], NameSwap]] = []
        for old, new in self._pairs(changes):
            hidden = bool(self._private(old))
            named = (old in self._named or old in self._standing, new in self._named or hidden)
            places = [place for place in self._places.places(old) if hidden or not place.literal]
            done = [p for p in places if (p.line, p.column, old, new) in changes]
            near = [place for place in places if place.line in shown]
            if done:
                at = tuple(places if hidden else done)
                found.append(((*named, 1, 1, len(done)), NameSwap(old, new, at, all(named), True)))
            elif all(named) and (near or self._wants_all):
                for hangs in (True, False):
                    at = tuple(place for place in near or places if (place.receiver is not None) is hangs)
                    hit = sum(
                        (place.line, place.column) in {change[:2] for change in changes} for place in at
                    )
                    if at:
                        found.append(((1, 1, bool(near), 0, hit), NameSwap(old, new, at, True, False)))
        return [swap for _, swap in sorted(found, key=lambda item: item[0], reverse=True)]

    def _pairs(self, changes: Sequence[Change]) -> list[tuple[str, str]]:
        """What may be meant: what the hunks replace, or were about to."""
        alone = self._brought[0] if len(self._brought) == 1 else ""
        pairs: list[tuple[str, str]] = []
        for _, _, old, new in changes:
            if not _TERM.fullmatch(old) or old in _NO_NAMES:
                continue
            if (
                _TERM.fullmatch(new)
                and new not in _NO_NAMES
                and (new in self._named or new in self._private(old))
            ):
                pairs.append((old, new))
            elif alone.isidentifier():
                pairs.append((old, alone))
        for old in self._standing:
            pairs += [(old, new) for new in self._private(old) or ([alone] if alone else [])]
        return [(old, new) for old, new in dict.fromkeys(pairs) if self._numbers_or_names(old, new)]

    def _numbers_or_names(self, old: str, new: str) -> bool:
        """A number only takes the place of a number that is named."""
        if not old[0].isdigit() and not new[0].isdigit():
            return True
        return old[0].isdigit() and new[0].isdigit() and old in self._standing

    def _changes(self, hunks: Sequence[WindowHunk]) -> Iterator[Change]:
        for hunk in hunks:
            for line, new in zip(range(hunk.first, hunk.last), hunk.new, strict=False):
                one, two = _PIECE.findall(self.lines[line]), _PIECE.findall(new)
                for code, a, b, c, d in SequenceMatcher(None, one, two, autojunk=False).get_opcodes():
                    if code == "replace":
                        yield line, len("".join(one[:a])), "".join(one[a:b]), "".join(two[c:d])

    # -- what the instruction names
    # ----------------------------------------------------------------------------------

    @cached_property
    def _places(self) -> NameOccurrences:
        return NameOccurrences(self.lines, self.headers)

    @cached_property
    def _text(self) -> str:
        return "\n".join(self.lines)

    @cached_property
    def _terms(self) -> list[str]:
        return list(dict.fromkeys(_TERM.findall(self.instruction)))

    @cached_property
    def _named(self) -> frozenset[str]:
        """The terms and their parts."""
        return frozenset([*self._terms, *(part for term in self._terms for part in term.split("."))])

    def _private(self, old: str) -> list[str]:
        """The form with an underscore, where that is what the instruction wants."""
        wanted = not self._brought and _PRIVATE.search(self.instruction)
        return [f"_{old}"] if wanted and re.search(rf"\b(?:def|class) {old}\b", self._text) else []

    @cached_property
    def _wants_all(self) -> bool:
        return _ALL.search(self.instruction) is not None

    @cached_property
    def _standing(self) -> list[str]:
        """What the instruction names and the file has."""
        words = {word.lower(): word for word in _WORD.findall(self._text) if len(word) > 3}
        out = []
        for term in self._terms:
            tries = [term, words.get(term.lower(), term)]
            if term not in self._brought and term.rpartition(".")[2] not in self._brought:
                tries += reversed(term.split("."))
            out += [part for part in tries if part not in _NO_NAMES and self._places.places(part)][:1]
        return list(dict.fromkeys(out))

    @cached_property
    def _brought(self) -> list[str]:
        """Names and numbers that the instruction brings."""
        out = []
        for term in self._terms:
            head, _, last = term.rpartition(".")
            if head and not self._places.places(head):
                term = last
            if not (_CODE_LIKE.fullmatch(term) or re.search(rf"([`'\"]){term}\1", self.instruction)):
                continue
            if not self._places.places(term) and not self._places.places(last):
                out.append(term)
        names = [term for term in out if not term[0].isdigit()]
        stand = any(term[0].isdigit() and self._places.places(term) for term in self._terms)
        return list(dict.fromkeys(names or (out if stand else [])))
