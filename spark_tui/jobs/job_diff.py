"""The result of a job as an answer that a session can parse: its differences as unified diffs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from threading import Event as StopFlag

from spark_tui.backends.base import Request, WithoutModel
from spark_tui.edits.diff import diff
from spark_tui.edits.hunk import Hunk
from spark_tui.edits.patch import build
from spark_tui.events import Doubt, Event, Token
from spark_tui.jobs.job import DoubtfulHunk
from spark_tui.session.storage.index_rows import JOB_BACKEND
from spark_tui.workspace.files import FileText


@dataclass(frozen=True, slots=True)
class DiffPiece:
    """A piece of the answer; `doubt` is about the hunk in it."""

    text: str
    doubt: DoubtfulHunk | None = None


def pieces(
    old: FileText | None, new: FileText | None, doubts: Sequence[DoubtfulHunk] = ()
) -> list[DiffPiece]:
    """The difference of one file, a piece for each hunk. At least one of `old` and `new` is there.

    Changed lines are given by their numbers (format `lines`), which can be placed without search. What that
    format cannot express is given as a git diff: created and deleted files, modes, the newline at the end.
    """
    plain = new is not None and new.final_newline and not new.mode & 0o111 and not _is_odd(new.path)
    if old is None and new is not None and plain:
        hunk = Hunk(0, new.path, 1, (), new.lines)
        return [DiffPiece(_by_number(hunk), _doubt([hunk], doubts))]
    if old is None or new is None:
        whole = _whole(old, new)
        return [DiffPiece(_diff([whole], old), _doubt([whole], doubts))]
    out = []
    if (old.mode ^ new.mode) & 0o111:
        mode = "100755" if new.mode & 0o111 else "100644"
        out = [DiffPiece(_diff([Hunk(0, old.path, 1, (), (), mode=mode)], old))]
    found = [
        Hunk(0, old.path, a0 + 1, old.lines[a0:a1], new.lines[b0:b1])
        for a0, a1, b0, b1 in diff(old.lines, new.lines)
    ]
    ends = new.final_newline != (old.final_newline or not old.lines) or _gets_newline(found, old, new)
    if _is_odd(old.path) or (ends and old.newline != "cr" != new.newline):
        found = _to_the_end(found, old, new)
        return [*out, DiffPiece(_diff(found, old), _doubt(found, doubts))]
    return [*out, *(DiffPiece(_by_number(hunk), _doubt([hunk], doubts)) for hunk in found)]


def _whole(old: FileText | None, new: FileText | None) -> Hunk:
    if new is None:
        assert old is not None
        return Hunk(0, old.path, 1, old.lines, (), "delete")
    mode = "100755" if new.mode & 0o111 else "100644"
    final = False if new.lines and not new.final_newline else None
    return Hunk(0, new.path, 1, (), new.lines, "add", final_newline=final, mode=mode)


def _by_number(hunk: Hunk) -> str:
    body = "".join(f"+{line}\n" for line in hunk.new_lines)
    return f"*** {hunk.path}\n@@ {hunk.old_start},{hunk.old_end}\n{body}"


def _diff(hunks: Sequence[Hunk], old: FileText | None) -> str:
    def source(_: str) -> tuple[FileText, int]:
        assert old is not None
        return old, old.mode

    patch = build(hunks, source)
    return old.decode(patch) if old is not None else patch.decode("utf-8", "surrogateescape")


def _is_odd(path: str) -> bool:
    """Whether a path cannot be written on a line as it is."""
    return path != path.strip() or not path.isprintable()


def _gets_newline(hunks: Sequence[Hunk], old: FileText, new: FileText) -> bool:
    """Whether the last line would get a newline that neither file has there: one alone that takes the place
    of one gets none."""
    last = hunks[-1] if hunks else None
    if new.final_newline or last is None or last.old_end <= len(old.lines):
        return False
    return bool(last.new_lines) and not len(last.old_lines) == len(last.new_lines) == 1


def _to_the_end(hunks: list[Hunk], old: FileText, new: FileText) -> list[Hunk]:
    """Where the newline at the end of the file differs, or would, the last line is part of the last hunk."""
    if not (old.final_newline != new.final_newline or _gets_newline(hunks, old, new)) or not new.lines:
        return hunks
    reaches = bool(hunks) and hunks[-1].old_end == len(old.lines) + 1
    last = hunks[-1] if reaches else Hunk(0, old.path, len(old.lines) + 1, (), ())
    if old.lines and not (last.old_lines and last.new_lines):
        before = old.lines[last.old_start - 2]
        old_lines, new_lines = (before, *last.old_lines), (before, *last.new_lines)
        last = replace(last, old_start=last.old_start - 1, old_lines=old_lines, new_lines=new_lines)
    return [*(hunks[:-1] if reaches else hunks), replace(last, final_newline=new.final_newline)]


def _doubt(hunks: Sequence[Hunk], doubts: Sequence[DoubtfulHunk]) -> DoubtfulHunk | None:
    """The first doubt about a line that these hunks change."""
    changed = {line.strip() for hunk in hunks for line in (*hunk.old_lines, *hunk.new_lines)} - {""}
    known = (hunk for hunk in doubts if hunks and hunk.path == hunks[0].path)
    return next((hunk for hunk in known if changed & {line.strip() for line in hunk.lines}), None)


def as_answer(pieces: Sequence[DiffPiece]) -> list[Token | Doubt]:
    """What a backend says to give these pieces."""
    out: list[Token | Doubt] = []
    for piece in pieces:
        out.append(Token(0, piece.text))
        if (doubt := piece.doubt) is not None:
            # It is about the hunk that the last token closed: an empty line closes one of the format
            # `lines`, only prose closes a diff.
            warning = f"{doubt.path}: check this hunk: {doubt.reason}\n"
            out.append(Token(0, warning if piece.text.startswith("diff ") else "\n"))
            out.append(Doubt(0, doubt.confidence, doubt.reason))
    return out


class JobDiffBackend(WithoutModel):
    """A backend that answers with the hunks of a job. It is no model."""

    name = JOB_BACKEND
    window = 1
    """It is shown nothing."""

    def __init__(self, answer: Sequence[Token | Doubt] = ()) -> None:
        self._answer = tuple(answer)

    def format_for(self, _request: Request) -> str:
        return "auto"

    def stream(self, request: Request, _stop: StopFlag) -> Iterator[Event]:
        number = len(request.emitted)
        for item in self._answer:
            if isinstance(item, Token):
                yield Token(number, item.text)
                number += 1
            else:
                yield replace(item, hunk_id=0)
