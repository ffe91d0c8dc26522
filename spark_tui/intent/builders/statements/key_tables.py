"""The keys of configuration files: the table that a new one goes to, and what they are set to now."""

from __future__ import annotations

import re

from spark_tui.codemods.config_files import editing
from spark_tui.codemods.plan import Refusal
from spark_tui.intent.context.config_lists import table_said, tables_of, words_of
from spark_tui.intent.context.lookup import key
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.words import phrases
from spark_tui.pysource.words import word_set

CONFIGURATION = (".toml", ".cfg", ".ini", ".json", ".yaml", ".yml")
_OF_PROJECT = word_set("name version description readme requires-python license authors keywords dynamic")
"""Keys of the table `project` of pyproject.toml."""
_SECTION = re.compile(r"\s*\[+\s*([^\[\]]+?)\s*\]+\s*(?:[#;].*)?\Z")
_KEY = re.compile(r"(?P<lead>\s*)(?:- )?[\"']?(?P<name>[\w.-]+)[\"']?\s*[:=]")
_SWITCHES = (("1", "0"), ("yes", "no"), ("on", "off"), ("true", "false"))


def is_configuration(path: str) -> bool:
    """Whether keys of a file can be set."""
    try:
        return bool(editing.format_of(path))
    except Refusal:
        return False


def keys_of(path: str, text: str) -> list[str]:
    """The dotted keys of a configuration file, by its sections and indentation."""
    out: list[str] = []
    section = ""
    nested: list[tuple[int, str]] = []
    indented = path.endswith((".yaml", ".yml", ".json"))
    for line in text.splitlines():
        if line.lstrip().startswith(("#", ";", "//")):
            continue
        head = _SECTION.match(line)
        if head is not None and not indented:
            section = head[1]
            continue
        found = _KEY.match(line)
        if found is None:
            continue
        depth = len(found["lead"])
        while nested and nested[-1][0] >= depth:
            nested.pop()
        parents = [name for _, name in nested] if indented else [section] if section else []
        name = editing.dotted((found["name"],)) if indented else found["name"]
        out.append(".".join([*parents, name]))
        nested.append((depth, name))
    return out


def last_key(item: str) -> str:
    """The last part of a dotted key, or of one with a dot in quotes, for comparing."""
    return key(item.rstrip('"').rpartition(".")[2])


def in_said_table(context: Context, path: str, wanted: str, ends: list[str]) -> list[str]:
    """A key in the table that the words name; of a file that has nothing outside of tables, in one in any
    case."""
    tables = [".".join(keys) for keys, _ in tables_of(context.repo, path)]
    named = [item for item in tables if f".{item}".endswith(f".{wanted}")]
    if context.reading.intent == "remove_key" and len(named) == 1 and not ends:
        return named
    text = context.situation.instruction.replace(context.text("file") or path, " ")
    is_new = not ends and "." not in wanted and path.endswith(CONFIGURATION)
    if is_new and (new := _new_table(path, text, tables)):
        return [f"{new}.{wanted}"]
    if is_new and _has_tables_only(context, path):
        raise Unresolved(f"{path} has no key {wanted}: say in which of its parts it is new")
    if not tables or "." in wanted or not path.endswith((".toml", ".ini", ".cfg")):
        return list(dict.fromkeys(ends)) or [wanted]
    value = context.text("value")
    left = {word for span in context.reading.left_out for word in words_of(span.text)}
    said = table_said(context.repo, path, {*words_of(text)} - {wanted, value, *words_of(value)} - left)
    if said is not None and said != ("project",):
        inside = [end for end in ends if end.startswith(".".join(said))]
        return inside or [f"{'.'.join(said)}.{wanted}"]
    if not ends and wanted in _OF_PROJECT and "project" in tables:
        return [f"project.{wanted}"]
    alone = any("." not in item for item in keys_of(path, context.repo.index.text(path) or ""))
    if not ends and not alone and len(tables) == 1:
        return [f"{tables[0]}.{wanted}"]
    if not ends and not alone:
        raise Unresolved(f"no table of {path} is named for {wanted}")
    return list(dict.fromkeys(ends)) or [wanted]


def _new_table(path: str, text: str, tables: list[str]) -> str:
    """The table that words say is to be new: *add a ruff section with line-length 100*."""
    names, table = words_of(text), phrases.table()["config_lists"]
    idle = (*phrases.words("articles"), *table["adding"])
    if not phrases.any_stands_in(table["adding"], text.lower()):
        return ""
    for at, word in enumerate(names[1:], 1):
        name = names[at - 1]
        if word.lower() in table["tables"] and name.lower() not in idle:
            known = any(key(one.rpartition(".")[2]) == key(name) for one in tables)
            return "" if known else f"tool.{name}" if path.endswith("pyproject.toml") else name
    return ""


def _has_tables_only(context: Context, path: str) -> bool:
    """Whether what stands at the top of a YAML or JSON file is mostly tables and lists."""
    if not path.endswith((".yaml", ".yml", ".json")):
        return False
    try:
        data = editing.format_of(path).read(context.repo.index.text(path) or "")
    except (Refusal, ValueError):
        return False
    values = list(data.values()) if isinstance(data, dict) else []
    return sum(isinstance(one, dict | list) for one in values) > len(values) / 2


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
