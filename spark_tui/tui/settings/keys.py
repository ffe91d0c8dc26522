"""The keys of the workbench (`keys.toml`), and a person's rebindings of them. Help, the footer, the palette
and docs/keys.md are generated from that table."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from spark_tui.tables import read_table

_NAMES: dict[str, str] = read_table(__file__, "key_names.toml")
_WRITTEN = {written: key for key, written in _NAMES.items()} | {
    "esc": "escape",
    "return": "enter",
    "pgdn": "pagedown",
}
_MODIFIERS = ("ctrl", "alt", "shift", "super", "meta")

NO_KEY = "—"
"""Where an action has no key."""


def shown(key: str) -> str:
    """How a key is written for people: `ctrl+p` as `Ctrl+P`, `full_stop` as `.`."""
    *modifiers, last = key.split("+") if key != "+" else [key]
    name = _NAMES.get(
        last, last.upper() if (modifiers and len(last) == 1) or _is_function_key(last) else last
    )
    return "+".join([*(m.capitalize() for m in modifiers), name])


def _is_function_key(key: str) -> bool:
    return key[:1] == "f" and key[1:].isdigit()


def parse_key(text: str) -> str | None:
    """The reverse: a key as written in the settings, `Ctrl+P` or `.`; None if it is not a key."""
    text = text.strip()
    *modifiers, last = text.split("+") if text not in ("+",) else [text]
    modifiers = [modifier.strip().lower() for modifier in modifiers]
    if any(modifier not in _MODIFIERS for modifier in modifiers) or not last:
        return None
    if last in _WRITTEN or last.lower() in _WRITTEN:
        last = _WRITTEN.get(last) or _WRITTEN[last.lower()]
    elif last.lower() in _NAMES or _is_function_key(last.lower()):
        last = last.lower()
    elif len(last) != 1:
        return None
    elif modifiers:
        last = last.lower()
    return "+".join([*modifiers, last])


Place = Literal["prompt", "code", "edit", "found", "anywhere"]
"""`code` is the code pane and the list of hunks; `edit` is the code pane while text is typed into it; `found`
while what was looked for is marked in it: its keys go before those of `code`."""
_SHARING: dict[Place, tuple[Place, ...]] = {
    "prompt": ("prompt", "anywhere"),
    "code": ("code", "anywhere"),
    "edit": ("edit", "anywhere"),
    "found": ("found", "anywhere"),
    "anywhere": ("prompt", "code", "edit", "found", "anywhere"),
}


@dataclass(frozen=True, slots=True)
class Action:
    """A row of `keys.toml`, where its columns are explained."""

    id: str
    keys: tuple[str, ...]
    place: Place
    label: str
    help: str
    group: str
    fixed: bool = False
    overlay: bool = False
    waits: Literal["", "always", "panes"] = ""
    footer: int = 0
    names: tuple[str, ...] = ()


def _actions() -> Iterator[Action]:
    for name, row in read_table(__file__, "keys.toml").items():
        names = tuple(row.pop("names", "").split())
        yield Action(name, tuple(row.pop("keys").split()), **row, names=names)


ACTIONS = tuple(_actions())
BY_ID = {action.id: action for action in ACTIONS}
BY_NAME = {name: action for action in ACTIONS for name in (action.id, *action.names)}
"""Also by the other words for it."""


@dataclass(frozen=True)
class Keymap:
    """Keys as they are in force. `problems` are sentences about rebindings that could not be taken."""

    keys: Mapping[str, tuple[str, ...]]
    problems: tuple[str, ...] = ()

    def action(self, place: Place, key: str) -> str | None:
        """What `key` does at `place`; a key of the place itself goes before one that counts anywhere."""
        return self._table.get((place, key)) or self._table.get(("anywhere", key))

    def shown(self, action_id: str) -> str:
        """The first key of an action, for people."""
        keys = self.keys[action_id]
        return shown(keys[0]) if keys else NO_KEY

    def hint(self, action_id: str, label: str = "") -> tuple[str, str]:
        """The first key of an action, and what it does."""
        return self.shown(action_id), label or BY_ID[action_id].label

    def shown_all(self, action_id: str) -> str:
        return " ".join(shown(key) for key in self.keys[action_id]) or f"/{action_id}"

    @cached_property
    def _table(self) -> dict[tuple[Place, str], str]:
        return {(BY_ID[action].place, key): action for action, keys in self.keys.items() for key in keys}


def keymap(rebound: Mapping[str, str] | None = None) -> Keymap:
    """The defaults with the person's rebindings; one that cannot be taken is left out and reported.

    A rebinding takes its key away from a default that has it at the same place; two rebindings that want the
    same key are a conflict, and the first one gets it.
    """
    keys = {action.id: action.keys for action in ACTIONS}
    problems: list[str] = []
    owners = {(action.place, key): action.id for action in ACTIONS if action.fixed for key in action.keys}
    for action_id, text in (rebound or {}).items():
        wanted = _wanted(action_id, text, problems)
        if wanted is None:
            continue
        action = BY_ID[action_id]
        taken: list[str] = []
        for key in wanted:
            owner = next(
                (owners[place, key] for place in _SHARING[action.place] if (place, key) in owners), None
            )
            if owner:
                problems.append(f"{shown(key)} cannot be bound to `{action_id}`: it is bound to `{owner}`")
                continue
            owners[action.place, key] = action_id
            taken.append(key)
        if taken or not wanted:
            keys[action_id] = tuple(taken)
    for (place, key), action_id in owners.items():
        for other in ACTIONS:
            if (
                other.id != action_id
                and other.place in _SHARING[place]
                and owners.get((other.place, key)) != other.id
            ):
                keys[other.id] = tuple(k for k in keys[other.id] if k != key)
    return Keymap(keys, tuple(problems))


def _wanted(action_id: str, text: str, problems: list[str]) -> list[str] | None:
    if action_id not in BY_ID:
        near = difflib.get_close_matches(action_id, BY_ID, n=1)
        suggestion = f"; did you mean `{near[0]}`?" if near else ""
        problems.append(f"there is no action `{action_id}`{suggestion}")
        return None
    if BY_ID[action_id].fixed:
        problems.append(f"`{action_id}` cannot be rebound")
        return None
    wanted: list[str] = []
    # A comma separates keys, and is one: alone it means itself.
    for part in [text] if text.strip() == "," else text.split(","):
        if not part.strip():
            continue
        key = "comma" if part.strip() == "," else parse_key(part)
        if key is None:
            problems.append(f"`{part.strip()}` (for `{action_id}`) is not a key")
            return None
        wanted.append(key)
    return wanted
