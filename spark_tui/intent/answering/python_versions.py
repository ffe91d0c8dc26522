"""Versions of Python: the lowest one that a project requires, and one that it supports or no longer does,
which is said in several places: bounds, classifiers, and what it is tested with."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from spark_tui.codemods.config_files.editing import dotted
from spark_tui.codemods.config_files.formats import Keys
from spark_tui.codemods.plan import Refusal, Refused
from spark_tui.codemods.registry import Operation
from spark_tui.intent.answering.config_answers import (
    SPEC,
    Said,
    calls_answer,
    key_answer,
    refused,
    renewed,
    with_version,
)
from spark_tui.intent.answering.named_keys import SETTING, named_by, tables_of_tools, values_of
from spark_tui.intent.building.building import call
from spark_tui.intent.context.config_lists import VERSION, ConfigList, config_files, lists_of, words_of
from spark_tui.intent.context.lookup import key
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.planning.answers import Answer
from spark_tui.intent.planning.words_unheard import is_idle
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import Doubt, DoubtKind, assumed
from spark_tui.intent.words.readings import Order

_FLOORS: tuple[Keys, ...] = (
    *(("project", "requires-python"), ("options", "python_requires")),
    ("tool", "poetry", "dependencies", "python"),
)
_LIKELY = 0.2
"""How likely a reading is that sets the lowest version."""
_ONE = r"c?py(?:thon)?[ -]?3\.?\d+(?![\w.])"
_MORE = rf"\s*(?:,|{phrases.joining()})(?:\s*{phrases.joining()})?\s*(?:{_ONE}|3\.\d+(?![\w.]))"
_SAID = re.compile(rf"(?<!\w){_ONE}(?:{_MORE})*", re.IGNORECASE)
_LISTED = re.compile(r"(?P<before>py|3\.|Programming Language :: Python :: 3\.)(?P<minor>\d+)(?:-dev)?\Z")
_MOST_SHOWN = 4


def python_versions_answer(text: str, situation: Situation) -> Answer | None:
    """The answer to an order that says no more than which version of Python is supported, or not."""
    said = _SAID.search(text)
    found = [int(number) for number in re.findall(r"3\.?(\d+)", said[0])] if said else []
    table = phrases.table()["config_lists"]
    words = [word.lower() for word in words_of(_SAID.sub(" ", re.sub(r"n['’]t\b", " not", text)))]
    kinds = ("requiring", "adding", "removing", "support")
    told = {kind: {*words} & {*table[kind]} for kind in kinds}
    negated = {*words} & {*phrases.words("negations")}
    known = negated.union(*told.values(), phrases.words("more"), table["versions"])
    if not found or any(word not in known and not is_idle(word) for word in words):
        return None
    if told["removing"] or (negated and (told["support"] or told["requiring"])):
        return _no_support(found, situation)
    if told["requiring"] and len(found) == 1 and (floors := _floors(situation)):
        return _with_floor(floors[0], f"3.{found[0]}", text, situation)
    return _support(found, situation) if told["adding"] or told["support"] else None


def _floors(situation: Situation) -> list[tuple[str, Keys, str]]:
    return [
        (path, (*keys, name), str(value))
        for path, keys, has in tables_of_tools(situation.repo)
        for name, value in has.items()
        if (*keys, name) in _FLOORS
    ]


def _minor(item: Any) -> int | None:
    """The version of Python that an item of a list, or a value, says."""
    found = _LISTED.match(str(item))
    number = found["minor"] if found else ""
    return int(number.removeprefix("3") if found and found["before"] == "py" else number) if number else None


def _listing(situation: Situation) -> Iterator[ConfigList]:
    """The lists that have versions of Python."""
    for path in config_files(situation.repo):
        for one in lists_of(situation.repo, path):
            numbers = all(map(VERSION.fullmatch, one.items))
            if (not numbers or "py" in one.key) and any(_minor(item) is not None for item in one.items):
                yield one


def _support(minors: Sequence[int], situation: Situation) -> Answer:
    calls: list[Operation] = []
    lists, shown = list(_listing(situation)), ", ".join(f"3.{minor}" for minor in minors)
    for one in lists:
        last = [item for item in one.items if _minor(item) is not None][-1]
        form = _LISTED.match(last)
        for minor in minors if form is not None else ():
            if form is not None and minor not in map(_minor, one.items):
                number = f"3{minor}" if form["before"] == "py" else str(minor)
                calls.append(_of_list("add_list_item", one, f"{form['before']}{number}"))
    if not lists:
        return refused(Refused(f"no list of Python versions to add {shown} to was found"))
    if not calls:
        return refused(Refused(f"all lists of Python versions have {shown}", why="nothing"))
    upper = [path for path, _, bounds in _floors(situation) if _is_above(max(minors), bounds)]
    if upper:
        return refused(Refused(f"what {upper[0]} requires excludes Python 3.{max(minors)}"))
    return calls_answer(calls, situation, _assumed(calls))


def _is_above(minor: int, bounds: str) -> bool:
    found = re.search(r"(<=?)\s*3\.(\d+)", bounds)
    return found is not None and minor >= int(found[2]) + (found[1] == "<=")


def _no_support(minors: Sequence[int], situation: Situation) -> Answer:
    minor = max(minors)
    calls: list[Operation] = []
    gone: set[int] = set()
    for one in _listing(situation):
        out = [item for item in one.items if (number := _minor(item)) is not None and number <= minor]
        if len(out) < len(one.items):
            calls += [_of_list("remove_list_item", one, item) for item in out]
            gone |= {number for item in out if (number := _minor(item)) is not None}
    paths = []
    for path, keys, bounds in _floors(situation):
        low = re.search(r"(?:>=|\^|~=?)\s*3\.(\d+)", bounds)
        if low is not None and int(low[1]) <= minor:
            try:
                made = with_version(bounds, Said("", (), f"3.{minor + 1}", 0.0))
            except Refusal as error:
                return refused(error.refused)
            calls.append(call("set_key", path=path, key=dotted(keys), value=made))
            paths.append(path)
    for path, keys, has in tables_of_tools(situation.repo):
        for name, value in has.items():
            number = _minor(value) if isinstance(value, str) and "version" in name else None
            if number is not None and number <= minor and ("py" in name or value.startswith("py")):
                made = f"py3{minor + 1}" if value.startswith("py") else f"3.{minor + 1}"
                made = json.dumps(made) if path.endswith(".toml") else made
                calls.append(call("set_key", path=path, key=dotted((*keys, name)), value=made))
    if not calls:
        return refused(Refused(f"no list or bound of Python versions with 3.{minor} was found"))
    older = sorted(gone.difference(minors))
    marks = [_assumed(calls), *renewed(situation, *paths)]
    if older:
        marks.append(assumed(f"{', '.join(f'3.{number}' for number in older)} went too"))
    return calls_answer(calls, situation, *marks, *_left(minor, calls, situation))


def _of_list(name: str, one: ConfigList, item: str) -> Operation:
    return call(name, path=one.path, key=one.key, item=item)


def _assumed(calls: list[Operation]) -> str:
    paths = dict.fromkeys(str(getattr(each, "path", "")) for each in calls)
    return assumed(f"all that was found in {', '.join(paths)} was assumed to be meant")


def _left(minor: int, calls: list[Operation], situation: Situation) -> list[str]:
    """The mark with the files that still name a version, at the root of the repository or for its tools."""
    pattern, found = re.compile(rf"(?<![\w.])(?:py3|3\.|python3?\.){minor}(?![\d.])"), []
    after = calls_answer(calls, situation)
    texts = after.ways[0].plan.texts(situation.repo) if after.ways else {}
    known = {*config_files(situation.repo)}
    for path in situation.repo.index.all_paths:
        if path in known or "/" not in path or path.startswith(".github/"):
            text = texts.get(path) or situation.repo.index.text(path) or ""
            found += [path] if pattern.search(text) else []
    shown = ", ".join(found[:_MOST_SHOWN]) + (", …" if len(found) > _MOST_SHOWN else "")
    return [Doubt(f"3.{minor} is still named in {shown}", DoubtKind.UNDONE)] if found else []


def python_floor_answer(order: Order, text: str, situation: Situation) -> Answer | None:
    """The answer to an order that sets the lowest version of Python."""
    if phrases.any_stands_in(phrases.table()["config_lists"]["adding"], text.lower()):
        return None  # a version that is added is one of several
    read = [one for one in order.readings if one.intent in SETTING]
    floors = _floors(situation)
    version, words = VERSION.search(text), {key(word) for word in words_of(text)}
    floor = any(key(one[1][-1]) in words for one in floors if one[1][-1] != "python")
    for one in read[:1]:
        valued = version is not None and any(span.text == version["number"] for span in values_of(one))
        valued = valued and one.probability >= _LIKELY and not one.slots.get("call")
        floor = floor or any("python" in span.text.lower() for span in named_by(one) if valued)
    if len(floors) == 1 and version is not None and floor:
        spec = SPEC.search(text)
        return _with_floor(floors[0], spec[0] if spec else version["number"], text, situation)
    return None


def _with_floor(floor: tuple[str, Keys, str], version: str, text: str, situation: Situation) -> Answer:
    path, keys, old = floor
    made = with_version(old, Said(text, (), version, 0.0))
    return key_answer(path, [keys], made, situation, *renewed(situation, path))
