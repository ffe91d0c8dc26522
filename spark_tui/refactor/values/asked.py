"""An order about values, taken apart: where, which words are left, what is a piece of code in it.

Comes in: an `Order`. Goes out: the lines that are meant, the words without that place, the items (values, quoted code,
operators, names) with marks in their stead. Must not know: which edit is wanted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from spark_tui.refactor import literals
from spark_tui.refactor.order import Edit, Order
from spark_tui.refactor.saying import FILLERS, words
from spark_tui.refactor.source import Change, Definition
from spark_tui.refactor.values.spelled import expressions

_NOISE = re.compile(
    r"^\W*(?:(?:hm+|oh|look at|ah|yo|hey|hi|hello|actually|basically|right|well|note|minor|nit|btw|by the way|imo|imho|fix|bug|fyi|todo|sorry|again|let me think\W*|small change|tiny thing|one (?:more )?thing|quick one|what i want|new requirement|from the review|review comment|reviewer says|the reviewer wants|docs say|wording|typo|i'?m supposed to|i looked at this file again|don'?t worry about \w+(?: \w+)?|it fails because|for the \w+(?: \w+)?(?=:)|at the end|also|the (?:customer|user|team|product) wants (?:that|it)(?: like this)?(?: so)?|yo|tiny? thing|i'?d like|maybe)\b[\s:,.!-]*|\d+\. )+"
    r"|[\s,;.!(-]*\b(?:(?:please|pls|thx|thanks|ok\??|imo|imho|i (?:think|guess|believe|suppose|mean)|i'?d say|no other changes?|nothing (?:else|more)|leave the rest(?: alone| as it is)?|don'?t (?:reformat|ask why|touch anything else)|(?:for|because of) (?:consistency|readability|the \w+)|as (?:discussed|agreed|requested)|that'?s (?:it|all)|at the end|shouldn'?t be hard|should be easy|(?:the )?(?:customer|user|team|product|docs?) (?:wants?|says?) .*|(?:otherwise|so that|so) the \w+ \w+|after all|change it|fix (?:it|that)|update the call|my bad|make that the condition|my bad.*|if you can|will explain later|closes? #\d+|(?:cf|see)\.? #\d+|(?:because|cause|cuz|since|it'?s what)\b[^`\"']*)[\s,;.!)-]*)+$",
    re.I,
)
_LINE = re.compile(
    r"[(,]?\s*(?:\b(?:right |just )?(?:in|on|at|from|of|near|around|about|see|down at)\s+)?(?:the\s+)?\b(?:lines?|ln|L)\.?\s*#?(?P<first>\d+)(?:\s*(?:-|–|\.\.|to|through)\s*(?:lines?\s*)?(?P<last>\d+))?\s*(?:or so|ish)?\s*\)?",
    re.I,
)
_LOOSELY = re.compile(r"\b(?:near|around|about|or so|ish|somewhere)\b", re.I)
_THIS = re.compile(
    r"[(,]?\s*\b(?:(?:over |down |right )?(?:in|inside|within|of|from)\s+(?:(?:this|the|that|my)\s+)?(?:function|fn|method|def|func|class|body|file|module|code|selection|loop here)\b|\b(?:right )?here\b)(?!\s+[`'\"]?\w+(?:\(|_))\)?",
    re.I,
)
_BESIDE = re.compile(
    r"[(,]?\s*\b(?:just |right |directly )?(?P<side>above|below|before|after|under|over|beneath|behind)\s+(?:the line\s+)?(?:`(?P<ticked>[^`]+)`|(?P<bare>[^`]{4,}?))(?=\)|$|,? (?:should|must|needs?)\b)\)?",
    re.I,
)
_CALLED = re.compile(
    r"\b(?:instead of|rather than|in place of)\s+(?:calling\s+)?(?:the\s+)?([a-z]\w+)(?=\s*(?:$|\(|,|\.$|in\b))"
)
_NAME = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*|\[\w+\])*(?:\(\))?")
MARK = "\u27e6{}\u27e7"
"""What stands for an item in `masked`."""
ITEM = r"\u27e6(\d+)\u27e7"


@dataclass(frozen=True, slots=True)
class Item:
    """A piece of code in the order. `source` is Python; `kind` is value, code, name, or unsure: it may be English."""

    source: str
    kind: str
    said: str
    value: literals.Said | None = None


@dataclass
class Asked:
    """`text` is the order without place and noise; `first..last-1` are the lines that it keeps to."""

    order: Order
    text: str
    first: int
    last: int
    used: tuple[str, ...]
    here: bool = False
    """Whether a place is said at all."""
    items: list[Item] = field(default_factory=list)
    masked: str = ""

    def edit(self, changes: list[Change], *used: str) -> Edit:
        return self.order.edit(changes, *self.used, *used)

    def inside(self, lineno: int) -> bool:
        """Whether a line of the tree (from 1, with headers) is meant."""
        return self.first <= lineno - 1 - len(self.order.src.headers) < self.last

    def role_words(self, masked: str, nothing: frozenset[str] = frozenset()) -> tuple[list[str], list[str]]:
        """Words of a masked piece that say something, and those that stand in a table of words that do not."""
        said: list[str] = []
        known: list[str] = []
        for word in words(re.sub(ITEM, " ", masked)):
            if word in nothing:
                known.append(word)
            elif word not in FILLERS:
                said.append(word)
        return said, known


def asked(order: Order) -> Asked:
    """What is asked, with the place taken off; taken apart once for all rules."""
    kept = vars(order).get("_asked")
    if not isinstance(kept, Asked):
        kept = vars(order)["_asked"] = _taken_apart(order)
    return kept


def _taken_apart(order: Order) -> Asked:
    used: list[str] = []
    text = order.said
    for _ in range(3):
        match = _NOISE.search(text)
        if match is None or match[0] == text or not match[0].strip():
            break
        used.append(match[0])
        text = (text[: match.start()] + " " + text[match.end() :]).strip()
    first, last, here = 0, len(order.src.lines), False
    if order.selection is not None:
        first, last, here = *order.selection, True
    for found, span, low, high in _places(order, text):
        if here and not (first <= low and high <= last) and not (low <= first and last <= high):
            continue
        used.append(found)
        text = text[: span[0]] + " " * (span[1] - span[0]) + text[span[1] :]
        if not here or (first <= low and high <= last):
            first, last = low, high
        here = True
    for match in _NOISE.finditer(text.strip()):
        if match[0].strip() and match[0].strip() != text.strip():
            used.append(match[0])
            text = text.strip().replace(match[0], " ", 1)
            break
    this = _THIS.search(text)
    if this is not None:
        used.append(this[0])
        text = f"{text[: this.start()]} {text[this.end() :]}"
        if not here and order.here is not None:
            first, last = order.scope()
    out = Asked(order, re.sub(r"\s+", " ", text).strip(" ,;:"), first, last, tuple(used), here)
    out.items, out.masked = _items(out.text, order.identifiers)
    return out


def _places(order: Order, text: str) -> Iterator[tuple[str, tuple[int, int], int, int]]:
    """What says a place, where it is said, and the lines: the wider ones first."""
    src = order.src
    yield from _definition_places(order, text)
    for match in _LINE.finditer(text):
        first = int(match["first"]) - order.first_line
        last = int(match["last"]) - order.first_line if match["last"] else first
        if 0 <= first <= last < len(src.lines):
            loose = 2 if _LOOSELY.search(match[0]) else 0
            yield match[0], match.span(), max(first - loose, 0), min(last + 1 + loose, len(src.lines))
    for number, line in enumerate(src.lines):
        code = line.strip()
        if len(code) >= 8 and code in text and src.lines.count(line) == 1:
            around = re.search(
                rf"[(,]?\s*\b(?:(?:in|on|at|of)\s+(?:the\s+)?(?:line\s+)?|the line\s+)`?{re.escape(code)}`?(?:\s+line\b)?\s*\)?",
                text,
                re.I,
            )
            if around is not None:
                yield around[0], around.span(), number, number + 1
    beside = _BESIDE.search(text)
    if beside is not None:
        code = (beside["ticked"] or beside["bare"]).strip().rstrip(".,:")
        rows = [number for number, line in enumerate(src.lines) if code and code in line.strip()]
        if len(rows) == 1 and (beside["ticked"] or " " in code or "(" in code):
            up = beside["side"].lower() in ("above", "before", "over")
            low, high = (max(rows[0] - 8, 0), rows[0]) if up else (rows[0] + 1, min(rows[0] + 9, len(src.lines)))
            yield beside[0], beside.span(), low, high


def _definition_places(order: Order, text: str) -> Iterator[tuple[str, tuple[int, int], int, int]]:
    every: list[Definition] = [*order.src.functions, *order.src.classes]
    if not every:
        return
    forms: dict[str, list[Definition]] = {}
    for node in every:
        forms.setdefault(node.name.lower(), []).append(node)
        in_words = re.sub(r"[_\s]+", " ", node.name).strip().lower()
        if " " in in_words:
            forms.setdefault(in_words, []).append(node)
            forms.setdefault(in_words.replace(" ", "-"), []).append(node)
    low = text.lower()
    forms = {name: nodes for name, nodes in forms.items() if name in low}
    if not forms:
        return
    names = "|".join(re.escape(name) for name in sorted(forms, key=len, reverse=True))
    kind = r"(?:function|method|fn|func|def|class|test|body|handler|endpoint|helper|constructor)"
    quote = r"[`'\"]?"
    one = rf"(?P<q>{quote})(?:(?P<outer>\w+)\.)?(?P<name>{names})(?:\(\))?{quote}(?:\(\))?(?:'s)?"
    place = re.compile(
        rf"[(,]?\s*(?:\b(?:over|down|up|see|look at|as returned by|when calling)\s+)?\b(?:in|inside|within|insiide|of|from|at|for|under|see|look at|by|on|about)\s+(?:(?:the\s+)?(?:body|head|signature|definition|call|top|end)\s+of\s+)?(?:the\s+|my\s+)?(?:{kind}\s+)?{one}(?:\s+{kind})?(?![\w(.])\s*\)?"
        rf"|^\s*(?:the\s+)?(?:{kind}\s+)?{one.replace('?P<q>', '?:').replace('?P<outer>', '?P<outer2>').replace('?P<name>', '?P<name2>')}(?:\s+{kind})?\s*[:,]\s+",
        re.I,
    )  # fmt: skip
    for match in place.finditer(text):
        name = (match["name"] or match["name2"]).lower()
        outer = (match["outer"] or match["outer2"] or "").lower()
        found = [node for node in forms[name] if not outer or _inside(order, node, outer)] or []
        if len(found) == 1:
            yield match[0], match.span(), order.src.first_line(found[0]), order.src.last_line(found[0])


def _inside(order: Order, node: Definition, name: str) -> bool:
    around = [getattr(one, "name", "").lower() for one in order.src.ancestors(node)]
    return name in around


def _items(text: str, known: frozenset[str]) -> tuple[list[Item], str]:
    """Pieces of code in their order, and the text with marks for them."""
    found: list[tuple[int, int, Item]] = []

    def free(start: int, end: int) -> bool:
        return not any(start < b and a < end for a, b, _ in found)

    for said in literals.values(text):
        piece = text[said.start : said.end]
        found.append((said.start, said.end, Item(said.source, "value", piece, said)))
    for match in re.finditer(r"`([^`\n]+)`", text):
        if free(*match.span()):
            code = match[1].strip()
            if re.fullmatch(r"[^\w\s]{1,2}", code):
                sign = literals.Said(*match.span(), repr(code), quoted=True)
                found.append((*match.span(), Item(sign.source, "value", match[0], sign)))
            else:
                found.append((*match.span(), Item(code, "code", match[0])))
    for start, end, sure in expressions(text, known):
        inside = [one for one in found if start < one[1] and one[0] < end]
        if all(start <= one[0] and one[1] <= end for one in inside) and "`" not in text[start:end]:
            found = [one for one in found if one not in inside]
            found.append((start, end, Item(text[start:end].strip(), "code" if sure else "unsure", text[start:end])))
    for match in _NAME.finditer(text):
        spelled = (
            "_" in match[0]
            or "." in match[0]
            or "(" in match[0]
            or re.search(r"[a-z][A-Z]", match[0])
            or (match[0].isupper() and len(match[0]) > 2 and match[0] in known)
        )
        if spelled and free(*match.span()):
            found.append((*match.span(), Item(match[0].removesuffix("()"), "name", match[0])))
    for match in _CALLED.finditer(text):
        if free(*match.span(1)) and match[1] in known:
            found.append((*match.span(1), Item(match[1], "name", match[1])))
    found.sort(key=lambda one: one[0])
    out, at = "", 0
    for number, (start, end, _) in enumerate(found):
        out += text[at:start] + MARK.format(number)
        at = end
    return [item for _, _, item in found], out + text[at:]


def slipped(word: str, table: frozenset[str]) -> bool:
    """Whether a word is one of a table with a slip of one letter: two that changed places, one too many or missing."""
    if len(word) < 4 or not word.isalpha() or word in table:
        return False
    if any(word[:at] + word[at + 1 :] in table for at in range(1, len(word)) if len(word) > 4):
        return True
    return any(word[:at] + word[at + 1] + word[at] + word[at + 2 :] in table for at in range(len(word) - 1))
