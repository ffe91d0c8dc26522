"""What each word is in a repository: the roles of names, collected from summaries and from parsed files."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Container, Iterable, Mapping

from spark_tui.pysource.files.index import Index
from spark_tui.pysource.summary import Summary
from spark_tui.pysource.syntax.parsing import children
from spark_tui.pysource.words import identifier_words

_NONE: frozenset[str] = frozenset()
CONFIG = (".toml", ".yaml", ".yml", ".json", ".ini", ".cfg", ".env")
_KEY = re.compile(r"""(?m)^[\s{]*["']?([A-Za-z_][\w.-]*)["']?\s*[:=]""")
_MOST_CONFIG_CHARACTERS = 100_000
_MOST_STRING = 120
_WORD = re.compile(r"[^\W\d]\w{2,}")
_DEFINED = ("function", "method", "class")
_MOST_TOLD = 2
"""Files beside the open one."""
_MOST_CHANGED = 64
"""Files. Of more changes the table is made anew."""
_NAMING = {ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Name, ast.Attribute, ast.keyword}
_NAMING |= {ast.ImportFrom, ast.Import, ast.Constant}
"""The nodes that name something."""
_MOST_OPENED = 6
"""Files that are kept in full: a message is also read with the one before it, which may name others."""
_Counts = dict[str, dict[str, int]]
_KINDS = {"variable": "variable", "attribute": "attribute"}


class RoleTable:
    """Names and their roles, and the roles of the words that names are made of. With `base`, what another
    table has is in it too."""

    def __init__(self, base: RoleTable | None = None) -> None:
        self._base = base
        self._names: _Counts = defaultdict(dict)
        """How often a name was added in a role; here, and not in the base."""
        self._words: _Counts | None = None

    def roles(self, name: str) -> frozenset[str]:
        own, base = self._names.get(name), self._base
        if base is None:
            return frozenset(own) if own else _NONE
        return _present(base._names.get(name, {}), own) if own else base.roles(name)

    def word_roles(self, word: str) -> frozenset[str]:
        if self._words is None:
            self._words = self._collect_words()
        own, base = self._words.get(word), self._base
        if base is None:
            return frozenset(own) if own else _NONE
        known = base.word_roles(word)
        return _present((base._words or {}).get(word, {}), own) if own else known

    def _collect_words(self) -> _Counts:
        """Of each word how many names in a role have it, more than in the base."""
        found: _Counts = defaultdict(dict)
        for name in self._names:
            if name.isidentifier() and len(words := identifier_words(name)) > 1:
                before = self._base.roles(name) if self._base is not None else _NONE
                now = self.roles(name)
                for role in before ^ now:
                    for word in set(words):
                        found[word][role] = found[word].get(role, 0) + (1 if role in now else -1)
        return found

    def add(self, name: str, role: str, times: int = 1) -> None:
        own = self._names[name]
        own[role] = own.get(role, 0) + times
        self._words = None

    def merge(self, other: RoleTable) -> None:
        for name, roles in other._names.items():
            for role, times in roles.items():
                self.add(name, role, times)

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

    def add_config(self, text: str, times: int = 1) -> None:
        """The keys of a configuration file. With `times` of -1 they are taken out of what the base has."""
        for match in _KEY.finditer(text[:_MOST_CONFIG_CHARACTERS]):
            self.add(match[1], "config_key", times)

    def add_summary(self, summary: Summary, times: int = 1) -> None:
        """What a summary tells of a file that nobody has open. With `times` of -1 it is taken out of what the
        base has."""
        for symbol in summary.symbols:
            role = symbol.kind
            if role in _KINDS and symbol.name.isupper():
                role = "constant"
            self.add(symbol.name, role, times)
        for imported in summary.imports:
            self.add(imported.module, "module", times)
            if imported.name:
                self.add(imported.name, "import", times)
            self.add(imported.alias, "import", times)

    def add_tree(self, tree: ast.AST) -> None:
        """Everything that a parsed file names."""
        self._visit(tree, "")

    def _visit(self, node: ast.AST, owner: str) -> None:
        inner = self._node(node, owner) if type(node) in _NAMING else owner
        for child in children(node):
            # Most nodes are names that are read, which tell nothing.
            if not (isinstance(child, ast.Name) and isinstance(child.ctx, ast.Load)):
                self._visit(child, inner)

    def _node(self, node: ast.AST, owner: str) -> str:
        """Add what a node names itself, and tell what its names stand in."""
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
        return inner

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


def _present(base: Mapping[str, int], own: Mapping[str, int]) -> frozenset[str]:
    return frozenset(role for role in (*base, *own) if base.get(role, 0) + own.get(role, 0) > 0)


class RepositoryRoles:
    """The roles of a repository from message to message: only what changed since is looked at again."""

    def __init__(self) -> None:
        self._table = RoleTable()
        self._paths: tuple[str, ...] | None = None
        self._summaries: Mapping[str, Summary] = {}
        self._configs: Mapping[str, str] = {}
        self._opened: dict[ast.AST, RoleTable] = {}
        """The tables of the files that were opened last, the latest last."""
        self._known: dict[tuple[ast.AST, ...], RoleTable] = {}
        """The tables of all with these files opened, where nothing changed since."""

    def of(self, index: Index, opened: Iterable[str] = ()) -> RoleTable:
        """The roles of the opened files in full, of others by their summaries."""
        summaries = index.summaries
        configs = {path: index.text(path) or "" for path in index.all_paths if path.endswith(CONFIG)}
        known = {} if summaries is self._summaries else summaries
        changed = [path for path, one in known.items() if self._summaries.get(path) is not one]
        same_files = index.all_paths == self._paths and summaries.keys() == self._summaries.keys()
        if not same_files or len(changed) > _MOST_CHANGED:
            self._fill(index, summaries, configs)
            changed = []
        table = RoleTable(self._table)
        for path in changed:
            table.add_summary(self._summaries[path], -1)
            table.add_summary(summaries[path])
        for path, text in configs.items():
            if text != self._configs[path]:
                table.add_config(self._configs[path], -1)
                table.add_config(text)
        named = self.parsed(index, opened)
        as_is = not changed and same_files and configs == self._configs
        if as_is and named in self._known:
            return self._known[named]
        self.add_opened(table, named)
        if as_is:
            self._known[named] = table
            if len(self._known) > _MOST_OPENED:
                del self._known[next(iter(self._known))]
        return table

    def parsed(self, index: Index, opened: Iterable[str]) -> tuple[ast.AST, ...]:
        """The trees of files that are opened."""
        trees = (index.source(path).tree for path in opened if path in index.summaries)
        return tuple(tree for tree in trees if tree is not None)

    def add_opened(self, table: RoleTable, trees: Iterable[ast.AST]) -> None:
        """Add all that some files name to a table."""
        for tree in dict.fromkeys(trees):
            own = self._opened.pop(tree) if tree in self._opened else _of_tree(tree)
            self._opened[tree] = own
            table.merge(own)
        while len(self._opened) > _MOST_OPENED:
            del self._opened[next(iter(self._opened))]

    def _fill(self, index: Index, summaries: Mapping[str, Summary], configs: Mapping[str, str]) -> None:
        self._table, self._known = RoleTable(), {}
        table = self._table
        self._paths, self._summaries, self._configs = index.all_paths, summaries, configs
        for path in index.all_paths:
            table.add_path(path)
        for text in configs.values():
            table.add_config(text)
        for summary in summaries.values():
            table.add_summary(summary)


def _of_tree(tree: ast.AST) -> RoleTable:
    table = RoleTable()
    table.add_tree(tree)
    return table


def told_files(instruction: str, index: Index, path: str) -> tuple[str, ...]:
    """The files whose names an instruction is read with: the open one, and those that define a function or
    class which is named and of which the open one says nothing."""
    known: Container[str] = index.summary(path).words if path in index.paths else ()
    out = [path] if path in index.paths else []
    for word in dict.fromkeys(_WORD.findall(instruction)):
        if word in known or len(out) > _MOST_TOLD:
            continue
        found = {where for where, one in index.symbols(word) if one.kind in _DEFINED}
        out += sorted(found - {*out}) if len(found) == 1 else ()
    return tuple(out)


def repository_roles(index: Index, opened: Iterable[str] = ()) -> RoleTable:
    """The roles of a repository that nothing is known of yet."""
    return RepositoryRoles().of(index, opened)
