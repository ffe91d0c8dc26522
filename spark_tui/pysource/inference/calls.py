"""The calls that may run something of the repository.

Most calls of a file are of something from outside, or of nothing that is known: this is found once, and
whoever looks for the calls of a function leaves them out.
"""

from __future__ import annotations

import ast
from collections.abc import Collection
from functools import reduce
from operator import or_

from spark_tui.pysource.inference.expressions import Inference
from spark_tui.pysource.inference.values import UNSURE, Special

Place = tuple[int, ast.Call]
"""A call with its place among all of the file."""


class RepositoryCalls:
    """The calls of each file, by what is inferred of one state of the repository. `before` has those of a
    state that differs only in the texts of the files `changed`."""

    def __init__(
        self, infer: Inference, before: RepositoryCalls | None = None, changed: frozenset[str] = frozenset()
    ) -> None:
        self._infer = infer
        self._before, self._paths = before, changed
        self._changed = reduce(or_, map(infer.bit, changed), 0)
        self._looked: dict[str, list[tuple[Place, int]]] = {}
        """All calls of a file; for those that are left out the files in which that was found, as bits."""
        self._known: dict[str, list[Place]] = {}

    def of(self, path: str) -> list[Place]:
        """The calls of a file without those that are sure to call nothing of the repository."""
        found = self._known.get(path)
        if found is None:
            at = self if self._before is None or path in self._paths else self._before
            changed = self._changed if at is not self else 0
            found = [place for place, left_out in at.looked(path) if not left_out or left_out & changed]
            self._known[path] = found
        return found

    def looked(self, path: str) -> list[tuple[Place, int]]:
        if self._before is not None and path not in self._paths:
            return self._before.looked(path)
        if path not in self._looked:
            self._looked[path] = self._look(path)
        return self._looked[path]

    def _look(self, path: str) -> list[tuple[Place, int]]:
        infer, scopes, out = self._infer, self._infer.index.scopes(path), []
        outer = infer.touched
        for place in enumerate(scopes.calls):
            infer.touched, node = 0, place[1]
            values = infer.values(path, node.func, scopes.scope_at[node])
            outside = len(values) == 1 and isinstance(values[0], Special) and not infer.touched & UNSURE
            out.append((place, infer.touched if outside else 0))
        infer.touched = outer
        return out

    def take_over(self, earlier: RepositoryCalls, changed: Collection[str]) -> None:
        """Keep what was found in files that stayed as they were."""
        stale = reduce(or_, map(self._infer.bit, changed), 0)
        self._looked, earlier._looked = earlier._looked, {}
        if not stale:
            self._known, earlier._known = earlier._known, {}
            return
        for path, found in list(self._looked.items()):
            if path in changed or any(left_out & stale for _, left_out in found):
                del self._looked[path]
