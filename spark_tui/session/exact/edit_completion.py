"""Completes a typed command: operations, fields, values, files and symbols."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

from spark_tui.codemods import registry, slots
from spark_tui.codemods.describe import summary
from spark_tui.codemods.patterns.table import pattern_table
from spark_tui.codemods.registry import MalformedCall, Slot
from spark_tui.codemods.slots import CALLABLE, SymbolKind
from spark_tui.codemods.uses.symbols import Target, find_symbol, list_targets
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, parameters
from spark_tui.session.exact.command_words import quoted
from spark_tui.session.exact.edit_commands import TypedCommand, UnknownWord, commands, current_slot, read

MARKS: dict[str, str] = {
    "function": "ƒ",
    "method": "ƒ",
    "class": "◆",
    "attribute": "·",
    "variable": "=",
    "parameter": "·",
    "local": "·",
    "import": "↓",
}


@dataclass(frozen=True, slots=True)
class Completion:
    """A text that can replace the typed one. `kind` is the symbol's kind, or empty."""

    text: str
    detail: str = ""
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Completions:
    """Texts for the characters `start..end-1` of the line. `near` comes before `far`; `far` belongs to the
    whole repository, and is the same list as long as that is not read again."""

    start: int
    end: int
    typed: str
    near: Sequence[Completion] = ()
    far: Sequence[Completion] = ()
    slot: Slot | None = None


@dataclass
class SymbolLists:
    """The symbols of a repository as candidates, in the order of files and lines."""

    every: list[Completion] = field(default_factory=list)
    _joined: dict[frozenset[SymbolKind], list[Completion]] = field(default_factory=dict)

    def fill(self, repo: Repository, paths: Iterable[str]) -> None:
        """The symbols of these files; a name with several definitions is listed with its file."""
        found = {
            (path, symbol.qualname): symbol
            for path in paths
            for symbol in reversed(repo.index.summary(path).symbols)
        }
        files = Counter(name for _, name in found)
        every = [
            Completion(name if files[name] == 1 else f"{path}::{name}", f"{path}:{one.line}", one.kind)
            for (path, name), one in found.items()
        ]
        self.every, self._joined = sorted(every, key=_place), {}

    def of(self, kinds: frozenset[SymbolKind]) -> list[Completion]:
        """The symbols of these kinds. The same list until `fill` is called again."""
        if kinds not in self._joined:
            names = {kind.value for kind in kinds}
            self._joined[kinds] = [item for item in self.every if item.kind in names]
        return self._joined[kinds]


def _place(completion: Completion) -> tuple[str, int]:
    path, _, line = completion.detail.rpartition(":")
    return path, int(line)


class Completer:
    """Completes commands over one reading of a repository. `path` is the file in view."""

    def __init__(self, repo: Repository, path: str, symbols: SymbolLists) -> None:
        self._repo, self._symbols = repo, symbols
        self._path = path if path in repo.index.modules.paths else ""
        self._here: dict[tuple[str, frozenset[SymbolKind]], list[Completion]] = {}

    def candidates(self, line: str, at: int) -> Completions:
        """The candidates at a position in the line."""
        try:
            typed = read(line)
        except UnknownWord as error:
            return self._heads(line, at, error.at)
        except MalformedCall:
            return Completions(at, at, "")
        if at <= (typed.words[typed.first - 1].end if typed.words else 0):
            return self._heads(line, at, typed.first - 1)
        if not typed.operation:
            return self._without_operation(typed, at)
        found = current_slot(typed, at)
        if found is None:
            return Completions(at, at, "")
        slot, text, start = found
        named = line[:start].endswith("=")
        end = next((word.end for word in typed.words if word.start <= at <= word.end), at)
        path = text.partition("::")[0]
        if "::" in text and slot.type in (slots.Symbol, slots.Place) and path in self._repo.index.paths:
            return Completions(start, end, text, self._with_path(slot, path), (), slot)
        near = [*self._values(typed, slot), *([] if named else _fields(typed, slot, text))]
        far = self._far(slot)
        return Completions(start, end, text, near, far, slot)

    def _heads(self, line: str, at: int, index: int) -> Completions:
        """Commands, or the operations and verbs of one."""
        words = line.split(maxsplit=2)
        name = words[0].removeprefix("/") if words else ""
        if index == 0 or name not in commands():
            found = [Completion(f"/{item.name}", item.usage) for item in commands().values()]
            return Completions(0, len(words[0]) if words else 0, words[0] if words else "", found)
        start = line.index(words[1], len(words[0])) if len(words) > 1 else at
        typed = words[1] if len(words) > 1 else ""
        return Completions(start, start + len(typed), typed, self._operations(name))

    def _without_operation(self, typed: TypedCommand, at: int) -> Completions:
        """A verb is to be typed, or the file that a command without one takes."""
        word = typed.words[1].text if len(typed.words) > 1 else ""
        start = typed.words[1].start if word else at
        near = self._operations(typed.command.name)
        if typed.command.steps:
            near = [*near, *self._files(python=True)]
        return Completions(start, start + len(word), word, near)

    def _operations(self, name: str) -> list[Completion]:
        known = registry.operations()
        verbs = commands()[name].verbs or {operation: operation for operation in known}
        return [Completion(verb, summary(known[operation])) for verb, operation in verbs.items()]

    def _with_path(self, slot: Slot, path: str) -> list[Completion]:
        """The symbols of the file whose path is typed before them."""
        kinds = slot.kinds if slot.type is slots.Symbol else CALLABLE | {SymbolKind.CLASS}
        return [
            replace(completion, text=f"{path}::{completion.text}")
            for completion in self._of_file(kinds, path)
        ]

    def _far(self, slot: Slot) -> Sequence[Completion]:
        if slot.type is slots.Symbol:
            return self._symbols.of(slot.kinds)
        return self._symbols.of(CALLABLE | {SymbolKind.CLASS}) if slot.type is slots.Place else ()

    def _values(self, typed: TypedCommand, slot: Slot) -> list[Completion]:
        if slot.type is slots.Symbol:
            return self._of_file(slot.kinds)
        if slot.type is slots.Place:
            files = [Completion(self._path, "the whole file")] if self._path else []
            return [*self._of_file(CALLABLE | {SymbolKind.CLASS}), *files]
        if slot.type is slots.FilePath:
            return self._files(python=typed.command.name == "imports")
        if slot.type is bool:
            return [Completion("true"), Completion("false")]
        if issubclass(slot.type, Enum):
            return [Completion(str(item.value)) for item in slot.type]
        if typed.operation == "apply_pattern" and slot.name == "name":
            return [Completion(name, forms[0].summary) for name, forms in pattern_table().items()]
        if "parameter" in slot.help and typed.operation != "add_parameter":
            return self._parameters(typed)
        return []

    def _files(self, *, python: bool = False) -> list[Completion]:
        paths = self._repo.index.paths if python else self._repo.index.all_paths
        first = [Completion(self._path, "in view")] if self._path else []
        return [*first, *(Completion(quoted(path)) for path in paths if path != self._path)]

    def _of_file(self, kinds: frozenset[SymbolKind], path: str = "") -> list[Completion]:
        """The symbols of a file, or of the one in view, with locals and parameters, from top to bottom."""
        path = path or self._path
        if not path:
            return []
        if (path, kinds) not in self._here:
            found = sorted(list_targets(self._repo, path), key=lambda item: (item.line, item.qualname))
            count = Counter(target.qualname for target in found)
            self._here[path, kinds] = [
                Completion(
                    target.qualname if count[target.qualname] == 1 else f"{target.qualname}@{target.line}",
                    f"line {target.line}",
                    target.kind.value,
                )
                for target in found
                if target.kind in kinds and (target.kind is not SymbolKind.IMPORT or len(kinds) == 1)
            ]
        return self._here[path, kinds]

    def _parameters(self, typed: TypedCommand) -> list[Completion]:
        """Of the function that is named in front."""
        if not typed.arguments:
            return []
        try:
            found = find_symbol(self._repo, slots.Symbol.parse(typed.arguments[0].text), CALLABLE)
        except ValueError:
            return []
        if not isinstance(found, Target) or not isinstance(found.node, Function):
            return []
        names = [parameter.arg for parameter in parameters(found.node)]
        own = names[1:] if found.kind is SymbolKind.METHOD and names[:1] in (["self"], ["cls"]) else names
        return [Completion(name, "parameter", "parameter") for name in own]


def _fields(typed: TypedCommand, slot: Slot, text: str) -> list[Completion]:
    """`field=` of the fields that may be left out, once those that may not are there."""
    if slot.required and not text:
        return []
    known = registry.slots_of(registry.operations()[typed.operation])
    given = {word.text.partition("=")[0] for word in typed.arguments if "=" in word.text}
    return [
        Completion(f"{item.name}=", item.help)
        for item in known
        if not item.required and item.name not in given
    ]
