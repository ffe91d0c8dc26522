"""Apply hunks to the bytes of a file.

Nothing outside the hunks changes; new lines take the ending of their neighbours.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Protocol

from spark_tui.edits.diff import diff, replace_ranges
from spark_tui.edits.hunk import Hunk
from spark_tui.errors import Misfit


class SplitFile(Protocol):
    """A file, split. `workspace.files.FileText` is one."""

    @property
    def raw(self) -> Sequence[bytes]:
        """Every line with its ending; joined after the byte order mark, they are the file."""

    @property
    def lines(self) -> Sequence[str]:
        """The same lines decoded, without their endings."""

    @property
    def bom(self) -> bytes: ...

    def encode(self, line: str) -> bytes:
        """A line in the file's encoding. Raises UnicodeEncodeError if the encoding lacks a character."""


@dataclass(frozen=True, slots=True)
class ByteSplice:
    """`raw[start:end]` becomes `new`, whole lines with their endings."""

    start: int
    end: int
    new: tuple[bytes, ...]


def rewrite(source: SplitFile, hunks: Sequence[Hunk]) -> bytes:
    """The file's bytes with the edits made. Raises Misfit where a hunk is not of this file."""
    return spliced(source, splices(source, hunks))


def spliced(source: SplitFile, made: Iterable[ByteSplice]) -> bytes:
    """The file's bytes with these ranges in it."""
    changes = ((splice.start, splice.end, splice.new) for splice in made)
    return source.bom + b"".join(replace_ranges(source.raw, changes))


def created(hunk: Hunk, newline: bytes) -> bytes:
    """A new file's bytes: UTF-8, with these line endings, a final one unless the text denies it."""
    text = "\n".join(hunk.new_lines)
    if hunk.new_lines and hunk.final_newline is not False:
        text += "\n"
    try:
        return text.encode("utf-8", "surrogateescape").replace(b"\n", newline)
    except UnicodeEncodeError as error:
        raise Misfit("the new text is not valid Unicode", where=hunk.path) from error


def ordered(hunks: Sequence[Hunk]) -> list[Hunk]:
    """Edits of one file from top to bottom. Raises Misfit where two of them want the same lines."""
    edits = sorted(
        (hunk for hunk in hunks if hunk.kind == "edit" and not hunk.changes_nothing),
        key=lambda hunk: (hunk.old_start, hunk.old_end, hunk.id),
    )
    for before, after in pairwise(edits):
        if after.old_start < before.old_end:
            hint = "Reject one of them, or edit one to include both."
            raise Misfit(f"two edits change line {after.old_start}", where=after.path, hint=hint)
    return edits


def splices(source: SplitFile, hunks: Sequence[Hunk]) -> list[ByteSplice]:
    """The changed ranges, in order, as small as the lines allow. Touching ones are not joined."""
    out: list[ByteSplice] = []
    for hunk in ordered(hunks):
        if not hunk.old_lines and not hunk.new_lines:
            continue
        _check(source, hunk)
        out.extend(_splices_of(source, hunk))
    return _apart(source, _with_ended_tail(source, out))


def _apart(source: SplitFile, out: Sequence[ByteSplice]) -> list[ByteSplice]:
    """A CR before an empty line's LF would be the one ending CRLF: such a line's ending gets a CR of its
    own."""
    done: list[ByteSplice] = []
    at, tail = 0, b""
    for number, splice in enumerate(out):
        if splice.start > at:
            tail = source.raw[splice.start - 1]
        end, pieces = splice.end, list(splice.new)
        room = out[number + 1].start if number + 1 < len(out) else len(source.raw)
        if end < room and source.raw[end] == b"\n" and (pieces[-1] if pieces else tail).endswith(b"\r"):
            pieces.append(source.raw[end])
            end += 1
        for at_piece, piece in enumerate(pieces):
            if piece == b"\n" and tail.endswith(b"\r"):
                pieces[at_piece] = piece = b"\r\n"
            tail = piece
        done.append(ByteSplice(splice.start, end, tuple(pieces)))
        at = end
    return done


def _check(source: SplitFile, hunk: Hunk) -> None:
    start = hunk.old_start - 1
    have = tuple(source.lines[start : start + len(hunk.old_lines)])
    if have == hunk.old_lines and start <= len(source.lines):
        return
    for at, (want, found) in enumerate(zip(hunk.old_lines, have, strict=False)):
        if want != found:
            line = start + at + 1
            what = f"line {line} is not the line that the edit replaces"
            raise Misfit(what, where=f"{hunk.path}:{line}")
    raise Misfit(f"the edit is past the end of the file (line {start + 1})", where=hunk.path)


def _splices_of(source: SplitFile, hunk: Hunk) -> list[ByteSplice]:
    start = hunk.old_start - 1
    old, new = hunk.old_lines, hunk.new_lines
    at_end = start + len(old) == len(source.raw)
    blocks = diff(old, new)
    final_newline = hunk.final_newline if at_end else None
    if final_newline is None or not new:
        pass
    elif not blocks or blocks[-1][1] != len(old) or blocks[-1][3] != len(new):
        blocks.append((max(len(old) - 1, 0), len(old), len(new) - 1, len(new)))
    elif blocks[-1][2] == len(new):
        # The last lines only go: the one that is last then has to be said again.
        a0, a1, b0, b1 = blocks[-1]
        blocks[-1] = (a0 - 1, a1, b0 - 1, b1)
    out = []
    for a0, a1, b0, b1 in blocks:
        lines = _encoded(source, hunk, start, (a0, a1, b0, b1))
        if final_newline is not None and b1 == len(new) and lines:
            last = _bare(lines[-1])
            lines[-1] = last + _ending_near(source, start + a1) if final_newline else last
        out.append(ByteSplice(start + a0, start + a1, tuple(lines)))
    return out


def _encoded(source: SplitFile, hunk: Hunk, start: int, block: tuple[int, int, int, int]) -> list[bytes]:
    """New lines with the endings of the old ones that they replace, then of the line before."""
    a0, a1, b0, b1 = block
    lines = []
    ending = b""
    one_for_one = a1 - a0 == b1 - b0
    for k, text in enumerate(hunk.new_lines[b0:b1]):
        old = start + a0 + k
        if k < a1 - a0:
            ending = _ending(source.raw[old])
            if not ending and not one_for_one:
                ending = _ending_near(source, old)
        elif not ending:
            ending = _ending_near(source, start + a0)
        try:
            lines.append(source.encode(text) + ending)
        except UnicodeEncodeError as error:
            what = f"the file's encoding cannot represent {text[error.start]!r}"
            hint = "Change the file's encoding first, or edit the hunk."
            raise Misfit(what, where=f"{hunk.path}:{old + 1}", hint=hint) from error
    return lines


def _with_ended_tail(source: SplitFile, out: list[ByteSplice]) -> list[ByteSplice]:
    """A last line without a newline gets one where lines now follow it."""
    last = len(source.raw) - 1
    if not out or last < 0 or _ending(source.raw[last]):
        return out
    behind = [splice for splice in out if splice.start == last + 1 and splice.new]
    if not behind:
        return out
    ending = _ending_near(source, last)
    first = out.index(behind[0])
    if first and out[first - 1].end == last + 1:
        before = out[first - 1]
        if before.new:
            tail = (*before.new[:-1], _bare(before.new[-1]) + ending)
            out[first - 1] = ByteSplice(before.start, before.end, tail)
        return out
    out.insert(first, ByteSplice(last, last + 1, (source.raw[last] + ending,)))
    return out


def _ending(raw: bytes) -> bytes:
    if raw.endswith(b"\r\n"):
        return b"\r\n"
    return raw[-1:] if raw.endswith((b"\n", b"\r")) else b""


def _bare(raw: bytes) -> bytes:
    return raw[: len(raw) - len(_ending(raw))]


def _ending_near(source: SplitFile, at: int) -> bytes:
    """The ending of the nearest line: before the place first, then after it."""
    raw = source.raw
    nearest = chain(range(min(at, len(raw)) - 1, -1, -1), range(at, len(raw)))
    return next(filter(None, (_ending(raw[line]) for line in nearest)), b"\n")
