"""What an order says about items of lists: which they are, their version, and whether they are added."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence

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
    lists, used = [one.found for one in named], frozenset().union(*(one.words for one in named))
    quoted = [text[item.inner_start : item.inner_end] for item in tokenize(text).quoted]
    scores = {item: 3.0 for item in quoted if item not in used}
    evidence = max(scores.values(), default=0.0)
    every = [item for one in lists for item in one.items]
    shaped = bool(every) and all(map(RULE_OR_GROUP.match, every))
    shaped = shaped or (bool(lists) and all(not one.items and _has_rules(one) for one in lists))
    numbers = bool(every) and (all(map(VERSION.fullmatch, every)) or all(map(_TARGET.match, every)))
    verbs = {key(word) for one in named for word in one.verbs}
    described = any(re.match(r"\{|\w+: ", item) for item in every)
    before: tuple[str, int] | None = None
    for found in _PIECE.finditer(text):
        piece, start = found[0].rstrip(".,:;"), found.start()
        if more := re.match(r"=(?!=)[\w.*]+", text[start + len(piece) :]):  # conda, and variables
            piece += more[0] if any("=" in item for item in every) else f"={more[0]}"
        again = text.count(piece) > 1 and any(one.has(piece) for one in lists)
        known = (piece in used and not again) or re.fullmatch(phrases.joining(), piece.lower()) is not None
        known = known or text[start - 1 : start] in ("'", "’") or any(piece in item for item in quoted)
        if not piece or known:
            continue
        if (shaped and not (RULE_OR_GROUP.match(piece) and any(map(str.isupper, piece)))) or piece.isdigit():
            continue
        if bool(VERSION.fullmatch(piece) or (numbers and _TARGET.match(piece))) != numbers or any(
            piece == one.path for one in lists
        ):
            continue
        score = 2.0 * (shaped or numbers) + 2.0 * any(one.has(piece) or one.has_alike(piece) for one in lists)
        if described and (more := re.match(r":\s+(?:\S+(?=\s)|[^\n]+)", text[start + len(piece) :])):
            told = any(word in used for word in words_of(text[start + len(piece) :]))
            piece = (piece + (more[0] if told else text[start + len(piece) :])).rstrip(" .")
            score += 3.0
        score += 3.0 * (_is_told_by_key(text[:start], verbs) and not is_common(piece))
        name = re.split(r"[^\w]", piece)[0]
        if SPEC.search(piece) is not None and not is_common(name):
            score += 3.0
        evidence = max(evidence, score)
        score += 2.0 * min(_slotted(order, order.start + start, order.start + start + len(piece)), 1.0)
        score += 0.4 * (not is_common(name) and odds_of(_last_word(text[:start])) >= CLEAR)
        if before is not None and not is_common(name) and _JOINED.fullmatch(text, before[1], start):
            score = max(score, scores[before[0]])
            if is_told_to(_last_word(text[: before[1] - len(before[0])])):
                scores[before[0]] = score
        scores[piece] = max(score, scores.get(piece, 0.0))
        before = piece, start + len(piece)
    best = max(scores.values(), default=0.0)
    items = tuple(item for item, score in scores.items() if score >= max(0.7 * best, 0.01))
    version = "" if numbers else _version(text, items, lists)
    if numbers and all(map(_TARGET.match, every)):
        items = tuple("py" + item.removeprefix("py").replace(".", "") for item in items)
    numbers_said = _versions(text) or [version]
    if _classifier(lists, version):
        items, evidence = tuple(_classifier(lists, one) for one in numbers_said), SHOWN
        version = version if len(items) == 1 else ""
    new, odds = _exchanged(order, items, lists), adds(order.readings, text, items, tuple(used))
    replacing = any(replaces(word) for word in words_of(text) if word not in used)
    if by_key := odds_by_key(text, named, items):
        odds = by_key
    elif numbers and abs(odds) < CLEAR:
        odds = 0.0 if replacing else CLEAR
    others = [one for one in scores if one not in items and not says_what(one)]
    if replacing and not (new or version or by_key or is_told(odds)) and len(items) == len(others) == 1:
        there = any(one.has(items[0]) for one in lists)
        new = others[0] if there and not text.lstrip().startswith(others[0]) else ""
    joined = (one for one in others if re.search(rf"\S{_JOINED.pattern}\Z", text[: text.find(one)]))
    left = "" if new else next(joined, "")
    if len(numbers_said) > 1 and items and items[0].endswith(numbers_said[0]):
        left = next((one[0] for one in VERSION.finditer(text) if one[0] not in numbers_said), left)
    return Said(text, items, version, odds, evidence, best, new, left)


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
