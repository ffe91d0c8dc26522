"""The lists in the configuration files of a repository, and which of them words name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Any
from weakref import WeakKeyDictionary

from spark_tui.codemods.config_files import editing
from spark_tui.codemods.config_files.formats import Keys
from spark_tui.codemods.config_files.list_items import find_list, head, is_requirements
from spark_tui.codemods.plan import Refusal
from spark_tui.intent.context.generated_files import command_that_writes
from spark_tui.intent.context.list_words import (
    PARTS,
    is_group,
    is_kind,
    is_list_verb,
    parts_of,
    said_as,
    without_prepositions,
)
from spark_tui.intent.context.lookup import key
from spark_tui.intent.words import phrases
from spark_tui.pysource.files.index import Index
from spark_tui.pysource.repository import Repository

OF_TOOLS = (".toml", ".cfg", ".ini")
_CONFIGURATION = (*OF_TOOLS, ".json", ".yaml", ".yml", ".env", ".env.example")
_MOST_CHARACTERS = 100_000
_ONLY_REQUIRE = frozenset(("package.json", "environment.yml", "environment.yaml"))
_TABLES = _ONLY_REQUIRE | {"pyproject.toml"}
"""Files that set up a part of the project in the folder where they are."""
_MAIN = frozenset(("dependencies", "install_requires", "requires-dist"))
_GROUPS = frozenset(("optional-dependencies", "dependency-groups", "dev-dependencies", "extras", "envs"))
_GROUPS |= {"options.extras_require"}
_OF_ENVIRONMENTS = frozenset(("deps", "additional_dependencies"))
_WORD = re.compile(r"[A-Za-z0-9_À-ɏ]+(?:[.-][A-Za-z0-9_À-ɏ]+)*")
_DIGITS = re.compile(r"\d+")
_PAIR = re.compile(r"\S+:(?![:/])\S")
RULE = re.compile(r"[A-Z]{1,5}\d{1,4}\Z")
"""A rule of a linter."""
RULE_OR_GROUP = re.compile(r"[A-Z]{1,5}\d{0,4}\Z")
VERSION = re.compile(r"(?<![\w.])v?(?P<number>\d+(?:\.\d+)+(?:\.\*)?[\w.]*)(?![\w.]*=)")


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
    about: frozenset[str] = frozenset()
    """Names of what the list is for: a hook of pre-commit."""
    made_by: str = ""
    """The command that writes the file."""
    is_missing: bool = False

    @property
    def key(self) -> str:
        return editing.dotted(self.keys)

    @property
    def of_environment(self) -> bool:
        """Whether it is what an environment of tox, or a hook, requires."""
        return bool(_OF_ENVIRONMENTS & {*self.keys[-1:]})

    def has(self, item: str) -> bool:
        return any(head(one) == head(item) for one in self.items)

    def has_alike(self, item: str) -> bool:
        """Whether it has an item that differs in its numbers only: `py39` and `py310`."""
        form = _DIGITS.sub("0", item)
        return form != item and any(_DIGITS.sub("0", one) == form for one in self.items)

    def may_have(self, item: str) -> bool:
        """Whether an item has the form of the others where all map a file or name: `__init__.py:F401`."""
        pairs = bool(self.items) and all(_PAIR.match(one) for one in self.items)
        return not pairs or _PAIR.match(item) is not None or self.has(item)


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
    verbs: frozenset[str] = frozenset()
    """Those that are the name of the list, which is a verb."""
    switched: int = 0
    """1 where the list has what words turn on or off, as rules of a linter, -1 where it has the opposite."""


_FILES: WeakKeyDictionary[Index, list[str]] = WeakKeyDictionary()


def is_configuration(path: str) -> bool:
    """Whether a file may have lists, by its name."""
    return is_requirements(path) or path.endswith(_CONFIGURATION)


def config_files(repo: Repository) -> list[str]:
    """The files that set up the project, its parts and its tools, and all requirements files."""
    if repo.index not in _FILES:
        _FILES[repo.index] = [path for path in repo.index.all_paths if _sets_up(path)]
    return _FILES[repo.index]


def _sets_up(path: str) -> bool:
    folder, _, name = path.rpartition("/")
    of_tools = folder in ("", ".github/workflows") and path.endswith(_CONFIGURATION)
    return is_requirements(path) or name in _TABLES or (of_tools and "lock" not in name)


def tables_of(repo: Repository, path: str) -> list[tuple[Keys, dict[str, Any]]]:
    """The tables of a configuration file with what they have."""
    return [(keys, value) for keys, value in _walk(data_of(repo, path), ()) if isinstance(value, dict)]


def data_of(repo: Repository, path: str) -> Any:
    """What a configuration file has; None where it cannot be read."""
    return _read(path, repo.index.text(path) or "")


@lru_cache(maxsize=32)
def _read(path: str, text: str) -> Any:
    try:
        return editing.format_of(path).read(text)
    except (Refusal, ValueError, RecursionError):
        return None


def table_said(repo: Repository, path: str, words: Iterable[str]) -> Keys | None:
    """The table of a configuration file whose tool, and perhaps part, is among some words."""
    said, scored = {key(part) for word in words for part in word.split(".")}, []
    for keys, _ in tables_of(repo, path):
        rest = keys[1:] if keys[0] == "tool" else keys
        parts = {key(part) for name in rest for part in PARTS.split(name)}
        if rest and said & {key(part) for part in PARTS.split(rest[0])}:
            scored.append((len(said & parts), -len(keys), keys))
    return max(scored)[2] if scored else None


def lists_of(repo: Repository, path: str) -> tuple[ConfigList, ...]:
    """The lists of a configuration file; of one that cannot be read there are none."""
    return _lists_in(path, repo.index.text(path) or "")


@lru_cache(maxsize=128)
def _lists_in(path: str, text: str) -> tuple[ConfigList, ...]:
    try:
        return tuple(_lists(path, text)) if len(text) <= _MOST_CHARACTERS else ()
    except (Refusal, ValueError, RecursionError):
        return ()


def _lists(path: str, text: str) -> Iterator[ConfigList]:
    if is_requirements(path):
        where = PurePosixPath(path)
        words = [word for word in PARTS.split(where.stem) if word != "requirements"]
        items, made_by = tuple(find_list(path, text, ()).texts), command_that_writes(text)
        yield ConfigList(path, (), items, False, True, "-".join(words), made_by=made_by)
        return
    form, data = editing.format_of(path), _read(path, text)
    for keys, value in _walk(data, ()):
        last, owner = keys[-1], ".".join(keys[:-1])
        group = last if owner in _GROUPS or _GROUPS & {*keys[-2:-1]} else ""
        group = keys[-2] if last in _MAIN and {*keys[-3:-2]} & {"envs", "group"} else group
        group = "dev" if last in ("dev-dependencies", "devDependencies") else group
        if last in _OF_ENVIRONMENTS:
            group = next(_labels(data, keys), "test" if owner == "testenv" else owner.rpartition(":")[2])
        requires = last in _MAIN or bool(group)
        tabular = "poetry" in keys or path.endswith("package.json")
        if isinstance(value, dict) and requires and tabular and last != "extras":
            yield ConfigList(path, keys, tuple(value), True, True, group)
        elif isinstance(value, list) and (not value or any(map(_is_item, value))):
            about = frozenset(_labels(data, keys))
            yield ConfigList(path, keys, tuple(map(str, value)), False, requires, group, about)
        elif form.name in ("INI", ".env") and isinstance(value, str):
            keys = (owner, last) if owner else keys
            items = tuple(find_list(path, text, keys).texts)
            if len(items) == 1 and "\n" not in value and not requires and not RULE.match(value):
                continue
            yield ConfigList(path, keys, items, False, requires, group)


def _is_item(value: Any) -> bool:
    """Whether a value is an item that can be named: a text, a number, or one key with a text."""
    named = isinstance(value, dict) and len(value) == 1 and isinstance(next(iter(value.values())), str)
    return named or isinstance(value, str | int)


def _walk(data: Any, keys: Keys) -> Iterator[tuple[Keys, Any]]:
    pairs = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for name, value in pairs:
        if isinstance(data, dict) or isinstance(value, dict):
            yield (*keys, str(name)), value
            yield from _walk(value, (*keys, str(name)))


def _labels(data: Any, keys: Keys) -> Iterator[str]:
    """What the items of lists on the way to a key are called."""
    for at, name in enumerate(keys):
        item = editing.find(data, keys[: at + 1])[1] if name.isdigit() else None
        label = item.get("id", item.get("name")) if isinstance(item, dict) else None
        yield from [key(label)] if isinstance(label, str) else ()


def sources(lists: Sequence[ConfigList]) -> list[ConfigList]:
    """The lists that are not written by a command, if there are any."""
    return [one for one in lists if not one.made_by] or list(lists)


def words_of(text: str) -> list[str]:
    """The words of a text that may name a list."""
    return _WORD.findall(text)


def named_lists(repo: Repository, text: str, paths: Sequence[str], grouped: bool = True) -> list[Named]:
    """The lists that a text names, the best first. `paths` are files that it names. `grouped`: also those of
    a group that it names."""
    every = [item for path in (paths or config_files(repo)) for item in lists_of(repo, path)]
    words = words_of(text)
    found = [one for item in every if (one := how_named(item, words, text, paths)) is not None]
    if not found and grouped:
        files = [item for item in every if not item.keys]
        found = [one for item in files if (one := how_named(item, words, text, paths, True)) is not None]
    if not found and paths and len(every) == 1:
        return [Named(every[0], 1, frozenset(paths), frozenset(paths), False)]
    found = [one for one in found if grouped or not one.found.group]
    of_group = [one for one in found if one.found.group and key(one.found.group) in map(key, one.words)]
    if of_group:
        found = [one for one in found if one in of_group or not one.found.requires]
    best = max((one.score for one in found), default=0)
    kept = sources([one.found for one in found if one.score == best])
    found = [one for one in found if one.found in kept]
    return [one for one in found if one.switched < 0] or found


def how_named(
    item: ConfigList, words: Sequence[str], text: str, paths: Sequence[str], relaxed: bool = False
) -> Named | None:
    """How words name a list. `relaxed`: one of a group need not be named as such."""
    where, told = PurePosixPath(item.path), item.path in paths
    own = without_prepositions(said_as(item.keys[-1], words), text) if item.keys and not item.group else set()
    numbers = all(VERSION.fullmatch(one) or re.fullmatch(r"py\d+", one) for one in item.items)
    if item.items and numbers:
        own |= {word for word in words if parts_of(word) <= parts_of(item.keys[-1])}
    if item.keys[1:] and not (own or item.requires) and any(map(item.has_alike, words)):
        own = {word for word in words if parts_of(word) <= parts_of(item.keys[-2])}
    kind: set[str] = set()
    if item.requires:
        known = phrases.table()["config_lists"]["requirements"]
        kind = {word for word in words if is_kind("requirements", word)}
        kind |= {word for word in known if phrases.has_cjk(word) and word in text}
    if told and (not item.keys or (item.requires and not item.group and where.name in _ONLY_REQUIRE)):
        kind.add(item.path)
    parts = {part for name in item.keys[:-1] for part in parts_of(name)} - {"tool", "options", "project"}
    beside = (
        {word for word in words if parts_of(word) <= parts | item.about | parts_of(where.stem)} - own - kind
    )
    folder = {word for word in words if parts_of(word) & parts_of(where.parent.as_posix())}
    if where.name in _TABLES and len(where.parts) > 1 and not (folder or told):
        return None
    group = {word for word in words if item.group and is_group(item.group, word)}
    if item.group and item.keys and item.keys[-1] not in _MAIN | _OF_ENVIRONMENTS:
        group |= said_as(item.keys[-1], words)
    extra = {word for word in words if is_kind("extras", word)}
    if (
        item.keys[-1:]
        and item.keys[-1] in _OF_ENVIRONMENTS
        and any(word.startswith("extra") for word in extra)
    ):
        return None
    tools = parts_of(item.keys[item.keys[:1] == ("tool",)]) if len(item.keys) > 1 else set()
    tools |= item.about if where.suffix in OF_TOOLS else item.about | parts_of(where.stem)
    tool = any(parts_of(word) <= tools for word in beside)
    switched = _switched(item, text, words) if tool and not own else 0
    if not (own or kind or group or switched):
        return None
    if item.requires and group:
        kind |= {word for word in words if word.lower() in phrases.table()["config_lists"]["requiring"]}
    of_file = bool(kind and item.keys[1:] and beside & {where.stem})
    if item.group and not group and not (extra or told or relaxed or of_file):
        return None
    if item.of_environment and not (kind or extra or own or told):
        return None  # what is asked of a tool or its tests is about more than what they require
    if not item.group and extra and item.requires and not own:
        return None
    # `requirements` are rather the file of that name, `dependencies` the key.
    named_so = any(key(word)[:4] == "".join(item.keys[-1:] or ("requirements",))[:4] for word in kind)
    score = 3 * bool(own or kind - {item.path} or switched) + 2 * bool(group) + 3 * bool(folder)
    whole = bool(own) and parts_of(item.keys[-1]) == {part for word in own for part in parts_of(word)}
    whole = whole or bool(own and item.items and numbers)
    aside = item.requires and not item.keys and len(where.parts) > 1 and not (folder or told)
    score += len(beside) + tool + named_so + whole * len(own) - 2 * aside
    words_used = frozenset((*own, *kind, *beside, *folder, *group, *extra))
    owner = parts_of(item.keys[-2]) if own and item.keys[1:] and not tool else set()
    own |= {word for word in beside if parts_of(word) <= owner}
    kinds = frozenset(kind | (group if extra else set()))
    verbs = {word for word in own if is_list_verb(word)}
    return Named(item, score, words_used, kinds, tool, frozenset(verbs), switched)


def _switched(item: ConfigList, text: str, words: Sequence[str]) -> int:
    """Whether a text turns on rules of a linter that a list turns on, or off those that it turns off: 1; the
    opposite with one that is there: -1."""
    state = phrases.state_said(text)
    negated = "n't" in text or phrases.any_stands_in(phrases.words("negations"), text.lower())
    if state is None or negated or not item.items or not all(map(RULE_OR_GROUP.match, item.items)):
        return 0
    kinds = ("rules_on", "rules_off")
    same, other = (item.keys[-1] in phrases.table()["config_lists"][kind] for kind in kinds)
    if state == "False":
        same, other = other, same
    return 1 if same else -1 if other and {*item.items} & {*words} else 0
