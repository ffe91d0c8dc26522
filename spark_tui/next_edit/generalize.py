"""Templates made of examples: what stayed, or differs between two of them, becomes holes."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from spark_tui.next_edit.changes import Change
from spark_tui.next_edit.template import Element, Match, Part, Template, changed_token, fill, matches
from spark_tui.next_edit.tokens import CLOSING, NEWLINE, OPENING, Tokens, balanced, is_anchor, is_word

_MOST_WINDOW = 160
_MOST_COLLAPSED = 24


def window(change: Change, low: int, high: int, *, keep: bool, wide: int = -1) -> Template | None:
    """The template of one change in the tokens `low..high-1` of the text before. `keep`: what stayed inside
    the change is part of the form; else it is a hole. `wide`: the token at which a hole for all arguments
    begins, up to the change or from its end on."""
    left, right = change.old[0] - low, high - change.old[1]
    start, end = change.new[0] - left, change.new[1] + right
    if left < 0 or right < 0 or start < 0 or end > len(change.after) or high > len(change.before):
        return None
    old, new = change.before.texts, change.after.texts
    if old[low : change.old[0]] != new[start : change.new[0]]:
        return None
    if old[change.old[1] : high] != new[change.new[1] : end] or high - low > _MOST_WINDOW:
        return None
    maker = _Maker(change)
    maker.same(low, change.old[0], start, hole=wide)
    last = None
    for a, b, c, d in change.runs:
        if last is not None:
            maker.kept(last[1], a, last[3], keep=keep)
        maker.went(a, b)
        maker.came(c, d)
        last = (a, b, c, d)
    maker.same(change.old[1], high, change.new[1], hole=wide)
    return maker.template(low)


class _Maker:
    def __init__(self, change: Change) -> None:
        self.change = change
        self.old: list[Element] = []
        self.new: list[Part] = []
        self.wide: set[int] = set()
        self.holes = 0
        self.at = -1
        self.gone: tuple[int, str] | None = None
        """The element that went last without one in its place, and the blanks in front of it."""

    def _add(self, element: Element, token: int, origin: int = -1) -> None:
        """Add a token of the text after to the new form."""
        gap, instead = self.change.after.gap(token), -1
        if self.gone is not None:
            instead = self.gone[0] if self.gone[1] == gap else -1
            self.gone = None
        self.new.append(Part(element, gap, origin, instead))

    def same(self, low: int, high: int, start: int, hole: int = -1) -> None:
        """Tokens of both sides to the letter; from `hole` on one hole, if it lies in them."""
        before = self.change.before.texts
        for at in range(low, high):
            if at == hole:
                # All arguments up to the change, or from it to the bracket that closes.
                stop = high if high == self.change.old[0] else high - 1
                self._hole(start + at - low, wide=True)
                self.same(stop, high, start + stop - low)
                return
            self._add(before[at], start + at - low, len(self.old))
            self.old.append(before[at])

    def kept(self, low: int, high: int, start: int, *, keep: bool) -> None:
        words = self.change.before.texts
        first, last = low, high
        while first < last and not is_anchor(words[first]) and words[first] not in OPENING:
            first += 1
        while last > first and not is_anchor(words[last - 1]) and words[last - 1] not in CLOSING:
            last -= 1
        inner = words[first:last]
        if keep or not inner or not balanced(inner) or NEWLINE in inner:
            self.same(low, high, start)
            return
        self.same(low, first, start)
        self._hole(start + first - low, wide="," in inner)
        self.same(last, high, start + last - low)

    def _hole(self, token: int, *, wide: bool) -> None:
        number = self.holes
        self.holes += 1
        if wide:
            self.wide.add(number)
        self._add(number, token, len(self.old))
        self.old.append(number)

    def went(self, low: int, high: int) -> None:
        self.at = len(self.old) if self.at < 0 else self.at
        if low < high:
            self.gone = len(self.old), self.change.before.gap(low)
        self.old += self.change.before.texts[low:high]

    def came(self, low: int, high: int) -> None:
        for at in range(low, high):
            self._add(self.change.after.texts[at], at)

    def template(self, low: int) -> Template | None:
        if not any(isinstance(item, str) and item != NEWLINE for item in self.old):
            return None
        if isinstance(self.old[-1], int):
            return None
        before = self.change.before
        member = low > 0 and before.texts[low - 1] == "." if is_word(before.texts[low]) else None
        return Template(
            tuple(self.old),
            tuple(self.new),
            frozenset(self.wide),
            self.change.after.indent(self.change.new[0]),
            member,
            low in before.prose,
            self.at,
        )


def unified(first: Change, second: Change) -> Template | None:
    """The template of two changes that differ: where their old tokens differ there are holes, which must fill
    the new ones in both."""
    one, two = first.old_texts, second.old_texts
    base = window(first, *first.old, keep=True)
    if base is None or not two or len(one) + len(two) > _MOST_WINDOW:
        return None
    holes: list[tuple[list[str], list[str]]] = []
    old: list[Element] = []
    for tag, a, b, c, d in SequenceMatcher(None, one, two, autojunk=False).get_opcodes():
        if tag == "equal":
            old += one[a:b]
            continue
        pair = (one[a:b], two[c:d])
        if tag != "replace" or not all(balanced(side) and NEWLINE not in side for side in pair):
            return None
        if pair not in holes:
            holes.append(pair)
        old.append(holes.index(pair))
    if not any(isinstance(x, str) and is_anchor(x) for x in old) or isinstance(old[-1], int) or not holes:
        return None
    parts = _with_holes(list(base.new), [pair[0] for pair in holes])
    others = _with_holes([Part(word) for word in second.new_texts], [pair[1] for pair in holes])
    if [part.element for part in parts] != [part.element for part in others]:
        return None
    wide = frozenset(at for at, pair in enumerate(holes) if "," in pair[0] or "," in pair[1])
    old, parts = _collapsed(old, parts, len(holes))
    return Template(tuple(old), tuple(parts), wide, base.indent, base.member, base.prose)


def _collapsed(old: list[Element], new: list[Part], number: int) -> tuple[list[Element], list[Part]]:
    """The form with one hole for each expression around holes that stays whole: `◦(◦)` on both sides is
    `◦`."""
    length = min(len(old) - 1, _MOST_COLLAPSED)
    while length > 1:
        for at in range(len(old) - length + 1):
            run = old[at : at + length]
            words = [element for element in run if isinstance(element, str)]
            holes = sum(isinstance(element, int) for element in run)
            if not holes or len(run) == holes or not balanced(words) or NEWLINE in words:
                continue
            if _comma_outside(run) or not _is_primary(run):
                continue
            elements = [part.element for part in new]
            there = [spot for spot in range(len(new) - length + 1) if elements[spot : spot + length] == run]
            if (
                len(there) == 1
                and sum(element in elements for element in run if isinstance(element, int)) == holes
            ):
                spot = there[0]
                rest = [*new[:spot], Part(number, new[spot].gap), *new[spot + length :]]
                return _collapsed([*old[:at], number, *old[at + length :]], rest, number + 1)
        length -= 1
    return old, new


def _comma_outside(run: Sequence[Element]) -> bool:
    depth = 0
    for element in run:
        depth += (element in OPENING) - (element in CLOSING)
        if element == "," and depth == 0:
            return True
    return False


def _is_primary(run: Sequence[Element]) -> bool:
    """Whether it is a name, a call or an item: a word or a hole, and words or brackets after it."""
    first = run[0]
    return (isinstance(first, int) or is_anchor(first)) and all(
        isinstance(element, int) or is_anchor(element) or element in (".", ",", *OPENING, *CLOSING)
        for element in run
    )


def _with_holes(parts: list[Part], runs: list[list[str]]) -> list[Part]:
    """New parts with each run of tokens replaced by its hole, the longest first."""
    for number, run in sorted(enumerate(runs), key=lambda item: -len(item[1])):
        at = 0
        while at + len(run) <= len(parts):
            if [part.element for part in parts[at : at + len(run)]] == run:
                parts[at : at + len(run)] = [Part(number, parts[at].gap)]
            at += 1
    return [Part(part.element, part.gap) for part in parts]


def explains(template: Template, change: Change) -> bool:
    """Whether the template makes this change: somewhere around it the form stood and became what is there."""
    return match_of(template, change) is not None


def match_of(template: Template, change: Change) -> Match | None:
    """Where the form stood that a change is an example of."""
    first = max(change.old[0] - _MOST_WINDOW, 0)
    for found in matches(template, change.before, first, change.old[0] + 1):
        if not found.first <= change.old[0] <= change.old[1] <= found.last:
            continue
        left, right = change.old[0] - found.first, found.last - change.old[1]
        wanted = change.after.texts[change.new[0] - left : change.new[1] + right]
        made = Tokens(fill(template, change.before, found)).texts
        if [word for word in made if word != NEWLINE] == [word for word in wanted if word != NEWLINE]:
            return found
    return None


def contradicts(template: Template, example: Change, change: Change) -> bool:
    """Whether something else was made of a place of the form than the example of it says."""
    if not set(change.shape).isdisjoint(example.shape) or explains(template, change):
        return False
    first = max(change.old[0] - _MOST_WINDOW, 0)
    changed = [
        changed_token(template, match) for match in matches(template, change.before, first, change.old[1])
    ]
    return any(low <= at < high for at in changed for low, high, _, _ in change.runs)
