"""Where a person goes next after an edit: callers of what was edited, its tests, and docs that name it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from spark_tui.pysource.modules import is_test_file
from spark_tui.pysource.repository import Repository

_DOCS = (".md", ".rst", ".txt")
_MOST_PLACES = 12


def likely_next(repo: Repository, path: str, line: int) -> list[tuple[str, int]]:
    """Places as (path, line), the likeliest first. `line` counts from 1."""
    name = _edited_name(repo, path, line)
    if not name:
        return []
    used = list(_uses(repo, name, path, line))
    tests = [use for use in used if is_test_file(use[0])]
    callers = [use for use in used if not is_test_file(use[0])]
    # One place a file: from there the next one is a search away.
    first: dict[str, int] = {}
    for where, at in (*callers, *tests, *_in_docs(repo, name)):
        first.setdefault(where, at)
    return list(first.items())[:_MOST_PLACES]


def _edited_name(repo: Repository, path: str, line: int) -> str:
    """The innermost definition around a line."""
    if path not in repo.index.paths:
        return ""
    source = repo.index.source(path)
    around = [one for one in source.definitions if source.first_line(one) < line <= source.last_line(one)]
    return around[-1].name if around else ""


def _uses(repo: Repository, name: str, path: str, line: int) -> Iterator[tuple[str, int]]:
    """Where code uses the name, in its own file first; the edited line is left out."""
    others = sorted(item for item in repo.index.files_with(name) if item != path)
    for where in (path, *others):
        scopes = repo.index.scopes(where)
        found = [attribute.node.lineno for attribute in scopes.attributes if attribute.name == name]
        for one in scopes.by_name.get(name, ()):
            if not one.role.binds and one.span[0] >= 0:
                found.append(scopes.source.line_number(one.span[0]))
        for at in sorted(set(found)):
            if (where, at) != (path, line):
                yield where, at


def _in_docs(repo: Repository, name: str) -> Iterator[tuple[str, int]]:
    word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    for path in repo.index.all_paths:
        text = repo.index.text(path) if path.endswith(_DOCS) else None
        found = word.search(text) if text else None
        if text and found is not None:
            yield path, text.count("\n", 0, found.start()) + 1
