"""What keys of configuration files are set to now."""

from __future__ import annotations

from spark_tui.codemods.config_files import editing
from spark_tui.codemods.plan import Refusal
from spark_tui.intent.context.reading_in_place import Context

_SWITCHES = (("1", "0"), ("yes", "no"), ("on", "off"), ("true", "false"))


def is_text_now(context: Context, path: str, name: str) -> bool:
    """Whether a key has a text in quotes now, as a version has, which stays one."""
    return isinstance(value_now(context, path, name), str)


def value_now(context: Context, path: str, name: str) -> object:
    """The value of a key in a TOML, JSON or YAML file; None if it is not there, and of any other file."""
    text = context.repo.index.text(path) or ""
    if not path.endswith((".toml", ".json", ".yaml", ".yml")):
        return None
    try:
        there, value = editing.find(editing.format_of(path).read(text), editing.keys_of(name))
    except (Refusal, ValueError):
        return None
    return value if there else None


def as_switch(context: Context, path: str, name: str, state: str) -> str:
    """On or off as an INI or `.env` file writes it now: `0` in place of 1; empty if it is neither."""
    now = _raw_value(context, path, name)
    pair = next((pair for pair in _SWITCHES if now.lower() in pair), None)
    if pair is None or state not in ("True", "False"):
        return ""
    new = pair[state == "False"]
    return new.title() if now.istitle() else new


def _raw_value(context: Context, path: str, name: str) -> str:
    """The text of a value in an INI or `.env` file, which says nothing of its type; else empty."""
    section, _, last = name.rpartition(".")
    try:
        form = editing.format_of(path)
        data = form.read(context.repo.index.text(path) or "") if form.name in ("INI", ".env") else {}
    except (Refusal, ValueError):
        return ""
    found = (data.get(section) or {}).get(last) if section else data.get(last)
    return found if isinstance(found, str) else ""


def stands_in_row(context: Context, path: str, name: str, *, commas: bool) -> bool:
    """Whether a key of an INI or `.env` file has several values: on lines of their own, or, with `commas`,
    with commas between them."""
    now = _raw_value(context, path, name)
    return (commas and "," in now) or now.startswith("\n")
