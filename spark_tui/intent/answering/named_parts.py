"""Parts of the open configuration file that an order removes or renames by their name: an environment of
tox, a hook, a service, or an item of a list of that file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from spark_tui.codemods.config_files.editing import dotted, find, format_of
from spark_tui.codemods.config_files.list_items import labels
from spark_tui.codemods.plan import Refused
from spark_tui.codemods.registry import Operation
from spark_tui.intent.answering.added_or_removed import is_negated
from spark_tui.intent.answering.config_answers import Said, calls_answer, items_answer, refused
from spark_tui.intent.building.building import call
from spark_tui.intent.context.config_lists import (
    ConfigList,
    config_files,
    is_configuration,
    lists_of,
    sources,
    tables_of,
    words_of,
)
from spark_tui.intent.context.lookup import plain_name
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.planning.answers import Answer, Way, marked_with
from spark_tui.intent.planning.words_unheard import is_idle
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import Doubt, DoubtKind, assumed
from spark_tui.intent.words.readings import Order
from spark_tui.intent.words.reasons import is_reason
from spark_tui.pysource.repository import Repository

_MOST_SHOWN = 3
_REMOVED = -10.0
"""The log odds of what is surely removed."""


def named_part_answer(order: Order, text: str, situation: Situation) -> Answer | None:
    """The answer to an order that says no more than which part of the open file goes, or its new name."""
    path = situation.path
    if not path or not is_configuration(path) or phrases.has_cjk(text):
        return None
    first, *others = re.split(r"[,;]\s", text)
    if not all(map(is_reason, others)):
        return None
    table = phrases.table()["config_lists"]
    words = [word for word in words_of(first) if not is_idle(word.lower())]
    verbs = [word for word in words if word.lower() in table["removing"]]
    kinds = [word for word in words if any(word.lower() in table[row] for row in ("parts", "requirements"))]
    names = [word for word in words if word not in (*verbs, *kinds)]
    if verbs and len(names) == 1 and not is_negated(first, names):
        return _removed(names[0], [word.lower() for word in kinds], situation)
    renames = [one for one in order.readings[:1] if one.intent == "rename" and one.text("new")]
    for one in renames:
        said = [word for word in words_of(plain_name(one.text("symbol"))) if word not in kinds]
        if len(said) == 1:
            return _renamed(said[0], one.text("new").strip("`'\""), situation)
    return None


def _removed(name: str, kinds: Sequence[str], situation: Situation) -> Answer | None:
    path, requirements = situation.path, phrases.table()["config_lists"]["requirements"]
    of_requirements = any(word in requirements for word in kinds)
    lists = [one for one in lists_of(situation.repo, path) if one.has(name)]
    parts = [] if of_requirements else list(_parts(name, situation))
    if not parts:
        wanted = [one for one in lists if one.requires or not of_requirements]
        projects = [one for one in _of_project(situation.repo) if one.has(name)]
        together = any(one in projects for one in wanted)
        wanted, said = sources(projects) if together else wanted, Said("", (name,), "", _REMOVED)
        found = items_answer([said], wanted, situation, together) if wanted else None
        return found and replace(found, ways=tuple(_left(name, way, situation) for way in found.ways))
    beside = [one for one in lists if not one.requires and name in one.items]
    calls = [*(_out_of(one, name) for one in beside), _without(parts[0], situation)]
    doubts = [assumed(f"{dotted(parts[0])} was assumed to be meant")] if len(parts) > 1 or not kinds else []
    found = calls_answer(calls, situation, *doubts)
    return replace(found, ways=tuple(_left(name, way, situation) for way in found.ways))


def _of_project(repo: Repository) -> Iterator[ConfigList]:
    """The lists of what the project requires."""
    for path in config_files(repo):
        yield from (one for one in lists_of(repo, path) if one.requires and not one.of_environment)


def _parts(name: str, situation: Situation) -> Iterator[tuple[str, ...]]:
    """The keys of the tables that are called by a name, none of them inside of another one."""
    found: list[tuple[str, ...]] = []
    for keys, value in tables_of(situation.repo, situation.path):
        item = keys[-1].isdigit()
        called = name in labels(value) if item else keys[-1] == name or keys[-1].endswith(f":{name}")
        if called and not any(keys[: len(one)] == one for one in found):
            found.append(keys)
            yield keys


def _without(keys: tuple[str, ...], situation: Situation) -> Operation:
    """The call that removes a table, or an item with keys of its own."""
    data: Any = format_of(situation.path).read(situation.repo.index.text(situation.path) or "")
    if not keys[-1].isdigit():
        return call("remove_key", path=situation.path, key=dotted(keys))
    value = find(data, keys)[1]
    name = next(iter(sorted(labels(value))))
    return call("remove_list_item", path=situation.path, key=dotted(keys[:-1]), item=name)


def _out_of(one: ConfigList, name: str) -> Operation:
    return call("remove_list_item", path=one.path, key=one.key, item=name)


def _renamed(name: str, new: str, situation: Situation) -> Answer | None:
    """The part with its new name, also where lists of the same file have it."""
    path, text = situation.path, situation.repo.index.text(situation.path) or ""
    parts = [keys for keys in _parts(name, situation) if not keys[-1].isdigit()]
    if len(parts) != 1 or situation.repo.index.symbols(name) or not re.fullmatch(r"[\w.-]+", new):
        return None
    last = re.escape(parts[0][-1])
    heads = rf"\[{re.escape('.'.join(parts[0]))}\]" if path.endswith((".cfg", ".ini")) else rf"[ \t]+{last}:"
    found = list(re.finditer(rf"(?m)^{heads}(?=\s|$)", text))
    if len(found) != 1 or not path.endswith((".cfg", ".ini", ".yaml", ".yml")):
        return None
    line = text.count("\n", 0, found[0].start()) + 1
    shown = text.splitlines()[line - 1]
    word = re.compile(rf"(?<![\w.-]){re.escape(name)}(?![\w.-])")
    head, key = (word.sub(new, one) for one in (found[0][0], parts[0][-1]))
    form = format_of(path)
    beside = find(form.read(text), parts[0][:-1])[1]
    if key in beside and key != parts[0][-1]:
        return refused(Refused(f"{path} has a {dotted((*parts[0][:-1], key))} already"))
    if form.name == "YAML" and [*form.read(f"{new}: 1\n")] != [new]:
        return None  # a number or a truth value
    calls = [call("replace_lines", place=f"{path}:{line}", text=shown.replace(found[0][0], head, 1))]
    for one in lists_of(situation.repo, path):
        if name in one.items and not one.requires:
            calls.append(call("replace_list_item", path=path, key=one.key, old=name, new=new))
    made = calls_answer(calls, situation)
    return replace(made, ways=tuple(_left(name, way, situation) for way in made.ways))


def _left(name: str, way: Way, situation: Situation) -> Way:
    """The edit with a mark that names the lines of the file that still have the name."""
    text = way.plan.texts(situation.repo).get(situation.path) or ""
    pattern = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
    lines = [str(at) for at, line in enumerate(text.splitlines(), 1) if pattern.search(line)]
    where = f"line{'s' if len(lines) > 1 else ''} {', '.join(lines[:_MOST_SHOWN])}"
    return marked_with(Doubt(f"{name} still stands in {where}", DoubtKind.UNDONE), way) if lines else way
