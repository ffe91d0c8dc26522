"""A change with holes, matched and filled: `Optional[◦]` becomes `◦ | None`."""

from __future__ import annotations

import keyword
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from spark_tui.next_edit.tokens import CLOSING, NEWLINE, OPENING, Tokens, is_anchor, is_word

_MOST_HOLE_TOKENS = 120

Element = str | int
"""A token, or the number of a hole: one expression, or all arguments of a call where it is in `wide`."""


@dataclass(frozen=True, slots=True)
class Part:
    """An element of the new form. `gap` are the blanks in front of it; `origin` is the element of the old
    form that it is, whose own blanks are kept; `instead` is the one that went from there and had the same
    blanks."""

    element: Element
    gap: str = ""
    origin: int = -1
    instead: int = -1


@dataclass(frozen=True)
class Template:
    """What stands there and what it becomes. `member` is whether a place has to stand after a dot, `prose`
    whether in a comment or long string; None: either."""

    old: tuple[Element, ...]
    new: tuple[Part, ...]
    wide: frozenset[int] = frozenset()
    indent: str = ""
    member: bool | None = None
    prose: bool | None = None
    at: int = 0
    """The element at which the change begins."""

    @property
    def anchors(self) -> list[str]:
        """The words that a file must have, the longest first."""
        words = [item for item in self.old if isinstance(item, str) and item != NEWLINE]
        named = [word for word in words if is_anchor(word)]
        return sorted(named or words, key=len, reverse=True)

    @property
    def literals(self) -> int:
        """How many tokens must be there to the letter."""
        return sum(isinstance(item, str) and item != NEWLINE for item in self.old)

    @property
    def has_name(self) -> bool:
        """Whether it says more than keywords and signs: those stand everywhere."""
        return any(
            isinstance(item, str) and is_anchor(item) and not keyword.iskeyword(item) for item in self.old
        )

    @property
    def new_elements(self) -> tuple[Element, ...]:
        return tuple(item.element for item in self.new)

    @property
    def words(self) -> str:
        """The form in a few words."""
        return f"{_shown(self.old)} → {_shown(self.new_elements) or 'nothing'}"


@dataclass(frozen=True, slots=True)
class Match:
    """Tokens `first..last-1` of a file, and the tokens that fill the holes."""

    first: int
    last: int
    holes: dict[int, tuple[int, int]]
    places: tuple[int, ...]
    """Where each element begins."""


def _shown(elements: Sequence[Element]) -> str:
    words = [
        "…" if isinstance(element, int) else "⏎" if element == NEWLINE else element for element in elements
    ]
    out = ""
    for word in words:
        tight = not out or word in ")],.:([" or out[-1] in "([.@" or (out.endswith("…") and word in "([")
        out += word if tight else f" {word}"
    return out if len(out) <= 60 else f"{out[:59]}…"


# -- matching ------------------------------------------------------------------------------------------


def matches(template: Template, tokens: Tokens, low: int = 0, high: int | None = None) -> Iterator[Match]:
    """The places of a form in a file that begin between two tokens; they do not overlap."""
    old, lead = template.old, 0
    if isinstance(old[0], int):
        old, lead = old[1:], 1
    first = old[0]
    assert isinstance(first, str)
    anchor_at = old.index(template.anchors[0])
    simple = all(isinstance(item, str) for item in old[: anchor_at + 1])
    word, shift = (str(old[anchor_at]), anchor_at) if simple else (first, 0)
    done = 0
    for at in tokens.positions(word, low + shift, None if high is None else high + shift):
        start = at - shift
        if start < done:
            continue
        found = _matched(template, old, tokens, start, lead)
        if found is not None and found.first >= done:
            yield found
            done = found.last


def _matched(
    template: Template, old: Sequence[Element], tokens: Tokens, start: int, lead: int
) -> Match | None:
    holes: dict[int, tuple[int, int]] = {}
    low = start
    if lead:
        low = _primary_start(tokens.texts, start)
        if low == start:
            return None
        lead_hole = template.old[0]
        assert isinstance(lead_hole, int)
        holes[lead_hole] = (low, start)
    if template.member is not None and (low > 0 and tokens.texts[low - 1] == ".") is not template.member:
        return None
    if template.prose is not None and (low in tokens.prose) is not template.prose:
        return None
    places: list[int] = [low] if lead else []
    end = _rest(template, old, tokens.texts, start, holes, places)
    return Match(low, end, holes, tuple(places)) if end is not None else None


def _rest(
    template: Template,
    old: Sequence[Element],
    texts: list[str],
    at: int,
    holes: dict[int, tuple[int, int]],
    places: list[int],
) -> int | None:
    """Match the elements from a token on; fills `holes` and `places`. Returns the end."""
    for index, element in enumerate(old):
        places.append(at)
        if isinstance(element, str):
            if at >= len(texts) or texts[at] != element:
                return None
            at += 1
            continue
        known = holes.get(element)
        if known is not None:
            length = known[1] - known[0]
            if texts[at : at + length] != texts[known[0] : known[1]]:
                return None
            at += length
            continue
        for end in _hole_ends(texts, at, wide=element in template.wide):
            inner, deeper = {**holes, element: (at, end)}, list(places)
            found = _rest(template, old[index + 1 :], texts, end, inner, deeper)
            if found is not None:
                holes.update(inner)
                places[:] = deeper
                return found
        return None
    return at


def _hole_ends(texts: list[str], at: int, *, wide: bool) -> Iterator[int]:
    """Where a run that starts here may end: outside of brackets, in one logical line."""
    depth = 0
    if wide:
        yield at
    for end in range(at, min(at + _MOST_HOLE_TOKENS, len(texts))):
        word = texts[end]
        if word in OPENING:
            depth += 1
        elif word in CLOSING:
            depth -= 1
            if depth < 0:
                return
        elif word == NEWLINE or (word == "," and depth == 0 and not wide):
            return
        if depth == 0:
            yield end + 1


def _primary_start(texts: list[str], end: int) -> int:
    """Where the name, call or item that ends before a token begins."""
    at = end
    while at > 0:
        word = texts[at - 1]
        if word in CLOSING:
            depth = 0
            while at > 0:
                at -= 1
                depth += (texts[at] in CLOSING) - (texts[at] in OPENING)
                if depth == 0:
                    break
            if at > 0 and (is_word(texts[at - 1]) or texts[at - 1] in CLOSING):
                continue
        elif (is_word(word) and not keyword.iskeyword(word)) or (is_anchor(word) and not is_word(word)):
            at -= 1
        else:
            return at
        if at > 0 and texts[at - 1] == ".":
            at -= 1
            continue
        return at
    return at


def changed_token(template: Template, found: Match) -> int:
    """The token of a match at which the change begins."""
    return found.places[template.at] if template.at < len(found.places) else found.last


def fill(template: Template, tokens: Tokens, found: Match) -> str:
    """What the tokens of a match become."""
    out: list[str] = []
    here = tokens.indent(changed_token(template, found))
    for at, part in enumerate(template.new):
        if at:
            before = template.new[at - 1]
            beside = part.origin >= 1 and before.origin == part.origin - 1
            own = part.origin if beside else part.instead
            gap = tokens.gap(found.places[own]) if own > 0 else part.gap
            new_line = "\n" in gap or before.element == NEWLINE
            out.append(_moved(gap, template.indent, here) if new_line and own <= 0 else gap)
        if isinstance(part.element, int):
            low, high = tokens.span(*found.holes[part.element])
            out.append(tokens.text[low:high])
        elif part.element == NEWLINE:
            out.append(tokens.newline)
        else:
            out.append(part.element)
    return "".join(out)


def span(template: Template, tokens: Tokens, found: Match) -> tuple[int, int]:
    """The characters that `fill` replaces: with the blanks around them where nothing takes their place."""
    start, end = tokens.span(found.first, found.last)
    if template.new:
        return start, end
    gap = tokens.gap(found.first)
    whole_line = template.old[-1] == NEWLINE
    blanks = gap if "\n" not in gap else gap.rpartition("\n")[2] if whole_line else ""
    return start - len(blanks), end


def _moved(gap: str, base: str, here: str) -> str:
    """Blanks at the start of a line, for a place that is indented otherwise."""
    head, end, indent = gap.rpartition("\n")
    return f"{head}{end}{here}{indent[len(base) :]}" if indent.startswith(base) else gap
