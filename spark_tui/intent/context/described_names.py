"""Symbols that are described: by some of their words, in another language, or in the comment beside them; and
one that heads a message, as in subjects of commits: *Disabled validator: …*."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from spark_tui.intent.context.situation import Situation
from spark_tui.intent.reading.intent_table import intents
from spark_tui.intent.words.phrases import has_cjk, words
from spark_tui.intent.words.readings import Reading, Span
from spark_tui.pysource.words import identifier_words
from spark_tui.tables import table_beside

_MOST_WORDS = 8
_MOST_FITTING = 3
_DESCRIBED = 0.8
"""How likely the one name is meant that words describe wholly."""
_PARTLY = 0.4
"""How well a name fits of which half of the words are said, and no more."""
_LEAST = 3
"""The letters that a name of one word has at least."""
_LONG = 8
"""The letters that a word of several words has at least."""
_STEM = 5
"""The letters at the beginning that two forms of one word share."""
_CODE = re.compile(r"[_()\[\]{}=<>/\\\"'`.]|[a-z][A-Z]")
_MANY = ("s", "x", "es", "n", "en", "e")
"""How words end that mean several things, in one of the languages."""
_UMLAUTS = str.maketrans("äöü", "aou")
_ENDINGS = ("s", "es", "er", "ed", "ing", "ly", "n", "en")


_words_of_languages = table_beside(__file__, "name_words.toml")
_WRITTEN = re.compile(r"(?<![\w.])[A-Za-z]\w*_\w+|(?<![\w.])[A-Za-z]+[a-z][A-Z]\w*")
_HEADING = re.compile(r"\s*(\w+)(?:\s+\w+){0,2}:\s")
_PLACES = ("function", "class", "file")


@lru_cache(maxsize=1)
def _table() -> tuple[dict[str, frozenset[int]], frozenset[str]]:
    """The groups of each word, and the words that say nothing of a name."""
    data = _words_of_languages()
    groups: dict[str, set[int]] = {}
    for at, group in enumerate(data["groups"]):
        for word in group.split():
            groups.setdefault(word, set()).add(at)
    idle = {*data["idle"].split(), *words("articles"), *words("filling"), *words("rest"), *words("kinds")}
    return {one: frozenset(every) for one, every in groups.items()}, frozenset(idle)


@lru_cache(maxsize=256)
def content_words(text: str) -> tuple[str, ...]:
    """The words of a description that may be part of a name; nothing where it looks like code."""
    if _CODE.search(text.strip("`'\" .,:;!?")):
        return ()
    groups, idle = _table()
    out: list[str] = []
    for item in re.findall(r"[^\W\d_]+|\d+", text):
        if has_cjk(item):
            out += [known for known in groups if has_cjk(known) and known in item] or [item]
        else:
            out += identifier_words(item) if item.isascii() else [item.lower()]
    told = [one for one in dict.fromkeys(out) if one not in idle]
    return tuple(told) if len(told) <= _MOST_WORDS else ()


@lru_cache(maxsize=1 << 12)
def is_form_of(text: str, word: str) -> bool:
    """Whether a word that is said and a word of a name are the same, in other forms too."""
    if text == word:
        return True
    groups, _ = _table()
    if groups.get(text, frozenset()) & groups.get(word, frozenset()):
        return True
    if not (text.isalpha() and word.isalpha()) or min(len(text), len(word)) < _LEAST:
        return False
    short, long = sorted((text, word), key=len)
    if long.startswith(short) and long[len(short) :] in _ENDINGS:
        return True
    if _is_typo(short, long):
        return True
    return len(short) > _STEM and short[:-1] == long[: len(short) - 1] and len(long) - len(short) < _LEAST


def _is_typo(short: str, long: str) -> bool:
    """Whether two words of at least five letters differ by a letter too many, or by two that are swapped."""
    if len(short) < _STEM or short[0] != long[0]:
        return False
    if len(long) == len(short) + 1:
        return any(long[:at] + long[at + 1 :] == short for at in range(1, len(long)))
    wrong = [at for at, (one, two) in enumerate(zip(short, long, strict=False)) if one != two]
    swapped = len(short) == len(long) and len(wrong) == 2 and wrong[1] == wrong[0] + 1
    return swapped and short[wrong[0]] == long[wrong[1]] and short[wrong[1]] == long[wrong[0]]


@lru_cache(maxsize=1 << 10)
def parts_of_compound(word: str) -> tuple[str, ...]:
    """The words of which a German noun is made: *Dateiendung*, *Bestelldatum*; itself where it is none."""
    groups = _table()[0]
    for at in range(len(word) - _LEAST, _LEAST - 1, -1) if len(word) >= _LONG and word not in groups else ():
        rest = word[at:]
        first = next(
            (one for one in (word[:at], word[:at] + "ung", word[:at].removesuffix("s")) if one in groups), ""
        )
        behind = (rest,) if rest in groups else parts_of_compound(rest)
        if first and (rest in groups or len(behind) > 1):
            return (first, *behind)
    return (word,)


def score_description(phrases: Iterable[str], name: str, beside: str = "") -> float:
    """How well words describe a name, from 0 to 1: all words of the name are said, or all that are said are
    words of the name, or of what stands `beside` it; one word may be made of several."""
    wanted = list(phrases)
    apart = [part for word in wanted for part in parts_of_compound(word)]
    score = _score(wanted, name, beside)
    return score if apart == wanted else max(score, _score(apart, name, beside))


def _score(wanted: list[str], name: str, beside: str) -> float:
    own = identifier_words(name)
    if not wanted or not own or (len(own) == 1 and len(own[0]) < _LEAST):
        return 0.0
    named = [word for word in own if any(is_form_of(item, word) for item in wanted)]
    heard = [item for item in wanted if any(is_form_of(item, word) for word in own)]
    if named and (len(named) == len(own) or len(heard) == len(wanted)):
        return (len(named) / len(own) + len(heard) / len(wanted)) / 2
    around = [*own, *content_words(beside)] if beside else []
    if around and all(any(is_form_of(item, word) for word in around) for item in wanted):
        return 0.4 + 0.1 * bool(heard)
    # One word in common, as in *grace period* and GRACE_DAYS, is little.
    half = 2 * len(named) >= len(own) > 1 and 2 * len(heard) >= len(wanted)
    return _PARTLY if half and any(len(item) > _LEAST for item in heard) else 0.0


@lru_cache(maxsize=64)
def is_english(text: str) -> bool:
    """Whether a text has no letters and none of the small words of another language."""
    words_said = re.findall(r"[^\W\d_]+", text.lower())
    return all(map(str.isascii, words_said)) and _small_words().isdisjoint(words_said)


@lru_cache(maxsize=1)
def _small_words() -> frozenset[str]:
    return frozenset(_words_of_languages()["small"].split())


def in_other_words(text: str, names: Iterable[str]) -> list[str]:
    """The names all of whose words are said in another language, or by other words for the same thing."""
    told, groups = content_words(text), _table()[0]
    told = tuple(part for word in told for part in parts_of_compound(word))
    told_groups = [_groups_of(word, groups) for word in told]
    found = []
    for name in names:
        own = [_groups_of(word, groups) for word in identifier_words(name.removeprefix("self."))]
        covered = all(any(word & said for said in told_groups) for word in own)
        if own and told and covered and all(any(word & said for word in own) for said in told_groups):
            found.append(name)
    return found


def _groups_of(word: str, groups: Mapping[str, frozenset[int]]) -> frozenset[int]:
    """The groups of a word, or of what it is the plural of."""
    spelled = (word, word.translate(_UMLAUTS))
    forms = (*spelled, *(one.removesuffix(end) for one in spelled for end in _MANY if one.endswith(end)))
    return next((groups[form] for form in forms if form in groups), frozenset())


def best_described(
    phrases: Sequence[str], names: Iterable[str], beside: Mapping[str, str]
) -> tuple[list[str], float]:
    """The names that words describe best, with how likely one of them is meant; none where many fit."""
    scored = [(score_description(phrases, name, beside.get(name, "")), name) for name in names]
    top = max((each for each, _ in scored), default=0.0)
    best = [one for each, one in scored if top and each == top]
    return (sorted(best), _DESCRIBED * top) if len(best) <= _MOST_FITTING else ([], 0.0)


def comment_at(lines: Sequence[str], line: int) -> str:
    """The comment after a line, and that on the line above; lines are counted from 1."""
    above = lines[line - 2].strip() if line > 1 else ""
    above = above if above.startswith("#") else ""
    return f"{above} {lines[line - 1].partition(' #')[2]}".strip("# \n")


def with_only_name(reading: Reading, situation: Situation) -> Reading:
    """The reading of a rename that names nothing, with the one definition of the open file that the message
    has elsewhere, written like code: *COMMAND_NAME is confusing, rename the constant to PLACEHOLDER*."""
    text, held = situation.instruction, reading.slots.get("new", ())
    if reading.intent != "rename" or reading.slots.keys() != {"new"} or situation.earlier is not None:
        return reading
    index, found = situation.repo.index, dict[str, Span]()
    for one in _WRITTEN.finditer(text):
        apart = all(one.end() <= span.start or span.end <= one.start() for span in held)
        if apart and any(path == situation.path for path, _ in index.symbols(one[0])):
            found.setdefault(one[0], Span(one.start(), one.end(), one[0]))
    return (
        replace(reading, slots={**reading.slots, "symbol": tuple(found.values())})
        if len(found) == 1
        else reading
    )


def with_heading_name(reading: Reading, situation: Situation) -> Reading:
    """The reading with the definition of the open file whose name heads the message as its place, where the
    reader took that for an ordinary word and no other place is named."""
    found, index = _HEADING.match(situation.instruction), situation.repo.index
    known = intents().get(reading.intent)
    slot = next((one for one in _PLACES[:2] if known is not None and one in known.slot_names), "")
    if found is None or not slot or any(reading.slots.get(one) for one in _PLACES):
        return reading
    start, end = found.span(1)
    held = (span for spans in reading.slots.values() for span in spans)
    if any(span.start < end and start < span.end for span in held):
        return reading
    if all(path != situation.path for path, _ in index.symbols(found[1])):
        return reading
    return replace(reading, slots={**reading.slots, slot: (Span(start, end, found[1]),)})
