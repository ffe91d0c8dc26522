"""Where the files of a repository come from: a disk, a dictionary, or either with changes on top."""

from __future__ import annotations

import io
import tokenize
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Protocol, runtime_checkable

from spark_tui.pysource.words import word_set

_SKIPPED_FOLDERS = word_set(
    ".git .hg .svn .tox .nox .venv venv __pycache__ node_modules .mypy_cache .ruff_cache .pytest_cache .eggs"
)
MOST_BYTES = 4_000_000


class Paths(tuple[str, ...]):
    """Paths in order. Whether one is among them is asked often, so it is not searched for."""

    @cached_property
    def as_set(self) -> frozenset[str]:
        return frozenset(self)

    def __contains__(self, path: object) -> bool:
        return path in self.as_set


class SourceTree(Protocol):
    """The files of a repository. Paths are relative and use `/`; what is ignored is not listed."""

    def paths(self) -> Iterable[str]: ...

    def read(self, path: str) -> str | None:
        """The text with its own line endings and byte order mark; None where there is no such text file."""


@runtime_checkable
class StampedTree(SourceTree, Protocol):
    """A tree that can tell without reading a file whether it is as it was."""

    def stamp(self, path: str) -> object:
        """Something that is equal while the file stays as it is; None where that cannot be told."""


@runtime_checkable
class SearchedTree(SourceTree, Protocol):
    """A tree that can search files that it does not read as text."""

    def may_hold(self, path: str, names: Collection[str]) -> bool:
        """Whether one of the names may stand in a file; True where that cannot be told."""

    def in_other_repositories(self, names: Collection[str]) -> Iterable[str]:
        """The files with one of the names in repositories inside of this one, which are not listed."""

    def why_not_listed(self, path: str) -> str:
        """Why a file that is there is not listed, and what to do about it: `ignored (…)`."""


class DictTree:
    """Files in memory."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self.files = dict(files)

    def paths(self) -> Iterable[str]:
        return sorted(self.files)

    def read(self, path: str) -> str | None:
        return self.files.get(path)


class OverlayTree:
    """Another tree with some files changed, added, or (None) removed."""

    def __init__(self, base: SourceTree, changed: Mapping[str, str | None]) -> None:
        self.base = base
        self.changed = dict(changed)
        self._stamp: Callable[[str], object] = getattr(base, "stamp", lambda _: None)

    def paths(self) -> Iterable[str]:
        kept = {path for path in self.base.paths() if self.changed.get(path, "") is not None}
        return sorted(kept | {path for path, text in self.changed.items() if text is not None})

    def read(self, path: str) -> str | None:
        return self.changed[path] if path in self.changed else self.base.read(path)

    def stamp(self, path: str) -> object:
        return None if path in self.changed else self._stamp(path)

    def may_hold(self, path: str, names: Collection[str]) -> bool:
        base = self.base
        return path in self.changed or not isinstance(base, SearchedTree) or base.may_hold(path, names)

    def in_other_repositories(self, names: Collection[str]) -> Iterable[str]:
        return self.base.in_other_repositories(names) if isinstance(self.base, SearchedTree) else ()

    def why_not_listed(self, path: str) -> str:
        return self.base.why_not_listed(path) if isinstance(self.base, SearchedTree) else ""


class DiskTree:
    """The files under a folder, without the usual tool folders."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._listed: list[str] | None = None

    def paths(self) -> Iterable[str]:
        if self._listed is None:
            self._listed = sorted(self._walk(self.root, ""))
        return self._listed

    def _walk(self, folder: Path, prefix: str) -> Iterable[str]:
        for path in sorted(folder.iterdir()):
            if path.is_symlink():
                continue
            if path.is_dir():
                if path.name not in _SKIPPED_FOLDERS:
                    yield from self._walk(path, f"{prefix}{path.name}/")
            else:
                yield prefix + path.name

    def read(self, path: str) -> str | None:
        try:
            data = (self.root / path).read_bytes()
        except OSError:
            return None
        return decoded(data)


def decoded(data: bytes) -> str | None:
    """A Python file's text in the encoding that it declares; None for what is no text."""
    if len(data) > MOST_BYTES or b"\0" in data[:8192]:
        return None
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        return data.decode("utf-8" if encoding == "utf-8-sig" else encoding)
    except (SyntaxError, LookupError, UnicodeDecodeError):
        return None
