"""The lists in the configuration files of a repository, and which of them words name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any
from weakref import WeakKeyDictionary

from spark_tui.codemods.config_files import editing
from spark_tui.codemods.config_files.formats import Keys
from spark_tui.codemods.config_files.list_items import find_list, head, is_requirements
from spark_tui.codemods.plan import Refusal
from spark_tui.intent.context.lookup import key, without_s
from spark_tui.intent.context.spelling import edit_distance
from spark_tui.intent.words import phrases
from spark_tui.pysource.files.index import Index
from spark_tui.pysource.repository import Repository

_OF_TOOLS = (".toml", ".cfg", ".ini")
_CONFIGURATION = (*_OF_TOOLS, ".json", ".yaml", ".yml")
_MOST_CHARACTERS = 100_000
_MAIN = frozenset(("dependencies", "install_requires", "requires-dist"))
_GROUPS = frozenset(("optional-dependencies", "dependency-groups", "options.extras_require", "extras"))
_WORD = re.compile(r"[A-Za-z0-9_À-ɏ]+(?:[.-][A-Za-z0-9_À-ɏ]+)*")
_PARTS = re.compile(r"[\s._:-]+")
RULE = re.compile(r"[A-Z]{1,5}\d{1,4}\Z")
"""A rule of a linter."""
RULE_OR_GROUP = re.compile(r"[A-Z]{1,5}\d{0,4}\Z")
_LONG = 8
"""Letters of a word that may have a typing error."""


@dataclass(frozen=True)
class ConfigList:
    """A list of a configuration file, or a table of requirements as Poetry has it. `group` is that of
    optional requirements: `dev`."""

    path: str
    keys: Keys
    items: tuple[str, ...]
    is_table: bool = False
    requires: bool = False
    group: str = ""

    @property
    def key(self) -> str:
        return ".".join(f'"{part}"' if "." in part else part for part in self.keys)

    def has(self, item: str) -> bool:
        return any(head(one) == head(item) for one in self.items)


@dataclass(frozen=True)
class Named:
    """A list that words name, how well, and the words that do."""

    found: ConfigList
    score: int
    words: frozenset[str]
    kind: frozenset[str]
    """Those that say that it is about what the project requires."""
    tool: bool
    """Whether they name the tool that the list is for."""


_KNOWN: WeakKeyDictionary[Index, dict[str, tuple[str, list[ConfigList]]]] = WeakKeyDictionary()


def is_configuration(path: str) -> bool:
    """Whether a file may have lists, by its name."""
    return is_requirements(path) or path.endswith(_CONFIGURATION)


def config_files(repo: Repository) -> list[str]:
    """The files of the top folder that set up the project and its tools, and all requirements files."""
    every = repo.index.all_paths
    return [path for path in every if is_requirements(path) or ("/" not in path and path.endswith(_OF_TOOLS))]


def tables_of(repo: Repository, path: str) -> list[tuple[Keys, dict[str, Any]]]:
    """The tables of a configuration file with what they have."""
    try:
        data = editing.format_of(path).read(repo.index.text(path) or "")
    except (Refusal, ValueError, RecursionError):
        return []
    return [(keys, value) for keys, value in _walk(data, ()) if isinstance(value, dict)]


def table_said(repo: Repository, path: str, words: Iterable[str]) -> Keys | None:
    """The table of a configuration file whose tool, and perhaps part, is among some words."""
    said, scored = {key(part) for word in words for part in word.split(".")}, []
    for keys, _ in tables_of(repo, path):
        rest = keys[1:] if keys[0] == "tool" else keys
        parts = {key(part) for name in rest for part in _PARTS.split(name)}
        if rest and said & {key(part) for part in _PARTS.split(rest[0])}:
            scored.append((len(said & parts), -len(keys), keys))
    return max(scored)[2] if scored else None


def lists_of(repo: Repository, path: str) -> list[ConfigList]:
    """The lists of a configuration file; of one that cannot be read there are none."""
    text = repo.index.text(path) or ""
    known = _KNOWN.setdefault(repo.index, {})
    if known.get(path, ("", []))[0] != text or path not in known:
        try:
            known[path] = text, list(_lists(path, text)) if len(text) <= _MOST_CHARACTERS else []
        except (Refusal, ValueError, RecursionError):
            known[path] = text, []
    return known[path][1]


def _lists(path: str, text: str) -> Iterator[ConfigList]:
    if is_requirements(path):
        where = PurePosixPath(path)
        words = [word for word in _PARTS.split(where.stem) if word not in ("requirements", "constraints")]
        yield ConfigList(path, (), tuple(find_list(path, text, ()).texts), False, True, "-".join(words))
        return
    form = editing.format_of(path)
    for keys, value in _walk(form.read(text), ()):
        last, owner = keys[-1], ".".join(keys[:-1])
        group = last if owner in _GROUPS or _GROUPS & {*keys[-2:-1]} else ""
        if isinstance(value, dict) and last == "dependencies" and "poetry" in keys:
            group = keys[keys.index("group") + 1] if "group" in keys else ""
            yield ConfigList(path, keys, tuple(value), True, True, group)
        requires = last in _MAIN or bool(group)
        if isinstance(value, list) and all(isinstance(item, str | int) for item in value):
            yield ConfigList(path, keys, tuple(map(str, value)), False, requires, group)
        elif form.name == "INI" and isinstance(value, str):
            keys = (owner, last) if owner else keys
            items = tuple(find_list(path, text, keys).texts)
            if len(items) == 1 and "\n" not in value and not requires and not RULE.match(value):
                continue
            yield ConfigList(path, keys, items, False, requires, group)


def _walk(data: Any, keys: Keys) -> Iterator[tuple[Keys, Any]]:
    for name, value in data.items() if isinstance(data, dict) else ():
        yield (*keys, str(name)), value
        yield from _walk(value, (*keys, str(name)))


def words_of(text: str) -> list[str]:
    """The words of a text that may name a list."""
    return _WORD.findall(text)


def named_lists(repo: Repository, text: str, paths: Sequence[str]) -> list[Named]:
    """The lists that a text names, the best first. `paths` are files that it names."""
    every = [item for path in (paths or config_files(repo)) for item in lists_of(repo, path)]
    words = words_of(text)
    found = [one for item in every if (one := _named(item, words, text, paths)) is not None]
    grouped = [one for one in found if one.found.group and key(one.found.group) in map(key, one.words)]
    if grouped:
        found = [one for one in found if one in grouped or not one.found.requires]
    best = max((one.score for one in found), default=0)
    return [one for one in found if one.score == best]


def _named(item: ConfigList, words: Sequence[str], text: str, paths: Sequence[str]) -> Named | None:
    own = {word for word in words if item.keys and without_s(key(word)) == without_s(key(item.keys[-1]))}
    own = own if not item.group else set()
    known = phrases.table()["config_lists"]["requirements"]
    kind: set[str] = set()
    if item.requires:
        kind = {word for word in words if _is_kind("requirements", word)}
        kind |= {word for word in known if phrases.has_cjk(word) and word in text}
    parts = {key(part) for name in item.keys[:-1] for part in _PARTS.split(name)} - {
        "tool",
        "options",
        "project",
    }
    beside = {word for word in words if key(word) in parts} - own - kind
    group = {word for word in words if item.group and _is_group(item.group, word)}
    extra = {word for word in words if _is_kind("extras", word)}
    if item.path in paths and not item.keys:
        kind.add(item.path)
    if not (own or kind or (group and (extra or item.path in paths))):
        return None
    if item.group and not group and not (extra or item.path in paths):
        return None
    if not item.group and extra and item.requires:
        return None
    # `requirements` are rather the file of that name, `dependencies` the key.
    named_so = any(key(word)[:4] == "".join(item.keys[-1:] or ("requirements",))[:4] for word in kind)
    score = 3 * bool(own or kind) + 2 * bool(group) + len(beside) + named_so
    tools = {key(part) for name in item.keys[item.keys[:1] == ("tool",) :][:1] for part in _PARTS.split(name)}
    tool = any(key(word) in tools for word in beside)
    words_used = frozenset((*own, *kind, *beside, *group, *extra))
    return Named(item, score, words_used, frozenset(kind | (group if extra else set())), tool)


def _is_group(group: str, word: str) -> bool:
    same = [key(group), *(key(part) for part in _PARTS.split(group))]
    alike = phrases.table()["config_lists"]["groups"]
    return key(word) in same or any(key(word) in row and key(group) in row for row in alike)


def _is_kind(kind: str, word: str) -> bool:
    known, low = phrases.table()["config_lists"][kind], word.lower()
    return low in known or (
        len(low) >= _LONG and any(edit_distance(low, one, 2) <= 2 for one in known if len(one) >= _LONG)
    )
