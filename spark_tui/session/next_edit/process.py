"""The process that looks for the next edit, so that its work never holds up a key. Started by `next_edits`.

It reads one JSON object a line (`opened`, `wrote`, `typed`, `saved` or `taken`, with texts) and answers each
of the last three that nothing newer has overtaken. It ends with its input.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import queue
import sys
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple
from pathlib import Path
from typing import Any, TextIO

from spark_tui.next_edit.history import EditHistory, Question
from spark_tui.next_edit.offer import best_offer
from spark_tui.next_edit.tokens import digest, tokens_of
from spark_tui.pysource.repository import Repository
from spark_tui.session.tree.exact_edits import ExactEdits

_READ_AGAIN_SECONDS = 3.0
_NICE = 5


class NextEditFinder:
    """Answers for one tree."""

    def __init__(self, root: Path, cache: Path | None) -> None:
        self._root, self._cache = root, cache
        self._history = EditHistory()
        self._unsaved: dict[str, str] = {}
        self._repo: Repository | None = None
        self._read_at = 0.0

    def warm_up(self, inbox: queue.SimpleQueue[Any]) -> None:
        """Index the tree, and tokenize it while no request is waiting."""
        repo = self._repository()
        for path in repo.index.paths:
            if not inbox.empty():
                return
            repo.index.summary(path)
            tokens_of(repo.index.text(path) or "")
        assert repo.index.summaries is not None
        gc.freeze()  # what is known of the tree stays: it is not looked at again

    def answer(
        self, messages: Sequence[Mapping[str, Any]], inbox: queue.SimpleQueue[Any]
    ) -> dict[str, Any] | None:
        """Take in messages, and answer the last one; None where it asks nothing."""
        question: Question | None = None
        for message in messages:
            question = self._take(message)
        last = messages[-1]
        if last["kind"] in ("opened", "wrote"):
            return None
        empty = {"id": last["id"], "words": ""}
        if question is None:
            return empty
        now = self._repository().with_changes(self._unsaved)
        offer = best_offer(question.situation(now), frozenset(last["dismissed"]), inbox.empty)
        if offer is None:
            return empty
        return {
            **empty,
            "words": offer.words,
            "line": offer.line,
            "edits": [astuple(edit) for edit in offer.plan.edits],
            "unfollowed": [astuple(unfollowed) for unfollowed in offer.plan.unfollowed],
            "findings": [astuple(finding) for finding in offer.plan.findings],
            "read": {path: digest(now.index.text(path) or "") for path in offer.plan.paths},
        }

    def _take(self, message: Mapping[str, Any]) -> Question | None:
        if message["kind"] in ("saved", "taken"):
            for path in message["texts"]:
                self._unsaved.pop(path, None)
            self._read_at = 0.0
            if message["kind"] == "taken":
                return self._history.took(message["words"], message["before"], message["texts"])
            return self._history.saved(message["texts"])
        if message["kind"] == "wrote":
            self._unsaved = dict(message["unsaved"])
            self._read_at = 0.0
            return None
        path, text = message["path"], message["text"]
        if message["kind"] == "opened":
            self._history.opened(path, text)
            return None
        self._unsaved[path] = text
        return self._history.typed(path, text)

    def _repository(self) -> Repository:
        """The tree as it is on the disk, looked at again after a while."""
        now = time.monotonic()
        if self._repo is None or now - self._read_at > _READ_AGAIN_SECONDS:
            self._repo = ExactEdits(self._root, self._cache, before=self._repo).repo
            self._read_at = now
        return self._repo


def main(arguments: Sequence[str]) -> None:
    with contextlib.suppress(OSError):
        os.nice(_NICE)
    answer_all(NextEditFinder(Path(arguments[0]), Path(arguments[1])), sys.stdin, sys.stdout)


def answer_all(finder: NextEditFinder, lines: Iterable[str], answers: TextIO) -> None:
    """Answer until the input ends."""
    inbox: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()

    def read() -> None:
        for line in lines:
            inbox.put(json.loads(line))
        inbox.put(None)

    threading.Thread(target=read, name="next-edit-input", daemon=True).start()
    finder.warm_up(inbox)
    while True:
        messages = [inbox.get()]
        while not inbox.empty():
            messages.append(inbox.get())
        given = [message for message in messages if message is not None]
        answer = finder.answer(given, inbox) if given else None
        if answer is not None:
            print(json.dumps(answer), file=answers, flush=True)
        if len(given) < len(messages):
            return
