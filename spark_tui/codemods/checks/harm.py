"""Do no harm: what a change breaks, whoever made it. Compares the repository before and after.

`check` answers for any change; `checked` puts the answer into a plan. Each finding has a path, a line and a
reason; only harm that was not there before counts.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from weakref import WeakKeyDictionary

from spark_tui.codemods.checks.abstract_methods import abstract_methods
from spark_tui.codemods.checks.calls import misfits, misfits_in_change, misfits_of_new, other_calls_fit
from spark_tui.codemods.checks.caught_before import caught_before
from spark_tui.codemods.checks.configuration import configuration
from spark_tui.codemods.checks.contexts import contexts
from spark_tui.codemods.checks.duplicates import duplicates
from spark_tui.codemods.checks.early_names import read_early
from spark_tui.codemods.checks.empty_slices import empty_slices
from spark_tui.codemods.checks.expected_errors import expected_errors
from spark_tui.codemods.checks.field_order import field_order
from spark_tui.codemods.checks.importers import importers
from spark_tui.codemods.checks.library_calls import library_calls
from spark_tui.codemods.checks.library_names import library_names, new_attributes, new_imports
from spark_tui.codemods.checks.local_names import local_names
from spark_tui.codemods.checks.new_members import new_members
from spark_tui.codemods.checks.origin import origin
from spark_tui.codemods.checks.other_kinds import other_kinds
from spark_tui.codemods.checks.overrides import overrides
from spark_tui.codemods.checks.protocols import protocols
from spark_tui.codemods.checks.refused_values import refused_values
from spark_tui.codemods.checks.shared_texts import shared_texts
from spark_tui.codemods.checks.shown_examples import shown_examples
from spark_tui.codemods.checks.special_results import special_results
from spark_tui.codemods.checks.star_imports import star_imports
from spark_tui.codemods.checks.stubs import stubs
from spark_tui.codemods.checks.test_runners import lost_tests
from spark_tui.codemods.checks.tested_literals import tested_literals
from spark_tui.codemods.checks.typed_arguments import typed_arguments
from spark_tui.codemods.checks.value_uses import value_uses
from spark_tui.codemods.plan import Finding, Plan, Unfollowed
from spark_tui.codemods.uses.hidden import hidden_uses
from spark_tui.codemods.uses.own_names import compiled_users, lost_members, own_names
from spark_tui.pysource.garbage_collection import no_collection
from spark_tui.pysource.inference.values import UNKNOWN, class_behind
from spark_tui.pysource.modules import is_python
from spark_tui.pysource.names.scopes import Occurrence, Role
from spark_tui.pysource.names.undefined import KNOWN, undefined
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.syntax.parsing import compile_error
from spark_tui.pysource.tree_comparison import still_compiles

_TOO_DEEP = "nothing was checked: some code is nested too deeply"
Check = Callable[[Repository, Repository, Collection[str]], Iterable[Finding]]
"""Gets the paths of Python files, which may be gone or new; one of `_OF_ALL_FILES` those of others too."""
_OF_ALL_FILES = (origin, configuration)


def checked(plan: Plan, repo: Repository) -> Plan:
    """The plan with what the checks find in it; one that is nested too deeply for them is marked. They look
    once at what several plans make alike."""
    after = repo.with_changes(plan.texts(repo))
    known = _FOUND.setdefault(after, {})
    key = plan.paths, tuple(sorted(plan.moved.items()))
    if key not in known:
        # What was wrong in a file that moves was wrong before.
        there = {new: repo.index.text(old) for old, new in plan.moved.items()}
        try:
            known[key] = tuple(check(repo.with_changes(there) if there else repo, after, plan.paths))
        except RecursionError:
            deep = (Unfollowed(path, 1, _TOO_DEEP) for path in plan.paths[:1])
            return replace(plan, unfollowed=tuple(dict.fromkeys((*plan.unfollowed, *deep))))
    return replace(plan, findings=known[key], checked=tuple(CHECKS))


_FOUND: WeakKeyDictionary[Repository, dict[object, tuple[Finding, ...]]] = WeakKeyDictionary()
"""What the checks found, for each repository that a plan makes and that is still in use."""


def check(
    before: Repository, after: Repository, paths: Collection[str], only: Collection[str] = ()
) -> list[Finding]:
    """The harm that a change of some files does anywhere in the repository; `only`: by these checks."""
    out: set[Finding] = set()
    python = [path for path in paths if is_python(path)]
    with no_collection():
        for name, one in CHECKS.items():
            if not only or name in only:
                out.update(one(before, after, paths if one in _OF_ALL_FILES else python))
    return sorted(out)


def _parses(before: Repository, after: Repository, paths: Collection[str]) -> Iterator[Finding]:
    for path in paths:
        old, new = before.index.text(path), after.index.text(path)
        if None not in (old, new) and still_compiles(before.index.source(path), after.index.source(path)):
            continue
        error = compile_error(new or "")
        if error is not None and compile_error(old or "") is None:
            yield Finding(path, error.lineno or 0, "parses", f"the file would not compile: {error.msg}")


def _names(before: Repository, after: Repository, paths: Collection[str]) -> Iterator[Finding]:
    """Names that are newly undefined in a changed file."""
    for path in paths:
        scopes = after.index.scopes(path)
        found = [*undefined(scopes), *_exported(after, path)]
        known = _undefined_before(before, path) if found else set()
        for item in found:
            if item.name not in known:
                line = scopes.source.line_number(max(item.span[0], 0))
                if item.role is Role.EXPORT:
                    reason = f"__all__ names {item.name}, which does not exist"
                    yield Finding(path, line, "names", reason)
                else:
                    reason = f"nothing defines {item.name}"
                    yield Finding(path, line, "names", reason, undefined=item.name)
        early = read_early(scopes)
        old = read_early(before.index.scopes(path)) if early else {}
        for name, (line, reason, sure) in early.items():
            if name not in old:
                yield Finding(path, line, "names", reason, sure)
        if scopes.module.star_import:
            yield from _lost_with_star(before, after, path)


def _undefined_before(before: Repository, path: str) -> set[str]:
    """The names that nothing defined before; all names of a file that did not parse."""
    scopes = before.index.scopes(path)
    if scopes.source.tree is None:
        return set(re.findall(r"\w+", scopes.source.text))
    return {occurrence.name for occurrence in (*undefined(scopes), *_exported(before, path))}


def _exported(repo: Repository, path: str) -> list[Occurrence]:
    """The names in `__all__` of a package that it neither binds nor has as modules."""
    scopes, (folder, _, name) = repo.index.scopes(path), path.rpartition("/")
    if name != "__init__.py" or scopes.module.star_import or "__getattr__" in scopes.module.bound:
        return []
    given = (item for one in scopes.variables if one.scope is None for item in one.occurrences)
    exported = [item for item in given if item.role is Role.EXPORT]
    inner = {one.removeprefix(f"{folder}/").split("/")[0] for one in repo.index.paths} if exported else set()
    return [item for item in exported if not inner & {item.name, f"{item.name}.py"}]


def _lost_with_star(before: Repository, after: Repository, path: str) -> Iterator[Finding]:
    """Names of a file with a star import that the file bound and now uses without binding."""
    old, new = before.index.scopes(path), after.index.scopes(path)
    bound = [variable for variable in old.variables if variable.scope is not None]
    had = {one.name for one in bound if one.scope is old.module or one.name not in KNOWN}
    had -= {variable.name for variable in old.variables if variable.scope is None}
    for item in new.variables:
        if item.scope is None and item.name in had and item.loads and not after.infer.star(path, item.name):
            line = new.source.line_number(max(item.loads[0].span[0], 0))
            reason = f"nothing defines {item.name}, unless a star import does"
            yield Finding(path, line, "names", reason, sure=False)


def _members(before: Repository, after: Repository, paths: Collection[str]) -> Iterator[Finding]:
    """Uses of members that a class no longer has, on objects of that class."""
    gone: dict[tuple[str, str], set[str]] = {}
    for path in paths:
        gone.update({(path, name): lost for name, _, lost in lost_members(before, after, path)})
    words = {word for lost in gone.values() for word in lost}
    for path in after.index.files_with(*words) if words else ():
        for use in after.index.scopes(path).attributes:
            if use.name in words and isinstance(use.node.ctx, ast.Load):
                yield from _lost_use(after, path, use.node, use.name, gone)


def _lost_use(
    after: Repository, path: str, node: ast.Attribute, name: str, gone: dict[tuple[str, str], set[str]]
) -> Iterator[Finding]:
    scope = after.index.scopes(path).scope_at[node]
    for value in after.infer.values(path, node.value, scope):
        owner = class_behind(value)
        if owner is None or after.classes.lookup(owner, name) is not None:
            continue
        line = [
            (ancestor.path, after.index.source(ancestor.path).qualname(ancestor.node))
            for ancestor in after.classes.ancestors(owner)
        ]
        if any(name in gone.get(item, ()) for item in line):
            has_more = after.classes.has_foreign_base(owner)
            has_more = has_more or "__getattr__" in after.classes.own_members(owner)
            sure = not has_more and not _may_be_set(after, owner.path, name)
            reason = f"uses {ast.unparse(node)}; {owner.node.name} no longer has {name}"
            yield Finding(path, node.lineno, "members", reason, sure)


def _may_be_set(repo: Repository, path: str, name: str) -> bool:
    """Whether the file of a class sets an attribute of an object whose class is not known."""
    return any(
        UNKNOWN in repo.infer.values(path, attribute.node.value, attribute.scope)
        for attribute in repo.index.scopes(path).attributes
        if attribute.name == name and isinstance(attribute.node.ctx, ast.Store)
    )


def _calls(before: Repository, after: Repository, paths: Collection[str]) -> Iterator[Finding]:
    mended = [path for path in paths if before.index.source(path).tree is None]
    found = [item for path in mended for item in misfits_in_change(before, after, path)]
    rest = [path for path in paths if path not in mended]
    others = other_calls_fit(before, after, rest)
    new = [*found, *misfits_of_new(before, after, rest, others.methods)] if others is not None else found
    if others is None or (new and others.mended):
        new = [*found, *misfits(before, after, after, rest)]
        had = misfits(before, after, before, rest)
    else:
        had = misfits_of_new(after, before, rest, others.methods)
    old = Counter(item.key for item in had) if new else Counter[object]()
    for misfit in new:
        if old[misfit.key]:
            old[misfit.key] -= 1
        else:
            yield Finding(misfit.path, misfit.line, "calls", misfit.reason)


CHECKS: dict[str, Check] = {
    "parses": _parses,
    "configuration": configuration,
    "names": _names,
    "library names": library_names,
    "library calls": library_calls,
    "importers": importers,
    "star imports": star_imports,
    "new imports": new_imports,
    "new attributes": new_attributes,
    "members": _members,
    "new members": new_members,
    "calls": _calls,
    "field order": field_order,
    "overrides": overrides,
    "abstract methods": abstract_methods,
    "caught before": caught_before,
    "refused values": refused_values,
    "local names": local_names,
    "duplicates": duplicates,
    "origin": origin,
    "hidden uses": hidden_uses,
    "own names": own_names,
    "protocols": protocols,
    "shared texts": shared_texts,
    "special results": special_results,
    "value uses": value_uses,
    "typed arguments": typed_arguments,
    "empty slices": empty_slices,
    "other kinds": other_kinds,
    "contexts": contexts,
    "compiled users": compiled_users,
    "stubs": stubs,
    "expected errors": expected_errors,
    "tests": lost_tests,
    "tested literals": tested_literals,
    "shown examples": shown_examples,
}
"""All checks by name, in the order in which they run."""
