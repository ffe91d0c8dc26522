"""Changes by hand that an exact operation explains: what it does elsewhere follows from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from spark_tui.codemods.families.names.rename import Rename
from spark_tui.codemods.plan import Edit, Plan, Refused, Unfollowed
from spark_tui.codemods.slots import NewName, Symbol, SymbolKind
from spark_tui.codemods.uses.symbols import Target, list_targets
from spark_tui.next_edit.changes import Change, Shift
from spark_tui.next_edit.features import replaced_name
from spark_tui.pysource.repository import Repository


@dataclass(frozen=True)
class Followed:
    """What an operation does in the rest of the repository. `edits` are of the texts as they are now."""

    kind: SymbolKind
    words: str
    edits: tuple[Edit, ...]
    unfollowed: tuple[Unfollowed, ...]
    done: int
    """How many of its edits were made by hand."""


def bound_symbols(before: Repository, newest: Change, done: Mapping[str, Sequence[Change]]) -> list[Target]:
    """The symbols that got another name where they are bound, by the newest change or by one like it."""
    names = replaced_name(newest)
    if names is None:
        return []
    found = [_bound_here(before, change, names[0]) for change in _alike(newest, done)]
    return [item for item in found if item is not None and item.kind is not SymbolKind.IMPORT]


def rename(
    before: Repository, newest: Change, done: Mapping[str, Sequence[Change]], bound: Sequence[Target]
) -> Followed | None:
    """The rest of the rename of one of the symbols that are `bound` at a change by hand. `before` is the
    repository without the changes that `done` has by file."""
    names = replaced_name(newest)
    for target in bound if names is not None else ():
        assert names is not None
        plan = Rename(Symbol(target.qualname, target.path, target.line), NewName(names[1])).plan(before)
        if isinstance(plan, Refused):
            continue
        plan = _in_own_class(before, target, plan)
        found = rest_of(plan, done, words_of_rename(newest), target.kind)
        if found is not None and found.done == len(_alike(newest, done)):
            return found
    return None


def words_of_rename(newest: Change) -> str:
    """What the offer of a rename says; empty where the change replaced no name."""
    names = replaced_name(newest)
    return f"rename {names[0]} → {names[1]}" if names is not None else ""


def _in_own_class(repo: Repository, target: Target, plan: Plan) -> Plan:
    """The plan; for a method that overrides one of a base class only what is in its own class: perhaps it is
    to override it no longer."""
    owner = target.owner
    bases = repo.classes.ancestors(owner)[1:] if owner is not None else ()
    if owner is None or not any(target.name in repo.classes.own_members(base) for base in bases):
        return plan
    low, high = repo.index.source(owner.path).span(owner.node)
    edits = tuple(edit for edit in plan.edits if edit.path == owner.path and low <= edit.start < high)
    return replace(plan, edits=edits)


def _alike(newest: Change, done: Mapping[str, Sequence[Change]]) -> list[Change]:
    return [item for found in done.values() for item in found if item.shape == newest.shape]


def _bound_here(repo: Repository, change: Change, name: str) -> Target | None:
    """The symbol that the changed token binds."""
    start = change.before.starts[change.old[0]]
    line = repo.index.source(change.path).line_number(start)
    for target in list_targets(repo, change.path, name):
        if target.variable is None:
            if target.line == line:
                return target
        elif any(binding.span[0] == start for binding in target.variable.bindings):
            # A later assignment that gets another name is a variable of its own, not a rename.
            inner = target.kind in (SymbolKind.LOCAL, SymbolKind.PARAMETER)
            first = min(binding.span[0] for binding in target.variable.bindings)
            return target if start == first or not inner else None
    return None


def rest_of(
    plan: Plan,
    done: Mapping[str, Sequence[Change]],
    words: str,
    kind: SymbolKind,
    head: tuple[str, int, int] = ("", 0, 0),
) -> Followed | None:
    """The edits of a plan that nobody made yet; None where a change by hand at one of its places is another
    one. In `head`, characters of a file, the person was."""
    left: list[Edit] = []
    made = 0
    shifts = {path: Shift(found) for path, found in done.items()}
    for edit in plan.edits:
        same = [item for item in done.get(edit.path, ()) if item.span_before == (edit.start, edit.end)]
        if same:
            if "".join(same[0].came) != edit.new:
                return None
            made += 1
            continue
        if edit.path == head[0] and head[1] <= edit.start < head[2]:
            continue
        moved = shifts[edit.path].moved(edit) if edit.path in shifts else edit
        if moved is not None:
            left.append(moved)
    return Followed(kind, words, tuple(left), plan.unfollowed, made) if left else None
