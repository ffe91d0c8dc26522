"""Add, replace and remove items of lists in configuration files. Comments, indentation, quotes and the commas
of the other items stay; each edit is proven by reading the result."""

from __future__ import annotations

import json
import re
from typing import Any

from spark_tui.codemods.config_files import editing
from spark_tui.codemods.config_files.formats import Keys, TextEdit, inserted_line, newline_of, whole_lines
from spark_tui.codemods.config_files.list_items import (
    Item,
    ItemList,
    find_list,
    is_plain,
    is_requirements,
    place_for,
    positions,
)
from spark_tui.codemods.config_files.toml_keys import quoted
from spark_tui.codemods.plan import Refusal

_COMMENT_LINES = re.compile(r"(?:^[ \t]*#[^\r\n]*(?:\r\n|\r|\n))+\Z", re.MULTILINE)
_REST_OF_LINE = re.compile(r"[ \t]*(?P<comma>,)?[ \t]*(?:#[^\r\n]*)?(?=[\r\n]|\Z)")


def add(path: str, text: str, keys: Keys, new: str) -> TextEdit:
    """The edit that puts an item into a list."""
    listed = find_list(path, text, keys)
    known = positions(listed, new)
    if known:
        there = listed.items[known[0]].text
        shown = new if there == new else f"{new} ({there})"
        raise Refusal(f"{shown} is already in {named(path, keys)}", why="nothing")
    if "--hash=" in text and is_requirements(path):
        raise Refusal(f"the lines of {path} have hashes; a new one needs its own")
    kinds = {type(item.value) for item in listed.items}
    if kinds == {dict} and not isinstance(_value(path, new), dict):
        raise Refusal(f"the items of {named(path, keys)} have keys of their own; {new} has none")
    alike = [at for at, item in enumerate(listed.items, 1) if type(item.value) is type(_value(path, new))]
    at = place_for(listed.texts[: alike[-1] if alike else None], new)  # items of another kind stay last
    written = _written(path, text, listed, new)
    edit = (_between if listed.commas else _on_line)(text, listed, at, written)
    return _proven(path, text, keys, edit, [*listed.texts[:at], new, *listed.texts[at:]])


def replace(path: str, text: str, keys: Keys, old: str, new: str) -> TextEdit:
    """The edit that replaces an item of a list."""
    listed = find_list(path, text, keys)
    at = _only(path, keys, listed, old)
    if listed.texts[at] == new:
        raise Refusal(f"{new} is already in {named(path, keys)}", why="nothing")
    item = listed.items[at]
    edit = (item.start, item.end, _written(path, text, listed, new, item))
    return _proven(path, text, keys, edit, [*listed.texts[:at], new, *listed.texts[at + 1 :]])


def remove(path: str, text: str, keys: Keys, old: str) -> TextEdit:
    """The edit that takes an item out of a list."""
    listed = find_list(path, text, keys)
    at = _only(path, keys, listed, old)
    edit = (_without_piece if listed.commas else _without_line)(text, listed, at)
    return _proven(path, text, keys, edit, [*listed.texts[:at], *listed.texts[at + 1 :]])


def named(path: str, keys: Keys) -> str:
    """A list as messages name it."""
    return f"{'.'.join(keys)} of {path}" if keys else path


def _only(path: str, keys: Keys, listed: ItemList, wanted: str) -> int:
    found = positions(listed, wanted)
    if not found:
        raise Refusal(f"{wanted} is not in {named(path, keys)}", why="unknown")
    if len(found) > 1:
        raise Refusal(f"{wanted} is {len(found)} times in {named(path, keys)}; write the whole item")
    return found[0]


def _proven(path: str, text: str, keys: Keys, edit: TextEdit, wanted: list[str]) -> TextEdit:
    after = text[: edit[0]] + edit[2] + text[edit[1] :]
    try:
        says = find_list(path, after, keys).texts
        if keys and not is_requirements(path):
            form = editing.format_of(path)
            rest = [editing.without(form.read(one), keys) for one in (text, after)]
            says = says if rest[0] == rest[1] else []
    except (Refusal, IndexError):
        says = []
    if list(map(_plain, says)) != list(map(_plain, wanted)):
        raise Refusal("the list is written in a way that cannot be edited exactly")
    return edit


def _plain(item: str) -> str:
    return re.sub(r"[\s{}'\"]", "", item)


def _value(path: str, text: str) -> Any:
    """What an item says that is written so."""
    if is_plain(path):
        return ""
    form = editing.format_of(path)
    try:
        return form.read(f"- {text}")[0] if form.name == "YAML" else form.value(text)[1]
    except (Refusal, TypeError):
        return ""


def _written(path: str, text: str, listed: ItemList, new: str, old: Item | None = None) -> str:
    """An item in the quotes of the one that it replaces, or of most others."""
    if is_plain(path):
        return new
    about = [old] if old is not None else list(listed.items)
    marks = [text[item.start] if text[item.start] in "'\"" else "" for item in about]
    mark = max(("", "'", '"'), key=marks.count) if marks else '"'
    kinds = {type(item.value) for item in about}
    bare = path.endswith((".yaml", ".yml")) or str not in kinds
    if not mark and bare and type(_value(path, new)) in kinds:
        return new  # a number among numbers, a mapping among some: `Home: index.md`
    if mark == "'" and "'" not in new and not path.endswith(".json"):
        return f"'{new}'"
    return quoted(new) if path.endswith(".toml") else json.dumps(new, ensure_ascii=False)


def _line(text: str, at: int) -> int:
    return whole_lines(text, at, at)[0]


def _is_alone(text: str, listed: ItemList, item: Item) -> bool:
    """Whether an item is the first of a line within its list, and nothing but a comment follows there."""
    low = _line(text, item.start)
    alone = low > listed.start - 1 and not text[low : item.start].strip()
    return alone and _REST_OF_LINE.match(text, item.end) is not None


def _between(text: str, listed: ItemList, at: int, new: str) -> TextEdit:
    """An item among others with commas."""
    items, newline = listed.items, newline_of(text)
    inner = text[listed.start : listed.end]
    if not items:
        if "#" in inner:
            raise Refusal("the list has nothing but comments")
        if "\n" not in inner:
            return listed.start, listed.end, new
        close = text[_line(text, listed.end) : listed.end]
        return listed.start, listed.end, f"{newline}{close}  {new}{newline}{close}"
    beside = items[max(at - 1, 0)]
    own = [_is_alone(text, listed, item) for item in items]
    if any(own) and (own[max(at - 1, 0)] or not text[_line(text, beside.start) : beside.start].strip()):
        lead = text[_line(text, beside.start) : beside.start]
        rest = _REST_OF_LINE.match(text, beside.end)
        if at == 0:
            low = _line(text, beside.start)
            above = _COMMENT_LINES.search(text[listed.start : low])
            low = listed.start + above.start() if above else low
            return low, low, f"{lead}{new},{newline}"
        if rest is None:  # the bracket follows
            return beside.end, beside.end, f",{newline}{lead}{new}"
        tail = rest[0]
        if rest["comma"]:
            comma = "," if at < len(items) or listed.end != rest.end() else ""
            return rest.end(), rest.end(), f"{newline}{lead}{new}{comma}"
        return beside.end, rest.end(), f",{tail}{newline}{lead}{new}"
    gap = text[items[0].end : items[1].start] if len(items) > 1 else ", "
    gap = gap if re.fullmatch(r"[ \t]*,[ \t]*", gap) else ", "
    if at == 0:
        return items[0].start, items[0].start, new + gap
    return beside.end, beside.end, gap + new


def _on_line(text: str, listed: ItemList, at: int, new: str) -> TextEdit:
    """An item on a line of its own."""
    items = listed.items
    leads = [text[_line(text, item.start) : item.start] for item in items]
    own = [lead for lead in leads if lead.strip() in ("", "-")]
    requirements = listed.start == 0
    lead = own[0] if own else "" if requirements else "    "
    if not items and requirements:
        return inserted_line(text, listed.end, lead + new)
    if not items:
        return listed.start, listed.end, f"{newline_of(text)}    {new}"
    at = max(at, 1) if leads[0] not in own else at
    beside = items[max(at - 1, 0)]
    low, high = whole_lines(text, beside.start if not at else beside.end, beside.end)
    return inserted_line(text, high if at else low, lead + new)


def _without_piece(text: str, listed: ItemList, at: int) -> TextEdit:
    items = listed.items
    item = items[at]
    if len(items) == 1:
        comments = "#" in text[listed.start : item.start] + text[item.end : listed.end]
        return (listed.start, listed.end, "") if not comments else _whole_line(text, listed, item)
    if _is_alone(text, listed, item):
        low, high = whole_lines(text, item.start, item.end)
        rest = _REST_OF_LINE.match(text, item.end)
        if at < len(items) - 1 or (rest is not None and rest["comma"]):
            return low, high, ""
        before = items[at - 1].end
        return before, high, text[before:low].replace(",", "", 1)
    if at < len(items) - 1 and not ("\n" in text[item.end : items[at + 1].start] and at):
        return item.start, items[at + 1].start, ""
    return items[at - 1].end, item.end, ""


def _whole_line(text: str, listed: ItemList, item: Item) -> TextEdit:
    if not _is_alone(text, listed, item):
        raise Refusal("the only item shares its line with a comment")
    return (*whole_lines(text, item.start, item.end), "")


def _without_line(text: str, listed: ItemList, at: int) -> TextEdit:
    item = listed.items[at]
    low, high = whole_lines(text, item.start, item.end)
    if text[low : item.start].strip() in ("", "-"):
        if text[low : item.start].strip() and len(listed.items) == 1:
            raise Refusal("the list would be left empty; remove it whole")
        return low, high, ""
    return len(text[: item.start].rstrip()), item.end, ""
