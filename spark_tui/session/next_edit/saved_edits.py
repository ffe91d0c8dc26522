"""Next edits for another editor: watches the files of a tree, and offers what follows from a save."""

from __future__ import annotations

from pathlib import Path

from spark_tui.next_edit.history import EditHistory, Question
from spark_tui.next_edit.offer import Offer, best_offer
from spark_tui.session.next_edit.offer_log import OfferLog
from spark_tui.session.tree.exact_edits import ExactEdits
from spark_tui.session.tree.writer import TreeWriter, WriteResult
from spark_tui.workspace.repository import find_repository

_MOST_FILES = 6


class SavedEdits:
    """Offers for one tree; the last one can be shown, taken and dismissed."""

    def __init__(self, root: Path, cache: Path, log: OfferLog) -> None:
        self._root, self._cache, self._log = root, cache, log
        self._edits = ExactEdits(root, cache)
        self._history = EditHistory()
        self._dismissed = set(log.dismissed())
        self.offer: Offer | None = None
        found = find_repository(root)
        self._reflog = found.git_dir / "logs" / "HEAD" if found is not None else None
        self._moves = len(self._read_reflog())

    def _read_reflog(self) -> list[bytes]:
        """The reflog of `HEAD`: in each line two commits, who moved it, a tab, and the command."""
        try:
            return self._reflog.read_bytes().splitlines() if self._reflog is not None else []
        except OSError:
            return []

    def _git_wrote(self) -> bool:
        """Whether git may have written files since the last look: another commit or branch, a stash. Who
        makes a commit has written them before."""
        known, lines = self._moves, self._read_reflog()
        self._moves = len(lines)
        return not all(_keeps_files(line) for line in lines[known:])

    def index(self) -> int:
        """Read the tree as it is before anybody changes it; returns how many files it has."""
        return len(self._edits.repo.index.summaries)

    def look(self) -> bool:
        """Look for files that were saved since the last look; whether there is another offer now."""
        before = self._edits.repo.index
        fresh = ExactEdits(self._root, self._cache, before=self._edits.repo)
        now = fresh.repo.index
        known = set(before.paths)
        changed = {
            path: text
            for path in now.paths
            if (text := now.text(path)) is not None and path in known and text != before.text(path)
        }
        self._edits = fresh
        git_wrote = self._git_wrote()
        if not changed:
            return False
        if git_wrote:
            self.offer = None
            for path, text in changed.items():
                self._history.opened(path, text)
            return False
        if len(changed) <= _MOST_FILES:
            for path in changed:
                if not self._history.knows(path):
                    self._history.opened(path, before.text(path) or "")
        self._ask(self._history.saved(changed))
        return self.offer is not None

    def _ask(self, question: Question | None) -> None:
        self.offer = None
        if question is not None:
            self.offer = best_offer(question.situation(self._edits.repo), self._dismissed)
        if self.offer is not None:
            self._log.add("shown", self.offer.words)

    def patch(self) -> str:
        """The offer as a git patch."""
        return self._edits.patch(self.offer.plan) if self.offer is not None else ""

    def take(self, writer: TreeWriter) -> WriteResult | None:
        """Write the offer, with a checkpoint before. What it was is an example of what is offered then."""
        offer, self.offer = self.offer, None
        if offer is None:
            return None
        written = self._edits.apply(offer.plan, writer, offer.words)
        self._log.add("taken", offer.words)
        before = self._edits.repo.index
        self._edits = ExactEdits(self._root, self._cache, before=self._edits.repo)
        now, paths = self._edits.repo.index, offer.plan.paths
        texts = {path: now.text(path) or "" for path in paths}
        self._ask(self._history.took(offer.words, {path: before.text(path) or "" for path in paths}, texts))
        return written

    def dismiss(self) -> None:
        """Make this offer no more."""
        if self.offer is not None:
            self._dismissed.add(self.offer.words)
            self._log.add("dismissed", self.offer.words)
            self.offer = None


def _keeps_files(move: bytes) -> bool:
    where, _, command = move.partition(b"\t")
    old, new = [*where.split(b" ", 2), b"", b""][:2]
    return command.startswith(b"commit") or (command.startswith(b"checkout:") and old == new)
