"""Keys of YAML files with one document. Places come from the nodes of PyYAML."""

from __future__ import annotations

import json
import re
from typing import Any

from spark_tui.codemods.config_files.formats import (
    Format,
    Keys,
    TextEdit,
    inserted_line,
    newline_of,
    whole_lines,
)
from spark_tui.codemods.plan import Refusal


def read(text: str) -> Any:
    import yaml

    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        at = f" (line {mark.line + 1})" if mark is not None else ""
        raise ValueError(f"{str(error).splitlines()[0]}{at}") from None


def _value(text: str) -> tuple[str, Any]:
    import yaml

    try:
        data = yaml.safe_load(f"x: {text}")
    except yaml.YAMLError:
        data = None
    if isinstance(data, dict) and set(data) == {"x"} and "\n" not in text:
        return text, data["x"]
    return json.dumps(text, ensure_ascii=False), text


def _compose(text: str) -> Any:
    import yaml

    node = yaml.compose(text, Loader=yaml.SafeLoader)
    if re.search(r"(?:^|\s)[&*]\w", text) and any(
        isinstance(item, yaml.AliasToken) for item in yaml.scan(text, Loader=yaml.SafeLoader)
    ):
        raise Refusal("the file has aliases")
    return node


def _walk(text: str, keys: Keys) -> tuple[Any, Any, Keys]:
    """The key and value on the way to a key, and the keys that are missing from there."""
    import yaml

    key, node = None, _compose(text)
    for at, name in enumerate(keys):
        if isinstance(node, yaml.MappingNode):
            found = [pair for pair in node.value if str(pair[0].value) == name]
            if not found:
                return key, node, keys[at:]
            key, node = found[0]
        elif isinstance(node, yaml.SequenceNode) and name.isdigit() and int(name) < len(node.value):
            key, node = None, node.value[int(name)]
        else:
            return key, node, keys[at:]
    return key, node, ()


def _end(node: Any) -> int:
    """Where the last part of a node ends; block collections end after blank lines and comments that are
    not theirs."""
    import yaml

    if isinstance(node, yaml.ScalarNode) or getattr(node, "flow_style", False) or not node.value:
        return int(node.end_mark.index)
    last = node.value[-1]
    return _end(last[1] if isinstance(last, tuple) else last)


def _end_of_pair(text: str, key: Any, value: Any) -> int:
    """Where the last line of a key and its value ends; a text of several lines ends with its last word."""
    end = _end(value)
    if getattr(value, "style", None) in ("|", ">"):
        end = len(text[:end].rstrip())
    end = max(end, int(key.end_mark.index))
    return len(text[:end].rstrip("\r\n"))


def put(text: str, keys: Keys, value: str) -> TextEdit:
    import yaml

    key, node, missing = _walk(text, keys)
    if not missing:
        if getattr(node, "style", None) in ("|", ">"):
            raise Refusal("a text of several lines cannot be set")
        if not isinstance(node, yaml.ScalarNode) and not node.flow_style:
            raise Refusal("a mapping or list of several lines cannot be set as one value")
        low, high = node.start_mark.index, node.end_mark.index
        return low, high, value if low < high or text[low - 1 : low] in (" ", "") else f" {value}"
    newline = newline_of(text)
    if node is None:
        return inserted_line(text, len(text), newline.join(_nested(missing, value, "", "  ")))
    unit = _unit(text)
    if not isinstance(node, yaml.MappingNode):
        if isinstance(node, yaml.ScalarNode) and node.value == "" and key is not None:
            raise Refusal(f"{key.value} has no keys yet")
        raise Refusal("the key would be in a value")
    if node.flow_style:
        raise Refusal("the key would be in braces")
    column = node.value[0][0].start_mark.column
    lines = newline.join(_nested(missing, value, " " * column, unit))
    end = _end_of_pair(text, *node.value[-1])
    return inserted_line(text, whole_lines(text, end, end)[1], lines)


def _nested(keys: Keys, value: str, indent: str, unit: str) -> list[str]:
    if len(keys) == 1:
        return [f"{indent}{_name(keys[0])}: {value}"]
    return [f"{indent}{_name(keys[0])}:", *_nested(keys[1:], value, indent + unit, unit)]


def _name(key: str) -> str:
    return key if re.match(r"[A-Za-z_][\w.-]*\Z", key) else json.dumps(key, ensure_ascii=False)


def _unit(text: str) -> str:
    found = re.search(r"^( +)[^\s#-]", text, re.MULTILINE)
    return found[1] if found else "  "


def drop(text: str, keys: Keys) -> TextEdit:
    import yaml

    _, owner, _ = _walk(text, keys[:-1])
    key, node, missing = _walk(text, keys)
    if missing or key is None or not isinstance(owner, yaml.MappingNode) or owner.flow_style:
        raise Refusal("the key is where it cannot be removed exactly")
    if len(owner.value) == 1 and len(keys) > 1:
        raise Refusal(f"{keys[-2]} would be left empty; remove it whole")
    low, high = whole_lines(text, key.start_mark.index, _end_of_pair(text, key, node))
    if text[low : key.start_mark.index].strip():
        raise Refusal("the key is the first of a list item (after its dash)")
    return low, high, ""


def item_places(text: str, keys: Keys) -> list[tuple[int, int]]:
    _, node, _ = _walk(text, keys)
    return [(int(item.start_mark.index), _end(item)) for item in node.value]


def _place(text: str, keys: Keys) -> tuple[int, int] | None:
    _, node, missing = _walk(text, keys)
    return None if missing or node is None else (int(node.start_mark.index), _end(node))


FORMAT = Format("YAML", read, _value, put, drop, _place)
