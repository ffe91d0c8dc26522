"""The JSON Schema (draft 2020-12) of the event lines, derived from the dataclasses in `events`."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from spark_tui import events

_PLAIN: dict[Any, str] = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}


def event_schema() -> dict[str, Any]:
    """One line of `spark exec --json` is valid against this."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A spark event",
        "oneOf": [_object(cls, type_name=name) for name, cls in events.EVENT_TYPES.items()],
    }


def _object(cls: type[Any], *, type_name: str = "") -> dict[str, Any]:
    hints = get_type_hints(cls)
    properties: dict[str, Any] = {"type": {"const": type_name}} if type_name else {}
    for field in fields(cls):
        properties[field.name] = _value(hints[field.name])
    out: dict[str, Any] = {"type": "object", "properties": properties, "required": list(properties)}
    out["additionalProperties"] = False
    if type_name:
        out["description"] = " ".join((cls.__doc__ or "").split())
    return out


def _value(hint: Any) -> dict[str, Any]:
    if isinstance(hint, UnionType):
        return {"anyOf": [_value(part) for part in get_args(hint)]}
    if hint in _PLAIN:
        return {"type": _PLAIN[hint]}
    if get_origin(hint) is Literal:
        return {"enum": list(get_args(hint))}
    if get_origin(hint) is tuple:
        return {"type": "array", "items": _value(get_args(hint)[0])}
    if is_dataclass(hint) and isinstance(hint, type):
        return _object(hint)
    raise TypeError(f"no JSON type for {hint!r}")
