"""Module names of a repository's files, and the files that an import means: packages, src layouts,
namespaces."""

from __future__ import annotations

import ast
import copy
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable

from spark_tui.shared_ends import same_at_start

ImportsNaming = Callable[[str], Iterable[tuple[str, str]]]
"""Gives what the files import that have a word: absolute modules and the names taken from them."""
_SOURCE_FOLDERS = ("src/", "lib/", "python/")


def is_python(path: str) -> bool:
    return path.endswith((".py", ".pyi"))


def is_test_file(path: str) -> bool:
    """Whether a file holds tests, by its name or folder."""
    folders, _, name = path.rpartition("/")
    return (
        name.startswith("test_")
        or name.endswith("_test.py")
        or bool({"tests", "test"} & set(folders.split("/")))
    )


class Modules:
    """Names and paths of all Python files."""

    def __init__(self, paths: Iterable[str], imports_naming: ImportsNaming = lambda _: ()) -> None:
        self.paths = frozenset(filter(is_python, paths))
        self._imports_naming = imports_naming
        self._roots: dict[str, str] = {}
        self._by_name: dict[str, list[str]] = defaultdict(list)
        self._packages: set[str] = set()
        for path in sorted(self.paths):
            for name in self.names(path):
                self._by_name[name].append(path)
                package = name.rpartition(".")[0]
                while package and package not in self._packages:
                    self._packages.add(package)
                    package = package.rpartition(".")[0]

    def asking(self, imports_naming: ImportsNaming) -> Modules:
        """The same of files with other imports."""
        made = copy.copy(self)
        made._imports_naming, made._roots = imports_naming, {}
        return made

    def name(self, path: str) -> str:
        """The name under which a file is imported, as far as its folders and the other imports tell."""
        return _dotted(path[len(self.import_root(path)) :])

    def names(self, path: str) -> tuple[str, ...]:
        """Every name under which a file may be imported."""
        folder = path.rpartition("/")[0]
        roots = {self._nearest_root(path), ""}
        if not self._is_regular(folder):
            roots.add(f"{folder}/" if folder else "")
        roots.update(item for item in _SOURCE_FOLDERS if path.startswith(item))
        names = [_dotted(path[len(root) :]) for root in sorted(roots, key=len, reverse=True)]
        return tuple(dict.fromkeys(name for name in names if name))

    def import_root(self, path: str) -> str:
        """The folder that has to be on the path: the one from which others import what is in it, or else the
        one that holds the nearest package around a file.

        A folder without an `__init__.py` inside a package is a part of it. A file in no package has its own
        folder.
        """
        nearest = self._nearest_root(path)
        if nearest and nearest not in self._roots:
            found = self._imports_naming(nearest.split("/")[-2])
            names = (name for module, one in found for name in (module, f"{module}.{one}"))
            roots = (root for name in names for root in self._roots_of_name(name, nearest))
            self._roots[nearest] = next((root for root, _ in Counter(roots).most_common(1)), nearest)
        return self._roots.get(nearest, "")

    def _roots_of_name(self, name: str, folder: str) -> Iterable[str]:
        """The folders on the path for which a name is one of a file in a folder."""
        for path in self._by_name.get(name, ()):
            plain = path.removesuffix(".py").removesuffix("/__init__")
            if path.startswith(folder) and plain.endswith(name.replace(".", "/")):
                yield plain.removesuffix(name.replace(".", "/"))

    def _nearest_root(self, path: str) -> str:
        own = path.rpartition("/")[0]
        package = own
        while package and not self._is_regular(package):
            package = package.rpartition("/")[0]
        at = package or own
        while at and self._is_regular(at):
            at = at.rpartition("/")[0]
        return f"{at}/" if at else ""

    def _is_regular(self, folder: str) -> bool:
        return f"{folder}/__init__.py" in self.paths or f"{folder}/__init__.pyi" in self.paths

    def find(self, name: str, importer: str = "") -> str | None:
        """The file of a module; of several the one that shares most folders with the importer."""
        found = self._by_name.get(name)
        if not found:
            return None
        if len(found) == 1:
            return found[0]
        return max(found, key=lambda path: (_shared(path, importer), path.endswith(".py"), -len(path)))

    def twin(self, path: str) -> str | None:
        """The stub beside a module, or the module beside a stub."""
        other = path.removesuffix("i") if path.endswith(".pyi") else f"{path}i"
        return other if other in self.paths else None

    def is_package(self, name: str) -> bool:
        """Whether there are modules below a name, also without an `__init__.py`."""
        return name in self._packages

    def imported(self, path: str, statement: ast.Import | ast.ImportFrom) -> str | None:
        """The file of the module from which a `from … import` in a file takes names."""
        if isinstance(statement, ast.Import):
            return None
        return self.find(self.absolute(path, statement.module, statement.level), path)

    def absolute(self, path: str, module: str | None, level: int) -> str:
        """The full name of what `from ..module import` means in a file."""
        if not level:
            return module or ""
        parts = self.name(path).split(".")
        if path.rpartition("/")[2] not in ("__init__.py", "__init__.pyi"):
            parts = parts[:-1]
        parts = parts[: len(parts) - (level - 1)] if level > 1 else parts
        return ".".join([*parts, *([module] if module else [])])


def _dotted(path: str) -> str:
    name = path.removesuffix(".pyi").removesuffix(".py")
    name = name.removesuffix("/__init__") if "/" in name else ("" if name == "__init__" else name)
    return name.replace("/", ".")


def _shared(path: str, other: str) -> int:
    return same_at_start(path.split("/"), other.split("/"))
