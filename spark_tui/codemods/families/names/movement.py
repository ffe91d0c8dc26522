"""What a move of a definition changes: the definition itself, what it uses, and who uses it."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator

from spark_tui.codemods.imports import graph
from spark_tui.codemods.imports.callers import runs_on_import
from spark_tui.codemods.imports.lines import Wanted, exchange_imports
from spark_tui.codemods.imports.origins import import_of, imports_at_top
from spark_tui.codemods.imports.relative import relative_name
from spark_tui.codemods.places.constants import insert_constant
from spark_tui.codemods.places.descriptions import with_description
from spark_tui.codemods.places.named import comment_lines_above, delete_definition, insert_at_line, own_lines
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed
from spark_tui.codemods.rewriting.edits import convert_line_endings
from spark_tui.codemods.uses.symbols import Target
from spark_tui.codemods.uses.through_modules import named_in_strings, qualified, through_module
from spark_tui.pysource.names.imports import ImportNode
from spark_tui.pysource.names.scopes import Occurrence, Role, Variable
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Definition, Source
from spark_tui.pysource.summary import Imported


class Move:
    """One definition or variable that moves from one module to another one."""

    def __init__(self, repo: Repository, old: Source, new: Source, target: Target, node: ast.stmt) -> None:
        self.repo = repo
        self.old = old
        self.new = new
        self.name = target.name
        self.target = target
        self.node = node
        self.doubts: list[Unfollowed] = []
        self.needs_old = False
        self.at_top = not isinstance(node, Definition)
        """A variable that is made of nothing else of its new module stands above what uses it there."""
        self.old_needs_new = False
        self.gone: dict[str, dict[ImportNode, list[ast.alias]]] = defaultdict(lambda: defaultdict(list))
        self.wanted: dict[str, list[Wanted]] = defaultdict(list)
        self.qualified: list[tuple[int, int, str]] = []
        self.bared: list[ast.AST] = []
        """Where the new module had the definition after the name of the old one."""
        self.statements = with_description(old, [node])
        first, last = own_lines(old, self.statements)
        self.span = old.line_span(comment_lines_above(old, first), last)

    def module(self, path: str) -> str:
        return self.repo.index.modules.name(path)

    def body(self) -> tuple[Edit, Edit]:
        """The definition itself, with the comments above it: taken out, and put in."""
        bound = self.repo.index.scopes(self.new.path).module.bound
        if self.name in bound and not self._imports_it(self.new.path):
            raise Refusal(f"{self.name} exists already in {self.new.path}")
        moved = self.old.text
        for start, end, shown in sorted(self.qualified, reverse=True):
            moved = moved[:start] + shown + moved[end:]
        low, high = self.span[0], self.span[1] + len(moved) - len(self.old.text)
        text = convert_line_endings(self.new, moved[low:high].rstrip("\r\n")) + self.new.newline
        cut = self._cut()
        if self.at_top:
            return cut, insert_constant(self.new, text, self._first_use())
        gap = self.new.newline * 2 if self.new.text.strip() else ""
        return cut, insert_at_line(self.new, len(self.new.lines), gap + text)

    def _cut(self) -> Edit:
        """The edit that takes it away, with the blank lines on one side."""
        if isinstance(self.node, Definition):
            return delete_definition(self.old, self.node)
        start, end = self.span
        below, above = self.old.line_number(end) - 1, self.old.line_number(start) - 1
        while above and not self._is_filled(below) and not self._is_filled(above - 1):
            above -= 1
        return Edit(self.old.path, self.old.starts[above], end, "")

    def _is_filled(self, line: int) -> bool:
        return line < len(self.old.lines) and bool(self.old.lines[line].strip())

    def _first_use(self) -> int:
        """Where the new module uses the name first."""
        scopes = self.repo.index.scopes(self.new.path)
        variable = scopes.variable(self.name, scopes.module)
        loads = [load.span[0] for load in variable.loads] if variable is not None else []
        return min((at for at in loads if at >= 0), default=len(self.new.text))

    def used_above(self) -> Iterator[Unfollowed]:
        """Uses in the new module that run on import: the definition will stand below them."""
        scopes = self.repo.index.scopes(self.new.path)
        variable = scopes.variable(self.name, scopes.module)
        nodes = [load.node for load in variable.loads] if variable is not None else []
        for node in (*nodes, *self.bared) if not self.at_top else ():
            if runs_on_import(self.repo, self.new.path, node):
                line = getattr(node, "lineno", 1)
                yield Unfollowed(self.new.path, line, f"uses {self.name} above where it would be defined")

    def needed(self) -> None:
        """Imports of what the definition uses."""
        scopes = self.repo.index.scopes(self.old.path)
        bound = self.repo.index.scopes(self.new.path).module.bound
        low, high = self.span
        for variable in scopes.variables:
            uses_of = [one for one in variable.occurrences if not one.role.binds]
            inside = [one for one in uses_of if low <= one.span[0] < high]
            strings = [one for one in uses_of if one.span[0] < 0 and one.role is not Role.EXPORT]
            if variable.scope is not scopes.module or variable.name == self.name or not (inside or strings):
                continue
            if any(one.role is Role.DECLARE for one in inside):
                raise Refusal(f"it declares {variable.name} global")
            wanted = import_of(self.repo, self.old, variable.name)
            alias = variable.bindings[0].node
            stays = wanted[0] == self.module(self.old.path)
            if isinstance(alias, ast.alias) and not stays and self._only_here(variable):
                self.gone[self.old.path][scopes.aliases[alias]].append(alias)
            if wanted[0] == self.module(self.new.path):
                if wanted[1:] == (variable.name, ""):
                    self.at_top = False
                    continue
                raise Refusal(f"{self.new.path} would have to import {variable.name} from itself")
            self.needs_old = self.needs_old or stays
            if variable.name not in bound:
                self.wanted[self.new.path].append(wanted)
            elif wanted not in list(imports_at_top(self.repo, self.new)):
                self._qualify(variable, wanted, inside, strings)

    def _qualify(
        self, variable: Variable, wanted: Wanted, inside: list[Occurrence], strings: list[Occurrence]
    ) -> None:
        """Reach a name, which means something else in the new module, through the module of it."""
        shown = qualified(self.repo, self.new.path, imports_at_top(self.repo, self.new), wanted[0])
        local = shown is not None and self._binds(shown.split(".")[0])
        plain = all(one.role is Role.LOAD and not one.in_string for one in inside) and not strings
        if shown is None or local or not plain or not wanted[1]:
            raise Refusal(f"{variable.name} means something else in {self.new.path}")
        self.qualified += [(*one.span, f"{shown}.{wanted[1]}") for one in inside]

    def _binds(self, name: str) -> bool:
        """Whether the definition, or a scope in it, has a name of its own."""
        low, high = self.span
        found = self.repo.index.scopes(self.old.path).by_name.get(name, ())
        return any(low <= item.span[0] < high for item in found)

    def _only_here(self, variable: Variable) -> bool:
        """Whether an import serves the definition alone."""
        low, high = self.span
        if any(not one.role.binds and not low <= one.span[0] < high for one in variable.occurrences):
            return False
        for path in self.repo.index.importers(self.old.path):
            imported = {one.name for one in self.repo.index.summary(path).imports if self._is_old(path, one)}
            if variable.name in imported | self.repo.index.scopes(path).attributes_by_name.keys():
                return False
        return self.old.path.rpartition("/")[2] != "__init__.py"

    def _is_old(self, path: str, one: Imported) -> bool:
        """Whether an import of a file is from the old module."""
        index = self.repo.index
        return index.modules.find(index.imported_module(path, one), path) == self.old.path

    def _imports_it(self, path: str) -> bool:
        found = imports_at_top(self.repo, self.repo.index.source(path))
        return (self.module(self.old.path), self.name, "") in list(found)

    def reached(self) -> Iterator[Edit]:
        """The definition in its old module, where that still needs it, and where others reach it through
        that."""
        low, high = self.span
        variable = self.target.variable
        found = variable.occurrences if variable is not None else ()
        kept = any(not one.role.binds and not low <= one.span[0] < high for one in found)
        for path, use, edit in through_module(self.repo, self.target, self.node):
            if edit is not None:
                if path == self.new.path:
                    self.bared.append(use.node)
                else:
                    self._import(path)
                yield edit
                continue
            kept = True
            reason = f"reaches {self.name} through {self.old.path}, which imports it for that"
            self.doubts.append(Unfollowed(path, use.node.lineno, reason))
        new = self.module(self.new.path)
        for doubt, edit in named_in_strings(self.repo, self.target, new, follow=not kept):
            self.doubts.append(doubt)
            yield from [edit] if edit is not None else []
        if kept:
            self.old_needs_new = True
            self._import(self.old.path)

    def _import(self, path: str, alias: str = "") -> None:
        """Import the definition from its new module into a file."""
        wanted = (self.module(self.new.path), self.name, alias)
        if wanted not in self.wanted[path]:
            self.wanted[path].append(wanted)

    def exchanged(self) -> Iterator[Edit]:
        """The edits of the imports of all files."""
        for path in sorted({*self.gone, *self.wanted}):
            yield from exchange_imports(self.repo, path, self.gone[path], self.wanted[path])

    def _import_statements(self) -> Iterator[tuple[Source, ast.ImportFrom, ast.alias]]:
        for path in sorted(self.repo.index.importers(self.old.path)):
            source = self.repo.index.source(path)
            for one in source.statements:
                if not isinstance(one, ast.ImportFrom):
                    continue
                if self.repo.index.modules.imported(path, one) == self.old.path:
                    yield from ((source, one, name) for name in one.names if name.name == self.name)

    def importers(self) -> Iterator[Edit]:
        """Imports of the definition elsewhere name the new module."""
        for source, statement, alias in self._import_statements():
            module = self.module(self.new.path)
            if source.path == self.new.path:
                if alias.asname:
                    raise Refusal(f"{source.path} calls it {alias.asname}")
            elif source.parents.get(statement) is not source.tree:
                place = f"{source.path}:{statement.lineno}"
                if len(statement.names) > 1:
                    raise Refusal(f"{place} imports it inside of a block, with others")
                shown = self.name + (f" as {alias.asname}" if alias.asname else "")
                written = relative_name(self.repo, source.path, module)
                yield Edit(source.path, *source.span(statement), f"from {written} import {shown}")
                continue
            else:
                self._import(source.path, alias.asname or "")
            self.gone[source.path][statement].append(alias)

    def no_circle(self, edits: list[Edit]) -> None:
        """Refuse where the two modules would import each other."""
        try:
            after = self.repo.with_changes(Plan(tuple(edits)).texts(self.repo))
        except ValueError:
            raise Refusal("an import goes where another one would come: move the imports by hand") from None
        old, new = self.old.path, self.new.path
        if self.old_needs_new and old in graph.files_reached(after, new):
            raise Refusal(f"{old} and {new} would import each other")
        if self.needs_old and new in graph.files_reached(after, old):
            raise Refusal(f"{new} and {old} would import each other")
