"""Places that an operation edits compared with the places that tools name.

Where all tools that answered say the same and the operation does not, the difference is listed with its
reason; without a known reason it counts against the operation. A place that only one of two tools names
proves nothing; it is listed too.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from spark_tui.bench.exact_edits.reference_tools import Place
from spark_tui.codemods.plan import Plan
from spark_tui.codemods.slots import SymbolKind
from spark_tui.codemods.uses.symbols import Target
from spark_tui.pysource.inference.classes import mangled
from spark_tui.pysource.inference.values import ClassValue, InstanceValue, SuperValue
from spark_tui.pysource.names.scopes import Occurrence, ScopeKind, Scopes
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.repository import Repository

_WORD, _LAST_WORD = re.compile(r"\w+"), re.compile(r"\w*\Z")
INFERRED = "inferred: the tools do not know the class of the object"


@dataclass(frozen=True, slots=True)
class Difference:
    """A place of one side only. `edited`: the operation edits it and no tool names it. `reason` is empty
    where none is known."""

    symbol: str
    place: Place
    edited: bool
    reason: str

    def __str__(self) -> str:
        who = "edited, named by no tool" if self.edited else "named by a tool, not edited"
        where = "{}:{}:{}".format(*self.place)
        return f"{self.symbol}: {where} {who}: {self.reason or 'unexplained'}"


def place(repo: Repository, path: str, offset: int) -> Place:
    source = repo.index.source(path)
    line = source.line_number(offset)
    return path, line, offset - source.starts[line - 1]


def edited_names(plan: Plan, repo: Repository) -> set[Place]:
    """Where a rename edits; an import that gets an alias counts by the name that it imports."""
    out = set()
    for edit in plan.edits:
        path, line, column = place(repo, edit.path, edit.start)
        if edit.start == edit.end:
            column -= len(_LAST_WORD.findall(repo.index.source(path).lines[line - 1][:column])[0])
        out.add((path, line, column))
    return out


def edited_calls(plan: Plan, repo: Repository) -> set[Place]:
    """The names of the functions whose calls a change of signature edits."""
    out = set()
    for path in plan.paths:
        calls = _calls(repo, path)
        source = repo.index.source(path)
        for edit in (item for item in plan.edits if item.path == path):
            around = [call for low, high, call in calls if low < edit.start < high]
            if around:
                inner = min(around, key=lambda call: source.span(call)[1] - source.span(call)[0])
                out.add(place(repo, path, _name_at(repo.index.scopes(path), inner)))
    return out


def only_calls(places: Iterable[Place], repo: Repository) -> set[Place]:
    by_path: dict[str, set[Place]] = {}
    for item in places:
        by_path.setdefault(item[0], set()).add(item)
    out: set[Place] = set()
    for path, found in by_path.items():
        if path in repo.index.modules.paths:
            scopes = repo.index.scopes(path)
            out |= found & {place(repo, path, _name_at(scopes, call)) for _, _, call in _calls(repo, path)}
    return out


def _calls(repo: Repository, path: str) -> list[tuple[int, int, ast.Call]]:
    """The calls of a file with the place of their brackets."""
    scopes = repo.index.scopes(path)
    source = scopes.source
    found = [node for node in scopes.scope_at if isinstance(node, ast.Call) and source.span(node)[0] >= 0]
    return [(source.span(node.func)[1], source.span(node)[1], node) for node in found]


def _name_at(scopes: Scopes, call: ast.Call) -> int:
    """Where the name of the called function begins; of `partial(function, …)` that of the function."""
    function = (
        call.args[0] if last_name(call.func) in ("partial", "partialmethod") and call.args else call.func
    )
    return scopes.source.span(function)[1] - len(last_name(function))


def compare(
    target: Target, ours: set[Place], plan: Plan, repo: Repository, named: Mapping[str, set[Place] | None]
) -> list[Difference]:
    """The places that the operation edits and no tool names, and those that it leaves and a tool names."""
    answers = [found for found in named.values() if found is not None]
    if not answers:
        return []
    symbol = str(target)
    common, anyone = set.intersection(*answers), set.union(*answers)
    doubts = {(unfollowed.path, unfollowed.line) for unfollowed in plan.unfollowed}
    out = [Difference(symbol, item, True, _why_edited(repo, target, item)) for item in sorted(ours - anyone)]
    for one in sorted(anyone - ours):
        reason = "named in the plan as not followed" if one[:2] in doubts else _why_left(repo, target, one)
        if one not in common:
            names = " and ".join(name for name, found in named.items() if found and one in found)
            reason = reason or f"only {names} names it: not judged"
        out.append(Difference(symbol, one, False, reason))
    return out


def _why_edited(repo: Repository, target: Target, at: Place) -> str:
    """Why a place is meant that no tool names."""
    scopes = repo.index.scopes(at[0])
    offset = scopes.source.starts[at[1] - 1] + at[2]
    if _in_string(scopes, offset):
        return "a string that names it: __all__, __slots__, an annotation or a full name"
    if at[0] != target.path and at[0].endswith(".pyi") != target.path.endswith(".pyi"):
        return "its stub, or the module of its stub"
    word = _WORD.match(scopes.source.text, offset)
    if word is None or word[0] != target.name:
        return "a call through another name of the function"
    attribute = any(item.span[0] == offset for item in scopes.attributes)
    keyword = any(item.span[0] == offset for item in scopes.keywords)
    if target.kind is SymbolKind.PARAMETER and not attribute:
        return INFERRED if keyword else "the parameter of an override or overload"
    if attribute or keyword:
        return INFERRED
    occurrence = scopes.at(offset)
    if target.owner is not None and occurrence is not None and occurrence.scope.is_class:
        return "the same member in a class related by inheritance"
    if occurrence is not None and _in_own_comprehension(scopes, target, occurrence):
        return "the condition or element of the comprehension that binds it"
    if occurrence is not None and target.name in occurrence.scope.redirected:
        return "a function that declares it `global` or `nonlocal`"
    return ""


def _in_own_comprehension(scopes: Scopes, target: Target, occurrence: Occurrence) -> bool:
    """Whether a name stands inside of the comprehension that binds the target, and nothing binds it again."""
    scope = target.variable.scope if target.variable is not None else None
    if scope is None or scope.kind is not ScopeKind.COMPREHENSION:
        return False
    low, high = scopes.source.span(scope.node)
    between = [item for item in occurrence.scope.chain() if item is not scope and scope in item.chain()]
    return low <= occurrence.span[0] < high and not any(target.name in item.bound for item in between)


def _why_left(repo: Repository, target: Target, at: Place) -> str:
    """Why a place is not meant that all tools name."""
    if at[0] not in repo.index.modules.paths:
        return "not a Python file of the repository"
    scopes = repo.index.scopes(at[0])
    offset = scopes.source.starts[at[1] - 1] + at[2]
    occurrence = scopes.at(offset)
    parent = scopes.source.parents.get(occurrence.node) if occurrence is not None else None
    if target.kind is SymbolKind.PARAMETER and isinstance(parent, ast.arguments):
        return "a default: it is evaluated outside of the function"
    is_plain = target.owner is None and target.kind is not SymbolKind.PARAMETER
    if is_plain and any(keyword.span[0] == offset for keyword in scopes.keywords):
        return "a keyword that names a parameter or field of what is called"
    if target.owner is not None and _is_of_another_class(repo, target.owner, target.name, scopes, at):
        return "an object of a class that is not related: the tools compare names"
    return ""


def _is_of_another_class(repo: Repository, owner: ClassValue, name: str, scopes: Scopes, at: Place) -> bool:
    """Whether the object at a place is known, and of no class that shares the member."""
    offset = scopes.source.starts[at[1] - 1] + at[2]
    use = next((attribute for attribute in scopes.attributes if attribute.span[0] == offset), None)
    if use is None:
        return False
    values = repo.infer.values(at[0], use.node.value, use.scope)
    classes = [value.of if isinstance(value, InstanceValue | SuperValue) else value for value in values]
    family = repo.classes.family(owner, mangled(owner.node, name))
    return all(isinstance(cls, ClassValue) and cls not in family for cls in classes)


def _in_string(scopes: Scopes, offset: int) -> bool:
    found = next((token for token in scopes.source.tokens if token.span[0] <= offset < token.span[1]), None)
    return found is not None and found.text.endswith(("'", '"')) and "{" not in found.text
