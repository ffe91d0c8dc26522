"""Texts before and after a change from real histories: two releases of a package, or a commit and its
parent."""

from __future__ import annotations

import io
import re
import tarfile
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from spark_tui.workspace.git import git

_LEAST_FILES_OF_COMMIT = 2
_ARCHIVE = re.compile(r"(.+?)-(\d[^-]*)(?:-.*\.whl|\.tar\.gz)$")
"""The name and version of a wheel or of a source archive, in whose name there may be more hyphens."""


@dataclass(frozen=True)
class History:
    """Python files before and after, by path."""

    name: str
    before: dict[str, str]
    after: dict[str, str]


def releases(folder: Path) -> list[tuple[str, Path, Path]]:
    """The packages of which a folder holds two releases, as (name, older, newer)."""
    found: dict[str, list[tuple[tuple[int, ...], Path]]] = defaultdict(list)
    for path in sorted(folder.iterdir()):
        named = _ARCHIVE.match(path.name)
        if named is not None:
            version = tuple(int(number) for number in re.findall(r"\d+", named[2]))
            found[named[1].lower().replace("_", "-")].append((version, path))
    return [
        (name, sorted(pair)[0][1], sorted(pair)[1][1])
        for name, pair in sorted(found.items())
        if len(pair) > 1
    ]


def read_release(archive: Path) -> dict[str, str]:
    """The Python files of a wheel or source archive, without the folder that names the release."""
    out: dict[str, str] = {}
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            named = [(name, wheel.read(name)) for name in wheel.namelist() if name.endswith(".py")]
    else:
        with tarfile.open(archive) as source:
            members = [
                member for member in source.getmembers() if member.isfile() and member.name.endswith(".py")
            ]
            named = [(member.name.partition("/")[2], _read(source, member)) for member in members]
    for name, data in named:
        try:
            out[name] = data.decode("utf-8").replace("\r\n", "\n")
        except UnicodeDecodeError:
            continue
    return out


def _read(source: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    stream = source.extractfile(member)
    return stream.read() if stream is not None else b""


def commits(repository: Path, most: int) -> Iterator[History]:
    """The last commits of a repository that change several Python files, the newest first."""
    listed = git(repository, "log", "--no-merges", "--format=@%H", "--name-only", "--diff-filter=M")
    count = 0
    for part in listed.decode("utf-8", "replace").split("@")[1:]:
        commit, *paths = part.split()
        if sum(path.endswith(".py") for path in paths) < _LEAST_FILES_OF_COMMIT:
            continue
        before = _tree(repository, f"{commit}^")
        shown = {path: git(repository, "show", f"{commit}:{path}") for path in paths if path in before}
        changed = {path: data.decode("utf-8", "replace") for path, data in shown.items()}
        yield History(commit[:10], before, {**before, **changed})
        count += 1
        if count >= most:
            return


def _tree(repository: Path, commit: str) -> dict[str, str]:
    archive = git(repository, "archive", "--format=tar", commit)
    out = {}
    with tarfile.open(fileobj=io.BytesIO(archive)) as source:
        for member in source.getmembers():
            if member.isfile() and member.name.endswith(".py"):
                out[member.name] = _read(source, member).decode("utf-8", "replace")
    return out
