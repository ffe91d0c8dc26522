"""Keys of configuration files that an order sets without naming the file: by the tool that they are for."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from spark_tui.codemods.config_files import editing
from spark_tui.codemods.config_files.formats import Keys
from spark_tui.intent.answering.config_answers import Said, calls_answer, items_answer, key_answer
from spark_tui.intent.building.building import call
from spark_tui.intent.context.areas import paths_named
from spark_tui.intent.context.config_lists import (
    OF_TOOLS,
    RULE_OR_GROUP,
    VERSION,
    config_files,
    lists_of,
    table_said,
    tables_of,
    words_of,
)
from spark_tui.intent.context.list_words import said_as
from spark_tui.intent.context.lookup import key, names_of, plain_name
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.planning.answers import Answer
from spark_tui.intent.planning.words_unheard import is_idle
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed
from spark_tui.intent.words.readings import Order, Reading, Span
from spark_tui.pysource.repository import Repository

SETTING = frozenset(("set_key", "set_value", "set_default", "set_option", "add_option", "set_argument"))
SETTING |= frozenset(("set_entry", "flip_flag", "limit_value", "replace_value"))
_LIKELY = 0.2
"""How likely a reading is that sets a key which is not there."""
_PROJECT_VERSIONS: tuple[Keys, ...] = (
    *(("project", "version"), ("tool", "poetry", "version"), ("metadata", "version")),
    ("version",),  # of package.json
)
_PROJECT_NAMES: tuple[Keys, ...] = (("project", "name"), ("tool", "poetry", "name"), ("metadata", "name"))


def tables_of_tools(repo: Repository) -> list[tuple[str, Keys, dict[str, Any]]]:
    files = [path for path in config_files(repo) if "/" not in path and path.endswith(OF_TOOLS)]
    return [(path, keys, has) for path in files for keys, has in tables_of(repo, path)]


def project_name_answer(order: Order, situation: Situation) -> Answer | None:
    """The answer to an order that renames the project."""
    known = phrases.table()["config_lists"]["project"]
    for one in order.readings if not names_of(situation.repo, situation.path).is_symbol("project") else ():
        words = {word.lower() for word in words_of(plain_name(one.text("symbol")))}
        if one.intent != "rename" or not one.text("new") or not words & {*known} or words - {*known, "name"}:
            continue
        homes = [
            (path, (*keys, "name")) for path, keys, has in tables_of_tools(situation.repo) if "name" in has
        ]
        homes = [home for home in homes if home[1] in _PROJECT_NAMES]
        for path, keys in homes[:1]:
            mark = assumed(f"only the name in {path} changes")
            return key_answer(path, [keys], one.text("new").strip("`'\""), situation, mark)
    return None


def project_version_answer(order: Order, situation: Situation) -> Answer | None:
    """The answer to an order that sets the version of the project: in all files that have it."""
    repo, known = situation.repo, phrases.table()["config_lists"]["project"]
    said = [
        values_of(one)[0].text.strip("`'\"")
        for one in order.readings
        if one.intent in SETTING and values_of(one)
        if not any(one.text(slot) for slot in ("file", "function", "class"))
        for span in named_by(one)[:1]
        if {word.lower() for word in words_of(span.text)} - {*known} == {"version"}
    ]
    if not said or not VERSION.fullmatch(said[0]) or repo.index.symbols("version"):
        return None
    homes = []
    files = [path for path in config_files(repo) if "/" not in path]
    for keys in _PROJECT_VERSIONS:
        for path in files if len(keys) > 1 else {"package.json"} & {*files}:
            there, old = editing.value_at(path, repo.index.text(path) or "", keys)
            if there and isinstance(old, str) and VERSION.fullmatch(old):
                homes.append((path, keys, old))
    same = [home for home in homes if home[2] == homes[0][2]]
    calls = []
    for path, keys, _ in same:
        shown = said[0] if path.endswith(".cfg") else json.dumps(said[0])
        calls.append(call("set_key", path=path, key=editing.dotted(keys), value=shown))
    for path, _ in repo.index.symbols("__version__") if calls else ():
        if f'__version__ = "{same[0][2]}"' in (repo.index.text(path) or ""):
            calls.append(call("set_value", target=f"{path}::__version__", value=json.dumps(said[0])))
    marks = [assumed(f"the version is set in {len(calls)} places")] if len(calls) > 1 else []
    marks += [assumed(f"the version in {one[0]} stays {one[2]}") for one in homes if one not in same]
    return calls_answer(calls, situation, *marks) if calls else None


def flag_answer(text: str, situation: Situation) -> Answer | None:
    """The answer to an order that turns a key of a tool's table on or off."""
    state, words = phrases.state_said(text), words_of(text)
    if state is None:
        return None
    found = []
    for path, keys, has in tables_of_tools(situation.repo):
        tool = keys[keys[0] == "tool"] if len(keys) > (keys[0] == "tool") else ""
        flags = [name for name, value in has.items() if str(value).lower() in ("true", "false")]
        if tool and said_as(tool, words):
            found += [(path, (*keys, name), str(has[name])) for name in flags if said_as(name, words)]
    if not found and state == "True":
        return _new_flag(words, situation)
    if len(found) != 1:
        return None
    path, keys, old = found[0]
    value = state if path.endswith((".cfg", ".ini")) and old.istitle() else state.lower()
    return key_answer(path, [keys], value, situation)


def _new_flag(words: Sequence[str], situation: Situation) -> Answer | None:
    """The answer that turns on what the table of a tool does not have yet: *turn on fix for ruff*."""
    named = [(path, keys) for path, keys, _ in tables_of_tools(situation.repo) if keys[:1] == ("tool",)]
    named = [(path, keys) for path, keys in named if len(keys) == 2 and said_as(keys[1], words)]
    known = {*phrases.table()["config_lists"]["switching"]}
    rest = [word for word in words if not is_idle(word.lower()) and word.lower() not in known]
    rest = [word for word in rest if not any(said_as(keys[1], [word]) for _, keys in named)]
    if len(named) != 1 or len(rest) != 1 or RULE_OR_GROUP.match(rest[0]):
        return None
    path, keys = named[0]
    return key_answer(path, [(*keys, rest[0])], "true", situation, assumed(f"{keys[1]} had no {rest[0]}"))


def variable_answer(order: Order, situation: Situation) -> Answer | None:
    """The answer to an order that sets a variable in a list of `NAME=value`, of the file that it names, or
    the open one."""
    here = [(situation.path, 1.0)] if not situation.path.endswith((".py", ".pyi")) else []
    for one in order.readings:
        name, value = next(iter(named_by(one)), None), next(iter(values_of(one)), None)
        if one.intent not in SETTING or name is None or value is None:
            continue
        files = paths_named(situation.repo, one.text("file")) if one.text("file") else here
        paths = [path for path, weight in files if weight == 1.0]
        every = [
            each
            for path in paths
            if path in config_files(situation.repo)
            for each in lists_of(situation.repo, path)
        ]
        found = [(each, item) for each in every for item in each.items if item.startswith(f"{name.text}=")]
        if len(found) == 1:
            said = Said("", (found[0][1],), "", 0.0, new=f"{name.text}={value.text}")
            return items_answer([said], [found[0][0]], situation)
    return None


def named_key_answer(order: Order, text: str, situation: Situation, only_known: bool) -> Answer | None:
    """The answer to an order that sets the key of a table that it names. `only_known`: one that is there."""
    repo = situation.repo
    read = [one for one in order.readings if one.intent in SETTING]
    tables, words = tables_of_tools(repo), {key(word) for word in words_of(text)}
    words -= {key(word) for one in order.readings for span in one.left_out for word in words_of(span.text)}
    files = {path for path, _, _ in tables}
    for one in read:
        name, value = next(iter(named_by(one)), None), next(iter(values_of(one)), None)
        if name is None or value is None or names_of(repo, situation.path).is_symbol(name.text):
            continue
        beside = words - {key(word) for word in (name.text, value.text, *words_of(value.text))}
        likely = one.probability >= _LIKELY and not only_known
        named = {path: table_said(repo, path, beside) for path in files}
        fitting = [item for item in tables if item[1] == named[item[0]] and item[1] != ("project",)]
        for path, keys, has in fitting if len(fitting) == 1 else ():
            known = next((known for known in has if key(known) == key(name.text)), name.text)
            makes = likely and re.fullmatch(r"[\w.-]+", known)
            if not isinstance(has.get(known), list | dict) and (known in has or makes):
                # A number in front of the name counts something, and may be the value of another key.
                counts = known not in has and value.start < name.start
                marks = [assumed(f"{editing.dotted(keys)} had no {known}")] if counts else []
                left = {key(word) for span in one.left_out for word in words_of(span.text)}
                each = [keys for at, keys, has in tables if at == path and known in has]
                each = [
                    other for other in each if other[:-1] == keys[:-1] and key(other[-1]) in beside - left
                ]
                homes = [(*other, known) for other in (each if keys in each else [keys])]
                return key_answer(path, homes, value.text.strip("`'\""), situation, *marks)
    return None


def named_by(reading: Reading) -> tuple[Span, ...]:
    slots = ("key", "name", "variable", "parameter", "argument", "old")
    return next((reading.slots[slot] for slot in slots if reading.slots.get(slot)), ())


def values_of(reading: Reading) -> tuple[Span, ...]:
    slots = ("value", "default", "new", "maximum", "minimum")
    return next((reading.slots[slot] for slot in slots if reading.slots.get(slot)), ())
