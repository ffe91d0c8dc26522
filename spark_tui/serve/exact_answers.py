"""Edits that the reader of instructions finds in the files of a prompt: the built-in model is not asked for
them."""

from __future__ import annotations

import threading

from spark_tui.backends.base import Request
from spark_tui.codemods.hunks import text_hunks
from spark_tui.events import HunkClosed
from spark_tui.intent.answer import answer
from spark_tui.intent.reader import Reader
from spark_tui.intent.situation import Situation
from spark_tui.intent.symbol_roles import repository_roles
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.tree import DictTree

MOST_CHARACTERS = 500_000


class ExactAnswers:
    """Loads the reader with the first request. Safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._reader: Reader | None = None

    def hunks(self, request: Request) -> tuple[HunkClosed, ...] | None:
        """The edit as hunks, none where there is nothing to do; None where a model has to be asked."""
        texts = {part.path: part.text for part in request.files}
        if sum(map(len, texts.values())) > MOST_CHARACTERS:
            return None
        path = request.files[0].path
        repo = Repository(DictTree(texts))
        roles = repository_roles(repo.index, (path,))
        found = answer(request.instruction, self._loaded(), Situation(repo, path), roles)
        if found.kind == "nothing":
            return ()
        if found.kind != "edit":
            return None
        changed = found.ways[0].plan.texts(repo)
        return tuple(
            HunkClosed(hunk.id, hunk.path, hunk.old_start, hunk.old_lines, hunk.new_lines, hunk.kind)
            for hunk in text_hunks(changed, repo)
        )

    def _loaded(self) -> Reader:
        with self._lock:
            if self._reader is None:
                self._reader = Reader.load()
            return self._reader
