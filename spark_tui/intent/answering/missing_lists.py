"""Lists that configuration files do not have yet, where an order may put its items."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from spark_tui.codemods.config_files.editing import find
from spark_tui.codemods.config_files.formats import Keys
from spark_tui.intent.context.config_lists import (
    ConfigList,
    Named,
    config_files,
    data_of,
    how_named,
    words_of,
)
from spark_tui.intent.planning.words_unheard import is_idle
from spark_tui.intent.words import phrases
from spark_tui.pysource.repository import Repository
from spark_tui.tables import table_beside

_NO_NAMES = frozenset(("new", "another", "an", "optional", "own"))


_table = table_beside(__file__, "missing_lists.toml")


def missing_lists(repo: Repository, text: str) -> list[Named]:
    """The lists that a text names and the files that set up the project do not have; the best."""
    found = []
    for path in config_files(repo):
        if path in ("pyproject.toml", "setup.cfg", "tox.ini"):
            for one in _missing(repo, path, text):
                named = how_named(one, words_of(text), text, [])
                found += [named] if named is not None and (named.kind or named.tool) else []
    best = max((one.score for one in found), default=0)
    return [one for one in found if one.score == best][:1]


def _missing(repo: Repository, path: str, text: str) -> Iterator[ConfigList]:
    if (data := data_of(repo, path)) is None:
        return
    for table, rows in _table()["pyproject" if path == "pyproject.toml" else "ini"].items():
        keys: Keys = tuple(table.split("."))
        there, has = find(data, keys)
        for names in rows if there and isinstance(has, dict) else ():
            dynamic = names[0] in has.get("dynamic", ())
            if not dynamic and not any(find(has, tuple(name.split(".")))[0] for name in names):
                requires = names[0] in ("dependencies", "install_requires")
                own = (*keys, *names[0].split("."))
                yield ConfigList(path, own, (), requires=requires, is_missing=True)
    group = _group_said(text)
    for keys, is_table in _groups(data, path) if group else ():
        own = (*keys, group, "dependencies") if is_table else (*keys, group)
        yield ConfigList(path, own, (), is_table, True, group, is_missing=True)


def _groups(data: Any, path: str) -> Iterator[tuple[Keys, bool]]:
    """Where a group of requirements belongs, and whether it is a table."""
    if path != "pyproject.toml":
        yield from [(("options.extras_require",), False)] if "options" in data else ()
    elif find(data, ("tool", "poetry", "name"))[0]:
        yield ("tool", "poetry", "group"), True
    elif "dependency-groups" in data and "optional-dependencies" not in data.get("project", {}):
        yield ("dependency-groups",), False
    elif "project" in data:
        yield ("project", "optional-dependencies"), False


def _group_said(text: str) -> str:
    """The name of a group of requirements: the word next to `extra`, or a usual name in front of
    `dependencies`."""
    table, words = phrases.table()["config_lists"], words_of(text)
    usual = {name for row in table["groups"] for name in row}
    for at, word in enumerate(words):
        beside = [*words[max(at - 1, 0) : at], *words[at + 1 : at + 2]]
        if word.lower() in table["extras"] and word.lower() not in _NO_NAMES:
            names = [one for one in beside if not is_idle(one.lower()) and one.lower() not in _NO_NAMES]
            names = [one for one in names if one.lower() not in table["requirements"]]
            return re.sub(r"\W+\Z", "", names[0]) if names else ""
        if word.lower() in table["requirements"] and (names := [one for one in beside[:1] if one in usual]):
            return names[0]
    return ""
