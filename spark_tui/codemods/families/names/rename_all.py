"""Rename everything of one name: all symbols, and the members of objects whose variable is called like a
class."""

from __future__ import annotations

import ast

from spark_tui.codemods.families.names.rename import Rename
from spark_tui.codemods.joined import as_before, from_texts
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed, need
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.renaming.member import CLASS_UNKNOWN
from spark_tui.codemods.slots import NewName, Symbol, SymbolKind
from spark_tui.codemods.uses.symbols import Target, targets
from spark_tui.pysource.inference.values import UNKNOWN
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.repository import Repository


@codemod
class RenameAll:
    """Rename every class, function, member, parameter and variable of one name, in the whole repository."""

    old: NewName = slot("the current name, without dots")
    new: NewName = slot("the new name, without dots")

    def plan(self, repo: Repository) -> Plan:
        if self.old == self.new:
            raise Refusal("nothing would change", why="nothing")
        texts: dict[str, str | None] = {}
        left: list[Unfollowed] = []
        owners: set[str] = set()
        now, seen = repo, set[tuple[str, str]]()
        while (target := _next(now, self.old, seen)) is not None:
            seen.add((target.path, target.qualname))
            if target.owner is not None:
                owners.add(target.owner.node.name.lower())
            plan = need(Rename(Symbol(target.qualname, target.path, target.line), self.new).plan(now))
            left += [
                as_before(one, repo, now) for one in plan.unfollowed if not one.reason.endswith(CLASS_UNKNOWN)
            ]
            texts |= plan.texts(now)
            now = repo.with_changes(texts)
        if not seen:
            raise Refusal(f"nothing is called {self.old}", why="unknown")
        if owners:
            edits, doubts = _members(now, self.old, self.new, owners)
            left += [as_before(one, repo, now) for one in doubts]
            texts |= Plan(tuple(sorted(edits))).texts(now)
        return from_texts(texts, repo, left)


def _next(repo: Repository, name: str, seen: set[tuple[str, str]]) -> Target | None:
    """A symbol that still has the name. What is imported from elsewhere keeps it."""
    for path in repo.index.files_with(name):
        for one in targets(repo, path, name):
            if one.kind is not SymbolKind.IMPORT and (path, one.qualname) not in seen:
                return one
    return None


def _members(repo: Repository, old: str, new: str, owners: set[str]) -> tuple[list[Edit], list[Unfollowed]]:
    """The members of objects of unknown class: renamed where the variable is called like a class that had
    the name (`cart.owner`), named otherwise."""
    edits, doubts = [], []
    for path in sorted(repo.index.files_with_member(old)):
        for one in repo.index.scopes(path).attributes:
            receiver = one.node.value
            if one.name != old or UNKNOWN not in repo.infer.values(path, receiver, one.scope):
                continue
            reason = f"{ast.unparse(one.node)}: {CLASS_UNKNOWN}"
            if last_name(receiver).replace("_", "").lower() in owners:
                edits.append(Edit(path, *one.span, new))
                reason += "; renamed because of the variable's name"
            doubts.append(Unfollowed(path, one.node.lineno, reason))
    return edits, doubts
