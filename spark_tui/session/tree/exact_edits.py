"""Exact edits of a working tree: planned, checked, shown as a patch, and written with a checkpoint.

Files that git or `.sparkignore` ignore are not read. A link is left alone; its target is read instead.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from mmap import ACCESS_READ, mmap
from pathlib import Path

from spark_tui.codemods.checks.harm import checked
from spark_tui.codemods.hunks import hunks_of_plan
from spark_tui.codemods.plan import Finding, Plan
from spark_tui.codemods.plan import Refused as PlanRefused
from spark_tui.codemods.registry import Operation
from spark_tui.codemods.rewriting.joined_calls import join
from spark_tui.context.ignore_rules import NAME, is_secret
from spark_tui.edits.hunk import Hunk
from spark_tui.edits.patch import build_text
from spark_tui.errors import Misfit, NothingToDo, SparkError, UsageError
from spark_tui.pysource.files.index import Index
from spark_tui.pysource.files.tree import Paths
from spark_tui.pysource.repository import Repository
from spark_tui.session.tree.decided_text import file_of
from spark_tui.session.tree.tree_look import Look, Looks, look_at
from spark_tui.session.tree.tree_reader import is_read_only
from spark_tui.session.tree.writer import TreeWriter, WriteResult
from spark_tui.workspace.apply import read_only
from spark_tui.workspace.file_listing import files_with_words, listing
from spark_tui.workspace.files import FileText, Tree


class WorkspaceFiles:
    """The files of a tree as `pysource` reads them, decoded by the workspace. With `only`, there are no
    others. `known` files have this content, whatever is on disk. `looks` are those at this tree before.
    Files whose paths end in one of `named` are read also where not all are."""

    def __init__(
        self,
        root: Path,
        only: frozenset[str] | None = None,
        known: Mapping[str, FileText | None] | None = None,
        looks: Looks | None = None,
        named: Collection[str] = (),
    ) -> None:
        self.root = root
        self.tree = Tree(root, known=known)
        self.looks = looks or Looks(root)
        self._only, self._named = only, named
        self._known = known or {}

    @cached_property
    def _look(self) -> Look:
        if self._only is not None:
            return look_at(self.root, self.tree.read_lines, self._named, self._only)
        return self.looks.look(self.tree.read_lines, self._named)

    @cached_property
    def _stamps(self) -> Mapping[str, object]:
        return self._look.stamps

    def paths(self) -> Paths:
        return self._look.paths

    @property
    def cut(self) -> str:
        """That there are more files than are read; empty where there are none."""
        look = self._look
        return f"Only {len(look.paths):,} files are read: outside of git no more are." if look.is_cut else ""

    def stamp(self, path: str) -> object:
        """The stat data of a file; None if the file may have changed without changing them."""
        return None if path in self._known else self._stamps.get(path)

    def read(self, path: str) -> str | None:
        try:
            found = self.tree.file(path)
            return None if found is None else found.decode(found.data)
        except (SparkError, UnicodeDecodeError):
            return None

    def may_hold(self, path: str, names: Collection[str]) -> bool:
        """Whether one of the names may stand in a file that is too large to read, or is no text."""
        words = [name.encode(code) for name in names for code in ("utf-8", "utf-16-le", "utf-16-be")]
        if path in self._known or not all(map(str.isascii, names)):
            return True
        try:
            with (self.root / path).open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as data:
                return any(data.find(word) >= 0 for word in words)
        except (OSError, ValueError):
            return True

    def in_other_repositories(self, names: Collection[str]) -> Iterable[str]:
        words = sorted(names)
        others = self._look.other_repositories
        found = ((inner, files_with_words(self.root / inner, words)) for inner in others)
        return [f"{inner}/{path}" for inner, paths in found for path in paths if path.endswith(".py")]

    def why_not_listed(self, path: str) -> str:
        inside = [inner for inner in self._look.other_repositories if path.startswith(f"{inner}/")]
        if inside:
            return f"in another git repository (spark -C {max(inside, key=len)} works there)"
        top, real = self.root.resolve(), (self.root / path).resolve()
        if not real.is_relative_to(top):
            return "a link out of the repository"
        if real != top / path:
            return f"a link (name {real.relative_to(top).as_posix()})"
        if is_secret(path) or path in listing(self.root)[0]:
            return "one that may hold secrets" if is_secret(path) else f"in a {NAME}"
        if self._look.is_cut:
            folder = path.rpartition("/")[0] or "."
            return f"beyond those that are read outside of git (spark -C {folder} reads it)"
        return f"ignored by git (git add -f {path} tracks it)"


class ExactEdits:
    """Exact edits of one tree in its current state.

    `cache` is a folder for what is known about its files; `before` is an earlier reading of the same tree,
    whose facts about unchanged files are reused instead. `known` files have this content. `on_work` is called
    before each file; an exception from it ends the planning. `only` are the files that are read, and `partly`
    names what that leaves out. `named` files are read however many there are.
    """

    def __init__(
        self,
        root: Path,
        cache: Path | None = None,
        *,
        before: Repository | None = None,
        known: Mapping[str, FileText | None] | None = None,
        on_work: Callable[[], None] | None = None,
        only: frozenset[str] | None = None,
        partly: str = "",
        named: Collection[str] = (),
    ) -> None:
        self.root = root.resolve()
        earlier = before.index.tree if before is not None else None
        looks = earlier.looks if isinstance(earlier, WorkspaceFiles) else None
        self.files = WorkspaceFiles(self.root, only, known, looks, named)
        self._partly = partly
        if before is not None:
            self.repo = before.reread(self.files, on_work)
        else:
            self.repo = Repository(self.files, index=Index(self.files, cache, on_work=on_work))

    @property
    def partly(self) -> str:
        return self._partly or self.files.cut

    def plan(self, *calls: Operation) -> Plan:
        """The checked plan of a call, or of several one after the other. Raises UsageError for a symbol that
        is not there, NothingToDo where all is as asked for, and Misfit where it cannot be done."""
        found = self.try_plan(*calls)
        if isinstance(found, PlanRefused):
            raise _error(found)
        return found

    def try_plan(self, *calls: Operation) -> Plan | PlanRefused:
        """The same, with what an operation refuses as a value."""
        found = calls[0].plan(self.repo) if len(calls) == 1 else join(calls, self.repo)
        if isinstance(found, PlanRefused):
            return found
        if found.changes_nothing:
            return PlanRefused("nothing to change", why="nothing")
        self._check_writable(found)
        made = checked(found, self.repo)
        if not self.files.cut:
            return made
        unread = Finding(made.paths[0], 1, "files", self.files.cut, sure=False)
        return replace(made, findings=(*made.findings, unread))

    def _check_writable(self, plan: Plan) -> None:
        for path in plan.paths:
            if is_read_only(self.root / path):
                raise read_only(path)

    def hunks(self, plan: Plan) -> tuple[Hunk, ...]:
        return hunks_of_plan(plan, self.repo, itertools.count(1).__next__)

    def as_read(self, hunks: Iterable[Hunk]) -> dict[str, FileText | None]:
        """The files of these hunks as they were read."""
        return {hunk.path: self.files.tree.file(hunk.path) for hunk in hunks}

    def patch(self, plan: Plan) -> str:
        tree = self.files.tree
        return build_text(self.hunks(plan), lambda path: file_of(tree, path), tree.newline_for)

    def apply(self, plan: Plan, writer: TreeWriter, label: str) -> WriteResult:
        """Write all of it or nothing, with a checkpoint before."""
        return writer.apply(self.hunks(plan), self.files.tree, turn=writer.session, label=label)


def _error(found: PlanRefused) -> SparkError:
    hint = f"Did you mean {', '.join(found.nearest)}?" if found.nearest else ""
    if found.why == "unknown":
        name = "Name a file by its path from the root, a symbol as path.py::Class.method."
        return UsageError(found.reason, hint=hint or name)
    return (NothingToDo if found.why == "nothing" else Misfit)(found.reason, hint=hint)
