"""Read a file of the user's tree so that it can be written back byte for byte."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import stat
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

from spark_tui.errors import IsFolder, Refused
from spark_tui.workspace.path_guard import CheckedPath, check_path

_UTF8_LETTER = re.compile(
    rb"[\xc3-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}|\xc2[\xa0-\xbf]"
)
_HIGH = re.compile(rb"[\x80-\xff]+")
_HANZI_PAIR = re.compile(rb"[\xb0-\xf7][\xa1-\xfe]|[\xa1-\xa9][\xa1-\xfe]")
_IN_A_WORD = re.compile(
    rb"(?<=[A-Za-z])[\x80-\xff]{2}(?![\x80-\xff])|(?<![\x80-\xff])[\x80-\xff]{2}(?=[A-Za-z])"
)
"""Two letters of a European word (`gr\xf6\xdfe`), or one Chinese character: they tell nothing."""
_MOST_SNIFFED = 1_000_000


def guess_encoding(data: bytes) -> str:
    """`utf-8` where it fits or nearly fits, else `gb18030`, `cp1252` or `latin-1`."""
    try:
        data.decode("utf-8")
        return "utf-8"
    except UnicodeDecodeError:
        pass
    high = b"".join(_HIGH.findall(data[:_MOST_SNIFFED]))
    letters = sum(len(found) for found in _UTF8_LETTER.findall(data[:_MOST_SNIFFED]))
    if not high or 2 * letters > len(high):
        return "utf-8"
    if _reads_as_chinese(data[:_MOST_SNIFFED]) and _returns(data, "gb18030"):
        return "gb18030"
    # Between 0x80 and 0x9f latin-1 has control characters that no text has; Windows has dashes and quotes
    # there.
    controls = any(0x80 <= byte <= 0x9F for byte in high)
    if controls and _returns(data, "cp1252"):
        return "cp1252"
    return "utf-8" if controls else "latin-1"


def _reads_as_chinese(data: bytes) -> bool:
    """Whether nearly all high bytes come in pairs of the common plane."""
    total = paired = 0
    for run in _HIGH.findall(_IN_A_WORD.sub(b" ", data)):
        total += len(run)
        paired += sum(len(pair) for pair in _HANZI_PAIR.findall(run))
    return total >= 2 and paired >= 0.9 * total


def _returns(data: bytes, encoding: str) -> bool:
    try:
        return data.decode(encoding).encode(encoding) == data
    except UnicodeError:
        return False


_LINE = re.compile(rb"[^\r\n]*(?:\r\n|\n|\r|\Z)")
_ENDING = re.compile(r"\r\n|\n|\r")
_BOM = b"\xef\xbb\xbf"
_SNIFFED = 8192
"""How many bytes are searched for a NUL, the mark of a binary file (as in git)."""

TEXT_ONLY = "spark reads and edits only text files."
MOST_BYTES = 4_000_000
"""The default of the setting `edit.max_file_bytes`."""
_MOST_BESIDE = 8
"""Files whose line endings a new one follows."""
LINK_MODE = stat.S_IFLNK
"""The mode of a symbolic link; its bytes are the path that it points to."""


@dataclass(frozen=True)
class FileText:
    """A file as it was read. `data` is all of it; every other view is computed from it on demand."""

    path: str
    """Relative to the root, as it was asked for."""
    data: bytes
    mode: int = 0o644
    """Permission bits."""

    @property
    def is_link(self) -> bool:
        return stat.S_ISLNK(self.mode)

    @cached_property
    def bom(self) -> bytes:
        return _BOM if self.data.startswith(_BOM) else b""

    @cached_property
    def encoding(self) -> str:
        """`utf-8` also where some bytes are not; those survive as surrogates."""
        return "utf-8" if self.bom else guess_encoding(self.data)

    @cached_property
    def raw(self) -> tuple[bytes, ...]:
        """Lines with their endings (LF, CRLF or CR). Joined after the byte order mark they are `data`."""
        return tuple(split_lines(self.data[len(self.bom) :]))

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """Lines decoded, without endings."""
        found = _ENDING.split(self.decode(self.data[len(self.bom) :]))
        return tuple(found if found[-1] else found[:-1])

    @property
    def final_newline(self) -> bool:
        return bool(self.raw) and bool(ending_of(self.raw[-1]))

    @property
    def newline(self) -> str:
        """The ending that most lines have: `lf`, `crlf`, `cr`, or `none` for one unended line."""
        counts = Counter(map(ending_of, self.raw))
        names = {b"\n": "lf", b"\r\n": "crlf", b"\r": "cr"}
        best = max(names, key=lambda ending: counts[ending])
        return names[best] if counts[best] else "none"

    def decode(self, line: bytes) -> str:
        return line.decode(self.encoding, "surrogateescape" if self.encoding == "utf-8" else "strict")

    def encode(self, line: str) -> bytes:
        """A line in this file's encoding. Raises UnicodeEncodeError for characters that it does not have."""
        return line.encode(self.encoding, "surrogateescape" if self.encoding == "utf-8" else "strict")


def hash_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def split_lines(data: bytes) -> list[bytes]:
    """Lines with their endings; no bytes, no lines."""
    lines = _LINE.findall(data)
    lines.pop()
    return lines


def ending_of(line: bytes) -> bytes:
    if line.endswith(b"\r\n"):
        return b"\r\n"
    return line[-1:] if line.endswith((b"\n", b"\r")) else b""


def is_binary(data: bytes) -> bool:
    return b"\0" in data[:_SNIFFED]


def read_checked_path(spot: CheckedPath, *, most_bytes: int = MOST_BYTES) -> FileText | None:
    """The file at a checked path; None where there is none. Raises Refused for anything but a text file."""
    try:
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        fd = os.open(spot.name, flags, dir_fd=spot.folder_fd)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except PermissionError:
        raise Refused("the file is not readable", where=spot.path, hint="Check its permissions.") from None
    try:
        status = os.fstat(fd)
        if stat.S_ISDIR(status.st_mode):
            raise IsFolder("this is a folder", where=spot.path, hint=TEXT_ONLY)
        if not stat.S_ISREG(status.st_mode):
            raise Refused("this is not a regular file", where=spot.path, hint=TEXT_ONLY)
        if status.st_size > most_bytes:
            what = f"the file has {status.st_size:,} bytes; the limit is {most_bytes:,}"
            hint = "Raise `edit.max_file_bytes` in the settings, or edit a smaller file."
            raise Refused(what, where=spot.path, hint=hint)
        with os.fdopen(fd, "rb", closefd=False) as file:
            data = file.read()
    finally:
        os.close(fd)
    if is_binary(data):
        if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
            raise Refused("this file is in UTF-16", where=spot.path, hint="Save it as UTF-8 first.")
        raise Refused("this is a binary file", where=spot.path, hint=TEXT_ONLY)
    return FileText(spot.path, data, stat.S_IMODE(status.st_mode))


def read_link(spot: CheckedPath) -> FileText | None:
    """The symbolic link at a checked path; None where there is none."""
    if spot.folder_fd < 0:
        return None
    try:
        return FileText(spot.path, os.fsencode(os.readlink(spot.name, dir_fd=spot.folder_fd)), LINK_MODE)
    except OSError:
        return None


Unsaved = Callable[[str, FileText], FileText | None]


class Tree:
    """The user's files under one root, each as it was when it was first read.

    What was read here is what an apply compares with later. `known` files count as read already (those of a
    checkpoint). `unsaved` gives what another program has of a file, in place of what is on the disk.
    """

    def __init__(
        self,
        root: Path,
        *,
        most_bytes: int = MOST_BYTES,
        known: Mapping[str, FileText | None] | None = None,
        unsaved: Unsaved | None = None,
    ) -> None:
        self.root = root.resolve()
        self.most_bytes = most_bytes
        self._read: dict[str, FileText | None] = dict(known or {})
        self._links: dict[str, FileText | None] = {}
        self._newlines: dict[tuple[str, str], bytes] = {}
        self._unsaved = unsaved

    def file(self, path: str) -> FileText | None:
        """The file as first read; None where there was none. Raises Refused where it may not be edited."""
        if path not in self._read:
            found = self.now(path)
            if found is not None and self._unsaved is not None:
                found = self._unsaved(path, found)
            self._read[path] = found
        return self._read[path]

    def link(self, path: str) -> FileText | None:
        """The symbolic link of this name, as first read; None where the name is no link."""
        known = self._read.get(path)
        if known is not None and known.is_link:
            return known
        if path not in self._links:
            with check_path(self.root, path, follow=False) as spot:
                self._links[path] = read_link(spot)
        return self._links[path]

    def entry(self, path: str) -> FileText | None:
        """What has this name: the link itself, or the file."""
        return self.link(path) or self.file(path)

    def newline_for(self, path: str) -> bytes:
        """The line ending of a new file: CRLF where files of its kind beside it have that, or those in the
        nearest folder above that has some. A file that is there already keeps its own."""
        with contextlib.suppress(Refused):
            known = None if self.link(path) else self.file(path)
            if known is not None and known.newline != "none":
                return b"\r\n" if known.newline == "crlf" else b"\n"
        folder, kind = PurePosixPath(path).parent, PurePosixPath(path).suffix
        if (str(folder), kind) not in self._newlines:
            every = (self._newlines_in(str(one), kind, path) for one in (folder, *folder.parents))
            found = next(filter(None, every), set[str]()) if kind else set[str]()
            self._newlines[str(folder), kind] = b"\r\n" if found == {"crlf"} else b"\n"
        return self._newlines[str(folder), kind]

    def _newlines_in(self, folder: str, kind: str, path: str) -> set[str]:
        """The line endings of some files of a folder."""
        found = set[str]()
        with contextlib.suppress(OSError):
            beside = sorted(item.name for item in (self.root / folder).iterdir() if item.suffix == kind)
            for name in [one for one in beside if one != PurePosixPath(path).name][:_MOST_BESIDE]:
                with contextlib.suppress(Refused):
                    file = self.now(str(PurePosixPath(folder) / name))
                    found |= {file.newline} - {"none"} if file is not None else set()
        return found

    def now(self, path: str, *, follow: bool = True) -> FileText | None:
        """The file's current state on disk; without `follow`, a link itself rather than its target."""
        with check_path(self.root, path, follow=follow) as spot:
            if not follow and (link := read_link(spot)):
                return link
            return read_checked_path(spot, most_bytes=self.most_bytes) if spot.folder_fd >= 0 else None

    def read_lines(self, path: str) -> tuple[str, ...] | None:
        """The file's lines as a parser reads them."""
        file = self.file(path)
        return None if file is None else file.lines

    def read_link(self, path: str) -> str | None:
        """Where the link of this name points; None where it is no link."""
        link = self.link(path)
        return None if link is None else os.fsdecode(link.data)
