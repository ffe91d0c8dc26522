"""Definitions that stand twice in one suite."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from spark_tui.codemods.plan import Finding
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source


def duplicates(before: Repository, after: Repository, paths: Collection[str]) -> Iterator[Finding]:
    """Says which ones a change made stand twice."""
    for path in paths:
        found = list(_twice(after.index.source(path)))
        known = {key for key, _ in _twice(before.index.source(path))} if found else set()
        for key, line in found:
            if key not in known:
                yield Finding(path, line, "duplicates", f"{key} is defined twice")


def _twice(source: Source) -> Iterator[tuple[str, int]]:
    # Properties, overloads and registrations share a name on purpose.
    plain = [one for one in source.definitions if not one.decorator_list]
    named = Counter(map(source.qualname, plain))
    counts = Counter[tuple[str, int]]()
    for one in plain:
        name = source.qualname(one)
        if named[name] > 1:
            place = name, id(source.suite(one))
            counts[place] += 1
            if counts[place] == 2:
                yield name, one.lineno
