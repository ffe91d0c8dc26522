"""Set and remove keys of configuration files as edits of the text, so that comments and layout stay.

Each format is a module with three functions: `read` gives the data, `put` and `drop` the one edit. `put` and
`drop` of this module make the edit and compare what the file then says with what it should say; an edit that
is not exact is refused.
"""

from __future__ import annotations

import copy
import re
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any

from spark_tui.codemods.config_files import env_keys, ini_keys, json_keys, toml_keys, yaml_keys
from spark_tui.codemods.config_files.formats import Format, Keys, TextEdit
from spark_tui.codemods.plan import Refusal

_PART = re.compile(r'"([^"]*)"|\'([^\']*)\'|([^."\']+)')

_DIGITS = re.compile(r"\d[\d._]*")


def format_of(path: str) -> Format:
    """The format that the name of a file tells."""
    name = PurePosixPath(path).name.lower()
    if name == ".env" or name.startswith(".env.") or name.endswith(".env"):
        return replace(env_keys.FORMAT, path=path)
    known = {
        ".toml": toml_keys.FORMAT,
        ".json": json_keys.FORMAT,
        ".ini": ini_keys.FORMAT,
        ".cfg": ini_keys.FORMAT,
        ".yaml": yaml_keys.FORMAT,
        ".yml": yaml_keys.FORMAT,
    }
    suffix = PurePosixPath(name).suffix
    if suffix not in known:
        raise Refusal(f"{path} is not a TOML, JSON, YAML, INI or .env file")
    return replace(known[suffix], path=path)


def keys_of(text: str) -> Keys:
    """The parts of a dotted key; quotes keep dots together."""
    parts: list[str] = []
    at = 0
    while at < len(text):
        found = _PART.match(text, at)
        if found is None:
            raise Refusal(f"{text!r} is not a dotted key")
        parts.append(next(group for group in found.groups() if group is not None).strip())
        at = found.end()
        if at < len(text):
            if text[at] != ".":
                raise Refusal(f"{text!r} is not a dotted key")
            at += 1
            if at == len(text):
                raise Refusal(f"{text!r} ends with a dot")
    if not parts or not all(parts):
        raise Refusal(f"{text!r} is not a dotted key")
    return tuple(parts)


def dotted(keys: Keys) -> str:
    """The dotted key of some parts."""
    return ".".join(f'"{part}"' if "." in part else part for part in keys)


def find(data: Any, keys: Keys) -> tuple[bool, Any]:
    """Whether a key is there, and its value."""
    for key in keys:
        if isinstance(data, list) and key.isdigit() and int(key) < len(data):
            data = data[int(key)]
        elif isinstance(data, dict) and key in data:
            data = data[key]
        else:
            return False, None
    return True, data


def value_at(path: str, text: str, keys: Keys) -> tuple[bool, Any]:
    """Whether a file has a key, and its value; of a file that cannot be read it has none."""
    try:
        return find(format_of(path).read(text), keys)
    except (Refusal, RecursionError):
        return False, None


def put(form: Format, text: str, keys: Keys, value: str) -> TextEdit:
    """The edit that sets a key, proven by reading the result. A text of digits, `"3.9"`, stays a text."""
    data = form.read(text)
    shown, meant = form.value(value)
    found, old = find(data, keys)
    if _stays_text(old, meant):
        low = (form.place(text, keys) or (0, 0))[0]
        shown, meant = f"'{value}'" if text[low : low + 1] == "'" else f'"{value}"', value
    if found and old == meant and type(old) is type(meant):
        raise Refusal(f"{'.'.join(keys)} is already {value}", why="nothing")
    return _proven(form, text, form.put(text, keys, shown), _with(data, keys, meant))


def _stays_text(old: Any, new: Any) -> bool:
    """Whether a number would come in place of a text of digits."""
    number = isinstance(new, int | float) and not isinstance(new, bool)
    return number and isinstance(old, str) and _DIGITS.fullmatch(old) is not None


def kind_doubt(form: Format, text: str, keys: Keys, value: str) -> str:
    """What a value may be read as where a text was meant; empty where there is no doubt."""
    old, meant, bare = find(form.read(text), keys)[1], form.value(value)[1], value.strip()
    if isinstance(meant, str) or _stays_text(old, meant):
        return ""
    if isinstance(old, str):
        return f"it was a text, and is {meant} now, without quotes"
    if not isinstance(meant, bool | int | float) or str(meant).lower() == bare.lower():
        return ""
    odd = bare.endswith("0") if isinstance(meant, float) else not _DIGITS.fullmatch(bare.strip("+-"))
    odd = odd or (isinstance(meant, int) and bare.startswith("0"))
    return f"{value} is read as {meant}: a text needs quotes" if odd else ""


def drop(form: Format, text: str, keys: Keys) -> TextEdit:
    """The edit that removes a key, proven by reading the result."""
    data = form.read(text)
    if not find(data, keys)[0]:
        raise Refusal(f"there is no {'.'.join(keys)}")
    return _proven(form, text, form.drop(text, keys), without(data, keys))


def _proven(form: Format, text: str, edit: TextEdit, wanted: Any) -> TextEdit:
    after = text[: edit[0]] + edit[2] + text[edit[1] :]
    try:
        says = form.read(after)
    except Refusal:
        says = None
    if _filled(says) != _filled(wanted):
        raise Refusal("the key is where it cannot be edited exactly")
    return edit


def _filled(data: Any) -> Any:
    """The data without empty tables, which some formats cannot write."""
    if not isinstance(data, dict):
        return data
    made = ((key, _filled(value)) for key, value in data.items())
    return {key: value for key, value in made if value not in ({}, None) or data[key] is None} or None


def _with(data: Any, keys: Keys, value: Any) -> Any:
    made = copy.deepcopy(data) if data is not None else {}
    at = made
    for key in keys[:-1]:
        if isinstance(at, list):
            at = at[_index(at, key)]
            continue
        if not isinstance(at, dict) or not isinstance(at.get(key, {}), dict | list):
            raise Refusal(f"{key} has no keys of its own")
        at = at.setdefault(key, {})
    if isinstance(at, list):
        at[_index(at, keys[-1])] = value
    elif isinstance(at, dict):
        at[keys[-1]] = value
    else:
        raise Refusal(f"{'.'.join(keys[:-1])} has no keys")
    return made


def _index(at: list[Any], key: str) -> int:
    if not key.isdigit() or int(key) >= len(at):
        raise Refusal(f"the list has {len(at)} items, not {key}")
    return int(key)


def without(data: Any, keys: Keys) -> Any:
    made = copy.deepcopy(data)
    at = find(made, keys[:-1])[1] if len(keys) > 1 else made
    del at[int(keys[-1]) if isinstance(at, list) else keys[-1]]
    return made
