"""How orders for idioms are read: which way is asked for, which of the places that fit are meant, what words say nothing.

Comes in: an order, and `Way`s. Goes out: edits for the places that are meant. Must not know: what any way rewrites.
"""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from spark_tui.refactor.idioms.text import with_import
from spark_tui.refactor.idioms.words import ASIDES, NOISE, mended
from spark_tui.refactor.order import Edit, Order
from spark_tui.refactor.saying import FILLERS, words
from spark_tui.refactor.source import Change, Function, Source

LINES = re.compile(
    r"(?:\b(?:somewhere |right |at |on |in |around |near |about |over |roughly |from |for )*)?\b(?:lines?|ln|l)\.?\s*#?\d+(?:\s*(?:-|–|\.\.|to|and|through|until)\s*(?:lines?\s*|l)?\d+)?(?: or so\b)?",
    re.I,
)
ROUGHLY = re.compile(r"\b(?:around|near|about|roughly|somewhere)\b[^,;.]{0,12}\b(?:line|l)\.?\s*\d|\bor so\b", re.I)
EVERYWHERE = re.compile(
    r"\b(?:everywhere|(?<!use )(?<!with )(?<!be )(?<!to )all(?! of (?:it|this)\b|\()|every|each|throughout|wherever|any place|whole file|entire (?:file|module))\b",
    re.I,
)
_SINGLE = re.compile(
    r"\b(?:the|this|that) (?:f-?string|string|comparison|check|call|test|condition|text|path|if)\b(?! \w*s\b)"
)
"""One place is meant, where otherwise all would be."""
_QUESTION = re.compile(r"^\W*(?:why|what|how|when|where) (?:does|do|did|would|will)\b.*\?\s*$", re.I | re.S)
_OTHER_WAY = re.compile(
    r"\b(?:use|with|by|to|be)\s+[`'\"]?is (?:True|False)\b|\b(?:use|with|by|to|plain|bare)\s+[`'\"]?asserts?[`'\"]?(?: statements?)? (?:instead of|rather than|not|for) [`'\"]?(?:self\.)?assert[A-Z]",
)
"""The way back from what reads better."""
_SUBJECT = re.compile(r"(?:the )?`?(\w+)`?(?:\(\))? (?:should|must|needs to|has to) return the \w+$", re.I)
_ANCHOR = re.compile(
    r"\b(above|before|over|preceding|after|below|under|beneath|behind|following|beside|near|at|around|in)\s+(?:the\s+)?(?:line\s+|comment\s+|statement\s+)?(?:`([^`]+)`|\"([^\"]+)\")",
    re.I,
)
_ORDINAL = re.compile(
    r"\b(first|1st|second|2nd|third|3rd|fourth|last|final|inner(?:most)?|outer(?:most)?|top|bottom)\s+(?:\w+\s+)?(?:loop|for|if|ifs|one|string|print|open|comprehension|condition|call|occurrence|ternary|statement|branch|assignment|return)\b",
    re.I,
)
_NUMBER = {"first": 0, "1st": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "fourth": 3, "last": -1, "final": -1, "top": 0, "bottom": -1,
           "inner": -1, "innermost": -1, "outer": 0, "outermost": 0}  # fmt: skip
_CODE = re.compile(r"`([^`\n]+)`|\"([^\"\n]+)\"|(?<!\w)'([^'\n]+)'(?!\w)|([A-Za-z_][\w.]*\([^\s()]*\))")


@dataclass(frozen=True, slots=True)
class Spot:
    """One place that can be written in another way. `last` is one past its last line, where it is more than the node;
    `names` are what the order may call it by."""

    node: ast.AST
    changes: tuple[Change, ...]
    names: tuple[str, ...] = ()
    last: int = 0
    imports: str = ""
    """A line that the new text needs at the top."""


@dataclass(frozen=True)
class Asked:
    """An order as a way reads it: in lower case, and with small slips mended."""

    order: Order
    text: str

    @property
    def src(self) -> Source:
        return self.order.src

    @cached_property
    def plain(self) -> str:
        """The text without code and names of several parts."""
        return re.sub(r"`[^`]*`|\b\w*_\w*\b|\b\w+\(\)", " ", self.text)

    @cached_property
    def everywhere(self) -> bool:
        return EVERYWHERE.search(self.text) is not None

    def wants(self, new: str, old: str) -> bool | None:
        """Whether the first of two forms (patterns) is asked for, and not the second; None where it is not clear."""
        text = self.text
        away = (
            r"(?:instead of|rather than|not|no|without|replace|turn|convert|change|rewrite|transform|from|rid of|expand|break up|break|split|unroll|unfold|remove|drop|avoid|into|put|against|over|use of|swap|make|why)"
            r"(?: (?:me|up|out|the|this|that|a|an|any|these|those|all|every|each|hand made|hand|made|nested|old|of|such|\w+'s?)){0,4}"
        )
        gone = away.replace("|into|put", "").replace(
            "|make|why", "|stop using|(?:don't|do not|never|no longer) (?:use|want|need)"
        )
        for first, second, answer in ((new, old, True), (old, new, False)):
            arrow = rf"(?:{second})[^.;]*?(?:->|=>|→|\bto\b|\binto\b|\bas\b|\bwith\b|\bby\b|\bshould be\b|\bbecomes?\b|\bcan be\b|\bcould be\b)[^.;]*?(?:{first})"
            if re.search(rf"(?:{first})[^.;]*?\b(?:instead of|rather than|not|no|without)\b[^.;]*?(?:{second})", text):
                return answer
            if re.search(rf"{gone} (?:{second})", text) and not re.search(rf"{gone} (?:{first})", text):
                return answer
            if re.search(arrow, text):
                return answer
        has_new, has_old = re.search(new, text), re.search(old, text)
        if bool(has_new) == bool(has_old):
            return None
        return has_new is not None


@dataclass(frozen=True, slots=True)
class Way:
    """`asked` is searched in the mended order; `words` say what is asked for, and nothing else."""

    asked: re.Pattern[str]
    spots: Callable[[Asked], Iterable[Spot]]
    words: frozenset[str] = frozenset()
    together: bool = False
    """Whether all places are meant where none is named."""


def way(asked: str, spots: Callable[[Asked], Iterable[Spot]], vocabulary: str = "", *, together: bool = False) -> Way:
    return Way(re.compile(asked), spots, frozenset(vocabulary.split()), together)


def answers(order: Order, ways: Sequence[Way], slips: frozenset[str]) -> Iterator[Edit]:
    """What the ways make of an order."""
    if order.src.tree is None or _QUESTION.search(order.instruction) or _OTHER_WAY.search(order.said):
        return
    subject = _SUBJECT.match(order.said)
    if subject is not None and any(node.name == subject[1] for node in order.src.functions):
        return  # its name may be a word for a way: *largest should return the area*
    asked = Asked(order, mended(order.said, order.identifiers, slips))
    for one in ways:
        if one.asked.search(asked.text):
            yield from _edits(asked, one)


def _edits(asked: Asked, one: Way) -> Iterator[Edit]:
    order = asked.order
    spots = sorted(one.spots(asked), key=lambda spot: order.src.first_line(spot.node))
    kept, used = focus(asked, spots, one.words) if spots else ([], [])
    if not kept:
        return
    used += _said_nothing(asked, one)
    if len(kept) > 1 and (asked.everywhere or (one.together and not _SINGLE.search(asked.text))):
        yield _edit(asked, kept, used)
        return
    for spot in kept:
        yield _edit(asked, [spot], used)


def _edit(asked: Asked, spots: Sequence[Spot], used: Sequence[str]) -> Edit:
    order, src = asked.order, asked.src
    changes: list[Change] = []
    pieces, imports = [*used, "no instead rather"], set()
    for spot in spots:
        if any((start < b and a < end) or start == a for start, end, _ in spot.changes for a, b, _ in changes):
            continue
        changes += spot.changes
        first, last = _lines(src, spot)
        pieces += [*spot.names, *src.lines[first:last]]
        pieces += [node.name for node in src.ancestors(spot.node) if isinstance(node, Function | ast.ClassDef)]
        imports |= {spot.imports} - {""}
    if asked.everywhere:
        pieces.append("everywhere all every each throughout wherever occurrences places file module whole entire")
    text = src.changed(changes)
    for line in sorted(imports):
        text = with_import(text, src, line)
    return order.edit_text(text, *pieces)


def _said_nothing(asked: Asked, one: Way) -> list[str]:
    """Words of the order that say where, why, or what this way is for."""
    order = asked.order
    out = [match[0] for match in ASIDES.finditer(order.said)] + [match[0] for match in LINES.finditer(order.said)]
    known = NOISE | one.words
    out += [old for old, new in zip(words(order.said), words(asked.text), strict=False) if new in known or old in known]
    return out


# -- which places --------------------------------------------------------------------------------------------------


def _lines(src: Source, spot: Spot) -> tuple[int, int]:
    return src.first_line(spot.node), max(src.last_line(spot.node), spot.last)


def focus(asked: Asked, spots: list[Spot], known: frozenset[str]) -> tuple[list[Spot], list[str]]:
    """Those that the order points at, and the words with which it does."""
    order, src = asked.order, asked.src
    used: list[str] = []
    kept = _by_lines(asked, spots)
    if kept and order.selection is not None and not order.numbered:
        kept = _starting(src, kept, [order.selection])
    if kept:
        kept, names = _by_definition(order, kept, known)
        used += names
    if len(kept) > 1:
        kept = _by_anchor(order, kept)
    if len(kept) > 1:
        kept = _by_names(order, kept, known)
    if len(kept) > 1 and (match := _ORDINAL.search(asked.text)):
        at = _NUMBER[match[1].lower()]
        kept = kept[at:][:1] if at < len(kept) else []
        used.append(match[1])
    if len(kept) > 1 and order.selection is None and order.cursor is not None:
        cursor = (order.cursor, order.cursor + 1)
        kept = _starting(src, kept, [cursor]) or kept
    used += [
        f"{one[1]} {one[2] or one[3]}" for one in _ANCHOR.finditer(order.said) if _quoted_line(src, one) is not None
    ]
    return kept, used


def _starting(src: Source, spots: list[Spot], ranges: Sequence[tuple[int, int]]) -> list[Spot]:
    """Those that begin in one of the ranges; else the smallest that holds some of it."""
    begin = [one for one in spots if any(a <= _lines(src, one)[0] < b for a, b in ranges)]
    if begin:
        return begin
    over = [one for one in spots if any(_lines(src, one)[0] < b and a < _lines(src, one)[1] for a, b in ranges)]
    size = min((_lines(src, one)[1] - _lines(src, one)[0] for one in over), default=0)
    return [one for one in over if _lines(src, one)[1] - _lines(src, one)[0] == size]


def _by_lines(asked: Asked, spots: list[Spot]) -> list[Spot]:
    order = asked.order
    if not order.numbered:
        return spots if not LINES.search(order.said) else []
    kept = _starting(order.src, spots, order.numbered)
    if not kept and ROUGHLY.search(asked.text):
        line = order.numbered[0][0]
        near = sorted(spots, key=lambda spot: abs(_lines(order.src, spot)[0] - line))
        kept = [spot for spot in near[:1] if abs(_lines(order.src, spot)[0] - line) <= 3]
    return kept


def _by_definition(order: Order, spots: list[Spot], known: frozenset[str]) -> tuple[list[Spot], list[str]]:
    said = set(re.findall(r"[^\W\d]\w*", order.said))
    plain = FILLERS | NOISE | known
    named = order.definitions() or [
        node for node in order.src.functions if node.name in said and node.name.lower() not in plain
    ]
    if not named:
        return spots, []
    held = [
        [node for node in named if node is spot.node or node in set(order.src.ancestors(spot.node))] for spot in spots
    ]
    most = max(map(len, held))
    used = [node.name for node in named]
    for node in named:  # `Class.method` where the class is not shown
        used += [match[0] for match in re.finditer(rf"(?:\w+(?:\.py)?(?:\.|::))+{re.escape(node.name)}\b", order.said)]
        used += re.findall(
            rf"\b{re.escape(node.name)}\W{{0,3}}\s+(?:in|of|from)\s+(?:the\s+)?(?:class\s+)?\W?([A-Z]\w+)", order.said
        )
    if not most:
        place = r"\b(?:in|inside|within|of|from|function|method|func|fn|class)\s+(?:the\s+)?(?:function\s+|method\s+|func\s+|fn\s+|class\s+)?[`'\"]?(?:\w+\.)*"
        first = r"^(?:the\s+)?[`'\"]?{0}\b(?=[`'\":(,]| (?:should|could|can|must|needs?|has|uses?|may|is|does|would)\b)|\b{0}\(\)"
        strict = any(
            re.search(place + re.escape(node.name) + r"\b", order.said)
            or re.search(first.format(re.escape(node.name)), order.said)
            for node in named
        )
        return ([] if strict else spots), []
    return [spot for spot, inside in zip(spots, held, strict=True) if len(inside) == most], used


def _quoted_line(src: Source, match: re.Match[str]) -> int | None:
    """The one line that an anchor quotes."""
    quoted = (match[2] or match[3]).strip()
    found = [number for number, line in enumerate(src.lines) if line.strip() == quoted]
    found = found or [number for number, line in enumerate(src.lines) if len(quoted) > 5 and quoted in line]
    return found[0] if len(found) == 1 else None


def _by_anchor(order: Order, spots: list[Spot]) -> list[Spot]:
    src = order.src
    for match in _ANCHOR.finditer(order.said):
        line = _quoted_line(src, match)
        if line is None:
            continue
        side = match[1].lower()
        ahead = side in ("above", "before", "over", "preceding")
        level = side in ("near", "at", "around", "in", "beside")
        reach = [
            (abs(_lines(src, spot)[0] - line), number)
            for number, spot in enumerate(spots)
            if level or (_lines(src, spot)[0] < line if ahead else _lines(src, spot)[0] > line)
        ]
        if reach:
            return [spots[min(reach)[1]]]
    return spots


def _by_names(order: Order, spots: list[Spot], known: frozenset[str]) -> list[Spot]:
    """Those that hold most of the code and the names that the order spells."""
    src = order.src
    code = [next(one for one in groups if one) for groups in _CODE.findall(order.said)]
    squeezed = [re.sub(r"\s+", "", one) for one in code]
    definitions = {node.name for node in order.definitions()}
    names = [
        name
        for name in order.names
        if name not in definitions and not keyword.iskeyword(name) and (name.lower() not in FILLERS | NOISE | known)
    ]
    weights = []
    for spot in spots:
        first, last = _lines(src, spot)
        text = "\n".join(src.lines[first:last])
        tight, has = re.sub(r"\s+", "", text), set(re.findall(r"[^\W\d]\w*", text))
        weight = 1.0 * sum(3 for one in squeezed if one in tight)
        weight += sum(1 for name in names if name in has)
        said = [name for name in order.names if name in spot.names]
        weight += sum(4 if name in code or name.lower() not in FILLERS else 0.5 for name in said)
        weights.append(weight)
    best = max(weights)
    return [spot for spot, weight in zip(spots, weights, strict=True) if weight == best]
