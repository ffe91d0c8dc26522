"""A repository at one moment: its index and what can be inferred of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path

from spark_tui.pysource.files.content_store import MOST_PARSED_CHARACTERS
from spark_tui.pysource.files.index import Index
from spark_tui.pysource.files.tree import SourceTree
from spark_tui.pysource.inference.calls import RepositoryCalls
from spark_tui.pysource.inference.classes import Classes
from spark_tui.pysource.inference.expressions import Inference

_MOST_KEPT = 12


class Repository:
    """Files of a tree with questions that cross files. `cache` is a folder for what is kept between runs."""

    def __init__(self, tree: SourceTree, cache: Path | None = None, *, index: Index | None = None) -> None:
        self.index = index or Index(tree, cache)
        self._changed: dict[tuple[tuple[str, str | None], ...], Repository] = {}
        """The last repositories that `with_changes` gave."""
        self._before: tuple[Repository, frozenset[str]] | None = None
        """A state that differs in the texts of some files."""
        self._held = 0, 0
        """The parsed files that were counted last, and their characters."""

    def has(self, path: str) -> bool:
        """Whether there is a Python file of this path that can be read."""
        return path in self.index.modules.paths and self.index.text(path) is not None

    def with_changes(self, changed: Mapping[str, str | None]) -> Repository:
        """The repository as it would be; None as a text removes the file. The same texts give the same
        repository: a plan is looked at several times."""
        key = tuple(sorted((path, text) for path, text in changed.items() if text != self.index.text(path)))
        if not key:
            return self
        changed = dict(key)
        made = self._changed.pop(key, None)
        if made is None:
            index = self.index.with_changes(changed)
            made = Repository(index.tree, index=index)
            if index.base[1]:
                made._before = self, frozenset(changed)
            while len(self._changed) >= _MOST_KEPT:
                del self._changed[next(iter(self._changed))]
        self._changed[key] = made
        return made

    def reread(self, tree: SourceTree, on_work: Callable[[], None] | None = None) -> Repository:
        """The repository as another reading of its files has it: itself where they stayed, with all that is
        known of it. Files that stayed are not parsed again."""
        held = self.index.held
        if len(held) != self._held[0]:
            self._held = len(held), sum(len(item.source.text) for item in held.values())
        if self._held[1] <= MOST_PARSED_CHARACTERS and self.index.is_as(tree, on_work):
            return self
        made = Repository(tree, index=self.index.reread(tree, on_work))
        now = made.index
        if now.all_paths is self.index.all_paths and self._held[1] <= MOST_PARSED_CHARACTERS:
            # What was inferred speaks of these parsed files.
            same = {path: one for path, one in held.items() if now.text(path) == one.source.text}
            now.held.update(same)
            stale = held.keys() - same.keys()
            made._held = (0, 0) if stale else self._held
            made.infer.take_over(self.infer, stale)
            made.calls.take_over(self.calls, stale)
        return made

    @cached_property
    def infer(self) -> Inference:
        before, changed = self._before or (None, frozenset[str]())
        return Inference(self.index, before.infer if before is not None else None, changed)

    @cached_property
    def calls(self) -> RepositoryCalls:
        """The calls that may run something of the repository."""
        before, changed = self._before or (None, frozenset[str]())
        return RepositoryCalls(self.infer, before.calls if before is not None else None, changed)

    @property
    def classes(self) -> Classes:
        return self.infer.classes
