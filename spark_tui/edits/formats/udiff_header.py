"""The header of a file in a unified diff, and the header of a hunk."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from spark_tui.edits.hunk_emitter import LINK_MODE
from spark_tui.edits.paths import clean
from spark_tui.errors import ExitCode

_NUMBERS = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@ ?(.*)")
_UNNUMBERED = re.compile(r"@@(?: ?\.{3})?(?: (.*?))??(?: ?@@)?\s*")
_EXTENDED = (
    "index ",
    "old mode ",
    "new mode ",
    "deleted file mode ",
    "new file mode ",
    "similarity index ",
    "dissimilarity index ",
    "rename from ",
    "rename to ",
    "copy from ",
    "copy to ",
    "Binary files ",
    "GIT binary patch",
)
_PREFIXES = ("a/", "b/", "i/", "w/", "c/", "o/")
_ESCAPES = {"n": 10, "t": 9, "r": 13, "a": 7, "b": 8, "f": 12, "v": 11, '"': 34, "\\": 92}


@dataclass(frozen=True, slots=True)
class HunkNumbers:
    """`@@ -old_start,old_count +… @@ section`; None where it has none."""

    old_start: int | None = None
    old_count: int | None = None
    new_count: int | None = None
    section: str = ""


@dataclass(slots=True)
class Left:
    """Lines that a hunk's head still promises; None where it promises nothing."""

    old: int | None = None
    new: int | None = None

    @property
    def spent(self) -> bool:
        return self.old == 0 and self.new == 0

    @property
    def expects_more(self) -> bool:
        return self.old is not None and not (self.old <= 0 and (self.new or 0) <= 0)

    def take(self, old: int, new: int) -> None:
        if self.old is not None and self.new is not None:
            self.old -= old
            self.new -= new

    def without(self, lines: int) -> Left:
        """What remains after this many unchanged lines."""
        rest = Left(self.old, self.new)
        rest.take(lines, lines)
        return rest

    def of_blanks(self, blanks: int) -> int:
        """How many of these empty lines at its end belong to the hunk: all that are promised, if they
        suffice."""
        return self.old if self.old is not None and self.old == self.new and 0 <= self.old <= blanks else 0


def numbers_of(line: str) -> HunkNumbers | None:
    """Read a hunk's head; None for any other line."""
    if found := _NUMBERS.fullmatch(line):
        start, old, _, new, section = found.groups()
        return HunkNumbers(int(start), int(old or 1), int(new or 1), section.strip())
    if line.startswith("@@ -") and re.match(r"@@ -\d", line):
        return None
    bare = _UNNUMBERED.fullmatch(line)
    return HunkNumbers(section=(bare.group(1) or "").strip()) if bare else None


def is_extended(line: str) -> bool:
    return line.startswith(_EXTENDED)


@dataclass(slots=True)
class FileHeader:
    """Collected line by line; `settle` decides the names."""

    old: str = ""
    new: str = ""
    git_names: str = ""
    mode: str = ""
    old_mode: str = ""
    """The mode in a deletion or in the `index` line."""
    new_file_mode: str = ""
    rename_from: str = ""
    rename_to: str = ""
    deleted: bool = False
    added: bool = False
    has_body: bool = False
    refusal: str = ""
    target: str = ""
    """The file as it is called now."""

    def take(self, line: str) -> None:
        if line.startswith("diff --git "):
            self.git_names = line[len("diff --git ") :]
        elif line.startswith("--- "):
            self.old, self.has_body = _name(line[4:]), True
        elif line.startswith("+++ "):
            self.new, self.has_body = _name(line[4:]), True
        elif line.startswith("new file mode "):
            self.added, self.new_file_mode = True, line.split()[-1]
        elif line.startswith("deleted file mode "):
            self.deleted, self.old_mode = True, line.split()[-1]
        elif line.startswith("index ") and len(line.split()) == 3:
            self.old_mode = line.split()[-1]
        elif line.startswith("new mode "):
            self.mode = line.split()[-1]
        elif line.startswith("rename from "):
            self.rename_from = _unquoted(line[len("rename from ") :].rstrip())
        elif line.startswith("rename to "):
            self.rename_to = _unquoted(line[len("rename to ") :].rstrip())
        elif line.startswith(("Binary files ", "GIT binary patch")):
            self.refusal = "a binary file cannot be edited"
        elif line.startswith("copy "):
            self.refusal = "copies are not supported"

    @property
    def open(self) -> bool:
        return bool(self.git_names or self.old)

    @property
    def whole(self) -> bool:
        """Whether the header alone is an edit: a mode, a move, an empty new file, a deletion."""
        return bool(self.mode or self.rename_to or self.added or self.deleted or self.refusal)

    @property
    def adds(self) -> bool:
        return self.added or self.old == "/dev/null"

    @property
    def deletes(self) -> bool:
        return self.deleted or self.new == "/dev/null"

    @property
    def moves_to(self) -> str:
        return clean(self.rename_to) if self.rename_from and self.rename_to != self.rename_from else ""

    def problem(self, *, is_link: bool) -> tuple[str, ExitCode] | None:
        """Why this cannot be done to the file, which may be a symbolic link."""
        if self.refusal:
            return self.refusal, ExitCode.REFUSED
        if self.old_mode == LINK_MODE and not is_link:
            return "this is not a symbolic link", ExitCode.MISFIT
        means_link = bool(self.moves_to) or self.old_mode == LINK_MODE
        if is_link and self.has_body and not self.deletes and means_link:
            message = "the target of a symbolic link cannot be changed; the link can only be moved or deleted"
            return message, ExitCode.REFUSED
        return None

    def settle(self, exists: Callable[[str], bool]) -> None:
        """Decide which file is meant. The prefixes `a/` and `b/` are dropped unless the file's real name has
        them.
        """
        for mode in (self.mode, self.new_file_mode):
            if mode and mode not in ("100644", "100755"):
                link = " (a symbolic link)" if mode == LINK_MODE else ""
                self.refusal = (
                    f"only regular files of mode 100644 or 100755 can be edited, not mode {mode}{link}"
                )
        if self.rename_from:
            self.target = clean(self.rename_from)
            return
        old, new = self.old, self.new
        if not old and not new:
            old, new = _git_pair(self.git_names)
        names = [
            name for name in ((old, new) if self.deletes else (new, old)) if name and name != "/dev/null"
        ]
        slashed = [name.replace("\\", "/") for name in names]
        choices = [choice for name in (*names, *slashed) for choice in _without_prefix(name)]
        self.target = next((choice for choice in choices if exists(choice)), choices[0] if choices else "")


def _without_prefix(name: str) -> list[str]:
    return [clean(name[2:]), clean(name)] if name.startswith(_PREFIXES) else [clean(name)]


def _git_pair(names: str) -> tuple[str, str]:
    """Both names of `diff --git a/x b/x`; they may have spaces, and then are equal but for the prefix."""
    quoted = re.fullmatch(r'("(?:[^"\\]|\\.)*"|\S+) ("(?:[^"\\]|\\.)*"|\S+)', names.strip())
    if quoted:
        return _unquoted(quoted.group(1)), _unquoted(quoted.group(2))
    for text in (names.rstrip("\r"), names.strip()):
        half = len(text) // 2
        old, new = text[:half], text[half + 1 :]
        if old[2:] == new[2:]:
            break
    return old, new


def _name(text: str) -> str:
    """A name after `---` or `+++`: without the timestamp, and unquoted. Git ends a name that has spaces with
    a tab: those before it belong to the name."""
    name, tab, time = text.partition("\t")
    return _unquoted(name if tab and not time.strip() else name.rstrip())


def _unquoted(text: str) -> str:
    """Git quotes names with odd bytes the way C does; the bytes are UTF-8 (others survive as surrogates)."""
    if len(text) < 2 or not (text.startswith('"') and text.endswith('"')):
        return text
    out = bytearray()
    body = text[1:-1]
    at = 0
    while at < len(body):
        if body[at] != "\\":
            out += body[at].encode("utf-8", "surrogateescape")
            at += 1
        elif octal := re.match(r"[0-3][0-7]{2}", body[at + 1 : at + 4]):
            out.append(int(octal.group(), 8))
            at += 4
        else:
            mark = body[at + 1 : at + 2]
            out += bytes([_ESCAPES[mark]]) if mark in _ESCAPES else mark.encode("utf-8", "surrogateescape")
            at += 2
    return out.decode("utf-8", "surrogateescape")
