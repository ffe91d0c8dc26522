"""Write some decided hunks as one patch that `git apply` takes.

Git's lines end with LF alone: where a file has other endings, hunks are widened to whole git lines.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from spark_tui.edits.hunk import Hunk
from spark_tui.edits.hunk_builder import ByteSplice, SplitFile, created, spliced, splices

_CONTEXT = 3
_LINK = "120000"

FileFor = Callable[[str], "tuple[SplitFile, int]"]
"""A path's source and its permission bits."""
NewlineFor = Callable[[str], bytes]
"""The line ending of a file that is new."""


def _lf(_: str) -> bytes:
    return b"\n"


@dataclass(frozen=True, slots=True)
class _Change:
    """`old[a0:a1]` becomes `new`, in git lines."""

    a0: int
    a1: int
    new: tuple[bytes, ...]


def build(hunks: Sequence[Hunk], file_for: FileFor, newline_for: NewlineFor = _lf) -> bytes:
    """The patch that makes exactly these hunks; files in the order of their first hunk. Empty for no
    change."""
    by_path: dict[str, list[Hunk]] = {}
    for hunk in hunks:
        if not hunk.changes_nothing:
            by_path.setdefault(hunk.path, []).append(hunk)
    return b"".join(_file_patch(path, group, file_for, newline_for) for path, group in by_path.items())


def build_text(hunks: Sequence[Hunk], file_for: FileFor, newline_for: NewlineFor = _lf) -> str:
    """The same for showing: bytes that are no UTF-8 become surrogates."""
    return build(hunks, file_for, newline_for).decode("utf-8", "surrogateescape")


def _file_patch(path: str, hunks: Sequence[Hunk], file_for: FileFor, newline_for: NewlineFor) -> bytes:
    whole = {hunk.kind: hunk for hunk in hunks if hunk.kind != "edit"}
    if "add" in whole and "delete" in whole:
        if whole["delete"].mode == _LINK:
            # Git deletes a link before it adds the file in its place.
            return _link_patch(whole["delete"]) + _added(
                path, created(whole["add"], newline_for(path)), whole["add"].mode
            )
        return _replaced(path, created(whole["add"], newline_for(path)), whole["add"].mode, file_for)
    if "add" in whole:
        return _added(path, created(whole["add"], newline_for(path)), whole["add"].mode)
    if link := next((hunk for hunk in whole.values() if hunk.mode == _LINK), None):
        return _link_patch(link)
    source, permissions = file_for(path)
    mode = _mode(permissions)
    if "delete" in whole:
        old = _split(source.bom + b"".join(source.raw))
        return _assemble(path, "", [b"deleted file mode " + mode], old, _all_of(old, ()))
    target = whole["move"].new_path if "move" in whole else path
    old, changes = _changes(source, hunks)
    new_mode = next((hunk.mode.encode() for hunk in hunks if hunk.mode), mode)
    if not changes and target == path and new_mode == mode:
        return b""
    head = _mode_lines(mode, new_mode)
    if target != path:
        head += _rename_lines(path, target, _similarity(old, changes))
    return _assemble(path, target, head, old, changes)


def _link_patch(hunk: Hunk) -> bytes:
    """A symbolic link is deleted or renamed. Its one line, which has no newline, is its target."""
    if hunk.kind == "move":
        head = _rename_lines(hunk.path, hunk.new_path, 100)
        return _assemble(hunk.path, hunk.new_path, head, [], [])
    old = [line.encode("utf-8", "surrogateescape") for line in hunk.old_lines]
    head = [b"deleted file mode " + _LINK.encode()]
    return _assemble(hunk.path, "", head, old, [_Change(0, len(old), ())])


def _added(path: str, data: bytes, mode: str) -> bytes:
    head = [b"new file mode " + (mode.encode() or b"100644")]
    return _assemble("", path, head, [], _all_of([], _split(data)))


def _replaced(path: str, data: bytes, new_mode: str, file_for: FileFor) -> bytes:
    """A file that is deleted and written again: in git's terms, one change from its first line to
    its last.
    """
    source, permissions = file_for(path)
    old, new = _split(source.bom + b"".join(source.raw)), _split(data)
    if old == new:
        return b""
    mode = _mode(permissions)
    head = _mode_lines(mode, new_mode.encode() or mode)
    return _assemble(path, path, head, old, _all_of(old, new))


def _mode(permissions: int) -> bytes:
    return b"100755" if permissions & 0o111 else b"100644"


def _mode_lines(old: bytes, new: bytes) -> list[bytes]:
    return [b"old mode " + old, b"new mode " + new] if new != old else []


def _rename_lines(path: str, target: str, similarity: int) -> list[bytes]:
    share = b"similarity index %d%%" % similarity
    return [share, b"rename from " + _quoted(path), b"rename to " + _quoted(target)]


def _all_of(old: Sequence[bytes], new: Sequence[bytes]) -> list[_Change]:
    """The whole file becomes these lines; no change if there are no lines at all."""
    return [_Change(0, len(old), tuple(new))] if old or new else []


def _similarity(old: Sequence[bytes], changes: Sequence[_Change]) -> int:
    kept = len(old) - sum(change.a1 - change.a0 for change in changes)
    total = max(len(old), kept + sum(len(change.new) for change in changes))
    return 100 * kept // total if total else 100


def _split(data: bytes) -> list[bytes]:
    lines = data.split(b"\n")
    return [line + b"\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])


def _changes(source: SplitFile, hunks: Sequence[Hunk]) -> tuple[list[bytes], list[_Change]]:
    """The old git lines and their replacements. Stretches of bytes are widened to whole lines on both
    sides."""
    old = source.bom + b"".join(source.raw)
    made = splices(source, hunks)
    new = spliced(source, made)
    changes: list[_Change] = []
    line, counted = 0, 0
    for low, high, new_low, new_high in _widened(old, new, _ranges(source, made)):
        line += old.count(b"\n", counted, low)
        taken = _split(old[low:high])
        changes.append(_Change(line, line + len(taken), tuple(_split(new[new_low:new_high]))))
        line, counted = line + len(taken), high
    return _split(old), changes


_Range = tuple[int, int, int, int]
"""Bytes `old[0:1]` that became `new[2:3]`."""


def _ranges(source: SplitFile, made: Sequence[ByteSplice]) -> list[_Range]:
    out: list[_Range] = []
    at = len(source.bom)
    shift, line = 0, 0
    for splice in made:
        at += sum(map(len, source.raw[line : splice.start]))
        gone = sum(map(len, source.raw[splice.start : splice.end]))
        come = sum(map(len, splice.new))
        out.append((at, at + gone, at + shift, at + shift + come))
        at, shift, line = at + gone, shift + come - gone, splice.end
    return out


def _widened(old: bytes, new: bytes, ranges: Sequence[_Range]) -> list[_Range]:
    """Whole git lines on both sides; ranges that share a line become one."""
    out: list[_Range] = []
    for low, high, new_low, new_high in ranges:
        left = low - (old.rfind(b"\n", 0, low) + 1)
        low, new_low = low - left, new_low - left
        if not (_line_ends(old, high) and _line_ends(new, new_high)):
            end = old.find(b"\n", high)
            right = (len(old) if end < 0 else end + 1) - high
            high, new_high = high + right, new_high + right
        if out and low < out[-1][1]:
            before = out.pop()
            low, new_low = before[0], before[2]
        out.append((low, high, new_low, new_high))
    return out


def _line_ends(data: bytes, at: int) -> bool:
    return at in (0, len(data)) or data[at - 1 : at] == b"\n"


def _assemble(
    path: str, target: str, head: list[bytes], old: Sequence[bytes], changes: Sequence[_Change]
) -> bytes:
    """The patch of one file, called `path` before (empty: it is new) and `target` after (empty: it goes)."""
    names = _quoted("a/" + (path or target)) + b" " + _quoted("b/" + (target or path))
    out = [line + b"\n" for line in (b"diff --git " + names, *head)]
    if changes:
        out += [_side(b"---", "a/", path), _side(b"+++", "b/", target)]
    shift = 0
    for group in _grouped(changes):
        low = max(group[0].a0 - _CONTEXT, 0)
        high = min(group[-1].a1 + _CONTEXT, len(old))
        body: list[bytes] = []
        at = low
        gained = 0
        for change in group:
            body += [_row(b" ", line) for line in old[at : change.a0]]
            body += [_row(b"-", line) for line in old[change.a0 : change.a1]]
            body += [_row(b"+", line) for line in change.new]
            gained += len(change.new) - (change.a1 - change.a0)
            at = change.a1
        body += [_row(b" ", line) for line in old[at:high]]
        out.append(_hunk_head(low, high - low, shift, high - low + gained) + b"\n")
        out += body
        shift += gained
    return b"".join(out)


def _grouped(changes: Sequence[_Change]) -> list[list[_Change]]:
    groups: list[list[_Change]] = []
    for change in changes:
        if groups and change.a0 - groups[-1][-1].a1 <= 2 * _CONTEXT:
            groups[-1].append(change)
        else:
            groups.append([change])
    return groups


def _hunk_head(low: int, old_count: int, shift: int, new_count: int) -> bytes:
    """Line numbers are 1-based, but a side without lines names the line before it."""
    old_start = low + 1 if old_count else low
    new_start = low + shift + 1 if new_count else low + shift
    return b"@@ -%d,%d +%d,%d @@" % (old_start, old_count, new_start, new_count)


def _row(sign: bytes, line: bytes) -> bytes:
    return sign + line if line.endswith(b"\n") else sign + line + b"\n\\ No newline at end of file\n"


def _side(mark: bytes, prefix: str, path: str) -> bytes:
    """`--- a/path`; a name with a space in it ends with a tab, so that readers know where it ends."""
    name = _quoted(prefix + path) + (b"\t" if " " in path else b"") if path else b"/dev/null"
    return mark + b" " + name + b"\n"


def _quoted(path: str) -> bytes:
    """C quotes where the name has control characters, quotes, backslashes or bytes above ASCII."""
    data = path.encode("utf-8", "surrogateescape")
    if all(0x20 <= byte < 0x7F and byte not in (0x22, 0x5C) for byte in data):
        return data
    out = bytearray(b'"')
    for byte in data:
        if byte in _ESCAPED:
            out += b"\\" + _ESCAPED[byte]
        elif 0x20 <= byte < 0x7F:
            out.append(byte)
        else:
            out += b"\\%03o" % byte
    return bytes(out + b'"')


_ESCAPED = {7: b"a", 8: b"b", 9: b"t", 10: b"n", 11: b"v", 12: b"f", 13: b"r", 0x22: b'"', 0x5C: b"\\"}
