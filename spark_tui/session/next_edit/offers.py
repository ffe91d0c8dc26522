"""Next edits in a session: asks a separate process about what is typed, and makes turns of its offers."""

from __future__ import annotations

import contextlib
import itertools
import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import spark_tui
from spark_tui.codemods.hunks import hunks_of_plan
from spark_tui.codemods.plan import Edit, Finding, Plan, Unfollowed
from spark_tui.next_edit.changes import Shift, changes
from spark_tui.next_edit.follow_up import likely_next
from spark_tui.next_edit.tokens import digest
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository
from spark_tui.session.exact.exact_turn import PlannedEdit
from spark_tui.session.next_edit.offer_log import OfferLog
from spark_tui.session.tree.exact_edits import ExactEdits
from spark_tui.session.tree.tree_reader import TreeReader
from spark_tui.workspace.files import FileText

_CLOSE_SECONDS = 2.0
_BEGIN = (
    "import sys; sys.path.insert(0, sys.argv[1])\n"
    "from spark_tui.session.next_edit.process import main; main(sys.argv[2:])"
)
"""The package as it is imported here, wherever it lies; nothing of the folder that is worked in."""


@dataclass(frozen=True)
class Offered:
    """An offer for the texts at the time of the request. `line` describes it in one line."""

    words: str
    line: str
    plan: Plan
    texts: Mapping[str, str]
    """The texts that were typed and not saved, which the plan is about."""
    read: Mapping[str, str] = field(default_factory=dict)
    """The digests of the texts that the plan was made for."""


Deliver = Callable[[Offered | None], None]


class NextEdits:
    """Asks about one tree. Nothing here waits for an answer: the one to the newest question is delivered from
    another thread."""

    def __init__(self, tree: TreeReader, cache: Path, log: OfferLog) -> None:
        self.log = log
        self._tree, self._cache = tree, cache
        self._process: subprocess.Popen[str] | None = None
        self._outbox: list[str] = []
        self._wake = threading.Condition()
        self._ids = itertools.count(1)
        self._asked: tuple[int, Deliver | None, Mapping[str, str]] = (0, None, {})
        self._typed: dict[str, str] = {}
        self._dismissed = set(log.dismissed())
        self._threads: list[threading.Thread] = []
        self._closed = False

    def opened(self, path: str, text: str) -> None:
        """Somebody begins to type in a file."""
        self._send({"kind": "opened", "path": path, "text": text})

    def typed(self, path: str, text: str, deliver: Deliver) -> None:
        """Ask what follows from what was typed."""
        self._typed[path] = text
        self._ask({"kind": "typed", "path": path, "text": text}, deliver)

    def saved(self, texts: Mapping[str, str], deliver: Deliver) -> None:
        """Ask what follows from what is on the disk now."""
        for path in texts:
            self._typed.pop(path, None)
        self._ask({"kind": "saved", "texts": dict(texts)}, deliver)

    def taken(self, planned: PlannedEdit, deliver: Deliver) -> None:
        """Ask what follows from an offer that was taken and written."""
        tree, before, texts = self._tree.with_files({}), {}, {}
        for path, file in planned.read.items():
            old, new = _text_of(file), _text_of(tree.file(path))
            if old is not None and new is not None and old != new:
                before[path], texts[path] = old, new
                self._typed.pop(path, None)
        if texts:
            words = planned.shown
            self._ask({"kind": "taken", "words": words, "before": before, "texts": texts}, deliver)

    def wrote(self, unsaved: Mapping[str, str]) -> None:
        """The session has written files, or taken back what it wrote. `unsaved` are the texts that differ
        from the disk now."""
        self._typed = dict(unsaved)
        if self._process is not None:
            self._send({"kind": "wrote", "unsaved": self._typed})

    def cancel(self) -> None:
        """The answer to the open question is not wanted any more."""
        self._asked = (0, None, {})

    def dismiss(self, words: str) -> None:
        """Offer this no more."""
        self._dismissed.add(words)
        self.log.add("dismissed", words)

    def _ask(self, message: dict[str, Any], deliver: Deliver) -> None:
        number = next(self._ids)
        self._asked = (number, deliver, dict(self._typed))
        self._send({**message, "id": number, "dismissed": sorted(self._dismissed)})

    # -- the process

    def _send(self, message: Mapping[str, Any]) -> None:
        if self._closed:
            return
        with self._wake:
            self._outbox.append(json.dumps(message) + "\n")
            if self._process is None:
                self._start()
            self._wake.notify()

    def _start(self) -> None:
        where = (str(self._tree.root), str(self._cache))
        try:
            process = subprocess.Popen(
                [sys.executable, "-P", "-c", _BEGIN, str(Path(spark_tui.__file__).parents[1]), *where],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                encoding="utf-8",
                errors="surrogatepass",
            )
        except OSError:  # no memory, or too many processes: there are no offers, and the editing goes on
            self._closed = True
            return
        self._process = process
        for work in (self._write, self._read):
            thread = threading.Thread(target=work, args=(process,), name="spark-next-edit", daemon=True)
            self._threads.append(thread)
            thread.start()

    def _write(self, process: subprocess.Popen[str]) -> None:
        assert process.stdin is not None
        with contextlib.suppress(OSError, ValueError):
            while True:
                with self._wake:
                    while not self._outbox and not self._closed:
                        self._wake.wait()
                    lines, self._outbox = self._outbox, []
                if not lines:
                    process.stdin.close()
                    return
                process.stdin.writelines(lines)
                process.stdin.flush()

    def _read(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        with contextlib.suppress(OSError, ValueError):
            for line in process.stdout:
                answer = json.loads(line)
                number, deliver, texts = self._asked
                if answer["id"] == number and deliver is not None:
                    deliver(_offered(answer, texts))

    def close(self) -> None:
        """End the process."""
        self._closed = True
        self.cancel()
        with self._wake:
            self._wake.notify_all()
        process = self._process
        if process is None:
            return
        try:
            process.wait(_CLOSE_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        for thread in self._threads:
            thread.join()
        for pipe in (process.stdin, process.stdout):
            assert pipe is not None
            with contextlib.suppress(OSError):  # what was not read any more
                pipe.close()

    # -- taking

    def planned(self, offered: Offered) -> PlannedEdit:
        """The offer as an edit that can be shown as a turn, of the files as they are on the disk. Places in
        lines that the person has typed and not saved are left out."""
        on_disk: dict[str, str] = {}
        read: dict[str, FileText | None] = {}
        tree = self._tree.fresh()
        for path in offered.plan.paths:
            file = tree.file(path)
            text = _text_of(file)
            if text is not None:
                read[path], on_disk[path] = file, text
        edits: list[Edit] = []
        for path in on_disk:
            if offered.read.get(path) != digest(offered.texts.get(path, on_disk[path])):
                continue  # it was made for another text
            own = [edit for edit in offered.plan.edits if edit.path == path]
            edits += own if path not in offered.texts else _on_disk(own, offered.texts[path], on_disk[path])
        plan = Plan(tuple(sorted(edits)), offered.plan.unfollowed, offered.plan.findings)
        found = hunks_of_plan(plan, Repository(DictTree(on_disk)), itertools.count(1).__next__)
        line, typed = f"next edit: {offered.words}", bool(offered.texts)
        return PlannedEdit(line, offered.words, plan, found, read, of_typed=typed)

    # -- afterwards

    def likely_next(self, path: str, line: int) -> list[tuple[str, int]]:
        """Where the person goes next from a line of a file, as (path, line)."""
        return likely_next(ExactEdits(self._tree.root, self._cache).repo, path, line)


def _text_of(file: FileText | None) -> str | None:
    return None if file is None else file.data.decode(file.encoding, "surrogateescape")


def _offered(answer: Mapping[str, Any], texts: Mapping[str, str]) -> Offered | None:
    if not answer["words"]:
        return None
    plan = Plan(
        tuple(Edit(*item) for item in answer["edits"]),
        tuple(Unfollowed(*item) for item in answer["unfollowed"]),
        tuple(Finding(*item) for item in answer["findings"]),
    )
    return Offered(answer["words"], answer["line"], plan, texts, answer["read"])


def _on_disk(edits: Iterable[Edit], typed: str, disk: str) -> Sequence[Edit]:
    """Edits of the typed text, as edits of the file, if they are in lines that did not change."""
    made = changes("", typed, disk)
    if made is None:
        return ()
    shift = Shift(made)
    lines = {line for change in made for line in _lines(typed, *change.span_before)}
    # An edit beside new lines could not be merged with them.
    lines |= {_lines(typed, *change.span_before)[0] - 1 for change in made if not change.new_texts}
    kept = (edit for edit in edits if lines.isdisjoint(_lines(typed, edit.start, edit.end)))
    return [moved for edit in kept if (moved := shift.moved(edit)) is not None]


def _lines(text: str, start: int, end: int) -> range:
    first = text.count("\n", 0, start)
    return range(first, first + text.count("\n", start, end) + 1)
