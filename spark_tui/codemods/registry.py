"""All operations by name: listed, described as JSON schema, read from words or JSON, and printed as calls."""

from __future__ import annotations

import dataclasses
import difflib
import functools
import importlib
import re
import shlex
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from typing import Any, Protocol, TypeVar, dataclass_transform

from spark_tui.codemods import slots
from spark_tui.codemods.plan import Plan, Refusal, Refused
from spark_tui.pysource.repository import Repository

_CALL = re.compile(r"\s*([a-z_][a-z0-9_]*)\s*\((.*)\)\s*\Z", re.DOTALL)
_KEYWORD = re.compile(r"(?:--)?([a-z_]+)=(.*)\Z", re.DOTALL)


class Operation(Protocol):
    """A frozen dataclass of slots that can plan its edit."""

    def plan(self, repo: Repository) -> Plan | Refused: ...


T = TypeVar("T", bound=Operation)
_OPERATIONS: dict[str, type[Any]] = {}
_SLOTS: dict[type[Any], tuple[Slot, ...]] = {}
"""The fields of the operations that were asked for."""


def slot(help: str, *, kinds: frozenset[slots.SymbolKind] = slots.ANY_SYMBOL, **more: Any) -> Any:
    """A field of an operation: one line of help, and for symbols the kinds that fit."""
    return dataclasses.field(metadata={"help": help, "kinds": kinds}, **more)


@dataclass_transform(frozen_default=True, field_specifiers=(slot, dataclasses.field))
def codemod(cls: type[T]) -> type[T]:
    """Make a class an operation. Its name in calls is the class's in snake case. A `Refusal` that is raised
    in its `plan` is what that answers."""
    made: type[T] = dataclasses.dataclass(frozen=True)(cls)
    made.plan = _answering(made.plan)  # type: ignore[method-assign]
    name = operation_name(made)
    if name in _OPERATIONS:
        raise ValueError(f"two operations are called {name}")
    _OPERATIONS[name] = made
    return made


def _answering(plan: Callable[[Any, Repository], Plan | Refused]) -> Callable[..., Plan | Refused]:
    @functools.wraps(plan)
    def answered(self: Operation, repo: Repository) -> Plan | Refused:
        try:
            return plan(self, repo)
        except Refusal as error:
            return error.refused

    return answered


def operation_name(cls: type) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()


def operations() -> Mapping[str, type[Any]]:
    """Every operation by name."""
    _load_families()
    return dict(sorted(_OPERATIONS.items()))


def _load_families() -> None:
    importlib.import_module("spark_tui.codemods.families").load()  # opened by name: they import this module


@dataclasses.dataclass(frozen=True, slots=True)
class Slot:
    """A field of an operation as its callers see it."""

    name: str
    type: type
    help: str
    required: bool
    default: Any
    kinds: frozenset[slots.SymbolKind]
    many: bool


def slots_of(operation: type[Any]) -> tuple[Slot, ...]:
    """The fields of an operation, in order."""
    if operation not in _SLOTS:
        _SLOTS[operation] = tuple(_slots(operation))
    return _SLOTS[operation]


def _slots(operation: type[Any]) -> Iterator[Slot]:
    hints = typing.get_type_hints(operation)
    for field in dataclasses.fields(operation):
        hint = hints[field.name]
        many = typing.get_origin(hint) is tuple
        kind = typing.get_args(hint)[0] if many else hint
        required = field.default is dataclasses.MISSING
        yield Slot(
            field.name,
            kind,
            field.metadata.get("help", ""),
            required,
            None if required else field.default,
            field.metadata.get("kinds", slots.ANY_SYMBOL),
            many,
        )


def schema(operation: type[Any]) -> dict[str, Any]:
    """The JSON schema of an operation's arguments."""
    properties = {item.name: _property(item) for item in slots_of(operation)}
    return {
        "title": operation_name(operation),
        "description": (operation.__doc__ or "").split("\n\n")[0].strip(),
        "type": "object",
        "properties": properties,
        "required": [item.name for item in slots_of(operation) if item.required],
        "additionalProperties": False,
    }


def _property(one: Slot) -> dict[str, Any]:
    out: dict[str, Any]
    if one.type is bool or one.type is int:
        out = {"type": "boolean" if one.type is bool else "integer"}
    elif issubclass(one.type, Enum):
        out = {"type": "string", "enum": [str(item.value) for item in one.type]}
    else:
        out = {"type": "string"}
    if one.many:
        out = {"type": "array", "items": out}
    return {**out, "description": one.help}


# -- reading


class MalformedCall(ValueError):
    """A text that is no call of an operation; the message says what is wrong."""


class IncompleteCall(MalformedCall):
    """A call that lacks arguments: those of these names."""

    def __init__(self, message: str, missing: tuple[str, ...]) -> None:
        super().__init__(message)
        self.missing = missing


def parse(text: str) -> Operation:
    """The call in a text: `rename cust customer` or `rename(Cart.add, put, scope=file)`."""
    found = _CALL.match(text)
    if found is not None:
        return from_words(found[1], _arguments(found[2]))
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise MalformedCall(f"{error}: {text!r}") from None
    if not words:
        raise MalformedCall("no operation")
    return from_words(words[0], words[1:])


def from_words(name: str, words: Sequence[str]) -> Operation:
    """The call of an operation with its arguments as separate words."""
    known = slots_of(_operation(name))
    names = {item.name for item in known}
    given: dict[str, Any] = {}
    free = [item.name for item in known]
    for word in words:
        keyword = _KEYWORD.match(word)
        if keyword is not None and keyword[1] in names:
            given[keyword[1]] = keyword[2]
            continue
        left = [item for item in free if item not in given]
        if not left:
            raise MalformedCall(f"{name} takes at most {len(known)} arguments; {word!r} is one too many")
        given[left[0]] = word
    return from_json({"op": name, **given})


def from_json(data: Mapping[str, Any]) -> Operation:
    """The call in an object with `op` and the slots."""
    name = str(data.get("op", ""))
    operation = _operation(name)
    known = {item.name: item for item in slots_of(operation)}
    values: dict[str, Any] = {}
    for key, value in data.items():
        if key == "op":
            continue
        if key not in known:
            raise MalformedCall(f"{name} has no argument {key!r}; it has {', '.join(known)}")
        try:
            values[key] = _read(known[key], value)
        except ValueError as error:
            raise MalformedCall(f"{name}: {key}: {error}") from None
    missing = [item.name for item in known.values() if item.required and item.name not in values]
    if missing:
        raise IncompleteCall(f"{name} needs {' and '.join(missing)}", tuple(missing))
    made: Operation = operation(**values)
    return made


def _operation(name: str) -> type[Any]:
    _load_families()
    if name not in _OPERATIONS:
        near = difflib.get_close_matches(name, sorted(_OPERATIONS), 3)
        hint = f"; did you mean {', '.join(near)}?" if near else ""
        raise MalformedCall(f"no operation {name!r}{hint}")
    return _OPERATIONS[name]


def _read(one: Slot, value: Any) -> Any:
    if one.many:
        parts = value if isinstance(value, list | tuple) else _arguments(str(value).strip("[]"))
        return tuple(_read_one(one, part) for part in parts if part != "")
    return _read_one(one, value)


def _read_one(one: Slot, value: Any) -> Any:
    if one.type is bool:
        if value not in (True, False, "true", "false", "yes", "no"):
            raise ValueError(f"true or false, not {value!r}")
        return value in (True, "true", "yes")
    if one.type is int:
        return int(value)
    if issubclass(one.type, Enum):
        choices = {str(item.value): item for item in one.type}
        if str(value) not in choices:
            raise ValueError(f"one of {', '.join(choices)}, not {value!r}")
        return choices[str(value)]
    if issubclass(one.type, slots.Symbol | slots.Place):
        return one.type.parse(str(value))
    made: Any = one.type
    return made(value)


def _arguments(text: str) -> list[str]:
    """The arguments between the parentheses, split at commas outside of quotes and brackets."""
    out: list[str] = []
    depth, quote, start = 0, "", 0
    for at, ch in enumerate(text):
        if quote:
            quote = "" if ch == quote and text[at - 1] != "\\" else quote
        elif ch in "'\"":
            quote = ch
        elif ch in "([{":
            depth += 1
        elif ch in ")]}":
            depth -= 1
        elif ch == "," and not depth:
            out.append(text[start:at].strip())
            start = at + 1
    return [item for item in (*out, text[start:].strip()) if item]


# -- printing


def to_json(call: Operation) -> dict[str, Any]:
    """The call as an object that `from_json` reads; slots with their default are left out."""
    out: dict[str, Any] = {"op": operation_name(type(call))}
    for item in slots_of(type(call)):
        value = getattr(call, item.name)
        if item.required or value != item.default:
            out[item.name] = [_plain(each) for each in value] if item.many else _plain(value)
    return out


def _plain(value: Any) -> Any:
    if isinstance(value, bool | int):
        return value
    return str(value.value) if isinstance(value, Enum) else str(value)


def render(call: Operation) -> str:
    """The call as people read it: `rename(Cart.add, put)`."""
    known = slots_of(type(call))
    data = to_json(call)
    parts = []
    for item in known:
        if item.name in data:
            value = data[item.name]
            many = isinstance(value, list)
            text = f"[{', '.join(map(str, value))}]" if many else str(value)
            text = text.lower() if item.type is bool else text
            parts.append(text if item.required else f"{item.name}={text}")
    return f"{data['op']}({', '.join(parts)})"
