"""Copies of real packages: of a folder of wheels, source archives and unpacked packages, or of the running
environment."""

from __future__ import annotations

import argparse
import importlib.metadata
import importlib.util
import shutil
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from spark_tui.bench.packages.sandbox import Sandbox
from spark_tui.errors import MalformedInput

_LEAST_LINES, _MOST_LINES = 300, 60_000
_MOST_PACKAGES = 24
_LEFT_OUT = ("spark_tui", "pip", "setuptools", "pkg_resources", "wheel", "tests")


@dataclass(frozen=True, slots=True)
class Package:
    """A copy of a package that may be changed. `root` is the folder that has to be on the path."""

    name: str
    root: Path
    lines: int


def add_packages(parser: argparse.ArgumentParser) -> None:
    """`--packages` of a bench that works on copies."""
    help_text = "wheels, source archives or unpacked packages (default: installed ones)"
    parser.add_argument("--packages", metavar="DIR", help=help_text)


@contextmanager
def copies(folder: str | None) -> Iterator[list[Package]]:
    """The packages of a folder, or else of the environment, as copies that go when the block ends."""
    with tempfile.TemporaryDirectory(prefix="spark-bench-") as scratch:
        found = _of_folder(Path(folder), Path(scratch)) if folder else _of_environment(Path(scratch))
        fitting = [package for package in found if package.lines >= _LEAST_LINES]
        if not fitting:
            raise MalformedInput(f"no Python packages in {folder or 'the environment'}")
        yield fitting


def write_bytes(path: Path, data: bytes | None) -> None:
    """Write a file with the folders above it; None deletes it."""
    if data is None:
        path.unlink(missing_ok=True)
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def put_file(path: Path, data: bytes | None, within: Sandbox) -> None:
    """The same for a file whose code is run: the byte code of the old text goes."""
    within.forget_byte_code(path)
    write_bytes(path, data)


@contextmanager
def files_written(root: Path, texts: Mapping[str, str | None], within: Sandbox) -> Iterator[None]:
    """Inside, files of a copy have these texts, or are gone; then they are as they were."""
    originals = {path: (root / path).read_bytes() if (root / path).exists() else None for path in texts}
    try:
        for path, text in texts.items():
            put_file(root / path, None if text is None else text.encode("utf-8", "surrogateescape"), within)
        yield
    finally:
        for path, data in originals.items():
            put_file(root / path, data, within)


def _of_folder(folder: Path, scratch: Path) -> list[Package]:
    out = []
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        name = path.name.split("-")[0]
        root = scratch / name
        if path.suffix == ".whl":
            with zipfile.ZipFile(path) as wheel:
                wheel.extractall(root)
        elif path.name.endswith(".tar.gz"):
            root = _unpacked(path, root)
        elif (path / "__init__.py").is_file():
            _copy(path, root / name)
        elif path.is_dir() and next(path.rglob("*.py"), None) is not None:
            _copy(path, root)
        else:
            continue
        out.append(Package(name, root, _count(root)))
    return out


def _unpacked(archive: Path, folder: Path) -> Path:
    """The source archive of a package, which holds one folder."""
    with tarfile.open(archive) as source:
        source.extraction_filter = getattr(tarfile, "data_filter", None)  # from Python 3.11.4 on
        source.extractall(folder)
    inside = [path for path in folder.iterdir() if path.is_dir()]
    return inside[0] if len(inside) == 1 else folder


def _of_environment(scratch: Path) -> list[Package]:
    """Installed packages of a middle size; of many every n-th, so that the choice stays the same."""
    found = []
    for name in sorted(importlib.metadata.packages_distributions()):
        if name.startswith("_") or name in _LEFT_OUT:
            continue
        try:
            spec = importlib.util.find_spec(name)
        except (ImportError, ValueError):
            continue
        origin = Path(spec.origin) if spec is not None and spec.origin else None
        if origin is None or origin.name != "__init__.py":
            continue
        if _LEAST_LINES <= _count(origin.parent) <= _MOST_LINES:
            found.append(origin.parent)
    step = max(1, -(-len(found) // _MOST_PACKAGES))
    out = []
    for item in found[::step]:
        root = scratch / item.name
        _copy(item, root / item.name)
        out.append(Package(item.name, root, _count(root)))
    return out


def _copy(source: Path, target: Path) -> None:
    shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"), symlinks=True)


def _count(folder: Path) -> int:
    return sum(path.read_bytes().count(b"\n") for path in folder.rglob("*.py") if path.is_file())
