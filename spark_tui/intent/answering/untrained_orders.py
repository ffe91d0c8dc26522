"""Orders that the network was not trained on, or reads as others: their readings by the words alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from spark_tui.intent.answering.added_or_removed import CLEAR, odds_of
from spark_tui.intent.conditions.assertions import requiring
from spark_tui.intent.conditions.condition_phrases import relations_in
from spark_tui.intent.names.option_words import form_said, is_short, option_of_form, options_shown
from spark_tui.intent.words import phrases
from spark_tui.intent.words.kinds_of_words import folder_words
from spark_tui.intent.words.readings import CODE, Order, Reading, Span, SymbolRoles
from spark_tui.tables import table_beside

_DELETED = 0.95
_FILE = re.compile(r"(?<![\w./\\-])[\w./\\-]*\w\.py\b")
_SURE = 0.9
_OWNERS = ("function", "class", "file")
_SKIPPED = 0.9
_WORD = re.compile(r"\w+")
_MARK = "skip"
_DEFINED = re.compile(r"\s*(?:async\s+)?def\s+(test\w*)\(")
_FOLDER_MADE = 0.75
_READ_AS = ("write", "impossible", "insert_at_start", "insert_at_end", "insert_before", "insert_after")
_NAME = re.compile(r"[^\W\d]\w*(?:\.\w+)*")
_INLINED = 0.95
_ROLES = frozenset(("function", "constant", "variable", "local", "method"))
_CLAUSE = re.compile(r"(?:[^,;:\n–—.]|\.(?=\S)|(?<=\S)-|-(?=\S))+")
_ERROR = re.compile(r"(?<![\w.])[A-Za-z]\w*(?:Error|Exception)(?!\w)")
_LIKELY, _UNSAID = 0.75, 0.55
"""How likely a guard is meant: with an error or a verb such as *check*, and with neither."""
_BOUNDS = ("at_least", "at_most", "above", "below", "positive", "negative", "empty", "not_empty")
_OPENERS = tuple(f"{word} " for word in phrases.words("openers"))
_table = table_beside(__file__, "untrained_orders.toml")
"""The words that tell of such orders."""


@lru_cache(maxsize=8)
def _form(kind: str, part: str) -> re.Pattern[str]:
    """A regular expression of the table."""
    return re.compile(_table()[kind][part], re.IGNORECASE)


def with_deleted_files(text: str, orders: tuple[Order, ...]) -> tuple[Order, ...]:
    """An order for each file that a message only says to go, where no word says more: *delete the file
    utils.py*."""
    files = list(_FILE.finditer(text))
    idle = {*phrases.words("articles"), *phrases.words("files"), *_table()["deleted_files"]["beside"]}
    words = set(re.findall(r"\w+", _FILE.sub(" ", text).lower())) - idle
    if not files or not words or not words <= {*phrases.words("deleting")}:
        return orders
    return tuple(_deleted(*file.span(), file[0]) for file in files)


def _deleted(start: int, end: int, path: str) -> Order:
    gone = Reading("remove_definition", _DELETED, {"file": (Span(start, end, path),)})
    return Order(start, end, (gone,))


def with_option_forms(text: str, orders: Sequence[Order]) -> tuple[Order, ...]:
    """The orders, with a change of an option first where one is about its short or long form."""
    return tuple(_of_form(text, order) or order for order in orders)


def _of_form(text: str, order: Order) -> Order | None:
    own = text[order.start : order.end]
    # A long form that gets another name takes the name of the value along.
    renamed = form_said(own) == "long" and len([one for one in options_shown(own) if not is_short(one)]) > 1
    if (found := option_of_form(own)) is None or renamed:
        return None
    start, end = (order.start + at for at in found)
    return order.preferring(Reading("set_option", _SURE, {"name": (Span(start, end, text[start:end]),)}))


def with_docstring_quotes(text: str, orders: Sequence[Order]) -> tuple[Order, ...]:
    """The orders, with the quotes first where one is about a docstring and neither adds nor removes it."""
    return tuple(_quoted(text, order) or order for order in orders)


def _quoted(text: str, order: Order) -> Order | None:
    said = _kinds().search(text, order.start, order.end)
    first = next((one for one in order.readings[:2] if one.intent.endswith("_docstring")), None)
    if said is None or first is None:
        return None
    if any(odds_of(word) < -CLEAR for word in re.findall(r"[^\W\d_]+", text[order.start : said.start()])):
        return None
    slots = {name: first.slots[name] for name in _OWNERS if name in first.slots}
    slots["quote"] = (Span(*said.span(1), said[1]),)
    return order.preferring(replace(first, intent="set_quotes", probability=_SURE, slots=slots))


@lru_cache(maxsize=1)
def _kinds() -> re.Pattern[str]:
    """Which quotes, in front of a word for quotes."""
    kinds = [word for one in phrases.table()["quotes"].values() for word in one if word.isalpha()]
    ends = {one.rpartition(" ")[2] for one in phrases.words("in_quotes")}
    return re.compile(rf"(?<!\w)({'|'.join(kinds)})[\s-]*(?:{'|'.join(ends)})(?!\w)", re.IGNORECASE)


def with_skipped_tests(
    text: str, orders: tuple[Order, ...], symbols: SymbolRoles, lines: Sequence[str]
) -> tuple[Order, ...]:
    """The order with the tests that a message only says to skip, where no word says more: those that are
    named, or those of the open file without the named ones (*skip all tests but test_load*)."""
    said = list(_WORD.finditer(text))
    named = [word for word in said if word[0].startswith("test") and symbols.roles(word[0])]
    verb = next((word for word in said if word[0].lower() in phrases.words("skipping")), None)
    if len(orders) != 1 or verb is None or (named and verb.start() > named[0].start()):
        return orders
    known = _table()["skipped_tests"]
    idle = {*phrases.words("articles"), *phrases.words("rest"), *known["beside"], *known["but"]}
    words = [word[0].lower() for word in said if word != verb and word not in named]
    all_but = bool(named) and re.search(_all_but() + re.escape(named[0][0]), text, re.IGNORECASE) is not None
    if not all_but and any(word not in idle or (named and word in known["but"]) for word in words):
        return orders
    spans, left_out = [Span(*word.span(), word[0]) for word in named], list[Span]()
    if not named or all_but:
        kept = {word[0] for word in named}
        there = [found[1] for line in lines if (found := _DEFINED.match(line))]
        if not any(word in known["all"] for word in words) or not kept <= set(there):
            return orders
        left_out = spans
        spans = [Span(CODE, CODE, name, True) for name in there if name not in kept]
    slots = {"decorator": (Span(*verb.span(), _MARK),), "function": tuple(spans)}
    skipped = Reading("add_decorator", _SKIPPED, slots, tuple(left_out))
    return (orders[0].preferring(skipped),) if spans else orders


@lru_cache(maxsize=1)
def _all_but() -> str:
    """What stands in front of the tests that are not skipped."""
    known = _table()["skipped_tests"]
    every, but = ("|".join(known[part]) for part in ("all", "but"))
    return rf"\b(?:{every})\b[\w\s]*\b(?:{but})\W+(?:(?:for|the)\s+)*(?:tests?\s+)?"


def with_folder(text: str, orders: tuple[Order, ...]) -> tuple[Order, ...]:
    """The order with the folder of a file to be made where it is written, where that is read as something new
    or as code in words."""
    place = folder_words(text)
    if (
        place is None
        or len(orders) != 1
        or not orders[0].readings
        or not _form("folder", "needed").search(text)
    ):
        return orders
    first = orders[0].readings[0]
    if first.intent not in _READ_AS and first.probability > 1 - _FOLDER_MADE:
        return orders
    named, start = _named(orders[0].readings), place[0]
    behind = _form("folder", "when").match(text, place[1])
    end = behind.end() if behind is not None else place[1]
    code = Span(start, end, text[start:end])
    return (orders[0].preferring(Reading("insert_at_start", _FOLDER_MADE, {"code": (code,), **named})),)


def _named(readings: Sequence[Reading]) -> dict[str, tuple[Span, ...]]:
    """The function that the reader found."""
    found = next((one.slots["function"] for one in readings if "function" in one.slots), ())
    return {"function": found} if found else {}


def with_inlined(text: str, orders: Sequence[Order], symbols: SymbolRoles) -> tuple[Order, ...]:
    """The orders, with *inline* as what is done to the function or constant whose name follows: the reader
    learned it of local variables only."""
    return tuple(_inlined(text, order, symbols) or order for order in orders)


def _inlined(text: str, order: Order, symbols: SymbolRoles) -> Order | None:
    said = _form("inlined", "begins").match(text, order.start, order.end)
    if said is None:
        return None
    names = list(_NAME.finditer(text, said.end(), order.end))
    known = [item for item in names if symbols.roles(item[0]) & _ROLES]
    first = next((item for item in known if item[0] not in _table()["inlined"]["kinds"]), None)
    if first is None or "local" in symbols.roles(first[0]):
        return None
    before = [item for item in known if item.start() < first.start()]
    if any("local" in symbols.roles(item[0]) and text[item.end() : first.start()].strip() for item in before):
        return None  # a variable has the name of a kind: "inline value in load"
    span = Span(*first.span(), first[0])
    return order.preferring(Reading("inline_variable", _INLINED, {"variable": (span,)}))


def with_requirement(text: str, orders: Sequence[Order]) -> tuple[Order, ...]:
    """The orders, or one that reads the whole as a guard first, where all that is said beside a requirement
    is which error to raise where."""
    clauses = [found for found in _CLAUSE.finditer(text) if _requires(found[0])]
    readings = [reading for order in orders for reading in order.readings]
    if len(clauses) != 1 or not readings:
        return tuple(orders)
    start, end = clauses[0].span()
    guarded = readings[0].slots.get("condition", ()) if readings[0].intent == "guard_raise" else ()
    words = clauses[0][0].split()
    pronoun = words[0].lower() in phrases.words("pronouns")
    elided = requiring().match(" ".join(words)) is not None  # qty: must be positive
    if any(start <= span.start < end for span in guarded) and not pronoun:
        return tuple(orders)
    place = next((reading.slots["function"] for reading in readings if "function" in reading.slots), ())
    fronts = {
        span: _form("requirement", "place").search(text[start : span.start])
        for span in place
        if start <= span.start < end
    }
    end = min((start + front.start() for front in fronts.values() if front is not None), default=end)
    place = tuple(span for span in place if fronts.get(span, ...) is not None)
    errors = [Span(found.start(), found.end(), found[0]) for found in _ERROR.finditer(text)]
    quoted = tuple(span for span in readings[0].slots.get("message", ()) if span.quoted)
    rest = _blanked(text, Span(start, end, ""), *place, *errors, *quoted).lower()
    kinds = ("raised", "otherwise", "articles", "filling")
    idle = {word for kind in kinds for item in phrases.words(kind) for word in item.split()}
    asserted = set(re.findall(r"\w+", rest)) & set(phrases.words("asserting"))
    said = set(re.findall(r"\w+", rest)) - idle - asserted
    subject = said.pop() if (pronoun or elided) and len(said) == 1 else ""  # check qty: it must be positive
    if said or len(errors) > 1 or any(start <= span.start < end for span in errors):
        return tuple(orders)
    if not (errors or asserted or _bounds(clauses[0][0])):
        return tuple(orders)
    condition = text[start:end].lstrip()
    at = end - len(condition)
    if subject:
        condition = f"{subject} {condition if elided else condition.partition(' ')[2]}"
    slots = {"condition": (Span(at, end, condition.strip()),), "exception": tuple(errors), "function": place}
    slots |= {"message": quoted} if quoted else {}
    likely = _LIKELY if errors or asserted else _UNSAID
    guard = Reading("guard_raise", likely, {slot: spans for slot, spans in slots.items() if spans})
    others = (replace(item, probability=(1 - likely) * item.probability) for item in orders[0].readings)
    return (Order(0, len(text), (guard, *others) if len(orders) == 1 else (guard,)),)


def _bounds(clause: str) -> bool:
    """Whether a clause says between which bounds something has to be, and not what it has to be."""
    low = clause.lower()
    found = next((phrase for phrase, _ in relations_in(low)), None)
    wished = "should" in low or low.startswith(_OPENERS)
    bounded = _form("requirement", "range").search(low) is not None or (
        found is not None and found.kind in _BOUNDS
    )
    return bounded and not wished


def _requires(clause: str) -> bool:
    """Whether a clause says what something has to be, and not what is to be done."""
    found = requiring("forbidden").search(clause) or requiring().search(clause)
    return (
        found is not None
        and found.start() > 0
        and _form("requirement", "states").match(clause[found.end() :]) is not None
    )


def _blanked(text: str, *spans: Span) -> str:
    for span in spans:
        text = text[: span.start] + " " * (span.end - span.start) + text[span.end :]
    return text
