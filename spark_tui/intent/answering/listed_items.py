"""Items of lists in configuration files: an instruction about one that the code does not know by name."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from spark_tui.codemods.config_files import editing
from spark_tui.codemods.config_files.formats import Keys
from spark_tui.codemods.config_files.list_items import head, is_requirements
from spark_tui.codemods.plan import Plan, Refusal, Refused
from spark_tui.codemods.registry import Operation
from spark_tui.intent.building.building import call
from spark_tui.intent.context.areas import paths_named
from spark_tui.intent.context.config_lists import (
    ConfigList,
    config_files,
    is_configuration,
    lists_of,
    named_lists,
    tables_of,
    words_of,
)
from spark_tui.intent.context.lookup import key, names_of
from spark_tui.intent.context.situation import Done, Situation
from spark_tui.intent.planning.answers import Answer, Way
from spark_tui.intent.planning.executing import decision_settings, plan_of
from spark_tui.intent.planning.titles import title_of_calls
from spark_tui.intent.reading.word_counts import buckets, word_counts
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed
from spark_tui.intent.words.readings import Order, Reading, Span
from spark_tui.intent.words.tokens import IDEOGRAPH, tokenize

_ADDING = ("add_item", "insert_line", "add_import", "add_parameter", "add_field", "add_decorator", "add_base")
_REMOVING = ("remove_item", "remove_key", "remove_import", "remove_parameter", "delete_lines")
_REMOVING = (*_REMOVING, "remove_decorator", "remove_base", "remove_definition")
_SIGN = r"(?:===?|>=|<=|~=|!=|\^|~|>|<)"
_CLAUSE = rf"{_SIGN}\s*v?[\w.*]+"
_PIECE = re.compile(
    rf"[A-Za-z0-9_À-ɏ][\w.:/+*-]*(?:\[[\w, -]+\])?(?:\s*{_CLAUSE}(?:\s*,\s*{_CLAUSE})*)?", re.ASCII
)
_VERSION = re.compile(rf"(?<![\w.])v?(?P<number>\d+(?:\.\d+)+(?:\.\*)?[\w.]*)(?![\w.]*=)")
_SPEC = re.compile(rf"{_CLAUSE}(?:\s*,\s*{_CLAUSE})*")
_PARTS = re.compile(r"[\s._:-]+")
_RULE = re.compile(r"[A-Z]{1,5}\d{0,4}\Z")
_CLEAR = 1.5
"""The log odds from which it is clear whether something is added or removed."""


@dataclass(frozen=True)
class _Said:
    """What an order says: its text, its items, a version, and the log odds that it adds."""

    text: str
    items: tuple[str, ...]
    version: str
    adds: float


def listed_item_answer(order: Order, situation: Situation) -> Answer | None:
    """The answer to an order about an item of a list in a configuration file; None for any other order."""
    if situation.earlier is not None or not order.readings or _is_about_code(order.readings[0], situation):
        return None
    text, repo = situation.instruction[order.start : order.end], situation.repo
    told = [item.text for item in tokenize(situation.instruction).items if item.kind == "path"]
    paths = [path for item in told for path, weight in paths_named(repo, item) if weight == 1.0]
    paths = [path for path in paths if is_configuration(path)]
    if told and not paths:
        return None
    named = named_lists(repo, text, paths) or named_lists(repo, situation.instruction, paths)
    named = [one for one in named if not any(_is_code(word, situation) for word in one.words)]
    if named:
        used = frozenset().union(*(one.words for one in named))
        said = _said(order, text, [one.found for one in named], used)
        return _answer(said, [one.found for one in named], situation) if said.items else None
    lists = [one for path in (paths or config_files(repo)) for one in lists_of(repo, path) if one.requires]
    said = _said(order, text, lists, frozenset(told))
    held = [item for item in said.items if any(one.has(item) for one in lists)]
    if not held or (not said.version and not paths) or any(_is_code(item, situation) for item in held):
        return _of_key(order, text, paths, situation)
    said = replace(said, items=tuple(held))
    return _answer(said, [one for one in lists if all(map(one.has, held))], situation, together=True)


_SETTING = frozenset(("set_key", "set_value", "set_default", "set_option", "add_option", "set_argument"))
_SETTING |= frozenset(("set_entry", "flip_flag", "limit_value", "replace_value"))
_FLOORS = (("project", "requires-python"), ("tool", "poetry", "dependencies", "python"))
_FLOORS = (*_FLOORS, ("options", "python_requires"))


def _of_key(order: Order, text: str, paths: Sequence[str], situation: Situation) -> Answer | None:
    """The answer to an order that sets the key of a table that it names, or the lowest version of Python."""
    repo = situation.repo
    read = [one for one in order.readings if one.intent in _SETTING]
    files = [path for path in (paths or config_files(repo)) if not is_requirements(path)]
    tables = [(path, keys, has) for path in files for keys, has in tables_of(repo, path)]
    floors = [
        (path, (*keys, name), has[name])
        for path, keys, has in tables
        for name in has
        if (*keys, name) in _FLOORS
    ]
    version, words = _VERSION.search(text), {key(word) for word in words_of(text)}
    floor = any(key(one[1][-1]) in words for one in floors if one[1][-1] != "python")
    floor = floor or any("python" in span.text.lower() for one in read[:1] for span in _named_by(one))
    if len(floors) == 1 and version is not None and floor and not _is_code("python", situation):
        path, keys, old = floors[0]
        spec = _SPEC.search(text)
        said = _Said(text, (), spec[0] if spec else version["number"], 0.0)
        return _set(path, keys, with_version(str(old), said), situation)
    for one in read:
        name, value = next(iter(_named_by(one)), None), next(iter(_values_of(one)), None)
        if name is None or value is None or names_of(repo, situation.path).is_symbol(name.text):
            continue
        beside = words - {key(name.text), key(value.text)}
        fitting = [item for item in tables if beside & {key(part) for part in _PARTS.split(item[1][-1])}]
        fitting += [
            item for item in tables if beside & set(map(key, item[1][:-1])) and "." not in item[1][-1]
        ]
        here = [item for item in fitting if any(key(known) == key(name.text) for known in item[2])]
        for path, keys, has in here[:1] or fitting[:1]:
            known = next((known for known in has if key(known) == key(name.text)), name.text)
            if not isinstance(has.get(known), list | dict):
                return _set(path, (*keys, known), value.text.strip("`'\""), situation)
    return None


def _named_by(reading: Reading) -> tuple[Span, ...]:
    slots = ("key", "name", "variable", "parameter", "argument", "old")
    return next((reading.slots[slot] for slot in slots if reading.slots.get(slot)), ())


def _values_of(reading: Reading) -> tuple[Span, ...]:
    slots = ("value", "default", "new", "maximum", "minimum")
    return next((reading.slots[slot] for slot in slots if reading.slots.get(slot)), ())


def _set(path: str, keys: Keys, value: str, situation: Situation) -> Answer:
    """The answer that sets a key."""
    said = _Said("", (), value, 0.0)
    shown = ".".join(f'"{part}"' if "." in part and path.endswith(".toml") else part for part in keys)
    calls = (call("set_key", path=path, key=shown, value=value),)
    found = plan_of(calls, situation.repo)
    if isinstance(found, Plan):
        return Answer("edit", (_way(calls, found, (), situation, False, said),))
    return _refused(found)


def _is_about_code(first: Reading, situation: Situation) -> bool:
    """Whether a reading that is rather sure names a function or class."""
    names = names_of(situation.repo, situation.path)
    places = [first.text(slot) for slot in ("function", "class") if first.slots.get(slot)]
    return first.probability >= 0.5 and any(text.isidentifier() and names.is_symbol(text) for text in places)


def _is_code(word: str, situation: Situation) -> bool:
    """Whether a word as it is written names something in the code, and looks like it."""
    looks_so = "_" in word or word != word.lower()
    return looks_so and word in situation.repo.index.symbol_names


def _said(order: Order, text: str, lists: Sequence[ConfigList], used: frozenset[str]) -> _Said:
    quoted = [text[item.inner_start : item.inner_end] for item in tokenize(text).quoted]
    scores: dict[str, float] = {item: 3.0 for item in quoted if item not in used}
    rules = any(_RULE.match(item) and len(item) > 1 for one in lists for item in one.items)
    for found in _PIECE.finditer(text):
        piece = found[0].strip(".,:;")
        if any(piece in item for item in quoted) or piece in used or not piece:
            continue
        if _VERSION.fullmatch(piece) or any(piece == one.path for one in lists):
            continue
        score = 3.0 if _SPEC.search(piece) else 0.0
        score += 2.0 * any(one.has(piece) for one in lists)
        score += 2.0 * bool(rules and _RULE.match(piece) and not piece.islower())
        start = order.start + found.start()
        score += 2.0 * min(_slotted(order, start, start + len(piece)), 1.0)
        scores[piece] = max(score, scores.get(piece, 0.0))
    best = max(scores.values(), default=0.0)
    items = tuple(item for item, score in scores.items() if score >= max(0.7 * best, 0.01))
    version = _version(text, items)
    items = tuple(_classifier(item, lists, version) for item in items) or _of_version(lists, version)
    return _Said(text, items, version, _adds(order, text, (*items, *used)))


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
        if (spec := _SPEC.search(item)) is not None:
            return spec[0]
    found = _SPEC.search(text) or _VERSION.search(text)
    return "" if found is None else found[0]


def _of_version(lists: Sequence[ConfigList], version: str) -> tuple[str, ...]:
    found = [_classifier("", lists, version)] if version else []
    return tuple(item for item in found if item)


def _classifier(item: str, lists: Sequence[ConfigList], version: str) -> str:
    """The classifier of a version of Python, in a list that has others."""
    rows = [row for one in lists for row in one.items if re.search(r" :: \d+(?:\.\d+)+\Z", row)]
    if not rows or not version or " :: " in item:
        return item
    return f"{rows[0].rpartition(' :: ')[0]} :: {version}"


def _adds(order: Order, text: str, used: Sequence[str]) -> float:
    """The log odds that an order adds something and does not remove it: by the words that were said for either,
    and by what the reader reads that is done to the item."""
    for item in used:
        text = text.replace(item, " ")
    words = [word for word in re.findall(rf"[^\W\d_]+", re.sub(f"({IDEOGRAPH})", r" \1 ", text))]
    counts = word_counts()
    columns = [[counts.names[one] for one in kind if one in counts.names] for kind in (_ADDING, _REMOVING)]
    totals = [float(counts.counts[:, own].sum(dtype=int)) for own in columns]
    odds = 0.0
    for bucket in buckets(words)[0]:
        adds, removes = (
            1000 * float(counts.counts[bucket, own].sum(dtype=int)) / total
            for own, total in zip(columns, totals, strict=True)
        )
        odds += math.log((adds + 0.15) / (removes + 0.15))
    read = [
        sum(one.probability for one in order.readings if one.slots and one.intent.startswith(kinds))
        for kinds in (("add_", "insert_"), ("remove_", "delete_"))
    ]
    return odds + math.log((read[0] + 0.05) / (read[1] + 0.05))


def _answer(said: _Said, lists: Sequence[ConfigList], situation: Situation, together: bool = False) -> Answer:
    """The answer to what is said about an item of one of some lists, or of all of them `together`."""
    holding = [one for one in lists if all(one.has(item) for item in said.items)]
    removes = said.adds <= -_CLEAR or (said.adds < _CLEAR and bool(holding) and not said.version)
    sets = bool(said.version and holding) and -_CLEAR < said.adds < 2 * _CLEAR
    clear = abs(said.adds) >= _CLEAR or sets
    chosen = (holding or list(lists)) if removes or sets else list(lists)
    ways, reasons = [], []
    groups = [chosen] if together else [[one] for one in chosen]
    for group in groups:
        try:
            calls = tuple(
                _call(one, item, said, removes, sets, situation) for one in group for item in said.items
            )
        except Refusal as error:
            reasons.append(error.refused)
            continue
        found = plan_of(calls, situation.repo)
        if isinstance(found, Plan):
            doubts = (
                ()
                if clear
                else (assumed("it was assumed that this is to be " + ("removed" if removes else "added")),)
            )
            ways.append(_way(calls, found, doubts, situation, removes, said))
        else:
            reasons.append(found)
    if len(ways) == 1:
        return Answer("edit", (ways[0],))
    if ways:
        return Answer("choices", tuple(ways[:3]), best=ways[0])
    return _refused(reasons[0])


def _refused(reason: Refused) -> Answer:
    sentences = decision_settings()["sentences"]
    if reason.why == "nothing":
        shown = reason.reason.rstrip(".")
        return Answer("nothing", reason=sentences["nothing"].format(reason=shown), idle=shown)
    return Answer("cannot", reason=sentences["refused"].format(reason=reason.reason.rstrip(".")))


def _call(
    one: ConfigList, item: str, said: _Said, removes: bool, sets: bool, situation: Situation
) -> Operation:
    if one.is_table:
        return _of_table(one, item, said, removes, situation)
    if removes:
        return call("remove_list_item", path=one.path, key=one.key, item=item)
    if not sets:
        return call("add_list_item", path=one.path, key=one.key, item=item)
    old = next(row for row in one.items if head(row) == head(item))
    return call("replace_list_item", path=one.path, key=one.key, old=old, new=with_version(old, said))


def with_version(old: str, said: _Said) -> str:
    """A requirement with another version: its bounds stay where only a number is said."""
    bounds, _, marker = old.partition(";")
    marker = f"{bounds[len(bounds.rstrip()) :]};{marker}" if marker else ""
    bounds = bounds.rstrip()
    spec = _SPEC.search(bounds)
    name = bounds[: spec.start()] if spec else bounds
    if _SPEC.fullmatch(said.version):
        return f"{name}{said.version}{marker}"
    if any(phrases.stands_in(word, said.text.lower()) for word in phrases.table()["config_lists"]["pinned"]):
        return f"{name}=={said.version.removeprefix('v')}{marker}"
    if spec is None:
        return f"{name}>={said.version.removeprefix('v')}{marker}"
    first = re.search(rf"(?P<sign>===?|>=|~=|\^|~)(?P<gap>\s*)[\w.*]+", spec[0])
    if first is None:
        raise Refusal(f"{old} has no lower bound; say the whole of it")
    kept = f"{first['sign']}{first['gap']}{said.version.removeprefix('v')}"
    made = spec[0][: first.start()] + kept + spec[0][first.end() :]
    upper = re.search(r"<=?\s*(?P<number>\d+(?:\.\d+)*)", made)
    if upper is not None and _numbers(upper["number"]) <= _numbers(said.version):
        raise Refusal(f"{old} excludes {said.version}; say both bounds")
    return f"{name}{made}{marker}"


def _numbers(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version)]


def _of_table(one: ConfigList, item: str, said: _Said, removes: bool, situation: Situation) -> Operation:
    """A requirement that is a key, as Poetry has them."""
    spec = _SPEC.search(item)
    name = (item[: spec.start()] if spec else item).strip()
    there = next((row for row in one.items if head(row) == head(name)), "")
    if removes:
        if not there:
            raise Refusal(f"{name} is not in {one.key} of {one.path}")
        return call("remove_key", path=one.path, key=f"{one.key}.{there}")
    if not there:
        return call("set_key", path=one.path, key=f"{one.key}.{name}", value=f'"{said.version or "*"}"')
    if not said.version:
        raise Refusal(f"{there} is already in {one.key} of {one.path}", why="nothing")
    form = editing.format_of(one.path)
    data = form.read(situation.repo.index.text(one.path) or "")
    key = f"{one.key}.{there}"
    value = editing.find(data, editing.keys_of(key))[1]
    if isinstance(value, dict):
        key, value = f"{key}.version", str(value.get("version", ""))
    new = with_version(value, said)
    return call("set_key", path=one.path, key=key, value=f'"{new}"')


def _way(
    calls: tuple[Operation, ...],
    plan: Plan,
    doubts: tuple[str, ...],
    situation: Situation,
    removes: bool,
    said: _Said,
) -> Way:
    slots = {"value": tuple(Span(-1, -1, item) for item in said.items)}
    done = Done("remove_item" if removes else "add_item", slots, calls)
    return Way(calls, plan, 0.9 if doubts else 0.97, doubts, title_of_calls(calls, situation.repo), done)
