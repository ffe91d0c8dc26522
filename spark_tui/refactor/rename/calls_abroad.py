"""What an edit of a function's parameters means for the calls in other files.

Comes in: a file before and after an edit, another file, the paths of both. Goes out: functions with other parameters,
the text of the other file with keywords that have another name, and how many calls do not fit any more. Must not know:
instructions, the disk.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from spark_tui.refactor.rename.abroad import Abroad, Followed, Renamed
from spark_tui.refactor.rename.text import Span
from spark_tui.refactor.source import Function, Source


@dataclass(frozen=True, slots=True)
class OtherParameters:
    """`owner` is the class of a method, empty for a function of the module. `keywords` have another name; `breaks`:
    calls that fitted before may not fit now."""

    owner: str
    name: str
    keywords: tuple[tuple[str, str], ...] = ()
    breaks: bool = False

    @property
    def called(self) -> str:
        """The name by which it is called."""
        return self.owner if self.name == "__init__" else self.name


@dataclass(frozen=True, slots=True)
class _Parameters:
    placed: tuple[str, ...]
    needed: tuple[str, ...]
    named: frozenset[str]
    more: bool
    """Whether it takes what it does not name."""

    def takes_the_calls_of(self, old: _Parameters) -> bool:
        if self.more:
            return set(self.needed) <= set(old.needed)
        return (
            self.placed[: len(old.placed)] == old.placed
            and old.named <= self.named
            and set(self.needed) <= set(old.needed)
            and not old.more
        )


def other_parameters(was: Source, now: Source) -> tuple[OtherParameters, ...]:
    before, after = dict(_functions(was)), dict(_functions(now))
    return tuple(
        found
        for where, node in before.items()
        if where in after
        and (found := _compared(*where, _parameters(node, where[0]), _parameters(after[where], where[0])))
    )


def _functions(src: Source) -> Iterator[tuple[tuple[str, str], Function]]:
    for node in src.tree.body if src.tree is not None else ():
        if isinstance(node, Function):
            yield ("", node.name), node
        elif isinstance(node, ast.ClassDef):
            yield from (((node.name, item.name), item) for item in node.body if isinstance(item, Function))


def _parameters(node: Function, owner: str) -> _Parameters:
    spec = node.args
    placed = [one.arg for one in (*spec.posonlyargs, *spec.args)]
    needed = placed[: len(placed) - len(spec.defaults)]
    needed += [one.arg for one, default in zip(spec.kwonlyargs, spec.kw_defaults, strict=True) if default is None]
    static = any(isinstance(one, ast.Name) and one.id == "staticmethod" for one in node.decorator_list)
    if owner and not static:
        placed, needed = placed[1:], needed[1:]
    named = frozenset([*(one.arg for one in spec.args), *(one.arg for one in spec.kwonlyargs)])
    return _Parameters(tuple(placed), tuple(needed), named, bool(spec.vararg or spec.kwarg))


def _compared(owner: str, name: str, old: _Parameters, new: _Parameters) -> OtherParameters | None:
    if new.takes_the_calls_of(old):
        return None
    gone, came = old.named - new.named, new.named - old.named
    moved = {one: new.placed[at] for at, one in enumerate(old.placed) if at < len(new.placed) and one in gone}
    renamed = {one: other for one, other in moved.items() if other in came}
    if len(gone) == len(came) == 1:
        renamed = {next(iter(gone)): next(iter(came))}
    as_it_was = _Parameters(
        tuple(renamed.get(one, one) for one in old.placed),
        tuple(renamed.get(one, one) for one in old.needed),
        frozenset(renamed.get(one, one) for one in old.named),
        old.more,
    )
    return OtherParameters(owner, name, tuple(renamed.items()), not new.takes_the_calls_of(as_it_was))


def with_keywords(other: Source, path: str, one: OtherParameters, home: str, alone: Collection[str] = ()) -> Followed:
    """The file at `path` with the keywords that calls of it take now; `unsure`: calls that may not fit."""
    spans = _calls(other, path, one, home, alone)
    calls = [node for node in other.nodes if isinstance(node, ast.Call) and _ends(other, node) in spans]
    new = dict(one.keywords)
    changes = []
    for call in calls:
        for item in call.keywords:
            if item.arg in new:
                start = other.offset(item.lineno, item.col_offset)
                changes.append((start, start + len(item.arg), new[item.arg]))
    return Followed(other.changed(changes), len(calls) if one.breaks else 0)


def _calls(other: Source, path: str, one: OtherParameters, home: str, alone: Collection[str]) -> set[Span]:
    """Where its name stands."""
    abroad = Abroad(other, path, home)
    if one.owner and one.name != "__init__":
        return abroad.member(Renamed(one.owner, one.name, ""), one.name in alone)[0]
    return abroad.name_of_module(Renamed("", one.called, ""))[0]


def _ends(src: Source, call: ast.Call) -> Span:
    end = src.span(call.func)[1]
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    return end - len(name), end
