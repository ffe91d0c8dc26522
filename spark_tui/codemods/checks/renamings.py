"""Whether a change only renames: then all names mean what they did."""

from __future__ import annotations

import abc
import ast
import builtins
import contextlib
import dataclasses
import enum
import functools
import re
import typing
from bisect import bisect_left
from collections.abc import Collection

from spark_tui.pysource.inference.values import is_common_member
from spark_tui.pysource.names.scopes import ScopeKind, Scopes, Variable
from spark_tui.pysource.repository import Repository

_OF_FUNCTIONS = (ScopeKind.FUNCTION, ScopeKind.LAMBDA, ScopeKind.COMPREHENSION)
_KNOWN = (builtins, property, abc, contextlib, dataclasses, enum, functools, typing)
"""Names of these say by themselves what something is."""


def is_renaming(before: Repository, after: Repository, paths: Collection[str]) -> bool:
    """Whether a change only puts a new word for another one, which names nothing any more or only what is
    inside of functions: then all names mean what they did."""
    python = [path for path in paths if path in after.index.modules.paths]
    texts = [(before.index.text(path), after.index.text(path)) for path in python]
    words = _exchanged(*texts[0]) if texts else None
    if words is None:
        return False
    # A pattern that begins with its word is searched ten times as fast.
    pattern = re.compile(rf"{words[1]}(?<!\w{words[1]})(?!\w)")
    if any(old is None or new is None or pattern.sub(words[0], new) != old for old, new in texts):
        return False
    if all(_renames_locals(before.index.scopes(path), after.index.scopes(path)) for path in python):
        return True
    if not all(map(_is_plain, words)):
        return False
    if any(word in path for path in after.index.all_paths for word in words):
        return False
    return not _is_named(before, words[1]) and not _is_named(after, words[0])


def _is_named(repo: Repository, word: str) -> bool:
    """Whether a word is a name somewhere, and does not only stand in texts and comments."""
    for path in repo.index.files_with(word):
        scopes = repo.index.scopes(path)
        known = (scopes.by_name, scopes.attributes_by_name, scopes.imported)
        if scopes.source.tree is None or any(word in item for item in known):
            return True
        if any(keyword.name == word for keyword in scopes.keywords):
            return True
    return False


def _renames_locals(old: Scopes, new: Scopes) -> bool:
    """Whether two files with the same words but one differ in names of functions' own variables only, and
    each name means the same variable as before."""
    if old.source.tree is None or new.source.tree is None:
        return False
    if [attribute.name for attribute in old.attributes] != [attribute.name for attribute in new.attributes]:
        return False
    keywords = zip(old.keywords, new.keywords, strict=False)
    if any(one.name != other.name and isinstance(one.node, ast.MatchClass) for one, other in keywords):
        return False
    if len(old.occurrences) != len(new.occurrences):
        return False
    meant: dict[Variable, Variable] = {}
    for one, other in zip(old.occurrences, new.occurrences, strict=True):
        was, now = old.resolve(one), new.resolve(other)
        kinds = [item.scope.kind if item.scope is not None else None for item in (was, now)]
        renamed = one.name != other.name and kinds[0] not in _OF_FUNCTIONS
        if renamed or kinds[0] is not kinds[1] or meant.setdefault(was, now) is not now:
            return False
    return len(set(meant.values())) == len(meant)


def _exchanged(old: str | None, new: str | None) -> tuple[str, str] | None:
    """The words that stand where two texts begin to differ."""
    if old is None or new is None:
        return None
    ends = range(1, min(len(old), len(new)) + 1)
    at = bisect_left(ends, True, key=lambda end: old[:end] != new[:end])
    while at and (old[at - 1].isalnum() or old[at - 1] == "_"):
        at -= 1
    found = [re.compile(r"\w+").match(text, at) for text in (old, new)]
    return (found[0][0], found[1][0]) if found[0] and found[1] else None


def _is_plain(word: str) -> bool:
    special = word.startswith("__") or is_common_member(word) or any(hasattr(item, word) for item in _KNOWN)
    return word.isidentifier() and not special
