"""Other ways to refer to a name of the window: in words, by a part of the name, with a noun, in another
case. Every way fits only one thing in the window; new names are always spelled out."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePosixPath

from spark_tui.train.source_windows import Function, SourceWindow
from spark_tui.train.tables import table, words
from spark_tui.train.template_grammar import NameSlot, PlaceSlot, ReferenceSlot, Slot, SubTemplate

_TABLES = table("tables/reference")

NEW_SLOTS = frozenset({"new", "n"})
"""Slots with new text, which is spelled out even if it also occurs in the code."""
_NOUNS: dict[str, tuple[str, ...]] = _TABLES["nouns"]
_DULL = words(
    "get set is has the for from with and not add new make init self data value list item name type this that"
    " to of in on"
)
_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z]|\d|\b|_)|[A-Z]?[a-z]+|\d+|[A-Z]+")


def words_of(name: str) -> list[str]:
    """`load_rows`, `loadRows` and `LoadRows` are load and rows."""
    return [part.lower() for part in _WORD.findall(name)]


def roles(window: SourceWindow) -> dict[str, str]:
    """The kind of each name that the window defines; names of two kinds are left out."""
    found: dict[str, str] = {}

    def add(name: str, role: str) -> None:
        found[name] = role if found.get(name, role) == role else ""

    for node in window.nodes:
        if isinstance(node, Function):
            add(node.name, "method" if isinstance(window.parents.get(node), ast.ClassDef) else "function")
        elif isinstance(node, ast.ClassDef):
            add(node.name, "class")
        elif isinstance(node, ast.arg):
            add(node.arg, "argument")
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            add(node.id, "constant" if node.id.isupper() else "variable")
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            add(node.attr, "attribute")
        elif isinstance(node, ast.alias):
            add((node.asname or node.name).split(".")[0], "import")
    return {
        name: role
        for name, role in found.items()
        if not hasattr(builtins, name) and not name.startswith("__")
    }


class WindowNames:
    """The names of a window, and the ways to say each without meaning another."""

    def __init__(self, window: SourceWindow) -> None:
        self.window = window
        self.roles = roles(window)
        self.all = set(re.findall(r"[A-Za-z_]\w*", window.text))
        self.flat: dict[str, int] = {}
        self.parts: dict[str, set[str]] = {}
        for name in self.all:
            flat = name.replace("_", "").lower()
            self.flat[flat] = self.flat.get(flat, 0) + 1
            for part in {*words_of(name), flat}:
                self.parts.setdefault(part, set()).add(name)
                self.parts.setdefault(part.rstrip("s"), set()).add(name)

    def slots(self, slots: Mapping[str, Slot]) -> dict[str, Slot]:
        return {key: slot if key in NEW_SLOTS else self.slot(slot) for key, slot in slots.items()}

    def slot(self, slot: Slot) -> Slot:
        if isinstance(slot, NameSlot):
            return replace(slot, ways=self.ways(slot.text)) if slot.text in self.roles else slot
        if isinstance(slot, SubTemplate | PlaceSlot):
            return replace(slot, slots=self.slots(slot.slots))
        return slot

    def ways(self, name: str) -> tuple[ReferenceSlot, ...]:
        """Some ways are listed twice, since they are more common."""
        words = words_of(name)
        role = self.roles[name]
        nouns = _NOUNS.get(role, ())
        alone = self.flat[name.replace("_", "").lower()] == 1
        out: list[ReferenceSlot] = []
        for noun in nouns:
            out += [
                ReferenceSlot(name, article=True, noun=noun),
                ReferenceSlot(name, article=True, noun=noun, before=True),
            ]
            if role != "class":
                out.append(ReferenceSlot(name, noun=noun, before=True))
        out += [ReferenceSlot(f"{name} (the {noun})") for noun in nouns[:1]]
        said = " ".join(words)
        if alone and len(words) > 1 and len(said) > 5:
            out += [ReferenceSlot(said), ReferenceSlot(said), ReferenceSlot(said, article=True)]
            out += [ReferenceSlot(said, article=True, noun=noun) for noun in nouns]
            out += [ReferenceSlot("-".join(words)), ReferenceSlot(said, article=True)]
        if alone and len(name) > 3:
            slips = {name.lower(), name.upper(), name.capitalize(), name.replace("_", "").lower()} - {
                name,
                *self.all,
            }
            out += [ReferenceSlot(slip) for slip in sorted(slips)[:2]]
        out += self._by_part(name, words, nouns)
        out += self._with_owner(name, role)
        return tuple(out)

    def _by_part(self, name: str, words: list[str], nouns: tuple[str, ...]) -> list[ReferenceSlot]:
        if len(words) < 2:
            return []
        own = [
            part
            for part in words
            if len(part) > 3
            and part not in _DULL
            and self.parts.get(part) == {name} == self.parts.get(part.rstrip("s"))
        ]
        out = []
        for part in own[-2:]:
            out.append(ReferenceSlot(part, article=True))
            out += [ReferenceSlot(part, article=True, noun=noun) for noun in nouns[:2]]
        return out

    def _with_owner(self, name: str, role: str) -> list[ReferenceSlot]:
        if role not in ("function", "method"):
            return []
        found = [item for item in self.window.functions if item.name == name]
        if len(found) != 1:
            return []
        owner = self.window.owner(found[0])
        if owner is not None:
            return [
                ReferenceSlot(f"{owner.name}.{name}"),
                ReferenceSlot(f"{owner.name}.{name}()"),
                ReferenceSlot(f"`{owner.name}.{name}`"),
            ]
        file = PurePosixPath(self.window.path).name
        return [ReferenceSlot(f"{file}:{name}"), ReferenceSlot(f"{file}::{name}")]
