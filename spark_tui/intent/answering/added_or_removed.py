"""Whether words ask to add something or to remove it, in any language: by what they were said for when the
reader was trained."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import pairwise

from spark_tui.intent.reading.word_counts import buckets, log_odds, word_counts
from spark_tui.intent.values.likely.incomplete_readings import line_is_place
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import Reading
from spark_tui.intent.words.tokens import IDEOGRAPH

CLEAR = 1.5
"""The log odds from which it is clear whether something is added or removed."""
_ADDING = ("add_item", "insert_line", "add_import", "add_parameter", "add_field", "add_decorator", "add_base")
_REMOVING = (
    *("remove_item", "remove_key", "remove_import", "remove_parameter", "delete_lines"),
    *("remove_decorator", "remove_base", "remove_definition"),
)
_REPLACING = (
    *("replace_value", "replace_text", "replace_call", "replace_expression", "replace_name_use"),
    *("replace_operator", "replace_statement", "replace_message", "replace_body", "rename"),
    *("swap_arguments", "swap_parameters", "swap_statements"),
)
_DELETING = ("delete_lines", "delete_statement")
_EXTRACTING = ("extract_function",)
_MOVING = ("move_before", "move_after", "swap_statements")
_CLAUSES = re.compile(rf"[,;:。，；、]|\.(?=\s|$)|{phrases.joining()}")
_MOST, SURE = 8.0, 9.0
"""The log odds that words have at most by what they were said for, and those of verbs that leave no doubt."""
_HARDLY = 0.6
"""The log odds of a word that may be about removing something."""
_REPLACES = math.log(1.8)
"""The log odds from which a word asks to replace something."""
_MOVES = 1.2
"""The log odds from which a word asks to move something and not to delete it."""
_EXTRACTS, _MANY_WORDS = 3.0, 3
"""The log odds from which a word asks to extract something, and how many such words there have to be."""
_ASKS = 1.8
"""The same of one word that asks for it."""
_BEHIND = frozenset(phrases.table()["config_lists"]["negations_behind"])
_IDLE = frozenset(phrases.words("rest"))
_FRONT = frozenset((*phrases.words("negations"), *phrases.table()["config_lists"]["negations"]))
_DENIED = re.compile(r"n['’]t\b|(?<!\w)(?:no longer|not|never|stops?|nicht|ne|pas|no)(?!\w)|不", re.I)
_MANY = 800
"""How often a word was said that is none for a thing."""


def odds_of(word: str) -> float:
    """The log odds that a word asks to add something and not to remove it."""
    return log_odds(word, _ADDING, _REMOVING)


def replaces(word: str) -> bool:
    """Whether a word asks to replace something rather than to add or remove it."""
    return min(log_odds(word, _REPLACING, others) for others in (_ADDING, _REMOVING)) >= _REPLACES


def asks_otherwise(text: str) -> bool:
    """Whether words ask to move or to extract lines, or to replace something, or to do something in a line,
    and none asks to remove it."""
    words = _words(text, phrases.words("lines"))
    if asks_to_move(text) or _asks_to_extract(words):
        return True
    other = line_is_place(text) or any(map(replaces, words))
    return other and all(odds_of(word) > -_HARDLY for word in words)


def _asks_to_extract(words: Sequence[str]) -> bool:
    """Whether several words ask for a function of lines, and none to delete them."""
    odds = [log_odds(word, _EXTRACTING, _DELETING) for word in words]
    return sum(one >= _EXTRACTS for one in odds) >= _MANY_WORDS and min(odds) > -_EXTRACTS


def asks_to_move(text: str) -> bool:
    """Whether words ask to move lines, and not to remove them."""
    words = _words(text, phrases.words("lines"))
    moving = [log_odds(word, _MOVING, _DELETING) for word in words]
    return bool(moving) and max(moving) >= _MOVES and sum(moving) > 0.0


def is_common(word: str) -> bool:
    """Whether a word was said so often that it is no name of a thing."""
    return int(word_counts().counts[buckets([word])[0][0]].sum(dtype=int)) >= _MANY


def _words(text: str, used: Sequence[str]) -> list[str]:
    for item in sorted(used, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(item)}(?![\w])" if item.isascii() else re.escape(item), " ", text)
    return re.findall(r"[^\W\d_]+", re.sub(f"({IDEOGRAPH})", r" \1 ", text))


def adds(readings: Sequence[Reading], text: str, items: Sequence[str], used: Sequence[str]) -> float:
    """The log odds that words add `items` and do not remove them: by a sign in front of them, by verbs that
    leave no doubt, else by the words beside those `used` for where, and by what the reader reads."""
    sign = next(
        (found[1] for item in items if (found := re.search(rf"(?<!\S)([+-]){re.escape(item)}", text))), ""
    )
    if sign:
        return SURE if sign == "+" else -SURE
    words = _words(text, (*items, *used))
    plain = " ".join(words).lower() + (text.lower() if phrases.has_cjk(text) else "")
    table = phrases.table()["config_lists"]
    told = [phrases.any_stands_in(table[kind], plain) for kind in ("adding", "removing")]
    if _says_requires(text) and not told[1]:
        told = [not _DENIED.search(text), _DENIED.search(text) is not None]
    if told[0] != told[1]:
        return SURE if told[0] else -SURE
    read = [
        sum(one.probability for one in readings if one.slots and one.intent.startswith(kinds))
        for kinds in (("add_", "insert_"), ("remove_", "delete_"))
    ]
    odds = sum(map(odds_of, words)) + math.log((read[0] + 0.05) / (read[1] + 0.05))
    return max(min(odds, _MOST), -_MOST)


def _says_requires(text: str) -> bool:
    return phrases.any_stands_in(phrases.table()["config_lists"]["requiring"], text.lower())


def is_told(odds: float) -> bool:
    """Whether words leave no doubt whether they add or remove."""
    return abs(odds) >= SURE


def parts(text: str, used: Sequence[str]) -> list[tuple[int, str]]:
    """The parts of a text of which one adds and another one removes, with their starts; the whole if there
    is only one kind."""
    found: list[tuple[int, float]] = [(0, 0.0)]
    ends = [0, *(match.start() for match in _CLAUSES.finditer(text)), len(text)]
    for start, end in pairwise(ends):
        own = max((odds_of(word) for word in _words(text[start:end], used)), key=abs, default=0.0)
        if abs(own) < CLEAR:
            continue
        if not found[-1][1] or found[-1][1] * own > 0:
            found[-1] = found[-1][0], found[-1][1] or own
        else:
            found.append((start, own))
    starts = [start for start, _ in found]
    return [(low, text[low:high]) for low, high in zip(starts, [*starts[1:], len(text)], strict=True)]


def is_kept_out(before: Sequence[str]) -> bool:
    """Whether words in front of a verb turn it into its opposite: *stop ignoring*, *don't ignore*."""
    plain = " ".join(before).lower()
    removing = phrases.any_stands_in(phrases.table()["config_lists"]["removing"], plain)
    negated = re.search(r"n['’]t\b|\bdont\b", plain) is not None
    return removing or negated or bool(_FRONT & {*plain.split()[-2:]})


def is_negated(text: str, used: Sequence[str]) -> bool:
    """Whether words say not to add or remove something: the negation is in front, or in the same clause of a
    language that puts it behind its verb."""
    if _says_requires(text):
        return False  # what is no longer needed goes
    for clause in _CLAUSES.split(text):
        plain = [word.lower() for word in _words(re.sub(r"n['’]t\b|(?<=do)nt\b", " not", clause), used)]
        asking = [at for at, word in enumerate(plain) if abs(odds_of(word)) >= _ASKS and word not in _IDLE]
        behind = any(word in _BEHIND for word in plain)
        if asking and (behind or any(_FRONT & {*plain[max(at - 2, 0) : at]} for at in asking)):
            return True
    return False
