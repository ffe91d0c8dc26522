"""Collects permissively licensed Python source: the standard library and installed packages.

Tests, vendored and generated code are skipped, and whole packages are held out for testing.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.metadata as metadata
import json
import re
import sysconfig
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from spark_tui.pysource.syntax.parsing import parse
from spark_tui.pysource.words import word_set
from spark_tui.workspace import json_lines

HELD_OUT_PACKAGES = frozenset(
    {"click", "httpx", "jinja2", "tomlkit", "typer", "websockets", "markdown-it-py", "tqdm"}
)
"""Packages that are never trained on; they test how the model does on unseen packages."""

_PERMISSIVE = re.compile(
    r"^(MIT|MIT-0|BSD|0BSD|ISC|Apache|PSF|Python Software Foundation"
    r"|CC0|Zlib|Unlicense|New BSD|3-Clause|2-Clause|BSL-1\.0)",
    re.IGNORECASE,
)
_EXCEPTION = re.compile(r"\s+WITH\s+\S+", re.IGNORECASE)
_NEVER = frozenset(
    {"spark-tui", "certifi", "llvmlite", "ruff", "trove-classifiers", "types-pyyaml", "httpx2", "httpcore2"}
)
"""Not source, or a near copy of a held-out package."""
_SKIPPED_PARTS = word_set(
    """
    test tests testing _vendor vendor vendored _vendored extern externals third_party site-packages lib2to3
    idlelib turtledemo encodings pydoc_data lexers styles unicode_codes __pycache__ _generated generated
    benchmarks ensurepip _pyrepl typeshed
    """
)
_SKIPPED_NAME = re.compile(r"(^test_|_test\.py$|^conftest\.py$|_pb2\.py$|^_sysconfigdata)")
MAX_BYTES_PER_PACKAGE = 2_500_000
MAX_BYTES_PER_FILE = 150_000


@dataclass(frozen=True, slots=True)
class Module:
    """One file of source. `split` is `train`, `test` (unseen module) or `package` (unseen package)."""

    package: str
    path: str
    text: str
    split: str


def is_permissive(licence: str) -> bool:
    """Whether all parts of an SPDX-like expression joined by AND, or one of those joined by OR, are
    permissive."""
    text = _EXCEPTION.sub("", licence.replace("(", "").replace(")", "")).strip()
    if not text:
        return False
    return any(
        all(_PERMISSIVE.match(part.strip()) for part in re.split(r"\s+AND\s+", choice))
        for choice in re.split(r"\s+OR\s+", text)
    )


def licence_of(meta: metadata.PackageMetadata) -> str:
    """The licence expression, field, or classifier: the most exact one that is short."""
    for key in ("License-Expression", "License"):
        if key in meta:
            value = str(meta[key]).strip()
            if value and "\n" not in value and len(value) < 120:
                return value
    names = [
        line.split("::")[-1].strip()
        for line in meta.get_all("Classifier") or []
        if line.startswith("License ::")
    ]
    return " AND ".join(name for name in names if name not in {"OSI Approved", "DFSG approved"})


def split_of(package: str, path: str) -> str:
    """The split of a module. It is the same on every machine, and all examples of a module share it."""
    if package in HELD_OUT_PACKAGES:
        return "package"
    digest = hashlib.sha256(f"{package}:{path}".encode()).digest()
    return "test" if digest[0] < 16 else "train"


def usable(text: str) -> bool:
    """Whether this is ordinary source: no tables of data, no minified lines, and it parses."""
    if not text.isascii() or "\r" in text or "\f" in text or text.count("\n") < 8:
        return False
    lines = text.split("\n")
    if max(map(len, lines)) > 400 or len(text) / len(lines) > 60:
        return False
    if sum(map(str.isdigit, text)) / len(text) > 0.08:
        return False
    tree = parse(text)
    return tree is not None and any(
        isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef) for node in tree.body
    )


def skipped(path: PurePosixPath) -> bool:
    return bool(_SKIPPED_PARTS & set(path.parts[:-1])) or bool(_SKIPPED_NAME.search(path.name))


def _read(files: Iterator[tuple[str, Path]], package: str, limit: int) -> Iterator[Module]:
    taken = 0
    ordered = sorted(files, key=lambda item: hashlib.sha256(item[0].encode()).digest())
    for name, path in ordered:
        if taken >= limit:
            return
        try:
            if path.stat().st_size > MAX_BYTES_PER_FILE:
                continue
            text = path.read_text("utf-8")
        except (OSError, UnicodeDecodeError):
            continue
        if usable(text):
            taken += len(text)
            yield Module(package, name, text.expandtabs(4), split_of(package, name))


def _library_files() -> Iterator[tuple[str, Path]]:
    root = Path(sysconfig.get_path("stdlib"))
    for path in root.rglob("*.py"):
        name = PurePosixPath(path.relative_to(root).as_posix())
        if not skipped(name) and not name.parts[0].startswith("config-"):
            yield str(name), path


def _package_files(dist: metadata.Distribution) -> Iterator[tuple[str, Path]]:
    for file in dist.files or []:
        name = PurePosixPath(file.as_posix())
        if name.suffix == ".py" and ".." not in name.parts and not skipped(name):
            yield str(name), Path(str(dist.locate_file(file)))


def collect(limit_bytes: int = MAX_BYTES_PER_PACKAGE, packages: frozenset[str] | None = None) -> list[Module]:
    """All usable modules; `packages` restricts to some (`python` is the standard library)."""
    modules: list[Module] = []
    if packages is None or "python" in packages:
        modules += _read(
            _library_files(), "python", max(limit_bytes, 12_000_000) if packages is None else limit_bytes
        )
    seen: set[str] = set()
    for dist in sorted(metadata.distributions(), key=lambda item: str(item.name).lower()):
        name = str(dist.name).lower()
        wanted = packages is None or name in packages
        if name in seen or name in _NEVER or not wanted or not is_permissive(licence_of(dist.metadata)):
            continue
        seen.add(name)
        modules += _read(_package_files(dist), name, limit_bytes)
    return modules


def sources(modules: list[Module]) -> list[dict[str, Any]]:
    """Where `modules` came from, for the model card: one entry a package."""
    out: list[dict[str, Any]] = []
    for package in sorted({module.package for module in modules}):
        own = [module for module in modules if module.package == package]
        if package == "python":
            version, licence = sysconfig.get_python_version(), "PSF-2.0"
        else:
            dist = metadata.distribution(package)
            version, licence = dist.version, licence_of(dist.metadata)
        size = sum(len(module.text) for module in own)
        named = {"package": package, "version": version, "licence": licence}
        held_out = package in HELD_OUT_PACKAGES
        out.append({**named, "files": len(own), "bytes": size, "held_out": held_out})
    return out


def write(modules: list[Module], path: Path) -> None:
    """Writes one module a line as compressed JSON, and the sources beside it as `sources.json`."""
    json_lines.write(path, map(asdict, modules))
    path.with_name("sources.json").write_text(json.dumps(sources(modules), indent=1) + "\n", "utf-8")


def read(path: Path) -> list[Module]:
    return [Module(**record) for record in json_lines.read(path)]
