"""Lists in configuration files and their items: arrays of TOML and JSON, lists of YAML, values of INI files
with a comma or a line for each item, and the lines of requirements files."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import PurePosixPath
from typing import Any

from spark_tui.codemods.config_files import editing, yaml_keys
from spark_tui.codemods.config_files.formats import BLANK, Keys, skip, whole_lines
from spark_tui.codemods.plan import Refusal

_REQUIREMENTS = re.compile(r"(?:.*[-_.])?(?:requirements|constraints)(?:[-_.].*)?\.(?:txt|in)\Z")
_REQUIREMENT_LINE = re.compile(
    r"^[ \t]*(?P<item>(?![#\s-])(?:\\\r?\n|[^\r\n#\\]|(?<!\s)#)*?)[ \t]*(?=[ \t]#|\r?$)", re.MULTILINE
)
_SPACE = re.compile(r"[ \t\r\n]*")
_STRING = re.compile(r'"(?:[^"\\\r\n]|\\.)*"|\'\'\'.*?\'\'\'|\'[^\'\r\n]*\'', re.DOTALL)
_HEAD = re.compile(
    r"(?P<name>[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)(?:\([^)]*\))?[ \t]*(?:\[[^\]]*\])?[ \t]*"
    r"(?:\Z|[<>=!~;@^(]|:(?!:|//))"
)
_LABELS, _FETCHED = ("id", "name"), ("repo", "uses", "image")
"""Keys by whose values items are called."""
_COMMENT = re.compile(r"[ \t]#[^\r\n]*")
_REQUIRING = re.compile(r"depend|deps\Z|requires?(?!d)|extras?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Item:
    """An item: what it says, its place with quotes, and its value, a text or what the format has."""

    text: str
    start: int
    end: int
    value: Any = ""


@dataclass(frozen=True, slots=True)
class ItemList:
    """The items of a list, and the place of all that is inside of it. `commas`: they are set apart by commas,
    otherwise each has a line of its own."""

    items: tuple[Item, ...]
    start: int
    end: int
    commas: bool

    @property
    def texts(self) -> list[str]:
        return [item.text for item in self.items]


def is_plain(path: str) -> bool:
    """Whether items stand in a file as they are, without quotes."""
    name = PurePosixPath(path).name
    return is_requirements(path) or path.endswith((".cfg", ".ini", ".env")) or name.startswith(".env.")


def is_requirements(path: str) -> bool:
    """Whether a file lists requirements, one a line."""
    if not path.endswith((".txt", ".in")):
        return False  # most files are told by this
    where = PurePosixPath(path.lower())
    inside = where.parent.name == "requirements" and where.suffix in (".txt", ".in")
    return inside or _REQUIREMENTS.match(where.name) is not None


def head(text: str) -> str:
    """The name that an item begins with, in the form in which distributions are compared: of `Foo_bar[x]>=2`
    and `foo-bar: text` it is `foo-bar`. An item of another form is its own name."""
    found = _HEAD.match(text)
    return re.sub(r"[-_.]+", "-", found["name"]).lower() if found else text


def find_list(path: str, text: str, keys: Keys) -> ItemList:
    """The list with a key; of a requirements file, which needs no key, its lines."""
    if is_requirements(path):
        if keys:
            raise Refusal(f"{path} has no keys")
        found = [match for match in _REQUIREMENT_LINE.finditer(text) if match["item"].strip()]
        items = tuple(Item(match["item"], *match.span("item")) for match in found)
        return ItemList(items, 0, len(text), commas=False)
    form = editing.format_of(path)
    data = form.read(text)
    place = form.place(text, keys) if editing.find(data, keys)[0] else None
    if place is None:
        raise Refusal(f"there is no {'.'.join(keys)} in {path}")
    if form.name in ("INI", ".env"):
        return _of_ini(text, place, keys)
    values = editing.find(data, keys)[1]
    if not isinstance(values, list):
        raise Refusal(f"{'.'.join(keys)} is no list")
    start, end = place
    brackets = text[start] == "["
    places = _in_brackets(text, start, form.name != "JSON") if brackets else yaml_keys.item_places(text, keys)
    if len(places) != len(values):
        raise Refusal(f"the items of {'.'.join(keys)} cannot be told apart")
    items = tuple(Item(str(value), *at, value) for value, at in zip(values, places, strict=True))
    start = start + 1 if brackets else whole_lines(text, start, start)[0]
    return ItemList(items, start, end - 1 if brackets else end, commas=brackets)


def _in_brackets(text: str, start: int, comments: bool) -> list[tuple[int, int]]:
    blank = BLANK if comments else _SPACE
    places: list[tuple[int, int]] = []
    at = start + 1
    while True:
        at = skip(blank, text, at)
        if text[at] == "]":
            return places
        if text[at] == ",":
            at += 1
            continue
        low = at
        depth = 0
        while depth or text[at] not in ",]":
            string = _STRING.match(text, at)
            if string is None and comments and text[at] == "#" and not depth:
                break
            depth += (text[at] in "[{") - (text[at] in "]}")
            at = string.end() if string else at + 1
        places.append((low, low + len(text[low:at].rstrip())))


def _of_ini(text: str, place: tuple[int, int], keys: Keys) -> ItemList:
    start, end = place
    found = list(re.compile(r"(?<![^\r\n])?[^\r\n]+").finditer(text, start, end))
    lines = [match for match in found if match[0].strip() and match[0].lstrip()[0] not in "#;"]
    several = len(lines) > 1 or any(sign in text[start:end] for sign in "\r\n")
    commas = all(match[0].rstrip().endswith(",") for match in lines[:-1]) if several else True
    requiring = any(map(_REQUIRING.search, keys))
    commas = commas and not (requiring and (several or "," not in text[start:end]))
    commas = commas and (len(lines) > 1 or not several or "," in text[start:end])
    out = []
    for line in lines:
        # What follows ` #` is no part of a requirement; other lists may have it in an item.
        comment = _COMMENT.search(line[0]) if requiring else None
        high = line.start() + comment.start() if comment is not None else line.end()
        pieces = re.compile(r"[^,]+" if commas else r".+").finditer(text, line.start(), high)
        for one in pieces:
            shown = one[0].strip()
            low = one.start() + len(one[0]) - len(one[0].lstrip())
            out += [Item(shown, low, low + len(shown))] if shown else []
    return ItemList(tuple(out), start, end, commas)


def labels(value: Any) -> set[str]:
    """What an item with keys of its own is called: by its id or name, what it fetches, or its only part."""
    if not isinstance(value, dict):
        return set()
    out = {value[key] for key in _LABELS if isinstance(value.get(key), str)}
    fetched = [value[key] for key in _FETCHED if isinstance(value.get(key), str)]
    out |= {re.split(r"[@:]", one.rpartition("/")[2])[0].removesuffix(".git") for one in fetched}
    parts = [one for one in value.values() if isinstance(one, list)]
    return out | (labels(parts[0][0]) if len(parts) == 1 and len(parts[0]) == 1 else set())


def positions(listed: ItemList, wanted: str) -> list[int]:
    """Where an item stands: as it is written, else by the name that it begins with or is called by."""
    exact = [at for at, item in enumerate(listed.items) if item.text == wanted]
    heads = exact or [at for at, item in enumerate(listed.items) if head(item.text) == head(wanted)]
    return heads or [at for at, item in enumerate(listed.items) if wanted in labels(item.value)]


def place_for(texts: Sequence[str], new: str) -> int:
    """Where a new item goes: in order where the others are, behind those of its family (`a :: b :: …`, or
    `py…`), or at the end."""
    for order in (head, str, str.lower, _natural):
        keys = [order(text) for text in texts]
        if len(keys) > 1 and all(one <= two for one, two in pairwise(keys)):
            return bisect_right(keys, order(new))
    family = _family(new)
    alike = [at for at, text in enumerate(texts) if family and _family(text) == family]
    before = [at for at in alike if _natural(texts[at]) <= _natural(new)]
    return before[-1] + 1 if before else alike[0] if alike else len(texts)


def _family(text: str) -> str:
    return text.rpartition(" :: ")[0] or (text.rstrip("0123456789") if text[-1:].isdigit() else "")


def _natural(text: str) -> Any:
    parts = re.split(r"(\d+)", text.lower())
    return [(int(part), "") if part.isdigit() else (-1, part) for part in parts]
