"""The table of patterns, read from `patterns.toml`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from spark_tui.tables import read_table


@dataclass(frozen=True, slots=True)
class Pattern:
    """A form and what it becomes. `needs` are conditions on the holes, `imports` pairs of module and name."""

    name: str
    summary: str
    old: str
    new: str
    needs: tuple[str, ...] = ()
    imports: tuple[tuple[str, str], ...] = ()
    same_order: bool = False
    """Whether both forms evaluate their holes in one order although the text differs."""
    doubt: str = ""
    """What may differ all the same."""
    unless: tuple[str, ...] = ()
    """The conditions on the holes under which it does not."""


@lru_cache(maxsize=1)
def pattern_table() -> Mapping[str, tuple[Pattern, ...]]:
    """The patterns of the table. One name may have several forms, and `NAME_returned` those whose value is
    returned at once."""
    out: dict[str, tuple[Pattern, ...]] = {}
    for name, entry in read_table(__file__, "patterns.toml").items():
        returned = _ended(entry, entry.get("returned", ()))
        for key, forms in ((name, _forms(entry)), (f"{name}_returned", returned)):
            made = tuple(
                Pattern(
                    name,
                    entry["summary"],
                    form["old"].strip("\n"),
                    form["new"].strip("\n"),
                    (*entry.get("needs", ()), *form.get("needs", ())),
                    _imports(form.get("imports") or entry.get("imports", ())),
                    entry.get("same_order", False),
                    form.get("doubt") or entry.get("doubt", ""),
                    tuple(form.get("unless", ())),
                )
                for form in forms
            )
            if made:
                out[key] = made
    return out


def _imports(names: Iterable[str]) -> tuple[tuple[str, str], ...]:
    return tuple((name.rpartition(".")[0], name.rpartition(".")[2]) for name in names)


def _forms(entry: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The forms as they are written, those with what may stand after them first. `tails` are pairs of a
    statement and of what it becomes, with `VALUE` for what the form sets."""
    yield from _ended(entry, entry.get("tails", ()))
    yield from _spelled(entry)


def _spelled(entry: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The forms in all spellings: other ways to write a part of the old ones, with what may differ then, and
    if they are `hinted`, those whose name has a type hint too."""
    out = list(entry["forms"])
    if entry.get("hinted"):
        out += [_hinted(item) for item in out if item["old"].startswith("_r = ")]
    for old, new, doubt in entry.get("spellings", ()):
        out += [
            {**item, "old": item["old"].replace(old, new), "doubt": doubt or item.get("doubt", "")}
            for item in out
            if old in item["old"]
        ]
    return out


def _hinted(item: Mapping[str, Any]) -> Mapping[str, Any]:
    """A form whose name has a type hint where it is set."""
    old, new = (item[form].replace("_r = ", "_r: _h = ", 1) for form in ("old", "new"))
    return {**item, "old": old, "new": new}


def _ended(entry: Mapping[str, Any], tails: Iterable[tuple[str, str]]) -> Iterator[Mapping[str, Any]]:
    for old, new in tails:
        for item in _spelled(entry):
            name, _, value = item["new"].strip("\n").partition(" = ")
            if name == "_r" and value:
                whole = item["old"].strip("\n") + "\n" + old
                yield {**item, "old": whole, "new": new.replace("VALUE", value)}
