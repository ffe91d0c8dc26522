"""Checks a repository as it would be with some hunks applied. Imported when the first answer is checked."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from spark_tui.edits.hunk import Hunk
from spark_tui.errors import Misfit, SparkError
from spark_tui.events import Doubt
from spark_tui.pysource.files.index import Index
from spark_tui.pysource.files.tree import OverlayTree
from spark_tui.pysource.garbage_collection import no_collection
from spark_tui.pysource.repository import Repository
from spark_tui.session.review.hunk_breaks import ACROSS_FILES, IN_FILE, HunkBreaks, OutOfTime, target
from spark_tui.session.tree.decided_text import wanted_files
from spark_tui.session.tree.exact_edits import WorkspaceFiles
from spark_tui.workspace.files import FileText, Tree

PYTHON = (".py", ".pyi")
_NOT_ACROSS = "only the changed files were checked, not what uses them: "
Group = tuple[Sequence[Hunk], Tree]
"""Hunks, and the files as their turn read them."""


@dataclass(frozen=True, slots=True)
class BreakReport:
    """What breaks, and what was not checked (empty: everything was)."""

    breaks: tuple[Doubt, ...]
    note: str = ""


class RepositoryChecks:
    """The checks of one tree. Summaries of its files are kept, in `cache` for the next process too."""

    def __init__(self, root: Path, cache: Path | None, read: Callable[[], Index | None]) -> None:
        """`read` gives the index with which the answer was made, if there is one: what it knows of contents
        is not found out again."""
        self._root = root
        self._cache = cache
        self._read = read
        self._index: Index | None = None

    @no_collection()
    def check(
        self,
        group: Group,
        earlier: Sequence[Group],
        on_work: Callable[[], None],
        whole: Sequence[Hunk] = (),
    ) -> BreakReport:
        """Check the tree with these hunks against the tree without them. The hunks of `earlier` turns are in
        both, where no hunk of `group` is in their file. `on_work` is called between steps. `whole`: the
        answer that these are only a part of, which may define what they use."""
        hunks, tree = group
        try:
            before = self._before(group, earlier, on_work)
        except (SparkError, UnicodeError) as error:
            return BreakReport((), _unchecked(error))
        breaks: list[Doubt] = []
        try:
            found = HunkBreaks(before, hunks, lambda some: _texts(some, tree))
            breaks += found.find(IN_FILE)
            breaks += found.find(ACROSS_FILES)
            breaks += found.find_undefined(whole) if whole else ()
        except OutOfTime:
            before.index.save()
            why = "reading the repository takes a while; the next check continues from here"
            return BreakReport(tuple(breaks), _NOT_ACROSS + why)
        except RecursionError:
            return BreakReport(tuple(breaks), _NOT_ACROSS + "some code is nested too deeply")
        except (SparkError, UnicodeError) as error:
            others = [hunk for hunk in hunks if not _is_refused(hunk, tree)]
            if len(others) == len(hunks):
                return BreakReport(tuple(breaks), _unchecked(error))
            return self.check((others, tree), earlier, on_work)
        return BreakReport(tuple(breaks))

    def _before(self, group: Group, earlier: Sequence[Group], on_work: Callable[[], None]) -> Repository:
        hunks, tree = group
        changed = {hunk.path for hunk in hunks} | {target(hunk) for hunk in hunks}
        texts: dict[str, str | None] = {}
        for others, their_tree in earlier:
            elsewhere = [other for other in others if not {other.path, target(other)} & changed]
            with contextlib.suppress(SparkError, UnicodeError):
                texts.update(_texts(elsewhere, their_tree))
        texts.update({path: _text(tree.file(path)) for path in sorted(changed)})
        files = OverlayTree(WorkspaceFiles(self._root), texts)
        read = self._read()
        if read is not None:
            return Repository(files, index=read.reread(files, on_work))
        if self._index is None:
            self._index = Index(files, self._cache, on_work=on_work)
        else:
            self._index = self._index.read_again(files, on_work)
        return Repository(files, index=self._index)


def _texts(hunks: Sequence[Hunk], tree: Tree) -> dict[str, str | None]:
    """The texts of these hunks' files when all of them are written."""
    out: dict[str, str | None] = {}
    for want in wanted_files(hunks, tree):
        if want.path.endswith(PYTHON):
            out[want.path] = None if want.target is None else _text(FileText(want.path, want.target))
    return out


def _is_refused(hunk: Hunk, tree: Tree) -> bool:
    """Whether it can never be written, as where the encoding of its file lacks a character: it says so."""
    try:
        wanted_files([hunk], tree)
    except (SparkError, UnicodeError) as error:
        return isinstance(error, Misfit)  # else it may need the others
    return False


def _text(file: FileText | None) -> str | None:
    return None if file is None else file.decode(file.data)


def _unchecked(error: SparkError | UnicodeError) -> str:
    return f"not checked: {error.what if isinstance(error, SparkError) else error}"
