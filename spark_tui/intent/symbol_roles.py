"""What each word is in a repository: the roles of names, collected from summaries and from parsed files."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable

from spark_tui.pysource.index import Index
from spark_tui.pysource.summary import Summary
from spark_tui.pysource.words import identifier_words

_NONE: frozenset[str] = frozenset()
_CONFIG = (".toml", ".yaml", ".yml", ".json", ".ini", ".cfg", ".env")
_KEY = re.compile(r"""(?m)^[\s{]*["']?([A-Za-z_][\w.-]*)["']?\s*[:=]""")
_MOST_CONFIG_CHARACTERS = 100_000
_MOST_STRING = 120
_KINDS = {"variable": "variable", "attribute": "attribute"}


class RoleTable:
    """Names and their roles, and the roles of the words that names are made of."""

    def __init__(self) -> None:
        self._names: dict[str, set[str]] = defaultdict(set)
        self._words: dict[str, frozenset[str]] | None = None

    def roles(self, name: str) -> frozenset[str]:
        found = self._names.get(name)
        return frozenset(found) if found else _NONE

    def word_roles(self, word: str) -> frozenset[str]:
        if self._words is None:
            self._words = self._collect_words()
        return self._words.get(word, _NONE)

    def _collect_words(self) -> dict[str, frozenset[str]]:
        found: dict[str, set[str]] = defaultdict(set)
        for name, roles in self._names.items():
            if name.isidentifier() and len(words := identifier_words(name)) > 1:
                for word in words:
                    found[word] |= roles
        return {word: frozenset(roles) for word, roles in found.items()}

    def add(self, name: str, role: str) -> None:
        self._names[name].add(role)
        self._words = None

    def merge(self, other: RoleTable) -> None:
        for name, roles in other._names.items():
            self._names[name] |= roles
        self._words = None

    def names(self) -> Iterable[str]:
        return self._names

    def add_path(self, path: str) -> None:
        """A file of the repository: its path, its name, and the module that it is."""
        name = path.rpartition("/")[2]
        self.add(path, "file")
        self.add(name, "file")
        for folder in path.split("/")[:-1]:
            self.add(folder + "/", "file")
        if name.endswith(".py"):
            self.add(name[:-3], "module")
            self.add(path[:-3].replace("/", "."), "module")

    def add_config(self, text: str) -> None:
        """The keys of a configuration file."""
        for match in _KEY.finditer(text[:_MOST_CONFIG_CHARACTERS]):
            self.add(match[1], "config_key")

    def add_summary(self, summary: Summary) -> None:
        """What a summary tells of a file that nobody has open."""
        for symbol in summary.symbols:
            role = symbol.kind
            if role in _KINDS and symbol.name.isupper():
                role = "constant"
            self.add(symbol.name, role)
        for imported in summary.imports:
            self.add(imported.module, "module")
            if imported.name:
                self.add(imported.name, "import")
            self.add(imported.alias, "import")

    def add_tree(self, tree: ast.AST) -> None:
        """Everything that a parsed file names."""
        self._visit(tree, "")
        self._words = None

    def _visit(self, node: ast.AST, owner: str) -> None:
        inner = owner
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self.add(node.name, "method" if owner == "class" else "function")
                inner = "function"
                self._decorators(node.decorator_list)
                every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
                for arg in [*every, *filter(None, (node.args.vararg, node.args.kwarg))]:
                    self.add(arg.arg, "parameter")
            case ast.ClassDef():
                self.add(node.name, "class")
                self._decorators(node.decorator_list)
                inner = "class"
            case ast.Name():
                self._bound(node, owner)
            case ast.Attribute():
                self.add(node.attr, "attribute")
            case ast.keyword() if node.arg:
                self.add(node.arg, "keyword_argument")
            case ast.ImportFrom() | ast.Import():
                if isinstance(node, ast.ImportFrom) and node.module:
                    self.add(node.module, "module")
                for alias in node.names:
                    self.add(alias.name, "import" if isinstance(node, ast.ImportFrom) else "module")
                    self.add(alias.asname or alias.name, "import")
            case ast.Constant() if isinstance(node.value, str) and len(node.value) <= _MOST_STRING:
                self.add(node.value, "string")
        for child in ast.iter_child_nodes(node):
            self._visit(child, inner)

    def _bound(self, node: ast.Name, owner: str) -> None:
        if isinstance(node.ctx, ast.Store):
            if owner == "function":
                self.add(node.id, "local")
            else:
                self.add(
                    node.id, "constant" if node.id.isupper() else "variable" if not owner else "attribute"
                )

    def _decorators(self, nodes: list[ast.expr]) -> None:
        for node in nodes:
            self.add(ast.unparse(node.func if isinstance(node, ast.Call) else node), "decorator")


def repository_roles(index: Index, opened: Iterable[str] = ()) -> RoleTable:
    """The roles of a repository: of the opened files in full, of others by their summaries."""
    table = RoleTable()
    for path in index.all_paths:
        table.add_path(path)
        if path.endswith(_CONFIG):
            table.add_config(index.text(path) or "")
    for summary in index.summaries.values():
        table.add_summary(summary)
    for path in opened:
        tree = index.source(path).tree if path in index.summaries else None
        if tree is not None:
            table.add_tree(tree)
    return table
