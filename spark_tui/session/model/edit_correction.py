"""The message to a model whose edits did not fit: what it wrote, and the actual lines of the file."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from spark_tui.errors import ExitCode, SparkError
from spark_tui.events import NO_SUCH_FILE, HunkFailed

_AROUND = 6
_MOST_FAILURES, _MOST_PLACES, _MOST_LINES = 8, 3, 120
_LONGEST_LINE = 300

ReadLines = Callable[[str], Sequence[str] | None]


def can_be_corrected(failure: HunkFailed) -> bool:
    """Whether the model could do better if it saw the file. What is refused stays refused."""
    return failure.code in (ExitCode.MISFIT, ExitCode.MALFORMED)


def correction(failures: Sequence[HunkFailed], read_lines: ReadLines, shown: Sequence[str] = ()) -> str:
    """The message. No failures: the code in the answer has no place at all. `shown`: the files that the model
    was shown, of which one may be meant by another folder."""
    if not failures:
        return (
            "The code in your answer could not be placed, and nothing was changed. Write it again as an edit"
            " in the format that was asked for, with the name of its file."
        )
    reports = [_report(failure, read_lines, shown) for failure in failures[:_MOST_FAILURES]]
    count = "One edit" if len(failures) == 1 else f"{len(failures)} edits"
    head = f"{count} of your answer did not fit and {'was' if len(failures) == 1 else 'were'} not made."
    end = "Write only what did not fit again, so that it fits these lines. Repeat nothing that was made."
    return "\n\n".join([head, *reports, end])


def _report(failure: HunkFailed, read_lines: ReadLines, shown: Sequence[str]) -> str:
    path = failure.path
    rows = [f"{path or 'no file named'}: {failure.message}"]
    if failure.message == NO_SUCH_FILE:
        name = path.rpartition("/")[2]
        near = [one for one in shown if one.rpartition("/")[2] == name and one != path]
        path = near[0] if len(near) == 1 else ""  # one of the whole name is deleted or moved by the answer
        if path:
            rows.append(f"The file is called {path}.")
    if failure.expected:
        rows.append(f"your edit has: {failure.expected[:_LONGEST_LINE]}")
    if failure.found:
        rows.append(f"the file has:  {failure.found[:_LONGEST_LINE]}")
    try:
        lines = read_lines(path) if path else None
    except SparkError:
        lines = None
    if lines:
        for low, high in _places(failure, len(lines)):
            rows.append(f"{path}, lines {low + 1} to {high}:")
            rows += ["```", *(line[:_LONGEST_LINE] for line in lines[low:high]), "```"]
    return "\n".join(rows)


def _places(failure: HunkFailed, count: int) -> list[tuple[int, int]]:
    """Stretches of the file around the lines that the failure names, 0-based; overlapping ones joined. The
    beginning of the file where it names none."""
    named = failure.candidates[:_MOST_PLACES] or ((failure.line,) if failure.line else ())
    if not named:
        return [(0, min(count, _MOST_LINES))]
    out: list[tuple[int, int]] = []
    for line in sorted(named):
        low, high = max(line - 1 - _AROUND, 0), min(line + 2 * _AROUND, count)
        if out and low <= out[-1][1]:
            low = out.pop()[0]
        if low < high:
            out.append((low, high))
    return out
