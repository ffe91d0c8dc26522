"""The imports and other uses of a module whose file gets another path."""

from __future__ import annotations

import ast
import re

from spark_tui.codemods.plan import Edit, Refusal, Unfollowed
from spark_tui.codemods.renaming.edits import Renaming
from spark_tui.codemods.renaming.module_places import named_in_text, own_place, taken_names
from spark_tui.codemods.uses.hidden import find_in_text_files, find_mentions, imported_by_computed_name
from spark_tui.codemods.uses.shown_members import examples_importing
from spark_tui.pysource.inference.values import ModuleValue, Values
from spark_tui.pysource.names import places
from spark_tui.pysource.names.scopes import Occurrence, Role, Scopes, Variable
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Span

_FROM = re.compile(r"from[\s\\]*((?:\.[\s\\]*)*(?!import\b)[\w.]*)")
_DYNAMIC = ("import_module", "__import__", "run_module", "iter_modules", "walk_packages")


class ModuleRename:
    """One renaming of a module in the making. `moved` has the paths, that of a stub included."""

    def __init__(self, repo: Repository, moved: dict[str, str]) -> None:
        self.repo = repo
        self.moved = moved
        self.old_path, self.new_path = next(iter(moved.items()))
        self.after = repo.with_changes({**dict.fromkeys(moved), **dict.fromkeys(moved.values(), "")})
        self.old = repo.index.modules.name(self.old_path)
        self.new = self.after.index.modules.name(self.new_path)
        self.stem, self.new_stem = self.old.rpartition(".")[2], self.new.rpartition(".")[2]
        self.package, self.new_package = self.old.rpartition(".")[0], self.new.rpartition(".")[0]
        self.renaming = Renaming(repo, self.stem, self.new_stem)

    def follow(self) -> tuple[list[Edit], list[Unfollowed]]:
        """The edits of all files, and what could not be followed."""
        if self.package != self.new_package:
            for path in self.moved:
                self._own_imports(path)
        for path in self.repo.index.files_with(self.stem):
            scopes = self.repo.index.scopes(path)
            if scopes.source.tree is not None:
                self._imports(path, scopes)
                self._uses(path, scopes)
        self.renaming.unsure_at(find_mentions(self.repo, {self.stem}))
        self.renaming.unsure_at(own_place(self.repo, self.old_path, self.new_path))
        self.renaming.unsure_at(taken_names(self.repo, self.old_path, self.new_path, self.new))
        self._other_files()
        return list(self.renaming.edits.values()), list(self.renaming.unfollowed)

    # -- imports

    def _imports(self, path: str, scopes: Scopes) -> None:
        for statement in scopes.source.statements:
            if isinstance(statement, ast.Import):
                for alias in statement.names:
                    if self._is_old(alias.name, path):
                        self._plain(path, scopes, alias)
            elif isinstance(statement, ast.ImportFrom):
                module = self.repo.index.modules.absolute(path, statement.module, statement.level)
                if self._is_old(module, path):
                    self._from_module(path, scopes, statement)
                    continue
                for alias in statement.names:
                    if alias.name != self.stem:
                        continue
                    if self._is_moved(self.repo.infer.exported(module, alias.name, path)):
                        self._from_package(path, scopes, statement, alias)

    def _is_old(self, module: str, path: str) -> bool:
        return self.repo.index.modules.find(module, path) in self.moved if module else False

    def _is_moved(self, values: Values) -> bool:
        return any(isinstance(value, ModuleValue) and value.path in self.moved for value in values)

    def _plain(self, path: str, scopes: Scopes, alias: ast.alias) -> None:
        """`import shop.cart`: the uses follow through the chain of attributes."""
        span, _ = places.alias_names(scopes.source, alias)
        new = self._spelled(alias.name)
        self.renaming.put(path, span, new)
        if alias.asname is not None:
            return
        head, _, rest = alias.name.partition(".")
        variable = _bound_by(scopes, alias)
        if rest:
            if new.partition(".")[0] != head and variable.loads:
                self.renaming.unsure(path, alias.lineno, f"{head} is used there, which this import bound")
            return
        several = len({binding.role for binding in variable.bindings}) > 1
        if "." in new or several or self.renaming.clash(path, variable):
            self.renaming.put(path, span, f"{new} as {head}")
            return
        for item in variable.occurrences:
            if item.node is not alias:
                self._rename_or_alias(path, scopes, item.node, item.span)

    def _rename_or_alias(self, path: str, scopes: Scopes, node: ast.AST, span: Span) -> None:
        if isinstance(node, ast.alias):
            statement = scopes.aliases[node]
            if not self._is_old(node.name, path) and not isinstance(statement, ast.ImportFrom):
                self.renaming.alias(path, node, statement)
        else:
            self.renaming.rename(path, span, getattr(node, "lineno", 0))

    def _spelled(self, module: str) -> str:
        """The new name in the way in which a file writes the old one: with the same root."""
        root = self.old.removesuffix(module) if self.old.endswith(module) else ""
        return self.new.removeprefix(root) if root and self.new.startswith(root) else self.new

    def _from_module(self, path: str, scopes: Scopes, node: ast.ImportFrom) -> None:
        """`from .cart import total`: a relative import stays one where the package stays the same."""
        found = _FROM.match(scopes.source.text, scopes.source.span(node)[0])
        if found is None:
            raise Refusal(f"{path}:{node.lineno}: the import cannot be read")
        low, high = found.span(1)
        written = found[1].rstrip()
        high = low + len(written)
        if node.level and self.package == self.new_package:
            self.renaming.put(path, (high - len(self.stem), high), self.new_stem)
        else:
            new = self.new if node.level else self._spelled(node.module or "")
            self.renaming.put(path, (low, high), new)

    def _from_package(self, path: str, scopes: Scopes, node: ast.ImportFrom, alias: ast.alias) -> None:
        """`from shop import cart`."""
        span, named = places.alias_names(scopes.source, alias)
        variable = _bound_by(scopes, alias)
        keeps = named is not None
        bound = "" if keeps else f" as {self.stem}"
        if self.package != self.new_package:
            if len(node.names) > 1:
                raise Refusal(f"{path}:{node.lineno} imports {self.stem} together with other names")
            low, high = scopes.source.span(node)
            if not self.new_package:
                shown = alias.asname or self.stem
                text = f"import {self.new}" + (f" as {shown}" if shown != self.new else "")
            else:
                asname = f" as {alias.asname}" if keeps else bound if self.new_stem != self.stem else ""
                text = f"from {self.new_package} import {self.new_stem}{asname}"
            self.renaming.put(path, (low, high), text)
            return
        if self.new_stem == self.stem:
            return
        others = [binding for binding in variable.bindings if binding.node is not alias]
        if keeps or others or self.renaming.clash(path, variable) or self._is_offered(path, scopes):
            self.renaming.put(path, span, f"{self.new_stem}{bound}")
            return
        self.renaming.put(path, span, self.new_stem)
        for item in variable.occurrences:
            if item.node is not alias:
                self.renaming.rename(path, item.span, getattr(item.node, "lineno", 0))

    def _is_offered(self, path: str, scopes: Scopes) -> bool:
        """Whether other files may take the name from this one: then it stays."""
        return bool(_exports(scopes, self.stem)) and not self._is_package(path)

    def _own_imports(self, path: str) -> None:
        """Relative imports of the file itself, which goes to another folder, become absolute."""
        scopes = self.repo.index.scopes(path)
        for statement in scopes.source.statements:
            if isinstance(statement, ast.ImportFrom) and statement.level:
                module = self.repo.index.modules.absolute(path, statement.module, statement.level)
                found = _FROM.match(scopes.source.text, scopes.source.span(statement)[0])
                if found is None or not module or self._is_old(module, path):
                    raise Refusal(f"{path}:{statement.lineno}: the import cannot follow")
                low = found.start(1)
                self.renaming.put(path, (low, low + len(found[1].rstrip())), module)

    # -- other uses

    def _uses(self, path: str, scopes: Scopes) -> None:
        if self._is_package(path) and self.stem not in scopes.module.bound:
            for one in _exports(scopes, self.stem):
                self._offered(path, one)
        for use in scopes.attributes_by_name.get(self.stem, ()):
            if self._is_moved(self.repo.infer.values(path, use.node, use.scope)):
                self._chain(path, scopes, use.node, use.span)
        for string in scopes.source.strings:
            self._string(path, scopes, string)
        for call in scopes.calls:
            if last_name(call.func) in _DYNAMIC:
                named = call.args[0] if call.args else None
                if isinstance(named, ast.Constant):
                    self._imported_by_text(path, scopes, named, str(named.value))
                elif path.split("/")[0] == self.old_path.split("/")[0]:
                    self.renaming.unsure(path, call.lineno, "modules are imported by a computed name")

    def _is_package(self, path: str) -> bool:
        return self.repo.index.modules.name(path) == self.package

    def _offered(self, path: str, one: Occurrence) -> None:
        """`__all__` of a package has a module that the package does not import."""
        if self.package == self.new_package:
            self.renaming.rename(path, one.span, getattr(one.node, "lineno", 0))
        else:
            self.renaming.unsure(path, getattr(one.node, "lineno", 0), f"the package offers {self.stem}")
        for other in self.repo.index.importers(path):
            for item in self.repo.index.summary(other).imports:
                if item.name == "*":
                    self.renaming.unsure(other, item.line, f"import * brings {self.stem} by its name")

    def _imported_by_text(self, path: str, scopes: Scopes, node: ast.Constant, text: str) -> None:
        """`import_module("cart")`; names with dots are found among all strings."""
        body = scopes.source.literal_body(node)
        if text == self.old and "." not in self.old and body is not None:
            self.renaming.put(path, body, self.new)
        elif text.startswith(".") and text.rpartition(".")[2] == self.stem:
            self.renaming.unsure(path, node.lineno, f"{text} may be the module")

    def _chain(self, path: str, scopes: Scopes, node: ast.Attribute, span: Span) -> None:
        written = scopes.source.segment(node)
        if self.package == self.new_package:
            self.renaming.rename(path, span, node.lineno)
        elif re.sub(r"\s", "", written) == self.old:
            self.renaming.put(path, scopes.source.span(node), self.new)
        else:
            self.renaming.unsure(path, node.lineno, f"{written} means the module, which is elsewhere then")

    def _string(self, path: str, scopes: Scopes, node: ast.Constant) -> None:
        text = str(node.value)
        begins = text.startswith((f"{self.old}.", f"{self.old}:"))
        if (text == self.old and "." in self.old) or (begins and self._has(text)):
            body = scopes.source.literal_body(node)
            if body is None:
                self.renaming.unsure(path, node.lineno, "a string names it")
            else:
                self.renaming.put(path, (body[0], body[0] + len(self.old)), self.new)
        elif re.search(rf"(?<![\w.]){re.escape(self.old)}(?!\w)", text) and "." in self.old:
            self.renaming.unsure(path, node.lineno, f"a string mentions {self.old}")
        elif text == self.old and self._by_text(path, node):
            self.renaming.unsure(path, node.lineno, f"the string {text!r} may mean it")
        elif self.old_path in text and "/" in self.old_path:
            self.renaming.unsure(path, node.lineno, f"a string mentions {self.old_path}")
        elif found := named_in_text(self.repo, path, node, self.old_path, self.old):
            self.renaming.unsure(path, node.lineno, f"a string mentions {found}")
        elif text == self.stem and self._is_package(path) and not _is_export(scopes, node):
            self.renaming.unsure(path, node.lineno, f"the string {text!r} may mean it")

    def _has(self, text: str) -> bool:
        """Whether a text goes on after the module with something that is in it; `shop.html` is no name."""
        part = re.split(r"[.:]", text.removeprefix(self.old))[1]
        return "." in self.old or part in self.repo.index.scopes(self.old_path).module.bound

    def _by_text(self, path: str, node: ast.Constant) -> bool:
        """Whether a text may be the name of a module: of its logger, or of one that is imported by name."""
        outer = self.repo.index.source(path).parents.get(node)
        if isinstance(outer, ast.Call):
            return last_name(outer.func) == "getLogger"
        if isinstance(outer, ast.Dict):
            holder = self.repo.index.source(path).parents.get(outer)
            rows = zip(holder.keys, holder.values, strict=True) if isinstance(holder, ast.Dict) else ()
            return any(row is outer and getattr(key, "value", "") == "loggers" for key, row in rows)
        calls = (call for call in self.repo.index.scopes(path).calls if last_name(call.func) in _DYNAMIC)
        return any(not isinstance(arg, ast.Constant) for call in calls for arg in call.args[:1])

    def _other_files(self) -> None:
        """Name the lines of other text files that mention the module or its path."""
        wanted = [self.old_path, self.old] if "." in self.old else [self.old_path]
        if "." not in self.old:
            bound = sorted(self.repo.index.scopes(self.old_path).module.bound)
            wanted += [f"-m {self.old}", *(f"{self.old}{sign}{name}" for name in bound for sign in ".:")]
        for path, line, name in find_in_text_files(self.repo, wanted):
            self.renaming.unsure(path, line, f"it mentions {name}")
        self.renaming.unsure_at(imported_by_computed_name(self.repo, self.old))
        self.renaming.unsure_at(examples_importing(self.repo, self.old))


def _exports(scopes: Scopes, name: str) -> list[Occurrence]:
    """Where `__all__` has a name."""
    return [item for item in scopes.by_name.get(name, ()) if item.role is Role.EXPORT]


def _is_export(scopes: Scopes, node: ast.Constant) -> bool:
    return any(one.node is node for one in _exports(scopes, str(node.value)))


def _bound_by(scopes: Scopes, alias: ast.alias) -> Variable:
    return scopes.resolve(next(one for one in scopes.occurrences if one.node is alias))
