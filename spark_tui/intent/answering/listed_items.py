"""Items of lists in configuration files: an instruction about one that the code does not know by name."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from keyword import iskeyword

from spark_tui.codemods.config_files.list_editing import named as list_name
from spark_tui.codemods.slots import SymbolKind
from spark_tui.intent.answering.added_or_removed import (
    CLEAR,
    SURE,
    adds,
    is_common,
    is_kept_out,
    is_negated,
    is_told,
    odds_of,
    parts,
    replaces,
)
from spark_tui.intent.answering.config_answers import CLAUSE, SHOWN, SPEC, Said, items_answer
from spark_tui.intent.answering.named_keys import (
    flag_answer,
    named_key_answer,
    project_name_answer,
    python_floor_answer,
)
from spark_tui.intent.context.areas import paths_named
from spark_tui.intent.context.config_lists import (
    RULE_OR_GROUP,
    VERSION,
    ConfigList,
    Named,
    config_files,
    is_configuration,
    lists_of,
    named_lists,
    sources,
    words_of,
)
from spark_tui.intent.context.lookup import key, names_of
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.planning.answers import Answer, marked_with
from spark_tui.intent.planning.executing import decision_settings
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed, unused
from spark_tui.intent.words.readings import Order
from spark_tui.intent.words.tokens import tokenize

_PIECE = re.compile(
    rf"[A-Za-z0-9_À-ɏ][\w.:/+*-]*(?:\[[\w, -]+\])?(?:\s*{CLAUSE}(?:\s*,\s*{CLAUSE})*)?", re.ASCII
)
_JOINED = re.compile(rf"\s*(?:,|&|\+|、|{phrases.joining()}|和|跟|与)\s*(?:{phrases.joining()}\s*)?")
"""What stands between things that are named together."""
_PART = re.compile(
    r"\b(?:of|for|von|für|du|des|de la|del|pour|para)\s+(?:(?:the|our|my|unser\w*|der|die|das|la|le|el)\s+)?"
    r"(?P<noun>[^\W\d]\w{3,})",
    re.IGNORECASE,
)
"""A part of the project that is named."""
_NO_ORDERS = ("question", "chat")
_PLACED = 0.2
"""How likely a reading is that names a place in the code which is then meant."""


def with_config_files(
    order: Order, situation: Situation, answer_code: Callable[[Order, Situation], Answer]
) -> Answer:
    """The answer to an order that may be about a configuration file, or about the code."""
    found = config_answer(order, situation)
    if found is None:
        found = answer_code(order, situation)
        found = config_answer(order, situation, found) or found
    return found


def config_answer(order: Order, situation: Situation, other: Answer | None = None) -> Answer | None:
    """The answer to an order about a configuration file; None for any other order. Without `other`, the
    answer if it is about the code, only where the order says that it is about such a file."""
    first = order.readings[0]
    amends = situation.earlier is not None and first.intent.startswith("amend.")
    if amends or first.intent in _NO_ORDERS or _is_about_code(order, situation):
        return None
    if other is not None and (other.ways or other.kind == "undo"):
        return None
    text = situation.instruction[order.start : order.end]
    found = _of_items(order, situation, surely=other is None)
    if found is None and other is None:
        found = python_floor_answer(order, text, situation) or project_name_answer(order, situation)
        found = found or flag_answer(text, situation)
    if found is None and other is not None and other.kind != "nothing":
        found = named_key_answer(order, text, situation) or _without_list(order, text, situation)
    return found


def _of_items(order: Order, situation: Situation, surely: bool) -> Answer | None:
    """The answer to an order about an item of a list."""
    text, repo = situation.instruction[order.start : order.end], situation.repo
    told = [item.text for item in tokenize(situation.instruction).items if item.kind == "path"]
    told += re.findall(r"\bpyproject\b(?!\.)", situation.instruction)
    paths = [path for item in told for path, weight in paths_named(repo, item) if weight == 1.0]
    required = [one for path in config_files(repo) for one in lists_of(repo, path) if one.requires]
    told = [item for item in told if not any(one.has(item) for one in required)]
    paths = [path for path in paths if is_configuration(path)]
    if told and not paths:
        return None
    for words, grouped in ((text, True), (text, False), (situation.instruction, True)):
        named = named_lists(repo, words, paths, grouped)
        if named and _said(order, text, named).items:
            return _of_lists(order, text, named, paths, situation, surely)
    lists = [one for path in paths for one in lists_of(repo, path) if one.requires] if paths else required
    said = _said(order, text, [Named(one, 0, frozenset(told), frozenset(), False) for one in lists])
    held = tuple(item for item in said.items if any(one.has(item) for one in lists))
    meant = (said.version or (paths and said.adds <= -CLEAR)) and _is_slot(order, held)
    meant = meant or (not surely and (said.version != "" or said.adds <= -SURE))
    if held and meant and not any(_is_code(item, situation) or _is_bound(item, situation) for item in held):
        holding = sources([one for one in lists if all(map(one.has, held))])
        return (
            items_answer([replace(said, items=held)], holding, situation, together=True) if holding else None
        )
    return None


def _of_lists(
    order: Order, text: str, named: Sequence[Named], paths: Sequence[str], situation: Situation, surely: bool
) -> Answer | None:
    """The answer to an order that names lists."""
    own = names_of(situation.repo, situation.path)
    here = own.in_file(situation.path) if own.path else {}
    lists, words = [one.found for one in named], frozenset().union(*(one.words for one in named))
    said = _said(order, text, named)
    told = all(bool(one.kind) or one.tool for one in named)
    of_code = any(_is_code(word, situation) or _is_bound(word, situation) for word in words)
    in_code = of_code and not paths and not all(one.tool for one in named)
    shown = said.evidence >= SHOWN
    if surely and (in_code or not (paths or told)):
        return None
    several = parts(text, (*said.items, *words))
    if len(several) > 1:
        asked = [(at, part) for at, part in several if not is_negated(part, (*said.items, *words))]
        made = [_said(replace(order, start=order.start + at), part, named) for at, part in asked]
        made = [replace(one, new="") for one in made if one.items]
        found = items_answer(made, lists, situation) if made else Answer("cannot")
        doubt = str(decision_settings()["sentences"]["split"])
        return replace(found, ways=tuple(marked_with(doubt, way) for way in found.ways))
    if not shown and not paths:
        required = all(one.found.requires and one.kind for one in named)
        plain = not any(iskeyword(item) or key(item) in here for item in said.items)
        if not ((required or told) and plain) or abs(said.adds) < CLEAR:
            return None
    if is_negated(text, (*said.items, *words)) and not _by_key(text, named, said.items):
        return Answer("nothing", reason=f"{', '.join(said.items)} is left as it is.")
    found = items_answer([said], lists, situation)
    part = _PART.search(text.replace(said.items[0], " "))
    project = phrases.table()["config_lists"]["project"]
    if part is not None and not {part["noun"], *part["noun"].split(".")} & {*words, *project} and not paths:
        found = replace(found, ways=tuple(marked_with(unused(part["noun"]), way) for way in found.ways))
    if in_code and found.ways:
        doubt = assumed(f"{list_name(lists[0].path, lists[0].keys)} was assumed to be meant")
        found = replace(found, ways=tuple(marked_with(doubt, way) for way in found.ways))
    return found if found.ways or shown or paths else None


def _is_slot(order: Order, items: Sequence[str]) -> bool:
    """Whether the likeliest edit that is read has nothing but some items in a slot."""
    edits = [one for one in order.readings if one.intent not in ("impossible", "write")]
    slots = [{span.text for span in spans} for one in edits[:1] for spans in one.slots.values()]
    return any(slot <= set(items) for slot in slots)


def _is_about_code(order: Order, situation: Situation) -> bool:
    """Whether an order names a function or class, or has a word that looks like code and is a name there."""
    names = names_of(situation.repo, situation.path)
    read = [one for one in order.readings if one.probability >= _PLACED]
    places = [one.text(slot) for one in read for slot in ("function", "class") if one.slots.get(slot)]
    text = situation.instruction[order.start : order.end]
    places = [one for one in places if f"-{one}" not in text and f"{one}-" not in text]
    if any(one.isidentifier() and (_looks_like_code(one) or names.is_symbol(one)) for one in places):
        return True
    return any(_is_code(word, situation) for word in re.findall(r"\w+", text))


def _is_code(word: str, situation: Situation) -> bool:
    """Whether a word as it is written names something in the code, and looks like it."""
    return _looks_like_code(word) and word in situation.repo.index.symbol_names


def _is_bound(word: str, situation: Situation) -> bool:
    """Whether a word as it is written names something in the open file that is not imported."""
    own = names_of(situation.repo, situation.path)
    found = own.in_file(own.path).get(key(word), ()) if own.path else ()
    return any(one.name == word and one.kind is not SymbolKind.IMPORT for one in found)


def _looks_like_code(word: str) -> bool:
    return "_" in word or word[1:] != word[1:].lower()


def _said(order: Order, text: str, named: Sequence[Named]) -> Said:
    lists, used = [one.found for one in named], frozenset().union(*(one.words for one in named))
    quoted = [text[item.inner_start : item.inner_end] for item in tokenize(text).quoted]
    scores = {item: 3.0 for item in quoted if item not in used}
    evidence = max(scores.values(), default=0.0)
    every = [item for one in lists for item in one.items]
    shaped = bool(every) and all(map(RULE_OR_GROUP.match, every))
    numbers = bool(every) and all(map(VERSION.fullmatch, every))
    verbs = {key(word) for one in named for word in one.own if not one.found.requires}
    described = any(re.match(r"\{|\w+: ", item) for item in every)
    before: tuple[str, int] | None = None
    for found in _PIECE.finditer(text):
        piece, start = found[0].strip(".,:;"), found.start()
        known = piece in used or re.fullmatch(phrases.joining(), piece.lower()) is not None
        known = known or text[start - 1 : start] in ("'", "’") or any(piece in item for item in quoted)
        if not piece or known:
            continue
        if (shaped and not (RULE_OR_GROUP.match(piece) and any(map(str.isupper, piece)))) or piece.isdigit():
            continue
        if bool(VERSION.fullmatch(piece)) != numbers or any(piece == one.path for one in lists):
            continue
        score = 2.0 * (shaped or numbers) + 2.0 * any(one.has(piece) for one in lists)
        if described and (more := re.match(r":\s+(?:\S+(?=\s)|[^\n]+)", text[start + len(piece) :])):
            told = any(key(word) in verbs for word in words_of(text[start + len(piece) :]))
            piece = (piece + (more[0] if told else text[start + len(piece) :])).rstrip(" .")
            score += 3.0
        score += 3.0 * (key(_last_word(text[:start])) in verbs and not is_common(piece))
        name = re.split(r"[^\w]", piece)[0]
        if SPEC.search(piece) is not None and not is_common(name):
            score += 3.0
        evidence = max(evidence, score)
        score += 2.0 * min(_slotted(order, order.start + start, order.start + start + len(piece)), 1.0)
        score += 0.4 * (not is_common(name) and odds_of(_last_word(text[:start])) >= CLEAR)
        if before is not None and not is_common(name) and _JOINED.fullmatch(text, before[1], start):
            score = max(score, scores[before[0]])
        scores[piece] = max(score, scores.get(piece, 0.0))
        before = piece, start + len(piece)
    best = max(scores.values(), default=0.0)
    items = tuple(item for item, score in scores.items() if score >= max(0.7 * best, 0.01))
    version = _version(text, items)
    if classifier := _classifier(lists, version):
        items, evidence = (classifier,), SHOWN
    new, guessed = _exchanged(order, items, lists), ""
    odds = adds(order.readings, text, items, tuple(used))
    if by_key := _by_key(text, named, items):
        odds = by_key
    elif numbers and abs(odds) < CLEAR:
        odds = CLEAR
    others = [one for one in scores if one not in items and not (is_common(one) or replaces(one))]
    if not (new or version or by_key or is_told(odds)) and len(items) == len(others) == 1:
        new = others[0] if any(one.has(items[0]) for one in lists) else ""
        sure = any(map(replaces, words_of(text)))
        guessed = "" if sure else assumed(f"{new} was assumed to take the place of {items[0]}")
    return Said(text, items, version, odds, evidence, best, new, guessed)


def _by_key(text: str, named: Sequence[Named], items: Sequence[str]) -> float:
    """The log odds that items are added where the name of their list is the verb: *ignore E501*."""
    verbs = {key(word) for one in named for word in one.own if not one.found.requires}
    if all(one.told for one in named):
        return SURE
    for item in items:
        before = re.findall(r"[^\W\d]+(?:['’]t)?", text[: text.find(item)])
        if before and key(before[-1]) in verbs:
            return -SURE if is_kept_out(before[:-1]) else SURE
    return 0.0


def _without_list(order: Order, text: str, situation: Situation) -> Answer | None:
    """A sentence that says where no list of requirements was found."""
    known = phrases.table()["config_lists"]["requirements"]
    files = [path for path in config_files(situation.repo) if path.endswith((".toml", ".cfg", ".txt"))]
    if any(one.requires for path in files for one in lists_of(situation.repo, path)):
        return None
    if not phrases.any_stands_in(known, text.lower()) or abs(adds(order.readings, text, (), ())) < CLEAR:
        return None
    where = "; there is no pyproject.toml, setup.cfg or requirements.txt"
    where = f" in {', '.join(files)}" if files else where
    return Answer("cannot", reason=f"No list of dependencies was found{where}.")


def _last_word(text: str) -> str:
    words = [word for word in re.findall(r"\w+", text) if not phrases.is_said("articles", word)]
    return words[-1] if words else ""


def _exchanged(order: Order, items: Sequence[str], lists: Sequence[ConfigList]) -> str:
    """What is to stand in the place of one item that is there, where the reader reads that."""
    for one in order.readings[:2]:
        old, new = one.text("old"), one.text("new")
        likely = one.probability >= _PLACED and _PIECE.fullmatch(new) is not None
        if likely and old in items and any(each.has(old) for each in lists):
            return new
    return ""


def _slotted(order: Order, start: int, end: int) -> float:
    """How likely a slot, and not that of a place, has these characters."""
    return sum(
        reading.probability
        for reading in order.readings
        if any(
            span.start < end and start < span.end and span.end - span.start <= 2 * (end - start)
            for slot, spans in reading.slots.items()
            if slot not in ("file", "function", "class", "variable", "anchor")
            for span in spans
        )
    )


def _version(text: str, items: Sequence[str]) -> str:
    """The version that is said: its number, or the whole of its bounds."""
    for item in items:
        if (spec := SPEC.search(item)) is not None:
            return spec[0]
    found = [*SPEC.finditer(text)] or [*VERSION.finditer(text)]
    return found[-1][0] if found else ""


def _classifier(lists: Sequence[ConfigList], version: str) -> str:
    """The classifier of a version of Python, if the list has others; empty if not."""
    rows = [row for one in lists for row in one.items if re.search(r" :: \d+(?:\.\d+)+\Z", row)]
    return f"{rows[0].rpartition(' :: ')[0]} :: {version}" if rows and version else ""
