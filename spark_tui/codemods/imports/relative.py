"""How a file names the modules of its own package in imports: `.base`, where all of them are relative."""

from __future__ import annotations

from collections.abc import Iterable

from spark_tui.pysource.repository import Repository


def relative_name(repo: Repository, path: str, module: str) -> str:
    """The module as the file imports from its package: with dots where it has only such imports, or has none
    and the files beside it have only such."""
    package = repo.index.modules.absolute(path, None, 1).split(".")
    parts = module.split(".")
    pairs = enumerate(zip(package, parts, strict=False))
    common = next((at for at, (own, other) in pairs if own != other), min(len(package), len(parts)))
    if not common or not _is_relative(repo, path, parts[0]):
        return module
    return "." * (len(package) - common + 1) + ".".join(parts[common:])


def _is_relative(repo: Repository, path: str, top: str) -> bool:
    folder, text = path.rpartition("/")[0], repo.index.text(path) or ""
    files = (one.rpartition("/") for one in repo.index.paths)
    beside = (f"{folder}/{name}" for home, _, name in files if home == folder and name != "__init__.py")
    # A file that is also run as a program may find its package by its whole name only.
    return (_ways(repo, [path], top) or _ways(repo, beside, top)) == {True} and "__main__" not in text


def _ways(repo: Repository, paths: Iterable[str], top: str) -> set[bool]:
    """Whether imports of a package are relative in some files: yes, no, both, or there are none."""
    return {
        one.level > 0
        for path in paths
        for one in repo.index.summary(path).imports
        if one.level or one.module.split(".")[0] == top
    }
