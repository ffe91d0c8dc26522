"""What one turn of an instruction came to."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from spark_tui import events
from spark_tui.edits.edit_failures import EditFailures
from spark_tui.errors import SparkError
from spark_tui.session.reader import no_hunk_reason
from spark_tui.session.reader.no_hunk_reason import for_command
from spark_tui.session.review.hunk_doubts import HunkDoubts
from spark_tui.session.storage.index_rows import EXACT_BACKEND
from spark_tui.workspace.file_listing import unignored

_LEFT_OUT = (
    "{0}: git ignores this file, and a job works on a copy without such files. Leave it out of the"
    " instruction, or let git track it: git add -f {0}"
)
_ANSWER = (events.PrefillProgress, events.Token, events.Reasoning, events.ToolCalled)


def why_failed(error: SparkError, tree: Path, root: Path) -> str:
    """An error in one line; of a file that the copy does not have because git ignores it, that."""
    return left_out(error.where, tree, root) or str(error).replace("\n  ", ". ")


def left_out(text: str, tree: Path, root: Path) -> str:
    """That the copy does not have a file which the text names because git ignores it; empty where it names
    none."""
    for word in text.split():
        path = word.strip("@`'\"()[],;:.!?")
        with contextlib.suppress(OSError, ValueError, SparkError):
            if (root / path).is_file() and not (tree / path).exists() and path not in unignored(root):
                return _LEFT_OUT.format(path)
    return ""


@dataclass(slots=True)
class TurnResult:
    """Takes in the events of a turn."""

    failed: events.Failed | None = None
    answered: bool = False
    """Whether anything came of the model: it is there, whatever became of its answer."""
    failures: EditFailures = field(default_factory=EditFailures)
    left: list[str] = field(default_factory=list)
    """Places that an exact edit left as they are."""
    doubts: HunkDoubts = field(default_factory=HunkDoubts)
    _choices: tuple[str, ...] = ()
    _edited: bool = False
    _exact: bool = False
    _answer: str = ""
    _reason: str = ""

    def read(self, stream: Iterable[events.Event]) -> None:
        for event in stream:
            self.failures.note(event)
            self.answered = self.answered or isinstance(event, _ANSWER)
            match event:
                case events.TurnStarted():
                    self._exact = event.backend == EXACT_BACKEND
                case events.Choices():
                    self._choices = event.titles[:-1]  # the last one is to ask the model
                case events.Failed():
                    self.failed = event
                case events.HunkFailed() if not event.code:
                    self.left.append(f"{event.path}:{event.line}: {event.message}")
                case events.Doubt():
                    self.doubts.note(event)
                case events.Prose():
                    self._answer += for_command(event.text, "spark work")
                case events.HunkClosed():
                    self._edited = True
                case events.Finished():
                    self._reason = event.reason

    @property
    def misfit(self) -> str:
        """Why a hunk could not be placed; empty where all were."""
        left = self.failures.left
        return left[-1].sentence if left else ""

    @property
    def cut(self) -> bool:
        """Whether the token limit of an answer ended it."""
        return self.failed is None and self._reason == "length"

    @property
    def ended_early(self) -> str:
        """Why the model had not finished; empty where it had."""
        return self.failed.what if self.failed is not None else events.CUT_OFF.get(self._reason, "")

    @property
    def meant(self) -> str:
        """What the instruction may have meant, where there is a choice and no edit."""
        if not self._choices or self._edited:
            return ""
        listed = "; ".join(f"{number} {title}" for number, title in enumerate(self._choices, 1))
        return f"{'several edits' if len(self._choices) > 1 else 'this'} may be meant: {listed}"

    @property
    def why_no_hunk(self) -> str:
        return no_hunk_reason.why_no_hunk(self._reason, self._answer, edited=self._edited, exact=self._exact)
