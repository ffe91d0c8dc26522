"""Typed commands for exact edits: `/rename Cart.add put`, `/imports`, `/refactor OPERATION …`.

`complete_call` turns a command into calls of operations. If the target is left out, it uses the place of the
cursor.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from spark_tui.codemods import registry, slots
from spark_tui.codemods.describe import usage
from spark_tui.codemods.registry import MalformedCall, Operation, Slot
from spark_tui.session.exact.command_words import Word, quoted, split
from spark_tui.session.exact.edit_cursor import CursorPlace
from spark_tui.tables import read_table

_WHERE = (slots.Symbol, slots.Place, slots.FilePath)


@dataclass(frozen=True, slots=True)
class EditCommand:
    """A command and the operations that it can run."""

    name: str
    usage: str
    operation: str = ""
    verbs: Mapping[str, str] = field(default_factory=dict)
    steps: Sequence[str] = ()
    several: bool = False


@lru_cache(maxsize=1)
def commands() -> Mapping[str, EditCommand]:
    table = read_table(__file__, "edit_commands.toml")
    return {name: EditCommand(name, **row) for name, row in table.items()}


def is_edit_command(text: str) -> bool:
    """Whether a prompt is one of these commands."""
    head = text.lstrip().split(maxsplit=1)[:1]
    return bool(head) and head[0].startswith("/") and head[0][1:] in commands()


class UnknownWord(MalformedCall):
    """A word that names no operation or verb. `at` is its place among the words of the line."""

    def __init__(self, message: str, at: int, nearest: Sequence[str]) -> None:
        super().__init__(message)
        self.at, self.nearest = at, tuple(nearest)


@dataclass(frozen=True, slots=True)
class TypedCommand:
    """A line as far as it is typed. `operation` is empty until it is known; `arguments` follow it."""

    command: EditCommand
    words: tuple[Word, ...]
    operation: str = ""
    first: int = 1
    """The place of the first argument among the words."""

    @property
    def arguments(self) -> tuple[Word, ...]:
        return self.words[self.first :]

    @property
    def head(self) -> str:
        return " ".join(word.text for word in self.words[: self.first])


@dataclass(frozen=True, slots=True)
class FullCommand:
    """A command with everything that it needs. `line` is the command with the defaults of the cursor written
    out; `others` are tried where this one does not fit the place."""

    line: str
    calls: tuple[Operation, ...]
    others: tuple[FullCommand, ...] = ()

    @property
    def shown(self) -> str:
        """`rename(Cart.add, put)`"""
        return ", ".join(registry.render(call) for call in self.calls)


def read(line: str) -> TypedCommand:
    """Parse a typed line. Raises MalformedCall if it is not a command, and UnknownWord for an unknown
    operation or verb."""
    words = tuple(split(line))
    name = words[0].text.removeprefix("/") if words else ""
    if name not in commands():
        near = difflib.get_close_matches(name, commands(), 3)
        raise UnknownWord(f"no command /{name}", 0, [f"/{match}" for match in near])
    command = commands()[name]
    if command.operation:
        return TypedCommand(command, words, command.operation)
    second = words[1].text if len(words) > 1 else ""
    known: Iterable[str] = command.verbs or registry.operations()
    if second in known:
        return TypedCommand(command, words, command.verbs.get(second, second), 2)
    if command.steps or not second or _is_call(second):
        return TypedCommand(command, words)
    what = "a verb" if command.verbs else "an operation"
    near = difflib.get_close_matches(second, known, 3) or [item for item in known if second in item][:3]
    listed = f": write {', '.join(known)}" if command.verbs and not near else ""
    raise UnknownWord(f"{second} is not {what} of /{name}{listed}", 1, near)


def complete_call(line: str, cursor: CursorPlace) -> FullCommand:
    """The command, ready to be planned. Raises MalformedCall where something is missing."""
    typed = read(line)
    if not typed.operation:
        return _without_operation(typed, line, cursor)
    operation = registry.operations()[typed.operation]
    known, words = registry.slots_of(operation), [word.text for word in typed.arguments]
    if typed.command.several and (targets := _several(words, cursor)):
        line = " ".join((typed.head, *map(quoted, words or targets)))
        calls = tuple(registry.from_words(typed.operation, [target]) for target in targets)
        return FullCommand(line, calls)
    missing = _left_out(known, words)
    if missing is None:
        return _full(typed, words)
    made = [_full(typed, _with(known, words, missing, value)) for value in _at_cursor(missing, cursor)]
    if not made and missing.required:
        what = "nothing at the cursor fits"
        raise MalformedCall(f"{typed.operation} needs {missing.name}: {what}")
    made = made or [_full(typed, words)]
    return replace(made[0], others=tuple(made[1:]))


def _several(words: Sequence[str], cursor: CursorPlace) -> Sequence[str]:
    """The symbols of a command that takes several: those that are typed, of a file, or selected."""
    if not words:
        return cursor.definitions()
    if len(words) == 1 and words[0].endswith(".py"):
        return cursor.definitions(words[0])
    single = len(words) == 1 or any("=" in word or word.endswith(".py") for word in words)
    return () if single else words


def _without_operation(typed: TypedCommand, line: str, cursor: CursorPlace) -> FullCommand:
    second = typed.words[1].text if len(typed.words) > 1 else ""
    if _is_call(second):
        return FullCommand(line.strip(), (registry.parse(second),))
    if typed.command.steps:
        path = second or cursor.file()
        if len(typed.words) > 2:
            raise MalformedCall(f"/{typed.command.name} takes one file")
        line = f"/{typed.command.name} {quoted(path)}".strip()
        path = "" if path == "." else path
        return FullCommand(line, tuple(registry.from_words(step, [path]) for step in typed.command.steps))
    choices = ", ".join(typed.command.verbs) or "an operation"
    raise MalformedCall(f"/{typed.command.name} needs {choices.replace(', ', ' or ')}")


def _is_call(word: str) -> bool:
    name, bracket, _ = word.partition("(")
    return bool(bracket) and name in registry.operations()


def _left_out(known: Sequence[Slot], words: Sequence[str]) -> Slot | None:
    """The target field, if it is the only one missing; a file may be left out too."""
    where = next((slot for slot in known if issubclass(slot.type, _WHERE)), None)
    if where is None:
        return None
    named = {_named_field(known, word) for word in words}
    free = sum(not _named_field(known, word) for word in words)
    needed = sum(slot.required and slot.name not in named for slot in known)
    if where.name in named or (not where.required and (free or where.type is not slots.FilePath)):
        return None
    return where if free == needed - where.required else None


def _named_field(known: Sequence[Slot], word: str) -> str:
    """The field that a word `field=value` names; empty for any other word."""
    name, equals, _ = word.partition("=")
    return name if equals and any(slot.name == name for slot in known) else ""


def _with(known: Sequence[Slot], words: Sequence[str], missing: Slot, value: str) -> list[str]:
    """The words with the value at the place of its field."""
    before = known.index(missing)
    out, free = list(words), 0
    for at, word in enumerate(words):
        if _named_field(known, word):
            continue
        if free == before:
            out.insert(at, value)
            return out
        free += 1
    return [*out, value] if missing.required else [*out, f"{missing.name}={value}"]


def _at_cursor(missing: Slot, cursor: CursorPlace) -> Sequence[str]:
    if missing.type is slots.Symbol:
        found: Sequence[str] = [cursor.symbol(missing.kinds)]
    else:
        found = cursor.places if missing.type is slots.Place else [cursor.file()]
    return [item for item in found if item]


def _full(typed: TypedCommand, words: Sequence[str]) -> FullCommand:
    line = " ".join((typed.head, *(_quoted(word) for word in words)))
    every = [] if _takes_a_file(typed.operation) and list(words) == ["."] else words
    return FullCommand(line, (registry.from_words(typed.operation, every),))


def _quoted(word: str) -> str:
    """In `field=value` only the value is quoted."""
    name, equals, value = word.partition("=")
    return f"{name}={quoted(value)}" if equals and name.isidentifier() else quoted(word)


def _takes_a_file(operation: str) -> bool:
    """Whether a file is all that the operation needs; `.` means all files then."""
    first, *others = registry.slots_of(registry.operations()[operation])
    return first.type is slots.FilePath and not any(other.required for other in others)


def usage_of(line: str) -> str:
    """The fields of the typed command: `/signature add TARGET NAME [default=…]`; empty if it is not a
    command."""
    try:
        typed = read(line)
    except MalformedCall:
        return ""
    if not typed.operation:
        return typed.command.usage
    return f"{typed.head} {usage(registry.operations()[typed.operation]).partition(' ')[2]}"


def current_slot(typed: TypedCommand, at: int) -> tuple[Slot, str, int] | None:
    """The field of the argument at a place of the line, its text so far, and where that text begins; None
    where no field is left."""
    operation: type[Any] = registry.operations()[typed.operation]
    known = registry.slots_of(operation)
    here = next((word for word in typed.arguments if word.start <= at <= word.end), Word("", at, at))
    name, equals, value = here.text.partition("=")
    named = next((item for item in known if equals and item.name == name), None)
    if named is not None:
        return named, value, here.start + len(name) + 1
    given = {_named_field(known, word.text) for word in typed.arguments}
    free = sum(word.end < here.start and not _named_field(known, word.text) for word in typed.arguments)
    left = [item for item in known if item.name not in given]
    return (left[free], here.text, here.start) if free < len(left) else None
