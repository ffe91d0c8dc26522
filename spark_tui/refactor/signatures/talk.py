"""What is said about a definition: which one is meant, which of its parameters, and which words then are left.

Comes in: an order. Goes out: targets, each with the order in which names have become marks. Must not know: edits.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from spark_tui.refactor.order import Edit, Order
from spark_tui.refactor.saying import FILLERS, words
from spark_tui.refactor.source import Change, Definition, Function, Source

TARGET, PARAMETER = "Ƒ", "Ƥ"
"""Marks: the definition that is meant; parameter number N of it is `ƤN`."""
QUOTE = "`'\""
_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_BEFORE = re.compile(
    r"\b(?:(?:in|of|to|from|for|on|onto|above|over|off|inside|within|make|mark|declare|decorate|let|give|gives|turn|convert|change|annotate|type|untype|hint|into|is|can|should|could|call(?:s|ing|ers)? of|"
    r"signature of|body of|def(?:inition)? of|head of)\s+(?:the\s+)?(?:whole\s+)?|(?:function|method|fn|func|def|class|fixture|test|coroutine)\s+|(?:async|wrap|asyncify|async-ify|say|that|why is|why does|let|swap|has|every|each|make)\s+)$",
    re.I,
)
_BEHIND = re.compile(
    r"^(?:'s\b|\s+(?:one\s+)?(?:function|method|func|fn|class|should|shouldn't|takes?|needs?|must|has|have|is|to be|gets?|can|could|wants?|returns?|accepts?|forgot|->|→|as an?|be|gives|never|without|doesn't|with|used to|ought|may|into|inherits?|inherit|derive)\b|\s*(?:->|→|\+)|\s*[:,(]|\s*$)",
    re.I,
)
_ASIDES = re.compile(
    r"(?:\b(?:somewhere )?(?:on|at|in|near|around|by|from|of)\s+)?\b(?:lines?|ln|l)\s*#?\d+\b(?:\s*[,:])?"
    r"|\((?:just|right|directly|immediately)?\s*(?:before|after|under|above|below|behind|following|at)\s+(?:`[^`]*`|the line `[^`]*`)\)"
    r"|\b(?:just|right|directly|immediately)?\s*(?:before|after|under|above|below|behind|following)\s+`(?:def |class |async def |@)[^`]*`\s*:?"
    r"|[\s,.;]*\b(?:and |then |also )*(?:fix|update|adapt|adjust|correct)(?: up)? (?:(?:the|all|its|every|existing|also) )*(?:calls?|callers?|call ?sites?|usages?|uses|places)(?: (?:in|of|to|from) (?:the )?[`'\"]?\w+(?:\(\))?[`'\"]?)?(?: (?:too|accordingly|as well))?"
    r"|\b(?:as|like) (?:agreed|discussed|said)[^,.;:]*|\b(?:per|according to) (?:our|the) (?:style guide|guide|docs|rules|review)\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Mention:
    name: str
    start: int
    end: int
    sure: float


@lru_cache(maxsize=512)
def _spelled(name: str) -> tuple[re.Pattern[str], re.Pattern[str] | None]:
    """As it is spelled; and as it may be said: another case, in words."""
    one = re.escape(name)
    exact = re.compile(rf"[`'\"]?(?<![\w.])(?P<inside>(?:[^\W\d]\w*\.)*){one}(?!\w)(?:\(\))?[`'\"]?")
    parts = [re.escape(part) for part in _PART.findall(name)]
    if not parts or (len(parts) == 1 and len(parts[0]) < 3):
        return exact, None
    in_words = r"[\s_-]*".join(parts)
    said = re.compile(rf"[`'\"]?(?<![\w.])(?P<inside>(?:[^\W\d]\w*\.)*)_*{in_words}_*(?!\w)(?:\(\))?[`'\"]?", re.I)
    return exact, said


def mentions(text: str, names: Iterable[str]) -> list[Mention]:
    """Where names are said; what is spelled counts before what is said in words, and long before short."""
    low = text.lower()
    found: list[Mention] = []
    for name in dict.fromkeys(names):
        first = _PART.search(name)
        if not name or (first[0].lower() if first else name) not in low:
            continue
        exact, said = _spelled(name)
        spelled = [(match, 2.0) for match in exact.finditer(text)]
        if not spelled and said is not None:
            sure_of = min(1.0 + 0.3 * (len(_PART.findall(name)) - 1), 1.9)
            spelled = [(match, sure_of) for match in said.finditer(text)]
        for match, sure in spelled:
            whole = match[0]
            code = (whole[0] in QUOTE and whole[-1] in QUOTE) or "()" in whole or match["inside"]
            if code or (sure == 2.0 and re.search(r"_|\d|[a-z][A-Z]", name)):
                sure += 1
            start = match.start() + (whole[0] in QUOTE and whole[-1] not in QUOTE)
            end = match.end() - (whole[-1] in QUOTE and whole[0] not in QUOTE)
            found.append(Mention(name, start, end, sure))
    found.sort(key=lambda one: (one.sure, one.end - one.start), reverse=True)
    kept: list[Mention] = []
    for one in found:
        if not any(one.start < other.end and other.start < one.end for other in kept):
            kept.append(one)
    return sorted(kept, key=lambda one: one.start)


def plain_words(order: Order) -> str:
    """The order without where it is and what it is said for."""
    return re.sub(r"\s+", " ", _ASIDES.sub(" ", order.said)).strip(" ,:")


@dataclass(frozen=True, slots=True)
class Aim:
    """A definition that is meant. `text` is the order with a mark for its name; `used` are the words that named it."""

    order: Order
    node: Definition
    text: str
    used: tuple[str, ...]

    @property
    def src(self) -> Source:
        return self.order.src

    def edit(self, changes: Sequence[Change], *used: str) -> Edit:
        """Changes that lie in one another, as in calls inside calls, make none."""
        places = [match[0] for match in _ASIDES.finditer(self.order.said)]
        try:
            return self.order.edit(changes, *self.used, *places, *used)
        except ValueError:
            return self.order.edit(())

    def marked(self, names: Sequence[str]) -> tuple[str, list[int]]:
        """The text with a mark for each parameter that is said, and their indices in the order in which they are."""
        found = [
            one
            for one in mentions(self.text, names)
            if one.sure > 1 or (len(one.name) > 2 and one.name.lower() not in FILLERS)
        ]
        sure = {one.name for one in found if one.sure >= 3}
        out, done, said = [], 0, []
        for one in found:
            if one.name.lower() in _COMMON and one.sure < 3 and (sure - {one.name} or not _in_role(self.text, one)):
                continue
            at = list(names).index(one.name)
            out += [self.text[done : one.start], f"{PARAMETER}{at} "]
            done = one.end
            said.append(at)
        return "".join([*out, self.text[done:]]), list(dict.fromkeys(said))


_COMMON = frozenset(
    words(
        "a i an it the to of in on at is as by or and not no so be do self cls type types list dict default name value key arg args param function method class return returns hint hints"
    )
)


def _in_role(text: str, one: Mention) -> bool:
    """Whether a word that is also a plain word stands where a parameter does."""
    behind = text[one.end :]
    if one.name in ("a", "i"):
        return _ENDS.match(behind) is not None
    return _ROLE_BEFORE.search(text[: one.start]) is not None or _ROLE_BEHIND.match(behind) is not None


_ENDS = re.compile(r"\s*(?:[,;.:=]|$|(?:and|or|to|before|after|should|has|in|of|from|is|first|last|with|then|as)\b)")
_ROLE_BEFORE = re.compile(
    r"\b(?:param(?:eter)?s?|arg(?:ument)?s?|option|kwarg|called|named|drop|remove|annotate|type)\s+$", re.I
)
_ROLE_BEHIND = re.compile(r"\s*(?::|=|\bparam|\barg|\bis an?\b|\bas\b)", re.I)


def aims(
    order: Order, nodes: Iterable[Definition], fits: Callable[[Definition], bool] | None = None, text: str | None = None
) -> list[Aim]:
    """The definitions that may be meant: the ones that are named; else those at the place that is meant; else all that
    fit, or the only one."""
    if re.match(r"(?:don'?t|do not|never)\s+(?!use\b|need\b|share\b|forget\b)", order.said, re.I):
        return []
    every = list(nodes)
    fitting = [node for node in every if fits is None or fits(node)]
    text = plain_words(order) if text is None else text
    named = mentions(text, [node.name for node in every])
    constructor = re.search(r"\bconstructor\b|\binitiali[sz]er\b", text)
    if constructor is not None and any(node.name == "__init__" for node in every):
        named.append(Mention("__init__", *constructor.span(), 3.0))
    best, at = 0.0, None
    owners = {owner.name for node in every if _is_named(node.name, named) and (owner := order.src.class_of(node))}
    for one in named:
        score = one.sure - (1.5 if one.name in owners else 0)
        if _BEFORE.search(text[: one.start]):
            score += 0.5
        if _BEHIND.match(text[one.end :]):
            score += 0.5
        if score > best + 0.01:
            best, at = score, one
    if at is not None and best >= 2 and (best > 2 or at.sure < 2 or at.name.lower() not in FILLERS):
        chosen = [node for node in fitting if node.name == at.name]
        said = text[at.start : at.end]
        inside = re.search(r"(\w+)\." + re.escape(at.name), said)
        chosen = _of_class(order, chosen, inside[1] if inside else None)
        marked = f"{text[: at.start]}{TARGET} {text[at.end :]}"
        return [_aim(order, node, marked, said) for node in _placed(order, chosen)]
    close = _placed(order, fitting)
    return [_aim(order, node, text) for node in close]


def _is_named(name: str, named: Iterable[Mention]) -> bool:
    return any(one.name == name for one in named)


def _aim(order: Order, node: Definition, text: str, *used: str) -> Aim:
    """Names of the class around it say nothing more."""
    inside = order.src.class_of(node)
    owner = inside.name if inside is not None else ""
    for one in mentions(text, [owner] if owner else []):
        role = re.search(r"\b(?:in|of|on|from|inside|within)\s+(?:the\s+)?(?:class\s+)?$", text[: one.start])
        if role is not None:
            used = (*used, owner, text[one.start : one.end])
            text = f"{text[: role.start()]} {text[one.end :]}"
            break
    return Aim(order, node, re.sub(r"\s+", " ", text).strip(), (*used, node.name, " ".join(_PART.findall(node.name))))


def _of_class(order: Order, nodes: list[Definition], inside: str | None) -> list[Definition]:
    if len(nodes) < 2:
        return nodes
    owners = {node: order.src.class_of(node) for node in nodes}
    names = {owner.name for owner in owners.values() if owner is not None}
    said = {one.name for one in mentions(order.said, names)} if inside is None else {inside}
    kept = [node for node in nodes if (owner := owners[node]) is not None and owner.name in said]
    return kept or nodes


def _placed(order: Order, nodes: list[Definition]) -> list[Definition]:
    """Of several, the one at the lines that are meant."""
    if len(nodes) < 2:
        return nodes
    src = order.src
    for place in (*order.numbered, *([order.here] if order.here else ())):
        around = [node for node in nodes if src.first_line(node) < place[1] and place[0] < src.last_line(node)]
        if around:
            starts = [
                node for node in around if place[0] <= src.first_line(node) < place[1] or node.lineno - 1 == place[0]
            ]
            inner = min(around, key=lambda node: src.last_line(node) - src.first_line(node))
            return starts[:1] if len(starts) == 1 else [inner]
    return nodes


# -- words that say something for a rule -----------------------------------------------------------------------------


def accounted(text: str, vocabulary: frozenset[str]) -> list[str]:
    """Words of a text that belong to what a rule understands, typing slips included."""
    known = vocabulary | FILLERS
    return [word for word in words(text) if word in vocabulary or (len(word) > 3 and corrected(word, known) != word)]


def mended(text: str, vocabulary: frozenset[str], keep: Iterable[str] = ()) -> str:
    """The text with slips of one letter in plain words of the vocabulary set right."""
    kept = frozenset(keep)

    def put(match: re.Match[str]) -> str:
        word = match[0]
        low = word.lower()
        if word in kept or low in FILLERS or low in vocabulary or not low.isalpha() or len(low) < 4:
            return word
        better = corrected(low, vocabulary)
        return word if better == low else better

    return re.sub(r"(?<![`'\"\w.@])[A-Za-z]+(?![\w`'\"(.])", put, text)


def corrected(word: str, vocabulary: frozenset[str]) -> str:
    """The word of the vocabulary that is one slip away, else the word."""
    if word in vocabulary:
        return word
    index = _slips(vocabulary)
    for form in _shorter(word):
        for candidate in index.get(form, ()):
            if not word.startswith(candidate) and _one_slip(word, candidate):
                return candidate
    return word


def _shorter(word: str) -> set[str]:
    return {word, *(word[:at] + word[at + 1 :] for at in range(len(word)))}


@lru_cache(maxsize=32)
def _slips(vocabulary: frozenset[str]) -> dict[str, list[str]]:
    index: dict[str, list[str]] = {}
    for word in sorted(vocabulary):
        if len(word) > 3:
            for form in _shorter(word):
                index.setdefault(form, []).append(word)
    return index


def _one_slip(a: str, b: str) -> bool:
    if abs(len(a) - len(b)) > 1 or (a[0] != b[0] and sorted(a) != sorted(b)):
        return False
    if len(a) == len(b):
        differ = [at for at in range(len(a)) if a[at] != b[at]]
        return (len(differ) == 1 and len(a) > 4) or (
            len(differ) == 2
            and differ[1] == differ[0] + 1
            and a[differ[0]] == b[differ[1]]
            and a[differ[1]] == b[differ[0]]
        )
    long, short = (a, b) if len(a) > len(b) else (b, a)
    return any(long[:at] + long[at + 1 :] == short for at in range(len(long)))


def functions(order: Order) -> list[Definition]:
    return [node for node in order.src.functions if not isinstance(node, ast.ClassDef)]


def as_function(node: Definition) -> Function:
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    return node
