"""Merge the imports of a snippet into those of the file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spark_tui.edits.code_words import is_import
from spark_tui.edits.indentation import indent_of
from spark_tui.edits.snippets.outline import after_docstring, after_string
from spark_tui.edits.snippets.run_ends import Misplaced, opened

Replacement = tuple[int, int, list[str]]
"""`lines[0:1]` of the file become these."""
_FIRST = "from __future__ "


def are_imports(lines: Sequence[str]) -> bool:
    """Whether these lines are imports, with comments at most."""
    filled = [line for line in lines if line.strip()]
    return all(is_import(line) or line.lstrip().startswith(("#", "//")) for line in filled)


def merged_imports(lines: Sequence[str], high: int, words: Sequence[str], named: bool) -> list[Replacement]:
    """Imports that the file lacks, after its last one; an extended import replaces the old one."""
    there = [at for at in _outside_strings(lines, high) if is_import(lines[at]) and not indent_of(lines[at])]
    have = {lines[at].strip(): at for at in there}
    out: list[Replacement] = []
    new: list[str] = []
    last: int | None = None
    for line in words:
        bare = line.strip()
        if bare in have:
            last = have[bare] + 1
        if not bare or bare in have or not is_import(line):
            continue
        old = next((at for at in there if _grows(lines[at].strip(), bare)), None)
        if old is not None:
            out.append((old, old + 1, [bare]))
        elif there and bare.startswith(_FIRST):
            at = next(at for at in range(_after_head(lines), len(lines)) if lines[at].strip())
            out.append((at, at, [bare] if lines[at].startswith(_FIRST) else [bare, ""]))
        elif last is not None:
            out.append((last, last, [bare]))
        else:
            new.append(bare)
    if not new:
        return out
    if not named and not there:
        raise Misplaced("these imports name no file", expected=new[0])
    at = _after_import(lines, there[-1]) if there else _after_head(lines)
    lone = not there and at < len(lines) and bool(lines[at].strip())
    out.append((at, at, [*new, ""] if lone else new))
    return out


def _outside_strings(lines: Sequence[str], high: int) -> Iterator[int]:
    """The lines that do not begin inside of a long string."""
    at = 0
    while at < high:
        yield at
        at = after_string(lines, at, high)


def _after_import(lines: Sequence[str], first: int) -> int:
    """The line after an import, which may go on over several lines."""
    rest = [line.partition("#")[0].rstrip() for line in lines[first:]]
    ends = (at for at in range(1, len(rest)) if opened(rest[:at]) <= 0 and not rest[at - 1].endswith("\\"))
    return first + next(ends, len(rest))


def _grows(old: str, new: str) -> bool:
    """Whether `from x import a` became `from x import a, b`."""
    head, _, names = old.partition(" import ")
    head2, _, names2 = new.partition(" import ")
    if not head.startswith("from ") or head != head2:
        return False
    before = {part.strip() for part in names.split(",")}
    return before < {part.strip() for part in names2.split(",")}


def _after_head(lines: Sequence[str]) -> int:
    """The line after the comments and the docstring that the file begins with."""
    at = 0
    while at < len(lines) and (not lines[at].strip() or lines[at].startswith("#")):
        at += 1
    return after_docstring(lines, at) if at < len(lines) else 0
