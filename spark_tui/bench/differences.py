"""Places that an operation edits beside the places that witnesses name: what differs, and the reason as far as known.

A difference on which the witnesses themselves disagree proves nothing against us; one where all of them say the same
and we do not has to be explained by one of the reasons below, or it counts.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from spark_tui.bench.witnesses import Place
from spark_tui.codemods.plan import Plan
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.scopes import Role, Scopes


@dataclass(frozen=True, slots=True)
class Difference:
    """A place of one side. `ours`: we edit it and they do not name it. `reason` is empty where none is known."""

    symbol: str
    place: Place
    ours: bool
    against: tuple[str, ...]
    reason: str

    def __str__(self) -> str:
        who = "only ours" if self.ours else f"only {' and '.join(self.against)}"
        where = "{}:{}:{}".format(*self.place)
        return f"{self.symbol}: {where} {who}" + (f" ({self.reason})" if self.reason else "")


def places(plan: Plan, repo: Repository) -> set[Place]:
    """Where the edits of a plan begin."""
    return {place(repo, one.path, one.start) for one in plan.edits}


def place(repo: Repository, path: str, offset: int) -> Place:
    source = repo.index.source(path)
    line = source.line_number(offset)
    return path, line, offset - source.starts[line - 1]


def compare(
    symbol: str, plan: Plan, repo: Repository, named: Mapping[str, set[Place] | None], *, parameter: bool
) -> list[Difference]:
    """The differences on which all witnesses that answered agree with each other against us."""
    ours = places(plan, repo)
    answers = {name: found for name, found in named.items() if found is not None}
    if not answers:
        return []
    against = tuple(answers)
    common = set.intersection(*answers.values())
    anyone = set.union(*answers.values())
    unfollowed = {(one.path, one.line) for one in plan.unfollowed}
    out = [Difference(symbol, one, True, against, _why_ours(repo, one, parameter)) for one in sorted(ours - anyone)]
    for one in sorted(common - ours):
        reason = "named in the plan as not followed" if one[:2] in unfollowed else _why_not_ours(repo, one)
        out.append(Difference(symbol, one, False, against, reason))
    return out


def _why_ours(repo: Repository, at: Place, parameter: bool) -> str:
    """Why a place is meant that no witness names."""
    scopes = repo.index.scopes(at[0])
    offset = scopes.source.starts[at[1] - 1] + at[2]
    if _string_at(scopes, offset):
        return "a string that names it: __all__, __slots__, an annotation or a full name"
    attribute = any(one.span[0] == offset for one in scopes.attributes)
    keyword = any(one.span[0] == offset for one in scopes.keywords)
    if parameter and not attribute:
        return "a keyword argument of it" if keyword else "the parameter in an override, overload or stub"
    if at[0].endswith(".pyi"):
        return "the stub of it"
    if attribute or keyword:
        return "its receiver's class is inferred from annotations and assignments"
    occurrence = scopes.at(offset)
    if occurrence is not None and occurrence.scope.is_class:
        return "the same member in a class related by inheritance"
    return ""


def _why_not_ours(repo: Repository, at: Place) -> str:
    """Why a place that all witnesses name is not meant."""
    scopes = repo.index.scopes(at[0])
    offset = scopes.source.starts[at[1] - 1] + at[2]
    occurrence = scopes.at(offset)
    if occurrence is None or occurrence.role is not Role.LOAD:
        return ""
    parent = scopes.source.parents.get(occurrence.node)
    if isinstance(parent, ast.arguments):
        return "a default: it is looked up outside of the function"
    return ""


def _string_at(scopes: Scopes, offset: int) -> bool:
    return any(one.string[:1] and one.span[0] <= offset < one.span[1] and _is_string(one.string) for one in _tokens(scopes))


def _tokens(scopes: Scopes) -> Iterable[object]:
    return scopes.source.tokens
